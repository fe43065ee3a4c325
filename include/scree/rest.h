/*  scree/rest.h: the old name of scree/sleep.h, deprecated; it goes in the next version. */
#include "scree/deprecated.h"
