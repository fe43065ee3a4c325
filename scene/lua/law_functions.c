/*  law: contact models written as formulas (scree/law.h), which interactions use by name like built-in ones. */
#include "formula/parse.h"
#include "language.h"

#include "scree/law.h"

#include <string.h>

#define MAX_LAWS 100u

/*  The definition; names and texts are owned by the scene. */
typedef struct law_record
{
    int line;
    scree_formula_law_def def;
    scree_formula_memory memory[SCREE_MAX_FORMULA_MEMORY];
    scree_formula_parameter parameters[SCREE_MAX_FORMULA_PARAMETERS];
} law_record;

static void begin_law(scene_reader *reader, void *record)
{
    law_record *law = record;

    law->line = reader->line;
    law->def = scree_default_formula_law_def();
}

/*  Values of formulas are in SI. */
static void read_parameters(scene_reader *reader, void *target)
{
    law_record *law = target;
    scene_named_numbers numbers;

    scene_read_named_numbers(reader, &numbers);
    if (numbers.count > SCREE_MAX_FORMULA_PARAMETERS)
        scene_refuse(reader, "has %u items, at most %d", numbers.count,
                     SCREE_MAX_FORMULA_PARAMETERS);
    for (uint32_t k = 0; k < numbers.count; k++)
        law->parameters[k] = (scree_formula_parameter){numbers.names[k], numbers.values[k]};
    law->def.parameter_count = numbers.count;
}

/*  Texts by name, sorted, since Lua tables have no order. */
static void read_memory(scene_reader *reader, void *target)
{
    law_record *law = target;
    lua_State *L = reader->L;
    uint32_t count = 0;

    if (lua_type(L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader, "a table of formulas, as { deepest = \"max(deepest, d)\" }");
    for (lua_pushnil(L); lua_next(L, reader->index); lua_pop(L, 1)) {
        int at = lua_gettop(L);
        if (lua_type(L, at - 1) != LUA_TSTRING)
            scene_refuse(reader, "has an item without a name; formulas are written as "
                                 "`deepest = \"max(deepest, d)\"`");
        if (lua_type(L, at) != LUA_TSTRING)
            scene_refuse(reader, "%.40s is %.60s, must be a formula, as \"max(deepest, d)\"",
                         lua_tostring(L, at - 1), scene_describe(L, at));
        if (count == SCREE_MAX_FORMULA_MEMORY)
            scene_refuse(reader, "has more than %d items", SCREE_MAX_FORMULA_MEMORY);
        const char *name = scene_keep_text(reader, at - 1), *next = scene_keep_text(reader, at);
        uint32_t place = count++;
        for (; place > 0 && strcmp(law->memory[place - 1].name, name) > 0; place--)
            law->memory[place] = law->memory[place - 1];
        law->memory[place] = (scree_formula_memory){name, next};
    }
    law->def.memory_count = count;
}

/*  { stiffness = , damping = , limit = } */
static void read_spring(scene_reader *reader, void *target)
{
    scree_formula_law_def *def = &((law_record *)target)->def;
    const char **const fields[] = {&def->spring_stiffness, &def->spring_damping,
                                   &def->spring_limit};
    static const char *const names[] = {"stiffness", "damping", "limit", NULL};
    lua_State *L = reader->L;

    if (lua_type(L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader,
                           "a table of formulas, as { stiffness = \"kt\", limit = \"mu * fn\" }");
    for (lua_pushnil(L); lua_next(L, reader->index); lua_pop(L, 1)) {
        int at = lua_gettop(L), which = 0;
        const char *name = lua_type(L, at - 1) == LUA_TSTRING ? lua_tostring(L, at - 1) : "";
        while (names[which] && strcmp(names[which], name) != 0)
            which++;
        if (!names[which])
            scene_refuse(reader, "there is no `%.40s`; it has stiffness, damping, limit", name);
        if (lua_type(L, at) != LUA_TSTRING)
            scene_refuse(reader, "%s is %.60s, must be a formula", name, scene_describe(L, at));
        *fields[which] = scene_keep_text(reader, at);
    }
    if (!def->spring_stiffness || !def->spring_limit)
        scene_refuse(reader, "`%s` is missing, as in { stiffness = \"kt\", limit = \"mu * fn\" }",
                     def->spring_stiffness ? "limit" : "stiffness");
}

static int end_law(scene_reader *reader, void *record)
{
    law_record *law = record;
    scree_error why = {SCREE_OK, ""};

    if (reader->scene->list[SCENE_LAWS].count >= MAX_LAWS)
        scene_refuse(reader, "there can be %u", MAX_LAWS);
    if (law->def.name && scene_find_law(reader->scene, law->def.name))
        scene_refuse(reader, "name: there is a law \"%.40s\" already", law->def.name);
    law->def.memory = law->memory;
    law->def.parameters = law->parameters;
    law->def.allocator = reader->scene->memory.allocator;
    law->def.error = &why;
    /* add the row first, so that a Lua error leaks nothing */
    scree_law **row = scene_row(reader, SCENE_LAWS);
    scree_status status = scree_formula_law_create(&law->def, row);
    if (status) {
        reader->scene->list[SCENE_LAWS].count--;
        /* "law mine: normal: ..." */
        const char *text = strncmp(why.text, "law ", 4) == 0 ? why.text + 4 : why.text;
        if (status == SCREE_OUT_OF_MEMORY)
            scene_lacks_memory(reader->L);
        scene_refuse(reader, "%s", text);
    }
    return 0;
}

#define OF(member) .offset = offsetof(law_record, def.member)
static const scene_field law_fields[] = {
    {.name = "name",
     .type = SCENE_TEXT,
     OF(name),
     .required = true,
     .help = "by which rules name it, as `rule { law = \"mine\" }`; up to 31 bytes"},
    {.name = "normal",
     .type = SCENE_TEXT,
     OF(normal),
     .required = true,
     .help =
         "the force along the normal, N, above 0 where it pushes; a formula over the overlap d, "
         "the "
         "speed vn of coming closer, R and m of both bodies, materials (E, G, e, zeta, mu, k) and "
         "more; see guide/formulas.md"},
    {.name = "tangential",
     .type = SCENE_TEXT,
     OF(tangential),
     .standard = "none",
     .help = "a force against sliding, N; knows vt, the speed, and fn, the normal force"},
    {.name = "spring",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_spring,
     .standard = "none",
     .accepts = "a table of formulas",
     .help = "or a spring along the plane that is stored from step to step and slides: formulas "
             "for its "
             "stiffness, N/m, perhaps damping, N s/m, and the limit of both together, N"},
    {.name = "rolling",
     .type = SCENE_TEXT,
     OF(rolling),
     .standard = "none",
     .help = "a moment against rolling, N m; knows wr, the rate of rolling"},
    {.name = "where",
     .type = SCENE_TEXT,
     OF(where),
     .standard = "none",
     .help = "names for parts that all formulas may use, as \"a = sqrt(R * d); b = 2 * a\""},
    {.name = "parameters",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_parameters,
     .standard = "{}",
     .accepts = "a table of numbers by name",
     .help = "numbers that its formulas may name, in SI; a rule may give others as `values`"},
    {.name = "memory",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_memory,
     .standard = "{}",
     .accepts = "a table of formulas by name",
     .help = "numbers that each contact remembers, 0 at first: what each becomes; in formulas the "
             "name is "
             "what it was"},
    {.name = "stiffness",
     .type = SCENE_TEXT,
     OF(stiffness),
     .standard = "by differences",
     .help = "dF/dd along the normal, N/m, for the stable step; without it, the force is computed "
             "a second "
             "time with a millionth of R more overlap"},
    {.name = "energy",
     .type = SCENE_TEXT,
     OF(energy),
     .standard = "0",
     .help = "J that the normal force stores, for the balance of energy"},
    {.name = "reach",
     .type = SCENE_NUMBER,
     OF(reach),
     SCENE_FROM(0),
     .unit = "m",
     .standard = "0",
     .help = "it acts until surfaces are so far apart; d is below 0 then"},
};
#undef OF

const scene_function scene_law_functions[] = {
    {.name = "law",
     .chapter = "The world",
     .summary = "A law of contact written as formulas, for rules to name.",
     .example = "law { name = \"soft\", where = \"root = sqrt(k * m)\", normal = \"k * d + 2 * "
                "zeta * root * vn\",\n"
                "      spring = { stiffness = \"k / 3\", limit = \"mu * abs(fn)\" }, stiffness = "
                "\"k\", energy = "
                "\"k * d^2 / 2\" }\n"
                "rule { law = \"soft\" }\n"
                "\n"
                "law { name = \"sticky\", normal = \"E * sqrt(R) * max(d, 0)^1.5 * if(d < deepest, "
                "0.5, 1) "
                "- pull\",\n"
                "      tangential = \"mu * fn * tanh(vt / 0.001)\", rolling = \"0.1 * R * fn\", "
                "reach = 1e-6,\n"
                "      parameters = { pull = 1e-6 }, memory = { deepest = \"max(deepest, d)\" } }\n"
                "rule { law = \"sticky\", values = { pull = 2e-6 } }",
     .fields = law_fields,
     .field_count = SCREE_COUNT_OF(law_fields),
     .record_bytes = sizeof(law_record),
     .begin = begin_law,
     .end = end_law},
};
const size_t scene_law_function_count = SCREE_COUNT_OF(scene_law_functions);
