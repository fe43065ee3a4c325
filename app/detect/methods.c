/*  scree methods: the list of detection methods and their properties. */
#include "app/detect/verbs.h"
#include "common/report.h"

#include "scree/detect.h"

#include <string.h>

/*  "incremental, threads"; `text` must have room for all. */
static const char *capability_words(uint32_t capabilities, char text[96])
{
    static const struct
    {
        uint32_t bit;
        const char *word;
    } words[] = {
        {SCREE_METHOD_QUADRATIC, "quadratic"}, {SCREE_METHOD_INCREMENTAL, "incremental"},
        {SCREE_METHOD_COHERENT, "coherent"},   {SCREE_METHOD_DIRTY, "dirty"},
        {SCREE_METHOD_QUERY, "query"},         {SCREE_METHOD_THREADS, "threads"},
    };
    text[0] = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (capabilities & words[k].bit) {
            if (text[0])
                strcat(text, " ");
            strcat(text, words[k].word);
        }
    return text;
}

static void add_abilities(scree_report *report)
{
    static const scree_report_column columns[] = {
        {"method", true, false},      {"can", true, false},         {"cost", true, true},
        {"exponent_2d", false, true}, {"exponent_3d", false, true}, {"worst_time", true, true},
        {"worst_memory", true, true}, {"summary", true, false},
    };
    char text[96];
    scree_report_begin(report, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < scree_method_count(); i++) {
        const scree_method_info *info = scree_method_at(i);
        scree_report_add(report, "%s", info->name);
        scree_report_add(report, "%s", capability_words(info->capabilities, text));
        scree_report_add(report, "%s", info->cost);
        scree_report_add(report, "%.4g", info->exponent[0]);
        scree_report_add(report, "%.4g", info->exponent[1]);
        scree_report_add(report, "%s", info->worst_time);
        scree_report_add(report, "%s", info->worst_memory);
        scree_report_add(report, "%s", info->summary);
    }
}

/*  A different table, because the lines of the other would be too long. */
static void add_worst_cases(scree_report *report)
{
    static const scree_report_column columns[] = {
        {"method", true, false},
        {"memory at worst", true, false},
        {"time at worst", true, false},
    };
    scree_report_begin(report, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < scree_method_count(); i++) {
        const scree_method_info *info = scree_method_at(i);
        scree_report_add(report, "%s", info->name);
        scree_report_add(report, "%s", info->worst_memory);
        scree_report_add(report, "%s", info->worst_time);
    }
}

static int run_methods(const scree_arguments *arguments)
{
    int format = SCREE_REPORT_TABLE;
    scree_report report;
    if (!scree_parse_word(&scree_verb_methods, arguments, "format", scree_report_formats, &format))
        return SCREE_EXIT_USAGE;
    add_abilities(&report);
    int code = scree_report_end(&report, format, stdout);
    if (code != SCREE_EXIT_OK || format != SCREE_REPORT_TABLE)
        return code;
    putchar('\n');
    add_worst_cases(&report);
    return scree_report_end(&report, format, stdout);
}

static const scree_option methods_options[] = {
    {"format", "FORMAT", "table, csv or json; table"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_methods = {
    .name = "methods",
    .summary = "Lists the detection methods, what each can do and its cost at worst.",
    .text = "quadratic    the cost grows with the square of the number of bodies, in any scene\n"
            "incremental  inserting or removing a body costs less than a rebuild\n"
            "coherent     an update costs less when bodies have moved little\n"
            "dirty        an update of few bodies costs in proportion to their number\n"
            "query        queries use the structure of the method\n"
            "threads      the search for pairs uses several threads\n"
            "\n"
            "At worst: the limit for any scene with N bodies and K pairs of overlapping boxes. "
            "Time is that\n"
            "of an update and a search; memory excludes the list of pairs.\n"
            "\n"
            "All methods report the same pairs.",
    .example = "scree methods --format csv",
    .options = methods_options,
    .run = run_methods,
};
