/*  Locks are held for a few instructions, so they are spun on; a thread that does not get one soon
    lets others run. Locks are taken in list order, so no two threads wait for each other. */
#include "detect/lazy_list.h"

#include <sched.h>

#define NONE SCREE_LAZY_NONE
#define LOCKED 1u
#define MARKED 2u
#define SPINS 64

void scree_lazy_clear(scree_lazy_arena *arena)
{
    arena->used = 0;
    arena->spare = NONE;
    arena->spare_count = 0;
}

void scree_lazy_free(scree_lazy_arena *arena, scree_memory *memory)
{
    scree_memory_give(memory, &arena->node, arena->capacity, sizeof *arena->node);
    arena->capacity = 0;
    scree_lazy_clear(arena);
}

scree_status scree_lazy_reserve(scree_lazy_arena *arena, scree_memory *memory, size_t count)
{
    size_t wanted;

    if (count <= arena->spare_count)
        return SCREE_OK;
    wanted = arena->used + (count - arena->spare_count);
    if (wanted >= NONE)
        return SCREE_TOO_LARGE;
    return scree_memory_reserve(memory, &arena->node, &arena->capacity, wanted,
                                sizeof *arena->node);
}

uint32_t scree_lazy_take(scree_lazy_arena *arena)
{
    uint32_t node = arena->spare;

    if (node == NONE) {
        node = arena->used++;
    } else {
        arena->spare = scree_lazy_next(arena, node);
        arena->spare_count--;
    }
    arena->node[node].key = NONE;
    atomic_init(&arena->node[node].next, NONE);
    atomic_init(&arena->node[node].state, 0);
    return node;
}

void scree_lazy_give(scree_lazy_arena *arena, uint32_t node)
{
    atomic_init(&arena->node[node].next, arena->spare);
    arena->spare = node;
    arena->spare_count++;
}

void scree_lazy_append(scree_lazy_arena *arena, uint32_t last, uint32_t key, uint32_t node)
{
    arena->node[node].key = key;
    atomic_store_explicit(&arena->node[last].next, node, memory_order_relaxed);
}

static void lock(scree_lazy_arena *arena, uint32_t node)
{
    _Atomic uint32_t *state = &arena->node[node].state;

    for (int spins = 0; atomic_fetch_or_explicit(state, LOCKED, memory_order_acquire) & LOCKED;)
        if (++spins % SPINS == 0)
            (void)sched_yield();
}

static void unlock(scree_lazy_arena *arena, uint32_t node)
{
    atomic_fetch_and_explicit(&arena->node[node].state, ~LOCKED, memory_order_release);
}

static bool is_marked(const scree_lazy_arena *arena, uint32_t node)
{
    return (atomic_load_explicit(&arena->node[node].state, memory_order_acquire) & MARKED) != 0;
}

/*  Acquire: what was written before the node was published can be read after this. */
static uint32_t next_of(const scree_lazy_arena *arena, uint32_t node)
{
    return atomic_load_explicit(&arena->node[node].next, memory_order_acquire);
}

/*  Where a key belongs: pred.key < key <= curr.key. */
struct place
{
    uint32_t pred, curr; /* curr may be NONE: the end */
};

static struct place find(const scree_lazy_arena *arena, uint32_t list, uint32_t key)
{
    struct place at = {list, next_of(arena, list)};

    while (at.curr != NONE && arena->node[at.curr].key < key) {
        at.pred = at.curr;
        at.curr = next_of(arena, at.curr);
    }
    return at;
}

static void unlock_place(scree_lazy_arena *arena, struct place at)
{
    if (at.curr != NONE)
        unlock(arena, at.curr);
    unlock(arena, at.pred);
}

/*  Finds and locks; true if nothing changed in between, else all is unlocked again. */
static bool lock_place(scree_lazy_arena *arena, uint32_t list, uint32_t key, struct place *at)
{
    *at = find(arena, list, key);
    lock(arena, at->pred);
    if (at->curr != NONE)
        lock(arena, at->curr);
    if (!is_marked(arena, at->pred) && (at->curr == NONE || !is_marked(arena, at->curr)) &&
        next_of(arena, at->pred) == at->curr)
        return true;
    unlock_place(arena, *at);
    return false;
}

bool scree_lazy_add(scree_lazy_arena *arena, uint32_t list, uint32_t key, uint32_t node)
{
    struct place at;
    bool is_new;

    while (!lock_place(arena, list, key, &at))
        ;
    is_new = at.curr == NONE || arena->node[at.curr].key != key;
    if (is_new) {
        arena->node[node].key = key;
        atomic_store_explicit(&arena->node[node].next, at.curr, memory_order_relaxed);
        /* release: a thread that sees the link sees the whole node */
        atomic_store_explicit(&arena->node[at.pred].next, node, memory_order_release);
    }
    unlock_place(arena, at);
    return is_new;
}

uint32_t scree_lazy_remove(scree_lazy_arena *arena, uint32_t list, uint32_t key)
{
    struct place at;
    bool is_there;

    while (!lock_place(arena, list, key, &at))
        ;
    is_there = at.curr != NONE && arena->node[at.curr].key == key;
    if (is_there) {
        /* first out of the set, then out of the list: a walk that stands on it knows */
        atomic_fetch_or_explicit(&arena->node[at.curr].state, MARKED, memory_order_release);
        atomic_store_explicit(&arena->node[at.pred].next, next_of(arena, at.curr),
                              memory_order_release);
    }
    unlock_place(arena, at);
    return is_there ? at.curr : NONE;
}

bool scree_lazy_contains(const scree_lazy_arena *arena, uint32_t list, uint32_t key)
{
    uint32_t curr = find(arena, list, key).curr;
    return curr != NONE && arena->node[curr].key == key && !is_marked(arena, curr);
}
