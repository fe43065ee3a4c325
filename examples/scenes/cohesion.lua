-- Two heaps of the same sand, dry and wet: what does that which sticks do to the angle?
--
-- Wet grains are joined by bridges of water. Try --sweep law=jkr,dmt,sjkr,plastic,eepa,hertz-rolling too.

local count = param("count", 900)           -- of grains, half of them wet
local law = param("law", "capillary")       -- between wet grains
local plate, apart = 0.017, 0.021           -- radius of a plate, and how far it is from the middle, m

gravity { 0, 0, -9.81 }
domain { lower = {-0.05, -0.03, -0.02}, upper = {0.05, 0.03, 0.1}, boundary = "destroy" }

-- what each law is to be told; all pull with about four times the weight of a grain, "plastic" and "eepa" by how hard
-- they were pressed
local values = {
    capillary = { surface_tension = 0.072, volume = 1e-11 },
    jkr = { adhesion = 0.2 },
    dmt = { adhesion = 0.15 },
    sjkr = { cohesion = 1.6e4 },
    eepa = { plasticity = 0.6, adhesion = 2 },
    plastic = { stiffness = 50, plastic_stiffness = 250, cohesion_stiffness = 5 },
}

local grain = { density = 2600, young = 4e5, restitution = 0.3, friction = 0.6, rolling_friction = 0.1 }
dry, wet = material(grain), material(grain)
rule { materials = {wet, wet}, law = law, values = values[law] }
rule { law = "hertz-rolling" }

for name, kind in pairs { dry = { dry, -apart }, wet = { wet, apart } } do
    local sand, x = kind[1], kind[2]
    wall { shape = cylinder { from = {x, 0, -0.003}, to = {x, 0, 0}, radius = plate, open = {"from"} }, material = sand }
    pour {
        name = name, rate = 1800, count = count // 2, material = sand,
        shape = sphere { radius = uniform(0.0009, 0.0011) },
        region = cylinder { from = {x, 0, 0.018}, to = {x, 0, 0.032}, radius = 0.005 }, velocity = {0, 0, -0.3},
    }
    measure { name = "on_" .. name, region = box { lower = {x - apart, -apart, 0}, upper = {x + apart, apart, 0.05} } }
end

picture { width = 1080, height = 480, field = "material", colour_bar = false, time_label = false, turn = 0, rise = 0.15, lower = {-0.038, -0.017, -0.003}, upper = {0.038, 0.017, 0.014} }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.45, "s"), title = "dry and wet" }
