/*  A user of scree, however it came here: the single file, CMake or pkg-config. Three spheres in a row
    touch their neighbours; every method must say so, and with several threads too. */
#ifdef AMALGAMATED
#include "scree.h"
#else
#include <scree/scree.h>
#endif

#include <stdio.h>

static int finds_two_pairs(const char *method, uint32_t thread_count)
{
    const float bodies[][4] = {{0, 0, 0, 1}, {2, 0, 0, 1}, {4, 0, 0, 1}, {40, 0, 0, 1}};
    const size_t stride = sizeof bodies[0];
    scree_table table = scree_table_spheres(
        4, scree_floats(&bodies[0][0], stride), scree_floats(&bodies[0][1], stride),
        scree_floats(&bodies[0][2], stride), scree_floats(&bodies[0][3], stride));
    scree_pairs_options options = {.canonical = true};
    scree_pairs pairs = {0};
    scree_detector *detector;
    scree_detector_def def = scree_default_detector_def();
    int right;

    def.method = method;
    def.thread_count = thread_count;
    if (scree_detector_create(&def, &detector))
        return 0;
    right = scree_detector_update(detector, &table, NULL) == SCREE_OK &&
            scree_detector_pairs(detector, &options, &pairs) == SCREE_OK && pairs.count == 2 &&
            pairs.first[0] == 0 && pairs.second[0] == 1 && pairs.first[1] == 1 &&
            pairs.second[1] == 2;
    scree_detector_destroy(detector);
    return right;
}

int main(void)
{
    size_t wrong = scree_method_count() == 0 || scree_version() != SCREE_VERSION_NUMBER;

    for (size_t i = 0; i < scree_method_count(); i++) {
        const char *name = scree_method_at(i)->name;
        if (!finds_two_pairs(name, 1) || !finds_two_pairs(name, 3)) {
            printf("%s: not the pairs 0 1, 1 2\n", name);
            wrong++;
        }
    }
    return wrong != 0;
}
