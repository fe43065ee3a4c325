-- A hopper empties: how much mass a second goes through its opening (Beverloo's law).
--
-- Beverloo: W = C rho_bulk sqrt(g) (D - k d)^(5/2). Try --sweep opening=0.012,0.016,0.020.

local opening = param("opening", 0.016, "m")    -- diameter
local d = 0.002                                 -- of a grain
local grains = param("grains", 2000)
local wide, tall = 0.02, 0.03                   -- radius of the bin, height of the cone

gravity { 0, 0, -9.81 }
glass = material { density = 2500, young = 1e6, poisson = 0.25, restitution = 0.5, friction = 0.4 }

-- a bin over a cone, open at both ends
wall { shape = cylinder { from = {0, 0, tall}, to = {0, 0, 0.2}, radius = wide, open = {"from", "to"} }, material = glass }
wall { shape = cone { from = {0, 0, 0}, to = {0, 0, tall}, radius = opening / 2, radius_to = wide, open = {"from", "to"} },
       material = glass }

fill {
    count = grains, material = glass, shape = sphere { radius = uniform(0.45 * d, 0.55 * d) },
    region = cylinder { from = {0, 0, tall}, to = {0, 0, tall + 0.005 + 0.04 * grains / 2000}, radius = 0.98 * wide },
}

-- what has passed the opening is counted; below it is taken out
measure { name = "outlet", region = plane { point = {0, 0, 0}, normal = {0, 0, -1} } }
sink { name = "bucket", region = plane { point = {0, 0, -0.02} } }

metrics { every = 0.01 }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.4, "s"), title = "a hopper" }
