/*  Contacts with planes, by tiles of contiguous contacts: see plane_forces.h. */
#include "world/forces/plane_forces.h"

#include "world/contacts/candidates.h"
#include "world/forces/dry_contacts.h"
#include "world/state/settings.h"

#include <string.h>

typedef struct plane_run
{
    const scree_force_job *job;
    scree_plane_contacts *planes;
    scree_dry_planes_fn *kernel;
    scree_geometry geometry;
    scree_dry_run dry;
    _Atomic bool is_deep;
} plane_run;

bool scree_planes_are_dry(const scree_step *step, uint32_t law)
{
    return law == 0 || scree_dry_planes_kernel(step->simd, step->rules->slots[law].force) != NULL;
}

static void write_wall_rows(const scree_walls *walls, scree_plane_contacts *planes)
{
    for (size_t w = 0; w < walls->count; w++) {
        const scree_wall_pose *pose = &walls->wall[w].next;
        double(*row)[4] = planes->wall_rows[w];
        memset(row, 0, sizeof *planes->wall_rows);
        memcpy(row[0], pose->position, sizeof pose->position);
        memcpy(row[1], pose->velocity, sizeof pose->velocity);
        memcpy(row[2], pose->spin, sizeof pose->spin);
        memcpy(row[3], pose->normal, sizeof pose->normal);
        scree_wall_belt_motion(&walls->wall[w], row[4], row[5]);
    }
}

static void run_tile(void *data, size_t tile, uint32_t worker)
{
    plane_run *run = data;
    const size_t end = scree_block_end(tile, SCREE_TILE, run->planes->count);
    scree_dry_run dry = run->dry;
    scree_dry_result result;

    dry.worker = worker;
    result = run->kernel(&dry, run->planes, (uint32_t)(tile * SCREE_TILE), (uint32_t)end);
    run->job->scratch[worker].contacts += result.contacts;
    if (result.may_be_deep)
        run->is_deep = true;
}

static void begin_run(plane_run *run, const scree_force_job *job, const scree_rule_slot *slot)
{
    const scree_step *step = job->step;
    const double ahead = scree_def_ahead(step->def, step->dt);

    run->geometry = (scree_geometry){.position = job->bodies->position[0],
                                     .velocity = job->bodies->velocity[0],
                                     .spin = job->bodies->spin[0]};
    run->dry = (scree_dry_run){.geometry = &run->geometry,
                               .sums = job->sums,
                               .rule = job->sums->rule,
                               .constants = slot->constants,
                               .dt = step->dt - ahead,
                               .ahead = ahead,
                               .has_belts = scree_walls_have_belts(job->walls),
                               .deepest = step->def->overlap_limit};
    run->kernel = scree_dry_planes_kernel(step->simd, slot->force);
}

scree_status scree_planes_press(const scree_force_job *job, scree_plane_contacts *planes,
                                size_t *touching)
{
    const scree_rule_slot *slot = &job->step->rules->slots[planes->law];
    plane_run run = {.job = job, .planes = planes};

    *touching = 0;
    if (planes->is_lost || !scree_planes_are_dry(job->step, planes->law))
        return SCREE_BAD_VALUE;
    if (planes->count == 0)
        return SCREE_OK;
    begin_run(&run, job, slot);
    write_wall_rows(job->walls, planes);
    for (uint32_t w = 0; w < job->step->workers->count; w++)
        job->scratch[w].contacts = 0;
    scree_workers_run(job->step->workers, scree_block_count(planes->count, SCREE_TILE), run_tile,
                      &run);
    for (uint32_t w = 0; w < job->step->workers->count; w++)
        *touching += job->scratch[w].contacts;
    return run.is_deep ? SCREE_UNSTABLE : SCREE_OK;
}
