/*  Listens and waits for the network and for new output of the lab; twice a second it also checks whether to stop. */
#include "server.h"

#ifdef SCREE_HAVE_WEBSOCKETS
#include "server_internal.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HALF_A_SECOND (500 * LWS_US_PER_MS)
#define SECONDS_TO_SPEAK 10 /* timeout for a connection that has not sent a request */

static const struct lws_protocols protocols[] = {
    {.name = "http", .callback = scree_lab_on_http, .per_session_data_size = sizeof(lab_request)},
    {.name = "scree-lab",
     .callback = scree_lab_on_socket,
     .per_session_data_size = sizeof(lab_client),
     .rx_buffer_size = 65536},
    {.name = NULL},
};

/*  A silent page is pinged; if it does not answer it is disconnected. */
static const lws_retry_bo_t liveness = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 45};

bool scree_lab_server_available(void)
{
    return true;
}

/* ---- the port -------------------------------------------------------------------------------------------- */

typedef union lab_address
{
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} lab_address;

/*  Returns false if it is not a numeric address. */
static bool read_address(const char *text, uint32_t port, lab_address *address, socklen_t *length)
{
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, text, &address->four.sin_addr) == 1) {
        address->four.sin_family = AF_INET;
        address->four.sin_port = htons((uint16_t)port);
        *length = sizeof address->four;
        return true;
    }
    address->six.sin6_family = AF_INET6;
    address->six.sin6_port = htons((uint16_t)port);
    *length = sizeof address->six;
    return inet_pton(AF_INET6, text, &address->six.sin6_addr) == 1;
}

/*  Checks whether the port is available, and reports which one or why not, as the library does neither. */
static scree_status try_port(const scree_lab_server_def *def, uint32_t *port, scree_error *error)
{
    lab_address address;
    socklen_t length;
    int yes = 1;

    if (!read_address(def->address, def->port, &address, &length))
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "\"%.100s\" is not an address such as 127.0.0.1 or ::1", def->address);
    int handle = socket(address.any.sa_family, SOCK_STREAM, 0);
    if (handle < 0)
        return scree_fail(error, SCREE_IO_ERROR, "no socket: %s", strerror(errno));
    setsockopt(handle, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    bool good = bind(handle, &address.any, length) == 0 && listen(handle, 1) == 0 &&
                getsockname(handle, &address.any, &length) == 0;
    int why = errno;
    close(handle);
    *port = ntohs(address.any.sa_family == AF_INET ? address.four.sin_port : address.six.sin6_port);
    if (good)
        return SCREE_OK;
    if (why == EADDRINUSE)
        return scree_fail(error, SCREE_IO_ERROR,
                          "port %u is taken by another program; choose one with --port, or 0 for "
                          "any that is free",
                          (unsigned)def->port);
    return scree_fail(error, SCREE_IO_ERROR, "cannot listen on %.100s port %u: %s", def->address,
                      (unsigned)def->port, strerror(why));
}

/* ---- creation and destruction ---------------------------------------------------------------------------- */

static scree_status listen_there(scree_lab_server *server, scree_error *error)
{
    struct lws_context_creation_info info;
    bool is_six = strchr(server->guard.address, ':') != NULL;

    memset(&info, 0, sizeof info);
    info.port = (int)server->guard.port;
    info.iface = server->guard.address;
    info.protocols = protocols;
    info.user = server;
    info.options =
        LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND | (is_six ? 0 : LWS_SERVER_OPTION_DISABLE_IPV6);
    info.timeout_secs = SECONDS_TO_SPEAK;
    info.keepalive_timeout = SECONDS_TO_SPEAK;
    info.retry_and_idle_policy = &liveness;
    lws_set_log_level(0, NULL);
    server->context = lws_create_context(&info);
    return server->context ? SCREE_OK
                           : scree_fail(error, SCREE_IO_ERROR, "cannot listen on %.100s port %u",
                                        server->guard.address, (unsigned)server->guard.port);
}

static void write_url(scree_lab_server *server)
{
    const char *address = server->guard.address;
    bool is_any = strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
    bool is_six = strchr(address, ':') && !is_any;

    snprintf(server->url, sizeof server->url, "http://%s%.100s%s:%u/%s%s", is_six ? "[" : "",
             is_any ? "localhost" : address, is_six ? "]" : "", (unsigned)server->guard.port,
             server->guard.token[0] ? "?token=" : "", server->guard.token);
}

scree_status scree_lab_server_create(const scree_lab_server_def *def, scree_lab_server **made,
                                     scree_error *error)
{
    scree_lab_server *server = calloc(1, sizeof *server);

    *made = NULL;
    if (!server)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "server: out of memory");
    server->guard.address = def->address;
    server->guard.is_open = !scree_lab_is_loopback(def->address);
    server->max_clients = def->max_clients;
    server->runs = def->runs;
    scree_status status = SCREE_OK;
    if (server->guard.is_open && !def->has_token)
        status = scree_fail(error, SCREE_BAD_ARGUMENT, "%.100s: other machines need a token",
                            def->address);
    if (!status)
        status = try_port(def, &server->guard.port, error);
    if (!status && def->has_token && !scree_lab_make_token(server->guard.token))
        status = scree_fail(error, SCREE_IO_ERROR, "/dev/urandom: no random numbers for a token");
    if (!status)
        status = listen_there(server, error);
    if (status) {
        scree_lab_server_destroy(server);
        return status;
    }
    write_url(server);
    *made = server;
    return SCREE_OK;
}

void scree_lab_server_destroy(scree_lab_server *server)
{
    if (!server)
        return;
    if (server->context)
        lws_context_destroy(server->context);
    scree_lab_film_free(&server->film);
    scree_lab_cloud_free(&server->spare);
    free(server);
}

const char *scree_lab_server_url(const scree_lab_server *server)
{
    return server->url;
}

void scree_lab_server_wake(void *user)
{
    scree_lab_server *server = user;
    lws_cancel_service(server->context);
}

static void tick(lws_sorted_usec_list_t *timer)
{
    scree_lab_server *server = lws_container_of(timer, scree_lab_server, timer);
    lws_sul_schedule(server->context, 0, timer, tick, HALF_A_SECOND);
}

void scree_lab_server_run(scree_lab_server *server, scree_lab *lab, bool (*stops)(void *user),
                          void *user)
{
    server->lab = lab;
    lws_sul_schedule(server->context, 0, &server->timer, tick, HALF_A_SECOND);
    while (!stops(user) && lws_service(server->context, 0) >= 0)
        continue;
    lws_sul_schedule(server->context, 0, &server->timer, tick, LWS_SET_TIMER_USEC_CANCEL);
    server->lab = NULL;
}

#else
/* ISO C forbids an empty file */
typedef int lab_server_is_elsewhere;
#endif
