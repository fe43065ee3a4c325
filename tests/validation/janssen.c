/*  Janssen's silo: friction on the wall carries the weight of a tall column. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

#define DIAMETER 2e-3 /* of a grain */
#define DENSITY 2500.0
#define FRICTION 0.5
/*  On the wall: grains slide there with all of it. Where it is 0.5 the wall gets but 0.22 to 0.24 of what presses on it. */
#define WALL_FRICTION 0.2
#define GRAVITY 9.81
#define SIDES 48
#define STEP 2.5e-5
#define LIFT_SPEED 0.02 /* of the wall, m/s, */
#define BELOW 0.03 /* and how far it reaches below the floor at first: more than it is lifted */

typedef struct silo
{
    rig r;
    scree_mesh *mesh;
    scree_wall_id floor, wall;
    double diameter; /* of the silo */
    size_t count;
} silo;

/*  A cylinder about the z axis, open at both ends, whose walls are twelve rings of triangles. */
static scree_mesh *make_cylinder(double radius, double height)
{
    enum
    {
        RINGS = 12
    };
    static double vertices[(RINGS + 1) * SIDES * 3];
    static uint32_t facets[RINGS * SIDES * 6];
    size_t f = 0;
    for (uint32_t ring = 0; ring <= RINGS; ring++)
        for (uint32_t k = 0; k < SIDES; k++) {
            double *at = vertices + 3 * (ring * SIDES + k), angle = 2 * VALIDATION_PI * k / SIDES;
            at[0] = radius * cos(angle);
            at[1] = radius * sin(angle);
            at[2] = height * ring / RINGS;
        }
    for (uint32_t ring = 0; ring < RINGS; ring++)
        for (uint32_t k = 0; k < SIDES; k++) {
            uint32_t a = ring * SIDES + k, b = ring * SIDES + (k + 1) % SIDES;
            const uint32_t two[6] = {a, b, a + SIDES, b, b + SIDES, a + SIDES};
            for (int i = 0; i < 6; i++)
                facets[f++] = two[i];
        }
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = (RINGS + 1) * SIDES;
    def.facets = facets;
    def.facet_count = RINGS * SIDES * 2;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

/*  Grains on a loose lattice, in as many layers as make a column of this height. */
static void fill(silo *s, scree_material_id material, double height)
{
    double radius = s->diameter / 2, spacing = 1.15 * DIAMETER;
    size_t wanted = (size_t)(0.58 * 1.5 * s->diameter * s->diameter * height / pow(DIAMETER, 3));
    scree_random random = scree_random_stream(7, 0);
    for (int layer = 0; s->count < wanted && !s->r.status; layer++)
        for (int x = -20; x <= 20; x++)
            for (int y = -20; y <= 20; y++) {
                double at[2] = {(x + 0.5 * (layer % 2)) * spacing, y * spacing};
                if (sqrt(at[0] * at[0] + at[1] * at[1]) > radius - 0.58 * DIAMETER ||
                    s->count == wanted)
                    continue;
                scree_body_def grain =
                    rig_sphere(material, DIAMETER / 2, at[0], at[1], (layer + 0.6) * spacing);
                for (int a = 0; a < 3; a++)
                    grain.position[a] += scree_random_range(&random, -0.05, 0.05) * DIAMETER;
                rig_add(&s->r, &grain);
                s->count++;
            }
}

/*  Friction of grains on the wall is the wall's, not a mean of both. */
static void make_smooth(rig *r, scree_material_id grains, scree_material_id wall, double friction)
{
    static const char *const names[] = {"friction"};
    scree_rule_def rule = scree_default_rule_def();
    rule.material[0] = grains;
    rule.material[1] = wall;
    rule.names = names;
    rule.values = &friction;
    rule.value_count = 1;
    if (!r->status)
        r->status = scree_world_add_rule(r->world, &rule);
}

static silo silo_open(validation *v, double diameter, double height, double friction, double time)
{
    silo s = {.diameter = diameter};
    scree_world_def def = rig_def(STEP);
    def.gravity[2] = -GRAVITY;
    def.global_damping = 20;
    s.r = rig_open(v, &def);
    scree_material_def material = scree_default_material_def();
    material.density = DENSITY;
    material.young = 5e5;
    material.restitution = 0.4;
    material.friction = FRICTION;
    scree_material_id id = rig_material(&s.r, &material);
    material.friction = friction;
    scree_material_id smooth = rig_material(&s.r, &material);
    make_smooth(&s.r, id, smooth, friction);
    s.floor = rig_plane(&s.r, id, 0, 0, 0, 0, 0, 1);
    s.mesh = make_cylinder(diameter / 2, 2.2 * height + BELOW);
    scree_wall_def wall = scree_default_wall_def();
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = s.mesh;
    wall.point[2] = -BELOW;
    wall.material = smooth;
    if (!s.r.status)
        s.r.status = scree_world_add_wall(s.r.world, &wall, &s.wall);
    fill(&s, id, height);
    rig_step(&s.r, (uint64_t)(time / STEP));
    if (!s.r.status)
        s.r.status = scree_world_set_damping(s.r.world, 0, 0);
    return s;
}

/*  As it settles a column swings, and friction is left at odds. The wall moves up, slowly, so that all friction
    acts upwards: a grain falls its own diameter in a fifth of the time that the wall needs for it. */
static void mobilise(silo *s)
{
    scree_wall_path path = {.velocity = {0, 0, LIFT_SPEED}};
    if (!s->r.status)
        s->r.status = scree_world_set_wall_path(s->r.world, s->wall, &path);
    rig_step(&s->r, (uint64_t)(0.2 / STEP));
}

static void silo_close(silo *s)
{
    rig_close(&s->r);
    scree_mesh_destroy(s->mesh);
}

static double weight_of(const silo *s)
{
    return (double)s->count * VALIDATION_PI / 6 * pow(DIAMETER, 3) * DENSITY * GRAVITY;
}

static double area_of(const silo *s)
{
    /* of the polygon */
    return 0.125 * SIDES * s->diameter * s->diameter * sin(2 * VALIDATION_PI / SIDES);
}

#define SLICES 48
/*  Means over some moments. Vertical stress at the foot of each slice: the weight above less what the wall
    carries there. */
typedef struct profile
{
    double stress[SLICES], depth[SLICES];
    double bulk, floor, side; /* density; forces downwards */
} profile;

static double height_of(silo *s)
{
    scree_bodies_view bodies = scree_world_bodies(s->r.world);
    double middle = 0;
    for (size_t k = 0; k < bodies.count; k++)
        middle += scree_row_at(bodies.position, k)[2] / (double)bodies.count;
    return 2 * middle; /* of an even column */
}

static void look(silo *s, profile *p, double share)
{
    const scree_contact *contacts;
    size_t count = 0;
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    filter.wall = s->wall;
    double top = height_of(s), weight = weight_of(s) / (double)s->count;
    for (int slice = 0; slice < SLICES; slice++) {
        double below = top * (1 - (slice + 1.0) / SLICES), load = 0;
        scree_bodies_view bodies = scree_world_bodies(s->r.world);
        for (size_t k = 0; k < bodies.count; k++)
            /* a grain across the cut counts by its part above */
            load +=
                weight *
                fmin(1, fmax(0, (scree_row_at(bodies.position, k)[2] - below) / DIAMETER + 0.5));
        if (scree_world_contacts(s->r.world, &filter, &contacts, &count))
            return;
        for (size_t k = 0; k < count; k++)
            if (contacts[k].point[2] > below)
                load -= contacts[k].force[2]; /* the wall's on the grain */
        p->stress[slice] += share * load / area_of(s);
        p->depth[slice] += share * (top - below);
    }
    p->bulk += share * weight_of(s) / (GRAVITY * area_of(s) * top);
    p->floor -= share * rig_wall(&s->r, s->floor).force[2];
    p->side -= share * rig_wall(&s->r, s->wall).force[2];
}

static profile profile_of(silo *s)
{
    enum
    {
        MOMENTS = 40
    };
    profile p;
    memset(&p, 0, sizeof p);
    for (int k = 0; k < MOMENTS && rig_step(&s->r, (uint64_t)(0.0125 / STEP)); k++)
        look(s, &p, 1.0 / MOMENTS);
    return p;
}

static double janssen(double depth, double bulk, double diameter, double k)
{
    double length = diameter / (4 * WALL_FRICTION * k);
    return bulk * GRAVITY * length * (1 - exp(-depth / length));
}

/*  The k whose curve is nearest. */
static double fit_k(const profile *p, double diameter)
{
    double best = 0, least = INFINITY;
    for (double k = 0.05; k < 3; k += 0.001) {
        double sum = 0;
        for (int slice = 0; slice < SLICES; slice++)
            sum += pow(p->stress[slice] - janssen(p->depth[slice], p->bulk, diameter, k), 2);
        if (sum < least) {
            least = sum;
            best = k;
        }
    }
    return best;
}

typedef struct column
{
    double bottom; /* force on the floor, over that of rho g D */
    double share;  /* of the weight, on the floor */
} column;

static column stand(validation *v, double grains_across, double aspect, double time,
                    const char *name, validation_chart *chart)
{
    double diameter = grains_across * DIAMETER, misfit = 0;
    silo s = silo_open(v, diameter, aspect * diameter, WALL_FRICTION, time);
    mobilise(&s);
    profile p = profile_of(&s);
    double weight = weight_of(&s), unit = p.bulk * GRAVITY * diameter, k = fit_k(&p, diameter);
    column c = {p.floor / (area_of(&s) * unit), p.floor / weight};
    validation_curve *ours = validation_add_curve(chart, name, false);
    validation_curve *curve = validation_add_curve(chart, "Janssen", true);
    for (int slice = 0; slice < SLICES; slice++) {
        double formula = janssen(p.depth[slice], p.bulk, diameter, k);
        misfit += pow((p.stress[slice] - formula) / janssen(INFINITY, p.bulk, diameter, k), 2);
        validation_point(ours, p.depth[slice] / diameter, p.stress[slice] / unit);
        validation_point(curve, p.depth[slice] / diameter, formula / unit);
    }
    silo_close(&s);
    validation_relative(v, "[F] weight", weight, p.floor + p.side, 0.01,
                        "%s: force on floor and wall, N", name);
    validation_between(v, "[U] typical 0.3 to 1", 0.3, 1, k, "%s: k of the curve", name);
    validation_at_most(
        v, "[F] (rho g D / 4 mu k) (1 - exp(-4 mu k z/D))", 0.1, sqrt(misfit / SLICES),
        "%s: stress over depth, root mean square distance from the curve over its limit", name);
    return c;
}

/*  The short form: forces balance, and the wall does carry. */
static void stand_briefly(validation *v)
{
    silo s = silo_open(v, 4 * DIAMETER, 3 * 4 * DIAMETER, FRICTION, 0.25);
    double weight = weight_of(&s), floor = -rig_wall(&s.r, s.floor).force[2],
           side = -rig_wall(&s.r, s.wall).force[2];
    validation_relative(v, "[F] weight", weight, floor + side, 0.01,
                        "D = 4 d: force on floor and wall, N");
    validation_at_most(v, "[F]", 0.9, floor / weight,
                       "D = 4 d, 3 D high: share of the weight on the floor");
    silo_close(&s);
}

void validate_janssen(validation *v)
{
    validation_begin(
        v, "11. Janssen's silo",
        "Grains of 2 mm (E = 0.5 MPa, friction 0.5, restitution 0.4) fall from a "
        "loose lattice into a cylinder of 48 x 12 x 2 triangles on a plane floor. The stress at "
        "a depth is the weight above less what the wall carries there; one number, k, is fitted. "
        "Friction on the wall is 0.2, and acts in full, as the law has it; where it is 0.5 the "
        "wall "
        "gets but 0.24 of what presses on it, and less as it moves on. "
        "The wall moves up at 20 mm/s, so that friction acts upwards all along it; means over "
        "five diameters of its way. The law knows no grains: their centres lie within D - d, which "
        "alone makes 4 % between the two diameters.");
    if (!v->full) {
        stand_briefly(v);
        return;
    }
    validation_chart *chart =
        validation_add_chart(v, "validation-janssen.svg", "Stress in a silo over depth",
                             "friction of the wall 0.2; dashed: the law with one fitted number",
                             "depth / D", "stress / (rho g D)");
    column narrow = stand(v, 9, 6, 0.35, "D = 9 d, 6 D high", chart);
    column wide = stand(v, 13.5, 6, 0.45, "D = 13.5 d, 6 D high", chart);
    column high = stand(v, 9, 12, 0.5, "D = 9 d, 12 D high", chart);
    validation_at_most(v, "[F]", 0.6, narrow.share,
                       "D = 9 d, 6 D high: share of the weight on the floor");
    validation_relative(v, "[F] saturation", narrow.bottom, high.bottom, 0.05,
                        "force on the floor at twice the height, over rho g D A");
    validation_relative(v, "[F] scaling", narrow.bottom, wide.bottom, 0.10,
                        "force on the floor at 1.5 times the diameter, over rho g D A");
}
