/*  What flows out of a hole in the floor. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  Units: mass and diameter of a grain, and gravity, are 1. */
#define STIFFNESS 1e4 /* of a contact */
#define RESTITUTION 0.5
#define FRICTION 0.5
#define STEP 1.6e-3
#define BELOW 1.5 /* from the floor to where grains re-enter */
#define ROOM 5.0  /* from the bed, as it is filled, to there */
#define RAIN 2.5  /* of that, where they are let go */
#define RAIN_SPEED 1.0
#define SIDES 48
#define BINS 9

typedef struct bin
{
    rig r;
    int dimensions, up; /* axis */
    double orifice, width;
    bool is_walled; /* to the sides; else there is no end */
    scree_mesh *floor;
    size_t count;
    double *before;        /* height of each, by serial */
    scree_body_id *passed; /* since the last look */
    scree_random random;
    double top;
    double density; /* grains in unit volume of the bed */
    /*  in the orifice, by distance from the middle: grains seen, and sum of their velocities down */
    double seen[BINS], fall[BINS];
    size_t samples;
} bin;

/*  A square with a round hole, as large as the circle. */
static scree_mesh *plate_with_hole(double orifice, double width)
{
    static double vertices[2 * SIDES * 3];
    static uint32_t facets[SIDES * 6];
    double sector = 2 * VALIDATION_PI / SIDES;
    double radius = orifice / 2 * sqrt(sector / sin(sector));
    for (uint32_t k = 0; k < SIDES; k++) {
        double x = cos(sector * k), y = sin(sector * k), far = width / 2 / fmax(fabs(x), fabs(y));
        const double at[6] = {radius * x, radius * y, 0, far * x, far * y, 0};
        uint32_t a = 2 * k, b = 2 * ((k + 1) % SIDES);
        const uint32_t two[6] = {a, a + 1, b, b, a + 1, b + 1};
        memcpy(vertices + 6 * k, at, sizeof at);
        memcpy(facets + 6 * k, two, sizeof two);
    }
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = 2 * SIDES;
    def.facets = facets;
    def.facet_count = 2 * SIDES;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

static scree_mesh *line_with_gap(double orifice, double width)
{
    const double vertices[12] = {-width / 2,  0, 0, -orifice / 2, 0, 0,
                                 orifice / 2, 0, 0, width / 2,    0, 0};
    const uint32_t facets[4] = {0, 1, 2, 3};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.corners = 2;
    def.vertices = vertices;
    def.vertex_count = 4;
    def.facets = facets;
    def.facet_count = 2;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

/*  Layers of a loose lattice from the floor up; to the sides there is no end. */
static void fill(bin *b, scree_material_id material, double height)
{
    int across = (int)(b->width / 1.04), layers = (int)(height / 1.02);
    double spacing = b->width / across;
    scree_random random = scree_random_stream(5, 0);
    for (int layer = 0; layer < layers; layer++)
        for (int x = 0; x < across; x++)
            for (int y = 0; y < (b->dimensions == 3 ? across : 1); y++) {
                double at[3] = {(x + 0.5) * spacing - b->width / 2,
                                (y + 0.5) * spacing - b->width / 2, 0};
                at[b->up] = 0.53 + 1.02 * layer;
                scree_body_def grain = rig_sphere(material, 0.5, at[0], at[1], at[2]);
                grain.mass = 1;
                for (int a = 0; a < b->dimensions; a++) {
                    grain.position[a] += scree_random_range(&random, -0.01, 0.01);
                    grain.velocity[a] = scree_random_range(&random, -1, 1);
                }
                rig_add(&b->r, &grain);
                b->count++;
            }
}

static void put_floor(bin *b, scree_material_id material)
{
    scree_wall_def wall = scree_default_wall_def();
    /* beyond the boundary, where grains still reach */
    b->floor = b->dimensions == 3 ? plate_with_hole(b->orifice, b->width + 2)
                                  : line_with_gap(b->orifice, b->width + 2);
    wall.kind = SCREE_WALL_MESH;
    wall.mesh = b->floor;
    wall.material = material;
    if (!b->r.status)
        b->r.status = scree_world_add_wall(b->r.world, &wall, NULL);
}

static void put_walls(bin *b, scree_material_id material)
{
    for (int a = 0; a < b->up; a++)
        for (int side = -1; side <= 1; side += 2) {
            double at[3] = {0, 0, 0}, inwards[3] = {0, 0, 0};
            at[a] = side * b->width / 2;
            inwards[a] = -side;
            rig_plane(&b->r, material, at[0], at[1], at[2], inwards[0], inwards[1], inwards[2]);
        }
}

/*  A bed on a floor that is closed; what falls through later re-enters at the top. */
static bin bin_open(validation *v, int dimensions, double orifice, double width, double height,
                    bool is_walled)
{
    bin b = {.dimensions = dimensions,
             .up = dimensions - 1,
             .orifice = orifice,
             .width = width,
             .is_walled = is_walled};
    scree_world_def def = rig_def(STEP);
    scree_material_def material = rig_elastic(1, 1e7, 0.3);
    def.dimensions = dimensions;
    def.gravity[b.up] = -1;
    for (int a = 0; a < dimensions; a++) {
        if (a == b.up || !is_walled)
            def.domain.boundary[a] = SCREE_BOUNDARY_PERIODIC;
        def.domain.lower[a] = a == b.up ? -BELOW : -width / 2;
        def.domain.upper[a] = a == b.up ? height + ROOM : width / 2;
    }
    b.r = rig_open(v, &def);
    material.friction = FRICTION;
    material.restitution = RESTITUTION;
    material.stiffness = 2 * STIFFNESS; /* two in series */
    scree_material_id id = rig_material(&b.r, &material);
    rig_law(&b.r, "linear", NULL, 0);
    if (is_walled)
        put_walls(&b, id);
    fill(&b, id, height);
    b.before = calloc(b.count, sizeof *b.before);
    b.passed = calloc(b.count, sizeof *b.passed);
    b.random = scree_random_stream(6, 0);
    b.top = def.domain.upper[b.up];
    scree_wall_id lid = rig_plane(&b.r, id, 0, 0, 0, 0, dimensions == 2, dimensions == 3);
    rig_step(&b.r, (uint64_t)(6 / STEP));
    scree_bodies_view bodies = scree_world_bodies(b.r.world);
    double middle = 0;
    for (size_t k = 0; k < bodies.count; k++)
        middle += scree_row_at(bodies.position, k)[b.up] / (double)bodies.count;
    b.density = (double)b.count / (2 * middle * pow(width, dimensions - 1));
    if (!b.r.status)
        b.r.status = scree_world_remove_wall(b.r.world, lid);
    put_floor(&b, id);
    return b;
}

static void bin_close(bin *b)
{
    rig_close(&b->r);
    scree_mesh_destroy(b->floor);
    free(b->before);
    free(b->passed);
}

static bool is_free(bin *b, const double at[3], scree_body_id but)
{
    scree_bodies_view bodies = scree_world_bodies(b->r.world);
    for (size_t k = 0; k < bodies.count; k++) {
        double square = 0;
        for (int a = 0; a < b->dimensions; a++) {
            double d = fabs(scree_row_at(bodies.position, k)[a] - at[a]);
            d = a == b->up ? d : fmin(d, b->width - d);
            square += d * d;
        }
        if (square < 1.02 && scree_body_id_at(bodies.id, k).index1 != but.index1)
            return false;
    }
    return true;
}

/*  Grains that have re-entered at the top do so anywhere, and slowly: not as a jet on the orifice. */
static void rain(bin *b, size_t count)
{
    double across = b->is_walled ? b->width - 1.02 : b->width;
    for (size_t k = 0; k < count; k++) {
        scree_body grain = rig_body(&b->r, b->passed[k]);
        double at[3] = {0, 0, 0};
        memset(grain.velocity, 0, sizeof grain.velocity);
        memset(grain.spin, 0, sizeof grain.spin);
        grain.velocity[b->up] = -RAIN_SPEED;
        for (int attempt = 0; attempt < 50; attempt++) {
            for (int a = 0; a < b->dimensions; a++)
                at[a] = scree_random_range(&b->random, -across / 2, across / 2);
            at[b->up] = b->top - scree_random_range(&b->random, 1, 1 + RAIN);
            if (is_free(b, at, b->passed[k])) {
                memcpy(grain.position, at, sizeof at);
                break;
            }
        }
        rig_set(&b->r, b->passed[k], &grain);
        b->before[grain.serial - 1] = grain.position[b->up];
    }
}

/*  How many have re-entered since the last look; and which are in the orifice. */
static size_t look(bin *b)
{
    scree_bodies_view bodies = scree_world_bodies(b->r.world);
    size_t passed = 0;
    for (size_t k = 0; b->before && b->passed && k < bodies.count; k++) {
        double height = scree_row_at(bodies.position, k)[b->up],
               *before = &b->before[scree_uint64_at(bodies.serial, k) - 1];
        if (height > *before + 4)
            b->passed[passed++] = scree_body_id_at(bodies.id, k);
        *before = height;
        if (fabs(height) > 0.25)
            continue;
        double away = fabs(scree_row_at(bodies.position, k)[0]);
        if (b->dimensions == 3)
            away = sqrt(away * away +
                        scree_row_at(bodies.position, k)[1] * scree_row_at(bodies.position, k)[1]);
        int place = (int)(away / (b->orifice / 2) * BINS);
        if (place < BINS) {
            b->seen[place] += 1;
            b->fall[place] -= scree_row_at(bodies.velocity, k)[b->up];
        }
    }
    b->samples++;
    rain(b, passed);
    return passed;
}

/*  Grains in unit time, after `rest` for the flow to begin. */
static double flow(bin *b, double rest, double time)
{
    const uint64_t every = 50;
    uint64_t steps = (uint64_t)(time / STEP);
    size_t passed = 0;
    rig_step(&b->r, (uint64_t)(rest / STEP));
    look(b);
    b->samples = 0;
    memset(b->seen, 0, sizeof b->seen);
    memset(b->fall, 0, sizeof b->fall);
    for (uint64_t done = 0; done < steps && rig_step(&b->r, every); done += every)
        passed += look(b);
    return (double)passed / ((double)(b->samples ? b->samples * every : 1) * STEP);
}

#define MOST 6
typedef struct outflow
{
    double orifice[MOST],
        rate[MOST]; /* grains in unit time, over those in unit volume of the bed */
    size_t count;
} outflow;

/*  Grains fall in the orifice as sqrt(1 - x^2 / R^2), and are as dense as that to a power of their own (Janda). */
static double shape_of_speeds(const bin *b, double *middle, validation_curve *curve)
{
    double x[BINS], y[BINS], slope, offset;
    size_t count = 0;
    for (int k = 0; k < BINS; k++) {
        double at = (k + 0.5) / BINS, speed = b->fall[k] / fmax(1, b->seen[k]);
        if (curve && b->seen[k] > 30)
            validation_point(curve, at, speed / sqrt(b->orifice));
        /* at the edge few fall, and turn about it */
        if (at > 0.9 || b->seen[k] < 30)
            continue;
        x[count] = log(1 - at * at);
        y[count++] = log(speed);
    }
    fit_line(x, y, count, &slope, &offset);
    *middle = exp(offset);
    return slope;
}

static void add_outflow(outflow *o, bin *b, double rate)
{
    o->orifice[o->count] = b->orifice;
    o->rate[o->count++] = rate / b->density;
}

/*  rate = C (D - k)^n: the n of the nearest line in logarithms. */
static double exponent_of(const outflow *o, double k)
{
    double x[MOST], y[MOST], slope, offset;
    for (size_t i = 0; i < o->count; i++) {
        x[i] = log(o->orifice[i] - k);
        y[i] = log(o->rate[i]);
    }
    fit_line(x, y, o->count, &slope, &offset);
    return slope;
}

/*  With n given the rate to the power of 1/n is a line in D. */
static void beverloo_of(const outflow *o, double n, double *c, double *k)
{
    double y[MOST], slope, offset;
    for (size_t i = 0; i < o->count; i++)
        y[i] = pow(o->rate[i], 1 / n);
    fit_line(o->orifice, y, o->count, &slope, &offset);
    *k = -offset / slope;
    *c = pow(slope, n);
}

static void report(validation *v, const outflow *o, int dimensions, validation_chart *chart)
{
    double n = dimensions - 0.5, c, k, most = 0;
    beverloo_of(o, n, &c, &k);
    validation_curve *ours =
        validation_add_curve(chart, dimensions == 3 ? "scree" : "scree, 2D", false);
    validation_curve *law =
        validation_add_curve(chart, dimensions == 3 ? "Beverloo" : "Beverloo, 2D", true);
    for (size_t i = 0; i < o->count; i++) {
        double wanted = c * pow(o->orifice[i] - k, n);
        most = fmax(most, fabs(o->rate[i] / wanted - 1));
        validation_point(ours, o->orifice[i], o->rate[i]);
        validation_point(law, o->orifice[i], wanted);
    }
    validation_absolute(v, "[F] Beverloo", n, exponent_of(o, 1.5), 0.1,
                        "%dD, D = %g to %g: exponent of the rate over D - 1.5 d", dimensions,
                        o->orifice[0], o->orifice[o->count - 1]);
    validation_at_most(v, "[F] Beverloo", 0.05, most, "%dD: rates off C (D - k d)^%g, the worst",
                       dimensions, n);
    validation_between(v, "[U] 1 to 3", 1, 3, k, "%dD: k of that", dimensions);
    validation_between(v, dimensions == 3 ? "[U] 0.58" : "[U] about 1",
                       dimensions == 3 ? 0.5 : 0.75, dimensions == 3 ? 0.7 : 1.25, c,
                       "%dD: C of that", dimensions);
}

static void flow_in_two(validation *v, validation_chart *rates, validation_chart *speeds)
{
    static const struct
    {
        double orifice, time;
        const char *name;
    } runs[] = {{8, 180, "D = 8 d"},
                {10, 130, "D = 10 d"},
                {12.5, 80, "D = 12.5 d"},
                {16, 60, "D = 16 d"},
                {20, 45, "D = 20 d"}};
    outflow o = {.count = 0};
    double speed[5], x[5], y[5], slope = 0, exponent = 0, offset;
    for (int k = 0; k < 5; k++) {
        double d = runs[k].orifice;
        bin b = bin_open(v, 2, d, 3 * d, 2 * d, false);
        add_outflow(&o, &b, flow(&b, 6, runs[k].time));
        exponent +=
            shape_of_speeds(&b, &speed[k], validation_add_curve(speeds, runs[k].name, false)) / 5;
        x[k] = log(d);
        y[k] = log(speed[k]);
        bin_close(&b);
    }
    validation_curve *law = validation_add_curve(speeds, "sqrt(1 - x^2/R^2)", true);
    fit_line(x, y, 5, &slope, &offset);
    for (int k = 0; k <= 50; k++)
        validation_point(law, 0.02 * k, speed[4] / sqrt(20) * sqrt(1 - 0.0004 * k * k));
    report(v, &o, 2, rates);
    validation_absolute(v, "[U] Janda: 1/2", 0.5, slope, 0.1,
                        "2D: exponent of the speed in the middle over D");
    validation_absolute(v, "[U] Janda: 1/2", 0.5, exponent, 0.1,
                        "2D: exponent of speeds over 1 - x^2 / R^2, mean");
}

/*  Between walls, which carry what is higher up: where there is no end to the sides all of a bed presses on the floor. */
static void no_head(validation *v)
{
    static const double height[] = {24, 48};
    double rate[2];
    for (int k = 0; k < 2; k++) {
        bin b = bin_open(v, 3, 8, 16, height[k], true);
        rate[k] = flow(&b, 8, 16);
        bin_close(&b);
    }
    validation_relative(v, "[F] no head", rate[0], rate[1], 0.05,
                        "3D, D = 8 d, between walls 2 D apart: rate, with a bed twice as high");
}

static void flow_in_three(validation *v, validation_chart *rates)
{
    static const double orifice[] = {8, 10, 12.5, 16}, time[] = {16, 14, 12, 10};
    outflow o = {.count = 0};
    for (int k = 0; k < (v->longer ? 4 : 3); k++) {
        bin b = bin_open(v, 3, orifice[k], 2 * orifice[k], 1.5 * orifice[k], false);
        add_outflow(&o, &b, flow(&b, 5, time[k]));
        bin_close(&b);
    }
    report(v, &o, 3, rates);
    no_head(v);
}

void validate_discharge(validation *v)
{
    validation_begin(
        v, "11d. Discharge",
        "Spheres, and discs in two dimensions, with a friction of 0.5 on a floor with "
        "a hole; to the sides there is no end (periodic, 2 D and "
        "3 D wide). Grains that have fallen through are put back at the top, at random places and "
        "slowly, so that the height of the bed is constant, 1.5 D and 2 D high. Nothing carries "
        "such a bed but the floor, and "
        "one of 6 D flows faster by a tenth than one of 3 D; that rates do not depend "
        "on the head is for a container with walls, here 2 D apart, which carry "
        "their share. Beverloo's law, rate = C n sqrt(g) (D - k d)^(5/2), "
        "in two dimensions to the power of 3/2, with n the grains in unit "
        "volume of the bed. The exponent is that of D - 1.5 d; k and C are those of "
        "the line that the rate to the power of 2/5 (2/3) is in D; they "
        "depend on the material. In three dimensions D is 8 to 12.5 d, with --long "
        "16. In two, speeds in the hole go as sqrt(D) and "
        "over its width as sqrt(1 - x^2 / R^2) (Janda, Zuriguel and Maza, Phys. Rev. "
        "Lett. 108, 2012).");
    if (!v->full) {
        bin b = bin_open(v, 2, 8, 24, 12, false);
        double rate = flow(&b, 4, 20);
        validation_between(v, "[U] C of 0.75 to 1.25", 0.75, 1.25, rate / b.density / pow(6.5, 1.5),
                           "2D, D = 8 d: rate over n sqrt(g) (D - 1.5 d)^1.5");
        bin_close(&b);
        return;
    }
    validation_chart *rates =
        validation_add_chart(v, "validation-beverloo.svg", "Flow out of a hole in the floor",
                             "friction 0.5; dashed: C (D - k d)^n, n = 5/2 and 3/2", "D / d",
                             "rate over number density, sqrt(g) and d");
    validation_chart *speeds =
        validation_add_chart(v, "validation-janda.svg", "Speeds in the hole, in two dimensions",
                             "over the root of its diameter", "x / R", "speed / sqrt(g D)");
    flow_in_two(v, rates, speeds);
    flow_in_three(v, rates);
}
