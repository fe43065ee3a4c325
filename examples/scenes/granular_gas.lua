-- A gas of grains that loses energy in each collision, and cools (Haff's law).
--
-- Without gravity, in a periodic box. The temperature falls as 1 / (1 + t / tau)^2.

local restitution = param("restitution", 0.9)
local count = param("count", 1500)
local radius, share = 0.001, 0.1            -- of a grain; of the volume that grains take
local side = (count * 4 / 3 * math.pi * radius ^ 3 / share) ^ (1 / 3)

domain { lower = {0, 0, 0}, upper = {side, side, side}, boundary = "periodic" }

grain = material { density = 2500, restitution = restitution, friction = 0 }
-- stiff enough that collisions are short between flights
rule { law = "linear", values = { stiffness = 1000 } }

fill {
    count = count, material = grain, shape = sphere { radius = radius },
    region = box { lower = {0, 0, 0}, upper = {side, side, side} },
    spread = 0.5,                           -- m/s: each component from -0.5 to 0.5
}

measure { name = "gas", what = {"temperature", "speed"} }
metrics { every = 0.005 }
solver { energy_balance = true }
picture { field = "speed" }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 0.3, "s"), title = "a granular gas" }
