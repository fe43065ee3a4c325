-- A mixer: a paddle stirs two layers of grains. Colour by number to see them mix.

local rate = param("rate", 2.3, "rad/s")
local grains = param("grains", 1000)
local r, wide = 0.036, 0.5

-- so soft that a grain at 4 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2000 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (4 / (0.5 * r)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(0.9 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * r }
gravity { 0, 0, -9.81 }
grain = material { density = 2000, stiffness = stiffness, restitution = 0.3, friction = 0.4 }
rule { law = "linear" }

wall { shape = cylinder { from = {0, 0, 0}, to = {0, 0, 1.5}, radius = wide, open = {"to"}, facets = 18 }, material = grain }
-- two blades, inclined so that they lift
for k = 0, 1 do
    local e = 1 - 2 * k
    wall { shape = facets { vertices = { {e * 0.06, e * 0.09, 0.06}, {e * 0.43, e * 0.09, 0.06}, {e * 0.43, e * -0.09, 0.33}, {e * 0.06, e * -0.09, 0.33} },
                            facets = { {1, 2, 3}, {1, 3, 4} } }, material = grain, motion = spin { rate = rate, start = 0.5, ramp = 1 } }
end
wall { shape = cylinder { from = {0, 0, 0.036}, to = {0, 0, 1.5}, radius = 0.054, facets = 8 }, material = grain,
       motion = spin { rate = rate, start = 0.5, ramp = 1 } }
for layer = 0, 1 do
    fill { count = grains / 2, material = grain, shape = sphere { radius = r * (1 - 0.1 * layer) },
           region = cylinder { from = {0, 0, 0.4 + 0.8 * layer}, to = {0, 0, 1.16 + 0.8 * layer}, radius = 0.95 * wide } -
                    cylinder { from = {0, 0, 0}, to = {0, 0, 3}, radius = 0.1 } }
end
run { time = param("time", 1000, "s"), title = "a mixer" }
