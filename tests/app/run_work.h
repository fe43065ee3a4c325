/*  A folder in which parts of a run are tried, and what is in its files. */
#ifndef SCREE_RUN_WORK_H
#define SCREE_RUN_WORK_H

#include <stdio.h>

static char work[] = "/tmp/scree-run-parts-XXXXXX";

static char *in_work(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", work, name);
    return path;
}

static char *content_of(const char *path, char text[8192])
{
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(text, 1, 8191, file) : 0;
    if (file)
        fclose(file);
    text[got] = 0;
    return text;
}

#endif
