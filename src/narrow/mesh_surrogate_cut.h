/*  Active sets of two surrogate trees: Noble and Weinzierl's multiscale Picard as far as it is geometry (arXiv:2105.12415,
    Algorithm 6).

    A cut is a set of pairs of things, surrogates or facets, that stands for all pairs of facets, each once: the active set
    of a pair of bodies. It begins with the roots. A turn compares the pairs as bodies are now, and moves the cut by one
    level: pairs that touch are replaced by their children (it widens), children that are all apart, as is the pair they
    come from, by that pair (it narrows). A cut that dives goes on in the same turn, until nothing but facets touches. Facets that touch are contacts as of all other engines. Surrogates that touch
    say that something may be under them, and where; as long as there are some, contacts may be missing. Where there
    are none, contacts are whole: those of all pairs of facets, to the bit.

        scree_surrogate_cut_init(&cut);
        do {
            scree_mesh_find_cut(&finder, &search, &cut, &a, &b);
            ... bodies move a little, by what finder.contacts and cut.stand_ins say ...
        } while (cut.height > 0);

    AS PUBLISHED there are two sets, each compared with each, and a clean-up that makes cuts of them again. Here the set is one of
    pairs, as in the better form of Algorithm 5: it is a cut by construction, and nobody is compared with whom his parents
    have nothing to do with.

    WAYS. What is apart by more than its halos is not compared again until the bodies have moved so far that it might touch, as in
    a front (mesh_surrogate.h): most of a cut costs nothing in turns between which bodies hardly move.

    MEMORY. Bodies may come and go from turn to turn, and a cut that follows them might for ever do so (Corollary 5.10). So
    a pair that has been narrowed to and widened again is not narrowed to any more. */
#ifndef SCREE_MESH_SURROGATE_CUT_H
#define SCREE_MESH_SURROGATE_CUT_H

#include "narrow/mesh_surrogate.h"

/*  Two things that are, or were, in the active set. */
typedef struct scree_surrogate_branch
{
    /*  How far bodies may have travelled until it is looked at again: one that is active is apart till then, one that is
        open not narrowed to. Negative: it was near in the last turn, and wider halos need not be tried. */
    double until;
    uint32_t thing[2];
    uint32_t parent; /* of the first: itself */
    uint32_t child;  /* the first of its children, which follow each other */
    uint8_t level[2];
    uint8_t children;  /* 0: never widened */
    uint8_t apart;     /* of these, in the last turn; all: perhaps to be narrowed to */
    bool is_apart;     /* active: it was, in the last turn */
    bool is_open;      /* its children stand for it, or theirs */
    bool was_narrowed; /* to this one, */
    bool is_kept;      /* and it was widened again: its children stay */
} scree_surrogate_branch;

/*  Two things that touch of which one at least is a surrogate. */
typedef struct scree_surrogate_stand_in
{
    double point[2][3]; /* the nearest of the two triangles, in the world */
    double distance;    /* above 0 */
    double halo[2];
} scree_surrogate_stand_in;

typedef struct scree_surrogate_cut
{
    bool dives; /* surrogates that touch are opened in the same turn, down to facets; false */
    scree_surrogate_branch *branches; /* the roots first */
    uint32_t *active;
    uint32_t *next; /* children, and pairs that may be narrowed to */
    uint32_t count, active_count;
    /* of the last turn */
    scree_surrogate_stand_in *stand_ins;
    uint32_t stand_in_count;
    uint32_t
        height; /* levels above facets of the coarsest pair whose children were not looked at yet; 0: there is none,
                        contacts are whole */
    uint32_t widened, narrowed; /* pairs: the former those whose children wait for the next turn */
    /* the rest is the cut's own */
    bool forgets; /* without the memory, to see what it is for; false */
    const scree_surrogate *tree[2];
    scree_mesh_pose pose[2];
    double halo[2];
    double travelled; /* since the cut was begun: how much nearer anything may have come, at most */
    /*  What the next turn has to look at of the active set, until bodies have travelled so far; 0: all of it. */
    uint32_t *near;
    uint32_t near_count;
    double quiet_until;
    size_t capacity, active_capacity, next_capacity, near_capacity, stand_in_capacity;
} scree_surrogate_cut;

void scree_surrogate_cut_init(scree_surrogate_cut *cut);
/*  The roots again. */
void scree_surrogate_cut_reset(scree_surrogate_cut *cut);
void scree_surrogate_cut_free(scree_surrogate_cut *cut, scree_memory *memory);

/*  One turn. As scree_mesh_find_surrogates; of its traversals PAIRS or SIDES. A cut belongs to two bodies as long as their
    trees are the same, and takes memory from the search's. After a failure it begins with the roots. */
scree_status scree_mesh_find_cut(scree_mesh_finder *finder, scree_surrogate_search *search,
                                 scree_surrogate_cut *cut, const scree_mesh_body *a,
                                 const scree_mesh_body *b);

#endif
