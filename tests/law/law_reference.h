/*  The formulas of the linear and the Hertzian laws, one contact at a time and in the plain way, with what each spends. */
#ifndef SCREE_TESTS_LAW_REFERENCE_H
#define SCREE_TESTS_LAW_REFERENCE_H

#include "law/law_builtin.h"
#include "law_room.h"

#include <math.h>
#include <string.h>

typedef struct reference
{
    double next[8], force[3], moment[3], energy, loss[3], stiffness, shear;
    double scale_force, scale_moment, scale_energy; /* of what was added up, for tolerances */
} reference;

static inline void turn_memory(const double old[3], const double n[3], double angle, double factor,
                               double turned[3])
{
    double length = sqrt(law_dot3(old, old)), along = law_dot3(old, n), across[3], now;
    for (int k = 0; k < 3; k++)
        turned[k] = old[k] - along * n[k];
    law_cross(n, turned, across);
    for (int k = 0; k < 3; k++)
        turned[k] += angle * across[k];
    now = sqrt(law_dot3(turned, turned));
    for (int k = 0; k < 3; k++)
        turned[k] *= now > 0 ? length / now * factor : 0;
}

/*  Spring and dashpot under a cap: what they hold, and what is left in the spring. */
static inline bool hold(const double spring[3], const double rate[3], double damping, double cap,
                        double force[3], double kept[3])
{
    double sum[3], length, dashpot;
    for (int k = 0; k < 3; k++)
        sum[k] = spring[k] + damping * rate[k];
    length = sqrt(law_dot3(sum, sum));
    if (length <= cap) {
        memcpy(force, sum, sizeof sum);
        memcpy(kept, spring, sizeof sum);
        return true;
    }
    dashpot = damping * law_dot3(rate, sum) / length;
    for (int k = 0; k < 3; k++) {
        force[k] = cap * sum[k] / length;
        kept[k] = cap > dashpot ? (cap - dashpot) * sum[k] / length : 0;
    }
    return false;
}

/*  From the numbers a user would type: see the comments at scree_law_by_name. */
typedef struct reference_parameters
{
    bool hertz, rolls;
    double E, G, k, ratio, damping, friction, tangential, rolling, rolling_friction,
        twisting_friction;
} reference_parameters;

static inline double spring_energy(const double f[3], double stiffness)
{
    return stiffness > 0 ? law_dot3(f, f) / (2 * stiffness) : 0;
}

/*  What a spring loses by sliding: the energy at the start and the work of the mean force, minus the energy at the end.
    Without a history there was no force at the start. */
static inline double slip_energy(bool sticks, const double old[3], const double spring[3],
                                 const double kept[3], const double rate[3], double k, double time)
{
    double before[3], mean[3];

    for (int a = 0; a < 3; a++) {
        before[a] = law_dot3(old, old) > 0 ? spring[a] - k * rate[a] * time : 0;
        mean[a] = (before[a] + kept[a]) / 2;
    }
    return sticks || k == 0
               ? 0
               : spring_energy(before, k) + law_dot3(mean, rate) * time - spring_energy(kept, k);
}

static inline void spend_rolling(reference *t, bool sticks, const double old[3], double old_k,
                                 const double turned[3], const double spring[3],
                                 const double kept[3], const double force[3], const double rate[3],
                                 double k, double size, double time)
{
    double dashpot[3];
    for (int a = 0; a < 3; a++)
        dashpot[a] = force[a] - kept[a];
    t->energy += spring_energy(kept, k);
    t->loss[SCREE_LOSS_ROLLING] += law_dot3(dashpot, rate) * time +
                                   slip_energy(sticks, old, spring, kept, rate, k, time) +
                                   spring_energy(old, old_k) - spring_energy(turned, k);
    t->scale_energy += (k > 0 ? size * sqrt(law_dot3(kept, kept)) / k : 0) +
                       spring_energy(spring, k) + spring_energy(old, old_k) +
                       fabs(law_dot3(force, rate)) * time + fabs(law_dot3(kept, rate)) * time;
}

static inline double growth(const reference_parameters *p, double overlap, double old_overlap)
{
    if (!p->hertz)
        return 1;
    if (old_overlap == 0)
        return 0;
    double factor = sqrt(overlap / old_overlap);
    if (p->tangential == SCREE_TANGENTIAL_INCREMENTAL)
        return 1;
    return p->tangential == SCREE_TANGENTIAL_SECANT || factor < 1 ? factor : 1;
}

static inline reference reference_of(const reference_parameters *p, const law_room *room,
                                     uint32_t c, double dt, double ahead)
{
    reference t = {.energy = 0};
    double d = room->in[IN_OVERLAP][c], R = room->in[IN_RADIUS][c], m = room->in[IN_MASS][c];
    double approach = room->in[IN_APPROACH][c], time = dt + ahead,
           angle = room->in[IN_TWIST][c] * time;
    double n[3], slide[3], roll[3], old[3], turned[3], spring[3], held[3], kept[3], dashpot[3];
    double old_d = room->in[IN_MEMORY + 3][c];
    for (int a = 0; a < 3; a++) {
        n[a] = room->in[IN_NORMAL + a][c];
        slide[a] = room->in[IN_SLIDE + a][c];
        roll[a] = room->in[IN_ROLL + a][c];
        old[a] = room->in[IN_MEMORY + a][c];
    }

    double k = p->hertz ? 2 * p->E * sqrt(R * d) : p->k,
           old_k = p->hertz ? 2 * p->E * sqrt(R * old_d) : p->k;
    double elastic = p->hertz ? 4.0 / 3.0 * p->E * sqrt(R) * pow(d, 1.5) : p->k * d;
    double stored = p->hertz ? 8.0 / 15.0 * p->E * sqrt(R) * pow(d, 2.5) : 0.5 * p->k * d * d;
    double correction = p->hertz ? sqrt(5.0 / 6.0) : 1;
    double pressed = fmax(0, elastic + 2 * correction * p->damping * sqrt(k * m) * approach);
    double kt = p->hertz ? 8 * p->G * sqrt(R * d) : p->ratio * p->k;
    double old_kt = p->hertz ? 8 * p->G * sqrt(R * old_d) : kt;
    double ct = 2 * correction * p->damping * sqrt(kt * m), factor = growth(p, d, old_d);

    turn_memory(old, n, angle, factor, turned);
    for (int a = 0; a < 3; a++)
        spring[a] = turned[a] + kt * slide[a] * dt;
    bool sticks = hold(spring, slide, ct, p->friction * pressed, held, kept);
    for (int a = 0; a < 3; a++) {
        t.force[a] = -pressed * n[a] - held[a];
        t.next[a] = kept[a] + kt * slide[a] * ahead;
        dashpot[a] = held[a] - kept[a];
    }
    double lost = law_dot3(dashpot, slide) * time;
    t.energy = stored + spring_energy(kept, kt);
    t.loss[SCREE_LOSS_DAMPING] = (pressed - elastic) * approach * time + (sticks ? lost : 0);
    t.loss[SCREE_LOSS_FRICTION] = (sticks ? 0 : lost) +
                                  slip_energy(sticks, old, spring, kept, slide, kt, time) +
                                  spring_energy(old, old_kt) - spring_energy(turned, kt);
    t.stiffness = k;
    t.shear = kt;
    t.scale_force = pressed + elastic + sqrt(law_dot3(spring, spring)) +
                    (ct + kt * time) * sqrt(law_dot3(slide, slide));
    t.scale_energy = t.scale_force * sqrt(law_dot3(kept, kept)) / kt + stored +
                     spring_energy(spring, kt) + spring_energy(old, old_kt) +
                     (pressed + elastic) * fabs(approach) * time +
                     t.scale_force * sqrt(law_dot3(slide, slide)) * time;

    uint32_t at = 3;
    if (p->hertz)
        t.next[at++] = d;
    if (!p->rolls)
        return t;
    double about = law_dot3(roll, n), across[3], tau[3], moment[3];
    double damping = 2 * 0.3 * sqrt(1.4 * m * R * R),
           kr = 2.25 * k * pow(p->rolling_friction * R, 2);
    double kw = 2.25 * k * pow(p->twisting_friction * R, 2);
    for (int a = 0; a < 3; a++) {
        across[a] = roll[a] - about * n[a];
        tau[a] = room->in[IN_MEMORY + at + (uint32_t)a][c];
    }
    if (p->rolling == SCREE_ROLLING_NONE)
        kr = 0;
    double cap = p->rolling == SCREE_ROLLING_NONE ? 0 : p->rolling_friction * R * pressed;
    if (p->rolling == SCREE_ROLLING_CONSTANT) {
        double rate = sqrt(law_dot3(across, across));
        for (int a = 0; a < 3; a++) {
            held[a] = rate > 0 ? cap * across[a] / rate : 0;
            kept[a] = spring[a] = turned[a] = tau[a] = 0;
            t.next[at + (uint32_t)a] = 0;
        }
        sticks = true; /* it has no spring that could jump */
    } else {
        turn_memory(tau, n, angle, factor, turned);
        for (int a = 0; a < 3; a++)
            spring[a] = turned[a] + kr * across[a] * dt;
        sticks = hold(spring, across, damping * sqrt(kr), cap, held, kept);
        for (int a = 0; a < 3; a++)
            t.next[at + (uint32_t)a] = kept[a] + kr * across[a] * ahead;
    }
    memcpy(moment, held, sizeof moment);
    double old_scale = old_k / k;
    double size =
        sqrt(law_dot3(spring, spring)) + cap + damping * sqrt(kr) * sqrt(law_dot3(across, across));
    spend_rolling(&t, sticks, tau, kr * old_scale, turned, spring, kept, held, across, kr, size,
                  time);
    t.scale_moment = size;

    double was[3] = {room->in[IN_MEMORY + at + 3][c], 0, 0}, rate[3] = {about, 0, 0};
    double grown[3] = {was[0] * factor, 0, 0};
    spring[0] = grown[0] + kw * about * dt;
    spring[1] = spring[2] = 0;
    sticks = hold(spring, rate, damping * sqrt(kw), p->twisting_friction * R * pressed, held, kept);
    t.next[at + 3] = kept[0] + kw * about * ahead;
    size = fabs(spring[0]) + p->twisting_friction * R * pressed + damping * sqrt(kw) * fabs(about);
    spend_rolling(&t, sticks, was, kw * old_scale, grown, spring, kept, held, rate, kw, size, time);
    t.scale_moment += size;
    for (int a = 0; a < 3; a++)
        t.moment[a] = -moment[a] - held[0] * n[a];
    return t;
}

#endif
