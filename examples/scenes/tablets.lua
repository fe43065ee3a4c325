-- Lentils, tablets and dice are poured into a jar.
--
-- Their shapes are formulas: ellipsoids, and superquadrics with exponents that make them nearly cylinders or boxes.

local count = param("count", 150)
local size = 0.006                                        -- radius of the ball with their volume, m
local wide = 0.042 * math.max(1, (count / 150) ^ (1 / 3))  -- radius of the jar, m

gravity { 0, 0, -9.81 }
grain = material { density = 1300, young = 4e6, restitution = 0.4, friction = 0.4 }

jar = wall {
    name = "jar", material = grain,
    shape = cylinder { from = {0, 0, 0}, to = {0, 0, 4.8 * wide}, radius = wide, open = {"to"}, facets = 32 },
}

local lentil = ellipsoid { radii = {1, 1, 0.45}, radius = size, triangles = 400 }
local tablet = superquadric { radii = {1, 1, 0.5}, exponents = {5, 2}, radius = size }
local dice = superquadric { radii = {1, 1, 1}, exponents = {5, 5}, radius = uniform(0.8 * size, size), variants = 4 }

fill {
    count = count, material = grain, velocity = {0, 0, -0.5},
    shape = mixture { {lentil, 1}, {tablet, 1}, {dice, 1} },
    region = cylinder { from = {0, 0, 0}, to = {0, 0, 4.6 * wide}, radius = wide },
}

measure { name = "jar", wall = jar, what = {"force"} }
measure { name = "inside", what = {"coordination", "speed"} }
picture { field = "speed", width = 800, height = 900 }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.3, "s"), title = "tablets in a jar" }
