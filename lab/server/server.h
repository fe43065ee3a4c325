/*  Serves the page and its socket over HTTP: one thread that waits for the network and for new output of the lab. */
#ifndef SCREE_LAB_SERVER_H
#define SCREE_LAB_SERVER_H

#include "guard.h"
#include "lab.h"
#include "runs.h"

typedef struct scree_lab_server scree_lab_server;

typedef struct scree_lab_server_def
{
    const char *address; /* listening address: "127.0.0.1" */
    uint32_t port;       /* 0: any free port */
    bool
        has_token; /* require a token; must be set if the address is reachable from other machines */
    uint32_t max_clients;
    scree_lab_runs runs; /* its arrays must exist as long as the server */
} scree_lab_server_def;

/*  Whether the program was built with libwebsockets. */
bool scree_lab_server_available(void);

/*  Starts listening. SCREE_IO_ERROR (the port is in use, no such address), SCREE_OUT_OF_MEMORY, SCREE_BAD_ARGUMENT
    (built without libwebsockets). */
scree_status scree_lab_server_create(const scree_lab_server_def *def, scree_lab_server **server,
                                     scree_error *error);
void scree_lab_server_destroy(scree_lab_server *server); /* NULL is allowed */

/*  The URL to open in a browser, with the token if one is required. */
const char *scree_lab_server_url(const scree_lab_server *server);
/*  For scree_lab_def; may be called from any thread. */
void scree_lab_server_wake(void *server);
/*  Serves until `stops` returns true, which is called at least every half second. */
void scree_lab_server_run(scree_lab_server *server, scree_lab *lab, bool (*stops)(void *user),
                          void *user);

#endif
