/*  Which triangles of two meshes touch: the common part of all search methods.

    Two bodies are meshes in poses, each with a contact skin. A pair of their triangles touches if scree_triangles_touch
    says so for the triangles in the world (scree_mesh_place) and the sum of the skins; crossing triangles have distance
    0. This definition depends only on the two bodies. An engine supplies candidates: it may supply too many but must
    not miss one. The finder decides them in batches with exact kernels and sorts those that touch. So the contacts of
    all engines are bit-identical, for every SIMD instruction set:

        scree_mesh_finder_init(&finder, &memory, SCREE_SIMD_AUTO);
        scree_mesh_find_all(&finder, &a, &b);          every pair: the slow reference of all engines
        scree_mesh_find_boxes(&finder, &a, &b);        by boxes (mesh_boxes.h)
        for (k = 0; k < finder.contact_count; k++) ... finder.contacts[k] ...
        scree_mesh_finder_free(&finder);

    A finder is reusable scratch memory; use one per thread. */
#ifndef SCREE_MESH_CONTACT_H
#define SCREE_MESH_CONTACT_H

#include "base/radix_sort.h"
#include "narrow/triangle_batch.h"
#include "shape/mesh.h"

/* ---- pose of a mesh ---- */

typedef struct scree_mesh_pose
{
    double place[3];   /* position of the mesh's origin, at most 1e100 in magnitude */
    double turn[3][3]; /* rotation from the mesh frame to the world, by rows */
} scree_mesh_pose;

/*  `orientation` is w x y z. It is normalised; it must not be zero. */
scree_mesh_pose scree_mesh_pose_of(const double position[3], const double orientation[4]);

/*  The one definition of the position of a mesh point in the world: products and sums in this order, each rounded. */
static inline void scree_mesh_place(const scree_mesh_pose *pose, const double point[3],
                                    double to[3])
{
    for (int k = 0; k < 3; k++)
        to[k] = pose->turn[k][0] * point[0] + pose->turn[k][1] * point[1] +
                pose->turn[k][2] * point[2] + pose->place[k];
}

struct scree_mesh_boxes;
struct scree_surrogate;

/*  One of the two bodies. Contact skins are finite and at least 0, and at least one of the two is above 0. */
typedef struct scree_mesh_body
{
    const scree_mesh *mesh; /* of triangles */
    scree_mesh_pose pose;
    double skin;
    const struct scree_mesh_boxes
        *boxes; /* of the mesh, for scree_mesh_find_boxes; otherwise NULL */
    const struct scree_surrogate
        *tree; /* of the mesh, for scree_mesh_find_surrogates; otherwise NULL */
} scree_mesh_body;

/* ---- results ---- */

/*  A contact. Points are the nearest as the batch's comparison finds them (SCREE_TRIANGLE_POINTS_NEAREST), in the
    world. */
typedef struct scree_mesh_touch
{
    uint32_t facet[2]; /* of the first mesh and of the second */
    double distance;   /* 0: they touch or cross */
    double point[2][3];
} scree_mesh_touch;

/*  Cost statistics; each search adds to them. */
typedef struct scree_mesh_counts
{
    uint64_t boxes;      /* pairs of boxes compared */
    uint64_t candidates; /* pairs of triangles decided */
    uint64_t placed;     /* triangles brought into the world */
    uint64_t contacts;
    uint64_t apart_as_boxes; /* searches that ended with the boxes around the two meshes */
    uint64_t apart_by_plane; /* or with a separating plane */
} scree_mesh_counts;

/* ---- the finder ---- */

/*  Number of candidates decided at once: enough for full tiles, few enough for the second-level cache. */
#define SCREE_MESH_CANDIDATES 1024u

/*  One of the two bodies, and its triangles that are in the world. */
typedef struct scree_mesh_placed
{
    const scree_mesh_body *body;
    uint32_t *slot;  /* by facet: its slot below, valid if that slot holds this facet */
    uint32_t *facet; /* by slot */
    double *corners; /* by slot: nine numbers */
    size_t slot_capacity, facet_capacity, corner_capacity;
    uint32_t count;
} scree_mesh_placed;

typedef struct scree_mesh_finder
{
    /* sorted by the first facet, then by the second; valid until the next search */
    scree_mesh_touch *contacts;
    size_t contact_count;
    scree_mesh_counts counts;
    /* private to engines and the finder */
    scree_memory *memory;
    scree_simd simd;
    scree_mesh_placed side[2];
    uint32_t *candidate[2]; /* facets of each side */
    scree_triangle_touch *touches;
    uint32_t candidate_count;
    scree_mesh_touch *found; /* in the order found */
    uint64_t *key;
    uint32_t *order;
    size_t contact_capacity, found_capacity, key_capacity, order_capacity;
    scree_sorter sorter;
    uint32_t *list; /* scratch of the engine */
    size_t list_capacity;
} scree_mesh_finder;

/*  `memory` must outlive the finder. SCREE_OUT_OF_MEMORY: there is nothing to free. */
scree_status scree_mesh_finder_init(scree_mesh_finder *finder, scree_memory *memory,
                                    scree_simd simd);
void scree_mesh_finder_free(scree_mesh_finder *finder);

/*  Makes every pair of triangles a candidate. SCREE_OUT_OF_MEMORY, as for every engine: no contacts. */
scree_status scree_mesh_find_all(scree_mesh_finder *finder, const scree_mesh_body *a,
                                 const scree_mesh_body *b);

/* ---- for engines ---- */

/*  A search is: begin, offer for each candidate (in any order, each once), end. The bodies must outlive it. Pass the
    status of begin and offer to end, which returns it; after a failure there are no contacts. */
scree_status scree_mesh_finder_begin(scree_mesh_finder *finder, const scree_mesh_body *a,
                                     const scree_mesh_body *b);
scree_status scree_mesh_finder_end(scree_mesh_finder *finder, scree_status so_far);
/*  Decides the candidates collected so far. */
scree_status scree_mesh_finder_flush(scree_mesh_finder *finder);

static inline scree_status scree_mesh_finder_offer(scree_mesh_finder *finder, uint32_t first,
                                                   uint32_t second)
{
    finder->candidate[0][finder->candidate_count] = first;
    finder->candidate[1][finder->candidate_count++] = second;
    return finder->candidate_count < SCREE_MESH_CANDIDATES ? SCREE_OK
                                                           : scree_mesh_finder_flush(finder);
}

/*  Offers all pairs of the current search. */
scree_status scree_mesh_finder_offer_all(scree_mesh_finder *finder);

#endif
