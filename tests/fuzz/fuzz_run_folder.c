/*  The folder of a stopped run, damaged, and then continued. Bytes say what is done to which file: overwritten, cut, made longer,
    removed; and whether the checksums of a checkpoint are made right afterwards. A run that continues from what it wrote itself must
    end as if nothing had been, or say why it does not; it never ends in another way without a message. */
#include "harness/checkpoint_repair.h"
#include "kept_run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_DAMAGES 8

typedef struct input
{
    const uint8_t *next, *end;
} input;

static uint8_t take(input *in)
{
    return in->next < in->end ? *in->next++ : 0;
}

enum damage
{
    OVERWRITE,
    CUT,
    INSERT,
    REMOVE,
    REPLACE,
    DAMAGES,
};

/*  Copies of the kept files, which damages change. */
typedef struct folder
{
    struct kept_file file[KEPT_MOST];
    bool is_gone[KEPT_MOST];
    bool
        is_other; /* it may rightly end otherwise: another scene, or checksums that were made right */
} folder;

static void change_bytes(struct kept_file *file, enum damage what, size_t at, const uint8_t *bytes,
                         size_t count)
{
    const size_t tail = file->count - at;

    if (what == CUT) {
        file->count = at;
    } else if (what == REPLACE || what == INSERT) {
        uint8_t *made = malloc(file->count + count + 1);
        insist(made != NULL, "memory for the target");
        const size_t head = what == INSERT ? at : 0;
        memcpy(made, file->bytes, head);
        memcpy(made + head, bytes, count);
        if (what == INSERT)
            memcpy(made + head + count, file->bytes + at, tail);
        file->count = head + count + (what == INSERT ? tail : 0);
        free(file->bytes);
        file->bytes = made;
    } else {
        memcpy(file->bytes + at, bytes, count < tail ? count : tail);
    }
}

/*  A file, what is done, where, and how many bytes come: then these. */
static void damage(folder *f, input *in)
{
    const size_t number = take(in) % kept_file_count;
    const uint8_t how = take(in);
    struct kept_file *file = &f->file[number];
    size_t at = take(in);
    at = (at << 8 | take(in)) % (file->count + 1);
    size_t count = take(in), left = (size_t)(in->end - in->next);
    count = count < left ? count : left;

    if (how % DAMAGES == REMOVE)
        f->is_gone[number] = true;
    else
        change_bytes(file, (enum damage)(how % DAMAGES), at, in->next, count);
    in->next += how % DAMAGES == CUT || how % DAMAGES == REMOVE ? 0 : count;
    if (strstr(file->name, "scene.lua"))
        f->is_other = true;
    if ((how & 128) && strstr(file->name, ".scree")) {
        repair_checksums(file->bytes, file->count);
        f->is_other = true;
    }
}

static void lay_out(const folder *f)
{
    char path[SCRATCH_PATH];

    kept_lay_out();
    for (size_t k = 0; k < kept_file_count; k++)
        if (f->is_gone[k])
            unlink(scratch_path(path, f->file[k].name));
        else
            scratch_write(f->file[k].name, f->file[k].bytes, f->file[k].count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    folder f = {.is_other = false};
    uint64_t digest = 0;

    if (!scree_scene_available())
        return 0;
    kept_make();
    for (size_t k = 0; k < kept_file_count; k++) {
        f.file[k] = kept_files[k];
        f.file[k].bytes = malloc(kept_files[k].count + 1);
        insist(f.file[k].bytes != NULL, "memory for the target");
        memcpy(f.file[k].bytes, kept_files[k].bytes, kept_files[k].count);
    }
    for (int k = 0; k < MAX_DAMAGES && in.next < in.end; k++)
        damage(&f, &in);
    lay_out(&f);
    const int code = kept_go((scree_run_options){.resume = true, .steps = KEPT_END}, &digest);
    insist(code == SCREE_EXIT_OK || kept_message[0] != 0, "a reason");
    if (code == SCREE_EXIT_OK && !f.is_other) {
        insist(digest == kept_digest, "the same end");
        insist(kept_tables_are_whole(), "the same tables");
    }
    for (size_t k = 0; k < kept_file_count; k++)
        free(f.file[k].bytes);
    return 0;
}
