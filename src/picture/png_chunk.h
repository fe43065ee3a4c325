/*  What writers of PNG files share: checksums of chunks, and numbers with the most significant byte first. */
#ifndef SCREE_PNG_CHUNK_H
#define SCREE_PNG_CHUNK_H

#include <stddef.h>
#include <stdint.h>

/*  Of bytes that follow others: `before` is the checksum of those, 0 of none. */
uint32_t scree_png_crc(uint32_t before, const uint8_t *bytes, size_t count);

static inline void scree_set_big_endian(uint8_t *to, uint32_t value)
{
    for (int k = 0; k < 4; k++)
        to[k] = (uint8_t)(value >> (24 - 8 * k));
}

static inline uint32_t scree_get_big_endian(const uint8_t *from)
{
    uint32_t value = 0;
    for (int k = 0; k < 4; k++)
        value = value << 8 | from[k];
    return value;
}

#endif
