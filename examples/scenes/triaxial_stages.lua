-- A triaxial test in stages: a dense packing under the same stress from all sides is shortened by a fifth. How steep is its friction angle?
--
-- Two stages: compress, shear. The servo of the cell holds the stress all the time, so what pushes the ram is the deviator.

local count = param("count", 3000)
local stress = param("stress", 5000, "Pa")
local time = param("time", 0.2, "s")      -- in which the cell is shortened by a fifth
local friction = param("friction", 0.5)
local r = 0.004                           -- of the largest grains, m
-- grains leave gaps at walls: a cell of few cannot be as dense
local phi = math.min(0.6, 0.66 - 0.8 * count ^ (-1 / 3))
local side = (count * 4 / 3 * math.pi * 0.46875 * r ^ 3 / phi) ^ (1 / 3)

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
                                   drive { wall = ram, motion = move { velocity = {0, 0, -0.2 * side / time} } } },
        ends = wall_moved { wall = ram, axis = {0, 0, -1}, above = 0.2 * side }, at_most = 2 * time }

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
