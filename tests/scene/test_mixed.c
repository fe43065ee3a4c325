/*  All shapes, laws and boundaries in one scene, in small: it holds what it is there for, and is the same however it is
    computed. In full by `./do digest --mixed`. */
#include "harness/funnel.h"
#include "harness/mixed_scene.h"
#include "scene_maker.h"
#include "scree/bond.h"
#include "scree/checkpoint.h"
#include "scree/wall.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define BODIES 1000
#define STEPS 240

typedef struct subject
{
    scree_scene *scene;
    scree_world *world;
} subject;

static subject open_subject(const drum_way *way, scree_mesh_engine engine)
{
    scree_error error = {SCREE_OK, ""};
    subject s;

    s.world = mixed_scene_open(BODIES, way, engine, &s.scene, &error);
    if (!s.world)
        FAIL("%s", error.text);
    return s;
}

static void close_subject(subject *s)
{
    scree_world_destroy(s->world);
    scree_scene_close(s->scene);
}

static uint64_t finish(subject *s, uint64_t steps)
{
    must_step(s->scene, s->world, steps);
    uint64_t digest = scree_world_digest(s->world);
    close_subject(s);
    return digest;
}

static uint64_t digest_of(const drum_way *way, scree_mesh_engine engine)
{
    subject s = open_subject(way, engine);

    return finish(&s, STEPS);
}

/*  Shapes of bodies, and beside them walls. */
enum
{
    SPHERE,
    CLUMP,
    BLOCK,
    MESH,
    WALL,
    KINDS,
};
static const char *const kind_names[] = {"spheres", "clumps", "blocks", "meshes", "walls"};

static int kind_of(scree_world *world, scree_body_id id)
{
    scree_body body;

    CHECK_EQUAL(scree_world_get_body(world, id, &body), SCREE_OK);
    switch (body.shape.kind) {
    case SCREE_SHAPE_CLUMP:
        return CLUMP;
    case SCREE_SHAPE_BLOCK:
        return BLOCK;
    case SCREE_SHAPE_MESH:
        return MESH;
    default:
        return SPHERE;
    }
}

static void count_contacts(scree_world *world, uint64_t counts[KINDS][KINDS], uint64_t *pulling)
{
    const scree_contact *contacts;
    size_t count;

    CHECK_EQUAL(scree_world_contacts(world, NULL, &contacts, &count), SCREE_OK);
    for (size_t k = 0; k < count; k++) {
        const scree_contact *c = &contacts[k];
        int first = kind_of(world, c->first);
        int second = c->second.index1 ? kind_of(world, c->second) : WALL;
        double along = 0;
        for (int axis = 0; axis < 3; axis++)
            along += c->force[axis] * c->normal[axis];
        counts[first][second]++;
        counts[second][first] += first != second;
        *pulling += along > 0;
    }
}

TEST(everything_is_in_it)
{
    const drum_way plain = {0};
    subject s = open_subject(&plain, SCREE_MESH_ENGINE_AUTO);
    uint64_t counts[KINDS][KINDS] = {{0}}, pulling = 0;
    const scree_bond *bonds;
    scree_wall_id walls[8];
    scree_wall servo;
    size_t bond_count;

    for (int k = 0; k < 10; k++) {
        must_step(s.scene, s.world, STEPS / 10);
        count_contacts(s.world, counts, &pulling);
    }
    for (int first = SPHERE; first < WALL; first++)
        for (int second = first; second <= WALL; second++)
            if (!counts[first][second])
                FAIL("no contacts of %s and %s", kind_names[first], kind_names[second]);
    CHECK(pulling > 100);
    CHECK_EQUAL(scree_world_bonds(s.world, &bonds, &bond_count), SCREE_OK);
    CHECK(bond_count > 50);
    scree_scene_tally tally = scree_scene_count(s.scene);
    CHECK(tally.poured > 5 && tally.sunk > 5);
    CHECK_EQUAL(scree_world_walls(s.world, walls, 8), 4);
    CHECK_EQUAL(scree_world_get_wall(s.world, walls[1], &servo), SCREE_OK);
    CHECK(servo.servo.is_on && servo.servo.shift[0] != 0);
    CHECK(fabs(funnel_scene_gap(s.world)) < 0.01);
    close_subject(&s);
}

TEST(one_digest_however_it_is_computed)
{
    const drum_way plain = {0};
    uint64_t digest = digest_of(&plain, SCREE_MESH_ENGINE_AUTO);
    static const char *const methods[] = {"bvh8", "hash-grids", "cell-space", "rtree"};

    for (uint32_t threads = 2; threads <= 3; threads++) {
        const drum_way way = {.threads = threads, .method = methods[threads - 2]};
        CHECK_EQUAL(digest_of(&way, SCREE_MESH_ENGINE_BOXES), digest);
    }
    for (int level = SCREE_SIMD_SCALAR; level <= SCREE_SIMD_AVX512; level++) {
        const drum_way way = {
            .simd = (scree_simd)level, .sort_every = 8, .method = methods[level % 4]};
        CHECK_EQUAL(digest_of(&way, SCREE_MESH_ENGINE_AUTO), digest);
    }
    for (int kind = SCREE_MARGIN_NONE; kind <= SCREE_MARGIN_SKIN; kind++) {
        scree_margin_def margin = scree_default_detector_def().margin;
        const drum_way way = {.margin = &margin, .threads = 8};
        margin.kind = (scree_margin_kind)kind;
        CHECK_EQUAL(digest_of(&way, SCREE_MESH_ENGINE_SURROGATE), digest);
    }
}

/*  Halfway into a file, with what the scene has done, and on from there in another way. */
TEST(a_file_continues)
{
    const drum_way plain = {0}, other = {.threads = 2, .method = "bvh8", .sort_every = 3};
    scree_world_def hooks = scree_default_world_def();
    subject s = open_subject(&plain, SCREE_MESH_ENGINE_AUTO), again = {0};
    scree_error error = {SCREE_OK, ""};
    scree_checkpoint *checkpoint;
    char path[64];

    must_step(s.scene, s.world, STEPS / 2);
    size_t bytes = scree_scene_course_bytes(s.scene);
    void *course = malloc(bytes);
    CHECK_EQUAL(scree_scene_course_save(s.scene, course, bytes, &error), SCREE_OK);
    snprintf(path, sizeof path, "/tmp/scree-mixed-%ld.scree", (long)getpid());
    if (scree_checkpoint_write(s.world, path, NULL, 0, &error))
        FAIL("%s", error.text);
    drum_way_apply(&other, &hooks);
    if (scree_checkpoint_read(path, NULL, &checkpoint, &error) ||
        scree_checkpoint_world(checkpoint, &hooks, &again.world, &error))
        FAIL("%s", error.text);
    scree_checkpoint_destroy(checkpoint);
    remove(path);
    again.scene = mixed_scene_read(BODIES, &error);
    CHECK_EQUAL(scree_scene_course_load(again.scene, course, bytes, &error), SCREE_OK);
    free(course);
    uint64_t digest = finish(&s, STEPS / 2);
    CHECK_EQUAL(finish(&again, STEPS / 2), digest);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(everything_is_in_it),
        CASE(one_digest_however_it_is_computed),
        CASE(a_file_continues),
    };
    NEEDS_SCENES("test_scene_mixed");
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
