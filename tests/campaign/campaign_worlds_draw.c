/*  Draws worlds: see campaign_worlds_draw.h. Bodies lie at one another, so that contacts are there from the first step on. */
#include "campaign_worlds_joints.h"
#include "campaign_worlds_random.h"

const char *const drawn_feature_names[DRAWN_FEATURES] = {
    "gravity", "planes", "moving planes", "mesh",   "periodic", "boundary", "damping",
    "rules",   "2D",     "Euler",         "frozen", "loads",    "groups",   "changes",
    "host",    "clumps", "method",        "saved",  "books",    "belts",    "joints"};

uint32_t drawn_features_of(uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 1000);
    uint32_t wanted = scree_random_below(&random, 4) ? 2 : 2 + scree_random_below(&random, 6);
    uint32_t features = 0;

    for (uint32_t k = 0; k < wanted; k++)
        features |= 1u << scree_random_below(&random, DRAWN_FEATURES);
    return features;
}

uint32_t drawn_bodies_of(uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 1001);

    return 2 + scree_random_below(&random, 15);
}

/* ---- materials and rules ---- */

static void draw_materials(drawn_world *d)
{
    reference_world *reference = &d->reference;
    scree_random random = drawn_stream(d, 1002);

    reference->material_count = drawn_has(d, DRAWN_RULES) ? REFERENCE_MATERIALS : 1;
    for (uint32_t k = 0; k < reference->material_count; k++) {
        scree_material_def *m = &reference->material[k];
        *m = scree_default_material_def();
        m->young = scree_random_log_uniform(&random, 1e6, 3e7);
        m->poisson = draw(&random, 0, 0.49);
        m->restitution = draw(&random, 0, 1);
        m->friction = draw(&random, 0, 1);
        m->rolling_friction = draw(&random, 0, 0.2);
        m->twisting_friction = draw(&random, 0, 0.2);
        m->stiffness = scree_random_log_uniform(&random, 1e4, 3e5);
        m->stiffness_ratio = draw(&random, 0.2, 1);
        m->density = draw(&random, 1000, 5000);
    }
}

static void draw_rules(drawn_world *d)
{
    static const char *const laws[] = {"linear", "hertz", "linear-rolling", "hertz-rolling", NULL};
    scree_random random = drawn_stream(d, DRAWN_RULES);
    /* rolling in a plane is about another inertia than the reference writes out */
    const uint32_t most = drawn_has(d, DRAWN_PLANE_WORLD) ? 2 : 4;

    d->reference.rule_count =
        drawn_has(d, DRAWN_RULES) ? 1 + scree_random_below(&random, REFERENCE_RULES) : 0;
    for (uint32_t k = 0; k < d->reference.rule_count; k++) {
        reference_rule *rule = &d->reference.rule[k];
        uint32_t law = scree_random_below(&random, 10);
        rule->type = (scree_contact_type)scree_random_below(&random, 3);
        for (int i = 0; i < 2; i++)
            rule->material[i] = scree_random_below(&random, REFERENCE_MATERIALS + 1);
        rule->law = laws[law == 9 ? 4 : law % most];
        rule->restitution = scree_random_below(&random, 2) ? draw(&random, 0, 1) : NAN;
        rule->friction = scree_random_below(&random, 2) ? draw(&random, 0, 1) : NAN;
        rule->tangential = -1;
        if (rule->law && strncmp(rule->law, "hertz", 5) == 0 && scree_random_below(&random, 2))
            rule->tangential = (int)scree_random_below(&random, 3);
    }
}

static bool add_rules(drawn_world *d)
{
    for (uint32_t k = 0; k < d->reference.material_count; k++)
        if (scree_world_add_material(d->world, &d->reference.material[k], NULL))
            return false;
    for (uint32_t k = 0; k < d->reference.rule_count; k++) {
        const reference_rule *rule = &d->reference.rule[k];
        scree_rule_def def = scree_default_rule_def();
        const char *names[3];
        double values[3];
        def.type = rule->type;
        def.law = rule->law;
        for (int i = 0; i < 2; i++)
            def.material[i].index1 = rule->material[i];
        if (rule->law && !isnan(rule->restitution)) {
            names[def.value_count] = "restitution";
            values[def.value_count++] = rule->restitution;
        }
        if (rule->law && !isnan(rule->friction)) {
            names[def.value_count] = "friction";
            values[def.value_count++] = rule->friction;
        }
        if (rule->law && rule->tangential >= 0) {
            names[def.value_count] = "tangential";
            values[def.value_count++] = rule->tangential;
        }
        def.names = names;
        def.values = values;
        if (scree_world_add_rule(d->world, &def))
            return false;
    }
    return true;
}

/* ---- the definition ---- */

static void draw_domain(drawn_world *d, scree_world_def *def)
{
    static const scree_boundary boundaries[] = {SCREE_BOUNDARY_STOP, SCREE_BOUNDARY_REFLECT,
                                                SCREE_BOUNDARY_DESTROY};
    scree_random periodic = drawn_stream(d, DRAWN_PERIODIC),
                 boundary = drawn_stream(d, DRAWN_BOUNDARY);

    for (int k = 0; k < def->dimensions; k++) {
        bool wraps = k == 0 || scree_random_below(&periodic, 2);
        bool ends = k == 1 || scree_random_below(&boundary, 2);
        scree_boundary kind = boundaries[scree_random_below(&boundary, 3)];
        double period = draw(&periodic, 1.2, 1.6), low = draw(&boundary, -0.4, -0.1);
        double high = draw(&boundary, 0.1, 0.4);
        if (drawn_has(d, DRAWN_PERIODIC) && wraps) {
            def->domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
            def->domain.lower[k] = -period / 2;
            def->domain.upper[k] = period / 2;
        } else if (drawn_has(d, DRAWN_BOUNDARY) && ends) {
            def->domain.boundary[k] = kind;
            def->domain.lower[k] = low;
            def->domain.upper[k] = high;
        }
    }
}

static void draw_search(drawn_world *d, scree_world_def *def)
{
    scree_random random = drawn_stream(d, DRAWN_METHOD);

    if (!drawn_has(d, DRAWN_METHOD))
        return;
    def->detection.method =
        scree_method_at(scree_random_below(&random, (uint32_t)scree_method_count()))->name;
    def->detection.sort_every = 1 + scree_random_below(&random, 20);
    def->compute.simd = (scree_simd)scree_random_below(&random, SCREE_SIMD_AVX512 + 1);
    def->compute.thread_count = 1 + scree_random_below(&random, 3);
}

static void draw_def(drawn_world *d)
{
    scree_world_def *def = &d->reference.def;
    scree_random random = drawn_stream(d, 1003), gravity = drawn_stream(d, DRAWN_GRAVITY);
    scree_random damping = drawn_stream(d, DRAWN_DAMPING), euler = drawn_stream(d, DRAWN_EULER);
    scree_random host = drawn_stream(d, DRAWN_HOST);

    *def = scree_default_world_def();
    def->dimensions = drawn_has(d, DRAWN_PLANE_WORLD) ? 2 : 3;
    def->step.dt = scree_random_log_uniform(&random, 2e-5, 1e-4);
    def->overlap_limit = INFINITY;
    if (drawn_has(d, DRAWN_GRAVITY))
        draw_vector(&gravity, def->dimensions, 20, def->gravity);
    if (drawn_has(d, DRAWN_DAMPING)) {
        def->global_damping = scree_random_below(&damping, 3) ? draw(&damping, 0, 20) : 0;
        def->local_damping = scree_random_below(&damping, 3) ? draw(&damping, 0, 0.9) : 0;
    }
    if (drawn_has(d, DRAWN_EULER))
        def->step.integrator =
            scree_random_below(&euler, 2) ? SCREE_SYMPLECTIC_EULER : SCREE_EXPLICIT_EULER;
    if (drawn_has(d, DRAWN_HOST))
        d->reference.pull = draw(&host, 1, 1000);
    draw_domain(d, def);
    draw_search(d, def);
    if (drawn_has(d, DRAWN_BOOKS)) {
        def->energy_balance = def->events = true;
        def->detection.audit = 7;
    }
}

/* ---- walls ---- */

/*  Beside all bodies, all but touching one. Along axes that wrap around there is no wall. */
static bool draw_wall(drawn_world *d, scree_random *random, bool moves, reference_wall *wall)
{
    reference_world *reference = &d->reference;
    const int dimensions = reference->def.dimensions;
    bool wraps = false;
    double lowest = HUGE_VAL, length = 0, gap = draw(random, -1e-3, 2e-3);

    memset(wall, 0, sizeof *wall);
    draw_direction(random, dimensions, wall->normal);
    for (int k = 0; k < dimensions; k++)
        if (reference->def.domain.boundary[k] == SCREE_BOUNDARY_PERIODIC) {
            wall->normal[k] = 0;
            wraps = true;
        }
    length = sqrt(law_dot3(wall->normal, wall->normal));
    if (length < 0.1)
        return false;
    for (int k = 0; k < 3; k++)
        wall->normal[k] /= length;
    for (uint32_t i = 0; i < reference->body_count; i++)
        for (uint32_t p = 0; p < reference->body[i].pebbles; p++) {
            double at[3];
            reference_body_point(&reference->body[i], reference->body[i].pebble[p].centre, at);
            double height = law_dot3(at, wall->normal) - reference->body[i].pebble[p].radius;
            lowest = height < lowest ? height : lowest;
        }
    for (int k = 0; k < 3; k++)
        wall->point[k] = (lowest - gap) * wall->normal[k];
    wall->material = 1 + scree_random_below(random, reference->material_count);
    wall->groups = 1;
    wall->mask = UINT64_MAX;
    if (!moves)
        return true;
    draw_vector(random, dimensions, 0.5, wall->path.velocity);
    draw_vector(random, dimensions, 1e-3, wall->path.swing);
    wall->path.frequency = draw(random, 0, 300);
    wall->path.phase = draw(random, 0, 6);
    draw_direction(random, 3, wall->path.axis);
    draw_vector(random, dimensions, 0.3, wall->path.centre);
    wall->path.rate = wraps ? 0 : draw(random, -3, 3);
    if (dimensions == 2)
        wall->path.axis[0] = wall->path.axis[1] = 0;
    return dimensions == 3 || wall->path.axis[2] != 0;
}

#define MESH_CELLS 12

/*  A square of many triangles in the plane of a wall, far larger than all bodies. */
static bool make_square(const reference_wall *wall, scree_mesh **mesh)
{
    enum
    {
        EDGE = MESH_CELLS + 1
    };
    static double vertex[EDGE * EDGE][3];
    static uint32_t facet[2 * MESH_CELLS * MESH_CELLS][3];
    const double *n = wall->normal, some[3] = {fabs(n[0]) < 0.6, fabs(n[0]) >= 0.6, 0};
    scree_mesh_def def = scree_default_mesh_def();
    double a[3], b[3];
    uint32_t count = 0;

    law_cross(n, some, a);
    double length = sqrt(law_dot3(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    law_cross(n, a, b);
    for (uint32_t i = 0; i < EDGE * EDGE; i++)
        for (int k = 0; k < 3; k++)
            vertex[i][k] = 3 * ((double)(i % EDGE) / MESH_CELLS - 0.5) * a[k] +
                           3 * ((double)(i / EDGE) / MESH_CELLS - 0.5) * b[k];
    for (uint32_t i = 0; i < MESH_CELLS; i++)
        for (uint32_t j = 0; j < MESH_CELLS; j++) {
            const uint32_t v = i * EDGE + j;
            const uint32_t both[2][3] = {{v, v + 1, v + EDGE}, {v + 1, v + EDGE + 1, v + EDGE}};
            memcpy(facet[count], both, sizeof both);
            count += 2;
        }
    def.vertices = vertex[0];
    def.vertex_count = EDGE * EDGE;
    def.facets = facet[0];
    def.facet_count = count;
    return scree_mesh_create(&def, mesh) == SCREE_OK;
}

static bool draw_belt(drawn_world *d, scree_random *random, scree_wall_id id, reference_wall *wall)
{
    const int dimensions = d->reference.def.dimensions;
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    double spin[3], swept[3];

    draw_vector(random, dimensions, 1, belt.velocity);
    draw_vector(random, dimensions, 0.3, belt.centre);
    draw_direction(random, 3, belt.axis);
    if (dimensions == 2)
        belt.axis[0] = belt.axis[1] = 0;
    if (belt.axis[2] == 0)
        belt.axis[2] = 1;
    const double length = sqrt(law_dot3(belt.axis, belt.axis));
    belt.rate = draw(random, -5, 5);
    for (int k = 0; k < 3; k++) {
        spin[k] = belt.rate * belt.axis[k] / length;
        swept[k] = wall->point[k] - belt.centre[k];
    }
    law_cross(spin, swept, wall->belt[0]);
    for (int k = 0; k < 3; k++)
        wall->belt[0][k] += belt.velocity[k];
    memcpy(wall->belt[1], spin, sizeof spin);
    return scree_world_set_wall_belt(d->world, id, &belt) == SCREE_OK;
}

static bool add_wall(drawn_world *d, reference_wall *wall, bool is_mesh, scree_random *of_belt)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id;
    scree_mesh *mesh = NULL;

    def.material.index1 = wall->material;
    def.path = wall->path;
    memcpy(def.point, wall->point, sizeof def.point);
    memcpy(def.normal, wall->normal, sizeof def.normal);
    if (is_mesh) {
        wall->has_two_sides = true;
        if (!make_square(wall, &mesh))
            return false;
        def.kind = SCREE_WALL_MESH;
        def.mesh = mesh;
    }
    scree_status status = scree_world_add_wall(d->world, &def, &id);
    scree_mesh_destroy(mesh);
    d->reference.wall_count += !status;
    return !status && (!drawn_has(d, DRAWN_BELTS) || draw_belt(d, of_belt, id, wall));
}

static bool add_walls(drawn_world *d)
{
    static const drawn_feature kinds[] = {DRAWN_PLANES, DRAWN_MOVING_PLANES, DRAWN_MESH};
    reference_world *reference = &d->reference;
    scree_random of_belt = drawn_stream(d, DRAWN_BELTS);

    for (uint32_t kind = 0; kind < 3; kind++) {
        scree_random random = drawn_stream(d, kinds[kind]);
        uint32_t count = kind == 0 ? 1 + scree_random_below(&random, 2) : 1;
        bool is_mesh = kinds[kind] == DRAWN_MESH;
        /* a mesh is no plane for the images of bodies, and in two dimensions it is of segments */
        if (is_mesh && (drawn_has(d, DRAWN_PERIODIC) || reference->def.dimensions == 2))
            continue;
        for (uint32_t k = 0; drawn_has(d, kinds[kind]) && k < count; k++) {
            reference_wall *wall = &reference->wall[reference->wall_count];
            if (draw_wall(d, &random, kind > 0, wall) && !add_wall(d, wall, is_mesh, &of_belt))
                return false;
        }
    }
    return true;
}

/* ---- the world ---- */

static scree_status pull_back(scree_force_sink *sink, const scree_bodies_view *bodies, double time,
                              void *user)
{
    const drawn_world *d = user;

    (void)time;
    for (size_t i = 0; i < bodies->count; i++) {
        const double *at = scree_row_at(bodies->position, i);
        double force[3];
        for (int k = 0; k < 3; k++)
            force[k] = -d->reference.pull * at[k];
        scree_force_sink_add_row(sink, i, force, NULL);
    }
    return SCREE_OK;
}

const char *drawn_world_open(drawn_world *d)
{
    static scree_error error;

    memset(&d->reference, 0, sizeof d->reference);
    d->world = NULL;
    draw_materials(d);
    draw_rules(d);
    draw_def(d);
    scree_world_def def = d->reference.def;
    def.hooks.error = &error;
    if (!reference_world_open(&d->reference))
        return "out of memory";
    if (scree_world_create(&def, &d->world))
        return error.text;
    if (!add_rules(d))
        return scree_world_message(d->world);
    for (uint32_t i = 0; i < d->bodies; i++) {
        const char *why = drawn_body_add(d);
        if (why)
            return why;
    }
    if (!drawn_joints_add(d) || !add_walls(d))
        return scree_world_message(d->world);
    if (d->reference.pull > 0)
        scree_world_set_force(d->world, pull_back, d);
    return NULL;
}

void drawn_world_close(drawn_world *d)
{
    scree_world_destroy(d->world);
    reference_world_close(&d->reference);
}

/* ---- on the way ---- */

/*  Steps that are not to count, and back. */
static bool go_and_return(drawn_world *d, scree_random *random)
{
    scree_snapshot *snapshot;
    bool is_done = !scree_world_snapshot(d->world, &snapshot);

    if (!is_done)
        return false;
    is_done = !scree_world_step(d->world, 1 + scree_random_below(random, 20)) &&
              !scree_world_restore(d->world, snapshot);
    scree_snapshot_destroy(snapshot);
    return is_done;
}

static bool hurry(drawn_world *d, scree_random *random)
{
    reference_body *body = &d->reference.body[scree_random_below(random, d->reference.body_count)];
    double speed[3];
    scree_body now;

    draw_vector(random, d->reference.def.dimensions, 1.5, speed);
    if (!body->is_there)
        return true;
    if (scree_world_get_body(d->world, body->id, &now))
        return false;
    memcpy(now.velocity, speed, sizeof speed);
    memcpy(body->velocity, speed, sizeof speed);
    d->reference.is_primed = false;
    return !scree_world_set_body(d->world, body->id, &now);
}

/*  Gravity with it, so that forces are found again, whatever the body touched. */
static bool take_away(drawn_world *d, scree_random *random)
{
    reference_body *body = &d->reference.body[scree_random_below(random, d->reference.body_count)];
    double *gravity = d->reference.def.gravity;

    draw_vector(random, d->reference.def.dimensions, 10, gravity);
    d->reference.is_primed = false;
    if (body->is_there && scree_world_remove_body(d->world, body->id))
        return false;
    body->is_there = false;
    return !scree_world_set_gravity(d->world, gravity);
}

static bool set_friction(drawn_world *d, scree_random *random)
{
    double friction = draw(random, 0, 1);

    for (uint32_t k = 0; k < d->reference.material_count; k++)
        d->reference.material[k].friction = friction;
    for (uint32_t k = 0; k < d->reference.rule_count; k++)
        if (!isnan(d->reference.rule[k].friction))
            d->reference.rule[k].friction = friction;
    d->reference.is_primed = false;
    return !scree_world_set_friction(d->world, (scree_material_id){0}, friction);
}

static bool set_damping(drawn_world *d, scree_random *random)
{
    scree_world_def *def = &d->reference.def;

    def->global_damping = draw(random, 0, 10);
    def->local_damping = draw(random, 0, 0.5);
    d->reference.is_primed = false;
    return !scree_world_set_damping(d->world, def->global_damping, def->local_damping);
}

static bool add_one(drawn_world *d)
{
    if (d->reference.body_count == REFERENCE_BODIES)
        return true;
    d->reference.is_primed = false;
    return drawn_body_add(d) == NULL;
}

const char *drawn_world_meddle(drawn_world *d, uint32_t step, uint32_t steps)
{
    scree_random random = drawn_stream(d, 3000 + step);
    bool is_done = true;

    if (d->reference.body_count == 0)
        return NULL;
    if (drawn_has(d, DRAWN_SAVED) && step == steps / 2)
        is_done = go_and_return(d, &random);
    if (is_done && drawn_has(d, DRAWN_CHANGES) && step > 0 && step % 13 == 0)
        switch (scree_random_below(&random, 5)) {
        case 0:
            is_done = hurry(d, &random);
            break;
        case 1:
            is_done = take_away(d, &random);
            break;
        case 2:
            is_done = set_friction(d, &random);
            break;
        case 3:
            is_done = set_damping(d, &random);
            break;
        default:
            is_done = add_one(d);
        }
    return is_done ? NULL : scree_world_message(d->world);
}
