/*  Sorts bodies by level, row and cell, in two counting sorts. The first puts whole records into their rows: there are
    so few rows that the cache line to which each is written next stays in the cache. The second sorts each row, which
    is then in the cache, by cell, and writes columns. A single pass over all cells would miss the cache for each body
    and column. */
#include "detect/flat_rows.h"

#include <string.h>

/*  Bodies in a block: so many that the counts of all blocks are small compared with the bodies. */
#define COUNT_BLOCK 16384u
/*  Rows that are put in order together. */
#define ROW_BLOCK 64u
/*  Rows of so many bodies are found before they are counted. */
#define FOUND 1024u
/*  In addition to a number of columns: x y z are whole numbers. */
#define FINE 8u

/*  Of one island. */
typedef struct sort_job
{
    scree_flat *self;
    const scree_flat_island *island;
    const uint32_t *listed; /* ids of its bodies, as they come */
    const scree_bodies *bodies;
    uint32_t *key;   /* row of each; where the first column will be */
    uint32_t *count; /* histogram of rows by blocks of bodies */
    size_t block_size, blocks;
    _Atomic uint64_t *crowding; /* a sum, which does not depend on the order of its terms */
} sort_job;

static inline void read_record(const scree_flat_frame *frame, const scree_bodies *bodies,
                               uint32_t id, uint32_t columns, float *record)
{
    if (columns < 6) {
        const double *sphere = bodies->sphere[id];
        for (int k = 0; k < 3 && k < (int)columns; k++) {
            record[k] = scree_flat_near(frame, k, sphere[k]);
            if (!frame->is_fine)
                continue;
            int32_t fine = scree_flat_fine(frame, k, sphere[k]);
            memcpy(&record[k], &fine, sizeof fine);
        }
        if (columns == 4)
            record[3] = (float)(sphere[3] * frame->scale);
    } else {
        const scree_box *box = &bodies->box[id];
        for (int k = 0; k < 3; k++) {
            record[k] = scree_flat_near(frame, k, box->lower[k]);
            record[3 + k] = scree_flat_near(frame, k, box->upper[k]);
        }
    }
}

void scree_flat_read(const scree_flat_frame *frame, const scree_bodies *bodies, uint32_t id,
                     uint32_t columns, float *record)
{
    read_record(frame, bodies, id, columns, record);
}

static inline const double *place_of(const scree_bodies *bodies, uint32_t id, uint32_t columns)
{
    return columns < 6 ? bodies->sphere[id] : bodies->box[id].lower;
}

/*  Returns the row of a body if there is only one level. */
static inline uint32_t row_of_near(const scree_flat_frame *frame, const scree_flat_level *level,
                                   const double *at, int dimensions)
{
    uint32_t y = scree_flat_cell(level, 1, scree_flat_near(frame, 1, at[1]));
    uint32_t z = scree_flat_cell(level, 2, scree_flat_near(frame, 2, at[2]));
    return scree_flat_row(level, y, z, dimensions);
}

static inline uint32_t row_of(const scree_flat *self, const scree_flat_island *island,
                              const scree_bodies *bodies, uint32_t id, uint32_t columns)
{
    const scree_flat_frame *frame = &island->frame;
    uint32_t sort = columns < 6 ? scree_flat_sort_of_sphere(&island->sorts, bodies->sphere[id])
                                : scree_flat_sort_of_box(&island->sorts, &bodies->box[id]);
    const scree_flat_level *level = &self->level[island->first_level + sort];
    const double *at = place_of(bodies, id, columns);
    if (!level->is_far)
        return level->first_row + row_of_near(frame, level, at, self->dimensions);
    uint32_t y = scree_flat_cell(level, 1, scree_flat_to_frame(frame, 1, at[1]));
    uint32_t z = scree_flat_cell(level, 2, scree_flat_to_frame(frame, 2, at[2]));
    return level->first_row + scree_flat_row(level, y, z, self->dimensions);
}

static scree_flat_spheres spheres_of(const sort_job *job)
{
    return (scree_flat_spheres){.sphere = job->bodies->sphere,
                                .listed = job->listed,
                                .frame = &job->island->frame,
                                .sorts = &job->island->sorts,
                                .level = &job->self->level[job->island->first_level],
                                .dimensions = job->self->dimensions,
                                .simd = job->self->simd};
}

static void count_spheres(const sort_job *job, size_t block)
{
    const scree_flat_spheres spheres = spheres_of(job);
    uint32_t *const counts = job->count + block * job->island->row_count, *const key = job->key;
    const size_t end = scree_block_end(block, job->block_size, job->island->count);

    for (size_t a = block * job->block_size, next; a < end; a = next) {
        next = end - a < FOUND ? end : a + FOUND;
        scree_flat_find_rows(&spheres, a, next, key);
        for (size_t b = a; b < next; b++)
            counts[key[b]]++;
    }
}

static inline void count_rows_of(const sort_job *job, size_t block, uint32_t columns)
{
    const scree_bodies *bodies = job->bodies;
    const scree_flat *self = job->self;
    const scree_flat_island *island = job->island;
    const scree_flat_level *level = &self->level[island->first_level];
    uint32_t *counts = job->count + block * island->row_count, *key = job->key;
    size_t end = scree_block_end(block, job->block_size, island->count);
    size_t a = block * job->block_size;

    memset(counts, 0, island->row_count * sizeof *counts);
    if (columns < 6 && !island->sorts.has_far) {
        count_spheres(job, block);
        return;
    }
    if (island->level_count == 1) {
        for (; a < end; a++) {
            key[a] = row_of_near(&island->frame, level, place_of(bodies, job->listed[a], columns),
                                 self->dimensions);
            counts[key[a]]++;
        }
        return;
    }
    for (; a < end; a++) {
        key[a] = row_of(self, island, bodies, job->listed[a], columns);
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
static void places_of_counts(const sort_job *job)
{
    uint32_t *counts = job->count, place = job->island->first, rows = job->island->row_count;
    for (uint32_t row = 0; row < rows; row++) {
        for (size_t b = 0; b < job->blocks; b++) {
            uint32_t count = counts[b * rows + row];
            counts[b * rows + row] = place;
            place += count;
        }
    }
}

/*  The floats of a far body are not its position: with a NaN among them, each test of it is in doubt. */
static void hide(const scree_flat *self, const scree_flat_frame *frame, const scree_bodies *bodies,
                 uint32_t id, float *record)
{
    const double *lower = bodies->sphere ? bodies->sphere[id] : bodies->box[id].lower;
    int axis = self->dimensions - 1;
    for (int k = 0; k < self->dimensions; k++) {
        record[k] = scree_flat_to_frame(frame, k, lower[k]);
        if (!bodies->sphere)
            record[3 + k] = scree_flat_to_frame(frame, k, bodies->box[id].upper[k]);
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
    const scree_flat_island *island = job->island;
    const scree_flat_frame frame = island->frame; /* no record written changes it */
    uint32_t *places = job->count + block * island->row_count;
    size_t end = scree_block_end(block, job->block_size, island->count);
    uint32_t far = UINT32_MAX;
    if (island->sorts.has_far)
        far = self->level[island->first_level + island->level_count - 1].first_row;
    else if (columns < 6 && !frame.is_fine) {
        const scree_flat_spheres spheres = spheres_of(job);
        scree_flat_move_to_rows(&spheres, block * job->block_size, end, job->key, places, columns,
                                self->record);
        return;
    }

    for (size_t a = block * job->block_size; a < end; a++) {
        uint32_t id = job->listed[a];
        float *to = self->record + (size_t)places[job->key[a]]++ * (columns + 1);
        float record[SCREE_FLAT_COLUMNS];
        read_record(&frame, job->bodies, id, columns, record);
        if (job->key[a] >= far)
            hide(self, &island->frame, job->bodies, id, record);
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

/*  start[1 + c] is first the number of bodies of cell c, then the position for the next of them, and at last their end,
    which is where cell c + 1 begins. So each row writes its own elements. */
static inline uint32_t cell_of(const scree_flat_level *level, const float *record, bool is_fine)
{
    return scree_flat_cell(level, 0, is_fine ? (float)scree_flat_whole(record) : *record);
}

/*  Numbers of bodies become places. By fours: there are more cells than bodies. */
static inline void places_of_cells(uint32_t *start, uint32_t cells, uint32_t place)
{
    uint32_t c = 0;
    for (; c + 4 <= cells; c += 4) {
        const uint32_t second = place + start[c], third = second + start[c + 1],
                       fourth = third + start[c + 2], next = fourth + start[c + 3];
        start[c] = place;
        start[c + 1] = second;
        start[c + 2] = third;
        start[c + 3] = fourth;
        place = next;
    }
    for (; c < cells; c++) {
        uint32_t bodies = start[c];
        start[c] = place;
        place += bodies;
    }
}

/*  In rows with at most this many bodies the cell of each is computed once and stored. */
#define NOTED 512u

static inline uint64_t order_row(scree_flat *self, const scree_flat_level *level, size_t first_cell,
                                 uint32_t begin, uint32_t end, uint32_t columns, bool is_fine)
{
    uint32_t *const start = self->start + first_cell + 1, *const id = self->id;
    const float *const row = self->record + (size_t)begin * (columns + 1);
    const uint32_t count = end - begin;
    const scree_flat_level grid =
        *level; /* a copy: the compiler knows that writes to columns do not change it */
    float *column[SCREE_FLAT_COLUMNS];
    uint16_t cell[NOTED];
    uint64_t crowding = 0;

    memcpy(column, self->column, sizeof column);
    memset(start, 0, grid.cells[0] * sizeof *start);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t c = cell_of(&grid, row + (size_t)i * (columns + 1), is_fine);
        cell[i % NOTED] = (uint16_t)c;
        crowding += 2 * start[c]++ + 1;
    }
    places_of_cells(start, grid.cells[0], begin);
    for (uint32_t i = 0; i < count; i++) {
        const float *record = row + (size_t)i * (columns + 1);
        uint32_t to = start[count <= NOTED ? cell[i] : cell_of(&grid, record, is_fine)]++;
        for (uint32_t k = 0; k < columns; k++)
            memcpy(&column[k][to], &record[k], sizeof(float)); /* or a whole number */
        memcpy(&id[to], record + columns, sizeof *id);
    }
    return crowding;
}

static void order_rows(void *data, size_t block, uint32_t worker)
{
    sort_job *job = data;
    scree_flat *self = job->self;
    const scree_flat_island *island = job->island;
    bool is_fine = island->frame.is_fine;
    uint64_t crowding = 0;
    /* after the first pass the positions of the last block are the ends of rows */
    const uint32_t *ends = job->count + (job->blocks - 1) * island->row_count;
    size_t end = scree_block_end(block, ROW_BLOCK, island->row_count);
    const scree_flat_level *level = &self->level[island->first_level];

    (void)worker;
    for (size_t row = block * ROW_BLOCK; row < end; row++) {
        while (row >= level->first_row + level->rows)
            level++;
        size_t cell = level->first_cell + (row - level->first_row) * level->cells[0];
        uint32_t begin = row ? ends[row - 1] : island->first;
        switch (self->columns + (is_fine ? FINE : 0)) {
        case 2:
            crowding += order_row(self, level, cell, begin, ends[row], 2, false);
            break;
        case 3:
            crowding += order_row(self, level, cell, begin, ends[row], 3, false);
            break;
        case 4:
            crowding += order_row(self, level, cell, begin, ends[row], 4, false);
            break;
        case 6:
            crowding += order_row(self, level, cell, begin, ends[row], 6, false);
            break;
        case FINE + 2:
            crowding += order_row(self, level, cell, begin, ends[row], 2, true);
            break;
        case FINE + 3:
            crowding += order_row(self, level, cell, begin, ends[row], 3, true);
            break;
        default:
            crowding += order_row(self, level, cell, begin, ends[row], 4, true);
        }
    }
    atomic_fetch_add_explicit(job->crowding, crowding, memory_order_relaxed);
}

static scree_status reserve(scree_flat *self, scree_memory *memory, size_t counts)
{
    size_t padded = (size_t)self->count + SCREE_FLAT_PADDING;
    for (uint32_t k = 0; k < self->columns; k++)
        if (scree_memory_reserve(memory, &self->column[k], &self->column_capacity[k], padded,
                                 sizeof(float)))
            return SCREE_OUT_OF_MEMORY;
    if (scree_memory_reserve(memory, &self->id, &self->id_capacity, padded, sizeof *self->id) ||
        scree_memory_reserve(memory, &self->start, &self->start_capacity, self->cell_count + 1,
                             sizeof *self->start) ||
        scree_memory_reserve(memory, &self->histogram, &self->histogram_capacity, counts,
                             sizeof *self->histogram) ||
        scree_memory_reserve(memory, &self->record, &self->record_capacity,
                             (size_t)self->count * (self->columns + 1), sizeof *self->record))
        return SCREE_OUT_OF_MEMORY;
    /* kernels read past the end; what they read there has no effect */
    for (uint32_t k = 0; k < self->columns; k++)
        memset(self->column[k] + self->count, 0, SCREE_FLAT_PADDING * sizeof(float));
    memset(self->id + self->count, 0, SCREE_FLAT_PADDING * sizeof *self->id);
    self->start[0] = 0;
    return SCREE_OK;
}

static size_t block_size_for(const scree_flat_island *island)
{
    size_t size = COUNT_BLOCK;
    while (scree_block_count(island->count, size) * island->row_count >
           (size_t)island->count / 2 + island->row_count)
        size *= 2;
    return size;
}

static sort_job make_job(scree_flat *self, const scree_bodies *bodies, uint32_t island,
                         _Atomic uint64_t *crowding)
{
    sort_job job = {.self = self, .bodies = bodies, .island = &self->island[island]};
    job.listed = self->is_split ? self->order + job.island->first : bodies->active;
    job.key = (uint32_t *)(void *)self->column[0] + job.island->first;
    job.count = self->histogram;
    job.block_size = block_size_for(job.island);
    job.blocks = scree_block_count(job.island->count, job.block_size);
    job.crowding = crowding;
    return job;
}

/* ---- islets ---- */

/*  Number of bodies of islets in a group. */
#define HULL_BODIES 64u

static scree_status make_hulls(scree_flat *self, scree_memory *memory)
{
    self->hull_count = 0;
    for (uint32_t k = 0, bodies = 0; k < self->islet_count; k++) {
        if (bodies == 0 || self->islet[k].count >= HULL_BODIES) {
            if (scree_memory_reserve(memory, &self->hull, &self->hull_capacity,
                                     (size_t)self->hull_count + 1, sizeof *self->hull))
                return SCREE_OUT_OF_MEMORY;
            self->hull[self->hull_count++].first = k;
        }
        self->hull[self->hull_count - 1].end = k + 1;
        bodies += self->islet[k].count;
        bodies = bodies < HULL_BODIES ? bodies : 0;
    }
    return SCREE_OK;
}

typedef struct hull_job
{
    scree_flat *self;
    const scree_bodies *bodies;
} hull_job;

/*  For bodies that were just written to columns: the largest distance of floats from the first of them, and the bound
    for doubt that follows. */
static float doubt_of_islet(const scree_flat *self, const scree_flat_islet *islet,
                            scree_flat_frame frame)
{
    float farthest = 0, size = self->level[self->level_count - 1].size[0];
    uint32_t radii = self->columns == 4 ? 3 : UINT32_MAX;
    for (uint32_t k = 0; k < self->columns; k++) {
        float most = 0;
        for (uint32_t i = islet->first; i < islet->first + islet->count; i++) {
            float at = fabsf(self->column[k][i]);
            most = at > most ? at : most;
        }
        if (k == radii)
            size = most;
        else
            farthest = most > farthest ? most : farthest;
    }
    frame.error = scree_flat_error((double)farthest * (1 + 0x1p-20));
    return scree_flat_doubt(self->volume, &frame, 2 * size * (1 + 0x1p-20f));
}

/*  Each islet counts from its first body. */
static void fill_islet(scree_flat *self, const scree_bodies *bodies, scree_flat_islet *islet,
                       scree_box *box)
{
    scree_flat_frame frame = self->island[self->island_count - 1].frame;
    const double *origin = place_of(bodies, self->order[islet->first], self->columns);
    for (int k = 0; k < 3; k++)
        frame.origin[k] = origin[k];
    for (uint32_t i = islet->first; i < islet->first + islet->count; i++) {
        float record[SCREE_FLAT_COLUMNS] = {0};
        uint32_t id = self->order[i];
        scree_box own = scree_flat_box(bodies, id);
        read_record(&frame, bodies, id, self->columns, record);
        for (uint32_t k = 0; k < self->columns; k++)
            self->column[k][i] = record[k];
        self->id[i] = id;
        for (int k = 0; k < 3; k++) {
            box->lower[k] = own.lower[k] < box->lower[k] ? own.lower[k] : box->lower[k];
            box->upper[k] = own.upper[k] > box->upper[k] ? own.upper[k] : box->upper[k];
        }
    }
    islet->doubt = doubt_of_islet(self, islet, frame);
}

static void fill_hull(void *data, size_t block, uint32_t worker)
{
    const hull_job *job = data;
    scree_flat_hull *hull = &job->self->hull[block];
    (void)worker;
    hull->box = (scree_box){{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (uint32_t k = hull->first; k < hull->end; k++)
        fill_islet(job->self, job->bodies, &job->self->islet[k], &hull->box);
}

/* ---- all of it ---- */

scree_status scree_flat_sort(scree_flat *self, const scree_method_env *env,
                             const scree_bodies *bodies, uint64_t *crowding)
{
    size_t counts = 0;
    _Atomic uint64_t sum = 0;
    for (uint32_t k = 0; k < self->island_count; k++) {
        const scree_flat_island *island = &self->island[k];
        size_t own = scree_block_count(island->count, block_size_for(island)) * island->row_count;
        counts = own > counts ? own : counts;
    }
    if (reserve(self, env->memory, counts) || make_hulls(self, env->memory))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < self->island_count - (self->islet_count > 0); k++) {
        sort_job job = make_job(self, bodies, k, &sum);
        scree_workers_run(env->workers, job.blocks, count_rows, &job);
        places_of_counts(&job);
        scree_workers_run(env->workers, job.blocks, move_to_rows, &job);
        scree_workers_run(env->workers, scree_block_count(job.island->row_count, ROW_BLOCK),
                          order_rows, &job);
    }
    hull_job hulls = {self, bodies};
    scree_workers_run(env->workers, self->hull_count, fill_hull, &hulls);
    *crowding = atomic_load_explicit(&sum, memory_order_relaxed);
    return SCREE_OK;
}
