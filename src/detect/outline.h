/*  The shape of a method's structure, piece by piece, for drawing. Each method has one function that visits its
    structure; nothing is stored for it. */
#ifndef SCREE_OUTLINE_H
#define SCREE_OUTLINE_H

#include "detect/lattice.h"
#include "detect/method_bodies.h"

struct scree_scratch;

typedef struct scree_outline_sink
{
    scree_outline_fn *action;
    void *user;
    scree_box bounds; /* of all bodies: infinite pieces are cut off here */
    int dimensions;
    bool stopped; /* return as soon as convenient */
} scree_outline_sink;

/*  In two dimensions the third axis need not be set; ends may be infinite. */
void scree_outline_put(scree_outline_sink *sink, const scree_outline_piece *piece);

/*  Cells of a lattice, from the bodies in them: one entry for each body and cell. `body` only distinguishes equal
    keys. Both arrays are sorted. */
typedef struct scree_outline_entries
{
    uint64_t *key; /* by scree_outline_key */
    uint32_t *body;
    size_t count;
} scree_outline_entries;

/*  Reserves `count` entries, all unused; false: out of memory. */
bool scree_outline_take(struct scree_scratch *scratch, size_t count, scree_outline_entries *made);

/*  Rows of a lattice, and cells of a row, are fewer than 2^32 each. */
static inline uint64_t scree_outline_key(const scree_lattice *lattice, const uint32_t at[3])
{
    return at[0] + (uint64_t)lattice->count[0] * (at[1] + (uint64_t)lattice->count[1] * at[2]);
}

static inline void scree_outline_enter(scree_outline_entries *entries, uint64_t key, uint32_t body)
{
    entries->key[entries->count] = key;
    entries->body[entries->count++] = body;
}

/*  Outputs each cell that has entries once, with their number. */
void scree_outline_cells(scree_outline_sink *sink, const scree_lattice *lattice,
                         scree_outline_entries *entries, uint32_t level);

#endif
