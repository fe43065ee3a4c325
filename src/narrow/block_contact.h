/*  Contact of two blocks, which are convex polyhedra: separation, normal, and the points at which a law acts.

    DISTANCE AND NORMAL. For separated blocks, the distance of their nearest points and the direction between these. For
    overlapping blocks, minus the shortest translation that separates them, and its direction: the largest separation
    along any face normal of either and any product of two edges (the facets of the Minkowski difference). The distance
    is a continuous function of both poses; so is the normal while they are separated.

    POINTS. Seen along the normal, each block has an upper surface, which is concave, and the gap between the two
    surfaces is a piecewise linear convex function on the plane perpendicular to it. The contact points are the corners
    of that function: a corner of one block below the surface of the other, or two edges that cross as seen along the
    normal; all of them where the gap is below the interaction range. So a vertex on a face gives one point, two
    crossing edges one, an edge on a face two, and a face on a face the corners of their intersection. The smallest gap
    is the distance. The triangulation of faces and the choice of a reference face make no difference, and points appear
    and vanish at overlap 0. For polygons the gap is a function on a line.

    WEIGHTS. Points that are nearer to each other than `spread` share one weight of 1, in proportion to their depths. A
    point far from others has weight 1, like a vertex of any mesh body. If a passing edge cuts off a corner and one
    point becomes two, these have the same total weight. So the force is continuous there, too.

    If a face lies on a face and an edge of each is nearly parallel to one of the other, these cross anywhere along
    both. A tiny rotation or shift would create or remove a point, and stacks would gain energy from that and never come
    to rest. The flatter the faces lie and the smaller the angle between such edges, the smaller the weight of their
    crossing; but all points together carry what the deepest alone would. */
#ifndef SCREE_BLOCK_CONTACT_H
#define SCREE_BLOCK_CONTACT_H

#include "base/vector.h"
#include "narrow/block_kernels.h"
#include "narrow/mesh_features.h"
#include "shape/convex.h"

#include <math.h>

typedef struct scree_block_body
{
    const scree_convex *convex;
    scree_mesh_pose pose; /* the position is that of the convex's origin */
} scree_block_body;

typedef struct scree_block_point
{
    scree_feature_kind kind; /* corner of the first, of the second, edges of both */
    uint32_t id[2];          /* of the corner, 0; of the edge of the first and of the second */
    bool is_beside;          /* it is outside of the other by less than a grain: proves nothing */
    double point
        [2]
        [3]; /* on each block, in the world; the second is `gap` along the normal from the first */
    double gap;
    double share;  /* 1; less for a crossing of nearly parallel edges of flat faces */
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
    const scree_convex_columns *columns; /* the same corners, faces and edges */
    bool is_flat; /* then edges have length 0: they are no axes and never cross */
} scree_block_view;

/*  A separating axis, and the nearest feature of each block along it. */
typedef struct scree_block_axis
{
    double normal[3];        /* unit, from the first to the second */
    scree_feature_kind kind; /* a corner of the first, of the second, edges of both */
    uint32_t id[2];
} scree_block_axis;

/*  One of the two blocks as seen along the normal, which points towards the other. */
typedef struct scree_block_outlook
{
    double *height;    /* by corner */
    double *across[2]; /* by corner, on two axes that are perpendicular to the normal */
    double *cosine;    /* by face: face normal times contact normal */
    uint32_t *is_top;  /* by corner: it belongs to a face that points towards the other */
    uint32_t *edge;    /* edges of such a face that are near enough to count */
    uint32_t *met;     /* edges that one of the other may cross, by their place in `edge` */
    double *segment[SCREE_BLOCK_SEGMENT]; /* by place in `edge`, on the two axes */
    double *numbers;                      /* room for all of the above */
    uint32_t *words;
    size_t number_capacity, word_capacity;
    uint32_t edge_count;
    double top; /* height of the highest corner */
} scree_block_outlook;

/*  Results, and scratch that is reused. Initialise to zero, and choose the SIMD level. */
typedef struct scree_block_contact
{
    scree_simd simd;
    scree_block_point *
        points; /* sorted: corners of the first, of the second, edges, each by id; room for one more */
    size_t count, capacity;
    double normal
        [3]; /* in the world, unit, from the first to the second; defined if there are points */
    double distance;
    double (*corner)[3], (*face)[4], (*along)[3]; /* of the second, in the frame of the first */
    size_t corner_capacity, face_capacity, along_capacity;
    scree_convex_columns columns; /* the same */
    scree_block_outlook side[2];
} scree_block_contact;

/*  Finds the points whose gap is below `reach`; none if the blocks are farther apart. `spread` is above 0.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_block_find(scree_block_contact *work, scree_memory *memory,
                              const scree_block_body bodies[2], double reach, double spread);
/*  Finds the corners that are nearer than `reach` to the half-space behind a plane, which is the second body. `normal`
    points towards the block. */
scree_status scree_block_find_plane(scree_block_contact *work, scree_memory *memory,
                                    const scree_block_body *body, const double point[3],
                                    const double normal[3], double reach, double spread);
void scree_block_contact_free(scree_block_contact *work, scree_memory *memory);

/*  In grains, the rounding tolerance of lengths: a point within this of the distance proves it. */
#define SCREE_BLOCK_PROOF 0.01
/*  In grains: a larger difference cannot be due to rounding. */
#define SCREE_BLOCK_ROUNDING 1e-3

/* ---- block_apart.c ---- */

/*  Returns the largest separation and its axis. If a face separates by `most` or more, returns the largest separation
    by a face, and no axis. A value above 0 is a lower bound of the distance. `side`: room for heights. */
double scree_block_separation(const scree_block_kernels *kernels, const scree_block_view view[2],
                              const scree_block_outlook side[2], double most,
                              scree_block_axis *axis);
/*  Finds an axis of two edges that separates by more than `best`. Stops when one does by more than `enough`. */
double scree_block_part_by_edges(const scree_block_view view[2], double enough, double best,
                                 scree_block_axis *axis);
/*  For blocks that an axis separates: the distance and the direction between the nearest points, by GJK. `normal` is
    such an axis. Returns false if the result is not accurate to a grain; use scree_block_part_surely then. */
bool scree_block_distance(const scree_block_kernels *kernels, const scree_block_view view[2],
                          const scree_block_outlook side[2], double grain, double *distance,
                          double normal[3]);

/* ---- block_close.c ---- */

/*  Edges with a smaller sine count as nearly parallel: digits of their product are lost. */
#define SCREE_BLOCK_ALONG 1e-3

/*  The product of two directions that may be nearly parallel: perpendicular to both, to rounding of their lengths. */
void scree_block_product(const double a[3], const double b[3], double product[3]);
/*  Separation of the two along any direction. */
double scree_block_part_along(const scree_block_view view[2], const double way[3]);
/*  For blocks that an axis separates by `best`: the distance and its axis, correct also when rounding matters. */
double scree_block_part_surely(const scree_block_view view[2], double best, double grain,
                               scree_block_axis *axis);

/* ---- block_points.c ---- */

/*  Faces whose cosine is below this are perpendicular to the contact plane and cannot carry points. */
#define SCREE_BLOCK_FLAT 1e-9

/*  Reserves what is written of one of the two. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_reserve_outlook(scree_block_outlook *look, scree_memory *memory,
                                         const scree_block_view *view);
/*  Computes the points of the gap along a normal, in the frame of the first, without weights. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_overlay(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], const double normal[3],
                                 double reach, double grain);
/*  Appends a point. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_push(scree_block_contact *work, scree_memory *memory,
                              const scree_block_point *point);
/*  The weight left to a crossing of edges whose angle has this sine. */
double scree_block_share(const scree_block_view view[2], const scree_block_outlook look[2],
                         uint32_t a, uint32_t b, double sine_sq);
/*  Keeps the deepest of points in the same place, and computes the weights of the rest. */
void scree_block_weigh(scree_block_contact *work, double reach, double spread, double grain);

/* ---- block_proof.c ---- */

/*  Whether the axis of a face, which separates by `distance`, cannot be that of the nearest points, since the lowest
    corner of the other is beside the face: then no point would prove it. False if that is not sure. */
bool scree_block_is_beside(const scree_block_kernels *kernels, const scree_block_view view[2],
                           const scree_block_outlook side[2], const scree_block_axis *axis,
                           double distance, double grain);
/*  Whether some point is no farther than the separation along the normal; then that is the distance. None can be
    nearer: a corner that appears to be is outside a steep face by less than a grain, and its gap is computed again. */
bool scree_block_check(scree_block_contact *work, const scree_block_view view[2],
                       const double normal[3], double distance, double reach, double grain);
/*  Appends the point of an axis at the distance. SCREE_OUT_OF_MEMORY. */
scree_status scree_block_push_nearest(scree_block_contact *work, scree_memory *memory,
                                      const scree_block_view view[2], const scree_block_axis *axis,
                                      double distance);

/*  1 in the same place, 0 from the spread on, smooth at both. */
static inline double scree_block_closeness(double away_sq, double spread)
{
    if (!(away_sq < spread * spread))
        return 0;
    double share = sqrt(away_sq) / spread;
    return share < 1 ? 1 - share * share * (3 - 2 * share) : 0;
}

#endif
