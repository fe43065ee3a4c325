/*  Shapes as pages are told of them: what is drawn of a body lies where the body is, no more is told than may be, and
    each body has its own. */
#include "shapes.h"

#include "base/quaternion.h"
#include "test.h"

#include <math.h>

static uint32_t whole(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double single(const uint8_t *at)
{
    uint32_t bits = whole(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- the board, read again from docs/lab.md ---------------------------------------------------------------- */

#define READ_MOST 16

typedef struct told
{
    uint32_t kind, first, second;
    const uint8_t *rows; /* vertices or pebbles */
} told;

typedef struct board
{
    uint8_t *bytes;
    size_t size;
    uint32_t epoch, count, left_out;
    told shape[READ_MOST];
} board;

static void read_board(board *b)
{
    const uint8_t *at = b->bytes + 16;

    CHECK_EQUAL(whole(b->bytes), 5);
    b->epoch = whole(b->bytes + 4);
    b->count = whole(b->bytes + 8);
    b->left_out = whole(b->bytes + 12);
    for (uint32_t i = 0; i < b->count; i++) {
        told t = {whole(at), whole(at + 4), whole(at + 8), at + 12};
        if (i < READ_MOST)
            b->shape[i] = t;
        at = t.rows;
        if ((t.kind & 0xff) == 1)
            at += 12 * (size_t)t.first + 12 * (size_t)t.second;
        else if ((t.kind & 0xff) == 2)
            at += 16 * (size_t)t.first;
    }
    CHECK_EQUAL(at - b->bytes, b->size);
}

static void write_board(scree_lab_shapes *shapes, board *b)
{
    CHECK(!scree_lab_shapes_write(shapes, 7, &b->bytes, &b->size));
    read_board(b);
    CHECK_EQUAL(b->epoch, 7);
    CHECK(!shapes->is_untold);
}

/* ---- worlds ----------------------------------------------------------------------------------------------- */

static scree_world *make_world(int dimensions, scree_material_id *material)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def stuff = scree_default_material_def();
    scree_world *world;

    def.dimensions = dimensions;
    def.step.dt = 1e-4;
    CHECK(!scree_world_create(&def, &world));
    CHECK(!scree_world_add_material(world, &stuff, material));
    return world;
}

static scree_body_id add(scree_world *world, scree_material_id material, scree_shape shape,
                         double x)
{
    scree_body_def body = scree_default_body_def();
    scree_body_id id;

    body.shape = shape;
    body.material = material;
    body.position[0] = x;
    body.position[1] = 0.3;
    body.orientation[0] = 0.5;
    body.orientation[1] = x;
    body.orientation[3] = -0.4;
    CHECK(!scree_world_add_body(world, &body, &id));
    return id;
}

/*  Two spheres that lie askew, so that axes of the body are not those of the clump. */
static scree_clump *make_clump(int dimensions)
{
    static const scree_pebble pebbles[2] = {{{0.1, 0.2, 0}, 0.1}, {{0.25, 0.3, 0}, 0.05}};
    scree_clump_def def = scree_default_clump_def();
    scree_clump *clump;

    def.dimensions = dimensions;
    def.pebbles = pebbles;
    def.pebble_count = 2;
    CHECK(!scree_clump_create(&def, &clump));
    return clump;
}

static scree_mesh *make_globe(uint32_t facets)
{
    scree_globe_def def = scree_default_globe_def();
    scree_mesh *mesh;

    def.facets = facets;
    def.bumps = 1.3;
    def.elongation = 1.4;
    CHECK(!scree_mesh_globe(&def, &mesh));
    return mesh;
}

/*  A box whose corner is at the origin; inward: its facets go round the other way. */
static scree_mesh *make_box(bool inward)
{
    static const double corners[24] = {0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0,
                                       0, 0, 3, 1, 0, 3, 1, 2, 3, 0, 2, 3};
    static const uint32_t outward[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                         1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    uint32_t facets[36];
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh;

    for (int i = 0; i < 36; i++)
        facets[i] = outward[inward && i % 3 ? i - i % 3 + 3 - i % 3 : i];
    def.vertices = corners;
    def.vertex_count = 8;
    def.facets = facets;
    def.facet_count = 12;
    CHECK(!scree_mesh_create(&def, &mesh));
    return mesh;
}

static void take(scree_lab_shapes *shapes, scree_lab_cloud *cloud, scree_world *world)
{
    static const double zero[3] = {0};
    scree_bodies_view bodies = scree_world_bodies(world);

    cloud->dimensions = 3;
    cloud->grain = scree_lab_grain_of(&bodies, zero, zero);
    CHECK(!scree_lab_cloud_take(cloud, world, 0));
    CHECK(!scree_lab_shapes_take(shapes, world, cloud));
}

/* ---- what is told lies where bodies are -------------------------------------------------------------------- */

/*  A point that was told, in space. */
static void place_point(scree_world *world, scree_body_id id, const uint8_t *row, double point[3])
{
    scree_body body;

    CHECK(!scree_world_get_body(world, id, &body));
    for (int k = 0; k < 3; k++)
        point[k] = single(row + 4 * k);
    scree_quaternion_turn(body.orientation, point, point);
    for (int k = 0; k < 3; k++)
        point[k] += body.position[k];
}

/*  Against the shape's own points, put where the world says that its frame is. */
static void compare_points(scree_world *world, scree_body_id id, const told *t,
                           const double *points, size_t stride, uint32_t count)
{
    double origin[3], turn[4];

    CHECK(!scree_world_body_frame(world, id, origin, turn));
    CHECK_EQUAL(t->first, count);
    for (uint32_t i = 0; i < count; i++) {
        double is[3], should[3];
        place_point(world, id, t->rows + (t->kind == 2 ? 16 : 12) * (size_t)i, is);
        scree_quaternion_turn(turn, points + stride * i, should);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(is[k], should[k] + origin[k], 1e-6);
    }
}

static double volume_told(const told *t)
{
    const uint8_t *facets = t->rows + 12 * (size_t)t->first;
    double sum = 0;

    for (uint32_t f = 0; f < t->second; f++) {
        double v[3][3];
        for (int corner = 0; corner < 3; corner++) {
            uint32_t vertex = whole(facets + 12 * (size_t)f + 4 * corner);
            CHECK(vertex < t->first);
            for (int k = 0; k < 3; k++)
                v[corner][k] = single(t->rows + 12 * (size_t)vertex + 4 * k);
        }
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum += v[0][k] * (v[1][a] * v[2][b] - v[1][b] * v[2][a]) / 6;
        }
    }
    return sum;
}

TEST(shapes_lie_where_their_bodies_are)
{
    scree_material_id material;
    scree_world *world = make_world(3, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_clump *clump = make_clump(3);
    scree_mesh *globe = make_globe(320), *box = make_box(false), *inside_out = make_box(true);
    scree_body_id ids[6];
    board b;

    ids[0] = add(world, material, scree_shape_sphere(0.1), 0);
    ids[1] = add(world, material, scree_shape_clump(clump), 1);
    ids[2] = add(world, material, scree_shape_mesh(globe, 0.01), 3);
    ids[3] = add(world, material, scree_shape_block(box, 0.01), 8);
    ids[4] = add(world, material, scree_shape_mesh(inside_out, 0.01), 15);
    ids[5] = add(world, material, scree_shape_mesh(globe, 0.01), 20);
    take(&shapes, &cloud, world);
    CHECK(shapes.is_untold);
    static const uint32_t numbers[6] = {0, 1, 2, 3, 4, 2};
    for (int i = 0; i < 6; i++)
        CHECK_EQUAL(cloud.shape[ids[i].index1 - 1], numbers[i]);
    write_board(&shapes, &b);
    CHECK_EQUAL(b.count, 4);
    CHECK_EQUAL(b.left_out, 0);
    scree_clump_info pebbles = scree_clump_describe(clump);
    CHECK_EQUAL(b.shape[0].kind, SCREE_LAB_SHAPE_PEBBLES);
    compare_points(world, ids[1], &b.shape[0], pebbles.pebbles[0].centre,
                   sizeof(scree_pebble) / sizeof(double), 2);
    CHECK_NEAR(single(b.shape[0].rows + 28), 0.05, 1e-8);
    scree_mesh *meshes[3] = {globe, box, inside_out};
    for (int i = 0; i < 3; i++) {
        scree_mesh_info info = scree_mesh_describe(meshes[i]);
        scree_mesh_solid solid;
        const told *t = &b.shape[1 + i];
        CHECK_EQUAL(t->kind, SCREE_LAB_SHAPE_TRIANGLES);
        CHECK_EQUAL(t->second, info.facet_count);
        compare_points(world, ids[2 + i], t, info.vertices, 3, info.vertex_count);
        CHECK(!scree_mesh_solid_of(meshes[i], 1, &solid, NULL));
        /* outward, whichever way the mesh is */
        CHECK_NEAR(volume_told(t), fabs(solid.volume), 1e-5 * fabs(solid.volume));
    }
    /* nothing new, nothing to tell */
    take(&shapes, &cloud, world);
    CHECK(!shapes.is_untold);
    free(b.bytes);
    for (int i = 0; i < 3; i++)
        scree_mesh_destroy(meshes[i]);
    scree_clump_destroy(clump);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

TEST(clumps_of_discs_lie_where_their_bodies_are)
{
    scree_material_id material;
    scree_world *world = make_world(2, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_clump *clump = make_clump(2);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    board b;

    body.shape = scree_shape_clump(clump);
    body.material = material;
    body.orientation[3] = 0.7;
    CHECK(!scree_world_add_body(world, &body, &id));
    take(&shapes, &cloud, world);
    write_board(&shapes, &b);
    scree_clump_info pebbles = scree_clump_describe(clump);
    compare_points(world, id, &b.shape[0], pebbles.pebbles[0].centre,
                   sizeof(scree_pebble) / sizeof(double), 2);
    free(b.bytes);
    scree_clump_destroy(clump);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

/* ---- which body has which ---------------------------------------------------------------------------------- */

TEST(a_slot_that_is_used_again_has_another_shape)
{
    scree_material_id material;
    scree_world *world = make_world(3, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_clump *clump = make_clump(3);
    scree_body_id id = add(world, material, scree_shape_clump(clump), 0);

    take(&shapes, &cloud, world);
    CHECK_EQUAL(cloud.shape[id.index1 - 1], 1);
    CHECK(!scree_world_remove_body(world, id));
    scree_body_id next = add(world, material, scree_shape_sphere(0.1), 1);
    CHECK_EQUAL(next.index1, id.index1);
    take(&shapes, &cloud, world);
    CHECK_EQUAL(cloud.shape[next.index1 - 1], 0);
    CHECK(!scree_world_remove_body(world, next));
    id = add(world, material, scree_shape_clump(clump), 2);
    take(&shapes, &cloud, world);
    CHECK_EQUAL(cloud.shape[id.index1 - 1], 1);
    CHECK_EQUAL(shapes.count, 1);
    scree_world_destroy(world);
    /* another world: the first of whose shapes is another one, though its bodies have the same global ids */
    world = make_world(3, &material);
    shapes.is_untold = false;
    scree_lab_shapes_begin(&shapes);
    CHECK(shapes.is_untold);
    id = add(world, material, scree_shape_sphere(0.1), 0);
    take(&shapes, &cloud, world);
    CHECK_EQUAL(cloud.shape[id.index1 - 1], 0);
    CHECK_EQUAL(shapes.count, 0);
    scree_clump_destroy(clump);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

TEST(more_shapes_than_there_may_be_are_balls)
{
    scree_material_id material;
    scree_world *world = make_world(2, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_body_id id = {0};
    board b;

    for (uint32_t i = 0; i < SCREE_LAB_SHAPE_MOST + 3; i++) {
        scree_clump *clump = make_clump(2);
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_clump(clump);
        body.material = material;
        body.position[0] = i;
        CHECK(!scree_world_add_body(world, &body, &id));
        scree_clump_destroy(clump);
    }
    take(&shapes, &cloud, world);
    CHECK_EQUAL(shapes.count, SCREE_LAB_SHAPE_MOST);
    CHECK_EQUAL(cloud.shape[id.index1 - 1], 0);
    CHECK_EQUAL(cloud.shape[id.index1 - 4], SCREE_LAB_SHAPE_MOST);
    write_board(&shapes, &b);
    CHECK_EQUAL(b.count, SCREE_LAB_SHAPE_MOST);
    CHECK_EQUAL(b.left_out, 3);
    free(b.bytes);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

/* ---- no more than may be ----------------------------------------------------------------------------------- */

TEST(large_meshes_are_told_with_fewer_triangles)
{
    scree_material_id material;
    scree_world *world = make_world(3, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_mesh *globe = make_globe(81920);
    scree_mesh_solid solid;
    board b;

    add(world, material, scree_shape_mesh(globe, 0.01), 0);
    take(&shapes, &cloud, world);
    CHECK(!scree_mesh_solid_of(globe, 1, &solid, NULL));
    uint32_t most = scree_lab_shapes_share(&shapes).facets;
    write_board(&shapes, &b);
    CHECK_EQUAL(b.shape[0].kind, SCREE_LAB_SHAPE_TRIANGLES | SCREE_LAB_SHAPE_COARSE);
    CHECK(b.shape[0].second <= most && b.shape[0].second > most / 16);
    CHECK_NEAR(volume_told(&b.shape[0]), solid.volume, 0.03 * solid.volume);
    free(b.bytes);
    /* many bodies: fewer again */
    shapes.body_count = 4000;
    uint32_t fewer = scree_lab_shapes_share(&shapes).facets;
    CHECK(fewer < most);
    write_board(&shapes, &b);
    CHECK_EQUAL(b.shape[0].kind, SCREE_LAB_SHAPE_TRIANGLES | SCREE_LAB_SHAPE_COARSE);
    CHECK(b.shape[0].second <= fewer && b.shape[0].second > 100);
    CHECK_NEAR(volume_told(&b.shape[0]), solid.volume, 0.1 * solid.volume);
    free(b.bytes);
    scree_mesh_destroy(globe);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

TEST(where_bodies_become_many_shapes_are_told_again)
{
    scree_material_id material;
    scree_world *world = make_world(3, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_mesh *globe = make_globe(80);
    board b;

    add(world, material, scree_shape_mesh(globe, 0.01), 0);
    take(&shapes, &cloud, world);
    write_board(&shapes, &b);
    free(b.bytes);
    for (int i = 0; i < 300; i++)
        add(world, material, scree_shape_sphere(0.1), 5 + i);
    take(&shapes, &cloud, world);
    CHECK(shapes.is_untold);
    write_board(&shapes, &b);
    free(b.bytes);
    add(world, material, scree_shape_sphere(0.1), 500);
    take(&shapes, &cloud, world);
    CHECK(!shapes.is_untold);
    scree_mesh_destroy(globe);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

TEST(of_many_pebbles_the_largest_are_told)
{
    enum
    {
        MANY = 3000
    };
    static scree_pebble pebbles[MANY];
    scree_clump_mass mass = {.volume = 1, .inertia = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    scree_clump_def def = scree_default_clump_def();
    scree_material_id material;
    scree_world *world = make_world(3, &material);
    scree_lab_shapes shapes = {0};
    scree_lab_cloud cloud = {0};
    scree_clump *clump;
    board b;

    for (int i = 0; i < MANY; i++)
        pebbles[i] = (scree_pebble){{0.001 * i, 0, 0}, 0.001 + 1e-6 * (i * 7 % MANY)};
    def.pebbles = pebbles;
    def.pebble_count = MANY;
    def.mass = &mass;
    CHECK(!scree_clump_create(&def, &clump));
    add(world, material, scree_shape_clump(clump), 0);
    take(&shapes, &cloud, world);
    write_board(&shapes, &b);
    uint32_t most = scree_lab_shapes_share(&shapes).pebbles;
    CHECK_EQUAL(b.shape[0].kind, SCREE_LAB_SHAPE_PEBBLES | SCREE_LAB_SHAPE_COARSE);
    CHECK_EQUAL(b.shape[0].first, most);
    CHECK(most < MANY);
    for (uint32_t i = 0; i < most; i++)
        CHECK(single(b.shape[0].rows + 16 * (size_t)i + 12) >
              0.001 + 1e-6 * (MANY - 1 - most) - 1e-9);
    free(b.bytes);
    scree_clump_destroy(clump);
    scree_lab_shapes_free(&shapes);
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(shapes_lie_where_their_bodies_are),
        CASE(clumps_of_discs_lie_where_their_bodies_are),
        CASE(a_slot_that_is_used_again_has_another_shape),
        CASE(more_shapes_than_there_may_be_are_balls),
        CASE(large_meshes_are_told_with_fewer_triangles),
        CASE(where_bodies_become_many_shapes_are_told_again),
        CASE(of_many_pebbles_the_largest_are_told),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
