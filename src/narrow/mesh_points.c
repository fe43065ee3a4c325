/*  Merging with running means, and a hash of cells that finds the means nearby. A cell is slightly larger than the
    radius, so means within the radius are in the 27 cells around a point. While there are few means, a linear search is
    faster. */
#include "narrow/mesh_points.h"

#include "base/hash.h"

#include <math.h>

#define FEW 32u

typedef struct scree_mesh_cluster
{
    double mean[3], position_sum[3], way_sum[3], normal_sum[3], distance_sum;
    double cell[3];
    uint32_t next; /* next in its bucket, plus one */
    uint32_t pairs, facet[2];
} scree_mesh_cluster;

void scree_mesh_merger_init(scree_mesh_merger *merger, scree_memory *memory)
{
    *merger = (scree_mesh_merger){.memory = memory};
}

void scree_mesh_merger_free(scree_mesh_merger *merger)
{
    scree_memory_give(merger->memory, &merger->points, merger->point_capacity,
                      sizeof *merger->points);
    scree_memory_give(merger->memory, &merger->cluster, merger->cluster_capacity,
                      sizeof *merger->cluster);
    scree_memory_give(merger->memory, &merger->bucket, merger->bucket_capacity,
                      sizeof *merger->bucket);
}

/* ---- cells ---- */

static void cell_of(const scree_mesh_merger *merger, const double at[3], double cell[3])
{
    for (int k = 0; k < 3; k++)
        cell[k] = floor((at[k] - merger->origin[k]) / merger->cell) + 0.0; /* no -0 */
}

static uint32_t *bucket_of(const scree_mesh_merger *merger, const double cell[3])
{
    uint64_t hash = SCREE_HASH_START;
    for (int k = 0; k < 3; k++)
        hash = scree_hash_number(hash, cell[k]);
    return &merger->bucket[hash & (merger->bucket_count - 1)];
}

static void link_cluster(scree_mesh_merger *merger, uint32_t number)
{
    scree_mesh_cluster *cluster = &merger->cluster[number];
    cell_of(merger, cluster->mean, cluster->cell);
    uint32_t *bucket = bucket_of(merger, cluster->cell);
    cluster->next = *bucket;
    *bucket = number + 1;
}

static void unlink_cluster(scree_mesh_merger *merger, uint32_t number)
{
    uint32_t *link = bucket_of(merger, merger->cluster[number].cell);
    while (*link != number + 1)
        link = &merger->cluster[*link - 1].next;
    *link = merger->cluster[number].next;
}

static bool is_near(const scree_mesh_merger *merger, uint32_t number, const double at[3])
{
    const double *mean = merger->cluster[number].mean;
    double x = at[0] - mean[0], y = at[1] - mean[1], z = at[2] - mean[2];
    return x * x + y * y + z * z <= merger->radius * merger->radius;
}

/*  The first mean of a bucket that is near, if it comes before `best`. */
static uint32_t first_in_cell(const scree_mesh_merger *merger, const double cell[3],
                              const double at[3], uint32_t best)
{
    for (uint32_t link = *bucket_of(merger, cell); link; link = merger->cluster[link - 1].next)
        if (link - 1 < best && is_near(merger, link - 1, at))
            best = link - 1;
    return best;
}

/*  Returns the number of clusters if there is none. */
static uint32_t first_near(const scree_mesh_merger *merger, const double at[3])
{
    uint32_t count = (uint32_t)merger->count, best = count;
    double middle[3];
    if (count <= FEW) {
        for (best = 0; best < count && !is_near(merger, best, at);)
            best++;
        return best;
    }
    cell_of(merger, at, middle);
    for (int c = 0; c < 27; c++) {
        const double cell[3] = {middle[0] + (c % 3 - 1), middle[1] + (c / 3 % 3 - 1),
                                middle[2] + (c / 9 - 1)};
        best = first_in_cell(merger, cell, at, best);
    }
    return best;
}

/* ---- contribution of a pair ---- */

/*  Normal of a facet in the world, with twice its area as length, and the square of that. */
static double facet_normal(const scree_mesh_body *body, uint32_t facet, double normal[3])
{
    const double *corner[3];
    double edge[2][3], flat[3];
    for (size_t c = 0; c < 3; c++)
        corner[c] = body->mesh->vertices + 3 * (size_t)body->mesh->facets[3 * (size_t)facet + c];
    for (int k = 0; k < 3; k++) {
        edge[0][k] = corner[1][k] - corner[0][k];
        edge[1][k] = corner[2][k] - corner[0][k];
    }
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        flat[k] = edge[0][i] * edge[1][j] - edge[0][j] * edge[1][i];
    }
    for (int k = 0; k < 3; k++)
        normal[k] = body->pose.turn[k][0] * flat[0] + body->pose.turn[k][1] * flat[1] +
                    body->pose.turn[k][2] * flat[2];
    return flat[0] * flat[0] + flat[1] * flat[1] + flat[2] * flat[2];
}

/*  Normalises. Returns false, and changes nothing, if there is no direction. */
static bool make_unit(double v[3])
{
    double most = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (!(most > 0))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= most;
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

/*  Normal of the larger of two triangles, from the first body to the second. */
static void add_normal(const scree_mesh_body *a, const scree_mesh_body *b, const uint32_t facet[2],
                       double sum[3])
{
    double first[3], second[3];
    bool take_first = facet_normal(a, facet[0], first) >= facet_normal(b, facet[1], second);
    double *normal = take_first ? first : second;
    make_unit(normal);
    for (int k = 0; k < 3; k++)
        sum[k] += take_first ? normal[k] : -normal[k];
}

static void add_pair(scree_mesh_merger *merger, uint32_t number, const scree_mesh_body *a,
                     const scree_mesh_body *b, const scree_mesh_touch *contact, const double at[3])
{
    scree_mesh_cluster *cluster = &merger->cluster[number];
    double cell[3];
    bool is_new = number == merger->count;
    if (is_new) {
        *cluster = (scree_mesh_cluster){.facet = {contact->facet[0], contact->facet[1]}};
        merger->count++;
    }
    cluster->pairs++;
    cluster->distance_sum += contact->distance;
    for (int k = 0; k < 3; k++) {
        cluster->position_sum[k] += at[k] - merger->origin[k];
        cluster->way_sum[k] += contact->point[1][k] - contact->point[0][k];
        cluster->mean[k] = merger->origin[k] + cluster->position_sum[k] / cluster->pairs;
    }
    if (contact->distance == 0)
        add_normal(a, b, contact->facet, cluster->normal_sum);
    cell_of(merger, cluster->mean, cell);
    if (!is_new && memcmp(cell, cluster->cell, sizeof cell) == 0)
        return;
    if (!is_new)
        unlink_cluster(merger, number);
    link_cluster(merger, number);
}

/* ---- points ---- */

static void way_between_middles(const scree_mesh_body *a, const scree_mesh_body *b, double way[3])
{
    const scree_mesh_body *body[2] = {a, b};
    double at[2][3];
    for (int s = 0; s < 2; s++) {
        double middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = 0.5 * (body[s]->mesh->lower[k] + body[s]->mesh->upper[k]);
        scree_mesh_place(&body[s]->pose, middle, at[s]);
    }
    for (int k = 0; k < 3; k++)
        way[k] = at[1][k] - at[0][k];
}

static void finish_point(const scree_mesh_cluster *cluster, const scree_mesh_body *a,
                         const scree_mesh_body *b, scree_mesh_point *point)
{
    memcpy(point->position, cluster->mean, sizeof point->position);
    memcpy(point->normal, cluster->way_sum, sizeof point->normal);
    memcpy(point->facet, cluster->facet, sizeof point->facet);
    point->distance = cluster->distance_sum / cluster->pairs;
    point->pairs = cluster->pairs;
    if (make_unit(point->normal))
        return;
    memcpy(point->normal, cluster->normal_sum, sizeof point->normal);
    if (make_unit(point->normal))
        return;
    way_between_middles(a, b, point->normal);
    if (make_unit(point->normal))
        return;
    /* concentric bodies: any direction is valid */
    point->normal[2] = 1;
}

static scree_status begin_merge(scree_mesh_merger *merger, const scree_mesh_touch *contacts,
                                size_t count, double reach)
{
    size_t buckets = 64;
    scree_status status;
    while (buckets < count)
        buckets *= 2;
    if ((status = scree_memory_reserve(merger->memory, &merger->bucket, &merger->bucket_capacity,
                                       buckets, sizeof *merger->bucket)) ||
        (status = scree_memory_reserve(merger->memory, &merger->cluster, &merger->cluster_capacity,
                                       count, sizeof *merger->cluster)) ||
        (status = scree_memory_reserve(merger->memory, &merger->points, &merger->point_capacity,
                                       count, sizeof *merger->points)))
        return status;
    merger->bucket_count = buckets;
    memset(merger->bucket, 0, buckets * sizeof *merger->bucket);
    memcpy(merger->origin, contacts->point[0], sizeof merger->origin);
    merger->radius = reach / 2;
    merger->cell = merger->radius * (1 + 0x1p-10);
    return SCREE_OK;
}

scree_status scree_mesh_merge(scree_mesh_merger *merger, const scree_mesh_body *a,
                              const scree_mesh_body *b, const scree_mesh_touch *contacts,
                              size_t count)
{
    double share = a->skin / (a->skin + b->skin);
    scree_status status;
    merger->count = 0;
    if (count == 0)
        return SCREE_OK;
    if ((status = begin_merge(merger, contacts, count, a->skin + b->skin)))
        return status;
    for (size_t n = 0; n < count; n++) {
        const scree_mesh_touch *contact = &contacts[n];
        double at[3];
        for (int k = 0; k < 3; k++)
            at[k] = contact->point[0][k] + share * (contact->point[1][k] - contact->point[0][k]);
        add_pair(merger, first_near(merger, at), a, b, contact, at);
    }
    for (size_t n = 0; n < merger->count; n++)
        finish_point(&merger->cluster[n], a, b, &merger->points[n]);
    return SCREE_OK;
}
