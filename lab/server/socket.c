/*  One socket per page: messages arrive in pieces and are parsed when complete; output is sent when the network accepts
    it. */
#include "server.h"

#ifdef SCREE_HAVE_WEBSOCKETS
#include "server_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOODBYE_SECONDS 5

/* ---- connections --------------------------------------------------------------------------------------- */

unsigned scree_lab_refusal(struct lws *wsi)
{
    const scree_lab_server *server = scree_lab_server_of(wsi);
    char host[200], origin[220];

    scree_lab_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    scree_lab_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    if (!scree_lab_origin_is_ours(&server->guard, origin, host))
        return HTTP_STATUS_FORBIDDEN;
    if (!scree_lab_has_token(wsi))
        return HTTP_STATUS_FORBIDDEN;
    return server->client_count < server->max_clients ? 0 : HTTP_STATUS_SERVICE_UNAVAILABLE;
}

static void welcome(lab_client *client, struct lws *wsi)
{
    scree_lab_server *server = scree_lab_server_of(wsi);

    memset(client, 0, sizeof *client);
    client->wsi = wsi;
    scree_lab_viewer_begin(&client->viewer, server->lab, ++server->last_number);
    client->next = server->clients;
    server->clients = client;
    server->client_count++;
    lws_callback_on_writable(wsi);
}

static void drop_message(scree_lab_server *server, lab_client *client)
{
    server->held -= client->room;
    free(client->message);
    client->message = NULL;
    client->count = client->room = 0;
}

static void part_with(lab_client *client, struct lws *wsi)
{
    scree_lab_server *server = scree_lab_server_of(wsi);
    lab_client **link = &server->clients;

    while (*link && *link != client)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = client->next;
    server->client_count--;
    drop_message(server, client);
    /* at shutdown the lab is destroyed first */
    if (server->lab)
        scree_lab_forget(server->lab, client->viewer.client);
}

/* ---- input --------------------------------------------------------------------------------------------- */

/*  The reason follows what is still being sent: the network drops it if it comes before. A page that does not read is
    closed without. */
static int disconnect(lab_client *client, enum lws_close_status why, const char *text)
{
    client->closes_with = (int)why;
    snprintf(client->reason, sizeof client->reason, "%s", text);
    lws_set_timeout(client->wsi, PENDING_TIMEOUT_CLOSE_SEND, GOODBYE_SECONDS);
    lws_callback_on_writable(client->wsi);
    return 0;
}

static int say_goodbye(lab_client *client)
{
    lws_close_reason(client->wsi, (enum lws_close_status)client->closes_with,
                     (unsigned char *)client->reason, strlen(client->reason));
    return -1;
}

static bool reserve(scree_lab_server *server, lab_client *client, size_t count)
{
    size_t room = count + count / 2 + 64;

    if (count <= client->room)
        return true;
    if (server->held - client->room + room > LAB_RECEIVE_MOST)
        return false;
    uint8_t *grown = realloc(client->message, room);
    if (!grown)
        return false;
    server->held += room - client->room;
    client->message = grown;
    client->room = room;
    return true;
}

static int read_message(scree_lab_server *server, lab_client *client)
{
    scree_lab_message message;
    scree_error error = {SCREE_OK, ""};
    int result = 0;

    if (scree_lab_message_read(client->message, client->count, &message, &error)) {
        result = disconnect(client, LWS_CLOSE_STATUS_INVALID_PAYLOAD, error.text);
    } else {
        scree_lab_viewer_say(&client->viewer, server->lab, &message);
        lws_callback_on_writable(client->wsi);
    }
    /* a large buffer is freed at once */
    if (client->room > 4096)
        drop_message(server, client);
    client->count = 0;
    return result;
}

static int receive(struct lws *wsi, lab_client *client, const uint8_t *bytes, size_t count)
{
    scree_lab_server *server = scree_lab_server_of(wsi);
    size_t sum = client->count + count;

    if (client->closes_with)
        return 0;
    if (lws_is_first_fragment(wsi) &&
        !scree_lab_bucket_take(&client->bucket, scree_clock_seconds()))
        return disconnect(client, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
    if (!lws_frame_is_binary(wsi))
        return disconnect(client, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are binary");
    if (sum > 0) {
        uint8_t kind = client->count ? client->message[0] : bytes[0];
        size_t most = scree_lab_message_most(kind);
        if (sum > (most ? most : 1) || !reserve(server, client, sum))
            return disconnect(client, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE,
                              "the message is too long");
        memcpy(client->message + client->count, bytes, count);
        client->count = sum;
    }
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi))
        return 0;
    return read_message(server, client);
}

/* ---- output -------------------------------------------------------------------------------------------- */

static int send_news(struct lws *wsi, lab_client *client)
{
    scree_lab_server *server = scree_lab_server_of(wsi);
    scree_lab_parcel parcel;

    if (client->closes_with)
        return say_goodbye(client);
    if (scree_lab_viewer_next(&client->viewer, server->lab, &server->film, LWS_PRE, &parcel))
        return -1;
    if (!parcel.bytes)
        return 0;
    int sent = lws_write(wsi, parcel.bytes + LWS_PRE, parcel.count,
                         parcel.is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    free(parcel.bytes);
    if (sent < 0)
        return -1;
    lws_callback_on_writable(wsi);
    return 0;
}

void scree_lab_server_look(scree_lab_server *server)
{
    if (!server || !server->lab)
        return;
    if (scree_lab_take(server->lab, &server->spare))
        /* out of memory: the next cloud is as good */
        (void)scree_lab_film_take(&server->film, &server->spare);
    for (lab_client *client = server->clients; client; client = client->next)
        lws_callback_on_writable(client->wsi);
}

int scree_lab_on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                        size_t length)
{
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return scree_lab_refusal(wsi) ? -1 : 0;
    case LWS_CALLBACK_ESTABLISHED:
        welcome(user, wsi);
        return 0;
    case LWS_CALLBACK_CLOSED:
        part_with(user, wsi);
        return 0;
    case LWS_CALLBACK_RECEIVE:
        return receive(wsi, user, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return send_news(wsi, user);
    default:
        return 0;
    }
}

#else
/* ISO C forbids an empty file */
typedef int lab_socket_is_not_here;
#endif
