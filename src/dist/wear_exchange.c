/*  Sums travel as halves of words, so that sums over ranks have room. */
#include "dist/wear_exchange.h"

#include "base/fixed_sum.h"

#define HALVES 4
#define WORDS_OF_ROW (SCREE_WEAR_SUMS * HALVES + 1)

static void split_row(const scree_wear_row *row, uint64_t words[WORDS_OF_ROW])
{
    for (int s = 0; s < SCREE_WEAR_SUMS; s++)
        for (int h = 0; h < HALVES; h++)
            *words++ = row->sum[s][h / 2] >> (h % 2 ? 32 : 0) & UINT32_MAX;
    *words = row->impacts;
}

static void add_row(const uint64_t words[WORDS_OF_ROW], scree_wear_row *row)
{
    for (int s = 0; s < SCREE_WEAR_SUMS; s++) {
        uint64_t half[HALVES], carry = 0;
        for (int h = 0; h < HALVES; h++) {
            carry += *words++;
            half[h] = carry & UINT32_MAX;
            carry >>= 32;
        }
        const uint64_t more[2] = {half[0] | half[1] << 32, half[2] | half[3] << 32};
        if (carry)
            scree_fixed_fill(row->sum[s]);
        else
            scree_fixed_join(row->sum[s], more);
    }
    row->impacts += *words;
}

scree_status scree_wear_collect(const scree_comm *comm, scree_memory *memory,
                                const scree_walls *part, scree_wear_parcel *parcel)
{
    const size_t count = scree_walls_wear_rows(part) * WORDS_OF_ROW;

    if (!count)
        return SCREE_OK;
    scree_status status = scree_memory_take(memory, count, sizeof *parcel->words, &parcel->words);
    parcel->count = status ? 0 : count;
    status = scree_comm_agree(comm, status);
    if (status)
        return status;
    uint64_t *to = parcel->words;
    for (size_t w = 0; w < part->count; w++)
        for (size_t f = 0; f < part->wall[w].wear.rows; f++, to += WORDS_OF_ROW)
            split_row(&part->wall[w].wear.row[f], to);
    return comm->reduce(comm->user, SCREE_REDUCE_SUM, parcel->words, count);
}

void scree_wear_deliver(const scree_wear_parcel *parcel, scree_walls *part, scree_walls *whole)
{
    const uint64_t *from = parcel->words;

    for (size_t w = 0; whole && parcel->count && w < whole->count; w++)
        for (size_t f = 0; f < whole->wall[w].wear.rows; f++, from += WORDS_OF_ROW)
            add_row(from, &whole->wall[w].wear.row[f]);
    scree_walls_clear_wear(part);
}

void scree_wear_parcel_free(scree_wear_parcel *parcel, scree_memory *memory)
{
    scree_memory_give(memory, &parcel->words, parcel->count, sizeof *parcel->words);
}
