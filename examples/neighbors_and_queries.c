/*  The neighbours of each body, and what lies in a region, on a ray, near a point.
    Neighbours come in rows; queries are exact and sorted, and change nothing. */
#include "scree/scree.h"

#include <inttypes.h>
#include <stdio.h>

#define SIDE 4
#define COUNT (SIDE * SIDE * SIDE)

static int print_hit(const scree_hit *hit, void *user)
{
    (void)user;
    printf("  body %" PRIu32 " at %g\n", hit->id, hit->distance);
    return 0;
}

static scree_status ask(const scree_detector *detector)
{
    const double corner[3] = {0, 0, 0}, far_corner[3] = {0.4, 0.4, 2.4};
    const double origin[3] = {-5, 1, 1}, direction[3] = {1, 0, 0}, point[3] = {1.4, 1.5, 1.6};
    scree_query box = scree_query_box(corner, far_corner);
    scree_query ray = scree_query_ray_first(origin, direction, 100);
    scree_query near = scree_query_nearest(point, 3);
    scree_status status;
    puts("in the box:");
    if ((status = scree_detector_query(detector, &box, print_hit, NULL, NULL)))
        return status;
    puts("first on the ray:");
    if ((status = scree_detector_query(detector, &ray, print_hit, NULL, NULL)))
        return status;
    puts("nearest to the point:");
    return scree_detector_query(detector, &near, print_hit, NULL, NULL);
}

int main(void)
{
    /* one array of x y z r: the stride leads from one sphere to the next */
    static double sphere[COUNT][4];
    for (int i = 0; i < COUNT; i++) {
        sphere[i][0] = i % SIDE;
        sphere[i][1] = i / SIDE % SIDE;
        sphere[i][2] = i / SIDE / SIDE;
        sphere[i][3] = 0.5;
    }
    scree_table table = scree_table_centres(COUNT, scree_doubles(sphere[0], sizeof *sphere),
                                            scree_doubles(&sphere[0][3], sizeof *sphere));

    scree_detector_def def = scree_default_detector_def();
    scree_detector *detector;
    def.method = "rtree-packed";
    if (scree_detector_create(&def, &detector))
        return 1;
    scree_neighbors rows;
    scree_status status = scree_detector_update(detector, &table, NULL);
    if (!status)
        status = scree_detector_neighbors(detector, NULL, &rows);
    if (!status) {
        printf("body 21 touches:");
        for (uint64_t k = rows.start[21]; k < rows.start[22]; k++)
            printf(" %" PRIu32, rows.neighbor[k]);
        puts("");
        status = ask(detector);
    }
    scree_detector_destroy(detector);
    return status != SCREE_OK;
}
