/*  cell: deformation of a periodic domain. */
#include "language.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct cell_record
{
    double stretch[3], shear[3], tilt[3];
    bool homogeneous;
    scree_cell_servo_def servo;
} cell_record;

static const char *const components[] = {"xx", "yy", "zz", "xy", "yz", "xz", NULL};

static void begin_cell(scene_reader *reader, void *record)
{
    (void)reader;
    ((cell_record *)record)->homogeneous = true;
    ((cell_record *)record)->servo = scree_default_cell_servo_def();
}

/*  { xx = 1000, xy = -50 }. */
static void read_stress(scene_reader *reader, void *target)
{
    lua_State *L = reader->L;
    double *stress = ((scree_cell_servo_def *)target)->stress;

    if (lua_type(L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader, "a table of numbers, as { xx = 1000, xy = -50 }");
    for (lua_pushnil(L); lua_next(L, reader->index); lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "an item";
        double x = lua_tonumber(L, -1);
        int at = lua_gettop(L), q = 0;
        while (components[q] && strcmp(components[q], name) != 0)
            q++;
        if (!components[q])
            scene_refuse(reader, "%.40s is not a component; there are xx, yy, zz, xy, yz, xz",
                         name);
        if (lua_type(L, at) != LUA_TNUMBER || !isfinite(x))
            scene_refuse(reader, "%s is %.60s, must be a number", name, scene_describe(L, at));
        stress[q] = scene_to_si(reader, x, "Pa");
    }
}

/*  A component controlled by a servo has no rate of its own. */
static void check_servo(scene_reader *reader, const cell_record *r, scree_scene_cell *cell)
{
    const bool has_pressure = scene_is_given(reader, "pressure");

    cell->has_servo = has_pressure || scene_is_given(reader, "stress");
    cell->servo = r->servo;
    if (!cell->has_servo) {
        if (scene_is_given(reader, "max_rate"))
            scene_refuse(reader, "max_rate: is for `pressure` and `stress`, and there is neither");
        return;
    }
    if (!scene_is_given(reader, "max_rate"))
        scene_refuse(reader, "`max_rate` is missing: how fast the cell may become what it must be");
    if (!r->homogeneous)
        scene_refuse(reader, "homogeneous: must be true if a pressure or stress is controlled");
    for (int q = 0; q < 6; q++) {
        const bool is_driven = !isnan(r->servo.stress[q]) || (has_pressure && q < 3);
        const double rate = q < 3 ? r->stretch[q] : r->shear[q == 3 ? 0 : q == 4 ? 2 : 1];
        if (is_driven && rate != 0)
            scene_refuse(reader, "%s: %s has a rate and a controlled stress; give one of them",
                         q < 3 ? "stretch" : "shear", components[q]);
    }
}

/*  Boundaries are known only when the whole scene has been read: the world refuses a cell without periodic ones. */
static int end_cell(scene_reader *reader, void *record)
{
    const cell_record *r = record;
    scree_scene_cell *cell = &reader->scene->plan.cell;

    memset(cell, 0, sizeof *cell);
    cell->line = reader->line;
    cell->homogeneous = r->homogeneous;
    for (int k = 0; k < 3; k++)
        cell->gradient[k][k] = r->stretch[k];
    cell->gradient[0][1] = r->shear[0];
    cell->gradient[0][2] = r->shear[1];
    cell->gradient[1][2] = r->shear[2];
    memcpy(cell->tilt, r->tilt, sizeof cell->tilt);
    check_servo(reader, r, cell);
    return 0;
}

#define OF(member) .offset = offsetof(cell_record, member)
static const scene_field cell_fields[] = {
    {.name = "stretch",
     .type = SCENE_VECTOR,
     OF(stretch),
     .unit = "1/s",
     .standard = "{0, 0, 0}",
     .help = "rates at which the periods along x, y, z grow; below 0 they shrink"},
    {.name = "shear",
     .type = SCENE_VECTOR,
     OF(shear),
     .unit = "1/s",
     .standard = "{0, 0, 0}",
     .help = "rates xy, xz, yz: {5, 0, 0} is 5 m/s along x for each metre along y"},
    {.name = "tilt",
     .type = SCENE_VECTOR,
     OF(tilt),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "tilt of the cell at the start, xy, xz, yz: at most half a period"},
    {.name = "pressure",
     .type = SCENE_NUMBER,
     OF(servo.pressure),
     SCENE_ANY,
     .unit = "Pa",
     .standard = "none",
     .help = "target mean of the normal stresses, reached with one rate along all axes; all "
             "boundaries must be periodic"},
    {.name = "stress",
     .type = SCENE_OWN,
     OF(servo),
     .read = read_stress,
     .unit = "Pa",
     .standard = "none",
     .accepts = "a table of numbers by name",
     .help =
         "target components, each with its own rate: any of xx, yy, zz, xy, yz, xz; compression is "
         "positive, and a shear along x that is faster at larger y has a negative xy"},
    {.name = "max_rate",
     .old_name = "most_rate",
     .type = SCENE_NUMBER,
     OF(servo.max_rate),
     SCENE_ABOVE(0),
     .unit = "1/s",
     .standard = "none",
     .help = "largest rate of a driven component; with pressure and stress it must be given"},
    {.name = "homogeneous",
     .type = SCENE_SWITCH,
     OF(homogeneous),
     .standard = "true",
     .help =
         "all bodies follow the deformation from the start; false: only the boundary drives them"},
};
#undef OF

const scene_function scene_cell_functions[] = {
    {.name = "cell",
     .chapter = "The world",
     .once = true,
     .summary = "Deformation of a periodic domain during the run: shear (Lees and Edwards), "
                "compression, or both. A body that is wrapped around gets the velocity of its "
                "image. Both axes of a shear must be periodic. Or a servo that deforms the cell "
                "until a given pressure or stress is reached. A scene with a cell has no `pour`.",
     .example = "cell { shear = {5, 0, 0} }\n"
                "\n"
                "cell { tilt = {0.02, 0, 0}, stretch = {0, 0, -0.1}, stress = { xx = 1000, yy = "
                "1000 }, max_rate = 1 }",
     .fields = cell_fields,
     .field_count = SCREE_COUNT_OF(cell_fields),
     .record_bytes = sizeof(cell_record),
     .begin = begin_cell,
     .end = end_cell},
};
const size_t scene_cell_function_count = SCREE_COUNT_OF(scene_cell_functions);
