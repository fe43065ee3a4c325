/*  Creates and destroys clumps. clump_mass.c computes the union of the pebbles. */
#include "shape/clump.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "shape/axes.h"

#include <math.h>
#include <string.h>

#define CLUMP_COOKIE 0x5a1c70d9u
#define LARGEST 1e60
#define SMALLEST 1e-60

void scree_init_clump_def(scree_clump_def *def, size_t size)
{
    static const scree_clump_def own = {
        .cookie = CLUMP_COOKIE, .size = sizeof(scree_clump_def), .dimensions = 3};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- checks ---- */

static scree_status check_pebble(const scree_clump_def *def, uint32_t p)
{
    const scree_pebble *pebble = &def->pebbles[p];

    for (int k = 0; k < 3; k++)
        if (!(fabs(pebble->centre[k]) <= LARGEST))
            return scree_fail(def->error, SCREE_BAD_VALUE,
                              "clump def: pebble %u: %c is %g, must be finite and at most 1e60 in "
                              "magnitude",
                              p, "xyz"[k], pebble -> centre[k]);
    if (!(pebble->radius >= SMALLEST && pebble->radius <= LARGEST))
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "clump def: pebble %u: radius is %g, must be 1e-60 to 1e60", p,
                          pebble->radius);
    if (def->dimensions == 2 && pebble->centre[2] != 0)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "clump def: pebble %u: z is %g, must be 0 in two dimensions", p,
                          pebble->centre[2]);
    return SCREE_OK;
}

static scree_status check_clump(const scree_clump_def *def)
{
    scree_status status = SCREE_OK;

    if (def->dimensions != 2 && def->dimensions != 3)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "clump def: dimensions is %d, must be 2 or 3", def->dimensions);
    if (!def->pebbles)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "clump def: pebbles is NULL");
    if (def->pebble_count == 0 || def->pebble_count > SCREE_MAX_PEBBLES)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "clump def: pebble_count is %u, must be 1 to %u", def->pebble_count,
                          SCREE_MAX_PEBBLES);
    for (uint32_t p = 0; p < def->pebble_count && !status; p++)
        status = check_pebble(def, p);
    return status;
}

static bool is_usable(double value)
{
    return value > 0 && value < INFINITY;
}

/*  No moment of a body exceeds the sum of the other two; a rounding error is allowed. */
static scree_status check_mass(const scree_clump_def *def, const scree_clump *clump)
{
    const scree_clump_mass *m = &clump->mass;
    const double *p = clump->principal;
    double sum = p[0] + p[1] + p[2];
    bool can_be = is_usable(m->volume) && sum < INFINITY;

    for (int k = 0; k < 3; k++)
        can_be = can_be && is_usable(p[k]) && fabs(m->centre[k]) <= LARGEST &&
                 m->inertia[k][(k + 1) % 3] == m->inertia[(k + 1) % 3][k] &&
                 (def->dimensions == 2 || 2 * p[k] <= sum * (1 + 1e-9));
    return can_be
               ? SCREE_OK
               : scree_fail(def->error, SCREE_BAD_VALUE,
                            "clump def: volume %g about (%g, %g, %g) with principal moments of "
                            "inertia %g, %g and %g: no body has these",
                            m->volume, m->centre[0], m->centre[1], m->centre[2], p[0], p[1], p[2]);
}

/* ---- creation ---- */

/*  In two dimensions all axes get the moment about z, and the clump's axes do not change. */
static void find_frame(scree_clump *clump)
{
    scree_clump_mass *m = &clump->mass;
    double polar = m->inertia[2][2];

    if (clump->dimensions == 2) {
        memset(m->inertia, 0, sizeof m->inertia);
        for (int k = 0; k < 3; k++)
            m->inertia[k][k] = polar;
        m->centre[2] = 0;
    }
    scree_principal_axes((const double(*)[3])m->inertia, clump->principal, clump->orientation);
}

static uint32_t local_count(uint32_t pebbles)
{
    return (pebbles + SCREE_PEBBLE_GROUP - 1) / SCREE_PEBBLE_GROUP * SCREE_PEBBLE_GROUP;
}

static void place_pebbles(scree_clump *clump)
{
    clump->smallest = INFINITY;
    for (uint32_t p = 0; p < clump->pebble_count; p++) {
        const scree_pebble *pebble = &clump->pebbles[p];
        double from[3], away_sq = 0;
        for (int k = 0; k < 3; k++) {
            from[k] = pebble->centre[k] - clump->mass.centre[k];
            away_sq += from[k] * from[k];
        }
        scree_quaternion_turn_back(clump->orientation, from, clump->local[p]);
        clump->local[p][3] = pebble->radius;
        double reach = (sqrt(away_sq) + pebble->radius) * (1 + 0x1p-40);
        clump->reach = reach > clump->reach ? reach : clump->reach;
        clump->smallest = pebble->radius < clump->smallest ? pebble->radius : clump->smallest;
    }
    for (uint32_t p = clump->pebble_count; p < local_count(clump->pebble_count); p++)
        memcpy(clump->local[p], clump->local[clump->pebble_count - 1], sizeof *clump->local);
}

static scree_status fill_clump(scree_clump *clump, const scree_clump_def *def)
{
    uint32_t count = def->pebble_count;
    scree_status status;

    if (scree_memory_take(&clump->memory, count, sizeof *clump->pebbles, &clump->pebbles) ||
        scree_memory_take(&clump->memory, local_count(count), sizeof *clump->local, &clump->local))
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "clump def: out of memory");
    memcpy(clump->pebbles, def->pebbles, count * sizeof *clump->pebbles);
    if (def->mass)
        clump->mass = *def->mass;
    else if (scree_clump_weigh(clump->pebbles, count, clump->dimensions, &clump->memory,
                               &clump->mass))
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "clump def: out of memory");
    find_frame(clump);
    status = check_mass(def, clump);
    if (!status)
        place_pebbles(clump);
    return status;
}

static void free_clump(scree_clump *clump)
{
    scree_memory memory;
    uint32_t count = clump->pebble_count;

    scree_memory_give(&clump->memory, &clump->pebbles, count, sizeof *clump->pebbles);
    scree_memory_give(&clump->memory, &clump->local, local_count(count), sizeof *clump->local);
    scree_memory_init(&memory, &clump->memory.allocator);
    scree_memory_give(&memory, &clump, 1, sizeof *clump);
}

scree_status scree_clump_create(const scree_clump_def *def, scree_clump **clump)
{
    scree_memory memory;
    scree_clump *made;
    scree_status status;

    if (!clump)
        return SCREE_BAD_ARGUMENT;
    *clump = NULL;
    if (!def)
        return SCREE_BAD_ARGUMENT;
    scree_clump_def own = scree_default_clump_def();
    if (!scree_definition_read(&own, def))
        return SCREE_BAD_DEF; /* def->error is invalid then */
    def = &own;
    if ((status = scree_memory_init(&memory, &def->allocator)))
        return scree_fail(def->error, status, "clump def: allocator has some functions, not all");
    if ((status = check_clump(def)))
        return status;
    if ((status = scree_memory_take(&memory, 1, sizeof *made, &made)))
        return scree_fail(def->error, status, "clump def: out of memory");
    *made = (scree_clump){.dimensions = def->dimensions, .pebble_count = def->pebble_count};
    scree_memory_init(&made->memory, &def->allocator);
    atomic_init(&made->users, 1);
    status = fill_clump(made, def);
    if (status) {
        free_clump(made);
        return status;
    }
    *clump = made;
    return SCREE_OK;
}

/* ---- reference counting ---- */

/*  The count is the only thing that changes in a clump; to its users it is const. */
static atomic_size_t *users_of_clump(const scree_clump *clump)
{
    return &((scree_clump *)(uintptr_t)clump)->users;
}

void scree_clump_hold(const scree_clump *clump)
{
    atomic_fetch_add_explicit(users_of_clump(clump), 1, memory_order_relaxed);
}

void scree_clump_release(const scree_clump *clump)
{
    /* the last user must wait for all others: they only read, but the reads must be complete */
    if (clump && atomic_fetch_sub_explicit(users_of_clump(clump), 1, memory_order_acq_rel) == 1)
        free_clump((scree_clump *)(uintptr_t)clump);
}

void scree_clump_destroy(scree_clump *clump)
{
    scree_clump_release(clump);
}

scree_clump_info scree_clump_describe(const scree_clump *clump)
{
    scree_clump_info info = {0};

    if (!clump)
        return info;
    info.dimensions = clump->dimensions;
    info.pebble_count = clump->pebble_count;
    info.pebbles = clump->pebbles;
    info.mass = clump->mass;
    memcpy(info.principal, clump->principal, sizeof info.principal);
    memcpy(info.orientation, clump->orientation, sizeof info.orientation);
    info.reach = clump->reach;
    return info;
}
