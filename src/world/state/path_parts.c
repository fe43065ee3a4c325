/*  Evaluates each motion from its definition at the given time, as wall_path.c does for paths: no error grows with
    time. */
#include "world/state/path_parts.h"

#include "base/quaternion.h"
#include "base/vector.h"
#include "world/state/wall_path.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.28318530717958647692

/* ---- copies ---- */

size_t scree_path_parts_row_count(const scree_path_part *parts, size_t count)
{
    size_t rows = 0;

    for (size_t k = 0; k < count; k++)
        rows += parts[k].kind == SCREE_PATH_TABLE ? parts[k].table_count : 0;
    return rows;
}

/*  The tables of all motions are in one block, one after the other; this is its start. */
static const double (*first_table(const scree_path_part *parts, size_t count))[8]
{
    for (size_t k = 0; k < count; k++)
        if (parts[k].kind == SCREE_PATH_TABLE)
            return parts[k].table;
    return NULL;
}

scree_status scree_path_parts_copy(const scree_path_part *parts, size_t count, scree_memory *memory,
                                   const scree_path_part **copy)
{
    size_t rows = scree_path_parts_row_count(parts, count);
    scree_path_part *made = NULL;
    double(*table)[8] = NULL;

    *copy = NULL;
    if (scree_memory_take(memory, count, sizeof *made, &made))
        return SCREE_OUT_OF_MEMORY;
    if (scree_memory_take(memory, rows, sizeof *table, &table)) {
        scree_memory_give(memory, &made, count, sizeof *made);
        return SCREE_OUT_OF_MEMORY;
    }
    for (size_t k = 0; k < count; k++) {
        made[k] = parts[k];
        if (parts[k].kind != SCREE_PATH_TABLE) {
            made[k].table = NULL;
            made[k].table_count = 0;
            continue;
        }
        memcpy(table, parts[k].table, parts[k].table_count * sizeof *table);
        made[k].table = (const double(*)[8])table;
        table += parts[k].table_count;
    }
    *copy = made;
    return SCREE_OK;
}

void scree_path_parts_free(const scree_path_part **copy, size_t count, scree_memory *memory)
{
    const double(*table)[8];
    size_t rows;

    if (!*copy)
        return;
    table = first_table(*copy, count);
    rows = scree_path_parts_row_count(*copy, count);
    scree_memory_give(memory, &table, rows, sizeof *table);
    scree_memory_give(memory, copy, count, sizeof **copy);
}

/* ---- motion ---- */

static bool moves(const scree_path_part *m)
{
    switch (m->kind) {
    case SCREE_PATH_MOVE:
        return scree_length(m->vector) > 0;
    case SCREE_PATH_SWING:
        return scree_length(m->vector) > 0 && m->frequency != 0;
    case SCREE_PATH_SPIN:
        return m->rate != 0;
    case SCREE_PATH_ROCK:
        return m->angle != 0 && m->frequency != 0;
    default:
        return m->kind == SCREE_PATH_TABLE;
    }
}

bool scree_path_parts_move(const scree_path_part *parts, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (moves(&parts[k]))
            return true;
    return false;
}

/*  The integral of 3 s^2 - 2 s^3 from 0 to s. */
static double ramp_passed(double s)
{
    return s * s * s * (1 - s / 2);
}

/*  The local time of the motion, and its rate. */
static double own_time(const scree_path_part *m, double time, double *rate)
{
    const double ramp = m->ramp, since = time - m->start;
    const double length = m->stop > 0 ? m->stop - m->start : INFINITY;

    *rate = 0;
    if (!(since >= 0))
        return 0;
    if (!(since < length))
        return length - ramp;
    if (since < ramp) {
        double s = since / ramp;
        *rate = s * s * (3 - 2 * s);
        return ramp * ramp_passed(s);
    }
    if (length - since < ramp) {
        double s = (length - since) / ramp;
        *rate = s * s * (3 - 2 * s);
        return length - ramp - ramp * ramp_passed(s);
    }
    *rate = 1;
    return ramp > 0 ? since - ramp / 2 : since;
}

/*  sin(2 pi f t + phase) - sin(phase), and its rate. Whole periods are subtracted while they are exact. */
static double sine_passed(const scree_path_part *m, double t, double *change)
{
    double sine, cosine, turns = m->frequency * t;

    scree_sin_cos(TWO_PI * (turns - floor(turns)) + m->phase, &sine, &cosine);
    *change = TWO_PI * m->frequency * cosine;
    return sine - scree_sin(m->phase);
}

/*  The effect of one motion: a rotation about its centre, then a shift, and their rates. */
typedef struct one_motion
{
    double shift[3], velocity[3];
    double turn[4], spin[3];
    bool turns;
} one_motion;

static void set_turn(const scree_path_part *m, double angle, double rate, one_motion *one)
{
    double axis[3], length = scree_length(m->vector);

    for (int k = 0; k < 3; k++) {
        axis[k] = m->vector[k] / length;
        one->spin[k] = axis[k] * rate;
    }
    scree_quaternion_about(axis, angle, one->turn);
    one->turns = true;
}

/* ---- tables ---- */

/*  Row `at` of a periodic table, with its time. `at` may be -1 or beyond the end. */
static const double *row_around(const scree_path_part *m, ptrdiff_t at, double *time)
{
    const ptrdiff_t count = (ptrdiff_t)m->table_count;
    /* if the last row repeats the first, it does not count twice */
    const bool is_closed =
        m->period > 0 && m->period == m->table[count - 1][0] - m->table[0][0] && count > 1;
    const ptrdiff_t rows = is_closed ? count - 1 : count;

    if (m->period == 0) {
        at = at < 0 ? 0 : at >= count ? count - 1 : at;
        *time = m->table[at][0];
        return m->table[at];
    }
    const ptrdiff_t rounds = at >= 0 ? at / rows : -((rows - 1 - at) / rows);
    const double *row = m->table[at - rounds * rows];
    *time = row[0] + (double)rounds * m->period;
    return row;
}

/*  Slope of the smooth curve at a row, from its two neighbours. A table that is not periodic starts and ends with
    slope 0. */
static double slope_at(const scree_path_part *m, ptrdiff_t at, int k)
{
    double before, after;
    const double *low = row_around(m, at - 1, &before), *high = row_around(m, at + 1, &after);
    bool is_end = m->period == 0 && (at <= 0 || at >= (ptrdiff_t)m->table_count - 1);

    return is_end ? 0 : (high[1 + k] - low[1 + k]) / (after - before);
}

static void shift_between(const scree_path_part *m, ptrdiff_t at, double t, one_motion *one)
{
    double begin, end;
    const double *row = row_around(m, at, &begin), *next = row_around(m, at + 1, &end);
    const double length = end - begin, s = (t - begin) / length;

    for (int k = 0; k < 3; k++) {
        const double p = row[1 + k], q = next[1 + k];
        if (!m->smooth) {
            one->velocity[k] = (q - p) / length;
            one->shift[k] = p + (t - begin) * one->velocity[k];
            continue;
        }
        const double a = slope_at(m, at, k) * length, b = slope_at(m, at + 1, k) * length;
        const double d = q - p;
        /* the cubic with these values and slopes at both ends */
        one->shift[k] = p + s * (a + s * ((3 * d - 2 * a - b) + s * (a + b - 2 * d)));
        one->velocity[k] = (a + s * (2 * (3 * d - 2 * a - b) + s * (3 * (a + b - 2 * d)))) / length;
    }
}

static void unit_turn(const double *row, double turn[4])
{
    memcpy(turn, row + 4, 4 * sizeof *turn);
    (void)scree_quaternion_normalise(turn);
}

/*  Rotates at a constant rate from one orientation to the other, the shorter way. */
static void turn_between(const scree_path_part *m, ptrdiff_t at, double t, one_motion *one)
{
    double begin, end, from[4], to[4], way[4], part[4], angle;
    const double *row = row_around(m, at, &begin), *next = row_around(m, at + 1, &end);

    unit_turn(row, from);
    unit_turn(next, to);
    scree_quaternion_multiply(to, (const double[4]){from[0], -from[1], -from[2], -from[3]}, way);
    const double sign = way[0] < 0 ? -1 : 1, sine = scree_length(way + 1);
    memcpy(one->turn, from, sizeof from);
    if (!(sine > 0))
        return;
    angle = 2 * (way[0] != 0 ? scree_atan(sine / (sign * way[0])) : TWO_PI / 4);
    for (int k = 0; k < 3; k++) {
        way[1 + k] *= sign / sine;
        one->spin[k] = way[1 + k] * (angle / (end - begin));
    }
    scree_quaternion_about(way + 1, angle * ((t - begin) / (end - begin)), part);
    scree_quaternion_multiply(part, from, one->turn);
}

/*  The last row whose time is not after t; -1 if t is before all rows. */
static ptrdiff_t row_before(const scree_path_part *m, double t)
{
    size_t low = 0, high = m->table_count;

    if (t < m->table[0][0])
        return -1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->table[middle][0] <= t)
            low = middle;
        else
            high = middle;
    }
    return (ptrdiff_t)low;
}

static void follow_table(const scree_path_part *m, double t, one_motion *one)
{
    const double first = m->table[0][0];
    const size_t last = m->table_count - 1;

    if (m->period > 0 && m->table_count > 1) {
        /* reduce to the first period; a time before the first row is in the period before */
        double rounds = floor((t - first) / m->period);
        t -= rounds * m->period;
    }
    ptrdiff_t at = row_before(m, t);
    bool asleep = m->table_count < 2 || (m->period == 0 && (at < 0 || at == (ptrdiff_t)last));
    if (asleep) {
        const double *row = m->table[at < 0 ? 0 : at];
        memcpy(one->shift, row + 1, sizeof one->shift);
        unit_turn(row, one->turn);
    } else {
        shift_between(m, at, t, one);
        turn_between(m, at, t, one);
    }
    one->turns = true;
}

/* ---- all together ---- */

static void follow(const scree_path_part *m, double t, one_motion *one)
{
    double passed, change;

    switch (m->kind) {
    case SCREE_PATH_MOVE:
        for (int k = 0; k < 3; k++) {
            one->shift[k] = m->vector[k] * t;
            one->velocity[k] = m->vector[k];
        }
        return;
    case SCREE_PATH_SWING:
        passed = sine_passed(m, t, &change);
        for (int k = 0; k < 3; k++) {
            one->shift[k] = m->vector[k] * passed;
            one->velocity[k] = m->vector[k] * change;
        }
        return;
    case SCREE_PATH_TABLE:
        follow_table(m, t, one);
        return;
    case SCREE_PATH_SPIN:
        set_turn(m, m->rate * t, m->rate, one);
        return;
    default:
        passed = sine_passed(m, t, &change);
        set_turn(m, m->angle * passed, m->angle * change, one);
    }
}

/*  Composes a rotation about a centre with those applied before: y -> turn (y - centre) + centre, where y may move. */
static void turn_about(const one_motion *one, const double centre[3], scree_wall_motion *all)
{
    double arm[3], turned[3], speed[3], spin[3], both[4];

    for (int k = 0; k < 3; k++)
        arm[k] = all->shift[k] - centre[k];
    scree_quaternion_turn(one->turn, arm, turned);
    scree_quaternion_turn(one->turn, all->velocity, speed);
    scree_quaternion_turn(one->turn, all->spin, spin);
    scree_quaternion_multiply(one->turn, all->turn, both);
    memcpy(all->turn, both, sizeof both);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        all->shift[k] = centre[k] + turned[k];
        all->velocity[k] = speed[k] + (one->spin[i] * turned[j] - one->spin[j] * turned[i]);
        all->spin[k] = spin[k] + one->spin[k];
    }
}

/*  Rotations are applied from the last to the first, since each moves the centres of those after it. Shifts are in
    space and come last. */
void scree_path_parts_at(const scree_path_part *parts, size_t count, double time,
                         struct scree_wall_motion *motion)
{
    double shift[3] = {0}, velocity[3] = {0}, rate;

    *motion = (scree_wall_motion){.turn = {1, 0, 0, 0}};
    for (size_t k = count; k > 0; k--) {
        const scree_path_part *m = &parts[k - 1];
        one_motion one = {.turn = {1, 0, 0, 0}};
        follow(m, own_time(m, time, &rate), &one);
        for (int j = 0; j < 3; j++) {
            shift[j] += one.shift[j];
            velocity[j] += one.velocity[j] * rate;
            one.spin[j] *= rate;
        }
        if (one.turns)
            turn_about(&one, m->centre, motion);
    }
    (void)scree_quaternion_normalise(motion->turn);
    for (int j = 0; j < 3; j++) {
        motion->shift[j] += shift[j];
        motion->velocity[j] += velocity[j];
    }
}

/* ---- bounds ---- */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/*  Upper bounds of the rates of shift and rotation between rows `at` and at + 1. A cubic's rate is at most the sum
    of its end slopes and 3 / 2 of the mean slope. */
static void bound_rows(const scree_path_part *m, ptrdiff_t at, double *speed, double *spin)
{
    double begin, end, slope_sq[3] = {0};
    const double *row = row_around(m, at, &begin), *next = row_around(m, at + 1, &end);
    one_motion one = {.turn = {1, 0, 0, 0}};

    for (int k = 0; k < 3; k++) {
        double between = (next[1 + k] - row[1 + k]) / (end - begin);
        slope_sq[0] += between * between;
        if (m->smooth) {
            slope_sq[1] += slope_at(m, at, k) * slope_at(m, at, k);
            slope_sq[2] += slope_at(m, at + 1, k) * slope_at(m, at + 1, k);
        }
    }
    *speed = larger(*speed, (m->smooth ? 1.5 : 1) * sqrt(slope_sq[0]) + sqrt(slope_sq[1]) +
                                sqrt(slope_sq[2]));
    turn_between(m, at, begin, &one);
    *spin = larger(*spin, scree_length(one.spin));
}

/*  Times are those of the motion. */
static void bound_table(const scree_path_part *m, double from, double to, double *speed,
                        double *spin)
{
    const ptrdiff_t count = (ptrdiff_t)m->table_count;
    ptrdiff_t at, rows = 0;
    double begin;

    if (count < 2)
        return;
    if (m->period > 0) {
        double rounds = floor((from - m->table[0][0]) / m->period);
        from -= rounds * m->period;
        to -= rounds * m->period;
    }
    /* one period visits all rows */
    for (at = row_before(m, from); rows <= count; at++, rows++) {
        bool asleep = m->period == 0 && (at < 0 || at >= count - 1);
        (void)row_around(m, at, &begin);
        if (at >= 0 && (begin > to || (m->period == 0 && at >= count - 1)))
            return;
        if (!asleep)
            bound_rows(m, at, speed, spin);
    }
}

/*  Upper bounds of the rates of one motion between two of its local times. */
static void bound_one(const scree_path_part *m, double from, double to, double *speed, double *spin)
{
    switch (m->kind) {
    case SCREE_PATH_MOVE:
        *speed = scree_length(m->vector);
        return;
    case SCREE_PATH_SWING:
        *speed = scree_length(m->vector) * TWO_PI * fabs(m->frequency);
        return;
    case SCREE_PATH_TABLE:
        bound_table(m, from, to, speed, spin);
        return;
    case SCREE_PATH_SPIN:
        *spin = fabs(m->rate);
        return;
    case SCREE_PATH_ROCK:
        *spin = fabs(m->angle) * TWO_PI * fabs(m->frequency);
        return;
    default:
        return;
    }
}

/*  Each centre is carried around that of the rotation before it, at a constant distance. */
static void add_centre(const scree_path_part *m, const scree_path_part **last,
                       scree_path_bound *bound)
{
    if (!*last)
        memcpy(bound->centre, m->centre, sizeof bound->centre);
    else
        bound->spread += scree_apart(m->centre, (*last)->centre);
    *last = m;
}

scree_path_bound scree_path_parts_bound(const scree_path_part *parts, size_t count, double from,
                                        double to)
{
    scree_path_bound bound = {0};
    const scree_path_part *last = NULL;
    double shift[3] = {0};

    for (size_t k = 0; k < count; k++) {
        const scree_path_part *m = &parts[k];
        one_motion one = {.turn = {1, 0, 0, 0}};
        double rate, begin = own_time(m, from, &rate), end = own_time(m, to, &rate);
        double speed = 0, spin = 0;
        follow(m, begin, &one);
        for (int j = 0; j < 3; j++)
            shift[j] += one.shift[j];
        if (end > begin)
            bound_one(m, begin, end, &speed, &spin);
        bound.shift += speed * (end - begin);
        bound.turn += spin * (end - begin);
        bound.speed += speed;
        bound.turn_speed += spin;
        if (one.turns)
            add_centre(m, &last, &bound);
    }
    for (int j = 0; j < 3; j++)
        bound.centre[j] += shift[j];
    return bound;
}
