/*  Worlds to be drawn, from the frames of a film that a run has kept. */
#ifndef SCREE_FILM_WORLD_H
#define SCREE_FILM_WORLD_H

#include "scree/world.h"

#include <stdbool.h>

bool scree_is_film_frame(const char *path);
/*  A world as it was: bodies where they were, with their velocities, and walls as they stood. Meshes and shapes are those of `base`,
    a world of the same run; of bodies that it has not the ball around them is there, and walls that it has not are left out.
    An exit code, with the reason on stderr. */
int scree_film_world(const char *path, scree_world *base, uint32_t threads, scree_world **world,
                     uint64_t *steps);

#endif
