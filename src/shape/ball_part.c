/*  The intersection of shapes with a ball, in closed form.

    The intersection of two balls is a lens: a cap of each. The part of a ball inside a closed surface is a sum of cones
    from the ball's centre to the facets, each cut at the radius R. A facet whose plane is at distance h contributes

        h A / 3 + R^3 W / 3

    where A is the area of its part inside the disc in which its plane cuts the ball, and W the solid angle of the other
    part. From the middle of that disc a facet is a sum of triangles, one for each edge, and the circle divides each
    into triangles, for parts of edges within it, and sectors, for those beyond: so areas and solid angles are closed
    forms as well. The angle of a triangle is that of Van Oosterom and Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125;
    of a sector of the angle p it is p (1 - h / R). In two dimensions the polygon is the facet, and the disc is given.

    The intersection of a clump and the ball is the sum of their volumes minus that of their union, which is again a
    clump. */
#include "shape/ball_part.h"

#include "base/vector.h"
#include "shape/clump.h"
#include "shape/mesh.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- balls ---- */

/*  The part of a disc of radius r beyond a line at distance `away` from its middle, whose half chord is known. */
static double segment(double r, double away, double half_chord)
{
    return r * r * atan2(half_chord, away) - away * half_chord;
}

static double lens(double a, double b, double d, int dimensions)
{
    double sum = a + b - d, difference = a - b;

    if (dimensions == 3)
        return PI * sum * sum * (d * d + 2 * d * (a + b) - 3 * difference * difference) / (12 * d);
    double away = (d * d + difference * (a + b)) / (2 * d);
    double square = sum * (d + difference) * (d - difference) * (a + b + d) / (4 * d * d);
    double half_chord = sqrt(fmax(0, square));
    return segment(a, away, half_chord) + segment(b, d - away, half_chord);
}

double scree_ball_part_of_ball(double radius, double distance, double ball, int dimensions)
{
    double small = fmin(radius, ball);

    if (distance >= radius + ball)
        return 0;
    if (distance <= fabs(radius - ball))
        return dimensions == 2 ? PI * small * small : 4 * PI / 3 * small * small * small;
    return lens(radius, ball, distance, dimensions);
}

/* ---- polygons and polyhedra ---- */

/*  The intersection of a facet with a disc, about the middle of the disc in the plane: twice the area within, and the
    solid angle of the part beyond, seen from `height` above the middle. */
typedef struct disc_cut
{
    double rim, height; /* radius of the disc; distance of the ball's centre, 0 or more */
    double slope; /* 1 - height / radius of the ball: solid angle of a sector over its angle */
    double area2, angle;
} disc_cut;

/*  Points are x and y relative to the middle. */
static double cross2(const double p[2], const double q[2])
{
    return p[0] * q[1] - p[1] * q[0];
}

static double dot2(const double p[2], const double q[2])
{
    return p[0] * q[0] + p[1] * q[1];
}

/*  The triangle from the middle to an edge outside of the circle. */
static void add_beyond(disc_cut *cut, const double p[2], const double q[2])
{
    double turn = cross2(p, q), along = dot2(p, q), h = cut->height;
    double sector = cut->rim > 0 ? atan2(turn, along) : 0;

    cut->area2 += cut->rim * cut->rim * sector;
    if (h > 0) {
        double a = sqrt(dot2(p, p) + h * h), b = sqrt(dot2(q, q) + h * h);
        cut->angle += 2 * atan2(turn, a * b + h * (a + b) + along + h * h);
    } else {
        cut->angle += sector;
    }
    cut->angle -= cut->slope * sector;
}

static void add_edge(disc_cut *cut, const double p[2], const double q[2])
{
    double way[2] = {q[0] - p[0], q[1] - p[1]}, length_sq = dot2(way, way);
    double foot = length_sq > 0 ? -dot2(p, way) / length_sq : 0, off = cross2(p, q);
    /* half of the chord over the length of the edge */
    double rest = cut->rim * cut->rim * length_sq - off * off;
    double half = length_sq > 0 && rest > 0 ? sqrt(rest) / length_sq : 0;
    double enter = fmax(0, foot - half), leave = fmin(1, foot + half);

    if (!(enter < leave) || half == 0) {
        add_beyond(cut, p, q);
        return;
    }
    double in[2] = {p[0] + enter * way[0], p[1] + enter * way[1]};
    double out[2] = {p[0] + leave * way[0], p[1] + leave * way[1]};
    if (enter > 0)
        add_beyond(cut, p, in);
    cut->area2 += off * (leave - enter);
    if (leave < 1)
        add_beyond(cut, out, q);
}

/*  The corner of the facet minus the centre of the ball. */
static void corner_from(const scree_mesh *mesh, uint32_t facet, uint32_t k, const double centre[3],
                        double from[3])
{
    const double *v = mesh->vertices + 3 * (size_t)mesh->facets[(size_t)mesh->corners * facet + k];

    for (int a = 0; a < 3; a++)
        from[a] = v[a] - centre[a];
}

/*  Six times the volume inside the ball of the cone to the facet, with its sign. */
static void cut_facet(const scree_mesh *mesh, uint32_t f, const double centre[3], double ball,
                      double *within, double *all)
{
    double corner[3][3], side[2][3], normal[3], across[3], plane[3][2], length, width;

    for (uint32_t k = 0; k < 3; k++)
        corner_from(mesh, f, k, centre, corner[k]);
    for (int a = 0; a < 3; a++) {
        side[0][a] = corner[1][a] - corner[0][a];
        side[1][a] = corner[2][a] - corner[0][a];
    }
    scree_cross(side[0], side[1], normal);
    length = scree_length(normal);
    width = scree_length(side[0]);
    if (!(length > 0))
        return;
    scree_cross(normal, side[0], across);
    for (int k = 0; k < 3; k++) {
        plane[k][0] = scree_dot(corner[k], side[0]) / width;
        plane[k][1] = scree_dot(corner[k], across) / (width * length);
    }
    double signed_height = scree_dot(corner[0], normal) / length, height = fabs(signed_height);
    disc_cut cut = {.height = height};
    if (height < ball) {
        cut.rim = sqrt((ball - height) * (ball + height));
        cut.slope = 1 - height / ball;
    }
    for (int k = 0; k < 3; k++)
        add_edge(&cut, plane[k], plane[(k + 1) % 3]);
    *within += copysign(height * cut.area2 + 2 * ball * ball * ball * cut.angle, signed_height);
    *all += signed_height * length;
}

double scree_ball_part_of_mesh(const scree_mesh *mesh, const double centre[3], double ball)
{
    double within = 0, all = 0;

    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        double turn = mesh->flipped_edges > 0 ? mesh->turn[f] : 1, some = 0, whole = 0;
        if (mesh->corners == 3) {
            cut_facet(mesh, f, centre, ball, &some, &whole);
        } else {
            double p[3], q[3];
            disc_cut cut = {.rim = ball};
            corner_from(mesh, f, 0, centre, p);
            corner_from(mesh, f, 1, centre, q);
            add_edge(&cut, p, q);
            some = cut.area2;
            whole = cross2(p, q);
        }
        within += turn * some;
        all += turn * whole;
    }
    return fmax(0, all < 0 ? -within : within) / (mesh->corners == 3 ? 6 : 2);
}

/* ---- clumps ---- */

scree_status scree_ball_part_of_clump(const scree_clump *clump, const double centre[3], double ball,
                                      scree_memory *memory, double *volume)
{
    size_t count = clump->pebble_count;
    scree_clump_mass alone, both;
    scree_pebble *pebbles;
    scree_status status;

    if (scree_memory_take(memory, count + 1, sizeof *pebbles, &pebbles))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < count; k++) {
        memcpy(pebbles[k].centre, clump->local[k], sizeof pebbles[k].centre);
        pebbles[k].radius = clump->local[k][3];
    }
    memcpy(pebbles[count].centre, centre, sizeof pebbles[count].centre);
    pebbles[count].radius = ball;
    status = scree_clump_weigh(pebbles, count, clump->dimensions, memory, &alone);
    if (!status)
        status = scree_clump_weigh(pebbles, count + 1, clump->dimensions, memory, &both);
    scree_memory_give(memory, &pebbles, count + 1, sizeof *pebbles);
    if (status)
        return status;
    double whole = scree_ball_part_of_ball(ball, 0, ball, clump->dimensions);
    *volume = fmax(0, whole + alone.volume - both.volume) * (clump->mass.volume / alone.volume);
    return SCREE_OK;
}
