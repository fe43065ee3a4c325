/*  What a page says to the laboratory: one binary message a wish, little-endian, read without trust. The whole of
    it is in docs/lab.md. Nothing in a message names a file. */
#ifndef SCREE_LAB_MESSAGE_H
#define SCREE_LAB_MESSAGE_H

#include "scree/base.h"

typedef enum scree_lab_kind
{
    SCREE_LAB_READY = 1, /* a frame has been drawn: the next may come */
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
    SCREE_LAB_LEDGER,
    SCREE_LAB_THREADS,
    SCREE_LAB_KIND_END,
} scree_lab_kind;

#define SCREE_LAB_NUMBERS 8

/*  One message: which of the fields it has is said by its kind. */
typedef struct scree_lab_message
{
    scree_lab_kind kind;
    uint32_t whole[2];
    double number[SCREE_LAB_NUMBERS]; /* finite, at most 1e100 in magnitude */
    const uint8_t *bytes; /* of the caller's buffer: text in UTF-8 without 0, or a file */
    size_t byte_count;
} scree_lab_message;

/*  Bytes that a message of this kind may have at most, its first one included; 0: there is no such kind. */
size_t scree_lab_message_most(uint8_t kind);

/*  All of `data` must be one message. SCREE_BAD_VALUE, with what is wrong and at which byte; *message is then
    unchanged. */
scree_status scree_lab_message_read(const uint8_t *data, size_t size, scree_lab_message *message,
                                    scree_error *error);

#endif
