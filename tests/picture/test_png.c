/*  PNG files, read back by a decoder of the test's own, and by Python's zlib where there is one. */
#include "harness/failing_allocator.h"
#include "harness/run_program.h"
#include "picture/deflate.h"
#include "picture_maker.h"

#include <unistd.h>

/* ---- a slow decoder (RFC 1951), written from the text of the standard ---- */

typedef struct bits
{
    const uint8_t *bytes;
    size_t count, at; /* at: in bits */
} bits;

static uint32_t take(bits *b, unsigned count)
{
    uint32_t value = 0;
    for (unsigned k = 0; k < count; k++, b->at++) {
        CHECK(b->at / 8 < b->count);
        value |= (uint32_t)(b->bytes[b->at / 8] >> b->at % 8 & 1) << k;
    }
    return value;
}

/*  Walks down a code bit by bit, as in 3.2.2. */
static uint32_t take_symbol(bits *b, const uint8_t *length, uint32_t count)
{
    uint32_t code = 0, first = 0;
    for (unsigned bits_taken = 1; bits_taken < 16; bits_taken++) {
        uint32_t many = 0;
        code |= take(b, 1);
        for (uint32_t k = 0; k < count; k++)
            many += length[k] == bits_taken;
        if (code - first < many) {
            uint32_t wanted = code - first;
            for (uint32_t k = 0;; k++)
                if (length[k] == bits_taken && wanted-- == 0)
                    return k;
        }
        first = (first + many) << 1;
        code <<= 1;
    }
    FAIL("no such code");
}

static void take_lengths(bits *b, uint8_t literal[288], uint8_t distance[32])
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t lengths[320] = {0}, codes[19] = {0};
    uint32_t literals = take(b, 5) + 257, distances = take(b, 5) + 1, sent = take(b, 4) + 4;
    CHECK(literals <= 286 && distances <= 30);
    for (uint32_t k = 0; k < sent; k++)
        codes[order[k]] = (uint8_t)take(b, 3);
    for (uint32_t k = 0; k < literals + distances;) {
        uint32_t symbol = take_symbol(b, codes, 19), again = 1;
        uint8_t value = (uint8_t)symbol;
        if (symbol == 16) {
            CHECK(k > 0);
            value = lengths[k - 1];
            again = 3 + take(b, 2);
        } else if (symbol >= 17) {
            value = 0;
            again = symbol == 17 ? 3 + take(b, 3) : 11 + take(b, 7);
        }
        CHECK(k + again <= literals + distances);
        while (again-- > 0)
            lengths[k++] = value;
    }
    memcpy(literal, lengths, literals);
    memcpy(distance, lengths + literals, distances);
}

/*  Inflates a zlib stream into exactly `count` bytes. */
static void inflate(const uint8_t *stream, size_t bytes, uint8_t *out, size_t count)
{
    static const uint16_t base[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                      15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                      67, 83, 99, 115, 131, 163, 195, 227, 258};
    bits b = {stream, bytes, 16};
    size_t used = 0;
    uint32_t is_last = 0, low = 1, high = 0;
    CHECK(bytes > 6 && (stream[0] * 256 + stream[1]) % 31 == 0 && (stream[0] & 15) == 8);
    while (!is_last) {
        uint8_t literal[288] = {0}, distance[32] = {0};
        is_last = take(&b, 1);
        CHECK_EQUAL(take(&b, 2), 2);
        take_lengths(&b, literal, distance);
        for (uint32_t symbol; (symbol = take_symbol(&b, literal, 288)) != 256;) {
            if (symbol < 256) {
                CHECK(used < count);
                out[used++] = (uint8_t)symbol;
                continue;
            }
            CHECK(symbol <= 285);
            unsigned extra = symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4;
            uint32_t length = base[symbol - 257] + take(&b, extra);
            uint32_t far = take_symbol(&b, distance, 32);
            unsigned more = far < 4 ? 0 : far / 2 - 1;
            uint32_t back = far < 4 ? far + 1 : (2 + far % 2) * (1u << more) + 1 + take(&b, more);
            CHECK(back <= used && back <= 32768 && used + length <= count);
            for (uint32_t k = 0; k < length; k++, used++)
                out[used] = out[used - back];
        }
    }
    CHECK_EQUAL(used, count);
    for (size_t k = 0; k < count; k++) {
        low = (low + out[k]) % 65521;
        high = (high + low) % 65521;
    }
    size_t tail = (b.at + 7) / 8;
    CHECK_EQUAL(tail + 4, bytes);
    CHECK_EQUAL((uint32_t)stream[tail] << 24 | (uint32_t)stream[tail + 1] << 16 |
                    (uint32_t)stream[tail + 2] << 8 | stream[tail + 3],
                high << 16 | low);
}

/* ---- chunks and filters ---- */

static uint32_t big_endian(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t slow_crc(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xffffffffu;
    for (size_t k = 0; k < count * 8; k++) {
        uint32_t bit = (crc ^ (uint32_t)bytes[k / 8] >> k % 8) & 1;
        crc = crc >> 1 ^ (bit ? 0xedb88320u : 0);
    }
    return ~crc;
}

/*  Checks all sums; returns where the data is. */
static const uint8_t *check_chunks(const uint8_t *png, size_t bytes, uint32_t width,
                                   uint32_t height, size_t *data_bytes)
{
    static const char *const names[] = {"IHDR", "IDAT", "IEND"};
    const uint8_t *data = NULL;
    size_t at = 8;
    CHECK(bytes > 57 && memcmp(png, "\x89PNG\r\n\x1a\n", 8) == 0);
    for (int k = 0; k < 3; k++) {
        CHECK(at + 12 <= bytes);
        size_t content = big_endian(png + at);
        CHECK(at + 12 + content <= bytes);
        CHECK(memcmp(png + at + 4, names[k], 4) == 0);
        CHECK_EQUAL(slow_crc(png + at + 4, content + 4), big_endian(png + at + 8 + content));
        if (k == 1) {
            data = png + at + 8;
            *data_bytes = content;
        }
        at += 12 + content;
    }
    CHECK_EQUAL(at, bytes);
    CHECK_EQUAL(big_endian(png + 16), width);
    CHECK_EQUAL(big_endian(png + 20), height);
    CHECK(memcmp(png + 24, "\x08\x02\0\0\0", 5) == 0);
    return data;
}

static int nearest_of_three(int a, int b, int c)
{
    int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

static void undo_filters(uint8_t *rows, uint32_t width, uint32_t height, uint32_t seen[5])
{
    size_t bytes = (size_t)width * 3;
    for (uint32_t y = 0; y < height; y++) {
        uint8_t *row = rows + y * (bytes + 1), filter = *row++;
        CHECK(filter < 5);
        seen[filter]++;
        for (size_t k = 0; k < bytes; k++) {
            int a = k >= 3 ? row[k - 3] : 0, b = y ? row[k - bytes - 1] : 0;
            int c = y && k >= 3 ? row[k - bytes - 4] : 0;
            int add = filter == 0   ? 0
                      : filter == 1 ? a
                      : filter == 2 ? b
                      : filter == 3 ? (a + b) >> 1
                                    : nearest_of_three(a, b, c);
            row[k] = (uint8_t)(row[k] + add);
        }
    }
}

static size_t check_round(const uint8_t *pixels, uint32_t width, uint32_t height, uint32_t seen[5])
{
    size_t row = (size_t)width * 3, bytes, data_bytes = 0;
    uint8_t *png, *rows = malloc((row + 1) * height);
    scree_error error;
    if (scree_png_encode(pixels, width, height, NULL, &png, &bytes, &error))
        FAIL("%s", error.text);
    const uint8_t *data = check_chunks(png, bytes, width, height, &data_bytes);
    inflate(data, data_bytes, rows, (row + 1) * height);
    undo_filters(rows, width, height, seen);
    for (uint32_t y = 0; y < height; y++)
        CHECK(memcmp(rows + y * (row + 1) + 1, pixels + y * row, row) == 0);
    free(rows);
    free(png);
    return bytes;
}

/* ---- tests ---- */

enum pattern
{
    FLAT,
    NOISE,
    SLOPE,
    TILES,
    FEW,
    PATTERNS,
};

static void paint(uint8_t *pixels, uint32_t width, uint32_t height, int pattern)
{
    scree_random random = scree_random_stream((uint64_t)pattern, width);
    for (size_t k = 0; k < (size_t)width * height * 3; k++) {
        size_t x = k / 3 % width, y = k / 3 / width;
        pixels[k] = (uint8_t)(pattern == FLAT    ? 77
                              : pattern == NOISE ? scree_random_below(&random, 256)
                              : pattern == SLOPE ? 2 * x + (k % 3) * y / 2 + x * y / 64
                              : pattern == TILES ? (x / 7 * 31 ^ y / 5 * 17) + k % 3 * 40
                                                 : scree_random_below(&random, 2) * 255);
    }
}

TEST(what_is_encoded_is_decoded)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 300}, {300, 1}, {5, 4}, {257, 131}, {16384, 2}};
    uint32_t seen[5] = {0};
    uint8_t *pixels = malloc(3 * 16384 * 131);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int pattern = 0; pattern < PATTERNS; pattern++) {
            paint(pixels, sizes[s][0], sizes[s][1], pattern);
            size_t bytes = check_round(pixels, sizes[s][0], sizes[s][1], seen);
            size_t raw = (size_t)sizes[s][0] * sizes[s][1] * 3;
            if (pattern == FLAT && raw > 10000)
                CHECK(bytes < raw / 100);
            CHECK(bytes < raw + raw / 200 + sizes[s][1] + 400); /* noise grows by a little */
        }
    /* the choice of filters is made */
    for (int f = 0; f < 5; f++)
        CHECK(seen[f] > 0);
    free(pixels);
}

/*  Weights like Fibonacci's numbers make Huffman's code as deep as there are symbols. */
TEST(codes_are_never_too_long)
{
    uint32_t weight[30] = {1, 1};
    uint8_t length[30];
    uint64_t text_before = 0;
    for (int k = 2; k < 30; k++)
        weight[k] = weight[k - 1] + weight[k - 2];
    weight[7] = 0;
    for (unsigned limit = 5; limit <= 40; limit++) {
        uint64_t room = 0, text = 0;
        scree_code_lengths(weight, 30, limit, length);
        for (int k = 0; k < 30; k++) {
            CHECK((length[k] == 0) == (weight[k] == 0));
            CHECK(length[k] <= limit);
            room += length[k] ? (uint64_t)1 << (40 - length[k]) : 0;
            text += (uint64_t)length[k] * weight[k];
        }
        CHECK(room == (uint64_t)1 << 40); /* Kraft: no code is missing, and none is double */
        text_before = limit > 5 ? text_before : text;
        CHECK(text <= text_before); /* more room, no longer text */
        text_before = text;
    }
    /* one symbol has a bit, none have none */
    memset(weight, 0, sizeof weight);
    weight[4] = 9;
    scree_code_lengths(weight, 30, 15, length);
    CHECK_EQUAL(length[4], 1);
    CHECK_EQUAL(length[3], 0);
}

TEST(streams_may_be_empty)
{
    scree_memory memory;
    scree_deflated file = {0};
    uint8_t byte = 0;
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    CHECK_EQUAL(scree_deflate(&byte, 0, &memory, &file), SCREE_OK);
    inflate(file.bytes, file.count, &byte, 0);
    scree_memory_give(&memory, &file.bytes, file.capacity, 1);
    CHECK_EQUAL(scree_deflate(&byte, UINT32_MAX, &memory, &file), SCREE_TOO_LARGE);
    CHECK_EQUAL(memory.bytes, 0);
}

TEST(other_decoders_read_it)
{
    static const char script[] =
        "import sys,struct\n"
        "try: import zlib\n"
        "except ImportError: sys.exit(127)\n"
        "d=open(sys.argv[1],'rb').read(); n=struct.unpack('>I',d[33:37])[0]\n"
        "assert d[37:41]==b'IDAT' and zlib.crc32(d[37:41+n])==struct.unpack('>I',d[41+n:45+n])[0]\n"
        "assert len(zlib.decompress(d[41:41+n]))==131*(1+257*3)\n";
    uint8_t *pixels = malloc(3 * 257 * 131);
    char path[64];
    const char *const words[] = {"python3", "-c", script, path, NULL};
    scree_error error;
    snprintf(path, sizeof path, "/tmp/scree-png-%ld.png", (long)getpid());
    paint(pixels, 257, 131, TILES);
    CHECK_EQUAL(scree_png_write(pixels, 257, 131, path, &error), SCREE_OK);
    int code = run_program(words);
    unlink(path);
    free(pixels);
    if (code == 127)
        printf("skipped: no python3\n");
    else
        CHECK_EQUAL(code, 0);
}

TEST(what_cannot_be_encoded_is_refused)
{
    uint8_t pixels[12] = {0}, *bytes;
    size_t count;
    scree_error error;
    CHECK_EQUAL(scree_png_encode(pixels, 0, 1, NULL, &bytes, &count, &error), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "0 x 1 pixels, must be 1 to 16384");
    CHECK_EQUAL(scree_png_encode(pixels, 1, 0, NULL, &bytes, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_png_encode(pixels, 1u << 31, 2, NULL, &bytes, &count, NULL),
                SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_png_encode(pixels, 2, 1u << 31, NULL, &bytes, &count, NULL),
                SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_png_encode(NULL, 2, 2, NULL, &bytes, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_png_encode(pixels, 2, 2, NULL, NULL, &count, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_png_encode(pixels, 2, 2, NULL, &bytes, NULL, NULL), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_png_write(pixels, 2, 2, "/nowhere/at/all.png", &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/nowhere/at/all.png");
    CHECK_EQUAL(scree_png_write(pixels, 0, 2, "/nowhere/at/all.png", &error), SCREE_BAD_ARGUMENT);
}

TEST(every_failed_allocation_is_survived)
{
    uint8_t *pixels = malloc(3 * 257 * 131), *bytes;
    size_t count;
    paint(pixels, 257, 131, NOISE);
    for (size_t k = 1;; k++) {
        failing_allocator books = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&books);
        scree_status status = scree_png_encode(pixels, 257, 131, &hooks, &bytes, &count, NULL);
        CHECK_EQUAL(status, books.requests >= k ? SCREE_OUT_OF_MEMORY : SCREE_OK);
        if (!status)
            hooks.release(bytes, count, hooks.user);
        CHECK(failing_allocator_is_clean(&books));
        if (books.requests < k)
            break;
    }
    free(pixels);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(what_is_encoded_is_decoded),
        CASE(codes_are_never_too_long),
        CASE(streams_may_be_empty),
        CASE(other_decoders_read_it),
        CASE(what_cannot_be_encoded_is_refused),
        CASE(every_failed_allocation_is_survived),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
