/*  Converts the world's doubles to the small integers that a page draws. */
#include "cloud.h"

#include "base/common.h"
#include "world/measure/neighbour_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLACE_MOST 2147483000.0

void scree_lab_cloud_free(scree_lab_cloud *cloud)
{
    free(cloud->place);
    free(cloud->turn);
    free(cloud->radius);
    free(cloud->number);
    free(cloud->shape);
    free(cloud->colour);
    free(cloud->poses);
    memset(cloud, 0, sizeof *cloud);
}

/*  Grows all arrays or none: an array that has grown keeps its size for the next time. */
static bool reserve(scree_lab_cloud *cloud, size_t slots)
{
    size_t room = slots + slots / 4 + 64;
    void *blocks[] = {cloud->place,  cloud->turn,  cloud->radius,
                      cloud->number, cloud->shape, cloud->colour};
    const size_t bytes[] = {sizeof *cloud->place,  sizeof *cloud->turn,  sizeof *cloud->radius,
                            sizeof *cloud->number, sizeof *cloud->shape, sizeof *cloud->colour};
    bool good = true;

    if (slots <= cloud->slot_room)
        return true;
    for (size_t k = 0; k < SCREE_COUNT_OF(blocks); k++) {
        void *grown = realloc(blocks[k], room * bytes[k]);
        good = good && grown;
        blocks[k] = grown ? grown : blocks[k];
    }
    cloud->place = blocks[0];
    cloud->turn = blocks[1];
    cloud->radius = blocks[2];
    cloud->number = blocks[3];
    cloud->shape = blocks[4];
    cloud->colour = blocks[5];
    cloud->slot_room = good ? room : cloud->slot_room;
    return good;
}

scree_lab_grain scree_lab_grain_of(const scree_bodies_view *bodies, const double lower[3],
                                   const double upper[3])
{
    scree_lab_grain grain;
    double least = INFINITY;
    int exponent;

    for (size_t i = 0; i < bodies->count; i++)
        least = fmin(least, scree_double_at(bodies->radius, i));
    /* without bodies: as if a thousand fitted along the box */
    if (!(least < INFINITY && least > 0)) {
        least = 0;
        for (int k = 0; k < 3; k++)
            least = fmax(least, (upper[k] - lower[k]) / 1000);
    }
    frexp(least > 0 ? least : 1, &exponent);
    /* least is at least 2^(exponent - 1) */
    grain.quantum = ldexp(1, exponent - 1 - 6);
    for (int k = 0; k < 3; k++)
        grain.origin[k] = floor((lower[k] + upper[k]) / 2 / grain.quantum) * grain.quantum;
    return grain;
}

/*  Rounds to nearest with a conversion and a comparison: calls of floor, fmin and fmax took most of the time of a
    cloud. */
static int32_t to_place(double x, double origin, double inv_quantum)
{
    double q = (x - origin) * inv_quantum + 0.5;
    q = q < PLACE_MOST ? q : PLACE_MOST;
    q = q > -PLACE_MOST ? q : -PLACE_MOST;
    int32_t toward_zero = (int32_t)q;
    return toward_zero - (q < toward_zero);
}

/*  Rounds to nearest and adds 512; 1 to 1023. */
static uint32_t to_ten_bits(double x)
{
    x = x < 511 ? x : 511;
    x = x > -511 ? x : -511;
    return (uint32_t)(int32_t)(x + 512.5);
}

uint32_t scree_lab_turn_of(const double q[4])
{
    unsigned largest = 0;
    uint32_t packed = 0;

    for (unsigned k = 1; k < 4; k++)
        largest = fabs(q[k]) > fabs(q[largest]) ? k : largest;
    double scale = copysign(511 * 1.4142135623730951, q[largest]);
    for (unsigned k = 0; k < 4; k++)
        if (k != largest)
            packed = packed << 10 | to_ten_bits(scale * q[k]);
    return packed | largest << 30;
}

/*  A body's orientation. In two dimensions w x y z and its negative are the same angle. */
static uint32_t to_turn(const double q[4], int dimensions)
{
    if (dimensions != 2)
        return scree_lab_turn_of(q);
    double turns = atan2(q[3], q[0]) / 3.141592653589793;
    return (uint32_t)(int64_t)floor((turns - floor(turns)) * 4294967295.0);
}

static double length_sq(const double v[3])
{
    return v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
}

/*  Range up to 2.5 times the root mean square, which a few large values hardly affect. */
static void choose_range(scree_lab_cloud *cloud, scree_view rows, size_t count, float last)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += length_sq(scree_row_at(rows, i));
    double upper = count ? 2.5 * sqrt(sum / (double)count) : 0;
    cloud->lower = 0;
    cloud->upper = (float)fmax(upper, 0.97 * last);
    if (!(cloud->upper > 0 && cloud->upper < INFINITY))
        cloud->upper = 1;
}

static uint8_t to_colour(float value, float upper)
{
    float scaled = 255 * (value / upper);
    if (!(scaled < 255))
        return 255;
    uint8_t below = (uint8_t)scaled;
    return (uint8_t)(below + (scaled - below >= 0.5f));
}

/*  Upper limit for equal spheres or discs: the kissing number. */
static const float max_contacts[4] = {1, 1, 6, 12};

static void count_one(scree_lab_cloud *cloud, scree_body_id id)
{
    uint8_t *count = &cloud->colour[id.index1 - 1];
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
}

/*  Colours by number of contacts, including those with walls. */
static scree_status colour_by_contacts(scree_lab_cloud *cloud, scree_world *world)
{
    const scree_contact *contacts;
    size_t count;
    scree_status status = scree_world_contacts(world, NULL, &contacts, &count);

    cloud->lower = 0;
    cloud->upper = max_contacts[cloud->dimensions];
    memset(cloud->colour, 0, cloud->slot_count * sizeof *cloud->colour);
    for (size_t i = 0; i < count && !status; i++) {
        count_one(cloud, contacts[i].first);
        if (contacts[i].second.index1)
            count_one(cloud, contacts[i].second);
    }
    for (size_t slot = 0; slot < cloud->slot_count; slot++)
        cloud->colour[slot] = to_colour(cloud->colour[slot], cloud->upper);
    return status;
}

/*  Colours by number of neighbour pairs: from 0 to that of the body with the most, up to 255. */
static void colour_by_work(scree_lab_cloud *cloud, const scree_world *world)
{
    size_t count = scree_world_neighbour_count(world);
    uint8_t most = 1;

    memset(cloud->colour, 0, cloud->slot_count * sizeof *cloud->colour);
    for (size_t i = 0; i < count; i++) {
        scree_neighbour_pair pair = scree_world_neighbour_pair(world, i);
        count_one(cloud, pair.first);
        count_one(cloud, pair.second);
    }
    for (size_t slot = 0; slot < cloud->slot_count; slot++)
        most = cloud->colour[slot] > most ? cloud->colour[slot] : most;
    cloud->lower = 0;
    cloud->upper = most;
    for (size_t slot = 0; slot < cloud->slot_count; slot++)
        cloud->colour[slot] = to_colour(cloud->colour[slot], cloud->upper);
}

scree_status scree_lab_cloud_take(scree_lab_cloud *cloud, scree_world *world, float last_upper)
{
    scree_bodies_view view = scree_world_bodies(world);
    scree_clock clock = scree_world_clock(world);
    double inv_quantum = 1 / cloud->grain.quantum;
    size_t slots = 0;

    for (size_t i = 0; i < view.count; i++)
        if (scree_body_id_at(view.id, i).index1 > slots)
            slots = scree_body_id_at(view.id, i).index1;
    if (!reserve(cloud, slots))
        return SCREE_OUT_OF_MEMORY;
    cloud->time = clock.time;
    cloud->steps = clock.steps;
    cloud->slot_count = slots;
    cloud->body_count = view.count;
    const scree_view rows = cloud->field == SCREE_LAB_FIELD_FORCE ? view.force : view.velocity;
    bool is_length = cloud->field == SCREE_LAB_FIELD_SPEED || cloud->field == SCREE_LAB_FIELD_FORCE;
    choose_range(cloud, rows, is_length ? view.count : 0, last_upper);
    if (slots) {
        memset(cloud->radius, 0, slots * sizeof *cloud->radius);
        memset(cloud->shape, 0, slots * sizeof *cloud->shape);
    }
    for (size_t i = 0; i < view.count; i++) {
        size_t slot = scree_body_id_at(view.id, i).index1 - 1;
        for (int k = 0; k < 3; k++)
            cloud->place[slot][k] =
                to_place(scree_row_at(view.position, i)[k], cloud->grain.origin[k], inv_quantum);
        cloud->turn[slot] = to_turn(scree_row_at(view.orientation, i), cloud->dimensions);
        cloud->radius[slot] = (float)scree_double_at(view.radius, i);
        cloud->number[slot] = (uint32_t)scree_uint64_at(view.serial, i);
        cloud->colour[slot] =
            is_length ? to_colour(sqrtf((float)length_sq(scree_row_at(rows, i))), cloud->upper) : 0;
    }
    if (cloud->field == SCREE_LAB_FIELD_CONTACTS && slots && colour_by_contacts(cloud, world))
        return SCREE_OUT_OF_MEMORY;
    if (cloud->field == SCREE_LAB_FIELD_WORK && slots)
        colour_by_work(cloud, world);
    /* empty slots always have the same content, so they never count as changed */
    for (size_t slot = 0; slot < slots; slot++)
        if (!(cloud->radius[slot] > 0)) {
            memset(cloud->place[slot], 0, sizeof *cloud->place);
            cloud->turn[slot] = cloud->number[slot] = cloud->colour[slot] = 0;
        }
    return SCREE_OK;
}
