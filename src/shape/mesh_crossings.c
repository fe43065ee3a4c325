/*  Whether a surface passes through itself. Facets near each other come from the tree; two of them cross where
    an edge of one goes through the inside of the other. Of facets with a common corner, the edge opposite to it
    is looked at; with two common corners they can only lie in one plane, which is no crossing here. */
#include "shape/mesh.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

/*  Volumes below this share of the cube around both facets are nothing. */
#define FLAT 1e-12

typedef struct facet_pair
{
    double corner[2][3]
                 [3]; /* about the first facet's first corner, in units of both facets' extent */
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

/*  Whether the edge from p to q goes through the facet: its ends on different sides, and the line inside. */
static bool goes_through(const double p[3], const double q[3], const double facet[3][3])
{
    double before = tetrahedron(facet[0], facet[1], facet[2], p);
    double behind = tetrahedron(facet[0], facet[1], facet[2], q);
    int left = 0, right = 0;
    if (!((before > FLAT && behind < -FLAT) || (before < -FLAT && behind > FLAT)))
        return false;
    for (int k = 0; k < 3; k++) {
        double side = tetrahedron(p, q, facet[k], facet[(k + 1) % 3]);
        left += side > FLAT;
        right += side < -FLAT;
    }
    return left == 3 || right == 3;
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

static bool facets_cross(const facet_pair *pair)
{
    int common = 0;
    for (int c = 0; c < 3; c++)
        common += has_vertex(pair->vertex[1], pair->vertex[0][c]);
    if (common > 1)
        return false;
    for (int s = 0; s < 2; s++)
        for (int c = 0; c < 3; c++) {
            int d = (c + 1) % 3;
            if (!has_vertex(pair->vertex[1 - s], pair->vertex[s][c]) &&
                !has_vertex(pair->vertex[1 - s], pair->vertex[s][d]) &&
                goes_through(pair->corner[s][c], pair->corner[s][d],
                             (const double(*)[3])pair->corner[1 - s]))
                return true;
        }
    return false;
}

/*  A ball around a facet: what is farther from its centre cannot cross it. */
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
    made.closed = mesh->open_edges == 0 && mesh->crowded_edges == 0;
    made.oriented = mesh->turned_edges == 0;
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
