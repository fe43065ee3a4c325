/*  The frame in which bodies are floats, what rounding may do in it, and how the levels' grids are
    laid.

    THE FRAME. A number x of the caller is x' = (x - origin) scale in it, and X is its float; scale is a
    power of two that makes the largest near size 1 to 2, but is at most 2^500, and such that all near
    |x'| < 2^60. Let u = 2^-24 and A the largest near |x'|. Subtraction in double and conversion give
    |X - x'| <= e = A (u + 2^-40) + 2^-140, the frame's error; sizes come out within u of themselves.

    SPHERES. With D the exact distance of the centres in the frame, s the exact sum of the radii, and S
    the most that s can be, kernels compute V, near D^2 - s^2. Each D component is off by 2e, so
    computed squares sum up to between (D - g)^2 (1 - 6u) and (D + g)^2 (1 + 6u), g = 4e > 2 sqrt(3) e,
    fused or not; computed s^2 is within 6u s^2 of s^2, and the last subtraction is off by u V.
    Should V > E while the rule accepts, D <= s (1 + 2^-49) + 2^-36 (below), hence
        E (1 - u) < (s + g)^2 (1 + 6u) - s^2 (1 - 6u) + 2^-60 <= 12u S^2 + (2 S g + g^2) (1 + 6u) + 2^-60.
    Should V < -E while the rule refuses, D > s (1 - 2^-49) - 2^-36, and in the same way, if D > g, E is
    less than that again; if D <= g, V >= -s^2 (1 + 6u) and s is no more than g (1 + 2^-48) + 2^-36.
    scree_flat_doubt has 16u in place of 12u and a sixteenth on top of all: so beyond E floats decide
    as the rule does, and within it the rule is asked. Spheres of one radius are compared with s^2
    itself, moved out by E and by four roundings.
    Why 2^-36: the rule squares in double, where numbers below 2^-537 vanish. They are below 2^-36 in
    the frame, as scale is at most 2^500; squares of them are below 2^-72.

    CLEAR. Should V < -E while D > s - e/4, then, if that is more than g,
        E (1 - u) < s^2 (1 + 6u) - (s - e/4 - g)^2 (1 - 6u) + 2^-60 <= 12u S^2 + 2 S g (1 + 1/16) + 2^-60,
    which is less than E (1 - u) has: 17u S^2, 2 S g (1 + 1/16), g^2 and a sixteenth of it, for u S g is
    less than u S^2 or u g^2. If it is not more than g, s is no more than (1 + 1/16) g, V >= -s^2 (1 + 6u), and E is
    more than twice s^2. So spheres beyond doubt overlap by more than e/4.

    FINE FRAMES. Where the domain is so wide that floats in it leave too much in doubt, scale is instead
    such that all |x'| < 2^30 (of guests, 2^31), and x y z of spheres are cut to whole numbers: e is one and a little.
    They are subtracted exactly, and differences become floats, each within u of itself: so the
    squares above are within 8u, not 6u, and 14u in all is still less than the 16u there are. Cells
    and windows are those of the whole numbers made floats.

    BOXES. Kernels take the largest of lower - upper over axes and directions. Each is off by 2e (1 + u)
    and u of itself; scree_flat_doubt is 2e and more than these. The rule compares numbers, exactly.

    FAR BODIES have numbers that the frame cannot hold. Their floats are bounded, which never reverses
    an order and never makes a distance longer, so cells stay right; and one of their floats is NaN
    when they are tested, so that every test is in doubt.

    WINDOWS. If bodies overlap, |X_i - X_j| <= s + 2e + 2^-36 on every axis, and e may be taken with A
    of the level of either, with 2 s u added, for they are that near to each other. A window is wider
    than s by the slacks of both levels, each at least 4 A u + 2^-18 of its size + 2^-30; reaches and
    ends of windows are computed with a few roundings of u. So the end of the window is at or beyond
    X_j, rounded or not, and as scree_flat_cell never decreases, so is its cell.

    ROWS. In a level, bodies that overlap must be in neighbouring rows. Cells are wider than
    (2 size + 2 slack) (1 + 2^-9). Numbers of cells are off by u of x / width and of themselves, less than
    2000: the first is covered by 2 slack, which has 8 A u and needs to give 2 A u for e and 2 A u here,
    the second by 2^-9. On x cells are half as wide, or wider: bodies that overlap are less than two cells
    apart, by the same reasoning with numbers less than 4008, so that five cells hold all that spheres of
    one radius may meet; windows of other bodies reach three cells or less. */
#include "detect/flat.h"

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/*  The power of two that is at most `x` and more than half of it. x > 0. */
static double power_of_two(double x)
{
    int exponent;
    (void)frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

static float float_above(double x)
{
    return (float)(x * (1 + 0x1p-22)) + 0x1p-120f;
}

double scree_flat_error(double farthest)
{
    return farthest * (0x1p-24 + 0x1p-40) + 0x1p-140;
}

/*  `near` is the extent of all levels together, without the far one. */
static void set_frame(scree_flat_frame *frame, const scree_flat_extent *near)
{
    double range = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        frame->origin[k] = near->lower[k] / 2 + near->upper[k] / 2;
        range = larger(
            range, larger(near->upper[k] - frame->origin[k], frame->origin[k] - near->lower[k]));
        size = larger(size, near->most[k]);
    }
    frame->scale = 1 / power_of_two(larger(larger(size, range * 0x1p-59), 0x1p-500));
    /* with some space for bodies that come later: see scree_flat_sweep_guest */
    frame->range = (range * (1 + 0x1p-6) + size) * frame->scale;
    frame->error = scree_flat_error(frame->range);
}

/*  Floats leave many pairs in doubt if positions are this many times the size of a body, and whole numbers if they are
    this many times that. */
#define FLOAT_RANGE 0x1p17
#define FINE_RANGE 0x1p26

/*  Whether a fine frame helps. Far bodies need floats. */
static void refine_frame(scree_flat_frame *frame, const scree_flat_extent *near)
{
    double range = 0, size = near->most[0];
    for (int k = 0; k < 3; k++)
        range = larger(
            range, larger(near->upper[k] - frame->origin[k], frame->origin[k] - near->lower[k]));
    if (!(range > FLOAT_RANGE * size && range < FINE_RANGE * size && range > 0x1p-460))
        return;
    frame->is_fine = true;
    frame->scale = 0x1p29 / power_of_two(range);
    frame->range = (range * (1 + 0x1p-6) + size) * frame->scale;
    frame->error = 1 + 0x1p-10;
}

float scree_flat_doubt(scree_volume volume, const scree_flat_frame *frame, float reach)
{
    double g = 4 * frame->error, s = (double)reach;
    if (volume == SCREE_BOXES)
        return float_above(2 * frame->error);
    return float_above((0x1p-20 * s * s + 2 * s * g + g * g) * 1.0625 + 0x1p-60);
}

/*  Returns the largest error of two floats together, and of windows made of them, for bodies of that size. `range` is
    the largest magnitude. */
static float slack_for(double range, double size)
{
    return float_above(4 * range * 0x1p-24 + 0x1p-18 * size + 0x1p-30);
}

/*  Cells of a level for each of its bodies, at most. */
#define CELLS 3.0
#define CELLS_OF_BOXES 1.25
/*  Where bodies are denser in the middle, cells may be narrower, up to this many times as many: what most bodies meet
    counts, not how many cells are empty. More would be faster still, but take more than 64 bytes a body. */
#define MAX_DENSITIES 2.0

static double cells_a_body(const scree_flat *self, const scree_flat_island *island)
{
    double densities = larger(1, fmin(island->densities, MAX_DENSITIES));
    return (self->volume == SCREE_BOXES ? CELLS_OF_BOXES : CELLS) * densities;
}

/*  Cells are as wide as the range of bodies, but not more than the bodies can fill. */
static void lay_level(const scree_flat *self, const scree_flat_island *island,
                      const scree_flat_extent *extent, scree_flat_level *level)
{
    const scree_flat_frame *frame = &island->frame;
    const double cells = cells_a_body(self, island);
    double wide[3], range[3], low[3], most[3], edge = 0, farthest = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        double high = (double)scree_flat_to_frame(frame, k, extent->upper[k]);
        low[k] = (double)scree_flat_to_frame(frame, k, extent->lower[k]);
        range[k] = high - low[k];
        farthest = larger(farthest, larger(fabs(low[k]), fabs(high)));
        most[k] = fmin(extent->most[self->volume == SCREE_BOXES ? k : 0] * frame->scale,
                       4 * (double)SCREE_FLAT_FARTHEST);
        size = larger(size, most[k]);
    }
    level->slack = slack_for(farthest, size);
    for (int k = 0; k < 3; k++) {
        level->size[k] = float_above(most[k]);
        double reach = (double)level->size[k] * (self->volume == SCREE_BOXES ? 1 : 2);
        wide[k] = larger((reach + 2 * (double)level->slack) * (1 + 0x1p-9), range[k] / 2000);
        edge = edge == 0 || wide[k] < edge ? wide[k] : edge;
    }
    for (;; edge *= 1.125) {
        for (int k = 0; k < 3; k++) {
            double width = larger(wide[k], edge) / (k == 0 ? 2 : 1);
            level->cells[k] = k < self->dimensions ? 1 + (uint32_t)(range[k] / width) : 1;
            level->edge[k] = (float)width;
            level->inverse[k] = (float)(1 / width);
            level->shift[k] = (float)(-low[k] / width);
            if (k == 0) {
                level->cells[0] += 2 * SCREE_FLAT_MARGIN;
                level->shift[0] += SCREE_FLAT_MARGIN;
            }
            level->last[k] = (float)(level->cells[k] - 1);
        }
        level->rows = (level->cells[1] + 2) * (self->dimensions == 3 ? level->cells[2] + 2 : 1);
        if ((double)level->rows * (level->cells[0] - 2 * SCREE_FLAT_MARGIN) <=
                cells * level->count + 256 &&
            level->rows <= level->count * 0.5 + 64)
            return;
    }
}

/*  Periodic images are larger than their bodies by a bound for rounding. So small a difference of radii is negligible
    in E above: relative to s^2 it is less than u / 64. */
static bool are_radii_even(const scree_flat_extent *extent)
{
    return extent->most[0] - extent->least[0] <= 0x1p-32 * extent->most[0];
}

/*  Nanoseconds for the search of the bodies of one level in another, by the model of flat_choose.c. It affects only
    speed. */
static double cost_of_looking(const scree_flat *self, const scree_flat_level *from, double mean,
                              const scree_flat_level *into)
{
    double rows = 1, run = 1, cells = (double)into->rows * into->cells[0];
    for (int k = 0; k < self->dimensions; k++) {
        double window = self->volume == SCREE_BOXES ? (double)from->size[k] + (double)into->size[k]
                                                    : 2 * (mean + (double)into->size[0]);
        double across = 1 + window / (double)into->edge[k];
        across = across < into->cells[k] ? across : into->cells[k];
        if (k == 0)
            run = across;
        else
            rows *= across;
    }
    return from->count * (8 + rows * (1.1 + 0.09 * into->count / cells * run));
}

/*  Decides which of two levels searches the other: the one for which it is cheaper. */
static void choose_directions(scree_flat *self, const scree_flat_island *island,
                              const scree_flat_extent *extent)
{
    for (uint32_t a = 0; a < island->level_count; a++) {
        for (uint32_t b = 0; b < a; b++) {
            scree_flat_level *one = &self->level[island->first_level + a];
            scree_flat_level *other = &self->level[island->first_level + b];
            if (one->count == 0 || other->count == 0)
                continue;
            double mean_one = extent[a].sum / one->count * island->frame.scale;
            double mean_other = extent[b].sum / other->count * island->frame.scale;
            if (one->is_far || cost_of_looking(self, one, mean_one, other) <
                                   cost_of_looking(self, other, mean_other, one))
                one->targets |= 1u << b;
            else
                other->targets |= 1u << a;
        }
    }
}

static void lay_levels(scree_flat *self, scree_flat_island *island, const scree_flat_extent *extent)
{
    uint32_t first = island->first, row = 0;
    for (uint32_t l = 0; l < island->level_count; l++) {
        scree_flat_level *level = &self->level[island->first_level + l];
        *level = (scree_flat_level){.first = first, .count = extent[l].count};
        level->first_row = row;
        level->first_cell = self->cell_count;
        level->first_block = self->block_count;
        level->island = (uint32_t)(island - self->island);
        if (level->count == 0)
            continue;
        level->is_far = island->sorts.has_far && l + 1 == island->level_count;
        level->is_even = self->volume == SCREE_SPHERES && are_radii_even(&extent[l]);
        lay_level(self, island, &extent[l], level);
        first += level->count;
        row += level->rows;
        self->cell_count += (size_t)level->rows * level->cells[0];
        self->block_count += (uint32_t)scree_block_count(level->count, SCREE_FLAT_BLOCK);
    }
    island->row_count = row;
    choose_directions(self, island, extent);
}

/*  Together, all levels but the far one. */
static scree_flat_extent join_near(const scree_flat_sorts *sorts, const scree_flat_extent *extent)
{
    scree_flat_extent near = extent[0];
    for (uint32_t l = 1; l < sorts->sizes * sorts->shapes; l++) {
        for (int k = 0; k < 3; k++) {
            near.lower[k] = fmin(near.lower[k], extent[l].lower[k]);
            near.upper[k] = fmax(near.upper[k], extent[l].upper[k]);
            near.most[k] = fmax(near.most[k], extent[l].most[k]);
        }
    }
    return near;
}

/*  The sample may have missed rare bodies: larger ones get a range of their own, and those that are too far out a
    level. Returns whether there are any. */
static bool mend_sorts(scree_flat_sorts *sorts, int dimensions, const scree_flat_extent *near,
                       double largest)
{
    bool larger_ones = fmax(near->most[0], fmax(near->most[1], near->most[2])) > 1.25 * largest;
    if (larger_ones)
        sorts->bound[sorts->sizes++ - 1] = largest;
    for (int k = 0; k < dimensions; k++)
        sorts->has_far |=
            near->lower[k] < sorts->near_lower[k] || near->upper[k] > sorts->near_upper[k];
    return larger_ones || sorts->has_far;
}

/*  Plans the levels of one island in this frame. They follow the existing levels. */
static void plan_island(scree_flat *self, const scree_method_env *env, const scree_bodies *bodies,
                        scree_flat_island *island)
{
    scree_flat_extent extent[SCREE_FLAT_LEVELS], near;
    scree_flat_sorts *sorts = &island->sorts;
    double largest = scree_flat_choose(sorts, bodies, self->is_split ? island : NULL);
    scree_flat_measure(sorts, env, bodies, self->simd, extent);
    near = join_near(sorts, extent);
    if (mend_sorts(sorts, self->dimensions, &near, largest)) {
        scree_flat_measure(sorts, env, bodies, self->simd, extent);
        near = join_near(sorts, extent);
    }
    set_frame(&island->frame, &near);
    if (self->volume == SCREE_SPHERES && !sorts->has_far)
        refine_frame(&island->frame, &near);
    island->first_level = self->level_count;
    island->level_count = sorts->sizes * sorts->shapes + sorts->has_far;
    lay_levels(self, island, extent);
    self->level_count += island->level_count;
}

/*  Kernels for spheres of one radius do without it. */
static void choose_columns(scree_flat *self)
{
    bool is_even = true;
    for (uint32_t k = 0; k < self->island_count; k++)
        is_even &=
            self->island[k].level_count == 1 && self->level[self->island[k].first_level].is_even;
    self->columns = self->volume == SCREE_BOXES ? 6 : is_even ? (uint32_t)self->dimensions : 4;
}

static scree_status reserve_levels(scree_flat *self, scree_memory *memory)
{
    return scree_memory_reserve(memory, &self->level, &self->level_capacity,
                                (size_t)self->level_count + SCREE_FLAT_LEVELS, sizeof *self->level);
}

static void begin(scree_flat *self)
{
    self->level_count = self->block_count = 0;
    self->cell_count = 0;
}

scree_status scree_flat_plan_whole(scree_flat *self, const scree_method_env *env,
                                   const scree_bodies *bodies)
{
    begin(self);
    self->island_count = self->islet_count = 0;
    if (reserve_levels(self, env->memory) ||
        scree_memory_reserve(env->memory, &self->island, &self->island_capacity, 1,
                             sizeof *self->island))
        return SCREE_OUT_OF_MEMORY;
    self->island[0] = (scree_flat_island){.count = self->count};
    plan_island(self, env, bodies, self->island);
    self->island_count = 1;
    choose_columns(self);
    return SCREE_OK;
}

/*  The level of all islets. Their frames differ only in the origin. */
static void plan_islets(scree_flat *self, const scree_flat_islets *islets)
{
    uint32_t first = self->islet[0].first;
    scree_flat_extent near = {.most = {islets->size, 0, 0}};
    scree_flat_island *island = &self->island[self->island_count];
    scree_flat_level *level = &self->level[self->level_count];
    for (int k = 0; k < 3; k++) { /* an islet, seen from its first body */
        near.lower[k] = -islets->range;
        near.upper[k] = islets->range;
    }
    *island = (scree_flat_island){.first = first, .count = self->count - first};
    set_frame(&island->frame, &near);
    island->first_level = self->level_count++;
    island->level_count = 1;
    *level = (scree_flat_level){.first = first, .count = island->count, .is_islets = true};
    level->is_even = islets->is_even;
    level->size[0] = float_above(islets->size * island->frame.scale);
    level->first_cell = self->cell_count;
    level->first_block = self->block_count;
    level->island = self->island_count++;
    self->block_count += (uint32_t)scree_block_count(level->count, SCREE_FLAT_BLOCK);
}

scree_status scree_flat_plan_islands(scree_flat *self, const scree_method_env *env,
                                     const scree_bodies *bodies, const scree_flat_islets *islets)
{
    begin(self);
    if (scree_memory_reserve(env->memory, &self->island, &self->island_capacity,
                             (size_t)self->island_count + 1, sizeof *self->island))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < self->island_count; k++) {
        scree_flat_island *island = &self->island[k];
        scree_bodies own = *bodies;
        own.active = self->order + island->first;
        own.active_count = island->count;
        own.range = bodies->sphere ? &island->range : NULL;
        if (reserve_levels(self, env->memory))
            return SCREE_OUT_OF_MEMORY;
        plan_island(self, env, &own, island);
    }
    if (reserve_levels(self, env->memory))
        return SCREE_OUT_OF_MEMORY;
    if (self->islet_count)
        plan_islets(self, islets);
    choose_columns(self);
    return SCREE_OK;
}
