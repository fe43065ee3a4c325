-- Large and small grains in a turning drum: the small ones gather in the middle. Colour by size.

local rate = param("rate", 3, "rad/s")
local grains = param("grains", 1000)
local radius, deep = 0.27, 0.1

-- so soft that a large grain at 1.3 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local small, large = 0.0105, 0.0175
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(large) * (1.3 / (0.5 * large)) ^ 2
solver { dt = 0.12 * math.sqrt(mass(small) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * small }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.5, rolling_friction = 0.03 }
rule { law = "linear-rolling" }

wall { shape = cylinder { from = {0, -deep / 2, 0}, to = {0, deep / 2, 0}, radius = radius, facets = 40 }, material = grain,
       motion = spin { axis = {0, 1, 0}, rate = rate } }
fill { count = grains, material = grain, shape = sphere { radius = sizes { {small, 2.4}, {large, 1} } },
       region = cylinder { from = {0, -deep / 2, 0}, to = {0, deep / 2, 0}, radius = 0.97 * radius } }
run { time = param("time", 1000, "s"), title = "grains of two sizes part in a drum" }
