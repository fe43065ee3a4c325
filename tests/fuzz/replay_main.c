/*  Runs a fuzz target without a fuzzer: over every file of the folders and files named on the command
    line, in the order of their names. So a compiler without libFuzzer still tests the corpus, and a
    finding can be repeated under a debugger. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int passed, failed;

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

    for (int i = 1; i < argc; i++) {
        struct stat info;

        if (stat(argv[i], &info) == 0 && S_ISDIR(info.st_mode))
            replay_folder(argv[i]);
        else
            replay_file(argv[i]);
    }
    /* the empty input belongs to every corpus, and git cannot store an empty folder */
    (void)LLVMFuzzerTestOneInput((const uint8_t *)"", 0);
    passed++;
    printf("%s: %d passed, %d failed\n", slash ? slash + 1 : argv[0], passed, failed);
    return failed != 0;
}
