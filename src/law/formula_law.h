/*  Laws written as formulas, inside the library.

    formula_law.c     from the definition to programs; constants of two materials; who holds a law
    formula_force.c   forces: programs for what is along the normal and how springs are, and the vectors around them */
#ifndef SCREE_LAW_FORMULA_LAW_H
#define SCREE_LAW_FORMULA_LAW_H

#include "base/memory.h"
#include "formula/program.h"
#include "law/law.h"

#include <stdatomic.h>

/*  Inputs with a value for each contact; memory follows. */
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

/*  Inputs of a pair of materials, as constants of the law: parameters follow. Behind all constants the step. */
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

/*  Outputs of the program of forces; those that are not there are NULL. Memory follows. */
enum
{
    SCREE_LAW_OUT_NORMAL,
    SCREE_LAW_OUT_TANGENTIAL, /* or stiffness of the spring */
    SCREE_LAW_OUT_DAMPING,
    SCREE_LAW_OUT_LIMIT,
    SCREE_LAW_OUT_ROLLING,
    SCREE_LAW_OUT_MEMORY,
};

/*  What a law remembers: with a spring its force (3) and stiffness; then what the user remembers. */
#define SCREE_FORMULA_SPRING_MEMORY 4u

typedef struct scree_formula_law
{
    scree_law law; /* what users get; its `user` is this */
    scree_memory memory;
    _Atomic uint32_t holders;
    scree_program *force, *normal;     /* all; the normal force alone */
    scree_program *stiffness, *energy; /* may be NULL */
    bool has_tangential, has_spring, has_damping, has_rolling;
    bool wants_slide, wants_roll;     /* some formula or force needs these lengths */
    bool wants_moduli;                /* so both materials may not be rigid */
    uint32_t memory_at, memory_count; /* planes of memory */
    uint64_t hash;                    /* of the definition */
    uint32_t text_bytes;
    char *text; /* all of the definition as bytes, see formula_law.c */
    const char *names[SCREE_MOST_FORMULA_PARAMETERS + 1];
    double values[SCREE_MOST_FORMULA_PARAMETERS];
} scree_formula_law;

/*  NULL: another law. */
scree_formula_law *scree_formula_law_of(const scree_law *law);
/*  The law of a definition as it is in `text`. SCREE_BAD_FILE, and what scree_formula_law_create gives. */
scree_status scree_formula_law_read(const char *text, size_t bytes,
                                    const scree_allocator *allocator, scree_law **law,
                                    scree_error *error);

/*  A rule holds the law, and lets it go; of other laws nothing happens. */
void scree_formula_law_hold(const scree_law *law);
void scree_formula_law_let_go(const scree_law *law);

/* ---- formula_force.c ---- */
/*  The force function of all such laws, and its kernels. */
void scree_formula_force(const scree_batch *batch, const double *constants, void *user);
scree_law_force *scree_formula_force_kernel(scree_simd level);

#endif
