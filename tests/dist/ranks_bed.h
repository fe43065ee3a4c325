/*  A world and a run of it, on one process and on ranks, which are threads here. */
#ifndef TEST_DIST_RANKS_BED_H
#define TEST_DIST_RANKS_BED_H

#include "base/hash.h"
#include "dist/comm_threads.h"
#include "dist/ranks.h"
#include "harness/failing_allocator.h"
#include "harness/law_needs.h"
#include "harness/mesh_maker.h"
#include "scree/scree.h"
#include "shapes_bed.h"
#include "test.h"
#include "world/save/snapshot.h"
#include "world/step/world_data.h"

#include <math.h>

#define MAX_CALLS 64

typedef struct bed
{
    const char *law;
    uint32_t bodies, threads;
    double ratio; /* largest radius over smallest */
    double damping;
    bool rolls;        /* the floor swings */
    bool is_automatic; /* steps are chosen */
    bool is_flat;      /* two dimensions */
    bool has_mesh;     /* the floor is of triangles */
    bool is_all_alone; /* bodies at one side, and few */
    bool is_periodic;  /* along x and y, without walls there */
    bool is_cell;      /* periodic along all axes, without walls and gravity */
    bool stops; /* bodies stop at one side and are reflected at the other, without walls there */
    bool has_loads;    /* on some bodies */
    bool has_balance;  /* of energies */
    bool has_servo;    /* presses at one side */
    bool has_fluid;    /* a fluid that swirls, and a force field */
    bool leaves;       /* bodies that leave along x and y are removed, without walls there */
    bool is_scaled;    /* steps are too long for the true masses */
    bool lists_events; /* of contacts, bonds and bodies */
    bool sleeps;       /* bodies at rest */
    bool is_audited;   /* every ten steps */
    double
        void_cell;   /* > 0: the void fraction of the fluid follows from the bodies in such cells */
    bool has_bonds;  /* the law has bonds, which break; the host makes them */
    bool bonds_last; /* the same, but they do not break */
    double plate;    /* > 0: bodies at rest far from each other, and a fast plate, all so stiff */
    uint32_t shapes; /* kinds of bodies, see shapes_bed.h; 0: spheres */
    uint64_t seed;
    scree_allocator allocator;
} bed;

static inline double uniform(const bed *of, uint64_t k)
{
    return (double)(scree_hash_word(of->seed + 11, k) >> 11) * 0x1p-53;
}

/*  A floor of triangles of all forms. */
static inline scree_status add_mesh(scree_world *world, scree_material_id material)
{
    scree_wall_def def = scree_default_wall_def();
    scree_random random = scree_random_stream(3, 0);
    maker made = maker_plane(12, 0.12, 0.2, &random);
    scree_mesh *mesh = maker_mesh(&made);

    def.kind = SCREE_WALL_MESH;
    def.material = material;
    def.mesh = mesh;
    def.point[0] = def.point[1] = -0.06;
    const scree_status status = scree_world_add_wall(world, &def, NULL);
    scree_mesh_destroy(mesh);
    maker_free(&made);
    return status;
}

static inline scree_status add_walls(const bed *of, scree_world *world, scree_material_id material)
{
    static const double normals[][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    static const double points[][3] = {
        {0, 0, 0}, {-0.05, 0, 0}, {0.05, 0, 0}, {0, -0.03, 0}, {0, 0.03, 0}};
    scree_status status = SCREE_OK;

    for (int k = of->has_mesh ? 1 : 0; k < 5 && !status && !of->is_cell; k++) {
        scree_wall_def def = scree_default_wall_def();
        if (of->is_flat && k > 3)
            break;
        if (k > 0 && (of->is_periodic || of->stops || of->leaves))
            break;
        def.material = material;
        memcpy(def.point, points[k], sizeof def.point);
        memcpy(def.normal, normals[k], sizeof def.normal);
        if (of->is_flat && k == 0) {
            def.normal[1] = 1;
            def.normal[2] = 0;
        }
        if (k == 0 && of->rolls) {
            def.path.swing[0] = 0.002;
            def.path.frequency = 20;
        }
        scree_wall_id id;
        status = scree_world_add_wall(world, &def, &id);
        if (k == 2 && of->has_servo && !status) {
            scree_wall_servo_def press = scree_default_wall_servo_def();
            press.force = 2;
            press.max_speed = 0.5;
            status = scree_world_set_wall_servo(world, id, &press);
        }
    }
    return of->has_mesh && !status ? add_mesh(world, material) : status;
}

/*  Radii from small to large, in layers that fall into each other. */
static inline scree_status add_bodies_of(const bed *of, const shape_stock *stock,
                                         scree_world *world, scree_material_id material)
{
    const double largest = 0.004, smallest = largest / of->ratio;
    const uint32_t across = of->is_all_alone ? 1 : 10;
    /* bodies that are no spheres have more room between them */
    const double haste = of->shapes ? 3 : 1, step = of->shapes ? 0.0084 : 0.0098;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < of->bodies && !status; k++) {
        scree_body_def def = scree_default_body_def();
        const double share = uniform(of, 5 * k + 3);
        def.shape = stock_shape(stock, of->shapes ? of->shapes : BED_SPHERES, k,
                                smallest + (largest - smallest) * share);
        def.material = material;
        def.position[0] = -0.045 + step * (k % across) + 0.0005 * uniform(of, 5 * k);
        def.position[1] = -0.025 + step * (k / across % 6) + 0.0005 * uniform(of, 5 * k + 1);
        def.position[2] = 0.005 + 0.0082 * (k / across / 6) + 0.0001 * uniform(of, 5 * k + 2);
        def.velocity[0] = haste * (0.4 * uniform(of, 5 * k + 4) - 0.2);
        /* layers fall into each other, and have met after some hundredths of a second */
        def.velocity[2] = haste * -30 * def.position[2];
        def.spin[1] = 3 * uniform(of, 5 * k + 2);
        if (of->is_flat) {
            def.position[1] = 0.005 + 0.0082 * (k / across);
            def.velocity[1] = haste * -20 * def.position[1];
            def.position[2] = def.velocity[2] = 0;
            def.spin[2] = def.spin[1];
            def.spin[1] = 0;
        }
        if (of->is_cell)
            def.velocity[of->is_flat ? 1 : 2] = def.velocity[0];
        if (of->is_periodic)
            def.velocity[0] += 0.8;
        if (of->leaves)
            def.velocity[0] += 4 + uniform(of, 5 * k + 1);
        scree_body_id id;
        status = scree_world_add_body(world, &def, &id);
        if (of->has_loads && k % 3 == 0 && !status) {
            const double force[3] = {1e-3, 0, 0}, torque[3] = {0, 0, 1e-6};
            status = scree_body_set_load(world, id, force, torque);
        }
    }
    return status;
}

static inline scree_status add_bodies(const bed *of, scree_world *world, scree_material_id material)
{
    shape_stock stock = {0};
    scree_status status = SCREE_OK;

    if (of->shapes)
        status = stock_make(&stock, 0.004 / of->ratio, 0.004, of->is_flat ? 2 : 3);
    if (!status)
        status = add_bodies_of(of, &stock, world, material);
    stock_free(&stock);
    return status;
}

/*  Steps are chosen, and long: the plate comes near to bodies in one. */
static inline scree_status make_plate(const bed *of, scree_world **world, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_material_id id;
    const scree_rule_def rule = scree_default_rule_def();
    scree_wall_def plate = scree_default_wall_def();

    def.step.dt = 1e-3;
    def.step.mode = SCREE_TIME_AUTOMATIC;
    def.step.max_growth = 1e6;
    def.compute.thread_count = of->threads;
    def.hooks.allocator = of->allocator;
    def.hooks.error = error;
    scree_status status = scree_world_create(&def, world);
    if (status)
        return status;
    material.density = 2500;
    material.young = of->plate;
    material.friction = 0;
    material.restitution = 0.5;
    status = scree_world_add_material(*world, &material, &id);
    if (!status)
        status = scree_world_add_rule(*world, &rule);
    plate.material = id;
    plate.normal[2] = 1;
    plate.path.velocity[2] = 0.9;
    if (!status)
        status = scree_world_add_wall(*world, &plate, NULL);
    for (uint32_t k = 0; k < of->bodies && !status; k++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(1e-3);
        body.material = id;
        body.position[0] = 10 * (k + 1.0);
        body.position[2] = 1.05e-3;
        status = scree_world_add_body(*world, &body, NULL);
    }
    if (status)
        scree_fail(error, status, "%s", scree_world_message(*world));
    return status;
}

/*  Bonds that break soon; or that last at any distance. */
static inline void set_bonds(scree_rule_def *rule, bool they_last)
{
    static const char *const names[] = {"bond_young", "bond_reach", "bond_lasts", "bond_tension",
                                        "bond_shear"};
    static const double breaking[] = {1e5, 1.5, 0, 2e3, 3e3}, lasting[] = {100, 8, 1};

    rule->law = "bonded";
    rule->names = names;
    rule->values = they_last ? lasting : breaking;
    rule->value_count = they_last ? 3 : 5;
}

static inline scree_status add_fluid(scree_world *world, double void_cell)
{
    scree_fluid_def fluid = scree_default_fluid_def();
    scree_force_field_def field = scree_default_force_field_def();

    fluid.drag = SCREE_DRAG_DI_FELICE;
    fluid.density = 1000;
    fluid.viscosity = 1e-2;
    fluid.velocity[0] = "-20 * y";
    fluid.velocity[1] = "20 * x + 0.1 * sin(500 * t)";
    if (void_cell > 0)
        fluid.cell = void_cell;
    else
        fluid.void_fraction = "0.6 + 0.3 * exp(-z)";
    fluid.has_rotational_drag = true;
    fluid.upper[2] = 0.02;
    field.acceleration[0] = "3 * sin(300 * t) - vx";
    const scree_status status = scree_world_set_fluid(world, &fluid);
    return status ? status : scree_world_add_force_field(world, &field);
}

static inline scree_status set_sleep(scree_world *world)
{
    scree_sleep_def sleep = scree_default_sleep_def();

    sleep.speed = 0.02;
    sleep.acceleration = 4;
    sleep.steps = 20;
    return scree_world_set_sleep(world, &sleep);
}

static inline scree_status make(const bed *of, scree_world **world, scree_error *error)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_material_id id;
    scree_rule_def rule = scree_default_rule_def();

    if (of->plate > 0)
        return make_plate(of, world, error);
    def.step.dt = of->is_automatic ? 0 : of->shapes ? 5e-6 : 1e-5;
    def.step.mode = of->is_automatic ? SCREE_TIME_AUTOMATIC : SCREE_TIME_FIXED;
    if (of->is_scaled) {
        def.step.mode = SCREE_TIME_MASS_SCALING;
        def.step.dt *= 20;
    }
    def.events = of->lists_events;
    def.detection.audit = of->is_audited ? 10 : 0;
    def.dimensions = of->is_flat ? 2 : 3;
    def.gravity[of->is_flat ? 1 : 2] = of->shapes ? -40 : -9.81; /* soon a dense bed */
    def.compute.thread_count = of->threads;
    def.local_damping = of->damping;
    def.energy_balance = of->has_balance;
    def.hooks.allocator = of->allocator;
    def.hooks.error = error;
    for (int k = 0; k < def.dimensions && of->is_cell; k++) {
        static const double lower[2][3] = {{-0.05, -0.03, 0}, {-0.05, 0, 0}},
                            upper[2][3] = {{0.05, 0.03, 0.05}, {0.05, 0.09, 0}};
        def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[k] = lower[of->is_flat][k];
        def.domain.upper[k] = upper[of->is_flat][k];
        def.gravity[k] = 0;
    }
    for (int k = 0; k < 2 && (of->is_periodic || of->stops || of->leaves); k++) {
        if (of->is_flat && k == 1)
            break;
        def.domain.boundary[k] = of->is_periodic ? SCREE_BOUNDARY_PERIODIC
                                 : of->leaves    ? SCREE_BOUNDARY_DESTROY
                                 : k             ? SCREE_BOUNDARY_REFLECT
                                                 : SCREE_BOUNDARY_STOP;
        def.domain.lower[k] = k ? -0.03 : -0.05;
        def.domain.upper[k] = k ? 0.03 : 0.05;
    }
    scree_status status = scree_world_create(&def, world);
    if (status)
        return status;
    material.density = 2500;
    material.young = of->shapes ? 1e8 : 1e7;
    material.friction = 0.5;
    material.restitution = of->shapes ? 0.3 : 0.5;
    material.rolling_friction = 0.02;
    status = scree_world_add_material(*world, &material, &id);
    if (of->law)
        set_law(&rule, of->law);
    if (of->has_bonds)
        set_bonds(&rule, of->bonds_last);
    if (!status)
        status = scree_world_add_rule(*world, &rule);
    if (!status)
        status = add_walls(of, *world, id);
    if (!status)
        status = add_bodies(of, *world, id);
    if (!status && of->has_fluid)
        status = add_fluid(*world, of->void_cell);
    if (!status && of->sleeps)
        status = set_sleep(*world);
    if (status)
        scree_fail(error, status, "%s", scree_world_message(*world));
    return status;
}

/* ---- a run ---- */

/*  The body with this global id: slots differ between one process and ranks. */
static inline scree_body_id id_of(scree_world *world, uint64_t serial)
{
    const scree_bodies_view view = scree_world_bodies(world);

    for (size_t k = 0; k < view.count; k++)
        if (scree_uint64_at(view.serial, k) == serial)
            return scree_body_id_at(view.id, k);
    return (scree_body_id){0, 0};
}

/*  What the host does between calls. */
typedef void host_fn(scree_world *world, int call);
/*  What the host reads after a call, as a hash. */
typedef uint64_t look_fn(scree_world *world);

typedef struct run
{
    bed of;
    int calls;
    uint64_t steps[MAX_CALLS]; /* of each */
    host_fn *host;
    look_fn *look; /* NULL: nothing more is read */
    uint64_t digest[MAX_CALLS], seen[MAX_CALLS];
    uint64_t taken;        /* steps, at the end */
    uint64_t bytes_digest; /* of the snapshot at the end */
    scree_status status;
    scree_error error;
    uint64_t failed_serial;
    scree_ranks_stats stats[16];
    scree_rank_load load[16]; /* as rank 0 is told */
} run;

static inline uint64_t hash_snapshot(scree_world *world)
{
    scree_snapshot *snapshot;
    uint64_t hash = SCREE_HASH_START;

    if (scree_world_snapshot(world, &snapshot))
        return 0;
    for (size_t k = 0; k < snapshot->bytes; k++)
        hash = scree_hash_word(hash, snapshot->data[k]);
    scree_snapshot_destroy(snapshot);
    return hash;
}

static inline void be_host(run *all, scree_world *world)
{
    for (int call = 0; call < all->calls && !all->status; call++) {
        if (all->host)
            all->host(world, call);
        all->status = scree_world_step(world, all->steps[call]);
        all->digest[call] = scree_world_digest(world);
        all->seen[call] = all->look ? all->look(world) : 0;
    }
    if (all->status) {
        scree_body body;
        scree_fail(&all->error, all->status, "%s", scree_world_message(world));
        if (!scree_world_get_body(world, scree_world_failed_body(world), &body))
            all->failed_serial = body.serial;
    }
    all->taken = scree_world_clock(world).steps;
    all->bytes_digest = all->status ? 0 : hash_snapshot(world);
}

static inline void run_alone(run *all)
{
    scree_world *world;

    all->status = make(&all->of, &world, &all->error);
    if (!all->status)
        be_host(all, world);
    scree_world_destroy(world);
}

static inline scree_status run_rank(const scree_comm *comm, void *data)
{
    run *all = data;
    scree_world *world;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status = make(&all->of, &world, &error);

    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status && comm->rank == 0) {
        be_host(all, world);
        if (!all->status)
            status = scree_ranks_loads(ranks, all->load);
    } else if (!status) {
        status = scree_ranks_serve(ranks);
    }
    if (comm->rank == 0 && status) {
        all->status = status;
        all->error = error;
    }
    if (ranks)
        all->stats[comm->rank] = scree_ranks_stats_of(ranks);
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    return status;
}

static inline run run_on(const run *alone, uint32_t ranks, uint32_t threads)
{
    run all = {.of = alone->of, .calls = alone->calls, .host = alone->host, .look = alone->look};

    memcpy(all.steps, alone->steps, sizeof all.steps);
    all.of.threads = threads;
    const scree_status status = scree_run_ranks(ranks, run_rank, &all);
    all.status = all.status ? all.status : status;
    return all;
}

/*  Returns how many contacts over ranks there were at the end. */
static inline uint64_t compare(const run *alone, uint32_t ranks, uint32_t threads)
{
    uint64_t shared = 0;
    const run all = run_on(alone, ranks, threads);

    if (all.status)
        FAIL("%u ranks, %u threads: %s: %s", ranks, threads, scree_status_name(all.status),
             all.error.text);
    for (int call = 0; call < alone->calls; call++) {
        if (all.digest[call] != alone->digest[call])
            FAIL("%u ranks, %u threads: digest %016" PRIx64 " after call %d, should be %016" PRIx64,
                 ranks, threads, all.digest[call], call, alone->digest[call]);
        if (all.seen[call] != alone->seen[call])
            FAIL("%u ranks, %u threads: the host reads something else after call %d", ranks,
                 threads, call);
    }
    CHECK_EQUAL(all.bytes_digest, alone->bytes_digest);
    for (uint32_t k = 0; k < ranks; k++)
        shared += all.stats[k].shared_contacts;
    return shared;
}

static inline void set_calls(run *all, int calls, uint64_t steps)
{
    all->calls = calls;
    for (int k = 0; k < calls; k++)
        all->steps[k] = steps;
    run_alone(all);
    if (all->status)
        FAIL("%s", all->error.text);
}

#endif
