/*  Turns in which a cut does not change. These are most turns, because the iterates of a step hardly move the bodies.

    Of thousands of active pairs, some dozens are near. The others are known to be apart until bodies have moved as far
    as the first of them allows. So a turn leaves a list of the near ones and that distance; the next turn, if it is
    within the distance, uses the list alone. This saves memory traffic: a cut is as large as a second-level cache, and
    the cut of the next two bodies has evicted it by its next turn.

    The state after such a turn is bit-identical to that after a full turn. A full turn would do more if a surrogate
    touches, because it must be opened, or if all children of a pair have become apart, because it may be narrowed to,
    now or when its own distance expires. The first case is detected before anything is written, so the full turn can be
    taken instead. For the second, the number of children that are apart is kept from turn to turn, and the distances of
    such pairs count among those that end the quiet. */
#include "narrow/mesh_surrogate_cut_parts.h"

#include <math.h>
#include <string.h>

/* ---- the list of near pairs ---- */

/*  Whether all its children are active and apart, and it may be narrowed to. */
static bool waits_to_narrow(const scree_surrogate_branch *parent)
{
    return parent->apart == parent->children && !parent->is_kept;
}

scree_status scree_surrogate_cut_list_near(scree_surrogate_turn *turn)
{
    scree_surrogate_cut *cut = turn->cut;
    double until = INFINITY;
    uint32_t near[SURROGATE_AT_ONCE], count = 0;

    for (uint32_t k = 0; k < cut->active_count; k++) {
        uint32_t active = cut->active[k];
        const scree_surrogate_branch *b = &cut->branches[active],
                                     *parent = &cut->branches[b->parent];
        if (b->until > cut->travelled)
            until = fmin(until, b->until);
        else if (count < SURROGATE_AT_ONCE)
            near[count++] = active;
        else
            return SCREE_OK;
        if (active != 0 && active == parent->child && waits_to_narrow(parent))
            until = fmin(until, parent->until);
    }
    if (scree_memory_reserve(turn->search->memory, &cut->near, &cut->near_capacity, count,
                             sizeof *cut->near))
        return SCREE_OUT_OF_MEMORY;
    if (count > 0)
        memcpy(cut->near, near, count * sizeof *near);
    cut->near_count = count;
    cut->quiet_until = until;
    return SCREE_OK;
}

/* ---- a quiet turn ---- */

typedef struct quiet_turn
{
    uint32_t near[SURROGATE_AT_ONCE], slot[2][SURROGATE_AT_ONCE];
    uint32_t far[SURROGATE_AT_ONCE]; /* were near, and will be apart for a while */
    uint32_t near_count, far_count;
    double until;
} quiet_turn;

/*  Compares those of the list that were not near at the last turn, with enlarged halos first. */
static void sift(scree_surrogate_turn *turn, quiet_turn *quiet)
{
    const scree_surrogate_cut *cut = turn->cut;
    uint32_t unsure[SURROGATE_AT_ONCE], unsure_count = 0;

    unsure[0] = 0; /* silences compilers that cannot see that count is above 0 */
    quiet->near_count = quiet->far_count = 0;
    for (uint32_t k = 0; k < cut->near_count; k++)
        if (cut->branches[cut->near[k]].until == SURROGATE_NEARBY)
            quiet->near[quiet->near_count++] = cut->near[k];
        else
            unsure[unsure_count++] = cut->near[k];
    scree_surrogate_compare_branches(turn, 1, unsure, unsure_count, quiet->slot);
    for (uint32_t k = 0; k < unsure_count; k++)
        if (turn->search->verdicts[k] == SCREE_TRIANGLES_APART)
            quiet->far[quiet->far_count++] = unsure[k];
        else
            quiet->near[quiet->near_count++] = unsure[k];
}

/*  Counts the children of a pair again after one has changed. Returns whether this leaves the active set unchanged for
    now. */
static bool count_child(const scree_surrogate_turn *turn, quiet_turn *quiet, uint32_t branch,
                        bool is_apart)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_surrogate_branch *b = &cut->branches[branch], *parent = &cut->branches[b->parent];

    if (branch == 0 || b->is_apart == is_apart)
        return true;
    b->is_apart = is_apart;
    parent->apart = (uint8_t)(is_apart ? parent->apart + 1 : parent->apart - 1);
    if (!is_apart || !waits_to_narrow(parent))
        return true;
    quiet->until = fmin(quiet->until, parent->until);
    return parent->until > cut->travelled;
}

/*  Counts all that were compared. If this would change the set, a full turn counts them all again. */
static bool count_children(const scree_surrogate_turn *turn, quiet_turn *quiet)
{
    bool stays = true;

    for (uint32_t k = 0; k < quiet->far_count; k++)
        stays &= count_child(turn, quiet, quiet->far[k], true);
    for (uint32_t k = 0; k < quiet->near_count; k++)
        stays &= count_child(turn, quiet, quiet->near[k],
                             turn->search->verdicts[k] == SCREE_TRIANGLES_APART);
    return stays;
}

static bool some_surrogate_touches(const scree_surrogate_turn *turn, const quiet_turn *quiet)
{
    for (uint32_t k = 0; k < quiet->near_count; k++)
        if (turn->search->verdicts[k] != SCREE_TRIANGLES_APART &&
            !scree_surrogate_are_facets(turn->search, quiet->slot[0][k], quiet->slot[1][k]))
            return true;
    return false;
}

/*  Leaves them as a full turn does. */
static scree_status settle(scree_surrogate_turn *turn, const quiet_turn *quiet)
{
    scree_surrogate_cut *cut = turn->cut;
    scree_status status = SCREE_OK;

    cut->near_count = quiet->near_count;
    cut->quiet_until = quiet->far_count ? fmin(quiet->until, turn->ahead) : quiet->until;
    for (uint32_t k = 0; k < quiet->far_count; k++)
        cut->branches[quiet->far[k]].until = turn->ahead;
    for (uint32_t k = 0; k < quiet->near_count && !status; k++) {
        scree_surrogate_branch *b = &cut->branches[quiet->near[k]];
        cut->near[k] = quiet->near[k];
        if (turn->search->verdicts[k] == SCREE_TRIANGLES_APART) {
            b->until = b->until == SURROGATE_NEARBY ? 0 : SURROGATE_NEARBY;
            continue;
        }
        b->until = SURROGATE_NEARBY;
        status =
            scree_surrogate_offer(turn->finder, turn->search, quiet->slot[0][k], quiet->slot[1][k]);
    }
    turn->search->counts.known_apart += cut->active_count - quiet->near_count - quiet->far_count;
    return status;
}

scree_status scree_surrogate_cut_stay(scree_surrogate_turn *turn, bool *stays)
{
    scree_surrogate_cut *cut = turn->cut;
    quiet_turn quiet;
    scree_status status = SCREE_OK;

    *stays = false;
    if (!(cut->quiet_until > cut->travelled))
        return SCREE_OK;
    for (int s = 0; s < 2 && !status; s++)
        status = scree_surrogate_reserve(turn->search, s, cut->near_count);
    if (status)
        return status;
    quiet.until = cut->quiet_until;
    sift(turn, &quiet);
    scree_surrogate_compare_branches(turn, 0, quiet.near, quiet.near_count, quiet.slot);
    *stays = !some_surrogate_touches(turn, &quiet) && count_children(turn, &quiet);
    return *stays ? settle(turn, &quiet) : SCREE_OK;
}
