/*  Places that numbers cannot tell apart. */
#ifndef SCREE_WORLD_COARSE_PLACES_H
#define SCREE_WORLD_COARSE_PLACES_H

struct scree_world;

/*  A list has just been made: warns, once in the life of a world, where bodies are so far from the origin that their places are
    coarse. */
void scree_world_look_at_places(struct scree_world *world);

#endif
