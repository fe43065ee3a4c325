/*  Tracks the shapes of a world, and the shape of each body. shapes_told.c encodes them. */
#include "shapes.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define TABLE 8192u        /* hash table: twice the number of shapes */
#define NO_BODY UINT64_MAX /* global id of an empty slot */

void scree_lab_shapes_free(scree_lab_shapes *shapes)
{
    free(shapes->shape);
    free(shapes->table);
    free(shapes->owner);
    free(shapes->number);
    memset(shapes, 0, sizeof *shapes);
}

void scree_lab_shapes_begin(scree_lab_shapes *shapes)
{
    shapes->is_untold |= shapes->count > 0;
    shapes->count = shapes->left_out = shapes->slot_count = shapes->body_count = 0;
    if (shapes->table)
        memset(shapes->table, 0, TABLE * sizeof *shapes->table);
}

static bool reserve_slots(scree_lab_shapes *shapes, size_t slots)
{
    if (slots > shapes->slot_room) {
        size_t room = slots + slots / 4 + 64;
        uint64_t *owner = realloc(shapes->owner, room * sizeof *owner);
        if (!owner)
            return false;
        shapes->owner = owner;
        uint16_t *number = realloc(shapes->number, room * sizeof *number);
        if (!number)
            return false;
        shapes->number = number;
        shapes->slot_room = room;
    }
    for (; shapes->slot_count < slots; shapes->slot_count++)
        shapes->owner[shapes->slot_count] = NO_BODY;
    return true;
}

/*  A mesh or a clump: bodies that share it look the same. */
static const void *key_of(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_CLUMP ? (const void *)shape->clump
                                            : (const void *)shape->mesh;
}

static bool reserve_shapes(scree_lab_shapes *shapes)
{
    if (!shapes->table)
        shapes->table = calloc(TABLE, sizeof *shapes->table);
    if (shapes->count == shapes->room) {
        size_t room = 2 * shapes->room + 16;
        scree_shape *grown = realloc(shapes->shape, room * sizeof *grown);
        if (!grown)
            return false;
        shapes->shape = grown;
        shapes->room = room;
    }
    return shapes->table != NULL;
}

/*  The index of a shape, created if it is new; 0: there are too many. */
static scree_status find_shape(scree_lab_shapes *shapes, const scree_shape *shape, uint16_t *number)
{
    const void *key = key_of(shape);
    size_t at = scree_hash_word(SCREE_HASH_START, (uintptr_t)key) % TABLE;

    if (!reserve_shapes(shapes))
        return SCREE_OUT_OF_MEMORY;
    for (; (*number = shapes->table[at]) != 0; at = (at + 1) % TABLE)
        if (key_of(&shapes->shape[*number - 1]) == key)
            return SCREE_OK;
    if (shapes->count == SCREE_LAB_SHAPE_MOST) {
        shapes->left_out++;
        return SCREE_OK;
    }
    shapes->shape[shapes->count++] = *shape;
    shapes->table[at] = *number = (uint16_t)shapes->count;
    return SCREE_OK;
}

static scree_status look_at(scree_lab_shapes *shapes, scree_world *world, scree_body_id id,
                            uint16_t *number)
{
    scree_body body;

    *number = 0;
    if (scree_world_get_body(world, id, &body) || body.shape.kind == SCREE_SHAPE_SPHERE)
        return SCREE_OK;
    return find_shape(shapes, &body.shape, number);
}

scree_status scree_lab_shapes_take(scree_lab_shapes *shapes, scree_world *world,
                                   scree_lab_cloud *cloud)
{
    scree_bodies_view view = scree_world_bodies(world);
    size_t known = shapes->count + shapes->left_out;

    if (!reserve_slots(shapes, cloud->slot_count))
        return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < view.count; i++) {
        size_t slot = scree_body_id_at(view.id, i).index1 - 1;
        if (shapes->owner[slot] != scree_uint64_at(view.serial, i)) {
            if (look_at(shapes, world, scree_body_id_at(view.id, i), &shapes->number[slot]))
                return SCREE_OUT_OF_MEMORY;
            shapes->owner[slot] = scree_uint64_at(view.serial, i);
        }
        cloud->shape[slot] = shapes->number[slot];
    }
    shapes->body_count = view.count;
    struct scree_lab_share share = scree_lab_shapes_share(shapes);
    shapes->is_untold |= shapes->count + shapes->left_out != known ||
                         (shapes->count && (share.facets < shapes->told.facets / 2 ||
                                            share.pebbles < shapes->told.pebbles / 2));
    return SCREE_OK;
}
