/*  Runs side by side: each is a process of its own, with the runs' own code, so that one that fails harms no other. What it
    says goes to a file next to its folder, and from there into one message. */
#include "app/calibrate/calibration.h"

#include "app/run/run.h"
#include "app/run/signals.h"
#include "common/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define PAUSE_NS 10000000 /* between looks at the processes */

char *scree_try_folder(const scree_calibration *c, size_t number)
{
    char name[32];
    snprintf(name, sizeof name, "try-%03zu", number + 1);
    return scree_join_path(c->folder, name);
}

static char *words_path(const scree_calibration *c, size_t number)
{
    char name[32];
    snprintf(name, sizeof name, "try-%03zu.txt", number + 1);
    return scree_join_path(c->folder, name);
}

/* ---- one run, in its own process ---- */

/*  Whether a folder has this very run, finished or not: an older search may have left another one. */
static bool has_this_run(const scree_run_options *options)
{
    scree_scene_def def = scree_default_scene_def();
    char *path = scree_join_path(options->folder, "scene.lua"), *text = NULL;
    scree_scene *scene = NULL;
    size_t bytes = 0;
    bool same = false;

    def.path = options->scene;
    def.settings = options->settings;
    def.setting_count = options->setting_count;
    if (path && scree_scene_open(&def, &scene) == SCREE_OK &&
        scree_read_file(path, &text, &bytes) == SCREE_EXIT_OK) {
        const char *wanted = scree_scene_resolved(scene);
        same = strlen(wanted) == bytes && memcmp(wanted, text, bytes) == 0;
    }
    scree_scene_close(scene);
    free(text);
    free(path);
    return same;
}

/*  A run that was stopped continues from its last checkpoint, and one that is finished is read. */
static int run_or_continue(const scree_calibration *c, scree_run_options *options)
{
    uint64_t digest;
    scree_folder_state state = scree_folder_look(options->folder);
    bool is_there = state == SCREE_FOLDER_STOPPED || state == SCREE_FOLDER_FINISHED;

    if (is_there && !c->force && has_this_run(options)) {
        if (state == SCREE_FOLDER_FINISHED)
            return SCREE_EXIT_OK;
        options->resume = true;
        options->scene = NULL;
        options->setting_count = 0;
    }
    options->force = is_there && !options->resume;
    return scree_run_go(options, &digest);
}

static int run_here(const scree_calibration *c, const scree_try *tried, const char *folder)
{
    const char **settings = malloc((c->setting_count + c->axis_count) * sizeof *settings);
    char own[SCREE_GAUSS_DIMENSIONS][SCREE_CALIBRATE_MAX_NAME + SCREE_REAL_TEXT];

    if (!settings)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    for (size_t k = 0; k < c->setting_count; k++)
        settings[k] = c->settings[k];
    for (size_t d = 0; d < c->axis_count; d++) {
        char text[SCREE_REAL_TEXT];
        scree_real_to_text(tried->parameter[d], text);
        snprintf(own[d], sizeof own[d], "%s=%s", c->axis[d].name, text);
        settings[c->setting_count + d] = own[d];
    }
    scree_run_options options = {.scene = c->scene,
                                 .settings = settings,
                                 .setting_count = c->setting_count + c->axis_count,
                                 .folder = folder,
                                 .no_film = true,
                                 .threads = c->threads,
                                 .mode = SCREE_PROGRESS_QUIET};
    int code = run_or_continue(c, &options);
    free((void *)settings);
    return code;
}

/*  Does not return. */
static void be_child(const scree_calibration *c, const scree_try *tried, const char *folder,
                     const char *words, pid_t parent)
{
#ifdef __linux__
    /* if the search is killed its runs stop, with a checkpoint */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(128 + SIGTERM);
#else
    (void)parent;
#endif
    scree_signals_end();
    int file = open(words, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0 || dup2(file, STDERR_FILENO) < 0)
        _exit(SCREE_EXIT_SYSTEM);
    int code = run_here(c, tried, folder);
    fflush(NULL);
    _exit(code);
}

/* ---- all runs of a batch ---- */

typedef struct job
{
    pid_t process; /* 0: none */
    size_t number;
} job;

/*  Whether an exit code says that others would fail in the same way. */
static bool ends_all(int code)
{
    return code == SCREE_EXIT_USAGE || code == SCREE_EXIT_INPUT || code == SCREE_EXIT_SYSTEM ||
           code == SCREE_EXIT_MEMORY || code > 128;
}

static int start(const scree_calibration *c, const scree_try *tried, job *j)
{
    char *folder = scree_try_folder(c, j->number), *words = words_path(c, j->number);
    pid_t parent = getpid();
    int code = SCREE_EXIT_OK;

    if (!folder || !words) {
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    } else {
        fflush(NULL);
        j->process = fork();
        if (j->process == 0)
            be_child(c, tried, folder, words, parent);
        if (j->process < 0) {
            j->process = 0;
            code = scree_system_error("calibrate", "cannot start a process");
        }
    }
    free(folder);
    free(words);
    return code;
}

/*  The first line of what a run said, without the name of the program; "" if it said nothing. Removes the file. */
static void take_words(const scree_calibration *c, size_t number, char *text, size_t room)
{
    char *path = words_path(c, number);
    FILE *file = path ? fopen(path, "rb") : NULL;
    size_t got = file ? fread(text, 1, room - 1, file) : 0;

    text[got] = 0;
    text[strcspn(text, "\n")] = 0;
    if (strncmp(text, "scree: ", 7) == 0)
        memmove(text, text + 7, strlen(text + 7) + 1);
    if (file)
        fclose(file);
    if (path)
        unlink(path);
    free(path);
}

static void say_try(const scree_calibration *c, const scree_try *tried, size_t number,
                    const char *words)
{
    if (c->is_quiet)
        return;
    printf("try %zu:", number + 1);
    for (size_t d = 0; d < c->axis_count; d++)
        printf(" %s=%.6g", c->axis[d].name, tried->parameter[d]);
    if (tried->code) {
        printf(": failed with exit code %d%s%s\n", tried->code, words[0] ? ": " : "", words);
    } else {
        for (size_t t = 0; t < c->target_count; t++)
            printf("%s %s %.6g", t ? "," : ":", c->target[t].name, tried->measured[t]);
        printf(", misfit %.3g\n", scree_misfit(c, tried));
    }
    fflush(stdout);
}

/*  A run that has ended with this code. */
static int finish(const scree_calibration *c, scree_try *tried, size_t number, int run_code)
{
    char words[400], *folder = scree_try_folder(c, number);
    int code = folder ? SCREE_EXIT_OK : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);

    take_words(c, number, words, sizeof words);
    if (code == SCREE_EXIT_OK && ends_all(run_code)) {
        code = run_code;
        if (code <= 128)
            scree_message("calibrate: %s: %s", folder, words[0] ? words : "failed");
    } else if (code == SCREE_EXIT_OK) {
        if (run_code == SCREE_EXIT_OK)
            code = scree_read_measured(c, folder, tried->measured);
        if (code == SCREE_EXIT_OK) {
            tried->code = run_code;
            tried->is_done = true;
            say_try(c, tried, number, words);
        }
    }
    free(folder);
    return code;
}

static job *job_of(job *jobs, size_t count, pid_t process)
{
    for (size_t k = 0; k < count; k++)
        if (jobs[k].process == process)
            return &jobs[k];
    return NULL;
}

/*  Waits for a process of `jobs`. A signal to the search is passed on, once. Returns the exit code of its run. */
static int wait_for_one(job *jobs, size_t count, job **ended, bool *is_told)
{
    static const struct timespec pause = {0, PAUSE_NS};
    int status = 0;
    pid_t process;

    while ((process = waitpid(-1, &status, WNOHANG)) == 0 || (process < 0 && errno == EINTR)) {
        if (scree_signals_caught() && !*is_told) {
            *is_told = true;
            for (size_t k = 0; k < count; k++)
                if (jobs[k].process)
                    kill(jobs[k].process, SIGTERM);
        }
        nanosleep(&pause, NULL);
    }
    *ended = process > 0 ? job_of(jobs, count, process) : NULL;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/*  The next run that is not done, from *at on; `end` if there is none. */
static size_t next_number(const scree_try *tries, size_t *at, size_t end)
{
    while (*at < end && tries[*at].is_done)
        (*at)++;
    return *at < end ? (*at)++ : end;
}

static int run_jobs(const scree_calibration *c, scree_try *tries, size_t begin, size_t end,
                    job *jobs)
{
    size_t at = begin, running = 0, count = (size_t)c->jobs;
    bool is_told = false;
    int code = SCREE_EXIT_OK;

    for (;;) {
        job *free_job = job_of(jobs, count, 0);
        size_t number = code == SCREE_EXIT_OK && free_job && !scree_signals_caught()
                            ? next_number(tries, &at, end)
                            : end;
        if (number < end) {
            free_job->number = number;
            code = start(c, &tries[number], free_job);
            running += code == SCREE_EXIT_OK;
        } else if (running) {
            job *ended;
            int run_code = wait_for_one(jobs, count, &ended, &is_told);
            if (!ended)
                return scree_system_error("calibrate", "cannot wait for a process");
            int finished = finish(c, &tries[ended->number], ended->number, run_code);
            ended->process = 0;
            running--;
            if (finished == SCREE_EXIT_OK)
                finished = scree_tries_write(c, tries, end);
            code = code == SCREE_EXIT_OK ? finished : code;
        } else {
            break;
        }
    }
    return scree_signals_caught() ? 128 + scree_signals_caught() : code;
}

int scree_run_tries(const scree_calibration *c, scree_try *tries, size_t begin, size_t end)
{
    job *jobs = calloc((size_t)c->jobs, sizeof *jobs);
    if (!jobs)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    int code = run_jobs(c, tries, begin, end, jobs);
    free(jobs);
    return code;
}
