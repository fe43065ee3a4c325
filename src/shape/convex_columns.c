/*  A convex polyhedron by columns. */
#include "shape/convex.h"

static uint32_t whole_groups(uint32_t count)
{
    return (count + SCREE_CONVEX_GROUP - 1) / SCREE_CONVEX_GROUP * SCREE_CONVEX_GROUP;
}

static double *give_columns(double *room, double **column, int columns, uint32_t rows)
{
    for (int k = 0; k < columns; k++, room += rows)
        column[k] = room;
    return room;
}

scree_status scree_convex_columns_reserve(scree_convex_columns *columns, const scree_convex *convex,
                                          scree_memory *memory)
{
    columns->corners = whole_groups(convex->corner_count);
    columns->faces = whole_groups(convex->face_count);
    columns->edges = whole_groups(convex->edge_count);
    size_t wanted =
        3 * (size_t)columns->corners + 4 * (size_t)columns->faces + 3 * (size_t)columns->edges;
    if (scree_memory_reserve(memory, &columns->room, &columns->capacity, wanted,
                             sizeof *columns->room))
        return SCREE_OUT_OF_MEMORY;
    double *room = give_columns(columns->room, columns->corner, 3, columns->corners);
    room = give_columns(room, columns->face, 4, columns->faces);
    give_columns(room, columns->along, 3, columns->edges);
    return SCREE_OK;
}

void scree_convex_columns_free(scree_convex_columns *columns, scree_memory *memory)
{
    scree_memory_give(memory, &columns->room, columns->capacity, sizeof *columns->room);
}

/*  `rows`: of `width` numbers each. */
static void fill_columns(double *const *column, uint32_t filled, const double *rows, uint32_t count,
                         int width)
{
    for (uint32_t r = 0; r < filled; r++)
        for (int k = 0; k < width; k++)
            column[k][r] = rows[(size_t)width * (r < count ? r : count - 1) + (size_t)k];
}

scree_status scree_convex_fill_columns(scree_convex *convex, scree_memory *memory)
{
    scree_convex_columns *columns = &convex->columns;

    if (scree_convex_columns_reserve(columns, convex, memory))
        return SCREE_OUT_OF_MEMORY;
    fill_columns(columns->corner, columns->corners, convex->corner[0], convex->corner_count, 3);
    fill_columns(columns->face, columns->faces, convex->face[0], convex->face_count, 4);
    fill_columns(columns->along, columns->edges, convex->along[0], convex->edge_count, 3);
    return SCREE_OK;
}
