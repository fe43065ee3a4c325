/*  Walls of triangles beside planes: the short form of `./do validate`. */
#include "short.h"

TEST(walls)
{
    check_short_form(validate_walls);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(walls),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
