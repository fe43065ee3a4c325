#include "cases.h"

const validation_case validation_cases[] = {
    {"hertz_impact", validate_hertz_impact},
    {"restitution", validate_restitution},
    {"oblique_impact", validate_oblique_impact},
    {"oblique_dimensionless", validate_oblique_dimensionless},
    {"spin", validate_spin},
    {"single_body", validate_single_body},
    {"rotation", validate_rotation},
    {"rolling", validate_rolling},
    {"order", validate_order},
    {"size_ratio", validate_size_ratio},
    {"bead_chain", validate_bead_chain},
    {"gas", validate_gas},
    {"haff", validate_haff},
    {"shear", validate_shear},
    {"lattice", validate_lattice},
    {"packing", validate_packing},
    {"janssen", validate_janssen},
    {"walls", validate_walls},
    {"compression", validate_compression},
    {"discharge", validate_discharge},
    {"heap", validate_heap},
    {"drum", validate_drum},
    {"adhesion", validate_adhesion},
    {"heat", validate_heat},
    {"bonds", validate_bonds},
    {"solids", validate_solids},
};

const size_t validation_case_count = sizeof validation_cases / sizeof *validation_cases;
