/*  From facets to contacts, in four stages:

    1. `touches`: for each facet within the radius, its point nearest to the centre. 2. Points that are not local minima
    are discarded ("beaten"). A point on an edge or vertex is one only if every facet around it has its nearest point
    there as well: facets are convex, so one whose nearest point is elsewhere has points arbitrarily near that are
    nearer to the centre. Only positions are compared, not distances: if two neighbours lie in a plane, their distances
    differ by less than rounding. 3. Points in the same place are one contact. A point of a face is preferred, then of
    an edge: if rounding makes one facet report its edge and its neighbour report its face next to the edge, the face is
    right. 4. Contacts are matched with those of the last step, which determines their sides. New contacts that are
    hidden behind another facet, or on the inner side of a surface that the centre has just crossed, are dropped.

    Stages 1 to 3 are in sphere_minima.inc.h. Plain C, and plain OpenCL C. */

/* ---- sides ---- */

/*  Weights of a vertex's facets: the angle of each, with which the sum distinguishes inside from outside. (Baerentzen &
    Aanaes 2005) */
SCREE_KERNEL_FUNCTION double weight_at(const scree_surface_view *s, uint32_t facet,
                                       uint32_t feature, uint32_t id)
{
    double a[3], b[3], sum[3], difference[3];
    uint32_t k = 0;
    if (!scree_is_vertex(feature) || s->mesh->corners == 2)
        return 1;
    while (s->mesh->facets[scree_corner_of(s, facet, k)] != id)
        k++;
    double tip[3], left[3], right[3];
    scree_corner_at(s, facet, k, tip);
    scree_corner_at(s, facet, (k + 1) % 3, left);
    scree_corner_at(s, facet, (k + 2) % 3, right);
    double a_length = sqrt(scree_apart_sq(left, tip)), b_length = sqrt(scree_apart_sq(right, tip));
    for (int i = 0; i < 3; i++) {
        a[i] = (left[i] - tip[i]) / a_length;
        b[i] = (right[i] - tip[i]) / b_length;
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
    }
    return 2 * scree_atan(scree_length(difference) / scree_length(sum));
}

/*  Normal of an edge or vertex that is not at the boundary, oriented as the normal of its first facet; not normalised. */
SCREE_KERNEL_FUNCTION void normal_around(const scree_surface_view *s, uint32_t facet,
                                         uint32_t feature, double normal[3])
{
    size_t count;
    SCREE_GLOBAL const uint32_t *around = scree_facets_around(s, facet, feature, &count);
    uint32_t id = scree_feature_id(s, facet, feature);
    normal[0] = normal[1] = normal[2] = 0;
    for (size_t i = 0; i < count; i++) {
        double one[3], weight = weight_at(s, around[i], feature, id);
        scree_normal_of(s, around[i], one);
        weight *= s->mesh->turn[around[i]] * s->mesh->turn[around[0]];
        for (int k = 0; k < 3; k++)
            normal[k] += weight * one[k];
    }
}

/*  On which side the centre is; 0 at a boundary, and in the surface itself. */
SCREE_KERNEL_FUNCTION int8_t side_of_centre(const scree_surface_view *s, const scree_touch *t)
{
    double normal[3], height = t->nearest.height;
    if (scree_is_rim(s, t->facet, t->nearest.feature))
        return 0;
    if (t->nearest.feature != SCREE_ON_FACE) {
        normal_around(s, t->facet, t->nearest.feature, normal);
        height = -scree_dot(normal, t->nearest.away);
    }
    return (int8_t)((height > 0) - (height < 0));
}

/*  The side of an old contact, applied to a new one on another or the same facet: 0 if unknown. */
SCREE_KERNEL_FUNCTION int8_t side_from(const scree_surface_view *s, uint32_t old_facet,
                                       int8_t old_side, uint32_t facet)
{
    const scree_mesh *mesh = s->mesh;
    if (facet == old_facet)
        return old_side;
    if (mesh->patch[facet] != mesh->patch[old_facet])
        return 0;
    return (int8_t)(old_side * mesh->turn[old_facet] * mesh->turn[facet]);
}

/*  The facet that identifies a feature, so that its identity does not depend on which facet is nearer by a rounding
    error. */
SCREE_KERNEL_FUNCTION void name_feature(const scree_surface_view *s, scree_touch *t)
{
    size_t count;
    uint32_t id = scree_feature_id(s, t->facet, t->nearest.feature);
    if (t->nearest.feature == SCREE_ON_FACE)
        return;
    bool vertex = scree_is_vertex(t->nearest.feature);
    uint32_t first = *scree_facets_around(s, t->facet, t->nearest.feature, &count), k = 0;
    SCREE_GLOBAL const uint32_t *ids = vertex ? s->mesh->facets : s->mesh->edge_of;
    while (ids[scree_corner_of(s, first, k)] != id)
        k++;
    t->facet = first;
    t->nearest.feature = (vertex ? SCREE_ON_VERTEX : SCREE_ON_EDGE) + k;
}

/*  Normal and overlap of a contact whose side is known. */
SCREE_KERNEL_FUNCTION void set_force_side(const scree_surface_view *s, const scree_touch *t,
                                          int8_t centre_side, scree_mesh_contact *contact)
{
    double normal[3], side = contact->memory.side, distance = sqrt(t->nearest.away_sq), length;
    if (t->nearest.feature == SCREE_ON_FACE) {
        scree_normal_of(s, t->facet, normal);
        for (int k = 0; k < 3; k++)
            contact->normal[k] = -side * normal[k];
        contact->overlap = s->radius - side * t->nearest.height;
        return;
    }
    if (distance > 0) {
        double way = side * centre_side < 0 ? -1 : 1; /* the centre has crossed the surface */
        for (int k = 0; k < 3; k++)
            contact->normal[k] = way * t->nearest.away[k] / distance;
        contact->overlap = s->radius - way * distance;
        return;
    }
    /* the centre is in the edge or vertex: away from the surface, towards the known side */
    if (side != 0)
        normal_around(s, t->facet, t->nearest.feature, normal);
    else
        scree_normal_of(s, t->facet, normal);
    length = scree_length(normal);
    for (int k = 0; k < 3; k++)
        contact->normal[k] = (side < 0 ? 1 : -1) * normal[k] / length;
    contact->overlap = s->radius;
}

/* ---- contact history ---- */

SCREE_KERNEL_FUNCTION bool share_a_vertex(const scree_surface_view *s, uint32_t a, uint32_t b)
{
    uint32_t corners = (uint32_t)s->mesh->corners;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j < corners; j++)
            if (s->mesh->facets[scree_corner_of(s, a, i)] ==
                s->mesh->facets[scree_corner_of(s, b, j)])
                return true;
    return false;
}

SCREE_KERNEL_FUNCTION bool is_same_feature(const scree_surface_view *s, const scree_mesh_memory *a,
                                           const scree_mesh_memory *b)
{
    bool same_kind = (a->feature == SCREE_ON_FACE) == (b->feature == SCREE_ON_FACE) &&
                     scree_is_vertex(a->feature) == scree_is_vertex(b->feature);
    return same_kind &&
           scree_feature_id(s, a->facet, a->feature) == scree_feature_id(s, b->facet, b->feature);
}

SCREE_KERNEL_FUNCTION bool may_continue(const scree_surface_view *s, const scree_mesh_memory *now,
                                        const scree_mesh_memory *before, double apart)
{
    double reach_sq = s->radius * s->radius;
    if (apart > reach_sq)
        return false;
    return apart <= reach_sq / 64 || share_a_vertex(s, now->facet, before->facet);
}

SCREE_KERNEL_FUNCTION bool is_nearer_match(const scree_match *a, const scree_match *b)
{
    if (a->apart_sq != b->apart_sq)
        return a->apart_sq < b->apart_sq;
    return a->now != b->now ? a->now < b->now : a->before < b->before;
}

#define SORT_NAME sort_matches
#define SORT_ROW scree_match
#define SORT_BEFORE(a, b) is_nearer_match(a, b)
#include "base/shell_sort.inc.h"

/*  Old contacts that are in use appear among the `from` of new ones. */
SCREE_KERNEL_FUNCTION bool is_taken(const scree_sphere_mesh *work, uint32_t before)
{
    for (size_t i = 0; i < work->count; i++)
        if (work->contacts[i].from == before)
            return true;
    return false;
}

SCREE_KERNEL_FUNCTION void match_same_features(const scree_sphere_mesh *work,
                                               const scree_surface_view *s)
{
    for (size_t i = 0; i < work->count; i++)
        for (uint32_t b = 0; b < s->old_count; b++)
            if (is_same_feature(s, &work->contacts[i].memory, &s->old[b])) {
                work->contacts[i].from = b;
                break;
            }
}

/*  Lists the old contacts that new ones may continue, as far as there is room. Returns their number. */
SCREE_KERNEL_FUNCTION size_t list_matches(scree_sphere_mesh *work, const scree_surface_view *s)
{
    size_t count = 0;

    for (uint32_t b = 0; b < s->old_count; b++) {
        if (is_taken(work, b))
            continue;
        for (uint32_t i = 0; i < work->count; i++) {
            const scree_mesh_contact *now = &work->contacts[i];
            double apart = scree_apart_sq(now->memory.point, s->old[b].point);
            if (now->from != SCREE_NO_CONTACT || !may_continue(s, &now->memory, &s->old[b], apart))
                continue;
            if (count < work->match_capacity)
                work->matches[count] = (scree_match){apart, i, b};
            count++;
        }
    }
    return count;
}

/*  The nearest first. */
SCREE_KERNEL_FUNCTION void take_matches(scree_sphere_mesh *work, size_t count)
{
    sort_matches(work->matches, count);
    for (size_t i = 0; i < count; i++) {
        scree_mesh_contact *now = &work->contacts[work->matches[i].now];
        if (now->from == SCREE_NO_CONTACT && !is_taken(work, work->matches[i].before))
            now->from = work->matches[i].before;
    }
}

/* ---- new contacts that are dropped ---- */

/*  Whether a nearer facet lies between the centre and the point. */
SCREE_KERNEL_FUNCTION bool is_hidden(const scree_surface_view *s, const scree_touch *touch,
                                     size_t count, const scree_touch *t)
{
    double tolerance = sqrt(s->tolerance_sq);
    for (size_t i = 0; i < count; i++) {
        const scree_touch *other = touch + i;
        double normal[3], crossing[3], above = other->nearest.height, below;
        if (other->nearest.away_sq >= t->nearest.away_sq)
            continue;
        scree_normal_of(s, other->facet, normal);
        below = above + scree_dot(normal, t->nearest.away);
        if (!((above > 0 && below < -tolerance) || (above < 0 && below > tolerance)))
            continue;
        for (int k = 0; k < 3; k++)
            crossing[k] = s->centre[k] + t->nearest.away[k] * (above / (above - below));
        if (scree_surface_nearest(s, other->facet, crossing).away_sq <= s->tolerance_sq)
            return true;
    }
    return false;
}

/*  While the centre is behind a surface, the inner side looks like additional walls. `passed` is a contact whose centre
    is on the other side than its history says. */
SCREE_KERNEL_FUNCTION bool is_seen_from_behind(const scree_surface_view *s,
                                               const scree_mesh_contact *passed,
                                               const scree_mesh_contact *newcomer)
{
    int8_t side = side_from(s, passed->memory.facet, passed->memory.side, newcomer->memory.facet);
    return side * newcomer->memory.side < 0;
}

/*  Determines sides, and drops new contacts that they exclude. minimum[i] belongs to contact i, also afterwards. */
SCREE_KERNEL_FUNCTION void set_contact_sides(scree_sphere_mesh *work, const scree_surface_view *s,
                                             scree_touch *minimum)
{
    scree_mesh_contact passed = {.from = SCREE_NO_CONTACT};
    bool has_passed = false;
    size_t kept = 0;
    for (size_t i = 0; i < work->count; i++) {
        scree_mesh_contact *now = &work->contacts[i];
        int8_t centre_side = side_of_centre(s, &minimum[i]), side = 0;
        if (now->from != SCREE_NO_CONTACT &&
            !scree_is_rim(s, now->memory.facet, now->memory.feature))
            side = side_from(s, s->old[now->from].facet, s->old[now->from].side, now->memory.facet);
        if (side == 0)
            side = centre_side;
        if (side == 0 && !scree_is_rim(s, now->memory.facet, now->memory.feature))
            side = 1; /* the centre lies in the surface, and there is no history */
        now->memory.side = side;
        set_force_side(s, &minimum[i], centre_side, now);
        if (side * centre_side < 0) {
            passed = *now;
            has_passed = true;
        }
    }
    for (size_t i = 0; i < work->count; i++) {
        const scree_mesh_contact *now = &work->contacts[i];
        if (now->from == SCREE_NO_CONTACT &&
            ((has_passed && is_seen_from_behind(s, &passed, now)) ||
             is_hidden(s, work->touches, work->touch_count, &minimum[i])))
            continue;
        minimum[kept] = minimum[i];
        work->contacts[kept++] = *now;
    }
    work->count = kept;
}

/* ---- all stages ---- */

SCREE_KERNEL_FUNCTION bool is_named_before(const scree_touch *a, const scree_touch *b)
{
    return a->facet != b->facet ? a->facet < b->facet : a->nearest.feature < b->nearest.feature;
}

/*  Contacts by facet and feature; their sides are not determined yet. There is room for all. */
SCREE_KERNEL_FUNCTION void begin_sphere_mesh(scree_sphere_mesh *work, const scree_surface_view *s,
                                             scree_touch *minimum, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        scree_touch moving = minimum[i];
        size_t at = i;
        name_feature(s, &moving);
        for (; at > 0 && is_named_before(&moving, &minimum[at - 1]); at--)
            minimum[at] = minimum[at - 1];
        minimum[at] = moving;
    }
    for (size_t i = 0; i < count; i++) {
        scree_mesh_contact *contact = &work->contacts[i];
        *contact = (scree_mesh_contact){.from = SCREE_NO_CONTACT};
        contact->memory.facet = minimum[i].facet;
        contact->memory.feature = (uint8_t)minimum[i].nearest.feature;
        for (int k = 0; k < 3; k++)
            contact->memory.point[k] = s->centre[k] + minimum[i].nearest.away[k];
    }
    work->count = count;
}
