/*  The course: the state of a scene, as bytes for checkpoints. Little-endian, with a checksum at the end. When a
    course is loaded, its checksum, its match with the scene, and the range of each value are checked. */
#include "base/error.h"
#include "base/hash.h"
#include "scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COURSE_MAGIC 0x31657372756f6373u /* "scourse1" */
#define HEAD_WORDS 8u
#define SOURCE_WORDS 6u
#define SINK_WORDS 3u
#define PLANE_WORDS 3u
#define QUARANTINE_WORDS 2u /* if the plan has quarantine on */
/*  If there are stages, or a condition that ends the run. */
#define STANDING_WORDS 5u
#define STAGE_WORDS 5u
#define CONDITION_WORDS 5u

/*  Allocates the course or clears it; all values are zero. */
scree_status scene_make_course(scree_scene *scene)
{
    scene_course *course = &scene->course;
    const scree_scene_plan *plan = &scene->plan;

    /* kept from start to start, in the scene's own memory */
    if (!course->sources)
        course->sources = scene_take(scene, plan->source_count + 1, sizeof *course->sources);
    if (!course->sinks)
        course->sinks = scene_take(scene, plan->sink_count + 1, sizeof *course->sinks);
    if (!course->planes)
        course->planes = scene_take(scene, plan->measure_count + 1, sizeof *course->planes);
    if (!course->stages)
        course->stages = scene_take(scene, plan->stage_count + 1, sizeof *course->stages);
    if (!course->conditions)
        course->conditions =
            scene_take(scene, plan->condition_count + 1, sizeof *course->conditions);
    if (!course->means)
        course->means = scene_take(scene, scene_mean_count(scene) + 1, sizeof *course->means);
    if (!course->recalls)
        course->recalls = scene_take(scene, scene_recall_count(scene) + 1, sizeof *course->recalls);
    if (!course->sources || !course->sinks || !course->planes || !course->means ||
        !course->stages || !course->conditions || !course->recalls)
        return SCREE_OUT_OF_MEMORY;
    memset(course->recalls, 0, (scene_recall_count(scene) + 1) * sizeof *course->recalls);
    memset(course->means, 0, (scene_mean_count(scene) + 1) * sizeof *course->means);
    memset(course->sources, 0, (plan->source_count + 1) * sizeof *course->sources);
    memset(course->sinks, 0, (plan->sink_count + 1) * sizeof *course->sinks);
    memset(course->planes, 0, (plan->measure_count + 1) * sizeof *course->planes);
    memset(course->stages, 0, (plan->stage_count + 1) * sizeof *course->stages);
    memset(course->conditions, 0, (plan->condition_count + 1) * sizeof *course->conditions);
    course->stage = 0;
    course->standing = SCENE_RUNS;
    course->stopped_by = 0;
    course->removed = 0;
    course->removed_mass = 0;
    course->began = false;
    course->acted = 0;
    course->last_time = 0;
    course->quarantined = 0;
    course->quarantined_mass = 0;
    course->side_count = 0;
    return SCREE_OK;
}

/*  A measurement named after its wall is hashed with its number, as it was in earlier versions, so that old
    checkpoints stay valid. */
static uint64_t print_of_measure(uint64_t hash, const scree_scene_measurement *measure,
                                 size_t number)
{
    char text[40];

    snprintf(text, sizeof text, "measure%zu", number);
    hash = scree_hash_text(hash, measure->is_named_by_wall ? text : measure->name);
    return scree_hash_word(hash, measure->region.form);
}

/*  Hash of everything that must be the same in the scene that continues. Its length and its output may differ. */
static uint64_t print_of(const scree_scene *scene)
{
    const scree_scene_plan *plan = &scene->plan;
    uint64_t hash = scree_hash_word(SCREE_HASH_START, plan->seed);

    hash = scree_hash_word(hash, plan->act_every);
    if (plan->quarantines)
        hash = scree_hash_word(hash, 1);
    for (size_t i = 0; i < plan->source_count; i++) {
        const scree_scene_source *s = &plan->sources[i];
        hash = scree_hash_text(hash, s->name);
        hash = scree_hash_word(hash, s->is_pour);
        hash = scree_hash_word(hash, s->radius.spread);
        hash = scree_hash_number(hash, s->radius.lower);
        hash = scree_hash_number(hash, s->radius.upper);
        for (uint32_t k = 0; s->radius.stones && k < s->radius.table_count; k++)
            hash = scree_hash_number(hash, s->radius.stones[k].volume);
    }
    for (size_t i = 0; i < plan->sink_count; i++)
        hash = scree_hash_text(hash, plan->sinks[i].name);
    for (size_t i = 0; i < plan->measure_count; i++)
        hash = print_of_measure(hash, &plan->measures[i], i + 1);
    for (size_t i = 0; i < plan->stage_count; i++) {
        hash = scree_hash_text(hash, plan->stages[i].name);
        hash = scree_hash_word(hash, plan->stages[i].change_count);
    }
    for (size_t i = 0; i < plan->condition_count; i++)
        hash = scree_hash_word(hash, plan->conditions[i].kind);
    return scene_hash_recalls(scene, scene_hash_means(scene, hash));
}

static size_t words_of_stages(const scree_scene *scene)
{
    return scene_has_conditions(scene) ? STANDING_WORDS + STAGE_WORDS * scene->plan.stage_count +
                                             CONDITION_WORDS * scene->plan.condition_count
                                       : 0;
}

static size_t words_without_sides(const scree_scene *scene)
{
    return HEAD_WORDS + QUARANTINE_WORDS * scene->plan.quarantines +
           SOURCE_WORDS * scene->plan.source_count + SINK_WORDS * scene->plan.sink_count +
           PLANE_WORDS * scene->plan.measure_count + scene_mean_count(scene) +
           words_of_stages(scene) + scene_recall_count(scene);
}

size_t scree_scene_course_bytes(const scree_scene *scene)
{
    return 8 * (words_without_sides(scene) + 2 * scene->course.side_count + 1);
}

/* ---- words ----------------------------------------------------------------------------------------------- */

static void put_word(unsigned char **at, uint64_t word)
{
    for (int k = 0; k < 8; k++)
        *(*at)++ = (unsigned char)(word >> 8 * k);
}

static void put_number(unsigned char **at, double number)
{
    uint64_t word;
    memcpy(&word, &number, sizeof word);
    put_word(at, word);
}

static uint64_t get_word(const unsigned char **at)
{
    uint64_t word = 0;

    for (int k = 0; k < 8; k++)
        word |= (uint64_t) * (*at)++ << 8 * k;
    return word;
}

static double get_number(const unsigned char **at)
{
    uint64_t word = get_word(at);
    double number;
    memcpy(&number, &word, sizeof number);
    return number;
}

static uint64_t sum_of(const unsigned char *bytes, size_t count)
{
    uint64_t hash = SCREE_HASH_START;

    for (size_t i = 0; i + 8 <= count; i += 8) {
        const unsigned char *at = bytes + i;
        hash = scree_hash_word(hash, get_word(&at));
    }
    return hash;
}

/* ---- stages ----------------------------------------------------------------------------------------------- */

static void put_stages(const scree_scene *scene, unsigned char **at)
{
    const scene_course *course = &scene->course;

    if (!scene_has_conditions(scene))
        return;
    put_word(at, course->stage);
    put_word(at, course->standing);
    put_word(at, course->stopped_by);
    put_word(at, course->removed);
    put_number(at, course->removed_mass);
    for (size_t i = 0; i < scene->plan.stage_count; i++) {
        const scene_stage_state *s = &course->stages[i];
        put_word(at, s->began_step);
        put_number(at, s->began_time);
        put_word(at, s->ended_step);
        put_number(at, s->ended_time);
        put_word(at, s->by);
    }
    for (size_t i = 0; i < scene->plan.condition_count; i++) {
        const scene_condition_state *c = &course->conditions[i];
        put_number(at, c->since);
        for (int k = 0; k < 3; k++)
            put_number(at, c->base[k]);
        put_number(at, c->value);
    }
}

static void get_stages(scree_scene *scene, const unsigned char **at)
{
    scene_course *course = &scene->course;

    if (!scene_has_conditions(scene))
        return;
    course->stage = (uint32_t)get_word(at);
    course->standing = (scene_standing)get_word(at);
    course->stopped_by = (uint32_t)get_word(at);
    course->removed = get_word(at);
    course->removed_mass = get_number(at);
    for (size_t i = 0; i < scene->plan.stage_count; i++) {
        scene_stage_state *s = &course->stages[i];
        s->began_step = get_word(at);
        s->began_time = get_number(at);
        s->ended_step = get_word(at);
        s->ended_time = get_number(at);
        s->by = (uint32_t)get_word(at);
    }
    for (size_t i = 0; i < scene->plan.condition_count; i++) {
        scene_condition_state *c = &course->conditions[i];
        c->since = get_number(at);
        for (int k = 0; k < 3; k++)
            c->base[k] = get_number(at);
        c->value = get_number(at);
        c->read = 0;
    }
}

static bool stages_can_be(const scree_scene *scene, const unsigned char **at)
{
    const scree_scene_plan *plan = &scene->plan;

    if (!scene_has_conditions(scene))
        return true;
    uint64_t stage = get_word(at), standing = get_word(at), by = get_word(at);
    bool fine = stage <= plan->stage_count && (stage > 0) == (plan->stage_count > 0) &&
                standing < SCENE_PARTIAL && by <= plan->condition_count &&
                (standing != SCENE_ENDED || stage < plan->stage_count) &&
                (standing != SCENE_FAILED || (stage > 0 && plan->stages[stage - 1].ends));
    fine &= get_word(at) <= 1ull << 53;
    fine &= get_number(at) >= 0;
    for (size_t i = 0; i < plan->stage_count; i++) {
        fine &= get_word(at) <= 1ull << 53;
        fine &= isfinite(get_number(at));
        fine &= get_word(at) <= 1ull << 53;
        fine &= isfinite(get_number(at));
        by = get_word(at);
        fine &= by <= plan->condition_count || by == SCENE_BY_LIMIT;
    }
    for (size_t i = 0; i < CONDITION_WORDS * plan->condition_count; i++)
        fine &= isfinite(get_number(at));
    return fine;
}

/* ---- save ------------------------------------------------------------------------------------------------ */

scree_status scree_scene_course_save(const scree_scene *scene, void *bytes, size_t capacity,
                                     scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    const scene_course *course = &scene->course;
    size_t needed = scree_scene_course_bytes(scene);
    unsigned char *at = bytes;

    if (!course->began)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: the scene has not been started",
                          scene->name);
    if (!scree_scene_is_whole(scene))
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: a stage has begun by half", scene->name);
    if (capacity < needed || !bytes)
        return scree_fail(error, SCREE_TOO_SMALL,
                          "%s: the scene's state needs %zu bytes, there are %zu", scene->name,
                          needed, capacity);
    put_word(&at, COURSE_MAGIC);
    put_word(&at, print_of(scene));
    put_word(&at, plan->source_count);
    put_word(&at, plan->sink_count);
    put_word(&at, plan->measure_count);
    put_word(&at, course->side_count);
    put_word(&at, course->acted);
    put_number(&at, course->last_time);
    if (plan->quarantines) {
        put_word(&at, course->quarantined);
        put_number(&at, course->quarantined_mass);
    }
    for (size_t i = 0; i < plan->source_count; i++) {
        const scene_source_state *s = &course->sources[i];
        put_word(&at, s->made);
        put_number(&at, s->mass);
        put_word(&at, s->waiting);
        put_word(&at, s->sizes_at);
        put_word(&at, s->places_at);
        put_number(&at, s->next);
    }
    for (size_t i = 0; i < plan->sink_count; i++) {
        put_word(&at, course->sinks[i].count);
        put_number(&at, course->sinks[i].mass);
        put_number(&at, course->sinks[i].last_mass);
    }
    for (size_t i = 0; i < plan->measure_count; i++) {
        put_word(&at, (uint64_t)course->planes[i].passed);
        put_number(&at, course->planes[i].mass);
        put_number(&at, course->planes[i].last_mass);
    }
    for (size_t i = 0; i < scene_mean_count(scene); i++)
        put_number(&at, course->means[i]);
    put_stages(scene, &at);
    for (size_t i = 0; i < scene_recall_count(scene); i++)
        put_number(&at, course->recalls[i]);
    for (size_t i = 0; i < course->side_count; i++) {
        put_word(&at, course->sides[i].serial);
        put_word(&at, course->sides[i].sides);
    }
    put_word(&at, sum_of(bytes, needed - 8));
    return SCREE_OK;
}

/* ---- load ------------------------------------------------------------------------------------------------ */

static scree_status check_course(const scree_scene *scene, const unsigned char *bytes, size_t count,
                                 size_t *side_count, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    const unsigned char *at = bytes, *end = bytes + (count >= 8 ? count - 8 : 0);
    size_t fixed = 8 * (words_without_sides(scene) + 1);
    const char *wrong = NULL;

    if (count < 8 * (HEAD_WORDS + 1) || count % 8 != 0)
        return scree_fail(error, SCREE_BAD_FILE, "%s: %zu bytes are not the state of a scene",
                          scene->name, count);
    if (get_word(&at) != COURSE_MAGIC)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: byte 0: the state of a scene does not start like this", scene->name);
    if (sum_of(bytes, count - 8) != get_word(&end))
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: the checksum of the scene's state is wrong: its bytes have changed",
                          scene->name);
    if (get_word(&at) != print_of(scene))
        wrong = "its sources, sinks or planes differ";
    if (get_word(&at) != plan->source_count || get_word(&at) != plan->sink_count ||
        get_word(&at) != plan->measure_count)
        wrong = "it has other numbers of sources, sinks or measurements";
    if (wrong)
        return scree_fail(error, SCREE_BAD_FILE, "%s: the state is of another scene: %s",
                          scene->name, wrong);
    uint64_t sides = get_word(&at);
    if (count < fixed || sides != (count - fixed) / 16 || (count - fixed) % 16 != 0)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: the scene's state has %zu bytes, and says it has %.0f bodies",
                          scene->name, count, (double)sides);
    *side_count = (size_t)sides;
    return SCREE_OK;
}

/*  Checks ranges of values, whatever the checksum says. */
static scree_status check_numbers(const scree_scene *scene, const unsigned char *at,
                                  scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    bool fine = true;
    double last_time = get_number(&at);

    fine &= isfinite(last_time);
    if (plan->quarantines) {
        fine &= get_word(&at) <= 1ull << 53;
        fine &= get_number(&at) >= 0;
    }
    for (size_t i = 0; i < plan->source_count; i++) {
        const scree_scene_source *source = &plan->sources[i];
        fine &= get_word(&at) <= 1ull << 53;
        fine &= get_number(&at) >= 0;
        (void)get_word(&at);
        (void)get_word(&at);
        (void)get_word(&at);
        double next = get_number(&at);
        fine &= next == 0 || scene_may_be_drawn(&source->radius, next);
    }
    for (size_t i = 0; i < 3 * (plan->sink_count + plan->measure_count); i++) {
        double number = get_number(&at);
        fine &= i % 3 == 0 || isfinite(number);
    }
    for (size_t i = 0; i < scene_mean_count(scene); i++)
        fine &= isfinite(get_number(&at));
    fine &= stages_can_be(scene, &at);
    return fine ? SCREE_OK
                : scree_fail(error, SCREE_BAD_FILE,
                             "%s: the scene's state has a number out of range", scene->name);
}

static scree_status check_order(const scree_scene *scene, const unsigned char *at, size_t count,
                                scree_error *error)
{
    uint64_t last = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t serial = get_word(&at), sides = get_word(&at);
        if (sides > UINT32_MAX || (i > 0 && serial <= last))
            return scree_fail(error, SCREE_BAD_FILE,
                              "%s: the bodies of the scene's state are not in order", scene->name);
        last = serial;
    }
    return SCREE_OK;
}

scree_status scene_course_stage(const scree_scene *scene, const void *bytes, size_t count,
                                uint32_t *stage, scree_error *error)
{
    size_t sides, before = 8 * (words_without_sides(scene) - scene_recall_count(scene) -
                                words_of_stages(scene));
    scree_status status = check_course(scene, bytes, bytes ? count : 0, &sides, error);

    *stage = 0;
    if (status || !bytes || !scene_has_conditions(scene))
        return status;
    status = check_numbers(scene, (const unsigned char *)bytes + 56, error);
    const unsigned char *at = (const unsigned char *)bytes + before;
    if (!status)
        *stage = (uint32_t)get_word(&at);
    return status;
}

scree_status scree_scene_course_load(scree_scene *scene, const void *bytes, size_t count,
                                     scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scene_course *course = &scene->course;
    const unsigned char *first = bytes, *at = first;
    size_t side_count = 0, fixed = 8 * words_without_sides(scene);
    scree_status status = check_course(scene, bytes, bytes ? count : 0, &side_count, error);

    if (status || !bytes)
        return status;
    status = check_numbers(scene, first + 56, error);
    if (!status)
        status = check_order(scene, first + fixed, side_count, error);
    if (status)
        return status;
    if (scree_memory_reserve(&scene->memory, &course->sides, &course->side_room, side_count,
                             sizeof *course->sides) ||
        scene_make_course(scene))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    at = first + 48;
    course->acted = get_word(&at);
    course->last_time = get_number(&at);
    if (plan->quarantines) {
        course->quarantined = get_word(&at);
        course->quarantined_mass = get_number(&at);
    }
    for (size_t i = 0; i < plan->source_count; i++) {
        scene_source_state *s = &course->sources[i];
        s->made = get_word(&at);
        s->mass = get_number(&at);
        s->waiting = get_word(&at);
        s->sizes_at = get_word(&at);
        s->places_at = get_word(&at);
        s->next = get_number(&at);
    }
    for (size_t i = 0; i < plan->sink_count; i++) {
        course->sinks[i].count = get_word(&at);
        course->sinks[i].mass = get_number(&at);
        course->sinks[i].last_mass = get_number(&at);
    }
    for (size_t i = 0; i < plan->measure_count; i++) {
        course->planes[i].passed = (int64_t)get_word(&at);
        course->planes[i].mass = get_number(&at);
        course->planes[i].last_mass = get_number(&at);
    }
    for (size_t i = 0; i < scene_mean_count(scene); i++)
        course->means[i] = get_number(&at);
    get_stages(scene, &at);
    /* values of formulas may be any number */
    for (size_t i = 0; i < scene_recall_count(scene); i++)
        course->recalls[i] = get_number(&at);
    course->side_count = side_count;
    for (size_t i = 0; i < side_count; i++) {
        course->sides[i].serial = get_word(&at);
        course->sides[i].sides = (uint32_t)get_word(&at);
    }
    course->began = true;
    return SCREE_OK;
}
