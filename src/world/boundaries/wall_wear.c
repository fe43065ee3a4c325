/*  Wear of walls. Sums are whole numbers (base/fixed_sum.h), so the order of contacts makes no difference. */
#include "world/boundaries/wall_wear.h"

#include "base/fixed_sum.h"
#include "base/portable_math.h"
#include "base/quaternion.h"
#include "base/vector.h"
#include "shape/mesh.h"
#include "world/state/wall_path.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/*  A contact at a wall that wears. */
typedef struct rub
{
    const scree_wall_record *wall;
    scree_wear_row *row;
    uint32_t slot; /* of the body */
    bool is_front; /* the body is on the side to which the normal of the facet points */
    double push;   /* force on the wall along the contact normal, N; 0 where it pulls */
    /*  Velocity of the body's surface relative to the wall's: along the normal, positive towards the wall, and size of
        the rest, m/s. */
    double closing, slide;
} rub;

static bool is_on_front(const scree_wall_record *wall, uint32_t facet, const double normal[3])
{
    double outward[3];

    if (wall->def.kind == SCREE_WALL_MESH)
        scree_wall_turn_from_mesh(wall, wall->def.mesh->normals + 3 * (size_t)facet, outward);
    else
        memcpy(outward, wall->next.normal, sizeof outward);
    return scree_dot(outward, normal) < 0;
}

/*  From the centre of the body to the contact. */
static void find_arm(const scree_found_contacts *contacts, const scree_found_contact *c,
                     const double normal[3], double arm[3])
{
    if (c->list == SCREE_IN_SHAPES) {
        memcpy(arm, contacts->shapes->arm[c->index], 3 * sizeof *arm);
        return;
    }
    const double reach =
        contacts->bodies->position[c->first][3] - contacts->wall_contacts->point[c->index][3];
    for (int k = 0; k < 3; k++)
        arm[k] = reach * normal[k];
}

static rub rub_of(const scree_found_contacts *contacts, const scree_found_contact *c)
{
    const bool is_shape = c->list == SCREE_IN_SHAPES;
    const double *normal =
        is_shape ? contacts->shapes->normal[c->index] : contacts->wall_contacts->normal[c->index];
    const uint32_t facet = is_shape ? contacts->shapes->facet[c->index][0]
                                    : contacts->wall_contacts->memory[c->index][0].facet;
    const double *point = scree_point_of(contacts, c);
    const scree_wall_record *wall = &contacts->walls->wall[c->wall];
    const scree_wall_pose *pose = &wall->next;
    rub found = {.wall = wall,
                 .row = &wall->wear.row[wall->def.kind == SCREE_WALL_MESH ? facet : 0],
                 .slot = c->first,
                 .is_front = is_on_front(wall, facet, normal),
                 .push = fmax(0, -scree_dot(scree_force_of(contacts, c), normal))};
    double arm[3], body[3], surface[3], belt[3];

    find_arm(contacts, c, normal, arm);
    scree_cross(contacts->bodies->spin[c->first], arm, body);
    scree_wall_velocity_at(pose->position, pose->velocity, pose->spin, point, surface);
    scree_wall_belt_at(wall, point, normal, belt);
    for (int k = 0; k < 3; k++)
        body[k] += contacts->bodies->velocity[c->first][k] - surface[k] - belt[k];
    found.closing = scree_dot(body, normal);
    for (int k = 0; k < 3; k++)
        body[k] -= found.closing * normal[k];
    found.slide = scree_length(body);
    return found;
}

/* ---- impacts ---- */

/*  Whether the body did not touch the wall in the step before, and this is the first of its contacts with it now. */
static bool is_first_touch(const scree_found_contacts *contacts, const scree_found_contact *found)
{
    scree_contact_walk walk = {.contacts = contacts, .slot = found->first};

    scree_walk_list(&walk, SCREE_IN_WALL_CONTACTS);
    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        const uint32_t previous = c.list == SCREE_IN_SHAPES
                                      ? contacts->shapes->previous[c.index][0]
                                      : contacts->wall_contacts->previous[c.index][0];
        const bool is_earlier =
            c.list < found->list || (c.list == found->list && c.index < found->index);
        if (c.wall == found->wall && (previous != UINT32_MAX || is_earlier))
            return false;
    }
    return true;
}

/*  Of a sphere, or of a sphere (2D: a disc) of the same volume. */
static double diameter_of(const scree_step *step, const scree_body_arrays *bodies, uint32_t slot,
                          double mass)
{
    const double density = step->rules->materials[bodies->material[slot][0] - 1].def.density;

    if (!scree_is_not_sphere(bodies, slot))
        return 2 * bodies->position[slot][3];
    return step->def->dimensions == 2 ? 2 * sqrt(mass / (density * PI))
                                      : scree_cube_root(6 * mass / (density * PI));
}

/*  Eroded volume over `erosion`, kg. */
static double eroded_by(const scree_step *step, const scree_body_arrays *bodies, const rub *hit,
                        double mass)
{
    const scree_wear_model *model = &hit->wall->wear.model;
    const double speed = sqrt(hit->closing * hit->closing + hit->slide * hit->slide);
    const double steep = hit->closing / speed;
    const double ratio = diameter_of(step, bodies, hit->slot, mass) / model->reference_diameter;

    return mass * scree_pow(steep, model->angle_exponent) *
           scree_pow(1 + model->hardness * 1e-9 * (1 - steep), model->hardness_exponent) *
           scree_pow(speed / model->reference_speed, model->speed_exponent) *
           scree_pow(ratio, model->diameter_exponent);
}

static void add_impact(const scree_step *step, const scree_body_arrays *bodies, const rub *hit)
{
    const double mass = 1 / bodies->velocity[hit->slot][3];

    if (!(hit->closing > 0) || !isfinite(mass))
        return;
    hit->row->impacts++;
    scree_fixed_add(hit->row->sum[SCREE_HIT], 0.5 * mass * hit->closing * hit->closing);
    if (hit->wall->wear.model.erosion > 0)
        scree_fixed_add(hit->row->sum[hit->is_front ? SCREE_ERODED_FRONT : SCREE_ERODED_BACK],
                        eroded_by(step, bodies, hit, mass));
}

void scree_wear_take_step(const scree_step *step, const scree_found_contacts *contacts,
                          scree_walls *walls)
{
    scree_contact_walk walk = scree_all_contacts_but_pairs(contacts);

    if (!scree_walls_wear(walls))
        return;
    for (scree_found_contact c; scree_next_contact(&walk, &c);) {
        if (c.second != UINT32_MAX || !walls->wall[c.wall].wear.rows ||
            scree_is_ghost(contacts->bodies, c.first))
            continue;
        const rub found = rub_of(contacts, &c);
        scree_fixed_add(found.row->sum[found.is_front ? SCREE_SLID_FRONT : SCREE_SLID_BACK],
                        found.push * found.slide * step->dt);
        if (is_first_touch(contacts, &c))
            add_impact(step, contacts->bodies, &found);
    }
}
