/*  Rows of fields that several functions of the language have. A file defines OF(member), the offset in its record. */
#ifndef SCENE_FIELD_ROWS_H
#define SCENE_FIELD_ROWS_H

#include "language.h"

/*  groups and meets; `which` can touch: "it", "they". */
#define SCENE_GROUP_ROWS(own_groups, other_groups, which)                                          \
    {.name = "groups",                                                                             \
     .type = SCENE_GROUPS,                                                                         \
     OF(own_groups),                                                                               \
     .standard = "{1}",                                                                            \
     .help = "groups, numbers from 1 to 64"},                                                      \
    {                                                                                              \
        .name = "meets", .type = SCENE_GROUPS, OF(other_groups), .standard = "all",                \
        .help = "groups with which " which " can touch"                                            \
    }

#define SCENE_TEMPERATURE_ROW(member)                                                              \
    {                                                                                              \
        .name = "temperature", .type = SCENE_NUMBER, OF(member), SCENE_WITHIN(0, 1e9),             \
        .unit = "K", .standard = "that of heat", .help = "at the start; requires heat { }"         \
    }

/*  start and stop of what lasts for a time. */
#define SCENE_PERIOD_ROWS(start_member, stop_member)                                               \
    {.name = "start",                                                                              \
     .type = SCENE_NUMBER,                                                                         \
     OF(start_member),                                                                             \
     SCENE_FROM(0),                                                                                \
     .unit = "s",                                                                                  \
     .standard = "0",                                                                              \
     .help = "when it starts"},                                                                    \
    {                                                                                              \
        .name = "stop", .type = SCENE_NUMBER, OF(stop_member), SCENE_ABOVE(0), .endless = true,    \
        .unit = "s", .standard = "never", .help = "when it ends"                                   \
    }

/*  scale and radius of the shapes of bodies; `what` is the ball or disc whose size the radius gives. */
#define SCENE_SIZE_ROWS(scale_member, radius_member, scale_help, what)                             \
    {.name = "scale",                                                                              \
     .type = SCENE_SIZES,                                                                          \
     OF(scale_member),                                                                             \
     SCENE_ABOVE(0),                                                                               \
     .standard = "1",                                                                              \
     .help = scale_help "; a number or a distribution"},                                           \
    {                                                                                              \
        .name = "radius", .type = SCENE_SIZES, OF(radius_member), SCENE_ABOVE(0), .unit = "m",     \
        .standard = "none", .help = "instead: radius of " what "; a number or a distribution"      \
    }

#define SCENE_SCALE_OF_FILE "of all lengths: 0.001 for a file in millimetres"

/*  Largest number of shapes that the bodies of a call share. */
#define SCENE_MAX_VARIANTS 1000

#define SCENE_VARIANTS_ROW(member, text)                                                           \
    {                                                                                              \
        .name = "variants", .type = SCENE_WHOLE32, OF(member),                                     \
        SCENE_WITHIN(1, SCENE_MAX_VARIANTS), .standard = "1, of a distribution 16", .help = text   \
    }

/*  A function of the chapter on bodies. */
#define SCENE_BODIES_FUNCTION(word, what, how, list, record, start, finish)                        \
    {                                                                                              \
        .name = word, .chapter = "Bodies", .summary = what, .example = how, .fields = list,        \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish                                                                              \
    }

#endif
