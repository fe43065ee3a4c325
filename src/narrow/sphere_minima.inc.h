/*  The local minima of the distance to a surface: stages 1 to 3 of sphere_mesh.c.

    Why there is exactly one over a plane. A facet that does not contain the projection of the centre has its nearest
    point on an edge or a vertex, and a neighbour there that extends nearer to the projection and so has its nearest
    point elsewhere. This holds for all facets except those that contain the projection. The points of these are equal
    except for rounding, far less than the tolerance of stage 3.

    Why a facet within the radius always gives a contact. Each beaten facet points to the best of those that beat it.
    Following these leads to a facet that is not beaten, or around a cycle. In exact arithmetic there are no cycles,
    since each facet is nearer than the one before. If rounding creates one, around a vertex next to the projection, its
    first member is taken.

    The tolerance for the same place is a ten-thousandth of the radius, plus some rounding errors of the facets' size.
    So two contacts on both sides of a concave edge of less than a ten-thousandth of a radian are one: planes in files
    of single precision are no flatter than that. */

/* ---- 1. facets within the radius ---- */

/*  By facet; candidates are mostly in order. */
#define SORT_NAME sort_touches
#define SORT_ROW scree_touch
#define SORT_BEFORE(a, b) ((a)->facet < (b)->facet)
#include "base/shell_sort.inc.h"

/*  The plane is out of range, by more than rounding: most candidates end here. */
SCREE_KERNEL_FUNCTION bool is_plane_far(const scree_surface_view *s, uint32_t facet,
                                        const double normal[3])
{
    SCREE_GLOBAL const double *corner = scree_corner_place(s, facet, 0);
    double height = normal[0] * (s->centre[0] - corner[0]) +
                    normal[1] * (s->centre[1] - corner[1]) + normal[2] * (s->centre[2] - corner[2]);
    return fabs(height) > s->radius * (1 + 1e-9);
}

/*  Whether a facet is nearer than the radius; then `touch` is it. */
SCREE_KERNEL_FUNCTION bool touch_facet(const scree_surface_view *s, uint32_t facet,
                                       scree_touch *touch)
{
    double normal[3];

    scree_normal_of(s, facet, normal);
    if (is_plane_far(s, facet, normal))
        return false;
    scree_facet_point nearest = scree_facet_nearest(s->mesh, s->vertices, normal, facet, s->centre);
    if (!(nearest.away_sq < s->radius * s->radius))
        return false;
    *touch = (scree_touch){nearest, facet, SCREE_NO_TOUCH, SCREE_NO_TOUCH};
    return true;
}

/*  Positions are computed to about 2^-53 of the facets' size as seen from the centre, squared distances to twice the
    radius times that. If squared distances are equal, positions may differ by the root. */
SCREE_KERNEL_FUNCTION void set_tolerance(scree_surface_view *s, const scree_touch *touch,
                                         size_t count)
{
    double size_sq = 0, size, tolerance;
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < (uint32_t)s->mesh->corners; k++) {
            double corner[3];
            scree_corner_at(s, touch[i].facet, k, corner);
            double corner_sq = scree_apart_sq(corner, s->centre);
            size_sq = corner_sq > size_sq ? corner_sq : size_sq;
        }
    size = sqrt(size_sq);
    s->slack = 4e-15 * s->radius * size;
    tolerance = 1e-4 * s->radius + 1e-11 * size + 2 * sqrt(s->slack);
    s->tolerance_sq = tolerance * tolerance;
}

/* ---- 2. local minima ---- */

SCREE_KERNEL_FUNCTION uint32_t find_touch(const scree_touch *touch, size_t count, uint32_t facet)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (touch[middle].facet < facet)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && touch[low].facet == facet ? (uint32_t)low : SCREE_NO_TOUCH;
}

SCREE_KERNEL_FUNCTION int rank_of(const scree_touch *t)
{
    return t->nearest.feature == SCREE_ON_FACE ? 0 : scree_is_vertex(t->nearest.feature) ? 2 : 1;
}

/*  Faces before edges before vertices, then the nearer, then the smaller facet index. */
SCREE_KERNEL_FUNCTION bool comes_first(const scree_touch *a, const scree_touch *b)
{
    if (rank_of(a) != rank_of(b))
        return rank_of(a) < rank_of(b);
    if (a->nearest.away_sq != b->nearest.away_sq)
        return a->nearest.away_sq < b->nearest.away_sq;
    return a->facet < b->facet;
}

/*  Positions on shared features are bit-identical, so a different position is elsewhere. */
SCREE_KERNEL_FUNCTION bool is_elsewhere(const scree_touch *a, const scree_touch *b)
{
    return a->nearest.away[0] != b->nearest.away[0] || a->nearest.away[1] != b->nearest.away[1] ||
           a->nearest.away[2] != b->nearest.away[2];
}

SCREE_KERNEL_FUNCTION uint32_t better(const scree_touch *touch, uint32_t a, uint32_t b)
{
    if (a == SCREE_NO_TOUCH || b == SCREE_NO_TOUCH)
        return a == SCREE_NO_TOUCH ? b : a;
    if (touch[a].nearest.away_sq != touch[b].nearest.away_sq)
        return touch[a].nearest.away_sq < touch[b].nearest.away_sq ? a : b;
    return comes_first(&touch[a], &touch[b]) ? a : b;
}

/*  The best of the facets around the point's edge or vertex that have their nearest points elsewhere. */
SCREE_KERNEL_FUNCTION uint32_t beaten_by_neighbour(const scree_surface_view *s,
                                                   const scree_touch *touch, size_t count,
                                                   const scree_touch *t)
{
    size_t around_count;
    SCREE_GLOBAL const uint32_t *around =
        scree_facets_around(s, t->facet, t->nearest.feature, &around_count);
    uint32_t best = SCREE_NO_TOUCH;
    for (size_t i = 0; i < around_count; i++) {
        uint32_t other = find_touch(touch, count, around[i]);
        if (other != SCREE_NO_TOUCH && is_elsewhere(t, &touch[other]))
            best = better(touch, best, other);
    }
    return best;
}

/*  For surfaces that adjoin without shared vertices: a boundary may lie in a facet of the other surface. It is no local
    minimum if that facet is nearer to the centre by more than rounding. */
SCREE_KERNEL_FUNCTION uint32_t beaten_across_rim(const scree_surface_view *s,
                                                 const scree_touch *touch, size_t count,
                                                 const scree_touch *t)
{
    double point[3];
    uint32_t best = SCREE_NO_TOUCH;
    for (int k = 0; k < 3; k++)
        point[k] = s->centre[k] + t->nearest.away[k];
    for (uint32_t i = 0; i < count; i++)
        if (touch[i].nearest.away_sq < t->nearest.away_sq - s->slack &&
            scree_surface_nearest(s, touch[i].facet, point).away_sq <= s->tolerance_sq)
            best = better(touch, best, i);
    return best;
}

/*  Facets that report the same vertex report the same position: of a large fan only one is tested. */
SCREE_KERNEL_FUNCTION void beat(const scree_surface_view *s, scree_touch *touch, size_t count)
{
    uint32_t last_vertex = SCREE_NO_TOUCH, last_answer = SCREE_NO_TOUCH;
    for (size_t i = 0; i < count; i++) {
        scree_touch *t = touch + i;
        uint32_t feature = t->nearest.feature, id = scree_feature_id(s, t->facet, feature);
        if (feature == SCREE_ON_FACE)
            continue;
        if (scree_is_vertex(feature) && id == last_vertex) {
            t->beaten_by = last_answer;
            continue;
        }
        t->beaten_by = beaten_by_neighbour(s, touch, count, t);
        if (t->beaten_by == SCREE_NO_TOUCH && scree_is_rim(s, t->facet, feature))
            t->beaten_by = beaten_across_rim(s, touch, count, t);
        if (scree_is_vertex(feature)) {
            last_vertex = id;
            last_answer = t->beaten_by;
        }
    }
}

/*  In a cycle of facets that beat each other, the first is not beaten. */
SCREE_KERNEL_FUNCTION void open_circle(scree_touch *touch, uint32_t member)
{
    uint32_t first = member;
    for (uint32_t i = touch[member].beaten_by; i != member; i = touch[i].beaten_by)
        if (comes_first(&touch[i], &touch[first]))
            first = i;
    touch[first].beaten_by = SCREE_NO_TOUCH;
}

/*  Follows from each facet to what beats it, up to facets already visited. */
SCREE_KERNEL_FUNCTION void open_circles(scree_touch *touch, size_t count)
{
    for (uint32_t walk = 0; walk < count; walk++) {
        uint32_t i = walk;
        while (i != SCREE_NO_TOUCH && touch[i].walk == SCREE_NO_TOUCH) {
            touch[i].walk = walk;
            i = touch[i].beaten_by;
        }
        if (i != SCREE_NO_TOUCH && touch[i].walk == walk)
            open_circle(touch, i);
    }
}

/* ---- 3. one contact per place ---- */

SCREE_KERNEL_FUNCTION bool are_apart(const scree_surface_view *s, const scree_touch *a,
                                     const scree_touch *b)
{
    return scree_apart_sq(a->nearest.away, b->nearest.away) > s->tolerance_sq;
}

/*  Appends, in that order, those that are not beaten and not in the place of an earlier one. Returns their number.
    Insertion sort: there are few, unless a sphere lies in a bowl of its size. */
SCREE_KERNEL_FUNCTION size_t gather_minima(const scree_surface_view *s, const scree_touch *touch,
                                           size_t count, scree_touch *minimum)
{
    size_t found = 0, kept = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = found;
        if (touch[i].beaten_by != SCREE_NO_TOUCH)
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

size_t scree_find_minima(scree_surface_view *s, scree_touch *touch, size_t count,
                         scree_touch *minimum)
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
