/*  Sets and reads the cell and its servo. */
#include "scree/cell.h"

#include "base/sized_definition.h"
#include "world/boundaries/cell_motion.h"
#include "world/boundaries/cell_servo.h"
#include "world/boundaries/wall_servo.h"
#include "world/search/neighbours.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define CELL_COOKIE 0x51dece11u
#define SERVO_COOKIE 0x51dece5eu

static const scree_cell_def empty = {.cookie = CELL_COOKIE, .size = sizeof(scree_cell_def)};

scree_status scree_world_read_cell(const scree_world *world, scree_cell_def *cell, size_t size)
{
    scree_cell_def own = empty;

    if (world) {
        const scree_packed_cell packed = scree_strain_pack(&world->cell);
        memcpy(own.lower, packed.lower, sizeof own.lower);
        memcpy(own.upper, packed.upper, sizeof own.upper);
        memcpy(own.tilt, packed.tilt, sizeof own.tilt);
        memcpy(own.gradient, packed.gradient, sizeof own.gradient);
        own.homogeneous = packed.homogeneous != 0;
    }
    scree_definition_write(cell, size, &own, sizeof own);
    return world && cell ? SCREE_OK : SCREE_BAD_ARGUMENT;
}

scree_status scree_world_set_cell(scree_world *world, const scree_cell_def *cell)
{
    scree_cell_def own = empty;
    scree_packed_cell packed = {.lower = {0}};
    scree_strain before;
    scree_status status;
    double change[3][3];

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!cell || !scree_definition_read(&own, cell))
        return scree_fail(&world->error, SCREE_BAD_DEF, "cell: not from scree_world_get_cell");
    if (!scree_def_is_periodic(&world->def))
        return scree_fail(&world->error, SCREE_BAD_VALUE,
                          "cell: no boundary of the world is periodic");
    memcpy(packed.lower, own.lower, sizeof packed.lower);
    memcpy(packed.upper, own.upper, sizeof packed.upper);
    memcpy(packed.tilt, own.tilt, sizeof packed.tilt);
    memcpy(packed.gradient, own.gradient, sizeof packed.gradient);
    packed.homogeneous = own.homogeneous;
    status = scree_strain_check(&world->def, &packed, &world->error);
    if (status)
        return status;
    if (world->cell.drive.is_on && !own.homogeneous)
        return scree_fail(&world->error, SCREE_BAD_VALUE,
                          "cell: must be homogeneous while a servo drives it");
    before = world->cell;
    scree_strain_set(&world->cell, &world->def, &packed);
    const scree_step step = scree_world_this_step(world, 0);
    status = scree_search_check_room(&step, &world->bodies, &world->cell.next);
    if (status) {
        world->cell = before;
        return status;
    }
    for (int k = 0; k < 9; k++)
        change[k / 3][k % 3] = (own.homogeneous ? own.gradient[k / 3][k % 3] : 0) -
                               (before.homogeneous ? before.gradient[k / 3][k % 3] : 0);
    scree_strain_kick(&world->cell, &world->def, &world->bodies, (const double(*)[3])change);
    world->needs_search = true;
    world->clock.unprimed = 1;
    return SCREE_OK;
}

void scree_init_cell_servo_def(scree_cell_servo_def *def, size_t size)
{
    static const scree_cell_servo_def own = {.cookie = SERVO_COOKIE,
                                             .size = sizeof(scree_cell_servo_def),
                                             .stress = {NAN, NAN, NAN, NAN, NAN, NAN},
                                             .pressure = NAN};

    scree_definition_write(def, size, &own, sizeof own);
}

/*  Turns the servo off. The rates set before apply again; those of driven components are 0. */
static scree_status turn_off(scree_world *world)
{
    scree_cell_drive before = world->cell.drive;
    scree_cell_def cell;

    if (!before.is_on)
        return SCREE_OK;
    scree_world_get_cell(world, &cell);
    for (int q = 0; q < SCREE_CELL_RATES; q++)
        if (scree_cell_drive_of(&before, q, world->def.dimensions) >= 0)
            cell.gradient[scree_cell_row(q)][scree_cell_column(q)] = 0;
    memset(&world->cell.drive, 0, sizeof world->cell.drive);
    return scree_world_set_cell(world, &cell);
}

scree_status scree_world_set_cell_servo(scree_world *world, const scree_cell_servo_def *servo)
{
    scree_cell_servo_def own = scree_default_cell_servo_def();
    scree_packed_cell_servo packed = {.driven = 0};
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!servo)
        return turn_off(world);
    if (!scree_definition_read(&own, servo))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "cell servo: not from scree_default_cell_servo_def");
    packed.max_rate = own.max_rate;
    for (int which = 0; which < SCREE_CELL_DRIVES; which++) {
        double target = which == SCREE_CELL_PRESSURE ? own.pressure : own.stress[which];
        const int q = which == SCREE_CELL_PRESSURE ? 0 : which;
        if (isnan(target))
            continue;
        packed.driven |= (uint64_t)1 << which;
        packed.target[which] = target;
        packed.mean[which] = scree_servo_bound(
            world->cell.gradient[scree_cell_row(q)][scree_cell_column(q)], own.max_rate);
    }
    status = scree_cell_servo_check(&world->def, &packed, world->cell.homogeneous, &world->error);
    if (status)
        return status;
    world->cell.is_on = true;
    scree_cell_servo_restore(&world->cell, world->clock.steps, &packed);
    return SCREE_OK;
}

bool scree_world_read_cell_servo(const scree_world *world, scree_cell_servo_def *servo, size_t size,
                                 double stress[6], double *pressure)
{
    scree_cell_servo_def own = scree_default_cell_servo_def();
    const scree_cell_drive *drive = world ? &world->cell.drive : NULL;
    const bool is_on = drive && drive->is_on;

    for (int q = 0; q < SCREE_CELL_RATES; q++) {
        if (is_on && scree_cell_is_driven(drive, q))
            own.stress[q] = drive->target[q];
        if (stress)
            stress[q] = is_on ? drive->stress[q] : 0;
    }
    if (pressure)
        *pressure = is_on ? drive->stress[SCREE_CELL_PRESSURE] : 0;
    if (is_on && scree_cell_is_driven(drive, SCREE_CELL_PRESSURE))
        own.pressure = drive->target[SCREE_CELL_PRESSURE];
    if (is_on)
        own.max_rate = drive->max_rate;
    scree_definition_write(servo, size, &own, sizeof own);
    return is_on;
}
