/*  The scene language: one table of functions and their fields, used for reading, for messages, for the reference
    and for the program's help. */
#ifndef SCREE_SCENE_LANGUAGE_H
#define SCREE_SCENE_LANGUAGE_H

#include "scene_internal.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>

/* ---- the table ------------------------------------------------------------------------------------ */

/*  Type of a field, and of its storage. */
typedef enum scene_type
{
    SCENE_NUMBER,     /* double */
    SCENE_WHOLE,      /* uint64_t */
    SCENE_WHOLE32,    /* uint32_t */
    SCENE_SWITCH,     /* bool */
    SCENE_TEXT,       /* const char * */
    SCENE_WORD,       /* one of `words`: int */
    SCENE_NAME,       /* one of `words`: const char * */
    SCENE_FLAGS,      /* a list of `words`, or one: uint32_t */
    SCENE_GROUPS,     /* a list of numbers from 1 to 64: uint64_t */
    SCENE_VECTOR,     /* double[3]; z may be omitted if it is 0 */
    SCENE_QUATERNION, /* double[4] */
    SCENE_MATERIAL,   /* uint32_t */
    SCENE_WALL,       /* uint32_t */
    SCENE_REGION,     /* scree_scene_geometry */
    SCENE_BALL,       /* scree_scene_sizes */
    SCENE_SIZES,      /* a number or a distribution: scree_scene_sizes */
    SCENE_OWN,        /* read by the field's own function */
} scene_type;

typedef struct scene_word
{
    const char *name;
    uint32_t value;
} scene_word;

/*  A name used in earlier versions: still works, with a warning. */
typedef struct scene_old_word
{
    const char *old_name, *name;
} scene_old_word;

struct scene_reader;

typedef struct scene_field
{
    const char *name;     /* NULL: the unnamed field, which has the items of the table in order */
    const char *old_name; /* in earlier versions: still works, with a warning; NULL: none */
    scene_type type;
    size_t offset;    /* in the function's record */
    const char *unit; /* in SI: values are stored in this unit, whatever `units` the scene has */
    const char *flat_unit; /* in two dimensions, if different */
    bool or_share;         /* a negative value has no unit */
    double lower, upper;   /* for numbers */
    bool above, below;     /* the bounds themselves are excluded */
    bool endless;          /* math.huge is allowed */
    bool required;
    bool is_removed;      /* still read, by its own function, but not documented */
    const char *standard; /* the default, as shown in the reference */
    const char *help;
    const scene_word *words;         /* ends with a NULL name */
    const scene_old_word *old_words; /* accepted as well; NULL: none */
    void (*read)(struct scene_reader *reader, void *target);
    const char *accepts; /* SCENE_OWN: description of accepted values */
} scene_field;

typedef struct scene_function
{
    const char *name;
    const char *old_name; /* see scene_field */
    const char *chapter;  /* of the reference */
    const char *summary;
    const char *example;
    const scene_field *fields;
    size_t field_count;
    size_t record_bytes;
    bool once;            /* may be called once in a scene */
    bool in_order;        /* f(a, b) means f { first field = a, second = b } */
    bool may_be_replaced; /* a script may define a variable of this name */
    /*  `begin` sets defaults in the zeroed record before fields are read. `end` uses the record and returns the
        number of results. */
    void (*begin)(struct scene_reader *reader, void *record);
    int (*end)(struct scene_reader *reader, void *record);
} scene_function;

#define SCENE_MAX_RECORD 2048

/*  All functions, in the order of the reference; NULL past the end. */
const scene_function *scene_function_at(size_t index);

/*  The chapters' tables. */
extern const scene_function scene_unit_functions[], scene_law_functions[], scene_world_functions[],
    scene_cell_functions[], scene_surface_functions[], scene_wall_functions[],
    scene_belt_functions[], scene_wear_functions[], scene_path_functions[], scene_loose_functions[],
    scene_size_functions[], scene_stone_functions[], scene_block_functions[],
    scene_superquadric_functions[], scene_clump_functions[], scene_body_functions[],
    scene_joint_functions[], scene_source_functions[], scene_heat_functions[],
    scene_ambient_functions[], scene_rest_functions[], scene_measure_functions[],
    scene_column_functions[], scene_field_functions[], scene_run_functions[],
    scene_output_functions[], scene_setting_functions[], scene_stage_functions[],
    scene_value_functions[], scene_condition_functions[];
extern const size_t scene_unit_function_count, scene_law_function_count, scene_world_function_count,
    scene_cell_function_count, scene_surface_function_count, scene_wall_function_count,
    scene_belt_function_count, scene_wear_function_count, scene_path_function_count,
    scene_loose_function_count, scene_size_function_count, scene_stone_function_count,
    scene_block_function_count, scene_superquadric_function_count, scene_clump_function_count,
    scene_body_function_count, scene_joint_function_count, scene_source_function_count,
    scene_heat_function_count, scene_ambient_function_count, scene_rest_function_count,
    scene_measure_function_count, scene_column_function_count, scene_field_function_count,
    scene_run_function_count, scene_output_function_count, scene_setting_function_count,
    scene_stage_function_count, scene_value_function_count, scene_condition_function_count;

/*  Names of components of motion, for flags. */
extern const scene_word scene_freeze_words[];

/*  Bounds of numbers, as initialisers. */
#define SCENE_ANY .lower = -INFINITY, .upper = INFINITY
#define SCENE_ABOVE(x) .lower = (x), .upper = INFINITY, .above = true
#define SCENE_FROM(x) .lower = (x), .upper = INFINITY
#define SCENE_WITHIN(x, y) .lower = (x), .upper = (y)

/* ---- reading --------------------------------------------------------------------------------------- */

/*  Units of a scene: its length is factor * 10^ten m, and so on. */
#define SCENE_BASE_UNITS 4 /* length, mass, time, angle */
typedef struct scene_unit
{
    char name[24];
    double factor;
    int ten;
} scene_unit;

typedef struct scene_units
{
    bool are_declared;
    scene_unit base[SCENE_BASE_UNITS];
} scene_units;

/*  Context of a script, found from any lua_State by scene_host_of. */
typedef struct scene_host
{
    scree_scene *scene;
    const scree_scene_def *def;
    scree_error *error;
    lua_State *L;
    uint64_t instructions, budget; /* Lua instructions */
    uint64_t work;                 /* work of functions, in instructions that take the same time */
    size_t lua_bytes, budget_bytes;
    size_t longest; /* largest block so far: one instruction may process all of it */
    double deadline;
    const char *spent;   /* the budget that was exceeded, which no pcall can catch; NULL: none */
    bool is_short;       /* the allocator failed, and not the budget */
    scree_status status; /* of the present error, if it is not the script's */
    scree_random random; /* for math.random */
    struct scene_sampled *sampled; /* motions that are functions, the last one first */
    const scene_function *(*function_at)(
        size_t
            index); /* scene_function_at, as a pointer, since the reader does not know the tables */
    bool has_folder;
    scene_units units;
    int lines[96]; /* line of the first call of each function */
} scene_host;

static inline scene_host *scene_host_of(lua_State *L)
{
    return *(scene_host **)lua_getextraspace(L);
}

/*  A function call that is being read. */
typedef struct scene_reader
{
    lua_State *L;
    scene_host *host;
    scree_scene *scene;
    const scene_function *function;
    const scene_field *field; /* the present field; its value is at `index` of the stack */
    int index;
    int line;
    uint64_t given;   /* bit k: field k was given */
    uint64_t renamed; /* bit k: by its old name */
} scene_reader;

/*  Ends the script with "file:line: function: ...". An attribute is used because not all tools know _Noreturn. */
__attribute__((noreturn)) void scene_refuse(scene_reader *reader, const char *format, ...)
    SCREE_PRINTF(2, 3);
/*  The same for the present field: "file:line: function: field: is ..., must be ...". */
__attribute__((noreturn)) void scene_refuse_value(scene_reader *reader, const char *wanted);
/*  The same for the value at `index` of the stack. */
__attribute__((noreturn)) void scene_refuse_at(scene_reader *reader, int index, const char *wanted);
/*  The value at `index` as shown in errors, truncated. */
void scene_say_value(scene_reader *reader, int index, char *text, size_t size);
__attribute__((noreturn)) void scene_lacks_memory(lua_State *L);
__attribute__((noreturn)) void scene_fail_as(scene_reader *reader, scree_status status,
                                             const char *text);

/*  For a function with `every` and `every_steps`: at most one of them, or exactly one if needed. */
void scene_check_every(scene_reader *reader, bool needed);
/*  Two or three numbers of cells, with a product of at most `most`; the third is 1 if it is not given. */
void scene_read_cells(scene_reader *reader, uint32_t cells[3], double most);
/*  Whether the call gives this field; false for fields that the function does not have. */
bool scene_is_given(const scene_reader *reader, const char *field);
/*  Item `key` of the table at `index`: a finite number within the field's bounds. */
double scene_item_number(scene_reader *reader, int index, lua_Integer key);
/*  The same in SI, from the scene's unit of `unit`. */
double scene_item_in_si(scene_reader *reader, int index, lua_Integer key, const char *unit);
double scene_read_number(scene_reader *reader, int index);
void scene_read_vector(scene_reader *reader, int index, double vector[3]);
lua_Integer scene_length(scene_reader *reader, int index, lua_Integer least, lua_Integer most);
const char *scene_keep_text(scene_reader *reader, int index);
/*  Warns about an old name and gives the new one, once for each name and scene. `key` identifies the table that has
    the name. */
void scene_warn_of_old_name(scene_reader *reader, const void *key, const char *old_name,
                            const char *name);
void *scene_keep(scene_reader *reader, size_t count, size_t bytes);
void *scene_row(scene_reader *reader, scene_list_of list);

/*  Numbers by name, unconverted, in alphabetical order. */
typedef struct scene_named_numbers
{
    const char *const *names;
    const double *values;
    uint32_t count;
} scene_named_numbers;
void scene_read_named_numbers(scene_reader *reader, scene_named_numbers *numbers);

/*  Values of a rule's law, from a table: refuses those that the law does not have, gives old names their new ones, and
    converts the values of built-in laws to SI. */
void scene_law_values(scene_reader *reader, const scree_scene_rule *rule,
                      scene_named_numbers *numbers);

/*  Converts x from the scene's unit for an SI unit such as "kg/m^3" to SI; and back, for messages. */
double scene_to_si(const scene_reader *reader, double x, const char *unit);
double scene_from_si(const scene_reader *reader, double x, const char *unit);
/*  Name of the scene's unit. */
void scene_say_unit(const scene_reader *reader, const char *unit, char *text, size_t size);
/*  Of the present field. */
const char *scene_field_unit(const scene_reader *reader);

/*  Values that functions return to the script. */
typedef enum scene_kind
{
    SCENE_A_MATERIAL,
    SCENE_A_WALL,
    SCENE_A_REGION,
    SCENE_A_BALL, /* any shape of a body; a sphere with a centre is a region */
    SCENE_A_DISTRIBUTION,
    SCENE_A_MOTION,
    SCENE_A_SERVO,
    SCENE_A_BELT,
    SCENE_A_WEAR,
    SCENE_A_FREE_WALL,
    SCENE_A_SOURCE,
    SCENE_A_SINK,
    SCENE_A_BOND,
    SCENE_A_BODY,
    SCENE_A_RULE,
    SCENE_A_CONDITION,
    SCENE_A_CHANGE,
} scene_kind;

typedef struct scene_value
{
    scene_kind kind;
    const char *made_by;
    uint32_t index; /* material, wall, body, source, sink, bond, rule: from 1 */
    bool has_centre;
    scree_scene_geometry geometry;
    scree_scene_sizes sizes;
    scree_path_part part; /* of a motion */
    scree_wall_servo_def servo;
    uint32_t sides; /* of a box: sides that it selects; 0: not given */
    scree_free_wall_def loose;
    scree_wall_belt_def belt;
    scree_wear_def wear;
    const scree_scene_condition *condition; /* with its parts, which follow it */
    const scree_scene_change *change;
} scene_value;

/*  Called once for each script, before any value is pushed. */
void scene_open_values(lua_State *L);
/*  Pushes the metatable of all values. */
void scene_push_metatable(lua_State *L);
/*  Pushes a value. */
void scene_push(scene_reader *reader, const scene_value *value);
/*  Pushes a value of which only kind and index are used: there may be a million. */
void scene_push_index(scene_reader *reader, scene_kind kind, size_t index);
/*  The value at `index`; NULL if it is something else. */
const scene_value *scene_value_at(lua_State *L, int index);

/*  Makes a mesh of the scene, geometry->mesh, from facets or a file. */
void scene_keep_surface(scene_reader *reader, scree_scene_geometry *geometry);
void scene_read_motion(scene_reader *reader, void *target); /* scree_wall_path */
void scene_read_loose(scene_reader *reader, void *target);  /* scree_scene_wall */
void scene_read_servo(scene_reader *reader, void *target);  /* scree_scene_wall */
void scene_read_belt(scene_reader *reader, void *target);   /* scree_scene_wall */
void scene_read_wear(scene_reader *reader, void *target);   /* scree_scene_wall */
/*  Checks that the surface fits a servo. */
void scene_check_servo(scene_reader *reader, const scree_scene_wall *wall);
/*  Checks for fields that a free wall cannot have. */
void scene_check_loose(scene_reader *reader, const scree_scene_wall *wall);
/*  What becomes of a change: a value that `change` of a stage takes. Returns 1, what a function gives back. */
int scene_push_change(scene_reader *reader, const scree_scene_change *change);
/*  Adds a condition and its parts as rows of the plan; the target is the number of the first row, from 1. */
void scene_read_condition(scene_reader *reader, void *target); /* uint32_t */
void scene_read_region(scene_reader *reader, scree_scene_geometry *geometry);
/*  The same for a part of a composed region, which need not have a volume yet. */
void scene_read_part(scene_reader *reader, scree_scene_geometry *geometry);
/*  Adds a * b, a + b and a - b of regions; call after scene_open_values. */
void scene_add_operators(lua_State *L);
/*  The line of the script that called the C function that is running. */
int scene_line_of_call(lua_State *L);
/*  Checks that a name can be used in names of columns. */
void scene_check_name(scene_reader *reader, const char *name);
/*  The path of a file named by the scene. */
const char *scene_file_path(scene_reader *reader, const char *file);
/*  Reads a mesh, for its box and so that errors have the line. */
void scene_open_mesh(scene_reader *reader, const char *path, double scale,
                     scree_scene_geometry *geometry);

/*  Refuses a number of bodies that is too large, before memory is allocated. */
void scene_check_body_count(scene_reader *reader, uint64_t count);

/*  Pushes the shape of bodies of the mesh opened last. */
int scene_push_mesh_body(scene_reader *reader, const scree_scene_geometry *surface,
                         const char *file, const scree_scene_sizes *scale, double skin,
                         uint32_t variants);
#define SCENE_SKIN_HELP                                                                            \
    "thickness of the contact skin over the radius of the ball with its volume; contacts that "    \
    "are "                                                                                         \
    "deeper take longer"
#define SCENE_VARIANTS_HELP                                                                        \
    "number of meshes, which bodies share: each body has the size of one; of a distribution, "     \
    "the sizes are the middles of as many equal shares"

/*  How the shapes of a call are made: number k, from 0, with a size. A row of the scene's lists is added before the
    shape is made, so that a Lua error leaks nothing. */
typedef struct scene_stones
{
    const scree_scene_sizes *sizes;
    uint32_t variants;
    const char *file; /* for messages; "" if none */
    scree_status (*make)(scene_reader *reader, const void *how, uint32_t k, double size,
                         scree_scene_stone *stone, scree_error *error);
    const void *how;
} scene_stones;

/*  Pushes a shape with variants. */
int scene_push_stones(scene_reader *reader, const scene_stones *stones);
/*  The given number of variants, or the default. */
uint32_t scene_count_variants(const scene_reader *reader, uint32_t given,
                              const scree_scene_sizes *sizes);
/*  The mesh opened last. */
const scree_mesh *scene_last_mesh(const scene_reader *reader);
/*  Warns that the mass of a mesh that intersects itself is not that of its visible shape. */
void scene_warn_of_crossings(scene_reader *reader, const scree_mesh *mesh, const char *file);

/*  Adds the functions as globals of the script. */
void scene_add_functions(lua_State *L, int table);

/* ---- the sandbox ------------------------------------------------------------------------------------- */

/*  Pushes the table of everything that a script can call, except scene functions. */
void scene_push_library(lua_State *L);
/*  The functions of Lua itself that are available in scripts. */
void scene_open_base(lua_State *L, int library);
/*  Charges work of functions, in Lua instructions that take the same time; ends the script if the budget is
    exceeded. */
void scene_charge(lua_State *L, uint64_t instructions);
/*  Checks the budget at intervals: shorter ones if there are long strings or tables. */
void scene_watch(scene_host *host);
/*  Replacement of pow() with the same result everywhere. */
double scene_power(double x, double y);
/*  Whether Lua's operator ^ uses it. */
bool scene_power_is_ours(lua_State *L);
/*  Pushes a description of any value, without addresses. */
const char *scene_describe(lua_State *L, int index);

#endif
