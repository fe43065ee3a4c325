/*  Margins: how far each body is enlarged, which bodies have used up their allowance, and when all must be mapped
    again. They work for every method, since methods see only the enlarged volumes. */
#ifndef SCREE_MARGIN_H
#define SCREE_MARGIN_H

#include "detect/store.h"

#include <float.h>
#include <math.h>

/*  By id, of the last mapping. `growth` is what was added to the volume, `allowance` how far the body
    may move before it is mapped again: the same but for tolerance. `size` is the radius, or half the
    mean edge, without growth. */
#define SCREE_MARGIN_COLUMNS(X)                                                                    \
    X(double, growth)                                                                              \
    X(double, allowance)                                                                           \
    X(double, size)                                                                                \
    X(double, constant) /* tolerance: the constant from which the allowance was computed, */       \
    X(uint8_t, kind)    /* and the kind of body */                                                 \
    X(uint8_t, bin)     /* class of speed; 0 is the fastest */

#define SCREE_MARGIN_MAX_BINS 100

/*  The largest speeds of a step: of all bodies, and of each class. */
typedef struct scree_speeds
{
    double largest;
    double of_bin[SCREE_MARGIN_MAX_BINS];
} scree_speeds;

typedef struct scree_margin
{
    scree_margin_def def;
    scree_memory *memory;
    int dimensions;
    scree_volume volume;
#define X(type, name)                                                                              \
    type *name;                                                                                    \
    size_t name##_capacity;
    SCREE_MARGIN_COLUMNS(X)
#undef X
    double period[3];  /* of the cell, 0: not periodic; */
    double longest[3]; /* and the largest since all were mapped */
    double length;     /* def.length, or its share of the smallest size, since the last run */
    double largest;    /* at least the size with growth of every body */
    double farthest; /* at least the magnitude of every coordinate when mapped, and of every size */
    bool is_cramped; /* some growth was limited by the cell: speeds cannot be trusted */
    bool has_run;    /* all have been mapped together */
    bool must_run;   /* all must be mapped in the next step: some length or speed is unknown */

    /* schedules: time and travel since all were mapped, up to the last step taken */
    uint64_t steps;
    double elapsed, travelled, bin_travelled[SCREE_MARGIN_MAX_BINS];
    scree_speeds last; /* speeds at the start of the current step, */
    double last_dt;    /* and its length */

    double stride_speed;     /* stride: the speed that the schedule was made for, */
    double stride_scheduled; /* when all must be mapped, */
    double stride_growth;
    double reference_speed; /* bins: V0 */
    double bin_growth[SCREE_MARGIN_MAX_BINS];
} scree_margin;

/*  Motion of one body. */
typedef struct scree_row_motion
{
    double speed;    /* of its fastest point */
    double dt;       /* of the next step; 0: unknown */
    double constant; /* its own constant, or the definition's */
    double moved;    /* since it was mapped; negative: it is new */
    uint8_t kind;
} scree_row_motion;

scree_status scree_margin_check(const scree_margin_def *def, scree_error *error);
void scree_margin_init(scree_margin *margin, const scree_margin_def *def, scree_memory *memory,
                       int dimensions, scree_volume volume);
scree_status scree_margin_reserve(scree_margin *margin, uint32_t bound);
void scree_margin_free(scree_margin *margin);
/*  Sets the periods of the cell. */
void scree_margin_set_cell(scree_margin *margin, const double period[3]);

static inline bool scree_margin_is_on(const scree_margin *margin)
{
    return margin->def.kind != SCREE_MARGIN_NONE;
}

/*  Length of a vector: an upper bound where squares underflow. */
static inline double scree_margin_norm(const double v[3])
{
    double squares = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return squares >= 0x1p-900 ? sqrt(squares) : fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
}

/*  Whether velocities must be given. */
bool scree_margin_needs_velocities(const scree_margin *margin);

/*  Radius, or half the mean edge; of a row as the caller gave it. */
double scree_margin_size(const scree_margin *margin, const scree_row *row);

/*  Largest coordinate or size, whatever its sign. */
double scree_margin_magnitude(const scree_margin *margin, const scree_row *row);

/*  The tolerance of equation 1 of the specification, for this motion, and at least a millionth of the
    body's diameter; 0 for a body without size at rest and without a constant. */
double scree_margin_tolerance(const scree_margin *margin, double size,
                              const scree_row_motion *row_motion);

/*  Chooses growth and allowance of a body of this size that is being mapped. Or does everything: stores them,
    limited by the cell, and enlarges the row by its growth. */
void scree_margin_choose(scree_margin *margin, uint32_t id, double size,
                         const scree_row_motion *row_motion);
void scree_margin_place(scree_margin *margin, scree_row *row, const scree_row_motion *row_motion);

/*  Skin and stride: the common growth, unless the cell limits it, and the limit of the cell for a sphere. */
double scree_margin_even_growth(const scree_margin *margin);
double scree_margin_room_for_sphere(const scree_margin *margin, double radius);

/* ---- is a body still inside? Once a step for every body, so without a call ---- */

/*  A bound of the rounding of numbers of this magnitude, with a large safety factor: for the formulas of the rule,
    and for a step of the caller. */
static inline double scree_margin_grain(double magnitude)
{
    return 32 * DBL_EPSILON * magnitude + 0x1p-530;
}

/*  How far the farthest point of a mapped body has come out of the volume that it had when mapped.
    The third coordinates of discs are 0. */
static inline double scree_margin_moved_sphere(const scree_margin *margin, const scree_store *store,
                                               const scree_row *row)
{
    const double *mapped = store->sphere[row->id];
    const double d[3] = {row->number[0] - mapped[0], row->number[1] - mapped[1],
                         row->number[2] - mapped[2]};
    double moved = scree_margin_norm(d) + (row->number[3] - margin->size[row->id]);
    return moved > 0 ? moved : 0;
}

static inline double scree_margin_moved_box(const scree_margin *margin, const scree_store *store,
                                            const scree_row *row)
{
    double farthest = 0, growth = margin->growth[row->id];
    const scree_box *box = &store->box[row->id];
    for (int k = 0; k < margin->dimensions; k++) {
        double lower = row->number[k], upper = row->number[3 + k];
        double down = box->lower[k] + growth - lower, up = upper - (box->upper[k] - growth);
        /* what is within rounding is 0: else a box at rest would seem to have moved */
        if (down > farthest && down > 2 * DBL_EPSILON * (fabs(lower) + growth))
            farthest = down;
        if (up > farthest && up > 2 * DBL_EPSILON * (fabs(upper) + growth))
            farthest = up;
    }
    return farthest;
}

static inline double scree_margin_moved(const scree_margin *margin, const scree_store *store,
                                        const scree_row *row)
{
    return margin->volume == SCREE_SPHERES ? scree_margin_moved_sphere(margin, store, row)
                                           : scree_margin_moved_box(margin, store, row);
}

static inline bool scree_margin_holds_box(const scree_store *store, const scree_row *row)
{
    const scree_box *box = &store->box[row->id];
    bool inside = true;
    for (int k = 0; k < store->dimensions; k++)
        inside &= row->number[k] >= box->lower[k] && row->number[3 + k] <= box->upper[k];
    return inside;
}

/*  True if a body that has moved so far must be mapped again. */
static inline bool scree_margin_has_left(const scree_margin *margin, const scree_store *store,
                                         const scree_row *row, double moved)
{
    double room = margin->allowance[row->id];
    if (margin->def.kind == SCREE_MARGIN_TOLERANCE) {
        if (moved > room)
            return true;
        room *= margin->def.reach;
    }
    if (margin->volume == SCREE_BOXES)
        return !scree_margin_holds_box(store, row);
    /* a body that has not moved was not rounded */
    return moved > 0 && moved + scree_margin_grain(margin->largest + moved) > room;
}

/* ---- mapping all at a time ---- */

/*  Whether there is a schedule from velocities. */
bool scree_margin_is_scheduled(const scree_margin *margin);

static inline void scree_margin_add_speed(const scree_margin *margin, scree_speeds *speeds,
                                          uint32_t id, double speed)
{
    if (speed > speeds->largest)
        speeds->largest = speed;
    if (margin->def.kind == SCREE_MARGIN_BINS && speed > speeds->of_bin[margin->bin[id]])
        speeds->of_bin[margin->bin[id]] = speed;
}

/*  True if all must be mapped now, when these are the speeds. */
bool scree_margin_is_due(const scree_margin *margin, const scree_speeds *speeds);

/*  Called before all bodies are mapped: finds the lengths of this run. margin->farthest is that of the present
    bodies. */
void scree_margin_begin_run(scree_margin *margin, const scree_speeds *speeds, double dt,
                            double smallest_size);

/*  Bins: the class of a body that is mapped at this speed. */
void scree_margin_choose_bin(scree_margin *margin, uint32_t id, double speed);

/*  All bodies have been mapped. */
void scree_margin_end_run(scree_margin *margin);

/*  Called instead of a run: adds what the bodies may have moved in the previous step. */
void scree_margin_skip_run(scree_margin *margin, const scree_speeds *speeds);

/*  Called before a step of length dt. */
void scree_margin_begin_step(scree_margin *margin, double dt);

/*  The classes of speed; returns how many. `classes` may be NULL. */
uint32_t scree_margin_classes(const scree_margin *margin, const scree_store *store,
                              scree_speed_class *classes);

#endif
