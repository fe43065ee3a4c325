/*  Functions that libm computes differently from machine to machine, built from + - * / and sqrt,
    which IEEE 754 defines to the last bit. Accurate to a few units in the last place. */
#ifndef SCREE_PORTABLE_MATH_H
#define SCREE_PORTABLE_MATH_H

double scree_exp(double x); /* 0 below the smallest number, infinity above the largest, NaN for NaN */
double scree_log(double x); /* natural logarithm; -infinity at 0, NaN below and for NaN */
double scree_pow(double x, double y); /* x > 0: exp(y log x), relative error about 1e-15 |y log x| */

#endif
