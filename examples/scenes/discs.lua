-- Discs in two dimensions fall into a box: the thesis' scene, where methods of detection are compared.

local count = param("count", 600)
local ratio = param("ratio", 4)             -- of the largest radius to the smallest
local radius = 0.002

domain { dimensions = 2 }
gravity { 0, -9.81 }

disc = material { density = 20, restitution = 0.5, friction = 0.4, stiffness = 1e4 }
rule { law = "linear" }

local width = 0.16 * math.sqrt(count / 600)
wall { shape = box { lower = {0, 0}, upper = {width, 4 * width}, open = {"+y"} }, material = disc }

-- a sloping shelf in the middle, of two segments
wall { shape = facets { vertices = { {0.25 * width, 0.5 * width}, {0.5 * width, 0.4 * width}, {0.75 * width, 0.5 * width} },
                        facets = { {1, 2}, {2, 3} } }, material = disc }

fill {
    count = count, material = disc,
    shape = sphere { radius = loguniform(radius, ratio * radius) }, by = "mass",
    region = box { lower = {0, 0.6 * width}, upper = {width, 2.6 * width} },
}

measure { name = "discs", what = {"speed", "coordination"} }
output { every = 0.1, write = {"vtk", "picture"} }
run { time = param("time", 0.5, "s"), title = "discs" }
