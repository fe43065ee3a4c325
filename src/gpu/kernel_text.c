/*  Texts of kernels: found by name, and joined with what they include. */
#include "gpu/kernel_text.h"

#include "base/error.h"

#include <string.h>

#ifdef SCREE_GPU

/*  Made by cmake/embed_kernels.cmake; the last has no name. */
typedef struct scree_kernel_file
{
    const char *name;
    const char *text;
} scree_kernel_file;
extern const scree_kernel_file scree_kernel_files[];

const char *scree_kernel_text(const char *name)
{
    for (const scree_kernel_file *file = scree_kernel_files; file->name; file++)
        if (strcmp(file->name, name) == 0)
            return file->text;
    return NULL;
}

#else

const char *scree_kernel_text(const char *name)
{
    (void)name;
    return NULL;
}

#endif

/*  Files that include each other without end are a mistake of ours. */
#define MOST_DEPTH 16

/*  The text grows here. */
typedef struct joining
{
    scree_memory *memory;
    char *text;
    size_t length, capacity;
    scree_error *error;
} joining;

static scree_status append(joining *to, const char *text, size_t length)
{
    if (scree_memory_reserve(to->memory, &to->text, &to->capacity, to->length + length + 1, 1))
        return scree_fail(to->error, SCREE_OUT_OF_MEMORY, "no memory for the text of kernels");
    memcpy(to->text + to->length, text, length);
    to->length += length;
    to->text[to->length] = '\0';
    return SCREE_OK;
}

/*  The name in a line #include "NAME"; false for any other line. */
static bool included_name(const char *line, size_t length, char *name, size_t bytes)
{
    static const char begin[] = "#include \"";
    size_t skip = sizeof begin - 1, kept = 0;

    if (length < skip || strncmp(line, begin, skip) != 0)
        return false;
    while (skip + kept < length && line[skip + kept] != '"' && kept + 1 < bytes) {
        name[kept] = line[skip + kept];
        kept++;
    }
    name[kept] = '\0';
    return true;
}

// NOLINTNEXTLINE(misc-no-recursion): files that include files, at most MOST_DEPTH deep
static scree_status append_file(joining *to, const char *name, int depth)
{
    const char *line = scree_kernel_text(name);
    scree_status status = SCREE_OK;

    if (!line || depth > MOST_DEPTH)
        return scree_fail(to->error, SCREE_UNSUPPORTED,
                          "this build of scree has no text of kernels \"%.80s\"%s", name,
                          line ? ": files include each other" : "");
    while (*line && !status) {
        char inner[128];
        const char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) + 1 : strlen(line);
        if (included_name(line, length, inner, sizeof inner))
            status = append_file(to, inner, depth + 1);
        else
            status = append(to, line, length);
        line += length;
    }
    return status;
}

scree_status scree_kernel_text_whole(const char *name, scree_memory *memory, char **text,
                                     size_t *bytes, scree_error *error)
{
    joining to = {.memory = memory, .error = error};
    scree_status status = append_file(&to, name, 0);

    if (!status)
        status = append(&to, "", 0);
    if (status)
        scree_memory_give(memory, &to.text, to.capacity, 1);
    *text = to.text;
    *bytes = status ? 0 : to.capacity;
    return status;
}
