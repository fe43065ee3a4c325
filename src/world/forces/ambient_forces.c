/*  What the fluid and force fields exert on each body depends on the body alone (and the grid of void fractions, whose
    sums are exact), so neither threads nor the order of bodies make a difference. Formulas are run for some bodies at
    a time. */
#include "world/forces/ambient_forces.h"

#include "world/forces/drag_law.h"
#include "world/state/body_blocks.h"

#include <math.h>
#include <string.h>

/*  Bodies for which formulas are run at a time. */
#define AT_A_TIME 64u
_Static_assert(AT_A_TIME % SCREE_FORMULA_ROWS == 0, "rows are read in groups");

/*  Scratch of one worker. */
typedef struct formula_room
{
    _Alignas(64) double varied[SCREE_AMBIENT_VARIED][AT_A_TIME];
    double output[SCREE_FLUID_FORMULAS][AT_A_TIME];
} formula_room;

/* ---- formulas ---- */

static void read_bodies(const scree_body_arrays *bodies, uint32_t begin, uint32_t count,
                        formula_room *room)
{
    uint32_t rows = (count + SCREE_FORMULA_ROWS - 1) / SCREE_FORMULA_ROWS * SCREE_FORMULA_ROWS;

    for (uint32_t j = 0; j < rows; j++) {
        /* rows beyond the end repeat the last one */
        uint32_t slot = begin + (j < count ? j : count - 1);
        for (int k = 0; k < 3; k++) {
            room->varied[SCREE_AMBIENT_X + k][j] = bodies->position[slot][k];
            room->varied[SCREE_AMBIENT_VX + k][j] = bodies->velocity[slot][k];
        }
        room->varied[SCREE_AMBIENT_MASS][j] = bodies->inertia[slot][3];
        room->varied[SCREE_AMBIENT_RADIUS][j] = bodies->position[slot][3];
    }
}

static void run(const scree_program *program, const scree_step *step, uint32_t outputs,
                uint32_t count, formula_room *room)
{
    const double *varied[SCREE_AMBIENT_VARIED];
    double *output[SCREE_FLUID_FORMULAS];
    const scree_program_data data = {.fixed = &step->time,
                                     .varied = varied,
                                     .outputs = output,
                                     .rows = (count + SCREE_FORMULA_ROWS - 1) / SCREE_FORMULA_ROWS *
                                             SCREE_FORMULA_ROWS};

    for (uint32_t k = 0; k < SCREE_AMBIENT_VARIED; k++)
        varied[k] = room->varied[k];
    for (uint32_t k = 0; k < outputs; k++)
        output[k] = room->output[k];
    scree_program_run(program, step->simd, &data);
}

/* ---- flow on a grid ---- */

void scree_flow_at(const scree_flow_grid *flow, const double place[3], double velocity[3])
{
    size_t node[3][2];
    double weight[3][2];

    velocity[0] = velocity[1] = velocity[2] = 0;
    for (int k = 0; k < 3; k++) {
        const double most = (double)flow->count[k] - 1;
        double at = (place[k] - flow->lower[k]) / flow->spacing[k];
        at = !(at > 0) ? 0 : at > most ? most : at;
        node[k][0] = (size_t)at;
        node[k][1] = node[k][0] + ((double)node[k][0] < most);
        weight[k][1] = at - (double)node[k][0];
        weight[k][0] = 1 - weight[k][1];
    }
    for (int c = 0; c < 8; c++) {
        int x = c & 1, y = c >> 1 & 1, z = c >> 2;
        const double *of =
            flow->velocity[(node[2][z] * flow->count[1] + node[1][y]) * flow->count[0] +
                           node[0][x]];
        double share = weight[0][x] * weight[1][y] * weight[2][z];
        for (int k = 0; k < 3; k++)
            velocity[k] += share * of[k];
    }
}

/* ---- the fluid ---- */

/*  Part of a sphere below a plane that is `height` above its centre. */
static double part_below(double height, double radius)
{
    double s = height / radius;

    s = s < -1 ? -1 : s > 1 ? 1 : s;
    return (2 + s * (3 - s * s)) / 4;
}

/*  Part of a sphere in the box of the fluid, axis by axis. */
static double part_inside(const scree_fluid_def *def, const double place[3], double radius)
{
    double part = 1;

    for (int k = 0; k < 3; k++) {
        double above = part_below(place[k] - def->lower[k], radius);
        double below = part_below(def->upper[k] - place[k], radius);
        double both = above + below - 1;
        part *= both > 0 ? both : 0;
    }
    return part;
}

static double void_fraction_of(const scree_ambient_job *job, const double place[3], double given)
{
    return job->ambient->fluid.def.cell > 0 ? scree_void_fraction_at(&job->ambient->grid, place)
                                            : given;
}

/*  Force and torque of the fluid, whose formulas have row j of the room. */
static void find_fluid(const scree_ambient_job *job, uint32_t slot, uint32_t j,
                       const formula_room *room, scree_ambient_row *row)
{
    const scree_fluid_def *def = &job->ambient->fluid.def;
    const scree_body_arrays *bodies = job->bodies;
    const double *place = bodies->position[slot], *gravity = job->step->def->gravity;
    const double radius = scree_ambient_radius(job, slot), d = 2 * radius;
    const double part = part_inside(def, place, radius);
    const double volume = part * (SCREE_DRAG_PI / 6) * d * d * d;
    double past[3], flow[3] = {0}, speed_sq = 0, factor, turn = 0;

    if (part == 0)
        return;
    if (def->flow)
        scree_flow_at(def->flow, place, flow);
    for (int k = 0; k < 3; k++) {
        past[k] = flow[k] + room->output[SCREE_FLUID_VELOCITY + k][j] - bodies->velocity[slot][k];
        speed_sq += past[k] * past[k];
    }
    const scree_drag_input in = {
        .density = def->density,
        .viscosity = def->viscosity,
        .diameter = d,
        .speed = sqrt(speed_sq),
        .void_fraction = void_fraction_of(job, place, room->output[SCREE_FLUID_VOID_FRACTION][j])};
    factor = in.void_fraction > 0 && in.void_fraction <= 1
                 ? part * scree_drag_factor(def->drag, &in)
                 : (double)NAN;
    if (def->has_rotational_drag)
        turn = part * SCREE_DRAG_PI * def->viscosity * d * d * d;
    for (int k = 0; k < 3; k++) {
        double push = -room->output[SCREE_FLUID_PRESSURE_GRADIENT + k][j];
        if (def->has_buoyancy)
            push -= def->density * gravity[k];
        row->fluid[k] = factor * past[k] + volume * push;
        row->fluid[3 + k] =
            turn * (room->output[SCREE_FLUID_ANGULAR_VELOCITY + k][j] - bodies->spin[slot][k]);
    }
    row->drag[0] = factor * scree_drag_steepness(def->drag);
    row->drag[1] = turn;
}

/* ---- fields ---- */

static bool is_in_box(const double lower[3], const double upper[3], const double place[3])
{
    for (int k = 0; k < 3; k++)
        if (!(place[k] >= lower[k] && place[k] < upper[k]))
            return false;
    return true;
}

static void find_field(const scree_force_field_def *def, const scree_body_arrays *bodies,
                       uint32_t slot, uint32_t j, const formula_room *room, scree_ambient_row *row)
{
    if (!(bodies->groups[slot][0] & def->groups) ||
        !is_in_box(def->lower, def->upper, bodies->position[slot]))
        return;
    for (int k = 0; k < 3; k++)
        row->field[k] += bodies->inertia[slot][3] * room->output[SCREE_FIELD_ACCELERATION + k][j] +
                         room->output[SCREE_FIELD_FORCE + k][j];
}

/* ---- all ---- */

static void find_some(const scree_ambient_job *job, uint32_t begin, uint32_t count,
                      formula_room *room)
{
    const scree_ambient *ambient = job->ambient;
    const scree_body_arrays *bodies = job->bodies;
    scree_ambient_row *row = ambient->row + begin;

    memset(row, 0, count * sizeof *row);
    read_bodies(bodies, begin, count, room);
    if (ambient->has_fluid) {
        run(ambient->fluid.formulas.program, job->step, SCREE_FLUID_FORMULAS, count, room);
        for (uint32_t j = 0; j < count; j++)
            if (bodies->groups[begin + j][0] & ambient->fluid.def.groups)
                find_fluid(job, begin + j, j, room, &row[j]);
    }
    for (uint32_t f = 0; f < ambient->field_count; f++) {
        const scree_force_field *field = &ambient->field[f];
        run(field->formulas.program, job->step, SCREE_FIELD_FORMULAS, count, room);
        for (uint32_t j = 0; j < count; j++)
            find_field(&field->def, bodies, begin + j, j, room, &row[j]);
    }
}

static void find_block(void *data, const scree_body_block *block)
{
    const scree_ambient_job *job = data;
    formula_room room;

    for (uint32_t slot = block->begin; slot < block->end; slot += AT_A_TIME)
        find_some(job, slot, block->end - slot < AT_A_TIME ? block->end - slot : AT_A_TIME, &room);
}

scree_status scree_ambient_find(const scree_ambient_job *job)
{
    scree_ambient_job here = *job;
    scree_status status = SCREE_OK;

    if (job->ambient->has_fluid && job->ambient->fluid.def.cell > 0)
        status = scree_void_grid_fill(job);
    if (!status)
        scree_body_blocks_run(job->step->workers, job->bodies->count, find_block, &here);
    return status;
}

typedef struct adding
{
    scree_ambient_job job;
    _Atomic bool is_unsound;
} adding;

static void add_block(void *data, const scree_body_block *block)
{
    adding *run_of = data;
    scree_body_arrays *bodies = run_of->job.bodies;
    double probe = 0;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        const scree_ambient_row *row = &run_of->job.ambient->row[slot];
        for (int k = 0; k < 3; k++) {
            bodies->force[slot][k] += row->fluid[k] + row->field[k];
            bodies->torque[slot][k] += row->fluid[3 + k];
            /* zero times a finite number is zero */
            probe += 0 * bodies->force[slot][k] + 0 * bodies->torque[slot][k];
        }
    }
    if (probe != 0 || isnan(probe))
        atomic_store_explicit(&run_of->is_unsound, true, memory_order_relaxed);
}

bool scree_ambient_add(const scree_ambient_job *job)
{
    adding run_of = {.job = *job};

    atomic_init(&run_of.is_unsound, false);
    scree_body_blocks_run(job->step->workers, job->bodies->count, add_block, &run_of);
    return !run_of.is_unsound;
}
