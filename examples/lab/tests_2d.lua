-- Discs of many sizes tumble in a square box that turns (two dimensions): compare the methods of detection on them.

local count = param("count", 800)
local rate = param("rate", 1.2, "rad/s")
local small = 0.007

-- so soft that steps are long, and the scene runs in real time
solver { dt = 2.7e-4, overlap_limit = 1 }
domain { dimensions = 2 }
gravity { 0, -9.81 }
disc = material { density = 20, restitution = 0.5, friction = 0.4, stiffness = 4000 }
rule { law = "linear" }

local half = 0.4 * math.sqrt(count / 800)
wall { name = "box", shape = facets { vertices = { {-half, -half}, {half, -half}, {half, half}, {-half, half} },
                                      facets = { {1, 2}, {2, 3}, {3, 4}, {4, 1} } }, material = disc, motion = spin { axis = {0, 0, 1}, rate = rate, ramp = 1 } }
fill { count = count, material = disc, shape = sphere { radius = loguniform(small, 4 * small) }, by = "mass",
       region = box { lower = {-0.97 * half, -0.97 * half}, upper = {0.97 * half, 0.97 * half} } }
run { time = param("time", 1000, "s"), title = "discs of many sizes" }
