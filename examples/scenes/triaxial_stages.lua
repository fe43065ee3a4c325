-- A triaxial test in stages: a dense packing under the same stress from all sides is shortened by a fifth. How steep is its friction angle?
--
-- Two stages: compress, shear. The servo of the cell holds the stress all the time, so what pushes the ram is the deviator.

local phi = param("phi", 0.6)             -- solid fraction at the start
local width = param("width", 20)          -- of the cell at the start, in largest radii
local stress = param("stress", 5000, "Pa")
local rate = param("rate", 1, "1/s")      -- of the strain
local friction = param("friction", 0.5)
local r = 0.004                           -- of the largest grains, m
local side = width * r

grain = material { density = 2600, young = 5e6, restitution = 0.2, friction = friction }
steel = material { density = 7800, young = 5e6, friction = 0 }
room = box { lower = {0, 0, 0}, upper = {side, side, side} }
fill { solid_fraction = phi, material = grain, shape = sphere { radius = uniform(0.5 * r, r) }, region = room }

skin = wall { name = "cell", material = steel, shape = room,
              servo = servo { stress = stress, speed = 0.1, sides = {"-x", "+x", "-y", "+y", "+z"} } }
ram = wall { name = "ram", material = steel, shape = plane { point = {0, 0, side}, normal = {0, 0, -1} },
             servo = servo { force = 0.01 * stress * side ^ 2, speed = 0.1 } }

stage { name = "compress", damping = 5, change = set_friction { material = grain, to = 0.1 },
        ends = all { after(0.05), quiet { energy = 1e-7, during = 0.01 } }, at_most = 1 }
stage { name = "shear", damping = 0, change = { set_friction { material = grain, to = friction },
                                   drive { wall = ram, motion = move { velocity = {0, 0, -rate * side} } } },
        ends = wall_moved { wall = ram, axis = {0, 0, -1}, above = 0.2 * side }, at_most = 1 / rate }

measure { name = "cell", wall = skin, what = {"side_stress", "size"}, mean = true }
measure { name = "ram", wall = ram, what = {"force", "position"}, mean = true }
column { name = "strain", value = "1 - ram.position_z / stage_start(ram.position_z)" }
column { name = "stress", value = "abs(ram.force_z) / (cell.size_x * cell.size_y)", unit = "Pa" }
column { name = "confining", value = "(cell.side_stress_x + cell.side_stress_y) / 2", unit = "Pa" }
column { name = "friction_angle", unit = "degrees",
         value = "s = stress / max(stress + 2 * confining, 1); atan(s / sqrt(max(1 - s^2, 1e-9))) * 180 / pi" }

metrics { every = 0.005, sample_every = 1e-4 }
output { every = 0.1, write = {"vtk", "picture"} }
picture { width = 540, height = 405, field = "coordination", range = {0, 8}, walls = "lines", rise = 0.3 }
run { title = "a triaxial test in stages" }
