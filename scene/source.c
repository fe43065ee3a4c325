/*  Sources. A fill adds all its bodies at the start, the largest first; a pour adds at each of its times as many as
    are due and have room. The bodies of one call are added to the world together or not at all, and only then the
    course changes. */
#include "base/error.h"
#include "pack.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILL_TRIALS 20000u /* per body */
/*  Average trials for all bodies: random placement fills a third, but of wide size distributions hardly more, and
    slowly. */
#define LOOSE 0.33
#define FILL_TRIALS_LOOSE 200u
#define FILL_TRIALS_CROWDED 4u
/*  pi / sqrt(18), and pi / sqrt(12). */
#define DENSEST_SPHERES 0.74048048969306104
#define DENSEST_DISCS 0.90689968211710892
#define POUR_TRIALS 200u
#define MIN_TO_REPORT 10u /* bodies that wait */

/*  Each source has two random streams: the sequence of sizes does not depend on where bodies fit. */
static scree_random sizes_of(const scree_scene *scene, size_t index, uint64_t at)
{
    scree_random random = scree_random_stream(scene->plan.seed, SCENE_SOURCE_STREAM + 2 * index);
    random.next = at;
    return random;
}

static scree_random places_of(const scree_scene *scene, size_t index, uint64_t at)
{
    scree_random random =
        scree_random_stream(scene->plan.seed, SCENE_SOURCE_STREAM + 2 * index + 1);
    random.next = at;
    return random;
}

static double mass_of(const scree_scene *scene, const scree_scene_source *source, double drawn)
{
    return scene->plan.materials[source->material - 1].density *
           scene_volume_of(&source->radius, drawn, scene->plan.world.dimensions);
}

/*  Of the lightest body that may be drawn. */
static double min_mass_of(const scree_scene *scene, const scree_scene_source *source)
{
    const scree_scene_sizes *sizes = &source->radius;
    double least = sizes->stones ? INFINITY : mass_of(scene, source, sizes->lower);

    for (uint32_t k = 1; sizes->stones && k <= sizes->table_count; k++)
        least = fmin(least, mass_of(scene, source, k));
    return least;
}

/*  After a failure there is nothing to end. */
static scree_status begin_places(scene_placer *placer, const scree_scene *scene, scree_world *world,
                                 const scree_scene_source *source, double largest,
                                 scree_error *error)
{
    scree_status status = scene_placer_begin(placer, scene, world, &source->region, largest, error);

    if (status)
        return status;
    status = scene_placer_keep_off(placer, world, source, error);
    if (status)
        scene_placer_end(placer);
    return status;
}

/* ---- bodies on their way in ------------------------------------------------------------------------------ */

typedef struct newcomers
{
    scree_memory memory;
    scree_body_def *defs;
    size_t count, room;
} newcomers;

static scree_status add_newcomer(newcomers *bodies, const scree_scene *scene,
                                 const scree_scene_source *source, size_t index,
                                 const double centre[3], double drawn, scree_random *random)
{
    scree_body_def def = scree_default_body_def();
    const scree_scene_stone *stone = scene_stone_of(&source->radius, drawn);
    scree_status status = scree_memory_reserve(&bodies->memory, &bodies->defs, &bodies->room,
                                               bodies->count + 1, sizeof *bodies->defs);

    if (status)
        return status;
    def.shape = stone ? scene_shape_of(stone) : scree_shape_sphere(drawn);
    /* the bounding radius for finding a position; the world computes its own */
    def.shape.radius = scene_radius_of(&source->radius, drawn);
    def.material.index1 = source->material;
    def.groups = source->groups;
    def.mask = source->mask;
    def.user = index + 1;
    for (int k = 0; k < scene->plan.world.dimensions; k++) {
        def.position[k] = centre[k];
        def.velocity[k] =
            source->velocity[k] +
            (source->spread > 0 ? scree_random_range(random, -source->spread, source->spread) : 0);
    }
    if (stone)
        scene_turn_at_random(random, scene->plan.world.dimensions, def.orientation);
    bodies->defs[bodies->count++] = def;
    return SCREE_OK;
}

static scree_status enter_world(const scree_scene *scene, const newcomers *bodies,
                                scree_world *world, const scree_scene_source *source,
                                scree_error *error)
{
    scree_status status = scree_world_add_bodies(world, bodies->defs, bodies->count, NULL);

    if (!status)
        status = scene_heat_newcomers(world, source, bodies->count);
    return status ? scene_fail_at(scene, error, status, source->line, "%s: %s",
                                  source->is_pour ? "pour" : "fill", scree_world_message(world))
                  : SCREE_OK;
}

/* ---- fill ------------------------------------------------------------------------------------------------ */

/*  What was drawn for each body. */
typedef struct drawn_bodies
{
    double *drawn;
    size_t count, room;
} drawn_bodies;

static int compare_up(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int compare_down(const void *a, const void *b)
{
    return compare_up(b, a);
}

/*  Draws until the number, or the amount, is reached. The last body is taken if it brings the sum nearer to the
    amount. */
static scree_status draw_bodies(scree_scene *scene, const scree_scene_source *source, size_t index,
                                drawn_bodies *list, scree_memory *memory)
{
    int dimensions = scene->plan.world.dimensions;
    scree_random random = sizes_of(scene, index, 0);
    double wanted = source->solid_fraction > 0
                        ? source->solid_fraction * scene_volume(&source->region, dimensions)
                        : source->mass / scene->plan.materials[source->material - 1].density;
    double sum = 0;

    while (source->count ? list->count < source->count : sum < wanted) {
        double drawn = scene_draw_size(&source->radius, dimensions, &random);
        double volume = scene_volume_of(&source->radius, drawn, dimensions);
        if (!source->count && list->count > 0 && sum + volume - wanted > wanted - sum)
            break;
        scree_status status = scree_memory_reserve(memory, &list->drawn, &list->room,
                                                   list->count + 1, sizeof *list->drawn);
        if (status)
            return status;
        list->drawn[list->count++] = drawn;
        sum += volume;
    }
    scene->course.sources[index].sizes_at = random.next;
    return SCREE_OK;
}

/*  The fraction of the region that the bodies, or their bounding spheres, will fill. */
static double share_of(const scree_scene *scene, const scree_scene_source *source,
                       const drawn_bodies *list)
{
    int dimensions = scene->plan.world.dimensions;
    double volume = 0;

    for (size_t i = 0; i < list->count; i++)
        volume += scene_ball_volume(scene_radius_of(&source->radius, list->drawn[i]), dimensions);
    return volume / scene_volume(&source->region, dimensions);
}

static const char *who_takes(const scree_scene_source *source)
{
    return source->radius.stones ? "the balls around them" : "they";
}

/*  `reached`: the share of their radii to which all could grow; 0: unknown. */
static scree_status no_room(const scree_scene *scene, const scree_scene_source *source,
                            const drawn_bodies *list, size_t placed, double reached,
                            scree_error *error)
{
    bool is_flat = scene->plan.world.dimensions == 2;
    double share = share_of(scene, source, list);
    char found[100] = "";

    if (reached > 0)
        snprintf(found, sizeof found, "; growing from smaller ones they came to %.3g",
                 share * reached * reached * (is_flat ? 1 : reached));
    return scene_fail_at(
        scene, error, SCREE_TOO_LARGE, source->line,
        "fill: no room for %zu bodies: %s would take %.3g of the region; of one "
        "size about %s fits, less in a narrow one%s; %zu found a place, pushing none for the rest; "
        "ask for fewer, or pour",
        list->count, who_takes(source), share, is_flat ? "0.78" : "0.58", found, placed);
}

/*  An upper bound of the fraction that spheres completely inside can fill: 1, or for equal spheres in a box the
    density of the densest packing (Hales, Ann. Math. 162 (2005) 1065; for discs Thue). */
static double max_share(const scree_scene *scene, const scree_scene_source *source,
                        const drawn_bodies *list)
{
    double first = scene_radius_of(&source->radius, list->drawn[0]);
    double last = scene_radius_of(&source->radius, list->drawn[list->count - 1]);

    if (first != last || source->region.form != SCREE_FORM_BOX)
        return 1;
    return scene->plan.world.dimensions == 3 ? DENSEST_SPHERES : DENSEST_DISCS;
}

/*  Checked before any position is searched. */
static scree_status check_share(const scree_scene *scene, const scree_scene_source *source,
                                const drawn_bodies *list, scree_error *error)
{
    double share = share_of(scene, source, list), most = max_share(scene, source, list);

    if (!(share > most * (1 + 1e-9)))
        return SCREE_OK;
    return scene_fail_at(scene, error, SCREE_TOO_LARGE, source->line,
                         "fill: no room for %zu bodies: %s would take %.3g of the region, and "
                         "cannot take more than %.4g; ask for fewer, or a larger region",
                         list->count, who_takes(source), share, most);
}

typedef struct filling
{
    scree_scene *scene;
    scree_world *world;
    const scree_scene_source *source;
    size_t index;
    const drawn_bodies *list;
    scree_random random;
    newcomers bodies;
    double reached; /* see scene_pack */
    bool is_narrow; /* no position was found even with overlaps */
} filling;

/*  Places bodies one after the other at free positions, until that takes too many trials. */
static scree_status fill_by_chance(filling *f, scene_placer *placer, scree_error *error)
{
    bool is_free = share_of(f->scene, f->source, f->list) <= LOOSE;
    uint64_t mean = is_free ? FILL_TRIALS_LOOSE : FILL_TRIALS_CROWDED;
    uint64_t left = FILL_TRIALS + mean * f->list->count;
    double gap = f->source->gap, centre[3];
    scree_status status = SCREE_OK;
    bool found = true;

    for (size_t i = 0; i < f->list->count && found && !status; i++) {
        uint64_t trials = left < FILL_TRIALS ? left : FILL_TRIALS, before = trials;
        double drawn = f->list->drawn[i], radius = scene_radius_of(&f->source->radius, drawn);
        status = scene_find_place(placer, &f->random, radius, gap, &trials, centre, &found, error);
        left -= before - trials;
        if (!status && found)
            status = scene_take_place(placer, centre, radius * (1 + gap), error);
        if (!status && found &&
            add_newcomer(&f->bodies, f->scene, f->source, f->index, centre, drawn, &f->random))
            status = scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", f->scene->name);
    }
    return status;
}

/*  Places the remaining bodies where they overlap least; then all push each other apart. */
static scree_status fill_by_force(filling *f, scene_placer *placer, bool *found, scree_error *error)
{
    double gap = f->source->gap, centre[3];
    scree_status status = SCREE_OK;

    *found = true;
    while (f->bodies.count < f->list->count && *found && !status) {
        double drawn = f->list->drawn[f->bodies.count];
        double radius = scene_radius_of(&f->source->radius, drawn);
        status = scene_seek_place(placer, &f->random, radius, gap, centre, found, error);
        if (!status && *found)
            status = scene_take_place(placer, centre, radius * (1 + gap), error);
        if (!status && *found &&
            add_newcomer(&f->bodies, f->scene, f->source, f->index, centre, drawn, &f->random))
            status = scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", f->scene->name);
    }
    f->is_narrow = !*found;
    if (!status && *found)
        status = scene_pack(placer, f->world, gap, f->bodies.defs, f->bodies.count, found,
                            &f->reached, error);
    return status;
}

/*  Checks the positions found by relaxation with the rule of random placement. */
static scree_status check_places(const filling *f, scene_placer *placer, bool *found,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < f->bodies.count && *found && !status; i++) {
        const double *centre = f->bodies.defs[i].position;
        double radius = scene_radius_of(&f->source->radius, f->list->drawn[i]);
        double wide = radius * (1 + f->source->gap);
        bool meets;
        status = scene_meets_wall(placer, centre, wide, &meets);
        if (status)
            return scree_fail(error, status, "%s: out of memory", f->scene->name);
        *found = !meets && !scene_taken_overlaps(&placer->taken, centre, wide) &&
                 scene_holds_sphere(&f->source->region, placer->dimensions, centre, radius);
        status = scene_take_place(placer, centre, wide, error);
    }
    return status;
}

/*  The region is too narrow, rather than the bodies too many. */
static scree_status is_too_narrow(const filling *f, scree_error *error)
{
    return scene_fail_at(
        f->scene, error, SCREE_TOO_LARGE, f->source->line,
        "fill: no room for %zu bodies: %zu found a place; for the next, of radius %.4g, none "
        "was found that is wholly in the region, even over others: the region is "
        "too narrow for it; take smaller bodies, or a wider region",
        f->list->count, f->bodies.count,
        scene_radius_of(&f->source->radius, f->list->drawn[f->bodies.count]));
}

static scree_status place_bodies(filling *f, scree_error *error)
{
    scene_placer placer;
    double largest = scene_radius_of(&f->source->radius, f->list->drawn[0]) * (1 + f->source->gap);
    bool found = true;
    scree_status status = begin_places(&placer, f->scene, f->world, f->source, largest, error);

    if (status)
        return status;
    status = fill_by_chance(f, &placer, error);
    size_t placed = f->bodies.count;
    if (!status && f->bodies.count < f->list->count) {
        status = fill_by_force(f, &placer, &found, error);
        scene_placer_end(&placer);
        if (!status)
            status = begin_places(&placer, f->scene, f->world, f->source, largest, error);
        if (status)
            return status;
        bool was_found = found;
        status = check_places(f, &placer, &found, error);
        /* all had grown to full size, but some positions are not accepted */
        f->reached = was_found && !found ? 0 : f->reached;
    }
    scene_placer_end(&placer);
    if (!status && !found && f->is_narrow)
        status = is_too_narrow(f, error);
    else if (!status && !found)
        status = no_room(f->scene, f->source, f->list, placed, f->reached, error);
    f->scene->course.sources[f->index].places_at = f->random.next;
    return status;
}

/*  Reports the solid fraction reached: whole bodies never give exactly the requested one. */
static void tell_of_share(const scree_scene *scene, const scree_scene_source *source,
                          const drawn_bodies *list)
{
    int dimensions = scene->plan.world.dimensions;
    double volume = 0;
    char known[60] = "";

    for (size_t i = 0; i < list->count; i++)
        volume += scene_volume_of(&source->radius, list->drawn[i], dimensions);
    double whole = scene_volume(&source->region, dimensions);
    if (scene_is_composed(&source->region))
        snprintf(known, sizeof known, " (to %.2g %%)", 100 * source->region.volume_error / whole);
    scree_log_write(
        &scene->log, SCREE_LOG_INFO, (scree_log_id)0,
        "%s:%d: fill \"%s\": %zu bodies take %.4g of the region's %.4g m^%d%s, of %.4g that "
        "was asked for",
        scene->name, source->line, source->name, list->count, volume / whole, whole, dimensions,
        known, source->solid_fraction);
}

scree_status scene_run_fill(scree_scene *scene, scree_world *world, size_t index,
                            scree_error *error)
{
    const scree_scene_source *source = &scene->plan.sources[index];
    scene_source_state *state = &scene->course.sources[index];
    drawn_bodies list = {0};
    filling f = {.scene = scene,
                 .world = world,
                 .source = source,
                 .index = index,
                 .list = &list,
                 .random = places_of(scene, index, 0)};
    scree_memory memory;

    scree_memory_init(&memory, &scene->memory.allocator);
    scree_memory_init(&f.bodies.memory, &scene->memory.allocator);
    scree_status status = draw_bodies(scene, source, index, &list, &memory);
    if (status)
        scree_fail(error, status, "%s: out of memory", scene->name);
    if (!status && list.count > 0) {
        /* shapes are numbered from the largest on */
        qsort(list.drawn, list.count, sizeof *list.drawn,
              source->radius.stones ? compare_up : compare_down);
        status = check_share(scene, source, &list, error);
        if (!status)
            status = place_bodies(&f, error);
    }
    if (!status)
        status = enter_world(scene, &f.bodies, world, source, error);
    if (!status && source->solid_fraction > 0)
        tell_of_share(scene, source, &list);
    for (size_t i = 0; i < list.count && !status; i++)
        state->mass += mass_of(scene, source, list.drawn[i]);
    state->made = status ? 0 : list.count;
    scree_memory_give(&memory, &list.drawn, list.room, sizeof *list.drawn);
    scree_memory_give(&f.bodies.memory, &f.bodies.defs, f.bodies.room, sizeof *f.bodies.defs);
    return status;
}

/* ---- pour ------------------------------------------------------------------------------------------------ */

/*  Number of bodies removed by the sinks whose bodies return. */
static uint64_t count_returns(const scree_scene *scene, const scree_scene_source *source)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < source->return_count; i++)
        count += scene->course.sinks[source->returns[i] - 1].count;
    return count;
}

/*  Whether the next body, of this mass, is due. With a mass rate, a body is due when its whole mass is. */
static bool is_due(const scree_scene *scene, const scree_scene_source *source,
                   const scene_source_state *state, double time, double mass)
{
    double passed = (time < source->stop ? time : source->stop) - source->start;

    if (source->count && state->made >= source->count)
        return false;
    if (source->mass > 0 && state->mass + mass > source->mass * (1 + 1e-12))
        return false;
    if (source->return_count > 0)
        return passed >= 0 && time < source->stop && state->made < count_returns(scene, source);
    if (source->rate > 0)
        return (double)state->made + 1 <= source->rate * passed;
    return state->mass + mass <= source->mass_rate * passed;
}

static double waiting_bodies(const scree_scene *scene, const scree_scene_source *source,
                             const scene_source_state *state, double time)
{
    double passed = (time < source->stop ? time : source->stop) - source->start, due;

    if (source->return_count > 0)
        due = (double)count_returns(scene, source) - (double)state->made;
    else if (source->rate > 0)
        due = floor(source->rate * passed) - (double)state->made;
    else
        due =
            floor((source->mass_rate * passed - state->mass) / mass_of(scene, source, state->next));
    if (source->count && due > (double)(source->count - state->made))
        due = (double)(source->count - state->made);
    return due > 0 ? due : 0;
}

typedef struct pouring
{
    scree_scene *scene;
    const scree_scene_source *source;
    size_t index;
    scene_source_state state; /* the state after success */
    newcomers bodies;
} pouring;

/*  With few expected bodies, half of them. */
static uint64_t min_to_report(const scree_scene_source *source)
{
    uint64_t half = (source->count + 1) / 2;
    return source->count && half < MIN_TO_REPORT ? half : MIN_TO_REPORT;
}

/*  Warns once if more bodies wait than were placed recently: then the run does not follow the scene. */
static void tell_of_waiting(pouring *p, double radius, double time)
{
    if (p->state.was_told || p->state.waiting < min_to_report(p->source))
        return;
    p->state.was_told = true;
    scree_log_write(&p->scene->log, SCREE_LOG_WARNING, SCREE_LOG_SOURCE_WAITS,
                    "%s:%d: pour \"%s\": at %.6g s %" PRIu64 " bodies were made and %" PRIu64
                    " wait: in %u trials none of radius %.4g found a place; what lies in the %s "
                    "leaves too slowly, or it is too small for the rate",
                    p->scene->name, p->source->line, p->source->name, time, p->state.made,
                    p->state.waiting, POUR_TRIALS, radius,
                    p->source->region.is_face ? "way of the face" : "region");
}

static void drive_off(const newcomers *bodies, const scree_scene_source *source,
                      const double normal[3])
{
    double *velocity = bodies->defs[bodies->count - 1].velocity;

    for (int k = 0; k < 3; k++)
        velocity[k] += source->normal_speed * normal[k];
}

/*  Places bodies one after the other until none is due or one finds no room. That one waits, so that large bodies
    are not underrepresented. */
static scree_status pour_due(pouring *p, scene_placer *placer, double time, scree_error *error)
{
    int dimensions = p->scene->plan.world.dimensions;
    scree_random sizes = sizes_of(p->scene, p->index, p->state.sizes_at);
    scree_random places = places_of(p->scene, p->index, p->state.places_at);
    scree_status status = SCREE_OK;

    p->state.waiting = 0;
    while (!status) {
        if (!(p->state.next > 0)) {
            p->state.next = scene_draw_size(&p->source->radius, dimensions, &sizes);
            p->state.sizes_at = sizes.next;
        }
        double drawn = p->state.next, mass = mass_of(p->scene, p->source, drawn), centre[3];
        double radius = scene_radius_of(&p->source->radius, drawn);
        bool found = false;
        if (!is_due(p->scene, p->source, &p->state, time, mass))
            break;
        uint64_t trials = POUR_TRIALS;
        status = scene_find_place(placer, &places, radius, p->source->gap, &trials, centre, &found,
                                  error);
        if (!status && !found) {
            p->state.waiting = (uint64_t)waiting_bodies(p->scene, p->source, &p->state, time);
            tell_of_waiting(p, radius, time);
            break;
        }
        if (!status)
            status = scene_take_place(placer, centre, radius * (1 + p->source->gap), error);
        if (!status &&
            add_newcomer(&p->bodies, p->scene, p->source, p->index, centre, drawn, &places))
            status = scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", p->scene->name);
        if (!status && p->source->region.is_face)
            drive_off(&p->bodies, p->source, placer->normal);
        p->state.made++;
        p->state.mass += mass;
        p->state.next = 0;
    }
    p->state.places_at = places.next;
    return status;
}

static scree_status run_pour(scree_scene *scene, scree_world *world, size_t index,
                             scree_error *error)
{
    const scree_scene_source *source = &scene->plan.sources[index];
    pouring p = {
        .scene = scene, .source = source, .index = index, .state = scene->course.sources[index]};
    double time =
        scene_time_in_stage(scene, source->stage, source->stage_end, scree_world_clock(world).time);
    scene_placer placer;

    /* even the smallest body is not due */
    if (time < source->start || !is_due(scene, source, &p.state, time, min_mass_of(scene, source)))
        return SCREE_OK;
    scree_memory_init(&p.bodies.memory, &scene->memory.allocator);
    scree_status status = begin_places(&placer, scene, world, source,
                                       source->radius.upper * (1 + source->gap), error);
    if (status)
        return status;
    status = pour_due(&p, &placer, time, error);
    scene_placer_end(&placer);
    if (!status && p.bodies.count > 0)
        status = enter_world(scene, &p.bodies, world, source, error);
    scree_memory_give(&p.bodies.memory, &p.bodies.defs, p.bodies.room, sizeof *p.bodies.defs);
    if (!status)
        scene->course.sources[index] = p.state;
    return status;
}

bool scene_pour_continues(const scree_scene *scene, size_t index, double time)
{
    const scree_scene_source *source = &scene->plan.sources[index];
    const scene_source_state *state = &scene->course.sources[index];
    double passed = scene_time_in_stage(scene, source->stage, source->stage_end, time);
    bool is_endless = !source->count && !(source->mass > 0) && !(source->stop < INFINITY);

    if (!source->is_pour || is_endless || passed < 0 || passed >= source->stop)
        return false;
    if (source->count && state->made >= source->count)
        return false;
    return !(source->mass > 0 && state->next > 0 &&
             state->mass + mass_of(scene, source, state->next) > source->mass * (1 + 1e-12));
}

scree_status scene_run_pours(scree_scene *scene, scree_world *world, scree_error *error)
{
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < scene->plan.source_count && !status; i++)
        if (scene->plan.sources[i].is_pour)
            status = run_pour(scene, world, i, error);
    return status;
}
