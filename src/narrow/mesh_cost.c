#include "narrow/mesh_cost.h"

#include <math.h>

/*  Microseconds with AVX-512. Only ratios matter, which depend less on the machine. */
static const struct
{
    double fixed, slope;
} mesh_cost_fit[SCREE_MESH_WAYS] = {
    [SCREE_MESH_BY_ALL] = {0.81, 0.041},
    [SCREE_MESH_BY_BOXES] = {1.22, 0.164},
    [SCREE_MESH_BY_SURROGATES] = {2.8, 0.559},
};

double scree_mesh_cost_of_size(scree_mesh_way way, uint32_t first, uint32_t second)
{
    return way == SCREE_MESH_BY_ALL ? (double)first * second : sqrt((double)first + second);
}

double scree_mesh_cost(scree_mesh_way way, uint32_t first, uint32_t second)
{
    return mesh_cost_fit[way].fixed +
           mesh_cost_fit[way].slope * scree_mesh_cost_of_size(way, first, second);
}

scree_mesh_way scree_mesh_cheapest(uint32_t first, uint32_t second)
{
    return scree_mesh_cost(SCREE_MESH_BY_ALL, first, second) <
                   scree_mesh_cost(SCREE_MESH_BY_BOXES, first, second)
               ? SCREE_MESH_BY_ALL
               : SCREE_MESH_BY_BOXES;
}
