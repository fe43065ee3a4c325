#include "app/bench/record.h"

#include <string.h>

/*  Lines of text as one, without what parts columns. */
static void write_figure(const char *figure, FILE *out)
{
    for (const char *c = figure; *c; c++)
        putc(*c == '\n' || *c == '\t' ? ' ' : *c, out);
}

void scree_record_lines(const scree_recorded *what, FILE *out)
{
    for (const char *row = what->rows; *(row += strspn(row, " "));) {
        int length = (int)strcspn(row, " ");
        fprintf(out, "%.*s\t%s\t%s\t%s\t", length, row, what->pass ? "passed" : "miss",
                what->program, what->check);
        write_figure(what->figure, out);
        fprintf(out, "\t%s\n", what->strength);
        row += length;
    }
}

void scree_record_end(FILE *out)
{
    fputs("# ended\n", out);
}
