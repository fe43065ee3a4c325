/*  How do I find which of my spheres overlap?
    Lend the arrays you have, ask for the pairs. */
#include "scree/scree.h"

#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    const double ball[3][4] = {{0, 0, 0, 1}, {1.5, 0, 0, 1}, {5, 0, 0, 1}}; /* x y z radius */
    scree_table table = scree_table_centres(3, scree_doubles(&ball[0][0], sizeof *ball),
                                            scree_doubles(&ball[0][3], sizeof *ball));

    scree_error why;
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.error = &why;
    if (scree_detector_create(&def, &detector)) {
        puts(why.text);
        return 1;
    }

    scree_pairs pairs = {0, NULL, NULL};
    if (scree_detector_pairs_of(detector, &table, NULL, &pairs))
        puts(scree_detector_message(detector));
    for (uint64_t k = 0; k < pairs.count; k++)
        printf("%" PRIu32 " touches %" PRIu32 "\n", pairs.first[k], pairs.second[k]);
    scree_detector_destroy(detector);
    return pairs.count == 1 ? 0 : 1;
}
