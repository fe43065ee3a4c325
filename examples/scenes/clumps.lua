-- Grains that are no balls: clumps of pebbles fall on a floor and lock into each other.
--
-- A clump is rigid. Its pebbles may overlap: what they fill together has the mass, and none of it counts twice.

local count = param("count", 160)           -- set from outside: --set count=2000
local size = 0.004                          -- of the ball that has a clump's volume

gravity { 0, 0, -9.81 }
stone = material { density = 2400, young = 3e6, restitution = 0.3, friction = 0.6 }

wall { name = "floor", shape = plane { }, material = stone }

-- a ball in the middle with arms of pebbles that get thinner outwards
local function star(directions)
    local pebbles = { {0, 0, 0, 1} }
    for _, d in ipairs(directions) do
        for _, step in ipairs { {1, 0.75}, {1.8, 0.6}, {2.5, 0.5} } do
            pebbles[#pebbles + 1] = { step[1] * d[1], step[1] * d[2], step[1] * d[3], step[2] }
        end
    end
    return clump { pebbles = pebbles, radius = size }
end
local s = math.sqrt(1 / 3)
local tetrapod = star { {s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s} }
local jack = star { {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1} }
local dumbbell = clump { pebbles = { {-1.1, 0, 0, 1}, {0, 0, 0, 0.6}, {1.1, 0, 0, 1} }, radius = uniform(0.8 * size, 1.1 * size), variants = 4 }

local shape = mixture { {tetrapod, 2}, {jack, 1}, {dumbbell, 1} }
local first = math.ceil(0.7 * count)
fill { count = first, material = stone, shape = shape,
       region = cylinder { from = {0, 0, 0}, to = {0, 0, 0.15}, radius = 0.035 * math.max(1, math.sqrt(count / 160)) } }
if count > first then
    pour {
        name = "spout", rate = 150, count = count - first, start = 0.2, material = stone, shape = shape,
        region = cylinder { from = {0, 0, 0.07}, to = {0, 0, 0.12}, radius = 0.02 }, velocity = {0, 0, -0.6},
    }
end

measure { name = "middle", region = cylinder { from = {0, 0, 0}, to = {0, 0, 0.1}, radius = 0.04 },
          what = {"count", "mass", "coordination"} }
picture { width = 500, height = 350, field = "id", colour_bar = false, rise = 0.35, lower = {-0.04, -0.04, 0}, upper = {0.04, 0.04, 0.04} }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.6, "s"), title = "a heap of clumps" }
