/*  Joints of drawn worlds: balls and springs, between two bodies or to the fixed world; and what they do in the
    reference. */
#include "campaign_worlds_joints.h"

#include "campaign_worlds_random.h"
#include "scree/joint.h"

/* ---- the reference ---- */

static bool is_there(const reference_world *world, const reference_joint *joint)
{
    return world->body[joint->first].is_there &&
           (joint->second == REFERENCE_BODIES || world->body[joint->second].is_there);
}

bool reference_joints_part(const reference_world *world, uint32_t i, uint32_t j)
{
    bool part = false;

    for (uint32_t k = 0; k < world->joint_count; k++) {
        const reference_joint *joint = &world->joint[k];
        part |= !joint->collide && ((joint->first == i && joint->second == j) ||
                                    (joint->first == j && joint->second == i));
    }
    return part;
}

bool reference_joints_hold(const reference_world *world, uint32_t i)
{
    bool holds = false;

    for (uint32_t k = 0; k < world->joint_count; k++) {
        const reference_joint *joint = &world->joint[k];
        uint32_t other = joint->first == i ? joint->second : joint->first;
        holds |= (joint->first == i || joint->second == i) &&
                 (other == REFERENCE_BODIES || world->body[other].is_there);
    }
    return holds;
}

static void turned(const reference_body *body, const double local[3], double arm[3])
{
    for (int k = 0; k < 3; k++)
        arm[k] = law_dot3(body->turn[k], local);
}

static void velocity_at(const reference_body *body, const double arm[3], double velocity[3])
{
    law_cross(body->spin, arm, velocity);
    for (int k = 0; k < 3; k++)
        velocity[k] += body->velocity[k];
}

static void push(reference_body *body, const double arm[3], const double force[3], double sign)
{
    double lever[3];

    law_cross(arm, force, lever);
    for (int k = 0; k < 3; k++) {
        body->force[k] += sign * force[k];
        body->torque[k] += sign * lever[k];
    }
}

/*  The force on the second end: along the line of a spring, against the whole gap of a ball. */
static void find_force(const reference_joint *joint, const double gap[3], const double rate[3],
                       double force[3])
{
    double length = sqrt(law_dot3(gap, gap)), along = law_dot3(gap, rate) / length;

    for (int k = 0; k < 3; k++)
        force[k] = joint->is_spring
                       ? -(joint->stiffness * (length - joint->rest) + joint->dashpot * along) *
                             gap[k] / length
                       : -joint->stiffness * gap[k] - joint->dashpot * rate[k];
}

static void pull(reference_world *world, const reference_joint *joint)
{
    reference_body *a = &world->body[joint->first];
    reference_body *b = joint->second == REFERENCE_BODIES ? NULL : &world->body[joint->second];
    double own[3], other[3] = {0}, way[3], gap[3], at[3], first[3], second[3] = {0}, force[3];

    turned(a, joint->local[0], own);
    reference_world_way(world, a->place, b ? b->place : joint->local[1], way);
    if (b) {
        turned(b, joint->local[1], other);
        velocity_at(b, other, second);
    }
    for (int k = 0; k < 3; k++) {
        gap[k] = way[k] + other[k] - own[k];
        /* both forces of a ball act at its second end */
        at[k] = joint->is_spring ? own[k] : own[k] + gap[k];
    }
    velocity_at(a, at, first);
    for (int k = 0; k < 3; k++)
        second[k] -= first[k];
    find_force(joint, gap, second, force);
    push(a, at, force, -1);
    if (b)
        push(b, other, force, 1);
}

void reference_joints_pull(reference_world *world)
{
    for (uint32_t k = 0; k < world->joint_count; k++)
        if (is_there(world, &world->joint[k]))
            pull(world, &world->joint[k]);
}

/* ---- drawing ---- */

/*  1 / effective mass of one end: what cannot move has none. */
static double mobility(const reference_body *body, const double arm[3])
{
    const uint32_t in_place = SCREE_FREEZE_X | SCREE_FREEZE_Y | SCREE_FREEZE_Z;
    const uint32_t turns = SCREE_FREEZE_SPIN_X | SCREE_FREEZE_SPIN_Y | SCREE_FREEZE_SPIN_Z;
    double least = fmin(body->inertia[0], fmin(body->inertia[1], body->inertia[2]));

    return ((body->flags & in_place) == in_place ? 0 : 1 / body->mass) +
           ((body->flags & turns) == turns ? 0 : law_dot3(arm, arm) / least);
}

/*  In the frame of the body, and the mobility there. */
static double put_end(const reference_world *world, const reference_body *body,
                      const double point[3], double local[3])
{
    double arm[3];

    reference_world_way(world, body->place, point, arm);
    for (int k = 0; k < 3; k++)
        local[k] =
            body->turn[0][k] * arm[0] + body->turn[1][k] * arm[1] + body->turn[2][k] * arm[2];
    return mobility(body, arm);
}

/*  As the library chooses them: see scree/joint.h. */
static void set_springs(const reference_world *world, double mobility_of_both,
                        const scree_joint_def *def, reference_joint *joint)
{
    double mass = mobility_of_both > 0 ? 1 / mobility_of_both : 0, rate = 0.2 / world->def.step.dt;

    joint->stiffness = def->stiffness > 0 ? def->stiffness : mass * rate * rate;
    joint->dashpot = 2 * def->damping_ratio * sqrt(joint->stiffness * mass);
}

static void draw_joint(drawn_world *d, scree_random *random, scree_joint_def *def,
                       reference_joint *joint)
{
    reference_world *world = &d->reference;
    const int dimensions = world->def.dimensions;
    double gap[3];

    joint->first = scree_random_below(random, world->body_count);
    joint->second = scree_random_below(random, world->body_count);
    if (joint->second == joint->first)
        joint->second = REFERENCE_BODIES;
    joint->is_spring = dimensions == 2 || scree_random_below(random, 2);
    joint->collide = scree_random_below(random, 3) == 0;
    def->kind = joint->is_spring ? SCREE_JOINT_SPRING : SCREE_JOINT_BALL;
    def->collide = joint->collide;
    def->damping_ratio = draw(random, 0, 1);
    draw_vector(random, dimensions, 0.05, gap);
    for (int k = 0; k < 3; k++)
        def->anchor[k] = world->body[joint->first].place[k] + gap[k];
    draw_vector(random, dimensions, 0.05, gap);
    for (int k = 0; k < 3 && joint->is_spring; k++)
        def->second_anchor[k] = def->anchor[k] + gap[k];
    if (joint->is_spring && scree_random_below(random, 2)) {
        def->stiffness = scree_random_log_uniform(random, 10, 1000);
        def->rest_length = draw(random, 0, 0.1);
    }
}

static bool may_move(const reference_world *world, const reference_joint *joint)
{
    return (world->body[joint->first].flags & SCREE_FREEZE) != SCREE_FREEZE ||
           (joint->second < REFERENCE_BODIES &&
            (world->body[joint->second].flags & SCREE_FREEZE) != SCREE_FREEZE);
}

static bool add_joint(drawn_world *d, scree_random *random)
{
    reference_world *world = &d->reference;
    reference_joint *joint = &world->joint[world->joint_count];
    scree_joint_def def = scree_default_joint_def();
    double both, way[3];

    memset(joint, 0, sizeof *joint);
    draw_joint(d, random, &def, joint);
    if (!may_move(world, joint))
        return true;
    const reference_body *b =
        joint->second == REFERENCE_BODIES ? NULL : &world->body[joint->second];
    const double *end = joint->is_spring ? def.second_anchor : def.anchor;
    both = put_end(world, &world->body[joint->first], def.anchor, joint->local[0]);
    if (b)
        both += put_end(world, b, end, joint->local[1]);
    else
        memcpy(joint->local[1], end, sizeof joint->local[1]);
    set_springs(world, both, &def, joint);
    reference_world_way(world, def.anchor, end, way);
    joint->rest = def.rest_length >= 0 ? def.rest_length : sqrt(law_dot3(way, way));
    def.first = world->body[joint->first].id;
    def.second = b ? b->id : (scree_body_id){0, 0};
    world->joint_count++;
    return scree_world_add_joint(d->world, &def, NULL) == SCREE_OK;
}

bool drawn_joints_add(drawn_world *d)
{
    scree_random random = drawn_stream(d, DRAWN_JOINTS);
    uint32_t count = 1 + scree_random_below(&random, REFERENCE_JOINTS);

    for (uint32_t k = 0; drawn_has(d, DRAWN_JOINTS) && d->reference.body_count && k < count; k++)
        if (!add_joint(d, &random))
            return false;
    return true;
}
