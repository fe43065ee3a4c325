-- A shaken bed: does it throw, and how much of the shaker's work does each bounce cost?
--
-- The box follows a function of time. The law of contact is Walton and Braun's, written here: springs that are stiffer on the way
-- back, and lose the same share of energy at any speed. No dashpot is needed; each contact remembers how deep it was.

local count = param("count", 600)
local strength = param("strength", 3)              -- largest acceleration over gravity
local frequency = param("frequency", 25, "Hz")
local restitution = param("restitution", 0.6)
local g, radius = 9.81, 0.002
local omega = 2 * math.pi * frequency
local amplitude = strength * g / omega ^ 2

gravity { 0, 0, -g }
domain { lower = {-0.1, -0.1, -0.1}, upper = {0.1, 0.1, 0.3}, boundary = "destroy" }
bead = material { density = 2500, friction = 0.3 }

-- loading along k1, unloading along k2 from the largest overlap so far
law {
    name = "walton-braun",
    normal = "max(0, min(k1 * d, k2 * (d - (1 - k1 / k2) * max(d, deepest))))",
    spring = { stiffness = "2/7 * k1", limit = "mu * fn" },
    memory = { deepest = "max(d, deepest)" },
    stiffness = "k2",
    parameters = { k1 = 2000, k2 = 2000 / restitution ^ 2 },
}
rule { law = "walton-braun" }

-- grows to its full strength within a tenth of a second
box_wall = wall {
    name = "box", material = bead,
    shape = box { lower = {-0.02, -0.02, 0}, upper = {0.02, 0.02, 0.2}, open = {"+z"} },
    motion = function(t) return { 0, 0, amplitude * math.min(1, t / 0.1) * math.sin(omega * t) } end,
}
fill { count = count, material = bead, shape = sphere { radius = uniform(0.9 * radius, 1.1 * radius) },
       region = box { lower = {-0.02, -0.02, 0.001}, upper = {0.02, 0.02, 0.06} } }

measure { name = "box", wall = box_wall, what = {"force"} }
measure { name = "bed", what = {"speed", "coordination"} }
column { name = "load", value = "-box.force_z / (mass * g)", parameters = { g = g } }
column { name = "flies", value = "if(load < 0.05, 1, 0)" }
column { name = "rise", value = "centre_z - start(centre_z)", unit = "m" }
column { name = "energy_per_bead", value = "(kinetic + rotational) / max(bodies, 1)", unit = "J" }
metrics { every = 0.002 }
picture { width = 720, height = 720, field = "speed", turn = 0.5, rise = 0.25, lower = {-0.022, -0.022, -0.01}, upper = {0.022, 0.022, 0.06} }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.5, "s"), title = "a shaken bed" }
