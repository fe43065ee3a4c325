/*  What a page is shown of the bodies, as small whole numbers: taken from the world by the thread that moves it
    (cloud.c), compared with what was there before, and sent as the rows that a page does not know yet (frame.c).

    A body has a slot, the place of its id, for as long as it lives; rows lie by slot. */
#ifndef SCREE_LAB_CLOUD_H
#define SCREE_LAB_CLOUD_H

#include "scree/world.h"

/*  What colours show that only the world knows. Size and number a page knows by itself. */
typedef enum scree_lab_field
{
    SCREE_LAB_FIELD_NONE,
    SCREE_LAB_FIELD_SPEED,
    SCREE_LAB_FIELD_FORCE,
    SCREE_LAB_FIELD_CONTACTS, /* how many a body has */
    SCREE_LAB_FIELDS,
} scree_lab_field;

/*  Places are multiples of `quantum` from `origin`: a power of two, at most 1/64 of the smallest radius, so
    that what is lost cannot be seen however near one looks. */
typedef struct scree_lab_grain
{
    double origin[3], quantum;
} scree_lab_grain;

/*  How a wall lies. */
typedef struct scree_lab_pose
{
    float position[3], orientation[4];
} scree_lab_pose;

typedef struct scree_lab_cloud
{
    uint32_t epoch; /* another one: nothing of before holds */
    int dimensions;
    double time;
    uint64_t steps;
    scree_lab_grain grain;
    scree_lab_field field;
    float lower, upper; /* of the field, shown as 0 and 255 */
    size_t slot_count, body_count, slot_room;
    int32_t (*place)[3];
    uint32_t *turn;   /* 2D: angle, 2^32 a turn; 3D: as scree_lab_turn_of packs it */
    float *radius;    /* 0: nobody is there */
    uint32_t *number; /* lower half of the serial number */
    uint16_t *shape;  /* number of what it looks like; 0: a ball */
    uint8_t *colour;
    scree_lab_pose *poses;
    size_t pose_count, pose_room;
} scree_lab_cloud;

void scree_lab_cloud_free(scree_lab_cloud *cloud);

/*  A grain for these bodies, around `lower` to `upper`. */
scree_lab_grain scree_lab_grain_of(const scree_bodies_view *bodies, const double lower[3],
                                   const double upper[3]);

/*  An orientation w x y z in 32 bits: the place of its largest number (2 bits), then the three others in their order, 10
    bits each, -511 to 511 for -1 to 1 over the root of 2, which they cannot exceed, as 512 more. The largest is
    what is missing to length 1; its sign is +, since the opposite of a quaternion is the same turn. What is
    lost is less than a quarter of a degree. */
uint32_t scree_lab_turn_of(const double q[4]);

/*  Everything but epoch, dimensions and grain, which are the caller's, poses, and shapes: all are balls. Of the range of the field the last
    one is gone down from slowly, so that colours do not flicker. SCREE_OUT_OF_MEMORY leaves the cloud as it was. */
scree_status scree_lab_cloud_take(scree_lab_cloud *cloud, scree_world *world, float last_upper);

/* ---- what has changed, and frames ------------------------------------------------------------------------------ */

/*  Rows of three kinds are sent apart: few bodies change their size, all their place. */
typedef enum scree_lab_part
{
    SCREE_LAB_LOOKS, /* radius, number and shape */
    SCREE_LAB_PLACES,
    SCREE_LAB_TURNS,
    SCREE_LAB_COLOURS,
    SCREE_LAB_PARTS,
} scree_lab_part;

/*  The newest cloud, and in which frame each of its rows was changed last. A page that has missed frames gets what
    has changed since its own, whoever else has got what. */
typedef struct scree_lab_film
{
    scree_lab_cloud cloud;
    uint32_t frame; /* 0: there is none yet */
    uint32_t *changed[SCREE_LAB_PARTS];
    size_t room[SCREE_LAB_PARTS];
    bool is_wide; /* places do not fit into 16 bits */
} scree_lab_film;

void scree_lab_film_free(scree_lab_film *film);

/*  Takes a cloud over as the next frame; `cloud` gets the old one, to be used again. SCREE_OUT_OF_MEMORY changes
    nothing. */
scree_status scree_lab_film_take(scree_lab_film *film, scree_lab_cloud *cloud);

#define SCREE_LAB_FRAME_HEAD 84u
#define SCREE_LAB_FRAME_KIND 1u
#define SCREE_LAB_FRAME_2D 1u
#define SCREE_LAB_FRAME_WIDE 2u
#define SCREE_LAB_SECTION_ALL 0x80000000u

#define SCREE_LAB_UNWANTED UINT32_MAX

/*  The bytes of a frame for a page that has got each part with the frame that `known` says; 0: never;
    SCREE_LAB_UNWANTED: that part is not for it. */
size_t scree_lab_frame_bytes(const scree_lab_film *film, const uint32_t known[SCREE_LAB_PARTS]);
/*  As many bytes. docs/lab.md says what they are. */
void scree_lab_frame_write(const scree_lab_film *film, const uint32_t known[SCREE_LAB_PARTS],
                           uint8_t *bytes);

#endif
