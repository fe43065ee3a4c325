/*  An interaction: a host's definition after it has been checked and copied. */
#ifndef SCREE_LAW_TABLE_ROW_H
#define SCREE_LAW_TABLE_ROW_H

#include "base/memory.h"
#include "scree/world.h"

#define SCREE_LARGEST_FRICTION 1e100

struct scree_rule
{
    uint8_t types;        /* bit SCREE_CONTACT_BODIES, bit SCREE_CONTACT_WALLS */
    uint32_t material[2]; /* index1, the smaller first; 0: any */
    uint64_t groups;      /* all bits: groups do not matter */
    bool acts;            /* false: no force, and the following members are not used */
    bool is_own;          /* a law of the host */
    scree_law law;
    void (*force)(const scree_batch *batch, const double *constants, void *user);
    double *parameters; /* one for each parameter of the law; NAN: not given */
    double *given;      /* the same as they were added; `parameters` may have changed since */
    size_t parameter_count;
    int friction_at; /* the parameter of that name; -1: the law has none, or it was not given */
};

/*  `material_count` materials exist. `number` is the number of the interaction, for messages. SCREE_BAD_DEF,
    SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE, SCREE_OUT_OF_MEMORY; then *row is NULL. */
scree_status scree_rule_make(scree_memory *memory, scree_simd simd, const scree_rule_def *def,
                             size_t material_count, size_t number, struct scree_rule **row,
                             scree_error *error);
/*  Frees, and sets the caller's pointer to NULL. NULL is allowed. */
void scree_rule_free(scree_memory *memory, struct scree_rule **row);

/*  Whether two materials (index1, a <= b) match the interaction. */
bool scree_rule_matches(const struct scree_rule *row, uint32_t a, uint32_t b);

#endif
