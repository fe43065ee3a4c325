#include "common/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define VERB_LIMIT 32

/* ---- the verbs of all groups ---------------------------------------------------------------------
 */

/*  The index-th command, group after group; NULL after the last. */
static const scree_verb *verb_at(const scree_program *program, size_t index)
{
    for (const scree_verb_group *group = program->groups; group->title; group++)
        for (size_t i = 0; group->verbs[i]; i++)
            if (index-- == 0)
                return group->verbs[i];
    return NULL;
}

static size_t first_length(const scree_verb *verb)
{
    return strcspn(verb->name, " ");
}

/*  The command named by words[0] and perhaps words[1]; *used gets the number of words in its name. */
static const scree_verb *find_verb(const scree_program *program, int count, char **words, int *used)
{
    const scree_verb *verb;

    for (size_t i = 0; (verb = verb_at(program, i)) != NULL; i++) {
        const char *name = verb->name, *blank = strchr(name, ' ');
        size_t length = first_length(verb);
        if (strlen(words[0]) != length || memcmp(words[0], name, length) != 0)
            continue;
        if (!blank || (count > 1 && strcmp(words[1], blank + 1) == 0)) {
            *used = blank ? 2 : 1;
            return verb;
        }
    }
    return NULL;
}

/*  First words of the commands, or with a first word the second ones. */
typedef struct verb_words
{
    char word[VERB_LIMIT][32];
    size_t count;
} verb_words;

static const char *next_verb(const void *list, size_t index)
{
    const verb_words *words = list;
    return index < words->count ? words->word[index] : NULL;
}

static void list_words(const scree_program *program, verb_words *words, const char *first)
{
    const scree_verb *verb;

    words->count = 0;
    for (size_t i = 0; (verb = verb_at(program, i)) != NULL && i < VERB_LIMIT; i++) {
        const char *name = verb->name, *blank = strchr(name, ' ');
        size_t length = first_length(verb);
        bool under = first && blank && strlen(first) == length && memcmp(name, first, length) == 0;
        char *word = words->word[words->count];
        if (first && under)
            snprintf(word, sizeof words->word[0], "%s", blank + 1);
        else if (!first)
            snprintf(word, sizeof words->word[0], "%.*s", (int)length, name);
        words->count += !first || under;
    }
}

/* ---- help and unknown commands ------------------------------------------------------------------ */

static void print_overview(const scree_program *program, FILE *out)
{
    const char *bold = scree_colour(out, "\033[1m"), *plain = scree_colour(out, "\033[0m");

    fprintf(out, "usage: %s VERB [OPTION...]\n\n%s\n", program->name, program->summary);
    for (const scree_verb_group *group = program->groups; group->title; group++) {
        fprintf(out, "\n%s:\n", group->title);
        for (size_t i = 0; group->verbs[i]; i++)
            fprintf(out, "  %s%-11s%s %s\n", bold, group->verbs[i]->name, plain,
                    group->verbs[i]->summary);
    }
    fprintf(
        out,
        "\n%s help VERB, %s VERB --help: options and an example. --version: the version.\n"
        "Exit codes: 0 done, 1 a check failed, 2 wrong command line, 3 wrong content of a file,\n"
        "4 the system failed to read or write, 5 out of memory; of runs: 6 stopped at its limit\n"
        "of time, 7 a step was refused, 128 + N stopped by signal N.\n"
        "Environment: SCREE_SIMD (scalar, simd128, avx2, avx512), NO_COLOR.\n",
        program->name, program->name);
}

static int refuse_verb(const scree_program *program, int count, char **words)
{
    verb_words known;

    if (program->moved_word && strcmp(words[0], program->moved_word) == 0)
        return scree_usage_error("%s", program->moved_to);
    list_words(program, &known, words[0]);
    bool second = known.count > 0;
    if (second && count < 2) {
        char list[VERB_LIMIT * 48] = "";
        for (size_t i = 0, n = 0; i < known.count && n < sizeof list; i++)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s %s %s %s", i ? "," : "",
                                  program->name, words[0], known.word[i]);
        return scree_usage_error("%s: which one?%s", words[0], list);
    }
    if (!second)
        list_words(program, &known, NULL);
    const char *before = second ? words[0] : "", *blank = second ? " " : "";
    const char *word = second ? words[1] : words[0];
    const char *closest = scree_closest_word(word, next_verb, &known);
    if (closest)
        return scree_usage_error("there is no \"%s %s%s%.60s\"; did you mean \"%s%s%s\"?",
                                 program->name, before, blank, word, before, blank, closest);
    return scree_usage_error("there is no \"%s %s%s%.60s\"; see %s --help", program->name, before,
                             blank, word, program->name);
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static bool begins_with(const scree_verb *verb, const char *word)
{
    return strlen(word) == first_length(verb) && strncmp(verb->name, word, strlen(word)) == 0;
}

/*  The verbs of two words that begin with this one. */
static void print_family(const scree_program *program, const char *word)
{
    const scree_verb *verb;

    printf("usage: %s %s VERB [OPTION...]\n\n", program->name, word);
    for (size_t i = 0; (verb = verb_at(program, i)) != NULL; i++)
        if (begins_with(verb, word))
            printf("  %-11s %s\n", verb->name, verb->summary);
    printf("\n%s help %s VERB: options.\n\nexamples:\n", program->name, word);
    for (size_t i = 0; (verb = verb_at(program, i)) != NULL; i++)
        if (begins_with(verb, word) && verb->example)
            printf("  %s\n", verb->example);
}

/*  scree help [VERB] */
static int run_help(const scree_program *program, int count, char **words)
{
    const scree_verb *verb;
    verb_words known;
    int used = 0;

    if (count == 0) {
        print_overview(program, stdout);
        return SCREE_EXIT_OK;
    }
    verb = find_verb(program, count, words, &used);
    if (verb) {
        scree_print_help(verb, stdout);
        return SCREE_EXIT_OK;
    }
    list_words(program, &known, words[0]);
    if (known.count == 0 || count > 1)
        return refuse_verb(program, count, words);
    print_family(program, words[0]);
    return SCREE_EXIT_OK;
}

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "a compiler without a name"
#endif

#if defined(__x86_64__)
#define PROCESSOR "x86_64"
#elif defined(__aarch64__)
#define PROCESSOR "aarch64"
#else
#define PROCESSOR "another processor"
#endif

#if defined(__OPTIMIZE__)
#define OPTIMIZED "optimized"
#else
#define OPTIMIZED "not optimized"
#endif

/*  The first line is for scripts. The others are what a report of a problem needs. */
static void print_version(const scree_program *program)
{
    scree_simd best = scree_simd_resolve(SCREE_SIMD_AVX512);

    printf("%s %s\n", program->name, SCREE_VERSION_TEXT);
    printf("build     by %s for %s, %s\n", COMPILER, PROCESSOR, OPTIMIZED);
    printf("SIMD      %s, of", scree_simd_name(scree_simd_resolve(SCREE_SIMD_AUTO)));
    for (scree_simd level = SCREE_SIMD_SCALAR; level <= best; level++)
        printf("%s %s", level == SCREE_SIMD_SCALAR ? "" : ",", scree_simd_name(level));
    printf("\n");
    if (program->parts)
        printf("parts     %s\n", *program->parts ? program->parts : "none");
    if (program->left_out && *program->left_out)
        printf("without   %s\n", program->left_out);
}

static int run_program(const scree_program *program, int count, char **words)
{
    scree_arguments arguments;
    int used = 0;

    if (count == 0) {
        print_overview(program, stderr);
        return SCREE_EXIT_USAGE;
    }
    if (asks_for_help(words[0]) || strcmp(words[0], "help") == 0)
        return run_help(program, count - 1, words + 1);
    if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "version") == 0) {
        print_version(program);
        return SCREE_EXIT_OK;
    }
    if (words[0][0] == '-')
        return scree_usage_error("there is no option %.60s before a verb; see %s --help", words[0],
                                 program->name);
    const scree_verb *verb = find_verb(program, count, words, &used);
    if (!verb && count > 1 && asks_for_help(words[1]))
        return run_help(program, 1, words);
    if (!verb)
        return refuse_verb(program, count, words);
    if (!scree_parse_arguments(verb, count - used, words + used, &arguments))
        return SCREE_EXIT_USAGE;
    if (arguments.help) {
        scree_print_help(verb, stdout);
        return SCREE_EXIT_OK;
    }
    return verb->run(&arguments);
}

/* ---- standard streams ----------------------------------------------------------------------------
 */

/*  `scree methods | head -1`: the reader has what it wanted, so this is no error. */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

/*  If a standard stream is closed, the next file that is opened would take its number and receive its output. */
static void fill_standard_streams(void)
{
    int descriptor;

    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= STDIN_FILENO && descriptor < STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

/*  A handler, not SIG_IGN: programs that are started from here get the default action back. */
static void do_nothing(int number)
{
    (void)number;
}

int scree_program_main(const scree_program *program, int argc, char **argv)
{
    scree_name_program(program->name);
    fill_standard_streams();
    /* a closed pipe and a file that has become too large show as failed writes, not as a killed program */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, do_nothing);
    int code = run_program(program, argc > 0 ? argc - 1 : 0, argv + 1);
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && !reader_is_gone() && code == SCREE_EXIT_OK) {
        errno = errno ? errno : EIO;
        code = scree_system_error("stdout", "cannot write");
    }
    return code;
}
