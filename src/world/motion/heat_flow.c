/*  How heat flows in a step. Each body looks at its own contacts, in the order in which its forces are summed
    (sum_forces.c), so that no sum depends on who computed what; both bodies of a contact find the same flow, one the
    opposite of the other to the last bit. All in double, whatever forces are computed in. */
#include "world/motion/heat_flow.h"

#include "base/exact_sum.h"
#include "base/portable_math.h"
#include "law/material.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HEAT_BLOCK 1024u
/*  Of the longest piece for which no temperature swings past those around it. */
#define PIECE_SHARE 0.5
#define MOST_PIECES 10000.0

/* ---- one contact ---- */

static scree_material_def made_really(const scree_world *world, uint32_t index1, double young)
{
    scree_material_def def = world->rules.materials[index1 - 1].def;

    def.young = young > 0 ? young : def.young;
    return def;
}

/*  By how much a real contact is narrower under the same force: a^3 goes as F R / E*. */
static double narrowing(const scree_world *world, const uint32_t index1[2],
                        const scree_heat_material material[2])
{
    const scree_material_def *soft[2] = {&world->rules.materials[index1[0] - 1].def,
                                         &world->rules.materials[index1[1] - 1].def};
    scree_material_def real[2];
    double ratio;

    if (material[0].young == 0 && material[1].young == 0)
        return 1;
    for (int k = 0; k < 2; k++)
        real[k] = made_really(world, index1[k], material[k].young);
    ratio = scree_material_mixed(soft[0], soft[1]).young /
            scree_material_mixed(&real[0], &real[1]).young;
    return isfinite(ratio) ? scree_cube_root(ratio) : 1;
}

/*  W/K, the same in either order of materials. */
static double conductance(const scree_world *world, uint32_t one, uint32_t other, double radius,
                          double overlap)
{
    const uint32_t index1[2] = {one < other ? one : other, one < other ? other : one};
    const scree_heat_material material[2] = {scree_heat_of_material(&world->heat, index1[0]),
                                             scree_heat_of_material(&world->heat, index1[1])};
    double a = material[0].conductivity, b = material[1].conductivity;

    if (!(overlap > 0) || a == 0 || b == 0)
        return 0;
    /* a share of b, so that no product is too large */
    return 4 * a * (b / (a + b)) * sqrt(radius * overlap) * narrowing(world, index1, material);
}

static double temperature_of(const scree_world *world, uint32_t slot)
{
    return world->bodies.heat[slot][SCREE_HEAT_TEMPERATURE];
}

static double conductance_of_pair(const scree_world *world, uint32_t first, uint32_t second)
{
    const scree_crowd *bodies = &world->bodies;
    const double *a = bodies->position[first], *b = bodies->position[second];
    double step[3], n[3], overlap;

    scree_domain_step(&world->cell.next, a, b, step, n);
    overlap = a[3] + b[3] - sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    return conductance(world, bodies->material[first][0], bodies->material[second][0],
                       a[3] * b[3] / (a[3] + b[3]), overlap);
}

/*  Number c of contacts with walls. */
static double conductance_at_wall(const scree_world *world, uint32_t c)
{
    const scree_surface_list *list = &world->surfaces.next;
    const scree_wall_record *wall = &world->walls.wall[list->wall[c][0]];
    uint32_t slot = list->body[c][0];

    return wall->heat.is_given
               ? conductance(world, world->bodies.material[slot][0], wall->def.material.index1,
                             world->bodies.position[slot][3], list->point[c][3])
               : 0;
}

/*  Number c of contacts of solids; second is UINT32_MAX for a wall. */
static double conductance_of_solid(const scree_world *world, uint32_t c, uint32_t first,
                                   uint32_t second, uint32_t wall)
{
    const scree_solid_list *list = &world->solid_contacts.next;
    const scree_wall_record *record = second == UINT32_MAX ? &world->walls.wall[wall] : NULL;

    if (record && !record->heat.is_given)
        return 0;
    return list->size[c][2] *
           conductance(world, world->bodies.material[first][0],
                       record ? record->def.material.index1 : world->bodies.material[second][0],
                       list->size[c][0], list->point[c][3]);
}

/* ---- one body ---- */

typedef struct heat_sum
{
    double bodies, walls, conductance;
} heat_sum;

static void sum_pairs(const scree_world *world, uint32_t slot, heat_sum *sum)
{
    const scree_contact_list *list = &world->pairs;

    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->end[slot];
         e++) {
        uint32_t c = list->entry[e] >> 1, is_second = list->entry[e] & 1;
        uint32_t first = list->first[c][0], second = list->second[c][0];
        if (!list->touches_next[c][0])
            continue;
        double through = conductance_of_pair(world, first, second);
        sum->conductance += through;
        sum->bodies += through * (temperature_of(world, is_second ? first : second) -
                                  temperature_of(world, slot));
    }
}

static void sum_walls(const scree_world *world, uint32_t slot, heat_sum *sum)
{
    const scree_surface_list *list = &world->surfaces.next;

    for (uint32_t c = list->count ? list->begin[slot] : 0; list->count && c < list->end[slot];
         c++) {
        double through = conductance_at_wall(world, c);
        sum->conductance += through;
        sum->walls += through * (world->walls.wall[list->wall[c][0]].heat.temperature -
                                 temperature_of(world, slot));
    }
}

static void sum_solids(const scree_world *world, uint32_t slot, heat_sum *sum)
{
    const scree_solid_list *list = &world->solid_contacts.next;
    uint32_t first, second, wall;

    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->begin[slot + 1];
         e++) {
        uint32_t c = list->entry[e] >> 1;
        if (!scree_solids_resolve(&world->bodies, &world->walls, list->pair[c], &first, &second,
                                  &wall))
            continue;
        double through = conductance_of_solid(world, c, first, second, wall);
        sum->conductance += through;
        if (second == UINT32_MAX)
            sum->walls +=
                through * (world->walls.wall[wall].heat.temperature - temperature_of(world, slot));
        else
            sum->bodies += through * (temperature_of(world, slot == first ? second : first) -
                                      temperature_of(world, slot));
    }
}

static void find_block(void *data, size_t block, uint32_t worker)
{
    scree_world *world = data;
    size_t end = scree_block_end(block, HEAT_BLOCK, world->bodies.count);

    (void)worker;
    for (uint32_t slot = (uint32_t)(block * HEAT_BLOCK); slot < end; slot++) {
        heat_sum sum = {0, 0, 0};
        double *flow = world->heat.flow[slot];
        sum_pairs(world, slot, &sum);
        sum_walls(world, slot, &sum);
        sum_solids(world, slot, &sum);
        flow[0] = sum.bodies;
        flow[1] = sum.walls;
        flow[2] = sum.conductance / scree_heat_capacity(&world->bodies, &world->heat, slot);
        flow[3] = 0;
    }
}

static void find_flows(scree_world *world)
{
    scree_workers_run(&world->workers, scree_block_count(world->bodies.count, HEAT_BLOCK),
                      find_block, world);
}

/* ---- before the step is taken ---- */

static bool takes_part(const scree_world *world, uint32_t slot)
{
    return !(world->bodies.flags[slot][0] & SCREE_GHOST) &&
           world->bodies.heat[slot][SCREE_HEAT_HELD] == 0;
}

static scree_status check_capacities(scree_world *world)
{
    const scree_crowd *bodies = &world->bodies;

    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if (!(scree_heat_capacity(&world->bodies, &world->heat, slot) > 0))
            return scree_fail(
                &world->error, SCREE_BAD_VALUE,
                "world: step %" PRIu64 ": body %" PRIu64 " has no heat capacity: its material, %u "
                "\"%s\", must be given one (scree_world_set_material_heat)",
                world->clock.steps + 1, bodies->serial[slot][0], bodies->material[slot][0],
                world->rules.materials[bodies->material[slot][0] - 1].name);
    return SCREE_OK;
}

static scree_status refuse_cold(scree_world *world, uint32_t slot)
{
    const double *row = world->bodies.heat[slot];

    return scree_fail(&world->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": body %" PRIu64
                      " would be colder than 0 K: it has %g K, its source is %g W",
                      world->clock.steps + 1, world->bodies.serial[slot][0],
                      row[SCREE_HEAT_TEMPERATURE], row[SCREE_HEAT_SOURCE]);
}

/*  Of pieces after the first flows are not known yet. Conduction makes nobody colder than the coldest, so nobody falls below
    that by more than what the strongest sink alone would take. */
static scree_status check_cold_pieces(scree_world *world, double dt)
{
    double coldest = INFINITY, fastest = 0;
    uint32_t sink = UINT32_MAX;

    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        const double *row = world->bodies.heat[slot];
        double rate =
            -row[SCREE_HEAT_SOURCE] / scree_heat_capacity(&world->bodies, &world->heat, slot);
        coldest = fmin(coldest, row[SCREE_HEAT_TEMPERATURE]);
        if (takes_part(world, slot) && rate > fastest) {
            fastest = rate;
            sink = slot;
        }
    }
    for (size_t w = 0; w < world->walls.count; w++)
        if (world->walls.wall[w].heat.is_given)
            coldest = fmin(coldest, world->walls.wall[w].heat.temperature);
    return sink == UINT32_MAX || coldest - fastest * dt >= 0 ? SCREE_OK : refuse_cold(world, sink);
}

static scree_status check_cold(scree_world *world, double dt)
{
    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        const double *row = world->bodies.heat[slot], *flow = world->heat.flow[slot];
        double change = (flow[0] + flow[1] + row[SCREE_HEAT_SOURCE]) * dt /
                        scree_heat_capacity(&world->bodies, &world->heat, slot);
        if (takes_part(world, slot) && !(row[SCREE_HEAT_TEMPERATURE] + change >= 0))
            return refuse_cold(world, slot);
    }
    return SCREE_OK;
}

scree_status scree_heat_find(scree_world *world, double dt)
{
    scree_heat *heat = &world->heat;
    double fastest = 0;
    scree_status status = SCREE_OK;

    if (!heat->is_on)
        return SCREE_OK;
    if (scree_memory_reserve_lines(&world->memory, &heat->flow, &heat->flow_capacity,
                                   world->bodies.count, sizeof *heat->flow))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: heat: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    status = check_capacities(world);
    if (status)
        return status;
    find_flows(world);
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        if (takes_part(world, slot) && heat->flow[slot][2] > fastest)
            fastest = heat->flow[slot][2];
    heat->found_stable = fastest > 0 ? PIECE_SHARE / fastest : 0;
    heat->found_pieces = ceil(dt * fastest / PIECE_SHARE);
    heat->found_pieces = heat->found_pieces > 1 ? heat->found_pieces : 1;
    if (!(heat->found_pieces <= MOST_PIECES))
        return scree_fail(&world->error, SCREE_UNSTABLE,
                          "world: step %" PRIu64 ": dt is %g, more than %g times what conduction "
                          "of heat bears, %g",
                          world->clock.steps + 1, dt, MOST_PIECES, heat->found_stable);
    status = check_cold(world, dt / heat->found_pieces);
    return status || heat->found_pieces == 1 ? status : check_cold_pieces(world, dt);
}

/* ---- the step is taken ---- */

typedef struct heat_run
{
    scree_world *world;
    double dt;    /* of a piece */
    double share; /* of the step */
} heat_run;

/*  The sum of both goes on without rounding: what does not fit into the temperature stays beside it (Knuth's
    two-sum, The Art of Computer Programming 2, 4.2.2, theorem B). */
static void warm(double *row, double more)
{
    double before = row[SCREE_HEAT_TEMPERATURE], added = row[SCREE_HEAT_REST] + more;
    double after = before + added, kept = after - before;

    row[SCREE_HEAT_TEMPERATURE] = after;
    row[SCREE_HEAT_REST] = (before - (after - kept)) + (added - kept);
}

static void warm_block(void *data, size_t block, uint32_t worker)
{
    const heat_run *run = data;
    scree_world *world = run->world;
    size_t end = scree_block_end(block, HEAT_BLOCK, world->bodies.count);

    (void)worker;
    for (uint32_t slot = (uint32_t)(block * HEAT_BLOCK); slot < end; slot++) {
        double *row = world->bodies.heat[slot];
        const double *flow = world->heat.flow[slot];
        double through = flow[0] + flow[1], all = through + row[SCREE_HEAT_SOURCE];
        row[SCREE_HEAT_FLOW] += run->share * through;
        row[SCREE_HEAT_WALLS] += flow[1] * run->dt;
        if (takes_part(world, slot)) {
            row[SCREE_HEAT_SOURCES] += row[SCREE_HEAT_SOURCE] * run->dt;
            warm(row, all * run->dt / scree_heat_capacity(&world->bodies, &world->heat, slot));
        } else {
            row[SCREE_HEAT_SOURCES] -= through * run->dt;
        }
    }
}

/*  Contacts with walls of this one, from all lists. */
static double flow_of_wall(const scree_world *world, uint32_t w)
{
    const scree_surface_list *list = &world->surfaces.next;
    const scree_solid_list *solids = &world->solid_contacts.next;
    double temperature = world->walls.wall[w].heat.temperature;
    uint32_t first, second, wall;
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (uint32_t c = 0; c < list->count; c++)
        if (list->wall[c][0] == w)
            scree_exact_add(&sum, conductance_at_wall(world, c) *
                                      (temperature - temperature_of(world, list->body[c][0])));
    for (uint32_t c = 0; c < solids->count; c++)
        if (scree_solids_resolve(&world->bodies, &world->walls, solids->pair[c], &first, &second,
                                 &wall) &&
            second == UINT32_MAX && wall == w)
            scree_exact_add(&sum, conductance_of_solid(world, c, first, second, wall) *
                                      (temperature - temperature_of(world, first)));
    return scree_exact_value(&sum);
}

static void book_walls(const heat_run *run)
{
    scree_walls *walls = &run->world->walls;

    for (uint32_t w = 0; w < walls->count; w++) {
        scree_wall_heat *heat = &walls->wall[w].heat;
        if (!heat->is_given)
            continue;
        double flow = flow_of_wall(run->world, w);
        heat->flow += run->share * flow;
        heat->given += flow * run->dt;
    }
}

static void clear_means(scree_world *world)
{
    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        world->bodies.heat[slot][SCREE_HEAT_FLOW] = 0;
    for (size_t w = 0; w < world->walls.count; w++)
        world->walls.wall[w].heat.flow = 0;
}

/* ---- what contacts lose ---- */

static double sum_of_losses(const double *account)
{
    double sum = 0;

    for (int k = 0; k < SCREE_LOSSES; k++)
        sum += account[1 + k];
    return sum;
}

/*  What its contacts lost in this step, as far as it is this body's; to walls what is theirs. */
static double losses_of(const scree_world *world, uint32_t slot, scree_exact_sum *to_walls)
{
    const scree_contact_list *list = &world->pairs;
    const scree_surface_list *surfaces = &world->surfaces.next;
    const scree_solid_list *solids = &world->solid_contacts.next;
    double share = world->heat.course.loss_share, sum = 0;
    uint32_t first, second, wall;

    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->end[slot];
         e++) {
        uint32_t c = list->entry[e] >> 1;
        if (list->touches_next[c][0])
            sum += 0.5 * share * sum_of_losses(world->contacts.account[c]);
    }
    for (uint32_t c = surfaces->count ? surfaces->begin[slot] : 0;
         surfaces->count && c < surfaces->end[slot]; c++) {
        bool is_given = world->walls.wall[surfaces->wall[c][0]].heat.is_given;
        double part = (is_given ? 0.5 : 1) * share * sum_of_losses(surfaces->account[c]);
        sum += part;
        scree_exact_add(to_walls, is_given ? part : 0);
    }
    for (uint32_t e = solids->count ? solids->begin[slot] : 0;
         solids->count && e < solids->begin[slot + 1]; e++) {
        uint32_t c = solids->entry[e] >> 1;
        if (!scree_solids_resolve(&world->bodies, &world->walls, solids->pair[c], &first, &second,
                                  &wall))
            continue;
        bool at_wall = second == UINT32_MAX,
             is_given = at_wall && world->walls.wall[wall].heat.is_given;
        double part = (at_wall && !is_given ? 1 : 0.5) * share * sum_of_losses(solids->account[c]);
        sum += part;
        scree_exact_add(to_walls, is_given ? part : 0);
    }
    return sum;
}

static void book_losses(scree_world *world)
{
    scree_exact_sum to_walls;

    if (world->heat.course.loss_share == 0)
        return;
    scree_exact_clear(&to_walls);
    for (uint32_t slot = 0; slot < world->bodies.count; slot++) {
        double *row = world->bodies.heat[slot], sum;
        if (world->bodies.flags[slot][0] & SCREE_GHOST)
            continue;
        sum = losses_of(world, slot, &to_walls);
        row[SCREE_HEAT_LOSSES] += sum;
        if (takes_part(world, slot))
            warm(row, sum / scree_heat_capacity(&world->bodies, &world->heat, slot));
        else
            row[SCREE_HEAT_SOURCES] -= sum;
    }
    world->heat.course.to_walls += scree_exact_value(&to_walls);
}

void scree_heat_take_step(scree_world *world, double dt)
{
    scree_heat *heat = &world->heat;
    heat_run run = {.world = world};

    if (!heat->is_on)
        return;
    run.dt = dt / heat->found_pieces;
    run.share = 1 / heat->found_pieces;
    clear_means(world);
    for (double piece = 0; piece < heat->found_pieces; piece++) {
        if (piece > 0)
            find_flows(world);
        book_walls(&run);
        scree_workers_run(&world->workers, scree_block_count(world->bodies.count, HEAT_BLOCK),
                          warm_block, &run);
    }
    book_losses(world);
    heat->course.stable = heat->found_stable;
    heat->course.pieces = (uint64_t)heat->found_pieces;
}
