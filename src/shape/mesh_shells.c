/*  Surfaces of several closed shells. Those that are in no other must all have the same orientation, and a cavity,
    which is in an odd number of others, the opposite one. Otherwise the enclosed volume is counted with the wrong sign,
    or twice.

    A shell is in another if all its tested corners are (all corners, or a sample of many): if a ray from there crosses
    the other an odd number of times. The direction of the ray is arbitrary, so it does not meet an edge by design.
    Shells that intersect are in none. */
#include "shape/mesh.h"

#include "base/error.h"
#include "base/vector.h"

#include <math.h>
#include <string.h>

#define MAX_SHELLS 2000u /* shells that are compared with each other */
#define MAX_CORNERS 24u  /* corners of a shell that are tested */

typedef struct mesh_shell
{
    double lower[3], upper[3], volume;
    uint32_t begin, end; /* in the list of facets by shell */
    uint32_t depth;
} mesh_shell;

typedef struct shell_list
{
    const scree_mesh *mesh;
    mesh_shell *shell;
    uint32_t *facet; /* by shell */
    uint32_t count;
} shell_list;

static const double *corner_of(const scree_mesh *mesh, uint32_t facet, uint32_t c)
{
    return mesh->vertices + 3 * (size_t)mesh->facets[3 * (size_t)facet + c];
}

static uint32_t count_patches(const scree_mesh *mesh)
{
    uint32_t count = 0;

    for (uint32_t f = 0; f < mesh->facet_count; f++)
        count = mesh->patch[f] >= count ? mesh->patch[f] + 1 : count;
    return count;
}

/* ---- shells ---- */

static void add_to_shell(mesh_shell *shell, const scree_mesh *mesh, uint32_t facet)
{
    double product[3], corner[3][3];

    for (uint32_t c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            double x = corner_of(mesh, facet, c)[k];
            corner[c][k] = x - mesh->lower[k];
            shell->lower[k] = x < shell->lower[k] ? x : shell->lower[k];
            shell->upper[k] = x > shell->upper[k] ? x : shell->upper[k];
        }
    scree_cross(corner[0], corner[1], product);
    shell->volume += scree_dot(product, corner[2]);
    shell->end++;
}

static void sort_by_shell(const shell_list *list)
{
    const scree_mesh *mesh = list->mesh;
    uint32_t begin = 0;

    for (uint32_t s = 0; s < list->count; s++)
        list->shell[s] = (mesh_shell){.lower = {INFINITY, INFINITY, INFINITY},
                                      .upper = {-INFINITY, -INFINITY, -INFINITY}};
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        add_to_shell(&list->shell[mesh->patch[f]], mesh, f);
    for (uint32_t s = 0; s < list->count; s++) {
        uint32_t facets = list->shell[s].end;
        list->shell[s].begin = list->shell[s].end = begin;
        begin += facets;
    }
    for (uint32_t f = 0; f < mesh->facet_count; f++)
        list->facet[list->shell[mesh->patch[f]].end++] = f;
}

/* ---- nesting ---- */

/*  Whether a ray from a point goes through a facet. */
static bool ray_meets(const double point[3], const scree_mesh *mesh, uint32_t facet)
{
    static const double way[3] = {0.53771, 0.67413, 0.50634};
    double corner[3][3], normal[3], side[3], edge[2][3];

    for (uint32_t c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            corner[c][k] = corner_of(mesh, facet, c)[k] - point[k];
    for (int c = 0; c < 3; c++) {
        scree_cross(corner[c], corner[(c + 1) % 3], normal);
        side[c] = scree_dot(normal, way);
    }
    if (!((side[0] > 0 && side[1] > 0 && side[2] > 0) ||
          (side[0] < 0 && side[1] < 0 && side[2] < 0)))
        return false;
    for (int k = 0; k < 3; k++) {
        edge[0][k] = corner[1][k] - corner[0][k];
        edge[1][k] = corner[2][k] - corner[0][k];
    }
    scree_cross(edge[0], edge[1], normal);
    return scree_dot(normal, corner[0]) * scree_dot(normal, way) > 0;
}

static bool point_lies_in(const shell_list *list, const double point[3], const mesh_shell *shell)
{
    bool is_in = false;

    for (int k = 0; k < 3; k++)
        if (!(point[k] > shell->lower[k] && point[k] < shell->upper[k]))
            return false;
    for (uint32_t i = shell->begin; i < shell->end; i++)
        is_in ^= ray_meets(point, list->mesh, list->facet[i]);
    return is_in;
}

static bool lies_in(const shell_list *list, const mesh_shell *inner, const mesh_shell *outer)
{
    uint32_t facets = inner->end - inner->begin;
    uint32_t step = facets > MAX_CORNERS ? facets / MAX_CORNERS : 1;

    for (uint32_t i = inner->begin; i < inner->end; i += step)
        if (!point_lies_in(list, corner_of(list->mesh, list->facet[i], 0), outer))
            return false;
    return true;
}

static void find_depths(const shell_list *list)
{
    for (uint32_t a = 0; a < list->count; a++)
        for (uint32_t b = 0; b < list->count; b++)
            list->shell[a].depth += a != b && lies_in(list, &list->shell[a], &list->shell[b]);
}

/* ---- orientation ---- */

static scree_status refuse_shell(const shell_list *list, const mesh_shell *shell,
                                 scree_error *error)
{
    uint32_t facet = list->mesh->source[list->facet[shell->begin]];

    return scree_fail(
        error, SCREE_BAD_VALUE,
        "mesh solid: of its %u closed parts the one of facet %u is turned the wrong way: "
        "it lies in %u others, so its normals must point %s those of the parts that lie "
        "in none",
        list->count, facet, shell->depth,
        shell->depth % 2 ? "against" : "the same way, in or out, as");
}

static scree_status check_turns(const shell_list *list, scree_error *error)
{
    double outward = 0;

    for (uint32_t s = 0; s < list->count && outward == 0; s++)
        if (list->shell[s].depth == 0)
            outward = list->shell[s].volume < 0 ? -1 : 1;
    for (uint32_t s = 0; s < list->count; s++) {
        const mesh_shell *shell = &list->shell[s];
        double wanted = shell->depth % 2 ? -outward : outward;
        if (shell->volume * wanted < 0)
            return refuse_shell(list, shell, error);
    }
    return SCREE_OK;
}

scree_status scree_mesh_check_shells(const scree_mesh *mesh, scree_error *error)
{
    shell_list list = {.mesh = mesh, .count = count_patches(mesh)};
    scree_memory memory;
    scree_status status;

    /* lines around a body in two dimensions are used by blocks only, which have no parts */
    if (mesh->corners != 3 || list.count < 2 || list.count > MAX_SHELLS)
        return SCREE_OK;
    scree_memory_init(&memory, &mesh->memory.allocator);
    status = scree_memory_take(&memory, list.count, sizeof *list.shell, &list.shell);
    if (!status)
        status = scree_memory_take(&memory, mesh->facet_count, sizeof *list.facet, &list.facet);
    if (status) {
        scree_fail(error, status, "mesh solid: out of memory");
    } else {
        sort_by_shell(&list);
        find_depths(&list);
        status = check_turns(&list, error);
    }
    scree_memory_give(&memory, &list.shell, list.count, sizeof *list.shell);
    scree_memory_give(&memory, &list.facet, mesh->facet_count, sizeof *list.facet);
    return status;
}
