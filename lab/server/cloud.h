/*  Point clouds: the bodies as small integers for a page. The thread of the world takes them (cloud.c); frame.c
    compares them with the previous cloud and sends the rows that a page does not have yet. A body keeps its slot, the
    index in its handle, as long as it exists; rows are ordered by slot. */
#ifndef SCREE_LAB_CLOUD_H
#define SCREE_LAB_CLOUD_H

#include "scree/world.h"

/*  Colour fields that only the world can compute. A page computes size and number itself. */
typedef enum scree_lab_field
{
    SCREE_LAB_FIELD_NONE,
    SCREE_LAB_FIELD_SPEED,
    SCREE_LAB_FIELD_FORCE,
    SCREE_LAB_FIELD_CONTACTS, /* number of contacts of a body */
    SCREE_LAB_FIELD_WORK,     /* number of its neighbour pairs: each is tested in each step */
    SCREE_LAB_FIELDS,
} scree_lab_field;

/*  Positions are multiples of `quantum` from `origin`: a power of two, at most 1/64 of the smallest radius, so that the
    rounding is invisible at any zoom. */
typedef struct scree_lab_grain
{
    double origin[3], quantum;
} scree_lab_grain;

/*  The pose of a wall. */
typedef struct scree_lab_pose
{
    float position[3], orientation[4];
} scree_lab_pose;

typedef struct scree_lab_cloud
{
    uint32_t epoch; /* changes with the world: previous data is invalid */
    int dimensions;
    double time;
    uint64_t steps;
    scree_lab_grain grain;
    scree_lab_field field;
    float lower, upper; /* values of the field shown as 0 and 255 */
    size_t slot_count, body_count, slot_room;
    int32_t (*place)[3];
    uint32_t *turn;   /* 2D: angle, 2^32 per turn; 3D: packed by scree_lab_turn_of */
    float *radius;    /* 0: empty slot */
    uint32_t *number; /* lower half of the global id */
    uint16_t *shape;  /* index of its shape; 0: a ball */
    uint8_t *colour;
    scree_lab_pose *poses;
    size_t pose_count, pose_room;
} scree_lab_cloud;

void scree_lab_cloud_free(scree_lab_cloud *cloud);

/*  Chooses the quantum for these bodies, and an origin for the box `lower` to `upper`. */
scree_lab_grain scree_lab_grain_of(const scree_bodies_view *bodies, const double lower[3],
                                   const double upper[3]);

/*  Packs an orientation w x y z into 32 bits: the index of its component of largest magnitude (2 bits), then the other
    three in order, 10 bits each, -511 to 511 for -1 to 1 over the root of 2, which they cannot exceed, plus 512. The
    largest follows from the unit length; its sign is +, since a quaternion and its negative are the same rotation. The
    error is below a quarter of a degree. */
uint32_t scree_lab_turn_of(const double q[4]);

/*  Takes everything except epoch, dimensions and quantum, which the caller sets, poses, and shapes: all are balls. The
    upper end of the field's range decreases slowly, so that colours do not flicker. SCREE_OUT_OF_MEMORY leaves the
    cloud unchanged. */
scree_status scree_lab_cloud_take(scree_lab_cloud *cloud, scree_world *world, float last_upper);

/* ---- changes, and frames ---- */

/*  Rows are sent in three parts, because few bodies change their size but all their position. */
typedef enum scree_lab_part
{
    SCREE_LAB_LOOKS, /* radius, number and shape */
    SCREE_LAB_PLACES,
    SCREE_LAB_TURNS,
    SCREE_LAB_COLOURS,
    SCREE_LAB_PARTS,
} scree_lab_part;

/*  The newest cloud, and for each row the frame in which it last changed. A page that has missed frames gets all
    changes since its own last frame, independently of other pages. */
typedef struct scree_lab_film
{
    scree_lab_cloud cloud;
    uint32_t frame; /* 0: there is none yet */
    uint32_t *changed[SCREE_LAB_PARTS];
    size_t room[SCREE_LAB_PARTS];
    bool is_wide; /* positions do not fit into 16 bits */
} scree_lab_film;

void scree_lab_film_free(scree_lab_film *film);

/*  Takes a cloud as the next frame; `cloud` gets the old one, for reuse. SCREE_OUT_OF_MEMORY changes nothing. */
scree_status scree_lab_film_take(scree_lab_film *film, scree_lab_cloud *cloud);

#define SCREE_LAB_FRAME_HEAD 84u
#define SCREE_LAB_FRAME_KIND 1u
#define SCREE_LAB_FRAME_2D 1u
#define SCREE_LAB_FRAME_WIDE 2u
#define SCREE_LAB_SECTION_ALL 0x80000000u

#define SCREE_LAB_UNWANTED UINT32_MAX

/*  Number of bytes of a frame for a page whose newest frame of each part is in `known`; 0: none yet;
    SCREE_LAB_UNWANTED: it does not want that part. */
size_t scree_lab_frame_bytes(const scree_lab_film *film, const uint32_t known[SCREE_LAB_PARTS]);
/*  Writes that many bytes. docs/lab.md describes them. */
void scree_lab_frame_write(const scree_lab_film *film, const uint32_t known[SCREE_LAB_PARTS],
                           uint8_t *bytes);

#endif
