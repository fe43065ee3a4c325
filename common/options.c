/*  Options are --name value or --name=value, before or after the operand; `--` ends them and `-` is an operand. An
    unknown option is refused, with the most similar known one. */
#include "common/options.h"

#include "base/nearest_name.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- messages -----------------------------------------------------------------------------------
 */

/*  Set once, before any command runs. */
static const char *program_name = "scree";

void scree_name_program(const char *name)
{
    program_name = name;
}

static _Thread_local struct
{
    scree_message_fn *action;
    void *user;
} host;

void scree_receive_messages(scree_message_fn *action, void *user)
{
    host.action = action;
    host.user = user;
}

static void put_message(const char *format, va_list list)
{
    char text[2048];

    if (host.action) {
        vsnprintf(text, sizeof text, format, list);
        host.action(text, host.user);
        return;
    }
    fprintf(stderr, "%s: ", program_name);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
}

void scree_message(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_message(format, list);
    va_end(list);
}

int scree_usage_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    put_message(format, list);
    va_end(list);
    return SCREE_EXIT_USAGE;
}

int scree_system_error(const char *file, const char *action)
{
    scree_message("%s: %s: %s", file, action, strerror(errno));
    return SCREE_EXIT_SYSTEM;
}

int scree_exit_of(scree_status status)
{
    switch (status) {
    case SCREE_OK:
        return SCREE_EXIT_OK;
    case SCREE_OUT_OF_MEMORY:
        return SCREE_EXIT_MEMORY;
    case SCREE_BAD_VALUE:
    case SCREE_BAD_FILE:
    case SCREE_TOO_LARGE:
        return SCREE_EXIT_INPUT;
    case SCREE_IO_ERROR:
    case SCREE_DEVICE_ERROR:
        return SCREE_EXIT_SYSTEM;
    default:
        return SCREE_EXIT_USAGE;
    }
}

int scree_status_error(scree_status status, const char *text)
{
    scree_message("%s", text && text[0] ? text : scree_status_name(status));
    return scree_exit_of(status);
}

const char *scree_colour(FILE *out, const char *code)
{
    const char *no_colour = getenv("NO_COLOR");
    bool plain = (no_colour && no_colour[0]) || !isatty(fileno(out));
    return plain ? "" : code;
}

/* ---- similar words ------------------------------------------------------------------------------ */

const char *scree_closest_word(const char *word,
                               const char *(*next)(const void *list, size_t index),
                               const void *list)
{
    return scree_nearest_name(word, next, list);
}

static const char *next_option(const void *list, size_t index)
{
    return ((const scree_option *)list)[index].name;
}

static const char *next_word(const void *list, size_t index)
{
    return ((const char *const *)list)[index];
}

/* ---- parsing ------------------------------------------------------------------------------------
 */

static int find_option(const scree_verb *verb, const char *name, size_t length)
{
    for (int i = 0; verb->options[i].name; i++)
        if (strlen(verb->options[i].name) == length &&
            memcmp(verb->options[i].name, name, length) == 0)
            return i;
    return -1;
}

static void refuse_option(const scree_verb *verb, const char *name)
{
    const char *closest = scree_closest_word(name, next_option, verb->options);
    if (closest)
        scree_usage_error("%s: there is no option --%s; did you mean --%s?", verb->name, name,
                          closest);
    else
        scree_usage_error("%s: there is no option --%s; see %s help %s", verb->name, name,
                          program_name, verb->name);
}

static bool may_repeat(const scree_option *option)
{
    size_t length = option->argument ? strlen(option->argument) : 0;
    return length > 3 && strcmp(option->argument + length - 3, "...") == 0;
}

/*  An empty argument is always a mistake: as a folder it would be the root of the file system. */
static bool refuse_empty(const scree_verb *verb, const scree_option *option, const char *meant)
{
    scree_usage_error("%s: %s%s%sthe value is empty, must be %s", verb->name, option ? "--" : "",
                      option ? option->name : "", option ? ": " : "", meant);
    return false;
}

/*  Parses one "--name[=value]"; advances *at if its value is the next word. */
static bool parse_option(const scree_verb *verb, int argc, char **argv, int *at,
                         scree_arguments *arguments)
{
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    int index = find_option(verb, name, length);
    if (index < 0) {
        char shown[64];
        snprintf(shown, sizeof shown, "%.*s", (int)(length < 60 ? length : 60), name);
        refuse_option(verb, shown);
        return false;
    }
    const scree_option *option = &verb->options[index];
    if (arguments->text[index] && !may_repeat(option)) {
        scree_usage_error("%s: --%s is given twice", verb->name, option->name);
        return false;
    }
    if (!option->argument && equals) {
        scree_usage_error("%s: --%s takes no value", verb->name, option->name);
        return false;
    }
    if (!option->argument)
        arguments->text[index] = "";
    else if (equals)
        arguments->text[index] = equals + 1;
    else if (*at + 1 < argc)
        arguments->text[index] = argv[++*at];
    else {
        scree_usage_error("%s: --%s needs a value, %s", verb->name, option->name, option->argument);
        return false;
    }
    if (option->argument && arguments->text[index][0] == 0)
        return refuse_empty(verb, option, option->argument);
    return true;
}

bool scree_parse_arguments(const scree_verb *verb, int argc, char **argv,
                           scree_arguments *arguments)
{
    static char long_out[] = "--out";
    bool options_end = false;
    memset(arguments, 0, sizeof *arguments);
    arguments->words = argv;
    arguments->word_count = argc;
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        bool is_option = !options_end && word[0] == '-' && word[1] != 0;
        if (is_option && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            arguments->help = true;
            return true;
        }
        if (is_option && strcmp(word, "-o") == 0 && find_option(verb, "out", 3) >= 0)
            word = argv[i] = long_out; /* the only short option, as in compilers */
        if (is_option && strcmp(word, "--") == 0) {
            options_end = true;
        } else if (is_option && word[1] != '-') {
            scree_usage_error("%s: there is no option %.60s; options begin with --", verb->name,
                              word);
            return false;
        } else if (is_option) {
            if (!parse_option(verb, argc, argv, &i, arguments))
                return false;
        } else if (word[0] == 0 && verb->operand) {
            return refuse_empty(verb, NULL, verb->operand);
        } else if (arguments->operand && verb->operand && strchr(verb->operand, ' ') &&
                   !arguments->second) {
            arguments->second = word;
        } else if (!verb->operand || arguments->operand) {
            scree_usage_error("%s: \"%.100s\" is one word too many", verb->name, word);
            return false;
        } else {
            arguments->operand = word;
        }
    }
    return true;
}

const char *scree_argument(const scree_verb *verb, const scree_arguments *arguments,
                           const char *option)
{
    int index = find_option(verb, option, strlen(option));
    return index < 0 ? NULL : arguments->text[index];
}

/*  The words have been parsed before: each option is known and has its argument. */
const char *scree_argument_at(const scree_verb *verb, const scree_arguments *arguments,
                              const char *option, size_t index)
{
    for (int i = 0; i < arguments->word_count; i++) {
        const char *word = arguments->words[i], *equals = strchr(word, '=');
        if (strncmp(word, "--", 2) != 0)
            continue;
        if (word[2] == 0)
            break;
        size_t length = equals ? (size_t)(equals - word - 2) : strlen(word + 2);
        int at = find_option(verb, word + 2, length);
        const char *value = equals ? equals + 1 : NULL;
        if (!value && verb->options[at].argument)
            value = arguments->words[++i];
        if (strcmp(verb->options[at].name, option) == 0 && index-- == 0)
            return value;
    }
    return NULL;
}

static bool text_to_real(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == 0 && isfinite(*value);
}

bool scree_text_to_count(const char *text, uint64_t *value)
{
    double real;
    /* integers are exact in a double up to 2^53; larger ones only without an exponent */
    if (strspn(text, "0123456789") == strlen(text) && text[0]) {
        errno = 0;
        *value = strtoull(text, NULL, 10);
        return errno == 0;
    }
    if (!text_to_real(text, &real) || real < 0 || real > 9007199254740992.0 || real != floor(real))
        return false;
    *value = (uint64_t)real;
    return true;
}

bool scree_parse_count(const scree_verb *verb, const scree_arguments *arguments, const char *option,
                       uint64_t lower, uint64_t upper, uint64_t *value)
{
    const char *text = scree_argument(verb, arguments, option);
    uint64_t given;
    if (!text)
        return true;
    if (!scree_text_to_count(text, &given) || given < lower || given > upper) {
        scree_usage_error("%s: --%s: \"%.60s\" is not a whole number from %llu to %llu", verb->name,
                          option, text, (unsigned long long)lower, (unsigned long long)upper);
        return false;
    }
    *value = given;
    return true;
}

bool scree_parse_counts(const scree_verb *verb, const scree_arguments *arguments,
                        const char *option, const char *standard, uint64_t upper, size_t most,
                        uint64_t *list, size_t *count)
{
    const char *given = scree_argument(verb, arguments, option), *text = given ? given : standard;
    const char *rest = text;
    char word[32];

    *count = 0;
    while (*count < most) {
        const size_t length = strcspn(rest, ",");
        uint64_t *to = &list[*count];
        snprintf(word, sizeof word, "%.*s", length < 30 ? (int)length : 30, rest);
        if (!scree_text_to_count(word, to) || *to < 1 || *to > upper || (*count && *to <= to[-1]))
            break;
        (*count)++;
        if (rest[length] == 0)
            return true;
        rest += length + 1;
    }
    scree_usage_error(
        "%s: --%s: \"%.60s\" is not a list of at most %zu ascending numbers from 1 to "
        "%llu",
        verb->name, option, text, most, (unsigned long long)upper);
    return false;
}

bool scree_parse_real(const scree_verb *verb, const scree_arguments *arguments, const char *option,
                      double lower, double upper, double *value)
{
    const char *text = scree_argument(verb, arguments, option);
    double given;
    if (!text)
        return true;
    if (!text_to_real(text, &given) || given < lower || given > upper) {
        scree_usage_error("%s: --%s: \"%.60s\" is not a number from %g to %g", verb->name, option,
                          text, lower, upper);
        return false;
    }
    *value = given;
    return true;
}

bool scree_parse_word(const scree_verb *verb, const scree_arguments *arguments, const char *option,
                      const char *const *words, int *index)
{
    const char *text = scree_argument(verb, arguments, option);
    if (!text)
        return true;
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], text) == 0) {
            *index = i;
            return true;
        }
    const char *closest = scree_closest_word(text, next_word, words);
    fprintf(stderr, "%s: %s: --%s: there is no \"%.60s\"", program_name, verb->name, option, text);
    if (closest)
        fprintf(stderr, "; did you mean \"%s\"?\n", closest);
    else {
        fputs("; there are", stderr);
        for (int i = 0; words[i]; i++)
            fprintf(stderr, "%s %s", i ? "," : "", words[i]);
        fputc('\n', stderr);
    }
    return false;
}

/* ---- help ---------------------------------------------------------------------------------------
 */

static void print_option(const scree_option *option, FILE *out)
{
    char left[64];
    snprintf(left, sizeof left, "--%s%s%s", option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    fprintf(out, "  %s%-22s%s ", scree_colour(out, "\033[1m"), left, scree_colour(out, "\033[0m"));
    /* indents further lines of the help under the first */
    for (const char *c = option->help; *c; c++) {
        fputc(*c, out);
        if (*c == '\n')
            fprintf(out, "  %-22s ", "");
    }
    fputc('\n', out);
}

/*  Prints "example:" and its command lines; "examples:" if there are several. */
static void print_example(const char *example, FILE *out)
{
    fprintf(out, "\nexample%s:\n  ", strchr(example, '\n') ? "s" : "");
    for (const char *c = example; *c; c++) {
        fputc(*c, out);
        if (*c == '\n')
            fputs("  ", out);
    }
    fputc('\n', out);
}

void scree_print_help(const scree_verb *verb, FILE *out)
{
    fprintf(out, "usage: %s %s%s%s%s\n\n%s\n", program_name, verb->name,
            verb->options[0].name ? " [OPTION...]" : "", verb->operand ? " " : "",
            verb->operand ? verb->operand : "", verb->summary);
    if (verb->options[0].name)
        fputc('\n', out);
    for (int i = 0; verb->options[i].name; i++)
        print_option(&verb->options[i], out);
    if (verb->text)
        fprintf(out, "\n%s\n", verb->text);
    if (verb->example)
        print_example(verb->example, out);
}
