/*  A film from numbered frames, by ffmpeg where there is one. */
#ifndef SCREE_RENDER_FILM_H
#define SCREE_RENDER_FILM_H

#include <stdint.h>

#define SCREE_FRAME_NAME "frame-%05d.png"

/*  FOLDER/movie.mp4 from the frames in the folder. Without ffmpeg it says so and all is well. An exit code. */
int scree_make_film(const char *folder, uint32_t frames_a_second);

#endif
