/*  What the laboratory shows of detection: methods and margins that change nothing else, lines and surrogates laid over
    bodies, and where the time goes. */
#include "small_scene.h"

TEST(methods_change_and_nothing_else_does)
{
    PROVES("GC-38");
    static const double fast[8] = {1e-3, 0};
    scree_lab *lab = open_lab(NULL, 100000);
    char *first = NULL, *second = NULL;

    for (int round = 0; round < 2; round++) {
        uint64_t before = scree_lab_board_version(lab, SCREE_LAB_STATUS);
        tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
        tell(lab, SCREE_LAB_METHOD, 0, NULL, round ? "hash-grids" : "flat");
        tell(lab, SCREE_LAB_DT, 0, fast, NULL);
        tell(lab, SCREE_LAB_STEP, 40, NULL, NULL);
        if (round)
            tell(lab, SCREE_LAB_METHOD, 0, NULL, "dess2");
        tell(lab, SCREE_LAB_STEP, 60, NULL, NULL);
        char *status = await_after(lab, SCREE_LAB_STATUS, before, "\"checksum_steps\": 100}");
        *(round ? &second : &first) = status;
    }
    CHECK(number_of(first, "contacts") > 0);
    CHECK(number_of(first, "kinetic") == number_of(second, "kinetic"));
    CHECK(strncmp(strstr(first, "\"checksum\""), strstr(second, "\"checksum\""), 32) == 0);
    free(first);
    free(second);
    tell(lab, SCREE_LAB_METHOD, 0, NULL, "nosuch");
    await(lab, SCREE_LAB_NOTE, "nosuch");
    scree_lab_destroy(lab);
}

/*  Every margin with another method, and the same contacts in the end. */
TEST(margins_change_and_nothing_else_does)
{
    static const double fast[8] = {1e-3, 0}, size[8] = {0.1}, bad[8] = {-1};
    static const char *const names[] = {"none",     "skin", "tolerance", "stride",
                                        "distance", "bins", "per body"};
    scree_lab *lab = open_lab(NULL, 100000);
    char kinetic[40] = "";

    for (uint32_t kind = 0; kind <= 7; kind++) {
        char wanted[40];
        uint64_t before = scree_lab_board_version(lab, SCREE_LAB_STATUS);
        tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
        tell(lab, SCREE_LAB_DT, 0, fast, NULL);
        tell(lab, SCREE_LAB_MARGIN, kind % 7, size, NULL);
        tell(lab, SCREE_LAB_STEP, 60, NULL, NULL);
        snprintf(wanted, sizeof wanted, "\"margin\": \"%s\"", names[kind % 7]);
        tell(lab, SCREE_LAB_STEP, 40, NULL, NULL);
        char *status = await_after(lab, SCREE_LAB_STATUS, before, "\"checksum_steps\": 100}");
        CHECK_SAYS(status, wanted);
        CHECK(number_of(status, "margin_size") == 0.1);
        const char *at = strstr(status, "\"kinetic\"");
        CHECK(at && (kind == 0 || strncmp(at, kinetic, strlen(kinetic)) == 0));
        snprintf(kinetic, sizeof kinetic, "%.24s", at);
        free(status);
    }
    tell(lab, SCREE_LAB_MARGIN, 7, size, NULL);
    await(lab, SCREE_LAB_NOTE, "no margin 7");
    tell(lab, SCREE_LAB_MARGIN, 1, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "no margin 1 of size -1");
    scree_lab_destroy(lab);
}

/*  The newest board of lines after `version`, once it has so many bytes at least. */
static scree_lab_sheet await_lines(scree_lab *lab, uint64_t version, size_t least)
{
    double until = scree_clock_seconds() + 60;
    scree_lab_sheet sheet;

    while (scree_clock_seconds() < until) {
        scree_lab_want(lab);
        CHECK(!scree_lab_board_read(lab, SCREE_LAB_LINES, 0, &sheet));
        if (sheet.version > version && sheet.count >= least)
            return sheet;
        free(sheet.bytes);
        sleep_some();
    }
    FAIL("no lines come");
}

TEST(lines_are_laid_over_bodies)
{
    static const double fast[8] = {1e-3, 0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_METHOD, 0, NULL, "hashing");
    tell(lab, SCREE_LAB_DT, 0, fast, NULL);
    tell(lab, SCREE_LAB_STEP, 600, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 600,");
    CHECK_EQUAL(scree_lab_board_version(lab, SCREE_LAB_LINES), 0);
    scree_lab_message overlay = {.kind = SCREE_LAB_OVERLAY, .whole = {3, 0xffff}};
    CHECK(scree_lab_tell(lab, 1, &overlay));
    scree_lab_sheet sheet = await_lines(lab, 0, 100);
    uint32_t chains = whole_at(sheet.bytes + 8), pieces = whole_at(sheet.bytes + 12), bodies = 0;
    CHECK_EQUAL(whole_at(sheet.bytes), 4 | 3 << 8);
    CHECK(chains >= 5 && pieces >= 2);
    CHECK_EQUAL(sheet.count, 32 + 28 * chains + 32 * pieces);
    for (uint32_t i = 0; i < pieces; i++) {
        const uint8_t *piece = sheet.bytes + 32 + 28 * chains + 32 * i;
        CHECK_EQUAL(whole_at(piece), SCREE_OUTLINE_CELL);
        bodies += whole_at(piece + 4);
    }
    CHECK_EQUAL(bodies, 20);
    free(sheet.bytes);
    /* a tree, of which the root alone is wanted */
    tell(lab, SCREE_LAB_METHOD, 0, NULL, "bvh8");
    overlay.whole[0] = 1;
    overlay.whole[1] = 0;
    CHECK(scree_lab_tell(lab, 1, &overlay));
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_LINES);
    tell(lab, SCREE_LAB_STEP, 1, NULL, NULL);
    sheet = await_lines(lab, version, 64);
    CHECK_EQUAL(whole_at(sheet.bytes + 8), 0);
    CHECK(whole_at(sheet.bytes + 12) >= 1 && whole_at(sheet.bytes + 12) <= 8);
    free(sheet.bytes);
    /* nothing more, said once */
    overlay.whole[0] = 0;
    version = scree_lab_board_version(lab, SCREE_LAB_LINES);
    CHECK(scree_lab_tell(lab, 1, &overlay));
    sheet = await_lines(lab, version, 32);
    CHECK(sheet.count == 32);
    free(sheet.bytes);
    scree_lab_destroy(lab);
}

/*  Edges of triangles, three for each surrogate, around their bodies; where meshes are searched otherwise there are none. */
TEST(surrogates_are_shown_level_by_level)
{
    static const char globes[] =
        "stone = material { density = 2500, young = 1e7 }\n"
        "shape = globe { radius = 0.1, triangles = 500 }\n"
        "body { shape = shape, material = stone, position = {0, 0, 0} }\n"
        "body { shape = shape, material = stone, position = {1, 0, 0} }\n"
        "body { shape = sphere { radius = 0.1 }, material = stone, position = {2, 0, 0} }\n"
        "solver { mesh_engine = '%s' }\n"
        "run { time = 1, title = '%s' }\n";
    scree_lab *lab = open_lab(NULL, 100000);
    scree_lab_message overlay = {.kind = SCREE_LAB_OVERLAY, .whole = {4, 0}};
    char text[800];
    uint32_t before = 0, levels = 1, all = 0;

    snprintf(text, sizeof text, globes, "surrogate", "globes");
    tell(lab, SCREE_LAB_SCENE, 0, NULL, text);
    await(lab, SCREE_LAB_STAGE, "\"title\": \"globes\"");
    for (uint32_t level = 0; level < levels; level++) {
        uint64_t version = scree_lab_board_version(lab, SCREE_LAB_LINES);
        overlay.whole[1] = level;
        CHECK(scree_lab_tell(lab, 1, &overlay));
        scree_lab_sheet sheet = await_lines(lab, version, 33);
        uint32_t pieces = whole_at(sheet.bytes + 12), facets = 0;
        levels = whole_at(sheet.bytes + 16);
        CHECK(level > 0 ? pieces > before : pieces == 2 * 3);
        CHECK(levels >= 3 && sheet.count == 32 + 32 * pieces);
        for (uint32_t i = 0; i < pieces; i++) {
            const uint8_t *piece = sheet.bytes + 32 + 32 * i;
            CHECK_EQUAL(whole_at(piece), 5 | level << 16);
            facets += whole_at(piece + 4);
        }
        /* all of both meshes, whichever level it is */
        all = level ? all : facets;
        CHECK(facets == all && facets > 2 * 3 * 300);
        before = pieces;
        free(sheet.bytes);
    }
    snprintf(text, sizeof text, globes, "boxes", "others");
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_LINES);
    tell(lab, SCREE_LAB_SCENE, 0, NULL, text);
    await(lab, SCREE_LAB_STAGE, "\"title\": \"others\"");
    scree_lab_sheet sheet = await_lines(lab, version, 32);
    CHECK_EQUAL(whole_at(sheet.bytes + 12), 0);
    free(sheet.bytes);
    scree_lab_destroy(lab);
}

TEST(gc_39_says_where_the_time_goes)
{
    static const double fast[8] = {1e-3, 0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_DT, 0, fast, NULL);
    tell(lab, SCREE_LAB_STEP, 500, NULL, NULL);
    char *status = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
    CHECK(number_of(status, "search") > 0 && number_of(status, "sums") > 0);
    CHECK(number_of(status, "search") + number_of(status, "pairs") + number_of(status, "walls") +
              number_of(status, "sums") + number_of(status, "rest") <=
          1.001);
    CHECK(number_of(status, "tested") >= number_of(status, "reported"));
    CHECK(number_of(status, "structure_bytes") > 0);
    free(status);
    scree_lab_destroy(lab);
}

TEST(all_methods_find_the_same_pairs)
{
    scree_lab *lab = open_lab(NULL, 100000);
    char first[40] = "";
    int count = 0;

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_RACE, 0, NULL, NULL);
    char *times = await_after(lab, SCREE_LAB_TIMES, 0, "\"flat\"");
    for (char *at = times; (at = strstr(at, "\"checksum\"")) != NULL; at++, count++) {
        CHECK(count == 0 || strncmp(at, first, 30) == 0);
        snprintf(first, sizeof first, "%.30s", at);
    }
    CHECK(count >= 15);
    free(times);
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(methods_change_and_nothing_else_does), CASE(margins_change_and_nothing_else_does),
        CASE(lines_are_laid_over_bodies),           CASE(surrogates_are_shown_level_by_level),
        CASE(gc_39_says_where_the_time_goes),       CASE(all_methods_find_the_same_pairs),
    };
    if (!scree_scene_available()) {
        printf("test_lab_overlays: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
