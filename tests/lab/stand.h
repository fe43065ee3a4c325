/*  A laboratory with its server in a thread of its own, for tests that come as clients. */
#ifndef SCREE_TESTS_LAB_STAND_H
#define SCREE_TESTS_LAB_STAND_H

#include "lab.h"
#include "scene.h"
#include "server.h"

#include "client.h"
#include "test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

typedef struct stand
{
    scree_lab_server *server;
    scree_lab *lab;
    pthread_t thread;
    atomic_bool stops;
    uint32_t port;
    char host[40], origin[60];
} stand;

static inline void sleep_some(void)
{
    struct timespec pause = {0, 5000000};
    nanosleep(&pause, NULL);
}

static inline bool has_stopped(void *user)
{
    stand *s = user;
    return atomic_load(&s->stops);
}

static inline void *serve(void *user)
{
    stand *s = user;
    scree_lab_server_run(s->server, s->lab, has_stopped, s);
    return NULL;
}

static inline void open_stand_of_runs(stand *s, bool has_token, uint32_t max_clients,
                                      scree_lab_runs runs)
{
    scree_lab_server_def def = {
        .address = "127.0.0.1", .has_token = has_token, .max_clients = max_clients, .runs = runs};
    scree_error error = {SCREE_OK, ""};
    unsigned port;

    memset(s, 0, sizeof *s);
    if (scree_lab_server_create(&def, &s->server, &error))
        FAIL("%s", error.text);
    CHECK(sscanf(scree_lab_server_url(s->server), "http://127.0.0.1:%u/", &port) == 1);
    s->port = port;
    snprintf(s->host, sizeof s->host, "127.0.0.1:%u", port);
    snprintf(s->origin, sizeof s->origin, "http://%s", s->host);
    scree_lab_def lab = {.threads = 1,
                         .max_bodies = 100000,
                         .max_bytes = (size_t)1 << 30,
                         .wake = scree_lab_server_wake,
                         .user = s->server};
    if (scree_lab_create(&lab, &s->lab, &error))
        FAIL("%s", error.text);
    CHECK(pthread_create(&s->thread, NULL, serve, s) == 0);
}

static inline void open_stand(stand *s, bool has_token, uint32_t max_clients)
{
    open_stand_of_runs(s, has_token, max_clients, (scree_lab_runs){0});
}

static inline void close_stand(stand *s)
{
    atomic_store(&s->stops, true);
    scree_lab_server_wake(s->server);
    pthread_join(s->thread, NULL);
    scree_lab_destroy(s->lab);
    scree_lab_server_destroy(s->server);
}

static inline int join(const stand *s, const char *path, const char *host, const char *origin)
{
    int handle = client_connect(s->port);

    CHECK(handle >= 0);
    int code = client_upgrade(handle, path, host, origin, "scree-lab");
    if (code == 101)
        return handle;
    close(handle);
    return -code;
}

/*  Waits for a text with these words, or with NULL for a frame. */
static inline void await(int handle, const char *words)
{
    for (int k = 0; k < 5000; k++) {
        uint8_t *bytes;
        size_t count;
        int opcode = client_receive(handle, &bytes, &count);
        bool is_it = opcode > 0 && (words ? opcode == 1 && strstr((char *)bytes, words)
                                          : opcode == 2 && bytes[0] == 1);
        free(bytes);
        if (is_it)
            return;
        CHECK(opcode > 0);
    }
    FAIL("never heard \"%s\"", words ? words : "a frame");
}

#endif
