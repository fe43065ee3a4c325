/*  What a script may not do without end: its budgets, what it says when it is stopped, and that it can be asked to. */
#include "scene_maker.h"

/*  Each ends by itself, soon, and says why. */
TEST(budgets_hold)
{
    static const struct
    {
        const char *text, *says;
    } greedy[] = {
        {"while true do end", "scene.lua:1: the scene takes too long: its budget of instructions"},
        {"while true do pcall(function() while true do end end) end", "takes too long"},
        {"local function f() pcall(f) while true do pcall(f) end end f()", "takes too long"},
        {"pcall(error) local ok = pcall(function() while true do end end) run { time = 1 }",
         "takes too long"},
        {"local s = \"x\" while true do s = s .. s end", "more memory than its budget"},
        {"local t = {} for i = 1, 1e9 do t[i] = i end", "more memory than its budget"},
        {"pcall(string.rep, \"x\", 1e15) string.rep(\"x\", 1e15) run { time = 1 }",
         "resulting string too large"},
        {"string.rep(\"x\", 1e9)", "more memory than its budget"},
        {"local ok = pcall(string.rep, \"x\", 1e9) run { time = 1 }",
         "more memory than its budget"},
        {"local s = string.rep(\"ab\", 1e6) for i = 1, 1e9 do local t = s .. i end",
         "takes too long"},
        {"local s = string.rep(\"a\", 1e6) for i = 1, 1e9 do string.find(s, string.rep(\"a\", "
         "1000) .. \"b\") end",
         "takes too long"},
        {"string.rep(\"\", 1e15) run { time = 1 } x = y", "nothing called \"y\""},
        {"local t = {} for i = 1, 1e9 do table.insert(t, 1, i) end", "takes too long"},
        {"local t = {} for i = 1, 1e5 do t[i] = -i end for i = 1, 1e6 do table.sort(t) end",
         "takes too long"},
        {"for i = 1, 1e9 do material { } end", "the limit is 1000 materials"},
        {"local s, g = sphere { radius = 1 }, material { } for i = 1, 1e9 do body { shape = s, "
         "material = g, position = {i, 0, 0} } end",
         "more memory than its budget"},
        {"local t = {} for i = 1, 150 do t = {t} end local s = string.rep(\"{\", 1e5)",
         "`run { time = 1 }` is missing"},
        {"string.format(\"%99999d\", 1)", "invalid conversion"},
        {"(function(...) end)(table.unpack({}, 1, 1e7))", "too many results"},
    };

    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
        scree_scene_def def = scree_default_scene_def();
        scree_error error = {SCREE_OK, ""};
        scree_scene *scene;
        def.text = greedy[i].text;
        def.name = "scene.lua";
        def.error = &error;
        def.instruction_budget = 3000000;
        def.memory_budget = 20000000;
        scree_status status = scree_scene_open(&def, &scene);
        if (status != SCREE_BAD_FILE || !strstr(error.text, greedy[i].says))
            FAIL("%s\nsays %s", greedy[i].text, error.text);
    }
}

/*  Messages of Lua's own functions have the line as well, and no text of a scene gives orders to a terminal. */
TEST(every_message_says_where_and_is_one_plain_line)
{
    static const struct
    {
        const char *text, *says;
    } wrong[] = {
        {"\nstring.format(\"%d\", \"x\")", "scene.lua:2: bad argument #2 to 'string.format'"},
        {"\nstring.rep()", "scene.lua:2: bad argument #1 to 'rep'"},
        {"error(\"\\27[2J\\n\\194\\155H\")", "scene.lua:1: ?[2J???H"},
        {"error({})", "scene.lua: the script ended with an error that is not a text"},
        {"error(\"lost\", 0)", "scene.lua:1: lost"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scree_error error;
        CHECK(!open_scene_with(wrong[i].text, NULL, 0, &error));
        CHECK_SAYS(error.text, wrong[i].says);
    }
}

static bool stop_at_tenth(void *user)
{
    return ++*(int *)user == 10;
}

/*  However long its texts are. */
TEST(a_script_can_be_asked_to_stop)
{
    static const char *const endless[] = {
        "while true do end",
        "local s, t = string.rep('x', 5e7), string.rep('x', 5e7) while s <= t do end",
        "while true do pcall(function() while true do end end) end",
    };

    for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
        scree_scene_def def = scree_default_scene_def();
        scree_error error = {SCREE_OK, ""};
        scree_scene *scene;
        int asked = 0;
        def.text = endless[i];
        def.error = &error;
        def.stops = stop_at_tenth;
        def.stop_user = &asked;
        CHECK_EQUAL(scree_scene_open(&def, &scene), SCREE_BAD_FILE);
        CHECK_SAYS(error.text, "the program was asked to stop");
        CHECK_EQUAL(asked, 10);
    }
}

TEST(deeply_nested_text_is_refused)
{
    enum
    {
        DEEP = 100000
    };
    char *text = malloc(2 * DEEP + 10);
    scree_error error;

    memcpy(text, "x = ", 4);
    memset(text + 4, '{', DEEP);
    memset(text + 4 + DEEP, '}', DEEP);
    text[4 + 2 * DEEP] = 0;
    CHECK(!open_scene_with(text, NULL, 0, &error));
    CHECK_SAYS(error.text, "overflow");
    free(text);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(budgets_hold),
        CASE(every_message_says_where_and_is_one_plain_line),
        CASE(a_script_can_be_asked_to_stop),
        CASE(deeply_nested_text_is_refused),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
