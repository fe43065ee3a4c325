/*  One body: falling, bouncing, sliding, rolling; and the weight of many. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81

static void free_fall(validation *v)
{
    static const double speeds[] = {0, 5, -5};
    for (size_t k = 0; k < 3; k++) {
        scree_world_def def = rig_def(0x1p-10);
        def.gravity[2] = -GRAVITY;
        rig r = rig_open(v, &def);
        scree_material_def material = rig_elastic(2500, 1e7, 0.3);
        scree_body_def sphere = rig_sphere(rig_material(&r, &material), 0.01, 0, 0, 0);
        sphere.velocity[2] = speeds[k];
        scree_body_id id = rig_add(&r, &sphere);
        rig_step(&r, v->full ? 100000 : 10000);
        double t = rig_time(&r);
        validation_relative(v, "[F] v t - g t^2 / 2", speeds[k] * t - GRAVITY * t * t / 2,
                            rig_body(&r, id).position[2], v->full ? 1e-11 : 1e-12,
                            "free fall from %g m/s, %g steps: place, m", speeds[k],
                            v->full ? 1e5 : 1e4);
        rig_close(&r);
    }
}

/*  A bed of grains with friction between walls without: the floor carries all of it. */
static void weight(validation *v)
{
    const double lower[3] = {0, 0, 0}, upper[3] = {0.06, 0.06, 1};
    scree_world_def def = rig_def(2e-5);
    def.gravity[2] = -GRAVITY;
    def.global_damping = 20;
    rig r = rig_open(v, &def);
    scree_material_def grain = scree_default_material_def(), smooth = grain;
    smooth.friction = 0;
    scree_material_id grains = rig_material(&r, &grain), walls = rig_material(&r, &smooth);
    scree_wall_id floor = rig_plane(&r, walls, 0, 0, 0, 0, 0, 1);
    rig_plane(&r, walls, lower[0], 0, 0, 1, 0, 0);
    rig_plane(&r, walls, upper[0], 0, 0, -1, 0, 0);
    rig_plane(&r, walls, 0, lower[1], 0, 0, 1, 0);
    rig_plane(&r, walls, 0, upper[1], 0, 0, -1, 0);
    scree_random random = scree_random_stream(1, 0);
    double total = 0;
    for (int k = 0; k < 200; k++) {
        double radius = scree_random_range(&random, 0.0035, 0.005);
        scree_body_def sphere = rig_sphere(grains, radius, 0.0075 + 0.011 * (k % 5),
                                           0.0075 + 0.011 * (k / 5 % 5), 0.006 + 0.011 * (k / 25));
        sphere.position[0] += scree_random_range(&random, -1e-4, 1e-4);
        scree_body_id id = rig_add(&r, &sphere);
        total += rig_body(&r, id).mass * GRAVITY;
    }
    rig_step(&r, v->full ? 150000 : 40000);
    validation_relative(v, "[F]", -total, rig_wall(&r, floor).force[2], 1e-4,
                        "settled bed of 200 grains: force on the floor, N");
    rig_close(&r);
}

static void bouncing_ball(validation *v)
{
    const double height = 0.5, e = 0.8, radius = 0.01;
    scree_world_def def = rig_def(1e-5);
    def.gravity[2] = -GRAVITY;
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(2500, 1e8, 0.3),
                       wall = rig_elastic(2500, INFINITY, 0.3);
    material.restitution = wall.restitution = e;
    rig_plane(&r, rig_material(&r, &wall), 0, 0, 0, 0, 0, 1);
    scree_body_def sphere = rig_sphere(rig_material(&r, &material), radius, 0, 0, radius + height);
    scree_body_id id = rig_add(&r, &sphere);
    validation_curve *curve = validation_add_curve(
        validation_add_chart(v, "validation-bouncing.svg", "Bouncing ball, restitution 0.8",
                             "height of its lowest point", "time, s", "height, m"),
        "scree", false);
    double last[3] = {0, 0, height};
    int apex = 0;
    for (int step = 0; apex < 5 && step < 1000000 && rig_step(&r, 1); step++) {
        memmove(last, last + 1, 2 * sizeof *last);
        last[2] = rig_body(&r, id).position[2] - radius;
        if (step % 1000 == 0)
            validation_point(curve, rig_time(&r), last[2]);
        if (step > 1 && last[1] >= last[0] && last[1] > last[2]) {
            apex++;
            validation_relative(v, "[F] e^(2n) h", pow(e, 2 * apex) * height,
                                parabola_peak(last[0], last[1], last[2]), 0.01,
                                "bouncing ball, restitution 0.8: height of apex %d, m", apex);
        }
    }
    rig_close(&r);
}

/*  A sphere, or in 2D a disc, that lies on a plane as its weight wants it, which pulls it along the plane too. */
typedef struct slope
{
    rig r;
    scree_body_id body;
    double radius;
    int dimensions;
} slope;

static slope slope_open(validation *v, int dimensions, double radius, double friction, double along,
                        double down, double speed)
{
    slope s = {.radius = radius, .dimensions = dimensions};
    int up = dimensions - 1;
    scree_world_def def = rig_def(2e-6);
    def.dimensions = dimensions;
    def.gravity[0] = along;
    def.gravity[up] = -down;
    s.r = rig_open(v, &def);
    scree_material_def material = rig_elastic(2500, 1e9, 0.3);
    material.friction = friction;
    material.restitution = 0.5;
    scree_material_id id = rig_material(&s.r, &material);
    rig_plane(&s.r, id, 0, 0, 0, 0, up == 1, up == 2);
    elastic_solid ball = {1e9, 0.3, 2500, radius}, wall = {1e9, 0.3, 2500, INFINITY};
    hertz_contact c = hertz_of(&ball, &wall);
    double mass = dimensions == 3 ? c.mass : VALIDATION_PI * radius * radius * 2500;
    scree_body_def sphere = rig_sphere(id, radius, 0, 0, 0);
    sphere.position[up] = radius - pow(mass * down / c.stiffness, 2.0 / 3);
    sphere.velocity[0] = speed;
    s.body = rig_add(&s.r, &sphere);
    return s;
}

/*  Spin that goes with rolling along x: about y in 3D (x is forward, z up), against z in 2D. */
static double rolling_spin(const slope *s, const scree_body *body)
{
    return s->dimensions == 3 ? body->spin[1] : -body->spin[2];
}

static void slide_to_roll(validation *v, int dimensions)
{
    const double speed = 1, friction = 0.3, radius = 0.02;
    /* inertia / (m R^2) = share */
    double share = dimensions == 3 ? 0.4 : 0.5, factor = share / (1 + share);
    const char *name = dimensions == 3 ? "sphere" : "disc (2D)";
    slope s = slope_open(v, dimensions, radius, friction, 0, GRAVITY, speed);
    double slip = speed, last = speed, start = 0, distance = 0;
    for (int k = 0; k < 200000 && slip > 0 && rig_step(&s.r, 1); k++) {
        scree_body body = rig_body(&s.r, s.body);
        last = slip;
        slip = body.velocity[0] - radius * rolling_spin(&s, &body);
        start = rig_time(&s.r) - (slip <= 0 ? 2e-6 * slip / (slip - last) : 0);
        distance = body.position[0];
    }
    double t = factor * speed / (friction * GRAVITY);
    validation_relative(v, dimensions == 3 ? "[F] 2 v0 / (7 mu g)" : "[F] v0 / (3 mu g)", t, start,
                        0.005, "%s, slide to roll: start of rolling, s", name);
    validation_relative(v, "[F] v0 t - mu g t^2 / 2", speed * t - friction * GRAVITY * t * t / 2,
                        distance, 0.005, "%s, slide to roll: distance until then, m", name);
    rig_step(&s.r, 20000);
    scree_body body = rig_body(&s.r, s.body);
    validation_relative(v, dimensions == 3 ? "[F] 5/7 v0" : "[F] 2/3 v0", speed / (1 + share),
                        body.velocity[0], 0.005, "%s, slide to roll: speed after, m/s", name);
    validation_relative(v, "[F] v / R", speed / (1 + share) / radius, rolling_spin(&s, &body),
                        0.005, "%s, slide to roll: spin after, rad/s", name);
    rig_close(&s.r);
}

/*  tan a = share of the limit 7/2 mu */
static void incline(validation *v, double share)
{
    const double friction = 0.2, radius = 0.02;
    double angle = atan(3.5 * friction * share), along = GRAVITY * sin(angle),
           down = GRAVITY * cos(angle);
    bool rolls = share < 1;
    double acceleration = rolls ? 5.0 / 7 * along : along - friction * down;
    double spin = rolls ? acceleration / radius : 2.5 * friction * down / radius;
    slope s = slope_open(v, 3, radius, friction, along, down, 0);
    rig_step(&s.r, v->full ? 200000 : 50000);
    scree_body body = rig_body(&s.r, s.body);
    double t = rig_time(&s.r);
    validation_relative(v, rolls ? "[F] 5/7 g sin a" : "[F] g (sin a - mu cos a)", acceleration,
                        body.velocity[0] / t, 0.005,
                        "incline, tan a = %g of the limit 7/2 mu: acceleration, m/s^2", share);
    validation_relative(v, rolls ? "[F] a / R" : "[F] 5/2 mu g cos a / R", spin,
                        rolling_spin(&s, &body) / t, 0.005,
                        "incline, tan a = %g of the limit: angular acceleration, 1/s^2", share);
    rig_close(&s.r);
}

/*  MercuryDPM's OSMindlinSelfTest. */
static void published_incline(validation *v)
{
    const double radius = 1e-3;
    scree_world_def def = rig_def(5e-7);
    def.gravity[0] = 5;
    def.gravity[2] = -5;
    rig r = rig_open(v, &def);
    scree_material_def ball = rig_elastic(7200, 210e9, 0.2), wall = rig_elastic(7200, 1e9, 0.2);
    ball.friction = wall.friction = 0.2;
    ball.restitution = wall.restitution = 0.4;
    rig_plane(&r, rig_material(&r, &wall), 0, 0, 0, 0, 0, 1);
    scree_body_def sphere = rig_sphere(rig_material(&r, &ball), radius, 0, 0, radius);
    scree_body_id id = rig_add(&r, &sphere);
    rig_step(&r, 10001);
    scree_body body = rig_body(&r, id);
    validation_relative(v, "[F]", 0.020002, body.velocity[0], 1e-3,
                        "OSMindlinSelfTest: speed at 5.0005 ms, m/s");
    validation_relative(v, "[F]", 12.50125, body.spin[1], 1e-3, "OSMindlinSelfTest: spin, rad/s");
    validation_relative(v, "[P] MercuryDPM", 0.0200031, body.velocity[0], 1e-3,
                        "OSMindlinSelfTest: speed, m/s");
    validation_relative(v, "[P] MercuryDPM", 12.4983, body.spin[1], 1e-3,
                        "OSMindlinSelfTest: spin, rad/s");
    rig_close(&r);
}

void validate_single_body(validation *v)
{
    validation_begin(v, "6. Single bodies: falling, bouncing, sliding, rolling",
                     "g = 9.81 m/s^2, velocity Verlet. The ball (R = 10 mm, E = 100 MPa) falls "
                     "from 0.5 m on a rigid floor. A sphere, and in two dimensions a disc, of R "
                     "= 20 mm slides at 1 m/s with friction 0.3 until it rolls; it starts with "
                     "the overlap of its weight. On the incline friction is 0.2, and it rolls "
                     "below tan a = 7/2 mu and slips above. MercuryDPM's `OSMindlinSelfTest` is "
                     "a steel sphere of 1 mm on a softer plane, with g = (5, 0, -5).");
    free_fall(v);
    weight(v);
    bouncing_ball(v);
    slide_to_roll(v, 3);
    slide_to_roll(v, 2);
    incline(v, 0.98);
    incline(v, 1.02);
    published_incline(v);
}
