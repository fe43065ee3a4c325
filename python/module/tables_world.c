/*  Fields of definitions and results of worlds and shapes. */
#include "tables.h"

extern const char *const simd_names[];

const char *const integrator_names[] = {"symplectic-euler",
                                        "velocity-verlet",
                                        "explicit-euler",
                                        "implicit-euler",
                                        "implicit-surrogate",
                                        "implicit-multiscale",
                                        NULL};

const char *const time_names[] = {"fixed", "automatic", "mass_scaling", NULL};

const char *const boundary_names[] = {"none", "stop", "reflect", "destroy", "periodic", NULL};

const char *const contact_type_names[] = {"any", "bodies", "walls", NULL};

static const char *const engine_names[] = {"auto", "boxes", "surrogate", "all", NULL};

static const char *const wall_kind_names[] = {"plane", "mesh", NULL};

static const char *const drag_names[] = {"none",      "stokes",   "schiller-naumann",
                                         "di-felice", "gidaspow", NULL};

static const char *const event_kind_names[] = {
    "contact-begin", "contact-end", "bond-broke", "fell-asleep", "woke",
    "body-left",     "joint-broke", "joint-lost", "deep",        NULL};

const char *const body_type_names[] = {"dynamic", "kinematic", "static", NULL};

static const char *const cause_names[] = {"none", "tension", "shear", "distance", NULL};

static const char *const joint_kind_names[] = {"hinge", "slider", "ball", "weld", "spring", NULL};

static const char *const motor_mode_names[] = {"off", "speed", "position", NULL};

static const char *const kernel_names[] = {"smooth", "ball", NULL};

static const char *const projection_names[] = {"perspective", "orthographic", NULL};

static const char *const background_names[] = {"dark", "light", NULL};

static const char *const shadow_names[] = {"soft", "hard", "none", NULL};

static const char *const picture_wall_names[] = {"glass", "cut", "solid", "lines", "none", NULL};

static const char *const globe_names[] = {"any", "ico", "uv", NULL};

static const field picard_fields[] = {REAL(scree_picard_def, tolerance),
                                      U32(scree_picard_def, iterations),
                                      U32(scree_picard_def, halvings),
                                      TRUTH(scree_picard_def, keeps_sets),
                                      TRUTH(scree_picard_def, skips_levels),
                                      TRUTH(scree_picard_def, accelerates),
                                      END};

const field world_fields[] = {
    INTEGER(scree_world_def, dimensions),
    REAL(scree_world_def, gravity),
    IN_CHOICE("integrator", scree_world_def, step.integrator, integrator_names),
    IN_STRUCT("picard", scree_world_def, step.picard, picard_fields),
    IN_CHOICE("time", scree_world_def, step.mode, time_names),
    IN_REAL("dt", scree_world_def, step.dt),
    IN_REAL("safety_factor", scree_world_def, step.safety_factor),
    IN_REAL("max_growth", scree_world_def, step.max_growth),
    REAL(scree_world_def, global_damping),
    REAL(scree_world_def, local_damping),
    IN_REAL("lower", scree_world_def, domain.lower),
    IN_REAL("upper", scree_world_def, domain.upper),
    IN_CHOICE("boundary", scree_world_def, domain.boundary, boundary_names),
    REAL(scree_world_def, overlap_limit),
    TRUTH(scree_world_def, energy_balance),
    TRUTH(scree_world_def, events),
    IN_U32("audit", scree_world_def, detection.audit),
    IN_TEXT("method", scree_world_def, detection.method),
    IN_TEXT("device", scree_world_def, compute.device),
    IN_STRUCT("margin", scree_world_def, detection.margin, margin_fields),
    IN_U32("sort_every", scree_world_def, detection.sort_every),
    IN_CHOICE("simd", scree_world_def, compute.simd, simd_names),
    IN_U32("thread_count", scree_world_def, compute.thread_count),
    IN_CHOICE("mesh_engine", scree_world_def, detection.mesh_engine, engine_names),
    IN_U32("local_steps", scree_world_def, step.local_steps),
    END};

const field material_fields[] = {TEXT(scree_material_def, name),
                                 REAL(scree_material_def, density),
                                 REAL(scree_material_def, young),
                                 REAL(scree_material_def, poisson),
                                 REAL(scree_material_def, restitution),
                                 REAL(scree_material_def, friction),
                                 REAL(scree_material_def, rolling_friction),
                                 REAL(scree_material_def, twisting_friction),
                                 REAL(scree_material_def, stiffness),
                                 REAL(scree_material_def, stiffness_ratio),
                                 END};

static const char *const path_kind_names[] = {"none", "move", "swing", "table",
                                              "spin", "rock", NULL};

const field part_fields[] = {CHOICE(scree_path_part, kind, path_kind_names),
                             REAL(scree_path_part, vector),
                             REAL(scree_path_part, centre),
                             REAL(scree_path_part, rate),
                             REAL(scree_path_part, angle),
                             REAL(scree_path_part, frequency),
                             REAL(scree_path_part, phase),
                             TRUTH(scree_path_part, smooth),
                             REAL(scree_path_part, period),
                             REAL(scree_path_part, start),
                             REAL(scree_path_part, stop),
                             REAL(scree_path_part, ramp),
                             END};

const field servo_fields[] = {
    REAL(scree_wall_servo_def, axis),   REAL(scree_wall_servo_def, force),
    REAL(scree_wall_servo_def, stress), REAL(scree_wall_servo_def, area),
    ID(scree_wall_servo_def, between),  REAL(scree_wall_servo_def, max_speed),
    REAL(scree_wall_servo_def, gain),   REAL(scree_wall_servo_def, start),
    REAL(scree_wall_servo_def, stop),   END};

const field loose_fields[] = {
    REAL(scree_free_wall_def, mass),     REAL(scree_free_wall_def, inertia),
    REAL(scree_free_wall_def, centre),   REAL(scree_free_wall_def, frame),
    REAL(scree_free_wall_def, velocity), REAL(scree_free_wall_def, spin),
    REAL(scree_free_wall_def, force),    REAL(scree_free_wall_def, torque),
    REAL(scree_free_wall_def, damping),  REAL(scree_free_wall_def, angular_damping),
    U32(scree_free_wall_def, held),      END};

const field belt_fields[] = {REAL(scree_wall_belt_def, velocity), REAL(scree_wall_belt_def, centre),
                             REAL(scree_wall_belt_def, axis), REAL(scree_wall_belt_def, rate), END};

static const field servo_state_fields[] = {TRUTH(scree_servo_state, is_on),
                                           REAL(scree_servo_state, target),
                                           REAL(scree_servo_state, force),
                                           U64(scree_servo_state, contacts),
                                           REAL(scree_servo_state, speed),
                                           REAL(scree_servo_state, shift),
                                           END};

const field wall_fields[] = {
    ID(scree_wall, id),         CHOICE(scree_wall, kind, wall_kind_names),
    U32(scree_wall, material),  U64(scree_wall, groups),
    U64(scree_wall, mask),      U64(scree_wall, user),
    REAL(scree_wall, position), REAL(scree_wall, orientation),
    REAL(scree_wall, normal),   REAL(scree_wall, velocity),
    REAL(scree_wall, spin),     REAL(scree_wall, force),
    REAL(scree_wall, torque),   STRUCT(scree_wall, servo, servo_state_fields),
    TRUTH(scree_wall, is_free), END};

const field facet_load_fields[] = {REAL(scree_facet_load, force),    REAL(scree_facet_load, area),
                                   REAL(scree_facet_load, pressure), REAL(scree_facet_load, shear),
                                   U64(scree_facet_load, contacts),  END};

const field wear_fields[] = {REAL(scree_wear_def, coefficient),
                             REAL(scree_wear_def, hardness),
                             REAL(scree_wear_def, erosion),
                             REAL(scree_wear_def, reference_speed),
                             REAL(scree_wear_def, reference_diameter),
                             REAL(scree_wear_def, speed_exponent),
                             REAL(scree_wear_def, diameter_exponent),
                             REAL(scree_wear_def, angle_exponent),
                             REAL(scree_wear_def, hardness_exponent),
                             END};

const field facet_wear_fields[] = {
    REAL(scree_facet_wear, sliding),       REAL(scree_facet_wear, impact_energy),
    U64(scree_facet_wear, impacts),        REAL(scree_facet_wear, slid_volume),
    REAL(scree_facet_wear, eroded_volume), REAL(scree_facet_wear, area),
    REAL(scree_facet_wear, depth),         END};

const field clock_fields[] = {REAL(scree_clock, time), U64(scree_clock, steps),
                              REAL(scree_clock, dt), END};

const field stable_step_fields[] = {REAL(scree_stable_step, dt), REAL(scree_stable_step, springs),
                                    ID(scree_stable_step, body), ID(scree_stable_step, partner),
                                    ID(scree_stable_step, wall), END};

const field body_fields[] = {ID(scree_body, id),
                             U64(scree_body, serial),
                             U64(scree_body, groups),
                             U64(scree_body, mask),
                             U64(scree_body, user),
                             U32(scree_body, material),
                             CHOICE(scree_body, type, body_type_names),
                             U32(scree_body, flags),
                             REAL(scree_body, position),
                             REAL(scree_body, velocity),
                             REAL(scree_body, spin),
                             REAL(scree_body, orientation),
                             REAL(scree_body, mass),
                             REAL(scree_body, inertia),
                             REAL(scree_body, force),
                             REAL(scree_body, torque),
                             REAL(scree_body, load),
                             END};

const field contact_fields[] = {
    ID(scree_contact, first),     ID(scree_contact, second),  ID(scree_contact, wall),
    U32(scree_contact, facet),    REAL(scree_contact, point), REAL(scree_contact, normal),
    REAL(scree_contact, overlap), REAL(scree_contact, force), REAL(scree_contact, moment),
    U16(scree_contact, rule),     U32(scree_contact, pebble), END};

/*  Of listed_event, whose first member is a scree_event. */
const field event_fields[] = {{"begins", FIELD_BOOL, MEMBER(listed_event, begins, bool), NULL},
                              U64(scree_event, step),
                              ID(scree_event, first),
                              ID(scree_event, second),
                              ID(scree_event, wall),
                              U32(scree_event, facet),
                              CHOICE(scree_event, kind, event_kind_names),
                              REAL(scree_event, time),
                              U64(scree_event, first_serial),
                              U64(scree_event, second_serial),
                              REAL(scree_event, point),
                              REAL(scree_event, normal),
                              REAL(scree_event, speed),
                              REAL(scree_event, duration),
                              REAL(scree_event, impulse),
                              CHOICE(scree_event, cause, cause_names),
                              ID(scree_event, joint),
                              END};

const field filter_fields[] = {ID(scree_contact_filter_def, body),
                               ID(scree_contact_filter_def, wall),
                               U32(scree_contact_filter_def, facet1),
                               TRUTH(scree_contact_filter_def, bodies_only),
                               TRUTH(scree_contact_filter_def, walls_only),
                               TRUTH(scree_contact_filter_def, in_region),
                               REAL(scree_contact_filter_def, lower),
                               REAL(scree_contact_filter_def, upper),
                               END};

const field detection_stats_fields[] = {REAL(scree_detection_stats, margin_used),
                                        REAL(scree_detection_stats, displacement),
                                        REAL(scree_detection_stats, remaining_margin),
                                        U64(scree_detection_stats, rebuilds),
                                        U64(scree_detection_stats, wall_rebuilds),
                                        U64(scree_detection_stats, late_contacts),
                                        U64(scree_detection_stats, audits),
                                        U64(scree_detection_stats, missed_contacts),
                                        U64(scree_detection_stats, potential_contacts),
                                        U64(scree_detection_stats, contacts),
                                        U64(scree_detection_stats, force_evaluations),
                                        U64(scree_detection_stats, triangle_tests),
                                        END};

const field local_counts_fields[] = {U64(scree_local_counts, pairs), U64(scree_local_counts, apart),
                                     U64(scree_local_counts, touching),
                                     U64(scree_local_counts, deep), END};

const field timings_fields[] = {REAL(scree_timings, search),
                                REAL(scree_timings, pairs),
                                REAL(scree_timings, walls),
                                REAL(scree_timings, sums),
                                REAL(scree_timings, other),
                                U64(scree_timings, steps),
                                END};

const field local_step_stats_fields[] = {
    U64(scree_local_step_stats, bodies),        U64(scree_local_step_stats, islands),
    U64(scree_local_step_stats, body_steps),    U64(scree_local_step_stats, restarts),
    U64(scree_local_step_stats, level_changes), END};

const field energy_fields[] = {REAL(scree_energy, kinetic),   REAL(scree_energy, rotational),
                               REAL(scree_energy, potential), REAL(scree_energy, elastic),
                               REAL(scree_energy, damping),   REAL(scree_energy, friction),
                               REAL(scree_energy, rolling),   REAL(scree_energy, body_damping),
                               REAL(scree_energy, walls),     REAL(scree_energy, loads),
                               REAL(scree_energy, boundary),  REAL(scree_energy, entered),
                               REAL(scree_energy, removed),   END};

const field totals_fields[] = {REAL(scree_totals, mass),
                               REAL(scree_totals, centre),
                               REAL(scree_totals, momentum),
                               REAL(scree_totals, angular_momentum),
                               REAL(scree_totals, coordination),
                               U64(scree_totals, bodies),
                               U64(scree_totals, added),
                               U64(scree_totals, removed),
                               U64(scree_totals, destroyed),
                               U64(scree_totals, bytes),
                               END};

const field unconverged_fields[] = {ID(scree_unconverged, id), REAL(scree_unconverged, residual),
                                    END};

const field bond_def_fields[] = {REAL(scree_bond_def, gap), U64(scree_bond_def, groups),
                                 ID(scree_bond_def, first), ID(scree_bond_def, second), END};

const field bond_fields[] = {ID(scree_bond, first),
                             ID(scree_bond, second),
                             TRUTH(scree_bond, is_intact),
                             REAL(scree_bond, stretch),
                             REAL(scree_bond, shear),
                             REAL(scree_bond, bending),
                             REAL(scree_bond, twisting),
                             CHOICE(scree_bond, cause, cause_names),
                             END};

const field bond_counts_fields[] = {U64(scree_bond_counts, intact),
                                    U64(scree_bond_counts, made),
                                    U64(scree_bond_counts, broken),
                                    U64(scree_bond_counts, by_tension),
                                    U64(scree_bond_counts, by_shear),
                                    U64(scree_bond_counts, by_distance),
                                    END};

const field joint_motor_fields[] = {CHOICE(scree_joint_motor, mode, motor_mode_names),
                                    REAL(scree_joint_motor, target),
                                    REAL(scree_joint_motor, max_effort),
                                    REAL(scree_joint_motor, stiffness),
                                    REAL(scree_joint_motor, damping),
                                    END};

const field joint_def_fields[] = {CHOICE(scree_joint_def, kind, joint_kind_names),
                                  ID(scree_joint_def, first),
                                  ID(scree_joint_def, second),
                                  ID(scree_joint_def, wall),
                                  REAL(scree_joint_def, anchor),
                                  REAL(scree_joint_def, second_anchor),
                                  REAL(scree_joint_def, axis),
                                  REAL(scree_joint_def, stiffness),
                                  REAL(scree_joint_def, turn_stiffness),
                                  REAL(scree_joint_def, damping_ratio),
                                  REAL(scree_joint_def, rest_length),
                                  REAL(scree_joint_def, lower),
                                  REAL(scree_joint_def, upper),
                                  STRUCT(scree_joint_def, motor, joint_motor_fields),
                                  REAL(scree_joint_def, strength),
                                  REAL(scree_joint_def, turn_strength),
                                  TRUTH(scree_joint_def, collide),
                                  U64(scree_joint_def, user),
                                  END};

#define JOINT_FIELDS                                                                               \
    ID(scree_joint, id), CHOICE(scree_joint, kind, joint_kind_names), ID(scree_joint, first),      \
        ID(scree_joint, second), ID(scree_joint, wall), U64(scree_joint, user),                    \
        TRUTH(scree_joint, is_broken), REAL(scree_joint, point), REAL(scree_joint, axis),          \
        REAL(scree_joint, position), REAL(scree_joint, speed), REAL(scree_joint, force),           \
        REAL(scree_joint, torque), REAL(scree_joint, effort), REAL(scree_joint, elastic),          \
        REAL(scree_joint, lost), REAL(scree_joint, motor_work), REAL(scree_joint, stiffness),      \
        REAL(scree_joint, turn_stiffness)

/*  Of all joints, as columns, and of one. */
const field joint_fields[] = {JOINT_FIELDS, END};
const field joint_state_fields[] = {JOINT_FIELDS, STRUCT(scree_joint, motor, joint_motor_fields),
                                    END};

const field joint_counts_fields[] = {U64(scree_joint_counts, intact), U64(scree_joint_counts, made),
                                     U64(scree_joint_counts, broken), U64(scree_joint_counts, lost),
                                     END};

const field break_fields[] = {U64(scree_break, step),
                              REAL(scree_break, time),
                              ID(scree_break, first),
                              ID(scree_break, second),
                              U64(scree_break, first_serial),
                              U64(scree_break, second_serial),
                              CHOICE(scree_break, cause, cause_names),
                              REAL(scree_break, point),
                              REAL(scree_break, normal),
                              END};

const field cell_fields[] = {REAL(scree_cell_def, lower),        REAL(scree_cell_def, upper),
                             REAL(scree_cell_def, tilt),         REAL(scree_cell_def, gradient),
                             TRUTH(scree_cell_def, homogeneous), END};

const field cell_servo_fields[] = {REAL(scree_cell_servo_def, stress),
                                   REAL(scree_cell_servo_def, pressure),
                                   REAL(scree_cell_servo_def, max_rate), END};

const field rest_fields[] = {REAL(scree_sleep_def, speed), REAL(scree_sleep_def, acceleration),
                             U32(scree_sleep_def, steps), TRUTH(scree_sleep_def, computes_all),
                             END};

const field sleep_counts_fields[] = {
    U64(scree_sleep_counts, asleep), U64(scree_sleep_counts, fell_asleep),
    U64(scree_sleep_counts, woke), U64(scree_sleep_counts, skipped), END};

const field chains_def_fields[] = {U32(scree_chains_def, min_bodies), REAL(scree_chains_def, angle),
                                   REAL(scree_chains_def, above), END};

const field chains_fields[] = {U64(scree_chains, count),
                               U64(scree_chains, bodies),
                               U64(scree_chains, longest),
                               REAL(scree_chains, mean_length),
                               REAL(scree_chains, share),
                               REAL(scree_chains, mean_stress),
                               END};

const field chain_body_fields[] = {REAL(scree_chain_body, stress),
                                   REAL(scree_chain_body, direction), U32(scree_chain_body, chain),
                                   END};

const field grid_fields[] = {
    REAL(scree_fields_def, lower), REAL(scree_fields_def, upper),
    U32(scree_fields_def, cells),  CHOICE(scree_fields_def, kernel, kernel_names),
    REAL(scree_fields_def, width), END};

const field sums_fields[] = {
    REAL(scree_field, number),       REAL(scree_field, solid),  REAL(scree_field, mass),
    REAL(scree_field, momentum),     REAL(scree_field, flow),   REAL(scree_field, contact),
    REAL(scree_field, contact_ends), REAL(scree_field, fabric), END};

const field values_fields[] = {REAL(scree_field_values, density),
                               REAL(scree_field_values, solid_fraction),
                               REAL(scree_field_values, velocity),
                               REAL(scree_field_values, temperature),
                               REAL(scree_field_values, kinetic_stress),
                               REAL(scree_field_values, contact_stress),
                               REAL(scree_field_values, pressure),
                               REAL(scree_field_values, shear_stress),
                               REAL(scree_field_values, coordination),
                               REAL(scree_field_values, fabric),
                               END};

const field wall_load_fields[] = {REAL(scree_wall_load, area), REAL(scree_wall_load, push),
                                  REAL(scree_wall_load, shear), REAL(scree_wall_load, contacts),
                                  END};

const field fluid_fields[] = {CHOICE(scree_fluid_def, drag, drag_names),
                              TRUTH(scree_fluid_def, has_buoyancy),
                              TRUTH(scree_fluid_def, has_rotational_drag),
                              REAL(scree_fluid_def, density),
                              REAL(scree_fluid_def, viscosity),
                              TEXT(scree_fluid_def, velocity),
                              TEXT(scree_fluid_def, angular_velocity),
                              TEXT(scree_fluid_def, pressure_gradient),
                              TEXT(scree_fluid_def, void_fraction),
                              REAL(scree_fluid_def, cell),
                              REAL(scree_fluid_def, lower),
                              REAL(scree_fluid_def, upper),
                              U64(scree_fluid_def, groups),
                              END};

const field flow_fields[] = {U32(scree_flow_grid, count), REAL(scree_flow_grid, lower),
                             REAL(scree_flow_grid, spacing), END};

const field force_field_fields[] = {
    TEXT(scree_force_field_def, acceleration), TEXT(scree_force_field_def, force),
    REAL(scree_force_field_def, lower),        REAL(scree_force_field_def, upper),
    U64(scree_force_field_def, groups),        END};

const field ambient_work_fields[] = {REAL(scree_ambient_work, fluid),
                                     REAL(scree_ambient_work, fields), END};

const field heat_fields[] = {REAL(scree_heat_def, temperature), REAL(scree_heat_def, loss_share),
                             END};

const field material_heat_fields[] = {REAL(scree_material_heat_def, conductivity),
                                      REAL(scree_material_heat_def, capacity),
                                      REAL(scree_material_heat_def, young), END};

const field body_heat_fields[] = {REAL(scree_body_heat, temperature), REAL(scree_body_heat, source),
                                  TRUTH(scree_body_heat, is_held),    REAL(scree_body_heat, flow),
                                  REAL(scree_body_heat, capacity),    END};

const field wall_heat_fields[] = {TRUTH(scree_wall_heat, is_given),
                                  REAL(scree_wall_heat, temperature), REAL(scree_wall_heat, flow),
                                  REAL(scree_wall_heat, given), END};

const field heat_totals_fields[] = {
    TRUTH(scree_heat_totals, is_on),  REAL(scree_heat_totals, content),
    REAL(scree_heat_totals, entered), REAL(scree_heat_totals, removed),
    REAL(scree_heat_totals, walls),   REAL(scree_heat_totals, sources),
    REAL(scree_heat_totals, losses),  REAL(scree_heat_totals, losses_to_walls),
    REAL(scree_heat_totals, lowest),  REAL(scree_heat_totals, highest),
    REAL(scree_heat_totals, mean),    REAL(scree_heat_totals, stable_dt),
    U32(scree_heat_totals, pieces),   END};

const field checkpoint_fields[] = {U32(scree_checkpoint_info, version),
                                   U32(scree_checkpoint_info, scree_version),
                                   U64(scree_checkpoint_info, file_bytes),
                                   U64(scree_checkpoint_info, digest),
                                   INTEGER(scree_checkpoint_info, dimensions),
                                   REAL(scree_checkpoint_info, time),
                                   U64(scree_checkpoint_info, steps),
                                   REAL(scree_checkpoint_info, dt),
                                   U64(scree_checkpoint_info, bodies),
                                   U64(scree_checkpoint_info, added),
                                   U64(scree_checkpoint_info, removed),
                                   U64(scree_checkpoint_info, destroyed),
                                   REAL(scree_checkpoint_info, mass),
                                   REAL(scree_checkpoint_info, smallest),
                                   REAL(scree_checkpoint_info, largest),
                                   U64(scree_checkpoint_info, materials),
                                   U64(scree_checkpoint_info, rules),
                                   U64(scree_checkpoint_info, meshes),
                                   U64(scree_checkpoint_info, walls),
                                   U64(scree_checkpoint_info, contacts),
                                   U64(scree_checkpoint_info, wall_contacts),
                                   STRUCT(scree_checkpoint_info, energy, energy_fields),
                                   U64(scree_checkpoint_info, section_count),
                                   U64(scree_checkpoint_info, part_count),
                                   END};

const field section_fields[] = {TEXT(scree_checkpoint_section, name),
                                TEXT(scree_checkpoint_section, type),
                                U64(scree_checkpoint_section, row_bytes),
                                U64(scree_checkpoint_section, rows),
                                U64(scree_checkpoint_section, offset),
                                U64(scree_checkpoint_section, checksum),
                                END};

static const field camera_fields[] = {CHOICE(scree_picture_camera, projection, projection_names),
                                      TRUTH(scree_picture_camera, placed),
                                      REAL(scree_picture_camera, eye),
                                      REAL(scree_picture_camera, target),
                                      REAL(scree_picture_camera, up),
                                      REAL(scree_picture_camera, angle),
                                      REAL(scree_picture_camera, height),
                                      REAL(scree_picture_camera, turn),
                                      REAL(scree_picture_camera, rise),
                                      REAL(scree_picture_camera, zoom),
                                      TRUTH(scree_picture_camera, boxed),
                                      REAL(scree_picture_camera, lower),
                                      REAL(scree_picture_camera, upper),
                                      END};

const field picture_fields[] = {U32(scree_picture_def, width),
                                U32(scree_picture_def, height),
                                STRUCT(scree_picture_def, camera, camera_fields),
                                TEXT(scree_picture_def, field),
                                TEXT(scree_picture_def, own_unit),
                                TRUTH(scree_picture_def, ranged),
                                REAL(scree_picture_def, range),
                                TEXT(scree_picture_def, wall_field),
                                REAL(scree_picture_def, wall_range),
                                TRUTH(scree_picture_def, logarithmic),
                                TEXT(scree_picture_def, map),
                                TRUTH(scree_picture_def, colour_bar),
                                TRUTH(scree_picture_def, time_label),
                                TEXT(scree_picture_def, title),
                                CHOICE(scree_picture_def, background, background_names),
                                REAL(scree_picture_def, light),
                                CHOICE(scree_picture_def, shadows, shadow_names),
                                TRUTH(scree_picture_def, occlusion),
                                CHOICE(scree_picture_def, walls, picture_wall_names),
                                U32(scree_picture_def, samples),
                                U32(scree_picture_def, thread_count),
                                END};

const field globe_fields[] = {CHOICE(scree_globe_def, kind, globe_names),
                              U32(scree_globe_def, facets),
                              REAL(scree_globe_def, radius),
                              REAL(scree_globe_def, bumps),
                              REAL(scree_globe_def, waves),
                              U32(scree_globe_def, octaves),
                              U64(scree_globe_def, seed),
                              REAL(scree_globe_def, elongation),
                              END};

const field fill_fields[] = {
    REAL(scree_clump_fill_def, gap),        REAL(scree_clump_fill_def, smallest),
    U32(scree_clump_fill_def, max_pebbles), TRUTH(scree_clump_fill_def, mass_of_mesh),
    U64(scree_clump_fill_def, seed),        END};

const field mesh_info_fields[] = {INTEGER(scree_mesh_info, corners),
                                  U32(scree_mesh_info, vertex_count),
                                  U32(scree_mesh_info, facet_count),
                                  U32(scree_mesh_info, edge_count),
                                  U32(scree_mesh_info, dropped_flat),
                                  U32(scree_mesh_info, dropped_duplicates),
                                  U32(scree_mesh_info, open_edges),
                                  U32(scree_mesh_info, nonmanifold_edges),
                                  U32(scree_mesh_info, flipped_edges),
                                  REAL(scree_mesh_info, lower),
                                  REAL(scree_mesh_info, upper),
                                  REAL(scree_mesh_info, radii),
                                  REAL(scree_mesh_info, exponents),
                                  REAL(scree_mesh_info, far),
                                  END};

const field mesh_report_fields[] = {TRUTH(scree_mesh_report, closed),
                                    TRUTH(scree_mesh_report, oriented),
                                    TRUTH(scree_mesh_report, orientable),
                                    U32(scree_mesh_report, patches),
                                    U32(scree_mesh_report, crossings),
                                    U32(scree_mesh_report, first),
                                    END};

const field solid_fields[] = {REAL(scree_mesh_solid, volume),
                              REAL(scree_mesh_solid, area),
                              REAL(scree_mesh_solid, mass),
                              REAL(scree_mesh_solid, centre),
                              REAL(scree_mesh_solid, inertia),
                              REAL(scree_mesh_solid, principal),
                              REAL(scree_mesh_solid, orientation),
                              TRUTH(scree_mesh_solid, inward),
                              END};

static const field clump_mass_fields[] = {REAL(scree_clump_mass, volume),
                                          REAL(scree_clump_mass, centre),
                                          REAL(scree_clump_mass, inertia), END};

const field clump_info_fields[] = {INTEGER(scree_clump_info, dimensions),
                                   U32(scree_clump_info, pebble_count),
                                   STRUCT(scree_clump_info, mass, clump_mass_fields),
                                   REAL(scree_clump_info, principal),
                                   REAL(scree_clump_info, orientation),
                                   REAL(scree_clump_info, reach),
                                   END};
