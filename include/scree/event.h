/*  scree/event.h: what happened in the last steps: contacts that began, ended or became deeper than contact skins, bonds
    and joints that broke, bodies that fell asleep, woke or left the domain.

        def.events = true;
        ...
        scree_world_step(world, 100);
        const scree_event *events;
        size_t count;
        scree_world_events(world, &events, &count);
        for (size_t k = 0; k < count; k++)
            if (events[k].kind == SCREE_EVENT_CONTACT_BEGIN && events[k].speed > 0.1)
                play_sound(events[k].point, events[k].speed);

    The list is that of the last call of scree_world_step or scree_world_advance. It does not depend on the detection
    method, the number of threads or the order of bodies in memory, and states are the same with and without it. It
    costs a pass over all contacts in each step. */
#ifndef SCREE_EVENT_H
#define SCREE_EVENT_H

#include "scree/bond.h"
#include "scree/joint.h"

#ifdef __cplusplus
extern "C" {
#endif

/*  The kinds of events. */
typedef enum scree_event_kind
{
    /*  Two bodies, or a body and a wall, came into contact. A contact with a wall that moves from facet to facet
        continues. All contacts of a mesh, block or clump with another body or wall count as one, with facet 0. */
    SCREE_EVENT_CONTACT_BEGIN,
    /*  A contact ended. Contacts of bodies and walls that the host removes end without an event. */
    SCREE_EVENT_CONTACT_END,
    SCREE_EVENT_BOND_BROKE,  /* a bond broke, see `cause` */
    SCREE_EVENT_FELL_ASLEEP, /* a body fell asleep (scree/sleep.h) */
    SCREE_EVENT_WOKE,        /* forces woke a body; without an event if the host has changed it */
    SCREE_EVENT_BODY_LEFT,   /* the domain boundary removed a body (SCREE_BOUNDARY_DESTROY) */
    SCREE_EVENT_JOINT_BROKE, /* a joint broke */
    /*  A joint was removed with a body or wall; if the host removed that, the event is one of the next step. */
    SCREE_EVENT_JOINT_LOST,
    /*  Two surfaces of meshes or blocks, or one and a plane or mesh wall, began to cross: the contact is deeper than the contact
        skins. A thicker skin, a stiffer law or slower impacts avoid that. */
    SCREE_EVENT_DEEP,
} scree_event_kind;

/*  An event. Members that a kind does not use are 0. */
typedef struct scree_event
{
    scree_event_kind kind; /* what happened */
    uint64_t step;         /* the step in which it happened */
    double time;           /* the time at the end of that step, s */
    /*  As in scree_contact. Of kinds with one body that is `first`. A body that left has no handle any more: it names
        nothing, but equals the one that it had. */
    scree_body_id first, second;
    uint64_t first_serial, second_serial; /* global ids; second 0: there is none */
    scree_wall_id wall;                   /* none between bodies */
    uint32_t facet;                       /* facet of the wall */
    /*  CONTACT_BEGIN, DEEP, BOND_BROKE: place and unit normal from first to second, as in scree_contact, or scree_break.
        BODY_LEFT: `point` is its position. JOINT_BROKE: point and axis of the joint, as in scree_joint. */
    double point[3], normal[3];
    /*  CONTACT_BEGIN, DEEP: velocity of approach along the normal at the start of the step, m/s; negative if they separate.
        BODY_LEFT: speed of the body. */
    double speed;
    /*  CONTACT_END: how long it lasted, s, and the impulse of its force on first, N s; both since it began, or since
        the world was restored from a snapshot or checkpoint if that was later. */
    double duration, impulse[3];
    scree_break_cause cause; /* BOND_BROKE: why */
    scree_joint_id joint;    /* JOINT_BROKE, JOINT_LOST: which */
} scree_event;

/*  Lists the events of the last call of scree_world_step or scree_world_advance, in the order of steps. In a step first
    come contacts, in the order of scree_world_contacts; then the other kinds, in the order of scree_event_kind, each by
    global ids. The list is valid until the next call that takes the world without const. SCREE_BAD_ARGUMENT: NULL,
    or def.events is false; SCREE_OUT_OF_MEMORY: events of bodies are missing, as there was no memory for them. */
SCREE_API scree_status scree_world_events(scree_world *world, const scree_event **events,
                                          size_t *count);

#ifdef __cplusplus
}
#endif

#endif
