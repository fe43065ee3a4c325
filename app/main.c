/*  scree: the program. It finds the verb, lets it work, and makes sure at the end that what was
   printed has really arrived. */
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const scree_verb *const verbs[] = {
    &scree_verb_new,
    &scree_verb_check,
    &scree_verb_scene,
    &scree_verb_run,
    &scree_verb_lab,
    &scree_verb_methods,
    &scree_verb_detect,
    &scree_verb_bench_detect,
    &scree_verb_bench_auto,
    &scree_verb_bench_columns,
    &scree_verb_bench_thesis,
    &scree_verb_bench_pfc,
    &scree_verb_bench_yade,
    &scree_verb_bench_hash_grids,
    &scree_verb_bench_scaling,
    &scree_verb_bench_gpu,
    &scree_verb_bench_peers,
    &scree_verb_bench_triangles,
    &scree_verb_bench_local,
    &scree_verb_bench_meshes,
    &scree_verb_bench_surrogate,
    &scree_verb_bench_worlds,
    &scree_verb_bench_engines,
    &scree_verb_bench_demo,
    &scree_verb_demo,
    &scree_verb_render,
    &scree_verb_plot,
    &scree_verb_info,
    &scree_verb_mesh_info,
    &scree_verb_diff,
    &scree_verb_convert,
    &scree_verb_fields,
    &scree_verb_mesh_tree,
};
#define VERB_COUNT (sizeof verbs / sizeof *verbs)

static void print_overview(FILE *out)
{
    const char *bold = scree_colour(out, "\033[1m"), *plain = scree_colour(out, "\033[0m");
    fputs("usage: scree VERB [OPTION...]\n\nscree finds which bodies touch, and moves them.\n\n",
          out);
    for (size_t i = 0; i < VERB_COUNT; i++)
        fprintf(out, "  %s%-16s%s %s\n", bold, verbs[i]->name, plain, verbs[i]->summary);
    fprintf(out, "  %s%-16s%s %s\n", bold, "help VERB", plain, "Says what a verb does.");
    fputs("\n"
          "  --help, -h     this text; after a verb, that of the verb\n"
          "  --version      the version\n"
          "\n"
          "Exit codes: 0 done, 1 a check failed (methods disagree), 2 wrong command line,\n"
          "3 wrong content of a file, 4 the system failed to read or write, 5 out of memory;\n"
          "of runs: 6 stopped at its limit of time, 7 a step was refused, 128 + N by signal N.\n"
          "Environment: SCREE_SIMD (scalar, simd128, avx2, avx512), NO_COLOR.\n",
          out);
}

/*  The verb that begins with words[0] and perhaps words[1]; *used gets how many words name it. */
static const scree_verb *find_verb(int count, char **words, int *used)
{
    for (size_t i = 0; i < VERB_COUNT; i++) {
        const char *name = verbs[i]->name, *blank = strchr(name, ' ');
        size_t length = blank ? (size_t)(blank - name) : strlen(name);
        if (strlen(words[0]) != length || memcmp(words[0], name, length) != 0)
            continue;
        if (!blank || (count > 1 && strcmp(words[1], blank + 1) == 0)) {
            *used = blank ? 2 : 1;
            return verbs[i];
        }
    }
    return NULL;
}

/*  First words of the verbs, or with a first word its second ones. */
typedef struct verb_words
{
    const char *first;
    char word[VERB_COUNT][32];
    size_t count;
} verb_words;

static const char *next_verb(const void *list, size_t index)
{
    const verb_words *words = list;
    return index < words->count ? words->word[index] : NULL;
}

static void list_words(verb_words *words, const char *first)
{
    words->count = 0;
    for (size_t i = 0; i < VERB_COUNT; i++) {
        const char *name = verbs[i]->name, *blank = strchr(name, ' ');
        size_t length = blank ? (size_t)(blank - name) : strlen(name);
        bool under = first && blank && strlen(first) == length && memcmp(name, first, length) == 0;
        char *word = words->word[words->count];
        if (first && under)
            snprintf(word, sizeof words->word[0], "%s", blank + 1);
        else if (!first)
            snprintf(word, sizeof words->word[0], "%.*s", (int)length, name);
        words->count += !first || under;
    }
}

static int refuse_verb(int count, char **words)
{
    verb_words known;
    list_words(&known, words[0]);
    if (known.count > 0 && count < 2) {
        fprintf(stderr, "scree: %s: which one?", words[0]);
        for (size_t i = 0; i < known.count; i++)
            fprintf(stderr, "%s scree %s %s", i ? "," : "", words[0], known.word[i]);
        fputc('\n', stderr);
        return SCREE_EXIT_USAGE;
    }
    bool second = known.count > 0;
    if (!second)
        list_words(&known, NULL);
    const char *word = second ? words[1] : words[0];
    const char *closest = scree_closest_word(word, next_verb, &known);
    if (closest)
        return scree_usage_error("there is no \"scree %s%s%.60s\"; did you mean \"%s%s%s\"?",
                                 second ? words[0] : "", second ? " " : "", word,
                                 second ? words[0] : "", second ? " " : "", closest);
    return scree_usage_error("there is no \"scree %s%s%.60s\"; see scree --help",
                             second ? words[0] : "", second ? " " : "", word);
}

static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/*  scree help [VERB] */
static int run_help(int count, char **words)
{
    int used = 0;
    if (count == 0) {
        print_overview(stdout);
        return SCREE_EXIT_OK;
    }
    const scree_verb *verb = find_verb(count, words, &used);
    if (verb) {
        scree_print_help(verb, stdout);
        return SCREE_EXIT_OK;
    }
    /* a word that begins several verbs: all of them */
    verb_words known;
    list_words(&known, words[0]);
    if (known.count == 0 || count > 1)
        return refuse_verb(count, words);
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strncmp(verbs[i]->name, words[0], strlen(words[0])) == 0)
            printf("  scree %-16s %s\n", verbs[i]->name, verbs[i]->summary);
    return SCREE_EXIT_OK;
}

static int run_program(int count, char **words)
{
    scree_arguments arguments;
    int used = 0;
    if (count == 0) {
        print_overview(stderr);
        return SCREE_EXIT_USAGE;
    }
    if (asks_for_help(words[0]) || strcmp(words[0], "help") == 0)
        return run_help(count - 1, words + 1);
    if (strcmp(words[0], "--version") == 0 || strcmp(words[0], "version") == 0) {
        printf("scree %s\n", SCREE_VERSION_TEXT);
        return SCREE_EXIT_OK;
    }
    if (words[0][0] == '-')
        return scree_usage_error("there is no option %.60s before a verb; see scree --help",
                                 words[0]);
    const scree_verb *verb = find_verb(count, words, &used);
    if (!verb && count > 1 && asks_for_help(words[1]))
        return run_help(1, words);
    if (!verb)
        return refuse_verb(count, words);
    if (!scree_parse_arguments(verb, count - used, words + used, &arguments))
        return SCREE_EXIT_USAGE;
    if (arguments.help) {
        scree_print_help(verb, stdout);
        return SCREE_EXIT_OK;
    }
    return verb->run(&arguments);
}

/*  `scree methods | head -1` has got what it wanted: no error. */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) > 0 && (out.revents & POLLERR);
}

/*  Where a standard stream is closed the next file that is opened would take its place, and get what is meant for it. */
static void fill_standard_streams(void)
{
    int descriptor;

    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= STDIN_FILENO && descriptor < STDERR_FILENO);
    if (descriptor > STDERR_FILENO)
        close(descriptor);
}

/*  Programs that are started from here have the system's own way again, which SIG_IGN would not give back. */
static void do_nothing(int number)
{
    (void)number;
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    /* a reader that has gone away and a file that has become too large show as failed writes, not as a killed program */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, do_nothing);
    int code = run_program(argc > 0 ? argc - 1 : 0, argv + 1);
    bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && !reader_is_gone() && code == SCREE_EXIT_OK) {
        errno = errno ? errno : EIO;
        code = scree_system_error("stdout", "cannot write");
    }
    return code;
}
