/*  Contact forces on a wall by cells of a grid, and the area of the wall in each cell. Facets are clipped to cells
    as polygons; a segment is a polygon with two corners, whose length is half of its perimeter. */
#include "base/quaternion.h"
#include "base/sized_definition.h"
#include "base/vector.h"
#include "scree/fields.h"
#include "shape/mesh.h"
#include "world/measure/fields.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/*  A triangle or square, plus one corner for each side of a cell. */
#define MAX_CORNERS 12
/*  Allowance for rounding of points on the boundary of the grid, as a share of a cell. */
#define GRAIN 1e-9

typedef struct wall_grid
{
    const scree_fields_def *def;
    int dimensions;
    double weight, step[3];
    scree_wall_load *loads;
} wall_grid;

typedef struct wall_polygon
{
    double corner[MAX_CORNERS][3];
    int count;
} wall_polygon;

/* ---- area ---- */

/*  Keeps the part with x * sign below the bound. */
static void cut(wall_polygon *polygon, int axis, double bound, double sign)
{
    wall_polygon kept = {.count = 0};

    for (int k = 0; k < polygon->count; k++) {
        const double *a = polygon->corner[k], *b = polygon->corner[(k + 1) % polygon->count];
        double beyond = sign * (a[axis] - bound), next = sign * (b[axis] - bound);
        if (beyond <= 0)
            memcpy(kept.corner[kept.count++], a, sizeof *kept.corner);
        if ((beyond < 0 && next > 0) || (beyond > 0 && next < 0)) {
            double share = beyond / (beyond - next), *c = kept.corner[kept.count++];
            for (int i = 0; i < 3; i++)
                c[i] = i == axis ? bound : a[i] + share * (b[i] - a[i]);
        }
    }
    *polygon = kept;
}

static double area_of(const wall_polygon *polygon, int dimensions)
{
    double sum[3] = {0}, way = 0, side[2][3], part[3];

    for (int k = 0; k < polygon->count; k++) {
        const double *a = polygon->corner[k], *b = polygon->corner[(k + 1) % polygon->count];
        way += sqrt(scree_apart_sq(a, b));
        for (int i = 0; i < 3; i++) {
            side[0][i] = a[i] - polygon->corner[0][i];
            side[1][i] = b[i] - polygon->corner[0][i];
        }
        scree_cross(side[0], side[1], part);
        for (int i = 0; i < 3; i++)
            sum[i] += part[i];
    }
    return (dimensions == 2 ? way : scree_length(sum)) / 2;
}

/*  Range of cells between the lower and the upper end. If both are equal, one cell, as for a point. */
static bool find_range(const wall_grid *grid, int k, double lower, double upper, uint32_t range[2])
{
    double most = grid->def->cells[k], from = (lower - grid->def->lower[k]) / grid->step[k];
    double to = (upper - grid->def->lower[k]) / grid->step[k];

    if (from > most + GRAIN || to < -GRAIN)
        return false;
    range[0] = (uint32_t)fmax(0, fmin(most - 1, floor(from)));
    range[1] = (uint32_t)fmax(0, fmin(most - 1, floor(to)));
    return true;
}

static size_t index_of(const wall_grid *grid, const uint32_t cell[3])
{
    return ((size_t)cell[2] * grid->def->cells[1] + cell[1]) * grid->def->cells[0] + cell[0];
}

static void add_area(const wall_grid *grid, const wall_polygon *whole)
{
    uint32_t range[3][2] = {{0}}, cell[3];
    bool is_flat[3] = {false};

    for (int k = 0; k < grid->dimensions; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (int c = 0; c < whole->count; c++) {
            lower = fmin(lower, whole->corner[c][k]);
            upper = fmax(upper, whole->corner[c][k]);
        }
        if (!find_range(grid, k, lower, upper, range[k]))
            return;
        is_flat[k] = lower == upper;
    }
    for (cell[2] = range[2][0]; cell[2] <= range[2][1]; cell[2]++)
        for (cell[1] = range[1][0]; cell[1] <= range[1][1]; cell[1]++)
            for (cell[0] = range[0][0]; cell[0] <= range[0][1]; cell[0]++) {
                wall_polygon part = *whole;
                for (int k = 0; k < grid->dimensions; k++) {
                    if (is_flat[k])
                        continue;
                    double lower = grid->def->lower[k] + cell[k] * grid->step[k];
                    cut(&part, k, lower, -1);
                    cut(&part, k, lower + grid->step[k], 1);
                }
                grid->loads[index_of(grid, cell)].area +=
                    grid->weight * area_of(&part, grid->dimensions);
            }
}

/*  The part of a plane that may be in the grid: a square about the point nearest to the centre of the grid. */
static void plane_polygon(const wall_grid *grid, const scree_wall_record *wall,
                          wall_polygon *polygon)
{
    const double *n = wall->now.normal;
    double middle[3] = {0}, u[3] = {-n[1], n[0], 0}, v[3] = {0}, away = 0, half = 0;
    int axis = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0
               : fabs(n[1]) <= fabs(n[2])                           ? 1
                                                                    : 2;

    for (int k = 0; k < grid->dimensions; k++) {
        middle[k] = (grid->def->lower[k] + grid->def->upper[k]) / 2;
        half += grid->def->upper[k] - grid->def->lower[k];
        away += (middle[k] - wall->now.position[k]) * n[k];
    }
    if (grid->dimensions == 3) {
        for (int k = 0; k < 3; k++)
            u[k] = (k == axis) - n[axis] * n[k];
        scree_cross(n, u, v);
    }
    /* u and v may be slightly shorter than 1: a square twice as wide as the box is large enough */
    polygon->count = grid->dimensions == 2 ? 2 : 4;
    for (int c = 0; c < polygon->count; c++)
        for (int k = 0; k < 3; k++)
            polygon->corner[c][k] =
                middle[k] - away * n[k] +
                2 * half * ((c == 1 || c == 2 ? 1 : -1) * u[k] + (c >= 2 ? 1 : -1) * v[k]);
}

static void add_areas(const wall_grid *grid, const scree_wall_record *wall)
{
    const scree_mesh *mesh = wall->def.mesh;
    wall_polygon polygon;

    if (wall->def.kind != SCREE_WALL_MESH) {
        plane_polygon(grid, wall, &polygon);
        add_area(grid, &polygon);
        return;
    }
    polygon.count = mesh->corners;
    for (uint32_t f = 0; f < mesh->facet_count; f++) {
        for (int c = 0; c < mesh->corners; c++) {
            size_t vertex = mesh->facets[(size_t)mesh->corners * f + (size_t)c];
            scree_quaternion_turn(wall->now.orientation, mesh->vertices + 3 * vertex,
                                  polygon.corner[c]);
            for (int k = 0; k < 3; k++)
                polygon.corner[c][k] += wall->now.position[k];
        }
        add_area(grid, &polygon);
    }
}

/* ---- forces ---- */

static void add_contact(const wall_grid *grid, const scree_wall_record *wall,
                        const scree_contact *contact)
{
    uint32_t range[2], cell[3] = {0};
    double normal[3], along = 0;

    for (int k = 0; k < grid->dimensions; k++) {
        if (!find_range(grid, k, contact->point[k], contact->point[k], range))
            return;
        cell[k] = range[0];
    }
    scree_wall_load *load = &grid->loads[index_of(grid, cell)];
    scree_wall_facet_normal(wall, contact->facet, normal);
    for (int k = 0; k < 3; k++)
        along -= contact->force[k] * normal[k];
    load->push += grid->weight * (scree_dot(contact->normal, normal) < 0 ? -along : along);
    for (int k = 0; k < 3; k++)
        load->shear[k] += grid->weight * (-contact->force[k] - along * normal[k]);
    load->contacts += grid->weight;
}

scree_status scree_world_add_wall_loads(scree_world *world, scree_wall_id id,
                                        const scree_fields_def *def, double weight,
                                        scree_wall_load *loads, size_t count)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *contacts;
    scree_status status;
    size_t many;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    size_t place = scree_walls_place(&world->walls, id);
    if (!def || !loads || place == SIZE_MAX)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "wall loads: %s",
                          def && loads ? "there is no such wall" : "def or loads is NULL");
    scree_fields_def own = scree_default_fields_def();
    if (!scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "fields: not made by scree_default_fields_def of this version");
    def = &own;
    status = scree_fields_check(def, &world->cell.now, world->def.dimensions, weight, false,
                                &world->error);
    if (!status)
        status = scree_fields_check_count(def, world->def.dimensions, count, &world->error);
    filter.wall = id;
    if (!status)
        status = scree_world_contacts(world, &filter, &contacts, &many);
    if (status)
        return status;
    wall_grid grid = {def, world->def.dimensions, weight, {1, 1, 1}, loads};
    for (int k = 0; k < grid.dimensions; k++)
        grid.step[k] = (def->upper[k] - def->lower[k]) / def->cells[k];
    add_areas(&grid, &world->walls.wall[place]);
    for (size_t c = 0; c < many; c++)
        add_contact(&grid, &world->walls.wall[place], &contacts[c]);
    return SCREE_OK;
}
