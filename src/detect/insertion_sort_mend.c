/*  Restores the order of sorted lists, and finds changes of pairs. Exchanging two neighbours matters only if one is a
    lower and the other an upper end. When a lower end moves below an upper one, the two bodies may begin to overlap; in
    the other direction they may cease to. Boxes before and after decide.

    Large lists are divided into pieces by their length alone. Pieces are sorted at the same time; then, between each
    two, ends that belong below the seam move from the lower half of the upper piece into the upper half of the
    lower one. If an end would have to move further, the whole list is sorted once more from below. In any case the
    exchanges are those of insertion sort: each inversion is removed once, so neither changes nor their number depend
    on pieces. (Yade does the same, with a piece for each thread.) */
#include "detect/insertion_sort.h"

/*  Below so many bodies a list is one piece. */
#define PARALLEL_BODIES 1000u
#define MIN_PIECE 1024u /* ends */

/*  A job for all axes or pieces, executed in parallel. */
typedef struct mend_job
{
    scree_insertion *self;
    const scree_method_env *env;
    const scree_bodies *bodies;
    const uint32_t *ids; /* bodies that moved, of mend_some */
    size_t count;
} mend_job;

/*  Data for judging an exchange. */
typedef struct witness
{
    const scree_box *before, *now;
    scree_change_list *list;
    scree_memory *memory;
} witness;

static witness make_witness(const mend_job *job, uint32_t worker)
{
    return (witness){job->self->box, job->bodies->box, &job->self->lists[worker], job->env->memory};
}

/*  Two ends have changed places. A body's own two ends have no effect. */
static inline void see_exchange(const witness *w, uint32_t falling, uint32_t rising)
{
    if (!((falling ^ rising) & SCREE_UPPER_END))
        return;
    uint32_t i = scree_end_id(falling), j = scree_end_id(rising);
    if (scree_end_is_upper(rising)) {
        if (scree_boxes_overlap(&w->now[i], &w->now[j]) &&
            !scree_boxes_overlap(&w->before[i], &w->before[j]))
            scree_note_change(w->list, w->memory, scree_pair_change(i, j, true));
    } else {
        if (scree_boxes_overlap(&w->before[i], &w->before[j]) &&
            !scree_boxes_overlap(&w->now[i], &w->now[j]))
            scree_note_change(w->list, w->memory, scree_pair_change(i, j, false));
    }
}

/* ---- all ends -------------------------------------------------------------------------------- */

/*  The end at p sinks to where it belongs, not below `floor`; returns its place. */
static size_t sink_end(const witness *w, scree_axis *axis, size_t floor, size_t p)
{
    uint64_t key = axis->key[p];
    uint32_t end = axis->end[p];
    while (p > floor && scree_end_before(key, end, axis->key[p - 1], axis->end[p - 1])) {
        see_exchange(w, end, axis->end[p - 1]);
        axis->key[p] = axis->key[p - 1];
        axis->end[p] = axis->end[p - 1];
        p--;
    }
    axis->key[p] = key;
    axis->end[p] = end;
    return p;
}

/*  Insertion sort of the ends [first, last). */
static void sort_piece(const witness *w, scree_axis *axis, size_t first, size_t last,
                       uint64_t limit, scree_insertion_piece *piece)
{
    for (size_t p = first + 1; p < last && !piece->gave_up; p++) {
        piece->exchanges += p - sink_end(w, axis, first, p);
        piece->gave_up = piece->exchanges > limit;
    }
}

/*  Where piece c begins. */
static size_t piece_begin(const scree_insertion *self, size_t c)
{
    return 2 * self->count * c / self->piece_count;
}

static size_t piece_middle(const scree_insertion *self, size_t c)
{
    return (piece_begin(self, c) + piece_begin(self, c + 1)) / 2;
}

static void mend_piece(void *data, size_t block, uint32_t worker)
{
    const mend_job *job = data;
    scree_insertion *self = job->self;
    size_t k = block / self->piece_count, c = block % self->piece_count;
    size_t first = piece_begin(self, c), last = piece_begin(self, c + 1);
    scree_axis *axis = &self->axis[k];
    scree_insertion_piece *piece = &self->piece[k][c];
    witness w = make_witness(job, worker);

    *piece = (scree_insertion_piece){0, false, false};
    scree_axis_read_keys(axis, job->bodies->box, (int)k, first, last);
    sort_piece(&w, axis, first, last, self->limit / self->piece_count, piece);
}

/*  Sorts across the seam of two pieces, from the middle of one to the middle of the other. The first and the last
    end of this range are next to ends that are moved at the same time: if one of them changes, its order with its
    neighbour is unknown here. */
static void mend_seam(void *data, size_t block, uint32_t worker)
{
    const mend_job *job = data;
    scree_insertion *self = job->self;
    size_t k = block / (self->piece_count - 1), c = block % (self->piece_count - 1);
    size_t floor = piece_middle(self, c), last = piece_middle(self, c + 1);
    uint64_t limit = self->limit / self->piece_count, exchanges = 0;
    scree_insertion_piece *piece = &self->piece[k][c];
    witness w = make_witness(job, worker);

    for (size_t p = piece_begin(self, c + 1); p < last && !piece->gave_up; p++) {
        size_t place = sink_end(&w, &self->axis[k], floor, p);
        if (place == p)
            break; /* nor do those above it, as they are in order */
        exchanges += p - place;
        piece->is_far |= place == floor || p == last - 1;
        piece->gave_up = exchanges > limit;
    }
    piece->exchanges += exchanges;
}

static void mend_whole(void *data, size_t block, uint32_t worker)
{
    const mend_job *job = data;
    scree_insertion *self = job->self;
    bool is_far = false;
    for (size_t c = 0; c < self->piece_count; c++)
        is_far |= self->piece[block][c].is_far;
    if (!is_far)
        return;
    witness w = make_witness(job, worker);
    uint64_t before = self->piece[block][0].exchanges;
    sort_piece(&w, &self->axis[block], 0, 2 * self->count, before + self->limit,
               &self->piece[block][0]);
}

/*  Adds up what the pieces report; false if one of them gave up. */
static bool add_pieces(scree_insertion *self)
{
    self->inversions = 0;
    for (int k = 0; k < self->dimensions; k++)
        for (size_t c = 0; c < self->piece_count; c++) {
            self->inversions += self->piece[k][c].exchanges;
            self->gave_up |= self->piece[k][c].gave_up;
        }
    return !self->gave_up;
}

/*  Giving up costs a sort of each list, and a search, which takes no longer than this limit. */
static void set_limit(scree_insertion *self)
{
    self->limit = scree_axis_exchange_limit(2 * self->count);
    self->gave_up = false;
}

void scree_insertion_mend_all(scree_insertion *self, const scree_method_env *env,
                              const scree_bodies *bodies)
{
    mend_job job = {self, env, bodies, NULL, 0};
    size_t axes = (size_t)self->dimensions, pieces = 2 * self->count / MIN_PIECE;
    if (self->count < PARALLEL_BODIES)
        pieces = 1;
    self->piece_count = pieces < SCREE_INSERTION_PIECES ? pieces : SCREE_INSERTION_PIECES;
    set_limit(self);
    self->places_are_current = false;

    scree_workers_run(env->workers, axes * self->piece_count, mend_piece, &job);
    if (!add_pieces(self) || self->piece_count == 1)
        return;
    scree_workers_run(env->workers, axes * (self->piece_count - 1), mend_seam, &job);
    if (!add_pieces(self))
        return;
    scree_workers_run(env->workers, axes, mend_whole, &job);
    (void)add_pieces(self);
}

/* ---- some ends ------------------------------------------------------------------------------- */

static void place_ends(scree_insertion *self, size_t k)
{
    const uint32_t *end = self->axis[k].end;
    for (size_t p = 0; p < 2 * self->count; p++)
        self->place[k][2 * scree_end_id(end[p]) + scree_end_is_upper(end[p])] = (uint32_t)p;
}

/*  Entry `from` goes to place `to`, next to it. */
static inline void shift_end(scree_axis *axis, uint32_t *place, size_t from, size_t to)
{
    uint32_t end = axis->end[from];
    axis->key[to] = axis->key[from];
    axis->end[to] = end;
    place[2 * scree_end_id(end) + scree_end_is_upper(end)] = (uint32_t)to;
}

/*  Moves one end to its place in a list that is sorted except for it. Returns exchanges. */
static uint64_t move_end(const witness *w, scree_insertion *self, size_t k, uint32_t end)
{
    scree_axis *axis = &self->axis[k];
    uint32_t *place = self->place[k];
    uint32_t *own = &place[2 * scree_end_id(end) + scree_end_is_upper(end)];
    uint64_t key = scree_end_key(w->now, (int)k, end);
    size_t p = *own, from = p;
    while (p > 0 && scree_end_before(key, end, axis->key[p - 1], axis->end[p - 1])) {
        see_exchange(w, end, axis->end[p - 1]);
        shift_end(axis, place, p - 1, p);
        p--;
    }
    while (p + 1 < 2 * self->count &&
           scree_end_before(axis->key[p + 1], axis->end[p + 1], key, end)) {
        see_exchange(w, axis->end[p + 1], end);
        shift_end(axis, place, p + 1, p);
        p++;
    }
    axis->key[p] = key;
    axis->end[p] = end;
    *own = (uint32_t)p;
    return p < from ? from - p : p - from;
}

/*  Bodies move one after the other, on one axis. Two of them may pass each other more than once, so changes may be
    found more than once; but if they end up in another order, at least one change is found. */
static void mend_bodies(void *data, size_t block, uint32_t worker)
{
    const mend_job *job = data;
    scree_insertion *self = job->self;
    scree_insertion_piece *piece = &self->piece[block][0];
    witness w = make_witness(job, worker);

    *piece = (scree_insertion_piece){0, false, false};
    if (!self->places_are_current)
        place_ends(self, block);
    for (size_t i = 0; i < job->count && !piece->gave_up; i++) {
        uint32_t lower = job->ids[i], upper = lower | SCREE_UPPER_END;
        /* the end in front goes first, so that a body's ends do not pass each other */
        bool rises = w.now[lower].upper[block] >= w.before[lower].upper[block];
        piece->exchanges += move_end(&w, self, block, rises ? upper : lower);
        piece->exchanges += move_end(&w, self, block, rises ? lower : upper);
        piece->gave_up = piece->exchanges > self->limit;
    }
}

void scree_insertion_mend_some(scree_insertion *self, const scree_method_env *env,
                               const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    mend_job job = {self, env, bodies, ids, count};
    self->piece_count = 1;
    set_limit(self);
    scree_workers_run(env->workers, (size_t)self->dimensions, mend_bodies, &job);
    self->places_are_current = add_pieces(self);
}
