/*  What bodies that are no spheres look like: each shape is told a page once, on a board of its own, as triangles or
    pebbles in the frame of its bodies; a row of a cloud then says by number which one its body has.

    What is told is bounded. A mesh with more triangles than there may be is told with fewer; of a clump with too many pebbles the largest are told. */
#ifndef SCREE_LAB_SHAPES_H
#define SCREE_LAB_SHAPES_H

#include "cloud.h"

#define SCREE_LAB_SHAPES_KIND 5u
#define SCREE_LAB_SHAPE_MOST 4000u /* different ones; bodies of others are shown as balls */

/*  How a shape is told. */
#define SCREE_LAB_SHAPE_BALL 0u /* not at all: nothing small enough could be made of it */
#define SCREE_LAB_SHAPE_TRIANGLES 1u
#define SCREE_LAB_SHAPE_PEBBLES 2u
#define SCREE_LAB_SHAPE_COARSE 0x100u /* with less than it has */

/*  The shapes of a world, in the order in which they were met, and which one the body of each slot has. */
typedef struct scree_lab_shapes
{
    scree_shape *shape;
    size_t count, room;
    size_t left_out; /* bodies whose shape came after the last that there was a number for */
    uint16_t *table; /* number of a shape by its hash; 0: free */
    uint64_t *owner; /* by slot: serial number of the body that was looked at */
    uint16_t *number;
    size_t slot_count, slot_room;
    size_t body_count;
    struct scree_lab_share
    {
        uint32_t facets, pebbles;
    } told; /* what each was allowed when they were told last */
    bool is_untold;
} scree_lab_shapes;

void scree_lab_shapes_free(scree_lab_shapes *shapes);

/*  Another world: its shapes are others. */
void scree_lab_shapes_begin(scree_lab_shapes *shapes);

/*  Which shape each body of the cloud has: number 0 is a sphere, 1 the first. Bodies are asked for theirs once, when
    they are new. SCREE_OUT_OF_MEMORY leaves bodies spheres that were not asked yet. */
scree_status scree_lab_shapes_take(scree_lab_shapes *shapes, scree_world *world,
                                   scree_lab_cloud *cloud);

/*  What each shape may have: less where there are many bodies, all of which are to be drawn sixty times a second. */
struct scree_lab_share scree_lab_shapes_share(const scree_lab_shapes *shapes);

/*  The board; the caller frees the bytes. Where there is no memory to make meshes with fewer triangles they are told as
    balls. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_shapes_write(scree_lab_shapes *shapes, uint32_t epoch, uint8_t **bytes,
                                    size_t *count);

#endif
