/*  Computes the grids of a search, on the host, without a device. */
#ifndef SCREE_SEARCH_LAYOUT_H
#define SCREE_SEARCH_LAYOUT_H

#include "gpu/device_search.h"
#include "gpu/search_frame.h"

/*  SCREE_BAD_VALUE, with a message: a margin below 0, or an impossible cell. */
scree_status scree_search_check(const scree_search_def *def, scree_error *error);

/*  Combines the extents that the device has found, and computes the grids. SCREE_BAD_VALUE: the position of a body is
    not finite. */
scree_status scree_search_lay_out(const scree_search_def *def, const double *extents,
                                  size_t extent_count, uint32_t body_count, search_frame *frame,
                                  scree_error *error);

/*  Number of entries in the table of cells. */
uint32_t scree_search_table_entries(const search_frame *frame);

/*  Bits of the largest key, and of a number. */
uint32_t scree_search_key_bits(const search_frame *frame);
uint32_t scree_search_bits(uint64_t number);

#endif
