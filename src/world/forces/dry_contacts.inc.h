/*  See dry_contacts.h; at one SIMD level. */
#include "law/law_row.inc.h"
#include "world/forces/push_counts.inc.h"
#include "world/forces/sphere_meeting.inc.h"

/*  Room of one vector: what would be columns of a batch; and which bodies. */
typedef struct WIDE_FN(dry_room)
{
    _Alignas(64) double overlap[WIDE_LANES];
    double normal[3][WIDE_LANES], approach[WIDE_LANES], slide[3][WIDE_LANES], twist[WIDE_LANES];
    double radius[WIDE_LANES], mass[WIDE_LANES], arm[2][WIDE_LANES];
    double memory[SCREE_HERTZ_MEMORY][WIDE_LANES], next[SCREE_HERTZ_MEMORY][WIDE_LANES];
    double force[3][WIDE_LANES];
    uint32_t first[WIDE_LANES], second[WIDE_LANES];
    uint32_t lanes; /* that are contacts of their own */
    bool is_run;    /* their memory lies side by side, and none is new */
} WIDE_FN(dry_room);

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_geometry)(const scree_dry_run *run,
                                                         WIDE_FN(dry_room) * room, double *depth)
{
    WIDE_FN(meeting) m = WIDE_FN(meet)(run->geometry, room->first, room->second);

    for (int k = 0; k < 3; k++) {
        wide_store(room->normal[k], m.normal[k]);
        wide_store(room->slide[k], m.slide[k]);
    }
    wide_store(room->overlap, m.overlap);
    wide_store(room->approach, m.approach);
    wide_store(room->twist, m.twist);
    wide_store(room->radius, m.radius);
    wide_store(room->mass, m.mass);
    wide_store(room->arm[0], m.arm[0]);
    wide_store(room->arm[1], m.arm[1]);
    wide_store(depth, m.depth);
}

/*  Whether memory of these lies side by side, and none is new. */
SCREE_KERNEL_PART bool WIDE_FN(dry_is_run)(const scree_dry_run *run, const uint32_t *candidates)
{
    uint8_t all = 1;

    if (candidates[WIDE_LANES - 1] - candidates[0] != WIDE_LANES - 1)
        return false;
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
        all &= run->list->touches[candidates[0] + lane][0];
    return all != 0;
}

SCREE_KERNEL_PART void WIDE_FN(dry_name)(const scree_dry_run *run, const uint32_t *candidates,
                                         uint32_t left, WIDE_FN(dry_room) * room)
{
    room->lanes = left < WIDE_LANES ? left : WIDE_LANES;
    room->is_run = room->lanes == WIDE_LANES && WIDE_FN(dry_is_run)(run, candidates);
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        room->first[lane] = run->list->first[candidates[lane]][0];
        room->second[lane] = run->list->second[candidates[lane]][0];
    }
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_recall)(const scree_dry_run *run,
                                                       const uint32_t *candidates, uint32_t planes,
                                                       WIDE_FN(dry_room) * room)
{
    const scree_contact_list *list = run->list;
    const bool is_run = room->is_run;

    for (uint32_t m = 0; is_run && m < planes; m++)
        wide_store(room->memory[m], wide_load(list->remembered[m] + candidates[0]));
    for (uint32_t m = 0; !is_run && m < planes; m++)
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
            uint32_t c = candidates[lane];
            room->memory[m][lane] = list->touches[c][0] ? list->remembered[m][c] : 0;
        }
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_remember)(const scree_dry_run *run,
                                                         const uint32_t *candidates,
                                                         uint32_t planes,
                                                         const WIDE_FN(dry_room) * room)
{
    const bool is_run = room->is_run;

    for (uint32_t m = 0; is_run && m < planes; m++)
        wide_store(run->next[m] + candidates[0], wide_load(room->next[m]));
    for (uint32_t m = 0; !is_run && m < planes; m++)
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
            run->next[m][candidates[lane]] = room->next[m][lane];
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_law)(const scree_dry_run *run,
                                                    WIDE_FN(dry_room) * room, law_traits traits)
{
    const scree_batch batch = {
        .count = WIDE_LANES,
        .dt = run->dt,
        .ahead = run->ahead,
        .overlap = room->overlap,
        .normal = {room->normal[0], room->normal[1], room->normal[2]},
        .approach = room->approach,
        .slide = {room->slide[0], room->slide[1], room->slide[2]},
        .twist = room->twist,
        .radius = room->radius,
        .mass = room->mass,
        .memory = {room->memory[0], room->memory[1], room->memory[2], room->memory[3]},
        .next = {room->next[0], room->next[1], room->next[2], room->next[3]},
        .force = {room->force[0], room->force[1], room->force[2]},
    };
    WIDE_FN(law_row)(&batch, run->constants, 0, traits);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_push)(const scree_dry_run *run,
                                                     const WIDE_FN(dry_room) * room)
{
    const scree_pushes pushes = {
        .count = room->lanes,
        .first = room->first,
        .second = room->second,
        .force = {room->force[0], room->force[1], room->force[2]},
        .arm = {room->arm[0], room->arm[1]},
        .mass = room->mass,
        .radius = room->radius,
        .rule = run->rule,
        .normal = {room->normal[0], room->normal[1], room->normal[2]},
    };
    WIDE_FN(push_vector)(run->sums, run->worker, &pushes, 0);
}

SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(dry_all)(const scree_dry_run *run,
                                                    const uint32_t *candidates, uint32_t count,
                                                    law_traits traits)
{
    const uint32_t planes = traits.is_hertz ? SCREE_HERTZ_MEMORY : SCREE_LINEAR_MEMORY;
    const uint32_t all = (1u << WIDE_LANES) - 1;
    uint32_t shallow = all;

    for (uint32_t begin = 0; begin < count; begin += DRY_VECTORS * WIDE_LANES) {
        uint32_t left = (count - begin + WIDE_LANES - 1) / WIDE_LANES;
        uint32_t vectors = left < DRY_VECTORS ? left : DRY_VECTORS;
        WIDE_FN(dry_room) room[DRY_VECTORS];
        if (run->geometry->asks_ahead)
            ask_for_bodies(run, candidates, begin + SCREE_ASK_AHEAD, DRY_VECTORS * WIDE_LANES,
                           count);
        for (uint32_t v = 0; v < vectors; v++) {
            const uint32_t at = begin + v * WIDE_LANES;
            WIDE_FN(dry_name)(run, candidates + at, count - at, &room[v]);
            WIDE_FN(dry_geometry)(run, &room[v], run->depth + at);
            shallow &= wide_less_equal(wide_load(run->depth + at), wide_set(run->deepest));
            WIDE_FN(dry_recall)(run, candidates + at, planes, &room[v]);
        }
        for (uint32_t v = 0; v < vectors; v++)
            WIDE_FN(dry_law)(run, &room[v], traits);
        for (uint32_t v = 0; v < vectors; v++) {
            WIDE_FN(dry_remember)(run, candidates + begin + v * WIDE_LANES, planes, &room[v]);
            WIDE_FN(dry_push)(run, &room[v]);
        }
    }
    return shallow != all;
}

static WIDE_TARGET bool WIDE_FN(dry_linear)(const scree_dry_run *run, const uint32_t *candidates,
                                            uint32_t count)
{
    const law_traits traits = {.kind = LAW_DRY};
    return WIDE_FN(dry_all)(run, candidates, count, traits);
}

static WIDE_TARGET bool WIDE_FN(dry_penalty)(const scree_dry_run *run, const uint32_t *candidates,
                                             uint32_t count)
{
    const law_traits traits = {.kind = LAW_PENALTY};
    return WIDE_FN(dry_all)(run, candidates, count, traits);
}

static WIDE_TARGET bool WIDE_FN(dry_hertz)(const scree_dry_run *run, const uint32_t *candidates,
                                           uint32_t count)
{
    const law_traits traits = {.is_hertz = true, .kind = LAW_DRY};
    return WIDE_FN(dry_all)(run, candidates, count, traits);
}
