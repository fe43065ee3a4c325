/*  Contact points of two blocks in the world. */
#include "narrow/block_contact.h"

#include <math.h>
#include <string.h>

static scree_block_view view_of(const scree_convex *convex)
{
    return (scree_block_view){convex->corner_count,
                              convex->face_count,
                              convex->edge_count,
                              (const double(*)[3])convex->corner,
                              (const double(*)[4])convex->face,
                              (const double(*)[3])convex->along,
                              convex->edge,
                              &convex->columns,
                              convex->is_flat};
}

/* ---- the second in the frame of the first ---- */

typedef struct relative_pose
{
    double turn[3][3], place[3];
} relative_pose;

static relative_pose pose_between(const scree_mesh_pose *first, const scree_mesh_pose *second)
{
    relative_pose r = {.place = {0}};

    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            r.place[k] += first->turn[i][k] * (second->place[i] - first->place[i]);
            for (int j = 0; j < 3; j++)
                r.turn[k][j] += first->turn[i][k] * second->turn[i][j];
        }
    return r;
}

static void turn_way(const double turn[3][3], const double way[3], double turned[3])
{
    for (int k = 0; k < 3; k++)
        turned[k] = scree_dot(turn[k], way);
}

static void turn_columns(const scree_block_kernels *kernels, const scree_convex *convex,
                         const relative_pose *pose, const scree_convex_columns *turned)
{
    const scree_convex_columns *from = &convex->columns;
    const double no_shift[3] = {0, 0, 0};
    double *const *face = turned->face;

    kernels->turn(from->corner, from->corners, pose->turn, pose->place, turned->corner);
    kernels->turn(from->along, from->edges, pose->turn, no_shift, turned->along);
    kernels->turn(from->face, from->faces, pose->turn, no_shift, turned->face);
    kernels->heights(face, from->faces, pose->place, face[3]);
    for (uint32_t f = 0; f < from->faces; f++)
        face[3][f] += from->face[3][f];
}

static void take_row(double *const *column, uint32_t row, double *numbers, int width)
{
    for (int k = 0; k < width; k++)
        numbers[k] = column[k][row];
}

static scree_status bring_second(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_body bodies[2], scree_block_view *view)
{
    const scree_convex *convex = bodies[1].convex;
    const relative_pose pose = pose_between(&bodies[0].pose, &bodies[1].pose);

    if (scree_memory_reserve(memory, &work->corner, &work->corner_capacity, convex->corner_count,
                             sizeof *work->corner) ||
        scree_memory_reserve(memory, &work->face, &work->face_capacity, convex->face_count,
                             sizeof *work->face) ||
        scree_memory_reserve(memory, &work->along, &work->along_capacity, convex->edge_count,
                             sizeof *work->along) ||
        scree_convex_columns_reserve(&work->columns, convex, memory))
        return SCREE_OUT_OF_MEMORY;
    turn_columns(&scree_block_kernels_of[work->simd], convex, &pose, &work->columns);
    for (uint32_t c = 0; c < convex->corner_count; c++)
        take_row(work->columns.corner, c, work->corner[c], 3);
    for (uint32_t f = 0; f < convex->face_count; f++)
        take_row(work->columns.face, f, work->face[f], 4);
    for (uint32_t e = 0; e < convex->edge_count; e++)
        take_row(work->columns.along, e, work->along[e], 3);
    *view = view_of(convex);
    view->columns = &work->columns;
    view->corner = (const double(*)[3])work->corner;
    view->face = (const double(*)[4])work->face;
    view->along = (const double(*)[3])work->along;
    return SCREE_OK;
}

static void bring_back(scree_block_contact *work, const scree_mesh_pose *pose,
                       const double normal[3])
{
    turn_way(pose->turn, normal, work->normal);
    for (size_t n = 0; n < work->count; n++)
        for (int which = 0; which < 2; which++) {
            double *at = work->points[n].point[which];
            const double local[3] = {at[0], at[1], at[2]};
            scree_mesh_place(pose, local, at);
        }
}

/* ---- two blocks ---- */

/*  In grains. */
#define ALL_BUT_TOUCHING 1000

/*  For blocks so near that a point which is outside the other by less than a grain proves nothing. */
static double find_axis(const scree_block_view view[2], double best, double grain,
                        scree_block_axis *axis)
{
    scree_block_axis other = *axis;
    double distance = scree_block_part_surely(view, best, grain, &other);

    if (!(distance > best + SCREE_BLOCK_PROOF * grain))
        return best;
    *axis = other;
    return distance;
}

/*  Used if no point is as near as the axis says: either the blocks are separated and their nearest points are needed,
    or rounding has lost a point. */
static scree_status find_nearest(scree_block_contact *work, scree_memory *memory,
                                 const scree_block_view view[2], double reach, double grain,
                                 scree_block_axis *axis)
{
    if (work->distance > 0) {
        double best = work->distance, normal[3];
        memcpy(normal, axis->normal, sizeof normal);
        bool is_sure = scree_block_distance(&scree_block_kernels_of[work->simd], view, work->side,
                                            grain, &work->distance, normal);
        if (is_sure && scree_block_overlay(work, memory, view, normal, reach, grain))
            return SCREE_OUT_OF_MEMORY;
        if (is_sure && (work->distance >= reach ||
                        scree_block_check(work, view, normal, work->distance, reach, grain))) {
            memcpy(axis->normal, normal, sizeof normal);
            return SCREE_OK;
        }
        work->distance = scree_block_part_surely(view, best, grain, axis);
        if (scree_block_overlay(work, memory, view, axis->normal, reach, grain))
            return SCREE_OUT_OF_MEMORY;
    }
    if (work->distance >= reach)
        work->count = 0;
    if (work->distance >= reach ||
        scree_block_check(work, view, axis->normal, work->distance, reach, grain))
        return SCREE_OK;
    return scree_block_push_nearest(work, memory, view, axis, work->distance);
}

scree_status scree_block_find(scree_block_contact *work, scree_memory *memory,
                              const scree_block_body bodies[2], double reach, double spread)
{
    scree_block_view view[2];
    double grain = SCREE_CONVEX_GRAIN * (bodies[0].convex->size + bodies[1].convex->size);
    scree_block_axis axis = {{0, 0, 0}, SCREE_FEATURE_FIRST, {0, 0}};
    bool is_beside = false;

    work->count = 0;
    view[0] = view_of(bodies[0].convex);
    if (bring_second(work, memory, bodies, &view[1]) ||
        scree_block_reserve_outlook(&work->side[0], memory, &view[0]) ||
        scree_block_reserve_outlook(&work->side[1], memory, &view[1]))
        return SCREE_OUT_OF_MEMORY;
    work->distance =
        scree_block_separation(&scree_block_kernels_of[work->simd], view, work->side, reach, &axis);
    if (work->distance > 0 && work->distance < ALL_BUT_TOUCHING * grain)
        work->distance = find_axis(view, work->distance, grain, &axis);
    else if (work->distance > 0 && work->distance < reach)
        is_beside = scree_block_is_beside(&scree_block_kernels_of[work->simd], view, work->side,
                                          &axis, work->distance, grain);
    if (work->distance >= reach)
        return SCREE_OK;
    if (!is_beside && scree_block_overlay(work, memory, view, axis.normal, reach, grain))
        return SCREE_OUT_OF_MEMORY;
    if ((is_beside || !scree_block_check(work, view, axis.normal, work->distance, reach, grain)) &&
        find_nearest(work, memory, view, reach, grain, &axis))
        return SCREE_OUT_OF_MEMORY;
    scree_block_weigh(work, reach, spread, grain);
    bring_back(work, &bodies[0].pose, axis.normal);
    return SCREE_OK;
}

/* ---- a plane ---- */

scree_status scree_block_find_plane(scree_block_contact *work, scree_memory *memory,
                                    const scree_block_body *body, const double point[3],
                                    const double normal[3], double reach, double spread)
{
    const scree_convex *convex = body->convex;

    work->count = 0;
    work->distance = INFINITY;
    for (uint32_t c = 0; c < convex->corner_count; c++) {
        scree_block_point p = {.kind = SCREE_FEATURE_FIRST, .id = {c, 0}, .share = 1};
        scree_mesh_place(&body->pose, convex->corner[c], p.point[0]);
        for (int k = 0; k < 3; k++)
            p.gap += normal[k] * (p.point[0][k] - point[k]);
        work->distance = p.gap < work->distance ? p.gap : work->distance;
        if (!(p.gap < reach))
            continue;
        for (int k = 0; k < 3; k++)
            p.point[1][k] = p.point[0][k] - p.gap * normal[k];
        if (scree_memory_reserve(memory, &work->points, &work->capacity, work->count + 1,
                                 sizeof *work->points))
            return SCREE_OUT_OF_MEMORY;
        work->points[work->count++] = p;
    }
    for (int k = 0; k < 3; k++)
        work->normal[k] = -normal[k];
    scree_block_weigh(work, reach, spread, SCREE_CONVEX_GRAIN * convex->size);
    return SCREE_OK;
}

void scree_block_contact_free(scree_block_contact *work, scree_memory *memory)
{
    scree_memory_give(memory, &work->points, work->capacity, sizeof *work->points);
    scree_memory_give(memory, &work->corner, work->corner_capacity, sizeof *work->corner);
    scree_memory_give(memory, &work->face, work->face_capacity, sizeof *work->face);
    scree_memory_give(memory, &work->along, work->along_capacity, sizeof *work->along);
    scree_convex_columns_free(&work->columns, memory);
    for (int k = 0; k < 2; k++) {
        scree_block_outlook *look = &work->side[k];
        scree_memory_give(memory, &look->numbers, look->number_capacity, sizeof *look->numbers);
        scree_memory_give(memory, &look->words, look->word_capacity, sizeof *look->words);
    }
    memset(work, 0, sizeof *work);
}
