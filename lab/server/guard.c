/*  Checks the names and tokens of clients. */
#include "guard.h"

#include <stdio.h>
#include <string.h>

bool scree_lab_is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0 || strcmp(address, "::1") == 0 ||
           strcmp(address, "localhost") == 0;
}

bool scree_lab_make_token(char token[SCREE_LAB_TOKEN_TEXT])
{
    unsigned char bytes[16];
    FILE *random = fopen("/dev/urandom", "rb");
    bool good = random && fread(bytes, 1, sizeof bytes, random) == sizeof bytes;

    if (random)
        fclose(random);
    for (size_t k = 0; good && k < sizeof bytes; k++)
        snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    return good;
}

/*  Whether `host` is `name`, in brackets if it has colons, and the port. */
static bool is_host(const char *host, const char *name, uint32_t port)
{
    char wanted[160];
    bool has_colons = strchr(name, ':') != NULL;

    snprintf(wanted, sizeof wanted, "%s%.120s%s:%u", has_colons ? "[" : "", name,
             has_colons ? "]" : "", (unsigned)port);
    return strcmp(host, wanted) == 0;
}

bool scree_lab_host_is_ours(const scree_lab_guard *guard, const char *host)
{
    if (guard->is_open)
        return host[0] != 0;
    return is_host(host, "127.0.0.1", guard->port) || is_host(host, "localhost", guard->port) ||
           is_host(host, guard->address, guard->port);
}

bool scree_lab_origin_is_ours(const scree_lab_guard *guard, const char *origin, const char *host)
{
    static const char scheme[] = "http://";

    return scree_lab_host_is_ours(guard, host) && strncmp(origin, scheme, sizeof scheme - 1) == 0 &&
           strcmp(origin + sizeof scheme - 1, host) == 0;
}

bool scree_lab_token_is_right(const scree_lab_guard *guard, const char *token)
{
    size_t length = strlen(guard->token);
    unsigned difference = 0;

    /* the length of the right token is not secret */
    if (strlen(token) != length)
        return false;
    for (size_t k = 0; k < length; k++)
        difference |= (unsigned char)guard->token[k] ^ (unsigned char)token[k];
    return difference == 0;
}

bool scree_lab_bucket_take(scree_lab_bucket *bucket, double now)
{
    bucket->tokens += (now - bucket->when) * SCREE_LAB_RATE;
    bucket->when = now;
    if (!(bucket->tokens < SCREE_LAB_BURST))
        bucket->tokens = SCREE_LAB_BURST;
    if (bucket->tokens < 1)
        return false;
    bucket->tokens -= 1;
    return true;
}
