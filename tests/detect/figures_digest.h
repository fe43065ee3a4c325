/*  One number for many, the same on every machine. */
#ifndef SCREE_FIGURES_DIGEST_H
#define SCREE_FIGURES_DIGEST_H

#include <stdint.h>
#include <string.h>

/*  FNV-1a of 32 bits, over numbers. */
static inline void digest(uint32_t *sum, uint64_t number)
{
    for (int byte = 0; byte < 8; byte++, number >>= 8)
        *sum = (*sum ^ (uint32_t)(number & 255)) * 16777619u;
}

static inline void digest_real(uint32_t *sum, double x)
{
    uint64_t bits;
    double no_sign_of_zero = x + 0.0;
    memcpy(&bits, &no_sign_of_zero, sizeof bits);
    digest(sum, bits);
}

#endif
