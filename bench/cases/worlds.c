/*  Bodies fall into a box from a lattice in which the balls around them touch, and lie; they are as large, and made of the
    same. All worlds go by turns, so that a slow moment of the machine hits all alike. */
#include "cases/worlds.h"

#include "base/error.h"
#include "base/random.h"
#include "measure/measure.h"

#include <math.h>

#define RADIUS 0.01
#define LAIN_DT 5e-5
#define SKIN (0.05 * RADIUS)
/*  For bonded bodies: a tenth of the step up to which their bonds are stable. */
#define GLUED_DT 4e-6
#define GLUED_PITCH (2 * 0.9999 * RADIUS)

/* ---- shapes ---- */

/*  At the corners of a brick, which is filled. */
static scree_status make_clump(scree_shape *shape, scree_error *error)
{
    scree_pebble pebbles[8];
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump;

    for (int k = 0; k < 8; k++)
        pebbles[k] =
            (scree_pebble){{(k & 1 ? 0.42 : -0.42) * RADIUS, (k & 2 ? 0.38 : -0.38) * RADIUS,
                            (k & 4 ? 0.34 : -0.34) * RADIUS},
                           0.34 * RADIUS};
    def.pebbles = pebbles;
    def.pebble_count = 8;
    def.error = error;
    scree_status status = scree_clump_create(&def, &clump);
    if (!status)
        *shape = scree_shape_clump(clump);
    return status;
}

/*  One in the middle, and one at each corner of a tetrahedron. */
static scree_status make_clump_of_five(scree_shape *shape, scree_error *error)
{
    const double away = 0.55 * RADIUS / sqrt(3);
    scree_pebble pebbles[5] = {{{0, 0, 0}, 0.5 * RADIUS}};
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump;

    for (int k = 1; k < 5; k++)
        pebbles[k] = (scree_pebble){
            {k & 1 ? away : -away, k & 2 ? away : -away, k == 1 || k == 2 ? -away : away},
            0.45 * RADIUS};
    def.pebbles = pebbles;
    def.pebble_count = 5;
    def.error = error;
    scree_status status = scree_clump_create(&def, &clump);
    if (!status)
        *shape = scree_shape_clump(clump);
    return status;
}

static scree_status make_cube(scree_shape *shape, scree_error *error)
{
    const double size = (RADIUS - SKIN) / sqrt(3);
    double points[8][3];
    scree_hull_def def = scree_default_hull_def();
    scree_mesh *mesh;

    for (int k = 0; k < 8; k++)
        for (int a = 0; a < 3; a++)
            points[k][a] = k >> a & 1 ? size : -size;
    def.points = points[0];
    def.point_count = 8;
    def.error = error;
    scree_status status = scree_mesh_hull(&def, &mesh);
    if (!status)
        *shape = scree_shape_block(mesh, SKIN);
    return status;
}

/*  Coxeter, Regular Polytopes, 3.7: (+-1, +-1, +-1) and the cyclic shifts of (0, +-1 / g, +-g), g the golden ratio; flattened, so
    that no two axes are alike. */
static scree_status make_dodecahedron(bool is_block, scree_shape *shape, scree_error *error)
{
    const double golden = (1 + sqrt(5)) / 2, flat[3] = {1, 0.9, 0.8},
                 size = (RADIUS - SKIN) / sqrt(3);
    double points[20][3];
    scree_hull_def def = scree_default_hull_def();
    scree_mesh *mesh;

    for (int k = 0; k < 8; k++)
        for (int a = 0; a < 3; a++)
            points[k][a] = k >> a & 1 ? 1 : -1;
    for (int k = 0; k < 12; k++) {
        points[8 + k][k / 4] = 0;
        points[8 + k][(k / 4 + 1) % 3] = (k & 1 ? 1 : -1) / golden;
        points[8 + k][(k / 4 + 2) % 3] = (k & 2 ? 1 : -1) * golden;
    }
    for (int k = 0; k < 20; k++)
        for (int a = 0; a < 3; a++)
            points[k][a] *= size * flat[a];
    def.points = points[0];
    def.point_count = 20;
    def.error = error;
    scree_status status = scree_mesh_hull(&def, &mesh);
    if (!status)
        *shape = is_block ? scree_shape_block(mesh, SKIN) : scree_shape_mesh(mesh, SKIN);
    return status;
}

static scree_status make_quadric(double c, double m, double n, scree_shape *shape,
                                 scree_error *error)
{
    scree_superquadric_def def = scree_default_superquadric_def();
    scree_mesh *mesh;

    def.radii[0] = RADIUS;
    def.radii[1] = 0.8 * RADIUS;
    def.radii[2] = c;
    def.exponents[0] = m;
    def.exponents[1] = n;
    def.error = error;
    scree_status status = scree_mesh_superquadric(&def, &mesh);
    if (!status)
        *shape = scree_shape_superquadric(mesh);
    return status;
}

static scree_status make_shape(scree_bench_kind kind, scree_shape *shape, scree_error *error)
{
    *shape = scree_shape_sphere(RADIUS);
    switch (kind) {
    case SCREE_BENCH_CLUMPS_5:
        return make_clump_of_five(shape, error);
    case SCREE_BENCH_CLUMPS:
        return make_clump(shape, error);
    case SCREE_BENCH_CUBES:
        return make_cube(shape, error);
    case SCREE_BENCH_BLOCKS:
        return make_dodecahedron(true, shape, error);
    case SCREE_BENCH_MESHES:
        return make_dodecahedron(false, shape, error);
    case SCREE_BENCH_ELLIPSOIDS:
        return make_quadric(0.6 * RADIUS, 2, 2, shape, error);
    case SCREE_BENCH_TABLETS:
        return make_quadric(0.5 * RADIUS, 5, 2, shape, error);
    default:
        return SCREE_OK;
    }
}

static void let_go(const scree_shape *shape)
{
    if (shape->kind == SCREE_SHAPE_CLUMP)
        scree_clump_destroy((scree_clump *)shape->clump);
    else if (shape->kind == SCREE_SHAPE_BLOCK || shape->kind == SCREE_SHAPE_MESH ||
             shape->kind == SCREE_SHAPE_SUPERQUADRIC)
        scree_mesh_destroy((scree_mesh *)shape->mesh);
}

/* ---- beds ---- */

static scree_status add_plane(scree_world *world, scree_material_id stuff, int axis, double at,
                              int side)
{
    scree_wall_def wall = scree_default_wall_def();

    wall.material = stuff;
    for (int k = 0; k < 3; k++) {
        wall.point[k] = k == axis ? at : 0;
        wall.normal[k] = k == axis ? side : 0;
    }
    return scree_world_add_wall(world, &wall, NULL);
}

static scree_status add_box(scree_world *world, scree_material_id stuff, double width)
{
    scree_status status = add_plane(world, stuff, 2, 0, 1);

    for (int axis = 0; axis < 2 && !status; axis++) {
        status = add_plane(world, stuff, axis, 0, 1);
        if (!status)
            status = add_plane(world, stuff, axis, width, -1);
    }
    return status;
}

static scree_status fill_box(scree_world *world, const scree_shape *shape, scree_material_id stuff,
                             uint32_t count)
{
    const uint32_t across = (uint32_t)ceil(cbrt((double)count) - 1e-9);
    const double pitch = 2.02 * RADIUS;
    scree_random random = scree_random_stream(1, 0);
    scree_status status = add_box(world, stuff, pitch * across);

    for (uint32_t k = 0; k < count && !status; k++) {
        const uint32_t place[3] = {k % across, k / across % across, k / across / across};
        scree_body_def body = scree_default_body_def();
        body.shape = *shape;
        body.material = stuff;
        for (int a = 0; a < 3; a++) {
            body.position[a] = pitch * (place[a] + 0.5);
            body.velocity[a] = scree_random_range(&random, -0.1, 0.1);
        }
        for (int a = 0; a < 4; a++)
            body.orientation[a] = scree_random_normal(&random);
        status = scree_world_add_body(world, &body, NULL);
    }
    return status;
}

static scree_status open_world(const scree_world_def *def, const scree_rule_def *rule,
                               scree_world **world, scree_material_id *stuff)
{
    scree_material_def material = scree_default_material_def();

    material.young = 2e6;
    material.stiffness = 1e4;
    material.restitution = 0.3;
    material.friction = 0.5;
    scree_status status = scree_world_create(def, world);
    if (!status)
        status = scree_world_add_material(*world, &material, stuff);
    return status ? status : scree_world_add_rule(*world, rule);
}

static scree_status open_bed(scree_bench_kind kind, uint32_t count, scree_world **world,
                             scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_material_id stuff;
    scree_shape shape;
    scree_status status = make_shape(kind, &shape, error);

    if (status)
        return status;
    def.step.dt = LAIN_DT;
    def.gravity[2] = -9.81;
    def.local_damping = 0.3;
    def.global_damping = 2;
    rule.law = "hertz";
    status = open_world(&def, &rule, world, &stuff);
    if (!status)
        status = fill_box(*world, &shape, stuff, count);
    let_go(&shape);
    return status ? scree_fail(error, status, "%s", scree_world_message(*world)) : SCREE_OK;
}

static double speed_of(scree_world *world)
{
    scree_bodies_view view = scree_world_bodies(world);
    double sum = 0;

    for (size_t k = 0; k < view.count; k++) {
        const double *v = scree_row_at(view.velocity, k);
        sum += sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    return view.count ? sum / (double)view.count : 0;
}

static bool are_one_pair(const scree_contact *a, const scree_contact *b)
{
    return a->first.index1 == b->first.index1 && a->second.index1 == b->second.index1 &&
           a->wall.index1 == b->wall.index1;
}

/*  Contacts of one pair stand side by side. */
static scree_status count_contacts(scree_world *world, scree_lain_row *row)
{
    const scree_contact *contacts;
    size_t count, pairs = 0;
    scree_status status = scree_world_contacts(world, NULL, &contacts, &count);

    if (status)
        return status;
    for (size_t k = 0; k < count; k++)
        pairs += k == 0 || !are_one_pair(&contacts[k - 1], &contacts[k]);
    row->pairs = (double)pairs / row->bodies;
    row->contacts = (double)count / row->bodies;
    return SCREE_OK;
}

/*  Keeps the cheapest, in processor time of a body and step. */
static scree_status take_turn(scree_world *world, uint32_t steps, uint32_t bodies, double *least)
{
    double begin = scree_thread_seconds();
    scree_status status = scree_world_step(world, steps);
    double ns = 1e9 * (scree_thread_seconds() - begin) / steps / bodies;

    *least = ns < *least ? ns : *least;
    return status;
}

/*  All falls are the same. */
static scree_status measure_fall(const scree_lain_plan *plan, scree_lain_row *row,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;

    for (uint32_t f = 0; f < plan->falls && !status; f++) {
        scree_world *world = NULL;
        status = open_bed(row->kind, row->bodies, &world, error);
        if (!status && take_turn(world, plan->falling, row->bodies, &row->falling_ns))
            status = scree_fail(error, SCREE_UNSTABLE, "%s", scree_world_message(world));
        scree_world_destroy(world);
    }
    return status;
}

static scree_status measure_beds(const scree_lain_plan *plan, scree_world *const *beds,
                                 scree_lain_row *row, scree_error *error)
{
    scree_status status = SCREE_OK;

    for (uint32_t t = 0; t < plan->turns; t++)
        for (int k = 0; k < SCREE_BENCH_KINDS; k++) {
            status = take_turn(beds[k], plan->steps, row[k].bodies, &row[k].ns);
            if (status)
                return scree_fail(error, status, "%s", scree_world_message(beds[k]));
        }
    for (int k = 0; k < SCREE_BENCH_KINDS && !status; k++) {
        row[k].speed = speed_of(beds[k]);
        status = count_contacts(beds[k], &row[k]);
    }
    return status;
}

scree_status scree_bench_lain(const scree_lain_plan *plan, scree_lain_row row[SCREE_BENCH_KINDS],
                              scree_error *error)
{
    scree_world *beds[SCREE_BENCH_KINDS] = {NULL};
    scree_status status = SCREE_OK;

    for (int k = 0; k < SCREE_BENCH_KINDS && !status; k++) {
        row[k] = (scree_lain_row){.kind = (scree_bench_kind)k,
                                  .bodies = plan->bodies[k],
                                  .ns = INFINITY,
                                  .falling_ns = INFINITY};
        status = measure_fall(plan, &row[k], error);
        if (!status)
            status = open_bed(row[k].kind, plan->bodies[k], &beds[k], error);
        if (!status && scree_world_step(beds[k], plan->settling))
            status = scree_fail(error, SCREE_UNSTABLE, "%s", scree_world_message(beds[k]));
    }
    if (!status)
        status = measure_beds(plan, beds, row, error);
    for (int k = 0; k < SCREE_BENCH_KINDS; k++)
        scree_world_destroy(beds[k]);
    return status;
}

/* ---- glued ---- */

static scree_status fill_lattice(scree_world *world, scree_material_id stuff, uint32_t across)
{
    scree_random random = scree_random_stream(2, 0);
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < across * across * across && !status; k++) {
        const uint32_t place[3] = {k % across, k / across % across, k / across / across};
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(RADIUS);
        body.material = stuff;
        for (int a = 0; a < 3; a++) {
            body.position[a] = GLUED_PITCH * place[a];
            body.velocity[a] = scree_random_range(&random, -1e-3, 1e-3);
        }
        status = scree_world_add_body(world, &body, NULL);
    }
    return status;
}

static scree_status open_glued(scree_bench_glue glue, uint32_t across, scree_world **world,
                               uint64_t *bonds, scree_error *error)
{
    static const char *const names[] = {"bond_young", "bond_tension", "bond_shear"};
    static const double values[] = {2e6, 1e6, 1e6};
    scree_world_def def = scree_default_world_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_bond_def bond = scree_default_bond_def();
    scree_material_id stuff;

    def.step.dt = GLUED_DT;
    rule.law = "linear-rolling";
    if (glue == SCREE_BENCH_GLUED) {
        rule.law = "bonded";
        rule.type = SCREE_CONTACT_BODIES;
        rule.names = names;
        rule.values = values;
        rule.value_count = 3;
    }
    *bonds = 0;
    scree_status status = open_world(&def, &rule, world, &stuff);
    if (!status)
        status = fill_lattice(*world, stuff, across);
    if (!status && glue == SCREE_BENCH_GLUED)
        status = scree_world_add_bonds(*world, &bond, bonds);
    return status ? scree_fail(error, status, "%s", scree_world_message(*world)) : SCREE_OK;
}

static double sum_of(const scree_timings *timings)
{
    return timings->search + timings->pairs + timings->walls + timings->sums + timings->other;
}

static scree_status take_glued_turn(scree_world *world, uint32_t steps, scree_glued_row *row)
{
    double begin = scree_thread_seconds();

    scree_world_enable_timings(world, true);
    scree_status status = scree_world_step(world, steps);
    double ns = 1e9 * (scree_thread_seconds() - begin) / steps / row->bodies;
    const scree_timings timings = scree_world_timings(world);
    row->ns = ns < row->ns ? ns : row->ns;
    if (row->timings.steps == 0 || sum_of(&timings) < sum_of(&row->timings))
        row->timings = timings;
    return status;
}

static scree_status measure_glued(scree_world *const *worlds, uint32_t turns, uint32_t steps,
                                  scree_glued_row *row, scree_error *error)
{
    for (uint32_t t = 0; t < turns; t++)
        for (int k = 0; k < SCREE_BENCH_GLUES; k++) {
            scree_status status = take_glued_turn(worlds[k], steps, &row[k]);
            if (status)
                return scree_fail(error, status, "%s", scree_world_message(worlds[k]));
        }
    for (int k = 0; k < SCREE_BENCH_GLUES; k++) {
        const scree_detection_stats detection_stats = scree_world_detection_stats(worlds[k]);
        row[k].contacts = (double)detection_stats.contacts / row[k].bodies;
        row[k].searches = detection_stats.rebuilds;
    }
    return SCREE_OK;
}

scree_status scree_bench_glued(uint32_t across, uint32_t turns, uint32_t steps,
                               scree_glued_row row[SCREE_BENCH_GLUES], scree_error *error)
{
    scree_world *worlds[SCREE_BENCH_GLUES] = {NULL};
    scree_status status = SCREE_OK;
    uint64_t bonds;

    for (int k = 0; k < SCREE_BENCH_GLUES && !status; k++) {
        row[k] = (scree_glued_row){
            .glue = (scree_bench_glue)k, .bodies = across * across * across, .ns = INFINITY};
        status = open_glued(row[k].glue, across, &worlds[k], &bonds, error);
        row[k].bonds = (double)bonds / row[k].bodies;
    }
    if (!status)
        status = measure_glued(worlds, turns, steps, row, error);
    for (int k = 0; k < SCREE_BENCH_GLUES; k++)
        scree_world_destroy(worlds[k]);
    return status;
}
