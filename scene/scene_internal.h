/*  The internals of a scene: the plan and the lists it is made from, and the course: the state of sources, sinks and
    planes. */
#ifndef SCREE_SCENE_INTERNAL_H
#define SCREE_SCENE_INTERNAL_H

#include "base/memory.h"
#include "base/random.h"
#include "scene.h"

/*  Larger numbers of bodies are refused before memory is allocated. */
#define SCENE_MAX_BODIES 100000000u
/*  Largest number of counting planes: each body has a bit for each. */
#define SCENE_MAX_PLANES 32u
/*  In an output: pictures without times of their own are taken with it. */
#define SCENE_WRITES_PICTURE 0x80000000u
/*  First random stream of sources. */
#define SCENE_SOURCE_STREAM 0x100000000u
/*  Random stream of the orientations of listed bodies. */
#define SCENE_TURN_STREAM 0x300000000u

/*  Lists of which the plan is a view. */
typedef enum scene_list_of
{
    SCENE_MATERIALS,
    SCENE_MATERIAL_LINES,
    SCENE_MATERIAL_HEATS,
    SCENE_RULES,
    SCENE_BONDS,
    SCENE_JOINTS,
    SCENE_WALLS,
    SCENE_BODIES,
    SCENE_SOURCES,
    SCENE_SINKS,
    SCENE_MEASURES,
    SCENE_OUTPUTS,
    SCENE_PICTURES,
    SCENE_PARAMETERS,
    SCENE_MESHES,  /* scree_mesh *, of walls and shapes; NULL if not made */
    SCENE_CLUMPS,  /* scree_clump *, the same */
    SCENE_COLUMNS, /* scene_column */
    SCENE_FIELDS,
    SCENE_STAGES,
    SCENE_CONDITIONS,
    SCENE_FORMULAS,
    SCENE_LAWS, /* scree_law * */
    SCENE_LISTS,
} scene_list_of;

typedef struct scene_list
{
    void *rows;
    size_t count, room;
} scene_list;

typedef enum scene_column_of
{
    SCENE_OF_MEASURE,
    SCENE_OF_SOURCE,
    SCENE_OF_SINK,
    SCENE_OF_FORMULA,
} scene_column_of;

typedef struct scene_column
{
    char name[64];
    const char *unit;
    uint8_t of; /* scene_column_of */
    uint32_t index;
    uint32_t quantity, axis;
} scene_column;

typedef struct scene_source_state
{
    uint64_t made;
    double mass;
    uint64_t waiting;             /* due at its last action, but without room */
    uint64_t sizes_at, places_at; /* how many random numbers of its two streams were used */
    bool was_told; /* the warning about waiting bodies was given; no part of the state */
    double next;   /* the body that waits for a position, as of scene_draw_size; 0: none */
} scene_source_state;

typedef struct scene_sink_state
{
    uint64_t count;
    double mass;
    double last_mass; /* at the last measurement */
} scene_sink_state;

/*  State of a counting plane. */
typedef struct scene_plane_state
{
    int64_t passed;
    double mass, last_mass;
} scene_plane_state;

/*  The side of each plane on which a body was: bit k is set beyond plane k. */
typedef struct scene_sides
{
    uint64_t serial;
    uint32_t sides;
} scene_sides;

/*  State of a condition at its last test. */
typedef struct scene_condition_state
{
    double since; /* s: holds for so long; of a moment, the time; below 0: it does not hold */
    double
        base[3]; /* reference values: position of a wall, number of bonds, s of wall-clock time */
    double value;
    double read; /* wall-clock time at its last test; no part of the state */
} scene_condition_state;

typedef struct scene_stage_state
{
    uint64_t began_step, ended_step;
    double began_time, ended_time;
    uint32_t by; /* condition that ended it, from 1; SCENE_BY_LIMIT; 0: it has not ended */
} scene_stage_state;

#define SCENE_BY_LIMIT UINT32_MAX

/*  Progress of a scene with stages or a condition of the run. */
typedef enum scene_standing
{
    SCENE_RUNS,
    SCENE_ENDED,   /* its stage has ended; the next one begins before the next step */
    SCENE_OVER,    /* no step follows */
    SCENE_FAILED,  /* the time limit of a stage was reached */
    SCENE_PARTIAL, /* a stage began only in part: cannot be saved */
} scene_standing;

typedef struct scene_course
{
    bool began;
    uint32_t stage; /* from 1; 0: there are none */
    scene_standing standing;
    uint32_t stopped_by; /* condition of the run, from 1; 0: it has not ended the run */
    uint64_t removed;    /* bodies removed by stages */
    double removed_mass;
    scene_stage_state *stages;
    scene_condition_state *conditions;
    uint64_t acted;       /* step of the last action, plus 1; 0: never */
    double last_time;     /* at the last measurement */
    uint64_t quarantined; /* bodies removed because their values were not finite */
    double quarantined_mass;
    scene_source_state *sources;
    scene_sink_state *sinks;
    scene_plane_state *planes; /* by measurement; unused for those that are no plane */
    scene_sides *sides;        /* sorted by global id */
    size_t side_count, side_room;
    double *means;   /* scene_mean_count of them: see means.c */
    double *recalls; /* scene_recall_count of them: see formulas.c */
} scene_course;

struct scree_scene
{
    scree_memory memory;
    size_t memory_budget;
    scree_log log;
    scree_scene_plan plan;
    scene_list list[SCENE_LISTS];
    struct scene_chunk *chunks; /* memory of texts and small arrays, freed together */
    char *name;                 /* for messages */
    char *folder;               /* folder of files, ending with a slash, or "" */
    char *resolved;
    int run_line; /* line of `run`; 0: it was not called */
    bool names_files;
    bool without_files;              /* files may not be used */
    bool is_over_budget;             /* the memory budget was exceeded */
    struct scene_formulas *formulas; /* NULL: the plan has no columns by formulas */
    scene_course course;
};

/* ---- store.c ---- */

/*  Adds a row of zeros at the end of a list; NULL: out of memory. Rows may move. */
void *scene_add_row(scree_scene *scene, scene_list_of list);
/*  Memory that lives as long as the scene, zeroed; NULL: out of memory. */
void *scene_take(scree_scene *scene, size_t count, size_t bytes);
char *scene_copy_text(scree_scene *scene, const char *text, size_t length);
/*  Sets the plan's arrays and counts from the lists. */
void scene_show_lists(scree_scene *scene);
scree_scene *scene_new(const scree_allocator *allocator);
/*  Frees its memory, after meshes, formulas and so on were freed. */
void scene_give_back(scree_scene *scene);

/* ---- heat.c ---- */

/*  Checks what the scene says about heat. */
scree_status scene_check_heat(const scree_scene *scene, scree_error *error);
/*  Heat of materials and walls, where there is any. */
/*  For a wall with a temperature. */
scree_status scene_heat_wall(const scree_scene *scene, scree_world *world,
                             const scree_scene_wall *wall);
scree_status scene_build_heat(const scree_scene *scene, scree_world *world, scree_error *error);
/*  Sets temperatures of the last `count` bodies; on failure the world has the message. */
scree_status scene_heat_bodies(const scree_scene *scene, scree_world *world,
                               const scree_scene_body *bodies, size_t count);
scree_status scene_heat_newcomers(scree_world *world, const scree_scene_source *source,
                                  size_t count);

/* ---- resolved text: resolve.c ---- */

scree_status scene_resolve(scree_scene *scene, const char *text, size_t bytes, scree_error *error);

/* ---- script: lua/script.c ---- */

/*  Reads and runs the script: fills the lists and the plan. */
scree_status scene_run_script(scree_scene *scene, const scree_scene_def *def, const char *text,
                              size_t bytes, scree_error *error);

/* ---- plan: finish.c: what only the whole scene shows ---- */
scree_status scene_finish(scree_scene *scene, scree_error *error);

/*  Bodies given one by one, and those that sources will make, as far as known. */
double scene_expected_bodies(const scree_scene *scene);
/*  sqrt(m / k) of two equal spheres under slight pressure: the smallest over materials and the scene's contact
    models. */
double scene_first_step(const scree_scene_plan *plan, uint32_t material, double radius);

/*  A message with the line of the script. */
scree_status scene_fail_at(const scree_scene *scene, scree_error *error, scree_status status,
                           int line, const char *format, ...) SCREE_PRINTF(5, 6);
/*  The message of the world with a line if it has refused something; otherwise SCREE_OK. */
scree_status scene_refused(const scree_scene *scene, scree_world *world, scree_status status,
                           int line, const char *what, scree_error *error);

/* ---- geometry.c: regions of one form ---- */
bool scene_simple_holds(const scree_scene_geometry *region, int dimensions, const double centre[3],
                        double radius);
/*  For a sphere that is not inside. */
void scene_simple_pull(const scree_scene_geometry *region, int dimensions, double centre[3],
                       double radius);
double scene_simple_volume(const scree_scene_geometry *region, int dimensions);
/*  Position of a point along the axis of a cylinder or cone, and its distance from the axis; returns the length of
    the axis. */
double scene_look_along_axis(const scree_scene_geometry *g, const double point[3], double *along,
                             double *away);
/*  The surface of a wall that is neither a plane nor a box of planes. */
scree_status scene_make_mesh(const scree_scene *scene, const scree_scene_wall *wall, int dimensions,
                             scree_mesh **mesh, scree_error *error);

/*  Triangles that are listed or from a file, scaled. *why says what is wrong with them. */
scree_status scene_make_surface(const scree_scene *scene, const scree_scene_geometry *g,
                                scree_mesh **mesh, scree_error *why);

/* ---- compose.c: regions of any form, also composed of others ---- */
static inline bool scene_is_composed(const scree_scene_geometry *g)
{
    return g->form == SCREE_FORM_BOTH || g->form == SCREE_FORM_EITHER ||
           g->form == SCREE_FORM_WITHOUT;
}
/*  Whether a sphere is completely inside; or a point. */
bool scene_holds_sphere(const scree_scene_geometry *region, int dimensions, const double centre[3],
                        double radius);
bool scene_holds_point(const scree_scene_geometry *region, int dimensions, const double point[3]);
/*  Whether a sphere is completely outside. */
bool scene_keeps_clear(const scree_scene_geometry *region, int dimensions, const double centre[3],
                       double radius);
/*  Moves a sphere that is not completely inside to a place where it is, by about the shortest way; returns whether
    it moved. If it is too large, moves it to the middle. */
bool scene_pull_inside(const scree_scene_geometry *region, int dimensions, double centre[3],
                       double radius);
/*  In two dimensions the area. */
double scene_volume(const scree_scene_geometry *region, int dimensions);

/* ---- inside.c: what a closed surface encloses ---- */
bool scene_surface_holds(const scree_mesh *mesh, const double centre[3], double radius);
/*  Whether a sphere is outside the surface and does not touch it. */
bool scene_surface_clears(const scree_mesh *mesh, const double centre[3], double radius);
/*  Moves a sphere inside, off the surface; or outside. */
void scene_surface_pull(const scree_mesh *mesh, double centre[3], double radius);
void scene_surface_push(const scree_mesh *mesh, double centre[3], double radius);
double scene_surface_volume(const scree_mesh *mesh);
/*  A random point on the surface, uniform by area, and the normal there. */
void scene_draw_on_surface(const scree_mesh *mesh, scree_random *random, double point[3],
                           double normal[3]);

/* ---- sizes.c ---- */

/*  Draws a radius; for shapes the index of one, from 1. */
double scene_draw_size(const scree_scene_sizes *sizes, int dimensions, scree_random *random);
/*  Properties of a drawn size: the shape, NULL for a sphere; the radius of the bounding sphere; the volume. */
const scree_scene_stone *scene_stone_of(const scree_scene_sizes *sizes, double drawn);
double scene_radius_of(const scree_scene_sizes *sizes, double drawn);
double scene_volume_of(const scree_scene_sizes *sizes, double drawn, int dimensions);
bool scene_may_be_drawn(const scree_scene_sizes *sizes, double drawn);
/*  Mean volume of a body with these sizes. */
double scene_mean_volume(const scree_scene_sizes *sizes, int dimensions);
double scene_ball_volume(double radius, int dimensions);
/*  Radius of the sphere with this volume; in two dimensions of the disc. */
double scene_round_radius(double volume, int dimensions);
/*  Smallest and largest radius; for shapes of spheres with their volumes. */
void scene_radius_range(const scree_scene_sizes *sizes, int dimensions, double range[2]);
double scene_radius_of_body(const scree_scene_body *body, int dimensions);

/* ---- stones.c: bodies of triangles and clumps ---- */
/*  Makes a shape from the mesh times `scale`, or, if `radius` is above 0, with the volume of a sphere of this
    radius. Its skin is a share of the radius of the sphere with its volume. *kept gets the mesh. If a mesh cannot be
    a body, the message is that of scree_mesh_solid_of. */
scree_status scene_make_stone(const scree_scene *scene, const scree_mesh *mesh, double scale,
                              double radius, double skin, scree_mesh **kept,
                              scree_scene_stone *stone, scree_error *error);
/*  The same for a clump. */
scree_status scene_make_clump(const scree_scene *scene, const scree_clump *pattern, double scale,
                              double radius, scree_clump **kept, scree_scene_stone *stone,
                              scree_error *error);
/*  The same for a superquadric: `pattern` with other half axes. */
scree_status scene_make_superquadric(const scree_scene *scene,
                                     const scree_superquadric_def *pattern, double scale,
                                     double radius, scree_mesh **kept, scree_scene_stone *stone,
                                     scree_error *error);
scree_shape scene_shape_of(const scree_scene_stone *stone);
/*  Discretises a distribution: each size is in the middle of an equal share of it. */
scree_status scene_middle_sizes(const scree_scene *scene, const scree_scene_sizes *sizes,
                                size_t count, double *size);
/*  Sorts shapes, and fills a table with as many rows. */
void scene_list_stones(scree_scene_stone *stones, double (*table)[2], uint32_t count,
                       scree_scene_sizes *sizes);
/*  A random orientation, uniform; in two dimensions about z. */
void scene_turn_at_random(scree_random *random, int dimensions, double turn[4]);

/* ---- source.c ---- */
scree_status scene_run_fill(scree_scene *scene, scree_world *world, size_t index,
                            scree_error *error);
scree_status scene_run_pours(scree_scene *scene, scree_world *world, scree_error *error);
/*  Whether a pour that has a limit still has bodies to make. */
bool scene_pour_continues(const scree_scene *scene, size_t index, double time);

/*  Time since the start of the stage in which a source or sink is active; below 0: it is not active. */
double scene_time_in_stage(const scree_scene *scene, uint32_t stage, uint32_t stage_end,
                           double time);

/* ---- stage_check.c ---- */
/*  Bounds on the duration of stages and of the run, as far as the script gives none. */
void scene_bound_run(scree_scene *scene);
/*  How long a stage, counted from 0, lasts if its condition holds as early as it can, s: for forecasts. The way of a wall that moves
    evenly counts. */
double scene_soonest_end(const scree_scene_plan *plan, size_t stage);
scree_status scene_check_stages(scree_scene *scene, scree_error *error);

/* ---- stage_state.c ---- */
bool scene_has_conditions(const scree_scene *scene);
/*  The time step that a stage sets, s; if it sets none, that of the previous one. */
double scene_dt_of_stage(const scree_scene_stage *stage, double before);
/*  The largest of them, and of the scene itself. */
double scene_longest_dt(const scree_scene_plan *plan);
/*  And the next one has not begun. */
bool scene_stage_has_ended(const scree_scene *scene);

/* ---- stages.c ---- */
/*  Begins the first stage, at the end of scree_scene_start. */
scree_status scene_begin_stages(scree_scene *scene, scree_world *world, scree_error *error);
/*  Before a step: begins the next stage if the previous one has ended; if all have, no steps are left. */
scree_status scene_next_stage(scree_scene *scene, scree_world *world, scree_error *error);
/*  Number of steps, at most `steps`, until conditions must be tested. */
uint64_t scene_steps_to_look(const scree_scene *scene, const scree_world *world, uint64_t steps);
/*  After these steps: tests whether the stage has ended. */
scree_status scene_look_at_stage(scree_scene *scene, scree_world *world, scree_error *error);

/* ---- stage_values.c ---- */
scree_status scene_change_values(scree_world *world, const scree_scene_change *change);
/*  Whether laws accept the values of all stages; the world keeps those that it has. */
scree_status scene_try_values(const scree_scene *scene, scree_world *world, scree_error *error);
/*  SCREE_BAD_VALUE if the stage has changed values, and steps of a given length are not stable with them. */
scree_status scene_check_fixed_step(const scree_scene *scene, scree_world *world,
                                    const scree_scene_stage *stage, scree_error *error);

/* ---- changes.c ---- */
scree_status scene_make_change(scree_scene *scene, scree_world *world,
                               const scree_scene_change *change, scree_error *error);
/*  Adds and removes walls so that the world has those of a stage. */
scree_status scene_place_walls(scree_scene *scene, scree_world *world, uint32_t stage,
                               scree_error *error);

/* ---- conditions.c ---- */
/*  Takes reference values from the present state. */
scree_status scene_begin_condition(scree_scene *scene, scree_world *world, uint32_t first,
                                   scree_error *error);
/*  Tests all rows of a condition. 0: it does not hold; otherwise the row, from 1, by which it holds. */
scree_status scene_look_at_condition(scree_scene *scene, scree_world *world, uint32_t first,
                                     double began_time, uint64_t began_step, uint32_t *by,
                                     scree_error *error);
/*  For conditions of time: number of steps until the nearest moment, at most `steps`; and whether one has come
    since. */
uint64_t scene_steps_to_moment(const scree_scene *scene, uint32_t first, scree_clock clock,
                               double growth, double began_time, uint64_t began_step,
                               uint64_t steps);
bool scene_moment_has_come(const scree_scene *scene, uint32_t first, scree_clock clock,
                           double began_time, uint64_t began_step);
/*  The scene function that made it. */
const char *scene_name_of_condition(const scree_scene_condition *condition);
/*  The whole condition with values, as "kinetic energy of a body 3e-10 J (below 1e-9 J)". */
void scene_say_condition(const scree_scene *scene, uint32_t row, bool with_value, char *text,
                         size_t size);

/* ---- walls.c ---- */
scree_status scene_add_wall(scree_scene *scene, scree_world *world, scree_scene_wall *wall,
                            scree_error *error);
scree_status scene_find_parts(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall, scree_wall_id part[6]);
/*  The wall is neither free nor servo-controlled afterwards. */
scree_status scene_release_wall(scree_world *world, scree_wall_id part);
/*  Changes the motion of a wall to that of `driven`, which is the same wall with another motion or none. */
scree_status scene_drive_wall(const scree_scene *scene, scree_world *world,
                              const scree_scene_wall *wall, const scree_scene_wall *driven,
                              double time, scree_error *error);

/* ---- same.c ---- */
bool scene_same_path(const scree_wall_path *a, const scree_wall_path *b);
bool scene_same_belt(const scree_scene_wall *a, const scree_scene_wall *b);
/*  scree_scene_is_same. may_move: walls may have other paths and belts, unless a stage, a servo or a load moves them. */
bool scene_same_from_now(const scree_scene_plan *a, const scree_scene_plan *b, bool may_move,
                         char *text, size_t room);

/* ---- joints.c ---- */
/*  Joins bodies and walls that have been added. */
scree_status scene_add_joints(const scree_scene *scene, scree_world *world, scree_error *error);

/* ---- bonds.c ---- */
scree_status scene_add_bond(scree_scene *scene, scree_world *world, const scree_scene_bond *bond,
                            scree_error *error);

/* ---- remove.c ---- */
/*  Removes the bodies of a region; reports their number and mass. */
scree_status scene_take_bodies(const scree_scene *scene, scree_world *world,
                               const scree_scene_geometry *region, uint32_t material, int line,
                               const char *what, uint64_t *count, double *mass, scree_error *error);

/* ---- act.c ---- */
scree_status scene_look_at_planes(scree_scene *scene, scree_world *world, scree_error *error);

/* ---- quarantine.c ---- */
/*  Takes steps; with quarantine, removes bodies because of which they are refused. */
scree_status scene_take_steps(scree_scene *scene, scree_world *world, uint64_t count,
                              scree_error *error);

/* ---- course.c ---- */
/*  The stage of a saved course, which is checked completely. */
scree_status scene_course_stage(const scree_scene *scene, const void *bytes, size_t count,
                                uint32_t *stage, scree_error *error);
scree_status scene_make_course(scree_scene *scene);

/* ---- measure.c ---- */
bool scene_is_mean(const scree_scene *scene, const scene_column *column);
scree_status scene_make_columns(scree_scene *scene, scree_error *error);
/*  Present values of columns, or only of those that are means. */
scree_status scene_measure_now(scree_scene *scene, scree_world *world, bool only_means,
                               double *values, scree_error *error);

static inline const scene_column *scene_column_at(const scree_scene *scene, size_t column)
{
    return &((const scene_column *)scene->list[SCENE_COLUMNS].rows)[column];
}

/* ---- laws.c: laws of contact written as formulas ---- */
const scree_law *scene_find_law(const scree_scene *scene, const char *name);
/*  The built-in or own model of an interaction; NULL if it exerts no force. */
const scree_law *scene_law_of_rule(const scree_scene_rule *rule);
void scene_free_laws(scree_scene *scene);
/*  The same for a material with the contact models of the scene; infinity if there are none. */
double scene_step_of_laws(const scree_scene_plan *plan, uint32_t material, double radius);

/* ---- formulas.c: columns by formulas ---- */
/*  Reads the formulas, after all other columns exist, and adds their columns. */
scree_status scene_make_formulas(scree_scene *scene, scree_error *error);
void scene_free_formulas(scree_scene *scene);
/*  Computes these columns from all others, which are in `values` already. */
void scene_compute_formulas(scree_scene *scene, const scree_world *world, double *values);
/*  Number of recalled values in the course; 0: no formula recalls any. */
size_t scene_recall_count(const scree_scene *scene);
uint64_t scene_hash_recalls(const scree_scene *scene, uint64_t hash);

/* ---- chaining.c ---- */
scree_status scene_look_at_chains(const scree_scene_measurement *measure, scree_world *world,
                                  scree_memory *memory, scree_chains *chains);

/* ---- mixing.c ---- */
typedef struct scene_mixing
{
    double segregation, mixing; /* both 0 if undefined */
} scene_mixing;
scree_status scene_look_at_mixing(const scree_scene *scene, const scree_scene_measurement *measure,
                                  const scree_bodies_view *view, scree_memory *memory,
                                  scene_mixing *mixing);

/* ---- means.c ---- */
/*  Number of sums of samples in the course; 0: nothing is sampled. */
size_t scene_mean_count(const scree_scene *scene);
/*  Hashes what is sampled, which a course must match. */
uint64_t scene_hash_means(const scree_scene *scene, uint64_t hash);

#endif
