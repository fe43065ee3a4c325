/*  Writes checkpoints: all rows are built in memory, where their checksums are computed, and then written unchanged. */
#include "io/checkpoint_writer.h"

#include "base/error.h"
#include "io/checksum.h"
#include "io/write_file.h"

#include <stdio.h>

static scree_status fail_writing(const scree_checkpoint_writer *w, scree_status status,
                                 const char *text)
{
    return scree_fail(w->error, status, "%.150s: %s", w->path, text);
}

/* ---- parts ---- */

static scree_status check_parts(const scree_checkpoint_writer *w,
                                const scree_checkpoint_part *parts, size_t count)
{
    if (count > 0 && !parts)
        return fail_writing(w, SCREE_BAD_ARGUMENT, "parts is NULL");
    if (count > SCREE_CHECKPOINT_MAX_PARTS)
        return scree_fail(w->error, SCREE_BAD_ARGUMENT, "%.150s: %zu parts, must be at most %d",
                          w->path, count, SCREE_CHECKPOINT_MAX_PARTS);
    for (size_t k = 0; k < count; k++) {
        const char *name = parts[k].name;
        if (!name || !scree_checkpoint_name_fits(name))
            return scree_fail(w->error, SCREE_BAD_ARGUMENT,
                              "%.100s: part %zu has the name \"%.40s\", must be 1 to 26 of a-z 0-9 "
                              ". _ -",
                              w->path, k + 1, name ? name : "NULL");
        if (!parts[k].data && parts[k].bytes > 0)
            return scree_fail(w->error, SCREE_BAD_ARGUMENT,
                              "%.100s: part \"%s\" has no data, but %zu bytes", w->path, name,
                              parts[k].bytes);
        for (size_t before = 0; before < k; before++)
            if (strcmp(parts[before].name, name) == 0)
                return scree_fail(w->error, SCREE_BAD_ARGUMENT,
                                  "%.100s: there are two parts \"%s\"", w->path, name);
    }
    return SCREE_OK;
}

/* ---- the section "about" ---- */

void scree_checkpoint_set_sizes(scree_checkpoint_about *about, const scree_snapshot *snapshot)
{
    const double(*position)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "body.position");
    const double(*inertia)[4] = (const double(*)[4])scree_snapshot_rows(snapshot, "body.inertia");

    about->mass = about->smallest = about->largest = 0;
    for (uint64_t row = 0; row < about->bodies; row++)
        scree_checkpoint_add_size(about, row == 0, inertia[row][3], position[row][3]);
}

void scree_checkpoint_writer_describe(scree_checkpoint_writer *w, scree_world *world)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(w->table);
    const scree_snapshot_tally tally = scree_snapshot_tally_of(&world->bodies);
    const scree_course *course = &world->clock;
    scree_energy energy = scree_world_energy(world);

    w->about = (scree_checkpoint_about){
        .scree_version = SCREE_VERSION_NUMBER,
        .digest = scree_world_digest(world),
        .steps = course->steps,
        .time = course->time,
        .dt = course->dt,
        .bodies = head->bodies,
        .added = tally.added,
        .removed = tally.removed,
        .destroyed = tally.destroyed,
        .contacts = head->pairs,
        .wall_contacts = head->wall_contacts,
        .free_wall_name = w->definitions.free_wall_name,
    };
    _Static_assert(sizeof energy == sizeof w->about.energy, "all energies are written");
    memcpy(w->about.energy, &energy, sizeof energy);
}

/* ---- rows of definitions ---- */

scree_status scree_checkpoint_writer_define(scree_checkpoint_writer *w, const scree_world *world)
{
    scree_definitions_count(&world->rules, &world->walls, &world->shape_finder.meshes,
                            &w->definitions);
    /* so that an empty world also has a block */
    w->block_bytes = scree_definitions_bytes(&w->definitions) + 8;
    if (scree_memory_take(&w->memory, w->block_bytes, 1, &w->block))
        return SCREE_OUT_OF_MEMORY;
    memset(w->block, 0, w->block_bytes);
    scree_definitions_place(&w->definitions, w->block);
    scree_definitions_write(&world->rules, &world->walls, &world->shape_finder.meshes,
                            &w->definitions);
    return SCREE_OK;
}

/* ---- the table ---- */

static void add_section(scree_checkpoint_writer *w, const char *prefix, const char *name,
                        const char *type, uint64_t row_bytes, uint64_t rows, const void *data)
{
    scree_checkpoint_row *row = scree_checkpoint_writer_rows(w) + w->count;

    /* both fit: names of sections have at most 23 bytes, those of parts 26 */
    snprintf(row->name, sizeof row->name, "%s%s", prefix, name);
    snprintf(row->type, sizeof row->type, "%s", type);
    row->row_bytes = row_bytes;
    row->rows = rows;
    row->offset = scree_checkpoint_align(w->end);
    row->checksum = data || !rows ? scree_checksum(data, (size_t)(row_bytes * rows)) : 0;
    w->data[w->count++] = (scree_section_data){data, row_bytes * rows};
    w->end = row->offset + row_bytes * rows;
}

static void add_state(scree_checkpoint_writer *w, scree_section_rows_fn *rows_of, void *user)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(w->table);
    const scree_snapshot_section *section = (const void *)(head + 1);

    add_section(w, "", "state", "mixed", sizeof *head, 1, head);
    add_section(w, SCREE_CHECKPOINT_STATE, "sections", "mixed", sizeof *section,
                head->section_count, section);
    for (uint64_t k = 0; k < head->section_count; k++, section++)
        add_section(w, SCREE_CHECKPOINT_STATE, section->name, scree_snapshot_type_of(section->name),
                    section->row_bytes, section->rows, rows_of(section, user));
}

#define X_ADD_SECTION(name, type, rows, count)                                                     \
    add_section(w, "", name, type, sizeof *w->definitions.rows, w->definitions.count,              \
                w->definitions.rows);

void scree_checkpoint_writer_seal(scree_checkpoint_writer *w)
{
    scree_checkpoint_head head = {.endian = SCREE_CHECKPOINT_ENDIAN,
                                  .version = SCREE_CHECKPOINT_VERSION,
                                  .bytes = scree_checkpoint_align(w->end),
                                  .section_count = w->section_count};
    uint64_t checksum;

    memcpy(head.magic, SCREE_CHECKPOINT_MAGIC, sizeof head.magic);
    memcpy(w->head, &head, sizeof head);
    checksum = scree_checksum(w->head, w->head_bytes - sizeof checksum);
    memcpy(w->head + w->head_bytes - sizeof checksum, &checksum, sizeof checksum);
}

scree_status scree_checkpoint_writer_lay_out(scree_checkpoint_writer *w,
                                             scree_section_rows_fn *rows_of, void *user)
{
    w->section_count = SCREE_CHECKPOINT_FIRST_STATE +
                       (size_t)scree_snapshot_head_of(w->table)->section_count + w->part_count;
    w->head_bytes = (size_t)scree_checkpoint_table_bytes(w->section_count);
    w->end = w->head_bytes;
    if (scree_memory_take(&w->memory, w->head_bytes, 1, &w->head) ||
        scree_memory_take(&w->memory, w->section_count, sizeof *w->data, &w->data))
        return SCREE_OUT_OF_MEMORY;
    memset(w->head, 0, w->head_bytes);
    add_section(w, "", "about", "mixed", sizeof w->about, 1, &w->about);
    SCREE_DEFINITION_ARRAYS(X_ADD_SECTION)
    add_state(w, rows_of, user);
    for (size_t k = 0; k < w->part_count; k++)
        add_section(w, SCREE_CHECKPOINT_HOST, w->parts[k].name, "bytes", 1, w->parts[k].bytes,
                    w->parts[k].data);
    return SCREE_OK;
}

/* ---- all ---- */

static scree_status put_all(const scree_checkpoint_writer *w)
{
    static const unsigned char zeros[8] = {0};
    scree_file file;

    if (scree_file_begin(&file, w->path, &w->memory.allocator, w->error))
        return file.status;
    scree_file_put(&file, w->head, w->head_bytes);
    for (size_t k = 0; k < w->count; k++) {
        scree_file_put(&file, w->data[k].rows, (size_t)w->data[k].bytes);
        scree_file_put(&file, zeros, (size_t)(scree_checkpoint_align(file.bytes) - file.bytes));
    }
    return scree_file_commit(&file);
}

scree_status scree_checkpoint_writer_begin(scree_checkpoint_writer *w, const scree_world *world,
                                           const char *path, const scree_checkpoint_part *parts,
                                           size_t part_count, scree_error *error)
{
    *w = (scree_checkpoint_writer){
        .path = path, .parts = parts, .part_count = part_count, .error = error};
    if (!world || !path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: there is no %s",
                          world ? "path" : "world");
    scree_memory_init(&w->memory, &world->memory.allocator);
    if (SCREE_NEVER(!scree_checkpoint_machine_fits()))
        return fail_writing(w, SCREE_BAD_ARGUMENT,
                            "checkpoints can be written on little-endian machines only");
    return check_parts(w, parts, part_count);
}

void scree_checkpoint_writer_free(scree_checkpoint_writer *w)
{
    scree_snapshot_destroy(w->table);
    scree_memory_give(&w->memory, &w->data, w->section_count, sizeof *w->data);
    scree_memory_give(&w->memory, &w->head, w->head_bytes, 1);
    scree_memory_give(&w->memory, &w->block, w->block_bytes, 1);
}

static const void *rows_of_snapshot(const scree_snapshot_section *section, void *user)
{
    const scree_snapshot *snapshot = user;

    return snapshot->data + section->offset;
}

static scree_status collect(scree_checkpoint_writer *w, scree_world *world)
{
    if (scree_world_snapshot(world, &w->table) || scree_checkpoint_writer_define(w, world))
        return fail_writing(w, SCREE_OUT_OF_MEMORY, "out of memory");
    scree_checkpoint_writer_describe(w, world);
    scree_checkpoint_set_sizes(&w->about, w->table);
    if (scree_checkpoint_writer_lay_out(w, rows_of_snapshot, w->table))
        return fail_writing(w, SCREE_OUT_OF_MEMORY, "out of memory");
    scree_checkpoint_writer_seal(w);
    return SCREE_OK;
}

scree_status scree_checkpoint_write(scree_world *world, const char *path,
                                    const scree_checkpoint_part *parts, size_t part_count,
                                    scree_error *error)
{
    scree_checkpoint_writer w;
    scree_status status = scree_checkpoint_writer_begin(&w, world, path, parts, part_count, error);

    if (status)
        return status;
    status = collect(&w, world);
    if (!status)
        status = put_all(&w);
    scree_checkpoint_writer_free(&w);
    return status;
}
