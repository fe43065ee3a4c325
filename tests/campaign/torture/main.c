/*  torture kill PROGRAM [--runs N] [--seed S] [--stages 1]
    torture faults PROGRAM LIBRARY [--every N]
    torture lose CHECKPOINT */
#include "torture.h"

#include "scree/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  Grains that are poured into a box with a floor that shakes: all that a run writes is written. */
static const char scene_text[] =
    "gravity { 0, 0, -9.81 }\n"
    "domain { lower = {0, 0, 0}, upper = {0.05, 0.05, 0.1}, boundary = {\"reflect\", \"reflect\", "
    "\"destroy\"} }\n"
    "glass = material { density = 2500, young = 1e6, restitution = 0.5, friction = 0.4 }\n"
    "wall { shape = plane { point = {0, 0, 0.01}, normal = {0, 0, 1} }, material = glass,\n"
    "       motion = swing { amplitude = {0, 0, 0.001}, frequency = 30 } }\n"
    "fill { count = 20, shape = sphere { radius = uniform(0.002, 0.003) }, material = glass,\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.05, 0.05, 0.09} } }\n"
    "pour { count = 20, rate = 400, shape = sphere { radius = 0.002 }, material = glass,\n"
    "       region = box { lower = {0, 0, 0.06}, upper = {0.05, 0.05, 0.09} } }\n"
    "solver { dt = 5e-5, act_every = 10 }\n"
    "output { every = 0.005, write = {\"vtk\", \"csv\"} }\n"
    "metrics { every_steps = 10 }\n"
    "checkpoint { every_steps = 50, keep = 100 }\n";

static const char one_act[] = "run { steps = 500 }\n";

/*  The same in stages, of which each changes what must be there again after a resume: walls, bodies, gravity, intervals. */
static const char acts[] =
    "lid = wall { shape = plane { point = {0, 0, 0.09}, normal = {0, 0, -1} }, material = glass }\n"
    "more = fill { count = 5, shape = sphere { radius = 0.002 }, material = glass,\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.05, 0.05, 0.09} } }\n"
    "stage { ends = any { count { above = 30, during = 0.003 }, after(0.01) } }\n"
    "stage { add = {lid, more}, gravity = {1, 0, -9.81}, ends = after { steps = 123 }, "
    "output_every = 0.001 }\n"
    "stage { remove = box { lower = {0, 0, 0}, upper = {0.02, 0.05, 0.1} }, check_every = 7,\n"
    "        change = drive { wall = lid, motion = move { velocity = {0, 0, -1} } },\n"
    "        ends = wall_moved { wall = lid, above = 0.004 }, at_most = 1 }\n"
    "stage { remove = lid, ends = after(0.005) }\n";

static bool write_scene(torture *t)
{
    FILE *file = fopen(t->scene, "wb");
    bool good =
        file && fputs(scene_text, file) >= 0 && fputs(t->in_stages ? acts : one_act, file) >= 0;
    return file && fclose(file) == 0 && good;
}

bool torture_begin(torture *t, const char *program, bool in_stages)
{
    char text[1000];

    memset(t, 0, sizeof *t);
    t->program = program;
    t->in_stages = in_stages;
    const char *base = getenv("TMPDIR");
    snprintf(t->work, sizeof t->work, "%s/scree-torture-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(t->work)) {
        printf("torture: no folder %s\n", t->work);
        return false;
    }
    snprintf(t->scene, sizeof t->scene, "%s/scene.lua", t->work);
    snprintf(t->reference, sizeof t->reference, "%s/reference", t->work);
    if (!write_scene(t))
        return false;
    const char *const words[] = {t->scene, "--out", t->reference, "--threads", "1", NULL};
    double begin = torture_clock();
    int code = torture_wait(torture_start(t, NULL, words), 60);
    t->seconds = torture_clock() - begin;
    if (code != 0 || !torture_digest(t->reference, t->digest)) {
        torture_errors(t, text);
        printf("torture: the run that nothing happens to ends with %d: %s\n", code, text);
        return false;
    }
    return true;
}

void torture_end(torture *t)
{
    /* what went wrong stays for a look */
    if (t->failed == 0)
        torture_remove(t->work);
}

/*  Takes the first body out of a checkpoint, behind the back of the run that wrote it. */
static int lose(const char *path)
{
    scree_checkpoint_part parts[16];
    scree_checkpoint *checkpoint = NULL;
    scree_error error = {SCREE_OK, "there is no body"};
    scree_world *world = NULL;
    size_t count = 0;
    int code = 1;

    if (!scree_checkpoint_read(path, NULL, &checkpoint, &error) &&
        !scree_checkpoint_world(checkpoint, NULL, &world, &error) &&
        scree_world_body_count(world) > 0 &&
        !scree_world_remove_body(world, scree_body_id_at(scree_world_bodies(world).id, 0))) {
        while (count < 16 && scree_checkpoint_part_at(checkpoint, count, &parts[count]))
            count++;
        code = scree_checkpoint_write(world, path, parts, count, &error) != SCREE_OK;
    }
    if (code)
        printf("torture: %s: %s\n", path, error.text);
    scree_world_destroy(world);
    scree_checkpoint_destroy(checkpoint);
    return code;
}

static int usage(void)
{
    printf("usage: torture kill PROGRAM [--runs N] [--seed S] [--stages 1]\n"
           "       torture faults PROGRAM LIBRARY [--every N]\n"
           "       torture lose CHECKPOINT\n");
    return 2;
}

int main(int argc, char **argv)
{
    torture t;
    uint64_t runs = 1000, seed = 1, every = 1, stages = 0;
    bool is_kill = argc > 2 && strcmp(argv[1], "kill") == 0;
    bool is_faults = argc > 3 && strcmp(argv[1], "faults") == 0;

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 3 && strcmp(argv[1], "lose") == 0)
        return lose(argv[2]);
    if (!is_kill && !is_faults)
        return usage();
    for (int k = is_kill ? 3 : 4; k < argc; k += 2) {
        if (k + 1 == argc)
            return usage();
        uint64_t value = strtoull(argv[k + 1], NULL, 10);
        if (strcmp(argv[k], "--runs") == 0)
            runs = value;
        else if (strcmp(argv[k], "--seed") == 0)
            seed = value;
        else if (strcmp(argv[k], "--stages") == 0)
            stages = value;
        else if (strcmp(argv[k], "--every") == 0 && value > 0)
            every = value;
        else
            return usage();
    }
    int code = 1;
    if (torture_begin(&t, argv[2], stages > 0))
        code = is_kill ? torture_kill(&t, runs, seed) : torture_faults(&t, argv[3], every);
    else
        t.failed++;
    torture_end(&t);
    printf("torture_%s: %llu passed, %llu failed\n", argv[1], (unsigned long long)t.passed,
           (unsigned long long)t.failed);
    return code;
}
