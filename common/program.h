/*  A program of verbs: finds the verb, runs it, and checks that its output was written. */
#ifndef SCREE_PROGRAM_H
#define SCREE_PROGRAM_H

#include "common/options.h"

/*  Verbs under one heading of `--help`. */
typedef struct scree_verb_group
{
    const char *title;              /* NULL ends a list of groups */
    const scree_verb *const *verbs; /* ends with NULL */
} scree_verb_group;

typedef struct scree_program
{
    const char *name;    /* "scree": begins each message */
    const char *summary; /* one sentence */
    const scree_verb_group *groups;
    const char *parts; /* optional parts of this build, and those it lacks; NULL: it has none */
    const char *left_out;
    const char *moved_word; /* a first word that is no longer a verb, or NULL */
    const char *moved_to;   /* the message that says where it went */
} scree_program;

/*  All of main(). Returns the exit code. */
int scree_program_main(const scree_program *program, int argc, char **argv);

#endif
