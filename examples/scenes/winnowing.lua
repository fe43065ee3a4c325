-- Grain and chaff fall through wind: how far apart do they land?
--
-- The wind blows in a box, faster at its top. It has drag and buoyancy; grains do not slow it down.

local wind = param("wind", 2.5, "m/s")      -- set from outside: --set wind=4
local grains = param("grains", 240)         -- of each kind
local time = param("time", 1.2, "s")

gravity { 0, 0, -9.81 }
solver { energy_balance = true }            -- metrics.csv has by_fluid, the work of the wind

fluid {
    density = 1.2, viscosity = 1.8e-5, drag = "schiller-naumann",
    velocity = {wind .. " * sqrt(z / 0.3)", 0, 0},
    region = box { lower = {-0.1, -0.1, 0.05}, upper = {1, 0.1, 0.35} },
}

grain = material { density = 1300, young = 3e5, friction = 0.5, rolling_friction = 0.2, restitution = 0.2, name = "grain" }
chaff = material { density = 120, young = 3e4, friction = 0.6, rolling_friction = 0.3, restitution = 0.1, name = "chaff" }
rule { law = "hertz-rolling" }

wall { shape = plane { }, material = grain, name = "floor" }

local mouth = box { lower = {-0.01, -0.03, 0.36}, upper = {0.01, 0.03, 0.38} }
pour { rate = 2 * grains / time, stop = time / 2, material = grain, shape = sphere { radius = uniform(0.0012, 0.0016) },
       region = mouth, velocity = {0, 0, -0.5} }
pour { rate = 2 * grains / time, stop = time / 2, material = chaff, shape = sphere { radius = uniform(0.0012, 0.0016) },
       region = mouth, velocity = {0, 0, -0.5} }

measure { name = "near", what = "count", region = box { lower = {-0.1, -1, 0}, upper = {0.15, 1, 0.02} } }
measure { name = "far", what = "count", region = box { lower = {0.15, -1, 0}, upper = {2, 1, 0.02} } }

picture { width = 1280, height = 720, field = "material", eye = {0.6, -0.75, 0.3}, target = {0.24, 0, 0.16} }
output { every = 0.1, write = {"picture"} }
run { time = time, title = "winnowing" }
