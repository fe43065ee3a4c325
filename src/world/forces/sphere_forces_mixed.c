/*  Contacts of bodies where precision is mixed: what sphere_geometry.c and sphere_forces.c do in doubles, in floats,
    for laws of the library.

    HOW MUCH IS LOST. u = 2^-24 is half of a float's last digit. Differences of positions and velocities are
    taken in double and then rounded, so each is right to u of itself, wherever the two are. With R the sum of
    radii and d the distance

        overlap = R - d = (R^2 - d^2) / (R + d),

    of which the gap R^2 - d^2 is formed in double: its error is at most 6 * 2^-53 R^2 (four products, three
    sums), so for an overlap o it is 6 * 2^-53 R^2 / (2 R o) = 3 * 2^-53 R / o of itself: below u as long as o is
    more than 6e-9 R. What follows in floats, each operation u: the gap rounded 1, d^2 rounded and its root 1/2 + 1,
    R + d 1/2 (the roundings of R and of d, each of half the sum) + 1 + 1 for rounding r1, r2 and R, the division 1. In sum
    at most 6 u, 4e-7 of the overlap, down to overlaps of 1e-8 R; there, where doubles themselves have lost half of
    their digits, it grows as 1 / o does. A normal is right to 4 u along each axis, and its length to that.
    The sign of the overlap is that of the gap, hence that of touching as sphere_geometry.inc.h decides it: R^2 and
    d^2 are the same numbers. Tests compare with the twin in double.

    Hertz's force is then right to 3/2 * 6 u + 8 u, 1e-6, and the same on both bodies to the last bit, since it
    is rounded once and added with both signs in double; friction that slides to another 2e-6, by which Coulomb's
    bound is drawn in. What contacts remember is double, see law_row.inc.h. */
#include "world/contacts/contact_onset.h"
#include "world/forces/sphere_forces.h"

#include <math.h>
#include <string.h>

/*  Centres whose squares of distance are below this are one: sizes are not below 1e-9, see add_bodies.c. */
#define TINY_SQ 1e-30f

#define WIDE_LEVEL WIDE_SCALAR
#include "world/forces/sphere_forces_mixed.inc.h"
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "world/forces/sphere_forces_mixed.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "world/forces/sphere_forces_mixed.inc.h"
#endif

scree_differences_fn *const scree_differences_kernels[] = WIDE_LEVELS(differences);
scree_float_geometry_fn *const scree_float_geometry_kernels[] = WIDE_LEVELS(geometry_float);
scree_float_rows_fn *const scree_float_rows_kernels[] = WIDE_LEVELS(rows_float);

/* ---- one batch ---- */

static scree_float_batch float_batch_of_room(const scree_pair_job *job, scree_float_room *room,
                                             scree_batch_room *who, uint32_t count, double dt,
                                             const scree_law *law)
{
    double ahead = scree_def_ahead(job->step->def, dt);
    scree_float_batch batch = {
        .count = count,
        .dt = (float)(dt - ahead),
        .ahead = (float)ahead,
        .overlap = room->overlap,
        .normal = {room->normal[0], room->normal[1], room->normal[2]},
        .approach = room->approach,
        .slide = {room->slide[0], room->slide[1], room->slide[2]},
        .roll = {room->roll[0], room->roll[1], room->roll[2]},
        .twist = room->twist,
        .radius = room->radius,
        .mass = room->mass,
        .force = {room->force[0], room->force[1], room->force[2]},
        .moment = {room->moment[0], room->moment[1], room->moment[2]},
    };
    for (uint32_t k = 0; k < law->memory_count; k++) {
        batch.memory[k] = who->memory[k];
        batch.next[k] = who->next[k];
    }
    for (int k = 0; job->step->def->ledger && k < SCREE_LOSSES; k++)
        batch.loss[k] = room->loss[k];
    batch.energy = job->step->def->ledger ? room->energy : NULL;
    batch.stiffness = job->wants_stiffness ? room->stiffness : NULL;
    batch.shear_stiffness = job->wants_stiffness ? room->shear_stiffness : NULL;
    return batch;
}

/*  Moments and accounts, which are kept in doubles. */
static void write_float_rest(scree_contact_sets *sets, const scree_float_room *room,
                             scree_batch_room *who, const scree_law *law, uint32_t count)
{
    const uint32_t *contact = who->contact;

    for (uint32_t k = 0; sets->has_moments && k < count; k++) {
        double *moment = sets->moment[contact[k]];
        for (int axis = 0; axis < 3; axis++)
            moment[axis] = who->moment[axis][k] =
                law->has_moment ? (double)room->moment[axis][k] : 0;
        moment[3] = 0;
    }
    for (uint32_t k = 0; sets->has_account && k < count; k++) {
        double *account = sets->account[contact[k]];
        account[0] = (double)room->energy[k];
        for (int loss = 0; loss < SCREE_LOSSES; loss++)
            account[1 + loss] = (double)room->loss[loss][k];
    }
}

/*  Whether some contact is deeper than the limit; then all depths are put down in the room of doubles. */
static bool find_deep(const scree_float_room *from, scree_batch_room *to, uint32_t count,
                      double limit)
{
    int some = 0;

    for (uint32_t k = 0; k < count; k++)
        some |= (double)from->depth[k] > limit;
    for (uint32_t k = 0; some && k < count; k++)
        to->depth[k] = (double)from->depth[k];
    return some != 0;
}

/*  Rows of stiffness are made from a room of doubles. The laws of the library say how stiff they are. */
static void write_float_stiffness(const scree_pair_job *job, const scree_float_room *from,
                                  scree_batch_room *to, uint32_t count, double dt,
                                  const scree_rule_slot *slot)
{
    scree_batch batch = scree_batch_of_room(job->step->def, to, count, dt, slot->law, true);

    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 3; axis++)
            to->normal[axis][k] = (double)from->normal[axis][k];
        for (int side = 0; side < 2; side++)
            to->arm[side][k] = (double)from->arm[side][k];
        /* what is not a number was computed, too */
        to->stiffness[k] = isnan(from->stiffness[k]) ? 0 : (double)from->stiffness[k];
        to->shear_stiffness[k] = (double)from->shear_stiffness[k];
        to->mass[k] = (double)from->mass[k];
    }
    scree_stiffness_write(&batch, to, slot, job->contacts->stiffness);
}

static void begin_in_floats(const scree_pair_job *job, const scree_batch_room *who,
                            scree_float_room *room, uint32_t count, double dt)
{
    for (uint32_t k = 0; scree_contacts_begin_slowly(job->step->def, dt) && k < count; k++)
        if (who->is_new[k])
            room->approach[k] = (float)scree_beginning_approach((double)room->approach[k],
                                                                (double)room->overlap[k], dt);
}

bool scree_pairs_run_in_floats(const scree_pair_job *job, const scree_geometry *geometry,
                               scree_force_scratch *scratch, uint32_t count,
                               const scree_rule_slot *slot, double dt, bool is_survey)
{
    scree_contact_sets *sets = job->contacts;
    scree_batch_room *who = &scratch->room;
    scree_float_room *room = &scratch->float_room;
    uint32_t planes = slot->law->memory_count;
    scree_float_batch batch = float_batch_of_room(job, room, who, count, dt, slot->law);
    bool are_lent =
        scree_lend_planes(job->pairs, sets, who, count, planes, batch.memory, batch.next);
    bool is_deep = false;

    scree_differences_kernels[job->step->simd](geometry, count, who, room);
    scree_float_geometry_kernels[job->step->simd](count, room);
    begin_in_floats(job, who, room, count, dt);
    if (!are_lent)
        scree_fill_memory(job->pairs, who, count, planes);
    slot->float_force(&batch, slot->float_constants);
    if (!is_survey) {
        is_deep = find_deep(room, who, count, job->step->def->overlap_limit);
        scree_float_rows_kernels[job->step->simd](room, count, who->contact, sets->float_row);
        if (!are_lent)
            scree_write_memory(sets, who, count, planes);
        write_float_rest(sets, room, who, slot->law, count);
    }
    if (job->wants_stiffness)
        write_float_stiffness(job, room, who, count, dt, slot);
    return is_deep;
}
