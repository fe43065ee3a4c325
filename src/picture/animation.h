/*  Joins pictures, PNG files of one size, to an animated PNG: browsers play it, and other programs show its first
    picture. Compressed pixels are copied as they are.

        scree_animation animation;
        scree_animation_begin(&animation, "movie.png", 2, 25, &error);
        scree_animation_add(&animation, "frame-00000.png");
        scree_animation_add(&animation, "frame-00001.png");
        status = scree_animation_commit(&animation);

    As with scree_file, the first failure is kept, later calls do nothing, and commit returns it; the file is then as it
    was. */
#ifndef SCREE_ANIMATION_H
#define SCREE_ANIMATION_H

#include "io/write_file.h"

typedef struct scree_animation
{
    scree_file file;
    scree_memory memory;
    scree_error *error;
    uint32_t count, added;  /* frames */
    uint32_t rate;          /* frames a second, up to 65535 */
    uint32_t width, height; /* of the first frame */
    uint32_t sequence;      /* of the next chunk that is numbered */
    scree_status status;
} scree_animation;

/*  `error` may be NULL; it must live until commit. */
void scree_animation_begin(scree_animation *animation, const char *path, uint32_t count,
                           uint32_t rate, scree_error *error);
/*  SCREE_BAD_FILE: not a PNG file, or one of another size than the first; SCREE_BAD_ARGUMENT: more than `count`. */
void scree_animation_add(scree_animation *animation, const char *path);
/*  Also frees everything. SCREE_BAD_ARGUMENT: fewer frames than `count`; or the first failure. */
scree_status scree_animation_commit(scree_animation *animation);

#endif
