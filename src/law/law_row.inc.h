/*  Forces of the built-in laws on one vector of contacts, for one SIMD instruction set: see law_force.c. Lanes never
    branch. Choices that are the same for all lanes are made by the compiler: each law is law_row with other constants
    in `traits`. */

typedef struct WIDE_FN(law_vector)
{
    wide x, y, z;
} WIDE_FN(law_vector);

#define vector WIDE_FN(law_vector)

SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(law_load)(const double *const rows[3], uint32_t row)
{
    vector v = {wide_load(rows[0] + row), wide_load(rows[1] + row), wide_load(rows[2] + row)};
    return v;
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(law_store)(double *const rows[3], uint32_t row, vector v)
{
    wide_store(rows[0] + row, v.x);
    wide_store(rows[1] + row, v.y);
    wide_store(rows[2] + row, v.z);
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_dot)(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/*  a + b s. */
SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(law_add)(vector a, vector b, wide s)
{
    vector sum = {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
    return sum;
}

SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(law_times)(vector a, wide s)
{
    vector product = {a.x * s, a.y * s, a.z * s};
    return product;
}

SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(law_minus)(vector a, vector b)
{
    vector difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

/*  1 / |v|. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_inverse_length)(vector v)
{
    return wide_set(1) / wide_sqrt(wide_max(WIDE_FN(law_dot)(v, v), wide_set(DBL_MIN)));
}

/*  Return mapping of a spring and a dashpot whose total force is limited to `cap`. `force` is the total, `kept` the
    elastic part that remains: all of it while the contact sticks; while it slides, what the dashpot leaves of the cap,
    along the force, so that the change from sliding to sticking is continuous. */
typedef struct WIDE_FN(law_slider)
{
    vector force, kept;
    wide share; /* ratio of cap to total force; the contact sticks if it is at least 1 */
} WIDE_FN(law_slider);

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_slider)
    WIDE_FN(law_hold)(vector spring, vector rate, wide damping, wide cap)
{
    const wide zero = wide_set(0), one = wide_set(1);
    vector sum = WIDE_FN(law_add)(spring, rate, damping);
    wide inverse = WIDE_FN(law_inverse_length)(sum);
    wide share = cap * inverse;
    wide dashpot = damping * WIDE_FN(law_dot)(rate, sum) * inverse;
    wide left = wide_max(zero, cap - dashpot) * inverse;
    WIDE_FN(law_slider)
    slider = {WIDE_FN(law_times)(sum, wide_min(share, one)),
              {wide_where(one, share, spring.x, sum.x * left),
               wide_where(one, share, spring.y, sum.y * left),
               wide_where(one, share, spring.z, sum.z * left)},
              share};
    return slider;
}

/*  Energy terms of a row of contacts. */
typedef struct WIDE_FN(law_account)
{
    wide energy, damping, friction, rolling;
} WIDE_FN(law_account);

/*  Inputs shared by sliding, rolling and twisting. */
typedef struct WIDE_FN(law_contact)
{
    vector normal;
    wide radius_sq, radius;
    wide pressed;       /* normal force, 0 or more */
    wide stiffness;     /* dF/d(overlap) of the spring */
    wide root;          /* sqrt(stiffness * mass) */
    wide angle;         /* rotation of the plane about the normal */
    wide grown, whole;  /* squared ratio by which the stored spring force changes */
    wide old_stiffness; /* when the history was written */
} WIDE_FN(law_contact);

/* ---- contact history ----

    A spring force is stored as a vector, or about the normal as a number. */
typedef struct WIDE_FN(law_recalled)
{
    vector old, turned; /* as stored; and rotated with the contact */
} WIDE_FN(law_recalled);

/*  Rotates a history vector with the contact: projects it onto the current plane, rotates it about the normal by
    k->angle (its tangent suffices, since the length is restored afterwards), and scales it to its previous length times
    sqrt(grown / whole). A new contact has history 0, and `whole` may be 0 then: adding the smallest number avoids 0 /
    0. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_recalled)
    WIDE_FN(law_recall)(const double *const memory[3], uint32_t row, const WIDE_FN(law_contact) * k)
{
    const vector n = k->normal;
    const wide least = wide_set(DBL_MIN);
    WIDE_FN(law_recalled) r;
    vector old = r.old = WIDE_FN(law_load)(memory, row);
    vector flat = WIDE_FN(law_add)(old, n, wide_set(0) - WIDE_FN(law_dot)(old, n));
    vector across = {n.y * flat.z - n.z * flat.y, n.z * flat.x - n.x * flat.z,
                     n.x * flat.y - n.y * flat.x};
    vector turned = WIDE_FN(law_add)(flat, across, k->angle);
    wide wanted_sq = WIDE_FN(law_dot)(old, old) * k->grown;
    wide turned_sq = WIDE_FN(law_dot)(turned, turned) * k->whole;
    r.turned = WIDE_FN(law_times)(turned, wide_sqrt(wanted_sq / wide_max(turned_sq, least)));
    return r;
}

/*  The new history of a tangential or rolling spring: its elastic part, extrapolated to the end of the step. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(law_remember)(const scree_batch *b, uint32_t first,
                                                         uint32_t row,
                                                         const WIDE_FN(law_slider) * s, vector rate,
                                                         wide stiffness)
{
    wide ahead = stiffness * wide_set(b->ahead);
    WIDE_FN(law_store)(b->next + first, row, WIDE_FN(law_add)(s->kept, rate, ahead));
}

/*  The overlap of the last and of this evaluation of the tangential stiffness. */
SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(law_count_overlap)(const scree_batch *b, const double *c,
                                                              uint32_t row, wide overlap,
                                                              WIDE_FN(law_contact) * k)
{
    k->whole = wide_load(b->memory[SCREE_LINEAR_MEMORY] + row);
    wide_store(b->next[SCREE_LINEAR_MEMORY] + row, overlap);
    k->grown = wide_max(wide_set(c[SCREE_LAW_GROWTH_LEAST]) * k->whole,
                        wide_min(overlap, wide_set(c[SCREE_LAW_GROWTH_MOST]) * k->whole));
}

/*  Half of 1 / stiffness, for the elastic energy of a spring; 0 if there is no spring. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_half_inverse)(wide stiffness)
{
    return wide_where(stiffness, wide_set(DBL_MIN), wide_set(0), wide_set(0.5) / stiffness);
}

/*  Energy that a slider dissipates by sliding and by its dashpot, and energy lost because the stiffness changed. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_dashpot_loss)(WIDE_FN(law_slider) s, vector rate,
                                                             wide time)
{
    return WIDE_FN(law_dot)(WIDE_FN(law_minus)(s.force, s.kept), rate) * time;
}

/*  Energy that a spring loses by sliding: what was stored at the start of the step, plus the work of the mean of its
    forces at the start and at the end, minus what is stored now. `stretch` is the displacement in this step times the
    stiffness. A contact without a history had no force at the start. A spring that sticks loses nothing. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_slip_loss)(WIDE_FN(law_slider) s, vector old,
                                                          vector spring, vector rate, wide stretch,
                                                          wide half_inverse)
{
    const wide zero = wide_set(0);
    vector slip = WIDE_FN(law_minus)(spring, s.kept);
    vector before = WIDE_FN(law_add)(spring, rate, zero - stretch);
    wide begin =
        wide_where(WIDE_FN(law_dot)(old, old), zero, zero - WIDE_FN(law_dot)(s.kept, before),
                   WIDE_FN(law_dot)(before, slip));
    wide loss = (begin + WIDE_FN(law_dot)(s.kept, slip)) * half_inverse;
    return wide_where(wide_set(1), s.share, zero, loss);
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_rescaling_loss)(vector old, wide old_stiffness,
                                                               vector turned, wide half_inverse)
{
    return WIDE_FN(law_dot)(old, old) * WIDE_FN(law_half_inverse)(old_stiffness) -
           WIDE_FN(law_dot)(turned, turned) * half_inverse;
}

/*  Rolling resistance: the tangential moment. `roll` is the tangential relative angular velocity. */
SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(law_roll)(const scree_batch *b, const double *c,
                                                       uint32_t row, const WIDE_FN(law_contact) * k,
                                                       vector roll, law_traits traits,
                                                       WIDE_FN(law_account) * account)
{
    const uint32_t first = traits.is_hertz ? SCREE_HERTZ_MEMORY : SCREE_LINEAR_MEMORY;
    const wide zero = wide_set(0), time = wide_set(b->dt + b->ahead);
    wide cap = k->pressed * k->radius * wide_set(c[SCREE_LAW_ROLLING_FRICTION]);
    WIDE_FN(law_slider) s;

    if (c[SCREE_LAW_ROLLING_MODEL] == SCREE_ROLLING_CONSTANT) {
        wide square = wide_max(WIDE_FN(law_dot)(roll, roll), wide_set(DBL_MIN));
        s.force = WIDE_FN(law_times)(roll, cap / wide_sqrt(square));
        s.kept.x = s.kept.y = s.kept.z = s.share = zero;
        for (uint32_t m = first; m < first + 3; m++)
            wide_store(b->next[m] + row, zero);
        if (traits.keeps_account)
            account->rolling = account->rolling + WIDE_FN(law_dashpot_loss)(s, roll, time);
        return s.force;
    }

    WIDE_FN(law_recalled) r = WIDE_FN(law_recall)(b->memory + first, row, k);
    wide share = k->radius_sq * wide_set(c[SCREE_LAW_ROLLING]), stiffness = k->stiffness * share;
    vector spring = WIDE_FN(law_add)(r.turned, roll, stiffness * wide_set(b->dt));
    wide damping = k->root * k->radius_sq * wide_set(c[SCREE_LAW_ROLLING_DAMPING]);
    s = WIDE_FN(law_hold)(spring, roll, damping, cap);
    WIDE_FN(law_remember)(b, first, row, &s, roll, stiffness);
    if (traits.keeps_account) {
        wide half_inverse = WIDE_FN(law_half_inverse)(stiffness);
        account->energy = account->energy + WIDE_FN(law_dot)(s.kept, s.kept) * half_inverse;
        account->rolling =
            account->rolling + WIDE_FN(law_dashpot_loss)(s, roll, time) +
            WIDE_FN(law_slip_loss)(s, r.old, spring, roll, stiffness * time, half_inverse) +
            WIDE_FN(law_rescaling_loss)(r.old, k->old_stiffness * share, r.turned, half_inverse);
    }
    return s.force;
}

/*  Twisting resistance: the same about the normal, with a number in place of a vector. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_twist)(const scree_batch *b, const double *c,
                                                      uint32_t row, const WIDE_FN(law_contact) * k,
                                                      wide rate, law_traits traits,
                                                      WIDE_FN(law_account) * account)
{
    const uint32_t at = (traits.is_hertz ? SCREE_HERTZ_MEMORY : SCREE_LINEAR_MEMORY) + 3;
    const wide zero = wide_set(0), one = wide_set(1);
    wide cap = k->pressed * k->radius * wide_set(c[SCREE_LAW_TWISTING_FRICTION]);
    wide share = k->radius_sq * wide_set(c[SCREE_LAW_TWISTING]), stiffness = k->stiffness * share;
    wide damping = k->root * k->radius_sq * wide_set(c[SCREE_LAW_TWISTING_DAMPING]);
    wide factor =
        traits.is_hertz ? wide_sqrt(k->grown / wide_max(k->whole, wide_set(DBL_MIN))) : one;
    wide old = wide_load(b->memory[at] + row), turned = old;
    if (traits.is_hertz)
        turned = old * factor;
    wide spring = turned + rate * (stiffness * wide_set(b->dt)), sum = spring + rate * damping;
    wide sign = wide_where(zero, sum, one, zero - one);
    wide left = wide_max(zero, cap - damping * rate * sign) * sign;
    wide moment = wide_max(zero - cap, wide_min(cap, sum)); /* NaN if sum is NaN */
    wide kept = wide_where(wide_abs(sum), cap, spring, left);
    wide ahead = rate * (stiffness * wide_set(b->ahead));
    wide_store(b->next[at] + row, kept + ahead);
    if (traits.keeps_account) {
        wide half_inverse = WIDE_FN(law_half_inverse)(stiffness);
        wide old_half_inverse = WIDE_FN(law_half_inverse)(k->old_stiffness * share);
        account->energy = account->energy + kept * kept * half_inverse;
        wide time = wide_set(b->dt + b->ahead);
        /* as law_slip_loss */
        wide slip = spring - kept, before = spring - rate * (stiffness * time);
        wide begin = wide_where(old * old, zero, zero - kept * before, before * slip);
        wide slid = wide_where(wide_abs(sum), cap, zero, (begin + kept * slip) * half_inverse);
        account->rolling = account->rolling + (moment - kept) * rate * time + slid +
                           (old * old * old_half_inverse - turned * turned * half_inverse);
    }
    return moment;
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(law_store_account)(const scree_batch *b, uint32_t row,
                                                              const WIDE_FN(law_account) * account)
{
    if (b->energy)
        wide_store(b->energy + row, account->energy);
    if (b->loss[SCREE_LOSS_DAMPING])
        wide_store(b->loss[SCREE_LOSS_DAMPING] + row, account->damping);
    if (b->loss[SCREE_LOSS_FRICTION])
        wide_store(b->loss[SCREE_LOSS_FRICTION] + row, account->friction);
    if (b->loss[SCREE_LOSS_ROLLING])
        wide_store(b->loss[SCREE_LOSS_ROLLING] + row, account->rolling);
}

/*  Tangential force: friction, rolling and twisting. */
SCREE_KERNEL_PART WIDE_TARGET vector WIDE_FN(law_shear)(const scree_batch *b, const double *c,
                                                        uint32_t row,
                                                        const WIDE_FN(law_contact) * k,
                                                        law_traits traits,
                                                        WIDE_FN(law_account) * account)
{
    vector slide = WIDE_FN(law_load)(b->slide, row);
    WIDE_FN(law_recalled) r = WIDE_FN(law_recall)(b->memory, row, k);
    wide stiffness = k->stiffness * wide_set(c[SCREE_LAW_SHEAR]);
    vector spring = WIDE_FN(law_add)(r.turned, slide, stiffness * wide_set(b->dt));
    WIDE_FN(law_slider)
    s = WIDE_FN(law_hold)(spring, slide, k->root * wide_set(c[SCREE_LAW_SHEAR_DAMPING]),
                          k->pressed * wide_set(c[SCREE_LAW_FRICTION]));
    WIDE_FN(law_remember)(b, 0, row, &s, slide, stiffness);
    if (b->shear_stiffness)
        wide_store(b->shear_stiffness + row, stiffness);
    if (traits.keeps_account) {
        wide half_inverse = WIDE_FN(law_half_inverse)(stiffness);
        wide old_stiffness = k->old_stiffness * wide_set(c[SCREE_LAW_SHEAR]);
        wide time = wide_set(b->dt + b->ahead);
        wide lost = WIDE_FN(law_dashpot_loss)(s, slide, time);
        wide of_dashpot = wide_where(wide_set(1), s.share, lost, wide_set(0));
        account->energy = account->energy + WIDE_FN(law_dot)(s.kept, s.kept) * half_inverse;
        account->damping = account->damping + of_dashpot;
        account->friction =
            (lost - of_dashpot) +
            WIDE_FN(law_slip_loss)(s, r.old, spring, slide, stiffness * time, half_inverse) +
            WIDE_FN(law_rescaling_loss)(r.old, old_stiffness, r.turned, half_inverse);
    }
    return s.force;
}

#include "law/law_adhesion.inc.h"
#include "law/law_bond.inc.h"

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(law_row)(const scree_batch *b, const double *c,
                                                    uint32_t row, law_traits traits)
{
    const wide zero = wide_set(0), minus_one = wide_set(-1);
    /* for spheres in contact it may round to less than 0; of a NaN and 0 this gives the NaN */
    wide overlap = wide_max(zero, wide_load(b->overlap + row));
    wide approach = wide_load(b->approach + row);
    WIDE_FN(law_account) account = {zero, zero, zero, zero};
    WIDE_FN(law_contact) k;

    k.normal = WIDE_FN(law_load)(b->normal, row);
    k.radius = wide_load(b->radius + row);
    WIDE_FN(law_pull) pull = {0};
    if (law_pulls(traits)) {
        pull = WIDE_FN(law_pull_of)(b, c, row, wide_load(b->overlap + row), k.radius, traits);
        overlap = pull.overlap;
    }
    if (traits.kind == LAW_BOND)
        overlap = WIDE_FN(law_bond_overlap)(b, row, wide_load(b->overlap + row));
    k.radius_sq = k.radius * k.radius;
    k.angle = wide_load(b->twist + row) * wide_set(b->dt + b->ahead);
    k.stiffness = k.old_stiffness = wide_set(c[SCREE_LAW_STIFFNESS]);
    k.grown = k.whole = wide_set(1);
    if (traits.is_hertz) {
        WIDE_FN(law_count_overlap)(b, c, row, overlap, &k);
        k.stiffness = k.stiffness * wide_sqrt(k.radius * overlap);
        if (traits.keeps_account)
            k.old_stiffness = k.old_stiffness * wide_sqrt(k.radius * k.whole);
    }
    if (traits.kind == LAW_PENALTY)
        k.stiffness = k.old_stiffness = k.stiffness * wide_sqrt(wide_load(b->mass + row));
    k.root = wide_sqrt(k.stiffness * wide_load(b->mass + row));
    if (b->stiffness)
        wide_store(b->stiffness + row, k.stiffness);

    /* normal force; NaN in any input makes it NaN */
    wide elastic = k.stiffness * overlap;
    if (traits.is_hertz)
        elastic = elastic * wide_set(2.0 / 3.0);
    if (traits.kind == LAW_PLASTIC || traits.kind == LAW_EEPA)
        elastic = pull.elastic;
    k.pressed = wide_max(zero, elastic + k.root * wide_set(c[SCREE_LAW_DAMPING]) * approach);
    if (traits.keeps_account) {
        account.energy = elastic * overlap * wide_set(traits.is_hertz ? 0.4 : 0.5);
        account.damping = (k.pressed - elastic) * approach * wide_set(b->dt + b->ahead);
    }

    wide along = k.pressed; /* the normal */
    if (law_pulls(traits)) {
        along = k.pressed - pull.force;
        k.pressed = wide_max(zero, k.pressed + pull.bound);
        account.energy = account.energy + pull.energy;
        account.damping = account.damping + pull.lost;
        if (b->stiffness)
            wide_store(b->stiffness + row, wide_max(k.stiffness, pull.steep));
    }
    vector force = WIDE_FN(law_shear)(b, c, row, &k, traits, &account);
    force = WIDE_FN(law_add)(force, k.normal, along);
    if (traits.rolls) {
        vector roll = WIDE_FN(law_load)(b->roll, row);
        wide about = WIDE_FN(law_dot)(roll, k.normal);
        roll = WIDE_FN(law_add)(roll, k.normal, zero - about);
        vector moment = WIDE_FN(law_roll)(b, c, row, &k, roll, traits, &account);
        wide twisting = WIDE_FN(law_twist)(b, c, row, &k, about, traits, &account);
        moment = WIDE_FN(law_add)(moment, k.normal, twisting);
        if (traits.kind == LAW_BOND)
            WIDE_FN(law_add_bond)(b, c, row, roll, about, &k, traits, &force, &moment, &account);
        WIDE_FN(law_store)(b->moment, row, WIDE_FN(law_times)(moment, minus_one));
    }
    WIDE_FN(law_store)(b->force, row, WIDE_FN(law_times)(force, minus_one));
    if (traits.keeps_account)
        WIDE_FN(law_store_account)(b, row, &account);
}

#undef vector
