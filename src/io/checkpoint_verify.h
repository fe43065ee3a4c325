/*  Verifies that bytes are a checkpoint. */
#ifndef SCREE_CHECKPOINT_VERIFY_H
#define SCREE_CHECKPOINT_VERIFY_H

#include "io/checkpoint_format.h"

/*  The length that a file's head claims; no limit if it is no head. For scree_file_read. */
size_t scree_checkpoint_length(const unsigned char *first, size_t count);

/*  Verifies every byte of `checkpoint->file`, and sets the members that locate its content. SCREE_BAD_FILE, naming the
    section and the byte. */
scree_status scree_checkpoint_verify(scree_checkpoint *checkpoint, scree_error *error);

#endif
