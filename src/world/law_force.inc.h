/*  Forces of the built-in laws at one SIMD level: see law_force.c. No lane takes another way than its
    neighbours, and what is a choice for all lanes is one of the compiler's: each law is law_row with other
    constants in the place of `traits`. */

typedef struct WIDE_FN(law_vector)
{
    wide x, y, z;
} WIDE_FN(law_vector);

#define vector WIDE_FN(law_vector)

LAW_INLINE WIDE_TARGET vector WIDE_FN(law_load)(const double *const rows[3], uint32_t row)
{
    vector v = {wide_load(rows[0] + row), wide_load(rows[1] + row), wide_load(rows[2] + row)};
    return v;
}

LAW_INLINE WIDE_TARGET void WIDE_FN(law_store)(double *const rows[3], uint32_t row, vector v)
{
    wide_store(rows[0] + row, v.x);
    wide_store(rows[1] + row, v.y);
    wide_store(rows[2] + row, v.z);
}

LAW_INLINE WIDE_TARGET wide WIDE_FN(law_dot)(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/*  a + b s. */
LAW_INLINE WIDE_TARGET vector WIDE_FN(law_add)(vector a, vector b, wide s)
{
    vector sum = {a.x + b.x * s, a.y + b.y * s, a.z + b.z * s};
    return sum;
}

LAW_INLINE WIDE_TARGET vector WIDE_FN(law_times)(vector a, wide s)
{
    vector product = {a.x * s, a.y * s, a.z * s};
    return product;
}

LAW_INLINE WIDE_TARGET vector WIDE_FN(law_minus)(vector a, vector b)
{
    vector difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

/*  A remembered vector turned with the contact: put on the plane of now, turned about the normal by
    `angle` (its tangent, as length is mended afterwards), and as long as before times sqrt(grown / whole).
    A new contact remembers 0, and `whole` may be 0 then: the smallest number keeps 0 / 0 out. */
LAW_INLINE WIDE_TARGET vector WIDE_FN(law_turn)(vector old, vector n, wide angle, wide grown,
                                                wide whole)
{
    vector flat = WIDE_FN(law_add)(old, n, wide_set(0) - WIDE_FN(law_dot)(old, n));
    vector across = {n.y * flat.z - n.z * flat.y, n.z * flat.x - n.x * flat.z,
                     n.x * flat.y - n.y * flat.x};
    vector turned = WIDE_FN(law_add)(flat, across, angle);
    wide wanted_sq = WIDE_FN(law_dot)(old, old) * grown;
    wide turned_sq = WIDE_FN(law_dot)(turned, turned) * whole;
    return WIDE_FN(law_times)(turned,
                              wide_sqrt(wanted_sq / wide_max(turned_sq, wide_set(DBL_MIN))));
}

/*  A spring and a dashpot that together hold no more than `cap`. `force` is what they hold, `kept` what the
    spring is left with: all of it while it sticks; while it slides, what the dashpot leaves of the cap,
    along the force, so that sliding goes over into sticking without a jump. */
typedef struct WIDE_FN(law_slider)
{
    vector force, kept;
    wide share; /* of spring and dashpot that can be held; it sticks from 1 on */
} WIDE_FN(law_slider);

LAW_INLINE WIDE_TARGET WIDE_FN(law_slider)
    WIDE_FN(law_hold)(vector spring, vector rate, wide damping, wide cap)
{
    const wide zero = wide_set(0), one = wide_set(1);
    vector sum = WIDE_FN(law_add)(spring, rate, damping);
    wide inverse = one / wide_sqrt(wide_max(WIDE_FN(law_dot)(sum, sum), wide_set(DBL_MIN)));
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

/*  What goes on in a row of contacts, for the ledger. */
typedef struct WIDE_FN(law_account)
{
    wide energy, damping, friction, rolling;
} WIDE_FN(law_account);

/*  What both motions of a contact have in common. */
typedef struct WIDE_FN(law_contact)
{
    vector normal;
    wide radius_sq, radius;
    wide pressed;       /* force along the normal, 0 or more */
    wide stiffness;     /* dF/d(overlap) of the spring */
    wide root;          /* sqrt(stiffness * mass) */
    wide angle;         /* that the plane turned about the normal */
    wide grown, whole;  /* the square of a remembered spring's growth, as a fraction */
    wide old_stiffness; /* when the memory was written */
} WIDE_FN(law_contact);

/*  Half of 1 / stiffness, for what a spring holds; a spring that is not there holds nothing. */
LAW_INLINE WIDE_TARGET wide WIDE_FN(law_half_inverse)(wide stiffness)
{
    return wide_where(stiffness, wide_set(DBL_MIN), wide_set(0), wide_set(0.5) / stiffness);
}

/*  What a slider turns into heat as it slides and as its dashpot works; and what its memory lost as the
    stiffness changed. */
LAW_INLINE WIDE_TARGET wide WIDE_FN(law_dashpot_loss)(WIDE_FN(law_slider) s, vector rate, wide time)
{
    return WIDE_FN(law_dot)(WIDE_FN(law_minus)(s.force, s.kept), rate) * time;
}

LAW_INLINE WIDE_TARGET wide WIDE_FN(law_slip_loss)(WIDE_FN(law_slider) s, vector spring,
                                                   wide half_inverse)
{
    return WIDE_FN(law_dot)(s.kept, WIDE_FN(law_minus)(spring, s.kept)) *
           (half_inverse + half_inverse);
}

LAW_INLINE WIDE_TARGET wide WIDE_FN(law_rescaling_loss)(vector old, wide old_stiffness,
                                                        vector turned, wide half_inverse)
{
    return WIDE_FN(law_dot)(old, old) * WIDE_FN(law_half_inverse)(old_stiffness) -
           WIDE_FN(law_dot)(turned, turned) * half_inverse;
}

/*  Resistance to rolling and twisting: returns the moment that opposes the first's spin. */
LAW_INLINE WIDE_TARGET vector WIDE_FN(law_resist)(const scree_batch *b, const double *c,
                                                  uint32_t row, const WIDE_FN(law_contact) * k,
                                                  law_traits traits, WIDE_FN(law_account) * account)
{
    const wide zero = wide_set(0), one = wide_set(1), dt = wide_set(b->dt),
               ahead = wide_set(b->ahead);
    const wide time = wide_set(b->dt + b->ahead);
    const uint32_t first = traits.is_hertz ? SCREE_HERTZ_MEMORY : SCREE_LINEAR_MEMORY;
    wide stiffness = k->stiffness * k->radius_sq, root = k->root * k->radius_sq;
    wide pressed = k->pressed * k->radius;
    vector roll = WIDE_FN(law_load)(b->roll, row);
    wide about = WIDE_FN(law_dot)(roll, k->normal);
    roll = WIDE_FN(law_add)(roll, k->normal, zero - about);

    WIDE_FN(law_slider) s;
    wide cap = pressed * wide_set(c[SCREE_LAW_ROLLING_FRICTION]);
    vector old = WIDE_FN(law_load)(b->memory + first, row);
    if (c[SCREE_LAW_ROLLING_MODEL] == SCREE_ROLLING_CONSTANT) {
        wide square = wide_max(WIDE_FN(law_dot)(roll, roll), wide_set(DBL_MIN));
        s.force = WIDE_FN(law_times)(roll, cap / wide_sqrt(square));
        s.kept.x = s.kept.y = s.kept.z = zero;
        WIDE_FN(law_store)(b->next + first, row, s.kept);
        if (traits.keeps_account)
            account->rolling = account->rolling + WIDE_FN(law_dashpot_loss)(s, roll, time);
    } else {
        wide rolling = stiffness * wide_set(c[SCREE_LAW_ROLLING]);
        vector turned = WIDE_FN(law_turn)(old, k->normal, k->angle, k->grown, k->whole);
        vector spring = WIDE_FN(law_add)(turned, roll, rolling * dt);
        s = WIDE_FN(law_hold)(spring, roll, root * wide_set(c[SCREE_LAW_ROLLING_DAMPING]), cap);
        WIDE_FN(law_store)(b->next + first, row, WIDE_FN(law_add)(s.kept, roll, rolling * ahead));
        if (traits.keeps_account) {
            wide half_inverse = WIDE_FN(law_half_inverse)(rolling);
            wide old_rolling = k->old_stiffness * k->radius_sq * wide_set(c[SCREE_LAW_ROLLING]);
            account->energy = account->energy + WIDE_FN(law_dot)(s.kept, s.kept) * half_inverse;
            account->rolling = account->rolling + WIDE_FN(law_dashpot_loss)(s, roll, time) +
                               WIDE_FN(law_slip_loss)(s, spring, half_inverse) +
                               WIDE_FN(law_rescaling_loss)(old, old_rolling, turned, half_inverse);
        }
    }

    /* the same about the normal, where a vector is a number */
    wide twisting = stiffness * wide_set(c[SCREE_LAW_TWISTING]);
    wide damping = root * wide_set(c[SCREE_LAW_TWISTING_DAMPING]);
    wide was = wide_load(b->memory[first + 3] + row);
    wide grown =
        traits.is_hertz ? wide_sqrt(k->grown / wide_max(k->whole, wide_set(DBL_MIN))) : one;
    wide turned = was * grown, spring = turned + about * (twisting * dt);
    wide sum = spring + about * damping;
    wide sign = wide_where(zero, sum, one, zero - one);
    cap = pressed * wide_set(c[SCREE_LAW_TWISTING_FRICTION]);
    wide left = wide_max(zero, cap - damping * about * sign) * sign;
    wide moment = wide_max(zero - cap, wide_min(cap, sum)); /* NaN where sum is */
    wide kept = wide_where(wide_abs(sum), cap, spring, left);
    wide_store(b->next[first + 3] + row, kept + about * (twisting * ahead));
    if (traits.keeps_account) {
        wide half_inverse = WIDE_FN(law_half_inverse)(twisting);
        wide old_twisting = k->old_stiffness * k->radius_sq * wide_set(c[SCREE_LAW_TWISTING]);
        account->energy = account->energy + kept * kept * half_inverse;
        account->rolling =
            account->rolling + (moment - kept) * about * time +
            kept * (spring - kept) * (half_inverse + half_inverse) +
            (was * was * WIDE_FN(law_half_inverse)(old_twisting) - turned * turned * half_inverse);
    }
    return WIDE_FN(law_add)(s.force, k->normal, moment);
}

LAW_INLINE WIDE_TARGET void WIDE_FN(law_row)(const scree_batch *b, const double *c, uint32_t row,
                                             law_traits traits)
{
    const wide zero = wide_set(0), dt = wide_set(b->dt), ahead = wide_set(b->ahead);
    /* that of spheres which touch may round to less than 0; of a NaN and 0 this gives the NaN */
    wide overlap = wide_max(zero, wide_load(b->overlap + row));
    wide approach = wide_load(b->approach + row);
    WIDE_FN(law_contact) k;
    k.normal = WIDE_FN(law_load)(b->normal, row);
    k.radius = wide_load(b->radius + row);
    k.radius_sq = k.radius * k.radius;
    k.angle = wide_load(b->twist + row) * wide_set(b->dt + b->ahead);
    k.stiffness = wide_set(c[SCREE_LAW_STIFFNESS]);
    k.old_stiffness = k.stiffness;
    k.grown = k.whole = wide_set(1);
    wide old_overlap = zero;
    if (traits.is_hertz) {
        old_overlap = wide_load(b->memory[SCREE_LINEAR_MEMORY] + row);
        k.stiffness = k.stiffness * wide_sqrt(k.radius * overlap);
        k.whole = old_overlap;
        k.grown = wide_max(wide_set(c[SCREE_LAW_GROWTH_LEAST]) * old_overlap,
                           wide_min(overlap, wide_set(c[SCREE_LAW_GROWTH_MOST]) * old_overlap));
        wide_store(b->next[SCREE_LINEAR_MEMORY] + row, overlap);
    }
    k.root = wide_sqrt(k.stiffness * wide_load(b->mass + row));

    /* along the normal; where a number is NaN, so is the force */
    wide elastic = k.stiffness * overlap;
    if (traits.is_hertz)
        elastic = elastic * wide_set(2.0 / 3.0);
    wide damped = k.root * wide_set(c[SCREE_LAW_DAMPING]) * approach;
    k.pressed = wide_max(zero, elastic + damped);

    /* along the plane */
    vector slide = WIDE_FN(law_load)(b->slide, row);
    vector old = WIDE_FN(law_load)(b->memory, row);
    wide shear = k.stiffness * wide_set(c[SCREE_LAW_SHEAR]);
    vector turned = WIDE_FN(law_turn)(old, k.normal, k.angle, k.grown, k.whole);
    vector spring = WIDE_FN(law_add)(turned, slide, shear * dt);
    WIDE_FN(law_slider)
    s = WIDE_FN(law_hold)(spring, slide, k.root * wide_set(c[SCREE_LAW_SHEAR_DAMPING]),
                          k.pressed * wide_set(c[SCREE_LAW_FRICTION]));
    WIDE_FN(law_store)(b->next, row, WIDE_FN(law_add)(s.kept, slide, shear * ahead));
    vector force = WIDE_FN(law_add)(s.force, k.normal, k.pressed);
    WIDE_FN(law_store)(b->force, row, WIDE_FN(law_times)(force, zero - wide_set(1)));

    WIDE_FN(law_account) account = {zero, zero, zero, zero};
    if (traits.keeps_account) {
        const wide one = wide_set(1), time = wide_set(b->dt + b->ahead);
        wide half_inverse = WIDE_FN(law_half_inverse)(shear);
        wide lost = WIDE_FN(law_dashpot_loss)(s, slide, time);
        wide of_dashpot = wide_where(one, s.share, lost, zero);
        if (traits.is_hertz)
            k.old_stiffness = k.old_stiffness * wide_sqrt(k.radius * old_overlap);
        account.energy = elastic * overlap * wide_set(traits.is_hertz ? 0.4 : 0.5) +
                         WIDE_FN(law_dot)(s.kept, s.kept) * half_inverse;
        account.damping = (k.pressed - elastic) * approach * time + of_dashpot;
        account.friction =
            (lost - of_dashpot) + WIDE_FN(law_slip_loss)(s, spring, half_inverse) +
            WIDE_FN(law_rescaling_loss)(old, k.old_stiffness * wide_set(c[SCREE_LAW_SHEAR]), turned,
                                        half_inverse);
    }
    if (traits.rolls) {
        vector moment = WIDE_FN(law_resist)(b, c, row, &k, traits, &account);
        WIDE_FN(law_store)(b->moment, row, WIDE_FN(law_times)(moment, zero - wide_set(1)));
    }
    if (traits.keeps_account) {
        if (b->energy)
            wide_store(b->energy + row, account.energy);
        if (b->loss[SCREE_LOSS_DAMPING])
            wide_store(b->loss[SCREE_LOSS_DAMPING] + row, account.damping);
        if (b->loss[SCREE_LOSS_FRICTION])
            wide_store(b->loss[SCREE_LOSS_FRICTION] + row, account.friction);
        if (b->loss[SCREE_LOSS_ROLLING])
            wide_store(b->loss[SCREE_LOSS_ROLLING] + row, account.rolling);
    }
    if (b->stiffness)
        wide_store(b->stiffness + row, k.stiffness);
    if (b->shear_stiffness)
        wide_store(b->shear_stiffness + row, shear);
}

/*  All rows, with and without the ledger. */
#define LAW(name, is_hertz, rolls)                                                                 \
    WIDE_TARGET static void WIDE_FN(name)(const scree_batch *b, const double *c, void *user)       \
    {                                                                                              \
        const law_traits bare = {is_hertz, rolls, false}, kept = {is_hertz, rolls, true};          \
        (void)user;                                                                                \
        if (law_keeps_account(b))                                                                  \
            for (uint32_t row = 0; row < b->count; row += WIDE_LANES)                              \
                WIDE_FN(law_row)(b, c, row, kept);                                                 \
        else                                                                                       \
            for (uint32_t row = 0; row < b->count; row += WIDE_LANES)                              \
                WIDE_FN(law_row)(b, c, row, bare);                                                 \
    }

LAW(law_linear, false, false)
LAW(law_linear_rolling, false, true)
LAW(law_hertz, true, false)
LAW(law_hertz_rolling, true, true)

#undef LAW
#undef vector
