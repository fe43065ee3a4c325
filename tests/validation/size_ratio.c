/*  Static friction between grains of very different sizes: a small one held between two large ones. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include <math.h>

#define RADIUS 1e-3
#define FRICTION 0.5
#define GRAVITY 9.81

typedef struct hold
{
    rig r;
    scree_body_id grain, large[2];
    double weight;
} hold;

static void set_velocity(rig *r, scree_body_id id, const double velocity[3])
{
    scree_body body = rig_body(r, id);
    for (int a = 0; a < 3; a++)
        body.velocity[a] = velocity[a];
    rig_set(r, id, &body);
}

static double carried(hold *h);

/*  The grain comes to rest, damped; `curve` shows how its weight is taken over, if there is one. */
static void settle(hold *h, validation_curve *curve)
{
    for (int k = 0; k < 5000 / 10; k++) {
        rig_step(&h->r, 10);
        if (curve && k < 60)
            validation_point(curve, 10 * (k + 1), carried(h));
    }
}

/*  Half of the friction there is must carry the grain. It settles, then all three drift with `drift`. */
static hold hold_open(validation *v, double ratio, const double drift[3], validation_curve *curve)
{
    hold h;
    scree_material_def material = rig_elastic(2500, 1e8, 0.3);
    material.friction = FRICTION;
    material.restitution = 0.5;
    elastic_solid small = {1e8, 0.3, 2500, RADIUS}, large = small;
    large.radius = ratio * RADIUS;
    hertz_contact c = hertz_of(&small, &large);
    h.weight = sphere_mass(&small) * GRAVITY;
    double overlap = pow(h.weight / FRICTION / c.stiffness, 2.0 / 3);
    double rate = sqrt(2 * 1.5 * c.stiffness * sqrt(overlap) / sphere_mass(&small));
    scree_world_def def = rig_def(0.05 / rate);
    def.gravity[2] = -GRAVITY;
    def.global_damping = 0.1 * rate;
    h.r = rig_open(v, &def);
    scree_material_id id = rig_material(&h.r, &material);
    for (int side = -1; side <= 1; side += 2) {
        scree_body_def body =
            rig_sphere(id, large.radius, side * (RADIUS + large.radius - overlap), 0, 0);
        body.flags = SCREE_FREEZE;
        h.large[side > 0] = rig_add(&h.r, &body);
    }
    scree_body_def body = rig_sphere(id, RADIUS, 0, 0, 0);
    h.grain = rig_add(&h.r, &body);
    if (!h.r.status) {
        settle(&h, curve);
        h.r.status = scree_world_set_damping(h.r.world, 0, 0);
        set_velocity(&h.r, h.grain, drift);
        set_velocity(&h.r, h.large[0], drift);
        set_velocity(&h.r, h.large[1], drift);
    }
    return h;
}

/*  What friction and contact carry upwards, of the weight. */
static double carried(hold *h)
{
    const scree_contact *contacts;
    size_t count = 0;
    double sum = 0;
    if (h->r.status || scree_world_contacts(h->r.world, NULL, &contacts, &count))
        return 0;
    for (size_t k = 0; k < count; k++)
        sum += contacts[k].second.index1 == h->grain.index1 ? -contacts[k].force[2]
                                                            : contacts[k].force[2];
    return sum / h->weight;
}

/*  How far the grain hangs below the large ones. */
static double sunk(hold *h)
{
    return rig_body(&h->r, h->large[0]).position[2] - rig_body(&h->r, h->grain).position[2];
}

static void held(validation *v, double ratio, const double drift[3], const char *name,
                 validation_curve *curve)
{
    hold h = hold_open(v, ratio, drift, curve);
    uint64_t steps = v->full ? 1000000 : 50000;
    rig_step(&h.r, 20000);
    double before = sunk(&h);
    validation_relative(v, "[F]", 1, carried(&h), 1e-6,
                        "%s %g: carried by the contacts, of the weight", name, ratio);
    rig_step(&h.r, steps);
    validation_at_most(v, "[F]", 1e-6, fabs(sunk(&h) / before - 1),
                       "%s %g: creep in %g steps, of the displacement that friction needs", name,
                       ratio, (double)steps);
    validation_relative(v, "[F]", 1, carried(&h), 1e-6, "%s %g: carried after these, of the weight",
                        name, ratio);
    rig_close(&h.r);
}

void validate_size_ratio(validation *v)
{
    validation_begin(v, "7. Static friction at wide size ratios",
                     "Where friction sees velocities half a step behind positions, a small grain "
                     "among large ones is not held but creeps (Vyas, Ottino, Lueptow, "
                     "Umbanhowar, Comput. Phys. Commun. 310, 2025). A grain of 1 mm hangs "
                     "between two fixed ones 10, 30 and 100 times as large, with half of the "
                     "friction there is. It settles damped; then nothing damps it but its "
                     "contacts. Then the same while all three move on at 0.3 m/s.");
    static const double rest[3] = {0, 0, 0}, drift[3] = {0, 0.3, 0.1};
    static const double ratio[] = {10, 30, 100};
    static const char *const names[] = {"ratio 10", "ratio 30", "ratio 100"};
    validation_chart *chart =
        validation_add_chart(v, "validation-size-ratio.svg", "A grain held between larger ones",
                             "while it settles", "step", "carried by contacts, of its weight");
    validation_curve *weight = validation_add_curve(chart, "all of it", true);
    validation_point(weight, 0, 1);
    validation_point(weight, 600, 1);
    for (int k = 0; k < 3; k++)
        held(v, ratio[k], rest, "ratio", validation_add_curve(chart, names[k], false));
    held(v, 30, drift, "all three moving on, ratio", NULL);
}
