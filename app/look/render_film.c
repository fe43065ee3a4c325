#include "app/look/render_film.h"

#include "common/options.h"
#include "common/out_file.h"
#include "picture/animation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_THERE 127 /* exit status of shells for a missing program */

/*  Runs in the folder, so that its name cannot be read as a pattern. */
static void exec_ffmpeg(const char *folder, const char *rate)
{
    /* this codec requires even sizes */
    char *const words[] = {
        "ffmpeg",     "-y",      "-loglevel",      "error", "-framerate",
        (char *)rate, "-i",      SCREE_FRAME_NAME, "-vf",   "pad=ceil(iw/2)*2:ceil(ih/2)*2",
        "-pix_fmt",   "yuv420p", "-crf",           "18",    "making.mp4",
        NULL};
    if (chdir(folder) == 0)
        execvp(words[0], words);
    _exit(NOT_THERE);
}

static int name_film(const char *folder)
{
    size_t bytes = strlen(folder) + sizeof "/making.mp4";
    char *from = malloc(bytes), *to = malloc(bytes);
    int code = SCREE_EXIT_OK;
    if (from && to) {
        snprintf(from, bytes, "%s/making.mp4", folder);
        snprintf(to, bytes, "%s/movie.mp4", folder);
        if (rename(from, to) != 0)
            code = scree_system_error(to, "cannot write");
        else
            printf("%s\n", to);
    } else {
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    }
    free(from);
    free(to);
    return code;
}

static int join_frames(const char *folder, uint32_t count, uint32_t frames_a_second)
{
    scree_error error = {SCREE_OK, ""};
    scree_animation animation;
    char name[32];
    char *movie = scree_join_path(folder, "movie.png");

    if (!movie)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    scree_animation_begin(&animation, movie, count, frames_a_second, &error);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, SCREE_FRAME_NAME, (int)i);
        char *frame = scree_join_path(folder, name);
        if (frame)
            scree_animation_add(&animation, frame);
        else
            animation.status = SCREE_OUT_OF_MEMORY;
        free(frame);
    }
    scree_status status = scree_animation_commit(&animation);
    if (!status)
        printf("%s, an animated PNG: ffmpeg is not installed\n", movie);
    free(movie);
    return status ? scree_status_error(status, error.text) : SCREE_EXIT_OK;
}

int scree_make_film(const char *folder, uint32_t count, uint32_t frames_a_second)
{
    char rate[16];
    int status = 0;
    snprintf(rate, sizeof rate, "%u", frames_a_second);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        exec_ffmpeg(folder, rate);
    if (child < 0)
        return scree_system_error("ffmpeg", "cannot start");
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return scree_system_error("ffmpeg", "cannot wait for");
    if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_THERE)
        return join_frames(folder, count, frames_a_second);
    if (status == 0)
        return name_film(folder);
    fprintf(stderr, "scree: ffmpeg failed; the frames are in %s\n", folder);
    return SCREE_EXIT_SYSTEM;
}
