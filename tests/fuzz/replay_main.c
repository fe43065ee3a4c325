/*  Runs a fuzz target without a fuzzer: over every file of the folders and files named on the command
    line, in the order of their names. So a compiler without libFuzzer still tests the corpus, and a
    finding can be repeated under a debugger.

    With `--tries N SEED` before them, N inputs more, blindly: files of the corpus of which some bytes are changed, left out
    or come from another. One that ends the program lies in the file `tried`, in the folder where it ran. */
#include "base/random.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int passed, failed;

/* ---- inputs that are new ---- */

#define MAX_KEPT 512
#define MAX_BYTES 4096u

static struct kept
{
    uint8_t *data;
    size_t size;
} kept[MAX_KEPT];
static size_t kept_count;

static void keep_file(uint8_t *data, size_t size)
{
    if (kept_count == MAX_KEPT)
        free(data);
    else
        kept[kept_count++] = (struct kept){data, size};
}

static void change_bytes(scree_random *random, uint8_t *data, size_t *size)
{
    static const uint8_t telling[] = {0, 1, 127, 128, 255, '0', '-', '"', '\n', ' '};
    const uint32_t changes = 1u << scree_random_below(random, 6);

    for (uint32_t k = 0; k < changes && *size; k++) {
        const uint32_t at = scree_random_below(random, (uint32_t)*size);
        switch (scree_random_below(random, 5)) {
        case 0:
            data[at] = (uint8_t)scree_random_below(random, 256);
            break;
        case 1:
            data[at] ^= (uint8_t)(1u << scree_random_below(random, 8));
            break;
        case 2:
            data[at] = telling[scree_random_below(random, sizeof telling)];
            break;
        case 3: /* left out */
            memmove(data + at, data + at + 1, *size - at - 1);
            --*size;
            break;
        default: /* once more */
            if (*size < MAX_BYTES) {
                memmove(data + at + 1, data + at, *size - at);
                ++*size;
            }
        }
    }
}

static size_t make_input(scree_random *random, uint8_t *data)
{
    size_t size = scree_random_below(random, 256);

    if (!kept_count || scree_random_below(random, 8) == 0) {
        for (size_t k = 0; k < size; k++)
            data[k] = (uint8_t)scree_random_below(random, 256);
        return size;
    }
    const struct kept *first = &kept[scree_random_below(random, (uint32_t)kept_count)];
    const struct kept *second = &kept[scree_random_below(random, (uint32_t)kept_count)];
    size = first->size < MAX_BYTES ? first->size : MAX_BYTES;
    memcpy(data, first->data, size);
    if (size && second->size && scree_random_below(random, 4) == 0) {
        size_t from = scree_random_below(random, (uint32_t)size);
        size_t more = second->size < MAX_BYTES - from ? second->size : MAX_BYTES - from;
        memcpy(data + from, second->data, more);
        size = from + more;
    }
    change_bytes(random, data, &size);
    return size;
}

static bool write_tried(const uint8_t *data, size_t size)
{
    FILE *file = fopen("tried", "wb");
    bool is_done = file && fwrite(data, 1, size, file) == size;

    return file && fclose(file) == 0 && is_done;
}

static bool try_inputs(uint64_t tries, uint64_t seed)
{
    scree_random random = scree_random_stream(seed, 0);
    uint8_t *data = malloc(MAX_BYTES);
    bool is_written = data != NULL;

    for (uint64_t k = 0; is_written && k < tries; k++) {
        size_t size = make_input(&random, data);
        uint8_t *exact = malloc(size ? size : 1);
        is_written = exact && write_tried(data, size);
        if (is_written) {
            memcpy(exact, data, size);
            (void)LLVMFuzzerTestOneInput(exact, size);
        }
        free(exact);
    }
    free(data);
    if (is_written) {
        (void)remove("tried");
        printf("%llu inputs tried, seed %llu\n", (unsigned long long)tries,
               (unsigned long long)seed);
    } else {
        printf("the input cannot be written to `tried`\n");
        failed++;
    }
    return is_written;
}

/* ---- those of the corpus ---- */

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    size_t size = 0;

    if (file && fseek(file, 0, SEEK_END) == 0) {
        long end = ftell(file);
        size = end > 0 ? (size_t)end : 0;
        rewind(file);
        /* exactly as long as the input, so that one byte too far is seen by the sanitizer */
        data = malloc(size ? size : 1);
    }
    if (!data || fread(data, 1, size, file) != size) {
        printf("%s: cannot be read\n", path);
        failed++;
    } else {
        printf("%s\n", path); /* before it runs: a crash then names its input */
        fflush(stdout);
        (void)LLVMFuzzerTestOneInput(data, size);
        passed++;
        keep_file(data, size);
        data = NULL;
    }
    free(data);
    if (file)
        (void)fclose(file);
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void replay_folder(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, by_name);

    if (count < 0) {
        printf("%s: cannot be listed\n", folder);
        failed++;
        return;
    }
    for (int i = 0; i < count; i++) {
        char path[4096];
        struct stat info;

        (void)snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (stat(path, &info) == 0 && S_ISREG(info.st_mode))
            replay_file(path);
        free(entries[i]);
    }
    free(entries);
}

int main(int argc, char **argv)
{
    const char *slash = strrchr(argv[0], '/');
    const bool tries = argc > 3 && strcmp(argv[1], "--tries") == 0;

    for (int i = tries ? 4 : 1; i < argc; i++) {
        struct stat info;

        if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode))
            replay_folder(argv[i]);
        else
            replay_file(argv[i]);
    }
    /* the empty input belongs to every corpus, and git cannot store an empty folder */
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    passed++;
    if (tries)
        passed += try_inputs(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    for (size_t k = 0; k < kept_count; k++)
        free(kept[k].data);
    printf("%s: %d passed, %d failed\n", slash ? slash + 1 : argv[0], passed, failed);
    return failed != 0;
}
