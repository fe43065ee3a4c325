/*  Twenty grains that fall on a floor: the scene of several tests, and the same as a file. */
#ifndef SCREE_TESTS_LAB_SMALL_SCENE_H
#define SCREE_TESTS_LAB_SMALL_SCENE_H

#include "talk.h"

#include <unistd.h>

static const char small[] =
    "local count = param('count', 20)\n"
    "gravity { 0, 0, -9.81 }\n"
    "domain { dimensions = 3 }\n"
    "grain = material { density = 2500, young = 1e6, poisson = 0.25 }\n"
    "wall { shape = plane { point = {0, 0, 0}, normal = {0, 0, 1} }, material = grain }\n"
    "fill { count = count, material = grain, shape = sphere { radius = 0.01 },\n"
    "       region = box { lower = {0, 0, 0.02}, upper = {0.2, 0.2, 0.2} } }\n"
    "run { time = 1, title = 'small' }\n";

/*  The small scene as a file; what its name ends with is chosen. */
static inline void write_small(char *path)
{
    int handle = mkstemp(path);

    CHECK(handle >= 0);
    CHECK(write(handle, small, sizeof small - 1) == (ssize_t)(sizeof small - 1));
    close(handle);
}

#endif
