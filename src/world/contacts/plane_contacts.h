/*  Contacts of spheres with planes while steps are made in place. Each body that may touch a plane is listed, with
    the contact history, and stays in the list until steps are no longer in place. Then the list of wall contacts is
    made from it. It replaces `now` of scree_wall_contacts if all walls are planes and all contacts have the same dry
    contact model. */
#ifndef SCREE_WORLD_PLANE_CONTACTS_H
#define SCREE_WORLD_PLANE_CONTACTS_H

#include "law/law_table.h"
#include "scree/law.h"
#include "world/state/bodies.h"
#include "world/state/walls.h"

/*  Of each plane, in rows of four: position, velocity, angular velocity, normal. */
#define SCREE_PLANE_ROWS 6u

struct scree_wall_contacts;

typedef struct scree_plane_contacts
{
    bool is_on;
    bool is_lost;   /* a body came near a plane with other parameters: the step in place fails */
    uint32_t law;   /* pair parameters of all contacts; 0: there are none yet */
    size_t count;   /* followed by padding up to a full vector */
    uint32_t *body; /* slot */
    uint32_t *wall; /* index in the list of walls */
    uint32_t *next; /* contact of the same body; UINT32_MAX: this is the last */
    uint8_t *touches;
    double *history[SCREE_MAX_MEMORY];
    uint32_t *first; /* of the body in slot s; UINT32_MAX: none */
    size_t body_capacity, wall_capacity, next_capacity, touches_capacity, first_capacity;
    size_t history_capacity[SCREE_MAX_MEMORY];
    double *gone;  /* for each SCREE_TRAVEL_ROWS bodies: largest displacement since, */
    double *least; /* smallest remaining distance before it: see scree_wall_contact_search */
    size_t gone_capacity, min_capacity;
    double (*wall_rows)[SCREE_PLANE_ROWS][4];
    size_t wall_row_capacity;
} scree_plane_contacts;

void scree_plane_contacts_free(scree_plane_contacts *planes, scree_memory *memory);
/*  Makes the list from the contacts and potential contacts after a step. is_on says whether that was possible.
    SCREE_OUT_OF_MEMORY. */
scree_status scree_plane_contacts_begin(struct scree_wall_contacts *wall_contacts,
                                        const scree_body_arrays *bodies, const scree_walls *walls,
                                        const scree_rules *rules);
/*  The potential contacts of a body have changed: adds those that are not listed. SCREE_OUT_OF_MEMORY. */
scree_status scree_plane_contacts_follow(struct scree_wall_contacts *wall_contacts,
                                         const scree_body_arrays *bodies, const scree_walls *walls,
                                         const scree_rules *rules, uint32_t slot);
/*  The remaining distances of the bodies of a block have changed; measures the smallest, without displacements
    since. */
void scree_plane_contacts_measure(struct scree_wall_contacts *wall_contacts, size_t block,
                                  uint32_t bodies);
/*  Turns the list into wall contacts again. There must be room for them. */
void scree_plane_contacts_end(struct scree_wall_contacts *wall_contacts, const scree_rules *rules,
                              uint32_t bodies);

#endif
