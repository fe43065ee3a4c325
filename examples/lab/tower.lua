-- A tower of glued grains falls over, and breaks where it hits the ground.

local strength = param("strength", 24000, "Pa")
local r = 0.04
local count = param("count", 600)             -- of grains
local wide = 5                               -- grains each way
local high = math.max(2, math.floor(count / wide ^ 2))

solver { dt = 2.3e-4, overlap_limit = 1 }
gravity { 0, 0, -9.81 }
stone = material { density = 2200, stiffness = 48000, restitution = 0.2, friction = 0.6, rolling_friction = 0.05 }
rule { between = "bodies", law = "bonded",
       values = { bond_young = 6e5, bond_ratio = 2.5, bond_radius = 0.9, bond_reach = 0.1, bond_tension = strength, bond_shear = strength } }
rule { law = "linear-rolling" }
wall { name = "ground", shape = plane { }, material = stone }

-- tilted, so that it tips over
local tilt = math.rad(9)
for i = 1, wide do
    for j = 1, wide do
        for k = 1, high do
            local x, z = (i - (wide + 1) / 2) * 2 * r, (k - 1) * 2 * r
            body { shape = sphere { radius = r }, material = stone,
                   position = { x * math.cos(tilt) + z * math.sin(tilt), (j - 3) * 2 * r,
                                z * math.cos(tilt) - x * math.sin(tilt) + r + wide * r * math.sin(tilt) } }
        end
    end
end
bond { gap = 0.02 * r }
run { time = param("time", 1000, "s"), title = "a tower of glued grains" }
