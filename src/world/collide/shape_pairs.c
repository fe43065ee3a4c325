/*  The table of pairs of shapes, and its functions. A new kind of shape is one more row and column.

    Contacts between two meshes are of features (narrow/mesh_features.h). Contact points divide the gap in the ratio
    of the contact skins: half way between two equal bodies of triangles, and on the surface of a sphere or wall,
    which has no skin. */
#include "world/collide/shape_pair.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "narrow/mesh_cost.h"
#include "narrow/mesh_depth.h"
#include "world/collide/pairs_apart.h"

#include <math.h>
#include <string.h>

/* ---- the two sides ---- */

void scree_shape_turn(const scree_shape_data *mesh, const double orientation[4], double turn[4])
{
    const double *q = mesh->solid.orientation;
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};

    scree_quaternion_multiply(orientation, back, turn);
}

void scree_posed_shape_of(const scree_shape_job *job, uint32_t slot, scree_posed_shape *frame)
{
    const scree_shape *shape = &job->bodies->shape[slot][0];
    const double *orientation = job->bodies->orientation[slot],
                 *place = job->bodies->position[slot];
    double turn[4];

    memcpy(turn, orientation, sizeof turn);
    frame->mesh = NULL;
    if (shape->kind != SCREE_SHAPE_CLUMP) {
        frame->mesh = scree_shape_table_find(&job->finder->meshes, shape->mesh);
        scree_shape_turn(frame->mesh, orientation, turn);
    }
    const scree_mesh_pose pose = scree_mesh_pose_of(place, turn);
    memcpy(frame->turn, pose.turn, sizeof frame->turn);
}

static void place_shape(const scree_shape_job *job, uint32_t slot, const scree_posed_shape *frame,
                        scree_shape_side *side)
{
    const scree_shape *shape = &job->bodies->shape[slot][0];
    const scree_shape_data *mesh = frame->mesh;

    if (!mesh) {
        side->kind = SCREE_SIDE_CLUMP;
        side->clump = shape->clump;
        side->radius = 0;
        memcpy(side->turn, frame->turn, sizeof side->turn);
        return;
    }
    if (shape->kind == SCREE_SHAPE_SUPERQUADRIC) {
        side->kind = SCREE_SIDE_QUADRIC;
        side->radius = mesh->round;
        side->quadric = &mesh->mesh->quadric;
        memcpy(side->turn, frame->turn, sizeof side->turn);
        return;
    }
    side->kind = shape->kind == SCREE_SHAPE_BLOCK ? SCREE_SIDE_BLOCK : SCREE_SIDE_MESH;
    side->radius = mesh->round;
    side->convex = &mesh->convex;
    side->skin = (scree_mesh_skin){mesh->area, mesh->solid.inward ? -1 : 1};
    side->mesh.mesh = mesh->mesh;
    side->mesh.skin = scree_shape_skin(shape);
    side->mesh.boxes = &mesh->boxes;
    side->mesh.tree = mesh->tree;
    memcpy(side->mesh.pose.turn, frame->turn, sizeof frame->turn);
    memcpy(side->mesh.pose.place, side->centre, sizeof side->mesh.pose.place);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++)
            side->mesh.pose.place[k] -= side->mesh.pose.turn[k][j] * mesh->solid.centre[j];
}

/*  Centre of a body, at its image nearest to `from`. */
static void centre_of(const scree_shape_job *job, uint32_t slot, const double *from,
                      double centre[3])
{
    const double *place = job->bodies->position[slot];
    double step[3], n[3];

    memcpy(centre, place, 3 * sizeof *centre);
    if (from)
        scree_domain_step(job->domain, from, place, step, n);
    for (int k = 0; k < 3; k++)
        if (from && job->domain->period[k] > 0)
            centre[k] = from[k] + step[k];
}

/*  Initialises all but the centre. Poses and rotations are not cleared: that would cost more than most tests. */
static void clear_side(scree_shape_side *side)
{
    side->radius = 0;
    side->is_wall = false;
    side->normal = NULL;
    side->mesh.mesh = NULL;
    side->mesh.skin = 0;
    side->mesh.boxes = NULL;
    side->mesh.tree = NULL;
    side->skin = (scree_mesh_skin){NULL, 0};
    side->convex = NULL;
    side->clump = NULL;
    side->quadric = NULL;
}

/*  Fills all but the centre. */
static void place_body(const scree_shape_job *job, uint32_t slot, const scree_posed_shape *frame,
                       scree_shape_side *side)
{
    clear_side(side);
    side->kind = SCREE_SIDE_SPHERE;
    side->radius = job->bodies->position[slot][3];
    if (scree_is_not_sphere(job->bodies, slot))
        place_shape(job, slot, frame, side);
}

void scree_shape_place(const scree_shape_job *job, uint32_t slot, const double *from,
                       scree_shape_side *side)
{
    scree_posed_shape frame = {0};

    centre_of(job, slot, from, side->centre);
    if (scree_is_not_sphere(job->bodies, slot))
        scree_posed_shape_of(job, slot, &frame);
    place_body(job, slot, &frame, side);
}

static void place_wall(const scree_shape_job *job, uint32_t w, scree_shape_side *side)
{
    const scree_wall_record *wall = &job->walls->wall[w];

    clear_side(side);
    side->kind = wall->def.kind == SCREE_WALL_PLANE ? SCREE_SIDE_PLANE
                 : job->step->def->dimensions == 2  ? SCREE_SIDE_LINE
                                                    : SCREE_SIDE_MESH;
    side->is_wall = true;
    memcpy(side->centre, wall->next.position, sizeof side->centre);
    side->normal = wall->next.normal;
    if (side->kind == SCREE_SIDE_PLANE)
        return;
    /* clumps need only their pebbles; for other shapes the wall's mesh has been prepared for searches */
    const scree_shape_data *mesh = scree_shape_table_find(&job->finder->meshes, wall->def.mesh);
    side->mesh.mesh = wall->def.mesh;
    side->mesh.pose = scree_mesh_pose_of(wall->next.position, wall->next.orientation);
    if (mesh) {
        side->mesh.boxes = &mesh->boxes;
        side->mesh.tree = mesh->tree;
        side->skin = (scree_mesh_skin){mesh->area, 0};
    }
}

/*  How far the bounding spheres of two bodies are apart beyond `reach`, at least; 0: they may touch. */
static double gap_of_balls(const scree_shape_job *job, const scree_shape_work *work,
                           const double centre[3], double reach)
{
    const double *a = job->bodies->position[work->first], *b = job->bodies->position[work->second];
    double sum = (a[3] + b[3] + reach) * (1 + 0x1p-40), away_sq = 0;

    for (int k = 0; k < 3; k++)
        away_sq += (centre[k] - a[k]) * (centre[k] - a[k]);
    return away_sq > sum * sum ? sqrt(away_sq) - sum : 0;
}

/* ---- active sets ---- */

/*  Whether the bounding sphere of the first overlaps that of the second, or some facet of the wall, by more than
    rounding errors: so detection must have found the pair. */
static scree_status balls_meet(const scree_shape_pair *t, bool *meet)
{
    const double *a = t->side[0]->centre, *b = t->side[1]->centre;
    double radius = t->job->bodies->position[t->work->first][3] + t->reach, away_sq = 0, local[3];
    scree_facet_list *facets = &t->worker->facets;
    scree_status status = SCREE_OK;

    if (t->work->second != UINT32_MAX) {
        radius += t->job->bodies->position[t->work->second][3];
        radius *= 1 - 0x1p-30;
        for (int k = 0; k < 3; k++)
            away_sq += (b[k] - a[k]) * (b[k] - a[k]);
        *meet = away_sq < radius * radius;
    } else {
        scree_shape_to_mesh(&t->side[1]->mesh.pose, a, local);
        status = scree_mesh_near(t->side[1]->mesh.mesh, local, radius * (1 - 0x1p-30),
                                 t->job->finder->memory, facets);
        *meet = !status && facets->count > 0;
    }
    return status;
}

/*  The active set of the pair, if it is to be used. Surrogates touch at a distance at which detection may or may not
    have found the pair. So only pairs that detection must have found use active sets; the others are searched from
    the roots. If contacts with surrogates do not count, all pairs use them. */
static scree_status choose_cut(scree_shape_pair *t)
{
    const scree_shape_finder *finder = t->job->finder;
    bool meet = false;
    scree_status status;

    if (!finder->cuts.is_on)
        return SCREE_OK;
    t->cut = &finder->cuts.cut[t->work - finder->work].cut;
    t->cut->dives = finder->cuts.dives;
    if (finder->cuts.is_exact)
        return SCREE_OK;
    status = balls_meet(t, &meet);
    if (!meet) {
        scree_surrogate_cut_reset(t->cut);
        t->cut = NULL;
    }
    return status;
}

/* ---- contacts ---- */

/*  Effective radius: r1 r2 / (r1 + r2) for two bodies, that of the body at a wall. */
static double radius_of(const scree_shape_pair *t, const double radius[2])
{
    double a = radius[0], b = radius[1];

    if (t->side[1]->is_wall)
        return a;
    return t->side[0]->is_wall ? b : a * b / (a + b);
}

/*  A wall has none. */
static double smaller_radius(const scree_shape_pair *t, const double radius[2])
{
    if (t->side[0]->is_wall || t->side[1]->is_wall)
        return radius[t->side[0]->is_wall];
    return radius[0] < radius[1] ? radius[0] : radius[1];
}

/*  See shape_pairs.h. */
static double min_of(const scree_shape_pair *t, const double radius[2])
{
    bool is_line = t->side[0]->kind == SCREE_SIDE_LINE;
    bool has_mesh = t->side[0]->kind == SCREE_SIDE_MESH || t->side[1]->kind == SCREE_SIDE_MESH;

    if (!(has_mesh || is_line) || !(t->side[0]->mesh.skin + t->side[1]->mesh.skin > 0))
        return smaller_radius(t, radius);
    return has_mesh ? -smaller_radius(t, radius) : 0;
}

scree_shape_found *scree_shape_push(scree_shape_pair *t, const double point[3],
                                    const double normal[3], double overlap, const double radius[2])
{
    scree_shape_worker *worker = t->worker;
    const scree_shape_side *first = t->side[t->is_swapped], *second = t->side[!t->is_swapped];
    scree_shape_found *found;

    if (worker->count == worker->capacity &&
        scree_memory_reserve(t->job->finder->memory, &worker->found, &worker->capacity,
                             worker->count + 1, sizeof *worker->found))
        return NULL;
    found = &worker->found[worker->count++];
    memset(&found->memory, 0, sizeof found->memory);
    found->facet = 0;
    found->previous = UINT32_MAX;
    found->weight = 1;
    found->lever[3] = 0;
    found->overlap = overlap;
    found->radius = radius_of(t, radius);
    found->least = min_of(t, radius);
    for (int k = 0; k < 3; k++) {
        found->point[k] = point[k];
        found->normal[k] = t->is_swapped ? -normal[k] : normal[k];
        found->arm[0][k] = point[k] - first->centre[k];
        found->arm[1][k] = point[k] - second->centre[k];
    }
    return found;
}

scree_shape_found *scree_shape_push_whole(scree_shape_pair *t, const double point[3],
                                          const double normal[3], double overlap)
{
    const double radius[2] = {t->side[0]->radius, t->side[1]->radius};

    return scree_shape_push(t, point, normal, overlap, radius);
}

/*  The previous contact that continues: at the same vertex, or otherwise the nearest within `radius`. Each continues
    in at most one; the first to ask gets it. */
static void find_previous(scree_shape_pair *t, scree_shape_found *found, double radius)
{
    const scree_shape_contact_list *now = &t->job->contacts->now;
    double best = radius * radius;
    uint8_t kind = found->memory.feature;
    bool is_vertex = kind == SCREE_FEATURE_FIRST || kind == SCREE_FEATURE_SECOND;

    for (uint32_t c = t->work->old_begin; c < t->work->old_end; c++) {
        const scree_mesh_memory *old = &now->memory[c][0];
        double away_sq = 0;
        if (old->feature != kind || t->worker->taken[c - t->work->old_begin] ||
            (is_vertex && old->facet != found->memory.facet))
            continue;
        for (int k = 0; k < 3 && !is_vertex; k++) {
            double way = old->point[k] - found->memory.point[k];
            away_sq += way * way;
        }
        if (away_sq > best || (found->previous != UINT32_MAX && away_sq == best))
            continue;
        best = away_sq;
        found->previous = c;
    }
    if (found->previous != UINT32_MAX)
        t->worker->taken[found->previous - t->work->old_begin] = 1;
}

/* ---- the table ---- */

/*  Where surfaces cross and nothing says how deep: contacts are means over the crossing triangles, with the whole
    contact skin as overlap. */
static scree_status take_crossings(scree_shape_pair *t, double thickness)
{
    scree_mesh_merger *merger = &t->worker->merger;
    scree_mesh_finder *finder = &t->worker->finder;
    size_t count = 0;

    for (size_t k = 0; k < finder->contact_count; k++)
        if (finder->contacts[k].distance == 0)
            finder->contacts[count++] = finder->contacts[k];
    finder->contact_count = count;
    if (scree_mesh_merge(merger, &t->side[0]->mesh, &t->side[1]->mesh, finder->contacts, count))
        return SCREE_OUT_OF_MEMORY;
    for (size_t n = 0; n < merger->count; n++) {
        const scree_mesh_point *point = &merger->points[n];
        scree_shape_found *found =
            scree_shape_push_whole(t, point->position, point->normal, thickness);
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->facet = point->facet[t->side[1]->is_wall];
        found->memory.feature = SCREE_FEATURES;
        found->memory.side = SCREE_SIDE_DEEP;
        scree_shape_to_mesh(&t->side[0]->mesh.pose, found->point, found->memory.point);
        find_previous(t, found, 0.5 * thickness);
    }
    return SCREE_OK;
}

/*  Makes a contact one whose overlap, or its depth, has a factor. Within the interaction range of a law surfaces attract
    each other before they overlap; there that of a crossing is only a weight. */
static void put_on_lever(const scree_shape_pair *t, const scree_mesh_feature *feature,
                         scree_shape_found *found)
{
    const double sign = t->is_swapped ? -1 : 1;
    const bool is_edge = feature->kind == SCREE_FEATURE_EDGES;
    const double scaled = is_edge ? found->overlap : -feature->distance;
    double *lever = found->lever, shift[3], by_shift[3];

    found->weight = feature->weight * feature->share * feature->share;
    if (is_edge && t->reach > 0)
        return;
    for (int k = 0; k < 3; k++)
        shift[k] = feature->point[feature->kind == SCREE_FEATURE_SECOND][k] - found->point[k];
    scree_cross(shift, feature->move, by_shift);
    for (int k = 0; k < 3; k++) {
        lever[k] = sign * scaled * feature->move[k];
        lever[4 + k] = sign * scaled * (feature->turn[k] + by_shift[k]);
    }
    lever[3] = feature->share;
    lever[7] = found->overlap + (feature->share - 1) * scaled;
}

static scree_status take_features(scree_shape_pair *t, double thickness)
{
    const scree_mesh_features *work = &t->worker->features;
    double share = t->side[0]->mesh.skin / thickness;

    for (size_t n = 0; n < work->count; n++) {
        const scree_mesh_feature *feature = &work->features[n];
        double point[3];
        for (int k = 0; k < 3; k++)
            point[k] = feature->point[0][k] + share * (feature->point[1][k] - feature->point[0][k]);
        scree_shape_found *found =
            scree_shape_push_whole(t, point, feature->normal, thickness - feature->distance);
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->weight = feature->weight;
        /* a share of 1 does not change */
        if (feature->share != 1)
            put_on_lever(t, feature, found);
        found->facet = feature->facet[t->side[1]->is_wall];
        found->memory.facet = feature->id;
        found->memory.feature = (uint8_t)feature->kind;
        if (feature->distance < 0)
            found->memory.side = SCREE_SIDE_DEEP;
        scree_shape_to_mesh(&t->side[0]->mesh.pose, found->point, found->memory.point);
        find_previous(t, found, 0.5 * thickness);
    }
    return SCREE_OK;
}

/*  Contacts estimated from surrogates that overlap: their overlap relative to the skin is that of the surrogates.
    All of them together act as one contact. */
static scree_status take_stand_ins(scree_shape_pair *t, double thickness)
{
    for (uint32_t n = 0; n < t->cut->stand_in_count; n++) {
        const scree_surrogate_stand_in *pair = &t->cut->stand_ins[n];
        double sum = pair->halo[0] + pair->halo[1], share = pair->halo[0] / sum;
        double apart = pair->distance / sum, point[3], normal[3];
        for (int k = 0; k < 3; k++) {
            double way = pair->point[1][k] - pair->point[0][k];
            point[k] = pair->point[0][k] + share * way;
            normal[k] = way / pair->distance;
        }
        /* the whole skin is used up only where real facets cross */
        apart = apart > 0x1p-20 ? apart : 0x1p-20;
        scree_shape_found *found =
            scree_shape_push_whole(t, point, normal, thickness * (1 - apart));
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->weight = 1.0 / t->cut->stand_in_count;
        found->memory.feature = SCREE_FEATURE_STAND_IN;
    }
    return SCREE_OK;
}

/*  If not chosen by the definition, the way that measurements predict to be cheaper; results are the same. */
static scree_mesh_way way_of(const scree_shape_pair *t, const scree_mesh_body bodies[2])
{
    switch (t->job->step->def->detection.mesh_engine) {
    case SCREE_MESH_ENGINE_AUTO:
        return scree_mesh_cheapest(bodies[0].mesh->facet_count, bodies[1].mesh->facet_count);
    case SCREE_MESH_ENGINE_ALL:
        return SCREE_MESH_BY_ALL;
    default:
        return SCREE_MESH_BY_BOXES;
    }
}

static scree_status find_facets(scree_shape_pair *t, const scree_mesh_body bodies[2])
{
    scree_mesh_finder *finder = &t->worker->finder;
    scree_status status;

    if (t->cut) {
        status = scree_mesh_find_cut(finder, &t->worker->search, t->cut, &bodies[0], &bodies[1]);
        t->work->height = t->cut->height;
        return status;
    }
    if (t->job->finder->meshes.wants_trees)
        return scree_mesh_find_surrogates(finder, &t->worker->search, NULL, &bodies[0], &bodies[1]);
    if (way_of(t, bodies) == SCREE_MESH_BY_ALL)
        return scree_mesh_find_all(finder, &bodies[0], &bodies[1]);
    return scree_mesh_find_boxes(finder, &bodies[0], &bodies[1]);
}

/* ---- surfaces that cross ---- */

static bool surfaces_cross(const scree_mesh_finder *finder)
{
    size_t k = 0;

    while (k < finder->contact_count && finder->contacts[k].distance > 0)
        k++;
    return k < finder->contact_count;
}

/*  Features of surfaces that cross. Those that an active set has found are not all. */
static scree_status find_deep_features(scree_shape_pair *t, const scree_mesh_body bodies[2],
                                       const scree_mesh_skin skins[2], double thickness)
{
    scree_mesh_finder *finder = &t->worker->finder;
    const bool is_wall[2] = {t->side[0]->is_wall, t->side[1]->is_wall};
    const scree_mesh_depth depth = {.largest = scree_mesh_largest_depth(bodies, is_wall),
                                    .centre = {t->side[0]->centre, t->side[1]->centre}};
    scree_status status = SCREE_OK;

    if (t->cut)
        status = scree_mesh_find_boxes(finder, &bodies[0], &bodies[1]);
    if (status)
        return status;
    return scree_mesh_find_deep_features(&t->worker->features, t->job->finder->memory, bodies,
                                         skins, thickness, bodies[0].skin + bodies[1].skin, &depth,
                                         finder->contacts, finder->contact_count);
}

/*  Whether a feature says how deep surfaces that cross are. */
static bool knows_depth(const scree_mesh_features *work)
{
    size_t k = 0;

    while (k < work->count && work->features[k].distance > 0)
        k++;
    return k < work->count;
}

static scree_status touch_meshes(scree_shape_pair *t)
{
    const scree_mesh_skin skins[2] = {t->side[0]->skin, t->side[1]->skin};
    scree_mesh_body bodies[2] = {t->side[0]->mesh, t->side[1]->mesh};
    double thickness = bodies[0].skin + bodies[1].skin;
    scree_mesh_finder *finder = &t->worker->finder;
    scree_mesh_features *features = &t->worker->features;

    bodies[0].skin += t->reach;
    scree_status status = choose_cut(t);
    if (!status)
        status = find_facets(t, bodies);
    bool is_deep = !status && surfaces_cross(finder);
    if (is_deep)
        status = find_deep_features(t, bodies, skins, thickness);
    else if (!status)
        status = scree_mesh_find_features(features, t->job->finder->memory, bodies, skins,
                                          thickness, finder->contacts, finder->contact_count);
    if (!status)
        status = take_features(t, thickness);
    if (!status && !(is_deep && knows_depth(features)))
        status = take_crossings(t, thickness);
    return status || !t->cut ? status : take_stand_ins(t, thickness);
}

/*  Only vertices: a plane has no edges. */
static scree_status touch_plane(scree_shape_pair *t)
{
    const scree_shape_side *side = t->side[0], *plane = t->side[1];
    scree_plane_mesh *work = &t->worker->plane;
    double skin = side->mesh.skin, way[3];

    for (int k = 0; k < 3; k++)
        way[k] = -plane->normal[k];
    if (scree_mesh_find_plane(work, t->job->finder->memory, &side->mesh, plane->centre,
                              plane->normal, skin + t->reach))
        return SCREE_OUT_OF_MEMORY;
    for (size_t n = 0; n < work->count; n++) {
        const scree_mesh_touch *touch = &work->contacts[n];
        uint32_t vertex = touch->facet[0];
        if (!scree_vertex_faces(&side->mesh, side->skin.outward, vertex, way))
            continue;
        scree_shape_found *found =
            scree_shape_push_whole(t, touch->point[1], way, skin - touch->distance);
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->weight = scree_vertex_weight(side->skin.area[vertex], skin);
        if (touch->distance < 0)
            found->memory.side = SCREE_SIDE_DEEP;
        found->memory.facet = vertex;
        find_previous(t, found, 0);
    }
    return SCREE_OK;
}

scree_status scree_shape_ball_on_mesh(scree_shape_pair *t, const double centre[3], double radius,
                                      uint16_t pebble, uint32_t begin, uint32_t old_count)
{
    const scree_mesh_body *mesh = &t->side[0]->mesh;
    scree_memory *memory = t->job->finder->memory;
    scree_shape_worker *worker = t->worker;
    double most = radius + mesh->skin + t->reach, local[3];
    const scree_mesh_memory *old = old_count ? t->job->contacts->now.memory[begin] : NULL;
    const double radii[2] = {t->side[0]->radius, radius};

    scree_shape_to_mesh(&mesh->pose, centre, local);
    scree_status status = scree_mesh_near(mesh->mesh, local, most, memory, &worker->facets);
    if (!status)
        status = scree_sphere_mesh_contacts(&worker->sphere, memory, mesh->mesh, NULL,
                                            worker->facets.facet, worker->facets.count, local, most,
                                            old, old_count);
    for (size_t n = 0; n < worker->sphere.count && !status; n++) {
        const scree_mesh_contact *contact = &worker->sphere.contacts[n];
        /* on the sphere, which has no skin; for walls on the wall, as with spheres */
        double overlap = contact->overlap - t->reach;
        double along = t->side[0]->is_wall ? radius - overlap : radius;
        double point[3], normal[3];
        for (int k = 0; k < 3; k++) {
            const double *turn = mesh->pose.turn[k], *way = contact->normal;
            double to_body = turn[0] * way[0] + turn[1] * way[1] + turn[2] * way[2];
            point[k] = centre[k] + along * to_body;
            normal[k] = -to_body;
        }
        scree_shape_found *found = scree_shape_push(t, point, normal, overlap, radii);
        if (!found)
            return SCREE_OUT_OF_MEMORY;
        found->memory = contact->memory;
        found->memory.pebble = pebble;
        found->facet = contact->memory.facet;
        if (contact->from != SCREE_NO_CONTACT)
            found->previous = begin + contact->from;
    }
    return status;
}

/*  The sphere is enlarged by the contact skin, as at a wall of triangles. */
static scree_status touch_sphere(scree_shape_pair *t)
{
    return scree_shape_ball_on_mesh(t, t->side[1]->centre, t->side[1]->radius, 0,
                                    t->work->old_begin, t->work->old_end - t->work->old_begin);
}

typedef scree_status touch_fn(scree_shape_pair *t);

/*  Row: side[0], column: side[1]; NULL: with sides swapped, or not in this file. */
static touch_fn *const touch[SCREE_SIDE_KINDS][SCREE_SIDE_KINDS] = {
    /*                     sphere        mesh          plane        clump        block        line
       quadric */
    [SCREE_SIDE_SPHERE] = {NULL, NULL, NULL, scree_clump_touch_sphere, NULL, NULL, NULL},
    [SCREE_SIDE_MESH] = {touch_sphere, touch_meshes, touch_plane, scree_clump_touch_mesh,
                         touch_meshes, NULL, NULL},
    [SCREE_SIDE_PLANE] = {NULL, NULL, NULL, scree_clump_touch_plane, NULL, NULL, NULL},
    [SCREE_SIDE_CLUMP] = {NULL, NULL, NULL, scree_clump_touch_clump, NULL, NULL, NULL},
    [SCREE_SIDE_BLOCK] = {touch_sphere, touch_meshes, scree_block_touch_plane,
                          scree_clump_touch_mesh, scree_block_touch_block, NULL, NULL},
    [SCREE_SIDE_LINE] = {NULL, NULL, NULL, scree_clump_touch_mesh, scree_polygon_touch_line, NULL,
                         NULL},
    [SCREE_SIDE_QUADRIC] = {scree_quadric_touch_sphere, scree_quadric_touch_mesh,
                            scree_quadric_touch_plane, scree_quadric_touch_clump,
                            scree_quadric_touch_block, scree_quadric_touch_mesh,
                            scree_quadric_touch_quadric},
};

/*  The test that separated the pair, from the counters of the search. */
static scree_local_test parted_by(const scree_shape_pair *t, const scree_mesh_counts *before)
{
    const scree_mesh_counts *now = &t->worker->finder.counts;
    bool has_finder = touch[t->side[0]->kind][t->side[1]->kind] == touch_meshes;

    if (now->apart_as_boxes > before->apart_as_boxes)
        return SCREE_TEST_BOXES;
    if (now->apart_by_plane > before->apart_by_plane)
        return SCREE_TEST_PLANE;
    return has_finder && now->candidates == before->candidates ? SCREE_TEST_TREES
                                                               : SCREE_TEST_SHAPES;
}

/*  So that the pair is left out for as long as it cannot touch. */
static void note_apart(const scree_shape_pair *t, double gap, scree_local_test test)
{
    const scree_shape_job *job = t->job;

    if (gap > 0 && t->work->candidate1 && job->finder->follows_ways &&
        scree_is_not_sphere(job->bodies, t->work->first) &&
        scree_is_not_sphere(job->bodies, t->work->second))
        scree_shape_note_apart(job, t->work, gap, test);
}

static scree_status touch_sides(scree_shape_pair *t)
{
    touch_fn *function = touch[t->side[0]->kind][t->side[1]->kind];
    scree_shape_worker *worker = t->worker;
    const scree_mesh_counts before = worker->finder.counts;
    size_t count = worker->count;
    /* two spheres are not handled here, and one of the two is a body */
    scree_status status = SCREE_NEVER(!function) ? SCREE_OK : function(t);

    if (worker->count > count) {
        worker->tested.touching++;
    } else {
        scree_local_test test = parted_by(t, &before);
        worker->tested.apart[test]++;
        if (!status)
            note_apart(t, t->apart, test);
    }
    return status;
}

scree_status scree_shape_pair_touch(const scree_shape_job *job, scree_shape_worker *worker,
                                    scree_shape_work *work, double reach)
{
    const scree_posed_shape *frames = job->finder->frames;
    scree_shape_side first, second;
    scree_shape_pair t = {.job = job, .worker = worker, .work = work, .reach = reach};
    size_t old_count = work->old_end - work->old_begin;

    work->height = 0;
    worker->tested.pairs++;
    centre_of(job, work->first, NULL, first.centre);
    if (work->second == UINT32_MAX) {
        place_wall(job, work->wall, &second);
    } else {
        centre_of(job, work->second, first.centre, second.centre);
        double gap = gap_of_balls(job, work, second.centre, reach);
        if (gap > 0) {
            worker->tested.apart[SCREE_TEST_BALLS]++;
            note_apart(&t, gap, SCREE_TEST_BALLS);
            return SCREE_OK;
        }
        place_body(job, work->second, &frames[work->second], &second);
    }
    place_body(job, work->first, &frames[work->first], &first);
    if (old_count) {
        if (scree_memory_reserve(job->finder->memory, &worker->taken, &worker->taken_capacity,
                                 old_count, sizeof *worker->taken))
            return SCREE_OUT_OF_MEMORY;
        memset(worker->taken, 0, old_count);
    }
    t.is_swapped = touch[first.kind][second.kind] == NULL;
    t.side[0] = t.is_swapped ? &second : &first;
    t.side[1] = t.is_swapped ? &first : &second;
    return touch_sides(&t);
}
