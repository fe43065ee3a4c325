/*  A scene that was edited while it runs. What can change in a running world is changed there: its state moves into a world of
    the new scene, which then takes over values, settings and paths of walls. Otherwise the new scene starts. */
#include "lab_internal.h"

#include "base/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  What has changed, for the page. */
typedef struct changes
{
    const scree_scene_plan *plan;
    char text[360];
    size_t used;
    bool is_cut; /* there is more than the text holds */
} changes;

static void note_change(const char *text, void *user)
{
    changes *list = user;
    size_t room = sizeof list->text - list->used;
    int size = snprintf(list->text + list->used, room, "%s%s", list->used ? "; " : "", text);

    if (size < 0 || (size_t)size >= room) {
        list->text[list->used] = 0;
        list->is_cut = true;
        return;
    }
    list->used += (size_t)size;
}

static void note_value(bool is_rule, uint32_t index, const char *name, double before, double after,
                       void *user)
{
    changes *list = user;
    char text[160];

    snprintf(text, sizeof text, "%.40s of the %s of line %d %.9g is now %.9g", name,
             is_rule ? "rule" : "material",
             is_rule ? list->plan->rules[index - 1].line : list->plan->material_lines[index - 1],
             before, after);
    note_change(text, list);
}

/*  The state of the running scene. */
typedef struct moment
{
    scree_snapshot *state;
    uint8_t *course;
    size_t course_bytes;
    uint8_t drawn[LAB_DRAWN_MOST * LAB_DRAWN_BYTES];
} moment;

static scree_status take_moment(scree_lab *lab, moment *now, scree_error *error)
{
    now->course_bytes = scree_scene_course_bytes(lab->scene);
    now->course = malloc(now->course_bytes + 1);
    if (!now->course)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    scree_status status =
        scree_scene_course_save(lab->scene, now->course, now->course_bytes, error);
    if (!status)
        status = scree_lab_write_drawn(lab, now->drawn, error);
    if (!status && (status = scree_world_snapshot(lab->world, &now->state)) != SCREE_OK)
        scree_fail(error, status, "%s", scree_world_message(lab->world));
    return status;
}

/*  A world of the new scene with the state of the old one. */
static scree_status build(scree_lab *lab, scree_scene *scene, const moment *now,
                          scree_world **world, scree_wall_id *ids, changes *list,
                          scree_error *error)
{
    const scree_checkpoint_part course = {"course", now->course, now->course_bytes};
    int dimensions = scree_scene_plan_of(scene)->world.dimensions;
    scree_status status = scree_lab_build(lab, scene, lab->scene, &course, world, error);

    if (!status)
        status = scree_lab_read_drawn(*world, dimensions, now->drawn,
                                      (size_t)lab->drawn_walls * LAB_DRAWN_BYTES, ids, error);
    if (!status && (status = scree_world_restore(*world, now->state)) != SCREE_OK)
        scree_fail(error, status, "%s", scree_world_message(*world));
    if (!status)
        status = scree_scene_course_load(scene, now->course, now->course_bytes, error);
    if (!status)
        status = scree_scene_take_values(scene, lab->scene, *world, note_value, list, error);
    if (!status)
        status = scree_scene_take_settings(scene, lab->scene, *world, note_change, list, error);
    if (!status)
        status = scree_scene_take_paths(scene, lab->scene, *world, note_change, list, error);
    return status;
}

/*  After a failure the running scene is as it was, and the error has the reason. */
static scree_status follow(scree_lab *lab, scree_scene *scene, lab_source *source, changes *list,
                           scree_error *error)
{
    scree_world *world = NULL;
    scree_wall_id ids[LAB_DRAWN_MOST];
    uint32_t drawn = lab->drawn_walls;
    moment now = {0};

    if (!scree_scene_can_follow(lab->scene, scene, error->text, sizeof error->text))
        return error->status = SCREE_BAD_VALUE;
    list->plan = scree_scene_plan_of(scene);
    scree_status status = take_moment(lab, &now, error);
    if (!status)
        status = build(lab, scene, &now, &world, ids, list, error);
    scree_snapshot_destroy(now.state);
    free(now.course);
    if (status) {
        scree_world_destroy(world);
        return status;
    }
    scree_lab_change_over(lab, scene, world, source);
    lab->drawn_walls = drawn;
    memcpy(lab->drawn, ids, drawn * sizeof *ids);
    return SCREE_OK;
}

static scree_status keep_settings(const lab_source *from, lab_source *to, scree_error *error)
{
    for (size_t k = 0; k < from->setting_count; k++) {
        size_t bytes = strlen(from->settings[k]) + 1;
        to->settings[k] = malloc(bytes);
        if (!to->settings[k])
            return scree_fail(error, SCREE_OUT_OF_MEMORY, "scene: out of memory");
        memcpy(to->settings[k], from->settings[k], bytes);
        to->setting_count = k + 1;
    }
    return SCREE_OK;
}

static void drop_settings(lab_source *source)
{
    while (source->setting_count)
        free(source->settings[--source->setting_count]);
}

/*  The edited scene with the parameters that are set, unless another text does not take them any more. */
static scree_status read_edited(scree_lab *lab, lab_source *source, scree_scene **scene,
                                scree_error *error)
{
    bool is_other = strcmp(lab->source.text, source->text) != 0;
    scree_status status = keep_settings(&lab->source, source, error);

    if (!status)
        status = scree_lab_read_scene(lab, source, scene, error);
    if (status && status != SCREE_OUT_OF_MEMORY && is_other && source->setting_count) {
        drop_settings(source);
        status = scree_lab_read_scene(lab, source, scene, error);
    }
    return status;
}

static scree_status restart(scree_lab *lab, lab_source *source, const char *why, scree_error *error)
{
    scree_status status = scree_lab_open(lab, source, error);

    if (!status && why[0])
        scree_lab_say(lab, false, "Restarted, as this cannot change while the scene runs: %s.",
                      why);
    else if (!status)
        scree_lab_say(lab, false, "Restarted: the scene is as it was.");
    return status;
}

static scree_status edit(scree_lab *lab, lab_source *source, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    changes list = {0};
    scree_scene *scene = NULL;
    scree_status status = read_edited(lab, source, &scene, error);

    if (status)
        return status;
    bool is_same = strcmp(scree_scene_resolved(lab->scene), scree_scene_resolved(scene)) == 0;
    if (!is_same && !follow(lab, scene, source, &list, &why)) {
        if (list.used)
            scree_lab_say(lab, false, "In effect without a restart: %s%s.", list.text,
                          list.is_cut ? "; and more" : "");
        else
            scree_lab_say(lab, false,
                          "In effect without a restart: nothing that bodies and walls follow.");
        return SCREE_OK;
    }
    scree_scene_close(scene);
    return restart(lab, source, is_same ? "" : why.text, error);
}

scree_status scree_lab_edit(scree_lab *lab, const uint8_t *text, size_t count, scree_error *error)
{
    const char *here = lab->source.text;
    lab_source source = {0};
    /* an empty text is the present one, with parameters that were set meanwhile */
    bool is_same = count == 0 || (strlen(here) == count && memcmp(here, text, count) == 0);
    const char *next = is_same ? here : (const char *)text;
    scree_status status =
        scree_lab_copy_source(lab, next, is_same ? strlen(here) : count, &source, error);

    if (is_same)
        source.example = lab->source.example;
    lab->is_edited = true;
    if (!status)
        status = edit(lab, &source, error);
    lab->is_edited = false;
    scree_lab_source_free(&source);
    return status;
}
