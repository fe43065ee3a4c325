/*  Forces of laws written as formulas. The program computes numbers for each contact of a batch: normal force,
    stiffness and limit of the tangential spring, and the next values of the history. The vectors around them, and how a
    spring rotates with its contact and slides, are those of the built-in laws (law_row.inc.h), for each SIMD
    instruction set. */
#include "law/formula_law.h"

#include "law/law_builtin.h"
#include "law/law_row.h"

#include <float.h>
#include <math.h>
#include <string.h>

/*  The Coulomb limit is reduced by more than the rounding errors of the vector that it limits, as in law_prepare.c. */
#define FORMULA_WITHIN (1 - 0x1p-49)
/*  Vectors shorter than this have no direction. */
#define FORMULA_MIN_SPEED 1e-200

/*  Scratch of one batch. */
typedef struct formula_room
{
    _Alignas(64) double overlap[SCREE_BATCH];
    double slide[SCREE_BATCH], roll[SCREE_BATCH];
    double energy[SCREE_BATCH],
        still[SCREE_BATCH]; /* elastic energy; normal force at zero velocity */
    double result[SCREE_LAW_OUT_MEMORY][SCREE_BATCH];
    double fixed[SCREE_LAW_STEP + 1];
    const double *varied[SCREE_LAW_VARIED + SCREE_MAX_FORMULA_MEMORY];
    double *outputs[SCREE_LAW_OUT_MEMORY + SCREE_MAX_FORMULA_MEMORY];
    bool wants_slide, wants_roll, has_damping;
    scree_program_data data;
    scree_program_fn *run;
} formula_room;

static bool law_keeps_account(const scree_batch *b)
{
    return b->energy || b->loss[SCREE_LOSS_DAMPING] || b->loss[SCREE_LOSS_FRICTION] ||
           b->loss[SCREE_LOSS_ROLLING];
}

/*  Where the program reads its inputs and writes its outputs. */
static void begin_room(const scree_batch *b, const double *constants, const scree_formula_law *law,
                       formula_room *room)
{
    memcpy(room->fixed, constants, SCREE_MAX_CONSTANTS * sizeof *constants);
    room->fixed[SCREE_LAW_STEP] = b->dt + b->ahead; /* the whole step */
    room->wants_slide = law->wants_slide;
    room->wants_roll = law->wants_roll;
    room->has_damping = law->has_damping;
    room->varied[SCREE_LAW_D] = law->law.reach > 0 ? b->overlap : room->overlap;
    room->varied[SCREE_LAW_VN] = b->approach;
    room->varied[SCREE_LAW_VT] = room->slide;
    room->varied[SCREE_LAW_WR] = room->roll;
    room->varied[SCREE_LAW_R] = b->radius;
    room->varied[SCREE_LAW_M] = b->mass;
    room->varied[SCREE_LAW_ARM1] = b->arm[0];
    room->varied[SCREE_LAW_ARM2] = b->arm[1];
    for (uint32_t k = 0; k < SCREE_LAW_OUT_MEMORY; k++)
        room->outputs[k] = room->result[k];
    for (uint32_t k = 0; k < law->memory_count; k++) {
        room->varied[SCREE_LAW_VARIED + k] = b->memory[law->memory_at + k];
        room->outputs[SCREE_LAW_OUT_MEMORY + k] = b->next[law->memory_at + k];
    }
    uint32_t rows = (b->count + SCREE_FORMULA_ROWS - 1) / SCREE_FORMULA_ROWS * SCREE_FORMULA_ROWS;
    room->data = (scree_program_data){room->fixed, room->varied, room->outputs, rows};
}

/*  Runs a program with one output on the same contacts. */
static void run_one(const scree_program *program, double *output, const formula_room *room)
{
    scree_program_data data = room->data;

    data.outputs = &output;
    room->run(program, &data);
}

/*  What the energy balance needs in addition to forces. */
static void run_for_account(const scree_formula_law *law, formula_room *room)
{
    double zero[SCREE_BATCH] = {0};
    const double *rates = room->varied[SCREE_LAW_VN];

    memset(room->energy, 0, sizeof room->energy);
    if (law->energy)
        run_one(law->energy, room->energy, room);
    room->varied[SCREE_LAW_VN] = zero;
    run_one(law->normal, room->still, room);
    room->varied[SCREE_LAW_VN] = rates;
}

#define WIDE_LEVEL WIDE_SCALAR
#include "base/wide.h"
#include "law/formula_force.inc.h"
#if WIDE_HAS_128
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_128
#include "base/wide.h"
#include "law/formula_force.inc.h"
#endif
#if WIDE_HAS_X86
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX2
#include "base/wide.h"
#include "law/formula_force.inc.h"
#undef WIDE_LEVEL
#define WIDE_LEVEL WIDE_AVX512
#include "base/wide.h"
#include "law/formula_force.inc.h"
#endif

scree_law_force *scree_formula_force_kernel(scree_simd level)
{
    static scree_law_force *const kernels[] = WIDE_LEVELS(formula_force);

    return kernels[scree_simd_resolve(level)];
}

void scree_formula_force(const scree_batch *batch, const double *constants, void *user)
{
    /* not AUTO, which reads the environment */
    scree_formula_force_kernel(SCREE_SIMD_AVX512)(batch, constants, user);
}
