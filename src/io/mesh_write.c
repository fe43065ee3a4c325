/*  Binary STL: 80 bytes of header, a count, and for each triangle its normal, its corners, and two zero bytes. */
#include "io/export_stl.h"

#include "base/error.h"
#include "shape/mesh.h"

#include "scree/io.h"

#include <math.h>
#include <string.h>

static void store_float(unsigned char *at, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    for (int k = 0; k < 4; k++)
        at[k] = (unsigned char)(bits >> 8 * k);
}

void scree_stl_put_head(scree_file *file, uint32_t triangles)
{
    unsigned char head[84] = "binary STL by scree";
    for (int k = 0; k < 4; k++)
        head[80 + k] = (unsigned char)(triangles >> 8 * k);
    (void)scree_file_put(file, head, sizeof head);
}

void scree_stl_put_triangle(scree_file *file, const double *const corner[3])
{
    unsigned char row[50] = {0};
    double normal[3];
    scree_facet_normal(3, corner, normal);
    for (int k = 0; k < 3; k++) {
        /* a triangle without area has no normal: zeros, as the format requires */
        store_float(row + 4 * k, normal[k] == normal[k] ? normal[k] : 0);
        for (int c = 0; c < 3; c++)
            store_float(row + 12 + 12 * c + 4 * k, corner[c][k]);
    }
    (void)scree_file_put(file, row, sizeof row);
}

bool scree_is_float(double value)
{
    return fabs(value) <= (double)0x1.fffffep127f;
}

scree_status scree_stl_put_corners(scree_file *file, size_t number, double point[3][3],
                                   scree_error *error)
{
    const double *const corner[3] = {point[0], point[1], point[2]};

    for (size_t c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            if (!scree_is_float(point[c][k]))
                return scree_fail(error, SCREE_BAD_VALUE,
                                  "%.150s: triangle %zu: %c is %g, too large for STL's floats",
                                  file->path, number, "xyz"[k], point[c][k]);
    scree_stl_put_triangle(file, corner);
    return file->status;
}

scree_status scree_stl_check_count(size_t count, const char *none, const char *path,
                                   scree_error *error)
{
    if (count == 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%.150s: stl: %s", path, none);
    if (count > UINT32_MAX)
        return scree_fail(error, SCREE_TOO_LARGE, "%.150s: stl: %zu triangles, at most %u", path,
                          count, UINT32_MAX);
    return SCREE_OK;
}

scree_status scree_mesh_write_stl(const scree_mesh *mesh, const char *path, scree_error *error)
{
    scree_mesh_info info = scree_mesh_describe(mesh);
    scree_file file;
    scree_status status;
    if (!mesh || !path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh write: %s is NULL",
                          mesh ? "path" : "mesh");
    if (info.corners != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "mesh write: a mesh of segments has no triangles for STL");
    for (size_t i = 0; i < 3 * (size_t)info.vertex_count; i++)
        if (!scree_is_float(info.vertices[i]))
            return scree_fail(error, SCREE_BAD_VALUE,
                              "mesh write: vertex %zu: %c is %g, too large for STL's floats", i / 3,
                              "xyz"[i % 3], info.vertices[i]);
    if ((status = scree_file_begin(&file, path, &mesh->memory.allocator, error)))
        return status;
    scree_stl_put_head(&file, info.facet_count);
    for (size_t f = 0; f < info.facet_count; f++) {
        const double *corner[3];
        for (size_t c = 0; c < 3; c++)
            corner[c] = info.vertices + 3 * (size_t)info.facets[3 * f + c];
        scree_stl_put_triangle(&file, corner);
    }
    return scree_file_commit(&file);
}
