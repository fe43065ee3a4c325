/*  The lazy list under many threads: what it ends up holding is what the same changes make one
    after the other, and asking never waits for, nor is fooled by, changes under way. Run under a
    thread sanitizer this also shows that no access races. */
#include "base/random.h"
#include "base/tasks.h"
#include "detect/lazy_list.h"
#include "test.h"

#define NONE SCREE_LAZY_NONE
#define THREADS 8u
#define KEYS 128u
#define LISTS 4u

static scree_memory memory;
static scree_lazy_arena arena;
static uint32_t list[LISTS];

static void start(size_t nodes)
{
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    memset(&arena, 0, sizeof arena);
    scree_lazy_clear(&arena);
    CHECK_EQUAL(scree_lazy_reserve(&arena, &memory, nodes + LISTS), SCREE_OK);
    for (uint32_t k = 0; k < LISTS; k++)
        list[k] = scree_lazy_take(&arena);
}

static void finish(void)
{
    scree_lazy_free(&arena, &memory);
    CHECK_EQUAL(memory.bytes, 0);
}

/*  Ascending, nothing locked or marked; sets has[key]. Returns the length. */
static uint32_t read_list(uint32_t head, bool has[KEYS])
{
    uint32_t count = 0, before = 0;
    memset(has, 0, KEYS * sizeof *has);
    CHECK_EQUAL(arena.node[head].state, 0);
    for (uint32_t n = scree_lazy_next(&arena, head); n != NONE; n = scree_lazy_next(&arena, n)) {
        uint32_t key = arena.node[n].key;
        CHECK(key < KEYS && (count == 0 || key > before));
        CHECK_EQUAL(arena.node[n].state, 0);
        has[key] = true;
        before = key;
        count++;
    }
    return count;
}

static void run(size_t blocks, scree_block_fn *work)
{
    scree_workers workers;
    CHECK_EQUAL(scree_workers_init(&workers, NULL, THREADS, &memory.allocator, NULL), SCREE_OK);
    scree_workers_run(&workers, blocks, work, NULL);
    scree_workers_free(&workers);
}

/* ---- one thread ---- */

TEST(a_set)
{
    bool has[KEYS], expected[KEYS] = {false};
    scree_random random = scree_random_stream(1, 0);

    start(4000);
    for (uint32_t step = 0; step < 3000; step++) {
        uint32_t key = (uint32_t)scree_random_range(&random, 0, KEYS);
        CHECK_EQUAL(scree_lazy_contains(&arena, list[1], key), expected[key]);
        if (step % 2) {
            uint32_t node = scree_lazy_take(&arena);
            bool added = scree_lazy_add(&arena, list[1], key, node);
            CHECK_EQUAL(added, !expected[key]);
            if (!added)
                scree_lazy_give(&arena, node);
            expected[key] = true;
        } else {
            uint32_t node = scree_lazy_remove(&arena, list[1], key);
            CHECK_EQUAL(node != NONE, expected[key]);
            if (node != NONE)
                scree_lazy_give(&arena, node);
            expected[key] = false;
        }
    }
    (void)read_list(list[1], has);
    CHECK(memcmp(has, expected, sizeof has) == 0);
    CHECK_EQUAL(read_list(list[0], has), 0);
    CHECK(arena.used <= KEYS + LISTS + 1); /* nodes come back */
    finish();
}

TEST(appended_nodes)
{
    bool has[KEYS];
    start(10);
    uint32_t last = list[0];
    for (uint32_t key = 0; key < 10; key++) {
        uint32_t node = scree_lazy_take(&arena);
        scree_lazy_append(&arena, last, 3 * key, node);
        last = node;
    }
    CHECK_EQUAL(read_list(list[0], has), 10);
    CHECK(has[0] && has[27] && !has[1]);
    CHECK(scree_lazy_contains(&arena, list[0], 27) && !scree_lazy_contains(&arena, list[0], 28));
    CHECK_EQUAL(scree_lazy_reserve(&arena, &memory, UINT32_MAX), SCREE_TOO_LARGE);
    finish();
}

/* ---- many threads ---- */

#define BLOCKS 64u
#define STEPS 400u

static _Atomic uint32_t balance[LISTS][KEYS]; /* added less removed, of what succeeded */
static uint32_t own[BLOCKS][STEPS];           /* nodes of a block; removed ones come here */

/*  All threads add and remove the same few keys. */
static void fight(void *data, size_t block, uint32_t worker)
{
    scree_random random = scree_random_stream(2, block);
    (void)data;
    (void)worker;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t key = (uint32_t)scree_random_range(&random, 0, KEYS / 4);
        uint32_t l = (uint32_t)scree_random_range(&random, 0, LISTS);
        uint32_t node = own[block][step];
        if (scree_random_range(&random, 0, 1) < 0.5) {
            if (scree_lazy_add(&arena, list[l], key, node)) {
                atomic_fetch_add(&balance[l][key], 1);
                own[block][step] = NONE;
            }
        } else if (scree_lazy_remove(&arena, list[l], key) != NONE) {
            atomic_fetch_sub(&balance[l][key], 1);
        }
        (void)scree_lazy_contains(&arena, list[l], key + 1);
    }
}

/*  Each success of an add or a remove is one change of the set: so what was added and not removed
    is there, once, whatever the order was. */
TEST(every_success_counts)
{
    bool has[KEYS];

    for (int round = 0; round < 5; round++) {
        start(BLOCKS * STEPS);
        memset(balance, 0, sizeof balance);
        for (uint32_t b = 0; b < BLOCKS; b++)
            for (uint32_t s = 0; s < STEPS; s++)
                own[b][s] = scree_lazy_take(&arena);
        run(BLOCKS, fight);
        for (uint32_t l = 0; l < LISTS; l++) {
            (void)read_list(list[l], has);
            for (uint32_t key = 0; key < KEYS; key++)
                CHECK_EQUAL(balance[l][key], has[key]);
        }
        finish();
    }
}

/*  Each key is one block's: the sequence of its changes is fixed, so the end is, too. */
static void own_keys(void *data, size_t block, uint32_t worker)
{
    scree_random random = scree_random_stream(3, block);
    (void)data;
    (void)worker;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t key = (uint32_t)block + BLOCKS * (step % 2), node = own[block][step];
        if (scree_random_range(&random, 0, 1) < 0.5)
            (void)scree_lazy_add(&arena, list[0], key, node);
        else
            (void)scree_lazy_remove(&arena, list[0], key);
    }
}

TEST(the_set_of_one_thread)
{
    bool serial[KEYS], parallel[KEYS];

    for (int round = 0; round < 5; round++) {
        for (int threads = 0; threads < 2; threads++) {
            start(BLOCKS * STEPS);
            for (uint32_t b = 0; b < BLOCKS; b++)
                for (uint32_t s = 0; s < STEPS; s++)
                    own[b][s] = scree_lazy_take(&arena);
            if (threads)
                run(BLOCKS, own_keys);
            else
                for (uint32_t b = 0; b < BLOCKS; b++)
                    own_keys(NULL, b, 0);
            (void)read_list(list[0], threads ? parallel : serial);
            finish();
        }
        CHECK(memcmp(serial, parallel, sizeof serial) == 0);
    }
}

static _Atomic uint32_t wrong_answers, answers, changes;

/*  Even keys stay, 1 modulo 4 are never there, 3 modulo 4 come and go. */
static void ask_or_change(void *data, size_t block, uint32_t worker)
{
    (void)data;
    (void)worker;
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t key = (uint32_t)(step * 7 + block) % KEYS;
        if (block % 2) {
            bool is_there = scree_lazy_contains(&arena, list[2], key);
            if ((key % 2 == 0 && !is_there) || (key % 4 == 1 && is_there))
                atomic_fetch_add(&wrong_answers, 1);
            atomic_fetch_add(&answers, 1);
        } else {
            key |= 3;
            if (step % 2 ? scree_lazy_add(&arena, list[2], key, own[block][step])
                         : scree_lazy_remove(&arena, list[2], key) != NONE)
                atomic_fetch_add(&changes, 1);
        }
    }
}

TEST(asking_during_changes)
{
    bool has[KEYS];

    for (int round = 0; round < 5; round++) {
        start(BLOCKS * STEPS + KEYS);
        wrong_answers = answers = changes = 0;
        uint32_t last = list[2];
        for (uint32_t key = 0; key < KEYS; key++)
            if (key % 4 != 1) {
                uint32_t node = scree_lazy_take(&arena);
                scree_lazy_append(&arena, last, key, node);
                last = node;
            }
        for (uint32_t b = 0; b < BLOCKS; b++)
            for (uint32_t s = 0; s < STEPS; s++)
                own[b][s] = scree_lazy_take(&arena);
        run(BLOCKS, ask_or_change);
        CHECK_EQUAL(wrong_answers, 0);
        CHECK_EQUAL(answers, BLOCKS / 2 * STEPS);
        CHECK(changes > STEPS);
        (void)read_list(list[2], has);
        for (uint32_t key = 0; key < KEYS; key++)
            CHECK(key % 4 == 3 || has[key] == (key % 2 == 0));
        finish();
    }
}

/*  Asking is wait-free: with every node locked for good, it still answers. */
TEST(asking_takes_no_lock)
{
    start(KEYS);
    uint32_t last = list[0];
    for (uint32_t key = 0; key < KEYS; key += 2) {
        uint32_t node = scree_lazy_take(&arena);
        scree_lazy_append(&arena, last, key, node);
        arena.node[last].state |= 1;
        last = node;
    }
    arena.node[last].state |= 1;
    for (uint32_t key = 0; key < KEYS; key++)
        CHECK_EQUAL(scree_lazy_contains(&arena, list[0], key), key % 2 == 0);
    /* one that is marked is not in the set, though it is still linked */
    arena.node[last].state |= 2;
    CHECK(!scree_lazy_contains(&arena, list[0], KEYS - 2));
    finish();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(a_set),
        CASE(appended_nodes),
        CASE(every_success_counts),
        CASE(the_set_of_one_thread),
        CASE(asking_during_changes),
        CASE(asking_takes_no_lock),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
