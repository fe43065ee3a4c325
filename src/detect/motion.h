/*  Reading the caller's columns of motion. */
#ifndef SCREE_MOTION_H
#define SCREE_MOTION_H

#include "base/error.h"
#include "detect/margin.h"

/*  Every column that is given fits `count` rows. */
scree_status scree_motion_check(const scree_motion *motion, int dimensions, size_t count,
                                scree_error *error);
/*  Whether anything says how fast bodies are. */
bool scree_motion_has_velocities(const scree_motion *motion, int dimensions);

/*  In two dimensions spin is about the third axis. */
static inline int scree_motion_first_spin(int dimensions)
{
    return dimensions == 2 ? 2 : 0;
}

static inline double scree_motion_column(scree_view view, size_t index)
{
    return view.data ? scree_view_read(view, index) : 0;
}

/*  Speed, kind and constant of a row; what is not given stays as it is in *row_motion. The numbers may be
    unusable; the speed is then not finite. */
static inline void scree_motion_read(const scree_motion *motion, int dimensions, size_t index,
                                     scree_row_motion *row_motion)
{
    const double velocity[3] = {scree_motion_column(motion->velocity[0], index),
                                scree_motion_column(motion->velocity[1], index),
                                dimensions == 3 ? scree_motion_column(motion->velocity[2], index)
                                                : 0};
    double speed = scree_margin_norm(velocity);
    if (motion->arm.data) {
        double arm = scree_view_read(motion->arm, index), spin[3] = {0, 0, 0};
        for (int k = scree_motion_first_spin(dimensions); k < 3; k++)
            spin[k] = scree_motion_column(motion->spin[k], index);
        speed += arm >= 0 ? scree_margin_norm(spin) * arm : NAN;
    }
    row_motion->speed = speed * (1 + 8 * DBL_EPSILON);
    if (motion->constant.data)
        row_motion->constant = scree_view_read(motion->constant, index);
    if (motion->kinds.data)
        scree_integers_read(motion->kinds, index, &row_motion->kind, sizeof row_motion->kind);
}

/*  SCREE_BAD_VALUE, naming the first number of the row that is not usable. There is one. */
scree_status scree_motion_explain(const scree_motion *motion, int dimensions, size_t index,
                                  uint32_t id, scree_error *error);

#endif
