/*  scree/detect.h: contact detection: which bodies may touch.

    A detector gets the bounding volumes of bodies and reports every overlapping pair once. There are many methods; all
    report exactly the same pairs.

        scree_detector_def def = scree_default_detector_def();
        def.method = "dess";
        scree_detector *detector;
        if (scree_detector_create(&def, &detector)) return 1;
        scree_table table = scree_table_spheres(n, scree_doubles(x, sizeof *x),
            scree_doubles(y, sizeof *y), scree_doubles(z, sizeof *z), scree_doubles(r, sizeof *r));
        scree_pairs pairs;
        scree_detector_update(detector, &table, NULL);
        scree_detector_pairs(detector, NULL, &pairs);
        SCREE_FOR_EACH_PAIR(pairs, i, j) collide(i, j);
        scree_detector_destroy(detector);

    THE RULE. The pair {i, j} is reported if and only if all of this holds:

    1. i and j are different bodies of the detector, and neither has SCREE_NO_BOUND. 2. Filters: at most one is
    SCREE_FIXED; at most one is SCREE_INFINITE; they have no common owner (owner_i == 0 or
       owner_i != owner_j); and the mask of each contains a group of the other: (group_i & mask_j) != 0 and
       (group_j & mask_i) != 0.
    3. One of them is SCREE_INFINITE, or their volumes overlap. Volumes are closed: touching counts. Numbers are those
    of the
       caller, with float converted to double, which is exact.
         boxes:    lower_i[k] <= upper_j[k] and lower_j[k] <= upper_i[k] on every axis k.
         spheres:  dx*dx + dy*dy + dz*dz <= (r_i + r_j) * (r_i + r_j), where dx = x_i - x_j and so on, each operation in
                   double, rounded to nearest, from left to right, without fused multiply-add. In two dimensions without z.

    PERIODIC DOMAINS (def.period, def.tilt). Bodies need not be wrapped. In part 3 the image of j nearest to i is used
    instead of j: with d = c_i - c_j, the difference of the centres, n_z = d_z / p_z rounded to the nearest integer, d_y
    -= n_z * yz, d_x -= n_z * xz, then n_y and n_x likewise; with the vector v = (n_x p_x + n_y xy + n_z xz, n_y p_y +
    n_z yz, n_z p_z), spheres use dx = (x_i - x_j) - v_x and so on, boxes lower_i[k] - upper_j[k] <= v[k] and lower_j[k]
    - upper_i[k] <= -v[k]. On each periodic axis a body must be smaller than half the period, so that only one image can
    overlap. Queries test all images; rays test none.

    The set of pairs does not depend on method, number of threads, SIMD instruction set or earlier calls. Methods may
    use rounded or coarser volumes inside; the test above is always applied last.

    VALID NUMBERS. A coordinate or radius is valid if it is finite and at most SCREE_MAX_COORDINATE in magnitude; a
    radius must not be negative, and lower <= upper. -0.0 equals +0.0. def.unusable says what happens to other numbers:
    the whole call is refused and nothing changes (default), or the body takes part in no pair until it gets valid
    numbers. The numbers of bodies with SCREE_INFINITE or SCREE_NO_BOUND are not read.

    ORDER. In each pair first < second. By default pairs come as found: their order is a function of the calls so far,
    for any number of threads, and differs between methods. With most methods, such as "flat" and "bvh8", pairs that are
    close in space are close in the list. Canonical order, by (first, second), is the same for all methods. Sorting
    costs more than finding: for 100,000 equal random spheres with 3.5 pairs per body, in nanoseconds per body on one
    thread of an AVX-512 core, without the update:

                                                as found    canonical
        scree_detector_pairs                          24           75
        scree_detector_csr, half                      34           64
        scree_detector_csr, full                      49           89
        scree_detector_neighbors, full                             95

    THREADS. A detector may be used by one thread at a time. Only scree_detector_query and _hits may run in several
    threads at the same time, while nothing changes the detector.

    CAVEATS. Memory is proportional to the largest id, so keep ids dense. A pair list can be long: a million coincident
    bodies have 5e11 pairs. scree_detector_for_each_pair stores none with one thread. */
#ifndef SCREE_DETECT_H
#define SCREE_DETECT_H

#include "scree/base.h"
#include "scree/view.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Largest number of bodies. Ids are 0 to SCREE_MAX_BODIES - 1. */
#define SCREE_MAX_BODIES 0x7fffffffu
/*  Largest magnitude of a coordinate or radius. Squares and volumes of such numbers are finite. */
#define SCREE_MAX_COORDINATE 1e100

/* ---- tables: the caller's arrays ---------------------------------------------------------------- */

/*  The kind of bounding volumes. */
typedef enum scree_volume
{
    SCREE_SPHERES, /* discs in two dimensions */
    SCREE_BOXES,   /* rectangles in two dimensions */
} scree_volume;

/*  Flags of a body, in table.flags (uint8_t). */
#define SCREE_FIXED 0x01u    /* forms no pair with other fixed bodies */
#define SCREE_INFINITE 0x02u /* overlaps every body that is not infinite */
#define SCREE_NO_BOUND 0x04u /* forms no pair */

/*  The arrays of the caller, one row per body. They are read only during the call. Create it with scree_table_spheres
    or scree_table_boxes, then set the optional columns. */
typedef struct scree_table
{
    uint32_t cookie;               /* set by the functions below */
    scree_volume volume;           /* spheres or boxes */
    size_t count;                  /* number of rows */
    scree_view centre[3], radius;  /* of spheres */
    scree_view lower[3], upper[3]; /* corners of boxes */
    scree_integers ids;            /* uint32_t; not given: the row is the id */
    scree_integers groups;         /* uint64_t, groups a body belongs to; not given: all */
    /*  Uint64_t, groups a body forms pairs with; not given: its groups. */
    scree_integers masks;
    /*  Uint32_t, 0: none; bodies with the same owner form no pair (clumps); not given: none. */
    scree_integers owners;
    scree_integers flags; /* uint8_t, SCREE_FIXED, SCREE_INFINITE, SCREE_NO_BOUND; not given: 0 */
} scree_table;

/*  Returns a table of spheres. In two dimensions z is (scree_view){0}. */
SCREE_API scree_table scree_table_spheres(size_t count, scree_view x, scree_view y, scree_view z,
                                          scree_view radius);
/*  Returns a table of spheres from rows of their centres: x y z after each other, or x y in two dimensions, as in an
    array of structs of the host, or in the positions of scree_world_bodies. */
static inline scree_table scree_table_centres(size_t count, scree_view centre, scree_view radius)
{
    return scree_table_spheres(count, centre, scree_view_component(centre, 1),
                               scree_view_component(centre, 2), radius);
}
/*  Returns a table of boxes. In two dimensions the third elements are not used. */
SCREE_API scree_table scree_table_boxes(size_t count, const scree_view lower[3],
                                        const scree_view upper[3]);

/*  A list of rows of a table. */
typedef struct scree_rows
{
    const uint32_t *rows; /* row numbers */
    size_t count;         /* how many */
} scree_rows;

/* ---- methods ------------------------------------------------------------------------------------ */

/*  Capabilities of methods. QUADRATIC: the cost is proportional to N squared in all scenes. Methods that are quadratic
    only in some scenes that are easy to recognise (hashing and hashing2, with a very large body among small ones) log
    it once: SCREE_LOG_QUADRATIC. */
#define SCREE_METHOD_QUADRATIC 0x01u
#define SCREE_METHOD_INCREMENTAL 0x02u /* insert and remove cost less than a rebuild */
#define SCREE_METHOD_COHERENT 0x04u    /* an update costs less if bodies have moved little */
/*  The cost of updating few bodies is proportional to their number. */
#define SCREE_METHOD_DIRTY 0x08u
#define SCREE_METHOD_QUERY 0x10u   /* queries use its structure; otherwise a linear scan */
#define SCREE_METHOD_THREADS 0x20u /* the search for pairs uses several threads */

/*  A detection method. */
typedef struct scree_method_info
{
    const char *name;    /* as in scree_detector_def.method */
    const char *summary; /* one line of description */
    const char *cost;    /* growth of the time, such as "N sqrt(N) in 2D, N^(5/3) in 3D" */
    /*  The worst case over all scenes, with N the largest number of bodies so far and K the number of overlapping pairs
        of their boxes: time of an update and a search, with the scenes that need it, such as "N^2, where one body is
        far larger than the rest"; and memory, "N", "N + K" or "N log N + K". Results for the caller, such as a pair
        list, and N per additional thread are not included. */
    const char *worst_time, *worst_memory;
    uint32_t capabilities; /* SCREE_METHOD_QUADRATIC, ... */
    /*  Time proportional to N^p for uniform bodies, claimed in 2D and 3D; 0: no claim. */
    double exponent[2];
} scree_method_info;

/*  Returns the number of methods. */
SCREE_API size_t scree_method_count(void);
/*  Returns a method by its index, or NULL past the end. */
SCREE_API const scree_method_info *scree_method_at(size_t index);
/*  Returns a method by its name, or NULL if it is unknown. */
SCREE_API const scree_method_info *scree_method_by_name(const char *name);

/* ---- the detector ------------------------------------------------------------------------------- */

/*  A detector. */
typedef struct scree_detector scree_detector;

/*  What happens to bodies with invalid numbers. */
typedef enum scree_unusable
{
    SCREE_REFUSE_CALL, /* the call returns SCREE_BAD_VALUE, naming row and field; nothing changes */
    SCREE_SKIP_BODY,   /* the body forms no pair, and is counted in stats.rejected */
} scree_unusable;

/* ---- margins: detection that may be skipped ---- */

/*  A detector with a margin uses enlarged volumes and keeps them while each body stays inside its own. As long as it
    does, every pair of overlapping true volumes is among the pairs of enlarged ones, and detection can be skipped. Call
    scree_detector_advance once per step; it finds out which bodies must be mapped, that is enlarged again. The pairs
    are those of the rule for the enlarged volumes: a sphere's radius, or each face of a box, is moved out by the body's
    growth, at the position where the body was last mapped. So they are the same for all methods, and any margin works
    with any method. Queries see the enlarged volumes as well. In a periodic domain a body is enlarged to at most 0.45
    periods, a wider sphere to the middle between its width and half a period; set_cell maps all bodies in the next step
    if a period has shrunk by a tenth since, or to twice the widest sphere. Bodies need not be wrapped; wrapping a body
    counts as a jump.

    Volumes are checked in each step, so a body that rotates, grows, jumps or is faster than its velocity says is never
    missed; velocities only predict. With trust_velocities, a step without mapping checks velocities only: between two
    calls, no point of a body may move by more than the larger of its speeds at both calls, times dt, and nothing else
    of a body may change. A step that integrates in double satisfies this. */
typedef enum scree_margin_kind
{
    SCREE_MARGIN_NONE, /* no margin: all bodies are mapped in each step */
    /*  One length for all; all are mapped when one has left its volume (Verlet). */
    SCREE_MARGIN_SKIN,
    /*  By speed, size and a constant; only those that moved are mapped (PFC). */
    SCREE_MARGIN_TOLERANCE,
    SCREE_MARGIN_STRIDE,   /* a number of steps computed from the largest speed (Yade) */
    SCREE_MARGIN_DISTANCE, /* the same, from the integral of the largest speed (Yade) */
    SCREE_MARGIN_BINS,     /* the same for each of several classes of speed (Yade) */
    /*  The growth of each body is its displacement since the last mapping (Yade). */
    SCREE_MARGIN_PER_BODY,
} scree_margin_kind;

/*  The kind of a body, as tolerances may differ. In motion.kinds (uint8_t). */
#define SCREE_PIECE_BALL 0u   /* a sphere */
#define SCREE_PIECE_PEBBLE 1u /* a pebble of a clump */
#define SCREE_PIECE_FACET 2u  /* a facet of a wall */
#define SCREE_PIECE_BLOCK 3u  /* a block */
/*  The number of kinds. */
#define SCREE_PIECE_KINDS 4

/*  Which margin. */
typedef struct scree_margin_def
{
    scree_margin_kind kind; /* SCREE_MARGIN_NONE */
    /*  All kinds but tolerance: the growth, for per-body its upper limit. Negative: relative to the smallest radius, or
        half edge, above 0. 0: map whatever has moved. Finite; -0.05. */
    double length;
    double speed_factor; /* stride: factor for the speed, 1 to 1e6; 1.05 */
    /*  Tolerance: eps = velocity * speed * dt + extent * size + constant at the time of mapping, where size is the
        diameter of a sphere or the mean edge of a box. A body is mapped again if it has moved by more than eps, or if
        its radius, kind or constant has changed. growth = reach * eps + interaction / 2. All 0 or more, not all 0;
        bodies of size 0 need a constant. */
    double velocity[SCREE_PIECE_KINDS]; /* by kind; 0 */
    double extent[SCREE_PIECE_KINDS];   /* by kind; 1/32 */
    double constant;                    /* for bodies without a constant of their own; 0 */
    double interaction;                 /* interaction range between surfaces; 0 */
    /*  2: a contact is known before the first step with a force; 1: in that step. 1 to 1e6; 2. */
    double reach;
    uint32_t bin_count; /* bins: number of classes, 1 to 100; 5 */
    double bin_ratio;   /* bins: ratio of the speeds of two classes, above 1; 2 */
    /*  Bins: a body leaves its class below this fraction of its speed, 0 to 1, exclusive; 0.8. */
    double bin_overlap;
    /*  Bins: largest relative change of the reference speed; 0 or less: no limit; 0.3. */
    double bin_max_change;
    /*  Per-body: steps between mappings; negative: the growth is `length`; 50. */
    double target_steps;
    double min_fraction; /* per-body: lower limit of the growth over length, 0 to 1; 0.1 */
    /*  Stride, distance, bins: do not check positions between mappings; false. */
    bool trust_velocities;
} scree_margin_def;

/*  Parameters of cell-space. Bodies outside of the domain share boundary cells, which is correct, but slow if there are
    many. */
typedef struct scree_cell_space_def
{
    /*  The domain that is divided into cells; all 0: the bounding box of the bodies; 0. */
    double lower[3], upper[3];
    /*  Number of parent cells, up to 2^24; 0: 1,000 in 2D, 10,000 in 3D, at most one per `target` bodies; 0. */
    uint32_t cells;
    uint32_t target;      /* bodies per cell, 1 to 1000; 10 */
    uint32_t merge_below; /* merge a refined cell that holds fewer, 0 to target; 2 */
    /*  Refine a cell larger than this many mean body extents, 2 to 1000; 20. */
    double factor;
    uint32_t max_children; /* largest number of children along an axis, 2 to 64; 64 */
    uint32_t depth;        /* largest depth of refinement, 0 (none) to 16; 10 */
} scree_cell_space_def;

/*  hash-grids: the length that decides the level of a body. Published names are in brackets (Schornbaum 2009,
    waLBerla). */
typedef enum scree_hash_size
{
    SCREE_HASH_SIZE_BOX, /* longest edge of the box */
    /*  Diameter of the bounding sphere, which does not change when a body rotates. */
    SCREE_HASH_SIZE_SPHERE,
} scree_hash_size;

/*  hash-grids: the point that decides the cell of a body. */
typedef enum scree_hash_point
{
    SCREE_HASH_POINT_AUTO,   /* centre for spheres, corner for boxes */
    SCREE_HASH_POINT_CORNER, /* the lower corner */
    SCREE_HASH_POINT_CENTRE, /* the centre */
} scree_hash_point;

/*  Parameters of hash-grids. */
typedef struct scree_hash_grids_def
{
    /*  Cells of a new grid, powers of two, 4 to 1024; 16 [xCellCount, ...]. */
    uint32_t cells[3];
    /*  Initial capacity of the list of a cell, 1 to 65536; 16 [cellVectorSize]. */
    uint32_t list_capacity;
    /*  Initial capacity of the list of occupied cells, 1 to 65536; 256 [occupiedCellsVectorSize]. */
    uint32_t occupied_capacity;
    /*  Smallest number of cells per body, 1 to 4096; 8 [minimalGridDensity]. */
    uint32_t minimal_density;
    /*  Up to this many bodies, test all pairs, 0 to 65536; 32 [gridActivationThreshold]. */
    uint32_t activation;
    /*  Ratio of the cell sizes of two levels, 1.01 to 1e6; 2 [hierarchyFactor]. */
    double factor;
    scree_hash_size size;   /* decides the level of a body; SCREE_HASH_SIZE_BOX */
    scree_hash_point point; /* decides the cell of a body; SCREE_HASH_POINT_AUTO */
    /*  Insert all bodies again at each update; false: only those that moved; false. */
    bool rebuild;
} scree_hash_grids_def;

/*  Parameters of insertion-sort. The first search for pairs, and later searches for all pairs, sweep along one axis. An
    update of moved bodies does not search. */
typedef struct scree_insertion_sort_def
{
    /*  0, 1 or in three dimensions 2; -1: the axis on which boxes overlap least; -1. */
    int sort_axis;
    bool sort_then_collide; /* search for all pairs at each update: slow, to check by; false */
} scree_insertion_sort_def;

/*  How to create a detector. */
typedef struct scree_detector_def
{
    uint32_t cookie;         /* set by the default function */
    uint32_t size;           /* in bytes, set by the default function */
    const char *method;      /* "auto" */
    int dimensions;          /* 2 or 3; 3 */
    scree_volume volume;     /* SCREE_SPHERES */
    scree_unusable unusable; /* SCREE_REFUSE_CALL */
    /*  Report all that the method finds, without part 3 of the rule; false. */
    bool coarse;
    scree_simd simd; /* SCREE_SIMD_AUTO */
    /*  More than 1: the detector starts a pool; ignored if tasks are given; 1. */
    uint32_t thread_count;
    scree_tasks tasks;         /* threads of the host; none */
    scree_allocator allocator; /* malloc */
    scree_log log;             /* none */
    scree_error *error;        /* gets the message of a failure of scree_detector_create; NULL */
    scree_margin_def margin;   /* none */
    /*  Periodic domain with lattice vectors (px, 0, 0), (xy, py, 0), (xz, yz, pz). */
    double period[3]; /* px, py, pz; 0: not periodic on this axis; 0 */
    double tilt[3];   /* xy, xz, yz: at most half the period along x, x, y; 0 */

    /*  Parameters of single methods. Other methods ignore them. */
    /*  Hashing, hashing2: cell size over largest diameter, 1 or more; 1. */
    double cell_factor;
    double bin_factor;    /* cgrid: bin size over mean size, above 0; 1.5 */
    double stripe_factor; /* stripe-sort: bodies per stripe over sqrt(N), above 0; 2 */
    /*  Stripe-sort: the following bodies may outnumber their stripe, as published; false. */
    bool stripe_naive;
    /*  Spatial-sort-1, -2, -3: insertion sort instead of heap sort; false. */
    bool sort_by_insertion;
    uint32_t rtree_max_entries;      /* rtree, rtree-rstar, rtree-packed, dess-rtree: 4 to 64; 16 */
    uint32_t rtree_min_entries;      /* the same: 2 to half of rtree_max_entries; 6 */
    scree_hash_grids_def hash_grids; /* hash-grids */
    scree_cell_space_def cell_space; /* cell-space */
    scree_insertion_sort_def insertion_sort; /* insertion-sort */
} scree_detector_def;

/*  What scree_default_detector_def calls: writes default values to the first `size` bytes of a definition. */
SCREE_API void scree_init_detector_def(scree_detector_def *def, size_t size);
/*  Returns a definition with default values. */
static inline scree_detector_def scree_default_detector_def(void)
{
    scree_detector_def def;
    scree_init_detector_def(&def, sizeof def);
    return def;
}

/*  Creates a detector. On failure *detector is NULL. SCREE_BAD_DEF, SCREE_BAD_ARGUMENT, SCREE_UNKNOWN_METHOD,
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_detector_create(const scree_detector_def *def,
                                             scree_detector **detector);
/*  Frees a detector. NULL is allowed. */
SCREE_API void scree_detector_destroy(scree_detector *detector);

/*  Returns the message of the last call on this detector that failed; "" if none did. */
SCREE_API const char *scree_detector_message(const scree_detector *detector);
/*  Returns the method that the detector was created with. */
SCREE_API const scree_method_info *scree_detector_method(const scree_detector *detector);

/*  Updates the bodies. Without `dirty`, the table contains all bodies: bodies with other ids are removed, and new ids
    are added. With `dirty`, only these rows are read; each must name an existing body, once. SCREE_BAD_ARGUMENT and
    SCREE_BAD_VALUE change nothing. After SCREE_OUT_OF_MEMORY the bodies are those from before, or those of the table
    without the structure of the method, which is rebuilt when it is needed. It is always correct to call again. */
SCREE_API scree_status scree_detector_update(scree_detector *detector, const scree_table *table,
                                             const scree_rows *dirty);

/*  Adds the bodies of a table. If the table has ids, none may exist yet. Otherwise each body gets an id: those removed
    last are used first, then new ones. `ids` gets them, one per row; it may be NULL. On failure nothing changes. O(1)
    time per body; methods without SCREE_METHOD_INCREMENTAL rebuild when pairs are next requested. "dess2" and
    "insertion-sort" traverse all bodies for any change: bodies added or removed by separate calls wait until pairs are
    requested, or bodies move, and are then processed together; until then queries are linear scans. */
SCREE_API scree_status scree_detector_insert(scree_detector *detector, const scree_table *table,
                                             uint32_t *ids);

/*  Removes bodies. Each id must exist, and be named once. On failure nothing changes. SCREE_BAD_ARGUMENT,
    SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_detector_remove(scree_detector *detector, const uint32_t *ids,
                                             size_t count);

/*  Removes all bodies. It keeps the memory and the structure of the method, such as the levels of hash-grids with their
    sizes, for bodies that are added later. */
SCREE_API scree_status scree_detector_clear(scree_detector *detector);
/*  Removes all bodies and frees the structure of the method, as in a new detector. SCREE_OUT_OF_MEMORY changes nothing.
    */
SCREE_API scree_status scree_detector_clear_all(scree_detector *detector);

/*  Number of rows that share an entry of scree_motion.travel. */
#define SCREE_TRAVEL_ROWS 128

/*  The motion of bodies, one row for each row of a table. Columns that are not given (data NULL) are 0. */
typedef struct scree_motion
{
    scree_view velocity[3]; /* velocity */
    /*  Angular velocity, rad per time; in two dimensions only the third is used. */
    scree_view spin[3];
    /*  Largest distance of a point of the body from its centre of rotation, 0 or more. */
    scree_view arm;
    scree_view constant;  /* tolerance: the body's own constant */
    scree_integers kinds; /* uint8_t: SCREE_PIECE_BALL, ... */
    /*  One number per SCREE_TRAVEL_ROWS rows: the largest displacement of any of these bodies since the previous call,
        whose table had the same bodies with the same radii in the same rows. Spheres that are certainly inside their
        margins, and their velocities, are then not read. For margins skin and per-body, and tables without ids and
        filters; otherwise all rows are read. */
    scree_view travel;
} scree_motion;

/*  What scree_detector_advance did. */
typedef struct scree_advance
{
    /*  Some body was mapped or removed: pairs may have changed. If false, only set_cell changes them. */
    bool ran;
    uint64_t mapped; /* number of mapped bodies */
    /*  tolerance: bodies that moved by more than reach * eps since they were mapped. With reach 2 their contacts may
        have been unknown before this step. */
    uint64_t late;
    double used; /* largest fraction of its margin that a checked body had used, before mapping */
} scree_advance;

/*  Updates a detector with a margin. Call it once per step, with all bodies at their current positions, their
    velocities, and the length of the step that follows. It maps those bodies that must be mapped. As in
    scree_detector_update, the table has all bodies; bodies may be added and removed. Afterwards the pairs contain every
    pair of true volumes that overlaps now. This stays so, without a call, as long as bodies are inside their margins.
    `motion` may be NULL for margins that use no velocities (none, skin, per-body, tolerance with velocity 0). `did` may
    be NULL. Bodies given to update and insert are mapped at once as if at rest; margins with a schedule map all bodies
    in the next step. Statuses of scree_detector_update; SCREE_BAD_VALUE: dt is not above 0 and finite, a velocity is
    not finite, an arm or constant is negative, a kind is unknown, or a tolerance is 0. */
SCREE_API scree_status scree_detector_advance(scree_detector *detector, const scree_table *table,
                                              const scree_motion *motion, double dt,
                                              scree_advance *did);

/*  Computes the longest step in which no body moves by more than its margin allows. With it, a tolerance with reach 2
    knows every contact before the first step with a force. INFINITY if nothing moves; 0 if a moving body has no margin,
    for example because a periodic cell leaves no space. The bodies of the table must have been mapped.
    SCREE_BAD_ARGUMENT: no margin, or no velocities. */
SCREE_API scree_status scree_detector_longest_step(scree_detector *detector,
                                                   const scree_table *table,
                                                   const scree_motion *motion, double *dt);

/*  Computes how much of its margin a body would have used at another position. `volume` is x y z r of a sphere, or
    lower and upper corner of a box. `moved` gets how far it would stick out of the volume that it had when it was
    mapped; `left` how much farther it may move before it is mapped again, negative if it must be mapped. Rounding and
    schedules are not included. Without a margin both are 0. SCREE_BAD_ARGUMENT: NULL, or `id` names no body or an
    infinite one. */
SCREE_API scree_status scree_detector_leeway(const scree_detector *detector, uint32_t id,
                                             const double *volume, double *moved, double *left);

/*  Margin bins: a class of speed. */
typedef struct scree_speed_class
{
    /*  Lower limit; the upper limit is that of the class before; 0 for the last class. */
    double speed;
    double growth;   /* growth of its bodies when all are mapped */
    uint64_t bodies; /* number of bodies in it */
} scree_speed_class;

/*  Returns the number of classes of speed, 0 for other margins. `classes` gets them, from the fastest, as of the last
    mapping of all bodies. It may be NULL; otherwise it needs space for def.margin.bin_count. */
SCREE_API uint32_t scree_detector_speed_classes(const scree_detector *detector,
                                                scree_speed_class *classes);

/* ---- pairs -------------------------------------------------------------------------------------- */

/*  Called once for each pair, first < second, in the calling thread. Return nonzero to stop, which is no error. It must
    not change the detector. */
typedef int scree_pair_fn(uint32_t first, uint32_t second, void *user);

/*  Calls a function for each pair. SCREE_BAD_ARGUMENT, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_detector_for_each_pair(scree_detector *detector, scree_pair_fn *action,
                                                    void *user);

/*  Pairs as two arrays. */
typedef struct scree_pairs
{
    uint64_t count;                 /* number of pairs */
    const uint32_t *first, *second; /* their ids, first < second */
} scree_pairs;

/*  Largest number of pairs in a block. */
#define SCREE_BLOCK_PAIRS 1024u
/*  Called for each block of pairs, which is valid during the call. A block has 1 to SCREE_BLOCK_PAIRS pairs; in dense
    scenes most have hundreds. How many exactly may change between versions. Return nonzero to stop. */
typedef int scree_pair_block_fn(const scree_pairs *block, void *user);

/*  Calls a function for blocks of pairs, for loops that compilers can vectorise. All blocks in sequence are the pairs
    as found. Statuses of scree_detector_for_each_pair. */
SCREE_API scree_status scree_detector_for_each_block(scree_detector *detector,
                                                     scree_pair_block_fn *action, void *user);

/*  Order and place of a pair list. */
typedef struct scree_pairs_options
{
    bool canonical; /* sorted by (first, second); false: as found, at no cost; false */
    /*  Arrays of the caller with `capacity` elements; NULL: arrays of the detector, valid until the next call on it. If
        they are too small: SCREE_TOO_SMALL, and count is the required size. */
    uint32_t *first, *second;
    uint64_t capacity; /* elements in each of the arrays */
} scree_pairs_options;

/*  Lists all pairs. `options` may be NULL. SCREE_OUT_OF_MEMORY, SCREE_TOO_SMALL. */
SCREE_API scree_status scree_detector_pairs(scree_detector *detector,
                                            const scree_pairs_options *options, scree_pairs *pairs);

/*  Updates with the whole table and lists all pairs: scree_detector_update, then scree_detector_pairs, with the
    statuses of both. If the update fails, the bodies are as it leaves them, otherwise those of the table: after
    SCREE_OUT_OF_MEMORY or SCREE_TOO_SMALL scree_detector_pairs alone may be called again. */
SCREE_API scree_status scree_detector_pairs_of(scree_detector *detector, const scree_table *table,
                                               const scree_pairs_options *options,
                                               scree_pairs *pairs);

/*  A loop over all pairs. `pairs` is a variable of type scree_pairs; `i` and `j` are names for the ids, uint32_t, i <
    j. `break` and `continue` work as in any loop.

        SCREE_FOR_EACH_PAIR(pairs, i, j)
            collide(i, j); */
/* The inner loop, which runs once, declares i and j. `break` leaves it with i##_go still 0, which ends the outer loop. */
#define SCREE_FOR_EACH_PAIR(pairs, i, j)                                                           \
    for (uint64_t i##_at = 0, i##_go = 1; i##_go && i##_at < (pairs).count; i##_at++)              \
        for (uint32_t i = (pairs).first[i##_at], j = (pairs).second[i##_at],                       \
                      i##_once = (i##_go = 0, 1u);                                                 \
             i##_once; i##_once = 0, i##_go = 1)

/*  How to list neighbours. Arrays are of the caller or the detector, as in scree_pairs_options. */
typedef struct scree_neighbors_options
{
    bool half;               /* list each pair at its smaller id only; false */
    uint64_t *start;         /* NULL: of the detector */
    uint64_t start_capacity; /* elements of start, at least id_bound + 1 */
    uint32_t *neighbor;      /* NULL: of the detector */
    uint64_t capacity;       /* elements of neighbor */
} scree_neighbors_options;

/*  Neighbours of each body: those of body i are neighbor[start[i]] to neighbor[start[i + 1] - 1], in ascending order.
    Ids that do not exist have none. */
typedef struct scree_neighbors
{
    uint32_t id_bound;        /* one more than the largest id; 0 without bodies */
    uint64_t count;           /* entries of neighbor: pairs, or twice the pairs */
    const uint64_t *start;    /* id_bound + 1 entries */
    const uint32_t *neighbor; /* ids */
} scree_neighbors;

/*  Lists the neighbours of each body. `options` may be NULL. SCREE_OUT_OF_MEMORY, SCREE_TOO_SMALL. */
SCREE_API scree_status scree_detector_neighbors(scree_detector *detector,
                                                const scree_neighbors_options *options,
                                                scree_neighbors *neighbors);

/*  How to list neighbours as compressed sparse rows. */
typedef struct scree_csr_options
{
    bool half; /* list each pair at its smaller id only; false */
    /*  Neighbours in ascending order; false: in the order in which pairs were found; false. */
    bool canonical;
} scree_csr_options;

/*  Neighbours of each body in compressed sparse rows of 32-bit numbers, as most solvers and array libraries use them.
    This is the cheapest way to get neighbours. The arrays belong to the detector and are valid until the next call on
    it. */
typedef struct scree_csr
{
    uint32_t id_bound; /* one more than the largest id; 0 without bodies */
    uint32_t count;    /* entries of neighbor: pairs, or twice the pairs */
    /*  Id_bound + 1 entries: neighbours of i are at start[i] to start[i + 1] - 1. */
    const uint32_t *start;
    const uint32_t *neighbor; /* ids */
} scree_csr;

/*  Lists the neighbours of each body. `options` may be NULL. On failure *csr is empty and its arrays are NULL.
    SCREE_OUT_OF_MEMORY; SCREE_TOO_LARGE: 2^32 entries or more, for which there is scree_detector_neighbors. */
SCREE_API scree_status scree_detector_csr(scree_detector *detector,
                                          const scree_csr_options *options, scree_csr *csr);
/*  Updates with the whole table and lists the neighbours, as scree_detector_pairs_of does for pairs. */
SCREE_API scree_status scree_detector_csr_of(scree_detector *detector, const scree_table *table,
                                             const scree_csr_options *options, scree_csr *csr);

/*  Periodic domains: computes the lattice coordinates n of the image of `second` nearest to `first`. The image is at
    the position of `second` + n_x (px, 0, 0) + n_y (xy, py, 0) + n_z (xz, yz, pz). Both bodies must exist and have
    bounds. SCREE_BAD_ARGUMENT. */
SCREE_API scree_status scree_detector_image(scree_detector *detector, uint32_t first,
                                            uint32_t second, int64_t n[3]);

/*  Sets other periods and tilts. Which axes are periodic cannot change. Pairs are updated when they are next requested,
    also without an advance. SCREE_BAD_ARGUMENT changes nothing. */
SCREE_API scree_status scree_detector_set_cell(scree_detector *detector, const double period[3],
                                               const double tilt[3]);

/* ---- queries ------------------------------------------------------------------------------------ */

/*  The kinds of queries. */
typedef enum scree_query_kind
{
    SCREE_QUERY_BOX,       /* bodies that overlap a box */
    SCREE_QUERY_SPHERE,    /* bodies that overlap a sphere */
    SCREE_QUERY_RAY,       /* bodies that a ray hits */
    SCREE_QUERY_RAY_FIRST, /* the first body that a ray hits */
    SCREE_QUERY_NEAREST,   /* the k bodies nearest to a point */
} scree_query_kind;

/*  A query. Create it with one of the functions below; then set `groups` to find only bodies in some groups. Volumes
    are closed. Bodies with SCREE_NO_BOUND are never hit; infinite ones always, at distance 0. Numbers must be finite
    and at most SCREE_MAX_COORDINATE, but t_max may be INFINITY. A box with lower > upper is empty and hits nothing,
    which is no error. A radius must not be negative, a direction not zero. */
typedef struct scree_query
{
    uint32_t cookie;            /* set by the functions below */
    scree_query_kind kind;      /* which kind */
    double lower[3], upper[3];  /* of a box */
    double centre[3], radius;   /* of a sphere; origin of a ray; point of nearest */
    double direction[3], t_max; /* ray: points centre + t * direction, 0 <= t <= t_max */
    uint32_t k;                 /* nearest: number of bodies */
    uint64_t groups;            /* only bodies in one of these groups; all */
} scree_query;

/*  Returns a query for the bodies that overlap a box. */
SCREE_API scree_query scree_query_box(const double lower[3], const double upper[3]);
/*  Returns a query for the bodies that overlap a sphere. */
SCREE_API scree_query scree_query_sphere(const double centre[3], double radius);
/*  Returns a query for all bodies that a ray hits. */
SCREE_API scree_query scree_query_ray(const double origin[3], const double direction[3],
                                      double t_max);
/*  Returns a query for the first body that a ray hits. */
SCREE_API scree_query scree_query_ray_first(const double origin[3], const double direction[3],
                                            double t_max);
/*  Returns a query for the k bodies nearest to a point. */
SCREE_API scree_query scree_query_nearest(const double point[3], uint32_t k);

/*  A body that a query found. */
typedef struct scree_hit
{
    uint32_t id; /* of the body */
    /*  Ray: t at which it enters the volume, 0 if it starts inside. Nearest: distance from the point to the volume, 0
        inside. Otherwise 0. */
    double distance;
} scree_hit;

/*  Called for each hit. Return nonzero to stop. */
typedef int scree_hit_fn(const scree_hit *hit, void *user);
/*  Calls a function for each hit: for boxes and spheres by id, for rays and nearest by (distance, id). A message of a
    failure goes to `error`, which may be NULL. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_OUT_OF_MEMORY. */
SCREE_API scree_status scree_detector_query(const scree_detector *detector,
                                            const scree_query *query, scree_hit_fn *action,
                                            void *user, scree_error *error);

/*  Writes the hits to an array, in the same order. *count gets the number of hits, also with SCREE_TOO_SMALL; then only
    the first `capacity` are written. `hits` may be NULL if capacity is 0. Statuses of scree_detector_query;
    SCREE_TOO_SMALL. */
SCREE_API scree_status scree_detector_hits(const scree_detector *detector, const scree_query *query,
                                           scree_hit *hits, size_t capacity, size_t *count,
                                           scree_error *error);

/* ---- outlines: what a method has built ----------------------------------------------------------- */

/*  The kinds of pieces. */
typedef enum scree_outline_kind
{
    /*  A grid cell with bodies in it; bodies of outer cells may lie outside. */
    SCREE_OUTLINE_CELL,
    SCREE_OUTLINE_NODE,     /* a tree node: encloses all nodes below */
    SCREE_OUTLINE_STRIPE,   /* bodies that follow each other on an axis and are sorted again */
    SCREE_OUTLINE_BOUNDARY, /* the range behind a stripe in which it searches */
    SCREE_OUTLINE_RANGE,    /* the interval of a body on a sorted axis */
} scree_outline_kind;

/*  A piece of a structure, as of its last rebuild or update. */
typedef struct scree_outline_piece
{
    scree_outline_kind kind;   /* which kind */
    uint32_t level;            /* level of a grid or tree; 0 is the coarsest grid, or the root */
    uint32_t axis;             /* axis of a stripe, its boundary, or a range */
    uint32_t place;            /* of a range: its position in the order of lower ends */
    uint32_t count;            /* bodies in it; of an inner node its child nodes */
    double lower[3], upper[3]; /* its box; unbounded directions extend as far as the bodies do */
} scree_outline_piece;

/*  Called for each piece. Return nonzero to stop. */
typedef int scree_outline_fn(const scree_outline_piece *piece, void *user);
/*  Calls a function for each piece of the structure of the method: grid cells, tree boxes, stripes, sorted axes; to
    draw or count them. Methods without a structure (pairing, bounding-volume) have no pieces; others have none before
    pairs were first requested, and after bodies were added until they are requested again. The order is not defined,
    except for ranges: axis by axis, ascending. Periodic images of bodies count as bodies. The detector is not changed,
    and nothing is stored for this. SCREE_OUT_OF_MEMORY, possibly after some pieces. */
SCREE_API scree_status scree_detector_outline(const scree_detector *detector,
                                              scree_outline_fn *action, void *user);

/* ---- statistics --------------------------------------------------------------------------------- */

/*  Statistics of a detector. */
typedef struct scree_stats
{
    uint64_t tested;     /* pairs put to the test of part 3 in the last search */
    uint64_t reported;   /* pairs reported by the last search */
    uint64_t updates;    /* calls of update, so far */
    uint64_t rebuilds;   /* complete rebuilds of the structure, so far */
    uint64_t remapped;   /* bodies whose position in the structure was computed again, so far */
    uint64_t inversions; /* neighbours exchanged by insertion sorts in the last update */
    uint64_t created;    /* methods that keep pairs: pairs that began, so far */
    uint64_t destroyed;  /* the same: pairs that ended */
    uint64_t advances;   /* calls of advance, so far */
    uint64_t runs;       /* those in which bodies were mapped */
    uint64_t late;       /* sum of scree_advance.late, so far */
    uint64_t rejected;   /* bodies that form no pair because of invalid numbers, now */
    uint64_t bodies;     /* number of bodies, now */
    uint64_t bytes;      /* memory in use */
    double sec_update;   /* seconds of the last update, with insertions and removals since */
    double sec_query;    /* seconds of the last search for pairs */
} scree_stats;

/*  Returns the statistics. */
SCREE_API scree_stats scree_detector_stats(const scree_detector *detector);

/*  A method that "auto" may choose, with times in nanoseconds per body for a step of this kind. */
typedef struct scree_alternative
{
    const char *method; /* its name */
    /*  Predicted from the features of the scene, without reading the table; INFINITY: cannot be chosen. */
    double predicted;
    double measured; /* time of its last step, with reading the table; 0: it has not been used */
} scree_alternative;

/*  Largest number of alternatives. */
#define SCREE_MAX_ALTERNATIVES 8

/*  Which method is in use and why. "auto" estimates the features of a scene from a sample of the bodies, at every
    complete rebuild and from time to time. Predictions depend on these features alone, so the choice depends on the
    calls made, not on clocks. */
typedef struct scree_explanation
{
    const char *method; /* the method in use */
    const char *reason; /* a sentence */
    uint64_t looks;     /* times that the scene was examined */
    uint64_t switches;  /* changes of method */
    uint64_t bodies;    /* number of bodies */
    double size_ratio;  /* largest over smallest size above 0 */
    double slenderness; /* of boxes: longest edge over mean edge */
    double crowding;    /* neighbours in space over those in a uniform scene; 1: uniform */
    double far_share;   /* fraction of bodies far from the others */
    double dirty_share; /* fraction of bodies that moved in the last step */
    double pairs;       /* pairs per body: of the last complete search, or expected before one */
    uint32_t alternative_count; /* number of alternatives; 0 if the method was requested by name */
    scree_alternative alternatives[SCREE_MAX_ALTERNATIVES]; /* the first ones are valid */
} scree_explanation;

/*  Returns the explanation. */
SCREE_API scree_explanation scree_detector_explain(const scree_detector *detector);

#ifdef __cplusplus
}
#endif

#endif
