/*  The laboratory without its server: what it does when it is told, and what it says. */
#include "talk.h"

#include <math.h>
#include <unistd.h>

static const char small[] =
    "local count = param('count', 20)\n"
    "gravity { 0, 0, -9.81 }\n"
    "domain { dimensions = 3 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "fill { count = count, material = grain, shape = sphere { radius = 0.01 },\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.2, 0.2, 0.2} } }\n"
    "run { time = 1, title = 'small' }\n";

/*  The small scene as a file; what its name ends with is chosen. */
static void write_small(char *path)
{
    int handle = mkstemp(path);

    CHECK(handle >= 0);
    CHECK(write(handle, small, sizeof small - 1) == (ssize_t)(sizeof small - 1));
    close(handle);
}

static double status_number(scree_lab *lab, const char *part, const char *key)
{
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, part);
    double value = number_of(text, key);
    free(text);
    return value;
}

TEST(says_hello_and_what_is_on_stage)
{
    scree_lab *lab = open_lab(NULL, 100000);

    await(lab, SCREE_LAB_HELLO, "\"methods\"");
    await(lab, SCREE_LAB_HELLO, "\"granular_gas\"");
    await(lab, SCREE_LAB_STAGE, "\"title\": \"a drum with lifters\"");
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    CHECK(scree_lab_board_version(lab, SCREE_LAB_WALLS) > 0);
    CHECK(atomic_load(&woken) > 0);
    scree_lab_destroy(lab);
}

/*  It is seen from its beginning: it plays once a page looks, and not before; never if the page wants it paused. */
TEST(starts_when_a_page_looks)
{
    for (int is_paused = 0; is_paused < 2; is_paused++) {
        char path[] = "/tmp/scree-lab-starts-XXXXXX";
        write_small(path);
        scree_lab_def def = {.scene = path, .threads = 1, .most_bodies = 100, .wake = wake};
        scree_error error;
        scree_lab *lab;
        def.most_bytes = (size_t)1 << 30;
        def.starts = true;
        CHECK_EQUAL(scree_lab_create(&def, &lab, &error), SCREE_OK);
        await(lab, SCREE_LAB_STATUS, "\"plays\": false");
        await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
        if (is_paused)
            tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
        scree_lab_want(lab);
        if (!is_paused)
            await(lab, SCREE_LAB_STATUS, "\"plays\": true");
        tell(lab, SCREE_LAB_STEP, 7, NULL, NULL);
        double steps = status_number(lab, "\"plays\": false", "steps");
        while (steps < 7)
            steps = status_number(lab, "\"plays\": false", "steps");
        CHECK(is_paused ? steps == 7 : steps >= 7);
        scree_lab_destroy(lab);
        unlink(path);
    }
}

TEST(plays_steps_and_begins_anew)
{
    static const double fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    char *stage = await_after(lab, SCREE_LAB_STAGE, 0, "\"title\": \"small\"");
    /* the floor is a part of what is to be seen, though nothing lies on it yet */
    double x, y, z;
    CHECK(sscanf(strstr(stage, "\"lower\": ["), "\"lower\": [%lf, %lf, %lf", &x, &y, &z) == 3);
    CHECK(z == 0 && x > -0.01 && y > -0.01);
    free(stage);
    tell(lab, SCREE_LAB_STEP, 7, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 7,");
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    CHECK(status_number(lab, "\"plays\": true", "steps") >= 7);
    tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
    scree_lab_destroy(lab);
}

TEST(a_scene_with_a_mistake_changes_nothing)
{
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, "-- one\nfill { count = 'many' }\n");
    char *note = await_after(lab, SCREE_LAB_NOTE, 0, "scene:2:");
    CHECK_SAYS(note, "\"line\": 2");
    CHECK_SAYS(note, "\"error\": true");
    free(note);
    CHECK_EQUAL(scree_lab_board_version(lab, SCREE_LAB_STAGE), 1);
    tell(lab, SCREE_LAB_SCENE, 0, NULL, "while true do end");
    await(lab, SCREE_LAB_NOTE, "takes too long");
    scree_lab_destroy(lab);
}

TEST(scenes_that_are_sent_reach_no_file)
{
    static const char *const scenes[] = {
        "wall { shape = mesh { file = '/etc/passwd' }, material = material {} }\n",
        "bodies { file = '/etc/passwd', material = material {} }\n",
        "io.open('/etc/passwd')\n",
        "dofile('/etc/passwd')\n",
        "require('os')\n",
    };
    scree_lab *lab = open_lab(NULL, 100000);

    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        uint64_t before = scree_lab_board_version(lab, SCREE_LAB_NOTE);
        tell(lab, SCREE_LAB_SCENE, 0, NULL, scenes[k]);
        char *note = await_after(lab, SCREE_LAB_NOTE, before, "scene:1:");
        CHECK(k > 1 || strstr(note, "may name no files"));
        CHECK(!strstr(note, "root"));
        free(note);
    }
    scree_lab_destroy(lab);
}

TEST(a_file_may_name_files_and_comes_back_unchanged)
{
    char path[] = "/tmp/test_lab_XXXXXX";

    write_small(path);
    scree_lab *lab = open_lab(path, 100000);
    await(lab, SCREE_LAB_STAGE, "\"file\": true");
    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    char *stage = await_after(lab, SCREE_LAB_STAGE, 1, "\"small\"");
    CHECK_SAYS(stage, "\"file\": true");
    free(stage);
    tell(lab, SCREE_LAB_EXAMPLE, 2, NULL, NULL);
    await(lab, SCREE_LAB_STAGE, "\"file\": false");
    scree_lab_destroy(lab);
    unlink(path);
}

TEST(parameters_hold_from_the_beginning)
{
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=33");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 33,");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "nosuch=1");
    await(lab, SCREE_LAB_NOTE, "no such parameter");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=12");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 12,");
    scree_lab_destroy(lab);
}

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

static uint32_t whole_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
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

static void check_damping(const char *board, double global_damping, double local_damping)
{
    CHECK(number_of(board, "global_damping") == global_damping);
    CHECK(number_of(board, "local_damping") == local_damping);
}

/*  What pages are told of it: of several pages any may have changed it. */
TEST(physics_is_told_as_it_is)
{
    static const double up[8] = {0, 0, 3}, damped[8] = {5, 0.1}, smooth[8] = {0.1},
                        step[8] = {2e-5}, none[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, "\"bodies\": 20,");
    CHECK_SAYS(text, "\"physics\": {\"gravity\": [0, 0, -9.81], \"friction\": 0.5, \"dt\": 0, ");
    check_damping(text, 0, 0);
    free(text);
    tell(lab, SCREE_LAB_GRAVITY, 0, up, NULL);
    tell(lab, SCREE_LAB_DAMPING, 0, damped, NULL);
    tell(lab, SCREE_LAB_FRICTION, 0, smooth, NULL);
    tell(lab, SCREE_LAB_DT, 0, step, NULL);
    text = await_after(lab, SCREE_LAB_STATUS, 0, "\"dt\": 0.00002, \"global_damping\"");
    CHECK_SAYS(text, "\"physics\": {\"gravity\": [0, 0, 3], \"friction\": 0.1, ");
    check_damping(text, 5, 0.1);
    free(text);
    tell(lab, SCREE_LAB_DT, 0, none, NULL);
    await(lab, SCREE_LAB_STATUS, "\"dt\": 0, \"global_damping\"");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    text = await_after(lab, SCREE_LAB_STATUS, 0, "\"gravity\": [0, 0, -9.81]");
    check_damping(text, 0, 0);
    free(text);
    scree_lab_destroy(lab);
}

TEST(physics_can_be_changed)
{
    static const double up[8] = {0, 0, 3}, damped[8] = {5, 0.1}, bad[8] = {-1, 0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_GRAVITY, 0, up, NULL);
    tell(lab, SCREE_LAB_DAMPING, 0, damped, NULL);
    tell(lab, SCREE_LAB_STEP, 10, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 10,");
    tell(lab, SCREE_LAB_DAMPING, 0, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "damping");
    tell(lab, SCREE_LAB_FRICTION, 0, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "friction: is -1");
    tell(lab, SCREE_LAB_SPEED, 0, bad, NULL);
    await(lab, SCREE_LAB_NOTE, "speed: -1");
    tell(lab, SCREE_LAB_FIELD, 3, NULL, NULL);
    tell(lab, SCREE_LAB_FIELD, 9, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "no field 9");
    tell(lab, SCREE_LAB_EXAMPLE, 1000, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "no example 1000");
    scree_lab_destroy(lab);
}

TEST(energies_are_counted_where_that_is_wanted)
{
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_STEP, 500, NULL, NULL);
    char *status = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
    const double kinetic = number_of(status, "kinetic");
    CHECK(number_of(status, "lost") == 0 && number_of(status, "potential") > 0);
    free(status);
    tell(lab, SCREE_LAB_LEDGER, 1, NULL, NULL);
    await(lab, SCREE_LAB_STAGE, "\"ledger\": true, \"scene_ledger\": false");
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_STATUS);
    tell(lab, SCREE_LAB_STEP, 500, NULL, NULL);
    status = await_after(lab, SCREE_LAB_STATUS, version, "\"steps\": 500,");
    CHECK(number_of(status, "kinetic") == kinetic && number_of(status, "lost") > 0);
    double sum = kinetic + number_of(status, "rotational") + number_of(status, "potential") +
                 number_of(status, "elastic") + number_of(status, "lost");
    CHECK_NEAR(sum, number_of(status, "given"), 2e-2 * sum);
    free(status);
    tell(lab, SCREE_LAB_LEDGER, 0, NULL, NULL);
    await(lab, SCREE_LAB_STAGE, "\"ledger\": false");
    tell(lab, SCREE_LAB_SCENE, 0, NULL, "solver { energy_balance = true }\nrun { time = 1 }\n");
    await(lab, SCREE_LAB_STAGE, "\"scene_ledger\": true");
    scree_lab_destroy(lab);
}

TEST(bodies_are_poured_and_taken_away)
{
    static const double here[8] = {0.1, 0.1, 0.5, 0, 0, 0, 0.01, 0.05};
    static const double box[8] = {-1, -1, 0.3, 1, 1, 1}, nowhere[8] = {0, 0, 0, 0, 0, 0, -1, 0};
    char path[] = "/tmp/test_lab_XXXXXX";

    write_small(path);
    scree_lab *lab = open_lab(path, 40);
    tell(lab, SCREE_LAB_POUR, 5, here, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 25,");
    tell(lab, SCREE_LAB_REGION, 0, box, NULL);
    await(lab, SCREE_LAB_FOUND, "\"bodies\": 5,");
    tell(lab, SCREE_LAB_CLEAR, 0, box, NULL);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 20,");
    tell(lab, SCREE_LAB_POUR, 5, nowhere, NULL);
    await(lab, SCREE_LAB_NOTE, "radius -1");
    tell(lab, SCREE_LAB_POUR, 30, here, NULL);
    await(lab, SCREE_LAB_NOTE, "reached its limit of bodies");
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=41");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "takes at most 40");
    scree_lab_destroy(lab);
    unlink(path);
}

TEST(a_body_is_held_and_let_go)
{
    PROVES("GC-38");
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB, .number = {0.1, 0.1, 3}};
    scree_lab_message gone = {.kind = SCREE_LAB_GRAB, .whole = {3, 12345}};
    scree_lab_message erase = {.kind = SCREE_LAB_DELETE};
    static const double above[8] = {-9, -9, 0.25, 9, 9, 9}, fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 20,");
    body_in(lab, 3, &grab);
    CHECK(scree_lab_tell(lab, 1, &grab));
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    /* it is drawn upward, out of the box in which all began */
    double until = scree_clock_seconds() + 60;
    for (uint64_t version = 0;;) {
        CHECK(scree_clock_seconds() < until);
        tell(lab, SCREE_LAB_REGION, 0, above, NULL);
        char *found = await_after(lab, SCREE_LAB_FOUND, version, "bodies");
        version = scree_lab_board_version(lab, SCREE_LAB_FOUND);
        double bodies = number_of(found, "bodies");
        free(found);
        if (bodies == 1)
            break;
        CHECK(bodies == 0);
    }
    tell(lab, SCREE_LAB_PULL, 0, above, NULL);
    tell(lab, SCREE_LAB_RELEASE, 0, NULL, NULL);
    CHECK(scree_lab_tell(lab, 2, &gone));
    await(lab, SCREE_LAB_NOTE, "that body has been removed");
    /* one that goes while it is held */
    CHECK(scree_lab_tell(lab, 2, &grab));
    erase.whole[0] = grab.whole[0];
    erase.whole[1] = grab.whole[1];
    CHECK(scree_lab_tell(lab, 1, &erase));
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 19,");
    scree_lab_forget(lab, 2);
    tell(lab, SCREE_LAB_PLAY, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"plays\": false");
    scree_lab_destroy(lab);
}

/*  After as many steps: whether a body is where the hand is. */
static bool hangs_after(scree_lab *lab, uint32_t steps)
{
    static const double about[8] = {0.05, 0.05, 2.95, 0.15, 0.15, 3.05};
    uint64_t version = scree_lab_board_version(lab, SCREE_LAB_FOUND);

    tell(lab, SCREE_LAB_STEP, steps, NULL, NULL);
    tell(lab, SCREE_LAB_REGION, 0, about, NULL);
    char *found = await_after(lab, SCREE_LAB_FOUND, version, "bodies");
    bool hangs = number_of(found, "bodies") == 1;
    free(found);
    return hangs;
}

/*  However much a portion of steps is: where machines are fast it is long, and the spring weak. */
TEST(a_hand_carries_what_it_holds)
{
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB, .number = {0.1, 0.1, 3}};

    for (uint32_t steps = 1000; steps <= 10000; steps *= 10) {
        scree_lab *lab = open_lab(NULL, 100000);
        tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
        await(lab, SCREE_LAB_STATUS, "\"bodies\": 20,");
        body_in(lab, 3, &grab);
        CHECK(scree_lab_tell(lab, 1, &grab));
        /* it may swing through, and then stays */
        for (int portion = 0, stays = 0; stays < 5; portion++) {
            CHECK(portion < 60);
            stays = hangs_after(lab, steps) ? stays + 1 : 0;
        }
        scree_lab_destroy(lab);
    }
}

/*  As the hand moved at last, in steps that one cannot see; nothing else moves it then. */
TEST(what_is_thrown_flies_on_with_the_speed_of_the_hand)
{
    static const char one[] =
        "m = material { density = 2500, young = 1e6 }\n"
        "body { shape = sphere { radius = 0.01 }, material = m, position = {0, 0, 0} }\n"
        "solver { dt = 1e-4 }\nrun { time = 1, title = 'one' }\n";
    static const double all[8] = {-9, -9, -9, 9, 9, 9};
    scree_lab_message grab = {.kind = SCREE_LAB_GRAB};
    scree_lab *lab = open_lab(NULL, 100000);
    double hand[8] = {0}, found[2];

    tell(lab, SCREE_LAB_SCENE, 0, NULL, one);
    await(lab, SCREE_LAB_STATUS, "\"bodies\": 1,");
    body_in(lab, 0, &grab);
    CHECK(scree_lab_tell(lab, 1, &grab));
    for (int k = 0; k < 100; k++) {
        hand[0] += 0.002;
        hand[2] -= 0.001;
        tell(lab, SCREE_LAB_PULL, 0, hand, NULL);
        tell(lab, SCREE_LAB_STEP, 50, NULL, NULL);
    }
    tell(lab, SCREE_LAB_RELEASE, 0, NULL, NULL);
    for (int later = 0; later < 2; later++) {
        uint64_t version = scree_lab_board_version(lab, SCREE_LAB_FOUND);
        tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
        tell(lab, SCREE_LAB_REGION, 0, all, NULL);
        char *text = await_after(lab, SCREE_LAB_FOUND, version, "bodies");
        found[later] = number_of(text, "speed");
        CHECK_NEAR(strtod(strstr(text, "\"velocity\": [") + 13, NULL), 0.4, 1e-8);
        free(text);
    }
    CHECK_NEAR(found[0], 0.2 * sqrt(5), 1e-8);
    CHECK(found[1] == found[0]);
    scree_lab_destroy(lab);
}

/*  Also to what was changed by hand. */
TEST(a_checkpoint_goes_on_to_the_same)
{
    static const double slope[8] = {3, 0, -9.81}, smooth[8] = {0.03}, thick[8] = {2, 0.1};
    scree_lab *lab = open_lab(NULL, 100000);
    scree_lab_sheet saved;

    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
    tell(lab, SCREE_LAB_GRAVITY, 0, slope, NULL);
    tell(lab, SCREE_LAB_FRICTION, 0, smooth, NULL);
    tell(lab, SCREE_LAB_DAMPING, 0, thick, NULL);
    tell(lab, SCREE_LAB_STEP, 100, NULL, NULL);
    tell(lab, SCREE_LAB_SAVE, 0, NULL, NULL);
    tell(lab, SCREE_LAB_STEP, 300, NULL, NULL);
    char *first = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
    CHECK(!scree_lab_board_read(lab, SCREE_LAB_SAVED, 0, &saved));
    CHECK(saved.version == 1 && saved.client == 1 && saved.count > 1000);
    /* beside its own scene, and beside another */
    for (int round = 0; round < 2; round++) {
        scree_lab_message load = {
            .kind = SCREE_LAB_LOAD, .bytes = saved.bytes + 4, .byte_count = saved.count - 4};
        if (round)
            tell(lab, SCREE_LAB_EXAMPLE, 2, NULL, NULL);
        uint64_t version = scree_lab_board_version(lab, SCREE_LAB_STAGE);
        CHECK(scree_lab_tell(lab, 1, &load));
        char *stage = await_after(lab, SCREE_LAB_STAGE, version, "\"title\": \"small\"");
        CHECK(number_of(stage, "friction") == 0.03);
        CHECK_SAYS(stage, "\"physics\": {\"gravity\": [3, 0, -9.81]");
        check_damping(stage, 2, 0.1);
        free(stage);
        await(lab, SCREE_LAB_STATUS, "\"steps\": 200,");
        tell(lab, SCREE_LAB_STEP, 300, NULL, NULL);
        char *again = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 500,");
        CHECK(number_of(again, "kinetic") == number_of(first, "kinetic"));
        CHECK(number_of(again, "time") == number_of(first, "time"));
        free(again);
    }
    saved.bytes[saved.count / 2] ^= 1;
    scree_lab_message broken = {
        .kind = SCREE_LAB_LOAD, .bytes = saved.bytes + 4, .byte_count = saved.count - 4};
    CHECK(scree_lab_tell(lab, 1, &broken));
    await(lab, SCREE_LAB_NOTE, "\"error\": true");
    free(first);
    free(saved.bytes);
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

TEST(memory_is_bounded)
{
    scree_lab_def def = {
        .threads = 1, .most_bodies = 100000000, .most_bytes = 30000000, .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    CHECK(!scree_lab_create(&def, &lab, &error));
    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=5000000");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "memory");
    scree_lab_destroy(lab);
}

/*  They would not fit: so it is seen that none of them was made. */
TEST(too_many_bodies_are_refused_before_they_are_made)
{
    scree_lab_def def = {.threads = 1, .most_bodies = 100000, .most_bytes = 30000000, .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    CHECK(!scree_lab_create(&def, &lab, &error));
    tell(lab, SCREE_LAB_SCENE, 0, NULL, small);
    tell(lab, SCREE_LAB_SETTING, 0, NULL, "count=5000000");
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_NOTE, "starts with about 5e+06 bodies: the lab takes at most 100000");
    scree_lab_destroy(lab);
}

/*  A scene in stages, with one wall, then two, then the second alone. */
static const char staged[] =
    "gravity { 0, 0, -9.81 }\n"
    "domain { dimensions = 3 }\n"
    "solver { dt = 1e-5 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "floor = wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = grain }\n"
    "body { shape = sphere { radius = 0.01 }, material = grain, position = {0, 0, 0.5} }\n"
    "stage { name = 'open', ends = after { steps = 5 } }\n"
    "stage { name = 'shut', add = lid, dt = 2e-5, ends = after { steps = 5 } }\n"
    "stage { name = 'fall', remove = floor, ends = after { steps = 50 } }\n"
    "run { title = 'staged' }\n";

static uint32_t walls_told(scree_lab *lab, uint64_t *version)
{
    scree_lab_sheet sheet;

    CHECK(!scree_lab_board_read(lab, SCREE_LAB_WALLS, 0, &sheet));
    CHECK(sheet.count >= 12);
    uint32_t count = whole_at(sheet.bytes + 8);
    *version = sheet.version;
    free(sheet.bytes);
    return count;
}

/*  Steps, and looks at what is told once they are taken. */
static uint32_t walls_after(scree_lab *lab, uint32_t steps, const char *then, uint64_t *version)
{
    tell(lab, SCREE_LAB_STEP, steps, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, then);
    return walls_told(lab, version);
}

TEST(walls_that_come_and_go_with_stages_are_told)
{
    static const double fastest[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);
    uint64_t before, after;

    tell(lab, SCREE_LAB_SCENE, 0, NULL, staged);
    await(lab, SCREE_LAB_STAGE, "\"title\": \"staged\"");
    CHECK_EQUAL(walls_after(lab, 5, "\"steps\": 5,", &before), 1);
    CHECK_EQUAL(walls_after(lab, 1, "\"steps\": 6,", &after), 2);
    CHECK(after > before);
    /* within a stage nothing is told again */
    CHECK_EQUAL(walls_after(lab, 4, "\"steps\": 10,", &before), 2);
    CHECK(after == before);
    CHECK_EQUAL(walls_after(lab, 1, "\"steps\": 11,", &after), 1);
    CHECK(after > before);
    /* the same while it plays */
    tell(lab, SCREE_LAB_RESET, 0, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 0,");
    before = after;
    tell(lab, SCREE_LAB_SPEED, 0, fastest, NULL);
    tell(lab, SCREE_LAB_PLAY, 1, NULL, NULL);
    await(lab, SCREE_LAB_STATUS, "\"steps\": 60,");
    CHECK_EQUAL(walls_told(lab, &after), 1);
    CHECK(after > before + 1);
    scree_lab_destroy(lab);
}

TEST(the_time_step_of_a_stage_is_the_scenes)
{
    static const double step[8] = {4e-5}, none[8] = {0};
    scree_lab *lab = open_lab(NULL, 100000);

    tell(lab, SCREE_LAB_SCENE, 0, NULL, staged);
    await(lab, SCREE_LAB_STAGE, "\"dt\": 0.00001, ");
    tell(lab, SCREE_LAB_STEP, 6, NULL, NULL);
    char *text = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 6,");
    CHECK(number_of(text, "dt") == 2e-5 && number_of(text, "scene_dt") == 2e-5);
    CHECK_SAYS(text, "\"dt\": 0, \"global_damping\"");
    free(text);
    tell(lab, SCREE_LAB_DT, 0, step, NULL);
    await(lab, SCREE_LAB_STATUS, "\"dt\": 0.00004, \"global_damping\"");
    tell(lab, SCREE_LAB_DT, 0, none, NULL);
    tell(lab, SCREE_LAB_STEP, 1, NULL, NULL);
    text = await_after(lab, SCREE_LAB_STATUS, 0, "\"steps\": 7,");
    CHECK(number_of(text, "dt") == 2e-5);
    CHECK_SAYS(text, "\"dt\": 0, \"global_damping\"");
    free(text);
    scree_lab_destroy(lab);
}

/*  The first of them would be made at once, the second between two steps. */
TEST(fills_of_stages_are_foreseen)
{
    static const char form[] =
        "domain { dimensions = 3 }\n"
        "solver { dt = 1e-5 }\n"
        "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
        "body { shape = sphere { radius = 0.01 }, material = grain, position = {0, 0, -1} }\n"
        "many = fill { count = 5000000, material = grain, shape = sphere { radius = 1e-4 },\n"
        "              region = box { lower = {0, 0, 0}, upper = {1, 1, 1} } }\n"
        "stage { name = 'first', %s ends = after { steps = 1 } }\n"
        "stage { name = 'second', %s ends = after { steps = 1 } }\n";
    scree_lab_def def = {.threads = 1, .most_bodies = 100000, .most_bytes = 30000000, .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;
    char text[1000];

    CHECK(!scree_lab_create(&def, &lab, &error));
    for (int k = 0; k < 2; k++) {
        uint64_t before = scree_lab_board_version(lab, SCREE_LAB_NOTE);
        snprintf(text, sizeof text, form, k == 0 ? "add = many," : "", k == 1 ? "add = many," : "");
        tell(lab, SCREE_LAB_SCENE, 0, NULL, text);
        free(await_after(lab, SCREE_LAB_NOTE, before,
                         "with the fills of all stages, makes about 5e+06 bodies: the lab takes at "
                         "most 100000"));
    }
    scree_lab_destroy(lab);
}

TEST(a_wrong_scene_is_told_at_once)
{
    scree_lab_def def = {.scene = "/nowhere/at/all.lua",
                         .threads = 1,
                         .most_bodies = 10,
                         .most_bytes = 100000000,
                         .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    CHECK(scree_lab_create(&def, &lab, &error) == SCREE_IO_ERROR);
    CHECK(!lab);
    CHECK_SAYS(error.text, "/nowhere/at/all.lua");
    scree_lab_destroy(NULL);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(says_hello_and_what_is_on_stage),
        CASE(starts_when_a_page_looks),
        CASE(plays_steps_and_begins_anew),
        CASE(a_scene_with_a_mistake_changes_nothing),
        CASE(scenes_that_are_sent_reach_no_file),
        CASE(a_file_may_name_files_and_comes_back_unchanged),
        CASE(parameters_hold_from_the_beginning),
        CASE(methods_change_and_nothing_else_does),
        CASE(margins_change_and_nothing_else_does),
        CASE(lines_are_laid_over_bodies),
        CASE(surrogates_are_shown_level_by_level),
        CASE(gc_39_says_where_the_time_goes),
        CASE(physics_is_told_as_it_is),
        CASE(physics_can_be_changed),
        CASE(energies_are_counted_where_that_is_wanted),
        CASE(bodies_are_poured_and_taken_away),
        CASE(a_body_is_held_and_let_go),
        CASE(a_hand_carries_what_it_holds),
        CASE(what_is_thrown_flies_on_with_the_speed_of_the_hand),
        CASE(a_checkpoint_goes_on_to_the_same),
        CASE(all_methods_find_the_same_pairs),
        CASE(memory_is_bounded),
        CASE(too_many_bodies_are_refused_before_they_are_made),
        CASE(walls_that_come_and_go_with_stages_are_told),
        CASE(the_time_step_of_a_stage_is_the_scenes),
        CASE(fills_of_stages_are_foreseen),
        CASE(a_wrong_scene_is_told_at_once),
    };
    if (!scree_scene_available()) {
        printf("test_lab: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
