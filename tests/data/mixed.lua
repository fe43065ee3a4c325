-- All that a world can hold at once: spheres, clumps, blocks, bumpy stones of triangles and bars of glued balls, six laws of which
-- three stick, heat, a source, sinks, a servo, a paddle of triangles that turns, and a period along y. It is there to be computed in
-- every way there is, by `./do digest --mixed`: what happens in it means nothing.
local count = param { name = "count", default = 20000, lower = 1000, help = "of bodies at the start" }
local side = 0.215 * (count / 20000) ^ (1 / 3)
local paddle = side / 6

domain { lower = {0, 0, 0}, upper = {side, side, 3 * side}, boundary = {"none", "periodic", "none"} }
gravity { 0.8, 0, -9.81 }
sand = material { density = 2500, young = 1e7, stiffness = 4e3, friction = 0.4, rolling_friction = 0.05, twisting_friction = 0.02, heat_capacity = 800, conductivity = 1 }
clay = material { density = 1900, young = 5e6, stiffness = 4e3, friction = 0.6, heat_capacity = 900, conductivity = 0.5 }
glue = material { density = 2200, young = 1e7, stiffness = 4e3, friction = 0.3, heat_capacity = 700, conductivity = 2 }
steel = material { density = 7800, young = 2e7, friction = 0.3, heat_capacity = 500, conductivity = 20 }
rule { materials = {glue, glue}, law = "bonded", values = { bond_young = 5e6, bond_tension = 2e4, bond_shear = 2e4 } }
rule { materials = {clay, clay}, law = "jkr", values = { adhesion = 0.1 } }
rule { materials = {clay, sand}, law = "capillary", values = { surface_tension = 0.07, volume = 1e-10 } }
rule { materials = {sand, sand}, law = "hertz-rolling" }
rule { materials = {glue, clay}, law = "linear-rolling" }
heat { temperature = 300, losses = 0.5 }

wall { name = "floor", shape = plane { }, material = steel, temperature = 320 }
wall { name = "left", shape = plane { normal = {1, 0, 0} }, material = steel,
       servo = servo { stress = 300, area = side * side, speed = 0.5 } }
wall { name = "right", shape = plane { point = {side, 0, 0}, normal = {-1, 0, 0} }, material = clay,
       motion = swing { amplitude = {0.0005, 0, 0}, frequency = 40 } }
wall { name = "paddle", material = steel, motion = spin { axis = {0, 1, 0}, centre = {side / 2, 0, side / 3}, rate = 8 },
       shape = cylinder { from = {side / 2, -0.1 * side, side / 3}, to = {side / 2, 1.1 * side, side / 3}, radius = paddle, facets = 6 } }

-- bars of glued balls along y, side by side in rows
local ball = 0.003
local long, columns = math.floor(0.8 * side / (2 * ball)), math.floor(0.9 * side / (2.2 * ball))
local glued = {}
for bar = 0, count // 10 // long - 1 do
    local x, z = 0.05 * side + 2.2 * ball * (bar % columns + 0.5), 1.5 * ball + 2.2 * ball * (bar // columns)
    for k = 0, long - 1 do
        glued[#glued + 1] = { x, 0.1 * side + 2 * ball * k, z, ball }
    end
end
bodies { list = glued, material = glue, velocity = {0.2, 0.1, -0.4} }
bond { gap = 1e-6 }

local function cuboid(a, b, c)
    local points = {}
    for _, x in ipairs { -a, a } do
        for _, y in ipairs { -b, b } do
            for _, z in ipairs { -c, c } do points[#points + 1] = { x, y, z } end
        end
    end
    return block { points = points, radius = uniform(0.0025, 0.0035), variants = 5, rounding = 0.3 }
end

local large = mixture {
    { cuboid(1, 1, 1), 2 },
    { cuboid(2, 1.5, 1), 1 },
    { globe { radius = 0.003, triangles = 80, noise = 1.4, contact_skin = 0.4 }, 1 },
}
local trio = clump {
    pebbles = { {0, 0, 0, 0.002}, {0.002, 0, 0, 0.0015}, {0, 0.0015, 0.001, 0.001} },
    scale = uniform(0.8, 1.2), variants = 3,
}
local small = mixture { { sphere { radius = uniform(0.0015, 0.004) }, 3 }, { trio, 1 } }
local bin = box { lower = {0.001, 0, 0.001}, upper = {side - 0.001, side, 1.1 * side} }
local crowds = { { large, sand, 0.09 }, { large, clay, 0.07 }, { small, sand, 0.4 }, { small, clay, 0.34 } }
for _, crowd in ipairs(crowds) do
    fill { shape = crowd[1], material = crowd[2], count = math.floor(crowd[3] * count), region = bin, velocity = {0, 0, -0.7}, spread = 0.4 }
end
local both = mixture { { sphere { radius = 0.003 }, 2 }, { cuboid(1, 1, 1), 1 }, { trio, 1 } }
pour { name = "source", rate = 2 * count, shape = both, material = sand, velocity = {0, 0, -2}, spread = 0.3,
       region = box { lower = {0.1 * side, 0.1 * side, 1.2 * side}, upper = {0.9 * side, 0.9 * side, 1.5 * side} } }
sink { name = "drain", region = box { lower = {0.8 * side, 0, 0}, upper = {side, side, 0.2 * side} } , start = 0.004 }
sink { name = "above", region = plane { point = {0, 0, 2.5 * side}, normal = {0, 0, -1} } }

solver { dt = 2e-5, time = "fixed", act_every = 20, energy_balance = true, overlap_limit = 0.9 }
run { steps = param("steps", 1000) }
