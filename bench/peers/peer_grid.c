/*  A plain grid, as anyone would write it in fifty lines: cells as wide as the widest body, a counting sort, and for each
    body the rest of its cell, the next one, and the three cells of each of the four rows ahead. It shows what a scene
    takes without a library. Its memory is kept from build to build. */
#include "peer.h"

#include <string.h>

typedef struct grid
{
    size_t count, cells[3], room;
    double edge;
    uint32_t *start, *cell, *id; /* start: of each cell, and one more; id: of sorted bodies */
    double *row;                 /* of sorted bodies */
} grid;

static void *room_for(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        abort();
    return memory;
}

static const char *refuse(const peer_bodies *bodies)
{
    return bodies->largest > 100 * bodies->smallest
               ? "cells as wide as the widest body hold too many"
               : NULL;
}

static size_t numbers(const peer_bodies *bodies)
{
    return bodies->boxes ? 6 : 4;
}

static void *create(const peer_bodies *bodies, const char *name)
{
    grid *g = calloc(1, sizeof *g);
    (void)name;
    if (!g)
        abort();
    g->room = 4 * bodies->count + 64;
    g->start = room_for((g->room + 1) * sizeof *g->start);
    g->cell = room_for((bodies->count + 1) * sizeof *g->cell);
    g->id = room_for((bodies->count + 1) * sizeof *g->id);
    g->row = room_for((bodies->count + 1) * numbers(bodies) * sizeof *g->row);
    return g;
}

static void destroy(void *state)
{
    grid *g = state;
    free(g->start);
    free(g->cell);
    free(g->id);
    free(g->row);
    free(g);
}

static void reset(void *state)
{
    (void)state;
}

/*  One cell around the domain stays empty, so that no row ahead leaves the grid. */
static void choose_cells(grid *g, const peer_bodies *bodies)
{
    g->edge = 2 * bodies->largest * (1 + 1e-9);
    for (;;) {
        size_t all = 1;
        for (int k = 0; k < 3; k++) {
            double width = k < bodies->dimensions ? bodies->upper[k] - bodies->lower[k] : 0;
            double most = fmin(width / g->edge, (double)g->room);
            all *= g->cells[k] = (size_t)most + 3;
            if (all > g->room)
                break;
        }
        if (all <= g->room)
            return;
        g->edge *= 1.25;
    }
}

static uint32_t cell_of(const grid *g, const peer_bodies *bodies, const double *row)
{
    size_t cell = 0;
    for (int k = 2; k >= 0; k--) {
        double at = bodies->boxes ? (row[k] + row[3 + k]) / 2 : row[k];
        double low = k < bodies->dimensions ? bodies->lower[k] : at;
        cell = cell * g->cells[k] + (size_t)((at - low) / g->edge) + 1;
    }
    return (uint32_t)cell;
}

static void build(void *state, const peer_bodies *bodies)
{
    grid *g = state;
    size_t n = bodies->count, each = numbers(bodies), all;
    choose_cells(g, bodies);
    all = g->cells[0] * g->cells[1] * g->cells[2];
    g->count = n;
    memset(g->start, 0, (all + 1) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->cell[i] = cell_of(g, bodies, bodies->row + each * i)]++;
    for (size_t c = 1; c <= all; c++)
        g->start[c] += g->start[c - 1];
    for (size_t i = n; i-- > 0;) {
        uint32_t to = --g->start[g->cell[i]];
        g->id[to] = (uint32_t)i;
        memcpy(g->row + each * to, bodies->row + each * i, each * sizeof(double));
    }
}

static void move(void *state, const peer_bodies *bodies, const uint32_t *rows, size_t count)
{
    (void)rows;
    (void)count;
    build(state, bodies);
}

/*  One sorted body against the sorted bodies from `begin` to before `end`. */
static void test_run(const grid *g, const peer_bodies *sorted, peer_pairs *pairs, uint32_t a,
                     uint32_t begin, uint32_t end)
{
    for (uint32_t b = begin; b < end; b++) {
        if (!peer_overlap(sorted, a, b))
            continue;
        if (pairs->count == pairs->capacity)
            peer_pairs_grow(pairs);
        pairs->buffer[0][pairs->count] = g->id[a];
        pairs->buffer[1][pairs->count++] = g->id[b];
    }
}

static void find(void *state, peer_pairs *pairs)
{
    const grid *g = state;
    size_t x = g->cells[0], xy = x * g->cells[1], all = xy * g->cells[2];
    const size_t ahead[4] = {x, xy - x, xy, xy + x};
    peer_bodies sorted = *pairs->bodies;
    sorted.row = g->row;
    for (size_t c = 0; c < all; c++) {
        for (uint32_t a = g->start[c]; a < g->start[c + 1]; a++) {
            test_run(g, &sorted, pairs, a, a + 1, g->start[c + 2]);
            for (int k = 0; k < 4; k++)
                test_run(g, &sorted, pairs, a, g->start[c + ahead[k] - 1],
                         g->start[c + ahead[k] + 2]);
        }
    }
}

static const peer_variant variants[] = {
    {"grid", "cells as wide as the widest body, doubles", refuse, create, reset, build, move, find,
     destroy},
    {0},
};

const peer_library peer_this = {"own", variants, NULL};
