/*  Walls that are drawn by hand: flat sheets, in two dimensions segments. A checkpoint stores them in a part of its own,
    because the text of the scene does not have them: a world can only be restored with the same walls, of the same
    handles. */
#include "bytes.h"
#include "lab_internal.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS_MOST                                                                               \
    100000u /* of adding and removing a wall, until its handle is that of the file */

/*  The caller destroys it. */
static scree_status make_mesh(int dimensions, const lab_sheet_wall *w, scree_mesh **mesh,
                              scree_error *error)
{
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3}, segment[] = {0, 1};
    scree_mesh_def def = scree_default_mesh_def();
    bool is_flat = dimensions == 2;
    double vertices[4][3];

    for (int k = 0; k < 3; k++) {
        vertices[0][k] = w->corner[k];
        vertices[1][k] = w->corner[k] + w->u[k];
        vertices[2][k] = w->corner[k] + w->u[k] + w->v[k];
        vertices[3][k] = w->corner[k] + w->v[k];
    }
    def.corners = is_flat ? 2 : 3;
    def.vertices = vertices[0];
    def.vertex_count = is_flat ? 2 : 4;
    def.facets = is_flat ? segment : triangles;
    def.facet_count = is_flat ? 1 : 2;
    def.error = error;
    return scree_mesh_create(&def, mesh);
}

scree_status scree_lab_add_sheet(scree_world *world, int dimensions, const lab_sheet_wall *sheet,
                                 scree_wall_id *id, scree_error *error)
{
    scree_wall_def def = scree_default_wall_def();
    scree_mesh *mesh = NULL;
    scree_status status = make_mesh(dimensions, sheet, &mesh, error);

    if (status)
        return status;
    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    def.material.index1 = 1;
    status = scree_world_add_wall(world, &def, id);
    scree_mesh_destroy(mesh);
    return status ? scree_fail(error, status, "wall: %s", scree_world_message(world)) : SCREE_OK;
}

static bool is_same(scree_wall_id a, scree_wall_id b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

void scree_lab_forget_drawn(scree_lab *lab, scree_wall_id wall)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < lab->drawn_walls; k++)
        if (!is_same(lab->drawn[k], wall))
            lab->drawn[kept++] = lab->drawn[k];
    lab->drawn_walls = kept;
}

/* ---- in checkpoints -------------------------------------------------------------------------------------- */

/*  When they are loaded they are added after all others. */
static bool are_last(scree_lab *lab)
{
    size_t count = scree_world_walls(lab->world, NULL, 0);
    scree_wall_id *ids = malloc((count + 1) * sizeof *ids);
    bool last = ids && count >= lab->drawn_walls;

    if (ids)
        scree_world_walls(lab->world, ids, count);
    for (uint32_t k = 0; k < lab->drawn_walls && last; k++)
        last = is_same(ids[count - lab->drawn_walls + k], lab->drawn[k]);
    free(ids);
    return last;
}

scree_status scree_lab_write_drawn(scree_lab *lab, uint8_t *bytes, scree_error *error)
{
    scree_wall wall;

    if (!are_last(lab))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "no checkpoint can be saved: the scene has added walls after you drew "
                          "yours. Undo yours and save then, or write them into the scene");
    for (uint32_t k = 0; k < lab->drawn_walls; k++) {
        if (scree_world_get_wall(lab->world, lab->drawn[k], &wall))
            return scree_fail(error, SCREE_BAD_ARGUMENT, "checkpoint: %s",
                              scree_world_message(lab->world));
        scree_mesh_info mesh = scree_mesh_describe(wall.mesh);
        const uint32_t corner[3] = {0, 1, mesh.vertex_count == 4 ? 3 : 0};
        bytes = scree_lab_put_whole(bytes, lab->drawn[k].index1);
        bytes = scree_lab_put_whole(bytes, lab->drawn[k].generation);
        for (int c = 0; c < 9; c++)
            bytes = scree_lab_put_real(bytes, mesh.vertices[3 * corner[c / 3] + (uint32_t)c % 3]);
    }
    return SCREE_OK;
}

static bool read_sheet(const uint8_t *at, lab_sheet_wall *sheet)
{
    double number[9];
    bool good = true;

    for (int c = 0; c < 9; c++) {
        number[c] = scree_lab_get_real(at + 8 + 8 * c);
        good = good && fabs(number[c]) <= 1e100;
    }
    for (int k = 0; k < 3; k++) {
        sheet->corner[k] = number[k];
        sheet->u[k] = number[3 + k] - number[k];
        sheet->v[k] = number[6 + k] - number[k];
    }
    return good;
}

/*  A handle is used again, with the next generation, after its wall was removed: walls had been undone. */
static scree_status add_with_handle(scree_world *world, int dimensions, const lab_sheet_wall *sheet,
                                    scree_wall_id wanted, scree_wall_id *id, scree_error *error)
{
    scree_status status = scree_lab_add_sheet(world, dimensions, sheet, id, error);

    for (uint32_t k = 0; !status && id->generation < wanted.generation && k < REPEATS_MOST; k++) {
        scree_world_remove_wall(world, *id);
        status = scree_lab_add_sheet(world, dimensions, sheet, id, error);
    }
    if (!status && !is_same(*id, wanted))
        return scree_fail(error, SCREE_BAD_FILE,
                          "the walls that were drawn by hand do not fit to those of the scene");
    return status;
}

scree_status scree_lab_read_drawn(scree_world *world, int dimensions, const uint8_t *bytes,
                                  size_t count, scree_wall_id *ids, scree_error *error)
{
    scree_status status = SCREE_OK;

    if (count % LAB_DRAWN_BYTES || count > (size_t)LAB_DRAWN_MOST * LAB_DRAWN_BYTES)
        return scree_fail(error, SCREE_BAD_FILE,
                          "the walls that were drawn by hand have %zu bytes, must be %u each",
                          count, LAB_DRAWN_BYTES);
    for (size_t k = 0; k < count / LAB_DRAWN_BYTES && !status; k++) {
        const uint8_t *at = bytes + k * LAB_DRAWN_BYTES;
        const scree_wall_id wanted = {scree_lab_get_whole(at), scree_lab_get_whole(at + 4)};
        lab_sheet_wall sheet;
        if (!read_sheet(at, &sheet))
            return scree_fail(error, SCREE_BAD_FILE,
                              "wall %zu of those drawn by hand has an invalid number", k + 1);
        status = add_with_handle(world, dimensions, &sheet, wanted, &ids[k], error);
    }
    return status;
}
