/*  A page without a browser: requests and sockets over plain TCP (RFC 6455), for tests of the laboratory's server. */
#ifndef SCREE_TESTS_LAB_CLIENT_H
#define SCREE_TESTS_LAB_CLIENT_H

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/*  -1: no server is there. */
static inline int client_connect(uint32_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {30, 0};
    int handle = socket(AF_INET, SOCK_STREAM, 0), at_once = 1;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(handle, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    /* as browsers do: small messages do not wait for each other */
    setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once);
    if (connect(handle, (struct sockaddr *)&address, sizeof address) != 0) {
        close(handle);
        return -1;
    }
    return handle;
}

static inline bool client_write(int handle, const void *bytes, size_t count)
{
    return send(handle, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

/*  The head of an answer, up to its empty line; its code, 0 if none came. */
static inline int client_answer(int handle, char *text, size_t room)
{
    size_t count = 0;
    int code = 0;

    while (count + 1 < room && recv(handle, text + count, 1, 0) == 1) {
        text[++count] = 0;
        if (count >= 4 && strcmp(text + count - 4, "\r\n\r\n") == 0)
            break;
    }
    text[count] = 0;
    return sscanf(text, "HTTP/1.%*d %d", &code) == 1 ? code : 0;
}

/*  A socket, with these words as Host and Origin (NULL: none), and protocol; its answer's code. */
static inline int client_upgrade(int handle, const char *path, const char *host, const char *origin,
                                 const char *protocol)
{
    char text[2048];
    int count =
        snprintf(text, sizeof text,
                 "GET %s HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
                 "%s%s%s%s%s%s\r\n",
                 path, host, origin ? "Origin: " : "", origin ? origin : "", origin ? "\r\n" : "",
                 protocol ? "Sec-WebSocket-Protocol: " : "", protocol ? protocol : "",
                 protocol ? "\r\n" : "");
    if (!client_write(handle, text, (size_t)count))
        return 0;
    return client_answer(handle, text, sizeof text);
}

/*  One frame, masked with zeros as a client's must be masked. opcode 1: text, 2: binary, 0: continues. */
static inline bool client_send_frame(int handle, int opcode, bool is_last, const void *bytes,
                                     size_t count)
{
    uint8_t head[14] = {(uint8_t)((is_last ? 0x80 : 0) | opcode)};
    size_t length = 2;

    if (count < 126) {
        head[1] = (uint8_t)(0x80 | count);
    } else {
        head[1] = 0x80 | 127;
        for (int k = 0; k < 8; k++)
            head[2 + k] = (uint8_t)((uint64_t)count >> (56 - 8 * k));
        length = 10;
    }
    return client_write(handle, head, length + 4) && (!count || client_write(handle, bytes, count));
}

static inline bool client_read(int handle, uint8_t *bytes, size_t count)
{
    for (size_t got = 0; got < count;) {
        ssize_t more = recv(handle, bytes + got, count - got, 0);
        if (more <= 0)
            return false;
        got += (size_t)more;
    }
    return true;
}

/*  One frame that comes; its opcode, 8: the other side hangs up, -1: it is gone. *bytes is to be freed. */
static inline int client_receive(int handle, uint8_t **bytes, size_t *count)
{
    uint8_t head[10];
    uint64_t length = 0;

    *bytes = NULL;
    if (!client_read(handle, head, 2))
        return -1;
    int more = head[1] == 126 ? 2 : head[1] == 127 ? 8 : 0;
    if (!client_read(handle, head + 2, (size_t)more))
        return -1;
    for (int k = 0; k < more; k++)
        length = length << 8 | head[2 + k];
    *count = more ? (size_t)length : head[1];
    *bytes = malloc(*count + 1);
    if (!*bytes || !client_read(handle, *bytes, *count))
        return -1;
    (*bytes)[*count] = 0;
    return head[0] & 15;
}

#endif
