/*  The camera of a picture. View space has its origin in the eye, x to the right, y up, z away, and a unit in which the
    subject is about 1 away. A point of the screen is (x, y): perspective rays are along (x, y, 1) from the origin,
    orthographic ones along (0, 0, 1) from (x, y, 0). */
#ifndef SCREE_LENS_H
#define SCREE_LENS_H

#include "scree/picture.h"

#include "base/vector.h"

typedef struct scree_lens
{
    bool orthographic;
    double eye[3], axis[3][3]; /* right, up, away: unit vectors in the world */
    double unit;               /* length of a unit, m */
    double step;               /* pixel size on the screen */
    double left, top;          /* the screen's upper left corner */
    double sky[3];             /* the world's upward direction, in view space */
} scree_lens;

/*  From the camera, or fitted to the box; with `has_bar` the right edge is left free for the colour bar. `dimensions`
    2 views from above. SCREE_BAD_ARGUMENT, SCREE_BAD_VALUE. */
scree_status scree_lens_set(scree_lens *lens, const scree_picture_def *def, int dimensions,
                            const double sky[3], const double lower[3], const double upper[3],
                            scree_error *error);

void scree_lens_point(const scree_lens *lens, const double point[3], double view[3]);
void scree_lens_direction(const scree_lens *lens, const double direction[3], double view[3]);

static inline double scree_lens_x(const scree_lens *lens, double pixel)
{
    return lens->left + pixel * lens->step;
}

static inline double scree_lens_y(const scree_lens *lens, double pixel)
{
    return lens->top - pixel * lens->step;
}

/*  Returns false if the vector has no direction. */
bool scree_view_normalise(double v[3]);

#endif
