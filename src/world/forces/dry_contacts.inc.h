/*  See dry_contacts.h. Included once for each SIMD level. */
#include "law/law_row.inc.h"
#include "world/forces/push_counts.inc.h"
#include "world/forces/sphere_meeting.inc.h"

/*  Data of one vector of contacts: what would be columns of a batch, and the bodies. */
typedef struct WIDE_FN(dry_room)
{
    _Alignas(64) double overlap[WIDE_LANES];
    double normal[3][WIDE_LANES], approach[WIDE_LANES], slide[3][WIDE_LANES], twist[WIDE_LANES];
    double radius[WIDE_LANES], mass[WIDE_LANES], arm[2][WIDE_LANES];
    double memory[DRY_MEMORIES][WIDE_LANES], next[DRY_MEMORIES][WIDE_LANES];
    double force[3][WIDE_LANES];
    uint32_t listed[2][WIDE_LANES];
    const uint32_t *first,
        *second;   /* slots: gathered, or a part of the list if pairs are contiguous */
    uint32_t kept; /* a bit for each lane with a contact */
    double roll[3][WIDE_LANES], moment[3][WIDE_LANES]; /* only of models that roll */
} WIDE_FN(dry_room);

/*  Input of the stages: full vectors of contiguous pairs, or indices of touching pairs. */
typedef struct WIDE_FN(dry_part)
{
    uint32_t begin;             /* the first pair, if contiguous */
    const uint32_t *candidates; /* NULL: contiguous */
    uint32_t many;
} WIDE_FN(dry_part);

#define WIDE_ALL_LANES ((1u << WIDE_LANES) - 1)

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(meeting)
    WIDE_FN(dry_geometry)(const scree_dry_run *run, law_traits traits, WIDE_FN(dry_room) * room)
{
    WIDE_FN(meeting) m = WIDE_FN(meet)(run->geometry, room->first, room->second);

    for (int k = 0; k < 3; k++) {
        wide_store(room->normal[k], m.normal[k]);
        wide_store(room->slide[k], m.slide[k]);
        if (traits.rolls)
            wide_store(room->roll[k], m.roll[k]);
    }
    wide_store(room->overlap, m.overlap);
    wide_store(room->approach, m.approach);
    wide_store(room->twist, m.twist);
    wide_store(room->radius, m.radius);
    wide_store(room->mass, m.mass);
    wide_store(room->arm[0], m.arm[0]);
    wide_store(room->arm[1], m.arm[1]);
    return m;
}

SCREE_KERNEL_PART void WIDE_FN(dry_name)(const scree_dry_run *run, const WIDE_FN(dry_part) * part,
                                         uint32_t at, WIDE_FN(dry_room) * room)
{
    const uint32_t left = part->many - at;

    room->kept = left < WIDE_LANES ? (1u << left) - 1 : WIDE_ALL_LANES;
    if (!part->candidates) {
        room->first = run->list->first[part->begin + at];
        room->second = run->list->second[part->begin + at];
        return;
    }
    room->first = room->listed[0];
    room->second = room->listed[1];
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        room->listed[0][lane] = run->list->first[part->candidates[at + lane]][0];
        room->listed[1][lane] = run->list->second[part->candidates[at + lane]][0];
    }
}

/*  A bit for each lane whose pair touched in the last step. */
SCREE_KERNEL_PART uint32_t WIDE_FN(dry_before)(const scree_dry_run *run, uint32_t first)
{
    uint64_t bytes = 0;

    /* each byte is 0 or 1; the multiplication moves it to its own bit of the highest byte */
    memcpy(&bytes, run->list->touches[first], WIDE_LANES);
    return (uint32_t)(bytes * 0x0102040810204080u >> 56);
}

/*  Records changed touches. New contacts get their pair parameters, which take effect only if the step is accepted. */
static SCREE_SELDOM void WIDE_FN(dry_note)(const scree_dry_run *run, uint32_t first,
                                           uint32_t before, uint32_t now)
{
    for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
        run->list->touches_next[first + lane][0] = now >> lane & 1;
        if ((now & ~before) >> lane & 1)
            run->list->slot[first + lane][0] = run->list->alike;
    }
}

/*  Finds which contiguous pairs touch, and loads their history. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_recall_packed)(const scree_dry_run *run,
                                                              uint32_t first, uint32_t apart,
                                                              uint32_t planes,
                                                              WIDE_FN(dry_room) * room)
{
    const uint32_t before = WIDE_FN(dry_before)(run, first), now = apart ^ WIDE_ALL_LANES;

    room->kept = now;
    if (before != now)
        WIDE_FN(dry_note)(run, first, before, now);
    for (uint32_t m = 0; m < planes; m++) {
        wide memory = wide_load(run->list->history[m] + first);
        if (before != WIDE_ALL_LANES)
            memory = WIDE_FN(keep_lanes)(memory, before);
        wide_store(room->memory[m], memory);
    }
}

SCREE_KERNEL_PART void WIDE_FN(dry_recall)(const scree_dry_run *run, const uint32_t *candidates,
                                           uint32_t planes, WIDE_FN(dry_room) * room)
{
    const scree_contact_list *list = run->list;

    for (uint32_t m = 0; m < planes; m++)
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++) {
            uint32_t c = candidates[lane];
            room->memory[m][lane] = list->touches[c][0] ? list->history[m][c] : 0;
        }
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_remember)(const scree_dry_run *run,
                                                         const WIDE_FN(dry_part) * part,
                                                         uint32_t at, uint32_t planes,
                                                         const WIDE_FN(dry_room) * room)
{
    for (uint32_t m = 0; !part->candidates && m < planes; m++)
        wide_store(run->next[m] + part->begin + at, wide_load(room->next[m]));
    for (uint32_t m = 0; part->candidates && m < planes; m++)
        for (uint32_t lane = 0; lane < WIDE_LANES; lane++)
            run->next[m][part->candidates[at + lane]] = room->next[m][lane];
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_law)(const scree_dry_run *run,
                                                    WIDE_FN(dry_room) * room, law_traits traits)
{
    scree_batch batch = {
        .count = WIDE_LANES,
        .dt = run->dt,
        .ahead = run->ahead,
        .overlap = room->overlap,
        .approach = room->approach,
        .twist = room->twist,
        .radius = room->radius,
        .mass = room->mass,
    };
    for (int k = 0; k < 3; k++) {
        batch.normal[k] = room->normal[k];
        batch.slide[k] = room->slide[k];
        batch.force[k] = room->force[k];
        batch.roll[k] = room->roll[k];
        batch.moment[k] = room->moment[k];
    }
    for (uint32_t m = 0; m < dry_memories(traits); m++) {
        batch.memory[m] = room->memory[m];
        batch.next[m] = room->next[m];
    }
    WIDE_FN(law_row)(&batch, run->constants, 0, traits);
}

/*  A contact model written as formulas runs operation by operation through columns of all vectors. */
SCREE_KERNEL_PART WIDE_TARGET void
WIDE_FN(dry_law_of_formulas)(const scree_dry_run *run, WIDE_FN(dry_room) * room, uint32_t vectors)
{
    dry_columns columns;

    for (uint32_t v = 0; v < vectors; v++) {
        const double *const read[DRY_READ] = {
            room[v].overlap,  room[v].normal[0], room[v].normal[1], room[v].normal[2],
            room[v].approach, room[v].slide[0],  room[v].slide[1],  room[v].slide[2],
            room[v].twist,    room[v].radius,    room[v].mass,      room[v].arm[0],
            room[v].arm[1],   room[v].memory[0], room[v].memory[1], room[v].memory[2],
            room[v].memory[3]};
        for (uint32_t c = 0; c < DRY_MEMORY + run->planes; c++)
            wide_store(columns.read[c] + v * WIDE_LANES, wide_load(read[c]));
    }
    run_formulas(run, &columns, vectors * WIDE_LANES);
    for (uint32_t v = 0; v < vectors; v++) {
        for (uint32_t m = 0; m < run->planes; m++)
            wide_store(room[v].next[m], wide_load(columns.written[DRY_NEXT + m] + v * WIDE_LANES));
        for (int k = 0; k < 3; k++)
            wide_store(room[v].force[k],
                       wide_load(columns.written[DRY_FORCE + k] + v * WIDE_LANES));
    }
}

/*  Adds contacts one by one, if the sums require it. */
static SCREE_SELDOM void WIDE_FN(dry_push_singly)(const scree_dry_run *run, bool rolls,
                                                  const WIDE_FN(dry_room) * room)
{
    scree_pushes pushes = {
        .count = WIDE_LANES,
        .first = room->first,
        .second = room->second,
        .force = {room->force[0], room->force[1], room->force[2]},
        .arm = {room->arm[0], room->arm[1]},
        .mass = room->mass,
        .radius = room->radius,
        .rule = run->rule,
        .normal = {room->normal[0], room->normal[1], room->normal[2]},
    };
    for (int k = 0; rolls && k < 3; k++)
        pushes.moment[k] = room->moment[k];
    for (uint32_t k = 0; k < WIDE_LANES; k++)
        if (room->kept >> k & 1)
            scree_push_one(run->sums, run->worker, &pushes, k);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_push)(const scree_dry_run *run, bool rolls,
                                                     const WIDE_FN(dry_room) * room)
{
    WIDE_FN(exerted)
    e = {.mass = wide_load(room->mass),
         .radius = wide_load(room->radius),
         .first = room->first,
         .second = room->second};
    wide n[3], turn[3];

    for (int k = 0; k < 3; k++) {
        n[k] = wide_load(room->normal[k]);
        e.force[k] = wide_load(room->force[k]);
    }
    WIDE_FN(cross)(n, e.force, turn);
    for (int k = 0; k < 3; k++) {
        e.torque[0][k] = wide_load(room->arm[0]) * turn[k];
        e.torque[1][k] = wide_load(room->arm[1]) * turn[k];
        if (rolls) {
            const wide moment = wide_load(room->moment[k]);
            e.torque[0][k] = e.torque[0][k] + moment;
            e.torque[1][k] = e.torque[1][k] - moment;
        }
    }
    if (room->kept != WIDE_ALL_LANES)
        WIDE_FN(keep_exerted)(&e, room->kept);
    if (!WIDE_FN(push_exerted)(run->sums, run->worker, &run->rule, &e, run->are_few))
        WIDE_FN(dry_push_singly)(run, rolls, room);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(dry_stages)(const scree_dry_run *run,
                                                       const WIDE_FN(dry_part) * part,
                                                       law_traits traits, scree_dry_result *result)
{
    const uint32_t planes = traits.kind == LAW_FORMULA ? run->planes : dry_memories(traits);
    /* includes contacts that are less deep by no more than rounding errors */
    const wide deepest = wide_set(run->deepest * (1 - 0x1p-40));
    uint32_t shallow = WIDE_ALL_LANES;

    for (uint32_t begin = 0; begin < part->many; begin += DRY_VECTORS * WIDE_LANES) {
        uint32_t left = (part->many - begin + WIDE_LANES - 1) / WIDE_LANES;
        uint32_t vectors = left < DRY_VECTORS ? left : DRY_VECTORS;
        WIDE_FN(dry_room) room[DRY_VECTORS];
        if (run->geometry->asks_ahead)
            ask_for_bodies(run, part->begin, part->candidates, begin + SCREE_ASK_AHEAD,
                           DRY_VECTORS * WIDE_LANES, part->many);
        for (uint32_t v = 0; v < vectors; v++) {
            const uint32_t at = begin + v * WIDE_LANES;
            WIDE_FN(dry_name)(run, part, at, &room[v]);
            WIDE_FN(meeting) m = WIDE_FN(dry_geometry)(run, traits, &room[v]);
            shallow &= wide_less_equal(m.overlap, deepest * m.smaller);
            if (part->candidates)
                WIDE_FN(dry_recall)(run, part->candidates + at, planes, &room[v]);
            else
                WIDE_FN(dry_recall_packed)(run, part->begin + at, m.apart, planes, &room[v]);
            result->contacts += WIDE_LANES == 1 ? room[v].kept : scree_count_bits(room[v].kept);
        }
        if (traits.kind == LAW_FORMULA)
            WIDE_FN(dry_law_of_formulas)(run, room, vectors);
        for (uint32_t v = 0; traits.kind != LAW_FORMULA && v < vectors; v++)
            WIDE_FN(dry_law)(run, &room[v], traits);
        for (uint32_t v = 0; v < vectors; v++) {
            WIDE_FN(dry_remember)(run, part, begin + v * WIDE_LANES, planes, &room[v]);
            WIDE_FN(dry_push)(run, traits.rolls, &room[v]);
        }
    }
    result->may_be_deep |= shallow != WIDE_ALL_LANES;
}

SCREE_KERNEL_PART WIDE_TARGET scree_dry_result WIDE_FN(dry_all)(const scree_dry_run *run,
                                                                uint32_t begin, uint32_t packed,
                                                                const uint32_t *candidates,
                                                                uint32_t count, law_traits traits)
{
    const WIDE_FN(dry_part) side_by_side = {begin, NULL, packed}, listed = {0, candidates, count};
    scree_dry_result result = {0, false};

    WIDE_FN(dry_stages)(run, &side_by_side, traits, &result);
    WIDE_FN(dry_stages)(run, &listed, traits, &result);
    return result;
}

/*  A kernel for each contact model. */
#define DRY_KERNEL(name, hertz, roll, what)                                                        \
    static WIDE_TARGET scree_dry_result WIDE_FN(dry_##name)(                                       \
        const scree_dry_run *run, uint32_t begin, uint32_t packed, const uint32_t *candidates,     \
        uint32_t count)                                                                            \
    {                                                                                              \
        const law_traits traits = {.is_hertz = hertz, .rolls = roll, .kind = what};                \
        return WIDE_FN(dry_all)(run, begin, packed, candidates, count, traits);                    \
    }

DRY_KERNEL(linear, false, false, LAW_DRY)
DRY_KERNEL(linear_rolling, false, true, LAW_DRY)
DRY_KERNEL(penalty, false, false, LAW_PENALTY)
DRY_KERNEL(hertz, true, false, LAW_DRY)
DRY_KERNEL(hertz_rolling, true, true, LAW_DRY)
DRY_KERNEL(formula, false, false, LAW_FORMULA)

#undef DRY_KERNEL
#undef WIDE_ALL_LANES
