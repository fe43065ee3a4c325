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
#define MAX_PIECES 10000.0

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

static double conductance_at_wall(const heat_view *view, const scree_found_contact *c)
{
    const scree_wall_record *wall = &view->contacts->walls->wall[c->wall];

    return wall->heat.is_given ? conductance(view, view->contacts->bodies->material[c->first][0],
                                             wall->def.material.index1,
                                             view->contacts->bodies->position[c->first][3],
                                             view->contacts->wall_contacts->point[c->index][3])
                               : 0;
}

static double conductance_of_shape(const heat_view *view, const scree_found_contact *c)
{
    const scree_shape_contact_list *list = view->contacts->shapes;
    const scree_wall_record *record =
        c->second == UINT32_MAX ? &view->contacts->walls->wall[c->wall] : NULL;

    if (record && !record->heat.is_given)
        return 0;
    return list->size[c->index][2] *
           conductance(view, view->contacts->bodies->material[c->first][0],
                       record ? record->def.material.index1
                              : view->contacts->bodies->material[c->second][0],
                       list->size[c->index][0], list->point[c->index][3]);
}

static double conductance_of(const heat_view *view, const scree_found_contact *c)
{
    return c->list == SCREE_IN_PAIRS           ? conductance_of_pair(view, c->first, c->second)
           : c->list == SCREE_IN_WALL_CONTACTS ? conductance_at_wall(view, c)
                                               : conductance_of_shape(view, c);
}

/* ---- one body ---- */

typedef struct heat_sum
{
    double bodies, walls, conductance;
} heat_sum;

static heat_sum sum_contacts(const heat_view *view, uint32_t slot)
{
    scree_contact_walk walk = scree_contacts_of(view->contacts, slot);
    heat_sum sum = {0, 0, 0};

    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        double through = conductance_of(view, &c);
        sum.conductance += through;
        if (c.second == UINT32_MAX)
            sum.walls += through * (view->contacts->walls->wall[c.wall].heat.temperature -
                                    temperature_of(view, slot));
        else
            sum.bodies +=
                through * (temperature_of(view, scree_partner_of(&c)) - temperature_of(view, slot));
    }
    return sum;
}

static void find_block(void *data, const scree_body_block *block)
{
    const heat_view *view = data;
    const scree_body_arrays *bodies = view->contacts->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        const heat_sum sum = sum_contacts(view, slot);
        double *flow = view->heat->flow[slot];
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

/*  The body that its source cools fastest, and the rate in K/s; UINT32_MAX and 0 if no source cools one. */
static uint32_t find_sink(const heat_view *view, double *fastest)
{
    const scree_body_arrays *bodies = view->contacts->bodies;
    uint32_t sink = UINT32_MAX;

    *fastest = 0;
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        const double rate =
            -bodies->heat[slot][SCREE_HEAT_SOURCE] / scree_heat_capacity(bodies, view->heat, slot);
        if (takes_part(bodies, slot) && rate > *fastest) {
            *fastest = rate;
            sink = slot;
        }
    }
    return sink;
}

static scree_heat_limits find_limits(const heat_view *view)
{
    const scree_body_arrays *bodies = view->contacts->bodies;
    scree_heat_limits limits = {.coldest = INFINITY};

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        limits.coldest = fmin(limits.coldest, bodies->heat[slot][SCREE_HEAT_TEMPERATURE]);
        if (takes_part(bodies, slot))
            limits.fastest = fmax(limits.fastest, view->heat->flow[slot][2]);
    }
    (void)find_sink(view, &limits.cooling);
    return limits;
}

/*  Flows of later substeps are not known in advance. Conduction makes no body colder than the coldest one, so no
    temperature falls below that by more than the strongest sink alone would cause. */
static scree_status check_cold_pieces(const heat_view *view, double dt)
{
    const scree_heat_limits *limits = &view->heat->limits;
    const scree_walls *walls = view->contacts->walls;
    double coldest = limits->coldest, fastest;

    for (size_t w = 0; w < walls->count; w++)
        if (walls->wall[w].heat.is_given)
            coldest = fmin(coldest, walls->wall[w].heat.temperature);
    if (limits->cooling == 0 || coldest - limits->cooling * dt >= 0)
        return SCREE_OK;
    const uint32_t sink = find_sink(view, &fastest);
    /* the rank of the strongest sink writes the message */
    return fastest < limits->cooling ? SCREE_UNSTABLE : refuse_cold(view, sink);
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

    if (scree_memory_reserve_lines(step->memory, &heat->flow, &heat->flow_capacity, bodies->count,
                                   sizeof *heat->flow))
        return scree_fail(step->error, SCREE_OUT_OF_MEMORY, "world: heat: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    const scree_status status = check_capacities(&view);
    if (status)
        return status;
    find_flows(&view);
    heat->limits = find_limits(&view);
    return SCREE_OK;
}

scree_status scree_heat_check(const scree_step *step, const scree_found_contacts *contacts,
                              scree_heat *heat)
{
    const heat_view view = {step, contacts, heat};
    const double dt = step->dt, fastest = heat->limits.fastest;

    heat->found_stable = fastest > 0 ? PIECE_SHARE / fastest : 0;
    heat->found_pieces = ceil(dt * fastest / PIECE_SHARE);
    heat->found_pieces = heat->found_pieces > 1 ? heat->found_pieces : 1;
    if (!(heat->found_pieces <= MAX_PIECES))
        return scree_fail(step->error, SCREE_UNSTABLE,
                          "world: step %" PRIu64
                          ": dt is %g, more than %g times the largest stable step "
                          "of heat conduction, %g",
                          step->number, dt, MAX_PIECES, heat->found_stable);
    const scree_status status = check_cold(&view, dt / heat->found_pieces);
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

/*  Over all ranks. If others cannot be reached, their next exchange fails, so its status is not needed here. */
static double value_of_all(const scree_step *step, scree_exact_sum *sum)
{
    if (step->sum)
        (void)step->sum(step->ranks, sum, 1);
    return scree_exact_value(sum);
}

/*  Flow from the contacts of one wall, over all lists. */
static double flow_of_wall(const heat_view *view, uint32_t w)
{
    scree_contact_walk walk = scree_all_contacts_but_pairs(view->contacts);
    double temperature = view->contacts->walls->wall[w].heat.temperature;
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (scree_found_contact c; scree_next_contact(&walk, &c);)
        if (c.wall == w)
            scree_exact_add(&sum, conductance_of(view, &c) *
                                      (temperature - temperature_of(view, c.first)));
    return value_of_all(view->step, &sum);
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
    scree_contact_walk walk = scree_contacts_of(view->contacts, slot);
    double share = view->heat->course.loss_share, sum = 0;

    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        bool at_wall = c.second == UINT32_MAX,
             is_given = at_wall && view->contacts->walls->wall[c.wall].heat.is_given;
        double part = (at_wall && !is_given ? 1 : 0.5) * share *
                      sum_of_losses(scree_account_of(view->contacts, &c));
        sum += part;
        if (is_given)
            scree_exact_add(to_walls, part);
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
    heat->course.to_walls += value_of_all(view->step, &to_walls);
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
        if (piece > 0 && step->share_heat)
            (void)step->share_heat(step->ranks, bodies);
        if (piece > 0)
            find_flows(&run.view);
        book_walls(&run, walls);
        scree_body_blocks_run(step->workers, bodies->count, warm_block, &run);
    }
    book_losses(&run.view, bodies, heat);
    heat->course.stable = heat->found_stable;
    heat->course.pieces = (uint64_t)heat->found_pieces;
}
