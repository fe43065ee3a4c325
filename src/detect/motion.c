/*  What the caller says of how bodies move. The fastest point of a body has the speed of its centre and
    that of its spin at the end of its arm: |v| + |omega| L bounds it from above. Speeds are rounded up, so
    that what bodies travel is never underestimated. */
#include "detect/motion.h"

#include "base/tasks.h"

#include <math.h>

static const char *const velocity_names[3] = {"velocity x", "velocity y", "velocity z"};
static const char *const spin_names[3] = {"spin x", "spin y", "spin z"};

scree_status scree_motion_check(const scree_motion *motion, int dimensions, size_t count,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int k = 0; k < dimensions && k < 3 && !status && count; k++)
        if (motion->velocity[k].data)
            status = scree_view_check(motion->velocity[k], count, velocity_names[k], error);
    for (int k = scree_motion_first_spin(dimensions); k < 3 && !status && count; k++)
        if (motion->spin[k].data)
            status = scree_view_check(motion->spin[k], count, spin_names[k], error);
    if (!status && count && motion->arm.data)
        status = scree_view_check(motion->arm, count, "arm", error);
    if (!status && count && motion->constant.data)
        status = scree_view_check(motion->constant, count, "constant", error);
    if (!status && count && motion->travel.data)
        status = scree_view_check(motion->travel, scree_block_count(count, SCREE_TRAVEL_ROWS),
                                  "travel", error);
    if (!status && count && motion->kinds.data)
        status = scree_integers_check(motion->kinds, sizeof(uint8_t), count, "kinds", error);
    return status;
}

bool scree_motion_has_velocities(const scree_motion *motion, int dimensions)
{
    bool any = false;
    for (int k = 0; k < dimensions; k++)
        any |= motion->velocity[k].data != NULL;
    for (int k = scree_motion_first_spin(dimensions); k < 3; k++)
        any |= motion->spin[k].data && motion->arm.data;
    return any;
}

/* ---- what is wrong with a row ---- */

typedef struct suspect
{
    const char *name;
    scree_view view;
    double lowest;
} suspect;

scree_status scree_motion_explain(const scree_motion *motion, int dimensions, size_t index,
                                  uint32_t id, scree_error *error)
{
    const suspect suspects[] = {
        {velocity_names[0], motion->velocity[0], -SCREE_MAX_COORDINATE},
        {velocity_names[1], motion->velocity[1], -SCREE_MAX_COORDINATE},
        {velocity_names[2], motion->velocity[2], -SCREE_MAX_COORDINATE},
        {spin_names[0], motion->spin[0], -SCREE_MAX_COORDINATE},
        {spin_names[1], motion->spin[1], -SCREE_MAX_COORDINATE},
        {spin_names[2], motion->spin[2], -SCREE_MAX_COORDINATE},
        {"arm", motion->arm, 0},
        {"constant", motion->constant, 0},
    };
    for (size_t k = 0; k < sizeof suspects / sizeof *suspects; k++) {
        bool is_flat = dimensions == 2 && k >= 2 && k < 5;
        double value = is_flat ? 0 : scree_motion_column(suspects[k].view, index);
        if (!(value >= suspects[k].lowest && value <= SCREE_MAX_COORDINATE))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "row %zu (body %u): %s is %.17g, must be %s at most 1e100%s", index,
                              id, suspects[k].name, value,
                              suspects[k].lowest == 0 ? "0 or more and" : "finite and",
                              suspects[k].lowest == 0 ? "" : " in magnitude");
    }
    scree_row_motion row_motion = {0, 0, 0, 0, 0};
    scree_motion_read(motion, dimensions, index, &row_motion);
    if (row_motion.kind >= SCREE_PIECE_KINDS)
        return scree_fail(error, SCREE_BAD_VALUE, "row %zu (body %u): kind is %u, must be 0 to %d",
                          index, id, row_motion.kind, SCREE_PIECE_KINDS - 1);
    return scree_fail(error, SCREE_BAD_VALUE,
                      "row %zu (body %u): speed of its fastest point is %g, must be at most 1e100",
                      index, id, row_motion.speed);
}
