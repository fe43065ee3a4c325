/*  Impacts with known outcome: the short form of `./do validate`. */
#include "short.h"

TEST(hertz_impact)
{
    check_short_form(validate_hertz_impact);
}

TEST(restitution)
{
    check_short_form(validate_restitution);
}

TEST(oblique_impact)
{
    check_short_form(validate_oblique_impact);
}

TEST(oblique_dimensionless)
{
    check_short_form(validate_oblique_dimensionless);
}

TEST(spin)
{
    check_short_form(validate_spin);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(hertz_impact),          CASE(restitution), CASE(oblique_impact),
        CASE(oblique_dimensionless), CASE(spin),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
