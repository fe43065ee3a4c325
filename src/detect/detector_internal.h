/*  A detector: the bodies, a method's structure for them, and the arrays of results. */
#ifndef SCREE_DETECTOR_INTERNAL_H
#define SCREE_DETECTOR_INTERNAL_H

#include "detect/collect.h"
#include "detect/leeway.h"
#include "detect/margin.h"
#include "detect/pair_list.h"
#include "detect/waiting.h"

struct scree_detector
{
    scree_memory memory;
    scree_detector_def def;
    scree_workers workers;
    scree_error error;
    const scree_method *method;
    void *state;
    scree_method_env env;
    scree_store store;
    scree_images images;
    scree_search search;
    scree_pair_arrays arrays;
    scree_margin margin;
    scree_leeway leeway;
    const scree_motion *motion; /* that of the current call, or NULL: all is at rest */
    double dt;                  /* with it */
    uint32_t *rows;             /* rows of the table of the current call that must be mapped */
    size_t rows_capacity;
    uint32_t *vanished; /* ids that the table of an advance does not name */
    size_t vanished_capacity;
    uint32_t *changed; /* ids that move, then ids that leave or enter, in one call */
    size_t changed_capacity;
    scree_waiting waiting;
    bool is_stale; /* the structure does not match the bodies: build it before it is used */
    scree_stats stats;
};

/*  Results of a first pass over the rows of a table. */
typedef struct scree_survey
{
    uint32_t bound;  /* ids named are below this */
    size_t infinite; /* infinite bodies among them */
} scree_survey;

/*  Reads and changes, for update, insert and advance; see change.c. `dirty` may be NULL: all rows. */
scree_status scree_change_read(const scree_detector *detector, const scree_table *table,
                               size_t index, scree_row *row, scree_error *error);
scree_status scree_change_survey(scree_detector *detector, const scree_table *table,
                                 const scree_rows *dirty, scree_survey *found);
scree_status scree_change_reserve(scree_detector *detector, uint32_t bound,
                                  const scree_table *table, size_t changed, size_t infinite);
/*  Checks that no id is given twice, and, if `present` is 0 or 1, that all are absent or present. There must be room
    for the ids. */
scree_status scree_change_check_ids(scree_detector *detector, const scree_table *table,
                                    const scree_rows *dirty, int present);
/*  Replacement of all bodies by a plain table; see replace.c. Whether a table may be plain; whether it is, and all
    its values are valid; then, with room reserved, storing it. Returns whether the lists have changed. */
bool scree_replace_fits(const scree_detector *detector, const scree_table *table);
bool scree_replace_is_usable(scree_detector *detector, const scree_table *table);
bool scree_replace_all(scree_detector *detector, const scree_table *table);

/*  Makes a change that has been checked, with room reserved. */
scree_status scree_change_all(scree_detector *detector, const scree_table *table);
scree_status scree_change_some(scree_detector *detector, const scree_table *table,
                               const scree_rows *dirty);
/*  All bodies have been stored: tells the method. `same`: no lists have changed. */
scree_status scree_change_finish(scree_detector *detector, bool same);
void scree_change_remove(scree_detector *detector, const uint32_t *ids, size_t count);
/*  Tells the method of waiting bodies: before bodies are moved, and before the structure is searched. */
void scree_change_settle(scree_detector *detector);

/*  How the body of a row moves, from the motion of the call under way. */
scree_row_motion scree_detector_row_motion(const scree_detector *detector, const scree_row *row,
                                           size_t index);

/*  The bodies as the method sees them: without or with periodic images. */
scree_bodies scree_detector_view(const scree_detector *detector);

/*  Builds the method's structure for the present bodies, including images in periodic domains. *same: the method
    sees the same bodies as before, perhaps moved. */
scree_status scree_detector_build(scree_detector *detector);
scree_status scree_detector_make_images(scree_detector *detector, bool *same);
scree_status scree_detector_build_method(scree_detector *detector);

/*  SCREE_OUT_OF_MEMORY with its message. */
scree_status scree_detector_out_of_memory(scree_detector *detector, const char *what);

#endif
