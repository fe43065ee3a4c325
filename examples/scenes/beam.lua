-- A beam is cast, glued and broken: grains settle in a mould, bonds join them, and a punch bends them (two dimensions).
--
-- Five stages: settle, glue, approach, bend until bonds break, and press the halves apart. Try --sweep strength=1000,2000.

local grains = param("grains", 560)
local strength = param("strength", 2000, "Pa")
local speed = param("speed", 0.005, "m/s")  -- of the punch
local r = 0.001                             -- of a middle grain, m
local long, span = 0.1, 0.08                -- of the beam, and between its supports
local high = grains * math.pi * r ^ 2 / (0.8 * long)

domain { dimensions = 2 }
gravity { 0, -9.81 }
stone = material { density = 2000, stiffness = 2e5, restitution = 0.3, friction = 0.5 }
steel = material { density = 7800, stiffness = 1e6, friction = 0.3 }
rule { law = "bonded", materials = {stone, stone},
       values = { bond_young = 4e5, bond_ratio = 2.5, bond_radius = 0.8, bond_reach = 0.5, bond_tension = strength,
                  bond_shear = 2 * strength } }
rule { law = "linear" }
solver { damping = 20 }

mould = wall { shape = box { lower = {-long / 2, 0}, upper = {long / 2, 1}, open = {"+y"} }, material = steel }
fill { count = grains, material = stone, shape = sphere { radius = uniform(0.8 * r, 1.2 * r) },
       region = box { lower = {-long / 2, 0}, upper = {long / 2, 1.15 * high + 4 * r} } }

local function block(x, y, thick)
    return wall { shape = facets { vertices = { {x - 2 * r, y}, {x + 2 * r, y}, {x + 2 * r, y + thick}, {x - 2 * r, y + thick} },
                                   facets = { {1, 2}, {2, 3}, {3, 4}, {4, 1} } }, material = steel }
end
left, right = block(-span / 2, 0, -4 * r), block(span / 2, 0, -4 * r)
punch = block(0, 1.15 * high + 4 * r, 4 * r)

stage { name = "settle", ends = quiet { energy = 1e-8, during = 0.02 }, at_most = 1, or_fail = false }
stage { name = "glue", add = bond { gap = 0.1 * r }, ends = after(0.01) }
stage { name = "approach", remove = mould, add = {left, right}, gravity = {0, 0},
        change = drive { wall = punch, motion = move { velocity = {0, -0.05} } },
        ends = wall_force { wall = punch, axis = {0, 1}, above = 0.2 }, at_most = 1 }
stage { name = "bend", change = drive { wall = punch, motion = move { velocity = {0, -speed} } },
        ends = broken { share = 0.01 }, at_most = 1 }
stage { name = "broken", change = drive { wall = punch, motion = move { velocity = {0, -0.05} } }, ends = after(0.03) }

measure { name = "punch", wall = punch, what = {"force", "position"} }
picture { width = 800, height = 400, field = "bonds" }
metrics { every = 0.002 }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 3, "s"), title = "a beam in bending" }
