/*  scree/picture.h: renders a world to a picture.

        scree_picture_def def = scree_default_picture_def();
        def.field = "speed";
        scree_error error;
        if (scree_picture_png(world, &def, "grains.png", &error)) puts(error.text);

    Spheres are drawn exactly, lit by one light with soft shadows, and coloured by a field, with a colour bar. Mesh
    walls are transparent where they would hide bodies. By default the camera is fitted to the scene. In two dimensions
    discs are drawn from above, with an outline and a line that shows the orientation.

    A picture depends on the state of the world and the definition only, to the last byte: not on threads, the
    processor, or the order of bodies in memory.

    COST. A hundred thousand bodies at 1920 x 1080 take four seconds on one core, two on two. Memory: about 100 bytes
    per body, 250 per facet, 3 per pixel and 250 kB per thread; while a file is written, another 6 per pixel.

    LIMITATIONS. Bodies cast shadows and darken what is near. Walls receive shadows and cast none, so that drums and
    boxes do not darken their content. Periodic images are not drawn. */
#ifndef SCREE_PICTURE_H
#define SCREE_PICTURE_H

#include "scree/base.h"
#include "scree/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  How space is projected. */
typedef enum scree_picture_projection
{
    SCREE_PICTURE_PERSPECTIVE,  /* far things are smaller */
    SCREE_PICTURE_ORTHOGRAPHIC, /* sizes do not depend on distance */
} scree_picture_projection;

/*  The camera. A fitted camera looks from the direction given by `turn` and `rise`, at a distance from which everything
    is visible. In two dimensions the view is orthographic along -z with y up; only `target`, `height` and the box are
    used. Angles are in radians. */
typedef struct scree_picture_camera
{
    scree_picture_projection projection; /* SCREE_PICTURE_PERSPECTIVE */
    bool placed;              /* use eye, target, and height or angle; false: fitted; false */
    double eye[3], target[3]; /* position, and the point it looks at, m; must differ */
    double up[3];             /* upward direction; must not be parallel to the view; 0 0 1 */
    double angle;             /* perspective: vertical field of view, above 0, at most 3; 0.5 */
    double height;            /* orthographic, placed: visible height, m; above 0 */
    /*  Fitted: azimuth (0: the view is along +y) and elevation; 0.6, 0.45. */
    double turn, rise;
    double zoom; /* fitted: magnification, above 0; 1 */
    /*  Fit to the box, not to bodies and meshes: for a series of pictures; false. */
    bool boxed;
    double lower[3], upper[3]; /* the box, m */
} scree_picture_camera;

/*  How walls are drawn. */
typedef enum scree_picture_walls
{
    SCREE_PICTURE_WALLS_GLASS, /* transparent in front of bodies, otherwise solid */
    SCREE_PICTURE_WALLS_CUT,   /* not drawn in front of bodies, otherwise solid */
    SCREE_PICTURE_WALLS_SOLID, /* solid everywhere */
    SCREE_PICTURE_WALLS_LINES, /* only the edges at which meshes end or fold */
    SCREE_PICTURE_WALLS_NONE,  /* not drawn */
} scree_picture_walls;

/*  The kind of shadows. */
typedef enum scree_picture_shadows
{
    SCREE_PICTURE_SHADOWS_SOFT, /* of a light of some size */
    SCREE_PICTURE_SHADOWS_HARD, /* of a point light far away */
    SCREE_PICTURE_SHADOWS_NONE, /* no shadows */
} scree_picture_shadows;

/*  The colour of the background. */
typedef enum scree_picture_background
{
    SCREE_PICTURE_DARK,  /* dark, with light text */
    SCREE_PICTURE_LIGHT, /* light, with dark text */
} scree_picture_background;

/*  A field of the host: returns the value for a row of scree_world_bodies. It must be finite. */
typedef double scree_picture_field_fn(const scree_bodies_view *bodies, size_t row, void *user);

/*  Largest number of clipping planes. */
#define SCREE_PICTURE_MAX_CLIPS 8

/*  How to draw a picture. */
typedef struct scree_picture_def
{
    uint32_t cookie;             /* set by the default function */
    uint32_t size;               /* in bytes, set by the default function */
    uint32_t width, height;      /* pixels, 1 to 16384; 1920, 1080 */
    scree_picture_camera camera; /* see above */
    /*  Name from scree_picture_field_at; "none": one colour; "speed". */
    const char *field;
    scree_picture_field_fn *own_field; /* a field of the host, called `field`; NULL */
    const char *own_unit;              /* unit of own_field; "" */
    void *own_user;                    /* passed to own_field */
    /*  Use `range`; false: from the smallest to the largest value; false. */
    bool ranged;
    /*  Values of the first and last colour; the first must be smaller. */
    double range[2];
    bool logarithmic; /* logarithmic colours; the range must be above 0; false */
    /*  Name from scree_picture_map_at; NULL: suits the field; NULL. */
    const char *map;
    bool colour_bar;                     /* true */
    bool time_label;                     /* true */
    const char *title;                   /* at the upper left, ASCII; "" */
    scree_picture_background background; /* SCREE_PICTURE_DARK */
    /*  Direction towards the light; all 0: above the left shoulder of the viewer; 0 0 0. */
    double light[3];
    scree_picture_shadows shadows; /* SCREE_PICTURE_SHADOWS_SOFT */
    bool occlusion;                /* darken narrow gaps; true */
    scree_picture_walls walls;     /* SCREE_PICTURE_WALLS_GLASS */
    uint32_t clip_count;           /* number of clipping planes; 0 */
    /*  Each plane is a b c d: bodies with centres at a x + b y + c z > d are not drawn. */
    double clips[SCREE_PICTURE_MAX_CLIPS][4];
    uint32_t samples;          /* samples along each side of a pixel, 1 to 4; 2 */
    uint32_t thread_count;     /* 1; ignored if tasks are given */
    scree_tasks tasks;         /* threads of the host; none */
    scree_allocator allocator; /* malloc */
    /*  Name from scree_picture_wall_field_at: what bodies do to each facet of meshes colours it, with a bar at the left.
        What is glass stays so: cut or solid walls show more. Not in two dimensions. NULL: "none"; NULL. */
    const char *wall_field;
    double wall_range[2]; /* of its colours; both 0: from 0 to the largest value; 0 */
} scree_picture_def;

/*  What scree_default_picture_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_picture_def(scree_picture_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_picture_def scree_default_picture_def(void)
{
    scree_picture_def def;
    scree_init_picture_def(&def, sizeof def);
    return def;
}

/*  Names of fields of walls: "none", "pressure", "shear" (its size), "wear" (depth, see scree/wear.h). NULL past the
    end. */
SCREE_API const char *scree_picture_wall_field_at(size_t index);

/*  A field that bodies can be coloured by. */
typedef struct scree_picture_field
{
    const char *name, *unit, *help; /* its name, its unit, and a line of description */
} scree_picture_field;

/*  Returns a field by its index, or NULL past the end. */
SCREE_API const scree_picture_field *scree_picture_field_at(size_t index);
/*  Returns the name of a colour map by its index, or NULL past the end. */
SCREE_API const char *scree_picture_map_at(size_t index);

/*  Checks a definition as far as is possible without a world. `error` may be NULL, here and below. SCREE_BAD_DEF;
    SCREE_BAD_ARGUMENT: no such field or map, with the nearest name; SCREE_BAD_VALUE. */
SCREE_API scree_status scree_picture_check(const scree_picture_def *def, scree_error *error);

/*  Computes the box to which a fitted camera is fitted: that of bodies and drawn walls. The union of several boxes
    gives one camera for a series of pictures. Statuses of scree_picture_check; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_picture_box(scree_world *world, const scree_picture_def *def,
                                         double lower[3], double upper[3], scree_error *error);

/*  Computes the range of the colours, for one range in a series of pictures. Statuses of scree_picture_box. */
SCREE_API scree_status scree_picture_range(scree_world *world, const scree_picture_def *def,
                                           double range[2], scree_error *error);

/*  The same for the colours of walls; 0 0 if no facet has a value above 0, or `wall_field` is none. */
SCREE_API scree_status scree_picture_wall_range(scree_world *world, const scree_picture_def *def,
                                                double range[2], scree_error *error);

/*  A picture in memory. */
typedef struct scree_picture scree_picture;

/*  Size and content of a picture. */
typedef struct scree_picture_info
{
    uint32_t width, height; /* pixels */
    /*  3 bytes per pixel, red green blue, rows from the top; valid as long as the picture. */
    const uint8_t *pixels;
    double range[2]; /* range of the colours */
    uint64_t bodies; /* number of drawn bodies; clipped ones do not count */
} scree_picture_info;

/*  Draws a picture. On failure *picture is NULL. Statuses of scree_picture_check; also SCREE_BAD_ARGUMENT: a camera
    that looks along `up`, or whose eye is its target; SCREE_BAD_VALUE: a field of the host gave a number that is not
    finite; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_picture_draw(scree_world *world, const scree_picture_def *def,
                                          scree_picture **picture, scree_error *error);
/*  Frees a picture. NULL is allowed. */
SCREE_API void scree_picture_destroy(scree_picture *picture);
/*  Returns size and content of a picture. */
SCREE_API scree_picture_info scree_picture_describe(const scree_picture *picture);

/*  Draws a picture and writes it to a PNG file, completely or not at all. Statuses of scree_picture_draw;
    SCREE_IO_ERROR, with the path. */
SCREE_API scree_status scree_picture_png(scree_world *world, const scree_picture_def *def,
                                         const char *path, scree_error *error);

/*  Writes pixels (3 bytes each, rows from the top) to a PNG file. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY,
    SCREE_IO_ERROR. */
SCREE_API scree_status scree_png_write(const uint8_t *pixels, uint32_t width, uint32_t height,
                                       const char *path, scree_error *error);
/*  Encodes pixels as PNG in memory from `allocator` (NULL: malloc). The caller releases *bytes, of size *count.
    SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_png_encode(const uint8_t *pixels, uint32_t width, uint32_t height,
                                        const scree_allocator *allocator, uint8_t **bytes,
                                        size_t *count, scree_error *error);

#ifdef __cplusplus
}
#endif

#endif
