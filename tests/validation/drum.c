/*  Rotating drums: grains that are held from rolling against closed forms, and the regimes of a bed. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/*  Units: mass and diameter of a grain, and gravity, are 1. Two dimensions. */
#define STIFFNESS 1e4
#define STEP 1.6e-3
#define SIDES 360        /* of the shell of a bed; */
#define SIDES_ALONE 2880 /* a grain alone feels that facets tilt by half their angle */
#define RADIUS 20.0
#define FILLED 0.35

typedef struct drum
{
    rig r;
    scree_mesh *mesh;
    scree_wall_id shell;
    double rate; /* it turns from x to y */
} drum;

static scree_mesh *circle(double radius, uint32_t sides)
{
    static double vertices[SIDES_ALONE * 3];
    static uint32_t facets[SIDES_ALONE * 2];
    for (uint32_t k = 0; k < sides; k++) {
        double angle = 2 * VALIDATION_PI * k / sides;
        const double at[3] = {radius * cos(angle), radius * sin(angle), 0};
        const uint32_t ends[2] = {k, (k + 1) % sides};
        memcpy(vertices + 3 * k, at, sizeof at);
        memcpy(facets + 2 * k, ends, sizeof ends);
    }
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.corners = 2;
    def.vertices = vertices;
    def.vertex_count = sides;
    def.facets = facets;
    def.facet_count = sides;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

/*  The shell is as rough to grains as they say, and more so where `grip` is not 0. */
static drum drum_open(validation *v, uint32_t sides, double friction, double grip)
{
    drum d = {.r = {.v = v}};
    scree_world_def def = rig_def(STEP);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    def.dimensions = 2;
    def.gravity[1] = -1;
    def.energy_balance = true;
    d.r = rig_open(v, &def);
    material.friction = friction;
    material.restitution = 0.5;
    material.stiffness = 2 * STIFFNESS; /* two in series */
    scree_material_id id = rig_material(&d.r, &material);
    if (grip > 0) {
        static const char *const names[] = {"friction"};
        scree_rule_def rule = scree_default_rule_def();
        rule.type = SCREE_CONTACT_WALLS;
        rule.law = "linear";
        rule.names = names;
        rule.values = &grip;
        rule.value_count = 1;
        if (!d.r.status)
            d.r.status = scree_world_add_rule(d.r.world, &rule);
    }
    rig_law(&d.r, "linear", NULL, 0);
    scree_wall_def wall = scree_default_wall_def();
    d.mesh = circle(RADIUS, sides);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = d.mesh;
    wall.material = id;
    if (!d.r.status)
        d.r.status = scree_world_add_wall(d.r.world, &wall, &d.shell);
    return d;
}

static void drum_close(drum *d)
{
    rig_close(&d->r);
    scree_mesh_destroy(d->mesh);
}

static void turn(drum *d, double rate)
{
    scree_wall_path path = {.axis = {0, 0, 1}, .rate = rate};
    d->rate = rate;
    if (!d->r.status)
        d->r.status = scree_world_set_wall_path(d->r.world, d->shell, &path);
}

/* ---- a grain that does not roll ----------------------------------------------------------------------- */

/*  Radius on which its centre goes. */
#define ORBIT (RADIUS * cos(VALIDATION_PI / SIDES_ALONE) - 0.5)

static drum alone_open(validation *v, double friction, double froude, bool turns_along)
{
    drum d = drum_open(v, SIDES_ALONE, friction, 0);
    double rate = sqrt(froude / ORBIT);
    scree_body_def grain = rig_sphere((scree_material_id){1}, 0.5, 0, -ORBIT, 0);
    grain.mass = 1;
    grain.flags = SCREE_FREEZE_SPIN_Z;
    if (turns_along) {
        grain.spin[2] = rate;
        grain.velocity[0] = rate * ORBIT;
    }
    rig_add(&d.r, &grain);
    turn(&d, rate);
    return d;
}

/*  Slipping: the shell drags it up to where the slope is the friction. */
static void slip(validation *v, double friction)
{
    drum d = alone_open(v, friction, 0.01, false);
    double mean = 0;
    int samples = 0;
    /* friction that is the same at all speeds lets it swing on: drag does not, and has no part in where it comes to rest */
    if (!d.r.status)
        d.r.status = scree_world_set_damping(d.r.world, 0.2, 0);
    rig_step(&d.r, (uint64_t)(150 / STEP));
    while (samples < 200 && rig_step(&d.r, 100)) {
        scree_bodies_view bodies = scree_world_bodies(d.r.world);
        mean += atan2(scree_row_at(bodies.position, 0)[0], -scree_row_at(bodies.position, 0)[1]);
        samples++;
    }
    drum_close(&d);
    validation_absolute(
        v, "[F] atan(mu)", atan(friction) * 180 / VALIDATION_PI, mean / 200 * 180 / VALIDATION_PI,
        0.5, "grain that cannot turn, mu = %g: angle at which it slips, degrees", friction);
}

/*  Revolutions over those of the drum, in three of them. */
static double followed(validation *v, double friction, double froude)
{
    drum d = alone_open(v, friction, froude, true);
    double turned = 0, before = -VALIDATION_PI / 2, whole = 6 * VALIDATION_PI;
    uint64_t steps = (uint64_t)(whole / d.rate / STEP);
    for (uint64_t done = 0; done < steps && rig_step(&d.r, 20); done += 20) {
        scree_bodies_view bodies = scree_world_bodies(d.r.world);
        double angle =
            atan2(scree_row_at(bodies.position, 0)[1], scree_row_at(bodies.position, 0)[0]);
        turned += remainder(angle - before, 2 * VALIDATION_PI);
        before = angle;
    }
    double share = turned / (d.rate * rig_time(&d.r));
    drum_close(&d);
    return share;
}

/*  The same of a point on a round shell, by small steps. */
static double followed_reference(double friction, double froude)
{
    const double rate = sqrt(froude / ORBIT), dt = 1e-4;
    double angle = 0, speed = rate * ORBIT, time = 0;
    for (; time < 6 * VALIDATION_PI / rate; time += dt) {
        double bound = friction * (speed * speed / ORBIT + cos(angle)), pull = sin(angle);
        double slip = speed - rate * ORBIT;
        angle += speed / ORBIT * dt;
        if (slip == 0 && fabs(pull) <= bound)
            continue;
        double push = slip < 0 || (slip == 0 && pull > 0) ? bound : -bound;
        double after = slip + (push - pull) * dt;
        /* what has come to the speed of the shell stays there for a step */
        speed = rate * ORBIT + (after * slip < 0 ? 0 : after);
    }
    return angle / (rate * time);
}

/*  Centrifuging: what turns with the drum stays at its place if friction holds it all round, which is hardest
    at atan(1 / mu) beside the top; just below, it slips there in each turn. */
static void centrifuge_alone(validation *v, double friction, double below)
{
    double limit = sqrt(1 + 1 / (friction * friction));
    validation_absolute(
        v, "[F] sqrt(1 + 1/mu^2)", 0, 1 - followed(v, friction, 1.02 * limit), 1e-5,
        "grain held at the shell, mu = %g, Froude number 1.02 times the limit: share "
        "of its way that it slips",
        friction);
    validation_relative(
        v, "[C] a point, small steps", 1 - followed_reference(friction, below * limit),
        1 - followed(v, friction, below * limit), 0.05, "the same at %g times the limit", below);
}

/* ---- a bed ---------------------------------------------------------------------------------------- */

typedef struct bed
{
    double angle;      /* of the centre of mass from below, degrees: mean */
    double bursts;     /* energy of the flow, as the drum sees it: deviation over mean */
    double pull;       /* mean moment of the weight, and what the beds gains of angular momentum */
    double torque;     /* of the shell, by the work that it does; both over the weight */
    double work, lost; /* of the shell; in contacts, and what the bed gains of energy */
    double flying, rigid; /* share that touches nothing; that goes round with the shell */
} bed;

/*  Discs of 0.8 to 1.2 across: equal ones lie in rows. */
static void fill(drum *d)
{
    double area = 0;
    scree_random random = scree_random_stream(3, 0);
    for (int y = 0; y < 2 * RADIUS; y++)
        for (int x = (int)-RADIUS; x <= RADIUS && area < FILLED * RADIUS * RADIUS * 0.83; x++) {
            double at[2] = {1.21 * (x + 0.5 * (y % 2)), 1.21 * y - RADIUS + 1};
            if (hypot(at[0], at[1]) > RADIUS - 0.7)
                continue;
            double radius = scree_random_range(&random, 0.4, 0.6);
            scree_body_def grain = rig_sphere((scree_material_id){1}, radius, at[0], at[1], 0);
            grain.mass = 4 * radius * radius;
            for (int a = 0; a < 2; a++)
                grain.velocity[a] = scree_random_range(&random, -0.3, 0.3);
            rig_add(&d->r, &grain);
            area += radius * radius;
        }
}

/*  Sums over looks of the energy that the bed has beside turning with the drum. */
typedef struct flow
{
    double mean, square;
} flow;

static void look(drum *d, bed *b, double share, flow *seen)
{
    double energy = 0;
    scree_bodies_view bodies = scree_world_bodies(d->r.world);
    scree_totals totals = scree_world_totals(d->r.world);
    for (size_t k = 0; k < bodies.count; k++) {
        const double *p = scree_row_at(bodies.position, k), *u = scree_row_at(bodies.velocity, k);
        double round = (p[0] * u[1] - p[1] * u[0]) / (p[0] * p[0] + p[1] * p[1]);
        double load =
            hypot(scree_row_at(bodies.force, k)[0], scree_row_at(bodies.force, k)[1] + 1 / u[3]);
        b->flying += share / (double)bodies.count * (load < 1e-9);
        double past[2] = {u[0] + d->rate * p[1], u[1] - d->rate * p[0]};
        energy += (past[0] * past[0] + past[1] * past[1]) / (2 * u[3]);
        b->rigid += share / (double)bodies.count * (fabs(round / d->rate - 1) < 0.1);
    }
    double angle = atan2(totals.centre[0], -totals.centre[1]) * 180 / VALIDATION_PI;
    b->angle += share * angle;
    seen->mean += share * energy;
    seen->square += share * energy * energy;
    b->pull += share * totals.centre[0];
}

/*  What the shell gave, what contacts lost and what the bed has: energies; and angular momentum over mass. */
typedef struct account
{
    double given, lost, kept, turning;
} account;

static account account_of(const drum *d)
{
    account a = {.given = 0};
    if (d->r.status)
        return a;
    scree_energy energy = scree_world_energy(d->r.world);
    scree_totals totals = scree_world_totals(d->r.world);
    a.given = energy.walls;
    a.lost = energy.damping + energy.friction;
    a.kept = energy.kinetic + energy.rotational + energy.potential + energy.elastic;
    a.turning = totals.angular_momentum[2] / totals.mass;
    return a;
}

/*  A bed in steady motion: turned by `rest` radians, and looked at for `turned` more. */
static bed bed_at(validation *v, double froude, double grip, double rest, double turned)
{
    const uint64_t every = 200;
    bed b = {.angle = 0};
    drum d = drum_open(v, SIDES, 0.5, grip);
    double rate = sqrt(froude / RADIUS);
    flow seen = {0, 0};
    fill(&d);
    rig_step(&d.r, (uint64_t)(8 / STEP));
    turn(&d, rate);
    rig_step(&d.r, (uint64_t)(rest / rate / STEP));
    uint64_t samples = (uint64_t)(turned / rate / STEP) / every;
    account before = account_of(&d);
    double from = rig_time(&d.r);
    for (uint64_t k = 0; k < samples && rig_step(&d.r, every); k++)
        look(&d, &b, 1 / (double)samples, &seen);
    account after = account_of(&d);
    double time = rig_time(&d.r) - from;
    b.work = after.given - before.given;
    b.lost = after.lost - before.lost + after.kept - before.kept;
    b.torque = d.r.status ? 0 : b.work / (rate * time * scree_world_totals(d.r.world).mass);
    b.pull += (after.turning - before.turning) / time;
    b.bursts = sqrt(fmax(0, seen.square - seen.mean * seen.mean)) / seen.mean;
    drum_close(&d);
    return b;
}

static void balance(validation *v, const bed *b, double froude)
{
    validation_relative(v, "[F] M g x + dL/dt", b->pull, b->torque, 0.03,
                        "Fr = %g: torque of the shell over the weight, d", froude);
    validation_relative(v, "[F] energy", b->work, b->lost, 0.03,
                        "Fr = %g: lost in contacts and kept, beside the work of the shell", froude);
}

static void regimes(validation *v)
{
    validation_chart *chart =
        validation_add_chart(v, "validation-drum.svg", "Bed in a rotating drum",
                             "angle of its centre of mass", "Froude number", "degrees");
    validation_curve *angles = validation_add_curve(chart, "scree", false);
    chart->logarithmic = true;
    bed slumping = bed_at(v, 1e-4, 1, 0.5, 1), rolling = bed_at(v, 1e-2, 1, 2, 6),
        cascading = bed_at(v, 0.1, 1, 3, 7), cataracting = bed_at(v, 0.4, 1, 6, 12),
        centrifuging = bed_at(v, 4, 1, 30, 30), slipping = bed_at(v, 1e-2, 0.05, 2, 4);
    const bed *all[] = {&slumping, &rolling, &cascading, &cataracting};
    const double froude[] = {1e-4, 1e-2, 0.1, 0.4};
    for (int k = 0; k < 4; k++) {
        validation_point(angles, froude[k], all[k]->angle);
        balance(v, all[k], froude[k]);
    }
    validation_at_most(
        v, "[U] Mellmann", rolling.angle, slipping.angle,
        "slipping, friction of the shell 0.05: angle, below that of a bed that rolls");
    validation_at_most(v, "[U] avalanches", slumping.bursts / 2, rolling.bursts,
                       "rolling, Fr = 0.01: energy of the flow, deviation over mean, at most half "
                       "of slumping");
    validation_between(v, "[U] trend", rolling.angle, 90, cascading.angle,
                       "cascading, Fr = 0.1: angle of the bed, degrees, above that at 0.01");
    validation_between(
        v, "[U] Mellmann", 2 * rolling.flying, 1, cataracting.flying,
        "cataracting, Fr = 0.4: share that touches nothing, above twice that at 0.01");
    validation_between(v, "[U] Mellmann", 0.95, 1, centrifuging.rigid,
                       "centrifuging, Fr = 4: share of grains that go round with the drum");
}

void validate_drum(validation *v)
{
    validation_begin(
        v, "11f. Rotating drums",
        "In two dimensions, 40 grains across. A grain that cannot turn slips where the slope is "
        "its friction; one that "
        "turns with the drum stays at the shell all round from a Froude number (rate^2 r / g) of "
        "sqrt(1 + 1 / mu^2) on (a shell of 2880 segments, as "
        "they are tilted by half their angle, which a grain feels). A bed that fills 35 %, of "
        "discs of "
        "0.8 to 1.2, with a "
        "friction of 0.5 and 1 at the shell: the torque that it takes is its weight times how far "
        "its centre is to the side and what it gains of angular momentum, "
        "and the work of the shell is lost in contacts or kept. Regimes after Mellmann (Powder "
        "Technology 118, 2001) go by the Froude number: slumping in avalanches "
        "(here 1e-4), rolling, cascading, cataracting, centrifuging; on a shell with little "
        "friction the bed slips.");
    slip(v, 0.3);
    centrifuge_alone(v, 0.5, 0.9);
    if (!v->full) {
        bed b = bed_at(v, 0.1, 1, 2, 2);
        balance(v, &b, 0.1);
        return;
    }
    slip(v, 0.6);
    centrifuge_alone(v, 1, 0.96);
    regimes(v);
}
