/*  Contacts as hosts read them, in the order of global ids. */
#include "base/sized_definition.h"
#include "world/step/step.h"
#include "world/step/world_data.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FILTER_COOKIE 0xf117e401u

void scree_init_contact_filter_def(scree_contact_filter_def *def, size_t size)
{
    static const scree_contact_filter_def own = {.cookie = FILTER_COOKIE,
                                                 .size = sizeof(scree_contact_filter_def)};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- filters ---- */

static scree_status check_filter(const scree_body_arrays *bodies, const scree_walls *walls,
                                 const scree_contact_filter_def *filter, scree_error *error)
{
    if (filter->body.index1 && scree_bodies_slot(bodies, filter->body) == SIZE_MAX)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "contact filter: body names none (index1 %" PRIu32 ")",
                          filter->body.index1);
    if (filter->wall.index1 && scree_walls_place(walls, filter->wall) == SIZE_MAX)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "contact filter: wall names none (index1 %" PRIu32 ")",
                          filter->wall.index1);
    if (filter->facet1 && !filter->wall.index1)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "contact filter: facet1 is %" PRIu32 ", but no wall is named",
                          filter->facet1);
    if (filter->bodies_only && (filter->walls_only || filter->wall.index1))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "contact filter: bodies_only, and walls as well");
    for (int k = 0; k < 3 && filter->in_region; k++)
        if (!(filter->lower[k] <= filter->upper[k]))
            return scree_fail(
                error, SCREE_BAD_VALUE,
                "contact filter: lower[%d] is %g, upper[%d] %g: must be in this order", k,
                filter->lower[k], k, filter->upper[k]);
    return SCREE_OK;
}

static bool is_in_region(const scree_contact_filter_def *filter, const double point[3])
{
    for (int k = 0; k < 3 && filter->in_region; k++)
        if (!(point[k] >= filter->lower[k] && point[k] <= filter->upper[k]))
            return false;
    return true;
}

/* ---- one contact ---- */

/*  The list that is being made. Contact model values are in one array; contacts get pointers to them at the end. */
typedef struct reading
{
    scree_world *world;
    const scree_contact_filter_def *filter;
    uint32_t wall; /* index of the requested wall; UINT32_MAX: all walls */
    size_t count, numbers;
} reading;

static scree_status append(reading *r, const scree_contact *contact, const scree_rule_slot *slot,
                           double *const *history, size_t at)
{
    scree_world *world = r->world;
    uint32_t many = slot->law->memory_count;
    scree_contact *listed;

    if (!is_in_region(r->filter, contact->point))
        return SCREE_OK;
    if (scree_memory_reserve(&world->memory, &world->listed, &world->listed_capacity, r->count + 1,
                             sizeof *world->listed) ||
        scree_memory_reserve(&world->memory, &world->listed_memory, &world->listed_memory_capacity,
                             r->numbers + many, sizeof *world->listed_memory))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: contacts: out of memory");
    listed = &world->listed[r->count++];
    *listed = *contact;
    listed->rule = slot->rule;
    listed->memory_count = many;
    for (uint32_t m = 0; m < many; m++)
        world->listed_memory[r->numbers++] = history[m][at];
    return SCREE_OK;
}

/*  The same operations as in sphere_geometry.inc.h. */
static void find_geometry(const scree_body_arrays *bodies, const scree_domain *domain,
                          uint32_t first, uint32_t second, scree_contact *contact)
{
    const double *a = bodies->position[first], *b = bodies->position[second];
    double step[3], n[3], distance_sq, distance;

    scree_domain_step(domain, a, b, step, n);
    distance_sq = step[0] * step[0] + step[1] * step[1] + step[2] * step[2];
    distance = sqrt(distance_sq);
    contact->overlap = a[3] + b[3] - distance;
    for (int k = 0; k < 3; k++) {
        contact->normal[k] = distance_sq > 0x1p-1000 ? step[k] * (1 / distance) : k == 0;
        contact->point[k] = a[k] + (a[3] - contact->overlap * 0.5) * contact->normal[k];
    }
}

static scree_status read_pair(reading *r, size_t c)
{
    const scree_world *world = r->world;
    const scree_contact_list *list = &world->pairs;
    const scree_contact_sets *sets = &world->contacts;
    uint32_t first = list->first[c][0], second = list->second[c][0];
    scree_contact contact = {.first = world->bodies.id[first][0],
                             .second = world->bodies.id[second][0]};

    find_geometry(&world->bodies, &world->cell.now, first, second, &contact);
    if (scree_contact_has_row(list, c)) {
        memcpy(contact.force, sets->row[c], sizeof contact.force);
        if (sets->has_moments)
            memcpy(contact.moment, sets->moment[c], sizeof contact.moment);
    }
    return append(r, &contact, &world->rules.slots[list->slot[c][0]], list->history, c);
}

static scree_status read_wall_contact(reading *r, size_t c)
{
    const scree_world *world = r->world;
    const scree_wall_contact_list *list = &world->wall_contacts.now;
    const uint32_t wall = list->wall[c][0];

    /* the wall is gone, and no step has been taken since */
    if (wall == UINT32_MAX || (r->wall != UINT32_MAX && wall != r->wall))
        return SCREE_OK;
    scree_contact contact = {.first = world->bodies.id[list->body[c][0]][0],
                             .wall = world->walls.wall[wall].id,
                             .facet = list->memory[c][0].facet,
                             .overlap = list->point[c][3]};
    if (r->filter->facet1 && list->memory[c][0].facet != r->filter->facet1 - 1)
        return SCREE_OK;
    memcpy(contact.point, list->point[c], sizeof contact.point);
    memcpy(contact.normal, list->normal[c], sizeof contact.normal);
    memcpy(contact.force, list->row[c], sizeof contact.force);
    memcpy(contact.moment, list->moment[c], sizeof contact.moment);
    return append(r, &contact, &world->rules.slots[list->slot[c][0]], list->history, c);
}

static bool is_clump(const scree_body_arrays *bodies, scree_body_id id)
{
    size_t slot = id.index1 ? scree_bodies_slot(bodies, id) : SIZE_MAX;

    return slot != SIZE_MAX && bodies->shape[slot][0].kind == SCREE_SHAPE_CLUMP;
}

/*  For two clumps the second pebble is in the place of the facet. */
static void read_pebbles(const scree_body_arrays *bodies, const scree_mesh_memory *memory,
                         scree_contact *contact)
{
    bool has_first = is_clump(bodies, contact->first);

    if (is_clump(bodies, contact->second))
        contact->pebble[1] = has_first ? memory->facet : memory->pebble;
    if (has_first)
        contact->pebble[0] = memory->pebble;
}

static scree_status read_shape_contact(reading *r, size_t c)
{
    const scree_world *world = r->world;
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    const scree_shape_partners *pair = list->pair[c];
    scree_contact contact = {.first = pair->first,
                             .second = pair->second,
                             .wall = pair->wall,
                             .facet = list->facet[c][0],
                             .overlap = list->point[c][3]};

    read_pebbles(&world->bodies, &list->memory[c][0], &contact);
    memcpy(contact.point, list->point[c], sizeof contact.point);
    memcpy(contact.normal, list->normal[c], sizeof contact.normal);
    memcpy(contact.force, list->row[c], sizeof contact.force);
    memcpy(contact.moment, list->moment[c], sizeof contact.moment);
    return append(r, &contact, &world->rules.slots[list->slot[c][0]], list->history, c);
}

/* ---- one body ---- */

/*  Contacts of non-spherical bodies with partners of a global id below `before`; walls have none. `e` advances to
    the next. */
static scree_status read_shape_contacts(reading *r, uint32_t slot, bool as_second, uint64_t serial,
                                        uint32_t *e)
{
    const scree_world *world = r->world;
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    bool skips_bodies = r->filter->walls_only || r->wall != UINT32_MAX;
    scree_status status = SCREE_OK;

    for (; list->count && *e < list->begin[slot + 1] && !status; ++*e) {
        uint32_t c = list->entry[*e] >> 1, is_second = list->entry[*e] & 1, first, second, wall;
        scree_shape_contacts_resolve(&world->bodies, &world->walls, list->pair[c], &first, &second,
                                     &wall);
        uint64_t partner =
            second == UINT32_MAX ? UINT64_MAX : world->bodies.serial[is_second ? first : second][0];
        if (partner >= serial)
            break;
        if (second != UINT32_MAX && !skips_bodies && (as_second || !is_second))
            status = read_shape_contact(r, c);
    }
    return status;
}

/*  A non-spherical body has all its contacts in this list; others have no wall contacts here. */
static scree_status read_shapes_at_walls(reading *r, uint32_t slot, uint32_t *e)
{
    const scree_world *world = r->world;
    const scree_shape_contact_list *list = &world->shape_contacts.now;
    scree_status status = SCREE_OK;

    for (; list->count && *e < list->begin[slot + 1] && !status; ++*e) {
        uint32_t c = list->entry[*e] >> 1, first, second, wall;
        scree_shape_contacts_resolve(&world->bodies, &world->walls, list->pair[c], &first, &second,
                                     &wall);
        if (!r->filter->bodies_only && (r->wall == UINT32_MAX || wall == r->wall) &&
            (!r->filter->facet1 || list->facet[c][0] == r->filter->facet1 - 1))
            status = read_shape_contact(r, c);
    }
    return status;
}

/*  Entries are sorted by global id of the partner, so contacts with an earlier body come first, in its order. */
static scree_status read_body(reading *r, uint32_t slot, bool as_second)
{
    const scree_contact_list *list = &r->world->pairs;
    const scree_wall_contact_list *walls = &r->world->wall_contacts.now;
    bool skips_bodies = list->count == 0 || r->filter->walls_only || r->wall != UINT32_MAX;
    bool skips_walls = walls->count == 0 || r->filter->bodies_only;
    const scree_body_arrays *bodies = &r->world->bodies;
    const scree_shape_contact_list *shapes = &r->world->shape_contacts.now;
    uint32_t at = shapes->count ? shapes->begin[slot] : 0;
    scree_status status = SCREE_OK;

    for (uint32_t e = skips_bodies ? 0 : list->begin[slot];
         !skips_bodies && e < list->end[slot] && !status; e++) {
        uint32_t c = list->entry[e] >> 1, is_second = list->entry[e] & 1;
        if (!list->touches[c][0] || (!as_second && is_second))
            continue;
        status = read_shape_contacts(
            r, slot, as_second,
            bodies->serial[is_second ? list->first[c][0] : list->second[c][0]][0], &at);
        if (!status)
            status = read_pair(r, c);
    }
    if (!status)
        status = read_shape_contacts(r, slot, as_second, UINT64_MAX, &at);
    for (uint32_t c = skips_walls ? 0 : walls->begin[slot];
         !skips_walls && c < walls->end[slot] && !status; c++)
        status = read_wall_contact(r, c);
    return status ? status : read_shapes_at_walls(r, slot, &at);
}

/*  False: read_body would find nothing. */
static bool has_contacts(const reading *r, uint32_t slot)
{
    const scree_contact_list *list = &r->world->pairs;
    const scree_wall_contact_list *walls = &r->world->wall_contacts.now;
    const scree_shape_contact_list *shapes = &r->world->shape_contacts.now;
    bool skips_bodies = list->count == 0 || r->filter->walls_only || r->wall != UINT32_MAX;
    bool skips_walls = walls->count == 0 || r->filter->bodies_only;

    return (!skips_bodies && list->begin[slot] < list->end[slot]) ||
           (!skips_walls && walls->begin[slot] < walls->end[slot]) ||
           (shapes->count && shapes->begin[slot] < shapes->begin[slot + 1]);
}

static void note_slot(scree_body_order *order, const scree_body_arrays *bodies, uint32_t slot,
                      size_t *count)
{
    order->key[*count] = bodies->serial[slot][0];
    order->slot[(*count)++] = slot;
}

/*  Marks the bodies that touch the requested wall: wall contacts are few compared with bodies, and those of a body
    are contiguous. */
static size_t note_touching(const reading *r)
{
    const scree_wall_contact_list *walls = &r->world->wall_contacts.now;
    uint32_t last = UINT32_MAX;
    size_t count = 0;

    for (size_t c = 0; c < walls->count; c++) {
        uint32_t slot = walls->body[c][0];
        if (walls->wall[c][0] != r->wall || slot == UINT32_MAX || slot == last)
            continue;
        note_slot(&r->world->order, &r->world->bodies, slot, &count);
        last = slot;
    }
    return count;
}

/*  Writes the slots of bodies that may have contacts, sorted by global id, to the order; returns their number. */
static scree_status order_by_serial(const reading *r, size_t *count)
{
    scree_world *world = r->world;
    const scree_body_arrays *bodies = &world->bodies;

    if (scree_body_order_reserve(&world->order, &world->memory, bodies->count))
        return SCREE_OUT_OF_MEMORY;
    bool is_of_wall = r->wall != UINT32_MAX && world->shape_contacts.now.count == 0;
    *count = is_of_wall ? note_touching(r) : 0;
    for (uint32_t slot = 0; slot < bodies->count && !is_of_wall; slot++)
        if (has_contacts(r, slot))
            note_slot(&world->order, &world->bodies, slot, count);
    return scree_body_order_sort(&world->order, &world->memory, &world->workers, *count);
}

static scree_status read_all(reading *r)
{
    scree_world *world = r->world;
    size_t count;
    scree_status status = order_by_serial(r, &count);

    if (status)
        return scree_fail(&world->error, status, "world: contacts: %s", scree_status_name(status));
    for (size_t k = 0; k < count && !status; k++)
        status = read_body(r, world->order.slot[k], false);
    return status;
}

scree_status scree_world_contacts(scree_world *world, const scree_contact_filter_def *filter,
                                  const scree_contact **contacts, size_t *count)
{
    scree_contact_filter_def own = scree_default_contact_filter_def();
    reading r = {.world = world, .filter = &own, .wall = UINT32_MAX};
    scree_status status;
    size_t numbers = 0;

    if (!world)
        return SCREE_BAD_ARGUMENT;
    if (!contacts || !count)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT, "world: contacts or count is NULL");
    if (world->host_is_asked)
        return scree_fail(&world->error, SCREE_BAD_ARGUMENT,
                          "world: contacts cannot be read within a step: the host's force function "
                          "must not ask for them");
    if (filter && !scree_definition_read(&own, filter))
        return scree_fail(&world->error, SCREE_BAD_DEF,
                          "contact filter: it is not from scree_default_contact_filter_def");
    status = check_filter(&world->bodies, &world->walls, r.filter, &world->error);
    if (!status && world->rows_are_stale)
        status = scree_world_renew_rows(world);
    if (status)
        return status;
    /* bodies may have been moved or removed since the index was made */
    if (world->shape_contacts.now.count &&
        scree_shape_contacts_index(&world->memory, &world->bodies, &world->walls,
                                   &world->shape_contacts.now, false))
        return scree_fail(&world->error, SCREE_OUT_OF_MEMORY, "world: contacts: out of memory");
    if (r.filter->wall.index1)
        r.wall = (uint32_t)scree_walls_place(&world->walls, r.filter->wall);
    if (r.filter->body.index1)
        status = read_body(&r, (uint32_t)scree_bodies_slot(&world->bodies, r.filter->body), true);
    else
        status = read_all(&r);
    if (status)
        return status;
    for (size_t k = 0; k < r.count; k++) {
        world->listed[k].memory = world->listed_memory + numbers;
        numbers += world->listed[k].memory_count;
    }
    *contacts = world->listed;
    *count = r.count;
    return SCREE_OK;
}
