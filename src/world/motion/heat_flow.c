/*  Heat flow in a step. Each body sums over its own contacts in the order of its force sum (sum_forces.c), so no sum
    depends on which worker computed it. Both bodies of a contact compute the same flow with opposite sign,
    bit-identical. Always in double precision. */
#include "world/motion/heat_flow.h"

#include "base/exact_sum.h"
#include "base/portable_math.h"
#include "law/material.h"
#include "world/state/body_blocks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/*  In the longest substep for which no temperature overshoots those around it. */
#define PIECE_SHARE 0.5
#define MOST_PIECES 10000.0

/*  Input of heat flow. */
typedef struct heat_view
{
    const scree_step *step;
    const scree_found_contacts *contacts;
    const scree_heat *heat;
} heat_view;

/* ---- one contact ---- */

static scree_material_def made_really(const scree_rules *rules, uint32_t index1, double young)
{
    scree_material_def def = rules->materials[index1 - 1].def;

    def.young = young > 0 ? young : def.young;
    return def;
}

/*  Ratio of the true contact radius to that of the simulated contact under the same force: a^3 is proportional to F
    R / E*. */
static double narrowing(const scree_rules *rules, const uint32_t index1[2],
                        const scree_heat_material material[2])
{
    const scree_material_def *soft[2] = {&rules->materials[index1[0] - 1].def,
                                         &rules->materials[index1[1] - 1].def};
    scree_material_def real[2];
    double ratio;

    if (material[0].young == 0 && material[1].young == 0)
        return 1;
    for (int k = 0; k < 2; k++)
        real[k] = made_really(rules, index1[k], material[k].young);
    ratio = scree_material_mixed(soft[0], soft[1]).young /
            scree_material_mixed(&real[0], &real[1]).young;
    return isfinite(ratio) ? scree_cube_root(ratio) : 1;
}

/*  In W/K; symmetric in the two materials. */
static double conductance(const heat_view *view, uint32_t one, uint32_t other, double radius,
                          double overlap)
{
    const uint32_t index1[2] = {one < other ? one : other, one < other ? other : one};
    const scree_heat_material material[2] = {scree_heat_of_material(view->heat, index1[0]),
                                             scree_heat_of_material(view->heat, index1[1])};
    double a = material[0].conductivity, b = material[1].conductivity;

    if (!(overlap > 0) || a == 0 || b == 0)
        return 0;
    /* written as a share of b, so that no product overflows */
    return 4 * a * (b / (a + b)) * sqrt(radius * overlap) *
           narrowing(view->step->rules, index1, material);
}

static double temperature_of(const heat_view *view, uint32_t slot)
{
    return view->contacts->bodies->heat[slot][SCREE_HEAT_TEMPERATURE];
}

static double conductance_of_pair(const heat_view *view, uint32_t first, uint32_t second)
{
    const scree_body_arrays *bodies = view->contacts->bodies;
    const double *a = bodies->position[first], *b = bodies->position[second];
    double step[3], n[3], overlap;

    scree_domain_step(view->contacts->domain, a, b, step, n);
    overlap = a[3] + b[3] - sqrt(step[0] * step[0] + step[1] * step[1] + step[2] * step[2]);
    return conductance(view, bodies->material[first][0], bodies->material[second][0],
                       a[3] * b[3] / (a[3] + b[3]), overlap);
}

/*  For wall contact c. */
static double conductance_at_wall(const heat_view *view, uint32_t c)
{
    const scree_wall_contact_list *list = view->contacts->wall_contacts;
    const scree_wall_record *wall = &view->contacts->walls->wall[list->wall[c][0]];
    uint32_t slot = list->body[c][0];

    return wall->heat.is_given
               ? conductance(view, view->contacts->bodies->material[slot][0],
                             wall->def.material.index1, view->contacts->bodies->position[slot][3],
                             list->point[c][3])
               : 0;
}

/*  For contact c of non-spherical bodies; second is UINT32_MAX for a wall. */
static double conductance_of_solid(const heat_view *view, uint32_t c, uint32_t first,
                                   uint32_t second, uint32_t wall)
{
    const scree_solid_list *list = view->contacts->solids;
    const scree_wall_record *record =
        second == UINT32_MAX ? &view->contacts->walls->wall[wall] : NULL;

    if (record && !record->heat.is_given)
        return 0;
    return list->size[c][2] * conductance(view, view->contacts->bodies->material[first][0],
                                          record ? record->def.material.index1
                                                 : view->contacts->bodies->material[second][0],
                                          list->size[c][0], list->point[c][3]);
}

/* ---- one body ---- */

typedef struct heat_sum
{
    double bodies, walls, conductance;
} heat_sum;

static void sum_pairs(const heat_view *view, uint32_t slot, heat_sum *sum)
{
    const scree_contact_list *list = view->contacts->pairs;

    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->end[slot];
         e++) {
        uint32_t c = list->entry[e] >> 1, is_second = list->entry[e] & 1;
        uint32_t first = list->first[c][0], second = list->second[c][0];
        if (!list->touches_next[c][0])
            continue;
        double through = conductance_of_pair(view, first, second);
        sum->conductance += through;
        sum->bodies += through * (temperature_of(view, is_second ? first : second) -
                                  temperature_of(view, slot));
    }
}

static void sum_walls(const heat_view *view, uint32_t slot, heat_sum *sum)
{
    const scree_wall_contact_list *list = view->contacts->wall_contacts;

    for (uint32_t c = list->count ? list->begin[slot] : 0; list->count && c < list->end[slot];
         c++) {
        double through = conductance_at_wall(view, c);
        sum->conductance += through;
        sum->walls += through * (view->contacts->walls->wall[list->wall[c][0]].heat.temperature -
                                 temperature_of(view, slot));
    }
}

static void sum_solids(const heat_view *view, uint32_t slot, heat_sum *sum)
{
    const scree_solid_list *list = view->contacts->solids;
    uint32_t first, second, wall;

    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->begin[slot + 1];
         e++) {
        uint32_t c = list->entry[e] >> 1;
        if (!scree_solids_resolve(view->contacts->bodies, view->contacts->walls, list->pair[c],
                                  &first, &second, &wall))
            continue;
        double through = conductance_of_solid(view, c, first, second, wall);
        sum->conductance += through;
        if (second == UINT32_MAX)
            sum->walls += through * (view->contacts->walls->wall[wall].heat.temperature -
                                     temperature_of(view, slot));
        else
            sum->bodies += through * (temperature_of(view, slot == first ? second : first) -
                                      temperature_of(view, slot));
    }
}

static void find_block(void *data, const scree_body_block *block)
{
    const heat_view *view = data;
    const scree_body_arrays *bodies = view->contacts->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        heat_sum sum = {0, 0, 0};
        double *flow = view->heat->flow[slot];
        sum_pairs(view, slot, &sum);
        sum_walls(view, slot, &sum);
        sum_solids(view, slot, &sum);
        flow[0] = sum.bodies;
        flow[1] = sum.walls;
        flow[2] = sum.conductance / scree_heat_capacity(bodies, view->heat, slot);
        flow[3] = 0;
    }
}

static void find_flows(heat_view *view)
{
    scree_body_blocks_run(view->step->workers, view->contacts->bodies->count, find_block, view);
}

/* ---- before the step is taken ---- */

static bool takes_part(const scree_body_arrays *bodies, uint32_t slot)
{
    return !(bodies->flags[slot][0] & SCREE_GHOST) && bodies->heat[slot][SCREE_HEAT_HELD] == 0;
}

static scree_status check_capacities(const heat_view *view)
{
    const scree_body_arrays *bodies = view->contacts->bodies;

    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if (!(scree_heat_capacity(bodies, view->heat, slot) > 0))
            return scree_fail(
                view->step->error, SCREE_BAD_VALUE,
                "world: step %" PRIu64 ": body %" PRIu64 " has no heat capacity: its material, %u "
                "\"%s\", must be given one (scree_world_set_material_heat)",
                view->step->number, bodies->serial[slot][0], bodies->material[slot][0],
                view->step->rules->materials[bodies->material[slot][0] - 1].name);
    return SCREE_OK;
}

static scree_status refuse_cold(const heat_view *view, uint32_t slot)
{
    const double *row = view->contacts->bodies->heat[slot];

    return scree_fail(view->step->error, SCREE_UNSTABLE,
                      "world: step %" PRIu64 ": body %" PRIu64
                      " would be colder than 0 K: it has %g K, its source is %g W",
                      view->step->number, view->contacts->bodies->serial[slot][0],
                      row[SCREE_HEAT_TEMPERATURE], row[SCREE_HEAT_SOURCE]);
}

/*  Flows of later substeps are not known in advance. Conduction makes no body colder than the coldest one, so no
    temperature falls below that by more than the strongest sink alone would cause. */
static scree_status check_cold_pieces(const heat_view *view, double dt)
{
    const scree_body_arrays *bodies = view->contacts->bodies;
    const scree_walls *walls = view->contacts->walls;
    double coldest = INFINITY, fastest = 0;
    uint32_t sink = UINT32_MAX;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *row = bodies->heat[slot];
        double rate = -row[SCREE_HEAT_SOURCE] / scree_heat_capacity(bodies, view->heat, slot);
        coldest = fmin(coldest, row[SCREE_HEAT_TEMPERATURE]);
        if (takes_part(bodies, slot) && rate > fastest) {
            fastest = rate;
            sink = slot;
        }
    }
    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].heat.is_given)
            coldest = fmin(coldest, walls->wall[w].heat.temperature);
    return sink == UINT32_MAX || coldest - fastest * dt >= 0 ? SCREE_OK : refuse_cold(view, sink);
}

static scree_status check_cold(const heat_view *view, double dt)
{
    const scree_body_arrays *bodies = view->contacts->bodies;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double *row = bodies->heat[slot], *flow = view->heat->flow[slot];
        double change = (flow[0] + flow[1] + row[SCREE_HEAT_SOURCE]) * dt /
                        scree_heat_capacity(bodies, view->heat, slot);
        if (takes_part(bodies, slot) && !(row[SCREE_HEAT_TEMPERATURE] + change >= 0))
            return refuse_cold(view, slot);
    }
    return SCREE_OK;
}

scree_status scree_heat_find(const scree_step *step, const scree_found_contacts *contacts,
                             scree_heat *heat)
{
    heat_view view = {step, contacts, heat};
    const scree_body_arrays *bodies = contacts->bodies;
    const double dt = step->dt;
    double fastest = 0;
    scree_status status = SCREE_OK;

    if (!heat->is_on)
        return SCREE_OK;
    if (scree_memory_reserve_lines(step->memory, &heat->flow, &heat->flow_capacity, bodies->count,
                                   sizeof *heat->flow))
        return scree_fail(step->error, SCREE_OUT_OF_MEMORY, "world: heat: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    status = check_capacities(&view);
    if (status)
        return status;
    find_flows(&view);
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        if (takes_part(bodies, slot) && heat->flow[slot][2] > fastest)
            fastest = heat->flow[slot][2];
    heat->found_stable = fastest > 0 ? PIECE_SHARE / fastest : 0;
    heat->found_pieces = ceil(dt * fastest / PIECE_SHARE);
    heat->found_pieces = heat->found_pieces > 1 ? heat->found_pieces : 1;
    if (!(heat->found_pieces <= MOST_PIECES))
        return scree_fail(step->error, SCREE_UNSTABLE,
                          "world: step %" PRIu64 ": dt is %g, more than %g times what conduction "
                          "of heat bears, %g",
                          step->number, dt, MOST_PIECES, heat->found_stable);
    status = check_cold(&view, dt / heat->found_pieces);
    return status || heat->found_pieces == 1 ? status : check_cold_pieces(&view, dt);
}

/* ---- accepting a step ---- */

typedef struct heat_run
{
    heat_view view;
    scree_body_arrays *bodies;
    double dt;    /* of a substep */
    double share; /* of the step */
} heat_run;

/*  Adds without rounding: what does not fit into the temperature is kept in the remainder (Knuth's two-sum, The Art
    of Computer Programming 2, 4.2.2, theorem B). */
static void warm(double *row, double more)
{
    double before = row[SCREE_HEAT_TEMPERATURE], added = row[SCREE_HEAT_REMAINDER] + more;
    double after = before + added, kept = after - before;

    row[SCREE_HEAT_TEMPERATURE] = after;
    row[SCREE_HEAT_REMAINDER] = (before - (after - kept)) + (added - kept);
}

static void warm_block(void *data, const scree_body_block *block)
{
    const heat_run *run = data;
    const scree_heat *heat = run->view.heat;
    scree_body_arrays *bodies = run->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        double *row = bodies->heat[slot];
        const double *flow = heat->flow[slot];
        double through = flow[0] + flow[1], all = through + row[SCREE_HEAT_SOURCE];
        row[SCREE_HEAT_FLOW] += run->share * through;
        row[SCREE_HEAT_WALLS] += flow[1] * run->dt;
        if (takes_part(bodies, slot)) {
            row[SCREE_HEAT_SOURCES] += row[SCREE_HEAT_SOURCE] * run->dt;
            warm(row, all * run->dt / scree_heat_capacity(bodies, heat, slot));
        } else {
            row[SCREE_HEAT_SOURCES] -= through * run->dt;
        }
    }
}

/*  Flow from the contacts of one wall, over all lists. */
static double flow_of_wall(const heat_view *view, uint32_t w)
{
    const scree_wall_contact_list *list = view->contacts->wall_contacts;
    const scree_solid_list *solids = view->contacts->solids;
    double temperature = view->contacts->walls->wall[w].heat.temperature;
    uint32_t first, second, wall;
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (uint32_t c = 0; c < list->count; c++)
        if (list->wall[c][0] == w)
            scree_exact_add(&sum, conductance_at_wall(view, c) *
                                      (temperature - temperature_of(view, list->body[c][0])));
    for (uint32_t c = 0; c < solids->count; c++)
        if (scree_solids_resolve(view->contacts->bodies, view->contacts->walls, solids->pair[c],
                                 &first, &second, &wall) &&
            second == UINT32_MAX && wall == w)
            scree_exact_add(&sum, conductance_of_solid(view, c, first, second, wall) *
                                      (temperature - temperature_of(view, first)));
    return scree_exact_value(&sum);
}

static void book_walls(const heat_run *run, scree_walls *walls)
{
    for (uint32_t w = 0; w < walls->count; w++) {
        scree_wall_heat *heat = &walls->wall[w].heat;
        if (!heat->is_given)
            continue;
        double flow = flow_of_wall(&run->view, w);
        heat->flow += run->share * flow;
        heat->given += flow * run->dt;
    }
}

static void clear_means(scree_body_arrays *bodies, scree_walls *walls)
{
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        bodies->heat[slot][SCREE_HEAT_FLOW] = 0;
    for (size_t w = 0; w < walls->count; w++)
        walls->wall[w].heat.flow = 0;
}

/* ---- dissipated energy ---- */

static double sum_of_losses(const double *account)
{
    double sum = 0;

    for (int k = 0; k < SCREE_LOSSES; k++)
        sum += account[1 + k];
    return sum;
}

/*  This body's share of the energy that its contacts dissipated in the step; the wall's share goes to the wall. */
static double losses_of(const heat_view *view, uint32_t slot, scree_exact_sum *to_walls)
{
    const scree_contact_list *list = view->contacts->pairs;
    const scree_wall_contact_list *wall_contacts = view->contacts->wall_contacts;
    const scree_solid_list *solids = view->contacts->solids;
    double share = view->heat->course.loss_share, sum = 0;
    uint32_t first, second, wall;

    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->end[slot];
         e++) {
        uint32_t c = list->entry[e] >> 1;
        if (list->touches_next[c][0])
            sum += 0.5 * share * sum_of_losses(view->contacts->exerted->account[c]);
    }
    for (uint32_t c = wall_contacts->count ? wall_contacts->begin[slot] : 0;
         wall_contacts->count && c < wall_contacts->end[slot]; c++) {
        bool is_given = view->contacts->walls->wall[wall_contacts->wall[c][0]].heat.is_given;
        double part = (is_given ? 0.5 : 1) * share * sum_of_losses(wall_contacts->account[c]);
        sum += part;
        scree_exact_add(to_walls, is_given ? part : 0);
    }
    for (uint32_t e = solids->count ? solids->begin[slot] : 0;
         solids->count && e < solids->begin[slot + 1]; e++) {
        uint32_t c = solids->entry[e] >> 1;
        if (!scree_solids_resolve(view->contacts->bodies, view->contacts->walls, solids->pair[c],
                                  &first, &second, &wall))
            continue;
        bool at_wall = second == UINT32_MAX,
             is_given = at_wall && view->contacts->walls->wall[wall].heat.is_given;
        double part = (at_wall && !is_given ? 1 : 0.5) * share * sum_of_losses(solids->account[c]);
        sum += part;
        scree_exact_add(to_walls, is_given ? part : 0);
    }
    return sum;
}

static void book_losses(const heat_view *view, scree_body_arrays *bodies, scree_heat *heat)
{
    scree_exact_sum to_walls;

    if (heat->course.loss_share == 0)
        return;
    scree_exact_clear(&to_walls);
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double *row = bodies->heat[slot], sum;
        if (bodies->flags[slot][0] & SCREE_GHOST)
            continue;
        sum = losses_of(view, slot, &to_walls);
        row[SCREE_HEAT_LOSSES] += sum;
        if (takes_part(bodies, slot))
            warm(row, sum / scree_heat_capacity(bodies, heat, slot));
        else
            row[SCREE_HEAT_SOURCES] -= sum;
    }
    heat->course.to_walls += scree_exact_value(&to_walls);
}

void scree_heat_take_step(const scree_step *step, const scree_found_contacts *contacts,
                          scree_body_arrays *bodies, scree_walls *walls, scree_heat *heat)
{
    heat_run run = {.view = {step, contacts, heat}, .bodies = bodies};

    if (!heat->is_on)
        return;
    run.dt = step->dt / heat->found_pieces;
    run.share = 1 / heat->found_pieces;
    clear_means(bodies, walls);
    for (double piece = 0; piece < heat->found_pieces; piece++) {
        if (piece > 0)
            find_flows(&run.view);
        book_walls(&run, walls);
        scree_body_blocks_run(step->workers, bodies->count, warm_block, &run);
    }
    book_losses(&run.view, bodies, heat);
    heat->course.stable = heat->found_stable;
    heat->course.pieces = (uint64_t)heat->found_pieces;
}
