/*  What the verbs that measure published claims have in common: options, printing, files. */
#ifndef SCREE_PUBLISHED_H
#define SCREE_PUBLISHED_H

#include "claims/study.h"
#include "common/options.h"

/*  --quick, --plots and --record. */
extern const scree_option scree_published_options[];

/*  Ready to be measured. */
scree_study scree_published_begin(const scree_verb *verb, const scree_arguments *arguments);

/*  Prints the claims; with --record writes which rows of docs/checklist.md they prove, and with --plots the charts as
    SVG and their points as NAME.csv, unless `name` is NULL. If the study failed, says why. An exit code. */
int scree_published_end(const scree_verb *verb, const scree_arguments *arguments,
                        const scree_study *study, const char *name, scree_status status,
                        const scree_error *error);

/*  A file in a folder, filled by `write`. */
int scree_write_into(const char *folder, const char *name,
                     void (*write)(const void *data, FILE *out), const void *data);

/*  The record of a verb in a folder, which is made: "bench pfc" writes bench_pfc.txt. */
int scree_record_into(const char *folder, const char *verb,
                      void (*write)(const void *data, FILE *out), const void *data);

#endif
