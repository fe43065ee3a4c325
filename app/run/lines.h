/*  Files that grow by whole lines: metrics.csv, detection.csv, breaks.csv and log.txt. Lines are collected in memory and appended together;
    if the disk takes only a part of them, that part is taken back and they are tried again later. */
#ifndef SCREE_RUN_LINES_H
#define SCREE_RUN_LINES_H

#include "scree/base.h"

#include <sys/types.h>

/*  How far a table had come when a checkpoint was written. */
typedef struct scree_lines_mark
{
    uint64_t length, sum; /* sum: a hash of these bytes */
    bool is_known;        /* older checkpoints do not say */
} scree_lines_mark;

typedef struct scree_lines
{
    char *path;
    int descriptor; /* -1: not open */
    off_t length;   /* of the file, whole lines all of it */
    uint64_t sum;   /* of a table: a hash of these bytes */
    char *pending;
    size_t used, capacity;
    uint64_t dropped; /* lines that memory or the disk had no room for */
} scree_lines;

/*  Opens or makes the file. An unfinished line at its end, which a power cut may leave, is cut off. False with
    errno. */
bool scree_lines_open(scree_lines *lines, const char *path);
/*  Keeps the first `length` bytes alone, which must end with a line. */
bool scree_lines_cut(scree_lines *lines, off_t length);
/*  Whether the table begins with the bytes that there were at the mark: it was not removed, cut or changed since. */
bool scree_lines_have(const char *path, const scree_lines_mark *mark);
/*  Of a table whose rows begin with a step, ascending: keeps the header and rows of steps up to `step` where the table is
    resumed and has this header, else the header alone, new. False with errno. */
bool scree_lines_begin_rows(scree_lines *lines, const char *header, bool is_resumed, uint64_t step);
/*  A line, without its end. Where a megabyte waits already, it is dropped and counted. */
void scree_lines_put(scree_lines *lines, const char *text);
/*  False with errno; the lines wait for the next time. */
bool scree_lines_flush(scree_lines *lines, bool to_disk);
void scree_lines_close(scree_lines *lines);

#endif
