/*  Single bodies, integrators and size ratios, with known motion: the short form of `./do validate`. */
#include "short.h"

TEST(single_body)
{
    check_short_form(validate_single_body);
}

TEST(rotation)
{
    check_short_form(validate_rotation);
}

TEST(rolling)
{
    check_short_form(validate_rolling);
}

TEST(order)
{
    check_short_form(validate_order);
}

TEST(size_ratio)
{
    check_short_form(validate_size_ratio);
}

TEST(calibration)
{
    check_short_form(validate_calibration);
}

TEST(solids)
{
    check_short_form(validate_solids);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(single_body), CASE(rotation),    CASE(rolling), CASE(order),
        CASE(size_ratio),  CASE(calibration), CASE(solids),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
