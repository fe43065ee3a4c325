/*  The tables that studies print, from known figures. */
#include "claims/study.h"
#include "test.h"

/*  Count, time and percent by engine, for two runs: parts are shares of the whole, but do not count
    in the total. */
TEST(table_of_engines_adds_up)
{
    static scree_study study;
    static const char *const runs[2] = {"off", "stride"};
    const scree_engine_row rows[] = {
        {"collider", false, {500, 14}, {1.5, 0.25}},
        {"search", true, {500, 14}, {0.5, 0.125}},
        {"integrator", false, {500, 500}, {0.5, 0.75}},
    };
    memset(&study, 0, sizeof study);
    scree_study_engines(&study, runs, rows, 3);
    CHECK_TEXT(
        study.table,
        "                                                      off                         stride\n"
        "engine                        count           us        %    count           us        %\n"
        "collider                        500      1500000    75.00       14       250000    25.00\n"
        "  search                        500       500000    25.00       14       125000    12.50\n"
        "integrator                      500       500000    25.00      500       750000    75.00\n"
        "total                                    2000000      100               1000000      "
        "100\n");
    scree_study_write(&study, "and %d", 7);
    CHECK_SAYS(study.table, "100\nand 7");
}

/*  Clocks that showed nothing are no division by zero, and a table that is full is cut. */
TEST(table_without_time)
{
    static scree_study study;
    static const char *const runs[2] = {"off", "stride"};
    const scree_engine_row row = {"collider", false, {0, 0}, {0, 0}};
    memset(&study, 0, sizeof study);
    scree_study_engines(&study, runs, &row, 1);
    CHECK_SAYS(study.table, "collider                          0            0     0.00        0 ");
    CHECK(!strstr(study.table, "nan"));
    for (int k = 0; k < 100; k++)
        scree_study_engines(&study, runs, &row, 1);
    CHECK_EQUAL(strlen(study.table), sizeof study.table - 1);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(table_of_engines_adds_up),
        CASE(table_without_time),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
