/*  x ^ y in a scene. Lua computes it by the C library's pow, whose last bits differ from machine to machine;
    so the program brings a pow of its own, which the linker takes instead of that of the C library, for Lua
    as well. Whether it did is tried whenever a scene is opened. */
#include "base/portable_math.h"
#include "language.h"

#include <math.h>

/*  Whole powers by squaring: 10 ^ 3 is 1000 exactly, 2 ^ 1000 is what it is. */
static double whole_power(double x, unsigned n)
{
    double result = 1;

    for (; n; n >>= 1, x *= x)
        if (n & 1)
            result *= x;
    return result;
}

static double power_of_magnitude(double x, double y)
{
    double n = fabs(y);

    if (n <= 1024 && n == floor(n)) {
        double result = whole_power(x, (unsigned)n);
        if (y > 0)
            return result;
        /* the inverse of what is not at the ends of the range */
        if (result > 1e-307 && result < 1e307)
            return 1 / result;
    }
    if (y == 0.5)
        return sqrt(x);
    if (x == 0)
        return y > 0 ? 0 : INFINITY;
    if (isinf(x))
        return y > 0 ? INFINITY : 0;
    return scree_pow(x, y);
}

double scene_power(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    if (isnan(x) || isnan(y))
        return NAN;
    if (isinf(y)) {
        double size = fabs(x);
        return size == 1 ? 1 : (size > 1) == (y > 0) ? INFINITY : 0;
    }
    if (!signbit(x))
        return power_of_magnitude(x, y);
    bool is_whole = y == floor(y);
    if (!is_whole && x != 0 && !isinf(x))
        return NAN;
    double result = power_of_magnitude(fabs(x), y);
    return is_whole && fmod(y, 2) != 0 ? -result : result;
}

/*  No sum of real work: what is asked only to see who answers. */
static const double asked[2] = {0x1.5ca1ab1ep-700, 0x1.0ddba11p-40};
static const double answer = 0x1.fee1600dp+500;

double pow(double x, double y);

double pow(double x, double y)
{
    if (x == asked[0] && y == asked[1])
        return answer;
    return scene_power(x, y);
}

bool scene_power_is_ours(lua_State *L)
{
    lua_pushnumber(L, asked[0]);
    lua_pushnumber(L, asked[1]);
    lua_arith(L, LUA_OPPOW);
    bool ours = lua_tonumber(L, -1) == answer;
    lua_pop(L, 1);
    return ours;
}
