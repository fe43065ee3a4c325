/*  The folder of a small run that was stopped half way, kept in memory: it is laid out again for each input, and what a run without a
    break ends with is known. The run is made by the first call, in this process. */
#ifndef SCREE_TESTS_FUZZ_KEPT_RUN_H
#define SCREE_TESTS_FUZZ_KEPT_RUN_H

#include "app/run/run.h"
#include "common/options.h"
#include "fuzz/scratch_folder.h"

/*  Bonds, so that there is breaks.csv, a wall that moves, a column, files in a series; and a parameter of each kind. */
static const char kept_scene[] =
    "local dt = param { name = 'dt', default = 1e-5, lower = 1e-9, upper = 1e-3 }\n"
    "local down, damping = param('down', 9.81), param('damping', 0)\n"
    "local law, name, rest = param('law', 'linear'), param('name', 'floor'), param('rest', false)\n"
    "local young, friction = param('young', 1e6), param('friction', 0.3)\n"
    "local count = param { name = 'count', default = 2, lower = 1, upper = 9 }\n"
    "domain { lower = {-1, -1, -1}, upper = {1, 1, 1} }\n"
    "gravity { 0, 0, -down }\n"
    "local grain = material { density = 2500, young = young, stiffness = 1e4, friction = friction "
    "}\n"
    "local glue = material { density = 2000, young = 1e6 }\n"
    "rule { materials = {grain, grain}, law = law }\n"
    "rule { materials = {glue, glue}, law = 'bonded',\n"
    "       values = { bond_young = 1e5, bond_tension = 1e2, bond_shear = 1e2 } }\n"
    "local floor = wall { name = name, shape = plane { }, material = grain,\n"
    "    motion = swing { amplitude = {0, 0, param('swing', 0.001)}, frequency = 5 } }\n"
    "local list = {}\n"
    "for k = 1, count do list[k] = {0.19 * (k % 3), 0, 0.097 + 0.19 * (k // 3), 0.1} end\n"
    "bodies { list = list, material = grain, velocity = {param('speed', 1), 0, 0} }\n"
    "bodies { list = { {-0.5, 0, 0.3, 0.1}, {-0.3, 0, 0.3, 0.1} }, material = glue }\n"
    "bond { gap = 1e-3 }\n"
    "measure { name = 'hit', what = 'force', wall = floor }\n"
    "if rest then sleep { speed = 1e-3 } end\n"
    "metrics { every_steps = param('rows', 5) }\n"
    "output { every_steps = param('frames', 10), write = 'csv' }\n"
    "checkpoint { every_steps = 10, keep = param('keep', 2) }\n"
    "solver { dt = dt, damping = damping }\n"
    "run { steps = param('steps', 40) }\n";

#define KEPT_STEPS 20 /* where it was stopped, */
#define KEPT_END 40   /* and where a continued run ends, whatever its scene says */
#define KEPT_MOST 32
#define KEPT_FOLDER "run"

static const char *const kept_folders[] = {KEPT_FOLDER, KEPT_FOLDER "/checkpoints",
                                           KEPT_FOLDER "/film", KEPT_FOLDER "/frames"};
#define KEPT_FOLDERS (sizeof kept_folders / sizeof *kept_folders)

static struct kept_file
{
    char name[64]; /* in the folder */
    uint8_t *bytes;
    size_t count;
} kept_files[KEPT_MOST];
static size_t kept_file_count;
static uint64_t kept_digest; /* at the end, */
static struct kept_file kept_tables[] = {{KEPT_FOLDER "/metrics.csv", NULL, 0},
                                         {KEPT_FOLDER "/breaks.csv", NULL, 0}}; /* and these */
#define KEPT_TABLES (sizeof kept_tables / sizeof *kept_tables)
static char kept_message[600];

static void kept_hear(const char *text, void *user)
{
    (void)user;
    /* warnings come before what ends the run */
    snprintf(kept_message, sizeof kept_message, "%s", text);
}

/*  Starts or continues the run in the folder. Returns the exit code. */
static int kept_go(scree_run_options options, uint64_t *digest)
{
    char path[SCRATCH_PATH];

    options.folder = scratch_path(path, KEPT_FOLDER);
    options.threads = 1;
    options.mode = SCREE_PROGRESS_QUIET;
    options.has_host = true;
    kept_message[0] = 0;
    scree_receive_messages(kept_hear, NULL);
    int code = scree_run_go(&options, digest);
    scree_receive_messages(NULL, NULL);
    return code;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct kept_file *)a)->name, ((const struct kept_file *)b)->name);
}

static void kept_read(struct kept_file *file)
{
    char path[SCRATCH_PATH];
    struct stat info;
    FILE *stream = fopen(scratch_path(path, file->name), "rb");

    insist(stream && fstat(fileno(stream), &info) == 0, "a file of the run");
    file->count = (size_t)info.st_size;
    file->bytes = malloc(file->count + 1);
    insist(file->bytes && fread(file->bytes, 1, file->count, stream) == file->count,
           "a file of the run");
    fclose(stream);
}

static void kept_read_folder(const char *folder)
{
    char path[SCRATCH_PATH], name[SCRATCH_PATH];
    DIR *list = opendir(scratch_path(path, folder));

    insist(list != NULL, "the folder of the run");
    for (struct dirent *entry; (entry = readdir(list));) {
        struct stat info;
        snprintf(name, sizeof name, "%.20s/%.40s", folder, entry->d_name);
        if (stat(scratch_path(path, name), &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        insist(kept_file_count < KEPT_MOST, "few files");
        memcpy(kept_files[kept_file_count].name, name, sizeof kept_files->name);
        kept_read(&kept_files[kept_file_count++]);
    }
    closedir(list);
}

static void kept_free(void)
{
    for (size_t k = 0; k < kept_file_count; k++)
        free(kept_files[k].bytes);
    for (size_t k = 0; k < KEPT_TABLES; k++)
        free(kept_tables[k].bytes);
}

/*  The tables are those of a run without a break. */
static inline bool kept_tables_are_whole(void)
{
    bool same = true;

    for (size_t k = 0; k < KEPT_TABLES; k++) {
        struct kept_file now = kept_tables[k];
        kept_read(&now);
        same = same && now.count == kept_tables[k].count &&
               memcmp(now.bytes, kept_tables[k].bytes, now.count) == 0;
        free(now.bytes);
    }
    return same;
}

/*  The files in the order of their names, so that input means the same everywhere. */
static inline void kept_make(void)
{
    uint64_t digest;

    if (kept_file_count)
        return;
    insist(kept_go(
               (scree_run_options){
                   .text = kept_scene, .name = "scene", .steps = KEPT_STEPS, .force = true},
               &digest) == SCREE_EXIT_OK,
           kept_message);
    for (size_t k = 0; k < KEPT_FOLDERS; k++)
        kept_read_folder(kept_folders[k]);
    qsort(kept_files, kept_file_count, sizeof *kept_files, by_name);
    insist(kept_go((scree_run_options){.resume = true, .steps = KEPT_END}, &kept_digest) ==
               SCREE_EXIT_OK,
           kept_message);
    for (size_t k = 0; k < KEPT_TABLES; k++)
        kept_read(&kept_tables[k]);
    insist(atexit(kept_free) == 0, "atexit");
}

/*  The folder as it was when the run had been stopped. */
static inline void kept_lay_out(void)
{
    char path[SCRATCH_PATH];

    scratch_empty(scratch_path(path, KEPT_FOLDER));
    for (size_t k = 0; k < KEPT_FOLDERS; k++)
        (void)mkdir(scratch_path(path, kept_folders[k]), 0777);
    for (size_t k = 0; k < kept_file_count; k++)
        scratch_write(kept_files[k].name, kept_files[k].bytes, kept_files[k].count);
}

#endif
