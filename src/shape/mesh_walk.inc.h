/*  Descends the tree of a mesh to the groups of facets that are near a point, in plain C and plain OpenCL C. With
    MESH_WALK_HAS_BOXES the includer has boxes_in_reach, after this file. */

/*  A ball in the tree's units. `reach_sq` covers all rounding: the centre and the boxes are off by 2^-24 of the largest
    number, their difference by as much again. */
typedef struct probe
{
    const scree_mesh *mesh;
    float centre[3], reach_sq;
    double largest; /* of the numbers that are rounded, at least 1 */
} probe;

#define FAR_AWAY 1e17 /* its square is far from the largest float */

SCREE_KERNEL_FUNCTION void set_reach(probe *p, double reach)
{
    double r = reach * p->mesh->tree.scale * (1 + 0x1p-20) + p->largest * 0x1p-20;

    p->reach_sq = r > 0.5 * FAR_AWAY ? INFINITY : (float)(r * r * (1 + 0x1p-20));
}

SCREE_KERNEL_FUNCTION probe make_probe(const scree_mesh *mesh, const double centre[3], double reach)
{
    probe p = {.mesh = mesh, .largest = 1};

    for (int k = 0; k < 3; k++) {
        double x = (centre[k] - mesh->tree.origin[k]) * mesh->tree.scale;
        x = x > FAR_AWAY ? FAR_AWAY : x < -FAR_AWAY ? -FAR_AWAY : x;
        p.largest = fmax(p.largest, fabs(x));
        p.centre[k] = (float)x;
    }
    set_reach(&p, reach);
    return p;
}

/*  Bit i: box i of the group is within reach. Unused places are infinitely far, so only a reach that is not finite
    selects them; the caller checks this. */
#ifdef MESH_WALK_HAS_BOXES
static uint32_t boxes_in_reach(const scree_mesh_group *group, const probe *p);
#else
SCREE_KERNEL_FUNCTION uint32_t boxes_in_reach(SCREE_GLOBAL const scree_mesh_group *group,
                                              const probe *p)
{
    uint32_t hits = 0;
    for (int i = 0; i < (int)SCREE_MESH_WIDTH; i++) {
        float distance_sq = 0;
        for (int k = 0; k < 3; k++) {
            float below = group->lower[k][i] - p->centre[k];
            float above = p->centre[k] - group->upper[k][i];
            float outside = below > above ? below : above;
            distance_sq += outside > 0 ? outside * outside : 0;
        }
        hits |= (uint32_t)(distance_sq <= p->reach_sq) << i;
    }
    return hits;
}
#endif

/*  Groups still to be tested: index within the level, and level. */
typedef struct mesh_walk
{
    uint32_t group[SCREE_MESH_WIDTH * SCREE_MESH_LEVELS];
    uint8_t level[SCREE_MESH_WIDTH * SCREE_MESH_LEVELS];
    uint32_t height;
} mesh_walk;

SCREE_KERNEL_FUNCTION void begin_walk(const scree_mesh *mesh, mesh_walk *walk)
{
    walk->group[0] = 0;
    walk->level[0] = (uint8_t)(mesh->tree.levels - 1);
    walk->height = 1;
}

/*  The next group of facets: the place of its first one in the order of the tree, and which of the eight are within
    reach. Returns false at the end. */
SCREE_KERNEL_FUNCTION bool walk_on(const scree_mesh *mesh, mesh_walk *walk, const probe *p,
                                   size_t *first, uint32_t *hits)
{
    while (walk->height > 0) {
        const uint32_t group = walk->group[--walk->height], level = walk->level[walk->height];
        const size_t start = mesh->tree.level_start[level];
        *first = (size_t)group * SCREE_MESH_WIDTH;
        *hits = boxes_in_reach(mesh->tree.groups + start + group, p);
        if (level == 0)
            return true;
        const size_t below = start - mesh->tree.level_start[level - 1];
        for (size_t i = *first; *hits != 0 && i < below; i++, *hits >>= 1)
            if (*hits & 1) {
                walk->group[walk->height] = (uint32_t)i;
                walk->level[walk->height++] = (uint8_t)(level - 1);
            }
    }
    return false;
}
