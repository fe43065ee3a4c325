/*  Intervals of film frames. A run chooses the interval once at its start, and its checkpoints store it: frames are
    numbered by their interval, so with another one new frames would overwrite old ones. */
#include "app/run/run.h"
#include "app/run/stage_intervals.h"
#include "app/run/times_left.h"

#include "base/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FRAMES 100
/*  If a run that is continued far beyond its planned end has more, the interval is increased. */
#define MAX_FRAMES 400

/*  The interval of the first output or picture that has one; otherwise both are 0. */
static scree_scene_every said_interval(const scree_scene_plan *plan)
{
    scree_scene_every every = {0};

    for (size_t k = plan->picture_count; k-- > 0;)
        if (plan->pictures[k].every.time > 0 || plan->pictures[k].every.steps)
            every = plan->pictures[k].every;
    for (size_t k = plan->output_count; k-- > 0;)
        every = plan->outputs[k].every;
    return every;
}

static bool is_never(scree_scene_every every)
{
    return !every.steps && !(every.time > 0);
}

/*  A hundredth of the run, up to its present end. */
static scree_scene_every share_of_run(const scree_run *run, scree_clock from)
{
    bool is_set = run->end_steps || run->end_time > 0;
    uint64_t steps = is_set ? run->end_steps : run->plan->end_steps;
    double time = steps ? 0 : is_set ? run->end_time : run->plan->end_time;
    scree_scene_every every = {0};

    if (steps > from.steps)
        every.steps = (steps - from.steps + FRAMES - 1) / FRAMES;
    if (time > from.time)
        every.time = (time - from.time) / FRAMES;
    return every;
}

scree_scene_every scree_run_film_every(const scree_run *run)
{
    scree_scene_every every = said_interval(run->plan);

    return is_never(every) ? share_of_run(run, (scree_clock){0}) : every;
}

/*  From now on a longer interval; numbers continue from the last frame. */
static void thin_out(scree_run *run, const scree_schedule *schedule, scree_clock now)
{
    scree_run_film *film = &run->film;
    double left = scree_run_times_left(schedule, now, run->end_steps, run->end_time);

    if (left <= MAX_FRAMES || scree_stages_set_intervals(run->plan) ||
        !is_never(said_interval(run->plan)))
        return;
    film->base = scree_schedule_number(schedule, now);
    film->origin = now;
    film->every = share_of_run(run, now);
}

static scree_schedule schedule_of(const scree_run_film *film, scree_clock now)
{
    return scree_schedule_from(film->every.steps, film->every.time, film->origin, film->base, now);
}

void scree_run_film_open(scree_run *run)
{
    scree_run_film *film = &run->film;
    scree_run_series *series = &run->series[run->series_count - 1];
    scree_clock now = scree_world_clock(run->world);

    if (!film->is_known)
        film->every = scree_run_film_every(run);
    if (run->options->no_film)
        film->every = (scree_scene_every){0};
    film->is_known = true;
    series->schedule = schedule_of(film, now);
    if (run->has_checkpoint) {
        thin_out(run, &series->schedule, now);
        series->schedule = schedule_of(film, now);
    } else {
        series->schedule.next = 0;
    }
}

/* ---- in checkpoints ---- */

void scree_run_film_keep(const scree_run *run, FILE *out)
{
    const scree_run_film *film = &run->film;
    char every[SCREE_REAL_TEXT], origin[SCREE_REAL_TEXT];

    if (!film->is_known)
        return;
    scree_real_to_text(film->every.time, every);
    scree_real_to_text(film->origin.time, origin);
    fprintf(out, "film %" PRIu64 " %s %" PRIu64 " %s %" PRIu64 "\n", film->every.steps, every,
            film->origin.steps, origin, film->base);
}

#define WORDS 5

/*  "STEPS TIME ORIGIN-STEPS ORIGIN-TIME NUMBER" */
bool scree_run_film_recall(scree_run *run, const char *line, size_t length)
{
    scree_run_film film = {.is_known = true};
    const char *word[WORDS];
    size_t size[WORDS];

    for (int k = 0; k < WORDS; k++) {
        const char *blank = k < WORDS - 1 ? memchr(line, ' ', length) : line + length;
        if (!blank)
            return false;
        word[k] = line;
        size[k] = (size_t)(blank - line);
        line += k < WORDS - 1 ? size[k] + 1 : 0;
        length -= k < WORDS - 1 ? size[k] + 1 : 0;
    }
    if (!scree_text_to_whole(word[0], size[0], UINT64_MAX, &film.every.steps) ||
        !scree_text_to_real(word[1], size[1], &film.every.time) ||
        !scree_text_to_whole(word[2], size[2], UINT64_MAX, &film.origin.steps) ||
        !scree_text_to_real(word[3], size[3], &film.origin.time) ||
        !scree_text_to_whole(word[4], size[4], UINT64_MAX, &film.base))
        return false;
    if (!(isfinite(film.every.time) && film.every.time >= 0 && isfinite(film.origin.time)) ||
        film.origin.steps > scree_world_clock(run->world).steps)
        return false;
    run->film = film;
    return true;
}
