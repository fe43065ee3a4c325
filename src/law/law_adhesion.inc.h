/*  Attractive forces in addition to the contact spring, for one SIMD instruction set, in doubles: part of
    law_row.inc.h. Each adhesion model computes the overlap to be used for the elastic part (and all that depends on it)
    and the attraction in addition to that part. Energies are 0 when bodies are free. So the energy gained when they
    stick is recorded as a loss at that moment, and detaching changes nothing. */

typedef struct WIDE_FN(law_pull)
{
    wide overlap; /* overlap of the elastic force; 0 if they do not stick */
    wide force;   /* attraction */
    wide elastic; /* repulsion, for laws in which it is not that of a spring */
    wide bound;   /* addition to the normal force in the friction limit */
    wide steep;   /* lower bound of the normal stiffness */
    wide energy, lost;
} WIDE_FN(law_pull);

/*  Lane by lane, for functions without a vector form. */
#if WIDE_LEVEL == WIDE_SCALAR
#define law_each_scalar(function, x) function(x)
#else
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_each)(double function(double), wide x)
{
    double lane[WIDE_LANES];

    wide_store(lane, x);
    for (uint32_t l = 0; l < WIDE_LANES; l++)
        lane[l] = function(lane[l]);
    return wide_load(lane);
}
#endif

/*  Johnson, Kendall, Roberts, Proc. R. Soc. A 324 (1971) 301. With W the energy of adhesion and a the radius of contact

        overlap = a^2 / R - sqrt(2 pi W a / E),    F = 4 E a^3 / (3 R) - sqrt(8 pi W E a^3).

    With s = (2 pi W R^2 / E)^(1/3), a = s y^2 and d = overlap R / s^2 this is y^4 - y = d, of which the stable branch
    ends at y^3 = 1/4, and F = 4 pi W R (2/3 y^6 - y^3), whose minimum is -3/2 pi W R at y^3 = 3/4. The first part of F
    is Hertz's at the overlap a^2 / R. Bodies stick from overlap 0 on, until the branch ends; a^2 / R is contact
    history, so it is known whether they stick. Friction is limited by F plus twice the pull-off force (Thornton, J.
    Phys. D 24 (1991) 1942). */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_jkr)(const scree_batch *b, const double *c, uint32_t row, wide overlap,
                          wide radius)
{
    const wide zero = wide_set(0), one = wide_set(1), least = wide_set(SCREE_JKR_MIN_ROOT);
    const double tear = 0.1 / 6.349604207872798; /* energy at the end of the branch: y^4 / 10 */
    wide energy = wide_set(c[SCREE_LAW_ADHESION]), old = wide_load(b->memory[3] + row);
    wide root = WIDE_FN(law_each)(scree_cube_root, radius);
    wide size = wide_set(c[SCREE_LAW_ADHESION_LENGTH]) * root * root, unit = size * size / radius;
    wide beyond = overlap / unit + wide_set(SCREE_JKR_TEAR);
    wide sticks = wide_where(zero, overlap, one, wide_where(old, zero, zero, one));
    sticks = wide_where(beyond, zero, zero, sticks);

    /* y = y_least + z: z^2 (6 y_least^2 + 4 y_least z + z^2) = beyond, which is convex, by Newton from above */
    beyond = wide_max(zero, beyond); /* NaN is preserved */
    wide square = wide_set(6) * least * least;
    wide z = wide_min(wide_sqrt(wide_sqrt(beyond)), wide_sqrt(beyond / square));
    for (int turn = 0; turn < 6; turn++) {
        wide value = z * z * (square + z * (wide_set(4) * least + z)) - beyond;
        wide slope = wide_set(2) * z * (square + z * (wide_set(6) * least + wide_set(2) * z));
        z = z - value / wide_max(wide_set(DBL_MIN), slope);
    }
    wide y = least + z, cube = y * y * y;

    WIDE_FN(law_pull)
    pull = {.overlap = sticks * unit * cube * y,
            .force = sticks * energy * radius * cube,
            .steep = zero};
    pull.bound = sticks * wide_set(0.75) * energy * radius - pull.force;
    wide whole = sticks * energy * size * size;
    pull.energy = whole * (cube * y * (wide_set(0.25) - wide_set(2.0 / 3) * cube) - wide_set(tear));
    pull.lost = wide_where(old, zero, whole * wide_set(0.15 + tear), zero);
    return pull;
}

/*  Derjaguin, Muller, Toporov, J. Colloid Interface Sci. 53 (1975) 314: Hertz's force minus 2 pi W R. Beyond contact,
    van der Waals attraction between spheres in Derjaguin's approximation, 2 pi W R (z / (z + gap))^2 with z the
    "separation", shifted to 0 at 9 z, where a hundredth of it remains. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_dmt)(const double *c, wide overlap, wide radius)
{
    const wide zero = wide_set(0), one = wide_set(1);
    const double z = c[SCREE_LAW_ADHESION_LENGTH], end = z > 0 ? 0.01 : 0;
    wide most = wide_set(c[SCREE_LAW_ADHESION]) * radius, gap = wide_max(zero, zero - overlap);
    wide share = wide_where(gap, zero, one, wide_set(z) / (wide_set(z) + gap));
    wide pressed = wide_max(zero, overlap), scale = most * wide_set(1 / (1 - end));

    WIDE_FN(law_pull)
    pull = {.overlap = pressed,
            .force = scale * wide_max(zero, share * share - wide_set(end)),
            .bound = zero,
            .lost = zero};
    wide slope = scale * wide_set(z > 0 ? 2 / z : 0) * share * share * share;
    pull.steep = wide_where(gap, zero, zero, slope);
    wide well = wide_set(z) * (share - wide_set(0.1)) - wide_set(end) * (wide_set(9 * z) - gap);
    pull.energy = zero - scale * well - most * pressed;
    return pull;
}

/*  "Simplified JKR": an attraction proportional to the intersection circle of the spheres, 2 pi R times the overlap. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_area)(const double *c, wide overlap, wide radius)
{
    const wide zero = wide_set(0);
    wide pressed = wide_max(zero, overlap);
    wide force = wide_set(c[SCREE_LAW_ADHESION]) * radius * pressed;

    WIDE_FN(law_pull)
    pull = {.overlap = pressed,
            .force = force,
            .bound = zero,
            .steep = zero,
            .energy = wide_set(-0.5) * force * pressed,
            .lost = zero};
    return pull;
}

/*  A liquid bridge of volume V between spheres, in addition to Hertz's force: Willett, Adams, Johnson, Seville,
    Langmuir 16 (2000) 9396, equation 12 with Derjaguin's radius 2 R: with s = gap sqrt(2 R / V)

        F = 4 pi R gamma cos(theta) / (1 + 1.05 s + 2.5 s^2).

    The bridge forms at contact and breaks at a gap of (1 + theta / 2) V^(1/3) (Lian, Thornton, Adams, J. Colloid
    Interface Sci. 161 (1993) 138). For overlap above 0 the attraction is that at overlap 0. The last history variable
    is 1 while the bridge exists. */
SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_bridge)(const scree_batch *b, const double *c, uint32_t row, wide overlap,
                             wide radius, law_traits traits)
{
    const wide zero = wide_set(0), one = wide_set(1), end = wide_set(c[SCREE_LAW_BRIDGE_END]);
    wide gap = wide_max(zero, zero - overlap), pressed = wide_max(zero, overlap);
    wide was = wide_load(b->memory[SCREE_BRIDGE_MEMORY] + row);
    wide holds = wide_where(zero, overlap, one, wide_where(was, zero, zero, one));
    holds = wide_where(end, gap, zero, holds);
    wide scale = wide_sqrt(radius * wide_set(c[SCREE_LAW_ADHESION_LENGTH])), s = gap * scale;
    wide most = holds * wide_set(c[SCREE_LAW_ADHESION]) * radius;

    WIDE_FN(law_pull)
    pull = {.overlap = pressed,
            .force = most / (one + s * (wide_set(1.05) + wide_set(2.5) * s)),
            .bound = zero,
            .energy = zero,
            .lost = zero};
    pull.steep = wide_where(gap, zero, zero, wide_set(1.1) * most * scale);
    wide_store(b->next[SCREE_BRIDGE_MEMORY] + row, holds);
    if (traits.keeps_account) {
        /* the integral of 1 / (1 + 1.05 s + 2.5 s^2) is 2 / root atan((5 s + 1.05) / root), root^2 = 4 * 2.5 - 1.05^2 */
        const wide root = wide_set(2.982867747654931), two = wide_set(2);
        wide here = WIDE_FN(law_each)(scree_atan, (wide_set(5) * s + wide_set(1.05)) / root);
        wide touch = WIDE_FN(law_each)(scree_atan, wide_set(1.05) / root);
        wide last =
            WIDE_FN(law_each)(scree_atan, (wide_set(5) * end * scale + wide_set(1.05)) / root);
        wide unit = most / scale * two / root;
        pull.energy = zero - unit * (last - here) - most * pressed;
        pull.lost = wide_where(was, zero, unit * (last - touch), zero);
    }
    return pull;
}

/*  Luding, Granular Matter 10 (2008) 235, section 2.2: first loading along k1, unloading and reloading along k2(most)
    towards a plastic overlap, down to an attraction of kc times the overlap. k2(most) grows with the largest overlap so
    far, `most`, from k1 to k2 at the overlap `full`, and is constant beyond. On every branch the force is

        k2(most) (overlap - (1 - k1 / k2(most)) most) = k2(most) overlap - (k2(most) - k1) most:

    during first loading `most` is the overlap; when the attraction is at its limit, `most` is reduced so that the
    branch passes through that point. With g = (k2 - k1) / full this is the root of g most^2 - g overlap most - (k1 +
    kc) overlap = 0 as long as it is below `full`, and beyond most = (k2 + kc) / (k2 - k1) overlap. The elastic energy
    is what the branch returns, half the square of the force over k2(most). The rest is lost: the work of a step, by the
    trapezium rule, minus the increase of the elastic energy. The history variables are `most` and the overlap, after
    those of rolling. */
typedef struct WIDE_FN(law_branch)
{
    wide stiffness, force, stored;
} WIDE_FN(law_branch);

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_branch)
    WIDE_FN(law_branch_of)(const double *c, wide most, wide full, wide overlap)
{
    const wide k1 = wide_set(c[SCREE_LAW_STIFFNESS]), more = wide_set(c[SCREE_LAW_PLASTIC]);
    WIDE_FN(law_branch) branch;

    branch.stiffness = k1 + more * wide_min(wide_set(1), most / full);
    branch.force = branch.stiffness * overlap - (branch.stiffness - k1) * most;
    branch.stored = wide_set(0.5) * branch.force * branch.force / branch.stiffness;
    return branch;
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_plastic)(const scree_batch *b, const double *c, uint32_t row, wide overlap,
                              wide radius)
{
    const wide zero = wide_set(0), k1 = wide_set(c[SCREE_LAW_STIFFNESS]),
               more = wide_set(c[SCREE_LAW_PLASTIC]), pull_limit = wide_set(c[SCREE_LAW_ADHESION]);
    wide pressed = wide_max(zero, overlap);
    wide full = wide_set(c[SCREE_LAW_PLASTIC_DEPTH]) * radius, grows = more / full;
    wide old_most = wide_load(b->memory[SCREE_PLASTIC_MEMORY] + row);
    wide old_overlap = wide_load(b->memory[SCREE_PLASTIC_MEMORY + 1] + row);

    wide half = wide_set(0.5) * pressed;
    wide limit = half + wide_sqrt(half * half + (k1 + pull_limit) * pressed / grows);
    limit = wide_where(limit, full, limit, (k1 + more + pull_limit) / more * pressed);
    wide most = wide_min(wide_max(old_most, pressed), wide_max(limit, pressed));
    WIDE_FN(law_branch) is = WIDE_FN(law_branch_of)(c, most, full, pressed);
    WIDE_FN(law_branch) was = WIDE_FN(law_branch_of)(c, old_most, full, old_overlap);
    wide_store(b->next[SCREE_PLASTIC_MEMORY] + row, most);
    wide_store(b->next[SCREE_PLASTIC_MEMORY + 1] + row, pressed);

    WIDE_FN(law_pull)
    pull = {.overlap = pressed, .force = wide_max(zero, zero - is.force), .steep = is.stiffness};
    pull.elastic = wide_max(zero, is.force);
    pull.bound = pull_limit * pressed - pull.force;
    pull.energy = is.stored - wide_set(0.5) * pull.elastic * pressed;
    pull.lost =
        wide_set(0.5) * (is.force + was.force) * (pressed - old_overlap) - (is.stored - was.stored);
    return pull;
}

/*  The Edinburgh elasto-plastic adhesion model: Morrissey, PhD thesis, University of Edinburgh (2013); Thakur, Morrissey,
    Sun, Chen, Ooi, Granular Matter 16 (2014) 383. With p = overlap^1.5, K1 = 4/3 E sqrt(R) and K2 = K1 / (1 - lambda) the
    force is

        K1 p                               during first loading,
        K2 (p - lambda most)               during unloading and reloading,
        -pull (overlap / least)^chi        where that is larger than the line before,

    less a constant f0 in contact. The contact is flattened by dp, dp^1.5 = lambda deepest^1.5, where `deepest` is the largest
    overlap so far. The attraction of the flat part is pull = 3/2 pi W sqrt(2 R dp), but at most half of K2 dp^1.5; `least`
    is the overlap at which unloading reaches it, least^1.5 = dp^1.5 - pull / K2. While the contact is drawn along the limit,
    `most` is reduced so that the line passes through that point: pressed again it goes up along the line, until it meets
    the one of first loading at p = most.

    The elastic energy is what the line returns. All that changes `most` costs energy: the work of the step, by the
    trapezium rule, less the increase of the elastic energy. The history variables are `most`, `deepest` and the
    overlap, after those of rolling. */
typedef struct WIDE_FN(law_line)
{
    wide stiffness, stays; /* K2; lambda most, the p at which the force is 0 */
} WIDE_FN(law_line);

SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_line_force)(WIDE_FN(law_line) line, wide power)
{
    return line.stiffness * (power - line.stays);
}

/*  The integral of the force from where it is 0: K2 (2/5 d^2.5 - stays d + 3/5 stays^(5/3)). */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_line_energy)(WIDE_FN(law_line) line, wide overlap,
                                                            wide power)
{
    wide root = WIDE_FN(law_each)(scree_cube_root, line.stays);
    wide sum =
        (wide_set(0.4) * power - line.stays) * overlap + wide_set(0.6) * line.stays * root * root;
    return line.stiffness * wide_max(wide_set(0), sum);
}

/*  x^(twice / 2). */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_half_power)(wide x, double twice)
{
    wide power = wide_set(1);

    for (; twice >= 2; twice -= 2)
        power = power * x;
    if (twice > 0)
        power = power * wide_sqrt(x);
    return power;
}

/*  The largest attraction at an overlap. */
SCREE_KERNEL_PART WIDE_TARGET wide WIDE_FN(law_eepa_limit)(const double *c, wide overlap,
                                                           wide deepest, wide radius,
                                                           wide stiffness)
{
    wide stays = wide_set(c[SCREE_LAW_EEPA_PLASTICITY]) * deepest * wide_sqrt(deepest);
    wide pull = wide_min(wide_set(c[SCREE_LAW_ADHESION]) * wide_sqrt(radius * deepest),
                         wide_set(0.5) * stiffness * stays);
    wide root = WIDE_FN(law_each)(scree_cube_root, stays - pull / stiffness);
    wide least = wide_max(wide_set(DBL_MIN), root * root);
    return pull * WIDE_FN(law_half_power)(overlap / least, c[SCREE_LAW_EEPA_EXPONENT]);
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_eepa)(const scree_batch *b, const double *c, uint32_t row, wide overlap,
                           wide radius, law_traits traits)
{
    const wide zero = wide_set(0), plasticity = wide_set(c[SCREE_LAW_EEPA_PLASTICITY]),
               steady = wide_set(c[SCREE_LAW_EEPA_PULL]);
    wide pressed = wide_max(zero, overlap), power = pressed * wide_sqrt(pressed);
    wide old_most = wide_load(b->memory[SCREE_EEPA_MEMORY] + row);
    wide deepest = wide_max(wide_load(b->memory[SCREE_EEPA_MEMORY + 1] + row), pressed);
    wide old_overlap = wide_load(b->memory[SCREE_EEPA_MEMORY + 2] + row);
    wide stiffness = wide_set(c[SCREE_LAW_STIFFNESS] * c[SCREE_LAW_EEPA_STEEPER] * (2.0 / 3)) *
                     wide_sqrt(radius);

    wide limit = WIDE_FN(law_eepa_limit)(c, pressed, deepest, radius, stiffness);
    wide reduced = (power + limit / stiffness) / plasticity;
    wide most = wide_min(wide_max(old_most, power), wide_max(reduced, power));
    WIDE_FN(law_line) line = {stiffness, plasticity * most};
    wide force = WIDE_FN(law_line_force)(line, power), drawn = wide_max(zero, zero - force);
    wide_store(b->next[SCREE_EEPA_MEMORY] + row, most);
    wide_store(b->next[SCREE_EEPA_MEMORY + 1] + row, deepest);
    wide_store(b->next[SCREE_EEPA_MEMORY + 2] + row, pressed);

    WIDE_FN(law_pull)
    pull = {.overlap = pressed, .force = drawn + steady, .energy = zero, .lost = zero};
    pull.elastic = wide_max(zero, force);
    pull.bound = limit - drawn;
    wide falls =
        wide_set(0.5 * c[SCREE_LAW_EEPA_EXPONENT]) * drawn / wide_max(wide_set(DBL_MIN), pressed);
    pull.steep = wide_max(wide_set(1.5) * stiffness * wide_sqrt(pressed), falls);
    if (traits.keeps_account) {
        WIDE_FN(law_line) old = {stiffness, plasticity * old_most};
        wide old_power = old_overlap * wide_sqrt(old_overlap);
        wide stored = WIDE_FN(law_line_energy)(line, pressed, power);
        wide work = wide_set(0.5) * (force + WIDE_FN(law_line_force)(old, old_power)) *
                    (pressed - old_overlap);
        wide cost = work - (stored - WIDE_FN(law_line_energy)(old, old_overlap, old_power));
        pull.lost = wide_where(most, old_most, wide_where(old_most, most, zero, cost), cost);
        pull.energy = stored - wide_set(0.4) * pull.elastic * pressed - steady * pressed;
    }
    return pull;
}

SCREE_KERNEL_PART WIDE_TARGET WIDE_FN(law_pull)
    WIDE_FN(law_pull_of)(const scree_batch *b, const double *c, uint32_t row, wide overlap,
                         wide radius, law_traits traits)
{
    switch (traits.kind) {
    case LAW_JKR:
        return WIDE_FN(law_pull_jkr)(b, c, row, overlap, radius);
    case LAW_DMT:
        return WIDE_FN(law_pull_dmt)(c, overlap, radius);
    case LAW_BRIDGE:
        return WIDE_FN(law_pull_bridge)(b, c, row, overlap, radius, traits);
    case LAW_PLASTIC:
        return WIDE_FN(law_pull_plastic)(b, c, row, overlap, radius);
    case LAW_EEPA:
        return WIDE_FN(law_pull_eepa)(b, c, row, overlap, radius, traits);
    default:
        return WIDE_FN(law_pull_area)(c, overlap, radius);
    }
}
