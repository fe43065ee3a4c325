-- A sandglass: how long does its sand take, and does it take as long when the glass is turned over?
--
-- The glass is one closed surface of triangles: a curve that is turned about an axis. Its upper half, as a region, is filled.

local grains = param("grains", 600)
local neck = param("neck", 0.0065, "m")      -- radius
local r = 0.0015                             -- of a middle grain, m
local bulb, half = 0.022, 0.05               -- radius of a bulb, half of the height, m
local around, rows = 24, 24

gravity { 0, 0, -9.81 }
sand = material { density = 2600, young = 1e6, restitution = 0.3, friction = 0.4 }

-- from the lower pole to the upper one: circles of corners, narrow in the middle
local corners, triangles = { {0, 0, -half} }, {}
for row = 1, rows - 1 do
    local z = -half * math.cos(math.pi * row / rows)
    local x = math.abs(z) / half
    local wide = neck + (bulb - neck) * math.min(1, 1.6 * x) ^ 1.5
    local radius = wide * math.sqrt(1 - x ^ 6)
    for i = 0, around - 1 do
        local angle = 2 * math.pi * i / around
        corners[#corners + 1] = { radius * math.cos(angle), radius * math.sin(angle), z }
    end
end
corners[#corners + 1] = { 0, 0, half }
local function corner(row, i) return 2 + (row - 1) * around + i % around end
for i = 0, around - 1 do
    triangles[#triangles + 1] = { 1, corner(1, i + 1), corner(1, i) }
    triangles[#triangles + 1] = { corner(rows - 1, i), corner(rows - 1, i + 1), #corners }
    for row = 1, rows - 2 do
        triangles[#triangles + 1] = { corner(row, i), corner(row, i + 1), corner(row + 1, i + 1) }
        triangles[#triangles + 1] = { corner(row, i), corner(row + 1, i + 1), corner(row + 1, i) }
    end
end
shape = facets { vertices = corners, facets = triangles }
glass = wall { name = "glass", shape = shape, material = sand }

upper = box { lower = {-0.1, -0.1, 0}, upper = {0.1, 0.1, 0.1} }
fill { name = "sand", count = grains, material = sand, shape = sphere { radius = uniform(0.9 * r, 1.1 * r) },
       region = shape * box { lower = {-0.1, -0.1, 0.01}, upper = {0.1, 0.1, 0.1} } }

stage { name = "down", ends = count { region = upper, below = 1 }, at_most = 3 }
stage { name = "turn", change = drive { wall = glass, motion = path { {0, 0, 0, 0, 1, 0, 0, 0}, {0.1, 0, 0, 0, 1, 1, 0, 0}, {0.2, 0, 0, 0, 0, 1, 0, 0}, smooth = true } },
        ends = after(0.2) }
stage { name = "again", ends = count { region = upper, below = 1 }, at_most = 3 }

measure { name = "above", region = upper, what = {"count", "mass"} }
metrics { every = 0.005 }
picture { width = 480, height = 640, field = "speed", rise = 0.1 }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 5, "s"), title = "a sandglass" }
