/*  Lines of text as settings, one `--set` each: of a scene that is opened, and of one with which a stopped run continues (`--resume
    --with`). A refusal has a reason and changes nothing: the run then continues as before, to the same end. */
#include "kept_run.h"
#include "small_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_SETTINGS 8

typedef struct settings
{
    char *text;
    const char *line[MAX_SETTINGS];
    size_t count;
} settings;

static void split(const uint8_t *data, size_t size, settings *s)
{
    *s = (settings){.text = calloc(size + 1, 1)};
    insist(s->text != NULL, "memory for the target");
    if (size)
        memcpy(s->text, data, size);
    for (char *at = s->text; *at && s->count < MAX_SETTINGS;) {
        char *end = at + strcspn(at, "\n");
        const bool is_last = *end == 0;
        *end = 0;
        s->line[s->count++] = at;
        at = is_last ? end : end + 1;
    }
}

/*  The resolved text is the scene with its settings: it is a scene without them, and resolves to itself. */
static void insist_resolved(const scree_scene *scene)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_def def = scree_default_scene_def();
    scree_scene *again;

    def.text = scree_scene_resolved(scene);
    def.error = &error;
    insist(scree_scene_open(&def, &again) == SCREE_OK, error.text);
    insist(strcmp(scree_scene_resolved(again), def.text) == 0, "the same text");
    scree_scene_close(again);
}

/*  False: refused. */
static bool open_scene(const settings *s, bool *may_run)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;

    def.text = kept_scene;
    def.settings = s->line;
    def.setting_count = s->count;
    def.error = &error;
    *may_run = true;
    if (scree_scene_open(&def, &scene)) {
        insist(error.text[0] != 0 && !scene, "a reason");
        return false;
    }
    *may_run = is_small(scree_scene_plan_of(scene));
    if (*may_run)
        insist(scene_lives(scene, 2), "a reason");
    insist_resolved(scene);
    scree_scene_close(scene);
    return true;
}

static void change_run(const settings *s, bool is_scene)
{
    char with[SCRATCH_PATH];
    uint64_t digest = 0;

    kept_lay_out();
    scratch_write("with.lua", kept_scene, sizeof kept_scene - 1);
    const int code = kept_go((scree_run_options){.resume = true,
                                                 .steps = KEPT_END,
                                                 .with = scratch_path(with, "with.lua"),
                                                 .settings = s->line,
                                                 .setting_count = s->count},
                             &digest);
    insist(code == SCREE_EXIT_OK || kept_message[0] != 0, "a reason");
    insist(is_scene || code != SCREE_EXIT_OK, "a scene that is refused is not run");
    if (code == SCREE_EXIT_OK || code == SCREE_EXIT_REFUSED)
        return;
    insist(kept_go((scree_run_options){.resume = true, .steps = KEPT_END}, &digest) ==
               SCREE_EXIT_OK,
           kept_message);
    insist(digest == kept_digest, "nothing was changed");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    settings s;
    bool may_run;

    if (!scree_scene_available())
        return 0;
    kept_make();
    split(data, size, &s);
    const bool is_scene = open_scene(&s, &may_run);
    if (may_run)
        change_run(&s, is_scene);
    free(s.text);
    return 0;
}
