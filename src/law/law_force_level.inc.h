/*  The kernels of the built-in laws at one SIMD level, in doubles and in floats: see law_force.c. */
#include "base/wide.h"
#define law_number double
#define law_batch scree_batch
#define LAW_LEAST DBL_MIN
#define LAW_IN_FLOATS 0
#define law_load_memory(p) wide_load(p)
#define law_store_memory(p, a) wide_store(p, a)
#include "law/law_force.inc.h"
#undef law_number
#undef law_batch
#undef LAW_LEAST
#undef LAW_IN_FLOATS
#undef law_load_memory
#undef law_store_memory

#include "base/wide_float.h"
#define law_number float
#define law_batch scree_float_batch
#define LAW_LEAST FLT_MIN
#define LAW_IN_FLOATS 1
#define law_load_memory(p) wide_load_rounded(p)
#define law_store_memory(p, a) wide_store_widened(p, a)
#include "law/law_force.inc.h"
#undef law_number
#undef law_batch
#undef LAW_LEAST
#undef LAW_IN_FLOATS
#undef law_load_memory
#undef law_store_memory
