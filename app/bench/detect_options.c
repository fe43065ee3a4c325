/*  The command line of scree-bench detect. */
#include "app/bench/detect.h"
#include "common/methods.h"
#include "common/report.h"

#include <math.h>
#include <string.h>

#define MAX_REPEATS 1000

/*  "1e5", "1e3,1e4" or "1e3..1e5": the last by half powers of ten. */
static bool parse_sizes(const char *text, scree_job *job)
{
    char part[64];
    const char *dots = strstr(text, "..");
    uint64_t lower, upper;
    job->size_count = 0;
    if (dots) {
        snprintf(part, sizeof part, "%.*s", (int)(dots - text), text);
        if (!scree_text_to_count(part, &lower) || !scree_text_to_count(dots + 2, &upper) ||
            lower < 1 || upper < lower || upper > SCREE_MAX_BODIES)
            return false;
        double n = (double)lower;
        for (; n < (double)upper * 1.01 && job->size_count < SCREE_JOB_SIZES; n *= sqrt(10))
            job->size[job->size_count++] = (uint64_t)(n + 0.5);
        return true;
    }
    while (*text && job->size_count < SCREE_JOB_SIZES) {
        size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (!scree_text_to_count(part, &job->size[job->size_count]) ||
            job->size[job->size_count] > SCREE_MAX_BODIES)
            return false;
        job->size_count++;
        text += length + (text[length] == ',');
    }
    return *text == 0 && job->size_count > 0;
}

static bool parse_methods(const scree_verb *verb, const char *text, scree_job *job)
{
    static char names[SCREE_JOB_METHODS][32];
    if (!text || strcmp(text, "all") == 0) {
        job->all = true;
        for (; job->method_count < SCREE_JOB_METHODS && scree_method_at(job->method_count);
             job->method_count++)
            job->method[job->method_count] = scree_method_at(job->method_count)->name;
        return true;
    }
    for (;;) {
        size_t length = strcspn(text, ",");
        if (job->method_count == SCREE_JOB_METHODS) {
            scree_usage_error("%s: --method: more than %d names", verb->name, SCREE_JOB_METHODS);
            return false;
        }
        char *name = names[job->method_count];
        snprintf(name, sizeof names[0], "%.*s", (int)length, text);
        if (!scree_check_method(verb, name))
            return false;
        job->method[job->method_count++] = name;
        if (text[length] == 0)
            return true;
        text += length + 1;
    }
}

static bool parse_motion(const scree_verb *verb, const scree_arguments *arguments, scree_job *job)
{
    const char *text = scree_argument(verb, arguments, "motion");
    bool thesis = strncmp(job->trial.scene, "thesis", 6) == 0;
    scree_error error;
    text = text ? text : thesis ? "springs" : "none";
    if (scree_scene_motion_parse(text, &job->trial.motion, &error) == SCREE_OK)
        return true;
    scree_usage_error("detect: --%s", error.text);
    return false;
}

static const char *next_scene(const void *list, size_t index)
{
    (void)list;
    return scree_scene_name(index);
}

static bool check_scene_use(const scree_job *job, const scree_scene *scene)
{
    if (job->trial.motion.kind == SCREE_MOTION_SPRINGS && !scene->springs) {
        scree_usage_error("detect: --motion: springs need scene thesis1 or thesis2");
        return false;
    }
    if (job->trial.periodic && !scene->fills_box) {
        scree_usage_error("detect: --periodic: the bodies of scene \"%.60s\" do not fill a box",
                          job->trial.scene);
        return false;
    }
    return true;
}

/*  A scene without bodies costs nothing, and says whether the name is right. */
static bool check_scene(const scree_job *job)
{
    scree_scene scene;
    scree_error error;
    if (scree_scene_create(job->trial.scene, 0, 0, NULL, &scene, &error) == SCREE_OK) {
        bool is_fit = check_scene_use(job, &scene);
        scree_scene_free(&scene);
        return is_fit;
    }
    const char *closest = scree_closest_word(job->trial.scene, next_scene, NULL);
    if (closest)
        scree_usage_error("detect: --%s; did you mean \"%s\"?", error.text, closest);
    else
        scree_usage_error("detect: --%s", error.text);
    return false;
}

static scree_status try_detector(scree_detector_def def)
{
    scree_detector *detector;
    scree_status status = scree_detector_create(&def, &detector);
    scree_detector_destroy(detector);
    return status;
}

static bool parse_margin(const scree_verb *verb, const scree_arguments *arguments, scree_job *job)
{
    const char *text = scree_argument(verb, arguments, "margin");
    scree_error error = {SCREE_OK, ""};
    if (!text)
        return true;
    job->trial.advances = true;
    if (!scree_margin_parse(text, &job->def.margin))
        return false;
    job->def.error = &error;
    scree_status status = try_detector(job->def);
    job->def.error = NULL;
    if (status != SCREE_OK)
        scree_usage_error("detect: --%s", error.text);
    return status == SCREE_OK;
}

bool scree_job_parse(const scree_verb *verb, const scree_arguments *arguments, scree_job *job)
{
    uint64_t steps = 1, repeats = 3, threads = 1, seed = 1;
    int simd = SCREE_SIMD_AUTO;
    memset(job, 0, sizeof *job);
    job->def = scree_default_detector_def();
    const char *scene = scree_argument(verb, arguments, "scene");
    const char *sizes = scree_argument(verb, arguments, "n");
    job->trial.scene = scene ? scene : "uniform";
    job->scaling = scree_argument(verb, arguments, "scaling") != NULL;
    job->lie = scree_argument(verb, arguments, "lie");
    if (!scree_parse_count(verb, arguments, "steps", 1, 1000000, &steps) ||
        !scree_parse_count(verb, arguments, "repeat", 1, MAX_REPEATS, &repeats) ||
        !scree_parse_count(verb, arguments, "threads", 1, 256, &threads) ||
        !scree_parse_count(verb, arguments, "seed", 0, UINT64_MAX, &seed) ||
        !scree_parse_word(verb, arguments, "simd", scree_simd_words, &simd) ||
        !scree_parse_word(verb, arguments, "format", scree_report_formats, &job->format))
        return false;
    if (!parse_sizes(sizes ? sizes : job->scaling ? "1e3..1e5" : "10000", job)) {
        scree_usage_error("detect: --n: \"%.60s\" is not a number of bodies, a list of at most "
                          "%d, or a range 1e3..1e5",
                          sizes, SCREE_JOB_SIZES);
        return false;
    }
    job->scaling = job->scaling || job->size_count > 1;
    job->repeats = (uint32_t)repeats;
    job->trial.steps = (uint32_t)steps;
    job->trial.threads = (uint32_t)threads;
    job->trial.seed = seed;
    job->trial.simd = (scree_simd)simd;
    job->trial.periodic = scree_argument(verb, arguments, "periodic") != NULL;
    return parse_motion(verb, arguments, job) && parse_margin(verb, arguments, job) &&
           check_scene(job) && parse_methods(verb, scree_argument(verb, arguments, "method"), job);
}
