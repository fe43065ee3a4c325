/*  Many grains that flow and heap: the short form of `./do validate`. */
#include "short.h"

TEST(discharge)
{
    check_short_form(validate_discharge);
}

TEST(heap)
{
    check_short_form(validate_heap);
}

TEST(drum)
{
    check_short_form(validate_drum);
}

TEST(mixing)
{
    check_short_form(validate_mixing);
}

TEST(silo)
{
    check_short_form(validate_silo);
}

TEST(penetration)
{
    check_short_form(validate_penetration);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(discharge), CASE(heap), CASE(drum), CASE(mixing), CASE(silo), CASE(penetration),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
