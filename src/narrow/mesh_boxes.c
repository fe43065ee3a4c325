/*  Simultaneous traversal of two trees of boxes: for a group of one tree, the list of those groups of the other that it
    meets. The eight boxes of the group are transformed into the other's frame once, and each is compared with the list,
    which gives the list of that box's own group one level below. At the bottom, lists are of triangles.

    NOTHING IS MISSED. Use the frame of the fixed tree, in its units: its boxes are in [0, 1]. With u = 2^-24:

    A fixed box is off by its rounding to float, u. Transformed boxes are rounded before and after: rotation (below 1 in
    every row's sum of squares), shift, middles, extents, products and sums each err by u of the sum of magnitudes,
    which is at most g = |shift| + the row's absolute sum, twice that for a box's two parts: with 16 of them 32 u g <
    2^-19 g. A box in this frame that is enlarged by that contains what it should.

    The exact result is defined by positions in the world, which are rounded to doubles: each is off by at most 8 *
    2^-53 of the numbers that enter it, s = |place| + |vertex|, and rotations are orthogonal to the same accuracy. Both
    bodies, all axes, and the transformation back into this frame: far below 2^-40 s.

    scree_triangles_touch decides. Its squared distance is accurate to 2^-46 of the square of the pair's size, so the
    distance to 2^-23 of that size, which is below 4 for boxes that meet or nearly do.

    At the bottom, triangles are also compared along the direction perpendicular to a face, their own or the other's.
    Any direction of length 1 is valid; how well it fits a sliver does not matter. It is rotated with error u, and dot
    products with corners, which are off by 8 u g at most, err by 32 u g in total, as boxes do.

    So boxes and these extents are enlarged by the interaction range, which is as much as points that touch can be apart
    along any axis, and by 2^-18 (g + 1) + 2^-40 s in the tree's units. Triangles whose boxes are still separated do not
    touch. */
#include "narrow/mesh_boxes.h"

#include "narrow/mesh_apart.h"

#include <math.h>

#define WIDTH SCREE_MESH_WIDTH

/* ---- leaves ---- */

/*  Any direction is valid; the face's own separates best. */
static void fill_leaf(const scree_mesh *mesh, uint32_t facet, scree_mesh_leaf *leaf, size_t place)
{
    const scree_mesh_tree *tree = &mesh->tree;
    const double *normal = mesh->normals + 3 * (size_t)facet;
    double bottom = INFINITY, top = -INFINITY;
    for (size_t c = 0; c < 3; c++) {
        size_t vertex = mesh->facets[3 * (size_t)facet + c];
        double along = 0;
        for (size_t k = 0; k < 3; k++) {
            double x = (mesh->vertices[3 * vertex + k] - tree->origin[k]) * tree->scale;
            leaf->corner[3 * c + k][place] = (float)x;
            along += normal[k] * x;
        }
        bottom = fmin(bottom, along);
        top = fmax(top, along);
    }
    for (size_t k = 0; k < 3; k++)
        leaf->across[k][place] = (float)normal[k];
    leaf->bottom[place] = (float)bottom;
    leaf->top[place] = (float)top;
}

scree_status scree_mesh_boxes_init(scree_mesh_boxes *boxes, const scree_mesh *mesh,
                                   scree_memory *memory)
{
    scree_status status;
    *boxes = (scree_mesh_boxes){.leaf_count = scree_block_count(mesh->facet_count, WIDTH)};
    if ((status =
             scree_memory_take(memory, boxes->leaf_count, sizeof *boxes->leaves, &boxes->leaves)))
        return status;
    memset(boxes->leaves + boxes->leaf_count - 1, 0, sizeof *boxes->leaves);
    for (size_t i = 0; i < mesh->facet_count; i++)
        fill_leaf(mesh, mesh->tree.facet[i], &boxes->leaves[i / WIDTH], i % WIDTH);
    scree_mesh_hold(mesh);
    boxes->mesh = mesh;
    return SCREE_OK;
}

void scree_mesh_boxes_free(scree_mesh_boxes *boxes, scree_memory *memory)
{
    scree_memory_give(memory, &boxes->leaves, boxes->leaf_count, sizeof *boxes->leaves);
    scree_mesh_release(boxes->mesh);
    boxes->mesh = NULL;
}

/* ---- from one frame to the other ---- */

/*  The same in doubles, before it is known whether floats can hold it. */
typedef struct two_frames
{
    double turn[3][3], rotation[3][3], shift[3], widen;
    double extent[3]; /* of the fixed mesh, in its units */
} two_frames;

/*  to = matrix' v */
static void turn_back(const double matrix[3][3], const double v[3], double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = matrix[0][k] * v[0] + matrix[1][k] * v[1] + matrix[2][k] * v[2];
}

/*  The largest numbers that enter positions in the world. */
static double size_in_world(const scree_mesh_body *body)
{
    double place = 0, vertex = 0;
    for (int k = 0; k < 3; k++) {
        place = fmax(place, fabs(body->pose.place[k]));
        vertex = fmax(vertex, fmax(fabs(body->mesh->lower[k]), fabs(body->mesh->upper[k])));
    }
    return place + 2 * vertex;
}

static two_frames frames_between(const scree_mesh_body *still, const scree_mesh_body *turning)
{
    const scree_mesh_tree *to = &still->mesh->tree, *from = &turning->mesh->tree;
    double way[3], across[3], column[3], begin[3], ratio = to->scale / from->scale, size = 1;
    two_frames frames;
    for (int k = 0; k < 3; k++)
        way[k] = turning->pose.place[k] - still->pose.place[k];
    turn_back(still->pose.turn, way, across);
    for (int k = 0; k < 3; k++)
        begin[k] = 0;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 3; k++)
            way[k] = turning->pose.turn[k][j];
        turn_back(still->pose.turn, way, column);
        for (int k = 0; k < 3; k++) {
            frames.rotation[k][j] = column[k];
            frames.turn[k][j] = column[k] * ratio;
            begin[k] += column[k] * from->origin[j];
        }
    }
    for (int k = 0; k < 3; k++) {
        const double *row = frames.turn[k];
        frames.shift[k] = (begin[k] + across[k] - to->origin[k]) * to->scale;
        frames.extent[k] = (still->mesh->upper[k] - to->origin[k]) * to->scale;
        size = fmax(size, 1 + fabs(frames.shift[k]) + fabs(row[0]) + fabs(row[1]) + fabs(row[2]));
    }
    frames.widen = (still->skin + turning->skin) * to->scale * (1 + 0x1p-20) + 0x1p-18 * size +
                   0x1p-40 * to->scale * (size_in_world(still) + size_in_world(turning));
    return frames;
}

/*  The box around the whole moving mesh. */
static void turn_whole(const two_frames *frames, const scree_mesh *mesh, double lower[3],
                       double upper[3])
{
    const scree_mesh_tree *tree = &mesh->tree;
    for (int k = 0; k < 3; k++) {
        double at = frames->shift[k], around = frames->widen;
        for (int j = 0; j < 3; j++) {
            double half = 0.5 * (mesh->upper[j] - tree->origin[j]) * tree->scale;
            at += frames->turn[k][j] * half;
            around += fabs(frames->turn[k][j]) * half;
        }
        lower[k] = at - around;
        upper[k] = at + around;
    }
}

/* ---- traversal ---- */

typedef struct box_walk
{
    scree_mesh_finder *finder;
    const scree_mesh_sifter *sifter;
    const scree_mesh_boxes *still, *turning;
    scree_mesh_frame frame;
    int still_top;
    int still_side; /* 0: the first body is the fixed one */
} box_walk;

/*  Compares a triangle of the moving body with those of the other. */
static scree_status offer_listed(box_walk *walk, uint32_t place, const uint32_t *list, size_t count)
{
    const uint32_t *still = walk->still->mesh->tree.facet;
    uint32_t facet = walk->turning->mesh->tree.facet[place];
    scree_status status = SCREE_OK;
    for (size_t n = 0; !status && n < count; n++)
        status = walk->still_side == 0
                     ? scree_mesh_finder_offer(walk->finder, still[list[n]], facet)
                     : scree_mesh_finder_offer(walk->finder, facet, still[list[n]]);
    return status;
}

/*  Filters listed groups for those that any of the transformed boxes can meet: these boxes together are smaller than
    the transformed box of their group. Writes the result after the list. */
static size_t narrow_list(box_walk *walk, int still_level, const scree_mesh_turned *turned,
                          int boxes, const uint32_t *list, size_t count, uint32_t *kept)
{
    const scree_mesh_tree *tree = &walk->still->mesh->tree;
    float lower[3], upper[3];
    size_t kept_count = 0;
    uint32_t above = UINT32_MAX, met = 0;
    for (int k = 0; k < 3; k++) {
        lower[k] = turned->lower[k][0];
        upper[k] = turned->upper[k][0];
        for (int i = 1; i < boxes; i++) {
            lower[k] = turned->lower[k][i] < lower[k] ? turned->lower[k][i] : lower[k];
            upper[k] = turned->upper[k][i] > upper[k] ? turned->upper[k][i] : upper[k];
        }
    }
    walk->finder->counts.boxes += count;
    /* those of one group are consecutive */
    for (size_t n = 0; n < count; n++) {
        if (list[n] / WIDTH != above) {
            above = list[n] / WIDTH;
            met = walk->sifter->meet(tree->groups + tree->level_start[still_level + 1] + above,
                                     lower, upper);
        }
        kept[kept_count] = list[n];
        kept_count += met >> list[n] % WIDTH & 1;
    }
    return kept_count;
}

/*  Compares a leaf of the moving body with those of the other that its box meets. */
static scree_status walk_leaves(box_walk *walk, uint32_t leaf, uint32_t *list, size_t count)
{
    const scree_mesh_tree *still = &walk->still->mesh->tree;
    int triangles = scree_mesh_boxes_in_group(walk->turning->mesh, 0, leaf);
    uint32_t *met = list + count;
    scree_mesh_turned_leaf turned;
    scree_status status = SCREE_OK;
    walk->sifter->turn_leaf(&walk->frame, walk->turning->leaves + leaf, &turned);
    if (walk->still_top > 0) {
        count = narrow_list(walk, 0, &turned.boxes, triangles, list, count, met);
        list = met;
        met += count;
    }
    walk->finder->counts.boxes += (uint64_t)WIDTH * (uint64_t)triangles * count;
    for (int i = 0; !status && i < triangles; i++) {
        size_t met_count = walk->sifter->sift_leaf(still->groups, walk->still->leaves, &turned, i,
                                                   list, count, met);
        status = offer_listed(walk, WIDTH * leaf + (uint32_t)i, met, met_count);
    }
    return status;
}

/*  Compares a group of the moving body with the groups of the other that its box meets: of the same level, or the root
    of the other if this level is above it. Lists of lower levels are written after the list. */
static scree_status walk_down(box_walk *walk, int level, uint32_t group, uint32_t *list,
                              size_t count)
{
    const scree_mesh_tree *still = &walk->still->mesh->tree, *turning = &walk->turning->mesh->tree;
    int still_level = level < walk->still_top ? level : walk->still_top;
    int boxes = scree_mesh_boxes_in_group(walk->turning->mesh, level, group);
    uint32_t *met = list + count;
    scree_mesh_turned turned;
    scree_status status = SCREE_OK;
    if (level == 0)
        return walk_leaves(walk, group, list, count);
    walk->sifter->turn_boxes(&walk->frame, turning->groups + turning->level_start[level] + group,
                             &turned);
    walk->finder->counts.boxes += (uint64_t)WIDTH * (uint64_t)boxes * count;
    for (int i = 0; !status && i < boxes; i++) {
        uint32_t below = WIDTH * group + (uint32_t)i;
        size_t met_count = walk->sifter->sift(still->groups + still->level_start[still_level],
                                              &turned, i, list, count, met);
        if (met_count == 0)
            continue;
        if (level > walk->still_top)
            status = walk_down(walk, level - 1, below, list, count);
        else
            status = walk_down(walk, level - 1, below, met, met_count);
    }
    return status;
}

/*  If the fixed tree is the higher one: replaces the list by its groups, of the other's highest level, that the other's
    box meets. */
static size_t go_down_alone(box_walk *walk, const two_frames *frames, uint32_t *list, size_t count)
{
    const scree_mesh_tree *tree = &walk->still->mesh->tree;
    double lower[3], upper[3];
    scree_mesh_turned whole = {.lower = {{0}}};
    turn_whole(frames, walk->turning->mesh, lower, upper);
    for (int k = 0; k < 3; k++) {
        whole.lower[k][0] = (float)lower[k];
        whole.upper[k][0] = (float)upper[k];
    }
    for (int level = walk->still_top; level >= walk->turning->mesh->tree.levels; level--) {
        uint32_t *met = list + count;
        size_t met_count = walk->sifter->sift(tree->groups + tree->level_start[level], &whole, 0,
                                              list, count, met);
        walk->finder->counts.boxes += (uint64_t)WIDTH * count;
        memmove(list, met, met_count * sizeof *list);
        count = met_count;
    }
    return count;
}

/*  Room for lists of all levels, before and after filtering: none is longer than its level, the last than the number of
    triangles. */
static scree_status reserve_lists(scree_mesh_finder *finder, const scree_mesh *still)
{
    size_t most = 2 * still->tree.group_count + still->facet_count;
    return scree_memory_reserve(finder->memory, &finder->list, &finder->list_capacity, most,
                                sizeof *finder->list);
}

static bool apart_as_wholes(const two_frames *frames, const scree_mesh *turning)
{
    double lower[3], upper[3];
    turn_whole(frames, turning, lower, upper);
    for (int k = 0; k < 3; k++)
        if (lower[k] > frames->extent[k] || upper[k] < 0)
            return true;
    return false;
}

static void set_frame(const two_frames *from, scree_mesh_frame *to)
{
    for (int k = 0; k < 3; k++) {
        for (int j = 0; j < 3; j++) {
            to->turn[k][j] = (float)from->turn[k][j];
            to->rotation[k][j] = (float)from->rotation[k][j];
        }
        to->shift[k] = (float)from->shift[k];
    }
    to->widen = (float)from->widen;
}

/*  The larger mesh is the fixed one, so that the moving one is small in its units. */
static scree_status offer_near(scree_mesh_finder *finder, const scree_mesh_body *a,
                               const scree_mesh_body *b)
{
    int still_side = a->mesh->tree.scale <= b->mesh->tree.scale ? 0 : 1;
    const scree_mesh_body *still = still_side == 0 ? a : b, *turning = still_side == 0 ? b : a;
    const two_frames frames = frames_between(still, turning);
    box_walk walk = {.finder = finder,
                     .sifter = &scree_mesh_sifters[finder->simd],
                     .still = still->boxes,
                     .turning = turning->boxes,
                     .still_top = still->mesh->tree.levels - 1,
                     .still_side = still_side};
    scree_status status;
    size_t count = 1;
    if (apart_as_wholes(&frames, turning->mesh)) {
        finder->counts.apart_as_boxes++;
        return SCREE_OK;
    }
    /* interaction range or distance so large that float boxes are useless */
    if (!(frames.widen < 0x1p30))
        return scree_mesh_finder_offer_all(finder);
    if (scree_mesh_are_apart(walk.sifter, still->boxes, turning->boxes, frames.turn, frames.shift,
                             frames.widen, &finder->counts.boxes)) {
        finder->counts.apart_by_plane++;
        return SCREE_OK;
    }
    if ((status = reserve_lists(finder, still->mesh)))
        return status;
    set_frame(&frames, &walk.frame);
    finder->list[0] = 0;
    count = go_down_alone(&walk, &frames, finder->list, count);
    if (count == 0)
        return SCREE_OK;
    return walk_down(&walk, turning->mesh->tree.levels - 1, 0, finder->list, count);
}

scree_status scree_mesh_find_boxes(scree_mesh_finder *finder, const scree_mesh_body *a,
                                   const scree_mesh_body *b)
{
    scree_status status = scree_mesh_finder_begin(finder, a, b);
    if (!status)
        status = offer_near(finder, a, b);
    return scree_mesh_finder_end(finder, status);
}
