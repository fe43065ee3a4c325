/*  Finds the facets and planes that a body may touch, when necessary.

    A body whose centre has moved by less than its search distance since the search, including the motion of walls,
    can only touch objects that were within radius + search distance then. The search distance is chosen from its
    speed, for about fifty steps. If nothing is within it, it is extended to the nearest plane, or doubled with each
    search: so bodies far from walls are searched very rarely. */
#include "world/search/wall_neighbours.h"

#include "base/tasks.h"
#include "base/vector.h"
#include "scree/detect.h"

#include <float.h>
#include <math.h>

#define STEPS_TO_LAST 50
#define MIN_ROOM 0.1 /* in radii, */
#define MAX_ROOM 4.0 /* and up to 64 times that if nothing is near */

/* ---- displacement of walls ---- */

/*  A corner of a mesh's bounding box at a pose. */
static void corner_at(const scree_mesh_info *info, const scree_wall_record *wall,
                      const scree_wall_pose *pose, int number, double point[3])
{
    scree_wall_record moved = *wall;
    double local[3];

    for (int k = 0; k < 3; k++)
        local[k] = number >> k & 1 ? info->upper[k] : info->lower[k];
    moved.next = *pose;
    scree_wall_from_mesh(&moved, local, point);
}

/*  The displacement of a point of a rigid body is a convex function of the point, so it is largest at a corner of the
    bounding box. */
double scree_wall_travel(const scree_wall_record *wall)
{
    double longest = scree_apart(wall->now.position, wall->next.position);

    if (!scree_wall_moves(wall))
        return 0;
    if (wall->def.kind == SCREE_WALL_PLANE)
        return scree_apart(wall->now.normal, wall->next.normal) == 0 ? longest : INFINITY;
    scree_mesh_info info = scree_mesh_describe(wall->def.mesh);
    for (int number = 0; number < 8; number++) {
        double before[3], after[3];
        corner_at(&info, wall, &wall->now, number, before);
        corner_at(&info, wall, &wall->next, number, after);
        double way = scree_apart(before, after);
        longest = way > longest ? way : longest;
    }
    return longest * (1 + 16 * DBL_EPSILON);
}

static double travel_of_all(const scree_walls *walls)
{
    double longest = 0;

    for (size_t w = 0; w < walls->count; w++) {
        double way = scree_wall_travel(&walls->wall[w]);
        longest = way > longest ? way : longest;
    }
    return longest;
}

/* ---- one body ---- */

static scree_status push_candidate(scree_wall_contacts *wall_contacts, uint32_t wall,
                                   uint32_t facet, double gap)
{
    scree_wall_contact_search *search = &wall_contacts->search;

    if (search->count >= UINT32_MAX)
        return SCREE_TOO_LARGE;
    if (scree_memory_reserve(wall_contacts->memory, &search->near, &search->capacity,
                             search->count + 1, sizeof *search->near))
        return SCREE_OUT_OF_MEMORY;
    search->near[search->count++] = (scree_wall_candidate){wall, facet, (float)gap, 1};
    return SCREE_OK;
}

/*  From a distance to what it exceeds the least by, less the rounding to a float. */
static float beyond_of(double distance, double gap)
{
    double beyond = (distance - fabs(distance) * 0x1p-22 - gap) * (1 - 0x1p-22);

    return beyond > 0 && beyond < FLT_MAX ? (float)beyond : 0;
}

/*  Nearest first. */
#define SORT_NAME sort_by_distance
#define SORT_ROW scree_wall_candidate
#define SORT_BEFORE(a, b) ((a)->beyond < (b)->beyond)
#include "base/shell_sort.inc.h"

/*  Orders the candidates of a body, which came wall by wall. `gap` is at most the distance of the nearest. */
static void order_candidates(const scree_wall_contact_search *search, uint32_t slot, double gap)
{
    const uint32_t end = search->end[slot];
    uint32_t begin = search->begin[slot];

    for (uint32_t k = begin; k < end; k++)
        search->near[k].beyond = beyond_of(search->near[k].beyond, gap);
    while (begin < end) {
        uint32_t stop = begin + 1;
        while (stop < end && search->near[stop].wall == search->near[begin].wall)
            stop++;
        sort_by_distance(search->near + begin, stop - begin);
        for (uint32_t k = begin; k < stop; k++)
            search->near[k].many = stop - k;
        begin = stop;
    }
}

static double distance_to_facet(const scree_mesh *mesh, uint32_t facet, const double point[3])
{
    return sqrt(
        scree_facet_nearest(mesh, mesh->vertices, mesh->normals + 3 * (size_t)facet, facet, point)
            .away_sq);
}

/*  Finds the potential contacts of one wall with a body, and reduces `gap` to the distance of the nearest. */
static scree_status look_at_wall(const scree_wall_contact_job *job, uint32_t slot, uint32_t w,
                                 double radius, double room, double *gap)
{
    const scree_wall_record *wall = &job->walls->wall[w];
    const double *place = job->bodies->position[slot];
    scree_wall_contact_search *search = &job->wall_contacts->search;
    scree_status status = SCREE_OK;
    double local[3];

    if (wall->def.kind == SCREE_WALL_PLANE) {
        double overlap =
            scree_sphere_plane_overlap(wall->next.position, wall->next.normal, place, radius);
        *gap = -overlap < *gap ? -overlap : *gap;
        return overlap >= -room ? push_candidate(job->wall_contacts, w, 0, -overlap) : SCREE_OK;
    }
    *gap = room < *gap ? room : *gap;
    scree_wall_to_mesh(wall, place, local);
    status = scree_mesh_near(wall->def.mesh, local, radius + room, job->wall_contacts->memory,
                             &search->facets);
    bool is_not_sphere = scree_is_not_sphere(job->bodies, slot);
    for (size_t k = 0; k < search->facets.count && !status; k++) {
        double nearest = distance_to_facet(wall->def.mesh, search->facets.facet[k], local) - radius;
        *gap = nearest < *gap ? nearest : *gap;
        if (!is_not_sphere)
            status = push_candidate(job->wall_contacts, w, search->facets.facet[k], nearest);
    }
    /* collision of two meshes finds the facets itself: only the wall is listed */
    if (is_not_sphere && search->facets.count && !status)
        status = push_candidate(job->wall_contacts, w, 0, -INFINITY);
    return status;
}

bool scree_wall_contacts_meet(const scree_body_arrays *bodies, const scree_joints *joints,
                              uint32_t slot, const scree_wall_record *wall)
{
    uint32_t flags = bodies->flags[slot][0];

    return (bodies->groups[slot][0] & wall->def.mask) &&
           (wall->def.groups & bodies->mask[slot][0]) && !(flags & SCREE_GHOST) &&
           (flags & SCREE_FREEZE) != SCREE_FREEZE &&
           !scree_joints_part_wall(joints, bodies->serial[slot][0], wall->id);
}

/*  A search distance for some steps at the present speeds of body and walls. */
static double choose_room(const scree_wall_contact_job *job, uint32_t slot, double dt,
                          double wall_step, bool found_nothing)
{
    const double *velocity = job->bodies->velocity[slot];
    double radius = job->bodies->position[slot][3], last = job->wall_contacts->search.room[slot];
    double speed = scree_length(velocity);
    double room = STEPS_TO_LAST * (speed * dt + wall_step), most = MAX_ROOM * radius;

    room = room > MIN_ROOM * radius ? room : MIN_ROOM * radius;
    room = room < most ? room : most;
    if (found_nothing && 2 * last > room)
        room = 2 * last < 64 * most ? 2 * last : 64 * most;
    return room;
}

/*  The distance that is known to be empty: the distance of the nearest wall, less `grain` and the rounding of large
    numbers. It is unlimited if the body interacts with no wall. */
static double all_the_room(double room, double gap, double grain)
{
    double known = (gap - grain) * (1 - 1e-8);

    return gap < INFINITY && known > room ? known : room;
}

static scree_status look_at_body(const scree_wall_contact_job *job, uint32_t slot, double dt,
                                 double wall_step)
{
    scree_wall_contact_search *search = &job->wall_contacts->search;
    const double *place = job->bodies->position[slot];
    bool found_nothing = search->begin[slot] == search->end[slot];
    double room = choose_room(job, slot, dt, wall_step, found_nothing);
    /* the largest interaction range of the table */
    double radius = place[3] + scree_law_reach_at(&job->step->rules->reach, place[3]);
    /* the search uses a slightly larger distance, as an allowance for rounding */
    double reach = room * (1 + 1e-9) +
                   64 * DBL_EPSILON * (fabs(place[0]) + fabs(place[1]) + fabs(place[2]) + place[3]);
    double grain = reach - room, gap = INFINITY;
    scree_status status = SCREE_OK;

    search->unused += search->end[slot] - search->begin[slot];
    search->begin[slot] = (uint32_t)search->count;
    for (uint32_t w = 0; w < job->walls->count && !status; w++)
        if (scree_wall_contacts_meet(job->bodies, job->joints, slot, &job->walls->wall[w]))
            status = look_at_wall(job, slot, w, radius, reach, &gap);
    search->end[slot] = (uint32_t)search->count;
    if (search->begin[slot] == search->end[slot])
        room = all_the_room(room, gap, grain);
    gap = gap < room ? gap : room;
    order_candidates(search, slot, gap);
    search->room[slot] = room;
    search->left[slot] = status ? -INFINITY : search->travel + room;
    search->clear[slot] = status ? -INFINITY : search->travel + (gap - grain);
    return status;
}

/* ---- all bodies ---- */

/*  Makes the entries contiguous again, without unused ones. */
static void compact(scree_wall_contact_search *search, uint32_t bodies, scree_wall_candidate *room)
{
    size_t count = 0;

    for (uint32_t slot = 0; slot < bodies; slot++) {
        uint32_t begin = search->begin[slot], end = search->end[slot];
        search->begin[slot] = (uint32_t)count;
        for (uint32_t k = begin; k < end; k++)
            room[count++] = search->near[k];
        search->end[slot] = (uint32_t)count;
    }
    for (size_t k = 0; k < count; k++)
        search->near[k] = room[k];
    search->count = count;
    search->unused = 0;
}

static scree_status compact_if_worth(const scree_wall_contact_job *job)
{
    scree_wall_contact_search *search = &job->wall_contacts->search;
    size_t used = search->count - search->unused;
    scree_wall_candidate *room;

    if (search->unused < 1024 || search->unused < used)
        return SCREE_OK;
    if (scree_memory_take(job->wall_contacts->memory, used, sizeof *room, &room))
        return SCREE_OUT_OF_MEMORY;
    compact(search, job->bodies->count, room);
    scree_memory_give(job->wall_contacts->memory, &room, used, sizeof *room);
    return SCREE_OK;
}

/*  Searches for bodies that have used up their search distance; displacements are subtracted while bodies move. */
static scree_status look_at_bodies(const scree_wall_contact_job *job, double dt, double wall_step,
                                   uint64_t *looked)
{
    scree_wall_contact_search *search = &job->wall_contacts->search;
    scree_status status = SCREE_OK;

    for (uint32_t slot = 0; !status; slot++) {
        slot =
            scree_wall_contacts_first_below(search->left, search->travel, slot, job->bodies->count);
        if (slot == job->bodies->count)
            break;
        status = look_at_body(job, slot, dt, wall_step);
        ++*looked;
    }
    return status;
}

static size_t count_blocks(const scree_wall_contact_job *job)
{
    return scree_block_count(job->bodies->count, SCREE_TRAVEL_ROWS);
}

/*  Remaining distances are stored as if the block had not moved yet, rounded down. */
static scree_status look_at_body_of(const scree_wall_contact_job *job, uint32_t slot, double gone,
                                    double dt, double wall_step)
{
    scree_wall_contact_search *search = &job->wall_contacts->search;
    scree_status status = look_at_body(job, slot, dt, wall_step);

    search->left[slot] += gone * (1 - 0x1p-50);
    search->clear[slot] += gone * (1 - 0x1p-50);
    if (!status)
        status = scree_plane_contacts_follow(job->wall_contacts, job->bodies, job->walls,
                                             job->step->rules, slot);
    return status;
}

/*  The same by blocks: each body of a block is taken to have moved as far as the fastest of it. */
static scree_status look_at_blocks(const scree_wall_contact_job *job, double dt, double wall_step,
                                   uint64_t *looked)
{
    scree_wall_contact_search *search = &job->wall_contacts->search;
    scree_plane_contacts *planes = &job->wall_contacts->planes;
    scree_status status = SCREE_OK;

    for (size_t block = 0; block < count_blocks(job) && !status; block++) {
        const size_t end = scree_block_end(block, SCREE_TRAVEL_ROWS, job->bodies->count);
        const double gone = (planes->gone[block] + job->travel[block]) * (1 + 0x1p-48);
        const double used = (search->travel + gone) * (1 + 0x1p-48);
        planes->gone[block] = gone;
        if (planes->least[block] > used)
            continue;
        for (size_t slot = block * SCREE_TRAVEL_ROWS; slot < end && !status; slot++) {
            if (search->left[slot] > used)
                continue;
            status = look_at_body_of(job, (uint32_t)slot, gone, dt, wall_step);
            ++*looked;
        }
        scree_plane_contacts_measure(job->wall_contacts, block, job->bodies->count);
    }
    return status;
}

scree_status scree_wall_contacts_search(const scree_wall_contact_job *job, double dt,
                                        uint64_t *searches)
{
    scree_wall_contact_search *search = &job->wall_contacts->search;
    double wall_step;
    uint64_t looked = 0;
    scree_status status = SCREE_OK;

    if (job->walls->count == 0)
        return SCREE_OK;
    wall_step = travel_of_all(job->walls);
    search->travel += wall_step;
    wall_step = wall_step < INFINITY ? wall_step : 0;
    status = job->travel ? look_at_blocks(job, dt, wall_step, &looked)
                         : look_at_bodies(job, dt, wall_step, &looked);
    /* a plane that rotated has moved without bound: start measuring again */
    if (search->travel == INFINITY) {
        search->travel = 0;
        scree_wall_contacts_renew_all(job->wall_contacts, job->bodies->count);
        for (size_t block = 0; job->travel && block < count_blocks(job); block++)
            job->wall_contacts->planes.least[block] = -INFINITY;
    }
    *searches += looked;
    if (!status)
        status = compact_if_worth(job);
    if (status)
        return scree_fail(job->step->error, status, "world: search for walls: %s",
                          scree_status_name(status));
    return SCREE_OK;
}
