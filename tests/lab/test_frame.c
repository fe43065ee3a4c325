/*  Clouds of bodies and the frames that are sent of them: a page that has got every frame, and one that has missed
    some, know in the end what the world says. */
#include "cloud.h"

#include "test.h"

#include <math.h>

#define BODIES 300
#define PI 3.141592653589793

/*  What a page makes of frames, written again from docs/lab.md. */
typedef struct page
{
    uint32_t frame, epoch, slots, bodies, poses;
    bool is_wide, is_2d;
    double origin[3], quantum, time;
    int32_t place[4 * BODIES][3];
    uint32_t turn[4 * BODIES], number[4 * BODIES], shape[4 * BODIES];
    float radius[4 * BODIES];
    uint8_t colour[4 * BODIES];
    uint32_t known[SCREE_LAB_PARTS];
    size_t rows; /* that the last frame had of places */
} page;

static uint32_t whole(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static double real(const uint8_t *at)
{
    uint64_t bits = whole(at) | (uint64_t)whole(at + 4) << 32;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*  [count], and where rows begin. A slot of row k is list[k], or k itself where there is no list. */
static const uint8_t *section(const uint8_t *at, uint32_t *count, const uint8_t **list)
{
    uint32_t head = whole(at);
    *count = head & ~SCREE_LAB_SECTION_ALL;
    *list = head & SCREE_LAB_SECTION_ALL || *count == 0 ? NULL : at + 4;
    return at + 4 + (*list ? 4 * (size_t)*count : 0);
}

static uint32_t slot_of(const uint8_t *list, uint32_t k)
{
    return list ? whole(list + 4 * (size_t)k) : k;
}

static const uint8_t *read_places(page *p, const uint8_t *at)
{
    uint32_t count, axes = p->is_2d ? 2 : 3;
    const uint8_t *list, *from = section(at, &count, &list);

    p->rows = count;
    for (uint32_t axis = 0; axis < axes; axis++)
        for (uint32_t k = 0; k < count; k++) {
            const uint8_t *cell = from + (p->is_wide ? 4 : 2) * (axis * (size_t)count + k);
            p->place[slot_of(list, k)][axis] =
                p->is_wide ? (int32_t)whole(cell) : (int16_t)(uint16_t)(cell[0] | cell[1] << 8);
        }
    size_t bytes = (p->is_wide ? 4 : 2) * axes * (size_t)count;
    return from + ((bytes + 3) & ~(size_t)3);
}

static void read_frame(page *p, const uint8_t *bytes, size_t size)
{
    const uint8_t *at = bytes + SCREE_LAB_FRAME_HEAD, *list;
    uint32_t count;

    CHECK_EQUAL(bytes[0], SCREE_LAB_FRAME_KIND);
    p->is_2d = bytes[1] & SCREE_LAB_FRAME_2D;
    p->is_wide = bytes[1] & SCREE_LAB_FRAME_WIDE;
    p->frame = whole(bytes + 4);
    p->time = real(bytes + 8);
    for (int k = 0; k < 3; k++)
        p->origin[k] = real(bytes + 24 + 8 * k);
    p->quantum = real(bytes + 48);
    p->epoch = whole(bytes + 64);
    p->slots = whole(bytes + 72);
    p->bodies = whole(bytes + 76);
    p->poses = whole(bytes + 80);
    at += 28 * (size_t)p->poses;
    at = section(at, &count, &list);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t bits = whole(at + 4 * (size_t)k);
        memcpy(&p->radius[slot_of(list, k)], &bits, sizeof bits);
        p->number[slot_of(list, k)] = whole(at + 4 * ((size_t)count + k));
        p->shape[slot_of(list, k)] = whole(at + 4 * (2 * (size_t)count + k));
    }
    at = read_places(p, at + 12 * (size_t)count);
    at = section(at, &count, &list);
    for (uint32_t k = 0; k < count; k++)
        p->turn[slot_of(list, k)] = whole(at + 4 * (size_t)k);
    at = section(at + 4 * (size_t)count, &count, &list);
    for (uint32_t k = 0; k < count; k++)
        p->colour[slot_of(list, k)] = at[k];
    at += (count + 3) & ~3u;
    CHECK_EQUAL(at - bytes, size);
}

static void send_frame(const scree_lab_film *film, page *p)
{
    size_t size = scree_lab_frame_bytes(film, p->known);
    uint8_t *bytes = malloc(size);

    CHECK(bytes);
    scree_lab_frame_write(film, p->known, bytes);
    read_frame(p, bytes, size);
    free(bytes);
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        if (p->known[part] != SCREE_LAB_UNWANTED)
            p->known[part] = film->frame;
}

static scree_world *make_world(int dimensions)
{
    scree_world_def def = scree_default_world_def();
    scree_material_def stuff = scree_default_material_def();
    scree_material_id material;
    scree_world *world;

    def.dimensions = dimensions;
    def.step.dt = 1e-4;
    def.gravity[1] = -9.81;
    CHECK(!scree_world_create(&def, &world));
    CHECK(!scree_world_add_material(world, &stuff, &material));
    for (int i = 0; i < BODIES; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(0.01 + 0.001 * (i % 7));
        body.material = material;
        body.position[0] = 0.05 * (i % 20);
        body.position[1] = 0.05 * (i / 20);
        body.spin[2] = i;
        body.velocity[0] = i % 3 ? 0 : 0.1;
        CHECK(!scree_world_add_body(world, &body, NULL));
    }
    return world;
}

/*  Some other shapes, as if the world had such; they change with nothing else. */
static uint32_t shape_in(size_t slot, uint64_t steps)
{
    return slot % 5 == 0 ? 1 + (uint32_t)(slot + steps / 12) % 1000 : 0;
}

static void take(scree_lab_film *film, scree_lab_cloud *cloud, scree_world *world, int dimensions,
                 uint32_t epoch)
{
    static const double lower[3] = {0, 0, 0}, upper[3] = {1, 1, 0};
    scree_bodies_view bodies = scree_world_bodies(world);

    cloud->epoch = epoch;
    cloud->dimensions = dimensions;
    cloud->field = SCREE_LAB_FIELD_SPEED;
    cloud->grain = scree_lab_grain_of(&bodies, lower, upper);
    CHECK(!scree_lab_cloud_take(cloud, world, 0));
    for (size_t i = 0; i < bodies.count; i++) {
        size_t slot = scree_body_id_at(bodies.id, i).index1 - 1;
        CHECK_EQUAL(cloud->shape[slot], 0);
        cloud->shape[slot] = (uint16_t)shape_in(slot, cloud->steps);
    }
    CHECK(!scree_lab_film_take(film, cloud));
}

/*  Where it thinks bodies are, against where they are. */
static void compare(const page *p, scree_world *world)
{
    scree_bodies_view bodies = scree_world_bodies(world);
    uint32_t living = 0;

    CHECK_EQUAL(p->bodies, bodies.count);
    for (size_t i = 0; i < bodies.count; i++) {
        uint32_t slot = scree_body_id_at(bodies.id, i).index1 - 1;
        CHECK(p->radius[slot] == (float)scree_double_at(bodies.radius, i));
        CHECK_EQUAL(p->number[slot], scree_uint64_at(bodies.serial, i));
        CHECK_EQUAL(p->shape[slot], shape_in(slot, scree_world_clock(world).steps));
        for (int k = 0; k < (p->is_2d ? 2 : 3); k++)
            CHECK_NEAR(p->origin[k] + p->quantum * p->place[slot][k],
                       scree_row_at(bodies.position, i)[k], 0.51 * p->quantum);
    }
    for (uint32_t slot = 0; slot < p->slots; slot++)
        living += p->radius[slot] > 0;
    CHECK_EQUAL(living, bodies.count);
}

static void play(int dimensions)
{
    scree_world *world = make_world(dimensions);
    scree_lab_film film = {0};
    scree_lab_cloud cloud = {0};
    static page all, some;

    memset(&all, 0, sizeof all);
    memset(&some, 0, sizeof some);
    for (int frame = 0; frame < 20; frame++) {
        scree_bodies_view bodies = scree_world_bodies(world);
        if (frame == 7)
            CHECK(!scree_world_remove_body(world, scree_body_id_at(bodies.id, 5)));
        if (frame == 9)
            CHECK(!scree_world_remove_body(world, scree_body_id_at(bodies.id, 150)));
        CHECK(!scree_world_step(world, 3));
        take(&film, &cloud, world, dimensions, 1);
        send_frame(&film, &all);
        compare(&all, world);
        if (frame % 6 == 5) {
            send_frame(&film, &some);
            compare(&some, world);
            CHECK(memcmp(all.turn, some.turn, sizeof all.turn) == 0);
            CHECK(memcmp(all.colour, some.colour, sizeof all.colour) == 0);
        }
    }
    scree_lab_cloud_free(&cloud);
    scree_lab_film_free(&film);
    scree_world_destroy(world);
}

TEST(all_frames_and_some_tell_the_same)
{
    play(2);
    play(3);
}

TEST(what_rests_is_not_sent_again)
{
    scree_world *world = make_world(3);
    scree_lab_film film = {0};
    scree_lab_cloud cloud = {0};
    static page p;

    memset(&p, 0, sizeof p);
    take(&film, &cloud, world, 3, 1);
    send_frame(&film, &p);
    CHECK_EQUAL(p.rows, BODIES);
    take(&film, &cloud, world, 3, 1);
    CHECK_EQUAL(scree_lab_frame_bytes(&film, p.known), SCREE_LAB_FRAME_HEAD + 16);
    send_frame(&film, &p);
    CHECK_EQUAL(p.rows, 0);
    /* one that is moved is sent alone */
    scree_body_id id = scree_body_id_at(scree_world_bodies(world).id, 17);
    scree_body body;
    CHECK(!scree_world_get_body(world, id, &body));
    body.position[2] = 0.3;
    CHECK(!scree_world_set_body(world, id, &body));
    take(&film, &cloud, world, 3, 1);
    send_frame(&film, &p);
    CHECK_EQUAL(p.rows, 1);
    compare(&p, world);
    /* another scene: all of it */
    take(&film, &cloud, world, 3, 2);
    send_frame(&film, &p);
    CHECK_EQUAL(p.rows, BODIES);
    scree_lab_cloud_free(&cloud);
    scree_lab_film_free(&film);
    scree_world_destroy(world);
}

TEST(parts_that_are_not_wanted_are_not_sent)
{
    scree_world *world = make_world(3);
    scree_lab_film film = {0};
    scree_lab_cloud cloud = {0};
    static page p;

    memset(&p, 0, sizeof p);
    p.known[SCREE_LAB_TURNS] = SCREE_LAB_UNWANTED;
    p.turn[3] = 77;
    take(&film, &cloud, world, 3, 1);
    send_frame(&film, &p);
    CHECK_EQUAL(p.turn[3], 77);
    p.known[SCREE_LAB_TURNS] = 0;
    send_frame(&film, &p);
    CHECK(p.turn[3] != 77);
    scree_lab_cloud_free(&cloud);
    scree_lab_film_free(&film);
    scree_world_destroy(world);
}

TEST(far_bodies_make_places_wide)
{
    scree_world *world = make_world(2);
    scree_lab_film film = {0};
    scree_lab_cloud cloud = {0};
    static page p;
    scree_body_id id = scree_body_id_at(scree_world_bodies(world).id, 3);
    scree_body body;

    memset(&p, 0, sizeof p);
    take(&film, &cloud, world, 2, 1);
    send_frame(&film, &p);
    CHECK(!p.is_wide);
    CHECK(!scree_world_get_body(world, id, &body));
    body.position[0] = -5000;
    CHECK(!scree_world_set_body(world, id, &body));
    take(&film, &cloud, world, 2, 1);
    send_frame(&film, &p);
    CHECK(p.is_wide);
    compare(&p, world);
    /* as far as numbers go, and no farther */
    body.position[0] = 1e90;
    CHECK(!scree_world_set_body(world, id, &body));
    take(&film, &cloud, world, 2, 1);
    send_frame(&film, &p);
    CHECK_EQUAL(p.place[id.index1 - 1][0], 2147483000);
    scree_lab_cloud_free(&cloud);
    scree_lab_film_free(&film);
    scree_world_destroy(world);
}

TEST(turns_are_turns)
{
    scree_world *world = make_world(2);
    scree_lab_cloud cloud = {0};
    static const double zero[3] = {0};
    scree_body_id id = scree_body_id_at(scree_world_bodies(world).id, 0);
    scree_body body;

    CHECK(!scree_world_get_body(world, id, &body));
    body.orientation[0] = cos(0.5);
    body.orientation[3] = sin(0.5);
    CHECK(!scree_world_set_body(world, id, &body));
    scree_bodies_view bodies = scree_world_bodies(world);
    cloud.dimensions = 2;
    cloud.grain = scree_lab_grain_of(&bodies, zero, zero);
    CHECK(!scree_lab_cloud_take(&cloud, world, 0));
    CHECK_NEAR(cloud.turn[0] / 4294967296.0 * 2 * PI, 1, 1e-8);
    cloud.dimensions = 3;
    CHECK(!scree_lab_cloud_take(&cloud, world, 0));
    CHECK_EQUAL(cloud.turn[0], scree_lab_turn_of(scree_row_at(bodies.orientation, 0)));
    scree_lab_cloud_free(&cloud);
    scree_world_destroy(world);
}

/*  As a page does. */
static void unpack_turn(uint32_t packed, double q[4])
{
    uint32_t largest = packed >> 30, shift = 20;
    double sum = 0;

    for (uint32_t k = 0; k < 4; k++) {
        if (k == largest)
            continue;
        q[k] = ((double)(packed >> shift & 1023) - 512) / 511 * sqrt(0.5);
        sum += q[k] * q[k];
        shift -= 10;
    }
    q[largest] = sqrt(fmax(0, 1 - sum));
}

/*  What is lost of any turn is less than a quarter of a degree; of those by quarters nothing. */
TEST(turns_in_32_bits)
{
    double worst = 0;

    for (int i = 0; i < 100000; i++) {
        /* points on the sphere of unit quaternions, all about evenly (Shoemake 1992) */
        double a = 0.6180339887 * i, b = 0.7548776662 * i, c = (i + 0.5) / 100000;
        double q[4] = {sqrt(1 - c) * sin(2 * PI * a), sqrt(1 - c) * cos(2 * PI * a),
                       sqrt(c) * sin(2 * PI * b), sqrt(c) * cos(2 * PI * b)};
        double back[4], same = 0;
        unpack_turn(scree_lab_turn_of(q), back);
        for (int k = 0; k < 4; k++)
            same += q[k] * back[k];
        /* the angle between both is twice that between the quaternions */
        worst = fmax(worst, 2 * acos(fmin(1, fabs(same))));
    }
    CHECK(worst < 0.25 * PI / 180);
    static const double quarters[4][4] = {
        {1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 0, 1}, {0.5, -0.5, 0.5, -0.5}};
    for (int i = 0; i < 4; i++) {
        double back[4], sign = i == 1 ? -1 : 1;
        unpack_turn(scree_lab_turn_of(quarters[i]), back);
        for (int k = 0; k < 4; k++)
            CHECK_NEAR(back[k], sign * quarters[i][k], i == 3 ? 2e-3 : 0);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(all_frames_and_some_tell_the_same),
        CASE(what_rests_is_not_sent_again),
        CASE(parts_that_are_not_wanted_are_not_sent),
        CASE(far_bodies_make_places_wide),
        CASE(turns_are_turns),
        CASE(turns_in_32_bits),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
