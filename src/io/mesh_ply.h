/*  The header of a PLY file: elements in the order of the file, each with its properties. */
#ifndef SCREE_MESH_PLY_H
#define SCREE_MESH_PLY_H

#include "io/mesh_soup.h"

#define SCREE_PLY_ELEMENTS 32
#define SCREE_PLY_PROPERTIES 256 /* of all elements */

typedef enum scree_ply_type
{
    SCREE_PLY_I8,
    SCREE_PLY_U8,
    SCREE_PLY_I16,
    SCREE_PLY_U16,
    SCREE_PLY_I32,
    SCREE_PLY_U32,
    SCREE_PLY_F32,
    SCREE_PLY_F64,
    SCREE_PLY_NO_TYPE,
} scree_ply_type;

/*  Smallest number of bytes of one in a binary file. */
size_t scree_ply_type_bytes(scree_ply_type type);

typedef enum scree_ply_use
{
    SCREE_PLY_UNUSED,
    SCREE_PLY_X,
    SCREE_PLY_Y,
    SCREE_PLY_Z,
    SCREE_PLY_CORNERS,
} scree_ply_use;

typedef struct scree_ply_property
{
    scree_span name;
    scree_ply_type type;
    scree_ply_type count_type; /* type of the count of a list; SCREE_PLY_NO_TYPE: one value */
    scree_ply_use use;
} scree_ply_property;

typedef struct scree_ply_element
{
    scree_span name;
    uint64_t count;
    int first, property_count; /* indices of properties */
    bool is_vertex, is_face;
} scree_ply_element;

typedef enum scree_ply_coding
{
    SCREE_PLY_TEXT,
    SCREE_PLY_LITTLE,
    SCREE_PLY_BIG,
} scree_ply_coding;

typedef struct scree_ply
{
    scree_text text; /* the content after the header */
    const unsigned char *begin;
    scree_soup *soup;
    scree_ply_coding coding;
    int element_count, property_count;
    scree_ply_element elements[SCREE_PLY_ELEMENTS];
    scree_ply_property properties[SCREE_PLY_PROPERTIES];
    uint32_t vertex_count;
} scree_ply;

/*  Reads up to and including the line end_header. What it claims fits into the remaining bytes. */
scree_status scree_ply_read_header(scree_ply *ply);
scree_status scree_ply_read_text(scree_ply *ply);
scree_status scree_ply_read_binary(scree_ply *ply);

/*  Whether a face may have this corner index. */
bool scree_ply_corner_fits(const scree_ply *ply, double corner);

#endif
