#include "bulk.h"
#include "reference.h"

#include <math.h>
#include <string.h>

#define SIDES 100
#define POINTS 4

static void add_pair(rig *r, scree_material_id a, scree_material_id b, double restitution,
                     double friction)
{
    static const char *const names[] = {"restitution", "friction"};
    const double values[] = {restitution, friction};
    scree_rule_def rule = scree_default_rule_def();
    rule.material[0] = a;
    rule.material[1] = b;
    rule.names = names;
    rule.values = values;
    rule.value_count = 2;
    if (!r->status && (r->status = scree_world_add_rule(r->world, &rule)) != SCREE_OK)
        snprintf(r->why, sizeof r->why, "rule: %.200s", scree_world_message(r->world));
}

void bulk_materials(rig *r, double softer, scree_material_id id[BULK_KINDS])
{
    static const double density[] = {2500, 2000, 7200}, young[] = {1e9, 0.5e9, 210e9};
    for (int k = 0; k < BULK_KINDS; k++) {
        scree_material_def material =
            rig_elastic(density[k], k == BULK_STEEL ? young[k] : young[k] / softer, 0.2);
        id[k] = rig_material(r, &material);
    }
    add_pair(r, id[BULK_M1], id[BULK_M1], 0.5, 0.3);
    add_pair(r, id[BULK_M1], id[BULK_M2], 0.45, 0.2);
    add_pair(r, id[BULK_M2], id[BULK_M2], 0.4, 0.4);
    add_pair(r, id[BULK_M1], id[BULK_STEEL], 0.4, 0.2);
    add_pair(r, id[BULK_M2], id[BULK_STEEL], 0.4, 0.2);
    add_pair(r, id[BULK_STEEL], id[BULK_STEEL], 0.6, 0.5);
}

scree_mesh *bulk_turned(const double (*profile)[2], uint32_t points)
{
    static double vertices[POINTS * SIDES * 3];
    static uint32_t facets[(POINTS - 1) * SIDES * 6];
    uint32_t f = 0;
    for (uint32_t ring = 0; ring < points; ring++)
        for (uint32_t k = 0; k < SIDES; k++) {
            double *at = vertices + 3 * (ring * SIDES + k), angle = 2 * VALIDATION_PI * k / SIDES;
            at[0] = profile[ring][0] * cos(angle);
            at[1] = profile[ring][0] * sin(angle);
            at[2] = profile[ring][1];
        }
    for (uint32_t ring = 0; ring + 1 < points; ring++)
        for (uint32_t k = 0; k < SIDES; k++) {
            uint32_t a = ring * SIDES + k, b = ring * SIDES + (k + 1) % SIDES;
            const uint32_t two[6] = {a, b, a + SIDES, b, b + SIDES, a + SIDES};
            memcpy(facets + f, two, sizeof two);
            f += 6;
        }
    scree_mesh_def def = scree_default_mesh_def();
    scree_mesh *mesh = NULL;
    def.vertices = vertices;
    def.vertex_count = points * SIDES;
    def.facets = facets;
    def.facet_count = f / 3;
    return scree_mesh_create(&def, &mesh) ? NULL : mesh;
}

scree_wall_id bulk_shell(rig *r, scree_mesh *mesh, scree_material_id steel, const double turn[4])
{
    scree_wall_def def = scree_default_wall_def();
    scree_wall_id id = {0, 0};
    def.kind = SCREE_WALL_MESH;
    def.mesh = mesh;
    def.material = steel;
    if (turn)
        memcpy(def.orientation, turn, sizeof def.orientation);
    if (!r->status && (r->status = scree_world_add_wall(r->world, &def, &id)) != SCREE_OK)
        snprintf(r->why, sizeof r->why, "wall: %.200s", scree_world_message(r->world));
    scree_mesh_destroy(mesh);
    return id;
}
