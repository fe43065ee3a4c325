-- An hourglass: sand runs through its neck. Turn it over with the slider of gravity.

local grains = param("grains", 1000)
local neck = param("neck", 0.13, "m")       -- radius
local r, wide, tall = 0.038, 0.5, 1.08      -- of a grain, of the glass; height of each half

-- so soft that a grain at 2.9 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (2.9 / (0.5 * r)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(0.9 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.6 * r }
gravity { 0, 0, -9.81 }
sand = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.4 }
rule { law = "linear" }

for side = -1, 1, 2 do
    wall { shape = cone { from = {0, 0, 0}, to = {0, 0, 0.36 * side}, radius = neck, radius_to = wide,
                          open = {"from", "to"}, facets = 16 }, material = sand }
    wall { shape = cylinder { from = {0, 0, 0.36 * side}, to = {0, 0, tall * side}, radius = wide, open = {"from"}, facets = 16 },
           material = sand }
end
fill { count = grains, material = sand, shape = sphere { radius = uniform(0.9 * r, 1.1 * r) },
       region = cylinder { from = {0, 0, 0.39}, to = {0, 0, 0.98 * tall}, radius = 0.98 * wide } }
run { time = param("time", 1000, "s"), title = "an hourglass" }
