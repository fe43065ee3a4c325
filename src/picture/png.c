/*  PNG files of 8-bit red, green and blue (ISO 15948). Each row is encoded as differences from its neighbours, with
    that of the five filters that leaves the smallest numbers. */
#include "base/error.h"
#include "io/write_file.h"
#include "picture/deflate.h"
#include "picture/picture_internal.h"
#include "picture/png_chunk.h"

#include <stdlib.h>
#include <string.h>

#define FILTERS 5
#define MAX_PIXELS 16384u /* along an edge */

static int paeth(int left, int above, int corner)
{
    int guess = left + above - corner;
    int from_left = abs(guess - left), from_above = abs(guess - above),
        from_corner = abs(guess - corner);
    if (from_left <= from_above && from_left <= from_corner)
        return left;
    return from_above <= from_corner ? above : corner;
}

static uint8_t filtered_byte(int filter, const uint8_t *row, const uint8_t *above, size_t i)
{
    int left = i >= 3 ? row[i - 3] : 0, up = above ? above[i] : 0,
        corner = above && i >= 3 ? above[i - 3] : 0;
    int guess = filter == 1   ? left
                : filter == 2 ? up
                : filter == 3 ? (left + up) / 2
                : filter == 4 ? paeth(left, up, corner)
                              : 0;
    return (uint8_t)(row[i] - guess);
}

/*  `out` has room for FILTERS rows; the best one is moved to the front. */
static void filter_row(const uint8_t *row, const uint8_t *above, size_t bytes, uint8_t *trial,
                       uint8_t *out)
{
    uint64_t least = UINT64_MAX;
    for (int filter = 0; filter < FILTERS; filter++) {
        uint64_t sum = 0;
        trial[0] = (uint8_t)filter;
        for (size_t i = 0; i < bytes; i++) {
            uint8_t byte = filtered_byte(filter, row, above, i);
            trial[1 + i] = byte;
            sum += byte < 128 ? byte : 256u - byte;
        }
        if (sum < least) {
            least = sum;
            memcpy(out, trial, 1 + bytes);
        }
    }
}

/*  Processes four bits at a time. */
uint32_t scree_png_crc(uint32_t before, const uint8_t *bytes, size_t count)
{
    static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac,
                                       0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
                                       0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                       0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = ~before;
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ table[crc & 15];
        crc = crc >> 4 ^ table[crc & 15];
    }
    return ~crc;
}

/*  A chunk whose content has already been written after its eight bytes of head. */
static uint8_t *close_chunk(uint8_t *chunk, const char *name, size_t bytes)
{
    scree_set_big_endian(chunk, (uint32_t)bytes);
    memcpy(chunk + 4, name, 4);
    scree_set_big_endian(chunk + 8 + bytes, scree_png_crc(0, chunk + 4, 4 + bytes));
    return chunk + 12 + bytes;
}

static void write_head(uint8_t *to, uint32_t width, uint32_t height)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    memcpy(to, signature, sizeof signature);
    scree_set_big_endian(to + 16, width);
    scree_set_big_endian(to + 20, height);
    to[24] = 8; /* bits per channel */
    to[25] = 2; /* colour type: RGB */
    to[26] = to[27] = to[28] = 0;
    close_chunk(to + 8, "IHDR", 13);
}

/*  All rows, each preceded by the number of its filter. */
static scree_status filter_rows(const uint8_t *pixels, uint32_t width, uint32_t height,
                                scree_memory *memory, uint8_t **rows)
{
    size_t bytes = (size_t)width * 3;
    uint8_t *trial = NULL;
    scree_status status = scree_memory_take(memory, height, 1 + bytes, rows);
    if (!status)
        status = scree_memory_take(memory, 1 + bytes, 1, &trial);
    for (uint32_t y = 0; y < height && !status; y++)
        filter_row(pixels + y * bytes, y > 0 ? pixels + (y - 1) * bytes : NULL, bytes, trial,
                   *rows + y * (1 + bytes));
    scree_memory_give(memory, &trial, 1 + bytes, 1);
    return status;
}

scree_status scree_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                              const scree_allocator *allocator, uint8_t **bytes, size_t *count,
                              scree_error *error)
{
    const size_t before = 8 + 25 + 8; /* signature, head, and the head of the data */
    scree_deflated file = {.count = before};
    size_t row_bytes = 1 + (size_t)width * 3;
    scree_memory memory;
    uint8_t *rows = NULL;

    if (!bytes || !count)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "png: bytes and count must be given");
    *bytes = NULL;
    *count = 0;
    if (!pixels || width == 0 || height == 0 || width > MAX_PIXELS || height > MAX_PIXELS)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "png: %u x %u pixels, must be 1 to %u along each edge", width, height,
                          MAX_PIXELS);
    scree_status status = scree_memory_init(&memory, allocator);
    if (!status)
        status = scree_memory_reserve(&memory, &file.bytes, &file.capacity, before, 1);
    if (!status)
        status = filter_rows(pixels, width, height, &memory, &rows);
    if (!status)
        status = scree_deflate(rows, row_bytes * height, &memory, &file);
    scree_memory_give(&memory, &rows, height, row_bytes);
    /* a block of exactly this size, since the caller frees it by its count */
    if (!status)
        status = scree_memory_take(&memory, file.count + 16, 1, bytes);
    if (!status) {
        memcpy(*bytes, file.bytes, file.count);
        write_head(*bytes, width, height);
        uint8_t *end = close_chunk(*bytes + before - 8, "IDAT", file.count - before);
        end = close_chunk(end, "IEND", 0);
        *count = (size_t)(end - *bytes);
    }
    scree_memory_give(&memory, &file.bytes, file.capacity, 1);
    return status ? scree_fail(error, status, "png: %s", scree_status_name(status)) : SCREE_OK;
}

scree_status scree_png_write_in(const scree_allocator *allocator, const uint8_t *pixels,
                                uint32_t width, uint32_t height, const char *path,
                                scree_error *error)
{
    uint8_t *bytes;
    size_t count;
    scree_file file;
    scree_memory memory;
    scree_status status = scree_png_encode(pixels, width, height, allocator, &bytes, &count, error);
    if (status)
        return status;
    status = scree_file_begin(&file, path, allocator, error);
    if (!status) {
        file.skip_sync = true; /* a picture that is lost in a power failure can be rendered again */
        scree_file_put(&file, bytes, count);
        status = scree_file_commit(&file);
    }
    scree_memory_init(&memory, allocator);
    scree_memory_give(&memory, &bytes, count, 1);
    return status;
}

scree_status scree_png_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                             const char *path, scree_error *error)
{
    return scree_png_write_in(NULL, pixels, width, height, path, error);
}
