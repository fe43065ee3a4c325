-- Discs of many sizes on a lattice of the largest: Test 2 of the thesis behind scree.
--
-- As the scene `chessboard`, but radii are even from the smallest to `ratio` times that. What a method of detection
-- costs more here than there is what sizes cost it. (E. Perkins, MIT 1999)

local count = param("count", 800)           -- of discs: a square of them, so perhaps a few less
local across = math.floor(math.sqrt(count))
local ratio = param("ratio", 4)             -- of the largest radius to the smallest
local radius, speed = 0.002, 0.5
local pitch = 2.05 * radius * ratio

domain { dimensions = 2 }
disc = material { density = 20, restitution = 1, friction = 0, stiffness = 1e4 }
rule { law = "linear" }

for i = 1, across do
    for j = 1, across do
        local fixed = i == 1 or j == 1 or i == across or j == across
        local way = (i + j) % 2 == 0 and speed or -speed
        body {
            shape = sphere { radius = radius * (1 + (ratio - 1) * math.random()) }, material = disc,
            position = {i * pitch, j * pitch},
            velocity = fixed and {0, 0} or {way, -way}, freeze = fixed and "all" or {},
        }
    end
end

measure { name = "discs", what = {"speed", "coordination"} }
output { every = 0.02, write = {"vtk", "picture"} }
picture { field = "radius" }
run { time = param("time", 0.1, "s"), title = "discs of many sizes (Test 2)" }
