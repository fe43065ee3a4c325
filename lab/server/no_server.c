/*  Replaces the server if the program was built without libwebsockets. */
#include "server.h"

#include "base/error.h"

#ifndef SCREE_HAVE_WEBSOCKETS

bool scree_lab_server_available(void)
{
    return false;
}

scree_status scree_lab_server_create(const scree_lab_server_def *def, scree_lab_server **server,
                                     scree_error *error)
{
    (void)def;
    *server = NULL;
    return scree_fail(error, SCREE_BAD_ARGUMENT,
                      "this program was built without libwebsockets, and cannot serve the lab; "
                      "install libwebsockets-dev and pkg-config, and build it again");
}

void scree_lab_server_destroy(scree_lab_server *server)
{
    (void)server;
}

const char *scree_lab_server_url(const scree_lab_server *server)
{
    (void)server;
    return "";
}

void scree_lab_server_wake(void *server)
{
    (void)server;
}

void scree_lab_server_run(scree_lab_server *server, scree_lab *lab, bool (*stops)(void *user),
                          void *user)
{
    (void)server;
    (void)lab;
    (void)stops;
    (void)user;
}

#else
/* ISO C forbids an empty file */
typedef int lab_server_is_here;
#endif
