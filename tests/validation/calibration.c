/*  The search of `scree calibrate`, on experiments whose parameters are known. */
#include "app/calibrate/search.h"
#include "cases.h"
#include "rig.h"

#include <math.h>

#define GRAVITY 9.81
#define RADIUS 0.005
#define MAX_RUNS 40

enum
{
    FRICTION,
    ROLLING
};

/*  A ball on a table that is pushed without rotation, or rolls: its deceleration over `time`. */
static double slowing(validation *v, const double *parameter, double speed, bool rolls, double time)
{
    double dt = 2e-5;
    scree_world_def def = rig_def(dt);
    def.gravity[2] = -GRAVITY;
    rig r = rig_open(v, &def);
    scree_material_def steel = rig_elastic(7800, 5e7, 0.3);
    steel.friction = parameter[FRICTION];
    steel.rolling_friction = parameter[ROLLING];
    scree_material_id material = rig_material(&r, &steel);
    rig_law(&r, "hertz-rolling", NULL, 0);
    rig_plane(&r, material, 0, 0, 0, 0, 0, 1);
    scree_body_def ball = rig_sphere(material, RADIUS, 0, 0, RADIUS);
    ball.velocity[0] = speed;
    ball.spin[1] = rolls ? speed / RADIUS : 0;
    scree_body_id id = rig_add(&r, &ball);
    rig_step(&r, (uint64_t)(time / dt + 0.5));
    double after = rig_body(&r, id).velocity[0];
    rig_close(&r);
    return (speed - after) / time;
}

static void measure(validation *v, scree_try *tried)
{
    tried->measured[0] = slowing(v, tried->parameter, 2, false, 0.06);
    tried->measured[1] = slowing(v, tried->parameter, 0.4, true, 0.06);
    tried->is_done = true;
}

/*  As the verb does it: batches of four until both targets are met. Returns the number of runs; *best is the best one. */
static size_t fit(validation *v, const scree_calibration *c, scree_try *best)
{
    static scree_try tries[MAX_RUNS];
    size_t done = 0, found = 0;
    while (done < MAX_RUNS) {
        size_t count = done ? (size_t)c->batch : scree_search_start(c);
        count = count < MAX_RUNS - done ? count : MAX_RUNS - done;
        if (scree_search_next(c, tries, done, count)) {
            validation_failed(v, "calibration: no memory");
            break;
        }
        for (size_t k = done; k < done + count; k++)
            measure(v, &tries[k]);
        done += count;
        found = scree_best_try(c, tries, done);
        if (found < done && scree_is_met(c, &tries[found]))
            break;
    }
    *best = tries[found];
    return done;
}

void validate_calibration(validation *v)
{
    static const double truths[][2] = {
        {0.5, 0.1}, {0.25, 0.2}, {0.7, 0.03}, {0.4, 0.28}, {0.15, 0.06}};
    size_t count = v->full ? sizeof truths / sizeof *truths : 1;
    size_t most = 0;

    validation_begin(
        v, "15. Calibration",
        "Friction and rolling friction of balls on a table are searched for from the "
        "decelerations of two balls, one pushed and one rolling, which were measured with "
        "known coefficients: the search of `scree calibrate`, in the box 0.1 to 0.9 and 0 "
        "to 0.3, with tolerances of 0.5 %.");
    for (size_t k = 0; k < count; k++) {
        scree_calibration c = {.axis = {{"friction", 0.1, 0.9, false}, {"rolling", 0, 0.3, false}},
                               .axis_count = 2,
                               .target_count = 2,
                               .seed = k + 1,
                               .max_runs = MAX_RUNS,
                               .batch = 4};
        scree_try truth = {.parameter = {truths[k][0], truths[k][1]}}, best;
        measure(v, &truth);
        for (size_t t = 0; t < 2; t++)
            c.target[t] = (scree_target){"", truth.measured[t], 0.005 * truth.measured[t]};
        size_t runs = fit(v, &c, &best);
        most = runs > most ? runs : most;
        validation_relative(v, "[F] as set", truths[k][0], best.parameter[FRICTION], 0.05,
                            "friction %g, rolling friction %g: friction found", truths[k][0],
                            truths[k][1]);
        validation_relative(v, "[F] as set", truths[k][1], best.parameter[ROLLING], 0.05,
                            "friction %g, rolling friction %g: rolling friction found",
                            truths[k][0], truths[k][1]);
    }
    validation_at_most(v, "[F]", MAX_RUNS, (double)most, "runs of a search, at most");
}
