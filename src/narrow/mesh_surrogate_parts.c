/*  Proof that nothing is missed, rounding included. Let u = 2^-53, P the largest coordinate of a pose's position, and c
    the tree's reach, the largest coordinate of its facets and surrogates.

    POSITIONS. scree_mesh_place sums three products and a position: in each coordinate it errs by at most 4 u (3 c + P),
    as entries of a rotation are not above 1; both ends of a connecting vector together by at most 14 u (3 c + P) in
    length. The matrix is a rotation except for 16 u, by which it may stretch vectors of length at most 2 sqrt(3) c. So
    what lies within r of a surrogate in the body's frame lies within r + 2^-46 (4 c + P) of it in the world. (64 u is
    2^-47; twice that is taken.)

    VERDICTS. Two facets touch if the double says so, whose square of the distance errs by less than 2^-46 m^2, m the
    size of the pair; two surrogates are apart if floats prove it, or in COMPARISON if the same double says so. Let R be
    the sum of the bodies' skins and L = 16 (c_a + c_b) + R, which is more than m for facets and surrogates that are no
    farther apart than their halos reach. With s = min(2^-21 L, 2^-44 L^2 / R) the larger of 2 R s and s^2 is 2^-43 L^2
    or, where s is its first term, 2^-42 L^2. So where the double says that the distance is more than X + s for any X >=
    R, it is more than X + s / 2; and where it is more than R + s / 2, the double says that it is more than R. Pairs
    farther apart than m allows are decided correctly, because the error grows more slowly than the square.

    So halos of surrogates are r + skin + 2^-46 (4 c + P) + s, and of facets the body's skin, as in the finder: if
    surrogates are found apart, no two facets under them are within R + s / 2, and the finder would find none that
    touch. The sum of the parts is rounded too, by less than 2^-50 of it: as much is added. */
#include "narrow/mesh_surrogate_parts.h"

#include <math.h>
#include <string.h>

void scree_surrogate_search_init(scree_surrogate_search *search, scree_memory *memory)
{
    memset(search, 0, sizeof *search);
    search->memory = memory;
    search->traversal = SCREE_SURROGATE_SIDES;
}

void scree_surrogate_search_free(scree_surrogate_search *search)
{
    scree_memory *memory = search->memory;
    for (int s = 0; s < 2; s++) {
        scree_surrogate_side *side = &search->side[s];
        scree_memory_give(memory, &side->slot, side->slot_capacity, sizeof *side->slot);
        scree_memory_give(memory, &side->thing, side->thing_capacity, sizeof *side->thing);
        scree_memory_give(memory, &side->level, side->level_capacity, 1);
        scree_memory_give(memory, &side->corners, side->corner_capacity, 9 * sizeof(double));
        for (int w = 0; w < 2; w++)
            scree_memory_give(memory, &side->halo[w], side->halo_capacity[w], sizeof(double));
        scree_memory_give(memory, &side->set, side->set_capacity, sizeof *side->set);
        scree_memory_give(memory, &side->next, side->next_capacity, sizeof *side->next);
        scree_memory_give(memory, &side->touched, side->touched_capacity, 1);
        scree_memory_give(memory, &search->stack[s], search->stack_capacity[s], sizeof(uint32_t));
    }
    scree_memory_give(memory, &search->met, search->met_capacity, sizeof *search->met);
    scree_memory_give(memory, &search->verdicts, search->verdict_capacity, 1);
    scree_memory_give(memory, &search->touches, search->touch_capacity, sizeof *search->touches);
    scree_sorter_free(&search->sorter, memory);
}

/* ---- beginning ---- */

static size_t things_of(const scree_surrogate *tree)
{
    return (size_t)tree->node_count + tree->facet_count;
}

scree_status scree_surrogate_reserve(scree_surrogate_search *search, int s, size_t more)
{
    scree_surrogate_side *side = &search->side[s];
    size_t all = things_of(side->tree), most = side->count + more < all ? side->count + more : all;
    scree_memory *memory = search->memory;
    scree_status status = scree_memory_reserve(memory, &side->thing, &side->thing_capacity, most,
                                               sizeof *side->thing);
    if (!status)
        status = scree_memory_reserve(memory, &side->level, &side->level_capacity, most, 1);
    if (!status)
        status = scree_memory_reserve(memory, &side->corners, &side->corner_capacity, most,
                                      9 * sizeof(double));
    for (int w = 0; w < 2 && !status; w++)
        status = scree_memory_reserve(memory, &side->halo[w], &side->halo_capacity[w], most,
                                      sizeof(double));
    return status;
}

/*  Slots that were never written may contain any index, so new ones are set to zero, a valid index. */
static scree_status begin_tree(scree_surrogate_search *search, int s, const scree_mesh_body *body)
{
    scree_surrogate_side *side = &search->side[s];
    size_t before = side->slot_capacity;
    scree_status status = scree_memory_reserve(search->memory, &side->slot, &side->slot_capacity,
                                               things_of(body->tree), sizeof *side->slot);
    if (status)
        return status;
    if (side->slot_capacity > before)
        memset(side->slot + before, 0, (side->slot_capacity - before) * sizeof *side->slot);
    side->body = body;
    side->tree = body->tree;
    side->count = 0;
    side->wider = 0;
    return scree_surrogate_reserve(search, s, 1);
}

double scree_surrogate_place_error(const scree_mesh_body *body)
{
    double place = 0;
    for (int k = 0; k < 3; k++)
        place = fmax(place, fabs(body->pose.place[k]));
    return 0x1p-46 * (4 * body->tree->reach + place);
}

scree_status scree_surrogate_begin(scree_surrogate_search *search, const scree_mesh_body *a,
                                   const scree_mesh_body *b)
{
    double skins = a->skin + b->skin, size = 16 * (a->tree->reach + b->tree->reach) + skins;
    double slack = fmin(0x1p-21 * size, 0x1p-44 * size * (size / skins));
    scree_status status = begin_tree(search, 0, a);
    if (!status)
        status = begin_tree(search, 1, b);
    if (!status)
        status = scree_memory_reserve(search->memory, &search->verdicts, &search->verdict_capacity,
                                      SURROGATE_AT_ONCE, 1);
    if (!status)
        status = scree_memory_reserve(search->memory, &search->touches, &search->touch_capacity,
                                      SURROGATE_AT_ONCE, sizeof *search->touches);
    search->side[0].slack = scree_surrogate_place_error(a) + slack;
    search->side[1].slack = scree_surrogate_place_error(b) + slack;
    search->stack_count = 0;
    return status;
}

/* ---- items in the world ---- */

static void place_corners(const scree_surrogate_side *side, const double *const corner[3],
                          uint32_t slot)
{
    for (size_t c = 0; c < 3; c++)
        scree_mesh_place(&side->body->pose, corner[c], side->corners + 9 * (size_t)slot + 3 * c);
}

uint32_t scree_surrogate_slot(scree_surrogate_side *side, uint32_t thing, uint32_t level)
{
    uint32_t slot = side->slot[thing];
    const double *corner[3];
    double halo = side->body->skin;
    if (slot < side->count && side->thing[slot] == thing)
        return slot;
    slot = side->slot[thing] = side->count++;
    side->thing[slot] = thing;
    side->level[slot] = (uint8_t)level;
    if (thing < side->tree->node_count) {
        const scree_surrogate_node *node = &side->tree->nodes[thing];
        halo = (node->radius + halo + side->slack) * (1 + 0x1p-50);
        for (size_t c = 0; c < 3; c++)
            corner[c] = node->corner[c];
    } else {
        const scree_mesh *mesh = side->body->mesh;
        size_t at = 3 * (size_t)side->tree->facet[thing - side->tree->node_count];
        for (size_t c = 0; c < 3; c++)
            corner[c] = mesh->vertices + 3 * (size_t)mesh->facets[at + c];
    }
    side->halo[0][slot] = halo;
    side->halo[1][slot] = halo + side->wider;
    place_corners(side, corner, slot);
    return slot;
}

uint32_t scree_surrogate_open(scree_surrogate_side *side, uint32_t slot,
                              uint32_t to[SCREE_SURROGATE_WIDTH])
{
    const scree_surrogate *tree = side->tree;
    const scree_surrogate_node *node = &tree->nodes[side->thing[slot]];
    uint32_t count, first, level = side->level[slot] + 1u;
    if (scree_surrogate_is_facet(side, slot)) {
        to[0] = slot;
        return 1;
    }
    count = node->children > 0 ? node->children : node->end - node->begin;
    first = node->children > 0 ? node->child : tree->node_count + node->begin;
    for (uint32_t c = 0; c < count; c++)
        to[c] = scree_surrogate_slot(side, first + c, level);
    return count;
}

/* ---- comparisons ---- */

static void count_comparisons(scree_surrogate_search *search, const uint32_t *first,
                              const uint32_t *second, size_t count)
{
    const scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    for (size_t k = 0; k < count; k++) {
        uint8_t i = a->level[first[k]], j = b->level[second[k]];
        search->counts.level[i > j ? i : j]++;
        search->counts.facets += scree_surrogate_are_facets(search, first[k], second[k]);
    }
    search->counts.compared += count;
    search->counts.batches++;
    search->counts.lanes += (count + 15) / 16 * 16;
}

void scree_surrogate_compare(scree_surrogate_search *search, scree_simd simd, int wider,
                             const uint32_t *first, const uint32_t *second, size_t count)
{
    scree_triangle_settings settings = scree_triangle_default_settings();
    const scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    const scree_triangle_pairs pairs = {
        .side = {{a->corners, NULL, a->halo[wider], 0, NULL},
                 {b->corners, NULL, b->halo[wider], 0, NULL}},
        .first = first,
        .second = second,
        .count = count,
    };
    settings.method = search->method;
    settings.points = SCREE_TRIANGLE_POINTS_ANY;
    settings.fallback = false;
    settings.simd = simd;
    scree_triangle_batch(&pairs, &settings, search->touches, search->verdicts, NULL, NULL);
    count_comparisons(search, first, second, count);
}

scree_status scree_surrogate_offer(scree_mesh_finder *finder, scree_surrogate_search *search,
                                   uint32_t first, uint32_t second)
{
    search->counts.offered++;
    return scree_mesh_finder_offer(finder, scree_surrogate_facet(&search->side[0], first),
                                   scree_surrogate_facet(&search->side[1], second));
}

/* ---- the stack ---- */

scree_status scree_surrogate_make_room(scree_surrogate_search *search, size_t pairs)
{
    size_t most = search->stack_count + pairs * SURROGATE_CHILD_PAIRS;
    scree_status status = SCREE_OK;
    for (int s = 0; s < 2 && !status; s++) {
        status = scree_memory_reserve(search->memory, &search->stack[s], &search->stack_capacity[s],
                                      most, sizeof *search->stack[s]);
        if (!status)
            status = scree_surrogate_reserve(search, s, pairs * SCREE_SURROGATE_WIDTH);
    }
    return status;
}

/*  Which of two that touch are replaced: with SIDES the one with the larger halo, facets never. */
static void choose_sides(const scree_surrogate_search *search, uint32_t first, uint32_t second,
                         bool opens[2])
{
    const scree_surrogate_side *a = &search->side[0], *b = &search->side[1];
    opens[0] = opens[1] = true;
    if (search->traversal != SCREE_SURROGATE_SIDES)
        return;
    opens[0] = !scree_surrogate_is_facet(a, first) &&
               (scree_surrogate_is_facet(b, second) || a->halo[0][first] >= b->halo[0][second]);
    opens[1] = !opens[0];
}

void scree_surrogate_push_children(scree_surrogate_search *search, uint32_t first, uint32_t second)
{
    uint32_t to[2][SCREE_SURROGATE_WIDTH] = {{first}, {second}}, count[2] = {1, 1};
    bool opens[2];
    choose_sides(search, first, second, opens);
    if (opens[0])
        count[0] = scree_surrogate_open(&search->side[0], first, to[0]);
    if (opens[1])
        count[1] = scree_surrogate_open(&search->side[1], second, to[1]);
    for (uint32_t i = 0; i < count[0]; i++)
        for (uint32_t j = 0; j < count[1]; j++) {
            search->stack[0][search->stack_count] = to[0][i];
            search->stack[1][search->stack_count++] = to[1][j];
        }
}
