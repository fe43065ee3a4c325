/*  A method with a fault of choice, to prove that tests find faults in a method they have never heard
    of. It is a plain loop over all pairs; each fault is of a kind that real methods have had. Included
    by test_lies.c only. */
#include "detect/method.h"

#include <string.h>

typedef enum fault
{
    FAULT_NONE,
    FAULT_MISSES_A_PAIR,
    FAULT_REPORTS_TWICE,
    FAULT_TOUCHING_IS_APART,
    FAULT_FORGETS_AFTER_REMOVE,
    FAULT_FORGETS_ONE_INSERTED,
    FAULT_IGNORES_DIRTY,
    FAULT_IGNORES_MOTION,
    FAULT_TRUNCATES_NEGATIVE,
    FAULT_LOSES_THE_LAST_BLOCK,
    FAULT_SKIPS_THIRD_AXIS,
    FAULT_SMALL_ONLY,
    FAULT_QUERY_MISSES,
    FAULT_QUERY_TWICE,
    FAULT_LEAKS,
    FAULT_CRIES_MEMORY,
    FAULT_ORDER_DEPENDS_ON_TIME,
    FAULT_COUNT
} fault;

static fault faulty_fault; /* the test chooses */
static uint32_t faulty_searches;

typedef struct faulty
{
    uint32_t *ids;    /* those known */
    scree_box *boxes; /* as known; by place in `ids` */
    size_t count, id_capacity, box_capacity;
    void *leak;
} faulty;

static void faulty_destroy(void *state, const scree_method_env *env)
{
    faulty *self = state;
    scree_memory_give(env->memory, &self->ids, self->id_capacity, sizeof *self->ids);
    scree_memory_give(env->memory, &self->boxes, self->box_capacity, sizeof *self->boxes);
}

static scree_status faulty_build(void *state, const scree_method_env *env,
                                 const scree_bodies *bodies)
{
    faulty *self = state;
    if (faulty_fault == FAULT_LEAKS && scree_memory_take(env->memory, 1, 24, &self->leak))
        return SCREE_OUT_OF_MEMORY;
    if (faulty_fault == FAULT_CRIES_MEMORY && bodies->active_count == 5)
        return SCREE_OUT_OF_MEMORY;
    if (scree_memory_reserve(env->memory, &self->ids, &self->id_capacity, bodies->active_count,
                             sizeof *self->ids) ||
        scree_memory_reserve(env->memory, &self->boxes, &self->box_capacity, bodies->active_count,
                             sizeof *self->boxes))
        return SCREE_OUT_OF_MEMORY;
    self->count = bodies->active_count;
    for (size_t k = 0; k < self->count; k++) {
        self->ids[k] = bodies->active[k];
        self->boxes[k] = bodies->box[bodies->active[k]];
    }
    return SCREE_OK;
}

static scree_status faulty_update(void *state, const scree_method_env *env,
                                  const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    faulty *self = state;
    (void)env;
    (void)ids;
    (void)count;
    if ((faulty_fault == FAULT_IGNORES_DIRTY && ids) || faulty_fault == FAULT_IGNORES_MOTION)
        return SCREE_OK;
    for (size_t k = 0; k < self->count; k++)
        self->boxes[k] = bodies->box[self->ids[k]];
    return SCREE_OK;
}

static scree_status faulty_insert(void *state, const scree_method_env *env,
                                  const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    faulty *self = state;
    (void)ids;
    scree_status status = faulty_build(state, env, bodies);
    if (faulty_fault == FAULT_FORGETS_ONE_INSERTED && count > 2)
        self->count--;
    return status;
}

static scree_status faulty_remove(void *state, const scree_method_env *env,
                                  const scree_bodies *bodies, const uint32_t *ids, size_t count)
{
    faulty *self = state;
    (void)env;
    (void)bodies;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < self->count; k++) {
            if (self->ids[k] != ids[i])
                continue;
            self->count--;
            /* the last takes the place; the fault loses it */
            if (faulty_fault != FAULT_FORGETS_AFTER_REMOVE) {
                self->ids[k] = self->ids[self->count];
                self->boxes[k] = self->boxes[self->count];
            } else {
                memmove(&self->ids[k], &self->ids[k + 1], (self->count - k) * sizeof *self->ids);
                memmove(&self->boxes[k], &self->boxes[k + 1],
                        (self->count - k) * sizeof *self->boxes);
                self->count -= self->count > 3;
            }
            break;
        }
    }
    return SCREE_OK;
}

#define FAULTY_BLOCK 8u

static size_t faulty_block_count(const void *state, const scree_bodies *bodies)
{
    const faulty *self = state;
    (void)bodies;
    return scree_block_count(self->count, FAULTY_BLOCK);
}

static bool truncates(const scree_box *a, const scree_box *b)
{
    return a->lower[0] < 0 && b->lower[0] < 0 && a->upper[0] >= 0 && b->upper[0] < 0;
}

static bool faulty_overlap(const scree_box *a, const scree_box *b)
{
    if (faulty_fault == FAULT_TOUCHING_IS_APART)
        for (int k = 0; k < 2; k++)
            if (a->lower[k] == b->upper[k] || b->lower[k] == a->upper[k])
                return false;
    if (faulty_fault == FAULT_TRUNCATES_NEGATIVE && truncates(a, b))
        return false;
    if (faulty_fault == FAULT_SKIPS_THIRD_AXIS && a->lower[2] > 0 && b->lower[2] <= 0)
        return false;
    return scree_boxes_overlap(a, b);
}

static void faulty_pair(scree_sink *sink, uint32_t i, uint32_t j)
{
    uint32_t mark = (i < j ? i * 31 + j : j * 31 + i) % 97;
    if (faulty_fault == FAULT_MISSES_A_PAIR && mark == 0)
        return;
    scree_sink_pair(sink, i, j);
    if (faulty_fault == FAULT_REPORTS_TWICE && mark == 0)
        scree_sink_pair(sink, j, i);
}

static void faulty_pairs(const void *state, const scree_bodies *bodies, size_t block,
                         scree_scratch *scratch, scree_sink *sink)
{
    const faulty *self = state;
    size_t begin = block * FAULTY_BLOCK, end = scree_block_end(block, FAULTY_BLOCK, self->count);
    (void)bodies;
    (void)scratch;
    if (faulty_fault == FAULT_LOSES_THE_LAST_BLOCK && block > 0 && end == self->count)
        return;
    bool backwards = faulty_fault == FAULT_ORDER_DEPENDS_ON_TIME && ++faulty_searches % 2;
    for (size_t i = begin; i < end && !sink->stopped; i++) {
        for (size_t n = i + 1; n < self->count; n++) {
            size_t j = backwards ? self->count + i - n : n;
            if (faulty_fault == FAULT_SMALL_ONLY && j > 40)
                continue;
            if (faulty_overlap(&self->boxes[i], &self->boxes[j]))
                faulty_pair(sink, self->ids[i], self->ids[j]);
        }
    }
}

static void faulty_query(const void *state, const scree_bodies *bodies, const scree_probe *probe,
                         scree_hit_sink *sink)
{
    const faulty *self = state;
    for (size_t k = 0; k < self->count; k++) {
        uint32_t id = self->ids[k];
        if (!scree_probe_meets(probe, &bodies->box[id]))
            continue;
        if (faulty_fault == FAULT_QUERY_MISSES && id % 13 == 5)
            continue;
        scree_sink_hit(sink, id);
        if (faulty_fault == FAULT_QUERY_TWICE && id % 13 == 5)
            scree_sink_hit(sink, id);
    }
}

const scree_method scree_method_faulty = {
    .info = {.name = "faulty",
             .summary = "a plain loop with a fault of choice, for tests of the tests",
             .cost = "N^2",
             .worst_time = "N^2 in any scene",
             .worst_memory = "N",
             .capabilities = SCREE_METHOD_QUADRATIC | SCREE_METHOD_QUERY | SCREE_METHOD_THREADS},
    .state_bytes = sizeof(faulty),
    .destroy = faulty_destroy,
    .build = faulty_build,
    .update = faulty_update,
    .insert = faulty_insert,
    .remove = faulty_remove,
    .block_count = faulty_block_count,
    .pairs = faulty_pairs,
    .query = faulty_query,
};
