/*  The laboratory's threads: many talk, listen and look while bodies move, and the network beside. What is right is that
    nothing is torn: the thread sanitizer watches, and what is read is whole. */
#include "base/clock.h"
#include "base/random.h"
#include "stand.h"

#define TALKERS 3

static const char small[] =
    "gravity { 0, 0, -9.81 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "fill { count = 60, material = grain, shape = sphere { radius = 0.01 },\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.2, 0.2, 0.2} } }\n";

static double run_seconds(void)
{
    return TEST_SEEKS_RACES ? 4 : TEST_EFFORT(0.5, 1.5);
}

typedef struct talker
{
    scree_lab *lab;
    uint32_t client;
    double until;
    struct talker *watcher;
    atomic_uint clouds, sheets;
} talker;

/*  Until its time is over, and on a busy machine until the watcher has seen something. */
static bool continues(const talker *t)
{
    double late = scree_clock_seconds() - t->until;
    bool has_seen = atomic_load(&t->watcher->clouds) > 2 && atomic_load(&t->watcher->sheets) > 5;
    return late < 0 || (!has_seen && late < 60);
}

/*  Any message but those that end what others need: numbers are small ones. */
static scree_lab_message some_message(scree_random *random)
{
    static const char *const methods[] = {"flat", "hashing", "bvh8", "dess2", "nosuch"};
    scree_lab_message m = {
        .kind = (scree_lab_kind)(SCREE_LAB_PLAY +
                                 scree_random_below(random, SCREE_LAB_KIND_END - SCREE_LAB_PLAY))};
    const char *text = m.kind == SCREE_LAB_SCENE    ? small
                       : m.kind == SCREE_LAB_METHOD ? methods[scree_random_below(random, 5)]
                                                    : "x=1";
    m.whole[0] = (uint32_t)scree_random_below(random, 8);
    m.whole[1] = (uint32_t)scree_random_below(random, 60);
    for (int k = 0; k < SCREE_LAB_NUMBERS; k++)
        m.number[k] = scree_random_unit(random) * 0.2;
    m.bytes = (const uint8_t *)text;
    m.byte_count = strlen(text);
    return m;
}

static void *talk(void *user)
{
    talker *t = user;
    scree_random random = scree_random_stream(t->client, 0);

    while (continues(t)) {
        scree_lab_message message = some_message(&random);
        /* all methods, and examples of any size, would take the time of the test */
        if (message.kind != SCREE_LAB_RACE && message.kind != SCREE_LAB_EXAMPLE)
            scree_lab_tell(t->lab, t->client, &message);
        sleep_some();
    }
    scree_lab_forget(t->lab, t->client);
    return NULL;
}

static void *look(void *user)
{
    talker *t = user;
    scree_lab_cloud cloud = {0};
    uint64_t known[SCREE_LAB_BOARDS] = {0};

    while (continues(t)) {
        scree_lab_want(t->lab);
        atomic_fetch_add(&t->clouds, scree_lab_take(t->lab, &cloud));
        for (int board = 0; board < SCREE_LAB_BOARDS; board++) {
            scree_lab_sheet sheet;
            if (scree_lab_board_version(t->lab, (scree_lab_board)board) == known[board] ||
                scree_lab_board_read(t->lab, (scree_lab_board)board, 0, &sheet))
                continue;
            known[board] = sheet.version;
            atomic_fetch_add(&t->sheets, sheet.count > 0);
            free(sheet.bytes);
        }
    }
    scree_lab_cloud_free(&cloud);
    return NULL;
}

static void ignore(void *user)
{
    (void)user;
}

TEST(many_talk_while_bodies_move)
{
    scree_lab_def def = {.threads = 2, .max_bodies = 3000, .max_bytes = 1u << 30, .wake = ignore};
    scree_error error = {SCREE_OK, ""};
    scree_lab_message scene = {
        .kind = SCREE_LAB_SCENE, .bytes = (const uint8_t *)small, .byte_count = sizeof small - 1};
    pthread_t thread[TALKERS], looker;
    talker talkers[TALKERS], watcher;
    scree_lab *lab;

    if (scree_lab_create(&def, &lab, &error))
        FAIL("%s", error.text);
    CHECK(scree_lab_tell(lab, 1, &scene));
    double until = scree_clock_seconds() + run_seconds();
    watcher = (talker){.lab = lab, .until = until, .watcher = &watcher};
    for (int i = 0; i < TALKERS; i++) {
        talkers[i] =
            (talker){.lab = lab, .client = (uint32_t)i + 1, .until = until, .watcher = &watcher};
        CHECK(pthread_create(&thread[i], NULL, talk, &talkers[i]) == 0);
    }
    CHECK(pthread_create(&looker, NULL, look, &watcher) == 0);
    for (int i = 0; i < TALKERS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(looker, NULL);
    CHECK(atomic_load(&watcher.clouds) > 2);
    CHECK(atomic_load(&watcher.sheets) > 5);
    scree_lab_destroy(lab);
}

typedef struct visitor
{
    const stand *stand;
    double until;
    unsigned frames;
    uint32_t seed;
} visitor;

/*  Comes, says what it wants, draws some frames, plays, pours, and goes again. */
static void *visit(void *user)
{
    static const uint8_t ready[9] = {1, 0, 0, 0, 0, 15}, play[5] = {2, 1},
                         overlay[9] = {25, 3, 0, 0, 0, 255, 255}, step[5] = {3, 5};
    visitor *v = user;
    uint8_t drawn[9] = {1, 1, 0, 0, 0, 15};

    while (scree_clock_seconds() < v->until) {
        int handle = join(v->stand, "/", v->stand->host, v->stand->origin);
        if (handle < 0)
            continue;
        client_send_frame(handle, 2, true, ready, sizeof ready);
        client_send_frame(handle, 2, true, overlay, sizeof overlay);
        client_send_frame(handle, 2, true, v->seed % 2 ? play : step, sizeof play);
        for (int k = 0; k < 30 && scree_clock_seconds() < v->until; k++) {
            uint8_t *bytes;
            size_t count;
            int opcode = client_receive(handle, &bytes, &count);
            bool is_frame = opcode == 2 && count > 4 && bytes[0] == 1;
            free(bytes);
            v->frames += is_frame;
            if (is_frame)
                client_send_frame(handle, 2, true, drawn, sizeof drawn);
            if (opcode <= 0)
                break;
        }
        close(handle);
    }
    return NULL;
}

TEST(many_visit_at_once)
{
    pthread_t thread[TALKERS];
    visitor visitors[TALKERS];
    unsigned frames = 0;
    stand s;

    if (!scree_lab_server_available())
        return;
    open_stand(&s, false, TALKERS);
    double until = scree_clock_seconds() + run_seconds();
    for (int i = 0; i < TALKERS; i++) {
        visitors[i] = (visitor){&s, until, 0, (uint32_t)i};
        CHECK(pthread_create(&thread[i], NULL, visit, &visitors[i]) == 0);
    }
    for (int i = 0; i < TALKERS; i++) {
        pthread_join(thread[i], NULL);
        frames += visitors[i].frames;
    }
    CHECK(frames > 0);
    close_stand(&s);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(many_talk_while_bodies_move),
        CASE(many_visit_at_once),
    };
    if (!scree_scene_available()) {
        printf("test_lab_threads: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
