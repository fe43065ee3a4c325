/*  The harness of a peer on meshes: makes the case, lets the library build, move and find, and prints one line of
    figures: microseconds of processor time, the least of several runs.
    Usage: mesh_X list
           mesh_X run VARIANT CASE SEARCHES BUDGET-SECONDS */
#include "mesh_peer.h"

#include "cases/mesh_case.h"
#include "measure/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 5

static int fail(const char *text)
{
    printf("failed: %s\n", text);
    return 1;
}

static int list_variants(void)
{
    printf("version %s\n", mesh_peer_this.version);
    for (const mesh_peer_variant *v = mesh_peer_this.variants; v->name; v++)
        printf("variant %s %s\n", v->name, v->question);
    return 0;
}

static void show_case(const scree_mesh_case *c, mesh_peer_case *two)
{
    two->reach = 2 * SCREE_MESH_CASE_SKIN;
    for (int s = 0; s < 2; s++) {
        const scree_mesh_body *from = &c->body[s];
        mesh_peer_body *to = &two->body[s];
        to->vertex_count = from->mesh->vertex_count;
        to->facet_count = from->mesh->facet_count;
        to->vertices = from->mesh->vertices;
        to->facets = from->mesh->facets;
        memcpy(to->place, from->pose.place, sizeof to->place);
        memcpy(to->turn, from->pose.turn, sizeof to->turn);
    }
}

/*  Once is enough where a search takes so long that the budget is used up. */
static double time_calls(const mesh_peer_variant *variant, void *state, bool moves, uint64_t calls,
                         double budget)
{
    double least = INFINITY, start = scree_thread_seconds();
    for (int run = 0; run < RUNS && scree_thread_seconds() - start < budget; run++) {
        double begin = scree_thread_seconds(), spent = 0;
        uint64_t done = 0;
        for (; done < calls && (done == 0 || spent < budget / RUNS); done++) {
            if (moves)
                variant->move(state);
            else
                variant->find(state);
            spent = scree_thread_seconds() - begin;
        }
        least = fmin(least, spent / (double)done);
    }
    return least * 1e6;
}

static int run(const mesh_peer_variant *variant, size_t number, uint64_t searches, double budget)
{
    scree_mesh_case c;
    mesh_peer_case two;
    scree_error error = {SCREE_OK, ""};
    if (scree_mesh_case_open(&c, number, &error)) {
        scree_mesh_case_close(&c);
        return fail("no memory for meshes");
    }
    show_case(&c, &two);
    void *state = variant->create(&two);
    double begin = scree_thread_seconds();
    variant->build(state);
    double build = (scree_thread_seconds() - begin) * 1e6 / 2, move = 0;
    if (variant->move) {
        variant->move(state);
        move = time_calls(variant, state, true, searches, budget / 4);
    }
    double answer = variant->find(state);
    double find = time_calls(variant, state, false, searches, budget / 4);
    printf("done answer=%.6g find=%.4g move=%.4g build=%.4g\n", answer, find, move, build);
    variant->destroy(state);
    scree_mesh_case_close(&c);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "list") == 0)
        return list_variants();
    if (argc != 6 || strcmp(argv[1], "run") != 0)
        return fail("usage: run VARIANT CASE SEARCHES BUDGET");
    size_t number = strtoul(argv[3], NULL, 10);
    uint64_t searches = strtoull(argv[4], NULL, 10);
    if (number >= SCREE_MESH_CASES || searches < 1)
        return fail("a number is out of range");
    for (const mesh_peer_variant *v = mesh_peer_this.variants; v->name; v++)
        if (strcmp(v->name, argv[2]) == 0)
            return run(v, number, searches, strtod(argv[5], NULL));
    return fail("there is no such variant");
}
