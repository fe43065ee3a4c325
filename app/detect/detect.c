/*  scree detect: which bodies of a file overlap. The file is read and checked completely, then searched, then the
    result is written, so a run that fails writes nothing. */
#include "app/detect/verbs.h"
#include "app/detect/write_pairs.h"
#include "common/methods.h"
#include "common/out_file.h"

#include <stdlib.h>
#include <string.h>

typedef struct job
{
    scree_detector_def def;
    scree_read_options read;
    const char *out_path;
    int dimensions; /* 0: as in the file */
    bool binary, count, neighbors, any_order, explain;
} job;

static bool parse_job(const scree_arguments *arguments, job *j)
{
    static const char *const formats[] = {"csv", "binary", NULL};
    const scree_verb *verb = &scree_verb_detect;
    uint64_t threads = 1, dimensions = 0;
    int format = 0, simd = SCREE_SIMD_AUTO;
    memset(j, 0, sizeof *j);
    j->def = scree_default_detector_def();
    if (!scree_parse_count(verb, arguments, "threads", 1, 256, &threads) ||
        !scree_parse_count(verb, arguments, "dimensions", 2, 3, &dimensions) ||
        !scree_parse_word(verb, arguments, "simd", scree_simd_words, &simd) ||
        !scree_parse_word(verb, arguments, "format", formats, &format))
        return false;
    const char *method = scree_argument(verb, arguments, "method");
    if (method && !scree_check_method(verb, method))
        return false;
    if (method)
        j->def.method = method;
    j->def.thread_count = (uint32_t)threads;
    j->def.simd = (scree_simd)simd;
    j->dimensions = (int)dimensions;
    j->binary = format == 1;
    j->count = scree_argument(verb, arguments, "count") != NULL;
    j->neighbors = scree_argument(verb, arguments, "neighbors") != NULL;
    j->any_order = scree_argument(verb, arguments, "any-order") != NULL;
    j->explain = scree_argument(verb, arguments, "explain") != NULL;
    j->out_path = scree_argument(verb, arguments, "out");
    j->read.columns = scree_argument(verb, arguments, "columns");
    j->read.ignore = scree_argument(verb, arguments, "ignore");
    j->read.any_number = scree_argument(verb, arguments, "skip-unusable") != NULL;
    if (j->read.any_number)
        j->def.unusable = SCREE_SKIP_BODY;
    if (j->count && j->neighbors) {
        scree_usage_error("detect: --count and --neighbors exclude each other");
        return false;
    }
    return true;
}

static int read_bodies(const char *path, const job *j, scree_body_table *table)
{
    char *data = NULL;
    size_t size = 0;
    scree_read_error error;
    int code = scree_read_file(path, &data, &size);
    if (code != SCREE_EXIT_OK)
        return code;
    scree_status status = scree_read_table(data, size, &j->read, table, &error);
    free(data);
    if (status == SCREE_OK)
        return SCREE_EXIT_OK;
    fprintf(stderr, "scree: %s:%s%llu: %s: %s\n", strcmp(path, "-") == 0 ? "stdin" : path,
            error.binary ? "byte " : "", (unsigned long long)error.at, error.field, error.text);
    return status == SCREE_OUT_OF_MEMORY ? SCREE_EXIT_MEMORY : SCREE_EXIT_INPUT;
}

static int count_pair(uint32_t first, uint32_t second, void *user)
{
    (void)first;
    (void)second;
    ++*(uint64_t *)user;
    return 0;
}

/*  Searches, then writes: nothing is printed before the search has succeeded. */
static int write_result(const job *j, const scree_body_table *table, scree_detector *detector)
{
    uint64_t count = 0;
    scree_pairs pairs = {0, NULL, NULL};
    scree_neighbors neighbors = {0, 0, NULL, NULL};
    scree_pairs_options options = {.canonical = !j->any_order};
    scree_status status = j->count ? scree_detector_for_each_pair(detector, count_pair, &count)
                          : j->neighbors ? scree_detector_neighbors(detector, NULL, &neighbors)
                                         : scree_detector_pairs(detector, &options, &pairs);
    if (status != SCREE_OK)
        return scree_status_error(status, scree_detector_message(detector));
    scree_out_file out;
    int code = scree_out_open(&out, j->out_path);
    if (code != SCREE_EXIT_OK)
        return code;
    if (j->count)
        fprintf(out.stream, "%llu\n", (unsigned long long)count);
    else if (j->neighbors)
        scree_write_neighbors(table, &neighbors, j->binary, out.stream);
    else
        scree_write_pairs(table, &pairs, j->binary, out.stream);
    return scree_out_commit(&out);
}

/*  Prints the choice of method and its reason on stderr, because the result may go to stdout. */
static void print_explanation(const scree_detector *detector)
{
    scree_explanation why = scree_detector_explain(detector);
    fprintf(stderr, "scree: %s: %s\n", why.method, why.reason);
    fprintf(stderr,
            "  bodies %llu, size ratio %.3g, slenderness %.3g, crowding %.3g, far %.3g, "
            "moved %.3g, pairs a body %.3g\n",
            (unsigned long long)why.bodies, why.size_ratio, why.slenderness, why.crowding,
            why.far_share, why.dirty_share, why.pairs);
    for (uint32_t k = 0; k < why.alternative_count; k++) {
        const scree_alternative *other = &why.alternatives[k];
        fprintf(stderr, "  %-16s predicted %8.3g ns a body", other->method, other->predicted);
        if (other->measured > 0)
            fprintf(stderr, ", measured %.3g with reading the table", other->measured);
        fputc('\n', stderr);
    }
}

/*  Reports the number of omitted bodies at the end. */
static void print_warning(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    (void)user;
    if (level == SCREE_LOG_WARNING && id != SCREE_LOG_BODIES_REJECTED)
        fprintf(stderr, "scree: warning: %s\n", text);
}

static int detect_in(job *j, const scree_body_table *table)
{
    scree_error error = {SCREE_OK, ""};
    scree_detector *detector = NULL;
    if (j->dimensions > table->dimensions)
        return scree_usage_error("detect: --dimensions is 3, and the file has no z");
    j->def.dimensions = j->dimensions ? j->dimensions : table->dimensions;
    j->def.volume = table->volume;
    j->def.error = &error;
    j->def.log.write = print_warning;
    scree_status status = scree_detector_create(&j->def, &detector);
    j->def.error = NULL;
    if (status != SCREE_OK)
        return scree_status_error(status, error.text);
    scree_table view = scree_body_table_view(table);
    status = scree_detector_update(detector, &view, NULL);
    int code = SCREE_EXIT_OK;
    if (status != SCREE_OK)
        code = scree_status_error(status, scree_detector_message(detector));
    uint64_t skipped = scree_detector_stats(detector).rejected;
    if (code == SCREE_EXIT_OK && skipped)
        fprintf(stderr, "scree: %llu bodies with unusable numbers are left out\n",
                (unsigned long long)skipped);
    if (code == SCREE_EXIT_OK)
        code = write_result(j, table, detector);
    if (code == SCREE_EXIT_OK && j->explain)
        print_explanation(detector);
    scree_detector_destroy(detector);
    return code;
}

static int run_detect(const scree_arguments *arguments)
{
    job j;
    scree_body_table table;
    if (!parse_job(arguments, &j))
        return SCREE_EXIT_USAGE;
    if (!arguments->operand)
        return scree_usage_error("detect: which FILE? (- is stdin)");
    int code = read_bodies(arguments->operand, &j, &table);
    if (code != SCREE_EXIT_OK)
        return code;
    code = detect_in(&j, &table);
    scree_body_table_free(&table);
    return code;
}

static const scree_option detect_options[] = {
    {"method", "NAME", "a method of scree methods; default: the library's"},
    {"dimensions", "2|3", "default: 3 if the file has z, otherwise 2; 2 ignores z"},
    {"out", "FILE", "the output file; default stdout. Complete or absent"},
    {"format", "FORMAT", "csv or binary; csv"},
    {"count", NULL, "print only the number of pairs"},
    {"neighbors", NULL, "the neighbours of each body instead of pairs"},
    {"any-order", NULL, "pairs as they are found, not sorted by (first, second)"},
    {"explain", NULL, "print on stderr which method was chosen, and why"},
    {"columns", "NAMES", "names of the columns of a text file without a header: id,x,y,r"},
    {"ignore", "NAMES", "columns to ignore: vx,vy; all: all unknown ones"},
    {"skip-unusable", NULL, "leave out bodies with NaN, infinite, negative sizes"},
    {"threads", "T", "1 to 256; 1"},
    {"simd", "LEVEL", "auto, scalar, simd128, avx2 or avx512; auto"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_detect = {
    .name = "detect",
    .operand = "FILE",
    .summary = "Finds the pairs of overlapping bodies in a file; - is stdin.",
    .text =
        "A text file has one body a line, columns x,y[,z],r (spheres) or\n"
        "lo_x,lo_y[,lo_z],hi_x,hi_y[,hi_z] (boxes), and optionally id, group, mask, owner, flags.\n"
        "Names are in the first line; without them 3 columns are x,y,r, 4 are x,y,z,r, 6 are a "
        "box.\n"
        "Volumes are closed: touching counts. Formats, binary ones too: docs/formats.md.",
    .example = "scree detect bodies.csv --method auto --count",
    .options = detect_options,
    .run = run_detect,
};
