/*  Rounds collect (rank, body), then sort by rank with a counting sort. Pairs of bodies and copies are found by a
    detector. */
#include "dist/ghosts.h"

#include "scree/detect.h"

#include <math.h>

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

/*  Shifts along each axis are at most two edges: one, and another since an image along a tilted edge is displaced along
    earlier axes by up to a period. */
#define MAX_EDGES 2
#define MAX_IMAGES 125

/*  Images of a body whose boxes come into the box of the domain, by their shifts. */
typedef struct near_images
{
    double shift[MAX_IMAGES][3];
    uint32_t count;
} near_images;

/*  Replaces each shift by those with further edges along one axis, for a body that is from `lower` to `upper` there. */
static void add_edges(const scree_domain *domain, int axis, double lower, double upper,
                      near_images *images)
{
    const double period = domain->period[axis], more = period * 0x1p-40;
    const uint32_t count = images->count;

    for (uint32_t k = 0; k < count; k++) {
        const double by = images->shift[k][axis];
        const double from = ceil((domain->lower[axis] - (upper + by) - more) / period);
        const double to = floor((domain->upper[axis] - (lower + by) + more) / period);
        double before[3];
        bool is_first = true;
        memcpy(before, images->shift[k], sizeof before);
        for (int n = -MAX_EDGES; n <= MAX_EDGES; n++) {
            if (n < from || n > to)
                continue;
            double *shift = images->shift[is_first ? k : images->count++];
            memcpy(shift, before, sizeof before);
            scree_domain_take(domain, axis, -n, shift);
            is_first = false;
        }
    }
}

/*  The last axis first: its edge has components along all. */
static void find_images(const scree_domain *domain, const double lower[3], const double upper[3],
                        near_images *images)
{
    images->count = 1;
    memset(images->shift[0], 0, sizeof images->shift[0]);
    for (int axis = 2; axis >= 0; axis--)
        if (domain->period[axis] > 0)
            add_edges(domain, axis, lower[axis], upper[axis], images);
}

static void displace(const double by[3], const double from[3], double to[3])
{
    for (int axis = 0; axis < 3; axis++)
        to[axis] = from[axis] + by[axis];
}

typedef struct first_round
{
    const scree_partition *partition;
    const scree_places *places;
    const scree_domain *box;
    uint32_t own;
    double margin;
    uint32_t *touched; /* by one box */
    uint32_t *has;     /* of each rank: 1 + the last body that goes there */
} first_round;

static scree_status find_ranks_of(const first_round *run, uint32_t body, parting_list *found)
{
    double lower[3], upper[3];
    near_images images;
    scree_status status = SCREE_OK;

    box_of(run->places->row[body], run->margin, lower, upper);
    find_images(run->box, lower, upper, &images);
    for (uint32_t i = 0; i < images.count && !status; i++) {
        double from[3], to[3];
        displace(images.shift[i], lower, from);
        displace(images.shift[i], upper, to);
        const uint32_t count = scree_partition_touched(run->partition, from, to, run->touched);
        for (uint32_t k = 0; k < count && !status; k++) {
            const uint32_t rank = run->touched[k];
            if (rank == run->own || run->has[rank] == body + 1)
                continue;
            run->has[rank] = body + 1;
            status = note(found, rank, body);
        }
    }
    return status;
}

scree_status scree_ghosts_first_round(scree_ghost_list *list, scree_memory *memory,
                                      const scree_partition *partition, const scree_comm *comm,
                                      const scree_places *places, const scree_domain *box,
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

/* ---- answers ---- */

/*  Own bodies, followed by copies and their images, as a detector reads them: own bodies meet copies only. */
typedef struct meeting
{
    scree_memory *memory;
    double (*row)[4];
    uint64_t *group, *mask;
    uint32_t *copy; /* of a row behind the own bodies */
    size_t own, count, row_capacity, group_capacity, mask_capacity, copy_capacity;
} meeting;

#define OF_OWN UINT64_C(1)
#define OF_COPIES UINT64_C(2)

static void end_meeting(meeting *m)
{
    scree_memory_give(m->memory, &m->row, m->row_capacity, sizeof *m->row);
    scree_memory_give(m->memory, &m->group, m->group_capacity, sizeof *m->group);
    scree_memory_give(m->memory, &m->mask, m->mask_capacity, sizeof *m->mask);
    scree_memory_give(m->memory, &m->copy, m->copy_capacity, sizeof *m->copy);
}

static scree_status add_row(meeting *m, const double at[3], double radius, bool is_own,
                            uint32_t copy)
{
    const size_t wanted = m->count + 1;

    if (scree_memory_reserve(m->memory, &m->row, &m->row_capacity, wanted, sizeof *m->row) ||
        scree_memory_reserve(m->memory, &m->group, &m->group_capacity, wanted, sizeof *m->group) ||
        scree_memory_reserve(m->memory, &m->mask, &m->mask_capacity, wanted, sizeof *m->mask) ||
        scree_memory_reserve(m->memory, &m->copy, &m->copy_capacity, wanted, sizeof *m->copy))
        return SCREE_OUT_OF_MEMORY;
    memcpy(m->row[m->count], at, 3 * sizeof *at);
    /* an allowance for rounding, as in the boxes */
    m->row[m->count][3] =
        radius * (1 + 0x1p-40) + (fabs(at[0]) + fabs(at[1]) + fabs(at[2])) * 0x1p-48;
    m->group[m->count] = is_own ? OF_OWN : OF_COPIES;
    m->mask[m->count] = is_own ? OF_COPIES : OF_OWN;
    m->copy[m->count++] = copy;
    return SCREE_OK;
}

/*  All images of a copy that come near. */
static scree_status add_copy(meeting *m, const double row[4], uint32_t copy,
                             const scree_domain *box, double margin)
{
    double lower[3], upper[3], at[3];
    near_images images;
    scree_status status = SCREE_OK;

    box_of(row, margin, lower, upper);
    find_images(box, lower, upper, &images);
    for (uint32_t i = 0; i < images.count && !status; i++) {
        displace(images.shift[i], row, at);
        status = add_row(m, at, row[3] + margin, false, copy);
    }
    return status;
}

static scree_status fill_meeting(meeting *m, const scree_places *places, const scree_domain *box,
                                 const scree_ghost_rows *ghosts, uint32_t size, double margin)
{
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < places->count && !status; i++)
        status = add_row(m, places->row[i], places->row[i][3] + margin, true, 0);
    m->own = places->count;
    for (size_t k = 0; k < ghosts->start[size] && !status; k++)
        status = add_copy(m, ghosts->row[k], (uint32_t)k, box, margin);
    return status;
}

static scree_status find_meetings(const meeting *m, scree_detector **detector, scree_pairs *pairs)
{
    scree_detector_def def = scree_default_detector_def();

    def.allocator = m->memory->allocator;
    scree_status status = scree_detector_create(&def, detector);
    if (status)
        return status;
    scree_table table = scree_table_centres(m->count, scree_doubles(m->row[0], sizeof *m->row),
                                            scree_doubles(&m->row[0][3], sizeof *m->row));
    table.groups = scree_integer_view(m->group, sizeof *m->group);
    table.masks = scree_integer_view(m->mask, sizeof *m->mask);
    return scree_detector_pairs_of(*detector, &table, NULL, pairs);
}

/*  The rank whose rows include this one. */
static uint32_t rank_of_row(const size_t *start, uint32_t size, size_t row)
{
    uint32_t lower = 0, upper = size;

    while (upper - lower > 1) {
        const uint32_t middle = lower + (upper - lower) / 2;
        if (start[middle] <= row)
            lower = middle;
        else
            upper = middle;
    }
    return lower;
}

/*  Copies that some body of this rank may touch and that are at least as large; and bodies smaller than a copy that
    may touch it, for the owner of the copy. */
static scree_status take_meetings(const meeting *m, const scree_pairs *pairs,
                                  const scree_places *places, const scree_ghost_rows *ghosts,
                                  uint32_t size, uint8_t *needed, parting_list *near)
{
    scree_status status = SCREE_OK;

    for (uint64_t k = 0; k < pairs->count && !status; k++) {
        const uint32_t body = pairs->first[k], copy = m->copy[pairs->second[k]];
        const double own = places->row[body][3], other = ghosts->row[copy][3];
        if (own > other)
            continue;
        needed[copy] = 1;
        if (own < other)
            status = note(near, rank_of_row(ghosts->start, size, copy), body);
    }
    return status;
}

scree_status scree_ghosts_answer(scree_ghost_answer *answer, scree_memory *memory,
                                 const scree_comm *comm, const scree_places *places,
                                 const scree_domain *box, const scree_ghost_rows *ghosts,
                                 double margin)
{
    const size_t copies = ghosts->start[comm->size];
    meeting m = {.memory = memory};
    parting_list near = {.memory = memory};
    scree_detector *detector = NULL;
    scree_pairs pairs = {0};
    scree_status status = scree_memory_reserve(memory, &answer->needed, &answer->needed_capacity,
                                               copies, sizeof *answer->needed);

    if (!status && copies)
        memset(answer->needed, 0, copies * sizeof *answer->needed);
    if (!status)
        status = fill_meeting(&m, places, box, ghosts, comm->size, margin);
    if (!status && m.own < m.count && m.own > 0)
        status = find_meetings(&m, &detector, &pairs);
    if (!status)
        status = take_meetings(&m, &pairs, places, ghosts, comm->size, answer->needed, &near);
    if (!status)
        status = sort_by_rank(&near, comm->size, &answer->near, memory);
    scree_detector_destroy(detector);
    release(&near);
    end_meeting(&m);
    return status;
}

void scree_ghost_answer_free(scree_ghost_answer *answer, scree_memory *memory)
{
    scree_memory_give(memory, &answer->needed, answer->needed_capacity, sizeof *answer->needed);
    scree_ghost_list_free(&answer->near, memory);
}

/* ---- the choice ---- */

/*  Bodies that go to one rank, each once. */
typedef struct choice
{
    parting_list found;
    uint32_t *gone_to; /* of each body: 1 + the last rank to which it goes */
} choice;

static scree_status choose(choice *c, uint32_t rank, uint32_t body)
{
    if (c->gone_to[body] == rank + 1)
        return SCREE_OK;
    c->gone_to[body] = rank + 1;
    return note(&c->found, rank, body);
}

static scree_status choose_for(choice *c, uint32_t rank, const scree_ghost_list *first,
                               const uint8_t *is_needed, const scree_ghost_list *near)
{
    scree_status status = SCREE_OK;

    for (size_t k = first->start[rank]; k < first->start[rank + 1] && !status; k++)
        if (is_needed[k])
            status = choose(c, rank, first->body[k]);
    for (size_t k = near->start[rank]; k < near->start[rank + 1] && !status; k++)
        status = choose(c, rank, near->body[k]);
    return status;
}

scree_status scree_ghosts_choose(scree_ghost_list *list, scree_memory *memory,
                                 const scree_comm *comm, size_t bodies,
                                 const scree_ghost_list *first, const uint8_t *is_needed,
                                 const scree_ghost_list *near, const scree_ghost_wish *wishes,
                                 size_t wish_count)
{
    choice c = {.found = {.memory = memory}};
    size_t wish = 0;
    scree_status status = scree_memory_take(memory, bodies, sizeof *c.gone_to, &c.gone_to);

    if (!status && bodies)
        memset(c.gone_to, 0, bodies * sizeof *c.gone_to);
    for (uint32_t r = 0; r < comm->size && !status; r++) {
        status = choose_for(&c, r, first, is_needed, near);
        for (; wish < wish_count && wishes[wish].rank == r && !status; wish++)
            status = choose(&c, r, wishes[wish].body);
    }
    if (!status)
        status = sort_by_rank(&c.found, comm->size, list, memory);
    release(&c.found);
    scree_memory_give(memory, &c.gone_to, bodies, sizeof *c.gone_to);
    return status;
}
