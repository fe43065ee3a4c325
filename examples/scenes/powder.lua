-- A powder whose largest grain is twenty times as wide as its smallest, in a periodic cell that is sheared under pressure.
--
-- Sizes are those of a sieve curve, by mass: nearly all grains are small, and a few large ones have much of the mass.

local count = param("count", 2796)
local pressure = param("pressure", 500, "Pa")
local rate = param("rate", 20, "1/s")            -- of shear
local fine, coarse = 0.0001, 0.002               -- smallest and largest radius, m
local power = param("power", 1)                   -- 0.5 packs more densely, with many more small grains
local side = param("side", 0.0115, "m")

domain { lower = {0, 0, 0}, upper = {side, side, side}, boundary = "periodic" }
cell { pressure = pressure, shear = {0, rate, 0}, max_rate = 20 }

-- Andreasen's curve: the share of the mass in smaller grains grows with a power of the size
local rows = {}
for i = 0, 10 do
    local radius = fine * (coarse / fine) ^ (i / 10)
    rows[#rows + 1] = { radius, (radius ^ power - fine ^ power) / (coarse ^ power - fine ^ power) }
end
glass = material { density = 2500, young = 5e6, restitution = 0.5, friction = 0.4 }
fill { name = "powder", count = count, material = glass, shape = sphere { radius = sieve_curve(rows) },
       region = box { lower = {0, 0, 0}, upper = {side, side, side} } }

measure { name = "flow", region = sphere { centre = {side / 2, side / 2, side / 2}, radius = 0.35 * side }, mean = true,
          what = {"solid_fraction", "pressure", "shear_stress"} }
column { name = "friction", value = "if(flow.pressure > 1, abs(flow.shear_stress / flow.pressure), 0)" }
metrics { every = 0.002, sample_every = 0.0002 }
picture { width = 540, height = 405, field = "radius", turn = 0.3, rise = 0.3 }
output { every = 0.01, write = {"vtk", "picture"} }
run { time = param("time", 0.04, "s"), title = "a powder of 1 to 20" }
