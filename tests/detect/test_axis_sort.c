/*  The sorts of sorted axes, on orders that are hard for one or the other. */
#include "detect/axis_sort.h"

#include "base/random.h"
#include "test.h"

#define MOST 4000

static scree_random source;

static void check_sorted(const uint64_t *key, const uint32_t *end, size_t count, uint64_t end_sum)
{
    for (size_t i = 1; i < count; i++)
        CHECK(scree_end_before(key[i - 1], end[i - 1], key[i], end[i]));
    for (size_t i = 0; i < count; i++)
        end_sum -= end[i];
    CHECK_EQUAL(end_sum, 0);
}

/*  An order in which the median of first, middle and last is always next to the smallest, so that
    each partition takes off two entries: found by letting the sort's own swaps happen on
    positions. */
static void make_killer(uint64_t *key, size_t count)
{
    static uint32_t place[MOST];
    for (size_t i = 0; i < count; i++)
        place[i] = (uint32_t)i;
    for (size_t first = 0, left = count; left >= 3; first += 2, left -= 2) {
        size_t middle = first + left / 2;
        key[place[first]] = first;
        key[place[middle]] = first + 1;
        /* the partition swaps the middle, which is its pivot, with the second */
        uint32_t second = place[first + 1];
        place[first + 1] = place[middle];
        place[middle] = second;
        for (size_t i = first + 2; i < count; i++)
            key[place[i]] = count + i;
    }
}

TEST(sorts_whatever_the_order)
{
    static uint64_t key[MOST];
    static uint32_t end[MOST];
    static const size_t counts[] = {0, 1, 2, 3, 24, 25, 100, 1000, MOST};
    source = scree_random_stream(7, 0);
    for (size_t c = 0; c < 9 * 7 * 3; c++) {
        size_t count = counts[c % 9], pattern = c / 9 % 7, sort = c / 9 / 7;
        uint64_t end_sum = 0;
        for (size_t i = 0; i < count; i++) {
            uint64_t down = count - i;
            uint64_t patterns[] = {scree_random_u64(&source), i,     down, 5,
                                   i < down ? i : down,       i % 7, 0};
            key[i] = patterns[pattern];
            end[i] = (uint32_t)((i * 7919) % count) | (i % 3 ? 0 : SCREE_UPPER_END);
            end_sum += end[i];
        }
        if (pattern == 6)
            make_killer(key, count);
        if (sort == 0)
            scree_axis_heap_sort(key, end, count);
        else if (sort == 1)
            scree_axis_quick_sort(key, end, count);
        else
            (void)scree_axis_resort(key, end, count);
        check_sorted(key, end, count, end_sum);
    }
}

TEST(counts_keys)
{
    static const uint64_t key[] = {2, 2, 5, 5, 5, 9};
    static const size_t up_to[] = {0, 0, 2, 2, 2, 5, 5, 5, 5, 6, 6};
    for (uint64_t bound = 0; bound < 11; bound++)
        CHECK_EQUAL(scree_axis_count_up_to(key, 6, bound), up_to[bound]);
    CHECK_EQUAL(scree_axis_count_up_to(key, 0, 3), 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(sorts_whatever_the_order), CASE(counts_keys)};
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
