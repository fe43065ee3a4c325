-- Grains fall on a wheel with paddles and turn it: a wall that bodies move.
--
-- The wheel is held but for its spin about y. A brake takes the power that it gives; what has fallen is taken out.

local count = param("count", 2000)
local rate = param("rate", 3000, "1/s")                 -- of grains
local radius, wide, paddles = 0.05, 0.015, 8            -- of the wheel, m

domain { lower = {-1, -wide, -1}, upper = {1, wide, 1}, boundary = {"none", "periodic", "none"} }
gravity { 0, 0, -9.81 }
grain = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.4 }
wood = material { density = 700, young = 1e6, restitution = 0.3, friction = 0.4 }

-- paddles from the axle outwards, each with an edge that points ahead so that it holds grains for a while
local corners, sheets = {}, {}
local function quad(a, b)
    local n = #corners
    for _, p in ipairs { a, b } do
        corners[#corners + 1] = { p[1], -wide, p[2] }
        corners[#corners + 1] = { p[1], wide, p[2] }
    end
    sheets[#sheets + 1] = { n + 1, n + 2, n + 4 }
    sheets[#sheets + 1] = { n + 1, n + 4, n + 3 }
end
for k = 1, paddles do
    local angle = 2 * math.pi * k / paddles
    local c, s = math.cos(angle), math.sin(angle)
    local function at(out, ahead) return { out * c - ahead * s, out * s + ahead * c } end
    quad(at(0.2 * radius, 0), at(radius, 0))
    quad(at(radius, 0), at(1.1 * radius, 0.2 * radius))
end
wheel = wall {
    name = "wheel", material = wood, shape = facets { vertices = corners, facets = sheets },
    free = free_wall { mass = 0.05, inertia = {5e-5, 4e-5, 5e-5}, angular_damping = param("brake", 1e-4, "N m s"),
                    held = {"x", "y", "z", "spin_x", "spin_z"} },
}
pour {
    name = "spout", rate = rate, count = count, material = grain, velocity = {0, 0, -0.5},
    shape = sphere { radius = uniform(0.0012, 0.0018) },
    region = box { lower = {0.03, -wide, 0.08}, upper = {0.05, wide, 0.11} },
}
sink { name = "below", region = plane { point = {0, 0, -0.1} } }

measure { name = "wheel", wall = wheel, what = {"torque", "spin"} }
metrics { every = 0.01 }
picture { width = 720, height = 720, field = "speed", range = {0, 2}, turn = 0.35, rise = 0.2, lower = {-0.06, -wide, -0.09}, upper = {0.06, wide, 0.09} }
output { every = 0.05, write = {"vtk", "picture"} }
run { time = param("time", 0.6, "s"), title = "a mill" }
