-- A gyratory crusher: a cone goes round in a bowl without turning, and rocks of glued grains break between the two.
--
-- The cone's motion is two swings at right angles, a quarter of a period apart: motions in a list add up.

local count = param("count", 24)                  -- of rocks
local speed = param("speed", 5, "Hz")              -- rounds a second
local throw = param("throw", 0.004, "m")           -- how far the cone goes to each side
local strength = param("strength", 2e4, "Pa")      -- of a bond
local grain, size = 0.003, 0.013                   -- radii of a grain and a rock, m

gravity { 0, 0, -9.81 }
domain { lower = {-0.3, -0.3, -0.1}, upper = {0.3, 0.3, 1}, boundary = "destroy" }
rock = material { density = 2600, young = 2e6, restitution = 0.2, friction = 0.5 }
steel = material { density = 7800, young = 1e7, friction = 0.3 }
rule { law = "bonded", materials = {rock, rock},
       values = { bond_young = 2e6, bond_ratio = 2, bond_radius = 0.8, bond_reach = 1.2,
                  bond_tension = strength, bond_shear = 2 * strength } }

wall { name = "bowl", material = steel, shape = cone { from = {0, 0, 0}, to = {0, 0, 0.12}, radius = 0.052, radius_to = 0.12, open = {"from", "to"} } }
cone_wall = wall {
    name = "cone", material = steel, shape = cone { from = {0, 0, -0.005}, to = {0, 0, 0.12}, radius = 0.043, radius_to = 0.012 },
    motion = { swing { amplitude = {throw, 0, 0}, frequency = speed, ramp = 0.1 },
               swing { amplitude = {0, throw, 0}, frequency = speed, phase = math.pi / 2, ramp = 0.1 } },
}

-- rocks of close-packed grains, in rings one above the other
local list, step = {}, 2.02 * grain
for k = 0, count - 1 do
    local ring, angle = math.floor(k / 8), 2 * math.pi * (k % 8) / 8 + 0.4 * math.floor(k / 8)
    local x, y, z = 0.07 * math.cos(angle), 0.07 * math.sin(angle), 0.13 + 2.4 * size * ring
    for i = -4, 4 do for j = -4, 4 do for l = -4, 4 do
        local a, b, c = step * (i + (j + l) / 2), step * (math.sqrt(3) / 2 * (j + l / 3)), step * math.sqrt(2 / 3) * l
        if a * a + b * b + c * c < (size - grain) ^ 2 then list[#list + 1] = { x + a, y + b, z + c, grain } end
    end end end
end
bodies { list = list, material = rock }
bond { gap = 0.05 * grain }

measure { name = "cone", wall = cone_wall, what = {"force"} }
measure { name = "below", region = box { lower = {-0.3, -0.3, -0.1}, upper = {0.3, 0.3, -0.01} }, what = {"count"} }
sink { name = "out", region = plane { point = {0, 0, -0.05} } }
metrics { every = 0.01 }
picture { width = 720, height = 720, field = "bonds", turn = 0.5, rise = 0.6, lower = {-0.09, -0.09, -0.03}, upper = {0.09, 0.09, 0.13} }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 0.8, "s"), title = "a gyratory crusher" }
