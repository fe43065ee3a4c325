/*  How the bodies of a scene move from step to step. Every motion is a function of the scene, the
    seed and the step (springs also of the pairs found, in canonical order), so all methods see the
    same bits. */
#ifndef SCREE_MOTION_H
#define SCREE_MOTION_H

#include "scenes/scenes.h"

typedef enum scree_scene_motion_kind
{
    SCREE_MOTION_NONE,
    SCREE_MOTION_ALL,     /* "all:0.01": each by 0.01 of its radius a step, in its own direction */
    SCREE_MOTION_FEW,     /* "few:0.5": 0.5 % of the bodies so, given to the detector as dirty rows;
                         "few:0.5:0.1": by 0.1 of their radius */
    SCREE_MOTION_SPRINGS, /* "springs": discs of the thesis' tests fly and collide */
} scree_scene_motion_kind;

typedef struct scree_scene_motion
{
    scree_scene_motion_kind kind;
    double amount;
    double step; /* few: radii a step; 0: 0.01 */
} scree_scene_motion;

/*  SCREE_BAD_ARGUMENT with a message. */
scree_status scree_scene_motion_parse(const char *text, scree_scene_motion *motion,
                                      scree_error *error);

typedef struct scree_mover
{
    scree_scene *scene;
    scree_scene_motion motion;
    uint32_t *rows; /* of those that move, for SCREE_MOTION_FEW */
    size_t row_count;
    double *force[2]; /* springs */
} scree_mover;

/*  The scene must outlive the mover, which changes it. Springs need a scene with springs. */
scree_status scree_mover_create(scree_scene *scene, scree_scene_motion motion, uint64_t seed,
                                scree_mover *mover, scree_error *error);
void scree_mover_free(scree_mover *mover);

/*  One step. `pairs` in canonical order, read by springs alone, may be NULL else. */
void scree_mover_step(scree_mover *mover, const scree_pairs *pairs);

/*  What to give to scree_detector_update: NULL if all rows may have changed. */
static inline const scree_rows *scree_mover_dirty(const scree_mover *mover, scree_rows *rows)
{
    rows->rows = mover->rows;
    rows->count = mover->row_count;
    return mover->motion.kind == SCREE_MOTION_FEW ? rows : NULL;
}

#endif
