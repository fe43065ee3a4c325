/*  All parts of one depth are cut at once. A cut is found by counting: the side of a part is divided into bins, and
    the bin in which the target weight is reached is divided again, four times. The final resolution is 2^-32 of the
    side. */
#include "dist/partition.h"

#include <math.h>

#define BINS 256
#define ROUNDS 4

/*  Parts begin .. end - 1 of the partition are those being cut. */
typedef struct cutting
{
    const scree_comm *comm;
    const scree_places *places;
    scree_partition *partition;
    uint32_t *part; /* of each position, the smallest known part that contains it */
    uint32_t begin, end;
    double *lower, *width;  /* of each part: the present bin, along the axis */
    uint64_t *below, *goal; /* weight below that bin, and target weight below the cut */
    uint64_t *words;        /* buffer of reductions: bins, or boxes */
} cutting;

void scree_partition_free(scree_partition *partition, scree_memory *memory)
{
    scree_memory_give(memory, &partition->cuts, partition->capacity, sizeof *partition->cuts);
}

/* ---- boxes ---- */

/*  Lower corners, and negated upper corners, so that one minimum finds both. */
static scree_status find_boxes(const cutting *run)
{
    const size_t count = (size_t)(run->end - run->begin) * 6;

    for (size_t k = 0; k < count; k++)
        run->words[k] = scree_word_of_double(INFINITY);
    for (size_t i = 0; i < run->places->count; i++) {
        if (run->part[i] < run->begin)
            continue;
        uint64_t *box = run->words + (size_t)(run->part[i] - run->begin) * 6;
        for (int axis = 0; axis < 3; axis++) {
            const double at = run->places->row[i][axis];
            const uint64_t lower = scree_word_of_double(at), upper = scree_word_of_double(-at);
            box[axis] = lower < box[axis] ? lower : box[axis];
            box[3 + axis] = upper < box[3 + axis] ? upper : box[3 + axis];
        }
    }
    return run->comm->reduce(run->comm->user, SCREE_REDUCE_MIN, run->words, count);
}

/*  A part is cut across its longest side; a part without bodies anywhere. */
static void choose_axes(const cutting *run)
{
    for (uint32_t p = run->begin; p < run->end; p++) {
        const uint64_t *box = run->words + (size_t)(p - run->begin) * 6;
        scree_cut *cut = &run->partition->cuts[p];
        double side[3], lower;
        for (int axis = 0; axis < 3; axis++)
            side[axis] = -scree_double_of_word(box[3 + axis]) - scree_double_of_word(box[axis]);
        cut->axis = side[1] > side[0] ? 1 : 0;
        cut->axis = side[2] > side[cut->axis] ? 2 : cut->axis;
        lower = scree_double_of_word(box[cut->axis]);
        run->lower[p - run->begin] = lower < INFINITY ? lower : 0;
        /* slightly enlarged, so that the last position is in the last bin */
        run->width[p - run->begin] = side[cut->axis] > 0 ? side[cut->axis] * (1 + 0x1p-40) : 1;
        run->below[p - run->begin] = 0;
    }
}

/* ---- cuts ---- */

/*  -1 below, BINS above. A position may be outside the bins of later rounds. */
static int bin_of(const cutting *run, uint32_t part, double at)
{
    const uint32_t k = part - run->begin;
    const double bin = (at - run->lower[k]) / run->width[k] * BINS;

    return bin < 0 ? -1 : bin < BINS ? (int)bin : BINS;
}

static scree_status count_bins(const cutting *run)
{
    const size_t count = (size_t)(run->end - run->begin) * BINS;

    memset(run->words, 0, count * sizeof *run->words);
    for (size_t i = 0; i < run->places->count; i++) {
        const uint32_t part = run->part[i];
        if (part < run->begin)
            continue;
        const int bin = bin_of(run, part, run->places->row[i][run->partition->cuts[part].axis]);
        if (bin >= 0 && bin < BINS)
            run->words[(size_t)(part - run->begin) * BINS + (size_t)bin] +=
                run->places->weight ? run->places->weight[i] : 1;
    }
    return run->comm->reduce(run->comm->user, SCREE_REDUCE_SUM, run->words, count);
}

static uint64_t share_of(uint64_t all, uint32_t ranks)
{
    const uint64_t left = ranks / 2;

    return all / ranks * left + all % ranks * left / ranks;
}

/*  The bin in which the target weight is reached is divided in the next round. */
static void narrow(const cutting *run, int round)
{
    for (uint32_t p = run->begin; p < run->end; p++) {
        const uint32_t k = p - run->begin;
        const uint64_t *bins = run->words + (size_t)k * BINS;
        scree_cut *cut = &run->partition->cuts[p];
        uint64_t all = 0;
        int bin = 0;
        for (int b = 0; round == 0 && b < BINS; b++)
            all += bins[b];
        if (round == 0)
            run->goal[k] = share_of(all, cut->ranks);
        while (bin < BINS - 1 && run->below[k] + bins[bin] < run->goal[k])
            run->below[k] += bins[bin++];
        run->width[k] /= BINS;
        run->lower[k] += run->width[k] * bin;
        cut->at = run->lower[k] + run->width[k];
    }
}

/*  Both sides of each cut become parts of the next depth. */
static void divide(const cutting *run)
{
    scree_partition *partition = run->partition;

    for (uint32_t p = run->begin; p < run->end; p++) {
        scree_cut *cut = &partition->cuts[p];
        const uint32_t left = cut->ranks / 2;
        if (left == 0)
            continue;
        cut->child = partition->count;
        partition->cuts[partition->count++] = (scree_cut){.first = cut->first, .ranks = left};
        partition->cuts[partition->count++] =
            (scree_cut){.first = cut->first + left, .ranks = cut->ranks - left};
    }
    for (size_t i = 0; i < run->places->count; i++) {
        const scree_cut *cut = &partition->cuts[run->part[i]];
        if (cut->child)
            run->part[i] = cut->child + (run->places->row[i][cut->axis] >= cut->at);
    }
}

static bool some_are_shared(const cutting *run)
{
    for (uint32_t p = run->begin; p < run->end; p++)
        if (run->partition->cuts[p].ranks > 1)
            return true;
    return false;
}

static scree_status cut_all(cutting *run)
{
    scree_status status = SCREE_OK;

    while (!status && some_are_shared(run)) {
        status = find_boxes(run);
        if (!status)
            choose_axes(run);
        for (int round = 0; round < ROUNDS && !status; round++) {
            status = count_bins(run);
            if (!status)
                narrow(run, round);
        }
        divide(run);
        run->begin = run->end;
        run->end = run->partition->count;
    }
    return status;
}

/* ---- all ---- */

static scree_status reserve(cutting *run, scree_memory *memory, uint32_t ranks)
{
    if (scree_memory_reserve(memory, &run->partition->cuts, &run->partition->capacity,
                             2 * (size_t)ranks - 1, sizeof *run->partition->cuts) ||
        scree_memory_take(memory, run->places->count, sizeof *run->part, &run->part) ||
        scree_memory_take(memory, ranks, sizeof *run->lower, &run->lower) ||
        scree_memory_take(memory, ranks, sizeof *run->width, &run->width) ||
        scree_memory_take(memory, ranks, sizeof *run->below, &run->below) ||
        scree_memory_take(memory, ranks, sizeof *run->goal, &run->goal) ||
        scree_memory_take(memory, (size_t)ranks * BINS, sizeof *run->words, &run->words))
        return SCREE_OUT_OF_MEMORY;
    return SCREE_OK;
}

static void release(cutting *run, scree_memory *memory, uint32_t ranks)
{
    scree_memory_give(memory, &run->part, run->places->count, sizeof *run->part);
    scree_memory_give(memory, &run->lower, ranks, sizeof *run->lower);
    scree_memory_give(memory, &run->width, ranks, sizeof *run->width);
    scree_memory_give(memory, &run->below, ranks, sizeof *run->below);
    scree_memory_give(memory, &run->goal, ranks, sizeof *run->goal);
    scree_memory_give(memory, &run->words, (size_t)ranks * BINS, sizeof *run->words);
}

scree_status scree_partition_make(scree_partition *partition, scree_memory *memory,
                                  const scree_comm *comm, const scree_places *places,
                                  uint32_t ranks)
{
    cutting run = {.comm = comm, .places = places, .partition = partition, .end = 1};
    scree_status status = scree_comm_agree(comm, reserve(&run, memory, ranks));

    if (!status) {
        partition->cuts[0] = (scree_cut){.ranks = ranks};
        partition->count = 1;
        if (places->count)
            memset(run.part, 0, places->count * sizeof *run.part);
        status = cut_all(&run);
    }
    release(&run, memory, ranks);
    return status;
}

uint32_t scree_partition_owner(const scree_partition *partition, const double place[3])
{
    const scree_cut *cut = partition->cuts;

    while (cut->child)
        cut = &partition->cuts[cut->child + (place[cut->axis] >= cut->at)];
    return cut->first;
}

uint32_t scree_partition_touched(const scree_partition *partition, const double lower[3],
                                 const double upper[3], uint32_t *ranks)
{
    uint32_t stack[32] = {0}; /* one for each depth; there are at most 15 */
    uint32_t top = 1, count = 0;

    while (top) {
        const scree_cut *cut = &partition->cuts[stack[--top]];
        if (!cut->child) {
            ranks[count++] = cut->first;
            continue;
        }
        if (upper[cut->axis] >= cut->at)
            stack[top++] = cut->child + 1;
        if (lower[cut->axis] < cut->at)
            stack[top++] = cut->child;
    }
    return count;
}
