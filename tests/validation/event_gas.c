/*  Events are found in short windows: at the start of one all pairs are listed that may meet in it, each with the displacement and
    velocity of the image that is nearest; the earliest of them meets, and what its two have ahead is found again. Plain searches
    through short lists do, as a few hundred bodies meet some 1e5 times. Units: mass, diameter and shear rate are 1. */
#include "event_gas.h"

#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAIRS_PER_BODY 32

typedef struct event_pair
{
    size_t body[2];
    double shift[3], speed; /* of the image of the first; its speed is along x */
    double time;            /* when they meet; INFINITY: not in this window */
} event_pair;

typedef struct event_gas
{
    size_t count;
    double side, restitution;
    double offset; /* of the image above, along x */
    double (*at)[3], (*velocity)[3];
    double *time; /* since the window began, at which a body was where `at` says */
    event_pair *pair;
    size_t pair_count, pair_capacity;
    size_t *first, *next;          /* of a body; of entry 2 p + k: pairs of a body as a list */
    double kinetic[4], contact[4]; /* xx, yy, zz, xy: sums over windows, and over collisions */
    uint64_t state;
} event_gas;

#define NO_ENTRY SIZE_MAX

/*  Even in [0, 1): splitmix64, Steele, Lea and Flood 2014. */
static double chance(event_gas *g)
{
    uint64_t z = g->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double normal(event_gas *g)
{
    double radius = sqrt(-2 * log(1 - chance(g)));
    return radius * cos(2 * VALIDATION_PI * chance(g));
}

/*  Of the flow, at this height. */
static double flow_at(const event_gas *g, double y)
{
    return y - g->side / 2;
}

static bool is_free(const event_gas *g, size_t k)
{
    for (size_t other = 0; other < k; other++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
            double d = fabs(g->at[k][a] - g->at[other][a]);
            square += pow(fmin(d, g->side - d), 2);
        }
        if (square < 1.0001)
            return false;
    }
    return true;
}

/*  Momentum 0, and this temperature. */
static void start(event_gas *g, double temperature)
{
    double mean[3] = {0, 0, 0}, square = 0, n = (double)g->count;
    for (size_t k = 0; k < g->count; k++) {
        do {
            for (int a = 0; a < 3; a++)
                g->at[k][a] = g->side * chance(g);
        } while (!is_free(g, k));
        for (int a = 0; a < 3; a++) {
            g->velocity[k][a] = normal(g);
            mean[a] += g->velocity[k][a] / n;
        }
    }
    for (size_t k = 0; k < g->count; k++)
        for (int a = 0; a < 3; a++) {
            g->velocity[k][a] -= mean[a];
            square += g->velocity[k][a] * g->velocity[k][a] / (3 * n);
        }
    for (size_t k = 0; k < g->count; k++) {
        for (int a = 0; a < 3; a++)
            g->velocity[k][a] *= sqrt(temperature / square);
        g->velocity[k][0] += flow_at(g, g->at[k][1]);
    }
}

/*  Back into the cube; who crosses the sheared boundary is moved and takes its speed. */
static void wrap(event_gas *g)
{
    for (size_t k = 0; k < g->count; k++) {
        double *at = g->at[k], up = floor(at[1] / g->side);
        at[1] -= up * g->side;
        at[0] -= up * g->offset;
        g->velocity[k][0] -= up * g->side;
        at[0] -= g->side * floor(at[0] / g->side);
        at[2] -= g->side * floor(at[2] / g->side);
        g->time[k] = 0;
    }
}

static void place_at(event_gas *g, size_t k, double time)
{
    for (int a = 0; a < 3; a++)
        g->at[k][a] += g->velocity[k][a] * (time - g->time[k]);
    g->time[k] = time;
}

/*  From the second to the first, both being where they are at this time. */
static void apart(const event_gas *g, const event_pair *pair, double time, double r[3], double u[3])
{
    const size_t i = pair->body[0], j = pair->body[1];
    for (int a = 0; a < 3; a++) {
        u[a] = g->velocity[i][a] - g->velocity[j][a];
        r[a] = g->at[i][a] - g->at[j][a] + pair->shift[a];
    }
    u[0] += pair->speed;
    r[0] += pair->speed * time;
}

static void foresee(event_gas *g, event_pair *pair, double time)
{
    double r[3], u[3], approach = 0, gap = -1, square = 0;
    apart(g, pair, time, r, u);
    for (int a = 0; a < 3; a++) {
        approach -= r[a] * u[a];
        gap += r[a] * r[a];
        square += u[a] * u[a];
    }
    double root = approach * approach - square * gap;
    /* |r + u t| = 1; a gap below 0 is rounding */
    pair->time =
        approach <= 0 || root < 0 ? INFINITY : time + fmax(0, gap) / (approach + sqrt(root));
}

/*  Lists the pair if its nearest images are within reach. */
static void consider(event_gas *g, size_t i, size_t j, double reach)
{
    double r[3], up, square = 0;
    for (int a = 0; a < 3; a++)
        r[a] = g->at[i][a] - g->at[j][a];
    up = -rint(r[1] / g->side);
    event_pair pair = {
        .body = {i, j}, .shift = {up * g->offset, up * g->side}, .speed = up * g->side};
    for (int a = 0; a < 3; a++) {
        if (a != 1)
            pair.shift[a] -= g->side * rint((r[a] + pair.shift[a]) / g->side);
        square += pow(r[a] + pair.shift[a], 2);
    }
    if (square > reach * reach || g->pair_count == g->pair_capacity)
        return;
    size_t p = g->pair_count++;
    foresee(g, &pair, 0);
    g->pair[p] = pair;
    for (int k = 0; k < 2; k++) {
        g->next[2 * p + (size_t)k] = g->first[pair.body[k]];
        g->first[pair.body[k]] = 2 * p + (size_t)k;
    }
}

/*  All pairs that may meet within the window: none becomes much faster than the fastest is. */
static void list_pairs(event_gas *g, double window)
{
    double most = 0;
    for (size_t k = 0; k < g->count; k++) {
        const double *v = g->velocity[k];
        double u = v[0] - flow_at(g, g->at[k][1]);
        most = fmax(most, sqrt(u * u + v[1] * v[1] + v[2] * v[2]));
        g->first[k] = NO_ENTRY;
    }
    double reach = 1 + (2 * 1.7 * most + 2) * window;
    g->pair_count = 0;
    for (size_t i = 0; i < g->count; i++)
        for (size_t j = 0; j < i; j++) {
            double y = fabs(g->at[i][1] - g->at[j][1]), z = fabs(g->at[i][2] - g->at[j][2]);
            if (fmin(y, g->side - y) < reach && fmin(z, g->side - z) < reach)
                consider(g, i, j, reach);
        }
}

static void meet(event_gas *g, event_pair *pair)
{
    double r[3], u[3], speed = 0, length = 0, time = pair->time;
    for (int k = 0; k < 2; k++)
        place_at(g, pair->body[k], time);
    apart(g, pair, time, r, u);
    for (int a = 0; a < 3; a++)
        length += r[a] * r[a];
    for (int a = 0; a < 3; a++) {
        r[a] /= sqrt(length);
        speed -= r[a] * u[a];
    }
    double push = (1 + g->restitution) / 2 * speed;
    for (int a = 0; a < 3; a++) {
        g->velocity[pair->body[0]][a] += push * r[a];
        g->velocity[pair->body[1]][a] -= push * r[a];
        g->contact[a] += push * r[a] * r[a];
    }
    g->contact[3] += push * r[0] * r[1];
    for (int k = 0; k < 2; k++)
        for (size_t e = g->first[pair->body[k]]; e != NO_ENTRY; e = g->next[e]) {
            event_pair *other = &g->pair[e / 2];
            place_at(g, other->body[0], time);
            place_at(g, other->body[1], time);
            foresee(g, other, time);
        }
    pair->time = INFINITY;
}

static void advance(event_gas *g, double window)
{
    wrap(g);
    list_pairs(g, window);
    for (;;) {
        size_t next = 0;
        for (size_t p = 1; p < g->pair_count; p++)
            if (g->pair[p].time < g->pair[next].time)
                next = p;
        if (g->pair_count == 0 || g->pair[next].time > window)
            break;
        meet(g, &g->pair[next]);
    }
    for (size_t k = 0; k < g->count; k++)
        place_at(g, k, window);
    g->offset += g->side * window;
    g->offset -= g->side * floor(g->offset / g->side);
}

/*  Less the flow, and what all have in common. */
static void look(event_gas *g)
{
    double mean[3] = {0, 0, 0}, share = 1 / (double)(g->count - 1);
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < g->count; k++) {
            const double *v = g->velocity[k];
            double u[3] = {v[0] - flow_at(g, g->at[k][1]) - mean[0], v[1] - mean[1],
                           v[2] - mean[2]};
            for (int a = 0; a < 3 && pass; a++)
                g->kinetic[a] += share * u[a] * u[a];
            g->kinetic[3] += pass ? share * u[0] * u[1] : 0;
            for (int a = 0; a < 3 && !pass; a++)
                mean[a] += u[a] / (double)g->count;
        }
}

sheared_gas sheared_by_events(double restitution, double volume_fraction, size_t count,
                              double expected, double rest, double strain, uint64_t seed)
{
    event_gas g = {.count = count, .restitution = restitution, .state = seed};
    sheared_gas s = {.temperature = NAN, .pressure = NAN, .shear = NAN, .difference = NAN};
    g.side = cbrt((double)count * VALIDATION_PI / 6 / volume_fraction);
    g.pair_capacity = PAIRS_PER_BODY * count;
    g.at = malloc(count * sizeof *g.at);
    g.velocity = malloc(count * sizeof *g.velocity);
    g.time = calloc(count, sizeof *g.time);
    g.pair = malloc(g.pair_capacity * sizeof *g.pair);
    g.first = malloc(count * sizeof *g.first);
    g.next = malloc(2 * g.pair_capacity * sizeof *g.next);
    if (g.at && g.velocity && g.time && g.pair && g.first && g.next) {
        start(&g, expected);
        /* some collisions a hundred bodies */
        double window = 0.04 / sqrt(expected), seen = 0;
        for (double done = 0; done < rest; done += window)
            advance(&g, window);
        memset(g.contact, 0, sizeof g.contact);
        for (; seen < strain / window; seen++) {
            advance(&g, window);
            look(&g);
        }
        for (int a = 0; a < 4; a++) {
            g.kinetic[a] /= seen;
            g.contact[a] /= seen * window * (double)count;
        }
        s.temperature = (g.kinetic[0] + g.kinetic[1] + g.kinetic[2]) / 3;
        s.pressure = s.temperature + (g.contact[0] + g.contact[1] + g.contact[2]) / 3;
        s.shear = -g.kinetic[3] - g.contact[3];
        s.difference = g.kinetic[0] + g.contact[0] - g.kinetic[1] - g.contact[1];
    }
    free(g.at);
    free(g.velocity);
    free(g.time);
    free(g.pair);
    free(g.first);
    free(g.next);
    return s;
}
