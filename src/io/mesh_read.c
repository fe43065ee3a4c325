/*  Recognises the format of a mesh file, and creates a mesh from what its reader returns. */
#include "base/sized_definition.h"
#include "io/mesh_soup.h"
#include "io/read_file.h"

#include "scree/io.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* ---- triangle soups ---- */

void scree_soup_free(scree_soup *soup)
{
    scree_memory_give(soup->memory, &soup->vertices, soup->vertex_capacity, sizeof(double));
    scree_memory_give(soup->memory, &soup->facets, soup->facet_capacity, sizeof(uint32_t));
}

scree_status scree_soup_vertex(scree_soup *soup, const double position[3])
{
    size_t used = 3 * soup->vertex_count;
    scree_status status = scree_memory_reserve(soup->memory, &soup->vertices,
                                               &soup->vertex_capacity, used + 3, sizeof(double));
    if (status)
        return status;
    memcpy(soup->vertices + used, position, 3 * sizeof *position);
    soup->vertex_count++;
    return SCREE_OK;
}

scree_status scree_soup_facet(scree_soup *soup, uint32_t a, uint32_t b, uint32_t c)
{
    size_t used = 3 * soup->facet_count;
    scree_status status;
    if (soup->facet_count == SCREE_MESH_MAX_FACETS)
        return SCREE_TOO_LARGE;
    status = scree_memory_reserve(soup->memory, &soup->facets, &soup->facet_capacity, used + 3,
                                  sizeof(uint32_t));
    if (status)
        return status;
    soup->facets[used] = a;
    soup->facets[used + 1] = b;
    soup->facets[used + 2] = c;
    soup->facet_count++;
    return SCREE_OK;
}

scree_status scree_soup_fail(const scree_text *text, scree_status status)
{
    if (status == SCREE_TOO_LARGE)
        return scree_fail(text->error, status, "%.100s:%" PRIu64 ": more than %u triangles",
                          text->name, text->line, SCREE_MESH_MAX_FACETS);
    return scree_fail(text->error, status, "%.100s:%" PRIu64 ": out of memory", text->name,
                      text->line);
}

scree_status scree_fan_corner(scree_soup *soup, scree_fan *fan, uint32_t vertex)
{
    scree_status status = SCREE_OK;
    if (fan->count == 0)
        fan->first = vertex;
    else if (fan->count > 1)
        status = scree_soup_facet(soup, fan->first, fan->last, vertex);
    fan->last = vertex;
    fan->count++;
    return status;
}

uint32_t scree_load_u32(const unsigned char *bytes, bool big_endian)
{
    uint32_t value = 0;
    for (int k = 0; k < 4; k++)
        value |= (uint32_t)bytes[big_endian ? 3 - k : k] << 8 * k;
    return value;
}

float scree_load_float(const unsigned char *bytes, bool big_endian)
{
    uint32_t bits = scree_load_u32(bytes, big_endian);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- which format ---- */

/*  Whether the first byte cannot occur in text. */
static bool looks_binary(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count && i < 512; i++)
        if (bytes[i] < '\t' || (bytes[i] > '\r' && bytes[i] < 32))
            return true;
    return false;
}

/*  A binary file of no other format states its length in its head, since devices never end. */
static size_t mesh_claim(const unsigned char *bytes, size_t count)
{
    uint64_t most = SCREE_MESH_FILE_MOST;
    if (count >= SCREE_STL_HEAD && looks_binary(bytes, count) && memcmp(bytes, "ply", 3) != 0)
        most = scree_stl_bytes(bytes) < most ? scree_stl_bytes(bytes) : most;
    return (size_t)most;
}

static scree_status read_soup(const unsigned char *bytes, size_t count, const char *name,
                              scree_soup *soup, scree_error *error)
{
    scree_text text = scree_text_open(bytes, count, name, error), ahead = text;
    scree_span line = {NULL, NULL}, word = line;
    char shown[SCREE_SHOWN];
    while (scree_next_line(&ahead, &line) && line.at == line.end)
        ;
    scree_next_word(&line, &word);
    if (count >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r'))
        return scree_read_ply(bytes, count, name, soup, error);
    if (scree_is_stl_binary(bytes, count))
        return scree_read_stl_binary(bytes, count, name, soup, error);
    if (looks_binary(bytes, count)) {
        uint64_t makes = count < SCREE_STL_HEAD ? 0 : scree_stl_bytes(bytes);
        if (count < SCREE_STL_HEAD)
            return scree_fail(error, SCREE_BAD_FILE,
                              "%.100s: byte %zu: the file ends; a binary STL file has at least 84",
                              name, count);
        /* if it is longer, only enough was read to show that */
        return scree_fail(error, SCREE_BAD_FILE,
                          "%.100s: byte 80: number of triangles is %" PRIu32
                          ", which makes %" PRIu64 " bytes of a binary STL file, but it has %zu%s",
                          name, scree_load_u32(bytes + 80, false), makes, count,
                          count > makes ? " or more" : "");
    }
    if (scree_span_is_any_case(word, "solid"))
        return scree_read_stl_text(text, soup);
    if (scree_is_obj(text))
        return scree_read_obj(text, soup);
    if (scree_span_length(word) == 0)
        return scree_fail(error, SCREE_BAD_FILE, "%.100s: the file is empty", name);
    return scree_fail(error, SCREE_BAD_FILE,
                      "%.100s:%" PRIu64 ": \"%s\" does not begin an STL, OBJ or PLY file", name,
                      ahead.line, scree_show(word, shown));
}

/* ---- all of it ---- */

/*  The definition of the host, if it gives one, in full. */
static scree_status read_mesh_def(const scree_mesh_def *given, scree_mesh_def *def,
                                  scree_error *error)
{
    *def = scree_default_mesh_def();
    if (given && !scree_definition_read(def, given))
        return scree_fail(error, SCREE_BAD_DEF, "mesh def: it is not from scree_default_mesh_def");
    if (def->vertices || def->facets || def->vertex_count || def->facet_count || def->corners != 3)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "mesh def: of a file that is read, vertices and facets must be empty "
                          "and corners 3");
    return SCREE_OK;
}

static scree_status make_mesh(const scree_soup *soup, const scree_mesh_def *def, const char *name,
                              scree_mesh **mesh, scree_error *error)
{
    scree_error why = {SCREE_OK, ""};
    scree_mesh_def full = *def;
    scree_status status;
    full.vertices = soup->vertices;
    full.vertex_count = (uint32_t)soup->vertex_count;
    full.facets = soup->facets;
    full.facet_count = (uint32_t)soup->facet_count;
    full.error = &why;
    if (full.facet_count == 0)
        return scree_fail(error, SCREE_BAD_FILE, "%.100s: there are no triangles in it", name);
    status = scree_mesh_create(&full, mesh);
    if (status)
        scree_fail(error, status, "%.100s: %s", name, why.text);
    return status;
}

static scree_status refuse_length(const char *name, uint64_t count, scree_error *error)
{
    return scree_fail(error, SCREE_TOO_LARGE,
                      "%.100s: has %" PRIu64 " bytes, mesh files of at most %" PRIu64
                      " can be read",
                      name, count, SCREE_MESH_FILE_MOST);
}

scree_status scree_mesh_read_bytes(const void *bytes, size_t count, const char *name,
                                   const scree_mesh_def *def, scree_mesh **mesh, scree_error *error)
{
    scree_mesh_def own;
    scree_memory memory;
    scree_soup soup = {.memory = &memory};
    scree_status status;
    if (!mesh)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh read: mesh is NULL");
    *mesh = NULL;
    name = name ? name : "mesh";
    if (!bytes && count > 0)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh read: bytes is NULL");
    if ((status = read_mesh_def(def, &own, error)))
        return status;
    if ((status = scree_memory_init(&memory, &own.allocator)))
        return scree_fail(error, status, "mesh def: allocator has some functions, not all");
    if (count > SCREE_MESH_FILE_MOST)
        return refuse_length(name, count, error);
    status = read_soup(bytes, count, name, &soup, error);
    if (!status)
        status = make_mesh(&soup, &own, name, mesh, error);
    scree_soup_free(&soup);
    return status;
}

scree_status scree_mesh_read(const char *path, const scree_mesh_def *def, scree_mesh **mesh,
                             scree_error *error)
{
    scree_mesh_def own;
    scree_memory memory;
    scree_file_bytes file;
    struct stat info;
    scree_status status;
    if (!mesh)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh read: mesh is NULL");
    *mesh = NULL;
    if ((status = read_mesh_def(def, &own, error)))
        return status;
    if ((status = scree_memory_init(&memory, &own.allocator)))
        return scree_fail(error, status, "mesh def: allocator has some functions, not all");
    if (!path)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "mesh read: path is NULL");
    if (stat(path, &info) == 0 && info.st_size > 0 && (uint64_t)info.st_size > SCREE_MESH_FILE_MOST)
        return refuse_length(path, (uint64_t)info.st_size, error);
    status = scree_file_read(path, mesh_claim, &memory, &file, error);
    if (!status)
        status = scree_mesh_read_bytes(file.bytes, file.count, path, &own, mesh, error);
    scree_file_bytes_free(&file, &memory);
    return status;
}
