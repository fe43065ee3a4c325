/*  A body removed is the one put in next, so it gets its id again, and rows stay ids. */
#include "claims/churn.h"

#include "measure/measure.h"

#include "base/error.h"
#include "base/random.h"

static scree_status churn(scree_detector *detector, scree_scene *scene, size_t operations,
                          uint64_t seed, double *ns)
{
    scree_random random = scree_random_stream(seed, (uint64_t)3 << 32);
    double begin = scree_thread_seconds();
    for (size_t k = 0; k < operations / 2; k++) {
        double x[3];
        uint32_t id = scree_random_below(&random, (uint32_t)scene->count);
        for (int axis = 0; axis < 3; axis++)
            x[axis] = scree_random_range(&random, scene->lower[axis], scene->upper[axis]);
        scree_table table = scree_table_spheres(
            1, scree_doubles(&x[0], sizeof *x), scree_doubles(&x[1], sizeof *x),
            scree_doubles(&x[2], sizeof *x), scree_doubles(&scene->radius[id], sizeof *x));
        scree_status status = scree_detector_remove(detector, &id, 1);
        if (status == SCREE_OK)
            status = scree_detector_insert(detector, &table, &id);
        if (status != SCREE_OK)
            return status;
    }
    scree_table table = scree_scene_table(scene);
    scree_status status = scree_detector_update(detector, &table, &(scree_rows){NULL, 0});
    if (status != SCREE_OK)
        return status;
    *ns = (scree_thread_seconds() - begin) * 1e9 / (double)operations;
    return SCREE_OK;
}

scree_status scree_churn_run(const char *method, const char *scene_name, size_t n,
                             size_t operations, uint64_t seed, double *ns, scree_error *error)
{
    scree_scene scene;
    scree_detector *detector = NULL;
    scree_status status = scree_scene_create(scene_name, n, seed, NULL, &scene, error);
    if (status != SCREE_OK)
        return status;
    scree_detector_def def = scree_default_detector_def();
    def.method = method;
    def.error = error;
    scree_table table = scree_scene_table(&scene);
    status = scree_detector_create(&def, &detector);
    if (status == SCREE_OK) {
        status = scree_detector_update(detector, &table, NULL);
        if (status == SCREE_OK)
            status = churn(detector, &scene, operations, seed, ns);
        if (status != SCREE_OK)
            scree_fail(error, status, "%s", scree_detector_message(detector));
    }
    scree_detector_destroy(detector);
    scree_scene_free(&scene);
    return status;
}
