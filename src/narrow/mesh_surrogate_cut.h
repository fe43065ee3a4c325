/*  Active sets of two surrogate trees: Noble and Weinzierl's multiscale Picard as far as it is geometry
    (arXiv:2105.12415, Algorithm 6).

    A cut is a set of pairs of items, surrogates or facets, that represents all pairs of facets, each once: the active
    set of a pair of bodies. It begins with the roots. A turn compares the pairs as bodies are now, and moves the cut by
    one level: pairs that touch are replaced by their children (it widens), children that are all apart, as is the pair
    they come from, by that pair (it narrows). A cut that dives continues in the same turn, until only facets touch.
    Facets that touch are contacts, as with all other engines. Surrogates that touch (stand-ins) show where there may be
    contacts below them; while there are any, contacts may be missing. If there are none, contacts are complete:
    bit-identical to those of all pairs of facets.

        scree_surrogate_cut_init(&cut);
        do {
            scree_mesh_find_cut(&finder, &search, &cut, &a, &b);
            ... bodies move a little, according to finder.contacts and cut.stand_ins ...
        } while (cut.height > 0);

    AS PUBLISHED there are two sets, each compared with each, and a clean-up that makes cuts of them again. Here the set
    is one of pairs, as in the better form of Algorithm 5: it is a cut by construction, and no two items are compared
    whose parents are apart.

    MOTION. A pair that is apart by more than its halos is not compared again until the bodies have moved so far that it
    might touch, as in a front (mesh_surrogate.h): most of a cut costs nothing if bodies hardly move between turns.

    MEMORY. Bodies may approach and separate from turn to turn, and a cut that follows them might cycle forever
    (Corollary 5.10). So a pair that has been narrowed to and widened again is never narrowed to again. */
#ifndef SCREE_MESH_SURROGATE_CUT_H
#define SCREE_MESH_SURROGATE_CUT_H

#include "narrow/mesh_surrogate.h"

/*  Two items that are, or were, in the active set. */
typedef struct scree_surrogate_branch
{
    /*  How far bodies may move until it is compared again: an active pair is apart until then, an open one is not
        narrowed to. Negative: it was near in the last turn, and enlarged halos need not be tried. */
    double until;
    uint32_t thing[2];
    uint32_t parent; /* the parent of the first is itself */
    uint32_t child;  /* the first of its children, which are consecutive */
    uint8_t level[2];
    uint8_t children; /* 0: never widened */
    /*  number of children that were apart in the last turn; if all, it may be narrowed to */
    uint8_t apart;
    bool is_apart;     /* for active pairs: it was apart in the last turn */
    bool is_open;      /* represented by its children, or theirs */
    bool was_narrowed; /* the cut was narrowed to this pair, */
    bool is_kept;      /* and it was widened again: its children stay */
} scree_surrogate_branch;

/*  Two items that touch, of which at least one is a surrogate. */
typedef struct scree_surrogate_stand_in
{
    double point[2][3]; /* nearest points of the two triangles, in the world */
    double distance;    /* above 0 */
    double halo[2];
} scree_surrogate_stand_in;

typedef struct scree_surrogate_cut
{
    bool dives; /* surrogates that touch are opened in the same turn, down to facets; false */
    scree_surrogate_branch *branches; /* the roots come first */
    uint32_t *active;
    uint32_t *next; /* children, and pairs that may be narrowed to */
    uint32_t count, active_count;
    /* of the last turn */
    scree_surrogate_stand_in *stand_ins;
    uint32_t stand_in_count;
    uint32_t
        /*  levels above facets of the coarsest pair whose children have not been compared; 0: there is none, contacts
            are complete */
        height;
    uint32_t widened,
        narrowed; /* number of pairs; children of widened ones wait for the next turn */
    /* private to the cut */
    bool forgets; /* disables the memory, for experiments; false */
    const scree_surrogate *tree[2];
    scree_mesh_pose pose[2];
    double skin[2];
    double travelled; /* since the start of the cut: largest possible approach of any two points */
    /*  Members of the active set that the next turn must compare, until bodies have moved that far; 0: all of them. */
    uint32_t *near;
    uint32_t near_count;
    double quiet_until;
    size_t capacity, active_capacity, next_capacity, near_capacity, stand_in_capacity;
} scree_surrogate_cut;

void scree_surrogate_cut_init(scree_surrogate_cut *cut);
/*  Restarts at the roots. */
void scree_surrogate_cut_reset(scree_surrogate_cut *cut);
void scree_surrogate_cut_free(scree_surrogate_cut *cut, scree_memory *memory);

/*  One turn. As scree_mesh_find_surrogates, with the traversals PAIRS or SIDES. A cut belongs to two bodies as long as
    their trees are the same, and allocates with the search's memory. After a failure it restarts at the roots. */
scree_status scree_mesh_find_cut(scree_mesh_finder *finder, scree_surrogate_search *search,
                                 scree_surrogate_cut *cut, const scree_mesh_body *a,
                                 const scree_mesh_body *b);

#endif
