/*  Reads each file once, because its step is inside. */
#include "app/look/kept_states.h"
#include "common/options.h"
#include "common/out_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

int scree_read_checkpoint(const char *path, scree_checkpoint **checkpoint)
{
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_checkpoint_read(path, NULL, checkpoint, &error);

    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

void scree_kept_states_free(scree_kept_states *list)
{
    for (size_t k = 0; k < list->count; k++)
        free(list->state[k].path);
    free(list->state);
    memset(list, 0, sizeof *list);
}

static int add_state(scree_kept_states *list, char *path)
{
    scree_kept_state *grown = path ? realloc(list->state, (list->count + 1) * sizeof *grown) : NULL;
    scree_checkpoint *checkpoint;
    scree_checkpoint_info info;
    int code;

    if (!grown) {
        free(path);
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    }
    list->state = grown;
    code = scree_read_checkpoint(path, &checkpoint);
    if (code != SCREE_EXIT_OK) {
        free(path);
        return code;
    }
    info = scree_checkpoint_describe(checkpoint);
    list->state[list->count++] = (scree_kept_state){path, info.steps, info.digest};
    scree_checkpoint_destroy(checkpoint);
    return SCREE_EXIT_OK;
}

static int by_step(const void *a, const void *b)
{
    const scree_kept_state *x = a, *y = b;
    return x->steps < y->steps ? -1 : x->steps > y->steps;
}

/*  Files with this suffix; other files in the folder are incomplete or foreign. */
static bool is_checkpoint_name(const char *name)
{
    size_t length = strlen(name), ending = sizeof ".scree" - 1;
    return length > ending && strcmp(name + length - ending, ".scree") == 0;
}

int scree_kept_states_list(const char *run, scree_kept_states *list)
{
    char *folder = scree_join_path(run, "checkpoints");
    DIR *directory = folder ? opendir(folder) : NULL;
    int code = SCREE_EXIT_OK;

    if (!folder)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    if (!directory && errno != ENOENT)
        code = scree_system_error(folder, "cannot open");
    for (struct dirent *entry; directory && code == SCREE_EXIT_OK && (entry = readdir(directory));)
        if (is_checkpoint_name(entry->d_name))
            code = add_state(list, scree_join_path(folder, entry->d_name));
    if (directory)
        closedir(directory);
    free(folder);
    if (list->count > 0)
        qsort(list->state, list->count, sizeof *list->state, by_step);
    return code;
}
