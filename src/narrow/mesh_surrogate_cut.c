/*  Turns of a cut. Why nothing is lost: each turn replaces a pair by its children, or all children of a pair by the pair; so
    what the active set stands for stays the same. If facets touch, so do whatever stands for them
    (mesh_surrogate_parts.c), and this pair is either those facets, which are told to the finder, or widened.

    The published narrowing asks nobody: where a surrogate touches and none of its children do, which is the rule and not
    the exception, as halos of surrogates are thick, it takes one turn to narrow, one to widen again, and the memory ends it. Here the
    pair above is compared before children give way to it. */
#include "narrow/mesh_surrogate_cut.h"

#include "narrow/mesh_surrogate_parts.h"

#include <string.h>

typedef struct cut_turn
{
    scree_mesh_finder *finder;
    scree_surrogate_search *search;
    scree_surrogate_cut *cut;
} cut_turn;

void scree_surrogate_cut_init(scree_surrogate_cut *cut)
{
    memset(cut, 0, sizeof *cut);
}

void scree_surrogate_cut_reset(scree_surrogate_cut *cut)
{
    cut->count = cut->active_count = cut->stand_in_count = 0;
    cut->height = cut->widened = cut->narrowed = 0;
}

void scree_surrogate_cut_free(scree_surrogate_cut *cut, scree_memory *memory)
{
    scree_memory_give(memory, &cut->branches, cut->capacity, sizeof *cut->branches);
    scree_memory_give(memory, &cut->active, cut->active_capacity, sizeof *cut->active);
    scree_memory_give(memory, &cut->next, cut->next_capacity, sizeof *cut->next);
    scree_memory_give(memory, &cut->stand_ins, cut->stand_in_capacity, sizeof *cut->stand_ins);
    scree_surrogate_cut_init(cut);
}

/* ---- beginning ---- */

static scree_status begin_cut(scree_surrogate_search *search, scree_surrogate_cut *cut)
{
    scree_memory *memory = search->memory;

    cut->tree[0] = search->side[0].tree;
    cut->tree[1] = search->side[1].tree;
    scree_surrogate_cut_reset(cut);
    if (scree_memory_reserve(memory, &cut->branches, &cut->capacity, 1, sizeof *cut->branches) ||
        scree_memory_reserve(memory, &cut->active, &cut->active_capacity, 1, sizeof *cut->active))
        return SCREE_OUT_OF_MEMORY;
    memset(cut->branches, 0, sizeof *cut->branches);
    cut->active[0] = 0;
    cut->count = cut->active_count = 1;
    return SCREE_OK;
}

/* ---- comparing ---- */

static void place_branch(cut_turn *turn, uint32_t branch, uint32_t slot[2])
{
    const scree_surrogate_branch *b = &turn->cut->branches[branch];

    for (int s = 0; s < 2; s++)
        slot[s] = scree_surrogate_slot(&turn->search->side[s], b->thing[s], b->level[s]);
}

/*  Levels above facets of the higher of the two. */
static uint32_t height_of(const scree_surrogate_search *search, const uint32_t slot[2])
{
    uint32_t most = 0;

    for (int s = 0; s < 2; s++) {
        const scree_surrogate_side *side = &search->side[s];
        uint32_t height = scree_surrogate_is_facet(side, slot[s])
                              ? 0
                              : side->tree->level_count - side->level[slot[s]];
        most = height > most ? height : most;
    }
    return most;
}

/*  Where they cross there is no way from the one to the other, and nothing to be said. */
static scree_status add_stand_in(cut_turn *turn, const uint32_t slot[2])
{
    const scree_surrogate_side *side = turn->search->side;
    scree_surrogate_cut *cut = turn->cut;
    double corner[2][3][3];

    for (int s = 0; s < 2; s++)
        memcpy(corner[s], side[s].corners + 9 * (size_t)slot[s], sizeof corner[s]);
    scree_gap gap =
        scree_triangle_distance((const double(*)[3])corner[0], (const double(*)[3])corner[1]);
    double halo[2] = {side[0].halo[0][slot[0]], side[1].halo[0][slot[1]]};
    if (!(gap.distance > 0 && gap.distance < halo[0] + halo[1]))
        return SCREE_OK;
    if (scree_memory_reserve(turn->search->memory, &cut->stand_ins, &cut->stand_in_capacity,
                             (size_t)cut->stand_in_count + 1, sizeof *cut->stand_ins))
        return SCREE_OUT_OF_MEMORY;
    scree_surrogate_stand_in *to = &cut->stand_ins[cut->stand_in_count++];
    memcpy(to->point, gap.point, sizeof to->point);
    to->distance = gap.distance;
    memcpy(to->halo, halo, sizeof halo);
    return SCREE_OK;
}

/*  What becomes of one of the active set: to be opened, or apart, or a contact. */
static scree_status take_branch(cut_turn *turn, uint32_t branch, const uint32_t slot[2],
                                uint8_t verdict)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_surrogate_branch *b = &cut->branches[branch];
    uint32_t height;

    if (verdict == SCREE_TRIANGLES_APART) {
        if (branch != 0)
            cut->branches[b->parent].apart++;
        return SCREE_OK;
    }
    if (scree_surrogate_are_facets(turn->search, slot[0], slot[1]))
        return scree_surrogate_offer(turn->finder, turn->search, slot[0], slot[1]);
    b->is_open = true;
    cut->widened++;
    height = height_of(turn->search, slot);
    cut->height = height > cut->height ? height : cut->height;
    return add_stand_in(turn, slot);
}

/*  Verdicts of up to SURROGATE_AT_ONCE branches, with the slots of each. */
static void compare_branches(cut_turn *turn, const uint32_t *branches, size_t count,
                             uint32_t slot[2][SURROGATE_AT_ONCE])
{
    for (size_t k = 0; k < count; k++) {
        uint32_t placed[2];
        place_branch(turn, branches[k], placed);
        slot[0][k] = placed[0];
        slot[1][k] = placed[1];
    }
    scree_surrogate_compare(turn->search, turn->finder->simd, 0, slot[0], slot[1], count);
}

/*  The whole of the active set. */
static scree_status look_at_active(cut_turn *turn)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < cut->active_count; k++)
        cut->branches[cut->branches[cut->active[k]].parent].apart = 0;
    for (uint32_t begin = 0; begin < cut->active_count && !status; begin += SURROGATE_AT_ONCE) {
        uint32_t slot[2][SURROGATE_AT_ONCE];
        uint32_t count = cut->active_count - begin;
        count = count < SURROGATE_AT_ONCE ? count : SURROGATE_AT_ONCE;
        compare_branches(turn, cut->active + begin, count, slot);
        for (uint32_t k = 0; k < count && !status; k++) {
            const uint32_t placed[2] = {slot[0][k], slot[1][k]};
            status = take_branch(turn, cut->active[begin + k], placed, turn->search->verdicts[k]);
        }
    }
    return status;
}

/* ---- narrowing ---- */

/*  Whether all children of this one's parent are in the active set and apart, and it is the first of them. */
static bool leads_apart(const scree_surrogate_cut *cut, uint32_t branch)
{
    const scree_surrogate_branch *parent = &cut->branches[cut->branches[branch].parent];

    return branch != 0 && branch == parent->child && !parent->is_kept &&
           parent->apart == parent->children;
}

/*  Pairs all of whose children are apart close, if they are apart themselves. The list of them takes the place where the
    next active set will be. */
static scree_status narrow(cut_turn *turn)
{
    scree_surrogate_cut *cut = turn->cut;
    uint32_t asked = 0;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < cut->active_count; k++)
        if (leads_apart(cut, cut->active[k]))
            cut->next[asked++] = cut->branches[cut->active[k]].parent;
    for (int s = 0; s < 2 && !status; s++)
        status = scree_surrogate_reserve(turn->search, s, asked);
    for (uint32_t begin = 0; begin < asked && !status; begin += SURROGATE_AT_ONCE) {
        uint32_t slot[2][SURROGATE_AT_ONCE];
        uint32_t count = asked - begin < SURROGATE_AT_ONCE ? asked - begin : SURROGATE_AT_ONCE;
        compare_branches(turn, cut->next + begin, count, slot);
        for (uint32_t k = 0; k < count; k++) {
            scree_surrogate_branch *b = &cut->branches[cut->next[begin + k]];
            if (turn->search->verdicts[k] != SCREE_TRIANGLES_APART)
                continue;
            b->is_open = false;
            b->was_narrowed = true;
            cut->narrowed++;
        }
    }
    return status;
}

/* ---- the next active set ---- */

/*  Children of a pair that is widened for the first time; there is room. */
static void grow_branch(cut_turn *turn, uint32_t branch)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_surrogate_search *search = turn->search;
    uint32_t slot[2], first = cut->count;

    place_branch(turn, branch, slot);
    search->stack_count = 0;
    scree_surrogate_push_children(search, slot[0], slot[1]);
    for (size_t k = 0; k < search->stack_count; k++) {
        scree_surrogate_branch *b = &cut->branches[cut->count++];
        memset(b, 0, sizeof *b);
        b->parent = branch;
        for (int s = 0; s < 2; s++) {
            b->thing[s] = search->side[s].thing[search->stack[s][k]];
            b->level[s] = search->side[s].level[search->stack[s][k]];
        }
    }
    cut->branches[branch].child = first;
    cut->branches[branch].children = (uint8_t)(cut->count - first);
}

/*  Room for all children, in the world as well, and for the list with them in it. */
static scree_status make_room_for_children(cut_turn *turn)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_memory *memory = turn->search->memory;
    size_t most = (size_t)cut->widened * SURROGATE_CHILD_PAIRS;
    scree_status status = scree_surrogate_make_room(turn->search, 1);

    for (int s = 0; s < 2 && !status; s++)
        status =
            scree_surrogate_reserve(turn->search, s, (size_t)cut->widened * SCREE_SURROGATE_WIDTH);
    if (!status)
        status = scree_memory_reserve(memory, &cut->branches, &cut->capacity, cut->count + most,
                                      sizeof *cut->branches);
    return status ? status
                  : scree_memory_reserve(memory, &cut->next, &cut->next_capacity,
                                         cut->active_count + most, sizeof *cut->next);
}

static void widen(cut_turn *turn, uint32_t branch, uint32_t *count)
{
    scree_surrogate_cut *cut = turn->cut;

    if (cut->branches[branch].children == 0)
        grow_branch(turn, branch);
    const scree_surrogate_branch *b = &cut->branches[branch];
    cut->branches[branch].is_kept |= b->was_narrowed && !cut->forgets;
    for (uint32_t c = 0; c < b->children; c++)
        cut->next[(*count)++] = b->child + c;
}

static void list_next(cut_turn *turn)
{
    scree_surrogate_cut *cut = turn->cut;
    uint32_t *list = cut->active, count = 0;
    size_t capacity = cut->active_capacity;

    for (uint32_t k = 0; k < cut->active_count; k++) {
        uint32_t branch = cut->active[k], parent = cut->branches[branch].parent;
        if (cut->branches[branch].is_open)
            widen(turn, branch, &count);
        else if (branch == 0 || cut->branches[parent].is_open)
            cut->next[count++] = branch;
        else if (branch == cut->branches[parent].child)
            cut->next[count++] = parent;
    }
    cut->active = cut->next;
    cut->active_capacity = cut->next_capacity;
    cut->active_count = count;
    cut->next = list;
    cut->next_capacity = capacity;
}

/* ---- all ---- */

static scree_status take_turn(cut_turn *turn)
{
    scree_surrogate_search *search = turn->search;
    scree_surrogate_cut *cut = turn->cut;
    scree_status status = SCREE_OK;

    if (cut->count == 0 || cut->tree[0] != search->side[0].tree ||
        cut->tree[1] != search->side[1].tree)
        status = begin_cut(search, cut);
    cut->stand_in_count = cut->height = cut->widened = cut->narrowed = 0;
    for (int s = 0; s < 2 && !status; s++)
        status = scree_surrogate_reserve(search, s, cut->active_count);
    if (!status)
        status = look_at_active(turn);
    if (!status)
        status = make_room_for_children(turn);
    if (!status)
        status = narrow(turn);
    if (!status)
        list_next(turn);
    return status;
}

scree_status scree_mesh_find_cut(scree_mesh_finder *finder, scree_surrogate_search *search,
                                 scree_surrogate_cut *cut, const scree_mesh_body *a,
                                 const scree_mesh_body *b)
{
    cut_turn turn = {finder, search, cut};
    scree_status status = scree_mesh_finder_begin(finder, a, b);

    if (!status)
        status = scree_surrogate_begin(search, a, b);
    if (!status)
        status = take_turn(&turn);
    if (!status)
        search->counts.placed += search->side[0].count + search->side[1].count;
    status = scree_mesh_finder_end(finder, status);
    if (status)
        scree_surrogate_cut_reset(cut);
    return status;
}
