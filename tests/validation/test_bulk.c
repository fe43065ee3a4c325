/*  Many bodies with known averages: the short form of `./do validate`. */
#include "short.h"

TEST(bead_chain)
{
    check_short_form(validate_bead_chain);
}

TEST(gas)
{
    check_short_form(validate_gas);
}

TEST(haff)
{
    check_short_form(validate_haff);
}

TEST(shear)
{
    check_short_form(validate_shear);
}

TEST(lattice)
{
    check_short_form(validate_lattice);
}

TEST(packing)
{
    check_short_form(validate_packing);
}

TEST(janssen)
{
    check_short_form(validate_janssen);
}

TEST(compression)
{
    check_short_form(validate_compression);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(bead_chain), CASE(gas),     CASE(haff),    CASE(shear),
        CASE(lattice),    CASE(packing), CASE(janssen), CASE(compression),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
