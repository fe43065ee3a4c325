/*  Serves the files of the page. Requests for another host name are refused: the page of another site may have sent the
    browser here. */
#include "server.h"

#ifdef SCREE_HAVE_WEBSOCKETS
#include "server_internal.h"

#include <stdlib.h>
#include <string.h>

#define PIECE 16384u

/*  The page may load and connect to this server only, and must not be framed. Scripts set inline styles, for sizes
    only. */
static const char *const headers[][2] = {
    {"content-security-policy:",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
     "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"x-content-type-options:", "nosniff"},
    {"x-frame-options:", "DENY"},
    {"referrer-policy:", "no-referrer"},
    {"cross-origin-resource-policy:", "same-origin"},
    {"cross-origin-opener-policy:", "same-origin"},
    {"cache-control:", "no-store"},
};

static int refuse(struct lws *wsi, unsigned code)
{
    lws_return_http_status(wsi, code, NULL);
    return -1;
}

/*  What was read for a request; its connection may have been closed before it was sent. */
static void forget_answer(lab_request *request)
{
    free(request->answer.bytes);
    request->answer = (scree_lab_answer){0};
    request->file = NULL;
}

static int begin_file(struct lws *wsi, lab_request *request, const scree_page_file *file)
{
    uint8_t buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *at = start;
    uint8_t *end = buffer + sizeof buffer - 1;

    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, file->type, (lws_filepos_t)file->count,
                                    &at, end))
        return -1;
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++)
        if (lws_add_http_header_by_name(wsi, (const uint8_t *)headers[k][0],
                                        (const uint8_t *)headers[k][1], (int)strlen(headers[k][1]),
                                        &at, end))
            return -1;
    if (lws_finalize_write_http_header(wsi, start, &at, end))
        return -1;
    request->file = file;
    request->sent = 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_piece(struct lws *wsi, lab_request *request)
{
    uint8_t buffer[LWS_PRE + PIECE];

    if (!request->file)
        return 0;
    size_t left = request->file->count - request->sent, count = left < PIECE ? left : PIECE;
    enum lws_write_protocol kind = count == left ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP;
    memcpy(buffer + LWS_PRE, request->file->bytes + request->sent, count);
    if (lws_write(wsi, buffer + LWS_PRE, count, kind) != (int)count)
        return -1;
    request->sent += count;
    if (request->sent < request->file->count) {
        lws_callback_on_writable(wsi);
        return 0;
    }
    forget_answer(request);
    return lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int answer_run(struct lws *wsi, lab_request *request, const char *path)
{
    const scree_lab_server *server = scree_lab_server_of(wsi);

    forget_answer(request);
    if (!scree_lab_has_token(wsi))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    scree_status status = scree_lab_runs_answer(&server->runs, path, &request->answer);
    if (status)
        return refuse(wsi, status == SCREE_BAD_ARGUMENT || status == SCREE_IO_ERROR
                               ? HTTP_STATUS_NOT_FOUND
                               : HTTP_STATUS_INTERNAL_SERVER_ERROR);
    request->own =
        (scree_page_file){path, request->answer.type, request->answer.bytes, request->answer.count};
    return begin_file(wsi, request, &request->own);
}

static int answer(struct lws *wsi, lab_request *request, const char *path)
{
    const scree_lab_server *server = scree_lab_server_of(wsi);
    const scree_page_file *file = scree_page_find(path);
    char host[200];

    scree_lab_header(wsi, WSI_TOKEN_HOST, host, sizeof host);
    if (!scree_lab_host_is_ours(&server->guard, host))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) <= 0)
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    if (scree_lab_is_run_path(path))
        return answer_run(wsi, request, path);
    if (!file)
        return refuse(wsi, HTTP_STATUS_NOT_FOUND);
    return begin_file(wsi, request, file);
}

/*  Above 0: the request was refused and answered. */
static int refuse_socket(struct lws *wsi)
{
    unsigned code = scree_lab_refusal(wsi);
    if (code)
        lws_return_http_status(wsi, code, NULL);
    return code != 0;
}

int scree_lab_on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                      size_t length)
{
    (void)length;
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        return answer(wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
        return send_piece(wsi, user);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
        if (user)
            forget_answer(user);
        return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        return refuse_socket(wsi);
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION:
        return -1; /* a socket without the name of our protocol */
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        scree_lab_server_look(lws_context_user(lws_get_context(wsi)));
        return 0;
    default:
        return 0;
    }
}

#else
/* ISO C forbids an empty file */
typedef int lab_http_is_not_here;
#endif
