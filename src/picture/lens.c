/*  A fitted camera is as near as possible with all corners of a box on the screen. Each corner requires some room on
    each side at its own depth. In view space that is linear in the position of the eye, so the largest requirements of
    both sides give position and distance directly. */
#include "picture/lens.h"

#include "base/error.h"
#include "base/portable_math.h"

#include <math.h>
#include <string.h>

#define MARGIN 0.06  /* of the screen, left free on each side */
#define BAR_ROOM 0.1 /* and for the colour bar */

bool scree_view_normalise(double v[3])
{
    double largest = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2])), length;
    if (!(largest > 0 && largest < INFINITY))
        return false;
    for (int k = 0; k < 3; k++)
        v[k] /= largest;
    length = scree_length(v);
    for (int k = 0; k < 3; k++)
        v[k] /= length;
    return true;
}

void scree_lens_direction(const scree_lens *lens, const double direction[3], double view[3])
{
    for (int k = 0; k < 3; k++)
        view[k] = scree_dot(direction, lens->axis[k]);
}

void scree_lens_point(const scree_lens *lens, const double point[3], double view[3])
{
    double from[3];
    for (int k = 0; k < 3; k++)
        from[k] = (point[k] - lens->eye[k]) / lens->unit;
    scree_lens_direction(lens, from, view);
}

/*  Right and up from the viewing direction. Returns false if `up` is parallel to it. */
static bool set_axes(scree_lens *lens, const double away[3], const double up[3])
{
    memcpy(lens->axis[2], away, sizeof lens->axis[2]);
    if (!scree_view_normalise(lens->axis[2]))
        return false;
    double straight[3] = {up[0], up[1], up[2]};
    if (!scree_view_normalise(straight))
        return false;
    scree_cross(lens->axis[2], straight, lens->axis[0]);
    if (!(scree_dot(lens->axis[0], lens->axis[0]) > 1e-12) || !scree_view_normalise(lens->axis[0]))
        return false;
    scree_cross(lens->axis[0], lens->axis[2], lens->axis[1]);
    return true;
}

/*  Half of the screen's height at distance 1. */
static void set_screen(scree_lens *lens, const scree_picture_def *def, double half)
{
    lens->step = 2 * half / def->height;
    lens->left = -0.5 * lens->step * def->width;
    lens->top = half;
}

static double tangent(double angle)
{
    double sine, cosine;
    scree_sin_cos(angle, &sine, &cosine);
    return sine / cosine;
}

static scree_status place(scree_lens *lens, const scree_picture_def *def, scree_error *error)
{
    const scree_picture_camera *camera = &def->camera;
    double away[3];
    for (int k = 0; k < 3; k++)
        away[k] = camera->target[k] - camera->eye[k];
    if (!set_axes(lens, away, camera->up))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "picture def: camera.eye and camera.target must differ, and camera.up "
                          "must not lie along the view");
    lens->orthographic = camera->projection == SCREE_PICTURE_ORTHOGRAPHIC;
    memcpy(lens->eye, camera->eye, sizeof lens->eye);
    lens->unit = fabs(scree_dot(away, lens->axis[2]));
    if (lens->orthographic)
        set_screen(lens, def, 0.5 * camera->height / lens->unit);
    else
        set_screen(lens, def, tangent(0.5 * camera->angle));
    return SCREE_OK;
}

/*  Requirements of the corners along an axis of the screen, which extends from -before to after at distance 1:
    distance, and the position of the middle. */
typedef struct demand
{
    double away, low, high; /* the middle may be between these at that distance */
} demand;

static demand fit_axis(double corner[8][3], int axis, bool flat, double before, double after)
{
    demand d;
    double right = -INFINITY, left = -INFINITY;
    for (int i = 0; i < 8; i++) {
        double z = flat ? 0 : corner[i][2];
        right = fmax(right, corner[i][axis] - after * z);
        left = fmax(left, -corner[i][axis] - before * z);
    }
    d.away = (right + left) / (before + after);
    d.low = right;
    d.high = left;
    return d;
}

static double middle(const demand *d, double away, double before, double after)
{
    double least = d->low - after * away, most = before * away - d->high;
    return 0.5 * (least + most);
}

static void fit(scree_lens *lens, const scree_picture_def *def, const double lower[3],
                const double upper[3])
{
    double size = 0, corner[8][3], centre[3];
    bool flat = lens->orthographic;
    for (int k = 0; k < 3; k++) {
        size = fmax(size, upper[k] - lower[k]);
        centre[k] = lower[k] + 0.5 * (upper[k] - lower[k]);
    }
    lens->unit = size > 0 ? size : 1;
    for (int i = 0; i < 8; i++) {
        double from[3];
        for (int k = 0; k < 3; k++)
            from[k] = ((i >> k & 1 ? upper[k] : lower[k]) - centre[k]) / lens->unit;
        scree_lens_direction(lens, from, corner[i]);
    }
    double half = flat ? 1 : tangent(0.5 * def->camera.angle);
    double wide = half * def->width / def->height, bar = def->colour_bar ? BAR_ROOM : 0;
    double up = half * (1 - 2 * MARGIN), left = wide * (1 - 2 * MARGIN),
           right = wide * (1 - 2 * (MARGIN + bar));
    demand x = fit_axis(corner, 0, flat, left, right), y = fit_axis(corner, 1, flat, up, up);
    double away = fmax(x.away, y.away);
    double dx = middle(&x, away, left, right), dy = middle(&y, away, up, up);
    away = fmax(away, 1e-9) / def->camera.zoom;
    /* orthographic: the distance is half of the screen's height, and the eye is far back */
    double back = flat ? 3 : away;
    for (int k = 0; k < 3; k++)
        lens->eye[k] = centre[k] + lens->unit * (lens->axis[0][k] * dx + lens->axis[1][k] * dy -
                                                 lens->axis[2][k] * back);
    lens->unit *= back;
    set_screen(lens, def, flat ? away / back : half);
}

scree_status scree_lens_set(scree_lens *lens, const scree_picture_def *def, int dimensions,
                            const double sky[3], const double lower[3], const double upper[3],
                            scree_error *error)
{
    scree_picture_def as_seen = *def;
    const double above[3] = {0, 0, 1}, north[3] = {0, 1, 0}, down[3] = {0, 0, -1};
    scree_status status = SCREE_OK;

    memset(lens, 0, sizeof *lens);
    if (dimensions == 2) {
        scree_picture_camera *camera = &as_seen.camera;
        camera->projection = SCREE_PICTURE_ORTHOGRAPHIC;
        memcpy(camera->up, north, sizeof north);
        memcpy(camera->eye, camera->target, sizeof camera->eye);
        camera->eye[2] = camera->target[2] + camera->height;
    }
    if (as_seen.camera.placed) {
        status = place(lens, &as_seen, error);
    } else {
        double st, ct, sr, cr;
        scree_sin_cos(def->camera.turn, &st, &ct);
        scree_sin_cos(def->camera.rise, &sr, &cr);
        const double away[3] = {-st * cr, ct * cr, -sr}, steep[3] = {-st, ct, 0};
        lens->orthographic = as_seen.camera.projection == SCREE_PICTURE_ORTHOGRAPHIC;
        if (dimensions == 2)
            set_axes(lens, down, north);
        else if (!set_axes(lens, away, above))
            set_axes(lens, away, steep); /* vertical view */
        fit(lens, &as_seen, lower, upper);
    }
    scree_lens_direction(lens, sky, lens->sky);
    return status;
}
