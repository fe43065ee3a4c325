/*  How fast a laboratory is that is looked at (GC-38): frames that reach a client on the same machine in a second, and what
    share of its thread's time, and of what the processor gives it, goes into the simulation (./do bench lab). The client draws nothing: what a page can draw is a
    matter of its own. Methods that are switched while it runs and bodies that are picked: browser.mjs. */
#include "base/clock.h"
#include "stand.h"

#define WARM_SECONDS 3
#define SECONDS 10

typedef struct lab_scene
{
    const char *name, *scene;
    double count;
} lab_scene;

#define DISCS(count, high)                                                                         \
    "domain { dimensions = 2 }\n"                                                                  \
    "gravity { 0, -9.81 }\n"                                                                       \
    "g = material { density = 20, stiffness = 1e4, restitution = 0.5, friction = 0.3 }\n"          \
    "rule { law = \"linear\" }\n"                                                                  \
    "wall { shape = box { lower = {0, 0}, upper = {1, 2} }, material = g }\n"                      \
    "fill { count = " count ", material = g, shape = sphere { radius = uniform(0.001, 0.003) },\n" \
    "       region = box { lower = {0, 0}, upper = {1, " high "} } }\n"                            \
    "run { time = 100 }\n"

#define SPHERES(count, side, high)                                                                 \
    "gravity { 0, 0, -9.81 }\n"                                                                    \
    "g = material { density = 2500, young = 1e7, restitution = 0.5, friction = 0.3 }\n"            \
    "wall { shape = box { lower = {0, 0, 0}, upper = {" side ", " side ", 2} }, material = g }\n"  \
    "fill { count = " count ", material = g, shape = sphere { radius = uniform(0.001, 0.003) },\n" \
    "       region = box { lower = {0, 0, 0}, upper = {" side ", " side ", " high "} } }\n"        \
    "run { time = 100 }\n"

static const lab_scene scenes[] = {
    {"1,000 discs", DISCS("1000", "0.06"), 1000},
    {"5,000 discs", DISCS("5000", "0.3"), 5000},
    {"20,000 discs", DISCS("20000", "1.2"), 20000},
    {"10,000 spheres", SPHERES("10000", "0.15", "0.14"), 10000},
    {"100,000 spheres", SPHERES("100000", "0.3", "0.35"), 100000},
};

typedef struct figures
{
    double seconds, bytes, busy, devoted, steps;
    unsigned frames, statuses;
} figures;

static double number_of(const uint8_t *text, const char *name)
{
    const char *at = strstr((const char *)text, name);
    return at ? strtod(at + strlen(name), NULL) : 0;
}

/*  So that another is sent. */
static void say_drawn(int handle)
{
    static const uint8_t drawn[9] = {1, 1, 0, 0, 0, 15};
    client_send_frame(handle, 2, true, drawn, sizeof drawn);
}

/*  Until its world is there. */
static void await_bodies(int handle, const lab_scene *c)
{
    double there = 0, until = scree_clock_seconds() + 60;

    while (there != c->count) {
        uint8_t *bytes;
        size_t count;
        int opcode = client_receive(handle, &bytes, &count);
        CHECK(opcode > 0 && scree_clock_seconds() < until);
        if (opcode == 1 && strstr((char *)bytes, "\"busy\":"))
            there = number_of(bytes, "\"bodies\":");
        if (opcode == 2 && bytes[0] == 1)
            say_drawn(handle);
        free(bytes);
    }
}

/*  As a screen does, that shows sixty pictures a second. */
static void wait_for_screen(double *due)
{
    double now = scree_clock_seconds(), left = *due - now;
    struct timespec pause = {0, (long)(1e9 * left)};

    if (left > 0)
        nanosleep(&pause, NULL);
    *due = (left > 0 ? *due : now) + 1.0 / 60;
}

/*  All that comes until then, each frame acknowledged as soon as a screen had shown it. */
static void listen_until(int handle, double until, figures *f)
{
    double due = 0;

    while (scree_clock_seconds() < until) {
        uint8_t *bytes;
        size_t count;
        int opcode = client_receive(handle, &bytes, &count);
        CHECK(opcode > 0);
        if (opcode == 2 && bytes[0] == 1) {
            f->frames++;
            f->bytes += (double)count;
            wait_for_screen(&due);
            say_drawn(handle);
        } else if (opcode == 1 && strstr((char *)bytes, "\"busy\":")) {
            f->statuses++;
            f->busy += number_of(bytes, "\"busy\":");
            f->devoted += number_of(bytes, "\"devoted\":");
            f->steps += number_of(bytes, "\"steps_per_second\":");
        }
        free(bytes);
    }
}

static figures look_at(const lab_scene *c)
{
    static const uint8_t ready[9] = {1, 0, 0, 0, 0, 15}, play[5] = {2, 1};
    scree_lab_message scene = {.kind = SCREE_LAB_SCENE,
                               .bytes = (const uint8_t *)c->scene,
                               .byte_count = strlen(c->scene)};
    figures warm = {0}, f = {0};
    stand s;

    open_stand(&s, false, 2);
    int handle = join(&s, "/", s.host, s.origin);
    CHECK(handle >= 0);
    CHECK(scree_lab_tell(s.lab, 1, &scene));
    client_send_frame(handle, 2, true, ready, sizeof ready);
    await_bodies(handle, c);
    client_send_frame(handle, 2, true, play, sizeof play);
    listen_until(handle, scree_clock_seconds() + WARM_SECONDS, &warm);
    double began = scree_clock_seconds();
    listen_until(handle, began + SECONDS, &f);
    f.seconds = scree_clock_seconds() - began;
    close(handle);
    close_stand(&s);
    return f;
}

TEST(how_fast_it_is_looked_at)
{
    PROVES("GC-38");
    printf("| bodies | frames a second | MB a second | steps a second | share of the time | of the "
           "thread's |\n"
           "|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        figures f = look_at(&scenes[k]);
        double told = f.statuses ? f.statuses : 1;
        printf("| %s | %.1f | %.1f | %.0f | %.1f %% | %.1f %% |\n", scenes[k].name,
               f.frames / f.seconds, f.bytes / f.seconds / 1e6, f.steps / told, 100 * f.busy / told,
               100 * f.devoted / told);
        FIGURE("%s: %.1f frames a second", scenes[k].name, f.frames / f.seconds);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {CASE(how_fast_it_is_looked_at)};

    if (!scree_scene_available() || !scree_lab_server_available()) {
        fprintf(stderr, "lab_speed: there is no Lua, or no server, in this build\n");
        return 77;
    }
    return test_main(argc, argv, tests, 1);
}
