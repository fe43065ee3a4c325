/*  What the fuzz targets of mesh files insist on: what is refused is refused with a reason that begins with the
    file's name, and what is accepted is a mesh that fits together and takes memory in proportion to the file. */
#ifndef SCREE_TESTS_IO_FUZZ_MESH_H
#define SCREE_TESTS_IO_FUZZ_MESH_H

#include "harness/failing_allocator.h"
#include "scree/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void insist_io(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "not so: %s\n", what);
    abort();
}

/*  A read asks for the soup and the mesh with its search tree, which for one triangle are some kilobytes. */
static inline void fuzz_mesh(const unsigned char *data, size_t size)
{
    failing_allocator memory = {0};
    scree_mesh_def def = scree_default_mesh_def();
    scree_error error = {SCREE_OK, ""};
    scree_mesh *mesh;
    scree_status status;
    def.allocator = failing_allocator_hooks(&memory);
    status = scree_mesh_read_bytes(data, size, "t", &def, &mesh, &error);
    if (status) {
        insist_io(status == SCREE_BAD_FILE || status == SCREE_BAD_VALUE, "status");
        insist_io(strncmp(error.text, "t:", 2) == 0 && error.status == status, "reason");
        insist_io(mesh == NULL, "no mesh");
    } else {
        scree_mesh_info info = scree_mesh_describe(mesh);
        scree_mesh_report report;
        scree_mesh_solid solid;
        insist_io(info.facet_count > 0 && info.facet_count <= size, "facets");
        for (size_t c = 0; c < 3 * (size_t)info.facet_count; c++)
            insist_io(info.facets[c] < info.vertex_count, "corner");
        for (size_t i = 0; i < 3 * (size_t)info.vertex_count; i++)
            insist_io(isfinite(info.vertices[i]), "coordinate");
        insist_io(memory.live_bytes <= 20000 + 2000 * size, "memory");
        if (info.facet_count < 3000)
            insist_io(scree_mesh_check(mesh, &report, &error) == SCREE_OK, "check");
        if (scree_mesh_solid_of(mesh, 1, &solid, &error) == SCREE_OK)
            insist_io(solid.volume > 0 && solid.mass > 0, "volume");
    }
    scree_mesh_destroy(mesh);
    insist_io(failing_allocator_is_clean(&memory), "all memory given back");
}

/*  The given bytes behind a beginning that leads to one reader. */
static inline void fuzz_with_head(const char *head, size_t length, const unsigned char *data,
                                  size_t size)
{
    unsigned char *joined = malloc(length + size);
    insist_io(joined != NULL, "memory for the target");
    memcpy(joined, head, length);
    if (size > 0)
        memcpy(joined + length, data, size);
    fuzz_mesh(joined, length + size);
    free(joined);
}

#endif
