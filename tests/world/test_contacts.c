/*  Contacts as a host reads them: all that there are, in their order, each once; those of a filter; and after
    removals. */
#include "world_box.h"

static size_t count_overlaps(const scene *s)
{
    scree_bodies_view view = scree_world_bodies(s->world);
    size_t count = 0;

    for (size_t i = 0; i < view.count; i++)
        for (size_t j = 0; j < i; j++) {
            double d[3], reach = scree_double_at(view.radius, i) + scree_double_at(view.radius, j);
            for (int k = 0; k < 3; k++)
                d[k] = scree_row_at(view.position, i)[k] - scree_row_at(view.position, j)[k];
            d[1] -= WIDTH * round(d[1] / WIDTH);
            count += d[0] * d[0] + d[1] * d[1] + d[2] * d[2] < reach * reach;
        }
    return count;
}

TEST(every_contact_is_listed_once)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    size_t pairs = 0, walls = 0;

    CHECK_EQUAL(scree_world_step(s.world, 0), SCREE_OK);
    for (int round = 0; round < 30; round++) {
        const scree_contact *c;
        size_t count;
        step(&s, 200);
        pairs = walls = 0;
        count = read_all(&s, NULL, &c);
        CHECK_EQUAL(count, scree_world_detection_stats(s.world).contacts);
        for (size_t k = 0; k < count; k++) {
            pairs += !is_none(c[k].second);
            walls += is_none(c[k].second);
            CHECK(c[k].overlap > 0);
            CHECK(is_none(c[k].second) == (c[k].wall.index1 != 0));
            CHECK_NEAR(c[k].normal[0] * c[k].normal[0] + c[k].normal[1] * c[k].normal[1] +
                           c[k].normal[2] * c[k].normal[2],
                       1, 1e-12);
            CHECK_EQUAL(c[k].memory_count, scree_law_by_name("hertz")->memory_count);
            CHECK(c[k].rule == 0);
        }
        CHECK_EQUAL(pairs, count_overlaps(&s));
    }
    CHECK(pairs > 20 && walls > 10);
    scree_world_destroy(s.world);
}

/*  As contacts of one first go: bodies before walls, then by serial, or by wall and facet. */
static bool comes_later(const scene *s, const scree_contact *a, const scree_contact *b)
{
    uint64_t first = body_of(s, a->first).serial, other = body_of(s, b->first).serial;

    if (first != other)
        return first < other;
    if (is_none(a->second) != is_none(b->second))
        return !is_none(a->second);
    if (!is_none(a->second))
        return body_of(s, a->second).serial < body_of(s, b->second).serial;
    if (a->wall.index1 != b->wall.index1)
        return a->wall.index1 < b->wall.index1; /* in the order they were added, here */
    return a->facet <= b->facet;
}

TEST(they_are_in_order)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);

    for (int round = 0; round < 20; round++) {
        const scree_contact *c;
        size_t count;
        step(&s, 300);
        count = read_all(&s, NULL, &c);
        for (size_t k = 1; k < count; k++)
            CHECK(comes_later(&s, &c[k - 1], &c[k]));
        for (size_t k = 0; k < count; k++)
            if (!is_none(c[k].second))
                CHECK(body_of(&s, c[k].first).serial < body_of(&s, c[k].second).serial);
    }
    scree_world_destroy(s.world);
}

/*  What the contacts of a body come to, weight included, is its resultant. */
TEST(forces_add_up)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    scree_bodies_view view;

    step(&s, 4000);
    view = scree_world_bodies(s.world);
    for (size_t slot = 0; slot < view.count; slot++) {
        scree_contact_filter_def filter = scree_default_contact_filter_def();
        scree_body body = body_of(&s, scree_body_id_at(view.id, slot));
        double force[3] = {0, 0, -9.81 * body.mass}, torque[3] = {0}, size = 1e-12, counted;
        const scree_contact *c;
        size_t count;
        filter.body = body.id;
        count = read_all(&s, &filter, &c);
        for (size_t k = 0; k < count; k++) {
            bool is_first = same(c[k].first, body.id);
            double sign = is_first ? 1 : -1, arm[3];
            const double *f = c[k].force;
            for (int a = 0; a < 3; a++) {
                force[a] += sign * f[a];
                arm[a] = c[k].point[a] - body.position[a];
                size += fabs(f[a]);
            }
            arm[1] -= WIDTH * round(arm[1] / WIDTH);
            for (int a = 0; a < 3; a++) {
                int b = (a + 1) % 3, d = (a + 2) % 3;
                torque[a] += sign * (arm[b] * f[d] - arm[d] * f[b] + c[k].moment[a]);
            }
        }
        /* the rounding of some sums here, and there of each contact, to half a quantum at most */
        counted = 1e-12 * size + (double)count * 0x1p-41 * 9.81 * body.mass;
        for (int a = 0; a < 3; a++) {
            CHECK_NEAR(force[a], body.force[a], counted);
            CHECK_NEAR(torque[a], body.torque[a], counted * RADIUS);
        }
    }
    scree_world_destroy(s.world);
}

/* ---- filters: what passes is that part of all, in the same order ---- */

static bool passes(const scree_contact_filter_def *f, const scree_contact *c)
{
    bool is_wall = is_none(c->second);

    if (f->body.index1 && !same(f->body, c->first) && !same(f->body, c->second))
        return false;
    if (f->wall.index1 && (!is_wall || f->wall.index1 != c->wall.index1))
        return false;
    if (f->facet1 && f->facet1 != c->facet + 1)
        return false;
    if ((f->bodies_only && is_wall) || (f->walls_only && !is_wall))
        return false;
    for (int k = 0; f->in_region && k < 3; k++)
        if (c->point[k] < f->lower[k] || c->point[k] > f->upper[k])
            return false;
    return true;
}

/*  Bytes of the struct but for the address of memory, whose numbers count. */
static bool equal(const scree_contact *a, const scree_contact *b)
{
    return same(a->first, b->first) && same(a->second, b->second) &&
           a->wall.index1 == b->wall.index1 && a->facet == b->facet &&
           memcmp(a->point, b->point, sizeof a->point) == 0 &&
           memcmp(a->force, b->force, sizeof a->force) == 0 && a->overlap == b->overlap &&
           a->memory_count == b->memory_count &&
           memcmp(a->memory, b->memory, a->memory_count * sizeof *a->memory) == 0;
}

static size_t hold_filter(const scene *s, const scree_contact_filter_def *filter)
{
    static scree_contact kept[1000];
    static double memory[1000][SCREE_MAX_MEMORY];
    const scree_contact *c;
    size_t all = read_all(s, NULL, &c), count = 0, found;

    CHECK(all <= 1000);
    for (size_t k = 0; k < all; k++) {
        if (!passes(filter, &c[k]))
            continue;
        kept[count] = c[k];
        memcpy(memory[count], c[k].memory, c[k].memory_count * sizeof(double));
        kept[count].memory = memory[count];
        count++;
    }
    found = read_all(s, filter, &c);
    CHECK_EQUAL(found, count);
    for (size_t k = 0; k < count; k++)
        CHECK(equal(&c[k], &kept[k]));
    return count;
}

TEST(filters_choose)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    scree_contact_filter_def f = scree_default_contact_filter_def(), none = f;
    scree_bodies_view view;
    size_t facets[2];

    step(&s, 6000);
    CHECK(hold_filter(&s, &f) > 30);
    f.bodies_only = true;
    CHECK(hold_filter(&s, &f) > 20);
    f = none;
    f.walls_only = true;
    CHECK(hold_filter(&s, &f) > 10);
    f = none;
    f.wall = s.floor;
    CHECK(hold_filter(&s, &f) > 3);
    f.wall = s.slope;
    CHECK(hold_filter(&s, &f) > 3);
    for (uint32_t k = 0; k < 2; k++) {
        f.facet1 = k + 1;
        facets[k] = hold_filter(&s, &f);
        CHECK(facets[k] > 0);
    }
    f = none;
    f.in_region = true;
    f.lower[0] = f.lower[2] = -1;
    f.upper[0] = f.upper[1] = 0.06;
    f.upper[2] = 0.03;
    CHECK(hold_filter(&s, &f) > 3);
    f.wall = s.floor;
    hold_filter(&s, &f);

    view = scree_world_bodies(s.world);
    for (size_t slot = 0; slot < view.count; slot++) {
        f = none;
        f.body = scree_body_id_at(view.id, slot);
        hold_filter(&s, &f);
        f.wall = s.slope;
        hold_filter(&s, &f);
        f.wall = none.wall;
        f.bodies_only = true;
        hold_filter(&s, &f);
    }
    scree_world_destroy(s.world);
}

TEST(filters_that_make_no_sense_are_refused)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 3);
    scree_contact_filter_def f = scree_default_contact_filter_def(), none = f;
    scree_body_id gone = scree_body_id_at(scree_world_bodies(s.world).id, 1);
    const scree_contact *contacts;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(NULL, NULL, &contacts, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, NULL, &count), SCREE_BAD_ARGUMENT);
    CHECK_EQUAL(scree_world_contacts(s.world, NULL, &contacts, NULL), SCREE_BAD_ARGUMENT);
    memset(&f, 0, sizeof f);
    check_refused(&s, &f, SCREE_BAD_DEF, "not from scree_default_contact_filter_def");
    CHECK_EQUAL(scree_world_remove_body(s.world, gone), SCREE_OK);
    f = none;
    f.body = gone;
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "body names none");
    f = none;
    f.wall = (scree_wall_id){9, 1};
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "wall names none (index1 9)");
    f = none;
    f.facet1 = 1;
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "facet1 is 1, but no wall is named");
    f = none;
    f.bodies_only = f.walls_only = true;
    check_refused(&s, &f, SCREE_BAD_ARGUMENT, "bodies_only, and walls as well");
    f = none;
    f.in_region = true;
    f.lower[2] = 1;
    check_refused(&s, &f, SCREE_BAD_VALUE, "lower[2] is 1, upper[2] 0");
    f.lower[2] = NAN;
    check_refused(&s, &f, SCREE_BAD_VALUE, "lower[2] is nan");
    scree_world_destroy(s.world);
}

/* ---- after changes and refusals ---- */

TEST(removed_bodies_have_no_contacts)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    const scree_contact *c;

    step(&s, 5000);
    for (int round = 0; round < 40; round++) {
        scree_body_id gone = scree_body_id_at(scree_world_bodies(s.world).id, (size_t)round % 3);
        size_t before = read_all(&s, NULL, &c), of_it = 0, after;
        for (size_t k = 0; k < before; k++)
            of_it += same(c[k].first, gone) || same(c[k].second, gone);
        CHECK_EQUAL(scree_world_remove_body(s.world, gone), SCREE_OK);
        after = read_all(&s, NULL, &c);
        CHECK_EQUAL(after, before - of_it);
        for (size_t k = 0; k < after; k++)
            CHECK(!same(c[k].first, gone) && !same(c[k].second, gone));
    }
    step(&s, 1);
    CHECK_EQUAL(read_all(&s, NULL, &c), scree_world_detection_stats(s.world).contacts);
    scree_world_destroy(s.world);
}

/*  Also before the next step, when they still pushed in the last one. */
TEST(removed_walls_have_no_contacts)
{
    scree_world_def def = scene_def();
    scene s = open_scene(&def, 60);
    scree_wall_id walls[8];
    size_t wall_count;
    const scree_contact *c;

    step(&s, 5000);
    wall_count = scree_world_walls(s.world, walls, 8);
    CHECK(wall_count > 0 && wall_count <= 8);
    for (size_t w = 0; w < wall_count; w++) {
        size_t before = read_all(&s, NULL, &c), of_it = 0, after;
        for (size_t k = 0; k < before; k++)
            of_it += memcmp(&c[k].wall, &walls[w], sizeof walls[w]) == 0;
        CHECK(w > 0 || of_it > 0);
        CHECK_EQUAL(scree_world_remove_wall(s.world, walls[w]), SCREE_OK);
        after = read_all(&s, NULL, &c);
        CHECK_EQUAL(after, before - of_it);
        for (size_t k = 0; k < after; k++)
            CHECK(memcmp(&c[k].wall, &walls[w], sizeof walls[w]) != 0);
    }
    size_t left = read_all(&s, NULL, &c);
    CHECK_NEAR(scree_world_totals(s.world).coordination, 2 * (double)left / 60, 1e-12);
    scree_world_destroy(s.world);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(every_contact_is_listed_once),
        CASE(they_are_in_order),
        CASE(forces_add_up),
        CASE(filters_choose),
        CASE(filters_that_make_no_sense_are_refused),
        CASE(removed_bodies_have_no_contacts),
        CASE(removed_walls_have_no_contacts),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
