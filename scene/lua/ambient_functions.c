/*  fluid, set_fluid, force_field, rotating_frame: what acts on bodies besides contacts and gravity (scree/ambient.h). */
#include "base/decimal.h"
#include "flow_rows.h"
#include "language.h"

#include <stdio.h>
#include <string.h>

/* ---- formulas ---- */

/*  A formula as text, or a number in the scene's unit, which becomes a text in SI. */
static const char *read_formula(scene_reader *reader, int index)
{
    char text[SCREE_REAL_TEXT];
    const char *kept;

    if (lua_type(reader->L, index) == LUA_TSTRING)
        return scene_keep_text(reader, index);
    if (lua_type(reader->L, index) != LUA_TNUMBER)
        scene_refuse_at(reader, index, "a number, or a formula as text, such as \"0.3 * z\"");
    scree_real_to_text(scene_read_number(reader, index), text);
    lua_pushstring(reader->L, text);
    kept = scene_keep_text(reader, lua_gettop(reader->L));
    lua_pop(reader->L, 1);
    return kept;
}

/*  Three of them; the target is const char *[3]. */
static void read_formulas(scene_reader *reader, void *target)
{
    const char **formulas = target;

    if (lua_type(reader->L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader, "three numbers or formulas, as { 0, 0, \"0.3 * z\" }");
    scene_length(reader, reader->index, 3, 3);
    for (int k = 0; k < 3; k++) {
        lua_rawgeti(reader->L, reader->index, k + 1);
        formulas[k] = read_formula(reader, lua_gettop(reader->L));
        lua_pop(reader->L, 1);
    }
}

static void read_one_formula(scene_reader *reader, void *target)
{
    *(const char **)target = read_formula(reader, reader->index);
}

/*  A box; everywhere without one. */
static void take_box(scene_reader *reader, const scree_scene_geometry *region, double lower[3],
                     double upper[3])
{
    if (!scene_is_given(reader, "region"))
        return;
    if (region->form != SCREE_FORM_BOX)
        scene_refuse(reader, "region: must be a box { }");
    memcpy(lower, region->lower, sizeof region->lower);
    memcpy(upper, region->upper, sizeof region->upper);
}

#define FORMULAS_OF_PLACE "three numbers or formulas of x, y, z, t"
#define FORMULAS_OF_BODY "three numbers or formulas of x, y, z, t, vx, vy, vz, mass, radius"
#define OF(member) .offset = offsetof(ambient_record, member)
#define FORMULA_ROW(field, member, says, its_unit, its_help)                                       \
    {                                                                                              \
        .name = field, .type = SCENE_OWN, .read = read_formulas, OF(member), .unit = its_unit,     \
        SCENE_ANY, .accepts = says, .standard = "0", .help = its_help                              \
    }
#define REGION_ROW(its_help)                                                                       \
    {                                                                                              \
        .name = "region", .type = SCENE_REGION, OF(region), .standard = "everywhere",              \
        .help = its_help                                                                           \
    }
#define GROUPS_ROW(member)                                                                         \
    {                                                                                              \
        .name = "groups", .type = SCENE_GROUPS, OF(member), .standard = "all",                     \
        .help = "acts on bodies with one of these groups"                                          \
    }

typedef struct ambient_record
{
    scree_fluid_def fluid;
    scree_force_field_def field;
    scree_scene_geometry region;
    double rotation[3], centre[3];
    const char *flow; /* a file */
} ambient_record;

static void begin_ambient(scene_reader *reader, void *record)
{
    ambient_record *r = record;

    (void)reader;
    r->fluid = scree_default_fluid_def();
    r->field = scree_default_force_field_def();
}

/* ---- fluid ---- */

/*  Values in the file are in the scene's units. */
static const scree_flow_grid *read_flow(scene_reader *reader, const char *file)
{
    scree_error error = {SCREE_OK, ""};
    scree_flow_grid *flow = scene_keep(reader, 1, sizeof *flow);
    double(*nodes)[3];
    scree_status status =
        scene_read_flow(reader->scene, scene_file_path(reader, file), flow, &nodes, &error);

    if (status)
        scene_fail_as(reader, status, error.text);
    for (int k = 0; k < 3; k++) {
        flow->lower[k] = scene_to_si(reader, flow->lower[k], "m");
        flow->spacing[k] = scene_to_si(reader, flow->spacing[k], "m");
    }
    for (size_t n = 0; n < (size_t)flow->count[0] * flow->count[1] * flow->count[2]; n++)
        for (int k = 0; k < 3; k++)
            nodes[n][k] = scene_to_si(reader, nodes[n][k], "m/s");
    return flow;
}

static void finish_fluid(scene_reader *reader, ambient_record *r)
{
    if (scene_is_given(reader, "void_fraction") && scene_is_given(reader, "cell"))
        scene_refuse(reader, "has `void_fraction` and `cell`; give one of them");
    if (r->fluid.drag != SCREE_DRAG_NONE && !(r->fluid.viscosity > 0))
        scene_refuse(reader, "`viscosity` is missing: drag needs it");
    if (r->fluid.drag > SCREE_DRAG_STOKES && !(r->fluid.density > 0))
        scene_refuse(reader, "`density` is missing: this drag law needs it");
    if (r->fluid.has_rotational_drag && !(r->fluid.viscosity > 0))
        scene_refuse(reader, "`viscosity` is missing: rotational_drag needs it");
    take_box(reader, &r->region, r->fluid.lower, r->fluid.upper);
    if (r->flow)
        r->fluid.flow = read_flow(reader, r->flow);
}

static int end_fluid(scene_reader *reader, void *record)
{
    ambient_record *r = record;
    scree_scene_plan *plan = &reader->scene->plan;

    finish_fluid(reader, r);
    plan->has_fluid = true;
    plan->fluid_line = reader->line;
    plan->fluid = r->fluid;
    return 0;
}

/*  For `change` of a stage. */
static int end_set_fluid(scene_reader *reader, void *record)
{
    ambient_record *r = record;
    scree_fluid_def *fluid = scene_keep(reader, 1, sizeof *fluid);

    finish_fluid(reader, r);
    *fluid = r->fluid;
    return scene_push_change(reader,
                             &(scree_scene_change){.kind = SCREE_CHANGE_FLUID, .fluid = fluid});
}

static const scene_word drag_words[] = {{"none", SCREE_DRAG_NONE},
                                        {"stokes", SCREE_DRAG_STOKES},
                                        {"schiller-naumann", SCREE_DRAG_SCHILLER_NAUMANN},
                                        {"di-felice", SCREE_DRAG_DI_FELICE},
                                        {"gidaspow", SCREE_DRAG_GIDASPOW},
                                        {NULL, 0}};

static const scene_field fluid_fields[] = {
    {.name = "density",
     .type = SCENE_NUMBER,
     OF(fluid.density),
     SCENE_WITHIN(0, 1e100),
     .unit = "kg/m^3",
     .standard = "0",
     .help = "of the fluid, for buoyancy and all drag laws but \"stokes\""},
    {.name = "viscosity",
     .type = SCENE_NUMBER,
     OF(fluid.viscosity),
     SCENE_WITHIN(0, 1e100),
     .unit = "Pa s",
     .standard = "0",
     .help = "dynamic viscosity, for drag"},
    {.name = "drag",
     .type = SCENE_WORD,
     .words = drag_words,
     OF(fluid.drag),
     .standard = "\"schiller-naumann\"",
     .help = "the drag law: of a single sphere (\"stokes\", \"schiller-naumann\"), or with void "
             "fractions (\"di-felice\", \"gidaspow\")"},
    FORMULA_ROW("velocity", fluid.velocity, FORMULAS_OF_PLACE, "m/s",
                "of the fluid; formulas are in SI"),
    {.name = "flow",
     .type = SCENE_TEXT,
     OF(flow),
     .standard = "none",
     .help = "a CSV file with rows x, y, z, vx, vy, vz at all nodes of a regular grid, relative to "
             "the scene: is added to `velocity`; between nodes it is interpolated, and beyond the "
             "grid it is that of the nearest point"},
    FORMULA_ROW("pressure_gradient", fluid.pressure_gradient, FORMULAS_OF_PLACE, "Pa/m",
                "in addition to that of gravity; it pushes bodies the other way"),
    FORMULA_ROW("angular_velocity", fluid.angular_velocity, FORMULAS_OF_PLACE, "rad/s",
                "half the vorticity, for rotational_drag"),
    {.name = "buoyancy",
     .type = SCENE_SWITCH,
     OF(fluid.has_buoyancy),
     .standard = "true",
     .help = "whether the weight of the displaced fluid acts on bodies"},
    {.name = "rotational_drag",
     .type = SCENE_SWITCH,
     OF(fluid.has_rotational_drag),
     .standard = "false",
     .help = "whether rotation is slowed down, by Stokes' law"},
    {.name = "void_fraction",
     .type = SCENE_OWN,
     .read = read_one_formula,
     OF(fluid.void_fraction),
     .lower = 0,
     .upper = 1,
     .above = true,
     .accepts = "a number above 0 to 1, or a formula of x, y, z, t",
     .standard = "1",
     .help = "share of the volume that is fluid"},
    {.name = "cell",
     .type = SCENE_NUMBER,
     OF(fluid.cell),
     SCENE_WITHIN(0, 1e100),
     .above = true,
     .unit = "m",
     .standard = "void_fraction is given",
     .help = "the void fraction is found from the bodies, on a grid of cells with this edge: 3 to "
             "5 diameters"},
    REGION_ROW("a box that the fluid fills; at its sides forces are those on the part inside"),
    GROUPS_ROW(fluid.groups),
};

/* ---- force_field ---- */

static void add_field(scene_reader *reader, const scree_force_field_def *field)
{
    scree_scene_plan *plan = &reader->scene->plan;

    if (plan->force_field_count == SCREE_MAX_FORCE_FIELDS)
        scene_refuse(reader, "there can be %d force fields and rotating frames",
                     SCREE_MAX_FORCE_FIELDS);
    plan->force_field_lines[plan->force_field_count] = reader->line;
    plan->force_fields[plan->force_field_count++] = *field;
}

static int end_field(scene_reader *reader, void *record)
{
    ambient_record *r = record;

    if (!scene_is_given(reader, "acceleration") && !scene_is_given(reader, "force"))
        scene_refuse(reader, "`acceleration` or `force` is missing");
    take_box(reader, &r->region, r->field.lower, r->field.upper);
    add_field(reader, &r->field);
    return 0;
}

static const scene_field force_field_fields[] = {
    FORMULA_ROW("acceleration", field.acceleration, FORMULAS_OF_BODY, "m/s^2",
                "of bodies; formulas are in SI"),
    FORMULA_ROW("force", field.force, FORMULAS_OF_BODY, "N", "on each body, in addition"),
    REGION_ROW("a box: acts on bodies with their centres in it"),
    GROUPS_ROW(field.groups),
};

/* ---- rotating_frame ---- */

/*  Adds "value * (name - from)" to a formula. */
static void add_term(char *text, size_t room, double value, const char *name, double from)
{
    char number[SCREE_REAL_TEXT], origin[SCREE_REAL_TEXT];
    size_t length = strlen(text);

    scree_real_to_text(value, number);
    scree_real_to_text(from, origin);
    if (value != 0)
        snprintf(text + length, room - length, "%s(%s) * (%s - (%s))", length ? " + " : "", number,
                 name, origin);
}

/*  The centrifugal acceleration w^2 r - w (w . r), with r from the centre, and that of Coriolis, 2 v x w. */
static int end_frame(scene_reader *reader, void *record)
{
    static const char *const places[] = {"x", "y", "z"}, *const speeds[] = {"vx", "vy", "vz"};
    ambient_record *r = record;
    const double *w = r->rotation;
    double square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    char text[512];

    for (int k = 0; k < 3; k++) {
        int l = (k + 1) % 3, m = (k + 2) % 3;
        text[0] = 0;
        for (int j = 0; j < 3; j++)
            add_term(text, sizeof text, (j == k ? square : 0) - w[k] * w[j], places[j],
                     r->centre[j]);
        add_term(text, sizeof text, 2 * w[m], speeds[l], 0);
        add_term(text, sizeof text, -2 * w[l], speeds[m], 0);
        lua_pushstring(reader->L, text[0] ? text : "0");
        r->field.acceleration[k] = scene_keep_text(reader, lua_gettop(reader->L));
        lua_pop(reader->L, 1);
    }
    add_field(reader, &r->field);
    return 0;
}

static const scene_field frame_fields[] = {
    {.name = "rotation",
     .type = SCENE_VECTOR,
     OF(rotation),
     .required = true,
     .unit = "rad/s",
     .help = "angular velocity of the frame; constant"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     OF(centre),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "a point of the axis"},
};
#undef OF

const scene_function scene_ambient_functions[] = {
    {.name = "fluid",
     .chapter = "The world",
     .summary = "A fluid whose flow is given: drag, buoyancy and pressure gradients act on bodies. "
                "Bodies do not act on it. A body that is not a sphere counts as the sphere of its "
                "volume.",
     .example =
         "fluid { density = 1000, viscosity = 1e-3, drag = \"di-felice\", cell = 0.02,\n"
         "        velocity = {\"0.3 * z\", 0, 0}, pressure_gradient = {0, 0, \"-100 * sin(t)\"},\n"
         "        rotational_drag = true, angular_velocity = {0, 0.15, 0}, buoyancy = true,\n"
         "        region = box { lower = {-1, -1, 0}, upper = {1, 1, 1} } }\n"
         "-- or, where the void fraction is known: void_fraction = 0.4",
     .fields = fluid_fields,
     .field_count = SCREE_COUNT_OF(fluid_fields),
     .record_bytes = sizeof(ambient_record),
     .begin = begin_ambient,
     .end = end_fluid,
     .may_be_replaced = true,
     .once = true},
    {.name = "set_fluid",
     .chapter = "The world",
     .summary =
         "For `change` of a stage: what the fluid becomes. Fields that are not given have their "
         "defaults, not the values before.",
     .example =
         "fluid { density = 1.2, viscosity = 1.8e-5 }\n"
         "stage { ends = after(0.1) }\n"
         "stage { ends = after(0.1), change = set_fluid { density = 1.2, viscosity = 1.8e-5, "
         "velocity = {3, 0, 0} } }",
     .fields = fluid_fields,
     .field_count = SCREE_COUNT_OF(fluid_fields),
     .record_bytes = sizeof(ambient_record),
     .begin = begin_ambient,
     .may_be_replaced = true,
     .end = end_set_fluid},
    {.name = "force_field",
     .chapter = "The world",
     .summary = "An acceleration of bodies, or a force on them, by formulas. Several add up.",
     .example = "force_field { acceleration = {\"2 * sin(2 * pi * t)\", 0, 0},\n"
                "              force = {0, 0, \"-0.1 * vz * radius\"}, groups = {1} }",
     .fields = force_field_fields,
     .field_count = SCREE_COUNT_OF(force_field_fields),
     .record_bytes = sizeof(ambient_record),
     .begin = begin_ambient,
     .may_be_replaced = true,
     .end = end_field},
    {.name = "rotating_frame",
     .chapter = "The world",
     .summary = "The scene is seen from a frame that rotates: bodies have the centrifugal "
                "acceleration and that of Coriolis.",
     .example = "rotating_frame { rotation = {0, 0, 10}, centre = {0.1, 0, 0} }",
     .fields = frame_fields,
     .field_count = SCREE_COUNT_OF(frame_fields),
     .record_bytes = sizeof(ambient_record),
     .begin = begin_ambient,
     .may_be_replaced = true,
     .end = end_frame},
};
const size_t scene_ambient_function_count = SCREE_COUNT_OF(scene_ambient_functions);
