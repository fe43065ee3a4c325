/*  The rule by which bodies fall asleep and wake. */
#include "world/motion/sleep.h"

#include "world/state/body_blocks.h"
#include "world/state/body_energy.h"

#include <math.h>
#include <string.h>

#define MOST 1e100
/*  Default threshold in units of gravity. */
#define SHARE_OF_GRAVITY 0.01

void scree_sleep_free(scree_sleep_state *sleep, scree_memory *memory)
{
    scree_memory_give(memory, &sleep->settled, sleep->settled_capacity, sizeof *sleep->settled);
    scree_memory_give(memory, &sleep->spares, sleep->spares_capacity, sizeof *sleep->spares);
    memset(sleep, 0, sizeof *sleep);
}

/* ---- checks ---- */

bool scree_sleep_rule_is_sound(const scree_sleep_rule *rule)
{
    return rule->speed > 0 && rule->speed <= MOST && rule->acceleration >= 0 &&
           rule->acceleration <= MOST && rule->steps >= 1 && rule->steps <= UINT32_MAX;
}

bool scree_sleep_row_is_sound(const scree_sleep_rule *rule, const double row[SCREE_SLEEP_VALUES])
{
    double quiet = row[SCREE_SLEEP_QUIET];

    for (int k = 0; k < SCREE_SLEEP_VALUES; k++)
        if (!isfinite(row[k]))
            return false;
    return quiet >= 0 && quiet <= (double)rule->steps + 1 && quiet == floor(quiet);
}

bool scree_sleep_fits(const scree_world_def *def)
{
    return !scree_integrator_is_implicit(def->step.integrator) &&
           def->step.mode != SCREE_TIME_MASS_SCALING && def->step.local_steps == 0;
}

/* ---- on and off ---- */

void scree_sleep_enter(const scree_sleep_state *sleep, scree_body_arrays *bodies, uint32_t slot)
{
    if (sleep->is_on)
        memset(bodies->sleep[slot], 0, sizeof *bodies->sleep);
}

/* ---- the rule ---- */

typedef struct decision
{
    const scree_sleep_state *sleep;
    scree_body_arrays *bodies;
    double acceleration;
} decision;

/*  Inverse of the smallest moment of inertia. */
static double inverse_inertia(const scree_body_arrays *bodies, uint32_t slot)
{
    const double *inertia = bodies->inertia[slot];

    if (bodies->spin[slot][3] != 0)
        return bodies->spin[slot][3];
    return 1 / fmin(inertia[0], fmin(inertia[1], inertia[2]));
}

/*  The acceleration, in m/s^2, that the force on the body minus `held` would give the body and its surface. */
static double acceleration_of(const scree_body_arrays *bodies, uint32_t slot, const double held[8])
{
    const uint32_t flags = scree_body_held(bodies->flags[slot][0]);
    double push = 0, turn = 0;

    for (int k = 0; k < 3; k++) {
        double force = bodies->force[slot][k] - held[k];
        double torque = bodies->torque[slot][k] - held[4 + k];
        push += flags >> k & 1 ? 0 : force * force;
        turn += flags >> (3 + k) & 1 ? 0 : torque * torque;
    }
    return sqrt(push) * bodies->velocity[slot][3] +
           sqrt(turn) * inverse_inertia(bodies, slot) * bodies->position[slot][3];
}

static double speed_of(const scree_body_arrays *bodies, uint32_t slot)
{
    const double *v = bodies->velocity[slot], *w = bodies->spin[slot];

    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) +
           sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) * bodies->position[slot][3];
}

static void put_to_sleep(scree_body_arrays *bodies, uint32_t slot)
{
    if (bodies->keeps[SCREE_KEEP_ACCOUNTS])
        bodies->account[slot][SCREE_ACCOUNT_BODY_DAMPING] +=
            scree_body_kinetic(bodies, slot) + scree_body_rotational(bodies, slot);
    for (int k = 0; k < 3; k++)
        bodies->velocity[slot][k] = bodies->spin[slot][k] = 0;
}

/*  The forces of the last step in which the body moved included dashpots, so the reference is the force after that. */
static void decide_at_rest(const decision *run, uint32_t slot)
{
    const double settled = (double)run->sleep->rule.steps + 1;
    scree_body_arrays *bodies = run->bodies;
    double *row = bodies->sleep[slot], held[8] = {0};
    bool is_first = !(bodies->still[slot][0] & SCREE_HAS_SETTLED);

    /* usually nothing has changed */
    if (!is_first && memcmp(row + SCREE_SLEEP_FORCE, bodies->force[slot], 3 * sizeof *row) == 0 &&
        memcmp(row + SCREE_SLEEP_TORQUE, bodies->torque[slot], 3 * sizeof *row) == 0)
        return;
    for (int k = 0; k < 3 && !is_first; k++) {
        held[k] = row[SCREE_SLEEP_FORCE + k];
        held[4 + k] = row[SCREE_SLEEP_TORQUE + k];
    }
    if (!(acceleration_of(bodies, slot, held) <= run->acceleration)) {
        memset(row, 0, sizeof *bodies->sleep);
        bodies->still[slot][0] |= SCREE_WAKES;
        return;
    }
    row[SCREE_SLEEP_QUIET] = settled;
    for (int k = 0; k < 3 && is_first; k++) {
        row[SCREE_SLEEP_FORCE + k] = bodies->force[slot][k];
        row[SCREE_SLEEP_TORQUE + k] = bodies->torque[slot][k];
    }
}

static void decide_body(const decision *run, uint32_t slot)
{
    const double none[8] = {0};
    const scree_sleep_state *sleep = run->sleep;
    scree_body_arrays *bodies = run->bodies;
    double *row = bodies->sleep[slot];

    if (scree_body_is_still(sleep, bodies, slot)) {
        decide_at_rest(run, slot);
        return;
    }
    if (!(speed_of(bodies, slot) <= sleep->rule.speed &&
          acceleration_of(bodies, slot, none) <= run->acceleration)) {
        row[SCREE_SLEEP_QUIET] = 0;
        return;
    }
    row[SCREE_SLEEP_QUIET]++;
    if (!scree_body_is_asleep(sleep, bodies, slot))
        return;
    put_to_sleep(bodies, slot);
    bodies->still[slot][0] |= SCREE_FALLS_ASLEEP;
}

static void decide_block(void *data, const scree_body_block *block)
{
    const decision *run = data;
    const scree_body_arrays *bodies = run->bodies;

    for (uint32_t slot = block->begin; slot < block->end; slot++) {
        if (!(bodies->flags[slot][0] & SCREE_GHOST))
            decide_body(run, slot);
    }
}

void scree_sleep_look_at_bodies(const scree_sleep_state *sleep, scree_body_arrays *bodies,
                                uint32_t begin, uint32_t end)
{
    const double steps = (double)sleep->rule.steps;

    for (uint32_t slot = begin; sleep->is_on && slot < end; slot++) {
        double quiet = bodies->sleep[slot][SCREE_SLEEP_QUIET];
        bodies->still[slot][0] = (uint8_t)((quiet >= steps ? SCREE_SLEEPS_NOW : 0) |
                                           (quiet > steps ? SCREE_HAS_SETTLED : 0));
    }
}

/*  `still` has the state at the start of the step, plus the bits that decide_block has added. */
static void count_changes(scree_sleep_state *sleep, const scree_body_arrays *bodies)
{
    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        uint8_t still = bodies->still[slot][0];
        sleep->fell += (still & SCREE_FALLS_ASLEEP) != 0;
        sleep->woke += (still & SCREE_WAKES) != 0;
    }
}

void scree_sleep_decide(const scree_step *step, scree_sleep_state *sleep, scree_body_arrays *bodies,
                        bool cell_is_moving)
{
    const double *g = step->def->gravity;
    decision run = {sleep, bodies, sleep->rule.acceleration};

    if (!sleep->is_on)
        return;
    if (run.acceleration == 0)
        run.acceleration = SHARE_OF_GRAVITY * sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    if (cell_is_moving)
        for (uint32_t slot = 0; slot < bodies->count; slot++)
            scree_sleep_enter(sleep, bodies, slot);
    else
        scree_body_blocks_run(step->workers, bodies->count, decide_block, &run);
    count_changes(sleep, bodies);
}
