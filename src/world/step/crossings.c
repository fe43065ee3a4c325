/*  Contacts are searched at the end of a step. If something is on one side of a thin object at the start of a step
    and on the other side at the end, and touches it at neither time, it has passed through unnoticed. So each step
    bounds the displacements of bodies and walls. If they are too large, the paths are examined (crossing_walls.c,
    crossing_pairs.c, crossing_shapes.c).

    SAFE DISPLACEMENTS. Let L be an upper bound of the relative displacement of two objects in a step, the sum of
    their path lengths.

    A sphere of radius r and a surface without thickness. If the centre passes through the surface, it goes from more
    than r on one side to more than r on the other, or it touches at one end. In the first case L > 2 r. In the
    second case, where the contact at the end pushes it further through, L > r. If the sphere passes over an edge or
    a corner without contact at an end, its centre is at least r from some point of it at both ends. So on the way it
    comes no nearer than sqrt(r^2 - L^2 / 4): for L <= r the overlap would have been at most 0.14 r. So with L <= r
    nothing passes, except for grazing contacts that no step of this length can see.

    Two spheres of radii r <= R, s = r + R: likewise d^2 >= s^2 - L^2 / 4, so they overlap by more than r / 2 on the
    way and touch at no end only if L^2 > 4 (s r - r^2 / 4) >= 3 s r >= 6 r^2. If they touch at one end only, they
    have passed each other only if L > s. So with L <= r, or with L^2 <= 3 s r, nothing passes.

    Bodies of triangles touch where surfaces are nearer than their contact skins h. Two surfaces that cross go from a
    distance of h to a distance of h: L > 2 h. Pebbles of clumps are spheres.

    THE SCREEN. With the largest displacement W of a body, the largest displacement V of a wall and the smallest r of
    all bodies, W + max(W, V) <= r is sufficient, and in nearly every step it holds. Displacements of blocks of
    bodies are known from the drift. Only for bodies that are too fast the second bound is tested, each with its own
    radius, and then each with the walls near it.

    The motion of a body within a step is taken as a straight path and a uniform rotation, which is what the
    integrator computes. */
#include "world/step/crossings.h"

#include "base/error.h"
#include "base/vector.h"
#include "scree/detect.h"
#include "world/motion/integrate.h"
#include "world/state/body_blocks.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/*  In the longest step so far: as in time_step.c. */
#define MIN_STEP 1e-12
/*  In smallest sizes: the largest relative displacement in automatic steps while walls do not move: see MAX_MOVE
    there. */
#define MAX_APPROACH 0.125

void scree_crossings_free(scree_crossings *crossings, scree_memory *memory)
{
    scree_memory_give(memory, &crossings->block_way, crossings->block_capacity,
                      sizeof *crossings->block_way);
    scree_memory_give(memory, &crossings->wall_way, crossings->wall_capacity,
                      sizeof *crossings->wall_way);
}

scree_status scree_crossings_reserve(scree_world *world)
{
    scree_crossings *crossings = &world->crossings;

    if (scree_memory_reserve(&world->memory, &crossings->block_way, &crossings->block_capacity,
                             scree_body_block_count(world->bodies.count),
                             sizeof *crossings->block_way) ||
        scree_memory_reserve(&world->memory, &crossings->wall_way, &crossings->wall_capacity,
                             world->walls.count, sizeof *crossings->wall_way))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: ways of bodies: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    return SCREE_OK;
}

/* ---- one body ---- */

double scree_crossing_way(const scree_body_arrays *bodies, uint32_t slot, double dt)
{
    double way = scree_apart(bodies->position[slot], bodies->position_before[slot]);

    if (scree_is_not_sphere(bodies, slot)) {
        double before = scree_length(bodies->spin_before[slot]),
               after = scree_length(bodies->spin[slot]);
        way += (before > after ? before : after) * dt * bodies->position[slot][3];
    }
    return way * (1 + 0x1p-40);
}

/* ---- the screening test ---- */

/*  Flipping an edge of a tilted cell by a period is not counted: the lattice stays the same. */
double scree_crossing_way_of_cell(const scree_strain *cell, double dt)
{
    static const double edges[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double sum = 0;

    for (int k = 0; k < 3 && cell->is_moving; k++) {
        double edge[3], speed[3];
        scree_domain_vector(&cell->now, edges[k], edge);
        scree_gradient_apply(cell->gradient, edge, speed);
        sum += scree_length(speed) * dt;
    }
    return 2 * sum;
}

static double largest_of(const double *ways, size_t count)
{
    double largest = 0;

    for (size_t k = 0; k < count; k++)
        largest = ways[k] > largest ? ways[k] : largest;
    return largest;
}

/*  Largest displacement of points of non-spherical bodies by rotation alone. */
static double find_turn_of_shapes(const scree_body_arrays *bodies, double dt)
{
    double largest_sq = 0;

    for (uint32_t slot = 0; bodies->nonspheres && slot < bodies->count; slot++) {
        const double *before = bodies->spin_before[slot], *after = bodies->spin[slot];
        double a = scree_dot(before, before), b = scree_dot(after, after),
               radius = bodies->position[slot][3];
        double turn_sq = (a > b ? a : b) * (radius * radius);
        largest_sq = turn_sq > largest_sq ? turn_sq : largest_sq;
    }
    return sqrt(largest_sq) * dt;
}

/*  Largest displacement of all bodies. */
static double find_way(const scree_world *world, double dt)
{
    const scree_body_arrays *bodies = &world->bodies;

    if (world->in_place)
        return largest_of(world->back.travel, scree_block_count(bodies->count, SCREE_TRAVEL_ROWS));
    return (largest_of(world->crossings.block_way, scree_body_block_count(bodies->count)) +
            find_turn_of_shapes(bodies, dt)) *
           (1 + 0x1p-40);
}

static scree_status find_way_of_walls(scree_world *world, double dt, double *largest)
{
    const scree_walls *walls = &world->walls;
    scree_status status = SCREE_OK;

    *largest = 0;
    for (size_t w = 0; w < walls->count && !status; w++) {
        scree_wall_way *way = &world->crossings.wall_way[w];
        status = scree_wall_find_way(&walls->wall[w], world->clock.time + dt, dt, walls->dimensions,
                                     way, &world->error);
        *largest = fmax(*largest, scree_wall_max_way(way));
    }
    return status;
}

/* ---- a closer look ---- */

/*  Displacement of the wall that moves most at the position of the body. */
static double way_of_walls_near(const scree_world *world, const double place[3], double own)
{
    double largest = 0;

    for (size_t w = 0; w < world->walls.count; w++)
        largest = fmax(largest, scree_wall_way_near(&world->crossings.wall_way[w], place, own));
    return largest;
}

/*  Input of the second bound. */
typedef struct crossing_ratios
{
    double ways; /* largest path over radius */
    double largest;
    bool some_at_walls; /* some bodies may pass through a wall */
} crossing_ratios;

/*  In place, upper bounds are known for each SCREE_TRAVEL_ROWS bodies. */
static double way_of(const scree_world *world, uint32_t slot, double dt)
{
    return world->in_place ? world->back.travel[slot / SCREE_TRAVEL_ROWS]
                           : scree_crossing_way(&world->bodies, slot, dt);
}

static crossing_ratios find_ratios(const scree_world *world, double dt, double walls)
{
    const scree_body_arrays *bodies = &world->bodies;
    crossing_ratios found = {0};

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double way = way_of(world, slot, dt), size = scree_body_thickness(bodies, slot);
        found.ways = fmax(found.ways, way / size);
        found.largest = fmax(found.largest, bodies->position[slot][3]);
        found.some_at_walls |= world->walls.count && way + walls > size &&
                               way + way_of_walls_near(world, bodies->position[slot], way) > size;
    }
    return found;
}

static scree_status look_at_walls(scree_crossing_look *look)
{
    const scree_world *world = look->world;
    const scree_body_arrays *bodies = &world->bodies;
    scree_status status = SCREE_OK;

    for (uint32_t slot = 0; slot < bodies->count && !status; slot++) {
        double way = scree_crossing_way(bodies, slot, look->dt);
        if (way + way_of_walls_near(world, bodies->position[slot], way) >
            scree_body_thickness(bodies, slot))
            status = scree_crossing_look_at_walls(look, slot, way);
    }
    return status;
}

/* ---- words ---- */

void scree_crossing_note(scree_crossing_look *look, const scree_crossing *crossing)
{
    const uint64_t(*serial)[1] = (const uint64_t(*)[1])look->world->bodies.serial;
    const scree_crossing *first = &look->found;

    if (first->slot != UINT32_MAX) {
        uint64_t a = serial[crossing->slot][0], b = serial[first->slot][0];
        bool is_body = crossing->partner != UINT32_MAX, was_body = first->partner != UINT32_MAX;
        uint64_t with = is_body ? serial[crossing->partner][0] : crossing->wall;
        uint64_t before = was_body ? serial[first->partner][0] : first->wall;
        if (a > b || (a == b && (is_body > was_body || (is_body == was_body && with >= before))))
            return;
    }
    look->found = *crossing;
}

static void say_partner(const scree_world *world, const scree_crossing *crossing, char *text,
                        size_t capacity)
{
    if (crossing->partner != UINT32_MAX)
        snprintf(text, capacity, "body %" PRIu64, world->bodies.serial[crossing->partner][0]);
    else if (crossing->wall != UINT32_MAX)
        snprintf(text, capacity, "wall %" PRIu32, world->walls.wall[crossing->wall].id.index1);
    else
        snprintf(text, capacity, "nearly half of the periodic cell");
}

static scree_status refuse_crossing(scree_world *world, const scree_crossing *crossing, double dt)
{
    char partner[48];

    say_partner(world, crossing, partner, sizeof partner);
    world->failed_body = world->bodies.id[crossing->slot][0];
    return scree_fail(
        &world->error, SCREE_UNSTABLE,
        "world: step %" PRIu64 ": body %" PRIu64 " would go through %s unseen, at %.3g m/s: %.3g "
        "in a step of %.3g s, where more than %.3g is "
        "too far; steps of at most %.3g s would do",
        world->clock.steps + 1, world->bodies.serial[crossing->slot][0], partner,
        crossing->way / dt, crossing->way, dt, crossing->most, dt * crossing->most / crossing->way);
}

/* ---- all ---- */

scree_status scree_world_find_crossings(scree_world *world, double dt)
{
    scree_crossing_look look = {
        .world = world, .dt = dt, .time = world->clock.time + dt, .found = {.slot = UINT32_MAX}};
    double walls, smallest, cell = scree_crossing_way_of_cell(&world->cell, dt), largest;
    scree_status status;

    world->crossings.is_fast = world->crossings.is_found = false;
    world->crossings.way = world->crossings.walls_way = 0;
    world->crossings.cell_way = cell;
    world->crossings.smallest = INFINITY;
    if (!(dt > 0) || world->bodies.count == 0)
        return SCREE_OK;
    status = find_way_of_walls(world, dt, &walls);
    if (status)
        return status;
    largest = find_way(world, dt);
    scree_bodies_find_least(&world->bodies);
    smallest = world->bodies.thinnest;
    world->crossings.way = largest;
    world->crossings.walls_way = walls;
    world->crossings.smallest = smallest;
    /* beyond the largest coordinate nothing is tested: detection refuses such positions */
    if (largest + fmax(largest + cell, walls) <= smallest || !(largest < SCREE_MAX_COORDINATE))
        return SCREE_OK;

    const crossing_ratios found = find_ratios(world, dt, walls);
    bool some_pairs = 2 * largest + cell > smallest;
    if (!world->bodies.nonspheres && cell == 0)
        some_pairs &= !(found.ways * found.ways * 2 * found.largest <= 3 * smallest);
    world->crossings.is_fast = some_pairs || found.some_at_walls;
    if (!world->crossings.is_fast)
        return SCREE_OK;
    if (world->in_place)
        return SCREE_UNSTABLE;
    if (found.some_at_walls)
        status = look_at_walls(&look);
    if (!status && some_pairs && world->bodies.count > 1)
        status = scree_crossing_look_at_pairs(&look, smallest / 2, cell);
    if (status || look.found.slot == UINT32_MAX)
        return status;
    world->crossings.is_found = true;
    return refuse_crossing(world, &look.found, dt);
}

/*  Displacements are so large that contacts may begin with a deep overlap. */
static bool is_far(const scree_crossings *found)
{
    return found->way + fmax(found->way + found->cell_way, found->walls_way) >
           MAX_APPROACH * (1 + 1e-6) * found->smallest;
}

bool scree_world_shorten_for_crossing(scree_world *world, double *dt)
{
    const scree_crossings *found = &world->crossings;
    bool is_met_deep = is_far(found) && world->def.step.mode == SCREE_TIME_AUTOMATIC;

    if (!(found->is_found || is_met_deep) || world->def.step.mode == SCREE_TIME_FIXED ||
        !(*dt / 2 > MIN_STEP * world->clock.longest))
        return false;
    if (!world->crossings.has_told)
        scree_log_write(&world->def.hooks.log, SCREE_LOG_WARNING, SCREE_LOG_CROSSING,
                        "%s; steps are made shorter where that is so", world->error.text);
    world->crossings.has_told = true;
    *dt /= 2;
    return true;
}
