/*  Undo: states before actions of the hand, newest last. A stroke of the mouse sends many messages of one kind and is
    undone as one action. States are those of the world and of the scene's course; a wall that an action has drawn is
    removed first, because a state can only be restored into a world with the same walls. */
#include "lab_internal.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define STROKE_GAP 0.6 /* s between two messages of one stroke, at most */
#define UNDO_BYTES_MOST ((size_t)256 << 20)

static void free_state(lab_undo *undo)
{
    scree_snapshot_destroy(undo->state);
    free(undo->course);
    memset(undo, 0, sizeof *undo);
}

static void drop_oldest(lab_undo_list *list)
{
    free_state(&list->state[0]);
    list->count--;
    memmove(list->state, list->state + 1, list->count * sizeof *list->state);
}

void scree_lab_forget_undo(scree_lab *lab)
{
    while (lab->undo.count)
        drop_oldest(&lab->undo);
    lab->undo.kind = SCREE_LAB_KIND_END;
}

static size_t bytes_of(const lab_undo_list *list)
{
    size_t sum = 0;

    for (size_t k = 0; k < list->count; k++)
        sum += scree_snapshot_bytes(list->state[k].state);
    return sum;
}

static bool continues_stroke(lab_undo_list *list, uint32_t client, scree_lab_kind kind)
{
    double now = scree_lab_now();
    bool continues = list->kind == kind && list->client == client && now - list->when < STROKE_GAP;

    list->kind = kind;
    list->client = client;
    list->when = now;
    return continues && list->count > 0;
}

static bool take_state(scree_lab *lab, lab_undo *undo)
{
    undo->course_bytes = scree_scene_course_bytes(lab->scene);
    undo->course = malloc(undo->course_bytes + 1);
    return undo->course &&
           !scree_scene_course_save(lab->scene, undo->course, undo->course_bytes, NULL) &&
           !scree_world_snapshot(lab->world, &undo->state);
}

void scree_lab_keep_undo(scree_lab *lab, uint32_t client, scree_lab_kind kind, bool is_stroke)
{
    lab_undo_list *list = &lab->undo;
    lab_undo undo = {0};

    if (is_stroke && continues_stroke(list, client, kind))
        return;
    list->kind = is_stroke ? kind : SCREE_LAB_KIND_END;
    /* without memory for it the action cannot be undone, and takes place all the same */
    if (!take_state(lab, &undo)) {
        free_state(&undo);
        scree_lab_forget_undo(lab);
        return;
    }
    if (list->count == LAB_UNDOS)
        drop_oldest(list);
    list->state[list->count++] = undo;
    while (list->count && bytes_of(list) > UNDO_BYTES_MOST)
        drop_oldest(list);
}

void scree_lab_cancel_undo(scree_lab *lab)
{
    if (lab->undo.count)
        free_state(&lab->undo.state[--lab->undo.count]);
    lab->undo.kind = SCREE_LAB_KIND_END;
}

void scree_lab_note_wall(scree_lab *lab, scree_wall_id wall)
{
    lab->drawn[lab->drawn_walls++] = wall;
    if (lab->undo.count)
        lab->undo.state[lab->undo.count - 1].wall = wall;
}

static scree_status restore(scree_lab *lab, const lab_undo *undo, scree_error *error)
{
    if (undo->wall.index1 && !scree_world_remove_wall(lab->world, undo->wall))
        scree_lab_forget_drawn(lab, undo->wall);
    scree_status status = scree_world_restore(lab->world, undo->state);
    if (status)
        return scree_fail(error, status, "it cannot be undone: %s",
                          scree_world_message(lab->world));
    return scree_scene_course_load(lab->scene, undo->course, undo->course_bytes, error);
}

scree_status scree_lab_undo(scree_lab *lab, scree_error *error)
{
    lab_undo_list *list = &lab->undo;

    if (list->count == 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "there is nothing to undo");
    lab_undo undo = list->state[--list->count];
    list->kind = SCREE_LAB_KIND_END;
    scree_status status = restore(lab, &undo, error);
    free_state(&undo);
    /* older states would fail, too */
    if (status)
        scree_lab_forget_undo(lab);
    lab->credit = 0;
    scree_lab_begin_epoch(lab);
    return status;
}
