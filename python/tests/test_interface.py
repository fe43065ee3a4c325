"""Each function of the C library can be reached from Python: which name reaches it, or why none is needed."""

import os
import re
from pathlib import Path

import pytest

import scree

ROOT = os.environ.get("SCREE_ROOT", "")

# the function of C without "scree_", and what calls it
REACHED = """
version __version__
status_name Error.status
simd_resolve simd
simd_name simd

default_material_def World.add_material
law_count laws
law_at laws
default_formula_law_def FormulaLaw
formula_law_create FormulaLaw
formula_law_destroy FormulaLaw

default_world_def World
world_create World
world_destroy World.close
world_message Error
world_set_gravity World.gravity
world_get_gravity World.gravity
world_get_domain World.domain
world_set_dt World.set_step
world_get_dt World.time_mode
world_set_damping World.damping
world_get_damping World.damping
world_set_method World.set_method
world_get_method World.method
world_set_margin World.set_margin
world_get_margin World.margin
world_set_device World.set_device
world_device_refusals World.device_refusals
world_add_material World.add_material
world_set_friction World.set_friction
world_get_friction World.friction
world_set_material_value World.set_material_value
world_get_material_value World.material_value
world_set_rule_value World.set_rule_value
world_get_rule_value World.rule_value
world_keep_values World.keep_values
default_rule_def World.add_rule
world_add_rule World.add_rule
default_body_def World.add_spheres
world_add_bodies World.add_spheres
shape_sphere World.add_spheres
shape_block World.add_blocks
shape_mesh World.add_meshes
shape_superquadric World.add_superquadrics
shape_clump World.add_clumps
shape_frame World.view
body_def_place World.add_blocks
world_remove_bodies World.remove
world_has_body World.has_body
world_body_frame World.body_frame
world_get_body World.body
world_set_body World.set_body
world_bodies World.position
world_body_count World.count
body_get_type World.body_type
body_set_type World.set_body_type
body_apply_impulse World.apply_impulse
world_step World.step
world_advance World.advance
world_failed_body StepRefused.body
world_unconverged StepRefused.unconverged
world_set_force World.set_force
force_sink_add_columns World.set_force
world_clock World.clock
world_stable_step World.stable_step
default_contact_filter_def World.contacts
world_contacts World.contacts
world_events World.events
world_query World.query
world_detection_stats World.detection_stats
world_local_counts World.local_counts
world_enable_timings World.enable_timings
world_timings World.timings
world_local_step_stats World.local_step_stats
world_energy World.energy
world_totals World.totals
world_digest World.digest
world_snapshot World.snapshot
world_restore World.restore
snapshot_destroy World.snapshot
snapshot_bytes World.snapshot
world_copy World.copy

default_bond_def World.add_bonds
world_add_bonds World.add_bonds
world_bonds World.bonds
world_bond_counts World.bond_counts
world_breaks World.breaks
world_forget_breaks World.forget_breaks
default_joint_def World.add_joint
world_add_joint World.add_joint
world_remove_joint World.remove_joint
world_set_joint_motor World.set_joint_motor
world_joints World.joints
world_get_joint World.joint
world_joint_counts World.joint_counts
world_get_cell World.cell
world_set_cell World.set_cell
default_cell_servo_def World.set_cell_servo
world_set_cell_servo World.set_cell_servo
world_get_cell_servo World.cell_servo
default_chains_def World.chains
world_chains World.chains
default_fields_def World.fields
world_add_fields Fields.sample
field_read Fields.values
world_add_wall_loads World.wall_field
world_solid_volume World.solid_volume
default_sleep_def World.set_sleep
world_set_sleep World.set_sleep
world_get_sleep World.sleep_settings
world_is_asleep World.is_asleep
world_sleep_counts World.sleep_counts

default_fluid_def World.set_fluid
world_set_fluid World.set_fluid
world_get_fluid World.fluid
default_force_field_def World.add_force_field
world_add_force_field World.add_force_field
world_clear_force_fields World.clear_force_fields
world_force_field_count World.force_fields
world_get_force_field World.force_fields
world_ambient_work World.ambient_work

default_heat_def World.set_heat
world_set_heat World.set_heat
world_get_heat World.heat_settings
default_material_heat_def World.set_material_heat
world_set_material_heat World.set_material_heat
world_get_body_heat World.body_heat
world_set_body_heat World.set_body_heat
world_temperatures World.temperature
world_get_wall_heat World.wall_heat
world_set_wall_heat World.set_wall_heat
world_heat World.heat

default_wall_def World.add_wall
world_add_wall World.add_wall
world_remove_wall World.remove_wall
wall_path_place World.place_on_path
world_set_wall_path World.set_wall_path
default_wall_servo_def World.set_wall_servo
world_set_wall_servo World.set_wall_servo
world_get_wall_servo World.wall_servo
default_wall_belt_def World.set_wall_belt
world_set_wall_belt World.set_wall_belt
world_get_wall_belt World.wall_belt
default_wear_def World.set_wall_wear
world_set_wear World.set_wall_wear
world_get_wear World.wall_wear
world_wear World.wear
world_worn_mesh World.worn_mesh
default_free_wall_def World.set_free_wall
world_set_free_wall World.set_free_wall
world_get_free_wall World.free_wall
world_get_wall World.wall
world_wall_loads World.wall_loads
world_walls World.walls

checkpoint_write World.checkpoint
checkpoint_read World.from_checkpoint
checkpoint_read_bytes World.from_checkpoint
checkpoint_destroy World.from_checkpoint
checkpoint_world World.from_checkpoint
checkpoint_restore World.restore_checkpoint
checkpoint_describe read_checkpoint
checkpoint_section_at read_checkpoint
checkpoint_part_at read_checkpoint
checkpoint_part_of Scene.run

mesh_read Mesh.read
mesh_read_bytes Mesh.read
mesh_write_stl Mesh.write_stl
export_format_name export_formats
export_suffix export_formats
export_field_name export_formats
default_export_def World.export
export World.export
export_series write_series
export_fields Fields.write
export_wall_loads World.write_wall_field
import_format_name read_bodies
default_import_def read_bodies
import_bodies read_bodies
import_bytes read_bodies
body_list_free read_bodies

default_mesh_def Mesh
mesh_create Mesh
mesh_destroy Mesh
mesh_describe Mesh.info
default_globe_def Mesh.globe
mesh_globe Mesh.globe
mesh_solid_of Mesh.solid
mesh_check Mesh.check
default_hull_def Mesh.hull
mesh_hull Mesh.hull
default_superquadric_def Mesh.superquadric
mesh_superquadric Mesh.superquadric
default_clump_def Clump
clump_create Clump
clump_destroy Clump
clump_describe Clump.info
default_clump_fill_def Clump.fill
clump_fill Clump.fill

default_picture_def World.picture
picture_field_at picture_fields
picture_map_at picture_maps
picture_box World.picture_frame
picture_range World.picture_frame
picture_wall_range World.picture_frame
picture_draw World.picture
picture_destroy World.picture
picture_describe World.picture
png_encode World.png

integer_view Detector.update
table_spheres Detector.update
table_boxes Detector.update
method_count methods
method_at methods
default_detector_def Detector
detector_create Detector
detector_destroy Detector.close
detector_message Error
detector_method Detector.method
detector_update Detector.update
detector_insert Detector.insert
detector_remove Detector.remove
detector_clear Detector.clear
detector_clear_all Detector.clear_all
detector_advance Detector.advance
detector_longest_step Detector.longest_step
detector_leeway Detector.leeway
detector_speed_classes Detector.speed_classes
detector_for_each_block Detector.pairs
detector_pairs Detector.pairs
detector_csr Detector.neighbors
detector_image Detector.image
detector_set_cell Detector.set_cell
query_box Detector.query
query_sphere Detector.query
query_ray Detector.query
query_ray_first Detector.query
query_nearest Detector.query
detector_hits Detector.query
detector_outline Detector.outline
detector_stats Detector.stats
detector_explain Detector.explain
"""

# what has no name of its own, and what does the same
LEFT_OUT = {
    "threads= makes a pool; one that several worlds share is of use where a host has tasks of its own":
        "pool_create pool_destroy pool_tasks pool_thread_count",
    "ids are whole numbers: 0 is none, == compares": "no_body body_id_is_null body_id_equal",
    "body(id) gives all of it, world.position and others all bodies": "body_get_position body_get_velocity body_get_spin body_get_orientation "
        "body_get_force body_get_mass world_temperature",
    "set_body(id, velocity=...), or edit() for many": "body_set_position body_set_velocity body_set_spin body_set_orientation body_set_load "
        "body_set_material body_set_groups body_set_flags body_set_user",
    "arrays have one row or many": "world_add_body world_remove_body",
    "arrays say where they lie": "doubles floats table_centres",
    "columns are arrays of numpy, with its own strides and indices":
        "view_component row_at double_at uint64_at uint32_at body_id_at",
    "a force function gets two arrays, which are added at its end": "force_sink_add force_sink_add_row",
    "the default functions call them with the size of their header": "init_mesh_def init_globe_def init_hull_def init_superquadric_def init_clump_def init_clump_fill_def init_picture_def init_material_def "
        "init_formula_law_def init_wall_def init_world_def init_rule_def init_body_def init_contact_filter_def init_bond_def init_joint_def "
        "init_export_def init_import_def init_fluid_def init_force_field_def init_material_heat_def init_fields_def init_chains_def init_detector_def "
        "init_wall_servo_def init_wall_belt_def init_free_wall_def init_sleep_def init_heat_def init_cell_servo_def init_wear_def",
    "the reading functions call them with the size of their header": "world_read_wall_servo world_read_wall_belt world_read_free_wall "
        "world_read_wear world_read_sleep world_read_heat world_read_cell world_read_cell_servo world_read_fluid world_read_force_field",
    "a dict of all: laws(), methods()": "law_by_name method_by_name",
    "a call for each pair or hit would cost more than the arrays that pairs(), neighbors() and query() give":
        "detector_for_each_pair detector_neighbors detector_query",
    "update() and pairs(), or scree.pairs() at once": "detector_pairs_of detector_csr_of",
    "Mesh.solid() and Clump.info() give masses": "shape_mass",
    "World.query() makes arrays of what scree_world_query finds": "world_hits",
    "read_checkpoint() lists all sections": "checkpoint_section_of",
    "World.png() encodes or writes; checks come with it": "picture_check picture_png png_write",
    "a wrong name of a field of walls is answered by the nearest": "picture_wall_field_at",
    "Detector over world.position answers; that of a world has enlarged volumes": "world_detector",
}


def reached():
    """Functions of C, and names of Python."""
    return dict(line.split() for line in REACHED.splitlines() if line)


def declared():
    """Functions that the headers declare, but for old names."""
    found = set()
    for path in Path(ROOT, "include/scree").glob("*.h"):
        if path.name != "deprecated.h":
            text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
            found |= set(re.findall(r"(?:SCREE_API|static inline)\s+[^;{()]*?\bscree_(\w+)\s*\(", text))
    return found


needs_sources = pytest.mark.skipif(not ROOT, reason="SCREE_ROOT is not set: the headers are not there")


@needs_sources
def test_each_function_of_c_is_told_of():
    left_out = {name for names in LEFT_OUT.values() for name in names.split()}
    known = set(reached()) | left_out
    assert len(declared()) > 200
    assert declared() - known == set(), "neither reached nor left out for a reason"
    assert known - declared() == set(), "told of, and not there any more"
    assert set(reached()) & left_out == set()


@needs_sources
def test_what_is_reached_is_called():
    text = "".join(path.read_text() for path in Path(ROOT, "python/module").glob("*.c"))
    missing = [name for name in reached() if not re.search(rf"\bscree_{name}\b", text)]
    assert missing == []


@pytest.mark.parametrize("name", sorted(set(reached().values())))
def test_names_of_python_are_there(name):
    thing = scree
    for part in name.split("."):
        thing = getattr(thing, part)


@needs_sources
@pytest.mark.parametrize("kinds, header, prefix", [(scree.BodyType, "world", "SCREE_BODY_"), (scree.EventKind, "event", "SCREE_EVENT_"),
                                                   (scree.BreakCause, "bond", "SCREE_BREAK_"), (scree.JointKind, "joint", "SCREE_JOINT_")])
def test_numbers_with_names_are_those_of_c(kinds, header, prefix):
    text = re.sub(r"/\*.*?\*/", "", Path(ROOT, f"include/scree/{header}.h").read_text(), flags=re.S)
    body = re.search(rf"typedef enum \w+\s*\{{([^}}]*{prefix}[^}}]*)\}}", text).group(1)
    names = [name.strip() for name in body.split(",") if name.strip()]
    assert names == [prefix + member.name for member in kinds] and [int(member) for member in kinds] == list(range(len(names)))
