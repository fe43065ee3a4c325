/*  Finds vertices in the same cell by sorting them by cell. */
#include "coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH 1.15     /* factor of the cell size, until there are few enough facets */
#define CELLS_MOST 1000 /* along an axis: three of these and a vertex index fit into a word */

typedef struct clusters
{
    const scree_mesh_info *mesh;
    uint64_t *word; /* cell, then vertex */
    uint32_t *of;   /* cluster of each vertex */
} clusters;

void scree_lab_coarse_free(lab_coarse *coarse)
{
    free(coarse->vertices);
    free(coarse->facets);
    memset(coarse, 0, sizeof *coarse);
}

static int by_word(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static void sort_by_cell(clusters *c, double side)
{
    const scree_mesh_info *mesh = c->mesh;

    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        uint64_t cell = 0;
        for (size_t k = 0; k < 3; k++)
            cell = cell << 10 |
                   (uint64_t)((mesh->vertices[3 * (size_t)i + k] - mesh->lower[k]) / side);
        c->word[i] = cell << 32 | i;
    }
    qsort(c->word, mesh->vertex_count, sizeof *c->word, by_word);
}

/*  Computes the cluster of each vertex, and the mean position of each cluster. */
static void merge(clusters *c, lab_coarse *coarse)
{
    uint32_t members = 0;

    coarse->vertex_count = 0;
    for (uint32_t i = 0; i < c->mesh->vertex_count; i++) {
        uint32_t vertex = (uint32_t)c->word[i];
        if (i == 0 || c->word[i] >> 32 != c->word[i - 1] >> 32) {
            coarse->vertex_count++;
            members = 0;
        }
        double *mean = coarse->vertices + 3 * (size_t)(coarse->vertex_count - 1);
        members++;
        for (size_t k = 0; k < 3; k++) {
            double before = members > 1 ? mean[k] : 0;
            mean[k] = before + (c->mesh->vertices[3 * (size_t)vertex + k] - before) / members;
        }
        c->of[vertex] = coarse->vertex_count - 1;
    }
}

/*  Keeps facets whose corners are in three different clusters. */
static void keep_facets(const clusters *c, lab_coarse *coarse)
{
    coarse->facet_count = 0;
    for (size_t f = 0; f < c->mesh->facet_count; f++) {
        uint32_t *corner = coarse->facets + 3 * (size_t)coarse->facet_count;
        for (size_t k = 0; k < 3; k++)
            corner[k] = c->of[c->mesh->facets[3 * f + k]];
        coarse->facet_count +=
            corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
    }
}

scree_status scree_lab_coarse_make(const scree_mesh_info *mesh, double area, uint32_t most,
                                   lab_coarse *coarse)
{
    clusters c = {mesh, malloc(mesh->vertex_count * sizeof *c.word),
                  malloc(mesh->vertex_count * sizeof *c.of)};
    scree_status status = SCREE_OUT_OF_MEMORY;
    double extent = 0;

    for (int k = 0; k < 3; k++)
        extent = fmax(extent, mesh->upper[k] - mesh->lower[k]);
    *coarse = (lab_coarse){malloc(3 * (size_t)mesh->vertex_count * sizeof *coarse->vertices),
                           malloc(3 * (size_t)mesh->facet_count * sizeof *coarse->facets), 0, 0};
    if (c.word && c.of && coarse->vertices && coarse->facets) {
        /* a surface of this area passes through at least as many cells as squares of their side fit into it */
        double side = fmax(sqrt(area / most), extent / CELLS_MOST);
        do {
            sort_by_cell(&c, side);
            merge(&c, coarse);
            keep_facets(&c, coarse);
            side *= GROWTH;
        } while (coarse->facet_count > most);
        status = SCREE_OK;
    }
    if (status)
        scree_lab_coarse_free(coarse);
    free(c.word);
    free(c.of);
    return status;
}
