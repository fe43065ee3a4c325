/*  Programs of the system, for tests. */
#ifndef SCREE_TESTS_RUN_PROGRAM_H
#define SCREE_TESTS_RUN_PROGRAM_H

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

/*  Waits for its end. Returns its exit code: 127 if there is no such program, -1 if something ended it. */
static inline int run_program(const char *const *words)
{
    pid_t child;
    int result;
    /* posix_spawnp takes what it does not change as if it might */
    if (posix_spawnp(&child, words[0], NULL, NULL, (char *const *)(void *)words, environ) != 0)
        return 127;
    if (waitpid(child, &result, 0) != child || !WIFEXITED(result))
        return -1;
    return WEXITSTATUS(result);
}

#endif
