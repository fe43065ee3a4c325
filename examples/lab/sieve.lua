-- A shaken sieve: small grains fall through its holes, large ones stay.

local frequency = param("frequency", 3.5, "1/s")
local grains = param("grains", 900)
local hole, bar, across = 0.052, 0.02, 9     -- of the grid: width of a hole and of a bar, m; holes each way
local half = (across * hole + (across + 1) * bar) / 2

-- so soft that a large grain at 2.8 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local small, large = 0.018, 0.034
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(large) * (2.8 / (0.5 * large)) ^ 2
solver { dt = 0.14 * math.sqrt(mass(small) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * small }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.4 }
rule { law = "linear" }

local shaking = { swing { amplitude = {0.024, 0, 0}, frequency = frequency }, swing { amplitude = {0, 0, 0.012}, frequency = 2 * frequency } }
local corners, sheets = {}, {}
local function strip(x1, y1, x2, y2)
    local n = #corners
    for _, p in ipairs { {x1, y1}, {x2, y1}, {x2, y2}, {x1, y2} } do corners[#corners + 1] = {p[1], p[2], 0} end
    sheets[#sheets + 1], sheets[#sheets + 2] = {n + 1, n + 2, n + 3}, {n + 1, n + 3, n + 4}
end
for k = 0, across do
    local at = -half + k * (hole + bar)
    strip(at, -half, at + bar, half)
    strip(-half, at, half, at + bar)
end
wall { name = "sieve", shape = facets { vertices = corners, facets = sheets }, material = grain, motion = shaking }
wall { name = "frame", shape = box { lower = {-half, -half, -0.8}, upper = {half, half, 2}, open = {"+z"} }, material = grain }
fill { count = grains, material = grain, shape = sphere { radius = sizes { {small, 4}, {large, 1} } },
       region = box { lower = {-half, -half, 0.04}, upper = {half, half, 0.9} } }
run { time = param("time", 1000, "s"), title = "a sieve" }
