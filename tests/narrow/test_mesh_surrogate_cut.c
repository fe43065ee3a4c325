/*  Active sets of two surrogate trees: whatever they come from, they stand for all pairs of facets once; when nothing is
    widened contacts are those of all pairs; and they come to rest where bodies do not. */
#include "surrogate_bodies.h"

#include "harness/failing_allocator.h"
#include "narrow/mesh_surrogate_cut.h"

static scree_surrogate_cut new_cut(void)
{
    scree_surrogate_cut cut;

    scree_surrogate_cut_init(&cut);
    return cut;
}

static scree_status turn(searchers *s, scree_surrogate_cut *cut, const body *a, const body *b)
{
    return scree_mesh_find_cut(&s->finder, &s->search, cut, &a->body, &b->body);
}

/* ---- invariants ---- */

/*  Facets below a thing, as places in its tree's list. */
static void range_of(const scree_surrogate *tree, uint32_t thing, uint32_t range[2])
{
    bool is_facet = thing >= tree->node_count;

    range[0] = is_facet ? thing - tree->node_count : tree->nodes[thing].begin;
    range[1] = is_facet ? range[0] + 1 : tree->nodes[thing].end;
}

/*  Each pair of facets is under exactly one active pair. */
static void check_is_cut(const scree_surrogate_cut *cut, const body *a, const body *b)
{
    uint32_t columns = b->tree->facet_count;
    uint8_t *seen = calloc(a->tree->facet_count, columns);
    uint64_t sum = 0;

    for (uint32_t k = 0; k < cut->active_count; k++) {
        const scree_surrogate_branch *branch = &cut->branches[cut->active[k]];
        uint32_t rows[2], across[2];
        CHECK(!branch->is_open);
        range_of(a->tree, branch->thing[0], rows);
        range_of(b->tree, branch->thing[1], across);
        for (uint32_t i = rows[0]; i < rows[1]; i++)
            for (uint32_t j = across[0]; j < across[1]; j++) {
                if (seen[(size_t)i * columns + j]++)
                    FAIL("facets %u and %u are stood for twice", i, j);
                sum++;
            }
    }
    free(seen);
    CHECK(sum == (uint64_t)a->tree->facet_count * columns);
}

/*  Until nothing is widened; returns in how many turns. */
static int settle(searchers *s, scree_surrogate_cut *cut, const body *a, const body *b, bool check)
{
    int turns = 0;

    do {
        CHECK(turn(s, cut, a, b) == SCREE_OK);
        if (check)
            check_is_cut(cut, a, b);
        CHECK(++turns < 60);
        CHECK((cut->height > 0) == (cut->widened > 0));
        CHECK(cut->stand_in_count <= cut->widened);
        CHECK(cut->height <= a->tree->level_count || cut->height <= b->tree->level_count);
    } while (cut->height > 0);
    return turns;
}

static void move_a_little(scree_random *random, double way, scree_mesh_pose *pose)
{
    for (int k = 0; k < 3; k++)
        pose->place[k] += scree_random_range(random, -way, way);
}

/*  NW-27: from wherever a cut was left, with bodies that have moved or jumped since. */
static void follow(uint32_t cuts, uint64_t seed, int poses, scree_surrogate_traversal traversal,
                   size_t *touching, size_t *narrowed)
{
    searchers s;
    maker m[2] = {maker_bumpy(cuts, 1.5, seed), maker_bumpy(cuts + 1, 1.2, seed + 1)};
    body a = body_new(&m[0], seed % 2, 0.02), b = body_new(&m[1], true, 0.01);
    scree_surrogate_cut cut = new_cut();
    scree_random random = scree_random_stream(seed, 5);

    searchers_begin(&s, SCREE_SIMD_AUTO);
    s.search.traversal = traversal;
    for (int n = 0; n < poses; n++) {
        if (n % 8 == 0) {
            random_pose(&random, n % 16 ? 0.4 : 0.9, &a.body.pose);
            random_pose(&random, 0.4, &b.body.pose);
        }
        move_a_little(&random, 0.05, &a.body.pose);
        settle(&s, &cut, &a, &b, n % 5 == 0);
        CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
        check_same_contacts(&s, (uint64_t)n);
        *touching += s.truth.contact_count > 0;
        *narrowed += cut.narrowed;
        if (n % 40 == 39)
            scree_surrogate_cut_reset(&cut);
    }
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

TEST(nw_27_active_sets_widen_and_narrow_and_stand_for_all)
{
    size_t touching = 0, narrowed = 0;
    int share = TEST_EFFORT(10, 1);

    follow(1, 1, 400 / share, SCREE_SURROGATE_SIDES, &touching, &narrowed);
    follow(2, 2, 400 / share, SCREE_SURROGATE_PAIRS, &touching, &narrowed);
    follow(4, 3, 200 / share, SCREE_SURROGATE_SIDES, &touching, &narrowed);
    follow(7, 4, 60 / share, SCREE_SURROGATE_PAIRS, &touching, &narrowed);
    FIGURE("%zu poses touching, %zu branches narrowed", touching, narrowed);
    CHECK(touching > 300 / (size_t)share);
    CHECK(narrowed > 300 / (size_t)share);
}

/* ---- quiet turns ---- */

static void check_same_branch(const scree_surrogate_branch *b, const scree_surrogate_branch *c)
{
    CHECK(b->until == c->until);
    CHECK(b->thing[0] == c->thing[0] && b->thing[1] == c->thing[1]);
    CHECK(b->parent == c->parent && b->child == c->child && b->children == c->children);
    CHECK(b->is_open == c->is_open && b->is_apart == c->is_apart);
    CHECK(b->was_narrowed == c->was_narrowed && b->is_kept == c->is_kept);
}

static void check_same_cut(const scree_surrogate_cut *cut, const scree_surrogate_cut *whole)
{
    CHECK_EQUAL(cut->count, whole->count);
    CHECK_EQUAL(cut->active_count, whole->active_count);
    CHECK_EQUAL(cut->height, whole->height);
    CHECK_EQUAL(cut->widened, whole->widened);
    CHECK_EQUAL(cut->narrowed, whole->narrowed);
    CHECK_EQUAL(cut->stand_in_count, whole->stand_in_count);
    for (uint32_t k = 0; k < cut->active_count; k++)
        CHECK_EQUAL(cut->active[k], whole->active[k]);
    for (uint32_t k = 0; k < cut->count; k++)
        check_same_branch(&cut->branches[k], &whole->branches[k]);
    for (uint32_t k = 0; k < cut->stand_in_count; k++)
        CHECK(memcmp(&cut->stand_ins[k], &whole->stand_ins[k], sizeof *cut->stand_ins) == 0);
}

/*  Beside a cut one that looks at all of its active set each turn: they stay the same, whatever bodies do. Returns in how
    many turns nothing but what is near was looked at. */
static int follow_beside(uint32_t cuts, uint64_t seed, bool dives,
                         scree_surrogate_traversal traversal)
{
    searchers s, t;
    maker m[2] = {maker_bumpy(cuts, 1.5, seed), maker_bumpy(cuts + 1, 1.2, seed + 1)};
    body a = body_new(&m[0], seed % 2, 0.02), b = body_new(&m[1], true, 0.01);
    scree_surrogate_cut cut = new_cut(), whole = new_cut();
    scree_random random = scree_random_stream(seed, 6);
    int quiet = 0, turns = TEST_EFFORT(200, 2000);

    searchers_begin(&s, SCREE_SIMD_AUTO);
    searchers_begin(&t, SCREE_SIMD_AUTO);
    s.search.traversal = t.search.traversal = traversal;
    cut.dives = whole.dives = dives;
    for (int n = 0; n < turns; n++) {
        if (n % 100 == 0) {
            random_pose(&random, n % 200 ? 0.4 : 0.9, &a.body.pose);
            random_pose(&random, 0.4, &b.body.pose);
        }
        /* from far less than a halo a turn to a little of one */
        move_a_little(&random, n % 100 < 50 ? 1e-5 : 1e-3, &a.body.pose);
        whole.quiet_until = 0;
        double before = cut.quiet_until;
        CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
        CHECK(turn(&t, &whole, &a, &b) == SCREE_OK);
        quiet += before > cut.travelled && cut.quiet_until <= before;
        check_same_cut(&cut, &whole);
        CHECK_EQUAL(s.finder.contact_count, t.finder.contact_count);
        for (size_t k = 0; k < s.finder.contact_count; k++)
            CHECK(memcmp(&s.finder.contacts[k], &t.finder.contacts[k], sizeof *s.finder.contacts) ==
                  0);
    }
    CHECK(s.search.counts.compared >= t.search.counts.compared);
    scree_surrogate_cut_free(&cut, &s.memory);
    scree_surrogate_cut_free(&whole, &t.memory);
    searchers_end(&s);
    searchers_end(&t);
    body_free(&a);
    body_free(&b);
    return quiet;
}

TEST(quiet_turns_leave_what_whole_ones_do)
{
    int quiet = 0;

    for (int dives = 0; dives < 2; dives++) {
        quiet += follow_beside(2, 11, dives, SCREE_SURROGATE_SIDES);
        quiet += follow_beside(4, 12, dives, SCREE_SURROGATE_SIDES);
        quiet += follow_beside(3, 13, dives, SCREE_SURROGATE_PAIRS);
    }
    printf("%d quiet turns\n", quiet);
    CHECK(quiet > TEST_EFFORT(500, 5000));
}

/*  One level in each turn, and coarse to fine. */
TEST(sets_widen_by_one_level_a_turn)
{
    searchers s;
    maker m[2] = {maker_bumpy(4, 1.3, 5), maker_bumpy(4, 1.3, 6)};
    body a = body_new(&m[0], true, 0.02), b = body_new(&m[1], true, 0.02);
    static const double here[3] = {0}, there[3] = {0.9, 0, 0}, plain[4] = {1, 0, 0, 0};
    scree_surrogate_cut cut = new_cut();

    searchers_begin(&s, SCREE_SIMD_AUTO);
    s.search.traversal = SCREE_SURROGATE_PAIRS;
    a.body.pose = scree_mesh_pose_of(here, plain);
    b.body.pose = scree_mesh_pose_of(there, plain);
    for (uint32_t height = a.tree->level_count; height > 0; height--) {
        CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
        CHECK_EQUAL(cut.height, height);
        CHECK_EQUAL(s.finder.contact_count, 0);
        CHECK(cut.stand_in_count > 0);
        for (uint32_t k = 0; k < cut.stand_in_count; k++) {
            const scree_surrogate_stand_in *pair = &cut.stand_ins[k];
            CHECK(pair->distance > 0 && pair->distance < pair->halo[0] + pair->halo[1]);
            CHECK(pair->halo[0] >= 0.02 && pair->halo[1] >= 0.02);
        }
    }
    CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
    CHECK_EQUAL(cut.height, 0);
    CHECK(s.finder.contact_count > 0);
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

/*  Without stand-ins: each turn of a cut that dives ends with all contacts, whatever was known of what is apart before; and
    where bodies hardly move most of it is. Returns how many comparisons a turn takes. */
static double dive(uint64_t seed, int turns, double way, double angle, size_t *touching)
{
    searchers s;
    maker m[2] = {maker_bumpy(5, 1.4, seed), maker_bumpy(4, 1.2, seed + 1)};
    body a = body_new(&m[0], true, 0.02), b = body_new(&m[1], true, 0.02);
    scree_surrogate_cut cut = new_cut();
    scree_random random = scree_random_stream(seed, 7);
    double turn_of_a[4] = {1, 0, 0, 0}, here[3] = {0}, there[3] = {0.95, 0.1, 0};

    searchers_begin(&s, SCREE_SIMD_AUTO);
    s.search.traversal = seed % 2 ? SCREE_SURROGATE_SIDES : SCREE_SURROGATE_PAIRS;
    b.body.pose = scree_mesh_pose_of(there, turn_of_a);
    cut.dives = true;
    for (int n = 0; n < turns; n++) {
        for (int k = 0; k < 3; k++) {
            here[k] += scree_random_range(&random, -way, way);
            turn_of_a[k + 1] += scree_random_range(&random, -angle, 1.5 * angle);
        }
        a.body.pose = scree_mesh_pose_of(here, turn_of_a);
        /* other halos make all that is known of what is apart worthless */
        a.body.skin = n > 0 && n % 37 == 0 ? a.body.skin * 1.5 : a.body.skin;
        CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
        CHECK(cut.height == 0 && cut.widened == 0 && cut.stand_in_count == 0);
        CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
        check_same_contacts(&s, (uint64_t)n);
        *touching += s.truth.contact_count > 0;
        if (n % 10 == 0)
            check_is_cut(&cut, &a, &b);
    }
    scree_surrogate_cut_free(&cut, &s.memory);
    double compared = (double)s.search.counts.compared / turns;
    CHECK(s.search.counts.known_apart > 0);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
    return compared;
}

/*  NW-49: sets kept from step to step. */
TEST(nw_49_sets_that_are_kept_lose_nothing)
{
    int turns = TEST_EFFORT(20, 150);
    size_t touching = 0;

    for (uint64_t seed = 1; seed <= 4; seed++) {
        double slow = dive(seed, turns, 2e-5, 2e-5, &touching);
        double fast = dive(seed, turns, 4e-3, 2e-2, &touching);
        printf("seed %d: %.1f comparisons a turn, slow; %.1f fast\n", (int)seed, slow, fast);
        FIGURE("%.1f comparisons a turn, slow; %.1f fast", slow, fast);
        CHECK(slow < fast / 2);
    }
    CHECK(touching > (size_t)(3 * turns));
}

/*  Of a body that rolls round the other most that a cut has seen is of no more use: it begins again, and stays small. */
TEST(sets_of_what_is_left_behind_are_dropped)
{
    searchers s;
    maker m[2] = {maker_bumpy(7, 1.2, 3), maker_bumpy(7, 1.2, 4)};
    body a = body_new(&m[0], true, 0.02), b = body_new(&m[1], true, 0.02);
    static const double there[3] = {0.93, 0, 0};
    double way[4] = {1, 0, 0, 0};
    scree_surrogate_cut cut = new_cut();
    uint32_t most = 0, before = 0, drops = 0;

    searchers_begin(&s, SCREE_SIMD_AUTO);
    b.body.pose = scree_mesh_pose_of(there, way);
    cut.dives = true;
    for (int n = 0; n < 300; n++) {
        static const double here[3] = {0};
        way[0] = cos(0.02 * n);
        way[1 + n / 150] = sin(0.02 * n);
        a.body.pose = scree_mesh_pose_of(here, way);
        CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
        most = cut.count > most ? cut.count : most;
        drops += cut.count < before;
        before = cut.count;
    }
    printf("at most %u branches, restarted %u times\n", (unsigned)most, (unsigned)drops);
    CHECK(drops > 0);
    check_is_cut(&cut, &a, &b);
    CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
    check_same_contacts(&s, 0);
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

/* ---- cycles ---- */

/*  NW-28: bodies that are in touch at one guess and apart at the next, for ever. Turns in which the set changed, of the
    last hundred of many. */
static int restless_turns(bool forgets)
{
    searchers s;
    maker m[2] = {maker_bumpy(3, 1.3, 5), maker_bumpy(3, 1.3, 6)};
    body a = body_new(&m[0], true, 0.02), b = body_new(&m[1], true, 0.02);
    static const double here[3] = {0}, near[3] = {0.9, 0, 0}, far[3] = {3, 0, 0},
                        plain[4] = {1, 0, 0, 0};
    scree_surrogate_cut cut = new_cut();
    int restless = 0;

    cut.forgets = forgets;
    searchers_begin(&s, SCREE_SIMD_AUTO);
    a.body.pose = scree_mesh_pose_of(here, plain);
    for (int n = 0; n < 400; n++) {
        b.body.pose = scree_mesh_pose_of(n / 3 % 2 ? far : near, plain);
        CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
        restless += n >= 300 && cut.widened + cut.narrowed > 0;
        if (n % 50 == 0)
            check_is_cut(&cut, &a, &b);
    }
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
    return restless;
}

TEST(nw_28_the_memory_ends_cycles)
{
    int remembers = restless_turns(false), forgets = restless_turns(true);

    FIGURE("of the last 100 turns %d change the set, without memory %d", remembers, forgets);
    CHECK_EQUAL(remembers, 0);
    CHECK(forgets > 60);
}

/* ---- odds and ends ---- */

TEST(bodies_far_apart_take_one_comparison)
{
    searchers s;
    maker m[2] = {maker_bumpy(3, 1.3, 5), maker_bumpy(3, 1.3, 6)};
    body a = body_new(&m[0], true, 0.02), b = body_new(&m[1], true, 0.02);
    static const double here[3] = {0}, far[3] = {3, 0, 0}, plain[4] = {1, 0, 0, 0};
    scree_surrogate_cut cut = new_cut();

    searchers_begin(&s, SCREE_SIMD_AUTO);
    a.body.pose = scree_mesh_pose_of(here, plain);
    b.body.pose = scree_mesh_pose_of(far, plain);
    CHECK_EQUAL(settle(&s, &cut, &a, &b, true), 1);
    CHECK_EQUAL(s.search.counts.compared, 1);
    CHECK_EQUAL(s.finder.contact_count, 0);
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
}

/*  A body of one triangle and others: trees are a leaf, and another tree begins the cut again. */
TEST(other_trees_begin_again)
{
    searchers s;
    maker m[3] = {maker_odd(1, 3), maker_odd(5, 4), maker_odd(40, 5)};
    body a = body_new(&m[0], true, 0.1), b = body_new(&m[1], true, 0.1),
         c = body_new(&m[2], true, 0.1);
    scree_surrogate_cut cut = new_cut();
    scree_random random = scree_random_stream(9, 9);

    searchers_begin(&s, SCREE_SIMD_AUTO);
    for (int n = 0; n < 60; n++) {
        const body *first = n % 2 ? &a : &c;
        random_pose(&random, 0.3, &a.body.pose);
        random_pose(&random, 0.3, &b.body.pose);
        random_pose(&random, 0.3, &c.body.pose);
        settle(&s, &cut, first, &b, true);
        CHECK(scree_mesh_find_all(&s.truth, &first->body, &b.body) == SCREE_OK);
        check_same_contacts(&s, (uint64_t)n);
    }
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
    body_free(&b);
    body_free(&c);
}

/*  One body in the other's place: surrogates cross, which says nothing about a way. */
TEST(what_crosses_has_no_way)
{
    searchers s;
    maker m = maker_bumpy(3, 1.3, 5);
    body a = body_new(&m, true, 0.02), b = a;
    static const double here[3] = {0}, plain[4] = {1, 0, 0, 0};
    scree_surrogate_cut cut = new_cut();

    searchers_begin(&s, SCREE_SIMD_AUTO);
    s.search.traversal = SCREE_SURROGATE_PAIRS;
    a.body.pose = b.body.pose = scree_mesh_pose_of(here, plain);
    CHECK(turn(&s, &cut, &a, &b) == SCREE_OK);
    CHECK_EQUAL(cut.widened, 1);
    CHECK_EQUAL(cut.stand_in_count, 0);
    settle(&s, &cut, &a, &b, true);
    CHECK(scree_mesh_find_all(&s.truth, &a.body, &b.body) == SCREE_OK);
    check_same_contacts(&s, 0);
    scree_surrogate_cut_free(&cut, &s.memory);
    searchers_end(&s);
    body_free(&a);
}

/*  Every request fails once: there are no contacts then, and the next turn begins at the roots. */
TEST(requests_fail)
{
    maker m[2] = {maker_bumpy(3, 1.3, 5), maker_bumpy(3, 1.3, 6)};
    body a = body_new(&m[0], true, 0.05), b = body_new(&m[1], true, 0.05);
    static const double here[3] = {0}, near[3] = {0.85, 0, 0}, plain[4] = {1, 0, 0, 0};
    size_t failed = 0;

    a.body.pose = scree_mesh_pose_of(here, plain);
    b.body.pose = scree_mesh_pose_of(near, plain);
    for (size_t k = 1; k == failed + 1; k++) {
        failing_allocator memory = {.fail_at = 0};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        scree_memory own;
        scree_mesh_finder finder;
        scree_surrogate_search search;
        scree_surrogate_cut cut = new_cut();
        CHECK(scree_memory_init(&own, &hooks) == SCREE_OK);
        CHECK(scree_mesh_finder_init(&finder, &own, SCREE_SIMD_AUTO) == SCREE_OK);
        scree_surrogate_search_init(&search, &own);
        memory.fail_at = memory.requests + k;
        for (int n = 0; n < 20; n++) {
            scree_status status = scree_mesh_find_cut(&finder, &search, &cut, &a.body, &b.body);
            if (!status)
                continue;
            CHECK_EQUAL(status, SCREE_OUT_OF_MEMORY);
            CHECK_EQUAL(finder.contact_count, 0);
            CHECK_EQUAL(cut.count, 0);
        }
        failed += memory.failures;
        CHECK_EQUAL(cut.height, 0);
        CHECK(finder.contact_count > 0);
        scree_surrogate_cut_free(&cut, &own);
        scree_surrogate_search_free(&search);
        scree_mesh_finder_free(&finder);
        CHECK(failing_allocator_is_clean(&memory));
    }
    CHECK(failed > 20);
    body_free(&a);
    body_free(&b);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(nw_27_active_sets_widen_and_narrow_and_stand_for_all),
        CASE(quiet_turns_leave_what_whole_ones_do),
        CASE(sets_widen_by_one_level_a_turn),
        CASE(nw_49_sets_that_are_kept_lose_nothing),
        CASE(sets_of_what_is_left_behind_are_dropped),
        CASE(nw_28_the_memory_ends_cycles),
        CASE(bodies_far_apart_take_one_comparison),
        CASE(other_trees_begin_again),
        CASE(what_crosses_has_no_way),
        CASE(requests_fail),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
