/*  The main loop: messages first, then a batch of steps that takes about as long as a picture is shown, then new
    output. It runs in a thread, separate from the server's, so a slow client never delays the world; without threads
    the owner of the lab calls it. */
#include "lab_internal.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PORTION 0.008 /* s of steps between two checks for messages */
/*  s of wall-clock time that are caught up at most, so that nothing races after a pause */
#define DUE_MOST 0.1
#define STATUS_EVERY 0.05
#define NOTES_MOST 256u
#define ACT_SECONDS 0.05 /* for messages in a turn; the last may take longer */
#define NOTE_BYTES_MOST ((size_t)512 << 20)

struct lab_note
{
    lab_note *next;
    uint32_t client;
    bool is_farewell;
    scree_lab_message message;
    uint8_t bytes[]; /* the data of the message */
};

/* ---- messages -------------------------------------------------------------------------------------------- */

static bool enqueue(scree_lab *lab, uint32_t client, const scree_lab_message *message)
{
    size_t bytes = message ? message->byte_count : 0;
    lab_note *note = malloc(sizeof *note + bytes);

    if (!note)
        return false;
    *note = (lab_note){.client = client, .is_farewell = !message};
    if (message) {
        note->message = *message;
        note->message.bytes = note->bytes;
        if (bytes)
            memcpy(note->bytes, message->bytes, bytes);
    }
    pthread_mutex_lock(&lab->lock);
    /* a departure is always queued: there is at most one per client */
    bool fits =
        !message || (lab->note_count < NOTES_MOST && bytes <= NOTE_BYTES_MOST - lab->note_bytes);
    if (fits) {
        *lab->last = note;
        lab->last = &note->next;
        lab->note_count++;
        lab->note_bytes += bytes;
        pthread_cond_signal(&lab->news);
    }
    pthread_mutex_unlock(&lab->lock);
    if (!fits)
        free(note);
    return fits;
}

bool scree_lab_tell(scree_lab *lab, uint32_t client, const scree_lab_message *message)
{
    return enqueue(lab, client, message);
}

void scree_lab_forget(scree_lab *lab, uint32_t client)
{
    enqueue(lab, client, NULL);
}

/*  The oldest message, or NULL. */
static lab_note *take_note(scree_lab *lab)
{
    pthread_mutex_lock(&lab->lock);
    lab_note *note = lab->first;
    if (note) {
        lab->first = note->next;
        if (!lab->first)
            lab->last = &lab->first;
        lab->note_count--;
        lab->note_bytes -= note->message.byte_count;
    }
    pthread_mutex_unlock(&lab->lock);
    return note;
}

static void act_on(scree_lab *lab, const lab_note *note)
{
    if (!note->is_farewell)
        scree_lab_act(lab, note->client, &note->message);
    else if (lab->grip.holds && lab->grip.client == note->client)
        scree_lab_let_go(lab);
}

/*  Acts on messages for a while only, so that a flood of them does not stop the scene and its pictures. True: some are
    left. */
static bool act_on_messages(scree_lab *lab)
{
    double begin = scree_lab_now();
    bool some_are_left = false;
    lab_note *note;

    while (!some_are_left && (note = take_note(lab)) != NULL) {
        act_on(lab, note);
        free(note);
        some_are_left = scree_lab_now() - begin > ACT_SECONDS;
    }
    return some_are_left;
}

static bool is_to_end(scree_lab *lab)
{
    pthread_mutex_lock(&lab->lock);
    bool ends = lab->ends;
    pthread_mutex_unlock(&lab->lock);
    return ends;
}

/* ---- steps ----------------------------------------------------------------------------------------------- */

/*  Takes this many steps; a refused step pauses the scene. */
static void go(scree_lab *lab, uint64_t steps)
{
    scree_error error = {SCREE_OK, ""};
    double before = scree_world_clock(lab->world).time, begin = scree_lab_now(),
           spent = scree_lab_spent();

    scree_status status = scree_lab_take_steps(lab, steps, &error);
    double seconds = scree_lab_now() - begin;
    lab->busy += seconds;
    lab->busy_spent += scree_lab_spent() - spent;
    lab->cost = seconds / (double)steps;
    lab->credit -= scree_world_clock(lab->world).time - before;
    lab->has_changed = lab->is_untold = true;
    if (status) {
        lab->plays = false;
        scree_lab_say(lab, true, "a step was refused: %s", error.text);
    } else if (scree_scene_is_over(lab->scene)) {
        lab->plays = false;
        scree_lab_say(lab, false, "the scene has ended");
    } else if (scree_world_body_count(lab->world) > lab->def.max_bodies) {
        lab->plays = false;
        scree_lab_say(lab, true, "more than %llu bodies: the lab stops",
                      (unsigned long long)lab->def.max_bodies);
    }
}

/*  When the first page looks, so that it sees the beginning. */
static void begin_to_play(scree_lab *lab)
{
    if (!lab->def.starts || lab->has_begun)
        return;
    pthread_mutex_lock(&lab->lock);
    bool is_looked_at = lab->is_looked_at;
    pthread_mutex_unlock(&lab->lock);
    if (is_looked_at)
        scree_lab_play(lab, true);
}

/*  Takes the steps that are due, at most one batch. Returns false if none was due. */
static bool advance(scree_lab *lab)
{
    double now = scree_lab_now(), dt = scree_world_clock(lab->world).dt;
    double passed = fmin(now - lab->then, DUE_MOST);
    double portion = lab->cost > 0 ? PORTION / lab->cost : 1;

    lab->then = now;
    if (!lab->plays)
        return false;
    if (lab->rate > 0) {
        lab->credit = fmin(lab->credit + lab->rate * passed, lab->rate * DUE_MOST);
        if (lab->credit < dt)
            return false;
        portion = fmin(portion, lab->credit / dt);
    } else {
        lab->credit = 0;
    }
    go(lab, (uint64_t)fmax(1, fmin(portion, 1e6)));
    return true;
}

/*  Waits this long, or until a message arrives. */
static void wait_for_news(scree_lab *lab, double seconds)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(seconds * 1e9);
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lab->lock);
    if (!lab->first && !lab->ends && !(lab->wants && lab->has_changed))
        pthread_cond_timedwait(&lab->news, &lab->lock, &until);
    pthread_mutex_unlock(&lab->lock);
}

/*  Seconds until something is due: while the scene plays, a step may be due soon. */
static double turn(scree_lab *lab, bool *ends)
{
    *ends = is_to_end(lab);
    bool some_are_left = act_on_messages(lab);
    begin_to_play(lab);
    bool has_worked = advance(lab) || scree_lab_move_paused(lab) || some_are_left;
    double before = scree_lab_now();
    scree_lab_show(lab);
    double now = scree_lab_now();
    lab->shown += now - before;
    if (lab->is_untold && now >= lab->status_due) {
        scree_lab_tell_status(lab, now);
        /* with many bodies, status messages take at most a fortieth of the time */
        lab->status_due = now + fmax(STATUS_EVERY, 40 * (scree_lab_now() - now));
    }
    return has_worked ? 0 : lab->plays ? 0.001 : 0.25;
}

static void *live(void *user)
{
    scree_lab *lab = user;
    bool ends = false;

    while (!ends) {
        double rest = turn(lab, &ends);
        if (rest > 0 && !ends)
            wait_for_news(lab, rest);
    }
    return NULL;
}

double scree_lab_turn(scree_lab *lab)
{
    bool ends;
    return turn(lab, &ends);
}

uint64_t scree_lab_digest(scree_lab *lab)
{
    return scree_world_digest(lab->world);
}

/* ---- creation and destruction ------------------------------------------------------------------------- */

/*  The requested scene, or an example in which much moves. */
static scree_status open_first(scree_lab *lab, scree_error *error)
{
    lab_source source = {.is_file = true};
    const scree_scene_example *example;
    uint32_t index = 0;

    if (lab->def.scene) {
        scree_status status = scree_lab_open(lab, &source, error);
        scree_lab_source_free(&source);
        return status;
    }
    while ((example = scree_scene_example_at(index)) != NULL &&
           strcmp(example->name, "tumbler") != 0)
        index++;
    return scree_lab_open_example(lab, index, error);
}

scree_status scree_lab_create(const scree_lab_def *def, scree_lab **made, scree_error *error)
{
    scree_lab *lab = calloc(1, sizeof *lab);

    *made = NULL;
    if (!lab)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "lab: out of memory");
    lab->def = *def;
    lab->memory.most = def->max_bytes;
    lab->last = &lab->first;
    lab->rate = 1;
    strcpy(lab->method, "auto");
    pthread_mutex_init(&lab->lock, NULL);
    pthread_cond_init(&lab->news, NULL);
    scree_status status = scree_pool_create(def->threads, NULL, &lab->pool);
    if (status)
        scree_fail(error, status, "lab: %s", scree_status_name(status));
    else
        scree_lab_crew_begin(&lab->crew, lab->pool, def->at_work);
    if (!status)
        status = open_first(lab, error);
    if (!status) {
        scree_lab_tell_hello(lab);
        lab->then = lab->told = scree_lab_now();
    }
    if (!status && !def->is_driven) {
        lab->has_thread = pthread_create(&lab->thread, NULL, live, lab) == 0;
        if (!lab->has_thread)
            status = scree_fail(error, SCREE_OUT_OF_MEMORY, "lab: no thread can be started");
    }
    if (status)
        scree_lab_destroy(lab);
    else
        *made = lab;
    return status;
}

void scree_lab_destroy(scree_lab *lab)
{
    if (!lab)
        return;
    pthread_mutex_lock(&lab->lock);
    lab->ends = true;
    pthread_cond_signal(&lab->news);
    pthread_mutex_unlock(&lab->lock);
    if (lab->has_thread)
        pthread_join(lab->thread, NULL);
    for (lab_note *note = take_note(lab); note; note = take_note(lab))
        free(note);
    scree_lab_close(lab);
    scree_lab_source_free(&lab->source);
    scree_pool_destroy(lab->pool);
    for (int board = 0; board < SCREE_LAB_BOARDS; board++)
        free(lab->board[board].bytes);
    scree_lab_cloud_free(&lab->ready);
    scree_lab_cloud_free(&lab->cloud);
    scree_lab_shapes_free(&lab->shapes);
    pthread_cond_destroy(&lab->news);
    pthread_mutex_destroy(&lab->lock);
    free(lab);
}
