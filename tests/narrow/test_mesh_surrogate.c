/*  Touching triangles by surrogate trees: the same as by comparing all pairs, bit for bit, for meshes that are not convex and
    however deep they are in each other; halos that are apart mean that what is in them is; and how much is compared. */
#include "surrogate_bodies.h"

#include "base/quaternion.h"
#include "harness/failing_allocator.h"

/* ---- Lemma 5.1 ---- */

static void check_poses(uint32_t cuts, int poses, double skin, uint64_t seed, size_t *touching)
{
    searchers s;
    maker m[2] = {maker_bumpy(cuts, 1.5, seed),
                  seed % 3 ? maker_bumpy(cuts + 1, 1.2, seed + 1) : maker_egg(cuts, 2.6)};
    body a = body_new(&m[0], seed % 2, skin), b = body_new(&m[1], true, skin * 0.5);
    searchers_begin(&s, SCREE_SIMD_AUTO);
    for (int n = 0; n < poses; n++) {
        scree_random random = scree_random_stream(seed, (uint64_t)n);
        double apart = n % 4 == 0 ? 0.1 : n % 4 == 1 ? 0.4 : 0.75;
        random_pose(&random, apart, &a.body.pose);
        random_pose(&random, apart, &b.body.pose);
        CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
        for (int way = 0; way < (n % 8 ? 1 : 6); way++) {
            s.search.traversal = (scree_surrogate_traversal)((n + way) % 3);
            s.search.method = way < 3 ? SCREE_TRIANGLES_CERTIFIED : SCREE_TRIANGLES_COMPARISON;
            find(&s, &a, &b);
            check_same_contacts(&s, (uint64_t)n);
        }
        *touching += s.truth.contact_count > 0;
    }
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

TEST(the_contacts_of_all_pairs)
{
    PROVES("NW-22");
    size_t touching = 0;
    int share = TEST_EFFORT(20, 1);
    check_poses(1, 6000 / share, 0.02, 1, &touching);
    check_poses(2, 3600 / share, 0.01, 3, &touching);
    check_poses(3, 600 / share, 0.01, 4, &touching);
    check_poses(5, 100 / share, 1e-3, 5, &touching);
    check_poses(8, 12 / share + 1, 0.01, 6, &touching);
    FIGURE("%d poses, %zu of them touching, the same contacts", 10312 / share + 1, touching);
    CHECK(touching > 4000 / (size_t)share);
}

/*  Far from the origin, tiny and huge, and with halos much smaller and larger than triangles. */
TEST(the_contacts_at_every_scale_and_place)
{
    static const double scale[] = {1e-6, 1e6, 1, 1, 1, 1},
                        halo[] = {0.01, 0.01, 1e-9, 2, 0.01, 1e-7};
    static const double far[] = {0, 0, 0, 0, 1e6, 1e9};
    searchers s;
    searchers_begin(&s, SCREE_SIMD_AUTO);
    for (int n = 0; n < 6; n++) {
        maker m[2] = {maker_bumpy(3, 1.5, 1), maker_bumpy(2, 1.5, 2)};
        for (int k = 0; k < 2; k++)
            for (size_t v = 0; v < 3 * (size_t)m[k].vertex_count; v++)
                m[k].vertex[v] *= scale[n];
        body a = body_new(&m[0], true, halo[n] * scale[n]), b = body_new(&m[1], true, 0);
        size_t touching = 0;
        for (int p = 0; p < 120; p++) {
            scree_random random = scree_random_stream(9, (uint64_t)p);
            random_pose(&random, 0.6 * scale[n], &a.body.pose);
            random_pose(&random, 0.6 * scale[n], &b.body.pose);
            for (int k = 0; k < 3; k++) {
                a.body.pose.place[k] += far[n];
                b.body.pose.place[k] += far[n];
            }
            s.search.traversal = (scree_surrogate_traversal)(p % 3);
            CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
            touching += find(&s, &a, &b) > 0;
            check_same_contacts(&s, (uint64_t)p);
        }
        CHECK(touching > 20);
        body_free(&a);
        body_free(&b);
    }
    searchers_end(&s);
}

static void placed_facet(const body *b, uint32_t facet, double corner[3][3])
{
    for (size_t c = 0; c < 3; c++)
        scree_mesh_place(&b->body.pose,
                         b->mesh->vertices + 3 * (size_t)b->mesh->facets[3 * (size_t)facet + c],
                         corner[c]);
}

/*  Of all facets, in double. */
static double min_distance(const body *a, const body *b)
{
    double least = INFINITY, first[3][3], second[3][3];
    for (uint32_t i = 0; i < a->mesh->facet_count; i++)
        for (uint32_t j = 0; j < b->mesh->facet_count; j++) {
            placed_facet(a, i, first);
            placed_facet(b, j, second);
            least = fmin(least, scree_triangle_distance((const double(*)[3])first,
                                                        (const double(*)[3])second)
                                    .distance);
        }
    return least;
}

/*  Two triangles whose distance is the sum of halos, but for an ulp: what the double says. */
TEST(one_ulp_either_side)
{
    searchers s;
    searchers_begin(&s, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < 200; n++) {
        maker m[2] = {maker_bumpy(2, 1.5, n % 5), maker_bumpy(2, 1.5, 7 + n % 4)};
        body a = body_new(&m[0], true, 0), b = body_new(&m[1], true, 0);
        scree_random random = scree_random_stream(11, n);
        double reach;
        size_t least = 1, most = 0;
        random_pose(&random, 0.7, &a.body.pose);
        random_pose(&random, 1.5, &b.body.pose);
        reach = min_distance(&a, &b);
        if (reach == 0) {
            body_free(&a), body_free(&b);
            continue;
        }
        for (int ulp = 0; ulp < 4; ulp++)
            reach = nextafter(reach, 0);
        for (int ulp = 0; ulp < 9; ulp++) {
            a.body.skin = reach;
            CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
            s.search.method = ulp % 2 ? SCREE_TRIANGLES_COMPARISON : SCREE_TRIANGLES_CERTIFIED;
            find(&s, &a, &b);
            check_same_contacts(&s, n);
            least = s.truth.contact_count < least ? s.truth.contact_count : least;
            most = s.truth.contact_count > most ? s.truth.contact_count : most;
            reach = nextafter(reach, INFINITY);
        }
        CHECK(least == 0 && most > 0);
        body_free(&a);
        body_free(&b);
    }
    searchers_end(&s);
}

TEST(single_triangles_and_large_ones)
{
    static const double wide[3][3] = {{-9, -8, 0.6}, {9, -8, 0.6}, {0, 15, 0.6}};
    searchers s;
    maker m[2] = {maker_new(3, 1), maker_bumpy(4, 1.3, 1)};
    body a, b;
    for (int c = 0; c < 3; c++)
        maker_vertex(&m[0], wide[c][0], wide[c][1], wide[c][2]);
    maker_facet(&m[0], 0, 1, 2);
    a = body_new(&m[0], true, 0.01);
    b = body_new(&m[1], true, 0.01);
    searchers_begin(&s, SCREE_SIMD_AUTO);
    for (uint64_t n = 0; n < 60; n++) {
        scree_random random = scree_random_stream(13, n);
        random_pose(&random, 0, &b.body.pose);
        random_pose(&random, 0, &a.body.pose);
        s.search.traversal = (scree_surrogate_traversal)(n % 3);
        CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
        find(&s, &a, &b);
        check_same_contacts(&s, n);
        CHECK(scree_mesh_find_all(&s.truth, &b.body, &a.body) == SCREE_OK);
        find(&s, &b, &a);
        check_same_contacts(&s, n);
        find(&s, &a, &a);
        CHECK_EQUAL(s.finder.contact_count, 1);
    }
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

/* ---- halos that are apart ---- */

/*  Bodies are moved so that two surrogates are apart by just more than their halos; then all that they stand for must be
    apart by more than the bodies' own. */
static void check_nodes(const body *a, const body *b, uint32_t i, uint32_t j, double halo)
{
    const scree_surrogate_node *first = &a->tree->nodes[i], *second = &b->tree->nodes[j];
    double reach = first->radius + second->radius + 2 * halo, corner[2][3][3], shift[3];
    scree_gap gap = scree_triangle_distance(first->corner, second->corner);
    for (int k = 0; k < 3; k++) {
        double way = gap.distance > 0 ? (gap.point[1][k] - gap.point[0][k]) / gap.distance : k == 0;
        shift[k] = (gap.distance > 0 ? reach * (1 + 1e-9) - gap.distance : 20) * way;
    }
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            corner[1][c][k] = second->corner[c][k] + shift[k];
    if (scree_triangles_touch(first->corner, (const double(*)[3])corner[1], reach, NULL))
        FAIL("surrogates %u and %u are not apart", i, j);
    for (uint32_t p = first->begin; p < first->end; p++)
        for (uint32_t q = second->begin; q < second->end; q++) {
            for (size_t c = 0; c < 3; c++) {
                const double *x =
                    a->mesh->vertices + 3 * (size_t)a->mesh->facets[3 * a->tree->facet[p] + c];
                const double *y =
                    b->mesh->vertices + 3 * (size_t)b->mesh->facets[3 * b->tree->facet[q] + c];
                for (int k = 0; k < 3; k++) {
                    corner[0][c][k] = x[k];
                    corner[1][c][k] = y[k] + shift[k];
                }
            }
            if (scree_triangles_touch((const double(*)[3])corner[0], (const double(*)[3])corner[1],
                                      2 * halo, NULL))
                FAIL("nodes %u and %u are apart, their facets %u and %u are not", i, j, p, q);
        }
}

TEST(halos_apart_mean_bodies_apart)
{
    PROVES("NW-23");
    for (uint64_t seed = 0; seed < 4; seed++) {
        maker m[2] = {maker_bumpy(3, 1.6, seed), maker_bumpy(3, 1.2, 50 + seed)};
        scree_random random = scree_random_stream(15, seed);
        for (int n = 0; n < 6; n++) {
            maker turned = maker_soup(&m[1], 0, &random), first = maker_soup(&m[0], 0, &random);
            double q[4];
            for (int k = 0; k < 4; k++)
                q[k] = scree_random_normal(&random);
            scree_quaternion_normalise(q);
            for (size_t v = 0; v < turned.vertex_count; v++)
                scree_quaternion_turn(q, turned.vertex + 3 * v, turned.vertex + 3 * v);
            body a = body_new(&first, n % 2, 0), b = body_new(&turned, true, 0);
            for (uint32_t i = 0; i < a.tree->node_count; i += 1 + i / 3)
                for (uint32_t j = 0; j < b.tree->node_count; j++)
                    check_nodes(&a, &b, i, j, 0.01);
            body_free(&a);
            body_free(&b);
        }
        maker_free(&m[0]);
        maker_free(&m[1]);
    }
}

/*  Never said of two that are nearer; and said of two that are apart by their size. */
TEST(surrogates_prove_that_bodies_are_far)
{
    int far = 0, said = 0, clear = 0, said_of_clear = 0, poses = TEST_EFFORT(100, 600);

    for (uint64_t n = 0; n < (uint64_t)poses; n++) {
        maker m[2] = {n % 2 ? maker_egg(2, 2.6) : maker_bumpy(3, 1.5, n % 7),
                      maker_bumpy(2 + n % 2, 1.5, 7 + n % 4)};
        body a = body_new(&m[0], true, 0.02), b = body_new(&m[1], true, 0.01);
        scree_random random = scree_random_stream(17, n);
        random_pose(&random, 1, &a.body.pose);
        random_pose(&random, 1.5, &b.body.pose);
        double gap = min_distance(&a, &b) - a.body.skin - b.body.skin;
        for (int k = 0; k < 5; k++) {
            double way = gap * (k == 0 ? 1.001 : k == 1 ? 0.999 : 0.25 * (4 - k));
            bool is_far = way >= 0 && scree_surrogates_are_apart(&a.body, &b.body, way);
            CHECK(!is_far || gap > way);
            far += gap > way && way >= 0;
            said += is_far;
            clear += gap > 1 && k > 1;
            said_of_clear += gap > 1 && k > 1 && is_far;
        }
        body_free(&a);
        body_free(&b);
    }
    printf("%d of %d; of those that are far %d of %d\n", said, far, said_of_clear, clear);
    CHECK(said > far / 2);
    CHECK(clear > poses / 4 && said_of_clear == clear);
}

/* ---- what it takes ---- */

/*  Two balls of 1,152 triangles, a gap of 0.005 apart. */
static void pose_balls(body *a, body *b, double gap)
{
    static const double here[3] = {0, 0, 0}, turn[2][4] = {{1, 0.1, 0.2, 0.3}, {1, -0.4, 0.3, 0.1}};
    const double there[3] = {1 + gap, 0, 0};
    a->body.pose = scree_mesh_pose_of(here, turn[0]);
    b->body.pose = scree_mesh_pose_of(there, turn[1]);
}

TEST(fewer_comparisons)
{
    PROVES("NW-24 NW-32");
    maker m[2] = {maker_egg(12, 1), maker_egg(12, 1)};
    body a = body_new(&m[0], true, 0.01), b = body_new(&m[1], true, 0.01);
    searchers s;
    searchers_begin(&s, SCREE_SIMD_AUTO);
    for (int t = 0; t < 3; t++) {
        scree_surrogate_counts *counts = &s.search.counts;
        uint64_t sum = 0;
        memset(counts, 0, sizeof *counts);
        s.search.traversal = (scree_surrogate_traversal)t;
        pose_balls(&a, &b, 0.005);
        CHECK(find(&s, &a, &b) > 20);
        for (int k = 0; k <= SCREE_SURROGATE_LEVELS; k++)
            sum += counts->level[k];
        CHECK(sum == counts->compared && counts->facets < sum && counts->offered < counts->facets);
        CHECK(counts->level[0] == 1 && counts->offered >= s.finder.contact_count);
        CHECK(counts->lanes >= counts->compared &&
              counts->lanes < counts->compared + 16 * counts->batches);
        double full = 100 * (double)counts->compared / (double)counts->lanes;
        if (getenv("SCREE_TEST_TELL"))
            printf("traversal %d: %d comparisons, %d of facets, %d offered, %d contacts\n", t,
                   (int)sum, (int)counts->facets, (int)counts->offered,
                   (int)s.finder.contact_count);
        /* MR-H4 */
        CHECK(t != SCREE_SURROGATE_SIDES || sum * 183 <= 1152 * 1152);
        /* NW-24: far apart, one comparison */
        memset(counts, 0, sizeof *counts);
        pose_balls(&a, &b, 0.5);
        CHECK_EQUAL(find(&s, &a, &b), 0);
        CHECK_EQUAL(counts->compared, 1);
        FIGURE("%.0f times fewer comparisons, batches %.0f %% full, 1 comparison apart",
               1152.0 * 1152 / (double)sum, full);
    }
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

/* ---- fronts ---- */

/*  One step of a way: slow or fast, turning or not, out of reach and back again, jumps, and nothing at all. */
static void move_bodies(scree_random *random, int way, int step, body *a, body *b)
{
    static const double speeds[] = {0.0005, 0.005, 0.05, 0};
    double p = speeds[way % 4], turn[4] = {1, 0, 0, 0}, place[3];
    scree_mesh_pose *pose = &a->body.pose;
    if (step == 0 || (way > 3 && step % 17 == 0)) {
        random_pose(random, 0.35, pose);
        random_pose(random, 0.35, &b->body.pose);
        return;
    }
    for (int k = 0; k < 3; k++) {
        place[k] = b->body.pose.place[k] + p * scree_random_range(random, -1, 1) +
                   (k == 0 ? 2 * p * (step % 60 < 30 ? 1 : -1) : 0);
        turn[1 + k] = p * scree_random_range(random, -1, 1);
        pose->place[k] += p * scree_random_range(random, -1, 1);
    }
    /* a turns about the world's axes */
    scree_mesh_pose by = scree_mesh_pose_of(place, turn), was = *pose;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            pose->turn[i][j] = 0;
            for (int k = 0; k < 3; k++)
                pose->turn[i][j] += by.turn[i][k] * was.turn[k][j];
        }
    memcpy(b->body.pose.place, place, sizeof place);
}

TEST(fronts_find_the_same)
{
    maker m[2] = {maker_bumpy(4, 1.5, 1), maker_bumpy(5, 1.3, 2)};
    body a = body_new(&m[0], true, 0.01), b = body_new(&m[1], true, 0.01);
    size_t touching = 0;
    for (int way = 0; way < 8; way++) {
        scree_random random = scree_random_stream(31, (uint64_t)way);
        scree_surrogate_front front;
        searchers s;
        uint64_t fresh, again;
        searchers_begin(&s, SCREE_SIMD_AUTO);
        scree_surrogate_front_init(&front);
        s.search.traversal = way % 2 ? SCREE_SURROGATE_SIDES : SCREE_SURROGATE_PAIRS;
        for (int step = 0; step < 130; step++) {
            move_bodies(&random, way, step, &a, &b);
            CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
            CHECK(scree_mesh_find_surrogates(&s.finder, &s.search, &front, &a.body, &b.body) ==
                  SCREE_OK);
            check_same_contacts(&s, (uint64_t)step);
            touching += s.truth.contact_count > 0;
        }
        again = s.search.counts.compared;
        CHECK(s.search.counts.known_apart > 0 || way % 4 == 2);
        scree_surrogate_front_free(&front, &s.memory);
        memset(&s.search.counts, 0, sizeof s.search.counts);
        random = scree_random_stream(31, (uint64_t)way);
        for (int step = 0; step < 130; step++) {
            move_bodies(&random, way, step, &a, &b);
            find(&s, &a, &b);
        }
        fresh = s.search.counts.compared;
        if (getenv("SCREE_TEST_TELL"))
            printf("way %d: %d comparisons with a front, %d without\n", way, (int)again,
                   (int)fresh);
        CHECK(way % 4 == 2 ? again <= fresh : way % 4 == 1 ? again < fresh : 2 * again < fresh);
        searchers_end(&s);
    }
    CHECK(touching > 300);
    body_free(&a);
    body_free(&b);
}

/*  Other bodies, other halos, and a search that failed between. */
TEST(fronts_notice_that_bodies_are_others)
{
    maker m[3] = {maker_bumpy(3, 1.5, 1), maker_bumpy(3, 1.3, 2), maker_bumpy(2, 1.3, 3)};
    body b[3] = {body_new(&m[0], true, 0.01), body_new(&m[1], true, 0.01),
                 body_new(&m[2], true, 0.01)};
    scree_surrogate_front front;
    searchers s;
    searchers_begin(&s, SCREE_SIMD_AUTO);
    scree_surrogate_front_init(&front);
    for (int n = 0; n < 60; n++) {
        body *first = &b[n % 3 == 0], *second = &b[n % 5 == 0 ? 2 : n % 3 ? 1 : 0];
        scree_random random = scree_random_stream(33, (uint64_t)(n / 2));
        random_pose(&random, 0.4, &first->body.pose);
        random_pose(&random, 0.4, &second->body.pose);
        first->body.skin = n % 7 ? 0.01 : 0.1;
        s.search.traversal = n % 11 ? SCREE_SURROGATE_PAIRS : SCREE_SURROGATE_SETS;
        CHECK(scree_mesh_find_all(&s.truth, &first->body, &second->body) == SCREE_OK);
        CHECK(scree_mesh_find_surrogates(&s.finder, &s.search, &front, &first->body,
                                         &second->body) == SCREE_OK);
        check_same_contacts(&s, (uint64_t)n);
    }
    scree_surrogate_front_free(&front, &s.memory);
    searchers_end(&s);
    for (int k = 0; k < 3; k++)
        body_free(&b[k]);
}

/* ---- levels of SIMD, memory ---- */

TEST(all_levels_give_the_same_bits)
{
    maker m[2] = {maker_bumpy(5, 1.5, 1), maker_bumpy(5, 1.5, 2)};
    body a = body_new(&m[0], true, 0.01), b = body_new(&m[1], true, 0.01);
    enum
    {
        LEVELS = SCREE_SIMD_AVX512
    };
    searchers s[LEVELS];
    for (int level = 0; level < LEVELS; level++)
        searchers_begin(&s[level], (scree_simd)(SCREE_SIMD_SCALAR + level));
    for (uint64_t n = 0; n < 30; n++) {
        scree_random random = scree_random_stream(21, n);
        random_pose(&random, 0.3, &a.body.pose);
        random_pose(&random, 0.3, &b.body.pose);
        for (int level = 0; level < LEVELS; level++) {
            s[level].search.traversal = (scree_surrogate_traversal)(n % 3);
            find(&s[level], &a, &b);
            CHECK_EQUAL(s[level].finder.contact_count, s[0].finder.contact_count);
            CHECK(same_bits(s[level].finder.contacts, s[0].finder.contacts,
                            s[0].finder.contact_count * sizeof(scree_mesh_touch)));
            CHECK(
                same_bits(&s[level].search.counts, &s[0].search.counts, sizeof s[0].search.counts));
        }
    }
    for (int level = 0; level < LEVELS; level++)
        searchers_end(&s[level]);
    body_free(&a);
    body_free(&b);
}

TEST(no_memory)
{
    maker m[2] = {maker_bumpy(3, 1.5, 1), maker_bumpy(3, 1.5, 2)};
    body a = body_new(&m[0], true, 0.05), b = body_new(&m[1], true, 0.05);
    pose_balls(&a, &b, -0.2);
    for (int t = 0; t < 4; t++)
        for (size_t k = 1;; k++) {
            failing_allocator failing = {.fail_at = k};
            scree_allocator hooks = failing_allocator_hooks(&failing);
            scree_surrogate_front front;
            searchers s;
            scree_surrogate_front_init(&front);
            scree_memory_init(&s.memory, &hooks);
            if (scree_mesh_finder_init(&s.finder, &s.memory, SCREE_SIMD_AUTO) == SCREE_OK) {
                scree_surrogate_search_init(&s.search, &s.memory);
                s.search.traversal = (scree_surrogate_traversal)(t % 3);
                for (int again = 0; again < 4; again++) {
                    pose_balls(&a, &b, -0.2 - 0.003 * again);
                    if (scree_mesh_find_surrogates(&s.finder, &s.search, t == 3 ? &front : NULL,
                                                   &a.body, &b.body)) {
                        CHECK_EQUAL(s.finder.contact_count, 0);
                        CHECK_EQUAL(failing.failures, 1);
                    } else {
                        CHECK(s.finder.contact_count > 0);
                    }
                }
                scree_surrogate_front_free(&front, &s.memory);
                scree_surrogate_search_free(&s.search);
                scree_mesh_finder_free(&s.finder);
            }
            CHECK(failing_allocator_is_clean(&failing));
            if (failing.requests < k)
                break;
        }
    body_free(&a);
    body_free(&b);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(the_contacts_of_all_pairs),
        CASE(the_contacts_at_every_scale_and_place),
        CASE(one_ulp_either_side),
        CASE(single_triangles_and_large_ones),
        CASE(halos_apart_mean_bodies_apart),
        CASE(surrogates_prove_that_bodies_are_far),
        CASE(fewer_comparisons),
        CASE(fronts_find_the_same),
        CASE(fronts_notice_that_bodies_are_others),
        CASE(all_levels_give_the_same_bits),
        CASE(no_memory),
    };
    return test_main(argc, argv, tests, SCREE_COUNT_OF(tests));
}
