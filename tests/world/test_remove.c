/*  Bodies that are removed many at once, and the same one after the other: nothing tells the two worlds apart. */
#include "sound_world.h"

#include <string.h>

#define COUNT 600u

/*  Touching spheres on a lattice; the first of all is a giant that holds up those above it. */
static scree_world *make_heap(scree_body_id ids[COUNT], uint32_t sort_every)
{
    scree_world_def def = sound_world();
    scree_material_def material = scree_default_material_def();
    scree_body_def body = scree_default_body_def();
    scree_world *world;

    def.detection.sort_every = sort_every;
    def.energy_balance = true;
    world = open_world(&def);
    CHECK_EQUAL(scree_world_add_material(world, &material, &body.material), SCREE_OK);
    for (uint32_t k = 0; k < COUNT; k++) {
        /* so that neighbours in space are none in the order of names */
        uint32_t place = k * 173 % COUNT;
        body.shape = scree_shape_sphere(k == 0 ? 0.1 : 0.01);
        body.position[0] = k == 0 ? 0.1 : 0.0199 * (place % 10);
        body.position[1] = k == 0 ? -0.108 : 0.0199 * (place / 10 % 6);
        body.position[2] = k == 0 ? 0.1 : 0.0199 * (place / 60);
        CHECK_EQUAL(scree_world_add_body(world, &body, &ids[k]), SCREE_OK);
    }
    CHECK_EQUAL(scree_world_step(world, 20), SCREE_OK);
    return world;
}

/*  Those that stay are every `keep`-th. */
static size_t choose(const scree_body_id ids[COUNT], uint32_t keep, scree_body_id doomed[COUNT])
{
    size_t count = 0;

    for (uint32_t k = COUNT; k-- > 1;)
        if (k % keep)
            doomed[count++] = ids[k];
    return count;
}

static void check_contacts(scree_world *one, scree_world *other)
{
    const scree_contact_filter_def all = scree_default_contact_filter_def();

    (void)check_same_contacts(one, other, &all);
}

static void many_at_once_as_one_by_one(void)
{
    static const uint32_t keeps[] = {2, 7, 1000};

    for (size_t k = 0; k < COUNT_OF(keeps); k++)
        for (uint32_t sort_every = 0; sort_every < 2; sort_every++) {
            scree_body_id ids[COUNT], doomed[COUNT], again;
            scree_world *single = make_heap(ids, sort_every), *bulk = make_heap(ids, sort_every);
            scree_body_def body = scree_default_body_def();
            size_t count = choose(ids, keeps[k], doomed);
            for (size_t d = 0; d < count; d++)
                CHECK_EQUAL(scree_world_remove_body(single, doomed[d]), SCREE_OK);
            CHECK_EQUAL(scree_world_remove_bodies(bulk, doomed, count), SCREE_OK);
            CHECK_EQUAL(scree_world_digest(bulk), scree_world_digest(single));
            check_contacts(bulk, single);
            /* names that are free are given again in the same order */
            body.material.index1 = 1;
            body.shape = scree_shape_sphere(0.01);
            body.position[0] = 3;
            CHECK_EQUAL(scree_world_add_body(single, &body, &again), SCREE_OK);
            CHECK_EQUAL(scree_world_add_body(bulk, &body, &ids[1]), SCREE_OK);
            CHECK_EQUAL(again.index1, ids[1].index1);
            CHECK_EQUAL(scree_world_step(single, 20), SCREE_OK);
            CHECK_EQUAL(scree_world_step(bulk, 20), SCREE_OK);
            CHECK_EQUAL(scree_world_digest(bulk), scree_world_digest(single));
            scree_world_destroy(single);
            scree_world_destroy(bulk);
        }
}

/*  Contacts of bodies that are gone name slots that are none any more, until the next search. */
static void removed_before_bodies_are_sorted(void)
{
    scree_body_id ids[COUNT], doomed[COUNT];
    scree_world *world = make_heap(ids, 1);
    size_t count = choose(ids, 300, doomed);

    for (size_t d = 0; d < count; d++)
        CHECK_EQUAL(scree_world_remove_bodies(world, &doomed[d], 1), SCREE_OK);
    CHECK_EQUAL(scree_world_body_count(world), COUNT - count);
    CHECK_EQUAL(scree_world_step(world, 2), SCREE_OK);
    scree_world_destroy(world);
}

/*  One set of bodies after another: the second time contacts of the first are there still, and are none. */
static void sets_without_a_step_between(void)
{
    scree_body_id ids[COUNT];
    scree_world *single = make_heap(ids, 3), *bulk = make_heap(ids, 3);

    for (uint32_t from = COUNT; from > 100; from -= 100) {
        for (uint32_t k = from - 100; k < from; k++)
            CHECK_EQUAL(scree_world_remove_body(single, ids[k]), SCREE_OK);
        CHECK_EQUAL(scree_world_remove_bodies(bulk, ids + (from - 100), 100), SCREE_OK);
    }
    check_contacts(bulk, single);
    CHECK_EQUAL(scree_world_step(single, 10), SCREE_OK);
    CHECK_EQUAL(scree_world_step(bulk, 10), SCREE_OK);
    CHECK_EQUAL(scree_world_digest(bulk), scree_world_digest(single));
    scree_world_destroy(single);
    scree_world_destroy(bulk);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(many_at_once_as_one_by_one),
        CASE(removed_before_bodies_are_sorted),
        CASE(sets_without_a_step_between),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
