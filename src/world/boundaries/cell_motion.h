/*  A periodic domain that leans or moves: see scree/cell.h. Where nobody has asked for one, `now` and `next` are the
    box of the definition, and nothing here costs anything. */
#ifndef SCREE_WORLD_CELL_MOTION_H
#define SCREE_WORLD_CELL_MOTION_H

#include "base/error.h"
#include "scree/world.h"
#include "world/boundaries/cell_servo.h"
#include "world/state/cell_box.h"

typedef struct scree_strain
{
    bool is_on;     /* has been set, so is a part of the state */
    bool is_moving; /* some rate is not 0, or may come to be in any step */
    bool homogeneous;
    double gradient[3][3];
    scree_domain now, next; /* next: at the end of the step under way, else the same */
    scree_domain shown;     /* that the detector has */
    scree_cell_drive drive;
} scree_strain;

/*  As it is in snapshots: all words. */
typedef struct scree_packed_cell
{
    double lower[3], upper[3], tilt[3], gradient[9];
    uint64_t homogeneous;
} scree_packed_cell;

struct scree_world;

/*  The box of the definition. */
void scree_strain_init(scree_strain *strain, const scree_world_def *def);
/*  Whether a world of this definition may have it, but for the sizes of bodies. SCREE_BAD_VALUE. */
scree_status scree_strain_check(const scree_world_def *def, const scree_packed_cell *cell,
                                scree_error *error);
scree_packed_cell scree_strain_pack(const scree_strain *strain);
/*  NULL: as none was ever set. */
void scree_strain_restore(struct scree_world *world, const scree_packed_cell *cell);

/*  Where the cell is `dt` later, into `next`. SCREE_BAD_VALUE where that is too much for a step. */
scree_status scree_strain_advance(struct scree_world *world, double dt);
/*  The step has been taken: what a homogeneous flow asks of bodies. */
void scree_strain_accept(struct scree_world *world, double dt);
/*  How fast the image n edges away goes, more than its body. */
void scree_strain_speed(const scree_strain *strain, const scree_domain *domain, const double n[3],
                        double speed[3]);
/*  Of the nearest image of the second, more than of the second itself; 0 where the cell stays. */
void scree_strain_image_speed(const struct scree_world *world, uint32_t first, uint32_t second,
                              double speed[3]);
/*  How far each edge has gone since the detector was told of it. */
void scree_strain_drift(const scree_strain *strain, double drift[3]);

#endif
