/*  Whether a surface intersects itself. The tree finds facets near each other. Two of them intersect if each has
    corners on both sides of the other's plane and they share a segment of the line in which these planes meet. The same
    holds for facets with a common corner, from which both continue in the same direction. Facets with two common
    corners can only be coplanar, which does not count. */
#include "shape/mesh.h"

#include "base/error.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

/*  Volumes below this fraction of the cube around both facets count as 0, and so do segments shorter than this fraction
    of its side: if a corner is over a plane by FLAT, rounding moves the end of such a segment by 1e-6. */
#define FLAT 1e-10
#define SHORTEST 1e-5

typedef struct facet_pair
{
    double
        corner[2][3]
              [3]; /* relative to the first facet's first corner, in units of both facets' extent */
    uint32_t vertex[2][3];
} facet_pair;

/*  Six times the volume of a tetrahedron. */
static double tetrahedron(const double a[3], const double b[3], const double c[3],
                          const double p[3])
{
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; k++) {
        u[k] = a[k] - p[k];
        v[k] = b[k] - p[k];
        w[k] = c[k] - p[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
           u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/*  The two points in which the boundary of a facet meets a plane, from the corners' volumes over it, of which some are
    on either side. */
static void cut_facet(const double corner[3][3], const double over[3], double end[2][3])
{
    int count = 0;
    for (int c = 0; c < 3; c++) {
        int d = (c + 1) % 3;
        if (fabs(over[c]) <= FLAT)
            memcpy(end[count++], corner[c], sizeof *end);
        else if (fabs(over[d]) > FLAT && (over[c] > 0) != (over[d] > 0)) {
            double share = over[c] / (over[c] - over[d]);
            for (int k = 0; k < 3; k++)
                end[count][k] = corner[c][k] + share * (corner[d][k] - corner[c][k]);
            count++;
        }
    }
}

/*  Length of the intersection of two segments of one line. */
static double shared_length(const double a[2][3], const double b[2][3])
{
    double way[3], place[2], length_sq;
    for (int k = 0; k < 3; k++)
        way[k] = a[1][k] - a[0][k];
    length_sq = scree_dot(way, way);
    if (length_sq == 0)
        return 0;
    for (int e = 0; e < 2; e++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = b[e][k] - a[0][k];
        place[e] = scree_dot(from, way) / length_sq;
    }
    double begin = fmax(0, fmin(place[0], place[1])), end = fmin(1, fmax(place[0], place[1]));
    return (end - begin) * sqrt(length_sq);
}

static void take_pair(const scree_mesh *mesh, uint32_t first, uint32_t second, facet_pair *pair)
{
    const uint32_t facet[2] = {first, second};
    const double *origin = mesh->vertices + 3 * (size_t)mesh->facets[3 * (size_t)first];
    double extent = 0;
    for (int s = 0; s < 2; s++)
        for (size_t c = 0; c < 3; c++) {
            pair->vertex[s][c] = mesh->facets[3 * (size_t)facet[s] + c];
            for (size_t k = 0; k < 3; k++) {
                double x = mesh->vertices[3 * (size_t)pair->vertex[s][c] + k] - origin[k];
                pair->corner[s][c][k] = x;
                extent = fabs(x) > extent ? fabs(x) : extent;
            }
        }
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                pair->corner[s][c][k] /= extent;
}

static bool has_vertex(const uint32_t vertex[3], uint32_t wanted)
{
    return vertex[0] == wanted || vertex[1] == wanted || vertex[2] == wanted;
}

/*  Volumes of one facet's corners over the other. Returns whether there are some on both sides. */
static bool lies_across(const double corner[3][3], const double facet[3][3], double over[3])
{
    bool above = false, below = false;
    for (int c = 0; c < 3; c++) {
        over[c] = tetrahedron(facet[0], facet[1], facet[2], corner[c]);
        above |= over[c] > FLAT;
        below |= over[c] < -FLAT;
    }
    return above && below;
}

static bool facets_cross(const facet_pair *pair)
{
    const double(*first)[3] = (const double(*)[3])pair->corner[0];
    const double(*second)[3] = (const double(*)[3])pair->corner[1];
    double over[2][3], end[2][2][3];
    int common = 0;
    for (int c = 0; c < 3; c++)
        common += has_vertex(pair->vertex[1], pair->vertex[0][c]);
    if (common > 1 || !lies_across(first, second, over[0]) || !lies_across(second, first, over[1]))
        return false;
    cut_facet(first, over[0], end[0]);
    cut_facet(second, over[1], end[1]);
    return shared_length((const double(*)[3])end[0], (const double(*)[3])end[1]) > SHORTEST;
}

/*  A ball around a facet: facets farther from its centre cannot intersect it. */
static double ball_around(const scree_mesh *mesh, uint32_t facet, double centre[3])
{
    double reach_sq = 0;
    memset(centre, 0, 3 * sizeof *centre);
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; k < 3; k++)
            centre[k] += mesh->vertices[3 * (size_t)mesh->facets[3 * (size_t)facet + c] + k] / 3;
    for (size_t c = 0; c < 3; c++) {
        double sum = 0;
        for (size_t k = 0; k < 3; k++) {
            double d =
                mesh->vertices[3 * (size_t)mesh->facets[3 * (size_t)facet + c] + k] - centre[k];
            sum += d * d;
        }
        reach_sq = sum > reach_sq ? sum : reach_sq;
    }
    return sqrt(reach_sq);
}

static scree_status count_crossings(const scree_mesh *mesh, scree_memory *memory,
                                    scree_mesh_report *report)
{
    scree_facet_list list = {0};
    scree_status status = SCREE_OK;
    for (uint32_t f = 0; f < mesh->facet_count && !status; f++) {
        double centre[3], reach = ball_around(mesh, f, centre);
        status = scree_mesh_near(mesh, centre, reach, memory, &list);
        for (size_t i = 0; i < list.count && !status; i++) {
            facet_pair pair;
            if (list.facet[i] <= f)
                continue;
            take_pair(mesh, f, list.facet[i], &pair);
            if (!facets_cross(&pair))
                continue;
            if (report->crossings++ == 0) {
                report->first[0] = f;
                report->first[1] = list.facet[i];
            }
        }
    }
    scree_facet_list_free(&list, memory);
    return status;
}

scree_status scree_mesh_check(const scree_mesh *mesh, scree_mesh_report *report, scree_error *error)
{
    scree_mesh_report made = {0};
    scree_memory memory;
    if (!mesh || !report)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh check: %s is NULL",
                          mesh ? "report" : "mesh");
    if (mesh->corners != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh check: of segments");
    made.closed = mesh->open_edges == 0 && mesh->nonmanifold_edges == 0;
    made.oriented = mesh->flipped_edges == 0;
    made.orientable = true;
    for (size_t f = 0; f < mesh->facet_count; f++) {
        made.orientable &= mesh->turn[f] != 0;
        made.patches = mesh->patch[f] >= made.patches ? mesh->patch[f] + 1 : made.patches;
    }
    scree_memory_init(&memory, &mesh->memory.allocator);
    if (count_crossings(mesh, &memory, &made))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "mesh check: out of memory");
    *report = made;
    return SCREE_OK;
}
