/*  Contacts of spheres with walls of facets: which facets are near a body, and where it touches them. One work-item per
    body. The rules are those of the host, in the same texts (narrow/sphere_mesh.inc.h). TOUCHES: room for facets that a
    body overlaps, FACET_CONTACTS: for its contacts. A body that needs more makes the host repeat the steps with more
    room. */
#include "gpu/c_words.h"
#include "base/vector.h"
#include "base/arc_tangent.inc.h"
#include "base/cube_root.inc.h"
#include "base/quaternion_turn.inc.h"
#include "narrow/sphere_mesh_rows.h"
#include "shape/mesh_group.h"
#include "world/device/facet_numbers.h"
#include "world/device/kernel_parts.h"

/*  Room for pairs of old and new contacts that are on different features. */
#define MATCHES (4 * FACET_CONTACTS)

/*  What shape/mesh.h has, of these parts. */
typedef struct scree_mesh_tree
{
    __global const scree_mesh_group *groups;
    __global const uint *facet, *level_start;
    int levels;
    double origin[3], scale;
} scree_mesh_tree;

typedef struct scree_mesh
{
    int corners;
    uint facet_count;
    __global const double *vertices, *normals;
    __global const uint *facets, *edge_of, *edge_start, *edge_facet, *vertex_start, *vertex_facet, *patch;
    __global const uchar *edge_is_rim, *vertex_is_rim;
    __global const char *turn;
    scree_mesh_tree tree;
} scree_mesh;

#include "shape/facet_point.inc.h"
#include "shape/mesh_walk.inc.h"
#include "narrow/surface_view.inc.h"
#include "narrow/sphere_minima.inc.h"
#include "narrow/sphere_mesh.inc.h"

/*  Buffers of all meshes. */
typedef struct mesh_buffers
{
    __global const scree_mesh_layout *places;
    __global const uint *words;
    __global const double *values;
    __global const uchar *bytes;
    __global const scree_mesh_group *groups;
} mesh_buffers;

SCREE_KERNEL_FUNCTION scree_mesh mesh_of(const mesh_buffers *all, uint wall)
{
    __global const scree_mesh_layout *place = all->places + wall;
    __global const uint *words = all->words;
    scree_mesh mesh;

    mesh.corners = 3;
    mesh.facet_count = place->facets;
    mesh.facets = words + place->words[SCREE_MESH_FACETS];
    mesh.edge_of = words + place->words[SCREE_MESH_EDGE_OF];
    mesh.edge_start = words + place->words[SCREE_MESH_EDGE_START];
    mesh.edge_facet = words + place->words[SCREE_MESH_EDGE_FACET];
    mesh.vertex_start = words + place->words[SCREE_MESH_VERTEX_START];
    mesh.vertex_facet = words + place->words[SCREE_MESH_VERTEX_FACET];
    mesh.patch = words + place->words[SCREE_MESH_PATCH];
    mesh.vertices = all->values + place->values[SCREE_MESH_VERTICES];
    mesh.normals = all->values + place->values[SCREE_MESH_NORMALS];
    mesh.edge_is_rim = all->bytes + place->bytes[SCREE_MESH_EDGE_IS_RIM];
    mesh.vertex_is_rim = all->bytes + place->bytes[SCREE_MESH_VERTEX_IS_RIM];
    mesh.turn = (__global const char *)(all->bytes + place->bytes[SCREE_MESH_TURN]);
    mesh.tree.groups = all->groups + place->groups;
    mesh.tree.facet = words + place->words[SCREE_MESH_TREE_FACET];
    mesh.tree.level_start = words + place->words[SCREE_MESH_LEVEL_START];
    mesh.tree.levels = (int)place->levels;
    mesh.tree.scale = place->scale;
    for (int k = 0; k < 3; k++)
        mesh.tree.origin[k] = place->origin[k];
    return mesh;
}

/*  A wall's place and orientation. */
typedef struct wall_frame
{
    double position[3], orientation[4];
} wall_frame;

SCREE_KERNEL_FUNCTION wall_frame frame_of(__global const double *wall)
{
    wall_frame frame;

    for (int k = 0; k < 3; k++)
        frame.position[k] = wall[k];
    for (int k = 0; k < 4; k++)
        frame.orientation[k] = wall[SCREE_PLANE_TURN + k];
    return frame;
}

/*  scree_wall_to_mesh. */
SCREE_KERNEL_FUNCTION void to_mesh(const wall_frame *frame, double4 point, double local_point[3])
{
    const double from[3] = {point.x - frame->position[0], point.y - frame->position[1],
                            point.z - frame->position[2]};

    scree_quaternion_turn_back(frame->orientation, from, local_point);
}

/* ---- which facets are near ---- */

/*  The distance that may be covered until the next search, and an allowance for rounding as on the host. */
SCREE_KERNEL_FUNCTION double near_reach(const scree_step_numbers *numbers, const wall_frame *frame, double4 here)
{
    double size = here.w;

    size += fabs(here.x) + fabs(here.y) + fabs(here.z);
    for (int k = 0; k < 3; k++)
        size += fabs(frame->position[k]);
    return (here.w + numbers->reach + numbers->allowed) * (1 + 1e-9) + 0x1p-46 * size;
}

/*  Facets of one wall that are near a body: their number; they are written to `list`, unless it is NULL. */
SCREE_KERNEL_FUNCTION uint find_facets(const scree_step_numbers *numbers, const mesh_buffers *all, uint wall,
                                       __global const double *row, double4 here, __global scree_facet_near *list)
{
    const wall_frame frame = frame_of(row);
    const double reach = near_reach(numbers, &frame, here);
    const scree_mesh mesh = mesh_of(all, wall);
    double centre[3];
    uint hits, count = 0;
    size_t first;
    mesh_walk walk;

    to_mesh(&frame, here, centre);
    const probe p = make_probe(&mesh, centre, reach);
    begin_walk(&mesh, &walk);
    while (walk_on(&mesh, &walk, &p, &first, &hits))
        for (size_t i = first; hits != 0 && i < mesh.facet_count; i++, hits >>= 1) {
            const uint facet = mesh.tree.facet[i];
            double normal[3];
            if (!(hits & 1))
                continue;
            for (int k = 0; k < 3; k++)
                normal[k] = mesh.normals[3 * (size_t)facet + k];
            if (!(scree_facet_nearest(&mesh, mesh.vertices, normal, facet, centre).away_sq <= reach * reach))
                continue;
            if (list) {
                list[count].wall = wall;
                list[count].facet = facet;
            }
            count++;
        }
    return count;
}

#define MESH_ARGUMENTS                                                                             \
    __global const scree_mesh_layout *places, __global const uint *words,                           \
        __global const double *values, __global const uchar *bytes,                                \
        __global const scree_mesh_group *groups

/*  The facets near each body; and 1 for each body near some. */
__kernel void count_facets(const scree_step_numbers numbers, MESH_ARGUMENTS, __global const double4 *position,
                           __global const uint *material, __global const uint *wall_slot,
                           __global const double *all_walls, uint walls_at, __global uint *many,
                           __global uint *is_near)
{
    const size_t i = get_global_id(0);
    const mesh_buffers all = {places, words, values, bytes, groups};
    __global const double *walls = all_walls + (size_t)SCREE_PLANE_NUMBERS * walls_at;
    uint count = 0;

    if (i >= numbers.count)
        return;
    const uint kind = MATERIALS > 1 ? material[i] : 0;
    for (uint w = 0; w < numbers.walls; w++) {
        __global const double *row = walls + (size_t)SCREE_PLANE_NUMBERS * w;
        if (row[SCREE_PLANE_IS_MESH] != 0 && wall_slot[w * MATERIALS + kind])
            count += find_facets(&numbers, &all, w, row, position[i], 0);
    }
    many[i] = count;
    is_near[i] = count > 0;
}

/*  Lists them, and moves contacts to where the body has them now. `start` and `near_at` are running sums of the two
    numbers above, the old ones those of the last search. */
__kernel void fill_facets(const scree_step_numbers numbers, MESH_ARGUMENTS, __global const double4 *position,
                          __global const uint *material, __global const uint *wall_slot,
                          __global const double *all_walls, uint walls_at, __global const uint *start,
                          __global const uint *near_at, __global const uint *old_start,
                          __global const uint *old_near_at, __global const uint *old_many,
                          __global const scree_facet_contact *old_contacts, __global const double *old_history,
                          __global scree_facet_near *list, __global uint *bodies, __global uint *many,
                          __global scree_facet_contact *contacts, __global double *history)
{
    const size_t i = get_global_id(0);
    const mesh_buffers all = {places, words, values, bytes, groups};
    __global const double *walls = all_walls + (size_t)SCREE_PLANE_NUMBERS * walls_at;

    if (i >= numbers.count || start[i] == start[i + 1])
        return;
    const uint kind = MATERIALS > 1 ? material[i] : 0, near = near_at[i];
    const size_t to = (size_t)FACET_CONTACTS * near;
    uint at = start[i];

    for (uint w = 0; w < numbers.walls; w++) {
        __global const double *row = walls + (size_t)SCREE_PLANE_NUMBERS * w;
        if (row[SCREE_PLANE_IS_MESH] != 0 && wall_slot[w * MATERIALS + kind])
            at += find_facets(&numbers, &all, w, row, position[i], list + at);
    }
    bodies[near] = (uint)i;
    many[near] = 0;
    if (old_start[i] == old_start[i + 1])
        return;
    const uint count = old_many[old_near_at[i]];
    const size_t from = (size_t)FACET_CONTACTS * old_near_at[i];
    many[near] = count;
    for (uint k = 0; k < count; k++) {
        contacts[to + k] = old_contacts[from + k];
        for (uint m = 0; m < PLANES; m++)
            history[(to + k) * PLANES + m] = old_history[(from + k) * PLANES + m];
    }
}

/* ---- where they are touched ---- */

/*  A body and its contacts. */
typedef struct toucher
{
    double4 here;
    __global const scree_facet_contact *before;
    uint before_count;
    __global scree_facet_contact *now;
    uint count;
    bool is_full;
} toucher;

/*  The contacts of the step before with this wall; `index` says which of the body's they are. */
SCREE_KERNEL_FUNCTION uint gather_before(const toucher *body, uint wall, scree_mesh_memory *old, uint *index)
{
    uint count = 0;

    for (uint k = 0; k < body->before_count; k++) {
        __global const scree_facet_contact *from = body->before + k;
        if (from->wall != wall)
            continue;
        old[count].facet = from->facet;
        old[count].feature = (uint8_t)from->feature;
        old[count].side = (int8_t)from->side;
        old[count].pebble = 0;
        for (int a = 0; a < 3; a++)
            old[count].point[a] = from->in_mesh[a];
        index[count++] = k;
    }
    return count;
}

SCREE_KERNEL_FUNCTION void put_contact(toucher *body, uint wall, const wall_frame *frame,
                                       const scree_mesh_contact *contact, double reach, uint previous)
{
    const double overlap = contact->overlap - reach;
    double point[3], normal[3];

    if (!(overlap > -reach))
        return;
    if (body->count == FACET_CONTACTS) {
        body->is_full = true;
        return;
    }
    __global scree_facet_contact *to = body->now + body->count++;
    scree_quaternion_turn(frame->orientation, contact->memory.point, point);
    scree_quaternion_turn(frame->orientation, contact->normal, normal);
    for (int k = 0; k < 3; k++) {
        to->in_mesh[k] = contact->memory.point[k];
        to->point[k] = point[k] + frame->position[k];
        to->normal[k] = normal[k];
    }
    to->overlap = overlap;
    to->wall = wall;
    to->facet = contact->memory.facet;
    to->feature = contact->memory.feature;
    to->side = contact->memory.side;
    to->previous = previous;
    to->spare = 0;
}

/*  The stages of scree_sphere_mesh_contacts, for one wall and its facets near the body. */
SCREE_KERNEL_FUNCTION void touch_wall(toucher *body, const scree_mesh *mesh, uint wall,
                                      const wall_frame *frame, double reach,
                                      __global const scree_facet_near *near, uint near_count)
{
    scree_touch touches[TOUCHES], minimum[TOUCHES];
    scree_mesh_contact contacts[FACET_CONTACTS];
    scree_match matches[MATCHES];
    scree_mesh_memory old[FACET_CONTACTS];
    uint index[FACET_CONTACTS];
    double centre[3];
    scree_sphere_mesh work = {.contacts = contacts, .touches = touches, .matches = matches, .match_capacity = MATCHES};
    scree_surface_view s = {.mesh = mesh, .vertices = mesh->vertices, .is_moved = false, .centre = centre,
                            .radius = body->here.w + reach, .old = old};

    to_mesh(frame, body->here, centre);
    for (uint k = 0; k < near_count; k++) {
        scree_touch one;
        if (!touch_facet(&s, near[k].facet, &one))
            continue;
        if (work.touch_count == TOUCHES) {
            body->is_full = true;
            return;
        }
        touches[work.touch_count++] = one;
    }
    if (work.touch_count == 0)
        return;
    sort_touches(touches, work.touch_count);
    const size_t minima = scree_find_minima(&s, touches, work.touch_count, minimum);
    if (minima > FACET_CONTACTS) {
        body->is_full = true;
        return;
    }
    s.old_count = gather_before(body, wall, old, index);
    begin_sphere_mesh(&work, &s, minimum, minima);
    match_same_features(&work, &s);
    const size_t matched = list_matches(&work, &s);
    if (matched > MATCHES) {
        body->is_full = true;
        return;
    }
    take_matches(&work, matched);
    set_contact_sides(&work, &s, minimum);
    for (size_t k = 0; k < work.count; k++)
        put_contact(body, wall, frame, &contacts[k], reach,
                    contacts[k].from == SCREE_NO_CONTACT ? SCREE_ENTRY_NONE : index[contacts[k].from]);
}

/*  Finds the contacts of bodies near walls of facets at the end of a step. */
__kernel void touch_facets(const scree_step_numbers numbers, uint step, uint near_count, MESH_ARGUMENTS,
                           __global uint *told, __global const double4 *position, __global const uint *material,
                           __global const double *laws, __global const uint *wall_slot,
                           __global const double *all_walls, uint walls_at, __global const uint *start,
                           __global const scree_facet_near *list, __global const uint *bodies,
                           __global const uint *many_before, __global const scree_facet_contact *before,
                           __global uint *many, __global scree_facet_contact *now)
{
    const size_t near = get_global_id(0);
    const mesh_buffers all = {places, words, values, bytes, groups};

    if (near >= near_count || told[SCREE_TOLD_STOP] <= step || told[SCREE_TOLD_FAIL] < step)
        return;
    __global const double *walls = all_walls + (size_t)SCREE_PLANE_NUMBERS * walls_at;
    const uint i = bodies[near], end = start[i + 1], kind = MATERIALS > 1 ? material[i] : 0;
    toucher body = {.here = position[i],
                    .before = before + FACET_CONTACTS * near,
                    .before_count = many_before[near],
                    .now = now + FACET_CONTACTS * near};

    for (uint at = start[i], stop; at < end; at = stop) {
        const uint wall = list[at].wall;
        for (stop = at + 1; stop < end && list[stop].wall == wall;)
            stop++;
        const wall_frame frame = frame_of(walls + (size_t)SCREE_PLANE_NUMBERS * wall);
        const scree_mesh mesh = mesh_of(&all, wall);
        __global const double *law = laws + SCREE_LAW_ROW * (size_t)wall_slot[wall * MATERIALS + kind];
        touch_wall(&body, &mesh, wall, &frame, REACHES ? reach_of(law, body.here.w) : 0, list + at, stop - at);
    }
    many[near] = body.count;
    if (body.is_full)
        tell(told, step, SCREE_TROUBLE_FACETS);
}
