/*  Margins: how far each body is enlarged, who has used up his allowance, and when all must be mapped
    anew. Works for every method, because a method only ever sees the enlarged volumes. */
#ifndef SCREE_MARGIN_H
#define SCREE_MARGIN_H

#include "detect/store.h"

/*  By id, of the last mapping. `growth` is what was added to the volume, `allowance` how far the body
    may move before it is mapped again: the same but for tolerance. `size` is the radius, or half the
    mean edge, without growth. */
#define SCREE_MARGIN_COLUMNS(X)                                                                    \
    X(double, growth)                                                                              \
    X(double, allowance)                                                                           \
    X(double, size)                                                                                \
    X(uint8_t, bin) /* class of speed; 0 is the fastest */

#define SCREE_MARGIN_MAX_BINS 100

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
    double length;  /* def.length, or its share of the smallest size, since the last run */
    double largest; /* at least the size with growth of every body */
    bool has_run;
    double now;          /* virtual time: the sum of the steps so far */
    double last_run;     /* stride: when all were mapped, */
    double next_run;     /* when they must be next, */
    double stride_speed; /* and for which speed that was found */
    double stride_growth;
    double travelled;       /* distance: what the fastest body may have moved since */
    double reference_speed; /* bins: V0 */
    double bin_travelled[SCREE_MARGIN_MAX_BINS]; /* bins: as travelled, for each */
    double bin_growth[SCREE_MARGIN_MAX_BINS];
    uint64_t steps; /* per-body: since all were mapped */
} scree_margin;

/*  What the motion of one body comes to. */
typedef struct scree_pace
{
    double speed;    /* of its fastest point */
    double dt;       /* of the step about to be taken */
    double constant; /* its own constant, or the definition's */
    double moved;    /* since it was mapped; negative: it was not there */
    uint8_t kind;
} scree_pace;

scree_status scree_margin_check(const scree_margin_def *def, scree_error *error);
void scree_margin_init(scree_margin *margin, const scree_margin_def *def, scree_memory *memory,
                       int dimensions, scree_volume volume);
scree_status scree_margin_reserve(scree_margin *margin, uint32_t bound);
void scree_margin_free(scree_margin *margin);

static inline bool scree_margin_is_on(const scree_margin *margin)
{
    return margin->def.kind != SCREE_MARGIN_NONE;
}

/*  Whether velocities must be given. */
bool scree_margin_needs_velocities(const scree_margin *margin);

/*  Radius, or half the mean edge; of a row as the caller gave it. */
double scree_margin_size(const scree_margin *margin, const scree_row *row);

/*  The tolerance of equation 1 of the specification, at this pace, and at least a millionth of the
    body's diameter; 0 for a body without size at rest and without a constant. */
double scree_margin_tolerance(const scree_margin *margin, double size, const scree_pace *pace);

/*  Maps a body: notes its allowance, and enlarges the row by its growth. */
void scree_margin_place(scree_margin *margin, scree_row *row, const scree_pace *pace);

/*  How far the farthest point of a mapped body has come out of the volume that it had when mapped. */
double scree_margin_moved(const scree_margin *margin, const scree_store *store,
                          const scree_row *row);

/*  True if a body that has moved so far must be mapped again. */
bool scree_margin_has_left(const scree_margin *margin, const scree_store *store,
                           const scree_row *row, double moved);

/* ---- mapping all at a time ---- */

/*  The greatest speeds of a step: of all, and of each class. */
typedef struct scree_speeds
{
    double greatest;
    double of_bin[SCREE_MARGIN_MAX_BINS];
} scree_speeds;

void scree_margin_add_speed(const scree_margin *margin, scree_speeds *speeds, uint32_t id,
                            double speed);

/*  True if the velocities alone say that some body may have left its volume. */
bool scree_margin_is_due(const scree_margin *margin, const scree_speeds *speeds);

/*  All bodies are about to be mapped: the lengths of this run are found. */
void scree_margin_begin_run(scree_margin *margin, const scree_speeds *speeds, double dt,
                            double smallest_size);

/*  Bins: the class of a body that is mapped at this speed. */
void scree_margin_choose_bin(scree_margin *margin, uint32_t id, double speed);

/*  All bodies have been mapped. */
void scree_margin_end_run(scree_margin *margin);

/*  The step is taken: what the bodies may move in it counts. */
void scree_margin_end_step(scree_margin *margin, const scree_speeds *speeds, double dt);

#endif
