/*  Packs bodies by relaxation of soft spheres, slightly larger than the bodies, until no two bodies overlap. Such
    spheres separate from any start if their volume fraction is below jamming: 0.64 for equal sizes (O'Hern, Silbert,
    Liu, Nagel, Physical Review E 68 (2003) 011306). The energy is minimised with inertia (FIRE: Bitzek, Koskinen,
    Gaehler, Moseler, Gumbsch, Physical Review Letters 97 (2006) 170201). The mass of a sphere is its number of
    contacts, so that a very large sphere among thousands moves as fast as a grain between two.

    If overlaps remain, the spheres start again with smaller radii and grow step by step until they jam: either they
    reach their full size, or the reached size is reported.

    Sums are in the order of pairs, which is canonical, and only + - * / and square roots are used, so the result is
    the same on every machine. */
#include "pack.h"

#include "base/error.h"
#include "base/quaternion.h"
#include "shape/facet_point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SLACK 0.004 /* by how much spheres are larger than bodies */
#define SKIN 0.15   /* skin of the neighbour search, in radii */
#define LONGEST 0.2 /* largest displacement per round, in radii */
#define MAX_ROUNDS 6000
#define LOOK_ROUNDS 300     /* rounds between tests of progress, */
#define MIN_GAIN 0.8        /* and the energy must fall below this share */
#define GROWING_ROUNDS 1500 /* the same while spheres grow, closer to jamming */
#define DT_FIRST 0.3        /* of FIRE: the period of a contact is about 2 pi / sqrt(2) */
#define DT_MOST 1.0
#define DT_LEAST 0.05
#define ALPHA_FIRST 0.1
#define ROUNDS_BEFORE_FASTER 5

typedef struct packing
{
    scene_placer *placer;
    scree_memory memory;
    size_t count, all;  /* those from count on do not move */
    double (*place)[4]; /* x y z, radius of the soft sphere */
    double (*seen)[4];  /* at the last neighbour search */
    double (*velocity)[4];
    double (*push)[4]; /* sum of overlaps, and their number */
    double *grown;     /* final radii of soft spheres */
    int look_rounds;
    uint8_t *is_by_wall;
    scree_detector *detector;
    scree_pairs pairs;
    double period[3]; /* 0: not periodic */
    double dt, alpha;
    int good_rounds;
    double deepest, energy; /* largest relative overlap; sum of squared overlaps */
} packing;

/* ---- neighbours ------------------------------------------------------------------------------------------ */

static scree_status look_for_neighbours(packing *p)
{
    static const scree_pairs_options in_order = {.canonical = true};
    const size_t stride = sizeof *p->seen;
    scree_view z = {0};
    scree_status status = SCREE_OK;

    memcpy(p->seen, p->place, p->all * sizeof *p->seen);
    for (size_t i = 0; i < p->all; i++)
        p->seen[i][3] *= 1 + SKIN;
    if (p->placer->dimensions == 3)
        z = scree_doubles(&p->seen[0][2], stride);
    scree_table table = scree_table_spheres(p->all, scree_doubles(&p->seen[0][0], stride),
                                            scree_doubles(&p->seen[0][1], stride), z,
                                            scree_doubles(&p->seen[0][3], stride));
    status = scree_detector_update(p->detector, &table, NULL);
    if (!status)
        status = scree_detector_pairs(p->detector, &in_order, &p->pairs);
    for (size_t i = 0; i < p->count && !status; i++) {
        bool meets;
        status = scene_meets_wall(p->placer, p->seen[i], p->seen[i][3], &meets);
        p->is_by_wall[i] = meets;
    }
    return status;
}

/*  Whether all overlapping pairs are still in the neighbour list. */
static bool neighbours_hold(const packing *p)
{
    for (size_t i = 0; i < p->count; i++) {
        double sum = 0, most = p->place[i][3] * SKIN;
        for (int k = 0; k < 3; k++)
            sum += (p->place[i][k] - p->seen[i][k]) * (p->place[i][k] - p->seen[i][k]);
        if (sum > most * most)
            return false;
    }
    return true;
}

/* ---- forces ---------------------------------------------------------------------------------------------- */

static void note_overlap(packing *p, double overlap, double reach)
{
    p->deepest = overlap > p->deepest * reach ? overlap / reach : p->deepest;
    p->energy += overlap * overlap;
}

/*  `way` is the vector to the body from what it overlaps, `distance` its length. */
static void push_by(packing *p, size_t i, const double way[3], double distance, double overlap)
{
    for (int k = 0; k < 3; k++)
        p->push[i][k] += overlap * (way[k] / distance);
    p->push[i][3] += 1;
}

static void push_pair(packing *p, uint32_t i, uint32_t j)
{
    double way[3], back[3], sum = 0, reach = p->place[i][3] + p->place[j][3];

    for (int k = 0; k < 3; k++) {
        way[k] = p->place[i][k] - p->place[j][k];
        if (p->period[k] > 0)
            way[k] -= p->period[k] * floor(way[k] / p->period[k] + 0.5);
        sum += way[k] * way[k];
    }
    if (sum >= reach * reach)
        return;
    double distance = sqrt(sum);
    if (distance == 0) {
        way[0] = reach;
        distance = reach;
    }
    double overlap = reach - sqrt(sum);
    for (int k = 0; k < 3; k++)
        back[k] = -way[k];
    note_overlap(p, overlap, reach);
    push_by(p, i, way, distance, overlap);
    if (j < p->count)
        push_by(p, j, back, distance, overlap);
}

static scree_status push_from_mesh(packing *p, size_t i, const scree_wall *wall)
{
    const double *place = p->place[i];
    const scree_mesh *mesh = wall->mesh;
    scree_facet_list *facets = &p->placer->facets;
    double offset[3], way[3];

    for (int k = 0; k < 3; k++)
        offset[k] = place[k] - wall->position[k];
    scree_quaternion_turn_back(wall->orientation, offset, offset);
    scree_status status = scree_mesh_near(mesh, offset, place[3], &p->placer->memory, facets);
    for (size_t f = 0; f < facets->count && !status; f++) {
        uint32_t facet = facets->facet[f];
        scree_facet_point point = scree_facet_nearest(
            mesh, mesh->vertices, &mesh->normals[3 * (size_t)facet], facet, offset);
        double distance = sqrt(point.away_sq);
        if (distance >= place[3])
            continue;
        note_overlap(p, place[3] - distance, place[3]);
        for (int k = 0; k < 3; k++)
            way[k] = distance > 0 ? -point.away[k] : mesh->normals[3 * (size_t)facet + (size_t)k];
        scree_quaternion_turn(wall->orientation, way, way);
        push_by(p, i, way, distance > 0 ? distance : 1, place[3] - distance);
    }
    return status;
}

/*  Pushes a body out of closed surfaces to keep off, by the shortest way. */
static void push_off_solids(packing *p, size_t i)
{
    double out[3], way[3], sum = 0;

    memcpy(out, p->place[i], sizeof out);
    if (!scene_push_off_solids(p->placer, out, p->place[i][3]))
        return;
    for (int k = 0; k < 3; k++) {
        way[k] = out[k] - p->place[i][k];
        sum += way[k] * way[k];
    }
    if (sum > 0) {
        note_overlap(p, sqrt(sum), p->place[i][3]);
        push_by(p, i, way, sqrt(sum), sqrt(sum));
    }
}

static scree_status push_from_walls(packing *p, size_t i)
{
    scree_status status = SCREE_OK;

    push_off_solids(p, i);
    for (size_t w = 0; w < p->placer->wall_count && !status; w++) {
        const scree_wall *wall = &p->placer->walls[w];
        double distance = 0;
        if (wall->kind != SCREE_WALL_PLANE) {
            status = push_from_mesh(p, i, wall);
            continue;
        }
        for (int k = 0; k < 3; k++)
            distance += (p->place[i][k] - wall->position[k]) * wall->normal[k];
        if (distance < p->place[i][3]) {
            note_overlap(p, p->place[i][3] - distance, p->place[i][3]);
            push_by(p, i, wall->normal, 1, p->place[i][3] - distance);
        }
    }
    return status;
}

static scree_status find_pushes(packing *p)
{
    scree_status status = SCREE_OK;

    memset(p->push, 0, p->count * sizeof *p->push);
    p->deepest = p->energy = 0;
    for (uint64_t k = 0; k < p->pairs.count && p->pairs.first[k] < p->count; k++)
        push_pair(p, p->pairs.first[k], p->pairs.second[k]);
    for (size_t i = 0; i < p->count && !status; i++)
        if (p->is_by_wall[i])
            status = push_from_walls(p, i);
    return status;
}

/* ---- rounds ---------------------------------------------------------------------------------------------- */

static double mass_of_soft(const packing *p, size_t i)
{
    return p->push[i][3] > 1 ? p->push[i][3] : 1;
}

/*  FIRE: while the energy decreases, turn velocities towards the forces and increase dt; otherwise stop and decrease
    dt. */
static void steer(packing *p)
{
    double power = 0, speed = 0, force = 0;

    for (size_t i = 0; i < p->count; i++) {
        double mass = mass_of_soft(p, i);
        for (int k = 0; k < 3; k++) {
            power += p->push[i][k] * p->velocity[i][k];
            speed += mass * p->velocity[i][k] * p->velocity[i][k];
            force += p->push[i][k] * p->push[i][k] / mass;
        }
    }
    if (!(power > 0)) {
        memset(p->velocity, 0, p->count * sizeof *p->velocity);
        p->dt = speed > 0 && p->dt > 2 * DT_LEAST ? p->dt / 2 : p->dt;
        p->alpha = ALPHA_FIRST;
        p->good_rounds = 0;
        return;
    }
    double share = p->alpha * sqrt(speed / force);
    for (size_t i = 0; i < p->count; i++) {
        double mass = mass_of_soft(p, i);
        for (int k = 0; k < 3; k++)
            p->velocity[i][k] = (1 - p->alpha) * p->velocity[i][k] + share * (p->push[i][k] / mass);
    }
    if (++p->good_rounds > ROUNDS_BEFORE_FASTER) {
        p->dt = 1.1 * p->dt < DT_MOST ? 1.1 * p->dt : DT_MOST;
        p->alpha *= 0.99;
    }
}

static void go(packing *p)
{
    const scree_scene_geometry *region = p->placer->region;

    for (size_t i = 0; i < p->count; i++) {
        double mass = mass_of_soft(p, i), way[3], before[3], sum = 0;
        double *place = p->place[i], most = LONGEST * place[3];
        for (int k = 0; k < 3; k++) {
            p->velocity[i][k] += p->push[i][k] / mass * p->dt;
            way[k] = p->velocity[i][k] * p->dt;
            sum += way[k] * way[k];
        }
        double share = sum > most * most ? most / sqrt(sum) : 1;
        memcpy(before, place, sizeof before);
        for (int k = 0; k < 3; k++)
            place[k] += share * way[k];
        /* no velocity in the direction in which the sphere was moved back */
        if (scene_pull_inside(region, p->placer->dimensions, place, place[3]) || share < 1)
            for (int k = 0; k < 3; k++)
                p->velocity[i][k] = (place[k] - before[k]) / p->dt;
    }
}

/*  A move into a composed region does not always end inside. */
static bool all_are_inside(const packing *p)
{
    const scree_scene_geometry *region = p->placer->region;
    bool inside = true;

    for (size_t i = 0; i < p->count && inside && scene_is_composed(region); i++)
        inside = scene_holds_sphere(region, p->placer->dimensions, p->place[i],
                                    p->place[i][3] / (1 + SLACK));
    return inside;
}

static scree_status relax(packing *p, bool *found)
{
    double energy_before = INFINITY;
    scree_status status = look_for_neighbours(p);

    *found = false;
    for (int round = 0; round < MAX_ROUNDS && !status; round++) {
        if (!neighbours_hold(p))
            status = look_for_neighbours(p);
        if (!status)
            status = find_pushes(p);
        if (status)
            return status;
        /* so that the bodies themselves are apart, with an allowance for rounding */
        *found = p->deepest <= 0.9 * SLACK / (1 + SLACK) && all_are_inside(p);
        if (*found)
            return SCREE_OK;
        if (round % p->look_rounds == p->look_rounds - 1) {
            if (p->energy > MIN_GAIN * energy_before)
                return SCREE_OK;
            energy_before = p->energy;
        }
        steer(p);
        go(p);
    }
    return status;
}

/*  Ratios of radii to final radii: the steps decrease towards jamming. */
static const double growth[] = {0.9, 0.94, 0.96, 0.97, 0.98, 0.985, 0.99, 0.994, 0.997, 1};

/*  *reached: the largest of these without overlaps; 0: none. */
static scree_status grow(packing *p, bool *found, double *reached)
{
    scree_status status = SCREE_OK;

    *found = true;
    *reached = 0;
    p->look_rounds = GROWING_ROUNDS;
    for (size_t step = 0; step < SCREE_COUNT_OF(growth) && *found && !status; step++) {
        for (size_t i = 0; i < p->count; i++)
            p->place[i][3] = growth[step] * p->grown[i];
        memset(p->velocity, 0, p->count * sizeof *p->velocity);
        p->dt = DT_FIRST;
        p->alpha = ALPHA_FIRST;
        p->good_rounds = 0;
        status = relax(p, found);
        *reached = *found && !status ? growth[step] : *reached;
    }
    return status;
}

/* ---- beginning and end ----------------------------------------------------------------------------------- */

static scree_status take_memory(packing *p, size_t all)
{
    scree_status status = scree_memory_take(&p->memory, all, sizeof *p->place, &p->place);

    if (!status)
        status = scree_memory_take(&p->memory, all, sizeof *p->seen, &p->seen);
    if (!status)
        status = scree_memory_take(&p->memory, p->count, sizeof *p->velocity, &p->velocity);
    if (!status)
        status = scree_memory_take(&p->memory, p->count, sizeof *p->push, &p->push);
    if (!status)
        status = scree_memory_take(&p->memory, p->count, sizeof *p->is_by_wall, &p->is_by_wall);
    if (!status)
        status = scree_memory_take(&p->memory, p->count, sizeof *p->grown, &p->grown);
    return status;
}

static void give_memory(packing *p, size_t all)
{
    scree_memory_give(&p->memory, &p->place, p->place ? all : 0, sizeof *p->place);
    scree_memory_give(&p->memory, &p->seen, p->seen ? all : 0, sizeof *p->seen);
    scree_memory_give(&p->memory, &p->velocity, p->velocity ? p->count : 0, sizeof *p->velocity);
    scree_memory_give(&p->memory, &p->push, p->push ? p->count : 0, sizeof *p->push);
    scree_memory_give(&p->memory, &p->is_by_wall, p->is_by_wall ? p->count : 0,
                      sizeof *p->is_by_wall);
    scree_memory_give(&p->memory, &p->grown, p->grown ? p->count : 0, sizeof *p->grown);
    scree_detector_destroy(p->detector);
}

static scree_status make_detector(packing *p)
{
    const scree_world_def *world = &p->placer->scene->plan.world;
    scree_detector_def def = scree_default_detector_def();

    def.dimensions = p->placer->dimensions;
    def.allocator = p->placer->scene->memory.allocator;
    for (int k = 0; k < def.dimensions; k++)
        if (world->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC)
            p->period[k] = def.period[k] = world->domain.upper[k] - world->domain.lower[k];
    return scree_detector_create(&def, &p->detector);
}

static int compare_places(const void *a, const void *b)
{
    const double *x = a, *y = b;

    for (int k = 0; k < 4; k++)
        if (x[k] != y[k])
            return x[k] < y[k] ? -1 : 1;
    return 0;
}

/*  Present bodies are sorted by position: their order in memory may vary, and sums must not depend on it. */
static void put_bodies(packing *p, double gap, const scree_body_def *bodies,
                       const scree_bodies_view *view)
{
    bool is_periodic = p->period[0] > 0 || p->period[1] > 0 || p->period[2] > 0;

    for (size_t i = 0; i < p->count; i++) {
        memcpy(p->place[i], bodies[i].position, sizeof bodies[i].position);
        p->place[i][3] = bodies[i].shape.radius * (1 + gap) * (1 + SLACK);
        p->grown[i] = p->place[i][3];
    }
    for (size_t i = 0; i < view->count; i++) {
        const double *at = scree_row_at(view->position, i),
                     radius = scree_double_at(view->radius, i);
        if (is_periodic || scene_is_near(p->placer, at, radius)) {
            memcpy(p->place[p->all], at, 3 * sizeof *at);
            p->place[p->all++][3] = radius * (1 + SLACK);
        }
    }
    if (p->all > p->count)
        qsort(p->place + p->count, p->all - p->count, sizeof *p->place, compare_places);
}

scree_status scene_pack(scene_placer *placer, scree_world *world, double gap,
                        scree_body_def *bodies, size_t count, bool *found, double *reached,
                        scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(world);
    packing p = {.placer = placer,
                 .count = count,
                 .all = count,
                 .dt = DT_FIRST,
                 .alpha = ALPHA_FIRST,
                 .look_rounds = LOOK_ROUNDS};
    size_t most = count + view.count;

    scree_memory_init(&p.memory, &placer->scene->memory.allocator);
    scree_status status = take_memory(&p, most);
    if (!status)
        status = make_detector(&p);
    if (!status) {
        put_bodies(&p, gap, bodies, &view);
        memset(p.velocity, 0, count * sizeof *p.velocity);
        status = relax(&p, found);
    }
    *reached = 1;
    if (!status && !*found)
        status = grow(&p, found, reached);
    for (size_t i = 0; i < count && !status; i++)
        memcpy(bodies[i].position, p.place[i], sizeof bodies[i].position);
    give_memory(&p, most);
    if (status == SCREE_BAD_VALUE) {
        /* detection refuses a body as wide as half the period */
        *found = false;
        *reached = 0;
        return SCREE_OK;
    }
    return status ? scree_fail(error, status, "%s: out of memory", placer->scene->name) : SCREE_OK;
}
