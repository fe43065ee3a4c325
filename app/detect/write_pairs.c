/*  Formats text in its own buffer: a printf for each of some million pairs would take longer than detection. Binary
    numbers are little-endian on every machine. */
#include "app/detect/write_pairs.h"

#include <string.h>

typedef struct block
{
    FILE *out;
    size_t used;
    char bytes[65536];
} block;

static void flush_block(block *b)
{
    fwrite(b->bytes, 1, b->used, b->out);
    b->used = 0;
}

/*  Room for one number and one separator. */
static char *reserve(block *b)
{
    if (b->used + 32 > sizeof b->bytes)
        flush_block(b);
    return b->bytes + b->used;
}

static void put_decimal(block *b, uint64_t value, char after)
{
    char digits[20], *to = reserve(b);
    size_t n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    for (size_t k = 0; k < n; k++)
        to[k] = digits[n - 1 - k];
    to[n] = after;
    b->used += n + 1;
}

static void put_binary(block *b, uint64_t value, size_t bytes)
{
    char *to = reserve(b);
    for (size_t k = 0; k < bytes; k++)
        to[k] = (char)(unsigned char)(value >> (8 * k));
    b->used += bytes;
}

static void put_byte(block *b, char byte)
{
    *reserve(b) = byte;
    b->used++;
}

static void put_magic(block *b, const char *magic)
{
    memcpy(reserve(b), magic, 8);
    b->used += 8;
    put_binary(b, 1, 4); /* version */
    put_binary(b, 0, 4);
}

void scree_write_pairs(const scree_body_table *table, const scree_pairs *pairs, bool binary,
                       FILE *out)
{
    block b = {.out = out};
    if (binary) {
        put_magic(&b, "SCREEPRS");
        put_binary(&b, pairs->count, 8);
        for (uint64_t k = 0; k < pairs->count; k++)
            put_binary(&b, scree_row_id(table, pairs->first[k]), 4);
        for (uint64_t k = 0; k < pairs->count; k++)
            put_binary(&b, scree_row_id(table, pairs->second[k]), 4);
    } else {
        fputs("first,second\n", out);
        for (uint64_t k = 0; k < pairs->count; k++) {
            put_decimal(&b, scree_row_id(table, pairs->first[k]), ',');
            put_decimal(&b, scree_row_id(table, pairs->second[k]), '\n');
        }
    }
    flush_block(&b);
}

/*  Text: one line per body, "id,neighbours", the neighbours separated by blanks. */
void scree_write_neighbors(const scree_body_table *table, const scree_neighbors *neighbors,
                           bool binary, FILE *out)
{
    block b = {.out = out};
    uint32_t rows = (uint32_t)table->count;
    if (binary) {
        put_magic(&b, "SCREENBR");
        put_binary(&b, rows, 8);
        put_binary(&b, neighbors->count, 8);
        for (uint32_t i = 0; i < rows; i++)
            put_binary(&b, scree_row_id(table, i), 4);
        for (uint32_t i = 0; i <= rows; i++)
            put_binary(&b, neighbors->start[i < neighbors->id_bound ? i : neighbors->id_bound], 8);
        for (uint64_t k = 0; k < neighbors->count; k++)
            put_binary(&b, scree_row_id(table, neighbors->neighbor[k]), 4);
    } else {
        fputs("id,neighbors\n", out);
        for (uint32_t i = 0; i < rows; i++) {
            bool known = i < neighbors->id_bound;
            uint64_t begin = known ? neighbors->start[i] : 0;
            uint64_t end = known ? neighbors->start[i + 1] : 0;
            put_decimal(&b, scree_row_id(table, i), ',');
            if (begin == end)
                put_byte(&b, '\n');
            for (uint64_t k = begin; k < end; k++)
                put_decimal(&b, scree_row_id(table, neighbors->neighbor[k]),
                            k + 1 < end ? ' ' : '\n');
        }
    }
    flush_block(&b);
}
