/*  Keeps pairs while only few bodies move in each step. After a few such steps all pairs are found and stored, and
    cells stay as they are. From then on bodies that move are marked: their stored pairs are ignored, cells no longer
    find them, and a second, smaller structure has only them. So the pairs are the stored ones of two bodies that have
    not moved, those of moved bodies with each other, and those of moved bodies with all others. A pair of two bodies
    that have not moved has the same numbers as before, so the rule is not tested again.

    If more than one in sixteen has moved, everything is searched again. */
#include "detect/exact.h"
#include "detect/flat.h"

/*  Pairs are kept after this many consecutive steps that move at most one in FEW_SHARE bodies, */
#define FEW_STEPS 3u
#define FEW_SHARE 48u
/*  until one in MOVED_SHARE has moved. */
#define MOVED_SHARE 16u
/*  Pairs are not kept if there are more than this many per body. */
#define MAX_PAIRS 24u
/*  Number of pairs, and of moved bodies, in one block of the search. */
#define PAIR_BLOCK 8192u
#define MOVED_BLOCK 64u

/* ---- noting all pairs ---- */

typedef struct noting
{
    scree_sink sink; /* first: the sink is this */
    scree_memory *memory;
    scree_flat_keep *keep;
    size_t most;
    bool has_failed;
} noting;

static void note_pairs(scree_sink *sink)
{
    noting *n = (noting *)sink;
    scree_flat_keep *keep = n->keep;
    size_t wanted = keep->pair_count + sink->fill;
    n->has_failed = n->has_failed || wanted > n->most ||
                    scree_memory_reserve(n->memory, &keep->first, &keep->first_capacity, wanted,
                                         sizeof *keep->first) ||
                    scree_memory_reserve(n->memory, &keep->second, &keep->second_capacity, wanted,
                                         sizeof *keep->second);
    sink->stopped = n->has_failed;
    /* nothing was found yet, so there may be no arrays */
    if (!n->has_failed && sink->fill > 0) {
        memcpy(keep->first + keep->pair_count, sink->first, sink->fill * sizeof *keep->first);
        memcpy(keep->second + keep->pair_count, sink->second, sink->fill * sizeof *keep->second);
        keep->pair_count = wanted;
    }
    sink->fill = 0;
}

static bool note_all_pairs(scree_flat *self, scree_memory *memory, const scree_bodies *bodies)
{
    noting n = {.memory = memory, .keep = &self->keep, .most = (size_t)MAX_PAIRS * self->count};
    scree_scratch scratch = {.memory = memory}; /* cells take nothing from it */
    n.sink.flush = note_pairs;
    self->keep.pair_count = 0;
    for (size_t block = 0; block < self->block_count && !n.has_failed; block++) {
        scree_flat_pairs(self, bodies, block, &scratch, &n.sink);
        note_pairs(&n.sink);
    }
    return !n.has_failed;
}

/* ---- moved bodies ---- */

/*  Sorts the moved bodies into a second set of grids. */
static scree_status build_moved(scree_flat *self, const scree_method_env *env,
                                const scree_bodies *bodies)
{
    scree_bodies moved = *bodies;
    moved.active = self->keep.moved;
    moved.active_count = self->keep.moved_count;
    moved.range = NULL;
    return scree_flat_build(self->keep.others, env, &moved);
}

static scree_status mark_moved(scree_flat *self, scree_memory *memory, const uint32_t *ids,
                               size_t count)
{
    scree_flat_keep *keep = &self->keep;
    if (scree_memory_reserve(memory, &keep->moved, &keep->moved_capacity, keep->moved_count + count,
                             sizeof *keep->moved))
        return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < count; k++) {
        if (scree_flat_is_moved(self, ids[k]))
            continue;
        keep->is_moved[ids[k] / 64] |= (uint64_t)1 << ids[k] % 64;
        keep->moved[keep->moved_count++] = ids[k];
    }
    return SCREE_OK;
}

/* ---- beginning and ending ---- */

void scree_flat_keep_end(scree_flat *self)
{
    self->keep.is_used = false;
}

void scree_flat_keep_free(scree_flat *self, const scree_method_env *env)
{
    scree_flat_keep *keep = &self->keep;
    scree_memory *memory = env->memory;
    if (keep->others)
        scree_flat_destroy(keep->others, env);
    scree_memory_give(memory, &keep->others, 1, sizeof *keep->others);
    scree_memory_give(memory, &keep->first, keep->first_capacity, sizeof *keep->first);
    scree_memory_give(memory, &keep->second, keep->second_capacity, sizeof *keep->second);
    scree_memory_give(memory, &keep->moved, keep->moved_capacity, sizeof *keep->moved);
    scree_memory_give(memory, &keep->is_moved, keep->word_capacity, sizeof *keep->is_moved);
    *keep = (scree_flat_keep){0};
}

static bool begin(scree_flat *self, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_flat_keep *keep = &self->keep;
    size_t words = scree_block_count(bodies->bound, 64);
    if (!keep->others) {
        if (scree_memory_take(env->memory, 1, sizeof *keep->others, &keep->others))
            return false;
        *keep->others = (scree_flat){
            .dimensions = self->dimensions, .volume = self->volume, .simd = self->simd};
    }
    if (scree_memory_reserve(env->memory, &keep->is_moved, &keep->word_capacity, words,
                             sizeof *keep->is_moved))
        return false;
    memset(keep->is_moved, 0, words * sizeof *keep->is_moved);
    keep->moved_count = 0;
    return !build_moved(self, env, bodies) && note_all_pairs(self, env->memory, bodies);
}

/*  Keeps pairs from now on. If there are too many, or too little memory, only time is lost. */
static void try_to_begin(scree_flat *self, const scree_method_env *env, const scree_bodies *bodies)
{
    self->keep.is_used = begin(self, env, bodies);
    if (!self->keep.is_used)
        scree_flat_keep_free(self, env);
}

scree_status scree_flat_keep_update(scree_flat *self, const scree_method_env *env,
                                    const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    scree_flat_keep *keep = &self->keep;
    bool is_few = ids && self->count >= SCREE_FLAT_MIN_KEPT && count <= self->count / FEW_SHARE;
    uint32_t few = is_few ? keep->few + (keep->few < FEW_STEPS) : 0;
    keep->few = few;
    if (is_few && keep->is_used) {
        if (mark_moved(self, env->memory, ids, count))
            return SCREE_OUT_OF_MEMORY;
        self->placed += count;
        if (keep->moved_count <= self->count / MOVED_SHARE)
            return build_moved(self, env, bodies);
    }
    if (scree_flat_build(self, env, bodies))
        return SCREE_OUT_OF_MEMORY;
    if (few == FEW_STEPS && !self->is_crowded)
        try_to_begin(self, env, bodies);
    return SCREE_OK;
}

/* ---- the search ---- */

static size_t pair_blocks(const scree_flat *self)
{
    return scree_block_count(self->keep.pair_count, PAIR_BLOCK);
}

size_t scree_flat_keep_block_count(const scree_flat *self)
{
    return pair_blocks(self) + scree_flat_block_count(self->keep.others, NULL) +
           scree_block_count(self->keep.moved_count, MOVED_BLOCK);
}

/*  Those noted of which neither has moved. */
static void tell_noted(const scree_flat *self, size_t block, scree_sink *sink)
{
    const scree_flat_keep *keep = &self->keep;
    size_t end = scree_block_end(block, PAIR_BLOCK, keep->pair_count);
    for (size_t k = block * PAIR_BLOCK; k < end && !sink->stopped; k++) {
        uint32_t i = keep->first[k], j = keep->second[k];
        /* always written, and kept only by counting: no branch to mispredict */
        sink->first[sink->fill] = i;
        sink->second[sink->fill] = j;
        sink->fill +=
            ((uint32_t)scree_flat_is_moved(self, i) | (uint32_t)scree_flat_is_moved(self, j)) ^ 1u;
        if (sink->fill == SCREE_SINK_CAPACITY)
            sink->flush(sink);
    }
}

typedef struct looking
{
    scree_hit_sink sink; /* first: the sink is this */
    const scree_bodies *bodies;
    uint32_t id; /* of the moved body */
    scree_sink *pairs;
} looking;

static void take_hits(scree_hit_sink *sink)
{
    looking *l = (looking *)sink;
    const scree_bodies *bodies = l->bodies;
    for (uint32_t k = 0; k < sink->fill; k++) {
        uint32_t i = l->id, j = sink->id[k];
        if (bodies->sphere ? scree_spheres_overlap(bodies->sphere[i], bodies->sphere[j])
                           : scree_boxes_overlap(&bodies->box[i], &bodies->box[j]))
            scree_sink_pair(l->pairs, i, j);
    }
    sink->fill = 0;
    sink->stopped = l->pairs->stopped;
}

/*  The cells still contain moved bodies at their old positions. */
typedef struct sieve
{
    scree_sink sink; /* first: the sink is this */
    const scree_flat *self;
    scree_sink *pairs;
} sieve;

static void sift(scree_sink *sink)
{
    sieve *s = (sieve *)sink;
    for (uint32_t k = 0; k < sink->fill; k++)
        if (!scree_flat_is_moved(s->self, sink->second[k]))
            scree_sink_pair(s->pairs, sink->first[k], sink->second[k]);
    sink->fill = 0;
    sink->stopped = s->pairs->stopped;
}

/*  Finds pairs of moved bodies with others: with vectors if floats are accurate enough for the position of a body,
    otherwise as a query. */
static void look_around(const scree_flat *self, const scree_bodies *bodies, size_t block,
                        scree_sink *sink)
{
    looking l = {.bodies = bodies, .pairs = sink};
    sieve s = {.self = self, .pairs = sink};
    size_t end = scree_block_end(block, MOVED_BLOCK, self->keep.moved_count);
    l.sink.flush = take_hits;
    s.sink.flush = sift;
    for (size_t k = block * MOVED_BLOCK; k < end && !sink->stopped; k++) {
        l.id = self->keep.moved[k];
        scree_probe probe = {.box = scree_flat_box(bodies, l.id)};
        if (scree_flat_sweep_guest(self, bodies, l.id, &probe.box, &s.sink))
            scree_flat_query_islets(self, bodies, &probe, &l.sink);
        else
            scree_flat_query_cells(self, bodies, &probe, &l.sink);
        take_hits(&l.sink);
    }
    sift(&s.sink);
}

void scree_flat_keep_pairs(const scree_flat *self, const scree_bodies *bodies, size_t block,
                           scree_scratch *scratch, scree_sink *sink)
{
    size_t noted = pair_blocks(self), others = scree_flat_block_count(self->keep.others, NULL);
    if (block < noted)
        tell_noted(self, block, sink);
    else if (block < noted + others)
        scree_flat_pairs(self->keep.others, bodies, block - noted, scratch, sink);
    else
        look_around(self, bodies, block - noted - others, sink);
}
