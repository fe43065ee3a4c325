/*  Steps that are far too long, in which something would go through something: none may be taken silently. */
#include "campaign.h"

#include "harness/adversary.h"

#include <inttypes.h>

int campaign_adversary(const campaign *c, uint32_t job)
{
    adversary_tally tally = {0};
    campaign_watch watch = campaign_begin();
    uint64_t done = 0;

    for (uint64_t k = job; k < c->count; k += c->jobs) {
        if (campaign_is_over(c, &watch, done, "cases"))
            break;
        const char *why = adversary_try(c->seed + k, false, &tally);
        if (why)
            printf("seed %" PRIu64 ": %s\n", c->seed + k, why);
        done++;
    }
    printf("%" PRIu64 " cases: %" PRIu64 " refused for going through, %" PRIu64
           " for something else, %" PRIu64 " with shorter steps, %" PRIu64 " touched, %" PRIu64
           " missed; %" PRIu64 " silent, %.1f s\n",
           done, tally.refused, tally.otherwise, tally.shorter, tally.touched, tally.missed,
           tally.silent, campaign_now() - watch.start);
    return tally.silent > 0;
}
