-- A catapult: an arm swings up, and throws its load of balls at a stack of blocks.

local count = param("count", 60)
local speed = param("speed", 5.7, "rad/s")     -- of the arm
local r, size = 0.05, 0.2

-- so soft that steps are long, and the scene runs in real time
solver { dt = 2e-4, overlap_limit = 1 }
gravity { 0, 0, -9.81 }
wood = material { density = 600, stiffness = 125000, restitution = 0.5, friction = 0.5 }
rule { law = "linear" }
wall { name = "ground", shape = plane { }, material = wood }

-- a cup on an arm about the y axis, which turns ever faster, and stops upright
local throw, rows = math.rad(95), { {0, 0, 0, 0, 1, 0, 0, 0} }
for k = 0, 20 do
    local half_turn = throw * (k / 20) ^ 2 / 2
    rows[#rows + 1] = {1 + 2 * throw / speed * k / 20, 0, 0, 0, math.cos(half_turn), 0, math.sin(half_turn), 0}
end
rows.centre = {0, 0, 0}
local long, half, deep = 1.75, 0.325, 0.25
local corners = { {-long - half, -half, 0}, {-long + half, -half, 0}, {-long + half, half, 0}, {-long - half, half, 0},
                  {-long - half, -half, deep}, {-long + half, -half, deep}, {-long + half, half, deep}, {-long - half, half, deep},
                  {-long + half, -0.05, 0}, {0, -0.05, 0}, {0, 0.05, 0}, {-long + half, 0.05, 0} }
wall { name = "arm", position = {0, 0, 0.25}, material = wood,
       shape = facets { vertices = corners, facets = { {1, 2, 3}, {1, 3, 4}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 4, 8}, {3, 8, 7},
                                                       {4, 1, 5}, {4, 5, 8}, {9, 10, 11}, {9, 11, 12} } },
       motion = path(rows) }
fill { count = count, material = wood, shape = sphere { radius = r },
       region = box { lower = {-long - half, -half, 0.25}, upper = {-long + half, half, 1} } }

local points, h = {}, size / 2 - 0.01
for _, x in ipairs { -h, h } do
    for _, y in ipairs { -h, h } do
        for _, z in ipairs { -h, h } do points[#points + 1] = {x, y, z} end
    end
end
cube = block { points = points, rounding = 0.01 / (size * (3 / (4 * math.pi)) ^ (1 / 3)) }
for row = 0, 5 do
    for k = 1, 5 do
        body { shape = cube, material = wood, position = {8, (k - 3 + 0.5 * (row % 2)) * (size + 0.005), (row + 0.5) * size} }
    end
end
run { time = param("time", 1000, "s"), title = "a catapult" }
