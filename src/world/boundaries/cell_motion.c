/*  Deformation of the cell, and its effect on bodies. Edges h follow dh/dt = G h by the midpoint rule. It is exact
    for shear, since G G = 0, and of second order otherwise. */
#include "world/boundaries/cell_motion.h"

#include "scree/cell.h"
#include "world/state/body_energy.h"

#include <math.h>
#include <string.h>

/*  Largest strain of the cell in one step. */
#define MAX_STRAIN 0.1

static const char axis_names[] = "xyz";

/* ---- checks ---- */

static scree_status check_box(const scree_world_def *def, const scree_packed_cell *cell,
                              scree_error *error)
{
    for (int k = 0; k < 3; k++) {
        double lower = cell->lower[k], upper = cell->upper[k];
        bool has_boundary = def->domain.boundary[k] != SCREE_BOUNDARY_NONE;
        if (def->domain.boundary[k] != SCREE_BOUNDARY_PERIODIC) {
            if (lower != (has_boundary ? def->domain.lower[k] : 0) ||
                upper != (has_boundary ? def->domain.upper[k] : 0))
                return scree_fail(error, SCREE_BAD_VALUE,
                                  "cell: %g to %g along %c, which is not periodic: must stay %g "
                                  "to %g",
                                  lower, upper, axis_names[k],
                                  has_boundary ? def->domain.lower[k] : 0,
                                  has_boundary ? def->domain.upper[k] : 0);
            continue;
        }
        if (!(fabs(lower) <= SCREE_MAX_COORDINATE && fabs(upper) <= SCREE_MAX_COORDINATE &&
              upper - lower >= 1 / SCREE_MAX_COORDINATE))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "cell: %g to %g along %c, must be finite and lower below upper",
                              lower, upper, axis_names[k]);
    }
    return SCREE_OK;
}

static bool both_are_periodic(const scree_world_def *def, int j, int k)
{
    return def->domain.boundary[j] == SCREE_BOUNDARY_PERIODIC &&
           def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC;
}

static scree_status check_tilts(const scree_world_def *def, const scree_packed_cell *cell,
                                scree_error *error)
{
    static const int edge_of[3] = {1, 2, 2}, along[3] = {0, 0, 1};

    for (int t = 0; t < 3; t++) {
        int k = along[t];
        double most =
            both_are_periodic(def, k, edge_of[t]) ? 0.5 * (cell->upper[k] - cell->lower[k]) : 0;
        if (!(fabs(cell->tilt[t]) <= most))
            return scree_fail(
                error, SCREE_BAD_VALUE,
                "cell: tilt %c%c is %g, must be at most %g either way: half a period, "
                "beyond which it is the same as one that is a period less",
                axis_names[k], axis_names[edge_of[t]], cell->tilt[t], most);
    }
    return SCREE_OK;
}

static scree_status check_gradient(const scree_world_def *def, const scree_packed_cell *cell,
                                   scree_error *error)
{
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            double rate = cell->gradient[3 * k + j];
            const char *must_be = !(fabs(rate) <= SCREE_MAX_COORDINATE) ? "finite"
                                  : rate == 0                           ? NULL
                                  : j < k                               ? "0 below the diagonal"
                                  : !both_are_periodic(def, j, k)
                                      ? "0 where an axis is not periodic"
                                      : NULL;
            if (must_be)
                return scree_fail(error, SCREE_BAD_VALUE, "cell: gradient %c%c is %g, must be %s",
                                  axis_names[k], axis_names[j], rate, must_be);
        }
    return SCREE_OK;
}

scree_status scree_strain_check(const scree_world_def *def, const scree_packed_cell *cell,
                                scree_error *error)
{
    scree_status status = check_box(def, cell, error);

    if (!status)
        status = check_tilts(def, cell, error);
    if (!status)
        status = check_gradient(def, cell, error);
    if (!status && cell->homogeneous > 1)
        status = scree_fail(error, SCREE_BAD_VALUE, "cell: homogeneous is neither 0 nor 1");
    return status;
}

/* ---- packing ---- */

void scree_strain_set(scree_strain *strain, const scree_world_def *def,
                      const scree_packed_cell *cell)
{
    strain->is_on = true;
    strain->homogeneous = cell->homogeneous != 0;
    strain->is_moving = strain->drive.is_on;
    memcpy(strain->now.lower, cell->lower, sizeof cell->lower);
    memcpy(strain->now.upper, cell->upper, sizeof cell->upper);
    memcpy(strain->now.tilt, cell->tilt, sizeof cell->tilt);
    memcpy(strain->gradient, cell->gradient, sizeof cell->gradient);
    for (int k = 0; k < 9; k++)
        strain->is_moving |= cell->gradient[k] != 0;
    scree_domain_measure(&strain->now, def);
    strain->next = strain->now;
}

void scree_strain_restore(scree_strain *strain, const scree_world_def *def,
                          const scree_packed_cell *cell)
{
    scree_domain shown = strain->shown;

    if (cell) {
        scree_strain_set(strain, def, cell);
    } else {
        scree_strain_init(strain, def);
        strain->shown = shown;
    }
}

/* ---- effect on bodies ---- */

void scree_strain_kick(const scree_strain *strain, const scree_world_def *def,
                       scree_body_arrays *bodies, const double k[3][3])
{
    const scree_domain *domain = &strain->now;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        uint32_t flags = scree_body_held(bodies->flags[slot][0]);
        double before = scree_body_kinetic(bodies, slot), away[3], more[3];
        if (flags & SCREE_GHOST)
            continue;
        for (int a = 0; a < 3; a++)
            away[a] = bodies->position[slot][a] - 0.5 * (domain->lower[a] + domain->upper[a]);
        scree_gradient_apply(k, away, more);
        for (int a = 0; a < 3; a++)
            if (!(flags >> a & 1))
                bodies->velocity[slot][a] += more[a];
        if (def->energy_balance)
            bodies->account[slot][SCREE_ACCOUNT_BOUNDARY] +=
                scree_body_kinetic(bodies, slot) - before;
    }
}

/* ---- a step ---- */

/*  Moves an edge, whose components are those of the domain. */
static void carry(const scree_strain *strain, double edge[3], double dt)
{
    double rate[3], half[3];

    scree_gradient_apply(strain->gradient, edge, rate);
    for (int k = 0; k < 3; k++)
        half[k] = edge[k] + 0.5 * dt * rate[k];
    scree_gradient_apply(strain->gradient, half, rate);
    for (int k = 0; k < 3; k++)
        edge[k] += dt * rate[k];
}

/*  The number of periods that bring the tilt into half a period; rounding may leave it just outside. */
static double edges_off(double tilt, double period)
{
    double n = nearbyint(tilt / period), left = tilt - n * period;

    return left > 0.5 * period ? n + 1 : left < -0.5 * period ? n - 1 : n;
}

static void flip(scree_domain *domain)
{
    double *tilt = domain->tilt, n;

    if (tilt[0] != 0)
        tilt[0] -= edges_off(tilt[0], domain->period[0]) * domain->period[0];
    if (tilt[2] != 0) {
        n = edges_off(tilt[2], domain->period[1]);
        tilt[2] -= n * domain->period[1];
        tilt[1] -= n * tilt[0];
    }
    if (tilt[1] != 0)
        tilt[1] -= edges_off(tilt[1], domain->period[0]) * domain->period[0];
}

/*  Scales the domain along one axis about its centre to the new length of the edge. */
static void stretch(scree_domain *domain, int k, double period)
{
    double middle = 0.5 * (domain->lower[k] + domain->upper[k]);

    if (period == domain->period[k])
        return;
    domain->lower[k] = middle - 0.5 * period;
    domain->upper[k] = middle + 0.5 * period;
}

scree_status scree_strain_advance(const scree_step *step, scree_strain *strain)
{
    const double dt = step->dt;
    scree_domain *next = &strain->next;
    double a[3] = {strain->now.period[0], 0, 0};
    double b[3] = {strain->now.tilt[0], strain->now.period[1], 0};
    double c[3] = {strain->now.tilt[1], strain->now.tilt[2], strain->now.period[2]};

    *next = strain->now;
    if (!strain->is_moving || dt == 0)
        return SCREE_OK;
    for (int k = 0; k < 9; k++)
        if (!(fabs(strain->gradient[k / 3][k % 3]) * dt <= MAX_STRAIN))
            return scree_fail(step->error, SCREE_BAD_VALUE,
                              "world: the cell: gradient %c%c is %g, which strains it by %g in a "
                              "step of %g s; must be at most %g",
                              axis_names[k / 3], axis_names[k % 3], strain->gradient[k / 3][k % 3],
                              fabs(strain->gradient[k / 3][k % 3]) * dt, dt, MAX_STRAIN);
    carry(strain, a, dt);
    carry(strain, b, dt);
    carry(strain, c, dt);
    next->tilt[0] = b[0];
    next->tilt[1] = c[0];
    next->tilt[2] = c[1];
    stretch(next, 0, a[0]);
    stretch(next, 1, b[1]);
    stretch(next, 2, c[2]);
    scree_domain_measure(next, step->def);
    flip(next);
    scree_domain_measure(next, step->def);
    return SCREE_OK;
}

/*  Changes velocities as a homogeneous flow requires: by G G dt, and by the servo's change of G. */
void scree_strain_accept(const scree_step *step, scree_strain *strain, scree_body_arrays *bodies)
{
    const double dt = step->dt;
    double k[3][3], most = 0;

    strain->now = strain->next;
    if (!strain->is_moving || !strain->homogeneous)
        return;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            k[i][j] = dt * (strain->gradient[i][0] * strain->gradient[0][j] +
                            strain->gradient[i][1] * strain->gradient[1][j] +
                            strain->gradient[i][2] * strain->gradient[2][j]);
    for (int q = 0; q < SCREE_CELL_RATES && strain->drive.is_on; q++) {
        const int i = scree_cell_row(q), j = scree_cell_column(q);
        const int which = scree_cell_drive_of(&strain->drive, q, step->def->dimensions);
        if (which < 0)
            continue;
        k[i][j] += strain->drive.next[which] - strain->gradient[i][j];
        strain->gradient[i][j] = strain->drive.next[which];
    }
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(k[i / 3][i % 3]));
    if (most > 0)
        scree_strain_kick(strain, step->def, bodies, (const double(*)[3])k);
}
