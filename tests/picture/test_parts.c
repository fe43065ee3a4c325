/*  What a picture is made of: numbers and letters, colour maps, fields, lenses. */
#include "picture/legend.h"
#include "picture/lens.h"
#include "picture/roster.h"
#include "scree/chains.h"

#include "picture_maker.h"

TEST(numbers_are_written_plainly)
{
    static const struct
    {
        double value, step;
        const char *text;
    } cases[] = {
        {0, 0.1, "0"},           {1e-18, 0.1, "0"},          {0.25, 0.05, "0.25"},
        {-0.25, 0.05, "-0.25"},  {0.3, 0.1, "0.3"},          {0.1 + 0.2, 0.1, "0.3"},
        {1, 0.2, "1"},           {1.5, 0.5, "1.5"},          {20, 5, "20"},
        {1200, 200, "1200"},     {250000, 50000, "250000"},  {1e6, 2e5, "1e6"},
        {1.2e7, 2e6, "1.2e7"},   {0.002, 0.001, "0.002"},    {0.0125, 0.0005, "0.0125"},
        {2e-5, 1e-5, "2e-5"},    {-1.5e-7, 5e-8, "-1.5e-7"}, {0.000125, 0.000005, "1.25e-4"},
        {1e300, 1e299, "1e300"}, {3e-300, 1e-300, "3e-300"}, {123456, 1, "123456"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[SCREE_NUMBER_ROOM];
        scree_write_number(cases[k].value, cases[k].step, text);
        CHECK_TEXT(text, cases[k].text);
    }
}

/*  Every letter marks pixels, none outside of its room, and no two are the same. */
TEST(letters_are_all_there)
{
    static uint8_t pixels[128][40 * 40 * 3];
    const float white[3] = {255, 255, 255};
    const double at[2] = {10, 28};
    for (int letter = '!'; letter <= '~'; letter++) {
        const char text[2] = {(char)letter, 0};
        scree_canvas canvas = scree_canvas_of(pixels[letter], 40, 40);
        uint32_t marked = 0, outside = 0;
        scree_canvas_text(&canvas, at, 16, text, white);
        double width = scree_text_width(text, 16);
        for (uint32_t y = 0; y < 40; y++)
            for (uint32_t x = 0; x < 40; x++) {
                uint8_t value = pixels[letter][(y * 40 + x) * 3];
                marked += value > 100;
                outside += value > 0 && (x < 7 || x > 13 + width || y < 8 || y > 35);
            }
        if (marked < 2 || outside > 0 || width > 18)
            FAIL("letter %c marks %u pixels, %u outside of its %g", letter, marked, outside, width);
        for (int other = '!'; other < letter; other++)
            if (memcmp(pixels[letter], pixels[other], sizeof pixels[letter]) == 0 &&
                !strchr("lI|", letter))
                FAIL("%c looks like %c", letter, other);
    }
    CHECK(scree_text_width("mm", 10) > scree_text_width("ii", 10));
    CHECK_EQUAL(scree_text_width("", 10), 0);
    CHECK_NEAR(scree_text_width("a b", 20), 2 * scree_text_width("a b", 10), 1e-12);
    /* what is no letter is a box, and what hangs over a boundary does no harm */
    scree_canvas canvas = scree_canvas_of(pixels[0], 40, 40);
    const double corner[2] = {-5, 3};
    scree_canvas_text(&canvas, corner, 30, "\xe2\x84\xa6 \x01 W", white);
}

/*  OKLab's lightness of linear light (Ottosson 2020). */
static double lightness(const float light[3])
{
    double r = (double)light[0], g = (double)light[1], b = (double)light[2];
    return 0.2104542553 * cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) +
           0.7936177850 * cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) -
           0.0040720468 * cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
}

TEST(maps_are_even)
{
    scree_palette *p = malloc(sizeof *p);
    for (int map = SCREE_MAP_LAGOON; map <= SCREE_MAP_GREY; map++) {
        scree_palette_set(p, map);
        double first = lightness(p->light[0]), last = lightness(p->light[SCREE_MAP_STEPS - 1]);
        double step = (last - first) / (SCREE_MAP_STEPS - 1);
        CHECK(last - first > 0.5);
        for (int k = 1; k < SCREE_MAP_STEPS; k++) {
            /* colours that a screen lacks are clipped, and the curve bends between its points */
            double rise = lightness(p->light[k]) - lightness(p->light[k - 1]);
            CHECK_NEAR(rise, step, 0.2 * step);
        }
    }
    /* as light on both sides of the middle */
    scree_palette_set(p, SCREE_MAP_BALANCE);
    for (int k = 0; k < SCREE_MAP_STEPS; k++)
        CHECK_NEAR(lightness(p->light[k]), lightness(p->light[SCREE_MAP_STEPS - 1 - k]), 0.02);
    CHECK(scree_palette_at(p, -1) == p->light[0]);
    CHECK(scree_palette_at(p, 2) == p->light[SCREE_MAP_STEPS - 1]);
    CHECK(scree_palette_at(p, (double)NAN) == p->light[0]);
    scree_palette_set(p, SCREE_MAP_PEBBLES);
    CHECK(scree_palette_of(p, 3) == p->light[3]);
    CHECK(scree_palette_of(p, p->count + 3.5) == p->light[3]);
    CHECK(scree_palette_of(p, -3) == p->light[3]);
    CHECK(scree_palette_of(p, 1e300) == p->light[0]);
    for (uint32_t i = 0; i < p->count; i++)
        for (uint32_t j = 0; j < i; j++)
            CHECK(fabs((double)(p->light[i][0] - p->light[j][0])) +
                      fabs((double)(p->light[i][1] - p->light[j][1])) +
                      fabs((double)(p->light[i][2] - p->light[j][2])) >
                  0.08);
    /* sRGB: middle grey, and the ends */
    CHECK_EQUAL(scree_to_screen(p, -1), 0);
    CHECK_EQUAL(scree_to_screen(p, 0.2140f), 127);
    CHECK_EQUAL(scree_to_screen(p, 7), 255);
    free(p);
    size_t maps = 0;
    while (scree_picture_map_at(maps))
        maps++;
    CHECK_EQUAL(maps, SCREE_MAPS);
}

static double speed_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/*  What a field should be, by its name. */
static double field_value(const char *name, const scree_body *b, double contacts, double chain)
{
    double speed = speed_of(b->velocity);
    const struct
    {
        const char *name;
        double value;
    } known[] = {
        {"none", 0},
        {"speed", speed},
        {"velocity_x", b->velocity[0]},
        {"velocity_y", b->velocity[1]},
        {"velocity_z", b->velocity[2]},
        {"spin", speed_of(b->spin)},
        {"spin_x", b->spin[0]},
        {"spin_y", b->spin[1]},
        {"spin_z", b->spin[2]},
        {"force", speed_of(b->force)},
        {"force_x", b->force[0]},
        {"force_y", b->force[1]},
        {"force_z", b->force[2]},
        {"torque", speed_of(b->torque)},
        {"x", b->position[0]},
        {"y", b->position[1]},
        {"z", b->position[2]},
        {"radius", b->shape.radius},
        {"mass", b->mass},
        {"energy", 0.5 * b->mass * speed * speed},
        {"material", b->material.index1},
        {"id", (double)b->serial},
        {"user", (double)b->user},
        {"coordination", contacts},
        {"chain", chain},
        {"bonds", 0},
        {"sleeping", 0},
    };
    for (size_t k = 0; k < sizeof known / sizeof *known; k++)
        if (strcmp(known[k].name, name) == 0)
            return known[k].value;
    FAIL("no test says what %s is", name);
}

static double contacts_of(scree_world *world, scree_body_id id)
{
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *contacts;
    size_t count;
    filter.body = id;
    CHECK_EQUAL(scree_world_contacts(world, &filter, &contacts, &count), SCREE_OK);
    return (double)count;
}

TEST(fields_are_what_they_say)
{
    static const scree_workers alone = {.count = 1};
    uint32_t order[400];
    for (uint32_t i = 0; i < 400; i++)
        order[i] = (i * 91 + 17) % 400;
    scree_world *world = crowded_world(400, true, order);
    scree_picture_def def = small_picture(8, 8);
    scree_memory memory;
    scree_error error;
    double contacts = 0;
    CHECK_EQUAL(scree_memory_init(&memory, NULL), SCREE_OK);
    step(world, 1);
    for (size_t k = 0; scree_picture_field_at(k); k++) {
        scree_roster roster = {0};
        def.field = scree_picture_field_at(k)->name;
        def.clip_count = k % 2;
        def.clips[0][0] = 1;
        CHECK_EQUAL(scree_field_index(def.field), (int)k);
        CHECK_EQUAL(scree_roster_call(&roster, world, &def, &memory, &alone), SCREE_OK);
        if (strcmp(def.field, "temperature") == 0) {
            CHECK_EQUAL(scree_roster_read(&roster, world, &def, &memory, &error),
                        SCREE_BAD_ARGUMENT);
            CHECK_SAYS(error.text, "the world has no heat");
            scree_roster_free(&roster, &memory);
            continue;
        }
        CHECK_EQUAL(scree_roster_read(&roster, world, &def, &memory, &error), SCREE_OK);
        CHECK(k % 2 ? roster.count > 100 && roster.count < 300 : roster.count == 400);
        scree_bodies_view view = scree_world_bodies(world);
        uint64_t last = 0;
        scree_chain_body chained[400];
        scree_chains_def chains_def = scree_default_chains_def();
        scree_chains chains;
        CHECK_EQUAL(scree_world_chains(world, &chains_def, chained, NULL, 400, &chains), SCREE_OK);
        CHECK(chains.count > 0);
        for (size_t i = 0; i < roster.count; i++) {
            scree_body body = body_of(world, scree_body_id_at(view.id, roster.row[i]));
            double touching = contacts_of(world, body.id);
            double wanted = field_value(def.field, &body, touching, chained[roster.row[i]].chain);
            CHECK_NEAR(roster.value[i], wanted, 1e-12 * fabs(wanted)); /* a few roundings */
            CHECK(roster.value[i] >= roster.range[0] && roster.value[i] <= roster.range[1]);
            CHECK(body.serial > last);
            CHECK(k % 2 == 0 || body.position[0] <= 0);
            last = body.serial;
            contacts += touching;
        }
        CHECK(roster.range[0] < roster.range[1]);
        if (roster.is_signed)
            CHECK(roster.range[0] == -roster.range[1]);
        scree_roster_free(&roster, &memory);
    }
    CHECK(contacts > 100);
    CHECK_EQUAL(scree_field_index("no such field"), -1);
    CHECK_EQUAL(memory.bytes, 0);
    scree_world_destroy(world);
}

/*  What is in the middle of a placed camera's picture, and what is on its boundaries. */
TEST(lenses_see_where_they_point)
{
    const double sky[3] = {0, 0, 1}, lower[3] = {0, 0, 0}, upper[3] = {1, 1, 1};
    scree_picture_def def = small_picture(300, 200);
    scree_lens lens;
    double view[3];
    def.camera.placed = true;
    for (int k = 0; k < 3; k++) {
        def.camera.eye[k] = 3 + k;
        def.camera.target[k] = -1 + 0.5 * k;
    }
    for (int way = 0; way < 2; way++) {
        def.camera.projection = (scree_picture_projection)way;
        def.camera.height = 2;
        CHECK_EQUAL(scree_lens_set(&lens, &def, 3, sky, lower, upper, NULL), SCREE_OK);
        scree_lens_point(&lens, def.camera.target, view);
        CHECK_NEAR(view[0], 0, 1e-12);
        CHECK_NEAR(view[1], 0, 1e-12);
        CHECK_NEAR(view[2], 1, 1e-12);
        CHECK(lens.sky[1] > 0 && fabs(lens.sky[0]) < 1e-12); /* up is up */
        CHECK_NEAR(scree_lens_x(&lens, 150), 0, 1e-12);
        CHECK_NEAR(scree_lens_y(&lens, 100), 0, 1e-12);
        double half = way ? 1 / lens.unit : tan(0.25);
        CHECK_NEAR(scree_lens_y(&lens, 0), half, 1e-12);
        CHECK_NEAR(scree_lens_x(&lens, 300), 1.5 * half, 1e-12);
    }
    /* two dimensions: from above, y up */
    def.camera.placed = false;
    CHECK_EQUAL(scree_lens_set(&lens, &def, 2, sky, lower, upper, NULL), SCREE_OK);
    CHECK(lens.orthographic && lens.axis[0][0] == 1 && lens.axis[1][1] == 1 &&
          lens.axis[2][2] == -1);
    def.camera.placed = true;
    CHECK_EQUAL(scree_lens_set(&lens, &def, 2, sky, lower, upper, NULL), SCREE_OK);
    scree_lens_point(&lens, def.camera.target, view);
    CHECK_NEAR(view[0], 0, 1e-12);
    CHECK_NEAR(2 * scree_lens_y(&lens, 0) * lens.unit, 2, 1e-12);
    double none[3] = {0, 0, 0}, huge[3] = {3e200, 0, 4e200};
    CHECK(!scree_view_normalise(none));
    CHECK(scree_view_normalise(huge));
    CHECK_NEAR(huge[2], 0.8, 1e-15);
}

/*  All kinds of bars are drawn, and stay on the canvas. */
TEST(legends_suit_their_ranges)
{
    static const double ranges[][2] = {
        {0, 1},     {-1, 1},   {1e-9, 1e9},       {5, 5.0001}, {1e15, 1e15 + 2},
        {0.1, 0.3}, {1, 2000}, {-1e-300, 1e-300}, {0, 5e-324}, {-1e308, 1e308}};
    uint8_t *pixels = malloc(400 * 300 * 3);
    scree_palette *palette = malloc(sizeof *palette);
    double values[3] = {1, 3, 1e300}; /* kinds may be far apart */
    const scree_wall_colours no_walls = {.is_on = false};
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
        for (int way = 0; way < 4; way++) {
            scree_picture_def def = scree_default_picture_def();
            scree_roster roster = {.value = values, .count = 3, .unit = way ? "m" : ""};
            scree_canvas canvas = scree_canvas_of(pixels, 400, 300);
            uint32_t marked = 0;
            memset(pixels, 0, 400 * 300 * 3);
            memcpy(roster.range, ranges[k], sizeof roster.range);
            roster.is_count = way == 2;
            def.logarithmic = way == 1 && ranges[k][0] > 0;
            def.title = k == 1 ? NULL : k == 2 ? "title" : "";
            if (way == 3) {
                roster.range[0] = 1;
                roster.range[1] = 3;
            }
            scree_palette_set(palette, way == 3 ? SCREE_MAP_PEBBLES : SCREE_MAP_EMBER);
            scree_legend_draw(&canvas, &def, &roster, palette, &no_walls,
                              way == 0 ? (double)k * 1e-5 - 2e-5
                              : k == 3 ? 2e5
                                       : way * 123.4567);
            for (size_t p = 0; p < 400 * 300 * 3; p++)
                marked += pixels[p] > 60;
            CHECK(marked > (way == 3 ? 200 : 1500));
        }
    free(palette);
    free(pixels);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(numbers_are_written_plainly),
        CASE(letters_are_all_there),
        CASE(maps_are_even),
        CASE(fields_are_what_they_say),
        CASE(lenses_see_where_they_point),
        CASE(legends_suit_their_ranges),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
