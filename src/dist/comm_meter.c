/*  Each function calls that of the inner communication between two readings of the clock. */
#include "dist/comm_meter.h"

#include "base/clock.h"

static scree_status count_reduce(void *user, scree_reduction how, uint64_t *values, size_t count)
{
    scree_comm_meter *meter = user;
    const double begin = scree_clock_seconds();
    const scree_status status = meter->inner.reduce(meter->inner.user, how, values, count);

    meter->seconds += scree_clock_seconds() - begin;
    return status;
}

static scree_status count_all_to_all(void *user, const uint64_t *to, uint64_t *from, size_t words)
{
    scree_comm_meter *meter = user;
    const double begin = scree_clock_seconds();
    const scree_status status = meter->inner.all_to_all(meter->inner.user, to, from, words);

    meter->seconds += scree_clock_seconds() - begin;
    return status;
}

static scree_status count_exchange(void *user, const scree_rank_message *out, size_t out_count,
                                   const scree_rank_message *in, size_t in_count)
{
    scree_comm_meter *meter = user;
    const double begin = scree_clock_seconds();
    const scree_status status =
        meter->inner.exchange(meter->inner.user, out, out_count, in, in_count);

    for (size_t k = 0; k < out_count; k++) {
        meter->messages += out[k].rank != meter->inner.rank;
        meter->bytes += out[k].rank != meter->inner.rank ? out[k].bytes : 0;
    }
    meter->seconds += scree_clock_seconds() - begin;
    return status;
}

scree_comm scree_comm_metered(scree_comm_meter *meter, const scree_comm *inner)
{
    meter->inner = *inner;
    return (scree_comm){meter,        inner->rank,      inner->size,
                        count_reduce, count_all_to_all, count_exchange};
}
