#include "cases.h"

/*  Grains that flow or pack: a start that is off by 1e-9 of a radius gives numbers that differ by some percent. */
#define SOME_STARTS 3

const validation_case validation_cases[] = {
    {"hertz_impact", validate_hertz_impact, 1},
    {"restitution", validate_restitution, 1},
    {"oblique_impact", validate_oblique_impact, 1},
    {"oblique_dimensionless", validate_oblique_dimensionless, 1},
    {"spin", validate_spin, 1},
    {"single_body", validate_single_body, 1},
    {"rotation", validate_rotation, 1},
    {"rolling", validate_rolling, 1},
    {"order", validate_order, 1},
    {"size_ratio", validate_size_ratio, 1},
    {"bead_chain", validate_bead_chain, 1},
    {"gas", validate_gas, 1},
    {"haff", validate_haff, 1},
    {"shear", validate_shear, SOME_STARTS},
    {"lattice", validate_lattice, 1},
    {"packing", validate_packing, SOME_STARTS},
    {"janssen", validate_janssen, SOME_STARTS},
    {"walls", validate_walls, 1},
    {"compression", validate_compression, 1},
    {"discharge", validate_discharge, SOME_STARTS},
    {"heap", validate_heap, SOME_STARTS},
    {"drum", validate_drum, SOME_STARTS},
    {"mixing", validate_mixing, 1},
    {"silo", validate_silo, 1},
    {"penetration", validate_penetration, SOME_STARTS},
    {"adhesion", validate_adhesion, 1},
    {"heat", validate_heat, 1},
    {"fluid", validate_fluid, 1},
    {"bonds", validate_bonds, 1},
    {"solids", validate_solids, 1},
    {"calibration", validate_calibration, 1},
};

const size_t validation_case_count = sizeof validation_cases / sizeof *validation_cases;
