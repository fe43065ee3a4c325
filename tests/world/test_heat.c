/*  Heat through contacts: against what is known in closed form, its books, and what is refused. */
#include "heat_maker.h"

/* ---- closed forms ---- */

/*  Equal capacities: the difference decays with twice the conductance over one of them. */
TEST(two_spheres_come_to_one_temperature)
{
    scree_body_id id[2];
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_chain(&def, 2, 300, id);
    double rate = 2 * chain_link() / heat_of(world, id[0]).capacity;

    set_temperature(world, id[0], 400, false);
    for (int k = 1; k <= 5; k++) {
        step(world, 1000);
        double wanted = 50 * exp(-rate * k);
        /* Euler's error is rate dt / 2 of each e-fold */
        double room = wanted * rate * k * rate * 1e-3;
        CHECK_NEAR(temperature(world, id[0]) - 350, wanted, room);
        CHECK_NEAR(temperature(world, id[1]) - 350, -wanted, room);
    }
    CHECK(rate > 0.1 && rate < 10);
    check_books(world, 1e-14);
    scree_world_destroy(world);
}

/*  Others radii, materials and capacities: (T1 - T2) decays with G (1 / C1 + 1 / C2). */
TEST(unlike_spheres_share_by_capacity)
{
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_world(&def, NULL);
    scree_material_def material = scree_default_material_def();
    scree_body_def one = ball(R, 0, 0, 0), other = ball(3 * R, 4 * R - SQUEEZE, 0, 0);
    material.density = 700;
    CHECK_EQUAL(scree_world_add_material(world, &material, NULL), SCREE_OK);
    turn_heat_on(world, 300);
    heat_material(world, 2, 10, 3000);
    one.flags = other.flags = PINNED;
    other.material.index1 = 2;
    scree_body_id a = add(world, &one), b = add(world, &other);

    set_temperature(world, a, 500, false);
    double ca = heat_of(world, a).capacity, cb = heat_of(world, b).capacity;
    double k = 2 * CONDUCTIVITY * 10 / (CONDUCTIVITY + 10);
    double through = 2 * k * sqrt(0.75 * R * SQUEEZE), rate = through * (1 / ca + 1 / cb);
    CHECK_NEAR(cb, 700 * 4 / 3.0 * 3.14159265358979 * 27 * R * R * R * 3000, 1e-12 * cb);
    step(world, 1);
    CHECK_NEAR(heat_of(world, a).flow, -200 * through, 1e-12 * 200 * through);
    CHECK(heat_of(world, b).flow == -heat_of(world, a).flow);
    step(world, 999);
    double mean = (500 * ca + 300 * cb) / (ca + cb), left = 200 * exp(-rate);
    double room = 200 * rate * rate * 1e-3;
    CHECK_NEAR(temperature(world, a), mean + left * cb / (ca + cb), room);
    CHECK_NEAR(temperature(world, b), mean - left * ca / (ca + cb), room);
    check_books(world, 1e-14);
    scree_world_destroy(world);
}

#define LENGTH 21

/*  Between ends that are held the profile becomes a straight line, and the same flows everywhere. */
TEST(a_bar_comes_to_a_straight_line)
{
    scree_body_id id[LENGTH];
    scree_world_def def = fixed(2);
    scree_world *world = make_chain(&def, LENGTH, 300, id);

    set_temperature(world, id[0], 400, true);
    set_temperature(world, id[LENGTH - 1], 250, true);
    step(world, 15000);
    for (int k = 0; k < LENGTH; k++)
        CHECK_NEAR(temperature(world, id[k]), 400 - 150.0 * k / (LENGTH - 1), 1e-9);
    double flow = chain_link() * 150 / (LENGTH - 1);
    CHECK_NEAR(heat_of(world, id[0]).flow, -flow, 1e-9 * flow);
    CHECK_NEAR(heat_of(world, id[LENGTH - 1]).flow, flow, 1e-9 * flow);
    CHECK_NEAR(heat_of(world, id[7]).flow, 0, 1e-9 * flow);
    check_books(world, 1e-12);
    scree_world_destroy(world);
}

/*  On the way there: the chain's own modes, which are known. */
TEST(a_bar_warms_by_its_modes)
{
    scree_body_id id[LENGTH];
    const double dt = 0.05, seconds = 200;
    scree_world_def def = fixed(dt);
    scree_world *world = make_chain(&def, LENGTH, 300, id);
    int n = LENGTH - 1;
    double slowness = chain_link() / heat_of(world, id[0]).capacity;

    set_temperature(world, id[0], 400, true);
    set_temperature(world, id[n], 400, true);
    step(world, (uint64_t)(seconds / dt + 0.5));
    for (int k = 1; k < n; k++) {
        double below = 0;
        for (int m = 1; m < n; m++) {
            double share = 0, half = sin(m * 3.14159265358979 / (2.0 * n));
            for (int j = 1; j < n; j++)
                share += 2.0 / n * 100 * sin(m * 3.14159265358979 * j / n);
            below += share * sin(m * 3.14159265358979 * k / n) *
                     exp(-4 * slowness * half * half * seconds);
        }
        CHECK_NEAR(temperature(world, id[k]), 400 - below, 0.01);
    }
    CHECK(temperature(world, id[n / 2]) > 301 && temperature(world, id[n / 2]) < 390);
    scree_world_destroy(world);
}

/* ---- walls ---- */

/*  Between a warm floor and a cold lid: what comes in goes out, and the middle is in the middle. */
TEST(walls_give_what_bodies_get)
{
    scree_world_def def = fixed(0.02);
    press p = make_press(&def, NULL, -SQUEEZE);
    scree_body pinned = body_of(p.world, p.body);

    pinned.flags = PINNED;
    CHECK_EQUAL(scree_world_set_body(p.world, p.body, &pinned), SCREE_OK);
    turn_heat_on(p.world, 300);
    set_wall_temperature(p.world, p.lid, 350);
    step(p.world, 1);
    double through = conductance_of(R, SQUEEZE);
    CHECK_NEAR(heat_of(p.world, p.body).flow, 50 * through, 1e-10 * through);
    CHECK(wall_heat(p.world, p.lid).flow == heat_of(p.world, p.body).flow);
    CHECK(wall_heat(p.world, p.floor).flow == 0);
    check_books(p.world, 1e-14);
    /* now the floor as well, which is not pressed: it touches in a point */
    scree_body_heat heat = heat_of(p.world, p.body);
    heat.source = 0.1;
    CHECK_EQUAL(scree_world_set_body_heat(p.world, p.body, &heat), SCREE_OK);
    step(p.world, 20000);
    CHECK_NEAR(temperature(p.world, p.body), 350 + 0.1 / through, 1e-9);
    CHECK_NEAR(wall_heat(p.world, p.lid).flow, -0.1, 1e-10);
    check_books(p.world, 1e-12);
    scree_heat_totals totals = scree_world_heat(p.world);
    CHECK_NEAR(totals.walls, wall_heat(p.world, p.lid).given, 1e-12 * 40);
    CHECK_NEAR(totals.sources, 0.1 * 400, 1e-9);
    scree_world_destroy(p.world);
}

/*  Walls without a temperature let nothing through, nor does a material that does not conduct. */
TEST(what_insulates_insulates)
{
    scree_world_def def = fixed(1e-6);
    packing p = make_packing(def, 3, 0.3, scree_shape_sphere(R));
    scree_heat_totals before, after;

    turn_heat_on(p.world, 320);
    drive(&p, 2000, 0.1);
    step(p.world, 3000);
    before = scree_world_heat(p.world);
    CHECK(wall_of(p.world, p.wall[0]).servo.contacts > 0);
    step(p.world, 1000);
    after = scree_world_heat(p.world);
    CHECK(after.content == before.content && after.walls == 0);
    CHECK(after.lowest == 320 && after.highest == 320 && after.mean == 320);
    set_wall_temperature(p.world, p.wall[0], 400);
    heat_material(p.world, 1, 0, CAPACITY);
    step(p.world, 100);
    CHECK(scree_world_heat(p.world).highest == 320);
    CHECK(scree_world_heat(p.world).stable_dt == INFINITY);
    heat_material(p.world, 1, CONDUCTIVITY, CAPACITY);
    step(p.world, 100);
    CHECK(scree_world_heat(p.world).highest > 320);
    check_books(p.world, 1e-14);
    scree_world_destroy(p.world);
}

/* ---- what is kept ---- */

/*  Bodies in motion, warm and cold: their heat goes round and stays, to the last bits of the sum. */
TEST(heat_is_conserved)
{
    scree_world_def def = fixed(2e-6);
    packing p = make_packing(def, 4, 0.3, scree_shape_sphere(R));

    turn_heat_on(p.world, 300);
    drive(&p, 2000, 0.2);
    scree_bodies_view view = scree_world_bodies(p.world);
    for (size_t k = 0; k < view.count; k++)
        set_temperature(p.world, scree_body_id_at(view.id, k), 250 + 5 * (double)k, false);
    double start = scree_world_heat(p.world).content;
    heat_material(p.world, 1, 1000, CAPACITY);
    step(p.world, 10000);
    scree_heat_totals totals = scree_world_heat(p.world);
    CHECK_NEAR(totals.content, start, 1e-15 * start);
    CHECK(totals.lowest > 260 && totals.highest < 560);
    scree_world_destroy(p.world);
}

/*  What does not fit into the digits of a temperature is not lost: a thousand steps of a billionth of its last digit. */
TEST(small_flows_add_up)
{
    scree_body_id id[2];
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_chain(&def, 2, 300, id);
    scree_body_heat heat = heat_of(world, id[0]);

    heat_material(world, 1, 0, CAPACITY);
    heat.source = 2e-14 * heat.capacity / 1e-3;
    CHECK_EQUAL(scree_world_set_body_heat(world, id[0], &heat), SCREE_OK);
    step(world, 100000);
    CHECK_NEAR(temperature(world, id[0]) - 300, 2e-9, 1e-13);
    scree_world_destroy(world);
}

/*  Steps far longer than the stable step of conduction are found in pieces, and nothing swings. */
TEST(long_steps_are_found_in_pieces)
{
    scree_body_id id[LENGTH], fine_id[LENGTH];
    scree_world_def def = fixed(300), fine = fixed(0.3);
    scree_world *world = make_chain(&def, LENGTH, 300, id);
    scree_world *exact = make_chain(&fine, LENGTH, 300, fine_id);

    set_temperature(world, id[0], 400, true);
    set_temperature(exact, fine_id[0], 400, true);
    step(world, 1);
    step(exact, 1000);
    scree_heat_totals totals = scree_world_heat(world);
    CHECK(totals.pieces > 10 && scree_world_heat(exact).pieces == 1);
    CHECK_NEAR(totals.stable_dt * totals.pieces, 300, totals.stable_dt);
    for (int k = 0; k < LENGTH; k++)
        CHECK_NEAR(temperature(world, id[k]), temperature(exact, fine_id[k]), 1.5);
    CHECK(temperature(world, id[1]) > 350);
    check_books(world, 1e-14);
    CHECK_NEAR(-heat_of(world, id[0]).flow * 300, totals.sources, 1e-12 * totals.sources);
    scree_world_destroy(world);
    scree_world_destroy(exact);
}

/* ---- what contacts lose ---- */

/*  A ball that bounces on a floor until it lies: all of its height becomes heat. */
TEST(losses_become_heat)
{
    for (int is_given = 0; is_given < 2; is_given++) {
        scree_world_def def = fixed(1e-6);
        def.gravity[2] = -9.81;
        def.energy_balance = true;
        scree_world *world = make_world(&def, NULL);
        scree_body_def body = ball(R, 0, 0, 1.5 * R);
        scree_wall_id floor = add_plane(world, 0, 0, 0, 2, 1);
        scree_heat_def heat = scree_default_heat_def();

        add(world, &body);
        body.position[2] = 3.6 * R;
        body.position[0] = 0.1 * R;
        add(world, &body);
        heat.loss_share = 1;
        CHECK_EQUAL(scree_world_set_heat(world, &heat), SCREE_OK);
        heat_material(world, 1, 0, CAPACITY);
        if (is_given)
            set_wall_temperature(world, floor, 293.15);
        step(world, 100000);
        scree_energy e = scree_world_energy(world);
        scree_heat_totals totals = scree_world_heat(world);
        double lost = e.damping + e.friction + e.rolling;
        CHECK(lost > 1e-8);
        CHECK_NEAR(totals.losses + totals.losses_to_walls, lost, 1e-12 * lost);
        CHECK((totals.losses_to_walls > 0.1 * lost) == is_given);
        check_books(world, 1e-15);
        scree_world_destroy(world);
    }
}

/* ---- softer than real ---- */

TEST(contacts_are_as_wide_as_real_ones)
{
    scree_body_id id[2];
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_chain(&def, 2, 300, id);
    scree_material_heat_def heat = scree_default_material_heat_def();

    set_temperature(world, id[0], 400, false);
    heat.conductivity = CONDUCTIVITY;
    heat.capacity = CAPACITY;
    heat.young = 8000 * scree_default_material_def().young;
    CHECK_EQUAL(scree_world_set_material_heat(world, (scree_material_id){1}, &heat), SCREE_OK);
    step(world, 1);
    CHECK_NEAR(heat_of(world, id[1]).flow, 100 * chain_link() / 20, 1e-12 * chain_link());
    scree_world_destroy(world);
}

/* ---- bodies that come, go and change ---- */

TEST(the_books_stay_closed)
{
    scree_body_id id[5];
    scree_world_def def = fixed(0.01);
    scree_world *world = make_chain(&def, 5, 300, id);
    scree_material_def material = scree_default_material_def();
    scree_body_def late = ball(R, 5 * (2 * R - SQUEEZE), 0, 0);
    scree_body_heat heat = {.temperature = 350, .source = 0.01};

    CHECK_EQUAL(scree_world_add_material(world, &material, NULL), SCREE_OK);
    heat_material(world, 2, 1, 900);
    set_temperature(world, id[0], 400, true);
    CHECK_EQUAL(scree_world_set_body_heat(world, id[3], &heat), SCREE_OK);
    step(world, 100);
    check_books(world, 1e-14);
    late.flags = PINNED | SCREE_GHOST;
    add(world, &late);
    late.position[0] += 2 * R - SQUEEZE;
    late.flags = PINNED;
    add(world, &late);
    step(world, 100);
    check_books(world, 1e-14);
    scree_body other = body_of(world, id[1]);
    other.material.index1 = 2;
    CHECK_EQUAL(scree_world_set_body(world, id[1], &other), SCREE_OK);
    check_books(world, 1e-14);
    CHECK_EQUAL(scree_world_remove_body(world, id[3]), SCREE_OK);
    heat_material(world, 1, 3, 200);
    step(world, 100);
    check_books(world, 1e-14);
    CHECK(scree_world_heat(world).removed > 0);
    /* all is forgotten, and begins again */
    CHECK_EQUAL(scree_world_set_heat(world, NULL), SCREE_OK);
    CHECK(!scree_world_heat(world).is_on);
    CHECK(isnan(temperature(world, id[0])) && !scree_world_temperatures(world).data);
    step(world, 1);
    turn_heat_on(world, 280);
    heat_material(world, 2, 1, 900);
    step(world, 10);
    CHECK(scree_world_heat(world).highest == 280);
    check_books(world, 1e-14);
    scree_world_destroy(world);
}

/* ---- all shapes, all contacts, all integrators ---- */

/*  Each shape rests on a plane or a mesh and under a sphere of other temperature: heat comes through both. */
TEST(every_shape_conducts)
{
    static const scree_integrator integrators[] = {SCREE_VELOCITY_VERLET, SCREE_SYMPLECTIC_EULER,
                                                   SCREE_IMPLICIT_EULER, SCREE_IMPLICIT_MULTISCALE};
    scree_shape shape[4];
    made_shapes made = make_shapes(shape);

    for (int k = 0; k < 4 * 2 * 4; k++) {
        scree_world_def def = fixed(2e-6);
        bool on_mesh = k / 4 % 2;
        def.step.integrator = integrators[k / 8];
        def.gravity[2] = -9.81;
        scree_world *world = make_world(&def, NULL);
        scree_wall_id floor = on_mesh ? add_mesh(world, make_plate(20 * R, false, 3), 0)
                                      : add_plane(world, 0, 0, 0, 2, 1);
        scree_body_def low = ball(R, 0.01 * R + made.side[k % 4], 0, 0), high = ball(R, 0, 0, 0);
        low.shape = shape[k % 4];
        low.position[2] = made.height[k % 4] - 1e-3 * R;
        high.position[2] = 2 * low.position[2] + R;
        turn_heat_on(world, 300);
        scree_body_id below = add(world, &low), above = add(world, &high);
        set_wall_temperature(world, floor, 400);
        set_temperature(world, above, 200, true);
        step(world, 100);
        scree_heat_totals totals = scree_world_heat(world);
        if (!(wall_heat(world, floor).given > 0 && totals.sources < 0))
            FAIL("shape %d, wall %d, integrator %d: %g J, %g J", k % 4, on_mesh,
                 (int)def.step.integrator, wall_heat(world, floor).given, totals.sources);
        CHECK_NEAR(wall_heat(world, floor).given, totals.walls, 1e-13 * totals.walls);
        CHECK(temperature(world, below) > 200 && temperature(world, below) < 400);
        check_books(world, 1e-14);
        scree_world_destroy(world);
    }
    free_shapes(&made);
}

/*  Two of any shapes, one cold and one warm: what one loses the other gets. */
TEST(every_pair_conducts)
{
    scree_shape shape[4];
    made_shapes made = make_shapes(shape);

    for (int k = 0; k < 16; k++) {
        scree_world_def def = fixed(2e-6);
        scree_world *world = make_world(&def, NULL);
        scree_body_def one = ball(R, 0.01 * R + made.side[k % 4], 0, 0);
        scree_body_def other = ball(R, made.side[k / 4], 0.02 * R, 0);
        one.shape = shape[k % 4];
        other.shape = shape[k / 4];
        other.position[2] = made.height[k % 4] + made.height[k / 4] - 2e-3 * R;
        one.velocity[2] = 0.01;
        turn_heat_on(world, 300);
        scree_body_id a = add(world, &one), b = add(world, &other);
        set_temperature(world, a, 400, false);
        double content = scree_world_heat(world).content;
        step(world, 100);
        if (!(temperature(world, a) < 400 && temperature(world, b) > 300))
            FAIL("shapes %d and %d: %g K, %g K", k % 4, k / 4, temperature(world, a),
                 temperature(world, b));
        CHECK_NEAR(scree_world_heat(world).content, content, 1e-15 * content);
        scree_world_destroy(world);
    }
    free_shapes(&made);
}

/*  Across the boundary of a periodic domain, in two dimensions and three. */
TEST(it_goes_across_boundaries)
{
    for (int dimensions = 2; dimensions <= 3; dimensions++) {
        scree_world_def def = fixed(1e-3);
        def.dimensions = dimensions;
        def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[0] = 10 * R;
        scree_world *world = make_world(&def, NULL);
        scree_body_def body = ball(R, 0.5 * R, 0, 0);
        body.flags = PINNED;
        turn_heat_on(world, 300);
        scree_body_id a = add(world, &body);
        body.position[0] = 8.5 * R + SQUEEZE;
        scree_body_id b = add(world, &body);
        set_temperature(world, a, 310, false);
        step(world, 1);
        CHECK_NEAR(heat_of(world, b).flow, 10 * chain_link(), 1e-10 * chain_link());
        scree_world_destroy(world);
    }
}

/* ---- what is refused ---- */

#define REFUSED(call, status, what)                                                                \
    CHECK_EQUAL(call, status);                                                                     \
    CHECK_SAYS(scree_world_message(world), what);                                                  \
    CHECK(scree_world_digest(world) == digest);

TEST(nonsense_is_refused)
{
    scree_body_id id[2], none = {9, 1};
    scree_wall_id no_wall = {3, 1};
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_chain(&def, 2, 300, id);
    scree_wall_id floor = add_plane(world, 0, 0, -5 * R, 2, 1);
    scree_material_heat_def material = scree_default_material_heat_def();
    scree_body_heat body = {.temperature = 300};
    scree_wall_heat wall = {.is_given = true, .temperature = 300};
    scree_heat_def heat = scree_default_heat_def();
    scree_material_id first = {1}, missing = {2};
    uint64_t digest = scree_world_digest(world);

    heat.temperature = -1;
    REFUSED(scree_world_set_heat(world, &heat), SCREE_BAD_VALUE,
            "temperature is -1, must be 0 to 1e9 K")
    heat.temperature = NAN;
    REFUSED(scree_world_set_heat(world, &heat), SCREE_BAD_VALUE, "temperature is nan")
    heat = scree_default_heat_def();
    heat.loss_share = 1.5;
    REFUSED(scree_world_set_heat(world, &heat), SCREE_BAD_VALUE,
            "loss_share is 1.5, must be 0 to 1")
    heat.loss_share = 1;
    REFUSED(scree_world_set_heat(world, &heat), SCREE_BAD_ARGUMENT, "keeps no energy balance")
    heat.cookie = 0;
    REFUSED(scree_world_set_heat(world, &heat), SCREE_BAD_DEF, "not from scree_default_heat_def")

    material.conductivity = -3;
    REFUSED(scree_world_set_material_heat(world, first, &material), SCREE_BAD_VALUE,
            "conductivity is -3, must be 0 to 1e100")
    material.conductivity = NAN;
    REFUSED(scree_world_set_material_heat(world, first, &material), SCREE_BAD_VALUE,
            "conductivity is nan")
    material.conductivity = 1;
    material.capacity = INFINITY;
    REFUSED(scree_world_set_material_heat(world, first, &material), SCREE_BAD_VALUE,
            "capacity is inf")
    material.capacity = 1;
    material.young = -1;
    REFUSED(scree_world_set_material_heat(world, first, &material), SCREE_BAD_VALUE, "young is -1")
    REFUSED(scree_world_set_material_heat(world, missing, &material), SCREE_BAD_ARGUMENT,
            "material is 2, must be 1 to 1")
    material.cookie = 1;
    REFUSED(scree_world_set_material_heat(world, first, &material), SCREE_BAD_DEF,
            "not from scree_default_material_heat_def")

    body.temperature = NAN;
    REFUSED(scree_world_set_body_heat(world, id[0], &body), SCREE_BAD_VALUE, "temperature is nan")
    body.temperature = 2e9;
    REFUSED(scree_world_set_body_heat(world, id[0], &body), SCREE_BAD_VALUE, "temperature is 2e+09")
    body.temperature = 300;
    body.source = INFINITY;
    REFUSED(scree_world_set_body_heat(world, id[0], &body), SCREE_BAD_VALUE,
            "source is inf, must be finite")
    REFUSED(scree_world_set_body_heat(world, none, &body), SCREE_BAD_ARGUMENT, "names no body")
    wall.temperature = -1;
    REFUSED(scree_world_set_wall_heat(world, floor, &wall), SCREE_BAD_VALUE, "temperature is -1")
    REFUSED(scree_world_set_wall_heat(world, no_wall, &wall), SCREE_BAD_ARGUMENT, "names no wall")
    CHECK_EQUAL(scree_world_get_body_heat(world, none, &body), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_get_wall_heat(world, no_wall, &wall), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_heat(NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK(!scree_world_heat(NULL).is_on);

    CHECK_EQUAL(scree_world_set_heat(world, NULL), SCREE_OK);
    digest = scree_world_digest(world);
    material = scree_default_material_heat_def();
    body = (scree_body_heat){.temperature = 300};
    wall.temperature = 300;
    REFUSED(scree_world_set_material_heat(world, first, &material), SCREE_BAD_ARGUMENT,
            "it has no heat: scree_world_set_heat turns it on")
    REFUSED(scree_world_set_body_heat(world, id[0], &body), SCREE_BAD_ARGUMENT, "it has no heat")
    REFUSED(scree_world_set_wall_heat(world, floor, &wall), SCREE_BAD_ARGUMENT, "it has no heat")
    CHECK_EQUAL(scree_world_get_body_heat(world, id[0], &body), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/*  Steps that cannot be: nothing has happened then. */
TEST(steps_that_cannot_be_are_refused)
{
    scree_body_id id[2];
    scree_world_def def = fixed(1e-3);
    scree_world *world = make_chain(&def, 2, 300, id);
    scree_body_heat body = {.temperature = 300, .source = -1e6};

    step(world, 3);
    heat_material(world, 1, CONDUCTIVITY, 0);
    uint64_t digest = scree_world_digest(world);
    REFUSED(scree_world_step(world, 1), SCREE_BAD_VALUE,
            "step 4: body 1 has no heat capacity: its material, 1 \"\", must be given one")
    heat_material(world, 1, 1e12, CAPACITY);
    digest = scree_world_digest(world);
    REFUSED(scree_world_step(world, 1), SCREE_UNSTABLE, "than 10000 times the largest stable step")
    heat_material(world, 1, CONDUCTIVITY, CAPACITY);
    CHECK_EQUAL(scree_world_set_body_heat(world, id[1], &body), SCREE_OK);
    digest = scree_world_digest(world);
    REFUSED(scree_world_step(world, 1), SCREE_UNSTABLE,
            "body 2 would be colder than 0 K: it has 300 K, its source is -1e+06 W")
    /* not in its first piece, but in a later one */
    body.source = 0;
    CHECK_EQUAL(scree_world_set_body_heat(world, id[1], &body), SCREE_OK);
    for (double more = 10; scree_world_heat(world).pieces < 20; more *= 4) {
        heat_material(world, 1, more * CONDUCTIVITY, CAPACITY);
        step(world, 1);
    }
    CHECK(scree_world_heat(world).pieces < 1000);
    double capacity = heat_of(world, id[0]).capacity;
    for (int k = 0; k < 2; k++) {
        body.temperature = 1;
        body.source = -1300 * capacity;
        CHECK_EQUAL(scree_world_set_body_heat(world, id[k], &body), SCREE_OK);
    }
    digest = scree_world_digest(world);
    REFUSED(scree_world_step(world, 1), SCREE_UNSTABLE, "would be colder than 0 K: it has 1 K")
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(two_spheres_come_to_one_temperature),
        CASE(unlike_spheres_share_by_capacity),
        CASE(a_bar_comes_to_a_straight_line),
        CASE(a_bar_warms_by_its_modes),
        CASE(walls_give_what_bodies_get),
        CASE(what_insulates_insulates),
        CASE(heat_is_conserved),
        CASE(small_flows_add_up),
        CASE(long_steps_are_found_in_pieces),
        CASE(losses_become_heat),
        CASE(contacts_are_as_wide_as_real_ones),
        CASE(the_books_stay_closed),
        CASE(every_shape_conducts),
        CASE(every_pair_conducts),
        CASE(it_goes_across_boundaries),
        CASE(nonsense_is_refused),
        CASE(steps_that_cannot_be_are_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
