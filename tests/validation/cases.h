/*  The cases, a file each. Each begins one section of the report, or several, and fills it. */
#ifndef SCREE_VALIDATION_CASES_H
#define SCREE_VALIDATION_CASES_H

#include "report.h"

typedef struct validation_case
{
    const char *name;
    void (*run)(validation *v);
    uint32_t starts; /* of which medians are taken, where numbers are chaotic; odd */
} validation_case;

/*  In the order of the report. */
extern const validation_case validation_cases[];
extern const size_t validation_case_count;

void validate_hertz_impact(validation *v);
void validate_restitution(validation *v);
void validate_oblique_impact(validation *v);
void validate_oblique_dimensionless(validation *v);
void validate_spin(validation *v);
void validate_single_body(validation *v);
void validate_rotation(validation *v);
void validate_rolling(validation *v);
void validate_order(validation *v);
void validate_size_ratio(validation *v);
void validate_bead_chain(validation *v);
void validate_gas(validation *v);
void validate_haff(validation *v);
void validate_shear(validation *v);
void validate_lattice(validation *v);
void validate_packing(validation *v);
void validate_janssen(validation *v);
void validate_walls(validation *v);
void validate_compression(validation *v);
void validate_discharge(validation *v);
void validate_heap(validation *v);
void validate_drum(validation *v);
void validate_mixing(validation *v);
void validate_silo(validation *v);
void validate_penetration(validation *v);
void validate_adhesion(validation *v);
void validate_heat(validation *v);
void validate_fluid(validation *v);
void validate_bonds(validation *v);
void validate_solids(validation *v);
void validate_calibration(validation *v);

#endif
