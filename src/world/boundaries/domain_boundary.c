/*  The domain boundary, applied after each step. Nearly always all bodies are inside, and only that test costs time.
    The effect on a body depends on it alone. Bodies to be removed are sorted by global id, so that names are given back
    in the same order whatever the order in memory.

    Ghosts are left to the world that moves them. Bodies with frozen components are stopped and reflected like
    others, since nothing else would stop them. */
#include "world/boundaries/domain_boundary.h"

#include "world/state/body_energy.h"
#include "world/state/settings.h"

#include <math.h>
#include <stdlib.h>

typedef struct edges
{
    scree_boundary kind[3];
    double lower[3], upper[3];
} edges;

/* ---- bodies outside ---- */

/*  An open side has its limit at infinity. */
static edges find_edges(const scree_world_def *def, const scree_domain *domain)
{
    edges b;

    for (int k = 0; k < 3; k++) {
        bool is_open = def->domain.boundary[k] == SCREE_BOUNDARY_NONE;
        b.kind[k] = def->domain.boundary[k];
        b.lower[k] = is_open ? -INFINITY : domain->lower[k];
        b.upper[k] = is_open ? INFINITY : domain->upper[k];
    }
    return b;
}

static bool centre_is_inside(const edges *b, const double place[4])
{
    return (place[0] >= b->lower[0]) & (place[0] <= b->upper[0]) & (place[1] >= b->lower[1]) &
           (place[1] <= b->upper[1]) & (place[2] >= b->lower[2]) & (place[2] <= b->upper[2]);
}

static bool is_beyond(const edges *b, const double place[4])
{
    for (int k = 0; k < 3; k++)
        if (b->kind[k] == SCREE_BOUNDARY_DESTROY &&
            (place[k] + place[3] < b->lower[k] || place[k] - place[3] > b->upper[k]))
            return true;
    return false;
}

/* ---- effect on one body ---- */

/*  While it is marked, no force moves the body: weight would, a little in each step. */
static void mark_stopped(scree_body_arrays *bodies, uint32_t slot, bool is_stopped)
{
    uint32_t *flags = &bodies->flags[slot][0];

    if ((*flags & SCREE_FLAG_STOPPED) == (is_stopped ? SCREE_FLAG_STOPPED : 0))
        return;
    scree_bodies_tally(bodies, slot, -1);
    *flags ^= SCREE_FLAG_STOPPED;
    scree_bodies_tally(bodies, slot, 1);
}

static void stop(scree_body_arrays *bodies, bool has_energy_balance, uint32_t slot)
{
    if (has_energy_balance)
        bodies->account[slot][SCREE_ACCOUNT_BOUNDARY] -=
            scree_body_kinetic(bodies, slot) + scree_body_rotational(bodies, slot);
    for (int k = 0; k < 3; k++)
        bodies->velocity[slot][k] = bodies->spin[slot][k] = 0;
}

static void reflect(double *velocity, bool is_below)
{
    if (is_below ? *velocity < 0 : *velocity > 0)
        *velocity = -*velocity;
}

/*  Wraps x into [lower, upper) by whole periods; if rounding gives upper, returns lower. */
static double wrap(double x, double lower, double upper, double period, double *periods)
{
    *periods = -floor((x - lower) / period);
    double wrapped = x + period * *periods;

    return wrapped >= lower && wrapped < upper ? wrapped : lower;
}

/*  Gives a wrapped body the velocity of its image, also for frozen components, otherwise it would leave the flow.
    Static bodies never move. */
static double hasten(const scree_strain *cell, scree_body_arrays *bodies, uint32_t slot, int axis,
                     double periods)
{
    double before = scree_body_kinetic(bodies, slot), n[3] = {0}, speed[3];

    if (!cell->is_moving || bodies->flags[slot][0] & SCREE_FLAG_STATIC)
        return 0;
    n[axis] = periods;
    scree_strain_speed(cell, &cell->now, n, speed);
    for (int k = 0; k < 3; k++)
        bodies->velocity[slot][k] += speed[k];
    return scree_body_kinetic(bodies, slot) - before;
}

static void wrap_around(const scree_boundary_data *data, const edges *b, uint32_t slot, int k)
{
    const scree_domain *domain = &data->cell->now;
    const double *gravity = data->def->gravity;
    scree_body_arrays *bodies = data->bodies;
    double *place = bodies->position[slot], before = scree_body_potential(bodies, gravity, slot);
    double periods, gained;

    place[k] = wrap(place[k], b->lower[k], b->upper[k], domain->period[k], &periods);
    if (domain->is_tilted && k > 0)
        place[0] += periods * domain->tilt[k - 1];
    if (domain->is_tilted && k == 2)
        place[1] += periods * domain->tilt[2];
    gained = hasten(data->cell, bodies, slot, k, periods);
    /* if the list will be rebuilt, wraps need not be recorded; too many wraps require a rebuild */
    if (!*data->needs_search && !scree_wraps_note(data->wraps, slot, k, periods))
        *data->needs_search = true;
    /* forces on sleeping bodies were stored for the previous position, which has moved with the domain */
    if (data->sleep->is_valid && bodies->still[slot][0] & SCREE_HAS_SETTLED)
        scree_sleep_forget(data->sleep);
    scree_wall_contacts_renew(data->wall_contacts, slot);
    if (data->def->energy_balance)
        bodies->account[slot][SCREE_ACCOUNT_BOUNDARY] +=
            scree_body_potential(bodies, gravity, slot) - before + gained;
}

/*  A ghost is only wrapped: everything else comes from its owner. */
static void apply_to_body(const scree_boundary_data *data, const edges *b, uint32_t slot,
                          bool is_ghost)
{
    const double *place = data->bodies->position[slot];
    double *velocity = data->bodies->velocity[slot];
    bool is_stopped = false;

    for (int i = 0; i < 3; i++) {
        /* wrapping along a tilted edge may move a body outside along an earlier axis */
        int k = data->cell->now.is_tilted ? 2 - i : i;
        bool is_below = place[k]<b->lower[k], is_above = place[k]> b->upper[k];
        if (b->kind[k] == SCREE_BOUNDARY_PERIODIC && (is_below || is_above))
            wrap_around(data, b, slot, k);
        else if (is_ghost)
            continue;
        else if (b->kind[k] == SCREE_BOUNDARY_STOP && (is_below || is_above))
            is_stopped = true;
        else if (b->kind[k] == SCREE_BOUNDARY_REFLECT && (is_below || is_above))
            reflect(&velocity[k], is_below);
    }
    if (is_stopped)
        stop(data->bodies, data->def->energy_balance, slot);
    if (!is_ghost)
        mark_stopped(data->bodies, slot, is_stopped);
}

/* ---- removal ---- */

static int compare_serials(const void *a, const void *b)
{
    uint64_t first = ((const scree_leaver *)a)->serial, second = ((const scree_leaver *)b)->serial;

    return (first > second) - (first < second);
}

size_t scree_boundary_apply(const scree_boundary_data *data, const scree_leaver **leavers)
{
    const scree_body_arrays *bodies = data->bodies;
    edges b = find_edges(data->def, &data->cell->now);
    /* the previous state is no longer needed, and its rows are longer than these entries */
    scree_leaver *list = (scree_leaver *)bodies->torque_before;
    size_t count = 0;

    *leavers = list;
    if (!scree_def_has_boundary(data->def))
        return 0;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *place = bodies->position[slot];
        const bool is_ghost = scree_is_ghost(bodies, slot);
        if (is_ghost && !data->wraps_ghosts)
            continue;
        if (centre_is_inside(&b, place) && !(bodies->flags[slot][0] & SCREE_FLAG_STOPPED))
            continue;
        if (!is_ghost && is_beyond(&b, place))
            list[count++] = (scree_leaver){bodies->serial[slot][0], bodies->id[slot][0]};
        else
            apply_to_body(data, &b, slot, is_ghost);
    }
    if (count > 1) /* without bodies there is no list */
        qsort(list, count, sizeof *list, compare_serials);
    return count;
}
