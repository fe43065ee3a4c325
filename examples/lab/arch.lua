-- An arch of blocks carries itself. Pour balls on it, or erase a stone, and it falls.

local count = param("count", 11)             -- of stones
local inner, thick, deep = 0.3, 0.12, 0.12
local rounding = 0.004

-- so soft that steps are long, and the scene runs in real time
solver { dt = 1e-4, overlap_limit = 1 }
gravity { 0, 0, -9.81 }
stone = material { density = 1000, stiffness = 40000, restitution = 0.5, friction = 0.8 }
rule { law = "linear" }
wall { name = "ground", shape = plane { }, material = stone }

-- each stone is a wedge: what lies between two rays from the middle
local step = math.pi / count
local points = {}
for _, y in ipairs { -deep / 2 + rounding, deep / 2 - rounding } do
    for _, radius in ipairs { inner + rounding, inner + thick - rounding } do
        for _, angle in ipairs { -step / 2, step / 2 } do
            local side = angle < 0 and rounding or -rounding
            points[#points + 1] = { radius * math.sin(angle) + side, y, radius * math.cos(angle) - inner - thick / 2 }
        end
    end
end
local ball = (3 * step * ((inner + thick) ^ 2 - inner ^ 2) / 2 * deep / (4 * math.pi)) ^ (1 / 3)
wedge = block { points = points, rounding = rounding / ball }
for k = 1, count do
    local angle = math.pi / 2 - (k - 0.5) * step
    local radius = inner + thick / 2
    body { shape = wedge, material = stone, position = {radius * math.sin(angle), 0, radius * math.cos(angle)},
           orientation = {math.cos(angle / 2), 0, math.sin(angle / 2), 0}, freeze = (k == 1 or k == count) and "all" or {} }
end
pour { rate = 8, start = 3, count = 60, material = stone, shape = sphere { radius = 0.02 },
       region = box { lower = {-0.08, -0.05, 0.9}, upper = {0.08, 0.05, 1.1} } }
run { time = param("time", 1000, "s"), title = "an arch of blocks" }
