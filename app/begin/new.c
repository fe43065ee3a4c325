/*  scree new: writes a commented scene to start from, one of the built-in examples. scree scene: the reference of the
    scene language. */
#include "app/begin/verbs.h"
#include "common/out_file.h"
#include "scene.h"

#include <string.h>
#include <unistd.h>

static const char *next_example(const void *list, size_t index)
{
    const scree_scene_example *example = scree_scene_example_at(index);
    (void)list;
    return example ? example->name : NULL;
}

static const scree_scene_example *find_example(const char *name)
{
    const scree_scene_example *example;

    for (size_t i = 0; (example = scree_scene_example_at(i)) != NULL; i++)
        if (strcmp(example->name, name) == 0)
            return example;
    return NULL;
}

static void list_group(const char *group)
{
    const scree_scene_example *example;

    for (size_t i = 0; (example = scree_scene_example_at(i)) != NULL; i++)
        if (strcmp(example->group, group) == 0)
            printf("  %-18s %s\n", example->name, example->summary);
}

static int list_examples(void)
{
    list_group("guide");
    printf("\nFor the lab, soft and small, so that they run in real time (1000 s, or --set "
           "time=...):\n");
    list_group("lab");
    printf("\nscree new NAME writes NAME.lua; then: scree check NAME.lua, scree run NAME.lua\n");
    return SCREE_EXIT_OK;
}

static int write_example(const scree_scene_example *example, const char *path)
{
    scree_out_file file;

    if (access(path, F_OK) == 0)
        return scree_usage_error("new: %.200s exists already; choose another name with --out",
                                 path);
    int code = scree_out_open(&file, path);
    if (code == SCREE_EXIT_OK) {
        fputs(example->text, file.stream);
        code = scree_out_commit(&file);
    }
    if (code == SCREE_EXIT_OK)
        printf("%s: now scree check %s, or scree run %s\n", path, path, path);
    return code;
}

static int run_new(const scree_arguments *arguments)
{
    const char *name = arguments->operand,
               *path = scree_argument(&scree_verb_new, arguments, "out");
    char own[100];

    if (!name)
        return list_examples();
    const scree_scene_example *example = find_example(name);
    if (!example) {
        const char *closest = scree_closest_word(name, next_example, NULL);
        if (closest)
            return scree_usage_error("new: there is no example \"%.40s\"; did you mean \"%s\"?",
                                     name, closest);
        return scree_usage_error("new: there is no example \"%.40s\"; scree new lists them", name);
    }
    snprintf(own, sizeof own, "%.80s.lua", name);
    return write_example(example, path ? path : own);
}

static const scree_option new_options[] = {
    {"out", "FILE", "the file to write; NAME.lua"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_new = {
    .name = "new",
    .operand = "NAME",
    .summary = "Writes a commented example scene; without a name, lists the examples.",
    .example = "scree new hopper --out hopper.lua",
    .options = new_options,
    .run = run_new,
};

/* ---- scree scene ------------------------------------------------------------------------------------------ */

static void put_out(const char *text, void *user)
{
    fputs(text, user);
}

static int run_scene(const scree_arguments *arguments)
{
    const char *name = arguments->operand;

    if (!scree_scene_available())
        return scree_usage_error(
            "scene: this program was built without Lua 5.4, and cannot read scenes");
    if (scree_argument(&scree_verb_scene, arguments, "markdown")) {
        scree_scene_write_reference(put_out, stdout);
        return SCREE_EXIT_OK;
    }
    if (name && !scree_scene_write_help(name, put_out, stdout)) {
        const char *nearest = scree_scene_nearest_function(name);
        if (nearest)
            return scree_usage_error("scene: there is no function \"%.40s\"; did you mean \"%s\"?",
                                     name, nearest);
        return scree_usage_error("scene: there is no function \"%.40s\"; scree scene lists them",
                                 name);
    }
    for (size_t i = 0; !name && scree_scene_function_at(i); i++)
        printf("  %s\n", scree_scene_function_at(i));
    if (!name)
        printf("\nscree scene FUNCTION describes one function; --markdown prints all\n");
    return SCREE_EXIT_OK;
}

static const scree_option scene_options[] = {
    {"markdown", NULL, "all functions with all fields, as in docs/guide/reference.md"},
    {NULL, NULL, NULL},
};

const scree_verb scree_verb_scene = {
    .name = "scene",
    .operand = "FUNCTION",
    .summary = "Describes the scene language: its functions and their fields.",
    .example = "scree scene wall",
    .options = scene_options,
    .run = run_scene,
};
