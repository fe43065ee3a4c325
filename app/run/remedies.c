/*  Suggestions after the world has refused a step. The world's message says which bodies or wall and by how much;
    this adds which wall of the scene that is, and what to change. */
#include "app/run/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*  The wall of the scene with this number in the world; NULL: none. */
static const scree_scene_wall *find_wall(const scree_run *run, uint32_t number)
{
    size_t count = scree_world_walls(run->world, NULL, 0), at = 0;
    scree_wall_id *ids = malloc((count ? count : 1) * sizeof *ids);
    const scree_scene_wall *found = NULL;

    if (ids)
        scree_world_walls(run->world, ids, count);
    while (ids && at < count && ids[at].index1 != number)
        at++;
    for (size_t k = 0; ids && at < count && k < run->plan->wall_count; k++) {
        const scree_scene_wall *wall = &run->plan->walls[k];
        if (at >= wall->first && at < wall->first + wall->count)
            found = wall;
    }
    free(ids);
    return found;
}

static void say_wall(scree_run *run)
{
    const char *at = strstr(run->message, " wall ");
    const scree_scene_wall *wall = at ? find_wall(run, (uint32_t)strtoul(at + 6, NULL, 10)) : NULL;

    if (wall)
        scree_notes_say(&run->notes, "that wall is %s%s%sthe wall of line %d",
                        wall->name[0] ? "\"" : "", wall->name, wall->name[0] ? "\", " : "",
                        wall->line);
}

/*  The only remedies with which the run can be continued; the others need a new run. */
static void say_step(const scree_run *run, char *text, size_t room)
{
    double dt = scree_world_clock(run->world).dt;

    if (run->plan->world.step.mode == SCREE_TIME_FIXED)
        snprintf(text, room,
                 "a shorter step, solver { dt = %.2g }, or an automatic one, without dt", dt / 4);
    else if (dt > 0)
        snprintf(text, room, "a constant shorter step, solver { dt = %.2g }", dt / 4);
    else
        snprintf(text, room, "a constant short step, solver { dt = }");
}

void scree_run_say_remedies(scree_run *run)
{
    const scree_world_def *world = &run->plan->world;
    char step[120], factor[80] = "";

    say_wall(run);
    say_step(run, step, sizeof step);
    if (world->step.mode != SCREE_TIME_FIXED)
        snprintf(factor, sizeof factor,
                 "shorter automatic steps, solver { safety_factor = %.2g }; ",
                 world->step.safety_factor / 2);
    if (strstr(run->message, "overlap"))
        scree_notes_say(&run->notes,
                        "what can help: %s; in a new run also %sa stiffer material, young; deeper "
                        "contacts, solver { overlap_limit = %.2g }",
                        step, factor, 2 * world->overlap_limit);
    else if (strstr(run->message, "finite"))
        scree_notes_say(
            &run->notes,
            "what can help: %s; in a new run also %ssolver { on_nan = \"quarantine\" }, "
            "which removes the body",
            step, factor);
    else
        scree_notes_say(&run->notes,
                        "what can help: %s; in a new run also %sslower walls and bodies", step,
                        factor);
    if (run->has_checkpoint)
        scree_notes_say(&run->notes,
                        "a scene with another step or damping continues from step %" PRIu64
                        ": scree run --resume %s --with SCENE",
                        run->checkpoint_step, run->folder.path);
}
