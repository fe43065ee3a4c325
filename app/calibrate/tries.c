/*  The folder of a search: search.txt says what is looked for, tries.csv has a row for each run that has ended. Both are
    complete or absent, so that a search that was killed continues with what they say. */
#include "app/calibrate/calibration.h"

#include "common/number_table.h"
#include "common/out_file.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*  What the sequence of tries depends on, a line each. */
static char *describe(const scree_calibration *c, uint64_t scene)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out)
        return NULL;
    for (size_t k = 0; k < c->setting_count; k++)
        fprintf(out, "set %s\n", c->settings[k]);
    for (size_t k = 0; k < c->axis_count; k++)
        fprintf(out, "vary %s=%.17g..%.17g\n", c->axis[k].name, c->axis[k].lower, c->axis[k].upper);
    for (size_t k = 0; k < c->target_count; k++)
        fprintf(out, "fit %s=%.17g+-%.17g\n", c->target[k].name, c->target[k].value,
                c->target[k].tolerance);
    if (c->from >= 0)
        fprintf(out, "from %.17g\n", c->from);
    fprintf(out, "seed %" PRIu64 "\nbatch %" PRIu64 "\nscene %016" PRIx64 "\n", c->seed, c->batch,
            scene);
    bool good = !ferror(out);
    good = fclose(out) == 0 && good;
    if (good)
        return text;
    free(text);
    return NULL;
}

static int write_text(const char *path, const char *text)
{
    scree_out_file file;
    int code = scree_out_open(&file, path);
    if (code != SCREE_EXIT_OK)
        return code;
    fputs(text, file.stream);
    return scree_out_commit(&file);
}

/*  To be freed. */
static int read_text(const char *path, char **text)
{
    char *data = NULL;
    size_t bytes = 0;
    int code = scree_read_file(path, &data, &bytes);

    if (code != SCREE_EXIT_OK)
        return code;
    *text = malloc(bytes + 1);
    if (*text) {
        memcpy(*text, data, bytes);
        (*text)[bytes] = 0;
    }
    free(data);
    return *text ? SCREE_EXIT_OK : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
}

/*  The first line in which two searches differ, of each. */
static int refuse_other(const scree_calibration *c, const char *old, const char *now)
{
    size_t length, other;

    for (;;) {
        length = strcspn(old, "\n");
        other = strcspn(now, "\n");
        if (length != other || memcmp(old, now, length) != 0)
            break;
        old += length + (old[length] != 0);
        now += other + (now[other] != 0);
    }
    return scree_usage_error("calibrate: %s has another search: \"%.*s\" there, \"%.*s\" now; give "
                             "another --out, or --force to start again",
                             c->folder, (int)(length < 100 ? length : 100), old,
                             (int)(other < 100 ? other : 100), now);
}

static bool is_empty(const char *path)
{
    DIR *list = opendir(path);
    bool empty = true;

    for (struct dirent *entry; list && empty && (entry = readdir(list));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    if (list)
        closedir(list);
    return empty;
}

static bool is_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

int scree_tries_begin(const scree_calibration *c, uint64_t scene)
{
    char *path = scree_join_path(c->folder, "search.txt"), *now = describe(c, scene), *old = NULL;
    int code;

    if (!path || !now)
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    else if (!is_file(path) && !is_empty(c->folder))
        code =
            scree_usage_error("calibrate: %s holds something else; give another --out", c->folder);
    else if (!is_file(path) || c->force)
        code = scree_make_folder(c->folder);
    else
        code = read_text(path, &old);
    if (code == SCREE_EXIT_OK && old && strcmp(old, now) != 0)
        code = refuse_other(c, old, now);
    if (code == SCREE_EXIT_OK && !old) {
        /* no try counts before the search is named: a new start has none */
        code = scree_tries_write(c, NULL, 0);
        code = code == SCREE_EXIT_OK ? write_text(path, now) : code;
    }
    free(old);
    free(now);
    free(path);
    return code;
}

static char *table_path(const scree_calibration *c)
{
    return scree_join_path(c->folder, "tries.csv");
}

static int refuse_table(const scree_calibration *c, size_t row)
{
    scree_message("%s/tries.csv:%zu: this row is not from this search; --force starts again",
                  c->folder, row + 2);
    return SCREE_EXIT_INPUT;
}

/*  A row is number, parameters, measurements, misfit, exit code. */
static int take_rows(const scree_calibration *c, const scree_number_table *table, scree_try *tries,
                     size_t count)
{
    size_t columns = 3 + c->axis_count + c->target_count;

    if (table->column_count != columns)
        return refuse_table(c, 0);
    for (size_t row = 0; row < table->row_count; row++) {
        const double *cells = table->cells + row * columns;
        double code = cells[columns - 1];
        if (!(cells[0] >= 1 && cells[0] <= SCREE_CALIBRATE_MAX_TRIES) ||
            cells[0] != floor(cells[0]) || !(code >= 0 && code <= 255))
            return refuse_table(c, row);
        size_t number = (size_t)cells[0] - 1;
        if (number >= count)
            continue; /* more were asked for then */
        scree_try *tried = &tries[number];
        for (size_t d = 0; d < c->axis_count; d++)
            tried->parameter[d] = cells[1 + d];
        for (size_t t = 0; t < c->target_count; t++)
            tried->measured[t] = cells[1 + c->axis_count + t];
        tried->code = (int)code;
        tried->is_done = true;
    }
    return SCREE_EXIT_OK;
}

int scree_tries_read(const scree_calibration *c, scree_try *tries, size_t count)
{
    char *path = table_path(c);
    scree_number_table table;
    int code = scree_number_table_read(path, &table);

    if (code == SCREE_EXIT_OK) {
        code = take_rows(c, &table, tries, count);
        scree_number_table_free(&table);
    }
    free(path);
    return code;
}

static void print_rows(const scree_calibration *c, const scree_try *tries, size_t count, FILE *out)
{
    char text[SCREE_REAL_TEXT];

    fputs("try", out);
    for (size_t d = 0; d < c->axis_count; d++)
        fprintf(out, ",%s", c->axis[d].name);
    for (size_t t = 0; t < c->target_count; t++)
        fprintf(out, ",%s", c->target[t].name);
    fputs(",misfit,exit_code\n", out);
    for (size_t k = 0; k < count; k++) {
        double misfit = scree_misfit(c, &tries[k]);
        if (!tries[k].is_done)
            continue;
        fprintf(out, "%zu", k + 1);
        for (size_t d = 0; d < c->axis_count; d++) {
            scree_real_to_text(tries[k].parameter[d], text);
            fprintf(out, ",%s", text);
        }
        for (size_t t = 0; t < c->target_count; t++) {
            scree_real_to_text(tries[k].measured[t], text);
            fprintf(out, ",%s", isnan(misfit) ? "" : text);
        }
        scree_real_to_text(misfit, text);
        fprintf(out, ",%s,%d\n", isnan(misfit) ? "" : text, tries[k].code);
    }
}

int scree_tries_write(const scree_calibration *c, const scree_try *tries, size_t count)
{
    char *path = table_path(c);
    scree_out_file file;
    int code;

    if (!path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    code = scree_out_open(&file, path);
    if (code == SCREE_EXIT_OK) {
        print_rows(c, tries, count, file.stream);
        code = scree_out_commit(&file);
    }
    free(path);
    return code;
}
