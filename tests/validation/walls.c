/*  Walls of triangles: a sphere must not feel how a surface is cut, nor on which part of a triangle it is. */
#include "cases.h"
#include "reference.h"
#include "rig.h"

#include "base/quaternion.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#define GRAVITY 9.81
#define CELLS 100 /* a side of a sheet, at most: 20,000 triangles */

/* ---- surfaces ------------------------------------------------------------------------------------ */

typedef struct surface
{
    double vertex[6 * (CELLS + 1) * (CELLS + 1)][3];
    uint32_t facet[6 * 2 * CELLS * CELLS][3];
    uint32_t vertices, facets;
} surface;

static surface work;

/*  A parallelogram of n by n cells, cut along the one diagonal or the other; vertices within it are moved in its
    plane by up to `jitter` of a cell. */
static void add_side(surface *s, const double origin[3], const double u[3], const double w[3],
                     uint32_t n, double jitter, scree_random *random)
{
    uint32_t first = s->vertices;
    for (uint32_t j = 0; j <= n; j++)
        for (uint32_t i = 0; i <= n; i++) {
            bool is_inside = i > 0 && j > 0 && i < n && j < n;
            double by[2] = {i, j};
            for (int a = 0; a < 2; a++)
                by[a] += is_inside ? scree_random_range(random, -jitter, jitter) : 0;
            for (int a = 0; a < 3; a++)
                s->vertex[s->vertices][a] = origin[a] + (by[0] * u[a] + by[1] * w[a]) / n;
            s->vertices++;
        }
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t a = first + j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
            bool other = scree_random_below(random, 2);
            const uint32_t two[2][3] = {{a, b, other ? c : d}, {other ? b : a, d, c}};
            memcpy(s->facet[s->facets], two, sizeof two);
            s->facets += 2;
        }
}

static scree_mesh *make_mesh(const surface *s)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.vertices = s->vertex[0];
    def.vertex_count = s->vertices;
    def.facets = s->facet[0];
    def.facet_count = s->facets;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

/*  A square in the plane z = 0, of 2 n^2 triangles. */
static scree_mesh *make_sheet(double lower, double upper, uint32_t n, double jitter)
{
    const double origin[3] = {lower, lower, 0}, u[3] = {upper - lower, 0, 0},
                 w[3] = {0, upper - lower, 0};
    scree_random random = scree_random_stream(12, n);
    work.vertices = work.facets = 0;
    add_side(&work, origin, u, w, n, jitter, &random);
    return make_mesh(&work);
}

/*  A closed cube of 12 n^2 triangles; vertices along its edges come twice, and are welded. */
static scree_mesh *make_cube(double lower, double upper, uint32_t n)
{
    double size = upper - lower;
    scree_random random = scree_random_stream(13, n);
    work.vertices = work.facets = 0;
    for (int a = 0; a < 3; a++)
        for (int far = 0; far < 2; far++) {
            double origin[3] = {lower, lower, lower}, u[3] = {0, 0, 0}, w[3] = {0, 0, 0};
            origin[a] = far ? upper : lower;
            u[(a + 1) % 3] = size;
            w[(a + 2) % 3] = size;
            add_side(&work, origin, u, w, n, 0, &random);
        }
    return make_mesh(&work);
}

/*  The wall takes the mesh over. */
static scree_wall_id add_mesh(rig *r, scree_mesh *mesh, scree_material_id material,
                              const scree_wall_path *path, const double *turn)
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id = {0, 0};
    if (turn)
        memcpy(def.orientation, turn, sizeof def.orientation);
    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    def.material = material;
    if (path)
        def.path = *path;
    if (!r->status) {
        r->status = scree_world_add_wall(r->world, &def, &id);
        if (r->status)
            snprintf(r->why, sizeof r->why, "wall: %.200s", scree_world_message(r->world));
    }
    scree_mesh_destroy(mesh);
    return id;
}

static size_t contacts_now(const rig *r)
{
    return r->status ? 0 : (size_t)scree_world_detection_stats(r->world).contacts;
}

/* ---- rolling over a plane that is cut ------------------------------------------------------------ */

#define ROLL_STEPS 30000
#define ROLL_LOOKS 600

typedef struct track
{
    double place[ROLL_LOOKS][3], spin[ROLL_LOOKS][3];
    size_t most, least; /* contacts at once */
} track;

typedef struct course
{
    uint32_t n; /* cells on a side of the sheet */
    double jitter, velocity[2];
    bool is_turned; /* all of it, gravity too, so that no coordinate is even */
    const char *way;
} course;

/*  By 0.7 rad, or not at all. */
static void turn_of(const course *c, double turn[4])
{
    static const double axis[3] = {1.0 / 3, 2.0 / 3, 2.0 / 3};
    scree_quaternion_about(axis, c->is_turned ? 0.7 : 0, turn);
}

/*  Slides at first, then rolls, for about half a metre; over a plane, or over the sheet. */
static void roll(validation *v, const course *way, bool is_sheet, track *t)
{
    const double radius = 0.01, young = 1e7;
    double turn[4], up[3] = {0, 0, 1}, along[3] = {way->velocity[0], way->velocity[1], 0};
    turn_of(way, turn);
    scree_quaternion_turn(turn, up, up);
    scree_quaternion_turn(turn, along, along);
    scree_world_def def = rig_def(2e-5);
    for (int a = 0; a < 3; a++)
        def.gravity[a] = -GRAVITY * up[a];
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(2500, young, 0.3);
    material.friction = material.restitution = 0.5;
    scree_material_id id = rig_material(&r, &material);
    if (is_sheet)
        add_mesh(&r, make_sheet(-0.1, 0.5, way->n, way->jitter), id, NULL, turn);
    else
        rig_plane(&r, id, 0, 0, 0, up[0], up[1], up[2]);
    elastic_solid ball = {young, 0.3, 2500, radius}, wall = {young, 0.3, 2500, INFINITY};
    hertz_contact c = hertz_of(&ball, &wall);
    double height = radius - pow(c.mass * GRAVITY / c.stiffness, 2.0 / 3);
    scree_body_def sphere = rig_sphere(id, radius, height * up[0], height * up[1], height * up[2]);
    memcpy(sphere.velocity, along, sizeof along);
    scree_body_id body = rig_add(&r, &sphere);
    *t = (track){.least = SIZE_MAX};
    for (size_t k = 0; k < ROLL_LOOKS; k++) {
        for (int i = 0; i < ROLL_STEPS / ROLL_LOOKS && rig_step(&r, 1); i++) {
            size_t count = contacts_now(&r);
            t->most = count > t->most ? count : t->most;
            t->least = count < t->least ? count : t->least;
        }
        scree_body now = rig_body(&r, body);
        memcpy(t->place[k], now.position, sizeof t->place[k]);
        memcpy(t->spin[k], now.spin, sizeof t->spin[k]);
    }
    rig_close(&r);
}

static double farthest(double (*a)[3], double (*b)[3])
{
    double most = 0;
    for (size_t k = 0; k < ROLL_LOOKS; k++)
        for (int i = 0; i < 3; i++)
            most = fmax(most, fabs(a[k][i] - b[k][i]));
    return most;
}

static void rolling(validation *v)
{
    static const course ways[] = {
        {1, 0, {1, 0.37}, false, "across"},
        {10, 0.3, {1, 0.37}, false, "across"},
        {CELLS, 0.3, {1, 0.37}, false, "across"},
        {6, 0, {1, 0}, false, "along edges, over vertices"},
        {60, 0, {1, 0}, false, "along edges, over vertices"},
        {1, 0, {1, 0.37}, true, "all of it turned"},
        {CELLS, 0.3, {1, 0.37}, true, "all of it turned"},
    };
    static track plane, other;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        if (k == 0 || strcmp(ways[k].way, ways[k - 1].way) != 0)
            roll(v, &ways[k], false, &plane);
        roll(v, &ways[k], true, &other);
        uint32_t facets = 2 * ways[k].n * ways[k].n;
        validation_at_most(v, "[F] as on a plane", 1e-9, farthest(plane.place, other.place),
                           "%u triangles, %s: largest distance from the path on a plane, m", facets,
                           ways[k].way);
        validation_at_most(v, "[F] as on a plane", 1e-7, farthest(plane.spin, other.spin),
                           "%u triangles, %s: largest difference of spins, rad/s", facets,
                           ways[k].way);
        validation_exact(v, "[F]", 1, (double)other.most, "%u triangles, %s: most contacts at once",
                         facets, ways[k].way);
        validation_exact(v, "[F]", 1, (double)other.least, "%u triangles, %s: fewest", facets,
                         ways[k].way);
    }
}

/* ---- a grain that is dropped into a closed box ---------------------------------------------------- */

#define DROP_STEPS 250000
#define DROP_LOOKS 500

typedef struct drop
{
    double impact, rebound; /* speeds of the first touch */
    double height[DROP_LOOKS];
} drop;

/*  Set-up of a report on DEM-Engine, where meshes bounced otherwise than planes. */
static drop drop_on(validation *v, bool is_mesh)
{
    const double radius = 1e-3;
    drop d = {.impact = 0};
    scree_world_def def = rig_def(1e-6);
    def.gravity[1] = -GRAVITY;
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(2600, 1e8, 0.3);
    material.restitution = 0.5;
    material.friction = 0.35;
    scree_material_id id = rig_material(&r, &material);
    if (is_mesh)
        add_mesh(&r, make_cube(0, 0.05, 10), id, NULL, NULL);
    else
        rig_plane(&r, id, 0, 0, 0, 0, 1, 0);
    scree_body_def sphere = rig_sphere(id, radius, 0.01, 0.02, 0.01);
    scree_body_id body = rig_add(&r, &sphere);
    size_t before = 0;
    for (int k = 0; k < DROP_STEPS && rig_step(&r, 1); k++) {
        size_t count = contacts_now(&r);
        bool is_look = k % (DROP_STEPS / DROP_LOOKS) == 0;
        scree_body now = rig_body(&r, body);
        /* what it has, or had, where it touches */
        double speed = sqrt(
            fmax(0, now.velocity[1] * now.velocity[1] + 2 * GRAVITY * (now.position[1] - radius)));
        if (!count && d.rebound == 0 && !before)
            d.impact = speed;
        if (!count && before && d.rebound == 0)
            d.rebound = speed;
        if (is_look)
            d.height[k / (DROP_STEPS / DROP_LOOKS)] = now.position[1] - radius;
        before = count;
    }
    rig_close(&r);
    return d;
}

static void dropping(validation *v)
{
    drop plane = drop_on(v, false), box = drop_on(v, true);
    double most = 0;
    validation_chart *chart =
        validation_add_chart(v, "validation-walls.svg", "A grain dropped into a box of triangles",
                             "height of its lowest point", "time, s", "height, m");
    validation_curve *curve[2] = {
        validation_add_curve(chart, "on a plane", true),
        validation_add_curve(chart, "in a box of 1,200 triangles", false)};
    for (int k = 0; k < DROP_LOOKS; k++) {
        double time = (k * (DROP_STEPS / DROP_LOOKS) + 1) * 1e-6;
        validation_point(curve[0], time, plane.height[k]);
        validation_point(curve[1], time, box.height[k]);
        most = fmax(most, fabs(plane.height[k] - box.height[k]));
    }
    validation_relative(v, "[F] sqrt(2 g h)", 0.610557, box.impact, 1e-5,
                        "box of 1200 triangles: speed of the first impact, m/s");
    validation_relative(v, "[F] e v", 0.5 * 0.610557, box.rebound, 0.005,
                        "box of 1200 triangles: speed of the first rebound, m/s");
    validation_relative(v, "[F] as on a plane", plane.rebound, box.rebound, 1e-6,
                        "box of 1200 triangles: the same, beside that on a plane");
    validation_at_most(v, "[F] as on a plane", 1e-8, most,
                       "box of 1200 triangles: largest distance of paths in 0.25 s, m");
}

/* ---- force and number of contacts where a sphere is held ------------------------------------------ */

#define HELD 1e-12 /* s: nothing moves in such a step */

/*  Its contacts, and the force of the first. */
static size_t hold(rig *r, double *force)
{
    const scree_contact *contacts;
    size_t count = 0;
    *force = 0;
    if (!rig_step(r, 1) || scree_world_contacts(r->world, NULL, &contacts, &count) || !count)
        return 0;
    for (int a = 0; a < 3; a++)
        *force += contacts[0].force[a] * contacts[0].force[a];
    *force = sqrt(*force);
    return count;
}

/*  After Yade's checkHertzExtended. */
static void pressed(validation *v)
{
    static const char *const partner[] = {"a plane", "two triangles", "a fixed sphere of its size"};
    const double radius = 1e-3, overlap = 1e-5, young = 1e8;
    elastic_solid ball = {young, 0.3, 2500, radius}, wall = {young, 0.3, 2500, INFINITY};
    for (int kind = 0; kind < 3; kind++) {
        scree_world_def def = rig_def(HELD);
        rig r = rig_open(v, &def);
        scree_material_def material = rig_elastic(2500, young, 0.3);
        scree_material_id id = rig_material(&r, &material);
        scree_body_def sphere = rig_sphere(id, radius, 0, 0, radius - overlap);
        rig_add(&r, &sphere);
        sphere.position[2] = -radius;
        sphere.flags = SCREE_FREEZE;
        if (kind == 0)
            rig_plane(&r, id, 0, 0, 0, 0, 0, 1);
        else if (kind == 1)
            add_mesh(&r, make_sheet(-0.01, 0.013, 1, 0), id, NULL, NULL);
        else
            rig_add(&r, &sphere);
        hertz_contact c = hertz_of(&ball, kind == 2 ? &ball : &wall);
        double force;
        hold(&r, &force);
        validation_relative(v, "[F] Hertz", hertz_force(&c, overlap), force, 1e-9,
                            "pressed against %s by a hundredth of R: force, N", partner[kind]);
        rig_close(&r);
    }
}

static void corners(validation *v)
{
    /* a cube from 0 to 1, of 10 by 10 cells a side; a sphere as large as two cells */
    static const struct
    {
        const char *name;
        double at[3];
        int contacts;
    } places[] = {
        {"inside, above a facet", {0.533, 0.512, 0.19}, 1},
        {"inside, above an edge of two facets", {0.533, 0.5, 0.19}, 1},
        {"inside, above a vertex of facets", {0.5, 0.5, 0.19}, 1},
        {"inside, along an edge of the cube", {0.533, 0.19, 0.19}, 2},
        {"inside, in a corner of the cube", {0.19, 0.19, 0.19}, 3},
        {"outside, above a vertex of facets", {0.5, 0.5, -0.19}, 1},
        {"outside, at an edge of the cube", {0.533, -0.12, -0.14}, 1},
        {"outside, at a corner of the cube", {-0.11, -0.11, -0.11}, 1},
    };
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        scree_world_def def = rig_def(HELD);
        rig r = rig_open(v, &def);
        scree_material_def material = rig_elastic(2500, 1e8, 0.3);
        scree_material_id id = rig_material(&r, &material);
        add_mesh(&r, make_cube(0, 1, 10), id, NULL, NULL);
        scree_body_def sphere =
            rig_sphere(id, 0.2, places[k].at[0], places[k].at[1], places[k].at[2]);
        rig_add(&r, &sphere);
        double force;
        validation_exact(v, "[F]", places[k].contacts, (double)hold(&r, &force),
                         "sphere %s: contacts", places[k].name);
        rig_close(&r);
    }
}

/* ---- a small grain under a large one -------------------------------------------------------------- */

/*  The floor is soft, so that the grain goes through it by more than half of its radius; there it is led over
    several triangles, and let go. */
static void pressed_through(validation *v)
{
    const double radius = 1e-3, large = 0.05, speed = 0.05;
    scree_world_def def = rig_def(2e-6);
    rig r = rig_open(v, &def);
    scree_material_def hard = rig_elastic(2500, 1e8, 0.3), soft = rig_elastic(2500, 1e5, 0.3);
    hard.friction = soft.friction = hard.restitution = soft.restitution = 0.5;
    scree_material_id grains = rig_material(&r, &hard), floor = rig_material(&r, &soft);
    add_mesh(&r, make_sheet(-0.0052, 0.0048, 20, 0.3), floor, NULL, NULL);
    scree_body_def sphere = rig_sphere(grains, radius, 0, 0, radius);
    scree_body_id grain = rig_add(&r, &sphere);
    sphere = rig_sphere(grains, large, 0, 0, 2 * radius + large);
    sphere.flags = SCREE_FREEZE;
    scree_body_id press = rig_add(&r, &sphere);
    static const double legs[3][3] = {{0, 0, -1}, {1, 0.4, 0}, {0, 0, 1.5}};
    double lowest = radius;
    for (int part = 0; part < 3; part++) {
        scree_body body = rig_body(&r, press);
        for (int a = 0; a < 3; a++)
            body.velocity[a] = speed * legs[part][a];
        rig_set(&r, press, &body);
        for (int k = 0; k < 160 && rig_step(&r, 100); k++)
            lowest = fmin(lowest, rig_body(&r, grain).position[2]);
    }
    validation_at_most(v, "[F] it is pressed through", -0.4, lowest / radius,
                       "small grain under a large one: lowest place of its centre, of its radius");
    validation_between(v, "[F] it comes back", 0.95, 5, rig_body(&r, grain).position[2] / radius,
                       "small grain under a large one: place when it is let go, of its radius");
    rig_close(&r);
}

/* ---- walls that move ------------------------------------------------------------------------------ */

/*  Turns with the box, pressed to its side by nothing else than that. */
static void carried_round(validation *v)
{
    const double radius = 0.01, half = 0.1, rate = 20, young = 1e7, dt = 2e-5;
    scree_world_def def = rig_def(dt);
    rig r = rig_open(v, &def);
    scree_material_def material = rig_elastic(2500, young, 0.3);
    material.friction = material.restitution = 0.5;
    material.rolling_friction = material.twisting_friction = 0.1;
    scree_material_id id = rig_material(&r, &material);
    rig_law(&r, "hertz-rolling", NULL, 0);
    scree_wall_path path = {.axis = {0, 0, 1}, .rate = rate};
    add_mesh(&r, make_cube(-half, half, 10), id, &path, NULL);
    elastic_solid ball = {young, 0.3, 2500, radius}, wall = {young, 0.3, 2500, INFINITY};
    hertz_contact c = hertz_of(&ball, &wall);
    double overlap = 0, from_axis = half - radius;
    for (int k = 0; k < 50; k++) {
        from_axis = half - radius + overlap;
        overlap = pow(c.mass * rate * rate * from_axis / c.stiffness, 2.0 / 3);
    }
    scree_body_def sphere = rig_sphere(id, radius, from_axis, 0, 0.0137);
    sphere.velocity[1] = rate * from_axis;
    sphere.spin[2] = rate;
    rig_add(&r, &sphere);
    double first = rig_motion(&r), widest = 0;
    int turns = v->full ? 20 : 3, steps = (int)(2 * VALIDATION_PI / rate / dt / 100);
    for (int k = 0; k < 100 * turns && rig_step(&r, (uint64_t)steps); k++)
        widest = fmax(widest, fabs(rig_motion(&r) / first - 1));
    validation_at_most(v, "[F] at rest on the wall", 1e-6, widest,
                       "grain carried round by a box, %d turns: largest change of its energy",
                       turns);
    rig_close(&r);
}

/*  What a box that turns and swings gets from thirty grains, and what they get: their momentum by the sum of
    forces of each step's ends, torques step by step. */
static void reaction(validation *v)
{
    enum
    {
        GRAINS = 30
    };
    const double half = 0.04;
    scree_world_def def = rig_def(1e-5);
    rig r = rig_open(v, &def);
    scree_material_def material = scree_default_material_def();
    scree_material_id id = rig_material(&r, &material);
    scree_wall_path path = {.axis = {1, 2, 3}, .rate = 15, .swing = {0, 0.005, 0}, .frequency = 20};
    scree_wall_id box = add_mesh(&r, make_cube(-half, half, 4), id, &path, NULL);
    scree_random random = scree_random_stream(14, 0);
    for (int k = 0; k < GRAINS; k++) {
        scree_body_def sphere = rig_sphere(id, 0.004, -0.02 + 0.01 * (k % 5),
                                           -0.02 + 0.01 * (k / 5 % 3), -0.005 + 0.01 * (k / 15));
        for (int a = 0; a < 3; a++)
            sphere.velocity[a] = scree_random_range(&random, -1, 1);
        rig_add(&r, &sphere);
    }
    double given[3] = {0}, size = 0, last[3] = {0}, off = 0, momentum[2][3] = {{0}}, worst = 0;
    scree_totals totals = r.status ? (scree_totals){0} : scree_world_totals(r.world);
    memcpy(momentum[0], totals.momentum, sizeof momentum[0]);
    for (int k = 0; k < 20000 && rig_step(&r, 1); k++) {
        scree_wall wall = rig_wall(&r, box);
        scree_bodies_view bodies = scree_world_bodies(r.world);
        double torque[3] = {0}, torques = 1e-12;
        for (size_t b = 0; b < bodies.count; b++)
            for (int a = 0; a < 3; a++) {
                int i = (a + 1) % 3, j = (a + 2) % 3;
                double arm = scree_row_at(bodies.position, b)[i] - wall.position[i],
                       other = scree_row_at(bodies.position, b)[j] - wall.position[j];
                torque[a] += scree_row_at(bodies.torque, b)[a] +
                             arm * scree_row_at(bodies.force, b)[j] -
                             other * scree_row_at(bodies.force, b)[i];
                torques += fabs(arm * scree_row_at(bodies.force, b)[j]) +
                           fabs(other * scree_row_at(bodies.force, b)[i]);
            }
        for (int a = 0; a < 3; a++) {
            worst = fmax(worst, fabs(torque[a] + wall.torque[a]) / torques);
            given[a] += 0.5e-5 * (last[a] + wall.force[a]);
            size += 1e-5 * fabs(wall.force[a]);
            last[a] = wall.force[a];
        }
    }
    if (!r.status)
        totals = scree_world_totals(r.world);
    memcpy(momentum[1], totals.momentum, sizeof momentum[1]);
    for (int a = 0; a < 3; a++)
        off = fmax(off, fabs(momentum[1][a] - momentum[0][a] + given[a]));
    validation_at_most(v, "[F] action and reaction", 1e-12, off / size,
                       "box that turns and swings, 30 grains: momentum lost, of that exchanged");
    validation_at_most(v, "[F] action and reaction", 1e-12, worst,
                       "box that turns and swings, 30 grains: torque lost in a step, of its parts");
    rig_close(&r);
}

void validate_walls(validation *v)
{
    validation_begin(
        v, "11b. Walls of triangles",
        "A sphere of R = 10 mm slides and then rolls over a square of 0.6 m that is cut into 2 to "
        "20,000 triangles, whose vertices are moved in its plane, or along a line of edges, over "
        "their ends: the path must be that on a plane, with one contact always. A grain falls "
        "into a closed box (R = 1 mm, density 2600, E = 1e8, e = 0.5, friction 0.35, dt = 1e-6, "
        "from (10, 20, 10) mm into 50 mm, after a report on DEM-Engine). "
        "Forces as in Yade's `checkHertzExtended`. At edges and corners that stick out "
        "there is one contact, in those that go in one for each side. A grain pressed deep "
        "through a soft floor of triangles by one fifty times as large comes back on its own "
        "side. Walls that move: a grain at rest on one gains nothing, and what grains lose the "
        "wall gets.");
    rolling(v);
    dropping(v);
    pressed(v);
    corners(v);
    pressed_through(v);
    carried_round(v);
    reaction(v);
}
