/*  Lists of bodies that wait to be inserted or removed. */
#include "detect/waiting.h"

static scree_status reserve_places(scree_waiting *w, scree_memory *memory, uint32_t bound)
{
    size_t had = w->place_capacity;
    scree_status status =
        scree_memory_reserve(memory, &w->place, &w->place_capacity, bound, sizeof *w->place);
    for (size_t id = had; id < w->place_capacity; id++)
        w->place[id] = 0;
    return status;
}

scree_status scree_waiting_enter(scree_waiting *w, scree_memory *memory, uint32_t bound,
                                 const uint32_t *ids, size_t count)
{
    scree_status status = reserve_places(w, memory, bound);
    if (!status)
        status = scree_memory_reserve(memory, &w->entering, &w->entering_capacity,
                                      w->entering_count + count, sizeof *w->entering);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        w->entering[w->entering_count++] = ids[i];
        w->place[ids[i]] = (uint32_t)w->entering_count;
    }
    return SCREE_OK;
}

/*  The last one takes the place of the one that goes. */
static void forget_entering(scree_waiting *w, uint32_t id)
{
    uint32_t last = w->entering[--w->entering_count];
    w->entering[w->place[id] - 1] = last;
    w->place[last] = w->place[id];
    w->place[id] = 0;
}

/*  A body that the method does not know yet is removed silently. */
scree_status scree_waiting_leave(scree_waiting *w, scree_memory *memory, const uint32_t *ids,
                                 size_t count)
{
    scree_status status = scree_memory_reserve(memory, &w->leaving, &w->leaving_capacity,
                                               w->leaving_count + count, sizeof *w->leaving);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++) {
        if (ids[i] < w->place_capacity && w->place[ids[i]])
            forget_entering(w, ids[i]);
        else
            w->leaving[w->leaving_count++] = ids[i];
    }
    return SCREE_OK;
}

void scree_waiting_clear(scree_waiting *w)
{
    for (size_t i = 0; i < w->entering_count; i++)
        w->place[w->entering[i]] = 0;
    w->entering_count = w->leaving_count = 0;
}

void scree_waiting_free(scree_waiting *w, scree_memory *memory)
{
    scree_memory_give(memory, &w->entering, w->entering_capacity, sizeof *w->entering);
    scree_memory_give(memory, &w->leaving, w->leaving_capacity, sizeof *w->leaving);
    scree_memory_give(memory, &w->place, w->place_capacity, sizeof *w->place);
    *w = (scree_waiting){0};
}
