/*  Who may touch whom. Every step the detector is told where bodies are; as long as each is within its margin
    the list of candidates stands. Else the detector's pairs make a new list, and contacts that last are
    found in it again.

    A body that comes in again through a periodic border is shown to the detector where it would be without: else
    each would seem to have left its margin, and bring about a search. The detector's cell is periodic, so that is
    the same place. Once slots change a search is made anyway, and all start again from where they are.

    Pairs come sorted by slots, so that forces go through memory in order. Which of two bodies is the first
    goes by serial numbers, and so does the order of sums (candidates.c): slots decide on speed alone. */
#include "world/search/neighbours.h"

#include "world/contacts/pair_law.h"
#include "world/contacts/persistent.h"
#include "world/step/world_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- rows as the detector gets them ---- */

/*  From here on nobody has come in again. */
static scree_status forget_wraps(scree_world *world)
{
    size_t count = world->bodies.count;

    world->wraps.are_some = false;
    if (!scree_def_is_periodic(&world->def) || count == 0)
        return SCREE_OK;
    if (scree_memory_reserve(&world->memory, &world->wraps.count, &world->wraps.capacity, count,
                             sizeof *world->wraps.count))
        return SCREE_OUT_OF_MEMORY;
    memset(world->wraps.count, 0, count * sizeof *world->wraps.count);
    return SCREE_OK;
}

static void unwrap(const scree_world *world, uint32_t slot, double row[4])
{
    const scree_domain *domain = &world->cell.next;
    double farthest = 0;

    for (int k = 2; k >= 0; k--) {
        if (world->wraps.count[slot][k] == 0)
            continue;
        scree_domain_take(domain, k, world->wraps.count[slot][k], row);
        farthest += domain->period[k] * SCREE_MOST_WRAPS + fabs(row[k]);
        /* tilts are half a period at most */
        if (domain->is_tilted)
            farthest += 2 * SCREE_MOST_WRAPS * (domain->period[0] + domain->period[1]);
    }
    /* rounding of the way out, and of the way in that it undoes */
    row[3] += 4 * DBL_EPSILON * farthest;
}

/* ---- a cell that moves ----

    The detector keeps the cell that it was told last, and images drift away from where it has them: by |dH n| if they
    are n edges apart, dH being what became of the edges since. So bodies are shown thicker by half of that, and leave
    their margins the sooner; after a search the detector is told the cell as it is. Of two bodies in the box the image
    nearest to one is at most 1 edge away along z and y and 2 along x (see detect/images.c), and by m more if the other
    is m boxes away: half of the first goes on each, and m of its own on whoever is. If that is more than a share of
    the smallest radius, as where the edges are those of another tilt, or leaves too little room in the cell, the
    detector is told at once, and keeps the volumes that bodies had: those hold wherever images are. */
#define MOST_DRIFT 0.1

/*  Boxes from the domain to a place. */
static double boxes_away(const scree_domain *domain, const double *place, int axis)
{
    if (domain->period[axis] == 0 ||
        (place[axis] >= domain->lower[axis] && place[axis] <= domain->upper[axis]))
        return 0;
    return fabs(floor((place[axis] - domain->lower[axis]) / domain->period[axis]));
}

static double thicken(const scree_world *world, const double *place, const double drift[3])
{
    const scree_domain *domain = &world->cell.next;
    double more = drift[0] + 0.5 * drift[1] + 0.5 * drift[2];
    double at[3] = {place[0], place[1], place[2]};

    /* as a lattice is reduced: from the last axis, each edge with what leans of it */
    for (int k = 2; k >= 0; k--) {
        double boxes = boxes_away(domain, at, k);
        if (boxes > 0)
            scree_domain_take(domain, k, at[k] < domain->lower[k] ? -boxes : boxes, at);
        more += boxes * drift[k];
    }
    /* rounding of all this */
    return more * (1 + 0x1p-40);
}

/*  The body as the detector gets it. */
static void show_body(const scree_world *world, const double drift[3], uint32_t slot, double row[4])
{
    memcpy(row, world->bodies.position[slot], sizeof *world->bodies.position);
    row[3] += world->reach / 2;
    /* where steps are local, those as well that may touch before the next search: all of them, whatever rounding does */
    if (world->def.local_steps)
        row[3] += SCREE_LOCAL_SHARE * (1 + 0x1p-20) * row[3];
    if (world->wraps.are_some)
        unwrap(world, slot, row);
    if (drift[0] + drift[1] + drift[2] > 0)
        row[3] += thicken(world, row, drift);
}

/*  Radii with half the reach. No radius changes, nor does a body its slot, but the list is made anew. */
static scree_status thicken_bodies(scree_world *world)
{
    const scree_crowd *bodies = &world->bodies;

    if (!world->search_anew && world->thick_count == bodies->count &&
        world->thick_reach == world->reach)
        return SCREE_OK;
    if (scree_memory_reserve(&world->memory, &world->thick, &world->thick_capacity, bodies->count,
                             sizeof *world->thick))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        world->thick[slot] = bodies->position[slot][3] + world->reach / 2;
    world->thick_count = bodies->count;
    world->thick_reach = world->reach;
    return SCREE_OK;
}

/*  Rows that differ from the bodies' own: wrapped, or seen from a cell of before, or thicker by more than laws reach. */
static scree_status show_bodies(scree_world *world, const double drift[3])
{
    const scree_crowd *bodies = &world->bodies;

    if (scree_memory_reserve(&world->memory, &world->seen, &world->seen_capacity, bodies->count,
                             sizeof *world->seen))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        show_body(world, drift, slot, world->seen[slot]);
    return SCREE_OK;
}

/*  The farthest that any two bodies act on each other: together none has more than half of the greatest radius. It is another
    only where the list is to be made anew. */
static double reach_of_pairs(const scree_world *world)
{
    const scree_crowd *bodies = &world->bodies;
    bool has_sizes = world->rules.reach.root > 0 || world->rules.reach.share > 0;
    double greatest = 0;

    for (uint32_t slot = 0; has_sizes && slot < bodies->count; slot++)
        greatest = bodies->position[slot][3] > greatest ? bodies->position[slot][3] : greatest;
    /* rounding of half a radius, here and where it is that of two bodies */
    return scree_law_reach_at(&world->rules.reach, greatest / 2 * (1 + 0x1p-40));
}

scree_status scree_world_check_room(scree_world *world)
{
    const scree_domain *domain = &world->cell.next;
    double greatest = 0, least;

    for (uint32_t slot = 0; slot < world->bodies.count; slot++)
        greatest = fmax(greatest, world->bodies.position[slot][3]);
    least = 4 * greatest + 2 * reach_of_pairs(world);
    for (int k = 0; k < 3; k++)
        if (domain->period[k] > 0 && !(domain->period[k] > least))
            return scree_fail(&world->error, SCREE_BAD_VALUE,
                              "world: the cell: a period of %g along %c, for bodies that reach so "
                              "far it must be above %g",
                              domain->period[k], "xyz"[k], least);
    return SCREE_OK;
}

static scree_status tell_cell(scree_world *world)
{
    scree_status status =
        scree_detector_set_cell(world->detector, world->cell.next.period, world->cell.next.tilt);

    if (status)
        return scree_fail(&world->error, status, "world: detection: %s",
                          scree_detector_message(world->detector));
    world->cell.shown = world->cell.next;
    return SCREE_OK;
}

/*  Whether bodies that are so much thicker still are what margins are made for. */
static bool may_drift(const scree_world *world, const double drift[3])
{
    const scree_crowd *bodies = &world->bodies;
    double smallest = INFINITY, thickest = 0, most = 0;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double radius = bodies->position[slot][3], row[4];
        show_body(world, drift, slot, row);
        smallest = fmin(smallest, radius);
        thickest = fmax(thickest, row[3]);
        most = fmax(most, row[3] - radius - world->reach / 2);
    }
    for (int k = 0; k < 3; k++)
        if (world->cell.next.period[k] > 0 && !(world->cell.next.period[k] > 4 * thickest))
            return false;
    return most <= MOST_DRIFT * smallest;
}

/*  What images have drifted by, which the detector is told of if it is much. */
static scree_status follow_cell(scree_world *world, double drift[3])
{
    const double *period = world->cell.next.period, *shown = world->cell.shown.period;
    bool has_changed = period[0] != shown[0] || period[1] != shown[1] || period[2] != shown[2];
    scree_status status = SCREE_OK;

    scree_strain_drift(&world->cell, drift);
    if (world->cell.is_on && (world->search_anew || has_changed))
        status = scree_world_check_room(world);
    if (status || drift[0] + drift[1] + drift[2] == 0)
        return status;
    if (!world->search_anew && may_drift(world, drift))
        return SCREE_OK;
    world->search_anew = true;
    drift[0] = drift[1] = drift[2] = 0;
    return tell_cell(world);
}

static scree_status view_bodies(scree_world *world, const double drift[3], scree_table *table,
                                scree_motion *motion)
{
    const scree_crowd *bodies = &world->bodies;
    size_t stride = sizeof *bodies->position, count = bodies->count;
    static const double nobody[4] = {0};
    const double *place = count ? bodies->position[0] : nobody;
    const double *velocity = count ? bodies->velocity[0] : nobody;
    scree_view z = {0}, radius = scree_doubles(place + 3, stride);

    if (count &&
        (world->wraps.are_some || world->def.local_steps || drift[0] + drift[1] + drift[2] > 0)) {
        if (show_bodies(world, drift))
            return SCREE_OUT_OF_MEMORY;
        place = world->seen[0];
        radius = scree_doubles(place + 3, stride);
    } else if (count && world->reach > 0) {
        if (thicken_bodies(world))
            return SCREE_OUT_OF_MEMORY;
        radius = scree_doubles(world->thick, sizeof *world->thick);
    }
    if (world->def.dimensions == 3)
        z = scree_doubles(place + 2, stride);
    *table = scree_table_spheres(count, scree_doubles(place, stride),
                                 scree_doubles(place + 1, stride), z, radius);
    *motion = (scree_motion){.velocity = {scree_doubles(velocity, stride),
                                          scree_doubles(velocity + 1, stride),
                                          scree_doubles(velocity + 2, stride)}};
    return SCREE_OK;
}

/*  One candidate of the new list, or none where the two never meet, or have no law and no contact from before
    there was none. */
static void take_pair(scree_world *world, scree_contact_list *list, uint32_t a, uint32_t b)
{
    const scree_crowd *bodies = &world->bodies;
    size_t c = list->count;

    if (bodies->special && !scree_bodies_meet(bodies, a, b))
        return;
    if (bodies->serial[a][0] > bodies->serial[b][0]) {
        uint32_t kept = a;
        a = b;
        b = kept;
    }
    if (scree_is_solid(bodies, a) || scree_is_solid(bodies, b)) {
        scree_solids_push(&world->solid_contacts, bodies, a, b);
        return;
    }
    if (scree_rules_find(&world->rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                         bodies->material[b][0], bodies->groups[a][0], bodies->groups[b][0]) == 0) {
        if (scree_contact_list_find_contact(&world->pairs, a, b) == SIZE_MAX)
            return;
        list->has_lawless = true;
    }
    list->first[c][0] = a;
    list->second[c][0] = b;
    list->count++;
}

/*  Of which one is a body of triangles. */
static size_t count_solid_pairs(const scree_crowd *bodies, const scree_pairs *pairs)
{
    size_t count = 0;

    for (uint64_t k = 0; bodies->solids && k < pairs->count; k++)
        count +=
            scree_is_solid(bodies, pairs->first[k]) || scree_is_solid(bodies, pairs->second[k]);
    return count;
}

static scree_status make_list(scree_world *world)
{
    static const scree_pairs_options in_order = {.canonical = true};
    scree_contact_list *made = &world->spare, kept;
    scree_pairs pairs;
    scree_status status = scree_detector_pairs(world->detector, &in_order, &pairs);

    if (status)
        return scree_fail(&world->error, status, "world: detection: %s",
                          scree_detector_message(world->detector));
    made->count = 0;
    made->has_lawless = made->rows_are_next = false;
    made->alike = 0;
    status = scree_contact_list_reserve(made, pairs.count);
    if (!status)
        status = scree_solids_begin(&world->solid_contacts, &world->bodies,
                                    count_solid_pairs(&world->bodies, &pairs));
    if (!status) {
        for (uint64_t k = 0; k < pairs.count; k++)
            take_pair(world, made, pairs.first[k], pairs.second[k]);
        scree_solids_end(&world->solid_contacts);
    }
    if (!status && world->rules.some_last) {
        status = scree_contact_list_index(made, &world->bodies);
        if (!status)
            status = scree_lasting_add(&world->rules, made, &world->pairs);
    }
    if (!status)
        status = scree_contact_list_inherit(made, &world->pairs);
    if (!status)
        status = scree_contact_list_index(made, &world->bodies);
    if (status)
        return scree_fail(&world->error, status, "world: the list of contacts: %s",
                          scree_status_name(status));
    kept = world->pairs;
    world->pairs = *made;
    world->spare = kept;
    world->search_anew = false;
    world->list_is_new = true;
    world->pairs.alike = scree_pair_law_of_all(&world->rules, &world->bodies, &world->pairs);
    world->certificate.searches++;
    world->certificate.candidates = world->pairs.count + world->solid_contacts.candidate_count;
    return SCREE_OK;
}

/*  Before the first step its length may not be known. It says how much room bodies are given, no more. */
#define SOME_DT 1e-9

scree_status scree_world_search(scree_world *world, double dt, scree_search_outcome *search)
{
    scree_table table;
    scree_motion motion;
    scree_advance did;
    double drift[3];
    bool anew = world->search_anew;

    *search = (scree_search_outcome){false, false, dt};
    if (anew)
        world->reach = reach_of_pairs(world);
    scree_status status = follow_cell(world, drift);
    if (status)
        return status;
    /* slots may be others; where only the cell has moved they are not */
    if (anew)
        status = forget_wraps(world);
    if (!status)
        status = view_bodies(world, drift, &table, &motion);
    const bool cell_is_new = world->search_anew && !anew;
    if (!(dt > 0))
        dt = world->clock.dt > 0 ? world->clock.dt : SOME_DT;
    if (status)
        return scree_fail(&world->error, status, "world: search: %s", scree_status_name(status));
    status = scree_detector_advance(world->detector, &table, &motion, dt, &did);
    /* noted first: if the list cannot be made now, it must be later, and so if the detector has come half way */
    world->search_anew |= did.ran || status != SCREE_OK;
    search->has_refused = status != SCREE_OK;
    if (status)
        return status;
    world->certificate.used = did.used;
    if (did.ran && drift[0] + drift[1] + drift[2] > 0)
        status = tell_cell(world);
    if (!status && world->search_anew)
        status = make_list(world);
    /* who came or was changed since may well overlap at once */
    search->may_be_late = (did.ran || cell_is_new) && !anew;
    search->dt = dt;
    return status;
}

void scree_world_undo_search(scree_world *world)
{
    scree_contact_list kept = world->pairs;

    if (!world->list_is_new)
        return;
    world->pairs = world->spare;
    world->spare = kept;
    world->list_is_new = false;
    world->search_anew = true;
}

/* ---- what is left of margins ---- */

void scree_world_measure_leeway(const scree_world *world, scree_certificate *certificate)
{
    const scree_surface_search *walls = &world->surfaces.search;
    /* until a list is made anew slots are not what the detector knows */
    double farthest = 0, least = world->search_anew ? 0 : INFINITY, drift[3];

    scree_strain_drift(&world->cell, drift);
    for (uint32_t slot = 0; slot < world->bodies.count && !world->search_anew; slot++) {
        double row[4], moved = 0, left = 0;
        show_body(world, drift, slot, row);
        (void)scree_detector_leeway(world->detector, slot, row, &moved, &left);
        farthest = moved > farthest ? moved : farthest;
        least = left < least ? left : least;
        if (world->walls.count && walls->left[slot] - walls->travel < least)
            least = walls->left[slot] - walls->travel;
    }
    certificate->displacement = farthest;
    certificate->slack = least > 0 ? least : 0;
}
