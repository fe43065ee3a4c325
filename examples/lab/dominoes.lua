-- Dominoes: a ball tips the first of a row of blocks over, and the others follow.

local count = param("count", 54)
local thick, wide, high = 0.036, 0.12, 0.24
local rounding = 0.006

solver { dt = 2.1e-4, overlap_limit = 1 }
gravity { 0, 0, -9.81 }
wood = material { density = 700, stiffness = 18000, restitution = 0.5, friction = 0.4 }
rule { law = "linear" }

local points = {}
for _, x in ipairs { -0.5, 0.5 } do
    for _, y in ipairs { -0.5, 0.5 } do
        for _, z in ipairs { -0.5, 0.5 } do
            points[#points + 1] = { x * (thick - 2 * rounding), y * (wide - 2 * rounding), z * (high - 2 * rounding) }
        end
    end
end
local ball = (3 * thick * wide * high / (4 * math.pi)) ^ (1 / 3)
domino = block { points = points, rounding = rounding / ball }

wall { name = "table", shape = plane { }, material = wood }
-- along a curve like a snake
local x, y, turn = 0, 0, 0
for k = 1, count do
    body { shape = domino, material = wood, position = {x, y, high / 2}, orientation = {math.cos(turn / 2), 0, 0, math.sin(turn / 2)} }
    turn = 0.9 * math.sin(2 * math.pi * k / 30)
    x, y = x + 0.102 * math.cos(turn), y + 0.102 * math.sin(turn)
end
body { shape = sphere { radius = 0.06 }, material = wood, position = {-0.27, 0, 0.225}, velocity = {1.9, 0, 0.35} }
run { time = param("time", 1000, "s"), title = "dominoes" }
