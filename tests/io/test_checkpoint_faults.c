/*  Systems that fail: each call that writes a file, in turn and in several ways, a disk that is full, and
    memory that is not there. What was in place before stays, and nothing else is left behind.

    The calls are defined here, so that the library's go by way of this file to the system's. */
#define _GNU_SOURCE /* syscall */
#include "harness/checkpoint_maker.h"
#include "harness/failing_allocator.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>

typedef enum fault_kind
{
    FAIL_ONCE,
    FAIL_FROM_THEN_ON,
    INTERRUPT, /* EINTR, some times in a row */
    SHORTEN,   /* write and read do less than asked for */
} fault_kind;

/*  The k-th call from when it was set, of the calls below. */
static struct
{
    int at, made, reason;
    fault_kind kind;
    bool on, fired;
} fault;

static void set_fault(int at, fault_kind kind, int reason)
{
    memset(&fault, 0, sizeof fault);
    fault.at = at;
    fault.kind = kind;
    fault.reason = reason;
    fault.on = true;
}

static bool hits(void)
{
    int call;
    bool hit;

    if (!fault.on)
        return false;
    call = ++fault.made;
    hit = fault.kind == FAIL_FROM_THEN_ON ? call >= fault.at
          : fault.kind == INTERRUPT       ? call >= fault.at && call < fault.at + 3
                                          : call == fault.at;
    fault.fired |= hit;
    return hit;
}

static bool refuses(void)
{
    if (!hits() || fault.kind == SHORTEN)
        return false;
    errno = fault.kind == INTERRUPT ? EINTR : fault.reason;
    return true;
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    unsigned mode;

    va_start(arguments, flags);
    mode = (flags & O_CREAT) ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    return refuses() ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    size_t most = count;

    if (fault.on && fault.kind == SHORTEN && count > 1 && hits())
        most = count / 2;
    else if (refuses())
        return -1;
    return syscall(SYS_write, descriptor, bytes, most);
}

ssize_t read(int descriptor, void *bytes, size_t count)
{
    size_t most = count;

    if (fault.on && fault.kind == SHORTEN && count > 1 && hits())
        most = count / 2;
    else if (refuses())
        return -1;
    return syscall(SYS_read, descriptor, bytes, most);
}

int fsync(int descriptor)
{
    return refuses() ? -1 : (int)syscall(SYS_fsync, descriptor);
}

/*  It is never interrupted. */
int rename(const char *from, const char *to)
{
    bool refused = refuses() && fault.kind != INTERRUPT;

    return refused ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

/*  It is closed all the same, as on Linux. */
int close(int descriptor)
{
    int result = (int)syscall(SYS_close, descriptor);

    return refuses() ? -1 : result;
}

/* ---- one file, written over another ---- */

static scree_world *drum_world(void)
{
    const drum_scene scene = {.across = 3,
                              .layers = 1,
                              .most = 2,
                              .facets = 32,
                              .has_planes = true,
                              .has_energy_balance = true};

    return open_small_drum(scene, NULL);
}

static int count_files(void)
{
    DIR *list = opendir(test_folder);
    int count = 0;

    if (!list)
        FAIL("cannot count files");
    while (readdir(list))
        count++;
    closedir(list);
    return count - 2; /* . and .. */
}

static uint64_t digest_in(const char *path)
{
    scree_checkpoint *checkpoint = read_from(path);
    uint64_t digest = scree_checkpoint_describe(checkpoint).digest;

    scree_checkpoint_destroy(checkpoint);
    return digest;
}

/*  Returns false when the fault no longer comes: all calls have been tried. A fault of the folder's fsync
    leaves the new file, whole, which `may_be_new` counts. */
static bool try_write(int at, fault_kind kind, int reason, int *may_be_new)
{
    const char *path = path_of("file");
    scree_world *world = drum_world();
    scree_error error = {SCREE_OK, ""};
    scree_status status;
    uint64_t before, after;

    write_to(world, path);
    before = scree_world_digest(world);
    advance(world, 1);
    after = scree_world_digest(world);
    set_fault(at, kind, reason);
    status = scree_checkpoint_write(world, path, NULL, 0, &error);
    fault.on = false;
    if (kind == INTERRUPT || kind == SHORTEN || !fault.fired) {
        CHECK_EQUAL(status, SCREE_OK);
        CHECK(digest_in(path) == after);
    } else if (status == SCREE_OK) {
        /* only the closing of what was not written to, or a folder that needs no fsync */
        CHECK(digest_in(path) == after);
        (*may_be_new)++;
    } else {
        CHECK_EQUAL(status, SCREE_IO_ERROR);
        CHECK_SAYS(error.text, test_folder);
        CHECK_SAYS(error.text, strerror(reason));
        if (strstr(error.text, "folder could not be flushed")) {
            CHECK(digest_in(path) == after);
            (*may_be_new)++;
        } else {
            CHECK(digest_in(path) == before);
        }
    }
    CHECK_EQUAL(count_files(), 1);
    CHECK(scree_world_digest(world) == after);
    scree_world_destroy(world);
    return fault.fired;
}

static void check_all_calls(fault_kind kind, int reason)
{
    int at = 1, may_be_new = 0;

    enter_folder();
    while (try_write(at, kind, reason, &may_be_new))
        at++;
    /* temporary, write, fsync, close, folder, rename, fsync, close */
    CHECK(at > 8);
    /* fsync and close of the folder are all that comes after the name is given */
    CHECK(may_be_new <= 2);
    unlink(path_of("file"));
    leave_folder();
}

TEST(every_call_may_fail)
{
    check_all_calls(FAIL_ONCE, EIO);
    check_all_calls(FAIL_FROM_THEN_ON, EIO);
    check_all_calls(FAIL_ONCE, EDQUOT);
}

TEST(a_disk_may_be_full)
{
    check_all_calls(FAIL_ONCE, ENOSPC);
    check_all_calls(FAIL_FROM_THEN_ON, ENOSPC);
}

TEST(interruptions_are_no_failures)
{
    check_all_calls(INTERRUPT, EINTR);
    check_all_calls(SHORTEN, 0);
}

/*  fsync of a folder is not for every file system. */
TEST(folders_may_need_no_fsync)
{
    int may_be_new = 0, calls = 1;

    enter_folder();
    while (try_write(calls, FAIL_ONCE, EINVAL, &may_be_new))
        calls++;
    CHECK_EQUAL(may_be_new, 2);
    unlink(path_of("file"));
    leave_folder();
}

TEST(reading_may_fail)
{
    scree_checkpoint *checkpoint;
    scree_error error;
    scree_world *world;
    uint64_t digest;
    int at = 1;

    enter_folder();
    world = drum_world();
    digest = scree_world_digest(world);
    write_to(world, path_of("file"));
    scree_world_destroy(world);
    for (int kind = FAIL_ONCE; kind <= SHORTEN; kind++)
        for (at = 1;; at++) {
            scree_status status;
            set_fault(at, (fault_kind)kind, EIO);
            status = scree_checkpoint_read(path_of("file"), NULL, &checkpoint, &error);
            fault.on = false;
            if (status) {
                CHECK(kind < INTERRUPT && fault.fired);
                CHECK_EQUAL(status, SCREE_IO_ERROR);
                CHECK_SAYS(error.text, path_of("file"));
                CHECK_SAYS(error.text, "Input/output error");
            } else {
                CHECK(scree_checkpoint_describe(checkpoint).digest == digest);
                scree_checkpoint_destroy(checkpoint);
            }
            if (!fault.fired)
                break;
        }
    CHECK(at >= 3);
    unlink(path_of("file"));
    leave_folder();
}

/* ---- memory ---- */

static void check_out_of_memory(scree_status status, const scree_error *error)
{
    CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
    CHECK_EQUAL(error->status, SCREE_OUT_OF_MEMORY);
    CHECK_SAYS(error->text, "memory");
}

/*  A world of its own allocator, written, with the k-th request failing. */
static bool write_with(size_t fail_at, bool from_then_on)
{
    failing_allocator memory = {.fail_at = 0};
    scree_world_def def = scree_default_world_def();
    const drum_scene scene = {
        .across = 3, .layers = 1, .most = 2, .facets = 32, .has_planes = true};
    const scree_checkpoint_part part = {"part", "bytes", 5};
    scree_error error = {SCREE_OK, ""};
    scree_world *world;
    scree_status status;
    uint64_t digest;
    bool refused;

    drum_scene_define(&scene, &def);
    def.hooks.allocator = failing_allocator_hooks(&memory);
    CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
    CHECK_EQUAL(drum_scene_fill(&scene, world), SCREE_OK);
    advance(world, 3);
    digest = scree_world_digest(world);
    memory.requests = 0;
    memory.fail_at = fail_at;
    memory.fail_all_after = from_then_on;
    status = scree_checkpoint_write(world, path_of("file"), &part, 1, &error);
    refused = memory.failures > 0;
    memory.fail_at = 0;
    CHECK(scree_world_digest(world) == digest);
    if (status) {
        check_out_of_memory(status, &error);
        CHECK_EQUAL(count_files(), 0);
    } else {
        CHECK(digest_in(path_of("file")) == digest);
        unlink(path_of("file"));
    }
    CHECK((status != SCREE_OK) == refused);
    scree_world_destroy(world);
    CHECK(failing_allocator_is_clean(&memory));
    return refused;
}

TEST(writing_survives_a_lack_of_memory)
{
    size_t k = 1;

    enter_folder();
    while (write_with(k, false))
        k++;
    CHECK(k > 8);
    for (k = 1; write_with(k, true);)
        k++;
    leave_folder();
}

/*  The file at the path, or if that is NULL, its bytes. */
static bool read_with(const char *path, const file_bytes *file, size_t fail_at, bool from_then_on,
                      uint64_t digest)
{
    failing_allocator memory = {.fail_at = fail_at, .fail_all_after = from_then_on};
    scree_allocator allocator = failing_allocator_hooks(&memory);
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint;
    scree_world *world = NULL;
    scree_error error = {SCREE_OK, ""};
    scree_status status = path ? scree_checkpoint_read(path, &allocator, &checkpoint, &error)
                               : scree_checkpoint_read_bytes(file->data, file->count, &allocator,
                                                             &checkpoint, &error);

    hooks.hooks.allocator = allocator;
    if (!status)
        status = scree_checkpoint_world(checkpoint, &hooks, &world, &error);
    if (status)
        check_out_of_memory(status, &error);
    else
        CHECK(scree_world_digest(world) == digest);
    scree_world_destroy(world);
    scree_checkpoint_destroy(checkpoint);
    CHECK(failing_allocator_is_clean(&memory));
    CHECK((status != SCREE_OK) == (memory.failures > 0));
    return memory.failures > 0;
}

TEST(reading_survives_a_lack_of_memory)
{
    scree_world *world;
    file_bytes file;
    uint64_t digest;

    enter_folder();
    world = drum_world();
    advance(world, 5);
    digest = scree_world_digest(world);
    write_to(world, path_of("file"));
    scree_world_destroy(world);
    file = load(path_of("file"));
    /* bytes are there already: a request less than for the file */
    for (int way = 0; way < 4; way++) {
        size_t k = 1, least = way >= 2 ? 5 : way ? 29 : 30;
        while (read_with(way % 2 ? NULL : path_of("file"), &file, k, way >= 2, digest))
            k++;
        CHECK(k > least);
    }
    free(file.data);
    unlink(path_of("file"));
    leave_folder();
}

/*  Into a world that continues as if nothing had been tried. */
TEST(restoring_survives_a_lack_of_memory)
{
    scree_checkpoint *checkpoint;
    scree_world *world;
    size_t refused = 1;

    enter_folder();
    world = drum_world();
    advance(world, 5);
    write_to(world, path_of("file"));
    scree_world_destroy(world);
    checkpoint = read_from(path_of("file"));
    for (size_t k = 1; refused; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_world_def def = scree_default_world_def();
        const drum_scene scene = {.across = 3,
                                  .layers = 1,
                                  .most = 2,
                                  .facets = 32,
                                  .has_planes = true,
                                  .has_energy_balance = true};
        scree_error error = {SCREE_OK, ""};
        scree_status status;
        uint64_t before;
        drum_scene_define(&scene, &def);
        def.hooks.allocator = failing_allocator_hooks(&memory);
        CHECK_EQUAL(scree_world_create(&def, &world), SCREE_OK);
        CHECK_EQUAL(drum_scene_fill(&scene, world), SCREE_OK);
        before = scree_world_digest(world);
        memory.requests = 0;
        memory.fail_at = k;
        status = scree_checkpoint_restore(checkpoint, world, &error);
        memory.fail_at = 0;
        refused = memory.failures;
        if (status)
            check_out_of_memory(status, &error);
        CHECK(scree_world_digest(world) ==
              (status ? before : scree_checkpoint_describe(checkpoint).digest));
        scree_world_destroy(world);
        CHECK(failing_allocator_is_clean(&memory));
    }
    scree_checkpoint_destroy(checkpoint);
    unlink(path_of("file"));
    leave_folder();
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_call_may_fail),
        CASE(a_disk_may_be_full),
        CASE(interruptions_are_no_failures),
        CASE(folders_may_need_no_fsync),
        CASE(reading_may_fail),
        CASE(writing_survives_a_lack_of_memory),
        CASE(reading_survives_a_lack_of_memory),
        CASE(restoring_survives_a_lack_of_memory),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
