/*  Laws that stick and bind, against formulas: the short form of `./do validate`. */
#include "short.h"

TEST(adhesion)
{
    check_short_form(validate_adhesion);
}

TEST(fluid)
{
    check_short_form(validate_fluid);
}

TEST(heat)
{
    check_short_form(validate_heat);
}

TEST(bonds)
{
    check_short_form(validate_bonds);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(adhesion),
        CASE(heat),
        CASE(fluid),
        CASE(bonds),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
