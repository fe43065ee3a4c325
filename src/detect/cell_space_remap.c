/*  Pieces that moved (dirty remapping after Yao, Wang, Liu & Cheng 2004). First all workers find,
    without changing anything, which lists each piece must enter or leave: most must not. Then they
    make these changes, on the lazy lists, each piece in the hands of one worker. Last, when all is
    quiet, nodes are given back and the cells that changed are refined or merged, one after the
    other. What comes out is a function of sets: no list, sum or decision depends on which worker did
    what. */
#include "detect/cell_space.h"

#include <string.h>

#define NONE SCREE_CELL_NONE
#define BLOCK_PIECES 256u
#define BLOCK_CELLS 64u
#define ROUND 64u       /* of all cells, one in so many is looked at in every turn */
#define FEW_EDITS 1024u /* in addition to one per body: with more changes everything is rebuilt */
#define FEW_ENTRIES                                                                                \
    1024u /* in addition to 32 per body and twice the previous number; more: larger cells */
#define FEW_OUTSIDE                                                                                \
    64u /* in addition to 1/16 of the bodies and twice the previous number outside */
#define BUILT_GROWTH 4u /* number of bodies, relative to that for which cells were laid out */

struct remap
{
    scree_cell_space *cs;
    const scree_method_env *env;
    const scree_bodies *bodies;
    const uint32_t *ids;
    size_t count, max_edits;
    bool leave;
};

/* ---- finding what changes ---- */

static bool found_cell(scree_remapper *worker, scree_memory *memory, uint32_t cell)
{
    if (worker->found_count == worker->found_capacity &&
        scree_memory_reserve(memory, &worker->found, &worker->found_capacity,
                             worker->found_count + 16, sizeof *worker->found))
        worker->failed = true;
    else
        worker->found[worker->found_count++] = cell;
    return !worker->failed;
}

/*  Finds the leaves that a piece reaches, and the one that contains its centre. Recursive, at most as deep as spaces
    are nested: 17 levels. */
static void find_leaves(const struct remap *remap, scree_remapper *worker, uint32_t index,
                        const scree_reach *reach, uint32_t *home)
{
    const scree_cell_space *cs = remap->cs;
    const scree_space *space = &cs->space[index];
    scree_cell_range range = scree_space_range(space, &reach->box);
    bool one = scree_cell_range_is_one(&range);
    uint32_t at[3];

    for (at[2] = range.first[2]; at[2] <= range.last[2]; at[2]++)
        for (at[1] = range.first[1]; at[1] <= range.last[1]; at[1]++)
            for (at[0] = range.first[0]; at[0] <= range.last[0]; at[0]++) {
                uint32_t c = scree_space_cell_at(space, at);
                const scree_space_cell *cell = &cs->cell[c];
                if (!one && !scree_cell_is_reached(cell, reach))
                    continue;
                if (cell->child != NONE) {
                    find_leaves(remap, worker, cell->child, reach, home);
                    continue;
                }
                if (!found_cell(worker, remap->env->memory, c))
                    return;
                if (scree_cell_holds(cell, reach->middle))
                    *home = c;
            }
}

static void add_edit(const struct remap *remap, scree_remapper *worker, scree_edit edit)
{
    if (worker->failed)
        return;
    if (scree_memory_reserve(remap->env->memory, &worker->edit, &worker->edit_capacity,
                             worker->edit_count + 1, sizeof *worker->edit))
        worker->failed = true;
    else
        worker->edit[worker->edit_count++] = edit;
}

/*  Compares the leaves found with those that list the piece, by two stamps on each. */
static void compare_cells(const struct remap *remap, scree_remapper *worker, uint32_t id)
{
    const scree_cell_space *cs = remap->cs;
    uint32_t now, both;

    if (worker->stamp >= UINT32_MAX - 2) {
        memset(worker->mark, 0, worker->mark_capacity * sizeof *worker->mark);
        worker->stamp = 0;
    }
    now = ++worker->stamp;
    both = ++worker->stamp;
    for (size_t k = 0; k < worker->found_count; k++)
        worker->mark[worker->found[k]] = now;
    for (uint32_t n = cs->piece[id].first; n != NONE; n = cs->link[n].next) {
        uint32_t cell = cs->link[n].cell;
        if (worker->mark[cell] == now)
            worker->mark[cell] = both;
        else
            add_edit(remap, worker,
                     (scree_edit){.piece = id, .cell = cell, .kind = SCREE_EDIT_LEAVE});
    }
    for (size_t k = 0; k < worker->found_count; k++)
        if (worker->mark[worker->found[k]] == now)
            add_edit(remap, worker,
                     (scree_edit){.piece = id, .cell = worker->found[k], .kind = SCREE_EDIT_ENTER});
}

static void find_edits(const struct remap *remap, scree_remapper *worker, uint32_t id)
{
    const scree_cell_space *cs = remap->cs;
    const scree_piece *piece = &cs->piece[id];
    scree_edit edit = {.piece = id, .cell = NONE, .kind = SCREE_EDIT_HOME};

    worker->found_count = 0;
    if (!remap->leave) {
        scree_reach reach = scree_cell_reach(remap->bodies, id);
        find_leaves(remap, worker, 0, &reach, &edit.cell);
        if (worker->failed)
            return;
        edit.size = scree_cell_size(cs, remap->bodies, id, &cs->space[cs->cell[edit.cell].space]);
        edit.outside = scree_cell_space_is_outside(cs, reach.middle);
    }
    compare_cells(remap, worker, id);
    if (edit.cell != piece->home || edit.size != piece->size || edit.outside != piece->outside)
        add_edit(remap, worker, edit);
}

/*  If one worker alone has too many edits, so have all together. */
static bool is_enough(const struct remap *remap, const scree_remapper *worker)
{
    return worker->failed || worker->edit_count > remap->max_edits;
}

/*  Pieces at home in the cells of one block, which lie together in space and in memory. */
static void find_in_cells(const struct remap *remap, scree_remapper *worker, size_t block)
{
    const scree_cell_space *cs = remap->cs;
    size_t end = scree_block_end(block, BLOCK_CELLS, cs->cell_count);

    for (uint32_t c = (uint32_t)block * BLOCK_CELLS; c < end; c++) {
        uint32_t head = cs->cell[c].head;
        uint32_t n = head == NONE ? NONE : scree_lazy_next(&cs->lists, head);
        for (; n != NONE; n = scree_lazy_next(&cs->lists, n))
            if (cs->piece[cs->lists.node[n].key].home == c && !is_enough(remap, worker))
                find_edits(remap, worker, cs->lists.node[n].key);
    }
}

static void find_block(void *data, size_t block, uint32_t index)
{
    const struct remap *remap = data;
    scree_remapper *worker = &remap->cs->remapper[index];
    scree_edit_segment *segment = &remap->cs->segment[block];

    segment->worker = index;
    segment->begin = worker->edit_count;
    if (remap->ids) {
        size_t end = scree_block_end(block, BLOCK_PIECES, remap->count);
        for (size_t k = block * BLOCK_PIECES; k < end && !is_enough(remap, worker); k++)
            find_edits(remap, worker, remap->ids[k]);
    } else {
        find_in_cells(remap, worker, block);
    }
    segment->end = worker->edit_count;
}

/* ---- making the changes ---- */

static void make_edit(scree_cell_space *cs, scree_edit *edit)
{
    if (edit->kind == SCREE_EDIT_HOME) {
        scree_cell_space_house(cs, edit->piece, edit->cell, edit->size);
        return;
    }
    scree_space_cell *cell = &cs->cell[edit->cell];
    if (edit->kind == SCREE_EDIT_ENTER) {
        (void)scree_lazy_add(&cs->lists, cell->head, edit->piece, edit->node);
        scree_cell_space_link(cs, edit->piece, edit->node, edit->cell);
        atomic_fetch_add_explicit(&cell->mapped, 1, memory_order_relaxed);
    } else {
        edit->node = scree_lazy_remove(&cs->lists, cell->head, edit->piece);
        scree_cell_space_unlink(cs, edit->piece, edit->node);
        atomic_fetch_sub_explicit(&cell->mapped, 1, memory_order_relaxed);
    }
}

static void make_block(void *data, size_t block, uint32_t index)
{
    const struct remap *remap = data;
    const scree_edit_segment *segment = &remap->cs->segment[block];
    scree_remapper *worker = &remap->cs->remapper[segment->worker];

    (void)index;
    for (size_t k = segment->begin; k < segment->end; k++)
        make_edit(remap->cs, &worker->edit[k]);
}

/* ---- before and after ---- */

static scree_status prepare(const struct remap *remap, size_t blocks)
{
    scree_cell_space *cs = remap->cs;
    scree_memory *memory = remap->env->memory;
    size_t workers = remap->env->workers->count, had = cs->remapper_count;
    scree_status status = scree_memory_reserve(memory, &cs->segment, &cs->segment_capacity, blocks,
                                               sizeof *cs->segment);

    if (!status)
        status = scree_memory_reserve(memory, &cs->remapper, &cs->remapper_count, workers,
                                      sizeof *cs->remapper);
    for (; had < cs->remapper_count; had++)
        cs->remapper[had] = (scree_remapper){.edit = NULL};
    if (!status)
        status = scree_memory_reserve(memory, &cs->piece, &cs->piece_capacity, remap->bodies->bound,
                                      sizeof *cs->piece);
    if (status)
        return status;
    for (; cs->piece_bound < remap->bodies->bound; cs->piece_bound++)
        cs->piece[cs->piece_bound] = (scree_piece){NONE, NONE, 0, false};
    for (size_t w = 0; w < workers && !status; w++) {
        scree_remapper *worker = &cs->remapper[w];
        size_t marks = worker->mark_capacity;
        status = scree_memory_reserve(memory, &worker->mark, &worker->mark_capacity, cs->cell_count,
                                      sizeof *worker->mark);
        if (worker->mark_capacity > marks)
            memset(worker->mark + marks, 0, (worker->mark_capacity - marks) * sizeof *worker->mark);
        worker->edit_count = 0;
        worker->failed = false;
    }
    return status;
}

/*  The edits of a block. Block by block their order is the same, whichever worker found them. */
static scree_edit *edits_of(const scree_cell_space *cs, size_t block, size_t *count)
{
    const scree_edit_segment *segment = &cs->segment[block];

    *count = segment->end - segment->begin;
    return *count ? cs->remapper[segment->worker].edit + segment->begin : NULL;
}

static scree_status take_nodes(scree_cell_space *cs, scree_memory *memory, size_t blocks)
{
    size_t entering = 0, count;
    scree_status status;

    for (size_t b = 0; b < blocks; b++) {
        const scree_edit *edit = edits_of(cs, b, &count);
        for (size_t k = 0; k < count; k++)
            entering += edit[k].kind == SCREE_EDIT_ENTER;
    }
    status = scree_lazy_reserve(&cs->lists, memory, entering);
    if (!status)
        status = scree_memory_reserve(memory, &cs->link, &cs->link_capacity, cs->lists.capacity,
                                      sizeof *cs->link);
    if (status)
        return status;
    for (size_t b = 0; b < blocks; b++) {
        scree_edit *edit = edits_of(cs, b, &count);
        for (size_t k = 0; k < count; k++)
            if (edit[k].kind == SCREE_EDIT_ENTER)
                edit[k].node = scree_lazy_take(&cs->lists);
    }
    cs->entries += entering;
    return SCREE_OK;
}

/*  No other thread is active now: removed nodes are given back. */
static void give_nodes(scree_cell_space *cs, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        size_t count;
        const scree_edit *edit = edits_of(cs, b, &count);
        for (size_t k = 0; k < count; k++) {
            scree_piece *piece = &cs->piece[edit[k].piece];
            if (edit[k].kind == SCREE_EDIT_LEAVE) {
                scree_lazy_give(&cs->lists, edit[k].node);
                cs->entries--;
            } else if (edit[k].kind == SCREE_EDIT_HOME) {
                cs->outside += (uint32_t)edit[k].outside - piece->outside;
                piece->outside = edit[k].outside;
            }
        }
    }
}

/* ---- refining and merging where something changed ---- */

static scree_status check_cell(scree_cell_space *cs, const scree_method_env *env,
                               const scree_bodies *bodies, uint32_t cell)
{
    uint32_t merge = NONE;

    if (cs->cell[cell].head == NONE)
        return SCREE_OK;
    for (uint32_t c = cell; c != NONE; c = cs->space[cs->cell[c].space].parent)
        if (scree_cell_space_wants_merge(cs, c))
            merge = c;
    if (merge != NONE)
        return scree_cell_space_merge(cs, env, bodies, merge);

    const scree_space_cell *c = &cs->cell[cell];
    /* what did not pay is tried again when the number of pieces is quite another */
    if (c->child != NONE ||
        (c->refused && c->mapped / 2 <= c->refused && c->refused / 2 <= c->mapped))
        return SCREE_OK;
    if (!scree_cell_space_wants_split(cs, cell, c->centroids, c->extents))
        return SCREE_OK;
    return scree_cell_space_refine(cs, env, bodies, cell);
}

static scree_status check_cells(const struct remap *remap, size_t blocks, bool turn)
{
    scree_cell_space *cs = remap->cs;
    scree_status status = SCREE_OK;
    uint32_t looked = turn ? cs->cell_count / ROUND + 1 : 0;

    for (size_t b = 0; b < blocks; b++) {
        size_t count;
        const scree_edit *edit = edits_of(cs, b, &count);
        for (size_t k = 0; k < count && !status; k++)
            if (edit[k].cell != NONE)
                status = check_cell(cs, remap->env, remap->bodies, edit[k].cell);
    }
    for (uint32_t k = 0; k < looked && !status; k++) {
        cs->cursor = cs->cursor + 1 < cs->cell_count ? cs->cursor + 1 : 0;
        status = check_cell(cs, remap->env, remap->bodies, cs->cursor);
    }
    return status;
}

/*  True if the cells no longer suit the bodies. Each limit is a multiple of the values when they were laid out, so
    this is rare. */
static bool is_outgrown(const scree_cell_space *cs, const scree_bodies *bodies)
{
    uint64_t active = bodies->active_count;

    return cs->entries > 2 * cs->built_entries + 32 * active + FEW_ENTRIES ||
           active > BUILT_GROWTH * ((uint64_t)cs->built_active + 256) ||
           cs->dead_cells / 4 > cs->cell_count - cs->dead_cells ||
           (!cs->is_given &&
            cs->outside > 2 * (uint64_t)cs->built_outside + active / 16 + FEW_OUTSIDE);
}

static scree_status relay(const struct remap *remap)
{
    scree_log_write(&remap->env->def->log, SCREE_LOG_INFO, SCREE_LOG_GRID_REBUILT,
                    "cell-space: new cells for %u bodies", remap->bodies->active_count);
    remap->cs->relaid++;
    return scree_cell_space_build(remap->cs, remap->env, remap->bodies);
}

scree_status scree_cell_space_remap(scree_cell_space *cs, const scree_method_env *env,
                                    const scree_bodies *bodies, const uint32_t *ids, size_t count,
                                    bool leave, bool turn)
{
    size_t blocks = ids ? scree_block_count(count, BLOCK_PIECES)
                        : scree_block_count(cs->cell_count, BLOCK_CELLS);
    size_t edits = 0;
    struct remap remap = {.cs = cs,
                          .env = env,
                          .bodies = bodies,
                          .ids = ids,
                          .count = count,
                          .max_edits = bodies->active_count + FEW_EDITS,
                          .leave = leave};
    bool failed = false;
    scree_status status;

    if (leave) /* they are still active: a rebuild would keep them */
        remap.max_edits = SIZE_MAX;
    status = prepare(&remap, blocks);
    if (status)
        return status;
    scree_workers_run(env->workers, blocks, find_block, &remap);
    for (uint32_t w = 0; w < env->workers->count; w++) {
        edits += cs->remapper[w].edit_count;
        failed |= cs->remapper[w].failed;
    }
    if (failed)
        return SCREE_OUT_OF_MEMORY;
    if (edits > remap.max_edits)
        return relay(&remap);
    status = take_nodes(cs, env->memory, blocks);
    if (status)
        return status;
    scree_workers_run(env->workers, blocks, make_block, &remap);
    give_nodes(cs, blocks);
    cs->remapped += count;
    status = check_cells(&remap, blocks, turn);
    return status || leave || !is_outgrown(cs, bodies) ? status : relay(&remap);
}
