/*  What all tables of scree-bench surrogate share. */
#include "app/bench/surrogate_tables.h"

void scree_claim_add(scree_claim_list *list, const char *id, const char *rows, bool passed,
                     const char *format, double value)
{
    size_t at = list->count++;
    list->claim[at].id = id;
    list->claim[at].rows = rows;
    list->claim[at].passed = passed;
    /* the formats are in the files of the tables */
    snprintf(list->claim[at].text, sizeof list->claim[at].text, format, value);
}

int scree_table_end(scree_table_job *job, scree_status status)
{
    if (status == SCREE_BAD_VALUE)
        return fprintf(stderr, "scree-bench: surrogate: %s\n", job->error.text), SCREE_EXIT_CHECK;
    return status ? scree_status_error(status, job->error.text) : SCREE_EXIT_OK;
}

void scree_table_paper(scree_report *report, int format, const char *text, double value)
{
    if (value > 0)
        scree_report_add(report, text, value);
    else
        scree_report_add(report, "%s", format == SCREE_REPORT_TABLE ? "-" : "0");
}

void scree_table_title(const scree_table_job *job, const char *text)
{
    if (job->format == SCREE_REPORT_TABLE)
        printf("%s\n\n", text);
}
