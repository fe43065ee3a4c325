/*  Which points of a cloud lie within a distance of each other?
    Points are spheres of half that distance: one call takes them and gives each point's neighbours. */
#include "scree/scree.h"

#include <inttypes.h>
#include <stdio.h>

#define COUNT 6
#define CUTOFF 1.5

int main(void)
{
    const double xyz[COUNT][3] = {{0, 0, 0}, {1, 0, 0},   {2.4, 0, 0},
                                  {0, 1, 1}, {9.4, 0, 0}, {5, 5, 5}};
    double radius[COUNT];
    for (int i = 0; i < COUNT; i++)
        radius[i] = CUTOFF / 2;

    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.period[0] = 10; /* the cell repeats along x; leave out for open space */
    if (scree_detector_create(&def, &detector))
        return 1;
    scree_table points = scree_table_centres(COUNT, scree_doubles(xyz[0], sizeof *xyz),
                                             scree_doubles(radius, sizeof *radius));

    scree_csr near;
    if (scree_detector_csr_of(detector, &points, NULL, &near))
        puts(scree_detector_message(detector));
    for (uint32_t i = 0; i < near.id_bound; i++) {
        printf("point %" PRIu32 ":", i);
        for (uint32_t k = near.start[i]; k < near.start[i + 1]; k++)
            printf(" %" PRIu32, near.neighbor[k]);
        puts("");
    }
    uint32_t found = near.count; /* the list is the detector's, and goes with it */
    scree_detector_destroy(detector);
    return found == 8 ? 0 : 1;
}
