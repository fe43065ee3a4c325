#include "rig.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

scree_world_def rig_def(double dt)
{
    scree_world_def def = scree_default_world_def();
    def.step.dt = dt;
    def.overlap_limit = INFINITY;
    return def;
}

static bool works(rig *r, scree_status status, const char *call)
{
    if (status == SCREE_OK)
        return true;
    r->status = status;
    snprintf(r->why, sizeof r->why, "%s: %s: %.200s", call, scree_status_name(status),
             r->world ? scree_world_message(r->world) : "");
    return false;
}

rig rig_open(validation *v, const scree_world_def *def)
{
    rig r = {.v = v};
    scree_error error = {SCREE_OK, ""};
    scree_world_def own = *def;
    own.hooks.error = &error;
    r.status = scree_world_create(&own, &r.world);
    if (r.status)
        snprintf(r.why, sizeof r.why, "no world: %s: %.200s", scree_status_name(r.status),
                 error.text);
    return r;
}

void rig_close(rig *r)
{
    scree_world_destroy(r->world);
    r->world = NULL;
    if (r->status)
        validation_failed(r->v, "%s", r->why);
}

scree_material_def rig_elastic(double density, double young, double poisson)
{
    scree_material_def def = scree_default_material_def();
    def.density = density;
    def.young = young;
    def.poisson = poisson;
    def.restitution = 1;
    def.friction = 0;
    return def;
}

scree_material_id rig_material(rig *r, const scree_material_def *def)
{
    scree_material_id id = {0};
    if (!r->status)
        works(r, scree_world_add_material(r->world, def, &id), "material");
    return id;
}

void rig_law(rig *r, const char *law, const char *name, double value)
{
    scree_rule_def def = scree_default_rule_def();
    def.law = law;
    if (name) {
        def.names = &name;
        def.values = &value;
        def.value_count = 1;
    }
    if (!r->status)
        works(r, scree_world_add_rule(r->world, &def), "rule");
}

scree_body_def rig_sphere(scree_material_id material, double radius, double x, double y, double z)
{
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_sphere(radius);
    def.material = material;
    def.position[0] = x;
    def.position[1] = y;
    def.position[2] = z;
    return def;
}

/*  Another start: a place that is off by less than 1e-9 of the radius. What is 0 stays so, as in two dimensions it must. */
static void shift(const rig *r, scree_body_def *def)
{
    scree_random random = scree_random_stream(r->v->seed, r->added);
    for (int a = 0; a < 3; a++)
        if (def->position[a] != 0)
            def->position[a] += scree_random_range(&random, -1e-9, 1e-9) * def->shape.radius;
}

scree_body_id rig_add(rig *r, const scree_body_def *def)
{
    scree_body_id id = {0, 0};
    scree_body_def body = *def;
    r->added++;
    if (r->v->seed)
        shift(r, &body);
    if (!r->status)
        works(r, scree_world_add_body(r->world, &body, &id), "body");
    return id;
}

scree_wall_id rig_plane(rig *r, scree_material_id material, double x, double y, double z, double nx,
                        double ny, double nz)
{
    scree_wall_id id = {0, 0};
    scree_wall_def def = scree_default_wall_def();
    def.material = material;
    def.point[0] = x;
    def.point[1] = y;
    def.point[2] = z;
    def.normal[0] = nx;
    def.normal[1] = ny;
    def.normal[2] = nz;
    if (!r->status)
        works(r, scree_world_add_wall(r->world, &def, &id), "wall");
    return id;
}

void rig_box(rig *r, scree_material_id material, const double lower[3], const double upper[3],
             int dimensions)
{
    for (int a = 0; a < dimensions; a++) {
        double n[3] = {0, 0, 0};
        n[a] = 1;
        rig_plane(r, material, lower[0], lower[1], dimensions == 3 ? lower[2] : 0, n[0], n[1],
                  n[2]);
        rig_plane(r, material, upper[0], upper[1], dimensions == 3 ? upper[2] : 0, -n[0], -n[1],
                  -n[2]);
    }
}

bool rig_step(rig *r, uint64_t count)
{
    return !r->status && works(r, scree_world_step(r->world, count), "step");
}

scree_body rig_body(rig *r, scree_body_id id)
{
    scree_body body;
    memset(&body, 0, sizeof body);
    if (!r->status)
        works(r, scree_world_get_body(r->world, id, &body), "body");
    return body;
}

void rig_set(rig *r, scree_body_id id, const scree_body *body)
{
    if (!r->status)
        works(r, scree_world_set_body(r->world, id, body), "change of body");
}

scree_wall rig_wall(rig *r, scree_wall_id id)
{
    scree_wall wall;
    memset(&wall, 0, sizeof wall);
    if (!r->status)
        works(r, scree_world_get_wall(r->world, id, &wall), "wall");
    return wall;
}

double rig_time(const rig *r)
{
    return r->world ? scree_world_clock(r->world).time : 0;
}

double rig_motion(const rig *r)
{
    if (!r->world)
        return 0;
    scree_energy energy = scree_world_energy(r->world);
    return energy.kinetic + energy.rotational;
}
