/*  A cell that is driven so that bodies press with given stresses: see scree/cell.h. */
#ifndef SCREE_WORLD_CELL_SERVO_H
#define SCREE_WORLD_CELL_SERVO_H

#include "base/error.h"
#include "scree/world.h"

#define SCREE_CELL_RATES 6 /* components of its gradient: xx yy zz xy yz xz */
/*  What is driven: each of these, or in place of the first three all alike, so that their mean is the pressure. */
#define SCREE_CELL_DRIVES 7
#define SCREE_CELL_PRESSURE 6

/*  How one component has done of late; not part of the state. */
typedef struct scree_cell_watch
{
    uint64_t from, next_word, fast;
    double off; /* sum of |stress - target| */
} scree_cell_watch;

typedef struct scree_cell_drive
{
    bool is_on;
    uint32_t driven; /* bits of drives */
    double target[SCREE_CELL_DRIVES], most_rate;
    double stress[SCREE_CELL_DRIVES]; /* of the last step; of what is not driven 0 */
    double mean[SCREE_CELL_DRIVES];   /* of the rate, of late */
    double next[SCREE_CELL_DRIVES];   /* rates of the next step, once this one is taken */
    scree_cell_watch watch[SCREE_CELL_DRIVES];
} scree_cell_drive;

/*  As it is in snapshots. */
typedef struct scree_packed_cell_servo
{
    double target[SCREE_CELL_DRIVES], stress[SCREE_CELL_DRIVES], mean[SCREE_CELL_DRIVES], most_rate;
    uint64_t driven;
} scree_packed_cell_servo;

struct scree_world;

static inline int scree_cell_row(int component)
{
    return component < 3 ? component : component == 4;
}

static inline int scree_cell_column(int component)
{
    return component < 3 ? component : component == 3 ? 1 : 2;
}

static inline bool scree_cell_is_driven(const scree_cell_drive *drive, int which)
{
    return drive->driven >> which & 1;
}

/*  The drive that a component of the gradient follows; -1: none. */
static inline int scree_cell_drive_of(const scree_cell_drive *drive, int component, int dimensions)
{
    if (scree_cell_is_driven(drive, component))
        return component;
    return component < dimensions && scree_cell_is_driven(drive, SCREE_CELL_PRESSURE)
               ? SCREE_CELL_PRESSURE
               : -1;
}

/*  Whether a step can be taken. SCREE_BAD_ARGUMENT: there are ghosts. */
scree_status scree_cell_servo_admit(struct scree_world *world);
/*  A step of `dt` has come to its end, with forces: rates of the next. */
void scree_cell_servo_decide(struct scree_world *world, double dt);

scree_packed_cell_servo scree_cell_servo_pack(const scree_cell_drive *drive);
/*  Whether a world of this definition may have it, beside a cell that is homogeneous or not. SCREE_BAD_VALUE. */
scree_status scree_cell_servo_check(const scree_world_def *def,
                                    const scree_packed_cell_servo *packed, bool homogeneous,
                                    scree_error *error);
/*  After the cell itself; NULL: none is on. */
void scree_cell_servo_restore(struct scree_world *world, const scree_packed_cell_servo *packed);

#endif
