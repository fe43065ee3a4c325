/*  Fluids and force fields: from definitions to programs. */
#include "world/state/ambient.h"

#include "base/check_numbers.h"
#include "base/sized_definition.h"
#include "formula/parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FLUID_COOKIE 0xf1d1d001u
#define FIELD_COOKIE 0xf1d1d002u

#define UNBOUNDED                                                                                  \
    .lower = {-INFINITY, -INFINITY, -INFINITY}, .upper = {INFINITY, INFINITY, INFINITY},           \
    .groups = UINT64_MAX

static const scree_fluid_def standard_fluid = {.cookie = FLUID_COOKIE,
                                               .size = sizeof(scree_fluid_def),
                                               .drag = SCREE_DRAG_SCHILLER_NAUMANN,
                                               .has_buoyancy = true,
                                               UNBOUNDED};
static const scree_force_field_def standard_field = {
    .cookie = FIELD_COOKIE, .size = sizeof(scree_force_field_def), UNBOUNDED};

void scree_init_fluid_def(scree_fluid_def *def, size_t size)
{
    scree_definition_write(def, size, &standard_fluid, sizeof standard_fluid);
}

void scree_init_force_field_def(scree_force_field_def *def, size_t size)
{
    scree_definition_write(def, size, &standard_field, sizeof standard_field);
}

/* ---- formulas ---- */

static const scree_formula_name names[] = {
    {"t", 0, false},
    {"x", SCREE_AMBIENT_X, true},
    {"y", SCREE_AMBIENT_Y, true},
    {"z", SCREE_AMBIENT_Z, true},
    {"vx", SCREE_AMBIENT_VX, true},
    {"vy", SCREE_AMBIENT_VY, true},
    {"vz", SCREE_AMBIENT_VZ, true},
    {"mass", SCREE_AMBIENT_MASS, true},
    {"radius", SCREE_AMBIENT_RADIUS, true},
};
#define NAMES_OF_PLACE 4

/*  How a fluid or a field is read: the name of each formula, and its value where there is none. */
typedef struct formula_list
{
    const char *what;
    size_t name_count; /* how many of `names` they may use */
    uint32_t count;
    struct
    {
        const char *name;
        double otherwise;
    } of[SCREE_FLUID_FORMULAS];
} formula_list;

static const formula_list fluid_formulas = {"fluid",
                                            NAMES_OF_PLACE,
                                            SCREE_FLUID_FORMULAS,
                                            {{"velocity[0]", 0},
                                             {"velocity[1]", 0},
                                             {"velocity[2]", 0},
                                             {"angular_velocity[0]", 0},
                                             {"angular_velocity[1]", 0},
                                             {"angular_velocity[2]", 0},
                                             {"pressure_gradient[0]", 0},
                                             {"pressure_gradient[1]", 0},
                                             {"pressure_gradient[2]", 0},
                                             {"void_fraction", 1}}};
static const formula_list field_formulas = {"force field",
                                            SCREE_COUNT_OF(names),
                                            SCREE_FIELD_FORMULAS,
                                            {{"acceleration[0]", 0},
                                             {"acceleration[1]", 0},
                                             {"acceleration[2]", 0},
                                             {"force[0]", 0},
                                             {"force[1]", 0},
                                             {"force[2]", 0}}};

static scree_status read_formula(const formula_list *list, uint32_t k, const char *text,
                                 scree_graph *graph, uint32_t *node, scree_error *error)
{
    const scree_formula_scope scope = {.names = names, .name_count = list->name_count};
    scree_error why = {SCREE_OK, ""};
    scree_status status = SCREE_OK;

    if (text && *text)
        status = scree_formula_parse(graph, &scope, text, node, &why);
    else
        *node = scree_graph_number(graph, list->of[k].otherwise);
    if (!status && *node == SCREE_NO_NODE)
        status = scree_fail(&why, SCREE_TOO_LARGE, "the formulas are too long");
    if (status == SCREE_BAD_VALUE)
        status = SCREE_BAD_ARGUMENT;
    return status
               ? scree_fail(error, status, "%s def: %s: %s", list->what, list->of[k].name, why.text)
               : SCREE_OK;
}

static scree_status make_program(const formula_list *list, const char *const *texts,
                                 scree_memory *memory, scree_program **program, scree_error *error)
{
    uint32_t nodes[SCREE_FLUID_FORMULAS];
    scree_graph *graph;
    scree_error why = {SCREE_OK, ""};
    scree_status status = SCREE_OK;

    if (scree_memory_take(memory, 1, sizeof *graph, &graph))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s def: out of memory", list->what);
    scree_graph_clear(graph);
    for (uint32_t k = 0; k < list->count && !status; k++)
        status = read_formula(list, k, texts[k], graph, &nodes[k], error);
    if (!status) {
        status = scree_program_make(memory, graph, nodes, list->count, program, &why);
        if (status)
            scree_fail(error, status, "%s def: %s", list->what, why.text);
    }
    scree_memory_give(memory, &graph, 1, sizeof *graph);
    return status;
}

static scree_status keep_texts(const formula_list *list, const char *const *texts,
                               scree_memory *memory, scree_ambient_formulas *formulas,
                               scree_error *error)
{
    char *at;

    formulas->bytes = 0;
    for (uint32_t k = 0; k < list->count; k++)
        formulas->bytes += (texts[k] ? strlen(texts[k]) : 0) + 1;
    if (scree_memory_take(memory, formulas->bytes, 1, &formulas->text))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s def: out of memory", list->what);
    at = formulas->text;
    for (uint32_t k = 0; k < list->count; k++) {
        size_t bytes = (texts[k] ? strlen(texts[k]) : 0) + 1;
        memcpy(at, texts[k] ? texts[k] : "", bytes);
        formulas->of[k] = bytes > 1 ? at : NULL;
        at += bytes;
    }
    return SCREE_OK;
}

static void free_formulas(scree_ambient_formulas *formulas, scree_memory *memory)
{
    scree_program_free(memory, &formulas->program);
    scree_memory_give(memory, &formulas->text, formulas->bytes, 1);
    memset(formulas, 0, sizeof *formulas);
}

static scree_status make_formulas(const formula_list *list, const char *const *texts,
                                  scree_memory *memory, scree_ambient_formulas *formulas,
                                  scree_error *error)
{
    scree_status status;

    memset(formulas, 0, sizeof *formulas);
    status = make_program(list, texts, memory, &formulas->program, error);
    if (!status)
        status = keep_texts(list, texts, memory, formulas, error);
    if (status)
        free_formulas(formulas, memory);
    return status;
}

/* ---- definitions ---- */

static scree_status check_box(const char *what, const double lower[3], const double upper[3],
                              scree_error *error)
{
    for (int k = 0; k < 3; k++)
        if (!(lower[k] < upper[k]))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "%s def: lower[%d] is %g, must be below upper[%d], which is %g", what,
                              k, lower[k], k, upper[k]);
    return SCREE_OK;
}

static bool is_a_number_from_0(double value)
{
    return value >= 0 && value <= SCREE_MAX_COORDINATE;
}

static scree_status check_fluid(const scree_fluid_def *def, int dimensions, scree_error *error)
{
    if (dimensions != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "fluid def: the world has %d dimensions, must have 3: drag laws are "
                          "those of spheres",
                          dimensions);
    if ((unsigned)def->drag > SCREE_DRAG_GIDASPOW)
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fluid def: drag is %d, must be one of scree_drag", (int)def->drag);
    if (!is_a_number_from_0(def->density))
        return scree_refuse_number(error, "fluid def", "density", def->density,
                                   "0 to 1e100 kg/m^3");
    if (!is_a_number_from_0(def->viscosity))
        return scree_refuse_number(error, "fluid def", "viscosity", def->viscosity,
                                   "0 to 1e100 Pa s");
    if ((def->drag == SCREE_DRAG_STOKES || def->has_rotational_drag) && !(def->viscosity > 0))
        return scree_refuse_number(error, "fluid def", "viscosity", def->viscosity,
                                   "above 0 for Stokes' law and for rotational drag");
    if (def->drag > SCREE_DRAG_STOKES && !(def->viscosity > 0 && def->density > 0))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fluid def: density is %g and viscosity %g, both must be above 0 for "
                          "this drag law",
                          def->density, def->viscosity);
    if (!is_a_number_from_0(def->cell))
        return scree_refuse_number(error, "fluid def", "cell", def->cell, "0 to 1e100 m");
    if (def->cell > 0 && def->void_fraction && *def->void_fraction)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "fluid def: void_fraction is \"%.60s\" and cell is %g: give a formula, "
                          "or the size of cells to find it from bodies",
                          def->void_fraction, def->cell);
    return check_box("fluid", def->lower, def->upper, error);
}

/* ---- flow on a grid ---- */

#define MAX_NODES (1u << 26)

static scree_status check_flow(const scree_flow_grid *flow, scree_error *error)
{
    double nodes = 1;

    if (!flow->velocity)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "fluid def: flow: velocity is NULL");
    for (int k = 0; k < 3; k++) {
        nodes *= flow->count[k];
        if (!scree_is_usable(flow->lower[k]))
            return scree_refuse_number(error, "fluid def", "flow: lower", flow->lower[k], "finite");
        if (!(flow->spacing[k] > 0 && flow->spacing[k] <= SCREE_MAX_COORDINATE))
            return scree_refuse_number(error, "fluid def", "flow: spacing", flow->spacing[k],
                                       "above 0 and at most 1e100 m");
    }
    if (!(nodes >= 1 && nodes <= MAX_NODES))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "fluid def: flow: count is %u x %u x %u nodes, must be 1 to 2^26 in all",
                          flow->count[0], flow->count[1], flow->count[2]);
    for (size_t n = 0; n < scree_flow_nodes(flow); n++)
        if (!scree_are_usable(flow->velocity[n], 3))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "fluid def: flow: the velocity of node %zu is (%g, %g, %g), must be "
                              "finite",
                              n, flow->velocity[n][0], flow->velocity[n][1], flow->velocity[n][2]);
    return SCREE_OK;
}

static size_t flow_bytes(const scree_flow_grid *flow)
{
    return sizeof *flow + scree_flow_nodes(flow) * sizeof *flow->velocity;
}

static scree_status keep_flow(const scree_flow_grid *given, scree_memory *memory,
                              scree_fluid *fluid, scree_error *error)
{
    scree_status status = check_flow(given, error);
    double(*nodes)[3];

    if (status)
        return status;
    if (scree_memory_take(memory, flow_bytes(given), 1, &fluid->flow))
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "fluid def: flow: out of memory");
    *fluid->flow = *given;
    nodes = (double(*)[3])(void *)(fluid->flow + 1);
    memcpy(nodes, given->velocity, scree_flow_nodes(given) * sizeof *nodes);
    fluid->flow->velocity = (const double(*)[3])nodes;
    return SCREE_OK;
}

void scree_fluid_free(scree_fluid *fluid, scree_memory *memory)
{
    free_formulas(&fluid->formulas, memory);
    if (fluid->flow)
        scree_memory_give(memory, &fluid->flow, flow_bytes(fluid->flow), 1);
    memset(fluid, 0, sizeof *fluid);
}

void scree_force_field_free(scree_force_field *field, scree_memory *memory)
{
    free_formulas(&field->formulas, memory);
    memset(field, 0, sizeof *field);
}

static void point_at_texts(scree_fluid *fluid)
{
    const char *const *of = fluid->formulas.of;

    for (int k = 0; k < 3; k++) {
        fluid->def.velocity[k] = of[SCREE_FLUID_VELOCITY + k];
        fluid->def.angular_velocity[k] = of[SCREE_FLUID_ANGULAR_VELOCITY + k];
        fluid->def.pressure_gradient[k] = of[SCREE_FLUID_PRESSURE_GRADIENT + k];
    }
    fluid->def.void_fraction = of[SCREE_FLUID_VOID_FRACTION];
    fluid->def.flow = fluid->flow;
}

scree_status scree_fluid_make(const scree_fluid_def *given, int dimensions, scree_memory *memory,
                              scree_fluid *fluid, scree_error *error)
{
    const char *texts[SCREE_FLUID_FORMULAS];
    scree_status status;

    memset(fluid, 0, sizeof *fluid);
    fluid->def = standard_fluid;
    if (!scree_definition_read(&fluid->def, given))
        return scree_fail(error, SCREE_BAD_DEF,
                          "fluid def: the definition is not from scree_default_fluid_def");
    status = check_fluid(&fluid->def, dimensions, error);
    for (int k = 0; k < 3; k++) {
        texts[SCREE_FLUID_VELOCITY + k] = fluid->def.velocity[k];
        texts[SCREE_FLUID_ANGULAR_VELOCITY + k] = fluid->def.angular_velocity[k];
        texts[SCREE_FLUID_PRESSURE_GRADIENT + k] = fluid->def.pressure_gradient[k];
    }
    texts[SCREE_FLUID_VOID_FRACTION] = fluid->def.void_fraction;
    if (!status)
        status = make_formulas(&fluid_formulas, texts, memory, &fluid->formulas, error);
    if (!status && fluid->def.flow)
        status = keep_flow(fluid->def.flow, memory, fluid, error);
    if (status)
        scree_fluid_free(fluid, memory);
    else
        point_at_texts(fluid);
    return status;
}

scree_status scree_force_field_make(const scree_force_field_def *given, scree_memory *memory,
                                    scree_force_field *field, scree_error *error)
{
    const char *texts[SCREE_FIELD_FORMULAS];
    scree_status status;

    memset(field, 0, sizeof *field);
    field->def = standard_field;
    if (!scree_definition_read(&field->def, given))
        return scree_fail(error, SCREE_BAD_DEF,
                          "force field def: the definition is not from "
                          "scree_default_force_field_def");
    status = check_box("force field", field->def.lower, field->def.upper, error);
    for (int k = 0; k < 3; k++) {
        texts[SCREE_FIELD_ACCELERATION + k] = field->def.acceleration[k];
        texts[SCREE_FIELD_FORCE + k] = field->def.force[k];
    }
    if (!status)
        status = make_formulas(&field_formulas, texts, memory, &field->formulas, error);
    for (int k = 0; k < 3 && !status; k++) {
        field->def.acceleration[k] = field->formulas.of[SCREE_FIELD_ACCELERATION + k];
        field->def.force[k] = field->formulas.of[SCREE_FIELD_FORCE + k];
    }
    return status;
}

void scree_ambient_clear_fields(scree_ambient *ambient, scree_memory *memory)
{
    for (uint32_t k = 0; k < ambient->field_count; k++)
        scree_force_field_free(&ambient->field[k], memory);
    ambient->field_count = 0;
}

void scree_ambient_free(scree_ambient *ambient, scree_memory *memory)
{
    scree_ambient_clear_fields(ambient, memory);
    scree_fluid_free(&ambient->fluid, memory);
    scree_memory_give(memory, &ambient->row, ambient->row_capacity, sizeof *ambient->row);
    scree_memory_give(memory, &ambient->round, ambient->round_capacity, sizeof *ambient->round);
    scree_memory_give(memory, &ambient->grid.node, ambient->grid.capacity,
                      sizeof *ambient->grid.node);
    memset(ambient, 0, sizeof *ambient);
}

/* ---- bodies that come and go ---- */

void scree_ambient_enter(scree_body_arrays *bodies, uint32_t slot)
{
    if (bodies->keeps[SCREE_KEEP_AMBIENT])
        memset(bodies->ambient[slot], 0, sizeof bodies->ambient[slot]);
}

void scree_ambient_leave(scree_ambient *ambient, const scree_body_arrays *bodies, uint32_t slot)
{
    if (!bodies->keeps[SCREE_KEEP_AMBIENT])
        return;
    ambient->work.fluid += bodies->ambient[slot][SCREE_AMBIENT_FLUID_WORK];
    ambient->work.fields += bodies->ambient[slot][SCREE_AMBIENT_FIELD_WORK];
}
