-- A hopper that opens once its grains have settled, and stops when the flow ends (Beverloo's exponent).
--
-- Three stages: settle behind a gate, flow, and drain. Try --sweep opening=0.012,0.016,0.020.

local opening = param("opening", 0.016, "m")    -- diameter
local grains = param("grains", 2000)
local d, wide, tall = 0.002, 0.02, 0.03         -- of a grain; radius of the bin, height of the cone

gravity { 0, 0, -9.81 }
glass = material { density = 2500, young = 1e6, poisson = 0.25, restitution = 0.5, friction = 0.4 }

-- a bin over a cone, and a gate at its opening
wall { shape = cylinder { from = {0, 0, tall}, to = {0, 0, 0.2}, radius = wide, open = {"from", "to"} }, material = glass }
wall { shape = cone { from = {0, 0, 0}, to = {0, 0, tall}, radius = opening / 2, radius_to = wide, open = {"from", "to"} },
       material = glass }
gate = wall { shape = plane { }, material = glass, name = "gate" }

fill {
    count = grains, material = glass, shape = sphere { radius = uniform(0.45 * d, 0.55 * d) },
    region = cylinder { from = {0, 0, tall}, to = {0, 0, tall + 0.005 + 0.04 * grains / 2000}, radius = 0.98 * wide },
}

local inside = cylinder { from = {0, 0, 0}, to = {0, 0, 0.2}, radius = wide }
measure { name = "inside", region = inside }
measure { name = "outlet", region = plane { point = {0, 0, 0}, normal = {0, 0, -1} } }
bucket = sink { name = "bucket", region = plane { point = {0, 0, -0.02} } }

stage { name = "settle", ends = quiet { energy = 1e-9, during = 0.02 }, at_most = 1 }
-- as long as the opening is covered all around
stage { name = "flow", remove = gate, add = bucket, ends = count { region = inside, below = 0.3 * grains } }
stage { name = "drain", ends = any { count { region = inside, below = 1 }, quiet { energy = 1e-9, during = 0.05 } } }

metrics { every = 0.01 }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 3, "s"), title = "a hopper with a gate" }
