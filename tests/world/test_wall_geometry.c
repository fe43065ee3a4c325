/*  What laws are told of a sphere at a wall: kernels at every SIMD level against one contact after the other, bit for bit. */
#include "base/random.h"
#include "base/vector.h"
#include "scree/detect.h"
#include "test.h"
#include "world/forces/wall_geometry.h"
#include "world/state/wall_path.h"
#include "world/state/walls.h"

#include <string.h>

#define BODIES 50
#define CONTACTS 200
#define WALLS 5

typedef struct scene
{
    double position[BODIES][4], velocity[BODIES][4], spin[BODIES][4];
    double point[CONTACTS][4], normal[CONTACTS][4];
    uint32_t body[CONTACTS], wall[CONTACTS];
    scree_wall_pose pose[WALLS];
    double wall_rows[WALLS][SCREE_WALL_ROWS][4];
} scene;

static void set_numbers(scree_random *random, double *number, int count, double most)
{
    for (int k = 0; k < count; k++)
        number[k] = scree_random_range(random, -most, most);
}

/*  Some walls stand still: then zeros, of either sign, are part of the sums. */
static void make_scene(scree_random *random, scene *s)
{
    memset(s, 0, sizeof *s);
    for (int b = 0; b < BODIES; b++) {
        set_numbers(random, s->position[b], 3, 1);
        set_numbers(random, s->velocity[b], 3, b % 7 ? 2 : 0);
        set_numbers(random, s->spin[b], 3, b % 5 ? 30 : 0);
        s->position[b][3] = scree_random_range(random, 1e-3, 1);
        s->velocity[b][3] = 1 / scree_random_range(random, 1e-6, 10);
    }
    for (int w = 0; w < WALLS; w++) {
        scree_wall_pose *pose = &s->pose[w];
        set_numbers(random, pose->position, 3, 1);
        set_numbers(random, pose->velocity, 3, w % 2);
        set_numbers(random, pose->spin, 3, w % 3);
        memcpy(s->wall_rows[w][0], pose->position, sizeof pose->position);
        memcpy(s->wall_rows[w][1], pose->velocity, sizeof pose->velocity);
        memcpy(s->wall_rows[w][2], pose->spin, sizeof pose->spin);
        set_numbers(random, s->wall_rows[w][3], 3, w % 2 ? 4 : 0);
        set_numbers(random, s->wall_rows[w][4], 3, w % 3);
    }
    for (int c = 0; c < CONTACTS; c++) {
        s->body[c] = (uint32_t)scree_random_below(random, BODIES);
        s->wall[c] = (uint32_t)scree_random_below(random, WALLS);
        set_numbers(random, s->point[c], 3, 1);
        s->point[c][3] = scree_random_range(random, 0, 1e-3);
        set_numbers(random, s->normal[c], 3, 1);
        if (c % 4 == 0)
            memcpy(s->normal[c], (double[3]){0, 0, -1}, sizeof(double[3]));
    }
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/*  The k-th in the room, as the definitions have it. */
static bool is_right(const scene *s, bool has_belts, const scree_batch_room *room, uint32_t k)
{
    uint32_t c = room->contact[k], b = s->body[c];
    const scree_wall_pose *wall = &s->pose[s->wall[c]];
    const double *n = s->normal[c], *w = s->spin[b];
    double radius = s->position[b][3], overlap = s->point[c][3], arm = radius - overlap;
    double surface[3], belt[3], speed[3], approach = 0, twist = 0;
    bool is_right = room->first[k] == b;

    scree_wall_velocity_at(wall->position, wall->velocity, wall->spin, s->point[c], surface);
    scree_wall_velocity_at(wall->position, s->wall_rows[s->wall[c]][3], s->wall_rows[s->wall[c]][4],
                           s->point[c], belt);
    const double along = scree_dot(belt, n);
    for (int a = 0; a < 3; a++) {
        int p = (a + 1) % 3, q = (a + 2) % 3;
        speed[a] = s->velocity[b][a] + arm * (w[p] * n[q] - w[q] * n[p]) - surface[a];
        approach += speed[a] * n[a];
        twist += (w[a] + wall->spin[a]) * n[a];
    }
    is_right &= same(room->overlap[k], overlap) && same(room->approach[k], approach);
    is_right &= same(room->twist[k], 0.5 * twist) && same(room->radius[k], radius);
    is_right &= same(room->mass[k], 1 / s->velocity[b][3]) && same(room->arm[0][k], arm);
    for (int a = 0; a < 3; a++) {
        is_right &= same(room->normal[a][k], n[a]);
        const double slide = speed[a] - approach * n[a];
        is_right &= same(room->slide[a][k], has_belts ? slide - (belt[a] - along * n[a]) : slide);
        is_right &= same(room->roll[a][k], w[a] - wall->spin[a]);
    }
    return is_right;
}

TEST(vectors_find_what_single_contacts_do)
{
    static scene s;
    static scree_batch_room room;
    scree_random random = scree_random_stream(21, 0);

    for (int round = 0; round < TEST_EFFORT(60, 3000); round++)
        for (int level = 1; level <= (int)scree_simd_resolve(SCREE_SIMD_AUTO); level++) {
            uint32_t count = 1 + (uint32_t)scree_random_below(&random, SCREE_BATCH);
            make_scene(&random, &s);
            const scree_wall_geometry geometry = {.position = s.position[0],
                                                  .velocity = s.velocity[0],
                                                  .spin = s.spin[0],
                                                  .point = s.point[0],
                                                  .normal = s.normal[0],
                                                  .body = s.body,
                                                  .wall = s.wall,
                                                  .wall_rows = s.wall_rows[0][0],
                                                  .has_belts = round % 2 == 1};
            for (uint32_t k = 0; k < SCREE_BATCH; k++)
                room.contact[k] = (uint32_t)scree_random_below(&random, CONTACTS);
            scree_wall_geometry_kernels[level](&geometry, count, &room);
            uint32_t right = 0;
            for (uint32_t k = 0; k < count; k++)
                right += is_right(&s, geometry.has_belts, &room, k);
            CHECK_EQUAL(right, count);
        }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(vectors_find_what_single_contacts_do),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
