/*  Scenes that must be refused, each with the words that say why. `R` is a run, `H` a material g, a shape s, a
    region b in the first three lines. */
#include "scene_maker.h"

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"

typedef struct broken_scene
{
    const char *text, *says;
} broken_scene;

static const broken_scene broken[] = {
    /* the script */
    {"", "`run { time = 1 }` is missing"},
    {"x = = 1", "scene.lua:1: unexpected symbol near '='"},
    {"local s = \"abc", "scene.lua:1: unfinished string"},
    {"run { time = 1", "scene.lua:1: '}' expected"},
    {"\n\nerror(\"my own\")", "scene.lua:3: my own"},
    {"error({})", "an error that is not a text"},
    {"local x = nil + 1", "scene.lua:1: attempt to perform arithmetic on a nil value"},
    {"\x1bLua", "attempt to load a binary chunk"},
    {"materal { }", "did you mean \"material\"?"},
    {"x = frobnicate7", "there is nothing called \"frobnicate7\" here"},
    {"wall = 3", "\"wall\" is the name of a scene function"},
    {"math = nil", "\"math\" is the name of a scene function"},
    {"local function f() return f() + 1 end f()", "stack overflow"},
    /* calls */
    {"run()", "run: takes one table, as run { time = 5"},
    {"run(5)", "run: takes one table"},
    {"run({}, {})", "run: takes one table"},
    {"run { 5 }", "run: has an item without a name"},
    {"run { time = 1, tiem = 2 }", "run: there is no field `tiem`; did you mean `time`?"},
    {"run { time = 1, xyzzyx = 2 }", "there is no field `xyzzyx`; it has time, steps, seed, stop"},
    {"run { time = 1, zz = 1, aa = 1 }", "no field `aa`"},
    {R R, "scene.lua:3: run: was called in line 2 already"},
    /* run */
    {"run { }", "run: `time`, in s, or `steps` is missing"},
    {"run { time = 1, steps = 2 }", "has `time` and `steps`"},
    {"run { time = 0 }", "run: time: is 0, must be a number above 0, in s"},
    {"run { time = -1 }", "run: time: is -1, must be a number above 0, in s"},
    {"run { time = 0/0 }", "must be a number above 0"},
    {"run { time = math.huge }", "is inf, must be a number above 0"},
    {"run { time = \"5\" }", "run: time: is \"5\", must be a number"},
    {"run { time = {} }", "run: time: is a table, must be a number"},
    {"run { steps = 1.5 }", "run: steps: is 1.5, must be a whole number from 1"},
    {"run { steps = -3 }", "is -3, must be a whole number"},
    {"run { time = 1, seed = 1e300 }", "seed: is 1e+300, must be a whole number"},
    {"run { time = 1, title = 5 }", "title: is 5, must be a text"},
    {"run { time = 1, title = \"a\\0b\" }", "title: contains a byte of 0"},
    /* what was removed */
    {"solver { precision = \"float\" }" R,
     "scene.lua:1: solver: precision: was removed, all worlds compute in double: leave it out"},
    {"solver { precision = 2 }", "precision: was removed"},
    {"solver { precisio = \"double\" }", "there is no field `precisio`; it has dt, time"},
    /* domain and gravity */
    {"domain { boundary = \"destroy\" }", "domain: `lower` is missing"},
    {"domain { lower = {0, 0, 0}, boundary = \"stop\" }", "domain: `upper` is missing"},
    {"domain { lower = {0, 0, 0}, upper = {1, 0, 1}, boundary = \"stop\" }",
     "lower is 0 along y and upper is 0"},
    {"domain { boundary = \"periodical\" }",
     "boundary: is \"periodical\", must be \"none\", \"stop\""},
    {"domain { boundary = {\"none\"} }", "boundary: has 1 items"},
    {"domain { lower = 5 }", "lower: is 5, must be three numbers, as {0, 0, 1}"},
    {"domain { lower = {1} }", "lower: has 1 items, must be three numbers"},
    {"domain { lower = {1, 2, \"x\"} }", "lower: item 3 is \"x\", must be a number"},
    {"domain { lower = {1, 0/0, 3} }", "must be a number"},
    {"domain { dimensions = 4 }", "dimensions: is 4, must be a whole number from 2 to 3"},
    {"p = plane { }\ndomain { dimensions = 2 }", "must be said before `plane` in line 1"},
    {"gravity { }", "gravity: it is empty"},
    {"gravity { 1, 2, 3, 4 }", "gravity: has 4 items"},
    {"gravity { z = -9.81 }", "there is no field `z`"},
    {"gravity { 0, 0, \"down\" }", "item 3 is \"down\", must be a number"},
    /* materials and rules */
    {"material { density = 0 }", "material: density: is 0, must be a number above 0, in kg/m^3"},
    {"material { density = -2500 }", "density: is -2500"},
    {"material { restituton = 0.5 }", "no field `restituton`; did you mean `restitution`?"},
    {"material { restitution = 1.5 }", "restitution: is 1.5, must be a number from 0 to 1"},
    {"material { poisson = 0.6 }", "poisson: is 0.6, must be a number above -1 and at most 0.5"},
    {"material { friction = -0.1 }", "friction: is -0.1, must be a number of 0 or more"},
    {"material { young = \"hard\" }", "young: is \"hard\", must be a number above 0, in Pa"},
    {"material { density = math.huge }", "density: is inf"},
    {"material { name = \"a name that is far too long for this\" }",
     "must be at most 31 bytes long"},
    {"rule { law = \"herz\" }", "rule: law: there is no law \"herz\"; did you mean \"hertz\"?"},
    {"rule { law = \"xxxxxxxxxxxx\" }", "laws are \"linear\""},
    {"rule { law = 3 }", "law: is 3, must be the name of a law"},
    {"rule { materials = 3 }", "rule: materials: is 3, must be a material"},
    {"rule { materials = {1} }", "item 1 is 1, must be a value returned by material"},
    {"rule { values = { frictoin = 1 } }", "has no value `frictoin`; did you mean `friction`?"},
    {"rule { values = { stiffness = 1 } }", "law \"hertz\" has no value `stiffness`"},
    {"rule { law = \"none\", values = { friction = 1 } }", "law \"none\" has no value `friction`"},
    {"rule { values = { friction = \"much\" } }", "friction is much, must be a number"},
    {"rule { values = { 3 } }", "values are written as"},
    {"rule { between = \"walls and bodies\" }", "must be one of \"any\", \"bodies\", \"walls\""},
    {"rule { groups = {0} }", "item 1 is 0, must be a whole number from 1 to 64"},
    {"rule { groups = 3 }", "must be a list of numbers from 1 to 64"},
    /* places */
    {"plane { normal = {0, 0, 0} }", "plane: normal: has the length 0"},
    {"box { upper = {1, 1, 1} }", "box: `lower` is missing: one corner"},
    {"box { lower = {0, 0, 0}, upper = {1, -1, 1} }", "lower is 0 along y and upper is -1"},
    {"box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = \"top\" }",
     "open: is \"top\", must be one of \"-x\""},
    {"cylinder { from = {0, 0, 0}, to = {0, 0, 0}, radius = 1 }", "to: is where `from` is"},
    {"cylinder { from = {0, 0, 0}, to = {0, 0, 1}, radius = -1 }",
     "radius: is -1, must be a number above 0, in m"},
    {"cylinder { from = {0, 0, 0}, to = {0, 0, 1}, radius = 1, facets = 2 }",
     "facets: is 2, must be a whole number from 3"},
    {"cone { from = {0, 0, 0}, to = {0, 0, 1}, radius = 0, radius_to = 0 }",
     "one of `radius` and `radius_to`"},
    {"sphere { }", "sphere: `radius` is missing"},
    {"sphere { radius = -1 }", "radius: is -1, must be a number above 0, in m"},
    {"sphere { radius = \"big\" }", "must be a number or a distribution"},
    {"sphere { radius = uniform(1, 2), centre = {0, 0, 0} }", "of a region must be one number"},
    {"facets { vertices = { {0, 0, 0}, {1, 0, 0} }, facets = { {1, 2, 3} } }",
     "facet 1 names vertex 3; there are vertices 1 to 2"},
    {"facets { vertices = { {0, 0, 0}, 7 }, facets = { {1, 2, 3} } }",
     "vertex 2 is 7, must be three numbers"},
    {"facets { vertices = { {0, 0, 0}, {1, 0, 0}, {0, 1, 0} }, facets = { {1, 2} } }",
     "facet 1 must be the numbers of 3 vertices"},
    {"facets { vertices = {}, facets = {} }", "vertices: has 0 items"},
    {"mesh { file = \"\" }", "the name of a file is empty"},
    {"mesh { file = \"there-is-no-such.stl\" }", "there-is-no-such.stl"},
    /* walls and motions */
    {H "wall { material = g }", "scene.lua:4: wall: `shape` is missing"},
    {H "wall { shape = plane { } }", "wall: `material` is missing"},
    {H "wall { shape = plane { }, mesh = \"x\", material = g }", "has `shape` and `mesh`"},
    {H "wall { shape = s, material = g }", "shape: is a sphere, must be a plane, box, cylinder"},
    {H "wall { shape = plane { }, material = s }",
     "material: is a sphere, must be a value returned by material"},
    {H "wall { shape = plane { }, material = g, position = {0, 0, 1} }", "are for meshes"},
    {H "wall { shape = plane { }, material = g, scale = 2 }", "scale: is for `mesh` alone"},
    {H "wall { shape = plane { }, material = g, motion = 3 }", "motion: is 3, must be a motion"},
    {H "wall { shape = plane { }, material = g, motion = { } }", "motion: has 0 items"},
    {H "wall { shape = plane { }, material = g, motion = { spin { rate = 1 }, 3 } }",
     "motion: item 2 is 3, must be a motion"},
    {H "wall { shape = plane { }, material = g, motion = { spin { rate = 1 }, g } }",
     "motion: item 2 is a material, must be a motion"},
    {H "wall { shape = plane { }, material = g, motion = swing { frequency = 1 } }",
     "swing: `amplitude` or `angle` is missing"},
    {H "wall { shape = plane { }, material = g, motion = swing { frequency = 1, angle = 1, "
       "amplitude = {0, 0, 1} } }",
     "swing: has `amplitude` and `angle`"},
    {H "wall { shape = plane { }, material = g, motion = swing { frequency = 1, amplitude = {0, 0, "
       "1}, axis = {1, 0, 0} } }",
     "swing: axis and centre need an `angle`"},
    {H "wall { shape = plane { }, material = g, motion = swing { frequency = 1, angle = 1, axis = "
       "{0, 0, 0} } }",
     "swing: axis: has the length 0, must be a direction"},
    {H "wall { shape = plane { }, material = g, motion = swing { frequency = 1, angle = 0/0 } }",
     "swing: angle: is"},
    {H "wall { shape = plane { }, material = g, motion = move { velocity = {1, 0, 0}, start = 2, "
       "stop = 1 } }",
     "move: stop: is at 1, must be after `start`, 2"},
    {H
     "wall { shape = plane { }, material = g, motion = move { velocity = {1, 0, 0}, start = -1 } }",
     "move: start: is -1"},
    {H "wall { shape = plane { }, material = g, motion = move { velocity = {1, 0, 0}, stop = 1, "
       "ramp = 0.6 } }",
     "move: ramp: takes 0.6, must be at most half of the time"},
    {H "wall { shape = plane { }, material = g, motion = move { velocity = {1, 0, 0}, ramp = "
       "\"soft\" } }",
     "move: ramp: is"},
    {H "wall { shape = plane { }, material = g, motion = path { } }", "path: it is empty"},
    {H "wall { shape = plane { }, material = g, motion = path { file = \"a.csv\", {0, 0, 0, 0}, "
       "{1, 0, 0, 1} } }",
     "path: has rows and `file`"},
    {H
     "wall { shape = plane { }, material = g, motion = path { file = \"there-is-no-such.csv\" } }",
     "there-is-no-such.csv"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0} } }",
     "path: row 2 is a table, must be {time, x, y, z}, or these and a quaternion"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1, 1, 0, "
       "0} } }",
     "path: row 2 is a table, must be {time, x, y, z}"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1}, period "
       "= 0.5 } }",
     "path: period: is 0.5, must be at least the time of its rows, 1"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1}, period "
       "= 1 } }",
     "path: period: if the last row is at its end, it must equal the first"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1}, period "
       "= -1 } }",
     "path: period: is -1"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1}, smooth "
       "= 1 } }",
     "path: smooth: is 1"},
    {H "wall { shape = plane { }, material = g, motion = path { {0, 0, 0, 0}, {1, 0, 0, 1, 0, 0, "
       "0, 0} } }",
     "path: row 2 has a quaternion of length 0"},
    {H
     "wall { shape = plane { }, material = g, motion = function(t) return 3 end } run { time = 1 }",
     "scene.lua:4: wall: motion: its function gives 3 as the shift, must be a list of 3 numbers"},
    {H "wall { shape = plane { }, material = g, motion = function(t) return {0, 0} end } run { "
       "time = 1 }",
     "as the shift, must be a list of 3 numbers"},
    {H "wall { shape = plane { }, material = g, motion = function(t) return {0, 0, 0/0} end } run "
       "{ time = 1 }",
     "in the shift, must be a finite number"},
    {H "wall { shape = plane { }, material = g, motion = function(t) return {0, 0, \"x\"} end } "
       "run { time = 1 }",
     "in the shift, must be a finite number"},
    {H "wall { shape = plane { }, material = g, motion = function(t) return {0, 0, 0}, {1, 0, 0} "
       "end } run { time = 1 }",
     "as the quaternion, must be a list of 4 numbers"},
    {H "wall { shape = plane { }, material = g, motion = function(t) return {0, 0, 0}, {0, 0, 0, "
       "0} end } run { time = 1 }",
     "gives a quaternion of length 0 at 0"},
    {H "wall { shape = plane { }, material = g, motion = function(t) return {0, 0, t < 0.5 and 0 "
       "or 1} end } run { time = 1 }",
     "its function changes too fast for a table"},
    {H "wall { shape = plane { }, material = g, motion = function(t) error(\"no\") end } run { "
       "time = 1 }",
     "scene.lua:4: no"},
    {H "wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1}, open = {\"-x\", \"+x\", \"-y\", "
       "\"+y\", \"-z\", \"+z\"} }, material = g }",
     "all sides open"},
    {"domain { dimensions = 2 }\n"
     "wall { shape = cylinder { from = {0, 0}, to = {0, 1}, radius = 1 }, material = material {} }",
     "walls in two dimensions are planes, boxes and facets"},
    {"spin { }", "spin: `rate` is missing"},
    {"spin { rate = 1, axis = {0, 0, 0} }", "axis: has the length 0"},
    {"move { velocity = 3 }", "velocity: is 3, must be three numbers"},
    {"swing { amplitude = {0, 0, 1}, frequency = -1 }", "frequency: is -1"},
    {"path { {0, 0, 0, 0} }", "has 1 items, must be two or more rows"},
    {"path { {0, 0, 0, 0}, {0, 1, 1, 1} }",
     "row 2 is at time 0, and the one before at 0; times must ascend"},
    {"path { {0, 0, 0, 0}, {1, 0, 0} }", "row 2 is a table, must be {time, x, y, z}"},
    /* sizes */
    {"uniform(2, 1)", "lower is 2 and upper is 1"},
    {"uniform(0, 1)", "uniform: lower: is 0, must be a number above 0"},
    {"uniform(1)", "uniform: `upper` is missing"},
    {"uniform(1, 2, 3)", "was given 3 arguments, takes at most 2"},
    {"loguniform(1, \"x\")", "upper: is \"x\", must be a number above 0"},
    {"normal(1, -1)", "deviation: is -1"},
    {"normal { mean = 1, deviation = 0.1, lower = 2, upper = 3 }", "the mean must lie between"},
    {"normal { mean = 1, deviation = 1, lower = 1, upper = 1.000001 }",
     "too close for a deviation of 1"},
    {"sizes { }", "sizes: it is empty"},
    {"sizes { {1, 0} }", "shares add up to 0"},
    {"sizes { {-1, 1} }", "row 1 has the size -1"},
    {"sizes { {1, -1} }", "row 1 has the share -1"},
    {"sizes { 1, 2 }", "row 1 is 1, must be {size, share}"},
    /* bodies */
    {H "body { material = g, position = {0, 0, 0} }", "body: `shape` is missing"},
    {H "body { shape = s, position = {0, 0, 0} }", "body: `material` is missing"},
    {H "body { shape = s, material = g }", "body: `position` is missing"},
    {H "body { shape = b, material = g, position = {0, 0, 0} }",
     "shape: is a box, must be a shape, as sphere"},
    {H "body { shape = sphere { radius = uniform(1, 2) }, material = g, position = {0, 0, 0} }",
     "one body has one"},
    {H "body { shape = sphere { radius = 1, centre = {0, 0, 0} }, material = g, position = {0, 0, "
       "0} }",
     "a sphere with a centre is a region"},
    {H "body { shape = s, material = g, position = {0, 0, 0}, mass = 0 }",
     "mass: is 0, must be a number above 0, in kg"},
    {H "body { shape = s, material = g, position = {0, 0, 0}, orientation = {0, 0, 0, 0} }",
     "is not a direction"},
    {H "body { shape = s, material = g, position = {0, 0, 0}, orientation = {1, 0, 0} }",
     "must be four numbers"},
    {H "body { shape = s, material = g, position = {0, 0, 0}, freeze = {\"w\"} }",
     "freeze: is \"w\""},
    {H "bodies { material = g }", "bodies: `list` or `file` is missing"},
    {H "bodies { material = g, list = {}, file = \"x\" }", "has `list` and `file`"},
    {H "bodies { material = g, list = { {0, 0, 0} } }",
     "list: row 1 is a table, must be {x, y, z, radius}"},
    {H "bodies { material = g, list = { {0, 0, 0, 1}, {0, 0, 0, 0} } }",
     "list: row 2 has the radius 0"},
    {H "bodies { material = {}, list = {} }", "material: has 0 items"},
    /* sources and sinks */
    {H "fill { region = b, shape = s, material = g }",
     "fill: `count`, `mass` or `solid_fraction` is missing"},
    {H "fill { count = 1, mass = 1, region = b, shape = s, material = g }",
     "more than one of `count`, `mass`"},
    {H "fill { count = 0, region = b, shape = s, material = g }",
     "count: is 0, must be a whole number of 1 or more"},
    {H "fill { count = 1e9, region = b, shape = s, material = g }",
     "count: is 1000000000, must be at most 100000000: each body takes about 700 bytes, these "
     "would "
     "need 700 GB"},
    {H "fill { solid_fraction = 1.2, region = b, shape = s, material = g }",
     "solid_fraction: is 1.2"},
    {H "fill { count = 1, region = plane { }, shape = s, material = g }", "region: is a plane"},
    {H "fill { count = 1, region = b, shape = sphere { radius = 0.6 }, material = g }",
     "is 1 m wide along x, less than the largest body, which is 1.2 m"},
    {H "fill { count = 1, region = s, shape = s, material = g }",
     "a sphere as a region needs a centre"},
    {H
     "fill { solid_fraction = 0.3, region = b, shape = sphere { radius = 1e-6 }, material = g }" R,
     "with these there are about"},
    {H "fill { count = 1, region = b, shape = s, material = g, by = \"volume\" }",
     "must be one of \"number\", \"mass\""},
    {H "fill { count = 1, region = b, shape = s, material = g, spread = -1 }", "spread: is -1"},
    {H "fill { count = 1, region = b, shape = s, material = g, meets = {65} }",
     "meets: item 1 is 65"},
    {H "pour { region = b, shape = s, material = g }", "pour: `rate`, in bodies per second"},
    {H "pour { rate = 1, mass_rate = 1, region = b, shape = s, material = g }",
     "has `rate` and `mass_rate`"},
    {H "pour { rate = 1, start = 2, stop = 1, region = b, shape = s, material = g }",
     "stop: is 1, must be after the start at 2"},
    {H "pour { rate = 1e12, region = b, shape = s, material = g }" R,
     "with these there are about 1e+12 bodies"},
    {H "sink { }", "sink: `region` is missing"},
    {H "sink { region = b, stop = 0 }", "stop: is 0, must be a number above 0"},
    {H "sink { region = b, name = \"a\" }\nsink { region = b, name = \"a\" }" R,
     "scene.lua:5: the name \"a\" is used in line 4 already"},
    /* measures */
    {H "measure { region = b, what = \"force\" }", "what: \"force\" is not available for a region"},
    {H "measure { region = b, what = \"pressure\" }", "of a sphere \"pressure\", \"shear_stress\""},
    {H "measure { region = plane { }, what = \"mass\" }", "\"mass\" is not available for a plane"},
    {H "measure { what = \"solid_fraction\" }", "\"solid_fraction\" needs a region"},
    {H "measure { what = {\"cuont\"} }", "what: is \"cuont\"; did you mean \"count\"?"},
    {H "measure { wall = g }", "wall: is a material, must be a value returned by wall"},
    {H "measure { wall = wall { shape = plane { }, material = g }, what = \"speed\" }",
     "\"speed\" is not available for a wall"},
    {H "measure { name = \"a,b\" }", "without commas"},
    {H "for i = 1, 40 do measure { region = plane { } } end" R, "the limit is 32 planes"},
    /* solver, margin, outputs */
    {"solver { time = \"fixed\" }", "solver: `dt` is missing"},
    {"solver { dt = 1e-5, safety_factor = 0.1 }", "safety_factor: is for time"},
    {"solver { dt = 1e-5, max_growth = 1.1 }", "max_growth: is for time = \"auto\""},
    {"solver { max_growth = 1 }", "max_growth: is 1, must be a number above 1"},
    {"solver { mesh_engine = \"boxen\" }", "mesh_engine: is \"boxen\"; did you mean \"boxes\"?"},
    {"solver { dt = 1e-5, time = \"mass-scaling\", integrator = \"implicit\" }",
     "is for explicit integrators"},
    {"solver { dt = 1e-5, time = \"mass-scaling\", integrator = \"implicit-multiscale\" }",
     "is for explicit integrators"},
    {"solver { dt = 1e-5, iterations = 5 }", "iterations: is for implicit integrators"},
    {"solver { dt = 1e-5, integrator = \"implicit\", tolerance = 1 }", "tolerance"},
    {"solver { dt = 1e-5, integrator = \"implicit\", iterations = 0 }", "iterations"},
    {"solver { dt = 1e-5, integrator = \"implicit\", halvings = 61 }", "halvings"},
    {"solver { dt = 1e-5, integrator = \"implicit\", keep_sets = true }",
     "keep_sets: is for implicit-surrogate and implicit-multiscale"},
    {"solver { dt = 1e-5, integrator = \"implicit-surrogate\", skip_levels = true }",
     "skip_levels: is for implicit-multiscale"},
    {"solver { dt = 0 }", "dt: is 0, must be a number above 0, in s"},
    {"solver { method = \"hash-grid\" }", "did you mean \"hash-grids\"?"},
    {"solver { method = \"zzzzzzzzzz\" }", "`scree methods` lists them"},
    {"solver { method = 1 }", "method: is 1, must be the name of a method"},
    {"solver { threads = 0 }", "threads: is 0, must be a whole number from 1 to 1024"},
    {"solver { energy_balance = 1 }", "energy_balance: is 1, must be true or false"},
    {"solver { integrator = \"rk4\" }", "integrator: is \"rk4\""},
    {"solver { local_damping = 1 }", "local_damping: is 1, must be a number from 0 and below 1"},
    {"margin { kind = \"skim\" }", "did you mean \"skin\"?"},
    {"margin { bin_count = 101 }", "bin_count: is 101, must be a whole number from 1 to 100"},
    {"output { write = \"vtk\" }", "output: `every`, in s, or `every_steps` is missing"},
    {"output { every = 1 }", "output: `write` is missing"},
    {"output { every = 1, every_steps = 1, write = \"vtk\" }", "has `every` and `every_steps`"},
    {"output { every = 1, write = {\"vtk\", \"pictures\"} }", "did you mean \"picture\"?"},
    {"output { every = 1, write = \"vtk\", fields = {\"colour\"} }",
     "item 1 is \"colour\"; there are serial, id, material, user, chain, mass, radius, velocity, "
     "spin, "
     "orientation, force, torque, temperature"},
    {"picture { width = 0 }", "width: is 0, must be a whole number from 1 to 16384"},
    {"picture { field = \"sped\" }", "speed"},
    {"picture { range = {1, 1} }", "is from 1 to 1; the first must be below the second"},
    {"picture { wall_field = \"presure\" }", "did you mean \"pressure\"?"},
    {"picture { wall_range = {0, 1} }", "wall_range: needs a `wall_field`"},
    {"picture { wall_field = \"wear\", wall_range = {1, 1} }", "is from 1 to 1"},
    {"picture { eye = {1, 1, 1} }", "`target` is missing"},
    {"picture { target = {1, 1, 1} }", "`eye` is missing"},
    {"picture { lower = {1, 1, 1} }", "`upper` is missing"},
    {"picture { clips = { {1, 2, 3} } }", "item 1 is a table, must be {a, b, c, d}"},
    {"metrics { }", "metrics: `every`, in s, or `every_steps` is missing"},
    {"checkpoint { every = 1, keep = 0 }", "keep: is 0, must be a whole number from 1"},
    /* parameters */
    {"param()", "param: takes one table"},
    {"param(\"a\")", "param: `default` is missing"},
    {"param(\"a b\", 1)", "name: is \"a b\", must be letters"},
    {"param(\"a\", {})", "default: is a table, must be a number, a text"},
    {"param(\"a\", 1) param(\"a\", 2)", "there is a parameter \"a\" already"},
    {"param { name = \"a\", default = 5, upper = 4 }", "param: a: is 5, must be from -inf to 4"},
    {"set { values = { a = 1 } }" R, "there is no parameter \"a\" to set"},
    {"set { values = { a = {} } }", "values: a is a table"},
    {"set { values = { a = \"x\" } } param(\"a\", 1)", "a: is set to x, must be a number"},
    {"set { values = 5 }", "values: is 5, must be a table, as { rate = 8 }"},
    {"folder { }", "folder: `path` is missing"},
    /* the sandbox's own */
    {"pairs({ [{}] = 1 })", "pairs: a key is a table, which has no order"},
    {"string.format(\"%p\", {})", "is not the same everywhere"},
    {"math.random(2, 1)", "the interval is empty"},
    {"table.insert({}, 5, 1)", "position out of bounds"},
};

TEST(each_is_refused_with_its_reason)
{
    size_t count = sizeof broken / sizeof *broken, wrong = 0;

    CHECK(count >= 100);
    for (size_t i = 0; i < count; i++) {
        scree_error error;
        scree_scene *scene = open_scene_with(broken[i].text, NULL, 0, &error);
        if (scene || !strstr(error.text, broken[i].says)) {
            printf("scene %zu, %s\n  says \"%s\"\n  not  \"%s\"\n", i, broken[i].text, error.text,
                   broken[i].says);
            wrong++;
        }
        scree_scene_close(scene);
    }
    CHECK_EQUAL(wrong, 0);
}

typedef struct bad_setting
{
    const char *setting, *says;
} bad_setting;

TEST(settings_that_fit_nothing_are_refused)
{
    static const char text[] = "a = param(\"rate\", 6) param(\"flag\", true)" R;
    static const bad_setting bad[] = {
        {"raet=5", "there is no parameter \"raet\" to set; did you mean \"rate\"?"},
        {"qqqqqqqq=5", "the scene has \"rate\" and so on"},
        {"rate=six", "rate: is set to \"six\", must be a number"},
        {"rate=", "is set to \"\", must be a number"},
        {"rate=6 7", "must be a number"},
        {"flag=yes", "is set to \"yes\", must be true or false"},
        {"rate", "the setting \"rate\" must be a name, =, and a value"},
        {"=5", "must be a name, ="},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        scree_error error;
        CHECK(!open_scene_with(text, &bad[i].setting, 1, &error));
        CHECK_SAYS(error.text, bad[i].says);
    }
    scree_error error;
    const char *setting = "rate=5";
    CHECK(!open_scene_with("run { time = 1 }", &setting, 1, &error));
    CHECK_SAYS(error.text, "the scene has none");
}

TEST(definitions_are_checked)
{
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;
    scree_error error = {SCREE_OK, ""};

    CHECK_EQUAL(scree_scene_open(NULL, &scene), SCREE_BAD_DEF);
    CHECK_EQUAL(scree_scene_open(&def, NULL), SCREE_BAD_ARGUMENT);
    def.error = &error;
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_BAD_ARGUMENT);
    CHECK_SAYS(error.text, "neither path nor text");
    def.path = def.text = "x";
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_BAD_ARGUMENT);
    def.path = NULL;
    def.setting_count = 1;
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_BAD_ARGUMENT);
    def.setting_count = 0;
    def.seconds = 0;
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_BAD_VALUE);
    def.cookie = 0;
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_BAD_DEF);
    def = scree_default_scene_def();
    def.error = &error;
    def.path = "no/such/scene.lua";
    CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_IO_ERROR);
    CHECK_SAYS(error.text, "no/such/scene.lua");
    CHECK(!scene);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(each_is_refused_with_its_reason),
        CASE(settings_that_fit_nothing_are_refused),
        CASE(definitions_are_checked),
    };

    NEEDS_SCENES("test_scene_broken");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
