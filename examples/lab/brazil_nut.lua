-- The Brazil nut: shaken from below, the large ball climbs to the top of the small ones.

local frequency = param("frequency", 6, "1/s")
local amplitude = param("amplitude", 0.018, "m")
local grains = param("grains", 1000)
local r, wide = 0.012, 0.155

-- so soft that a grain at 4 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (4 / (0.5 * r)) ^ 2
solver { dt = 0.12 * math.sqrt(mass(0.8 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * r }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.5 }
rule { law = "linear" }

wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 0.8}, radius = wide, open = {"to"}, facets = 32 }, material = grain,
       motion = swing { amplitude = {0, 0, amplitude}, frequency = frequency, ramp = 1 } }
body { shape = sphere { radius = 0.045 }, material = grain, position = {0, 0, 0.05} }
fill { count = grains, material = grain, shape = sphere { radius = uniform(0.8 * r, 1.1 * r) },
       region = cylinder { from = {0, 0, 0}, to = {0, 0, 0.5}, radius = 0.97 * wide } }
run { time = param("time", 1000, "s"), title = "the Brazil nut" }
