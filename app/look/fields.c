/*  scree fields: density, velocity and stress on a grid, for one state or averaged over the checkpoints of a run. */
#include "app/look/kept_states.h"
#include "app/look/verbs.h"
#include "common/out_file.h"

#include "scree/io.h"

#include "base/decimal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_CELLS 20 /* along the longest axis */
#define MAX_CELLS 1e8

typedef struct fields_job
{
    const char *from, *to;
    scree_fields_def def;
    bool has_box, has_cells;
    int dimensions;
    scree_field *fields;
    size_t count;
} fields_job;

/* ---- options ---- */

/*  "x,y,z". */
static bool parse_three(const scree_arguments *arguments, const char *option, double least,
                        double x[3])
{
    const char *text = scree_argument(&scree_verb_fields, arguments, option), *at = text;
    int found = 0;

    for (; at && found < 3; found++) {
        size_t length = strcspn(at, ",");
        if (!scree_text_to_real(at, length, &x[found]) || !(fabs(x[found]) < INFINITY) ||
            x[found] < least)
            break;
        at = at[length] ? at + length + 1 : NULL;
    }
    if (text && (found < 3 || at))
        scree_usage_error(
            "fields: --%s: \"%.60s\" must be three numbers%s, separated by commas, such as 1,2,3",
            option, text, least > 0 ? " from 1" : "");
    return !text || (found == 3 && !at);
}

static bool parse_job(const scree_arguments *arguments, fields_job *job)
{
    const scree_verb *verb = &scree_verb_fields;
    static const char *const kernels[] = {"smooth", "ball", NULL};
    double cells[3] = {1, 1, 1};
    int kernel = SCREE_KERNEL_SMOOTH;

    job->from = arguments->operand;
    job->to = scree_argument(verb, arguments, "out");
    job->def = scree_default_fields_def();
    job->has_cells = scree_argument(verb, arguments, "cells") != NULL;
    job->has_box = scree_argument(verb, arguments, "lower") != NULL;
    if (!job->from) {
        scree_usage_error("fields: which checkpoint, or which FOLDER of a run?");
        return false;
    }
    if (!job->to) {
        scree_usage_error("fields: --out is needed: a file that ends in .vti or .csv");
        return false;
    }
    if (job->has_box != (scree_argument(verb, arguments, "upper") != NULL)) {
        scree_usage_error("fields: --lower and --upper must be given together");
        return false;
    }
    if (!scree_parse_word(verb, arguments, "kernel", kernels, &kernel) ||
        !scree_parse_real(verb, arguments, "width", 1e-300, 1e300, &job->def.width) ||
        !parse_three(arguments, "lower", -INFINITY, job->def.lower) ||
        !parse_three(arguments, "upper", -INFINITY, job->def.upper) ||
        !parse_three(arguments, "cells", 1, cells))
        return false;
    job->def.kernel = (scree_field_kernel)kernel;
    for (int k = 0; k < 3; k++)
        if (floor(cells[k]) != cells[k] || cells[k] > 1e6) {
            scree_usage_error("fields: --cells: %g is not a whole number to 1e6", cells[k]);
            return false;
        } else {
            job->def.cells[k] = (uint32_t)cells[k];
        }
    return true;
}

/* ---- defaults ---- */

/*  The bounding box of all bodies. */
static double find_box(scree_world *world, fields_job *job)
{
    scree_bodies_view view = scree_world_bodies(world);
    double widest = 0;

    for (size_t i = 0; i < view.count; i++) {
        double radius = scree_double_at(view.radius, i);
        widest = fmax(widest, radius);
        for (int k = 0; k < 3 && !job->has_box; k++) {
            double lower = scree_row_at(view.position, i)[k] - radius,
                   upper = scree_row_at(view.position, i)[k] + radius;
            job->def.lower[k] = i ? fmin(job->def.lower[k], lower) : lower;
            job->def.upper[k] = i ? fmax(job->def.upper[k], upper) : upper;
        }
    }
    return widest;
}

static void find_cells(fields_job *job)
{
    double longest = 0;

    for (int k = 0; k < job->dimensions; k++)
        longest = fmax(longest, job->def.upper[k] - job->def.lower[k]);
    for (int k = 0; k < job->dimensions && longest > 0; k++)
        job->def.cells[k] = (uint32_t)fmax(
            1, ceil((job->def.upper[k] - job->def.lower[k]) / longest * USUAL_CELLS - 1e-9));
}

/*  From the first state: the grid is the same for all. */
static int choose(scree_world *world, int dimensions, fields_job *job)
{
    double widest = find_box(world, job), product = 1;

    job->dimensions = dimensions;
    if (job->def.width == 0)
        job->def.width = 3 * widest;
    if (!job->has_cells)
        find_cells(job);
    for (int k = 0; k < 3; k++)
        product *= job->def.cells[k];
    if (product > MAX_CELLS)
        return scree_usage_error("fields: %g cells; at most %g", product, MAX_CELLS);
    if (job->def.width == 0) {
        fprintf(stderr, "scree: %s: no bodies: set the width of the kernel with --width\n",
                job->from);
        return SCREE_EXIT_INPUT;
    }
    job->count = (size_t)product;
    job->fields = calloc(job->count, sizeof *job->fields);
    return job->fields ? SCREE_EXIT_OK : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
}

/* ---- states ---- */

static int add_state(fields_job *job, const char *path, double weight, double *time)
{
    scree_checkpoint *checkpoint;
    scree_world *world = NULL;
    scree_error error = {SCREE_OK, ""};
    int code = scree_read_checkpoint(path, &checkpoint);

    if (code != SCREE_EXIT_OK)
        return code;
    scree_checkpoint_info info = scree_checkpoint_describe(checkpoint);
    if (scree_checkpoint_world(checkpoint, NULL, &world, &error))
        code = scree_status_error(error.status, error.text);
    scree_checkpoint_destroy(checkpoint);
    if (code == SCREE_EXIT_OK && !job->fields)
        code = choose(world, info.dimensions, job);
    if (code == SCREE_EXIT_OK) {
        scree_status status =
            scree_world_add_fields(world, &job->def, weight, job->fields, job->count);
        if (status)
            code = scree_status_error(status, scree_world_message(world));
    }
    if (world)
        *time = scree_world_clock(world).time;
    scree_world_destroy(world);
    return code;
}

static int add_run(fields_job *job, double *time, size_t *states)
{
    scree_kept_states list = {NULL, 0};
    int code = scree_kept_states_list(job->from, &list);

    if (code == SCREE_EXIT_OK && list.count == 0) {
        fprintf(stderr, "scree: %s: no checkpoints\n", job->from);
        code = SCREE_EXIT_INPUT;
    }
    for (size_t k = 0; k < list.count && code == SCREE_EXIT_OK; k++)
        code = add_state(job, list.state[k].path, 1.0 / (double)list.count, time);
    *states = list.count;
    scree_kept_states_free(&list);
    return code;
}

static int run_fields(const scree_arguments *arguments)
{
    fields_job job = {0};
    scree_error error = {SCREE_OK, ""};
    double time = 0;
    size_t states = 1;

    if (!parse_job(arguments, &job))
        return SCREE_EXIT_USAGE;
    int code = scree_is_folder(job.from) ? add_run(&job, &time, &states)
                                         : add_state(&job, job.from, 1, &time);
    if (code == SCREE_EXIT_OK &&
        scree_export_fields(&job.def, job.dimensions, time, job.fields, job.count, job.to, &error))
        code = scree_status_error(error.status, error.text);
    if (code == SCREE_EXIT_OK)
        printf("%s: %" PRIu32 " x %" PRIu32 " x %" PRIu32 " cells, kernel of %g m, %zu state%s\n",
               job.to, job.def.cells[0], job.def.cells[1], job.def.cells[2], job.def.width, states,
               states == 1 ? "" : "s, their mean");
    free(job.fields);
    return code;
}

static const scree_option fields_options[] = {
    {"out", "PATH", "the file; .csv: a line for each cell, otherwise a VTK image, .vti"},
    {"lower", "X,Y,Z", "lower corner of the grid; default: that of the bodies in the first state"},
    {"upper", "X,Y,Z", "upper corner of the grid"},
    {"cells", "N,N,N",
     "number along each axis; default: 20 along the longest, of equal size along the others"},
    {"width", "W", "m, the radius of the kernel; default: three times the largest radius"},
    {"kernel", "WORD", "smooth or ball; smooth"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_fields = {
    .name = "fields",
    .operand = "FILE",
    .summary = "Averages a checkpoint, or a run, to density, velocity and stress on a grid.",
    .text = "Each cell has the values at its middle, weighted by a kernel around it: density and "
            "solid\n"
            "fraction, velocity, granular temperature, kinetic and contact stress (compression is "
            "positive),\n"
            "pressure, shear stress, contacts per body, fabric. FILE is a checkpoint or the folder "
            "of a\n"
            "run; of a run, all checkpoints are averaged with equal weight.",
    .example = "scree fields out/hopper --out fields.vti",
    .options = fields_options,
    .run = run_fields,
};
