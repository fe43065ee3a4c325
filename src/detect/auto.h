/*  Method "auto": looks at the bodies and at how they change, predicts what the methods it knows would
    cost, and hands everything to the cheapest. Predictions come from counts, never from clocks: which
    method is at work, and so the order of the pairs, is a function of the calls alone. What the pairs
    are depends on no method.

    auto.c         the method: what is chosen, when it is looked at again, switching
    auto_boxes.c   boxes of spheres, for those of the methods that want them
    auto_look.c    features of a scene, from a small sample
    auto_predict.c what each method costs on such a scene */
#ifndef SCREE_AUTO_H
#define SCREE_AUTO_H

#include "detect/method.h"

typedef enum scree_auto_choice
{
    SCREE_AUTO_ALL_PAIRS,
    SCREE_AUTO_FLAT,
    SCREE_AUTO_BVH8,
    SCREE_AUTO_INSERTION,
    SCREE_AUTO_CHOICES
} scree_auto_choice;

/*  Bodies of a sample at most: so many that in a million bodies a cluster of a hundred in one cell shows. */
#define SCREE_AUTO_SAMPLE 2048u

/*  Pairs a body that are expected where nothing is known: of so few bodies that none is looked at, and where they
    lie in clusters, from this crowding on, as the sample does not tell how dense these are. */
#define SCREE_AUTO_USUAL_PAIRS 3.0
#define SCREE_AUTO_CROWDED 3.0
/*  Pairs a body that are expected at most: a single giant may meet all others, which says nothing of the cost of
    the others. */
#define SCREE_AUTO_MAX_PAIRS 5.0

/*  How bodies have changed lately. */
typedef struct scree_auto_motion
{
    bool from_nothing;       /* the structure is to be built, not updated */
    double dirty_share;      /* of the bodies that moved in a step: 1 if all were given */
    uint32_t steps_in_a_row; /* without a build from nothing */
    uint32_t few_in_a_row;   /* steps in which only few moved, up to now */
    double exchanges;        /* a body and step, by insertion sort; 0 while it is not at work */
    double found; /* pairs a body in the last whole search of this structure; below 0: none yet */
    bool insertion_is_beaten; /* it was tried on these bodies and exchanged too many */
} scree_auto_motion;

typedef struct scree_auto_features
{
    uint32_t bodies;
    int dimensions;
    bool has_spheres;
    double size_ratio;  /* the largest size over the smallest, of those above 0 */
    double large_share; /* of the bodies twice as large as the mean, taken by logarithms */
    double slenderness; /* mean of the longest edge of a box over the mean edge; 1 for spheres */
    double
        crowding; /* bodies in a body's cell over those of a uniform scene; about 1 if it is one */
    double far_share; /* of the bodies that lie far away from the others */
    double expected;  /* pairs a body: what random places give, SCREE_AUTO_MAX_PAIRS at most */
    scree_auto_motion motion;
} scree_auto_features;

typedef struct scree_auto
{
    scree_auto_choice chosen;
    void *inner
        [SCREE_AUTO_CHOICES]; /* states of the methods; only that of the chosen one is filled */
    uint32_t steps_to_look, interval; /* until the scene is looked at again */
    scree_auto_features features;
    double predicted[SCREE_AUTO_CHOICES]; /* nanoseconds a body and step */
    double
        measured[SCREE_AUTO_CHOICES]; /* the same, when last at work; 0: never. Shown, not used */
    uint64_t looks, switches;
    scree_stats past; /* figures "so far" of the methods that were at work before */
    scree_box *box;   /* by id, of spheres, while a method that wants them is at work; else NULL */
    size_t box_capacity;
} scree_auto;

const scree_method *scree_auto_method(scree_auto_choice choice);

/*  What the method at work is shown: with boxes, if it wants them. */
scree_bodies scree_auto_show(const scree_auto *self, const scree_bodies *bodies);
/*  Before that: boxes of the bodies in ids[0..count), or of all active ones if ids is NULL, as they are now.
    Gives them back where the method at work wants none. SCREE_OUT_OF_MEMORY. */
scree_status scree_auto_bound(scree_auto *self, const scree_method_env *env,
                              const scree_bodies *bodies, const uint32_t *ids, size_t count);
void scree_auto_free_boxes(scree_auto *self, const scree_method_env *env);

/*  All features but motion. */
void scree_auto_look(scree_auto_features *features, const scree_bodies *bodies);

/*  Pairs a body: found, or expected. */
double scree_auto_pairs(const scree_auto_features *features);

/*  INFINITY where a method is no choice. */
double scree_auto_predict(const scree_auto_features *features, scree_auto_choice choice);

/*  One sentence. */
const char *scree_auto_reason(const scree_auto_features *features, scree_auto_choice choice);

#endif
