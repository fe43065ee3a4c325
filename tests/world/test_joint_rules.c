/*  Joints as objects of a world: which pairs touch, breaking, removal and events, snapshots and files, the time step, and
    what is refused. */
#include "joint_maker.h"

#include "harness/checkpoint_maker.h"
#include "harness/checkpoint_repair.h"
#include "harness/failing_allocator.h"
#include "scree/scree.h"
#include "world/save/pack_joints.h"

#define LIMIT(k, n) ((k) < (n) ? (k) : (n))

static scree_world_def plain(double dt)
{
    scree_world_def def = heavy(dt);

    def.events = true;
    return def;
}

/* ---- contacts ---- */

static size_t contacts_of(scree_world *world)
{
    return (size_t)scree_world_detection_stats(world).contacts;
}

/*  Two spheres that overlap by a tenth of a radius. */
static scree_world *pair_of(const scree_world_def *def, scree_body_id ids[2])
{
    scree_world *world = make_world(def, NULL);
    const scree_body_def a = ball(0.1, 0, 0, 1), b = ball(0.1, 0.19, 0, 1);

    ids[0] = add(world, &a);
    ids[1] = add(world, &b);
    return world;
}

TEST(joined_bodies_do_not_touch_with_any_method)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        scree_world_def def = plain(1e-5);
        scree_body_id ids[2];
        def.detection.method = scree_method_at(m)->name;
        def.detection.audit = 1;
        scree_world *world = pair_of(&def, ids);
        step(world, 2);
        CHECK_EQUAL(contacts_of(world), 1);
        scree_joint_def weld = joint_at(SCREE_JOINT_WELD, ids[0], 0.1, 0, 1);
        weld.second = ids[1];
        const scree_joint_id id = join(world, &weld);
        step(world, 2);
        CHECK_EQUAL(contacts_of(world), 0);
        CHECK_EQUAL(scree_world_detection_stats(world).missed_contacts, 0);
        CHECK_EQUAL(scree_world_remove_joint(world, id), SCREE_OK);
        step(world, 1);
        CHECK_EQUAL(contacts_of(world), 1);
        weld.collide = true;
        join(world, &weld);
        step(world, 1);
        CHECK_EQUAL(contacts_of(world), 1);
        scree_world_destroy(world);
    }
}

TEST(a_body_does_not_touch_the_wall_that_it_is_joined_to)
{
    const scree_world_def def = plain(1e-5);
    scree_world *world = make_world(&def, NULL);
    const scree_body_def body = ball(0.1, 0, 0, 0.09);
    scree_joint_def hinge = joint_at(SCREE_JOINT_HINGE, add(world, &body), 0, 0, 0.09);

    hinge.wall = add_plane(world, 0, 0, 0, 2, 1);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world), 1);
    const scree_joint_id id = join(world, &hinge);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world), 0);
    CHECK_EQUAL(scree_world_remove_joint(world, id), SCREE_OK);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world), 1);
    scree_world_destroy(world);
}

/* ---- breaking and removal ---- */

static const scree_event *find_event(scree_world *world, scree_event_kind kind, size_t *found)
{
    const scree_event *events, *first = NULL;
    size_t count;

    *found = 0;
    CHECK_EQUAL(scree_world_events(world, &events, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++)
        if (events[k].kind == kind && (*found)++ == 0)
            first = &events[k];
    return first;
}

/*  A sphere of 1 kg on a spring of 100 N/m falls by 2 m g / k, and the force is largest there: twice its weight. */
static scree_joint_id hang(scree_world *world, double strength, scree_body_id *id)
{
    scree_body_def body = ball(0.1, 0, 0, 0);
    body.mass = 1;
    *id = add(world, &body);
    scree_joint_def spring = joint_at(SCREE_JOINT_SPRING, *id, 0, 0, 0);

    spring.second_anchor[2] = 1;
    spring.stiffness = 100;
    spring.damping_ratio = 0;
    spring.strength = strength;
    return join(world, &spring);
}

TEST(a_joint_breaks_above_its_strength)
{
    const scree_world_def def = plain(1e-4);
    scree_world *weak = make_world(&def, NULL), *strong = make_world(&def, NULL);
    scree_body_id id;
    size_t found;

    const scree_joint_id broken = hang(weak, 19.9, &id);
    hang(strong, 20.1, &id);
    step(weak, 10000);
    step(strong, 10000);
    const scree_event *event = find_event(weak, SCREE_EVENT_JOINT_BROKE, &found);
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(event->joint.index1, broken.index1);
    CHECK_EQUAL(event->first_serial, 1);
    CHECK_EQUAL(event->second_serial, 0);
    CHECK_NEAR(event->point[2], 1, 1e-12);
    /* (1 - cos) of 10 N is 9.9 N */
    CHECK_NEAR(event->time, acos(-0.99) / 10, 2e-4);
    CHECK_EQUAL(scree_world_joint_counts(weak).broken, 1);
    CHECK_EQUAL(scree_world_joint_counts(weak).intact, 0);
    CHECK(state_of(weak, broken).is_broken);
    CHECK_NEAR(state_of(weak, broken).force[2], 0, 0);
    CHECK_NEAR(state_of(weak, broken).lost, 0.5 * 100 * 0.199 * 0.199, 2e-3);
    CHECK_NEAR(imbalance(weak), 0, 1e-3);
    find_event(strong, SCREE_EVENT_JOINT_BROKE, &found);
    CHECK_EQUAL(found, 0);
    CHECK_EQUAL(scree_world_joint_counts(strong).intact, 1);
    scree_world_destroy(weak);
    scree_world_destroy(strong);
}

/*  After the break the pair touches. */
TEST(broken_joints_let_bodies_touch)
{
    const scree_world_def def = plain(1e-5);
    scree_body_id ids[2];
    scree_world *world = pair_of(&def, ids);
    scree_joint_def weld = joint_at(SCREE_JOINT_WELD, ids[0], 0.1, 0, 1);
    scree_body body = body_of(world, ids[1]);
    size_t found;

    weld.second = ids[1];
    weld.turn_strength = 1e-6;
    join(world, &weld);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world), 0);
    body.spin[1] = 1;
    CHECK_EQUAL(scree_world_set_body(world, ids[1], &body), SCREE_OK);
    step(world, 1);
    find_event(world, SCREE_EVENT_JOINT_BROKE, &found);
    CHECK_EQUAL(found, 1);
    step(world, 1);
    CHECK_EQUAL(contacts_of(world), 1);
    CHECK_EQUAL(scree_world_detection_stats(world).late_contacts, 0);
    scree_world_destroy(world);
}

TEST(joints_go_with_their_bodies_and_walls)
{
    scree_world_def def = plain(1e-5);
    scree_world *world = make_world(&def, NULL);
    scree_body_id ids[4];
    scree_joint_id joints[3];
    size_t found;

    for (int k = 0; k < 4; k++) {
        const scree_body_def body = ball(0.1, 0.5 * k, 0, 1);
        ids[k] = add(world, &body);
    }
    const scree_wall_id wall = add_plane(world, 0, 0, -5, 2, 1);
    scree_joint_def rod = joint_at(SCREE_JOINT_SPRING, ids[0], 0, 0, 1);
    rod.second_anchor[2] = 1;
    for (int k = 0; k < 3; k++) {
        rod.first = ids[k];
        rod.anchor[0] = 0.5 * k;
        rod.second = k < 2 ? ids[k + 1] : (scree_body_id){0, 0};
        rod.second_anchor[0] = 0.5 * (k + 1);
        rod.wall = k < 2 ? (scree_wall_id){0, 0} : wall;
        joints[k] = join(world, &rod);
    }
    step(world, 1);
    CHECK_EQUAL(scree_world_remove_body(world, ids[1]), SCREE_OK);
    CHECK_EQUAL(scree_world_joint_counts(world).intact, 1);
    CHECK_EQUAL(scree_world_joint_counts(world).lost, 2);
    scree_joint joint;
    CHECK_EQUAL(scree_world_get_joint(world, joints[0], &joint), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(state_of(world, joints[2]).id.index1, 3);
    step(world, 1);
    const scree_event *event = find_event(world, SCREE_EVENT_JOINT_LOST, &found);
    CHECK_EQUAL(found, 2);
    CHECK_EQUAL(event->joint.index1, 1);
    CHECK_EQUAL(event->second.index1, ids[1].index1);
    step(world, 1);
    find_event(world, SCREE_EVENT_JOINT_LOST, &found);
    CHECK_EQUAL(found, 0);
    CHECK_EQUAL(scree_world_remove_wall(world, wall), SCREE_OK);
    step(world, 1);
    event = find_event(world, SCREE_EVENT_JOINT_LOST, &found);
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(event->wall.index1, wall.index1);
    CHECK_EQUAL(scree_world_joint_counts(world).intact, 0);
    CHECK_EQUAL(scree_world_joint_counts(world).made, 3);
    scree_world_destroy(world);
}

TEST(a_boundary_that_removes_a_body_removes_its_joints)
{
    scree_world_def def = plain(1e-4);
    scree_body_id id;
    size_t found;

    for (int k = 0; k < 3; k++) {
        def.domain.lower[k] = -1;
        def.domain.upper[k] = 1;
        def.domain.boundary[k] = SCREE_BOUNDARY_DESTROY;
    }
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = ball(0.1, 0.9, 0, 0);
    body.velocity[0] = 50;
    id = add(world, &body);
    scree_joint_def spring = joint_at(SCREE_JOINT_SPRING, id, 0.9, 0, 0);
    spring.stiffness = 10;
    join(world, &spring);
    step(world, 100);
    find_event(world, SCREE_EVENT_JOINT_LOST, &found);
    CHECK_EQUAL(found, 1);
    CHECK_EQUAL(scree_world_joint_counts(world).lost, 1);
    CHECK_NEAR(imbalance(world), 0, 1e-2 * scree_world_energy(world).removed);
    scree_world_destroy(world);
}

/* ---- walls that move, and periodic boundaries ---- */

/*  A rod on a wall that swings does its work. */
TEST(a_wall_that_moves_takes_its_bodies_along)
{
    const scree_world_def def = plain(1e-5);
    scree_world *world = make_world(&def, NULL);
    scree_wall_def wall = scree_default_wall_def();
    scree_wall_id id;
    scree_body_def body = ball(0.1, 0, 0, -0.2);

    body.mass = 1;
    wall.material.index1 = 1;
    wall.point[2] = 1;
    wall.normal[2] = -1;
    wall.path.axis[2] = 1;
    wall.path.rate = 3;
    CHECK_EQUAL(scree_world_add_wall(world, &wall, &id), SCREE_OK);
    body.position[0] = 0.3;
    scree_joint_def weld = joint_at(SCREE_JOINT_WELD, add(world, &body), 0, 0, 0);
    weld.wall = id;
    weld.damping_ratio = 1;
    const scree_joint_id joint = join(world, &weld);
    step(world, 100000);
    body.position[0] = 0.3 * cos(3);
    body.position[1] = 0.3 * sin(3);
    const scree_body now = body_of(world, weld.first);
    CHECK_NEAR(now.position[0], body.position[0], 1e-3);
    CHECK_NEAR(now.position[1], body.position[1], 1e-3);
    CHECK_NEAR(now.spin[2], 3, 1e-2);
    /* it is pulled inward */
    const double *force = state_of(world, joint).force;
    CHECK_NEAR(sqrt(force[0] * force[0] + force[1] * force[1]), 9 * 0.3, 1e-2);
    CHECK(scree_world_energy(world).walls > 0.4);
    CHECK_NEAR(imbalance(world), 0, 1e-3);
    scree_world_destroy(world);
}

/*  A chain of two spheres falls across a boundary as it does in free space. */
TEST(joints_reach_across_periodic_boundaries)
{
    scree_world *worlds[2];
    scree_body_id last[2];

    for (int periodic = 0; periodic < 2; periodic++) {
        scree_world_def def = plain(1e-4);
        scree_body_id ids[2];
        for (int k = 0; periodic && k < 3; k++) {
            def.domain.lower[k] = -1;
            def.domain.upper[k] = 1;
            def.domain.boundary[k] = SCREE_BOUNDARY_PERIODIC;
        }
        scree_world *world = worlds[periodic] = make_world(&def, NULL);
        for (int k = 0; k < 2; k++) {
            scree_body_def body = ball(0.1, periodic && k ? -0.8 : 0.8 + 0.4 * k, 0, 0);
            body.velocity[0] = 3;
            body.spin[1] = k;
            body.mass = 1;
            ids[k] = last[periodic] = add(world, &body);
        }
        scree_joint_def hinge = joint_at(SCREE_JOINT_HINGE, ids[0], periodic ? -1 : 1, 0, 0);
        set_axis(&hinge, 0, 1, 0);
        hinge.second = ids[1];
        join(world, &hinge);
        scree_joint_def spring = joint_at(SCREE_JOINT_SPRING, ids[0], 0.8, 0, 0.1);
        spring.second_anchor[2] = 0.5;
        spring.second_anchor[0] = periodic ? -1 : 1;
        spring.stiffness = 30;
        join(world, &spring);
        step(world, 3000);
    }
    for (int k = 0; k < 3; k++) {
        const scree_body a = body_of(worlds[0], last[0]), b = body_of(worlds[1], last[1]);
        CHECK_NEAR(a.velocity[k], b.velocity[k], 1e-9);
        CHECK_NEAR(a.position[k], b.position[k] + (k == 0 ? 2 * floor((a.position[0] + 1) / 2) : 0),
                   1e-9);
    }
    CHECK_NEAR(imbalance(worlds[0]), imbalance(worlds[1]), 1e-9);
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

/* ---- the time step ---- */

TEST(stiff_joints_limit_the_stable_step)
{
    const scree_world_def def = plain(1e-4);
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = ball(0.1, 0, 0, 0);
    scree_stable_step stable;

    body.mass = 1;
    scree_joint_def joint = joint_at(SCREE_JOINT_BALL, add(world, &body), 0, 0, 0);
    joint.stiffness = 1e4;
    joint.damping_ratio = 0;
    const scree_joint_id id = join(world, &joint);
    CHECK_EQUAL(scree_world_stable_step(world, &stable), SCREE_OK);
    CHECK_NEAR(stable.springs, 0.01, 1e-12);
    CHECK(stable.dt <= 0.014 && stable.dt > 0.009);
    CHECK_EQUAL(stable.body.index1, joint.first.index1);
    CHECK_EQUAL(scree_world_remove_joint(world, id), SCREE_OK);
    /* a chosen stiffness leaves the step as it is */
    joint.stiffness = 0;
    joint.damping_ratio = 0.1;
    for (int k = 0; k < 8; k++)
        join(world, &joint);
    CHECK_EQUAL(scree_world_stable_step(world, &stable), SCREE_OK);
    CHECK(stable.dt >= 1e-4);
    scree_world_destroy(world);
}

TEST(automatic_steps_follow_joints)
{
    scree_world_def def = plain(0);
    def.step.mode = SCREE_TIME_AUTOMATIC;
    scree_world *world = make_world(&def, NULL);
    scree_body_def body = ball(0.1, 0.3, 0, 0);

    body.mass = 1;
    scree_joint_def joint = joint_at(SCREE_JOINT_BALL, add(world, &body), 0, 0, 0);
    CHECK_EQUAL(scree_world_add_joint(world, &joint, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "stiffness must be given");
    joint.stiffness = 1e5;
    join(world, &joint);
    step(world, 100);
    const double dt = scree_world_clock(world).dt;
    /* the lever arm makes the rotation the fastest mode */
    CHECK(dt < sqrt(0.4 * 0.01 / 0.09 / 1e5));
    joint.stiffness = 0;
    join(world, &joint);
    step(world, 100);
    CHECK(scree_world_clock(world).dt > 0.8 * dt);
    scree_world_destroy(world);
}

/* ---- two dimensions ---- */

TEST(joints_work_in_two_dimensions)
{
    scree_world_def def = fixed(1e-4);
    def.dimensions = 2;
    def.gravity[1] = -10;
    def.gravity[2] = 0;
    def.energy_balance = true;
    scree_world *world = make_world(&def, NULL);
    scree_body_id ids[4];
    for (int k = 0; k < 4; k++) {
        scree_body_def body = ball(0.1, 0.3 * (k + 1), 0, 0);
        body.mass = 1;
        ids[k] = add(world, &body);
    }
    static const scree_joint_kind kinds[4] = {SCREE_JOINT_HINGE, SCREE_JOINT_WELD,
                                              SCREE_JOINT_SLIDER, SCREE_JOINT_SPRING};
    for (int k = 0; k < 4; k++) {
        scree_joint_def joint = joint_at(kinds[k], ids[LIMIT(k, 3)], 0.3 * k, 0, 0);
        if (k)
            joint.second = ids[k - 1];
        if (kinds[k] == SCREE_JOINT_SPRING)
            joint.second_anchor[0] = 1;
        if (kinds[k] == SCREE_JOINT_SLIDER) {
            joint.lower = -0.1;
            joint.upper = 0.1;
        }
        join(world, &joint);
    }
    step(world, 10000);
    for (int k = 0; k < 4; k++) {
        const scree_body body = body_of(world, ids[k]);
        CHECK_NEAR(body.position[2], 0, 0);
        CHECK_NEAR(body.spin[0], 0, 0);
        CHECK_NEAR(body.spin[1], 0, 0);
        CHECK(body.position[1] < 0);
    }
    CHECK_NEAR(imbalance(world), 0, 0.02);
    const scree_joint_def ball_joint = joint_at(SCREE_JOINT_BALL, ids[0], 0, 0, 0);
    CHECK_EQUAL(scree_world_add_joint(world, &ball_joint, NULL), SCREE_BAD_ARGUMENT);
    scree_world_destroy(world);
}

/* ---- the same by all ways ---- */

/*  A net of spheres with joints of all kinds that falls on a floor; some joints break. */
static scree_world *open_net(uint32_t threads, uint32_t sort_every, const char *method)
{
    scree_world_def def = plain(1e-5);
    scree_body_id ids[64];

    def.compute.thread_count = threads;
    def.detection.sort_every = sort_every;
    def.detection.method = method;
    scree_world *world = make_world(&def, NULL);
    for (int k = 0; k < 64; k++) {
        scree_body_def body = ball(0.01, 0.025 * (k % 8), 0.025 * (k / 8), 0.02 + 0.001 * (k % 3));
        body.velocity[2] = -1 - 0.1 * (k % 5);
        body.spin[k % 3] = 3;
        ids[k] = add(world, &body);
    }
    add_plane(world, 0, 0, 0, 2, 1);
    for (int k = 0; k < 64; k++) {
        const int kind = k % 5, right = k % 8 < 7 ? k + 1 : k - 7;
        const scree_body body = body_of(world, ids[k]), other = body_of(world, ids[right]);
        scree_joint_def joint = joint_at((scree_joint_kind)kind, ids[k], 0, 0, 0);
        for (int c = 0; c < 3; c++) {
            const double middle = (body.position[c] + other.position[c]) / 2;
            joint.anchor[c] = kind == SCREE_JOINT_SPRING ? body.position[c] : middle;
            joint.second_anchor[c] = kind == SCREE_JOINT_SPRING ? other.position[c] : 0;
        }
        joint.second = ids[right];
        joint.strength = 10;
        if (kind == SCREE_JOINT_HINGE)
            joint.motor =
                (scree_joint_motor){.mode = SCREE_MOTOR_SPEED, .target = 5, .max_effort = 1e-3};
        if (kind == SCREE_JOINT_SLIDER) {
            joint.lower = -0.002;
            joint.upper = 0.002;
        }
        join(world, &joint);
    }
    return world;
}

TEST(digests_do_not_depend_on_threads_methods_or_order)
{
    uint64_t digest = 0, broken = 0;
    static const struct
    {
        uint32_t threads;
        uint32_t sort_every;
        const char *method;
    } ways[] = {{1, 0, "flat"}, {4, 0, "flat"}, {2, 7, "bvh8"}, {3, 100, "auto"}};

    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        scree_world *world = open_net(ways[w].threads, ways[w].sort_every, ways[w].method);
        step(world, 4000);
        const uint64_t found = scree_world_digest(world);
        CHECK_EQUAL(found, w ? digest : found);
        digest = found;
        broken = scree_world_joint_counts(world).broken;
        scree_world_destroy(world);
    }
    CHECK(broken > 0 && broken < 64);
}

TEST(it_goes_through_snapshots_and_files)
{
    scree_world *world = open_net(1, 0, "flat");
    scree_snapshot *snapshot;

    enter_folder();
    step(world, 1700);
    const uint64_t middle = scree_world_digest(world);
    CHECK_EQUAL(scree_world_snapshot(world, &snapshot), SCREE_OK);
    CHECK_EQUAL(scree_checkpoint_write(world, path_of("joints.scree"), NULL, 0, NULL), SCREE_OK);
    scree_checkpoint *checkpoint = read_from(path_of("joints.scree"));
    scree_world *read = world_of(checkpoint, NULL);
    CHECK_EQUAL(scree_world_digest(read), middle);
    const uint64_t broken_then = scree_world_joint_counts(world).broken;
    step(world, 2300);
    step(read, 2300);
    const uint64_t end = scree_world_digest(world);
    CHECK_EQUAL(scree_world_digest(read), end);
    CHECK_EQUAL(scree_world_restore(world, snapshot), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(world), middle);
    CHECK_EQUAL(scree_world_joint_counts(world).broken, broken_then);
    step(world, 2300);
    CHECK_EQUAL(scree_world_digest(world), end);
    scree_world_def def = scree_default_world_def();
    scree_world *copy;
    CHECK_EQUAL(scree_world_copy(world, &def, &copy), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(copy), end);
    scree_world_destroy(copy);
    scree_world_destroy(read);
    scree_world_destroy(world);
    scree_snapshot_destroy(snapshot);
    scree_checkpoint_destroy(checkpoint);
    CHECK_EQUAL(remove(path_of("joints.scree")), 0);
    leave_folder();
}

TEST(each_field_counts_in_the_digest)
{
    const scree_world_def def = plain(1e-4);
    scree_world *world = make_world(&def, NULL);
    scree_body_id id;
    uint64_t last = scree_world_digest(world);

#define CHANGES(what)                                                                              \
    {                                                                                              \
        what;                                                                                      \
        const uint64_t now = scree_world_digest(world);                                            \
        CHECK(now != last);                                                                        \
        last = now;                                                                                \
    }
    const scree_joint_id spring = hang(world, 20, &id);
    scree_joint_def hinge = joint_at(SCREE_JOINT_HINGE, id, 0, 0, 0);
    scree_joint_id other;
    scree_joint_motor motor = {.mode = SCREE_MOTOR_SPEED, .target = 1, .max_effort = 1};
    CHANGES(other = join(world, &hinge))
    CHANGES(CHECK_EQUAL(scree_world_set_joint_motor(world, other, &motor), SCREE_OK))
    motor.target = 2;
    CHANGES(CHECK_EQUAL(scree_world_set_joint_motor(world, other, &motor), SCREE_OK))
    CHANGES(CHECK_EQUAL(scree_world_remove_joint(world, spring), SCREE_OK))
    CHANGES(CHECK_EQUAL(scree_world_remove_joint(world, other), SCREE_OK))
#undef CHANGES
    scree_world_destroy(world);
}

/* ---- refusals ---- */

TEST(nonsense_is_refused)
{
    const scree_world_def def = plain(1e-4);
    scree_world *world = make_world(&def, NULL);
    const scree_body_def body = ball(0.1, 0, 0, 0);
    scree_body_def stone = ball(0.1, 1, 0, 0);
    stone.type = SCREE_BODY_STATIC;
    const scree_body_id id = add(world, &body), fixed_id = add(world, &stone);
    const uint64_t before = scree_world_digest(world);

#define BAD(kind, status, change, words)                                                           \
    {                                                                                              \
        scree_joint_def joint = joint_at(kind, id, 0, 0, 0);                                       \
        change;                                                                                    \
        CHECK_EQUAL(scree_world_add_joint(world, &joint, NULL), status);                           \
        CHECK_SAYS(scree_world_message(world), words);                                             \
        CHECK_EQUAL(scree_world_digest(world), before);                                            \
    }
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_DEF, joint.cookie = 1, "scree_default_joint_def")
    BAD((scree_joint_kind)9, SCREE_BAD_VALUE, (void)0, "kind is 9")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.first.index1 = 77, "first names no body")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.second.index1 = 77, "second names no body")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.second = id, "same body")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.wall.index1 = 7, "wall")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.first = fixed_id, "neither end can move")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.anchor[1] = NAN, "anchor[1]")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.axis[2] = 0, "length of axis")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.stiffness = -1, "stiffness is -1")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.turn_stiffness = NAN, "turn_stiffness")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.damping_ratio = 1.5, "damping_ratio is 1.5")
    BAD(SCREE_JOINT_SPRING, SCREE_BAD_VALUE, joint.rest_length = INFINITY, "rest_length")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.strength = 0, "strength is 0")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.turn_strength = NAN, "turn_strength")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, (joint.lower = 2, joint.upper = 1), "upper is 1")
    BAD(SCREE_JOINT_WELD, SCREE_BAD_ARGUMENT, joint.upper = 1, "a weld moves nowhere")
    BAD(SCREE_JOINT_BALL, SCREE_BAD_ARGUMENT, joint.lower = -1, "largest tilt")
    BAD(SCREE_JOINT_SPRING, SCREE_BAD_ARGUMENT, joint.turn_stiffness = 1, "holds no rotation")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.rest_length = 1, "only springs")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_ARGUMENT, joint.second_anchor[0] = 1, "two anchors")
    BAD(SCREE_JOINT_WELD, SCREE_BAD_ARGUMENT, set_axis(&joint, 1, 0, 0), "no axis")
    BAD(SCREE_JOINT_BALL, SCREE_BAD_ARGUMENT,
        (joint.motor.mode = SCREE_MOTOR_SPEED, joint.motor.max_effort = 1), "have motors")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.motor.mode = SCREE_MOTOR_SPEED, "max_effort is 0")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.motor.mode = (scree_motor_mode)7, "motor.mode")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.motor.target = NAN, "motor.target")
    BAD(SCREE_JOINT_HINGE, SCREE_BAD_VALUE, joint.motor.damping = -1, "motor.damping")
#undef BAD
    const scree_joint_id none = {5, 1};
    CHECK_EQUAL(scree_world_remove_joint(world, none), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_set_joint_motor(world, none, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_add_joint(NULL, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_joints(NULL, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_joint_counts(NULL).made, 0);
    scree_world_destroy(world);
}

/*  A world that excludes joints, and joints that exclude the same. */
TEST(what_excludes_joints_is_named)
{
    scree_world_def def = plain(1e-4);
    const scree_body_def body = ball(0.1, 0, 0, 0);

#define EXCLUDED(change, words)                                                                    \
    {                                                                                              \
        scree_world_def changed = def;                                                             \
        changed.events = false;                                                                    \
        changed.energy_balance = false;                                                            \
        change;                                                                                    \
        scree_world *world = make_world(&changed, NULL);                                           \
        const scree_joint_def joint = joint_at(SCREE_JOINT_HINGE, add(world, &body), 0, 0, 0);     \
        CHECK_EQUAL(scree_world_add_joint(world, &joint, NULL), SCREE_BAD_ARGUMENT);               \
        CHECK_SAYS(scree_world_message(world), words);                                             \
        scree_world_destroy(world);                                                                \
    }
    EXCLUDED(changed.step.integrator = SCREE_IMPLICIT_EULER, "implicit integrators")
    EXCLUDED(changed.step.local_steps = 4, "local steps")
#undef EXCLUDED
    scree_world *world = make_world(&def, NULL);
    scree_sleep_def sleep = scree_default_sleep_def();
    scree_joint_def joint = joint_at(SCREE_JOINT_HINGE, add(world, &body), 0, 0, 0);
    sleep.speed = 1;
    CHECK_EQUAL(scree_world_set_sleep(world, &sleep), SCREE_OK);
    CHECK_EQUAL(scree_world_add_joint(world, &joint, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "bodies that sleep");
    CHECK_EQUAL(scree_world_set_sleep(world, NULL), SCREE_OK);
    const scree_wall_id wall = add_plane(world, 0, 0, -1, 2, 1);
    scree_free_wall_def free_wall = scree_default_free_wall_def();
    free_wall.mass = 1;
    free_wall.inertia[0] = free_wall.inertia[1] = free_wall.inertia[2] = 1;
    CHECK_EQUAL(scree_world_set_free_wall(world, wall, &free_wall), SCREE_OK);
    joint.wall = wall;
    CHECK_EQUAL(scree_world_add_joint(world, &joint, NULL), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "is free");
    CHECK_EQUAL(scree_world_set_free_wall(world, wall, NULL), SCREE_OK);
    join(world, &joint);
    CHECK_EQUAL(scree_world_set_free_wall(world, wall, &free_wall), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "has joints");
    CHECK_EQUAL(scree_world_set_sleep(world, &sleep), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(scree_world_message(world), "joints");
    char why[256];
    CHECK(scree_world_device_refusals(world, why, sizeof why) > 0);
    CHECK_SAYS(why, "joints");
    scree_world_destroy(world);
}

TEST(damaged_files_are_refused)
{
    scree_world *net = open_net(1, 0, "flat");
    scree_checkpoint *checkpoint;
    scree_checkpoint_section section, course;
    scree_error error = {SCREE_OK, ""};

    enter_folder();
    step(net, 1);
    const file_bytes file = bytes_of(net);
    unsigned char *copy = malloc(file.count);
    CHECK(copy);
    CHECK_EQUAL(scree_checkpoint_read_bytes(file.data, file.count, NULL, &checkpoint, NULL),
                SCREE_OK);
    CHECK(scree_checkpoint_section_of(checkpoint, "state.joint", &section));
    CHECK(scree_checkpoint_section_of(checkpoint, "state.joints", &course));
    CHECK_EQUAL(section.rows, 64);
    CHECK_EQUAL(section.row_bytes, sizeof(scree_packed_joint));
    scree_checkpoint_destroy(checkpoint);
#define DAMAGED(type, at, words, change)                                                           \
    {                                                                                              \
        type packed[2], *is = packed;                                                              \
        scree_world *world;                                                                        \
        memcpy(copy, file.data, file.count);                                                       \
        memcpy(packed, copy + (at).offset, (at).rows > 1 ? sizeof packed : sizeof *packed);        \
        change;                                                                                    \
        memcpy(copy + (at).offset, packed, (at).rows > 1 ? sizeof packed : sizeof *packed);        \
        repair_checksums(copy, file.count);                                                        \
        scree_status status =                                                                      \
            scree_checkpoint_read_bytes(copy, file.count, NULL, &checkpoint, &error);              \
        if (!status) {                                                                             \
            status = scree_checkpoint_world(checkpoint, NULL, &world, &error);                     \
            if (!status)                                                                           \
                FAIL("%s was accepted", #change);                                                  \
            scree_checkpoint_destroy(checkpoint);                                                  \
        }                                                                                          \
        CHECK_SAYS(error.text, words);                                                             \
    }
#define BAD(words, change) DAMAGED(scree_packed_joint, section, words, change)
    BAD("do not ascend", is[1].number = 1)
    BAD("do not ascend", is->number = UINT64_MAX)
    BAD("do not exist", is->first = 0)
    BAD("do not exist", is->first = 65)
    BAD("do not exist", is->second = is->first)
    BAD("do not exist", is->wall = 2)
    BAD("do not exist", is->wall = 1)
    BAD("do not exist", is->kind = 5)
    BAD("do not exist", is->motor_mode = 3)
    BAD("an impossible joint", is->collide = 2)
    BAD("an impossible joint", is->is_broken = 2)
    BAD("an impossible joint", is->point[1][2] = NAN)
    BAD("an impossible joint", is->frame[1][0] = 2)
    BAD("an impossible joint", is->stiffness = -1)
    BAD("an impossible joint", is->turn_dashpot = INFINITY)
    BAD("an impossible joint", is->lower = NAN)
    BAD("an impossible joint", is->strength = 0)
    BAD("an impossible joint", is->target = NAN)
    BAD("an impossible joint", is->position = INFINITY)
    BAD("an impossible joint", is->given = NAN)
#undef BAD
#define BAD(change)                                                                                \
    DAMAGED(scree_joint_course, course, "impossible numbers or energies of joints", change)
    BAD(is->broken = is->made + 1)
    BAD(is->lost = is->made + 1)
    BAD(is->damping = NAN)
    BAD(is->boundary = INFINITY)
#undef BAD
#undef DAMAGED
    free(file.data);
    free(copy);
    scree_world_destroy(net);
    leave_folder();
}

/*  Whichever request for memory fails, there is a message, and the world is as before, or continues. */
TEST(memory_may_run_out)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = plain(1e-5);
        scree_body_id ids[2];
        def.hooks.allocator = failing_allocator_hooks(&memory);
        scree_world *world = pair_of(&def, ids);
        step(world, 1);
        scree_joint_def weld = joint_at(SCREE_JOINT_WELD, ids[0], 0.1, 0, 1);
        const scree_joint *joints;
        size_t count;
        weld.second = ids[1];
        const uint64_t before = scree_world_digest(world);
        memory.fail_at = atomic_load(&memory.requests) + k;
        if (scree_world_add_joint(world, &weld, NULL)) {
            CHECK_SAYS(scree_world_message(world), "out of memory");
            CHECK_EQUAL(scree_world_digest(world), before);
        } else if (scree_world_step(world, 2)) {
            CHECK_SAYS(scree_world_message(world), "memory");
            step(world, 2);
        }
        (void)scree_world_joints(world, &joints, &count);
        const bool has_failed = atomic_load(&memory.failures) > 0;
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
        if (!has_failed)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(joined_bodies_do_not_touch_with_any_method),
        CASE(a_body_does_not_touch_the_wall_that_it_is_joined_to),
        CASE(a_joint_breaks_above_its_strength),
        CASE(broken_joints_let_bodies_touch),
        CASE(joints_go_with_their_bodies_and_walls),
        CASE(a_boundary_that_removes_a_body_removes_its_joints),
        CASE(a_wall_that_moves_takes_its_bodies_along),
        CASE(joints_reach_across_periodic_boundaries),
        CASE(stiff_joints_limit_the_stable_step),
        CASE(automatic_steps_follow_joints),
        CASE(joints_work_in_two_dimensions),
        CASE(digests_do_not_depend_on_threads_methods_or_order),
        CASE(it_goes_through_snapshots_and_files),
        CASE(each_field_counts_in_the_digest),
        CASE(nonsense_is_refused),
        CASE(what_excludes_joints_is_named),
        CASE(damaged_files_are_refused),
        CASE(memory_may_run_out),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
