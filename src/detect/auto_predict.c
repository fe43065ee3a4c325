/*  What a step costs with each method, in nanoseconds a body: keeping its structure up to date and finding
    all pairs. Fitted to measurements of the scenes in docs/results/auto.md on the processor named there.
    Only the ratios matter, and those change little from machine to machine: all that compete here are
    bound by the same vector units and caches. All methods find the same pairs: a prediction changes
    only speed. */
#include "detect/auto.h"

#include "base/portable_math.h"

#include <math.h>

/*  Steps of one kind before a structure is made that pays only if it lasts. */
#define STEPS_IN_A_ROW 4u
/*  Insertion sort of more bodies than these could take seconds for one step in which they jump. */
#define MOST_SORTED 20000u

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

static double cost_of_all_pairs(const scree_auto_features *f)
{
    return 8.5 + (f->has_spheres ? 0.066 : 0.5) * f->bodies;
}

static double cost_of_flat(const scree_auto_features *f)
{
    double m = mixing(f), each = f->dimensions == 2 ? 17 + 11 * m : 27 + 24 * m;
    double build = f->motion.from_nothing ? 8 + 5e3 / f->bodies : 0;
    if (f->slenderness > 1.5)
        each = 80 + 10 * decades(f);
    /* cells hold as many more bodies as the scene is crowded, and each is tested with all of them,
       until it costs less to split the scene into islands */
    double crowd = (f->dimensions == 2 ? 0.5 : 2) * (f->crowding - 1);
    crowd = fmin(crowd, fmax(5, 14 * decades(f)));
    double cost = build + each + 1e4 / f->bodies + crowd;
    /* where few move it keeps the pairs of all others */
    const scree_auto_motion *motion = &f->motion;
    bool keeps = motion->few_in_a_row >= STEPS_IN_A_ROW && motion->dirty_share < 0.02;
    return keeps ? fmin(cost, 5 + 200 * motion->dirty_share + 3e3 / f->bodies) : cost;
}

static double cost_of_bvh8(const scree_auto_features *f)
{
    double m = mixing(f), d = decades(f), slender = fmin(f->slenderness, 3), making, search;
    if (f->dimensions == 2) {
        making = 28;
        search = 30 + 3 * d + 4 * d * d;
    } else {
        making = 30 - 8 * m;
        search = 47 - 4 * m + (12 - 3 * m) * d + (7 - 2 * m) * d * d;
    }
    double fitting = f->motion.from_nothing ? making : 5 * f->motion.dirty_share;
    /* clusters lie together in memory, too */
    return fitting + search * slender * sqrt(slender) * (f->crowding > 3 ? 0.65 : 1);
}

static double cost_of_insertion(const scree_auto_features *f)
{
    const scree_auto_motion *motion = &f->motion;
    bool is_few = motion->few_in_a_row >= STEPS_IN_A_ROW;
    /* long boxes move little for their size, and there are few of them along an axis */
    bool is_slow = motion->steps_in_a_row >= 2 * STEPS_IN_A_ROW && f->slenderness > 1.5;
    if (motion->from_nothing || motion->insertion_is_beaten || f->bodies > MOST_SORTED ||
        !(is_few || is_slow))
        return INFINITY;
    double exchanges =
        f->dimensions == 2 ? 4 * sqrt(f->bodies) : 2.6 * scree_pow(f->bodies, 2. / 3);
    exchanges = is_few ? motion->dirty_share * exchanges : 30 + 30 * decades(f);
    return (f->dimensions == 2 ? 8 : 10) + fmax(exchanges, motion->exchanges);
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

const char *scree_auto_reason(const scree_auto_features *features, scree_auto_choice choice)
{
    switch (choice) {
    case SCREE_AUTO_ALL_PAIRS:
        return "there are so few bodies that testing every pair costs least";
    case SCREE_AUTO_INSERTION:
        return "few bodies move in a step, so what is sorted stays nearly sorted";
    case SCREE_AUTO_BVH8:
        return features->crowding > 4 ? "bodies crowd in parts of the domain, where cells of a "
                                        "grid would hold too many"
                                      : "a tree costs less here than laying grids for these sizes";
    default:
        return features->crowding > 16 ? "bodies crowd in parts of the domain, each of which gets "
                                         "dense grids of its own"
                                       : "bodies are spread evenly enough for dense grids, which "
                                         "vector units search fastest";
    }
}
