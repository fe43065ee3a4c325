/*  Drag of a sphere in a fluid, as a factor of the velocity difference: formulas and sources are in scree/ambient.h.
    Only functions that are the same on all machines are used. */
#ifndef SCREE_WORLD_DRAG_LAW_H
#define SCREE_WORLD_DRAG_LAW_H

#include "base/portable_math.h"
#include "scree/ambient.h"

#include <math.h>

#define SCREE_DRAG_PI 3.14159265358979323846

/*  Above this void fraction Gidaspow's law is that of Wen and Yu. */
#define SCREE_DRAG_DILUTE 0.8

typedef struct scree_drag_input
{
    double density, viscosity, diameter;
    double speed;         /* |u - v| */
    double void_fraction; /* above 0 to 1 */
} scree_drag_input;

/*  C Re / 24 of Schiller and Naumann: the ratio of drag to that of Stokes. */
static inline double scree_drag_over_stokes(double reynolds)
{
    return reynolds <= 1000 ? 1 + 0.15 * scree_pow(reynolds, 0.687) : 0.44 / 24 * reynolds;
}

/*  C Re of Di Felice's law, which is finite also at rest. */
static inline double scree_drag_of_dallavalle(double reynolds)
{
    double root = 0.63 * sqrt(reynolds) + 4.8;
    return root * root;
}

static inline double scree_drag_di_felice(const scree_drag_input *in, double reynolds)
{
    const double e = in->void_fraction;
    double away = reynolds > 0 ? 1.5 - scree_ln(reynolds) / 2.302585092994046 : 0;
    double power = 3.7 - (reynolds > 0 ? 0.65 * scree_exp(-away * away / 2) : 0);

    return SCREE_DRAG_PI / 8 * in->viscosity * in->diameter * e *
           scree_drag_of_dallavalle(reynolds) * scree_pow(e, -(power + 1));
}

static inline double scree_drag_gidaspow(const scree_drag_input *in, double reynolds)
{
    const double e = in->void_fraction, d = in->diameter;
    double volume = SCREE_DRAG_PI / 6 * d * d * d;

    if (e < SCREE_DRAG_DILUTE)
        return volume / e *
               (150 * (1 - e) * in->viscosity / (e * d * d) + 1.75 * in->density * in->speed / d);
    return 3 * SCREE_DRAG_PI * in->viscosity * d * e * scree_drag_over_stokes(reynolds) *
           scree_pow(e, -4.65);
}

/*  Force over velocity difference, N s/m. */
static inline double scree_drag_factor(scree_drag drag, const scree_drag_input *in)
{
    const double stokes = 3 * SCREE_DRAG_PI * in->viscosity * in->diameter;
    double reynolds;

    if (drag == SCREE_DRAG_NONE)
        return 0;
    if (drag == SCREE_DRAG_STOKES)
        return stokes;
    reynolds = in->density * in->speed * in->diameter / in->viscosity;
    if (drag == SCREE_DRAG_SCHILLER_NAUMANN)
        return stokes * scree_drag_over_stokes(reynolds);
    reynolds *= in->void_fraction;
    return drag == SCREE_DRAG_DI_FELICE ? scree_drag_di_felice(in, reynolds)
                                        : scree_drag_gidaspow(in, reynolds);
}

/*  The derivative of the force with respect to the speed is at most this many times the factor: drag grows at most with
    the square of the speed. */
static inline double scree_drag_steepness(scree_drag drag)
{
    return drag == SCREE_DRAG_STOKES ? 1 : 2;
}

#endif
