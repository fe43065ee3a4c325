/*  Copies contacts with walls of facets to a device and back. */
#include "world/device/facet_contacts.h"

#include "world/device/host_rows.h"

#include <string.h>

void scree_host_facets_free(scree_memory *memory, host_facets *facets)
{
    const size_t contacts = facets->near_count * facets->room;

    scree_memory_give(memory, &facets->start, facets->bodies + 1, sizeof *facets->start);
    scree_memory_give(memory, &facets->near_at, facets->bodies + 1, sizeof *facets->near_at);
    scree_memory_give(memory, &facets->many, facets->near_count, sizeof *facets->many);
    scree_memory_give(memory, &facets->contacts, contacts, sizeof *facets->contacts);
    scree_memory_give(memory, &facets->history, contacts * facets->planes, sizeof *facets->history);
}

static bool is_of_facet(const scree_world *world, size_t contact)
{
    const scree_wall_contact_list *list = &world->wall_contacts.now;
    const uint32_t wall = list->wall[contact][0];

    return list->body[contact][0] != UINT32_MAX && wall != UINT32_MAX &&
           world->walls.wall[wall].def.kind != SCREE_WALL_PLANE;
}

uint32_t scree_host_max_facets(const scree_world *world)
{
    const scree_wall_contact_list *list = &world->wall_contacts.now;
    uint32_t most = 0, many = 0, body = UINT32_MAX;

    /* those of a body are adjacent */
    for (size_t c = 0; c < list->count; c++) {
        if (!is_of_facet(world, c))
            continue;
        many = list->body[c][0] == body ? many + 1 : 1;
        body = list->body[c][0];
        most = many > most ? many : most;
    }
    return most;
}

/*  Room for contacts of `near_count` bodies. */
static scree_status take_room(scree_world *world, host_facets *facets)
{
    const size_t contacts = facets->near_count * facets->room;
    scree_memory *memory = &world->memory;

    if (scree_memory_take(memory, facets->near_count, sizeof *facets->many, &facets->many) ||
        scree_memory_take(memory, contacts, sizeof *facets->contacts, &facets->contacts) ||
        scree_memory_take(memory, contacts * facets->planes, sizeof *facets->history,
                          &facets->history))
        return scree_host_refuse_memory(world);
    return SCREE_OK;
}

static void begin_facets(const scree_world *world, host_facets *facets)
{
    facets->bodies = world->bodies.count;
    facets->room = scree_device_facet_contacts(world->device);
    facets->planes = world->device->memory_planes;
}

/* ---- to the device ---- */

static void put_contact(const scree_world *world, size_t c, host_facets *facets)
{
    const scree_wall_contact_list *list = &world->wall_contacts.now;
    const size_t near = facets->near_at[list->body[c][0]];
    const size_t at = near * facets->room + facets->many[near]++;
    const scree_mesh_memory *memory = &list->memory[c][0];
    const uint32_t planes = world->rules.slots[list->slot[c][0]].law->memory_count;
    scree_facet_contact *to = &facets->contacts[at];

    memcpy(to->in_mesh, memory->point, sizeof to->in_mesh);
    to->wall = list->wall[c][0];
    to->facet = memory->facet;
    to->feature = memory->feature;
    to->side = memory->side == 0 ? 0 : memory->side < 0 ? -1 : 1;
    for (uint32_t m = 0; m < facets->planes; m++)
        facets->history[at * facets->planes + m] = m < planes ? list->history[m][c] : 0;
}

/*  Without bodies near facets there is nothing, and no array. */
static void clear_rows(void *array, size_t bytes)
{
    if (bytes)
        memset(array, 0, bytes);
}

static scree_status make_facets(scree_world *world, host_facets *facets)
{
    const scree_wall_contact_list *list = &world->wall_contacts.now;
    const size_t n = world->bodies.count;

    begin_facets(world, facets);
    if (scree_memory_take(&world->memory, n + 1, sizeof *facets->near_at, &facets->near_at))
        return scree_host_refuse_memory(world);
    memset(facets->near_at, 0, (n + 1) * sizeof *facets->near_at);
    for (size_t c = 0; c < list->count; c++)
        if (is_of_facet(world, c))
            facets->near_at[list->body[c][0]] = 1;
    for (size_t slot = 0; slot <= n; slot++) {
        const uint32_t is_near = facets->near_at[slot];
        facets->near_at[slot] = (uint32_t)facets->near_count;
        facets->near_count += is_near;
    }
    scree_status status = take_room(world, facets);
    if (status)
        return status;
    clear_rows(facets->many, facets->near_count * sizeof *facets->many);
    clear_rows(facets->contacts, facets->near_count * facets->room * sizeof *facets->contacts);
    clear_rows(facets->history,
               facets->near_count * facets->room * facets->planes * sizeof *facets->history);
    for (size_t c = 0; c < list->count; c++)
        if (is_of_facet(world, c))
            put_contact(world, c, facets);
    return SCREE_OK;
}

static scree_status write_facets(scree_device *device, const host_facets *from)
{
    const size_t bytes = (from->bodies + 1) * sizeof *from->near_at;
    const size_t contacts = from->near_count * from->room;
    device_facets *to = &device->facets;
    scree_gpu *gpu = device->gpu;
    scree_status status = scree_gpu_reserve(gpu, &to->start, bytes, "bodies near facets");

    if (!status)
        status = scree_gpu_reserve(gpu, &to->near_at, bytes, "bodies near facets");
    if (!status)
        status = scree_device_reserve_facets(device, to, (uint32_t)from->near_count);
    /* a body is near if the numbers at its place and the next differ */
    if (!status)
        status = scree_gpu_write(gpu, &to->start, 0, from->near_at, bytes);
    if (!status)
        status = scree_gpu_write(gpu, &to->near_at, 0, from->near_at, bytes);
    if (status || from->near_count == 0)
        return status;
    status =
        scree_gpu_write(gpu, &to->many[0], 0, from->many, from->near_count * sizeof *from->many);
    if (!status)
        status = scree_gpu_write(gpu, &to->contacts[0], 0, from->contacts,
                                 contacts * sizeof *from->contacts);
    if (!status)
        status = scree_gpu_write(gpu, &to->history[0], 0, from->history,
                                 contacts * from->planes * sizeof *from->history);
    return status;
}

scree_status scree_host_facets_send(scree_world *world)
{
    host_facets facets = {0};
    scree_status status;

    if (!world->device->touch_room)
        return SCREE_OK;
    status = make_facets(world, &facets);
    if (!status) {
        status = write_facets(world->device, &facets);
        status = status ? scree_device_failed(world, status) : SCREE_OK;
    }
    scree_host_facets_free(&world->memory, &facets);
    return status;
}

/* ---- from the device ---- */

static scree_status get(scree_world *world, const scree_gpu_buffer *buffer, void *data,
                        size_t bytes)
{
    scree_status status =
        bytes ? scree_gpu_read(world->device->gpu, buffer, 0, data, bytes) : SCREE_OK;
    return status ? scree_device_failed(world, status) : SCREE_OK;
}

scree_status scree_host_facets_fetch(scree_world *world, host_facets *facets)
{
    const device_facets *from = &world->device->facets;
    const uint32_t now = world->device->now;
    const size_t n = world->bodies.count;
    scree_status status;

    if (!world->device->touch_room)
        return SCREE_OK;
    begin_facets(world, facets);
    facets->near_count = from->near_count;
    if (scree_memory_take(&world->memory, n + 1, sizeof *facets->start, &facets->start) ||
        scree_memory_take(&world->memory, n + 1, sizeof *facets->near_at, &facets->near_at))
        return scree_host_refuse_memory(world);
    status = take_room(world, facets);
    const size_t contacts = facets->near_count * facets->room;
    if (!status)
        status = get(world, &from->start, facets->start, (n + 1) * sizeof *facets->start);
    if (!status)
        status = get(world, &from->near_at, facets->near_at, (n + 1) * sizeof *facets->near_at);
    if (!status)
        status =
            get(world, &from->many[now], facets->many, facets->near_count * sizeof *facets->many);
    if (!status)
        status =
            get(world, &from->contacts[now], facets->contacts, contacts * sizeof *facets->contacts);
    if (!status)
        status = get(world, &from->history[now], facets->history,
                     contacts * facets->planes * sizeof *facets->history);
    return status;
}
