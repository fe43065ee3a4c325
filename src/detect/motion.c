/*  What the caller says of how bodies move. The fastest point of a body has the speed of its centre and
    that of its spin at the end of its arm: |v| + |omega| L bounds it from above. */
#include "detect/motion.h"

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
    for (int k = 0; k < 3 && !status && count; k++)
        if (motion->spin[k].data)
            status = scree_view_check(motion->spin[k], count, spin_names[k], error);
    if (!status && count && motion->arm.data)
        status = scree_view_check(motion->arm, count, "arm", error);
    if (!status && count && motion->constant.data)
        status = scree_view_check(motion->constant, count, "constant", error);
    if (!status && count && motion->kinds.data)
        status = scree_integers_check(motion->kinds, sizeof(uint8_t), count, "kinds", error);
    return status;
}

bool scree_motion_has_velocities(const scree_motion *motion)
{
    return motion->velocity[0].data || motion->velocity[1].data || motion->velocity[2].data;
}

static double read_length(const scree_view view[3], int dimensions, size_t index)
{
    double sum = 0;
    for (int k = 0; k < dimensions; k++) {
        double value = view[k].data ? scree_view_read(view[k], index) : 0;
        sum += value * value;
    }
    return sqrt(sum);
}

void scree_motion_read(const scree_motion *motion, int dimensions, size_t index, scree_pace *pace)
{
    pace->speed = read_length(motion->velocity, dimensions, index);
    if (motion->arm.data)
        pace->speed += read_length(motion->spin, 3, index) * scree_view_read(motion->arm, index);
    if (motion->constant.data)
        pace->constant = scree_view_read(motion->constant, index);
    if (motion->kinds.data)
        scree_integers_read(motion->kinds, index, &pace->kind, sizeof pace->kind);
}
