/*  Tools of the hand that act at once: explosions, cuts through bonds, and walls that are drawn. */
#include "lab_internal.h"

#include "base/error.h"
#include "world/measure/cut_bonds.h"

#include "scree/body.h"
#include "scree/query.h"

#include <math.h>
#include <string.h>

#define EXPLODE_SPEED_MOST 1e3 /* m/s */

static int dimensions_of(const scree_lab *lab)
{
    return scree_scene_plan_of(lab->scene)->world.dimensions;
}

static scree_status refused(scree_lab *lab, const char *what, scree_status status,
                            scree_error *error)
{
    return scree_fail(error, status, "%s: %s", what, scree_world_message(lab->world));
}

/* ---- explosion ------------------------------------------------------------------------------------------- */

typedef struct explosion
{
    scree_lab *lab;
    const double *centre;
    double radius, speed;
    size_t count;
    scree_status status;
} explosion;

/*  A body gets a speed away from the centre that falls linearly to 0 at the radius of the explosion. */
static int push_away(const scree_body_hit *hit, void *user)
{
    explosion *e = user;
    scree_body body;
    double away[3] = {0}, distance = 0;

    if (scree_world_get_body(e->lab->world, hit->id, &body) || body.type != SCREE_BODY_DYNAMIC)
        return 0;
    for (int k = 0; k < dimensions_of(e->lab); k++) {
        away[k] = body.position[k] - e->centre[k];
        distance = hypot(distance, away[k]);
    }
    if (!(distance > 0 && distance < e->radius))
        return 0;
    double impulse = body.mass * e->speed * (1 - distance / e->radius);
    for (int k = 0; k < 3; k++)
        away[k] *= impulse / distance;
    e->status = scree_body_apply_impulse(e->lab->world, hit->id, away, NULL);
    e->count += !e->status;
    return e->status != SCREE_OK;
}

/*  number: a position, a radius, a speed. */
scree_status scree_lab_explode(scree_lab *lab, const scree_lab_message *message, scree_error *error)
{
    const double *n = message->number;
    explosion e = {.lab = lab, .centre = n, .radius = n[3], .speed = n[4]};

    if (!(e.radius > 0))
        return scree_fail(error, SCREE_BAD_VALUE, "explosion: radius is %g m, must be above 0",
                          e.radius);
    if (!(e.speed > 0 && e.speed <= EXPLODE_SPEED_MOST))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "explosion: speed is %g m/s, must be above 0, at most %g", e.speed,
                          EXPLODE_SPEED_MOST);
    scree_query query = scree_query_sphere(n, e.radius);
    scree_status status = scree_world_query(lab->world, &query, push_away, &e, error);
    if (status)
        return status;
    if (e.status)
        return refused(lab, "explosion", e.status, error);
    if (e.count == 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "explosion: no body that moves is within %g m",
                          e.radius);
    lab->has_changed = true;
    return SCREE_OK;
}

/* ---- cuts ------------------------------------------------------------------------------------------------ */

/*  A triangle: the eye, and two points of the stroke; in two dimensions only the segment between these counts. */
typedef struct stroke
{
    const double *eye, *a, *b;
    bool is_flat;
} stroke;

static void between(const double from[3], const double to[3], double step[3])
{
    for (int k = 0; k < 3; k++)
        step[k] = to[k] - from[k];
}

/*  Six times the volume of the tetrahedron, with a sign: on which side of the triangle a b c the point d is. */
static double side(const double a[3], const double b[3], const double c[3], const double d[3])
{
    double u[3], v[3], w[3];

    between(a, b, u);
    between(a, c, v);
    between(a, d, w);
    return w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) +
           w[2] * (u[0] * v[1] - u[1] * v[0]);
}

/*  The same in two dimensions: on which side of the line a b the point c is. */
static double side_2d(const double a[3], const double b[3], const double c[3])
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static bool crosses(const double from[3], const double to[3], void *user)
{
    const stroke *s = user;

    if (s->is_flat)
        return (side_2d(s->a, s->b, from) > 0) != (side_2d(s->a, s->b, to) > 0) &&
               (side_2d(from, to, s->a) > 0) != (side_2d(from, to, s->b) > 0);
    bool is_left = side(from, to, s->eye, s->a) > 0;
    return (side(s->eye, s->a, s->b, from) > 0) != (side(s->eye, s->a, s->b, to) > 0) &&
           (side(from, to, s->a, s->b) > 0) == is_left &&
           (side(from, to, s->b, s->eye) > 0) == is_left;
}

/*  number: the eye, and two points. A stroke that meets no bond is no error: others of its parts may. */
void scree_lab_cut(scree_lab *lab, const scree_lab_message *message)
{
    const double *n = message->number;
    stroke s = {n, n + 3, n + 6, dimensions_of(lab) == 2};

    if (scree_world_cut_bonds(lab->world, crosses, &s))
        lab->has_changed = true;
}

/* ---- walls ------------------------------------------------------------------------------------------------- */

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/*  Distance of p from the points from + s u, 0 <= s <= 1. */
static double distance_to_edge(const double from[3], const double u[3], const double p[3])
{
    double r[3], length_sq = dot(u, u);

    for (int k = 0; k < 3; k++)
        r[k] = p[k] - from[k];
    double s = length_sq > 0 ? fmin(fmax(dot(r, u) / length_sq, 0), 1) : 0;
    for (int k = 0; k < 3; k++)
        r[k] -= s * u[k];
    return sqrt(dot(r, r));
}

static double distance_to_sheet(const lab_sheet_wall *w, const double p[3])
{
    double r[3], far_u[3], far_v[3];
    double uu = dot(w->u, w->u), uv = dot(w->u, w->v), vv = dot(w->v, w->v),
           det = uu * vv - uv * uv;

    for (int k = 0; k < 3; k++) {
        r[k] = p[k] - w->corner[k];
        far_u[k] = w->corner[k] + w->u[k];
        far_v[k] = w->corner[k] + w->v[k];
    }
    double s = (vv * dot(r, w->u) - uv * dot(r, w->v)) / det;
    double t = (uu * dot(r, w->v) - uv * dot(r, w->u)) / det;
    /* the foot of the perpendicular, or else a point of an edge, is nearest */
    if (det > 0 && s >= 0 && s <= 1 && t >= 0 && t <= 1) {
        for (int k = 0; k < 3; k++)
            r[k] -= s * w->u[k] + t * w->v[k];
        return sqrt(dot(r, r));
    }
    return fmin(fmin(distance_to_edge(w->corner, w->u, p), distance_to_edge(w->corner, w->v, p)),
                fmin(distance_to_edge(far_v, w->u, p), distance_to_edge(far_u, w->v, p)));
}

/*  Number of bodies whose bounding spheres the wall would cut. */
static size_t bodies_in_way(scree_lab *lab, const lab_sheet_wall *w)
{
    scree_bodies_view view = scree_world_bodies(lab->world);
    size_t count = 0;

    for (size_t i = 0; i < view.count; i++) {
        double p[3] = {0};
        memcpy(p, scree_row_at(view.position, i), (size_t)dimensions_of(lab) * sizeof *p);
        count += distance_to_sheet(w, p) < scree_double_at(view.radius, i);
    }
    return count;
}

/*  number: three corners of a parallelogram; in two dimensions both ends of a segment. */
scree_status scree_lab_draw_wall(scree_lab *lab, const scree_lab_message *message,
                                 scree_error *error)
{
    const double *n = message->number;
    scree_wall_id id;
    lab_sheet_wall w = {0};

    for (int k = 0; k < dimensions_of(lab); k++) {
        w.corner[k] = n[k];
        w.u[k] = n[3 + k] - n[k];
        w.v[k] = dimensions_of(lab) == 2 ? 0 : n[6 + k] - n[k];
    }
    if (lab->drawn_walls >= LAB_DRAWN_MOST)
        return scree_fail(error, SCREE_TOO_LARGE, "the wall was not drawn: at most %u can be",
                          LAB_DRAWN_MOST);
    size_t hit = bodies_in_way(lab, &w);
    if (hit)
        return scree_fail(
            error, SCREE_BAD_ARGUMENT,
            "the wall was not drawn: %zu %s in its way. Draw it where there is room, or erase %s",
            hit, hit == 1 ? "body is" : "bodies are", hit == 1 ? "the body" : "the bodies");
    scree_status status = scree_lab_add_sheet(lab->world, dimensions_of(lab), &w, &id, error);
    if (status)
        return status;
    scree_lab_note_wall(lab, id);
    scree_lab_tell_walls(lab);
    lab->has_changed = true;
    return SCREE_OK;
}
