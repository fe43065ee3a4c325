/*  Turns of a cut. Nothing is missed: each turn replaces a pair by its children, or all children of a pair by the pair,
    so the active set always represents the same facet pairs. If facets touch, so do all surrogates that represent them
    (mesh_surrogate_parts.c). So the pair in the active set is either those facets, which are offered to the finder, or
    is widened.

    The published narrowing does not compare. Usually a surrogate touches and none of its children do, because halos of
    surrogates are thick; then one turn narrows, the next widens again, and the memory stops the cycle. Here the parent
    is compared before its children are replaced by it.

    With SIDES the larger of the two is opened, its children are compared at once, and those that touch are opened once
    more. So a turn descends as far as if both were opened together, with 8 comparisons instead of 64 if one child of 8
    touches. */
#include "narrow/mesh_surrogate_cut_parts.h"

#include <math.h>
#include <string.h>

void scree_surrogate_cut_init(scree_surrogate_cut *cut)
{
    memset(cut, 0, sizeof *cut);
}

void scree_surrogate_cut_reset(scree_surrogate_cut *cut)
{
    cut->count = cut->active_count = cut->stand_in_count = 0;
    cut->height = cut->widened = cut->narrowed = 0;
    cut->quiet_until = 0;
}

void scree_surrogate_cut_free(scree_surrogate_cut *cut, scree_memory *memory)
{
    scree_memory_give(memory, &cut->branches, cut->capacity, sizeof *cut->branches);
    scree_memory_give(memory, &cut->active, cut->active_capacity, sizeof *cut->active);
    scree_memory_give(memory, &cut->next, cut->next_capacity, sizeof *cut->next);
    scree_memory_give(memory, &cut->near, cut->near_capacity, sizeof *cut->near);
    scree_memory_give(memory, &cut->stand_ins, cut->stand_in_capacity, sizeof *cut->stand_ins);
    scree_surrogate_cut_init(cut);
}

/* ---- start ---- */

static scree_status begin_cut(scree_surrogate_search *search, scree_surrogate_cut *cut)
{
    scree_memory *memory = search->memory;

    scree_surrogate_cut_reset(cut);
    cut->travelled = 0;
    for (int s = 0; s < 2; s++) {
        cut->tree[s] = search->side[s].tree;
        cut->pose[s] = search->side[s].body->pose;
        cut->skin[s] = search->side[s].body->skin;
    }
    if (scree_memory_reserve(memory, &cut->branches, &cut->capacity, 1, sizeof *cut->branches) ||
        scree_memory_reserve(memory, &cut->active, &cut->active_capacity, 1, sizeof *cut->active))
        return SCREE_OUT_OF_MEMORY;
    memset(cut->branches, 0, sizeof *cut->branches);
    cut->active[0] = 0;
    cut->count = cut->active_count = 1;
    return SCREE_OK;
}

/*  A cut that dives may restart at any time, and does so when it has moved away from most of what it has refined. */
static bool is_of_use(const scree_surrogate_cut *cut, const scree_surrogate_search *search)
{
    if (cut->dives && cut->count > 256 + 2 * cut->active_count)
        return false;
    return cut->count > 0 && cut->tree[0] == search->side[0].tree &&
           cut->tree[1] == search->side[1].tree;
}

/*  After such a long motion, or with other skins, nothing is known about which pairs are apart. */
static void forget_motion(scree_surrogate_cut *cut)
{
    for (uint32_t k = 0; k < cut->count; k++)
        cut->branches[k].until = 0;
    cut->travelled = 0;
    cut->quiet_until = 0;
}

/*  Adds the motion since the last turn, and looks ahead by some turns of the same motion. */
static void look_ahead(scree_surrogate_turn *turn)
{
    scree_surrogate_search *search = turn->search;
    scree_surrogate_cut *cut = turn->cut;
    double skins = search->side[0].body->skin + search->side[1].body->skin;
    double way = scree_surrogate_way(search, cut->pose);

    if (!(way <= 2 * skins) || cut->skin[0] != search->side[0].body->skin ||
        cut->skin[1] != search->side[1].body->skin)
        forget_motion(cut);
    else
        cut->travelled = (cut->travelled + way) * (1 + 0x1p-50);
    turn->ahead = cut->travelled +
                  scree_surrogate_look_ahead(search, fmax(skins / 8, fmin(6 * way, 2 * skins)));
    for (int s = 0; s < 2; s++) {
        cut->pose[s] = search->side[s].body->pose;
        cut->skin[s] = search->side[s].body->skin;
    }
}

/* ---- comparisons ---- */

static void place_branch(scree_surrogate_turn *turn, uint32_t branch, uint32_t slot[2])
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

/*  Crossing triangles have no direction between them, so there is nothing to report. */
static scree_status add_stand_in(scree_surrogate_turn *turn, const uint32_t slot[2])
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

static void note_apart(scree_surrogate_cut *cut, uint32_t branch)
{
    cut->branches[branch].is_apart = true;
    if (branch != 0)
        cut->branches[cut->branches[branch].parent].apart++;
}

/*  What becomes of a member of the active set: it is opened, apart, or a contact. */
static scree_status take_branch(scree_surrogate_turn *turn, uint32_t branch, const uint32_t slot[2],
                                uint8_t verdict)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_surrogate_branch *b = &cut->branches[branch];
    uint32_t height;

    if (verdict == SCREE_TRIANGLES_APART) {
        b->until = b->until == SURROGATE_NEARBY ? 0 : SURROGATE_NEARBY;
        note_apart(cut, branch);
        return SCREE_OK;
    }
    b->until = SURROGATE_NEARBY;
    b->is_apart = false;
    if (scree_surrogate_are_facets(turn->search, slot[0], slot[1]))
        return scree_surrogate_offer(turn->finder, turn->search, slot[0], slot[1]);
    b->is_open = true;
    b->until = turn->ahead;
    turn->opened++;
    if (!turn->is_last)
        return SCREE_OK;
    cut->widened++;
    height = height_of(turn->search, slot);
    cut->height = height > cut->height ? height : cut->height;
    return add_stand_in(turn, slot);
}

/*  Verdicts for up to SURROGATE_AT_ONCE branches, with the slots of each. */
void scree_surrogate_compare_branches(scree_surrogate_turn *turn, int wider,
                                      const uint32_t *branches, size_t count,
                                      uint32_t slot[2][SURROGATE_AT_ONCE])
{
    for (size_t k = 0; k < count; k++) {
        uint32_t placed[2];
        place_branch(turn, branches[k], placed);
        slot[0][k] = placed[0];
        slot[1][k] = placed[1];
    }
    if (count > 0)
        scree_surrogate_compare(turn->search, turn->finder->simd, wider, slot[0], slot[1], count);
}

/*  The next members of the active set that must be compared, from *at on: those that were near, followed by those that
    were not, or are new. */
static uint32_t choose_branches(scree_surrogate_turn *turn, uint32_t *at,
                                uint32_t branches[SURROGATE_AT_ONCE], uint32_t *near)
{
    const scree_surrogate_cut *cut = turn->cut;
    uint32_t far = SURROGATE_AT_ONCE, count;

    *near = 0;
    for (; *at < cut->active_count && *near < far; ++*at) {
        uint32_t branch = cut->active[*at];
        double until = cut->branches[branch].until;
        if (until == SURROGATE_NEARBY) {
            branches[(*near)++] = branch;
        } else if (until > cut->travelled) {
            note_apart(turn->cut, branch);
            turn->search->counts.known_apart++;
        } else {
            branches[--far] = branch;
        }
    }
    count = SURROGATE_AT_ONCE - far;
    memmove(branches + *near, branches + far, count * sizeof *branches);
    return *near + count;
}

/*  Removes branches, from `near` on, that will stay apart for a while. Returns the new length of the list. */
static uint32_t sift_far(scree_surrogate_turn *turn, uint32_t near, uint32_t count,
                         uint32_t branches[SURROGATE_AT_ONCE])
{
    scree_surrogate_cut *cut = turn->cut;
    uint32_t slot[2][SURROGATE_AT_ONCE], left = near;

    scree_surrogate_compare_branches(turn, 1, branches + near, count - near, slot);
    for (uint32_t k = near; k < count; k++) {
        uint32_t branch = branches[k];
        if (turn->search->verdicts[k - near] == SCREE_TRIANGLES_APART) {
            cut->branches[branch].until = turn->ahead;
            note_apart(cut, branch);
        } else {
            cut->branches[branch].until = 0;
            branches[left++] = branch;
        }
    }
    return left;
}

/*  Compares the active set from some position on. */
static scree_status compare_active(scree_surrogate_turn *turn, uint32_t from)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_status status = SCREE_OK;

    turn->opened = 0;
    for (uint32_t k = from; k < cut->active_count; k++)
        cut->branches[cut->branches[cut->active[k]].parent].apart = 0;
    for (uint32_t at = from; at < cut->active_count && !status;) {
        uint32_t branches[SURROGATE_AT_ONCE], slot[2][SURROGATE_AT_ONCE], near;
        uint32_t count = choose_branches(turn, &at, branches, &near);
        count = sift_far(turn, near, count, branches);
        scree_surrogate_compare_branches(turn, 0, branches, count, slot);
        for (uint32_t k = 0; k < count && !status; k++) {
            const uint32_t placed[2] = {slot[0][k], slot[1][k]};
            status = take_branch(turn, branches[k], placed, turn->search->verdicts[k]);
        }
    }
    return status;
}

/* ---- narrowing ---- */

/*  Whether it is the first child of a parent all of whose children are active and apart, and bodies have moved since
    the parent touched. */
static bool leads_apart(const scree_surrogate_cut *cut, uint32_t branch)
{
    const scree_surrogate_branch *parent = &cut->branches[cut->branches[branch].parent];

    return branch != 0 && branch == parent->child && !parent->is_kept &&
           parent->apart == parent->children && !(parent->until > cut->travelled);
}

/*  Closes pairs whose children are all apart, if they are apart themselves. */
static scree_status narrow(scree_surrogate_turn *turn)
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
        scree_surrogate_compare_branches(turn, 0, cut->next + begin, count, slot);
        for (uint32_t k = 0; k < count; k++) {
            scree_surrogate_branch *b = &cut->branches[cut->next[begin + k]];
            if (turn->search->verdicts[k] != SCREE_TRIANGLES_APART) {
                b->until = turn->ahead;
                continue;
            }
            b->is_open = false;
            b->until = 0;
            b->was_narrowed = true;
            cut->narrowed++;
        }
    }
    return status;
}

/* ---- widening, and the next active set ---- */

/*  Creates the children of a pair that is widened for the first time; there is room. */
static void grow_branch(scree_surrogate_turn *turn, uint32_t branch)
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

/*  Reserves room for all children, also in the world, and for the list with them in it. */
static scree_status make_room_for_children(scree_surrogate_turn *turn)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_memory *memory = turn->search->memory;
    bool is_one_sided = turn->search->traversal == SCREE_SURROGATE_SIDES;
    size_t children = is_one_sided ? SCREE_SURROGATE_WIDTH : SURROGATE_CHILD_PAIRS;
    size_t most = (size_t)turn->opened * children;
    scree_status status = scree_surrogate_make_room(turn->search, 1);

    for (int s = 0; s < 2 && !status; s++)
        status =
            scree_surrogate_reserve(turn->search, s, (size_t)turn->opened * SCREE_SURROGATE_WIDTH);
    if (!status)
        status = scree_memory_reserve(memory, &cut->branches, &cut->capacity, cut->count + most,
                                      sizeof *cut->branches);
    if (!status)
        status = scree_memory_reserve(memory, &cut->active, &cut->active_capacity,
                                      cut->active_count + most, sizeof *cut->active);
    return status ? status
                  : scree_memory_reserve(memory, &cut->next, &cut->next_capacity,
                                         most > cut->active_count ? most : cut->active_count,
                                         sizeof *cut->next);
}

static void widen(scree_surrogate_turn *turn, uint32_t branch, uint32_t *count)
{
    scree_surrogate_cut *cut = turn->cut;

    if (cut->branches[branch].children == 0)
        grow_branch(turn, branch);
    scree_surrogate_branch *b = &cut->branches[branch];
    b->is_kept |= b->was_narrowed && !cut->forgets;
    b->apart = 0;
    for (uint32_t c = 0; c < b->children; c++)
        cut->next[(*count)++] = b->child + c;
}

/*  Replaces open members of the active set, from some position on, by their children, which are appended. Returns where
    they begin. */
static uint32_t list_children(scree_surrogate_turn *turn, uint32_t from)
{
    scree_surrogate_cut *cut = turn->cut;
    uint32_t kept = from, count = 0;

    for (uint32_t k = from; k < cut->active_count; k++) {
        uint32_t branch = cut->active[k];
        if (cut->branches[branch].is_open)
            widen(turn, branch, &count);
        else
            cut->active[kept++] = branch;
    }
    if (count > 0)
        memcpy(cut->active + kept, cut->next, count * sizeof *cut->next);
    cut->active_count = kept + count;
    return kept;
}

/*  Replaces all children of narrowed pairs by these pairs. */
static void list_narrowed(scree_surrogate_cut *cut)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < cut->active_count; k++) {
        uint32_t branch = cut->active[k], parent = cut->branches[branch].parent;
        if (branch == 0 || cut->branches[parent].is_open)
            cut->active[kept++] = branch;
        else if (branch == cut->branches[parent].child)
            cut->active[kept++] = parent;
    }
    cut->active_count = kept;
}

/* ---- a turn ---- */

/*  Compares the active set, and children, for as many rounds as the turn has. */
static scree_status look(scree_surrogate_turn *turn)
{
    uint32_t rounds = turn->search->traversal == SCREE_SURROGATE_SIDES ? 2 : 1, from = 0;
    scree_status status = SCREE_OK;

    for (uint32_t round = 1;; round++) {
        turn->is_last = round == rounds && !turn->cut->dives;
        status = compare_active(turn, from);
        if (!status)
            status = make_room_for_children(turn);
        if (!status)
            from = list_children(turn, from);
        if (status || turn->is_last || turn->opened == 0)
            return status;
    }
}

static scree_status take_turn(scree_surrogate_turn *turn)
{
    scree_surrogate_search *search = turn->search;
    scree_surrogate_cut *cut = turn->cut;
    bool stays = false;
    scree_status status = SCREE_OK;

    if (!is_of_use(cut, search))
        status = begin_cut(search, cut);
    cut->stand_in_count = cut->height = cut->widened = cut->narrowed = 0;
    look_ahead(turn);
    if (!status)
        status = scree_surrogate_cut_stay(turn, &stays);
    if (status || stays)
        return status;
    cut->quiet_until = 0;
    for (int s = 0; s < 2 && !status; s++)
        status = scree_surrogate_reserve(search, s, cut->active_count);
    if (!status)
        status = look(turn);
    if (!status)
        status = narrow(turn);
    if (status)
        return status;
    if (cut->narrowed > 0)
        list_narrowed(cut);
    else if (turn->opened == 0)
        status = scree_surrogate_cut_list_near(turn);
    return status;
}

scree_status scree_mesh_find_cut(scree_mesh_finder *finder, scree_surrogate_search *search,
                                 scree_surrogate_cut *cut, const scree_mesh_body *a,
                                 const scree_mesh_body *b)
{
    scree_surrogate_turn turn = {.finder = finder, .search = search, .cut = cut};
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
