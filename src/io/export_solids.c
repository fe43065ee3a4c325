/*  Meshes and blocks at their current position, in the order of global ids. Their rows are concatenated; prefix
    sums give the first row of each body. A polygon has a triangle for each side, whose third corner is its centre: one
    more point. */
#include "base/quaternion.h"
#include "io/export_stl.h"
#include "io/export_vtk.h"

#include <string.h>

const char *const scree_solid_field_names[] = {"serial",   "material",    "user", "facet",
                                               "velocity", "temperature", NULL};

enum
{
    SOLID_SERIAL,
    SOLID_MATERIAL,
    SOLID_USER,
    SOLID_FACET,
    SOLID_VELOCITY,
    SOLID_TEMPERATURE,
    SHAPE_CONTACT_FIELDS,
    SOLID_POINTS = SHAPE_CONTACT_FIELDS,
    SOLID_CORNERS,
    SOLID_END,
};

/*  A body, and the number of points and triangles before its own. */
typedef struct solid_row
{
    size_t point, triangle;
    uint32_t slot;
    scree_mesh_info info;
    double origin[3], turn[4]; /* pose of its mesh frame */
    const double *centre;      /* of the body */
} solid_row;

typedef struct solid_rows
{
    const scree_body_arrays *bodies;
    solid_row *row; /* the prefix sums; one more than bodies */
    size_t count, capacity;
} solid_rows;

static scree_status make_rows(solid_rows *rows, const scree_export_job *job, scree_memory *memory)
{
    size_t count = 0, point = 0, triangle = 0;

    *rows = (solid_rows){.bodies = &job->world->bodies};
    for (size_t i = 0; i < job->row_count; i++)
        count += scree_is_of_triangles(rows->bodies, job->row[i]);
    if (scree_memory_take(memory, count + 1, sizeof *rows->row, &rows->row))
        return scree_fail(job->error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", job->file.path);
    rows->capacity = count + 1;
    for (size_t i = 0; i < job->row_count; i++) {
        uint32_t slot = job->row[i];
        if (!scree_is_of_triangles(rows->bodies, slot))
            continue;
        solid_row *row = &rows->row[rows->count++];
        *row = (solid_row){.point = point, .triangle = triangle, .slot = slot};
        row->info = scree_mesh_describe(rows->bodies->shape[slot][0].mesh);
        scree_world_body_frame(job->world, rows->bodies->id[slot][0], row->origin, row->turn);
        row->centre = rows->bodies->position[slot];
        point += row->info.vertex_count + (row->info.corners == 2);
        triangle += row->info.facet_count;
    }
    rows->row[count] = (solid_row){.point = point, .triangle = triangle};
    return SCREE_OK;
}

static void free_rows(solid_rows *rows, scree_memory *memory)
{
    scree_memory_give(memory, &rows->row, rows->capacity, sizeof *rows->row);
}

/*  The body that contains this point or triangle. */
static const solid_row *row_of(const solid_rows *rows, bool is_point, size_t number)
{
    size_t low = 0, high = rows->count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        const solid_row *row = &rows->row[middle];
        if ((is_point ? row->point : row->triangle) <= number)
            low = middle;
        else
            high = middle;
    }
    return &rows->row[low];
}

/*  For a polygon the last point is its centre. */
static size_t corner_of_solid(const solid_row *row, size_t facet, size_t c)
{
    if (row->info.corners == 3)
        return row->info.facets[3 * facet + c];
    return c == 2 ? row->info.vertex_count : row->info.facets[2 * facet + (1 - c)];
}

static void vertex_of(const solid_row *row, size_t vertex, double point[3])
{
    if (vertex == row->info.vertex_count) {
        memcpy(point, row->centre, 3 * sizeof *point);
        return;
    }
    scree_quaternion_turn(row->turn, row->info.vertices + 3 * vertex, point);
    for (int k = 0; k < 3; k++)
        point[k] += row->origin[k];
}

/*  Position of the middle of a triangle. */
static void velocity_of(const solid_rows *rows, const solid_row *row, size_t facet,
                        scree_export_word *words)
{
    const double *centre = rows->bodies->position[row->slot];
    const double *velocity = rows->bodies->velocity[row->slot];
    const double *spin = rows->bodies->spin[row->slot];
    double arm[3] = {0, 0, 0}, point[3];

    for (size_t c = 0; c < 3; c++) {
        vertex_of(row, corner_of_solid(row, facet, c), point);
        for (int k = 0; k < 3; k++)
            arm[k] += (point[k] - centre[k]) / 3;
    }
    for (int k = 0; k < 3; k++)
        words[k].real = velocity[k] + spin[(k + 1) % 3] * arm[(k + 2) % 3] -
                        spin[(k + 2) % 3] * arm[(k + 1) % 3];
}

/* ---- VTK ---- */

static void fill_cell(const solid_rows *rows, int what, size_t triangle, scree_export_word *words)
{
    const solid_row *row = row_of(rows, false, triangle);
    size_t facet = triangle - row->triangle;

    switch (what) {
    case SOLID_SERIAL:
        words->whole = rows->bodies->serial[row->slot][0];
        break;
    case SOLID_MATERIAL:
        words->whole = rows->bodies->material[row->slot][0];
        break;
    case SOLID_USER:
        words->whole = rows->bodies->user[row->slot][0];
        break;
    case SOLID_FACET:
        words->whole = facet;
        break;
    case SOLID_VELOCITY:
        velocity_of(rows, row, facet, words);
        break;
    case SOLID_TEMPERATURE:
        words->real = rows->bodies->heat[row->slot][SCREE_HEAT_TEMPERATURE];
        break;
    case SOLID_CORNERS:
        for (size_t c = 0; c < 3; c++)
            words[c].whole = row->point + corner_of_solid(row, facet, c);
        break;
    default:
        words->whole = 3 * (triangle + 1);
    }
}

static void fill_solids(const void *context, int what, size_t first, size_t count,
                        scree_export_word *words)
{
    const solid_rows *rows = context;
    double point[3];

    for (size_t number = first; number < first + count; number++) {
        if (what == SOLID_POINTS) {
            const solid_row *row = row_of(rows, true, number);
            vertex_of(row, number - row->point, point);
            for (int k = 0; k < 3; k++)
                words[k].real = point[k];
        } else {
            fill_cell(rows, what, number, words);
        }
        words += what == SOLID_POINTS || what == SOLID_CORNERS || what == SOLID_VELOCITY ? 3 : 1;
    }
}

scree_status scree_export_solids_vtp(scree_export_job *job)
{
    solid_rows rows;
    scree_status status = make_rows(&rows, job, &job->file.memory);
    scree_vtk vtk = {.fill = fill_solids, .context = &rows};

    if (status)
        return status;
    size_t points = rows.row[rows.count].point, triangles = rows.row[rows.count].triangle;
    vtk.points = points;
    vtk.polys = triangles;
    for (int f = 0; f < SHAPE_CONTACT_FIELDS; f++)
        if (job->wanted[f])
            scree_vtk_add(&vtk, "CellData", scree_solid_field_names[f],
                          f < SOLID_VELOCITY ? SCREE_VTK_WHOLE : SCREE_VTK_REAL,
                          f == SOLID_VELOCITY ? 3 : 1, triangles, f);
    scree_vtk_add(&vtk, "Points", "Points", SCREE_VTK_REAL, 3, points, SOLID_POINTS);
    scree_vtk_add(&vtk, "Polys", "connectivity", SCREE_VTK_CORNERS, 3, triangles, SOLID_CORNERS);
    scree_vtk_add(&vtk, "Polys", "offsets", SCREE_VTK_INTEGER, 1, triangles, SOLID_END);
    scree_vtk_write(&vtk, &job->file, scree_world_clock(job->world).time);
    free_rows(&rows, &job->file.memory);
    return job->file.status;
}

/* ---- STL ---- */

static scree_status put_solids(scree_export_job *job, const solid_rows *rows, size_t count)
{
    size_t number = 0;
    scree_status status = SCREE_OK;

    scree_stl_put_head(&job->file, (uint32_t)count);
    for (size_t i = 0; i < rows->count; i++)
        for (size_t f = 0; f < rows->row[i].info.facet_count && !status; f++, number++) {
            double point[3][3];
            for (size_t c = 0; c < 3; c++)
                vertex_of(&rows->row[i], corner_of_solid(&rows->row[i], f, c), point[c]);
            status = scree_stl_put_corners(&job->file, number, point, job->error);
        }
    return status;
}

scree_status scree_export_solids_stl(scree_export_job *job)
{
    solid_rows rows;
    scree_status status = make_rows(&rows, job, &job->file.memory);

    if (status)
        return status;
    size_t count = rows.row[rows.count].triangle;
    status = scree_stl_check_count(count, "there is no mesh or block", job->file.path, job->error);
    if (!status)
        status = put_solids(job, &rows, count);
    free_rows(&rows, &job->file.memory);
    return status;
}
