#include "path_rows.h"

#include "base/error.h"
#include "io/read_file.h"
#include "number_lines.h"
#include "scene_internal.h"

#include <string.h>

#define MAX_ROWS 1000000u
/*  All rows have as many numbers as the first. */
static scree_status check_columns(scene_number_lines *r, int count, scree_error *error)
{
    if (count > 0 && count != 4 && count != 8)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s:%zu: has %d numbers, must have 4 (t x y z) or 8 (and a quaternion "
                          "w x y z)",
                          r->path, r->line, count);
    return scene_check_row(r, count, error);
}

static scree_status read_rows(scene_number_lines *r, double (*rows)[8], size_t *count,
                              scree_error *error)
{
    *count = 0;
    while (r->at < r->end) {
        double row[SCENE_MAX_COLUMNS] = {0, 0, 0, 0, 1, 0, 0, 0};
        int found = scene_next_numbers(r, row);
        if (scene_is_no_row(r, found))
            continue;
        scree_status status = check_columns(r, found, error);
        if (status)
            return status;
        if (*count > 0 && !(row[0] > rows[*count - 1][0]))
            return scree_fail(error, SCREE_BAD_FILE,
                              "%s:%zu: is at time %g, and the row before at %g; times must ascend",
                              r->path, r->line, row[0], rows[*count - 1][0]);
        if (*count == MAX_ROWS)
            return scree_fail(error, SCREE_BAD_FILE, "%s: has more than %u rows", r->path,
                              MAX_ROWS);
        memcpy(rows[(*count)++], row, sizeof row);
    }
    if (*count < 2)
        return scree_fail(error, SCREE_BAD_FILE, "%s: has %zu rows of numbers, a path has two",
                          r->path, *count);
    return SCREE_OK;
}

scree_status scene_read_path_rows(scree_scene *scene, const char *path, double (**rows)[8],
                                  size_t *count, scree_error *error)
{
    scree_file_bytes file = {0};
    scree_status status = scree_file_read(path, NULL, &scene->memory, &file, error);

    *rows = NULL;
    if (!status) {
        scene_number_lines reader = {.path = path,
                                     .at = (const char *)file.bytes,
                                     .end = (const char *)file.bytes + file.count};
        size_t lines = scene_count_lines(reader.at, file.count);
        *rows = scene_take(scene, lines < MAX_ROWS ? lines : MAX_ROWS, sizeof **rows);
        status = *rows ? read_rows(&reader, *rows, count, error)
                       : scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", path);
    }
    scree_file_bytes_free(&file, &scene->memory);
    return status;
}
