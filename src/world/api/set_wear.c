/*  Sets and reads the wear of walls, and makes worn meshes. */
#include "world/api/set_wear.h"

#include "base/check_numbers.h"
#include "base/fixed_sum.h"
#include "base/sized_definition.h"
#include "scree/wear.h"
#include "shape/mesh.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

#define WEAR_COOKIE 0x3a110301u
#define MAX_EXPONENT 10

void scree_init_wear_def(scree_wear_def *def, size_t size)
{
    static const scree_wear_def own = {.cookie = WEAR_COOKIE,
                                       .size = sizeof(scree_wear_def),
                                       .hardness = 1e9,
                                       .reference_speed = 104,
                                       .reference_diameter = 326e-6,
                                       .speed_exponent = 2.35,
                                       .diameter_exponent = 0.19,
                                       .angle_exponent = 0.8,
                                       .hardness_exponent = 1.3};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- the model ---- */

static scree_wear_model model_of(const scree_wear_def *def)
{
    return (scree_wear_model){.is_on = 1,
                              .coefficient = def->coefficient,
                              .hardness = def->hardness,
                              .erosion = def->erosion,
                              .reference_speed = def->reference_speed,
                              .reference_diameter = def->reference_diameter,
                              .speed_exponent = def->speed_exponent,
                              .diameter_exponent = def->diameter_exponent,
                              .angle_exponent = def->angle_exponent,
                              .hardness_exponent = def->hardness_exponent};
}

static scree_status check_model(const scree_wear_model *model, scree_error *error)
{
    const struct
    {
        const char *name;
        double value, least, most;
        const char *must_be;
    } numbers[] = {
        {"coefficient", model->coefficient, 0, SCREE_MAX_COORDINATE, "0 or more and finite"},
        {"hardness", model->hardness, 1e-100, SCREE_MAX_COORDINATE, "above 0 and finite"},
        {"erosion", model->erosion, 0, SCREE_MAX_COORDINATE, "0 or more and finite"},
        {"reference_speed", model->reference_speed, 1e-100, SCREE_MAX_COORDINATE,
         "above 0 and finite"},
        {"reference_diameter", model->reference_diameter, 1e-100, SCREE_MAX_COORDINATE,
         "above 0 and finite"},
        {"speed_exponent", model->speed_exponent, 0, MAX_EXPONENT, "0 to 10"},
        {"diameter_exponent", model->diameter_exponent, -MAX_EXPONENT, MAX_EXPONENT, "-10 to 10"},
        {"angle_exponent", model->angle_exponent, 0, MAX_EXPONENT, "0 to 10"},
        {"hardness_exponent", model->hardness_exponent, 0, MAX_EXPONENT, "0 to 10"}};

    for (size_t k = 0; k < SCREE_COUNT_OF(numbers); k++)
        if (!(numbers[k].value >= numbers[k].least && numbers[k].value <= numbers[k].most))
            return scree_refuse_number(error, "wear", numbers[k].name, numbers[k].value,
                                       numbers[k].must_be);
    return SCREE_OK;
}

bool scree_wear_model_is_sound(const scree_wear_model *model)
{
    static const scree_wear_model none = {.is_on = 0};

    return model->is_on == 1 ? !check_model(model, NULL) : memcmp(model, &none, sizeof none) == 0;
}

/* ---- on and off ---- */

scree_status scree_world_set_wear(scree_world *world, scree_wall_id id, const scree_wear_def *def)
{
    scree_wear_def own = scree_default_wear_def();
    scree_wear made = {.rows = 0};
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (scree_walls_find(&world->walls, id, &place, &world->error))
        return SCREE_BAD_ARGUMENT;
    if (def && !scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "wear: the definition is not from scree_default_wear_def");
    if (def && world->def.step.local_steps)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "not with local time steps; set local_steps to 0");
    scree_wall_record *wall = &world->walls.wall[place];
    if (def) {
        made = (scree_wear){.model = model_of(&own), .rows = scree_wall_facets(wall)};
        const scree_status status = check_model(&made.model, &world->error);
        if (status)
            return status;
        if (scree_memory_take(&world->memory, made.rows, sizeof *made.row, &made.row))
            return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "wear: %s",
                              scree_status_name(SCREE_OUT_OF_MEMORY));
        memset(made.row, 0, made.rows * sizeof *made.row);
    }
    scree_memory_give(&world->memory, &wall->wear.row, wall->wear.rows, sizeof *wall->wear.row);
    wall->wear = made;
    return SCREE_OK;
}

bool scree_world_read_wear(const scree_world *world, scree_wall_id id, scree_wear_def *def,
                           size_t size)
{
    const size_t place = world ? scree_walls_place(&world->walls, id) : SIZE_MAX;
    const scree_wear_model *model = place != SIZE_MAX ? &world->walls.wall[place].wear.model : NULL;
    const bool is_on = model && model->is_on;
    scree_wear_def own = scree_default_wear_def();

    if (is_on) {
        own.coefficient = model->coefficient;
        own.hardness = model->hardness;
        own.erosion = model->erosion;
        own.reference_speed = model->reference_speed;
        own.reference_diameter = model->reference_diameter;
        own.speed_exponent = model->speed_exponent;
        own.diameter_exponent = model->diameter_exponent;
        own.angle_exponent = model->angle_exponent;
        own.hardness_exponent = model->hardness_exponent;
    }
    scree_definition_write(def, size, &own, sizeof own);
    return is_on;
}

/* ---- results ---- */

static scree_status find_worn(scree_world *world, scree_wall_id id, const char *what, size_t *place)
{
    if (scree_walls_find(&world->walls, id, place, &world->error))
        return SCREE_BAD_ARGUMENT;
    return world->walls.wall[*place].wear.rows
               ? SCREE_OK
               : scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                            "%s: wall %u does not wear; see scree_world_set_wear", what, id.index1);
}

static scree_facet_wear wear_of(const scree_wall_record *wall, uint32_t facet)
{
    const scree_wear_row *row = &wall->wear.row[facet];
    const scree_wear_model *model = &wall->wear.model;
    const double slid[2] = {scree_fixed_value(row->sum[SCREE_SLID_FRONT]),
                            scree_fixed_value(row->sum[SCREE_SLID_BACK])};
    const double eroded[2] = {scree_fixed_value(row->sum[SCREE_ERODED_FRONT]),
                              scree_fixed_value(row->sum[SCREE_ERODED_BACK])};
    const double by_sliding = model->coefficient / model->hardness;
    scree_facet_wear wear = {.sliding = slid[0] + slid[1],
                             .impact_energy = scree_fixed_value(row->sum[SCREE_HIT]),
                             .impacts = row->impacts,
                             .slid_volume = by_sliding * (slid[0] + slid[1]),
                             .eroded_volume = model->erosion * (eroded[0] + eroded[1]),
                             .area = scree_wall_facet_area(wall, facet)};

    wear.depth =
        (by_sliding * (slid[0] - slid[1]) + model->erosion * (eroded[0] - eroded[1])) / wear.area;
    return wear;
}

double scree_wear_depth(const scree_wall_record *wall, uint32_t facet)
{
    return wall->wear.rows ? wear_of(wall, facet).depth : 0;
}

scree_status scree_world_wear(scree_world *world, scree_wall_id id, scree_facet_wear *wear,
                              size_t count)
{
    size_t place;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!wear)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "wear: wear is NULL");
    if (find_worn(world, id, "wear", &place))
        return SCREE_BAD_ARGUMENT;
    const scree_wall_record *wall = &world->walls.wall[place];
    if (count != wall->wear.rows)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "wear: count is %zu, the wall has %zu facets", count, wall->wear.rows);
    for (size_t f = 0; f < count; f++)
        wear[f] = wear_of(wall, (uint32_t)f);
    return SCREE_OK;
}

/* ---- worn meshes ---- */

/*  Moves each vertex by the mean of its facets' depths, weighted by area. `moved` has a place and a weight each. */
static void wear_vertices(const scree_wall_record *wall, double times, double (*moved)[4])
{
    const scree_mesh *mesh = wall->def.mesh;

    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        const scree_facet_wear wear = wear_of(wall, f);
        for (int c = 0; c < mesh->corners; c++) {
            double *to = moved[mesh->facets[(size_t)mesh->corners * f + (size_t)c]];
            for (int k = 0; k < 3; k++)
                to[k] -= wear.area * wear.depth * times * mesh->normals[3 * (size_t)f + (size_t)k];
            to[3] += wear.area;
        }
    }
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        for (int k = 0; k < 3; k++)
            moved[v][k] = mesh->vertices[3 * (size_t)v + (size_t)k] +
                          (moved[v][3] > 0 ? moved[v][k] / moved[v][3] : 0);
}

/*  Written over the rows of four, which are not needed any more. */
static void pack_vertices(double (*moved)[4], uint32_t count)
{
    double *packed = moved[0];

    for (uint32_t v = 0; v < count; v++)
        memmove(packed + 3 * (size_t)v, moved[v], 3 * sizeof *packed);
}

static scree_status make_worn(scree_world *world, const scree_wall_record *wall, double times,
                              scree_mesh **mesh)
{
    const scree_mesh *from = wall->def.mesh;
    scree_mesh_def def = scree_default_mesh_def();
    double(*moved)[4];

    if (scree_memory_take(&world->memory, from->vertex_count, sizeof *moved, &moved))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "worn mesh: %s",
                          scree_status_name(SCREE_OUT_OF_MEMORY));
    memset(moved, 0, from->vertex_count * sizeof *moved);
    wear_vertices(wall, times, moved);
    pack_vertices(moved, from->vertex_count);
    def.corners = from->corners;
    def.vertices = moved[0];
    def.vertex_count = from->vertex_count;
    def.facets = from->facets;
    def.facet_count = from->facet_count;
    def.weld = 0;
    def.allocator = world->memory.allocator;
    def.error = &world->error;
    const scree_status status = scree_mesh_create(&def, mesh);
    scree_memory_give(&world->memory, &moved, from->vertex_count, sizeof *moved);
    return status;
}

scree_status scree_world_worn_mesh(scree_world *world, scree_wall_id id, double times,
                                   scree_mesh **mesh)
{
    size_t place;

    if (mesh)
        *mesh = NULL;
    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!mesh)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "worn mesh: mesh is NULL");
    if (find_worn(world, id, "worn mesh", &place))
        return SCREE_BAD_ARGUMENT;
    const scree_wall_record *wall = &world->walls.wall[place];
    if (wall->def.kind != SCREE_WALL_MESH)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "worn mesh: wall %u is a plane, which has no mesh", id.index1);
    if (!(times >= 0 && times <= SCREE_MAX_COORDINATE))
        return scree_refuse_number(&world->error, "worn mesh", "times", times,
                                   "0 or more and finite");
    return make_worn(world, wall, times, mesh);
}
