#include "cases/mesh_case.h"

#include "base/error.h"
#include "measure/measure.h"

#include <math.h>
#include <string.h>

const char *scree_mesh_case_name(size_t number)
{
    return number % 2 ? "bumpy" : "sphere";
}

double scree_mesh_case_gap(size_t number)
{
    static const double gaps[] = {0.005, 0.015, 0.05};
    return gaps[number / 2];
}

void scree_mesh_case_close(scree_mesh_case *c)
{
    if (c->finder.memory)
        scree_mesh_finder_free(&c->finder);
    for (int s = 0; s < 2; s++) {
        if (c->boxes[s].mesh)
            scree_mesh_boxes_free(&c->boxes[s], &c->memory);
        scree_mesh_destroy(c->mesh[s]);
    }
}

static scree_status make_bodies(scree_mesh_case *c, bool bumpy, scree_error *error)
{
    static const double nowhere[3] = {0, 0, 0};
    static const double turns[2][4] = {{0.9, 0.1, 0.3, 0.2}, {0.3, 0.7, -0.2, 0.4}};
    scree_globe_def def = scree_default_globe_def();
    scree_status status;
    def.bumps = bumpy ? 1.4 : 1;
    def.error = error;
    for (int s = 0; s < 2; s++) {
        def.seed = (uint64_t)s + 1;
        if ((status = scree_mesh_globe(&def, &c->mesh[s])))
            return status;
        double begin = scree_thread_seconds();
        if ((status = scree_mesh_boxes_init(&c->boxes[s], c->mesh[s], &c->memory)))
            return status;
        c->build_us = (scree_thread_seconds() - begin) * 1e6;
        c->body[s] = (scree_mesh_body){c->mesh[s], scree_mesh_pose_of(nowhere, turns[s]),
                                       SCREE_MESH_CASE_SKIN, &c->boxes[s], NULL};
    }
    return SCREE_OK;
}

scree_status scree_mesh_set_gap(scree_mesh_finder *finder, scree_mesh_body body[2], double gap,
                                double accuracy)
{
    double near = 0, far = 2;
    scree_mesh_body wide[2] = {body[0], body[1]};
    wide[0].skin = wide[1].skin = gap / 2;
    while (far - near > accuracy) {
        double middle = (near + far) / 2;
        wide[1].pose.place[0] = middle;
        scree_status status = scree_mesh_find_boxes(finder, &wide[0], &wide[1]);
        if (status)
            return status;
        *(finder->contact_count > 0 ? &near : &far) = middle;
    }
    body[1].pose.place[0] = far;
    return SCREE_OK;
}

scree_status scree_mesh_case_open(scree_mesh_case *c, size_t number, scree_error *error)
{
    scree_status status;
    memset(c, 0, sizeof *c);
    scree_memory_init(&c->memory, NULL);
    status = scree_mesh_finder_init(&c->finder, &c->memory, SCREE_SIMD_AUTO);
    if (!status)
        status = make_bodies(c, number % 2, error);
    return status ? status
                  : scree_mesh_set_gap(&c->finder, c->body, scree_mesh_case_gap(number), 1e-9);
}
