/*  Names of statuses. An unknown number also gets a name, because the first use of the result is a printf. */
#include "base/common.h"

const char *scree_status_name(scree_status status)
{
    static const char *const names[] = {
        [SCREE_OK] = "ok",
        [SCREE_OUT_OF_MEMORY] = "out of memory",
        [SCREE_BAD_DEF] = "bad definition",
        [SCREE_BAD_ARGUMENT] = "bad argument",
        [SCREE_BAD_VALUE] = "bad value",
        [SCREE_TOO_LARGE] = "too large",
        [SCREE_TOO_SMALL] = "buffer too small",
        [SCREE_UNKNOWN_METHOD] = "unknown method",
        [SCREE_BAD_FILE] = "bad file",
        [SCREE_IO_ERROR] = "input or output error",
        [SCREE_UNSTABLE] = "unstable step",
        [SCREE_UNSUPPORTED] = "not supported here",
        [SCREE_DEVICE_ERROR] = "device error",
    };
    size_t at = (size_t)status;
    return at < SCREE_COUNT_OF(names) ? names[at] : "unknown status";
}
