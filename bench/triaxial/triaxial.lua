-- The triaxial test of Yade that its collider with stride was measured on (TriaxialTest, 2009): a loose cloud of spheres of many sizes is pressed
-- together from all sides by six servo walls. Parameters are Yade's defaults: density, stiffness by Young's modulus and radius, friction while it is compacted,
-- damping against motion, no dashpots. Step lengths follow from stiffness, as there.

local count = param("count", 8000)
local sweep = param("sweep", 0.05)                  -- of the mean radius; below 0: boxes as they are, searched in each step
local steps = param("steps", 5000)
local stress = param("stress", 50000, "Pa")
local young = 15e6
local porosity = 0.7                                -- of the cloud; the source does not say
local spread = 0.3                                  -- radii are within so much of the mean
local radius = ((1 - porosity) / (count * 4 / 3 * math.pi * (1 + spread ^ 2))) ^ (1 / 3)

grain = material { density = 2600, stiffness = young * radius, stiffness_ratio = 0.5, restitution = 1,
                   friction = math.tan(math.rad(18)) }
steel = material { density = 2600, stiffness = young * radius, stiffness_ratio = 0.5, restitution = 1, friction = 0 }
rule { law = "linear" }

fill { count = count, material = grain, shape = sphere { radius = uniform((1 - spread) * radius, (1 + spread) * radius) },
       region = box { lower = {0, 0, 0}, upper = {1, 1, 1} } }
box_of_walls = wall {
    name = "cell", material = steel, shape = box { lower = {0, 0, 0}, upper = {1, 1, 1} },
    servo = servo { stress = stress, speed = 1 },
}

if sweep < 0 then margin { kind = "none" } else margin { kind = "stride", length = sweep * radius } end
solver { method = "insertion-sort", local_damping = 0.2 }
measure { name = "cell", wall = box_of_walls, what = {"side_stress", "size"} }
metrics { every_steps = 500 }
checkpoint { every_steps = steps }
run { steps = steps, title = "Yade's triaxial test" }
