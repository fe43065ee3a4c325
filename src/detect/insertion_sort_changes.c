/*  Applies changes from the workers to the set of pairs. The result must be the set for the boxes, whichever worker
    found what, and how often: so changes are sorted, and those that are already true have no effect. After a search
    for all pairs the set is corrected, not replaced, so the numbers of begun and ended pairs are always known. */
#include "detect/insertion_sort.h"

scree_status scree_insertion_begin(scree_insertion *self, const scree_method_env *env)
{
    scree_status status = scree_memory_reserve(env->memory, &self->lists, &self->list_capacity,
                                               env->workers->count, sizeof *self->lists);
    if (status)
        return status;
    for (; self->list_count < env->workers->count; self->list_count++)
        self->lists[self->list_count] = (scree_change_list){0};
    for (size_t w = 0; w < self->list_count; w++) {
        self->lists[w].count = 0;
        self->lists[w].failed = false;
    }
    return SCREE_OK;
}

void scree_insertion_release(scree_insertion *self, scree_memory *memory)
{
    for (size_t w = 0; w < self->list_count; w++) {
        scree_change_list *list = &self->lists[w];
        scree_memory_give(memory, &list->change, list->capacity, sizeof *list->change);
        list->capacity = list->count = 0;
    }
    scree_sorter_free(&self->sorter, memory);
}

scree_status scree_insertion_make(scree_insertion *self, const scree_method_env *env)
{
    scree_change_list *all = &self->lists[0];
    size_t count = 0;
    for (size_t w = 0; w < self->list_count; w++) {
        count += self->lists[w].count;
        if (self->lists[w].failed)
            return SCREE_OUT_OF_MEMORY;
    }
    if (count == 0)
        return SCREE_OK;
    if (scree_memory_reserve(env->memory, &all->change, &all->capacity, count, sizeof *all->change))
        return SCREE_OUT_OF_MEMORY;
    for (size_t w = 1; w < self->list_count; w++) {
        const scree_change_list *list = &self->lists[w];
        for (size_t c = 0; c < list->count; c++)
            all->change[all->count++] = list->change[c];
    }
    /* more changes than can be sorted do not fit into memory */
    if (scree_sort_u64(&self->sorter, env->memory, env->workers, all->change, NULL, count))
        return SCREE_OUT_OF_MEMORY;
    return scree_pair_set_apply(&self->pairs, env->memory, all->change, count);
}

static bool still_overlaps(const void *data, uint32_t i, uint32_t j)
{
    const scree_bodies *bodies = data;
    return i < bodies->bound && j < bodies->bound && bodies->position[i] != SCREE_NOT_ACTIVE &&
           bodies->position[j] != SCREE_NOT_ACTIVE &&
           scree_boxes_overlap(&bodies->box[i], &bodies->box[j]);
}

/*  Pairs that exist already have no effect. */
scree_status scree_insertion_find_all(scree_insertion *self, const scree_method_env *env,
                                      const scree_bodies *bodies)
{
    scree_pair_set_prune(&self->pairs, still_overlaps, bodies);
    scree_status status = scree_insertion_begin(self, env);
    if (!status)
        status = scree_insertion_sweep(self, env, bodies);
    if (!status)
        status = scree_insertion_make(self, env);
    scree_insertion_release(self, env->memory);
    return status;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static bool axis_is_valid(const scree_insertion *self, const scree_bodies *bodies, int k)
{
    const scree_axis *axis = &self->axis[k];
    for (size_t p = 0; p < 2 * self->count; p++) {
        uint32_t end = axis->end[p];
        if (axis->key[p] != scree_end_key(bodies->box, k, end) ||
            bodies->position[scree_end_id(end)] == SCREE_NOT_ACTIVE)
            return false;
        if (p > 0 && !scree_end_before(axis->key[p - 1], axis->end[p - 1], axis->key[p], end))
            return false;
        if (self->places_are_current &&
            self->place[k][2 * scree_end_id(end) + scree_end_is_upper(end)] != p)
            return false;
    }
    return true;
}

bool scree_insertion_is_valid(const scree_insertion *self, const scree_bodies *bodies)
{
    if (self->count != bodies->active_count || !scree_pair_set_is_valid(&self->pairs))
        return false;
    for (int k = 0; k < self->dimensions; k++)
        if (!axis_is_valid(self, bodies, k))
            return false;
    for (uint32_t i = 0; i < self->pairs.bound; i++) {
        scree_pair_run run = self->pairs.run[i];
        for (size_t p = run.first; p < run.first + run.count; p++)
            if (!still_overlaps(bodies, i, self->pairs.partner[p]))
                return false;
    }
    return true;
}
