/*  Where a run writes: files of lines on a disk that takes nothing, counted warnings, folders that are
    another program's, signals. */
#include "../../app/run/folder.c"
#include "../../app/run/lines.c"
#include "../../app/run/notes.c"
#include "../../app/run/progress.c"
#include "../../app/run/signals.c"
#include "../../common/json.c"
#include "../../common/options.c"
#include "../../common/out_file.c"
#include "../../common/regular_file.c"

#include "harness/run_program.h"
#include "run_work.h"
#include "test.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- files of lines ----------------------------------------------------------------------------- */

TEST(an_unfinished_line_is_cut_off)
{
    static const char *const content[] = {"", "a\nb\n", "a\nb\nhalf", "half"};
    static const char *const after[] = {"new\n", "a\nb\nnew\n", "a\nb\nnew\n", "new\n"};
    char text[8192];

    for (size_t k = 0; k < 4; k++) {
        scree_lines lines;
        FILE *file = fopen(in_work("lines"), "wb");
        CHECK(file);
        fputs(content[k], file);
        fclose(file);
        CHECK(scree_lines_open(&lines, in_work("lines")));
        scree_lines_put(&lines, "new");
        CHECK(scree_lines_flush(&lines, true));
        scree_lines_close(&lines);
        CHECK_TEXT(content_of(in_work("lines"), text), after[k]);
    }
    /* an unfinished line longer than a block */
    FILE *file = fopen(in_work("lines"), "wb");
    CHECK(file);
    fputs("whole\n", file);
    for (int k = 0; k < 3 * 4096; k++)
        fputc('x', file);
    fclose(file);
    scree_lines lines;
    CHECK(scree_lines_open(&lines, in_work("lines")));
    CHECK_EQUAL(lines.length, 6);
    scree_lines_close(&lines);
}

/*  A disk that takes only so much: what was begun is taken back, and comes when there is room. */
TEST(lines_wait_for_room)
{
    scree_lines lines;
    struct rlimit old, small = {100, 100};
    char text[8192], line[41];

    unlink(in_work("full"));
    CHECK(scree_lines_open(&lines, in_work("full")));
    CHECK(getrlimit(RLIMIT_FSIZE, &old) == 0);
    signal(SIGXFSZ, SIG_IGN);
    small.rlim_max = old.rlim_max;
    memset(line, 'a', 40);
    line[40] = 0;
    CHECK(setrlimit(RLIMIT_FSIZE, &small) == 0);
    scree_lines_put(&lines, line);
    bool first = scree_lines_flush(&lines, false);
    scree_lines_put(&lines, line);
    scree_lines_put(&lines, line);
    bool second = scree_lines_flush(&lines, false);
    int reason = errno;
    content_of(in_work("full"), text);
    size_t kept = strlen(text);
    CHECK(setrlimit(RLIMIT_FSIZE, &old) == 0);
    signal(SIGXFSZ, SIG_DFL);
    CHECK(first && !second);
    CHECK_EQUAL(reason, EFBIG);
    CHECK_EQUAL(kept, 41);
    CHECK(scree_lines_flush(&lines, false));
    CHECK_EQUAL(strlen(content_of(in_work("full"), text)), 123);
    /* a megabyte waits at most */
    memset(text, 'b', 8190);
    text[8190] = 0;
    for (int k = 0; k < 200; k++)
        scree_lines_put(&lines, text);
    CHECK(lines.dropped > 0 && lines.used <= MAX_PENDING);
    scree_lines_close(&lines);
}

/*  Nothing writes into the pipe: a program that waited for it would hang. */
TEST(a_table_that_is_a_pipe_is_none)
{
    const scree_lines_mark mark = {.length = 5, .is_known = true};

    unlink(in_work("pipe"));
    CHECK(mkfifo(in_work("pipe"), 0600) == 0);
    CHECK(!scree_lines_have(in_work("pipe"), &mark));
    CHECK(!scree_lines_have(in_work("nosuch"), &mark));
}

/*  What comes behind the mark, or is no row, is written again. */
TEST(rows_are_kept_up_to_the_mark)
{
    static const char *const content[] = {"step,x\n1,5\n2,6\n", "step,x\n1,5\n1,7\n",
                                          "step,x\n1,5\njunk\n", "step,x\n1,9\njunk\n2,6\n"};
    char text[8192];

    for (int k = 0; k < 8; k++) {
        /* of the first row; in the last table it is another, and then only rows are kept */
        scree_lines_mark mark = {.length = 11, .is_known = k < 4};
        scree_lines lines;
        FILE *file = fopen(in_work("rows"), "wb");
        CHECK(file && fputs(content[k % 4], file) >= 0 && fclose(file) == 0);
        mark.sum = hash_bytes(SCREE_HASH_START, "step,x\n1,5\n", 11);
        CHECK(scree_lines_open(&lines, in_work("rows")));
        CHECK(scree_lines_begin_rows(&lines, "step,x", true, 1, &mark));
        CHECK(scree_lines_flush(&lines, false));
        scree_lines_close(&lines);
        CHECK_TEXT(content_of(in_work("rows"), text), k == 5       ? "step,x\n1,5\n1,7\n"
                                                      : k % 4 == 3 ? "step,x\n1,9\n"
                                                                   : "step,x\n1,5\n");
    }
}

TEST(lines_without_a_folder)
{
    scree_lines lines;
    CHECK(!scree_lines_open(&lines, in_work("nosuch/lines")));
    CHECK_EQUAL(errno, ENOENT);
    scree_lines_put(&lines, "waits");
    CHECK(!scree_lines_flush(&lines, false));
    scree_lines_close(&lines);
}

/* ---- warnings ----------------------------------------------------------------------------------- */

TEST(warnings_are_counted)
{
    scree_progress progress;
    scree_notes notes;
    char text[8192];
    int saved = dup(STDERR_FILENO), lines = 0;
    FILE *file = freopen(in_work("stderr"), "wb", stderr);

    CHECK(file && saved >= 0);
    scree_progress_begin(&progress, SCREE_PROGRESS_QUIET, stdout);
    scree_notes_begin(&notes, &progress);
    scree_notes_log(&notes, "before there is a folder");
    unlink(in_work("log.txt"));
    scree_lines waiting = notes.log;
    CHECK(scree_lines_open(&notes.log, in_work("log.txt")));
    notes.log.pending = waiting.pending;
    notes.log.used = waiting.used;
    notes.log.capacity = waiting.capacity;
    for (int k = 0; k < 25; k++)
        scree_notes_warn(&notes, SCREE_NOTE_OUTPUT, "number %d", k);
    scree_log hook = scree_notes_hook(&notes);
    for (int k = 0; k < 12; k++)
        hook.write(SCREE_LOG_WARNING, SCREE_LOG_STEP_TOO_LONG, "too long", hook.user);
    hook.write(SCREE_LOG_INFO, SCREE_LOG_GRID_REBUILT, "for the log alone", hook.user);
    hook.write(SCREE_LOG_WARNING, (scree_log_id)999, "of a later version", hook.user);
    scree_notes_end(&notes);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    content_of(in_work("stderr"), text);
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    CHECK_EQUAL(lines, 10 + 10 + 1 + 2);
    CHECK_SAYS(text, "15 more of the kind \"output\" are not shown");
    CHECK_SAYS(text, "2 more of the kind \"step_too_long\"");
    content_of(in_work("log.txt"), text);
    CHECK_SAYS(text, "before there is a folder");
    CHECK_SAYS(text, "for the log alone");
    CHECK_SAYS(text, "warning: of a later version");
}

TEST(prints_of_a_scene_end)
{
    scree_progress progress;
    scree_notes notes;
    scree_progress_begin(&progress, SCREE_PROGRESS_QUIET, stdout);
    scree_notes_begin(&notes, &progress);
    scree_log hook = scree_notes_hook(&notes);
    for (int k = 0; k < 100000; k++)
        hook.write(SCREE_LOG_INFO, (scree_log_id)0, "again", hook.user);
    CHECK(notes.log.used < 100000);
    CHECK_EQUAL(notes.count[0], 100000);
    notes.count[0] = 0;
    scree_notes_end(&notes);
}

/* ---- folders ------------------------------------------------------------------------------------ */

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(in_work(name), "wb");
    CHECK(file);
    fputs(text, file);
    fclose(file);
}

/*  Messages of refusals go elsewhere. */
static int quietly(const char *path, bool resume, bool force)
{
    scree_run_folder folder;
    int saved = dup(STDERR_FILENO);
    (void)!freopen("/dev/null", "wb", stderr);
    int code = scree_folder_open(&folder, path, resume, force);
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    scree_folder_close(&folder);
    return code;
}

TEST(what_a_folder_is)
{
    char path[64];
    snprintf(path, sizeof path, "%s/run", work);

    CHECK_EQUAL(scree_folder_look(path), SCREE_FOLDER_NEW);
    CHECK_EQUAL(quietly(path, true, false), SCREE_EXIT_USAGE);
    CHECK_EQUAL(quietly(path, false, false), SCREE_EXIT_OK);
    /* killed in its first moment */
    CHECK_EQUAL(scree_folder_look(path), SCREE_FOLDER_NEW);
    CHECK_EQUAL(quietly(path, false, false), SCREE_EXIT_OK);
    put_file("run/run.json", "{\n  \"state\": \"running\"\n}\n");
    CHECK_EQUAL(scree_folder_look(path), SCREE_FOLDER_NEW);
    CHECK_EQUAL(quietly(path, false, false), SCREE_EXIT_OK);
    put_file("run/run.json", "{\n  \"state\": \"running\"\n}\n");
    put_file("run/scene.lua", "-- a scene");
    CHECK_EQUAL(scree_folder_look(path), SCREE_FOLDER_STOPPED);
    CHECK_EQUAL(quietly(path, false, false), SCREE_EXIT_USAGE);
    CHECK_EQUAL(quietly(path, true, false), SCREE_EXIT_OK);
    put_file("run/run.json", "{\n  \"state\": \"finished\"\n}\n");
    put_file("run/metrics.csv", "step\n");
    put_file("run/frames/bodies-000001.vtp", "x");
    put_file("run/frames/bodies-000001.vtp.123-0.part", "x");
    put_file("run/frames/mine.txt", "not of a run");
    CHECK_EQUAL(scree_folder_look(path), SCREE_FOLDER_FINISHED);
    CHECK_EQUAL(quietly(path, false, false), SCREE_EXIT_USAGE);
    /* going on leaves what is whole */
    CHECK_EQUAL(quietly(path, true, false), SCREE_EXIT_OK);
    CHECK(access(in_work("run/frames/bodies-000001.vtp"), F_OK) == 0);
    CHECK(access(in_work("run/frames/bodies-000001.vtp.123-0.part"), F_OK) != 0);
    CHECK_EQUAL(quietly(path, false, true), SCREE_EXIT_OK);
    CHECK(access(in_work("run/frames/bodies-000001.vtp"), F_OK) != 0);
    CHECK(access(in_work("run/metrics.csv"), F_OK) != 0);
    CHECK(access(in_work("run/frames/mine.txt"), F_OK) == 0);
}

TEST(what_is_no_run_is_left_alone)
{
    char path[64];
    snprintf(path, sizeof path, "%s/foreign", work);
    CHECK(mkdir(path, 0777) == 0);
    put_file("foreign/thesis.tex", "years of work");
    CHECK_EQUAL(scree_folder_look(path), SCREE_FOLDER_FOREIGN);
    CHECK_EQUAL(quietly(path, false, true), SCREE_EXIT_USAGE);
    CHECK_EQUAL(quietly(path, true, false), SCREE_EXIT_USAGE);
    CHECK(access(in_work("foreign/thesis.tex"), F_OK) == 0);
    CHECK(access(in_work("foreign/log.txt"), F_OK) != 0);
    /* a file where the folder should be */
    put_file("plain", "x");
    CHECK_EQUAL(quietly(in_work("plain"), false, true), SCREE_EXIT_USAGE);
}

TEST(one_run_in_a_folder)
{
    char path[64];
    int ready[2], status;
    char byte;
    scree_run_folder folder;

    snprintf(path, sizeof path, "%s/busy/", work);
    CHECK(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        scree_run_folder held;
        int code = scree_folder_open(&held, path, false, false);
        (void)!write(ready[1], "x", 1);
        pause();
        _exit(code);
    }
    CHECK(read(ready[0], &byte, 1) == 1);
    scree_folder_state state = scree_folder_look(path);
    int code = quietly(path, false, true);
    kill(child, SIGKILL);
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_EQUAL(state, SCREE_FOLDER_BUSY);
    CHECK_EQUAL(code, SCREE_EXIT_USAGE);
    /* the lock of one that was killed is gone */
    CHECK_EQUAL(scree_folder_open(&folder, path, false, false), SCREE_EXIT_OK);
    CHECK(folder.path[strlen(folder.path) - 1] == 'y');
    scree_folder_close(&folder);
    close(ready[0]);
    close(ready[1]);
}

TEST(names_of_folders)
{
    static const char *const settings[] = {"rate=8", "mesh=../a b.stl"};
    char *name = scree_folder_name("out", "scenes/drum.lua", settings, 2);
    CHECK_TEXT(name, "out/drum-rate=8-mesh=.._a_b.stl");
    free(name);
    name = scree_folder_name("x/y", "", settings, 1);
    CHECK_TEXT(name, "x/y/rate=8");
    free(name);
    name = scree_folder_name("out", "drum", NULL, 0);
    CHECK_TEXT(name, "out/drum");
    free(name);
    char setting[300];
    const char *const long_one[] = {setting};
    memset(setting, 'x', sizeof setting - 1);
    setting[sizeof setting - 1] = 0;
    name = scree_folder_name("out", "drum.lua", long_one, 1);
    CHECK_EQUAL(strlen(name), 4 + LONGEST_NAME);
    free(name);
}

/* ---- signals ------------------------------------------------------------------------------------ */

TEST(the_first_signal_is_noted_the_second_ends)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};
    const struct timespec moment = {0, 150000000};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        int status;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            scree_signals_begin();
            raise(numbers[k]);
            raise(numbers[k]); /* sent to the group as well */
            if (scree_signals_caught() != numbers[k])
                _exit(1);
            nanosleep(&moment, NULL);
            raise(numbers[k]);
            _exit(2);
        }
        CHECK(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK_EQUAL(WEXITSTATUS(status), 128 + numbers[k]);
    }
}

TEST(a_host_is_not_ended_by_the_second)
{
    const struct timespec moment = {0, 150000000};

    scree_signals_begin_hosted();
    raise(SIGTERM);
    nanosleep(&moment, NULL);
    raise(SIGINT);
    CHECK_EQUAL(scree_signals_caught(), SIGTERM);
    scree_signals_end();
}

TEST(what_the_parent_ignores_stays_ignored)
{
    signal(SIGHUP, SIG_IGN);
    scree_signals_begin();
    raise(SIGHUP);
    int number = scree_signals_caught();
    scree_signals_end();
    signal(SIGHUP, SIG_DFL);
    CHECK_EQUAL(number, 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(an_unfinished_line_is_cut_off),
        CASE(lines_wait_for_room),
        CASE(a_table_that_is_a_pipe_is_none),
        CASE(rows_are_kept_up_to_the_mark),
        CASE(lines_without_a_folder),
        CASE(warnings_are_counted),
        CASE(prints_of_a_scene_end),
        CASE(what_a_folder_is),
        CASE(what_is_no_run_is_left_alone),
        CASE(one_run_in_a_folder),
        CASE(names_of_folders),
        CASE(the_first_signal_is_noted_the_second_ends),
        CASE(a_host_is_not_ended_by_the_second),
        CASE(what_the_parent_ignores_stays_ignored),
    };
    if (!mkdtemp(work)) {
        perror("mkdtemp");
        return 1;
    }
    int failed = test_main(argc, argv, tests, sizeof tests / sizeof *tests);
    const char *const words[] = {"rm", "-rf", work, NULL};
    return run_program(words) != 0 || failed;
}
