/*  Each row is stored as differences from the pixel on the left (PNG filter "Sub"), which makes
   flat colours runs of zeros; runs become deflate matches of distance 1 in the fixed Huffman code
    (RFC 1951, 3.2.6), everything else literals. Simple, and a tenth of the raw size for drawings.
 */
#include "png.h"

#include <stdlib.h>

typedef struct bits
{
    uint8_t *bytes;
    size_t used;
    uint32_t hold;
    unsigned count;
} bits;

static void put_bits(bits *b, uint32_t value, unsigned count)
{
    b->hold |= value << b->count;
    b->count += count;
    while (b->count >= 8) {
        b->bytes[b->used++] = (uint8_t)b->hold;
        b->hold >>= 8;
        b->count -= 8;
    }
}

/*  Huffman codes go in from their highest bit. */
static void put_code(bits *b, uint32_t code, unsigned count)
{
    uint32_t reversed = 0;
    for (unsigned k = 0; k < count; k++)
        reversed |= (code >> k & 1) << (count - 1 - k);
    put_bits(b, reversed, count);
}

static void put_symbol(bits *b, uint32_t symbol)
{
    if (symbol < 144)
        put_code(b, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(b, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(b, symbol - 256, 7);
    else
        put_code(b, 0xc0 + symbol - 280, 8);
}

/*  A match of 3 to 258 bytes that repeats the byte before it. Lengths from 11 on come in groups of
   four symbols, each group with one more extra bit (RFC 1951, 3.2.5). */
static void put_run(bits *b, uint32_t length)
{
    uint32_t symbol = 257, base = 3;
    unsigned extra = 0;
    if (length == 258) {
        put_symbol(b, 285);
        put_code(b, 0, 5);
        return;
    }
    while (length >= base + (1u << extra)) {
        base += 1u << extra;
        symbol++;
        if (symbol >= 265 && (symbol - 265) % 4 == 0)
            extra++;
    }
    put_symbol(b, symbol);
    put_bits(b, length - base, extra);
    put_code(b, 0, 5);
}

static uint32_t crc_of(uint32_t crc, const uint8_t *bytes, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        crc ^= bytes[k];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    return crc;
}

static void put_big_endian(uint8_t *to, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        to[k] = (uint8_t)(value >> (24 - 8 * k));
}

static void write_chunk(const char *type, const uint8_t *content, size_t size, FILE *out)
{
    uint8_t word[4];
    put_big_endian(word, (uint32_t)size);
    fwrite(word, 1, 4, out);
    fwrite(type, 1, 4, out);
    fwrite(content, 1, size, out);
    uint32_t crc = crc_of(0xffffffffu, (const uint8_t *)type, 4);
    put_big_endian(word, ~crc_of(crc, content, size));
    fwrite(word, 1, 4, out);
}

/*  Byte `at` of the filtered image: each row begins with the number of its filter, 1. */
static uint8_t filtered(const uint8_t *pixels, size_t row_bytes, size_t row, size_t at)
{
    const uint8_t *line = pixels + row * row_bytes;
    if (at == 0)
        return 1;
    return (uint8_t)(line[at - 1] - (at > 3 ? line[at - 4] : 0));
}

static void deflate_image(bits *b, const uint8_t *pixels, size_t row_bytes, uint32_t height)
{
    uint32_t low = 1, high = 0, run = 0;
    int last = -1;
    for (size_t row = 0; row < height; row++)
        for (size_t at = 0; at <= row_bytes; at++) {
            uint8_t byte = filtered(pixels, row_bytes, row, at);
            low = (low + byte) % 65521; /* Adler-32, RFC 1950 */
            high = (high + low) % 65521;
            if (byte == last && run < 258) {
                run++;
                continue;
            }
            for (; run > 0 && run < 3; run--)
                put_symbol(b, (uint32_t)last);
            if (run)
                put_run(b, run);
            run = byte == last;
            if (!run)
                put_symbol(b, byte);
            last = byte;
        }
    for (; run > 0 && run < 3; run--)
        put_symbol(b, (uint32_t)last);
    if (run)
        put_run(b, run);
    put_symbol(b, 256);
    put_bits(b, 0, (8 - b->count) % 8);
    put_big_endian(b->bytes + b->used, high << 16 | low);
    b->used += 4;
}

scree_status scree_bench_png(const uint8_t *pixels, uint32_t width, uint32_t height, FILE *out)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t head[13] = {0};
    if (width == 0 || height == 0 || width > 32768 || height > 32768)
        return SCREE_TOO_LARGE;
    size_t row_bytes = (size_t)width * 3;
    bits b = {0};
    /* a literal takes at most 9 bits */
    b.bytes = malloc((row_bytes + 1) * height / 8 * 9 + 64);
    if (!b.bytes)
        return SCREE_OUT_OF_MEMORY;
    put_big_endian(head, width);
    put_big_endian(head + 4, height);
    head[8] = 8; /* bits a channel */
    head[9] = 2; /* RGB */
    b.bytes[b.used++] = 0x78;
    b.bytes[b.used++] = 0x01;
    put_bits(&b, 3, 3); /* last block, fixed codes */
    deflate_image(&b, pixels, row_bytes, height);
    fwrite(signature, 1, sizeof signature, out);
    write_chunk("IHDR", head, sizeof head, out);
    write_chunk("IDAT", b.bytes, b.used, out);
    write_chunk("IEND", head, 0, out);
    free(b.bytes);
    return SCREE_OK;
}
