-- Polygons of several kinds tumble in a drum, in two dimensions.
--
-- Triangles, bricks, pentagons and discs are poured into a drum of segments that begins to turn; its lifters take them up.

local rate = param("rate", 3, "rad/s")
local count = param("count", 160)
local radius = 0.18 * math.sqrt(count / 160) -- of the drum, m
local size = 0.006                           -- of a disc with the area of a polygon

domain { dimensions = 2 }
gravity { 0, -9.81 }

stone = material { density = 20, stiffness = 2e4, restitution = 0.3, friction = 0.5 }
rule { law = "linear" }

-- a circle of segments, with six lifters that reach inward
local corners, lines, around = {}, {}, 120
for i = 1, around do
    local angle = 2 * math.pi * i / around
    corners[i] = { radius * math.cos(angle), radius * math.sin(angle) }
    lines[i] = { i, i % around + 1 }
end
for i = 20, around, 20 do
    corners[#corners + 1] = { 0.88 * corners[i][1], 0.88 * corners[i][2] }
    lines[#lines + 1] = { i, #corners }
end
drum = wall {
    name = "drum", shape = facets { vertices = corners, facets = lines }, material = stone,
    motion = spin { axis = {0, 0, 1}, rate = rate },
}

local function kind(corner_count)
    return polygon { regular = corner_count, radius = size, rounding = 0.1 }
end
local brick = polygon { points = { {0, 0}, {2, 0}, {2, 1}, {0, 1} }, radius = size, rounding = 0.1 }

fill {
    count = count, material = stone,
    shape = mixture { {kind(3), 1}, {brick, 1}, {kind(5), 1}, {sphere { radius = size }, 1} },
    region = box { lower = {-0.75 * radius, -0.6 * radius}, upper = {0.75 * radius, 0.6 * radius} },
}

measure { name = "drum", wall = drum, what = {"torque"} }
picture { width = 900, height = 900, field = "speed" }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 2, "s"), title = "polygons in a drum" }
