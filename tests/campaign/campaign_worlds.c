/*  Random worlds, features combined, against a reference that is slow and obvious: places, velocities, spins and orientations after
    each of a hundred steps. */
#include "campaign.h"

#include "campaign_worlds_draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STEPS 100u

/*  Bodies are some 0.1 m large and some 1 m/s fast. Rounding alone gives far less; a wrong term in a single contact far more. */
#define TOLERANCE 1e-9

typedef struct difference
{
    const char *why; /* NULL: none */
    uint32_t step, body;
    double size;
    char what[200];
} difference;

/*  Largest difference of a body: places in m; velocities, spins and rotations for what they make of a place in a step's
    ten-thousandth of a second are weighed as much. */
static double body_differs(const reference_world *reference, const reference_body *body,
                           const scree_body *now)
{
    double turn[3][3], way[3], most = 0;

    reference_matrix_of(now->orientation, turn);
    reference_world_way(reference, body->place, now->position, way);
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(way[k]));
        most = fmax(most, fabs(now->velocity[k] - body->velocity[k]) * 1e-3);
        most = fmax(most, fabs(now->spin[k] - body->spin[k]) * 1e-4);
        for (int a = 0; a < 3; a++)
            most = fmax(most, fabs(turn[k][a] - body->turn[k][a]) * 0.1);
    }
    return most == most ? most : HUGE_VAL;
}

static void compare(drawn_world *d, uint32_t step, difference *found)
{
    for (uint32_t i = 0; i < d->reference.body_count; i++) {
        const reference_body *body = &d->reference.body[i];
        scree_body now;
        if (scree_world_has_body(d->world, body->id) != body->is_there) {
            found->why = "a body is there, and not in the other";
        } else if (body->is_there && !scree_world_get_body(d->world, body->id, &now)) {
            double size = body_differs(&d->reference, body, &now);
            found->size = fmax(found->size, size);
            if (size > TOLERANCE)
                found->why = "a body is elsewhere";
            (void)snprintf(found->what, sizeof found->what,
                           "place %.17g %.17g %.17g, reference's %.17g %.17g %.17g",
                           now.position[0], now.position[1], now.position[2], body->place[0],
                           body->place[1], body->place[2]);
        }
        if (found->why) {
            found->step = step;
            found->body = i;
            return;
        }
    }
}

/*  A step that the library refuses ends the world: `refused` is then set. */
static difference try_world(uint64_t seed, uint32_t features, uint32_t bodies, bool *refused,
                            uint64_t *contacts)
{
    static drawn_world d;
    difference found = {0};

    d.seed = seed;
    d.features = features;
    d.bodies = bodies;
    *refused = false;
    const char *why = drawn_world_open(&d);
    for (uint32_t step = 0; !why && !found.why && step < STEPS; step++) {
        why = drawn_world_meddle(&d, step, STEPS);
        if (!why && scree_world_step(d.world, 1))
            why = scree_world_message(d.world);
        if (why)
            break;
        reference_world_step(&d.reference);
        *contacts += d.reference.contact_count;
        compare(&d, step + 1, &found);
    }
    if (why) {
        (void)snprintf(found.what, sizeof found.what, "%s", why);
        *refused = true;
    }
    drawn_world_close(&d);
    return found;
}

static void print_world(uint64_t seed, uint32_t features, uint32_t bodies, const difference *found)
{
    printf("seed %" PRIu64 ", %u bodies:", seed, bodies);
    for (int k = 0; k < DRAWN_FEATURES; k++)
        if (features >> k & 1)
            printf(" %s", drawn_feature_names[k]);
    printf(": %s, body %u after step %u, by %.3g: %s\n", found->why, found->body, found->step,
           found->size, found->what);
}

/*  Without features and bodies that it does not take. */
static void make_small(uint64_t seed, uint32_t features, uint32_t bodies, difference found)
{
    uint64_t contacts = 0;
    bool is_smaller = true, refused;

    while (is_smaller) {
        is_smaller = false;
        for (int k = 0; k < DRAWN_FEATURES; k++) {
            uint32_t fewer = features & ~(1u << k);
            difference again = {0};
            if (fewer != features)
                again = try_world(seed, fewer, bodies, &refused, &contacts);
            if (again.why) {
                features = fewer;
                found = again;
                is_smaller = true;
            }
        }
        if (bodies > 1) {
            difference again = try_world(seed, features, bodies - 1, &refused, &contacts);
            if (again.why) {
                bodies--;
                found = again;
                is_smaller = true;
            }
        }
    }
    printf("made small: ");
    print_world(seed, features, bodies, &found);
}

int campaign_worlds(const campaign *c, uint32_t job)
{
    campaign_watch watch = campaign_begin();
    uint64_t done = 0, refusals = 0, failures = 0, contacts = 0;
    uint32_t pairs[DRAWN_FEATURES] = {0};
    double largest = 0;

    for (uint64_t k = job; k < c->count; k += c->jobs) {
        const uint64_t seed = c->seed + k;
        const uint32_t features = drawn_features_of(seed), bodies = drawn_bodies_of(seed);
        bool refused;
        if (campaign_is_over(c, &watch, done, "worlds"))
            break;
        difference found = try_world(seed, features, bodies, &refused, &contacts);
        done++;
        refusals += refused;
        if (refused && refusals <= 3)
            printf("seed %" PRIu64 " refused: %s\n", seed, found.what);
        for (int a = 0; a < DRAWN_FEATURES; a++)
            pairs[a] |= features >> a & 1 ? features : 0;
        largest = fmax(largest, found.why ? 0 : found.size);
        if (!found.why)
            continue;
        failures++;
        print_world(seed, features, bodies, &found);
        if (!c->is_quiet && failures <= 5)
            make_small(seed, features, bodies, found);
    }
    uint32_t met = 0;
    for (int a = 0; a < DRAWN_FEATURES; a++)
        for (int b = 0; b < a; b++)
            met += pairs[a] >> b & 1;
    printf("%" PRIu64 " worlds of %u steps from seed %" PRIu64 ": %" PRIu64 " differ, %" PRIu64
           " refused; %" PRIu64 " contacts, %u of %u pairs of features, largest "
           "difference %.2g m, %.1f s\n",
           done, STEPS, c->seed, failures, refusals, contacts, met,
           DRAWN_FEATURES * (DRAWN_FEATURES - 1) / 2, largest, campaign_now() - watch.start);
    return failures > 0;
}
