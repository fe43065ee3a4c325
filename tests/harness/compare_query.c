/*  Hits of a query: against the reference where its verdict is sure, and against the first method's
    answer to the last bit. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"box query", "sphere query", "ray query", "first-hit query",
                                    "nearest query"};

/*  An answer under examination. */
typedef struct hit_list
{
    const scree_query *query;
    const char *how;
    scree_hit *hit;
    size_t count;
} hit_list;

static bool is_ordered(const hit_list *list, size_t k)
{
    const scree_hit *a = &list->hit[k - 1], *b = &list->hit[k];
    if (list->query->kind == SCREE_QUERY_BOX || list->query->kind == SCREE_QUERY_SPHERE)
        return a->id < b->id;
    return a->distance < b->distance || (a->distance == b->distance && a->id < b->id);
}

static void check_each_hit(run *r, const hit_list *list)
{
    const expected_step *e = &r->expected->steps[r->step];
    for (size_t k = 0; k < list->count; k++) {
        const scree_hit *hit = &list->hit[k];
        if (k > 0 && !is_ordered(list, k))
            run_fail(r,
                     "%s: hits %zu and %zu (bodies %u and %u) are not in order, or one is given "
                     "twice",
                     list->how, k - 1, k, list->hit[k - 1].id, hit->id);
        if (hit->id >= e->id_bound || e->hits[hit->id].verdict == VERDICT_NO) {
            run_fail(r, "%s: body %u must not be hit", list->how, hit->id);
            continue;
        }
        const expected_hit *x = &e->hits[hit->id];
        if (!(hit->distance <= x->distance + x->tolerance &&
              hit->distance >= x->distance - x->tolerance))
            run_fail(r, "%s: body %u at distance %.17g, not %.17g (within %g)", list->how, hit->id,
                     hit->distance, x->distance, x->tolerance);
    }
}

/*  Nothing that must be hit is left out: of a first hit or of the nearest, nothing surely nearer. */
static void check_nothing_missing(run *r, const hit_list *list)
{
    const expected_step *e = &r->expected->steps[r->step];
    scree_query_kind kind = list->query->kind;
    size_t limit = kind == SCREE_QUERY_NEAREST     ? list->query->k
                   : kind == SCREE_QUERY_RAY_FIRST ? 1
                                                   : SIZE_MAX;
    unsigned char *is_hit = scene_memory(e->id_bound);
    if (list->count > limit)
        run_fail(r, "%s: %zu hits, at most %zu were asked for", list->how, list->count, limit);
    for (size_t k = 0; k < list->count; k++)
        if (list->hit[k].id < e->id_bound)
            is_hit[list->hit[k].id] = 1;
    for (uint32_t id = 0; id < e->id_bound; id++) {
        const expected_hit *x = &e->hits[id];
        if (x->verdict != VERDICT_YES || is_hit[id])
            continue;
        if (list->count < limit)
            run_fail(r, "%s: body %u is not hit", list->how, id);
        else if (list->count &&
                 x->distance + x->tolerance < list->hit[list->count - 1].distance - x->tolerance)
            run_fail(r, "%s: body %u at %.17g is nearer than the last hit at %.17g", list->how, id,
                     x->distance, list->hit[list->count - 1].distance);
    }
    free(is_hit);
}

/*  The first method's answer is the measure of the others. */
static void compare_with_first(run *r, const hit_list *list)
{
    expected_step *e = &r->expected->steps[r->step];
    if (!e->is_answered) {
        e->is_answered = true;
        e->first_count = list->count;
        e->first_answer = scene_memory(list->count * sizeof *list->hit);
        if (list->count)
            memcpy(e->first_answer, list->hit, list->count * sizeof *list->hit);
        return;
    }
    for (size_t k = 0; k < list->count && k < e->first_count; k++) {
        const scree_hit *a = &list->hit[k], *b = &e->first_answer[k];
        if (a->id != b->id || a->distance != b->distance) {
            run_fail(r, "%s: hit %zu is body %u at %.17g; %s gives body %u at %.17g", list->how, k,
                     a->id, a->distance, scree_method_at(0)->name, b->id, b->distance);
            return;
        }
    }
    if (list->count != e->first_count)
        run_fail(r, "%s: %zu hits; %s gives %zu", list->how, list->count, scree_method_at(0)->name,
                 e->first_count);
}

typedef struct counter
{
    const hit_list *list;
    size_t count;
    bool differs;
} counter;

static int compare_next(const scree_hit *hit, void *user)
{
    counter *c = user;
    size_t k = c->count++;
    if (k >= c->list->count || hit->id != c->list->hit[k].id ||
        hit->distance != c->list->hit[k].distance)
        c->differs = true;
    return 0;
}

static void check_hits(run *r, const hit_list *list)
{
    counter c = {list, 0, false};
    scree_status status = scree_detector_query(r->detector, list->query, compare_next, &c, NULL);
    if (status || c.differs || c.count != list->count)
        run_fail(r, "%s: query and hits do not give the same", list->how);
    check_each_hit(r, list);
    if (!r->report->failed)
        check_nothing_missing(r, list);
    if (!r->report->failed)
        compare_with_first(r, list);
}

void compare_query(run *r, const scene_step *step)
{
    const expected_step *e = &r->expected->steps[r->step];
    scree_error why = {SCREE_OK, ""};
    hit_list list = {&step->query, kinds[step->query.kind], NULL, 0};
    scree_status status = scree_detector_hits(r->detector, list.query, NULL, 0, &list.count, &why);
    if (!(e->statuses & 1u)) {
        if (!((e->statuses >> status) & 1u) || !why.text[0])
            run_fail(r, "%s gives \"%s\" (%s), expected are statuses %x", list.how,
                     scree_status_name(status), why.text, e->statuses);
        return;
    }
    if (status != (list.count ? SCREE_TOO_SMALL : SCREE_OK)) {
        run_fail(r, "%s into no room gives \"%s\" (%s)", list.how, scree_status_name(status),
                 why.text);
        return;
    }
    /* exactly as many, so that a sanitizer sees one too many */
    size_t wanted = list.count;
    list.hit = scene_memory(wanted * sizeof *list.hit);
    status = scree_detector_hits(r->detector, list.query, list.hit, wanted, &list.count, &why);
    if (status || list.count != wanted)
        run_fail(r, "%s gives \"%s\" and %zu hits, then %zu", list.how, scree_status_name(status),
                 wanted, list.count);
    else
        check_hits(r, &list);
    free(list.hit);
}
