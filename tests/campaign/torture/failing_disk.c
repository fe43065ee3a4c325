/*  A library to be loaded before others, which makes one call on files of a run fail:
        FAIL_CALL   open, write, fsync, rename, ftruncate, mkdir or close
        FAIL_PATH   counted are calls on files with this in their name
        FAIL_AT     the number of the first call that fails, from 1; 0: none
        FAIL_HOW    a number for errno: that call alone; "full": it and all that come after, with ENOSPC;
                    "short": a write takes half; "kill": the process dies before the call, "after" it
        FAIL_REPORT where the number of calls is written at the end */
/* RTLD_NEXT */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define DESCRIPTORS 1024

static char is_ours[DESCRIPTORS];
static unsigned long calls;

/*  The function of the C library that a name means. ISO C knows no way from an object's pointer to a function's. */
#define NEXT(type, name)                                                                           \
    static type(*next) NEXT_ARGUMENTS;                                                             \
    if (!next) {                                                                                   \
        void *found = dlsym(RTLD_NEXT, name);                                                      \
        memcpy(&next, &found, sizeof next);                                                        \
    }

static int matches(const char *path)
{
    const char *wanted = getenv("FAIL_PATH");
    return wanted && path && strstr(path, wanted) != NULL;
}

static int is_of(int descriptor)
{
    return descriptor >= 0 && descriptor < DESCRIPTORS && is_ours[descriptor];
}

enum outcome
{
    GO_ON,
    FAIL,
    SHORT,
    DIE_AFTER,
};

/*  What becomes of this call; errno is set if it fails. */
static enum outcome look_at(const char *call)
{
    const char *wanted = getenv("FAIL_CALL"), *at = getenv("FAIL_AT"), *how = getenv("FAIL_HOW");

    if (!wanted || !at || !how || strcmp(wanted, call) != 0)
        return GO_ON;
    unsigned long number = ++calls, first = strtoul(at, NULL, 10);
    int is_full = strcmp(how, "full") == 0;
    if (first == 0 || number < first || (number > first && !is_full))
        return GO_ON;
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "after") == 0)
        return DIE_AFTER;
    if (strcmp(how, "short") == 0)
        return SHORT;
    errno = is_full ? ENOSPC : (int)strtol(how, NULL, 10);
    return FAIL;
}

static void die_if(enum outcome outcome)
{
    if (outcome == DIE_AFTER)
        raise(SIGKILL);
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("FAIL_REPORT");
    FILE *file = path ? fopen(path, "wb") : NULL;
    if (file) {
        fprintf(file, "%lu\n", calls);
        fclose(file);
    }
}

int open(const char *path, int flags, ...)
{
#define NEXT_ARGUMENTS (const char *, int, ...)
    NEXT(int, "open")
#undef NEXT_ARGUMENTS
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & O_CREAT ? va_arg(list, mode_t) : 0;
    va_end(list);
    int ours = matches(path) && (flags & (O_WRONLY | O_RDWR));
    enum outcome outcome = ours ? look_at("open") : GO_ON;
    if (outcome == FAIL)
        return -1;
    int descriptor = next(path, flags, mode);
    die_if(outcome);
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        is_ours[descriptor] = (char)ours;
    return descriptor;
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
#define NEXT_ARGUMENTS (int, const void *, size_t)
    NEXT(ssize_t, "write")
#undef NEXT_ARGUMENTS
    enum outcome outcome = is_of(descriptor) ? look_at("write") : GO_ON;
    if (outcome == FAIL)
        return -1;
    ssize_t got = next(descriptor, bytes, outcome == SHORT && count > 1 ? count / 2 : count);
    die_if(outcome);
    return got;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset)
{
#define NEXT_ARGUMENTS (int, const void *, size_t, off_t)
    NEXT(ssize_t, "pwrite")
#undef NEXT_ARGUMENTS
    enum outcome outcome = is_of(descriptor) ? look_at("write") : GO_ON;
    if (outcome == FAIL)
        return -1;
    ssize_t got =
        next(descriptor, bytes, outcome == SHORT && count > 1 ? count / 2 : count, offset);
    die_if(outcome);
    return got;
}

int fsync(int descriptor)
{
#define NEXT_ARGUMENTS (int)
    NEXT(int, "fsync")
#undef NEXT_ARGUMENTS
    /* folders too, which are opened for reading */
    enum outcome outcome = look_at("fsync");
    if (outcome == FAIL)
        return -1;
    int result = next(descriptor);
    die_if(outcome);
    return result;
}

int ftruncate(int descriptor, off_t length)
{
#define NEXT_ARGUMENTS (int, off_t)
    NEXT(int, "ftruncate")
#undef NEXT_ARGUMENTS
    enum outcome outcome = is_of(descriptor) ? look_at("ftruncate") : GO_ON;
    if (outcome == FAIL)
        return -1;
    int result = next(descriptor, length);
    die_if(outcome);
    return result;
}

int rename(const char *from, const char *to)
{
#define NEXT_ARGUMENTS (const char *, const char *)
    NEXT(int, "rename")
#undef NEXT_ARGUMENTS
    enum outcome outcome = matches(to) ? look_at("rename") : GO_ON;
    if (outcome == FAIL)
        return -1;
    int result = next(from, to);
    die_if(outcome);
    return result;
}

int mkdir(const char *path, mode_t mode)
{
#define NEXT_ARGUMENTS (const char *, mode_t)
    NEXT(int, "mkdir")
#undef NEXT_ARGUMENTS
    enum outcome outcome = matches(path) ? look_at("mkdir") : GO_ON;
    if (outcome == FAIL)
        return -1;
    int result = next(path, mode);
    die_if(outcome);
    return result;
}

int close(int descriptor)
{
#define NEXT_ARGUMENTS (int)
    NEXT(int, "close")
#undef NEXT_ARGUMENTS
    enum outcome outcome = is_of(descriptor) ? look_at("close") : GO_ON;
    int result = next(descriptor);
    if (descriptor >= 0 && descriptor < DESCRIPTORS)
        is_ours[descriptor] = 0;
    die_if(outcome);
    if (outcome == FAIL) {
        /* the descriptor is gone all the same, as on Linux */
        errno = EIO;
        return -1;
    }
    return result;
}
