/*  Force chains: see scree/chains.h. The stress of each body is summed over its contacts in order. Bodies with high
    stress that touch are joined by union-find, and sets that are large enough are numbered in the order of global
    ids. */
#include "base/sized_definition.h"
#include "scree/chains.h"
#include "world/step/world_data.h"

#include "base/exact_sum.h"
#include "base/portable_math.h"
#include "base/quaternion.h"
#include "base/radix_sort.h"
#include "base/vector.h"
#include "shape/axes.h"
#include "world/measure/fields.h"

#include <math.h>
#include <string.h>

#define CHAINS_COOKIE 0xc4a12f0du
#define PI 3.14159265358979323846

void scree_init_chains_def(scree_chains_def *def, size_t size)
{
    static const scree_chains_def own = {.cookie = CHAINS_COOKIE,
                                         .size = sizeof(scree_chains_def),
                                         .min_bodies = 3,
                                         .angle = PI / 4,
                                         .above = 1};

    scree_definition_write(def, size, &own, sizeof own);
}

static scree_status check_def(const scree_chains_def *def, scree_error *error)
{
    if (def->min_bodies < 2)
        return scree_fail(error, SCREE_BAD_VALUE, "chains: least is %u, must be 2 or more",
                          (unsigned)def->min_bodies);
    if (!(def->angle >= 0 && def->angle <= PI / 2))
        return scree_fail(error, SCREE_BAD_VALUE, "chains: angle is %g, must be from 0 to pi / 2",
                          def->angle);
    if (!(def->above >= 0 && def->above < INFINITY))
        return scree_fail(error, SCREE_BAD_VALUE,
                          "chains: above is %g, must be finite and not below 0", def->above);
    return SCREE_OK;
}

/*  Arrays with a row for each body. */
typedef struct chain_search
{
    scree_world *world;
    const scree_chains_def *def;
    scree_chain_body *body;
    double (*sum)[3][3]; /* of force times lever arm, J */
    uint64_t *serial;
    uint32_t *row;    /* sorted by global id */
    uint32_t *parent; /* union-find: a root is its own parent */
    uint32_t *size;   /* of a root: size of its set */
    uint32_t *name;   /* of a root: number of its chain; 0: none yet */
    size_t count;
    double mean;
} chain_search;

static void end_search(chain_search *s)
{
    scree_memory *memory = &s->world->memory;

    scree_memory_give(memory, &s->body, s->count, sizeof *s->body);
    scree_memory_give(memory, &s->sum, s->count, sizeof *s->sum);
    scree_memory_give(memory, &s->serial, s->count, sizeof *s->serial);
    scree_memory_give(memory, &s->row, s->count, sizeof *s->row);
    scree_memory_give(memory, &s->parent, s->count, sizeof *s->parent);
    scree_memory_give(memory, &s->size, s->count, sizeof *s->size);
    scree_memory_give(memory, &s->name, s->count, sizeof *s->name);
}

static scree_status begin_search(chain_search *s)
{
    scree_memory *memory = &s->world->memory;
    static const scree_workers alone = {.count = 1};
    scree_sorter sorter = {0};
    scree_status status = SCREE_OK;

    if ((status = scree_memory_take(memory, s->count, sizeof *s->body, &s->body)) ||
        (status = scree_memory_take(memory, s->count, sizeof *s->sum, &s->sum)) ||
        (status = scree_memory_take(memory, s->count, sizeof *s->serial, &s->serial)) ||
        (status = scree_memory_take(memory, s->count, sizeof *s->row, &s->row)) ||
        (status = scree_memory_take(memory, s->count, sizeof *s->parent, &s->parent)) ||
        (status = scree_memory_take(memory, s->count, sizeof *s->size, &s->size)) ||
        (status = scree_memory_take(memory, s->count, sizeof *s->name, &s->name)))
        return status;
    for (uint32_t i = 0; i < s->count; i++) {
        s->body[i] = (scree_chain_body){.stress = 0};
        memset(s->sum[i], 0, sizeof s->sum[i]);
        s->serial[i] = s->world->bodies.serial[i][0];
        s->row[i] = s->parent[i] = i;
        s->size[i] = 1;
        s->name[i] = 0;
    }
    status = scree_sort_u64(&sorter, memory, &alone, s->serial, s->row, s->count);
    scree_sorter_free(&sorter, memory);
    return status;
}

/* ---- stresses ---- */

static void find_way(const chain_search *s, const double point[3], size_t slot, double way[3])
{
    scree_fields_way_to_body(&s->world->cell.now, s->world->def.dimensions, point,
                             s->world->bodies.position[slot], way);
}

/*  Compression is positive: a repulsive force is opposite to the lever arm. */
static void add_end(chain_search *s, const scree_contact *contact, scree_body_id id, double sign)
{
    size_t slot = scree_bodies_slot(&s->world->bodies, id);
    double to[3];
    double(*sum)[3] = s->sum[slot];

    find_way(s, contact->point, slot, to);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            sum[i][k] += sign * contact->force[i] * to[k];
}

/*  Jacobi's method needs positive eigenvalues, so a multiple of the identity is added, which keeps the axes. */
static void find_principal(scree_chain_body *body, double (*sum)[3], double volume)
{
    double even[3][3], size = 0, principal[3], turn[4], axis[3] = {0};
    int most = 0;

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            even[i][k] = (sum[i][k] + sum[k][i]) / 2;
            size += fabs(even[i][k]);
        }
    if (size == 0)
        return;
    for (int i = 0; i < 3; i++)
        even[i][i] += size;
    scree_principal_axes((const double(*)[3])even, principal, turn);
    for (int k = 1; k < 3; k++)
        most = principal[k] > principal[most] ? k : most;
    axis[most] = 1;
    scree_quaternion_turn(turn, axis, body->direction);
    body->stress = (principal[most] - size) / volume;
}

static void find_stresses(chain_search *s)
{
    scree_exact_sum sum;

    scree_exact_clear(&sum);
    for (uint32_t i = 0; i < s->count; i++) {
        find_principal(&s->body[i], s->sum[i],
                       scree_fields_volume_of(&s->world->shape_finder.meshes,
                                              s->world->bodies.shape[i], s->world->def.dimensions));
        scree_exact_add(&sum, s->body[i].stress);
    }
    s->mean = s->count > 0 ? scree_exact_value(&sum) / (double)s->count : 0;
}

/* ---- links ---- */

static bool carries(const chain_search *s, uint32_t row)
{
    double stress = s->body[row].stress;

    return stress > 0 && stress > s->def->above * s->mean;
}

/*  `cosine` of the largest angle. */
static bool is_along(const scree_chain_body *body, const double line[3], double cosine)
{
    return fabs(scree_dot(body->direction, line)) >= cosine * scree_length(line);
}

static uint32_t root_of(chain_search *s, uint32_t row)
{
    while (s->parent[row] != row) {
        s->parent[row] = s->parent[s->parent[row]];
        row = s->parent[row];
    }
    return row;
}

static void join(chain_search *s, uint32_t a, uint32_t b)
{
    a = root_of(s, a);
    b = root_of(s, b);
    if (a == b)
        return;
    uint32_t large = s->size[a] < s->size[b] ? b : a, small = large == a ? b : a;
    s->parent[small] = large;
    s->size[large] += s->size[small];
}

static void link_ends(chain_search *s, const scree_contact *contact, double cosine)
{
    uint32_t a = (uint32_t)scree_bodies_slot(&s->world->bodies, contact->first);
    uint32_t b = (uint32_t)scree_bodies_slot(&s->world->bodies, contact->second);
    double to_a[3], to_b[3], line[3];

    /* tension carries no compression */
    if (!carries(s, a) || !carries(s, b) || !(scree_dot(contact->force, contact->normal) < 0))
        return;
    find_way(s, contact->point, a, to_a);
    find_way(s, contact->point, b, to_b);
    for (int k = 0; k < 3; k++)
        line[k] = to_b[k] - to_a[k];
    if (is_along(&s->body[a], line, cosine) && is_along(&s->body[b], line, cosine))
        join(s, a, b);
}

/* ---- chains ---- */

static scree_chains number_chains(chain_search *s)
{
    scree_chains chains = {.mean_stress = s->mean};
    uint32_t last = 0;

    for (size_t i = 0; i < s->count; i++) {
        uint32_t row = s->row[i], root = root_of(s, row);
        if (s->size[root] < s->def->min_bodies)
            continue;
        if (!s->name[root])
            s->name[root] = ++last;
        s->body[row].chain = s->name[root];
        chains.bodies++;
        chains.longest = s->size[root] > chains.longest ? s->size[root] : chains.longest;
    }
    chains.count = last;
    chains.mean_length = last > 0 ? (double)chains.bodies / last : 0;
    chains.share = s->count > 0 ? (double)chains.bodies / (double)s->count : 0;
    return chains;
}

/*  From here on `size` is the write position of each chain. */
static void list_members(chain_search *s, const scree_chains *chains, uint32_t *members)
{
    uint32_t *next = s->size, at = 0;

    for (size_t c = 0; c < chains->count; c++)
        next[c] = 0;
    for (size_t i = 0; i < s->count; i++)
        if (s->body[i].chain)
            next[s->body[i].chain - 1]++;
    for (size_t c = 0; c < chains->count; c++) {
        uint32_t many = next[c];
        next[c] = at;
        at += many;
    }
    for (size_t i = 0; i < s->count; i++) {
        uint32_t chain = s->body[s->row[i]].chain;
        if (chain)
            members[next[chain - 1]++] = s->row[i];
    }
}

static scree_status find_chains(chain_search *s)
{
    const double cosine = scree_cos(s->def->angle);
    const scree_contact *contacts;
    size_t many;
    scree_status status = scree_world_contacts(s->world, NULL, &contacts, &many);

    if (!status)
        status = begin_search(s);
    if (status)
        return status;
    for (size_t c = 0; c < many; c++) {
        add_end(s, &contacts[c], contacts[c].first, 1);
        if (contacts[c].second.index1)
            add_end(s, &contacts[c], contacts[c].second, -1);
    }
    find_stresses(s);
    for (size_t c = 0; c < many; c++)
        if (contacts[c].second.index1)
            link_ends(s, &contacts[c], cosine);
    return SCREE_OK;
}

scree_status scree_world_chains(scree_world *world, const scree_chains_def *def,
                                scree_chain_body *bodies, uint32_t *members, size_t count,
                                scree_chains *chains)
{
    scree_chains_def own = scree_default_chains_def();
    chain_search s = {.world = world, .def = &own, .count = count};
    scree_status status;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!def || !chains || (!bodies && count > 0))
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "chains: def, bodies or chains is NULL");
    if (count != world->bodies.count)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "chains: count is %zu, the world has %zu bodies", count,
                          (size_t)world->bodies.count);
    if (!scree_definition_read(&own, def))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "chains: not made by scree_default_chains_def of this version");
    status = check_def(&own, &world->error);
    if (!status)
        status = find_chains(&s);
    if (!status) {
        *chains = number_chains(&s);
        if (count > 0)
            memcpy(bodies, s.body, count * sizeof *bodies);
        if (members)
            list_members(&s, chains, members);
    } else if (status == SCREE_OUT_OF_MEMORY) {
        scree_fail(&world->error, status, "chains: out of memory");
    }
    end_search(&s);
    return status;
}
