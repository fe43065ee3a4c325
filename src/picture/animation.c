/*  APNG: the chunk acTL has the number of frames, fcTL stands before each frame, and frames after the first have their
    compressed pixels in fdAT instead of IDAT. Chunks fcTL and fdAT are numbered in one sequence. (PNG specification,
    third edition, 2025, section 11.3.2.4) */
#include "picture/animation.h"

#include "base/error.h"
#include "io/read_file.h"
#include "picture/png_chunk.h"

#include <string.h>

#define HEAD_BYTES 33u  /* signature, and the chunk IHDR */
#define CHUNK_BYTES 12u /* length, name, checksum */

static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};

/*  A chunk of two parts; `first` may be of no bytes. */
static void put_chunk(scree_file *file, const char name[4], const uint8_t *first,
                      size_t first_count, const uint8_t *second, size_t second_count)
{
    uint8_t number[4];
    uint32_t crc = scree_png_crc(0, (const uint8_t *)name, 4);

    scree_set_big_endian(number, (uint32_t)(first_count + second_count));
    scree_file_put(file, number, 4);
    scree_file_put(file, name, 4);
    scree_file_put(file, first, first_count);
    scree_file_put(file, second, second_count);
    crc = scree_png_crc(crc, first, first_count);
    crc = scree_png_crc(crc, second, second_count);
    scree_set_big_endian(number, crc);
    scree_file_put(file, number, 4);
}

static void put_numbered(scree_animation *animation, const char name[4], const uint8_t *bytes,
                         size_t count)
{
    uint8_t number[4];

    scree_set_big_endian(number, animation->sequence++);
    put_chunk(&animation->file, name, number, 4, bytes, count);
}

/* ---- a frame ---- */

static bool is_png(const scree_file_bytes *frame)
{
    return frame->count >= HEAD_BYTES && memcmp(frame->bytes, signature, sizeof signature) == 0 &&
           memcmp(frame->bytes + 12, "IHDR", 4) == 0;
}

/*  Size, place 0 0, time 1 / rate; replaces all of the frame before. */
static void put_control(scree_animation *animation)
{
    uint8_t control[22] = {0};

    scree_set_big_endian(control, animation->width);
    scree_set_big_endian(control + 4, animation->height);
    control[17] = 1;
    control[18] = (uint8_t)(animation->rate >> 8);
    control[19] = (uint8_t)animation->rate;
    put_numbered(animation, "fcTL", control, sizeof control);
}

static void put_head(scree_animation *animation, const scree_file_bytes *frame)
{
    uint8_t control[8];

    animation->width = scree_get_big_endian(frame->bytes + 16);
    animation->height = scree_get_big_endian(frame->bytes + 20);
    scree_file_put(&animation->file, frame->bytes, HEAD_BYTES);
    scree_set_big_endian(control, animation->count);
    scree_set_big_endian(control + 4, 0); /* plays without end */
    put_chunk(&animation->file, "acTL", NULL, 0, control, sizeof control);
}

/*  False if the file ends within a chunk. */
static bool put_pixels(scree_animation *animation, const scree_file_bytes *frame)
{
    size_t at = HEAD_BYTES;

    while (frame->count - at >= CHUNK_BYTES) {
        const uint8_t *chunk = frame->bytes + at;
        size_t count = scree_get_big_endian(chunk);
        if (count > frame->count - at - CHUNK_BYTES)
            return false;
        if (memcmp(chunk + 4, "IEND", 4) == 0)
            return true;
        if (memcmp(chunk + 4, "IDAT", 4) == 0) {
            if (animation->added == 0)
                put_chunk(&animation->file, "IDAT", NULL, 0, chunk + 8, count);
            else
                put_numbered(animation, "fdAT", chunk + 8, count);
        }
        at += CHUNK_BYTES + count;
    }
    return false;
}

static scree_status put_frame(scree_animation *animation, const scree_file_bytes *frame,
                              const char *path)
{
    if (!is_png(frame))
        return scree_fail(animation->error, SCREE_BAD_FILE, "%s: is not a PNG file", path);
    if (animation->added == 0)
        put_head(animation, frame);
    uint32_t width = scree_get_big_endian(frame->bytes + 16),
             height = scree_get_big_endian(frame->bytes + 20);
    if (width != animation->width || height != animation->height)
        return scree_fail(animation->error, SCREE_BAD_FILE,
                          "%s: has %u x %u pixels, the frames before have %u x %u", path, width,
                          height, animation->width, animation->height);
    put_control(animation);
    if (!put_pixels(animation, frame))
        return scree_fail(animation->error, SCREE_BAD_FILE, "%s: ends too early", path);
    animation->added++;
    return SCREE_OK;
}

/* ---- the calls ---- */

void scree_animation_begin(scree_animation *animation, const char *path, uint32_t count,
                           uint32_t rate, scree_error *error)
{
    *animation = (scree_animation){.error = error, .count = count, .rate = rate};
    animation->status = scree_memory_init(&animation->memory, NULL);
    if (!animation->status)
        animation->status = scree_file_begin(&animation->file, path, NULL, error);
    animation->file.skip_sync = true; /* it can be made again */
}

void scree_animation_add(scree_animation *animation, const char *path)
{
    scree_file_bytes frame = {0};

    if (!animation->status && animation->added == animation->count)
        animation->status = scree_fail(animation->error, SCREE_BAD_ARGUMENT,
                                       "%s: is one frame more than %u", path, animation->count);
    if (animation->status)
        return;
    animation->status = scree_file_read(path, NULL, &animation->memory, &frame, animation->error);
    if (!animation->status)
        animation->status = put_frame(animation, &frame, path);
    scree_file_bytes_free(&frame, &animation->memory);
}

scree_status scree_animation_commit(scree_animation *animation)
{
    if (!animation->status && animation->added < animation->count)
        animation->status = scree_fail(animation->error, SCREE_BAD_ARGUMENT,
                                       "animation: only %u of %u frames were added",
                                       animation->added, animation->count);
    if (animation->status) {
        scree_file_abandon(&animation->file);
        return animation->status;
    }
    put_chunk(&animation->file, "IEND", NULL, 0, NULL, 0);
    return scree_file_commit(&animation->file);
}
