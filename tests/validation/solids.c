/*  Blocks and clumps: free rotation for very many steps, a block on a slope, and dominoes. */
#include "cases.h"
#include "reference.h"
#include "rig.h"
#include "scree/shape.h"

#include <math.h>
#include <string.h>

#define G 9.81

/* ---- shapes ---- */

/*  The convex hull of a box's corners, with round edges. */
static scree_mesh *make_box(validation *v, double x, double y, double z)
{
    double corner[24];
    scree_mesh *mesh = NULL;
    scree_error error = {SCREE_OK, ""};

    for (int k = 0; k < 8; k++) {
        corner[3 * k] = (k & 1 ? 0.5 : -0.5) * x;
        corner[3 * k + 1] = (k & 2 ? 0.5 : -0.5) * y;
        corner[3 * k + 2] = (k & 4 ? 0.5 : -0.5) * z;
    }
    scree_hull_def def = scree_default_hull_def();
    def.points = corner;
    def.point_count = 8;
    def.error = &error;
    if (scree_mesh_hull(&def, &mesh))
        validation_failed(v, "a box: %s", error.text);
    return mesh;
}

static scree_clump *make_clump(validation *v)
{
    static const scree_pebble pebbles[] = {{{0, 0, 0}, 0.1},
                                           {{0.12, 0.02, 0}, 0.07},
                                           {{-0.05, 0.11, 0.03}, 0.06},
                                           {{0.01, -0.02, 0.13}, 0.05}};
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump = NULL;
    scree_error error = {SCREE_OK, ""};

    def.pebbles = pebbles;
    def.pebble_count = sizeof pebbles / sizeof *pebbles;
    def.error = &error;
    if (scree_clump_create(&def, &clump))
        validation_failed(v, "a clump: %s", error.text);
    return clump;
}

/* ---- free rotation ---- */

static double length_of(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static void tumble(validation *v, scree_shape shape, const char *what)
{
    uint64_t rounds = 100, steps = v->full ? 10000 : 100;
    scree_world_def def = rig_def(1e-4);
    rig r = rig_open(v, &def);
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    double worst = 0, drift = 0;

    body.material = rig_material(&r, &material);
    body.shape = shape;
    body.spin[0] = 5;
    body.spin[1] = 31;
    body.spin[2] = -12;
    rig_add(&r, &body);
    rig_step(&r, 1);
    double energy = rig_motion(&r);
    scree_totals start = scree_world_totals(r.world);
    for (uint64_t k = 0; k < rounds && rig_step(&r, steps); k++) {
        scree_totals now = scree_world_totals(r.world);
        double gone[3];
        for (int a = 0; a < 3; a++)
            gone[a] = now.angular_momentum[a] - start.angular_momentum[a];
        worst = fmax(worst, fabs(rig_motion(&r) / energy - 1));
        drift = fmax(drift, length_of(gone) / length_of(start.angular_momentum));
    }
    validation_at_most(v, "[F]", 1e-5, worst, "%s: energy, largest relative change, %.0e steps",
                       what, (double)(rounds * steps));
    validation_at_most(v, "[F]", 1e-9, drift,
                       "%s: angular momentum in space, largest relative change", what);
    rig_close(&r);
}

/* ---- a block on a slope ---- */

typedef struct slope_end
{
    double tilt, acceleration;
} slope_end;

/*  A block that has come to rest, and then the floor is tilted. */
static slope_end tilt(validation *v, double width, double height, double skin, double slope,
                      double friction)
{
    scree_mesh *mesh = make_box(v, width, width, height);
    scree_world_def def = rig_def(2e-5);
    slope_end found = {NAN, NAN};
    scree_body_def body = scree_default_body_def();
    scree_material_def material = scree_default_material_def();

    def.gravity[2] = -G;
    rig r = rig_open(v, &def);
    material.friction = friction;
    material.restitution = 0.3;
    material.stiffness = 2e5;
    body.material = rig_material(&r, &material);
    rig_law(&r, "linear", NULL, 0);
    rig_plane(&r, body.material, 0, 0, 0, 0, 0, 1);
    body.shape = scree_shape_block(mesh, skin);
    body.position[2] = height / 2 + skin - 1e-5;
    scree_body_id id = rig_add(&r, &body);
    rig_step(&r, 10000);
    for (int k = 1; k <= 100 && !r.status; k++) {
        const double angle = slope * k / 100, down[3] = {G * sin(angle), 0, -G * cos(angle)};
        scree_world_set_gravity(r.world, down);
        rig_step(&r, 200);
    }
    rig_step(&r, 20000);
    scree_body late = rig_body(&r, id);
    rig_step(&r, 10000);
    scree_body end = rig_body(&r, id);
    const double *q = end.orientation;
    found.tilt = acos(fmin(1, 1 - 2 * (q[1] * q[1] + q[2] * q[2])));
    found.acceleration = (end.velocity[0] - late.velocity[0]) / (10000 * def.step.dt);
    rig_close(&r);
    scree_mesh_destroy(mesh);
    return found;
}

static void slide(validation *v)
{
    const double friction = 0.4;

    for (int k = 0; k < (v->full ? 4 : 2); k++) {
        const double angle = atan(friction) * (1.1 + 0.2 * k);
        slope_end end = tilt(v, 0.1, 0.05, 0.002, angle, friction);
        validation_relative(v, "[F] g (sin - mu cos)", G * (sin(angle) - friction * cos(angle)),
                            end.acceleration, 0.01,
                            "cube's half on a slope of %.1f degrees, mu = 0.4: acceleration, m/s^2",
                            angle * 180 / VALIDATION_PI);
    }
    slope_end rest = tilt(v, 0.1, 0.05, 0.002, 0.98 * atan(friction), friction);
    validation_at_most(v, "[F]", 1e-4, fabs(rest.acceleration),
                       "the same at 0.98 of the angle of friction: acceleration, m/s^2");
}

/*  Between an angle at which it stands and one at which it falls, halved again and again. */
static void tip(validation *v)
{
    const double width = 0.1, height = 0.3, skin = 0.002;
    const double critical = atan(width / (height + 2 * skin));
    double stands = 0.9 * critical, falls = 1.1 * critical;

    for (int k = 0; k < (v->full ? 6 : 3); k++) {
        double middle = 0.5 * (stands + falls);
        if (tilt(v, width, height, skin, middle, 5).tilt > 0.1)
            falls = middle;
        else
            stands = middle;
    }
    validation_relative(v, "[F] atan(w / (h + 2 r))", critical * 180 / VALIDATION_PI,
                        0.5 * (stands + falls) * 180 / VALIDATION_PI, 0.03,
                        "block three times as high as wide: angle at which it tips, degrees");
}

/* ---- dominoes ---- */

#define DOMINOES 16

/*  Time from domino to domino once the wave has got going: each is counted when it is tilted by a tenth. */
static double domino_speed(validation *v, double height)
{
    const double thick = 0.2 * height, wide = 0.5 * height, apart = 0.5 * height;
    scree_mesh *mesh = make_box(v, thick, wide, height);
    scree_world_def def = rig_def(2e-5 * sqrt(height / 0.05));
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_body_id id[DOMINOES];
    double at[DOMINOES] = {0}, skin = 0.02 * height;
    int fallen = 0;

    def.gravity[2] = -G;
    rig r = rig_open(v, &def);
    material.friction = 0.2;
    material.restitution = 0.5;
    /* weights press as deep, in heights, whatever these are */
    material.stiffness = 2e4 * (height / 0.05) * (height / 0.05);
    body.material = rig_material(&r, &material);
    rig_law(&r, "linear", NULL, 0);
    rig_plane(&r, body.material, 0, 0, 0, 0, 0, 1);
    body.shape = scree_shape_block(mesh, skin);
    for (int k = 0; k < DOMINOES; k++) {
        body.position[0] = k * apart;
        body.position[2] = 0.5 * height + skin;
        body.spin[1] = k == 0 ? 25 * sqrt(0.05 / height) : 0;
        id[k] = rig_add(&r, &body);
    }
    for (long n = 0; fallen < DOMINOES && n < 5000 && rig_step(&r, 20); n++) {
        const scree_body body_now = rig_body(&r, id[fallen]);
        const double *q = body_now.orientation;
        if (1 - 2 * (q[1] * q[1] + q[2] * q[2]) < cos(0.1))
            at[fallen++] = rig_time(&r);
    }
    rig_close(&r);
    scree_mesh_destroy(mesh);
    if (fallen < DOMINOES)
        return NAN;
    return apart * (DOMINOES - 1 - DOMINOES / 2) / (at[DOMINOES - 1] - at[DOMINOES / 2]);
}

static void dominoes(validation *v)
{
    double small = domino_speed(v, 0.05), large = domino_speed(v, 0.2);

    validation_relative(v, "[F] sqrt of the scale", 2, large / small, 0.02,
                        "dominoes four times as large: speed of the wave over that of the small");
    validation_between(v, "[F] order of sqrt(g h)", 0.5, 3, small / sqrt(G * 0.05),
                       "16 dominoes half a height apart: speed over sqrt(g h)");
}

void validate_solids(validation *v)
{
    scree_mesh *mesh;
    scree_clump *clump;

    validation_begin(
        v, "14. Blocks and clumps",
        "A block and a clump that tumble freely; a block on a slope, which slides where "
        "tan of the angle is above the friction and tips where its centre is beyond its edge; "
        "dominoes, whose wave goes as the square root of gravity times their height.");
    mesh = make_box(v, 0.1, 0.2, 0.3);
    tumble(v, scree_shape_block(mesh, 0.01), "block 1 x 2 x 3");
    scree_mesh_destroy(mesh);
    clump = make_clump(v);
    tumble(v, scree_shape_clump(clump), "clump of four");
    scree_clump_destroy(clump);
    slide(v);
    tip(v);
    dominoes(v);
}
