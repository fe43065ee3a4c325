/*  Stages and conditions that must be refused, each with the words that say why. */
#include "scene_maker.h"

#define H SCENE_TEXT_HEAD
#define R "\nrun { time = 1 }"
/*  From line 4 on: a floor, a lid that moves, a body. */
#define W                                                                                          \
    H "w = wall { shape = plane { }, material = g }\n"                                             \
      "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = g, "      \
      "motion = move { velocity = {0, 0, -1} } }\n"                                                \
      "body { shape = s, material = g, position = {0, 0, 0.5} }\n"

typedef struct broken_scene
{
    const char *text, *says;
} broken_scene;

static const broken_scene broken[] = {
    /* stages */
    {"stage { }", "stage \"stage1\": `ends` is missing, as ends = after(1); or run { time = }"},
    {"stage { edns = after(1) }",
     "scene.lua:1: stage: there is no field `edns`; did you mean `ends`?"},
    {"stage { ends = 1 }", "stage: ends: is 1, must be a condition, as after(2) or quiet"},
    {"stage { ends = {after(1)} }", "stage: ends: is a table, must be a condition"},
    {"stage(after(1))", "stage: takes one table"},
    {"stage { name = 5, ends = after(1) }", "stage: name: is 5, must be a text"},
    {"stage { name = \"a,b\", ends = after(1) }", "at most 40 bytes without commas"},
    {"stage { name = \"a\", ends = after(1) }\nstage { name = \"a\", ends = after(1) }",
     "scene.lua:2: stage: the name \"a\" is that of the stage in line 1; names must differ"},
    {"stage { name = \"stage2\", ends = after(1) }\nstage { ends = after(1) }",
     "the name \"stage2\" is that of the stage in line 1"},
    {"stage { name = \"a\" }\nstage { name = \"b\", ends = after(1) }" R,
     "scene.lua:1: stage \"a\": `ends` is missing, and stage \"b\" in line 2 would never begin"},
    {W "stage { ends = quiet { energy = 1 } }",
     "stage \"stage1\": may never end: `at_most` is missing, in "
     "s; or run { time = } says when the run ends"},
    {W "stage { ends = after { real_time = 5 } }", "may never end: `at_most` is missing"},
    {W "solver { time = \"auto\" }\nstage { ends = after { steps = 5 } }", "may never end"},
    {W "stage { ends = all { after(2), quiet { energy = 1 } }, at_most = 1 }",
     "its condition takes 2 s at least, and at_most is 1 s: it can never hold"},
    {W "stage { ends = quiet { energy = 1, during = 3 }, at_most = 1 }",
     "takes 3 s at least, and at_most is 1 s"},
    {"stage { ends = after(1), at_most = 0 }", "at_most: is 0, must be a number above 0, in s"},
    {"stage { ends = after(1), or_fail = false }", "or_fail: is for `at_most`, and there is none"},
    {"stage { at_most = 1 }" R,
     "at_most: is for a condition, and `ends` is missing; ends = after(1)"},
    {"stage { ends = after(1), check_every = 0 }",
     "check_every: is 0, must be a whole number from 1"},
    {"for i = 1, 65 do stage { ends = after(1) } end", "stage: there can be 64 stages"},
    {"stage { ends = after(1), damping = -1 }", "damping: is -1, must be a number of 0 or more"},
    {"stage { ends = after(1), local_damping = 1 }", "local_damping: is 1, must be a number"},
    {"stage { ends = after(1), dt = 0 }", "dt: is 0, must be a number above 0, in s"},
    {"stage { ends = after(1), gravity = -9.81 }", "gravity: is -9.81, must be"},
    {"domain { dimensions = 2 }\nstage { ends = after(1), gravity = {0, 0, -1} }",
     "gravity: z is -1, must be 0 in two dimensions"},
    /* what comes and goes */
    {W "stage { ends = after(1), add = w }\nstage { ends = after(1), add = w }",
     "stage \"stage2\": add: the wall of line 4 is there already then"},
    {W "stage { ends = after(1), remove = w }\nstage { ends = after(1), remove = {lid, w} }",
     "scene.lua:8: stage \"stage2\": remove: the wall of line 4 is not there then"},
    {W "stage { ends = after(1), remove = {w, w} }",
     "remove: the wall of line 4 is not there then"},
    {W "stage { ends = after(1), remove = {} }", "remove: has 0 items"},
    {W "stage { ends = after(1), add = {} }", "add: has 0 items"},
    {W "stage { ends = after(1), change = {} }", "change: has 0 items"},
    {W "stage { ends = after(1), add = {w, 5} }",
     "add: item 2 is 5, must be a wall, or what pour, fill, sink or bond gave back"},
    {W "stage { ends = after(1), remove = g }", "must be a wall, a region whose bodies go"},
    {W "stage { ends = after(1), remove = s }", "remove: a sphere as a region needs a centre"},
    {W "stage { ends = after(1), change = {after(1)} }",
     "change: item 1 is a after, must be what drive, set_friction, set_material, set_rule, "
     "set_fluid, hold or release gave back"},
    {W "p = pour { rate = 1, shape = s, material = g, region = b }\nstage { name = \"a\", add = p, "
       "ends = "
       "after(1) }\nstage { add = p, ends = after(1) }",
     "scene.lua:9: stage: add: the pour of line 7 comes with stage \"a\" already"},
    {W "p = pour { rate = 1, shape = s, material = g, region = b }\nstage { add = {p, p}, ends = "
       "after(1) }",
     "add: has the pour of line 7 twice"},
    {W "p = pour { rate = 1, shape = s, material = g, region = b }\nstage { name = \"a\", remove = "
       "p, ends = "
       "after(1) }\nstage { name = \"b\", add = p, ends = after(1) }",
     "scene.lua:7: pour: stage \"a\" removes it before stage \"b\" adds it"},
    {W "p = sink { region = b }\nstage { name = \"a\", remove = p, ends = after(1) }\nstage { "
       "remove = p, "
       "ends = after(1) }",
     "the sink of line 7 was removed by stage \"a\""},
    {W "p = fill { count = 1, shape = s, material = g, region = b }\nstage { remove = p, ends = "
       "after(1) }",
     "the fill of line 7 has ended; to remove bodies, give a region"},
    {W "stage { add = bond { gap = 0 }, ends = after(1) }", "bond: no rule has law = \"bonded\""},
    /* changes */
    {W "stage { ends = after(1), change = drive { motion = move { velocity = {0, 0, 1} } } }",
     "drive: `wall` is missing"},
    {W "stage { ends = after(1), change = drive { wall = 1 } }",
     "drive: wall: is 1, must be what wall { ... } gave back"},
    {W "stage { ends = after(1), change = drive { wall = w, motion = 5 } }", "drive: motion: is 5"},
    {W "stage { ends = after(1), change = drive { wall = w, servo = servo { stress = 1, speed = 1 "
       "} } }",
     "drive: servo: area: is missing: a plane has no end"},
    {W "stage { ends = after(1), change = {drive { wall = w },\ndrive { wall = w }} }",
     "stage \"stage1\": drive: the wall of line 4 is driven in line 7 already"},
    {W "stage { ends = after(1), remove = w, change = drive { wall = w } }",
     "stage \"stage1\": drive: the wall of line 4 is not there then"},
    {W "stage { ends = after(1), change = set_friction { to = -1 } }", "set_friction: to: is -1"},
    {W "stage { ends = after(1), change = set_friction { material = g } }",
     "set_friction: `to` is missing"},
    {W "stage { ends = after(1), change = hold { what = {} } }", "hold: what: is empty"},
    {W "stage { ends = after(1), change = hold { what = \"q\" } }", "hold: what: is \"q\""},
    {W "stage { ends = after(1), change = release { groups = {} } }", "release: groups: is empty"},
    /* conditions */
    {"stage { ends = after { } }", "after: `time` is missing, in s; or `steps`, `run_time`"},
    {"stage { ends = after(0) }", "after: time: is 0, must be a number above 0"},
    {"stage { ends = after { time = 1, steps = 5 } }", "after: has several of `time`, `steps`"},
    {"stage { ends = after { steps = 1.5 } }", "after: steps: is 1.5, must be a whole number"},
    {"stage { ends = all { } }", "all: it is empty: the conditions, one after the other"},
    {"stage { ends = any { 5 } }", "any: item 1 is 5, must be a condition, as after(2)"},
    {"stage { ends = any { after(1), time = 3 } }", "any: there is no field `time`"},
    {"c = after(1)\nfor i = 1, 5 do c = all { c, c, c } end\nstage { ends = c }",
     "all: has more than 63 conditions"},
    {"stage { ends = quiet { energy = 1 }, at_most = 1 }",
     "scene.lua:1: quiet: can never hold: there are no bodies by then"},
    {W "stage { ends = quiet { }, at_most = 1 }", "quiet: `energy` is missing"},
    {W "stage { ends = quiet { energy = 0 }, at_most = 1 }",
     "energy: is 0, must be a number above 0, in J"},
    {W "stage { ends = count { }, at_most = 1 }", "count: `above` or `below` is missing"},
    {W "stage { ends = count { above = 1, below = 3 }, at_most = 1 }",
     "count: has `above` and `below`; for both, use all { } with two conditions"},
    {W "stage { ends = count { below = 0 }, at_most = 1 }",
     "count: below: is 0, and there are never fewer bodies than none"},
    {W "stage { ends = count { above = 1 }, at_most = 1 }",
     "count: can never hold: above is 1, and the scene makes 1 bodies"},
    {W "stage { ends = count { region = 5, below = 3 }, at_most = 1 }", "count: region: is 5"},
    {W "stage { ends = wall_force { above = 3 }, at_most = 1 }", "wall_force: `wall` is missing"},
    {W "stage { ends = wall_force { wall = g, above = 3 }, at_most = 1 }", "wall_force: wall: is"},
    {W "stage { ends = wall_force { wall = w, above = -3 }, at_most = 1 }",
     "wall_force: above: is -3, and a magnitude is never below 0; `axis` says along what"},
    {W "stage { ends = wall_force { wall = w, axis = {0, 0, 0}, above = 3 }, at_most = 1 }",
     "wall_force: axis: has no length"},
    {W "stage { ends = wall_force { wall = w, sides = \"+x\", above = 3 }, at_most = 1 }",
     "wall_force: sides: are of a box"},
    {W "c = wall { shape = b, material = g }\nstage { ends = wall_force { wall = c, above = 3 }, "
       "at_most = 1 }",
     "wall_force: sides: is missing: which of the box"},
    {W "stage { remove = w, ends = wall_force { wall = w, above = 3 }, at_most = 1 }",
     "scene.lua:7: wall_force: can never hold: the wall is not there in this stage"},
    {W "stage { ends = wall_moved { wall = w, above = 3 }, at_most = 1 }",
     "wall_moved: can never hold: the wall does not move in this stage: it has no motion"},
    {W "stage { change = drive { wall = lid }, ends = wall_moved { wall = lid, above = 3 }, "
       "at_most = 1 }",
     "wall_moved: can never hold: the wall does not move"},
    {W "stage { ends = broken { above = 0 }, at_most = 1 }",
     "broken: can never hold: no bodies are glued by then; bond { } glues them"},
    {W "stage { ends = broken { share = 1 }, at_most = 1 }", "broken: share: is 1, must be"},
    {W "stage { ends = broken { }, at_most = 1 }", "broken: `above` is missing, a number of bonds"},
    {W "stage { ends = quiet { energy = 1, during = -1 }, at_most = 1 }", "during: is -1"},
    /* of the run */
    {W "run { time = 1, stop = 3 }", "run: stop: is 3, must be a condition"},
    {W "run { time = 1, check_every = 3 }", "run: check_every: is for `stop`, and there is none"},
    {W "run { time = 1, stop = after(2) }", "after: can never hold: the run ends at 1 s"},
    {W "run { stop = after(2) }", "run: `time`, in s, or `steps` is missing"},
    {W "stage { ends = after(1) }\nrun { time = 1, stop = after(2) }",
     "after: can never hold: the run ends at 1 s"},
    {W
     "stage { ends = after(1) }\nstage { remove = lid, ends = after(1) }\nrun { stop = wall_moved "
     "{ wall = lid, above = 0.5 } }",
     "scene.lua:9: wall_moved: a stage adds or removes the wall, so how far it has moved since the "
     "run began is not defined; `ends` of a stage counts"},
    {W
     "stage { add = lid, ends = after(1) }\nrun { stop = any { after(1), wall_moved { wall = lid, "
     "above = 0.5 } } }",
     "scene.lua:8: wall_moved: a stage adds or removes the wall"},
    {W "stage { ends = after(1) }\nrun { stop = wall_moved { wall = w, above = 0.5 } }",
     "wall_moved: can never hold: the wall never moves: it has no motion"},
    {W "run { time = 1, stop = wall_moved { wall = w, above = 0.5 } }",
     "wall_moved: can never hold: the wall never moves: it has no motion"},
    {W "stage { remove = w, ends = after(1) }\nrun { stop = wall_force { wall = w, below = 1 } }",
     "wall_force: can never hold: the wall is not there in any stage"},
    {W
     "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, bond_shear = 1e5 } "
     "}\nstage { add = bond { gap = 0 }, ends = after(1) }\nrun { stop = broken { share = 0.5 } }",
     "broken: can never hold: it is a share of the bonds there are when the run begins, and there "
     "are none; `above` counts those that stages add"},
    {W "stage { ends = after(1) }\nrun { stop = broken { above = 3 } }",
     "broken: can never hold: no bodies are glued by then"},
    /* steps are as long as stages say */
    {"solver { dt = 1e-6 }\nstage { dt = 1e-4, ends = after { steps = 1000 }, at_most = 0.01 }",
     "its condition takes 0.1 s at least, and at_most is 0.01 s"},
    {"solver { dt = 1e-6 }\nstage { dt = 1e-4, ends = after(1) }\nstage { ends = after { steps = "
     "1000 "
     "}, at_most = 0.01 }",
     "its condition takes 0.1 s at least, and at_most is 0.01 s"},
    /* in two dimensions */
    {"domain { dimensions = 2 }\ng = material { density = 2500, young = 1e6 }\nc = wall { shape = "
     "box "
     "{ lower = {0, 0}, upper = {1, 1} }, material = g }\nrun { time = 1, stop = wall_force { wall "
     "= "
     "c, sides = \"+z\", below = 1 } }",
     "scene.lua:4: wall_force: sides: has one along z, and a box in two dimensions has none"},
};

TEST(each_is_refused_with_its_reason)
{
    int wrong = 0;

    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        scree_error error;
        scree_scene *scene = open_scene_with(broken[i].text, NULL, 0, &error);
        if (!scene && strstr(error.text, broken[i].says) &&
            strncmp(error.text, "scene.lua:", 10) == 0)
            continue;
        wrong++;
        printf("scene %zu, %s\n  says \"%s\"\n  not  \"%s\"\n", i, broken[i].text,
               scene ? "nothing" : error.text, broken[i].says);
        scree_scene_close(scene);
    }
    CHECK_EQUAL(wrong, 0);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(each_is_refused_with_its_reason)};

    NEEDS_SCENES("test_broken_stages");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
