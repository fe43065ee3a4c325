/*  Pairs and neighbours as text or binary, see docs/formats.md. Failures set ferror(out). */
#ifndef SCREE_WRITE_PAIRS_H
#define SCREE_WRITE_PAIRS_H

#include "app/detect/read_table.h"

#include <stdio.h>

/*  Ids are those of the file of `table`. */
void scree_write_pairs(const scree_body_table *table, const scree_pairs *pairs, bool binary,
                       FILE *out);
void scree_write_neighbors(const scree_body_table *table, const scree_neighbors *neighbors,
                           bool binary, FILE *out);

#endif
