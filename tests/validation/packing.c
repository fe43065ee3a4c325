/*  Random close packing: spheres without friction grow in a periodic cube until they jam.

    The protocol, as the density depends on it: bodies at random places, of volume fraction 0.2, are let apart; then
    radii grow, and after each growth what is overlapped is let apart again, damped, until it rests. Where
    energy is left, they are jammed, and growth goes back by half of its last step; so on to ever smaller
    steps. (O'Hern, Silbert, Liu, Nagel, Phys. Rev. E 68, 011306, 2003.) What seems jammed there may still creep apart,
    the slower the closer it is, and then misses contacts. So it is pressed by more, where it finds its balance soon,
    and let out from there. Each stage is a world of its own: without friction, contacts have nothing to remember. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  Of a body, over k d^2: less is none. It is what volumes too large by 1e-6 store. */
#define MIN_ENERGY 1e-12

typedef struct pack
{
    validation *v;
    int dimensions;
    size_t count;
    double *share;     /* of each radius in the unit, 1 or 1.4 */
    double (*at)[3];   /* in the unit cube */
    double (*rest)[3]; /* the last places at rest, not jammed */
    double fraction;
    double energy;       /* of one body, over k d^2, after the last stage */
    double overlap;      /* of all contacts, a body, over the unit of radii: as the pressure */
    double residual;     /* force left on a body over that of a contact: root mean square, mean */
    double coordination; /* without rattlers */
    size_t rattlers;
    bool failed;
} pack;

static double unit_radius(const pack *p, double fraction)
{
    double sum = 0;
    for (size_t k = 0; k < p->count; k++)
        sum += p->dimensions == 3 ? 4.0 / 3 * VALIDATION_PI * pow(p->share[k], 3)
                                  : VALIDATION_PI * p->share[k] * p->share[k];
    return pow(fraction / sum, 1.0 / p->dimensions);
}

/*  Bodies that fewer than dimensions + 1 others hold are taken away, again and again; the mean number of
    contacts of the others. */
static void count_contacts(pack *p, const scree_contact *contacts, size_t count)
{
    size_t *held = calloc(p->count, sizeof *held), kept = 0, sum = 0;
    bool *loose = calloc(p->count, sizeof *loose), again = true;
    while (held && loose && again) {
        again = false;
        memset(held, 0, p->count * sizeof *held);
        for (size_t k = 0; k < count; k++) {
            size_t a = contacts[k].first.index1 - 1, b = contacts[k].second.index1 - 1;
            if (!loose[a] && !loose[b]) {
                held[a]++;
                held[b]++;
            }
        }
        for (size_t k = 0; k < p->count; k++)
            if (!loose[k] && held[k] < (size_t)p->dimensions + 1)
                loose[k] = again = true;
    }
    for (size_t k = 0; held && loose && k < p->count; k++)
        if (!loose[k]) {
            kept++;
            sum += held[k];
        }
    p->rattlers = p->count - kept;
    p->coordination = kept ? (double)sum / (double)kept : 0;
    free(held);
    free(loose);
}

/*  Energy of one body over k d^2, and what else is wanted of the contacts. */
static double look(pack *p, rig *r, double radius)
{
    const scree_contact *contacts;
    size_t count = 0;
    double sum = 0;
    if (r->status || scree_world_contacts(r->world, NULL, &contacts, &count))
        return INFINITY;
    for (size_t k = 0; k < count; k++)
        sum += contacts[k].overlap * contacts[k].overlap / 2;
    count_contacts(p, contacts, count);
    return sum / ((double)p->count * 4 * radius * radius);
}

/*  Where bodies move against their forces, they have swung past the nearest rest: they stop there. */
static void stop_uphill(rig *r)
{
    if (r->status)
        return;
    scree_bodies_view view = scree_world_bodies(r->world);
    double power = 0;
    for (size_t k = 0; k < view.count; k++)
        for (int a = 0; a < 3; a++)
            power += scree_row_at(view.force, k)[a] * scree_row_at(view.velocity, k)[a];
    for (size_t k = 0; power < 0 && k < view.count; k++) {
        scree_body body = rig_body(r, scree_body_id_at(scree_world_bodies(r->world).id, k));
        for (int a = 0; a < 3; a++)
            body.velocity[a] = 0;
        rig_set(r, body.id, &body);
    }
}

/*  Bodies of mass 1 whose contacts have a stiffness of 1, where they are. */
static rig springs(const pack *p, double radius, double damping)
{
    scree_world_def def = rig_def(0.2);
    def.dimensions = p->dimensions;
    def.global_damping = damping;
    for (int a = 0; a < p->dimensions; a++) {
        def.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[a] = 1;
    }
    rig r = rig_open(p->v, &def);
    scree_material_def material = rig_elastic(1, 1, 0.3);
    material.stiffness = 2;
    material.restitution = 0.5;
    scree_material_id id = rig_material(&r, &material);
    rig_law(&r, "linear", NULL, 0);
    for (size_t k = 0; k < p->count; k++) {
        scree_body_def body =
            rig_sphere(id, p->share[k] * radius, p->at[k][0], p->at[k][1], p->at[k][2]);
        body.mass = 1;
        rig_add(&r, &body);
    }
    return r;
}

/*  Bodies are in the pack where they are in its world, which is closed. */
static void keep_places(pack *p, rig *r, double fraction)
{
    if (!r->status) {
        scree_bodies_view view = scree_world_bodies(r->world);
        for (size_t k = 0; k < view.count; k++)
            memcpy(p->at[scree_uint64_at(view.serial, k) - 1], scree_row_at(view.position, k),
                   sizeof *p->at);
    }
    p->failed = p->failed || r->status;
    p->fraction = fraction;
    rig_close(r);
}

/*  Lets bodies apart at this volume fraction. Stiffness and mass are 1, so time is that of one contact; it
    ends when hardly any energy is left, or at rest: what is left changes by less than this share in 200 steps. */
static void settle(pack *p, double fraction, double share)
{
    double radius = unit_radius(p, fraction), before = INFINITY;
    rig r = springs(p, radius, 0.01);
    p->energy = INFINITY;
    for (int part = 0; part < 2000 && rig_step(&r, 10); part++) {
        stop_uphill(&r);
        if (part % 20 != 19)
            continue;
        double energy = look(p, &r, radius);
        double motion = rig_motion(&r) / ((double)p->count * 4 * radius * radius);
        p->energy = energy;
        if (energy < MIN_ENERGY ||
            (motion < 0.1 * share * energy && fabs(before - energy) < share * energy))
            break;
        before = energy;
    }
    keep_places(p, &r, fraction);
}

/*  Force that is left on bodies, beside that of their contacts. */
static void look_at_forces(pack *p, const rig *r, double radius)
{
    const scree_contact *contacts;
    size_t count = 0;
    double square = 0;
    p->overlap = 0;
    if (r->status || scree_world_contacts(r->world, NULL, &contacts, &count))
        return;
    for (size_t k = 0; k < count; k++)
        p->overlap += contacts[k].overlap / (radius * (double)p->count);
    scree_bodies_view view = scree_world_bodies(r->world);
    for (size_t k = 0; k < view.count; k++)
        for (int a = 0; a < p->dimensions; a++)
            square += scree_row_at(view.force, k)[a] * scree_row_at(view.force, k)[a] /
                      (double)view.count;
    /* of springs whose stiffness is 1 */
    double mean = p->overlap * radius * (double)p->count / (double)count;
    p->residual = count ? sqrt(square) / mean : INFINITY;
}

/*  Lets a jammed packing come to the balance of its forces, up to this share of them. They may swing: what is slow would be
    slower if it were stopped whenever what is fast goes uphill. */
static void balance(pack *p, double fraction, double damping, double share)
{
    double radius = unit_radius(p, fraction);
    rig r = springs(p, radius, damping);
    p->residual = INFINITY;
    p->overlap = INFINITY;
    for (int part = 0; part < 500 && p->overlap > 0 && p->residual > share && rig_step(&r, 100);
         part++)
        look_at_forces(p, &r, radius);
    p->energy = look(p, &r, radius);
    keep_places(p, &r, fraction);
}

static bool is_jammed(const pack *p)
{
    return p->energy > MIN_ENERGY;
}

static pack pack_open(validation *v, int dimensions, size_t count, double ratio, uint64_t seed)
{
    pack p = {.v = v, .dimensions = dimensions, .count = count};
    p.share = calloc(count, sizeof *p.share);
    p.at = calloc(count, sizeof *p.at);
    p.rest = calloc(count, sizeof *p.rest);
    p.failed = !p.share || !p.at || !p.rest;
    scree_random random = scree_random_stream(seed, 1);
    for (size_t k = 0; !p.failed && k < count; k++) {
        p.share[k] = k % 2 ? ratio : 1;
        for (int a = 0; a < dimensions; a++)
            p.at[k][a] = scree_random_unit(&random);
    }
    return p;
}

static void pack_free(pack *p)
{
    free(p->share);
    free(p->at);
    free(p->rest);
}

#define AT_REST 1e-3

/*  Grows until the step is `least`, and ends jammed. */
static void jam(pack *p, double from, double coarse, double step, double least)
{
    for (double fraction = 0.2; !p->failed && fraction < from; fraction += coarse)
        settle(p, fraction, AT_REST);
    double fraction = from;
    while (!p->failed) {
        memcpy(p->rest, p->at, p->count * sizeof *p->rest);
        settle(p, fraction, AT_REST);
        if (!is_jammed(p)) {
            fraction += step;
            continue;
        }
        if (step <= least)
            break;
        /* back to where there was room, and on with smaller steps */
        memcpy(p->at, p->rest, p->count * sizeof *p->rest);
        fraction -= step;
        step /= 2;
        fraction += step;
    }
}

#define PRESSED 0.006     /* beyond where it seems jammed, once or more often, */
#define WELL_PRESSED 1e-3 /* until overlaps of a body are this, in unit radii */

/*  Presses what is jammed and lets it out until overlaps of a body are `still` in unit radii; `fraction` is then that at which
    the pressure, which is all but in proportion to what is above it, would be 0. */
static void press(pack *p, double still)
{
    double fraction = p->fraction, jammed = NAN;
    if (p->failed)
        return;
    do {
        fraction += PRESSED;
        balance(p, fraction, 0.1, 1e-3);
    } while (p->overlap < WELL_PRESSED && !p->failed && fraction < 1);
    for (int stage = 0; stage < 12 && !p->failed && p->overlap > still; stage++) {
        /* were all to come apart alike, overlaps would be gone at half their sum, as a share: not before */
        double before = p->overlap, next = fraction * (1 - 0.75 * before / 2);
        /* what is slow, weak contacts, is for the end */
        balance(p, next, 0.05, p->v->full && before < 10 * still ? 1e-5 : 1e-3);
        jammed = next - p->overlap * (fraction - next) / (before - p->overlap);
        fraction = next;
    }
    p->fraction = jammed;
}

static void close_packing(validation *v)
{
    size_t count = v->full ? 1000 : 120;
    pack p = pack_open(v, 3, count, 1, 1);
    jam(&p, 0.60, v->full ? 0.02 : 0.08, 0.004, v->full ? 1e-4 : 4e-3);
    /* the fraction is then some 5e-5 above that without pressure, and contacts are 7.7 times its root too many, 0.05
       (O'Hern et al.) */
    press(&p, v->full ? 1.2e-4 : 6e-4);
    /* few bodies jam over a wider range: O'Hern et al. find a width of 0.16 / sqrt(N) */
    validation_between(v, "[F] Donev 2004: 0.64", v->full ? 0.630 : 0.60, v->full ? 0.645 : 0.65,
                       p.fraction, "3D, %zu equal spheres: volume fraction", count);
    validation_absolute(v, "[F] 2 * dimensions", 6, p.coordination, v->full ? 0.1 : 0.3,
                        "3D: contacts of a sphere, without %zu rattlers", p.rattlers);
    pack_free(&p);
}

static void close_packing_2d(validation *v)
{
    size_t count = v->full ? 600 : 60;
    pack p = pack_open(v, 2, count, 1.4, 2);
    jam(&p, 0.80, v->full ? 0.05 : 0.1, 0.004, v->full ? 1e-4 : 4e-3);
    press(&p, v->full ? 1.2e-4 : 6e-4);
    validation_between(v, "[U] 0.84", v->full ? 0.835 : 0.81, v->full ? 0.850 : 0.87, p.fraction,
                       "2D, %zu discs of radii 1 and 1.4: area fraction", count);
    validation_absolute(v, "[F] 2 * dimensions", 4, p.coordination, v->full ? 0.1 : 0.3,
                        "2D: contacts of a disc, without %zu rattlers", p.rattlers);
    pack_free(&p);
}

/* ---- poured, with friction ------------------------------------------------------------------------ */

#define LAYER_LOWER 3.0 /* diameters; below, the floor orders grains, */
#define LAYER_UPPER 8.0 /* above is the surface */

/*  Volume of a sphere of diameter 1 at this height that lies between the two. */
static double volume_within(double z, double lower, double upper)
{
    double a = fmax(lower - z, -0.5), b = fmin(upper - z, 0.5);
    return a < b ? VALIDATION_PI * (0.25 * (b - a) - (b * b * b - a * a * a) / 3) : 0;
}

/*  Grains of diameter 1 rain on a floor, periodic to the sides; fraction and contacts in a layer. */
static void pour(validation *v, double friction, double *fraction, double *coordination)
{
    const double side = 8;
    scree_world_def def = rig_def(2e-3);
    def.gravity[2] = -1;
    for (int a = 0; a < 2; a++) {
        def.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.domain.upper[a] = side;
    }
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    material.friction = friction;
    material.restitution = 0.3;
    material.stiffness = 1e4;
    scree_material_id id = rig_material(&r, &material);
    rig_law(&r, "linear", NULL, 0);
    rig_plane(&r, id, 0, 0, 0, 0, 0, 1);
    scree_random random = scree_random_stream(4, 0);
    for (int k = 0; k < 768; k++) {
        scree_body_def body =
            rig_sphere(id, 0.5, 1.3 * (k % 6) + 0.7, 1.3 * (k / 6 % 6) + 0.7, 1.3 * (k / 36) + 0.7);
        for (int a = 0; a < 3; a++) {
            body.position[a] += scree_random_range(&random, -0.1, 0.1);
            body.velocity[a] = scree_random_range(&random, -1, 1);
        }
        body.mass = 1;
        rig_add(&r, &body);
    }
    rig_step(&r, 25000);
    size_t within = 0, touching = 0;
    *fraction = *coordination = 0;
    if (!r.status) {
        scree_bodies_view view = scree_world_bodies(r.world);
        scree_contact_filter_def filter = scree_default_contact_filter_def();
        size_t count = view.count;
        for (size_t k = 0; k < count; k++) {
            const scree_contact *contacts;
            size_t met = 0;
            view = scree_world_bodies(r.world);
            double z = scree_row_at(view.position, k)[2];
            *fraction += volume_within(z, LAYER_LOWER, LAYER_UPPER) /
                         (side * side * (LAYER_UPPER - LAYER_LOWER));
            if (z < LAYER_LOWER || z > LAYER_UPPER)
                continue;
            filter.body = scree_body_id_at(view.id, k);
            scree_world_contacts(r.world, &filter, &contacts, &met);
            /* what less hold is a rattler */
            within += met >= 2;
            touching += met >= 2 ? met : 0;
        }
        *coordination = within ? (double)touching / (double)within : 0;
    }
    rig_close(&r);
}

static void with_friction(validation *v)
{
    static const double friction[] = {0, 0.1, 0.5, 10};
    double fraction[4], coordination[4];
    validation_chart *chart = validation_add_chart(
        v, "validation-packing.svg", "Poured grains: contacts over friction",
        "768 grains, layer of 5 diameters", "volume fraction", "contacts of a grain");
    validation_curve *curve = validation_add_curve(chart, "friction 0 to 10", false);
    for (size_t k = 0; k < 4; k++) {
        pour(v, friction[k], &fraction[k], &coordination[k]);
        validation_point(curve, fraction[k], coordination[k]);
    }
    for (size_t k = 1; k < 4; k++) {
        validation_at_most(v, "[U] trend", fraction[k - 1], fraction[k],
                           "poured, friction %g: volume fraction, below that of friction %g",
                           friction[k], friction[k - 1]);
        validation_at_most(v, "[U] trend", coordination[k - 1], coordination[k],
                           "poured, friction %g: contacts of a grain, below that of friction %g",
                           friction[k], friction[k - 1]);
    }
    validation_between(v, "[U] towards dimension + 1", 4, 5, coordination[3],
                       "poured, friction 10: contacts of a grain");
    validation_between(v, "[U]", 0.55, 0.60, fraction[3], "poured, friction 10: volume fraction");
}

void validate_packing(validation *v)
{
    validation_begin(
        v, "10b. Random packings",
        "Without friction, radii grow in a periodic cube from a random start; after each growth "
        "bodies are let apart, damped, to rest; where they cannot, growth goes back and on in "
        "half the step, until that is 1e-4 (O'Hern et al. 2003). What seems jammed there may still "
        "creep apart, the slower the less it is pressed, and lacks 1 contact in 60. So it is "
        "pressed by 0.006 more, where it soon finds its balance, and let out bit by bit; the "
        "fraction is that at which the pressure would be 0, and contacts are counted 5e-5 above "
        "it, when forces are in balance up to 1e-5. A packing is isostatic there: 2 contacts a "
        "dimension, rattlers left out, and less than 0.05 more. With friction grains are poured, "
        "and looser.");
    close_packing(v);
    close_packing_2d(v);
    if (v->full)
        with_friction(v);
}
