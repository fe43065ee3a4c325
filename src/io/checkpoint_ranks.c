/*  Rank 0 makes all sections but those of bodies and contacts, and knows where each begins. Of these every rank has a range of
    rows. Checksums go through a section from its first row to its last, so the state of each is passed from rank to rank; while one
    adds its rows to a section, the next one does to the section before it. All have flushed what they wrote before rank 0 gives the
    file its name. */
#include "io/checkpoint_ranks.h"

#include "base/error.h"
#include "dist/rank_team.h"
#include "dist/snapshot_rows.h"
#include "io/checkpoint_writer.h"
#include "io/checksum.h"
#include "io/write_file.h"
#include "io/write_range.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*  A section of which each rank writes rows. */
typedef struct shared_section
{
    char name[24];
    uint64_t kind, row_bytes, offset; /* offset in the file */
    uint64_t place;                   /* index in the table of the file */
} shared_section;

/*  What rank 0 tells the others. Words only. */
typedef struct plan
{
    scree_snapshot_head head;
    scree_snapshot_tail tail;
    uint64_t section_count, path_bytes;
    shared_section section[SCREE_SNAPSHOT_SECTIONS];
} plan;

/*  Only on rank 0. */
typedef struct host_side
{
    scree_world *world;
    scree_checkpoint_writer writer;
    scree_snapshot *common; /* rows that belong to no body and no contact */
    scree_body_id *ids;     /* of all bodies in the order of rows */
    scree_packed_name *names;
    const uint64_t *mesh; /* digests of meshes of bodies */
    size_t id_count, name_count;
    scree_file file;
    bool has_file;
} host_side;

typedef struct job
{
    scree_rank_team *ranks;
    const scree_comm *comm;
    scree_memory *memory;
    host_side *host; /* NULL on other ranks */
    plan plan;
    uint64_t *mesh; /* digests of meshes */
    char *path;     /* of the temporary file */
    size_t mesh_count, path_capacity;
    scree_snapshot_rows_part rows;
    uint64_t checksum[SCREE_SNAPSHOT_SECTIONS];
    bool has_left; /* ranks cannot be reached */
} job;

/* ---- what rank 0 makes ---- */

static const void *rows_of_host(const scree_snapshot_section *section, void *user)
{
    const host_side *host = user;

    if (scree_row_kind_of(section->name) != SCREE_ROWS_OF_HOST)
        return NULL;
    if (strcmp(section->name, "body.id") == 0)
        return host->ids;
    if (strcmp(section->name, "names") == 0)
        return host->names;
    if (strcmp(section->name, "solid.mesh") == 0)
        return host->mesh;
    return scree_snapshot_rows(host->common, section->name);
}

/*  Handles of bodies, which only the host's world has. */
static scree_status make_names(host_side *host)
{
    const scree_body_arrays *bodies = &host->world->bodies;
    scree_memory *memory = &host->writer.memory;

    if (scree_memory_take(memory, bodies->count, sizeof *host->ids, &host->ids))
        return SCREE_OUT_OF_MEMORY;
    host->id_count = bodies->count;
    if (scree_memory_take(memory, bodies->name_count, sizeof *host->names, &host->names))
        return SCREE_OUT_OF_MEMORY;
    host->name_count = bodies->name_count;
    for (uint32_t row = 0; row < bodies->count; row++)
        host->ids[row] = bodies->id[host->world->order.slot[row]][0];
    scree_snapshot_write_names(bodies, host->names);
    return SCREE_OK;
}

static void set_sizes(host_side *host)
{
    const scree_body_arrays *bodies = &host->world->bodies;

    for (uint32_t row = 0; row < bodies->count; row++) {
        const uint32_t slot = host->world->order.slot[row];
        scree_checkpoint_add_size(&host->writer.about, row == 0, bodies->inertia[slot][3],
                                  bodies->position[slot][3]);
    }
}

/*  Equal meshes have one number. */
static scree_status list_meshes(job *j, const scree_shape_table *meshes)
{
    j->mesh_count = (size_t)j->plan.tail.meshes;
    if (scree_memory_take(j->memory, j->mesh_count, sizeof *j->mesh, &j->mesh)) {
        j->mesh_count = 0;
        return SCREE_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < meshes->count; k++)
        if (meshes->mesh[k].number)
            j->mesh[meshes->mesh[k].number - 1] = meshes->mesh[k].digest;
    return SCREE_OK;
}

static void list_shared_sections(job *j)
{
    const scree_checkpoint_row *row = scree_checkpoint_writer_rows(&j->host->writer);
    const size_t prefix = strlen(SCREE_CHECKPOINT_STATE);
    const size_t end = SCREE_CHECKPOINT_FIRST_STATE + (size_t)j->plan.head.section_count;

    for (size_t k = SCREE_CHECKPOINT_FIRST_STATE; k < end; k++) {
        const char *name = row[k].name + prefix;
        const scree_row_kind kind = scree_row_kind_of(name);
        if (kind == SCREE_ROWS_OF_HOST || row[k].rows == 0)
            continue;
        shared_section *section = &j->plan.section[j->plan.section_count++];
        snprintf(section->name, sizeof section->name, "%s", name);
        section->kind = (uint64_t)kind;
        section->row_bytes = row[k].row_bytes;
        section->offset = row[k].offset;
        section->place = k;
    }
}

static scree_status make_host_side(job *j)
{
    host_side *host = j->host;
    scree_checkpoint_writer *w = &host->writer;

    /* first, as it numbers the meshes of no bodies */
    if (scree_world_snapshot_surroundings(host->world, &host->common) ||
        scree_world_snapshot_table(host->world, &w->table) || make_names(host) ||
        scree_checkpoint_writer_define(w, host->world))
        return SCREE_OUT_OF_MEMORY;
    j->plan.head = *scree_snapshot_head_of(w->table);
    j->plan.tail = scree_snapshot_tail_of(scree_snapshot_head_of(w->table));
    return list_meshes(j, &host->world->shape_finder.meshes);
}

static scree_status lay_out(job *j)
{
    host_side *host = j->host;
    scree_checkpoint_writer *w = &host->writer;
    scree_status status = make_host_side(j);

    if (status)
        return status;
    host->mesh = j->mesh;
    *(scree_snapshot_tally *)scree_snapshot_rows(host->common, "tally") =
        scree_snapshot_tally_of(&host->world->bodies);
    scree_checkpoint_writer_describe(w, host->world);
    set_sizes(host);
    status = scree_checkpoint_writer_lay_out(w, rows_of_host, host);
    if (!status)
        list_shared_sections(j);
    return status;
}

/* ---- agreement ---- */

/*  Whether all go on. A status of `comm` means that no rank may wait for another any more. */
static scree_status agree(job *j, scree_status own)
{
    uint64_t word = (uint64_t)own;
    const scree_status reached = j->comm->reduce(j->comm->user, SCREE_REDUCE_MAX, &word, 1);

    j->has_left |= reached != SCREE_OK;
    return reached ? reached : (scree_status)word;
}

/*  After a function in which all ranks have met: it fails alike on all, or they cannot be reached. */
static scree_status met(job *j, scree_status status)
{
    j->has_left |= status == SCREE_IO_ERROR;
    return status;
}

/*  The failure of a file on any rank: that of the last rank that has one is told. */
static scree_status agree_on_file(job *j, const scree_range_file *file, const char *action)
{
    uint64_t word =
        file->reason ? (uint64_t)j->comm->rank + 1 + ((uint64_t)(uint32_t)file->reason << 32) : 0;
    uint64_t most = word ? (uint64_t)j->comm->rank + 1 : 0;
    scree_status status = j->comm->reduce(j->comm->user, SCREE_REDUCE_MAX, &most, 1);

    if (most != (uint64_t)j->comm->rank + 1)
        word = 0;
    if (!status)
        status = j->comm->reduce(j->comm->user, SCREE_REDUCE_SUM, &word, 1);
    if (status || !word)
        return met(j, status);
    if (j->host)
        scree_fail(j->host->writer.error, SCREE_IO_ERROR,
                   "%.120s: rank %u cannot %s it: %s (the folder must be on a disk that the "
                   "machines of all ranks see)",
                   j->host->writer.path, (unsigned)(most - 1), action, strerror((int)(word >> 32)));
    return SCREE_IO_ERROR;
}

/* ---- what all must know ---- */

static scree_status begin_file(job *j)
{
    host_side *host = j->host;
    scree_checkpoint_writer *w = &host->writer;

    if (scree_file_begin(&host->file, w->path, &w->memory.allocator, w->error))
        return host->file.status;
    host->has_file = true;
    if (!host->file.temporary)
        return scree_fail(w->error, SCREE_BAD_ARGUMENT,
                          "%.150s: it is no regular file, which several ranks could write",
                          w->path);
    j->plan.path_bytes = strlen(host->file.temporary) + 1;
    return SCREE_OK;
}

static scree_status reserve_shared(job *j)
{
    const size_t bytes = (size_t)scree_checkpoint_align(j->plan.path_bytes);

    if (!j->host) {
        j->mesh_count = (size_t)j->plan.tail.meshes;
        if (scree_memory_take(j->memory, j->mesh_count, sizeof *j->mesh, &j->mesh))
            return SCREE_OUT_OF_MEMORY;
        for (size_t k = 0; k < j->mesh_count; k++)
            j->mesh[k] = 0;
    }
    if (scree_memory_take(j->memory, bytes, 1, &j->path))
        return SCREE_OUT_OF_MEMORY;
    j->path_capacity = bytes;
    memset(j->path, 0, bytes);
    if (j->host)
        memcpy(j->path, j->host->file.temporary, (size_t)j->plan.path_bytes);
    return SCREE_OK;
}

static scree_status tell_plan(job *j)
{
    scree_status status = met(j, scree_comm_tell_all(j->comm, &j->plan, sizeof j->plan));

    if (!status)
        status = agree(j, reserve_shared(j));
    if (!status)
        status = met(j, scree_comm_tell_all(j->comm, j->path, j->path_capacity));
    if (!status && j->mesh_count)
        status = met(j, scree_comm_tell_all(j->comm, j->mesh, j->mesh_count * sizeof *j->mesh));
    return status;
}

/* ---- rows ---- */

static const void *rows_here(const job *j, const shared_section *section, size_t *bytes)
{
    *bytes = (size_t)(j->rows.count[section->kind] * section->row_bytes);
    return scree_snapshot_rows(j->rows.rows, section->name);
}

static void put_rows(const job *j, scree_range_file *file)
{
    for (uint64_t k = 0; k < j->plan.section_count; k++) {
        const shared_section *section = &j->plan.section[k];
        size_t bytes;
        const void *rows = rows_here(j, section, &bytes);
        scree_range_put(file, rows, bytes,
                        section->offset + j->rows.before[section->kind] * section->row_bytes);
    }
}

/*  At each turn a rank adds its rows to the section that the rank before it has just had. */
static scree_status find_checksums(job *j)
{
    const scree_comm *comm = j->comm;
    const uint64_t sections = j->plan.section_count, rank = comm->rank;
    scree_checksum_state state = {{0}, {0}, 0}, next = state;
    scree_status status = SCREE_OK;

    for (uint64_t turn = 0; turn + 1 < sections + comm->size && !status; turn++) {
        const bool has_one = turn >= rank && turn - rank < sections;
        const bool gets_one = rank > 0 && turn + 1 >= rank && turn + 1 - rank < sections;
        if (has_one) {
            size_t bytes;
            const void *rows = rows_here(j, &j->plan.section[turn - rank], &bytes);
            if (rank == 0)
                state = scree_checksum_begin();
            scree_checksum_add(&state, rows, bytes);
            if (rank + 1 == comm->size)
                j->checksum[turn - rank] = scree_checksum_end(&state);
        }
        const scree_rank_message out = {comm->rank + 1, sizeof state, &state},
                                 in = {comm->rank - 1, sizeof next, &next};
        status = comm->exchange(comm->user, &out, has_one && rank + 1 < comm->size, &in, gets_one);
        state = next;
    }
    if (!status)
        status = comm->reduce(comm->user, SCREE_REDUCE_SUM, j->checksum, sections);
    return met(j, status);
}

/* ---- the file ---- */

static void put_host_side(const job *j, scree_range_file *file)
{
    scree_checkpoint_writer *w = &j->host->writer;
    scree_checkpoint_row *row = scree_checkpoint_writer_rows(w);

    for (uint64_t k = 0; k < j->plan.section_count; k++)
        row[j->plan.section[k].place].checksum = j->checksum[k];
    scree_checkpoint_writer_seal(w);
    scree_range_set_length(file, scree_checkpoint_align(w->end));
    scree_range_put(file, w->head, w->head_bytes, 0);
    for (size_t k = 0; k < w->count; k++)
        if (w->data[k].rows)
            scree_range_put(file, w->data[k].rows, (size_t)w->data[k].bytes, row[k].offset);
}

static scree_status put_all(job *j)
{
    scree_range_file file = scree_range_open(j->path);
    scree_status status = agree_on_file(j, &file, "open");

    if (!status)
        status = find_checksums(j);
    if (!status) {
        put_rows(j, &file);
        if (j->host)
            put_host_side(j, &file);
    }
    scree_range_close(&file);
    return status ? status : agree_on_file(j, &file, "write");
}

/*  What ranks own must be what the host has. */
static scree_status compare_counts(const job *j)
{
    const uint64_t *total = j->rows.total;

    return total[SCREE_ROWS_OF_BODIES] == j->plan.head.bodies &&
                   total[SCREE_ROWS_OF_PAIRS] == j->plan.head.pairs &&
                   total[SCREE_ROWS_OF_WALL_CONTACTS] == j->plan.head.wall_contacts &&
                   total[SCREE_ROWS_OF_SHAPE_CONTACTS] == j->plan.tail.contacts
               ? SCREE_OK
               : SCREE_BAD_VALUE;
}

/* ---- all ---- */

static scree_status prepare(job *j)
{
    scree_status status = j->host ? lay_out(j) : SCREE_OK;

    if (!status && j->host)
        status = begin_file(j);
    return status;
}

static scree_status write_together(job *j)
{
    const scree_snapshot_frame *frame;
    scree_status status = agree(j, prepare(j));

    if (!status)
        status = tell_plan(j);
    if (status)
        return status;
    frame = &(scree_snapshot_frame){j->plan.head, j->plan.tail, j->mesh};
    status = met(j, scree_snapshot_rows_make(&j->rows, j->memory, j->comm, j->ranks->part,
                                             j->ranks->distribution.owned, frame));
    if (!status)
        status = compare_counts(j);
    if (!status)
        status = put_all(j);
    scree_snapshot_rows_free(&j->rows);
    /* a name for what all have written */
    if (!status)
        status = agree(j, j->host ? scree_file_commit(&j->host->file) : SCREE_OK);
    return status;
}

static void free_host_side(host_side *host)
{
    scree_memory *memory = &host->writer.memory;

    if (host->has_file)
        scree_file_abandon(&host->file);
    scree_snapshot_destroy(host->common);
    scree_memory_give(memory, &host->ids, host->id_count, sizeof *host->ids);
    scree_memory_give(memory, &host->names, host->name_count, sizeof *host->names);
}

static scree_status do_job(scree_rank_team *ranks, void *data, bool *has_left)
{
    job j = {.ranks = ranks, .comm = &ranks->comm, .memory = &ranks->memory, .host = data};
    const scree_status status = write_together(&j);

    if (j.host)
        free_host_side(j.host);
    scree_memory_give(j.memory, &j.mesh, j.mesh_count, sizeof *j.mesh);
    scree_memory_give(j.memory, &j.path, j.path_capacity, 1);
    *has_left = j.has_left;
    return status;
}

void scree_ranks_checkpoint_prepare(scree_rank_team *ranks)
{
    scree_ranks_set_work(ranks, do_job);
}

scree_status scree_ranks_checkpoint_write(scree_rank_team *ranks, scree_world *world,
                                          const char *path, const scree_checkpoint_part *parts,
                                          size_t part_count, scree_error *error)
{
    host_side host = {.world = world};
    scree_error why = {SCREE_OK, ""};
    scree_status status =
        scree_checkpoint_writer_begin(&host.writer, world, path, parts, part_count, &why);

    if (!status) {
        status = scree_ranks_work(ranks, &host);
        scree_checkpoint_writer_free(&host.writer);
    }
    if (status && !why.text[0])
        return scree_fail(error, status, "%.150s: ranks: %s", path, scree_status_name(status));
    return status ? scree_fail(error, status, "%s", why.text) : SCREE_OK;
}
