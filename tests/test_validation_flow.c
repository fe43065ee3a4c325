/*  Many grains that flow and heap: the short form of `./do validate`. */
#include "validation/short.h"

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

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(discharge),
        CASE(heap),
        CASE(drum),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
