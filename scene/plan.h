/*  The content of a scene as plain structs: all values checked, in SI units, independent of Lua. Arrays and texts
    are owned by the scene. `line` is the line of the script, for messages. */
#ifndef SCREE_SCENE_PLAN_H
#define SCREE_SCENE_PLAN_H

#include "scree/ambient.h"
#include "scree/cell.h"
#include "scree/chains.h"
#include "scree/fields.h"
#include "scree/heat.h"
#include "scree/io.h"
#include "scree/joint.h"
#include "scree/picture.h"
#include "scree/sleep.h"
#include "scree/wall.h"
#include "scree/wear.h"
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
    SCREE_FORM_BOTH,     /* intersection of `first` and `second` */
    SCREE_FORM_EITHER,   /* union */
    SCREE_FORM_WITHOUT,  /* `first` without `second` */
} scree_scene_form;

/*  A region to which bodies are added, from which they are removed or in which they are counted, or the surface of a
    wall. */
/*  A box that contains a part of a composed region, and the volume of all cells up to it. */
typedef struct scene_cell
{
    double lower[3], edge[3], end;
} scene_cell;

typedef struct scree_scene_geometry
{
    scree_scene_form form;
    double point[3], normal[3];
    double lower[3], upper[3];                         /* bounding box, of every form but a plane */
    const struct scree_scene_geometry *first, *second; /* of composed regions */
    uint32_t depth;                                    /* of composed regions: levels of nesting */
    uint32_t parts; /* of composed regions: number of parts, each counted as often as it is used */
    double volume, volume_error; /* twice the standard deviation of an estimated volume */
    const scene_cell *cells;     /* of composed regions of sources: cells that cover the region */
    uint32_t cell_count;
    double from[3], to[3];
    double radius, radius_to;
    uint32_t open;   /* bits of omitted sides: box -x +x -y +y -z +z; cylinder and cone: from, to */
    uint32_t facets; /* of the surface of a wall, around its axis */
    double scale;    /* factor for the coordinates of a mesh file */
    const char *path;
    const double *vertices;  /* x y z each */
    const uint32_t *corners; /* `corner_count` per facet */
    uint32_t vertex_count, facet_count;
    uint32_t open_edges; /* of a file: edges with only one facet */
    int corner_count;
    /*  Of facets and files as a region: the closed surface, or of a source the surface itself; of walls NULL. */
    const scree_mesh *mesh;
    bool is_face;
    int side; /* of a face: where bodies are: 0 centres on it, 1 where the normal points, or -1 */
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

/*  The shape of a non-spherical body: several bodies share it, each with its own orientation. */
typedef struct scree_scene_stone
{
    const scree_mesh *mesh;   /* either a mesh: */
    const scree_clump *clump; /* or a clump */
    bool is_block;            /* of the mesh */
    bool is_superquadric;     /* the same */
    double skin;   /* m, contact skin or rounding radius; 0 for clumps and superquadrics */
    double around; /* radius of the bounding sphere about its centre, including skin */
    double volume; /* area in two dimensions */
} scree_scene_stone;

/*  Radii. By number: the radius of each body is drawn from the distribution. By mass: the bodies between two radii
    have the share of the total mass that the distribution has there. */
typedef struct scree_scene_sizes
{
    scree_scene_spread spread;
    bool by_mass;
    bool is_of_mass; /* a curve by mass whatever `by_mass` is, such as a sieve curve */
    double lower, upper, mean, deviation;
    const double (*table)[2]; /* size, share */
    uint32_t table_count;
    /*  Of non-spherical bodies: one for each row of the table, the largest first; sizes are radii of their bounding
        spheres. NULL: spheres. */
    const scree_scene_stone *stones;
} scree_scene_sizes;

/* ---- materials, interactions, walls, bodies ------------------------------------------------------------ */

typedef struct scree_scene_rule
{
    int line;
    scree_contact_type type;
    uint32_t material[2]; /* from 1; 0: any */
    uint64_t groups;
    const char *law;          /* NULL: no interaction */
    const scree_law *own_law; /* of the scene, written as formulas; NULL: a built-in one */
    const char *const *names;
    const double *values;
    uint32_t value_count;
} scree_scene_rule;

/*  Bodies to bond: at the start, once all bodies exist, or at the start of a stage. */
typedef struct scree_scene_bond
{
    int line;
    uint32_t stage; /* from 1; 0: at the start */
    double gap;     /* largest gap between surfaces */
    uint64_t groups;
} scree_scene_bond;

/*  What joins two bodies, or a body and a wall or the fixed world, at the start. */
typedef struct scree_scene_joint
{
    int line;
    uint32_t first, second, wall; /* rows of bodies and of a wall, from 1; 0: none */
    scree_joint_def def;          /* without handles */
} scree_scene_joint;

typedef struct scree_scene_wall
{
    int line;
    const char *name; /* "" if it has none */
    scree_scene_geometry surface;
    uint32_t material; /* from 1 */
    double position[3], orientation[4];
    uint64_t groups, mask;
    scree_wall_path path;
    bool has_servo;
    scree_wall_servo_def
        servo; /* planes that bound the area of a box's side are found when it is built */
    uint32_t servo_sides; /* of a box: sides with a servo, bits as `open` */
    bool is_free, has_belt, wears;
    scree_free_wall_def loose;
    scree_wall_belt_def belt;
    scree_wear_def wear;
    scree_wall_heat heat;
    bool comes_later;      /* a stage adds it; it does not exist before */
    uint32_t first, count; /* walls in the world: one, up to six for a box, none while absent */
} scree_scene_wall;

typedef struct scree_scene_body
{
    int line;
    uint32_t material;
    const scree_scene_stone *stone; /* NULL: a sphere */
    bool is_turned;                 /* random orientation, whatever `orientation` is */
    double radius, mass;
    double position[3], velocity[3], spin[3], orientation[4];
    uint64_t groups, mask;
    uint32_t flags;
    double temperature; /* NAN: that of new bodies */
    double heat_source; /* W */
    bool holds_temperature;
    scree_body_id id; /* in the world, once it has been added */
} scree_scene_body;

/*  Bodies that the scene adds: all at the start, or over time. */
typedef struct scree_scene_source
{
    int line;
    const char *name;
    bool is_pour;
    scree_scene_geometry region;
    const uint32_t *keep_off; /* walls of the plan, from 1, present or not: no body in them */
    uint32_t keep_off_count;
    scree_scene_sizes radius;
    uint32_t material;
    uint64_t count;        /* 0: no limit */
    double mass;           /* kg in total; 0: no limit */
    double solid_fraction; /* fill: of the region; 0: not given */
    double rate;           /* bodies per second; 0: use mass_rate */
    double mass_rate;      /* kg per second */
    const uint32_t
        *returns; /* or as many bodies as these sinks of the plan, from 1, have removed */
    uint32_t return_count;
    double start, stop; /* s, since the start of its stage */
    uint32_t stage,
        stage_end; /* active from this stage on, and until stage_end begins; from 1, 0: not given */
    double velocity[3], spread; /* m/s; each component of the velocity varies by +- spread */
    double gap;                 /* smallest gap between surfaces, in radii */
    double normal_speed;        /* m/s; of a face: along its normal, in addition to velocity */
    uint64_t groups, mask;
    double temperature; /* NAN: that of new bodies */
} scree_scene_source;

typedef struct scree_scene_sink
{
    int line;
    const char *name;
    scree_scene_geometry region; /* for a plane: what is behind it */
    uint32_t material;           /* 0: all */
    double start, stop;          /* s, since the start of its stage */
    uint32_t stage, stage_end;   /* as those of a source */
} scree_scene_sink;

/*  What is measured: of the bodies with their centre in a region, of those that pass a plane, or of a wall. */
typedef enum scree_scene_quantity
{
    SCREE_MEASURE_COUNT = 1,
    SCREE_MEASURE_MASS = 2,
    SCREE_MEASURE_SOLID_FRACTION = 4, /* of a sphere exactly, of others by centres */
    SCREE_MEASURE_SPEED = 8,          /* mean of magnitudes */
    SCREE_MEASURE_VELOCITY = 16,      /* mean by mass; of a wall its own; 3 columns */
    SCREE_MEASURE_TEMPERATURE =
        32, /* a third (2D: half) of the mean squared deviation from the mean velocity */
    SCREE_MEASURE_COORDINATION = 64,
    SCREE_MEASURE_FLOW = 128, /* plane: net number of bodies that have passed along the normal */
    SCREE_MEASURE_MASS_FLOW = 256, /* plane: kg/s since the last row */
    SCREE_MEASURE_FORCE = 512,     /* wall: 3 columns */
    SCREE_MEASURE_TORQUE = 1024,   /* wall: 3 columns */
    /*  sphere: see scree/fields.h, kernel "ball" */
    SCREE_MEASURE_PRESSURE = 2048,
    SCREE_MEASURE_SHEAR_STRESS = 4096,
    SCREE_MEASURE_STRESS = 8192, /* 6 columns, as fabric */
    SCREE_MEASURE_FABRIC = 16384,
    SCREE_MEASURE_POSITION = 32768, /* wall, but not a box: 3 columns */
    /*  box as a wall, 3 columns each */
    SCREE_MEASURE_SIZE = 65536,         /* distance between opposite sides */
    SCREE_MEASURE_SIDE_STRESS = 131072, /* mean force on both sides over the area */
    SCREE_MEASURE_POROSITY = 262144,    /* sphere: the volume fraction that no body fills */
    /*  only with heat */
    SCREE_MEASURE_BODY_TEMPERATURE = 524288, /* region: mean weighted by heat capacity */
    SCREE_MEASURE_HEAT_FLOW = 1048576,       /* wall: W into bodies, mean over the last step */
    SCREE_MEASURE_HEAT = 2097152,            /* wall: J into bodies so far */
    /*  box, divided into cells: of two kinds of bodies */
    SCREE_MEASURE_SEGREGATION = 4194304, /* Danckwerts' intensity */
    SCREE_MEASURE_MIXING = 8388608,      /* Lacey's index */
    /*  everywhere: force chains, scree/chains.h */
    SCREE_MEASURE_CHAINS = 16777216,       /* number of chains */
    SCREE_MEASURE_CHAIN_LENGTH = 33554432, /* mean number of bodies per chain */
    SCREE_MEASURE_CHAIN_SHARE = 67108864,  /* share of bodies that are in chains */
    SCREE_MEASURE_SPIN = 134217728,        /* wall, but not a box: 3 columns */
    SCREE_MEASURE_SIDE_FORCE = 268435456,  /* box as a wall: 3 columns per side that is not open */
    SCREE_MEASURE_WEAR = 536870912,        /* wall: m^3 so far */
} scree_scene_quantity;

typedef struct scree_scene_measurement
{
    int line;
    const char *name;
    bool is_named_by_wall; /* the scene gave no name */
    scree_scene_geometry region;
    uint32_t wall; /* of the plan, from 1; 0: none */
    uint32_t quantities;
    bool is_mean; /* over the samples since the previous row; not for planes */
    scree_scene_geometry
        within;         /* of a plane: only passages in this region count; no form: everywhere */
    uint32_t cells[3];  /* of mixing; 0: not given */
    uint32_t material;  /* material of the first kind, from 1; 0: the first kind has a radius */
    double above;       /* above this */
    double chain_angle; /* rad */
} scree_scene_measurement;

/* ---- stages ------------------------------------------------------------------------------------------- */

typedef enum scree_scene_condition_kind
{
    SCREE_CONDITION_ALL,
    SCREE_CONDITION_ANY,
    SCREE_CONDITION_TIME,      /* s since the start of the stage, or of the run */
    SCREE_CONDITION_STEPS,     /* the same in steps */
    SCREE_CONDITION_RUN_TIME,  /* s since the start of the run */
    SCREE_CONDITION_REAL_TIME, /* s of wall-clock time: not reproducible */
    SCREE_CONDITION_QUIET,     /* J per body */
    SCREE_CONDITION_COUNT,     /* number of bodies in the region */
    SCREE_CONDITION_FORCE,     /* N, of the bodies on a wall */
    SCREE_CONDITION_MOVED,     /* m, displacement of a wall since the start of the stage */
    SCREE_CONDITION_BROKEN,    /* bonds broken since then, or their share of the bonds there were */
} scree_scene_condition_kind;

/*  What ends a stage or the run. Conditions are rows of the plan: the parts of "all" and "any" follow them. */
typedef struct scree_scene_condition
{
    int line;
    scree_scene_condition_kind kind;
    uint32_t span; /* number of rows of the condition with its parts */
    double bound;  /* the value must be above or below this; times and steps must reach it */
    bool is_below;
    bool is_share;               /* of broken bonds */
    double during;               /* s for which it must have held */
    scree_scene_geometry region; /* no form: everywhere */
    uint32_t material;           /* of bodies that count, from 1; 0: all */
    uint32_t wall;               /* of the plan's, from 1 */
    uint32_t sides;              /* of a box; 0: all */
    double axis[3];              /* 0: use the magnitude */
} scree_scene_condition;

/*  Changes at the start of a stage, in the order in which they are made. */
typedef enum scree_scene_change_kind
{
    SCREE_CHANGE_TAKE_WALL,
    SCREE_CHANGE_TAKE_BODIES,
    SCREE_CHANGE_PUT_WALL,
    SCREE_CHANGE_DRIVE,
    SCREE_CHANGE_GRAVITY,
    SCREE_CHANGE_DAMPING,
    SCREE_CHANGE_FLUID,
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
    uint64_t groups;              /* of bodies: in any of these groups */
    uint32_t components;          /* SCREE_FREEZE_X, ... */
    double number[3];             /* gravity; damping and local damping; step; friction */
    const scree_scene_wall *wall; /* drive: motion, servo and free wall */
    const scree_fluid_def *fluid; /* what the fluid becomes */
    const char *const *names;     /* of values of a material or rule, */
    const double *values;         /* and what they become */
    uint32_t value_count;
} scree_scene_change;

/*  A stage of a scene: it begins where the previous one ends, with its changes. */
typedef struct scree_scene_stage
{
    int line;
    const char *name;
    uint32_t ends;        /* condition, from 1 */
    double at_most;       /* s; 0: no limit of its own */
    bool continues;       /* after at_most the next stage begins; otherwise the run fails */
    uint32_t check_every; /* steps between tests of conditions that are not times */
    double metrics_every, output_every; /* s, during this stage; 0: those of the scene */
    const scree_scene_change *changes;
    uint32_t change_count;
    double shortest, longest; /* s: limits of its duration; longest is INFINITY if unknown */
    double earliest;          /* s: earliest time at which it can begin */
} scree_scene_stage;
/*  A column computed from others. */
typedef struct scree_scene_formula
{
    int line;
    const char *name, *unit, *value;
    const char *const *names; /* of parameters, in alphabetical order */
    const double *values;
    uint32_t value_count;
} scree_scene_formula;

/* ---- output ------------------------------------------------------------------------------------------ */

/*  Due at intervals of simulated time or, if that is 0, of steps. */
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
    const char *const *fields; /* of bodies, as of scree_export_field_name; NULL: all */
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
    scree_scene_every every;  /* both 0: once at the end */
    scree_scene_every sample; /* mean of samples since the previous file; both 0: present values */
    scree_fields_def def;
    uint32_t wall; /* of the plan, from 1: contact forces on it; 0: fields of bodies */
    scree_fields_format format;
} scree_scene_fields;

typedef struct scree_scene_picture
{
    int line;
    scree_scene_every
        every; /* both 0: once at the end; with "picture" in an output: with that output */
    scree_picture_def def; /* hooks are not set */
} scree_scene_picture;

typedef struct scree_scene_cell
{
    int line; /* 0: no cell */
    double gradient[3][3];
    double tilt[3]; /* xy, xz, yz in m, at the start */
    bool homogeneous;
    bool has_servo;
    scree_cell_servo_def servo;
} scree_scene_cell;

typedef struct scree_scene_plan
{
    const char *title;
    uint64_t seed;
    double end_time;     /* s; 0: the end is given in steps */
    uint64_t end_steps;  /* 0: the end is given as a time */
    bool ends_by_stages; /* with the last stage; end_time is the latest possible end, or 0 */
    uint32_t stop;       /* condition that ends the run, from 1; 0: none */
    uint32_t stop_every; /* steps between tests of it */

    /*  Domain, gravity, time step, detection; hooks are not set. */
    scree_world_def world;
    scree_scene_cell cell;
    /*  If the scene gives no upper bound of automatic steps: world.dt is chosen. */
    bool chooses_dt;
    uint32_t act_every; /* steps between actions of sources, sinks and planes */
    uint32_t threads;   /* 0: not given */

    const scree_material_def *materials; /* index i has the id i + 1 */
    const int *material_lines;
    const scree_material_heat_def *material_heats;
    const scree_scene_rule *rules;
    scree_law *const *own_laws; /* written as formulas */
    const scree_scene_bond *bonds;
    const scree_scene_joint *joints;
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
    size_t material_count, rule_count, own_law_count, bond_count, joint_count, wall_count,
        body_count, source_count, sink_count, measure_count, output_count, picture_count,
        fields_count, stage_count, condition_count, formula_count;
    const scree_scene_formula *formulas;

    scree_scene_every checkpoint; /* both 0: only at the end */
    uint32_t checkpoints_kept;
    scree_scene_every metrics; /* both 0: every hundredth of the run */
    scree_scene_every sample;  /* of measurements that are means */
    int sample_line;           /* 0: not given */
    bool has_stones;           /* there may be bodies of triangles */
    bool has_clumps;           /* there may be clumps */
    bool quarantines; /* a body whose values are not finite is removed, and the run continues */

    bool has_heat;
    int heat_line;
    scree_heat_def heat;

    bool has_fluid;
    int fluid_line;
    scree_fluid_def fluid;
    scree_force_field_def force_fields[SCREE_MAX_FORCE_FIELDS];
    int force_field_lines[SCREE_MAX_FORCE_FIELDS];
    uint32_t force_field_count;

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
    bool is_set;       /* from outside the script */
    bool is_text;
} scree_scene_parameter;

#endif
