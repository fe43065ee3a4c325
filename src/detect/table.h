/*  Reading rows of the caller's tables. */
#ifndef SCREE_TABLE_H
#define SCREE_TABLE_H

#include "base/error.h"
#include "detect/method_bodies.h"

#include <string.h>

/*  One row, widened to double. number: x y z r, or lower and upper; z is 0 in two dimensions. */
typedef struct scree_row
{
    uint32_t id, owner;
    uint8_t flags;
    bool usable; /* false only under SCREE_SKIP_BODY */
    uint64_t group, mask;
    double number[6];
} scree_row;

/*  One column: its type and stride, for at least one row; and one number of it, read by its bytes. */
scree_status scree_view_check(scree_view view, size_t count, const char *name, scree_error *error);

static inline double scree_view_read(scree_view view, size_t index)
{
    const char *at = (const char *)view.data + index * view.stride;
    if (view.real == SCREE_FLOAT32) {
        float narrow;
        memcpy(&narrow, at, sizeof narrow);
        return (double)narrow;
    }
    double value;
    memcpy(&value, at, sizeof value);
    return value;
}

/*  The same for integers, which may be missing: then all is well, and nothing is read. */
scree_status scree_integers_check(scree_integers view, size_t bytes, size_t count, const char *name,
                                  scree_error *error);

static inline void scree_integers_read(scree_integers view, size_t index, void *value, size_t bytes)
{
    if (view.data)
        memcpy(value, (const char *)view.data + index * view.stride, bytes);
}

/*  Everything about a table that does not depend on its rows: cookie, volume, columns, strides,
    count. Allocates nothing. */
scree_status scree_table_check(const scree_table *table, scree_volume volume, int dimensions,
                               scree_error *error);

/*  Reads row `index` of a checked table. Fails with SCREE_BAD_VALUE for unusable numbers unless
   they are to be skipped, and with SCREE_BAD_ARGUMENT for unknown flags or an id out of range. */
scree_status scree_table_read(const scree_table *table, int dimensions, scree_unusable unusable,
                              size_t index, scree_row *row, scree_error *error);

/*  The box a method works on: boxes as they are, spheres rounded outward. */
scree_box scree_row_box(const scree_row *row, scree_volume volume, int dimensions);

#endif
