/*  x ^ y in scenes. Lua uses the C library's pow, whose last bits differ between machines. So the program defines
    its own pow, which the linker uses instead of that of the C library, in Lua, too. Each time a scene is opened, a
    test checks that this worked. */
#include "base/portable_math.h"
#include "language.h"

#include <math.h>

/*  Integer powers by repeated squaring: 10 ^ 3 is exactly 1000. */
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
        /* the inverse is accurate unless it is near the ends of the range */
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

/*  Arguments that no real computation uses: they only identify which pow is called. */
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
