/*  Bodies of a drawn world: they lie at one another, so that contacts are there from the first step on. */
#include "campaign_worlds_random.h"

static void draw_pebbles(drawn_world *d, uint32_t i, reference_body *body)
{
    scree_random random = drawn_stream(d, 2000 + 8 * i), clumps = drawn_stream(d, 2001 + 8 * i);
    double r = draw(&random, 0.04, 0.1);

    body->pebbles = 1;
    body->pebble[0].radius = r;
    memset(body->pebble[0].centre, 0, sizeof body->pebble[0].centre);
    if (!drawn_has(d, DRAWN_CLUMPS) || drawn_has(d, DRAWN_PLANE_WORLD) ||
        !scree_random_below(&clumps, 3))
        return;
    body->pebbles = 2 + scree_random_below(&clumps, 2);
    for (uint32_t p = 1; p < body->pebbles; p++) {
        double n[3];
        draw_direction(&clumps, 3, n);
        body->pebble[p].radius = r * draw(&clumps, 0.5, 1);
        for (int k = 0; k < 3; k++)
            body->pebble[p].centre[k] = n[k] * r * draw(&clumps, 0.4, 1);
    }
}

/*  The deepest overlap of a body with those before it, where it would be. */
static double depth_of(const reference_world *reference, const reference_body *body,
                       uint32_t before)
{
    double deepest = -1;

    for (uint32_t j = 0; j < before; j++) {
        const reference_body *other = &reference->body[j];
        for (uint32_t p = 0; other->is_there && p < body->pebbles; p++)
            for (uint32_t q = 0; q < other->pebbles; q++) {
                double from[3], to[3], way[3];
                reference_body_point(body, body->pebble[p].centre, from);
                reference_body_point(other, other->pebble[q].centre, to);
                reference_world_way(reference, from, to, way);
                double depth =
                    body->pebble[p].radius + other->pebble[q].radius - sqrt(law_dot3(way, way));
                deepest = depth > deepest ? depth : deepest;
            }
    }
    return deepest;
}

static double depth_in_walls(const reference_world *reference, const reference_body *body)
{
    double deepest = -1;

    for (uint32_t w = 0; w < reference->wall_count; w++)
        for (uint32_t p = 0; p < body->pebbles; p++) {
            double at[3], way[3];
            reference_body_point(body, body->pebble[p].centre, at);
            for (int k = 0; k < 3; k++)
                way[k] = at[k] - reference->wall[w].point[k];
            double depth = body->pebble[p].radius - law_dot3(way, reference->wall[w].normal);
            deepest = depth > deepest ? depth : deepest;
        }
    return deepest;
}

/*  Outwards from another body until they all but touch, or overlap by a little. */
static bool draw_place(drawn_world *d, uint32_t i, reference_body *body)
{
    reference_world *reference = &d->reference;
    scree_random random = drawn_stream(d, 2002 + 8 * i);

    for (int tries = 0; tries < 50; tries++) {
        const reference_body *near = &reference->body[i ? scree_random_below(&random, i) : 0];
        double n[3], wanted = body->pebble[0].radius * draw(&random, -0.01, 0.01), lower = 0,
                     upper = 0.6;
        draw_direction(&random, reference->def.dimensions, n);
        for (int half = 0; half < 50; half++) {
            double distance = i ? (lower + upper) / 2 : 0;
            for (int k = 0; k < 3; k++)
                body->place[k] = (i ? near->place[k] : 0) + distance * n[k];
            *(depth_of(reference, body, i) > wanted ? &lower : &upper) = distance;
        }
        if (depth_of(reference, body, i) < 2e-3 && depth_in_walls(reference, body) < 2e-3)
            return true;
    }
    return false;
}

static void draw_motion(drawn_world *d, uint32_t i, reference_body *body, double turn[4])
{
    scree_random random = drawn_stream(d, 2003 + 8 * i);
    const int dimensions = d->reference.def.dimensions;
    double length = 0;

    draw_vector(&random, dimensions, 1.5, body->velocity);
    for (int k = 0; k < 3; k++)
        body->spin[k] = k == 2 || dimensions == 3 ? 15 * scree_random_normal(&random) : 0;
    for (int k = 0; k < 4; k++) {
        turn[k] = dimensions == 3 || k % 3 == 0 ? scree_random_normal(&random) : 0;
        length += turn[k] * turn[k];
    }
    for (int k = 0; k < 4; k++)
        turn[k] /= sqrt(length);
    reference_matrix_of(turn, body->turn);
}

static void draw_rest(drawn_world *d, uint32_t i, reference_body *body)
{
    scree_random rules = drawn_stream(d, 2004 + 8 * i), frozen = drawn_stream(d, 2005 + 8 * i);
    scree_random loads = drawn_stream(d, 2006 + 8 * i), groups = drawn_stream(d, 2007 + 8 * i);
    const int dimensions = d->reference.def.dimensions;

    body->material =
        1 + (drawn_has(d, DRAWN_RULES) ? scree_random_below(&rules, REFERENCE_MATERIALS) : 0);
    body->groups = 1;
    body->mask = UINT64_MAX;
    if (drawn_has(d, DRAWN_GROUPS)) {
        body->groups = 1u << scree_random_below(&groups, 3);
        body->mask = scree_random_below(&groups, 3) ? UINT64_MAX : scree_random_below(&groups, 8);
    }
    if (drawn_has(d, DRAWN_FROZEN) && scree_random_below(&frozen, 2)) {
        uint32_t flags =
            scree_random_below(&frozen, 2) ? SCREE_FREEZE : scree_random_below(&frozen, 64);
        body->flags = body->pebbles > 1 ? 0 : flags;
    }
    if (drawn_has(d, DRAWN_LOADS) && scree_random_below(&loads, 3)) {
        draw_vector(&loads, dimensions, 20, body->load);
        for (int k = 3; k < 6; k++)
            body->load[k] = k == 5 || dimensions == 3 ? draw(&loads, -1, 1) : 0;
    }
}

/* ---- in the world ---- */

/*  From the frame in which pebbles are given to that of the body, whose axes are principal ones. */
static bool find_frame(const scree_shape *shape, reference_body *body)
{
    double origin[3], turn[4], frame[3][3], given[3];

    if (scree_shape_frame(shape, origin, turn, NULL))
        return false;
    reference_matrix_of(turn, frame);
    for (uint32_t p = 0; p < body->pebbles; p++) {
        for (int k = 0; k < 3; k++)
            given[k] = body->pebble[p].centre[k] - origin[k];
        for (int k = 0; k < 3; k++)
            body->pebble[p].centre[k] =
                frame[0][k] * given[0] + frame[1][k] * given[1] + frame[2][k] * given[2];
    }
    return true;
}

static bool make_clump(const reference_body *body, scree_clump **clump)
{
    scree_clump_def def = scree_default_clump_def();
    scree_pebble pebbles[REFERENCE_PEBBLES];

    for (uint32_t p = 0; p < body->pebbles; p++) {
        memcpy(pebbles[p].centre, body->pebble[p].centre, sizeof pebbles[p].centre);
        pebbles[p].radius = body->pebble[p].radius;
    }
    def.pebbles = pebbles;
    def.pebble_count = body->pebbles;
    return scree_clump_create(&def, clump) == SCREE_OK;
}

/*  Mass and inertia are those that the world says. */
static const char *add_to_world(drawn_world *d, const scree_shape *shape, const double turn[4],
                                reference_body *body)
{
    scree_body_def def = scree_default_body_def();
    scree_body made;

    def.shape = *shape;
    def.material.index1 = body->material;
    def.flags = body->flags == SCREE_FREEZE ? 0 : body->flags;
    def.type = body->flags == SCREE_FREEZE ? SCREE_BODY_KINEMATIC : SCREE_BODY_DYNAMIC;
    def.groups = body->groups;
    def.mask = body->mask;
    memcpy(def.position, body->place, sizeof def.position);
    memcpy(def.velocity, body->velocity, sizeof def.velocity);
    memcpy(def.spin, body->spin, sizeof def.spin);
    memcpy(def.orientation, turn, sizeof def.orientation);
    if (scree_world_add_body(d->world, &def, &body->id) ||
        scree_world_get_body(d->world, body->id, &made))
        return scree_world_message(d->world);
    body->mass = made.mass;
    memcpy(body->inertia, made.inertia, sizeof body->inertia);
    memcpy(made.load, body->load, sizeof made.load);
    return scree_world_set_body(d->world, body->id, &made) ? scree_world_message(d->world) : NULL;
}

const char *drawn_body_add(drawn_world *d)
{
    const uint32_t i = d->reference.body_count;
    reference_body *body = &d->reference.body[i];
    scree_clump *clump = NULL;
    double turn[4];

    draw_pebbles(d, i, body);
    scree_shape shape = scree_shape_sphere(body->pebble[0].radius);
    if (body->pebbles > 1) {
        if (!make_clump(body, &clump))
            return "no clump";
        shape = scree_shape_clump(clump);
        if (!find_frame(&shape, body))
            return "no frame";
    }
    draw_motion(d, i, body, turn);
    draw_rest(d, i, body);
    const char *why = draw_place(d, i, body) ? add_to_world(d, &shape, turn, body) : NULL;
    scree_clump_destroy(clump);
    if (body->id.index1 && !why) {
        body->is_there = true;
        d->reference.body_count++;
    }
    return why;
}
