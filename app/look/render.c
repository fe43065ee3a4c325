/*  scree render: pictures of checkpoints. One file gives one picture. A folder gives a series: all files are scanned
    first, so that each frame has the same camera and colour range, then drawn as numbered frames. */
#include "app/look/film_world.h"
#include "app/look/kept_states.h"
#include "app/look/picture_options.h"
#include "app/look/render_film.h"
#include "app/look/verbs.h"
#include "app/run/folder.h"
#include "common/out_file.h"

#include "scree/checkpoint.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct frame
{
    char *path;
    uint64_t steps;
} frame;

typedef struct series
{
    frame *frames;
    size_t count, capacity;
    scree_world *base; /* of frames of a film: see film_world.h */
} series;

static void free_series(series *s)
{
    for (size_t i = 0; i < s->count; i++)
        free(s->frames[i].path);
    free(s->frames);
    scree_world_destroy(s->base);
}

/*  Takes ownership of the path. Returns an exit code. */
static int add_frame(series *s, char *path)
{
    frame *grown = s->frames;
    if (path && s->count == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        grown = realloc(s->frames, s->capacity * sizeof *grown);
    }
    if (!path || !grown) {
        free(path);
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    }
    s->frames = grown;
    s->frames[s->count++] = (frame){path, 0};
    return SCREE_EXIT_OK;
}

static int load_world(const char *path, uint32_t threads, scree_world **world, uint64_t *steps)
{
    scree_world_def hooks = scree_default_world_def();
    scree_checkpoint *checkpoint;
    scree_error error = {SCREE_OK, ""};
    scree_status status = scree_checkpoint_read(path, NULL, &checkpoint, &error);
    hooks.compute.thread_count = threads;
    *world = NULL;
    if (!status) {
        *steps = scree_checkpoint_describe(checkpoint).steps;
        status = scree_checkpoint_world(checkpoint, &hooks, world, &error);
        scree_checkpoint_destroy(checkpoint);
    }
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

/*  A checkpoint, or a frame of a film. */
static int load_frame(const series *s, const char *path, uint32_t threads, scree_world **world,
                      uint64_t *steps)
{
    if (s->base)
        return scree_film_world(path, s->base, threads, world, steps);
    if (!scree_is_film_frame(path))
        return load_world(path, threads, world, steps);
    fprintf(
        stderr,
        "scree: %s: is a frame of a film, which is drawn with the checkpoints of its run: scree "
        "render RUN, where RUN is the folder that has film/ in it\n",
        path);
    return SCREE_EXIT_INPUT;
}

/*  All files of a folder. */
static int list_files(series *s, const char *place)
{
    DIR *there = opendir(place);
    int code = there ? SCREE_EXIT_OK : scree_system_error(place, "cannot read");
    for (struct dirent *entry; there && code == SCREE_EXIT_OK && (entry = readdir(there));) {
        if (entry->d_name[0] == '.' || scree_folder_is_temporary(entry->d_name))
            continue;
        char *path = scree_join_path(place, entry->d_name);
        if (path && scree_is_folder(path))
            free(path);
        else
            code = add_frame(s, path);
    }
    if (there)
        closedir(there);
    return code;
}

static bool is_empty_file(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0;
}

/*  A power cut can leave frames without their bytes: the others are drawn. */
static void leave_out_empty(series *s)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->count; i++)
        kept += !is_empty_file(s->frames[i].path);
    if (kept == 0)
        return;
    kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        if (is_empty_file(s->frames[i].path)) {
            fprintf(stderr, "scree: warning: %s: is empty, and left out\n", s->frames[i].path);
            free(s->frames[i].path);
        } else {
            s->frames[kept++] = s->frames[i];
        }
    }
    s->count = kept;
}

/*  Of a run the newest checkpoint has the meshes and shapes of its film. */
static int open_base(series *s, const char *run)
{
    scree_kept_states kept = {0};
    uint64_t steps;
    int code = scree_kept_states_list(run, &kept);

    if (code == SCREE_EXIT_OK && kept.count > 0)
        code = load_world(kept.state[kept.count - 1].path, 1, &s->base, &steps);
    scree_kept_states_free(&kept);
    return code;
}

/*  Of a run its film, if it has kept one, else its checkpoints; of another folder all files. */
static int list_folder(series *s, const char *folder, bool checkpoints, bool *is_film)
{
    char *film = scree_join_path(folder, "film"), *inner = scree_join_path(folder, "checkpoints");
    const char *place = inner && scree_is_folder(inner) ? inner : folder;
    int code = film && inner ? SCREE_EXIT_OK : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);

    if (code == SCREE_EXIT_OK && film && !checkpoints && scree_is_folder(film))
        code = list_files(s, film);
    leave_out_empty(s);
    if (code == SCREE_EXIT_OK && s->count > 0)
        code = open_base(s, folder);
    *is_film = s->base != NULL;
    if (code == SCREE_EXIT_OK && !s->base) {
        while (s->count > 0)
            free(s->frames[--s->count].path);
        code = list_files(s, place);
    }
    if (code == SCREE_EXIT_OK && s->count == 0) {
        fprintf(stderr, "scree: %s: no checkpoints\n", place);
        code = SCREE_EXIT_INPUT;
    }
    free(film);
    free(inner);
    return code;
}

/*  Of speeds that are all 0, as at the start, a picture makes -1 to 1: that says nothing of other frames. */
static bool is_range_of_rest(const scree_picture_def *def, const double range[2])
{
    bool is_speed = !def->field || strcmp(def->field, "speed") == 0;
    return is_speed && range[0] == -1 && range[1] == 1;
}

/*  Takes in the range of one more frame. */
static void widen_range(scree_picture_def *def, const double range[2], bool *has_range)
{
    bool is_rest = is_range_of_rest(def, range);

    if (!*has_range) {
        memcpy(def->range, range, sizeof def->range);
        *has_range = !is_rest;
    } else if (!is_rest) {
        def->range[0] = fmin(def->range[0], range[0]);
        def->range[1] = fmax(def->range[1], range[1]);
    }
}

/*  Colours of walls go from 0 to the largest value of all frames, unless a range is given. */
static scree_status widen_walls(scree_world *world, const scree_picture_def *look,
                                scree_picture_def *def, scree_error *error)
{
    double range[2];
    scree_status status = scree_picture_wall_range(world, look, range, error);

    if (!status && look->wall_range[1] == look->wall_range[0])
        def->wall_range[1] = fmax(def->wall_range[1], range[1]);
    return status;
}

/*  One camera, one colour range and one range of walls for all. */
static int scan_all(series *s, scree_picture_def *def)
{
    scree_picture_def look = *def;
    scree_picture_camera *camera = &def->camera;
    int code = SCREE_EXIT_OK;
    bool has_range = false;
    for (size_t i = 0; i < s->count && code == SCREE_EXIT_OK; i++) {
        scree_world *world;
        scree_error error = {SCREE_OK, ""};
        double lower[3], upper[3], range[2];
        code = load_frame(s, s->frames[i].path, def->thread_count, &world, &s->frames[i].steps);
        if (code != SCREE_EXIT_OK)
            break;
        scree_status status = scree_picture_box(world, &look, lower, upper, &error);
        if (!status)
            status = scree_picture_range(world, &look, range, &error);
        if (!status)
            status = widen_walls(world, &look, def, &error);
        scree_world_destroy(world);
        if (status)
            code = scree_status_error(status, error.text);
        for (int k = 0; k < 3 && !status; k++) {
            camera->lower[k] = i ? fmin(camera->lower[k], lower[k]) : lower[k];
            camera->upper[k] = i ? fmax(camera->upper[k], upper[k]) : upper[k];
        }
        if (!look.ranged && !status)
            widen_range(def, range, &has_range);
    }
    def->ranged = true;
    camera->boxed = true;
    return code;
}

static int by_steps(const void *a, const void *b)
{
    const frame *x = a, *y = b;
    return x->steps != y->steps ? (x->steps < y->steps ? -1 : 1) : strcmp(x->path, y->path);
}

static int draw_file(const series *s, const char *from, const scree_picture_def *def,
                     const char *to)
{
    scree_world *world;
    scree_error error = {SCREE_OK, ""};
    uint64_t steps;
    int code = load_frame(s, from, def->thread_count, &world, &steps);
    if (code != SCREE_EXIT_OK)
        return code;
    scree_status status = scree_picture_png(world, def, to, &error);
    scree_world_destroy(world);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

static int draw_series(series *s, const scree_picture_def *def, const char *folder)
{
    int code = scree_make_folder(folder);
    for (size_t i = 0; i < s->count && code == SCREE_EXIT_OK; i++) {
        char name[32];
        snprintf(name, sizeof name, SCREE_FRAME_NAME, (int)i);
        char *path = scree_join_path(folder, name);
        code = path ? draw_file(s, s->frames[i].path, def, path)
                    : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        if (code == SCREE_EXIT_OK)
            printf("%s: %s\n", path, s->frames[i].path);
        free(path);
    }
    return code;
}

/*  What frames of a film say of bodies. */
static bool is_kept_by_film(const scree_picture_def *def)
{
    static const char *const kept[] = {"none", "speed", "velocity_x", "velocity_y", "velocity_z",
                                       "x",    "y",     "z",          "radius",     "material"};
    bool found = !def->field;

    for (size_t k = 0; k < sizeof kept / sizeof *kept && !found; k++)
        found = strcmp(def->field, kept[k]) == 0;
    return found;
}

static int render_series(const scree_arguments *arguments, scree_picture_def *def, bool film,
                         uint32_t rate)
{
    const scree_verb *verb = &scree_verb_render;
    const char *out = scree_argument(verb, arguments, "out");
    bool checkpoints = scree_argument(verb, arguments, "checkpoints") != NULL, is_film = false;
    series s = {0};
    int code = SCREE_EXIT_OK;
    if (scree_is_folder(arguments->operand))
        code = list_folder(&s, arguments->operand, checkpoints, &is_film);
    else
        code = add_frame(&s, strdup(arguments->operand));
    if (code == SCREE_EXIT_OK && is_film && !is_kept_by_film(def))
        code = scree_usage_error("render: the film of a run knows no %s; with --checkpoints its "
                                 "checkpoints are drawn, which do",
                                 def->field);
    if (code == SCREE_EXIT_OK && is_film && def->wall_field && strcmp(def->wall_field, "none") != 0)
        code = scree_usage_error("render: the film of a run knows no %s of walls; with "
                                 "--checkpoints its checkpoints are drawn, which do",
                                 def->wall_field);
    if (code == SCREE_EXIT_OK)
        code = scan_all(&s, def);
    if (code == SCREE_EXIT_OK) {
        if (s.count > 1)
            qsort(s.frames, s.count, sizeof *s.frames, by_steps);
        code = draw_series(&s, def, out ? out : "frames");
    }
    if (code == SCREE_EXIT_OK && (film || is_film))
        code = scree_make_film(out ? out : "frames", (uint32_t)s.count, rate);
    free_series(&s);
    return code;
}

static int run_render(const scree_arguments *arguments)
{
    const scree_verb *verb = &scree_verb_render;
    const char *out = scree_argument(verb, arguments, "out");
    bool film = scree_argument(verb, arguments, "movie") != NULL;
    scree_picture_def def = scree_default_picture_def();
    uint64_t rate = 25;
    if (!arguments->operand)
        return scree_usage_error("render: a checkpoint, or a folder of them, must be given");
    if (!scree_parse_picture(verb, arguments, &def) ||
        !scree_parse_count(verb, arguments, "rate", 1, 1000, &rate))
        return SCREE_EXIT_USAGE;
    if (film || scree_is_folder(arguments->operand))
        return render_series(arguments, &def, film, (uint32_t)rate);
    int code = draw_file(&(series){0}, arguments->operand, &def, out ? out : "picture.png");
    if (code == SCREE_EXIT_OK)
        printf("%s\n", out ? out : "picture.png");
    return code;
}

static const scree_option render_options[] = {
    {"out", "PATH", "the picture, or the folder of frames; picture.png, frames"},
    {"checkpoints", NULL, "of a run its checkpoints, and not its film"},
    {"movie", NULL, "frames, and movie.mp4 next to them, or movie.png without ffmpeg"},
    {"rate", "N", "frames per second; default 25"},
    SCREE_PICTURE_OPTIONS,
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_render = {
    .name = "render",
    .operand = "CHECKPOINT",
    .summary = "Draws a checkpoint as a PNG picture, or a folder of them as numbered frames.",
    .text =
        "Of the folder of a run its film is drawn, which it keeps in film/, and with it the "
        "movie.\n"
        "Frames of a folder share camera and colours. Fields: none, speed, velocity_x _y _z, "
        "spin,\n"
        "spin_x _y _z, force, force_x _y _z, torque, x, y, z, radius, mass, energy, material, id,\n"
        "user, coordination, bonds, sleeping, temperature, chain.",
    .example = "scree render out/hopper --out pictures",
    .options = render_options,
    .run = run_render,
};
