/*  Who may speak to the laboratory. A page of another site can make a browser send requests here, and by changing
    what its name resolves to can even look like this server; but it cannot choose what the browser writes as Host and
    Origin. So both must be this server's own. */
#ifndef SCREE_LAB_GUARD_H
#define SCREE_LAB_GUARD_H

#include "scree/base.h"

#define SCREE_LAB_TOKEN_TEXT 33 /* 128 bits in hexadecimal, and the end */

typedef struct scree_lab_guard
{
    const char *address; /* that is listened on */
    uint32_t port;
    bool is_open; /* to other machines: a token is asked for, any host will do */
    char token[SCREE_LAB_TOKEN_TEXT]; /* "" where none is asked for */
} scree_lab_guard;

/*  An address of this machine alone: 127.0.0.0/8 or ::1. */
bool scree_lab_is_loopback(const char *address);
/*  Sixteen bytes of the system's random numbers; false where there are none. */
bool scree_lab_make_token(char token[SCREE_LAB_TOKEN_TEXT]);

/*  "127.0.0.1:8420", "localhost:8420" or the address itself. */
bool scree_lab_host_is_ours(const scree_lab_guard *guard, const char *host);
/*  "http://" and then the very host that was asked. */
bool scree_lab_origin_is_ours(const scree_lab_guard *guard, const char *origin, const char *host);
/*  In a time that does not depend on how much of it is right. */
bool scree_lab_token_is_right(const scree_lab_guard *guard, const char *token);

/*  How often one may speak: so many at once, and on the long run so many a second. */
typedef struct scree_lab_bucket
{
    double tokens, when;
} scree_lab_bucket;

#define SCREE_LAB_BURST 400.0
#define SCREE_LAB_RATE 200.0

/*  `now` in seconds of a clock that does not go back. */
bool scree_lab_bucket_take(scree_lab_bucket *bucket, double now);

#endif
