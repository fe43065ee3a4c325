/*  Decides which steps are made in place, and how to undo them. */
#include "world/step/in_place.h"

#include "world/forces/plane_forces.h"
#include "world/forces/sphere_forces.h"
#include "world/step/evaluate.h"
#include "world/step/room_data.h"
#include "world/step/time_step.h"
#include "world/step/world_data.h"

/*  The largest number of steps in place in a row, which may have to be repeated. */
#define MAX_STEPS_IN_PLACE 64u

void scree_way_back_free(scree_way_back *back, scree_memory *memory)
{
    scree_memory_give(memory, &back->touches, back->touches_capacity, sizeof *back->touches);
    scree_memory_give(memory, &back->poses, back->pose_capacity, sizeof *back->poses);
    scree_memory_give(memory, &back->travel, back->travel_capacity, sizeof *back->travel);
    scree_wall_contact_list_free(&back->walls, memory);
}

/* ---- when ---- */

static bool walls_only_go_their_paths(const scree_walls *walls)
{
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].has_servo || walls->wall[w].is_free || walls->wall[w].wear.rows)
            return false;
    return true;
}

/*  Whether bodies have only columns of motion, and loads, which no step changes. With any new column steps are not
    made in place until it is named here. */
static bool only_motion_changes(const scree_body_arrays *bodies)
{
    for (int what = SCREE_KEEP_ALWAYS + 1; what < SCREE_KEEPS; what++)
        if (what != SCREE_KEEP_LOADS && bodies->keeps[what])
            return false;
    return true;
}

/*  Whether a step of this world needs nothing of contacts but their forces, so no index of pairs by body. */
static bool needs_only_forces(const scree_world *world)
{
    const scree_world_def *def = &world->def;

    return scree_bodies_may_finish_early(def, &world->bodies, &world->sleep) && !world->force &&
           def->step.mode == SCREE_TIME_FIXED && !def->energy_balance && !def->events &&
           !def->step.local_steps && !scree_def_has_boundary(def) && !world->cell.is_on &&
           !world->cell.is_moving && only_motion_changes(&world->bodies) &&
           !world->breaks.course.made && !world->rates && !scree_ambient_is_on(&world->ambient) &&
           !world->joints.count;
}

/*  Whether a step of this world changes nothing but the motion of bodies, contacts, walls on their paths, and the
    clock. Steps in place skip everything else in scree_world_take_step; anything new there must be tested here. */
static bool is_simple(scree_world *world)
{
    const scree_step step = scree_world_this_step(world, world->def.step.dt);
    const scree_pair_job pairs = scree_world_pair_job(world, &step);

    return needs_only_forces(world) && scree_pairs_are_dry(&pairs) &&
           walls_only_go_their_paths(&world->walls);
}

static bool is_audited(const scree_world *world)
{
    return world->def.detection.audit && (world->clock.steps + 1) % world->def.detection.audit == 0;
}

/*  Whether the next step is an ordinary one: no spatial sort, only forces are needed, and not too many steps since
    the state to which an undo returns. */
static bool may_go_in_place(const scree_world *world)
{
    bool is_sorted = world->def.detection.sort_every != 0 && world->clock.steps >= world->next_sort;

    return world->back.is_there && world->back.length < MAX_STEPS_IN_PLACE && !is_audited(world) &&
           !is_sorted && !scree_world_seeks_stable(world) && !world->needs_search;
}

/* ---- undo ---- */

static void swap_touches(scree_way_back *back, uint8_t (**touches)[1], size_t *capacity)
{
    uint8_t(*kept)[1] = *touches;
    size_t room = *capacity;

    *touches = back->touches;
    *capacity = back->touches_capacity;
    back->touches = kept;
    back->touches_capacity = room;
}

static void swap_walls(scree_way_back *back, scree_wall_contact_list *list)
{
    scree_wall_contact_list kept = *list;

    *list = back->walls;
    back->walls = kept;
}

/*  Keeps the history arrays of the previous step, and gives others to the next step in place. SCREE_OUT_OF_MEMORY
    changes nothing. */
static scree_status keep_start(scree_world *world)
{
    scree_way_back *back = &world->back;
    scree_memory *memory = &world->memory;

    if (scree_memory_reserve(memory, &back->touches, &back->touches_capacity, world->pairs.count,
                             sizeof *back->touches) ||
        scree_memory_reserve(memory, &back->poses, &back->pose_capacity, world->walls.count,
                             sizeof *back->poses) ||
        scree_memory_reserve(memory, &back->travel, &back->travel_capacity,
                             scree_block_count(world->bodies.count, SCREE_TRAVEL_ROWS),
                             sizeof *back->travel))
        return SCREE_OUT_OF_MEMORY;
    swap_touches(back, &world->pairs.touches_next, &world->pairs.touches_next_capacity);
    swap_walls(back, &world->wall_contacts.next);
    return SCREE_OK;
}

/*  Returns to the state before the last step that can be undone. */
static void go_back(scree_world *world)
{
    scree_way_back *back = &world->back;

    scree_world_undo_search(world);
    scree_bodies_swap(&world->bodies);
    scree_contact_sets_accept(&world->contacts, &world->pairs);
    swap_touches(back, &world->pairs.touches, &world->pairs.touches_capacity);
    swap_walls(back, &world->wall_contacts.now);
    for (size_t w = 0; w < world->walls.count; w++)
        world->walls.wall[w].now = back->poses[w];
    /* the search for walls may have used positions that are no longer valid */
    scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    world->pairs.rows_are_next = false;
    world->rows_are_stale = true;
    world->wall_contacts.planes.is_on = false;
    world->clock = back->clock;
    back->is_there = false;
}

/* ---- a step ---- */

static void want_index(scree_world *world, bool is_wanted)
{
    world->wants_index = is_wanted;
    if (is_wanted)
        scree_contact_list_index(&world->pairs, &world->bodies);
}

static void accept(scree_world *world, double dt)
{
    scree_contact_list_accept(&world->pairs);
    if (!world->wall_contacts.planes.is_on)
        scree_wall_contacts_accept(&world->wall_contacts);
    scree_walls_accept(&world->walls);
    /* an undo cannot go back beyond a new list */
    world->back.is_there = !world->list_is_new;
    if (world->list_is_new)
        scree_contact_list_drop(&world->spare);
    world->list_is_new = false;
    world->rows_are_stale = true;
    world->clock.time += dt;
    world->clock.steps++;
    world->clock.dt = dt;
    world->clock.stable = 0;
    world->detection_stats.contacts = world->contacts.touching + world->wall_contact_count;
}

/*  The first step in place after one that can be undone makes the list of plane contacts, if all walls are planes. */
static bool begin_planes(scree_world *world, const scree_step *step)
{
    scree_plane_contacts *planes = &world->wall_contacts.planes;

    if (world->back.length > 1)
        return true;
    if (scree_plane_contacts_begin(&world->wall_contacts, &world->bodies, &world->walls,
                                   &world->rules))
        return false;
    planes->is_on = planes->is_on && scree_planes_are_dry(step, planes->law);
    return true;
}

/*  False if the step cannot be taken. The state is lost then, and go_back must be called. */
static bool step_in_place(scree_world *world)
{
    const double dt = world->def.step.dt;
    const scree_step step = scree_world_this_step(world, dt);
    scree_status status;

    if (!begin_planes(world, &step))
        return false;
    const scree_motion_job motion = scree_world_motion_job(world, &step);
    world->in_place = true;
    scree_bodies_drift_in_place(&motion);
    status = scree_world_evaluate(world, world->clock.time + dt, dt);
    world->in_place = false;
    if (status)
        return false;
    accept(world, dt);
    return true;
}

/*  Repeats steps up to `last`, as steps that can be undone. */
static scree_status step_again(scree_world *world, const scree_local_way *local, uint64_t last)
{
    scree_status status = SCREE_OK;

    want_index(world, true);
    while (!status && world->clock.steps < last)
        status = scree_world_take_step(world, local);
    return status;
}

static scree_status take_step_that_may_be_undone(scree_world *world, const scree_local_way *local,
                                                 uint64_t left)
{
    scree_way_back *back = &world->back;
    scree_status status;

    if (world->wall_contacts.planes.is_on)
        scree_plane_contacts_end(&world->wall_contacts, &world->rules, world->bodies.count);
    back->clock = world->clock;
    if (scree_memory_reserve(&world->memory, &back->poses, &back->pose_capacity, world->walls.count,
                             sizeof *back->poses))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: poses of walls: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    for (size_t w = 0; w < world->walls.count; w++)
        back->poses[w] = world->walls.wall[w].now;
    status = scree_world_take_step(world, local);
    back->length = 0;
    /* the last step of a call is not in place, nor is a step whose paths must be examined */
    back->is_there =
        !status && left > 1 && !world->crossings.is_fast && is_simple(world) && !keep_start(world);
    return status;
}

scree_status scree_world_take_step_of_call(scree_world *world, const scree_local_way *local,
                                           bool is_first, uint64_t left)
{
    const uint64_t last = world->clock.steps + 1;

    if (is_first)
        world->back.is_there = false;
    if (left == 0 || !may_go_in_place(world)) {
        want_index(world, is_audited(world) || scree_world_seeks_stable(world) ||
                              !needs_only_forces(world));
        return take_step_that_may_be_undone(world, local, left);
    }
    world->back.length++;
    if (step_in_place(world))
        return SCREE_OK;
    go_back(world);
    return step_again(world, local, last);
}
