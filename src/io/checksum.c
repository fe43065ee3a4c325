/*  Words are in the machine's byte order: all users are for little-endian machines only. */
#include "io/checksum.h"

#include "base/hash.h"

static void add_block(uint64_t chain[SCREE_CHECKSUM_CHAINS], const void *block)
{
    uint64_t word[SCREE_CHECKSUM_CHAINS];

    memcpy(word, block, sizeof word);
    for (int k = 0; k < SCREE_CHECKSUM_CHAINS; k++)
        chain[k] = scree_hash_word(chain[k], word[k]);
}

scree_checksum_state scree_checksum_begin(void)
{
    return (scree_checksum_state){.chain = {SCREE_HASH_START, SCREE_HASH_START + 1,
                                            SCREE_HASH_START + 2, SCREE_HASH_START + 3}};
}

/*  Fills a block that has been begun, as far as the bytes reach. Returns how many it has taken. */
static size_t fill_rest(scree_checksum_state *state, const unsigned char *bytes, size_t count)
{
    const size_t used = (size_t)(state->count % SCREE_CHECKSUM_BLOCK);
    const size_t room = used ? SCREE_CHECKSUM_BLOCK - used : 0;
    const size_t taken = count < room ? count : room;

    if (taken == 0)
        return 0;
    memcpy((unsigned char *)state->rest + used, bytes, taken);
    if (taken == room) {
        add_block(state->chain, state->rest);
        memset(state->rest, 0, sizeof state->rest);
    }
    return taken;
}

void scree_checksum_add(scree_checksum_state *state, const void *bytes, size_t count)
{
    const unsigned char *at = bytes;
    const size_t taken = count ? fill_rest(state, at, count) : 0;
    uint64_t chain[SCREE_CHECKSUM_CHAINS];
    size_t left = count - taken;

    state->count += count;
    if (left == 0)
        return;
    at += taken;
    /* a copy, so that the chains stay in registers */
    memcpy(chain, state->chain, sizeof chain);
    for (; left >= SCREE_CHECKSUM_BLOCK; left -= SCREE_CHECKSUM_BLOCK, at += SCREE_CHECKSUM_BLOCK)
        add_block(chain, at);
    memcpy(state->chain, chain, sizeof chain);
    if (left > 0)
        memcpy(state->rest, at, left);
}

uint64_t scree_checksum_end(const scree_checksum_state *state)
{
    uint64_t chain[SCREE_CHECKSUM_CHAINS], hash = SCREE_HASH_START;

    memcpy(chain, state->chain, sizeof chain);
    if (state->count % SCREE_CHECKSUM_BLOCK > 0)
        add_block(chain, state->rest);
    for (int k = 0; k < SCREE_CHECKSUM_CHAINS; k++)
        hash = scree_hash_word(hash, chain[k]);
    return scree_hash_word(hash, state->count);
}

uint64_t scree_checksum(const void *bytes, size_t count)
{
    scree_checksum_state state = scree_checksum_begin();

    scree_checksum_add(&state, bytes, count);
    return scree_checksum_end(&state);
}
