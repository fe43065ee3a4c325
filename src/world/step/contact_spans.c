/*  A hash table of contacts. It is never iterated in table order, so the order has no effect. */
#include "world/step/contact_spans.h"

#include <string.h>

void scree_spans_free(scree_span_table *table, scree_memory *memory)
{
    scree_memory_give(memory, &table->place, table->capacity, sizeof *table->place);
    table->room = 0;
}

scree_status scree_spans_clear(scree_span_table *table, scree_memory *memory, size_t contacts)
{
    size_t room = 16;

    while (room < 2 * contacts)
        room *= 2;
    if (scree_memory_reserve(memory, &table->place, &table->capacity, room, sizeof *table->place))
        return SCREE_OUT_OF_MEMORY;
    table->room = room;
    memset(table->place, 0, room * sizeof *table->place);
    return SCREE_OK;
}

static bool is_same(const scree_span_name *a, const scree_span_name *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/*  The multiplier and shifts of splitmix64 spread consecutive handles over all bits. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t join(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

static size_t place_of(const scree_span_table *table, const scree_span_name *name)
{
    uint64_t hash = join(name->first.index1, name->first.generation);

    hash = mix(hash ^ mix(join(name->second.index1, name->second.generation)));
    hash = mix(hash ^ mix(join(name->wall.index1, name->wall.generation)) ^ name->facet);
    size_t at = (size_t)hash & (table->room - 1);

    while (table->place[at].name.first.index1 && !is_same(&table->place[at].name, name))
        at = (at + 1) & (table->room - 1);
    return at;
}

const scree_contact_span *scree_spans_find(const scree_span_table *table,
                                           const scree_span_name *name)
{
    const scree_contact_span *span;

    if (table->room == 0)
        return NULL;
    span = &table->place[place_of(table, name)];
    return span->name.first.index1 ? span : NULL;
}

void scree_spans_put(scree_span_table *table, const scree_contact_span *span)
{
    table->place[place_of(table, &span->name)] = *span;
}

/* ---- a step ---- */

/*  `before` is the key in the previous step; NULL: a new contact. A second contact with the same key is added to the
    first. */
static void add_span(const scree_span_job *job, const scree_span_name *name,
                     const scree_span_name *before, const double force[3])
{
    const scree_contact_span *old = before ? scree_spans_find(job->before, before) : NULL;
    scree_contact_span *span = &job->after->place[place_of(job->after, name)];

    if (span->name.first.index1 == 0) {
        span->begin = old ? old->begin : job->time;
        for (int k = 0; k < 3; k++)
            span->impulse[k] = old ? old->impulse[k] : 0;
    }
    span->name = *name;
    for (int k = 0; k < 3; k++)
        span->impulse[k] += force[k] * job->dt;
}

static void follow_pairs(const scree_span_job *job)
{
    const scree_contact_list *list = job->contacts->pairs;
    const scree_body_arrays *bodies = job->contacts->bodies;

    for (size_t c = 0; c < list->count; c++) {
        if (!list->touches_next[c][0])
            continue;
        const scree_span_name name = {.first = bodies->id[list->first[c][0]][0],
                                      .second = bodies->id[list->second[c][0]][0]};
        add_span(job, &name, list->touches[c][0] ? &name : NULL, job->contacts->pair_row[c]);
    }
}

static scree_span_name name_wall_contact(const scree_found_contacts *contacts,
                                         const scree_wall_contact_list *list, size_t c)
{
    return (scree_span_name){.first = contacts->bodies->id[list->body[c][0]][0],
                             .wall = contacts->walls->wall[list->wall[c][0]].id,
                             .facet = list->memory[c][0].facet};
}

static void follow_wall_contacts(const scree_span_job *job)
{
    const scree_wall_contact_list *now = job->wall_contacts, *next = job->contacts->wall_contacts;

    for (size_t c = 0; c < next->count; c++) {
        uint32_t previous = next->previous[c][0];
        const scree_span_name name = name_wall_contact(job->contacts, next, c);
        const scree_span_name before =
            previous == UINT32_MAX ? name : name_wall_contact(job->contacts, now, previous);
        add_span(job, &name, previous == UINT32_MAX ? NULL : &before, job->contacts->wall_row[c]);
    }
}

/*  All contacts of a pair share one key. */
static void follow_shapes(const scree_span_job *job)
{
    const scree_shape_contact_list *list = job->contacts->shapes;

    for (size_t k = 0; k < job->finder->work_count; k++) {
        const scree_shape_work *work = &job->finder->work[k];
        bool touched = work->old_begin < work->old_end;
        for (uint32_t c = work->begin; c < work->end; c++) {
            const scree_shape_partners *pair = list->pair[c];
            const scree_span_name name = {
                .first = pair->first, .second = pair->second, .wall = pair->wall};
            add_span(job, &name, touched ? &name : NULL, list->row[c]);
        }
    }
}

void scree_spans_follow(const scree_span_job *job)
{
    follow_pairs(job);
    follow_wall_contacts(job);
    follow_shapes(job);
}
