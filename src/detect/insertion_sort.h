/*  The insertion-sort collider: on each axis the ends of all bodies in one sorted list, and the set
    of pairs whose boxes overlap. Both are kept from step to step. Insertion sort mends the lists;
    each exchange of a lower end with an upper end is an event at which a pair may begin or end to
    overlap. So a step costs about as much as changes in it. (D. Baraff, thesis, Cornell 1992; J.
    Cohen et al., "I-COLLIDE", 1995; V. Smilauer, Yade, 2009.) */
#ifndef SCREE_INSERTION_SORT_H
#define SCREE_INSERTION_SORT_H

#include "detect/axis_sort.h"
#include "detect/method.h"
#include "detect/pair_set.h"
#include "detect/rank_search.h"

/*  Changes of pairs found by one worker. Their distribution over workers differs from run to run, so they are sorted
    before they are applied. */
typedef struct scree_change_list
{
    uint64_t *change;
    size_t count, capacity;
    bool failed; /* out of memory */
    unsigned char
        apart[96]; /* separate cache lines: workers write to their lists at the same time */
} scree_change_list;

/*  A list is cut into so many pieces at most, which are sorted at the same time. */
#define SCREE_INSERTION_PIECES 64u

typedef struct scree_insertion_piece
{
    uint64_t exchanges;
    bool gave_up; /* too many */
    bool is_far;  /* an end may belong further down than the start of the piece */
} scree_insertion_piece;

/*  axis[k] has 2 count entries. By id: box, the boxes as the lists and the set have them; mark, zero
    between calls; place[k][2 id + (1 if upper)], where that end stands on axis k, kept up only while
    steps move few bodies.
    Invariant between calls: lists are sorted, and `pairs` are just those whose boxes overlap. */
typedef struct scree_insertion
{
    int dimensions, sort_axis;
    bool sort_then_collide;
    size_t count;
    scree_axis axis[3], fresh[3]; /* fresh: ends of bodies being inserted */
    uint32_t *place[3];
    size_t place_capacity[3];
    bool places_are_current;
    scree_box *box;
    uint8_t *mark;
    size_t box_capacity, mark_capacity;
    scree_pair_set pairs;

    /*  changes in a step */
    scree_change_list *lists; /* by worker */
    size_t list_count, list_capacity;
    scree_sorter sorter;
    scree_insertion_piece piece[3][SCREE_INSERTION_PIECES];
    size_t piece_count; /* of each axis */
    uint64_t limit;     /* of exchanges on an axis */
    bool gave_up;

    /*  the search for all pairs: bodies by number, as in rank_search.h */
    int32_t *table;
    uint32_t *number; /* by id */
    size_t table_capacity, number_capacity;
    uint32_t *order;
    int32_t *stop;
    scree_ranks other[2];
    uint32_t *fresh_number; /* of the bodies being inserted, ascending */
    size_t fresh_count, fresh_capacity;
    uint64_t range_sum[3]; /* at the last sort or insertion */

    uint64_t inversions, remapped, full_sorts;
} scree_insertion;

static inline void scree_note_change(scree_change_list *list, scree_memory *memory, uint64_t change)
{
    if (list->count == list->capacity &&
        scree_memory_reserve(memory, &list->change, &list->capacity, list->count + 64,
                             sizeof *list->change)) {
        list->failed = true;
        return;
    }
    list->change[list->count++] = change;
}

/* ---- insertion_sort_changes.c ---------------------------------------------------------------- */

/*  Empties the list of each worker, before anything is noted. */
scree_status scree_insertion_begin(scree_insertion *self, const scree_method_env *env);

/*  Applies the changes found by all workers. */
scree_status scree_insertion_make(scree_insertion *self, const scree_method_env *env);

/*  Makes the set of pairs that of the boxes, whatever it was. Lists must be sorted. */
scree_status scree_insertion_find_all(scree_insertion *self, const scree_method_env *env,
                                      const scree_bodies *bodies);

/*  Memory for changes, of which only a search for all pairs needs much. */
void scree_insertion_release(scree_insertion *self, scree_memory *memory);

/*  Whether the invariant holds, but for pairs that the set may lack; for tests. */
bool scree_insertion_is_valid(const scree_insertion *self, const scree_bodies *bodies);

/* ---- insertion_sort_mend.c ------------------------------------------------------------------- */

/*  All bodies may have moved from self->box to bodies->box, or those in ids[0..count). Mends the lists,
    notes changes, and sets inversions; or gives up: then the lists are in no order. */
void scree_insertion_mend_all(scree_insertion *self, const scree_method_env *env,
                              const scree_bodies *bodies);
void scree_insertion_mend_some(scree_insertion *self, const scree_method_env *env,
                               const scree_bodies *bodies, const uint32_t *ids, size_t count);

/* ---- insertion_sort_sweep.c ------------------------------------------------------------------ */

/*  Notes all pairs, or those of bodies with a mark, of which there are fresh_count. Lists are sorted and
    range_sum is theirs. */
scree_status scree_insertion_sweep(scree_insertion *self, const scree_method_env *env,
                                   const scree_bodies *bodies);
scree_status scree_insertion_sweep_fresh(scree_insertion *self, const scree_method_env *env,
                                         const scree_bodies *bodies);

#endif
