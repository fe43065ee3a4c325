/*  An adversary: bullets at thin walls, walls that begin to move at once, spinning blades, walls that follow functions of time,
    bodies against bodies, with steps that are far too long. It wins where something goes through something in a step that was
    taken, without a message. What it takes for going through is found in the slow, obvious way: by thousands of
    looks between the ends of a step, at places that are known in closed form. */
#ifndef SCREE_TESTS_ADVERSARY_H
#define SCREE_TESTS_ADVERSARY_H

#include "base/quaternion.h"
#include "base/random.h"
#include "base/vector.h"
#include "scree/scree.h"
#include "scree/wall.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef enum adversary_kind
{
    ADVERSARY_BULLET,   /* a body at a sheet at rest */
    ADVERSARY_WALL,     /* a sheet that moves evenly */
    ADVERSARY_SUDDEN,   /* a sheet that stands, and then moves: a table */
    ADVERSARY_FUNCTION, /* a sheet that follows a function of time */
    ADVERSARY_BLADE,    /* a sheet that spins about an axis */
    ADVERSARY_LOOSE,    /* a sheet that is loose, and flies */
    ADVERSARY_SERVO,    /* a sheet that a servo drives */
    ADVERSARY_WHIP,     /* a sheet that goes out and back within a step */
    ADVERSARY_PLANE,    /* a plane that moves evenly */
    ADVERSARY_PAIR,     /* a body at a body */
    ADVERSARY_CELL,     /* the same across a periodic boundary */
    ADVERSARY_KINDS,
} adversary_kind;

typedef struct adversary_tally
{
    uint64_t cases[ADVERSARY_KINDS];
    uint64_t refused;   /* with a word on going through, */
    uint64_t otherwise; /* or on something else, as a contact that is too deep */
    uint64_t shorter;   /* steps that were made shorter */
    uint64_t touched, missed, silent;
} adversary_tally;

#define ADVERSARY_LOOKS 4000
/*  Of the radius: so near a surface has come that a sphere is deep in it. A graze is less. */
#define ADVERSARY_DEEP 0.6

/* ---- what moves ---- */

/*  A shift along one axis, and a turn about another. */
typedef struct adversary_path
{
    adversary_kind kind;
    double start, speed, rate; /* m, m/s, rad/s */
    double begin, strike;      /* sudden: when; a whip, and how long it takes each way */
    double swing, frequency;
    double centre[3];
    int axis;     /* that it goes along: z, in the plane y */
    bool is_part; /* sudden: not by a table, but a motion that begins then */
} adversary_path;

static inline double adversary_shift(const adversary_path *path, double t)
{
    switch (path->kind) {
    case ADVERSARY_SUDDEN:
        return t > path->begin ? path->speed * (t - path->begin) : 0;
    case ADVERSARY_FUNCTION:
        return path->swing * (1 - cos(path->frequency * t)) / 2;
    case ADVERSARY_WHIP:
        t = fabs((t - path->begin) / path->strike - 1);
        return t < 1 ? path->swing * (1 - t) : 0;
    case ADVERSARY_BULLET:
    case ADVERSARY_BLADE:
        return 0;
    default:
        return path->speed * t;
    }
}

static inline void adversary_follow(double t, double shift[3], double velocity[3], double turn[4],
                                    double spin[3], void *user)
{
    const adversary_path *path = user;

    for (int k = 0; k < 3; k++)
        shift[k] = velocity[k] = spin[k] = turn[1 + k] = 0;
    turn[0] = 1;
    shift[path->axis] = adversary_shift(path, t);
    velocity[path->axis] = path->swing * path->frequency * sin(path->frequency * t) / 2;
}

typedef struct adversary_case
{
    scree_world *world;
    adversary_path path;
    scree_wall_id wall;
    scree_body_id body, other;
    scree_shape_kind shape;
    double radius, half[2]; /* of the sheet */
    bool has_wall, is_2d, is_mesh;
    bool is_blind; /* nothing meets anything: the slow reference must see it */
    bool shortened;
    char said[256];
} adversary_case;

static inline void adversary_hear(scree_log_level level, scree_log_id id, const char *text,
                                  void *user)
{
    adversary_case *c = user;

    (void)level;
    (void)text;
    c->shortened |= id == SCREE_LOG_CROSSING;
}

/* ---- making one ---- */

static inline scree_mesh *adversary_sheet(const double half[2], bool is_2d)
{
    const double a = half[0], b = half[1];
    const double corners[4][3] = {{-a, -b, 0}, {a, -b, 0}, {a, b, 0}, {-a, b, 0}};
    const double ends[2][3] = {{-a, 0, 0}, {a, 0, 0}};
    static const uint32_t facets[6] = {0, 1, 2, 0, 2, 3};
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;

    def.vertices = is_2d ? ends[0] : corners[0];
    def.vertex_count = is_2d ? 2 : 4;
    def.facets = facets;
    def.facet_count = is_2d ? 1 : 2;
    def.corners = is_2d ? 2 : 3;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

static inline bool adversary_add_wall(adversary_case *c, scree_material_id material, double end)
{
    scree_wall_def def = scree_default_wall_def();
    const double rows[3][4] = {{0, 0, 0, 0},
                               {c->path.begin, 0, 0, 0},
                               {end, 0, c->is_2d ? c->path.speed * (end - c->path.begin) : 0,
                                c->is_2d ? 0 : c->path.speed * (end - c->path.begin)}};
    scree_mesh *mesh = c->is_mesh ? adversary_sheet(c->half, c->is_2d) : NULL;
    int axis = c->path.axis;
    scree_status status = SCREE_OK;

    def.material = material;
    def.point[axis] = c->path.start;
    if (c->is_mesh) {
        def.kind = SCREE_WALL_MESH;
        def.mesh = mesh;
    } else if (c->path.speed < 0) {
        def.normal[axis] = -1;
    }
    if (c->path.kind == ADVERSARY_WALL || c->path.kind == ADVERSARY_PLANE)
        def.path.velocity[axis] = c->path.speed;
    if (c->path.kind == ADVERSARY_BLADE) {
        def.path.rate = c->path.rate;
        def.path.axis[c->is_2d ? 2 : 0] = 1;
        memcpy(def.path.centre, c->path.centre, sizeof def.path.centre);
    }
    double whip[4][4] = {{0, 0, 0, 0},
                         {c->path.begin, 0, 0, 0},
                         {c->path.begin + c->path.strike, 0, 0, 0},
                         {c->path.begin + 2 * c->path.strike, 0, 0, 0}};
    whip[2][1 + axis] = c->path.swing;
    if (c->path.kind == ADVERSARY_WHIP) {
        def.path.table = (const double(*)[4])whip;
        def.path.table_count = 4;
    }
    scree_path_part part = {.kind = SCREE_PATH_MOVE, .start = c->path.begin};
    part.vector[axis] = c->path.speed;
    if (c->path.kind == ADVERSARY_SUDDEN && c->path.is_part) {
        def.path.parts = &part;
        def.path.part_count = 1;
    } else if (c->path.kind == ADVERSARY_SUDDEN) {
        def.path.table = rows;
        def.path.table_count = 3;
    }
    if (c->path.kind == ADVERSARY_FUNCTION) {
        def.path.function = adversary_follow;
        def.path.user = &c->path;
    }
    if (scree_world_add_wall(c->world, &def, &c->wall))
        status = SCREE_BAD_DEF;
    if (!status && c->path.kind == ADVERSARY_LOOSE) {
        scree_free_wall_def loose = scree_default_free_wall_def();
        loose.mass = 1e6;
        for (int k = 0; k < 3; k++)
            loose.inertia[k] = 1e6;
        loose.velocity[axis] = c->path.speed;
        status = scree_world_set_free_wall(c->world, c->wall, &loose);
    }
    if (!status && c->path.kind == ADVERSARY_SERVO) {
        scree_wall_servo_def servo = scree_default_wall_servo_def();
        servo.axis[axis] = c->path.speed > 0 ? 1 : -1;
        servo.force = 1e9;
        servo.max_speed = fabs(c->path.speed);
        status = scree_world_set_wall_servo(c->world, c->wall, &servo);
    }
    scree_mesh_destroy(mesh);
    c->has_wall = true;
    return !status;
}

static inline bool adversary_add_body(adversary_case *c, scree_material_id material,
                                      const double place[3], const double velocity[3],
                                      double radius, scree_body_id *id)
{
    scree_body_def def = scree_default_body_def();
    const double side = radius;
    const double points[8][3] = {{-side, -side, -side}, {side, -side, -side}, {-side, side, -side},
                                 {side, side, -side},   {-side, -side, side}, {side, -side, side},
                                 {-side, side, side},   {side, side, side}};
    const scree_pebble pebbles[2] = {{{-0.8 * radius, 0, 0}, radius},
                                     {{0.8 * radius, 0, 0}, radius}};
    scree_clump *clump = NULL;
    scree_mesh *mesh = NULL;
    scree_status status = SCREE_OK;

    def.material = material;
    def.mask = c->is_blind ? 0 : def.mask;
    def.shape = scree_shape_sphere(radius);
    if (c->shape == SCREE_SHAPE_CLUMP) {
        scree_clump_def clump_def = scree_default_clump_def();
        clump_def.dimensions = c->is_2d ? 2 : 3;
        clump_def.pebbles = pebbles;
        clump_def.pebble_count = 2;
        status = scree_clump_create(&clump_def, &clump);
        if (!status)
            def.shape = scree_shape_clump(clump);
    } else if (c->shape == SCREE_SHAPE_SUPERQUADRIC) {
        scree_superquadric_def quadric = scree_default_superquadric_def();
        quadric.dimensions = c->is_2d ? 2 : 3;
        quadric.radii[0] = radius;
        quadric.radii[1] = 0.4 * radius;
        quadric.radii[2] = c->is_2d ? 0 : 0.7 * radius;
        quadric.exponents[1] = 3;
        status = scree_mesh_superquadric(&quadric, &mesh);
        if (!status)
            def.shape = scree_shape_superquadric(mesh);
    } else if (c->shape == SCREE_SHAPE_BLOCK || c->shape == SCREE_SHAPE_MESH) {
        scree_hull_def hull = scree_default_hull_def();
        hull.points = points[0];
        hull.point_count = 8;
        status = scree_mesh_hull(&hull, &mesh);
        if (!status)
            def.shape = c->shape == SCREE_SHAPE_BLOCK ? scree_shape_block(mesh, 0.1 * radius)
                                                      : scree_shape_mesh(mesh, 0.1 * radius);
    }
    for (int k = 0; k < 3; k++) {
        def.position[k] = place[k];
        def.velocity[k] = velocity[k];
    }
    if (!status)
        status = scree_world_add_body(c->world, &def, id);
    scree_clump_destroy(clump);
    scree_mesh_destroy(mesh);
    return !status;
}

/* ---- the slow reference ---- */

/*  The place of the sheet's centre and its axes at a time; `pushed`: how far it was driven, if it is. */
static inline void adversary_pose(const adversary_case *c, double t, double pushed, double place[3],
                                  double turn[4])
{
    bool is_pushed = c->path.kind == ADVERSARY_SERVO || c->path.kind == ADVERSARY_LOOSE;
    const double *centre = c->path.centre;
    int axis = c->path.axis;
    double about[3] = {0}, arm[3];

    for (int k = 0; k < 3; k++)
        place[k] = 0;
    place[axis] = c->path.start + (is_pushed ? pushed : adversary_shift(&c->path, t));
    turn[0] = 1;
    turn[1] = turn[2] = turn[3] = 0;
    if (c->path.kind != ADVERSARY_BLADE)
        return;
    about[c->is_2d ? 2 : 0] = 1;
    scree_quaternion_about(about, c->path.rate * t, turn);
    for (int k = 0; k < 3; k++)
        arm[k] = place[k] - centre[k];
    scree_quaternion_turn(turn, arm, arm);
    for (int k = 0; k < 3; k++)
        place[k] = centre[k] + arm[k];
}

/*  How far a point is from the sheet, and on which side: a height where it is over it, else 0. */
static inline double adversary_distance(const adversary_case *c, double t, double pushed,
                                        const double point[3], double *side)
{
    double place[3], turn[4], from[3], sum = 0;
    int axis = c->path.axis;

    adversary_pose(c, t, pushed, place, turn);
    for (int k = 0; k < 3; k++)
        from[k] = point[k] - place[k];
    scree_quaternion_turn_back(turn, from, from);
    *side = from[axis];
    for (int k = 0; k < axis; k++) {
        double beside = fabs(from[k]) - c->half[k];
        *side = beside > 0 ? 0 : *side;
        sum += beside > 0 ? beside * beside : 0;
    }
    return sqrt(sum + from[axis] * from[axis]);
}

typedef struct adversary_state
{
    double time, body[3], other[3];
    double shift; /* of a wall that is pushed */
    bool touches;
} adversary_state;

static inline bool adversary_touches(adversary_case *c)
{
    const scree_contact *contacts;
    size_t count = 0;

    return !scree_world_contacts(c->world, NULL, &contacts, &count) && count > 0;
}

static inline adversary_state adversary_look(adversary_case *c)
{
    adversary_state state = {.time = scree_world_clock(c->world).time};
    scree_body body;
    scree_wall wall;

    if (c->has_wall && !scree_world_get_wall(c->world, c->wall, &wall))
        state.shift = wall.position[c->path.axis] - c->path.start;
    if (!scree_world_get_body(c->world, c->body, &body))
        memcpy(state.body, body.position, sizeof state.body);
    if (!c->has_wall && !scree_world_get_body(c->world, c->other, &body))
        memcpy(state.other, body.position, sizeof state.other);
    if (state.time > 0)
        state.touches = adversary_touches(c);
    return state;
}

/*  Whether the body went through the sheet between two states: its centre, with a contact at one end at most; or if it is a
    sphere something of the sheet came deep, and there was no contact at all. */
static inline bool adversary_went_through(const adversary_case *c, const adversary_state *from,
                                          const adversary_state *to)
{
    double before = 0, nearest = INFINITY;
    bool crosses = false;

    for (int n = 0; n <= ADVERSARY_LOOKS; n++) {
        double share = (double)n / ADVERSARY_LOOKS, side, point[3];
        for (int k = 0; k < 3; k++)
            point[k] = from->body[k] + share * (to->body[k] - from->body[k]);
        double away =
            adversary_distance(c, from->time + share * (to->time - from->time),
                               from->shift + share * (to->shift - from->shift), point, &side);
        crosses |= before * side < 0;
        before = side;
        nearest = fmin(nearest, away);
    }
    if (crosses)
        return !(from->touches && to->touches);
    return c->shape == SCREE_SHAPE_SPHERE && !from->touches && !to->touches &&
           nearest < (1 - ADVERSARY_DEEP) * c->radius;
}

static inline bool adversary_pair_went_through(const adversary_case *c, const adversary_state *from,
                                               const adversary_state *to, double sum, double period)
{
    double deepest = -INFINITY;
    /* whose centre comes as near to that of another as this is in it, whatever the shape */
    double least =
        c->shape == SCREE_SHAPE_SPHERE ? ADVERSARY_DEEP * c->radius : sum - 0.5 * (sum - c->radius);

    for (int n = 0; n <= ADVERSARY_LOOKS; n++) {
        double share = (double)n / ADVERSARY_LOOKS, away = 0;
        for (int k = 0; k < 3; k++) {
            double d = from->other[k] - from->body[k] +
                       share * (to->other[k] - to->body[k] - from->other[k] + from->body[k]);
            if (k == 0 && period > 0)
                d -= period * nearbyint(d / period);
            away += d * d;
        }
        away = sum - sqrt(away);
        deepest = fmax(deepest, away);
    }
    return !from->touches && !to->touches && deepest > least;
}

/* ---- a case ---- */

static inline void adversary_draw_def(scree_random *random, scree_world_def *def, double dt)
{
    static const scree_integrator integrators[] = {SCREE_VELOCITY_VERLET, SCREE_SYMPLECTIC_EULER,
                                                   SCREE_EXPLICIT_EULER, SCREE_IMPLICIT_EULER};
    def->step.integrator = integrators[scree_random_below(random, 4)];
    def->step.mode =
        scree_random_below(random, 3) == 0 && def->step.integrator != SCREE_IMPLICIT_EULER
            ? SCREE_TIME_AUTOMATIC
            : SCREE_TIME_FIXED;
    def->step.dt = dt;
    def->step.picard.halvings = scree_random_below(random, 2) ? 4 : 0;
    def->overlap_limit = scree_random_below(random, 2) ? INFINITY : 0.5;
    def->detection.sort_every = scree_random_below(random, 2) ? 0 : 3;
}

static inline const char *adversary_run(adversary_case *c, adversary_tally *tally, double sum,
                                        double period)
{
    adversary_state before = adversary_look(c);
    bool touched = false;

    for (int n = 0; n < 40; n++) {
        scree_status status = scree_world_step(c->world, 1);
        if (status) {
            const char *said = scree_world_message(c->world);
            snprintf(c->said, sizeof c->said, "%s", said);
            if (strstr(said, "unseen")) {
                tally->refused++;
                if (scree_world_failed_body(c->world).index1 == 0)
                    return "refused without a failed body";
            } else {
                tally->otherwise++;
            }
            return said[0] ? NULL : "refused without a message";
        }
        adversary_state after = adversary_look(c);
        touched |= after.touches;
        if (c->has_wall ? (c->is_mesh && adversary_went_through(c, &before, &after))
                        : adversary_pair_went_through(c, &before, &after, sum, period))
            return "went through";
        before = after;
        if (touched)
            break;
    }
    tally->touched += touched;
    tally->missed += !touched;
    return NULL;
}

/*  NULL, or what is wrong. */
static inline const char *adversary_try(uint64_t seed, bool is_blind, adversary_tally *tally)
{
    scree_random random = scree_random_stream(seed, 0);
    adversary_case c = {.path.kind = (adversary_kind)(seed % ADVERSARY_KINDS),
                        .is_blind = is_blind};
    scree_world_def def = scree_default_world_def();
    scree_material_def material_def = scree_default_material_def();
    scree_material_id material;
    double place[3] = {0}, velocity[3] = {0}, still[3] = {0}, aim[3] = {0}, period = 0;
    const char *why = NULL;
    bool good, is_pair = c.path.kind >= ADVERSARY_PAIR;

    c.radius = scree_random_log_uniform(&random, 0.003, 0.03);
    c.is_2d = scree_random_below(&random, 5) == 0;
    c.is_mesh = c.path.kind != ADVERSARY_PLANE;
    c.half[0] = c.radius * scree_random_log_uniform(&random, 1, 100);
    c.half[1] = c.radius * scree_random_log_uniform(&random, 1, 100);
    if (scree_random_below(&random, 4) == 0)
        c.shape =
            (scree_shape_kind[]){SCREE_SHAPE_CLUMP, SCREE_SHAPE_SUPERQUADRIC, SCREE_SHAPE_BLOCK,
                                 SCREE_SHAPE_MESH}[scree_random_below(&random, c.is_2d ? 2 : 4)];
    int axis = c.path.axis = c.is_2d ? 1 : 2;
    /* in each step a fraction of a radius, or some, or very many */
    double dt = 1e-4, radii = scree_random_log_uniform(&random, 0.3, 300);
    double speed = radii * c.radius / dt, sign = scree_random_below(&random, 2) ? 1 : -1;
    adversary_draw_def(&random, &def, dt);
    def.dimensions = c.is_2d ? 2 : 3;
    /* what hits somewhere on the sheet, and somewhere in a step */
    for (int k = 0; k < axis; k++)
        aim[k] = scree_random_range(&random, -0.9, 0.9) * c.half[k];
    double away = (3 + scree_random_unit(&random) * 3 * fmin(radii, 40)) * c.radius;
    for (int k = 0; k < 3; k++)
        place[k] = aim[k];
    place[axis] += sign * away;
    c.path.start = 0;
    c.path.speed = sign * speed;
    c.path.begin = dt * scree_random_range(&random, 0.2, 4);
    c.path.strike = dt * scree_random_log_uniform(&random, 0.002, 1);
    c.path.is_part = scree_random_below(&random, 2);
    c.path.swing = sign * 2 * (away + c.radius);
    c.path.frequency = 2 * speed / fabs(c.path.swing);
    if (c.path.kind == ADVERSARY_BLADE) {
        c.path.centre[axis] = 0;
        c.path.rate = sign * speed / fmax(c.half[axis - 1], c.radius) * 0.5;
        /* in the way of the blade, at some angle */
        double angle = scree_random_range(&random, 0.3, 2.8), far = aim[axis - 1];
        place[axis - 1] = far * cos(angle);
        place[axis] = far * sin(angle);
        /* what overlaps before the first step is on no side of anything */
        if (fabs(place[axis]) < 2.5 * c.radius)
            place[axis] = copysign(2.5 * c.radius, place[axis]);
    }
    if (c.path.kind == ADVERSARY_BULLET || is_pair)
        velocity[axis] = -c.path.speed;
    if (is_pair) {
        for (int k = 0; k < axis; k++)
            place[k] = scree_random_range(&random, -0.9, 0.9) * c.radius;
        if (c.path.kind == ADVERSARY_CELL) {
            period = c.radius * scree_random_range(&random, 20, 60);
            def.domain.boundary[0] = SCREE_BOUNDARY_PERIODIC;
            def.domain.lower[0] = -period / 2;
            def.domain.upper[0] = period / 2;
            place[0] = period / 2 - 0.5 * c.radius;
            still[0] = -period / 2 + 0.5 * c.radius;
            place[axis] = sign * away;
        }
    }
    c.path.speed = c.path.kind == ADVERSARY_BULLET ? 0 : c.path.speed;
    def.hooks.log.write = adversary_hear;
    def.hooks.log.user = &c;
    material_def.young = scree_random_log_uniform(&random, 1e5, 1e9);
    tally->cases[c.path.kind]++;
    good = !scree_world_create(&def, &c.world) &&
           !scree_world_add_material(c.world, &material_def, &material) &&
           (is_pair || adversary_add_wall(&c, material, 1)) &&
           adversary_add_body(&c, material, place, velocity, c.radius, &c.body);
    double other = is_pair ? c.radius * scree_random_log_uniform(&random, 1, 5) : 0;
    if (good && is_pair) {
        still[axis] += sign * -other;
        velocity[axis] = 0;
        good = adversary_add_body(&c, material, still, velocity, other, &c.other);
    }
    if (!good)
        why = c.world ? scree_world_message(c.world) : "no world";
    if (good)
        why = adversary_run(&c, tally, c.radius + other, period);
    if (why) {
        snprintf(c.said, sizeof c.said, "%s (kind %d, shape %d, %s, integrator %d, time %d)", why,
                 (int)c.path.kind, (int)c.shape, c.is_2d ? "2D" : "3D", (int)def.step.integrator,
                 (int)def.step.mode);
        static _Thread_local char kept[256];
        memcpy(kept, c.said, sizeof kept);
        why = kept;
        tally->silent++;
    }
    tally->shorter += c.shortened;
    scree_world_destroy(c.world);
    return why;
}

#endif
