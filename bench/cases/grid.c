/*  A grid of globes, stepped by each method from the same start. Every globe is turned another way, so that no two pairs are
    alike. Processor time is that of one thread, and the first step, in which worlds take their memory and forces of the
    start are found, is not counted. */
#include "cases/grid.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/random.h"
#include "cases/surrogate.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

#define SKIN 0.01
#define ROW 32u                 /* globes in a row, rows in a layer */
#define BESIDE (1 + 1.6 * SKIN) /* from middle to middle: skins overlap by less than half of one */
#define ABOVE (1 + 5 * SKIN)

/* ---- the grid ---- */

static void place_in_grid(uint32_t k, double place[3])
{
    place[0] = BESIDE * (k % ROW);
    place[1] = BESIDE * (k / ROW % ROW);
    place[2] = ABOVE * (k / (ROW * ROW));
}

/*  Neighbours in rows and columns of layers. */
static double pairs_in_grid(uint32_t bodies)
{
    double pairs = 0;

    for (uint32_t k = 0; k < bodies; k++)
        pairs += (k % ROW > 0) + (k / ROW % ROW > 0);
    return pairs;
}

static scree_status create_grid_world(size_t method, scree_world **world, scree_material_id *stuff,
                                      const char **name, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    scree_status status;

    *name = scree_implicit_choose(method, &def);
    def.step.dt = 5e-3;
    def.overlap_limit = INFINITY;
    def.hooks.error = error;
    if ((status = scree_world_create(&def, world)))
        return status;
    material.density = 1000;
    material.stiffness = 4e5;
    material.restitution = 0.5;
    rule.law = "linear";
    status = scree_world_add_material(*world, &material, stuff);
    return status ? status : scree_world_add_rule(*world, &rule);
}

static scree_status add_to_grid(scree_world *world, uint32_t k, const scree_mesh *mesh,
                                scree_material_id stuff)
{
    scree_random random = scree_random_stream(9, k);
    scree_body_def body = scree_default_body_def();

    body.shape = scree_shape_mesh(mesh, SKIN);
    body.material = stuff;
    place_in_grid(k, body.position);
    for (int c = 0; c < 4; c++)
        body.orientation[c] = scree_random_normal(&random);
    return scree_world_add_body(world, &body, NULL);
}

/*  The world holds its meshes. */
static scree_status fill_grid(scree_world *world, const scree_grid_def *def,
                              scree_material_id stuff, scree_error *error)
{
    scree_mesh *mesh = NULL;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < def->bodies && !status; k++) {
        if (!mesh || def->own) {
            scree_mesh_release(mesh);
            status = scree_bench_globe(SCREE_GRID_TRIANGLES, 0.5, 1, &mesh, error);
        }
        if (!status)
            status = add_to_grid(world, k, mesh, stuff);
    }
    scree_mesh_release(mesh);
    return status;
}

/* ---- one method ---- */

static uint64_t hash_of_grid(const scree_world *world, uint32_t bodies)
{
    uint64_t hash = SCREE_HASH_START;

    for (uint32_t k = 1; k <= bodies; k++) {
        scree_body body;
        if (scree_world_get_body(world, (scree_body_id){k, 1}, &body))
            continue;
        for (int c = 0; c < 3; c++)
            hash = scree_hash_number(scree_hash_number(hash, body.position[c]), body.velocity[c]);
    }
    return hash;
}

/*  Pairs whose balls meet, of all evaluations so far. */
static double count_meeting(const scree_world *world)
{
    scree_local_counts counts = scree_world_local_counts(world);

    return (double)(counts.pairs - counts.apart[SCREE_TEST_BALLS]);
}

static scree_status step_grid(scree_world *world, const scree_grid_def *def, scree_grid_row *row)
{
    scree_status status = scree_world_step(world, 1);
    scree_detection_stats before = scree_world_detection_stats(world);
    double meeting = count_meeting(world), begin = scree_thread_seconds();

    if (!status)
        status = scree_world_step(world, def->steps);
    row->seconds = (scree_thread_seconds() - begin) / def->steps;
    scree_detection_stats after = scree_world_detection_stats(world);
    row->guesses = (double)(after.force_evaluations - before.force_evaluations) / def->steps;
    row->comparisons = (double)(after.triangle_tests - before.triangle_tests) / def->steps;
    row->contacts = (double)after.contacts;
    row->meeting = (count_meeting(world) - meeting) /
                   (double)(after.force_evaluations - before.force_evaluations);
    row->state = hash_of_grid(world, def->bodies);
    row->is_measured = true;
    return status;
}

static scree_status run_grid(size_t method, const scree_grid_def *def, scree_grid_row *row,
                             scree_error *error)
{
    scree_world *world = NULL;
    scree_material_id stuff;
    scree_status status = create_grid_world(method, &world, &stuff, &row->method, error);

    if (!status)
        status = fill_grid(world, def, stuff, error);
    if (!status)
        status = step_grid(world, def, row);
    if (status && world && scree_world_message(world)[0])
        scree_fail(error, status, "%s", scree_world_message(world));
    if (world)
        row->bytes = (double)scree_world_totals(world).bytes / def->bodies;
    scree_world_destroy(world);
    return status;
}

/* ---- all ---- */

/*  Each triangle of each pair with each, in as many guesses as the same scheme takes by surrogates. */
static void reckon_flat(const scree_grid_row *within, scree_grid_row *flat)
{
    scree_world_def def = scree_default_world_def();

    flat->method = scree_implicit_choose(SCREE_IMPLICIT_FLAT, &def);
    flat->guesses = within->guesses;
    flat->contacts = within->contacts;
    flat->state = within->state;
    flat->comparisons = within->guesses * flat->pairs * SCREE_GRID_TRIANGLES * SCREE_GRID_TRIANGLES;
}

scree_status scree_bench_grid(const scree_grid_def *def, scree_grid_row row[SCREE_IMPLICIT_METHODS],
                              scree_error *error)
{
    static const double paper[SCREE_IMPLICIT_METHODS][2] = {
        [SCREE_IMPLICIT_FLAT] = {6.50e9, 420},           [SCREE_IMPLICIT_WITHIN] = {2.49e6, 0.190},
        [SCREE_IMPLICIT_WITHIN_ROOTS] = {2.49e6, 0.190}, [SCREE_IMPLICIT_LEVELS] = {1.06e6, 0.107},
        [SCREE_IMPLICIT_LEVELS_ROOTS] = {1.06e6, 0.107},
    };
    scree_status status = SCREE_OK;

    for (size_t m = 0; m < SCREE_IMPLICIT_METHODS && !status; m++) {
        row[m] = (scree_grid_row){.bodies = def->bodies,
                                  .steps = def->steps,
                                  .pairs = pairs_in_grid(def->bodies),
                                  .paper_comparisons = paper[m][0],
                                  .paper_ms = paper[m][1]};
        if (m != SCREE_IMPLICIT_FLAT || def->single || def->bodies <= SCREE_GRID_FLAT)
            status = run_grid(m, def, &row[m], error);
    }
    if (!status && !row[SCREE_IMPLICIT_FLAT].is_measured)
        reckon_flat(&row[SCREE_IMPLICIT_WITHIN_ROOTS], &row[SCREE_IMPLICIT_FLAT]);
    return status;
}
