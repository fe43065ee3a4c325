/*  validate: the cases in full, as a page with pictures.

        validate FOLDER [--quick | --long] [NAME...]    writes FOLDER/validation.md and FOLDER/validation-*.svg
        validate - [--quick | --long] [NAME...]         prints the rows alone

    NAME: only cases whose name contains it. --long: cases that have more than a minute or two to give do so. Exit code 1 if a number is not what it should be. */
#include "cases.h"

#include "base/clock.h"

#include <string.h>

static bool is_wanted(const char *name, int count, char **wanted)
{
    bool any = false;
    for (int k = 0; k < count; k++) {
        if (wanted[k][0] == '-')
            continue;
        any = true;
        if (strstr(name, wanted[k]))
            return true;
    }
    return !any;
}

static void run(validation *v, const validation_case *c)
{
    size_t section = v->section_count, rows = 0, failed = 0;
    double start = scree_clock_seconds();
    c->run(v);
    for (; section < v->section_count; section++)
        for (size_t k = 0; k < v->section[section].row_count; k++) {
            const validation_row *row = &v->section[section].row[k];
            rows++;
            failed += !row->passed;
            if (!row->passed)
                validation_print_row(row, stderr);
        }
    fprintf(stderr, "%-22s %3zu numbers, %zu fail, %.1f s\n", c->name, rows, failed,
            scree_clock_seconds() - start);
}

static bool write_page(const validation *v, const char *folder)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/validation.md", folder);
    FILE *out = fopen(path, "w");
    if (!out) {
        perror(path);
        return false;
    }
    validation_write_page(v, out);
    bool written = !ferror(out);
    written = fclose(out) == 0 && written;
    if (!written)
        perror(path);
    return written && validation_write_charts(v, folder);
}

static void print_rows(const validation *v)
{
    for (size_t s = 0; s < v->section_count; s++) {
        printf("\n%s\n", v->section[s].title);
        for (size_t k = 0; k < v->section[s].row_count; k++)
            validation_print_row(&v->section[s].row[k], stdout);
    }
}

int main(int argc, char **argv)
{
    static validation v;
    bool written = true;
    v.full = true;
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1])) {
        fputs("usage: validate FOLDER|- [--quick | --long] [NAME...]\n", stderr);
        return 2;
    }
    for (int k = 2; k < argc; k++) {
        if (strcmp(argv[k], "--quick") == 0)
            v.full = false;
        if (strcmp(argv[k], "--long") == 0)
            v.longer = true;
    }
    for (size_t k = 0; k < validation_case_count; k++)
        if (is_wanted(validation_cases[k].name, argc - 2, argv + 2))
            run(&v, &validation_cases[k]);
    if (strcmp(argv[1], "-") == 0)
        print_rows(&v);
    else
        written = write_page(&v, argv[1]);
    size_t rows = validation_rows(&v, false), failed = validation_rows(&v, true);
    printf("%zu passed, %zu failed\n", rows - failed, failed);
    validation_free(&v);
    return failed > 0 || rows == 0 || !written;
}
