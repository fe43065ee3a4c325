/*  From facets to contacts, in four stages:

    1. `touches`: for each facet within the radius its point nearest to the centre.
    2. Those that are no local minima are beaten. A point on an edge or vertex is one only if every facet
       around it has its nearest point there as well: facets are convex, so one whose nearest point is
       elsewhere has points arbitrarily near that are nearer to the centre. No distances are compared, only
       places: where two neighbours lie in a plane, distances differ by less than they are rounded.
    3. Points in one place are one contact. A point of a face is preferred, then of an edge: if rounding has
       made one facet answer "my edge" and its neighbour "my face, next to the edge", the face is right.
    4. Contacts are matched with the old ones, which gives them sides; newcomers that are hidden behind
       another facet, or on the inner side of a surface that the centre has just passed through, are dropped.

    Why over a plane there is exactly one. A facet that is not under the centre has its nearest point on an
    edge or a vertex, with a neighbour there that reaches nearer to the centre's foot, and so has its nearest
    point elsewhere; this holds for all but those that have the foot in them. Their points are equal but for
    rounding, far less than what stage 3 takes for one place.

    Why something within the radius never gives nothing. Each facet that is beaten points to the best of those
    that beat it, so from any facet one comes to one that is not beaten, or goes round in a circle. Exactly
    reckoned there are no circles, since each of them is nearer than the one before. If rounding makes one,
    around a vertex that the foot is next to, its first member is taken.

    What is one place: a millionth of the radius, and some roundings of the facets' size. So two contacts on
    both sides of a concave edge of less than a millionth of a radian are one. */
#include "narrow/sphere_mesh.h"

#include "base/portable_math.h"

#include <math.h>

/*  A facet within the radius. */
typedef struct scree_touch
{
    scree_facet_point nearest;
    uint32_t facet;
    uint32_t beaten_by; /* the best of those that do, or NOBODY */
    uint32_t walk;      /* the last walk that came by, while circles are looked for */
} scree_touch;

#define NOBODY UINT32_MAX

/*  An old contact that a new one may continue. */
typedef struct scree_match
{
    double apart_sq;
    uint32_t now, before;
} scree_match;

/*  What is the same for all stages of one call. */
typedef struct surface
{
    const scree_mesh *mesh;
    const double *vertices;
    bool is_moved; /* normals are to be reckoned from vertices */
    const double *centre;
    double radius;
    double tolerance_sq; /* of places, */
    double slack;        /* and of squares of distances */
    const scree_mesh_memory *old;
    size_t old_count;
} surface;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double apart_sq(const double a[3], const double b[3])
{
    const double way[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dot(way, way);
}

/* ---- features ---- */

static bool is_vertex(uint32_t feature)
{
    return feature >= SCREE_ON_VERTEX;
}

static size_t corner_of(const surface *s, uint32_t facet, uint32_t k)
{
    return (size_t)facet * (size_t)s->mesh->corners + k;
}

/*  The mesh's number of a facet's edge, vertex, or of the facet itself. */
static uint32_t feature_id(const surface *s, uint32_t facet, uint32_t feature)
{
    if (feature == SCREE_ON_FACE)
        return facet;
    if (is_vertex(feature))
        return s->mesh->facets[corner_of(s, facet, feature - SCREE_ON_VERTEX)];
    return s->mesh->edge_of[corner_of(s, facet, feature - SCREE_ON_EDGE)];
}

static bool is_rim(const surface *s, uint32_t facet, uint32_t feature)
{
    uint32_t id = feature_id(s, facet, feature);
    if (feature == SCREE_ON_FACE)
        return false;
    return is_vertex(feature) ? s->mesh->vertex_is_rim[id] : s->mesh->edge_is_rim[id];
}

/*  Facets around an edge or vertex. */
static const uint32_t *facets_around(const surface *s, uint32_t facet, uint32_t feature,
                                     size_t *count)
{
    uint32_t id = feature_id(s, facet, feature);
    const uint32_t *start = is_vertex(feature) ? s->mesh->vertex_start : s->mesh->edge_start;
    const uint32_t *list = is_vertex(feature) ? s->mesh->vertex_facet : s->mesh->edge_facet;
    *count = start[id + 1] - start[id];
    return list + start[id];
}

static bool share_a_vertex(const surface *s, uint32_t a, uint32_t b)
{
    uint32_t corners = (uint32_t)s->mesh->corners;
    for (uint32_t i = 0; i < corners; i++)
        for (uint32_t j = 0; j < corners; j++)
            if (s->mesh->facets[corner_of(s, a, i)] == s->mesh->facets[corner_of(s, b, j)])
                return true;
    return false;
}

static const double *corner_place(const surface *s, uint32_t facet, uint32_t k)
{
    return s->vertices + 3 * (size_t)s->mesh->facets[corner_of(s, facet, k)];
}

static void normal_of(const surface *s, uint32_t facet, double normal[3])
{
    const double *corner[3] = {NULL, NULL, NULL};
    if (!s->is_moved) {
        for (size_t k = 0; k < 3; k++)
            normal[k] = s->mesh->normals[3 * (size_t)facet + k];
        return;
    }
    for (uint32_t i = 0; i < (uint32_t)s->mesh->corners; i++)
        corner[i] = corner_place(s, facet, i);
    scree_facet_normal(s->mesh->corners, corner, normal);
}

static scree_facet_point nearest_of(const surface *s, uint32_t facet, const double place[3])
{
    double normal[3];
    normal_of(s, facet, normal);
    return scree_facet_nearest(s->mesh, s->vertices, normal, facet, place);
}

/* ---- 1. facets within the radius ---- */

/*  By facet; Shell's way with Knuth's gaps. Candidates are mostly in order. */
static void sort_touches(scree_touch *touch, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            scree_touch moving;
            size_t j = i;
            if (touch[i - gap].facet < touch[i].facet)
                continue;
            moving = touch[i];
            for (; j >= gap && touch[j - gap].facet > moving.facet; j -= gap)
                touch[j] = touch[j - gap];
            touch[j] = moving;
        }
}

/*  The plane is out of reach, by more than what is rounded: most candidates end here. */
static bool is_plane_far(const surface *s, uint32_t facet, const double normal[3])
{
    const double *corner = corner_place(s, facet, 0);
    double height = normal[0] * (s->centre[0] - corner[0]) +
                    normal[1] * (s->centre[1] - corner[1]) + normal[2] * (s->centre[2] - corner[2]);
    return fabs(height) > s->radius * (1 + 1e-9);
}

/*  There is room for twice as many as there are facets: see gather_minima. */
static size_t find_touches(scree_touch *touch, const surface *s, const uint32_t *facets,
                           size_t facet_count)
{
    double radius_sq = s->radius * s->radius;
    size_t count = 0;
    for (size_t i = 0; i < facet_count; i++) {
        double normal[3];
        normal_of(s, facets[i], normal);
        if (is_plane_far(s, facets[i], normal))
            continue;
        scree_facet_point nearest =
            scree_facet_nearest(s->mesh, s->vertices, normal, facets[i], s->centre);
        if (nearest.away_sq < radius_sq)
            touch[count++] = (scree_touch){nearest, facets[i], NOBODY, NOBODY};
    }
    sort_touches(touch, count);
    return count;
}

/*  Places are reckoned to some 2^-53 of the facets' size as seen from the centre, squares of distances to
    twice the radius times as much; and where these are equal, places may be apart by the root. */
static void set_tolerance(surface *s, const scree_touch *touch, size_t count)
{
    double size_sq = 0, size, tolerance;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < (uint32_t)s->mesh->corners; k++) {
            double corner_sq = apart_sq(corner_place(s, touch[i].facet, k), s->centre);
            size_sq = corner_sq > size_sq ? corner_sq : size_sq;
        }
    size = sqrt(size_sq);
    s->slack = 4e-15 * s->radius * size;
    tolerance = 1e-6 * s->radius + 1e-11 * size + 2 * sqrt(s->slack);
    s->tolerance_sq = tolerance * tolerance;
}

/* ---- 2. local minima ---- */

static uint32_t find_touch(const scree_touch *touch, size_t count, uint32_t facet)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (touch[middle].facet < facet)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && touch[low].facet == facet ? (uint32_t)low : NOBODY;
}

static int rank_of(const scree_touch *t)
{
    return t->nearest.feature == SCREE_ON_FACE ? 0 : is_vertex(t->nearest.feature) ? 2 : 1;
}

/*  Faces before edges before vertices, then the nearer, then the smaller facet. */
static bool comes_first(const scree_touch *a, const scree_touch *b)
{
    if (rank_of(a) != rank_of(b))
        return rank_of(a) < rank_of(b);
    if (a->nearest.away_sq != b->nearest.away_sq)
        return a->nearest.away_sq < b->nearest.away_sq;
    return a->facet < b->facet;
}

/*  Places on what facets share are equal to the last bit, so what differs is elsewhere. */
static bool is_elsewhere(const scree_touch *a, const scree_touch *b)
{
    return a->nearest.away[0] != b->nearest.away[0] || a->nearest.away[1] != b->nearest.away[1] ||
           a->nearest.away[2] != b->nearest.away[2];
}

static uint32_t better(const scree_touch *touch, uint32_t a, uint32_t b)
{
    if (a == NOBODY || b == NOBODY)
        return a == NOBODY ? b : a;
    if (touch[a].nearest.away_sq != touch[b].nearest.away_sq)
        return touch[a].nearest.away_sq < touch[b].nearest.away_sq ? a : b;
    return comes_first(&touch[a], &touch[b]) ? a : b;
}

/*  The best of the facets around the point's edge or vertex that have their nearest points elsewhere. */
static uint32_t beaten_by_neighbour(const surface *s, const scree_touch *touch, size_t count,
                                    const scree_touch *t)
{
    size_t around_count;
    const uint32_t *around = facets_around(s, t->facet, t->nearest.feature, &around_count);
    uint32_t best = NOBODY;
    for (size_t i = 0; i < around_count; i++) {
        uint32_t other = find_touch(touch, count, around[i]);
        if (other != NOBODY && is_elsewhere(t, &touch[other]))
            best = better(touch, best, other);
    }
    return best;
}

/*  Surfaces that end on each other without sharing vertices: a rim may lie in a facet of the other one, and is
    no local minimum if that facet is nearer to the centre, by more than rounding. */
static uint32_t beaten_across_rim(const surface *s, const scree_touch *touch, size_t count,
                                  const scree_touch *t)
{
    double point[3];
    uint32_t best = NOBODY;
    for (int k = 0; k < 3; k++)
        point[k] = s->centre[k] + t->nearest.away[k];
    for (uint32_t i = 0; i < count; i++)
        if (touch[i].nearest.away_sq < t->nearest.away_sq - s->slack &&
            nearest_of(s, touch[i].facet, point).away_sq <= s->tolerance_sq)
            best = better(touch, best, i);
    return best;
}

/*  Facets that answer with the same vertex answer in the same place: of a large fan one is looked at. */
static void beat(const surface *s, scree_touch *touch, size_t count)
{
    uint32_t last_vertex = NOBODY, last_answer = NOBODY;
    for (size_t i = 0; i < count; i++) {
        scree_touch *t = touch + i;
        uint32_t feature = t->nearest.feature, id = feature_id(s, t->facet, feature);
        if (feature == SCREE_ON_FACE)
            continue;
        if (is_vertex(feature) && id == last_vertex) {
            t->beaten_by = last_answer;
            continue;
        }
        t->beaten_by = beaten_by_neighbour(s, touch, count, t);
        if (t->beaten_by == NOBODY && is_rim(s, t->facet, feature))
            t->beaten_by = beaten_across_rim(s, touch, count, t);
        if (is_vertex(feature)) {
            last_vertex = id;
            last_answer = t->beaten_by;
        }
    }
}

/*  Of those that beat each other in a circle, the first is not beaten. */
static void open_circle(scree_touch *touch, uint32_t member)
{
    uint32_t first = member;
    for (uint32_t i = touch[member].beaten_by; i != member; i = touch[i].beaten_by)
        if (comes_first(&touch[i], &touch[first]))
            first = i;
    touch[first].beaten_by = NOBODY;
}

/*  A walk from each facet to what beats it, as far as no walk has come yet. */
static void open_circles(scree_touch *touch, size_t count)
{
    for (uint32_t walk = 0; walk < count; walk++) {
        uint32_t i = walk;
        while (i != NOBODY && touch[i].walk == NOBODY) {
            touch[i].walk = walk;
            i = touch[i].beaten_by;
        }
        if (i != NOBODY && touch[i].walk == walk)
            open_circle(touch, i);
    }
}

/* ---- 3. one contact for one place ---- */

static bool are_apart(const surface *s, const scree_touch *a, const scree_touch *b)
{
    return apart_sq(a->nearest.away, b->nearest.away) > s->tolerance_sq;
}

/*  Copies what is not beaten behind the touches, in that order, and leaves out what is in the place of an
    earlier one; returns how many. Insertion: there are few, but where a sphere lies in a bowl of its size. */
static size_t gather_minima(const surface *s, const scree_touch *touch, size_t count,
                            scree_touch *minimum)
{
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = found;
        if (touch[i].beaten_by != NOBODY)
            continue;
        for (; at > 0 && comes_first(&touch[i], &minimum[at - 1]); at--)
            minimum[at] = minimum[at - 1];
        minimum[at] = touch[i];
        found++;
    }
    for (size_t i = 0; i < found; i++) {
        bool is_known = false;
        for (size_t j = 0; j < kept && !is_known; j++)
            is_known = !are_apart(s, &minimum[i], &minimum[j]);
        if (!is_known)
            minimum[kept++] = minimum[i];
    }
    return kept;
}

/*  Stages 2 and 3. */
static size_t find_minima(surface *s, scree_touch *touch, size_t count, scree_touch *minimum)
{
    if (count == 1) {
        *minimum = *touch;
        return 1;
    }
    set_tolerance(s, touch, count);
    beat(s, touch, count);
    open_circles(touch, count);
    return gather_minima(s, touch, count, minimum);
}

/* ---- 4. contacts: sides ---- */

/*  Weights of a vertex's facets: the angle of each, which makes the sum tell inside from outside. (Baerentzen
    & Aanaes 2005) */
static double weight_at(const surface *s, uint32_t facet, uint32_t feature, uint32_t id)
{
    double a[3], b[3], sum[3], difference[3];
    uint32_t k = 0;
    if (!is_vertex(feature) || s->mesh->corners == 2)
        return 1;
    while (s->mesh->facets[corner_of(s, facet, k)] != id)
        k++;
    const double *tip = corner_place(s, facet, k), *left = corner_place(s, facet, (k + 1) % 3);
    const double *right = corner_place(s, facet, (k + 2) % 3);
    double a_length = sqrt(apart_sq(left, tip)), b_length = sqrt(apart_sq(right, tip));
    for (int i = 0; i < 3; i++) {
        a[i] = (left[i] - tip[i]) / a_length;
        b[i] = (right[i] - tip[i]) / b_length;
        sum[i] = a[i] + b[i];
        difference[i] = a[i] - b[i];
    }
    return 2 * scree_atan(sqrt(dot(difference, difference)) / sqrt(dot(sum, sum)));
}

/*  Normal of an edge or vertex that is not at a rim, as the normal of its first facet is turned; not of
    length 1. */
static void normal_around(const surface *s, uint32_t facet, uint32_t feature, double normal[3])
{
    size_t count;
    const uint32_t *around = facets_around(s, facet, feature, &count);
    uint32_t id = feature_id(s, facet, feature);
    normal[0] = normal[1] = normal[2] = 0;
    for (size_t i = 0; i < count; i++) {
        double one[3], weight = weight_at(s, around[i], feature, id);
        normal_of(s, around[i], one);
        weight *= s->mesh->turn[around[i]] * s->mesh->turn[around[0]];
        for (int k = 0; k < 3; k++)
            normal[k] += weight * one[k];
    }
}

/*  On which side the centre is; 0 at a rim, and in the surface itself. */
static int8_t side_of_centre(const surface *s, const scree_touch *t)
{
    double normal[3], height = t->nearest.height;
    if (is_rim(s, t->facet, t->nearest.feature))
        return 0;
    if (t->nearest.feature != SCREE_ON_FACE) {
        normal_around(s, t->facet, t->nearest.feature, normal);
        height = -dot(normal, t->nearest.away);
    }
    return (int8_t)((height > 0) - (height < 0));
}

/*  What an old contact's side means for a new one on another facet, or the same: 0 where nothing is known. */
static int8_t side_from(const surface *s, uint32_t old_facet, int8_t old_side, uint32_t facet)
{
    const scree_mesh *mesh = s->mesh;
    if (facet == old_facet)
        return old_side;
    if (mesh->patch[facet] != mesh->patch[old_facet])
        return 0;
    return (int8_t)(old_side * mesh->turn[old_facet] * mesh->turn[facet]);
}

/*  The facet that a feature is named after, so that its name does not depend on which facet was nearer by a
    rounding. */
static void name_feature(const surface *s, scree_touch *t)
{
    size_t count;
    uint32_t id = feature_id(s, t->facet, t->nearest.feature);
    if (t->nearest.feature == SCREE_ON_FACE)
        return;
    bool vertex = is_vertex(t->nearest.feature);
    uint32_t first = *facets_around(s, t->facet, t->nearest.feature, &count), k = 0;
    const uint32_t *ids = vertex ? s->mesh->facets : s->mesh->edge_of;
    while (ids[corner_of(s, first, k)] != id)
        k++;
    t->facet = first;
    t->nearest.feature = (vertex ? SCREE_ON_VERTEX : SCREE_ON_EDGE) + k;
}

/*  Normal and overlap of a contact whose side is known. */
static void set_force_side(const surface *s, const scree_touch *t, int8_t centre_side,
                           scree_mesh_contact *contact)
{
    double normal[3], side = contact->memory.side, distance = sqrt(t->nearest.away_sq), length;
    if (t->nearest.feature == SCREE_ON_FACE) {
        normal_of(s, t->facet, normal);
        for (int k = 0; k < 3; k++)
            contact->normal[k] = -side * normal[k];
        contact->overlap = s->radius - side * t->nearest.height;
        return;
    }
    if (distance > 0) {
        double way = side * centre_side < 0 ? -1 : 1; /* the centre has passed through */
        for (int k = 0; k < 3; k++)
            contact->normal[k] = way * t->nearest.away[k] / distance;
        contact->overlap = s->radius - way * distance;
        return;
    }
    /* the centre is in the edge or vertex: away from the surface, to the side that is known */
    if (side != 0)
        normal_around(s, t->facet, t->nearest.feature, normal);
    else
        normal_of(s, t->facet, normal);
    length = sqrt(dot(normal, normal));
    for (int k = 0; k < 3; k++)
        contact->normal[k] = (side < 0 ? 1 : -1) * normal[k] / length;
    contact->overlap = s->radius;
}

/* ---- 4. contacts: memory ---- */

static bool is_same_feature(const surface *s, const scree_mesh_memory *a,
                            const scree_mesh_memory *b)
{
    bool same_kind = (a->feature == SCREE_ON_FACE) == (b->feature == SCREE_ON_FACE) &&
                     is_vertex(a->feature) == is_vertex(b->feature);
    return same_kind && feature_id(s, a->facet, a->feature) == feature_id(s, b->facet, b->feature);
}

static bool may_continue(const surface *s, const scree_mesh_memory *now,
                         const scree_mesh_memory *before, double apart)
{
    double reach_sq = s->radius * s->radius;
    if (apart > reach_sq)
        return false;
    return share_a_vertex(s, now->facet, before->facet) ||
           (apart <= reach_sq / 64 && s->mesh->patch[now->facet] == s->mesh->patch[before->facet]);
}

static bool is_nearer_match(const scree_match *a, const scree_match *b)
{
    if (a->apart_sq != b->apart_sq)
        return a->apart_sq < b->apart_sq;
    return a->now != b->now ? a->now < b->now : a->before < b->before;
}

static void sort_matches(scree_match *match, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            scree_match moving = match[i];
            size_t j = i;
            for (; j >= gap && is_nearer_match(&moving, &match[j - gap]); j -= gap)
                match[j] = match[j - gap];
            match[j] = moving;
        }
}

/*  Old contacts that are taken are known by their number among the `from` of new ones. */
static bool is_taken(const scree_sphere_mesh *work, uint32_t before)
{
    for (size_t i = 0; i < work->count; i++)
        if (work->contacts[i].from == before)
            return true;
    return false;
}

static void match_same_features(const scree_sphere_mesh *work, const surface *s)
{
    for (size_t i = 0; i < work->count; i++)
        for (uint32_t b = 0; b < s->old_count; b++)
            if (is_same_feature(s, &work->contacts[i].memory, &s->old[b])) {
                work->contacts[i].from = b;
                break;
            }
}

static scree_status match_neighbours(scree_sphere_mesh *work, scree_memory *memory,
                                     const surface *s)
{
    work->match_count = 0;
    for (uint32_t b = 0; b < s->old_count; b++) {
        if (is_taken(work, b))
            continue;
        for (uint32_t i = 0; i < work->count; i++) {
            const scree_mesh_contact *now = &work->contacts[i];
            double apart = apart_sq(now->memory.point, s->old[b].point);
            if (now->from != SCREE_NO_CONTACT || !may_continue(s, &now->memory, &s->old[b], apart))
                continue;
            scree_status status =
                scree_memory_reserve(memory, &work->matches, &work->match_capacity,
                                     work->match_count + 1, sizeof *work->matches);
            if (status)
                return status;
            work->matches[work->match_count++] = (scree_match){apart, i, b};
        }
    }
    sort_matches(work->matches, work->match_count);
    for (size_t i = 0; i < work->match_count; i++) {
        scree_mesh_contact *now = &work->contacts[work->matches[i].now];
        if (now->from == SCREE_NO_CONTACT && !is_taken(work, work->matches[i].before))
            now->from = work->matches[i].before;
    }
    return SCREE_OK;
}

/* ---- 4. contacts: newcomers that are none ---- */

/*  Whether a facet that is nearer lies between the centre and the point. */
static bool is_hidden(const surface *s, const scree_touch *touch, size_t count,
                      const scree_touch *t)
{
    double tolerance = sqrt(s->tolerance_sq);
    for (size_t i = 0; i < count; i++) {
        const scree_touch *other = touch + i;
        double normal[3], crossing[3], above = other->nearest.height, below;
        if (other->nearest.away_sq >= t->nearest.away_sq)
            continue;
        normal_of(s, other->facet, normal);
        below = above + dot(normal, t->nearest.away);
        if (!((above > 0 && below < -tolerance) || (above < 0 && below > tolerance)))
            continue;
        for (int k = 0; k < 3; k++)
            crossing[k] = s->centre[k] + t->nearest.away[k] * (above / (above - below));
        if (nearest_of(s, other->facet, crossing).away_sq <= s->tolerance_sq)
            return true;
    }
    return false;
}

/*  While the centre is behind a surface, its inner side looks like more walls. `passed` is a contact whose
    centre is on the other side than it remembers. */
static bool is_seen_from_behind(const surface *s, const scree_mesh_contact *passed,
                                const scree_mesh_contact *newcomer)
{
    int8_t side = side_from(s, passed->memory.facet, passed->memory.side, newcomer->memory.facet);
    return side * newcomer->memory.side < 0;
}

/*  Sides, and what they tell about newcomers. minimum[i] belongs to contact i, also after this. */
static void set_sides(scree_sphere_mesh *work, const surface *s, scree_touch *minimum)
{
    scree_mesh_contact passed = {.from = SCREE_NO_CONTACT};
    bool has_passed = false;
    size_t kept = 0;
    for (size_t i = 0; i < work->count; i++) {
        scree_mesh_contact *now = &work->contacts[i];
        int8_t centre_side = side_of_centre(s, &minimum[i]), side = 0;
        if (now->from != SCREE_NO_CONTACT && !is_rim(s, now->memory.facet, now->memory.feature))
            side = side_from(s, s->old[now->from].facet, s->old[now->from].side, now->memory.facet);
        if (side == 0)
            side = centre_side;
        if (side == 0 && !is_rim(s, now->memory.facet, now->memory.feature))
            side = 1; /* the centre lies in the surface, and nothing is remembered */
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

/* ---- all of it ---- */

static bool is_named_before(const scree_touch *a, const scree_touch *b)
{
    return a->facet != b->facet ? a->facet < b->facet : a->nearest.feature < b->nearest.feature;
}

/*  Contacts by facet and feature, their sides still open. */
static scree_status begin_contacts(scree_sphere_mesh *work, scree_memory *memory, const surface *s,
                                   scree_touch *minimum, size_t count)
{
    scree_status status = scree_memory_reserve(memory, &work->contacts, &work->capacity, count,
                                               sizeof *work->contacts);
    if (status)
        return status;
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
    return SCREE_OK;
}

scree_status scree_sphere_mesh_contacts(scree_sphere_mesh *work, scree_memory *memory,
                                        const scree_mesh *mesh, const double *vertices,
                                        const uint32_t *facets, size_t facet_count,
                                        const double centre[3], double radius,
                                        const scree_mesh_memory *old, size_t old_count)
{
    surface s = {.mesh = mesh,
                 .vertices = vertices ? vertices : mesh->vertices,
                 .is_moved = vertices && vertices != mesh->vertices,
                 .centre = centre,
                 .radius = radius,
                 .old = old,
                 .old_count = old_count};
    scree_touch *minimum;
    size_t count, minimum_count;
    scree_status status;
    work->count = 0;
    if ((status = scree_memory_reserve(memory, &work->touches, &work->touch_capacity,
                                       2 * facet_count, sizeof *work->touches)))
        return status;
    work->touch_count = count = find_touches(work->touches, &s, facets, facet_count);
    if (count == 0)
        return SCREE_OK;
    minimum = work->touches + count;
    minimum_count = find_minima(&s, work->touches, count, minimum);
    if ((status = begin_contacts(work, memory, &s, minimum, minimum_count)))
        return status;
    match_same_features(work, &s);
    if ((status = match_neighbours(work, memory, &s))) {
        work->count = 0;
        return status;
    }
    set_sides(work, &s, minimum);
    return SCREE_OK;
}

void scree_sphere_mesh_free(scree_sphere_mesh *work, scree_memory *memory)
{
    scree_memory_give(memory, &work->contacts, work->capacity, sizeof *work->contacts);
    scree_memory_give(memory, &work->touches, work->touch_capacity, sizeof *work->touches);
    scree_memory_give(memory, &work->matches, work->match_capacity, sizeof *work->matches);
    work->count = work->capacity = 0;
    work->touch_count = work->touch_capacity = 0;
    work->match_count = work->match_capacity = 0;
}
