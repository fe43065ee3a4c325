#include "flow_rows.h"

#include "base/error.h"
#include "io/read_file.h"
#include "number_lines.h"
#include "scene_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES (1u << 26)
/*  How far a node may be from where a regular grid has it, in spacings: files have few digits. */
#define OFF 0.01

typedef struct flow_row
{
    double place[3], velocity[3];
    size_t line;
} flow_row;

static scree_status read_rows(scene_number_lines *lines, flow_row *rows, size_t *count,
                              scree_error *error)
{
    *count = 0;
    while (lines->at < lines->end) {
        double row[SCENE_MAX_COLUMNS];
        int found = scene_next_numbers(lines, row);
        scree_status status;
        if (scene_is_no_row(lines, found))
            continue;
        if (found >= 0 && found != 6)
            return scree_fail(error, SCREE_BAD_FILE,
                              "%s:%zu: has %d numbers, must have 6: x y z of a node, and the "
                              "velocity there",
                              lines->path, lines->line, found);
        status = scene_check_row(lines, found, error);
        if (status)
            return status;
        memcpy(rows[*count].place, row, sizeof rows->place);
        memcpy(rows[*count].velocity, row + 3, sizeof rows->velocity);
        rows[(*count)++].line = lines->line;
    }
    if (*count == 0)
        return scree_fail(error, SCREE_BAD_FILE, "%s: has no rows of numbers", lines->path);
    return SCREE_OK;
}

static int compare_numbers(const void *a, const void *b)
{
    const double *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/*  The grid along one axis: from the smallest to the largest coordinate, by the smallest distance that is not only
    rounding. */
static void find_axis(const flow_row *rows, size_t count, int axis, double *sorted,
                      scree_flow_grid *flow)
{
    double first, last, least = INFINITY;

    for (size_t k = 0; k < count; k++)
        sorted[k] = rows[k].place[axis];
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    first = sorted[0];
    last = sorted[count - 1];
    for (size_t k = 1; k < count; k++) {
        double step = sorted[k] - sorted[k - 1];
        if (step > 1e-6 * (last - first) && step < least)
            least = step;
    }
    flow->lower[axis] = first;
    flow->count[axis] = 1;
    flow->spacing[axis] = 1;
    if (last > first) {
        double cells = floor((last - first) / least + 0.5);
        cells = cells < MAX_NODES ? cells : MAX_NODES;
        flow->count[axis] = (uint32_t)cells + 1;
        flow->spacing[axis] = (last - first) / cells;
    }
}

/*  SIZE_MAX: the place is no node. */
static size_t node_of(const scree_flow_grid *flow, const double place[3])
{
    size_t node[3];

    for (int k = 0; k < 3; k++) {
        double at = (place[k] - flow->lower[k]) / flow->spacing[k], whole = floor(at + 0.5);
        if (fabs(at - whole) > OFF)
            return SIZE_MAX;
        node[k] = (size_t)whole;
    }
    return (node[2] * flow->count[1] + node[1]) * flow->count[0] + node[0];
}

/*  Each node of the grid has one row. */
static scree_status fill(const char *path, const flow_row *rows, size_t count,
                         const scree_flow_grid *flow, double (*nodes)[3], scree_error *error)
{
    for (size_t k = 0; k < count; k++)
        nodes[k][0] = NAN;
    for (size_t k = 0; k < count; k++) {
        size_t node = node_of(flow, rows[k].place);
        if (node == SIZE_MAX || !isnan(nodes[node][0]))
            return scree_fail(error, SCREE_BAD_FILE, "%s:%zu: (%g, %g, %g) is %s", path,
                              rows[k].line, rows[k].place[0], rows[k].place[1], rows[k].place[2],
                              node == SIZE_MAX ? "no node of a regular grid"
                                               : "a node that there was before");
        memcpy(nodes[node], rows[k].velocity, sizeof *nodes);
    }
    return SCREE_OK;
}

static scree_status make_grid(scree_scene *scene, const char *path, const flow_row *rows,
                              size_t count, scree_flow_grid *flow, double (**nodes)[3],
                              scree_error *error)
{
    double wanted = 1;

    *nodes = scene_take(scene, count, sizeof **nodes);
    if (!*nodes)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", path);
    for (int k = 0; k < 3; k++) {
        find_axis(rows, count, k, (*nodes)[0], flow);
        wanted *= flow->count[k];
    }
    if (wanted != (double)count)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: has %zu rows, a regular grid of %u x %u x %u nodes has %.0f: is a "
                          "row missing, or are distances not equal?",
                          path, count, flow->count[0], flow->count[1], flow->count[2], wanted);
    flow->velocity = (const double(*)[3]) * nodes;
    return fill(path, rows, count, flow, *nodes, error);
}

scree_status scene_read_flow(scree_scene *scene, const char *path, scree_flow_grid *flow,
                             double (**nodes)[3], scree_error *error)
{
    scree_file_bytes file = {0};
    flow_row *rows = NULL;
    size_t lines = 0, count = 0;
    scree_status status = scree_file_read(path, NULL, &scene->memory, &file, error);

    if (!status) {
        scene_number_lines reader = {.path = path,
                                     .at = (const char *)file.bytes,
                                     .end = (const char *)file.bytes + file.count};
        lines = scene_count_lines(reader.at, file.count);
        status = scree_memory_take(&scene->memory, lines, sizeof *rows, &rows)
                     ? scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", path)
                     : read_rows(&reader, rows, &count, error);
    }
    if (!status)
        status = make_grid(scene, path, rows, count, flow, nodes, error);
    scree_memory_give(&scene->memory, &rows, lines, sizeof *rows);
    scree_file_bytes_free(&file, &scene->memory);
    return status;
}
