/*  The lab without a server: the same engine compiled to WebAssembly, in a worker of the page. These calls carry
    exactly the bytes that a socket carries otherwise. */
#include "viewer.h"

#include "scree/world.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CLIENT 1u
#define CALLED __attribute__((used)) /* called from JavaScript: kept and exported */

/*  A page has one lab. */
static struct
{
    scree_lab *lab;
    scree_lab_viewer viewer;
    scree_lab_film film;
    scree_lab_cloud spare;
    scree_lab_parcel parcel;
    scree_error error;
    char digest[24];
} site;

/*  No thread sleeps: the page polls after each turn. */
static void wake(void *user)
{
    (void)user;
}

/*  Returns 0; otherwise scree_site_error has the reason. More than one thread only in the engine that is compiled for
    threads. */
CALLED int scree_site_open(double max_bodies, double max_bytes, uint32_t threads, uint32_t at_work)
{
    scree_lab_def def = {.threads = threads,
                         .at_work = at_work,
                         .max_bodies = (uint64_t)max_bodies,
                         .max_bytes = (size_t)max_bytes,
                         .is_driven = true,
                         .starts = true,
                         .wake = wake};
    scree_status status = scree_lab_create(&def, &site.lab, &site.error);

    if (!status)
        scree_lab_viewer_begin(&site.viewer, site.lab, CLIENT);
    return (int)status;
}

CALLED const char *scree_site_error(void)
{
    return site.error.text;
}

/*  Passes a message of the page. Returns 0; otherwise scree_site_error has the reason. */
CALLED int scree_site_tell(const uint8_t *bytes, size_t count)
{
    scree_lab_message message;
    scree_status status = scree_lab_message_read(bytes, count, &message, &site.error);

    if (!status)
        scree_lab_viewer_say(&site.viewer, site.lab, &message);
    return (int)status;
}

/*  scree_lab_turn. */
CALLED double scree_site_turn(void)
{
    double rest = scree_lab_turn(site.lab);

    if (scree_lab_take(site.lab, &site.spare))
        /* out of memory: the next cloud is as good */
        (void)scree_lab_film_take(&site.film, &site.spare);
    return rest;
}

/*  The next parcel for the page, valid until the next call; NULL: nothing. */
CALLED const uint8_t *scree_site_next(void)
{
    free(site.parcel.bytes);
    (void)scree_lab_viewer_next(&site.viewer, site.lab, &site.film, 0, &site.parcel);
    return site.parcel.bytes;
}

CALLED size_t scree_site_next_bytes(void)
{
    return site.parcel.count;
}

CALLED int scree_site_next_is_text(void)
{
    return site.parcel.is_text;
}

/*  Digest of the current world, for tests. */
CALLED const char *scree_site_digest(void)
{
    snprintf(site.digest, sizeof site.digest, "%016" PRIx64, scree_lab_digest(site.lab));
    return site.digest;
}
