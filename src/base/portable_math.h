/*  Functions that libm computes differently from machine to machine, built from + - * / and sqrt,
    which IEEE 754 defines to the last bit. Accurate to a few units in the last place. */
#ifndef SCREE_PORTABLE_MATH_H
#define SCREE_PORTABLE_MATH_H

/*  0 below the smallest number, infinity above the largest, NaN for NaN. */
double scree_exp(double x);

/*  Natural logarithm: minus infinity at 0, NaN below and for NaN. */
double scree_ln(double x);

/*  exp(y ln x), 1 where y is 0 or x is 1, NaN for x < 0. Relative error about
    1e-15 (1 + |y ln x|). */
double scree_pow(double x, double y);

/*  Cube root, odd in x; within two units in the last place. */
double scree_cube_root(double x);

/*  Sine and cosine of an angle in radians of any size. NaN for NaN and infinity. */
double scree_sin(double x);
double scree_cos(double x);
void scree_sin_cos(double x, double *sine, double *cosine);

/*  Arc tangent, from -pi/2 to pi/2; NaN for NaN. */
double scree_atan(double x);

#endif
