-- A rotating drum: grains of two sizes part, the small ones gather in the core.

local rate = param("rate", 6, "rad/s")
local grains = param("grains", 1500)
local radius, length = 0.05, 0.03           -- of the drum, m

gravity { 0, 0, -9.81 }

glass = material { density = 2500, young = 1e6, poisson = 0.25, restitution = 0.6, friction = 0.5,
                   rolling_friction = 0.05 }
steel = material { density = 7800, young = 1e6, poisson = 0.3, restitution = 0.6, friction = 0.8 }
rule { law = "hertz-rolling" }

-- lies along y and turns about it
drum = wall {
    name = "drum",
    shape = cylinder { from = {0, -length / 2, 0}, to = {0, length / 2, 0}, radius = radius, facets = 120 },
    material = steel,
    motion = spin { axis = {0, 1, 0}, rate = rate },
}

-- equal masses of small and large, poured in loosely
fill {
    count = grains, material = glass,
    shape = sphere { radius = sizes { {0.001, 1}, {0.002, 1} } }, by = "mass",
    region = cylinder { from = {0, -length / 2, 0}, to = {0, length / 2, 0}, radius = 0.97 * radius },
}

-- how much work the drum does
measure { name = "drum", wall = drum, what = {"torque"} }
picture { width = 1280, height = 960, field = "radius", turn = 0.2, rise = 0.15 }
output { every = 0.1, write = {"vtk", "picture"} }
checkpoint { every = 0.5 }
run { time = param("time", 1, "s"), title = "a rotating drum" }
