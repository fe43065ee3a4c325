/*  A counting sort by body, on one thread: counts become positions, and each entry is written to its own. It takes
    no longer than sorting by ranges even if its writes miss the caches (4 million equal spheres at random, 3.6 pairs
    a body), and a third of the time if they do not. */
#include "detect/csr.h"

#include <string.h>

/*  With at least this many workers, distributing ranges of bodies takes less time. Both ways give the same list. */
#define MANY_WORKERS 4u

scree_status scree_csr_count(uint64_t pairs, bool half, uint32_t *entries, scree_error *error)
{
    uint64_t most = half ? UINT32_MAX : UINT32_MAX / 2;
    *entries = (uint32_t)(half ? pairs : 2 * pairs);
    if (pairs <= most)
        return SCREE_OK;
    return scree_fail(error, SCREE_TOO_LARGE,
                      "csr: there are %llu pairs, and 32 bits number %llu of a %s list: %s",
                      (unsigned long long)pairs, (unsigned long long)most, half ? "half" : "full",
                      pairs <= UINT32_MAX ? "ask for half, or call scree_detector_neighbors"
                                          : "call scree_detector_neighbors");
}

bool scree_csr_is_quick(const scree_workers *workers)
{
    return workers->count < MANY_WORKERS;
}

static void count_entries(const scree_search *search, bool half, uint32_t *count)
{
    for (size_t s = 0; s < search->segment_count; s++) {
        const scree_segment *segment = &search->segments[s];
        const scree_collector *from = search->collectors[segment->worker];
        for (size_t k = segment->begin; k < segment->end; k++) {
            count[from->first[k]]++;
            count[from->second[k]] += !half;
        }
    }
}

/*  From the last pair to the first, so that a body's neighbours are in the order of the pairs, and its position ends
    as its start. */
static void fill_entries(const scree_search *search, bool half, uint32_t *place, uint32_t *neighbor)
{
    for (size_t s = search->segment_count; s-- > 0;) {
        const scree_segment *segment = &search->segments[s];
        const scree_collector *from = search->collectors[segment->worker];
        for (size_t k = segment->end; k-- > segment->begin;) {
            uint32_t i = from->first[k], j = from->second[k];
            neighbor[--place[i]] = j;
            if (!half)
                neighbor[--place[j]] = i;
        }
    }
}

void scree_csr_fill(const scree_search *search, uint32_t bound, bool half, uint32_t *start,
                    uint32_t *neighbor)
{
    uint32_t sum = 0;
    memset(start, 0, ((size_t)bound + 1) * sizeof *start);
    count_entries(search, half, start);
    for (uint32_t i = 0; i < bound; i++)
        start[i] = sum += start[i];
    start[bound] = sum;
    fill_entries(search, half, start, neighbor);
}

void scree_csr_shorten(const uint64_t *start, uint32_t bound, uint32_t *short_start)
{
    for (size_t i = 0; i <= bound; i++)
        short_start[i] = (uint32_t)start[i];
}
