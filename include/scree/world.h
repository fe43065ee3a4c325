/*  scree/world.h: a world of bodies that move and collide.

        scree_world_def def = scree_default_world_def();
        def.gravity[2] = -9.81;
        def.step.dt = 1e-5;
        scree_world *world;
        if (scree_world_create(&def, &world)) return 1;
        scree_material_def glass = scree_default_material_def();
        scree_material_id material;
        scree_world_add_material(world, &glass, &material);
        scree_wall_def floor = scree_default_wall_def();
        floor.material = material;
        scree_world_add_wall(world, &floor, NULL);
        scree_body_def grain = scree_default_body_def();
        grain.shape = scree_shape_sphere(1e-3);
        grain.material = material;
        grain.position[2] = 0.1;
        scree_body_id id;
        scree_world_add_body(world, &grain, &id);
        if (scree_world_step(world, 10000)) puts(scree_world_message(world));
        scree_world_destroy(world);

    THE STEP. From the state at t_n it finds potential contacts (scree/detect.h, with a margin), computes the force of
    each contact from the positions and velocities at t_n (scree/law.h), sums the forces on each body in the order of
    the global ids of its partners, integrates to t_n + dt, and applies the domain boundary. If a step fails, the
    world is restored to the state before it.

    DETERMINISM. The state depends only on the calls made on the world: not on the detection method or margin, the
    number of threads, the SIMD instruction set, the order of bodies in memory, or snapshots taken and restored on the
    way. Compare states with scree_world_digest.

    LOCAL TIME STEPS. With step.local_steps, bodies for which dt is too long take steps of dt / 2, dt / 4 and so on, as
    their contacts and speeds require; all others take steps of dt. Bodies that could collide within a step of dt are an
    island: those closer than a quarter of their radii plus the interaction range. For meshes and blocks the distance of
    their surfaces counts, as far as their surrogates tell it. An island has one step length and is integrated
    independently. All bodies are at the same time at the end of each step of dt; the host sees only these states.
    Islands and step lengths follow from the state alone. If a body would move by more than a quarter of its radius in a
    step, that step is halved. This needs an explicit integrator and a fixed dt, and excludes ghosts, servos, free
    walls, heat, tilted or deforming domains, events and a force function (SCREE_BAD_ARGUMENT).

    UNITS. SI. In two dimensions bodies are discs in the plane z = 0, of mass density * pi r^2, or clumps and blocks in
    it.

    THREADS. A world may be used by one thread at a time; different worlds by different threads at the same time.

    CAVEATS. Definitions of bodies, materials and walls are copied; meshes and clumps are shared. Arrays that a function
    returns belong to the world and are valid until the next call that takes the world without const. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/base.h"
#include "scree/detect.h"
#include "scree/force.h"
#include "scree/handle.h"
#include "scree/law.h"
#include "scree/shape.h"
#include "scree/statistics.h"
#include "scree/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the world --------------------------------------------------------------------------------- */

/*  How bodies are integrated. a is the acceleration, v the velocity, x the position. */
typedef enum scree_integrator
{
    /*  V += a dt, then x += v dt; forces use velocities half a step earlier. */
    SCREE_SYMPLECTIC_EULER,
    SCREE_VELOCITY_VERLET, /* second order; forces use positions and velocities at the same time */
    SCREE_EXPLICIT_EULER,  /* x += v dt, then v += a dt; gains energy, only for comparison */
    /*  v += a dt, then x += v dt, with a at the end of the step, found by iteration. A step may be longer than the
        stable one; motion that is too fast for it is damped. See scree_picard_def. */
    SCREE_IMPLICIT_EULER,
    /*  SCREE_IMPLICIT_EULER with bit-identical results, whose contacts of meshes are searched with surrogate trees,
        whatever mesh_engine is (not BOXES): the surrogates of Noble and Weinzierl within the Picard iteration. */
    SCREE_IMPLICIT_SURROGATE,
    /*  SCREE_IMPLICIT_EULER to within picard.tolerance: first iterates use surrogates of the meshes, from coarse to
        fine, last ones only triangles. The multiscale Picard iteration of Noble and Weinzierl. Bit-identical without
        meshes. */
    SCREE_IMPLICIT_MULTISCALE,
} scree_integrator;

/*  How the time step is chosen. */
typedef enum scree_time_mode
{
    SCREE_TIME_FIXED,     /* always dt */
    SCREE_TIME_AUTOMATIC, /* as long as stiffness and speed allow, at most dt if it is given */
    /*  Always dt; masses are raised until it is stable: only for static states. */
    SCREE_TIME_MASS_SCALING,
} scree_time_mode;

/*  The boundary of the domain on an axis. */
typedef enum scree_boundary
{
    SCREE_BOUNDARY_NONE,     /* open: nothing happens */
    SCREE_BOUNDARY_STOP,     /* a body whose centre is outside stops, and stays there */
    SCREE_BOUNDARY_REFLECT,  /* if the centre is outside, the outward velocity is reversed */
    SCREE_BOUNDARY_DESTROY,  /* a body that is entirely outside is removed and counted */
    SCREE_BOUNDARY_PERIODIC, /* a body that leaves on one side is wrapped around to the other */
} scree_boundary;

/*  How implicit integrators (SCREE_IMPLICIT_EULER and later) iterate. Forces at an iterate give the next iterate. A
    body has converged if its force and torque differ from those that led to the iterate by no more than `tolerance`
    times their size, or by so little that the position changes by less than a billionth of the radius. For a contact
    that did not exist before the step, laws see at most the velocity by which it reached its overlap during the step,
    so that forces start at 0 and a solution exists. */
typedef struct scree_picard_def
{
    double tolerance;    /* see above, 0 to 1, exclusive; 0.01 */
    uint32_t iterations; /* largest number of iterations, 1 to 10,000; 30 */
    /*  A step that does not converge is halved up to this often; then it is refused with SCREE_UNSTABLE, naming the
        worst bodies (scree_world_unconverged). The next step is at most twice as long as the last; 10. */
    uint32_t halvings;
    /*  SURROGATE, MULTISCALE, and explicit steps with SCREE_MESH_ENGINE_SURROGATE: keep the active sets of surrogates
        and triangles from iterate to iterate and from step to step, and refine them to triangles where surrogates
        overlap. This saves comparisons and changes no bit. Sets that were kept contain the triangles of the last step,
        so MULTISCALE then has no coarse contacts, and its steps are those of SURROGATE. false: SURROGATE searches from
        the roots each time, and a step of MULTISCALE begins at the roots and refines by a level per iterate, as
        published. true */
    bool keeps_sets;
    /*  MULTISCALE: if iterates do not improve while there are coarse contacts, refine to triangles at once; false. */
    bool skips_levels;
    /*  If forces keep their direction from iterate to iterate, extrapolate by up to half of their change. This needs
        fewer iterates if forces grow with the displacement, as in stiffening contacts. false: never extrapolate; false.
        */
    bool accelerates;
} scree_picard_def;

/*  How the contacts of two meshes are found. Results do not depend on it. */
typedef enum scree_mesh_engine
{
    /*  By measured cost: ALL for few triangles, otherwise BOXES (docs/results/meshes.md). */
    SCREE_MESH_ENGINE_AUTO,
    SCREE_MESH_ENGINE_BOXES,     /* trees of bounding boxes */
    SCREE_MESH_ENGINE_SURROGATE, /* trees of surrogate triangles (Noble and Weinzierl) */
    SCREE_MESH_ENGINE_ALL,       /* each triangle with each: slow, to compare with */
} scree_mesh_engine;

/*  How steps are taken. */
typedef struct scree_step_def
{
    scree_integrator integrator; /* SCREE_VELOCITY_VERLET */
    scree_time_mode mode;        /* SCREE_TIME_FIXED */
    double dt;                   /* time step, s; must be given unless automatic; 0 */
    /*  AUTOMATIC, MASS_SCALING: the step over the stable step of springs, above 0, at most 1; 0.2, which gives about
        eleven steps per collision. PFC's 0.8 is stable as well, with three. If dashpots need a shorter step, the step
        is that one. */
    double safety_factor;
    double max_growth; /* AUTOMATIC: largest ratio of a step to the previous one, above 1; 1.05 */
    /*  Shortest step is dt / 2^local_steps, see LOCAL TIME STEPS; at most SCREE_MAX_LOCAL_STEPS; 0: off; 0. */
    uint32_t local_steps;
    scree_picard_def picard; /* of implicit integrators */
} scree_step_def;

/*  The domain. */
typedef struct scree_domain_def
{
    /*  Corners, m; used on axes whose boundary is not NONE; lower < upper. */
    double lower[3], upper[3];
    scree_boundary boundary[3]; /* by axis; SCREE_BOUNDARY_NONE */
} scree_domain_def;

/*  How contacts are found. Results do not depend on it. */
typedef struct scree_detection_def
{
    const char *method;      /* detection method; "auto" */
    scree_margin_def margin; /* SCREE_MARGIN_PER_BODY; trust_velocities must be false */
    /*  Every so many steps, sort bodies in memory by position; 0: never; 1000. */
    uint32_t sort_every;
    /*  Every so many steps, check the contacts with an independent method; 0: never; 0. */
    uint32_t audit;
    scree_mesh_engine mesh_engine; /* SCREE_MESH_ENGINE_AUTO */
} scree_detection_def;

/*  What computes. Results do not depend on it. */
typedef struct scree_compute_def
{
    scree_simd simd;       /* SCREE_SIMD_AUTO */
    uint32_t thread_count; /* more than 1: the world starts a pool; ignored if tasks are given; 1 */
    scree_tasks tasks;     /* threads of the host; none */
    /*  What computes the steps, see DEVICES: NULL, "" or "cpu": the host; "gpu", "gpu:1", or part of a name; NULL. */
    const char *device;
} scree_compute_def;

/*  What the host supplies. */
typedef struct scree_hooks_def
{
    scree_allocator allocator; /* malloc */
    scree_log log;             /* none */
    scree_error *error;        /* gets the message of a failure of scree_world_create; NULL */
} scree_hooks_def;

/*  How to create a world. */
typedef struct scree_world_def
{
    uint32_t cookie;       /* set by the default function */
    uint32_t size;         /* in bytes, set by the default function */
    int dimensions;        /* 2 or 3; 3 */
    bool energy_balance;   /* record energies by cause; false */
    bool events;           /* list what happens, see scree/event.h; false */
    double gravity[3];     /* m/s^2; 0 */
    double global_damping; /* decay rate of velocities and angular velocities, 1/s, 0 or more; 0 */
    /*  Fraction of the resultant force that opposes the motion, 0 to 1, exclusive; 0. */
    double local_damping;
    /*  Largest overlap over the smaller radius: a deeper contact refuses the step with SCREE_UNSTABLE; INFINITY: no
        limit; 0.5. For meshes also an overlap that uses up the skin; for blocks see there. */
    double overlap_limit;
    scree_step_def step;           /* how steps are taken */
    scree_domain_def domain;       /* its corners and boundaries */
    scree_detection_def detection; /* how contacts are found */
    scree_compute_def compute;     /* threads and devices */
    scree_hooks_def hooks;         /* allocator, log and message */
} scree_world_def;

/*  What scree_default_world_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_world_def(scree_world_def *def, size_t size);
/*  Returns a definition with default values. Set `step.dt`. */
static inline scree_world_def scree_default_world_def(void)
{
    scree_world_def def;
    scree_init_world_def(&def, sizeof def);
    return def;
}

/*  Creates a world. On failure *world is NULL. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: a field is out of range, as the
    message says; SCREE_UNKNOWN_METHOD; SCREE_OUT_OF_MEMORY; with a device SCREE_UNSUPPORTED and SCREE_DEVICE_ERROR. */
SCREE_API scree_status scree_world_create(const scree_world_def *def, scree_world **world);
/*  Frees a world. NULL is allowed. */
SCREE_API void scree_world_destroy(scree_world *world);
/*  Returns the message of the last call on this world that failed; "" if none did. */
SCREE_API const char *scree_world_message(const scree_world *world);

/*  SETTINGS. scree_world_set_X changes a setting from now on, scree_world_get_X reads what was set last. Pointers of a get
    function may be NULL; without a world it gives zeros and SCREE_BAD_ARGUMENT. What may be absent, such as sleeping,
    heat, a servo or the freedom of a wall, is set by a definition, and by NULL turned off; its get function returns
    whether it is there, and reads the definition. A single number or name is returned. */

/*  Sets the gravity, in m/s^2. On failure nothing changes. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_set_gravity(scree_world *world, const double gravity[3]);
/*  Reads the gravity, in m/s^2. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_gravity(const scree_world *world, double gravity[3]);
/*  Reads the domain as given at creation. lower and upper are used on axes whose boundary is not NONE.
    SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_domain(const scree_world *world, double lower[3],
                                              double upper[3], scree_boundary boundary[3]);
/*  Sets mode and length of the time step, with the checks of creation. On failure nothing changes. SCREE_BAD_ARGUMENT.
    */
SCREE_API scree_status scree_world_set_dt(scree_world *world, scree_time_mode mode, double dt);
/*  Reads them as they were set last; scree_world_clock has the length of actual steps. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_dt(const scree_world *world, scree_time_mode *mode,
                                          double *dt);
/*  Sets global damping, 1/s, and local damping. On failure nothing changes. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_set_damping(scree_world *world, double global_damping,
                                               double local_damping);
/*  Reads the current damping. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_damping(const scree_world *world, double *global_damping,
                                               double *local_damping);
/*  Sets another detection method. Results do not change. SCREE_BAD_ARGUMENT, SCREE_UNKNOWN_METHOD, SCREE_OUT_OF_MEMORY.
    */
SCREE_API scree_status scree_world_set_method(scree_world *world, const char *method);
/*  Returns the name of the detection method; "" if `world` is NULL. */
SCREE_API const char *scree_world_get_method(const scree_world *world);
/*  Sets another margin of detection. Results do not change. Statuses of scree_world_create. */
SCREE_API scree_status scree_world_set_margin(scree_world *world, const scree_margin_def *margin);
/*  Reads the margin of detection. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_margin(const scree_world *world, scree_margin_def *margin);

/* ---- devices ------------------------------------------------------------------------------------- */

/*  DEVICES. A GPU, or any other OpenCL device, can compute the steps of a world. States are bit-identical to those of
    the host, so a run may switch between both, and a checkpoint does not depend on which computed it. During a call of
    scree_world_step all data stays on the device, and is copied back at the end: few calls with many steps are faster
    than many calls with few.

    Features that a device does not support are refused before the first step, all in one message (SCREE_UNSUPPORTED).
    If a device fails (SCREE_DEVICE_ERROR) or runs out of memory (SCREE_OUT_OF_MEMORY), the world is restored to the
    state before the call. */

/*  Sets the device from now on, as scree_compute_def.device. On failure nothing changes. SCREE_UNSUPPORTED: no such
    device, or no OpenCL; SCREE_DEVICE_ERROR; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_device(scree_world *world, const char *device);
/*  Returns how many features of this world devices do not support, and writes their names to `text`, as far as they fit
    in `bytes`: for example "a time step that is not fixed; heat". */
SCREE_API size_t scree_world_device_refusals(const scree_world *world, char *text, size_t bytes);

/* ---- materials, and which law acts where ---------------------------------------------------------- */

/*  Adds a material. Materials cannot be removed. SCREE_BAD_DEF; SCREE_BAD_VALUE; SCREE_TOO_LARGE: more than 1000;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_material(scree_world *world, const scree_material_def *def,
                                                scree_material_id *id);

/*  Sets the friction from now on, also for existing contacts, whose history is kept. It applies to one material; with
    no material to all, and to rules that set a friction. NAN restores the original values. It is part of the state, as
    gravity is, so snapshots and checkpoints contain it. On failure nothing changes. SCREE_BAD_ARGUMENT: no such
    material; SCREE_BAD_VALUE: not 0 to 1e100, or more than a law can use; SCREE_TOO_LARGE: too many pairs of materials;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_friction(scree_world *world, scree_material_id material,
                                                double friction);
/*  Returns the current friction of a material, or NAN if there is no such material. */
SCREE_API double scree_world_get_friction(const scree_world *world, scree_material_id material);

/*  Sets a value of a material from now on, by the name of its field: "young", "poisson", "restitution", "friction",
    "rolling_friction", "twisting_friction", "stiffness" or "stiffness_ratio". Density is not among them: bodies keep
    their masses. No material: all of them. Rules that set the value themselves keep what they set. Existing contacts keep
    their history, which holds forces, so that normal forces change at once with the stiffness, and forces of tangential
    springs do not. The stiffness decides the stable step: an automatic step follows, a fixed one must be shortened by the
    caller. The elastic energy of contacts changes with it, and no term of the energy balance counts that. NAN restores the
    original value. It is part of the state, so snapshots and checkpoints contain it. On failure nothing changes.
    SCREE_BAD_ARGUMENT: no such material or value; SCREE_BAD_VALUE; SCREE_TOO_LARGE: too many pairs of materials;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_material_value(scree_world *world,
                                                      scree_material_id material, const char *name,
                                                      double value);
/*  Returns the current value of a material, or NAN if there is no such material or value. */
SCREE_API double scree_world_get_material_value(const scree_world *world,
                                                scree_material_id material, const char *name);

/*  The same for a value that a rule sets; rules count from 1, in the order in which they were added. Only values that
    were given with the rule can change. SCREE_BAD_ARGUMENT: no such rule, or it does not set this value. */
SCREE_API scree_status scree_world_set_rule_value(scree_world *world, size_t rule, const char *name,
                                                  double value);
/*  Returns the current value that a rule sets, or NAN if it does not set it. */
SCREE_API double scree_world_get_rule_value(const scree_world *world, size_t rule,
                                            const char *name);

/*  Makes the current values of materials and rules, friction among them, the original ones, as if they had been given
    when materials and rules were added. The state then fits worlds that were made with these values. */
SCREE_API void scree_world_keep_values(scree_world *world);

/*  The contacts that a rule applies to. */
typedef enum scree_contact_type
{
    SCREE_CONTACT_ANY,    /* all contacts */
    SCREE_CONTACT_BODIES, /* contacts of two bodies */
    SCREE_CONTACT_WALLS,  /* contacts of a body and a wall */
} scree_contact_type;

/*  A rule: which law acts between which materials and groups. For each new contact the first rule that matches decides.
    If none matches, the law is "hertz" with the values of the materials. */
typedef struct scree_rule_def
{
    uint32_t cookie;               /* set by the default function */
    uint32_t size;                 /* in bytes, set by the default function */
    scree_contact_type type;       /* SCREE_CONTACT_ANY */
    scree_material_id material[2]; /* in either order; none: any */
    uint64_t groups;               /* both must be in one of these groups; all */
    const char *law;               /* name of a built-in law; NULL: no force; "hertz" */
    const scree_law *own_law;      /* a law of the host instead, copied with its names; NULL */
    /*  Values that replace those of the materials: pairs of a parameter name of the law and a value. */
    const char *const *names;
    const double *values; /* as many */
    uint32_t value_count; /* number of pairs */
} scree_rule_def;

/*  What scree_default_rule_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_rule_def(scree_rule_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_rule_def scree_default_rule_def(void)
{
    scree_rule_def def;
    scree_init_rule_def(&def, sizeof def);
    return def;
}
/*  Appends a rule to the table. Existing contacts keep their law. A rule is refused if its law can be used for none of
    its pairs of materials. If it can be used for some but not for others (as "hertz" for two rigid materials), the step
    in which such a pair collides is refused. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: unknown law or parameter, with the
    nearest name; SCREE_BAD_VALUE; SCREE_TOO_LARGE: more than 65535; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_rule(scree_world *world, const scree_rule_def *def);

/* ---- bodies ------------------------------------------------------------------------------------- */

/*  What moves a body. */
typedef enum scree_body_type
{
    SCREE_BODY_DYNAMIC,   /* forces, except for components that flags freeze */
    SCREE_BODY_KINEMATIC, /* its velocity and angular velocity, which only the host changes */
    SCREE_BODY_STATIC,    /* nothing: it stays where it is until the host moves it */
} scree_body_type;

/*  Flags of a body. A frozen component of the motion keeps its velocity whatever the forces. All components of static
    and kinematic bodies are frozen; a body with SCREE_FREEZE among its flags is kinematic. */
#define SCREE_FREEZE_X 0x01u      /* velocity along x */
#define SCREE_FREEZE_Y 0x02u      /* velocity along y */
#define SCREE_FREEZE_Z 0x04u      /* velocity along z */
#define SCREE_FREEZE_SPIN_X 0x08u /* angular velocity about x */
#define SCREE_FREEZE_SPIN_Y 0x10u /* angular velocity about y */
#define SCREE_FREEZE_SPIN_Z 0x20u /* angular velocity about z */
#define SCREE_FREEZE 0x3fu        /* all components */
/*  Owned by another world and moved by the host: not integrated; two ghosts do not collide. */
#define SCREE_GHOST 0x40u

/*  How to create a body. */
typedef struct scree_body_def
{
    uint32_t cookie;            /* set by the default function */
    uint32_t size;              /* in bytes, set by the default function */
    scree_shape shape;          /* must be given */
    scree_material_id material; /* must be given */
    /*  SCREE_BODY_DYNAMIC; a static body must have no velocity. */
    scree_body_type type;
    double position[3]; /* centre of mass, m; 0 */
    double velocity[3]; /* m/s; 0 */
    double spin[3];     /* angular velocity in space, rad/s; 0 */
    /*  Quaternion w x y z, normalised when read; 1 0 0 0. For a mesh or clump of the body frame, see scree_shape_mesh;
        scree_body_def_place uses the frame of the mesh instead. */
    double orientation[4];
    double mass;       /* kg; 0: from shape and density; 0 */
    double inertia[3]; /* about the axes of the body frame, kg m^2; all 0: from shape and mass; 0 */
    uint64_t groups;   /* groups it belongs to; 1 */
    uint64_t mask;     /* groups it collides with; all */
    uint32_t flags;    /* SCREE_FREEZE_X, ..., SCREE_GHOST; 0 */
    uint64_t serial;   /* global id; 0: the next one; must not be used by another body; 0 */
    uint64_t user;     /* free for the host; 0 */
} scree_body_def;

/*  What scree_default_body_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_body_def(scree_body_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_body_def scree_default_body_def(void)
{
    scree_body_def def;
    scree_init_body_def(&def, sizeof def);
    return def;
}

/*  Adds a body in O(1) time. Bodies get global ids from 1 in the order in which they are added. A global id
    never changes, is not used again, and decides the order of sums; a ghost has the number that it has in the world
    that owns it. `id` may be NULL. On failure nothing changes. SCREE_BAD_DEF; SCREE_BAD_VALUE, naming field and value;
    SCREE_BAD_ARGUMENT: no such material, or the global id is taken; SCREE_TOO_LARGE; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_body(scree_world *world, const scree_body_def *def,
                                            scree_body_id *id);
/*  Adds several bodies, or on failure none. `ids` may be NULL. Statuses of scree_world_add_body. */
SCREE_API scree_status scree_world_add_bodies(scree_world *world, const scree_body_def *defs,
                                              size_t count, scree_body_id *ids);
/*  Removes a body, in time proportional to its contacts. SCREE_BAD_ARGUMENT: `id` names no body. */
SCREE_API scree_status scree_world_remove_body(scree_world *world, scree_body_id id);
/*  Removes several bodies, or on failure none. SCREE_BAD_ARGUMENT: a handle names no body, or one that is named twice.
    */
SCREE_API scree_status scree_world_remove_bodies(scree_world *world, const scree_body_id *ids,
                                                 size_t count);
/*  Returns whether the handle names a body. */
SCREE_API bool scree_world_has_body(const scree_world *world, scree_body_id id);

/*  CLUMPS (scree_shape_clump). Each pebble collides with spheres, walls, meshes, blocks and other pebbles as a sphere
    of its radius. Laws use the radius of the pebble, and the effective mass of the two bodies over the number of their
    contacts. def.overlap_limit is relative to the smaller radius. Clumps are shared, and kept as long as the world.
    Pictures show the pebbles; exports of bodies show bounding spheres, the export "pebbles" shows the pebbles.

    MESHES (scree_shape_mesh) are closed surfaces with a contact skin, in three dimensions. They collide with
    spheres, walls and each other. Two surfaces are in contact if their distance is below the sum of their skins, and
    the overlap is the difference; at a plane it is that of the vertices. If many triangles are in contact at one place,
    those within half of that sum form one contact (Noble and Weinzierl, arXiv:2105.12415). Laws use the radius of the
    sphere of equal volume, and the effective mass over the number of contacts of the pair, so that the restitution is
    that of a single contact. If surfaces intersect, their distance is below 0: that of a vertex in the other body, or of
    two edges that have passed each other; forces go on and push the bodies out. A surface that is not closed has its
    inside where the other body's centre is not. def.overlap_limit is for the depth of the surfaces, relative to the
    smaller radius; scree_world_local_counts says how often surfaces were found to cross. This takes longer than contact
    by skins: choose a skin at least as thick as the usual overlap. Meshes are shared, and kept as long as the world.
    Pictures and the export "solids" show the triangles, other exports of bodies bounding spheres.

    BLOCKS (scree_shape_block) are convex meshes. All of the above holds for them, except for contacts of two blocks,
    and of a block with a plane. Their contact points are the corners of the gap between the surfaces: vertices over
    faces and crossings of edges. All have the same normal; points that are closer to each other than the sum of the
    roundings share the force of one contact by depth. The history of a contact continues at the same vertex or edges,
    or at the nearest point within a tenth of that sum. Overlaps may be larger than the rounding, and act along the
    shortest way out. def.overlap_limit is relative to the radius of the sphere with the volume of the smaller block;
    for a block and a sphere or clump, to the smaller of that radius and the radius of the sphere or pebble. In two
    dimensions blocks are convex polygons, whose meshes are of segments (scree_mesh_hull with corners 2); there are no
    other bodies of segments. The mass is density times area, laws use the disc of equal area, and contact points are
    vertices of one polygon under the surface of the other. At walls of segments, vertices are discs of the rounding
    radius, and an overlap must not use it up; a vertex of the wall may be at any depth in the polygon. */

/*  Sets position and orientation of a definition so that the frame of the mesh or clump lies at `origin`, rotated by
    `orientation`: its vertex v is at origin + orientation v. SCREE_BAD_VALUE: an orientation of length 0; statuses of
    scree_shape_frame. */
SCREE_API scree_status scree_body_def_place(scree_body_def *def, const double origin[3],
                                            const double orientation[4]);
/*  Reads origin and orientation of that frame of a body; for a sphere its position and orientation. SCREE_BAD_ARGUMENT.
    */
SCREE_API scree_status scree_world_body_frame(const scree_world *world, scree_body_id id,
                                              double origin[3], double orientation[4]);

/*  The state of a body. */
typedef struct scree_body
{
    scree_body_id id;                    /* its handle */
    uint64_t serial, groups, mask, user; /* as in scree_body_def */
    scree_shape shape;                   /* as in scree_body_def */
    scree_material_id material;          /* as in scree_body_def */
    scree_body_type type;                /* static, kinematic or dynamic */
    uint32_t flags; /* SCREE_FREEZE_X, ..., SCREE_GHOST; SCREE_FREEZE if it is not dynamic */
    double position[3], velocity[3], spin[3], orientation[4]; /* as in scree_body_def */
    double mass, inertia[3]; /* kg; kg m^2 about the axes of the body frame */
    /*  Resultants of the last step: contacts, gravity, loads and damping; N, N m. */
    double force[3], torque[3];
    double load[6]; /* external force and torque, constant until changed; N, N m */
} scree_body;

/*  Reads the state of a body. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_get_body(const scree_world *world, scree_body_id id,
                                            scree_body *body);
/*  Sets groups, mask, user, material, type, flags, position, velocity, spin, orientation and load of a body. Other fields
    must be as scree_world_get_body returned them, except id, which is not used. A type other than the present one sets
    or clears SCREE_FREEZE; if the type is the present one, flags decide. On failure nothing changes.
    SCREE_BAD_ARGUMENT; SCREE_BAD_VALUE; SCREE_OUT_OF_MEMORY: the first load that is not 0 allocates memory. */
SCREE_API scree_status scree_world_set_body(scree_world *world, scree_body_id id,
                                            const scree_body *body);

/*  All bodies, without copying: columns of `count` rows, in no particular order. Each column lies in the memory of
    the world, with a stride of its own that may change from version to version: read rows with scree_row_at,
    scree_double_at, scree_uint64_at, scree_uint32_at (scree/view.h) and scree_body_id_at. Valid until the next call
    that takes the world without const. */
typedef struct scree_bodies_view
{
    size_t count;               /* number of bodies */
    scree_integers id;          /* handles, scree_body_id */
    scree_integers serial;      /* global ids, uint64_t */
    scree_view position;        /* x y z of the centre of mass, m */
    scree_view radius;          /* of the bounding sphere, m */
    scree_view velocity;        /* x y z, m/s */
    scree_view inverse_mass;    /* 1 / mass, 1/kg */
    scree_view spin;            /* angular velocity x y z, rad/s */
    scree_view inverse_inertia; /* 1 / inertia, 1/(kg m^2); 0 if that differs by axis */
    scree_view orientation;     /* w x y z */
    scree_view force;           /* x y z, resultant of the last step, N */
    scree_view torque;          /* x y z, resultant of the last step, N m */
    scree_integers material;    /* index1 of the material, uint32_t */
    scree_integers user;        /* free for the host, uint64_t */
} scree_bodies_view;

/*  Returns a view of all bodies. Without bodies the columns are not given. */
SCREE_API scree_bodies_view scree_world_bodies(scree_world *world);
/*  Returns the handle in a row of a column of handles. */
static inline scree_body_id scree_body_id_at(scree_integers column, size_t row)
{
    return *(const scree_body_id *)((const char *)column.data + row * column.stride);
}
/*  Returns the number of bodies; 0 if `world` is NULL. */
SCREE_API size_t scree_world_body_count(const scree_world *world);

/* ---- time --------------------------------------------------------------------------------------- */

/*  Takes `count` steps. It stops at the first step that fails: the world is restored to the state before that step, and
    the message says why, naming bodies and contact. SCREE_OUT_OF_MEMORY; SCREE_BAD_VALUE: a law, load or path gave a
    number that is not finite, or a body is missing that was not removed (bodies are counted before each step);
    SCREE_UNSTABLE: an overlap exceeds the limit, an automatic step became too short, or a body would have passed
    through something.

    TUNNELLING. Contacts are found at the end of a step. If a body or mesh wall moves so far in a step that it could
    pass a body or surface without contact before and after, its path is checked. If it does pass, by more than grazing
    (for a sphere more than half of its radius), a fixed step is refused: the message names the body, the wall or other
    body, their speed and a step that is short enough, and scree_world_failed_body returns the faster body. An automatic
    or mass scaling step is shortened, and an automatic step also if a wall is so fast that a new contact would exceed
    overlap_limit at once; the log says so once (SCREE_LOG_CROSSING). Implicit steps are halved, as if they had not
    converged. Not checked: what a path function does between the five times at which it is called in a step, if its
    velocity and spin do not show it; ghosts; changes by the host between steps; pairs without a law; and groups that do
    not collide. */
SCREE_API scree_status scree_world_step(scree_world *world, uint64_t count);
/*  Takes steps until `seconds` have passed. The last one or two steps are shortened, so that the time is exact except
    for rounding of its last digit. If a whole number of fixed steps fits to within a billionth, their length does not
    change. Statuses of scree_world_step; SCREE_BAD_VALUE: `seconds` is negative or not finite. */
SCREE_API scree_status scree_world_advance(scree_world *world, double seconds);

/*  Returns the body that caused the last step to fail because of a NaN, an infinite value, or one beyond 1e100: the
    body whose own state is bad or, if there is none, the body with the most bad contact forces. The host may remove it
    and continue. After SCREE_UNSTABLE it is the body that would have passed through something, or that needs shorter
    steps than local time steps allow. None if the last step succeeded, or failed for another reason. */
SCREE_API scree_body_id scree_world_failed_body(const scree_world *world);

/*  A body that has not converged in an implicit step. */
typedef struct scree_unconverged
{
    scree_body_id id; /* the body */
    /*  Change of its forces over what picard.tolerance allows, above 1; at least 2 if it still had coarse contacts. */
    double residual;
} scree_unconverged;

/*  Largest number of bodies that scree_world_unconverged lists. */
#define SCREE_MAX_UNCONVERGED 8

/*  Lists the bodies that had not converged in the last step, if it was refused for that (SCREE_UNSTABLE): those with
    the largest residual first, then by global id, at most SCREE_MAX_UNCONVERGED. If the step had been halved, those
    of its last length. Writes up to `capacity` rows and returns their number; `list` may be NULL. 0 if the last step
    succeeded, or failed for another reason. */
SCREE_API size_t scree_world_unconverged(const scree_world *world, scree_unconverged *list,
                                         size_t capacity);

/*  The time of a world. */
typedef struct scree_clock
{
    double time;    /* simulated time, s */
    uint64_t steps; /* number of steps taken */
    double dt;      /* length of the last step, or of the first if none was taken, s */
} scree_clock;

/*  Returns the time. */
SCREE_API scree_clock scree_world_clock(const scree_world *world);

/*  The longest stable step for the current contacts. For springs it is the minimum over all bodies of sqrt(m / k), and
    sqrt(I / k) for rotation, where k is the sum over the contacts of a body. Dashpots need shorter steps the lower the
    restitution and the more contacts: with a dozen contacts and a restitution of 0.3 a quarter of that, with 0.05 a
    fifteenth. */
typedef struct scree_stable_step
{
    /*  Stable for springs and dashpots, with a small reserve, s; INFINITY without contacts. */
    double dt;
    double springs;     /* sqrt(m / k), for springs alone, s; `safety_factor` is relative to this */
    scree_body_id body; /* the body that limits the step */
    scree_body_id partner; /* the other body of its stiffest contact; none: a wall */
    /*  The wall of that contact; or the free wall that limits the step, if `body` is none. */
    scree_wall_id wall;
} scree_stable_step;

/*  Computes the longest stable step. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY, and any reason why forces cannot be
    computed. */
SCREE_API scree_status scree_world_stable_step(scree_world *world, scree_stable_step *step);

/* ---- contacts ------------------------------------------------------------------------------------ */

/*  A contact. */
typedef struct scree_contact
{
    scree_body_id first, second; /* first has the smaller global id; second is none at a wall */
    scree_wall_id wall;          /* none between bodies */
    /*  Facet of the wall; between bodies that of the first that is a mesh; otherwise 0. */
    uint32_t facet;
    /*  Middle of the overlap, m; at a wall on the wall; between meshes divided by their skins. */
    double point[3];
    double normal[3];      /* unit vector from first to second */
    double overlap;        /* m */
    double force[3];       /* on first in the last step, N */
    double moment[3];      /* on first, in addition to that of the force at `point`, N m */
    uint16_t rule;         /* row of the table that decided, from 1; 0: the default */
    uint32_t memory_count; /* number of history variables */
    const double *memory;  /* history variables of the law; valid as long as the list */
    uint32_t pebble[2];    /* pebble of first and second, if they are clumps; otherwise 0 */
} scree_contact;

/*  Which contacts to list. */
typedef struct scree_contact_filter_def
{
    uint32_t cookie;              /* set by the default function */
    uint32_t size;                /* in bytes, set by the default function */
    scree_body_id body;           /* only of this body; none: any */
    scree_wall_id wall;           /* only of this wall; none: any */
    uint32_t facet1;              /* only of this facet of the wall, from 1; 0: any */
    bool bodies_only, walls_only; /* only between bodies; only at walls; false */
    bool in_region;               /* only with a point in the box, which is closed; false */
    double lower[3], upper[3];    /* the box, m */
} scree_contact_filter_def;

/*  What scree_default_contact_filter_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_contact_filter_def(scree_contact_filter_def *def, size_t size);
/*  Returns a filter that selects all contacts. */
static inline scree_contact_filter_def scree_default_contact_filter_def(void)
{
    scree_contact_filter_def def;
    scree_init_contact_filter_def(&def, sizeof def);
    return def;
}

/*  Lists the contacts that exerted forces in the last step, in the order of the global id of first; then bodies
    before walls, by the global id of second, or by wall and facet. Several contacts of a pair are in the order in
    which they were found. `filter` may be NULL. If the host has moved bodies since the step, points and overlaps of two
    spheres are current, all else is that of the step. SCREE_BAD_DEF; SCREE_BAD_ARGUMENT: the filter names nothing that
    exists, or contradicts itself; SCREE_BAD_VALUE: lower above upper; SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_contacts(scree_world *world,
                                            const scree_contact_filter_def *filter,
                                            const scree_contact **contacts, size_t *count);

/* ---- energy and sums ---------------------------------------------------------------------------- */

/*  The energy balance, in J. Without def.energy_balance only kinetic, rotational and potential are computed; all others
    are 0. The balance holds to the order of dt while contacts change, and better after that:

        kinetic + rotational + potential + elastic + damping + friction + rolling + body_damping
            = walls + loads + boundary + entered - removed

    plus, on the right, the work of a fluid and of force fields (scree_world_ambient_work).

    Ghosts have no energy here; the sums of the worlds that own them balance together. With mass scaling
    (SCREE_TIME_MASS_SCALING) the motion is not that of the real masses, and the balance does not hold. */
typedef struct scree_energy
{
    double kinetic, rotational;        /* of translation and rotation */
    double potential;                  /* in gravity, 0 at the origin */
    double elastic;                    /* stored in contacts */
    double damping, friction, rolling; /* dissipated in contacts since creation, see scree_loss */
    /*  Dissipated by global and local damping, and by falling asleep. */
    double body_damping;
    double walls; /* work of moving walls, and of moving bodies with frozen components */
    double loads; /* work of loads and of the force function */
    /*  Work of the domain boundary: stopped bodies, potential energy of wrapping around, deformation. */
    double boundary;
    double entered, removed; /* energy of bodies that were added, and of those removed or changed */
} scree_energy;

/*  Returns the energy balance. */
SCREE_API scree_energy scree_world_energy(const scree_world *world);

/*  Sums over all bodies. */
typedef struct scree_totals
{
    double mass, centre[3];                  /* kg; centre of mass, m */
    double momentum[3], angular_momentum[3]; /* kg m/s; kg m^2/s about the origin */
    /*  Mean number of contacts of a body, including walls. */
    double coordination;
    uint64_t bodies, added, removed; /* bodies = added - removed, removed for any reason */
    /*  Of the removed, those destroyed by the domain boundary. */
    uint64_t destroyed;
    uint64_t bytes; /* memory in use */
} scree_totals;

/*  Returns the sums. */
SCREE_API scree_totals scree_world_totals(const scree_world *world);

/* ---- state ---------------------------------------------------------------------------------------- */

/*  Returns a hash of everything that determines the future: bodies by global id, wherever they are in memory,
    contact history, walls, clock, materials and rules. Handles do not count. Equal digests mean bit-identical states.
    */
SCREE_API uint64_t scree_world_digest(scree_world *world);

/*  The state in memory. It may be restored into any world with the same materials, rules, walls and domain. Gravity,
    damping, friction and time mode are part of it; functions of the host are not. After a restore handles name what
    they named when the snapshot was taken. */
typedef struct scree_snapshot scree_snapshot;
/*  Takes a snapshot. The caller destroys it. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_snapshot(scree_world *world, scree_snapshot **snapshot);
/*  Restores a snapshot. The world continues bit-identically to the one that it was taken from. On failure nothing
    changes. SCREE_BAD_ARGUMENT: the world has other materials, rules, walls, dimensions or boundaries;
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_restore(scree_world *world, const scree_snapshot *snapshot);
/*  Frees a snapshot. NULL is allowed. */
SCREE_API void scree_snapshot_destroy(scree_snapshot *snapshot);
/*  Returns the size of a snapshot in bytes. */
SCREE_API size_t scree_snapshot_bytes(const scree_snapshot *snapshot);
/*  Creates a second world with the same state. It shares only meshes and clumps. `def` supplies hooks, threads, method
    and margin; the physics are those of `world`. On failure *copy is NULL. Statuses of scree_world_create. */
SCREE_API scree_status scree_world_copy(scree_world *world, const scree_world_def *def,
                                        scree_world **copy);

#ifdef __cplusplus
}
#endif

#endif
