/*  Geometry and force of one joint. */
#ifndef SCREE_WORLD_JOINT_FORCE_H
#define SCREE_WORLD_JOINT_FORCE_H

#include "world/state/cell_box.h"
#include "world/state/joints.h"
#include "world/state/walls.h"

/*  Where the ends of joints are. */
typedef struct scree_joint_scene
{
    const scree_body_arrays *bodies;
    const scree_walls *walls;
    const scree_strain *cell;
    int dimensions;
    bool is_now; /* between steps; otherwise walls are at the end of the current step */
} scree_joint_scene;

/*  A joint at present: force and torque on the second end. */
typedef struct scree_joint_push
{
    uint32_t slot[2]; /* second: UINT32_MAX if it is no body */
    double point[3];  /* the second end, from the centre of the first body */
    double arm
        [2]
        [3]; /* from the centres to where forces act: to `point`, and of a spring to its own ends */
    double axis[3]; /* of the first end */
    double force[3], torque[3];
    double speed, effort;
    scree_joint_found found;
} scree_joint_push;

void scree_joint_find(const scree_joint_scene *scene, const scree_joint_record *joint,
                      scree_joint_push *push);

/*  The angle from -pi to pi whose tangent is y / x; 0 for 0 0. Bit-identical on all machines. */
double scree_joint_angle(double y, double x);
/*  Whether a kind has an axis along or about which limits and motors act. */
bool scree_joint_has_axis(scree_joint_kind kind);

#endif
