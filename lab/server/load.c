/*  Loads scenes and checkpoints. The new world is built completely before the old one is replaced, so a scene with an
    error changes nothing. Scenes sent by a page must not name files. */
#include "lab_internal.h"

#include "base/error.h"
#include "io/read_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPT_INSTRUCTIONS 200000000u
#define SCRIPT_SECONDS 20

void scree_lab_source_free(lab_source *source)
{
    free(source->text);
    for (size_t k = 0; k < source->setting_count; k++)
        free(source->settings[k]);
    memset(source, 0, sizeof *source);
}

void scree_lab_close(scree_lab *lab)
{
    scree_lab_let_go(lab);
    scree_lab_forget_undo(lab);
    lab->drawn_walls = 0;
    scree_world_destroy(lab->world);
    scree_scene_close(lab->scene);
    lab->world = NULL;
    lab->scene = NULL;
}

/* ---- a scene --------------------------------------------------------------------------------------------- */

static bool is_asked_to_end(void *user)
{
    scree_lab *lab = user;

    pthread_mutex_lock(&lab->lock);
    bool ends = lab->ends;
    pthread_mutex_unlock(&lab->lock);
    return ends;
}

scree_status scree_lab_read_scene(scree_lab *lab, const lab_source *source, scree_scene **scene,
                                  scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();

    if (source->is_file)
        def.path = lab->def.scene;
    else
        def.text = source->text;
    def.without_files = !source->is_file;
    def.name = "scene";
    def.settings = (const char *const *)source->settings;
    def.setting_count = source->setting_count;
    def.instruction_budget = SCRIPT_INSTRUCTIONS;
    def.seconds = SCRIPT_SECONDS;
    def.stops = is_asked_to_end;
    def.stop_user = lab;
    def.memory_budget = lab->memory.most / 2;
    def.allocator = scree_lab_bounded_hooks(&lab->memory);
    def.error = error;
    return scree_scene_open(&def, scene);
}

scree_status scree_lab_build(scree_lab *lab, scree_scene *scene, const scree_scene *old,
                             const scree_checkpoint_part *course, scree_world **world,
                             scree_error *error)
{
    scree_world_def hooks = scree_default_world_def();

    hooks.hooks.allocator = scree_lab_bounded_hooks(&lab->memory);
    hooks.compute.tasks = scree_lab_crew_tasks(&lab->crew);
    hooks.detection.method = lab->method;
    hooks.energy_balance = lab->keeps_energy_balance;
    scree_status status =
        old ? scree_scene_build_with(scene, old, &hooks, course->data, course->bytes, world, error)
        : course ? scree_scene_build_at(scene, &hooks, course->data, course->bytes, world, error)
                 : scree_scene_build(scene, &hooks, world, error);
    if (status)
        return status;
    scree_world_enable_timings(*world, true);
    if (lab->has_margin)
        status = scree_world_set_margin(*world, &lab->margin);
    return status ? scree_fail(error, status, "%s", scree_world_message(*world)) : SCREE_OK;
}

static scree_status count_bodies(const scree_lab *lab, const scree_world *world, scree_error *error)
{
    size_t count = scree_world_body_count(world);
    if (count > lab->def.max_bodies)
        return scree_fail(error, SCREE_TOO_LARGE, "%zu bodies: the lab takes at most %" PRIu64,
                          count, lab->def.max_bodies);
    return SCREE_OK;
}

/*  Checked before bodies are created, because a fill in progress cannot be cancelled. Estimates get a tolerance. */
static scree_status foresee(const scree_lab *lab, double count, const char *who, scree_error *error)
{
    if (count > 1.2 * (double)lab->def.max_bodies)
        return scree_fail(error, SCREE_TOO_LARGE,
                          "%s about %.3g bodies: the lab takes at most %" PRIu64, who, count,
                          lab->def.max_bodies);
    return SCREE_OK;
}

static scree_status foresee_bodies(const scree_lab *lab, const scree_scene *scene,
                                   scree_error *error)
{
    scree_status status =
        foresee(lab, scree_scene_start_bodies(scene), "the scene starts with", error);
    return status ? status
                  : foresee(lab, scree_scene_filled_bodies(scene),
                            "the scene, with the fills of all stages, makes", error);
}

/*  For a scene that continues from a saved state, whose initial bodies are not created again. */
static scree_status foresee_fills(const scree_lab *lab, const scree_scene *scene,
                                  scree_error *error)
{
    return foresee(lab, scree_scene_filled_bodies(scene) - scree_scene_start_bodies(scene),
                   "the fills of its stages make", error);
}

/*  The source text of the scene, for the editor; of a file, its content. */
static scree_status keep_text(scree_lab *lab, lab_source *source, scree_error *error)
{
    scree_memory memory;
    scree_file_bytes file = {0};

    if (!source->is_file)
        return SCREE_OK;
    scree_memory_init(&memory, NULL);
    scree_status status = scree_file_read(lab->def.scene, NULL, &memory, &file, error);
    if (status)
        return status;
    free(source->text);
    source->text = malloc(file.count + 1);
    if (source->text) {
        if (file.count)
            memcpy(source->text, file.bytes, file.count);
        source->text[file.count] = 0;
    }
    scree_file_bytes_free(&file, &memory);
    return source->text ? SCREE_OK : scree_fail(error, SCREE_OUT_OF_MEMORY, "scene: out of memory");
}

void scree_lab_change_over(scree_lab *lab, scree_scene *scene, scree_world *world,
                           lab_source *source)
{
    scree_lab_close(lab);
    lab->scene = scene;
    lab->world = world;
    if (source != &lab->source) {
        scree_lab_source_free(&lab->source);
        lab->source = *source;
        memset(source, 0, sizeof *source);
    }
    lab->credit = lab->cost = 0;
    scree_lab_begin_epoch(lab);
}

scree_status scree_lab_open(scree_lab *lab, lab_source *source, scree_error *error)
{
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    scree_status status = keep_text(lab, source, error);

    if (!status)
        status = scree_lab_read_scene(lab, source, &scene, error);
    if (!status)
        status = foresee_bodies(lab, scene, error);
    if (!status)
        status = scree_lab_build(lab, scene, NULL, NULL, &world, error);
    if (!status)
        status = scree_scene_start(scene, world, error);
    if (!status)
        status = count_bodies(lab, world, error);
    if (status) {
        scree_world_destroy(world);
        scree_scene_close(scene);
        return status;
    }
    scree_lab_change_over(lab, scene, world, source);
    return SCREE_OK;
}

scree_status scree_lab_copy_source(const scree_lab *lab, const char *text, size_t count,
                                   lab_source *source, scree_error *error)
{
    const lab_source *now = &lab->source;

    /* the scene that the program was started with keeps its status if it is sent back unchanged */
    source->is_file = now->is_file && now->text && strlen(now->text) == count &&
                      memcmp(now->text, text, count) == 0;
    source->text = malloc(count + 1);
    if (!source->text)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "scene: out of memory");
    if (count)
        memcpy(source->text, text, count);
    source->text[count] = 0;
    return SCREE_OK;
}

static scree_status open_copy(scree_lab *lab, const char *text, size_t count, const char *example,
                              scree_error *error)
{
    lab_source source = {.example = example};
    scree_status status = scree_lab_copy_source(lab, text, count, &source, error);

    if (!status)
        status = scree_lab_open(lab, &source, error);
    scree_lab_source_free(&source);
    return status;
}

scree_status scree_lab_open_text(scree_lab *lab, const uint8_t *text, size_t count,
                                 scree_error *error)
{
    if (count == 0)
        return scree_fail(error, SCREE_BAD_VALUE, "scene:1: the scene is empty");
    return open_copy(lab, (const char *)text, count, NULL, error);
}

scree_status scree_lab_open_example(scree_lab *lab, uint32_t index, scree_error *error)
{
    const scree_scene_example *example = scree_scene_example_at(index);
    if (!example)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "there is no example %u", (unsigned)index);
    return open_copy(lab, example->text, strlen(example->text), example->name, error);
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

static const scree_scene_parameter *find_parameter(const scree_lab *lab, const char *name,
                                                   size_t length)
{
    const scree_scene_plan *plan = scree_scene_plan_of(lab->scene);

    for (size_t k = 0; k < plan->parameter_count; k++)
        if (strlen(plan->parameters[k].name) == length &&
            memcmp(plan->parameters[k].name, name, length) == 0)
            return &plan->parameters[k];
    return NULL;
}

scree_status scree_lab_set(scree_lab *lab, const uint8_t *text, size_t count, scree_error *error)
{
    lab_source *source = &lab->source;
    const uint8_t *equals = count ? memchr(text, '=', count) : NULL;
    size_t length = equals ? (size_t)(equals - text) : 0, k = 0;
    const scree_scene_parameter *parameter = find_parameter(lab, (const char *)text, length);

    if (!equals || !parameter)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "the scene has no parameter \"%.*s\"",
                          length < 40 ? (int)length : 40, (const char *)text);
    /* a text might be a file name */
    if (parameter->is_text && source->is_file)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "%s: texts of a scene that may name files are set on the command line",
                          parameter->name);
    char *copy = malloc(count + 1);
    if (!copy)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "parameter: out of memory");
    memcpy(copy, text, count);
    copy[count] = 0;
    while (k < source->setting_count && strncmp(source->settings[k], copy, length + 1) != 0)
        k++;
    if (k == LAB_SETTINGS) {
        free(copy);
        return scree_fail(error, SCREE_TOO_LARGE, "more than %u parameters are set", LAB_SETTINGS);
    }
    if (k == source->setting_count)
        source->setting_count++;
    else
        free(source->settings[k]);
    source->settings[k] = copy;
    return SCREE_OK;
}

/* ---- checkpoints ----------------------------------------------------------------------------------------- */

/*  Writes a checkpoint to a temporary file, reads it, and removes it. */
static scree_status write_and_read(scree_lab *lab, const scree_checkpoint_part *parts,
                                   size_t part_count, scree_memory *memory, scree_file_bytes *file,
                                   scree_error *error)
{
    const char *place = getenv("TMPDIR");
    char folder[300], path[320];

    snprintf(folder, sizeof folder, "%.250s/scree-lab-XXXXXX", place && place[0] ? place : "/tmp");
    if (!mkdtemp(folder))
        return scree_fail(error, SCREE_IO_ERROR, "%s: cannot make a folder there", folder);
    snprintf(path, sizeof path, "%s/lab.scree", folder);
    scree_status status = scree_checkpoint_write(lab->world, path, parts, part_count, error);
    if (!status)
        status = scree_file_read(path, NULL, memory, file, error);
    unlink(path);
    rmdir(folder);
    return status;
}

static scree_status post_saved(scree_lab *lab, uint32_t client, const scree_file_bytes *file,
                               scree_error *error)
{
    uint8_t *bytes = file->bytes ? malloc(file->count + 4) : NULL;

    if (!bytes)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "checkpoint: out of memory");
    memset(bytes, 0, 4);
    bytes[0] = 3;
    memcpy(bytes + 4, file->bytes, file->count);
    scree_lab_post(lab, SCREE_LAB_SAVED, client, false, bytes, file->count + 4);
    return SCREE_OK;
}

scree_status scree_lab_save(scree_lab *lab, uint32_t client, scree_error *error)
{
    const char *text = scree_scene_resolved(lab->scene);
    size_t course_bytes = scree_scene_course_bytes(lab->scene);
    scree_memory memory;
    scree_file_bytes file = {0};
    uint8_t *course = malloc(course_bytes + 1), drawn[LAB_DRAWN_MOST * LAB_DRAWN_BYTES];

    scree_memory_init(&memory, NULL);
    if (!course)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "checkpoint: out of memory");
    scree_status status = scree_scene_course_save(lab->scene, course, course_bytes, error);
    if (!status)
        status = scree_lab_write_drawn(lab, drawn, error);
    if (!status) {
        const scree_checkpoint_part parts[] = {
            {"scene", text, strlen(text)},
            {"course", course, course_bytes},
            {"drawn", drawn, (size_t)lab->drawn_walls * LAB_DRAWN_BYTES}};
        status = write_and_read(lab, parts, lab->drawn_walls ? 3 : 2, &memory, &file, error);
    }
    if (!status)
        status = post_saved(lab, client, &file, error);
    scree_file_bytes_free(&file, &memory);
    free(course);
    return status;
}

/*  The scene of a checkpoint: the current one if it is the same; otherwise one that must not name files. */
static scree_status read_scene_of(scree_lab *lab, const scree_checkpoint_part *text,
                                  lab_source *source, scree_scene **scene, scree_error *error)
{
    const char *here = scree_scene_resolved(lab->scene);

    if (strlen(here) == text->bytes && memcmp(here, text->data, text->bytes) == 0)
        return scree_lab_read_scene(lab, &lab->source, scene, error);
    source->text = malloc(text->bytes + 1);
    if (!source->text)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "checkpoint: out of memory");
    if (text->bytes)
        memcpy(source->text, text->data, text->bytes);
    source->text[text->bytes] = 0;
    return scree_lab_read_scene(lab, source, scene, error);
}

static scree_status restore(scree_lab *lab, const scree_checkpoint *checkpoint, scree_error *error)
{
    scree_checkpoint_part text, course, drawn = {0};
    scree_wall_id ids[LAB_DRAWN_MOST];
    lab_source source = {0};
    scree_scene *scene = NULL;
    scree_world *world = NULL;

    if (!scree_checkpoint_part_of(checkpoint, "scene", &text) ||
        !scree_checkpoint_part_of(checkpoint, "course", &course))
        return scree_fail(error, SCREE_BAD_FILE,
                          "the checkpoint was written neither by the lab nor by scree run");
    scree_status status = read_scene_of(lab, &text, &source, &scene, error);
    if (!status)
        status = foresee_fills(lab, scene, error);
    if (!status)
        status = scree_lab_build(lab, scene, NULL, &course, &world, error);
    if (!status && scree_checkpoint_part_of(checkpoint, "drawn", &drawn))
        status = scree_lab_read_drawn(world, scree_scene_plan_of(scene)->world.dimensions,
                                      drawn.data, drawn.bytes, ids, error);
    if (!status)
        status = scree_checkpoint_restore(checkpoint, world, error);
    if (!status)
        status = scree_scene_course_load(scene, course.data, course.bytes, error);
    if (!status)
        status = count_bodies(lab, world, error);
    if (!status) {
        scree_lab_change_over(lab, scene, world, source.text ? &source : &lab->source);
        lab->drawn_walls = (uint32_t)(drawn.bytes / LAB_DRAWN_BYTES);
        memcpy(lab->drawn, ids, lab->drawn_walls * sizeof *ids);
    } else {
        scree_world_destroy(world);
        scree_scene_close(scene);
    }
    scree_lab_source_free(&source);
    return status;
}

scree_status scree_lab_load(scree_lab *lab, const uint8_t *bytes, size_t count, scree_error *error)
{
    scree_allocator memory = scree_lab_bounded_hooks(&lab->memory);
    scree_checkpoint *checkpoint = NULL;
    scree_status status = scree_checkpoint_read_bytes(bytes, count, &memory, &checkpoint, error);

    if (!status)
        status = restore(lab, checkpoint, error);
    scree_checkpoint_destroy(checkpoint);
    return status;
}
