/*  Queries about the connection of a libwebsockets callback. */
#include "server.h"

#ifdef SCREE_HAVE_WEBSOCKETS
#include "server_internal.h"

scree_lab_server *scree_lab_server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

void scree_lab_header(struct lws *wsi, enum lws_token_indexes token, char *text, size_t room)
{
    if (lws_hdr_copy(wsi, text, (int)room, token) <= 0)
        text[0] = 0;
}

bool scree_lab_has_token(struct lws *wsi)
{
    const scree_lab_server *server = scree_lab_server_of(wsi);
    char text[80];
    const char *token = lws_get_urlarg_by_name(wsi, "token=", text, sizeof text);

    return !server->guard.token[0] || scree_lab_token_is_right(&server->guard, token ? token : "");
}
#endif
