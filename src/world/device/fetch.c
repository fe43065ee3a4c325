/*  Copies a world's state from a device. */
#include "world/contacts/pair_law.h"
#include "world/device/facet_contacts.h"
#include "world/device/host_rows.h"

#include <string.h>

static scree_status get(scree_world *world, const scree_gpu_buffer *buffer, void *data,
                        size_t bytes)
{
    scree_status status =
        bytes ? scree_gpu_read(world->device->gpu, buffer, 0, data, bytes) : SCREE_OK;
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

/*  What was copied, until all of it is here. */
typedef struct fetched
{
    double (*rows[4])[4];
    double *force;
    host_rows contacts;
    host_facets facets;
    size_t pairs, walls;
} fetched;

static void free_fetched(scree_memory *memory, fetched *from, size_t n)
{
    for (int k = 0; k < 4; k++)
        scree_memory_give(memory, &from->rows[k], n, sizeof *from->rows[k]);
    scree_memory_give(memory, &from->force, 6 * n, sizeof *from->force);
    scree_host_rows_free(memory, &from->contacts);
    scree_host_facets_free(memory, &from->facets);
}

static scree_status fetch_contacts(scree_world *world, host_rows *rows)
{
    scree_device *device = world->device;
    scree_memory *memory = &world->memory;
    scree_status status;

    rows->bodies = world->bodies.count;
    rows->slices = scree_host_slices_of(world);
    rows->planes = device->memory_planes;
    if (scree_memory_take(memory, rows->slices + 1, sizeof *rows->base, &rows->base) ||
        scree_memory_take(memory, rows->bodies, sizeof *rows->many, &rows->many))
        return scree_host_refuse_memory(world);
    status = get(world, &device->rows.base, rows->base, (rows->slices + 1) * sizeof *rows->base);
    if (status)
        return status;
    /* columns are copied with their spare room */
    rows->room = device->rows.room;
    if (scree_memory_take(memory, rows->room, sizeof *rows->entries, &rows->entries) ||
        scree_memory_take(memory, rows->room * rows->planes, sizeof *rows->memory, &rows->memory))
        return scree_host_refuse_memory(world);
    status = get(world, &device->rows.entries, rows->entries, rows->room * sizeof *rows->entries);
    if (!status)
        status = get(world, &device->rows.memory, rows->memory,
                     rows->room * rows->planes * sizeof *rows->memory);
    return status;
}

static scree_status fetch_all(scree_world *world, fetched *to)
{
    scree_device *device = world->device;
    const scree_gpu_buffer *columns[4] = {&device->position, &device->velocity, &device->spin,
                                          &device->orientation};
    const size_t n = world->bodies.count;
    scree_status status = SCREE_OK;

    for (int k = 0; k < 4 && !status; k++) {
        if (scree_memory_take(&world->memory, n, sizeof *to->rows[k], &to->rows[k]))
            return scree_host_refuse_memory(world);
        status = get(world, columns[k], to->rows[k], n * sizeof *to->rows[k]);
    }
    if (!status && scree_memory_take(&world->memory, 6 * n, sizeof *to->force, &to->force))
        return scree_host_refuse_memory(world);
    if (!status)
        status = get(world, &device->force[device->now], to->force, 6 * n * sizeof *to->force);
    if (!status)
        status = fetch_contacts(world, &to->contacts);
    return status ? status : scree_host_facets_fetch(world, &to->facets);
}

/*  Calls a function for each touching entry that represents its contact: of the two entries of a pair, that of the
    first body. */
static void count_fetched(fetched *from)
{
    const host_rows *rows = &from->contacts;

    from->pairs = from->walls = 0;
    for (size_t body = 0; body < rows->bodies; body++) {
        const size_t slice = body / SCREE_SLICE;
        for (size_t at = rows->base[slice] + body % SCREE_SLICE;
             at < rows->base[slice + 1] && rows->entries[at] != NONE; at += SCREE_SLICE) {
            const uint32_t entry = rows->entries[at];
            const bool touches = (entry & SCREE_ENTRY_TOUCHES) != 0;
            from->walls += touches && (entry & SCREE_ENTRY_WALL);
            from->pairs += touches && !(entry & (SCREE_ENTRY_WALL | SCREE_ENTRY_SECOND));
        }
        uint32_t facets;
        (void)scree_host_facets_of(&from->facets, (uint32_t)body, &facets);
        from->walls += facets;
    }
}

static scree_status reserve_lists(scree_world *world, const fetched *from)
{
    scree_contact_list *list = &world->pairs;
    const uint32_t planes = world->rules.planes;
    scree_status status = scree_contact_list_reserve(list, from->pairs);
    const size_t kept = list->count;

    if (!status) {
        list->count = from->pairs;
        status = scree_contact_list_reserve_memory(list, planes);
        list->count = status ? kept : list->count;
    }
    if (!status)
        status = scree_wall_contact_list_reserve(&world->wall_contacts.now, &world->memory,
                                                 from->walls, planes, world->bodies.count);
    return status ? scree_host_refuse_memory(world) : SCREE_OK;
}

static void take_pair(scree_world *world, const fetched *from, size_t at, uint32_t body, size_t c)
{
    scree_contact_list *list = &world->pairs;
    const host_rows *rows = &from->contacts;
    const uint32_t other = rows->entries[at] & SCREE_ENTRY_BODY;
    uint32_t(*material)[1] = world->bodies.material;
    const size_t materials = scree_host_materials_of(world);

    list->first[c][0] = body;
    list->second[c][0] = other;
    list->touches[c][0] = list->touches_next[c][0] = 1;
    list->slot[c][0] =
        world->device->slot_of[(material[body][0] - 1) * materials + material[other][0] - 1];
    for (uint32_t m = 0; m < world->rules.planes; m++)
        list->history[m][c] = rows->memory[m * rows->room + at];
}

static void begin_wall_contact(scree_world *world, uint32_t body, uint32_t wall, size_t c)
{
    scree_wall_contact_list *list = &world->wall_contacts.now;
    const size_t materials = scree_host_materials_of(world);

    list->body[c][0] = body;
    list->wall[c][0] = wall;
    list->slot[c][0] =
        world->device
            ->slot_of[(materials + wall) * materials + world->bodies.material[body][0] - 1];
    list->previous[c][0] = UINT32_MAX;
    memset(list->memory[c], 0, sizeof list->memory[c]);
}

static void take_plane(scree_world *world, const fetched *from, size_t at, uint32_t body, size_t c)
{
    scree_wall_contact_list *list = &world->wall_contacts.now;
    const host_rows *rows = &from->contacts;

    begin_wall_contact(world, body, rows->entries[at] & SCREE_ENTRY_BODY, c);
    for (uint32_t m = 0; m < world->rules.planes; m++)
        list->history[m][c] = rows->memory[m * rows->room + at];
}

static void take_facet(scree_world *world, const fetched *from, const scree_facet_contact *contact,
                       uint32_t body, size_t c)
{
    scree_wall_contact_list *list = &world->wall_contacts.now;
    const host_facets *facets = &from->facets;
    const size_t at = (size_t)(contact - facets->contacts);
    scree_mesh_memory *memory = list->memory[c];

    begin_wall_contact(world, body, contact->wall, c);
    memory->facet = contact->facet;
    memory->feature = (uint8_t)contact->feature;
    memory->side = (int8_t)contact->side;
    memcpy(memory->point, contact->in_mesh, sizeof memory->point);
    for (uint32_t m = 0; m < world->rules.planes; m++)
        list->history[m][c] = facets->history[at * facets->planes + m];
}

/*  The entry of a body's contact with the plane of smallest number, from `least` on; SIZE_MAX: none. */
static size_t next_plane(const host_rows *rows, uint32_t body, uint32_t least)
{
    const size_t slice = body / SCREE_SLICE;
    const size_t begin = rows->base[slice] + body % SCREE_SLICE, end = rows->base[slice + 1];
    const uint32_t wanted = SCREE_ENTRY_TOUCHES | SCREE_ENTRY_WALL;
    size_t found = SIZE_MAX;

    for (size_t at = begin; at < end && rows->entries[at] != NONE; at += SCREE_SLICE) {
        const uint32_t entry = rows->entries[at], wall = entry & SCREE_ENTRY_BODY;
        if ((entry & wanted) == wanted && wall >= least &&
            (found == SIZE_MAX || wall < (rows->entries[found] & SCREE_ENTRY_BODY)))
            found = at;
    }
    return found;
}

/*  Wall contacts of one body by wall: planes in ascending order, between them facets, which are in order. */
static size_t take_walls(scree_world *world, const fetched *from, uint32_t body, size_t c)
{
    uint32_t many, least = 0;
    const scree_facet_contact *facet = scree_host_facets_of(&from->facets, body, &many);

    for (;;) {
        const size_t plane = next_plane(&from->contacts, body, least);
        const uint32_t wall =
            plane == SIZE_MAX ? UINT32_MAX : from->contacts.entries[plane] & SCREE_ENTRY_BODY;
        for (; many > 0 && facet->wall < wall; many--)
            take_facet(world, from, facet++, body, c++);
        if (plane == SIZE_MAX)
            return c;
        take_plane(world, from, plane, body, c++);
        least = wall + 1;
    }
}

static void take_contacts(scree_world *world, const fetched *from)
{
    scree_wall_contact_list *walls = &world->wall_contacts.now;
    const host_rows *rows = &from->contacts;
    size_t pair = 0, wall = 0;

    for (uint32_t body = 0; body < rows->bodies; body++) {
        const size_t slice = body / SCREE_SLICE, begin = wall;
        for (size_t at = rows->base[slice] + body % SCREE_SLICE;
             at < rows->base[slice + 1] && rows->entries[at] != NONE; at += SCREE_SLICE) {
            const uint32_t entry = rows->entries[at];
            if ((entry & SCREE_ENTRY_TOUCHES) && !(entry & (SCREE_ENTRY_WALL | SCREE_ENTRY_SECOND)))
                take_pair(world, from, at, body, pair++);
        }
        wall = take_walls(world, from, body, wall);
        /* a body without contacts has 0 for both */
        walls->begin[body] = wall == begin ? 0 : (uint32_t)begin;
        walls->end[body] = wall == begin ? 0 : (uint32_t)wall;
    }
    walls->count = wall;
}

static void take_bodies(scree_world *world, const fetched *from)
{
    scree_body_arrays *bodies = &world->bodies;
    const size_t n = bodies->count, bytes = n * sizeof *bodies->position;

    memcpy(bodies->position, from->rows[0], bytes);
    memcpy(bodies->velocity, from->rows[1], bytes);
    memcpy(bodies->spin, from->rows[2], bytes);
    memcpy(bodies->orientation, from->rows[3], bytes);
    for (size_t slot = 0; slot < n; slot++)
        for (size_t k = 0; k < 3; k++) {
            bodies->force[slot][k] = from->force[k * n + slot];
            bodies->torque[slot][k] = from->force[(3 + k) * n + slot];
        }
}

/*  The list has only contacts: the host must rebuild it before it evaluates forces. */
static scree_status close_lists(scree_world *world)
{
    scree_contact_list *list = &world->pairs;
    scree_status status;

    list->has_pairs_without_law = list->rows_are_next = list->gaps.is_known = list->is_indexed =
        false;
    list->packed_tiles = 0;
    list->alike = scree_pair_law_of_all(&world->rules, &world->bodies, list);
    status = scree_contact_list_count(list, world->bodies.count, &world->workers);
    world->needs_search = world->rows_are_stale = true;
    world->wall_contacts.planes.is_on = false;
    scree_wall_contacts_renew_all(&world->wall_contacts, world->bodies.count);
    world->detection_stats.contacts = list->count + world->wall_contacts.now.count;
    return status ? scree_host_refuse_memory(world) : SCREE_OK;
}

scree_status scree_device_fetch(scree_world *world)
{
    fetched from = {0};
    scree_status status = fetch_all(world, &from);

    if (!status) {
        count_fetched(&from);
        status = reserve_lists(world, &from);
    }
    if (!status) {
        take_bodies(world, &from);
        take_contacts(world, &from);
        status = close_lists(world);
    }
    free_fetched(&world->memory, &from, world->bodies.count);
    return status;
}
