-- A drum with lifters turns: grains are carried up, and fall.

local rate = param("rate", 1.7, "rad/s")
local grains = param("grains", 1000)
local radius, deep, r = 0.7, 0.48, 0.0384

-- so soft that a grain at 2.9 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (2.9 / (0.5 * r)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(0.9 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.6 * r }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.5 }
rule { law = "linear" }

local turning = spin { axis = {0, 1, 0}, rate = rate }
wall { shape = cylinder { from = {0, -deep / 2, 0}, to = {0, deep / 2, 0}, radius = radius, facets = 20 }, material = grain,
       motion = turning }
for k = 1, 8 do
    local c, s = math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)
    wall { shape = facets { vertices = { {radius * c, -deep / 2, radius * s}, {radius * c, deep / 2, radius * s},
                                         {0.84 * radius * c, deep / 2, 0.84 * radius * s}, {0.84 * radius * c, -deep / 2, 0.84 * radius * s} },
                            facets = { {1, 2, 3}, {1, 3, 4} } }, material = grain, motion = turning }
end
fill { count = grains, material = grain, shape = sphere { radius = uniform(0.9 * r, 1.1 * r) },
       region = cylinder { from = {0, -deep / 2, 0}, to = {0, deep / 2, 0}, radius = 0.82 * radius } }
run { time = param("time", 1000, "s"), title = "a drum with lifters" }
