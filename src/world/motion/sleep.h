/*  Bodies that rest (scree/rest.h), and the shortcut past what cannot have changed.

    Forces of contacts follow from poses, velocities and spins, from what contacts remember and from dt. A body has settled when forces
    have been found once since it was put to rest; what a contact of two such bodies remembers stays as it is, by rule. Candidates are
    looked at in tiles. A tile is settled if all its bodies were in an evaluation, and each contact had its number already.
    Where they are in the next evaluation as well, and dt is the same, that would find the very same once more: so
    numbers, memory and rows of the tile are left as they lie. They do lie there, as numbers of a tile begin at a place of its own where
    there is rest, and both sets of planes hold the same.

    Contacts of bodies that are no spheres are found again by what was found before: see contact_reuse.c.

    A settled body, all of whose candidates are in such tiles, has the sum that it had. All this holds from one step
    taken to the next alone: whatever else happens to a world, an evaluation in between finds all anew. */
#ifndef SCREE_WORLD_SLEEP_H
#define SCREE_WORLD_SLEEP_H

#include "base/error.h"
#include "base/memory.h"
#include "scree/rest.h"

struct scree_world;
struct scree_batch_room;

/*  A body's row. */
enum
{
    SCREE_REST_QUIET, /* steps in a row at whose end it was quiet; as many as the rule says: it rests, */
    SCREE_REST_FORCE,      /* and what acted on it then: x y z, */
    SCREE_REST_TORQUE = 4, /* and about its centre */
    SCREE_RESTS = 8,
};

/*  In snapshots as it is here. */
typedef struct scree_rest_rule
{
    double speed, acceleration;
    uint64_t steps;
} scree_rest_rule;

/*  Of candidates where there is rest: so many that a body that moves keeps few others busy. */
#define SCREE_REST_TILE 128u

typedef struct scree_rest
{
    bool is_on, computes_all;
    scree_rest_rule rule;
    uint64_t fell, woke, spared;

    bool is_valid;     /* rows and memory are those of the last step taken, which was one of `dt` */
    bool was_complete; /* all tiles have been through the evaluation under way */
    bool is_used;      /* in it settled tiles may be left as they are */
    double dt;
    uint8_t *settled, *spares; /* by tile: as of the last evaluation; left as it was in this one */
    size_t settled_capacity, spares_capacity;
} scree_rest;

/*  Bits of a body's place in `still`, which is made anew with each drift. */
#define SCREE_RESTS_NOW 1u
#define SCREE_HAS_SETTLED 2u

/* ---- sleep.c: the rule */
void scree_rest_free(scree_rest *rest, scree_memory *memory);
/*  Whether such numbers can come from a world. */
bool scree_rest_rule_is_sound(const scree_rest_rule *rule);
bool scree_rest_row_is_sound(const scree_rest_rule *rule, const double row[SCREE_RESTS]);
/*  Whether a world of this definition may have it. */
bool scree_rest_fits(const scree_world_def *def);
/*  A body has been added, or set by the host: it is awake. */
void scree_rest_enter(struct scree_world *world, uint32_t slot);
/*  A drift begins, of these bodies. */
void scree_rest_look_at_bodies(struct scree_world *world, uint32_t begin, uint32_t end);
/*  The step has come to its end, and will be taken: who falls to rest, and who wakes. */
void scree_rest_decide(struct scree_world *world);

/* ---- sleep_tiles.c: the shortcut */
/*  An evaluation of this many tiles begins. SCREE_OUT_OF_MEMORY. */
scree_status scree_rest_begin(struct scree_world *world, double dt, bool is_survey, size_t tiles);
/*  Whether a tile of candidates is to be left as it is. */
bool scree_rest_spares_tile(struct scree_world *world, size_t tile, size_t begin, size_t end);
/*  It was not: whether it has settled by now. */
void scree_rest_look_at_tile(struct scree_world *world, size_t tile, size_t begin, size_t end);
/*  A batch has been computed: what contacts of two settled bodies remember stays. */
void scree_rest_keep_memory(struct scree_world *world, const struct scree_batch_room *room,
                            uint32_t count, uint32_t planes);
/*  Whether the sum over a body's contacts is what it was. */
bool scree_rest_spares_sum(const struct scree_world *world, uint32_t slot);
/*  A step is taken. */
void scree_rest_accept(scree_rest *rest);

/*  What forces are found from has changed in a way that no evaluation will tell of. */
static inline void scree_rest_forget(scree_rest *rest)
{
    rest->is_valid = false;
}

#endif
