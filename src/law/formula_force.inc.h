/*  Forces of a law written as formulas, for one SIMD instruction set: see formula_force.c. */
#include "law/law_row.inc.h"

#define vector WIDE_FN(law_vector)

/*  The component of v perpendicular to the normal. */
SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(formula_across)(vector v, vector n)
{
    return WIDE_FN(law_add)(v, n, wide_set(0) - WIDE_FN(law_dot)(v, n));
}

/*  Computes columns that formulas use and that the batch does not have. */
WIDE_TARGET static void WIDE_FN(formula_inputs)(const scree_batch *b, const scree_formula_law *law,
                                                uint32_t rows, formula_room *room)
{
    const wide zero = wide_set(0);

    for (uint32_t row = 0; row < rows && !(law->law.reach > 0); row += WIDE_LANES)
        /* for spheres in contact it may round to less than 0; of a NaN and 0 this gives the NaN */
        wide_store(room->overlap + row, wide_max(zero, wide_load(b->overlap + row)));
    for (uint32_t row = 0; row < rows && room->wants_slide; row += WIDE_LANES) {
        vector slide = WIDE_FN(law_load)(b->slide, row);
        wide_store(room->slide + row, wide_sqrt(WIDE_FN(law_dot)(slide, slide)));
    }
    for (uint32_t row = 0; row < rows && room->wants_roll; row += WIDE_LANES) {
        vector roll = WIDE_FN(formula_across)(WIDE_FN(law_load)(b->roll, row),
                                              WIDE_FN(law_load)(b->normal, row));
        wide_store(room->roll + row, wide_sqrt(WIDE_FN(law_dot)(roll, roll)));
    }
}

/*  The tangential spring, as law_shear of the built-in laws, with its own parameters for each contact. */
SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(formula_spring)(const scree_batch *b,
                                                             const formula_room *room, uint32_t row,
                                                             vector normal, bool keeps_account,
                                                             WIDE_FN(law_account) * account)
{
    const wide zero = wide_set(0), time = wide_set(b->dt + b->ahead);
    const wide stiffness = wide_load(room->result[SCREE_LAW_OUT_TANGENTIAL] + row);
    const wide old_stiffness = wide_load(b->memory[SCREE_LINEAR_MEMORY] + row);
    const wide damping =
        room->has_damping ? wide_load(room->result[SCREE_LAW_OUT_DAMPING] + row) : zero;
    const wide limit = wide_load(room->result[SCREE_LAW_OUT_LIMIT] + row);
    vector slide = WIDE_FN(law_load)(b->slide, row);
    WIDE_FN(law_contact) k = {.normal = normal};

    k.angle = wide_load(b->twist + row) * time;
    wide smaller = wide_min(stiffness, old_stiffness);
    k.grown = smaller * smaller;
    k.whole = old_stiffness * old_stiffness;
    WIDE_FN(law_recalled) r = WIDE_FN(law_recall)(b->memory, row, &k);
    vector spring = WIDE_FN(law_add)(r.turned, slide, stiffness * wide_set(b->dt));
    WIDE_FN(law_slider)
    s = WIDE_FN(law_hold)(spring, slide, damping, wide_max(zero, limit) * wide_set(FORMULA_WITHIN));
    /* a NaN limit would be no limit: it makes the force NaN, and the step is refused */
    s.force = WIDE_FN(law_times)(s.force, wide_where(limit, limit, wide_set(1), limit));
    WIDE_FN(law_remember)(b, 0, row, &s, slide, stiffness);
    wide_store(b->next[SCREE_LINEAR_MEMORY] + row, stiffness);
    if (b->shear_stiffness)
        wide_store(b->shear_stiffness + row, stiffness);
    if (keeps_account) {
        wide half_inverse = WIDE_FN(law_half_inverse)(stiffness);
        wide lost = WIDE_FN(law_dashpot_loss)(s, slide, time);
        wide of_dashpot = wide_where(wide_set(1), s.share, lost, zero);
        account->energy = account->energy + WIDE_FN(law_dot)(s.kept, s.kept) * half_inverse;
        account->damping = account->damping + of_dashpot;
        account->friction =
            (lost - of_dashpot) +
            WIDE_FN(law_slip_loss)(s, r.old, spring, slide, stiffness * time, half_inverse) +
            WIDE_FN(law_rescaling_loss)(r.old, old_stiffness, r.turned, half_inverse);
    }
    return s.force;
}

/*  A vector of length `size` along v, whose length is `length`; 0 if v has no direction. */
SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(formula_against)(vector v, wide length, wide size)
{
    const wide least = wide_set(FORMULA_MIN_SPEED);

    return WIDE_FN(law_times)(
        v, wide_where(length, least, wide_set(0), size / wide_max(length, least)));
}

/*  Power of that force; 0 if it has no direction. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(formula_loss)(wide length, wide size, wide time)
{
    return wide_where(length, wide_set(FORMULA_MIN_SPEED), wide_set(0), size * length * time);
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(formula_row)(const scree_batch *b,
                                                        const scree_formula_law *law,
                                                        const formula_room *room, uint32_t row,
                                                        bool keeps_account)
{
    const wide zero = wide_set(0), minus_one = wide_set(-1), time = wide_set(b->dt + b->ahead);
    WIDE_FN(law_account) account = {zero, zero, zero, zero};
    vector normal = WIDE_FN(law_load)(b->normal, row);
    wide pressed = wide_load(room->result[SCREE_LAW_OUT_NORMAL] + row);
    vector force = {zero, zero, zero};

    if (keeps_account) {
        /* the velocity-dependent part of the force dissipates energy */
        wide still = wide_load(room->still + row);
        account.energy = wide_load(room->energy + row);
        account.damping = (pressed - still) * wide_load(b->approach + row) * time;
    }
    if (law->has_spring) {
        force = WIDE_FN(formula_spring)(b, room, row, normal, keeps_account, &account);
    } else if (law->has_tangential) {
        wide size = wide_load(room->result[SCREE_LAW_OUT_TANGENTIAL] + row);
        wide length = wide_load(room->slide + row);
        force = WIDE_FN(formula_against)(WIDE_FN(law_load)(b->slide, row), length, size);
        account.friction = WIDE_FN(formula_loss)(length, size, time);
    }
    force = WIDE_FN(law_add)(force, normal, pressed);
    WIDE_FN(law_store)(b->force, row, WIDE_FN(law_times)(force, minus_one));
    if (law->has_rolling) {
        wide size = wide_load(room->result[SCREE_LAW_OUT_ROLLING] + row);
        wide length = wide_load(room->roll + row);
        vector roll = WIDE_FN(formula_across)(WIDE_FN(law_load)(b->roll, row), normal);
        vector moment = WIDE_FN(formula_against)(roll, length, size);
        WIDE_FN(law_store)(b->moment, row, WIDE_FN(law_times)(moment, minus_one));
        account.rolling = WIDE_FN(formula_loss)(length, size, time);
    }
    if (keeps_account)
        WIDE_FN(law_store_account)(b, row, &account);
}

WIDE_TARGET static void WIDE_FN(formula_force)(const scree_batch *b, const double *c, void *user)
{
    const scree_formula_law *law = user;
    const bool keeps_account = law_keeps_account(b);
    formula_room room;

    begin_room(b, c, law, &room);
    room.run = scree_program_kernel((scree_simd)(SCREE_SIMD_SCALAR + WIDE_LEVEL));
    WIDE_FN(formula_inputs)(b, law, room.data.rows, &room);
    room.run(law->force, &room.data);
    if (keeps_account)
        run_for_account(law, &room);
    if (b->stiffness && law->stiffness)
        run_one(law->stiffness, b->stiffness, &room);
    if (keeps_account)
        for (uint32_t row = 0; row < b->count; row += WIDE_LANES)
            WIDE_FN(formula_row)(b, law, &room, row, true);
    else
        for (uint32_t row = 0; row < b->count; row += WIDE_LANES)
            WIDE_FN(formula_row)(b, law, &room, row, false);
}

#undef vector
