#include "common/film_head.h"
#include "common/film_format.h"

#include <math.h>
#include <string.h>

static uint64_t whole_at(const unsigned char *at, int bytes)
{
    uint64_t value = 0;

    for (int k = 0; k < bytes; k++)
        value |= (uint64_t)at[k] << 8 * k;
    return value;
}

static double real_at(const unsigned char *at)
{
    uint64_t bits = whole_at(at, 8);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

bool scree_film_read_head(const unsigned char *bytes, size_t count, scree_film_head *head)
{
    const unsigned char *at = bytes + SCREE_FILM_MAGIC_BYTES;

    if (count < SCREE_FILM_HEAD_BYTES ||
        memcmp(bytes, SCREE_FILM_MAGIC, SCREE_FILM_MAGIC_BYTES) != 0)
        return false;
    head->steps = whole_at(at, 8);
    head->body_count = whole_at(at + 8, 8);
    head->time = real_at(at + 16);
    head->wall_count = (uint32_t)whole_at(at + 24, 4);
    head->dimensions = (uint32_t)whole_at(at + 28, 4);
    at += 32;
    for (int k = 0; k < 3; k++) {
        head->lower[k] = real_at(at + 8 * k);
        head->upper[k] = real_at(at + 24 + 8 * k);
    }
    head->radius = real_at(at + 48);
    head->speed = real_at(at + 56);
    return (head->dimensions == 2 || head->dimensions == 3) && isfinite(head->time);
}

size_t scree_film_min_bytes(const scree_film_head *head)
{
    size_t walls = (size_t)SCREE_FILM_WALL_BYTES * head->wall_count;

    /* a global id has at least one byte */
    if (head->body_count > (SIZE_MAX / 2 - walls) / (SCREE_FILM_BODY_BYTES + 1))
        return SIZE_MAX;
    return SCREE_FILM_HEAD_BYTES + walls + head->body_count * (SCREE_FILM_BODY_BYTES + 1);
}
