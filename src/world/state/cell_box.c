/*  Geometry of the cell, and the velocity differences across its periodic boundaries. */
#include "world/state/cell_box.h"

#include <string.h>

void scree_domain_measure(scree_domain *domain, const scree_world_def *def)
{
    for (int k = 0; k < 3; k++)
        domain->period[k] = def->domain.boundary[k] == SCREE_BOUNDARY_PERIODIC
                                ? domain->upper[k] - domain->lower[k]
                                : 0;
    domain->is_tilted = domain->tilt[0] != 0 || domain->tilt[1] != 0 || domain->tilt[2] != 0;
}

void scree_strain_init(scree_strain *strain, const scree_world_def *def)
{
    memset(strain, 0, sizeof *strain);
    for (int k = 0; k < 3; k++) {
        strain->now.lower[k] =
            def->domain.boundary[k] == SCREE_BOUNDARY_NONE ? 0 : def->domain.lower[k];
        strain->now.upper[k] =
            def->domain.boundary[k] == SCREE_BOUNDARY_NONE ? 0 : def->domain.upper[k];
    }
    scree_domain_measure(&strain->now, def);
    strain->next = strain->shown = strain->now;
}

scree_packed_cell scree_strain_pack(const scree_strain *strain)
{
    scree_packed_cell cell = {.homogeneous = strain->homogeneous};

    memcpy(cell.lower, strain->now.lower, sizeof cell.lower);
    memcpy(cell.upper, strain->now.upper, sizeof cell.upper);
    memcpy(cell.tilt, strain->now.tilt, sizeof cell.tilt);
    memcpy(cell.gradient, strain->gradient, sizeof cell.gradient);
    return cell;
}

void scree_strain_speed(const scree_strain *strain, const scree_domain *domain, const double n[3],
                        double speed[3])
{
    double vector[3];

    scree_domain_vector(domain, n, vector);
    scree_gradient_apply(strain->gradient, vector, speed);
}

void scree_strain_image_speed(const scree_strain *strain, const scree_body_arrays *bodies,
                              uint32_t first, uint32_t second, double speed[3])
{
    const double(*place)[4] = (const double(*)[4])bodies->position;
    double step[3], n[3];

    for (int k = 0; k < 3; k++)
        speed[k] = 0;
    if (!strain->is_moving)
        return;
    scree_domain_step(&strain->next, place[first], place[second], step, n);
    scree_strain_speed(strain, &strain->next, n, speed);
    for (int k = 0; k < 3; k++)
        speed[k] = -speed[k];
}

void scree_strain_drift(const scree_strain *strain, double drift[3])
{
    const scree_domain *to = &strain->next, *from = &strain->shown;
    double more[6];

    for (int k = 0; k < 3; k++) {
        more[k] = to->period[k] - from->period[k];
        more[3 + k] = to->tilt[k] - from->tilt[k];
    }
    drift[0] = fabs(more[0]);
    drift[1] = sqrt(more[1] * more[1] + more[3] * more[3]);
    drift[2] = sqrt(more[2] * more[2] + more[4] * more[4] + more[5] * more[5]);
}
