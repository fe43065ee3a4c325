-- A conveyor: a feeder drops grains on slats that carry them over an edge into a bin.
--
-- The belt is a row of slats; each moves along, dives under and comes back: meshes that move.

local speed = param("speed", 0.15, "m/s")
local count = param("grains", 800)

gravity { 0, 0, -9.81 }
domain { lower = {-0.02, -0.05, -0.08}, upper = {0.2, 0.05, 0.1}, boundary = "destroy" }

grain = material { density = 2500, young = 1e6, restitution = 0.3, friction = 0.6 }
rubber = material { density = 1100, young = 1e6, restitution = 0.2, friction = 0.9 }

local long, wide, thick, slats = 0.12, 0.02, 0.004, 8   -- of the belt; half its width
local piece, time = long / slats, param("time", 0.6, "s")
local down = 5                                          -- slats from top to bottom: so they fill the loop

-- a slat as a closed box of triangles
local function slab(dx, dy, dz)
    local v = {}
    for i = 0, 7 do
        v[i + 1] = { (i % 2) * dx, (i // 2 % 2 * 2 - 1) * dy, -(i // 4) * dz }
    end
    return facets { vertices = v, facets = {
        {1, 2, 4}, {1, 4, 3}, {5, 8, 6}, {5, 7, 8}, {1, 6, 2}, {1, 5, 6},
        {3, 4, 8}, {3, 8, 7}, {1, 3, 7}, {1, 7, 5}, {2, 8, 4}, {2, 6, 8} } }
end

-- where a slat is after it has gone a way s round: on top, down at the end, back below, up again
local deep = down * piece
local loop = 2 * long + 2 * deep
local function place(s)
    s = s % loop
    if s < long then return s, 0 end
    if s < long + deep then return long, long - s end
    if s < 2 * long + deep then return 2 * long + deep - s, -deep end
    return 0, s - loop
end

for k = 0, 2 * (slats + down) - 1 do
    local rows, x0, z0 = {}, place(k * piece)
    for i = 0, math.ceil(time * speed / 0.001) + 1 do       -- a row for each millimetre
        local x, z = place(k * piece + i * 0.001)
        rows[i + 1] = { i * 0.001 / speed, x - x0, 0, z - z0 }
    end
    wall { shape = slab(0.98 * piece, wide, thick), material = rubber, position = {x0, 0, z0},
           motion = path(rows) }
end

-- sides that keep grains on the belt, and a back
wall { shape = plane { normal = {1, 0, 0} }, material = grain }
for _, y in ipairs { -wide, wide } do
    wall { shape = plane { point = {0, y, 0}, normal = {0, -y, 0} }, material = grain }
end

pour {
    name = "feeder", rate = 2000, count = count, material = grain,
    shape = sphere { radius = uniform(0.0012, 0.0018) },
    region = box { lower = {0.01, -0.015, 0.015}, upper = {0.04, 0.015, 0.03} }, velocity = {0, 0, -0.3},
}
sink { name = "bin", region = plane { point = {0, 0, -0.04} } }

measure { name = "edge", region = plane { point = {long, 0, 0}, normal = {1, 0, 0} } }
output { every = 0.1, write = {"vtk", "stl", "picture"} }
run { time = time, title = "a conveyor" }
