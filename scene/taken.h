/*  Occupied positions: spheres, and whether another sphere would overlap one, at a cost that grows neither with their
    number nor with their range of sizes. Spheres are only added, one by one.

    A sphere is in the cell of its centre, in a grid whose cells are at least as wide as the sphere: there is one
    grid for each power of two. Used cells are in one hash table, in blocks of eight adjacent cells, because queries
    among a million spheres are limited by memory access. */
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
    double level_most[SCENE_TAKEN_LEVELS]; /* largest radius in it; 0: empty */
} scene_taken;

/*  `largest`: largest radius to be added; the origin is near the positions. */
void scene_taken_begin(scene_taken *taken, const scree_allocator *allocator, int dimensions,
                       const double origin[3], double largest);
void scene_taken_end(scene_taken *taken);

/*  SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scene_taken_put(scene_taken *taken, const double centre[3], double radius);

/*  Whether a sphere overlaps or touches one, with the rule of detection. */
bool scene_taken_overlaps(const scene_taken *taken, const double centre[3], double radius);
/*  The largest overlap, r1 + r2 - distance; 0: none. */
double scene_taken_depth(const scene_taken *taken, const double centre[3], double radius);

#endif
