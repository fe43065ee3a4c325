/*  Scripts of calls over placed bodies. The reference runs along while a script is written, so that
    a step can name bodies that are there, or on purpose ones that are not. */
#include "generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  A scene being written. */
typedef struct writer
{
    scree_random random;
    test_scene *scene;
    reference_model reference;
    scene_row *spare; /* bodies as placed: those of the first update, and more to come */
    uint32_t count, spare_count, next_spare;
    uint32_t *ids; /* of inserted bodies */
    double speed;
    bool is_hostile; /* some calls are wrong */
} writer;

static bool chance(writer *w, uint32_t percent)
{
    return scree_random_below(&w->random, 100) < percent;
}

/* ---- bodies ---- */

/*  The frame of coordinates: the same bodies far out, tiny, or on both sides of zero. */
typedef struct frame
{
    const char *name;
    double scale, offset;
    bool fits_float;
} frame;

static const frame frames[] = {
    {"", 1, 0, true},           {"negative", 1, -1000, true},
    {"far", 0.001, 1e12, true}, {"huge", 1e85, 1e99, false},
    {"tiny", 1e-160, 0, false}, {"denormal", 1e-310, 0, false},
};

static void row_from_blob(const test_scene *scene, const blob *b, const frame *f, scene_row *row)
{
    memset(row, 0, sizeof *row);
    for (int k = 0; k < 3; k++) {
        double centre = b->centre[k] * f->scale + f->offset, half = b->half[k] * f->scale;
        if (scene->volume == SCREE_SPHERES) {
            row->number[k] = centre;
        } else {
            row->number[k] = centre - half;
            row->number[3 + k] = centre + half;
        }
    }
    if (scene->volume == SCREE_SPHERES)
        row->number[3] = b->half[0] * f->scale;
    row->group = row->mask = UINT64_MAX;
}

/*  Numbers that are handed over as float are floats from the beginning. */
static void narrow(const test_scene *scene, scene_row *row)
{
    for (int k = 0; k < 6; k++)
        if ((scene->floats >> k) & 1)
            row->number[k] = (double)(float)row->number[k];
}

static void round_floats(const test_scene *scene, scene_row *row)
{
    narrow(scene, row);
    /* a box whose ends are rounded differently could turn inside out */
    for (int k = 0; k < 3 && scene->volume == SCREE_BOXES; k++)
        if (((scene->floats >> k) & 1) != ((scene->floats >> (3 + k)) & 1) &&
            row->number[k] > row->number[3 + k])
            row->number[k] = row->number[3 + k] = (double)(float)row->number[k];
}

static void spoil(writer *w, scene_row *row)
{
    static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e300, -1.5e100};
    int k;
    do
        k = (int)scree_random_below(&w->random, 6);
    while (!scene_number_used(w->scene, k));
    if (chance(w, 25) && w->scene->volume == SCREE_SPHERES)
        row->number[3] = -1;
    else if (chance(w, 25) && w->scene->volume == SCREE_BOXES)
        row->number[3] = row->number[0] - 1;
    else
        row->number[k] = bad[scree_random_below(&w->random, 5)];
    narrow(w->scene, row);
}

static void decorate(writer *w, scene_row *row, uint32_t percent)
{
    uint32_t columns = w->scene->columns;
    if ((columns & SCENE_FLAGS) && chance(w, percent))
        row->flags = (uint8_t)(1u << scree_random_below(&w->random, 3));
    if ((columns & SCENE_FLAGS) && chance(w, 2))
        row->flags = (uint8_t)scree_random_below(&w->random, 8);
    if (columns & SCENE_GROUPS)
        row->group = scree_random_below(&w->random, 8) | (chance(w, 50) ? (uint64_t)1 << 63 : 0);
    if (columns & SCENE_MASKS)
        row->mask = chance(w, 50) ? UINT64_MAX : scree_random_below(&w->random, 16);
    if (columns & SCENE_OWNERS)
        row->owner = scree_random_below(&w->random, 4 + w->count / 4);
}

static void place_bodies(writer *w, const placement *p, const frame *f)
{
    uint32_t total = w->spare_count;
    blob *blobs = scene_memory((total + 1) * sizeof *blobs);
    bool has_bad = chance(w, 12);
    uint32_t flagged = chance(w, 20) ? 40 : 8;

    if (total)
        p->place(&w->random, blobs, total, w->scene->dimensions);
    for (uint32_t i = 0; i < total; i++) {
        scene_row *row = &w->spare[i];
        row_from_blob(w->scene, &blobs[i], f, row);
        decorate(w, row, flagged);
        round_floats(w->scene, row);
        if (has_bad && chance(w, 10))
            spoil(w, row);
    }
    free(blobs);
}

/* ---- steps ---- */

static scene_row next_spare(writer *w)
{
    return w->spare[w->next_spare++ % w->spare_count];
}

static void finish_step(writer *w)
{
    scene_step *step = &w->scene->steps[w->scene->step_count - 1];
    uint32_t room = step->count + 1;
    w->ids = realloc(w->ids, room * sizeof *w->ids);
    if (!w->ids)
        exit(2);
    (void)reference_step(&w->reference, step, w->ids);
    if (chance(w, 70))
        step->checks = 1u << scree_random_below(&w->random, 6);
    if (chance(w, 10))
        step->checks = SCENE_CHECK_ALL;
}

static void move_row(writer *w, scene_row *row)
{
    int dimensions = w->scene->dimensions;
    if (chance(w, 2)) {
        /* it teleports */
        scene_row other = next_spare(w);
        memcpy(row->number, other.number, sizeof row->number);
        return;
    }
    for (int k = 0; k < dimensions; k++) {
        double by = w->speed * scree_random_range(&w->random, -1, 1);
        row->number[k] += by;
        if (w->scene->volume == SCREE_BOXES)
            row->number[3 + k] += by;
    }
    if (chance(w, 1))
        decorate(w, row, 20);
    round_floats(w->scene, row);
}

static void write_first(writer *w)
{
    scene_add_step(w->scene, SCENE_UPDATE);
    uint32_t stride = chance(w, 30) ? 3 : 1, shift = chance(w, 30) ? 2 : 0;
    bool is_shuffled = chance(w, 40);
    for (uint32_t i = 0; i < w->count; i++) {
        scene_row *row = scene_append_row(w->scene);
        *row = next_spare(w);
        row->id = w->scene->columns & SCENE_IDS ? i * stride + shift : i;
    }
    scene_row *rows = w->scene->rows;
    for (uint32_t i = 1; is_shuffled && i < w->count && (w->scene->columns & SCENE_IDS); i++) {
        uint32_t j = scree_random_below(&w->random, i + 1), id = rows[i].id;
        rows[i].id = rows[j].id;
        rows[j].id = id;
    }
    finish_step(w);
}

/*  All bodies move; without the column of ids those that are left are numbered again. */
static void write_update(writer *w)
{
    uint32_t bound = reference_id_bound(&w->reference), row_id = 0;
    bool thins_out = chance(w, 5);
    scene_add_step(w->scene, SCENE_UPDATE);
    for (uint32_t id = 0; id < bound; id++) {
        if (!(w->reference.state[id] & REFERENCE_PRESENT) || (thins_out && chance(w, 20)))
            continue;
        scene_row *row = scene_append_row(w->scene);
        *row = w->reference.body[id];
        row->id = w->scene->columns & SCENE_IDS ? id : row_id++;
        move_row(w, row);
    }
    finish_step(w);
}

static void write_dirty(writer *w)
{
    uint32_t bound = reference_id_bound(&w->reference);
    uint32_t percent = chance(w, 30) ? 100 : 1 + scree_random_below(&w->random, 30);
    scene_add_step(w->scene, SCENE_DIRTY)->backwards = chance(w, 30);
    for (uint32_t id = 0; id < bound; id++) {
        bool there = (w->reference.state[id] & REFERENCE_PRESENT) != 0;
        bool chosen = there && chance(w, percent);
        if (!chosen && (w->scene->columns & SCENE_IDS) && chance(w, 80))
            continue;
        scene_row *row = scene_append_row(w->scene);
        *row = w->reference.body[id];
        row->id = id;
        row->chosen = chosen || (w->is_hostile && chance(w, 2));
        move_row(w, row);
        if (w->is_hostile && chance(w, 2))
            spoil(w, row);
    }
    finish_step(w);
}

static uint32_t unused_id(writer *w)
{
    uint32_t bound = reference_id_bound(&w->reference) + 4;
    for (int tries = 0; tries < 20; tries++) {
        uint32_t id = scree_random_below(&w->random, bound);
        if (id >= w->reference.bound || !(w->reference.state[id] & REFERENCE_PRESENT))
            return id;
    }
    return bound;
}

static void write_insert(writer *w, scene_step_kind kind)
{
    uint32_t count = 1 + scree_random_below(&w->random, chance(w, 80) ? 3 : 12);
    scene_add_step(w->scene, kind);
    for (uint32_t i = 0; i < count; i++) {
        scene_row *row = scene_append_row(w->scene);
        *row = next_spare(w);
        /* ids that go up, so that no two of one call are the same; unless that is wanted */
        row->id = i == 0                          ? unused_id(w)
                  : w->is_hostile && chance(w, 5) ? row[-1].id
                                                  : row[-1].id + 1;
        while (!w->is_hostile && row->id < w->reference.bound &&
               (w->reference.state[row->id] & REFERENCE_PRESENT))
            row->id++;
        if (w->is_hostile && chance(w, 3))
            spoil(w, row);
        if (w->is_hostile && chance(w, 2))
            row->flags |= 0x18;
    }
    finish_step(w);
}

static void write_remove(writer *w)
{
    uint32_t bound = reference_id_bound(&w->reference);
    uint32_t percent = chance(w, 10) ? 100 : 1 + scree_random_below(&w->random, 20);
    scene_add_step(w->scene, SCENE_REMOVE);
    for (uint32_t id = 0; id < bound; id++) {
        bool there = (w->reference.state[id] & REFERENCE_PRESENT) != 0;
        if ((there && chance(w, percent)) || (w->is_hostile && chance(w, 1)))
            scene_append_row(w->scene)->id = id;
    }
    finish_step(w);
}

/* ---- queries ---- */

/*  A place near bodies, or on one to the last bit. */
static void query_point(writer *w, double point[3])
{
    const scene_row *row = &w->spare[scree_random_below(&w->random, w->spare_count)];
    for (int k = 0; k < 3; k++) {
        double wanted = k < w->scene->dimensions ? row->number[k] : 0;
        if (chance(w, 70) && k < w->scene->dimensions)
            wanted += w->speed * scree_random_range(&w->random, -30, 30);
        point[k] =
            fabs(wanted) <= SCREE_MAX_COORDINATE || (w->is_hostile && chance(w, 10)) ? wanted : 0;
    }
}

static void write_query(writer *w)
{
    double a[3], b[3], size = w->speed * scree_random_range(&w->random, 0, 40);
    double t_max = chance(w, 30) ? HUGE_VAL : scree_random_range(&w->random, 0, 3);
    scree_query query;
    query_point(w, a);
    query_point(w, b);
    switch (scree_random_below(&w->random, 5)) {
    case 0:
        for (int k = 0; k < 3 && chance(w, 90); k++) {
            double lower = a[k] < b[k] ? a[k] : b[k];
            b[k] = a[k] < b[k] ? b[k] : a[k];
            a[k] = lower;
        }
        query = scree_query_box(a, chance(w, 10) ? a : b);
        break;
    case 1:
        query = scree_query_sphere(a, chance(w, 20) ? 0 : chance(w, 10) ? 1e99 : size);
        break;
    case 2:
        query = scree_query_nearest(a, scree_random_below(&w->random, w->count + 3));
        break;
    default:
        for (int k = 0; k < 3; k++)
            b[k] = chance(w, 30) ? 0 : b[k] - a[k];
        query = chance(w, 50) ? scree_query_ray(a, b, t_max) : scree_query_ray_first(a, b, t_max);
    }
    if (chance(w, 15))
        query.groups = scree_random_below(&w->random, 8);
    scene_add_step(w->scene, SCENE_QUERY)->query = query;
}

/* ---- scripts ---- */

static void write_steps(writer *w, uint32_t count, bool churns)
{
    for (uint32_t s = 0; s < count; s++) {
        uint32_t roll = scree_random_below(&w->random, 100);
        if (w->spare_count && chance(w, 25))
            write_query(w);
        if (!churns || w->spare_count == 0)
            write_update(w);
        else if (roll < 20)
            write_update(w);
        else if (roll < 45)
            write_dirty(w);
        else if (roll < 60)
            write_insert(w, SCENE_INSERT);
        else if (roll < 75)
            write_insert(w, SCENE_INSERT_NEW);
        else if (roll < 98)
            write_remove(w);
        else {
            scene_add_step(w->scene, SCENE_CLEAR);
            finish_step(w);
        }
    }
    w->scene->steps[w->scene->step_count - 1].checks |= SCENE_CHECK_PAIRS;
}

static void choose_parameters(writer *w, const frame *f)
{
    test_scene *s = w->scene;
    s->dimensions = chance(w, 50) ? 2 : 3;
    s->volume = chance(w, 50) ? SCREE_SPHERES : SCREE_BOXES;
    s->unusable = chance(w, 75) ? SCREE_SKIP_BODY : SCREE_REFUSE_CALL;
    s->coarse = chance(w, 4);
    s->columns = (chance(w, 50) ? SCENE_IDS : 0) | (chance(w, 10) ? SCENE_GROUPS : 0) |
                 (chance(w, 8) ? SCENE_MASKS : 0) | (chance(w, 10) ? SCENE_OWNERS : 0) |
                 (chance(w, 30) ? SCENE_FLAGS : 0);
    s->floats = !f->fits_float  ? 0
                : chance(w, 20) ? 63
                : chance(w, 10) ? scree_random_below(&w->random, 64)
                                : 0;
    s->padding = chance(w, 50) ? 0 : scree_random_below(&w->random, 14);
    s->by_columns = chance(w, 40);
    s->cell_factor = chance(w, 70) ? 1 : scree_random_range(&w->random, 1, 4);
    s->bin_factor = chance(w, 70) ? 1.5 : scree_random_log_uniform(&w->random, 0.2, 20);
    s->stripe_factor = chance(w, 60) ? 2 : scree_random_log_uniform(&w->random, 0.1, 10);
    s->stripe_naive = chance(w, 40);
    s->sort_by_insertion = chance(w, 50);
    s->rtree_max_entries = chance(w, 60) ? 16 : 4 + scree_random_below(&w->random, 61);
    s->rtree_min_entries = 2 + scree_random_below(&w->random, s->rtree_max_entries / 2 - 1);
    /* from a stream of its own: the bodies do not depend on it */
    scree_random other = scree_random_stream(s->seed, 2);
    s->method_seed = scree_random_below(&other, 2) ? scree_random_u64(&other) : 0;
}

static uint32_t choose_count(writer *w, const generate_options *options, bool is_dense)
{
    uint32_t roll = scree_random_below(&w->random, 100);
    if (options->max_bodies)
        return is_dense ? 200
                        : options->min_bodies +
                              scree_random_below(&w->random,
                                                 options->max_bodies - options->min_bodies + 1);
    if (roll < 4)
        return scree_random_below(&w->random, 2);
    if (roll < 40)
        return scree_random_below(&w->random, 12);
    if (roll < 92)
        return 10 + scree_random_below(&w->random, 40);
    return 50 + scree_random_below(&w->random, 151);
}

test_scene scene_generate(uint64_t seed, const generate_options *options)
{
    static const generate_options small = {0, 0, 0};
    test_scene made;
    writer w;
    memset(&made, 0, sizeof made);
    memset(&w, 0, sizeof w);
    w.random = scree_random_stream(seed, 1);
    w.scene = &made;
    options = options ? options : &small;

    const placement *p =
        &harness_placements[scree_random_below(&w.random, harness_placement_count)];
    const frame *f = &frames[chance(&w, 65) ? 0 : scree_random_below(&w.random, 6)];
    uint32_t script = scree_random_below(&w.random, 10);
    static const char *const scripts[] = {"static", "moving", "churn", "hostile"};
    uint32_t kind = script < 2 ? 0 : script < 5 ? 1 : script < 8 ? 2 : 3;

    made.seed = seed;
    (void)snprintf(made.name, sizeof made.name, "%s%s%s/%s", p->name, f->name[0] ? "/" : "",
                   f->name, scripts[kind]);
    choose_parameters(&w, f);
    w.count = choose_count(&w, options, p->is_dense);
    w.spare_count = w.count == 0 && chance(&w, 50) ? 0 : w.count + 8;
    w.spare = scene_memory((w.spare_count + 1) * sizeof *w.spare);
    w.speed = f->scale * scree_random_log_uniform(&w.random, 0.005, 0.5);
    w.is_hostile = kind == 3;
    reference_init(&w.reference, &made, REFERENCE_HONEST);
    place_bodies(&w, p, f);
    if (w.count)
        write_first(&w);

    uint32_t steps = kind == 0 ? 1 : 1 + scree_random_below(&w.random, 6);
    if (steps < options->min_steps)
        steps = options->min_steps;
    write_steps(&w, steps, kind >= 2);
    reference_free(&w.reference);
    free(w.spare);
    free(w.ids);
    return made;
}
