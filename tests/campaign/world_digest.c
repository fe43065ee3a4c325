/*  A drum of 20,000 spheres of radii 1:10, for 5,000 steps, computed in every way there is: the digests must be
    one. Or 2,000 bumpy bodies of triangles that pour through a funnel, for 10,000 steps, in the ways that concern them;
    then the energy balance must close, too. Or 20,000 bodies of all shapes, with laws and boundaries of all kinds (mixed.lua), for
    1,000 steps. `./do digest` builds this with each compiler, optimised and not, and compares
    them, too.

        world_digest [--funnel | --mixed] [--steps N] [--small] [--one] [--share K/N]

    --small takes a tenth of the bodies; --one computes in one way alone, and prints nothing but the digest; --share
    takes every N-th way, from the K-th on, so that N processes do all of them. */
#include "harness/funnel.h"
#include "harness/schedulers.h"

#include "base/clock.h"
#include "harness/mixed_scene.h"
#include "scree/checkpoint.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const drum_scene large = {.across = 7,
                                 .layers = 5,
                                 .facets = 1920,
                                 .has_planes = true,
                                 .integrator = SCREE_VELOCITY_VERLET,
                                 .has_energy_balance = true,
                                 .overlap_limit = INFINITY};
static const drum_scene small = {.across = 4,
                                 .layers = 1,
                                 .facets = 240,
                                 .has_planes = true,
                                 .integrator = SCREE_VELOCITY_VERLET,
                                 .has_energy_balance = true,
                                 .overlap_limit = INFINITY};

static const funnel_scene stones = {.stones = 2000, .facets = 80, .forms = 16};
static const funnel_scene few_stones = {.stones = 200, .facets = 80, .forms = 16};
/*  Of the energy turned over, that the energy balance may lose by steps of 2e-5 s. */
#define LARGEST_GAP 0.01

static const uint32_t mixed_bodies = 20000, few_mixed_bodies = 2000;

/*  A world, and the scene that pours into it and takes out, where there is one. */
typedef struct subject
{
    scree_world *world;
    scree_scene *scene;
} subject;

typedef struct campaign
{
    const drum_scene *drum;
    const funnel_scene *funnel; /* instead */
    uint32_t mixed;             /* instead: bodies */
    scree_mesh_engine engine;
    uint64_t steps, expected;
    uint32_t runs, wrong;
    uint32_t way, share, shares;
    bool is_quiet;
} campaign;

static void give_up(const char *what, const char *why)
{
    fprintf(stderr, "world_digest: %s: %s\n", what, why);
    exit(2);
}

/*  Of the ways in their order, this one. */
static bool is_mine(campaign *c)
{
    return c->way++ % c->shares == c->share;
}

static subject open_subject(const campaign *c, const drum_way *way, const char *name)
{
    scree_error error = {SCREE_OK, ""};
    subject s = {0};

    s.world = c->mixed    ? mixed_scene_open(c->mixed, way, c->engine, &s.scene, &error)
              : c->funnel ? funnel_scene_open(c->funnel, way, c->engine, &error)
                          : drum_scene_open(c->drum, way, &error);
    if (!s.world)
        give_up(name, error.text);
    return s;
}

static void close_subject(subject *s)
{
    scree_world_destroy(s->world);
    scree_scene_close(s->scene);
}

static void advance(subject *s, uint64_t steps, const char *name)
{
    scree_error error = {SCREE_OK, ""};

    if (s->scene ? scree_scene_step(s->scene, s->world, steps, &error)
                 : scree_world_step(s->world, steps))
        give_up(name, s->scene ? error.text : scree_world_message(s->world));
}

static void compare(campaign *c, subject *s, const char *name, double start)
{
    uint64_t digest = scree_world_digest(s->world);

    if (c->runs++ == 0)
        c->expected = digest;
    c->wrong += digest != c->expected;
    if (c->is_quiet)
        printf("%016" PRIx64 "\n", digest);
    else
        printf("%016" PRIx64 "  %-36s %7.1f s  %6" PRIu64 " searches%s\n", digest, name,
               scree_clock_seconds() - start, scree_world_detection_stats(s->world).rebuilds,
               digest == c->expected ? "" : "   ANOTHER ONE");
    fflush(stdout);
    close_subject(s);
}

static void run(campaign *c, const drum_way *way, const char *name)
{
    if (!is_mine(c))
        return;
    double start = scree_clock_seconds();
    subject s = open_subject(c, way, name);

    advance(&s, c->steps, name);
    compare(c, &s, name, start);
}

/* ---- going on elsewhere ---- */

/*  What a scene has done so far, beside its world; of none no bytes. */
typedef struct course
{
    void *bytes;
    size_t count;
} course;

static course course_of(const subject *s, const char *name)
{
    course past = {NULL, s->scene ? scree_scene_course_bytes(s->scene) : 0};
    scree_error error = {SCREE_OK, ""};

    if (!s->scene)
        return past;
    past.bytes = malloc(past.count);
    if (!past.bytes || scree_scene_course_save(s->scene, past.bytes, past.count, &error))
        give_up(name, error.text);
    return past;
}

static void take_course(subject *s, const void *bytes, size_t count, const char *name)
{
    scree_error error = {SCREE_OK, ""};

    if (s->scene && scree_scene_course_load(s->scene, bytes, count, &error))
        give_up(name, error.text);
}

/*  Half of the way in one world, the other half in another one that has a past of its own. */
static void run_across(campaign *c, const drum_way *from, const drum_way *to, const char *name)
{
    if (!is_mine(c))
        return;
    double start = scree_clock_seconds();
    subject first = open_subject(c, from, name), second = open_subject(c, to, name);
    scree_snapshot *snapshot;

    advance(&second, 3, name);
    advance(&first, c->steps / 2, name);
    course past = course_of(&first, name);
    if (scree_world_snapshot(first.world, &snapshot))
        give_up(name, scree_world_message(first.world));
    close_subject(&first);
    if (scree_world_restore(second.world, snapshot))
        give_up(name, scree_world_message(second.world));
    scree_snapshot_destroy(snapshot);
    take_course(&second, past.bytes, past.count, name);
    free(past.bytes);
    advance(&second, c->steps - c->steps / 2, name);
    compare(c, &second, name, start);
}

static void write_file(subject *s, const char *path, const char *name)
{
    course past = course_of(s, name);
    const scree_checkpoint_part part = {"course", past.bytes, past.count};
    scree_error error = {SCREE_OK, ""};

    if (scree_checkpoint_write(s->world, path, &part, 1, &error))
        give_up(name, error.text);
    free(past.bytes);
}

static void read_file(const campaign *c, subject *s, const char *path, const drum_way *way,
                      const char *name)
{
    scree_error error = {SCREE_OK, ""};
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint_part part = {0};
    scree_checkpoint *checkpoint;

    drum_way_apply(way, &hooks);
    if (scree_checkpoint_read(path, NULL, &checkpoint, &error) ||
        scree_checkpoint_world(checkpoint, &hooks, &s->world, &error) ||
        !scree_checkpoint_part_of(checkpoint, "course", &part))
        give_up(name, error.text);
    s->scene = c->mixed ? mixed_scene_read(c->mixed, &error) : NULL;
    if (c->mixed && !s->scene)
        give_up(name, error.text);
    take_course(s, part.data, part.bytes, name);
    scree_checkpoint_destroy(checkpoint);
}

/*  The other half in a world that is made of a file and nothing else. */
static void run_from_file(campaign *c, const drum_way *from, const drum_way *to, const char *name)
{
    if (!is_mine(c))
        return;
    char path[64];
    double start = scree_clock_seconds();
    subject first = open_subject(c, from, name), second = {0};

    snprintf(path, sizeof path, "/tmp/scree-digest-%ld.scree", (long)getpid());
    advance(&first, c->steps / 2, name);
    write_file(&first, path, name);
    close_subject(&first);
    read_file(c, &second, path, to, name);
    remove(path);
    advance(&second, c->steps - c->steps / 2, name);
    compare(c, &second, name, start);
}

/* ---- all ways ---- */

static void run_methods(campaign *c)
{
    for (size_t m = 0; m < scree_method_count(); m++) {
        const drum_way way = {.method = scree_method_at(m)->name};
        run(c, &way, way.method);
    }
}

static void run_margins(campaign *c)
{
    static const char *const names[] = {"no margin", "skin", "tolerance", "stride",
                                        "distance",  "bins", "per-body"};

    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_PER_BODY; kind++) {
        scree_margin_def margin = scree_default_detector_def().margin;
        const drum_way way = {.margin = &margin, .method = "flat"};
        margin.kind = (scree_margin_kind)kind;
        run(c, &way, names[kind]);
    }
}

static void run_machines(campaign *c)
{
    static const char *const levels[] = {"", "scalar", "simd128", "avx2", "avx512"};
    static const uint32_t threads[] = {1, 2, 3, 8}, every[] = {0, 1, 7, 1000};
    char name[40];

    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        const drum_way way = {.simd = (scree_simd)level};
        run(c, &way, levels[level]);
    }
    for (int k = 0; k < 4; k++) {
        const drum_way way = {.threads = threads[k]};
        snprintf(name, sizeof name, "threads: %u", (unsigned)threads[k]);
        run(c, &way, name);
    }
    for (int k = 0; k < 4; k++) {
        const drum_way way = {.sort_every = every[k] + 1};
        snprintf(name, sizeof name, "sorted every %u", (unsigned)every[k]);
        run(c, &way, name);
    }
}

static void run_hosts(campaign *c)
{
    reverse_scheduler reverse = {.count = 0};
    delay_scheduler delay = {.seed = 7};
    const drum_way backwards = {.tasks = reverse_scheduler_tasks(&reverse)};
    const drum_way at_once = {.tasks = inline_scheduler_tasks()};
    const drum_way late = {.tasks = delay_scheduler_tasks(&delay)};

    run(c, &backwards, "tasks backwards");
    run(c, &at_once, "tasks at once");
    run(c, &late, "tasks late");
}

static void run_snapshots(campaign *c)
{
    scree_margin_def none = scree_default_detector_def().margin, skin = none;
    const drum_way ways[] = {
        {.method = "flat"},
        {.method = "hash-grids", .margin = &none, .simd = SCREE_SIMD_SCALAR, .sort_every = 8},
        {.method = "bvh8", .margin = &skin, .threads = 3, .sort_every = 1},
    };

    skin.kind = SCREE_MARGIN_SKIN;
    for (int k = 0; k < 3; k++)
        run_across(c, &ways[k], &ways[(k + 1) % 3], "snapshot in the middle");
    run_from_file(c, &ways[2], &ways[1], "file in the middle");
}

static void run_engines(campaign *c)
{
    static const char *const engines[] = {"", "boxes", "surrogate trees"};

    for (int engine = SCREE_MESH_ENGINE_BOXES; engine <= SCREE_MESH_ENGINE_SURROGATE; engine++) {
        const drum_way plain = {.method = "flat"};
        c->engine = (scree_mesh_engine)engine;
        run(c, &plain, engines[engine]);
    }
    c->engine = SCREE_MESH_ENGINE_AUTO;
}

/*  The whole of the energies, and how many contacts there are in the end. */
static void run_balance(campaign *c)
{
    if (!is_mine(c))
        return;
    const drum_way plain = {.method = "flat"};
    double start = scree_clock_seconds();
    subject s = open_subject(c, &plain, "plain");

    advance(&s, c->steps, "plain");
    double gap = funnel_scene_gap(s.world);
    scree_energy e = scree_world_energy(s.world);
    if (!c->is_quiet) {
        printf("%zu bodies, %" PRIu64 " contacts; J: %.4g moving, %.4g elastic, %.4g lost in "
               "contacts; energy error %.2g%s\n",
               scree_world_body_count(s.world), scree_world_detection_stats(s.world).contacts,
               e.kinetic + e.rotational, e.elastic, e.damping + e.friction + e.rolling, gap,
               fabs(gap) < LARGEST_GAP ? "" : "   TOO MUCH");
        c->runs++;
        c->wrong += !(fabs(gap) < LARGEST_GAP);
        c->expected = scree_world_digest(s.world);
    }
    compare(c, &s, "plain", start);
}

static void run_funnel(campaign *c)
{
    run_balance(c);
    if (c->is_quiet)
        return;
    run_machines(c);
    run_engines(c);
    run_snapshots(c);
}

/*  Also of the mixed scene: it has the same ways, and more. */
static void run_drum(campaign *c)
{
    const drum_way plain = {.method = "flat"};

    if (c->mixed)
        run_balance(c);
    else
        run(c, &plain, "plain");
    if (c->is_quiet)
        return;
    run_methods(c);
    run_margins(c);
    run_machines(c);
    run_hosts(c);
    if (c->mixed)
        run_engines(c);
    run_snapshots(c);
}

static void read_share(campaign *c, const char *text)
{
    if (sscanf(text, "%" SCNu32 "/%" SCNu32, &c->share, &c->shares) != 2 || c->share >= c->shares)
        give_up(text, "--share wants K/N, with K from 0 and below N");
}

int main(int argc, char **argv)
{
    campaign c = {.drum = &large, .shares = 1};
    bool is_small = false, is_funnel = false, is_mixture = false;

    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--steps") == 0 && k + 1 < argc)
            c.steps = strtoull(argv[++k], NULL, 10);
        else if (strcmp(argv[k], "--share") == 0 && k + 1 < argc)
            read_share(&c, argv[++k]);
        else if (strcmp(argv[k], "--small") == 0)
            is_small = true;
        else if (strcmp(argv[k], "--funnel") == 0)
            is_funnel = true;
        else if (strcmp(argv[k], "--mixed") == 0)
            is_mixture = true;
        else if (strcmp(argv[k], "--one") == 0)
            c.is_quiet = true;
        else
            give_up(argv[k],
                    "options are --funnel, --mixed, --steps N, --small, --one, --share K/N");
    }
    if (is_small)
        c.drum = &small;
    if (is_funnel)
        c.funnel = is_small ? &few_stones : &stones;
    if (is_mixture)
        c.mixed = is_small ? few_mixed_bodies : mixed_bodies;
    if (!c.steps)
        c.steps = is_mixture ? 1000 : is_funnel ? 10000 : 5000;
    if (is_funnel)
        run_funnel(&c);
    else
        run_drum(&c);
    if (c.is_quiet)
        return 0;
    printf("%u passed, %u failed\n", c.runs - c.wrong, c.wrong);
    return c.wrong != 0;
}
