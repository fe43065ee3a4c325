/*  Pairs of triangles of all sorts and sizes, with reaches just at their distance and beside it: batches must decide as
    the double does, by both methods that promise it, at every SIMD level, and each level the same bits. */
#include "campaign.h"

#include <stdio.h>
#include <string.h>

#include "harness/triangle_set.h"

typedef struct triangle_tally
{
    uint64_t pairs, touching, missed, unfounded, other_bits;
} triangle_tally;

static triangle_set all;
static answers got, first_got;
static bool touches[MAX_SET];

static void find_truth(triangle_tally *tally)
{
    for (size_t k = 0; k < all.count; k++) {
        const triangle_pair *pair = &all.pair[k];
        touches[k] = scree_triangles_touch(pair->corner[0], pair->corner[1], all.skin[k], NULL);
        tally->touching += touches[k];
    }
    tally->pairs += all.count;
}

static void hold_against_truth(const char *what, uint64_t seed, triangle_tally *tally)
{
    for (size_t k = 0; k < all.count; k++) {
        bool said = got.verdict[k] == SCREE_TRIANGLES_TOUCH;
        if (said == touches[k])
            continue;
        printf("%s: seed %llu, pair %zu of sort %zu: said to %s at reach %.17g\n", what,
               (unsigned long long)seed, k, k % PAIR_SORTS, said ? "touch" : "be apart",
               all.skin[k]);
        tally->missed += touches[k];
        tally->unfounded += said;
    }
}

static void try_set(uint64_t seed, triangle_tally *tally)
{
    static const char *const names[2] = {"certified", "comparison"};
    scree_random random = scree_random_stream(seed, 1);
    double factor = scree_random_log_uniform(&random, 1e-6, 1e6);
    double offset = scree_random_below(&random, 4) ? 0 : 100 * factor;
    make_set(seed, MAX_SET, factor, offset, &all);
    scree_triangle_pairs pairs = set_pairs(&all);
    find_truth(tally);
    for (int method = 0; method < 2; method++)
        for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
            scree_triangle_settings settings = scree_triangle_default_settings();
            settings.method = (scree_triangle_method)method;
            settings.simd = (scree_simd)level;
            if (scree_simd_resolve(settings.simd) != settings.simd)
                continue;
            ask(&pairs, &settings, &got);
            if (level == SCREE_SIMD_SCALAR)
                memcpy(&first_got, &got, sizeof got);
            else if (memcmp(&first_got, &got, sizeof got) != 0) {
                printf("%s: seed %llu: %s gives other bits than scalar\n", names[method],
                       (unsigned long long)seed, scree_simd_name(settings.simd));
                tally->other_bits++;
            }
            hold_against_truth(names[method], seed, tally);
        }
}

int campaign_triangles(const campaign *c, uint32_t job)
{
    triangle_tally tally = {0};
    campaign_watch watch = campaign_begin();
    uint64_t sets = (c->count + MAX_SET - 1) / MAX_SET;
    for (uint64_t k = job; k < sets; k += c->jobs) {
        if (campaign_is_over(c, &watch, tally.pairs, "pairs"))
            break;
        try_set(c->seed + k, &tally);
    }
    printf("%llu pairs of triangles, %llu touch; missed %llu, unfounded %llu, other bits %llu; "
           "%.1f s\n",
           (unsigned long long)tally.pairs, (unsigned long long)tally.touching,
           (unsigned long long)tally.missed, (unsigned long long)tally.unfounded,
           (unsigned long long)tally.other_bits, campaign_now() - watch.start);
    return tally.missed || tally.unfounded || tally.other_bits;
}
