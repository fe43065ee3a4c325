/*  Pebbles that fill a mesh (Ferellec and McDowell 2010). A ball that touches the surface at vertex p, where n points
    inward, has its centre at p + r n; vertex q = p + w is outside of it while |w - r n| >= r, which is
    r <= w.w / (2 w.n). So the largest ball at p is found in one pass over all vertices. */
#include "shape/clump.h"

#include "base/error.h"
#include "base/portable_math.h"
#include "base/random.h"
#include "base/sized_definition.h"
#include "shape/mesh.h"

#include <math.h>
#include <string.h>

#define FILL_COOKIE 0x77c0b1e3u
#define PI 3.14159265358979323846

void scree_init_clump_fill_def(scree_clump_fill_def *def, size_t size)
{
    static const scree_clump_fill_def own = {.cookie = FILL_COOKIE,
                                             .size = sizeof(scree_clump_fill_def),
                                             .gap = 0.1,
                                             .smallest = 0.05,
                                             .max_pebbles = SCREE_MAX_PEBBLES,
                                             .mass_of_mesh = true,
                                             .seed = 1};

    scree_definition_write(def, size, &own, sizeof own);
}

/*  Vertices that are not covered yet come first in `open`. */
typedef struct filling
{
    const scree_mesh *mesh;
    scree_mesh_solid solid;
    scree_memory memory;
    double (*inward)[3]; /* unit normals of vertices; 0 where facets cancel */
    uint32_t *open;
    uint32_t open_count, vertex_count;
    scree_pebble *pebbles;
    size_t count, capacity;
    double gap, smallest; /* lengths */
} filling;

static scree_status check_fill(const scree_clump_fill_def *def)
{
    if (!def->mesh)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "clump fill: mesh is NULL");
    if (scree_mesh_describe(def->mesh).corners != 3)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "clump fill: a mesh of segments encloses no volume");
    if (!(def->gap > 0 && def->gap <= 1))
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "clump fill: gap is %g, must be above 0 and at most 1", def->gap);
    if (!(def->smallest >= 0 && def->smallest <= 1))
        return scree_fail(def->error, SCREE_BAD_VALUE, "clump fill: smallest is %g, must be 0 to 1",
                          def->smallest);
    if (def->max_pebbles == 0 || def->max_pebbles > SCREE_MAX_PEBBLES)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "clump fill: max_pebbles is %u, must be 1 to %u", def->max_pebbles,
                          SCREE_MAX_PEBBLES);
    return SCREE_OK;
}

/*  Weighted by the areas of the facets around a vertex. */
static void find_inward(filling *f)
{
    const scree_mesh *mesh = f->mesh;
    double sign = f->solid.inward ? 1 : -1;

    memset(f->inward, 0, f->vertex_count * sizeof *f->inward);
    for (size_t facet = 0; facet < mesh->facet_count; facet++) {
        const uint32_t *corner = mesh->facets + 3 * facet;
        const double *a = mesh->vertices + 3 * (size_t)corner[0];
        const double *b = mesh->vertices + 3 * (size_t)corner[1];
        const double *c = mesh->vertices + 3 * (size_t)corner[2];
        double turn = sign * (mesh->flipped_edges > 0 ? mesh->turn[facet] : 1);
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            double area = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
            for (int v = 0; v < 3; v++)
                f->inward[corner[v]][k] += turn * area;
        }
    }
    for (uint32_t v = 0; v < f->vertex_count; v++) {
        double *n = f->inward[v], length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            n[k] = length > 0 ? n[k] / length : 0;
    }
}

/*  The radius of the largest ball inside that touches the surface at the vertex; 0 if there is none. */
static double grow_ball(const filling *f, uint32_t vertex)
{
    const double *p = f->mesh->vertices + 3 * (size_t)vertex, *n = f->inward[vertex];
    double radius = INFINITY;

    for (uint32_t v = 0; v < f->vertex_count; v++) {
        const double *q = f->mesh->vertices + 3 * (size_t)v;
        double w[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
        double along = w[0] * n[0] + w[1] * n[1] + w[2] * n[2];
        double most = 0.5 * (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) / along;
        if (along > 0 && most < radius)
            radius = most;
    }
    return radius < INFINITY ? radius : 0;
}

static bool covers(const filling *f, const scree_pebble *pebble, const double p[3])
{
    double away_sq = 0, most = pebble->radius + f->gap;

    for (int k = 0; k < 3; k++)
        away_sq += (p[k] - pebble->centre[k]) * (p[k] - pebble->centre[k]);
    return away_sq <= most * most;
}

static void drop_covered(filling *f, const scree_pebble *pebble)
{
    uint32_t kept = 0;

    for (uint32_t k = 0; k < f->open_count; k++)
        if (!covers(f, pebble, f->mesh->vertices + 3 * (size_t)f->open[k]))
            f->open[kept++] = f->open[k];
    f->open_count = kept;
}

/*  Adds balls until all is covered or the limit is reached. A vertex is drawn only once. */
static scree_status fill_mesh_with_balls(filling *f, uint32_t most, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 0);

    while (f->open_count && f->count < most) {
        uint32_t at = scree_random_below(&random, f->open_count), vertex = f->open[at];
        double radius = grow_ball(f, vertex);
        f->open[at] = f->open[--f->open_count];
        if (!(radius >= f->smallest && radius > 0))
            continue;
        if (scree_memory_reserve(&f->memory, &f->pebbles, &f->capacity, f->count + 1,
                                 sizeof *f->pebbles))
            return SCREE_OUT_OF_MEMORY;
        scree_pebble *pebble = &f->pebbles[f->count++];
        for (int k = 0; k < 3; k++)
            pebble->centre[k] =
                f->mesh->vertices[3 * (size_t)vertex + (size_t)k] + radius * f->inward[vertex][k];
        pebble->radius = radius;
        drop_covered(f, pebble);
    }
    return SCREE_OK;
}

static scree_status begin_filling(filling *f, const scree_clump_fill_def *def)
{
    scree_status status = scree_mesh_solid_of(def->mesh, 1, &f->solid, def->error);
    double round;

    if (status)
        return status;
    round = scree_pow(f->solid.volume * (3 / (4 * PI)), 1.0 / 3);
    f->gap = def->gap * round;
    f->smallest = def->smallest * round;
    f->open_count = f->vertex_count = f->mesh->vertex_count;
    if (scree_memory_take(&f->memory, f->vertex_count, sizeof *f->inward, &f->inward) ||
        scree_memory_take(&f->memory, f->vertex_count, sizeof *f->open, &f->open))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t v = 0; v < f->vertex_count; v++)
        f->open[v] = v;
    find_inward(f);
    return SCREE_OK;
}

/*  Largest gap over all vertices, also those without a ball that is large enough. */
static double share_covered(const filling *f)
{
    uint32_t count = 0;

    for (uint32_t v = 0; v < f->vertex_count; v++) {
        const double *p = f->mesh->vertices + 3 * (size_t)v;
        bool is_covered = false;
        for (size_t b = 0; b < f->count && !is_covered; b++)
            is_covered = covers(f, &f->pebbles[b], p);
        count += is_covered;
    }
    return (double)count / f->vertex_count;
}

static scree_status make_clump_of(const filling *f, const scree_clump_fill_def *def,
                                  scree_clump **clump)
{
    scree_clump_def made = scree_default_clump_def();
    scree_clump_mass mass = {.volume = f->solid.volume};

    if (f->count == 0)
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "clump fill: no ball with a radius of %g or more fits inside: smallest "
                          "is %g of the mesh's own",
                          f->smallest, def->smallest);
    memcpy(mass.centre, f->solid.centre, sizeof mass.centre);
    memcpy(mass.inertia, f->solid.inertia, sizeof mass.inertia);
    made.pebbles = f->pebbles;
    made.pebble_count = (uint32_t)f->count;
    made.mass = def->mass_of_mesh ? &mass : NULL;
    made.allocator = def->allocator;
    made.error = def->error;
    return scree_clump_create(&made, clump);
}

scree_status scree_clump_fill(const scree_clump_fill_def *def, scree_clump **clump, double *covered)
{
    filling f = {.mesh = def ? def->mesh : NULL};
    scree_status status;

    if (!clump)
        return SCREE_BAD_ARGUMENT;
    *clump = NULL;
    if (!def)
        return SCREE_BAD_ARGUMENT;
    scree_clump_fill_def own = scree_default_clump_fill_def();
    if (!scree_definition_read(&own, def))
        return SCREE_BAD_DEF; /* def->error is invalid then */
    def = &own;
    if ((status = scree_memory_init(&f.memory, &def->allocator)))
        return scree_fail(def->error, status, "clump fill: allocator has some functions, not all");
    if ((status = check_fill(def)))
        return status;
    status = begin_filling(&f, def);
    if (!status)
        status = fill_mesh_with_balls(&f, def->max_pebbles, def->seed);
    if (status == SCREE_OUT_OF_MEMORY)
        scree_fail(def->error, status, "clump fill: out of memory");
    if (!status)
        status = make_clump_of(&f, def, clump);
    if (!status && covered)
        *covered = share_covered(&f);
    scree_memory_give(&f.memory, &f.pebbles, f.capacity, sizeof *f.pebbles);
    scree_memory_give(&f.memory, &f.open, f.vertex_count, sizeof *f.open);
    scree_memory_give(&f.memory, &f.inward, f.vertex_count, sizeof *f.inward);
    return status;
}
