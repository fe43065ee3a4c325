/*  A pair of objects, at least one of them a non-spherical body, whose contacts are being searched: data and helpers
    shared by the functions of the table in shape_pairs.c. */
#ifndef SCREE_WORLD_SHAPE_PAIR_H
#define SCREE_WORLD_SHAPE_PAIR_H

#include "narrow/superquadric_gap.h"
#include "world/collide/shape_pairs.h"

typedef enum scree_side_kind
{
    SCREE_SIDE_SPHERE,
    SCREE_SIDE_MESH,
    SCREE_SIDE_PLANE,
    SCREE_SIDE_CLUMP,
    SCREE_SIDE_BLOCK, /* all that a mesh has, and more; in two dimensions a polygon */
    SCREE_SIDE_LINE,  /* a wall of segments */
    SCREE_SIDE_QUADRIC,
    SCREE_SIDE_KINDS,
} scree_side_kind;

/*  One of the two, as seen from the first: across a periodic boundary the second is at its nearest image. */
typedef struct scree_shape_side
{
    scree_side_kind kind;
    double centre[3]; /* of a wall its position */
    double radius;    /* of a sphere; of a mesh its effective radius; of others 0 */
    bool is_wall;
    const double *normal; /* of a plane */
    scree_mesh_body mesh;
    scree_mesh_skin skin;
    const scree_convex *convex; /* of a block */
    const scree_clump *clump;
    const scree_superquadric *quadric;
    double turn[3][3]; /* rotation from the frame of a clump or superquadric to space */
} scree_shape_side;

typedef struct scree_shape_pair
{
    const scree_shape_job *job;
    scree_shape_worker *worker;
    scree_shape_work *work;
    const scree_shape_side *side[2]; /* in the order of the table: */
    bool is_swapped;                 /* the first of the pair is side[1] */
    double reach;
    double
        apart; /* if nothing has been found: shapes are farther apart than `reach` by this, or 0 */
    scree_surrogate_cut *cut; /* if contacts are found with an active set, otherwise NULL */
} scree_shape_pair;

/*  Fills one side from a body. `from` is the centre of the first; NULL: this is the first. */
void scree_shape_place(const scree_shape_job *job, uint32_t slot, const double *from,
                       scree_shape_side *side);

/*  Adds a contact found between side[0] and side[1], stored as a contact of first and second: `normal` is from
    side[0] to side[1], `radii` are the radii of side[0] and side[1] for contact models. NULL: out of memory. */
scree_shape_found *scree_shape_push(scree_shape_pair *t, const double point[3],
                                    const double normal[3], double overlap, const double radius[2]);

/*  The same if each side has a single radius. */
scree_shape_found *scree_shape_push_whole(scree_shape_pair *t, const double point[3],
                                          const double normal[3], double overlap);

/*  Contacts of a mesh, side[mesh], with a sphere at `centre`, which is the other side or one of its pebbles.
    `old_count` contacts of the previous step, from index `begin` on, were with this sphere. SCREE_OUT_OF_MEMORY. */
scree_status scree_shape_ball_on_mesh(scree_shape_pair *t, const double centre[3], double radius,
                                      uint16_t pebble, uint32_t begin, uint32_t old_count);

/*  From space to the frame of a mesh. */
static inline void scree_shape_to_mesh(const scree_mesh_pose *pose, const double point[3],
                                       double local[3])
{
    double from[3];

    for (int k = 0; k < 3; k++)
        from[k] = point[k] - pose->place[k];
    for (int k = 0; k < 3; k++)
        local[k] =
            pose->turn[0][k] * from[0] + pose->turn[1][k] * from[1] + pose->turn[2][k] * from[2];
}

/* ---- collide_blocks.c: side[0] is a block, and side[1] too, or what the name says ---- */

/*  In the form that searches use. */
scree_block_body scree_block_of(const scree_shape_side *side);
scree_status scree_block_touch_plane(scree_shape_pair *t);
scree_status scree_block_touch_block(scree_shape_pair *t);

/* ---- collide_polygons.c ---- */

/*  side[0] is a wall of segments, side[1] a block. */
scree_status scree_polygon_touch_line(scree_shape_pair *t);

/* ---- collide_clumps.c: side[1] is a clump, and side[0] too, or what the name says ---- */

scree_status scree_clump_touch_sphere(scree_shape_pair *t);
scree_status scree_clump_touch_mesh(scree_shape_pair *t);
scree_status scree_clump_touch_plane(scree_shape_pair *t);
scree_status scree_clump_touch_clump(scree_shape_pair *t);
/*  Centre and radius of a pebble in space. */
void scree_clump_pebble_at(const scree_shape_side *side, uint32_t pebble, double at[4]);

/* ---- collide_superquadrics.c: side[0] is a superquadric, and side[1] too, or what the name says ---- */

scree_quadric_body scree_quadric_of(const scree_shape_side *side);
/*  What normals are perpendicular to: z in two dimensions, otherwise NULL. */
const double *scree_quadric_across(const scree_shape_pair *t);
/*  Adds a contact; `radius` is that of side[1] for contact models. NULL: out of memory. */
scree_shape_found *scree_quadric_push(scree_shape_pair *t, const scree_quadric_gap *gap,
                                      double overlap, double radius);
scree_status scree_quadric_touch_sphere(scree_shape_pair *t);
scree_status scree_quadric_touch_plane(scree_shape_pair *t);
scree_status scree_quadric_touch_clump(scree_shape_pair *t);
scree_status scree_quadric_touch_quadric(scree_shape_pair *t);

/* ---- collide_superquadric_facets.c: the same ---- */

/*  side[1] is a mesh, or a wall of triangles or segments. */
scree_status scree_quadric_touch_mesh(scree_shape_pair *t);
scree_status scree_quadric_touch_block(scree_shape_pair *t);

#endif
