/*  The path of a body relative to walls: which surface lies between its old and its new position, as seen from the
    wall.

    If the wall rotates or oscillates, this path is curved. It is then divided into straight pieces that are so short
    that the path deviates from each by at most a quarter of the radius. */
#include "base/vector.h"
#include "narrow/sphere_mesh.h"
#include "narrow/sphere_path.h"
#include "world/collide/sphere_walls.h"
#include "world/search/wall_neighbours.h"
#include "world/step/crossings.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

/*  Length of a piece in radii, and the largest number of pieces. A longer path is refused if anything is within its
    length. */
#define PIECE 0.5
#define MAX_PIECES 1024
/*  In radii: at this distance the centre passes through the surface. */
#define THROUGH 1e-9
/*  In radii: at this distance the sphere overlaps deeply. */
#define DEEP 0.5

/*  One body and one wall. */
typedef struct wall_passing
{
    scree_crossing_look *look;
    const scree_wall_record *wall;
    uint32_t slot;
    bool is_not_sphere;
    double radius, way; /* of the bounding sphere; upper bound of the relative path */
    double rush;        /* the same with the largest speed of the wall during the step */
    int pieces;
    double from[3], to[3];    /* in space */
    double first[3], last[3]; /* relative to the mesh, at both ends */
    scree_facet_list *facets;
    bool grazes; /* deep overlap on the way, but no contact at either end */
    bool passes;
} wall_passing;

/*  Position of the body at a fraction of its path, relative to the wall at that time. */
static scree_status see(const wall_passing *p, double share, scree_wall_record *at, double place[3])
{
    scree_world *world = p->look->world;
    scree_status status = scree_wall_at_share(p->wall, p->look->time, p->look->dt,
                                              world->walls.dimensions, share, at, &world->error);

    for (int k = 0; k < 3; k++)
        place[k] = p->from[k] + share * (p->to[k] - p->from[k]);
    return status;
}

static scree_status see_from_mesh(const wall_passing *p, double share, double local[3])
{
    scree_wall_record at;
    double place[3];
    scree_status status = see(p, share, &at, place);

    if (!status)
        scree_wall_to_mesh(&at, place, local);
    return status;
}

static scree_status find_facets(const wall_passing *p, const double middle[3], double reach)
{
    return scree_mesh_near(p->wall->def.mesh, middle, reach * (1 + 1e-9), &p->look->world->memory,
                           p->facets);
}

/* ---- bodies that stay on their side ---- */

/*  Whether the body touched this wall at the end of the previous step: then the contact history stores the side. */
static bool touched_before(const wall_passing *p)
{
    const scree_world *world = p->look->world;
    const scree_wall_contact_list *walls = &world->wall_contacts.now;
    const scree_shape_contact_list *shapes = &world->shape_contacts.now;
    const scree_body_id id = world->bodies.id[p->slot][0];
    const size_t w = (size_t)(p->wall - world->walls.wall);

    if (!p->is_not_sphere) {
        for (uint32_t c = walls->count ? walls->begin[p->slot] : 0;
             walls->count && c < walls->end[p->slot]; c++)
            if (walls->wall[c][0] == w)
                return true;
        return false;
    }
    for (size_t c = 0; c < shapes->count; c++)
        if (memcmp(&shapes->pair[c]->first, &id, sizeof id) == 0 &&
            memcmp(&shapes->pair[c]->wall, &p->wall->id, sizeof p->wall->id) == 0)
            return true;
    return false;
}

static scree_status touches_at(const wall_passing *p, uint32_t facet, double share, bool *touches)
{
    double local[3];
    scree_status status;

    if (p->is_not_sphere)
        return scree_crossing_shape_touches(
            p->look, p->slot, (uint32_t)(p->wall - p->look->world->walls.wall), share, touches);
    status = see_from_mesh(p, share, local);
    *touches =
        !status && scree_path_facet_distance(p->wall->def.mesh, facet, local, local) < p->radius;
    return status;
}

/*  Whether a contact exists at the start and all along the path: then the body has stayed on its side. If the body
    is near a facet at both ends of a straight piece, it is near it in between. */
static scree_status is_held(const wall_passing *p, uint32_t facet, bool *is_held)
{
    scree_status status = SCREE_OK;

    *is_held = touched_before(p);
    for (int n = 0; n <= p->pieces && *is_held && !status; n++)
        status = touches_at(p, facet, (double)n / p->pieces, is_held);
    return status;
}

/* ---- the path ---- */

static scree_status pass_piece(wall_passing *p, const double from[3], const double to[3])
{
    double middle[3];

    for (int k = 0; k < 3; k++)
        middle[k] = (from[k] + to[k]) / 2;
    scree_status status = find_facets(p, middle, scree_apart(from, to) / 2 + p->radius);
    for (size_t k = 0; k < p->facets->count && !status && !p->passes; k++) {
        uint32_t facet = p->facets->facet[k];
        double away = scree_path_facet_distance(p->wall->def.mesh, facet, from, to);
        bool holds = true;
        p->grazes |= !p->is_not_sphere && away < DEEP * p->radius;
        if (away <= THROUGH * p->radius)
            status = is_held(p, facet, &holds);
        p->passes |= !holds;
    }
    return status;
}

static scree_status touches_somewhere(wall_passing *p, const double place[3], bool *touches)
{
    scree_status status = find_facets(p, place, p->radius);

    *touches = false;
    for (size_t k = 0; k < p->facets->count && !status; k++)
        *touches |= scree_path_facet_distance(p->wall->def.mesh, p->facets->facet[k], place,
                                              place) < p->radius;
    return status;
}

/*  Decides a deep overlap on the way with no contact with the wall at either end. */
static scree_status judge_graze(wall_passing *p)
{
    bool begins = false, ends = false;
    scree_status status = SCREE_OK;

    if (p->passes || !p->grazes)
        return SCREE_OK;
    status = touches_somewhere(p, p->first, &begins);
    if (!status)
        status = touches_somewhere(p, p->last, &ends);
    p->passes = !begins && !ends;
    return status;
}

static scree_status pass_pieces(wall_passing *p)
{
    double from[3], to[3];
    scree_status status = SCREE_OK;

    memcpy(from, p->first, sizeof from);
    for (int n = 1; n <= p->pieces && !status && !p->passes; n++) {
        memcpy(to, p->last, sizeof to);
        if (n < p->pieces)
            status = see_from_mesh(p, (double)n / p->pieces, to);
        if (!status)
            status = pass_piece(p, from, to);
        memcpy(from, to, sizeof from);
    }
    return status;
}

static scree_status pass_mesh(wall_passing *p, const scree_wall_way *wall)
{
    double pieces = wall->is_straight ? 1 : ceil(p->rush / (PIECE * p->radius));
    scree_status status = see_from_mesh(p, 0, p->first);

    if (!status)
        status = see_from_mesh(p, 1, p->last);
    /* facets beyond the length of the path cannot be reached */
    if (!status)
        status = find_facets(p, p->first, p->way + p->radius);
    if (status || p->facets->count == 0)
        return status;
    p->passes = !(pieces <= MAX_PIECES);
    p->pieces = p->passes ? 0 : (int)pieces;
    status = pass_pieces(p);
    return status ? status : judge_graze(p);
}

/*  For a plane that rotates. */
static scree_status pass_plane(wall_passing *p)
{
    double pieces = ceil(p->rush / (PIECE * p->radius)), deepest = 0, place[3];
    scree_wall_record at;
    bool touches = false;
    scree_status status = SCREE_OK;

    p->passes = !(pieces <= MAX_PIECES);
    for (int n = 0; n <= (int)pieces && !p->passes; n++) {
        status = see(p, n / pieces, &at, place);
        if (status)
            return status;
        double overlap =
            scree_sphere_plane_overlap(at.next.position, at.next.normal, place, p->radius);
        touches |= (n == 0 || n == (int)pieces) && overlap > 0;
        deepest = fmax(deepest, overlap);
    }
    p->passes |= !touches && deepest > DEEP * p->radius;
    return status;
}

/*  Whether a contact of the two would exert a force. */
static bool meets(const scree_world *world, uint32_t slot, const scree_wall_record *wall)
{
    const scree_body_arrays *bodies = &world->bodies;

    return scree_wall_contacts_meet(bodies, &world->joints, slot, wall) &&
           scree_rules_find(&world->rules, SCREE_CONTACT_WALLS, bodies->material[slot][0],
                            wall->def.material.index1, bodies->groups[slot][0],
                            wall->def.groups) != 0;
}

static scree_status pass_wall(scree_crossing_look *look, uint32_t slot, uint32_t w, double own,
                              double way, bool *passes)
{
    scree_world *world = look->world;
    const scree_body_arrays *bodies = &world->bodies;
    const scree_wall_way *wall_way = &world->crossings.wall_way[w];
    wall_passing p = {.look = look,
                      .wall = &world->walls.wall[w],
                      .slot = slot,
                      .is_not_sphere = scree_is_not_sphere(bodies, slot),
                      .radius = bodies->position[slot][3],
                      .way = way,
                      .rush = own + scree_wall_rush_near(wall_way, bodies->position[slot], own),
                      .facets = &world->wall_contacts.search.facets};
    scree_status status = SCREE_OK;

    /* a plane has no edge: a body behind it touches it, unless the plane rotates away */
    if (p.wall->def.kind == SCREE_WALL_PLANE && !(wall_way->turn > 0))
        return SCREE_OK;
    for (int k = 0; k < 3; k++) {
        p.from[k] = bodies->position_before[slot][k];
        p.to[k] = bodies->position[slot][k];
    }
    if (p.wall->def.kind == SCREE_WALL_MESH)
        status = pass_mesh(&p, wall_way);
    else if (!p.is_not_sphere)
        status = pass_plane(&p);
    *passes = p.passes;
    if (p.is_not_sphere && !p.passes && !status)
        status = scree_crossing_look_at_shapes(look, slot, UINT32_MAX, w, way, p.rush,
                                               scree_body_thickness(bodies, slot), passes);
    return status;
}

scree_status scree_crossing_look_at_walls(scree_crossing_look *look, uint32_t slot, double way)
{
    scree_world *world = look->world;
    const scree_body_arrays *bodies = &world->bodies;
    double size = scree_body_thickness(bodies, slot);
    scree_status status = SCREE_OK;

    for (uint32_t w = 0; w < world->walls.count && !status; w++) {
        double both =
            way + scree_wall_way_near(&world->crossings.wall_way[w], bodies->position[slot], way);
        bool passes = false;
        if (both <= size || !meets(world, slot, &world->walls.wall[w]))
            continue;
        status = pass_wall(look, slot, w, way, both, &passes);
        if (!status && passes) {
            const scree_crossing crossing = {slot, UINT32_MAX, w, both, size};
            scree_crossing_note(look, &crossing);
        }
    }
    return status;
}
