/*  Nothing missed by the schedules that look at velocities alone: a drum made of facets that turns
    (IS-H6), and speeds that peak and fall between two runs (IS-H7). Each step is audited. */
#include "claims/yade_internal.h"

#include "claims/audit.h"
#include "measure/observer.h"

#include "base/error.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/*  Boxes that move, by column. */
typedef struct cast
{
    size_t count;
    double *low[3], *high[3], *velocity[3], *spin, *arm;
    uint8_t *flags;
    double *memory; /* all of the columns */
} cast;

static scree_status open_cast(cast *c, size_t count, scree_error *error)
{
    memset(c, 0, sizeof *c);
    c->count = count;
    c->memory = calloc(count, 11 * sizeof(double) + 1);
    if (!c->memory) {
        (void)scree_fail(error, SCREE_OUT_OF_MEMORY, "bench yade: no memory for %zu boxes", count);
        return SCREE_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < 3; k++) {
        c->low[k] = c->memory + k * count;
        c->high[k] = c->memory + (3 + k) * count;
        c->velocity[k] = c->memory + (6 + k) * count;
    }
    c->spin = c->memory + 9 * count;
    c->arm = c->memory + 10 * count;
    c->flags = (uint8_t *)(c->memory + 11 * count);
    return SCREE_OK;
}

static scree_table table_of(const cast *c)
{
    scree_view lower[3], upper[3];
    for (int k = 0; k < 3; k++) {
        lower[k] = scree_doubles(c->low[k], sizeof(double));
        upper[k] = scree_doubles(c->high[k], sizeof(double));
    }
    scree_table table = scree_table_boxes(c->count, lower, upper);
    table.flags = scree_integer_view(c->flags, 1);
    return table;
}

static scree_motion motion_of(const cast *c)
{
    scree_motion motion;
    memset(&motion, 0, sizeof motion);
    for (int k = 0; k < 3; k++)
        motion.velocity[k] = scree_doubles(c->velocity[k], sizeof(double));
    motion.spin[2] = scree_doubles(c->spin, sizeof(double));
    motion.arm = scree_doubles(c->arm, sizeof(double));
    return motion;
}

static void enclose_point(cast *c, size_t i, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        c->low[k][i] = fmin(c->low[k][i], point[k]);
        c->high[k][i] = fmax(c->high[k][i], point[k]);
    }
}

/* ---- IS-H6: the drum ---- */

#define FACETS 96 /* two triangles for each of 48 strips */
#define DRUM_RADIUS 10.0
#define DRUM_LENGTH 12.0
#define DRUM_SPIN 0.003 /* a step; the wall moves by 0.03 */

/*  Spheres go around at a share of the drum's spin, as in a drum they are dragged along, close enough
    to the wall to meet it. */
typedef struct guest
{
    double distance, angle, spin, z, radius;
} guest;

static void turn_facet(cast *c, size_t i, double angle)
{
    double from = angle + 2 * PI * (double)(i / 2) / (FACETS / 2.0);
    double to = angle + 2 * PI * (double)(i / 2 + 1) / (FACETS / 2.0);
    double near_end = i % 2 ? 0 : DRUM_LENGTH, far_end = DRUM_LENGTH - near_end;
    double a[3] = {DRUM_RADIUS * cos(from), DRUM_RADIUS * sin(from), near_end};
    double b[3] = {DRUM_RADIUS * cos(to), DRUM_RADIUS * sin(to), far_end};
    double third[3] = {i % 2 ? a[0] : b[0], i % 2 ? a[1] : b[1], i % 2 ? far_end : near_end};
    for (int k = 0; k < 3; k++)
        c->low[k][i] = c->high[k][i] = a[k];
    enclose_point(c, i, b);
    enclose_point(c, i, third);
    c->spin[i] = DRUM_SPIN;
    c->arm[i] = DRUM_RADIUS; /* around the axis, whose velocity is 0 */
    c->flags[i] = SCREE_FIXED;
}

static void place_guest(cast *c, size_t i, const guest *g, uint64_t step)
{
    double angle = g->angle + g->spin * (double)step, speed = g->spin * g->distance;
    double x[3] = {g->distance * cos(angle), g->distance * sin(angle), g->z};
    for (int k = 0; k < 3; k++) {
        c->low[k][i] = x[k] - g->radius;
        c->high[k][i] = x[k] + g->radius;
    }
    c->velocity[0][i] = -speed * sin(angle);
    c->velocity[1][i] = speed * cos(angle);
}

static void watch_all(scree_audit *audit)
{
    static const struct
    {
        const char *name;
        scree_margin_kind kind;
    } watches[] = {
        {"skin", SCREE_MARGIN_SKIN},
        {"tolerance", SCREE_MARGIN_TOLERANCE},
        {"stride", SCREE_MARGIN_STRIDE},
        {"distance", SCREE_MARGIN_DISTANCE},
        {"bins", SCREE_MARGIN_BINS},
        {"per body", SCREE_MARGIN_PER_BODY},
        {"without spin", SCREE_MARGIN_DISTANCE},
    };
    for (size_t w = 0; w < SCREE_COUNT_OF(watches); w++) {
        scree_margin_def margin = scree_margin_of(watches[w].kind, 0.3);
        margin.trust_velocities = true;
        scree_audit_watch(audit, watches[w].name, &margin, w + 1 == SCREE_COUNT_OF(watches));
    }
}

static void say_watches(const scree_audit *audit, uint64_t steps, scree_claim *claim)
{
    scree_claim_say(claim, "missed (runs):");
    for (size_t w = 0; w < audit->watch_count; w++)
        scree_claim_say(claim, "%s %s %llu (%llu)", w ? "," : "", audit->watch[w].name,
                        (unsigned long long)audit->watch[w].missed,
                        (unsigned long long)audit->watch[w].runs);
    scree_claim_say(claim, "\n%llu overlaps in %llu steps, all pairs looked at",
                    (unsigned long long)audit->overlaps, (unsigned long long)steps);
}

static void draw_guests(guest *guests, size_t count, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, (uint64_t)6 << 32);
    for (size_t i = 0; i < count; i++) {
        guest *g = &guests[i];
        g->radius = scree_random_range(&random, 0.4, 0.8);
        g->distance = scree_random_range(&random, 2, DRUM_RADIUS - 0.5);
        g->angle = scree_random_range(&random, 0, 2 * PI);
        /* never faster than the drum, or the spheres alone would make the runs */
        g->spin = DRUM_SPIN * scree_random_range(&random, -0.02, 0.02);
        g->z = scree_random_range(&random, 0.5, DRUM_LENGTH - 0.5);
    }
}

static scree_status turn_drum(scree_study *study, scree_audit *audit, cast *c, guest *guests,
                              uint64_t steps, scree_error *error)
{
    draw_guests(guests, c->count - FACETS, study->seed);
    watch_all(audit);
    scree_status status = scree_audit_open(audit, "insertion-sort", SCREE_BOXES, error);
    scree_table table = table_of(c);
    scree_motion motion = motion_of(c);
    for (uint64_t step = 0; step < steps && status == SCREE_OK; step++) {
        for (size_t i = 0; i < FACETS; i++)
            turn_facet(c, i, DRUM_SPIN * (double)step);
        for (size_t i = FACETS; i < c->count; i++)
            place_guest(c, i, &guests[i - FACETS], step);
        status = scree_audit_step(audit, &table, &motion, error);
    }
    return status;
}

static scree_status measure_drum(scree_study *study, scree_error *error)
{
    static scree_audit audit;
    cast c;
    size_t guests = study->quick ? 300 : 800;
    uint64_t steps = study->quick ? 200 : 1000;
    scree_study_tell(study, "IS-H6: drum of %d facets, %zu spheres", FACETS, guests);
    memset(&audit, 0, sizeof audit);
    guest *guest_list = calloc(guests, sizeof *guest_list);
    scree_status status = open_cast(&c, FACETS + guests, error);
    if (!guest_list) {
        (void)scree_fail(error, SCREE_OUT_OF_MEMORY, "bench yade: no memory for the drum");
        status = SCREE_OUT_OF_MEMORY;
    }
    if (status == SCREE_OK && guest_list)
        status = turn_drum(study, &audit, &c, guest_list, steps, error);
    if (status == SCREE_OK) {
        scree_claim *claim =
            scree_study_claim(study, "IS-H6", "IS-15",
                              "a turning drum of facets: no contact is missed, by any margin");
        claim->pass = true;
        say_watches(&audit, steps, claim);
        for (size_t w = 0; w < audit.watch_count; w++)
            claim->pass = claim->pass && (audit.watch[w].missed == 0) == !audit.watch[w].hides_spin;
        scree_claim_say(claim, "; without spin shows what rotation is worth");
    }
    scree_audit_close(&audit);
    free(guest_list);
    free(c.memory);
    return status;
}

/* ---- IS-H7: peak and fall ---- */

/*  Slow, then within five steps 400 times as fast, then slow again, every 150 steps. */
static double speed_at(uint64_t step)
{
    uint64_t phase = step % 150;
    double peak = phase < 60 || phase >= 70 ? 0
                  : phase < 65              ? (double)(phase - 59) / 5
                                            : (double)(70 - phase) / 5;
    return 2e-4 + 0.08 * peak;
}

static void scatter(cast *c, double *const direction[3], double side, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, (uint64_t)7 << 32);
    for (size_t i = 0; i < c->count; i++) {
        double square = 0, d[3];
        for (int k = 0; k < 3; k++) {
            d[k] = scree_random_normal(&random);
            square += d[k] * d[k];
            c->low[k][i] = scree_random_range(&random, 0, side);
            c->high[k][i] = c->low[k][i] + 2;
        }
        for (int k = 0; k < 3; k++)
            direction[k][i] = square > 0 ? d[k] / sqrt(square) : 0;
    }
}

/*  Velocities of the step to come, then the step. */
static void set_velocities(cast *c, double *const direction[3], double speed)
{
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < c->count; i++)
            c->velocity[k][i] = speed * direction[k][i];
}

static void move_boxes(cast *c, double *const direction[3], double side)
{
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < c->count; i++) {
            c->low[k][i] += c->velocity[k][i];
            c->high[k][i] += c->velocity[k][i];
            if ((c->low[k][i] < 0 && direction[k][i] < 0) ||
                (c->low[k][i] > side && direction[k][i] > 0))
                direction[k][i] = -direction[k][i];
        }
}

static scree_status run_peaks(scree_study *study, scree_audit *audit, cast *c,
                              double *const direction[3], uint64_t steps, double *way,
                              scree_error *error)
{
    static const char *const names[] = {"stride", "distance", "bins"};
    double side = 2 * cbrt((double)c->count);
    for (int k = 0; k < 3; k++) {
        scree_margin_def margin =
            scree_margin_of((scree_margin_kind)(SCREE_MARGIN_STRIDE + k), 0.2);
        margin.trust_velocities = true;
        scree_audit_watch(audit, names[k], &margin, false);
    }
    scatter(c, direction, side, study->seed);
    scree_status status = scree_audit_open(audit, "insertion-sort", SCREE_BOXES, error);
    scree_table table = table_of(c);
    scree_motion motion = motion_of(c);
    *way = 0;
    for (uint64_t step = 0; step < steps && status == SCREE_OK; step++) {
        set_velocities(c, direction, speed_at(step));
        status = scree_audit_step(audit, &table, &motion, error);
        move_boxes(c, direction, side);
        *way += speed_at(step);
    }
    return status;
}

static scree_status measure_peaks(scree_study *study, scree_error *error)
{
    static scree_audit audit;
    cast c, direction;
    double way;
    uint64_t steps = study->quick ? 300 : 1500;
    scree_study_tell(study, "IS-H7: peaks of speed");
    memset(&audit, 0, sizeof audit);
    memset(&direction, 0, sizeof direction);
    scree_status status = open_cast(&c, study->quick ? 400 : 1000, error);
    if (status == SCREE_OK)
        status = open_cast(&direction, c.count, error);
    if (status == SCREE_OK)
        status = run_peaks(study, &audit, &c, direction.velocity, steps, &way, error);
    if (status == SCREE_OK) {
        scree_claim *claim = scree_study_claim(
            study, "IS-H7", "IS-16",
            "speed peaks and falls: no contact is missed, runs follow the distance");
        double expected = way / 0.2, runs = (double)audit.watch[1].runs;
        say_watches(&audit, steps, claim);
        scree_claim_say(claim, "; the way is worth %.0f runs", expected);
        claim->pass = audit.watch[0].missed + audit.watch[1].missed + audit.watch[2].missed == 0 &&
                      runs >= expected && runs <= 2 * expected + 2;
    }
    scree_audit_close(&audit);
    free(c.memory);
    free(direction.memory);
    return status;
}

scree_status scree_yade_audits(scree_study *study, scree_error *error)
{
    scree_status status = measure_drum(study, error);
    return status == SCREE_OK ? measure_peaks(study, error) : status;
}
