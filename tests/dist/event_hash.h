/*  A hash of everything that an event says. */
#ifndef TEST_DIST_EVENT_HASH_H
#define TEST_DIST_EVENT_HASH_H

#include "base/hash.h"
#include "scree/event.h"

static inline uint64_t hash_event(uint64_t hash, const scree_event *event)
{
    hash = scree_hash_word(hash, (uint64_t)event->kind);
    hash = scree_hash_words(hash, &event->step, sizeof event->step);
    hash = scree_hash_words(hash, &event->time, sizeof event->time);
    hash = scree_hash_words(hash, &event->first, sizeof event->first);
    hash = scree_hash_words(hash, &event->second, sizeof event->second);
    hash = scree_hash_words(hash, &event->first_serial, sizeof event->first_serial);
    hash = scree_hash_words(hash, &event->second_serial, sizeof event->second_serial);
    hash = scree_hash_words(hash, &event->wall, sizeof event->wall);
    hash = scree_hash_word(hash, event->facet);
    hash = scree_hash_words(hash, event->point, sizeof event->point);
    hash = scree_hash_words(hash, event->normal, sizeof event->normal);
    hash = scree_hash_words(hash, &event->speed, sizeof event->speed);
    hash = scree_hash_words(hash, &event->duration, sizeof event->duration);
    hash = scree_hash_words(hash, event->impulse, sizeof event->impulse);
    return scree_hash_word(hash, (uint64_t)event->cause);
}

#endif
