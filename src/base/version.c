/*  The version of the linked library, for programs that compare it with their header. */
#include "base/common.h"

uint32_t scree_version(void)
{
    return SCREE_VERSION_NUMBER;
}
