/*  Messages from a page to the lab: one binary message per request, little-endian, parsed without trust.
    docs/lab.md describes all of them. No message contains a file name. */
#ifndef SCREE_LAB_MESSAGE_H
#define SCREE_LAB_MESSAGE_H

#include "scree/base.h"

typedef enum scree_lab_kind
{
    SCREE_LAB_READY = 1, /* a frame has been drawn; the next may be sent */
    SCREE_LAB_PLAY,
    SCREE_LAB_STEP,
    SCREE_LAB_SPEED,
    SCREE_LAB_RESET,
    SCREE_LAB_EXAMPLE,
    SCREE_LAB_SCENE,
    SCREE_LAB_SETTING,
    SCREE_LAB_GRAVITY,
    SCREE_LAB_DT,
    SCREE_LAB_DAMPING,
    SCREE_LAB_METHOD,
    SCREE_LAB_FIELD,
    SCREE_LAB_POUR,
    SCREE_LAB_GRAB,
    SCREE_LAB_PULL,
    SCREE_LAB_RELEASE,
    SCREE_LAB_DELETE,
    SCREE_LAB_REGION,
    SCREE_LAB_CLEAR,
    SCREE_LAB_RACE,
    SCREE_LAB_SAVE,
    SCREE_LAB_LOAD,
    SCREE_LAB_MARGIN,
    SCREE_LAB_OVERLAY,
    SCREE_LAB_FRICTION,
    SCREE_LAB_ENERGY_BALANCE,
    SCREE_LAB_THREADS,
    SCREE_LAB_UNDO,
    SCREE_LAB_BALL,
    SCREE_LAB_EXPLODE,
    SCREE_LAB_WALL,
    SCREE_LAB_CUT,
    SCREE_LAB_EDIT,
    SCREE_LAB_PARTS_OF,
    SCREE_LAB_KIND_END,
} scree_lab_kind;

#define SCREE_LAB_NUMBERS 9

/*  A message. Its kind determines which fields are set. */
typedef struct scree_lab_message
{
    scree_lab_kind kind;
    uint32_t whole[2];
    double number[SCREE_LAB_NUMBERS]; /* finite, at most 1e100 in magnitude */
    const uint8_t *bytes; /* points into the caller's buffer: text in UTF-8 without 0, or a file */
    size_t byte_count;
} scree_lab_message;

/*  Largest size of a message of this kind, including its first byte; 0: there is no such kind. */
size_t scree_lab_message_most(uint8_t kind);

/*  `data` must be exactly one message. SCREE_BAD_VALUE, with the reason and the byte; *message is then unchanged. */
scree_status scree_lab_message_read(const uint8_t *data, size_t size, scree_lab_message *message,
                                    scree_error *error);

#endif
