/*  Tests one body against a run of others, exactly, with SIMD. */
#ifndef SCREE_SWEEP_H
#define SCREE_SWEEP_H

#include "scree/detect.h"

/*  Elements that may be read, and hits that may be written, past the end of a run. */
#define SCREE_SWEEP_PADDING 8u

/*  Writes the rows of [begin, end) whose volumes overlap that of row i, ascending; returns how
   many. Columns are x y z r, or lower and upper of each axis. end - begin fits the caller's hits.
 */
typedef size_t scree_sweep_fn(double *const column[], size_t i, size_t begin, size_t end,
                              uint32_t *hits);

/*  `simd` is a level that the processor has. */
scree_sweep_fn *scree_sweep_choose(scree_volume volume, scree_simd simd);

#endif
