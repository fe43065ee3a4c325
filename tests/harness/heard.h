/*  What a log said of options that were removed: how often, and the last of it. */
#ifndef SCREE_TESTS_HEARD_H
#define SCREE_TESTS_HEARD_H

#include "scree/base.h"
#include "test.h"

#include <stdio.h>

typedef struct heard
{
    int count;
    char text[200];
} heard;

static inline void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    heard *h = user;

    CHECK(level == SCREE_LOG_WARNING && id == SCREE_LOG_REMOVED);
    h->count++;
    snprintf(h->text, sizeof h->text, "%s", text);
}

#endif
