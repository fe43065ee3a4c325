/*  Mass properties of the inside of a closed surface: each facet and a common point span a tetrahedron, whose volume is
    signed by the orientation of the facet. For a tetrahedron 0 a b c with d = det(a b c) the volume is d / 6, the first
    moment d (a + b + c) / 24 and the second d (s s' + a a' + b b' + c c') / 120 with s = a + b + c. The point is the
    middle of the bounding box, so that a body far from the origin loses no digits.

    In two dimensions each segment and the point span a triangle: with d = det(a b) the area is d / 2, the first moment
    d (a + b) / 6 and the second d (s s' + a a' + b b') / 24 with s = a + b. */
#include "shape/mesh.h"

#include "base/error.h"
#include "base/vector.h"
#include "shape/axes.h"

#include <float.h>
#include <math.h>

/*  A sum with compensation of rounding errors (Neumaier 1974). */
typedef struct kept_sum
{
    double sum, lost;
} kept_sum;

static void keep(kept_sum *s, double term)
{
    double sum = s->sum + term;
    s->lost += fabs(s->sum) >= fabs(term) ? (s->sum - sum) + term : (term - sum) + s->sum;
    s->sum = sum;
}

static double kept(const kept_sum *s)
{
    return s->sum + s->lost;
}

/*  Volume, area, moments: 0, x y z, xx yy zz xy yz zx. */
typedef struct moments
{
    kept_sum volume, size, area, first[3], second[6];
} moments;

static void add_facet(moments *m, const double corner[3][3], double turn)
{
    const double *a = corner[0], *b = corner[1], *c = corner[2];
    double normal[3], d = 0, length = 0, s[3];
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        d += a[k] * (b[i] * c[j] - b[j] * c[i]);
        normal[k] = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
        length += normal[k] * normal[k];
        s[k] = a[k] + b[k] + c[k];
    }
    d *= turn;
    keep(&m->volume, d / 6);
    keep(&m->size, fabs(d) / 6);
    keep(&m->area, 0.5 * sqrt(length));
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3;
        keep(&m->first[k], d * s[k] / 24);
        keep(&m->second[k], d * (s[k] * s[k] + a[k] * a[k] + b[k] * b[k] + c[k] * c[k]) / 120);
        keep(&m->second[3 + k], d * (s[k] * s[i] + a[k] * a[i] + b[k] * b[i] + c[k] * c[i]) / 120);
    }
}

/*  Normals of segments are to the left of their direction, so a clockwise line has them outward. */
static void add_segment(moments *m, const double corner[2][3], double turn)
{
    const double *a = corner[0], *b = corner[1];
    double d = turn * (a[1] * b[0] - a[0] * b[1]), s[2] = {a[0] + b[0], a[1] + b[1]};

    keep(&m->volume, d / 2);
    keep(&m->size, fabs(d) / 2);
    keep(&m->area, sqrt(scree_apart_sq(a, b)));
    for (int k = 0; k < 2; k++) {
        keep(&m->first[k], d * s[k] / 6);
        keep(&m->second[k], d * (s[k] * s[k] + a[k] * a[k] + b[k] * b[k]) / 24);
    }
    keep(&m->second[3], d * (s[0] * s[1] + a[0] * a[1] + b[0] * b[1]) / 24);
}

/*  In units of half the box, so that nothing overflows or underflows. */
static void sum_moments(const scree_mesh *mesh, const double middle[3], double scale, moments *m)
{
    bool turned = mesh->flipped_edges > 0;
    size_t corners = (size_t)mesh->corners;
    for (size_t f = 0; f < mesh->facet_count; f++) {
        double corner[3][3] = {{0}}, turn = turned ? mesh->turn[f] : 1;
        for (size_t c = 0; c < corners; c++) {
            size_t vertex = mesh->facets[corners * f + c];
            for (size_t k = 0; k < 3; k++)
                corner[c][k] = (mesh->vertices[3 * vertex + k] - middle[k]) / scale;
        }
        if (corners == 3)
            add_facet(m, (const double(*)[3])corner, turn);
        else
            add_segment(m, (const double(*)[3])corner, turn);
    }
}

/* ---- the whole computation ---- */

static scree_status check_solid(const scree_mesh *mesh, double density, scree_error *error)
{
    bool is_flat = mesh->corners == 2;
    if (mesh->open_edges > 0 || mesh->nonmanifold_edges > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "mesh solid: the %s is not closed: of %u %s %u have one %s "
                          "and %u more than two",
                          is_flat ? "line" : "surface", mesh->edge_count,
                          is_flat ? "ends" : "edges", mesh->open_edges,
                          is_flat ? "segment" : "facet", mesh->nonmanifold_edges);
    for (size_t f = 0; f < mesh->facet_count && mesh->flipped_edges > 0; f++)
        if (mesh->turn[f] == 0 || mesh->patch[f] != 0)
            return scree_fail(
                error, SCREE_BAD_ARGUMENT,
                "mesh solid: at %u edges the facets have opposite orientation, and %s",
                mesh->flipped_edges,
                mesh->turn[f] == 0 ? "the surface has only one side"
                                   : "which of its parts are cavities is unknown");
    if (!(density > 0 && density < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "mesh solid: density is %g, must be above 0 and finite", density);
    return SCREE_OK;
}

static void set_inertia(const moments *m, double sign, double volume, double unit,
                        scree_mesh_solid *solid)
{
    double centre[3], second[3][3], trace = 0;
    for (int k = 0; k < 3; k++)
        centre[k] = sign * kept(&m->first[k]) / volume;
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3;
        second[k][k] = sign * kept(&m->second[k]) - volume * centre[k] * centre[k];
        second[k][i] = second[i][k] =
            sign * kept(&m->second[3 + k]) - volume * centre[k] * centre[i];
        trace += second[k][k];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            solid->inertia[i][j] = unit * ((i == j ? trace : 0) - second[i][j]);
}

/*  Each computed once, in this order, on which bodies in files depend to the last bit. */
static double in_units(double value, double scale, int power)
{
    for (int k = 0; k < power; k++)
        value *= scale;
    return value;
}

/*  In the plane all axes have the moment about z, and the mesh's axes do not change. */
static void set_principal(const scree_mesh *mesh, scree_mesh_solid *solid)
{
    if (mesh->corners == 3) {
        scree_principal_axes((const double(*)[3])solid->inertia, solid->principal,
                             solid->orientation);
        return;
    }
    for (int k = 0; k < 3; k++)
        solid->principal[k] = solid->inertia[2][2];
    solid->orientation[0] = 1;
}

scree_status scree_mesh_solid_of(const scree_mesh *mesh, double density, scree_mesh_solid *solid,
                                 scree_error *error)
{
    moments m = {0};
    scree_mesh_solid s = {0};
    double middle[3], scale = 0, volume, sign;
    int corners = mesh ? mesh->corners : 0; /* as many as there are dimensions */
    scree_status status;
    if (!mesh || !solid)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh solid: %s is NULL",
                          mesh ? "solid" : "mesh");
    if ((status = check_solid(mesh, density, error)) ||
        (mesh->corners == 3 && (status = scree_mesh_check_shells(mesh, error))))
        return status;
    for (int k = 0; k < 3; k++) {
        double half = 0.5 * (mesh->upper[k] - mesh->lower[k]);
        middle[k] = mesh->lower[k] + half;
        scale = half > scale ? half : scale;
    }
    sum_moments(mesh, middle, scale, &m);
    volume = fabs(kept(&m.volume));
    sign = kept(&m.volume) < 0 ? -1 : 1;
    /* coordinates have 53 bits: a volume that is so small relative to its parts is rounding error */
    if (!(volume > 64 * DBL_EPSILON * kept(&m.size)))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "mesh solid: volume is %g of a box of side %g: there is nothing inside",
                          in_units(volume, scale, corners), 2 * scale);
    s.inward = sign < 0;
    s.volume = in_units(volume, scale, corners);
    s.area = in_units(kept(&m.area), scale, corners - 1);
    s.mass = density * s.volume;
    set_inertia(&m, sign, volume, in_units(density, scale, corners + 2), &s);
    for (int k = 0; k < 3; k++)
        s.centre[k] = middle[k] + scale * (sign * kept(&m.first[k]) / volume);
    set_principal(mesh, &s);
    if (scree_mesh_is_superquadric(mesh))
        scree_superquadric_solid(&mesh->quadric, density, &s);
    if (!(s.mass < INFINITY && s.principal[0] > 0 && s.principal[0] < INFINITY &&
          s.principal[1] < INFINITY && s.principal[2] < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "mesh solid: mass %g and moment of inertia %g must be above 0 and finite",
                          s.mass, s.principal[0]);
    *solid = s;
    return SCREE_OK;
}
