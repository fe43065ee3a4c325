-- Copper grains on a hot plate: how fast does a bed warm through its contacts?
--
-- Heat flows from grain to grain where they touch. The plate has a given temperature, the other walls insulate.

local count = param("count", 600)           -- set from outside: --set count=5000
local hot = param("hot", 400, "K")          -- the plate

gravity { 0, 0, -9.81 }
heat { temperature = 300 }                  -- of the grains at the start

copper = material {
    density = 8900, young = 5e6, restitution = 0.4, friction = 0.4,
    conductivity = 400, heat_capacity = 385,
}

-- the sides insulate: they are given no temperature
local side = 0.008 * (count / 600) ^ (1 / 3)
wall { shape = box { lower = {0, 0, 0}, upper = {side, side, 3 * side}, open = {"-z", "+z"} },
       material = copper }
plate = wall { shape = plane { }, material = copper, temperature = hot, name = "plate" }

fill {
    count = count, material = copper,
    shape = sphere { radius = uniform(0.0004, 0.0005) },
    region = box { lower = {0, 0, 0}, upper = {side, side, 3 * side} },
}

picture { width = 1280, height = 960, field = "temperature", range = {300, hot}, rise = 0.15, walls = "none" }
output { every = 0.1, write = {"picture"} }
run { time = param("time", 0.5, "s"), title = "hot plate" }
