/*  Two convex blocks in random poses, by chance, flat on each other, a little askew; or edge along edge, but for next to
    nothing: distance, normal and points against the slow reference. */
#include "campaign.h"

#include "harness/block_pair.h"

#include <inttypes.h>

typedef const char *try_seed(block_stock *stock, uint64_t seed, block_tally *tally);

static int campaign_of(const campaign *c, uint32_t job, try_seed *try, const char *lies)
{
    static block_stock stock;
    block_tally tally = {0};
    uint64_t wrong = 0;
    campaign_watch watch = campaign_begin();

    if (!make_blocks(&stock)) {
        printf("campaign: no memory for blocks\n");
        return 2;
    }
    for (uint64_t k = job; k < c->count; k += c->jobs) {
        if (campaign_is_over(c, &watch, tally.poses, "poses"))
            break;
        const char *why = try(&stock, c->seed + k, &tally);
        if (why)
            printf("pose %" PRIu64 ": %s\n", c->seed + k, why);
        wrong += why != NULL;
    }
    printf("%llu poses, %llu touch, %llu overlap, %llu points; %s: %llu %llu %llu %llu; "
           "%llu wrong, %.1f s\n",
           (unsigned long long)tally.poses, (unsigned long long)tally.touching,
           (unsigned long long)tally.overlapping, (unsigned long long)tally.points, lies,
           (unsigned long long)tally.lies[0], (unsigned long long)tally.lies[1],
           (unsigned long long)tally.lies[2], (unsigned long long)tally.lies[3],
           (unsigned long long)wrong, campaign_now() - watch.start);
    free_blocks(&stock);
    return wrong > 0;
}

int campaign_blocks(const campaign *c, uint32_t job)
{
    return campaign_of(c, job, try_blocks, "by chance, flat, askew, aligned");
}

int campaign_grazing(const campaign *c, uint32_t job)
{
    return campaign_of(c, job, try_grazing, "ridge on ridge, ridge on face, face on face, none");
}
