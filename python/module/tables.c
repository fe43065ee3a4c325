/*  Fields of definitions and results of detection. */
#include "tables.h"

static const char *const margin_names[] = {"none",     "skin", "tolerance", "stride",
                                           "distance", "bins", "per-body",  NULL};

static const char *const hash_size_names[] = {"box", "sphere", NULL};

static const char *const hash_point_names[] = {"auto", "corner", "centre", NULL};

static const char *const volume_names[] = {"spheres", "boxes", NULL};

static const char *const unusable_names[] = {"refuse", "skip", NULL};

const char *const simd_names[] = {"auto", "scalar", "simd128", "avx2", "avx512", NULL};

const field margin_fields[] = {CHOICE(scree_margin_def, kind, margin_names),
                               REAL(scree_margin_def, length),
                               REAL(scree_margin_def, speed_factor),
                               REAL(scree_margin_def, velocity),
                               REAL(scree_margin_def, extent),
                               REAL(scree_margin_def, constant),
                               REAL(scree_margin_def, interaction),
                               REAL(scree_margin_def, reach),
                               U32(scree_margin_def, bin_count),
                               REAL(scree_margin_def, bin_ratio),
                               REAL(scree_margin_def, bin_overlap),
                               REAL(scree_margin_def, bin_max_change),
                               REAL(scree_margin_def, target_steps),
                               REAL(scree_margin_def, min_fraction),
                               TRUTH(scree_margin_def, trust_velocities),
                               END};

static const field hash_grids_fields[] = {U32(scree_hash_grids_def, cells),
                                          U32(scree_hash_grids_def, list_capacity),
                                          U32(scree_hash_grids_def, occupied_capacity),
                                          U32(scree_hash_grids_def, minimal_density),
                                          U32(scree_hash_grids_def, activation),
                                          REAL(scree_hash_grids_def, factor),
                                          CHOICE(scree_hash_grids_def, size, hash_size_names),
                                          CHOICE(scree_hash_grids_def, point, hash_point_names),
                                          TRUTH(scree_hash_grids_def, rebuild),
                                          END};

static const field cell_space_fields[] = {REAL(scree_cell_space_def, lower),
                                          REAL(scree_cell_space_def, upper),
                                          U32(scree_cell_space_def, cells),
                                          U32(scree_cell_space_def, target),
                                          U32(scree_cell_space_def, merge_below),
                                          REAL(scree_cell_space_def, factor),
                                          U32(scree_cell_space_def, max_children),
                                          U32(scree_cell_space_def, depth),
                                          END};

static const field insertion_sort_fields[] = {INTEGER(scree_insertion_sort_def, sort_axis),
                                              TRUTH(scree_insertion_sort_def, sort_then_collide),
                                              END};

const field detector_fields[] = {TEXT(scree_detector_def, method),
                                 INTEGER(scree_detector_def, dimensions),
                                 CHOICE(scree_detector_def, volume, volume_names),
                                 CHOICE(scree_detector_def, unusable, unusable_names),
                                 TRUTH(scree_detector_def, coarse),
                                 CHOICE(scree_detector_def, simd, simd_names),
                                 U32(scree_detector_def, thread_count),
                                 STRUCT(scree_detector_def, margin, margin_fields),
                                 REAL(scree_detector_def, period),
                                 REAL(scree_detector_def, tilt),
                                 REAL(scree_detector_def, cell_factor),
                                 REAL(scree_detector_def, bin_factor),
                                 REAL(scree_detector_def, stripe_factor),
                                 TRUTH(scree_detector_def, stripe_naive),
                                 TRUTH(scree_detector_def, sort_by_insertion),
                                 U32(scree_detector_def, rtree_max_entries),
                                 U32(scree_detector_def, rtree_min_entries),
                                 STRUCT(scree_detector_def, hash_grids, hash_grids_fields),
                                 STRUCT(scree_detector_def, cell_space, cell_space_fields),
                                 STRUCT(scree_detector_def, insertion_sort, insertion_sort_fields),
                                 END};

const field advance_fields[] = {TRUTH(scree_advance, ran), U64(scree_advance, mapped),
                                U64(scree_advance, late), REAL(scree_advance, used), END};

const field stats_fields[] = {U64(scree_stats, tested),
                              U64(scree_stats, reported),
                              U64(scree_stats, updates),
                              U64(scree_stats, rebuilds),
                              U64(scree_stats, remapped),
                              U64(scree_stats, inversions),
                              U64(scree_stats, created),
                              U64(scree_stats, destroyed),
                              U64(scree_stats, advances),
                              U64(scree_stats, runs),
                              U64(scree_stats, late),
                              U64(scree_stats, rejected),
                              U64(scree_stats, bodies),
                              U64(scree_stats, bytes),
                              REAL(scree_stats, sec_update),
                              REAL(scree_stats, sec_query),
                              END};

const field explanation_fields[] = {
    TEXT(scree_explanation, method),      TEXT(scree_explanation, reason),
    U64(scree_explanation, looks),        U64(scree_explanation, switches),
    U64(scree_explanation, bodies),       REAL(scree_explanation, size_ratio),
    REAL(scree_explanation, slenderness), REAL(scree_explanation, crowding),
    REAL(scree_explanation, far_share),   REAL(scree_explanation, dirty_share),
    REAL(scree_explanation, pairs),       END};

const field alternative_fields[] = {TEXT(scree_alternative, method),
                                    REAL(scree_alternative, predicted),
                                    REAL(scree_alternative, measured), END};

const field method_fields[] = {
    TEXT(scree_method_info, name),         TEXT(scree_method_info, summary),
    TEXT(scree_method_info, cost),         TEXT(scree_method_info, worst_time),
    TEXT(scree_method_info, worst_memory), U32(scree_method_info, capabilities),
    REAL(scree_method_info, exponent),     END};

const field piece_fields[] = {U32(scree_outline_piece, level),
                              U32(scree_outline_piece, axis),
                              U32(scree_outline_piece, place),
                              U32(scree_outline_piece, count),
                              REAL(scree_outline_piece, lower),
                              REAL(scree_outline_piece, upper),
                              END};

const field speed_class_fields[] = {REAL(scree_speed_class, speed), REAL(scree_speed_class, growth),
                                    U64(scree_speed_class, bodies), END};
