/*  The lazy list (Heller, Herlihy, Luchangco, Moir, Scherer & Shavit 2005): a set of keys as a
    sorted singly linked list that several threads change at once. Adding and removing lock the two
    nodes concerned and nothing else; asking whether a key is there takes no lock, never waits and
    never begins again. Many lists share one arena and are linked by index, so a node is 12 bytes.

    QUIESCENT functions may only be called while no other thread works on any list of the arena.
    Nodes that were removed are still read by walks under way: they are given back when all is
    quiet, by the thread that removed them. */
#ifndef SCREE_LAZY_LIST_H
#define SCREE_LAZY_LIST_H

#include "base/memory.h"

#include <stdatomic.h>

#define SCREE_LAZY_NONE 0xffffffffu

/*  key: never changes while the node is in a list. next: the index of the next node.
    state: a lock, and a mark that the node is not in the set any more. */
typedef struct scree_lazy_node
{
    uint32_t key;
    _Atomic uint32_t next;
    _Atomic uint32_t state;
} scree_lazy_node;

/*  Nodes [0, used) have been handed out at some time; those that came back are linked from `spare`.
    A list is named by its head, a node without a key. Invariant: from each head, keys ascend. */
typedef struct scree_lazy_arena
{
    scree_lazy_node *node;
    size_t capacity;
    uint32_t used, spare, spare_count;
} scree_lazy_arena;

/*  QUIESCENT. Drops all nodes; memory is kept. A new arena is made so, too. */
void scree_lazy_clear(scree_lazy_arena *arena);
void scree_lazy_free(scree_lazy_arena *arena, scree_memory *memory);

/*  QUIESCENT. Room for `count` more nodes: SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_lazy_reserve(scree_lazy_arena *arena, scree_memory *memory, size_t count);

/*  QUIESCENT. A node that is in no list, or an empty list, out of what was reserved. */
uint32_t scree_lazy_take(scree_lazy_arena *arena);
/*  QUIESCENT. Back again: a removed node, or the head of an empty list. */
void scree_lazy_give(scree_lazy_arena *arena, uint32_t node);

/*  QUIESCENT. Links `node` after `last`, the last node of a list (or its head); `key` must be above
    that of `last`. */
void scree_lazy_append(scree_lazy_arena *arena, uint32_t last, uint32_t key, uint32_t node);

/*  Adds the key, with a node that was taken before; false, and the node is still the caller's, if
    the key is there. */
bool scree_lazy_add(scree_lazy_arena *arena, uint32_t list, uint32_t key, uint32_t node);

/*  Removes the key and returns its node, to be given back when all is quiet; SCREE_LAZY_NONE if the
    key is not there. */
uint32_t scree_lazy_remove(scree_lazy_arena *arena, uint32_t list, uint32_t key);

/*  Wait-free. */
bool scree_lazy_contains(const scree_lazy_arena *arena, uint32_t list, uint32_t key);

/*  QUIESCENT. For walks: the node after this one, or after the head; SCREE_LAZY_NONE at the end. */
static inline uint32_t scree_lazy_next(const scree_lazy_arena *arena, uint32_t node)
{
    return atomic_load_explicit(&arena->node[node].next, memory_order_relaxed);
}

#endif
