/*  What all parts of a world have in common, as words of eight bytes: its state without bodies (a snapshot), and its
    definitions (materials, contact models, walls) for parts that have other ones. Contact models and paths that are
    functions of the host cannot be sent: every part must have them already. */
#ifndef SCREE_WORLD_SURROUNDINGS_H
#define SCREE_WORLD_SURROUNDINGS_H

#include "world/step/world_data.h"

typedef struct scree_surroundings
{
    scree_memory *memory;
    uint64_t *words;
    size_t count;
} scree_surroundings;

/*  Reserves so many words, which are 0. SCREE_OUT_OF_MEMORY. */
scree_status scree_surroundings_reserve(scree_surroundings *packed, scree_memory *memory,
                                        size_t count);
/*  SCREE_OUT_OF_MEMORY. */
scree_status scree_surroundings_pack(scree_world *world, bool with_definitions,
                                     scree_memory *memory, scree_surroundings *packed);
void scree_surroundings_free(scree_surroundings *packed);

/*  Replaces the state of a world, whose bodies and contacts are lost, and its definitions if `takes_definitions`.
    SCREE_OUT_OF_MEMORY, SCREE_BAD_FILE, SCREE_BAD_ARGUMENT with a message; after a failure the world can only be
    destroyed. */
scree_status scree_surroundings_apply(const scree_surroundings *packed, bool takes_definitions,
                                      scree_world *world);

/*  As scree_world_copy, but without bodies. */
scree_status scree_world_copy_surroundings(scree_world *world, const scree_world_def *def,
                                           scree_world **copy);

/*  A digest of the definitions: worlds in which it is equal can exchange their states. */
uint64_t scree_world_digest_of_definitions(const scree_world *world);
/*  Whether a contact model, or the path of a wall, is a function of the host. */
bool scree_world_has_host_functions(const scree_world *world);

#endif
