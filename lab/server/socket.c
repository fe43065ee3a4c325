/*  One socket a page: messages come in piece by piece and are read when they are whole; boards and frames go out when
    the network takes them, always the newest. A page that does not draw what it gets gets no more. */
#ifdef SCREE_HAVE_WEBSOCKETS
#include "server_internal.h"

#include "base/clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- who comes and goes ---------------------------------------------------------------------------------- */

unsigned scree_lab_refusal(struct lws *wsi)
{
    const scree_lab_server *server = scree_lab_server_of(wsi);
    char host[200], origin[220], text[80];

    scree_lab_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    scree_lab_header(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    if (!scree_lab_origin_is_ours(&server->guard, origin, host))
        return HTTP_STATUS_FORBIDDEN;
    const char *token = lws_get_urlarg_by_name(wsi, "token=", text, sizeof text);
    if (server->guard.token[0] && !scree_lab_token_is_right(&server->guard, token ? token : ""))
        return HTTP_STATUS_FORBIDDEN;
    return server->client_count < server->most_clients ? 0 : HTTP_STATUS_SERVICE_UNAVAILABLE;
}

static void welcome(lab_client *client, struct lws *wsi)
{
    scree_lab_server *server = scree_lab_server_of(wsi);

    memset(client, 0, sizeof *client);
    client->wsi = wsi;
    client->number = ++server->last_number;
    client->next = server->clients;
    server->clients = client;
    server->client_count++;
    /* what was said to others before it came */
    for (int board = SCREE_LAB_NOTE; board < SCREE_LAB_BOARDS; board++)
        client->board[board] = scree_lab_board_version(server->lab, (scree_lab_board)board);
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
    /* at the end the lab goes first */
    if (server->lab)
        scree_lab_forget(server->lab, client->number);
}

/* ---- what comes in --------------------------------------------------------------------------------------- */

static int hang_up(struct lws *wsi, enum lws_close_status why, const char *text)
{
    char copy[124]; /* as much as a frame of goodbye holds */

    snprintf(copy, sizeof copy, "%s", text);
    lws_close_reason(wsi, why, (unsigned char *)copy, strlen(copy));
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

/*  A frame was drawn, or with number 0 a page is there; and what it wants of the next ones. */
static void note_drawn(scree_lab_server *server, lab_client *client, const scree_lab_message *m)
{
    uint32_t parts = m->whole[1] & ((1u << SCREE_LAB_PARTS) - 1), more = parts & ~client->parts;

    /* what it did not want before it has never got */
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        if (more >> part & 1)
            client->known[part] = 0;
    client->ahead -= m->whole[0] != 0 && client->ahead > 0;
    client->wants_more |= more != 0;
    client->parts = parts;
    client->has_greeted = true;
    scree_lab_want(server->lab);
    lws_callback_on_writable(client->wsi);
}

static int read_message(scree_lab_server *server, lab_client *client)
{
    scree_lab_message message;
    scree_error error = {SCREE_OK, ""};
    int result = 0;

    if (scree_lab_message_read(client->message, client->count, &message, &error))
        result = hang_up(client->wsi, LWS_CLOSE_STATUS_INVALID_PAYLOAD, error.text);
    else if (message.kind == SCREE_LAB_READY)
        note_drawn(server, client, &message);
    else
        scree_lab_tell(server->lab, client->number, &message);
    /* a file is not kept twice longer than need be */
    if (client->room > 4096)
        drop_message(server, client);
    client->count = 0;
    return result;
}

static int receive(struct lws *wsi, lab_client *client, const uint8_t *bytes, size_t count)
{
    scree_lab_server *server = scree_lab_server_of(wsi);
    size_t sum = client->count + count;

    if (lws_is_first_fragment(wsi) &&
        !scree_lab_bucket_take(&client->bucket, scree_clock_seconds()))
        return hang_up(wsi, LWS_CLOSE_STATUS_POLICY_VIOLATION, "too many messages");
    if (!lws_frame_is_binary(wsi))
        return hang_up(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, "messages are binary");
    if (sum > 0) {
        uint8_t kind = client->count ? client->message[0] : bytes[0];
        size_t most = scree_lab_message_most(kind);
        if (sum > (most ? most : 1) || !reserve(server, client, sum))
            return hang_up(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, "the message is too long");
        memcpy(client->message + client->count, bytes, count);
        client->count = sum;
    }
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi))
        return 0;
    return read_message(server, client);
}

/* ---- what goes out --------------------------------------------------------------------------------------- */

static int send_bytes(lab_client *client, uint8_t *bytes, size_t count, bool is_text)
{
    int sent =
        lws_write(client->wsi, bytes + LWS_PRE, count, is_text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY);
    free(bytes);
    return sent < 0 ? -1 : 0;
}

/*  *sent: one was there that the page has not got. */
static int send_board(scree_lab_server *server, lab_client *client, bool *sent)
{
    scree_lab_sheet sheet;

    *sent = false;
    for (int board = 0; board < SCREE_LAB_BOARDS; board++) {
        /* lines are as many bytes as a frame is: who has not drawn what there was waits for them, too */
        if (scree_lab_board_version(server->lab, (scree_lab_board)board) == client->board[board] ||
            (board == SCREE_LAB_LINES && client->ahead >= LAB_FRAMES_AHEAD))
            continue;
        if (scree_lab_board_read(server->lab, (scree_lab_board)board, LWS_PRE, &sheet))
            return -1;
        client->board[board] = sheet.version;
        if (sheet.client != SCREE_LAB_EVERYBODY && sheet.client != client->number) {
            free(sheet.bytes);
            continue;
        }
        *sent = true;
        return send_bytes(client, sheet.bytes, sheet.count, sheet.is_text);
    }
    return 0;
}

static bool may_send_frame(const scree_lab_server *server, const lab_client *client)
{
    bool is_new = client->sent != server->film.frame || client->wants_more;
    return server->film.frame != 0 && client->has_greeted && is_new &&
           client->ahead < LAB_FRAMES_AHEAD;
}

static int send_frame(scree_lab_server *server, lab_client *client)
{
    uint32_t known[SCREE_LAB_PARTS];

    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        known[part] = client->parts >> part & 1 ? client->known[part] : SCREE_LAB_UNWANTED;
    size_t count = scree_lab_frame_bytes(&server->film, known);
    uint8_t *bytes = malloc(LWS_PRE + count);
    if (!bytes)
        return -1;
    scree_lab_frame_write(&server->film, known, bytes + LWS_PRE);
    client->sent = server->film.frame;
    client->ahead++;
    client->wants_more = false;
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        if (client->parts >> part & 1)
            client->known[part] = client->sent;
    return send_bytes(client, bytes, count, false);
}

static int send_news(struct lws *wsi, lab_client *client)
{
    scree_lab_server *server = scree_lab_server_of(wsi);
    bool sent;
    int result = send_board(server, client, &sent);

    if (!result && !sent && may_send_frame(server, client)) {
        result = send_frame(server, client);
        sent = true;
    }
    if (!result && sent)
        lws_callback_on_writable(wsi);
    return result;
}

void scree_lab_server_look(scree_lab_server *server)
{
    if (!server || !server->lab)
        return;
    if (scree_lab_take(server->lab, &server->spare))
        /* without memory for it the next cloud is as good */
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
/* a file without a declaration is no C */
typedef int lab_socket_is_not_here;
#endif
