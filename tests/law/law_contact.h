/*  One contact and the bodies in it, driven by a law directly: what the law's tests share. */
#ifndef SCREE_LAW_CONTACT_H
#define SCREE_LAW_CONTACT_H

#include "harness/same_bits.h"
#include "law_room.h"
#include "test.h"

#include <math.h>
#include <string.h>

static inline scree_batch law_batch(law_room *room, uint32_t count, double dt, double ahead)
{
    scree_batch b = {
        .count = count,
        .dt = dt,
        .ahead = ahead,
        .overlap = room->in[IN_OVERLAP],
        .approach = room->in[IN_APPROACH],
        .twist = room->in[IN_TWIST],
        .radius = room->in[IN_RADIUS],
        .arm = {room->in[IN_ARM], room->in[IN_ARM + 1]},
        .mass = room->in[IN_MASS],
        .energy = room->out[OUT_ENERGY],
        .stiffness = room->out[OUT_STIFFNESS],
        .shear_stiffness = room->out[OUT_SHEAR],
    };
    for (int a = 0; a < 3; a++) {
        b.normal[a] = room->in[IN_NORMAL + a];
        b.slide[a] = room->in[IN_SLIDE + a];
        b.roll[a] = room->in[IN_ROLL + a];
        b.force[a] = room->out[OUT_FORCE + a];
        b.moment[a] = room->out[OUT_MOMENT + a];
        b.loss[a] = room->out[OUT_LOSS + a];
    }
    for (int k = 0; k < SCREE_MAX_MEMORY; k++) {
        b.memory[k] = room->in[IN_MEMORY + k];
        b.next[k] = room->out[OUT_NEXT + k];
    }
    return b;
}

/*  Constants of a built-in law for two materials; name and value of parameters in pairs. */
static inline void law_prepare(const char *name, const scree_material_def *first,
                               const scree_material_def *second, const char *const *names,
                               const double *values, double *constants)
{
    const scree_law *law = scree_law_by_name(name);
    double parameters[32];
    scree_error error = {SCREE_OK, ""};
    scree_law_input input = {first, second, parameters, 3, &error};
    for (int k = 0; law->parameter_names[k]; k++) {
        parameters[k] = NAN;
        for (int j = 0; names && names[j]; j++)
            if (strcmp(names[j], law->parameter_names[k]) == 0)
                parameters[k] = values[j];
    }
    if (law->prepare(&input, constants, law->user))
        FAIL("%s: %s", name, error.text);
}

/* ---- a sphere that meets a wall or another sphere ---- */

typedef struct law_body
{
    double x[3], v[3], w[3];
    double radius, mass, inertia; /* of a wall 0: it is the plane z = 0, below the first */
} law_body;

typedef struct law_pair
{
    const scree_law *law;
    double constants[SCREE_MAX_CONSTANTS];
    law_body body[2];
    double dt;
    double load[3]; /* on the first */
    double memory[SCREE_MAX_MEMORY];
    double force[3], moment[3]; /* on the first, and about its centre; on the second -force, and */
    double moment_on_second[3];
    double normal[3], overlap;
    double pressed;                    /* force along the normal */
    double energy, loss[SCREE_LOSSES]; /* stored now, and the sums of what was lost */
    bool by_euler;
} law_pair;

/*  Where the bodies touch now: normal and overlap. */
static inline void law_touch(law_pair *p)
{
    const law_body *a = &p->body[0], *b = &p->body[1];
    if (b->mass == 0) {
        p->normal[0] = p->normal[1] = 0;
        p->normal[2] = -1;
        p->overlap = a->radius - a->x[2];
        return;
    }
    double d[3] = {b->x[0] - a->x[0], b->x[1] - a->x[1], b->x[2] - a->x[2]};
    double distance = sqrt(law_dot3(d, d));
    for (int k = 0; k < 3; k++)
        p->normal[k] = d[k] / distance;
    p->overlap = a->radius + b->radius - distance;
}

/*  Forces at the positions and velocities of now. */
static inline void law_evaluate(law_pair *p, double dt, double ahead)
{
    static law_room room;
    const law_body *a = &p->body[0], *b = &p->body[1];
    bool wall = b->mass == 0;
    double arm[3], v[3], turning[3];

    law_touch(p);
    memset(p->force, 0, sizeof p->force);
    memset(p->moment, 0, sizeof p->moment);
    memset(p->moment_on_second, 0, sizeof p->moment_on_second);
    p->energy = p->pressed = 0;
    if (!(p->overlap >= 0)) {
        memset(p->memory, 0, sizeof p->memory);
        return;
    }
    /* forces act at the radius, as in the references: the overlap is not taken off */
    double arm_a = a->radius, arm_b = b->radius;
    for (int k = 0; k < 3; k++)
        arm[k] = arm_a * a->w[k] + arm_b * b->w[k];
    law_cross(arm, p->normal, turning);
    for (int k = 0; k < 3; k++)
        v[k] = a->v[k] - b->v[k] + turning[k];
    double approach = law_dot3(v, p->normal);

    room.in[IN_OVERLAP][0] = p->overlap;
    room.in[IN_APPROACH][0] = approach;
    room.in[IN_RADIUS][0] = wall ? a->radius : a->radius * b->radius / (a->radius + b->radius);
    room.in[IN_MASS][0] = wall ? a->mass : a->mass * b->mass / (a->mass + b->mass);
    room.in[IN_TWIST][0] = wall ? law_dot3(a->w, p->normal) / 2
                                : (law_dot3(a->w, p->normal) + law_dot3(b->w, p->normal)) / 2;
    for (int k = 0; k < 3; k++) {
        room.in[IN_NORMAL + k][0] = p->normal[k];
        room.in[IN_SLIDE + k][0] = v[k] - approach * p->normal[k];
        room.in[IN_ROLL + k][0] = a->w[k] - b->w[k];
    }
    for (uint32_t k = 0; k < p->law->memory_count; k++)
        room.in[IN_MEMORY + k][0] = p->memory[k];
    memset(room.out, 0, sizeof room.out);
    scree_batch batch = law_batch(&room, 1, dt, ahead);
    p->law->force(&batch, p->constants, p->law->user);

    for (uint32_t k = 0; k < p->law->memory_count; k++)
        p->memory[k] = room.out[OUT_NEXT + k][0];
    for (int k = 0; k < 3; k++) {
        p->force[k] = room.out[OUT_FORCE + k][0];
        p->loss[k] += room.out[OUT_LOSS + k][0];
        v[k] = p->force[k];
    }
    p->pressed = -law_dot3(p->force, p->normal);
    p->energy = room.out[OUT_ENERGY][0];
    law_cross(p->normal, v, turning);
    for (int k = 0; k < 3; k++) {
        double more = p->law->has_moment ? room.out[OUT_MOMENT + k][0] : 0;
        p->moment[k] = arm_a * turning[k] + more;
        p->moment_on_second[k] = arm_b * turning[k] - more;
    }
}

static inline void law_push(const law_pair *p, double force[2][3], double moment[2][3])
{
    for (int k = 0; k < 3; k++) {
        force[0][k] = p->force[k] + p->load[k];
        force[1][k] = -p->force[k];
        moment[0][k] = p->moment[k];
        moment[1][k] = p->moment_on_second[k];
    }
}

/*  One step: velocity Verlet with velocities of the instant foretold, or symplectic Euler. Forces must have
    been evaluated. Orientations of spheres are of no interest. */
static inline void law_step(law_pair *p)
{
    double force[2][3], moment[2][3], later[2][3], turned[2][3], dt = p->dt;

    law_push(p, force, moment);
    for (int i = 0; i < 2; i++) {
        law_body *b = &p->body[i];
        for (int k = 0; k < 3 && b->mass > 0; k++) {
            double a = force[i][k] / b->mass;
            b->x[k] += (b->v[k] + a * (p->by_euler ? dt : dt / 2)) * dt;
            b->v[k] += a * dt;
            if (b->inertia > 0)
                b->w[k] += moment[i][k] / b->inertia * dt;
        }
    }
    if (p->by_euler) {
        law_evaluate(p, dt, 0);
        return;
    }
    law_evaluate(p, dt / 2, dt / 2);
    law_push(p, later, turned);
    for (int i = 0; i < 2; i++) {
        law_body *b = &p->body[i];
        for (int k = 0; k < 3 && b->mass > 0; k++) {
            b->v[k] += (later[i][k] - force[i][k]) / b->mass * dt / 2;
            if (b->inertia > 0)
                b->w[k] += (turned[i][k] - moment[i][k]) / b->inertia * dt / 2;
        }
    }
}

/*  A solid sphere upon the wall, just touching it. */
static inline law_body law_sphere(double radius, double density)
{
    law_body b = {.x = {0, 0, radius}, .radius = radius};
    b.mass = 4.0 / 3.0 * 3.14159265358979323846 * radius * radius * radius * density;
    b.inertia = 0.4 * b.mass * radius * radius;
    return b;
}

static inline double law_kinetic(const law_pair *p)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        sum += 0.5 * p->body[i].mass * law_dot3(p->body[i].v, p->body[i].v) +
               0.5 * p->body[i].inertia * law_dot3(p->body[i].w, p->body[i].w);
    return sum;
}

/*  Steps until the contact has ended. */
static inline void law_run_impact(law_pair *p)
{
    law_evaluate(p, 0, p->by_euler ? 0 : p->dt / 2);
    for (int i = 0; i < 1000000; i++) {
        law_step(p);
        if (p->overlap < 0)
            return;
    }
    FAIL("the contact does not end");
}

#endif
