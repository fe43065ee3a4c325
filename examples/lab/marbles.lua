-- Marbles run down a chute of ramps, and start again at the top.

local count = param("count", 500)
local r, wide = 0.012, 0.14

-- so soft that a grain at 2.5 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (2.5 / (0.5 * r)) ^ 2
solver { dt = 0.12 * math.sqrt(mass(1 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * r }
gravity { 0, 0, -9.81 }
glass = material { density = 2500, stiffness = stiffness, restitution = 0.6, friction = 0.3, rolling_friction = 0.01 }
rule { law = "linear-rolling" }

local function sheet(a, b, e, d)
    wall { shape = facets { vertices = {a, b, e, d}, facets = { {1, 2, 3}, {1, 3, 4} } }, material = glass }
end
local high = 0.28                            -- of a ramp above the next
for k = 0, 3 do
    local z, left = -k * high, k % 2 == 0
    local x1, x2 = left and -0.35 or 0.35, left and 0.22 or -0.22
    sheet({x1, 0, z}, {x2, 0, z - 0.16}, {x2, wide, z - 0.16}, {x1, wide, z})
    -- turns them round at the lower end
    local out = left and 0.36 or -0.36
    sheet({out, 0, z}, {out, wide, z}, {out, wide, z - 0.5}, {out, 0, z - 0.5})
end
sheet({-0.36, 0, 0.4}, {-0.36, wide, 0.4}, {-0.36, wide, -0.1}, {-0.36, 0, -0.1})
wall { shape = box { lower = {-0.37, 0, -1.5}, upper = {0.37, wide, 1}, open = {"-x", "+x", "-z", "+z"} }, material = glass }
out = sink { region = plane { point = {0, 0, -1.25}, normal = {0, 0, 1} } }
local top = box { lower = {-0.34, 0.01, 0.06}, upper = {-0.1, wide - 0.01, 0.4} }
fill { count = count, material = glass, shape = sphere { radius = r }, region = box { lower = {-0.34, 0.01, 0.06}, upper = {0.3, wide - 0.01, 0.5} } }
pour { returns = out, material = glass, shape = sphere { radius = r }, region = top }
run { time = param("time", 1000, "s"), title = "marbles on a chute" }
