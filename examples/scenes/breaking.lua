-- A disc of glued grains is pressed between two plates until it breaks: the Brazilian test, in two dimensions.
--
-- Bonds carry tension, shear and bending; cracks run where they break, mostly along the line between the plates.

local count = param("count", 500)           -- of grains
local speed = param("speed", 0.01, "m/s")   -- of each plate
local strength = param("strength", 400, "Pa")
local size = 0.002                          -- of a middle grain, m
local radius = size * math.sqrt(count / 0.75)

domain { dimensions = 2 }
stone = material { density = 2000, stiffness = 2e5, restitution = 0.3, friction = 0.5 }
steel = material { density = 7800, stiffness = 1e6, friction = 0.3 }
rule { law = "bonded", materials = {stone, stone},
       values = { bond_young = param("bond_young", 2e5, "Pa"), bond_ratio = 2.5, bond_radius = 0.8, bond_reach = 1.5,
                  bond_tension = strength, bond_shear = 2 * strength } }

-- a disc with two flats, on which the plates lie
local corners, lines, around, flat = {}, {}, 96, 0.95 * radius
for i = 1, around do
    local angle = 2 * math.pi * i / around
    corners[i] = { radius * math.cos(angle), math.max(-flat, math.min(flat, radius * math.sin(angle))) }
    lines[i] = { i, i % around + 1 }
end
fill { name = "grains", count = count, material = stone, shape = sphere { radius = uniform(0.7 * size, 1.3 * size) },
       region = facets { vertices = corners, facets = lines } }
bond { gap = 0.5 * size }

local plates = {}
for side = -1, 1, 2 do
    local thick, half = 2 * size, radius / 3
    plates[side] = wall {
        name = side < 0 and "lower" or "upper", material = steel, position = {0, side * flat},
        shape = facets { vertices = { {-half, 0}, {half, 0}, {half, side * thick}, {-half, side * thick} },
                         facets = { {1, 2}, {2, 3}, {3, 4}, {4, 1} } },
        motion = move { velocity = {0, -side * speed} },
    }
end

measure { name = "lower", wall = plates[-1], what = {"force"} }
measure { name = "upper", wall = plates[1], what = {"force"} }
picture { width = 480, height = 480, field = "bonds" }
output { every = 0.02, write = {"vtk", "contacts", "picture"} }
run { time = param("time", 0.2, "s"), title = "a disc that breaks" }
