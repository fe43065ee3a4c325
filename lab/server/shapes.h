/*  Shapes of bodies that are not spheres. Each shape is sent to a page once, on its own board, as triangles or pebbles
    in the frame of its bodies; rows of a cloud then refer to it by index. The amount is limited: a mesh with too many
    triangles is simplified, and of a clump with too many pebbles only the largest are sent. */
#ifndef SCREE_LAB_SHAPES_H
#define SCREE_LAB_SHAPES_H

#include "cloud.h"

#define SCREE_LAB_SHAPES_KIND 5u
#define SCREE_LAB_SHAPE_MOST                                                                       \
    4000u /* largest number of shapes; bodies of further ones are shown as balls */

/*  The form in which a shape is sent. */
#define SCREE_LAB_SHAPE_BALL 0u /* not sent, because it cannot be simplified enough */
#define SCREE_LAB_SHAPE_TRIANGLES 1u
#define SCREE_LAB_SHAPE_PEBBLES 2u
#define SCREE_LAB_SHAPE_COARSE 0x100u /* simplified */

/*  The shapes of a world, in the order in which they were found, and the shape of the body in each slot. */
typedef struct scree_lab_shapes
{
    scree_shape *shape;
    size_t count, room;
    size_t left_out; /* bodies whose shape exceeds the largest number */
    uint16_t *table; /* index of a shape by its hash; 0: free */
    uint64_t *owner; /* by slot: global id of the body that was examined */
    uint16_t *number;
    size_t slot_count, slot_room;
    size_t body_count;
    struct scree_lab_share
    {
        uint32_t facets, pebbles;
    } told; /* limits of each shape when they were last sent */
    bool is_untold;
} scree_lab_shapes;

void scree_lab_shapes_free(scree_lab_shapes *shapes);

/*  Resets for another world. */
void scree_lab_shapes_begin(scree_lab_shapes *shapes);

/*  Determines the shape of each body of the cloud: index 0 is a sphere, 1 the first. Each body is examined once, when
    it is new. SCREE_OUT_OF_MEMORY leaves unexamined bodies spheres. */
scree_status scree_lab_shapes_take(scree_lab_shapes *shapes, scree_world *world,
                                   scree_lab_cloud *cloud);

/*  The limit per shape: lower with more bodies, since all are drawn sixty times a second. */
struct scree_lab_share scree_lab_shapes_share(const scree_lab_shapes *shapes);

/*  Encodes the board; the caller frees the bytes. Meshes that cannot be simplified for lack of memory are sent as
    balls. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_shapes_write(scree_lab_shapes *shapes, uint32_t epoch, uint8_t **bytes,
                                    size_t *count);

#endif
