/*  Two convex polygons in random poses, by chance, flat on each other, a little askew: distance, normal and points against the
    slow reference. */
#include "campaign.h"

#include "harness/polygon_pair.h"

#include <inttypes.h>

int campaign_polygons(const campaign *c, uint32_t job)
{
    static polygon_stock stock;
    polygon_tally tally = {0};
    uint64_t wrong = 0;
    campaign_watch watch = campaign_begin();

    if (!make_polygons(&stock)) {
        printf("campaign: no memory for polygons\n");
        return 2;
    }
    for (uint64_t k = job; k < c->count; k += c->jobs) {
        if (campaign_is_over(c, &watch, tally.poses, "poses"))
            break;
        const char *why = try_polygons(&stock, c->seed + k, &tally);
        if (why)
            printf("pose %" PRIu64 ": %s\n", c->seed + k, why);
        wrong += why != NULL;
    }
    printf("%llu poses, %llu touch, %llu overlap, %llu points; by chance, flat, askew, aligned: "
           "%llu %llu %llu %llu; "
           "%llu wrong, %.1f s\n",
           (unsigned long long)tally.poses, (unsigned long long)tally.touching,
           (unsigned long long)tally.overlapping, (unsigned long long)tally.points,
           (unsigned long long)tally.lies[0], (unsigned long long)tally.lies[1],
           (unsigned long long)tally.lies[2], (unsigned long long)tally.lies[3],
           (unsigned long long)wrong, campaign_now() - watch.start);
    free_polygons(&stock);
    return wrong > 0;
}
