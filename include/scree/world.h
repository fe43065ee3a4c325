/*  scree/world.h: bodies that move, and push each other.

        scree_world_def def = scree_default_world_def();
        def.gravity[2] = -9.81;
        def.dt = 1e-5;
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

    THE STEP. From the state at t_n: who may touch (scree/detect.h, with a margin); the force of each
    contact at the positions and velocities of t_n (scree/law.h); for each body the sum of its forces, in an
    order that its partners' serial numbers fix; then velocities and positions of t_n + dt; then the domain's
    border. A step that cannot be taken well is refused: the world is then as it was before.

    THE SAME BYTES. The state is a function of the calls made on the world alone: not of the method or margin
    of detection, the number of threads, the SIMD level, the order of bodies in memory, nor of snapshots
    taken and restored on the way. scree_world_digest makes that visible.

    LOCAL STEPS. With def.local_steps bodies for which dt is too long go in steps of dt / 2, dt / 4 and so on, as short as their
    contacts and speeds ask for, and all others in steps of dt. Bodies that could touch each other before the end of a
    step of dt are a cluster: within a quarter of their radii, and what laws reach; of two bodies of triangles or blocks it is
    their surfaces that count, as far as their surrogates tell how far these are apart. A cluster has one length of
    step, and goes as it would alone. At the end of each step of dt all are at the same time; the host sees no other states. What the
    clusters are, and how they go, follows from the state alone. For explicit integrators and a dt that is
    given; there must be no ghosts, servos, free walls, heat, domains that lean or move, events, nor a force function (SCREE_BAD_ARGUMENT). Where a body
    would move more than a quarter of its radius in a step, this step is halved.

    UNITS. SI. In two dimensions bodies are discs in the plane z = 0, of mass density * pi r^2, or clumps and blocks in it.

    THREADS. One world, one thread at a time; different worlds in different threads at once.

    CAVEATS. Bodies, materials and walls are copied in; meshes are shared and kept. What a function returns
    as arrays belongs to the world and holds until the next call that is given the world without const. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "scree/base.h"
#include "scree/detect.h"
#include "scree/law.h"
#include "scree/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_world scree_world;

/*  Names of things in a world. All zero is none. An id whose thing was removed names nothing, also when its
    place has been taken again. */
typedef struct scree_body_id
{
    uint32_t index1, generation;
} scree_body_id;

typedef struct scree_wall_id
{
    uint32_t index1, generation;
} scree_wall_id;

/* ---- the world --------------------------------------------------------------------------------- */

typedef enum scree_integrator
{
    SCREE_SYMPLECTIC_EULER, /* v += a dt, then x += v dt; forces see the velocity half a step behind */
    SCREE_VELOCITY_VERLET, /* second order; forces see positions and velocities of one instant */
    SCREE_EXPLICIT_EULER,  /* x += v dt, then v += a dt: gains energy, for comparison alone */
    /*  v += a dt, then x += v dt with a of the end of the step, found by iteration: a step may be longer than
        stable, and what is too fast for it is damped away. See scree_picard_def */
    SCREE_IMPLICIT_EULER,
    /*  The same to the bit, with meshes searched by surrogate trees whatever mesh_engine is (not BOXES): Noble and
        Weinzierl's surrogates within Picard */
    SCREE_IMPLICIT_SURROGATE,
    /*  The same within picard.tolerance: the first guesses see surrogates of meshes, from coarse to fine, the last ones
        real triangles alone. Their multiscale Picard. Without bodies of triangles the same to the bit */
    SCREE_IMPLICIT_MULTISCALE,
} scree_integrator;

typedef enum scree_time_mode
{
    SCREE_TIME_FIXED,     /* def.dt, whatever happens */
    SCREE_TIME_AUTOMATIC, /* as long as stiffness and speed allow, at most def.dt if that is given */
    SCREE_TIME_MASS_SCALING, /* def.dt; masses are scaled so that it is stable: for states at rest alone */
} scree_time_mode;

/*  What happens at the border of the domain. */
typedef enum scree_boundary
{
    SCREE_BOUNDARY_NONE,
    SCREE_BOUNDARY_STOP, /* centre outside: velocity and spin become zero, and it stays there */
    SCREE_BOUNDARY_REFLECT, /* centre outside: the component of velocity that leads out is turned round */
    SCREE_BOUNDARY_DESTROY,  /* all of it outside: the body is removed, and counted */
    SCREE_BOUNDARY_PERIODIC, /* what leaves on one side enters on the other */
} scree_boundary;

/*  How an implicit step (SCREE_IMPLICIT_EULER and later ones) is found: forces at a guess of its end give the next guess, until for each body forces and
    torques at the guess differ from those that led to it by no more than a share of these, or so little that
    the body does not go a billionth of its radius less or more. Of a contact that was not there before the step laws see, at most,
    the rate with which it came to its overlap in the time of the step: so forces begin at 0, and there is an end to be found. */
typedef struct scree_picard_def
{
    double tolerance;    /* that share, above 0; 0.01 */
    uint32_t iterations; /* at most, 1 to 10,000; 30 */
    /*  A step whose forces do not settle is tried with half its length, so often; then it is refused with
        SCREE_UNSTABLE, naming the bodies that are worst (scree_world_unconverged). The next step is at most twice as long as the last; 10. */
    uint32_t halvings;
    /*  SURROGATE, MULTISCALE, and explicit steps by SCREE_MESH_ENGINE_SURROGATE: sets of surrogates and triangles are kept
        from guess to guess and from step to step, and go down to triangles wherever surrogates touch, which saves comparisons
        and changes no bit. Sets that were handed on like this know the triangles that the last step ended with: so of MULTISCALE
        nothing is felt from afar any more, and its steps are those of SURROGATE. false: SURROGATE searches from the roots each time, and steps
        of MULTISCALE begin with the roots and go down a level with each guess, as published. true */
    bool keeps_sets;
    /*  MULTISCALE: where guesses do not come nearer to an end while surrogates are felt, the next goes down all levels;
        false. */
    bool skips_levels;
    /*  Where forces keep their direction from guess to guess, the next one goes further than what was found, by up to half of
        how it differs: fewer guesses where the push grows with the way, as on a slope that steepens; false: never
        beyond what was found. */
    bool accelerates;
} scree_picard_def;

/*  Which way finds where two meshes touch: results do not depend on it. */
typedef enum scree_mesh_engine
{
    SCREE_MESH_ENGINE_AUTO, /* by measured cost: all of very few, else boxes (docs/results/meshes.md) */
    SCREE_MESH_ENGINE_BOXES,     /* trees of boxes, which are turned as they meet */
    SCREE_MESH_ENGINE_SURROGATE, /* trees of triangles that stand for others (Noble and Weinzierl) */
    SCREE_MESH_ENGINE_ALL,       /* each triangle with each: to compare with, slow */
} scree_mesh_engine;

typedef struct scree_world_def
{
    uint32_t cookie;
    int dimensions; /* 2 or 3; 3 */
    double gravity[3];
    scree_integrator integrator; /* SCREE_VELOCITY_VERLET */
    scree_picard_def picard;     /* of implicit integrators */
    scree_time_mode time;        /* SCREE_TIME_FIXED */
    double dt;                   /* s; must be given but for automatic; 0 */
    /*  Automatic, scaled: share of the step that is stable for springs, (0, 1]; 0.2, some eleven steps for a
        collision. PFC's 0.8 is stable as well, with three. Where dashpots bear less a step is as long as they do. */
    double safety_factor;
    double max_growth;     /* automatic: of one step over the last, at most, above 1; 1.05 */
    double global_damping; /* 1/s: velocities and spins decay at this rate, 0 or more; 0 */
    double local_damping;  /* share of the resultant force that opposes motion, [0, 1); 0 */
    /*  The domain, where some boundary is not NONE; lower < upper on those axes. */
    double lower[3], upper[3];
    scree_boundary boundary[3]; /* by axis; SCREE_BOUNDARY_NONE */
    /*  A contact whose overlap passes this share of the smaller radius ends the run with
        SCREE_UNSTABLE; INFINITY: none does; 0.5. Of bodies of triangles: one that uses up the halo (of blocks see there). */
    double overlap_limit;
    bool energy_balance; /* energies are accounted for; false */
    bool events;         /* contacts that begin and end are listed; false */
    uint32_t
        audit; /* every so many steps contacts are held against those of an independent method; 0: never */
    const char *method;      /* of detection; "auto" */
    scree_margin_def margin; /* SCREE_MARGIN_PER_BODY; trust_velocities must be false */
    uint32_t
        sort_every;  /* bodies are laid in memory by place every so many steps; 0: never; 1000 */
    scree_simd simd; /* SCREE_SIMD_AUTO */
    uint32_t
        thread_count; /* 1; more: a pool of the world's own. Not looked at if tasks are given */
    scree_tasks tasks;
    scree_allocator allocator;
    scree_log log;
    scree_error *error;            /* where scree_world_create puts its message; NULL */
    scree_mesh_engine mesh_engine; /* SCREE_MESH_ENGINE_AUTO */
    /*  Bodies may go in steps down to dt / 2^local_steps, see LOCAL STEPS; at most SCREE_MAX_LOCAL_STEPS; 0: all in steps of dt */
    uint32_t local_steps;
    /*  Which device takes the steps, see DEVICES: NULL, "" or "cpu": the host; "gpu", "gpu:1", or part of a name; NULL */
    const char *device;
} scree_world_def;

#define SCREE_MAX_LOCAL_STEPS 20

SCREE_API scree_world_def scree_default_world_def(void);

/*  SCREE_BAD_DEF, SCREE_BAD_ARGUMENT, SCREE_UNKNOWN_METHOD, SCREE_OUT_OF_MEMORY; of a device SCREE_UNSUPPORTED,
    SCREE_DEVICE_ERROR. On failure *world is NULL. */
SCREE_API scree_status scree_world_create(const scree_world_def *def, scree_world **world);
SCREE_API void scree_world_destroy(scree_world *world); /* NULL is fine */
/*  The sentence that explains the last call on this world that failed; "" if none did. */
SCREE_API const char *scree_world_message(const scree_world *world);

/*  Changes in the middle of a run. The same checks as at creation; a failure changes nothing. */
SCREE_API scree_status scree_world_set_gravity(scree_world *world, const double gravity[3]);
/*  As it is now; of NULL none. */
SCREE_API void scree_world_gravity(const scree_world *world, double gravity[3]);
/*  The domain as it was given when the world was made; lower and upper count on axes whose boundary is not NONE. Each may
    be NULL. Of the world NULL all are 0. */
SCREE_API void scree_world_domain(const scree_world *world, double lower[3], double upper[3],
                                  scree_boundary boundary[3]);
SCREE_API scree_status scree_world_set_dt(scree_world *world, scree_time_mode mode, double dt);
/*  As given or set last; scree_world_clock has what steps are. `dt` may be NULL. Of the world NULL SCREE_TIME_FIXED, 0. */
SCREE_API scree_time_mode scree_world_time_mode(const scree_world *world, double *dt);
SCREE_API scree_status scree_world_set_damping(scree_world *world, double global_damping,
                                               double local_damping);
/*  As it is now; of NULL none. Each may be NULL. */
SCREE_API void scree_world_damping(const scree_world *world, double *global_damping,
                                   double *local_damping);
/*  Another method or margin of detection; results do not change. */
SCREE_API scree_status scree_world_set_method(scree_world *world, const char *method);
SCREE_API scree_status scree_world_set_margin(scree_world *world, const scree_margin_def *margin);

/* ---- devices ------------------------------------------------------------------------------------- */

/*  DEVICES. A GPU, or anything else that OpenCL runs on, can take the steps of a world. States are the same to the last bit as those
    that the host computes, so a run can go to and fro between both, and a checkpoint does not tell which wrote it. During a call of
    scree_world_step all stays on the device, and comes back at its end: calls of many steps are cheaper than many calls.

    What a device cannot do yet is refused before the first step, by name and all at once (SCREE_UNSUPPORTED). A device
    that fails (SCREE_DEVICE_ERROR) or has too little memory (SCREE_OUT_OF_MEMORY) leaves the world as it was before the call. */

/*  The device from now on, as scree_world_def.device. SCREE_UNSUPPORTED (no such device, or no OpenCL), SCREE_DEVICE_ERROR,
    SCREE_OUT_OF_MEMORY: then nothing changes. */
SCREE_API scree_status scree_world_set_device(scree_world *world, const char *device);
/*  What of this world no device can do yet, as "a time step that is not fixed; heat": how many, and `text` has what fits. */
SCREE_API size_t scree_world_device_refusals(const scree_world *world, char *text, size_t bytes);

/* ---- materials, and which law acts where ---------------------------------------------------------- */

/*  Materials are never removed. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_TOO_LARGE (more than 1000),
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_material(scree_world *world, const scree_material_def *def,
                                                scree_material_id *id);

/*  Friction from now on, of contacts that are there as well: they remember what they remember, and the bound is another.
    Of one material; none: of all, and of the rows of the table that give friction. NAN: as it was when they were added.
    It is part of the state, as gravity is: snapshots and checkpoints take it along, and worlds go on with it.
    SCREE_BAD_ARGUMENT (no such material), SCREE_BAD_VALUE (not 0 to 1e100, or more than a law can do with),
    SCREE_TOO_LARGE (pairs of materials, counted twice), SCREE_OUT_OF_MEMORY; then nothing changes. */
SCREE_API scree_status scree_world_set_friction(scree_world *world, scree_material_id material,
                                                double friction);
/*  Of a material, as it is now; NAN: there is none such. */
SCREE_API double scree_world_friction(const scree_world *world, scree_material_id material);

typedef enum scree_contact_type
{
    SCREE_CONTACT_ANY,
    SCREE_CONTACT_BODIES, /* of two bodies */
    SCREE_CONTACT_WALLS,  /* of a body and a wall */
} scree_contact_type;

/*  One row of the table of laws. For each contact that begins, the first row that matches decides; where
    none does, the default does: "hertz" with what the materials say. */
typedef struct scree_rule_def
{
    uint32_t cookie;
    scree_contact_type type;       /* SCREE_CONTACT_ANY */
    scree_material_id material[2]; /* in either order; none: any */
    uint64_t groups;               /* each of both must be in one of these; all: not asked for */
    const char *law;               /* built in; "hertz". NULL: no force at all */
    const scree_law *own_law;      /* or yours, copied with its names kept; NULL */
    /*  Instead of what the materials say, by the law's parameter_names: name and value in pairs. */
    const char *const *names;
    const double *values;
    uint32_t value_count;
} scree_rule_def;

SCREE_API scree_rule_def scree_default_rule_def(void);
/*  Adds a row at the end. Contacts that exist keep their law. A row is refused where its law can use none of
    the pairs of materials that it is for; of other pairs that a law cannot use (two rigid ones with "hertz")
    the step in which they touch is refused. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (unknown law
    or name, with the nearest one), SCREE_BAD_VALUE, SCREE_TOO_LARGE (more than 65535), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_add_rule(scree_world *world, const scree_rule_def *def);

/* ---- bodies ------------------------------------------------------------------------------------- */

/*  Flags of a body. A frozen component keeps the velocity it has, whatever pushes. */
#define SCREE_FREEZE_X 0x01u
#define SCREE_FREEZE_Y 0x02u
#define SCREE_FREEZE_Z 0x04u
#define SCREE_FREEZE_SPIN_X 0x08u
#define SCREE_FREEZE_SPIN_Y 0x10u
#define SCREE_FREEZE_SPIN_Z 0x20u
#define SCREE_FREEZE 0x3fu
#define SCREE_GHOST                                                                                \
    0x40u /* owned elsewhere and moved from outside: never stepped, and two do not touch */

typedef struct scree_body_def
{
    uint32_t cookie;
    scree_shape shape; /* must be given */
    scree_material_id material;
    double position[3]; /* of its centre */
    double velocity[3];
    double spin[3]; /* angular velocity in space, rad/s */
    double orientation
        [4];     /* unit quaternion w x y z, normalised when read; 1 0 0 0. Of a mesh the frame of
                              scree_shape_mesh; scree_body_def_place puts the mesh's own somewhere */
    double mass; /* 0: from shape and density; 0 */
    double inertia[3]; /* about the body's axes; all 0: from shape and mass; 0 */
    uint64_t groups;   /* the body is in; 1 */
    uint64_t mask;     /* groups it meets; all */
    uint32_t flags;    /* SCREE_FREEZE_X, ..., SCREE_GHOST; 0 */
    uint64_t serial; /* 0: the next; else its own number, used by no other body there; see below */
    uint64_t user;   /* yours; 0 */
} scree_body_def;

SCREE_API scree_body_def scree_default_body_def(void);

/*  Bodies are numbered in the order they are added. This serial number never changes, is not used again,
    and decides the order of sums: a body that another process owns brings its own with it.
    Adding costs O(1). SCREE_BAD_DEF, SCREE_BAD_VALUE (field and value named), SCREE_BAD_ARGUMENT (no such
    material, serial taken), SCREE_TOO_LARGE, SCREE_OUT_OF_MEMORY; every failure changes nothing. `id` and
    `ids` may be NULL. */
SCREE_API scree_status scree_world_add_body(scree_world *world, const scree_body_def *def,
                                            scree_body_id *id);
SCREE_API scree_status scree_world_add_bodies(scree_world *world, const scree_body_def *defs,
                                              size_t count, scree_body_id *ids);
/*  O(its contacts). SCREE_BAD_ARGUMENT for an id that names no body (any more), or one named twice. */
SCREE_API scree_status scree_world_remove_body(scree_world *world, scree_body_id id);
SCREE_API scree_status scree_world_remove_bodies(scree_world *world, const scree_body_id *ids,
                                                 size_t count);
SCREE_API bool scree_world_has_body(const scree_world *world, scree_body_id id);

/*  CLUMPS (scree_shape_clump) are pebbles that move as one. Each pebble touches spheres, planes, walls, bodies of triangles
    and other pebbles as a sphere of its radius would; laws see its radius, and the mass of the pair of bodies over the
    number of their contacts. def.overlap_limit is of the smaller of two radii. Clumps are shared, and kept as long
    as the world. Pictures show their pebbles, exports of bodies the balls around
    them; "pebbles" is an export of its own.

    BODIES OF TRIANGLES (scree_shape_mesh) are closed surfaces with halos, in three dimensions. They meet spheres, planes,
    walls and each other. Surfaces that are nearer than the sum of their halos touch, and the overlap is what is missing
    to that; of a plane it is that of vertices. Where many triangles meet at a place, what is nearer than half that
    sum is one contact (Noble and Weinzierl, arXiv:2105.12415). Laws see the radius of the ball of the same volume,
    and the mass of the pair over the number of its contacts: so restitution is what it is with one. A halo that is used
    up, where surfaces cross, is beyond def.overlap_limit whatever that is, short of INFINITY; the force grows no
    more then, and bodies may go through each other: halos should be as thick as contacts get deep.
    Meshes are shared, and kept as long as the world. Pictures and the exports "solids" show their triangles, other
    exports of bodies the balls around them.

    BLOCKS (scree_shape_block) are bodies of triangles that are convex, and in all the above are the same but where two of them
    meet, or one meets a plane. There contacts are the corners of the gap between both surfaces: vertices over faces
    and crossings of edges, as many as there are, each with the same normal; where some are nearer to each other than the
    sum of the halos, they share by depth what one would have. What they remember goes on at the same corner or edges, or at the nearest
    that is no farther than a tenth of that. Overlaps may be deeper than halos, and act along the shortest way
    out; def.overlap_limit is of the radius of the ball that has the volume of the smaller; of a block and a sphere or clump that ball's, the
    sphere's or the pebble's, whichever is smaller.
    In two dimensions they are convex polygons, whose meshes are of segments (scree_mesh_hull with corners 2): other bodies of
    segments there are none. Mass is density times area, laws see the disc of the same area, and contacts are corners of either under the
    surface of the other. At walls of segments corners are discs as wide as the halo, which must not be used up there, and vertices
    that stick out of the wall may be as deep in the polygon as they like. */

/*  Sets position and orientation so that the frame of the shape's mesh lies at `origin`, turned by `orientation`: its
    vertex v is at origin + orientation v. SCREE_BAD_VALUE for an orientation without length; statuses of
    scree_shape_frame. */
SCREE_API scree_status scree_body_def_place(scree_body_def *def, const double origin[3],
                                            const double orientation[4]);
/*  Where that frame is now; of a sphere position and orientation. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_world_body_frame(const scree_world *world, scree_body_id id,
                                              double origin[3], double orientation[4]);

/*  One body as it is. */
typedef struct scree_body
{
    scree_body_id id;
    uint64_t serial, groups, mask, user;
    scree_shape shape;
    scree_material_id material;
    uint32_t flags;
    double position[3], velocity[3], spin[3], orientation[4];
    double mass, inertia[3];
    double force[3], torque[3]; /* resultants of the last step: contacts, gravity, loads, damping */
    double load[6];             /* force and torque applied from outside, until changed */
} scree_body;

SCREE_API scree_status scree_world_get_body(const scree_world *world, scree_body_id id,
                                            scree_body *body);
/*  Sets what may change: groups, mask, user, material, flags, position, velocity, spin, orientation, load.
    Other fields must be as they are (id apart, which names the body). The first load that is not 0 takes memory for
    loads: SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_set_body(scree_world *world, scree_body_id id,
                                            const scree_body *body);

/*  All bodies, without copying: columns of `count` rows `stride` bytes apart, in no particular order. */
typedef struct scree_bodies_view
{
    size_t count;
    const scree_body_id *id;
    const uint64_t *serial;
    const double (*position)[4];    /* x y z, and the radius of the sphere around it */
    const double (*velocity)[4];    /* x y z, and 1 / mass */
    const double (*spin)[4];        /* x y z, and 1 / inertia; 0 where that differs by axis */
    const double (*orientation)[4]; /* w x y z */
    const double (*force)[4];       /* x y z; */
    const double (*torque)[4];
    const uint32_t *material; /* index1 */
    const uint64_t *user;
} scree_bodies_view;

SCREE_API scree_bodies_view scree_world_bodies(scree_world *world);
SCREE_API size_t scree_world_body_count(const scree_world *world);

/* ---- time --------------------------------------------------------------------------------------- */

/*  Takes `count` steps. Stops at the first that is refused: the world is then as it was before that step,
    and the message says why, naming bodies and contact.
    SCREE_OUT_OF_MEMORY; SCREE_BAD_VALUE: a law, load or path gave a number that is not finite, or a body
    is not there any more that nobody removed (as many are counted before each step as came and did not go);
    SCREE_UNSTABLE: a contact's overlap passed the limit, a step in automatic time became too short, or something would have
    gone through something.

    NOTHING PASSES IN SILENCE. Contacts are found where a step ends. Where a body, or a wall of facets, goes so far in one that it
    could pass a body or a surface and touch it neither before nor after, the way between is looked at. If it does, and by
    more than a graze (a sphere by more than half of its radius), a step of fixed time is refused: the message has body, wall or other body,
    their speed and the step that would do, and scree_world_failed_body the faster body. In automatic and scaled time the step is made shorter, and so in
    automatic time where a wall is so fast that a contact is beyond overlap_limit at once; the log says so once
    (SCREE_LOG_CROSSING). Implicit steps are halved, as where forces do not settle. Not looked at: what a path's
    function does between the five times that it is asked for in a step, if it denies it (velocity and spin); ghosts, and what
    hosts change between steps; pairs without a law, and groups that do not meet. */
SCREE_API scree_status scree_world_step(scree_world *world, uint64_t count);
/*  Takes steps until `seconds` have passed. The last one or two are shortened, so that the time ends there but for rounding of its last
    digit; fixed steps of which a whole number fits to within a billionth stay as they are. Statuses of
    scree_world_step; SCREE_BAD_VALUE: `seconds` is negative or not finite. */
SCREE_API scree_status scree_world_advance(scree_world *world, double seconds);

/*  Whose numbers, or forces, were not finite any more (or beyond 1e100) in the step that was refused last: the
    one whose state is not finite, else who has most contacts whose forces are not. A host may remove it and go
    on. After SCREE_UNSTABLE: who would have gone through something, or needs shorter steps than local ones are. None where the last step was taken, or refused for another reason. */
SCREE_API scree_body_id scree_world_failed_body(const scree_world *world);

/*  A body whose forces at the last guess differ from those that led to it by more than picard.tolerance allows: by so
    many times as much, above 1. One that feels surrogates at the last guess counts as 2 at least. */
typedef struct scree_unconverged
{
    scree_body_id id;
    double residual;
} scree_unconverged;

#define SCREE_MAX_UNCONVERGED 8

/*  Whose forces had not settled in the implicit step that was refused for that last (SCREE_UNSTABLE): the worst first, of
    equals the one that was added first, SCREE_MAX_UNCONVERGED at most. Where the step had been halved, at its last length.
    Returns how many they are, and writes as many as there is capacity for; `list` may be NULL. 0 where the last step was
    taken, or refused for another reason. */
SCREE_API size_t scree_world_unconverged(const scree_world *world, scree_unconverged *list,
                                         size_t capacity);

/*  Called in each step when the forces of contacts are summed and before bodies move: may add to `force` and
    `torque`, rows as in scree_bodies_view. It must not change the world, and cannot read its contacts: those of this step are
    being found. Returns SCREE_OK, or why the step is refused. NULL: none. */
typedef scree_status scree_force_fn(const scree_bodies_view *bodies, double time,
                                    double (*force)[4], double (*torque)[4], void *user);
SCREE_API void scree_world_set_force(scree_world *world, scree_force_fn *function, void *user);

typedef struct scree_clock
{
    double time;    /* s */
    uint64_t steps; /* taken */
    double dt;      /* of the last step; of the next if none was taken */
} scree_clock;

SCREE_API scree_clock scree_world_clock(const scree_world *world);

/*  The longest step that is stable for the contacts there are now, and who sets it. Of springs sqrt(m / k), and
    sqrt(I / k) for rotation, least over all bodies, k the sum over a body's contacts; dashpots bear less the lower
    the restitution and the more contacts a body has: with a dozen and 0.3 a quarter of that, with 0.05 a fifteenth.
    INFINITY without contacts. */
typedef struct scree_stable_step
{
    double dt;                   /* that springs and dashpots bear, with some room */
    double springs;              /* of springs alone, sqrt(m / k): of this `safety` is a share */
    scree_body_id body, partner; /* partner none: a wall. The contact that is stiffest there */
    scree_wall_id wall;          /* or a free wall, and no body */
} scree_stable_step;

SCREE_API scree_status scree_world_stable_step(scree_world *world, scree_stable_step *step);

/* ---- contacts ------------------------------------------------------------------------------------ */

typedef struct scree_contact
{
    scree_body_id first, second; /* first has the smaller serial; second none: a wall */
    scree_wall_id wall;
    uint32_t
        facet; /* of the wall's mesh; of bodies that of the first that is of triangles; else 0 */
    double
        point[3]; /* half way in the overlap; of walls on the wall; of bodies of triangles where the
                         shares of the halos put it */
    double normal[3]; /* from first to second */
    double overlap;
    double force[3];  /* on first, in the last step */
    double moment[3]; /* on first, beside force at the point */
    uint16_t rule;    /* row of the table that decided, from 1; 0: the default */
    uint32_t memory_count;
    const double *memory; /* of the law; as long as the list */
    uint32_t pebble[2];   /* of first and second where they are clumps; else 0 */
} scree_contact;

/*  Which contacts; made by the function below, then narrowed. */
typedef struct scree_contact_filter
{
    uint32_t cookie;
    scree_body_id body; /* none: any */
    scree_wall_id wall; /* none: any */
    uint32_t facet1;    /* of the wall, from 1; 0: any */
    bool bodies_only, walls_only;
    bool in_region;
    double lower[3], upper[3]; /* the point lies within, border included */
} scree_contact_filter;

SCREE_API scree_contact_filter scree_default_contact_filter(void);

/*  Contacts of the last step that exerted forces, ordered by serial of first, then bodies before walls, then
    by serial of second or by wall and facet; several of one pair as they were found. `filter` may be NULL. Where the
    host has moved bodies since, points and overlaps of two spheres are those of now, all else is of then. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT (the filter names
    nothing that is there, or contradicts itself), SCREE_BAD_VALUE (lower above upper), SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_world_contacts(scree_world *world, const scree_contact_filter *filter,
                                            const scree_contact **contacts, size_t *count);

typedef struct scree_event
{
    bool begins;
    uint64_t step; /* in which it was seen */
    scree_body_id first, second;
    scree_wall_id wall;
    uint32_t facet;
} scree_event;

/*  Contacts that began or ended in the last call of scree_world_step, ordered by step, then as contacts. One
    with a wall that passes from facet to facet goes on. All contacts of a body of triangles with another body or wall
    are one here, with facet 0. Contacts of bodies and walls that the host removes end
    without a word, those of bodies that the border destroys do not. SCREE_BAD_ARGUMENT without def.events. */
SCREE_API scree_status scree_world_events(scree_world *world, const scree_event **events,
                                          size_t *count);

/* ---- figures ------------------------------------------------------------------------------------- */

/*  Whether detection did what it promises. */
typedef struct scree_detection_stats
{
    double margin_used; /* greatest share of its margin that a body had used when last looked at */
    /*  Where bodies are now, found when the detection statistics is read: the farthest that one has moved since it was last
        searched for, and the least that one may still move before pairs, or walls near it, are searched for again, m. No
        contact can be missing before. Slack is 0 where the next step searches anyway, INFINITY if there is nobody */
    double displacement, remaining_margin;
    uint64_t rebuilds; /* for pairs, so far */
    uint64_t wall_rebuilds;
    uint64_t late_contacts;   /* contacts that were not known before they overlapped, so far: 0 */
    uint64_t audits;          /* made, so far */
    uint64_t missed_contacts; /* pairs that an audit found missing, so far: 0 */
    uint64_t potential_contacts; /* pairs looked at in each step */
    uint64_t contacts;           /* that exerted forces in the last step */
    uint64_t
        force_evaluations;   /* of all forces, so far: one for a step, with implicit steps more */
    uint64_t triangle_tests; /* pairs of triangles, and of what stands for them, so far */
} scree_detection_stats;

/*  Looks at all bodies once. */
SCREE_API scree_detection_stats scree_world_detection_stats(const scree_world *world);

/*  Pairs of bodies, or of a body and a wall, of which one is of triangles, a clump or a block are put to tests that cost
    more and more: which of them found a pair to be apart. */
typedef enum scree_local_test
{
    SCREE_TEST_BALLS, /* the balls around both; at a wall the next ones */
    SCREE_TEST_BOXES, /* of two bodies of triangles the boxes around both, turned into one frame */
    SCREE_TEST_PLANE, /* some plane that parts them */
    SCREE_TEST_TREES, /* boxes or surrogates over their triangles: no two are left to be compared */
    SCREE_TEST_SHAPES, /* triangles, pebbles and faces themselves */
    SCREE_LOCAL_TESTS,
} scree_local_test;

typedef struct scree_local_counts
{
    uint64_t pairs; /* that detection brought: touching, or apart by one of the tests */
    uint64_t apart[SCREE_LOCAL_TESTS];
    uint64_t touching;
} scree_local_counts;

/*  Of all evaluations of forces since the world was made; the same for all methods only in what touches, as these bring as
    many pairs as their margins make them. */
SCREE_API scree_local_counts scree_world_local_counts(const scree_world *world);

/*  The detector at work, to be looked at: its figures, its explanation, queries, its outline (scree/detect.h). Bodies
    are there by their rows in scree_world_bodies, enlarged by the margin, as they were at the last step. Valid until
    method or margin are changed, and until the world is destroyed. */
SCREE_API const scree_detector *scree_world_detector(const scree_world *world);

/*  Where the time of steps goes, in seconds since it was last asked for; steps that were refused count as well. */
typedef struct scree_timings
{
    double search; /* for pairs, and for walls near bodies */
    double pairs;  /* forces between bodies */
    double walls;  /* forces of walls, and all of bodies of triangles */
    double sums;   /* of forces over each body, and of free bodies their motion */
    double other;  /* motion, borders, events, audits, sorting by place */
    uint64_t steps;
} scree_timings;

/*  From now on, from 0; or no more. Some clocks are read in each step, on which no result depends; false. */
SCREE_API void scree_world_enable_timings(scree_world *world, bool on);
SCREE_API scree_timings scree_world_timings(const scree_world *world);

/*  How bodies went in the last step, where steps are local; all 0 where they are not. Figures alone, no part of the state. */
typedef struct scree_local_step_stats
{
    uint64_t bodies[SCREE_MAX_LOCAL_STEPS + 1]; /* that went in steps of dt / 2^k */
    uint64_t islands;
    uint64_t body_steps; /* of bodies, so far: a body in k steps of its own has k */
    uint64_t
        restarts; /* clusters, so far, that turned out to need shorter steps on their way, and began anew */
    uint64_t
        level_changes; /* so far, of bodies by length of step, where it was not that of the step before */
} scree_local_step_stats;

SCREE_API scree_local_step_stats
scree_world_local_step_stats(const scree_world *world); /* of NULL all 0 */

/*  Energies in joules. Without def.energy_balance only kinetic, rotational and potential are known; the others
    are 0. Their sum closes to the order of dt while something happens, and better after it:

        kinetic + rotational + potential + elastic + damping + friction + rolling + body_damping
            = walls + loads + border + entered - removed

    Ghosts have none of it: the sums of their owners close together. Where masses are scaled (SCREE_TIME_MASS_SCALING)
    motion is not that of the bodies, and the sum does not close. */
typedef struct scree_energy
{
    double kinetic, rotational;
    double potential; /* in gravity, 0 at the origin */
    double elastic;   /* stored in contacts */
    /*  Sums over time, of bodies that are there or were: */
    double damping, friction, rolling; /* lost in contacts */
    double body_damping;               /* lost to global and local damping */
    double walls;            /* given by walls, and by frozen components of bodies, that move */
    double loads;            /* given by loads and the force function */
    double boundary;         /* given by the domain's border: stopped bodies, periodic falls */
    double entered, removed; /* brought by bodies added, and taken by bodies removed or changed */
} scree_energy;

SCREE_API scree_energy scree_world_energy(const scree_world *world);

typedef struct scree_totals
{
    double mass, centre[3];
    double momentum[3], angular_momentum[3]; /* about the origin */
    double coordination;                     /* contacts a body has, in the mean, walls included */
    uint64_t bodies, added, removed;         /* bodies = added - removed, removed for any reason */
    uint64_t destroyed;                      /* of the removed, by the domain's border */
    uint64_t bytes;                          /* memory held, all in all */
} scree_totals;

SCREE_API scree_totals scree_world_totals(const scree_world *world);

/* ---- state ---------------------------------------------------------------------------------------- */

/*  A hash of all that decides the future: of every body by its serial number, wherever it lies in memory, of
    what contacts remember, of walls, clock, materials and rules. Ids do not count. */
SCREE_API uint64_t scree_world_digest(scree_world *world);

/*  The state in memory, as bytes that mean the same to any world with the same materials, rules, walls and
    domain. Gravity, damping, friction and how time goes are part of it; the host's functions are not. Ids name after
    a restore what they named when the snapshot was taken. */
typedef struct scree_snapshot scree_snapshot;
SCREE_API scree_status scree_world_snapshot(scree_world *world, scree_snapshot **snapshot);
/*  The world continues from there, to the same bytes as the one it was taken from. SCREE_BAD_ARGUMENT if
    it has other materials, rules, walls, dimensions or borders, SCREE_OUT_OF_MEMORY; then nothing changes. */
SCREE_API scree_status scree_world_restore(scree_world *world, const scree_snapshot *snapshot);
SCREE_API void scree_snapshot_destroy(scree_snapshot *snapshot); /* NULL is fine */
SCREE_API size_t scree_snapshot_bytes(const scree_snapshot *snapshot);
/*  A second world with the same state, that shares nothing but meshes, and uses def's hooks, threads,
    method and margin; its physics are those of `world`. */
SCREE_API scree_status scree_world_copy(scree_world *world, const scree_world_def *def,
                                        scree_world **copy);

#ifdef __cplusplus
}
#endif

#endif
