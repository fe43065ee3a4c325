-- A pillar of glued grains under load: what load does it carry, and how does it break?
--
-- Three stages: grains settle in a mould, bonds join them, and a plate presses the pillar until bonds fail.

local grains = param("grains", 600)
local strength = param("strength", 2e4, "Pa")    -- of a bond
local speed = param("speed", 0.02, "m/s")        -- of the plate
local r = 0.001                                  -- of a middle grain, m
local radius = 0.007                             -- of the pillar
local high = grains * 4 / 3 * r ^ 3 / (0.55 * radius ^ 2)

gravity { 0, 0, -9.81 }
stone = material { density = 2000, stiffness = 2000, restitution = 0.2, friction = 0.5 }
steel = material { density = 7800, stiffness = 1e4, friction = 0.3 }
rule { law = "bonded", materials = {stone, stone},
       values = { bond_young = 2e6, bond_ratio = 2.5, bond_radius = 0.8, bond_reach = 0.5, bond_tension = strength, bond_shear = 2 * strength } }
rule { law = "linear" }
solver { damping = 20 }

wall { name = "floor", shape = plane { }, material = steel }
mould = wall { name = "mould", shape = cylinder { from = {0, 0, 0}, to = {0, 0, 2 * high}, radius = radius, open = {"from", "to"} }, material = steel }
fill { count = grains, material = stone, shape = sphere { radius = uniform(0.8 * r, 1.2 * r) },
       region = cylinder { from = {0, 0, 0}, to = {0, 0, 1.3 * high}, radius = radius } }
plate = wall { name = "plate", shape = plane { point = {0, 0, 1.3 * high}, normal = {0, 0, -1} }, material = steel }

stage { name = "settle", ends = quiet { energy = 1e-9, during = 0.02 }, at_most = 1, or_fail = false }
stage { name = "glue", add = bond { gap = 0.1 * r }, ends = after(0.01) }
stage { name = "approach", remove = mould, change = drive { wall = plate, motion = move { velocity = {0, 0, -0.1} } },
        ends = wall_force { wall = plate, axis = {0, 0, 1}, above = 0.02 }, at_most = 1 }
stage { name = "load", change = drive { wall = plate, motion = move { velocity = {0, 0, -speed} } },
        ends = broken { share = 0.1 }, at_most = 1 }

measure { name = "plate", wall = plate, what = {"force", "position"}, mean = true }
column { name = "stress", value = "plate.force_z / (pi * radius^2)", unit = "Pa", parameters = { radius = radius } }
column { name = "strain", value = "1 - plate.position_z / stage_start(plate.position_z)" }
metrics { every = 0.002, sample_every = 1e-4 }
picture { width = 480, height = 640, field = "bonds", rise = 0.2 }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 3, "s"), title = "a pillar under load" }
