/*  The rows of all walls are concatenated; prefix sums give the first row of each wall. */
#include "io/export_walls.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "io/export_stl.h"
#include "io/export_vtk.h"
#include "world/api/set_wear.h"
#include "world/state/wall_path.h"

#include <math.h>
#include <string.h>

const char *const scree_wall_field_names[] = {"wall",  "material", "facet", "velocity", "pressure",
                                              "shear", "force",    "wear",  NULL};

enum
{
    WALL_NUMBER,
    WALL_MATERIAL,
    WALL_FACET,
    WALL_VELOCITY,
    WALL_PRESSURE,
    WALL_SHEAR,
    WALL_FORCE,
    WALL_WEAR,
    WALL_FIELDS,
    WALL_POINTS = WALL_FIELDS,
    WALL_LINE_CORNERS,
    WALL_LINE_END,
    WALL_TRIANGLE_CORNERS,
    WALL_TRIANGLE_END,
};

void scree_export_wall_point(const scree_wall_record *wall, const double local[3], double point[3])
{
    scree_quaternion_turn(wall->now.orientation, local, point);
    for (int k = 0; k < 3; k++)
        point[k] += wall->now.position[k];
}

/* ---- sizes of a wall ---- */

static scree_wall_start count_wall(const scree_wall_record *wall, bool planes, bool flat)
{
    scree_wall_start count = {0, 0, 0};
    if (wall->def.kind == SCREE_WALL_MESH) {
        scree_mesh_info info = scree_mesh_describe(wall->def.mesh);
        count.point = info.vertex_count;
        count.line = info.corners == 2 ? info.facet_count : 0;
        count.triangle = info.corners == 3 ? info.facet_count : 0;
    } else if (planes) {
        count.point = flat ? 2 : 4;
        count.line = flat;
        count.triangle = flat ? 0 : 2;
    }
    return count;
}

scree_status scree_wall_rows_make(scree_wall_rows *rows, const scree_export_job *job,
                                  scree_memory *memory, bool planes)
{
    double lower[3], upper[3], sum = 0;
    rows->walls = &job->world->walls;
    rows->loads = NULL;
    rows->flat = job->world->def.dimensions == 2;
    memset(rows->centre, 0, sizeof rows->centre);
    rows->half = 1;
    if (scree_memory_take(memory, rows->walls->count + 1, sizeof *rows->start, &rows->start))
        return scree_fail(job->error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", job->file.path);
    memset(rows->start, 0, sizeof *rows->start);
    for (size_t w = 0; w < rows->walls->count; w++) {
        scree_wall_start count = count_wall(&rows->walls->wall[w], planes, rows->flat);
        rows->start[w + 1].point = rows->start[w].point + count.point;
        rows->start[w + 1].line = rows->start[w].line + count.line;
        rows->start[w + 1].triangle = rows->start[w].triangle + count.triangle;
    }
    if (planes && scree_export_box(job, true, lower, upper)) {
        for (int k = 0; k < 3; k++) {
            rows->centre[k] = 0.5 * (lower[k] + upper[k]);
            sum += (upper[k] - lower[k]) * (upper[k] - lower[k]);
        }
        rows->half = 0.5 * sqrt(sum);
    }
    return SCREE_OK;
}

void scree_wall_rows_free(scree_wall_rows *rows, scree_memory *memory)
{
    scree_memory_give(memory, &rows->start, rows->walls->count + 1, sizeof *rows->start);
}

/*  The wall that contains this row of a kind; *start becomes its first row. */
static size_t wall_of(const scree_wall_rows *rows, size_t offset, size_t row, size_t *start)
{
    const unsigned char *starts = (const unsigned char *)rows->start + offset;
    size_t low = 0, high = rows->walls->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2, first;
        memcpy(&first, starts + middle * sizeof *rows->start, sizeof first);
        if (first <= row)
            low = middle;
        else
            high = middle;
    }
    memcpy(start, starts + low * sizeof *rows->start, sizeof *start);
    return low;
}

/* ---- points ---- */

/*  Corner 0 to 3 of the square, or 0 or 1 of the line: about the point of the plane nearest to the centre. */
static void plane_point(const scree_wall_rows *rows, const scree_wall_record *wall, size_t corner,
                        double point[3])
{
    const double *n = wall->now.normal;
    double u[3] = {-n[1], n[0], 0}, v[3] = {0, 0, 0}, away = 0, length = 0;
    double along = (corner == 1 || corner == 2 ? 1 : -1) * rows->half;
    double across = (corner >= 2 ? 1 : -1) * rows->half;
    if (!rows->flat) {
        /* the axis farthest from the normal, made perpendicular to it */
        int axis = fabs(n[0]) <= fabs(n[1]) ? 0 : 1;
        axis = fabs(n[2]) < fabs(n[axis]) ? 2 : axis;
        for (int k = 0; k < 3; k++) {
            u[k] = (k == axis) - n[axis] * n[k];
            length += u[k] * u[k];
        }
        for (int k = 0; k < 3; k++)
            u[k] /= sqrt(length);
        for (int k = 0; k < 3; k++)
            v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
    }
    for (int k = 0; k < 3; k++)
        away += (rows->centre[k] - wall->now.position[k]) * n[k];
    for (int k = 0; k < 3; k++)
        point[k] = rows->centre[k] - away * n[k] + along * u[k] + across * v[k];
}

static void wall_vertex(const scree_wall_rows *rows, size_t w, size_t vertex, double point[3])
{
    const scree_wall_record *wall = &rows->walls->wall[w];
    if (wall->def.kind == SCREE_WALL_MESH)
        scree_export_wall_point(wall, scree_mesh_describe(wall->def.mesh).vertices + 3 * vertex,
                                point);
    else
        plane_point(rows, wall, vertex, point);
}

/*  Index of the vertex, within its wall, at a corner of a facet. */
static size_t facet_vertex(const scree_wall_record *wall, size_t facet, size_t corner)
{
    static const size_t halves[2][3] = {{0, 1, 2}, {0, 2, 3}};
    scree_mesh_info info;
    if (wall->def.kind != SCREE_WALL_MESH)
        return halves[facet][corner];
    info = scree_mesh_describe(wall->def.mesh);
    return info.facets[facet * (size_t)info.corners + corner];
}

void scree_wall_rows_corner(const scree_wall_rows *rows, size_t triangle, size_t corner,
                            double point[3])
{
    size_t first, w = wall_of(rows, offsetof(scree_wall_start, triangle), triangle, &first);
    wall_vertex(rows, w, facet_vertex(&rows->walls->wall[w], triangle - first, corner), point);
}

/* ---- VTK ---- */

/*  Of a triangle or a line in the plane; a unit vector, or 0. */
static void facet_normal(double corner[3][3], size_t corners, double normal[3])
{
    double a[3], b[3] = {0, 0, 1};

    for (int k = 0; k < 3; k++) {
        a[k] = corner[1][k] - corner[0][k];
        if (corners == 3)
            b[k] = corner[2][k] - corner[0][k];
    }
    scree_cross(a, b, normal);
    const double length = scree_length(normal);
    for (int k = 0; k < 3; k++)
        normal[k] = length > 0 ? normal[k] / length : 0;
}

/*  Velocity of the surface, belts included, in the middle of a facet. */
static void facet_velocity(const scree_wall_rows *rows, size_t w, size_t facet, size_t corners,
                           scree_export_word *words)
{
    const scree_wall_record *wall = &rows->walls->wall[w];
    double corner[3][3], middle[3] = {0, 0, 0}, normal[3], velocity[3], belt[3];

    for (size_t c = 0; c < corners; c++) {
        wall_vertex(rows, w, facet_vertex(wall, facet, c), corner[c]);
        for (int k = 0; k < 3; k++)
            middle[k] += corner[c][k] / (double)corners;
    }
    facet_normal(corner, corners, normal);
    scree_wall_velocity_at(wall->now.position, wall->now.velocity, wall->now.spin, middle,
                           velocity);
    scree_wall_belt_at(wall, middle, normal, belt);
    for (int k = 0; k < 3; k++)
        words[k].real = velocity[k] + belt[k];
}

static void facet_load(const scree_facet_load *load, int what, scree_export_word *words)
{
    words[0].real = load->pressure;
    for (int k = 0; k < 3 && what != WALL_PRESSURE; k++)
        words[k].real = what == WALL_SHEAR ? load->shear[k] : load->force[k];
}

static bool is_of_loads(int what)
{
    return what >= WALL_PRESSURE && what <= WALL_FORCE;
}

static int width_of(int what)
{
    return what == WALL_VELOCITY || what == WALL_SHEAR || what == WALL_FORCE ? 3 : 1;
}

/*  The force of a plane is divided among the triangles that show it. */
static void spread_plane(scree_facet_load *loads, size_t cells)
{
    for (int k = 0; k < 3; k++)
        loads->force[k] /= (double)cells;
    for (size_t c = 1; c < cells; c++)
        loads[c] = loads[0];
}

static scree_status read_loads(scree_wall_rows *rows, scree_export_job *job, size_t cells)
{
    size_t lines = rows->start[rows->walls->count].line;
    scree_status status = SCREE_OK;
    bool wanted = false;

    for (int f = 0; f < WALL_FIELDS; f++)
        wanted |= job->wanted[f] && is_of_loads(f);
    if (!wanted || cells == 0)
        return SCREE_OK;
    if (scree_memory_take(&job->file.memory, cells, sizeof *rows->loads, &rows->loads))
        return scree_fail(job->error, SCREE_OUT_OF_MEMORY, "%.150s: out of memory", job->file.path);
    for (size_t w = 0; w < rows->walls->count && !status; w++) {
        const scree_wall_start *start = &rows->start[w];
        size_t line_count = start[1].line - start->line, at = start->line;
        size_t count = line_count ? line_count : start[1].triangle - start->triangle;
        bool is_plane = rows->walls->wall[w].def.kind != SCREE_WALL_MESH;
        if (!line_count)
            at = lines + start->triangle;
        status = scree_world_wall_loads(job->world, rows->walls->wall[w].id, rows->loads + at,
                                        is_plane ? 1 : count);
        if (status)
            scree_fail(job->error, status, "%.120s: %.120s", job->file.path,
                       scree_world_message(job->world));
        else if (is_plane)
            spread_plane(rows->loads + at, count);
    }
    return status;
}

/*  A field of a cell: first all lines, then all triangles. */
static void fill_cell(const scree_wall_rows *rows, int what, size_t row, scree_export_word *words)
{
    size_t lines = rows->start[rows->walls->count].line, first;
    bool is_line = row < lines;
    size_t w = is_line ? wall_of(rows, offsetof(scree_wall_start, line), row, &first)
                       : wall_of(rows, offsetof(scree_wall_start, triangle), row - lines, &first);
    const scree_wall_record *wall = &rows->walls->wall[w];
    size_t facet = (is_line ? row : row - lines) - first;
    if (what == WALL_NUMBER)
        words->whole = wall->id.index1;
    else if (what == WALL_MATERIAL)
        words->whole = wall->def.material.index1;
    else if (what == WALL_FACET)
        words->whole = facet;
    else if (what == WALL_WEAR)
        words->real =
            scree_wear_depth(wall, wall->def.kind == SCREE_WALL_MESH ? (uint32_t)facet : 0);
    else if (what != WALL_VELOCITY)
        facet_load(&rows->loads[row], what, words);
    else
        facet_velocity(rows, w, facet, is_line ? 2 : 3, words);
}

static void fill_corners(const scree_wall_rows *rows, size_t offset, size_t row, size_t corners,
                         scree_export_word *words)
{
    size_t first, w = wall_of(rows, offset, row, &first);
    for (size_t c = 0; c < corners; c++)
        words[c].whole = rows->start[w].point + facet_vertex(&rows->walls->wall[w], row - first, c);
}

static void fill_walls(const void *context, int what, size_t first, size_t count,
                       scree_export_word *words)
{
    const scree_wall_rows *rows = context;
    double point[3];
    for (size_t row = first; row < first + count; row++)
        switch (what) {
        case WALL_POINTS: {
            size_t start, w = wall_of(rows, offsetof(scree_wall_start, point), row, &start);
            wall_vertex(rows, w, row - start, point);
            for (int k = 0; k < 3; k++)
                (words++)->real = point[k];
            break;
        }
        case WALL_LINE_CORNERS:
            fill_corners(rows, offsetof(scree_wall_start, line), row, 2, words);
            words += 2;
            break;
        case WALL_TRIANGLE_CORNERS:
            fill_corners(rows, offsetof(scree_wall_start, triangle), row, 3, words);
            words += 3;
            break;
        case WALL_LINE_END:
            (words++)->whole = 2 * (row + 1);
            break;
        case WALL_TRIANGLE_END:
            (words++)->whole = 3 * (row + 1);
            break;
        default:
            fill_cell(rows, what, row, words);
            words += width_of(what);
        }
}

static void free_rows(scree_wall_rows *rows, scree_export_job *job, size_t cells)
{
    scree_memory_give(&job->file.memory, &rows->loads, rows->loads ? cells : 0,
                      sizeof *rows->loads);
    scree_wall_rows_free(rows, &job->file.memory);
}

scree_status scree_export_walls_vtp(scree_export_job *job)
{
    scree_wall_rows rows;
    scree_status status = scree_wall_rows_make(&rows, job, &job->file.memory, true);
    scree_wall_start sum;
    size_t cells;
    scree_vtk vtk = {.fill = fill_walls, .context = &rows};
    if (status)
        return status;
    sum = rows.start[rows.walls->count];
    cells = sum.line + sum.triangle;
    status = read_loads(&rows, job, cells);
    if (status) {
        free_rows(&rows, job, cells);
        return status;
    }
    vtk.points = sum.point;
    vtk.lines = sum.line;
    vtk.polys = sum.triangle;
    for (int f = 0; f < WALL_FIELDS; f++)
        if (job->wanted[f])
            scree_vtk_add(&vtk, "CellData", scree_wall_field_names[f],
                          f < WALL_VELOCITY ? SCREE_VTK_WHOLE : SCREE_VTK_REAL, width_of(f), cells,
                          f);
    scree_vtk_add(&vtk, "Points", "Points", SCREE_VTK_REAL, 3, sum.point, WALL_POINTS);
    /* rows of two and three corners, which VTK reads as a list */
    scree_vtk_add(&vtk, "Lines", "connectivity", SCREE_VTK_CORNERS, 2, sum.line, WALL_LINE_CORNERS);
    scree_vtk_add(&vtk, "Lines", "offsets", SCREE_VTK_INTEGER, 1, sum.line, WALL_LINE_END);
    scree_vtk_add(&vtk, "Polys", "connectivity", SCREE_VTK_CORNERS, 3, sum.triangle,
                  WALL_TRIANGLE_CORNERS);
    scree_vtk_add(&vtk, "Polys", "offsets", SCREE_VTK_INTEGER, 1, sum.triangle, WALL_TRIANGLE_END);
    scree_vtk_write(&vtk, &job->file, scree_world_clock(job->world).time);
    free_rows(&rows, job, cells);
    return job->file.status;
}

/* ---- STL ---- */

static scree_status put_triangles(scree_export_job *job, const scree_wall_rows *rows, size_t count)
{
    scree_status status = SCREE_OK;

    scree_stl_put_head(&job->file, (uint32_t)count);
    for (size_t t = 0; t < count && !status; t++) {
        double point[3][3];
        for (size_t c = 0; c < 3; c++)
            scree_wall_rows_corner(rows, t, c, point[c]);
        status = scree_stl_put_corners(&job->file, t, point, job->error);
    }
    return status;
}

scree_status scree_export_walls_stl(scree_export_job *job)
{
    scree_wall_rows rows;
    scree_status status = scree_wall_rows_make(&rows, job, &job->file.memory, false);
    size_t count;
    if (status)
        return status;
    count = rows.start[rows.walls->count].triangle;
    status =
        scree_stl_check_count(count, "no wall is a mesh of triangles", job->file.path, job->error);
    if (!status)
        status = put_triangles(job, &rows, count);
    scree_wall_rows_free(&rows, &job->file.memory);
    return status;
}
