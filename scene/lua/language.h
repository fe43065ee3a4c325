/*  The language of scenes: one table of functions with their fields, from which come what is accepted, what
    messages say, the reference and the program's help. */
#ifndef SCREE_SCENE_LANGUAGE_H
#define SCREE_SCENE_LANGUAGE_H

#include "scene_internal.h"

#include <lauxlib.h>
#include <lua.h>
#include <math.h>

/* ---- the table ------------------------------------------------------------------------------------ */

/*  What a field holds, and as what it is stored. */
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
    SCENE_VECTOR,     /* double[3]; z may be left out where it is 0 */
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

/*  A word of earlier versions: still works, with a warning. */
typedef struct scene_old_word
{
    const char *old_name, *name;
} scene_old_word;

struct scene_reader;

typedef struct scene_field
{
    const char *name;     /* NULL: what has no name: the items of the table in their order */
    const char *old_name; /* of earlier versions: still works, with a warning; NULL: none */
    scene_type type;
    size_t offset;         /* in the function's record */
    const char *unit;      /* of SI: numbers are kept so, whatever `units` says of the scene's */
    const char *flat_unit; /* in two dimensions, where that is another one */
    bool or_share;         /* below 0 it has no unit */
    double lower, upper;   /* of numbers */
    bool above, below;     /* the bounds themselves are left out */
    bool endless;          /* math.huge is fine */
    bool required;
    bool is_removed;      /* still read, by its own function; nothing tells of it */
    const char *standard; /* the default, as the reference says it */
    const char *help;
    const scene_word *words;         /* ends with a NULL name */
    const scene_old_word *old_words; /* as well; NULL: none */
    void (*read)(struct scene_reader *reader, void *target);
    const char *accepts; /* SCENE_OWN: what it is, in words */
} scene_field;

typedef struct scene_function
{
    const char *name;
    const char *old_name; /* as of a field */
    const char *chapter;  /* of the reference */
    const char *summary;
    const char *example;
    const scene_field *fields;
    size_t field_count;
    size_t record_bytes;
    bool once;            /* may be called once in a scene */
    bool in_order;        /* f(a, b) is f { first field = a, second = b } */
    bool may_be_replaced; /* a script may have a variable of this name instead */
    /*  Defaults, before fields are read into the zeroed record; and what becomes of it, and how many results. */
    void (*begin)(struct scene_reader *reader, void *record);
    int (*end)(struct scene_reader *reader, void *record);
} scene_function;

#define SCENE_MOST_RECORD 2048

/*  All functions, in the order of the reference; NULL past the end. */
const scene_function *scene_function_at(size_t index);

/*  The chapters' tables. */
extern const scene_function scene_unit_functions[], scene_law_functions[], scene_world_functions[],
    scene_cell_functions[], scene_surface_functions[], scene_wall_functions[],
    scene_path_functions[], scene_loose_functions[], scene_size_functions[],
    scene_stone_functions[], scene_block_functions[], scene_clump_functions[],
    scene_body_functions[], scene_heat_functions[], scene_rest_functions[],
    scene_measure_functions[], scene_column_functions[], scene_field_functions[],
    scene_run_functions[], scene_output_functions[], scene_setting_functions[],
    scene_stage_functions[], scene_value_functions[], scene_condition_functions[];
extern const size_t scene_unit_function_count, scene_law_function_count, scene_world_function_count,
    scene_cell_function_count, scene_surface_function_count, scene_wall_function_count,
    scene_path_function_count, scene_loose_function_count, scene_size_function_count,
    scene_stone_function_count, scene_block_function_count, scene_clump_function_count,
    scene_body_function_count, scene_heat_function_count, scene_rest_function_count,
    scene_measure_function_count, scene_column_function_count, scene_field_function_count,
    scene_run_function_count, scene_output_function_count, scene_setting_function_count,
    scene_stage_function_count, scene_value_function_count, scene_condition_function_count;

/*  Components of motion, for flags. */
extern const scene_word scene_freeze_words[];

/*  Bounds of numbers, as initialisers. */
#define SCENE_ANY .lower = -INFINITY, .upper = INFINITY
#define SCENE_ABOVE(x) .lower = (x), .upper = INFINITY, .above = true
#define SCENE_FROM(x) .lower = (x), .upper = INFINITY
#define SCENE_WITHIN(x, y) .lower = (x), .upper = (y)

/* ---- reading --------------------------------------------------------------------------------------- */

/*  What the numbers of a scene are in: its length is factor * 10^ten m, and so on. */
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

/*  What a script is run in. Found from any lua_State by scene_host_of. */
typedef struct scene_host
{
    scree_scene *scene;
    const scree_scene_def *def;
    scree_error *error;
    lua_State *L;
    uint64_t instructions, budget; /* of Lua */
    uint64_t work;                 /* of functions, in instructions that take as long */
    size_t lua_bytes, budget_bytes;
    size_t longest; /* block so far: one instruction may go through all of it */
    double deadline;
    const char *spent;             /* which budget is: no error that can be caught; NULL: none */
    bool is_short;                 /* the allocator, not the budget, gave none */
    scree_status status;           /* of the error on its way, if it is not of the script */
    scree_random random;           /* of math.random */
    struct scene_sampled *sampled; /* motions that are functions, the last one first */
    const scene_function *(*function_at)(
        size_t index); /* scene_function_at: what reads a call knows no chapter */
    bool has_folder;
    scene_units units;
    int lines[96]; /* where a function was called first */
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
    const scene_field *field; /* being read; its value is at `index` of the stack */
    int index;
    int line;
    uint64_t given;   /* bit k: field k stands in the table */
    uint64_t renamed; /* bit k: under its old name */
} scene_reader;

/*  Ends the script with "file:line: function: ..." . An attribute, as not all checkers know _Noreturn. */
__attribute__((noreturn)) void scene_refuse(scene_reader *reader, const char *format, ...)
    SCREE_PRINTF(2, 3);
/*  The same for the field that is being read: "file:line: function: field: is ..., must be ...". */
__attribute__((noreturn)) void scene_refuse_value(scene_reader *reader, const char *wanted);
/*  The same for the value at `index` of the stack. */
__attribute__((noreturn)) void scene_refuse_at(scene_reader *reader, int index, const char *wanted);
/*  The value at `index` as an error shows it, cut to a length. */
void scene_say_value(scene_reader *reader, int index, char *text, size_t size);
__attribute__((noreturn)) void scene_lacks_memory(lua_State *L);
__attribute__((noreturn)) void scene_fail_as(scene_reader *reader, scree_status status,
                                             const char *text);

/*  Of a function with `every` and `every_steps`: one of both at most, or one where it is needed. */
void scene_check_every(scene_reader *reader, bool needed);
/*  Two or three numbers of cells, no more than `most` together; the third is 1 where it is not said. */
void scene_read_cells(scene_reader *reader, uint32_t cells[3], double most);
/*  Whether the call says it; of a field that the function does not have: no. */
bool scene_is_given(const scene_reader *reader, const char *field);
/*  Item `key` of the table at `index`: a finite number between the field's bounds. */
double scene_item_number(scene_reader *reader, int index, lua_Integer key);
/*  The same in SI, given in what the scene has for `unit`. */
double scene_item_in_si(scene_reader *reader, int index, lua_Integer key, const char *unit);
double scene_read_number(scene_reader *reader, int index);
void scene_read_vector(scene_reader *reader, int index, double vector[3]);
lua_Integer scene_length(scene_reader *reader, int index, lua_Integer least, lua_Integer most);
const char *scene_keep_text(scene_reader *reader, int index);
void *scene_keep(scene_reader *reader, size_t count, size_t bytes);
void *scene_row(scene_reader *reader, scene_list_of list);

/*  Numbers by name, as they stand, in the order of the alphabet. */
typedef struct scene_named_numbers
{
    const char *const *names;
    const double *values;
    uint32_t count;
} scene_named_numbers;
void scene_read_named_numbers(scene_reader *reader, scene_named_numbers *numbers);

/*  Values of a rule's law, from a table: refuses those that the law does not have, and converts those of built-in laws. */
void scene_check_values(scene_reader *reader, const scree_scene_rule *rule,
                        const char *const *names, uint32_t count);
const double *scene_convert_values(scene_reader *reader, const scree_scene_rule *rule,
                                   const char *const *names, const double *values, uint32_t count);

/*  x in what the scene has for a unit of SI, as "kg/m^3", is so much of that; and back, for messages. */
double scene_to_si(const scene_reader *reader, double x, const char *unit);
double scene_from_si(const scene_reader *reader, double x, const char *unit);
/*  The scene's own unit in words. */
void scene_say_unit(const scene_reader *reader, const char *unit, char *text, size_t size);
/*  Of the field that is being read. */
const char *scene_field_unit(const scene_reader *reader);

/*  What functions give back to the script. */
typedef enum scene_kind
{
    SCENE_A_MATERIAL,
    SCENE_A_WALL,
    SCENE_A_REGION,
    SCENE_A_BALL, /* a body's shape, of stones as well; a sphere with a centre is a region */
    SCENE_A_DISTRIBUTION,
    SCENE_A_MOTION,
    SCENE_A_SERVO,
    SCENE_A_LOOSE_WALL,
    SCENE_A_SOURCE,
    SCENE_A_SINK,
    SCENE_A_BOND,
    SCENE_A_RULE,
    SCENE_A_CONDITION,
    SCENE_A_CHANGE,
} scene_kind;

typedef struct scene_value
{
    scene_kind kind;
    const char *made_by;
    uint32_t index; /* material, wall, source, sink, bond, rule: from 1 */
    bool has_centre;
    scree_scene_geometry geometry;
    scree_scene_sizes sizes;
    scree_path_part part; /* of a motion */
    scree_wall_servo_def servo;
    uint32_t sides; /* of a box, that it drives; 0: not said */
    scree_free_wall_def loose;
    const scree_scene_condition *condition; /* and its parts, which follow it */
    const scree_scene_change *change;
} scene_value;

/*  Once for a script, before any is pushed. */
void scene_open_values(lua_State *L);
/*  The metatable of all of them, pushed. */
void scene_push_metatable(lua_State *L);
/*  Pushes it. */
void scene_push(scene_reader *reader, const scene_value *value);
/*  The value at `index`; NULL if it is none of ours. */
const scene_value *scene_value_at(lua_State *L, int index);

/*  The surface of facets or of a file becomes a mesh of the scene's: geometry->mesh. */
void scene_keep_surface(scene_reader *reader, scree_scene_geometry *geometry);
void scene_read_motion(scene_reader *reader, void *target); /* scree_wall_path */
void scene_read_loose(scene_reader *reader, void *target);  /* scree_scene_wall */
void scene_read_servo(scene_reader *reader, void *target);  /* scree_scene_wall */
/*  What a servo needs of the surface that it drives. */
void scene_check_servo(scene_reader *reader, const scree_scene_wall *wall);
/*  What cannot go with it. */
void scene_check_loose(scene_reader *reader, const scree_scene_wall *wall);
/*  What becomes of a change: a value that `change` of a stage takes. Returns 1, what a function gives back. */
int scene_push_change(scene_reader *reader, const scree_scene_change *change);
/*  A condition and its parts become rows of the plan; the target is the number of the first, from 1. */
void scene_read_condition(scene_reader *reader, void *target); /* uint32_t */
void scene_read_region(scene_reader *reader, scree_scene_geometry *geometry);
/*  The same of a part of a composed region: a composed one has no volume yet. */
void scene_read_part(scene_reader *reader, scree_scene_geometry *geometry);
/*  a * b, a + b, a - b of regions, once values have been opened. */
void scene_add_operators(lua_State *L);
/*  Line of the script that called the C function that runs now. */
int scene_line_of_call(lua_State *L);
/*  That it can stand in a column's name. */
void scene_check_name(scene_reader *reader, const char *name);
/*  Where a file that the scene names is. */
const char *scene_file_path(scene_reader *reader, const char *file);
/*  Reads a mesh, for its box and so that what is wrong with it is told with the line. */
void scene_open_mesh(scene_reader *reader, const char *path, double scale,
                     scree_scene_geometry *geometry);

/*  The shape of bodies of which the mesh that was opened last is one; pushed. */
int scene_push_mesh_body(scene_reader *reader, const scree_scene_geometry *surface,
                         const char *file, const scree_scene_sizes *scale, double halo,
                         uint32_t variants);
#define SCENE_HALO_HELP                                                                            \
    "contact skin: its thickness over the radius of the ball with its volume; if a contact is "    \
    "deeper, the run ends"
#define SCENE_VARIANTS_HELP                                                                        \
    "number of meshes, which bodies share: each body has the size of one; of a distribution, "     \
    "the sizes are the middles of as many equal shares"

/*  How the stones of a call are made: number k, from 0, of a size. What it makes is a row of the scene's lists before
    it is made, so that it may leave by Lua. */
typedef struct scene_stones
{
    const scree_scene_sizes *sizes;
    uint32_t variants;
    const char *file; /* for messages; "" */
    scree_status (*make)(scene_reader *reader, const void *how, uint32_t k, double size,
                         scree_scene_stone *stone, scree_error *error);
    const void *how;
} scene_stones;

/*  A shape of bodies that are dealt from them; pushed. */
int scene_push_stones(scene_reader *reader, const scene_stones *stones);
/*  As given, or as many as are usual. */
uint32_t scene_count_variants(const scene_reader *reader, uint32_t given,
                              const scree_scene_sizes *sizes);
/*  The mesh that was opened last. */
const scree_mesh *scene_last_mesh(const scene_reader *reader);
/*  Surfaces that cross themselves still have a mass, but not that of what they look like. */
void scene_warn_of_crossings(scene_reader *reader, const scree_mesh *mesh, const char *file);

/*  The functions as globals of the script. */
void scene_add_functions(lua_State *L, int table);

/* ---- the sandbox ------------------------------------------------------------------------------------- */

/*  Pushes the table of everything that a script can call, without the scene functions. */
void scene_push_library(lua_State *L);
/*  The functions of Lua itself that a script keeps. */
void scene_open_base(lua_State *L, int library);
/*  For work that functions do, as instructions that take as long; ends the script where the budget is spent. */
void scene_charge(lua_State *L, uint64_t instructions);
/*  Looks at the budget now and then: after fewer instructions where there are long texts and tables. */
void scene_watch(scene_host *host);
/*  What the machine's own pow() would be asked; the same everywhere. */
double scene_power(double x, double y);
/*  Whether Lua's operator ^ really comes here. */
bool scene_power_is_ours(lua_State *L);
/*  Text of any value without addresses; pushed. */
const char *scene_describe(lua_State *L, int index);

#endif
