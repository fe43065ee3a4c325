/*  Cuts of space: the same bits however many ranks compute them, shares that are even, and every place owned by the rank
    that a slow search through all cuts says. */
#include "base/hash.h"
#include "dist/comm_threads.h"
#include "dist/partition.h"
#include "test.h"

#include <math.h>

#define MOST 5000u
#define MAX_PARTS 64u

typedef struct cloud
{
    uint32_t count, parts;
    double (*row)[4];
    const uint32_t *weight; /* NULL: each body counts as 1 */
    scree_partition made;   /* by rank 0 */
    scree_memory memory;
} cloud;

static double uniform(uint64_t k)
{
    return (double)(scree_hash_word(1, k) >> 11) * 0x1p-53;
}

static void scatter(cloud *all, uint32_t count)
{
    static double row[MOST][4];

    all->count = count;
    all->row = row;
    all->weight = NULL;
    for (uint32_t k = 0; k < count; k++) {
        for (uint32_t axis = 0; axis < 3; axis++)
            row[k][axis] = (axis == 2 ? 3 : 1) * uniform(4 * k + axis) - 0.7;
        row[k][2] *= row[k][2];
        row[k][3] = 0.01;
    }
}

/*  Each rank has every size-th body. */
static scree_status cut(const scree_comm *comm, void *data)
{
    cloud *all = data;
    static double rows[MAX_PARTS][MOST][4];
    static uint32_t weights[MAX_PARTS][MOST];
    scree_partition made = {0};
    scree_memory memory;
    scree_places places = {.row = (const double(*)[4])rows[comm->rank],
                           .weight = all->weight ? weights[comm->rank] : NULL};

    scree_memory_init(&memory, NULL);
    for (uint32_t k = comm->rank; k < all->count; k += comm->size) {
        weights[comm->rank][places.count] = all->weight ? all->weight[k] : 0;
        memcpy(rows[comm->rank][places.count++], all->row[k], sizeof *all->row);
    }
    scree_status status = scree_partition_make(&made, &memory, comm, &places, all->parts);
    if (comm->rank == 0)
        all->made = made;
    else
        scree_partition_free(&made, &memory);
    return status;
}

static void cut_on(cloud *all, uint32_t ranks, uint32_t parts)
{
    scree_memory_init(&all->memory, NULL);
    all->parts = parts;
    CHECK_EQUAL(scree_run_ranks(ranks, cut, all), SCREE_OK);
}

static uint64_t digest_of(const scree_partition *made)
{
    uint64_t hash = SCREE_HASH_START;

    for (uint32_t k = 0; k < made->count; k++) {
        const scree_cut *at = &made->cuts[k];
        hash = scree_hash_word(hash, at->first | (uint64_t)at->ranks << 32);
        hash = scree_hash_word(hash, at->child);
        hash =
            at->child ? scree_hash_number(scree_hash_word(hash, (uint64_t)at->axis), at->at) : hash;
    }
    return hash;
}

/*  The reference: a part for each rank, by all cuts that lead to it. */
static bool is_in_part(const scree_partition *made, uint32_t part, uint32_t rank,
                       const double place[3])
{
    const scree_cut *cut = &made->cuts[part];

    if (!cut->child)
        return cut->first == rank;
    return (place[cut->axis] < cut->at && is_in_part(made, cut->child, rank, place)) ||
           (!(place[cut->axis] < cut->at) && is_in_part(made, cut->child + 1, rank, place));
}

TEST(cuts_have_the_same_bits_on_any_number_of_ranks)
{
    static const uint32_t ranks[] = {1, 2, 3, 4, 7, 13};
    static const uint32_t parts[] = {1, 2, 3, 4, 7, 16, 61};
    cloud all;

    scatter(&all, TEST_EFFORT(1000, MOST));
    for (int p = 0; p < 7; p++) {
        uint64_t known = 0;
        for (int r = 0; r < 6; r++) {
            cut_on(&all, ranks[r], parts[p]);
            if (r == 0)
                known = digest_of(&all.made);
            CHECK_EQUAL(digest_of(&all.made), known);
            scree_partition_free(&all.made, &all.memory);
        }
    }
}

TEST(shares_are_even_and_owners_are_those_of_the_reference)
{
    static const uint32_t parts[] = {1, 2, 3, 5, 7, 16, 61};
    cloud all;

    scatter(&all, 3000);
    for (int p = 0; p < 7; p++) {
        uint32_t load[MAX_PARTS] = {0};
        cut_on(&all, 2, parts[p]);
        for (uint32_t k = 0; k < all.count; k++) {
            uint32_t owner = scree_partition_owner(&all.made, all.row[k]);
            CHECK(owner < parts[p]);
            load[owner]++;
            for (uint32_t r = 0; r < parts[p]; r++)
                CHECK_EQUAL(is_in_part(&all.made, 0, r, all.row[k]), r == owner);
        }
        /* each cut is off by no more than one body, and there are six cuts on the way to a part at most */
        for (uint32_t r = 0; r < parts[p]; r++)
            CHECK(fabs(load[r] - (double)all.count / parts[p]) <= 6);
        scree_partition_free(&all.made, &all.memory);
    }
}

/*  Half of space has heavy bodies. */
TEST(shares_of_weights_are_even)
{
    static const uint32_t parts[] = {2, 3, 7, 16};
    static uint32_t weight[MOST];
    cloud all;

    scatter(&all, 3000);
    for (uint32_t k = 0; k < all.count; k++)
        weight[k] = all.row[k][0] < 0 ? 1 + (uint32_t)(50 * uniform(k)) : 1;
    all.weight = weight;
    for (int p = 0; p < 4; p++) {
        double load[MAX_PARTS] = {0}, sum = 0;
        uint64_t known = 0;
        for (uint32_t ranks = 1; ranks <= 3; ranks++) {
            cut_on(&all, ranks, parts[p]);
            if (ranks == 1)
                known = digest_of(&all.made);
            CHECK_EQUAL(digest_of(&all.made), known);
            if (ranks < 3)
                scree_partition_free(&all.made, &all.memory);
        }
        for (uint32_t k = 0; k < all.count; k++) {
            load[scree_partition_owner(&all.made, all.row[k])] += weight[k];
            sum += weight[k];
        }
        /* each cut is off by no more than the heaviest body */
        for (uint32_t r = 0; r < parts[p]; r++)
            CHECK_NEAR(load[r], sum / parts[p], 4 * 51);
        scree_partition_free(&all.made, &all.memory);
    }
}

/*  Brute force: a box touches a part if one of many points in it is owned by that rank; corners decide at the latest. */
TEST(boxes_touch_the_parts_that_they_reach_into)
{
    cloud all;

    scatter(&all, 2000);
    cut_on(&all, 3, 16);
    for (uint32_t k = 0; k < 300; k++) {
        const double half = 0.001 + 0.5 * uniform(90000 + k);
        double lower[3], upper[3];
        uint32_t ranks[16];
        bool is_listed[16] = {false};
        for (int axis = 0; axis < 3; axis++) {
            lower[axis] = all.row[k][axis] - half;
            upper[axis] = all.row[k][axis] + half;
        }
        const uint32_t count = scree_partition_touched(&all.made, lower, upper, ranks);
        for (uint32_t r = 0; r < count; r++) {
            CHECK(r == 0 || ranks[r] > ranks[r - 1]);
            is_listed[ranks[r]] = true;
        }
        for (uint32_t j = 0; j < 200; j++) {
            double place[3];
            for (uint32_t axis = 0; axis < 3; axis++) {
                double share = j < 8 ? (double)(j >> axis & 1) : uniform(7 * j + axis);
                place[axis] = lower[axis] + share * (upper[axis] - lower[axis]);
            }
            CHECK(is_listed[scree_partition_owner(&all.made, place)]);
        }
    }
    scree_partition_free(&all.made, &all.memory);
}

TEST(few_bodies_or_none_are_no_obstacle)
{
    static const uint32_t counts[] = {0, 1, 3};
    cloud all;

    for (int c = 0; c < 3; c++) {
        scatter(&all, counts[c]);
        cut_on(&all, 4, 4);
        CHECK_EQUAL(all.made.count, 7);
        for (uint32_t k = 0; k < all.count; k++)
            CHECK(scree_partition_owner(&all.made, all.row[k]) < 4);
        scree_partition_free(&all.made, &all.memory);
    }
}

TEST(bodies_at_one_place_stay_together)
{
    cloud all;

    scatter(&all, 100);
    for (uint32_t k = 1; k < all.count; k++)
        memcpy(all.row[k], all.row[0], sizeof *all.row);
    cut_on(&all, 4, 7);
    const uint32_t owner = scree_partition_owner(&all.made, all.row[0]);
    for (uint32_t k = 1; k < all.count; k++)
        CHECK_EQUAL(scree_partition_owner(&all.made, all.row[k]), owner);
    scree_partition_free(&all.made, &all.memory);
}

TEST(words_are_ordered_as_doubles_are)
{
    static const double values[] = {-INFINITY, -1e300, -1, -1e-320, -0.0, 0.0, 1e-320, 1, INFINITY};

    for (int k = 0; k < 9; k++) {
        double back = scree_double_of_word(scree_word_of_double(values[k]));
        CHECK(memcmp(&back, &values[k], sizeof back) == 0);
        CHECK(k == 0 || scree_word_of_double(values[k - 1]) < scree_word_of_double(values[k]));
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(cuts_have_the_same_bits_on_any_number_of_ranks),
        CASE(shares_are_even_and_owners_are_those_of_the_reference),
        CASE(shares_of_weights_are_even),
        CASE(boxes_touch_the_parts_that_they_reach_into),
        CASE(few_bodies_or_none_are_no_obstacle),
        CASE(bodies_at_one_place_stay_together),
        CASE(words_are_ordered_as_doubles_are),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
