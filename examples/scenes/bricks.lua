-- A wall of bricks is hit by an iron ball.
--
-- Bricks are blocks: convex, with faces that lie flat on each other, so that the wall stands before the ball comes.
-- Rows are laid in running bond; every second one ends with half bricks.

local count = param { name = "count", default = 100, lower = 1, help = "of bricks, perhaps a few more or less" }
local rows = math.max(1, math.floor(math.sqrt(1.5 * count)))
local columns = math.max(1, math.floor(count / rows))
local length, depth, height = 0.2, 0.1, 0.06
local rounding = 0.003                       -- of edges, around the points below
local pitch, rise = length + 2 * rounding, height + 2 * rounding

gravity { 0, 0, -9.81 }
clay = material { density = 1800, young = 2e7, restitution = 0.2, friction = 0.6 }
iron = material { density = 7800, young = 2e7, restitution = 0.2, friction = 0.4 }

local function brick(long)
    local points = {}
    for _, x in ipairs { -0.5, 0.5 } do
        for _, y in ipairs { -0.5, 0.5 } do
            for _, z in ipairs { -0.5, 0.5 } do
                points[#points + 1] = { x * long, y * depth, z * height }
            end
        end
    end
    local ball = (3 * long * depth * height / (4 * math.pi)) ^ (1 / 3)
    return block { points = points, rounding = rounding / ball }
end

local whole, half = brick(length), brick(length / 2 - rounding)
wall { name = "floor", shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = clay }

for row = 1, rows do
    local z = (row - 0.5) * rise
    local odd = row % 2
    for i = 1, columns - 1 + odd do
        body { shape = whole, material = clay, position = { (i - (columns + odd) / 2) * pitch, 0, z } }
    end
    for side = -1, odd == 0 and 1 or -2, 2 do
        body { shape = half, material = clay, position = { side * (columns / 2 - 0.25) * pitch, 0, z } }
    end
end

body {
    shape = sphere { radius = 0.12 }, material = iron,
    position = { 0.1, -0.8, math.max(0.13, 0.55 * rows * rise) }, velocity = { 0, param("speed", 8, "m/s"), 1 },
}

measure { name = "wall", what = {"speed", "coordination"} }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 1, "s"), title = "a wall of bricks" }
