/*  Any bytes as the table of a wall's path, a file that a scene names: in steps from row to row and as a smooth curve. What is refused
    must be refused with the line and a reason; what is accepted must be a motion that a world follows, or says why not. */
#include "scratch_folder.h"
#include "small_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const scenes[] = {
    "material { density = 2500, young = 1e6 }\n"
    "wall { shape = plane {}, motion = path { file = 'table' } }\n"
    "ball { position = {0, 0, 0.1}, radius = 0.1 }\nrun { steps = 9 }\n",
    "material { density = 2500, young = 1e6 }\n"
    "wall { shape = plane {}, motion = path { file = 'table', smooth = true } }\n"
    "ball { position = {0, 0, 0.1}, radius = 0.1 }\nrun { steps = 9 }\n",
};

static void try_scene(const char *text)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;

    def.text = text;
    def.folder = scratch_folder();
    def.memory_budget = 64 << 20;
    def.error = &error;
    const scree_status status = scree_scene_open(&def, &scene);
    if (!status)
        insist(scene_lives(scene, 5), "a reason");
    else
        insist(status == SCREE_BAD_FILE && strncmp(error.text, "scene:2: ", 9) == 0 && !scene,
               "the line and a reason");
    scree_scene_close(scene);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!scree_scene_available())
        return 0;
    scratch_write("table", data, size);
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++)
        try_scene(scenes[k]);
    return 0;
}
