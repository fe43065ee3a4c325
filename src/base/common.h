/*  Every source file includes this first: exact floating point, and macros for defensive checks. */
#ifndef SCREE_COMMON_H
#define SCREE_COMMON_H

/*  Sizes of worlds, files and sums are counted in size_t. WebAssembly is tested with worlds that fit its memory. */
#if defined(__SIZEOF_POINTER__) && __SIZEOF_POINTER__ < 8 && !defined(__EMSCRIPTEN__)
#error "scree needs a compiler for 64-bit processors; compile without -m32"
#endif

#include "scree/base.h"

/*  Multiply-add stays a multiply, then an add: with contraction the same comparison gives other
    results on machines that fuse. The build passes -ffp-contract=off as well; this covers the
    single-file library, which is compiled by its user's flags. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/*  Branches that only an error in scree itself can take. They are evaluated in release builds, abort in debug builds,
    and are constants in the coverage build, so the defence stays and the coverage is honest. (After SQLite.) */
#if defined(SCREE_COVERAGE)
#define SCREE_ALWAYS(x) ((void)(x), 1)
#define SCREE_NEVER(x) ((void)(x), 0)
#elif defined(SCREE_DEBUG)
#include <assert.h>
#define SCREE_ALWAYS(x) ((x) ? 1 : (assert(0 && #x), 0))
#define SCREE_NEVER(x) ((x) ? (assert(0 && #x), 1) : 0)
#else
#define SCREE_ALWAYS(x) (x)
#define SCREE_NEVER(x) (x)
#endif

/*  A part of a kernel that is inlined into each of its users, so that arguments which are constant there remove
    branches. In coverage builds it is one function, whose branches are counted once. */
#if defined(__GNUC__) && !defined(SCREE_COVERAGE)
#define SCREE_KERNEL_PART static inline __attribute__((always_inline, unused))
#elif defined(__GNUC__)
#define SCREE_KERNEL_PART static __attribute__((unused))
#else
#define SCREE_KERNEL_PART static inline
#endif

/*  In texts that are compiled for devices, too: a function that need not be inlined, and pointers to memory that all
    work-items share. gpu/c_words.h has them for kernels. */
#if defined(__GNUC__)
#define SCREE_KERNEL_FUNCTION static __attribute__((unused))
#else
#define SCREE_KERNEL_FUNCTION static
#endif
#define SCREE_GLOBAL

/*  Rows of a table that has one row per scree_simd value. */
#define SCREE_SIMD_ROWS (SCREE_SIMD_AVX512 + 1)

/*  Keeps rarely called functions, and all that they inline, out of hot loops. */
#if defined(__GNUC__)
#define SCREE_SELDOM __attribute__((noinline, cold))
#else
#define SCREE_SELDOM
#endif

#define SCREE_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
