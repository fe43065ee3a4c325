/*  The head of a film frame (common/film_format.h): what is known of the frame before its walls and bodies are read. */
#ifndef SCREE_FILM_HEAD_H
#define SCREE_FILM_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct scree_film_head
{
    uint64_t steps, body_count;
    double time, lower[3], upper[3], radius, speed;
    uint32_t wall_count, dimensions;
} scree_film_head;

/*  `count` is the number of bytes that are there: SCREE_FILM_HEAD_BYTES are enough. Returns false if they are not the head
    of a frame. */
bool scree_film_read_head(const unsigned char *bytes, size_t count, scree_film_head *head);

/*  The smallest size of a file with this head, in bytes; SIZE_MAX if it would be larger than any file. */
size_t scree_film_min_bytes(const scree_film_head *head);

#endif
