/*  The nearest point of a facet, in plain C and plain OpenCL C; see facet_point.h.

    All is computed relative to the point, so nearby facets lose no digits to coordinates far from 0.

    A triangle: the point is over the face if it is outside no edge, seen along the normal: n (a x b) says on which side
    of the edge a b the origin is. If it is outside, the nearest point is on an edge that it is outside of: the segment
    from the nearest point of another edge to the point would cross the triangle. This is valid for slivers too: the
    only divisor is the length of an edge. (Compare Ericson 2005, 5.1.5, whose regions are decided by differences of
    fourth powers.) */

SCREE_KERNEL_FUNCTION void set_away(scree_facet_point *point, const double away[3],
                                    uint32_t feature)
{
    for (int k = 0; k < 3; k++)
        point->away[k] = away[k];
    point->away_sq = scree_dot(away, away);
    point->feature = feature;
}

/*  Nearest point to the origin on the segment a b. Measured from the nearer end, so that a long edge is as accurate
    near its ends as a short one. */
SCREE_KERNEL_FUNCTION scree_facet_point nearest_on_segment(const double a[3], const double b[3],
                                                           uint32_t on_a, uint32_t on_b,
                                                           uint32_t between)
{
    scree_facet_point point;
    const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    double length_sq = scree_dot(way, way), past_a = -scree_dot(a, way),
           before_b = scree_dot(b, way);
    point.height = 0;
    if (!(past_a > 0)) {
        set_away(&point, a, on_a);
    } else if (!(before_b > 0)) {
        set_away(&point, b, on_b);
    } else {
        bool from_a = past_a < before_b;
        const double *end = from_a ? a : b;
        double share = (from_a ? past_a : -before_b) / length_sq;
        const double away[3] = {end[0] + share * way[0], end[1] + share * way[1],
                                end[2] + share * way[2]};
        set_away(&point, away, between);
    }
    return point;
}

/*  Over the face: along the normal, to a plane through the nearest vertex. */
SCREE_KERNEL_FUNCTION scree_facet_point point_of_face(const double corner[3][3], int corners,
                                                      const double normal[3])
{
    scree_facet_point point;
    int nearest = 0;
    double least = scree_dot(corner[0], corner[0]), height;
    for (int k = 1; k < corners; k++) {
        double length_sq = scree_dot(corner[k], corner[k]);
        if (length_sq < least) {
            least = length_sq;
            nearest = k;
        }
    }
    height = scree_dot(normal, corner[nearest]);
    const double away[3] = {height * normal[0], height * normal[1], height * normal[2]};
    set_away(&point, away, SCREE_ON_FACE);
    point.away_sq = height * height;
    point.height = -height;
    return point;
}

/*  On which side of the edge a b the origin is, seen along the normal; above 0 is inside. */
SCREE_KERNEL_FUNCTION double side_of_edge(const double normal[3], const double a[3],
                                          const double b[3])
{
    return normal[0] * (a[1] * b[2] - a[2] * b[1]) + normal[1] * (a[2] * b[0] - a[0] * b[2]) +
           normal[2] * (a[0] * b[1] - a[1] * b[0]);
}

SCREE_KERNEL_FUNCTION scree_facet_point nearest_on_triangle(const double corner[3][3],
                                                            const uint32_t vertex[3],
                                                            const double normal[3])
{
    scree_facet_point best = {.away_sq = INFINITY};
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t next = (k + 1) % 3;
        scree_facet_point point;
        if (side_of_edge(normal, corner[k], corner[next]) >= 0)
            continue;
        /* from the smaller vertex index to the larger: both facets of an edge compute the same */
        if (vertex[k] < vertex[next])
            point = nearest_on_segment(corner[k], corner[next], SCREE_ON_VERTEX + k,
                                       SCREE_ON_VERTEX + next, SCREE_ON_EDGE + k);
        else
            point = nearest_on_segment(corner[next], corner[k], SCREE_ON_VERTEX + next,
                                       SCREE_ON_VERTEX + k, SCREE_ON_EDGE + k);
        if (point.away_sq < best.away_sq)
            best = point;
    }
    if (best.away_sq == INFINITY)
        return point_of_face(corner, 3, normal);
    best.height = -scree_dot(normal, corner[0]);
    return best;
}

SCREE_KERNEL_FUNCTION void see_from(const double place[3], SCREE_GLOBAL const double *vertex,
                                    double corner[3])
{
    for (int k = 0; k < 3; k++)
        corner[k] = vertex[k] - place[k];
}

scree_facet_point scree_facet_nearest(const scree_mesh *mesh, SCREE_GLOBAL const double *vertices,
                                      const double normal[3], uint32_t facet, const double place[3])
{
    SCREE_GLOBAL const uint32_t *corners = mesh->facets + (size_t)facet * (size_t)mesh->corners;
    const uint32_t vertex[3] = {corners[0], corners[1], mesh->corners == 3 ? corners[2] : 0};
    double corner[3][3];
    scree_facet_point point;
    see_from(place, vertices + 3 * (size_t)vertex[0], corner[0]);
    see_from(place, vertices + 3 * (size_t)vertex[1], corner[1]);
    if (mesh->corners == 3) {
        see_from(place, vertices + 3 * (size_t)vertex[2], corner[2]);
        return nearest_on_triangle((const double(*)[3])corner, vertex, normal);
    }
    point = nearest_on_segment(corner[0], corner[1], SCREE_ON_VERTEX, SCREE_ON_VERTEX + 1,
                               SCREE_ON_FACE);
    if (point.feature == SCREE_ON_FACE)
        return point_of_face((const double(*)[3])corner, 2, normal);
    point.height = -scree_dot(normal, corner[0]);
    return point;
}
