/*  scree/detect.h: which bodies may touch.

    A detector is given the bounding volumes of bodies and reports every pair that overlaps, each
    once. There are many methods; all report exactly the same pairs.

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

    1. i and j are different bodies of the detector, and neither has SCREE_NO_BOUND.
    2. Filters: not both are SCREE_FIXED; not both are SCREE_INFINITE; they have no common owner
       (owner_i == 0 or owner_i != owner_j); and each one's mask meets the other's groups:
       (group_i & mask_j) != 0 and (group_j & mask_i) != 0.
    3. One of the two is SCREE_INFINITE, or their volumes overlap. Volumes are closed: touching
       counts. Numbers are the caller's, float widened to double, which is exact.
         boxes:    lower_i[k] <= upper_j[k] and lower_j[k] <= upper_i[k] on every axis k.
         spheres:  dx*dx + dy*dy + dz*dz <= (r_i + r_j) * (r_i + r_j), where dx = x_i - x_j and so
                   on, each operation in double, rounded to nearest, from left to right, with no
                   fused multiply-add. In two dimensions the term of z is left out.

    PERIODIC DOMAINS (def.period, def.tilt). Bodies may lie anywhere and need not be wrapped. In part 3
    the image of j nearest to i takes the place of j: with d = c_i - c_j, the difference of the centres,
    n_z = d_z / p_z rounded to the nearest integer, d_y -= n_z * yz, d_x -= n_z * xz, then n_y and n_x
    in the same way; with the vector v = (n_x p_x + n_y xy + n_z xz, n_y p_y + n_z yz, n_z p_z) spheres
    use dx = (x_i - x_j) - v_x and so on, boxes lower_i[k] - upper_j[k] <= v[k] and
    lower_j[k] - upper_i[k] <= -v[k]. A body as given must be smaller than half the period on every
    periodic axis, so that only one image can overlap. Queries look at all images; rays at none.

    No method, thread count, SIMD level or history of calls changes this set. Methods may work on
    rounded or coarser volumes inside; what they find is always put to this test last.

    USABLE NUMBERS. A coordinate or radius is usable if it is finite and at most SCREE_MAX_COORDINATE
    in magnitude; a radius is not negative; lower <= upper. -0.0 equals +0.0. What happens to a body
    with other numbers is def.unusable: the whole call is refused and nothing changes (default), or
    that body is there but meets nothing until it gets usable numbers. The numbers of a body that is
    SCREE_INFINITE or SCREE_NO_BOUND are not looked at.

    ORDER. Pairs come with first < second. As found, which is the default, their sequence is a function of
    the calls made so far, whatever the threads; each method has its own. "flat", "bvh8" and most others go
    by place: pairs near each other in space come near each other in the list. Canonical, by (first,
    second), where asked for: the same for all methods. Sorting costs more than finding: for 100,000 equal
    spheres at random with 3.5 pairs a body, in nanoseconds a body on one thread of an AVX-512
    core, without the update,

                                                as found    canonical
        scree_detector_pairs                          24           75
        scree_detector_csr, half                      34           64
        scree_detector_csr, full                      49           89
        scree_detector_neighbors, full                             95

    THREADS. One detector, one thread at a time; only scree_detector_query and _hits may run on one
    detector from several threads at once, while nothing changes it.

    CAVEATS. Memory is in proportion to the largest id, so keep ids dense. A pair list is as long as
    the pairs: a million coincident bodies have 5e11 of them (scree_detector_for_each_pair stores
    none with one thread). */
#ifndef SCREE_DETECT_H
#define SCREE_DETECT_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  Ids run from 0 to SCREE_MAX_BODIES - 1. */
#define SCREE_MAX_BODIES 0x7fffffffu
/*  Squares and volumes of such numbers stay finite. */
#define SCREE_MAX_COORDINATE 1e100

/* ---- tables: the caller's arrays ---------------------------------------------------------------- */

typedef enum scree_real
{
    SCREE_FLOAT64,
    SCREE_FLOAT32,
} scree_real;

/*  One column of numbers: where the first is, and how many bytes lie from one to the next. Need not
    be aligned. */
typedef struct scree_view
{
    const void *data;
    size_t stride;
    scree_real real;
} scree_view;

static inline scree_view scree_doubles(const double *first, size_t stride)
{
    scree_view view = {first, stride, SCREE_FLOAT64};
    return view;
}

static inline scree_view scree_floats(const float *first, size_t stride)
{
    scree_view view = {first, stride, SCREE_FLOAT32};
    return view;
}

/*  One column of integers, of the type its field names. data NULL: the column is not given. */
typedef struct scree_integers
{
    const void *data;
    size_t stride;
} scree_integers;

static inline scree_integers scree_integer_view(const void *first, size_t stride)
{
    scree_integers view = {first, stride};
    return view;
}

typedef enum scree_volume
{
    SCREE_SPHERES, /* discs in two dimensions */
    SCREE_BOXES,   /* rectangles in two dimensions */
} scree_volume;

/*  Flags of a body, in table.flags (uint8_t). */
#define SCREE_FIXED 0x01u    /* does not meet other fixed bodies */
#define SCREE_INFINITE 0x02u /* overlaps every body that is not infinite */
#define SCREE_NO_BOUND 0x04u /* meets nothing */

/*  A view of the caller's arrays, one row a body, read only during the call it is given to.
    Made by scree_table_spheres or scree_table_boxes; then add the optional columns. */
typedef struct scree_table
{
    uint32_t cookie;
    scree_volume volume;
    size_t count;
    scree_view centre[3], radius;  /* spheres */
    scree_view lower[3], upper[3]; /* boxes */
    scree_integers ids;            /* uint32_t; not given: the row is the id */
    scree_integers groups;         /* uint64_t, the groups a body is in; not given: all */
    scree_integers masks;          /* uint64_t, the groups a body meets; not given: its groups */
    scree_integers owners; /* uint32_t, 0 is none; bodies of one owner do not meet (clumps) */
    scree_integers flags;  /* uint8_t, of SCREE_FIXED, SCREE_INFINITE, SCREE_NO_BOUND */
} scree_table;

/*  In two dimensions z is (scree_view){0}, and for boxes the third elements are not looked at. */
SCREE_API scree_table scree_table_spheres(size_t count, scree_view x, scree_view y, scree_view z,
                                          scree_view radius);
SCREE_API scree_table scree_table_boxes(size_t count, const scree_view lower[3],
                                        const scree_view upper[3]);

/*  A list of rows of a table. */
typedef struct scree_rows
{
    const uint32_t *rows;
    size_t count;
} scree_rows;

/* ---- methods ------------------------------------------------------------------------------------ */

/*  What a method can do beyond what all can. */
/*  Cost grows with N squared whatever the scene. Methods where one scene alone does that, and a cheap look finds it
    (hashing and hashing2, with a giant among small bodies), say so once through the log: SCREE_LOG_QUADRATIC. */
#define SCREE_METHOD_QUADRATIC 0x01u
#define SCREE_METHOD_INCREMENTAL 0x02u /* insert and remove cost less than building anew */
#define SCREE_METHOD_COHERENT 0x04u    /* an update costs less when bodies have moved little */
#define SCREE_METHOD_DIRTY 0x08u       /* an update of few bodies costs in proportion to them */
#define SCREE_METHOD_QUERY 0x10u       /* queries go through its structure; else a linear scan */
#define SCREE_METHOD_THREADS 0x20u     /* the search for pairs uses several threads */

typedef struct scree_method_info
{
    const char *name;
    const char *summary; /* one line */
    const char *cost;    /* how time grows, as "N sqrt(N) in 2D, N^(5/3) in 3D" */
    /*  The worst that any scene can do to it, N the largest number of bodies so far and K the pairs of their boxes that
        overlap: time of an update and a search, with the scenes that take it, as "N^2, where one body is far larger than
        the rest"; and memory, "N", "N + K" or "N log N + K". Beside it comes what the caller is given, as a list of
        pairs, and with several threads N for each. */
    const char *worst_time, *worst_memory;
    uint32_t capabilities;
    double exponent[2]; /* time ~ N^p claimed in 2D and in 3D, uniform bodies; 0: no claim */
} scree_method_info;

SCREE_API size_t scree_method_count(void);
SCREE_API const scree_method_info *scree_method_at(size_t index);          /* NULL past the end */
SCREE_API const scree_method_info *scree_method_by_name(const char *name); /* NULL if unknown */

/* ---- the detector ------------------------------------------------------------------------------- */

typedef struct scree_detector scree_detector;

typedef enum scree_unusable
{
    SCREE_REFUSE_CALL, /* SCREE_BAD_VALUE, the message names row and field, nothing changes */
    SCREE_SKIP_BODY,   /* the body meets nothing, and is counted in stats.rejected */
} scree_unusable;

/* ---- margins: detection that may be skipped ---- */

/*  A detector with a margin works on enlarged volumes, and keeps them while each body stays within
    its own: then every pair of true volumes that overlap is among the pairs of the enlarged ones, and
    detection may be skipped. scree_detector_advance is called once a step and finds out. The pairs are
    those of the rule on the enlarged volumes, a sphere's radius or a box's every face moved out by the
    body's growth, at the place where the body was last mapped; so they are the same for all methods.
    Any margin works with any method. Queries see the enlarged volumes, too.
    In a periodic domain growth ends where a body would be 0.45 of a period wide, and set_cell maps all
    in the next step when a period has shrunk by a tenth since. Bodies need not be wrapped; to one that
    is, the margin sees a jump.

    Volumes are looked at in every step, so a body that turns, grows, jumps or is faster than it said
    is never missed; speeds only foresee. With trust_velocities a step without a run looks at speeds
    alone: then between two calls no point of a body may move farther than the greater of its speeds at
    both, times dt, and nothing else of a body may change; a step that integrates in double does so. */
typedef enum scree_margin_kind
{
    SCREE_MARGIN_NONE, /* bodies as they are, mapped in every step */
    SCREE_MARGIN_SKIN, /* one length for all; all mapped when one has left its volume (Verlet) */
    SCREE_MARGIN_TOLERANCE, /* by speed, size and constant; only those that moved are mapped (PFC) */
    SCREE_MARGIN_STRIDE,    /* a number of steps from the greatest speed, in virtual time (Yade) */
    SCREE_MARGIN_DISTANCE,  /* the same, from the integral of the greatest speed (Yade) */
    SCREE_MARGIN_BINS,      /* the same for each of several classes of speed (Yade) */
    SCREE_MARGIN_PER_BODY,  /* each body grows as far as it moved since the last mapping (Yade) */
} scree_margin_kind;

/*  What a piece is part of: tolerances may differ. In motion.kinds (uint8_t). */
#define SCREE_PIECE_BALL 0u
#define SCREE_PIECE_PEBBLE 1u
#define SCREE_PIECE_FACET 2u
#define SCREE_PIECE_BLOCK 3u
#define SCREE_PIECE_KINDS 4

typedef struct scree_margin_def
{
    scree_margin_kind kind; /* SCREE_MARGIN_NONE */
    /*  All but tolerance: the growth, and for per-body its upper limit. Negative: times the smallest
        radius, or half edge, above 0. Finite; -0.05. 0 maps whatever has moved. */
    double length;
    double speed_factor; /* stride: overestimate of the speed, 1 to 1e6; 1.05 */
    /*  Tolerance eps = velocity * speed * dt + extent * size + constant, at the time of mapping; size is
        a sphere's diameter, or the mean edge of a box. A body that has moved by more than eps, or whose
        radius, kind or constant has changed, is mapped anew. growth = reach * eps + interaction / 2.
        All 0 or more, not all 0; bodies of size 0 need a constant. */
    double velocity[SCREE_PIECE_KINDS]; /* 0 */
    double extent[SCREE_PIECE_KINDS];   /* 1/32 */
    double constant;                    /* 0, for bodies without one of their own */
    double interaction;                 /* distance within which forces act, between surfaces; 0 */
    double reach;       /* 2: known before the step with a force; 1: in that very step. 1 to 1e6 */
    uint32_t bin_count; /* bins: 1 to 100; 5 */
    double bin_ratio;   /* bins: speed of one class over the next, above 1; 2 */
    double bin_overlap; /* bins: a body leaves its class below this share of it, (0, 1); 0.8 */
    double
        bin_max_change; /* bins: the reference speed follows by this share; 0 or less: at once; 0.3 */
    double target_steps; /* per-body: steps that the growth should last; negative: length; 50 */
    double min_fraction; /* per-body: lower limit of the growth, share of length, [0, 1]; 0.1 */
    bool
        trust_velocities; /* stride, distance, bins: positions are not looked at in between; false */
} scree_margin_def;

/*  Parameters of cell-space. The domain is where cells are laid; bodies outside it share border
    cells, which is right but slow if they are many. */
typedef struct scree_cell_space_def
{
    double lower[3], upper[3]; /* the domain; all zero: laid over the bodies that are there */
    uint32_t cells;        /* parent cells, to 2^24; 0: 1,000 in 2D and 10,000 in 3D, but no more
                                  than one for every `target` bodies; 0 */
    uint32_t target;       /* centroids that a cell should hold, 1 to 1000; 10 */
    uint32_t merge_below;  /* a refined cell with fewer centroids is merged, 0 to target; 2 */
    double factor;         /* a cell larger than so many mean extents is refined, 2 to 1000; 20 */
    uint32_t max_children; /* along an axis of a refined cell, 2 to 64; 64 */
    uint32_t depth;        /* of refinement, 0 (none) to 16; 10 */
} scree_cell_space_def;

/*  hash-grids. The published names are in brackets (Schornbaum 2009, waLBerla). */
typedef enum scree_hash_size
{
    SCREE_HASH_SIZE_BOX,    /* longest edge of the box */
    SCREE_HASH_SIZE_SPHERE, /* diameter of the sphere around it: the same however a body turns */
} scree_hash_size;

typedef enum scree_hash_point
{
    SCREE_HASH_POINT_AUTO, /* centre for spheres, corner for boxes */
    SCREE_HASH_POINT_CORNER,
    SCREE_HASH_POINT_CENTRE,
} scree_hash_point;

typedef struct scree_hash_grids_def
{
    uint32_t cells[3];          /* of a new grid, powers of two, 4 to 1024; 16 [xCellCount, ...] */
    uint32_t list_capacity;     /* first room of a cell's list, 1 to 65536; 16 [cellVectorSize] */
    uint32_t occupied_capacity; /* of the list of occupied cells, 1 to 65536; 256
                                   [occupiedCellsVectorSize] */
    uint32_t minimal_density;   /* cells a body at least, 1 to 4096; 8 [minimalGridDensity] */
    uint32_t activation;        /* up to so many bodies all pairs, 0 to 65536; 32
                                   [gridActivationThreshold] */
    double factor;              /* of cell sizes from level to level, 1.01 to 1e6; 2
                                   [hierarchyFactor] */
    scree_hash_size size;       /* what decides on a body's level; SCREE_HASH_SIZE_BOX */
    scree_hash_point point;     /* what decides on its cell; SCREE_HASH_POINT_AUTO */
    bool rebuild;               /* update by putting in all bodies anew; false: only what moved */
} scree_hash_grids_def;

/*  insertion-sort. The first search for pairs, and any later one for all, goes along one axis; a
    step that moves bodies does not search. */
typedef struct scree_insertion_sort_def
{
    int sort_axis;          /* 0, 1 or in three dimensions 2; -1: where boxes overlap least; -1 */
    bool sort_then_collide; /* search for all pairs at each update, to check by; slow; false */
} scree_insertion_sort_def;

typedef struct scree_detector_def
{
    uint32_t cookie;
    const char *method;  /* "auto" */
    int dimensions;      /* 2 or 3; 3 */
    scree_volume volume; /* SCREE_SPHERES */
    scree_unusable unusable;
    bool coarse;     /* report all that the method finds, without part 3 of the rule; false */
    scree_simd simd; /* SCREE_SIMD_AUTO */
    uint32_t
        thread_count;  /* 1; more: a pool of the detector's own. Not looked at if tasks are given */
    scree_tasks tasks; /* the host's threads; none */
    scree_allocator allocator; /* malloc */
    scree_log log;             /* none */
    scree_error *error;        /* where scree_detector_create puts its message; NULL */
    scree_margin_def margin;   /* none */
    /*  Periodic domain: lattice vectors (px, 0, 0), (xy, py, 0), (xz, yz, pz). */
    double period[3]; /* 0: not periodic on this axis; 0 */
    double tilt[3];   /* xy, xz, yz: at most half the period along it; 0 */

    /*  Parameters of single methods. Other methods do not look at them. */
    double cell_factor;     /* hashing, hashing2: cell over largest diameter, >= 1; 1 */
    double bin_factor;      /* cgrid: bin over mean size, > 0; 1.5 */
    double stripe_factor;   /* stripe-sort: natives of a stripe over sqrt(N), > 0; 2 */
    bool stripe_naive;      /* stripe-sort: borders may outgrow their stripe, as published; false */
    bool sort_by_insertion; /* spatial-sort-1, -2, -3: insertion sort, not heap sort; false */
    uint32_t rtree_max_entries; /* rtree, rtree-rstar, rtree-packed, dess-rtree: 4 to 64; 16 */
    uint32_t rtree_min_entries; /* 2 to half of the above; 6 */
    scree_hash_grids_def hash_grids;
    scree_cell_space_def cell_space; /* cell-space */
    scree_insertion_sort_def insertion_sort;
} scree_detector_def;

SCREE_API scree_detector_def scree_default_detector_def(void);

/*  SCREE_BAD_DEF, SCREE_BAD_ARGUMENT, SCREE_UNKNOWN_METHOD, SCREE_OUT_OF_MEMORY. On failure
    *detector is NULL. */
SCREE_API scree_status scree_detector_create(const scree_detector_def *def,
                                             scree_detector **detector);
SCREE_API void scree_detector_destroy(scree_detector *detector); /* NULL is fine */

/*  The sentence that explains the last call on this detector that failed; "" if none did. */
SCREE_API const char *scree_detector_message(const scree_detector *detector);
SCREE_API const scree_method_info *scree_detector_method(const scree_detector *detector);

/*  The bodies have moved. Without `dirty`, the table is all there is: bodies with other ids are
    dropped, and new ids enter. With `dirty`, only these rows are read; each must name a body that is
    there, once. SCREE_BAD_ARGUMENT and SCREE_BAD_VALUE change nothing. After SCREE_OUT_OF_MEMORY the
    bodies are those from before, or those of the table with the method's structure dropped; the
    structure is rebuilt when next needed, and calling again is always right. */
SCREE_API scree_status scree_detector_update(scree_detector *detector, const scree_table *table,
                                             const scree_rows *dirty);

/*  Adds the table's bodies. With table.ids, none of them may be there yet. Without, each gets an id:
    those removed last are used again first, then new ones. `ids` may be NULL, else gets them, a row
    each. Every failure changes nothing. O(1) a body; methods without SCREE_METHOD_INCREMENTAL rebuild
    when pairs are next asked for. "dess2" and "insertion-sort" go through all bodies for any change: bodies that come
    or go by calls of their own wait until pairs are next asked for, or bodies move, and are taken in together; until
    then queries are linear scans. */
SCREE_API scree_status scree_detector_insert(scree_detector *detector, const scree_table *table,
                                             uint32_t *ids);

/*  Removes bodies; each id must be there, and named once. Every failure changes nothing. */
SCREE_API scree_status scree_detector_remove(scree_detector *detector, const uint32_t *ids,
                                             size_t count);

/*  Drops all bodies and keeps the memory, and what the method has laid out for them, as the levels of hash-grids
    with their sizes: bodies that come next find it there. */
SCREE_API scree_status scree_detector_clear(scree_detector *detector);
/*  Drops all bodies and all that the method has laid out, whose memory is given back: it begins anew, as that of a
    new detector. SCREE_OUT_OF_MEMORY changes nothing. */
SCREE_API scree_status scree_detector_clear_all(scree_detector *detector);

#define SCREE_TRAVEL_ROWS 128

/*  How bodies move, one row for each of a table's. Columns that are not given (data NULL) are 0. */
typedef struct scree_motion
{
    scree_view velocity[3];
    scree_view spin[3];  /* angular velocity, radians; in two dimensions the third */
    scree_view arm;      /* largest distance of its points from the centre of rotation; 0 or more */
    scree_view constant; /* tolerance: the body's own constant */
    scree_integers kinds; /* uint8_t: SCREE_PIECE_BALL, ... */
    /*  A number for each SCREE_TRAVEL_ROWS rows: none of these has gone farther since the table of the call before, which had
        the same bodies in the same rows, with the same radii. Then spheres within their margins are not looked at, nor are
        their velocities. For margins of the kinds skin and per-body, in tables without ids and filters; else all rows are read. */
    scree_view travel;
} scree_motion;

/*  What an advance did. */
typedef struct scree_advance
{
    bool
        ran; /* some body was mapped, or has left: the pairs may have changed; else only by set_cell */
    uint64_t mapped; /* how many */
    /*  tolerance: moved by more than reach * eps since they were mapped; with reach 2, their contacts
        may not have been known before this step */
    uint64_t late;
    double
        used; /* the greatest share of its allowance that a body had used, before mapping; of those that were looked at */
} scree_advance;

/*  Once a step, with the bodies where they are now, the velocities they have, and the length of the
    step about to be taken: maps those bodies that must be. The table is the whole one, as for update;
    bodies may come and go. After it, the pairs contain every pair of true volumes that overlap now.
    The same holds in later steps for bodies within their margins, without a call. `motion` may be NULL
    for margins that use no velocities (none, skin, per-body, tolerance with velocity 0); `did` may be
    NULL. Bodies given to update and insert are mapped at once, as if at rest; margins with a schedule
    map all in the next step.
    Statuses as update; SCREE_BAD_VALUE for a dt that is not above 0 and finite, a velocity that is not
    finite, a negative arm or constant, an unknown kind, a tolerance of 0. */
SCREE_API scree_status scree_detector_advance(scree_detector *detector, const scree_table *table,
                                              const scree_motion *motion, double dt,
                                              scree_advance *did);

/*  The longest step in which no body moves by more than its allowance: the condition under which a
    tolerance with reach 2 knows every contact before the step with its first force. INFINITY if nothing
    moves, 0 if a body that moves has no allowance, as where a periodic cell leaves it no room. The table
    names the rows' bodies; they must have been mapped. SCREE_BAD_ARGUMENT without a margin or without
    velocities. */
SCREE_API scree_status scree_detector_longest_step(scree_detector *detector,
                                                   const scree_table *table,
                                                   const scree_motion *motion, double *dt);

/*  What a body would have used of its margin at a place: `volume` is x y z r of a sphere, or lower and upper corner of
    a box. `moved`: how far it would have come out of the volume that it had when it was mapped; `left`: how much
    farther it may before it is mapped again, below 0 where it must be; rounding left out, and mapping that a schedule
    asks for. Without a margin both are 0. SCREE_BAD_ARGUMENT: NULL, or the id of no body, or of one without end. */
SCREE_API scree_status scree_detector_leeway(const scree_detector *detector, uint32_t id,
                                             const double *volume, double *moved, double *left);

/*  Margin bins: the classes of speed, from the fastest, as the last mapping of all found them. */
typedef struct scree_speed_class
{
    double speed;    /* from this one up to that of the class before; the last begins at 0 */
    double growth;   /* of its bodies when all are mapped */
    uint64_t bodies; /* in it, now */
} scree_speed_class;

/*  Returns how many classes there are, 0 for other margins. `classes` gets them if it is not NULL; there
    must be room for def.margin.bin_count. */
SCREE_API uint32_t scree_detector_speed_classes(const scree_detector *detector,
                                                scree_speed_class *classes);

/* ---- pairs -------------------------------------------------------------------------------------- */

/*  Called once for each pair, first < second, on the calling thread. Return nonzero to stop; that is
    not an error. Must not change the detector. */
typedef int scree_pair_fn(uint32_t first, uint32_t second, void *user);

SCREE_API scree_status scree_detector_for_each_pair(scree_detector *detector, scree_pair_fn *action,
                                                    void *user);

typedef struct scree_pairs
{
    uint64_t count;
    const uint32_t *first, *second;
} scree_pairs;

/*  The same by blocks, for loops that a compiler can turn into vector code: at most SCREE_BLOCK_PAIRS pairs a
    call, never none, valid during the call. Most blocks of a dense scene have hundreds of pairs; how many
    exactly may change from version to version. All blocks, one after the other, are the pairs as found. */
#define SCREE_BLOCK_PAIRS 1024u
typedef int scree_pair_block_fn(const scree_pairs *block, void *user);

SCREE_API scree_status scree_detector_for_each_block(scree_detector *detector,
                                                     scree_pair_block_fn *action, void *user);

typedef struct scree_pairs_options
{
    bool canonical; /* sorted by (first, second); false: as found, which costs nothing */
    /*  The caller's own arrays of `capacity` elements; NULL: the detector's, valid until the next
        call on it. If they are too small: SCREE_TOO_SMALL, and count says what is needed. */
    uint32_t *first, *second;
    uint64_t capacity;
} scree_pairs_options;

/*  All pairs as two arrays. `options` may be NULL. SCREE_OUT_OF_MEMORY, SCREE_TOO_SMALL. */
SCREE_API scree_status scree_detector_pairs(scree_detector *detector,
                                            const scree_pairs_options *options, scree_pairs *pairs);

/*  A neighbour search in one call: scree_detector_update with the whole table, then scree_detector_pairs. The
    statuses are those of both. If the update fails, the bodies are as it leaves them, else those of the table:
    after SCREE_OUT_OF_MEMORY or SCREE_TOO_SMALL scree_detector_pairs alone may be called again. */
SCREE_API scree_status scree_detector_pairs_of(scree_detector *detector, const scree_table *table,
                                               const scree_pairs_options *options,
                                               scree_pairs *pairs);

/*  The same as a loop, for code that is to stand where it runs, not behind a call. `pairs` is a
    variable of type scree_pairs; `i` and `j` are names for the ids, uint32_t, i < j. `break` and
    `continue` do what they do in any loop.

        SCREE_FOR_EACH_PAIR(pairs, i, j)
            collide(i, j); */
/* The inner loop, which runs once, is there to declare i and j; it is left by `break` with i##_go
   still 0, which ends the outer one. */
#define SCREE_FOR_EACH_PAIR(pairs, i, j)                                                           \
    for (uint64_t i##_at = 0, i##_go = 1; i##_go && i##_at < (pairs).count; i##_at++)              \
        for (uint32_t i = (pairs).first[i##_at], j = (pairs).second[i##_at],                       \
                      i##_once = (i##_go = 0, 1u);                                                 \
             i##_once; i##_once = 0, i##_go = 1)

/*  Neighbours by body: those of body i are neighbor[start[i]] to neighbor[start[i + 1] - 1],
    ascending. `half` lists each pair at its smaller id only. Ids that are not there have none.
    Own arrays as above; start_capacity must be at least id_bound + 1. */
typedef struct scree_neighbors_options
{
    bool half;
    uint64_t *start;
    uint64_t start_capacity;
    uint32_t *neighbor;
    uint64_t capacity;
} scree_neighbors_options;

typedef struct scree_neighbors
{
    uint32_t id_bound; /* one more than the largest id, 0 without bodies */
    uint64_t count;    /* entries of neighbor: pairs, or twice the pairs */
    const uint64_t *start;
    const uint32_t *neighbor;
} scree_neighbors;

SCREE_API scree_status scree_detector_neighbors(scree_detector *detector,
                                                const scree_neighbors_options *options,
                                                scree_neighbors *neighbors);

/*  The same in numbers of 32 bits, as most solvers and array libraries want it (compressed sparse rows). The
    arrays are the detector's, valid until the next call on it. Rows are as found unless `canonical` sorts them:
    this is the cheapest way to neighbours. */
typedef struct scree_csr_options
{
    bool half; /* a pair is listed at its smaller id only */
    bool
        canonical; /* neighbours of a body ascend; false: in the order in which their pairs were found */
} scree_csr_options;

typedef struct scree_csr
{
    uint32_t id_bound; /* one more than the largest id, 0 without bodies; start has one more */
    uint32_t count;    /* entries of neighbor: pairs, or twice the pairs */
    const uint32_t *start;
    const uint32_t *neighbor;
} scree_csr;

/*  `options` may be NULL. SCREE_OUT_OF_MEMORY; SCREE_TOO_LARGE for a list of 2^32 entries or more, for which
    there is scree_detector_neighbors. Then *csr is empty and its arrays are NULL. */
SCREE_API scree_status scree_detector_csr(scree_detector *detector,
                                          const scree_csr_options *options, scree_csr *csr);
/*  With scree_detector_update before it, as scree_detector_pairs_of. */
SCREE_API scree_status scree_detector_csr_of(scree_detector *detector, const scree_table *table,
                                             const scree_csr_options *options, scree_csr *csr);

/*  Periodic domains: the lattice coordinates n of the image of `second` nearest to `first`, which lies
    at the place of `second` + n_x (px, 0, 0) + n_y (xy, py, 0) + n_z (xz, yz, pz). Both must be there,
    and have bounds. */
SCREE_API scree_status scree_detector_image(scree_detector *detector, uint32_t first,
                                            uint32_t second, int64_t n[3]);

/*  The cell has changed: other periods, other tilts. Which axes are periodic stays. Pairs follow when
    next asked for, also if no advance has run since. SCREE_BAD_ARGUMENT changes nothing. */
SCREE_API scree_status scree_detector_set_cell(scree_detector *detector, const double period[3],
                                               const double tilt[3]);

/* ---- queries ------------------------------------------------------------------------------------ */

typedef enum scree_query_kind
{
    SCREE_QUERY_BOX,       /* bodies that overlap a box */
    SCREE_QUERY_SPHERE,    /* bodies that overlap a sphere */
    SCREE_QUERY_RAY,       /* bodies that a ray meets */
    SCREE_QUERY_RAY_FIRST, /* the one that it meets first */
    SCREE_QUERY_NEAREST,   /* the k bodies nearest to a point */
} scree_query_kind;

/*  Made by the functions below; then set `groups` if only bodies in some groups are wanted.
    Volumes are closed. Bodies with SCREE_NO_BOUND are never hit, infinite ones always, at distance
    0. Numbers must be finite and at most SCREE_MAX_COORDINATE, t_max may be INFINITY; a box with
    lower > upper is empty and hits nothing but is no error; a radius must not be negative, a
    direction not zero. */
typedef struct scree_query
{
    uint32_t cookie;
    scree_query_kind kind;
    double lower[3], upper[3]; /* box */
    double centre[3], radius;  /* sphere; nearest: centre */
    double direction[3],
        t_max;       /* ray from centre: points centre + t * direction, 0 <= t <= t_max */
    uint32_t k;      /* nearest: how many */
    uint64_t groups; /* only bodies whose groups meet these; all */
} scree_query;

SCREE_API scree_query scree_query_box(const double lower[3], const double upper[3]);
SCREE_API scree_query scree_query_sphere(const double centre[3], double radius);
SCREE_API scree_query scree_query_ray(const double origin[3], const double direction[3],
                                      double t_max);
SCREE_API scree_query scree_query_ray_first(const double origin[3], const double direction[3],
                                            double t_max);
SCREE_API scree_query scree_query_nearest(const double point[3], uint32_t k);

typedef struct scree_hit
{
    uint32_t id;
    double
        distance; /* ray: t where it enters, 0 if it starts inside; nearest: from the point to the
                        volume, 0 inside; else 0 */
} scree_hit;

/*  Calls `action` for every hit: box and sphere by id, ray and nearest by (distance, id). Return
    nonzero to stop. SCREE_BAD_DEF, SCREE_BAD_VALUE, SCREE_OUT_OF_MEMORY; the message of a failed query
    is put into `error`, which may be NULL. */
typedef int scree_hit_fn(const scree_hit *hit, void *user);
SCREE_API scree_status scree_detector_query(const scree_detector *detector,
                                            const scree_query *query, scree_hit_fn *action,
                                            void *user, scree_error *error);

/*  The same into an array. *count gets the number of hits, also with SCREE_TOO_SMALL, when the first
    `capacity` of them are written. `hits` may be NULL if capacity is 0. */
SCREE_API scree_status scree_detector_hits(const scree_detector *detector, const scree_query *query,
                                           scree_hit *hits, size_t capacity, size_t *count,
                                           scree_error *error);

/* ---- outlines: what a method has built ----------------------------------------------------------- */

typedef enum scree_outline_kind
{
    SCREE_OUTLINE_CELL,     /* of a grid, with bodies in it; those in border cells may lie beyond */
    SCREE_OUTLINE_NODE,     /* of a tree: encloses all that is below */
    SCREE_OUTLINE_STRIPE,   /* bodies that follow each other along an axis and are sorted again */
    SCREE_OUTLINE_BOUNDARY, /* behind a stripe: where it looks for others */
    SCREE_OUTLINE_RANGE,    /* a body on a sorted axis, from end to end */
} scree_outline_kind;

/*  One piece of a structure, as it was when it was last built or updated. */
typedef struct scree_outline_piece
{
    scree_outline_kind kind;
    uint32_t level;            /* of several grids, or of a tree: 0 is the coarsest, or the root */
    uint32_t axis;             /* of stripes, borders and ranges */
    uint32_t place;            /* of a range: in the order of lower ends on its axis */
    uint32_t count;            /* bodies in it; of a node that is no leaf, nodes right below */
    double lower[3], upper[3]; /* what has no end goes as far as the bodies do */
} scree_outline_piece;

/*  Hands over every piece of the method's structure: cells of grids, boxes of trees, stripes, sorted axes; to be
    drawn, or counted. Methods that keep none (pairing, bounding-volume) have no pieces, and others have none before
    pairs were first asked for and after bodies have come, until they are asked for again. In no order that is
    promised, but for ranges: axis by axis, ascending. Nothing is kept for this, and the detector is not changed:
    whoever does not ask pays nothing. Periodic images of bodies count as bodies. Return nonzero to stop.
    SCREE_OUT_OF_MEMORY, perhaps after some pieces. */
typedef int scree_outline_fn(const scree_outline_piece *piece, void *user);
SCREE_API scree_status scree_detector_outline(const scree_detector *detector,
                                              scree_outline_fn *action, void *user);

/* ---- figures ------------------------------------------------------------------------------------ */

typedef struct scree_stats
{
    uint64_t tested;     /* pairs that the method put to the test of part 3, last search */
    uint64_t reported;   /* pairs reported, last search */
    uint64_t updates;    /* calls of update, so far */
    uint64_t rebuilds;   /* times the structure was built from nothing, so far */
    uint64_t remapped;   /* bodies whose place in the structure was computed anew, so far */
    uint64_t inversions; /* neighbours exchanged by insertion sorts, last update */
    uint64_t created;    /* persistent methods: pairs that began, so far */
    uint64_t destroyed;  /* and that ended */
    uint64_t advances;   /* calls of advance, so far */
    uint64_t runs;       /* of these, in how many bodies were mapped */
    uint64_t late;       /* scree_advance.late, so far */
    uint64_t rejected;   /* bodies that meet nothing for their unusable numbers, now */
    uint64_t bodies;     /* bodies there are, now */
    uint64_t bytes;      /* memory held, all in all */
    double sec_update;   /* seconds of the last update, insertions and removals since included */
    double sec_query;    /* seconds of the last search for pairs */
} scree_stats;

SCREE_API scree_stats scree_detector_stats(const scree_detector *detector);

/*  Which method is at work and why. What is seen in a scene is estimated from a sample of the bodies when
    `auto` last looked: at every build from nothing, and from time to time between. Predictions are in
    nanoseconds a body for one step of that kind, without reading the table; they come from these
    features alone, so the choice depends on the calls made, not on clocks. */
typedef struct scree_alternative
{
    const char *method;
    double predicted; /* INFINITY: no choice for what is being done */
    double measured;  /* of its last step, with reading the table; 0: it has not been at work */
} scree_alternative;

#define SCREE_MAX_ALTERNATIVES 8
typedef struct scree_explanation
{
    const char *method; /* at work */
    const char *reason; /* a sentence */
    uint64_t looks;     /* times that the scene was looked at */
    uint64_t switches;  /* times that another method took over */
    uint64_t bodies;
    double size_ratio;  /* largest over smallest size, of those above 0 */
    double slenderness; /* of boxes: longest edge over the mean one */
    double crowding;    /* neighbours in space over those in a uniform scene; 1: it is uniform */
    double far_share;   /* of the bodies that lie far from the others */
    double dirty_share; /* of the bodies that moved in the last step */
    double pairs;       /* a body: in the last whole search, or before one, what is expected */
    uint32_t alternative_count; /* 0 for methods that were asked for by name */
    scree_alternative alternatives[SCREE_MAX_ALTERNATIVES];
} scree_explanation;

SCREE_API scree_explanation scree_detector_explain(const scree_detector *detector);

#ifdef __cplusplus
}
#endif

#endif
