/*  Repetitions are found with a hash table of the last positions of the next four bytes, each with a chain to earlier
    ones; the longest of the first few is used. Blocks of a fixed number of symbols get their own codes (RFC 1951,
    3.2.7). */
#include "picture/deflate.h"

#include <string.h>

#define WINDOW 32768u
#define HASHES 32768u
#define LONGEST 258u
#define SHORTEST 4u
#define TRIES 12        /* along a chain */
#define GOOD_ENOUGH 64u /* a repetition of this length ends the search */
#define BLOCK 32768u    /* symbols */
#define LITERALS 286u
#define DISTANCES 30u
#define END_OF_BLOCK 256u

/*  A literal, or a repetition: its length in the upper half, its distance in the lower. */
typedef uint32_t symbol;

typedef struct codes
{
    uint8_t length[LITERALS];
    uint16_t code[LITERALS];
} codes;

typedef struct packer
{
    scree_memory *memory;
    scree_deflated *out;
    uint64_t hold;
    unsigned held;
    uint32_t head[HASHES]; /* position + 1; 0: none */
    uint32_t before[WINDOW];
    symbol symbols[BLOCK];
    uint32_t symbol_count;
    codes literal, distance;
} packer;

/* ---- bits ---- */

static void pack_bits(packer *p, uint32_t value, unsigned count)
{
    p->hold |= (uint64_t)value << p->held;
    p->held += count;
    while (p->held >= 8) {
        p->out->bytes[p->out->count++] = (uint8_t)p->hold;
        p->hold >>= 8;
        p->held -= 8;
    }
}

static void pack_code(packer *p, const codes *c, uint32_t which)
{
    pack_bits(p, c->code[which], c->length[which]);
}

/* ---- codes ---- */

/*  Lengths of a Huffman code: joins the two rarest until one is left. The rarest are at the fronts of two queues, of
    sorted symbols and of joined ones, since joined weights only grow. Returns the longest. */
static unsigned join_rarest(const uint32_t *weight, const uint16_t *order, uint32_t count,
                            uint8_t *length)
{
    uint32_t sum[2 * LITERALS] = {0}, parent[2 * LITERALS] = {0};
    uint32_t leaf = 0, joined = count, next = count;
    uint8_t depth[2 * LITERALS];
    unsigned longest = 0;
    for (uint32_t i = 0; i < count; i++)
        sum[i] = weight[order[i]];
    for (; next < 2 * count - 1; next++) {
        sum[next] = 0;
        for (int side = 0; side < 2; side++) {
            bool from_leaf = leaf < count && (joined >= next || sum[leaf] <= sum[joined]);
            uint32_t taken = from_leaf ? leaf++ : joined++;
            sum[next] += sum[taken];
            parent[taken] = next;
        }
    }
    depth[next - 1] = 0;
    for (uint32_t i = next - 1; i-- > 0;) {
        depth[i] = (uint8_t)(depth[parent[i]] + 1);
        if (i < count) {
            length[order[i]] = depth[i];
            longest = depth[i] > longest ? depth[i] : longest;
        }
    }
    return longest;
}

/*  If the code is deeper than the limit, weights are brought closer together. */
void scree_code_lengths(const uint32_t *given, uint32_t count, unsigned limit, uint8_t *length)
{
    uint32_t weight[LITERALS];
    uint16_t order[LITERALS];
    uint32_t used = 0;
    memset(length, 0, count);
    for (uint32_t i = 0; i < count; i++) {
        weight[i] = given[i];
        if (weight[i] == 0)
            continue;
        uint32_t k = used++;
        for (; k > 0 && weight[order[k - 1]] > weight[i]; k--)
            order[k] = order[k - 1];
        order[k] = (uint16_t)i;
    }
    if (used == 1)
        length[order[0]] = 1;
    while (used > 1 && join_rarest(weight, order, used, length) > limit)
        for (uint32_t i = 0; i < count; i++)
            weight[i] = weight[i] / 2 + (weight[i] != 0); /* preserves the order */
}

/*  Codes follow from their lengths; the highest bit is written first. */
static void set_codes(codes *c, uint32_t count)
{
    uint32_t of_length[16] = {0}, next[16] = {0};
    for (uint32_t i = 0; i < count; i++)
        of_length[c->length[i]]++;
    of_length[0] = 0;
    for (int bits = 1; bits < 16; bits++)
        next[bits] = (next[bits - 1] + of_length[bits - 1]) << 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t code = c->length[i] ? next[c->length[i]]++ : 0, turned = 0;
        for (unsigned k = 0; k < c->length[i]; k++)
            turned |= (code >> k & 1) << (c->length[i] - 1u - k);
        c->code[i] = (uint16_t)turned;
    }
}

/* ---- lengths and distances as symbols with extra bits (3.2.5) ---- */

typedef struct split
{
    uint32_t which, base;
    unsigned extra;
} split;

static split split_length(uint32_t length)
{
    split s = {257, 3, 0};
    if (length == LONGEST)
        return (split){285, LONGEST, 0};
    while (length >= s.base + (1u << s.extra)) {
        s.base += 1u << s.extra;
        s.which++;
        s.extra += s.which >= 265 && (s.which - 265) % 4 == 0;
    }
    return s;
}

static split split_distance(uint32_t distance)
{
    split s = {0, 1, 0};
    while (distance >= s.base + (1u << s.extra)) {
        s.base += 1u << s.extra;
        s.which++;
        s.extra += s.which >= 4 && s.which % 2 == 0;
    }
    return s;
}

/* ---- blocks ---- */

static void count_symbols(const packer *p, uint32_t literal[LITERALS], uint32_t distance[DISTANCES])
{
    memset(literal, 0, LITERALS * sizeof *literal);
    memset(distance, 0, DISTANCES * sizeof *distance);
    for (uint32_t i = 0; i < p->symbol_count; i++) {
        symbol s = p->symbols[i];
        if (s >> 16 == 0) {
            literal[s]++;
        } else {
            literal[split_length(s >> 16).which]++;
            distance[split_distance((s & 0xffffu) + 1).which]++;
        }
    }
    literal[END_OF_BLOCK] = 1;
}

/*  The lengths of both codes, as symbols 0 to 15, 16: repeat the last 3 to 6 times, 17 and 18: runs of zeros. Each of
    these takes one more number. Returns the number of symbols. */
static uint32_t fold_lengths(const uint8_t *length, uint32_t count, uint8_t *which, uint8_t *more)
{
    uint32_t used = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t run = 1;
        while (i + run < count && length[i + run] == length[i])
            run++;
        if (length[i] == 0 && run >= 3) {
            run = run < 138 ? run : 138;
            which[used] = run < 11 ? 17 : 18;
            more[used++] = (uint8_t)(run - (run < 11 ? 3 : 11));
        } else if (run >= 4) {
            run = run < 7 ? run : 7;
            which[used] = length[i];
            more[used++] = 0;
            which[used] = 16;
            more[used++] = (uint8_t)(run - 4);
        } else {
            run = 1;
            which[used] = length[i];
            more[used++] = 0;
        }
        i += run;
    }
    return used;
}

static void pack_head(packer *p, uint32_t literals, uint32_t distances)
{
    static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                      11, 4,  12, 3, 13, 2, 14, 1, 15};
    uint8_t length[LITERALS + DISTANCES], which[LITERALS + DISTANCES], more[LITERALS + DISTANCES];
    uint32_t weight[19] = {0}, sent = 19;
    codes c = {{0}, {0}};
    memcpy(length, p->literal.length, literals);
    memcpy(length + literals, p->distance.length, distances);
    uint32_t count = fold_lengths(length, literals + distances, which, more);
    for (uint32_t i = 0; i < count; i++)
        weight[which[i]]++;
    scree_code_lengths(weight, 19, 7, c.length);
    set_codes(&c, 19);
    while (sent > 4 && c.length[order[sent - 1]] == 0)
        sent--;
    pack_bits(p, literals - 257, 5);
    pack_bits(p, distances - 1, 5);
    pack_bits(p, sent - 4, 4);
    for (uint32_t i = 0; i < sent; i++)
        pack_bits(p, c.length[order[i]], 3);
    for (uint32_t i = 0; i < count; i++) {
        pack_code(p, &c, which[i]);
        if (which[i] >= 16)
            pack_bits(p, more[i], which[i] == 16 ? 2 : which[i] == 17 ? 3 : 7);
    }
}

static void pack_symbols(packer *p)
{
    for (uint32_t i = 0; i < p->symbol_count; i++) {
        symbol s = p->symbols[i];
        if (s >> 16 == 0) {
            pack_code(p, &p->literal, s);
            continue;
        }
        split l = split_length(s >> 16), d = split_distance((s & 0xffffu) + 1);
        pack_code(p, &p->literal, l.which);
        pack_bits(p, (s >> 16) - l.base, l.extra);
        pack_code(p, &p->distance, d.which);
        pack_bits(p, (s & 0xffffu) + 1 - d.base, d.extra);
    }
    pack_code(p, &p->literal, END_OF_BLOCK);
}

static scree_status pack_block(packer *p, bool is_last)
{
    uint32_t weight[LITERALS], of_distance[DISTANCES], literals = LITERALS, distances = DISTANCES;
    /* a symbol has at most 48 bits, a head less than 600 bytes */
    size_t most = p->out->count + 6 * (size_t)p->symbol_count + 640;
    scree_status status =
        scree_memory_reserve(p->memory, &p->out->bytes, &p->out->capacity, most, 1);
    if (status)
        return status;
    count_symbols(p, weight, of_distance);
    scree_code_lengths(weight, LITERALS, 15, p->literal.length);
    scree_code_lengths(of_distance, DISTANCES, 15, p->distance.length);
    set_codes(&p->literal, LITERALS);
    set_codes(&p->distance, DISTANCES);
    while (literals > 257 && p->literal.length[literals - 1] == 0)
        literals--;
    while (distances > 1 && p->distance.length[distances - 1] == 0)
        distances--;
    pack_bits(p, is_last, 1);
    pack_bits(p, 2, 2);
    pack_head(p, literals, distances);
    pack_symbols(p);
    p->symbol_count = 0;
    return SCREE_OK;
}

/* ---- repetitions ---- */

static uint32_t hash_of(const uint8_t *bytes)
{
    uint32_t four = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                    (uint32_t)bytes[3] << 24;
    return four * 0x9e3779b1u >> 17;
}

static void note_place(packer *p, const uint8_t *bytes, uint32_t at)
{
    uint32_t *head = &p->head[hash_of(bytes + at)];
    p->before[at % WINDOW] = *head;
    *head = at + 1;
}

/*  The longest repetition that begins here, or 0. */
static uint32_t find_longest(const packer *p, const uint8_t *bytes, uint32_t at, uint32_t count,
                             uint32_t *distance)
{
    uint32_t most = count - at < LONGEST ? count - at : LONGEST, best = 0;
    uint32_t place = p->head[hash_of(bytes + at)];
    for (int tries = 0; place != 0 && at - (place - 1) <= WINDOW && tries < TRIES; tries++) {
        const uint8_t *old = bytes + place - 1, *now = bytes + at;
        uint32_t length = 0;
        if (best == 0 || old[best] == now[best])
            while (length < most && old[length] == now[length])
                length++;
        if (length > best) {
            best = length;
            *distance = at - (place - 1);
            if (best >= GOOD_ENOUGH || best == most)
                break;
        }
        uint32_t earlier = p->before[(place - 1) % WINDOW];
        place = earlier < place ? earlier : 0;
    }
    return best >= SHORTEST ? best : 0;
}

static scree_status pack_all(packer *p, const uint8_t *bytes, uint32_t count)
{
    scree_status status = SCREE_OK;
    for (uint32_t at = 0; at < count && !status;) {
        uint32_t distance = 0, length = 0;
        if (count - at >= SHORTEST) {
            length = find_longest(p, bytes, at, count, &distance);
            note_place(p, bytes, at);
        }
        p->symbols[p->symbol_count++] = length ? length << 16 | (distance - 1) : bytes[at];
        for (uint32_t k = 1; k < length; k++)
            if (count - at - k >= SHORTEST && (k < 16 || k + 16 > length))
                note_place(p, bytes, at + k); /* runs need not be found from each position */
        at += length ? length : 1;
        if (p->symbol_count == BLOCK)
            status = pack_block(p, false);
    }
    return status ? status : pack_block(p, true);
}

static uint32_t adler_of(const uint8_t *bytes, size_t count)
{
    uint32_t low = 1, high = 0;
    while (count > 0) {
        size_t part =
            count < 5552 ? count : 5552; /* for this number of bytes the sums fit into 32 bits */
        for (size_t i = 0; i < part; i++) {
            low += bytes[i];
            high += low;
        }
        low %= 65521;
        high %= 65521;
        bytes += part;
        count -= part;
    }
    return high << 16 | low;
}

scree_status scree_deflate(const uint8_t *bytes, size_t count, scree_memory *memory,
                           scree_deflated *out)
{
    packer *p = NULL;
    scree_status status;
    if (count >= UINT32_MAX)
        return SCREE_TOO_LARGE;
    status = scree_memory_take(memory, 1, sizeof *p, &p);
    if (status)
        return status;
    memset(p, 0, sizeof *p);
    p->memory = memory;
    p->out = out;
    status = scree_memory_reserve(memory, &out->bytes, &out->capacity, out->count + 2, 1);
    if (!status) {
        pack_bits(p, 0x9c78, 16);
        status = pack_all(p, bytes, (uint32_t)count);
    }
    if (!status) {
        uint32_t adler = adler_of(bytes, count);
        pack_bits(p, 0, (8 - p->held) % 8);
        /* pack_block left room for this */
        for (int k = 3; k >= 0; k--)
            pack_bits(p, adler >> 8 * k & 0xff, 8);
    }
    scree_memory_give(memory, &p, 1, sizeof *p);
    return status;
}
