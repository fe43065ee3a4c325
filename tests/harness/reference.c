/*  Straight loops over bodies by id: what is there, which calls are refused, which pairs the rule
    gives. Everything is written from the words of scree/detect.h and from nothing else. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN_FLAGS (SCREE_FIXED | SCREE_INFINITE | SCREE_NO_BOUND)
#define BIT(status) (1u << (status))

void reference_init(reference_model *reference, const test_scene *scene, reference_lie lie)
{
    memset(reference, 0, sizeof *reference);
    reference->scene = scene;
    reference->lie = lie;
}

void reference_free(reference_model *reference)
{
    free(reference->body);
    free(reference->state);
    free(reference->freed);
    memset(reference, 0, sizeof *reference);
}

static void *grown(void *block, size_t old_bytes, size_t bytes)
{
    void *larger = scene_memory(bytes);
    if (old_bytes)
        memcpy(larger, block, old_bytes);
    free(block);
    return larger;
}

static void make_room(reference_model *r, uint32_t bound)
{
    if (bound > r->capacity) {
        size_t capacity = (size_t)bound * 2 + 16;
        r->body = grown(r->body, r->capacity * sizeof *r->body, capacity * sizeof *r->body);
        r->state = grown(r->state, r->capacity, capacity);
        r->capacity = (uint32_t)capacity;
    }
    if (bound > r->bound)
        r->bound = bound;
}

static bool is_present(const reference_model *r, uint32_t id)
{
    return id < r->bound && (r->state[id] & REFERENCE_PRESENT);
}

uint32_t reference_id_bound(const reference_model *r)
{
    uint32_t bound = r->bound;
    while (bound > 0 && !is_present(r, bound - 1))
        bound--;
    return bound;
}

uint32_t reference_body_count(const reference_model *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->bound; i++)
        count += is_present(r, i);
    return count;
}

/* ---- which rows are usable ---- */

static bool is_usable_number(double value)
{
    return isfinite(value) && value <= SCREE_MAX_COORDINATE && value >= -SCREE_MAX_COORDINATE;
}

static uint8_t flags_of(const test_scene *scene, const scene_row *row)
{
    return scene->columns & SCENE_FLAGS ? row->flags : 0;
}

static bool is_usable_row(const test_scene *scene, const scene_row *row)
{
    if (flags_of(scene, row) & (SCREE_INFINITE | SCREE_NO_BOUND))
        return true;
    for (int k = 0; k < 6; k++)
        if (scene_number_used(scene, k) && !is_usable_number(row->number[k]))
            return false;
    if (scene->volume == SCREE_SPHERES)
        return row->number[3] >= 0;
    for (int k = 0; k < scene->dimensions; k++)
        if (row->number[k] > row->number[3 + k])
            return false;
    return true;
}

/* ---- calls ---- */

/*  The ids a step names, UINT32_MAX for a row that is not looked at. */
static uint32_t named_id(const reference_model *r, const scene_step *step, uint32_t index)
{
    const scene_row *row = &r->scene->rows[step->begin + index];
    if (step->kind == SCENE_DIRTY && !row->chosen)
        return UINT32_MAX;
    if (step->kind == SCENE_REMOVE || (r->scene->columns & SCENE_IDS))
        return row->id;
    return index;
}

static bool chooses_ids(const reference_model *r, const scene_step *step)
{
    return step->kind == SCENE_INSERT_NEW ||
           (step->kind == SCENE_INSERT && !(r->scene->columns & SCENE_IDS));
}

static bool is_id_wrong(const reference_model *r, const scene_step *step, uint32_t index)
{
    uint32_t id = named_id(r, step, index);
    if (id >= SCREE_MAX_BODIES)
        return true;
    for (uint32_t k = 0; k < index; k++)
        if (named_id(r, step, k) == id)
            return true;
    if (step->kind == SCENE_INSERT)
        return is_present(r, id);
    if (step->kind == SCENE_DIRTY || step->kind == SCENE_REMOVE)
        return !is_present(r, id);
    return false;
}

/*  The statuses this step may be refused with, each for another fault of it; 0 if it is right. */
static uint32_t faults_of(const reference_model *r, const scene_step *step)
{
    uint32_t faults = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        const scene_row *row = &r->scene->rows[step->begin + i];
        if (step->kind == SCENE_DIRTY && !row->chosen)
            continue;
        if (!chooses_ids(r, step) && is_id_wrong(r, step, i))
            faults |= BIT(SCREE_BAD_ARGUMENT);
        if (step->kind == SCENE_REMOVE)
            continue;
        if (flags_of(r->scene, row) & ~KNOWN_FLAGS)
            faults |= BIT(SCREE_BAD_ARGUMENT);
        if (r->scene->unusable == SCREE_REFUSE_CALL && !is_usable_row(r->scene, row))
            faults |= BIT(SCREE_BAD_VALUE);
    }
    return faults;
}

static void put(reference_model *r, uint32_t id, const scene_row *row)
{
    scene_row *body;
    make_room(r, id + 1);
    body = &r->body[id];
    *body = *row;
    if (!(r->scene->columns & SCENE_GROUPS))
        body->group = UINT64_MAX;
    if (!(r->scene->columns & SCENE_MASKS))
        body->mask = body->group;
    if (!(r->scene->columns & SCENE_OWNERS))
        body->owner = 0;
    body->flags = flags_of(r->scene, row);
    r->state[id] = (unsigned char)((r->state[id] & REFERENCE_FREED) | REFERENCE_PRESENT);
    if (!is_usable_row(r->scene, row)) {
        r->state[id] |= REFERENCE_REJECTED;
        r->rejected++;
    }
}

static void drop(reference_model *r, uint32_t id)
{
    r->state[id] = (unsigned char)(r->state[id] & REFERENCE_FREED);
    /* an id that is on the stack already keeps its place there */
    if (r->state[id] & REFERENCE_FREED)
        return;
    if (r->freed_count == r->freed_capacity) {
        size_t capacity = (size_t)r->freed_capacity * 2 + 16;
        r->freed = grown(r->freed, r->freed_count * sizeof *r->freed, capacity * sizeof *r->freed);
        r->freed_capacity = (uint32_t)capacity;
    }
    r->freed[r->freed_count++] = id;
    r->state[id] = REFERENCE_FREED;
}

static uint32_t new_id(reference_model *r)
{
    while (r->freed_count > 0) {
        uint32_t id = r->freed[--r->freed_count];
        r->state[id] = (unsigned char)(r->state[id] & ~REFERENCE_FREED);
        if (!is_present(r, id))
            return id;
    }
    return reference_id_bound(r);
}

static void forget_all(reference_model *r)
{
    if (r->bound)
        memset(r->state, 0, r->bound);
    r->bound = 0;
    r->freed_count = 0;
}

uint32_t reference_step(reference_model *r, const scene_step *step, uint32_t *ids)
{
    if (step->kind == SCENE_QUERY)
        return reference_query_is_bad(r->scene, &step->query) ? BIT(SCREE_BAD_VALUE)
                                                              : BIT(SCREE_OK);
    uint32_t faults = faults_of(r, step);
    if (faults && r->lie != REFERENCE_ACCEPTS_ANY_CALL)
        return faults;
    if (faults)
        return BIT(SCREE_OK);
    r->rejected = 0;
    if (step->kind == SCENE_CLEAR || step->kind == SCENE_UPDATE)
        forget_all(r);
    for (uint32_t i = 0; i < step->count; i++) {
        uint32_t id = named_id(r, step, i);
        if (chooses_ids(r, step))
            ids[i] = id = new_id(r);
        if (id == UINT32_MAX)
            continue;
        if (step->kind == SCENE_REMOVE)
            drop(r, id);
        else
            put(r, id, &r->scene->rows[step->begin + i]);
    }
    return BIT(SCREE_OK);
}

/* ---- the rule ---- */

static bool passes_filters(const scene_row *a, const scene_row *b)
{
    if ((a->flags & SCREE_FIXED) && (b->flags & SCREE_FIXED))
        return false;
    if ((a->flags & SCREE_INFINITE) && (b->flags & SCREE_INFINITE))
        return false;
    if (a->owner != 0 && a->owner == b->owner)
        return false;
    return (a->group & b->mask) != 0 && (b->group & a->mask) != 0;
}

static bool spheres_overlap(const scene_row *a, const scene_row *b, int dimensions, bool open)
{
    double dx = a->number[0] - b->number[0];
    double dy = a->number[1] - b->number[1];
    double square = dx * dx + dy * dy;
    if (dimensions == 3) {
        double dz = a->number[2] - b->number[2];
        square = square + dz * dz;
    }
    double sum = a->number[3] + b->number[3];
    return open ? square < sum * sum : square <= sum * sum;
}

static bool boxes_overlap(const scene_row *a, const scene_row *b, int dimensions, bool open)
{
    for (int k = 0; k < dimensions; k++) {
        if (a->number[k] > b->number[3 + k] || b->number[k] > a->number[3 + k])
            return false;
        if (open && (a->number[k] == b->number[3 + k] || b->number[k] == a->number[3 + k]))
            return false;
    }
    return true;
}

bool reference_is_pair(const reference_model *r, uint32_t i, uint32_t j, bool coarse)
{
    if (!is_present(r, i) || !is_present(r, j))
        return false;
    if ((r->state[i] | r->state[j]) & REFERENCE_REJECTED)
        return false;
    const scene_row *a = &r->body[i], *b = &r->body[j];
    bool open = r->lie == REFERENCE_IS_OPEN;

    if ((a->flags & SCREE_NO_BOUND) || (b->flags & SCREE_NO_BOUND))
        return false;
    if (r->lie != REFERENCE_IGNORES_FILTERS && !passes_filters(a, b))
        return false;
    if (r->lie == REFERENCE_MISSES_A_PAIR && (i * 31 + j) % 7 == 0)
        return false;
    if (r->lie == REFERENCE_ADDS_A_PAIR && (i * 31 + j) % 7 == 0)
        return true;
    if (coarse || (a->flags & SCREE_INFINITE) || (b->flags & SCREE_INFINITE))
        return true;
    return r->scene->volume == SCREE_SPHERES ? spheres_overlap(a, b, r->scene->dimensions, open)
                                             : boxes_overlap(a, b, r->scene->dimensions, open);
}

/* ---- lists of pairs ---- */

void pair_list_add(pair_list *list, uint32_t i, uint32_t j)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 64;
        list->pair =
            grown(list->pair, list->count * sizeof *list->pair, capacity * sizeof *list->pair);
        list->capacity = capacity;
    }
    list->pair[list->count][0] = i;
    list->pair[list->count][1] = j;
    list->count++;
}

static int by_pair(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

void pair_list_sort(pair_list *list)
{
    if (list->count)
        qsort(list->pair, list->count, sizeof *list->pair, by_pair);
}

void pair_list_free(pair_list *list)
{
    free(list->pair);
    memset(list, 0, sizeof *list);
}

void reference_pairs(const reference_model *r, bool coarse, pair_list *list)
{
    list->count = 0;
    for (uint32_t i = 0; i < r->bound; i++)
        for (uint32_t j = i + 1; j < r->bound; j++)
            if (reference_is_pair(r, i, j, coarse))
                pair_list_add(list, i, j);
}
