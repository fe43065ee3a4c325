-- A box of sand of three colours of grain, to dig in: drag, pour and erase.

local grains = param("grains", 1500)
local r, long, wide = 0.03, 1.4, 0.7

-- so soft that a grain at 2.8 m/s is pressed in by half its radius: steps are long then, and the scene runs in real time
local function mass(radius) return 2500 * 4 / 3 * math.pi * radius ^ 3 end
local stiffness = mass(r) * (2.8 / (0.5 * r)) ^ 2
solver { dt = 0.13 * math.sqrt(mass(0.9 * r) / stiffness), overlap_limit = 1 }
margin { kind = "skin", length = 0.4 * r }
gravity { 0, 0, -9.81 }
sand = material { density = 2500, stiffness = stiffness, restitution = 0.4, friction = 0.6, rolling_friction = 0.1 }
rule { law = "linear-rolling" }

wall { shape = box { lower = {0, 0, 0}, upper = {long, wide, 1.2}, open = {"+z"} }, material = sand }
local deep = grains * 8 * r ^ 3 / (long * wide) -- of loose sand
fill { count = grains, material = sand, shape = sphere { radius = uniform(0.9 * r, 1.1 * r) },
       region = box { lower = {0, 0, 0}, upper = {long, wide, math.max(1.25 * deep, 4 * r)} } }
run { time = param("time", 1000, "s"), title = "a sandbox" }
