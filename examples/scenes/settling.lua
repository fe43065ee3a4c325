-- Grains fall into a box and come to rest.
--
-- The smallest scene that does something: a box, one material, bodies at the start.

local count = param("count", 500)           -- set from outside: --set count=20000

gravity { 0, 0, -9.81 }

glass = material {
    density = 2500, young = 1e6, poisson = 0.25,
    restitution = 0.5,                      -- speed after an impact over that before
    friction = 0.4,
}

-- a box without a lid holds them
local side = 0.03 * (count / 500) ^ (1 / 3)
wall { shape = box { lower = {0, 0, 0}, upper = {side, side, 4 * side}, open = {"+z"} }, material = glass }

-- nothing touches at the start; sizes are even between two radii
fill {
    count = count, material = glass,
    shape = sphere { radius = uniform(0.001, 0.0015) },
    region = box { lower = {0, 0, 0}, upper = {side, side, 3 * side} },
}

measure { name = "all", what = {"speed", "coordination"} }
measure { name = "bottom", what = "solid_fraction",
          region = box { lower = {0, 0, 0}, upper = {side, side, side / 4} } }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.3, "s"), title = "settling" }
