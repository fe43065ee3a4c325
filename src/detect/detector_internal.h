/*  A detector: the bodies, a method's structure over them, and the arrays results are put into. */
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
    const scree_motion *motion; /* that of the call under way, or NULL: all is at rest */
    double dt;                  /* with it */
    uint32_t *rows;             /* of the table of the call under way, to be mapped */
    size_t rows_capacity;
    uint32_t *vanished; /* ids that the table of an advance does not name */
    size_t vanished_capacity;
    uint32_t *changed; /* ids that move, then ids that leave or enter, in one call */
    size_t changed_capacity;
    scree_waiting waiting;
    bool is_stale; /* the structure is not that of the bodies: build before it is used */
    scree_stats stats;
};

/*  What a first pass over the rows of a table finds out. */
typedef struct scree_survey
{
    uint32_t bound;  /* ids named are below this */
    size_t infinite; /* infinite bodies among them */
} scree_survey;

/*  Reading and changing, for update, insert and advance; see change.c. `dirty` may be NULL: all rows. */
scree_status scree_change_read(const scree_detector *detector, const scree_table *table,
                               size_t index, scree_row *row, scree_error *error);
scree_status scree_change_survey(scree_detector *detector, const scree_table *table,
                                 const scree_rows *dirty, scree_survey *found);
scree_status scree_change_reserve(scree_detector *detector, uint32_t bound,
                                  const scree_table *table, size_t changed, size_t infinite);
/*  That no id is named twice, and, if `present` is 0 or 1, that all are absent or present. There must be
    room for the ids. */
scree_status scree_change_check_ids(scree_detector *detector, const scree_table *table,
                                    const scree_rows *dirty, int present);
/*  Replacing all bodies by a plain table; see replace.c. Whether a table may be plain; whether it is, and all of it
    can be used; then, with room reserved, writing it. Returns whether the lists have changed. */
bool scree_replace_fits(const scree_detector *detector, const scree_table *table);
bool scree_replace_is_usable(scree_detector *detector, const scree_table *table);
bool scree_replace_all(scree_detector *detector, const scree_table *table);

/*  Make a change that has been checked, with room reserved. */
scree_status scree_change_all(scree_detector *detector, const scree_table *table);
scree_status scree_change_some(scree_detector *detector, const scree_table *table,
                               const scree_rows *dirty);
/*  All bodies have been written: the method hears of it. `same`: no lists have changed. */
scree_status scree_change_finish(scree_detector *detector, bool same);
void scree_change_remove(scree_detector *detector, const uint32_t *ids, size_t count);
/*  The method hears of bodies that wait: before bodies are moved, and before the structure is searched. */
void scree_change_settle(scree_detector *detector);

/*  How the body of a row moves, from the motion of the call under way. */
scree_pace scree_detector_pace(const scree_detector *detector, const scree_row *row, size_t index);

/*  What the method sees: the bodies, or their periodic images. */
scree_bodies scree_detector_view(const scree_detector *detector);

/*  Builds the method's structure for the bodies there are: makes the images, if there is a period, then lets the
    method build. *same: it sees the same bodies as before, perhaps moved. */
scree_status scree_detector_build(scree_detector *detector);
scree_status scree_detector_make_images(scree_detector *detector, bool *same);
scree_status scree_detector_build_method(scree_detector *detector);

/*  SCREE_OUT_OF_MEMORY with its message. */
scree_status scree_detector_out_of_memory(scree_detector *detector, const char *what);

#endif
