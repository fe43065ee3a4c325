/*  validate: the cases in full, as a page with pictures.

        validate FOLDER [OPTION...] [NAME...]    writes FOLDER/validation.md and FOLDER/validation-*.svg
        validate - [OPTION...] [NAME...]         prints the rows alone

    NAME: only cases whose name contains it. --quick: their short forms. --long: cases that have more than a minute or two to give
    do so. --seed=N: all bodies begin 1e-9 of a radius elsewhere: what is chaotic gives other numbers, and their scatter
    shows. Exit code 1 if a number is not what it should be. */
#include "cases.h"

#include "base/clock.h"

#include <stdlib.h>
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

/*  From other starts. */
static void run_again(validation *v, const validation_case *c, size_t section)
{
    static validation others[VALIDATION_MAX_STARTS];
    for (uint32_t start = 1; start < c->starts; start++) {
        validation *other = &others[start - 1];
        other->full = true;
        other->longer = v->longer;
        other->seed = start;
        c->run(other);
    }
    validation_take_medians(v, section, others, c->starts - 1);
    for (uint32_t start = 1; start < c->starts; start++)
        validation_free(&others[start - 1]);
}

static void run(validation *v, const validation_case *c)
{
    size_t section = v->section_count, rows = 0, failed = 0;
    double start = scree_clock_seconds();
    c->run(v);
    if (v->full && !v->seed && c->starts > 1)
        run_again(v, c, section);
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

/*  False: there is no such option. */
static bool read_option(validation *v, const char *word)
{
    char *end = NULL;
    if (strcmp(word, "--quick") == 0)
        v->full = false;
    else if (strcmp(word, "--long") == 0)
        v->longer = true;
    else if (strncmp(word, "--seed=", 7) == 0)
        v->seed = strtoull(word + 7, &end, 10);
    else
        return false;
    return !end || (end != word + 7 && *end == 0);
}

static bool read_options(validation *v, int argc, char **argv)
{
    v->full = true;
    if (argc < 2 || (argv[1][0] == '-' && argv[1][1]))
        return false;
    for (int k = 2; k < argc; k++)
        if (argv[k][0] == '-' && !read_option(v, argv[k]))
            return false;
    return true;
}

int main(int argc, char **argv)
{
    static validation v;
    bool written = true;
    if (!read_options(&v, argc, argv)) {
        fputs("usage: validate FOLDER|- [--quick | --long] [--seed=N] [NAME...]\n", stderr);
        return 2;
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
