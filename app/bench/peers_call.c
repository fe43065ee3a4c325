/*  A peer runs in a process of its own, with limits on time, memory and the size of files, so that
    nothing it does harms the measuring: it may hang, crash, or print without end. The limit of time
    is one of processor time, so that a busy machine stops no peer; a process that sleeps is waited for
    ten times as long. */
#include "app/bench/peers.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/*  Of the limit: what a peer may take by the clock on the wall. */
#define PATIENCE 10

/*  Milliseconds between looks at what a peer has worked. */
#define LOOK_EVERY 50

static void limit(int what, rlim_t most)
{
    struct rlimit bound = {most, most};
    setrlimit(what, &bound);
}

/*  The child: never returns. */
static void become(char *const *argv, const scree_peer_limits *limits, int out)
{
    int nothing = open("/dev/null", O_RDWR);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDERR_FILENO) < 0 ||
        dup2(out, STDOUT_FILENO) < 0)
        _exit(127);
        /* a sanitizer's shadow of memory is larger than any limit: scree itself may be what is measured */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    limit(RLIMIT_AS, (rlim_t)limits->bytes);
#endif
    limit(RLIMIT_FSIZE, (rlim_t)limits->file_bytes);
    limit(RLIMIT_CORE, 0);
    execv(argv[0], argv);
    _exit(127);
}

/*  Processor time of a process; 0 if it is no more. The kernel's own limit, RLIMIT_CPU, is not used:
    with it Linux counts that time in ticks of milliseconds, which is what peers measure with. */
static double work_of(pid_t child)
{
    clockid_t clock;
    struct timespec now;
    if (clock_getcpuclockid(child, &clock) != 0 || clock_gettime(clock, &now) != 0)
        return 0;
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*  False if it is to be stopped. */
static bool may_go_on(pid_t child, double begin, const scree_peer_limits *limits,
                      char why[SCREE_PEER_NOTE])
{
    if (work_of(child) > limits->seconds)
        snprintf(why, SCREE_PEER_NOTE, "stopped after %g s of work", limits->seconds);
    else if (scree_clock_seconds() - begin > PATIENCE * limits->seconds)
        snprintf(why, SCREE_PEER_NOTE, "stopped after %g s by the clock",
                 PATIENCE * limits->seconds);
    else
        return true;
    return false;
}

/*  Reads until the end, a limit, or more than there is room for. */
static bool read_answer(int in, pid_t child, const scree_peer_limits *limits,
                        char text[SCREE_PEER_TEXT], char why[SCREE_PEER_NOTE])
{
    size_t used = 0;
    double begin = scree_clock_seconds();
    while (may_go_on(child, begin, limits, why)) {
        struct pollfd waiting = {in, POLLIN, 0};
        if (poll(&waiting, 1, LOOK_EVERY) <= 0)
            continue;
        ssize_t got = read(in, text + used, SCREE_PEER_TEXT - 1 - used);
        if (got <= 0) {
            text[used] = 0;
            return true;
        }
        used += (size_t)got;
        if (used == SCREE_PEER_TEXT - 1) {
            snprintf(why, SCREE_PEER_NOTE, "stopped: it prints without end");
            return false;
        }
    }
    return false;
}

/*  How the process ended; false if not well. */
static bool judge_end(pid_t child, const scree_peer_limits *limits, const char *text,
                      char why[SCREE_PEER_NOTE])
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        snprintf(why, SCREE_PEER_NOTE, "cannot be run");
    else if (strncmp(text, "failed: ", 8) == 0)
        snprintf(why, SCREE_PEER_NOTE, "%.*s", (int)strcspn(text + 8, "\n"), text + 8);
    else if (WIFSIGNALED(status))
        snprintf(why, SCREE_PEER_NOTE, "crashed (signal %d, memory up to %.1f GB)",
                 WTERMSIG(status), (double)limits->bytes / 1e9);
    else
        snprintf(why, SCREE_PEER_NOTE, "ended with code %d", WEXITSTATUS(status));
    return false;
}

bool scree_peer_call(char *const *argv, const scree_peer_limits *limits, char text[SCREE_PEER_TEXT],
                     char why[SCREE_PEER_NOTE])
{
    int ends[2];
    text[0] = 0;
    snprintf(why, SCREE_PEER_NOTE, "no process can be made");
    if (pipe(ends) != 0)
        return false;
    /* what is printed so far is printed once */
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(argv, limits, ends[1]);
    }
    close(ends[1]);
    bool good = child > 0;
    if (good) {
        why[0] = 0;
        good = read_answer(ends[0], child, limits, text, why);
        if (!good)
            kill(child, SIGKILL);
        char end[SCREE_PEER_NOTE];
        bool ended_well = judge_end(child, limits, text, end);
        if (good && !ended_well)
            memcpy(why, end, sizeof end);
        good = good && ended_well;
    }
    close(ends[0]);
    return good;
}
