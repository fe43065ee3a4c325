/*  Warning about positions whose rounding is too coarse. */
#ifndef SCREE_WORLD_COARSE_PLACES_H
#define SCREE_WORLD_COARSE_PLACES_H

struct scree_world;

/*  Called after a list was made. Warns once in the life of a world if bodies are so far from the origin that their
    positions are too coarse. */
void scree_world_look_at_places(struct scree_world *world);

#endif
