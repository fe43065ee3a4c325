/*  Worlds to write down, and files to write them to, for tests of checkpoints. */
#ifndef CHECKPOINT_MAKER_H
#define CHECKPOINT_MAKER_H

#include "drum.h"
#include "scree/checkpoint.h"
#include "test.h"

#include <unistd.h>

/*  A path in a folder of the test's own, which is removed by leave_folder. */
static char test_folder[64];

static inline void enter_folder(void)
{
    snprintf(test_folder, sizeof test_folder, "/tmp/scree-checkpoint-XXXXXX");
    if (!mkdtemp(test_folder))
        FAIL("no folder");
}

static inline const char *path_of(const char *name)
{
    static char path[8][128];
    static int turn;
    char *made = path[turn++ % 8];

    snprintf(made, sizeof path[0], "%s/%s", test_folder, name);
    return made;
}

static inline void save(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "wb");

    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        FAIL("%s cannot be written", path_of(name));
}

/*  It must be empty: what a test wrote it has removed. */
static inline void leave_folder(void)
{
    if (rmdir(test_folder))
        FAIL("there is something left in %s", test_folder);
}

/*  A drum in motion, small. */
static inline scree_world *open_small_drum(drum_scene scene, const drum_way *way)
{
    static const drum_way plain = {0};
    scree_error error = {SCREE_OK, ""};
    scree_world *world = drum_scene_open(&scene, way ? way : &plain, &error);

    if (!world)
        FAIL("%s: %s", scree_status_name(error.status), error.text);
    return world;
}

static inline void advance(scree_world *world, uint64_t steps)
{
    if (scree_world_step(world, steps))
        FAIL("%s", scree_world_message(world));
}

static inline void write_to(scree_world *world, const char *path)
{
    scree_error error = {SCREE_OK, ""};

    if (scree_checkpoint_write(world, path, NULL, 0, &error))
        FAIL("%s", error.text);
}

static inline scree_checkpoint *read_from(const char *path)
{
    scree_error error = {SCREE_OK, ""};
    scree_checkpoint *checkpoint;

    if (scree_checkpoint_read(path, NULL, &checkpoint, &error))
        FAIL("%s", error.text);
    return checkpoint;
}

static inline scree_world *world_of(const scree_checkpoint *checkpoint,
                                    const scree_world_def *hooks)
{
    scree_error error = {SCREE_OK, ""};
    scree_world *world;

    if (scree_checkpoint_world(checkpoint, hooks, &world, &error))
        FAIL("%s", error.text);
    return world;
}

typedef struct file_bytes
{
    unsigned char *data;
    size_t count;
} file_bytes;

static inline file_bytes load(const char *path)
{
    FILE *file = fopen(path, "rb");
    file_bytes bytes = {NULL, 0};

    if (!file || fseek(file, 0, SEEK_END))
        FAIL("cannot read %s", path);
    bytes.count = (size_t)ftell(file);
    rewind(file);
    bytes.data = malloc(bytes.count + 1);
    if (!bytes.data || fread(bytes.data, 1, bytes.count, file) != bytes.count)
        FAIL("cannot read %s", path);
    fclose(file);
    return bytes;
}

/*  The bytes of a world's checkpoint. */
static inline file_bytes bytes_of(scree_world *world)
{
    const char *path = path_of("bytes");
    file_bytes bytes;

    write_to(world, path);
    bytes = load(path);
    unlink(path);
    return bytes;
}

#endif
