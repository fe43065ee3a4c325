/*  Encodes shapes as bytes: triangles and pebbles in the frame of their bodies, as many as a page can draw in every
    picture. */
#include "bytes.h"
#include "coarse.h"
#include "shapes.h"

#include "base/quaternion.h"

#include <stdlib.h>
#include <string.h>

#define FACETS_MOST 20000u    /* of one shape */
#define FACETS_ALL 400000u    /* of all */
#define FACETS_DRAWN 2000000u /* of all bodies, about */
#define FACETS_LEAST 320u     /* lower limit per shape, however many shapes there are */
#define PEBBLES_MOST 2000u    /* of one clump */
#define PEBBLES_DRAWN 1000000u
#define PEBBLES_LEAST 20u
#define BOARD_HEAD 16u
#define SHAPE_HEAD 12u

/*  A growing buffer of bytes. */
typedef struct sheet
{
    uint8_t *bytes;
    size_t count, room;
} sheet;

/*  Reserves so many more bytes; NULL: out of memory. */
static uint8_t *grow(sheet *s, size_t more)
{
    if (s->room - s->count < more) {
        size_t room = s->room + s->room / 2 + more;
        uint8_t *grown = realloc(s->bytes, room);
        if (!grown)
            return NULL;
        s->bytes = grown;
        s->room = room;
    }
    s->count += more;
    return s->bytes + s->count - more;
}

static uint8_t *put_head(uint8_t *at, uint32_t kind, uint32_t first, uint32_t second)
{
    return scree_lab_put_whole(scree_lab_put_whole(scree_lab_put_whole(at, kind), first), second);
}

/*  Pose of the bodies' frame in that of the shape. */
typedef struct frame
{
    double origin[3], axes[4];
} frame;

static uint8_t *put_point(const frame *f, const double point[3], uint8_t *at)
{
    double arm[3];

    for (int k = 0; k < 3; k++)
        arm[k] = point[k] - f->origin[k];
    scree_quaternion_turn_back(f->axes, arm, arm);
    for (int k = 0; k < 3; k++)
        at = scree_lab_put_float(at, (float)arm[k]);
    return at;
}

/* ---- triangles ------------------------------------------------------------------------------------------- */

/*  All are counter-clockwise seen from outside. */
static bool put_facets(sheet *s, const lab_coarse *m, const scree_mesh_solid *solid, uint32_t kind)
{
    size_t vertices = m->vertex_count, corners = 3 * (size_t)m->facet_count;
    uint8_t *at = grow(s, SHAPE_HEAD + 12 * vertices + 4 * corners);
    frame f;

    if (!at)
        return false;
    memcpy(f.origin, solid->centre, sizeof f.origin);
    memcpy(f.axes, solid->orientation, sizeof f.axes);
    at = put_head(at, kind, m->vertex_count, m->facet_count);
    for (size_t i = 0; i < vertices; i++)
        at = put_point(&f, m->vertices + 3 * i, at);
    for (size_t i = 0; i < corners; i++) {
        size_t corner = solid->inward && i % 3 ? i - i % 3 + 3 - i % 3 : i;
        at = scree_lab_put_whole(at, m->facets[corner]);
    }
    return true;
}

/*  Segments as triangles at one of its corners, two of them without area; counter-clockwise seen from above. */
static bool put_polygon(sheet *s, const scree_mesh_info *info, const scree_mesh_solid *solid)
{
    size_t vertices = info->vertex_count, sides = info->facet_count;
    uint8_t *at = grow(s, SHAPE_HEAD + 12 * vertices + 12 * sides);
    frame f;

    if (!at)
        return false;
    memcpy(f.origin, solid->centre, sizeof f.origin);
    memcpy(f.axes, solid->orientation, sizeof f.axes);
    at = put_head(at, SCREE_LAB_SHAPE_TRIANGLES, info->vertex_count, info->facet_count);
    for (size_t i = 0; i < vertices; i++)
        at = put_point(&f, info->vertices + 3 * i, at);
    for (size_t i = 0; i < sides; i++) {
        at = scree_lab_put_whole(at, info->facets[0]);
        at = scree_lab_put_whole(at, info->facets[2 * i + !solid->inward]);
        at = scree_lab_put_whole(at, info->facets[2 * i + solid->inward]);
    }
    return true;
}

static bool put_ball(sheet *s)
{
    uint8_t *at = grow(s, SHAPE_HEAD);

    if (at)
        put_head(at, SCREE_LAB_SHAPE_BALL, 0, 0);
    return at != NULL;
}

/*  The original triangles, or simplified ones. */
static bool put_triangles(sheet *s, const scree_shape *shape, uint32_t most)
{
    scree_mesh_info info = scree_mesh_describe(shape->mesh);
    scree_mesh_solid solid;
    lab_coarse coarse;

    if (scree_mesh_solid_of(shape->mesh, 1, &solid, NULL))
        return put_ball(s);
    if (info.corners == 2)
        return info.facet_count <= most ? put_polygon(s, &info, &solid) : put_ball(s);
    if (info.facet_count <= most) {
        /* only read */
        lab_coarse whole = {(double *)(uintptr_t)info.vertices, (uint32_t *)(uintptr_t)info.facets,
                            info.vertex_count, info.facet_count};
        return put_facets(s, &whole, &solid, SCREE_LAB_SHAPE_TRIANGLES);
    }
    if (scree_lab_coarse_make(&info, solid.area, most, &coarse))
        return put_ball(s);
    bool good =
        coarse.facet_count == 0
            ? put_ball(s)
            : put_facets(s, &coarse, &solid, SCREE_LAB_SHAPE_TRIANGLES | SCREE_LAB_SHAPE_COARSE);
    scree_lab_coarse_free(&coarse);
    return good;
}

/* ---- pebbles --------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
    double first = ((const scree_pebble *)a)->radius, second = ((const scree_pebble *)b)->radius;
    return (first < second) - (first > second);
}

static bool put_pebbles(sheet *s, const scree_shape *shape, uint32_t most)
{
    scree_clump_info info = scree_clump_describe(shape->clump);
    uint32_t count = info.pebble_count < most ? info.pebble_count : most;
    uint32_t kind =
        SCREE_LAB_SHAPE_PEBBLES | (count < info.pebble_count ? SCREE_LAB_SHAPE_COARSE : 0);
    scree_pebble *pebbles = malloc(info.pebble_count * sizeof *pebbles);
    uint8_t *at = pebbles ? grow(s, SHAPE_HEAD + 16 * (size_t)count) : NULL;
    frame f;

    if (at) {
        scree_shape_frame(shape, f.origin, f.axes, NULL);
        memcpy(pebbles, info.pebbles, info.pebble_count * sizeof *pebbles);
        if (count < info.pebble_count)
            qsort(pebbles, info.pebble_count, sizeof *pebbles, by_size);
        at = put_head(at, kind, count, 0);
        for (uint32_t i = 0; i < count; i++)
            at =
                scree_lab_put_float(put_point(&f, pebbles[i].centre, at), (float)pebbles[i].radius);
    }
    free(pebbles);
    return at != NULL;
}

/* ---- the shapes board ------------------------------------------------------------------------------------ */

static uint32_t between(size_t least, size_t value, size_t most)
{
    return (uint32_t)(value < least ? least : value > most ? most : value);
}

struct scree_lab_share scree_lab_shapes_share(const scree_lab_shapes *shapes)
{
    size_t by_bodies = FACETS_DRAWN / (shapes->body_count + 1);
    size_t by_shapes = FACETS_ALL / (shapes->count + 1);
    size_t facets = by_bodies < by_shapes ? by_bodies : by_shapes;

    return (struct scree_lab_share){
        between(FACETS_LEAST, facets, FACETS_MOST),
        between(PEBBLES_LEAST, PEBBLES_DRAWN / (shapes->body_count + 1), PEBBLES_MOST)};
}

scree_status scree_lab_shapes_write(scree_lab_shapes *shapes, uint32_t epoch, uint8_t **bytes,
                                    size_t *count)
{
    sheet s = {0};
    struct scree_lab_share share = scree_lab_shapes_share(shapes);
    uint8_t *at = grow(&s, BOARD_HEAD);
    bool good = at != NULL;

    if (good) {
        at = put_head(at, SCREE_LAB_SHAPES_KIND, epoch, (uint32_t)shapes->count);
        scree_lab_put_whole(at, (uint32_t)shapes->left_out);
    }
    for (size_t i = 0; i < shapes->count && good; i++) {
        const scree_shape *shape = &shapes->shape[i];
        good = shape->kind == SCREE_SHAPE_CLUMP ? put_pebbles(&s, shape, share.pebbles)
                                                : put_triangles(&s, shape, share.facets);
    }
    if (!good) {
        free(s.bytes);
        return SCREE_OUT_OF_MEMORY;
    }
    shapes->told = share;
    shapes->is_untold = false;
    *bytes = s.bytes;
    *count = s.count;
    return SCREE_OK;
}
