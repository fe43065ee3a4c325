/*  Sums and sorts of the device against slow ones. */
#include "device.h"

#include "base/random.h"
#include "gpu/device_sort.h"

typedef struct bench
{
    scree_error error;
    scree_gpu *gpu;
    scree_device_sorter sorter;
} bench;

static bench begin(void)
{
    bench b;

    memset(&b, 0, sizeof b);
    b.gpu = open_device(&b.error);
    if (scree_device_sorter_make(b.gpu, &b.sorter))
        FAIL("%s", b.error.text);
    return b;
}

static void end(bench *b)
{
    scree_device_sorter_free(b->gpu, &b->sorter);
    CHECK_EQUAL(scree_gpu_bytes(b->gpu), (uint64_t)0);
    scree_gpu_close(b->gpu);
}

static const uint32_t counts[] = {
    0, 1, 2, 255, 2047, 2048, 2049, 100000, 2048 * 2048 - 1, 2048 * 2048 + 1};
#define COUNTS TEST_EFFORT(8, 10)

TEST(each_row_gets_the_sum_of_those_before_it)
{
    bench b = begin();

    for (int c = 0; c < COUNTS; c++) {
        const uint32_t count = counts[c];
        scree_random random = scree_random_stream(3, (uint64_t)c);
        uint32_t *numbers = malloc((count + 1) * sizeof *numbers),
                 *got = malloc((count + 1) * sizeof *got);
        scree_gpu_buffer buffer = {0};
        uint32_t sum = 0;
        for (uint32_t i = 0; i < count; i++)
            numbers[i] = (uint32_t)scree_random_u64(&random);
        CHECK_EQUAL(scree_gpu_reserve(b.gpu, &buffer, count * sizeof *numbers, "numbers"),
                    SCREE_OK);
        CHECK_EQUAL(scree_gpu_write(b.gpu, &buffer, 0, numbers, count * sizeof *numbers), SCREE_OK);
        CHECK_EQUAL(scree_device_scan(b.gpu, &b.sorter, &buffer, count), SCREE_OK);
        CHECK_EQUAL(scree_gpu_read(b.gpu, &buffer, 0, got, count * sizeof *got), SCREE_OK);
        for (uint32_t i = 0; i < count; i++) {
            if (got[i] != sum)
                FAIL("row %u of %u is %u, not %u", i, count, got[i], sum);
            sum += numbers[i];
        }
        scree_gpu_free(b.gpu, &buffer);
        free(numbers);
        free(got);
    }
    end(&b);
}

typedef struct row
{
    uint64_t key;
    uint32_t at;
} row;

static int by_key(const void *a, const void *b)
{
    const row *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return p->at < q->at ? -1 : p->at > q->at;
}

/*  Keys below 2^bits, of which some have many equals. */
static void sort_once(bench *b, uint32_t count, uint32_t bits, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, count);
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    row *rows = malloc((count + 1) * sizeof *rows);
    uint64_t *keys = malloc((count + 1) * sizeof *keys);
    uint32_t *payload = malloc((count + 1) * sizeof *payload);
    scree_gpu_buffer key_buffer = {0}, payload_buffer = {0};

    for (uint32_t i = 0; i < count; i++) {
        keys[i] = scree_random_u64(&random) & mask;
        if (seed % 2)
            keys[i] = (keys[i] % 3) << (bits - 2);
        payload[i] = i;
        rows[i] = (row){keys[i], i};
    }
    qsort(rows, count, sizeof *rows, by_key);
    CHECK_EQUAL(scree_gpu_reserve(b->gpu, &key_buffer, count * sizeof *keys, "keys"), SCREE_OK);
    CHECK_EQUAL(scree_gpu_reserve(b->gpu, &payload_buffer, count * sizeof *payload, "payload"),
                SCREE_OK);
    CHECK_EQUAL(scree_gpu_write(b->gpu, &key_buffer, 0, keys, count * sizeof *keys), SCREE_OK);
    CHECK_EQUAL(scree_gpu_write(b->gpu, &payload_buffer, 0, payload, count * sizeof *payload),
                SCREE_OK);
    CHECK_EQUAL(scree_device_sort(b->gpu, &b->sorter, &key_buffer, &payload_buffer, count, bits),
                SCREE_OK);
    CHECK_EQUAL(scree_gpu_read(b->gpu, &key_buffer, 0, keys, count * sizeof *keys), SCREE_OK);
    CHECK_EQUAL(scree_gpu_read(b->gpu, &payload_buffer, 0, payload, count * sizeof *payload),
                SCREE_OK);
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] != rows[i].key || payload[i] != rows[i].at)
            FAIL("%u keys of %u bits, seed %" PRIu64 ": row %u is of %u, not %u", count, bits, seed,
                 i, payload[i], rows[i].at);
    scree_gpu_free(b->gpu, &key_buffer);
    scree_gpu_free(b->gpu, &payload_buffer);
    free(rows);
    free(keys);
    free(payload);
}

TEST(keys_are_sorted_and_equal_ones_stay_in_order)
{
    static const uint32_t widths[] = {4, 7, 24, 33, 64};
    bench b = begin();

    for (int c = 0; c < COUNTS; c++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (uint64_t seed = 0; seed < 2; seed++)
                sort_once(&b, counts[c], widths[w], seed);
    end(&b);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(each_row_gets_the_sum_of_those_before_it),
                                      CASE(keys_are_sorted_and_equal_ones_stay_in_order)};
    return device_test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
