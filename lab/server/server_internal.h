/*  Internals of the server: the connected pages and what each has received. */
#ifndef SCREE_LAB_SERVER_INTERNAL_H
#define SCREE_LAB_SERVER_INTERNAL_H

#include "page.h"
#include "server.h"
#include "viewer.h"

#include <libwebsockets.h>

#define LAB_RECEIVE_MOST                                                                           \
    ((size_t)256 << 20) /* bytes of incomplete messages, of all pages together */

/*  One page. */
typedef struct lab_client
{
    struct lab_client *next;
    struct lws *wsi;
    scree_lab_bucket bucket;
    scree_lab_viewer viewer;
    uint8_t *message; /* incoming, incomplete */
    size_t count, room;
    int closes_with;  /* close with this status once all data are sent; 0: stays open */
    char reason[124]; /* the largest payload of a close frame */
} lab_client;

struct scree_lab_server
{
    struct lws_context *context;
    struct lws_vhost *host;
    lws_sorted_usec_list_t timer;
    scree_lab_guard guard;
    scree_lab_runs runs;
    uint32_t max_clients, client_count, last_number;
    lab_client *clients;
    size_t held; /* bytes of incomplete incoming messages */
    char url[200];
    scree_lab *lab;
    scree_lab_film film;
    scree_lab_cloud spare;
};

/*  State of a request for a file of the page. */
typedef struct lab_request
{
    const scree_page_file *file; /* one of the page, or `own` */
    size_t sent;
    scree_lab_answer answer; /* about a run */
    scree_page_file own;
} lab_request;

int scree_lab_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t length);
int scree_lab_on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t length);
/*  Checks a request for a socket: the HTTP status of the refusal, or 0. */
unsigned scree_lab_refusal(struct lws *wsi);
/*  Whether a request has the token, if one is required. */
bool scree_lab_has_token(struct lws *wsi);
/*  New output is available. */
void scree_lab_server_look(scree_lab_server *server);

scree_lab_server *scree_lab_server_of(struct lws *wsi);
/*  A header of the request: "" if it is missing or too long. */
void scree_lab_header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t room);

#endif
