/*  Whether a scene has what is varied and reports what is fitted, and what a run has reported. */
#include "app/calibrate/calibration.h"

#include "common/number_table.h"
#include "common/out_file.h"
#include "scene.h"

#include "base/hash.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  Names of all columns of metrics.csv, for the nearest one. */
static const char *column_name(const void *list, size_t index)
{
    const scree_scene *scene = list;
    size_t standard = scree_scene_standard_count(scene);
    if (index < standard)
        return scree_scene_standard_name(scene, index);
    return index - standard < scree_scene_column_count(scene)
               ? scree_scene_column_name(scene, index - standard)
               : NULL;
}

static int look_for_column(const scree_scene *scene, const char *path, const char *name)
{
    for (size_t k = 0;; k++) {
        const char *other = column_name(scene, k);
        if (!other)
            break;
        if (strcmp(other, name) == 0)
            return SCREE_EXIT_OK;
    }
    const char *closest = scree_closest_word(name, column_name, scene);
    return scree_usage_error(
        "calibrate: --fit: %s does not report \"%s\"%s%s%s; measure { } and column "
        "{ } add columns to metrics.csv",
        path, name, closest ? "; did you mean \"" : "", closest ? closest : "",
        closest ? "\"?" : "");
}

/*  "name=value" for each parameter at its lower end, after the common settings; the first axis_count texts are to be freed. */
static scree_status open_scene(const scree_calibration *c, scree_scene **scene, scree_error *error)
{
    const char **settings = malloc((c->setting_count + c->axis_count) * sizeof *settings);
    char(*own)[SCREE_CALIBRATE_MAX_NAME + SCREE_REAL_TEXT] = malloc(c->axis_count * sizeof *own);
    scree_status status = SCREE_OUT_OF_MEMORY;

    if (settings && own) {
        for (size_t k = 0; k < c->setting_count; k++)
            settings[k] = c->settings[k];
        for (size_t k = 0; k < c->axis_count; k++) {
            char text[SCREE_REAL_TEXT];
            scree_axis_text(&c->axis[k], 0, text);
            snprintf(own[k], sizeof own[k], "%s=%s", c->axis[k].name, text);
            settings[c->setting_count + k] = own[k];
        }
        scree_scene_def def = scree_default_scene_def();
        def.path = c->scene;
        def.settings = settings;
        def.setting_count = c->setting_count + c->axis_count;
        def.error = error;
        status = scree_scene_open(&def, scene);
    }
    free((void *)settings);
    free(own);
    return status;
}

int scree_look_at_scene(const scree_calibration *c, uint64_t *digest)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene = NULL;
    scree_status status = open_scene(c, &scene, &error);
    int code = SCREE_EXIT_OK;

    if (status)
        return scree_status_error(status, error.text);
    for (size_t k = 0; k < c->target_count && code == SCREE_EXIT_OK; k++)
        code = look_for_column(scene, c->scene, c->target[k].name);
    *digest = scree_hash_text(SCREE_HASH_START, scree_scene_resolved(scene));
    scree_scene_close(scene);
    return code;
}

/*  Of the last row, or the mean of rows from a time on. */
static double value_of(const scree_number_table *table, size_t column, size_t time, double from)
{
    double sum = 0;
    size_t count = 0;

    for (size_t row = 0; row < table->row_count; row++) {
        const double *cells = table->cells + row * table->column_count;
        if (from < 0 ? row + 1 == table->row_count : cells[time] >= from) {
            sum += cells[column];
            count++;
        }
    }
    return count ? sum / (double)count : NAN;
}

int scree_read_measured(const scree_calibration *c, const char *folder, double *measured)
{
    char *path = scree_join_path(folder, "metrics.csv");
    scree_number_table table;
    int code = scree_number_table_read(path, &table);

    if (code == SCREE_EXIT_OK) {
        size_t time = scree_number_table_find(&table, "time", 4);
        for (size_t k = 0; k < c->target_count && code == SCREE_EXIT_OK; k++) {
            const char *name = c->target[k].name;
            size_t column = scree_number_table_find(&table, name, strlen(name));
            if (column == table.column_count || time == table.column_count) {
                scree_message("%s: there is no column \"%s\"", path, name);
                code = SCREE_EXIT_INPUT;
            } else {
                measured[k] = value_of(&table, column, time, c->from);
            }
        }
        scree_number_table_free(&table);
    }
    free(path);
    return code;
}
