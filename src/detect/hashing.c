/*  Hashing (Perkins 1999, section 4.2; the NBS algorithm of Munjiza & Andrews 1998). Space is
   reduced one dimension at a time: the bodies of one Y row are hashed into the squares of an X row,
   which is searched against itself and the row before, so that a handful of row arrays serves any
   domain. In 3D the bodies of one Z layer are first hashed into Y rows, and the three rows of the
   layer before that touch the present one are held as X rows too: 13 previous squares, and each
   pair once.

    `hashing` clears whole list arrays for every row, those over squares and those over bodies, as
    published: rows times bodies, the N sqrt(N) term. `hashing2` clears the touched squares alone.
 */
#include "detect/nbs_grid.h"

#include <string.h>

#define NONE SCREE_NBS_NONE
#define BLOCK_BODIES 1024u /* on average, at least, in a block of the search */
#define MAX_BLOCKS 64u

struct hashing
{
    scree_nbs_grid grid;
    bool whole; /* clear whole arrays */
};

/*  Bodies linked through an array over ids. */
struct chain
{
    uint32_t first;
    const uint32_t *next;
};

/*  Bodies of one row (or layer), hashed by one more axis: those in square s are head[s],
    next[head[s]], ... Invariant: without bodies all heads are NONE. */
struct rack
{
    struct chain bodies;
    uint32_t *head, *next;
    uint32_t squares;
    int axis;
};

struct search
{
    const struct hashing *self;
    const uint32_t (*square)[3];
    uint32_t bound;
    scree_sink *sink;
    struct rack row[2];    /* X: this row and the one before */
    struct rack layer[2];  /* Y: this layer and the one before */
    struct rack window[3]; /* X: rows y-1, y, y+1 of the layer before; that of row y at [y % 3] */
};

static void fill_rack(struct search *search, struct rack *rack, struct chain bodies)
{
    rack->bodies = bodies;
    for (uint32_t id = bodies.first; id != NONE; id = bodies.next[id]) {
        uint32_t square = search->square[id][rack->axis];
        rack->next[id] = rack->head[square];
        rack->head[square] = id;
    }
}

/*  Must come before the links in `bodies.next` are used for another chain. */
static void empty_rack(struct search *search, struct rack *rack)
{
    if (rack->bodies.first == NONE)
        return;
    if (search->self->whole) {
        memset(rack->head, 0xff, rack->squares * sizeof *rack->head);
        memset(rack->next, 0xff, search->bound * sizeof *rack->next);
    } else {
        for (uint32_t id = rack->bodies.first; id != NONE; id = rack->bodies.next[id])
            rack->head[search->square[id][rack->axis]] = NONE;
    }
    rack->bodies.first = NONE;
}

static struct chain chain_of_square(const struct rack *rack, uint32_t square)
{
    return (struct chain){rack->head[square], rack->next};
}

static void pair_chain(struct search *search, uint32_t id, struct chain others)
{
    for (; others.first != NONE; others.first = others.next[others.first])
        scree_sink_pair(search->sink, id, others.first);
}

/*  Each body of `row` with the later ones of its square, the square before, and the three squares
    next to it in each of the `count` rows before. */
static void search_row(struct search *search, const struct rack *row,
                       const struct rack *const *before, int count)
{
    for (uint32_t id = row->bodies.first; id != NONE; id = row->bodies.next[id]) {
        uint32_t x = search->square[id][0];
        uint32_t first = x - (x > 0), last = x + (x + 1 < row->squares);

        pair_chain(search, id, (struct chain){row->next[id], row->next});
        if (first < x)
            pair_chain(search, id, chain_of_square(row, first));
        for (int k = 0; k < count; k++)
            for (uint32_t s = first; before[k]->bodies.first != NONE && s <= last; s++)
                pair_chain(search, id, chain_of_square(before[k], s));
    }
}

static struct chain chain_of_list(const struct search *search, uint32_t list)
{
    const scree_nbs_grid *grid = &search->self->grid;
    return (struct chain){grid->head[list], grid->next};
}

/*  2D: Y rows [begin, end). The row before the first is hashed again by its second block. */
static void search_rows(struct search *search, uint32_t begin, uint32_t end)
{
    if (begin > 0)
        fill_rack(search, &search->row[(begin - 1) & 1], chain_of_list(search, begin - 1));
    for (uint32_t y = begin; y < end && !search->sink->stopped; y++) {
        struct rack *row = &search->row[y & 1], *before = &search->row[~y & 1];

        fill_rack(search, row, chain_of_list(search, y));
        search_row(search, row, (const struct rack *[]){before}, 1);
        empty_rack(search, before);
    }
}

/*  The present layer's rows, with a window of three rows sliding over the layer before. */
static void search_layer(struct search *search, const struct rack *layer,
                         const struct rack *layer_before)
{
    struct rack *window = search->window;
    const struct rack *before[4] = {NULL, &window[0], &window[1], &window[2]};

    fill_rack(search, &window[0], chain_of_square(layer_before, 0));
    for (uint32_t y = 0; y < layer->squares && !search->sink->stopped; y++) {
        struct rack *row = &search->row[y & 1], *row_before = &search->row[~y & 1];

        if (y + 1 < layer->squares)
            fill_rack(search, &window[(y + 1) % 3], chain_of_square(layer_before, y + 1));
        fill_rack(search, row, chain_of_square(layer, y));
        before[0] = row_before;
        search_row(search, row, before, 4);
        empty_rack(search, row_before);
        empty_rack(search, &window[(y + 2) % 3]); /* row y - 1 */
    }
    for (int k = 0; k < 2; k++)
        empty_rack(search, &search->row[k]);
    for (int k = 0; k < 3; k++)
        empty_rack(search, &window[k]);
}

/*  3D: Z layers [begin, end). */
static void search_layers(struct search *search, uint32_t begin, uint32_t end)
{
    if (begin > 0)
        fill_rack(search, &search->layer[(begin - 1) & 1], chain_of_list(search, begin - 1));
    for (uint32_t z = begin; z < end && !search->sink->stopped; z++) {
        struct rack *layer = &search->layer[z & 1], *before = &search->layer[~z & 1];

        fill_rack(search, layer, chain_of_list(search, z));
        if (layer->bodies.first != NONE)
            search_layer(search, layer, before);
        empty_rack(search, before);
    }
}

/*  A body is in one row of squares at a time, so all rows share one array of links; but where
   arrays are cleared whole, each has its own. */
static bool make_racks(struct search *search, struct rack *racks, uint32_t count, int axis,
                       scree_scratch *scratch)
{
    uint32_t squares = search->self->grid.lattice.count[axis];
    uint32_t links = search->self->whole ? count : 1;
    uint32_t *heads = scree_scratch_take(scratch, (size_t)count * squares, sizeof *heads);
    uint32_t *next = scree_scratch_take(scratch, (size_t)links * search->bound, sizeof *next);

    if (!heads || !next)
        return false;
    memset(heads, 0xff, (size_t)count * squares * sizeof *heads);
    for (uint32_t k = 0; k < count; k++)
        racks[k] = (struct rack){.bodies = {NONE, NULL},
                                 .head = heads + (size_t)k * squares,
                                 .next = next + (size_t)(k % links) * search->bound,
                                 .squares = squares,
                                 .axis = axis};
    return true;
}

/*  Rows (layers) of one block: enough for BLOCK_BODIES bodies on average, so that hashing a row
   twice at the seam, and clearing a block's arrays, stays small compared with the search. */
static uint32_t block_rows(const struct hashing *self, const scree_bodies *bodies)
{
    uint32_t rows = self->grid.lattice.count[self->grid.outer];
    uint32_t blocks = bodies->active_count / BLOCK_BODIES + 1;

    blocks = blocks < MAX_BLOCKS ? blocks : MAX_BLOCKS;
    return rows / blocks + 1;
}

static size_t hashing_block_count(const void *state, const scree_bodies *bodies)
{
    const struct hashing *self = state;
    return scree_block_count(self->grid.lattice.count[self->grid.outer], block_rows(self, bodies));
}

static void hashing_pairs(const void *state, const scree_bodies *bodies, size_t block,
                          scree_scratch *scratch, scree_sink *sink)
{
    const struct hashing *self = state;
    uint32_t size = block_rows(self, bodies), begin = (uint32_t)block * size;
    uint32_t end =
        (uint32_t)scree_block_end(block, size, self->grid.lattice.count[self->grid.outer]);
    struct search search = {.self = self,
                            .square = (const uint32_t(*)[3])self->grid.square,
                            .bound = bodies->bound,
                            .sink = sink};
    struct rack racks[5]; /* the links of all X rows come from one array */

    if (bodies->active_count < 2)
        return;
    if (!make_racks(&search, racks, bodies->dimensions == 2 ? 2 : 5, 0, scratch))
        return;
    memcpy(search.row, racks, sizeof search.row);
    if (bodies->dimensions == 2) {
        search_rows(&search, begin, end);
        return;
    }
    memcpy(search.window, racks + 2, sizeof search.window);
    if (make_racks(&search, search.layer, 2, 1, scratch))
        search_layers(&search, begin, end);
}

static void hashing_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                          scree_hit_sink *sink)
{
    const struct hashing *self = state;
    scree_nbs_query(&self->grid, bodies, probe, sink);
}

static scree_status hashing_create(void *state, const scree_method_env *env)
{
    struct hashing *self = state;

    (void)env;
    self->whole = true;
    self->grid.few_rows = true;
    return SCREE_OK;
}

static void hashing_destroy(void *state, const scree_method_env *env)
{
    struct hashing *self = state;
    scree_nbs_free(&self->grid, env->memory);
}

static scree_status hashing_build(void *state, const scree_method_env *env,
                                  const scree_bodies *bodies)
{
    struct hashing *self = state;
    return scree_nbs_build(&self->grid, env, bodies);
}

static scree_status hashing_update(void *state, const scree_method_env *env,
                                   const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    struct hashing *self = state;
    return scree_nbs_update(&self->grid, env, bodies, ids, count);
}

static scree_status hashing_insert(void *state, const scree_method_env *env,
                                   const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    struct hashing *self = state;
    return scree_nbs_insert(&self->grid, env, bodies, ids, count);
}

static scree_status hashing_remove(void *state, const scree_method_env *env,
                                   const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    struct hashing *self = state;

    (void)env;
    (void)bodies;
    scree_nbs_remove(&self->grid, ids, count);
    return SCREE_OK;
}

static void hashing_stats(const void *state, scree_stats *stats)
{
    const struct hashing *self = state;
    stats->remapped += self->grid.remapped;
    stats->rebuilds += self->grid.relaid;
}

static void hashing_outline(const void *state, const scree_bodies *bodies, scree_scratch *scratch,
                            scree_outline_sink *sink)
{
    const struct hashing *self = state;
    scree_nbs_outline(&self->grid, bodies, scratch, sink);
}

#define CAPABILITIES                                                                               \
    (SCREE_METHOD_INCREMENTAL | SCREE_METHOD_DIRTY | SCREE_METHOD_QUERY | SCREE_METHOD_THREADS)
#define PARTS                                                                                      \
    .state_bytes = sizeof(struct hashing), .destroy = hashing_destroy, .build = hashing_build,     \
    .update = hashing_update, .insert = hashing_insert, .remove = hashing_remove,                  \
    .block_count = hashing_block_count, .pairs = hashing_pairs, .query = hashing_query,            \
    .stats = hashing_stats, .outline = hashing_outline

const scree_method scree_method_hashing = {
    .info =
        {.name = "hashing",
         .summary = "grid of squares, row by row; clears whole row arrays (Perkins 1999)",
         .cost = "N, and a small N sqrt(N) from clearing; degrades with the size ratio",
         .worst_time =
             "N^2, where one body is far larger than the rest, or most bodies lie in few places",
         .worst_memory = "N",
         .capabilities = CAPABILITIES,
         .exponent = {0, 0}},
    .create = hashing_create,
    PARTS,
};

const scree_method scree_method_hashing2 = {
    .info =
        {.name = "hashing2",
         .summary = "grid of squares, row by row; clears touched squares (NBS; Perkins 1999)",
         .cost = "N; degrades with the size ratio",
         .worst_time =
             "N^2, where one body is far larger than the rest, or most bodies lie in few places",
         .worst_memory = "N",
         .capabilities = CAPABILITIES,
         .exponent = {1.0, 1.0}},
    PARTS,
};
