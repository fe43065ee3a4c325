/*  Numbers as little-endian bytes; each function that writes returns the next address. */
#ifndef SCREE_LAB_BYTES_H
#define SCREE_LAB_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint8_t *scree_lab_put_whole(uint8_t *at, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        at[k] = (uint8_t)(value >> (8 * k));
    return at + 4;
}

static inline uint8_t *scree_lab_put_real(uint8_t *at, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return scree_lab_put_whole(scree_lab_put_whole(at, (uint32_t)bits), (uint32_t)(bits >> 32));
}

static inline uint8_t *scree_lab_put_float(uint8_t *at, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    return scree_lab_put_whole(at, bits);
}

static inline uint32_t scree_lab_get_whole(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline double scree_lab_get_real(const uint8_t *at)
{
    uint64_t bits = scree_lab_get_whole(at) | (uint64_t)scree_lab_get_whole(at + 4) << 32;
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
