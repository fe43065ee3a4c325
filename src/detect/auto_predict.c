/*  What a step costs with each method, in nanoseconds a body: keeping its structure up to date and finding
    all pairs. Fitted to measurements of the scenes in docs/results/auto.md on the processor named there.
    Only the ratios matter, and those change little from machine to machine: all that compete here are
    bound by the same vector units and caches. All methods find the same pairs: a prediction changes
    only speed. */
#include "detect/auto.h"

#include "base/portable_math.h"

#include <math.h>

/*  Steps with few moving bodies before a structure is made that pays only if it lasts. */
#define FEW_IN_A_ROW 4u

/*  Logarithms to base 10 by portable functions: a choice must not depend on a machine's library. */
#define LN_10 2.302585092994046

/*  0 for one size, 1 for a spread of ten and more. */
static double mixing(const scree_auto_features *f)
{
    return fmin(1, scree_ln(f->size_ratio) / LN_10);
}

/*  Decades of bodies above a thousand. */
static double decades(const scree_auto_features *f)
{
    return fmax(0, scree_ln(f->bodies) / LN_10 - 3);
}

static double cost_of_all_pairs(const scree_auto_features *f)
{
    return 8.5 + 0.066 * f->bodies;
}

static double cost_of_flat(const scree_auto_features *f)
{
    double build = 22 + 4 * mixing(f) + 26000.0 / f->bodies;
    double search = f->dimensions == 2 ? 7 + 7 * mixing(f) : 18 + 16 * mixing(f);
    if (f->slenderness > 1.5)
        search *= 4;
    /* cells hold as many more bodies as the scene is crowded, and each is tested with all of them */
    double crowd = f->dimensions == 2 ? 0.3 : 1.2;
    return build + search + crowd * (f->crowding - 1);
}

static double cost_of_bvh8(const scree_auto_features *f)
{
    double slender = fmin(f->slenderness, 3);
    double refit = 15 * f->motion.dirty_share;
    double search = f->dimensions == 2 ? 20 + 6 * decades(f) : 38 - 8 * mixing(f) + 18 * decades(f);
    return refit + search * slender * sqrt(slender);
}

static double cost_of_insertion(const scree_auto_features *f)
{
    double exchanges =
        f->motion.dirty_share *
        (f->dimensions == 2 ? 1.5 * sqrt(f->bodies) : 0.8 * scree_exp(scree_ln(f->bodies) * 2 / 3));
    if (f->motion.few_in_a_row < FEW_IN_A_ROW || f->motion.insertion_is_beaten)
        return INFINITY;
    return 14 + fmax(exchanges, f->motion.exchanges);
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
        return "bodies are spread evenly enough for dense grids, which vector units search fastest";
    }
}
