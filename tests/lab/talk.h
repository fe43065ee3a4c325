/*  What tests of the laboratory without its server share: one is opened, told something, and its boards are awaited. */
#ifndef SCREE_LAB_TALK_H
#define SCREE_LAB_TALK_H

#include "lab.h"
#include "scene.h"

#include "base/clock.h"
#include "test.h"

#include <stdatomic.h>
#include <time.h>

static atomic_int woken;

static inline void wake(void *user)
{
    (void)user;
    atomic_fetch_add(&woken, 1);
}

static inline scree_lab *open_lab(const char *scene, uint64_t max_bodies)
{
    scree_lab_def def = {.scene = scene,
                         .threads = 1,
                         .max_bodies = max_bodies,
                         .max_bytes = (size_t)1 << 30,
                         .wake = wake};
    scree_error error = {SCREE_OK, ""};
    scree_lab *lab;

    if (scree_lab_create(&def, &lab, &error))
        FAIL("%s", error.text);
    return lab;
}

static inline void tell(scree_lab *lab, scree_lab_kind kind, uint32_t whole, const double *numbers,
                        const char *text)
{
    scree_lab_message message = {.kind = kind, .whole = {whole}};

    if (numbers)
        memcpy(message.number, numbers, 8 * sizeof *numbers);
    message.bytes = (const uint8_t *)text;
    message.byte_count = text ? strlen(text) : 0;
    CHECK(scree_lab_tell(lab, 1, &message));
}

static inline void sleep_some(void)
{
    struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
}

/*  Waits until the board says so; the text is to be freed. */
static inline char *await_after(scree_lab *lab, scree_lab_board board, uint64_t version,
                                const char *part)
{
    double until = scree_clock_seconds() + 60;

    while (scree_clock_seconds() < until) {
        scree_lab_sheet sheet;
        CHECK(!scree_lab_board_read(lab, board, 0, &sheet));
        sheet.bytes[sheet.count] = 0;
        if (sheet.version > version && sheet.is_text && strstr((char *)sheet.bytes, part))
            return (char *)sheet.bytes;
        free(sheet.bytes);
        sleep_some();
    }
    FAIL("board %d never says \"%s\"", (int)board, part);
}

static inline void await(scree_lab *lab, scree_lab_board board, const char *part)
{
    free(await_after(lab, board, 0, part));
}

/*  The number after "key": */
static inline double number_of(const char *json, const char *key)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    const char *at = strstr(json, wanted);
    CHECK(at);
    return strtod(at + strlen(wanted), NULL);
}

/*  Slot and number of the body in a slot. */
static inline void body_in(scree_lab *lab, uint32_t slot, scree_lab_message *message)
{
    scree_lab_cloud cloud = {0};
    double until = scree_clock_seconds() + 60;

    scree_lab_want(lab);
    while (!scree_lab_take(lab, &cloud) && scree_clock_seconds() < until)
        sleep_some();
    CHECK(cloud.slot_count > slot);
    message->whole[0] = slot;
    message->whole[1] = cloud.number[slot];
    scree_lab_cloud_free(&cloud);
}

/*  A number of four bytes, the lowest first. */
static inline uint32_t whole_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline void check_damping(const char *board, double global_damping, double local_damping)
{
    CHECK(number_of(board, "global_damping") == global_damping);
    CHECK(number_of(board, "local_damping") == local_damping);
}

#endif
