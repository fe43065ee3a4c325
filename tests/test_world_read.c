/*  Contacts and events as a host reads them: all that there are, in their order, each once. */
#include "failing_allocator.h"
#include "scree/scree.h"
#include "test.h"

#include <math.h>

/* ---- a box of grains: a floor, a mesh of two facets leaning in, periodic in y ---- */

typedef struct scene
{
    scree_world *world;
    scree_material_id material;
    scree_wall_id floor, slope;
} scene;

#define RADIUS 0.01
#define WIDTH 0.1

static scree_mesh *make_slope(void)
{
    static const double corners[][3] = {
        {0.0, -1, 0.05}, {0.05, -1, 0}, {0.05, 1, 0}, {0.0, 1, 0.05}};
    static const uint32_t facets[] = {0, 1, 2, 0, 2, 3};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;

    def.vertices = corners[0];
    def.vertex_count = 4;
    def.facets = facets;
    def.facet_count = 2;
    CHECK_EQUAL(scree_mesh_create(&def, &mesh), SCREE_OK);
    return mesh;
}

static scree_world_def scene_def(void)
{
    scree_world_def def = scree_default_world_def();

    def.dt = 3e-5;
    def.gravity[2] = -9.81;
    def.boundary[1] = SCREE_BOUNDARY_PERIODIC;
    def.lower[1] = 0;
    def.upper[1] = WIDTH;
    def.boundary[0] = SCREE_BOUNDARY_REFLECT;
    def.lower[0] = RADIUS;
    def.upper[0] = WIDTH - RADIUS;
    def.events = true;
    def.sort_every = 50;
    return def;
}

static void add_walls(scene *s)
{
    scree_wall_def wall = scree_default_wall_def();
    scree_mesh *mesh = make_slope();

    wall.material = s->material;
    CHECK_EQUAL(scree_world_add_wall(s->world, &wall, &s->floor), SCREE_OK);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = mesh;
    CHECK_EQUAL(scree_world_add_wall(s->world, &wall, &s->slope), SCREE_OK);
    scree_mesh_destroy(mesh);
}

/*  Serials in no order of place. */
static void add_grains(const scene *s, uint32_t count)
{
    scree_body_def def = scree_default_body_def();

    def.shape = scree_shape_sphere(RADIUS);
    def.material = s->material;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t at = k * 37 % count;
        def.shape.radius = RADIUS * (0.7 + 0.3 * (k % 7) / 6.0);
        def.position[0] = 0.045 + 0.0205 * (at % 3);
        def.position[1] = 0.01 + 0.0205 * (at / 3 % 5);
        def.position[2] = 0.03 + 0.0205 * (at / 15);
        def.velocity[0] = 0.3 * ((k % 3) - 1.0);
        def.velocity[1] = 0.3 * ((k % 5) - 2.0);
        CHECK_EQUAL(scree_world_add_body(s->world, &def, NULL), SCREE_OK);
    }
}

static scene open_scene(const scree_world_def *def, uint32_t grains)
{
    scree_material_def material = scree_default_material_def();
    scene s = {0};

    CHECK_EQUAL(scree_world_create(def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    add_walls(&s);
    add_grains(&s, grains);
    return s;
}

static void step(const scene *s, uint64_t count)
{
    if (scree_world_step(s->world, count))
        FAIL("%s", scree_world_message(s->world));
}

static scree_body body_of(const scene *s, scree_body_id id)
{
    scree_body body;

    CHECK_EQUAL(scree_world_get_body(s->world, id, &body), SCREE_OK);
    return body;
}

static bool is_none(scree_body_id id)
{
    return id.index1 == 0;
}

static bool same(scree_body_id a, scree_body_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

static size_t read_all(const scene *s, const scree_contact_filter *filter,
                       const scree_contact **contacts)
{
    size_t count;

    if (scree_world_contacts(s->world, filter, contacts, &count))
        FAIL("%s", scree_world_message(s->world));
    return count;
}

/* ---- what is in the list ---- */

static size_t count_overlaps(const scene *s)
{
    scree_bodies_view view = scree_world_bodies(s->world);
    size_t count = 0;

    for (size_t i = 0; i < view.count; i++)
        for (size_t j = 0; j < i; j++) {
            double d[3], reach = view.position[i][3] + view.position[j][3];
            for (int k = 0; k < 3; k++)
                d[k] = view.position[i][k] - view.position[j][k];
            d[1] -= WIDTH * round(d[1] / WIDTH);
            count += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach;
        }
    return count;
}

TEST(every_contact_is_listed_once)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    size_t pairs = 0, walls = 0;

    CHECK_EQUAL(scree_world_step(s.world, 0), SCREE_OK);
    for (int round = 0; round < 30; round++) {
        const scree_contact *c;
        size_t count;
        step(&s, 200);
        pairs = walls = 0;
        count = read_all(&s, NULL, &c);
        CHECK_EQUAL(count, scree_world_certificate(s.world).contacts);
        for (size_t k = 0; k < count; k++) {
            pairs += !is_none(c[k].second);
            walls += is_none(c[k].second);
            CHECK(c[k].overlap > 0);
            CHECK(is_none(c[k].second) == (c[k].wall.index1 != 0));
            CHECK_NEAR(c[k].normal[0] * c[k].normal[0] + c[k].normal[1] * c[k].normal[1] +
                           c[k].normal[2] * c[k].normal[2],
                       1, 1e-12);
            CHECK_EQUAL(c[k].memory_count, scree_law_by_name("hertz")->memory_count);
            CHECK(c[k].rule == 0);
        }
        CHECK_EQUAL(pairs, count_overlaps(&s));
    }
    CHECK(pairs > 20 && walls > 10);
    scree_world_destroy(s.world);
}

/*  As contacts of one first go: bodies before walls, then by serial, or by wall and facet. */
static bool comes_later(const scene *s, const scree_contact *a, const scree_contact *b)
{
    uint64_t first = body_of(s, a->first).serial, other = body_of(s, b->first).serial;

    if (first != other)
        return first < other;
    if (is_none(a->second) != is_none(b->second))
        return !is_none(a->second);
    if (!is_none(a->second))
        return body_of(s, a->second).serial < body_of(s, b->second).serial;
    if (a->wall.index1 != b->wall.index1)
        return a->wall.index1 < b->wall.index1; /* in the order they were added, here */
    return a->facet <= b->facet;
}

TEST(they_are_in_order)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);

    for (int round = 0; round < 20; round++) {
        const scree_contact *c;
        size_t count;
        step(&s, 300);
        count = read_all(&s, NULL, &c);
        for (size_t k = 1; k < count; k++)
            CHECK(comes_later(&s, &c[k - 1], &c[k]));
        for (size_t k = 0; k < count; k++)
            if (!is_none(c[k].second))
                CHECK(body_of(&s, c[k].first).serial < body_of(&s, c[k].second).serial);
    }
    scree_world_destroy(s.world);
}

/*  What the contacts of a body come to, weight included, is its resultant. */
TEST(forces_add_up)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    scree_bodies_view view;

    step(&s, 4000);
    view = scree_world_bodies(s.world);
    for (size_t slot = 0; slot < view.count; slot++) {
        scree_contact_filter filter = scree_default_contact_filter();
        scree_body body = body_of(&s, view.id[slot]);
        double force[3] = {0, 0, -9.81 * body.mass}, torque[3] = {0}, size = 1e-12;
        const scree_contact *c;
        size_t count;
        filter.body = body.id;
        count = read_all(&s, &filter, &c);
        for (size_t k = 0; k < count; k++) {
            bool is_first = same(c[k].first, body.id);
            double sign = is_first ? 1 : -1, arm[3];
            const double *f = c[k].force;
            for (int a = 0; a < 3; a++) {
                force[a] += sign * f[a];
                arm[a] = c[k].point[a] - body.position[a];
                size += fabs(f[a]);
            }
            arm[1] -= WIDTH * round(arm[1] / WIDTH);
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, d = (a + 2) % 3;
                torque[a] += sign * (arm[b] * f[d] - arm[d] * f[b] + c[k].moment[a]);
            }
        }
        /* the rounding of some sums */
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(force[a], body.force[a], 1e-12 * size);
            CHECK_NEAR(torque[a], body.torque[a], 1e-12 * size * RADIUS);
        }
    }
    scree_world_destroy(s.world);
}

/* ---- filters: what passes is that part of all, in the same order ---- */

static bool passes(const scree_contact_filter *f, const scree_contact *c)
{
    bool is_wall = is_none(c->second);

    if (f->body.index1 && !same(f->body, c->first) && !same(f->body, c->second))
        return false;
    if (f->wall.index1 && (!is_wall || f->wall.index1 != c->wall.index1))
        return false;
    if (f->facet1 && f->facet1 != c->facet + 1)
        return false;
    if ((f->bodies_only && is_wall) || (f->walls_only && !is_wall))
        return false;
    for (int k = 0; f->in_region && k < 3; k++)
        if (c->point[k] < f->lower[k] || c->point[k] > f->upper[k])
            return false;
    return true;
}

/*  Bytes of the struct but for the address of memory, whose numbers count. */
static bool equal(const scree_contact *a, const scree_contact *b)
{
    return same(a->first, b->first) && same(a->second, b->second) &&
           a->wall.index1 == b->wall.index1 && a->facet == b->facet &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->force, b->force, sizeof a->force) == 0 && a->overlap == b->overlap &&
           a->memory_count == b->memory_count &&
           memcmp(a->memory, b->memory, a->memory_count * sizeof *a->memory) == 0;
}

static size_t hold_filter(const scene *s, const scree_contact_filter *filter)
{
    static scree_contact kept[1000];
    static double memory[1000][SCREE_MAX_MEMORY];
    const scree_contact *c;
    size_t all = read_all(s, NULL, &c), count = 0, found;

    CHECK(all <= 1000);
    for (size_t k = 0; k < all; k++) {
        if (!passes(filter, &c[k]))
            continue;
        kept[count] = c[k];
        memcpy(memory[count], c[k].memory, c[k].memory_count * sizeof(double));
        kept[count].memory = memory[count];
        count++;
    }
    found = read_all(s, filter, &c);
    CHECK_EQUAL(found, count);
    for (size_t k = 0; k < count; k++)
        CHECK(equal(&c[k], &kept[k]));
    return count;
}

TEST(filters_choose)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    scree_contact_filter f = scree_default_contact_filter(), none = f;
    scree_bodies_view view;
    size_t facets[2];

    step(&s, 6000);
    CHECK(hold_filter(&s, &f) > 30);
    f.bodies_only = true;
    CHECK(hold_filter(&s, &f) > 20);
    f = none;
    f.walls_only = true;
    CHECK(hold_filter(&s, &f) > 10);
    f = none;
    f.wall = s.floor;
    CHECK(hold_filter(&s, &f) > 3);
    f.wall = s.slope;
    CHECK(hold_filter(&s, &f) > 3);
    for (uint32_t k = 0; k < 2; k++) {
        f.facet1 = k + 1;
        facets[k] = hold_filter(&s, &f);
        CHECK(facets[k] > 0);
    }
    f = none;
    f.in_region = true;
    f.lower[0] = f.lower[2] = -1;
    f.upper[0] = f.upper[1] = 0.06;
    f.upper[2] = 0.03;
    CHECK(hold_filter(&s, &f) > 3);
    f.wall = s.floor;
    hold_filter(&s, &f);

    view = scree_world_bodies(s.world);
    for (size_t slot = 0; slot < view.count; slot++) {
        f = none;
        f.body = view.id[slot];
        hold_filter(&s, &f);
        f.wall = s.slope;
        hold_filter(&s, &f);
        f.wall = none.wall;
        f.bodies_only = true;
        hold_filter(&s, &f);
    }
    scree_world_destroy(s.world);
}

static void check_refused(const scene *s, const scree_contact_filter *filter, scree_status status,
                          const char *says)
{
    const scree_contact *contacts = NULL;
    size_t count = 77;

    CHECK_EQUAL(scree_world_contacts(s->world, filter, &contacts, &count), status);
    CHECK_SAYS(scree_world_message(s->world), says);
    CHECK(contacts == NULL && count == 77);
}

TEST(filters_that_make_no_sense_are_refused)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 3);
    scree_contact_filter f = scree_default_contact_filter(), none = f;
    scree_body_id gone = scree_world_bodies(s.world).id[1];
    const scree_contact *contacts;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(NULL, NULL, &contacts, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, NULL, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, NULL), SCREE_BAD_ARGUMENT);
    memset(&f, 0, sizeof f);
    check_refused(&s, &f, SCREE_BAD_DEF, "not from scree_default_contact_filter");
    CHECK_EQUAL(scree_world_remove_body(s.world, gone), SCREE_OK);
    f = none;
    f.body = gone;
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "body names none");
    f = none;
    f.wall = (scree_wall_id){9, 1};
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "wall names none (index1 9)");
    f = none;
    f.facet1 = 1;
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "facet1 is 1, but no wall is named");
    f = none;
    f.bodies_only = f.walls_only = true;
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "bodies_only, and walls as well");
    f = none;
    f.in_region = true;
    f.lower[2] = 1;
    check_refused(&s, &f, SCREE_BAD_VALUE, "lower[2] is 1, upper[2] 0");
    f.lower[2] = NAN;
    check_refused(&s, &f, SCREE_BAD_VALUE, "lower[2] is nan");
    scree_world_destroy(s.world);
}

/* ---- after changes and refusals ---- */

TEST(removed_bodies_have_no_contacts)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    const scree_contact *c;

    step(&s, 5000);
    for (int round = 0; round < 40; round++) {
        scree_body_id gone = scree_world_bodies(s.world).id[round % 3];
        size_t before = read_all(&s, NULL, &c), of_it = 0, after;
        for (size_t k = 0; k < before; k++)
            of_it += same(c[k].first, gone) || same(c[k].second, gone);
        CHECK_EQUAL(scree_world_remove_body(s.world, gone), SCREE_OK);
        after = read_all(&s, NULL, &c);
        CHECK_EQUAL(after, before - of_it);
        for (size_t k = 0; k < after; k++)
            CHECK(!same(c[k].first, gone) && !same(c[k].second, gone));
    }
    step(&s, 1);
    CHECK_EQUAL(read_all(&s, NULL, &c), scree_world_certificate(s.world).contacts);
    scree_world_destroy(s.world);
}

static scree_status refuse_at(const scree_bodies_view *bodies, double time, double (*force)[4],
                              double (*torque)[4], void *user)
{
    (void)bodies;
    (void)force;
    (void)torque;
    return time > *(double *)user ? SCREE_BAD_VALUE : SCREE_OK;
}

/*  Contacts read after a refused step are those of before it; forces may differ by what velocities have changed
    within the last step, which at rest is next to nothing. */
TEST(a_refused_step_leaves_the_contacts)
{
    static scree_contact kept[1000];
    scree_world_def def = scene_def();
    scene s;
    const scree_contact *c;
    size_t count;
    double end = 1e9;

    def.global_damping = 20;
    s = open_scene(&def, 40);
    scree_world_set_force(s.world, refuse_at, &end);
    step(&s, 30000);
    count = read_all(&s, NULL, &c);
    CHECK(count > 20 && count < 1000);
    memcpy(kept, c, count * sizeof *c);
    end = 0;
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    end = 1e9;
    CHECK_EQUAL(read_all(&s, NULL, &c), count);
    for (size_t k = 0; k < count; k++) {
        CHECK(same(c[k].first, kept[k].first) && same(c[k].second, kept[k].second));
        CHECK(c[k].overlap == kept[k].overlap);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(c[k].force[a], kept[k].force[a], 1e-3);
    }
    step(&s, 1);
    scree_world_destroy(s.world);
}

static scree_status spring_prepare(const scree_law_input *input,
                                   double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)user;
    constants[0] = 1e4;
    return SCREE_OK;
}

/*  A spring that gives no number while its flag is set. */
static void spring_force(const scree_batch *batch, const double *constants, void *user)
{
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = *(bool *)user
                                     ? (double)NAN
                                     : -constants[0] * batch->overlap[k] * batch->normal[a][k];
}

TEST(what_a_refused_step_found_is_not_read)
{
    bool fails = false;
    scree_law spring = {
        .name = "spring", .prepare = spring_prepare, .force = spring_force, .user = &fails};
    scree_rule_def rule = scree_default_rule_def();
    scree_world_def def = scene_def();
    const scree_contact *c;
    double force, digest_force;
    scene s;

    rule.own_law = &spring;
    def.gravity[2] = 0;
    s = open_scene(&def, 0);
    CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
    for (int k = 0; k < 2; k++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(RADIUS);
        body.material = s.material;
        body.position[0] = 0.07;
        body.position[1] = 0.05;
        body.position[2] = 0.5 + k * 0.0199;
        CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    }
    step(&s, 3);
    CHECK_EQUAL(read_all(&s, NULL, &c), 1);
    force = c[0].force[2];
    CHECK_NEAR(force, -1e4 * c[0].overlap, 1e-9);
    digest_force = body_of(&s, c[0].first).force[2];
    fails = true;
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    fails = false;
    CHECK_EQUAL(read_all(&s, NULL, &c), 1);
    CHECK(c[0].force[2] == force); /* this law knows no velocities: no difference at all */
    CHECK(body_of(&s, c[0].first).force[2] == digest_force);
    fails = true;
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    check_refused(&s, NULL, SCREE_BAD_VALUE, "law spring");
    scree_world_destroy(s.world);
}

static void probe_force(const scree_batch *batch, const double *constants, void *user)
{
    bool *is_aligned = user;
    const void *arrays[] = {batch->overlap, batch->normal[2], batch->slide[1], batch->force[0]};

    (void)constants;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        *is_aligned &= (uintptr_t)arrays[k] % 64 == 0;
    for (uint32_t k = 0; k < batch->count; k++)
        batch->force[0][k] = batch->force[1][k] = batch->force[2][k] = 0;
}

/*  The allocator of a host aligns as malloc does, no more. */
TEST(batches_are_aligned_for_the_widest_vectors)
{
    bool is_aligned = true;
    scree_law law = {
        .name = "probe", .prepare = spring_prepare, .force = probe_force, .user = &is_aligned};

    for (size_t shift = 0; shift < 4; shift++) {
        failing_allocator memory = {0};
        scree_rule_def rule = scree_default_rule_def();
        scree_world_def def = scene_def();
        void *taken[4];
        scene s;
        /* blocks move on by what others take before */
        for (size_t k = 0; k < shift; k++)
            taken[k] = malloc(16 + 32 * k);
        def.allocator = failing_allocator_hooks(&memory);
        def.overlap_limit = INFINITY;
        s = open_scene(&def, 0);
        rule.own_law = &law;
        CHECK_EQUAL(scree_world_add_rule(s.world, &rule), SCREE_OK);
        add_grains(&s, 20);
        step(&s, 500);
        scree_world_destroy(s.world);
        for (size_t k = 0; k < shift; k++)
            free(taken[k]);
    }
    CHECK(is_aligned);
}

/*  Materials that no law can bring together: said when bodies of them touch, and not before. */
TEST(materials_that_must_not_meet_are_named)
{
    scree_world_def def = scene_def();
    scree_material_def steel = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scene s = open_scene(&def, 0);
    scree_material_id rigid;

    steel.young = INFINITY;
    steel.name = "steel";
    CHECK_EQUAL(scree_world_add_material(s.world, &steel, &rigid), SCREE_OK);
    body.shape = scree_shape_sphere(RADIUS);
    body.material = rigid;
    body.position[0] = 0.07;
    body.position[1] = 0.05;
    body.position[2] = 0.5;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    body.position[2] = 0.5201;
    body.velocity[2] = -1;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    step(&s, 3);
    CHECK_EQUAL(scree_world_step(s.world, 1), SCREE_BAD_VALUE);
    CHECK_SAYS(scree_world_message(s.world), "world: step 4: body 1 touches body 2: rule 0");
    CHECK_SAYS(scree_world_message(s.world), "young of materials steel and steel is infinite");
    CHECK_EQUAL(scree_world_clock(s.world).steps, 3);
    scree_world_destroy(s.world);
}

TEST(reading_may_run_out_of_memory)
{
    for (size_t fail = 1;; fail++) {
        failing_allocator memory = {0};
        scree_world_def def = scene_def();
        const scree_contact *c;
        size_t count, requests, refused;
        uint64_t digest;
        scene s;
        def.allocator = failing_allocator_hooks(&memory);
        s = open_scene(&def, 30);
        step(&s, 3000);
        digest = scree_world_digest(s.world);
        requests = memory.requests;
        memory.fail_at = requests + fail;
        refused = scree_world_contacts(s.world, NULL, &c, &count) == SCREE_OUT_OF_MEMORY;
        CHECK_EQUAL(refused, memory.failures);
        CHECK(scree_world_digest(s.world) == digest);
        memory.fail_at = 0;
        CHECK_EQUAL(read_all(&s, NULL, &c), scree_world_certificate(s.world).contacts);
        scree_world_destroy(s.world);
        CHECK(failing_allocator_is_clean(&memory));
        if (!refused)
            break;
    }
}

/* ---- events ---- */

/*  A set of contacts, kept by what events say. */
typedef struct known
{
    scree_body_id first, second;
    scree_wall_id wall;
} known;

static size_t find_known(const known *list, size_t count, const scree_event *e)
{
    for (size_t k = 0; k < count; k++)
        if (same(list[k].first, e->first) && same(list[k].second, e->second) &&
            list[k].wall.index1 == e->wall.index1)
            return k;
    return count;
}

static size_t read_events(const scene *s, const scree_event **events)
{
    size_t count;

    CHECK_EQUAL(scree_world_events(s->world, events, &count), SCREE_OK);
    return count;
}

/*  Contacts of a body with a wall are counted, since it may have two with a mesh. */
static size_t replay(const scene *s, known *list, size_t count, uint64_t *last_step)
{
    const scree_event *e;
    size_t events = read_events(s, &e);

    for (size_t k = 0; k < events; k++) {
        size_t at = e[k].begins ? count : find_known(list, count, &e[k]);
        CHECK(e[k].step >= *last_step);
        *last_step = e[k].step;
        if (e[k].begins) {
            CHECK(count < 1000);
            list[count++] = (known){e[k].first, e[k].second, e[k].wall};
        } else {
            CHECK(at < count); /* what ends has begun */
            list[at] = list[--count];
        }
    }
    return count;
}

static void check_known(const scene *s, known *list, size_t count)
{
    const scree_contact *c;
    size_t contacts = read_all(s, NULL, &c);

    CHECK_EQUAL(contacts, count);
    for (size_t k = 0; k < contacts; k++) {
        const scree_event as_event = {
            .first = c[k].first, .second = c[k].second, .wall = c[k].wall};
        size_t at = find_known(list, count, &as_event);
        CHECK(at < count);
        /* each is found once */
        known found = list[at];
        list[at] = list[count - 1];
        list[--count] = found;
    }
}

TEST(events_lead_from_contacts_to_contacts)
{
    static known list[1000], copy[1000];
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    size_t count = 0;
    uint64_t last = 0;

    for (int round = 0; round < 60; round++) {
        step(&s, round % 2 ? 1 : 150);
        count = replay(&s, list, count, &last);
        CHECK(last <= scree_world_clock(s.world).steps);
        memcpy(copy, list, sizeof copy);
        check_known(&s, copy, count);
    }
    CHECK(count > 30);
    scree_world_destroy(s.world);
}

/*  The same events for any method and any order in memory. */
TEST(events_do_not_depend_on_detection)
{
    scree_world_def def = scene_def(), other = def;
    scene a, b;

    other.method = "spatial-sort-1";
    other.sort_every = 0;
    other.thread_count = 2;
    a = open_scene(&def, 60);
    b = open_scene(&other, 60);
    for (int round = 0; round < 20; round++) {
        const scree_event *of_a, *of_b;
        size_t count;
        step(&a, 150);
        step(&b, 150);
        count = read_events(&a, &of_a);
        CHECK_EQUAL(count, read_events(&b, &of_b));
        for (size_t k = 0; k < count; k++) {
            CHECK_EQUAL(of_a[k].step, of_b[k].step);
            CHECK_EQUAL(of_a[k].begins, of_b[k].begins);
            CHECK(same(of_a[k].first, of_b[k].first) && same(of_a[k].second, of_b[k].second));
            CHECK_EQUAL(of_a[k].facet, of_b[k].facet);
        }
    }
    scree_world_destroy(a.world);
    scree_world_destroy(b.world);
}

/*  The border ends what it destroys, in the same step. */
TEST(destroyed_bodies_end_their_contacts)
{
    scree_world_def def = scree_default_world_def();
    scree_body_def body = scree_default_body_def();
    scene s = {0};
    const scree_event *e;
    scree_material_def material = scree_default_material_def();

    def.dt = 1e-5;
    def.events = true;
    def.boundary[0] = SCREE_BOUNDARY_DESTROY;
    def.lower[0] = -1;
    def.upper[0] = 1;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(0.1);
    body.position[0] = 1.0995;
    body.velocity[0] = 100;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    body.position[0] = 0.9005;
    CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    step(&s, 1);
    CHECK_EQUAL(scree_world_totals(s.world).destroyed, 1);
    CHECK_EQUAL(read_events(&s, &e), 2);
    CHECK(e[0].begins && !e[1].begins);
    CHECK(e[0].step == 1 && e[1].step == 1);
    CHECK(same(e[0].first, e[1].first) && same(e[0].second, e[1].second));
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 0);
    scree_world_destroy(s.world);
}

/*  Carried away by the host: they part in the next step. */
TEST(contacts_that_the_host_tears_apart_end)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 20);
    const scree_contact *c;
    const scree_event *e;
    scree_body body;
    size_t count, ended = 0, of_it;
    scree_contact_filter filter = scree_default_contact_filter();

    step(&s, 8000);
    CHECK(read_all(&s, NULL, &c) > 5);
    body = body_of(&s, c[0].first);
    filter.body = body.id;
    of_it = read_all(&s, &filter, &c);
    body.position[2] += 1;
    CHECK_EQUAL(scree_world_set_body(s.world, body.id, &body), SCREE_OK);
    step(&s, 1);
    count = read_events(&s, &e);
    for (size_t k = 0; k < count; k++)
        ended += !e[k].begins && (same(e[k].first, body.id) || same(e[k].second, body.id));
    CHECK_EQUAL(ended, of_it);
    scree_world_destroy(s.world);
}

static scree_status kick(const scree_bodies_view *bodies, double time, double (*force)[4],
                         double (*torque)[4], void *user)
{
    (void)torque;
    for (size_t k = 0; k < bodies->count; k++)
        force[k][0] += time > *(double *)user ? 1e10 * (bodies->position[k][0] < 0 ? -1 : 1) : 0;
    return SCREE_OK;
}

/*  So fast that they are no candidates any more in the step in which they part. */
TEST(contacts_that_are_torn_apart_in_one_step_end)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    const scree_event *e;
    double when = 1.5e-5;
    scene s = {0};

    def.dt = 1e-5;
    def.events = true;
    CHECK_EQUAL(scree_world_create(&def, &s.world), SCREE_OK);
    CHECK_EQUAL(scree_world_add_material(s.world, &material, &s.material), SCREE_OK);
    body.material = s.material;
    body.shape = scree_shape_sphere(RADIUS);
    for (int k = 0; k < 2; k++) {
        body.position[0] = 0.00999 * (k ? 1 : -1);
        CHECK_EQUAL(scree_world_add_body(s.world, &body, NULL), SCREE_OK);
    }
    scree_world_set_force(s.world, kick, &when);
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 1);
    CHECK(e[0].begins && e[0].step == 1);
    step(&s, 1); /* the kick is felt at its end */
    CHECK_EQUAL(read_events(&s, &e), 0);
    step(&s, 1);
    CHECK_EQUAL(read_events(&s, &e), 1);
    CHECK(!e[0].begins && e[0].step == 3);
    CHECK_EQUAL(scree_world_certificate(s.world).candidates, 0);
    scree_world_destroy(s.world);
}

TEST(events_must_be_asked_for)
{
    scree_world_def def = scene_def();
    const scree_event *events;
    size_t count;
    scene s;

    def.events = false;
    s = open_scene(&def, 3);
    CHECK_EQUAL(scree_world_events(s.world, &events, &count), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(s.world), "def.events");
    CHECK_EQUAL(scree_world_events(NULL, &events, &count), SCREE_BAD_ARGUMENT);
    scree_world_destroy(s.world);
    def.events = true;
    s = open_scene(&def, 3);
    CHECK_EQUAL(scree_world_events(s.world, NULL, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_events(s.world, &events, &count), SCREE_OK);
    CHECK_EQUAL(count, 0);
    scree_world_destroy(s.world);
}

/*  A step that finds no room for its events has not happened. */
TEST(events_may_run_out_of_memory)
{
    size_t refusals = 0;

    for (size_t fail = 1; fail < 200; fail++) {
        failing_allocator memory = {0};
        scree_world_def def = scene_def(), twin_def = def;
        scene s, twin;
        uint64_t digest;
        def.allocator = failing_allocator_hooks(&memory);
        s = open_scene(&def, 12);
        twin = open_scene(&twin_def, 12);
        digest = scree_world_digest(s.world);
        memory.fail_at = memory.requests + fail;
        scree_status status = scree_world_step(s.world, 1);
        CHECK(status == SCREE_OK || status == SCREE_OUT_OF_MEMORY);
        CHECK(!status || scree_world_digest(s.world) == digest);
        memory.fail_at = 0;
        step(&s, status ? 1 : 0);
        step(&twin, 1);
        CHECK(scree_world_digest(s.world) == scree_world_digest(twin.world));
        scree_world_destroy(s.world);
        scree_world_destroy(twin.world);
        CHECK(failing_allocator_is_clean(&memory));
        refusals += status != SCREE_OK;
        if (!status && memory.failures == 0)
            break;
    }
    CHECK(refusals > 5);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_contact_is_listed_once),
        CASE(they_are_in_order),
        CASE(forces_add_up),
        CASE(filters_choose),
        CASE(filters_that_make_no_sense_are_refused),
        CASE(removed_bodies_have_no_contacts),
        CASE(a_refused_step_leaves_the_contacts),
        CASE(what_a_refused_step_found_is_not_read),
        CASE(batches_are_aligned_for_the_widest_vectors),
        CASE(materials_that_must_not_meet_are_named),
        CASE(reading_may_run_out_of_memory),
        CASE(events_lead_from_contacts_to_contacts),
        CASE(events_do_not_depend_on_detection),
        CASE(destroyed_bodies_end_their_contacts),
        CASE(contacts_that_the_host_tears_apart_end),
        CASE(contacts_that_are_torn_apart_in_one_step_end),
        CASE(events_must_be_asked_for),
        CASE(events_may_run_out_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
