/*  A row of the table of laws: what a host's definition comes to once it has been checked and copied. */
#ifndef SCREE_LAW_TABLE_ROW_H
#define SCREE_LAW_TABLE_ROW_H

#include "base/memory.h"
#include "scree/world.h"

#define SCREE_LARGEST_FRICTION 1e100

struct scree_rule
{
    uint8_t types;        /* bit SCREE_CONTACT_BODIES, bit SCREE_CONTACT_WALLS */
    uint32_t material[2]; /* index1, the smaller first; 0: any */
    uint64_t groups;      /* all: not asked for */
    bool acts;            /* false: no force, and none of what follows */
    bool is_own;          /* a host's law */
    scree_law law;
    void (*force)(const scree_batch *batch, const double *constants, void *user);
    double *parameters; /* as many as the law has; NAN: not given */
    size_t parameter_count;
    int friction_at;       /* the parameter of that name; -1: there is none, or it was not given */
    double given_friction; /* what it was given; it may have been changed since */
};

/*  `material_count` materials are there. `number` is the row's, for messages. SCREE_BAD_DEF,
    SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE, SCREE_OUT_OF_MEMORY; then *row is NULL. */
scree_status scree_rule_make(scree_memory *memory, scree_simd simd, const scree_rule_def *def,
                             size_t material_count, size_t number, struct scree_rule **row,
                             scree_error *error);
/*  Sets the caller's pointer to NULL; NULL is fine. */
void scree_rule_free(scree_memory *memory, struct scree_rule **row);

/*  A parameter as it was when the row was added. */
double scree_rule_given(const struct scree_rule *row, size_t parameter);

/*  Whether two materials (index1, a <= b) are those that the row asks for. */
bool scree_rule_matches(const struct scree_rule *row, uint32_t a, uint32_t b);

#endif
