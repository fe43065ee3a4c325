/*  How do I follow bodies that move, come and go?
    An array of your own structs is lent by its first element and its stride; only the rows that
   moved are read again, and single bodies are inserted and removed by id. */
#include "scree/scree.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct grain
{
    float position[2], radius;
    int colour;
} grain;

static scree_table lend(const grain *grains, size_t count)
{
    return scree_table_centres(count, scree_floats(grains->position, sizeof *grains),
                               scree_floats(&grains->radius, sizeof *grains));
}

static int print_pair(uint32_t first, uint32_t second, void *user)
{
    (void)user;
    printf("  %" PRIu32 " and %" PRIu32 "\n", first, second);
    return 0;
}

static void check(scree_status status, const scree_detector *detector)
{
    if (status) {
        puts(scree_detector_message(detector));
        exit(1);
    }
}

int main(void)
{
    grain grains[4] = {{{0, 0}, 1, 7}, {{3, 0}, 1, 7}, {{6, 0}, 1, 7}, {{9, 0}, 1, 7}};
    scree_table table = lend(grains, 4);
    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.dimensions = 2;
    def.method = "dess2";
    if (scree_detector_create(&def, &detector))
        return 1;
    check(scree_detector_update(detector, &table, NULL), detector);

    puts("grain 1 has moved:");
    const uint32_t moved[] = {1};
    const scree_rows dirty = {moved, 1};
    grains[1].position[0] = 1.5f;
    check(scree_detector_update(detector, &table, &dirty), detector);
    check(scree_detector_for_each_pair(detector, print_pair, NULL), detector);

    puts("one has come between 2 and 3, and 0 has gone:");
    const grain newcomer = {{7.5f, 0}, 1, 9};
    const uint32_t gone = 0;
    uint32_t id;
    table = lend(&newcomer, 1);
    check(scree_detector_insert(detector, &table, &id), detector);
    check(scree_detector_remove(detector, &gone, 1), detector);
    check(scree_detector_for_each_pair(detector, print_pair, NULL), detector);
    scree_detector_destroy(detector);
    return id == 4 ? 0 : 1;
}
