/*  Finds contacts of spheres with walls. Any free worker takes the next block of bodies. Results of blocks are
    joined in the order of bodies, so they do not depend on the worker. */
#include "world/collide/sphere_walls.h"

#include <string.h>

#define BODIES_PER_BLOCK 256u

/*  A contact that has just been found; forces are computed when all are known. */
typedef struct scree_wall_contact_found
{
    uint32_t body, wall, previous;
    scree_mesh_memory memory;
    double point[3], normal[3], overlap;
} scree_wall_contact_found;

typedef struct scree_wall_contact_worker
{
    scree_sphere_mesh mesh;
    scree_wall_contact_found *found;
    size_t count, capacity;
    scree_mesh_memory *old; /* previous contacts of one body and one wall, and their indices */
    uint32_t *old_contact;
    size_t old_count, old_capacity, old_contact_capacity;
    uint32_t *facets;
    size_t facet_count, facet_capacity;
    scree_status status;
} scree_wall_contact_worker;

/*  Results of a block are in its worker's list. */
typedef struct scree_wall_contact_block
{
    uint32_t worker;
    size_t begin, count;
} scree_wall_contact_block;

scree_status scree_wall_contacts_init(scree_wall_contacts *wall_contacts, scree_memory *memory,
                                      uint32_t worker_count)
{
    memset(wall_contacts, 0, sizeof *wall_contacts);
    wall_contacts->memory = memory;
    if (scree_memory_take(memory, worker_count, sizeof *wall_contacts->workers,
                          &wall_contacts->workers))
        return SCREE_OUT_OF_MEMORY;
    memset(wall_contacts->workers, 0, worker_count * sizeof *wall_contacts->workers);
    wall_contacts->worker_count = worker_count;
    return SCREE_OK;
}

static void free_worker(scree_wall_contact_worker *worker, scree_memory *memory)
{
    scree_sphere_mesh_free(&worker->mesh, memory);
    scree_memory_give(memory, &worker->found, worker->capacity, sizeof *worker->found);
    scree_memory_give(memory, &worker->old, worker->old_capacity, sizeof *worker->old);
    scree_memory_give(memory, &worker->old_contact, worker->old_contact_capacity,
                      sizeof *worker->old_contact);
    scree_memory_give(memory, &worker->facets, worker->facet_capacity, sizeof *worker->facets);
}

void scree_wall_contacts_free(scree_wall_contacts *wall_contacts)
{
    scree_memory *memory = wall_contacts->memory;
    scree_wall_contact_search *search = &wall_contacts->search;

    if (!memory)
        return;
    scree_wall_contact_list_free(&wall_contacts->now, memory);
    scree_wall_contact_list_free(&wall_contacts->next, memory);
    scree_plane_contacts_free(&wall_contacts->planes, memory);
    for (uint32_t w = 0; wall_contacts->workers && w < wall_contacts->worker_count; w++)
        free_worker(&wall_contacts->workers[w], memory);
    scree_memory_give(memory, &wall_contacts->workers, wall_contacts->worker_count,
                      sizeof *wall_contacts->workers);
    scree_memory_give(memory, &wall_contacts->blocks, wall_contacts->block_capacity,
                      sizeof *wall_contacts->blocks);
    scree_memory_give(memory, &search->left, search->left_capacity, sizeof *search->left);
    scree_memory_give(memory, &search->clear, search->clear_capacity, sizeof *search->clear);
    scree_memory_give(memory, &search->room, search->room_capacity, sizeof *search->room);
    scree_memory_give(memory, &search->begin, search->begin_capacity, sizeof *search->begin);
    scree_memory_give(memory, &search->end, search->end_capacity, sizeof *search->end);
    scree_memory_give(memory, &search->near, search->capacity, sizeof *search->near);
    scree_facet_list_free(&search->facets, memory);
    scree_memory_give(memory, &wall_contacts->wall_rows, wall_contacts->wall_row_capacity,
                      sizeof *wall_contacts->wall_rows);
    scree_memory_give(memory, &wall_contacts->stiffness, wall_contacts->stiffness_capacity,
                      sizeof *wall_contacts->stiffness);
}

/* ---- one body ---- */

static scree_wall_contact_found *push_found(scree_wall_contact_worker *worker, scree_memory *memory)
{
    if (scree_memory_reserve(memory, &worker->found, &worker->capacity, worker->count + 1,
                             sizeof *worker->found)) {
        worker->status = SCREE_OUT_OF_MEMORY;
        return NULL;
    }
    memset(&worker->found[worker->count], 0, sizeof *worker->found);
    return &worker->found[worker->count++];
}

/*  Collects the previous contacts of this body with this wall. */
static scree_status gather_old(const scree_wall_contact_job *job, scree_wall_contact_worker *worker,
                               scree_memory *memory, uint32_t slot, uint32_t wall)
{
    const scree_wall_contact_list *now = &job->wall_contacts->now;

    worker->old_count = 0;
    for (uint32_t c = now->begin[slot]; c < now->end[slot]; c++) {
        if (now->wall[c][0] != wall)
            continue;
        if (scree_memory_reserve(memory, &worker->old, &worker->old_capacity, worker->old_count + 1,
                                 sizeof *worker->old) ||
            scree_memory_reserve(memory, &worker->old_contact, &worker->old_contact_capacity,
                                 worker->old_count + 1, sizeof *worker->old_contact))
            return SCREE_OUT_OF_MEMORY;
        worker->old[worker->old_count] = now->memory[c][0];
        worker->old_contact[worker->old_count++] = c;
    }
    return SCREE_OK;
}

/*  The pair parameters of a new contact of a body with a wall; 0: no interaction. */
static uint32_t law_of_wall(const scree_wall_contact_job *job, uint32_t slot, uint32_t w)
{
    const scree_body_arrays *bodies = job->bodies;
    const scree_wall_def *wall = &job->walls->wall[w].def;

    return scree_rules_find(job->step->rules, SCREE_CONTACT_WALLS, bodies->material[slot][0],
                            wall->material.index1, bodies->groups[slot][0], wall->groups);
}

/*  The largest interaction range of any contact of the two: a new one, or one collected in `old`. */
static double reach_of_wall(const scree_wall_contact_job *job,
                            const scree_wall_contact_worker *worker, uint32_t slot, uint32_t w)
{
    double radius = job->bodies->position[slot][3], reach;

    if (scree_law_reach_at(&job->step->rules->reach, radius) == 0)
        return 0;
    reach = scree_rules_reach(job->step->rules, law_of_wall(job, slot, w), radius);
    for (size_t k = 0; k < worker->old_count; k++) {
        uint32_t law = job->wall_contacts->now.slot[worker->old_contact[k]][0];
        double other = scree_rules_reach(job->step->rules, law, radius);
        reach = other > reach ? other : reach;
    }
    return reach;
}

/*  The previous contact of this body with this plane; there is at most one. UINT32_MAX: none. */
static uint32_t old_with_plane(const scree_wall_contact_list *now, uint32_t slot, uint32_t w)
{
    for (uint32_t c = now->begin[slot]; c < now->end[slot]; c++)
        if (now->wall[c][0] == w)
            return c;
    return UINT32_MAX;
}

/*  Whether a body at this distance is within the interaction range of a wall. */
static bool plane_is_in_reach(const scree_wall_contact_job *job, scree_wall_contact_worker *worker,
                              uint32_t slot, uint32_t w, double overlap)
{
    double reach = scree_law_reach_at(&job->step->rules->reach, job->bodies->position[slot][3]);

    if (overlap > 0 || !(overlap > -reach))
        return overlap > 0;
    worker->status = gather_old(job, worker, job->wall_contacts->memory, slot, w);
    return overlap > -reach_of_wall(job, worker, slot, w);
}

static void touch_plane(const scree_wall_contact_job *job, scree_wall_contact_worker *worker,
                        uint32_t slot, uint32_t w)
{
    const scree_wall_record *wall = &job->walls->wall[w];
    const double *place = job->bodies->position[slot], *normal = wall->next.normal;
    double overlap = scree_sphere_plane_overlap(wall->next.position, normal, place, place[3]);
    scree_wall_contact_found *found;

    if (!plane_is_in_reach(job, worker, slot, w, overlap))
        return;
    found = worker->status ? NULL : push_found(worker, job->wall_contacts->memory);
    if (!found)
        return;
    found->body = slot;
    found->wall = w;
    found->previous = old_with_plane(&job->wall_contacts->now, slot, w);
    found->overlap = overlap;
    for (int k = 0; k < 3; k++) {
        found->normal[k] = -normal[k];
        found->point[k] = place[k] - (place[3] - overlap) * normal[k];
    }
}

static void touch_mesh(const scree_wall_contact_job *job, scree_wall_contact_worker *worker,
                       uint32_t slot, uint32_t w)
{
    const scree_wall_record *wall = &job->walls->wall[w];
    const double *place = job->bodies->position[slot];
    double local[3];

    scree_wall_to_mesh(wall, place, local);
    worker->status = gather_old(job, worker, job->wall_contacts->memory, slot, w);
    double reach = reach_of_wall(job, worker, slot, w);
    if (!worker->status)
        worker->status = scree_sphere_mesh_contacts(
            &worker->mesh, job->wall_contacts->memory, wall->def.mesh, NULL, worker->facets,
            worker->facet_count, local, place[3] + reach, worker->old, worker->old_count);
    for (size_t k = 0; k < worker->mesh.count && !worker->status; k++) {
        const scree_mesh_contact *contact = &worker->mesh.contacts[k];
        scree_wall_contact_found *found = push_found(worker, job->wall_contacts->memory);
        if (!found)
            return;
        found->body = slot;
        found->wall = w;
        found->memory = contact->memory;
        found->previous =
            contact->from == SCREE_NO_CONTACT ? UINT32_MAX : worker->old_contact[contact->from];
        found->overlap = contact->overlap - reach;
        scree_wall_from_mesh(wall, contact->memory.point, found->point);
        scree_wall_turn_from_mesh(wall, contact->normal, found->normal);
    }
}

/*  Collects the facets of a wall that a body may touch. The nearest come first. */
static scree_status gather_facets(const scree_wall_contact_job *job,
                                  scree_wall_contact_worker *worker, uint32_t slot,
                                  const scree_wall_candidate *near)
{
    const scree_wall_contact_search *search = &job->wall_contacts->search;
    const uint32_t many = near->many;

    worker->facet_count = 0;
    if (scree_memory_reserve(job->wall_contacts->memory, &worker->facets, &worker->facet_capacity,
                             many, sizeof *worker->facets))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t k = 0; k < many && scree_wall_contacts_may_touch_one(search, slot, near + k); k++)
        worker->facets[worker->facet_count++] = near[k].facet;
    return SCREE_OK;
}

static void touch_body(const scree_wall_contact_job *job, scree_wall_contact_worker *worker,
                       uint32_t slot)
{
    const scree_wall_contact_search *search = &job->wall_contacts->search;

    for (uint32_t at = search->begin[slot]; at < search->end[slot] && !worker->status;
         at += search->near[at].many) {
        const scree_wall_candidate *near = search->near + at;
        if (!scree_wall_contacts_may_touch_one(search, slot, near))
            continue;
        if (job->walls->wall[near->wall].def.kind == SCREE_WALL_PLANE) {
            touch_plane(job, worker, slot, near->wall);
            continue;
        }
        worker->status = gather_facets(job, worker, slot, near);
        if (!worker->status)
            touch_mesh(job, worker, slot, near->wall);
    }
}

static void touch_block(void *data, size_t block, uint32_t worker_number)
{
    const scree_wall_contact_job *job = data;
    scree_wall_contact_worker *worker = &job->wall_contacts->workers[worker_number];
    const scree_wall_contact_search *search = &job->wall_contacts->search;
    uint32_t end = (uint32_t)scree_block_end(block, BODIES_PER_BLOCK, job->bodies->count);
    scree_wall_contact_block *mine = &job->wall_contacts->blocks[block];

    mine->worker = worker_number;
    mine->begin = worker->count;
    for (uint32_t slot = (uint32_t)(block * BODIES_PER_BLOCK); !worker->status; slot++) {
        slot = scree_wall_contacts_first_below(search->clear, search->travel, slot, end);
        if (slot == end)
            break;
        if (search->begin[slot] != search->end[slot] && !scree_is_not_sphere(job->bodies, slot))
            touch_body(job, worker, slot);
    }
    mine->count = worker->count - mine->begin;
}

/* ---- all ---- */

static void take_found(const scree_wall_contact_job *job, const scree_wall_contact_found *found)
{
    scree_wall_contact_list *next = &job->wall_contacts->next;
    const scree_wall_contact_list *now = &job->wall_contacts->now;
    uint32_t previous = found->previous, slot = previous != UINT32_MAX
                                                    ? now->slot[previous][0]
                                                    : law_of_wall(job, found->body, found->wall);
    double radius = job->bodies->position[found->body][3];
    size_t c = next->count;

    if (slot == 0 || !(found->overlap > -scree_rules_reach(job->step->rules, slot, radius)))
        return;
    next->body[c][0] = found->body;
    next->wall[c][0] = found->wall;
    next->slot[c][0] = slot;
    next->previous[c][0] = previous;
    next->memory[c][0] = found->memory;
    for (int k = 0; k < 3; k++) {
        next->point[c][k] = found->point[k];
        next->normal[c][k] = found->normal[k];
    }
    next->point[c][3] = found->overlap;
    next->normal[c][3] = 0;
    next->count++;
    if (next->end[found->body] == 0)
        next->begin[found->body] = (uint32_t)c;
    next->end[found->body] = (uint32_t)next->count;
}

static scree_status join(const scree_wall_contact_job *job, size_t blocks)
{
    scree_wall_contacts *wall_contacts = job->wall_contacts;
    scree_wall_contact_list *next = &wall_contacts->next;
    size_t total = 0;

    for (uint32_t w = 0; w < wall_contacts->worker_count; w++) {
        if (wall_contacts->workers[w].status)
            return wall_contacts->workers[w].status;
        total += wall_contacts->workers[w].count;
    }
    if (scree_wall_contact_list_reserve(next, wall_contacts->memory, total,
                                        job->step->rules->planes, job->bodies->count))
        return SCREE_OUT_OF_MEMORY;
    next->count = 0;
    /* a body without contacts has 0 for both */
    if (job->bodies->count) {
        memset(next->begin, 0, job->bodies->count * sizeof *next->begin);
        memset(next->end, 0, job->bodies->count * sizeof *next->end);
    }
    for (size_t b = 0; b < blocks; b++) {
        const scree_wall_contact_block *block = &wall_contacts->blocks[b];
        for (size_t k = 0; k < block->count; k++)
            take_found(job, &wall_contacts->workers[block->worker].found[block->begin + k]);
    }
    return SCREE_OK;
}

scree_status scree_wall_contacts_evaluate(scree_wall_contact_job *job)
{
    scree_wall_contacts *wall_contacts = job->wall_contacts;
    size_t blocks = scree_block_count(job->bodies->count, BODIES_PER_BLOCK);
    scree_status status = SCREE_OK;

    if (job->walls->count == 0) {
        blocks = 0;
    } else {
        status = scree_memory_reserve(wall_contacts->memory, &wall_contacts->blocks,
                                      &wall_contacts->block_capacity, blocks,
                                      sizeof *wall_contacts->blocks);
    }
    for (uint32_t w = 0; w < wall_contacts->worker_count; w++) {
        wall_contacts->workers[w].count = 0;
        wall_contacts->workers[w].status = SCREE_OK;
    }
    if (!status) {
        scree_workers_run(job->step->workers, blocks, touch_block, job);
        status = join(job, blocks);
    }
    if (status)
        return scree_fail(job->step->error, status, "world: contacts with walls: %s",
                          scree_status_name(status));
    return SCREE_OK;
}
