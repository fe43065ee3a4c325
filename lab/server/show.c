/*  Frames for the thread of the server: the newest point cloud of the bodies, taken if a page wants one. */
#include "lab_internal.h"

#include <stdlib.h>

void scree_lab_want(scree_lab *lab)
{
    pthread_mutex_lock(&lab->lock);
    lab->wants = lab->is_looked_at = true;
    pthread_cond_signal(&lab->news);
    pthread_mutex_unlock(&lab->lock);
}

bool scree_lab_take(scree_lab *lab, scree_lab_cloud *cloud)
{
    pthread_mutex_lock(&lab->lock);
    bool has = lab->has_ready;
    if (has) {
        scree_lab_cloud newest = lab->ready;
        lab->ready = *cloud;
        *cloud = newest;
        lab->has_ready = false;
    }
    pthread_mutex_unlock(&lab->lock);
    return has;
}

/*  Sent before the cloud that refers to them. If shapes appear one by one they are not sent each time, so a page may
    show a ball for a moment; the cost is at most a fifth of the time. */
static void tell_shapes(scree_lab *lab)
{
    double begin = scree_lab_now();
    uint8_t *bytes;
    size_t count;

    if (!lab->shapes.is_untold || begin < lab->shapes_due ||
        scree_lab_shapes_write(&lab->shapes, lab->epoch, &bytes, &count))
        return;
    scree_lab_post(lab, SCREE_LAB_SHAPES, SCREE_LAB_EVERYBODY, false, bytes, count);
    lab->shapes_due = begin + 5 * (scree_lab_now() - begin);
}

void scree_lab_show(scree_lab *lab)
{
    pthread_mutex_lock(&lab->lock);
    bool wants = lab->wants;
    pthread_mutex_unlock(&lab->lock);
    if (!wants || !lab->has_changed)
        return;
    scree_lab_cloud *cloud = &lab->cloud;
    cloud->epoch = lab->epoch;
    cloud->dimensions = scree_scene_plan_of(lab->scene)->world.dimensions;
    cloud->grain = lab->grain;
    cloud->field = lab->field;
    if (!scree_lab_pose_walls(lab, cloud) || scree_lab_cloud_take(cloud, lab->world, lab->upper) ||
        scree_lab_shapes_take(&lab->shapes, lab->world, cloud))
        return;
    tell_shapes(lab);
    scree_lab_tell_lines(lab);
    lab->upper = cloud->upper;
    /* delayed shapes are sent with another cloud, even if nothing has moved */
    lab->has_changed = lab->shapes.is_untold;
    pthread_mutex_lock(&lab->lock);
    scree_lab_cloud spare = lab->ready;
    lab->ready = *cloud;
    *cloud = spare;
    lab->has_ready = true;
    lab->wants = false;
    pthread_mutex_unlock(&lab->lock);
    lab->def.wake(lab->def.user);
}
