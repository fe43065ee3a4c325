/*  The frame in which bodies are floats, what rounding may do in it, and how the levels' grids are
    laid.

    THE FRAME. A number x of the caller is x' = (x - origin) scale in it, and X is its float; scale is a
    power of two that makes the largest near size 1 to 2, but is at most 2^500, and such that all near
    |x'| < 2^60. Let u = 2^-24 and A the largest near |x'|. Subtraction in double and conversion give
    |X - x'| <= e = A (u + 2^-40) + 2^-140, self->error; sizes come out within u of themselves.

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

    BOXES. Kernels take the greatest of lower - upper over axes and directions. Each is off by 2e (1 + u)
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
    the second by 2^-9. On x cells are half as wide: windows reach three cells or less. */
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

/*  `near` is what all levels but the far one are like, taken together. */
static void set_frame(scree_flat *self, const scree_flat_extent *near)
{
    double range = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        self->origin[k] = near->lower[k] / 2 + near->upper[k] / 2;
        range = larger(range,
                       larger(near->upper[k] - self->origin[k], self->origin[k] - near->lower[k]));
        size = larger(size, near->most[k]);
    }
    self->scale = 1 / power_of_two(larger(larger(size, range * 0x1p-59), 0x1p-500));
    self->error = range * self->scale * (0x1p-24 + 0x1p-40) + 0x1p-140;
}

float scree_flat_doubt(const scree_flat *self, float reach)
{
    double g = 4 * self->error, s = (double)reach;
    if (self->volume == SCREE_BOXES)
        return float_above(2 * self->error);
    return float_above((0x1p-20 * s * s + 2 * s * g + g * g) * 1.0625 + 0x1p-60);
}

/*  What two floats of bodies of that size may be off by, taken together, and the windows made of
    them. `range` is the largest magnitude of all. */
static float slack_for(double range, double size)
{
    return float_above(4 * range * 0x1p-24 + 0x1p-18 * size + 0x1p-30);
}

/*  Cells as wide as bodies reach, but no more of them than bodies can fill. */
static void lay_level(const scree_flat *self, const scree_flat_extent *extent,
                      scree_flat_level *level)
{
    double wide[3], range[3], low[3], most[3], edge = 0, farthest = 0, size = 0;
    for (int k = 0; k < 3; k++) {
        double high = (double)scree_flat_to_frame(self, k, extent->upper[k]);
        low[k] = (double)scree_flat_to_frame(self, k, extent->lower[k]);
        range[k] = high - low[k];
        farthest = larger(farthest, larger(fabs(low[k]), fabs(high)));
        most[k] = fmin(extent->most[self->volume == SCREE_BOXES ? k : 0] * self->scale,
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
                (self->volume == SCREE_BOXES ? 1.25 : 3.0) * level->count + 256 &&
            level->rows <= level->count * 0.5 + 64)
            return;
    }
}

/*  Nanoseconds that the bodies of one level need to find partners in another, by the model of
    flat_choose.c: only speed. */
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

/*  Who looks where: of each two levels, the one for which it is cheaper. */
static void choose_directions(scree_flat *self, const scree_flat_extent *extent)
{
    for (uint32_t a = 0; a < self->level_count; a++) {
        for (uint32_t b = 0; b < a; b++) {
            scree_flat_level *one = &self->level[a], *other = &self->level[b];
            if (one->count == 0 || other->count == 0)
                continue;
            double mean_one = extent[a].sum / one->count * self->scale;
            double mean_other = extent[b].sum / other->count * self->scale;
            if (one->is_far || cost_of_looking(self, one, mean_one, other) <
                                   cost_of_looking(self, other, mean_other, one))
                one->targets |= 1u << b;
            else
                other->targets |= 1u << a;
        }
    }
}

static void lay_levels(scree_flat *self, const scree_flat_extent *extent)
{
    uint32_t first = 0, row = 0;
    size_t cell = 0;
    self->block_count = 0;
    for (uint32_t l = 0; l < self->level_count; l++) {
        scree_flat_level *level = &self->level[l];
        *level = (scree_flat_level){.first = first, .count = extent[l].count};
        level->first_row = row;
        level->first_cell = cell;
        level->first_block = self->block_count;
        if (level->count == 0)
            continue;
        level->is_far = self->sorts.has_far && l + 1 == self->level_count;
        level->is_even = self->volume == SCREE_SPHERES && extent[l].least[0] == extent[l].most[0];
        lay_level(self, &extent[l], level);
        first += level->count;
        row += level->rows;
        cell += (size_t)level->rows * level->cells[0];
        self->block_count += (uint32_t)scree_block_count(level->count, SCREE_FLAT_BLOCK);
    }
    choose_directions(self, extent);
}

/*  Together, all levels but the far one. */
static scree_flat_extent join_near(const scree_flat *self, const scree_flat_extent *extent)
{
    scree_flat_extent near = extent[0];
    for (uint32_t l = 1; l < self->sorts.sizes * self->sorts.shapes; l++) {
        for (int k = 0; k < 3; k++) {
            near.lower[k] = fmin(near.lower[k], extent[l].lower[k]);
            near.upper[k] = fmax(near.upper[k], extent[l].upper[k]);
            near.most[k] = fmax(near.most[k], extent[l].most[k]);
        }
    }
    return near;
}

/*  The sample may have missed what is rare: larger bodies get a range of their own, and bodies too far
    out a level. Returns whether there are any. */
static bool mend_sorts(scree_flat *self, const scree_flat_extent *near, double largest)
{
    scree_flat_sorts *sorts = &self->sorts;
    bool larger_ones = fmax(near->most[0], fmax(near->most[1], near->most[2])) > 1.25 * largest;
    if (larger_ones)
        sorts->bound[sorts->sizes++ - 1] = largest;
    for (int k = 0; k < self->dimensions; k++)
        sorts->has_far |=
            near->lower[k] < sorts->near_lower[k] || near->upper[k] > sorts->near_upper[k];
    return larger_ones || sorts->has_far;
}

void scree_flat_plan(scree_flat *self, const scree_method_env *env, const scree_bodies *bodies)
{
    scree_flat_extent extent[SCREE_FLAT_LEVELS], near;

    self->count = bodies->active_count;
    self->level_count = self->block_count = 0;
    if (self->count == 0)
        return;
    double largest = scree_flat_choose(self, bodies);
    scree_flat_measure(self, env, bodies, extent);
    near = join_near(self, extent);
    if (mend_sorts(self, &near, largest)) {
        scree_flat_measure(self, env, bodies, extent);
        near = join_near(self, extent);
    }
    set_frame(self, &near);
    self->level_count = self->sorts.sizes * self->sorts.shapes + self->sorts.has_far;
    lay_levels(self, extent);
    self->columns = self->volume == SCREE_BOXES ? 6 : 4;
    if (self->level_count == 1 && self->level[0].is_even)
        self->columns = (uint32_t)self->dimensions;
}
