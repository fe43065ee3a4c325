/*  Bodies that tumble several at once do what each does alone, to the last bit. */
#include "base/quaternion.h"
#include "base/random.h"
#include "narrow/mesh_contact.h"
#include "scree/scree.h"
#include "test.h"
#include "world/state/rotation.h"
#include "world/state/rotation_batch.h"

#include <string.h>

#define BODIES 40u

static void any_row(scree_random *random, double size, double row[4])
{
    for (int k = 0; k < 3; k++)
        row[k] = size * scree_random_normal(random);
    row[3] = 0;
}

/*  Every other one has an axis of symmetry, one of seven stands, and has zeros of both signs. */
static void make_tumbler(scree_body_arrays *bodies, uint32_t slot, scree_random *random)
{
    double *inertia = bodies->inertia[slot], *q = bodies->orientation_before[slot];

    for (int k = 0; k < 3; k++)
        inertia[k] = scree_random_range(random, 0.3, 3);
    if (slot % 2)
        inertia[slot % 3] = inertia[(slot + 1) % 3];
    inertia[3] = 1;
    do
        for (int k = 0; k < 4; k++)
            q[k] = scree_random_normal(random);
    while (!scree_quaternion_normalise(q));
    any_row(random, 2, bodies->spin_before[slot]);
    any_row(random, 5, bodies->torque_before[slot]);
    any_row(random, 5, bodies->torque[slot]);
    if (slot % 7 == 0) {
        const double none[4] = {0.0, -0.0, 0.0, 0}, level[4] = {1, -0.0, 0.0, -0.0};
        memcpy(bodies->spin_before[slot], none, sizeof none);
        memcpy(bodies->torque_before[slot], none, sizeof none);
        memcpy(q, level, sizeof level);
    }
    bodies->flags[slot][0] = 0;
}

static void one_by_one(scree_body_arrays *bodies, const scree_tumblers *some, double dt,
                       double share)
{
    for (uint32_t k = 0; k < some->count; k++)
        scree_turn_drift(bodies, some->slot[k], bodies->torque_before[some->slot[k]], dt, share);
}

static void end_one_by_one(scree_body_arrays *bodies, const scree_tumblers *some, double share)
{
    for (uint32_t k = 0; k < some->count; k++) {
        uint32_t slot = some->slot[k];
        double more[3];
        for (int a = 0; a < 3; a++)
            more[a] = bodies->torque[slot][a] - bodies->torque_before[slot][a];
        scree_turn_finish(bodies, slot, more, share);
    }
}

typedef struct outcome
{
    double spin[BODIES][4], orientation[BODIES][4];
} outcome;

static void keep_outcome(const scree_body_arrays *bodies, outcome *kept)
{
    memcpy(kept->spin, bodies->spin, sizeof kept->spin);
    memcpy(kept->orientation, bodies->orientation, sizeof kept->orientation);
}

static void compare_momenta(const scree_body_arrays *bodies, scree_tumblers *some, scree_simd level)
{
    double together[SCREE_TUMBLERS][4], alone[3];

    scree_momenta_kernels[level](bodies, some, together);
    for (uint32_t k = 0; k < some->count; k++) {
        scree_body_momentum(bodies, some->slot[k], alone);
        CHECK(memcmp(together[k], alone, sizeof alone) == 0);
    }
}

/*  One in a trial that is of no length, or too long to square. */
static void compare_matrices(scree_body_arrays *bodies, scree_tumblers *some, scree_simd level,
                             double stretch)
{
    double turn[SCREE_TUMBLERS][3][3];

    for (int a = 0; a < 4; a++)
        bodies->orientation[some->slot[some->count / 2]][a] *= stretch;
    scree_matrices_kernels[level](bodies, some, turn);
    for (uint32_t k = 0; k < some->count; k++) {
        const scree_mesh_pose due =
            scree_mesh_pose_of(bodies->position[some->slot[k]], bodies->orientation[some->slot[k]]);
        CHECK(memcmp(turn[k], due.turn, sizeof due.turn) == 0);
    }
}

static void clear_outcome(scree_body_arrays *bodies)
{
    memset(bodies->spin, 0, BODIES * sizeof *bodies->spin);
    memset(bodies->orientation, 0, BODIES * sizeof *bodies->orientation);
}

static void compare(scree_body_arrays *bodies, scree_random *random, scree_simd level, double dt,
                    double share)
{
    scree_tumblers some = {.count = 1 + scree_random_below(random, SCREE_TUMBLERS)};
    outcome alone, together;

    for (uint32_t k = 0; k < some.count; k++)
        some.slot[k] = (uint32_t)scree_random_below(random, BODIES / SCREE_TUMBLERS) +
                       k * (BODIES / SCREE_TUMBLERS);
    clear_outcome(bodies);
    one_by_one(bodies, &some, dt, share);
    end_one_by_one(bodies, &some, share);
    keep_outcome(bodies, &alone);
    clear_outcome(bodies);
    scree_tumble_kernels[level](bodies, &some, dt, share);
    scree_tumble_end_kernels[level](bodies, &some, share);
    keep_outcome(bodies, &together);
    CHECK(memcmp(&alone, &together, sizeof alone) == 0);
    compare_momenta(bodies, &some, level);
    compare_matrices(bodies, &some, level,
                     (const double[]){1, 1, 3, 0, 1e-200, 1e200}[scree_random_below(random, 6)]);
}

/*  Of short steps, of such in which some turn too far for the series, and of none. */
TEST(several_do_what_each_does_alone)
{
    static const double steps[] = {1e-4, 0.02, 0.1, 1, 0};
    scree_random random = scree_random_stream(15, 0);
    scree_memory memory;
    scree_body_arrays bodies;

    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    scree_bodies_init(&bodies, &memory);
    CHECK_EQUAL(scree_bodies_reserve(&bodies, BODIES), SCREE_OK);
    for (uint32_t slot = 0; slot < BODIES; slot++)
        CHECK_EQUAL(scree_bodies_push(&bodies), slot);
    for (uint32_t trial = 0; trial < 2000; trial++) {
        for (uint32_t slot = 0; slot < BODIES; slot++)
            make_tumbler(&bodies, slot, &random);
        for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
            double dt = steps[trial % SCREE_COUNT_OF(steps)];
            if (scree_simd_resolve((scree_simd)level) == (scree_simd)level)
                compare(&bodies, &random, (scree_simd)level, dt, trial % 2 ? dt / 2 : dt);
        }
    }
    scree_bodies_free(&bodies);
    CHECK_EQUAL(memory.bytes, 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(several_do_what_each_does_alone),
    };
    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
