/*  Making a bed: grains are poured without touching, pressed together evenly by a velocity that grows with
    height, and brought to rest by a world with local damping, or left to move. */
#include "scenes/bed.h"
#include "scenes/worlds.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define LOOSE 0.276      /* share of the box that poured grains take */
#define SLENDER 2.6      /* height of the poured box over its width */
#define RUN_IN_DT 1.5e-5 /* s: a sixth of what stiffness allows */
#define CELL 2.3         /* of a lattice for grains of nearly one size, over their mean radius */
#define DRUM_FACETS 1920

static const char *const names[] = {"settled", "falling", "sizes", "sizes-moving", "drum"};

/*  Until a bed is what its name says. Those that come to rest take longer the deeper they fall. */
static const uint64_t run_in_steps[] = {6000, 1000, 10000, 300, 6000};
#define DEPTH_OF_STEPS 0.1 /* m, from which a bed falls in so many steps */

const char *scree_bed_name(scree_bed_kind kind)
{
    return (size_t)kind < SCREE_BED_KINDS ? names[kind] : NULL;
}

scree_status scree_bed_allocate(scree_bed *bed, scree_error *error)
{
    size_t count = bed->count;

    bed->radius = calloc(count, sizeof *bed->radius);
    bed->centre = calloc(count, sizeof *bed->centre);
    bed->velocity = calloc(count, sizeof *bed->velocity);
    bed->spin = calloc(count, sizeof *bed->spin);
    if (!bed->radius || !bed->centre || !bed->velocity || !bed->spin)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "bed: no memory for %zu grains", count);
    if (bed->facets == 0)
        return SCREE_OK;
    return scree_drum_mesh(bed->drum_radius, bed->drum_length, bed->facets, &bed->drum, error);
}

void scree_bed_free(scree_bed *bed)
{
    free(bed->radius);
    free(bed->centre);
    free(bed->velocity);
    free(bed->spin);
    scree_mesh_destroy(bed->drum);
    memset(bed, 0, sizeof *bed);
}

/* ---- the world of a bed ---- */

static scree_status add_box(const scree_bed *bed, scree_material_id material, scree_world *world)
{
    static const double side[5][2] = {{2, 1}, {0, 1}, {0, -1}, {1, 1}, {1, -1}};
    scree_status status = SCREE_OK;

    for (int k = 0; k < 5 && !status; k++) {
        scree_wall_def wall = scree_default_wall_def();
        int axis = (int)side[k][0];
        wall.material = material;
        memcpy(wall.point, side[k][1] > 0 ? bed->lower : bed->upper, sizeof wall.point);
        wall.normal[2] = 0;
        wall.normal[axis] = side[k][1];
        status = scree_world_add_wall(world, &wall, NULL);
    }
    return status;
}

static scree_status add_drum(const scree_bed *bed, scree_material_id material, scree_world *world)
{
    scree_wall_def wall = scree_default_wall_def();

    wall.kind = SCREE_WALL_MESH;
    wall.mesh = bed->drum;
    wall.material = material;
    wall.path.axis[1] = 1;
    wall.path.rate = bed->drum_rate;
    return scree_world_add_wall(world, &wall, NULL);
}

static scree_status add_grains(const scree_bed *bed, scree_material_id material, scree_world *world)
{
    scree_body_def *grains = calloc((size_t)bed->count + 1, sizeof *grains);
    scree_status status = grains ? SCREE_OK : SCREE_OUT_OF_MEMORY;

    for (uint32_t i = 0; i < bed->count && !status; i++) {
        grains[i] = scree_default_body_def();
        grains[i].shape = scree_shape_sphere(bed->radius[i]);
        grains[i].material = material;
        memcpy(grains[i].position, bed->centre[i], sizeof grains->position);
        memcpy(grains[i].velocity, bed->velocity[i], sizeof grains->velocity);
        memcpy(grains[i].spin, bed->spin[i], sizeof grains->spin);
    }
    if (!status)
        status = scree_world_add_bodies(world, grains, bed->count, NULL);
    free(grains);
    return status;
}

scree_status scree_bed_world(const scree_bed *bed, const scree_world_def *def, scree_world **world,
                             scree_error *error)
{
    scree_world_def own = *def;
    scree_material_def made_of = scree_default_material_def();
    scree_material_id material;

    own.gravity[0] = own.gravity[1] = 0;
    own.gravity[2] = -SCREE_BED_GRAVITY;
    own.hooks.error = error;
    made_of.density = SCREE_BED_DENSITY;
    made_of.young = SCREE_BED_YOUNG;
    made_of.poisson = SCREE_BED_POISSON;
    made_of.restitution = SCREE_BED_RESTITUTION;
    made_of.friction = SCREE_BED_FRICTION;
    scree_status status = scree_world_create(&own, world);
    if (status)
        return status;
    status = scree_world_add_material(*world, &made_of, &material);
    if (!status)
        status = bed->drum ? add_drum(bed, material, *world) : add_box(bed, material, *world);
    if (!status)
        status = add_grains(bed, material, *world);
    if (status) {
        scree_fail(error, status, "%s", scree_world_message(*world));
        scree_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

/* ---- making ---- */

static bool is_in_drum(const double centre[3], double radius, const void *user)
{
    const scree_bed *bed = user;
    double room = 0.99 * bed->drum_radius - radius;

    return room > 0 && centre[0] * centre[0] + centre[2] * centre[2] < room * room;
}

static bool has_sizes(const scree_bed *bed)
{
    return bed->kind == SCREE_BED_SIZES || bed->kind == SCREE_BED_SIZES_MOVING;
}

/*  Mean volume of a grain, where 1 / r^3 is even from smallest to largest. */
static double mean_volume(double smallest, double largest)
{
    double a = smallest * smallest * smallest, b = largest * largest * largest;

    return 4.0 / 3 * PI * scree_ln(b / a) / (1 / a - 1 / b);
}

/*  How large the box or the drum is, for the volume of the grains. */
static void size_bed(scree_bed *bed, double volume)
{
    if (bed->kind == SCREE_BED_DRUM) {
        double diameter = scree_pow(volume / 0.2 / (PI / 4 * 0.6), 1.0 / 3);
        bed->drum_radius = diameter / 2;
        bed->drum_length = 0.6 * diameter;
        bed->drum_rate = 4;
        bed->facets = DRUM_FACETS;
        for (int k = 0; k < 3; k++) {
            bed->upper[k] = (k == 1 ? bed->drum_length / 2 : bed->drum_radius) * 1.05;
            bed->lower[k] = -bed->upper[k];
        }
    } else {
        double width = scree_pow(volume / (LOOSE * SLENDER), 1.0 / 3);
        bed->upper[0] = bed->upper[1] = width;
        bed->upper[2] = SLENDER * width;
    }
}

/*  Grains of nearly one size: each somewhere in a cell of its own, from below upward. What does not fit into
    the box is piled higher. */
static void fill_cells(scree_bed *bed, double smallest, double largest)
{
    scree_random random = scree_random_stream(1, 0);
    double cell = CELL * SCREE_BED_RADIUS, play = cell / 2 - largest;
    double length = bed->facets ? bed->drum_length : bed->upper[1] - bed->lower[1];
    uint32_t wide = (uint32_t)((bed->upper[0] - bed->lower[0]) / cell);
    uint32_t deep = (uint32_t)(length / cell), filled = 0;

    for (uint32_t place = 0; filled < bed->count; place++) {
        uint32_t at[3] = {place % wide, place / wide % deep, place / wide / deep};
        double *x = bed->centre[filled];
        double begin[3] = {bed->lower[0], bed->facets ? -length / 2 : bed->lower[1], bed->lower[2]};
        for (int k = 0; k < 3; k++)
            x[k] = begin[k] + (at[k] + 0.5) * cell + scree_random_range(&random, -play, play);
        bed->radius[filled] = scree_random_range(&random, smallest, largest);
        filled += !bed->facets || is_in_drum(x, bed->radius[filled], bed) || x[2] > bed->upper[2];
    }
    for (uint32_t i = 0; i < bed->count; i++)
        if (!bed->facets && bed->centre[i][2] + cell > bed->upper[2])
            bed->upper[2] = bed->centre[i][2] + cell;
}

static scree_status pour(scree_bed *bed, double smallest, double largest, scree_error *error)
{
    scree_pour_plan plan = {.smallest = smallest, .largest = largest, .seed = 1};

    if (!has_sizes(bed)) {
        fill_cells(bed, smallest, largest);
        return SCREE_OK;
    }
    memcpy(plan.lower, bed->lower, sizeof plan.lower);
    memcpy(plan.upper, bed->upper, sizeof plan.upper);
    return scree_pour(&plan, bed->count, bed->centre, bed->radius, error);
}

static bool is_to_rest(const scree_bed *bed)
{
    return bed->kind == SCREE_BED_SETTLED || bed->kind == SCREE_BED_SIZES;
}

/*  What is to settle comes together evenly; what is to move falls, or goes all ways. */
static void set_in_motion(scree_bed *bed)
{
    scree_random random = scree_random_stream(2, 0);
    double stir = bed->kind == SCREE_BED_SIZES_MOVING ? 0.5
                  : bed->kind == SCREE_BED_FALLING    ? 0.1
                                                      : 0.05;
    double press = is_to_rest(bed) ? 1.2 : 0;
    double fall = bed->kind == SCREE_BED_FALLING ? 0.3 : 0;

    for (uint32_t i = 0; i < bed->count; i++) {
        for (int k = 0; k < 3; k++)
            bed->velocity[i][k] = scree_random_range(&random, -stir, stir);
        bed->velocity[i][2] -= fall + press * bed->centre[i][2] / bed->upper[2];
    }
}

/*  Global ids are the order in which grains were added, from 1. */
static void take_over(scree_world *world, scree_bed *bed)
{
    scree_bodies_view view = scree_world_bodies(world);

    for (size_t k = 0; k < view.count; k++) {
        uint64_t i = scree_uint64_at(view.serial, k) - 1;
        memcpy(bed->centre[i], scree_row_at(view.position, k), sizeof bed->centre[i]);
        memcpy(bed->velocity[i], scree_row_at(view.velocity, k), sizeof bed->velocity[i]);
        memcpy(bed->spin[i], scree_row_at(view.spin, k), sizeof bed->spin[i]);
    }
}

static uint64_t count_run_in(const scree_bed *bed)
{
    double steps = (double)run_in_steps[bed->kind];

    if (is_to_rest(bed) && bed->upper[2] > DEPTH_OF_STEPS)
        steps *= sqrt(bed->upper[2] / DEPTH_OF_STEPS);
    return (uint64_t)steps;
}

static scree_status run_in(scree_bed *bed, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_world *world;

    def.step.dt = RUN_IN_DT;
    def.local_damping = is_to_rest(bed) ? 0.3 : 0;
    scree_status status = scree_bed_world(bed, &def, &world, error);
    if (status)
        return status;
    status = scree_world_step(world, count_run_in(bed));
    if (status)
        scree_fail(error, status, "%s", scree_world_message(world));
    else
        take_over(world, bed);
    scree_world_destroy(world);
    return status;
}

scree_status scree_bed_make(scree_bed_kind kind, uint32_t count, scree_bed *bed, scree_error *error)
{
    double smallest = 0.95 * SCREE_BED_RADIUS, largest = 1.05 * SCREE_BED_RADIUS;

    memset(bed, 0, sizeof *bed);
    bed->kind = kind;
    bed->count = count;
    if (has_sizes(bed)) {
        smallest = SCREE_BED_RADIUS;
        largest = 10 * SCREE_BED_RADIUS;
    }
    size_bed(bed, count * mean_volume(smallest, largest));
    scree_status status = scree_bed_allocate(bed, error);
    if (!status)
        status = pour(bed, smallest, largest, error);
    if (!status) {
        set_in_motion(bed);
        status = run_in(bed, error);
    }
    if (status)
        scree_bed_free(bed);
    return status;
}
