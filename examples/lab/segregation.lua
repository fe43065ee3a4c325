-- Large and small grains in a turning drum: the small ones gather in the middle. Colour by size.

local rate = param("rate", 2, "rad/s")
local grains = param("grains", 1000)
local radius, deep = 0.66, 0.44

-- so soft that a large grain at 2.7 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local small, large = 0.031, 0.048
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(large) * (2.7 / (0.5 * large)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(small) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.6 * small }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.5 }
rule { law = "linear" }

wall { shape = cylinder { from = {0, -deep / 2, 0}, to = {0, deep / 2, 0}, radius = radius, facets = 20 }, material = grain,
       motion = spin { axis = {0, 1, 0}, rate = rate } }
fill { count = grains, material = grain, shape = sphere { radius = sizes { {small, 2.4}, {large, 1} } },
       region = cylinder { from = {0, -deep / 2, 0}, to = {0, deep / 2, 0}, radius = 0.97 * radius } }
run { time = param("time", 1000, "s"), title = "grains of two sizes part in a drum" }
