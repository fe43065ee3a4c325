/*  Checks that need the whole scene: that there is a run, unique names, total counts, and an upper bound of
    automatic steps. */
#include "base/error.h"
#include "scene_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------------------ */

static scree_status name_it(scree_scene *scene, const char **name, const char *kind, size_t number)
{
    char text[40];

    if ((*name)[0])
        return SCREE_OK;
    snprintf(text, sizeof text, "%s%zu", kind, number);
    *name = scene_copy_text(scene, text, strlen(text));
    return *name ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static bool is_name_of_any(const scree_scene *scene, const char *name)
{
    const scree_scene_source *sources = scene->list[SCENE_SOURCES].rows;
    const scree_scene_sink *sinks = scene->list[SCENE_SINKS].rows;
    const scree_scene_measurement *measures = scene->list[SCENE_MEASURES].rows;
    bool found = false;

    for (size_t i = 0; i < scene->list[SCENE_SOURCES].count; i++)
        found |= strcmp(sources[i].name, name) == 0;
    for (size_t i = 0; i < scene->list[SCENE_SINKS].count; i++)
        found |= strcmp(sinks[i].name, name) == 0;
    for (size_t i = 0; i < scene->list[SCENE_MEASURES].count; i++)
        found |= strcmp(measures[i].name, name) == 0;
    return found;
}

/*  "measure" and a number, the default name of a measurement. */
static bool is_numbered(const char *name)
{
    const size_t begin = sizeof "measure" - 1;

    return strncmp(name, "measure", begin) == 0 &&
           strspn(name + begin, "0123456789") == strlen(name + begin);
}

/*  A measurement of a wall with a unique name gets that name, so that its columns show the wall. */
static scree_status name_measure(scree_scene *scene, scree_scene_measurement *measure,
                                 size_t number)
{
    const scree_scene_wall *walls = scene->list[SCENE_WALLS].rows;
    const char *name = measure->wall ? walls[measure->wall - 1].name : "";

    if (!measure->name[0] && name[0] && strlen(name) <= 40 && !strpbrk(name, ",\"\n\r") &&
        !is_numbered(name) && !is_name_of_any(scene, name)) {
        measure->name = name;
        measure->is_named_by_wall = true;
    }
    return name_it(scene, &measure->name, "measure", number);
}

static scree_status name_all(scree_scene *scene)
{
    scree_scene_source *sources = scene->list[SCENE_SOURCES].rows;
    scree_scene_sink *sinks = scene->list[SCENE_SINKS].rows;
    scree_scene_measurement *measures = scene->list[SCENE_MEASURES].rows;
    scree_scene_stage *stages = scene->list[SCENE_STAGES].rows;
    size_t fills = 0, pours = 0;
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < scene->list[SCENE_SOURCES].count && !status; i++)
        status = sources[i].is_pour ? name_it(scene, &sources[i].name, "pour", ++pours)
                                    : name_it(scene, &sources[i].name, "fill", ++fills);
    for (size_t i = 0; i < scene->list[SCENE_SINKS].count && !status; i++)
        status = name_it(scene, &sinks[i].name, "sink", i + 1);
    for (size_t i = 0; i < scene->list[SCENE_MEASURES].count && !status; i++)
        status = name_measure(scene, &measures[i], i + 1);
    for (size_t i = 0; i < scene->list[SCENE_STAGES].count && !status; i++)
        status = name_it(scene, &stages[i].name, "stage", i + 1);
    if (!status && !scene->plan.title[0])
        scene->plan.title = scene->name;
    return status;
}

/*  The name of an item with columns, numbered through all kinds. */
static const char *name_of(const scree_scene_plan *plan, size_t i, int *line)
{
    if (i < plan->source_count) {
        *line = plan->sources[i].line;
        return plan->sources[i].name;
    }
    i -= plan->source_count;
    if (i < plan->sink_count) {
        *line = plan->sinks[i].line;
        return plan->sinks[i].name;
    }
    i -= plan->sink_count;
    *line = plan->measures[i].line;
    return plan->measures[i].name;
}

/*  Names identify columns, so they must be unique. */
static scree_status check_names(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    size_t count = plan->source_count + plan->sink_count + plan->measure_count;
    int line, other;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(name_of(plan, i, &line), name_of(plan, k, &other)) == 0)
                return scene_fail_at(
                    scene, error, SCREE_BAD_FILE, line,
                    "the name \"%.40s\" is used in line %d already; names must differ",
                    name_of(plan, i, &line), other);
    return SCREE_OK;
}

/* ---- counts ----------------------------------------------------------------------------------------------- */

static double expected_count(const scree_scene *scene, const scree_scene_source *s)
{
    int dimensions = scene->plan.world.dimensions;
    double volume = scene_mean_volume(&s->radius, dimensions);
    double mass = volume * scene->plan.materials[s->material - 1].density, count = INFINITY;

    if (s->count)
        count = (double)s->count;
    if (s->mass > 0 && s->mass / mass < count)
        count = s->mass / mass;
    if (s->solid_fraction > 0)
        count = s->solid_fraction * scene_volume(&s->region, dimensions) / volume;
    if (s->is_pour && scene->plan.end_time > 0) {
        double end = scene->plan.end_time < s->stop ? scene->plan.end_time : s->stop;
        /* bodies that return are counted already */
        double due =
            s->return_count ? 0 : (end - s->start) * (s->rate > 0 ? s->rate : s->mass_rate / mass);
        count = due < count ? due : count;
    }
    return count > 0 ? count : 0;
}

static double expected_bodies(const scree_scene *scene, bool with_stages, bool with_pours)
{
    double sum = (double)scene->plan.body_count;

    for (size_t i = 0; i < scene->plan.source_count; i++) {
        const scree_scene_source *source = &scene->plan.sources[i];
        double count = expected_count(scene, source);
        if ((with_stages || !source->stage) && (with_pours || !source->is_pour))
            sum += isfinite(count) ? count : 0;
    }
    return sum;
}

double scene_expected_bodies(const scree_scene *scene)
{
    return expected_bodies(scene, true, true);
}

double scree_scene_start_bodies(const scree_scene *scene)
{
    return expected_bodies(scene, false, false);
}

double scree_scene_filled_bodies(const scree_scene *scene)
{
    return expected_bodies(scene, true, false);
}

static scree_status check_counts(const scree_scene *scene, scree_error *error)
{
    double sum = (double)scene->plan.body_count;

    for (size_t i = 0; i < scene->plan.source_count; i++) {
        const scree_scene_source *source = &scene->plan.sources[i];
        double count = expected_count(scene, source);
        sum += isfinite(count) ? count : 0;
        if (sum > SCENE_MAX_BODIES)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, source->line,
                                 "%s: with these there are about %.3g bodies, of about 700 bytes "
                                 "each; the limit is %u",
                                 source->is_pour ? "pour" : "fill", sum, SCENE_MAX_BODIES);
    }
    return SCREE_OK;
}

static scree_status check_planes(const scree_scene *scene, scree_error *error)
{
    uint32_t planes = 0;

    for (size_t i = 0; i < scene->plan.measure_count; i++)
        if (scene->plan.measures[i].region.form == SCREE_FORM_PLANE && ++planes > SCENE_MAX_PLANES)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, scene->plan.measures[i].line,
                                 "measure: the limit is %u planes", SCENE_MAX_PLANES);
    return SCREE_OK;
}

/* ---- heat, means, fields ----------------------------------------------------------------------------------------- */

/*  Checks a grid once, so that it can be used throughout the run. */
static scree_status check_grid(const scree_scene *scene, const scree_scene_fields *grid,
                               scree_error *error)
{
    int dimensions = scene->plan.world.dimensions;

    if (dimensions == 2 && grid->def.cells[2] != 1)
        return scene_fail_at(scene, error, SCREE_BAD_FILE, grid->line,
                             "fields: cells: in two dimensions there is one along z: give two "
                             "numbers, as in {20, 20}");
    for (int k = 0; k < dimensions; k++)
        if (!(grid->def.upper[k] > grid->def.lower[k]) && (grid->wall || grid->def.cells[k] > 1))
            return scene_fail_at(scene, error, SCREE_BAD_FILE, grid->line,
                                 "fields: upper: is %g along %c, as is lower; %s must have a "
                                 "length there",
                                 grid->def.upper[k], "xyz"[k],
                                 grid -> wall ? "cells of a wall" : "several cells");
    return SCREE_OK;
}

static scree_status check_measure(const scree_scene *scene, const scree_scene_measurement *measure,
                                  scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    const uint32_t of_heat =
        SCREE_MEASURE_BODY_TEMPERATURE | SCREE_MEASURE_HEAT_FLOW | SCREE_MEASURE_HEAT;

    if ((measure->quantities & of_heat) && !plan->has_heat)
        return scene_fail_at(scene, error, SCREE_BAD_FILE, measure->line,
                             "measure: what: needs heat; heat { } is missing");
    if (measure->is_mean && !plan->sample.steps && !(plan->sample.time > 0))
        return scene_fail_at(scene, error, SCREE_BAD_FILE, measure->line,
                             "measure: mean: metrics { sample_every = } is missing");
    if (measure->quantities & (SCREE_MEASURE_SOLID_FRACTION | SCREE_MEASURE_POROSITY)) {
        double volume = scene_volume(&measure->region, plan->world.dimensions);
        if (!(volume > 0 && volume < INFINITY))
            return scene_fail_at(scene, error, SCREE_BAD_FILE, measure->line,
                                 "measure: region: its volume is %g, must be above 0 and finite",
                                 volume);
    }
    if (plan->world.dimensions == 2 && measure->cells[2] > 1)
        return scene_fail_at(
            scene, error, SCREE_BAD_FILE, measure->line,
            "measure: cells: in two dimensions there is one along z, as in {4, 4}");
    return SCREE_OK;
}

static scree_status check_output(const scree_scene *scene, const scree_scene_output *output,
                                 scree_error *error)
{
    for (size_t i = 0; i < output->field_count && !scene->plan.has_heat; i++)
        if (strcmp(output->fields[i], "temperature") == 0)
            return scene_fail_at(scene, error, SCREE_BAD_FILE, output->line,
                                 "output: fields: \"temperature\" needs heat; heat { } is missing");
    return SCREE_OK;
}

/*  Samples are needed only for means. */
static scree_status check_samples(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    bool any = plan->sample_line == 0;

    for (size_t i = 0; i < plan->measure_count && !any; i++)
        any = plan->measures[i].is_mean;
    return any ? SCREE_OK
               : scene_fail_at(scene, error, SCREE_BAD_FILE, plan->sample_line,
                               "metrics: %s: is for measures with `mean = true`, but there is "
                               "none; fields have their own sample_every",
                               plan->sample.steps ? "sample_every_steps" : "sample_every");
}

static scree_status check_results(const scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scree_status status = check_samples(scene, error);

    for (size_t i = 0; i < plan->measure_count && !status; i++)
        status = check_measure(scene, &plan->measures[i], error);
    for (size_t i = 0; i < plan->fields_count && !status; i++)
        status = check_grid(scene, &plan->fields[i], error);
    for (size_t i = 0; i < plan->output_count && !status; i++)
        status = check_output(scene, &plan->outputs[i], error);
    return status;
}

/* ---- pictures --------------------------------------------------------------------------------------------- */

/*  "picture" in an output: pictures without times of their own are taken with the output. If there are none, one
    default picture is added. */
static scree_status place_pictures(scree_scene *scene)
{
    scree_scene_output *outputs = scene->list[SCENE_OUTPUTS].rows;
    scene_list *list = &scene->list[SCENE_PICTURES];

    for (size_t i = 0; i < scene->list[SCENE_OUTPUTS].count; i++) {
        bool any = false;
        if (!(outputs[i].write & SCENE_WRITES_PICTURE))
            continue;
        outputs[i].write &= ~SCENE_WRITES_PICTURE;
        for (size_t k = 0; k < list->count; k++) {
            scree_scene_picture *picture = &((scree_scene_picture *)list->rows)[k];
            if (picture->every.time == 0 && picture->every.steps == 0)
                picture->every = outputs[i].every;
            any = true;
        }
        scree_scene_picture *row = any ? NULL : scene_add_row(scene, SCENE_PICTURES);
        if (!any && !row)
            return SCREE_OUT_OF_MEMORY;
        if (row)
            *row = (scree_scene_picture){.line = outputs[i].line,
                                         .every = outputs[i].every,
                                         .def = scree_default_picture_def()};
    }
    return SCREE_OK;
}

/* ---- the step --------------------------------------------------------------------------------------------- */

/*  The step sqrt(m / k) of two equal spheres of this material, pressed together by 1 % of their radius. It bounds
    automatic steps, so that even the first contact of a run meets a suitable step. */
static double step_of_material(const scree_material_def *material, double radius, int dimensions)
{
    double mass = material->density * scene_ball_volume(radius, dimensions);
    double modulus = material->young / (2 * (1 - material->poisson * material->poisson));
    double hertz = 2 * modulus * sqrt(radius / 2 * (radius / 100)),
           linear = material->stiffness / 2;

    /* a rigid material has no stiffness of its own: use that of the linear model */
    return sqrt(mass / 2 / (isfinite(hertz) ? hertz : linear));
}

double scene_first_step(const scree_scene_plan *plan, uint32_t material, double radius)
{
    double dt = step_of_material(&plan->materials[material - 1], radius, plan->world.dimensions);
    double own = scene_step_of_laws(plan, material, radius);

    return own < dt ? own : dt;
}

static void bound_step(scree_scene *scene)
{
    scree_scene_plan *plan = &scene->plan;
    double least = INFINITY;

    if (plan->world.step.mode != SCREE_TIME_AUTOMATIC || !plan->chooses_dt)
        return;
    for (size_t i = 0; i < plan->source_count; i++) {
        double range[2];
        scene_radius_range(&plan->sources[i].radius, plan->world.dimensions, range);
        double dt = scene_first_step(plan, plan->sources[i].material, range[0]);
        least = dt < least ? dt : least;
    }
    for (size_t i = 0; i < plan->body_count; i++) {
        double radius = scene_radius_of_body(&plan->bodies[i], plan->world.dimensions);
        double dt = scene_first_step(plan, plan->bodies[i].material, radius);
        least = dt < least ? dt : least;
    }
    plan->world.step.dt = isfinite(least) ? plan->world.step.safety_factor * least : 0;
}

scree_status scene_finish(scree_scene *scene, scree_error *error)
{
    scree_status status;

    if (scene->plan.end_time == 0 && scene->plan.end_steps == 0 && !scene->plan.stage_count &&
        scene->run_line)
        return scene_fail_at(scene, error, SCREE_BAD_FILE, scene->run_line,
                             "run: `time`, in s, or `steps` is missing");
    if (scene->plan.end_time == 0 && scene->plan.end_steps == 0 && !scene->plan.stage_count)
        return scree_fail(error, SCREE_BAD_FILE,
                          "%s: `run { time = 1 }` is missing: it sets the length of the run",
                          scene->name);
    status = name_all(scene);
    if (!status)
        status = place_pictures(scene);
    if (status)
        return scree_fail(error, status, "%s: out of memory", scene->name);
    scene_show_lists(scene);
    status = check_names(scene, error);
    if (!status)
        status = scene_check_stages(scene, error);
    if (!status)
        status = check_counts(scene, error);
    if (!status)
        status = check_planes(scene, error);
    if (!status)
        status = scene_check_heat(scene, error);
    if (!status)
        status = check_results(scene, error);
    bound_step(scene);
    if (!status)
        status = scene_make_columns(scene, error);
    if (!status)
        status = scene_make_formulas(scene, error);
    return status;
}
