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

#include "base/vector.h"
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
    bool is_beside;          /* the other, if by less than a grain: proves nothing */
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

/*  A way along which two are parted, and what of both is nearest along it. */
typedef struct scree_block_axis
{
    double normal[3];        /* unit, from the first to the second */
    scree_feature_kind kind; /* a corner of the first, of the second, edges of both */
    uint32_t id[2];
} scree_block_axis;

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
    scree_block_point
        *points; /* corners of the first, of the second, edges, each by id; one more */
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

/*  Of a grain, within which a point at a distance proves it. */
#define SCREE_BLOCK_PROOF 0.01
/*  Of a grain: what is farther off is so by more than rounding. */
#define SCREE_BLOCK_ROUNDING 1e-3

/* ---- block_apart.c ---- */

/*  The greatest separation, and its axis; at least `most` where some axis parts them by that, and then the axis is any. Where
    it is above 0 it is a lower bound of the distance. */
double scree_block_separation(const scree_block_view view[2], double most, scree_block_axis *axis);
/*  Takes the axis of two edges that parts them by more than `best`, if there is one, until one does by more than `enough`. */
double scree_block_part_by_edges(const scree_block_view view[2], double enough, double best,
                                 scree_block_axis *axis);
/*  Of blocks that an axis parts: the distance, and the way between the nearest points, by GJK. `normal`: such an axis.
    false: it is not known to less than a grain, and both are to be found otherwise. */
bool scree_block_distance(const scree_block_view view[2], double grain, double *distance,
                          double normal[3]);

/* ---- block_close.c ---- */

/*  Edges with a smaller sine lie along each other: digits of their product are lost. */
#define SCREE_BLOCK_ALONG 1e-3

/*  The product of two ways that may be nearly along each other: at right angles to both, to rounding of their lengths. */
void scree_block_product(const double a[3], const double b[3], double product[3]);
/*  How far two are parted by any way. */
double scree_block_part_along(const scree_block_view view[2], const double way[3]);
/*  Of blocks that an axis parts by `best`, whatever rounding there is: the distance, and the axis. */
double scree_block_part_surely(const scree_block_view view[2], double best, double grain,
                               scree_block_axis *axis);

/* ---- block_points.c ---- */

/*  Faces that lean by less are across the normal, with which nothing can be lifted onto them. */
#define SCREE_BLOCK_FLAT 1e-9

/*  Points of the gap along a normal, in the frame of the first, without weights. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_overlay(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], const double normal[3],
                                 double reach, double grain);
/*  A point more. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_push(scree_block_contact *work, scree_memory *memory,
                              const scree_block_point *point);
/*  What is left of the weight of a point where edges cross with such a sine. */
double scree_block_share(const scree_block_view view[2], const scree_block_outlook look[2],
                         uint32_t a, uint32_t b, double sine_sq);
/*  Of what is twice in one place keeps the deepest, and weighs what is left. */
void scree_block_weigh(scree_block_contact *work, double reach, double spread, double grain);

/* ---- block_proof.c ---- */

/*  Whether some point is no farther than blocks are parted along the normal: then that is the distance. None can be nearer: a corner
    that is said to be is beside a wall by less than a grain, and its gap is found again. */
bool scree_block_check(scree_block_contact *work, const scree_block_view view[2],
                       const double normal[3], double distance, double reach, double grain);
/*  The point that an axis tells of, at the distance. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_push_nearest(scree_block_contact *work, scree_memory *memory,
                                      const scree_block_view view[2], const scree_block_axis *axis,
                                      double distance);

/*  1 in the same place, 0 from the spread on, with no kink at either. */
static inline double scree_block_closeness(double away_sq, double spread)
{
    double share = sqrt(away_sq) / spread;

    return share < 1 ? 1 - share * share * (3 - 2 * share) : 0;
}

#endif
