/*  At the start all ranks tell each other whether they have a world, so that none waits for one that has failed. */
#include "app/run/ranks.h"

#include "app/run/run.h"
#include "base/error.h"
#include "base/hash.h"
#include "common/machine.h"
#include "common/options.h"
#include "io/checkpoint_ranks.h"

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scree_run_is_on_ranks(bool is_asked)
{
    return is_asked || scree_mpi_is_launched();
}

uint32_t scree_run_ranks_threads(const scree_run_ranks *on)
{
    const char *text = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const long local = text ? strtol(text, NULL, 10) : 0;
    const uint32_t sharing = local > 0 ? (uint32_t)local : on->mpi.comm.size;
    const uint32_t share = scree_machine_cores() / sharing;

    return share ? share : 1;
}

int scree_run_ranks_begin(scree_run_ranks *on, const scree_run_options *options)
{
    scree_error error = {SCREE_OK, ""};
    const scree_status status = scree_mpi_open(&on->mpi, &error);

    if (status)
        return scree_status_error(status, error.text);
    /* all ranks have the same command line: one of them prints */
    if (options->device && on->mpi.comm.rank == 0)
        return scree_usage_error(
            "run: not with ranks yet: --device (ranks step on processors): leave "
            "it out, or start one process");
    return options->device ? SCREE_EXIT_USAGE : SCREE_EXIT_OK;
}

void scree_run_ranks_end(scree_run_ranks *on)
{
    scree_mpi_close(&on->mpi);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = scree_hash_word(hash, (unsigned char)*text);
    return scree_hash_word(hash, text ? 256 : 257);
}

uint64_t scree_run_ranks_digest(const scree_run_options *options, const char *const *sweeps,
                                size_t sweep_count, const char *out)
{
    uint64_t hash = hash_text(hash_text(SCREE_HASH_START, options->scene), out);

    hash = hash_text(hash, options->with);

    for (size_t k = 0; k < options->setting_count; k++)
        hash = hash_text(hash, options->settings[k]);
    for (size_t k = 0; k < sweep_count; k++)
        hash = hash_text(hash, sweeps[k]);
    return hash;
}

typedef struct rank_answers
{
    scree_status status;
    bool rank_0_has_failed; /* it has printed why */
    bool lines_differ;      /* the command lines differ */
} rank_answers;

/*  Whether all ranks have a world, from the same command line. */
static rank_answers answer(const scree_run_ranks *on, scree_status own)
{
    const scree_comm *comm = &on->mpi.comm;
    uint64_t words[] = {(uint64_t)own, comm->rank == 0 && own != SCREE_OK, on->command_line,
                        ~on->command_line};
    const scree_status status =
        comm->reduce(comm->user, SCREE_REDUCE_MAX, words, sizeof words / sizeof *words);
    rank_answers all = {status, words[1] != 0, !status && words[2] != ~words[3]};

    if (!status)
        all.status = words[0]           ? (scree_status)words[0]
                     : all.lines_differ ? SCREE_BAD_ARGUMENT
                                        : SCREE_OK;
    return all;
}

/*  For several runs started together, each with its own command line. */
static const char differ[] = "ranks: command lines differ in the scene, --set, --sweep or --out: "
                             "mpirun starts one run of several "
                             "processes; set SCREE_RANKS=0 for a run of each process";

/* ---- rank 0 ---- */

int scree_run_ranks_open(scree_run *run)
{
    scree_run_ranks *on = run->options->ranks;
    scree_error error = {SCREE_OK, ""};

    if (!on)
        return SCREE_EXIT_OK;
    on->has_answered = true;
    const rank_answers all = answer(on, SCREE_OK);
    if (all.status)
        return scree_status_error(
            all.status, all.lines_differ ? differ : "ranks: another rank could not make the world");
    const scree_status status = scree_ranks_open(&on->mpi.comm, run->world, &on->ranks, &error);
    if (status)
        return scree_status_error(status, error.text);
    scree_ranks_checkpoint_prepare(on->ranks);
    return SCREE_EXIT_OK;
}

scree_status scree_run_ranks_checkpoint(scree_run *run, const char *path,
                                        const scree_checkpoint_part *parts, size_t part_count,
                                        scree_error *error)
{
    const scree_run_ranks *on = run->options ? run->options->ranks : NULL;

    return on && on->ranks
               ? scree_ranks_checkpoint_write(on->ranks, run->world, path, parts, part_count, error)
               : scree_checkpoint_write(run->world, path, parts, part_count, error);
}

void scree_run_ranks_close(scree_run *run)
{
    scree_run_ranks *on = run->options ? run->options->ranks : NULL;

    if (!on)
        return;
    if (!on->has_answered)
        (void)answer(on, SCREE_BAD_ARGUMENT);
    on->has_answered = true;
    scree_ranks_close(on->ranks);
    on->ranks = NULL;
}

bool scree_run_ranks_have_lost_world(const scree_run *run)
{
    const scree_run_ranks *on = run->options ? run->options->ranks : NULL;

    return on && on->ranks && scree_ranks_have_lost_world(on->ranks);
}

/* ---- how work was shared ---- */

/*  A number of each rank: its mean, and the largest. */
typedef struct spread
{
    double mean, most;
} spread;

/*  `offset` of a member of scree_rank_load. */
static spread spread_of(const scree_rank_load *load, uint32_t size, size_t offset)
{
    spread s = {0, 0};

    for (uint32_t r = 0; r < size; r++) {
        uint64_t number;
        memcpy(&number, (const char *)&load[r] + offset, sizeof number);
        s.mean += (double)number / size;
        s.most = fmax(s.most, (double)number);
    }
    return s;
}

static double share_of_waiting(const scree_rank_load *load)
{
    return load->step_ns ? 100.0 * (double)load->waiting_ns / (double)load->step_ns : 0;
}

static void say_loads(scree_run *run, const scree_rank_load *load, uint32_t size)
{
    const spread owned = spread_of(load, size, offsetof(scree_rank_load, owned));
    const spread work = spread_of(load, size, offsetof(scree_rank_load, work));
    const spread ghosts = spread_of(load, size, offsetof(scree_rank_load, ghosts));
    const spread bytes = spread_of(load, size, offsetof(scree_rank_load, bytes));
    const spread messages = spread_of(load, size, offsetof(scree_rank_load, messages));
    const double steps = load[0].steps ? (double)load[0].steps : 1;
    double least = 100, most = 0;

    for (uint32_t r = 0; r < size; r++) {
        least = fmin(least, share_of_waiting(&load[r]));
        most = fmax(most, share_of_waiting(&load[r]));
    }
    scree_notes_say(
        &run->notes,
        "ranks: %u, with %.0f bodies (at most %.0f), the largest work %.2f times the mean, and "
        "%.0f copies (at most %.0f); each "
        "sent %.3g kB in %.1f messages a step (at most %.3g kB); waiting %.0f to %.0f %% "
        "of the time of steps",
        (unsigned)size, owned.mean, owned.most, work.mean > 0 ? work.most / work.mean : 1,
        ghosts.mean, ghosts.most, 1e-3 * bytes.mean / steps, messages.mean / steps,
        1e-3 * bytes.most / steps, least, most);
    for (uint32_t r = 0; r < size; r++)
        scree_notes_log(
            &run->notes,
            "rank %u: %llu bodies, %llu copies; %.3g kB and %.1f messages a step; %.3g s "
            "of steps, %.0f %% of it waiting",
            (unsigned)r, (unsigned long long)load[r].owned, (unsigned long long)load[r].ghosts,
            1e-3 * (double)load[r].bytes / steps, (double)load[r].messages / steps,
            1e-9 * (double)load[r].step_ns, share_of_waiting(&load[r]));
}

void scree_run_ranks_say(scree_run *run)
{
    scree_run_ranks *on = run->options ? run->options->ranks : NULL;

    if (!on || !on->ranks)
        return;
    const uint32_t size = scree_ranks_count(on->ranks);
    scree_rank_load *load = malloc(size * sizeof *load);
    if (load && scree_ranks_loads(on->ranks, load) == SCREE_OK)
        say_loads(run, load, size);
    free(load);
}

/* ---- other ranks ---- */

/*  Signals are handled by rank 0, which stops the others. */
static void ignore_signals(void)
{
    static const int heard[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1};

    for (size_t k = 0; k < sizeof heard / sizeof *heard; k++)
        signal(heard[k], SIG_IGN);
}

/*  The scene in the folder of a run; to be freed; NULL without memory. */
static char *scene_in(const char *folder)
{
    const size_t bytes = strlen(folder) + sizeof "/scene.lua";
    char *path = malloc(bytes);

    if (path)
        snprintf(path, bytes, "%s/scene.lua", folder);
    return path;
}

/*  Opens the scene of rank 0: of a run that is continued the one in its folder, or the one that replaces it. */
static scree_status open_scene(const scree_run_options *options, scree_scene **scene,
                               scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();
    char *own = NULL;

    def.path = options->with ? options->with : options->scene;
    if (!def.path)
        def.path = own = scene_in(options->folder);
    def.settings = options->settings;
    def.setting_count = options->setting_count;
    def.error = error;
    const scree_status status =
        def.path ? scree_scene_open(&def, scene)
                 : scree_fail(error, SCREE_OUT_OF_MEMORY, "scene.lua: out of memory");
    free(own);
    return status;
}

/*  Makes a world like that of rank 0, but without bodies, and a scene, which the caller frees even after a failure. */
static scree_status make_world(const scree_run_ranks *on, const scree_run_options *options,
                               scree_scene **scene, scree_world **world, scree_error *error)
{
    scree_world_def hooks = scree_default_world_def();
    scree_status status = open_scene(options, scene, error);

    if (status)
        return status;
    const uint32_t said = scree_scene_plan_of(*scene)->threads;
    hooks.compute.thread_count = options->threads ? (uint32_t)options->threads
                                 : said           ? said
                                                  : scree_run_ranks_threads(on);
    return scree_scene_build(*scene, &hooks, world, error);
}

void scree_run_ranks_serve(scree_run_ranks *on, const scree_run_options *options)
{
    const scree_comm *comm = &on->mpi.comm;
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    scree_rank_team *ranks = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status own, status;

    ignore_signals();
    own = make_world(on, options, &scene, &world, &error);
    const rank_answers all = answer(on, own);
    status = all.status;
    if (own && !all.rank_0_has_failed && !all.lines_differ)
        (void)scree_status_error(own, error.text);
    if (!status)
        status = scree_ranks_open(comm, world, &ranks, &error);
    if (!status) {
        scree_ranks_checkpoint_prepare(ranks);
        (void)scree_ranks_serve(ranks);
    }
    scree_ranks_close(ranks);
    scree_world_destroy(world);
    scree_scene_close(scene);
}

/* ---- a run on all ranks ---- */

bool scree_run_ranks_leads(const scree_run_ranks *on)
{
    return !on || on->mpi.comm.rank == 0;
}

int scree_run_ranks_agree(const scree_run_ranks *on, int code)
{
    uint64_t word = scree_run_ranks_leads(on) ? (uint64_t)code : 0;

    if (!on)
        return code;
    const scree_comm *comm = &on->mpi.comm;
    return comm->reduce(comm->user, SCREE_REDUCE_SUM, &word, 1) ? SCREE_EXIT_SYSTEM : (int)word;
}
