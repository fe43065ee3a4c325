/*  Methods of detection that are changed while a laboratory is at work. */
#include "talk.h"

static const char discs[] =
    "domain { dimensions = 2 }\n"
    "gravity { 0, -9.81 }\n"
    "grain = material { density = 20, stiffness = 1e4, restitution = 0.5, friction = 0.3 }\n"
    "rule { law = 'linear' }\n"
    "wall { shape = box { lower = {0, 0}, upper = {0.2, 1} }, material = grain }\n"
    "fill { count = 120, material = grain, shape = sphere { radius = uniform(0.003, 0.009) },\n"
    "       region = box { lower = {0, 0}, upper = {0.2, 0.25} } }\n"
    "solver { dt = 2e-4 }\n"
    "run { time = 100, title = 'discs' }\n";

#define STEPS 120 /* by each method */

/*  How many of all methods take part: every third, or every one. */
static uint32_t stride(void)
{
    return TEST_EFFORT(3, 1);
}

static uint32_t turns(void)
{
    return ((uint32_t)scree_method_count() + stride() - 1) / stride();
}

/*  120 discs that fall into a box, some steps by each method in turn. The text is to be freed. */
static char *discs_in_turn(scree_lab *lab)
{
    uint64_t before = scree_lab_board_version(lab, SCREE_LAB_STATUS);
    char wanted[80];

    tell(lab, SCREE_LAB_SCENE, 0, NULL, discs);
    for (uint32_t k = 0; k < turns(); k++) {
        const char *name = scree_method_at((size_t)k * stride())->name;
        tell(lab, SCREE_LAB_METHOD, 0, NULL, name);
        tell(lab, SCREE_LAB_STEP, STEPS, NULL, NULL);
        snprintf(wanted, sizeof wanted, "\"steps\": %u,", (k + 1) * STEPS);
        char *status = await_after(lab, SCREE_LAB_STATUS, before, wanted);
        snprintf(wanted, sizeof wanted, "\"at_work\": \"%s\"", name);
        /* auto tells which method it has chosen */
        if (strcmp(name, "auto") != 0)
            CHECK_SAYS(status, wanted);
        CHECK(number_of(status, "late") == 0);
        free(status);
    }
    snprintf(wanted, sizeof wanted, "\"checksum_steps\": %u}", turns() * STEPS);
    return await_after(lab, SCREE_LAB_STATUS, before, wanted);
}

/*  As many steps by one method. */
static char *discs_by(scree_lab *lab, const char *method)
{
    uint64_t before = scree_lab_board_version(lab, SCREE_LAB_STATUS);
    char wanted[80];

    tell(lab, SCREE_LAB_SCENE, 0, NULL, discs);
    tell(lab, SCREE_LAB_METHOD, 0, NULL, method);
    tell(lab, SCREE_LAB_STEP, turns() * STEPS, NULL, NULL);
    snprintf(wanted, sizeof wanted, "\"checksum_steps\": %u}", turns() * STEPS);
    return await_after(lab, SCREE_LAB_STATUS, before, wanted);
}

/*  In two dimensions, methods one after the other between steps of one run: at work is the one that was asked for, and
    the discs are where one method alone would have led them. */
TEST(gc_38_every_method_takes_over_live)
{
    scree_lab *lab = open_lab(NULL, 100000);
    char *in_turn = discs_in_turn(lab), *alone = discs_by(lab, "pairing");

    CHECK(number_of(in_turn, "contacts") > 50);
    CHECK(number_of(in_turn, "kinetic") == number_of(alone, "kinetic"));
    CHECK(strncmp(strstr(in_turn, "\"checksum\""), strstr(alone, "\"checksum\""), 32) == 0);
    FIGURE("%u methods in turn, the discs of one alone", turns());
    free(in_turn);
    free(alone);
    scree_lab_destroy(lab);
}

/*  And while it plays, without a pause. */
TEST(gc_38_methods_change_while_it_plays)
{
    static const char *const names[] = {"hashing2", "dess2", "rtree", "spatial-sort-1", "cgrid"};
    static const double fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);
    double steps = 0;

    tell(lab, SCREE_LAB_SCENE, 0, NULL, discs);
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char wanted[80];
        const char *name = names[k];
        tell(lab, SCREE_LAB_METHOD, 0, NULL, name);
        snprintf(wanted, sizeof wanted, "\"at_work\": \"%s\"", name);
        char *status = await_after(lab, SCREE_LAB_STATUS, 0, wanted);
        CHECK_SAYS(status, "\"plays\": true");
        CHECK(number_of(status, "bodies") == 120 && number_of(status, "late") == 0);
        CHECK(number_of(status, "steps") >= steps);
        steps = number_of(status, "steps");
        free(status);
    }
    CHECK(steps > 0);
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(gc_38_every_method_takes_over_live),
        CASE(gc_38_methods_change_while_it_plays),
    };
    if (!scree_scene_available()) {
        printf("test_lab_methods: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
