-- An avalanche: a heap behind a gate runs down a slope, past posts, and comes to rest below.

local grains = param("grains", 1000)
local slope = param("slope", 32, "degrees")
local r, long, wide = 0.034, 2.8, 1

local angle = math.rad(slope)
local c, s = math.cos(angle), math.sin(angle)
-- so soft that a grain at 3 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (3 / (0.5 * r)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(0.8 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.6 * r }
gravity { 0, 0, -9.81 }
rock = material { density = 2500, stiffness = stiffness, restitution = 0.3, friction = 0.5, rolling_friction = 0.2 }
rule { law = "linear-rolling" }

-- x runs down the slope from its upper end; a flat run-out follows
local function at(along, y, above) return {along * c + above * s, y, -along * s + above * c} end
wall { shape = plane { point = at(long, 0, 0), normal = {0, 0, 1} }, material = rock, name = "valley" }
local function sheet(name, a, b, e, d)
    return wall { name = name, shape = facets { vertices = {a, b, e, d}, facets = { {1, 2, 3}, {1, 3, 4} } }, material = rock }
end
sheet("slope", at(0, 0, 0), at(long, 0, 0), at(long, wide, 0), at(0, wide, 0))
sheet("back", at(0, 0, 0), at(0, wide, 0), at(0, wide, 1), at(0, 0, 1))
sheet("left", at(0, 0, 0), at(long, 0, 0), at(long, 0, 1), at(0, 0, 1))
sheet("right", at(0, wide, 0), at(long, wide, 0), at(long, wide, 1), at(0, wide, 1))
gate = sheet("gate", at(0.84, 0, 0), at(0.84, wide, 0), at(0.84, wide, 1.2), at(0.84, 0, 1.2))
for k = 1, 5 do
    wall { shape = cylinder { from = at(1.5 + 0.36 * (k % 2), (k - 0.5) * wide / 5, -0.04), to = at(1.5 + 0.36 * (k % 2), (k - 0.5) * wide / 5, 0.24),
                              radius = 0.036, facets = 8 }, material = rock }
end
local corners, order = {}, { {0.04, 0.04}, {0.8, 0.04}, {0.8, wide - 0.04}, {0.04, wide - 0.04} }
for _, above in ipairs { 0.03, 0.6 } do
    for _, p in ipairs(order) do corners[#corners + 1] = at(p[1], p[2], above) end
end
fill { count = grains, material = rock, shape = sphere { radius = uniform(0.8 * r, 1.2 * r) }, by = "mass",
       region = facets { vertices = corners, facets = { {1, 3, 2}, {1, 4, 3}, {5, 6, 7}, {5, 7, 8}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6},
                                                        {3, 4, 8}, {3, 8, 7}, {4, 1, 5}, {4, 5, 8} } } }
stage { name = "settle", ends = after(0.9) }
stage { name = "slide", remove = gate, ends = after(1000) }
run { time = param("time", 1000, "s"), title = "an avalanche" }
