/*  Servo walls: a column and a lattice of spheres shorten as Hertz says; a random packing is pressed from all sides; and
    the triaxial test, in which the sides hold their stress while the ends go on. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

#define R 1e-3
#define YOUNG 1e7
#define STRESS 1e4
#define MAX_SPEED 0.2
/*  With 8e-6 s, a third of the stable step of the springs, dashpots keep grains turning to and fro from step to step: half of all
    contacts slip, and a packing has half of its strength. */
#define DT 3e-6

typedef struct cell
{
    rig r;
    scree_wall_id wall[6];
    size_t count;
} cell;

static scree_material_id grains(rig *r, double friction)
{
    scree_material_def material = rig_elastic(2500, YOUNG, 0.3);
    material.restitution = 0.3;
    material.friction = friction;
    return rig_material(r, &material);
}

/*  Walls without friction around nothing. */
static cell cell_open(validation *v, double friction, const double size[3], double dt)
{
    scree_world_def def = rig_def(dt);
    cell c = {.r = rig_open(v, &def)};
    const double lower[3] = {0};
    grains(&c.r, friction);
    rig_box(&c.r, grains(&c.r, 0), lower, size, 3);
    if (!c.r.status)
        scree_world_walls(c.r.world, c.wall, 6);
    return c;
}

static void put(cell *c, double radius, const double at[3])
{
    scree_body_def body = rig_sphere((scree_material_id){1}, radius, at[0], at[1], at[2]);
    rig_add(&c->r, &body);
    c->count++;
}

static void set_servo(cell *c, int side, const scree_wall_servo_def *servo)
{
    if (!c->r.status && scree_world_set_wall_servo(c->r.world, c->wall[side], servo)) {
        c->r.status = SCREE_BAD_VALUE;
        snprintf(c->r.why, sizeof c->r.why, "servo: %.200s", scree_world_message(c->r.world));
    }
}

static void drive(cell *c, double stress, double max_speed)
{
    for (int side = 0; side < 6; side++) {
        scree_wall_servo_def servo = scree_default_wall_servo_def();
        servo.stress = stress;
        servo.max_speed = max_speed;
        for (int k = 0, n = 0; k < 6; k++)
            if (k / 2 != side / 2)
                servo.between[n++] = c->wall[k];
        set_servo(c, side, &servo);
    }
}

/*  Lengths, and stresses as the mean of both sides. */
typedef struct reading
{
    double size[3], stress[3], volume, worst; /* off a side's own target, as a share */
} reading;

static reading look(cell *c)
{
    reading read = {.volume = 1};
    scree_wall wall[6];
    for (int side = 0; side < 6; side++)
        wall[side] = rig_wall(&c->r, c->wall[side]);
    for (int a = 0; a < 3; a++) {
        read.size[a] = wall[2 * a + 1].position[a] - wall[2 * a].position[a];
        read.volume *= read.size[a];
    }
    for (int side = 0; side < 6; side++) {
        int a = side / 2;
        double off = fabs(wall[side].servo.force / wall[side].servo.target - 1);
        read.stress[a] +=
            fabs(wall[side].force[a]) / 2 / (read.size[(a + 1) % 3] * read.size[(a + 2) % 3]);
        if (wall[side].servo.is_on && off > read.worst)
            read.worst = off;
    }
    return read;
}

/* ---- a column, a lattice ---- */

/*  Ten spheres between two walls that press with a force: 9 contacts of two, 2 with walls. */
static void column(validation *v)
{
    const double force = 0.05, size[3] = {8 * R, 8 * R, 20 * R};
    const double modulus = YOUNG / (2 * (1 - 0.3 * 0.3));
    cell c = cell_open(v, 0.5, size, 2e-5);
    scree_wall_servo_def servo = scree_default_wall_servo_def();
    for (int k = 0; k < 10; k++)
        put(&c, R, (const double[3]){4 * R, 4 * R, (2 * k + 1) * R});
    servo.force = force;
    servo.max_speed = MAX_SPEED;
    set_servo(&c, 4, &servo);
    set_servo(&c, 5, &servo);
    rig_step(&c.r, v->full ? 60000 : 20000);
    double bodies = pow(force / (4.0 / 3 * modulus * sqrt(R / 2)), 2.0 / 3);
    double walls = pow(force / (4.0 / 3 * modulus * sqrt(R)), 2.0 / 3);
    reading read = look(&c);
    validation_relative(v, "[F] Hertz", 9 * bodies + 2 * walls, size[2] - read.size[2], 1e-4,
                        "column of ten: shortening under %g N, m", force);
    validation_at_most(v, "[F] target", 1e-4, read.worst, "column of ten: force off its target");
    rig_close(&c.r);
}

/*  Each contact across a plane of a simple cubic lattice carries the stress on one sphere's share of the area. The
    target follows the walls: so force = stress L^2 / n^2, L = n 2 R - (n - 1) of two - 2 at walls. */
static void lattice(validation *v)
{
    enum
    {
        N = 4
    };
    const double size[3] = {2 * N * R, 2 * N * R, 2 * N * R};
    const double modulus = YOUNG / (2 * (1 - 0.3 * 0.3));
    cell c = cell_open(v, 0.5, size, 2e-5);
    for (int k = 0; k < N * N * N; k++)
        put(&c, R,
            (const double[3]){(2 * (k % N) + 1) * R, (2 * (k / N % N) + 1) * R,
                              (2 * (k / N / N) + 1) * R});
    drive(&c, STRESS, MAX_SPEED);
    rig_step(&c.r, v->full ? 60000 : 20000);
    double length = size[0];
    for (int k = 0; k < 100; k++) {
        double force = STRESS * length * length / (N * N);
        length = size[0] - (N - 1) * pow(force / (4.0 / 3 * modulus * sqrt(R / 2)), 2.0 / 3) -
                 2 * pow(force / (4.0 / 3 * modulus * sqrt(R)), 2.0 / 3);
    }
    reading read = look(&c);
    for (int a = 0; a < 3; a++)
        validation_relative(v, "[F] Hertz", size[a] - length, size[a] - read.size[a], 1e-3,
                            "cubic lattice, 10 kPa from all sides: shortening along %c, m",
                            "xyz"[a]);
    rig_close(&c.r);
}

/* ---- a random packing ---- */

/*  Bodies of 0.7 to 1.3 R, apart on a lattice and moved a little by lot, are pressed together. Of one size they
    would keep the order of the lattice. */
static cell press(validation *v, int across, double friction, cell *from, uint64_t steps)
{
    double width = from ? 0 : across * 3.2 * R;
    double size[3] = {width, width, width};
    scree_random random = scree_random_stream(7, 1);
    if (from) {
        reading read = look(from);
        memcpy(size, read.size, sizeof size);
    }
    cell c = cell_open(v, friction, size, DT);
    if (from && !from->r.status) {
        double corner[3];
        for (int a = 0; a < 3; a++)
            corner[a] = rig_wall(&from->r, from->wall[2 * a]).position[a];
        scree_bodies_view view = scree_world_bodies(from->r.world);
        for (size_t k = 0; k < view.count; k++) {
            const double *at = scree_row_at(view.position, k);
            put(&c, at[3],
                (const double[3]){at[0] - corner[0], at[1] - corner[1], at[2] - corner[2]});
        }
    }
    for (int k = 0; !from && k < across * across * across; k++) {
        double at[3] = {k % across, k / across % across, k / across / across};
        for (int a = 0; a < 3; a++)
            at[a] = (3.2 * (at[a] + 0.5) + 0.29 * (2 * scree_random_unit(&random) - 1)) * R;
        put(&c, (0.7 + 0.6 * scree_random_unit(&random)) * R, at);
    }
    drive(&c, STRESS, MAX_SPEED);
    rig_step(&c.r, steps);
    return c;
}

static void check_pressed(validation *v, cell *c, double tolerance, const char *what)
{
    reading read = look(c);
    validation_at_most(v, "[F] target", tolerance, read.worst,
                       "%s: force of a side off its target, the worst of six", what);
    for (int a = 0; a < 3; a++)
        validation_relative(v, "[F] target", STRESS, read.stress[a], tolerance,
                            "%s: stress along %c, Pa", what, "xyz"[a]);
}

static double solid_fraction(cell *c)
{
    scree_bodies_view view = scree_world_bodies(c->r.world);
    double sum = 0;
    for (size_t k = 0; k < view.count; k++)
        sum += 4 * VALIDATION_PI / 3 * pow(scree_double_at(view.radius, k), 3);
    return sum / look(c).volume;
}

/* ---- the triaxial test ---- */

typedef struct strength
{
    double peak, critical, widest,
        off; /* of q / p; volume over that at first; of the sides' stress */
} strength;

/*  The ends go together until the cell has lost so much of its height. */
static strength shear(cell *c, double strain, double rate, validation_curve *curve,
                      validation_curve *volume)
{
    strength s = {0};
    reading first = look(c);
    double speed = rate * first.size[2] / 2, late = 0;
    size_t samples = 0, at_end = 0;
    for (int side = 4; side < 6; side++) {
        scree_wall_path path = {.velocity = {0, 0, side == 4 ? speed : -speed}};
        set_servo(c, side, NULL);
        if (!c->r.status)
            scree_world_set_wall_path(c->r.world, c->wall[side], &path);
    }
    while (rig_step(&c->r, 50)) {
        reading read = look(c);
        double gone = 1 - read.size[2] / first.size[2];
        double side = (read.stress[0] + read.stress[1]) / 2;
        double ratio = (read.stress[2] - side) / ((read.stress[2] + 2 * side) / 3);
        if (gone >= strain)
            break;
        s.off += (fabs(read.stress[0] / STRESS - 1) + fabs(read.stress[1] / STRESS - 1)) / 2;
        samples++;
        s.widest = fmax(s.widest, read.volume / first.volume);
        late += gone > 0.7 * strain ? ratio : 0;
        at_end += gone > 0.7 * strain;
        s.peak = fmax(s.peak, ratio);
        if (curve && samples % 20 == 0) {
            validation_point(curve, gone, ratio);
            validation_point(volume, gone, read.volume / first.volume - 1);
        }
    }
    s.critical = at_end ? late / (double)at_end : 0;
    s.off = samples ? s.off / (double)samples : 1;
    return s;
}

static void triaxial(validation *v)
{
    int across = v->full ? 9 : 5;
    uint64_t pressing = v->full ? 60000 : 20000, settling = v->full ? 120000 : 30000;
    double strain = v->full ? 0.3 : 0.1, rate = v->full ? 1 : 3;
    cell smooth = press(v, across, 0, NULL, pressing);
    check_pressed(v, &smooth, v->full ? 0.01 : 0.03, "without friction");
    if (v->full && !smooth.r.status)
        validation_between(v, "[F] random close packing is 0.64", 0.62, 0.67,
                           solid_fraction(&smooth), "without friction: share of solid");
    cell dense = press(v, across, 0.5, &smooth, pressing / 2);
    cell loose = press(v, across, 0.5, NULL, settling);
    check_pressed(v, &loose, v->full ? 0.01 : 0.05, "friction 0.5");
    if (!v->full) {
        strength s = shear(&dense, strain, rate, NULL, NULL);
        validation_at_most(v, "[F] target", 0.03, s.off, "triaxial: stress of the sides, mean off");
        validation_between(v, "[U] few spheres", 0.3, 1.6, s.peak, "triaxial: largest q / p");
    } else {
        validation_chart *ratios = validation_add_chart(
            v, "validation-triaxial.svg", "Triaxial test: stress ratio over axial strain",
            "729 spheres, friction 0.5, sides at 10 kPa", "axial strain", "q / p");
        validation_chart *volumes = validation_add_chart(
            v, "validation-triaxial-volume.svg", "Triaxial test: volume over axial strain",
            "above 0: it dilates", "axial strain", "change of volume");
        validation_curve *a = validation_add_curve(ratios, "dense", false),
                         *b = validation_add_curve(ratios, "loose", true);
        validation_curve *c = validation_add_curve(volumes, "dense", false),
                         *d = validation_add_curve(volumes, "loose", true);
        strength tight = shear(&dense, strain, rate, a, c),
                 wide = shear(&loose, strain, rate, b, d);
        validation_at_most(v, "[F] target", 0.03, tight.off,
                           "dense: stress of the sides, mean off");
        validation_at_most(v, "[F] target", 0.03, wide.off, "loose: stress of the sides, mean off");
        validation_at_most(v, "[F] dense is stronger at first", 0.9, tight.critical / tight.peak,
                           "dense: q / p at the end over the largest");
        validation_between(v, "[F] it dilates", 1.03, 1.15, tight.widest,
                           "dense: largest volume over that at first");
        validation_relative(v, "[F] critical state", tight.critical, wide.critical, 0.15,
                            "q / p at the end: dense, and loose");
        validation_relative(v, "[P] Yade, 30 degrees: 107 over 50 kPa", 0.827,
                            (tight.critical + wide.critical) / 2, 0.15,
                            "q / p at the end: mean of both");
    }
    rig_close(&smooth.r);
    rig_close(&dense.r);
    rig_close(&loose.r);
}

void validate_compression(validation *v)
{
    validation_begin(
        v, "11c. Servo walls: compression and the triaxial test",
        "Spheres of 2 mm (E = 10 MPa, restitution 0.3), in random packings of 1.4 to 2.6 mm, "
        "between six planes without friction, each "
        "driven "
        "by a servo on the area between the four others; gains are the engine's. What shortens "
        "under "
        "a given force or stress does as Hertz says. Random packings are pressed with 10 kPa from "
        "a "
        "loose start; \"dense\" is one that was pressed without friction and then has it. In the "
        "triaxial test the ends go together at a strain of 1 per second (an inertial number of "
        "1e-3), "
        "while the sides hold their stress. q is the axial stress less that of the sides, p the "
        "mean "
        "of the three; the end is the last 30 % of the strain.");
    column(v);
    lattice(v);
    triaxial(v);
}
