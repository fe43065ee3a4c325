/*  Motions of walls that are functions of time. */
#ifndef SCREE_SCENE_PATH_SAMPLING_H
#define SCREE_SCENE_PATH_SAMPLING_H

#include "language.h"

/*  A motion that is a function: its part becomes a table when the script has ended. */
struct scene_sampled
{
    struct scene_sampled *before;
    scree_path_part *part;
    int function; /* its reference in the registry */
    int line;
};

/*  They become tables, when the script has been read: until then nobody knows how long the run is. Ends the script where one
    cannot. */
void scene_sample_motions(lua_State *L);

#endif
