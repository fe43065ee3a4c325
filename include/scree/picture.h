/*  scree/picture.h: what a world looks like.

        scree_picture_def def = scree_default_picture_def();
        def.field = "speed";
        scree_error error;
        if (scree_picture_png(world, &def, "grains.png", &error)) puts(error.text);

    Spheres are drawn exactly, lit by one light with soft shadows, and coloured by a field with a bar that
    says which colour is which number. Walls of triangles are glass where they would hide the bodies. A camera
    that is not placed is fitted to what there is. In two dimensions discs are seen from above, each with an
    outline and a line for its orientation.

    THE SAME BYTES. A picture is a function of the world's state and the definition: not of threads, of the
    processor, nor of where bodies lie in memory.

    COST. A hundred thousand bodies at 1920 x 1080 take four seconds of one core, two of two. Memory: some 100
    bytes a body, 250 a facet, 3 a pixel, and 250 kB a thread; twice 3 a pixel more while a file is written.

    LIMITS. Bodies cast shadows and dim what is near; walls receive both and cast none, so that drums and boxes
    do not darken what is in them. Periodic images are not drawn. */
#ifndef SCREE_PICTURE_H
#define SCREE_PICTURE_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_picture_projection
{
    SCREE_PICTURE_PERSPECTIVE,
    SCREE_PICTURE_ORTHOGRAPHIC,
} scree_picture_projection;

/*  Where one looks from. Fitted: from `turn` and `rise`, at a distance from which all is seen. In two
    dimensions the view is orthographic along -z with y up, whatever is said here but `target`, `height` and
    `box`. Angles in radians. */
typedef struct scree_picture_camera
{
    scree_picture_projection projection; /* SCREE_PICTURE_PERSPECTIVE */
    bool placed;                         /* eye, target and height or angle count; false: fitted */
    double eye[3], target[3];            /* m; must differ */
    double up[3];                        /* must not lie along the view; 0 0 1 */
    double angle;      /* perspective: from the lower to the upper border, (0, 3]; 0.5 */
    double height;     /* orthographic, placed: from the lower to the upper border, m; above 0 */
    double turn, rise; /* fitted: the eye looks along +y at turn 0; 0.6, 0.45 */
    double zoom;       /* fitted: above 0; 1 */
    bool boxed; /* fitted to this box, not to the bodies and meshes: for pictures in a series */
    double lower[3], upper[3];
} scree_picture_camera;

typedef enum scree_picture_walls
{
    SCREE_PICTURE_WALLS_GLASS, /* what stands between the eye and the bodies is glass, the rest solid */
    SCREE_PICTURE_WALLS_CUT, /* what stands between is left out */
    SCREE_PICTURE_WALLS_SOLID,
    SCREE_PICTURE_WALLS_LINES, /* edges where meshes end or fold */
    SCREE_PICTURE_WALLS_NONE,
} scree_picture_walls;

typedef enum scree_picture_shadows
{
    SCREE_PICTURE_SHADOWS_SOFT,
    SCREE_PICTURE_SHADOWS_HARD,
    SCREE_PICTURE_SHADOWS_NONE,
} scree_picture_shadows;

typedef enum scree_picture_background
{
    SCREE_PICTURE_DARK,
    SCREE_PICTURE_LIGHT,
} scree_picture_background;

/*  A field of yours: the value of the body in a row of scree_world_bodies, which is finite. */
typedef double scree_picture_field_fn(const scree_bodies_view *bodies, size_t row, void *user);

#define SCREE_PICTURE_MAX_CLIPS 8

typedef struct scree_picture_def
{
    uint32_t cookie;
    uint32_t width, height; /* pixels, 1 to 16384; 1920, 1080 */
    scree_picture_camera camera;
    const char *field;                 /* of scree_picture_field_at; "none": one colour; "speed" */
    scree_picture_field_fn *own_field; /* instead; `field` is then its name; NULL */
    const char *own_unit;              /* of own_field; "" */
    void *own_user;
    bool ranged;       /* range counts; false: from the least to the greatest value there is */
    double range[2];   /* of the colours; lower below upper */
    bool logarithmic;  /* colours go by the logarithm; the range must be above 0; false */
    const char *map;   /* of scree_picture_map_at; NULL: what suits the field; NULL */
    bool colour_bar;   /* true */
    bool time_label;   /* true */
    const char *title; /* on the upper left; ""; ASCII */
    scree_picture_background background; /* SCREE_PICTURE_DARK */
    double light[3];               /* towards it; all 0: above the eye's left shoulder; 0 0 0 */
    scree_picture_shadows shadows; /* SCREE_PICTURE_SHADOWS_SOFT */
    bool occlusion;                /* what is between others is darker; true */
    scree_picture_walls walls;     /* SCREE_PICTURE_WALLS_GLASS */
    /*  Bodies whose centre is at a x + b y + c z > d are left out. */
    uint32_t clip_count; /* 0 */
    double clips[SCREE_PICTURE_MAX_CLIPS][4];
    uint32_t samples;      /* along each side of a pixel, 1 to 4; 2 */
    uint32_t thread_count; /* 1; not looked at if tasks are given */
    scree_tasks tasks;
    scree_allocator allocator; /* malloc */
} scree_picture_def;

SCREE_API scree_picture_def scree_default_picture_def(void);

/*  What there is to colour by: name, unit, and one line of help. NULL past the end. */
typedef struct scree_picture_field
{
    const char *name, *unit, *help;
} scree_picture_field;

SCREE_API const scree_picture_field *scree_picture_field_at(size_t index);
/*  Names of the colour maps; NULL past the end. */
SCREE_API const char *scree_picture_map_at(size_t index);

/*  Whether a definition can be drawn, as far as can be said without a world. SCREE_BAD_DEF,
    SCREE_BAD_ARGUMENT (no such field or map, with the nearest one), SCREE_BAD_VALUE. `error` may be NULL,
    here and below. */
SCREE_API scree_status scree_picture_check(const scree_picture_def *def, scree_error *error);

/*  The box that a fitted camera fits: of bodies and of what is drawn of walls. Unions of several make one
    camera for a series. SCREE_BAD_DEF and so on, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_picture_box(scree_world *world, const scree_picture_def *def,
                                         double lower[3], double upper[3], scree_error *error);

/*  The range that its colours would have, for the same reason. */
SCREE_API scree_status scree_picture_range(scree_world *world, const scree_picture_def *def,
                                           double range[2], scree_error *error);

/*  A picture in memory: 3 bytes a pixel, red green blue, rows from the top. */
typedef struct scree_picture scree_picture;

typedef struct scree_picture_info
{
    uint32_t width, height;
    const uint8_t *pixels; /* as long as the picture is */
    double range[2];       /* of the colours */
    uint64_t bodies;       /* drawn; others are clipped */
} scree_picture_info;

/*  On failure *picture is NULL. As scree_picture_check, and SCREE_BAD_ARGUMENT (a camera that looks along
    `up`, or from where it looks to), SCREE_BAD_VALUE (a field of yours gave a number that is not finite),
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_picture_draw(scree_world *world, const scree_picture_def *def,
                                          scree_picture **picture, scree_error *error);
SCREE_API void scree_picture_destroy(scree_picture *picture); /* NULL is fine */
SCREE_API scree_picture_info scree_picture_describe(const scree_picture *picture);

/*  Drawn, and written to a PNG file: complete or not at all. Also SCREE_IO_ERROR, with the path. */
SCREE_API scree_status scree_picture_png(scree_world *world, const scree_picture_def *def,
                                         const char *path, scree_error *error);

/*  Any pixels as a PNG file, or as bytes in memory of `allocator` (NULL: malloc) for the caller to release
    with the size in *count. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY, SCREE_IO_ERROR. */
SCREE_API scree_status scree_png_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                                       const char *path, scree_error *error);
SCREE_API scree_status scree_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                                        const scree_allocator *allocator, uint8_t **bytes,
                                        size_t *count, scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
