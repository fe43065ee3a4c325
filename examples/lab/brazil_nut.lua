-- The Brazil nut: shaken from below, the large ball climbs to the top of the small ones.

local frequency = param("frequency", 3.5, "1/s")
local amplitude = param("amplitude", 0.054, "m")
local grains = param("grains", 1000)
local r, wide = 0.036, 0.465

-- so soft that a grain at 6.9 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (6.9 / (0.5 * r)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(0.9 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * r }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.5 }
rule { law = "linear" }

wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 2.4}, radius = wide, open = {"to"}, facets = 20 }, material = grain,
       motion = swing { amplitude = {0, 0, amplitude}, frequency = frequency, ramp = 1 } }
body { shape = sphere { radius = 0.135 }, material = grain, position = {0, 0, 0.15} }
fill { count = grains, material = grain, shape = sphere { radius = uniform(0.9 * r, 1.1 * r) },
       region = cylinder { from = {0, 0, 0}, to = {0, 0, 1.5}, radius = 0.97 * wide } }
run { time = param("time", 1000, "s"), title = "the Brazil nut" }
