/*  The parts of a film whose run is a folder: from its newest checkpoint. */
#include "film_parts.h"
#include "lab_internal.h"
#include "runs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*  The name that is last in order, since names have the step with leading zeros; "": there is none. */
static void find_newest(const char *run, char path[4096])
{
    char folder[4096], name[256] = "";
    int length = snprintf(folder, sizeof folder, "%s/checkpoints", run);
    DIR *there = length > 0 && length < (int)sizeof folder ? opendir(folder) : NULL;

    for (struct dirent *entry; there && (entry = readdir(there)) != NULL;) {
        size_t size = strlen(entry->d_name), end = sizeof ".scree" - 1;
        if (size > end && size < sizeof name && strcmp(entry->d_name + size - end, ".scree") == 0 &&
            strcmp(entry->d_name, name) > 0)
            memcpy(name, entry->d_name, size + 1);
    }
    if (there)
        closedir(there);
    path[0] = 0;
    if (name[0] && snprintf(path, 4096, "%s/%s", folder, name) >= 4096)
        path[0] = 0;
}

/*  The error names a file of this machine, which is not for a page: only the part after the path. */
static const char *without_path(const char *text, const char *path)
{
    size_t length = strlen(path);
    return strncmp(text, path, length) == 0 && text[length] == ':' ? text + length + 2 : text;
}

#define MESSAGE_ROOM 400u

/*  NULL, with a message, if there is no checkpoint or it cannot be read. */
static scree_world *open_world(const char *run, const scree_allocator *memory, int *dimensions,
                               char message[MESSAGE_ROOM])
{
    scree_world *world = NULL;
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint = NULL;
    scree_error error = {SCREE_OK, ""};
    char path[4096];

    find_newest(run, path);
    hooks.hooks.allocator = *memory;
    if (path[0] == 0) {
        snprintf(message, MESSAGE_ROOM,
                 "the run has no checkpoint yet: walls other than planes are not shown, and all "
                 "bodies are shown as balls");
        return NULL;
    }
    scree_status status = scree_checkpoint_read(path, memory, &checkpoint, &error);
    if (!status) {
        *dimensions = scree_checkpoint_describe(checkpoint).dimensions;
        status = scree_checkpoint_world(checkpoint, &hooks, &world, &error);
    }
    scree_checkpoint_destroy(checkpoint);
    if (status)
        snprintf(message, MESSAGE_ROOM,
                 "walls other than planes are not shown, and all bodies are shown as balls, as the "
                 "newest checkpoint cannot be read: %.200s",
                 without_path(error.text, path));
    return world;
}

scree_status scree_lab_run_parts(const char *run, size_t max_bytes, scree_lab_answer *answer)
{
    lab_bounded bounded = {.most = max_bytes};
    scree_allocator memory = scree_lab_bounded_hooks(&bounded);
    char message[MESSAGE_ROOM] = "";
    int dimensions = 3;
    scree_world *world = open_world(run, &memory, &dimensions, message);
    scree_status status =
        scree_lab_film_parts(world, dimensions, message, 0, &answer->bytes, &answer->count);

    answer->type = "application/octet-stream";
    scree_world_destroy(world);
    return status;
}
