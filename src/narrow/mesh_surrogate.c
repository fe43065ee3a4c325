/*  Traversals of two surrogate trees from their roots. mesh_surrogate_parts.c proves that no contact is missed. */
#include "narrow/mesh_surrogate_parts.h"

#include <string.h>

/* ---- by pairs and by sides ---- */

/*  Takes the topmost pairs off the stack and pushes those that replace them. So the height of the stack is at most the
    depth of the trees times what a batch may push. */
static scree_status step_down(scree_mesh_finder *finder, scree_surrogate_search *search)
{
    uint32_t first[SURROGATE_AT_ONCE], second[SURROGATE_AT_ONCE], open = 0;
    size_t count =
        search->stack_count < SURROGATE_AT_ONCE ? search->stack_count : SURROGATE_AT_ONCE;
    scree_status status = SCREE_OK;
    search->stack_count -= count;
    memcpy(first, search->stack[0] + search->stack_count, count * sizeof *first);
    memcpy(second, search->stack[1] + search->stack_count, count * sizeof *second);
    scree_surrogate_compare(search, finder->simd, 0, first, second, count);
    for (size_t k = 0; k < count && !status; k++) {
        if (search->verdicts[k] == SCREE_TRIANGLES_APART)
            continue;
        if (scree_surrogate_are_facets(search, first[k], second[k])) {
            status = scree_surrogate_offer(finder, search, first[k], second[k]);
        } else {
            first[open] = first[k];
            second[open++] = second[k];
        }
    }
    if (!status)
        status = scree_surrogate_make_room(search, open);
    for (uint32_t k = 0; k < open && !status; k++)
        scree_surrogate_push_children(search, first[k], second[k]);
    return status;
}

scree_status scree_surrogate_search_roots(scree_mesh_finder *finder, scree_surrogate_search *search)
{
    scree_status status = scree_surrogate_make_room(search, 1);
    if (status)
        return status;
    search->stack[0][0] = scree_surrogate_slot(&search->side[0], 0, 0);
    search->stack[1][0] = scree_surrogate_slot(&search->side[1], 0, 0);
    search->stack_count = 1;
    while (!status && search->stack_count > 0)
        status = step_down(finder, search);
    return status;
}

/* ---- sets ---- */

static scree_status reserve_sets(scree_surrogate_search *search)
{
    scree_status status = SCREE_OK;
    for (int s = 0; s < 2 && !status; s++) {
        scree_surrogate_side *side = &search->side[s];
        size_t all = (size_t)side->tree->node_count + side->tree->facet_count;
        status = scree_memory_reserve(search->memory, &side->set, &side->set_capacity, all,
                                      sizeof *side->set);
        if (!status)
            status = scree_memory_reserve(search->memory, &side->next, &side->next_capacity, all,
                                          sizeof *side->next);
        if (!status)
            status = scree_memory_reserve(search->memory, &side->touched, &side->touched_capacity,
                                          all, 1);
        if (!status)
            status = scree_surrogate_reserve(search, s, all);
    }
    return status;
}

/*  Records facets that may touch; marks both of any other pair to be replaced. */
static scree_status take_verdicts(scree_surrogate_search *search, const uint32_t *first,
                                  const uint32_t *second, size_t count)
{
    scree_status status = scree_memory_reserve(search->memory, &search->met, &search->met_capacity,
                                               search->met_count + count, sizeof *search->met);
    for (size_t k = 0; k < count && !status; k++) {
        if (search->verdicts[k] == SCREE_TRIANGLES_APART)
            continue;
        if (scree_surrogate_are_facets(search, first[k], second[k])) {
            search->met[search->met_count++] = (uint64_t)first[k] << 32 | second[k];
        } else {
            search->side[0].touched[first[k]] = 1;
            search->side[1].touched[second[k]] = 1;
        }
    }
    return status;
}

/*  Compares each of one set with each of the other. */
static scree_status compare_sets(scree_mesh_finder *finder, scree_surrogate_search *search)
{
    const scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    uint32_t first[SURROGATE_AT_ONCE], second[SURROGATE_AT_ONCE];
    size_t count = 0, left = (size_t)a->set_count * b->set_count;
    scree_status status = SCREE_OK;
    for (uint32_t i = 0; i < a->set_count && !status; i++)
        for (uint32_t j = 0; j < b->set_count && !status; j++) {
            first[count] = a->set[i];
            second[count++] = b->set[j];
            if (--left > 0 && count < SURROGATE_AT_ONCE)
                continue;
            scree_surrogate_compare(search, finder->simd, 0, first, second, count);
            status = take_verdicts(search, first, second, count);
            count = 0;
        }
    return status;
}

/*  Replaces those that touched by their children; facets remain. */
static void replace_set(scree_surrogate_side *side)
{
    uint32_t *set = side->set;
    size_t capacity = side->set_capacity;
    side->next_count = 0;
    for (uint32_t i = 0; i < side->set_count; i++)
        if (side->touched[set[i]])
            side->next_count += scree_surrogate_open(side, set[i], side->next + side->next_count);
    side->set = side->next;
    side->set_capacity = side->next_capacity;
    side->set_count = side->next_count;
    side->next = set;
    side->next_capacity = capacity;
}

/*  A pair of facets may be met more than once, because facets wait for the others. Each is offered once. */
static scree_status offer_met(scree_mesh_finder *finder, scree_surrogate_search *search)
{
    static const scree_workers alone = {.count = 1};
    scree_status status = scree_sort_u64(&search->sorter, search->memory, &alone, search->met, NULL,
                                         search->met_count);
    for (size_t k = 0; k < search->met_count && !status; k++)
        if (k == 0 || search->met[k] != search->met[k - 1])
            status = scree_surrogate_offer(finder, search, (uint32_t)(search->met[k] >> 32),
                                           (uint32_t)search->met[k]);
    return status;
}

static scree_status search_sets(scree_mesh_finder *finder, scree_surrogate_search *search)
{
    scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    scree_status status = reserve_sets(search);
    if (status)
        return status;
    search->met_count = 0;
    a->set_count = b->set_count = 1;
    a->set[0] = scree_surrogate_slot(a, 0, 0);
    b->set[0] = scree_surrogate_slot(b, 0, 0);
    while (!status && a->set_count > 0 && b->set_count > 0) {
        memset(a->touched, 0, a->count);
        memset(b->touched, 0, b->count);
        status = compare_sets(finder, search);
        replace_set(a);
        replace_set(b);
    }
    return status ? status : offer_met(finder, search);
}

/* ---- all traversals ---- */

scree_status scree_mesh_find_surrogates(scree_mesh_finder *finder, scree_surrogate_search *search,
                                        scree_surrogate_front *front, const scree_mesh_body *a,
                                        const scree_mesh_body *b)
{
    scree_status status = scree_mesh_finder_begin(finder, a, b);
    if (!status)
        status = scree_surrogate_begin(search, a, b);
    if (!status)
        status = search->traversal == SCREE_SURROGATE_SETS ? search_sets(finder, search)
                 : front ? scree_surrogate_search_front(finder, search, front)
                         : scree_surrogate_search_roots(finder, search);
    if (!status)
        search->counts.placed += search->side[0].count + search->side[1].count;
    status = scree_mesh_finder_end(finder, status);
    if (status && front)
        front->tree[0] = NULL;
    return status;
}
