/*  A short list of the worst bodies, sorted. A body that is better than the last entry of a full list is rejected at
    once, so the cost is one comparison per body. */
#include "world/step/unconverged.h"

#include "world/step/world_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/*  Number of bodies in a message; the list has more. */
#define SAID 3u

void scree_unconverged_clear(scree_unconverged_list *list)
{
    list->count = 0;
    list->all = 0;
}

static bool is_worse(double times, uint64_t serial, double other_times, uint64_t other)
{
    return times > other_times || (times == other_times && serial < other);
}

void scree_unconverged_note(scree_unconverged_list *list, scree_body_id id, uint64_t serial,
                            double times)
{
    uint32_t at = list->count;

    while (at > 0 && is_worse(times, serial, list->worst[at - 1].residual, list->serial[at - 1]))
        at--;
    list->all++;
    if (at == SCREE_MAX_UNCONVERGED)
        return;
    list->count += list->count < SCREE_MAX_UNCONVERGED;
    for (uint32_t k = list->count - 1; k > at; k--) {
        list->worst[k] = list->worst[k - 1];
        list->serial[k] = list->serial[k - 1];
    }
    list->worst[at] = (scree_unconverged){id, times};
    list->serial[at] = serial;
}

void scree_unconverged_say(const scree_unconverged_list *list, char *text, size_t room)
{
    uint32_t said = list->count < SAID ? list->count : SAID;
    size_t used = 0;

    text[0] = 0;
    for (uint32_t k = 0; k < said && used < room; k++)
        used += (size_t)snprintf(text + used, room - used,
                                 k == 0 ? "body %" PRIu64 " is off by %.3g times what "
                                          "picard.tolerance allows"
                                        : ", body %" PRIu64 " by %.3g",
                                 list->serial[k], list->worst[k].residual);
    if (list->all > said && used < room)
        snprintf(text + used, room - used, ", and %" PRIu64 " more are", list->all - said);
}
