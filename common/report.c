/*  All cells are kept as text until the widths are known. */
#include "common/report.h"

#include "common/json.h"
#include "common/options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const scree_report_formats[] = {"table", "csv", "json", NULL};

void scree_report_begin(scree_report *report, const scree_report_column *columns, size_t count)
{
    memset(report, 0, sizeof *report);
    report->columns = columns;
    report->column_count = count;
}

void scree_report_add(scree_report *report, const char *format, ...)
{
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (report->cell_count == report->capacity) {
        size_t wanted = report->capacity ? report->capacity * 2 : 64;
        char **grown = realloc(report->cells, wanted * sizeof *grown);
        if (!grown) {
            report->failed = true;
            return;
        }
        report->cells = grown;
        report->capacity = wanted;
    }
    size_t bytes = strlen(text) + 1;
    char *cell = malloc(bytes);
    if (!cell) {
        report->failed = true;
        return;
    }
    memcpy(cell, text, bytes);
    report->cells[report->cell_count++] = cell;
}

/*  Columns are two blanks apart; the last text column is not padded. */
static void print_table(const scree_report *report, FILE *out)
{
    size_t columns = report->column_count, rows = report->cell_count / columns;
    for (size_t row = 0; row <= rows; row++) {
        const char *gap = "";
        if (row == 0)
            fputs(scree_colour(out, "\033[1m"), out);
        for (size_t c = 0; c < columns; c++) {
            const scree_report_column *column = &report->columns[c];
            if (column->no_table)
                continue;
            size_t width = strlen(column->name);
            for (size_t r = 0; r < rows; r++) {
                size_t length = strlen(report->cells[r * columns + c]);
                width = length > width ? length : width;
            }
            const char *text = row ? report->cells[(row - 1) * columns + c] : column->name;
            if (column->is_text && c + 1 == columns)
                fprintf(out, "%s%s", gap, text);
            else
                fprintf(out, "%s%*s", gap, column->is_text ? -(int)width : (int)width, text);
            gap = "  ";
        }
        fprintf(out, "%s\n", row == 0 ? scree_colour(out, "\033[0m") : "");
    }
}

static void print_csv_cell(const char *text, FILE *out)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void print_csv(const scree_report *report, FILE *out)
{
    size_t columns = report->column_count;
    for (size_t c = 0; c < columns; c++)
        fprintf(out, "%s%s", c ? "," : "", report->columns[c].name);
    fputc('\n', out);
    for (size_t k = 0; columns > 0 && k < report->cell_count; k++) {
        if (k % columns)
            fputc(',', out);
        print_csv_cell(report->cells[k], out);
        if (k % columns == columns - 1)
            fputc('\n', out);
    }
}

static void print_json(const scree_report *report, FILE *out)
{
    size_t columns = report->column_count, rows = report->cell_count / columns;
    fputs("[", out);
    for (size_t row = 0; row < rows; row++) {
        fprintf(out, "%s\n  {", row ? "," : "");
        for (size_t c = 0; c < columns; c++) {
            const char *text = report->cells[row * columns + c];
            fprintf(out, "%s\"%s\": ", c ? ", " : "", report->columns[c].name);
            if (report->columns[c].is_text)
                scree_json_print_text(text, out);
            else
                fputs(text[0] ? text : "null", out);
        }
        fputc('}', out);
    }
    fputs("\n]\n", out);
}

int scree_report_end(scree_report *report, int format, FILE *out)
{
    bool failed = report->failed;
    if (!failed && format == SCREE_REPORT_TABLE)
        print_table(report, out);
    if (!failed && format == SCREE_REPORT_CSV)
        print_csv(report, out);
    if (!failed && format == SCREE_REPORT_JSON)
        print_json(report, out);
    for (size_t k = 0; k < report->cell_count; k++)
        free(report->cells[k]);
    free(report->cells);
    memset(report, 0, sizeof *report);
    return failed ? scree_status_error(SCREE_OUT_OF_MEMORY, NULL) : SCREE_EXIT_OK;
}
