/*  The volume of each body with its growth, and the test whether it is still inside.

    Why nothing is missed. Let M be the enlarged volume at the place where a body was mapped, E the true
    one now. Detection reports all pairs with overlapping M. If E lies in M for every body, a pair with
    overlapping E has overlapping M and is known. Boxes: E in M is six comparisons, without rounding.
    Spheres: |x - x_mapped| + r <= r_mapped + growth. The formula of the rule rounds: it accepts spheres
    up to 5u (r_i + r_j) apart, and may reject M up to 6u of its radii short of touching, u = 2^-53; the
    test asks for 64u of the largest sphere more than that, so rounding cannot lose a pair even between
    a giant that has not grown and a dust grain at the end of its allowance.

    Tolerance with reach 2 (specification of the cell space, 9.1): bodies are mapped when they have moved
    by more than eps, and move by at most eps in a step; so between this mapping and the next each is
    within 2 eps of where it was mapped, and its growth is 2 eps. The speed in eps is that of the body's
    fastest point; the published formula has that of its centre. */
#include "detect/margin.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- definitions ---- */

static scree_status check_number(const char *name, double value, double lowest, double highest,
                                 scree_error *error)
{
    if (value >= lowest && value <= highest)
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_ARGUMENT, "margin: %s is %g, must be %g to %g", name, value,
                      lowest, highest);
}

static scree_status check_tolerance(const scree_margin_def *def, scree_error *error)
{
    bool any = def->constant > 0;
    if (check_number("constant", def->constant, 0, SCREE_MAX_COORDINATE, error) ||
        check_number("interaction", def->interaction, 0, SCREE_MAX_COORDINATE, error) ||
        check_number("reach", def->reach, 1, 1e6, error))
        return SCREE_BAD_ARGUMENT;
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++) {
        char velocity[] = "velocity[0]", extent[] = "extent[0]";
        velocity[9] = (char)('0' + kind);
        extent[7] = (char)('0' + kind);
        if (check_number(velocity, def->velocity[kind], 0, 1e6, error) ||
            check_number(extent, def->extent[kind], 0, 1e6, error))
            return SCREE_BAD_ARGUMENT;
        any |= def->velocity[kind] > 0 || def->extent[kind] > 0;
    }
    if (!any)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "margin: velocity, extent and constant are all 0, one must be above");
    return SCREE_OK;
}

scree_status scree_margin_check(const scree_margin_def *def, scree_error *error)
{
    if ((unsigned)def->kind > SCREE_MARGIN_PER_BODY)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "margin: kind is %d, must be a margin kind",
                          (int)def->kind);
    if (check_number("length", def->length, -1e6, SCREE_MAX_COORDINATE, error) ||
        check_number("speed_factor", def->speed_factor, 1, 1e6, error) ||
        check_number("bin_count", def->bin_count, 1, SCREE_MARGIN_MAX_BINS, error) ||
        check_number("bin_max_change", def->bin_max_change, -1e6, 1e6, error) ||
        check_number("target_steps", def->target_steps, -1e9, 1e9, error) ||
        check_number("min_fraction", def->min_fraction, 0, 1, error) || check_tolerance(def, error))
        return SCREE_BAD_ARGUMENT;
    if (!(def->bin_ratio > 1 && def->bin_ratio <= 1e6))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "margin: bin_ratio is %g, must be above 1 and at most 1e6",
                          def->bin_ratio);
    if (!(def->bin_overlap > 0 && def->bin_overlap < 1))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "margin: bin_overlap is %g, must be between 0 and 1", def->bin_overlap);
    return SCREE_OK;
}

void scree_margin_init(scree_margin *margin, const scree_margin_def *def, scree_memory *memory,
                       int dimensions, scree_volume volume)
{
    memset(margin, 0, sizeof *margin);
    margin->def = *def;
    margin->memory = memory;
    margin->dimensions = dimensions;
    margin->volume = volume;
    margin->length = def->length > 0 ? def->length : 0;
    margin->must_run = def->kind != SCREE_MARGIN_TOLERANCE;
}

scree_status scree_margin_reserve(scree_margin *margin, uint32_t bound)
{
    if (!scree_margin_is_on(margin))
        return SCREE_OK;
#define X(type, name)                                                                              \
    if (scree_memory_reserve(margin->memory, &margin->name, &margin->name##_capacity, bound,       \
                             sizeof *margin->name))                                                \
        return SCREE_OUT_OF_MEMORY;
    SCREE_MARGIN_COLUMNS(X)
#undef X
    return SCREE_OK;
}

void scree_margin_free(scree_margin *margin)
{
#define X(type, name)                                                                              \
    scree_memory_give(margin->memory, &margin->name, margin->name##_capacity, sizeof *margin->name);
    SCREE_MARGIN_COLUMNS(X)
#undef X
}

/*  A body that is mapped must be narrower than half a period: when a period has shrunk to that, all are mapped again. Of
    spheres the widest is known, boxes have at most 0.45 of the longest period. */
void scree_margin_set_cell(scree_margin *margin, const double period[3])
{
    bool are_spheres = margin->volume == SCREE_SPHERES;

    for (int k = 0; k < 3; k++) {
        margin->period[k] = period[k];
        margin->longest[k] = fmax(margin->longest[k], period[k]);
        margin->must_run |= period[k] < 0.91 * margin->longest[k];
        margin->must_run |=
            are_spheres && period[k] > 0 && period[k] * (1 - 0x1p-40) <= 4 * margin->largest;
    }
}

bool scree_margin_needs_velocities(const scree_margin *margin)
{
    bool needs = scree_margin_is_scheduled(margin);
    for (int kind = 0; kind < SCREE_PIECE_KINDS; kind++)
        needs |= margin->def.kind == SCREE_MARGIN_TOLERANCE && margin->def.velocity[kind] > 0;
    return needs;
}

/* ---- one body ---- */

double scree_margin_size(const scree_margin *margin, const scree_row *row)
{
    double sum = 0;
    if (margin->volume == SCREE_SPHERES)
        return row->number[3];
    for (int k = 0; k < margin->dimensions; k++)
        sum += row->number[3 + k] - row->number[k];
    return 0.5 * sum / margin->dimensions;
}

double scree_margin_tolerance(const scree_margin *margin, double size,
                              const scree_row_motion *row_motion)
{
    double sum = margin->def.velocity[row_motion->kind] * row_motion->speed * row_motion->dt +
                 margin->def.extent[row_motion->kind] * 2 * size + row_motion->constant;
    return fmax(sum, 1e-6 * 2 * size);
}

/*  Per-body margin: as far as the body moved since all were mapped, for as many steps as the growth should last;
    decreasing slowly. Known only for bodies that existed then; others get the whole length. */
static double growth_of_mover(const scree_margin *margin, uint32_t id, double moved)
{
    double least = margin->def.min_fraction * margin->length;
    if (margin->def.target_steps < 0 || moved < 0)
        return margin->length;
    if (moved == 0)
        return 0;
    double growth = moved * margin->def.target_steps / (double)(margin->steps ? margin->steps : 1);
    growth = fmax(growth, 0.9 * margin->growth[id]);
    return fmin(fmax(growth, least), margin->length);
}

/*  The growth that leaves a body narrower than half a period. If two enlarged bodies are, so that they
    can overlap only with their nearest images, then a pair that overlaps has the same nearest images
    now and when it was mapped, also in a sheared cell. A sphere that is nearly as wide gets half of what is left: with
    nothing, all would be mapped in each step. */
static double room_in_cell(const scree_margin *margin, const scree_row *row)
{
    bool is_sphere = margin->volume == SCREE_SPHERES;
    double room = INFINITY;

    for (int k = 0; k < margin->dimensions; k++) {
        double period = margin->period[k];
        double width = is_sphere ? 2 * row->number[3] : row->number[3 + k] - row->number[k];
        double most = is_sphere ? fmax(0.45 * period, 0.5 * (0.5 * period + width)) : 0.45 * period;
        if (period > 0)
            room = fmin(room, fmax(0.5 * (most - width), 0));
    }
    return room;
}

double scree_margin_room_for_sphere(const scree_margin *margin, double radius)
{
    const scree_row row = {.number = {0, 0, 0, radius}};
    return room_in_cell(margin, &row);
}

double scree_margin_even_growth(const scree_margin *margin)
{
    return margin->def.kind == SCREE_MARGIN_STRIDE ? margin->stride_growth : margin->length;
}

/*  Sets the growth and the allowance of a body. */
static void choose_growth(scree_margin *margin, uint32_t id, double size,
                          const scree_row_motion *row_motion)
{
    double growth = scree_margin_even_growth(margin);
    switch (margin->def.kind) {
    case SCREE_MARGIN_TOLERANCE:
        margin->constant[id] = row_motion->constant;
        margin->kind[id] = row_motion->kind;
        margin->allowance[id] = scree_margin_tolerance(margin, size, row_motion);
        margin->growth[id] =
            margin->def.reach * margin->allowance[id] + 0.5 * margin->def.interaction;
        return;
    case SCREE_MARGIN_BINS:
        growth = margin->bin_growth[margin->bin[id]];
        break;
    case SCREE_MARGIN_PER_BODY:
        growth = growth_of_mover(margin, id, row_motion->moved);
        break;
    default:
        break;
    }
    margin->growth[id] = margin->allowance[id] = growth;
}

/*  The prediction by speeds is no longer valid for this body: its position must be tested. */
static void limit_growth(scree_margin *margin, uint32_t id, double room)
{
    bool tolerance = margin->def.kind == SCREE_MARGIN_TOLERANCE;
    double own = tolerance ? (room - 0.5 * margin->def.interaction) / margin->def.reach : room;
    margin->growth[id] = room;
    margin->allowance[id] = fmax(own, 0);
    margin->is_cramped = true;
}

void scree_margin_choose(scree_margin *margin, uint32_t id, double size,
                         const scree_row_motion *row_motion)
{
    if (row_motion->moved < 0)
        margin->bin[id] = (uint8_t)(margin->def.bin_count - 1);
    else if (margin->def.kind == SCREE_MARGIN_BINS)
        scree_margin_choose_bin(margin, id, row_motion->speed);
    if (row_motion->dt > 0)
        scree_margin_add_speed(margin, &margin->last, id, row_motion->speed);
    else
        margin->must_run |= scree_margin_is_scheduled(margin);
    choose_growth(margin, id, size, row_motion);
    margin->size[id] = size;
}

void scree_margin_place(scree_margin *margin, scree_row *row, const scree_row_motion *row_motion)
{
    uint32_t id = row->id;
    double size = scree_margin_size(margin, row), room = room_in_cell(margin, row);
    scree_margin_choose(margin, id, size, row_motion);
    if (margin->growth[id] > room)
        limit_growth(margin, id, room);
    margin->farthest = fmax(margin->farthest, scree_margin_magnitude(margin, row));

    double growth = margin->growth[id];
    if (margin->volume == SCREE_SPHERES) {
        row->number[3] += growth;
    } else {
        for (int k = 0; k < margin->dimensions; k++) {
            row->number[k] -= growth;
            row->number[3 + k] += growth;
        }
    }
    margin->largest = fmax(margin->largest, size + growth);
}

double scree_margin_magnitude(const scree_margin *margin, const scree_row *row)
{
    double largest = margin->volume == SCREE_SPHERES ? row->number[3] : 0;
    for (int k = 0; k < margin->dimensions; k++) {
        largest = fmax(largest, fabs(row->number[k]));
        if (margin->volume == SCREE_BOXES)
            largest = fmax(largest, fabs(row->number[3 + k]));
    }
    return largest;
}
