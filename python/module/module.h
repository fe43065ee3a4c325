/*  What the files of the Python module share. It is one extension on the stable ABI of Python 3.11; arrays come
    and go by the buffer protocol, so no headers of NumPy are needed. What users see is made of this in Python. */
#ifndef SCREE_PYTHON_MODULE_H
#define SCREE_PYTHON_MODULE_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "scree/scree.h"

#include <pthread.h>

/* ---- fields of structs (fields.c, tables.c, tables_world.c) ------------------------------------------ */

typedef enum field_kind
{
    FIELD_END,
    FIELD_REAL,
    FIELD_INT,
    FIELD_U8,
    FIELD_U16,
    FIELD_U32,
    FIELD_U64,
    FIELD_I64,
    FIELD_ID, /* of a body, wall or joint: index1 and generation as one number */
    FIELD_BOOL,
    FIELD_CHOICE, /* an enum by names */
    FIELD_TEXT,
    FIELD_STRUCT, /* a dict */
} field_kind;

typedef struct field
{
    const char *name;
    field_kind kind;
    size_t count; /* 1, or of an array */
    size_t offset;
    const void *more; /* names of a choice, NULL at the end; or fields of a struct */
} field;

/*  Sets what `values`, a dict or NULL, names. TypeError for a name that is not there, or a value of another
    type; ValueError for a number out of range. Texts are borrowed from `values`. */
int field_fill(const field *fields, void *target, PyObject *values, const char *what);
PyObject *field_dict(const field *fields, const void *source);
/*  A structured array of `count` structs that lie `bytes` apart. */
PyObject *field_array(const field *fields, const void *rows, size_t bytes, size_t count);
/*  `count` numbers of a sequence, which may be nested. */
int read_reals(PyObject *value, double *numbers, size_t count, const char *name);
int read_choice(PyObject *value, const char *const *choices, const char *name);

extern const field detector_fields[], advance_fields[], stats_fields[], explanation_fields[],
    alternative_fields[], method_fields[], piece_fields[], speed_class_fields[];
extern const field world_fields[], margin_fields[], material_fields[], servo_fields[],
    belt_fields[], wear_fields[], facet_wear_fields[], loose_fields[], wall_fields[],
    facet_load_fields[], clock_fields[], stable_step_fields[], contact_fields[], event_fields[],
    filter_fields[], detection_stats_fields[], local_counts_fields[], timings_fields[],
    local_step_stats_fields[], energy_fields[], totals_fields[], bond_def_fields[], bond_fields[],
    bond_counts_fields[], joint_def_fields[], joint_motor_fields[], joint_fields[],
    joint_state_fields[], joint_counts_fields[], break_fields[], cell_fields[], cell_servo_fields[],
    rest_fields[], sleep_counts_fields[], chains_def_fields[], chains_fields[], chain_body_fields[],
    grid_fields[], sums_fields[], values_fields[], fluid_fields[], flow_fields[],
    force_field_fields[], ambient_work_fields[], wall_load_fields[], heat_fields[],
    material_heat_fields[], body_heat_fields[], wall_heat_fields[], heat_totals_fields[],
    checkpoint_fields[], unconverged_fields[], part_fields[], body_fields[], section_fields[];
extern const field picture_fields[], globe_fields[], fill_fields[], mesh_info_fields[],
    mesh_report_fields[], solid_fields[], clump_info_fields[];

/*  Parameters of a rule from a dict of names and numbers, which must outlive their use. */
int rule_parameters(PyObject *values, scree_rule_def *def, const char **names, double *numbers,
                    size_t room);

extern const char *const integrator_names[], *const time_names[], *const boundary_names[],
                                                                      *const contact_type_names[],
                                                                          *const body_type_names[];

/* ---- errors (errors.c) ------------------------------------------------------------------------------- */

/*  Raises the exception of scree._errors for a status; returns NULL. */
PyObject *raise_status(scree_status status, const char *text);
/*  Raises a class of scree._errors by its name; returns NULL. */
PyObject *raise_named(const char *name, const char *text);
/*  How often this process was forked so far; threads of objects from before are not there any more. */
unsigned fork_count(void);
int watch_forks(void);
/*  In the child of a fork, which does not have the thread of a run with a folder. */
void run_note_fork(void);

/* ---- arrays (arrays.c) ------------------------------------------------------------------------------- */

/*  numpy.empty, and its memory; to be released by the caller. On failure NULL. */
PyObject *array_new(const char *type, int dimensions, const Py_ssize_t *shape, Py_buffer *memory);
/*  A copy of numbers as an array; `width` 0: of one dimension. */
PyObject *array_copy(const char *type, const void *data, size_t rows, size_t width, size_t bytes);
/*  Memory of malloc as an array, which frees it. Takes `data` also where it fails. */
PyObject *array_take(const char *format, void *data, size_t rows, size_t width, size_t bytes);
int arrays_ready(PyObject *module);

/*  A contiguous array of a type ('d' double, 'Q' uint64, 'I' uint32, 'B' uint8) with `count` numbers in all,
    or any if that is negative. 0 and view->buf NULL for None. */
int array_get(PyObject *object, char type, Py_ssize_t count, const char *name, Py_buffer *view);
void array_done(Py_buffer *view);
/*  For "O&": a whole number of any kind, as ids are of NumPy's. */
int to_u64(PyObject *object, void *number);
/*  The one letter of an array's format ('d', 'f', 'Q', 'I', 'B', ...) in the machine's byte order; 0 for others. */
char array_letter(const Py_buffer *view);

/* ---- objects ------------------------------------------------------------------------------------------ */

/*  A block of a world's memory that views use; it lives as long as any of them. */
typedef struct seen_block
{
    struct seen_block *next;
    char *at;
    bool is_gone; /* the world has let go of it, and `at` is its beginning */
} seen_block;

/*  A function of the host, Python's or one of C by its address. What is of Python lives in World.keep. */
typedef struct caller
{
    struct caller *next;
    struct World *world;
    PyObject *function, *prepare; /* NULL: of C, or none */
    void (*law)(const scree_batch *batch, const double *constants, void *user);
    scree_status (*constants)(const scree_law_input *input, double constants[SCREE_MAX_CONSTANTS],
                              void *user);
    scree_force_fn *force;
    void (*path)(double time, double shift[3], double velocity[3], double turn[4], double spin[3],
                 void *user);
    void *user; /* of functions of C */
    uint32_t memory_count, parameter_count;
    const char **parameter_names; /* of malloc */
} caller;

/*  An event as Python lists it. `event` comes first, so that offsets of its members hold here as well. */
typedef struct listed_event
{
    scree_event event;
    bool begins; /* a contact began: a column that was there before events had kinds */
} listed_event;

typedef struct World
{
    PyObject_HEAD scree_world *world;
    PyObject *keep;  /* list of what the engine has pointers to */
    PyObject *error; /* what a function of the host raised in a step; NULL */
    caller *callers;
    seen_block *blocks;
    pthread_mutex_t lock; /* of blocks */
    listed_event *events; /* of all portions of the last call */
    size_t event_count, event_room;
    uint64_t portion; /* steps that take some hundredths of a second */
    unsigned forks;
    uint32_t threads;
    int dimensions;
    bool is_busy, has_events, has_lock;
} World;

typedef struct Mesh
{
    PyObject_HEAD scree_mesh *mesh;
} Mesh;

typedef struct Clump
{
    PyObject_HEAD scree_clump *clump;
} Clump;

extern PyTypeObject *World_type, *Mesh_type, *Clump_type;
/*  Takes the mesh over. */
PyObject *mesh_object(PyTypeObject *type, scree_mesh *mesh);

PyObject *object_new(PyTypeObject *type);
void object_free(PyObject *self);

/*  NULL with an exception where the world is closed, at work in another thread, or of before a fork. */
scree_world *world_ready(PyObject *self);
/*  The same, and on failure the array is released. Conversion of arguments may run code of the host, which may close the
    world: so all arguments are converted before a world is used. */
scree_world *world_ready_with(PyObject *self, Py_buffer *array);
/*  Between these the GIL is free and the world is busy. */
PyThreadState *world_begin(World *world);
void world_end(World *world, PyThreadState *thread);
/*  None, or the exception of a status: what a function of the host raised goes first. */
PyObject *world_done(World *world, scree_status status);
PyObject *world_refused(World *world, scree_status status);
/*  An empty world object whose `hooks.allocator` is ready to be used. */
World *world_object(PyTypeObject *type, scree_world_def *hooks);
void world_adopt(World *object, scree_world *world, const scree_world_def *hooks);
int world_keep(World *world, PyObject *object);
scree_allocator world_memory(World *world);

/*  A wall's path from a dict. What it points to is in `held`, to be let go by the caller, also after a failure. */
#define MAX_PARTS 32
typedef struct path_hold
{
    Py_buffer tables[MAX_PARTS + 1];
    size_t count;
    scree_path_part parts[MAX_PARTS];
    bool is_question; /* the path is asked once: its function is in `once`, and not the world's */
    caller once;
} path_hold;

int path_fill(World *world, scree_wall_path *path, PyObject *values, path_hold *held);
void path_done(path_hold *held);

/*  A query from the arguments (kind, a, b, number, groups) that _query.py makes. */
int read_query(PyObject *args, scree_query *query);

/*  A text of the engine as a str: bytes that are no UTF-8, or a character that was cut, are shown as such. None for NULL. */
PyObject *text_of(const char *text);
/*  Adds the events of the engine's last call to the world's list. */
scree_status world_gather_events(World *world);
/*  A line for the logger "scree"; with the GIL. */
void log_line(scree_log_level level, const char *text);
/*  Texts of a list of str, to be freed; they live as long as the list. NULL with an exception. */
const char **text_list(PyObject *list, size_t *count);
/*  A file as its path, a str, or as its content, bytes; *path NULL where it is these. */
int path_or_bytes(PyObject *source, const char **path, char **bytes, Py_ssize_t *count);
/*  Of either; NULL with an exception. */
scree_checkpoint *open_checkpoint(PyObject *source);

/*  Tables of methods, put together in world.c. */
extern PyMethodDef setting_methods[], body_methods[], wall_methods[], contact_methods[],
    joint_methods[], query_methods[], figure_methods[], grid_methods[], ambient_methods[],
    heat_methods[], file_methods[], picture_methods[], callback_methods[], view_methods[],
    formula_methods[], look_methods[];
extern PyMethodDef free_methods[], file_functions[], run_functions[], formula_functions[];

PyObject *world_snapshot(PyObject *self, PyObject *unused);
PyObject *world_restore(PyObject *self, PyObject *args);
PyObject *world_copy(PyObject *self, PyObject *args, PyObject *keywords);

int views_ready(PyObject *module);
int detector_ready(PyObject *module);
int shapes_ready(PyObject *module);
int world_ready_type(PyObject *module);
int snapshot_ready(PyObject *module);
int scene_ready(PyObject *module);
int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type);

#define KEYWORDS(function) ((PyCFunction)(void (*)(void))(function))
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

#endif
