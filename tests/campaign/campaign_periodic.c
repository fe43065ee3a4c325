/*  Periodic cells: random tables, with and without filters, by every method at every SIMD level, moving, and with each
    kind of margin, against the rule as loops over pairs and images. */
#include "campaign.h"

#include "harness/periodic_scene.h"

#include <stdio.h>

#define MOVES 3

static const scree_pairs_options canonical = {.canonical = true};

static bool refused(const periodic_scene *scene, const char *method, const char *text)
{
    printf("seed %llu, %s: refused: %s\n", (unsigned long long)scene->seed, method, text);
    return false;
}

/*  The scene as it is, and after each of some moves: its pairs exactly, or with a margin at least these. */
static bool plays(periodic_scene scene, const char *method, scree_simd simd,
                  scree_margin_kind margin)
{
    scree_error why = {SCREE_OK, ""};
    scree_detector *d = periodic_scene_detector(&scene, method, simd, margin, &why);
    bool is_right = d || refused(&scene, method, why.text);

    for (int move = 0; is_right && move <= MOVES; move++) {
        const scree_table table = periodic_scene_table(&scene);
        const scree_motion motion = periodic_scene_motion(&scene);
        scree_pairs pairs;
        scree_status status = margin == SCREE_MARGIN_NONE
                                  ? scree_detector_update(d, &table, NULL)
                                  : scree_detector_advance(d, &table, &motion, 1, NULL);
        if (!status)
            status = scree_detector_pairs(d, &canonical, &pairs);
        is_right =
            status ? refused(&scene, method, scree_detector_message(d))
                   : periodic_scene_has_pairs(&scene, &pairs, method, margin != SCREE_MARGIN_NONE);
        periodic_scene_move(&scene);
    }
    scree_detector_destroy(d);
    return is_right;
}

static bool check_periodic_seed(uint64_t seed)
{
    periodic_scene scene = periodic_scene_make(seed);
    const scree_margin_kind margin = (scree_margin_kind)(1 + seed / 2 % SCREE_MARGIN_PER_BODY);

    if (seed % 2)
        periodic_scene_add_filters(&scene);
    for (size_t m = 0; m < scree_method_count(); m++) {
        const char *method = scree_method_at(m)->name;
        for (int simd = SCREE_SIMD_SCALAR; simd <= SCREE_SIMD_AVX512; simd++)
            if (scree_simd_resolve((scree_simd)simd) == (scree_simd)simd &&
                !plays(scene, method, (scree_simd)simd, SCREE_MARGIN_NONE))
                return false;
        if (!plays(scene, method, SCREE_SIMD_AUTO, margin))
            return false;
    }
    return true;
}

int campaign_periodic(const campaign *c, uint32_t job)
{
    campaign_watch watch = campaign_begin();
    uint64_t done = 0;

    for (uint64_t k = job; k < c->count; k += c->jobs) {
        if (campaign_is_over(c, &watch, done, "scenes"))
            break;
        if (!check_periodic_seed(c->seed + k)) {
            printf("first difference: seed %llu\n", (unsigned long long)(c->seed + k));
            return 1;
        }
        done++;
    }
    printf("%llu periodic scenes x %zu methods, no difference, %.1f s\n", (unsigned long long)done,
           scree_method_count(), campaign_now() - watch.start);
    return 0;
}
