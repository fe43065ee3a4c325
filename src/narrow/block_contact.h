/*  Where two blocks touch, which are convex polyhedra: how far apart they are, along which normal, and the points at which a
    law acts.

    DISTANCE AND NORMAL. Where blocks are apart, the distance of their nearest points, and the way between these. Where they
    overlap, the shortest way by which one must be moved to be apart, below 0, and its direction: the greatest
    separation along any face's normal of either and any product of two edges (the facets of the Minkowski difference). The distance is a
    continuous function of both poses; so is the normal while they are apart.

    POINTS. Along the normal each block has an upper surface, which is concave, and the gap between the two is a
    piecewise linear convex function over the plane across it. Its corners are the points: a corner of the one under the
    surface of the other, or two edges that cross as seen along the normal; all of them where the gap is below the reach. So a vertex on a
    face gives one point, two edges that cross one, an edge on a face two, and a face on a face the corners of what
    they share; the least gap is the distance. Which facets a face is cut into, and which is the best face to clip against,
    makes no difference, and points come and go where they reach no deeper than nothing.
    Polygons are the same in a plane: the gap is a function along one line, and its corners are theirs.

    WEIGHTS. Points nearer to each other than the spread share: each has, of one, its depth over the sum of the depths
    around it. Far from others a point counts 1, like the vertex of any body of triangles; where a corner is cut off by a passing edge and
    one point becomes two, these have together what the one had. So the force is continuous there, too.
    Where a face lies on a face and an edge of each is nearly along the other's, these cross anywhere along both: by a
    turn or a shift that is next to nothing there would be one more point, or one less, and stacks would
    take energy out of that and never come to rest. Such a crossing counts the less the flatter the faces lie and the smaller
    the angle between its edges is; but all points together carry what the deepest would alone. */
#ifndef SCREE_BLOCK_CONTACT_H
#define SCREE_BLOCK_CONTACT_H

#include "narrow/mesh_features.h"
#include "shape/convex.h"

#include <math.h>

typedef struct scree_block_body
{
    const scree_convex *convex;
    scree_mesh_pose pose; /* its place is that of the convex's origin */
} scree_block_body;

typedef struct scree_block_point
{
    scree_feature_kind kind; /* corner of the first, of the second, edges of both */
    uint32_t id[2];          /* of the corner, 0; of the first's edge and the second's */
    double
        point[2]
             [3]; /* on each, in the world; the second is `gap` along the normal from the first */
    double gap;
    double share; /* 1; less: a crossing of edges that are nearly along each other, in flat faces */
    double weight; /* above 0, at most 1 */
} scree_block_point;

/*  A polyhedron in the frame of the first. */
typedef struct scree_block_view
{
    uint32_t corner_count, face_count, edge_count;
    const double (*corner)[3];
    const double (*face)[4];
    const double (*along)[3];
    const scree_convex_edge *edge;
    double origin[3]; /* what corners were given about; inside, or not far */
    bool is_flat;     /* then edges have no length: they are no axes, and never cross */
} scree_block_view;

/*  What is known of one of the two as seen along the normal, which points towards the other. */
typedef struct scree_block_outlook
{
    double *height;      /* by corner */
    double *lean;        /* by face: normal times normal */
    uint8_t *is_top;     /* by corner: of some face that leans towards the other */
    uint32_t *edge;      /* of such a face, and near enough to count */
    double (*extent)[4]; /* of these across the normal: least and most of each of two axes */
    size_t corner_capacity, face_capacity, top_capacity, edge_capacity, extent_capacity;
    uint32_t edge_count;
    double top; /* height of the highest corner */
} scree_block_outlook;

/*  Results, and scratch that is used again and again; all zero at first. */
typedef struct scree_block_contact
{
    scree_block_point *points; /* corners of the first, of the second, edges; each by id */
    size_t count, capacity;
    double normal[3]; /* in the world, unit, from the first to the second; where there are points */
    double distance;
    double (*corner)[3], (*face)[4], (*along)[3]; /* of the second, in the frame of the first */
    size_t corner_capacity, face_capacity, along_capacity;
    scree_block_outlook side[2];
} scree_block_contact;

/*  Points whose gap is below the reach; none: blocks are no nearer. `spread` is above 0. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_find(scree_block_contact *work, scree_memory *memory,
                              const scree_block_body bodies[2], double reach, double spread);
/*  Corners nearer than `reach` to what is behind a plane, which is the second; `normal` points towards the body. */
scree_status scree_block_find_plane(scree_block_contact *work, scree_memory *memory,
                                    const scree_block_body *body, const double point[3],
                                    const double normal[3], double reach, double spread);
void scree_block_contact_free(scree_block_contact *work, scree_memory *memory);

/* ---- block_apart.c ---- */

/*  The greatest separation, and its axis from the first to the second; at least `most` where some axis parts them by that, and then
    `normal` is any. Where
    it is above 0 it is a lower bound of the distance. */
double scree_block_separation(const scree_block_view view[2], double most, double normal[3]);
/*  Of blocks that an axis parts: the distance, and the way between the nearest points, by GJK. `normal`: such an axis. */
double scree_block_distance(const scree_block_view view[2], double normal[3]);

/* ---- block_points.c ---- */

/*  Points of the gap along a normal, in the frame of the first, without weights. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_overlay(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], const double normal[3],
                                 double reach, double grain);
/*  Drops what is twice in one place, and weighs the others. */
void scree_block_weigh(scree_block_contact *work, double reach, double spread, double grain);

/*  1 in the same place, 0 from the spread on, with no kink at either. */
static inline double scree_block_closeness(double away_sq, double spread)
{
    double share = sqrt(away_sq) / spread;

    return share < 1 ? 1 - share * share * (3 - 2 * share) : 0;
}

static inline double scree_block_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void scree_block_cross(const double a[3], const double b[3], double c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

#endif
