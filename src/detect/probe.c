/*  The slab test of a ray and a box. */
#include "detect/probe.h"

bool scree_probe_enters(const scree_probe *probe, const scree_box *box, double *t)
{
    double enter = 0, leave = probe->t_max;
    for (int k = 0; k < 3; k++) {
        double o = probe->origin[k], d = probe->direction[k];
        if (d == 0) {
            if (o < box->lower[k] || o > box->upper[k])
                return false;
            continue;
        }
        double near = ((d > 0 ? box->lower[k] : box->upper[k]) - o) / d;
        double far = ((d > 0 ? box->upper[k] : box->lower[k]) - o) / d;
        if (near > enter)
            enter = near;
        if (far < leave)
            leave = far;
    }
    *t = enter;
    return enter <= leave;
}
