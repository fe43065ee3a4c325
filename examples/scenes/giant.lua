-- One giant sinks into fine powder: sizes twenty to one and more, where grids of one cell size fail.

local ratio = param("ratio", 20)            -- of the giant's radius to that of the powder
local count = param("count", 6000)
local fine = 0.0005                         -- radius of the powder, m
local giant = ratio * fine

gravity { 0, 0, -9.81 }

powder = material { density = 1500, young = 2e7, restitution = 0.2, friction = 0.3 }
stone = material { density = 2600, young = 2e7, restitution = 0.2, friction = 0.3 }

local side = 3 * giant
wall { shape = box { lower = {-side / 2, -side / 2, 0}, upper = {side / 2, side / 2, 1}, open = {"+z"} }, material = powder }

-- as high as the powder is with a quarter of the room taken
local volume = count * 4 / 3 * math.pi * fine ^ 3
local high = math.max(volume / 0.25 / side ^ 2, 3 * fine)

fill { count = count, material = powder, shape = sphere { radius = fine },
       region = box { lower = {-side / 2, -side / 2, 0}, upper = {side / 2, side / 2, high} } }

body { shape = sphere { radius = giant }, material = stone, position = {0, 0, high + giant + fine}, velocity = {0, 0, -0.1} }

measure { name = "powder", what = {"speed"} }
output { every = 0.02, write = {"vtk", "picture"} }
run { time = param("time", 0.05, "s"), title = "a giant in powder" }
