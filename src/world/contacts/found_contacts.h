/*  All contacts of an evaluation, for code that runs after forces have been found: one reader of the three lists, of
    pairs of spheres, of wall contacts, and of contacts of shapes. It goes in the order in which forces are summed.

        scree_contact_walk walk = scree_contacts_of(contacts, slot);
        for (scree_found_contact c; scree_next_contact(&walk, &c);)
            sum += scree_account_of(contacts, &c)[0]; */
#ifndef SCREE_WORLD_FOUND_CONTACTS_H
#define SCREE_WORLD_FOUND_CONTACTS_H

#include "world/contacts/contact_history.h"
#include "world/contacts/shape_contact_list.h"
#include "world/contacts/stiffness_row.h"
#include "world/contacts/wall_contact_list.h"
#include "world/state/cell_box.h"

/*  Contacts of the current evaluation, their bodies, and their forces. step/room_data.c fills it after forces are
    found. Force records are NULL in a step that does not store them; code that reads them within a step must be
    named in rows_are_wanted (step/evaluate.c). */
typedef struct scree_found_contacts
{
    const scree_body_arrays *bodies;
    const scree_walls *walls;
    const scree_domain *domain; /* at the end of the step */
    const scree_contact_list *pairs;
    const scree_contact_sets *exerted; /* for pairs */
    const scree_wall_contact_list *wall_contacts;
    const scree_shape_contact_list *shapes;
    const double (*pair_row)[8], (*wall_row)[8]; /* force records in these, by contact */
    /* by contact, if the step requests it: */
    const scree_stiffness_row *stiffness, *wall_stiffness, *shape_stiffness;
} scree_found_contacts;

/*  The lists, in the order in which forces are summed. */
typedef enum scree_found_in
{
    SCREE_IN_PAIRS,
    SCREE_IN_WALL_CONTACTS,
    SCREE_IN_SHAPES,
} scree_found_in;

typedef struct scree_found_contact
{
    scree_found_in list;
    uint32_t index;         /* in that list */
    uint32_t first, second; /* slots; second is UINT32_MAX at walls: */
    uint32_t wall;          /* index of the wall, or UINT32_MAX */
    bool is_second;         /* of the contacts of a body: the body is the second */
} scree_found_contact;

typedef struct scree_contact_walk
{
    const scree_found_contacts *contacts;
    scree_found_in list; /* the present one, from `at` to `end`: */
    uint32_t at, end;
    const uint32_t *entry; /* 2 * contact + (1 if second); NULL: the contacts themselves */
    uint32_t slot;         /* of the body; UINT32_MAX: all bodies */
} scree_contact_walk;

/*  Lists without contacts need not have an index. */
static inline void scree_walk_list(scree_contact_walk *walk, scree_found_in list)
{
    const scree_found_contacts *contacts = walk->contacts;
    const scree_contact_list *pairs = contacts->pairs;
    const scree_wall_contact_list *walls = contacts->wall_contacts;
    const scree_shape_contact_list *shapes = contacts->shapes;
    const size_t count = list == SCREE_IN_PAIRS           ? pairs->count
                         : list == SCREE_IN_WALL_CONTACTS ? walls->count
                                                          : shapes->count;
    const uint32_t slot = walk->slot;

    walk->list = list;
    walk->at = 0;
    walk->end = (uint32_t)count;
    walk->entry = NULL;
    if (slot == UINT32_MAX || count == 0)
        return;
    if (list == SCREE_IN_PAIRS) {
        walk->entry = pairs->entry;
        walk->at = pairs->begin[slot];
        walk->end = pairs->end[slot];
    } else if (list == SCREE_IN_WALL_CONTACTS) {
        walk->at = walls->begin[slot];
        walk->end = walls->end[slot];
    } else {
        walk->entry = shapes->entry;
        walk->at = shapes->begin[slot];
        walk->end = shapes->begin[slot + 1];
    }
}

/*  All contacts of the body in a slot: pairs by global id of the partner, then walls, then shapes. */
static inline scree_contact_walk scree_contacts_of(const scree_found_contacts *contacts,
                                                   uint32_t slot)
{
    scree_contact_walk walk = {.contacts = contacts, .slot = slot};

    scree_walk_list(&walk, SCREE_IN_PAIRS);
    return walk;
}

/*  All contacts of all bodies, each once. */
static inline scree_contact_walk scree_all_contacts(const scree_found_contacts *contacts)
{
    return scree_contacts_of(contacts, UINT32_MAX);
}

/*  All contacts with walls, and those of shapes with bodies. */
static inline scree_contact_walk scree_all_contacts_but_pairs(const scree_found_contacts *contacts)
{
    scree_contact_walk walk = {.contacts = contacts, .slot = UINT32_MAX};

    scree_walk_list(&walk, SCREE_IN_WALL_CONTACTS);
    return walk;
}

static inline bool scree_next_pair(scree_contact_walk *walk, scree_found_contact *found)
{
    const scree_contact_list *pairs = walk->contacts->pairs;

    while (walk->at < walk->end) {
        const uint32_t e = walk->at++, entry = walk->entry ? walk->entry[e] : 2 * e;
        const uint32_t c = entry >> 1;
        if (!pairs->touches_next[c][0])
            continue;
        *found = (scree_found_contact){.list = SCREE_IN_PAIRS,
                                       .index = c,
                                       .first = pairs->first[c][0],
                                       .second = pairs->second[c][0],
                                       .wall = UINT32_MAX,
                                       .is_second = entry & 1};
        return true;
    }
    return false;
}

static inline bool scree_next_wall_contact(scree_contact_walk *walk, scree_found_contact *found)
{
    const scree_wall_contact_list *walls = walk->contacts->wall_contacts;

    if (walk->at == walk->end)
        return false;
    const uint32_t c = walk->at++;
    *found = (scree_found_contact){.list = SCREE_IN_WALL_CONTACTS,
                                   .index = c,
                                   .first = walls->body[c][0],
                                   .second = UINT32_MAX,
                                   .wall = walls->wall[c][0]};
    return true;
}

static inline bool scree_next_of_shapes(scree_contact_walk *walk, scree_found_contact *found)
{
    if (walk->at == walk->end)
        return false;
    const uint32_t e = walk->at++, entry = walk->entry ? walk->entry[e] : 2 * e;
    found->list = SCREE_IN_SHAPES;
    found->index = entry >> 1;
    found->is_second = entry & 1;
    scree_shape_contacts_placed(walk->contacts->shapes, found->index, &found->first, &found->second,
                                &found->wall);
    return true;
}

/*  Fills `found` with the next contact; false if there is none. Pairs that do not touch are left out. */
static inline bool scree_next_contact(scree_contact_walk *walk, scree_found_contact *found)
{
    if (walk->list == SCREE_IN_PAIRS) {
        if (scree_next_pair(walk, found))
            return true;
        scree_walk_list(walk, SCREE_IN_WALL_CONTACTS);
    }
    if (walk->list == SCREE_IN_WALL_CONTACTS) {
        if (scree_next_wall_contact(walk, found))
            return true;
        scree_walk_list(walk, SCREE_IN_SHAPES);
    }
    return scree_next_of_shapes(walk, found);
}

/*  The other body of a contact of a body; UINT32_MAX: a wall. */
static inline uint32_t scree_partner_of(const scree_found_contact *found)
{
    return found->is_second ? found->first : found->second;
}

/*  Elastic energy and three losses; behind them the work of the wall, but not for pairs. */
static inline const double *scree_account_of(const scree_found_contacts *contacts,
                                             const scree_found_contact *found)
{
    return found->list == SCREE_IN_PAIRS           ? contacts->exerted->account[found->index]
           : found->list == SCREE_IN_WALL_CONTACTS ? contacts->wall_contacts->account[found->index]
                                                   : contacts->shapes->account[found->index];
}

/*  The record of a contact: the first three numbers are the force on the first body. */
static inline const double *scree_force_of(const scree_found_contacts *contacts,
                                           const scree_found_contact *found)
{
    return found->list == SCREE_IN_PAIRS           ? contacts->pair_row[found->index]
           : found->list == SCREE_IN_WALL_CONTACTS ? contacts->wall_row[found->index]
                                                   : contacts->shapes->row[found->index];
}

/*  Position and overlap; not of pairs, whose points follow from the bodies. */
static inline const double *scree_point_of(const scree_found_contacts *contacts,
                                           const scree_found_contact *found)
{
    return found->list == SCREE_IN_SHAPES ? contacts->shapes->point[found->index]
                                          : contacts->wall_contacts->point[found->index];
}

/*  The part of the torque on the first that is not due to the force; not of pairs. */
static inline const double *scree_moment_of(const scree_found_contacts *contacts,
                                            const scree_found_contact *found)
{
    return found->list == SCREE_IN_SHAPES ? contacts->shapes->moment[found->index]
                                          : contacts->wall_contacts->moment[found->index];
}

/*  In steps that request it. */
static inline const double *scree_stiffness_of(const scree_found_contacts *contacts,
                                               const scree_found_contact *found)
{
    return found->list == SCREE_IN_PAIRS           ? contacts->stiffness[found->index]
           : found->list == SCREE_IN_WALL_CONTACTS ? contacts->wall_stiffness[found->index]
                                                   : contacts->shape_stiffness[found->index];
}

/*  Index of the pair parameters. */
static inline uint32_t scree_law_slot_of(const scree_found_contacts *contacts,
                                         const scree_found_contact *found)
{
    return found->list == SCREE_IN_PAIRS           ? contacts->pairs->slot[found->index][0]
           : found->list == SCREE_IN_WALL_CONTACTS ? contacts->wall_contacts->slot[found->index][0]
                                                   : contacts->shapes->slot[found->index][0];
}

#endif
