/*  A 64-bit hash of words and texts, the same on all machines: to tell whether two states are equal, not to
    keep secrets. Begin with SCREE_HASH_START; each call takes the hash so far and returns the next. */
#ifndef SCREE_HASH_H
#define SCREE_HASH_H

#include "base/common.h"

#include <string.h>

#define SCREE_HASH_START 0xcbf29ce484222325u

/*  Mixes a word into the hash with the finalizer of SplitMix64 (Steele, Lea, Flood 2014): every bit of both affects
    every bit of the result. */
static inline uint64_t scree_hash_word(uint64_t hash, uint64_t word)
{
    uint64_t mixed = (hash ^ word) + 0x9e3779b97f4a7c15u;

    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/*  Hashes the bits of a double: 0 and -0 differ. All NaN give the same hash. */
static inline uint64_t scree_hash_number(uint64_t hash, double number)
{
    uint64_t word = 0x7ff8000000000000u;

    if (number == number)
        memcpy(&word, &number, sizeof word);
    return scree_hash_word(hash, word);
}

/*  Hashes a block that consists of words of eight bytes. */
static inline uint64_t scree_hash_words(uint64_t hash, const void *block, size_t bytes)
{
    const unsigned char *from = block;
    uint64_t word;

    for (size_t at = 0; at < bytes; at += sizeof word) {
        memcpy(&word, from + at, sizeof word);
        hash = scree_hash_word(hash, word);
    }
    return hash;
}

/*  Hashes a text with its length, so that consecutive texts cannot run together. NULL counts as "". */
static inline uint64_t scree_hash_text(uint64_t hash, const char *text)
{
    uint64_t count = 0;

    for (; text && text[count]; count++)
        hash = scree_hash_word(hash, (unsigned char)text[count]);
    return scree_hash_word(hash, count);
}

#endif
