/*  What a scene says, as plain structs: all numbers checked, SI units, nothing of Lua. Arrays and texts belong
    to the scene. `line` is that of the script, for messages. */
#ifndef SCREE_SCENE_PLAN_H
#define SCREE_SCENE_PLAN_H

#include "scree/cell.h"
#include "scree/chains.h"
#include "scree/fields.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/picture.h"
#include "scree/sleep.h"
#include "scree/wall.h"
#include "scree/world.h"

/* ---- places and surfaces --------------------------------------------------------------------------- */

typedef enum scree_scene_form
{
    SCREE_FORM_NONE,
    SCREE_FORM_PLANE,    /* point, normal */
    SCREE_FORM_BOX,      /* lower, upper */
    SCREE_FORM_CYLINDER, /* from, to, radius */
    SCREE_FORM_CONE,     /* from, to, radius (at from), radius_to */
    SCREE_FORM_SPHERE,   /* from: its centre, radius */
    SCREE_FORM_FACETS,   /* vertices, corners */
    SCREE_FORM_FILE,     /* path: a mesh */
    SCREE_FORM_BOTH,     /* what is in `first` and in `second` */
    SCREE_FORM_EITHER,   /* what is in one of them */
    SCREE_FORM_WITHOUT,  /* what is in `first` and not in `second` */
} scree_scene_form;

/*  A region that bodies are put into, taken from or counted in, or the surface of a wall. */
/*  A box in which a part of a composed region is, and the volume of all cells up to it. */
typedef struct scene_cell
{
    double lower[3], edge[3], end;
} scene_cell;

typedef struct scree_scene_geometry
{
    scree_scene_form form;
    double point[3], normal[3];
    double lower[3], upper[3]; /* of every form but a plane: the box around it */
    const struct scree_scene_geometry *first, *second; /* of composed regions */
    uint32_t depth; /* of composed regions: parts one within the other */
    uint32_t parts; /* of composed regions: how many, each as often as it is used */
    double volume,
        volume_error; /* of composed regions: an estimate, and twice its standard deviation */
    const scene_cell *cells; /* of composed regions of sources: all of the region is in them */
    uint32_t cell_count;
    double from[3], to[3];
    double radius, radius_to;
    uint32_t
        open; /* sides left out: of a box bits 0 to 5: -x +x -y +y -z +z; of a cylinder or cone bit 0
                      the end at `from`, bit 1 the end at `to` */
    uint32_t facets; /* of a wall's surface, around */
    double scale;    /* of a mesh file's numbers */
    const char *path;
    const double *vertices;  /* x y z each */
    const uint32_t *corners; /* `corner_count` a facet */
    uint32_t vertex_count, facet_count;
    uint32_t open_edges; /* of a file: edges with one facet */
    int corner_count;
    /*  Of facets and files, as a region: what it encloses, or of a source the surface itself; of walls NULL. */
    const scree_mesh *mesh;
    bool is_face;
    int side; /* of a face: bodies have centres on it (0), or touch it from where its normal points (1), or not (-1) */
} scree_scene_geometry;

/* ---- sizes ------------------------------------------------------------------------------------------- */

typedef enum scree_scene_spread
{
    SCREE_SPREAD_FIXED,
    SCREE_SPREAD_UNIFORM,
    SCREE_SPREAD_LOGUNIFORM,
    SCREE_SPREAD_NORMAL, /* cut off at lower and upper */
    SCREE_SPREAD_TABLE,  /* single sizes with shares */
    SCREE_SPREAD_CURVE,  /* rows of a size and the share that is smaller, from 0 to 1 */
} scree_scene_spread;

/*  What bodies of triangles and clumps are made of: many share one, and lie each as it likes. */
typedef struct scree_scene_stone
{
    const scree_mesh *mesh;   /* NULL: */
    const scree_clump *clump; /* else NULL */
    bool is_block;            /* of the mesh */
    double halo;              /* m; of a clump 0 */
    double around;            /* radius of the ball about its centre that holds surface and halo */
    double volume;            /* area in two dimensions */
} scree_scene_stone;

/*  Radii. By number: each body's is drawn from the spread. By mass: bodies between two radii have together the
    share of the mass that the spread has there. */
typedef struct scree_scene_sizes
{
    scree_scene_spread spread;
    bool by_mass;
    bool is_of_mass; /* a curve that is of mass whatever `by_mass` says, as of sieves */
    double lower, upper, mean, deviation;
    const double (*table)[2]; /* size, share */
    uint32_t table_count;
    /*  Of bodies of triangles and clumps: one for each row of the table, the largest first; sizes are radii of the balls
        around them. NULL: bodies are balls. */
    const scree_scene_stone *stones;
} scree_scene_sizes;

/* ---- what is in the world ------------------------------------------------------------------------------ */

typedef struct scree_scene_rule
{
    int line;
    scree_contact_type type;
    uint32_t material[2]; /* from 1; 0: any */
    uint64_t groups;
    const char *law;          /* NULL: no force */
    const scree_law *own_law; /* of the scene, written as formulas; NULL: a built-in one */
    const char *const *names;
    const double *values;
    uint32_t value_count;
} scree_scene_rule;

/*  Which bodies are glued: of the start, once all are there, or of the beginning of a stage. */
typedef struct scree_scene_bond
{
    int line;
    uint32_t stage; /* from 1; 0: at the start */
    double gap;     /* between surfaces, at most */
    uint64_t groups;
} scree_scene_bond;

typedef struct scree_scene_wall
{
    int line;
    const char *name; /* "" */
    scree_scene_geometry surface;
    uint32_t material; /* from 1 */
    double position[3], orientation[4];
    uint64_t groups, mask;
    scree_wall_path path;
    bool has_servo;
    scree_wall_servo_def
        servo;            /* planes that a box's area lies between are found when it is built */
    uint32_t servo_sides; /* of a box: as `open`; those that have one */
    bool is_free;
    scree_free_wall_def loose;
    scree_wall_heat heat;
    bool comes_later; /* a stage puts it in, and it is not there before */
    uint32_t first,
        count; /* walls of the world that it is now: one, of a box of planes up to six; none where it is not there */
} scree_scene_wall;

typedef struct scree_scene_body
{
    int line;
    uint32_t material;
    const scree_scene_stone *stone; /* NULL: a ball */
    bool is_turned;                 /* at random, whatever the orientation says */
    double radius, mass;
    double position[3], velocity[3], spin[3], orientation[4];
    uint64_t groups, mask;
    uint32_t flags;
    double temperature; /* NAN: as bodies have that come */
    double heat_source; /* W */
    bool holds_temperature;
} scree_scene_body;

/*  Bodies that the scene makes: all at the start, or in the course of time. */
typedef struct scree_scene_source
{
    int line;
    const char *name;
    bool is_pour;
    scree_scene_geometry region;
    const uint32_t *keep_off; /* walls of the plan, from 1: no body in them, there or not */
    uint32_t keep_off_count;
    scree_scene_sizes radius;
    uint32_t material;
    uint64_t count;          /* 0: not bounded by it */
    double mass;             /* kg in all; 0: not bounded by it */
    double solid_fraction;   /* fill: of the region; 0: not asked for */
    double rate;             /* bodies a second; 0: by mass_rate */
    double mass_rate;        /* kg a second */
    const uint32_t *returns; /* or as many bodies as these sinks of the plan, from 1, have taken */
    uint32_t return_count;
    double start, stop; /* s, since its stage began */
    uint32_t stage,
        stage_end; /* it acts from this stage on, and until that one begins; from 1, 0: not said */
    double velocity[3], spread; /* m/s; each component of the second is even in +- spread */
    double gap;                 /* at least between surfaces, share of the radius */
    double normal_speed;        /* m/s; of a face: along its normal, beside the velocity */
    uint64_t groups, mask;
    double temperature; /* NAN: as bodies have that come */
} scree_scene_source;

typedef struct scree_scene_sink
{
    int line;
    const char *name;
    scree_scene_geometry region; /* a plane: what is behind it */
    uint32_t material;           /* 0: all */
    double start, stop;          /* s, since its stage began */
    uint32_t stage, stage_end;   /* as those of a source */
} scree_scene_sink;

/*  What is measured: of the bodies with their centre in a region, of those that pass a plane, or of a wall. */
typedef enum scree_scene_quantity
{
    SCREE_MEASURE_COUNT = 1,
    SCREE_MEASURE_MASS = 2,
    SCREE_MEASURE_SOLID_FRACTION = 4, /* of a sphere exactly, of others by centres */
    SCREE_MEASURE_SPEED = 8,          /* mean of magnitudes */
    SCREE_MEASURE_VELOCITY = 16,      /* mean, by mass; of a wall its own; 3 columns */
    SCREE_MEASURE_TEMPERATURE =
        32, /* mean square of velocity about the mean, a third of it (2D: half) */
    SCREE_MEASURE_COORDINATION = 64,
    SCREE_MEASURE_FLOW = 128, /* plane: bodies passed along the normal less those back, so far */
    SCREE_MEASURE_MASS_FLOW = 256, /* plane: kg/s of late */
    SCREE_MEASURE_FORCE = 512,     /* wall: 3 columns */
    SCREE_MEASURE_TORQUE = 1024,   /* wall: 3 columns */
    /*  sphere: see scree/fields.h, kernel "ball" */
    SCREE_MEASURE_PRESSURE = 2048,
    SCREE_MEASURE_SHEAR_STRESS = 4096,
    SCREE_MEASURE_STRESS = 8192, /* 6 columns, as is fabric */
    SCREE_MEASURE_FABRIC = 16384,
    SCREE_MEASURE_POSITION = 32768, /* wall but a box: 3 columns */
    /*  box as a wall, 3 columns each */
    SCREE_MEASURE_SIZE = 65536, /* from side to side */
    SCREE_MEASURE_SIDE_STRESS =
        131072, /* force that both sides get from bodies, the mean, over area */
    SCREE_MEASURE_POROSITY = 262144, /* sphere: what no body fills */
    /*  of scenes with heat */
    SCREE_MEASURE_BODY_TEMPERATURE = 524288, /* region: mean by heat capacity */
    SCREE_MEASURE_HEAT_FLOW = 1048576,       /* wall: W into bodies, mean of the last step */
    SCREE_MEASURE_HEAT = 2097152,            /* wall: J into bodies so far */
    /*  box, in cells: of two kinds of bodies */
    SCREE_MEASURE_SEGREGATION = 4194304, /* Danckwerts' intensity */
    SCREE_MEASURE_MIXING = 8388608,      /* Lacey's index */
    /*  everywhere: force chains, scree/chains.h */
    SCREE_MEASURE_CHAINS = 16777216,       /* how many */
    SCREE_MEASURE_CHAIN_LENGTH = 33554432, /* bodies a chain, mean */
    SCREE_MEASURE_CHAIN_SHARE = 67108864,  /* of bodies that are in chains */
    SCREE_MEASURE_SPIN = 134217728,        /* wall but a box: 3 columns */
    SCREE_MEASURE_SIDE_FORCE = 268435456,  /* box as a wall: 3 columns a side, but open ones */
} scree_scene_quantity;

typedef struct scree_scene_measurement
{
    int line;
    const char *name;
    bool is_named_by_wall; /* as the scene gave no name */
    scree_scene_geometry region;
    uint32_t wall; /* of the plan's, from 1; 0: none */
    uint32_t quantities;
    bool is_mean;                /* over the samples since the row before; of no plane */
    scree_scene_geometry within; /* of a plane: where passing counts; no form: everywhere */
    uint32_t cells[3];           /* of mixing; 0: not said */
    uint32_t material;           /* the first kind is of it, from 1; 0: those whose radius is */
    double above;                /* above this */
    double chain_angle;          /* rad */
} scree_scene_measurement;

/* ---- stages ------------------------------------------------------------------------------------------- */

typedef enum scree_scene_condition_kind
{
    SCREE_CONDITION_ALL,
    SCREE_CONDITION_ANY,
    SCREE_CONDITION_TIME,  /* s since the stage began, of the run's own condition since its start */
    SCREE_CONDITION_STEPS, /* the same in steps */
    SCREE_CONDITION_RUN_TIME,  /* s since the run began */
    SCREE_CONDITION_REAL_TIME, /* s on the machine's clock: where the run ends is not reproducible */
    SCREE_CONDITION_QUIET,     /* J a body */
    SCREE_CONDITION_COUNT,     /* bodies in the region */
    SCREE_CONDITION_FORCE,     /* N, of the bodies on a wall */
    SCREE_CONDITION_MOVED,     /* m, that a wall has moved since the stage began */
    SCREE_CONDITION_BROKEN,    /* bonds since then, or their share of those there were */
} scree_scene_condition_kind;

/*  What ends a stage or the run. Conditions are rows of the plan: the parts of "all" and "any" follow them. */
typedef struct scree_scene_condition
{
    int line;
    scree_scene_condition_kind kind;
    uint32_t span; /* rows that it and its parts take */
    double bound;  /* the value is above it, or below; of times and steps, has come to it */
    bool is_below;
    bool is_share;               /* of broken bonds */
    double during;               /* s for which it must have been so */
    scree_scene_geometry region; /* no form: everywhere */
    uint32_t material;           /* of bodies that count, from 1; 0: all */
    uint32_t wall;               /* of the plan's, from 1 */
    uint32_t sides;              /* of a box; 0: all */
    double axis[3];              /* 0: the magnitude counts */
} scree_scene_condition;

/*  What the beginning of a stage changes, in the order in which it is done. */
typedef enum scree_scene_change_kind
{
    SCREE_CHANGE_TAKE_WALL,
    SCREE_CHANGE_TAKE_BODIES,
    SCREE_CHANGE_PUT_WALL,
    SCREE_CHANGE_DRIVE,
    SCREE_CHANGE_GRAVITY,
    SCREE_CHANGE_DAMPING,
    SCREE_CHANGE_STEP,
    SCREE_CHANGE_FRICTION,
    SCREE_CHANGE_MATERIAL,
    SCREE_CHANGE_RULE,
    SCREE_CHANGE_FILL,
    SCREE_CHANGE_BOND,
    SCREE_CHANGE_HOLD,
    SCREE_CHANGE_RELEASE,
} scree_scene_change_kind;

typedef struct scree_scene_change
{
    int line;
    scree_scene_change_kind kind;
    uint32_t index;               /* of the wall, fill, bond, material or rule, from 1 */
    scree_scene_geometry region;  /* of bodies; no form: all */
    uint32_t material;            /* of bodies, from 1; 0: any */
    uint64_t groups;              /* of bodies: in one of these */
    uint32_t components;          /* SCREE_FREEZE_X, ... */
    double number[3];             /* gravity; damping and local damping; step; friction */
    const scree_scene_wall *wall; /* drive: motion, servo and loose, of which none stands still */
    const char *const *names;     /* of values of a material or rule, */
    const double *values;         /* and what they become */
    uint32_t value_count;
} scree_scene_change;

/*  An act of a scene: it begins where the one before it ends, with its changes. */
typedef struct scree_scene_stage
{
    int line;
    const char *name;
    uint32_t ends;        /* condition, from 1 */
    double at_most;       /* s; 0: no bound of its own */
    bool goes_on;         /* with the next stage when that time is over; else the run fails */
    uint32_t check_every; /* steps between looks at conditions that are no times */
    double metrics_every, output_every; /* s, as long as it lasts; 0: as the scene says */
    const scree_scene_change *changes;
    uint32_t change_count;
    double shortest, longest; /* s, that it can last; the longest INFINITY: not known in seconds */
    double earliest;          /* s, at which it can begin */
} scree_scene_stage;
/*  A column that is computed from others. */
typedef struct scree_scene_formula
{
    int line;
    const char *name, *unit, *value;
    const char *const *names; /* of parameters, by the alphabet */
    const double *values;
    uint32_t value_count;
} scree_scene_formula;

/* ---- what the run leaves behind ---------------------------------------------------------------------- */

/*  Due every so many seconds or, if those are 0, steps. */
typedef struct scree_scene_every
{
    double time;
    uint64_t steps;
} scree_scene_every;

/*  Bits of what an output writes. "vtk" in a scene is bodies, walls, solids and pebbles. */
#define SCREE_WRITE_VTP_BODIES 1u
#define SCREE_WRITE_VTP_WALLS 2u
#define SCREE_WRITE_VTP_CONTACTS 4u
#define SCREE_WRITE_LAMMPS 8u
#define SCREE_WRITE_CSV 16u
#define SCREE_WRITE_STL 32u
#define SCREE_WRITE_VTKHDF 64u
#define SCREE_WRITE_VTP_SOLIDS 128u
#define SCREE_WRITE_STL_SOLIDS 256u
#define SCREE_WRITE_VTP_PEBBLES 512u

typedef struct scree_scene_output
{
    int line;
    scree_scene_every every;
    uint32_t write;            /* SCREE_WRITE_VTP_BODIES, ... */
    const char *const *fields; /* of bodies, as scree_export_field_name has them; NULL: all */
    size_t field_count;
} scree_scene_output;

typedef enum scree_fields_format
{
    SCREE_FIELDS_VTI,
    SCREE_FIELDS_CSV,
} scree_fields_format;

/*  Coarse-grained fields. */
typedef struct scree_scene_fields
{
    int line;
    scree_scene_every every; /* both 0: once at the end */
    scree_scene_every
        sample; /* files have the mean of samples since the one before; both 0: what is then */
    scree_fields_def def;
    uint32_t wall; /* of the plan's, from 1: what bodies do to it; 0: fields of bodies */
    scree_fields_format format;
} scree_scene_fields;

typedef struct scree_scene_picture
{
    int line;
    scree_scene_every
        every;             /* both 0: one at the end; of "picture" in an output: as often as that */
    scree_picture_def def; /* hooks are not set */
} scree_scene_picture;

typedef struct scree_scene_cell
{
    int line; /* 0: there is none */
    double gradient[3][3];
    double tilt[3]; /* xy, xz, yz, m: at the start */
    bool homogeneous;
    bool has_servo;
    scree_cell_servo_def servo;
} scree_scene_cell;

typedef struct scree_scene_plan
{
    const char *title;
    uint64_t seed;
    double end_time;    /* s; 0: by steps */
    uint64_t end_steps; /* 0: by time */
    bool
        ends_by_stages; /* the end is that of the last stage; end_time is the latest that can be, or 0 */
    uint32_t stop;      /* condition that ends the run, from 1; 0: none */
    uint32_t stop_every; /* steps between looks at it */

    /*  Domain, gravity, clock, detection: as the scene says; hooks are not set. */
    scree_world_def world;
    scree_scene_cell cell;
    /*  Automatic time is bounded by this where the scene bounds it not: world.dt holds it. */
    bool chooses_dt;
    uint32_t act_every; /* steps between what sources, sinks and planes do */
    uint32_t threads;   /* as the scene says; 0: it does not */

    const scree_material_def *materials; /* [i] has the id i + 1 */
    const int *material_lines;
    const scree_material_heat_def *material_heats;
    const scree_scene_rule *rules;
    const scree_scene_bond *bonds;
    const scree_scene_wall *walls;
    const scree_scene_body *bodies;
    const scree_scene_source *sources; /* fills and pours in the order of the script */
    const scree_scene_sink *sinks;
    const scree_scene_measurement *measures;
    const scree_scene_output *outputs;
    const scree_scene_picture *pictures;
    const scree_scene_fields *fields;
    const scree_scene_stage *stages;
    const scree_scene_condition *conditions;
    size_t material_count, rule_count, bond_count, wall_count, body_count, source_count, sink_count,
        measure_count, output_count, picture_count, fields_count, stage_count, condition_count,
        formula_count;
    const scree_scene_formula *formulas;

    scree_scene_every checkpoint; /* both 0: at the end alone */
    uint32_t checkpoints_kept;
    scree_scene_every metrics; /* both 0: a hundredth of the run */
    scree_scene_every sample;  /* of measurements that are means */
    int sample_line;           /* 0: not said */
    bool has_stones;           /* bodies of triangles may be there */
    bool has_clumps;           /* so may clumps */
    bool quarantines; /* a body whose numbers are not finite is taken out, and the run goes on */

    bool has_heat;
    int heat_line;
    scree_heat_def heat;

    bool has_rest;
    int rest_line;
    scree_sleep_def rest;

    /*  Parameters, as declared and as set. */
    const struct scree_scene_parameter *parameters;
    size_t parameter_count;
} scree_scene_plan;

typedef struct scree_scene_parameter
{
    const char *name, *unit;
    const char *value; /* as text */
    bool is_set;       /* from outside */
    bool is_text;
} scree_scene_parameter;

#endif
