/*  Animated PNG files: each frame, taken out again, is the picture that went in; what is no picture, or one of another
    size, is refused, and a file that is there stays. */
#include "picture/animation.h"
#include "picture/png_chunk.h"
#include "scree/picture.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FRAMES 3
#define WIDTH 19u
#define HEIGHT 7u

typedef struct text
{
    uint8_t bytes[20000];
    size_t count;
} text;

static char folder[64];

/*  One buffer for each index, so that several paths may be in use. */
static const char *path_of(int index)
{
    static char paths[FRAMES + 2][96];

    snprintf(paths[index], sizeof paths[index], "%s/%d.png", folder, index);
    return paths[index];
}
#define MOVIE FRAMES
#define OTHER (FRAMES + 1)

static void read_text(const char *path, text *t)
{
    FILE *file = fopen(path, "rb");

    if (!file)
        FAIL("%s is not there", path);
    t->count = fread(t->bytes, 1, sizeof t->bytes, file);
    fclose(file);
}

static void write_text(const char *path, const void *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");

    CHECK(file && fwrite(bytes, 1, count, file) == count && fclose(file) == 0);
}

static void write_picture(const char *path, uint32_t width, uint32_t seed)
{
    static uint8_t pixels[WIDTH * HEIGHT * 3];

    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * seed + i / 7);
    CHECK_EQUAL(scree_png_write(pixels, width, HEIGHT, path, NULL), SCREE_OK);
}

static void begin_test(void)
{
    snprintf(folder, sizeof folder, "/tmp/scree-animation-XXXXXX");
    CHECK(mkdtemp(folder));
    for (int k = 0; k < FRAMES; k++)
        write_picture(path_of(k), WIDTH, 3 + (uint32_t)k);
}

static void end_test(void)
{
    for (int k = 0; k <= OTHER; k++)
        unlink(path_of(k));
    CHECK_EQUAL(rmdir(folder), 0);
}

/*  Bit by bit, as the standard says. */
static uint32_t slow_crc(const uint8_t *bytes, size_t count)
{
    uint32_t crc = 0xffffffffu;

    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        for (int k = 0; k < 8; k++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return ~crc;
}

static void put(text *t, const void *bytes, size_t count)
{
    if (count)
        memcpy(t->bytes + t->count, bytes, count);
    t->count += count;
}

static void put_chunk(text *t, const char *name, const uint8_t *bytes, size_t count)
{
    uint8_t number[4];
    size_t from = t->count + 4;

    scree_set_big_endian(number, (uint32_t)count);
    put(t, number, 4);
    put(t, name, 4);
    put(t, bytes, count);
    scree_set_big_endian(number, slow_crc(t->bytes + from, 4 + count));
    put(t, number, 4);
}

/*  Goes through all chunks, and makes a picture of each frame. */
static void take_apart(const text *movie, text frames[FRAMES], uint32_t rate)
{
    int frame = -1;
    uint32_t sequence = 0;

    for (size_t at = 8; at < movie->count;) {
        const uint8_t *chunk = movie->bytes + at, *data = chunk + 8;
        size_t count = scree_get_big_endian(chunk);
        CHECK_EQUAL(scree_get_big_endian(data + count), slow_crc(chunk + 4, 4 + count));
        if (memcmp(chunk + 4, "acTL", 4) == 0)
            CHECK(scree_get_big_endian(data) == FRAMES && scree_get_big_endian(data + 4) == 0);
        if (memcmp(chunk + 4, "fcTL", 4) == 0) {
            CHECK_EQUAL(scree_get_big_endian(data), sequence++);
            CHECK(scree_get_big_endian(data + 4) == WIDTH &&
                  scree_get_big_endian(data + 8) == HEIGHT);
            CHECK(data[20] == 0 && data[21] == 1);
            CHECK_EQUAL(data[22] * 256u + data[23], rate);
            frame++;
            frames[frame].count = 0;
            put(&frames[frame], movie->bytes, 33);
        }
        if (memcmp(chunk + 4, "IDAT", 4) == 0) {
            CHECK_EQUAL(frame, 0);
            put_chunk(&frames[frame], "IDAT", data, count);
        }
        if (memcmp(chunk + 4, "fdAT", 4) == 0) {
            CHECK(frame > 0);
            CHECK_EQUAL(scree_get_big_endian(data), sequence++);
            put_chunk(&frames[frame], "IDAT", data + 4, count - 4);
        }
        at += 12 + count;
        if (at == movie->count)
            CHECK(memcmp(chunk + 4, "IEND", 4) == 0);
    }
    CHECK_EQUAL(frame, FRAMES - 1);
}

TEST(frames_are_the_pictures)
{
    static text movie, frames[FRAMES], wanted;
    scree_animation animation;

    begin_test();
    scree_animation_begin(&animation, path_of(MOVIE), FRAMES, 300, NULL);
    for (int k = 0; k < FRAMES; k++)
        scree_animation_add(&animation, path_of(k));
    CHECK_EQUAL(scree_animation_commit(&animation), SCREE_OK);
    read_text(path_of(MOVIE), &movie);
    take_apart(&movie, frames, 300);
    for (int k = 0; k < FRAMES; k++) {
        put_chunk(&frames[k], "IEND", NULL, 0);
        read_text(path_of(k), &wanted);
        CHECK_EQUAL(frames[k].count, wanted.count);
        CHECK(memcmp(frames[k].bytes, wanted.bytes, wanted.count) == 0);
    }
    end_test();
}

/*  The first picture, then one that must be refused with these words; the file of before stays. */
static void refuses(uint32_t count, const char *path, const char *says)
{
    static text movie;
    scree_error error = {SCREE_OK, ""};
    scree_animation animation;

    write_text(path_of(MOVIE), "old", 3);
    scree_animation_begin(&animation, path_of(MOVIE), count, 25, &error);
    scree_animation_add(&animation, path_of(0));
    if (path)
        scree_animation_add(&animation, path);
    CHECK(scree_animation_commit(&animation) != SCREE_OK);
    if (!strstr(error.text, says))
        FAIL("says \"%s\", not \"%s\"", error.text, says);
    read_text(path_of(MOVIE), &movie);
    CHECK(movie.count == 3 && memcmp(movie.bytes, "old", 3) == 0);
}

TEST(what_is_no_frame_is_refused)
{
    static text frame;

    begin_test();
    refuses(2, path_of(OTHER), "4.png: cannot be opened");
    write_picture(path_of(OTHER), WIDTH - 1, 5);
    refuses(2, path_of(OTHER), "4.png: has 18 x 7 pixels, the frames before have 19 x 7");
    write_text(path_of(OTHER), "no picture at all, but longer than a head is", 44);
    refuses(2, path_of(OTHER), "4.png: is not a PNG file");
    write_text(path_of(OTHER), "", 0);
    refuses(2, path_of(OTHER), "4.png: is not a PNG file");
    read_text(path_of(1), &frame);
    for (size_t count = 33; count < frame.count - 12; count += 7) {
        write_text(path_of(OTHER), frame.bytes, count);
        refuses(2, path_of(OTHER), "4.png: ends too early");
    }
    refuses(1, path_of(1), "1.png: is one frame more than 1");
    refuses(2, NULL, "only 1 of 2 frames were added");
    end_test();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(frames_are_the_pictures),
        CASE(what_is_no_frame_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
