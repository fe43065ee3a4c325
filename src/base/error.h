/*  Failure in one line: write the message, return the status. */
#ifndef SCREE_ERROR_H
#define SCREE_ERROR_H

#include "base/common.h"

/*  Writes a message. `error` may be NULL. Text that is too long is truncated. Returns `status`. */
scree_status scree_fail(scree_error *error, scree_status status, const char *format, ...)
    SCREE_PRINTF(3, 4);

/*  Sends a message to the host's log, if it has one. */
void scree_log_write(const scree_log *log, scree_log_level level, scree_log_id id,
                     const char *format, ...) SCREE_PRINTF(4, 5);

#endif
