/*  Sets of pairs as sorted keys, and an audit of detectors with margins: is every pair that overlaps
    now, by an oracle without a margin, among those that the detector found last? */
#ifndef SCREE_AUDIT_H
#define SCREE_AUDIT_H

#include "base/memory.h"
#include "scree/detect.h"

/*  Pairs as first << 32 | second, ascending. */
typedef struct scree_key_list
{
    uint64_t *key;
    size_t count, capacity;
} scree_key_list;

/*  The pairs of a detector now. */
scree_status scree_keys_take(scree_detector *detector, scree_memory *memory, scree_key_list *list);
bool scree_keys_have(const scree_key_list *list, uint64_t key);
void scree_keys_free(scree_memory *memory, scree_key_list *list);

/*  One detector under audit. */
typedef struct scree_watch
{
    const char *name;
    scree_margin_def margin;
    bool hides_spin; /* its motion goes without spins, to see that they matter */
    scree_detector *detector;
    scree_key_list known;
    uint64_t runs, missed; /* so far; missed pairs count in every step */
} scree_watch;

#define SCREE_AUDIT_WATCHES 8
typedef struct scree_audit
{
    scree_memory memory;
    scree_detector *oracle;
    scree_key_list now;
    scree_watch watch[SCREE_AUDIT_WATCHES];
    size_t watch_count;
    uint64_t overlaps; /* looked at so far */
} scree_audit;

void scree_audit_watch(scree_audit *audit, const char *name, const scree_margin_def *margin,
                       bool hides_spin);

/*  After all watches have been added to an audit of zeros; `volume` in three dimensions. */
scree_status scree_audit_open(scree_audit *audit, const char *method, scree_volume volume,
                              scree_error *error);
void scree_audit_close(scree_audit *audit);

/*  Each detector advances with dt 1, then is compared. */
scree_status scree_audit_step(scree_audit *audit, const scree_table *table,
                              const scree_motion *motion, scree_error *error);

#endif
