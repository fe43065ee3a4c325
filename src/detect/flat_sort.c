/*  Bodies into the order of levels, rows and cells, in two passes of counting. The first puts whole
    records into their rows: there are few enough rows that the line each is written to next stays in
    the cache. The second puts each row, which then is in the cache, in the order of its cells, into
    columns. One pass over all cells would miss the cache for every body and column. */
#include "detect/flat.h"

#include <string.h>

/*  Bodies that are counted together: few enough blocks that counts stay small beside the bodies. */
#define COUNT_BLOCK 16384u
/*  Rows that are put in order together. */
#define ROW_BLOCK 64u

typedef struct sort_job
{
    scree_flat *self;
    const scree_bodies *bodies;
    uint32_t *key; /* row of each active body; where the first column will be */
    uint32_t row_count;
    size_t block_size;
    _Atomic uint64_t crowd; /* a sum, which does not depend on the order of its terms */
} sort_job;

static inline void read_record(const scree_flat *self, const scree_bodies *bodies, uint32_t id,
                               uint32_t columns, float *record)
{
    if (columns < 6) {
        const double *sphere = bodies->sphere[id];
        for (int k = 0; k < 3 && k < (int)columns; k++)
            record[k] = scree_flat_near(self, k, sphere[k]);
        if (columns == 4)
            record[3] = (float)(sphere[3] * self->scale);
    } else {
        const scree_box *box = &bodies->box[id];
        for (int k = 0; k < 3; k++) {
            record[k] = scree_flat_near(self, k, box->lower[k]);
            record[3 + k] = scree_flat_near(self, k, box->upper[k]);
        }
    }
}

static inline const double *place_of(const scree_bodies *bodies, uint32_t id, uint32_t columns)
{
    return columns < 6 ? bodies->sphere[id] : bodies->box[id].lower;
}

/*  The row of a body on the one level there is. */
static inline uint32_t row_of_near(const scree_flat *self, const scree_flat_level *level,
                                   const double *at)
{
    uint32_t y = scree_flat_cell(level, 1, scree_flat_near(self, 1, at[1]));
    uint32_t z = scree_flat_cell(level, 2, scree_flat_near(self, 2, at[2]));
    return scree_flat_row(level, y, z, self->dimensions);
}

static inline uint32_t row_of(const scree_flat *self, const scree_bodies *bodies, uint32_t id,
                              uint32_t columns)
{
    uint32_t sort = columns < 6 ? scree_flat_sort_of_sphere(&self->sorts, bodies->sphere[id])
                                : scree_flat_sort_of_box(&self->sorts, &bodies->box[id]);
    const scree_flat_level *level = &self->level[sort];
    const double *at = place_of(bodies, id, columns);
    if (!level->is_far)
        return level->first_row + row_of_near(self, level, at);
    uint32_t y = scree_flat_cell(level, 1, scree_flat_to_frame(self, 1, at[1]));
    uint32_t z = scree_flat_cell(level, 2, scree_flat_to_frame(self, 2, at[2]));
    return level->first_row + scree_flat_row(level, y, z, self->dimensions);
}

static inline void count_rows_of(const sort_job *job, size_t block, uint32_t columns)
{
    const scree_bodies *bodies = job->bodies;
    const scree_flat *self = job->self;
    const scree_flat_level *level = self->level;
    uint32_t *counts = self->histogram + block * job->row_count, *key = job->key;
    size_t end = scree_block_end(block, job->block_size, self->count);
    size_t a = block * job->block_size;

    memset(counts, 0, job->row_count * sizeof *counts);
    if (self->level_count == 1) {
        for (; a < end; a++) {
            key[a] = row_of_near(self, level, place_of(bodies, bodies->active[a], columns));
            counts[key[a]]++;
        }
        return;
    }
    for (; a < end; a++) {
        key[a] = row_of(self, bodies, bodies->active[a], columns);
        counts[key[a]]++;
    }
}

static void count_rows(void *data, size_t block, uint32_t worker)
{
    const sort_job *job = data;
    (void)worker;
    if (job->self->columns < 6)
        count_rows_of(job, block, 4);
    else
        count_rows_of(job, block, 6);
}

/*  Counts become places: by row, then by block, so that a row keeps the order of the bodies. */
static void places_of_counts(const sort_job *job, size_t blocks)
{
    uint32_t *counts = job->self->histogram, place = 0;
    for (uint32_t row = 0; row < job->row_count; row++) {
        for (size_t b = 0; b < blocks; b++) {
            uint32_t count = counts[b * job->row_count + row];
            counts[b * job->row_count + row] = place;
            place += count;
        }
    }
}

/*  A far body is not where its floats are: with a NaN among them every test of it is in doubt. */
static void hide(const scree_flat *self, const scree_bodies *bodies, uint32_t id, float *record)
{
    const double *lower = bodies->sphere ? bodies->sphere[id] : bodies->box[id].lower;
    int axis = self->dimensions - 1;
    for (int k = 0; k < self->dimensions; k++) {
        record[k] = scree_flat_to_frame(self, k, lower[k]);
        if (!bodies->sphere)
            record[3 + k] = scree_flat_to_frame(self, k, bodies->box[id].upper[k]);
    }
    record[axis] = NAN;
    if (bodies->sphere)
        record[3] = fminf(record[3], 4 * SCREE_FLAT_FARTHEST);
    else
        record[3 + axis] = NAN;
}

static inline void move_to_rows_of(const sort_job *job, size_t block, uint32_t columns)
{
    const scree_flat *self = job->self;
    uint32_t *places = self->histogram + block * job->row_count;
    size_t end = scree_block_end(block, job->block_size, self->count);
    uint32_t far = self->sorts.has_far ? self->level[self->level_count - 1].first_row : UINT32_MAX;

    for (size_t a = block * job->block_size; a < end; a++) {
        uint32_t id = job->bodies->active[a];
        float *to = self->record + (size_t)places[job->key[a]]++ * (columns + 1);
        float record[SCREE_FLAT_COLUMNS];
        read_record(self, job->bodies, id, columns, record);
        if (job->key[a] >= far)
            hide(self, job->bodies, id, record);
        memcpy(to, record, columns * sizeof *to);
        memcpy(to + columns, &id, sizeof id);
    }
}

static void move_to_rows(void *data, size_t block, uint32_t worker)
{
    const sort_job *job = data;
    (void)worker;
    switch (job->self->columns) {
    case 2:
        move_to_rows_of(job, block, 2);
        break;
    case 3:
        move_to_rows_of(job, block, 3);
        break;
    case 4:
        move_to_rows_of(job, block, 4);
        break;
    default:
        move_to_rows_of(job, block, 6);
    }
}

/*  start[1 + c] is first the number of bodies of cell c, then where the next one of them goes, and
    when all are there, where they end: which is where cell c + 1 begins. So each row writes elements
    of its own. */
static inline uint64_t order_row(scree_flat *self, const scree_flat_level *level, size_t first_cell,
                                 uint32_t begin, uint32_t end, uint32_t columns)
{
    uint32_t *start = self->start + first_cell + 1, place = begin;
    uint64_t crowd = 0;

    memset(start, 0, level->cells[0] * sizeof *start);
    for (uint32_t i = begin; i < end; i++)
        start[scree_flat_cell(level, 0, self->record[(size_t)i * (columns + 1)])]++;
    for (uint32_t c = 0; c < level->cells[0]; c++) {
        uint32_t count = start[c];
        start[c] = place;
        place += count;
        crowd += (uint64_t)count * count;
    }
    for (uint32_t i = begin; i < end; i++) {
        const float *record = self->record + (size_t)i * (columns + 1);
        uint32_t to = start[scree_flat_cell(level, 0, record[0])]++;
        for (uint32_t k = 0; k < columns; k++)
            self->column[k][to] = record[k];
        memcpy(&self->id[to], record + columns, sizeof *self->id);
    }
    return crowd;
}

static void order_rows(void *data, size_t block, uint32_t worker)
{
    sort_job *job = data;
    scree_flat *self = job->self;
    uint64_t crowd = 0;
    size_t blocks = scree_block_count(self->count, job->block_size);
    /* after the first pass the last block's places are where rows end */
    const uint32_t *ends = self->histogram + (blocks - 1) * job->row_count;
    size_t end = scree_block_end(block, ROW_BLOCK, job->row_count);
    const scree_flat_level *level = self->level;

    (void)worker;
    for (size_t row = block * ROW_BLOCK; row < end; row++) {
        while (row >= level->first_row + level->rows)
            level++;
        size_t cell = level->first_cell + (row - level->first_row) * level->cells[0];
        uint32_t begin = row ? ends[row - 1] : 0;
        switch (self->columns) {
        case 2:
            crowd += order_row(self, level, cell, begin, ends[row], 2);
            break;
        case 3:
            crowd += order_row(self, level, cell, begin, ends[row], 3);
            break;
        case 4:
            crowd += order_row(self, level, cell, begin, ends[row], 4);
            break;
        default:
            crowd += order_row(self, level, cell, begin, ends[row], 6);
        }
    }
    atomic_fetch_add_explicit(&job->crowd, crowd, memory_order_relaxed);
}

static scree_status reserve(scree_flat *self, scree_memory *memory, size_t cells, size_t counts)
{
    size_t padded = (size_t)self->count + SCREE_FLAT_PADDING;
    for (uint32_t k = 0; k < self->columns; k++)
        if (scree_memory_reserve(memory, &self->column[k], &self->column_capacity[k], padded,
                                 sizeof(float)))
            return SCREE_OUT_OF_MEMORY;
    if (scree_memory_reserve(memory, &self->id, &self->id_capacity, padded, sizeof *self->id) ||
        scree_memory_reserve(memory, &self->start, &self->start_capacity, cells + 1,
                             sizeof *self->start) ||
        scree_memory_reserve(memory, &self->histogram, &self->histogram_capacity, counts,
                             sizeof *self->histogram) ||
        scree_memory_reserve(memory, &self->record, &self->record_capacity,
                             (size_t)self->count * (self->columns + 1), sizeof *self->record))
        return SCREE_OUT_OF_MEMORY;
    /* what is read past the end decides nothing, but is read */
    for (uint32_t k = 0; k < self->columns; k++)
        memset(self->column[k] + self->count, 0, SCREE_FLAT_PADDING * sizeof(float));
    memset(self->id + self->count, 0, SCREE_FLAT_PADDING * sizeof *self->id);
    self->start[0] = 0;
    return SCREE_OK;
}

scree_status scree_flat_sort(scree_flat *self, const scree_method_env *env,
                             const scree_bodies *bodies, uint64_t *crowd)
{
    const scree_flat_level *last = &self->level[self->level_count - 1];
    sort_job job = {self, bodies, NULL, last->first_row + last->rows, COUNT_BLOCK, 0};
    size_t cells = last->first_cell + (size_t)last->rows * last->cells[0];

    while (scree_block_count(self->count, job.block_size) * job.row_count >
           (size_t)self->count / 2 + job.row_count)
        job.block_size *= 2;
    size_t blocks = scree_block_count(self->count, job.block_size);
    if (reserve(self, env->memory, cells, blocks * job.row_count))
        return SCREE_OUT_OF_MEMORY;
    job.key = (void *)self->column[0];
    scree_workers_run(env->workers, blocks, count_rows, &job);
    places_of_counts(&job, blocks);
    scree_workers_run(env->workers, blocks, move_to_rows, &job);
    scree_workers_run(env->workers, scree_block_count(job.row_count, ROW_BLOCK), order_rows, &job);
    *crowd = atomic_load_explicit(&job.crowd, memory_order_relaxed);
    return SCREE_OK;
}
