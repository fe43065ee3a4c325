/*  Files that grow by complete lines: metrics.csv, detection.csv, breaks.csv and log.txt. Lines are collected in
    memory and appended together. If the disk takes only a part of them, the part is removed again, and all are
    retried later. */
#ifndef SCREE_RUN_LINES_H
#define SCREE_RUN_LINES_H

#include "scree/base.h"

#include <sys/types.h>

/*  Length of a table when a checkpoint was written. */
typedef struct scree_lines_mark
{
    uint64_t length, sum; /* sum: a hash of these bytes */
    bool is_known;        /* older checkpoints do not have it */
} scree_lines_mark;

typedef struct scree_lines
{
    char *path;
    int descriptor; /* -1: not open */
    off_t length;   /* of the file, complete lines only */
    uint64_t sum;   /* of a table: hash of these bytes */
    char *pending;
    size_t used, capacity;
    uint64_t dropped; /* lines lost because memory or the disk was full */
} scree_lines;

/*  Opens or creates the file. An incomplete last line, as after a power failure, is removed. False with errno. */
bool scree_lines_open(scree_lines *lines, const char *path);
/*  Truncates to `length` bytes, which must end with a line. */
bool scree_lines_cut(scree_lines *lines, off_t length);
/*  Whether the table starts with the bytes at the mark: it was not removed, truncated or changed since. */
bool scree_lines_have(const char *path, const scree_lines_mark *mark);
/*  For a table whose rows begin with an ascending step number. If it is resumed and has this header, keeps the rows
    up to `step`, and of a table that is as it was at the mark, those before the mark; otherwise writes a new file with the
    header. False with errno. */
bool scree_lines_begin_rows(scree_lines *lines, const char *header, bool is_resumed, uint64_t step,
                            const scree_lines_mark *mark);
/*  Adds a line, without its end. If a megabyte is waiting already, the line is dropped and counted. */
void scree_lines_put(scree_lines *lines, const char *text);
/*  False with errno; the lines wait for the next call. */
bool scree_lines_flush(scree_lines *lines, bool to_disk);
void scree_lines_close(scree_lines *lines);

#endif
