/*  A fluid around single bodies and in suspensions, and force fields: against closed forms, against laws solved apart,
    and against the correlation of Richardson and Zaki. */
#include "cases.h"
#include "reference.h"
#include "rig.h"
#include "scree/ambient.h"

#include <math.h>
#include <stdio.h>

#define GRAVITY 9.81
#define SOLID 2500.0
#define WATER 1000.0
#define WATER_VISCOSITY 1e-3

/*  A ball in a fluid, alone. */
typedef struct tank
{
    rig r;
    scree_body_id body;
} tank;

static tank tank_open(validation *v, double dt, double gravity, double density, double diameter,
                      const scree_fluid_def *fluid)
{
    scree_world_def def = rig_def(dt);
    tank t;

    def.gravity[2] = -gravity;
    t.r = rig_open(v, &def);
    scree_material_def material = rig_elastic(density, 1e7, 0.3);
    scree_body_def ball = rig_sphere(rig_material(&t.r, &material), diameter / 2, 0, 0, 0);
    t.body = rig_add(&t.r, &ball);
    if (fluid && !t.r.status)
        t.r.status = scree_world_set_fluid(t.r.world, fluid);
    return t;
}

static void tank_start(tank *t, double x, double vx, double vy)
{
    scree_body body = rig_body(&t->r, t->body);

    body.position[0] = x;
    body.velocity[0] = vx;
    body.velocity[1] = vy;
    rig_set(&t->r, t->body, &body);
}

static scree_fluid_def water(scree_drag drag)
{
    scree_fluid_def def = scree_default_fluid_def();

    def.drag = drag;
    def.density = WATER;
    def.viscosity = WATER_VISCOSITY;
    return def;
}

/* ---- Stokes ---- */

/*  Velocity and place while it comes to the terminal velocity; rotation while it stops. */
static void relax(validation *v)
{
    const double d = 2e-4, tau = SOLID * d * d / 18 / WATER_VISCOSITY;
    const double terminal = (SOLID - WATER) * GRAVITY * d * d / 18 / WATER_VISCOSITY;
    scree_fluid_def fluid = water(SCREE_DRAG_STOKES);
    fluid.has_rotational_drag = true;
    tank t = tank_open(v, tau / 2000, GRAVITY, SOLID, d, &fluid);
    scree_body body = rig_body(&t.r, t.body);

    body.spin[0] = 100;
    rig_set(&t.r, t.body, &body);
    rig_step(&t.r, 2000);
    body = rig_body(&t.r, t.body);
    validation_relative(v, "[F] u (1 - exp(-t/tau))", terminal * (1 - exp(-1)), -body.velocity[2],
                        1e-5, "Stokes: velocity after one relaxation time, m/s");
    validation_relative(v, "[F] u (t - tau (1 - exp(-t/tau)))", terminal * tau * exp(-1),
                        -body.position[2], 1e-5, "Stokes: way after one relaxation time, m");
    validation_relative(v, "[F] exp(-60 mu t / (rho d^2))", 100 * exp(-60.0 / 18), body.spin[0],
                        1e-4, "Stokes: rotation after that time, 1/s");
    rig_step(&t.r, 60000);
    validation_relative(v, "[F] (rho_s - rho) g d^2 / 18 mu", terminal,
                        -rig_body(&t.r, t.body).velocity[2], 1e-9,
                        "Stokes: terminal velocity, m/s");
    rig_close(&t.r);
}

/*  In a flow that oscillates the ball follows with a smaller amplitude. */
static void follow(validation *v, double omega_tau)
{
    const double d = 2e-4, tau = SOLID * d * d / 18 / WATER_VISCOSITY, omega = omega_tau / tau;
    const int steps = 4000;
    char text[64];
    scree_fluid_def fluid = water(SCREE_DRAG_STOKES);
    double dt = 2 * VALIDATION_PI / omega / steps, most = 0;

    if (dt > tau / 100)
        dt = tau / 100;
    snprintf(text, sizeof text, "0.1 * sin(%.17g * t)", omega);
    fluid.velocity[0] = text;
    tank t = tank_open(v, dt, 0, SOLID, d, &fluid);
    rig_step(&t.r, (uint64_t)(20 * tau / dt));
    for (int k = 0; k < 2 * VALIDATION_PI / omega / dt && rig_step(&t.r, 1); k++) {
        double speed = rig_body(&t.r, t.body).velocity[0];
        most = speed > most ? speed : most;
    }
    rig_close(&t.r);
    validation_relative(v, "[F] u / sqrt(1 + (omega tau)^2)", 0.1 / sqrt(1 + omega_tau * omega_tau),
                        most, 1e-4, "flow that oscillates, omega tau = %g: amplitude, m/s",
                        omega_tau);
}

/*  In a flow that rotates as a rigid body: x'' = (i omega x - x') / tau in the complex plane. The start is the
    eigenvector that grows. */
static void spiral(validation *v)
{
    const double d = 2e-4, tau = SOLID * d * d / 18 / WATER_VISCOSITY, omega = 0.5 / tau;
    char text[2][64];
    scree_fluid_def fluid = water(SCREE_DRAG_STOKES);
    /* sqrt(1 + 4 i omega tau) */
    double size = sqrt(1 + 16 * omega * omega * tau * tau);
    double re = sqrt((size + 1) / 2), im = sqrt((size - 1) / 2);
    double grows = (re - 1) / (2 * tau), turns = im / (2 * tau), time;

    snprintf(text[0], sizeof text[0], "%.17g * y", -omega);
    snprintf(text[1], sizeof text[1], "%.17g * x", omega);
    fluid.velocity[0] = text[0];
    fluid.velocity[1] = text[1];
    tank t = tank_open(v, tau / 1000, 0, SOLID, d, &fluid);
    tank_start(&t, 0.01, 0.01 * grows, 0.01 * turns);
    rig_step(&t.r, 10000);
    scree_body body = rig_body(&t.r, t.body);
    time = rig_time(&t.r);
    validation_relative(v, "[F] eigenvalue", 0.01 * exp(grows * time),
                        hypot(body.position[0], body.position[1]), 1e-4,
                        "flow that rotates: distance from the axis, m");
    validation_relative(v, "[F] eigenvalue",
                        fmod(turns * time + VALIDATION_PI, 2 * VALIDATION_PI) - VALIDATION_PI,
                        atan2(body.position[1], body.position[0]), 1e-4,
                        "flow that rotates: angle around the axis");
    rig_close(&t.r);
}

/* ---- other laws ---- */

/*  Schiller and Naumann's drag coefficient, as published. */
static double coefficient(double reynolds)
{
    return reynolds > 1000 ? 0.44 : 24 / reynolds * (1 + 0.15 * pow(reynolds, 0.687));
}

/*  The speed at which drag is the weight less buoyancy, by halving. */
static double solve_terminal(double d)
{
    const double weight = (SOLID - WATER) * GRAVITY * VALIDATION_PI / 6 * d * d * d;
    double lower = 0, upper = 10;

    for (int k = 0; k < 200; k++) {
        double w = (lower + upper) / 2, reynolds = WATER * w * d / WATER_VISCOSITY;
        double drag = coefficient(reynolds) * WATER * w * w * VALIDATION_PI * d * d / 8;
        if (drag < weight)
            lower = w;
        else
            upper = w;
    }
    return lower;
}

static double terminal_velocity(validation *v, double d, const scree_fluid_def *fluid)
{
    tank t = tank_open(v, SOLID * d * d / 18 / WATER_VISCOSITY / 2000, GRAVITY, SOLID, d, fluid);
    double before = -1, now = 0;

    for (int k = 0; k < 400 && fabs(now - before) > 1e-12 * now && rig_step(&t.r, 500); k++) {
        before = now;
        now = -rig_body(&t.r, t.body).velocity[2];
    }
    rig_close(&t.r);
    return now;
}

static void schiller_naumann(validation *v)
{
    static const double diameters[] = {1e-4, 3e-4, 1e-3, 3e-3, 1e-2};

    for (size_t k = 0; k < sizeof diameters / sizeof *diameters; k++) {
        const double d = diameters[k], wanted = solve_terminal(d);
        const scree_fluid_def fluid = water(SCREE_DRAG_SCHILLER_NAUMANN);
        validation_relative(v, "[C] the law solved by halving", wanted,
                            terminal_velocity(v, d, &fluid), 1e-8,
                            "Schiller-Naumann, %g mm, Re = %.3g: terminal velocity, m/s", d * 1e3,
                            WATER * wanted * d / WATER_VISCOSITY);
    }
}

/*  Exponent of Richardson and Zaki as Rowe (Chem. Eng. Sci. 42 (1987) 2795) has it. */
static double exponent(double reynolds)
{
    double a = 0.175 * pow(reynolds, 0.75);

    return 2.35 * (2 + a) / (1 + a);
}

static void hindered(validation *v, double d)
{
    static const double voids[] = {0.5, 0.6, 0.7, 0.8, 0.9};
    scree_fluid_def fluid = water(SCREE_DRAG_DI_FELICE);
    const double alone = terminal_velocity(v, d, &fluid);
    const double reynolds = WATER * alone * d / WATER_VISCOSITY;

    for (size_t k = 0; k < sizeof voids / sizeof *voids; k++) {
        char text[32];
        snprintf(text, sizeof text, "%.17g", voids[k]);
        fluid.void_fraction = text;
        validation_relative(
            v, "[P] Richardson-Zaki, n of Rowe 1987", alone * pow(voids[k], exponent(reynolds)),
            voids[k] * terminal_velocity(v, d, &fluid), 0.15,
            "Di Felice, Re = %.3g, void fraction %g: hindered settling, m/s", reynolds, voids[k]);
    }
}

/*  The superficial velocity at which Ergun's pressure gradient carries the bed. */
static double fluidising(double d, double e)
{
    double a = 1.75 * WATER / (e * e * e * d),
           b = 150 * (1 - e) * WATER_VISCOSITY / (e * e * e * d * d), c = (SOLID - WATER) * GRAVITY;

    return (sqrt(b * b + 4 * a * c) - b) / (2 * a);
}

static void fluidised(validation *v, double d, double e)
{
    char text[2][32];
    scree_fluid_def fluid = water(SCREE_DRAG_GIDASPOW);
    const double weight = SOLID * GRAVITY * VALIDATION_PI / 6 * d * d * d;

    snprintf(text[0], sizeof text[0], "%.17g", fluidising(d, e) / e);
    snprintf(text[1], sizeof text[1], "%.17g", e);
    fluid.velocity[2] = text[0];
    fluid.void_fraction = text[1];
    tank t = tank_open(v, 1e-9, GRAVITY, SOLID, d, &fluid);
    rig_step(&t.r, 1);
    validation_absolute(
        v, "[F] Ergun's equation", 0, rig_body(&t.r, t.body).force[2] / weight, 1e-9,
        "Gidaspow, %g mm, void fraction %g: force at minimum fluidisation, weights", d * 1e3, e);
    rig_close(&t.r);
}

/* ---- buoyancy ---- */

/*  How deep a ball floats: its volume below the surface times the density of the fluid is its mass. */
static void floats(validation *v, double share)
{
    const double d = 0.01;
    scree_fluid_def fluid = water(SCREE_DRAG_STOKES);
    double lower = -1, upper = 1;

    for (int k = 0; k < 100; k++) {
        double s = (lower + upper) / 2;
        if ((2 + 3 * s - s * s * s) / 4 < share)
            lower = s;
        else
            upper = s;
    }
    fluid.viscosity = 0.5;
    fluid.upper[2] = 0;
    tank t = tank_open(v, 1e-4, GRAVITY, share * WATER, d, &fluid);
    rig_step(&t.r, 60000);
    validation_absolute(
        v, "[F] Archimedes", -lower * d / 2 * 1e3, rig_body(&t.r, t.body).position[2] * 1e3, 1e-6,
        "density %g of the fluid's: height of the centre above the surface, mm", share);
    rig_close(&t.r);
}

/* ---- force fields ---- */

/*  A free body, seen from a frame that rotates about a point: a straight line at constant speed. */
static void rotating_frame(validation *v)
{
    const double w = 2, x0 = 0.3, vx = 0.1, vy = 0.4; /* in the frame at rest, at its start */
    scree_force_field_def field = scree_default_force_field_def();

    field.acceleration[0] = "2^2 * x + 2 * 2 * vy";
    field.acceleration[1] = "2^2 * y - 2 * 2 * vx";
    tank t = tank_open(v, v->full ? 1e-5 : 1e-4, 0, SOLID, 0.01, NULL);
    if (!t.r.status)
        t.r.status = scree_world_add_force_field(t.r.world, &field);
    tank_start(&t, x0, vx, vy - w * x0);
    rig_step(&t.r, v->full ? 300000 : 30000);
    double time = rig_time(&t.r), x = x0 + vx * time, y = vy * time;
    double c = cos(w * time), s = sin(w * time);
    scree_body body = rig_body(&t.r, t.body);
    validation_relative(v, "[F] a straight line", c * x + s * y, body.position[0], 1e-5,
                        "frame that rotates, one turn: x, m");
    validation_relative(v, "[F] a straight line", c * y - s * x, body.position[1], 1e-5,
                        "frame that rotates, one turn: y, m");
    rig_close(&t.r);
}

static void shaken(validation *v)
{
    scree_force_field_def field = scree_default_force_field_def();

    field.force[0] = "mass * 3 * cos(20 * t)";
    tank t = tank_open(v, 1e-4, 0, SOLID, 0.01, NULL);
    if (!t.r.status)
        t.r.status = scree_world_add_force_field(t.r.world, &field);
    rig_step(&t.r, 10000);
    validation_relative(v, "[F] a (1 - cos(omega t)) / omega^2", 3.0 / 400 * (1 - cos(20)),
                        rig_body(&t.r, t.body).position[0], 1e-5,
                        "field that oscillates, after 1 s: x, m");
    rig_close(&t.r);
}

void validate_fluid(validation *v)
{
    validation_begin(
        v, "12c. Fluid and force fields",
        "Balls of 2500 kg/m^3 in water whose flow is given. The law of Stokes is compared with "
        "closed forms, that of Schiller and Naumann with its own solution, found apart. That of Di "
        "Felice is compared with the correlation of Richardson and Zaki for suspensions, which is "
        "a fit of measurements: they are at most 6 % apart. At Ergun's minimum fluidisation "
        "velocity "
        "the force of Gidaspow's law is the weight less buoyancy. A ball floats as Archimedes "
        "says. A free body in a frame that rotates goes straight.");
    relax(v);
    follow(v, 0.5);
    follow(v, 3);
    spiral(v);
    schiller_naumann(v);
    hindered(v, 1e-4);
    hindered(v, 1e-3);
    hindered(v, 5e-3);
    fluidised(v, 5e-4, 0.4);
    fluidised(v, 3e-3, 0.45);
    floats(v, 0.5);
    floats(v, 0.2);
    floats(v, 0.9);
    rotating_frame(v);
    shaken(v);
}
