/*  Laws written as formulas, inside the library.

    formula_law.c     from the definition to programs; constants of two materials; reference counts formula_force.c
    forces: programs for normal force and spring parameters, and the vectors around them */
#ifndef SCREE_LAW_FORMULA_LAW_H
#define SCREE_LAW_FORMULA_LAW_H

#include "base/memory.h"
#include "formula/program.h"
#include "law/law.h"

#include <stdatomic.h>

/*  Inputs that have a value for each contact; the history follows. */
enum
{
    SCREE_LAW_D,
    SCREE_LAW_VN,
    SCREE_LAW_VT,
    SCREE_LAW_WR,
    SCREE_LAW_R,
    SCREE_LAW_M,
    SCREE_LAW_ARM1,
    SCREE_LAW_ARM2,
    SCREE_LAW_VARIED,
};

/*  Inputs of a pair of materials, as constants of the law; parameters follow. The time step comes after all constants.
    */
enum
{
    SCREE_LAW_E,
    SCREE_LAW_G,
    SCREE_LAW_RESTITUTION,
    SCREE_LAW_ZETA,
    SCREE_LAW_MU,
    SCREE_LAW_MU_ROLL,
    SCREE_LAW_MU_TWIST,
    SCREE_LAW_K,
    SCREE_LAW_K_RATIO,
    SCREE_LAW_FIXED,
    SCREE_LAW_STEP = SCREE_MAX_CONSTANTS,
};

/*  Outputs of the force program; NULL if there is none. The history follows. */
enum
{
    SCREE_LAW_OUT_NORMAL,
    SCREE_LAW_OUT_TANGENTIAL, /* or stiffness of the spring */
    SCREE_LAW_OUT_DAMPING,
    SCREE_LAW_OUT_LIMIT,
    SCREE_LAW_OUT_ROLLING,
    SCREE_LAW_OUT_MEMORY,
};

/*  Contact history: with a spring its force (3) and stiffness, then the variables of the user. */
#define SCREE_FORMULA_SPRING_MEMORY 4u

typedef struct scree_formula_law
{
    scree_law law; /* the public struct; its `user` points to this */
    scree_memory memory;
    _Atomic uint32_t holders;
    scree_program *force, *normal;     /* all outputs; the normal force alone */
    scree_program *stiffness, *energy; /* may be NULL */
    bool has_tangential, has_spring, has_damping, has_rolling;
    bool wants_slide, wants_roll;     /* a formula or force needs these lengths */
    bool wants_moduli;                /* so at least one material must not be rigid */
    uint32_t memory_at, memory_count; /* history variables */
    uint64_t hash;                    /* of the definition */
    uint32_t text_bytes;
    char *text; /* the whole definition as bytes, see formula_law.c */
    const char *names[SCREE_MAX_FORMULA_PARAMETERS + 1];
    double values[SCREE_MAX_FORMULA_PARAMETERS];
} scree_formula_law;

/*  Returns NULL if it is another law. */
scree_formula_law *scree_formula_law_of(const scree_law *law);
/*  Creates the law of a definition stored in `text`. SCREE_BAD_FILE, and the statuses of scree_formula_law_create. */
scree_status scree_formula_law_read(const char *text, size_t bytes,
                                    const scree_allocator *allocator, scree_law **law,
                                    scree_error *error);

/*  Adds a reference for an interaction, and removes it. Does nothing for other laws. */
void scree_formula_law_hold(const scree_law *law);
void scree_formula_law_let_go(const scree_law *law);

/* ---- formula_force.c ---- */
/*  The force function of all such laws, and its kernels. */
void scree_formula_force(const scree_batch *batch, const double *constants, void *user);
scree_law_force *scree_formula_force_kernel(scree_simd level);

#endif
