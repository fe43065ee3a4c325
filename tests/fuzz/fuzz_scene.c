/*  Any text as a scene. What is refused must be refused with a reason; what is taken must build, and if it is small
    start and step, or say why not; and its resolved text must be a scene again. */
#include "small_scene.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*  For what must never be, in every build. */
static void insist(bool holds)
{
    if (!holds)
        abort();
}

static scree_status open_text(const char *text, size_t size, scree_scene **scene,
                              scree_error *error)
{
    scree_scene_def def = scree_default_scene_def();

    def.text = text;
    def.text_bytes = size;
    def.instruction_budget = 200000;
    def.memory_budget = 16000000;
    def.seconds = 5;
    def.error = error;
    return scree_scene_open(&def, scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene *scene, *again;
    char *text = malloc(size + 1);

    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    if (!scree_scene_available() || size == 0) {
        free(text);
        return 0;
    }
    if (open_text(text, size, &scene, &error)) {
        insist(error.text[0] != 0 && !scene);
    } else {
        if (is_small(scree_scene_plan_of(scene)))
            insist(scene_lives(scene, 2));
        const char *resolved = scree_scene_resolved(scene);
        /* a text with a byte of 0 in it is not told by its end */
        if (strlen(text) == size) {
            insist(open_text(resolved, 0, &again, &error) == SCREE_OK);
            insist(strcmp(scree_scene_resolved(again), resolved) == 0);
            scree_scene_close(again);
        }
        scree_scene_close(scene);
    }
    free(text);
    return 0;
}
