/*  Command lines. Each verb has one table with its options, its operand and its help, so the parser and `--help` cannot
    disagree. */
#ifndef SCREE_OPTIONS_H
#define SCREE_OPTIONS_H

#include "scree/base.h"

#include <stdio.h>

/*  How the program ends. */
enum scree_exit
{
    SCREE_EXIT_OK = 0,
    SCREE_EXIT_CHECK = 1,  /* a check failed: methods disagree */
    SCREE_EXIT_USAGE = 2,  /* the command line is wrong */
    SCREE_EXIT_INPUT = 3,  /* a file's content is wrong */
    SCREE_EXIT_SYSTEM = 4, /* the system failed to read or write */
    SCREE_EXIT_MEMORY = 5,
    SCREE_EXIT_TIME = 6,    /* a run stopped at its time limit; it can continue */
    SCREE_EXIT_REFUSED = 7, /* a step of a run was refused */
};

typedef struct scree_option
{
    const char *name;     /* without the dashes */
    const char *argument; /* as "N"; NULL: a flag; "N...": may be given several times */
    const char *help;     /* may have several lines */
} scree_option;

#define SCREE_MAX_OPTIONS 32

/*  `text[i]` is the argument of options[i], "" for a flag that is given, NULL if it is not. */
typedef struct scree_arguments
{
    const char *text[SCREE_MAX_OPTIONS];
    const char *operand; /* NULL if there is none */
    const char *second;  /* of a verb that takes two */
    bool help;
    char **words; /* all, for options that are given several times */
    int word_count;
} scree_arguments;

typedef struct scree_verb
{
    const char *name;            /* "mesh info" */
    const char *operand;         /* "FILE"; "A B": two; NULL if it takes none */
    const char *summary;         /* one line */
    const char *text;            /* paragraphs under the options; may be NULL */
    const char *example;         /* command lines that show the verb at work */
    const scree_option *options; /* ends with a NULL name */
    int (*run)(const scree_arguments *arguments);
} scree_verb;

/*  The name that begins each message; "scree" until it is called. main() calls it once. */
void scree_name_program(const char *name);

/*  Prints `scree: ...` to stderr. */
void scree_message(const char *format, ...) SCREE_PRINTF(1, 2);

/*  Gets each message of this thread instead of stderr, without the name of the program; NULL: stderr. For hosts that
    are no program. */
typedef void scree_message_fn(const char *text, void *user);
void scree_receive_messages(scree_message_fn *action, void *user);

/*  Each is a message, and returns the exit code to give back. */
int scree_usage_error(const char *format, ...) SCREE_PRINTF(1, 2);
int scree_system_error(const char *file, const char *action);
int scree_status_error(scree_status status, const char *text);
/*  The code alone. */
int scree_exit_of(scree_status status);

/*  False with a message on stderr. */
bool scree_parse_arguments(const scree_verb *verb, int argc, char **argv,
                           scree_arguments *arguments);

/*  The value of an option, with bounds; `*value` is unchanged if the option is not given. "1e5" is a whole number,
    too. False with a message. */
bool scree_parse_count(const scree_verb *verb, const scree_arguments *arguments, const char *option,
                       uint64_t lower, uint64_t upper, uint64_t *value);
/*  A list with commas, as "1,2,4": at most `most` ascending numbers from 1 to `upper`. `standard` is the list that is
    read if the option is not given. False with a message. */
bool scree_parse_counts(const scree_verb *verb, const scree_arguments *arguments,
                        const char *option, const char *standard, uint64_t upper, size_t most,
                        uint64_t *list, size_t *count);
bool scree_parse_real(const scree_verb *verb, const scree_arguments *arguments, const char *option,
                      double lower, double upper, double *value);
/*  One of `words` (NULL at the end); *index is unchanged if the option is not given. */
bool scree_parse_word(const scree_verb *verb, const scree_arguments *arguments, const char *option,
                      const char *const *words, int *index);
bool scree_text_to_count(const char *text, uint64_t *value);

/*  The argument of an option of this verb, or NULL. The name must be one of its options. */
const char *scree_argument(const scree_verb *verb, const scree_arguments *arguments,
                           const char *option);

/*  The index-th argument of an option that may be given several times, from 0; NULL after the last. */
const char *scree_argument_at(const scree_verb *verb, const scree_arguments *arguments,
                              const char *option, size_t index);

/*  The most similar word of a list, or NULL if none is similar. `next` returns the list. */
const char *scree_closest_word(const char *word,
                               const char *(*next)(const void *list, size_t index),
                               const void *list);

void scree_print_help(const scree_verb *verb, FILE *out);

/*  "\033[1m" and the like, or "" if `out` is not a terminal or NO_COLOR is set. */
const char *scree_colour(FILE *out, const char *code);

#endif
