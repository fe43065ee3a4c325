/*  Access control of the lab. A page of another site can make a browser send requests here, and by DNS rebinding
    it can even look like this server. But it cannot choose what the browser sends as Host and Origin, so both must be
    this server's own. */
#ifndef SCREE_LAB_GUARD_H
#define SCREE_LAB_GUARD_H

#include "scree/base.h"

#define SCREE_LAB_TOKEN_TEXT 33 /* 128 bits in hexadecimal, and the terminating 0 */

typedef struct scree_lab_guard
{
    const char *address; /* listening address */
    uint32_t port;
    bool is_open; /* reachable from other machines: a token is required, and any Host is accepted */
    char token[SCREE_LAB_TOKEN_TEXT]; /* "" if no token is required */
} scree_lab_guard;

/*  Whether an address is loopback: 127.0.0.0/8 or ::1. */
bool scree_lab_is_loopback(const char *address);
/*  Makes a token from sixteen bytes of system randomness. Returns false if there is none. */
bool scree_lab_make_token(char token[SCREE_LAB_TOKEN_TEXT]);

/*  Accepts "127.0.0.1:8420", "localhost:8420" or the address itself. */
bool scree_lab_host_is_ours(const scree_lab_guard *guard, const char *host);
/*  Accepts "http://" followed by the same host as in the request. */
bool scree_lab_origin_is_ours(const scree_lab_guard *guard, const char *origin, const char *host);
/*  In constant time, independent of how much of it is right. */
bool scree_lab_token_is_right(const scree_lab_guard *guard, const char *token);

/*  Rate limit: a burst of so many requests, and so many per second in the long run. */
typedef struct scree_lab_bucket
{
    double tokens, when;
} scree_lab_bucket;

#define SCREE_LAB_BURST 400.0
#define SCREE_LAB_RATE 200.0

/*  `now` in seconds of a monotonic clock. */
bool scree_lab_bucket_take(scree_lab_bucket *bucket, double now);

#endif
