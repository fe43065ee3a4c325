-- Balls on a table, some pushed and some rolling: how fast do they slow down?
--
-- The first slide, so their deceleration is that of friction; the others roll. Measured decelerations give both
-- coefficients: scree calibrate.

local friction = param("friction", 0.5)
local rolling = param("rolling", 0.1)
local count = param("count", 40)            -- half of them are pushed
local time = param("time", 0.06, "s")

gravity { 0, 0, -9.81 }

steel = material { density = 7800, young = 5e7, poisson = 0.3, restitution = 0.5, friction = friction,
                   rolling_friction = rolling }
rule { law = "hertz-rolling" }

wall { name = "table", shape = plane {}, material = steel }

-- of several sizes, next to each other
for k = 1, count // 2 do
    local radius = 0.004 + 0.002 * k / (count // 2)
    body { shape = sphere { radius = radius }, material = steel, position = {0, 0.015 * k, radius}, velocity = {2, 0, 0} }
    body { shape = sphere { radius = radius }, material = steel, position = {0, -0.015 * k, radius}, velocity = {0.4, 0, 0},
           spin = {0, 0.4 / radius, 0} }
end

local function half(name, from, to)
    measure { name = name, region = box { lower = {-1, from, 0}, upper = {1, to, 0.1} }, what = "speed" }
    column { name = name .. ".slowing", unit = "m/s^2",
             value = "(start(" .. name .. ".speed) - " .. name .. ".speed) / max(time, 1e-9)" }
end
half("pushed", 0, 2)
half("rolled", -2, 0)

picture { width = 1280, height = 720, field = "speed", eye = {-0.5, -0.25, 0.45}, target = {0.06, 0, 0} }
output { every = time, write = {"picture"} }
run { time = time, title = "rolling balls" }
