/*  Checks of a query. */
#ifndef SCREE_QUERY_DEF_H
#define SCREE_QUERY_DEF_H

#include "base/error.h"
#include "scree/detect.h"

static inline bool scree_query_is_ray(const scree_query *query)
{
    return query->kind == SCREE_QUERY_RAY || query->kind == SCREE_QUERY_RAY_FIRST;
}

/*  SCREE_BAD_DEF or SCREE_BAD_VALUE, with a message. */
scree_status scree_query_check(const scree_query *query, int dimensions, scree_error *error);

#endif
