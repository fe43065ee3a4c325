/*  Makes a film from numbered frames: with ffmpeg if it is installed, else an animated PNG. */
#ifndef SCREE_RENDER_FILM_H
#define SCREE_RENDER_FILM_H

#include <stdint.h>

#define SCREE_FRAME_NAME "frame-%05d.png"

/*  Writes FOLDER/movie.mp4 from the frames 0 to count - 1 in the folder; without ffmpeg FOLDER/movie.png, and prints
    that. Returns an exit code. */
int scree_make_film(const char *folder, uint32_t count, uint32_t frames_a_second);

#endif
