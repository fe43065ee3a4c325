/*  Two convex blocks: distance, normal and points against the slow reference in block_pair.h, and what is known by heart: boxes on
    boxes, corners, edges, planes. As many poses as one likes: ./do campaign blocks, ./do campaign grazing. */
#include "harness/block_pair.h"

#include "harness/failing_allocator.h"
#include "harness/mesh_maker.h"

static block_stock stock;

TEST(poses_by_chance)
{
    block_tally tally = {0};
    uint64_t poses = TEST_EFFORT(1500, 10000);

    for (uint64_t seed = 0; seed < poses; seed++) {
        const char *why = try_blocks(&stock, seed, &tally);
        if (why)
            FAIL("pose %llu: %s", (unsigned long long)seed, why);
    }
    CHECK(tally.touching > poses / 4 && tally.overlapping > poses / 8);
    CHECK(tally.touching - tally.overlapping > poses / 200);
}

/*  Edge along edge but for 1e-4 to nothing, deep or apart by as little: what a rounding makes of a sharp edge or a steep wall. */
TEST(poses_where_little_decides)
{
    block_tally tally = {0};
    uint64_t poses = TEST_EFFORT(1500, 10000);

    for (uint64_t seed = 0; seed < poses; seed++) {
        const char *why = try_grazing(&stock, seed, &tally);
        if (why)
            FAIL("pose %llu: %s", (unsigned long long)seed, why);
    }
    CHECK(tally.touching > poses / 2 && tally.overlapping > poses / 3);
    CHECK(tally.touching - tally.overlapping > poses / 10);
}

/*  Faces on faces, askew by 1e-7: two points in one place, of which the deeper was dropped, and a way between nearest points that was
    off by what their distance squared does not tell. */
TEST(deepest_points_are_kept)
{
    static const uint64_t seeds[] = {375205, 591546, 895833, 929904};
    block_tally tally = {0};

    for (size_t k = 0; k < sizeof seeds / sizeof *seeds; k++) {
        const char *why = try_blocks(&stock, seeds[k], &tally);
        if (why)
            FAIL("pose %llu: %s", (unsigned long long)seeds[k], why);
    }
    CHECK_EQUAL(tally.touching, 4);
}

static scree_block_body box_at(double x, double y, double z)
{
    const double at[3] = {x, y, z}, q[4] = {1, 0, 0, 0};
    return (scree_block_body){&stock.blocks[0].convex, scree_mesh_pose_of(at, q)};
}

static double weight_of_all(void)
{
    double sum = 0;
    for (size_t n = 0; n < stock.work.count; n++)
        sum += stock.work.points[n].weight;
    return sum;
}

/*  A cube of side 1 on another. */
TEST(boxes_on_boxes)
{
    scree_block_contact *work = &stock.work;
    scree_block_body bodies[2] = {box_at(0, 0, 0), box_at(0, 0, 0.999)};

    CHECK_EQUAL(stock.blocks[0].convex.face_count, 6);
    CHECK_EQUAL(stock.blocks[0].convex.edge_count, 12);
    CHECK_EQUAL(stock.blocks[0].convex.corner_count, 8);
    CHECK_NEAR(stock.blocks[0].convex.inner, 0.5, 1e-15);
    /* corners lie on corners: four points, though both have four */
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.1));
    CHECK_EQUAL(work->count, 4);
    CHECK_NEAR(work->distance, -0.001, 1e-15);
    CHECK_NEAR(work->normal[2], 1, 1e-15);
    CHECK_NEAR(weight_of_all(), 4, 1e-12);
    /* out of reach, and just within */
    bodies[1] = box_at(0, 0, 1.01);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0.01, 0.1));
    CHECK_EQUAL(work->count, 0);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0.0101, 0.1));
    CHECK_EQUAL(work->count, 4);
    /* a quarter of the face is shared */
    bodies[1] = box_at(0.5, 0.5, 0.999);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.1));
    CHECK_EQUAL(work->count, 4);
    CHECK_NEAR(weight_of_all(), 4, 1e-12);
    /* turned by 45 degrees about z: eight crossings */
    bodies[1] = box_at(0, 0, 0.999);
    const double q[4] = {0.92387953251128674, 0, 0, 0.38268343236508978}, at[3] = {0, 0, 0.999};
    bodies[1].pose = scree_mesh_pose_of(at, q);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.1));
    CHECK_EQUAL(work->count, 8);
    CHECK_NEAR(weight_of_all(), 6, 1e-12);
}

/*  Edges in faces that lie on each other cross anywhere where they are nearly parallel, and count for nothing there; two ridges that
    are, and touch nowhere else, count like any point. */
TEST(edges_along_each_other)
{
    scree_block_contact *work = &stock.work;
    scree_block_body bodies[2] = {box_at(0, 0, 0), box_at(0, 0, 0)};
    const double at[3] = {1e-5, 0, 0.999}, angle = 1e-4;
    const double q[4] = {cos(angle / 2), 0, 0, sin(angle / 2)};
    double before = 0;

    bodies[1].pose = scree_mesh_pose_of(at, q);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.05));
    CHECK(work->count > 4);
    CHECK_NEAR(weight_of_all(), 4, 1e-3);
    /* ridge on ridge, turned against each other by less and less */
    for (int k = 0; k < 20; k++) {
        double turn = 0.7 * pow(0.5, k), half = sqrt(0.5), gap = 1e-3;
        const double roll[4] = {0.92387953251128674, 0.38268343236508978, 0, 0}, low[3] = {0, 0, 0};
        const double high[3] = {0, 0, 2 * half + gap};
        double yaw[4] = {cos(turn / 2), 0, 0, sin(turn / 2)}, both[4];
        bodies[0].pose = scree_mesh_pose_of(low, roll);
        both[0] = yaw[0] * roll[0];
        both[1] = yaw[0] * roll[1];
        both[2] = yaw[3] * roll[1];
        both[3] = yaw[3] * roll[0];
        bodies[1].pose = scree_mesh_pose_of(high, both);
        CHECK(!scree_block_find(work, &stock.memory, bodies, 2e-3, 0.05));
        CHECK_NEAR(work->distance, gap, 1e-12);
        CHECK(weight_of_all() > 1 - 1e-12 && weight_of_all() > before - 0.2);
        before = weight_of_all();
    }
}

/*  As it would be after a turn of all. */
static void turn_pose(const double by[3][3], scree_mesh_pose *pose)
{
    const scree_mesh_pose old = *pose;

    for (int i = 0; i < 3; i++) {
        pose->place[i] = scree_dot(by[i], old.place);
        for (int j = 0; j < 3; j++) {
            const double column[3] = {old.turn[0][j], old.turn[1][j], old.turn[2][j]};
            pose->turn[i][j] = scree_dot(by[i], column);
        }
    }
}

/*  A ridge in a ridge, both a right angle, that cross where the first is 0.1 from its end: of the difference the facet of both is a
    sliver, from whose nearest side that is 0.1 times their sine, and beside which are those of faces. */
TEST(ridges_nearly_along_each_other)
{
    scree_block_contact *work = &stock.work;
    const double depth = 1e-8, low[3] = {0, 0, 0}, high[3] = {0.4, 0, 2 * sqrt(0.5) - depth};
    const double roll[4] = {cos(0.39269908169872414), sin(0.39269908169872414), 0, 0};
    const double any[4] = {0.3, -0.5, 0.7, 0.4};
    const scree_mesh_pose turned = scree_mesh_pose_of(low, any);

    for (int k = 2; k < 16; k++) {
        scree_block_body bodies[2] = {box_at(0, 0, 0), box_at(0, 0, 0)};
        double turn = pow(10, -k), sliver = sqrt(0.5) * (depth + 0.1 * sin(turn)), deepest = 0;
        const double c = cos(turn / 2), d = sin(turn / 2);
        const double both[4] = {c * roll[0], c * roll[1], d * roll[1], d * roll[0]};
        bodies[0].pose = scree_mesh_pose_of(low, roll);
        bodies[1].pose = scree_mesh_pose_of(high, both);
        for (int s = 0; s < 2; s++)
            turn_pose(turned.turn, &bodies[s].pose);
        CHECK(!scree_block_find(work, &stock.memory, bodies, 0, 0.05));
        CHECK_NEAR(work->distance, -fmin(depth, sliver), 1e-14);
        for (size_t n = 0; n < work->count; n++)
            deepest = fmin(deepest, work->points[n].gap);
        CHECK_NEAR(deepest, work->distance, 1e-11);
    }
}

/*  Corner over corner and corner beside edge: there is no axis of faces or edges that has the distance. */
TEST(corners_are_round)
{
    scree_block_contact *work = &stock.work;
    scree_block_body bodies[2] = {box_at(0, 0, 0), box_at(1.1, 1.2, 1.3)};

    CHECK(!scree_block_find(work, &stock.memory, bodies, 0.5, 0.1));
    CHECK_EQUAL(work->count, 1);
    CHECK_NEAR(work->distance, sqrt(0.14), 1e-14);
    bodies[1] = box_at(0.2, 1.2, 1.3);
    CHECK(!scree_block_find(work, &stock.memory, bodies, 0.5, 0.1));
    CHECK_NEAR(work->distance, sqrt(0.13), 1e-14);
    CHECK_EQUAL(work->count, 2);
}

TEST(planes)
{
    scree_block_contact *work = &stock.work;
    scree_block_body body = box_at(3, 4, 0.49);
    const double point[3] = {100, 0, 0}, up[3] = {0, 0, 1};

    CHECK(!scree_block_find_plane(work, &stock.memory, &body, point, up, 0, 0.1));
    CHECK_EQUAL(work->count, 4);
    CHECK_NEAR(work->distance, -0.01, 1e-15);
    CHECK_NEAR(weight_of_all(), 4, 1e-12);
    CHECK_EQUAL(work->normal[2], -1);
    CHECK_NEAR(work->points[0].point[1][2], 0, 1e-15);
    body = box_at(3, 4, 0.51);
    CHECK(!scree_block_find_plane(work, &stock.memory, &body, point, up, 0, 0.1));
    CHECK_EQUAL(work->count, 0);
}

/*  A box whose corner is cut off at a length that goes to 0: its two points have what one had, all the way. */
TEST(near_points_share)
{
    scree_block_body bodies[2] = {box_at(0, 0, 0), box_at(0, 0, 0.999)};
    double before = 2;

    CHECK(!scree_block_find(&stock.work, &stock.memory, bodies, 0, 0.1));
    for (int n = 0; n < 40; n++) {
        double cut = 0.3 * pow(0.7, n), sum = 0;
        scree_block_point points[2] = {{.gap = -0.01, .share = 1}, {.gap = -0.01, .share = 1}};
        points[1].point[0][0] = cut;
        stock.work.points[0] = points[0];
        stock.work.points[1] = points[1];
        stock.work.count = 2;
        scree_block_weigh(&stock.work, 0, 0.1, 1e-9);
        sum = weight_of_all();
        CHECK(n > 3 || fabs(sum - 2) < 1e-12);
        CHECK(sum <= before + 1e-12);
        before = sum;
    }
    CHECK_NEAR(before, 1, 1e-6);
}

static scree_status convex_of(const double *points, uint32_t count, const uint32_t *facets,
                              uint32_t facet_count, scree_convex *convex, scree_error *why)
{
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh_solid solid;
    scree_mesh *mesh;

    def.vertices = points;
    def.vertex_count = count;
    def.facets = facets;
    def.facet_count = facet_count;
    CHECK(!scree_mesh_create(&def, &mesh));
    CHECK(!scree_mesh_solid_of(mesh, 1, &solid, why));
    scree_status status =
        scree_convex_init(convex, mesh, solid.inward, solid.centre, &stock.memory, why);
    scree_mesh_destroy(mesh);
    return status;
}

/*  A tetrahedron inside out is the same block; one with a dent, and two at once, are none. */
TEST(what_is_convex)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1,
                             5, 0, 0, 6, 0, 0, 5, 1, 0, 5, 0, 1};
    const double dented[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.2, 0.2, 0.2};
    const uint32_t outward[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
                                4, 6, 5, 4, 5, 7, 5, 6, 7, 6, 4, 7};
    const uint32_t inward[] = {0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0};
    const uint32_t dent[] = {0, 2, 1, 0, 1, 3, 2, 0, 3, 1, 2, 4, 2, 3, 4, 3, 1, 4};
    scree_error why = {SCREE_OK, ""};
    scree_convex a, b;

    CHECK(!convex_of(points, 4, outward, 4, &a, &why));
    CHECK(!convex_of(points, 4, inward, 4, &b, &why));
    for (uint32_t e = 0; e < a.edge_count; e++) {
        double across[3], along[3];
        scree_cross(a.face[a.edge[e].face[0]], a.face[a.edge[e].face[1]], across);
        memcpy(along, a.along[e], sizeof along);
        CHECK(scree_dot(across, along) > 0);
        scree_cross(b.face[b.edge[e].face[0]], b.face[b.edge[e].face[1]], across);
        CHECK(scree_dot(across, b.along[e]) > 0);
    }
    scree_convex_free(&a, &stock.memory);
    scree_convex_free(&b, &stock.memory);
    CHECK_EQUAL(convex_of(points, 8, outward, 8, &a, &why), SCREE_BAD_VALUE);
    CHECK(strstr(why.text, "several parts"));
    scree_convex_free(&a, &stock.memory);
    CHECK_EQUAL(convex_of(dented, 5, dent, 6, &a, &why), SCREE_BAD_VALUE);
    CHECK(strstr(why.text, "it is not convex"));
    scree_convex_free(&a, &stock.memory);
}

/*  Edges of a block have numbers of 16 bits. */
TEST(blocks_may_be_too_fine)
{
    scree_globe_def def = scree_default_globe_def();
    scree_error why = {SCREE_OK, ""};
    const double origin[3] = {0, 0, 0};
    scree_convex convex;
    scree_mesh *mesh;

    if (TEST_IS_SLOW)
        return;
    def.kind = SCREE_GLOBE_ICO;
    def.facets = 20 * 47 * 47;
    CHECK(!scree_mesh_globe(&def, &mesh));
    CHECK_EQUAL(scree_convex_init(&convex, mesh, false, origin, &stock.memory, &why),
                SCREE_TOO_LARGE);
    CHECK(strstr(why.text, "edges, at most 65535"));
    scree_convex_free(&convex, &stock.memory);
    scree_mesh_destroy(mesh);
}

static scree_status find_all(const scree_allocator *hooks, scree_memory *memory)
{
    const double origin[3] = {0, 0, 0}, up[3] = {0, 0, 1};
    scree_block_contact work = {.count = 0};
    scree_convex convex;
    scree_error why = {SCREE_OK, ""};
    scree_status status;

    CHECK(!scree_memory_init(memory, hooks));
    status = scree_convex_init(&convex, stock.blocks[0].mesh, false, origin, memory, &why);
    CHECK(!status || strstr(why.text, "out of memory"));
    scree_block_body bodies[2] = {{&convex, box_at(0, 0, 0).pose},
                                  {&convex, box_at(1.1, 1.2, 1.3).pose}};
    if (!status)
        status = scree_block_find(&work, memory, bodies, 0.5, 0.1);
    bodies[1].pose = box_at(0.3, 0.2, 0.99).pose;
    if (!status)
        status = scree_block_find(&work, memory, bodies, 0, 0.1);
    if (!status)
        status = scree_block_find_plane(&work, memory, &bodies[0], origin, up, 2, 0.1);
    scree_block_contact_free(&work, memory);
    if (!status)
        status = scree_block_find_plane(&work, memory, &bodies[0], origin, up, 2, 0.1);
    scree_block_contact_free(&work, memory);
    scree_convex_free(&convex, memory);
    return status;
}

TEST(memory_may_fail_at_any_time)
{
    for (size_t k = 1;; k++) {
        failing_allocator failing = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&failing);
        scree_memory memory;
        scree_status status = find_all(&hooks, &memory);
        CHECK_EQUAL(status, failing.requests < k ? SCREE_OK : SCREE_OUT_OF_MEMORY);
        CHECK(failing_allocator_is_clean(&failing));
        if (failing.requests < k)
            break;
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(poses_by_chance),         CASE(poses_where_little_decides),
        CASE(deepest_points_are_kept), CASE(boxes_on_boxes),
        CASE(edges_along_each_other),  CASE(ridges_nearly_along_each_other),
        CASE(corners_are_round),       CASE(planes),
        CASE(near_points_share),       CASE(what_is_convex),
        CASE(blocks_may_be_too_fine),  CASE(memory_may_fail_at_any_time),
    };
    if (!make_blocks(&stock))
        return 1;
    int code = test_main(argc, argv, tests, sizeof tests / sizeof *tests);
    free_blocks(&stock);
    return code;
}
