/*  Figures are found in what engines print, and none where there is none. */
#include "engines/engine_log.h"
#include "test.h"

static const char lammps[] = "LAMMPS (23 Jun 2022)\n"
                             "Loop time of 9 on 1 procs for 50 steps with 10000 atoms\n"
                             "10.0% CPU use with 1 MPI tasks x 1 OpenMP threads\n"
                             "Loop time of 3.36769 on 1 procs for 500 steps with 10000 atoms\n\n"
                             "Performance: 64.1 ns/day, 148.4 timesteps/s\n"
                             "29.8% CPU use with 1 MPI tasks x 1 OpenMP threads\n"
                             "kinetic 0.00493720494306054\n";

TEST(takes_the_last_run)
{
    double seconds = 0;
    CHECK(scree_log_lammps(lammps, &seconds));
    /* the product of both figures, each printed to three digits or more */
    CHECK_NEAR(seconds, 3.36769 * 0.298, 1e-12);
}

TEST(finds_a_number_at_the_begin_of_a_line)
{
    double value = 0;
    CHECK(scree_log_number(lammps, "kinetic ", &value));
    CHECK(value == 0.00493720494306054);
    CHECK(scree_log_number(lammps, "Loop time of ", &value));
    CHECK(value == 3.36769);
    CHECK(scree_log_number("kinetic 7", "kinetic ", &value));
    CHECK(value == 7);
}

TEST(finds_nothing_where_nothing_is)
{
    static const char *const wrong[] = {
        "",
        "Loop time of 3 on 1 procs",
        "Loop time of x on 1 procs\n50% CPU use",
        "Loop time of 0 on 1 procs\n50% CPU use",
        "Loop time of 2 on 1 procs\n0.0% CPU use",
        "Loop time of inf on 1 procs\n50% CPU use",
        "Loop time of 2 on 1 procs\n% CPU use",
        "50.0% CPU use\nLoop time of 2 on 1 procs",
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        double value = 5;
        CHECK(!scree_log_lammps(wrong[k], &value));
        CHECK(value == 5);
    }
    double value = 5;
    CHECK(!scree_log_number("its kinetic 3\nkinetic\nkinetic nan", "kinetic ", &value));
    CHECK(!scree_log_number("", "kinetic ", &value));
    CHECK(value == 5);
}

TEST(takes_what_lies_between_two_marks)
{
    double seconds = 5;
    CHECK(scree_log_ran_for("a ran-for 165728031 641 10\nLoop tiran-for 316703704 1290 11\nme",
                            &seconds));
    /* both numbers are whole, and below 2^53 */
    CHECK_NEAR(seconds, 0.150975673, 1e-15);
    static const char *const wrong[] = {"", "ran-for 1", "ran-for 2 ran-for 2",
                                        "ran-for 3\nran-for 2", "ran-for 1\nran-for x"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        seconds = 5;
        CHECK(!scree_log_ran_for(wrong[k], &seconds));
        CHECK(seconds == 5);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(takes_the_last_run),
        CASE(finds_a_number_at_the_begin_of_a_line),
        CASE(finds_nothing_where_nothing_is),
        CASE(takes_what_lies_between_two_marks),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
