/*  Each example of the laboratory after so many steps: what the engine compiled for browsers is compared with, and how
    fast it is (./do test-site, ./do bench site). Usage: digests [STEPS [EXAMPLE]]. A line each: name, bodies, digest,
    seconds of the processor for the steps. */
#include "lab.h"
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void wake(void *user)
{
    (void)user;
}

/*  The processor's seconds: others may compute on it, too. */
static double tell(scree_lab *lab, scree_lab_kind kind, uint32_t whole)
{
    scree_lab_message message = {.kind = kind, .whole = {whole}};
    clock_t begin = clock();

    scree_lab_tell(lab, 1, &message);
    scree_lab_turn(lab);
    return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

static size_t count_bodies(scree_lab *lab)
{
    scree_lab_cloud cloud = {0};

    scree_lab_want(lab);
    scree_lab_turn(lab);
    scree_lab_take(lab, &cloud);
    size_t count = cloud.body_count;
    scree_lab_cloud_free(&cloud);
    return count;
}

int main(int argc, char **argv)
{
    scree_lab_def def = {.threads = 1,
                         .max_bodies = 200000,
                         .max_bytes = (size_t)1 << 30,
                         .is_driven = true,
                         .wake = wake};
    uint32_t steps = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
    const scree_scene_example *example;
    scree_error error;
    scree_lab *lab;

    if (scree_lab_create(&def, &lab, &error)) {
        fprintf(stderr, "digests: %s\n", error.text);
        return 1;
    }
    for (uint32_t k = 0; (example = scree_scene_example_at(k)) != NULL; k++) {
        if (argc > 2 && strcmp(argv[2], example->name) != 0)
            continue;
        tell(lab, SCREE_LAB_EXAMPLE, k);
        double seconds = tell(lab, SCREE_LAB_STEP, steps);
        printf("%s %zu %016" PRIx64 " %.6f\n", example->name, count_bodies(lab),
               scree_lab_digest(lab), seconds);
        fflush(stdout);
    }
    scree_lab_destroy(lab);
    return 0;
}
