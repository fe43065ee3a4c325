-- A triaxial test: a packing under the same stress from all sides, and a ram that goes down: how much more does it take?
--
-- All sides but the floor are servos that hold the stress of the cell all the time, so what pushes the ram is the deviator.

local count = param("count", 500)
local stress = param("stress", 5000, "Pa")                          -- of the cell
local radius = 0.004
local side = radius * (4 / 3 * math.pi * count / 0.6) ^ (1 / 3)     -- at the start, loose
local time = param("time", 1.2, "s")
local pressed = 0.3 * time                                          -- from then on the ram goes down
local rate = param("rate", 0.3, "1/s")                              -- at which the height is strained then

grain = material { density = 2600, young = 5e6, restitution = 0.2, friction = 0.5 }
steel = material { density = 7800, young = 5e6, friction = 0 }

fill { count = count, material = grain, shape = sphere { radius = uniform(0.8 * radius, radius) },
       region = box { lower = {0, 0, 0}, upper = {side, side, side} } }

skin = wall {
    name = "cell", material = steel, shape = box { lower = {0, 0, 0}, upper = {side, side, side} },
    servo = servo { stress = stress, speed = 0.1, sides = {"-x", "+x", "-y", "+y", "+z"} },
}
ram = wall {
    name = "ram", material = steel, shape = plane { point = {0, 0, side}, normal = {0, 0, -1} },
    servo = servo { force = 0.01 * stress * side * side, speed = 0.1, stop = pressed },
    motion = path { {0, 0, 0, 0}, {pressed, 0, 0, 0}, {time, 0, 0, -rate * side * (time - pressed)} },
}

measure { name = "cell", wall = skin, what = {"side_stress", "size"} }
measure { name = "ram", wall = ram, what = {"force", "position"} }
picture { width = 540, height = 405, field = "coordination", range = {0, 8}, walls = "lines", rise = 0.3 }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = time, title = "a triaxial test" }
