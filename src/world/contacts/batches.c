/*  Batches of contacts from a list. */
#include "world/contacts/batches.h"

#include "base/tasks.h"
#include "world/contacts/contact_onset.h"

void scree_batch_list_tile(const scree_rules *rules, scree_batch_room *room, uint32_t (*slots)[1],
                           size_t count, size_t tile, scree_batch_list_fn *run_batch, void *run)
{
    size_t begin = tile * SCREE_TILE, end = scree_block_end(tile, SCREE_TILE, count);
    uint32_t left[SCREE_TILE], batch[SCREE_BATCH], left_count = 0;

    for (size_t c = begin; c < end; c++)
        left[left_count++] = (uint32_t)c;
    /* nothing to sort if there is only one contact model */
    for (uint32_t at = 0; rules->slot_count == 2 && at < left_count; at += SCREE_BATCH)
        run_batch(run, room, left + at,
                  left_count - at < SCREE_BATCH ? left_count - at : SCREE_BATCH, &rules->slots[1]);
    while (rules->slot_count != 2 && left_count > 0) {
        uint32_t slot = slots[left[0]][0], many = 0, others = 0;
        for (uint32_t k = 0; k < left_count; k++) {
            if (slots[left[k]][0] == slot && many < SCREE_BATCH)
                batch[many++] = left[k];
            else
                left[others++] = left[k];
        }
        run_batch(run, room, batch, many, &rules->slots[slot]);
        left_count = others;
    }
}

void scree_batch_inherit(scree_batch_room *room, uint32_t count, uint32_t memory_count,
                         uint32_t (*previous_of)[1], double *const *history, uint32_t planes)
{
    for (uint32_t k = 0; k < count; k++) {
        uint32_t previous = previous_of[room->contact[k]][0];
        for (uint32_t m = 0; m < memory_count; m++)
            room->memory[m][k] = previous != UINT32_MAX && m < planes ? history[m][previous] : 0;
    }
}

void scree_batch_begin(const scree_world_def *def, scree_batch_room *room, uint32_t count,
                       uint32_t (*previous_of)[1], double dt)
{
    for (uint32_t k = 0; scree_contacts_begin_slowly(def, dt) && k < count; k++)
        if (previous_of[room->contact[k]][0] == UINT32_MAX)
            room->approach[k] = scree_beginning_approach(room->approach[k], room->overlap[k], dt);
}

void scree_batch_pad(scree_batch_room *room, uint32_t count)
{
    for (uint32_t k = count; k < ((count + 7) & ~7u); k++) {
        room->overlap[k] = room->overlap[0];
        room->approach[k] = room->approach[0];
        room->twist[k] = room->twist[0];
        room->radius[k] = room->radius[0];
        room->mass[k] = room->mass[0];
        room->arm[0][k] = room->arm[0][0];
        room->arm[1][k] = room->arm[1][0];
        for (int a = 0; a < 3; a++) {
            room->normal[a][k] = room->normal[a][0];
            room->slide[a][k] = room->slide[a][0];
            room->roll[a][k] = room->roll[a][0];
        }
        for (uint32_t m = 0; m < SCREE_MAX_MEMORY; m++)
            room->memory[m][k] = room->memory[m][0];
    }
}
