/*  Merges repeated vertices and drops facets without area from what a user or a file provides.

    Vertices that facets use are processed in the given order. One that is near an earlier kept one becomes that one; if
    there are several, the first. Kept vertices are in a hash grid of cells a few welding distances wide, so each vertex
    visits at most 8 cells, and usually one or two. */
#include "shape/mesh.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

#define NONE UINT32_MAX
/*  in welding distances: wider cells contain more vertices, narrower ones need more visits */
#define CELL_WIDTH 4.0

/* ---- vertices ---- */

typedef struct welder
{
    scree_memory *memory;
    const double *given;
    double lower[3], inv_cell; /* inv_cell 0: merge only equal vertices */
    double near, near_sq;
    uint32_t *place_of; /* index that each given vertex became; NONE: no facet uses it */
    size_t given_count;
    double *kept; /* x y z each */
    uint32_t kept_count;
    uint32_t *bucket, *next; /* chains of kept vertices */
    size_t bucket_count, most;
} welder;

static uint32_t given_vertex(const scree_mesh_def *def, size_t corner)
{
    return def->facets ? def->facets[corner] : (uint32_t)corner;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static size_t bucket_of_cell(const welder *w, const int64_t cell[3])
{
    uint64_t hash = 0;
    for (int k = 0; k < 3; k++)
        hash = mix(hash, (uint64_t)cell[k]);
    return (size_t)(hash >> 20) & (w->bucket_count - 1);
}

/*  The cell of a coordinate; without welding, one for each number. */
static int64_t cell_of(const welder *w, int axis, double x)
{
    int64_t bits;
    if (w->inv_cell > 0)
        return (int64_t)floor((x - w->lower[axis]) * w->inv_cell);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/*  The first vertex of a chain that is near enough, if it comes before `best`. */
static uint32_t first_near(const welder *w, size_t bucket, const double p[3], uint32_t best)
{
    for (uint32_t i = w->bucket[bucket]; i != NONE; i = w->next[i]) {
        const double *q = w->kept + 3 * (size_t)i;
        double x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
        if (i < best && x * x + y * y + z * z <= w->near_sq)
            best = i;
    }
    return best;
}

static uint32_t equal_in(const welder *w, size_t bucket, const double p[3])
{
    for (uint32_t i = w->bucket[bucket]; i != NONE; i = w->next[i]) {
        const double *q = w->kept + 3 * (size_t)i;
        if (q[0] == p[0] && q[1] == p[1] && q[2] == p[2])
            return i;
    }
    return NONE;
}

/*  Searches all cells that a near vertex may be in. */
static uint32_t find_near(const welder *w, const double p[3])
{
    int64_t from[3], to[3], cell[3];
    uint32_t best = NONE;
    for (int k = 0; k < 3; k++) {
        from[k] = cell_of(w, k, p[k] - 1.25 * w->near);
        to[k] = cell_of(w, k, p[k] + 1.25 * w->near);
    }
    for (cell[0] = from[0]; cell[0] <= to[0]; cell[0]++)
        for (cell[1] = from[1]; cell[1] <= to[1]; cell[1]++)
            for (cell[2] = from[2]; cell[2] <= to[2]; cell[2]++)
                best = first_near(w, bucket_of_cell(w, cell), p, best);
    return best;
}

static uint32_t keep_vertex(welder *w, size_t bucket, const double p[3])
{
    uint32_t i = w->kept_count++;
    memcpy(w->kept + 3 * (size_t)i, p, 3 * sizeof *p);
    w->next[i] = w->bucket[bucket];
    w->bucket[bucket] = i;
    return i;
}

/*  Searches for an equal vertex first: most repeated vertices are exactly equal. A kept equal vertex is also what
    find_near would return, since it was kept because nothing before it is near. */
static uint32_t weld_vertex(welder *w, size_t given)
{
    double p[3];
    int64_t cell[3];
    uint32_t found;
    size_t bucket;
    for (int k = 0; k < 3; k++) {
        p[k] = w->given[3 * given + (size_t)k] + 0.0; /* no -0.0 */
        cell[k] = cell_of(w, k, p[k]);
    }
    bucket = bucket_of_cell(w, cell);
    found = equal_in(w, bucket, p);
    if (found == NONE && w->inv_cell > 0)
        found = find_near(w, p);
    if (found == NONE)
        found = keep_vertex(w, bucket, p);
    return found;
}

static void weld_vertices(welder *w, const scree_mesh_def *def)
{
    size_t corners = (size_t)def->facet_count * (size_t)def->corners;
    for (size_t c = 0; c < corners; c++)
        w->place_of[given_vertex(def, c)] = 0;
    for (size_t i = 0; i < w->given_count; i++)
        if (w->place_of[i] != NONE)
            w->place_of[i] = weld_vertex(w, i);
}

static scree_status begin_welding(welder *w, const scree_mesh_def *def, size_t most)
{
    scree_status status;
    w->given_count = def->vertex_count;
    w->most = most;
    for (w->bucket_count = 16; w->bucket_count < most; w->bucket_count *= 2)
        ;
    if ((status = scree_memory_take(w->memory, w->given_count, sizeof(uint32_t), &w->place_of)) ||
        (status = scree_memory_take(w->memory, 3 * most, sizeof(double), &w->kept)) ||
        (status = scree_memory_take(w->memory, most, sizeof(uint32_t), &w->next)) ||
        (status = scree_memory_take(w->memory, w->bucket_count, sizeof(uint32_t), &w->bucket)))
        return status;
    memset(w->place_of, 0xff, w->given_count * sizeof(uint32_t));
    memset(w->bucket, 0xff, w->bucket_count * sizeof(uint32_t));
    return SCREE_OK;
}

static void end_welding(welder *w)
{
    scree_memory_give(w->memory, &w->place_of, w->given_count, sizeof(uint32_t));
    scree_memory_give(w->memory, &w->kept, 3 * w->most, sizeof(double));
    scree_memory_give(w->memory, &w->next, w->most, sizeof(uint32_t));
    scree_memory_give(w->memory, &w->bucket, w->bucket_count, sizeof(uint32_t));
}

/*  The distance within which vertices are merged, from the extent of those that facets use. */
static void set_welding(welder *w, const scree_mesh_def *def)
{
    double upper[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
    size_t corners = (size_t)def->facet_count * (size_t)def->corners;
    w->given = def->vertices;
    for (int k = 0; k < 3; k++)
        w->lower[k] = INFINITY;
    for (size_t c = 0; c < corners; c++) {
        const double *p = def->vertices + 3 * (size_t)given_vertex(def, c);
        for (int k = 0; k < 3; k++) {
            w->lower[k] = p[k] < w->lower[k] ? p[k] : w->lower[k];
            upper[k] = p[k] > upper[k] ? p[k] : upper[k];
        }
    }
    for (int k = 0; k < 3; k++)
        extent = upper[k] - w->lower[k] > extent ? upper[k] - w->lower[k] : extent;
    w->near = def->weld * extent;
    w->near_sq = w->near * w->near;
    w->inv_cell = w->near > 1 / SCREE_MESH_LARGEST ? 1 / (CELL_WIDTH * w->near) : 0;
}

/* ---- facets ---- */

/*  A triangle without area: its height is within the welding distance, or its normal would be rounding only (height
    below 1e-10 of its longest edge), or its square underflows. */
static bool is_flat(const double *kept, const uint32_t *vertex, int corners, double near)
{
    const double *a = kept + 3 * (size_t)vertex[0], *b = kept + 3 * (size_t)vertex[1];
    const double *c = kept + 3 * (size_t)vertex[corners - 1];
    double ab[3], ac[3], ab_sq = 0, ac_sq = 0, bc_sq = 0, longest_sq, least, across[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        ab_sq += ab[k] * ab[k];
        ac_sq += ac[k] * ac[k];
        bc_sq += (c[k] - b[k]) * (c[k] - b[k]);
    }
    longest_sq = ab_sq > ac_sq ? ab_sq : ac_sq;
    longest_sq = bc_sq > longest_sq ? bc_sq : longest_sq;
    if (!(longest_sq > 1 / (SCREE_MESH_LARGEST * SCREE_MESH_LARGEST)))
        return true;
    if (corners == 2)
        return vertex[0] == vertex[1];
    across[0] = ab[1] * ac[2] - ab[2] * ac[1];
    across[1] = ab[2] * ac[0] - ab[0] * ac[2];
    across[2] = ab[0] * ac[1] - ab[1] * ac[0];
    least = 1e-10 * sqrt(longest_sq);
    least = near > least ? near : least;
    return !(across[0] * across[0] + across[1] * across[1] + across[2] * across[2] >
             least * least * longest_sq);
}

static void sort_vertices(const uint32_t *vertex, int corners, uint32_t sorted[3])
{
    sorted[0] = sorted[1] = sorted[2] = 0;
    for (int i = 0; i < corners; i++) {
        int j = i;
        for (; j > 0 && sorted[j - 1] > vertex[i]; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = vertex[i];
    }
}

/*  Kept facets, by their vertices in any order; chains as above. */
typedef struct duplicate_finder
{
    uint32_t *bucket, *next;
    size_t bucket_count;
} duplicate_finder;

static bool has_duplicate(const duplicate_finder *t, const scree_mesh *mesh, const uint32_t *vertex,
                          uint32_t new_facet)
{
    uint32_t sorted[3], other[3];
    uint64_t hash = 0;
    sort_vertices(vertex, mesh->corners, sorted);
    for (int i = 0; i < 3; i++)
        hash = mix(hash, sorted[i]);
    uint32_t *bucket = t->bucket + ((size_t)(hash >> 20) & (t->bucket_count - 1));
    for (uint32_t f = *bucket; f != NONE; f = t->next[f]) {
        sort_vertices(mesh->facets + (size_t)f * (size_t)mesh->corners, mesh->corners, other);
        if (memcmp(sorted, other, sizeof sorted) == 0)
            return true;
    }
    t->next[new_facet] = *bucket;
    *bucket = new_facet;
    return false;
}

/*  Writes the kept facets into arrays of full length. */
static void keep_facets(scree_mesh *mesh, const scree_mesh_def *def, const welder *w,
                        duplicate_finder *t, uint32_t *facets, uint32_t *source)
{
    size_t corners = (size_t)def->corners;
    uint32_t count = 0;
    mesh->facets = facets;
    for (uint32_t f = 0; f < def->facet_count; f++) {
        uint32_t *vertex = facets + count * corners;
        for (size_t i = 0; i < corners; i++)
            vertex[i] = w->place_of[given_vertex(def, f * corners + i)];
        if (is_flat(w->kept, vertex, def->corners, w->near))
            mesh->dropped_flat++;
        else if (has_duplicate(t, mesh, vertex, count))
            mesh->dropped_duplicates++;
        else
            source[count++] = f;
    }
    mesh->facets = NULL;
    mesh->facet_count = count;
}

/* ---- the result, in arrays of exact size ---- */

/*  Vertices that a facet still uses, in the order they were kept; `number` is scratch for each. */
static scree_status take_over(scree_mesh *mesh, const welder *w, const uint32_t *facets,
                              const uint32_t *source, uint32_t *number)
{
    size_t corners = (size_t)mesh->facet_count * (size_t)mesh->corners;
    scree_status status;
    uint32_t count = 0;
    if ((status = scree_memory_take(&mesh->memory, corners, sizeof(uint32_t), &mesh->facets)) ||
        (status =
             scree_memory_take(&mesh->memory, mesh->facet_count, sizeof(uint32_t), &mesh->source)))
        return status;
    memcpy(mesh->source, source, mesh->facet_count * sizeof *source);
    memset(number, 0, w->kept_count * sizeof *number);
    for (size_t c = 0; c < corners; c++)
        number[facets[c]] = 1;
    for (uint32_t i = 0; i < w->kept_count; i++)
        number[i] = number[i] ? count++ : NONE;
    for (size_t c = 0; c < corners; c++)
        mesh->facets[c] = number[facets[c]];
    if ((status =
             scree_memory_take(&mesh->memory, 3 * (size_t)count, sizeof(double), &mesh->vertices)))
        return status;
    mesh->vertex_count = count;
    for (uint32_t i = 0; i < w->kept_count; i++)
        if (number[i] != NONE)
            memcpy(mesh->vertices + 3 * (size_t)number[i], w->kept + 3 * (size_t)i,
                   3 * sizeof(double));
    return SCREE_OK;
}

static void set_extent(scree_mesh *mesh)
{
    for (int k = 0; k < 3; k++) {
        mesh->lower[k] = INFINITY;
        mesh->upper[k] = -INFINITY;
        for (size_t i = 0; i < mesh->vertex_count; i++) {
            double x = mesh->vertices[3 * i + (size_t)k];
            mesh->lower[k] = x < mesh->lower[k] ? x : mesh->lower[k];
            mesh->upper[k] = x > mesh->upper[k] ? x : mesh->upper[k];
        }
    }
}

/*  No facet was kept: all are flat, or the mesh is so small that its areas underflow. */
static scree_status refuse_all(const scree_mesh_def *def)
{
    double wide = 0;

    for (int k = 0; k < 3; k++) {
        double lower = INFINITY, upper = -INFINITY;
        for (uint32_t v = 0; v < def->vertex_count; v++) {
            lower = fmin(lower, def->vertices[3 * (size_t)v + (size_t)k]);
            upper = fmax(upper, def->vertices[3 * (size_t)v + (size_t)k]);
        }
        wide = fmax(wide, upper - lower);
    }
    if (wide > 0 && !(wide > 1 / SCREE_MESH_LARGEST))
        return scree_fail(def->error, SCREE_BAD_VALUE,
                          "mesh def: it is too small: its extent is %.3g, must be above %g", wide,
                          1 / SCREE_MESH_LARGEST);
    return scree_fail(def->error, SCREE_BAD_VALUE, "mesh def: none of the %u facets has %s",
                      def->facet_count, def->corners == 3 ? "an area" : "a length");
}

scree_status scree_mesh_clean(scree_mesh *mesh, const scree_mesh_def *def)
{
    welder w = {.memory = &mesh->memory};
    duplicate_finder t = {NULL, NULL, 16};
    size_t given = def->facet_count, corners = given * (size_t)def->corners;
    size_t most = corners < def->vertex_count ? corners : def->vertex_count;
    uint32_t *facets = NULL, *source = NULL;
    scree_status status;

    while (t.bucket_count < given)
        t.bucket_count *= 2;
    set_welding(&w, def);
    if ((status = begin_welding(&w, def, most)) ||
        (status = scree_memory_take(w.memory, t.bucket_count, sizeof(uint32_t), &t.bucket)) ||
        (status = scree_memory_take(w.memory, given, sizeof(uint32_t), &t.next)) ||
        (status = scree_memory_take(w.memory, corners, sizeof(uint32_t), &facets)) ||
        (status = scree_memory_take(w.memory, given, sizeof(uint32_t), &source)))
        goto done;
    memset(t.bucket, 0xff, t.bucket_count * sizeof(uint32_t));
    weld_vertices(&w, def);
    keep_facets(mesh, def, &w, &t, facets, source);
    if (mesh->facet_count == 0) {
        status = refuse_all(def);
        goto done;
    }
    status = take_over(mesh, &w, facets, source, w.next);
    if (!status)
        set_extent(mesh);
done:
    scree_memory_give(w.memory, &source, given, sizeof(uint32_t));
    scree_memory_give(w.memory, &facets, corners, sizeof(uint32_t));
    scree_memory_give(w.memory, &t.next, given, sizeof(uint32_t));
    scree_memory_give(w.memory, &t.bucket, t.bucket_count, sizeof(uint32_t));
    end_welding(&w);
    return status;
}
