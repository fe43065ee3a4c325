/*  A step of spheres: motion of bodies and contact forces. One work-item per body sums the forces of all its
    contacts: so no two work-items write to the same place, and their order has no effect. LAWS and PLANES: see
    contact_law.h; DAMPS 1: with damping; FACET_CONTACTS above 0: with walls of facets, see facets.cl. */
#include "gpu/c_words.h"
#include "world/device/step_numbers.h"
#include "world/device/contact_law.h"
#include "world/device/body_sums.h"
#include "world/device/facet_numbers.h"
#include "world/device/kernel_parts.h"
#include "world/forces/sphere_rows.h"
#include "world/forces/sphere_meeting.inc.h"
#include "world/forces/wall_meeting.inc.h"
#include "world/state/series_limit.h"
#include "world/motion/turn_series.inc.h"

/*  ---- motion ---- */

/*  Replaces the first force by the mean of both: see world/motion/integrate.c. */
SCREE_KERNEL_PART double finished(double moving, double now, double before, double inverse,
                                  double share)
{
    return moving + (now - before) * inverse * share;
}

#if PERIODIC
/*  The sum of n edges, and the velocity of an image at that distance: cell_box.h. */
SCREE_KERNEL_PART void edge_speed(const scree_step_numbers *numbers, __global const double *domain,
                                  const double n[3], double speed[3])
{
    __global const double *period = domain + 6, *tilt = domain + 9;
    const double v[3] = {n[0] * period[0] + n[1] * tilt[0] + n[2] * tilt[1],
                         n[1] * period[1] + n[2] * tilt[2], n[2] * period[2]};
    const double *g = numbers->gradient;

    SCREE_UNROLL
    for (int k = 0; k < 3; k++)
        speed[k] = g[3 * k] * v[0] + g[3 * k + 1] * v[1] + g[3 * k + 2] * v[2];
}

/*  End of a step for a body: velocity change by a homogeneous flow, and wrapping if it has left the domain; see
    world/boundaries/domain_boundary.c. Returns whether it was wrapped. */
SCREE_KERNEL_PART bool arrive(const scree_step_numbers *numbers, __global const double *domain,
                              double4 *position, double4 *velocity)
{
    __global const double *lower = domain, *upper = domain + 3, *period = domain + 6,
                          *tilt = domain + 9;
    const bool is_tilted = tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0;
    double place[3] = {position->x, position->y, position->z};
    double speed[3] = {velocity->x, velocity->y, velocity->z};
    bool has_wrapped = false;

    if (numbers->has_kick) {
        const double *g = numbers->kick;
        double away[3];
        SCREE_UNROLL
        for (int k = 0; k < 3; k++)
            away[k] = place[k] - 0.5 * (lower[k] + upper[k]);
        SCREE_UNROLL
        for (int k = 0; k < 3; k++)
            speed[k] += g[3 * k] * away[0] + g[3 * k + 1] * away[1] + g[3 * k + 2] * away[2];
    }
    SCREE_UNROLL
    for (int i = 0; i < 3; i++) {
        /* wrapping along a tilted edge may move a body outside along an earlier axis */
        SCREE_UNROLL
        for (int k = 0; k < 3; k++) {
            if (k != (is_tilted ? 2 - i : i) || period[k] == 0 ||
                !(place[k] < lower[k] || place[k] > upper[k]))
                continue;
            const double periods = -floor((place[k] - lower[k]) / period[k]);
            const double wrapped = place[k] + period[k] * periods;
            double n[3] = {0, 0, 0}, more[3];
            place[k] = wrapped >= lower[k] && wrapped < upper[k] ? wrapped : lower[k];
            if (is_tilted && k > 0)
                place[0] += periods * tilt[k - 1];
            if (is_tilted && k == 2)
                place[1] += periods * tilt[2];
            n[k] = periods;
            edge_speed(numbers, domain, n, more);
            SCREE_UNROLL
            for (int a = 0; a < 3 && numbers->cell_moves; a++)
                speed[a] += more[a];
            has_wrapped = true;
        }
    }
    *position = (double4)(place[0], place[1], place[2], position->w);
    *velocity = (double4)(speed[0], speed[1], speed[2], velocity->w);
    return has_wrapped;
}
#endif

/*  Completes the velocities of a step. `domain_at`: index of the domain at its end. */
__kernel void finish(const scree_step_numbers numbers, __global const double *domains,
                     uint domain_at, __global double4 *position, __global double4 *velocity,
                     __global double4 *spin, __global const double *now,
                     __global const double *before)
{
    const size_t i = get_global_id(0), n = numbers.count;

    if (i >= n)
        return;
    const double share = numbers.dt / 2;
    double4 v = velocity[i], w = spin[i];
    v.x = finished(v.x, now[i], before[i], v.w, share);
    v.y = finished(v.y, now[n + i], before[n + i], v.w, share);
    v.z = finished(v.z, now[2 * n + i], before[2 * n + i], v.w, share);
    w.x = finished(w.x, now[3 * n + i], before[3 * n + i], w.w, share);
    w.y = finished(w.y, now[4 * n + i], before[4 * n + i], w.w, share);
    w.z = finished(w.z, now[5 * n + i], before[5 * n + i], w.w, share);
#if PERIODIC
    double4 place = position[i];
    if (arrive(&numbers, domains + SCREE_DOMAIN_NUMBERS * (size_t)domain_at, &place, &v))
        position[i] = place;
#endif
    velocity[i] = v;
    spin[i] = w;
}

/*  Moves from the end of one step to the positions of the next. `is_finished`: velocities are those of the end.
    `travel`: displacement of walls and of images since the last search. `domain_at`: index of the domain of the
    previous step. */
__kernel void move(const scree_step_numbers numbers, uint step, uint is_finished, double travel,
                   __global const double *domains, uint domain_at, __global uint *told, __global double4 *position, __global double4 *velocity,
                   __global double4 *spin, __global double4 *orientation,
                   __global const double *now, __global const double *before,
                   __global float *left)
{
    const size_t i = get_global_id(0), n = numbers.count;

    if (i >= n || told[SCREE_TOLD_STOP] < step || told[SCREE_TOLD_FAIL] < step)
        return;
    const double dt = numbers.dt, share = dt - numbers.ahead, rest = dt / 2;
    double4 v = velocity[i], w = spin[i], place = position[i], q4 = orientation[i];
    const double f[3] = {now[i], now[n + i], now[2 * n + i]};
    const double t[3] = {now[3 * n + i], now[4 * n + i], now[5 * n + i]};
    if (!is_finished) {
        v.x = finished(v.x, f[0], before[i], v.w, rest);
        v.y = finished(v.y, f[1], before[n + i], v.w, rest);
        v.z = finished(v.z, f[2], before[2 * n + i], v.w, rest);
        w.x = finished(w.x, t[0], before[3 * n + i], w.w, rest);
        w.y = finished(w.y, t[1], before[4 * n + i], w.w, rest);
        w.z = finished(w.z, t[2], before[5 * n + i], w.w, rest);
    }
    bool has_wrapped = false;
#if PERIODIC
    if (!is_finished)
        has_wrapped = arrive(&numbers, domains + SCREE_DOMAIN_NUMBERS * (size_t)domain_at, &place, &v);
#endif

    /* rotations come first, since they use the old angular velocities */
    const double turning = 0.5 * dt;
    const double half[3] = {(w.x + t[0] * w.w * share) * turning, (w.y + t[1] * w.w * share) * turning,
                            (w.z + t[2] * w.w * share) * turning};
    const double q[4] = {q4.x, q4.y, q4.z, q4.w};
    double s = half[0] * half[0] + half[1] * half[1] + half[2] * half[2], turned[4];
    if (!(s <= SCREE_SERIES_LIMIT))
        tell(told, step, SCREE_TROUBLE_TURN);
    turn_by_series_scalar(half, s, q, turned);
    orientation[i] = (double4)(turned[0], turned[1], turned[2], turned[3]);

    const double faster[6] = {f[0] * v.w, f[1] * v.w, f[2] * v.w, t[0] * w.w, t[1] * w.w, t[2] * w.w};
    const double way[3] = {(v.x + faster[0] * share) * dt, (v.y + faster[1] * share) * dt,
                           (v.z + faster[2] * share) * dt};
    position[i] = (double4)(place.x + way[0], place.y + way[1], place.z + way[2], place.w);
    velocity[i] = (double4)(v.x + faster[0] * dt, v.y + faster[1] * dt, v.z + faster[2] * dt, v.w);
    spin[i] = (double4)(w.x + faster[3] * dt, w.y + faster[4] * dt, w.z + faster[5] * dt, w.w);

    /* rounded down */
    const double gone = sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (!(gone * (1 + 0x1p-20) <= numbers.max_way))
        tell(told, step, SCREE_TROUBLE_WAY);
    const float rest_of_way = convert_float_rtn(left[i] - gone * (1 + 0x1p-20));
    left[i] = rest_of_way;
    if (!(rest_of_way > travel) || (has_wrapped && numbers.wraps_matter))
        atomic_min(&told[SCREE_TOLD_STOP], step);
}

/*  ---- contacts ---- */

/*  Values of a work-item of `press` along its row. */
typedef struct press_run
{
    const scree_step_numbers *numbers;
    __global const double *domain; /* at the end of the step */
    double place[4], velocity[4], spin[4];
    scree_body_sums sums;
} press_run;

SCREE_KERNEL_PART void put_row(double row[4], double4 from)
{
    row[0] = from.x;
    row[1] = from.y;
    row[2] = from.z;
    row[3] = from.w;
}

/*  Adds the force of the contact model to the body, as first or as second. */
SCREE_KERNEL_PART void push(press_run *run, const scree_one_contact *one, bool is_second)
{
    const double *n = one->normal, *f = one->force;
    const double arm = is_second ? one->arm[1] : one->arm[0];
    double turn[3], torque[3];

SCREE_UNROLL
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        turn[a] = n[b] * f[c] - n[c] * f[b];
        torque[a] = arm * turn[a];
        torque[a] = is_second ? torque[a] - one->moment[a] : torque[a] + one->moment[a];
    }
    scree_add_contact(&run->sums, run->numbers, f, torque, one->mass, one->radius,
                      is_second ? -1 : 1);
}

SCREE_KERNEL_PART void recall(scree_one_contact *one, __global const double *memory, size_t room,
                              size_t at, bool touched)
{
SCREE_UNROLL
    for (int m = 0; m < PLANES; m++) {
        one->memory[m] = touched ? memory[m * room + at] : 0;
        one->next[m] = 0;
    }
}

SCREE_KERNEL_PART void remember(const scree_one_contact *one, __global double *memory, size_t room,
                                size_t at)
{
SCREE_UNROLL
    for (int m = 0; m < PLANES; m++)
        memory[m * room + at] = one->next[m];
}

/*  The domain at the end of the step, for images. */
SCREE_KERNEL_PART void put_domain(const press_run *run, scree_geometry *geometry)
{
#if PERIODIC
    __global const double *period = run->domain + 6, *tilt = run->domain + 9;

    geometry->is_periodic = true;
    geometry->is_tilted = tilt[0] != 0 || tilt[1] != 0 || tilt[2] != 0;
    geometry->is_moving = run->numbers->cell_moves != 0;
    SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        geometry->period[k] = period[k];
        geometry->tilt[k] = tilt[k];
        SCREE_UNROLL
        for (int a = 0; a < 3; a++)
            geometry->gradient[k][a] = run->numbers->gradient[3 * k + a];
    }
#endif
}

/*  Whether the two overlap, with the same test as on the host. */
SCREE_KERNEL_PART bool are_near(const press_run *run, const double first[4], const double second[4],
                                __global const double *law)
{
    scree_geometry geometry = {0};
    double step[3];

    geometry.reach = REACHES ? reach_of(law, first[3] * second[3] / (first[3] + second[3])) : 0;
#if PERIODIC
    double turns[3];
    put_domain(run, &geometry);
    step_to_scalar(&geometry, first, second, step, turns);
    return within_scalar(&geometry, first, second, step, false) != 0;
#endif
SCREE_UNROLL
    for (int k = 0; k < 3; k++)
        step[k] = second[k] - first[k];
    return within_scalar(&geometry, first, second, step, false) != 0;
}

/*  Rows of the first and the second body, selected by value: selecting by address would put them into memory. */
SCREE_KERNEL_PART void put_two(double rows[8], const double own[4], double4 other, bool is_second)
{
    double there[4];

    put_row(there, other);
SCREE_UNROLL
    for (int k = 0; k < 4; k++) {
        rows[k] = is_second ? there[k] : own[k];
        rows[4 + k] = is_second ? own[k] : there[k];
    }
}

/*  Contact point and relative motion of two spheres, as input of a contact model. */
SCREE_KERNEL_PART void meet_sphere(const press_run *run, double4 place, double4 velocity, double4 spin,
                                   bool is_second, scree_one_contact *one, double *depth)
{
    const uint first = 0, second = 1;
    double places[8], velocities[8], spins[8];
    scree_geometry geometry = {.position = places, .velocity = velocities, .spin = spins};

    put_two(places, run->place, place, is_second);
    put_two(velocities, run->velocity, velocity, is_second);
    put_two(spins, run->spin, spin, is_second);
    put_domain(run, &geometry);
    meeting_scalar m = meet_scalar(&geometry, &first, &second);
    one->overlap = m.overlap;
    one->approach = m.approach;
    one->twist = m.twist;
    one->radius = m.radius;
    one->mass = m.mass;
SCREE_UNROLL
    for (int k = 0; k < 2; k++)
        one->arm[k] = m.arm[k];
SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        one->normal[k] = m.normal[k];
        one->slide[k] = m.slide[k];
        one->roll[k] = m.roll[k];
    }
    *depth = m.overlap / m.smaller;
}

/*  The same for a wall, at a point with the normal from the body to the wall. */
SCREE_KERNEL_PART void meet_wall(const press_run *run, __global const double *wall, const double point[3],
                                 const double n[3], double overlap, scree_one_contact *one)
{
    wall_rows_scalar rows;

SCREE_UNROLL
    for (int k = 0; k < 4; k++) {
        rows.place[k] = run->place[k];
        rows.velocity[k] = run->velocity[k];
        rows.spin[k] = run->spin[k];
SCREE_UNROLL
        for (int row = 0; row < 3; row++)
            rows.wall[row][k] = wall[4 * row + k];
SCREE_UNROLL
        for (int row = 0; row < 2; row++)
            rows.belt[row][k] = wall[SCREE_PLANE_BELT + 4 * row + k];
    }
    rows.has_belts = run->numbers->has_belts;
    wall_meeting_scalar m = meet_wall_scalar(&rows, point, overlap, n);
    one->overlap = overlap;
    one->approach = m.approach;
    one->twist = m.twist;
    one->radius = rows.place[3];
    one->mass = m.mass;
    one->arm[0] = m.arm;
    one->arm[1] = 0;
SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        one->normal[k] = n[k];
        one->slide[k] = m.slide[k];
        one->roll[k] = m.roll[k];
    }
}

/*  The same for a plane, whose normal is row 3 of its rows. */
SCREE_KERNEL_PART void meet_plane(const press_run *run, __global const double *plane, double overlap,
                                  scree_one_contact *one)
{
    double point[3], n[3];

SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        n[k] = -plane[12 + k];
        point[k] = run->place[k] - (run->place[3] - overlap) * plane[12 + k];
    }
    meet_wall(run, plane, point, n, overlap, one);
}

SCREE_KERNEL_PART double plane_overlap(const double place[4], __global const double *plane)
{
    return place[3] - (plane[12] * (place[0] - plane[0]) + plane[13] * (place[1] - plane[1]) +
                       plane[14] * (place[2] - plane[2]));
}

/*  Total force on the body, as in world/forces/sum_forces.c. */
SCREE_KERNEL_PART void put_resultant(const press_run *run, double mass, double inertia, size_t i,
                                     __global double *now, uint *trouble)
{
    const scree_step_numbers *numbers = run->numbers;
    const size_t n = numbers->count;
    double f[3], t[3], probe = 0;

SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        f[k] = scree_sum_of(&run->sums, k, numbers->force_unit) + mass * numbers->gravity[k];
        t[k] = scree_sum_of(&run->sums, 3 + k, numbers->torque_unit);
    }
#if DAMPS
    const double share = numbers->local_damping, drag = numbers->global_damping;
SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        const double v = run->velocity[k], w = run->spin[k];
        f[k] -= share * copysign(fabs(f[k]), v) * (v != 0);
        f[k] -= drag * mass * v;
        t[k] -= share * copysign(fabs(t[k]), w) * (w != 0);
        t[k] -= drag * (inertia * w);
    }
#endif
SCREE_UNROLL
    for (int k = 0; k < 3; k++) {
        probe += 0 * f[k] + 0 * t[k];
        now[k * n + i] = f[k];
        now[(3 + k) * n + i] = t[k];
    }
    if (probe != 0)
        *trouble |= SCREE_TROUBLE_NUMBER;
}

#if FACET_CONTACTS
/*  Walls of facets: contacts as touch_facets has found them, with their history and that of the step before. */
typedef struct facet_contacts
{
    __global const uint *start, *near_at, *many;
    __global const scree_facet_contact *contacts;
    __global double *history;
    __global const double *before;
} facet_contacts;

SCREE_KERNEL_PART void press_facets(press_run *run, const facet_contacts *facets, size_t i,
                                    __global const double *walls, __global const double *laws,
                                    __global const uint *wall_slot, uint kind, uint *trouble)
{
    const scree_step_numbers *numbers = run->numbers;

    if (facets->start[i] == facets->start[i + 1])
        return;
    const size_t near = facets->near_at[i];
    for (uint k = 0; k < facets->many[near]; k++) {
        const size_t at = FACET_CONTACTS * near + k;
        __global const scree_facet_contact *from = facets->contacts + at;
        __global const double *law = laws + SCREE_LAW_ROW * (size_t)wall_slot[from->wall * MATERIALS + kind];
        const bool touched = from->previous != SCREE_ENTRY_NONE;
        const double point[3] = {from->point[0], from->point[1], from->point[2]};
        const double n[3] = {from->normal[0], from->normal[1], from->normal[2]};
        scree_one_contact one;
        meet_wall(run, walls + (size_t)SCREE_PLANE_NUMBERS * from->wall, point, n, from->overlap, &one);
        if (from->overlap > numbers->overlap_limit * run->place[3])
            *trouble |= SCREE_TROUBLE_DEPTH;
        recall(&one, facets->before, 1,
               touched ? (FACET_CONTACTS * near + from->previous) * PLANES : 0, touched);
        scree_contact_force(&one, numbers->dt - numbers->ahead, numbers->ahead, law);
        remember(&one, facets->history, 1, at * PLANES);
        push(run, &one, false);
    }
}
#endif

/*  Computes forces at the present positions. Contact history is changed in place. `laws` by slot; `pair_slot` by the
    two materials, `wall_slot` by wall and material; `planes_at`: index of the first wall of this step. */
__kernel void press(const scree_step_numbers numbers, uint step, __global uint *restrict told,
                    __global const double4 *restrict position, __global const double4 *restrict velocity,
                    __global const double4 *restrict spin, __global const double *restrict mass,
                    __global const double *restrict inertia, __global const uint *restrict material,
                    __global const uint *restrict base, __global uint *restrict entries, __global double *restrict memory,
                    __global const double *restrict laws, __global const uint *restrict pair_slot,
                    __global const uint *restrict wall_slot, __global const double *restrict all_planes,
                    uint planes_at, __global const double *restrict domains, uint domain_at,
                    __global double *restrict now
#if FACET_CONTACTS
                    , __global const uint *facet_start, __global const uint *near_at,
                    __global const uint *facet_many, __global const scree_facet_contact *facet_contact,
                    __global double *facet_history, __global const double *facet_before
#endif
                    )
{
    const size_t i = get_global_id(0), room = numbers.planes_room;

    if (i >= numbers.count || told[SCREE_TOLD_STOP] <= step || told[SCREE_TOLD_FAIL] < step)
        return;
    press_run run = {.numbers = &numbers,
                     .domain = domains + SCREE_DOMAIN_NUMBERS * (size_t)domain_at};
    __global const double *planes = all_planes + (size_t)SCREE_PLANE_NUMBERS * planes_at;
    const uint slice = i / SCREE_SLICE, end = base[slice + 1];
    const uint kind = MATERIALS > 1 ? material[i] : 0;
    uint trouble = 0;
    put_row(run.place, position[i]);
    put_row(run.velocity, velocity[i]);
    put_row(run.spin, spin[i]);
    const double law_dt = numbers.dt - numbers.ahead;
    for (uint at = base[slice] + i % SCREE_SLICE; at < end; at += SCREE_SLICE) {
        const uint entry = entries[at];
        if (entry == SCREE_ENTRY_NONE)
            break;
        const uint other = entry & SCREE_ENTRY_BODY;
        const bool touched = (entry & SCREE_ENTRY_TOUCHES) != 0;
        const bool is_second = (entry & SCREE_ENTRY_SECOND) != 0, is_wall = (entry & SCREE_ENTRY_WALL) != 0;
        scree_one_contact one;
        __global const double *law;
        bool touches;
        double depth, overlap = 0;
        double4 place = (double4)(0, 0, 0, 0);
        if (is_wall) {
            __global const double *plane = planes + (size_t)SCREE_PLANE_NUMBERS * other;
            law = laws + SCREE_LAW_ROW * (size_t)wall_slot[other * MATERIALS + kind];
            overlap = plane_overlap(run.place, plane);
            /* NaN counts as touching, and is found in the sums */
            touches = !(overlap <= (REACHES ? -reach_of(law, run.place[3]) : 0));
        } else {
            double there[4];
            const uint slot =
                MATERIALS > 1 ? pair_slot[kind * MATERIALS + material[other]] : pair_slot[0];
            law = laws + SCREE_LAW_ROW * (size_t)slot;
            place = position[other];
            put_row(there, place);
            touches = is_second ? are_near(&run, there, run.place, law)
                                : are_near(&run, run.place, there, law);
        }
        if (touches != touched)
            entries[at] = entry ^ SCREE_ENTRY_TOUCHES;
        if (!touches)
            continue;
        if (is_wall) {
            meet_plane(&run, planes + (size_t)SCREE_PLANE_NUMBERS * other, overlap, &one);
            depth = overlap > numbers.overlap_limit * run.place[3] ? INFINITY : 0;
        } else {
            meet_sphere(&run, place, velocity[other], spin[other], is_second, &one, &depth);
        }
        if (depth > numbers.overlap_limit)
            trouble |= SCREE_TROUBLE_DEPTH;
        recall(&one, memory, room, at, touched);
        scree_contact_force(&one, law_dt, numbers.ahead, law);
        remember(&one, memory, room, at);
        push(&run, &one, is_second);
    }
#if FACET_CONTACTS
    const facet_contacts facets = {facet_start, near_at, facet_many, facet_contact, facet_history, facet_before};
    press_facets(&run, &facets, i, planes, laws, wall_slot, kind, &trouble);
#endif
    put_resultant(&run, mass[i], DAMPS ? inertia[i] : 0, i, now, &trouble);
    trouble |= run.sums.trouble;
    if (trouble)
        tell(told, step, trouble);
}
