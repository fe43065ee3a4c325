/*  An average speed since the start would be wrong for long in runs with sources, and the speed of the last step
    would fluctuate. So samples are kept in a ring, at larger intervals as the run gets longer. */
#include "app/run/progress.h"

#include "common/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WINDOW 10.0   /* s */
#define MIN_SAMPLES 8 /* samples of a speed: a single picture must not dominate it */
#define LINE_GAP 0.2  /* s: a person cannot read faster changes */
#define FIRST_GAP 1.0 /* s */
#define GAP_GROWTH 1.5
#define LONGEST_GAP 600 /* s */

static int terminal_width(FILE *out)
{
    struct winsize size;
    return ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void scree_progress_begin(scree_progress *progress, scree_progress_mode mode, FILE *out)
{
    memset(progress, 0, sizeof *progress);
    progress->mode = mode;
    progress->out = out;
    progress->gap = mode == SCREE_PROGRESS_LINE ? LINE_GAP : FIRST_GAP;
}

void scree_progress_note(scree_progress *progress, const scree_progress_report *now)
{
    struct scree_progress_sample *last = &progress->sample[progress->newest];
    double window = fmax(WINDOW, 0.1 * now->wall);

    double bodies = (double)now->bodies;
    double body_steps =
        progress->count ? last->body_steps + bodies * (double)(now->step - last->step) : 0;
    struct scree_progress_sample sample = {now->wall, now->time, body_steps, now->step};
    /* if samples are closer than the ring can hold, the newest is replaced */
    uint32_t before = (progress->newest + SCREE_PROGRESS_SAMPLES - 1) % SCREE_PROGRESS_SAMPLES;
    bool is_close = progress->count > 1 && now->wall - progress->sample[before].wall <
                                               window / (SCREE_PROGRESS_SAMPLES / 2);
    if (!is_close) {
        progress->newest = progress->count ? (progress->newest + 1) % SCREE_PROGRESS_SAMPLES : 0;
        progress->count += progress->count < SCREE_PROGRESS_SAMPLES;
    }
    progress->sample[progress->newest] = sample;
}

scree_progress_speed scree_progress_speed_now(const scree_progress *progress,
                                              const scree_progress_report *now)
{
    scree_progress_speed speed = {0, 0, -1};
    double window = fmax(WINDOW, 0.1 * now->wall);
    uint32_t oldest = progress->newest;

    if (progress->count < 2)
        return speed;
    /* find the first sample in the window, and the one before it */
    for (uint32_t k = 1; k < progress->count; k++) {
        uint32_t at = (progress->newest + SCREE_PROGRESS_SAMPLES - k) % SCREE_PROGRESS_SAMPLES;
        oldest = at;
        if (k >= MIN_SAMPLES && now->wall - progress->sample[at].wall >= window)
            break;
    }
    const struct scree_progress_sample *from = &progress->sample[oldest],
                                       *to = &progress->sample[progress->newest];
    double wall = to->wall - from->wall, steps = (double)(to->step - from->step);
    if (!(wall > 0) || !(steps > 0))
        return speed;
    speed.steps = steps / wall;
    if (to->body_steps > from->body_steps)
        speed.nanoseconds = 1e9 * wall / (to->body_steps - from->body_steps);
    if (now->end_step)
        speed.left =
            now->step < now->end_step ? (double)(now->end_step - now->step) / speed.steps : 0;
    else if (now->end_time > 0 && to->time > from->time)
        speed.left = fmax(0, now->end_time - now->time) * wall / (to->time - from->time);
    return speed;
}

const char *scree_duration_text(double seconds, char text[32])
{
    double s = floor(seconds + 0.5);

    if (!(s < 1e9))
        snprintf(text, 32, "years");
    else if (s < 60)
        snprintf(text, 32, "%.0f s", s);
    else if (s < 3600)
        snprintf(text, 32, "%d:%02d min", (int)(s / 60), (int)fmod(s, 60));
    else if (s < 86400)
        snprintf(text, 32, "%d:%02d h", (int)(s / 3600), (int)(fmod(s, 3600) / 60));
    else
        snprintf(text, 32, "%d d %d h", (int)(s / 86400), (int)(fmod(s, 86400) / 3600));
    return text;
}

const char *scree_bytes_text(double bytes, char text[32])
{
    static const char *const units[] = {"kB", "MB", "GB", "TB", "PB"};
    size_t unit = 0;

    for (bytes /= 1e3; bytes >= 1e3 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1e3;
    snprintf(text, 32, "%.3g %s", bytes, units[unit]);
    return text;
}

/*  Adds a field after two blanks, if it fits. */
static void add_field(char text[256], int width, const char *format, ...) SCREE_PRINTF(3, 4);

static void add_field(char text[256], int width, const char *format, ...)
{
    char field[96];
    va_list list;
    size_t used = strlen(text), room = width > 0 && width < 256 ? (size_t)width : 255;

    va_start(list, format);
    vsnprintf(field, sizeof field, format, list);
    va_end(list);
    size_t gap = used ? 2 : 0;
    if (used + gap + strlen(field) <= room)
        snprintf(text + used, 256 - used, "%s%s", gap ? "  " : "", field);
}

static double share_done(const scree_progress_report *now)
{
    if (now->end_step)
        return fmin(1, (double)now->step / (double)now->end_step);
    return now->end_time > 0 ? fmin(1, now->time / now->end_time) : 0;
}

const char *scree_progress_text(const scree_progress_report *now, const scree_progress_speed *speed,
                                int width, char text[256])
{
    char left[32];

    /* the most important fields come first: narrow terminals show only those */
    text[0] = 0;
    if (now->end_step || now->end_time > 0)
        add_field(text, width, "%3.0f %%", floor(100 * share_done(now)));
    if (now->end_time > 0)
        add_field(text, width, "t %.4g of %.4g s", now->time, now->end_time);
    else
        add_field(text, width, "t %.4g s", now->time);
    /* while steps are left, 0 s is not shown */
    if (speed->left >= 0)
        add_field(text, width, "ETA %s",
                  scree_duration_text(share_done(now) < 1 ? fmax(1, speed->left) : 0, left));
    add_field(text, width, "%" PRIu64 " bodies", now->bodies);
    add_field(text, width, "%" PRIu64 " contacts", now->contacts);
    add_field(text, width, "step %" PRIu64, now->step);
    if (speed->steps > 0)
        add_field(text, width, "%.4g steps/s", speed->steps);
    if (speed->nanoseconds > 0)
        add_field(text, width, "%.0f ns/body-step", speed->nanoseconds);
    add_field(text, width, "dt %.3g s", now->dt);
    add_field(text, width, "E %.3g J", now->kinetic);
    return text;
}

static void show_json(const scree_progress *progress, const scree_progress_report *now,
                      const scree_progress_speed *speed)
{
    scree_json json = scree_json_begin(progress->out, true);

    scree_json_text(&json, "report", "progress");
    scree_json_real(&json, "wall", now->wall);
    scree_json_count(&json, "step", now->step);
    scree_json_real(&json, "time", now->time);
    if (now->end_step)
        scree_json_count(&json, "end_step", now->end_step);
    if (now->end_time > 0)
        scree_json_real(&json, "end_time", now->end_time);
    scree_json_real(&json, "dt", now->dt);
    scree_json_count(&json, "bodies", now->bodies);
    scree_json_count(&json, "contacts", now->contacts);
    scree_json_real(&json, "kinetic", now->kinetic);
    scree_json_real(&json, "potential", now->potential);
    scree_json_real(&json, "steps_per_second", speed->steps);
    scree_json_real(&json, "ns_per_body_step", speed->nanoseconds);
    scree_json_real(&json, "eta", speed->left >= 0 ? speed->left : NAN);
    scree_json_finish(&json);
}

bool scree_progress_is_due(const scree_progress *progress, double wall)
{
    return wall - progress->shown >= progress->gap;
}

void scree_progress_show(scree_progress *progress, const scree_progress_report *now)
{
    char text[256];
    scree_progress_speed speed = scree_progress_speed_now(progress, now);

    progress->shown = now->wall;
    if (progress->mode != SCREE_PROGRESS_LINE && progress->gap < LONGEST_GAP)
        progress->gap *= GAP_GROWTH;
    switch (progress->mode) {
    case SCREE_PROGRESS_QUIET:
        return;
    case SCREE_PROGRESS_LINE:
        /* one column less: a full line would wrap */
        scree_progress_text(now, &speed, terminal_width(progress->out) - 1, text);
        fprintf(progress->out, "\r%s\033[K", text);
        progress->is_line_open = true;
        break;
    case SCREE_PROGRESS_PLAIN:
        fprintf(progress->out, "%s\n", scree_progress_text(now, &speed, 0, text));
        break;
    case SCREE_PROGRESS_JSON:
        show_json(progress, now, &speed);
        break;
    }
    fflush(progress->out);
}

void scree_progress_clear(scree_progress *progress)
{
    if (!progress->is_line_open)
        return;
    fputc('\n', progress->out);
    fflush(progress->out);
    progress->is_line_open = false;
}
