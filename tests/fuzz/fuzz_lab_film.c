/*  Any bytes as a frame of a film: for `scree render`, which makes a world of it and draws that, and for the page of a run, which lists
    frames by their heads. What is refused must be refused with a reason. */
#include "../../app/look/film_world.c"

#include "runs.h"
#include "scene.h"
#include "scratch_folder.h"
#include "scree/picture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static scree_world *base;
static bool is_told;

/*  The run whose film it is: a wall of triangles, a plane, balls and a clump. */
static const char base_scene[] =
    "local stone = material { density = 2500, young = 1e6 }\n"
    "wall { shape = plane {}, material = stone }\n"
    "wall { shape = box { lower = {-1, -1, 0}, upper = {1, 1, 2} }, material = stone }\n"
    "bodies { list = { {0, 0, 0.5, 0.1}, {0.5, 0, 0.5, 0.2} }, material = stone }\n"
    "fill { shape = clump { pebbles = { {0, 0, 0, 0.1}, {0.1, 0, 0, 0.1} } }, material = stone,\n"
    "       count = 2, region = box { lower = {-0.9, -0.9, 1}, upper = {0.9, 0.9, 1.9} } }\n"
    "run { steps = 9 }\n";

static void forget_base(void)
{
    scree_world_destroy(base);
}

static void make_base(void)
{
    scree_error error = {SCREE_OK, ""};
    scree_scene_def def = scree_default_scene_def();
    scree_scene *scene;
    char path[SCRATCH_PATH];

    if (base)
        return;
    def.text = base_scene;
    def.error = &error;
    insist(scree_scene_open(&def, &scene) == SCREE_OK, error.text);
    insist(scree_scene_build(scene, NULL, &base, &error) == SCREE_OK, error.text);
    insist(scree_scene_start(scene, base, &error) == SCREE_OK, error.text);
    scree_scene_close(scene);
    insist(atexit(forget_base) == 0, "atexit");
    (void)mkdir(scratch_path(path, "film"), 0777);
}

static void hear(const char *text, void *user)
{
    (void)user;
    is_told = text[0] != 0;
}

static void draw(scree_world *world)
{
    scree_error error = {SCREE_OK, ""};
    scree_picture_def def = scree_default_picture_def();
    scree_picture *picture;

    def.width = def.height = 24;
    if (scree_picture_draw(world, &def, &picture, &error)) {
        insist(error.text[0] != 0 && !picture, "a reason");
        return;
    }
    insist(scree_picture_describe(picture).width == 24, "a picture");
    scree_picture_destroy(picture);
}

static bool is_going(const char *path)
{
    return path == NULL;
}

static void insist_answer(const char *request, scree_status expected)
{
    const char *folder = scratch_folder();
    const scree_lab_runs runs = {&folder, 1, is_going, 1 << 20};
    scree_lab_answer answer;

    insist(scree_lab_runs_answer(&runs, request, &answer) == expected, request);
    free(answer.bytes);
}

/*  The world of a frame; NULL: refused. */
static scree_world *read_frame(void)
{
    char path[SCRATCH_PATH];
    scree_world *world;
    uint64_t steps;

    scratch_path(path, "film/frame-000001.film");
    is_told = false;
    scree_receive_messages(hear, NULL);
    const int code = scree_film_world(path, base, 1, &world, &steps);
    scree_receive_messages(NULL, NULL);
    insist((code == SCREE_EXIT_OK) == (world != NULL), "a world or a reason");
    insist(world || is_told, "a reason");
    return world;
}

/*  A frame is as long as it says. */
static void insist_length(const uint8_t *data, size_t size)
{
    uint8_t *longer = calloc(size + 1, 1);

    insist(longer != NULL, "memory for the target");
    memcpy(longer, data, size);
    scratch_write("film/frame-000001.film", longer, size + 1);
    insist(read_frame() == NULL, "a longer frame is refused");
    scratch_write("film/frame-000001.film", longer, size - 1);
    insist(read_frame() == NULL, "a shorter frame is refused");
    free(longer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scree_film_head head;

    if (!scree_scene_available())
        return 0;
    make_base();
    scratch_write("film/frame-000001.film", data, size);
    insist_answer("/runs/0/frame/1", SCREE_OK);
    insist_answer("/runs/0/list", SCREE_OK);
    scree_world *world = read_frame();
    if (world) {
        insist(scree_film_read_head(data, size, &head), "a head");
        insist(scree_world_body_count(world) == head.body_count, "all bodies");
        draw(world);
        insist_length(data, size);
    }
    scree_world_destroy(world);
    return 0;
}
