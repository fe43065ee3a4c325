/*  a * b, a + b and a - b of regions: intersection, union, difference. All other operators are refused. */
#include "language.h"

static const scene_function region_function = {.name = "region"};

/*  Names of the parts in errors. */
static const char *const words[] = {"first", "second"};

static const scree_scene_geometry *take_part(scene_reader *reader, int index)
{
    const scene_value *value = scene_value_at(reader->L, index);
    scree_scene_geometry *kept = scene_keep(reader, 1, sizeof *kept);

    if (!value || (value->kind != SCENE_A_REGION && value->kind != SCENE_A_BALL))
        scene_refuse(reader,
                     "the %s operand of *, + or - is %.60s, must be a region, as box { ... }",
                     words[index - 1], scene_describe(reader->L, index));
    reader->index = index;
    scene_read_part(reader, kept);
    if (kept->form == SCREE_FORM_PLANE)
        for (int k = 0; k < 3; k++) {
            kept->lower[k] = -INFINITY;
            kept->upper[k] = INFINITY;
        }
    return kept;
}

static void bound_box(scree_scene_geometry *g)
{
    for (int k = 0; k < 3; k++) {
        double lower = g->first->lower[k], upper = g->first->upper[k];
        double other_lower = g->second->lower[k], other_upper = g->second->upper[k];
        if (g->form == SCREE_FORM_BOTH) {
            lower = fmax(lower, other_lower);
            upper = fmin(upper, other_upper);
        } else if (g->form == SCREE_FORM_EITHER) {
            lower = fmin(lower, other_lower);
            upper = fmax(upper, other_upper);
        }
        g->lower[k] = lower;
        g->upper[k] = upper;
    }
}

/*  A cylinder - b - c ... is a chain with this many parts at most, since reading it is recursive. */
#define MAX_DEPTH 200
/*  In total. A part that is used twice counts twice, as it costs twice: r = r + r doubles the number. */
#define MAX_PARTS 10000

static uint32_t parts_of(const scree_scene_geometry *g)
{
    return scene_is_composed(g) ? g->parts : 1;
}

static int compose(lua_State *L, scree_scene_form form)
{
    scene_host *host = scene_host_of(L);
    scene_reader reader = {.L = L,
                           .host = host,
                           .scene = host->scene,
                           .function = &region_function,
                           .line = scene_line_of_call(L)};
    scene_value value = {.kind = SCENE_A_REGION, .geometry = {.form = form}};
    scree_scene_geometry *g = &value.geometry;
    int dimensions = host->scene->plan.world.dimensions;

    g->first = take_part(&reader, 1);
    g->second = take_part(&reader, 2);
    g->depth = 1 + (g->first->depth > g->second->depth ? g->first->depth : g->second->depth);
    if (g->depth > MAX_DEPTH)
        scene_refuse(&reader, "is composed in %u steps, one within the other; must be at most %d",
                     g->depth, MAX_DEPTH);
    g->parts = parts_of(g->first) + parts_of(g->second);
    if (g->parts > MAX_PARTS)
        scene_refuse(&reader, "is composed of %u parts; must be at most %d", g->parts, MAX_PARTS);
    bound_box(g);
    for (int k = 0; k < dimensions; k++)
        if (!(g->lower[k] < g->upper[k]))
            scene_refuse(&reader, "has no volume: along %c its parts do not overlap", "xyz"[k]);
    scene_push(&reader, &value);
    return 1;
}

static int intersect(lua_State *L)
{
    return compose(L, SCREE_FORM_BOTH);
}

static int unite(lua_State *L)
{
    return compose(L, SCREE_FORM_EITHER);
}

static int subtract(lua_State *L)
{
    return compose(L, SCREE_FORM_WITHOUT);
}

/*  Lua's own errors for these do not say what the value is. */
static int refuse_operator(lua_State *L)
{
    scene_host *host = scene_host_of(L);
    int index = scene_value_at(L, 1) ? 1 : 2;
    const scene_function made_by = {.name = scene_value_at(L, index)->made_by};
    scene_reader reader = {.L = L,
                           .host = host,
                           .scene = host->scene,
                           .function = &made_by,
                           .line = scene_line_of_call(L)};

    scene_refuse(&reader,
                 "its value cannot be used %s; regions have a * b (in both), a + b (in "
                 "one of them) and a - b (in a, not in b)",
                 lua_tostring(L, lua_upvalueindex(1)));
}

void scene_add_operators(lua_State *L)
{
    static const luaL_Reg operators[] = {
        {"__mul", intersect}, {"__add", unite}, {"__sub", subtract}, {NULL, NULL}};
    static const char *const refused[][2] = {
        {"__unm", "with the - of one value"},
        {"__div", "with /"},
        {"__mod", "with %"},
        {"__pow", "with ^"},
        {"__idiv", "with //"},
        {"__band", "with &"},
        {"__bor", "with |"},
        {"__bxor", "with ~"},
        {"__bnot", "with ~"},
        {"__shl", "with <<"},
        {"__shr", "with >>"},
        {"__concat", "with .."},
        {"__len", "with #"},
        {"__lt", "with < or >"},
        {"__le", "with <= or >="},
        {"__call", "as a function"},
        {"__index", "as a table"},
    };

    scene_push_metatable(L);
    luaL_setfuncs(L, operators, 0);
    for (size_t i = 0; i < SCREE_COUNT_OF(refused); i++) {
        lua_pushstring(L, refused[i][1]);
        lua_pushcclosure(L, refuse_operator, 1);
        lua_setfield(L, -2, refused[i][0]);
    }
    lua_pop(L, 1);
}
