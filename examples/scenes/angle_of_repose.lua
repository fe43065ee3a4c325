-- A heap: grains are poured on a plate and lie at an angle.
--
-- Rolling friction makes the heap steep: try --sweep rolling=0,0.1,0.3.

local rolling = param("rolling", 0.1)
local grains = param("grains", 1200)
local plate = 0.03                          -- radius; what falls over its edge is lost

gravity { 0, 0, -9.81 }
domain { lower = {-0.06, -0.06, -0.02}, upper = {0.06, 0.06, 0.2}, boundary = "destroy" }

sand = material { density = 2600, young = 1e6, poisson = 0.25, restitution = 0.3, friction = 0.6,
                  rolling_friction = rolling }
rule { law = "hertz-rolling" }

wall { name = "plate", shape = cylinder { from = {0, 0, -0.005}, to = {0, 0, 0}, radius = plate, open = {"from"} },
       material = sand }

pour {
    name = "spout", rate = 4000, count = grains, material = sand,
    shape = sphere { radius = uniform(0.0009, 0.0011) },
    region = cylinder { from = {0, 0, 0.03}, to = {0, 0, 0.05}, radius = 0.006 },
    velocity = {0, 0, -0.3},
}

measure { name = "heap", region = box { lower = {-plate, -plate, 0}, upper = {plate, plate, 0.05} },
          what = {"count", "mass", "speed"} }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 0.5, "s"), title = "angle of repose" }
