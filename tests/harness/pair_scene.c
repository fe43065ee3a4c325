/*  Scenes as data: growing, copying, printing, and packing the rows of a step into a table. The
    packing is where odd strides, floats beside doubles and missing columns come from. */
#include "pair_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *scene_memory(size_t bytes)
{
    void *block = calloc(1, bytes ? bytes : 1);
    if (!block) {
        printf("harness: out of memory\n");
        exit(2);
    }
    return block;
}

static void *grow(void *block, uint32_t *capacity, uint32_t count, size_t element_bytes)
{
    if (count < *capacity)
        return block;
    uint32_t wanted = *capacity ? *capacity * 2 : 64;
    void *grown = scene_memory(wanted * element_bytes);
    if (count)
        memcpy(grown, block, count * element_bytes);
    free(block);
    *capacity = wanted;
    return grown;
}

scene_step *scene_add_step(test_scene *scene, scene_step_kind kind)
{
    scene->steps =
        grow(scene->steps, &scene->step_capacity, scene->step_count, sizeof *scene->steps);
    scene_step *step = &scene->steps[scene->step_count++];
    memset(step, 0, sizeof *step);
    step->kind = kind;
    step->begin = scene->row_count;
    step->query = scree_query_sphere((const double[3]){0, 0, 0}, 0);
    return step;
}

scene_row *scene_append_row(test_scene *scene)
{
    scene->rows = grow(scene->rows, &scene->row_capacity, scene->row_count, sizeof *scene->rows);
    scene_row *row = &scene->rows[scene->row_count++];
    memset(row, 0, sizeof *row);
    row->group = row->mask = UINT64_MAX;
    scene->steps[scene->step_count - 1].count++;
    return row;
}

test_scene scene_copy(const test_scene *original)
{
    test_scene copy = *original;
    copy.row_capacity = original->row_count;
    copy.step_capacity = original->step_count;
    copy.rows = scene_memory(copy.row_count * sizeof *copy.rows);
    copy.steps = scene_memory(copy.step_count * sizeof *copy.steps);
    if (copy.row_count)
        memcpy(copy.rows, original->rows, copy.row_count * sizeof *copy.rows);
    if (copy.step_count)
        memcpy(copy.steps, original->steps, copy.step_count * sizeof *copy.steps);
    return copy;
}

void scene_free(test_scene *scene)
{
    free(scene->rows);
    free(scene->steps);
    memset(scene, 0, sizeof *scene);
}

/* ---- numbers ---- */

bool scene_number_used(const test_scene *scene, int k)
{
    if (scene->volume == SCREE_SPHERES)
        return k < scene->dimensions || k == 3;
    return k % 3 < scene->dimensions;
}

const char *scene_number_name(const test_scene *scene, int k)
{
    static const char *const names[2][6] = {
        {"x", "y", "z", "radius", "", ""},
        {"lower x", "lower y", "lower z", "upper x", "upper y", "upper z"},
    };
    return names[scene->volume == SCREE_BOXES][k];
}

/* ---- tables ---- */

/*  Columns of a table: six numbers, then ids, groups, masks, owners, flags. */
#define COLUMN_COUNT 11

typedef struct layout
{
    size_t bytes[COLUMN_COUNT]; /* 0: not there */
    size_t offset[COLUMN_COUNT], stride[COLUMN_COUNT];
    size_t total;
} layout;

static layout lay_out(const test_scene *scene, size_t count, bool with_ids)
{
    static const uint32_t bits[5] = {SCENE_IDS, SCENE_GROUPS, SCENE_MASKS, SCENE_OWNERS,
                                     SCENE_FLAGS};
    static const size_t sizes[5] = {4, 8, 8, 4, 1};
    layout at = {{0}, {0}, {0}, 0};
    size_t record = scene->padding;

    for (int k = 0; k < 6; k++)
        if (scene_number_used(scene, k))
            at.bytes[k] = (scene->floats >> k) & 1 ? sizeof(float) : sizeof(double);
    for (int k = 0; k < 5; k++)
        if ((scene->columns & bits[k]) && (with_ids || bits[k] != SCENE_IDS))
            at.bytes[6 + k] = sizes[k];
    /* the padding is in front, so that the block ends where the last number ends */
    size_t offset = scene->padding;
    for (int k = 0; k < COLUMN_COUNT; k++) {
        at.offset[k] = offset;
        offset += scene->by_columns ? at.bytes[k] * count : at.bytes[k];
        record += at.bytes[k];
    }
    for (int k = 0; k < COLUMN_COUNT; k++)
        at.stride[k] = scene->by_columns ? at.bytes[k] : record;
    at.total = scene->by_columns ? offset : record * count;
    return at;
}

static void pack_row(const test_scene *scene, const layout *at, const scene_row *row, size_t index,
                     unsigned char *block)
{
    const void *integers[5] = {&row->id, &row->group, &row->mask, &row->owner, &row->flags};
    for (int k = 0; k < COLUMN_COUNT; k++) {
        unsigned char *to = block + at->offset[k] + index * at->stride[k];
        if (at->bytes[k] == 0)
            continue;
        if (k >= 6) {
            memcpy(to, integers[k - 6], at->bytes[k]);
        } else if ((scene->floats >> k) & 1) {
            float narrow = (float)row->number[k];
            memcpy(to, &narrow, sizeof narrow);
        } else {
            memcpy(to, &row->number[k], sizeof row->number[k]);
        }
    }
}

static scree_view number_view(const test_scene *scene, const layout *at, const unsigned char *block,
                              int k)
{
    scree_view view = {block + at->offset[k], at->stride[k],
                       (scene->floats >> k) & 1 ? SCREE_FLOAT32 : SCREE_FLOAT64};
    return at->bytes[k] ? view : (scree_view){NULL, 0, SCREE_FLOAT64};
}

static scree_integers integer_view(const layout *at, const unsigned char *block, int k)
{
    if (at->bytes[k] == 0)
        return scree_integer_view(NULL, 0);
    return scree_integer_view(block + at->offset[k], at->stride[k]);
}

scene_table scene_table_make(const test_scene *scene, const scene_step *step)
{
    scene_table made = {0};
    layout at = lay_out(scene, step->count, step->kind != SCENE_INSERT_NEW);
    const scene_row *rows = step->count ? scene->rows + step->begin : NULL;
    scree_view view[6];

    made.block = scene_memory(at.total);
    made.dirty = scene_memory(step->count * sizeof *made.dirty);
    for (uint32_t i = 0; i < step->count; i++) {
        uint32_t row = step->backwards ? step->count - 1 - i : i;
        pack_row(scene, &at, &rows[i], i, made.block);
        if (rows[row].chosen)
            made.dirty[made.dirty_count++] = row;
    }
    for (int k = 0; k < 6; k++)
        view[k] = number_view(scene, &at, made.block, k);
    made.table = scene->volume == SCREE_SPHERES
                     ? scree_table_spheres(step->count, view[0], view[1], view[2], view[3])
                     : scree_table_boxes(step->count, &view[0], &view[3]);
    made.table.ids = integer_view(&at, made.block, 6);
    made.table.groups = integer_view(&at, made.block, 7);
    made.table.masks = integer_view(&at, made.block, 8);
    made.table.owners = integer_view(&at, made.block, 9);
    made.table.flags = integer_view(&at, made.block, 10);
    return made;
}

void scene_table_free(scene_table *table)
{
    free(table->block);
    free(table->dirty);
}

/* ---- the detector ---- */

static uint32_t between(scree_random *random, uint32_t least, uint32_t most)
{
    return least + scree_random_below(random, most - least + 1);
}

static void vary_hash_grids(scree_random *random, scree_hash_grids_def *def)
{
    for (int k = 0; k < 3; k++)
        def->cells[k] = 4u << scree_random_below(random, 5);
    def->list_capacity = between(random, 1, 20);
    def->occupied_capacity = between(random, 1, 20);
    def->minimal_density = between(random, 1, 16);
    def->activation = between(random, 0, 40);
    def->factor = scree_random_log_uniform(random, 1.01, 20);
    def->size = (scree_hash_size)scree_random_below(random, 2);
    def->point = (scree_hash_point)scree_random_below(random, 3);
    def->rebuild = scree_random_below(random, 4) == 0;
}

static void vary_cell_space(scree_random *random, scree_cell_space_def *def, int dimensions)
{
    bool has_domain = scree_random_below(random, 3) == 0;
    for (int k = 0; k < dimensions && has_domain; k++) {
        def->lower[k] = scree_random_range(random, -2, 1);
        def->upper[k] = def->lower[k] + scree_random_log_uniform(random, 0.01, 10);
    }
    def->cells = scree_random_below(random, 300);
    def->target = between(random, 1, 20);
    def->merge_below = scree_random_below(random, def->target + 1);
    def->factor = scree_random_log_uniform(random, 2, 100);
    def->max_children = between(random, 2, 64);
    def->depth = between(random, 0, 16);
}

/*  From a stream of its own, so that a scene's bodies do not depend on how much is drawn here. */
static void vary_methods(scree_detector_def *def, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 3);
    vary_hash_grids(&random, &def->hash_grids);
    vary_cell_space(&random, &def->cell_space, def->dimensions);
    def->insertion_sort.sort_axis =
        (int)scree_random_below(&random, (uint32_t)def->dimensions + 1) - 1;
    def->insertion_sort.sort_then_collide = scree_random_below(&random, 4) == 0;
}

scree_detector_def scene_def(const test_scene *scene, const char *method)
{
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.dimensions = scene->dimensions;
    def.volume = scene->volume;
    def.unusable = scene->unusable;
    def.coarse = scene->coarse;
    def.cell_factor = scene->cell_factor;
    def.bin_factor = scene->bin_factor;
    def.stripe_factor = scene->stripe_factor;
    def.stripe_naive = scene->stripe_naive;
    def.sort_by_insertion = scene->sort_by_insertion;
    def.rtree_max_entries = scene->rtree_max_entries;
    def.rtree_min_entries = scene->rtree_min_entries;
    if (scene->method_seed)
        vary_methods(&def, scene->method_seed);
    return def;
}

/* ---- printing ---- */

void scene_print_row(const test_scene *scene, uint32_t id, const scene_row *row, char *text,
                     size_t bytes)
{
    int used =
        snprintf(text, bytes, "%s %u", scene->volume == SCREE_SPHERES ? "sphere" : "box", id);
    for (int k = 0; k < 6 && used > 0 && (size_t)used < bytes; k++)
        if (scene_number_used(scene, k))
            used += snprintf(text + used, bytes - (size_t)used, " %s=%.17g",
                             scene_number_name(scene, k), row->number[k]);
    if (used > 0 && (size_t)used < bytes)
        (void)snprintf(text + used, bytes - (size_t)used, " flags=%u owner=%u", row->flags,
                       row->owner);
}

static void print_query(const scree_query *query)
{
    static const char *const kinds[] = {"box", "sphere", "ray", "ray first", "nearest"};
    printf("# query %s: lower %.17g %.17g %.17g, upper %.17g %.17g %.17g, centre %.17g %.17g "
           "%.17g, radius %.17g, direction %.17g %.17g %.17g, t_max %.17g, k %u, groups %llx\n",
           kinds[query->kind], query->lower[0], query->lower[1], query->lower[2], query->upper[0],
           query->upper[1], query->upper[2], query->centre[0], query->centre[1], query->centre[2],
           query->radius, query->direction[0], query->direction[1], query->direction[2],
           query->t_max, query->k, (unsigned long long)query->groups);
}

void scene_print(const test_scene *scene)
{
    static const char *const kinds[] = {"update", "dirty update", "insert", "insert, new ids",
                                        "remove", "clear",        "query"};
    printf("# scene %llu (%s): %dD %s, %u steps, %u rows%s%s\n", (unsigned long long)scene->seed,
           scene->name, scene->dimensions, scene->volume == SCREE_SPHERES ? "spheres" : "boxes",
           scene->step_count, scene->row_count, scene->coarse ? ", coarse" : "",
           scene->unusable == SCREE_SKIP_BODY ? ", unusable bodies are skipped" : "");
    printf("# columns %x, floats %x, cell_factor %g, bin_factor %g, stripe_factor %g, naive %d, "
           "insertion %d, rtree %u to %u, methods' parameters %llx\n",
           scene->columns, scene->floats, scene->cell_factor, scene->bin_factor,
           scene->stripe_factor, scene->stripe_naive, scene->sort_by_insertion,
           scene->rtree_min_entries, scene->rtree_max_entries,
           (unsigned long long)scene->method_seed);
    printf("# id");
    for (int k = 0; k < 6; k++)
        if (scene_number_used(scene, k))
            printf(",%s", scene_number_name(scene, k));
    printf(",group,mask,owner,flags,dirty\n");
    for (uint32_t s = 0; s < scene->step_count; s++) {
        const scene_step *step = &scene->steps[s];
        printf("# step %u: %s, checks %x\n", s, kinds[step->kind], step->checks);
        if (step->kind == SCENE_QUERY)
            print_query(&step->query);
        for (uint32_t i = 0; i < step->count; i++) {
            const scene_row *row = &scene->rows[step->begin + i];
            printf("%u", row->id);
            for (int k = 0; k < 6; k++)
                if (scene_number_used(scene, k))
                    printf(",%.17g", row->number[k]);
            printf(",%llx,%llx,%u,%u,%d\n", (unsigned long long)row->group,
                   (unsigned long long)row->mask, row->owner, row->flags, row->chosen);
        }
    }
}
