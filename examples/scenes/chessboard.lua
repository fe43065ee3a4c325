-- Equal discs set off against each other like the squares of a chessboard: Test 1 of the thesis behind scree.
--
-- A square of discs on a lattice, those at its edge fixed. Contacts form and break everywhere, all the time.
-- (E. Perkins, MIT 1999; its Test 2, with sizes, is the scene `sizes`.)

local count = param("count", 900)           -- of discs: a square of them, so perhaps a few less
local across = math.floor(math.sqrt(count))
local radius, speed = 0.002, 0.5
local pitch = 2.05 * radius

domain { dimensions = 2 }
disc = material { density = 20, restitution = 1, friction = 0, stiffness = 1e4 }
rule { law = "linear" }

for i = 1, across do
    for j = 1, across do
        local fixed = i == 1 or j == 1 or i == across or j == across
        local way = (i + j) % 2 == 0 and speed or -speed
        body {
            shape = sphere { radius = radius }, material = disc, position = {i * pitch, j * pitch},
            velocity = fixed and {0, 0} or {way, -way}, freeze = fixed and "all" or {},
        }
    end
end

measure { name = "discs", what = {"speed", "coordination"} }
output { every = 0.02, write = {"vtk", "picture"} }
run { time = param("time", 0.1, "s"), title = "a chessboard of discs (Test 1)" }
