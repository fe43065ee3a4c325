/*  The list of changes by --with, a line each. It is kept in checkpoints, so that it is never lost, and in run.json. */
#include "app/run/run.h"

#include <stdlib.h>
#include <string.h>

bool scree_run_add_change(scree_run *run, const char *text, size_t length)
{
    size_t before = run->changes ? strlen(run->changes) : 0;
    char *grown = realloc(run->changes, before + length + 2);

    if (!grown)
        return false;
    memcpy(grown + before, text, length);
    memcpy(grown + before + length, "\n", 2);
    run->changes = grown;
    return true;
}

void scree_run_record_changes(const scree_run *run, scree_json *json)
{
    char text[320];

    if (!run->changes)
        return;
    scree_json_list(json, "changes");
    for (const char *at = run->changes; *at; at += strcspn(at, "\n") + 1) {
        snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "\n"), at);
        scree_json_text(json, NULL, text);
    }
    scree_json_end(json);
}
