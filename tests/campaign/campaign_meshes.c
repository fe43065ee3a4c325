/*  Two bumpy meshes in random poses, from deep in each other to just out of reach: every engine must find the triangle
    pairs that the double says touch, and all engines the same bits. */
#include "campaign.h"

#include "harness/mesh_pair.h"
#include "mesh_engines.h"

#include <stdio.h>

#define ENGINES (sizeof mesh_engines / sizeof *mesh_engines)
#define SORTS 5
#define SHAPES 4

typedef struct mesh_tally
{
    uint64_t poses, touching, contacts, lies[ENGINES], other_bits[ENGINES];
} mesh_tally;

/*  What all poses are made of. */
typedef struct mesh_stock
{
    scree_memory memory;
    solid solids[SORTS][SHAPES];
    scree_surrogate *trees[SORTS][SHAPES];
    scree_mesh_finder finder[ENGINES];
    scree_surrogate_search search;
} mesh_stock;

static bool make_solid(mesh_stock *stock, int f, int s)
{
    static const uint32_t facets[SORTS] = {12, 36, 80, 140, 320};
    static const double bumps[SHAPES] = {1, 1.3, 1.8, 2.6}, longer[SHAPES] = {1, 1, 1.5, 1};
    scree_surrogate_def def = scree_default_surrogate_def();
    solid *made = &stock->solids[f][s];
    if (!solid_globe(facets[f], bumps[s], longer[s], 1, (uint64_t)f + (uint64_t)s, made))
        return false;
    def.surface = scree_surface_of(made->mesh);
    return scree_surrogate_create(&def, &stock->trees[f][s]) == SCREE_OK;
}

static bool make_stock(mesh_stock *stock)
{
    if (scree_memory_init(&stock->memory, NULL))
        return false;
    for (int f = 0; f < SORTS; f++)
        for (int s = 0; s < SHAPES; s++)
            if (!make_solid(stock, f, s))
                return false;
    for (size_t e = 0; e < ENGINES; e++)
        if (scree_mesh_finder_init(&stock->finder[e], &stock->memory, SCREE_SIMD_AUTO))
            return false;
    scree_surrogate_search_init(&stock->search, &stock->memory);
    return true;
}

static void free_stock(mesh_stock *stock)
{
    for (int f = 0; f < SORTS; f++)
        for (int s = 0; s < SHAPES; s++) {
            scree_surrogate_destroy(stock->trees[f][s]);
            solid_free(&stock->solids[f][s]);
        }
    for (size_t e = 0; e < ENGINES; e++)
        scree_mesh_finder_free(&stock->finder[e]);
    scree_surrogate_search_free(&stock->search);
}

typedef struct picked
{
    const solid *solid;
    const scree_surrogate *tree;
} picked;

/*  Two of the finest take as long as all the others: rarely. */
static picked pick_solid(const mesh_stock *stock, scree_random *random, uint32_t sorts)
{
    uint32_t f = scree_random_below(random, sorts), s = scree_random_below(random, SHAPES);
    return (picked){&stock->solids[f][s], stock->trees[f][s]};
}

static bool try_pose(mesh_stock *stock, uint64_t seed, mesh_tally *tally)
{
    scree_random random = scree_random_stream(seed, 0);
    picked a = pick_solid(stock, &random, SORTS);
    picked b = pick_solid(stock, &random, SORTS - 1);
    double skin = scree_random_below(&random, 3) ? 0.03 : 0.3;
    double far = scree_random_below(&random, 8) ? 0 : 1000;
    scree_mesh_body body[2];
    random_bodies(&random, a.solid, b.solid, skin, far, body);
    body[0].tree = a.tree;
    body[1].tree = b.tree;
    for (size_t e = 0; e < ENGINES; e++) {
        scree_mesh_finder *finder = &stock->finder[e], *first = &stock->finder[0];
        if (mesh_engines[e].find(finder, &stock->search, &body[0], &body[1]))
            return false;
        bool same = finder->contact_count == first->contact_count &&
                    (finder->contact_count == 0 ||
                     memcmp(finder->contacts, first->contacts,
                            finder->contact_count * sizeof *finder->contacts) == 0);
        /* the same bits tell the same truth */
        size_t lies =
            e == 0 || !same ? count_lies(body, finder->contacts, finder->contact_count) : 0;
        if (lies || !same)
            printf("%s: pose %llu: %zu pairs are wrong%s\n", mesh_engines[e].name,
                   (unsigned long long)seed, lies, same ? "" : ", and bits are other ones");
        tally->lies[e] += lies;
        tally->other_bits[e] += !same;
    }
    tally->poses++;
    tally->touching += stock->finder[0].contact_count > 0;
    tally->contacts += stock->finder[0].contact_count;
    return true;
}

static int report_poses(const mesh_tally *tally, const mesh_stock *stock, double seconds)
{
    uint64_t wrong = 0;
    printf("%llu poses, %llu touch, %llu contacts, %.1f s\n%-16s %14s %12s %12s\n",
           (unsigned long long)tally->poses, (unsigned long long)tally->touching,
           (unsigned long long)tally->contacts, seconds, "engine", "candidates", "wrong pairs",
           "other bits");
    for (size_t e = 0; e < ENGINES; e++) {
        printf("%-16s %14llu %12llu %12llu\n", mesh_engines[e].name,
               (unsigned long long)stock->finder[e].counts.candidates,
               (unsigned long long)tally->lies[e], (unsigned long long)tally->other_bits[e]);
        wrong += tally->lies[e] + tally->other_bits[e];
    }
    return wrong > 0;
}

int campaign_meshes(const campaign *c, uint32_t job)
{
    static mesh_stock stock;
    mesh_tally tally = {0};
    campaign_watch watch = campaign_begin();
    if (!make_stock(&stock)) {
        printf("campaign: no memory for meshes\n");
        return 2;
    }
    for (uint64_t k = job; k < c->count; k += c->jobs) {
        if (campaign_is_over(c, &watch, tally.poses, "poses"))
            break;
        if (!try_pose(&stock, c->seed + k, &tally)) {
            printf("campaign: no memory for contacts\n");
            return 2;
        }
    }
    int code = report_poses(&tally, &stock, campaign_now() - watch.start);
    free_stock(&stock);
    return code;
}
