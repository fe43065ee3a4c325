/*  A parallel bond, for one SIMD instruction set, in doubles: part of law_row.inc.h.

    Potyondy and Cundall, Int. J. Rock Mech. Min. Sci. 41 (2004) 1329: a cylindrical beam of radius Rb = `bond_radius`
    times the smaller radius, whose length L is the initial distance of the centres, parallel to the contact. Its
    stiffnesses in tension, shear, bending and twisting are

        kn = E A / L,    ks = kn / ratio,    kb = E I / L,    kt = ks J / A

    with A = pi Rb^2, I = pi Rb^4 / 4, J = 2 I; in two dimensions, where it is a plate of thickness 1, A = 2 Rb, I = 2/3
    Rb^3 and there is no twisting. It breaks when the largest stress at its edge exceeds a strength; if both are
    exceeded it breaks in tension:

        tension = -N / A + beta |M| Rb / I,    shear = |S| / A + beta |T| Rb / J.

    Only spring forces count for breaking. Dashpots act in parallel, because vibrations would grow without them: spring
    forces are extrapolated within a step, with an error of order (omega dt)^3.

    The axial force follows from the overlap and the initial overlap; the others are contact history, as with friction.
    The history variables, after those of rolling, are S (3), M (3), T, the initial overlap, and scree_bond_state. The
    contact counts overlap from the initial overlap on, so making a bond exerts no force. */

typedef struct WIDE_FN(law_bond_force)
{
    vector force, moment; /* tangential */
    wide along, twist;
    wide stiffness, shear_stiffness;
    wide energy, lost;
} WIDE_FN(law_bond_force);

/*  By how much the overlap of the contact spring is reduced. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_bond_overlap)(const scree_batch *b, uint32_t row,
                                                             wide overlap)
{
    const wide zero = wide_set(0);
    wide state = wide_load(b->memory[SCREE_BOND_STATE] + row);
    wide made = wide_load(b->memory[SCREE_BOND_MADE] + row);

    made = wide_where(state, zero, zero, wide_max(zero, made));
    return wide_max(zero, overlap - made);
}

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_length)(vector v)
{
    return wide_sqrt(WIDE_FN(law_dot)(v, v));
}

SCREE_KERNEL_PART WIDE_TARGET void WIDE_FN(law_keep_bond)(const scree_batch *b, uint32_t first,
                                                          uint32_t row, vector held, vector rate,
                                                          wide stiffness, wide holds)
{
    vector next = WIDE_FN(law_add)(held, rate, stiffness * wide_set(b->ahead));

    WIDE_FN(law_store)(b->next + first, row, WIDE_FN(law_times)(next, holds));
}

/*  Whether all lanes are so far from breaking that stresses need not be computed. The bounds avoid roots and quotients,
    which cost more than all the rest. They overestimate: |M| is at most the sum of its components, and tension counts
    in full. Both sides are multiplied by area and radius, and reduced by more than all rounding errors; within a range
    in which nothing overflows or underflows. */
SCREE_KERNEL_PART WIDE_TARGET bool WIDE_FN(law_bonds_are_safe)(const double *c, wide radius,
                                                               wide area, vector shear, vector bend,
                                                               wide along, wide twist, wide overlap,
                                                               wide end)
{
    const uint32_t all = (1u << WIDE_LANES) - 1;
    const wide zero = wide_set(0), least = wide_set(0x1p-900);
    const wide rim = wide_set(c[SCREE_LAW_BOND_MOMENT] * (c[SCREE_LAW_BOND_IS_FLAT] != 0 ? 3 : 4));
    wide bends = wide_abs(bend.x) + wide_abs(bend.y) + wide_abs(bend.z);
    wide shears = wide_abs(shear.x) + wide_abs(shear.y) + wide_abs(shear.z);
    wide twists = wide_abs(twist), most = wide_abs(along) + bends + shears + twists + radius;
    wide bound = area * radius * wide_set(1 - 0x1p-40);
    wide tension = rim * bends + wide_max(zero, zero - along) * radius + least;
    wide sheared = shears * radius + wide_set(0.5) * rim * twists + least;

    return (wide_less_equal(tension, bound * wide_set(c[SCREE_LAW_BOND_TENSION])) &
            wide_less_equal(sheared, bound * wide_set(c[SCREE_LAW_BOND_SHEARED])) &
            wide_less_equal(zero - overlap, end) & wide_less_equal(wide_set(0x1p-200), radius) &
            wide_less_equal(most, wide_set(0x1p500))) == all;
}

/*  Which bonds are intact, 1 or 0, and the resulting state of each. */
typedef struct WIDE_FN(law_bond_fate)
{
    wide holds, state;
} WIDE_FN(law_bond_fate);

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_bond_fate)
    WIDE_FN(law_bond_fate_of)(const double *c, wide state, wide radius, wide area, wide second,
                              vector shear, vector bend, wide along, wide twist, wide overlap,
                              wide end)
{
    const wide zero = wide_set(0), one = wide_set(1);
    wide intact = wide_where(wide_abs(state - wide_set(SCREE_BOND_INTACT)), zero, one, zero);
    WIDE_FN(law_bond_fate) fate = {intact, state};

    if (WIDE_FN(law_bonds_are_safe)(c, radius, area, shear, bend, along, twist, overlap, end))
        return fate;
    wide rim = wide_set(c[SCREE_LAW_BOND_MOMENT]) * radius / second;
    wide tension = rim * WIDE_FN(law_length)(bend) - along / area;
    wide sheared = WIDE_FN(law_length)(shear) / area + wide_set(0.5) * rim * wide_abs(twist);
    wide too_tense = wide_set(c[SCREE_LAW_BOND_TENSION]),
         too_sheared = wide_set(c[SCREE_LAW_BOND_SHEARED]);
    wide holds = wide_where(tension, too_tense, one, zero);
    holds = wide_where(sheared, too_sheared, holds, zero);
    holds = wide_where(zero - overlap, end, holds, zero);
    wide why =
        wide_where(sheared, too_sheared, wide_set(SCREE_BOND_PARTED), wide_set(SCREE_BOND_SHEARED));
    why = wide_where(tension, too_tense, why, wide_set(SCREE_BOND_TORN));
    wide broken = wide_where(intact, zero, state, why);
    fate.state = wide_where(holds * intact, zero, broken, state);
    fate.holds = holds * intact;
    return fate;
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_bond_force)
    WIDE_FN(law_bond)(const scree_batch *b, const double *c, uint32_t row, vector slide,
                      vector roll, wide about, const WIDE_FN(law_contact) * k, law_traits traits)
{
    const wide zero = wide_set(0), dt = wide_set(b->dt);
    const bool is_flat = c[SCREE_LAW_BOND_IS_FLAT] != 0;
    wide overlap = wide_load(b->overlap + row), half = wide_set(0.5) * overlap;
    wide arm1 = wide_load(b->arm[0] + row), arm2 = wide_load(b->arm[1] + row);
    wide made = wide_load(b->memory[SCREE_BOND_MADE] + row);
    wide state = wide_load(b->memory[SCREE_BOND_STATE] + row);
    /* no bond connects to a wall, whose lever arm is 0: this test comes first, because with a gap the radius would be
       below 0 */
    wide radius =
        wide_set(c[SCREE_LAW_BOND_RADIUS]) * wide_max(zero, wide_min(arm1 + half, arm2 + half));
    wide area = is_flat ? wide_set(2) * radius : wide_set(LAW_PI) * radius * radius;
    wide second = area * radius * radius * wide_set(is_flat ? 1.0 / 3 : 0.25);
    wide modulus = wide_set(c[SCREE_LAW_BOND_YOUNG]) / (arm1 + arm2 + (overlap - made));
    wide across = modulus * wide_set(c[SCREE_LAW_BOND_SHEAR]);
    wide kn = modulus * area, ks = across * area, kb = modulus * second;
    wide kt = across * second * wide_set(is_flat ? 0 : 2);

    wide along = kn * (overlap - made);
    vector shear = WIDE_FN(law_recall)(b->memory + SCREE_BOND_MEMORY, row, k).turned;
    vector bend = WIDE_FN(law_recall)(b->memory + SCREE_BOND_MEMORY + 3, row, k).turned;
    wide twist = wide_load(b->memory[SCREE_BOND_MEMORY + 6] + row) + about * kt * dt;
    shear = WIDE_FN(law_add)(shear, slide, ks * dt);
    bend = WIDE_FN(law_add)(bend, roll, kb * dt);

    const WIDE_FN(law_bond_fate) fate =
        WIDE_FN(law_bond_fate_of)(c, state, radius, area, second, shear, bend, along, twist,
                                  overlap, wide_set(c[SCREE_LAW_BOND_END]) * k->radius);
    wide holds = fate.holds;
    wide_store(b->next[SCREE_BOND_STATE] + row, fate.state);
    wide_store(b->next[SCREE_BOND_MADE] + row, made);
    WIDE_FN(law_keep_bond)(b, SCREE_BOND_MEMORY, row, shear, slide, ks, holds);
    WIDE_FN(law_keep_bond)(b, SCREE_BOND_MEMORY + 3, row, bend, roll, kb, holds);
    wide_store(b->next[SCREE_BOND_MEMORY + 6] + row,
               (twist + about * kt * wide_set(b->ahead)) * holds);

    /* dashpots in parallel; the rotational ones use the inertia of two balls of this mass and radius */
    wide mass = wide_load(b->mass + row), inertia = wide_set(1.6) * mass * k->radius_sq;
    wide ratio = wide_set(c[SCREE_LAW_BOND_DAMPING]), approach = wide_load(b->approach + row);
    wide cn = ratio * wide_sqrt(kn * mass), cs = ratio * wide_sqrt(ks * mass);
    wide cb = ratio * wide_sqrt(kb * inertia), ct = ratio * wide_sqrt(kt * inertia);

    WIDE_FN(law_bond_force)
    bond = {.force = WIDE_FN(law_times)(WIDE_FN(law_add)(shear, slide, cs), holds),
            .moment = WIDE_FN(law_times)(WIDE_FN(law_add)(bend, roll, cb), holds),
            .along = (along + cn * approach) * holds,
            .twist = (twist + ct * about) * holds,
            .stiffness = kn * holds};
    wide arm = wide_min(arm1, arm2);
    bond.shear_stiffness = wide_where(holds, zero, zero, ks + kb / (arm * arm));
    if (traits.keeps_account) {
        wide stored = along * along * WIDE_FN(law_half_inverse)(kn) +
                      WIDE_FN(law_dot)(shear, shear) * WIDE_FN(law_half_inverse)(ks) +
                      WIDE_FN(law_dot)(bend, bend) * WIDE_FN(law_half_inverse)(kb) +
                      twist * twist * WIDE_FN(law_half_inverse)(kt);
        bond.energy = stored * holds;
        wide damped = cn * approach * approach + cs * WIDE_FN(law_dot)(slide, slide) +
                      cb * WIDE_FN(law_dot)(roll, roll) + ct * about * about;
        wide intact =
            wide_where(wide_abs(state - wide_set(SCREE_BOND_INTACT)), zero, wide_set(1), zero);
        bond.lost = stored * (intact - holds) + damped * holds * wide_set(b->dt + b->ahead);
    }
    return bond;
}

/*  Adds it to the forces of the contact. */
SCREE_KERNEL_PART WIDE_TARGET void
WIDE_FN(law_add_bond)(const scree_batch *b, const double *c, uint32_t row, vector roll, wide about,
                      const WIDE_FN(law_contact) * k, law_traits traits, vector *force,
                      vector *moment, WIDE_FN(law_account) * account)
{
    WIDE_FN(law_bond_force)
    bond = WIDE_FN(law_bond)(b, c, row, WIDE_FN(law_load)(b->slide, row), roll, about, k, traits);

    *force = WIDE_FN(law_add)(*force, bond.force, wide_set(1));
    *force = WIDE_FN(law_add)(*force, k->normal, bond.along);
    *moment = WIDE_FN(law_add)(*moment, bond.moment, wide_set(1));
    *moment = WIDE_FN(law_add)(*moment, k->normal, bond.twist);
    if (b->stiffness)
        wide_store(b->stiffness + row, wide_load(b->stiffness + row) + bond.stiffness);
    if (b->shear_stiffness)
        wide_store(b->shear_stiffness + row,
                   wide_load(b->shear_stiffness + row) + bond.shear_stiffness);
    if (traits.keeps_account) {
        account->energy = account->energy + bond.energy;
        account->damping = account->damping + bond.lost;
    }
}
