/*  scree/rest.h: the old name of scree/sleep.h, deprecated; it goes in version 2.0. */
#include "scree/deprecated.h"
