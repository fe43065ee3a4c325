/*  Lifetime of a checkpoint in memory, and queries. */
#include "base/error.h"
#include "io/checkpoint_verify.h"

#include <stdio.h>

bool scree_checkpoint_machine_fits(void)
{
    const uint32_t mark = SCREE_CHECKPOINT_ENDIAN;
    unsigned char first;

    memcpy(&first, &mark, 1);
    return first == (SCREE_CHECKPOINT_ENDIAN & 0xff);
}

bool scree_checkpoint_name_fits(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789._-");

    return length >= 1 && length <= 26 && name[length] == '\0';
}

/* ---- from a file or from memory; destruction ---- */

static scree_status begin(const scree_allocator *allocator, const char *name,
                          scree_checkpoint **made, scree_error *error)
{
    scree_memory memory;

    *made = NULL;
    if (scree_memory_init(&memory, allocator))
        return scree_fail(error, SCREE_BAD_DEF,
                          "checkpoint: allocator has some functions, not all");
    if (scree_memory_take(&memory, 1, sizeof **made, made))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", name);
    memset(*made, 0, sizeof **made);
    (*made)->memory.allocator = memory.allocator;
    atomic_init(&(*made)->memory.bytes, 0);
    snprintf((*made)->name, sizeof(*made)->name, "%.150s", name);
    return SCREE_OK;
}

/*  Transfers ownership to the caller, or frees it. */
static scree_status end(scree_checkpoint *made, scree_status status, scree_checkpoint **checkpoint,
                        scree_error *error)
{
    if (!status && SCREE_NEVER(!scree_checkpoint_machine_fits()))
        status =
            scree_fail(error, SCREE_BAD_ARGUMENT,
                       "%s: checkpoints can be read on little-endian machines only", made->name);
    if (!status)
        status = scree_checkpoint_verify(made, error);
    if (status)
        scree_checkpoint_destroy(made);
    else
        *checkpoint = made;
    return status;
}

scree_status scree_checkpoint_read(const char *path, const scree_allocator *allocator,
                                   scree_checkpoint **checkpoint, scree_error *error)
{
    scree_checkpoint *made;
    scree_status status;

    if (!checkpoint)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: checkpoint is NULL");
    *checkpoint = NULL;
    if (!path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: path is NULL");
    status = begin(allocator, path, &made, error);
    if (status)
        return status;
    status = scree_file_read(path, scree_checkpoint_length, &made->memory, &made->file, error);
    return end(made, status, checkpoint, error);
}

scree_status scree_checkpoint_read_bytes(const void *bytes, size_t count,
                                         const scree_allocator *allocator,
                                         scree_checkpoint **checkpoint, scree_error *error)
{
    scree_checkpoint *made;
    scree_status status;

    if (!checkpoint)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: checkpoint is NULL");
    *checkpoint = NULL;
    if (!bytes && count > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: bytes is NULL");
    status = begin(allocator, "checkpoint", &made, error);
    if (status || !made)
        return status;
    if (scree_memory_reserve(&made->memory, &made->file.bytes, &made->file.capacity, count, 1))
        status =
            scree_fail(error, SCREE_OUT_OF_MEMORY, "checkpoint: no memory for %zu bytes", count);
    made->file.count = status ? 0 : count;
    if (made->file.count > 0)
        memcpy(made->file.bytes, bytes, count);
    return end(made, status, checkpoint, error);
}

void scree_checkpoint_destroy(scree_checkpoint *checkpoint)
{
    scree_memory memory;

    if (!checkpoint)
        return;
    scree_file_bytes_free(&checkpoint->file, &checkpoint->memory);
    memory.allocator = checkpoint->memory.allocator;
    atomic_init(&memory.bytes, sizeof *checkpoint);
    scree_memory_give(&memory, &checkpoint, 1, sizeof *checkpoint);
}

/* ---- queries ---- */

scree_checkpoint_info scree_checkpoint_describe(const scree_checkpoint *checkpoint)
{
    scree_checkpoint_info info = {0};
    const scree_checkpoint_about *about;
    const scree_physics *physics;

    if (!checkpoint)
        return info;
    about = checkpoint->about;
    physics = scree_snapshot_rows(&checkpoint->snapshot, "physics");
    info = (scree_checkpoint_info){
        .version = ((const scree_checkpoint_head *)(const void *)checkpoint->file.bytes)->version,
        .scree_version = (uint32_t)about->scree_version,
        .file_bytes = checkpoint->file.count,
        .digest = about->digest,
        .dimensions = physics->dimensions == 2 ? 2 : 3,
        .time = about->time,
        .steps = about->steps,
        .dt = about->dt,
        .bodies = about->bodies,
        .added = about->added,
        .removed = about->removed,
        .destroyed = about->destroyed,
        .mass = about->mass,
        .smallest = about->smallest,
        .largest = about->largest,
        .materials = checkpoint->definitions.material_count,
        .rules = checkpoint->definitions.rule_count,
        .meshes = checkpoint->definitions.mesh_count,
        .walls = checkpoint->definitions.wall_count,
        .contacts = about->contacts,
        .wall_contacts = about->wall_contacts,
        .section_count = checkpoint->section_count,
        .part_count = checkpoint->section_count - checkpoint->first_part,
    };
    memcpy(&info.energy, about->energy, sizeof info.energy);
    return info;
}

bool scree_checkpoint_section_at(const scree_checkpoint *checkpoint, size_t index,
                                 scree_checkpoint_section *section)
{
    const scree_checkpoint_row *row;

    if (!checkpoint || !section || index >= checkpoint->section_count)
        return false;
    row = &checkpoint->rows[index];
    *section = (scree_checkpoint_section){row->name,
                                          row->type,
                                          row->row_bytes,
                                          row->rows,
                                          row->offset,
                                          row->checksum,
                                          checkpoint->file.bytes + row->offset};
    return true;
}

bool scree_checkpoint_section_of(const scree_checkpoint *checkpoint, const char *name,
                                 scree_checkpoint_section *section)
{
    for (size_t k = 0; name && scree_checkpoint_section_at(checkpoint, k, section); k++)
        if (strcmp(section->name, name) == 0)
            return true;
    return false;
}

bool scree_checkpoint_part_at(const scree_checkpoint *checkpoint, size_t index,
                              scree_checkpoint_part *part)
{
    const scree_checkpoint_row *row;

    if (!checkpoint || !part || index >= checkpoint->section_count - checkpoint->first_part)
        return false;
    row = &checkpoint->rows[checkpoint->first_part + index];
    *part = (scree_checkpoint_part){row->name + sizeof SCREE_CHECKPOINT_HOST - 1,
                                    checkpoint->file.bytes + row->offset, (size_t)row->rows};
    return true;
}

bool scree_checkpoint_part_of(const scree_checkpoint *checkpoint, const char *name,
                              scree_checkpoint_part *part)
{
    for (size_t k = 0; name && scree_checkpoint_part_at(checkpoint, k, part); k++)
        if (strcmp(part->name, name) == 0)
            return true;
    return false;
}
