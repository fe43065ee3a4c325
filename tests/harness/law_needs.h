/*  What laws cannot be without, beside what materials say. */
#ifndef SCREE_TESTS_LAW_NEEDS_H
#define SCREE_TESTS_LAW_NEEDS_H

#include "base/common.h"
#include "scree/world.h"
#include "test.h"

#include <string.h>

typedef struct law_need
{
    const char *law, *names[3];
    double values[3];
    uint32_t count;
} law_need;

/*  The rule is of this law, for bodies of some centimetres. */
static inline void set_law(scree_rule_def *rule, const char *law)
{
    static const law_need needs[] = {
        {"jkr", {"adhesion"}, {1}, 1},
        {"dmt", {"adhesion"}, {1}, 1},
        {"sjkr", {"cohesion"}, {1e3}, 1},
        {"capillary", {"surface_tension", "volume"}, {0.07, 1e-9}, 2},
        {"plastic", {"plastic_stiffness"}, {4e5}, 1},
        {"eepa", {"adhesion", "plasticity"}, {10, 0.6}, 2},
        {"bonded", {"bond_young"}, {1e7}, 1},
        {"penalty", {"strength", "contact_skin"}, {30000, 0.008}, 2},
    };

    rule->law = law;
    for (size_t k = 0; k < SCREE_COUNT_OF(needs); k++)
        if (strcmp(needs[k].law, law) == 0) {
            rule->names = needs[k].names;
            rule->values = needs[k].values;
            rule->value_count = needs[k].count;
        }
}

#endif
