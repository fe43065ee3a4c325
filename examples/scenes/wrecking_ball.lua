-- A wrecking ball on a chain swings into a wall of bricks.
--
-- The links of the chain are spheres, joined by ball joints; its first link hangs on the fixed world.

local count = param { name = "count", default = 60, lower = 1, help = "of bricks, perhaps a few more or less" }
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

-- in running bond: every second row ends with half bricks
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

-- the chain starts straight, at this angle to the vertical
local angle = param("angle", 75, "deg") * math.pi / 180
local links, link, ball = 12, 0.03, 0.12
local step = 2.1 * link                      -- from link to link
local low = math.max(0.5 * rows * rise, ball + 0.02)
local chain = links * step + link + ball
local top = { 0.03, -ball - 0.5 * depth, low + chain }
local function along(distance)               -- a point of the chain, so far from its top
    return { top[1], top[2] - distance * math.sin(angle), top[3] - distance * math.cos(angle) }
end

local stiffness = 3e6                        -- the weight of the ball stretches a joint by 0.2 mm
local above                                  -- nil: the fixed world
for i = 1, links do
    local one = body { shape = sphere { radius = link }, material = iron, position = along(i * step) }
    joint { kind = "ball", first = one, second = above, at = along((i - 0.5) * step), stiffness = stiffness }
    above = one
end
local wrecker = body { shape = sphere { radius = ball }, material = iron, position = along(chain) }
joint { kind = "ball", first = wrecker, second = above, at = along(chain - ball), stiffness = stiffness, strength = param("strength", 1e5, "N") }

measure { name = "wall", what = {"speed", "coordination"} }
picture { width = 800, height = 600, field = "speed", range = {0, 4}, turn = 0.6, rise = 0.25, lower = {-0.7, -0.9, 0}, upper = {0.7, 0.6, 1.1} }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 1.5, "s"), title = "a wrecking ball" }
