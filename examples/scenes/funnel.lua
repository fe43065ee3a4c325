-- A funnel of triangles, and bumpy stones of triangles that pour through it: no body is a ball, none is convex.
--
-- The stones are 16 meshes, each with a size and bumps of its own; the bodies share them. Try --set count=2000 --set wide=0.15.

local count = param("count", 500)
local radius = 0.005                            -- of the ball with the volume of a middle stone
local wide = param("wide", 0.12, "m")           -- radius of the funnel above

gravity { 0, 0, -9.81 }
granite = material { density = 2600, young = 2e7, restitution = 0.5, friction = 0.5 }

wall { shape = plane { point = {0, 0, -0.1} }, material = granite }
wall { shape = cone { from = {0, 0, 0}, to = {0, 0, 0.8 * wide}, radius = 0.3 * wide, radius_to = wide, facets = 32,
                      open = {"from", "to"} }, material = granite, name = "funnel" }

-- the contact skin is how thick contacts are: it must not be used up, so it is as large as stones may be pressed
stone = globe { radius = uniform(0.8 * radius, 1.2 * radius), noise = param("noise", 1.5), triangles = param("triangles", 80),
                contact_skin = 0.2, variants = 16 }
pour { name = "stones", count = count, rate = param("rate", 4000, "1/s"), shape = stone, material = granite, velocity = {0, 0, -1},
       region = cylinder { from = {0, 0, 0.8 * wide}, to = {0, 0, 0.8 * wide + 0.08}, radius = 0.8 * wide } }

measure { name = "outlet", region = plane { point = {0, 0, 0}, normal = {0, 0, -1} } }
metrics { every = 0.01 }
output { every = 0.05, write = {"vtk", "picture"} }
picture { rise = 0.3, field = "speed", range = {0, 2} }
solver { energy_balance = true }
run { time = param("time", 0.4, "s"), title = "stones in a funnel" }
