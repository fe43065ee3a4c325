#include "dist/unpack.h"

#include "dist/unpack_contacts.h"
#include "dist/unpack_shapes.h"
#include "world/search/sort_bodies.h"
#include "world/step/room_data.h"

/* ---- bodies ---- */

static void forget_contacts(scree_world *world)
{
    world->pairs.count = 0;
    world->pairs.is_indexed = false;
    world->wall_contacts.now.count = 0;
    /* their handles may name other bodies from now on */
    world->shape_contacts.now.count = world->shape_contacts.next.count = 0;
}

/*  Frees all names: names are private to this part. */
static void forget_bodies(scree_body_arrays *bodies)
{
    bodies->count = bodies->name_count = bodies->free_name = bodies->retired = 0;
    bodies->special = bodies->odd = bodies->loaded = bodies->nonspheres = 0;
    bodies->added = bodies->removed = 0;
    bodies->least_is_known = false;
    scree_serials_free(&bodies->serials, bodies->memory);
}

static scree_status make_room(scree_world *world, size_t count)
{
    const uint32_t before = world->bodies.count;
    scree_status status = scree_bodies_reserve(&world->bodies, count);

    if (!status)
        status = scree_contact_list_admit(&world->pairs, before, (uint32_t)count);
    if (!status)
        status = scree_wall_contacts_admit(&world->wall_contacts, before, (uint32_t)count);
    return status;
}

#define X_UNPACK(type, name, n, when)                                                              \
    if (bodies->name)                                                                              \
        memcpy(bodies->name[slot], record->name, sizeof record->name);

void scree_unpack_body_record(const scree_body_record *record, scree_body_arrays *bodies,
                              uint32_t slot, scree_shape shape)
{
    const scree_body_id id = bodies->id[slot][0];

    SCREE_BODY_FIELDS(X_UNPACK)
    if (bodies->keeps[SCREE_KEEP_HEAT])
        memcpy(bodies->heat[slot], record->heat, sizeof record->heat);
    if (bodies->keeps[SCREE_KEEP_AMBIENT])
        memcpy(bodies->ambient[slot], record->ambient, sizeof record->ambient);
    if (bodies->keeps[SCREE_KEEP_SLEEP])
        memcpy(bodies->sleep[slot], record->sleep, sizeof record->sleep);
    bodies->id[slot][0] = id;
    bodies->shape[slot][0] = shape;
}

/*  SCREE_BAD_VALUE if a mesh or clump is not here, SCREE_OUT_OF_MEMORY. */
static scree_status enter(const scree_received *received, scree_world *part, uint32_t more_flags)
{
    scree_body_arrays *bodies = &part->bodies;
    scree_geometry_index index;
    scree_status status = scree_geometry_index_make(&index, &part->shape_finder.meshes);

    for (size_t k = 0; k < received->body_count && !status; k++) {
        scree_shape shape;
        status = scree_geometry_index_shape(&index, &received->body[k], &shape);
        if (status)
            break;
        const uint32_t slot = scree_bodies_push(bodies);
        scree_unpack_body_record(&received->body[k], bodies, slot, shape);
        bodies->flags[slot][0] |= more_flags;
        scree_bodies_tally(bodies, slot, 1);
        bodies->added++;
    }
    scree_geometry_index_free(&index);
    return status;
}

static scree_status sort(scree_world *part)
{
    const scree_step step = scree_world_this_step(part, 0);

    if (part->bodies.count < 2)
        return SCREE_OK;
    return scree_bodies_sort(&step, &part->order, &part->bodies, &part->pairs,
                             &part->wall_contacts);
}

scree_status scree_unpack_bodies(const scree_received *received, scree_world *part)
{
    scree_status status;

    forget_contacts(part);
    forget_bodies(&part->bodies);
    status = make_room(part, received->body_count);
    if (!status)
        status = enter(received, part, 0);
    if (status)
        return status;
    scree_wall_contacts_clear_search(&part->wall_contacts, part->bodies.count);
    return sort(part);
}

scree_status scree_unpack_ghosts(const scree_received *received, scree_world *part)
{
    scree_status status = make_room(part, part->bodies.count + received->body_count);

    return status ? status : enter(received, part, SCREE_GHOST);
}

/* ---- contacts ---- */

scree_status scree_unpack_contacts(const scree_received *received, scree_world *part,
                                   uint32_t owned)
{
    const size_t incoming[SCREE_RECORDS] = {received->body_count, received->pair_count,
                                            received->wall_count, received->shape_count};
    scree_contact_intake intake;
    scree_status status = scree_contact_intake_begin(&intake, part, owned, incoming);

    if (!status)
        status = scree_contact_intake_add(&intake, received);
    if (!status)
        status = scree_contact_intake_accept(&intake);
    scree_contact_intake_end(&intake);
    return status;
}
