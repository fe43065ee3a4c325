/*  Finds contacts that begin and end by comparing the old touches with the new, before a step is accepted. Events of
    bodies are recorded once the step is accepted. */
#include "world/step/events.h"

#include "base/vector.h"
#include "world/step/room_data.h"
#include "world/step/world_data.h"

#include <string.h>

static scree_event_kind begin_or_end(bool begins)
{
    return begins ? SCREE_EVENT_CONTACT_BEGIN : SCREE_EVENT_CONTACT_END;
}

/* ---- properties of a contact that begins or ends ---- */

/*  Velocity at the start of the step of the point of a body at `arm` from its centre: not yet changed by the force
    of the contact. */
static void speed_before(const scree_body_arrays *bodies, uint32_t slot, const double arm[3],
                         double velocity[3])
{
    scree_cross(bodies->spin_before[slot], arm, velocity);
    for (int k = 0; k < 3; k++)
        velocity[k] += bodies->velocity_before[slot][k];
}

/*  The same for a wall. */
static void speed_of_wall(const scree_wall_record *wall, const double point[3], double velocity[3])
{
    double arm[3];

    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - wall->now.position[k];
    scree_cross(wall->now.spin, arm, velocity);
    for (int k = 0; k < 3; k++)
        velocity[k] += wall->now.velocity[k];
}

static void set_approach(scree_event *event, const double first[3], const double second[3])
{
    for (int k = 0; k < 3; k++)
        event->speed += (first[k] - second[k]) * event->normal[k];
}

/*  Impulse and duration up to the end. `wall` and `facet` are 0 between bodies. */
static void set_span(const scree_event_log *log, scree_event_record *record)
{
    const scree_event *event = &record->event;
    const scree_span_name name = {event->first, event->second, event->wall, event->facet};
    const scree_contact_span *span = scree_spans_find(&log->spans, &name);

    if (!span)
        return;
    record->has_begun = true;
    record->begin = span->begin;
    memcpy(record->event.impulse, span->impulse, sizeof span->impulse);
}

/* ---- pairs ---- */

static void set_place_of_pair(const scree_body_arrays *bodies, const scree_strain *cell,
                              uint32_t first, uint32_t second, scree_event *event)
{
    const double *a = bodies->position[first], *b = bodies->position[second];
    double step[3], n[3], at_first[3], at_second[3], image[3], arms[2][3];

    scree_domain_step(&cell->next, a, b, step, n);
    double distance = scree_length(step);
    for (int k = 0; k < 3; k++) {
        event->normal[k] = distance > 0 ? step[k] / distance : k == 0;
        event->point[k] = a[k] + (a[3] + (distance - b[3])) / 2 * event->normal[k];
        arms[0][k] = a[3] * event->normal[k];
        arms[1][k] = -b[3] * event->normal[k];
    }
    speed_before(bodies, first, arms[0], at_first);
    speed_before(bodies, second, arms[1], at_second);
    scree_strain_image_speed(cell, bodies, first, second, image);
    for (int k = 0; k < 3; k++)
        at_second[k] += image[k];
    set_approach(event, at_first, at_second);
}

static void note_pair(scree_world *world, const scree_contact_list *list, size_t c, bool begins)
{
    const scree_body_arrays *bodies = &world->bodies;
    uint32_t first = list->first[c][0], second = list->second[c][0];
    scree_event_record *record =
        scree_events_push(&world->events, bodies, begin_or_end(begins), first);

    record->event.second = bodies->id[second][0];
    record->partner = record->event.second_serial = bodies->serial[second][0];
    if (begins)
        set_place_of_pair(bodies, &world->cell, first, second, &record->event);
    else
        set_span(&world->events, record);
}

static void note_wall_contact(scree_world *world, const scree_wall_contact_list *list, size_t c,
                              bool begins)
{
    static const double none[3] = {0};
    uint32_t wall = list->wall[c][0], slot = list->body[c][0];
    const scree_wall_record *record_of_wall = &world->walls.wall[wall];
    scree_event_record *record =
        scree_events_push(&world->events, &world->bodies, begin_or_end(begins), slot);
    scree_event *event = &record->event;
    double at_body[3], at_wall[3];

    event->wall = record_of_wall->id;
    event->facet = list->memory[c][0].facet;
    record->partner = wall;
    if (!begins) {
        set_span(&world->events, record);
        return;
    }
    memcpy(event->point, list->point[c], sizeof event->point);
    memcpy(event->normal, list->normal[c], sizeof event->normal);
    /* the lever arm of a sphere is along the normal, so rotation adds nothing */
    speed_before(&world->bodies, slot, none, at_body);
    speed_of_wall(record_of_wall, event->point, at_wall);
    set_approach(event, at_body, at_wall);
}

/*  Whether two bodies are a pair of the list; searches the body with fewer pairs. */
static bool is_candidate(const scree_contact_list *list, uint32_t first, uint32_t second)
{
    bool at_first = list->end[first] - list->begin[first] < list->end[second] - list->begin[second];
    uint32_t at = at_first ? first : second, partner = at_first ? second : first;

    for (uint32_t e = list->begin[at]; e < list->end[at]; e++) {
        uint32_t c = list->entry[e] >> 1;
        if ((list->entry[e] & 1 ? list->first[c][0] : list->second[c][0]) == partner)
            return true;
    }
    return false;
}

/*  Compares with the previous list, with present slots. */
static scree_status find_parted(scree_world *world)
{
    const scree_contact_list *old = &world->spare;

    if (!world->def.events || !world->list_is_new)
        return SCREE_OK;
    for (size_t c = 0; c < old->count; c++) {
        if (!old->touches[c][0] || is_candidate(&world->pairs, old->first[c][0], old->second[c][0]))
            continue;
        if (scree_events_reserve(&world->events, &world->memory, 1))
            return scree_events_lack_memory(&world->error);
        note_pair(world, old, c, false);
    }
    return SCREE_OK;
}

scree_status scree_events_find_parted(scree_world *world)
{
    scree_event_log *log = &world->events;
    scree_status status;

    log->record_count = log->kept_count;
    status = find_parted(world);
    if (status)
        return status;
    for (size_t k = log->kept_count; k < log->record_count; k++)
        log->records[k].is_early = true;
    log->kept_count = log->record_count;
    return SCREE_OK;
}

static size_t count_pair_changes(const scree_contact_list *list)
{
    size_t count = 0;

    for (size_t c = 0; c < list->count; c++)
        count += list->touches[c][0] != list->touches_next[c][0];
    return count;
}

static void find_pairs(scree_world *world)
{
    const scree_contact_list *list = &world->pairs;

    for (size_t c = 0; c < list->count; c++)
        if (list->touches[c][0] != list->touches_next[c][0])
            note_pair(world, list, c, list->touches_next[c][0]);
}

/* ---- walls ---- */

/*  Marks the previous contacts that continue. SCREE_OUT_OF_MEMORY. */
static scree_status mark_previous(scree_event_log *log, scree_memory *memory,
                                  const scree_wall_contacts *wall_contacts)
{
    const scree_wall_contact_list *now = &wall_contacts->now, *next = &wall_contacts->next;

    if (scree_memory_reserve(memory, &log->marks, &log->mark_capacity, now->count,
                             sizeof *log->marks))
        return SCREE_OUT_OF_MEMORY;
    if (now->count)
        memset(log->marks, 0, now->count);
    for (size_t c = 0; c < next->count; c++)
        if (next->previous[c][0] != UINT32_MAX)
            log->marks[next->previous[c][0]] = 1;
    return SCREE_OK;
}

static void find_wall_contacts(scree_world *world)
{
    const scree_wall_contact_list *now = &world->wall_contacts.now,
                                  *next = &world->wall_contacts.next;

    for (size_t c = 0; c < next->count; c++)
        if (next->previous[c][0] == UINT32_MAX)
            note_wall_contact(world, next, c, true);
    for (size_t c = 0; c < now->count; c++)
        if (now->body[c][0] != UINT32_MAX && now->wall[c][0] != UINT32_MAX &&
            !world->events.marks[c])
            note_wall_contact(world, now, c, false);
}

/* ---- bodies of triangles: all contacts of a pair are one ---- */

static bool is_of_same_pair(const scree_shape_contact_list *list, size_t c, size_t d)
{
    return memcmp(list->pair[c], list->pair[d], sizeof *list->pair) == 0;
}

static void set_place_of_shape(const scree_world *world, const scree_shape_contact_list *list,
                               size_t c, const uint32_t slot[3], scree_event *event)
{
    double at_first[3], at_second[3], image[3] = {0};

    memcpy(event->point, list->point[c], sizeof event->point);
    memcpy(event->normal, list->normal[c], sizeof event->normal);
    speed_before(&world->bodies, slot[0], list->arm[c], at_first);
    if (slot[1] == UINT32_MAX) {
        speed_of_wall(&world->walls.wall[slot[2]], event->point, at_second);
    } else {
        speed_before(&world->bodies, slot[1], list->arm[c] + 4, at_second);
        scree_strain_image_speed(&world->cell, &world->bodies, slot[0], slot[1], image);
    }
    for (int k = 0; k < 3; k++)
        at_second[k] += image[k];
    set_approach(event, at_first, at_second);
}

static void push_shape(scree_world *world, const scree_shape_contact_list *list, size_t c,
                       scree_event_kind kind)
{
    const scree_body_arrays *bodies = &world->bodies;
    uint32_t slot[3];

    if (!scree_shape_contacts_resolve(bodies, &world->walls, list->pair[c], &slot[0], &slot[1],
                                      &slot[2]))
        return;
    scree_event_record *record = scree_events_push(&world->events, bodies, kind, slot[0]);
    bool is_at_wall = slot[1] == UINT32_MAX;
    record->event.second = list->pair[c][0].second;
    record->event.wall = list->pair[c][0].wall;
    record->event.second_serial = is_at_wall ? 0 : bodies->serial[slot[1]][0];
    record->partner = is_at_wall ? slot[2] : record->event.second_serial;
    if (kind != SCREE_EVENT_CONTACT_END)
        set_place_of_shape(world, list, c, slot, &record->event);
    else
        set_span(&world->events, record);
}

/*  The first contact of a pair represents the pair. */
static void note_shape(scree_world *world, const scree_shape_contact_list *list, size_t c,
                       bool begins)
{
    if (c == 0 || !is_of_same_pair(list, c, c - 1))
        push_shape(world, list, c, begin_or_end(begins));
}

/*  The first contact of a pair whose surfaces cross; `end`: none. */
static uint32_t first_deep(const scree_shape_contact_list *list, uint32_t begin, uint32_t end)
{
    while (begin < end && list->memory[begin][0].side != SCREE_SIDE_DEEP)
        begin++;
    return begin;
}

static void note_deep(scree_world *world, const scree_shape_work *work)
{
    const scree_shape_contacts *contacts = &world->shape_contacts;
    const uint32_t c = first_deep(&contacts->next, work->begin, work->end);

    if (c < work->end &&
        first_deep(&contacts->now, work->old_begin, work->old_end) == work->old_end)
        push_shape(world, &contacts->next, c, SCREE_EVENT_DEEP);
}

/*  For pairs that were tested in this step. */
static void find_shape_events(scree_world *world)
{
    const scree_shape_finder *finder = &world->shape_finder;

    for (size_t k = 0; k < finder->work_count; k++) {
        const scree_shape_work *work = &finder->work[k];
        bool touched = work->old_begin < work->old_end, touches = work->begin < work->end;
        if (touches && !touched)
            note_shape(world, &world->shape_contacts.next, work->begin, true);
        if (touched && !touches)
            note_shape(world, &world->shape_contacts.now, work->old_begin, false);
        note_deep(world, work);
    }
}

/*  For pairs of the previous step that were not tested in this one. */
static void find_parted_shapes(scree_world *world)
{
    const scree_shape_contact_list *now = &world->shape_contacts.now;
    const scree_shape_finder *finder = &world->shape_finder;
    size_t c = 0;

    for (size_t k = 0; k < finder->work_count; k++) {
        const scree_shape_work *work = &finder->work[k];
        if (work->old_begin == work->old_end)
            continue;
        for (; c < work->old_begin; c++)
            note_shape(world, now, c, false);
        c = work->old_end;
    }
    for (; c < now->count; c++)
        note_shape(world, now, c, false);
}

/* ---- the step ---- */

/*  Number of contacts in the current step. */
static size_t count_touching(const scree_world *world)
{
    size_t count = world->wall_contacts.next.count + world->shape_contacts.next.count;

    for (size_t c = 0; c < world->pairs.count; c++)
        count += world->pairs.touches_next[c][0];
    return count;
}

scree_status scree_events_find(scree_world *world)
{
    scree_event_log *log = &world->events;
    size_t room;
    scree_status status;

    if (!world->def.events)
        return SCREE_OK;
    status = find_parted(world);
    if (status)
        return status;
    if (mark_previous(log, &world->memory, &world->wall_contacts) ||
        scree_spans_clear(&log->next_spans, &world->memory, count_touching(world)))
        return scree_events_lack_memory(&world->error);
    room = count_pair_changes(&world->pairs) + world->wall_contacts.now.count +
           world->wall_contacts.next.count;
    /* a pair may begin and be deep in one step */
    room += world->shape_contacts.now.count + 2 * world->shape_contacts.next.count;
    log->boundary_room = scree_def_removes_bodies(&world->def)
                             ? world->pairs.count + world->wall_contacts.next.count +
                                   world->shape_contacts.next.count
                             : 0;
    if (scree_events_reserve(log, &world->memory, room + log->boundary_room))
        return scree_events_lack_memory(&world->error);
    find_pairs(world);
    find_wall_contacts(world);
    find_shape_events(world);
    find_parted_shapes(world);
    return SCREE_OK;
}

scree_status scree_events_find_breaks(scree_world *world)
{
    const scree_breaks *breaks = &world->breaks;

    if (!world->def.events || breaks->fresh == 0)
        return SCREE_OK;
    if (scree_events_reserve(&world->events, &world->memory,
                             breaks->fresh + world->events.boundary_room))
        return scree_events_lack_memory(&world->error);
    for (size_t k = 0; k < breaks->fresh; k++) {
        const scree_break *broken = &breaks->list[breaks->count + k];
        scree_event *event = &world->events.records[world->events.record_count].event;
        memset(&world->events.records[world->events.record_count++], 0,
               sizeof *world->events.records);
        *event = (scree_event){.kind = SCREE_EVENT_BOND_BROKE,
                               .first = broken->first,
                               .second = broken->second,
                               .first_serial = broken->first_serial,
                               .second_serial = broken->second_serial,
                               .cause = broken->cause};
        memcpy(event->point, broken->point, sizeof event->point);
        memcpy(event->normal, broken->normal, sizeof event->normal);
    }
    return SCREE_OK;
}

/* ---- after the step was accepted ---- */

static void find_sleepers(scree_world *world)
{
    const scree_body_arrays *bodies = &world->bodies;

    for (uint32_t slot = 0; world->sleep.is_on && slot < bodies->count; slot++) {
        uint8_t still = bodies->still[slot][0];
        if (still & SCREE_FALLS_ASLEEP)
            scree_events_push_late(&world->events, &world->memory, &world->bodies,
                                   SCREE_EVENT_FELL_ASLEEP, slot);
        if (still & SCREE_WAKES)
            scree_events_push_late(&world->events, &world->memory, &world->bodies, SCREE_EVENT_WOKE,
                                   slot);
    }
}

void scree_events_take(scree_world *world, double dt)
{
    const scree_found_contacts contacts = scree_world_found_contacts(world);
    scree_event_log *log = &world->events;
    scree_span_table before = log->spans;

    if (!world->def.events)
        return;
    const scree_span_job job = {.contacts = &contacts,
                                .wall_contacts = &world->wall_contacts.now,
                                .finder = &world->shape_finder,
                                .before = &before,
                                .after = &log->next_spans,
                                .time = world->clock.time + dt,
                                .dt = dt};
    scree_spans_follow(&job);
    log->spans = log->next_spans;
    log->next_spans = before;
    find_sleepers(world);
}

/*  A handle without body makes a contact dead, so each of these also ends once. */
static void leave_shapes(scree_world *world, uint32_t slot)
{
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    const scree_body_id *id = world->bodies.id[slot];

    for (size_t c = 0; c < list->count; c++)
        if (memcmp(&list->pair[c][0].first, id, sizeof *id) == 0 ||
            memcmp(&list->pair[c][0].second, id, sizeof *id) == 0)
            note_shape(world, list, c, false);
}

static void note_leaver(scree_world *world, uint32_t slot)
{
    scree_event_record *record = scree_events_push_late(
        &world->events, &world->memory, &world->bodies, SCREE_EVENT_BODY_LEFT, slot);

    if (!record)
        return;
    memcpy(record->event.point, world->bodies.position[slot], sizeof record->event.point);
    record->event.speed = scree_length(world->bodies.velocity[slot]);
}

/*  scree_contact_list_forget marks the contacts as ended, so none ends twice. */
void scree_events_leave(scree_world *world, uint32_t slot)
{
    const scree_contact_list *list = &world->pairs;
    const scree_wall_contact_list *walls = &world->wall_contacts.now;

    if (!world->def.events || !world->step_is_taken)
        return;
    for (uint32_t e = list->count ? list->begin[slot] : 0; list->count && e < list->end[slot]; e++)
        if (list->touches[list->entry[e] >> 1][0])
            note_pair(world, list, list->entry[e] >> 1, false);
    for (uint32_t c = walls->count ? walls->begin[slot] : 0; walls->count && c < walls->end[slot];
         c++)
        note_wall_contact(world, walls, c, false);
    leave_shapes(world, slot);
    note_leaver(world, slot);
}
