#include "world/measure/neighbour_pairs.h"

#include "world/step/world_data.h"

size_t scree_world_neighbour_count(const scree_world *world)
{
    /* the rows that the list names may be those of other bodies */
    return world->needs_search ? 0 : world->pairs.count;
}

scree_neighbour_pair scree_world_neighbour_pair(const scree_world *world, size_t index)
{
    const uint32_t first = world->pairs.first[index][0], second = world->pairs.second[index][0];
    const double *a = world->bodies.position[first];
    scree_neighbour_pair pair = {world->bodies.id[first][0], world->bodies.id[second][0], {0}, {0}};
    double step[3], n[3];

    scree_domain_step(&world->cell.now, a, world->bodies.position[second], step, n);
    for (int k = 0; k < 3; k++) {
        pair.from[k] = a[k];
        pair.to[k] = a[k] + step[k];
    }
    return pair;
}
