/*  Makes a film from numbered frames with ffmpeg, if it is installed. */
#ifndef SCREE_RENDER_FILM_H
#define SCREE_RENDER_FILM_H

#include <stdint.h>

#define SCREE_FRAME_NAME "frame-%05d.png"

/*  Writes FOLDER/movie.mp4 from the frames in the folder. Without ffmpeg it prints a message and succeeds. Returns an
    exit code. */
int scree_make_film(const char *folder, uint32_t frames_a_second);

#endif
