#include "dist/heat_exchange.h"

#include "world/save/pack_walls.h"
#include "world/save/snapshot.h"

/*  Words of eight bytes; all are 0 on other ranks before a sum sends them. */
typedef struct heat_header
{
    uint64_t is_on, material_count;
    scree_heat_course course;
} heat_header;

static heat_header header_of(const scree_world *whole)
{
    heat_header header;

    memset(&header, 0, sizeof header);
    if (!whole || !whole->heat.is_on)
        return header;
    header.is_on = 1;
    header.material_count = whole->heat.material_count;
    header.course = whole->heat.course;
    return header;
}

static scree_status reserve(const heat_header *header, scree_world *part)
{
    if (scree_bodies_keep(&part->bodies, SCREE_KEEP_HEAT))
        return SCREE_OUT_OF_MEMORY;
    return scree_memory_reserve(&part->memory, &part->heat.material, &part->heat.material_capacity,
                                (size_t)header->material_count, sizeof *part->heat.material);
}

static scree_status share_wall(const scree_comm *comm, const scree_world *whole, size_t w,
                               scree_walls *walls)
{
    scree_packed_wall_heat packed;

    memset(&packed, 0, sizeof packed);
    if (whole)
        scree_wall_heat_pack(&whole->walls.wall[w].heat, &packed);
    const scree_status status = scree_comm_tell_all(comm, &packed, sizeof packed);
    scree_wall_heat_unpack(&packed, &walls->wall[w].heat);
    return status;
}

scree_status scree_share_heat(const scree_comm *comm, const scree_world *whole, scree_world *part)
{
    scree_heat *heat = &part->heat;
    heat_header header = header_of(whole);
    scree_status status = scree_comm_tell_all(comm, &header, sizeof header);

    heat->is_on = !status && header.is_on;
    if (!heat->is_on)
        return status;
    status = scree_comm_agree(comm, reserve(&header, part));
    if (status)
        return status;
    heat->course = header.course;
    heat->material_count = (size_t)header.material_count;
    const size_t bytes = heat->material_count * sizeof *heat->material;
    if (bytes)
        memset(heat->material, 0, bytes);
    if (bytes && whole)
        memcpy(heat->material, whole->heat.material, bytes);
    if (bytes)
        status = scree_comm_tell_all(comm, heat->material, bytes);
    for (size_t w = 0; w < part->walls.count && !status; w++)
        status = share_wall(comm, whole, w, &part->walls);
    return status;
}

void scree_gather_heat(const scree_world *part, scree_world *whole)
{
    if (!whole->heat.is_on)
        return;
    whole->heat.course = part->heat.course;
    for (size_t w = 0; w < whole->walls.count; w++)
        whole->walls.wall[w].heat = part->walls.wall[w].heat;
}
