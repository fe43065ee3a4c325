/*  Pairs in all the ways a detector gives them, against the list of the reference. The first pair
    that differs is named with both its volumes. */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  The state of the reference at the present step, only for the message. */
static void describe_pair(run *r, uint32_t i, uint32_t j, char text[1024])
{
    reference_model model;
    uint32_t rows = 0;
    reference_init(&model, r->scene, REFERENCE_HONEST);
    for (uint32_t s = 0; s <= r->step; s++)
        rows = r->scene->steps[s].count > rows ? r->scene->steps[s].count : rows;
    uint32_t *ids = scene_memory((rows + 1) * sizeof *ids);
    for (uint32_t s = 0; s <= r->step; s++)
        (void)reference_step(&model, &r->scene->steps[s], ids);
    text[0] = 0;
    uint32_t both[2] = {i, j};
    for (int k = 0; k < 2; k++) {
        size_t used = strlen(text);
        if (both[k] < model.bound && (model.state[both[k]] & REFERENCE_PRESENT))
            scene_print_row(r->scene, both[k], &model.body[both[k]], text + used, 500);
        else
            (void)snprintf(text + used, 500, "body %u is not there", both[k]);
        if (k == 0)
            (void)strncat(text, "\n    ", 8);
    }
    free(ids);
    reference_free(&model);
}

static void fail_pair(run *r, const uint32_t pair[2], const char *how, const char *what)
{
    char text[1024];
    describe_pair(r, pair[0], pair[1], text);
    run_fail(r, "%s: pair {%u, %u} %s\n    %s", how, pair[0], pair[1], what, text);
}

static int order(const uint32_t a[2], const uint32_t b[2])
{
    if (a[0] != b[0])
        return a[0] < b[0] ? -1 : 1;
    return (a[1] > b[1]) - (a[1] < b[1]);
}

/*  Both sorted, `found` without repetition. */
static void compare_sorted(run *r, const pair_list *found, const char *how)
{
    const expected_step *e = &r->expected->steps[r->step];
    const pair_list *must = &e->pairs, *may = r->scene->coarse ? &e->candidates : &e->pairs;
    size_t m = 0, c = 0;
    for (size_t k = 0; k < found->count; k++) {
        const uint32_t *pair = found->pair[k];
        while (c < may->count && order(may->pair[c], pair) < 0)
            c++;
        if (c == may->count || order(may->pair[c], pair) != 0) {
            fail_pair(r, pair, how, "must not be reported");
            return;
        }
        if (m < must->count && order(must->pair[m], pair) < 0) {
            fail_pair(r, must->pair[m], how, "is missing");
            return;
        }
        m += m < must->count && order(must->pair[m], pair) == 0;
    }
    if (m < must->count)
        fail_pair(r, must->pair[m], how, "is missing");
}

static void compare_list(run *r, pair_list *found, bool is_canonical, const char *how)
{
    for (size_t k = 0; k < found->count; k++) {
        if (found->pair[k][0] >= found->pair[k][1]) {
            fail_pair(r, found->pair[k], how, "does not have its smaller id first");
            return;
        }
        if (is_canonical && k > 0 && order(found->pair[k - 1], found->pair[k]) > 0) {
            fail_pair(r, found->pair[k], how, "is not in canonical order");
            return;
        }
    }
    pair_list_sort(found);
    for (size_t k = 1; k < found->count; k++) {
        if (order(found->pair[k - 1], found->pair[k]) == 0) {
            fail_pair(r, found->pair[k], how, "is reported twice");
            return;
        }
    }
    compare_sorted(r, found, how);
}

static void note_sequence(run *r, const pair_list *list)
{
    for (size_t k = 0; k < list->count; k++)
        r->report->sequence =
            (r->report->sequence ^ ((uint64_t)list->pair[k][0] << 32 | list->pair[k][1])) *
            0x100000001b3u;
}

static void take_pairs(const scree_pairs *pairs, pair_list *list)
{
    for (uint64_t k = 0; k < pairs->count; k++)
        pair_list_add(list, pairs->first[k], pairs->second[k]);
}

/* ---- the ways to get them ---- */

static void check_arrays(run *r, bool canonical)
{
    scree_pairs_options options = {.canonical = canonical};
    scree_pairs pairs;
    pair_list list = {0};
    const char *how = canonical ? "pairs, canonical" : "pairs";
    scree_status status = scree_detector_pairs(r->detector, canonical ? &options : NULL, &pairs);
    if (status) {
        run_fail(r, "%s: %s", how, scree_detector_message(r->detector));
        return;
    }
    scree_stats stats = scree_detector_stats(r->detector);
    take_pairs(&pairs, &list);
    note_sequence(r, &list);
    compare_list(r, &list, canonical, how);
    if (stats.reported != pairs.count)
        run_fail(r, "stats.reported is %llu, reported were %llu",
                 (unsigned long long)stats.reported, (unsigned long long)pairs.count);
    pair_list_free(&list);
}

static void check_own_arrays(run *r)
{
    uint32_t too_short[2];
    bool canonical = (r->scene->seed & 1) != 0;
    scree_pairs_options options = {canonical, &too_short[0], &too_short[1], 0};
    scree_pairs pairs = {0};
    scree_status status = scree_detector_pairs(r->detector, &options, &pairs);
    if (status != (pairs.count ? SCREE_TOO_SMALL : SCREE_OK)) {
        run_fail(r, "pairs into no room gives \"%s\"", scree_status_name(status));
        return;
    }
    pair_list list = {0};
    options.capacity = pairs.count;
    options.first = scene_memory((size_t)pairs.count * sizeof *options.first);
    options.second = scene_memory((size_t)pairs.count * sizeof *options.second);
    status = scree_detector_pairs(r->detector, &options, &pairs);
    if (status || pairs.count != options.capacity || pairs.first != options.first)
        run_fail(r, "pairs into own arrays gives \"%s\"", scree_status_name(status));
    else
        take_pairs(&pairs, &list);
    compare_list(r, &list, canonical, "pairs into own arrays");
    pair_list_free(&list);
    free(options.first);
    free(options.second);
}

typedef struct collector
{
    pair_list list;
    size_t limit;
    bool has_odd_block; /* none, or too many in one */
} collector;

static int collect(uint32_t first, uint32_t second, void *user)
{
    collector *c = user;
    pair_list_add(&c->list, first, second);
    return c->list.count >= c->limit;
}

static void check_each(run *r)
{
    collector c = {{0}, SIZE_MAX, false};
    if (scree_detector_for_each_pair(r->detector, collect, &c))
        run_fail(r, "for_each_pair: %s", scree_detector_message(r->detector));
    note_sequence(r, &c.list);
    compare_list(r, &c.list, false, "for_each_pair");
    pair_list_free(&c.list);
}

static int collect_block(const scree_pairs *block, void *user)
{
    collector *c = user;
    c->has_odd_block |= block->count == 0 || block->count > SCREE_BLOCK_PAIRS;
    take_pairs(block, &c->list);
    return c->list.count >= c->limit;
}

static void check_blocks(run *r)
{
    collector c = {{0}, SIZE_MAX, false};
    if (scree_detector_for_each_block(r->detector, collect_block, &c))
        run_fail(r, "for_each_block: %s", scree_detector_message(r->detector));
    if (c.has_odd_block)
        run_fail(r, "for_each_block: a block is empty, or of more than %u pairs",
                 SCREE_BLOCK_PAIRS);
    note_sequence(r, &c.list);
    compare_list(r, &c.list, false, "for_each_block");
    pair_list_free(&c.list);
}

/*  Stops after some pairs: exactly so many must have come, and all of them right. */
static void check_stop(run *r)
{
    const pair_list *must = &r->expected->steps[r->step].pairs;
    collector c = {{0}, 1 + (size_t)(r->scene->seed % 5), false};
    if (scree_detector_for_each_pair(r->detector, collect, &c))
        run_fail(r, "for_each_pair, stopped: %s", scree_detector_message(r->detector));
    size_t wanted = must->count < c.limit ? must->count : c.limit;
    if (!r->scene->coarse && c.list.count != wanted)
        run_fail(r, "for_each_pair stopped after %zu pairs, not after %zu", c.list.count, wanted);
    pair_list_sort(&c.list);
    for (size_t k = 0; k < c.list.count && !r->scene->coarse; k++)
        if (!bsearch(c.list.pair[k], must->pair, must->count, sizeof *must->pair,
                     (int (*)(const void *, const void *))order))
            fail_pair(r, c.list.pair[k], "for_each_pair, stopped", "must not be reported");
    pair_list_free(&c.list);
}

static bool check_rows(run *r, const scree_neighbors *n, const char *how)
{
    if (n->id_bound != r->expected->steps[r->step].id_bound) {
        run_fail(r, "%s: id_bound is %u, not %u", how, n->id_bound,
                 r->expected->steps[r->step].id_bound);
        return false;
    }
    if (n->start[0] != 0 || n->start[n->id_bound] != n->count) {
        run_fail(r, "%s: rows do not begin at 0 and end at count", how);
        return false;
    }
    for (uint32_t i = 0; i < n->id_bound; i++)
        for (uint64_t k = n->start[i]; k + 1 < n->start[i + 1]; k++)
            if (n->neighbor[k] >= n->neighbor[k + 1]) {
                run_fail(r, "%s: neighbours of %u do not ascend: %u, %u", how, i, n->neighbor[k],
                         n->neighbor[k + 1]);
                return false;
            }
    return true;
}

static void check_neighbors(run *r, bool half)
{
    const char *how = half ? "neighbors, half" : "neighbors, full";
    scree_neighbors_options options = {.half = half};
    scree_neighbors n;
    if (scree_detector_neighbors(r->detector, &options, &n)) {
        run_fail(r, "%s: %s", how, scree_detector_message(r->detector));
        return;
    }
    if (!check_rows(r, &n, how))
        return;
    pair_list upper = {0}, lower = {0};
    for (uint32_t i = 0; i < n.id_bound; i++)
        for (uint64_t k = n.start[i]; k < n.start[i + 1]; k++) {
            uint32_t j = n.neighbor[k];
            if (i < j || half)
                pair_list_add(&upper, i, j);
            else
                pair_list_add(&lower, j, i);
        }
    compare_list(r, &upper, true, how);
    if (!half)
        compare_list(r, &lower, false, "neighbors, full, from the larger id");
    if (!half && upper.count != lower.count)
        run_fail(r, "%s: %zu pairs one way, %zu the other", how, upper.count, lower.count);
    pair_list_free(&upper);
    pair_list_free(&lower);
}

/*  Rows in the order of a list: of canonical pairs these ascend. */
static void rows_of_list(const pair_list *list, uint32_t bound, bool half, uint32_t *start,
                         uint32_t *neighbor)
{
    memset(start, 0, ((size_t)bound + 1) * sizeof *start);
    for (size_t k = 0; k < list->count; k++) {
        start[list->pair[k][0]]++;
        start[list->pair[k][1]] += !half;
    }
    for (uint32_t i = 1; i <= bound; i++)
        start[i] += start[i - 1];
    for (size_t k = list->count; k-- > 0;) {
        neighbor[--start[list->pair[k][0]]] = list->pair[k][1];
        if (!half)
            neighbor[--start[list->pair[k][1]]] = list->pair[k][0];
    }
}

static void check_csr(run *r, bool half, bool canonical)
{
    const scree_pairs_options in_order = {.canonical = canonical};
    const scree_csr_options options = {half, canonical};
    uint32_t bound = r->expected->steps[r->step].id_bound;
    scree_pairs pairs;
    scree_csr csr;
    pair_list list = {0};
    scree_status status = scree_detector_pairs(r->detector, &in_order, &pairs);
    if (!status)
        take_pairs(&pairs, &list);
    if (!status)
        status = scree_detector_csr(r->detector, &options, &csr);
    if (status) {
        run_fail(r, "csr: %s", scree_detector_message(r->detector));
        pair_list_free(&list);
        return;
    }
    size_t entries = half ? list.count : 2 * list.count;
    uint32_t *start = scene_memory(((size_t)bound + 1) * sizeof *start);
    uint32_t *neighbor = scene_memory((entries + 1) * sizeof *neighbor);
    rows_of_list(&list, bound, half, start, neighbor);
    if (csr.id_bound != bound || csr.count != entries ||
        memcmp(csr.start, start, ((size_t)bound + 1) * sizeof *start) != 0 ||
        (entries && memcmp(csr.neighbor, neighbor, entries * sizeof *neighbor) != 0))
        run_fail(r, "csr, %s, %s: rows are not those of the pairs", half ? "half" : "full",
                 canonical ? "canonical" : "as found");
    free(start);
    free(neighbor);
    pair_list_free(&list);
}

static void check_own_neighbors(run *r)
{
    uint64_t short_start;
    uint32_t too_short;
    uint32_t bound = r->expected->steps[r->step].id_bound;
    scree_neighbors n = {0};
    scree_neighbors_options options = {false, &short_start, 0, &too_short, 0};
    scree_status status = scree_detector_neighbors(r->detector, &options, &n);
    if (status != SCREE_TOO_SMALL || n.id_bound != bound) {
        run_fail(r, "neighbors into no room gives \"%s\" and id_bound %u",
                 scree_status_name(status), n.id_bound);
        return;
    }
    options.start_capacity = (uint64_t)bound + 1;
    options.capacity = n.count;
    options.start = scene_memory((size_t)options.start_capacity * sizeof *options.start);
    options.neighbor = scene_memory((size_t)n.count * sizeof *options.neighbor);
    status = scree_detector_neighbors(r->detector, &options, &n);
    if (status || n.start != options.start)
        run_fail(r, "neighbors into own arrays gives \"%s\"", scree_status_name(status));
    else
        (void)check_rows(r, &n, "neighbors into own arrays");
    free(options.start);
    free(options.neighbor);
}

void compare_pairs(run *r, uint32_t checks)
{
    for (uint32_t bit = 1; bit <= SCENE_CHECK_STOP && !r->report->failed; bit <<= 1) {
        switch (checks & bit) {
        case SCENE_CHECK_PAIRS:
            check_arrays(r, true);
            break;
        case SCENE_CHECK_UNSORTED:
            check_arrays(r, false);
            break;
        case SCENE_CHECK_OWN:
            check_own_arrays(r);
            break;
        case SCENE_CHECK_EACH:
            check_each(r);
            check_blocks(r);
            break;
        case SCENE_CHECK_STOP:
            check_stop(r);
            break;
        case SCENE_CHECK_NEIGHBORS:
            check_neighbors(r, true);
            check_neighbors(r, false);
            check_own_neighbors(r);
            for (int form = 0; form < 4; form++)
                check_csr(r, (form & 1) != 0, (form & 2) != 0);
            break;
        default:
            break;
        }
    }
}
