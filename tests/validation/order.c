/*  How fast errors fall with the time step, for each integrator. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>

/*  A sphere pressed between two plates, displaced by `amplitude`, swings with w0 = 1 and the damping that
    `restitution` asks for. Its place at t = 4, which is no special point of the motion. */
#define END 4.0

/*  Implicit steps are settled so far that what is left of it does not show beside their own error. */
static scree_world_def stepped_def(scree_integrator integrator, int steps)
{
    scree_world_def def = rig_def(END / steps);
    def.step.integrator = integrator;
    def.step.picard = (scree_picard_def){.tolerance = 1e-12, .iterations = 1000, .halvings = 0};
    return def;
}

static double swing(validation *v, scree_integrator integrator, double restitution, int steps)
{
    scree_world_def def = stepped_def(integrator, steps);
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    material.restitution = restitution;
    material.stiffness = 1; /* two in series, and two plates: 2 * 1/2 */
    scree_material_id id = rig_material(&r, &material);
    rig_law(&r, "linear", NULL, 0);
    rig_plane(&r, id, -0.9, 0, 0, 1, 0, 0);
    rig_plane(&r, id, 0.9, 0, 0, -1, 0, 0);
    scree_body_def sphere = rig_sphere(id, 1, 0.02, 0, 0);
    sphere.mass = 1;
    scree_body_id body = rig_add(&r, &sphere);
    rig_step(&r, (uint64_t)steps);
    double place = rig_body(&r, body).position[0];
    rig_close(&r);
    return place;
}

static double exact_swing(double restitution)
{
    /* of one contact: c = 2 z sqrt(k m), z = x / sqrt(1 + x^2); there are two of k = 1/2 */
    double x = restitution < 1 ? damping_for(restitution) : 0, z = x / sqrt(1 + x * x);
    double decay = 2 * z * sqrt(0.5), w = sqrt(1 - decay * decay);
    return 0.02 * exp(-decay * END) * (cos(w * END) + decay / w * sin(w * END));
}

/*  Along the plates: tangential springs hold the sphere, which may not turn, against a steady pull; it swings
    about where they hold it. It begins at rest: contacts that exist at the start know of no motion before. */
static double shear_swing(validation *v, scree_integrator integrator, int steps)
{
    scree_world_def def = stepped_def(integrator, steps);
    def.gravity[1] = 0.02;
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    material.friction = 1e3;
    material.stiffness = 1;
    material.stiffness_ratio = 1;
    scree_material_id id = rig_material(&r, &material);
    rig_law(&r, "linear", NULL, 0);
    rig_plane(&r, id, -0.9, 0, 0, 1, 0, 0);
    rig_plane(&r, id, 0.9, 0, 0, -1, 0, 0);
    scree_body_def sphere = rig_sphere(id, 1, 0, 0, 0);
    sphere.mass = 1;
    sphere.flags = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    scree_body_id body = rig_add(&r, &sphere);
    rig_step(&r, (uint64_t)steps);
    double place = rig_body(&r, body).position[1];
    rig_close(&r);
    return place;
}

static double fall(validation *v, scree_integrator integrator, int steps)
{
    scree_world_def def = stepped_def(integrator, steps);
    def.gravity[2] = -1;
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    scree_body_def sphere = rig_sphere(rig_material(&r, &material), 1, 0, 0, 0);
    scree_body_id body = rig_add(&r, &sphere);
    rig_step(&r, (uint64_t)steps);
    double place = rig_body(&r, body).position[2];
    rig_close(&r);
    return place;
}

static void orders(validation *v, scree_integrator integrator, const char *name, double expected)
{
    static const char *const motions[] = {"undamped", "damped"};
    for (int motion = 0; motion < 2; motion++) {
        double restitution = motion == 0 ? 1 : 0.7, exact = exact_swing(restitution), last = 0;
        validation_chart *chart = NULL;
        validation_curve *curve = NULL;
        if (motion == 1) {
            validation_section *section = &v->section[v->section_count - 1];
            chart = section->chart_count
                        ? &section->chart[0]
                        : validation_add_chart(v, "validation-order.svg",
                                               "Error of a damped swing over the step",
                                               "place at t = 4, w0 = 1", "step", "error");
            chart->logarithmic = true;
            curve = validation_add_curve(chart, name, false);
        }
        for (int steps = 100; steps <= 1600; steps *= 2) {
            double error = fabs(swing(v, integrator, restitution, steps) - exact);
            if (curve)
                validation_point(curve, END / steps, error);
            if (steps >= 800)
                validation_absolute(v, "[F]", expected, log2(last / error), 0.1,
                                    "%s: order of the error, %s swing, %d steps over %d", name,
                                    motions[motion], steps / 2, steps);
            last = error;
        }
    }
    double exact = 0.02 * (1 - cos(END)), coarse = fabs(shear_swing(v, integrator, 800) - exact),
           fine = fabs(shear_swing(v, integrator, 1600) - exact);
    validation_absolute(v, "[F]", expected, log2(coarse / fine), 0.1,
                        "%s: order of the error, swing of tangential springs, 800 steps over 1600",
                        name);
}

/*  Steps late or early: for a constant force each integrator's error is known exactly, but for rounding. */
static void falls(validation *v)
{
    validation_relative(v, "[F] exact for a constant force", -END * END / 2,
                        fall(v, SCREE_VELOCITY_VERLET, 1024), 1e-13, "Verlet: free fall");
    validation_relative(v, "[F] g t dt / 2", END * END / 2048,
                        -END * END / 2 - fall(v, SCREE_SYMPLECTIC_EULER, 1024), 1e-9,
                        "symplectic Euler: error of free fall, 1024 steps");
    validation_relative(v, "[F] -g t dt / 2", -END * END / 2048,
                        -END * END / 2 - fall(v, SCREE_EXPLICIT_EULER, 1024), 1e-9,
                        "explicit Euler: error of free fall, 1024 steps");
    validation_relative(v, "[F] g t dt / 2", END * END / 2048,
                        -END * END / 2 - fall(v, SCREE_IMPLICIT_EULER, 1024), 1e-9,
                        "implicit Euler: error of free fall, 1024 steps");
}

void validate_order(validation *v)
{
    validation_begin(
        v, "6d. Order of the integrators",
        "A sphere pressed between two plates swings, undamped and damped, against the closed "
        "form: halving the step divides the error by four with velocity Verlet, whose forces see "
        "positions and velocities of one instant, and by two with the three Euler methods. Impacts "
        "(section 1) are of second order with Verlet and symplectic Euler, as they begin and end "
        "without force. Implicit Euler settles each step to 1e-12; its two forms with surrogates "
        "differ from it for bodies of triangles alone.");
    falls(v);
    orders(v, SCREE_VELOCITY_VERLET, "Verlet", 2);
    orders(v, SCREE_SYMPLECTIC_EULER, "symplectic Euler", 1);
    orders(v, SCREE_EXPLICIT_EULER, "explicit Euler", 1);
    orders(v, SCREE_IMPLICIT_EULER, "implicit Euler", 1);
    double plain = swing(v, SCREE_IMPLICIT_EULER, 0.7, 400);
    validation_exact(v, "[F] no triangles", plain, swing(v, SCREE_IMPLICIT_SURROGATE, 0.7, 400),
                     "implicit, surrogates within Picard: place after 400 steps, damped swing");
    validation_exact(v, "[F] no triangles", plain, swing(v, SCREE_IMPLICIT_MULTISCALE, 0.7, 400),
                     "implicit, multiscale: place after 400 steps, damped swing");
}
