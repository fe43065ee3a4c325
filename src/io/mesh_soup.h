/*  Shared by the readers of mesh files: vertices and triangles before a mesh is created. */
#ifndef SCREE_MESH_SOUP_H
#define SCREE_MESH_SOUP_H

#include "base/memory.h"
#include "io/text.h"
#include "shape/mesh.h"

/*  Upper limit of a file's size: no format then exceeds the uint32_t vertex indices. */
#define SCREE_MESH_FILE_MOST ((uint64_t)1 << 34)

typedef struct scree_soup
{
    scree_memory *memory;
    double *vertices;                     /* x y z each */
    size_t vertex_count, vertex_capacity; /* capacity in numbers */
    uint32_t *facets;                     /* three each; none: 0 1 2, 3 4 5, ... */
    size_t facet_count, facet_capacity;   /* capacity in indices */
} scree_soup;

void scree_soup_free(scree_soup *soup);

/*  SCREE_OUT_OF_MEMORY; the message is the caller's. */
scree_status scree_soup_vertex(scree_soup *soup, const double position[3]);
/*  SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_soup_facet(scree_soup *soup, uint32_t a, uint32_t b, uint32_t c);
/*  Writes the message of these two statuses. */
scree_status scree_soup_fail(const scree_text *text, scree_status status);

/*  A polygon, given corner by corner, as a fan of triangles around its first. */
typedef struct scree_fan
{
    uint32_t first, last;
    uint64_t count;
} scree_fan;

scree_status scree_fan_corner(scree_soup *soup, scree_fan *fan, uint32_t vertex);

/*  ---- the formats; each reads the whole file. SCREE_BAD_FILE, SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE */

scree_status scree_read_stl_text(scree_text text, scree_soup *soup);
/*  Length of a binary STL file by its head, which is SCREE_STL_HEAD bytes long. */
#define SCREE_STL_HEAD 84u
uint64_t scree_stl_bytes(const unsigned char *bytes);
/*  Whether the length is that of a binary STL file. */
bool scree_is_stl_binary(const unsigned char *bytes, size_t count);
scree_status scree_read_stl_binary(const unsigned char *bytes, size_t count, const char *name,
                                   scree_soup *soup, scree_error *error);
/*  Whether the first non-empty line could be one of an OBJ file. */
bool scree_is_obj(scree_text text);
scree_status scree_read_obj(scree_text text, scree_soup *soup);
scree_status scree_read_ply(const unsigned char *bytes, size_t count, const char *name,
                            scree_soup *soup, scree_error *error);

/*  In either byte order, from any address. */
uint32_t scree_load_u32(const unsigned char *bytes, bool big_endian);
float scree_load_float(const unsigned char *bytes, bool big_endian);

#endif
