/*  Spheres that take places, and whether another would overlap one: at a cost that grows neither with how many
    there are nor with how much their sizes differ. They are only put in, one by one.

    A sphere lies in the cell of its centre, in a grid whose cells are at least as wide as it is: there is a grid
    for each power of two. Cells that are used are in one table by their hash, eight that lie together side by side,
    because it is the way to memory that a query of a million spheres waits for. */
#ifndef SCREE_SCENE_TAKEN_H
#define SCREE_SCENE_TAKEN_H

#include "base/memory.h"

#define SCENE_TAKEN_LEVELS 48

typedef struct scene_taken
{
    scree_memory memory;
    int dimensions;
    int top; /* spheres of level l have radii below 2^(top - l) */
    double origin[3];
    double (*sphere)[4];
    uint32_t *next; /* in the same cell, index + 1; 0: none */
    size_t count, sphere_room, next_room;
    struct scene_taken_block
    {
        uint64_t key;     /* 0: free */
        uint32_t head[8]; /* of two cells along each axis */
    } * blocks;
    size_t block_count, block_room;        /* room: a power of two */
    double level_most[SCENE_TAKEN_LEVELS]; /* the greatest radius in it; 0: there is none */
} scene_taken;

/*  `largest`: of radii that will be put in; the origin is near where they will be. */
void scene_taken_begin(scene_taken *taken, const scree_allocator *allocator, int dimensions,
                       const double origin[3], double largest);
void scene_taken_end(scene_taken *taken);

/*  SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scene_taken_put(scene_taken *taken, const double centre[3], double radius);

/*  Whether a sphere overlaps or touches one, by the rule of detection. */
bool scene_taken_overlaps(const scene_taken *taken, const double centre[3], double radius);
/*  How deep it lies in the one that it lies deepest in, r1 + r2 - distance; 0: in none. */
double scene_taken_depth(const scene_taken *taken, const double centre[3], double radius);

#endif
