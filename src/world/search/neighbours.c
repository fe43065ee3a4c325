/*  The neighbour list. Each step passes the positions of bodies to the detector. While each body is within its margin,
    the list stays valid. Otherwise the detector's pairs become a new list, and existing contacts are looked up in it.

    A body that was wrapped at a periodic boundary is passed to the detector without wrapping. Otherwise it would appear
    to have left its margin, and each wrap would cause a search. The detector's cell is periodic, so it is the same
    position. When slots change, a search is made anyway, and all wraps are reset.

    Pairs are sorted by slots, so that forces access memory in order. Which body of a pair is first depends on global
    ids, and so does the order of sums (candidates.c): slots affect only speed. */
#include "world/search/neighbours.h"

#include "world/contacts/pair_law.h"
#include "world/contacts/persistent.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- rows as the detector gets them ---- */

void scree_seen_bodies_free(scree_seen_bodies *seen, scree_memory *memory)
{
    scree_memory_give(memory, &seen->rows, seen->row_capacity, sizeof *seen->rows);
    scree_memory_give(memory, &seen->thick, seen->thick_capacity, sizeof *seen->thick);
}

/*  Resets the wraps of all bodies. */
static scree_status forget_wraps(const scree_search_job *job)
{
    size_t count = job->look.bodies->count;
    scree_wraps *wraps = job->wraps;

    wraps->are_some = false;
    if (!scree_def_is_periodic(job->step->def) || count == 0)
        return SCREE_OK;
    if (scree_memory_reserve(job->step->memory, &wraps->count, &wraps->capacity, count,
                             sizeof *wraps->count))
        return SCREE_OUT_OF_MEMORY;
    memset(wraps->count, 0, count * sizeof *wraps->count);
    return SCREE_OK;
}

static void unwrap(const scree_search_look *look, uint32_t slot, double row[4])
{
    const scree_domain *domain = &look->cell->next;
    double farthest = 0;

    for (int k = 2; k >= 0; k--) {
        if (look->wraps->count[slot][k] == 0)
            continue;
        scree_domain_take(domain, k, look->wraps->count[slot][k], row);
        farthest += domain->period[k] * SCREE_MAX_WRAPS + fabs(row[k]);
        /* tilts are at most half a period */
        if (domain->is_tilted)
            farthest += 2 * SCREE_MAX_WRAPS * (domain->period[0] + domain->period[1]);
    }
    /* rounding of undoing the wrap, and of the wrap itself */
    row[3] += 4 * DBL_EPSILON * farthest;
}

/* ---- a cell that deforms ----

   The detector keeps the cell of its last update, and images drift away from where it expects them: by
   |dH n| if they are n edges apart, where dH is the change of the edges. So half of that is added to the radii of
   bodies, which uses up their margins sooner. After a search the detector gets the present cell. For two bodies in
   the box, the nearest image is at most 1 edge away along z and y and 2 along x (see detect/images.c), and m more if
   a body is m boxes outside: half of the first is added to each body, and m to the body outside. If that is more
   than a share of the smallest radius, for example because an edge was flipped, or if the cell becomes too small for
   it, the detector is updated at once. It keeps the enlarged volumes of bodies, which are valid wherever images are. */
#define MAX_DRIFT 0.1

/*  Number of boxes between the domain and a position. */
static double boxes_away(const scree_domain *domain, const double *place, int axis)
{
    if (domain->period[axis] == 0 ||
        (place[axis] >= domain->lower[axis] && place[axis] <= domain->upper[axis]))
        return 0;
    return fabs(floor((place[axis] - domain->lower[axis]) / domain->period[axis]));
}

static double thicken(const scree_domain *domain, const double *place, const double drift[3])
{
    double more = drift[0] + 0.5 * drift[1] + 0.5 * drift[2];
    double at[3] = {place[0], place[1], place[2]};

    /* lattice reduction: from the last axis, subtract the tilts of each edge */
    for (int k = 2; k >= 0; k--) {
        double boxes = boxes_away(domain, at, k);
        if (boxes > 0)
            scree_domain_take(domain, k, at[k] < domain->lower[k] ? -boxes : boxes, at);
        more += boxes * drift[k];
    }
    /* an allowance for rounding */
    return more * (1 + 0x1p-40);
}

/*  The row of a body for the detector. */
static void show_body(const scree_search_look *look, const double drift[3], uint32_t slot,
                      double row[4])
{
    memcpy(row, look->bodies->position[slot], sizeof *look->bodies->position);
    row[3] += *look->reach / 2;
    /* with local time stepping, also pairs that may touch before the next search, with an allowance for rounding */
    if (look->has_local_steps)
        row[3] += SCREE_LOCAL_SHARE * (1 + 0x1p-20) * row[3];
    if (look->wraps->are_some)
        unwrap(look, slot, row);
    if (drift[0] + drift[1] + drift[2] > 0)
        row[3] += thicken(&look->cell->next, row, drift);
}

/*  Adds half of the interaction range to radii. No radius and no slot changes without a rebuild of the list. */
static scree_status thicken_bodies(const scree_search_job *job)
{
    const scree_body_arrays *bodies = job->look.bodies;
    scree_seen_bodies *seen = job->seen;

    if (!*job->needs_search && seen->thick_count == bodies->count &&
        seen->thick_reach == *job->reach)
        return SCREE_OK;
    if (scree_memory_reserve(job->step->memory, &seen->thick, &seen->thick_capacity, bodies->count,
                             sizeof *seen->thick))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < bodies->count; slot++)
        seen->thick[slot] = bodies->position[slot][3] + *job->reach / 2;
    seen->thick_count = bodies->count;
    seen->thick_reach = *job->reach;
    return SCREE_OK;
}

/*  Writes rows that differ from those of the bodies: positions without wrapping, or enlarged radii because of an
    older cell or the interaction range. */
static scree_status show_bodies(const scree_search_job *job, const double drift[3])
{
    scree_seen_bodies *seen = job->seen;

    if (scree_memory_reserve(job->step->memory, &seen->rows, &seen->row_capacity,
                             job->look.bodies->count, sizeof *seen->rows))
        return SCREE_OUT_OF_MEMORY;
    for (uint32_t slot = 0; slot < job->look.bodies->count; slot++)
        show_body(&job->look, drift, slot, seen->rows[slot]);
    return SCREE_OK;
}

/*  The largest interaction range of any two bodies: their combined radius is at most half of the largest radius. It
    changes only if the list is rebuilt. */
static double reach_of_pairs(const scree_law_reach *reach, const scree_body_arrays *bodies)
{
    bool has_sizes = reach->root > 0 || reach->share > 0;
    double largest = 0;

    for (uint32_t slot = 0; has_sizes && slot < bodies->count; slot++)
        largest = bodies->position[slot][3] > largest ? bodies->position[slot][3] : largest;
    /* an allowance for rounding of half a radius, here and in the radius of a pair */
    return scree_law_reach_at(reach, largest / 2 * (1 + 0x1p-40));
}

scree_status scree_search_check_room(const scree_step *step, const scree_body_arrays *bodies,
                                     const scree_domain *domain)
{
    double largest = 0, least;

    for (uint32_t slot = 0; slot < bodies->count; slot++)
        largest = fmax(largest, bodies->position[slot][3]);
    least = 4 * largest + 2 * reach_of_pairs(&step->rules->reach, bodies);
    for (int k = 0; k < 3; k++)
        if (domain->period[k] > 0 && !(domain->period[k] > least))
            return scree_fail(step->error, SCREE_BAD_VALUE,
                              "world: the cell: a period of %g along %c, for bodies that reach so "
                              "far it must be above %g",
                              domain->period[k], "xyz"[k], least);
    return SCREE_OK;
}

static scree_status refuse_detection(const scree_search_job *job, scree_status status)
{
    return scree_fail(job->step->error, status, "world: detection: %s",
                      scree_detector_message(job->detector));
}

static scree_status tell_cell(const scree_search_job *job)
{
    const scree_domain *domain = &job->look.cell->next;
    scree_status status = scree_detector_set_cell(job->detector, domain->period, domain->tilt);

    if (status)
        return refuse_detection(job, status);
    *job->shown = *domain;
    return SCREE_OK;
}

/*  Whether margins are still sufficient for radii enlarged by this amount. */
static bool may_drift(const scree_search_job *job, const double drift[3])
{
    const scree_body_arrays *bodies = job->look.bodies;
    const double *period = job->look.cell->next.period;
    double smallest = INFINITY, thickest = 0, most = 0;

    for (uint32_t slot = 0; slot < bodies->count; slot++) {
        double radius = bodies->position[slot][3], row[4];
        show_body(&job->look, drift, slot, row);
        smallest = fmin(smallest, radius);
        thickest = fmax(thickest, row[3]);
        most = fmax(most, row[3] - radius - *job->reach / 2);
    }
    for (int k = 0; k < 3; k++)
        if (period[k] > 0 && !(period[k] > 4 * thickest))
            return false;
    return most <= MAX_DRIFT * smallest;
}

/*  Finds the drift of images; updates the detector's cell if it is large. */
static scree_status follow_cell(const scree_search_job *job, double drift[3])
{
    const double *period = job->look.cell->next.period, *shown = job->shown->period;
    bool has_changed = period[0] != shown[0] || period[1] != shown[1] || period[2] != shown[2];
    scree_status status = SCREE_OK;

    scree_strain_drift(job->look.cell, drift);
    if (job->look.cell->is_on && (*job->needs_search || has_changed))
        status = scree_search_check_room(job->step, job->look.bodies, &job->look.cell->next);
    if (status || drift[0] + drift[1] + drift[2] == 0)
        return status;
    if (!*job->needs_search && may_drift(job, drift))
        return SCREE_OK;
    *job->needs_search = true;
    drift[0] = drift[1] = drift[2] = 0;
    return tell_cell(job);
}

static scree_status view_bodies(const scree_search_job *job, const double drift[3],
                                scree_table *table, scree_motion *motion)
{
    const scree_body_arrays *bodies = job->look.bodies;
    size_t stride = sizeof *bodies->position, count = bodies->count;
    static const double no_bodies[4] = {0};
    const double *place = count ? bodies->position[0] : no_bodies;
    const double *velocity = count ? bodies->velocity[0] : no_bodies;
    scree_view z = {0}, radius = scree_doubles(place + 3, stride);

    if (count && (job->wraps->are_some || job->step->def->step.local_steps ||
                  drift[0] + drift[1] + drift[2] > 0)) {
        if (show_bodies(job, drift))
            return SCREE_OUT_OF_MEMORY;
        place = job->seen->rows[0];
        radius = scree_doubles(place + 3, stride);
    } else if (count && *job->reach > 0) {
        if (thicken_bodies(job))
            return SCREE_OUT_OF_MEMORY;
        radius = scree_doubles(job->seen->thick, sizeof *job->seen->thick);
    }
    if (job->step->def->dimensions == 3)
        z = scree_doubles(place + 2, stride);
    *table = scree_table_spheres(count, scree_doubles(place, stride),
                                 scree_doubles(place + 1, stride), z, radius);
    *motion = (scree_motion){.velocity = {scree_doubles(velocity, stride),
                                          scree_doubles(velocity + 1, stride),
                                          scree_doubles(velocity + 2, stride)}};
    if (job->travel && !*job->needs_search)
        motion->travel = scree_doubles(job->travel, sizeof *job->travel);
    return SCREE_OK;
}

/*  Adds a pair to the new list, unless the two cannot interact, or have neither an interaction nor an old contact. */
static void take_pair(const scree_search_job *job, scree_contact_list *list, uint32_t a, uint32_t b)
{
    const scree_body_arrays *bodies = job->look.bodies;
    size_t c = list->count;

    if (bodies->special && !scree_bodies_meet(bodies, a, b))
        return;
    if (scree_joints_part(job->joints, bodies->serial[a][0], bodies->serial[b][0]))
        return;
    if (bodies->serial[a][0] > bodies->serial[b][0]) {
        uint32_t kept = a;
        a = b;
        b = kept;
    }
    if (scree_is_not_sphere(bodies, a) || scree_is_not_sphere(bodies, b)) {
        scree_shape_contacts_push(job->shapes, bodies, a, b);
        return;
    }
    if (scree_rules_find(job->step->rules, SCREE_CONTACT_BODIES, bodies->material[a][0],
                         bodies->material[b][0], bodies->groups[a][0], bodies->groups[b][0]) == 0) {
        scree_contact_list_index(job->pairs, bodies);
        if (scree_contact_list_find_contact(job->pairs, a, b) == SIZE_MAX)
            return;
        list->has_pairs_without_law = true;
    }
    list->first[c][0] = a;
    list->second[c][0] = b;
    list->count++;
}

/*  Pairs with at least one non-spherical body. */
static size_t count_shape_pairs(const scree_body_arrays *bodies, const scree_pairs *pairs)
{
    size_t count = 0;

    for (uint64_t k = 0; bodies->nonspheres && k < pairs->count; k++)
        count += scree_is_not_sphere(bodies, pairs->first[k]) ||
                 scree_is_not_sphere(bodies, pairs->second[k]);
    return count;
}

/*  Lists neighbour pairs: of spheres in `made`, of non-spherical bodies in their own list. */
static scree_status list_pairs(const scree_search_job *job, const scree_pairs *pairs,
                               scree_contact_list *made)
{
    const scree_body_arrays *bodies = job->look.bodies;
    scree_status status = scree_contact_list_reserve(made, pairs->count);

    if (!status)
        status = scree_shape_contacts_begin(job->shapes, bodies, count_shape_pairs(bodies, pairs));
    if (status)
        return status;
    for (uint64_t k = 0; k < pairs->count; k++)
        take_pair(job, made, pairs->first[k], pairs->second[k]);
    scree_shape_contacts_end(job->shapes);
    return SCREE_OK;
}

/*  Takes over the contacts of the previous list. */
static scree_status join_lists(const scree_search_job *job, scree_contact_list *made)
{
    const scree_body_arrays *bodies = job->look.bodies;
    const scree_workers *workers = job->step->workers;
    scree_status status = SCREE_OK;

    if (job->step->rules->some_last) {
        status = scree_contact_list_count(made, bodies->count, workers);
        if (!status) {
            scree_contact_list_index(made, bodies);
            status = scree_persistent_add(job->step->rules, made, job->pairs);
        }
    }
    if (!status)
        status = scree_contact_list_inherit(made, job->pairs, bodies, workers);
    if (!status)
        status = scree_contact_list_count(made, bodies->count, workers);
    return status;
}

static scree_status make_list(const scree_search_job *job)
{
    static const scree_pairs_options in_order = {.canonical = true};
    scree_contact_list *made = job->spare, kept;
    scree_pairs pairs;
    scree_status status = scree_detector_pairs(job->detector, &in_order, &pairs);

    if (status)
        return refuse_detection(job, status);
    made->count = 0;
    made->has_pairs_without_law = made->rows_are_next = false;
    made->alike = 0;
    made->packed_tiles = 0;
    made->gaps.is_known = false;
    status = list_pairs(job, &pairs, made);
    if (!status)
        status = join_lists(job, made);
    if (status)
        return scree_fail(job->step->error, status, "world: the list of contacts: %s",
                          scree_status_name(status));
    kept = *job->pairs;
    *job->pairs = *made;
    *job->spare = kept;
    *job->needs_search = false;
    *job->list_is_new = true;
    job->pairs->alike = scree_pair_law_of_all(job->step->rules, job->look.bodies, job->pairs);
    job->detection_stats->rebuilds++;
    job->detection_stats->potential_contacts = job->pairs->count + job->shapes->candidate_count;
    return SCREE_OK;
}

/*  Before the first step its length may be unknown. This value only affects the size of margins. */
#define SOME_DT 1e-9

scree_status scree_search_bodies(const scree_search_job *job, scree_search_outcome *search)
{
    double dt = job->step->dt;
    scree_table table;
    scree_motion motion;
    scree_advance did;
    double drift[3];
    bool was_stale = *job->needs_search;

    *search = (scree_search_outcome){false, false, dt};
    if (was_stale)
        *job->reach = reach_of_pairs(&job->step->rules->reach, job->look.bodies);
    scree_status status = follow_cell(job, drift);
    if (status)
        return status;
    /* slots may have changed; if only the cell has moved they have not */
    if (was_stale)
        status = forget_wraps(job);
    if (!status)
        status = view_bodies(job, drift, &table, &motion);
    const bool cell_is_new = *job->needs_search && !was_stale;
    if (!(dt > 0))
        dt = job->last_dt > 0 ? job->last_dt : SOME_DT;
    if (status)
        return scree_fail(job->step->error, status, "world: search: %s", scree_status_name(status));
    status = scree_detector_advance(job->detector, &table, &motion, dt, &did);
    /* set before the list is made: if that fails now, or the detector has failed halfway, it must be made later */
    *job->needs_search |= did.ran || status != SCREE_OK;
    search->has_refused = status != SCREE_OK;
    if (status)
        return status;
    job->detection_stats->margin_used = did.used;
    if (did.ran && drift[0] + drift[1] + drift[2] > 0)
        status = tell_cell(job);
    if (!status && *job->needs_search)
        status = make_list(job);
    /* bodies that were added or changed since may overlap at once */
    search->may_be_late = (did.ran || cell_is_new) && !was_stale;
    search->dt = dt;
    return status;
}

/* ---- remaining margins ---- */

void scree_search_measure_leeway(const scree_search_look *look, const scree_detector *detector,
                                 const scree_wall_contact_search *walls,
                                 scree_detection_stats *detection_stats)
{
    double farthest = 0, least = INFINITY, drift[3];

    scree_strain_drift(look->cell, drift);
    for (uint32_t slot = 0; slot < look->bodies->count; slot++) {
        double row[4], moved = 0, left = 0;
        show_body(look, drift, slot, row);
        (void)scree_detector_leeway(detector, slot, row, &moved, &left);
        farthest = moved > farthest ? moved : farthest;
        least = left < least ? left : least;
        if (walls && walls->left[slot] - walls->travel < least)
            least = walls->left[slot] - walls->travel;
    }
    detection_stats->displacement = farthest;
    detection_stats->remaining_margin = least > 0 ? least : 0;
}
