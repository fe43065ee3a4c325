/*  Motions of walls that are functions of time. */
#ifndef SCREE_SCENE_PATH_SAMPLING_H
#define SCREE_SCENE_PATH_SAMPLING_H

#include "language.h"

/*  A motion that is a function: its part gets a table after the script has ended. */
struct scene_sampled
{
    struct scene_sampled *before;
    scree_path_part *part;
    int function; /* reference in the registry */
    int line;
};

/*  Samples all functions, after the script was read, since only then the length of the run is known. Ends the script
    on an error. */
void scene_sample_motions(lua_State *L);

#endif
