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

/*  Enlarged as an allowance for rounding, here, in wrapped places, and in distances of pairs. */
static void box_of(const double row[4], double margin, double lower[3], double upper[3])
{
    const double half = 2 * (row[3] + margin) * (1 + 0x1p-40);

    for (int axis = 0; axis < 3; axis++) {
        const double more = half + fabs(row[axis]) * 0x1p-48;
        lower[axis] = row[axis] - more;
        upper[axis] = row[axis] + more;
    }
}

/*  Images of a body whose boxes come into the periodic box: shifts by `from` to `to` periods along each axis. */
typedef struct image_range
{
    int from[3], to[3];
} image_range;

static image_range images_of(const scree_periodic_box *box, const double lower[3],
                             const double upper[3])
{
    image_range range = {{0}, {0}};

    for (int axis = 0; axis < 3; axis++)
        if (box->period[axis] > 0) {
            const double more = box->period[axis] * 0x1p-40;
            range.from[axis] = upper[axis] >= box->upper[axis] - more ? -1 : 0;
            range.to[axis] = lower[axis] <= box->lower[axis] + more ? 1 : 0;
        }
    return range;
}

/*  The next image, x fastest; false after the last. */
static bool next_image(const image_range *range, int image[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (++image[axis] <= range->to[axis])
            return true;
        image[axis] = range->from[axis];
    }
    return false;
}

static void shift(const scree_periodic_box *box, const int image[3], const double from[3],
                  double to[3])
{
    for (int axis = 0; axis < 3; axis++)
        to[axis] = from[axis] + image[axis] * box->period[axis];
}

typedef struct first_round
{
    const scree_partition *partition;
    const scree_places *places;
    const scree_periodic_box *box;
    uint32_t own;
    double margin;
    uint32_t *touched; /* by one box */
    uint32_t *has;     /* of each rank: 1 + the last body that goes there */
} first_round;

static scree_status find_ranks_of(const first_round *run, uint32_t body, parting_list *found)
{
    double lower[3], upper[3];
    scree_status status = SCREE_OK;

    box_of(run->places->row[body], run->margin, lower, upper);
    const image_range range = images_of(run->box, lower, upper);
    int image[3] = {range.from[0], range.from[1], range.from[2]};
    do {
        double from[3], to[3];
        shift(run->box, image, lower, from);
        shift(run->box, image, upper, to);
        const uint32_t count = scree_partition_touched(run->partition, from, to, run->touched);
        for (uint32_t k = 0; k < count && !status; k++) {
            const uint32_t rank = run->touched[k];
            if (rank == run->own || run->has[rank] == body + 1)
                continue;
            run->has[rank] = body + 1;
            status = note(found, rank, body);
        }
    } while (!status && next_image(&range, image));
    return status;
}

scree_status scree_ghosts_first_round(scree_ghost_list *list, scree_memory *memory,
                                      const scree_partition *partition, const scree_comm *comm,
                                      const scree_places *places, const scree_periodic_box *box,
                                      double margin)
{
    parting_list found = {.memory = memory};
    first_round run = {partition, places, box, comm->rank, margin, NULL, NULL};
    scree_status status = scree_memory_take(memory, comm->size, sizeof *run.touched, &run.touched);

    if (!status)
        status = scree_memory_take(memory, comm->size, sizeof *run.has, &run.has);
    if (!status)
        memset(run.has, 0, comm->size * sizeof *run.has);
    for (uint32_t body = 0; body < places->count && !status; body++)
        status = find_ranks_of(&run, body, &found);
    if (!status)
        status = sort_by_rank(&found, comm->size, list, memory);
    release(&found);
    scree_memory_give(memory, &run.touched, comm->size, sizeof *run.touched);
    scree_memory_give(memory, &run.has, comm->size, sizeof *run.has);
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
    const scree_periodic_box *box;
    const scree_ghost_list *first;
    const scree_ghost_rows *ghosts;
    const scree_ghost_wish *wishes;
    size_t wish_count;
    double margin;
    placed *sorted; /* bodies that are smaller than some copy */
    size_t count;
    uint32_t *gone_to; /* of each body: 1 + the last rank to which it goes */
} second_round;

/*  Smaller bodies near an image of a copy go to the owner of the copy, unless they do already. */
static scree_status note_near(const second_round *run, parting_list *found, uint32_t rank,
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

static scree_status note_smaller(const second_round *run, parting_list *found, uint32_t rank,
                                 const double copy[4])
{
    double lower[3], upper[3], place[4];
    scree_status status = SCREE_OK;

    box_of(copy, run->margin, lower, upper);
    const image_range range = images_of(run->box, lower, upper);
    int image[3] = {range.from[0], range.from[1], range.from[2]};
    place[3] = copy[3];
    do {
        shift(run->box, image, copy, place);
        status = note_near(run, found, rank, place);
    } while (!status && next_image(&range, image));
    return status;
}

/*  Those of one rank; `*at` is the first of them, and then the first of the next rank. */
static scree_status note_wishes(const second_round *run, parting_list *found, uint32_t rank,
                                size_t *at)
{
    scree_status status = SCREE_OK;

    for (; *at < run->wish_count && run->wishes[*at].rank == rank && !status; ++*at) {
        const uint32_t body = run->wishes[*at].body;
        if (run->gone_to[body] != rank + 1)
            status = note(found, rank, body);
        run->gone_to[body] = rank + 1;
    }
    return status;
}

static scree_status find_all(second_round *run, parting_list *found, uint32_t size)
{
    size_t wish = 0;
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
        if (!status)
            status = note_wishes(run, found, r, &wish);
        for (size_t k = ghosts->start[r]; k < ghosts->start[r + 1] && !status; k++)
            status = note_smaller(run, found, r, ghosts->row[k]);
    }
    return status;
}

scree_status scree_ghosts_both_rounds(scree_ghost_list *list, scree_memory *memory,
                                      const scree_ghost_list *first, const scree_comm *comm,
                                      const scree_places *places, const scree_periodic_box *box,
                                      const scree_ghost_rows *ghosts,
                                      const scree_ghost_wish *wishes, size_t wish_count,
                                      double margin)
{
    parting_list found = {.memory = memory};
    second_round run = {.places = places,
                        .box = box,
                        .first = first,
                        .ghosts = ghosts,
                        .margin = margin,
                        .wishes = wishes,
                        .wish_count = wish_count};
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
