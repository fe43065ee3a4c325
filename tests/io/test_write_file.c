/*  Files that are there whole or not at all: what they hold, where they lie, and what is left of those that
    were given up. Failures of the system are in test_checkpoint_faults. */
#include "harness/checkpoint_maker.h"
#include "harness/failing_allocator.h"
#include "io/write_file.h"

#include <fcntl.h>
#include <sys/stat.h>

static scree_error error;

static void begin(scree_file *file, const char *path)
{
    if (scree_file_begin(file, path, NULL, &error))
        FAIL("%s", error.text);
}

static void check_holds(const char *path, const char *text)
{
    file_bytes file = load(path);

    CHECK_EQUAL(file.count, strlen(text));
    CHECK(memcmp(file.data, text, file.count) == 0);
    free(file.data);
}

TEST(pieces_of_all_sizes_arrive_in_order)
{
    /* across the buffer's end, longer than it, and exactly as long */
    static const size_t sizes[] = {1, 0, 100, 65435, 1, 65536, 70000, 3, 65533, 65536, 7};
    unsigned char piece[70000], expected = 0, next = 0;
    scree_file file;
    file_bytes read;
    uint64_t sum = 0;

    enter_folder();
    begin(&file, path_of("pieces"));
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        for (size_t i = 0; i < sizes[k]; i++)
            piece[i] = next++;
        CHECK_EQUAL(scree_file_put(&file, piece, sizes[k]), SCREE_OK);
        sum += sizes[k];
        CHECK(file.bytes == sum);
    }
    CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    read = load(path_of("pieces"));
    CHECK_EQUAL(read.count, sum);
    for (size_t i = 0; i < read.count; i++)
        CHECK(read.data[i] == expected++);
    free(read.data);
    unlink(path_of("pieces"));
    leave_folder();
}

TEST(texts_are_printed)
{
    scree_file file;

    enter_folder();
    begin(&file, path_of("text"));
    file.skip_sync = true;
    CHECK_EQUAL(scree_file_put_text(&file, "one "), SCREE_OK);
    CHECK_EQUAL(scree_file_print(&file, "%d %s\n", 2, "three"), SCREE_OK);
    CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    check_holds(path_of("text"), "one 2 three\n");
    begin(&file, path_of("text"));
    CHECK_EQUAL(scree_file_print(&file, "%1023d", 7), SCREE_OK);
    CHECK_EQUAL(scree_file_print(&file, "%1024d", 7), SCREE_TOO_LARGE);
    CHECK_EQUAL(scree_file_commit(&file), SCREE_TOO_LARGE);
    CHECK_SAYS(error.text, "a line is longer than 1023 bytes");
    check_holds(path_of("text"), "one 2 three\n");
    unlink(path_of("text"));
    leave_folder();
}

TEST(what_is_given_up_leaves_nothing)
{
    scree_file file;

    enter_folder();
    begin(&file, path_of("file"));
    scree_file_put_text(&file, "old");
    CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    begin(&file, path_of("file"));
    scree_file_put_text(&file, "new");
    scree_file_abandon(&file);
    scree_file_abandon(&file);
    check_holds(path_of("file"), "old");
    unlink(path_of("file"));
    leave_folder();
}

/*  Two writers of one name, and a name that another process has left. */
TEST(writers_do_not_meet)
{
    scree_file a, b;
    char taken[200];
    int descriptor;

    enter_folder();
    snprintf(taken, sizeof taken, "%s.%ld-0.part", path_of("file"), (long)getpid());
    descriptor = open(taken, O_WRONLY | O_CREAT, 0600);
    CHECK(descriptor >= 0);
    close(descriptor);
    begin(&a, path_of("file"));
    begin(&b, path_of("file"));
    scree_file_put_text(&a, "of a");
    scree_file_put_text(&b, "of b, longer");
    CHECK_EQUAL(scree_file_commit(&b), SCREE_OK);
    check_holds(path_of("file"), "of b, longer");
    CHECK_EQUAL(scree_file_commit(&a), SCREE_OK);
    check_holds(path_of("file"), "of a");
    unlink(path_of("file"));
    unlink(taken);
    leave_folder();
}

TEST(rights_are_as_the_user_wants_them)
{
    mode_t mask = umask(027);
    struct stat info;
    scree_file file;

    enter_folder();
    begin(&file, path_of("file"));
    CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    CHECK(stat(path_of("file"), &info) == 0 && (info.st_mode & 0777) == 0640);
    CHECK_EQUAL(info.st_size, 0);
    umask(mask);
    unlink(path_of("file"));
    leave_folder();
}

static void enter(const char *to)
{
    if (chdir(to))
        FAIL("cannot enter %s", to);
}

TEST(names_without_a_folder_are_of_this_one)
{
    char here[4096];
    scree_file file;

    CHECK(getcwd(here, sizeof here) != NULL);
    enter_folder();
    enter(test_folder);
    begin(&file, "plain");
    scree_file_put_text(&file, "here");
    CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    enter(here);
    check_holds(path_of("plain"), "here");
    unlink(path_of("plain"));
    leave_folder();
}

/* ---- links, pipes, folders ---- */

TEST(links_are_followed)
{
    struct stat info;
    scree_file file;

    enter_folder();
    CHECK(symlink("second", path_of("first")) == 0);
    CHECK(symlink(path_of("real"), path_of("second")) == 0);
    for (int round = 0; round < 2; round++) { /* there is nothing at its end, and then there is */
        begin(&file, path_of("first"));
        scree_file_put_text(&file, round ? "again" : "once");
        CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
        CHECK(lstat(path_of("first"), &info) == 0 && S_ISLNK(info.st_mode));
        CHECK(lstat(path_of("real"), &info) == 0 && S_ISREG(info.st_mode));
        check_holds(path_of("real"), round ? "again" : "once");
    }
    unlink(path_of("first"));
    unlink(path_of("second"));
    unlink(path_of("real"));
    CHECK(symlink("loop", path_of("loop")) == 0);
    CHECK_EQUAL(scree_file_begin(&file, path_of("loop"), NULL, &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "symbolic links");
    unlink(path_of("loop"));
    leave_folder();
}

TEST(devices_are_written_to_as_they_are)
{
    struct stat info;
    scree_file file;

    begin(&file, "/dev/null");
    scree_file_put_text(&file, "nothing");
    CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    CHECK(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    begin(&file, "/dev/full");
    CHECK_EQUAL(scree_file_put_text(&file, "too much"), SCREE_OK);
    CHECK_EQUAL(scree_file_commit(&file), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/dev/full: cannot be written: No space left on device");
}

/*  What is open continues where it is, and keeps its file. */
TEST(what_is_open_is_written_to_as_it_is)
{
    static const char *const folders[] = {"/dev/fd", "/proc/self/fd"};
    char name[40];
    struct stat before, after;
    scree_file file;

    enter_folder();
    int descriptor = open(path_of("open"), O_WRONLY | O_CREAT, 0600);
    CHECK(descriptor >= 0 && fstat(descriptor, &before) == 0);
    CHECK(write(descriptor, "1", 1) == 1);
    for (size_t k = 0; k < 2; k++) {
        snprintf(name, sizeof name, "%s/%d", folders[k], descriptor);
        begin(&file, name);
        scree_file_put_text(&file, " and more");
        CHECK_EQUAL(scree_file_commit(&file), SCREE_OK);
    }
    CHECK(stat(path_of("open"), &after) == 0 && after.st_ino == before.st_ino);
    check_holds(path_of("open"), "1 and more and more");
    /* standard output for a moment */
    fflush(stdout);
    int kept = dup(STDOUT_FILENO);
    CHECK(kept >= 0 && dup2(descriptor, STDOUT_FILENO) == STDOUT_FILENO);
    scree_status status = scree_file_begin(&file, "/dev/stdout", NULL, &error);
    scree_file_put_text(&file, "!");
    status = status ? status : scree_file_commit(&file);
    CHECK(dup2(kept, STDOUT_FILENO) == STDOUT_FILENO);
    CHECK_EQUAL(status, SCREE_OK);
    check_holds(path_of("open"), "1 and more and more!");
    close(kept);
    close(descriptor);
    CHECK_EQUAL(scree_file_begin(&file, "/dev/fd/98765", NULL, &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "/dev/fd/98765: cannot be opened: Bad file descriptor");
    CHECK_EQUAL(scree_file_begin(&file, "/dev/fd/", NULL, &error), SCREE_IO_ERROR);
    CHECK_EQUAL(scree_file_begin(&file, "/dev/fd/1x", NULL, &error), SCREE_IO_ERROR);
    CHECK_EQUAL(scree_file_begin(&file, "/dev/fd/123456", NULL, &error), SCREE_IO_ERROR);
    unlink(path_of("open"));
    leave_folder();
}

TEST(places_that_cannot_be_are_refused)
{
    scree_file file;

    enter_folder();
    CHECK_EQUAL(scree_file_begin(&file, test_folder, NULL, &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "cannot be opened: Is a directory");
    CHECK_EQUAL(scree_file_begin(&file, path_of("none/file"), NULL, &error), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "none/file: cannot be created: No such file or directory");
    scree_file_abandon(&file);
    CHECK_EQUAL(scree_file_begin(&file, NULL, NULL, &error), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_file_begin(&file, "", NULL, &error), SCREE_BAD_ARGUMENT);
    leave_folder();
}

/*  A folder that goes away while a file in it is written. */
TEST(a_folder_may_go)
{
    scree_file file;

    enter_folder();
    CHECK(mkdir(path_of("sub"), 0700) == 0);
    begin(&file, path_of("sub/file"));
    CHECK(rename(path_of("sub"), path_of("gone")) == 0);
    scree_file_put_text(&file, "lost");
    CHECK_EQUAL(scree_file_commit(&file), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "sub/: this folder cannot be opened: No such file or directory");
    /* the temporary file has gone with its folder */
    snprintf(test_folder + strlen(test_folder), 8, "/gone");
    char temporary[200];
    snprintf(temporary, sizeof temporary, "%s", path_of("file"));
    snprintf(temporary + strlen(temporary), 40, ".%ld-0.part", (long)getpid());
    CHECK(unlink(temporary) == 0);
    leave_folder();
    *strrchr(test_folder, '/') = '\0';
    leave_folder();
}

/* ---- failures ---- */

TEST(the_first_failure_is_kept)
{
    unsigned char much[70000] = {0};
    scree_file file;

    begin(&file, "/dev/full");
    CHECK_EQUAL(scree_file_put(&file, much, sizeof much), SCREE_IO_ERROR);
    error.text[0] = 0;
    CHECK_EQUAL(scree_file_put(&file, "x", 1), SCREE_IO_ERROR);
    CHECK_EQUAL(scree_file_print(&file, "%d", 1), SCREE_IO_ERROR);
    CHECK_EQUAL(scree_file_commit(&file), SCREE_IO_ERROR);
    CHECK_TEXT(error.text, "");
    begin(&file, "/dev/full");
    scree_file_put(&file, much, 100);
    CHECK_EQUAL(scree_file_put(&file, much, 65500), SCREE_IO_ERROR);
    scree_file_abandon(&file);
}

TEST(a_lack_of_memory_leaves_nothing)
{
    scree_allocator half = {.release = failing_allocator_release};
    scree_file file;

    enter_folder();
    CHECK(symlink("real", path_of("link")) == 0);
    CHECK_EQUAL(scree_file_begin(&file, "x", &half, &error), SCREE_BAD_DEF);
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_status status = scree_file_begin(&file, path_of("link"), &hooks, &error);
        scree_file_put_text(&file, "text");
        if (!status)
            status = scree_file_commit(&file);
        CHECK(failing_allocator_is_clean(&memory));
        CHECK((status != SCREE_OK) == (memory.failures > 0));
        if (memory.requests < k)
            break;
        CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
        CHECK_SAYS(error.text, "out of memory");
        CHECK(access(path_of("real"), F_OK) != 0);
    }
    check_holds(path_of("real"), "text");
    unlink(path_of("link"));
    unlink(path_of("real"));
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(pieces_of_all_sizes_arrive_in_order),
        CASE(texts_are_printed),
        CASE(what_is_given_up_leaves_nothing),
        CASE(writers_do_not_meet),
        CASE(rights_are_as_the_user_wants_them),
        CASE(names_without_a_folder_are_of_this_one),
        CASE(links_are_followed),
        CASE(devices_are_written_to_as_they_are),
        CASE(what_is_open_is_written_to_as_it_is),
        CASE(places_that_cannot_be_are_refused),
        CASE(a_folder_may_go),
        CASE(the_first_failure_is_kept),
        CASE(a_lack_of_memory_leaves_nothing),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
