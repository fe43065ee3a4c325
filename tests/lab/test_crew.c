/*  How many of the laboratory's threads compute: as many as may at most, all of them where there is enough to do, and
    bodies go the same ways. */
#include "base/clock.h"
#include "base/tasks.h"
#include "lab_internal.h"
#include "test.h"

#include <time.h>

#define THREADS 4
#define BLOCKS 64

/*  Threads that have come so far, of which as many are waited for as should. */
typedef struct roll
{
    pthread_mutex_t lock;
    pthread_t thread[BLOCKS];
    uint32_t count, wanted;
    double until;
} roll;

static uint32_t call(roll *r)
{
    uint32_t k = 0;

    pthread_mutex_lock(&r->lock);
    while (k < r->count && !pthread_equal(r->thread[k], pthread_self()))
        k++;
    if (k == r->count)
        r->thread[r->count++] = pthread_self();
    uint32_t count = r->count;
    pthread_mutex_unlock(&r->lock);
    return count;
}

/*  No worker ends a block before all are there that should be: then they work at one time. And it takes so long that one
    who should not be there comes, too. */
static void answer(void *data, size_t block, uint32_t worker)
{
    roll *r = data;

    (void)block;
    (void)worker;
    while (call(r) < r->wanted && scree_clock_seconds() < r->until)
        ;
    nanosleep(&(struct timespec){0, 300000}, NULL);
}

TEST(as_many_work_as_may)
{
    static const uint32_t may[] = {THREADS, 1, 3, 2, 1, THREADS, 2};
    scree_pool *pool;
    lab_crew crew;

    CHECK(!scree_pool_create(THREADS, NULL, &pool));
    scree_lab_crew_begin(&crew, pool, 0);
    scree_workers workers = {.tasks = scree_lab_crew_tasks(&crew), .count = crew.all.worker_count};
    CHECK_EQUAL(workers.count, THREADS);
    CHECK_EQUAL(crew.at_work, THREADS);
    for (size_t k = 0; k < sizeof may / sizeof *may; k++) {
        roll r = {.wanted = may[k], .until = scree_clock_seconds() + 60};
        pthread_mutex_init(&r.lock, NULL);
        crew.at_work = may[k];
        scree_workers_run(&workers, BLOCKS, answer, &r);
        CHECK_EQUAL(r.count, may[k]);
        CHECK_EQUAL(crew.helping, 0);
        pthread_mutex_destroy(&r.lock);
    }
    scree_pool_destroy(pool);
}

TEST(begins_with_what_there_is)
{
    static const uint32_t asked[] = {0, 1, 2, 3, 100}, given[] = {3, 1, 2, 3, 3};
    scree_pool *pool;
    lab_crew crew;

    CHECK(!scree_pool_create(3, NULL, &pool));
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        scree_lab_crew_begin(&crew, pool, asked[k]);
        CHECK_EQUAL(crew.at_work, given[k]);
    }
    scree_pool_destroy(pool);
}

/* ---- in a laboratory ------------------------------------------------------------------------------------- */

static const char many[] =
    "gravity { 0, 0, -9.81 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "fill { count = 4000, material = grain, shape = sphere { radius = 0.01 },\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.5, 0.5, 0.3} } }\n"
    "run { time = 1 }\n";

static void ignore(void *user)
{
    (void)user;
}

static scree_lab *open_lab(uint32_t threads)
{
    scree_lab_def def = {.threads = threads,
                         .max_bodies = 100000,
                         .max_bytes = (size_t)1 << 30,
                         .is_driven = true,
                         .wake = ignore};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    if (scree_lab_create(&def, &lab, &error))
        FAIL("%s", error.text);
    return lab;
}

static void tell(scree_lab *lab, scree_lab_kind kind, uint32_t whole, const char *text)
{
    scree_lab_message message = {.kind = kind,
                                 .whole = {whole},
                                 .bytes = (const uint8_t *)text,
                                 .byte_count = text ? strlen(text) : 0};

    CHECK(scree_lab_tell(lab, 1, &message));
    scree_lab_turn(lab);
}

TEST(threads_change_and_nothing_else_does)
{
    uint64_t digest[2];

    for (int round = 0; round < 2; round++) {
        scree_lab *lab = open_lab(round ? THREADS : 1);
        tell(lab, SCREE_LAB_SCENE, 0, many);
        for (uint32_t k = 0; k < 2 * THREADS; k++) {
            if (round)
                tell(lab, SCREE_LAB_THREADS, 1 + (3 * k) % THREADS, NULL);
            tell(lab, SCREE_LAB_STEP, 20, NULL);
        }
        CHECK_EQUAL(scree_world_clock(lab->world).steps, 40 * THREADS);
        CHECK(scree_world_detection_stats(lab->world).contacts > 0);
        digest[round] = scree_lab_digest(lab);
        scree_lab_destroy(lab);
    }
    CHECK(digest[0] == digest[1]);
}

static void check_board(scree_lab *lab, scree_lab_board board, const char *part)
{
    scree_lab_sheet sheet;

    CHECK(!scree_lab_board_read(lab, board, 0, &sheet));
    sheet.bytes[sheet.count] = 0;
    CHECK_SAYS((char *)sheet.bytes, part);
    free(sheet.bytes);
}

TEST(no_more_work_than_there_are)
{
    scree_lab *lab = open_lab(3);

    check_board(lab, SCREE_LAB_HELLO, "\"max_threads\": 3,");
    tell(lab, SCREE_LAB_THREADS, 2, NULL);
    CHECK_EQUAL(lab->crew.at_work, 2);
    tell(lab, SCREE_LAB_THREADS, 4, NULL);
    check_board(lab, SCREE_LAB_NOTE, "threads: 4, should be 1 to 3");
    tell(lab, SCREE_LAB_THREADS, 0, NULL);
    check_board(lab, SCREE_LAB_NOTE, "threads: 0, should be 1 to 3");
    CHECK_EQUAL(lab->crew.at_work, 2);
    lab->status_due = 0;
    tell(lab, SCREE_LAB_STEP, 1, NULL);
    check_board(lab, SCREE_LAB_STATUS, "\"threads\": 2,");
    scree_lab_destroy(lab);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(as_many_work_as_may),
        CASE(begins_with_what_there_is),
        CASE(threads_change_and_nothing_else_does),
        CASE(no_more_work_than_there_are),
    };
    if (!scree_scene_available()) {
        printf("test_lab_crew: skipped: no Lua\n");
        return 77;
    }
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
