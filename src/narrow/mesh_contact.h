/*  Which triangles of two meshes touch: what all ways of finding them have in common.

    Two bodies are meshes in poses, each with a halo. A pair of their triangles touches if scree_triangles_touch says
    so of the triangles in the world (scree_mesh_place) and the sum of the halos: crossing triangles are at distance
    0. That is the truth, and it depends on nothing but the two bodies. An engine names candidates, of which it may
    name too many but must not leave one out; the finder decides them by batches of exact kernels and puts what
    touches in order. So all engines give the same contacts, to the bit, at every SIMD level:

        scree_mesh_finder_init(&finder, &memory, SCREE_SIMD_AUTO);
        scree_mesh_find_all(&finder, &a, &b);          every pair: the slow twin of all engines
        scree_mesh_find_boxes(&finder, &a, &b);        by boxes (mesh_boxes.h)
        for (k = 0; k < finder.contact_count; k++) ... finder.contacts[k] ...
        scree_mesh_finder_free(&finder);

    A finder is scratch memory that is used again and again; one for each thread. */
#ifndef SCREE_MESH_CONTACT_H
#define SCREE_MESH_CONTACT_H

#include "base/radix_sort.h"
#include "narrow/triangle_batch.h"
#include "shape/mesh.h"

/* ---- where a mesh is ---- */

typedef struct scree_mesh_pose
{
    double place[3];   /* of the mesh's origin, at most 1e100 in magnitude */
    double turn[3][3]; /* from the mesh's frame to the world's, by rows */
} scree_mesh_pose;

/*  `orientation` is w x y z, and is brought to unit length; it is not zero. */
scree_mesh_pose scree_mesh_pose_of(const double position[3], const double orientation[4]);

/*  The one definition of where a point of a mesh is in the world: products and sums in this order, each rounded. */
static inline void scree_mesh_place(const scree_mesh_pose *pose, const double point[3],
                                    double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = pose->turn[k][0] * point[0] + pose->turn[k][1] * point[1] +
                pose->turn[k][2] * point[2] + pose->place[k];
}

struct scree_mesh_boxes;
struct scree_surrogate;

/*  One of the two. Halos are finite and at least 0, and one of the two is above. */
typedef struct scree_mesh_body
{
    const scree_mesh *mesh; /* of triangles */
    scree_mesh_pose pose;
    double halo;
    const struct scree_mesh_boxes *boxes; /* of the mesh, for scree_mesh_find_boxes; else NULL */
    const struct scree_surrogate *tree; /* of the mesh, for scree_mesh_find_surrogates; else NULL */
} scree_mesh_body;

/* ---- what is found ---- */

/*  Points are the nearest as the batch's comparison finds them (SCREE_TRIANGLE_POINTS_NEAREST), in the world. */
typedef struct scree_mesh_touch
{
    uint32_t facet[2]; /* of the first mesh and of the second */
    double distance;   /* 0: they touch or cross */
    double point[2][3];
} scree_mesh_touch;

/*  What it took; each search adds. */
typedef struct scree_mesh_counts
{
    uint64_t boxes;      /* pairs of boxes compared */
    uint64_t candidates; /* pairs of triangles decided */
    uint64_t placed;     /* triangles brought into the world */
    uint64_t contacts;
    uint64_t apart_as_boxes; /* searches that ended with the boxes around both */
    uint64_t apart_by_plane; /* or with a plane between them */
} scree_mesh_counts;

/* ---- the finder ---- */

/*  Candidates that are decided at once: enough for full tiles, few enough to stay in the second-level cache. */
#define SCREE_MESH_CANDIDATES 1024u

/*  One of the two bodies, and which of its triangles have been brought into the world. */
typedef struct scree_mesh_placed
{
    const scree_mesh_body *body;
    uint32_t *slot;  /* by facet: where it is below, if what is there is this facet */
    uint32_t *facet; /* by slot */
    double *corners; /* by slot: nine numbers */
    size_t slot_capacity, facet_capacity, corner_capacity;
    uint32_t count;
} scree_mesh_placed;

typedef struct scree_mesh_finder
{
    /* sorted by the first facet, then by the second; until the next search */
    scree_mesh_touch *contacts;
    size_t contact_count;
    scree_mesh_counts counts;
    /* the rest is for engines and for the finder itself */
    scree_memory *memory;
    scree_simd simd;
    scree_mesh_placed side[2];
    uint32_t *candidate[2]; /* facets of each side */
    scree_triangle_touch *touches;
    uint32_t candidate_count;
    scree_mesh_touch *found; /* as they come */
    uint64_t *key;
    uint32_t *order;
    size_t contact_capacity, found_capacity, key_capacity, order_capacity;
    scree_sorter sorter;
    uint32_t *list; /* an engine's own */
    size_t list_capacity;
} scree_mesh_finder;

/*  `memory` outlives the finder. SCREE_OUT_OF_MEMORY: there is nothing to free. */
scree_status scree_mesh_finder_init(scree_mesh_finder *finder, scree_memory *memory,
                                    scree_simd simd);
void scree_mesh_finder_free(scree_mesh_finder *finder);

/*  Every pair of triangles is a candidate. SCREE_OUT_OF_MEMORY: no contacts; as of every engine. */
scree_status scree_mesh_find_all(scree_mesh_finder *finder, const scree_mesh_body *a,
                                 const scree_mesh_body *b);

/* ---- for engines ---- */

/*  A search is begin, offer for each candidate (in any order, each once), end. The bodies outlive it. What begin and
    offer came to is handed to end, which returns it; after a failure there are no contacts. */
scree_status scree_mesh_finder_begin(scree_mesh_finder *finder, const scree_mesh_body *a,
                                     const scree_mesh_body *b);
scree_status scree_mesh_finder_end(scree_mesh_finder *finder, scree_status so_far);
/*  Decides the candidates so far. */
scree_status scree_mesh_finder_flush(scree_mesh_finder *finder);

static inline scree_status scree_mesh_finder_offer(scree_mesh_finder *finder, uint32_t first,
                                                   uint32_t second)
{
    finder->candidate[0][finder->candidate_count] = first;
    finder->candidate[1][finder->candidate_count++] = second;
    return finder->candidate_count < SCREE_MESH_CANDIDATES ? SCREE_OK
                                                           : scree_mesh_finder_flush(finder);
}

/*  All pairs of the search that has begun. */
scree_status scree_mesh_finder_offer_all(scree_mesh_finder *finder);

#endif
