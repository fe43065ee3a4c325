/*  What the verbs that measure published claims have in common: options, printing, files. */
#ifndef SCREE_PUBLISHED_H
#define SCREE_PUBLISHED_H

#include "options.h"
#include "study.h"

/*  --quick and --plots. */
extern const scree_option scree_published_options[];

/*  Ready to be measured. */
scree_study scree_published_begin(const scree_verb *verb, const scree_arguments *arguments);

/*  Prints the claims, and with --plots writes the charts as SVG and their points as NAME.csv, unless
    `name` is NULL. If the study failed, says why. An exit code. */
int scree_published_end(const scree_verb *verb, const scree_arguments *arguments,
                        const scree_study *study, const char *name, scree_status status,
                        const scree_error *error);

/*  A file in a folder, filled by `write`. */
int scree_write_into(const char *folder, const char *name,
                     void (*write)(const void *data, FILE *out), const void *data);

#endif
