/*  Contacts of spheres with planes while steps are made in place. Whoever may touch a plane is listed, with what the contact
    remembers, and stays so until steps are not in place any more: then the list of contacts with walls is made from it.

    So it stands for `now` of scree_surfaces, where all walls are planes and all contacts go by one dry law. */
#ifndef SCREE_WORLD_PLANE_CONTACTS_H
#define SCREE_WORLD_PLANE_CONTACTS_H

#include "law/law_table.h"
#include "scree/law.h"
#include "world/state/bodies.h"
#include "world/state/walls.h"

/*  Of each plane: place, velocity, spin, normal, in rows of four. */
#define SCREE_PLANE_ROWS 4u

struct scree_surfaces;

typedef struct scree_plane_contacts
{
    bool is_on;
    bool is_lost;   /* a body has come near a plane by another law: the step in place fails */
    uint32_t law;   /* slot in the table of laws, of all; 0: there are none yet */
    size_t count;   /* then room follows up to a full vector */
    uint32_t *body; /* slot */
    uint32_t *wall; /* place in the list of walls */
    uint32_t *next; /* of the same body; UINT32_MAX: it is the last */
    uint8_t *touches;
    double *remembered[SCREE_MAX_MEMORY];
    uint32_t *first; /* of the body in slot s; UINT32_MAX: it is near none */
    size_t body_capacity, wall_capacity, next_capacity, touches_capacity, first_capacity;
    size_t remembered_capacity[SCREE_MAX_MEMORY];
    double *gone;  /* of each SCREE_TRAVEL_ROWS bodies: their way since, at most, */
    double *least; /* and the least that is left of them, before that: see scree_surface_search */
    size_t gone_capacity, least_capacity;
    double (*wall_rows)[SCREE_PLANE_ROWS][4];
    size_t wall_row_capacity;
} scree_plane_contacts;

void scree_plane_contacts_free(scree_plane_contacts *planes, scree_memory *memory);
/*  From contacts and candidates as they are after a step; is_on says whether that could be done. SCREE_OUT_OF_MEMORY. */
scree_status scree_plane_contacts_begin(struct scree_surfaces *surfaces, const scree_crowd *bodies,
                                        const scree_walls *walls, const scree_rules *rules);
/*  A body has other candidates: those that are not listed yet, are. SCREE_OUT_OF_MEMORY. */
scree_status scree_plane_contacts_follow(struct scree_surfaces *surfaces, const scree_crowd *bodies,
                                         const scree_walls *walls, const scree_rules *rules,
                                         uint32_t slot);
/*  What is left of the bodies of a block, without what they have gone since, has changed. */
void scree_plane_contacts_measure(struct scree_surfaces *surfaces, size_t block, uint32_t bodies);
/*  To contacts with walls again. There is room for them. */
void scree_plane_contacts_end(struct scree_surfaces *surfaces, const scree_rules *rules,
                              uint32_t bodies);

#endif
