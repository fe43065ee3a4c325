/*  scree/handle.h: a world, and the handles of its bodies, walls and joints.

    A handle is a small value that is passed by copy. It does not change while the body or wall exists, and names
    nothing afterwards. scree/body.h compares handles. */
#ifndef SCREE_HANDLE_H
#define SCREE_HANDLE_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  A world. */
typedef struct scree_world scree_world;

/*  The handle of a body. All zero names none. The handle of a removed body names nothing, even if its index is used
    again. */
typedef struct scree_body_id
{
    uint32_t index1, generation; /* index from 1; how often the index has been used */
} scree_body_id;

/*  The handle of a wall, as of a body. */
typedef struct scree_wall_id
{
    uint32_t index1, generation; /* index from 1; how often the index has been used */
} scree_wall_id;

/*  The handle of a joint, as of a body. */
typedef struct scree_joint_id
{
    uint32_t index1, generation; /* index from 1, never used again; 1 */
} scree_joint_id;

#ifdef __cplusplus
}
#endif

#endif
