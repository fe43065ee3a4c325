#include "impact.h"

#include <math.h>
#include <string.h>

impact impact_default(void)
{
    impact i = {.law = "hertz",
                .restitution = 1,
                .steps = 200,
                .integrator = SCREE_VELOCITY_VERLET,
                .n = {1, 0, 0},
                .t = {0, 1, 0}};
    return i;
}

static bool is_wall(const impact *i)
{
    return !(i->other.radius > 0);
}

static elastic_solid wall_of(const impact *i)
{
    elastic_solid wall = {INFINITY, 0.3, 1000, INFINITY};
    if (i->other.young > 0) {
        wall.young = i->other.young;
        wall.poisson = i->other.poisson;
    }
    return wall;
}

static double approach_speed(const impact *i)
{
    return i->normal - i->other_normal;
}

hertz_contact impact_contact(const impact *i)
{
    elastic_solid wall = wall_of(i);
    return hertz_of(&i->sphere, is_wall(i) ? &wall : &i->other);
}

double impact_duration(const impact *i)
{
    hertz_contact c = impact_contact(i);
    if (strncmp(i->law, "linear", 6) == 0)
        return VALIDATION_PI * sqrt(c.mass / i->stiffness);
    return hertz_duration(&c, approach_speed(i));
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/*  Spin about n x t moves the surface at the contact along t: (n x t) x n = t. */
static void spin_axis(const impact *i, double axis[3])
{
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        axis[a] = i->n[b] * i->t[c] - i->n[c] * i->t[b];
    }
}

static scree_material_id add_material(rig *r, const impact *i, const elastic_solid *solid)
{
    scree_material_def def = rig_elastic(solid->density, solid->young, solid->poisson);
    def.restitution = i->restitution;
    def.friction = i->friction;
    def.stiffness = 2 * i->stiffness; /* two of these in series */
    if (!(i->stiffness > 0))
        def.stiffness = 1;
    return rig_material(r, &def);
}

/*  side: 1 for the sphere, which lies where its surface touches the origin from behind, -1 for the other. */
static scree_body_id add_sphere(rig *r, const impact *i, const elastic_solid *solid, int side,
                                double normal, double tangential, double surface)
{
    double axis[3], early = i->phase * impact_duration(i) / i->steps;
    spin_axis(i, axis);
    scree_body_def def = rig_sphere(add_material(r, i, solid), solid->radius, 0, 0, 0);
    for (int a = 0; a < 3; a++) {
        def.position[a] = i->origin[a] - side * solid->radius * i->n[a] - early * normal * i->n[a];
        def.velocity[a] = normal * i->n[a] + tangential * i->t[a];
        def.spin[a] = side * surface / solid->radius * axis[a];
    }
    return rig_add(r, &def);
}

static void add_wall(rig *r, const impact *i)
{
    elastic_solid wall = wall_of(i);
    rig_plane(r, add_material(r, i, &wall), i->origin[0], i->origin[1], i->origin[2], -i->n[0],
              -i->n[1], -i->n[2]);
}

/*  The overlap, from where the bodies are. */
static double find_overlap(const impact *i, const scree_body *body, const scree_body *other)
{
    double apart[3], length = 0;
    for (int a = 0; a < 3; a++) {
        apart[a] = (is_wall(i) ? i->origin[a] : other->position[a]) - body->position[a];
        length += apart[a] * apart[a];
    }
    return is_wall(i) ? i->sphere.radius - dot(apart, i->n)
                      : i->sphere.radius + i->other.radius - sqrt(length);
}

static double peak_of(const double last[3])
{
    return last[1] >= last[0] && last[1] >= last[2] ? parabola_peak(last[0], last[1], last[2]) : 0;
}

impact_end impact_run(validation *v, const impact *i, validation_curve *force,
                      validation_curve *overlap)
{
    impact_end end;
    memset(&end, 0, sizeof end);
    end.dt = impact_duration(i) / i->steps;
    scree_world_def def = rig_def(end.dt);
    def.step.integrator = i->integrator;
    rig r = rig_open(v, &def);
    scree_body_id body = {0, 0}, other = {0, 0};
    rig_law(&r, i->law, i->parameter, i->value);
    for (int k = 0; k < 2; k++)
        if ((k == 0) != i->other_first)
            body = add_sphere(&r, i, &i->sphere, 1, i->normal, i->tangential, i->surface);
        else if (is_wall(i))
            add_wall(&r, i);
        else
            other = add_sphere(&r, i, &i->other, -1, i->other_normal, i->other_tangential,
                               i->other_surface);

    double overlaps[3] = {0, 0, 0}, forces[3] = {0, 0, 0};
    for (int k = 0; k < 40 * i->steps && rig_step(&r, 1); k++) {
        end.body = rig_body(&r, body);
        if (!is_wall(i))
            end.other = rig_body(&r, other);
        memmove(overlaps, overlaps + 1, 2 * sizeof *overlaps);
        memmove(forces, forces + 1, 2 * sizeof *forces);
        overlaps[2] = find_overlap(i, &end.body, &end.other);
        forces[2] = -dot(end.body.force, i->n);
        end.overlap = fmax(end.overlap, fmax(overlaps[2], peak_of(overlaps)));
        end.force = fmax(end.force, fmax(forces[2], peak_of(forces)));
        if (force)
            validation_point(force, rig_time(&r), forces[2]);
        if (overlap)
            validation_point(overlap, rig_time(&r), overlaps[2]);
        if (overlaps[1] > 0 && overlaps[2] <= 0) {
            end.duration = rig_time(&r) + end.dt * overlaps[2] / (overlaps[1] - overlaps[2]);
            break;
        }
    }
    double axis[3];
    spin_axis(i, axis);
    end.normal = dot(end.body.velocity, i->n);
    end.tangential = dot(end.body.velocity, i->t);
    end.surface = dot(end.body.spin, axis) * i->sphere.radius;
    end.other_normal = dot(end.other.velocity, i->n);
    end.other_tangential = dot(end.other.velocity, i->t);
    end.other_surface = -dot(end.other.spin, axis) * i->other.radius;
    rig_close(&r);
    return end;
}
