/*  Writes numbers as little-endian bytes; each function returns the next address. */
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

#endif
