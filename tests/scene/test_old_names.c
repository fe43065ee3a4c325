/*  Names of earlier versions: a scene that is written with them is the same, and each is warned of once, with its line. */
#include "scene_maker.h"

#define R "\nrun { time = 1 }"
#define MAX_RECEIVED 20

typedef struct heard
{
    size_t count;
    char text[MAX_RECEIVED][200];
} heard;

static void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    heard *h = user;

    if (id != SCREE_LOG_OLD_NAME)
        return;
    CHECK_EQUAL(level, SCREE_LOG_WARNING);
    CHECK(h->count < MAX_RECEIVED);
    snprintf(h->text[h->count++], sizeof h->text[0], "%s", text);
}

/*  The scene of a text, and what was warned of. */
static scree_scene *listen(const char *text, heard *h, scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;

    *h = (heard){0};
    *error = (scree_error){SCREE_OK, ""};
    def.text = text;
    def.name = "scene.lua";
    def.log = (scree_log){hear, h};
    def.error = error;
    scree_scene_open(&def, &scene);
    return scene;
}

static scree_scene *must_listen(const char *text, heard *h)
{
    scree_error error;
    scree_scene *scene = listen(text, h, &error);

    if (!scene)
        FAIL("%s", error.text);
    return scene;
}

static bool was_heard(const heard *h, const char *text)
{
    for (size_t k = 0; k < h->count; k++)
        if (strstr(h->text[k], text))
            return true;
    return false;
}

TEST(old_names_mean_the_new_things)
{
    heard h;
    scree_scene *scene =
        must_listen("g = material { density = 2500, young = 1e6 }\n"
                    "solver { time = \"auto\", stepper = \"euler\", ledger = true, safety = 0.1,\n"
                    "         increase = 1.5 }\n"
                    "rest { speed = 1e-3 }\n"
                    "wall { shape = plane { }, material = g,\n"
                    "       loose = loose { mass = 1, turn_damping = 2, held = \"all\" } }\n" R,
                    &h);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);

    CHECK_EQUAL(plan->world.step.integrator, SCREE_SYMPLECTIC_EULER);
    CHECK(plan->world.energy_balance && plan->world.step.safety_factor == 0.1);
    CHECK(plan->world.step.max_growth == 1.5 && plan->has_rest && plan->rest.speed == 1e-3);
    CHECK_EQUAL(h.count, 8);
    CHECK(was_heard(&h, "scene.lua:2: solver: stepper is called integrator now"));
    CHECK(was_heard(&h, "solver: ledger is called energy_balance now"));
    CHECK(was_heard(&h, "solver: safety is called safety_factor now"));
    CHECK(was_heard(&h, "solver: increase is called max_growth now"));
    CHECK(was_heard(&h, "scene.lua:4: sleep: rest is called sleep now"));
    CHECK(was_heard(&h, "wall: loose is called free now"));
    CHECK(was_heard(&h, "free_wall: loose is called free_wall now"));
    CHECK(was_heard(&h, "free_wall: turn_damping is called angular_damping now"));
    scree_scene_close(scene);
}

TEST(old_words_mean_the_new_ones)
{
    heard h;
    scree_scene *scene = must_listen("solver { dt = 1e-3, time = \"scaled\" }" R, &h);

    CHECK_EQUAL(scree_scene_plan_of(scene)->world.step.mode, SCREE_TIME_MASS_SCALING);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text[0], "scene.lua:1: solver: scaled is called mass-scaling now");
    scree_scene_close(scene);
    scene = must_listen("domain { lower = {0, 0, 0}, upper = {1, 1, 1}, boundary = \"periodic\" }\n"
                        "cell { pressure = 100, most_rate = 1 }" R,
                        &h);
    CHECK(was_heard(&h, "scene.lua:2: cell: most_rate is called max_rate now"));
    scree_scene_close(scene);
    scene = must_listen("g = material { density = 2500, young = 1e6 }\n"
                        "body { shape = globe { radius = 1, halo = 0.05 }, material = g,\n"
                        "       position = {0, 0, 0} }" R,
                        &h);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text[0], "scene.lua:2: globe: halo is called contact_skin now");
    CHECK_NEAR(scree_scene_plan_of(scene)->bodies[0].stone->skin, 0.05, 1e-3);
    scree_scene_close(scene);
    scene = must_listen("sleep { speed = 1e-3 }\npicture { every = 1, field = \"resting\" }" R, &h);
    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text[0], "scene.lua:2: picture: resting is called sleeping now");
    CHECK_TEXT(scree_scene_plan_of(scene)->pictures[0].def.field, "sleeping");
    scree_scene_close(scene);
}

/*  Also where a stage changes it. */
TEST(old_names_of_values_of_laws_mean_the_new_ones)
{
    static const char rule[] = "g = material { density = 2500, young = 1e6 }\n"
                               "r = rule { law = \"penalty\", values = { halo = 0.5 } }\n"
                               "stage { ends = after(1), change = set_rule { rule = r,\n"
                               "        values = { halo = 0.25 } } }\n" R;
    heard h;
    scree_error error;
    scree_scene *scene = must_listen(rule, &h);
    const scree_scene_plan *plan = scree_scene_plan_of(scene);

    CHECK_EQUAL(h.count, 1);
    CHECK_SAYS(h.text[0], "scene.lua:2: rule: halo is called contact_skin now");
    CHECK(!strcmp(plan->rules[0].names[0], "contact_skin") && plan->rules[0].values[0] == 0.5);
    scree_scene_close(scene);
    CHECK(!listen("rule { law = \"penalty\", values = { halo = 1, contact_skin = 1 } }" R, &h,
                  &error));
    CHECK_SAYS(error.text, "values: `halo` is the old name of `contact_skin`; leave one");
    /* other laws never had it, and a law of formulas may have a value of this name */
    CHECK(!listen("rule { law = \"hertz\", values = { halo = 1 } }" R, &h, &error));
    CHECK_SAYS(error.text, "values: law \"hertz\" has no value `halo`");
}

TEST(each_name_is_warned_of_once)
{
    heard h;
    scree_scene *scene = must_listen("g = material { density = 2500, young = 1e6 }\n"
                                     "for k = 1, 3 do\n"
                                     "  wall { shape = plane { }, material = g,\n"
                                     "         loose = loose { mass = 1, held = \"all\" } }\n"
                                     "end\n" R,
                                     &h);
    CHECK_EQUAL(h.count, 2);
    CHECK_EQUAL(scree_scene_plan_of(scene)->wall_count, 3);
    scree_scene_close(scene);
    /* another scene is warned of again, and one with the new names not at all */
    scree_scene_close(must_listen("solver { stepper = \"euler\" }" R, &h));
    CHECK_EQUAL(h.count, 1);
    scree_scene_close(must_listen("solver { integrator = \"euler\" }\nsleep { speed = 1 }" R, &h));
    CHECK_EQUAL(h.count, 0);
}

TEST(both_names_at_once_are_refused)
{
    heard h;
    scree_error error;

    CHECK(!listen("solver { stepper = \"euler\", integrator = \"euler\" }" R, &h, &error));
    CHECK_SAYS(error.text,
               "scene.lua:1: solver: `stepper` is the old name of `integrator`; leave one");
    CHECK(!listen("sleep { speed = 1 }\nrest { speed = 1 }" R, &h, &error));
    CHECK_SAYS(error.text, "was called in line 1 already");
    /* and no message offers an old name */
    CHECK(!listen("solver { steper = \"euler\" }" R, &h, &error));
    CHECK(!strstr(error.text, "stepper"));
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(old_names_mean_the_new_things),
        CASE(old_words_mean_the_new_ones),
        CASE(old_names_of_values_of_laws_mean_the_new_ones),
        CASE(each_name_is_warned_of_once),
        CASE(both_names_at_once_are_refused),
    };
    NEEDS_SCENES("test_scene_old_names");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
