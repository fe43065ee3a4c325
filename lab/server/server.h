/*  The page and its socket, over HTTP: one thread that waits for the network and for news of the lab. */
#ifndef SCREE_LAB_SERVER_H
#define SCREE_LAB_SERVER_H

#include "guard.h"
#include "lab.h"

typedef struct scree_lab_server scree_lab_server;

typedef struct scree_lab_server_def
{
    const char *address; /* that is listened on: "127.0.0.1" */
    uint32_t port;       /* 0: one that is free */
    bool has_token;      /* is asked for; must be where the address is not of this machine alone */
    uint32_t most_clients;
} scree_lab_server_def;

/*  Whether there is a server: the program was built with libwebsockets. */
bool scree_lab_server_available(void);

/*  Listens. SCREE_IO_ERROR (the port is taken, no such address), SCREE_OUT_OF_MEMORY, SCREE_BAD_ARGUMENT (a
    program without libwebsockets). */
scree_status scree_lab_server_create(const scree_lab_server_def *def, scree_lab_server **server,
                                     scree_error *error);
void scree_lab_server_destroy(scree_lab_server *server); /* NULL is fine */

/*  What a browser is to open, with the token where one is asked for. */
const char *scree_lab_server_url(const scree_lab_server *server);
/*  For scree_lab_def: may be called from any thread. */
void scree_lab_server_wake(void *server);
/*  Serves until `stops` says so, which is asked every half a second at least. */
void scree_lab_server_run(scree_lab_server *server, scree_lab *lab, bool (*stops)(void *user),
                          void *user);

#endif
