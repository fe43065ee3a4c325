#include "common/regular_file.h"

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *scree_open_regular(const char *path, size_t *bytes)
{
    struct stat info;
    /* opening a pipe without a writer would block */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_regular = descriptor >= 0 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = is_regular ? fdopen(descriptor, "rb") : NULL;

    if (file)
        *bytes = (size_t)info.st_size;
    else if (descriptor >= 0)
        close(descriptor);
    return file;
}
