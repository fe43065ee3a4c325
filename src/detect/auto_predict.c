/*  What a step costs with each method, in nanoseconds a body: keeping its structure up to date and finding
    all pairs. Fitted to measurements of the scenes in docs/results/auto.md on the processor named there.
    Only the ratios matter, and those change little from machine to machine: all that compete here are
    bound by the same vector units and caches. All methods find the same pairs: a prediction changes
    only speed. */
#include "detect/auto.h"

#include "base/portable_math.h"
#include "detect/flat.h"

#include <math.h>

/*  Steps of one kind before a structure is made that pays only if it lasts. */
#define STEPS_IN_A_ROW 4u
/*  Insertion sort of more bodies than these could take seconds for one step in which they jump. */
#define MAX_SORTED 20000u

/*  Logarithms to base 10 by portable functions: a choice must not depend on a machine's library. */
#define LN_10 2.302585092994046

/*  0 for one size, 1 where a twentieth of the bodies is much larger than the others. */
static double mixing(const scree_auto_features *f)
{
    return fmin(1, sqrt(f->large_share * 20));
}

/*  Decades of bodies above a thousand. */
static double decades(const scree_auto_features *f)
{
    return fmax(0, scree_ln(f->bodies) / LN_10 - 3);
}

double scree_auto_pairs(const scree_auto_features *f)
{
    return f->motion.found < 0 ? f->expected : f->motion.found;
}

/*  Few bodies have moved in each of the last steps. */
static bool few_move(const scree_auto_motion *motion)
{
    return motion->few_in_a_row >= STEPS_IN_A_ROW;
}

static bool is_slender(const scree_auto_features *f)
{
    return f->slenderness > 1.5;
}

static double cost_of_all_pairs(const scree_auto_features *f)
{
    double test = f->has_spheres ? 0.17 : f->dimensions == 2 ? 0.3 : 0.45;
    return 25 + test * f->bodies;
}

/*  Levels of cells beyond those that mixing stands for: more of them where sizes differ more, each costlier where all
    are full, and cheap where few bodies meet. */
static double cost_of_levels(const scree_auto_features *f)
{
    double sizes = scree_ln(f->size_ratio) / LN_10;
    double cost = 13 * fmin(1, fmax(0, sizes - 1)) + 60 * fmax(0, f->large_share - 0.2);
    return cost * fmin(1, scree_auto_pairs(f));
}

/*  All are put into cells, and all cells searched. */
static double cost_of_new_cells(const scree_auto_features *f)
{
    bool is_plane = f->dimensions == 2;
    double m = mixing(f), levels = cost_of_levels(f);
    double each = is_plane ? 28 + 12 * m + levels / 2 : 38 + 32 * m + levels;
    double once = is_plane ? 6e3 + 4e3 * m : 7e3 + 9e3 * m;
    if (is_slender(f))
        each = 105 + 40 * decades(f);
    double build = f->motion.from_nothing ? 2 + 2e3 / f->bodies : 0;
    /* cells hold as many more bodies as the scene is crowded, and each is tested with all of them,
       until it costs less to split the scene into islands */
    double crowding_cost = (is_plane ? 0.5 : 2) * (f->crowding - 1);
    crowding_cost = fmin(crowding_cost, fmax(5, 25 * decades(f)));
    return build + each + once / f->bodies + crowding_cost;
}

/*  Pairs of bodies that do not move are kept. Islands are searched again. */
static double cost_of_kept_pairs(const scree_auto_features *f)
{
    double cost = 200 * f->motion.dirty_share + 2 * scree_auto_pairs(f) + 3e3 / f->bodies;
    double islands = f->crowding > 16 ? 25 * decades(f) : 0;
    return (is_slender(f) ? 1.4 : 1) * cost + islands;
}

static bool keeps_pairs(const scree_auto_features *f)
{
    return few_move(&f->motion) && f->motion.dirty_share < 0.02 && f->bodies >= SCREE_FLAT_MIN_KEPT;
}

static double cost_of_flat(const scree_auto_features *f)
{
    double cost = cost_of_new_cells(f);
    return keeps_pairs(f) ? fmin(cost, cost_of_kept_pairs(f)) : cost;
}

static double cost_of_bvh8(const scree_auto_features *f)
{
    double d = decades(f), slender = fmin(f->slenderness, 3), search, growth, making, saved = 0;
    if (f->dimensions == 2) {
        making = 20;
        search = 24 + 8 * scree_auto_pairs(f);
        growth = 1 + 0.08 * d + 0.12 * d * d;
    } else {
        making = 25;
        search = 42 + 17 * scree_auto_pairs(f);
        /* small bodies next to large ones lie in leaves of their own */
        saved = 30 * fmin(0.5, f->large_share);
        growth = 1 + 0.08 * d + 0.17 * d * d;
    }
    if (is_slender(f))
        search = 52;
    /* clusters lie together in memory, too, as long as they fit the cache */
    double together = f->crowding > SCREE_AUTO_CROWDED ? fmin(1, 0.5 + 0.31 * d) : 1;
    double fitting = f->motion.from_nothing ? making : 5 * f->motion.dirty_share;
    return fitting + search * growth * slender * sqrt(slender) * together - saved;
}

static double cost_of_insertion(const scree_auto_features *f)
{
    const scree_auto_motion *motion = &f->motion;
    bool is_few = few_move(motion);
    /* long boxes move little for their size, and there are few of them along an axis */
    bool is_slow = motion->steps_in_a_row >= 2 * STEPS_IN_A_ROW && is_slender(f);
    if (motion->from_nothing || motion->insertion_is_beaten || f->bodies > MAX_SORTED ||
        !(is_few || is_slow))
        return INFINITY;
    double exchanges =
        f->dimensions == 2 ? 4 * sqrt(f->bodies) : 2.6 * scree_pow(f->bodies, 2. / 3);
    exchanges = is_few ? motion->dirty_share * exchanges : 52 + 36 * decades(f);
    return 2.5 + (is_slender(f) ? 3.5 : 4.8) * scree_auto_pairs(f) +
           fmax(exchanges, motion->exchanges);
}

double scree_auto_predict(const scree_auto_features *features, scree_auto_choice choice)
{
    static double (*const cost[SCREE_AUTO_CHOICES])(const scree_auto_features *) = {
        [SCREE_AUTO_ALL_PAIRS] = cost_of_all_pairs,
        [SCREE_AUTO_FLAT] = cost_of_flat,
        [SCREE_AUTO_BVH8] = cost_of_bvh8,
        [SCREE_AUTO_INSERTION] = cost_of_insertion,
    };
    return features->bodies ? cost[choice](features) : 0;
}

static const char *reason_for_flat(const scree_auto_features *f)
{
    if (f->crowding > 16)
        return "bodies are dense in parts of the domain, each of which gets dense grids of its own";
    if (keeps_pairs(f))
        return "few bodies move in a step, so the pairs of all others are kept";
    return "bodies are spread evenly enough for dense grids, which vector units search fastest";
}

const char *scree_auto_reason(const scree_auto_features *f, scree_auto_choice choice)
{
    switch (choice) {
    case SCREE_AUTO_ALL_PAIRS:
        return "there are so few bodies that testing every pair costs least";
    case SCREE_AUTO_INSERTION:
        return few_move(&f->motion)
                   ? "few bodies move in a step, so what is sorted stays nearly sorted"
                   : "long boxes move little for their length, so what is sorted stays "
                     "nearly sorted";
    case SCREE_AUTO_BVH8:
        return f->crowding > 4
                   ? "bodies are dense in parts of the domain, where cells of a grid would hold "
                     "too "
                     "many"
                   : "a tree costs less here than laying grids for these sizes and so few pairs";
    default:
        return reason_for_flat(f);
    }
}
