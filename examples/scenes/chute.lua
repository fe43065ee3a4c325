-- A chute that is worn: gravel falls on an inclined plate, bounces, and slides down.
--
-- Each facet adds up what impacts and sliding take off it; the picture shows how deep.

local rate = param("rate", 2000, "1/s")
local count = param("grains", 1600)
local slope = param("slope", 0.7, "rad")

gravity { 0, 0, -9.81 }
domain { lower = {-0.4, -0.2, -0.3}, upper = {0.6, 0.2, 0.6}, boundary = "destroy" }

gravel = material { density = 2600, young = 2e6, restitution = 0.4, friction = 0.5, rolling_friction = 0.05 }
steel = material { density = 7800, young = 2e6, restitution = 0.4, friction = 0.3, rolling_friction = 0.02 }
rule { law = "hertz-rolling" }

-- a plate of cells as large as the grains, from its upper edge down the slope
local length, half, along, across = 0.36, 0.06, 24, 8
local vertices, triangles = {}, {}
for i = 0, along do
    for j = 0, across do
        local s = length * i / along
        vertices[#vertices + 1] = { s * math.cos(slope), half * (2 * j / across - 1), 0.25 - s * math.sin(slope) }
    end
end
for i = 0, along - 1 do
    for j = 1, across do
        local a = i * (across + 1) + j
        local b = a + across + 1
        triangles[#triangles + 1] = { a, b, b + 1 }
        triangles[#triangles + 1] = { a, b + 1, a + 1 }
    end
end
liner = wall {
    name = "liner", shape = facets { vertices = vertices, facets = triangles }, material = steel,
    wear = wear { coefficient = 1e-4, hardness = 2e9, erosion = 5e-8 },
}

-- skirts at both sides
for _, side in ipairs { -half, half } do
    local low, high = { -0.05, side, -0.05 }, { 0.35, side, 0.35 }
    wall { shape = facets { vertices = { low, { high[1], side, low[3] }, high, { low[1], side, high[3] } }, facets = { {1, 2, 3}, {1, 3, 4} } },
           material = steel }
end

pour {
    name = "feeder", rate = rate, count = count, material = gravel, shape = sphere { radius = uniform(0.003, 0.005) },
    region = box { lower = {0.05, -0.03, 0.48}, upper = {0.1, 0.03, 0.54} }, velocity = {0, 0, -1},
}
sink { name = "bin", region = plane { point = {0, 0, -0.2} } }

measure { wall = liner, what = {"wear", "force"} }
picture { width = 800, height = 600, field = "speed", range = {0, 3}, walls = "cut", wall_field = "wear", eye = {0.75, -0.45, 0.75}, target = {0.14, 0, 0.17} }
output { every = 0.2, write = {"vtk", "picture"} }
run { time = param("time", 1.2, "s"), title = "a chute that is worn" }
