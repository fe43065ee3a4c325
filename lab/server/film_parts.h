/*  Meshes of walls and shapes of bodies for the film of a run. */
#ifndef SCREE_LAB_FILM_PARTS_H
#define SCREE_LAB_FILM_PARTS_H

#include "scree/world.h"

/*  Those of a world, after `before` bytes that are left to the caller, who also frees the bytes:

    u32: bytes of a message, number of walls, bytes of the walls board, bytes of the shapes board, number of bodies; then
    a wall: u32 index, generation, kind; the boards; a body that is not a sphere: u32 lower half of its global id, index
    of its shape; and the message, which says what is missing.

    Without a world there is only the message. SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_film_parts(scree_world *world, int dimensions, const char *message,
                                  size_t before, uint8_t **bytes, size_t *count);

#endif
