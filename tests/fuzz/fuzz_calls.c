/*  Bytes as calls of the C interface, valid and invalid, against a model of what the host may expect: which handles name what, what was
    set last, and that a call that fails changes nothing and says why. */
#include "scree/body.h"
#include "scree/bond.h"
#include "scree/event.h"
#include "scree/joint.h"
#include "scree/query.h"
#include "scree/sleep.h"
#include "scree/wall.h"
#include "scree/wear.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BODIES 24u
#define MAX_WALLS 4u
#define MAX_CALLS 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*  For what must never be, in every build. */
static void insist(bool holds)
{
    if (!holds)
        abort();
}

/* ---- input ---- */

typedef struct input
{
    const uint8_t *next, *end;
} input;

/*  0 when the input is used up. */
static uint8_t take(input *in)
{
    return in->next < in->end ? *in->next++ : 0;
}

/*  Mostly small, so that bodies meet; now and then what no host should give. */
static double take_number(input *in)
{
    static const double special[] = {HUGE_VAL, -HUGE_VAL, 1e300,  -1e300, 1e100,  1.1e100, -1,
                                     0,        -0.0,      1e-300, 1e15,   0x1p53, 1e-9,    1e6};
    const uint8_t code = take(in);

    if (code < 240)
        return ((int)code - 120) * 0.01;
    return code == 254 || code == 255 ? (double)NAN : special[code - 240];
}

static void take_vector(input *in, double v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = take_number(in);
}

/* ---- the model ---- */

typedef struct model
{
    scree_world *world;
    scree_snapshot *snapshot; /* the one that was taken last, and what was true then */
    uint64_t saved_digest;
    scree_body_id body[MAX_BODIES], saved_body[MAX_BODIES], gone;
    scree_wall_id wall[MAX_WALLS];
    uint32_t bodies, saved_bodies, walls;
    bool can_restore; /* materials, rules and walls are those of the snapshot */
    bool may_vanish;  /* the boundary takes bodies away */
} model;

/*  A call is made: what it says of itself must be true, and a failure must change nothing. */
typedef struct call
{
    uint64_t before;
} call;

static call begin(model *m)
{
    return (call){scree_world_digest(m->world)};
}

static bool end(model *m, const call *c, scree_status status)
{
    if (!status)
        return true;
    insist(scree_world_message(m->world)[0] != 0);
    insist(scree_world_digest(m->world) == c->before);
    return false;
}

/*  One that is there, or one that is not any more, or none. */
static scree_body_id take_body(input *in, const model *m)
{
    const uint8_t code = take(in);

    if (code < 230 && m->bodies)
        return m->body[code % m->bodies];
    return code < 245 ? m->gone : (scree_body_id){code, code};
}

static bool is_there(const model *m, scree_body_id id)
{
    for (uint32_t i = 0; i < m->bodies; i++)
        if (m->body[i].index1 == id.index1 && m->body[i].generation == id.generation)
            return true;
    return false;
}

static scree_wall_id take_wall(input *in, const model *m)
{
    const uint8_t code = take(in);

    return code < 240 && m->walls ? m->wall[code % m->walls] : (scree_wall_id){code, 1};
}

/* ---- calls ---- */

static void add_body(input *in, model *m)
{
    scree_body_def def = scree_default_body_def();
    const uint8_t kind = take(in);
    scree_body_id id = {0, 0};
    call c = begin(m);

    def.shape = scree_shape_sphere(fabs(take_number(in)) * 0.3);
    def.material.index1 = kind % 8 ? 1 : kind % 3;
    def.type = (scree_body_type)(kind / 8 % 4);
    take_vector(in, def.position);
    if (kind & 128) {
        take_vector(in, def.velocity);
        take_vector(in, def.spin);
        def.flags = take(in);
        def.groups = take(in);
        def.mask = take(in);
        def.mass = take_number(in);
    }
    if (kind == 77)
        def.cookie = 0;
    if (m->bodies == MAX_BODIES)
        return;
    if (end(m, &c, scree_world_add_body(m->world, &def, &id))) {
        insist(id.index1 != 0 && !is_there(m, id) && scree_world_has_body(m->world, id));
        m->body[m->bodies++] = id;
    } else {
        insist(id.index1 == 0);
    }
}

static void remove_body(input *in, model *m)
{
    const scree_body_id id = take_body(in, m);
    const bool was_there = is_there(m, id);
    call c = begin(m);

    insist(end(m, &c, scree_world_remove_body(m->world, id)) == was_there);
    insist(!scree_world_has_body(m->world, id));
    for (uint32_t i = 0; i < m->bodies; i++)
        if (m->body[i].index1 == id.index1 && m->body[i].generation == id.generation) {
            m->gone = id;
            m->body[i] = m->body[--m->bodies];
        }
}

/*  What was written is read, and what was refused is as before. */
static void set_body(input *in, model *m)
{
    const scree_body_id id = take_body(in, m);
    const uint8_t what = take(in);
    scree_body body, read;
    call c = begin(m);

    insist((scree_world_get_body(m->world, id, &body) == SCREE_OK) == is_there(m, id));
    if (!is_there(m, id))
        return;
    if (what & 1)
        take_vector(in, body.position);
    if (what & 2)
        take_vector(in, body.velocity);
    if (what & 4)
        take_vector(in, body.spin);
    if (what & 8)
        body.groups = take(in);
    if (what & 16)
        take_vector(in, body.load);
    if (what & 32)
        body.flags = take(in);
    if (what & 64)
        body.mass = take_number(in);
    if (!end(m, &c, scree_world_set_body(m->world, id, &body)))
        return;
    insist(!scree_world_get_body(m->world, id, &read));
    insist(memcmp(read.position, body.position, sizeof read.position) == 0);
    insist(memcmp(read.velocity, body.velocity, sizeof read.velocity) == 0);
    insist(memcmp(read.load, body.load, sizeof read.load) == 0);
    insist(read.groups == body.groups && read.serial == body.serial);
}

static void push_body(input *in, model *m)
{
    const scree_body_id id = take_body(in, m);
    double v[3], read[3];
    call c = begin(m);

    take_vector(in, v);
    switch (take(in) % 4) {
    case 0:
        (void)end(m, &c, scree_body_apply_impulse(m->world, id, v, NULL));
        return;
    case 1:
        (void)end(m, &c, scree_body_set_position(m->world, id, v));
        return;
    case 2:
        (void)end(m, &c, scree_body_set_spin(m->world, id, v));
        return;
    default:
        if (end(m, &c, scree_body_set_velocity(m->world, id, v)))
            insist(!scree_body_get_velocity(m->world, id, read) &&
                   memcmp(read, v, sizeof read) == 0);
    }
}

static void add_wall(input *in, model *m)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id = {0, 0};
    call c = begin(m);

    if (m->walls == MAX_WALLS)
        return;
    def.material.index1 = take(in) % 8 ? 1 : 9;
    take_vector(in, def.point);
    take_vector(in, def.normal);
    take_vector(in, def.path.velocity);
    def.path.rate = take_number(in);
    def.path.axis[2] = take_number(in);
    if (!end(m, &c, scree_world_add_wall(m->world, &def, &id)))
        return;
    m->wall[m->walls++] = id;
    m->can_restore = false;
}

static void change_wall(input *in, model *m)
{
    const scree_wall_id id = take_wall(in, m);
    scree_wall_servo_def servo = scree_default_wall_servo_def();
    scree_free_wall_def loose = scree_default_free_wall_def();
    scree_wall_path path = scree_default_wall_def().path;
    const uint8_t what = take(in) % 10;
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    scree_wear_def wear = scree_default_wear_def();
    scree_facet_wear worn[4];
    call c = begin(m);
    scree_wall wall;

    servo.force = take_number(in);
    servo.max_speed = take_number(in);
    loose.mass = take_number(in);
    take_vector(in, path.velocity);
    switch (what) {
    case 0:
        (void)end(m, &c, scree_world_set_wall_servo(m->world, id, &servo));
        break;
    case 1:
        (void)end(m, &c, scree_world_set_wall_servo(m->world, id, NULL));
        break;
    case 2:
        (void)end(m, &c, scree_world_set_free_wall(m->world, id, &loose));
        break;
    case 3:
        (void)end(m, &c, scree_world_set_wall_path(m->world, id, &path));
        break;
    case 4:
        (void)end(m, &c, scree_world_get_wall(m->world, id, &wall));
        break;
    case 6:
        belt.rate = take_number(in);
        take_vector(in, belt.velocity);
        take_vector(in, belt.centre);
        (void)end(m, &c, scree_world_set_wall_belt(m->world, id, &belt));
        break;
    case 7:
        (void)scree_world_get_wall_belt(m->world, id, &belt);
        (void)end(m, &c, scree_world_set_wall_belt(m->world, id, NULL));
        break;
    case 8:
        wear.coefficient = take_number(in);
        wear.hardness = take_number(in);
        wear.erosion = take_number(in);
        wear.angle_exponent = take_number(in);
        (void)end(m, &c, scree_world_set_wear(m->world, id, take(in) % 4 ? &wear : NULL));
        break;
    case 9:
        (void)scree_world_get_wear(m->world, id, &wear);
        (void)end(m, &c, scree_world_wear(m->world, id, worn, 1 + take(in) % 4));
        break;
    default:
        if (!end(m, &c, scree_world_remove_wall(m->world, id)))
            break;
        m->can_restore = false;
        for (uint32_t i = 0; i < m->walls; i++)
            if (m->wall[i].index1 == id.index1 && m->wall[i].generation == id.generation)
                m->wall[i] = m->wall[--m->walls];
    }
}

static void change_settings(input *in, model *m)
{
    static const char *const methods[] = {"auto", "sweep", "grid", "nobody", ""};
    const uint8_t what = take(in);
    double v[3], read[3] = {0}, a = take_number(in), b = take_number(in);
    call c = begin(m);

    take_vector(in, v);
    switch (what % 6) {
    case 0:
        if (end(m, &c, scree_world_set_gravity(m->world, v)))
            insist(!scree_world_get_gravity(m->world, read) && memcmp(read, v, sizeof v) == 0);
        break;
    case 1:
        if (end(m, &c, scree_world_set_damping(m->world, a, b)))
            insist(!scree_world_get_damping(m->world, &read[0], &read[1]) && read[0] == a &&
                   read[1] == b);
        break;
    case 2:
        if (end(m, &c,
                scree_world_set_dt(m->world, (scree_time_mode)(what / 6 % 4), fabs(a) * 1e-3)))
            insist(!scree_world_get_dt(m->world, NULL, &read[0]) && read[0] == fabs(a) * 1e-3);
        break;
    case 3:
        (void)end(m, &c, scree_world_set_method(m->world, methods[what / 6 % 5]));
        break;
    case 4:
        if (end(m, &c, scree_world_set_friction(m->world, (scree_material_id){what / 6 % 3}, a)))
            insist(isnan(a) || scree_world_get_friction(m->world, (scree_material_id){1}) >= 0);
        break;
    default: {
        scree_sleep_def sleep = scree_default_sleep_def();
        (void)end(m, &c, scree_world_set_sleep(m->world, what & 64 ? &sleep : NULL));
    }
    }
}

static void add_rule(input *in, model *m)
{
    static const char *const laws[] = {"hertz", "linear", "bonded", "jkr", "nothing", NULL};
    static const char *const names[] = {"restitution", "friction", "stiffness", "colour"};
    scree_rule_def def = scree_default_rule_def();
    const uint8_t what = take(in);
    const double value = take_number(in);
    call c = begin(m);

    def.law = laws[what % 6];
    def.names = &names[what / 6 % 4];
    def.values = &value;
    def.value_count = what & 128 ? 1 : 0;
    if (end(m, &c, scree_world_add_rule(m->world, &def)))
        m->can_restore = false;
}

/*  Bodies may go at the boundary alone. */
static void forget_the_gone(model *m)
{
    for (uint32_t i = m->bodies; i-- > 0;)
        if (!scree_world_has_body(m->world, m->body[i])) {
            insist(m->may_vanish);
            m->gone = m->body[i];
            m->body[i] = m->body[--m->bodies];
        }
    insist(scree_world_body_count(m->world) == m->bodies);
}

static void step(input *in, model *m)
{
    const uint8_t count = take(in);
    const scree_clock before = scree_world_clock(m->world);

    for (uint32_t k = 0; k <= count % 4u; k++) {
        call c = begin(m);
        if (!end(m, &c, scree_world_step(m->world, 1)))
            break;
        forget_the_gone(m);
        insist(scree_world_clock(m->world).steps == before.steps + k + 1);
        insist(scree_world_clock(m->world).time >= before.time);
    }
}

static void look(input *in, model *m)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *contacts;
    const scree_bond *bonds;
    scree_body_hit hits[4];
    const uint8_t what = take(in);
    double a[3], b[3];
    size_t count = 0;
    scree_error error = {SCREE_OK, ""};
    call c = begin(m);

    take_vector(in, a);
    take_vector(in, b);
    if (what & 1)
        filter.body = take_body(in, m);
    if (what & 2)
        filter.wall = take_wall(in, m);
    filter.in_region = (what & 4) != 0;
    memcpy(filter.lower, a, sizeof a);
    memcpy(filter.upper, b, sizeof b);
    if (end(m, &c, scree_world_contacts(m->world, &filter, &contacts, &count)))
        for (size_t k = 0; k < count; k++)
            insist(is_there(m, contacts[k].first) &&
                   (contacts[k].second.index1 == 0 || is_there(m, contacts[k].second)));
    if (end(m, &c, scree_world_bonds(m->world, &bonds, &count)))
        for (size_t k = 0; k < count; k++)
            insist(is_there(m, bonds[k].first) && is_there(m, bonds[k].second));
    scree_query query = what & 8    ? scree_query_box(a, b)
                        : what & 16 ? scree_query_sphere(a, b[0])
                        : what & 32 ? scree_query_nearest(a, what)
                                    : scree_query_ray(a, b, what & 64 ? HUGE_VAL : b[1]);
    scree_status status = scree_world_hits(m->world, &query, hits, 4, &count, &error);
    insist(!status || error.text[0] != 0 || status == SCREE_TOO_SMALL);
    for (size_t k = 0; !status && k < count; k++)
        insist(is_there(m, hits[k].id));
    insist(scree_world_digest(m->world) == c.before);
    insist(scree_world_totals(m->world).bodies == m->bodies);
    (void)scree_world_energy(m->world);
}

static void bond(input *in, model *m)
{
    scree_bond_def def = scree_default_bond_def();
    const scree_bond_counts before = scree_world_bond_counts(m->world);
    uint64_t made = 0;
    call c = begin(m);

    def.gap = take_number(in);
    if (take(in) & 1) {
        def.first = take_body(in, m);
        def.second = take_body(in, m);
    }
    if (end(m, &c, scree_world_add_bonds(m->world, &def, &made)))
        insist(scree_world_bond_counts(m->world).made == before.made + made);
    else
        insist(made == 0);
}

/*  All joints have ends that are there. */
static void look_at_joints(const model *m)
{
    const scree_joint *joints;
    size_t count;

    insist(scree_world_joints(m->world, &joints, &count) == SCREE_OK);
    for (size_t k = 0; k < count; k++)
        insist(is_there(m, joints[k].first) &&
               (joints[k].second.index1 == 0 || is_there(m, joints[k].second)));
    insist(scree_world_joint_counts(m->world).intact <= count);
}

static void join(input *in, model *m)
{
    scree_joint_def def = scree_default_joint_def();
    const uint8_t what = take(in), ends = take(in);
    const scree_joint_id id = {take(in), 1};
    scree_joint_motor motor = {.mode = (scree_motor_mode)(what % 3), .target = take_number(in)};
    call c = begin(m);

    motor.max_effort = take_number(in);
    if (what < 60) {
        (void)end(m, &c, scree_world_remove_joint(m->world, id));
    } else if (what < 90) {
        (void)end(m, &c, scree_world_set_joint_motor(m->world, id, &motor));
    } else {
        def.kind = (scree_joint_kind)(what % 6);
        def.first = take_body(in, m);
        def.second = ends & 1 ? take_body(in, m) : (scree_body_id){0, 0};
        def.wall = ends & 2 ? take_wall(in, m) : (scree_wall_id){0, 0};
        take_vector(in, def.anchor);
        def.stiffness = ends & 4 ? take_number(in) : 0;
        def.upper = ends & 8 ? take_number(in) : INFINITY;
        def.strength = ends & 16 ? take_number(in) : INFINITY;
        def.motor = ends & 32 ? motor : def.motor;
        def.collide = (ends & 64) != 0;
        (void)end(m, &c, scree_world_add_joint(m->world, &def, NULL));
    }
    look_at_joints(m);
}

static void save_or_return(input *in, model *m)
{
    if (take(in) & 1) {
        scree_snapshot_destroy(m->snapshot);
        m->saved_digest = scree_world_digest(m->world);
        insist(scree_world_snapshot(m->world, &m->snapshot) == SCREE_OK);
        memcpy(m->saved_body, m->body, sizeof m->body);
        m->saved_bodies = m->bodies;
        m->can_restore = true;
    } else if (m->snapshot) {
        call c = begin(m);
        if (end(m, &c, scree_world_restore(m->world, m->snapshot))) {
            memcpy(m->body, m->saved_body, sizeof m->body);
            m->bodies = m->saved_bodies;
            insist(scree_world_digest(m->world) == m->saved_digest);
            forget_the_gone(m);
        } else {
            insist(!m->can_restore);
        }
    }
}

static bool open_world(input *in, model *m)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def material = scree_default_material_def();
    scree_error error = {SCREE_OK, ""};
    const uint8_t form = take(in), boundaries = take(in);

    def.hooks.error = &error;
    def.dimensions = form & 1 ? 2 : 3;
    def.step.integrator = (scree_integrator)(form / 2 % 4);
    def.step.mode = (scree_time_mode)(form / 8 % 4);
    def.step.dt = fabs(take_number(in)) * 1e-3;
    def.energy_balance = (form & 32) != 0;
    def.events = (form & 64) != 0;
    def.detection.audit = form & 128 ? 1 : 0;
    for (int k = 0; k < 3; k++) {
        def.domain.boundary[k] = (scree_boundary)(boundaries >> 2 * k & 3) + (boundaries >> 6 & 1u);
        def.domain.lower[k] = -1;
        def.domain.upper[k] = boundaries & 128 ? take_number(in) : 1;
        m->may_vanish |= def.domain.boundary[k] == SCREE_BOUNDARY_DESTROY;
    }
    if (scree_world_create(&def, &m->world)) {
        insist(error.text[0] != 0 && !m->world);
        return false;
    }
    material.young = 1e6;
    insist(scree_world_add_material(m->world, &material, NULL) == SCREE_OK);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(input *, model *) = {
        add_body, add_body, remove_body, set_body, push_body, add_wall,       change_wall,
        step,     step,     step,        look,     bond,      save_or_return, change_settings,
        add_rule, add_body, join};
    input in = {data, data + size};
    model m = {NULL};

    if (!open_world(&in, &m))
        return 0;
    for (uint32_t k = 0; k < MAX_CALLS && in.next < in.end; k++) {
        calls[take(&in) % (sizeof calls / sizeof *calls)](&in, &m);
        insist(scree_world_body_count(m.world) == m.bodies);
    }
    scree_snapshot_destroy(m.snapshot);
    scree_world_destroy(m.world);
    return 0;
}
