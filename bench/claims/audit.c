/*  Both sets are sorted, so whether one lies in the other is found by searching key after key. */
#include "claims/audit.h"

#include "base/error.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets ---- */

scree_status scree_keys_take(scree_detector *detector, scree_memory *memory, scree_key_list *list)
{
    static const scree_pairs_options canonical = {.canonical = true};
    scree_pairs pairs;
    scree_status status = scree_detector_pairs(detector, &canonical, &pairs);
    if (status == SCREE_OK)
        status = scree_memory_reserve(memory, &list->key, &list->capacity, (size_t)pairs.count,
                                      sizeof *list->key);
    if (status != SCREE_OK)
        return status;
    list->count = (size_t)pairs.count;
    for (size_t k = 0; k < list->count; k++)
        list->key[k] = (uint64_t)pairs.first[k] << 32 | pairs.second[k];
    return SCREE_OK;
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool scree_keys_have(const scree_key_list *list, uint64_t key)
{
    return list->count > 0 &&
           bsearch(&key, list->key, list->count, sizeof key, compare_keys) != NULL;
}

void scree_keys_free(scree_memory *memory, scree_key_list *list)
{
    scree_memory_give(memory, &list->key, list->capacity, sizeof *list->key);
}

/* ---- the audit ---- */

void scree_audit_watch(scree_audit *audit, const char *name, const scree_margin_def *margin,
                       bool hides_spin)
{
    assert(audit->watch_count < SCREE_AUDIT_WATCHES);
    scree_watch *watch = &audit->watch[audit->watch_count++];
    watch->name = name;
    watch->margin = *margin;
    watch->hides_spin = hides_spin;
}

scree_status scree_audit_open(scree_audit *audit, const char *method, scree_volume volume,
                              scree_error *error)
{
    scree_detector_def def = scree_default_detector_def();
    scree_status status = scree_memory_init(&audit->memory, NULL);
    def.volume = volume;
    def.error = error;
    def.method = "bounding-volume";
    if (status == SCREE_OK)
        status = scree_detector_create(&def, &audit->oracle);
    def.method = method;
    for (size_t w = 0; w < audit->watch_count && status == SCREE_OK; w++) {
        def.margin = audit->watch[w].margin;
        status = scree_detector_create(&def, &audit->watch[w].detector);
    }
    return status;
}

void scree_audit_close(scree_audit *audit)
{
    for (size_t w = 0; w < audit->watch_count; w++) {
        scree_detector_destroy(audit->watch[w].detector);
        scree_keys_free(&audit->memory, &audit->watch[w].known);
    }
    scree_detector_destroy(audit->oracle);
    scree_keys_free(&audit->memory, &audit->now);
}

static scree_status advance_watch(scree_audit *audit, scree_watch *watch, const scree_table *table,
                                  const scree_motion *motion)
{
    scree_advance did;
    scree_motion mine = *motion;
    if (watch->hides_spin)
        memset(mine.spin, 0, sizeof mine.spin);
    scree_status status = scree_detector_advance(watch->detector, table, &mine, 1, &did);
    if (status == SCREE_OK && did.ran)
        status = scree_keys_take(watch->detector, &audit->memory, &watch->known);
    if (status != SCREE_OK)
        return status;
    watch->runs += did.ran;
    for (size_t k = 0; k < audit->now.count; k++)
        watch->missed += !scree_keys_have(&watch->known, audit->now.key[k]);
    return SCREE_OK;
}

scree_status scree_audit_step(scree_audit *audit, const scree_table *table,
                              const scree_motion *motion, scree_error *error)
{
    scree_status status = scree_detector_update(audit->oracle, table, NULL);
    if (status == SCREE_OK)
        status = scree_keys_take(audit->oracle, &audit->memory, &audit->now);
    if (status != SCREE_OK)
        return scree_fail(error, status, "%s", scree_detector_message(audit->oracle));
    audit->overlaps += audit->now.count;
    for (size_t w = 0; w < audit->watch_count; w++) {
        status = advance_watch(audit, &audit->watch[w], table, motion);
        if (status != SCREE_OK)
            return scree_fail(error, status, "%s: %s", audit->watch[w].name,
                              scree_detector_message(audit->watch[w].detector));
    }
    return SCREE_OK;
}
