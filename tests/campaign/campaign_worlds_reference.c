/*  The step of include/scree/world.h, written out: motion, forces, the boundary of the domain. */
#include "campaign_worlds_joints.h"

#include "law/law_reference.h"
#include "law/material.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

/* ---- small things ---- */

static void rotation_about(const double turn[3], double matrix[3][3])
{
    double angle = sqrt(law_dot3(turn, turn)), s = sin(angle), c = cos(angle), n[3];

    for (int k = 0; k < 3; k++)
        n[k] = angle > 0 ? turn[k] / angle : 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            matrix[i][j] = (i == j ? c : 0) + (1 - c) * n[i] * n[j];
    matrix[0][1] -= s * n[2];
    matrix[1][0] += s * n[2];
    matrix[0][2] += s * n[1];
    matrix[2][0] -= s * n[1];
    matrix[1][2] -= s * n[0];
    matrix[2][1] += s * n[0];
}

static void multiply(double a[3][3], double b[3][3], double product[3][3])
{
    double sum[3][3];

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
    memcpy(product, sum, sizeof sum);
}

static void apply(double a[3][3], const double x[3], double y[3])
{
    double sum[3];

    for (int i = 0; i < 3; i++)
        sum[i] = law_dot3(a[i], x);
    memcpy(y, sum, sizeof sum);
}

static void apply_back(double a[3][3], const double x[3], double y[3])
{
    double sum[3];

    for (int i = 0; i < 3; i++)
        sum[i] = a[0][i] * x[0] + a[1][i] * x[1] + a[2][i] * x[2];
    memcpy(y, sum, sizeof sum);
}

void reference_matrix_of(const double q[4], double m[3][3])
{
    double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};

    memcpy(m, rows, sizeof rows);
}

void reference_body_point(const reference_body *body, const double local[3], double place[3])
{
    for (int k = 0; k < 3; k++)
        place[k] = body->place[k] + law_dot3(body->turn[k], local);
}

void reference_world_way(const reference_world *world, const double from[3], const double to[3],
                         double way[3])
{
    for (int k = 0; k < 3; k++) {
        way[k] = to[k] - from[k];
        if (world->def.domain.boundary[k] == SCREE_BOUNDARY_PERIODIC) {
            double period = world->def.domain.upper[k] - world->def.domain.lower[k];
            way[k] -= period * rint(way[k] / period);
        }
    }
}

bool reference_world_open(reference_world *world)
{
    world->contact = calloc(REFERENCE_CONTACTS, sizeof *world->contact);
    world->next = calloc(REFERENCE_CONTACTS, sizeof *world->next);
    return world->contact && world->next;
}

void reference_world_close(reference_world *world)
{
    free(world->contact);
    free(world->next);
}

/* ---- which law ---- */

static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static reference_parameters parameters_of(const scree_material_def *a, const scree_material_def *b,
                                          const reference_rule *rule)
{
    double Ga = a->young / (2 * (1 + a->poisson)), Gb = b->young / (2 * (1 + b->poisson));
    double restitution = lesser(a->restitution, b->restitution);
    reference_parameters p = {.hertz = true, .rolling = SCREE_ROLLING_SPRING};

    p.friction = lesser(a->friction, b->friction);
    p.rolling_friction = lesser(a->rolling_friction, b->rolling_friction);
    p.twisting_friction = lesser(a->twisting_friction, b->twisting_friction);
    p.E = 1 / ((1 - a->poisson * a->poisson) / a->young + (1 - b->poisson * b->poisson) / b->young);
    p.G = 1 / ((2 - a->poisson) / Ga + (2 - b->poisson) / Gb);
    p.k = a->stiffness * b->stiffness / (a->stiffness + b->stiffness);
    p.ratio = (a->stiffness_ratio + b->stiffness_ratio) / 2;
    if (rule) {
        p.hertz = strncmp(rule->law, "hertz", 5) == 0;
        p.rolls = strstr(rule->law, "-rolling") != NULL;
        restitution = isnan(rule->restitution) ? restitution : rule->restitution;
        p.friction = isnan(rule->friction) ? p.friction : rule->friction;
        p.tangential = rule->tangential < 0 ? 0 : rule->tangential;
    }
    p.damping = scree_damping_ratio(restitution < 0.01 ? 0.01 : restitution);
    return p;
}

static bool rule_is_for(const reference_rule *rule, uint32_t a, uint32_t b, bool at_wall)
{
    const uint32_t *m = rule->material;

    if (rule->type != SCREE_CONTACT_ANY && (rule->type == SCREE_CONTACT_WALLS) != at_wall)
        return false;
    return ((m[0] == 0 || m[0] == a) && (m[1] == 0 || m[1] == b)) ||
           ((m[0] == 0 || m[0] == b) && (m[1] == 0 || m[1] == a));
}

/*  The first rule that is for them, else Hertz; false: no force. */
static bool find_law(const reference_world *world, uint32_t a, uint32_t b, bool at_wall,
                     reference_parameters *p)
{
    const reference_rule *rule = NULL;

    for (uint32_t r = 0; !rule && r < world->rule_count; r++)
        if (rule_is_for(&world->rule[r], a, b, at_wall))
            rule = &world->rule[r];
    if (rule && !rule->law)
        return false;
    *p = parameters_of(&world->material[a - 1], &world->material[b - 1], rule);
    return true;
}

/* ---- contacts ---- */

/*  Two that touch: the second may be a wall, which has no radius and no mass. */
typedef struct meeting
{
    reference_contact key;
    double normal[3], overlap, radius, mass; /* effective; mass before it is shared */
    double arm[2][3], surface[3], wall_spin[3];
    reference_parameters law;
} meeting;

static void velocity_at(const double velocity[3], const double spin[3], const double arm[3],
                        double speed[3])
{
    law_cross(spin, arm, speed);
    for (int k = 0; k < 3; k++)
        speed[k] += velocity[k];
}

static const double *memory_of(const reference_world *world, const reference_contact *key)
{
    static const double nothing[SCREE_MAX_MEMORY];

    for (uint32_t c = 0; c < world->contact_count; c++)
        if (world->contact[c].body == key->body && world->contact[c].pebble == key->pebble &&
            world->contact[c].other == key->other &&
            world->contact[c].other_pebble == key->other_pebble)
            return world->contact[c].memory;
    return nothing;
}

static void push(reference_world *world, const meeting *m, double share, double dt, double ahead)
{
    static law_room room;
    reference_body *a = &world->body[m->key.body];
    reference_body *b = m->key.other < REFERENCE_BODIES ? &world->body[m->key.other] : NULL;
    const double *n = m->normal, *spin = b ? b->spin : m->wall_spin;
    const double *memory = memory_of(world, &m->key);
    double first[3], second[3], approach = 0, twist = 0, lever[3], force[3];

    velocity_at(a->velocity, a->spin, m->arm[0], first);
    if (b)
        velocity_at(b->velocity, b->spin, m->arm[1], second);
    else
        memcpy(second, m->surface, sizeof second);
    for (int k = 0; k < 3; k++) {
        approach += (first[k] - second[k]) * n[k];
        twist += 0.5 * (a->spin[k] + spin[k]) * n[k];
    }
    room.in[IN_OVERLAP][0] = m->overlap;
    room.in[IN_APPROACH][0] = approach;
    room.in[IN_TWIST][0] = twist;
    room.in[IN_RADIUS][0] = m->radius;
    room.in[IN_MASS][0] = m->mass / share;
    for (int k = 0; k < 3; k++) {
        room.in[IN_NORMAL + k][0] = n[k];
        room.in[IN_SLIDE + k][0] = first[k] - second[k] - approach * n[k];
        room.in[IN_ROLL + k][0] = a->spin[k] - spin[k];
    }
    for (int k = 0; k < SCREE_MAX_MEMORY; k++)
        room.in[IN_MEMORY + k][0] = memory[k];
    struct reference t = reference_of(&m->law, &room, 0, dt, ahead);
    memcpy(force, t.force, sizeof force);
    law_cross(m->arm[0], force, lever);
    for (int k = 0; k < 3; k++) {
        a->force[k] += force[k];
        a->torque[k] += lever[k] + t.moment[k];
    }
    law_cross(m->arm[1], force, lever);
    for (int k = 0; b && k < 3; k++) {
        b->force[k] -= force[k];
        b->torque[k] -= lever[k] + t.moment[k];
    }
    if (world->next_count < REFERENCE_CONTACTS) {
        reference_contact *kept = &world->next[world->next_count++];
        *kept = m->key;
        memset(kept->memory, 0, sizeof kept->memory);
        memcpy(kept->memory, t.next, sizeof t.next);
    }
}

/*  Contacts of one pair of bodies, or of a body and a wall, share its mass. */
static void push_all(reference_world *world, const meeting *some, uint32_t count, double dt,
                     double ahead)
{
    for (uint32_t c = 0; c < count; c++)
        push(world, &some[c], count, dt, ahead);
}

static bool groups_meet(uint64_t groups, uint64_t mask, uint64_t other_groups, uint64_t other_mask)
{
    return (groups & other_mask) != 0 && (other_groups & mask) != 0;
}

static void meet_bodies(reference_world *world, uint32_t i, uint32_t j, double dt, double ahead)
{
    const reference_body *a = &world->body[i], *b = &world->body[j];
    meeting some[REFERENCE_PEBBLES * REFERENCE_PEBBLES] = {0};
    uint32_t count = 0;

    if (!groups_meet(a->groups, a->mask, b->groups, b->mask) || reference_joints_part(world, i, j))
        return;
    for (uint32_t p = 0; p < a->pebbles; p++)
        for (uint32_t q = 0; q < b->pebbles; q++) {
            meeting *m = &some[count];
            double from[3], to[3], way[3], r = a->pebble[p].radius, s = b->pebble[q].radius;
            reference_body_point(a, a->pebble[p].centre, from);
            reference_body_point(b, b->pebble[q].centre, to);
            reference_world_way(world, from, to, way);
            double distance = sqrt(law_dot3(way, way));
            if (distance >= r + s || !find_law(world, a->material, b->material, false, &m->law))
                continue;
            m->key = (reference_contact){.body = i, .pebble = p, .other = j, .other_pebble = q};
            m->overlap = r + s - distance;
            m->radius = r * s / (r + s);
            m->mass = 1 / (1 / a->mass + 1 / b->mass);
            for (int k = 0; k < 3; k++) {
                m->normal[k] = way[k] / distance;
                m->arm[0][k] = from[k] + (r - m->overlap / 2) * m->normal[k] - a->place[k];
                m->arm[1][k] = to[k] - (s - m->overlap / 2) * m->normal[k] - b->place[k];
            }
            count++;
        }
    push_all(world, some, count, dt, ahead);
}

/*  Where a wall is now: a point of it, its normal, and how it and its belt move. */
typedef struct wall_pose
{
    double point[3], normal[3], centre[3], velocity[3], spin[3], belt[2][3];
} wall_pose;

static wall_pose pose_of(const reference_wall *wall, double time)
{
    const scree_wall_path *path = &wall->path;
    double length = sqrt(law_dot3(path->axis, path->axis)), angle = 2 * pi * path->frequency;
    double turn[3], matrix[3][3];
    wall_pose pose;

    for (int k = 0; k < 3; k++) {
        pose.spin[k] = length > 0 ? path->rate * path->axis[k] / length : 0;
        turn[k] = pose.spin[k] * time;
        pose.point[k] = wall->point[k] - path->centre[k];
        pose.centre[k] = path->centre[k] + path->velocity[k] * time +
                         path->swing[k] * (sin(angle * time + path->phase) - sin(path->phase));
        pose.velocity[k] =
            path->velocity[k] + path->swing[k] * angle * cos(angle * time + path->phase);
    }
    rotation_about(turn, matrix);
    apply(matrix, pose.point, pose.point);
    apply(matrix, wall->normal, pose.normal);
    apply(matrix, wall->belt[0], pose.belt[0]);
    apply(matrix, wall->belt[1], pose.belt[1]);
    for (int k = 0; k < 3; k++)
        pose.point[k] += pose.centre[k];
    return pose;
}

/*  Velocity of the belt where a body touches it, along the wall alone. */
static void add_belt(const wall_pose *pose, const double place[3], const double to_contact[3],
                     double surface[3])
{
    double arm[3], belt[3];

    for (int k = 0; k < 3; k++)
        arm[k] = place[k] + to_contact[k] - pose->point[k];
    velocity_at(pose->belt[0], pose->belt[1], arm, belt);
    const double along = law_dot3(belt, pose->normal);
    for (int k = 0; k < 3; k++)
        surface[k] += belt[k] - along * pose->normal[k];
}

static void meet_wall(reference_world *world, uint32_t i, uint32_t w, double dt, double ahead)
{
    const reference_body *a = &world->body[i];
    const reference_wall *wall = &world->wall[w];
    const wall_pose pose = pose_of(wall, world->time);
    meeting some[REFERENCE_PEBBLES] = {0};
    uint32_t count = 0;

    if (!groups_meet(a->groups, a->mask, wall->groups, wall->mask))
        return;
    for (uint32_t p = 0; p < a->pebbles; p++) {
        meeting *m = &some[count];
        double at[3], from_wall[3], arm[3], side = 1, r = a->pebble[p].radius;
        reference_body_point(a, a->pebble[p].centre, at);
        for (int k = 0; k < 3; k++)
            from_wall[k] = at[k] - pose.point[k];
        double height = law_dot3(from_wall, pose.normal);
        if (wall->has_two_sides && height < 0)
            side = -1;
        if (height * side >= r || !find_law(world, a->material, wall->material, true, &m->law))
            continue;
        m->key = (reference_contact){.body = i, .pebble = p, .other = REFERENCE_BODIES + w};
        m->overlap = r - height * side;
        m->radius = r;
        m->mass = a->mass;
        for (int k = 0; k < 3; k++) {
            m->normal[k] = -side * pose.normal[k];
            m->arm[0][k] = at[k] - height * pose.normal[k] - a->place[k];
            m->wall_spin[k] = pose.spin[k];
            arm[k] = a->place[k] + m->arm[0][k] - pose.centre[k];
        }
        velocity_at(pose.velocity, pose.spin, arm, m->surface);
        add_belt(&pose, a->place, m->arm[0], m->surface);
        count++;
    }
    push_all(world, some, count, dt, ahead);
}

/* ---- forces on bodies ---- */

static void momentum_of(reference_body *body, const double spin[3], double momentum[3])
{
    apply_back(body->turn, spin, momentum);
    for (int k = 0; k < 3; k++)
        momentum[k] *= body->inertia[k];
    apply(body->turn, momentum, momentum);
}

static void spin_of(reference_body *body, const double momentum[3], double spin[3])
{
    apply_back(body->turn, momentum, spin);
    for (int k = 0; k < 3; k++)
        spin[k] /= body->inertia[k];
    apply(body->turn, spin, spin);
}

static double sign(double x)
{
    return (x > 0) - (x < 0);
}

static void finish_forces(const reference_world *world, reference_body *body)
{
    const scree_world_def *def = &world->def;
    double momentum[3];

    momentum_of(body, body->spin, momentum);
    for (int k = 0; k < 3; k++) {
        double force = body->force[k] + body->mass * def->gravity[k] + body->load[k] -
                       world->pull * body->place[k];
        double torque = body->torque[k] + body->load[3 + k];
        force -= def->local_damping * fabs(force) * sign(body->velocity[k]);
        torque -= def->local_damping * fabs(torque) * sign(body->spin[k]);
        body->force[k] = force - def->global_damping * body->mass * body->velocity[k];
        body->torque[k] = torque - def->global_damping * momentum[k];
    }
}

static void find_forces(reference_world *world, double dt)
{
    double ahead = world->def.step.integrator == SCREE_VELOCITY_VERLET  ? dt / 2
                   : world->def.step.integrator == SCREE_EXPLICIT_EULER ? dt
                                                                        : 0;

    world->next_count = 0;
    for (uint32_t i = 0; i < world->body_count; i++) {
        memset(world->body[i].force, 0, sizeof world->body[i].force);
        memset(world->body[i].torque, 0, sizeof world->body[i].torque);
    }
    for (uint32_t i = 0; i < world->body_count; i++) {
        for (uint32_t j = i + 1; world->body[i].is_there && j < world->body_count; j++)
            if (world->body[j].is_there)
                meet_bodies(world, i, j, dt - ahead, ahead);
        for (uint32_t w = 0; world->body[i].is_there && w < world->wall_count; w++)
            meet_wall(world, i, w, dt - ahead, ahead);
    }
    reference_joints_pull(world);
    for (uint32_t i = 0; i < world->body_count; i++)
        if (world->body[i].is_there)
            finish_forces(world, &world->body[i]);
}

/* ---- motion ---- */

/*  What is frozen is not pushed, nor is anything out of the plane. */
static bool is_held(const reference_world *world, const reference_body *body, int k)
{
    const uint32_t plane = SCREE_FREEZE_Z | SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y;

    return ((body->flags | (world->def.dimensions == 2 ? plane : 0)) >> k & 1) != 0;
}

static void free_push(const reference_world *world, const reference_body *body, double force[3],
                      double torque[3])
{
    for (int k = 0; k < 3; k++) {
        force[k] = body->is_stopped || is_held(world, body, k) ? 0 : body->force[k];
        torque[k] = body->is_stopped || is_held(world, body, 3 + k) ? 0 : body->torque[k];
    }
}

static void turn_about_own(int k, double angle, double turn[3][3], double seen[3])
{
    double axis[3] = {0}, matrix[3][3];

    axis[k] = angle;
    rotation_about(axis, matrix);
    multiply(turn, matrix, turn);
    apply_back(matrix, seen, seen);
}

/*  As src/world/state/rotation.c says in words: half of the rest, the symmetric top, half of the rest. */
static void tumble(reference_body *body, const double momentum[3], double dt)
{
    double inverse[3], apart[3], seen[3], whole[3], matrix[3][3];
    int odd = 0;

    for (int k = 0; k < 3; k++)
        inverse[k] = 1 / body->inertia[k];
    for (int k = 0; k < 3; k++)
        apart[k] = fabs(inverse[(k + 1) % 3] - inverse[(k + 2) % 3]);
    odd = apart[2] <= apart[0] && apart[2] <= apart[1] ? 2 : apart[0] <= apart[1] ? 0 : 1;
    int even = (odd + 1) % 3, rest = (odd + 2) % 3;
    apply_back(body->turn, momentum, seen);
    turn_about_own(rest, seen[rest] * (inverse[rest] - inverse[even]) * dt / 2, body->turn, seen);
    turn_about_own(odd, seen[odd] * (inverse[odd] - inverse[even]) * dt, body->turn, seen);
    for (int k = 0; k < 3; k++)
        whole[k] = momentum[k] * inverse[even] * dt;
    rotation_about(whole, matrix);
    multiply(matrix, body->turn, body->turn);
    turn_about_own(rest, seen[rest] * (inverse[rest] - inverse[even]) * dt / 2, body->turn, seen);
}

/*  Velocities by a whole step; places by those at `share` of it. */
static void drift(const reference_world *world, reference_body *body, double share)
{
    double force[3], torque[3], momentum[3], pushed[3], mean[3], turn[3][3],
        dt = world->def.step.dt;

    free_push(world, body, force, torque);
    for (int k = 0; k < 3; k++) {
        body->place[k] += (body->velocity[k] + force[k] / body->mass * share) * dt;
        body->velocity[k] += force[k] / body->mass * dt;
    }
    if (body->pebbles == 1) {
        for (int k = 0; k < 3; k++) {
            mean[k] = (body->spin[k] + torque[k] / body->inertia[k] * share) * dt;
            body->spin[k] += torque[k] / body->inertia[k] * dt;
        }
        rotation_about(mean, turn);
        multiply(turn, body->turn, body->turn);
        return;
    }
    momentum_of(body, body->spin, momentum);
    for (int k = 0; k < 3; k++) {
        pushed[k] = momentum[k] + torque[k] * share;
        momentum[k] += torque[k] * dt;
    }
    tumble(body, pushed, dt);
    spin_of(body, momentum, body->spin);
}

/*  Verlet: the mean of both forces in the place of the first. */
static void finish_motion(const reference_world *world, reference_body *body, double before[2][3])
{
    double force[3], torque[3], gained[3];

    free_push(world, body, force, torque);
    for (int k = 0; k < 3; k++) {
        body->velocity[k] += (force[k] - before[0][k]) / body->mass * world->def.step.dt / 2;
        torque[k] = (torque[k] - before[1][k]) * world->def.step.dt / 2;
        gained[k] = torque[k] / body->inertia[k];
    }
    if (body->pebbles > 1)
        spin_of(body, torque, gained);
    for (int k = 0; k < 3; k++)
        body->spin[k] += gained[k];
}

static double reach_of(const reference_body *body)
{
    double reach = 0;

    for (uint32_t p = 0; p < body->pebbles; p++) {
        const double *c = body->pebble[p].centre;
        double far = sqrt(law_dot3(c, c)) + body->pebble[p].radius;
        reach = far > reach ? far : reach;
    }
    return reach;
}

static void meet_boundary(const reference_world *world, reference_body *body)
{
    const scree_world_def *def = &world->def;
    double reach = reach_of(body);

    for (int k = 0; k < 3; k++)
        if (def->domain.boundary[k] == SCREE_BOUNDARY_DESTROY &&
            (body->place[k] + reach < def->domain.lower[k] ||
             body->place[k] - reach > def->domain.upper[k]))
            body->is_there = false;
    body->is_stopped = false;
    for (int k = 0; body->is_there && k < 3; k++) {
        bool below =
            body->place[k]<def->domain.lower[k], above = body->place[k]> def->domain.upper[k];
        double period = def->domain.upper[k] - def->domain.lower[k];
        if (def->domain.boundary[k] == SCREE_BOUNDARY_NONE || (!below && !above))
            continue;
        if (def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC)
            body->place[k] += below ? period : -period;
        if (def->domain.boundary[k] == SCREE_BOUNDARY_REFLECT &&
            (below ? body->velocity[k] < 0 : body->velocity[k] > 0))
            body->velocity[k] = -body->velocity[k];
        for (int a = 0; def->domain.boundary[k] == SCREE_BOUNDARY_STOP && a < 3; a++)
            body->velocity[a] = body->spin[a] = 0;
        body->is_stopped |= def->domain.boundary[k] == SCREE_BOUNDARY_STOP;
    }
}

/*  One that is gone leaves forces that nothing exerts: they are found again. */
static bool touches_something(const reference_world *world, uint32_t i)
{
    if (reference_joints_hold(world, i))
        return true;
    for (uint32_t c = 0; c < world->contact_count; c++)
        if (world->contact[c].body == i || world->contact[c].other == i)
            return true;
    return false;
}

/* ---- the step ---- */

void reference_world_step(reference_world *world)
{
    double before[REFERENCE_BODIES][2][3], dt = world->def.step.dt;
    double share = world->def.step.integrator == SCREE_VELOCITY_VERLET    ? dt / 2
                   : world->def.step.integrator == SCREE_SYMPLECTIC_EULER ? dt
                                                                          : 0;

    if (!world->is_primed)
        find_forces(world, 0);
    world->is_primed = true;
    for (uint32_t i = 0; i < world->body_count; i++) {
        free_push(world, &world->body[i], before[i][0], before[i][1]);
        if (world->body[i].is_there)
            drift(world, &world->body[i], share);
    }
    world->time += dt;
    find_forces(world, dt);
    for (uint32_t i = 0; i < world->body_count; i++) {
        if (!world->body[i].is_there)
            continue;
        if (world->def.step.integrator == SCREE_VELOCITY_VERLET)
            finish_motion(world, &world->body[i], before[i]);
    }
    reference_contact *used = world->contact;
    world->contact = world->next;
    world->contact_count = world->next_count;
    world->next = used;
    for (uint32_t i = 0; i < world->body_count; i++) {
        if (!world->body[i].is_there)
            continue;
        meet_boundary(world, &world->body[i]);
        if (!world->body[i].is_there && touches_something(world, i))
            world->is_primed = false;
    }
}
