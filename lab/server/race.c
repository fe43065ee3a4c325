/*  Runs all detection methods on the current bodies, and compares their times and results. Methods of quadratic cost
    are omitted if users would have to wait. */
#include "lab_internal.h"

#include "common/json.h"
#include "measure/measure.h"

#include "scree/detect.h"

#include <stdlib.h>

#define SLOW_MOST 6000u /* bodies for methods of quadratic cost */
#define REPEATS 3

typedef struct race_result
{
    scree_status status;
    double seconds; /* of the fastest of several runs: from bodies to pairs */
    uint64_t pairs, checksum;
} race_result;

static scree_status search(scree_detector *detector, const scree_table *table, race_result *result)
{
    scree_pairs pairs;
    double begin = scree_lab_now();
    scree_status status = scree_detector_update(detector, table, NULL);

    if (!status)
        status = scree_detector_pairs(detector, NULL, &pairs);
    if (status)
        return status;
    double seconds = scree_lab_now() - begin;
    if (result->pairs == 0 || seconds < result->seconds)
        result->seconds = seconds;
    result->pairs = pairs.count;
    result->checksum = scree_pairs_checksum(&pairs);
    return SCREE_OK;
}

static race_result run_method(scree_lab *lab, const char *method, const scree_table *table)
{
    scree_detector_def def = scree_default_detector_def();
    race_result result = {0};
    scree_detector *detector = NULL;

    def.method = method;
    def.dimensions = scree_scene_plan_of(lab->scene)->world.dimensions;
    def.tasks = scree_lab_crew_tasks(&lab->crew);
    def.allocator = scree_lab_bounded_hooks(&lab->memory);
    result.status = scree_detector_create(&def, &detector);
    for (int k = 0; k < REPEATS && !result.status; k++)
        result.status = search(detector, table, &result);
    scree_detector_destroy(detector);
    return result;
}

static void tell_method(scree_json *json, const scree_method_info *method,
                        const race_result *result)
{
    char checksum[24];

    snprintf(checksum, sizeof checksum, "%016llx", (unsigned long long)result->checksum);
    scree_json_object(json, NULL);
    scree_json_text(json, "name", method->name);
    scree_json_real(json, "seconds", result->seconds);
    scree_json_count(json, "pairs", result->pairs);
    scree_json_text(json, "checksum", checksum);
    scree_json_end(json);
}

void scree_lab_race(scree_lab *lab)
{
    scree_bodies_view bodies = scree_world_bodies(lab->world);
    const scree_method_info *method;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    if (!out)
        return;
    scree_table table = scree_table_centres(bodies.count, bodies.position, bodies.radius);
    scree_json json = scree_json_begin(out, true);
    scree_json_text(&json, "kind", "times");
    scree_json_count(&json, "bodies", bodies.count);
    scree_json_list(&json, "methods");
    for (size_t i = 0; (method = scree_method_at(i)) != NULL; i++) {
        if (method->capabilities & SCREE_METHOD_QUADRATIC && bodies.count > SLOW_MOST)
            continue;
        race_result result = run_method(lab, method->name, &table);
        if (!result.status)
            tell_method(&json, method, &result);
    }
    scree_json_end(&json);
    scree_json_finish(&json);
    fclose(out);
    scree_lab_post(lab, SCREE_LAB_TIMES, SCREE_LAB_EVERYBODY, true, (uint8_t *)text, size);
}
