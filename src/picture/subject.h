/*  The geometry of a picture, in view space: balls for bodies and pebbles (discs in two dimensions), facets for meshes,
    blocks, walls and the visible parts of planes, lines for edges. */
#ifndef SCREE_SUBJECT_H
#define SCREE_SUBJECT_H

#include "picture/ball_tree.h"
#include "picture/colour_map.h"
#include "picture/lens.h"
#include "picture/roster.h"
#include "picture/wall_colours.h"

/*  Indices of objects have 32 bits, with room for bodies. */
#define SCREE_MAX_SEEN (1u << 31)
#define SCREE_SMOOTH 0.8 /* cosine between facets of one smooth surface */

typedef struct scree_facet_seen
{
    double corner[3][3];
    float normal[3][3]; /* at each corner, towards the eye; interpolated if the surface is smooth */
    uint32_t body;      /* index of its ball; SCREE_NO_BALL: of a wall */
    bool glass;
    float light[3]; /* colour of a wall */
} scree_facet_seen;

typedef struct scree_line_seen
{
    double end[2][3];
} scree_line_seen;

/*  In two dimensions: the far side of a plane, as a half space in view space. */
typedef struct scree_half_seen
{
    double point[3], normal[3];
} scree_half_seen;

typedef struct scree_subject
{
    scree_memory *memory;
    const scree_workers *workers;
    const scree_picture_def *def;
    scree_lens lens;
    const scree_wall_colours *walls;
    /*  The first balls are those of the selected bodies, one for each. */
    size_t ball_count, ball_capacity, light_capacity, spoke_capacity;
    double (*ball)[4];
    float (*light)[3]; /* colour of each */
    float (*spoke)[2]; /* two dimensions: direction of the orientation mark, in view space */
    bool *
        is_faceted; /* the body is drawn with facets, and its ball is for lighting only; NULL: no body is */
    size_t faceted_capacity;
    scree_facet_seen *facet;
    size_t facet_count, facet_capacity;
    scree_line_seen *line;
    size_t line_count, line_capacity;
    scree_half_seen *half;
    size_t half_count, half_capacity;
    scree_ball_tree balls, facets, lines;
} scree_subject;

/*  The bounding box of bodies, and of meshes if walls are shown. `lower` > `upper` if there is nothing. */
void scree_subject_box(const scree_world *world, const scree_roster *roster,
                       const scree_picture_def *def, double lower[3], double upper[3]);

/*  Builds the geometry; the lens must be set. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_pose(scree_subject *subject, const scree_world *world,
                                const scree_roster *roster, const scree_palette *palette,
                                const double lower[3], const double upper[3]);
void scree_subject_free(scree_subject *subject);

/*  solids_seen.c: facets of meshes and blocks, whose balls exist already. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_pose_solids(scree_subject *subject, const scree_world *world,
                                       const scree_roster *roster);

/*  Reserves room for this many balls in total. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_reserve(scree_subject *subject, size_t count);

/*  clumps_seen.c: replaces the bounding balls of clumps by pebbles, and appends the others. SCREE_OUT_OF_MEMORY,
    SCREE_TOO_LARGE. */
scree_status scree_subject_pose_clumps(scree_subject *subject, const scree_world *world,
                                       const scree_roster *roster);

/*  walls_seen.c: facets, lines and half spaces. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_pose_walls(scree_subject *subject, const scree_world *world,
                                      const double lower[3], const double upper[3]);

#endif
