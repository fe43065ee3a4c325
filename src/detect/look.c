/*  The quick check of unchanged bodies in a step with a margin: nearly always nothing must be done, and this is all
    that the step costs. Rows are read in blocks of columns and compared with the values recorded when the bodies
    were mapped, several at once. If a row has invalid values, other filters or another body, the step uses the
    general way, which reads rows one by one and reports errors. */
#include "detect/look.h"

#include "detect/columns.h"
#include "detect/motion.h"

#include <stddef.h>
#include <string.h>

/*  Motion of a block's rows. Columns that are not given point at zeros. */
typedef struct look_motion
{
    const double *velocity[3], *spin[3], *arm;
    bool has_arms;
} look_motion;

/*  A block as kernels see it. `constant` is NULL unless the margin is a tolerance. */
typedef struct look_block
{
    uint32_t count;
    int dimensions;
    const double *number[6];
    const double *sphere; /* rows of all spheres as they were mapped, */
    const uint32_t *id;   /* and which is that of each row; or columns of boxes: */
    const double *mapped[6];
    const double *allowance, *growth, *size;
    const double *constant, *mapped_constant;
    double reach, largest;                  /* of the margin; reach 1 but for a tolerance */
    double used, smallest, farthest;        /* accumulated over blocks */
    uint64_t late;                          /* so, too */
    uint8_t must[SCREE_BLOCK_ROWS / 8 + 1]; /* a bit for each row to be mapped */
    double moved[SCREE_BLOCK_ROWS], measured[SCREE_BLOCK_ROWS]; /* how far each has, and its size */
} look_block;

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "base/wide_rows.h"
#include "detect/look.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "base/wide_rows.h"
#include "detect/look.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "base/wide_rows.h"
#include "detect/look.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "base/wide_rows.h"
#include "detect/look.inc.h"
#endif

typedef struct look_kernels
{
    bool (*read_speeds)(const look_motion *m, uint32_t count, double *speed, double *largest);
    void (*look_at_spheres)(look_block *b);
    void (*look_at_boxes)(look_block *b);
    void (*measure)(look_block *b, bool spheres);
} look_kernels;

static const look_kernels *choose_kernels(scree_simd simd)
{
#define KERNELS(level)                                                                             \
    {                                                                                              \
        read_speeds_##level, look_at_spheres_##level, look_at_boxes_##level, measure_##level       \
    }
    static const look_kernels kernels[] = WIDE_TABLE(KERNELS);
#undef KERNELS
    return &kernels[simd];
}

/*  Gathered or read rows, one column each. */
typedef double look_column[SCREE_BLOCK_ROWS];

typedef struct looking
{
    scree_detector *d;
    const scree_table *table;
    scree_plan *plan;
    const look_kernels *kernels;
    bool has_filters;
    bool has_passive; /* some rows may be of bodies without bounds */
    scree_block rows;
    uint32_t id[SCREE_BLOCK_ROWS]; /* of the rows */
    look_block block;
    look_motion motion;
    look_column mapped[6], allowance, growth, size, constant, mapped_constant;
    look_column velocity[3], spin[3], arm, speed;
} looking;

static void begin_looking(looking *l, scree_detector *d, const scree_table *table, scree_plan *plan)
{
    const scree_margin *margin = &d->margin;
    bool is_tolerance = margin->def.kind == SCREE_MARGIN_TOLERANCE;
    l->d = d;
    l->table = table;
    l->plan = plan;
    l->kernels = choose_kernels(d->def.simd);
    l->has_passive = d->store.active_count < d->store.body_count;
    memset(&l->block, 0, offsetof(look_block, moved));
    l->block.dimensions = d->def.dimensions;
    l->block.reach = is_tolerance ? margin->def.reach : 1;
    l->block.largest = margin->largest;
    l->block.smallest = INFINITY;
    l->block.constant = is_tolerance ? l->constant : NULL;
    memset(&l->motion, 0, sizeof l->motion);
    memset(l->id, 0, sizeof l->id);
    memset(l->speed, 0, sizeof l->speed);
    memset(l->velocity, 0, sizeof l->velocity);
    memset(l->spin, 0, sizeof l->spin);
}

/*  Repeats the last value: kernels work on whole lanes. */
static void fill_lanes(double *column, uint32_t count)
{
    for (uint32_t row = count; row % 8 != 0; row++)
        column[row] = column[count - 1];
}

/* ---- the ids of rows ---- */

/*  A tolerance and a schedule need more than the bodies that have left their margins. */
bool scree_look_follows_travel(const scree_detector *d, const scree_table *table)
{
    return d->motion && d->motion->travel.data && d->store.sphere && !table->ids.data &&
           !d->store.has_filters && !table->flags.data &&
           d->store.active_count == d->store.body_count &&
           d->margin.def.kind != SCREE_MARGIN_TOLERANCE && !scree_margin_is_scheduled(&d->margin);
}

bool scree_look_fits(const scree_detector *d, const scree_table *table)
{
    const scree_store *s = &d->store;
    return scree_margin_is_on(&d->margin) && table->count > 0 && table->count == s->body_count &&
           table->count == s->active_count && (table->ids.data || table->count == s->bound) &&
           (s->group != NULL) == (table->groups.data != NULL) &&
           (s->mask != NULL) == (table->masks.data != NULL) &&
           (s->owner != NULL) == (table->owners.data != NULL);
}

/*  False unless every row names another body that is there. As there are as many rows as bodies, it is
    all of them. */
static bool read_ids(looking *l)
{
    scree_store *s = &l->d->store;
    if (!l->table->ids.data) {
        for (uint32_t row = 0; row < SCREE_BLOCK_ROWS; row++)
            l->id[row] = (uint32_t)l->rows.begin + row;
        return true;
    }
    for (uint32_t row = 0; row < l->rows.count; row++) {
        uint32_t id = 0;
        scree_integers_read(l->table->ids, l->rows.begin + row, &id, sizeof id);
        l->id[row] = id;
        if (!scree_store_is_active(s, id) || !scree_store_name(s, id))
            return false;
    }
    return true;
}

/*  An active body is neither infinite nor without bounds; it may only be fixed. */
static bool have_same_filters(const looking *l)
{
    const scree_store *s = &l->d->store;
    const scree_table *t = l->table;
    bool same = true;
    for (uint32_t row = 0; row < l->rows.count; row++) {
        size_t index = l->rows.begin + row;
        uint32_t id = l->id[row], owner = 0;
        uint64_t group = 0, mask = 0;
        uint8_t flags = 0;
        scree_integers_read(t->flags, index, &flags, sizeof flags);
        same &= flags == (s->state[id] & (SCREE_FIXED | SCREE_INFINITE | SCREE_NO_BOUND));
        if (s->group) {
            scree_integers_read(t->groups, index, &group, sizeof group);
            same &= s->group[id] == group;
        }
        if (s->mask) {
            scree_integers_read(t->masks, index, &mask, sizeof mask);
            same &= s->mask[id] == mask;
        }
        if (s->owner) {
            scree_integers_read(t->owners, index, &owner, sizeof owner);
            same &= s->owner[id] == owner;
        }
    }
    return same;
}

/* ---- how they move ---- */

/*  Reads a column if it is given; otherwise `column` has the default values. */
static const double *motion_column(const looking *l, scree_view view, double *column)
{
    if (view.data)
        scree_column_read(view, l->rows.begin, l->rows.count, column);
    return column;
}

static bool is_passive(const looking *l, uint32_t row)
{
    return l->has_passive && l->d->store.position[l->id[row]] == SCREE_NOT_ACTIVE;
}

/*  Bodies without bounds do not move: their motion is ignored. */
static void still_passive(looking *l)
{
    for (uint32_t row = 0; row < l->rows.count; row++) {
        if (!is_passive(l, row))
            continue;
        for (int k = 0; k < 3; k++)
            l->velocity[k][row] = l->spin[k][row] = 0;
        l->arm[row] = l->constant[row] = 0;
    }
    for (int k = 0; k < 3; k++) {
        fill_lanes(l->velocity[k], l->rows.count);
        fill_lanes(l->spin[k], l->rows.count);
    }
    fill_lanes(l->arm, l->rows.count);
}

static bool are_kinds_usable(const looking *l, const scree_motion *motion)
{
    bool usable = true;
    for (uint32_t row = 0; row < l->rows.count; row++) {
        size_t index = l->rows.begin + row;
        uint8_t kind = SCREE_PIECE_BALL;
        scree_integers_read(motion->kinds, index, &kind, sizeof kind);
        usable &= kind < SCREE_PIECE_KINDS || is_passive(l, row);
    }
    return usable;
}

static bool are_constants_usable(const looking *l)
{
    bool usable = true;
    for (uint32_t row = 0; row < l->rows.count; row++)
        usable &= (l->constant[row] >= 0) & (l->constant[row] <= SCREE_MAX_COORDINATE);
    return usable;
}

/*  Speeds of the block's rows, into l->speed and the plan. False if one is invalid. */
static bool read_motion(looking *l)
{
    const scree_motion *motion = l->d->motion;
    scree_speeds *speeds = &l->plan->speeds;
    int dimensions = l->d->def.dimensions;
    l->motion.has_arms = motion->arm.data != NULL;
    for (int k = 0; k < 3; k++)
        l->motion.velocity[k] =
            k < dimensions ? motion_column(l, motion->velocity[k], l->velocity[k]) : l->velocity[k];
    if (l->motion.has_arms) {
        for (int k = 0; k < 3; k++)
            l->motion.spin[k] = k >= scree_motion_first_spin(dimensions)
                                    ? motion_column(l, motion->spin[k], l->spin[k])
                                    : l->spin[k];
        l->motion.arm = motion_column(l, motion->arm, l->arm);
    }
    if (motion->constant.data)
        (void)motion_column(l, motion->constant, l->constant);
    if (l->has_passive)
        still_passive(l);
    if (!l->kernels->read_speeds(&l->motion, l->rows.count, l->speed, &speeds->largest) ||
        (motion->constant.data && !are_constants_usable(l)) ||
        (motion->kinds.data && !are_kinds_usable(l, motion)))
        return false;
    if (l->d->margin.def.kind == SCREE_MARGIN_BINS)
        for (uint32_t row = 0; row < l->rows.count; row++)
            if (!is_passive(l, row))
                scree_margin_add_speed(&l->d->margin, speeds, l->id[row], l->speed[row]);
    return true;
}

/* ---- what is known of them ---- */

/*  A column by id, in the order of the rows: where it lies, if that will do. */
static const double *known_column(const looking *l, const double *by_id, double *column)
{
    uint32_t count = l->rows.count;
    if (!l->table->ids.data && count % 8 == 0)
        return by_id + l->rows.begin;
    for (uint32_t row = 0; row < count; row++)
        column[row] = by_id[l->id[row]];
    fill_lanes(column, count);
    return column;
}

static void gather_boxes(looking *l)
{
    for (uint32_t row = 0; row < l->rows.count; row++) {
        const scree_box *box = &l->d->store.box[l->id[row]];
        for (int k = 0; k < 3; k++) {
            l->mapped[k][row] = box->lower[k];
            l->mapped[3 + k][row] = box->upper[k];
        }
    }
    for (int k = 0; k < 6; k++) {
        fill_lanes(l->mapped[k], l->rows.count);
        l->block.mapped[k] = l->mapped[k];
    }
}

/*  Kernels load the rows of spheres themselves, of whole lanes. */
static void name_spheres(looking *l)
{
    for (uint32_t row = l->rows.count; row % 8 != 0; row++)
        l->id[row] = l->id[l->rows.count - 1];
    l->block.sphere = l->d->store.sphere[0];
    l->block.id = l->id;
}

/*  Tolerance: a body of another kind, or with another constant, must be mapped again. */
static void compare_kinds(looking *l)
{
    const scree_motion *motion = l->d->motion;
    const scree_margin *margin = &l->d->margin;
    for (uint32_t row = 0; row < l->rows.count; row++) {
        uint8_t kind = SCREE_PIECE_BALL;
        if (motion)
            scree_integers_read(motion->kinds, l->rows.begin + row, &kind, sizeof kind);
        l->block.must[row / 8] |= (uint8_t)((kind != margin->kind[l->id[row]]) << row % 8);
    }
}

static void hold_against_mapped(looking *l)
{
    const scree_margin *margin = &l->d->margin;
    look_block *b = &l->block;
    b->count = l->rows.count;
    for (int k = 0; k < 6; k++)
        b->number[k] = l->rows.number[k];
    if (l->d->store.sphere)
        name_spheres(l);
    else
        gather_boxes(l);
    b->allowance = known_column(l, margin->allowance, l->allowance);
    if (l->d->store.sphere)
        b->size = known_column(l, margin->size, l->size);
    else /* one column less to read if they are the same */
        b->growth = b->constant ? known_column(l, margin->growth, l->growth) : b->allowance;
    memset(b->must, 0, sizeof b->must);
    if (b->constant) {
        b->mapped_constant = known_column(l, margin->constant, l->mapped_constant);
        if (!l->d->motion || !l->d->motion->constant.data)
            for (uint32_t row = 0; row < SCREE_BLOCK_ROWS; row++)
                l->constant[row] = margin->def.constant;
        compare_kinds(l);
    }
    if (l->d->store.sphere)
        l->kernels->look_at_spheres(b);
    else
        l->kernels->look_at_boxes(b);
}

/* ---- which bodies must be mapped: with a tolerance one by one, otherwise all if one must ---- */

/*  Tolerance: a body can be mapped alone, if its tolerance is valid. */
static bool may_be_mapped(const looking *l, size_t index)
{
    scree_row row;
    (void)scree_change_read(l->d, l->table, index, &row, NULL);
    scree_row_motion row_motion = scree_detector_row_motion(l->d, &row, index);
    return scree_plan_check_row_motion(l->d, &row, index, &row_motion, true) == SCREE_OK;
}

static bool list_rows(looking *l)
{
    if (!l->block.constant) {
        for (uint32_t k = 0; k < sizeof l->block.must; k++)
            l->plan->all_must |= l->block.must[k] != 0;
        return true;
    }
    for (uint32_t row = 0; row < l->rows.count; row++) {
        if (l->block.must[row / 8] == 0) {
            row |= 7;
            continue;
        }
        size_t index = l->rows.begin + row;
        if (!(l->block.must[row / 8] >> row % 8 & 1))
            continue;
        if (!may_be_mapped(l, index))
            return false;
        l->d->rows[l->plan->row_count++] = (uint32_t)index;
    }
    return true;
}

/* ---- all blocks ---- */

/*  Whether the block is valid, and its rows have the known properties of their bodies, except volumes. */
static bool is_same_set(looking *l)
{
    return scree_block_is_usable(&l->rows, l->table->volume, l->d->def.simd) && read_ids(l) &&
           (!l->has_filters || have_same_filters(l)) &&
           scree_block_fits_cell(&l->rows, l->table->volume, &l->d->images.cell, l->d->def.simd);
}

static bool look_at_block(looking *l)
{
    return is_same_set(l) && (!l->d->motion || read_motion(l)) &&
           (hold_against_mapped(l), list_rows(l));
}

/*  Whether no body of the block starting there can have left its margin, from the largest displacement. */
static bool is_block_spared(looking *l, size_t begin, bool is_known)
{
    scree_detector *d = l->d;
    size_t block = begin / SCREE_BLOCK_ROWS;

    return is_known &&
           scree_leeway_lasts(&d->leeway, block, scree_view_read(d->motion->travel, block));
}

static void note_leeway(looking *l)
{
    double least = INFINITY;

    for (uint32_t row = 0; row < l->rows.count; row++)
        least = fmin(
            least, scree_leeway_of(l->block.allowance[row], l->block.moved[row], l->block.largest));
    l->d->leeway.left[l->rows.begin / SCREE_BLOCK_ROWS] = least;
}

static void measure_block(looking *l)
{
    l->block.count = l->rows.count;
    for (int k = 0; k < 6; k++)
        l->block.number[k] = l->rows.number[k];
    l->kernels->measure(&l->block, l->table->volume == SCREE_SPHERES);
}

static void read_block(looking *l, size_t begin)
{
    scree_block_read(l->table, l->d->def.dimensions, begin, l->table->count, &l->rows);
}

/*  All bodies will be mapped: measures what the length of the run depends on. Rows from `measured` on were measured. */
static void measure_all(looking *l, size_t measured)
{
    scree_plan *p = l->plan;
    for (size_t begin = 0; begin < measured; begin += SCREE_BLOCK_ROWS) {
        read_block(l, begin);
        measure_block(l);
    }
    p->smallest = l->block.smallest;
    p->farthest = l->block.farthest;
    /* bodies in another order are mapped by their rows, which were checked */
    p->is_in_order = !l->table->ids.data;
    p->are_named = true;
}

scree_look scree_look_at_all(scree_detector *d, const scree_table *table, scree_plan *plan)
{
    const bool singly = d->margin.def.kind == SCREE_MARGIN_TOLERANCE;
    looking l;
    begin_looking(&l, d, table, plan);
    l.has_filters = d->store.has_filters || table->flags.data;
    /* ids are needed only if rows may be of any body */
    if (table->ids.data && scree_store_begin(&d->store))
        return SCREE_LOOK_CLOSER;
    const bool follows = scree_look_follows_travel(d, table);
    const bool is_known = follows && plan->known_rows == table->count;
    size_t measured = table->count; /* from the first row that must be mapped on */
    for (size_t begin = 0; begin < table->count; begin += SCREE_BLOCK_ROWS) {
        /* once all must be mapped, all are measured */
        if (!plan->all_must && is_block_spared(&l, begin, is_known))
            continue;
        read_block(&l, begin);
        if (!look_at_block(&l))
            return SCREE_LOOK_CLOSER;
        if (follows)
            note_leeway(&l);
        if (plan->all_must) {
            measured = begin < measured ? begin : measured;
            measure_block(&l);
        }
    }
    d->leeway.rows = follows ? table->count : 0;
    plan->present = table->count;
    plan->used = l.block.used;
    plan->late = l.block.late;
    bool is_due = scree_margin_is_due(&d->margin, &plan->speeds);
    if (!is_due && !plan->all_must)
        return SCREE_LOOK_DONE;
    if (singly)
        return SCREE_LOOK_CLOSER;
    measure_all(&l, measured);
    return SCREE_LOOK_ALL;
}

bool scree_look_at_rest(scree_detector *d, const scree_table *table, scree_plan *plan)
{
    looking l;
    if (table->ids.data || !scree_look_fits(d, table))
        return false;
    memset(plan, 0, sizeof *plan);
    begin_looking(&l, d, table, plan);
    l.has_filters = d->store.has_filters || table->flags.data;
    for (size_t begin = 0; begin < table->count; begin += SCREE_BLOCK_ROWS) {
        read_block(&l, begin);
        measure_block(&l);
        if (!is_same_set(&l))
            return false;
    }
    plan->smallest = l.block.smallest;
    plan->farthest = l.block.farthest;
    plan->is_in_order = true;
    return true;
}

/* ---- mapping ---- */

/*  In a periodic cell growth may be limited: row by row. */
static void enlarge_in_cell(looking *l, uint32_t row, uint32_t id,
                            const scree_row_motion *row_motion)
{
    scree_row one = {.id = id};
    for (int k = 0; k < 6; k++)
        one.number[k] = l->rows.number[k][row];
    scree_margin_place(&l->d->margin, &one, row_motion);
    for (int k = 0; k < 6; k++)
        l->rows.copy[k][row] = one.number[k];
}

/*  Writes the rows of a block, enlarged by the growth of their bodies, to its copies. */
static void enlarge_block(looking *l)
{
    const double *growth = l->d->margin.growth + l->rows.begin;
    double(*copy)[SCREE_BLOCK_ROWS] = l->rows.copy;
    const double *const *number = l->rows.number;
    if (l->table->volume == SCREE_SPHERES) {
        for (uint32_t row = 0; row < l->rows.count; row++)
            copy[3][row] = number[3][row] + growth[row];
        fill_lanes(copy[3], l->rows.count);
        l->rows.number[3] = copy[3];
        return;
    }
    for (int k = 0; k < l->d->def.dimensions; k++) {
        for (uint32_t row = 0; row < l->rows.count; row++) {
            copy[k][row] = number[k][row] - growth[row];
            copy[3 + k][row] = number[3 + k][row] + growth[row];
        }
        fill_lanes(copy[k], l->rows.count);
        fill_lanes(copy[3 + k], l->rows.count);
        l->rows.number[k] = copy[k];
        l->rows.number[3 + k] = copy[3 + k];
    }
}

/*  Whether all bodies of a block grow by the same, and none of them is limited by a periodic cell. */
static bool grow_evenly(const looking *l)
{
    const scree_margin *margin = &l->d->margin;
    double widest = 0;
    if (margin->def.kind != SCREE_MARGIN_SKIN && margin->def.kind != SCREE_MARGIN_STRIDE)
        return false;
    if (!l->d->search.images)
        return true;
    for (uint32_t row = 0; row < l->rows.count; row++)
        widest = l->rows.number[3][row] > widest ? l->rows.number[3][row] : widest;
    return l->table->volume == SCREE_SPHERES &&
           scree_margin_even_growth(margin) <= scree_margin_room_for_sphere(margin, widest);
}

/*  What scree_margin_choose and enlarge_in_cell do, for a block that grows evenly. */
static void map_evenly(looking *l, const double *size)
{
    scree_margin *margin = &l->d->margin;
    const uint32_t count = l->rows.count;
    const size_t begin = l->rows.begin;
    const double growth = scree_margin_even_growth(margin);
    double largest = 0;
    for (uint32_t row = 0; row < count; row++)
        largest = size[row] > largest ? size[row] : largest;
    margin->largest = fmax(margin->largest, largest + growth);
    for (uint32_t row = 0; row < count; row++)
        margin->growth[begin + row] = growth;
    memcpy(margin->allowance + begin, margin->growth + begin, count * sizeof growth);
    memcpy(margin->size + begin, size, count * sizeof growth);
    for (uint32_t row = 0; row < count && l->d->dt > 0; row++)
        scree_margin_add_speed(margin, &margin->last, (uint32_t)(begin + row), l->speed[row]);
    margin->must_run |= !(l->d->dt > 0) && scree_margin_is_scheduled(margin);
    enlarge_block(l);
}

static void map_singly(looking *l, const double *size)
{
    scree_detector *d = l->d;
    scree_margin *margin = &d->margin;
    scree_row_motion row_motion = {0, d->dt, margin->def.constant, 0, SCREE_PIECE_BALL};
    for (uint32_t row = 0; row < l->rows.count; row++) {
        uint32_t id = (uint32_t)l->rows.begin + row;
        row_motion.speed = l->speed[row];
        row_motion.moved = l->block.moved[row];
        if (d->search.images) {
            enlarge_in_cell(l, row, id, &row_motion);
            continue;
        }
        scree_margin_choose(margin, id, size[row], &row_motion);
        margin->largest = fmax(margin->largest, size[row] + margin->growth[id]);
    }
    if (!d->search.images) {
        enlarge_block(l);
        return;
    }
    for (int k = 0; k < 6; k++) {
        fill_lanes(l->rows.copy[k], l->rows.count);
        l->rows.number[k] = l->rows.copy[k];
    }
}

static void map_block(looking *l)
{
    scree_detector *d = l->d;
    const double *size = l->rows.number[3];
    if (l->table->volume != SCREE_SPHERES) {
        measure_block(l);
        size = l->block.measured;
    }
    if (grow_evenly(l))
        map_evenly(l, size);
    else
        map_singly(l, size);
    scree_block_place(&l->rows, NULL, l->table->volume, d->def.dimensions, d->def.simd,
                      d->store.sphere, d->store.box, &d->store.bounds);
}

void scree_look_map_all(scree_detector *d, const scree_table *table, scree_plan *plan)
{
    looking l;
    begin_looking(&l, d, table, plan);
    memset(l.block.moved, 0, sizeof l.block.moved);
    scree_store_forget_bounds(&d->store);
    for (size_t begin = 0; begin < table->count; begin += SCREE_BLOCK_ROWS) {
        read_block(&l, begin);
        (void)read_ids(&l);
        if (d->motion)
            (void)read_motion(&l);
        if (d->margin.def.kind == SCREE_MARGIN_PER_BODY)
            hold_against_mapped(&l);
        map_block(&l);
    }
}

/* ---- speeds alone ---- */

/*  The first row of the block with invalid motion. */
static scree_status explain_motion(const looking *l)
{
    scree_detector *d = l->d;
    size_t index = l->rows.begin;
    for (; index + 1 < l->rows.begin + l->rows.count; index++) {
        const scree_row row = {.id = (uint32_t)index};
        if (d->store.position[index] == SCREE_NOT_ACTIVE)
            continue;
        scree_row_motion row_motion = scree_detector_row_motion(d, &row, index);
        if (scree_plan_check_row_motion(d, &row, index, &row_motion, false))
            break;
    }
    return scree_motion_explain(d->motion, d->def.dimensions, index, (uint32_t)index, &d->error);
}

/*  Reads the motion of the rows in the order of ids; stops at the first invalid one. */
static bool read_all_motion(looking *l, size_t count)
{
    for (size_t begin = 0; begin < count; begin += SCREE_BLOCK_ROWS) {
        l->rows.begin = begin;
        l->rows.count =
            count - begin < SCREE_BLOCK_ROWS ? (uint32_t)(count - begin) : SCREE_BLOCK_ROWS;
        (void)read_ids(l);
        if (!read_motion(l))
            return false;
    }
    return true;
}

bool scree_look_is_motion_usable(scree_detector *d, size_t count)
{
    static const scree_table no_ids;
    scree_plan unused;
    looking l;
    memset(&unused, 0, sizeof unused);
    begin_looking(&l, d, &no_ids, &unused);
    l.has_passive = false;
    return read_all_motion(&l, count);
}

scree_status scree_look_at_speeds(scree_detector *d, size_t count, scree_plan *plan)
{
    static const scree_table no_ids;
    looking l;
    begin_looking(&l, d, &no_ids, plan);
    if (!read_all_motion(&l, count))
        return explain_motion(&l);
    plan->present = count;
    return SCREE_OK;
}
