/*  What is drawn, in view space: balls for bodies and pebbles (discs in two dimensions), facets for bodies and walls of
    triangles and for what is to be seen of planes, lines for edges. */
#ifndef SCREE_SUBJECT_H
#define SCREE_SUBJECT_H

#include "picture/ball_tree.h"
#include "picture/colour_map.h"
#include "picture/lens.h"
#include "picture/roster.h"

/*  The numbers of what is seen have 32 bits, with room for bodies. */
#define SCREE_MOST_SEEN (1u << 31)
#define SCREE_SMOOTH 0.8 /* cosine between facets of one smooth surface */

typedef struct scree_facet_seen
{
    double corner[3][3];
    float normal[3][3]; /* at each corner, towards the eye; smooth where the surface is */
    uint32_t body;      /* number of its ball; SCREE_NO_BALL: of a wall */
    bool glass;
} scree_facet_seen;

typedef struct scree_line_seen
{
    double end[2][3];
} scree_line_seen;

/*  In two dimensions: what is on the other side of a plane, as a half space in view space. */
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
    /*  The first balls are of the bodies of the roster, one of each. */
    size_t ball_count, ball_capacity, light_capacity, spoke_capacity;
    double (*ball)[4];
    float (*light)[3]; /* colour of each */
    float (*spoke)[2]; /* two dimensions: where a mark on it points, in view space */
    bool *
        is_faceted; /* the body is seen by its facets, and its ball only dims light; NULL: none is */
    size_t faceted_capacity;
    scree_facet_seen *facet;
    size_t facet_count, facet_capacity;
    scree_line_seen *line;
    size_t line_count, line_capacity;
    scree_half_seen *half;
    size_t half_count, half_capacity;
    scree_ball_tree balls, facets, lines;
} scree_subject;

/*  The box of bodies, and of meshes where walls are shown. `lower` > `upper` where there is nothing. */
void scree_subject_box(const scree_world *world, const scree_roster *roster,
                       const scree_picture_def *def, double lower[3], double upper[3]);

/*  The lens is set. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_pose(scree_subject *subject, const scree_world *world,
                                const scree_roster *roster, const scree_palette *palette,
                                const double lower[3], const double upper[3]);
void scree_subject_free(scree_subject *subject);

/*  solids_seen.c: facets of bodies of triangles, whose balls are there. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_pose_solids(scree_subject *subject, const scree_world *world,
                                       const scree_roster *roster);

/*  Room for so many balls in all. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_reserve(scree_subject *subject, size_t count);

/*  clumps_seen.c: pebbles instead of the balls around clumps, and behind all others. SCREE_OUT_OF_MEMORY,
    SCREE_TOO_LARGE. */
scree_status scree_subject_pose_clumps(scree_subject *subject, const scree_world *world,
                                       const scree_roster *roster);

/*  walls_seen.c: facets, lines and halves. SCREE_OUT_OF_MEMORY, SCREE_TOO_LARGE. */
scree_status scree_subject_pose_walls(scree_subject *subject, const scree_world *world,
                                      const double lower[3], const double upper[3]);

#endif
