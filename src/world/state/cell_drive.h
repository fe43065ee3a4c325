/*  The servo that deforms the cell to reach given stresses: see scree/cell.h; the control rule is in cell_servo.c. */
#ifndef SCREE_WORLD_CELL_DRIVE_H
#define SCREE_WORLD_CELL_DRIVE_H

#include <stdbool.h>
#include <stdint.h>

#define SCREE_CELL_RATES 6 /* components of the velocity gradient: xx yy zz xy yz xz */
/*  Controlled quantities: each of the six components, or instead of the first three their mean, the pressure. */
#define SCREE_CELL_DRIVES 7
#define SCREE_CELL_PRESSURE 6

/*  Recent performance of one component, for warnings; not part of the state. */
typedef struct scree_cell_watch
{
    uint64_t from, next_word, fast;
    double off; /* sum of |stress - target| */
} scree_cell_watch;

typedef struct scree_cell_drive
{
    bool is_on;
    uint32_t driven; /* a bit for each controlled component */
    double target[SCREE_CELL_DRIVES], max_rate;
    double stress[SCREE_CELL_DRIVES]; /* in the last step; 0 if not controlled */
    double mean[SCREE_CELL_DRIVES];   /* recent mean of the rate */
    double next[SCREE_CELL_DRIVES];   /* rates of the next step, once this one is accepted */
    scree_cell_watch watch[SCREE_CELL_DRIVES];
} scree_cell_drive;

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

/*  The control that a component of the gradient follows; -1: none. */
static inline int scree_cell_drive_of(const scree_cell_drive *drive, int component, int dimensions)
{
    if (scree_cell_is_driven(drive, component))
        return component;
    return component < dimensions && scree_cell_is_driven(drive, SCREE_CELL_PRESSURE)
               ? SCREE_CELL_PRESSURE
               : -1;
}

#endif
