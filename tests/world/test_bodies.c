/*  Columns of bodies: which are there, and that they come and go as whole sets. */
#include "harness/failing_allocator.h"
#include "test.h"
#include "world/state/bodies.h"

#define ROWS 100

static bool is_clear(const void *column, size_t bytes)
{
    const unsigned char *byte = column;

    for (size_t k = 0; k < bytes; k++)
        if (byte[k] != 0)
            return false;
    return true;
}

#define X_CHECK(type, name, n, when)                                                               \
    if ((bodies->name != NULL) != bodies->keeps[when])                                             \
        FAIL("column %s: %s", #name, bodies->name ? "is there" : "is missing");
#define X_CLEAR(type, name, n, when)                                                               \
    if ((when) == what && !is_clear(bodies->name, ROWS * sizeof *bodies->name))                    \
        FAIL("column %s is not 0", #name);

static void check_columns(const scree_body_arrays *bodies)
{
    SCREE_EVERY_FIELD(X_CHECK)
}

static void check_clear(const scree_body_arrays *bodies, scree_kept what)
{
    SCREE_EVERY_FIELD(X_CLEAR)
}

/*  Memory as it is after use. */
static void *allocate_used(size_t bytes, void *user)
{
    void *block = failing_allocator_allocate(bytes, user);

    return block ? memset(block, 0xa5, bytes) : NULL;
}

TEST(columns_are_there_while_they_are_kept)
{
    failing_allocator allocator = {.fail_at = 0};
    scree_allocator hooks = failing_allocator_hooks(&allocator);
    scree_memory memory;
    scree_body_arrays bodies;

    hooks.allocate = allocate_used;
    scree_memory_init(&memory, &hooks);
    scree_bodies_init(&bodies, &memory);
    CHECK_EQUAL(scree_bodies_reserve(&bodies, ROWS), SCREE_OK);
    check_columns(&bodies);
    for (int what = SCREE_KEEP_ALWAYS + 1; what < SCREE_KEEPS; what++) {
        CHECK_EQUAL(scree_bodies_keep(&bodies, (scree_kept)what), SCREE_OK);
        CHECK(bodies.keeps[what]);
        check_columns(&bodies);
        check_clear(&bodies, (scree_kept)what);
    }
    CHECK_EQUAL(scree_bodies_reserve(&bodies, 10 * ROWS), SCREE_OK);
    for (int what = SCREE_KEEP_ALWAYS + 1; what < SCREE_KEEPS; what++) {
        scree_bodies_drop(&bodies, (scree_kept)what);
        CHECK(!bodies.keeps[what]);
        check_columns(&bodies);
    }
    scree_bodies_free(&bodies);
    CHECK_EQUAL(memory.bytes, 0);
}

TEST(memory_may_run_out)
{
    size_t refused = 0;

    for (int what = SCREE_KEEP_ALWAYS + 1; what < SCREE_KEEPS; what++)
        for (size_t k = 1;; k++) {
            failing_allocator allocator = {.fail_at = 0};
            const scree_allocator hooks = failing_allocator_hooks(&allocator);
            scree_memory memory;
            scree_body_arrays bodies;
            scree_memory_init(&memory, &hooks);
            scree_bodies_init(&bodies, &memory);
            CHECK_EQUAL(scree_bodies_reserve(&bodies, ROWS), SCREE_OK);
            size_t bytes = memory.bytes;
            allocator.fail_at = allocator.requests + k;
            scree_status status = scree_bodies_keep(&bodies, (scree_kept)what);
            CHECK_EQUAL(status, allocator.failures ? SCREE_OUT_OF_MEMORY : SCREE_OK);
            CHECK(bodies.keeps[what] == !status);
            CHECK(!status || memory.bytes == bytes);
            check_columns(&bodies);
            scree_bodies_free(&bodies);
            CHECK(failing_allocator_is_clean(&allocator));
            if (!status)
                break;
            refused++;
        }
    CHECK(refused > SCREE_KEEPS - 1); /* a set of two columns, too */
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(columns_are_there_while_they_are_kept),
        CASE(memory_may_run_out),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
