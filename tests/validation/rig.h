/*  A world under test, with less to write: after the first call that fails the others do nothing, and closing
    the rig puts the message in the report. Built on the public interface alone. */
#ifndef SCREE_VALIDATION_RIG_H
#define SCREE_VALIDATION_RIG_H

#include "report.h"
#include "scree/wall.h"
#include "scree/world.h"

typedef struct rig
{
    validation *v;
    scree_world *world;
    scree_status status;
    char why[300];
    uint64_t added; /* bodies */
} rig;

/*  No gravity, 3D, the given step; change what it returns. */
scree_world_def rig_def(double dt);
rig rig_open(validation *v, const scree_world_def *def);
void rig_close(rig *r);

scree_material_def rig_elastic(double density, double young, double poisson);
scree_material_id rig_material(rig *r, const scree_material_def *def);
/*  One law for all contacts; one of its parameters may be given, else `name` is NULL. */
void rig_law(rig *r, const char *law, const char *name, double value);
/*  A sphere at rest, to be changed and added. */
scree_body_def rig_sphere(scree_material_id material, double radius, double x, double y, double z);
scree_body_id rig_add(rig *r, const scree_body_def *def);
scree_wall_id rig_plane(rig *r, scree_material_id material, double x, double y, double z, double nx,
                        double ny, double nz);
/*  Six planes (four in 2D) that look inwards. */
void rig_box(rig *r, scree_material_id material, const double lower[3], const double upper[3],
             int dimensions);

bool rig_step(rig *r, uint64_t count);
/*  All zero where the rig has failed. */
scree_body rig_body(rig *r, scree_body_id id);
void rig_set(rig *r, scree_body_id id, const scree_body *body);
scree_wall rig_wall(rig *r, scree_wall_id id);
double rig_time(const rig *r);
/*  kinetic + rotational */
double rig_motion(const rig *r);

#endif
