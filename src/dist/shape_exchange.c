/*  One shape after the other: rank 0 describes it, and sends its rows if a rank lacks it. Most often none does, since
    all have made the same scene. */
#include "dist/shape_exchange.h"

#include "world/save/pack_shape.h"

void scree_told_shapes_free(scree_told_shapes *told, scree_memory *memory)
{
    scree_memory_give(memory, &told->use, told->capacity, sizeof *told->use);
}

/*  What rank 0 says of a shape. Words of eight bytes; all are 0 on other ranks before a sum sends them. */
typedef struct shape_header
{
    scree_packed_mesh row;
    uint64_t use;
} shape_header;

/* ---- what is new ---- */

/*  0: it is no shape of bodies. */
static uint8_t use_of(const scree_shape_data *shape)
{
    return !shape->is_body ? 0 : 1 + (shape->is_block ? SCREE_MESH_AS_BLOCK : SCREE_MESH_AS_BODY);
}

/*  The first index from `from` on with a shape that ranks do not have yet. */
static size_t next_new(const scree_shape_table *whole, const scree_told_shapes *told, size_t from)
{
    while (from < whole->count && use_of(&whole->mesh[from]) <= told->use[from])
        from++;
    return from;
}

static scree_status count_new(const scree_shape_table *whole, scree_told_shapes *told,
                              scree_memory *memory, uint64_t *count)
{
    const size_t before = told->capacity;

    if (scree_memory_reserve(memory, &told->use, &told->capacity, whole->count, sizeof *told->use))
        return SCREE_OUT_OF_MEMORY;
    if (told->capacity > before)
        memset(told->use + before, 0, told->capacity - before);
    for (size_t k = next_new(whole, told, 0); k < whole->count; k = next_new(whole, told, k + 1))
        ++*count;
    return SCREE_OK;
}

/* ---- the rows of one shape ---- */

typedef struct shape_block
{
    uint64_t *words;
    size_t count;
    scree_shape_rows rows;
} shape_block;

static scree_status take_block(const scree_packed_mesh *row, scree_memory *memory,
                               shape_block *block)
{
    const size_t numbers = 3 * (size_t)row->vertex_count, facets = row->facet_count;
    const size_t corners = scree_packed_has_facets(row->corners) ? facets * row->corners : 0;

    block->count = numbers + (corners + facets + 1) / 2;
    if (scree_memory_take(memory, block->count, sizeof *block->words, &block->words))
        return SCREE_OUT_OF_MEMORY;
    memset(block->words, 0, block->count * sizeof *block->words);
    block->rows.vertex = (double(*)[3])(void *)block->words;
    block->rows.corner = (uint32_t *)(void *)(block->words + numbers);
    block->rows.source = block->rows.corner + corners;
    return SCREE_OK;
}

/*  Adds the shape that the rows describe. */
static scree_status take_rows(const shape_header *header, const shape_block *block,
                              scree_memory *memory, int dimensions, scree_shape_table *part)
{
    scree_mesh_or_clump made;
    scree_error why = {SCREE_OK, ""};
    scree_status status =
        scree_shape_unpack(&header->row, &block->rows, 1, dimensions, memory, &made, &why);

    if (!status && made.mesh)
        status = scree_shape_table_take(part, made.mesh, (scree_mesh_use)(header->use - 1), &why);
    if (!status && made.clump)
        status = scree_shape_table_take_clump(part, made.clump);
    scree_mesh_destroy(made.mesh);
    scree_clump_destroy(made.clump);
    return status;
}

/*  For ranks that lack the shape. */
static scree_status send_rows(const scree_comm *comm, scree_memory *memory,
                              const scree_shape_data *shape, const shape_header *header,
                              bool lacks_it, int dimensions, scree_shape_table *part)
{
    shape_block block = {0};
    scree_status status = scree_comm_agree(comm, take_block(&header->row, memory, &block));

    if (!status && shape && shape->mesh)
        scree_mesh_write_rows(shape->mesh, &block.rows);
    else if (!status && shape)
        scree_clump_write_rows(shape->clump, &block.rows);
    if (!status)
        status = scree_comm_tell_all(comm, block.words, block.count * sizeof *block.words);
    if (!status)
        status = scree_comm_agree(
            comm, lacks_it ? take_rows(header, &block, memory, dimensions, part) : SCREE_OK);
    scree_memory_give(memory, &block.words, block.count, sizeof *block.words);
    return status;
}

/* ---- one shape ---- */

/*  A mesh or clump that is in the process already, in the part's table. */
static scree_status take_known(const scree_shape_data *shape, uint64_t use, scree_shape_table *part)
{
    return shape->mesh ? scree_shape_table_take(part, shape->mesh, (scree_mesh_use)(use - 1), NULL)
                       : scree_shape_table_take_clump(part, shape->clump);
}

/*  `shape`: on rank 0. */
static scree_status share_one(const scree_comm *comm, scree_memory *memory,
                              const scree_shape_data *shape, int dimensions,
                              scree_shape_table *part)
{
    shape_header header;

    memset(&header, 0, sizeof header);
    if (shape) {
        header.row = shape->mesh ? scree_mesh_pack(shape->mesh) : scree_clump_pack(shape->clump);
        header.use = use_of(shape);
    }
    scree_status status = scree_comm_tell_all(comm, &header, sizeof header);
    if (status)
        return status;
    const scree_shape_data *known =
        shape ? shape : scree_shape_table_find_digest(part, header.row.digest);
    uint64_t words[2] = {known ? (uint64_t)take_known(known, header.use, part) : 0, !known};
    status = comm->reduce(comm->user, SCREE_REDUCE_MAX, words, 2);
    if (!status)
        status = (scree_status)words[0];
    if (!status && words[1])
        status = send_rows(comm, memory, shape, &header, !known, dimensions, part);
    return status;
}

scree_status scree_share_shapes(const scree_comm *comm, scree_memory *memory,
                                const scree_shape_table *whole, scree_told_shapes *told,
                                int dimensions, scree_shape_table *part)
{
    uint64_t count = 0;
    size_t at = 0;
    scree_status status =
        scree_comm_agree(comm, whole ? count_new(whole, told, memory, &count) : SCREE_OK);

    if (!status)
        status = scree_comm_tell_all(comm, &count, sizeof count);
    for (; count > 0 && !status; count--, at++) {
        at = whole ? next_new(whole, told, at) : 0;
        const scree_shape_data *shape = whole ? &whole->mesh[at] : NULL;
        status = share_one(comm, memory, shape, dimensions, part);
        if (!status && shape)
            told->use[at] = use_of(shape);
    }
    return status;
}
