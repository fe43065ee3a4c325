/*  Storage of a scene: lists that grow, and chunks of memory that are freed together. */
#include "base/error.h"
#include "scene_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CHUNK_BYTES 16384u

typedef struct scene_chunk
{
    struct scene_chunk *next;
    size_t bytes, used; /* of the data that follows */
} scene_chunk;

/*  Aligns the data as malloc does. */
#define HEAD_BYTES ((sizeof(scene_chunk) + 15) / 16 * 16)

static const size_t row_bytes[SCENE_LISTS] = {
    sizeof(scree_material_def),
    sizeof(int),
    sizeof(scree_material_heat_def),
    sizeof(scree_scene_rule),
    sizeof(scree_scene_bond),
    sizeof(scree_scene_joint),
    sizeof(scree_scene_wall),
    sizeof(scree_scene_body),
    sizeof(scree_scene_source),
    sizeof(scree_scene_sink),
    sizeof(scree_scene_measurement),
    sizeof(scree_scene_output),
    sizeof(scree_scene_picture),
    sizeof(scree_scene_parameter),
    sizeof(scree_mesh *),
    sizeof(scree_clump *),
    sizeof(scene_column),
    sizeof(scree_scene_fields),
    sizeof(scree_scene_stage),
    sizeof(scree_scene_condition),
    sizeof(scree_scene_formula),
    sizeof(scree_law *),
};

scree_scene *scene_new(const scree_allocator *allocator)
{
    scree_memory memory;
    void *block = NULL;

    if (scree_memory_init(&memory, allocator) ||
        scree_memory_take(&memory, 1, sizeof(scree_scene), &block))
        return NULL;
    scree_scene *scene = block;
    memset(scene, 0, sizeof *scene);
    scree_memory_init(&scene->memory, allocator);
    return scene;
}

static bool has_room(scree_scene *scene, size_t more)
{
    scene->is_over_budget =
        more > scene->memory_budget || scene->memory.bytes > scene->memory_budget - more;
    return !scene->is_over_budget;
}

void *scene_add_row(scree_scene *scene, scene_list_of which)
{
    scene_list *list = &scene->list[which];
    size_t bytes = row_bytes[which];

    if (list->count == list->room &&
        (!has_room(scene, (list->count + list->count / 2 + 1) * bytes) ||
         scree_memory_reserve(&scene->memory, &list->rows, &list->room, list->count + 1, bytes)))
        return NULL;
    return memset((char *)list->rows + bytes * list->count++, 0, bytes);
}

void *scene_take(scree_scene *scene, size_t count, size_t bytes)
{
    scene_chunk *chunk = scene->chunks;
    size_t wanted;

    if (count > (SIZE_MAX / 2 - HEAD_BYTES) / (bytes ? bytes : 1))
        return NULL;
    wanted = (count * bytes + 15) / 16 * 16;
    if (!chunk || chunk->bytes - chunk->used < wanted) {
        size_t size = wanted > CHUNK_BYTES ? wanted : CHUNK_BYTES;
        void *block = NULL;
        if (!has_room(scene, HEAD_BYTES + size) ||
            scree_memory_take(&scene->memory, HEAD_BYTES + size, 1, &block))
            return NULL;
        chunk = block;
        *chunk = (scene_chunk){.next = scene->chunks, .bytes = size};
        scene->chunks = chunk;
    }
    chunk->used += wanted;
    return memset((char *)chunk + HEAD_BYTES + chunk->used - wanted, 0, wanted);
}

char *scene_copy_text(scree_scene *scene, const char *text, size_t length)
{
    char *copy = scene_take(scene, length + 1, 1);

    if (copy && length)
        memcpy(copy, text, length);
    return copy;
}

void scene_show_lists(scree_scene *scene)
{
    scree_scene_plan *plan = &scene->plan;

    plan->materials = scene->list[SCENE_MATERIALS].rows;
    plan->material_lines = scene->list[SCENE_MATERIAL_LINES].rows;
    plan->material_heats = scene->list[SCENE_MATERIAL_HEATS].rows;
    plan->rules = scene->list[SCENE_RULES].rows;
    plan->own_laws = scene->list[SCENE_LAWS].rows;
    plan->bonds = scene->list[SCENE_BONDS].rows;
    plan->joints = scene->list[SCENE_JOINTS].rows;
    plan->walls = scene->list[SCENE_WALLS].rows;
    plan->bodies = scene->list[SCENE_BODIES].rows;
    plan->sources = scene->list[SCENE_SOURCES].rows;
    plan->sinks = scene->list[SCENE_SINKS].rows;
    plan->measures = scene->list[SCENE_MEASURES].rows;
    plan->outputs = scene->list[SCENE_OUTPUTS].rows;
    plan->pictures = scene->list[SCENE_PICTURES].rows;
    plan->fields = scene->list[SCENE_FIELDS].rows;
    plan->stages = scene->list[SCENE_STAGES].rows;
    plan->conditions = scene->list[SCENE_CONDITIONS].rows;
    plan->formulas = scene->list[SCENE_FORMULAS].rows;
    plan->parameters = scene->list[SCENE_PARAMETERS].rows;
    plan->material_count = scene->list[SCENE_MATERIALS].count;
    plan->rule_count = scene->list[SCENE_RULES].count;
    plan->own_law_count = scene->list[SCENE_LAWS].count;
    plan->bond_count = scene->list[SCENE_BONDS].count;
    plan->joint_count = scene->list[SCENE_JOINTS].count;
    plan->wall_count = scene->list[SCENE_WALLS].count;
    plan->body_count = scene->list[SCENE_BODIES].count;
    plan->source_count = scene->list[SCENE_SOURCES].count;
    plan->sink_count = scene->list[SCENE_SINKS].count;
    plan->measure_count = scene->list[SCENE_MEASURES].count;
    plan->output_count = scene->list[SCENE_OUTPUTS].count;
    plan->picture_count = scene->list[SCENE_PICTURES].count;
    plan->fields_count = scene->list[SCENE_FIELDS].count;
    plan->stage_count = scene->list[SCENE_STAGES].count;
    plan->condition_count = scene->list[SCENE_CONDITIONS].count;
    plan->formula_count = scene->list[SCENE_FORMULAS].count;
    plan->parameter_count = scene->list[SCENE_PARAMETERS].count;
}

void scene_give_back(scree_scene *scene)
{
    for (int i = 0; i < SCENE_LISTS; i++)
        scree_memory_give(&scene->memory, &scene->list[i].rows, scene->list[i].room, row_bytes[i]);
    scree_memory_give(&scene->memory, &scene->course.sides, scene->course.side_room,
                      sizeof *scene->course.sides);
    while (scene->chunks) {
        scene_chunk *chunk = scene->chunks;
        scene->chunks = chunk->next;
        scree_memory_give(&scene->memory, &chunk, HEAD_BYTES + chunk->bytes, 1);
    }
    scree_memory memory;
    scree_memory_init(&memory, &scene->memory.allocator);
    scree_memory_give(&memory, &scene, 1, sizeof *scene);
}

const scree_scene_plan *scree_scene_plan_of(const scree_scene *scene)
{
    return &scene->plan;
}

const char *scree_scene_resolved(const scree_scene *scene)
{
    return scene->resolved;
}

scree_status scene_fail_at(const scree_scene *scene, scree_error *error, scree_status status,
                           int line, const char *format, ...)
{
    char text[sizeof error->text];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (line > 0)
        return scree_fail(error, status, "%s:%d: %s", scene->name, line, text);
    return scree_fail(error, status, "%s: %s", scene->name, text);
}

scree_status scene_refused(const scree_scene *scene, scree_world *world, scree_status status,
                           int line, const char *what, scree_error *error)
{
    return status ? scene_fail_at(scene, error, status, line, "%s: %s", what,
                                  scree_world_message(world))
                  : SCREE_OK;
}
