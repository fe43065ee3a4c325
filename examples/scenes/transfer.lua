-- A transfer point: one belt throws grains onto another that crosses under it.
--
-- The belts stay where they are: their surfaces move along themselves.

local speed = param("speed", 0.6, "m/s")
local count = param("grains", 1000)

gravity { 0, 0, -9.81 }
domain { lower = {-0.22, -0.08, -0.12}, upper = {0.16, 0.34, 0.14}, boundary = "destroy" }

gravel = material { density = 2600, young = 1e6, restitution = 0.3, friction = 0.6, rolling_friction = 0.05 }
rubber = material { density = 1100, young = 1e6, restitution = 0.2, friction = 0.8, rolling_friction = 0.05 }
rule { law = "hertz-rolling" }

-- a rectangle with two given sides
local function sheet(corner, a, b)
    local function at(s, t)
        return { corner[1] + s * a[1] + t * b[1], corner[2] + s * a[2] + t * b[2], corner[3] + s * a[3] + t * b[3] }
    end
    return facets { vertices = { at(0, 0), at(1, 0), at(1, 1), at(0, 1) }, facets = { {1, 2, 3}, {1, 3, 4} } }
end

-- the upper belt: flat, and round its head, a roller of radius r
local high, wide, r = 0.07, 0.03, 0.02
wall { name = "upper", shape = sheet({-0.2, -wide, high}, {0.2, 0, 0}, {0, 2 * wide, 0}), material = rubber,
       belt = belt { velocity = {speed, 0, 0} } }
wall { name = "head", shape = cylinder { from = {0, -wide, high - r}, to = {0, wide, high - r}, radius = r, open = {"from", "to"} },
       material = rubber, belt = belt { rate = speed / r, axis = {0, 1, 0}, centre = {0, 0, high - r} } }

-- the lower belt crosses it
wall { name = "lower", shape = sheet({0.0, -0.06, 0}, {0.12, 0, 0}, {0, 0.36, 0}), material = rubber,
       belt = belt { velocity = {0, speed, 0} } }

-- skirts keep grains on the belts, and a plate stops those that are thrown
for _, y in ipairs { -wide, wide } do
    wall { shape = sheet({-0.2, y, high}, {0.2, 0, 0}, {0, 0, 0.03}), material = gravel }
end
wall { shape = sheet({-0.2, -wide, high}, {0, 2 * wide, 0}, {0, 0, 0.03}), material = gravel }
wall { shape = sheet({0.0, -0.06, 0}, {0, 0.36, 0}, {0, 0, 0.03}), material = gravel }
wall { shape = sheet({0.12, -0.06, 0}, {0, 0.36, 0}, {0, 0, 0.03}), material = gravel }
wall { name = "plate", shape = sheet({0.1, -0.06, 0.03}, {0, 0.12, 0}, {0, 0, 0.08}), material = gravel }
wall { shape = sheet({0.0, -0.06, 0}, {0.12, 0, 0}, {0, 0, 0.03}), material = gravel }

pour {
    name = "feeder", rate = 2000, count = count, material = gravel,
    shape = sphere { radius = uniform(0.002, 0.003) },
    region = box { lower = {-0.19, -0.02, high + 0.02}, upper = {-0.16, 0.02, high + 0.04} }, velocity = {0, 0, -0.3},
}
sink { name = "bin", region = plane { point = {0, 0, -0.06} } }

measure { name = "lower belt", region = box { lower = {0, -0.06, 0}, upper = {0.12, 0.3, 0.05} }, what = {"count", "mass", "speed"} }
picture { width = 800, height = 600, field = "speed", range = {0, speed}, turn = 2.5, rise = 0.5, lower = {-0.18, -0.06, -0.02}, upper = {0.12, 0.26, 0.08} }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 1.4, "s"), title = "a transfer point" }
