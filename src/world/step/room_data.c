#include "world/step/room_data.h"

#include "world/search/way_kernels.h"
#include "world/state/body_blocks.h"
#include "world/step/step_hooks.h"
#include "world/step/world_data.h"

scree_step scree_world_this_step(scree_world *world, double dt)
{
    const scree_step_hooks *hooks = world->hooks;

    return (scree_step){.def = &world->def,
                        .rules = &world->rules,
                        .workers = &world->workers,
                        .memory = &world->memory,
                        .error = &world->error,
                        .simd = world->simd,
                        .number = world->clock.steps + 1,
                        .time = world->clock.time + dt,
                        .dt = dt,
                        .sum = hooks ? hooks->sum : NULL,
                        .largest = hooks ? hooks->largest : NULL,
                        .add = hooks ? hooks->add : NULL,
                        .share_heat = hooks ? hooks->share_heat : NULL,
                        .ranks = hooks ? hooks->user : NULL};
}

scree_found_contacts scree_world_found_contacts(const scree_world *world)
{
    return (scree_found_contacts){
        .bodies = &world->bodies,
        .walls = &world->walls,
        .domain = &world->cell.next,
        .pairs = &world->pairs,
        .exerted = &world->contacts,
        .wall_contacts = &world->wall_contacts.next,
        .shapes = &world->shape_contacts.next,
        .pair_row = world->contacts.has_rows ? (const double(*)[8])world->contacts.row : NULL,
        .wall_row = world->wall_contacts.has_rows
                        ? (const double(*)[8])world->wall_contacts.next.row
                        : NULL,
        .stiffness = (const scree_stiffness_row *)world->contacts.stiffness,
        .wall_stiffness = (const scree_stiffness_row *)world->wall_contacts.stiffness,
        .shape_stiffness = (const scree_stiffness_row *)world->shape_contacts.stiffness};
}

scree_search_look scree_world_search_look(const scree_world *world)
{
    return (scree_search_look){.bodies = &world->bodies,
                               .cell = &world->cell,
                               .wraps = &world->wraps,
                               .reach = &world->reach,
                               .has_local_steps = world->def.step.local_steps};
}

scree_search_job scree_world_search_job(scree_world *world, const scree_step *step)
{
    return (scree_search_job){.step = step,
                              .last_dt = world->clock.dt,
                              .look = scree_world_search_look(world),
                              .reach = &world->reach,
                              .shown = &world->cell.shown,
                              .travel = world->in_place ? world->back.travel : NULL,
                              .joints = &world->joints,
                              .detector = world->detector,
                              .wraps = &world->wraps,
                              .seen = &world->seen,
                              .pairs = &world->pairs,
                              .spare = &world->spare,
                              .shapes = &world->shape_contacts,
                              .detection_stats = &world->detection_stats,
                              .needs_search = &world->needs_search,
                              .list_is_new = &world->list_is_new};
}

scree_wall_contact_job scree_world_wall_contact_job(scree_world *world, const scree_step *step)
{
    return (scree_wall_contact_job){.step = step,
                                    .bodies = &world->bodies,
                                    .walls = &world->walls,
                                    .joints = &world->joints,
                                    .travel = world->wall_contacts.planes.is_on ? world->back.travel
                                                                                : NULL,
                                    .wall_contacts = &world->wall_contacts};
}

scree_geometry scree_world_geometry(const scree_world *world)
{
    return scree_pair_geometry(&world->bodies, &world->pairs, &world->cell, world->reach);
}

scree_pair_job scree_world_pair_job(scree_world *world, const scree_step *step)
{
    return (scree_pair_job){.step = step,
                            .bodies = &world->bodies,
                            .cell = &world->cell,
                            .reach = world->reach,
                            .pairs = &world->pairs,
                            .contacts = &world->contacts,
                            .sleep = &world->sleep,
                            .sums = &world->sums,
                            .scratch = world->scratch,
                            .wants_stiffness = world->wants_stiffness,
                            .travel = world->in_place ? world->back.travel : NULL,
                            .list_is_new = world->list_is_new,
                            .in_place = world->in_place};
}

scree_sum_job scree_world_sum_job(scree_world *world, const scree_step *step)
{
    return (scree_sum_job){.step = step,
                           .bodies = &world->bodies,
                           .pairs = &world->pairs,
                           .contacts = &world->contacts,
                           .wall_contacts = world->walls.count ? &world->wall_contacts : NULL,
                           .sleep = &world->sleep,
                           .sums = &world->sums,
                           .scratch = world->scratch,
                           .has_more = world->force || scree_ambient_is_on(&world->ambient),
                           .in_place = world->in_place};
}

scree_motion_job scree_world_motion_job(scree_world *world, const scree_step *step)
{
    const bool follows_walls = world->walls.count && !world->wall_contacts.planes.is_on;
    /* before the first step there is no memory for displacements, and nothing moves */
    const bool has_room =
        world->crossings.block_capacity >= scree_body_block_count(world->bodies.count);

    return (scree_motion_job){.step = step,
                              .bodies = &world->bodies,
                              .sleep = &world->sleep,
                              .slots_are_new = world->needs_search,
                              .drifted = scree_way_kernels[world->simd],
                              .near = follows_walls ? &world->wall_contacts.search : NULL,
                              .travel = world->back.travel,
                              .block_way =
                                  has_room && step->dt > 0 ? world->crossings.block_way : NULL};
}

scree_shape_job scree_world_shape_job(scree_world *world, const scree_step *step)
{
    return (scree_shape_job){.step = step,
                             .bodies = &world->bodies,
                             .walls = &world->walls,
                             .domain = &world->cell.next,
                             .near = &world->wall_contacts.search,
                             .sleep = &world->sleep,
                             .finder = &world->shape_finder,
                             .contacts = &world->shape_contacts};
}

scree_force_job scree_world_force_job(scree_world *world, const scree_step *step)
{
    return (scree_force_job){.step = step,
                             .bodies = &world->bodies,
                             .walls = &world->walls,
                             .wants_stiffness = world->wants_wall_stiffness,
                             .scratch = world->scratch,
                             .sums = &world->sums};
}

scree_joint_scene scree_world_joint_scene(const scree_world *world, bool is_now)
{
    return (scree_joint_scene){.bodies = &world->bodies,
                               .walls = &world->walls,
                               .cell = &world->cell,
                               .dimensions = world->def.dimensions,
                               .is_now = is_now};
}

scree_joint_job scree_world_joint_job(scree_world *world, const scree_step *step)
{
    return (scree_joint_job){.step = step,
                             .scene = scree_world_joint_scene(world, false),
                             .joints = &world->joints,
                             .sums = &world->sums,
                             .wants_resistance = world->wants_stiffness};
}
