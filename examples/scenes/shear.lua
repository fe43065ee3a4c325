-- Grains in a periodic cell that is sheared: what stress does a flow without walls have?
--
-- What leaves below comes in above with the velocity of the image that it was (Lees and Edwards).

local count = param("count", 1000)
local rate = param("rate", 10, "1/s")
local fraction = param("solid_fraction", 0.5)
local radius = 0.001
local side = 0.904 * radius * (4 / 3 * math.pi * count / fraction) ^ (1 / 3)

domain { lower = {0, 0, 0}, upper = {side, side, side}, boundary = "periodic" }
cell { shear = {0, rate, 0} }               -- velocity along x, that grows along z

glass = material { density = 2500, young = 1e6, restitution = 0.7, friction = 0.4 }
fill { count = count, material = glass, shape = sphere { radius = uniform(0.8 * radius, radius) },
       region = box { lower = {0, 0, 0}, upper = {side, side, side} } }

measure { name = "flow", region = sphere { centre = {side / 2, side / 2, side / 2}, radius = 0.45 * side }, mean = true,
          what = {"solid_fraction", "pressure", "shear_stress", "stress", "temperature"} }
metrics { every = 0.01, sample_every = 0.0005 }
fields { lower = {side / 2, side / 2, 0}, upper = {side / 2, side / 2, side}, cells = {1, 1, 20}, width = 0.3 * side,
         sample_every = 0.001, format = "csv" }
picture { width = 540, height = 405, field = "velocity_x", turn = 0.3, rise = 0.3 }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 0.5, "s"), title = "a sheared cell" }
