/*  Both rounds collect (rank, body), then sort by rank with a counting sort. In the second round, smaller bodies
    near a copy are found among bodies sorted by x. */
#include "dist/ghosts.h"

#include <math.h>
#include <stdlib.h>

void scree_ghost_list_free(scree_ghost_list *list, scree_memory *memory)
{
    scree_memory_give(memory, &list->body, list->capacity, sizeof *list->body);
    scree_memory_give(memory, &list->start, list->start_capacity, sizeof *list->start);
}

/* ---- lists ---- */

typedef struct parting
{
    uint32_t rank, body;
} parting;

typedef struct parting_list
{
    scree_memory *memory;
    parting *item;
    size_t count, capacity;
} parting_list;

static scree_status note(parting_list *list, uint32_t rank, uint32_t body)
{
    if (scree_memory_reserve(list->memory, &list->item, &list->capacity, list->count + 1,
                             sizeof *list->item))
        return SCREE_OUT_OF_MEMORY;
    list->item[list->count++] = (parting){rank, body};
    return SCREE_OK;
}

/*  Sorted by rank, stable. */
static scree_status sort_by_rank(const parting_list *found, uint32_t size, scree_ghost_list *list,
                                 scree_memory *memory)
{
    if (scree_memory_reserve(memory, &list->body, &list->capacity, found->count,
                             sizeof *list->body) ||
        scree_memory_reserve(memory, &list->start, &list->start_capacity, (size_t)size + 2,
                             sizeof *list->start))
        return SCREE_OUT_OF_MEMORY;
    /* shifted by two: counts become ends of the previous ranks, and then starts */
    memset(list->start, 0, ((size_t)size + 2) * sizeof *list->start);
    for (size_t k = 0; k < found->count; k++)
        list->start[found->item[k].rank + 2]++;
    for (uint32_t r = 2; r < size + 2; r++)
        list->start[r] += list->start[r - 1];
    for (size_t k = 0; k < found->count; k++)
        list->body[list->start[found->item[k].rank + 1]++] = found->item[k].body;
    return SCREE_OK;
}

static void release(parting_list *found)
{
    scree_memory_give(found->memory, &found->item, found->capacity, sizeof *found->item);
}

/* ---- first round ---- */

/*  Enlarged as an allowance for rounding, here and in distances of pairs. */
static void box_of(const double row[4], double margin, double lower[3], double upper[3])
{
    const double half = 2 * (row[3] + margin) * (1 + 0x1p-40);

    for (int axis = 0; axis < 3; axis++) {
        const double more = half + fabs(row[axis]) * 0x1p-48;
        lower[axis] = row[axis] - more;
        upper[axis] = row[axis] + more;
    }
}

static scree_status find_first(parting_list *found, const scree_partition *partition, uint32_t own,
                               const scree_places *places, double margin, uint32_t *touched)
{
    scree_status status = SCREE_OK;

    for (uint32_t body = 0; body < places->count && !status; body++) {
        double lower[3], upper[3];
        box_of(places->row[body], margin, lower, upper);
        const uint32_t count = scree_partition_touched(partition, lower, upper, touched);
        for (uint32_t k = 0; k < count && !status; k++)
            if (touched[k] != own)
                status = note(found, touched[k], body);
    }
    return status;
}

scree_status scree_ghosts_first_round(scree_ghost_list *list, scree_memory *memory,
                                      const scree_partition *partition, const scree_comm *comm,
                                      const scree_places *places, double margin)
{
    parting_list found = {.memory = memory};
    uint32_t *touched = NULL;
    scree_status status = scree_memory_take(memory, comm->size, sizeof *touched, &touched);

    if (!status)
        status = find_first(&found, partition, comm->rank, places, margin, touched);
    if (!status)
        status = sort_by_rank(&found, comm->size, list, memory);
    release(&found);
    scree_memory_give(memory, &touched, comm->size, sizeof *touched);
    return status;
}

/* ---- second round ---- */

typedef struct placed
{
    double x;
    uint32_t body;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *p = a, *q = b;

    return p->x < q->x ? -1 : p->x > q->x ? 1 : (p->body > q->body) - (p->body < q->body);
}

/*  The first that is not below `x`. */
static size_t first_from(const placed *sorted, size_t count, double x)
{
    size_t lower = 0;

    while (count > 0) {
        const size_t half = count / 2;
        if (sorted[lower + half].x < x) {
            lower += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return lower;
}

/*  Bodies smaller than the largest copy, sorted by x. */
static size_t sort_smaller(const scree_places *places, double largest, placed *sorted)
{
    size_t count = 0;

    for (uint32_t body = 0; body < places->count; body++)
        if (places->row[body][3] < largest)
            sorted[count++] = (placed){places->row[body][0], body};
    if (count)
        qsort(sorted, count, sizeof *sorted, compare_placed);
    return count;
}

static bool may_touch(const double a[4], const double b[4], double margin)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    const double reach = (a[3] + b[3] + 2 * margin) * (1 + 0x1p-40) +
                         (fabs(a[0]) + fabs(a[1]) + fabs(a[2])) * 0x1p-48;

    return x * x + y * y + z * z <= reach * reach;
}

typedef struct second_round
{
    const scree_places *places;
    const scree_ghost_list *first;
    const scree_ghost_rows *ghosts;
    double margin;
    placed *sorted; /* bodies that are smaller than some copy */
    size_t count;
    uint32_t *gone_to; /* of each body: 1 + the last rank to which it goes */
} second_round;

/*  Smaller bodies near a copy go to the owner of the copy, unless they do already. */
static scree_status note_smaller(const second_round *run, parting_list *found, uint32_t rank,
                                 const double copy[4])
{
    const double far = 2 * (copy[3] + run->margin) * (1 + 0x1p-40) + fabs(copy[0]) * 0x1p-48;
    scree_status status = SCREE_OK;

    for (size_t at = first_from(run->sorted, run->count, copy[0] - far);
         at < run->count && run->sorted[at].x <= copy[0] + far && !status; at++) {
        const uint32_t body = run->sorted[at].body;
        const double *row = run->places->row[body];
        if (run->gone_to[body] == rank + 1 || row[3] >= copy[3] ||
            !may_touch(row, copy, run->margin))
            continue;
        run->gone_to[body] = rank + 1;
        status = note(found, rank, body);
    }
    return status;
}

static scree_status find_all(second_round *run, parting_list *found, uint32_t size)
{
    const scree_ghost_rows *ghosts = run->ghosts;
    double largest = 0;
    scree_status status = SCREE_OK;

    for (size_t k = 0; k < ghosts->start[size]; k++)
        largest = ghosts->row[k][3] > largest ? ghosts->row[k][3] : largest;
    run->count = sort_smaller(run->places, largest, run->sorted);
    if (run->places->count)
        memset(run->gone_to, 0, run->places->count * sizeof *run->gone_to);
    for (uint32_t r = 0; r < size; r++) {
        for (size_t k = run->first->start[r]; k < run->first->start[r + 1] && !status; k++) {
            run->gone_to[run->first->body[k]] = r + 1;
            status = note(found, r, run->first->body[k]);
        }
        for (size_t k = ghosts->start[r]; k < ghosts->start[r + 1] && !status; k++)
            status = note_smaller(run, found, r, ghosts->row[k]);
    }
    return status;
}

scree_status scree_ghosts_both_rounds(scree_ghost_list *list, scree_memory *memory,
                                      const scree_ghost_list *first, const scree_comm *comm,
                                      const scree_places *places, const scree_ghost_rows *ghosts,
                                      double margin)
{
    parting_list found = {.memory = memory};
    second_round run = {.places = places, .first = first, .ghosts = ghosts, .margin = margin};
    scree_status status = scree_memory_take(memory, places->count, sizeof *run.sorted, &run.sorted);

    if (!status)
        status = scree_memory_take(memory, places->count, sizeof *run.gone_to, &run.gone_to);
    if (!status)
        status = find_all(&run, &found, comm->size);
    if (!status)
        status = sort_by_rank(&found, comm->size, list, memory);
    release(&found);
    scree_memory_give(memory, &run.sorted, places->count, sizeof *run.sorted);
    scree_memory_give(memory, &run.gone_to, places->count, sizeof *run.gone_to);
    return status;
}
