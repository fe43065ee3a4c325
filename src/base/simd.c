/*  The one place that chooses the SIMD instruction set: the one requested by the caller, otherwise by the environment,
    otherwise the best available; never more than the processor and the system support. */
#include "base/common.h"
#include "base/simd128.h"

#include <stdlib.h>
#include <string.h>

static scree_simd best_of_processor(void)
{
    bool simd128 = SCREE_HAS_SIMD128, avx2 = false, avx512 = false;

#if defined(__x86_64__) && defined(__GNUC__)
    simd128 = !!__builtin_cpu_supports("sse4.2") & !!__builtin_cpu_supports("popcnt");
    avx2 = simd128 & !!__builtin_cpu_supports("avx2");
    /* every processor except the first AVX-512 accelerators has all four or none */
    avx512 = avx2 & !!__builtin_cpu_supports("avx512f") & !!__builtin_cpu_supports("avx512vl") &
             !!__builtin_cpu_supports("avx512bw") & !!__builtin_cpu_supports("avx512dq");
#endif
    /* no branches, so that coverage does not depend on the machine */
    return (scree_simd)(SCREE_SIMD_SCALAR + simd128 + avx2 + avx512);
}

static scree_simd level_of_environment(void)
{
    const char *text = getenv("SCREE_SIMD");
    scree_simd level;

    for (level = SCREE_SIMD_SCALAR; text && level <= SCREE_SIMD_AVX512; level++)
        if (strcmp(text, scree_simd_name(level)) == 0)
            return level;
    return SCREE_SIMD_AUTO;
}

scree_simd scree_simd_resolve(scree_simd wanted)
{
    scree_simd best = best_of_processor();

    if (wanted < SCREE_SIMD_SCALAR || wanted > SCREE_SIMD_AVX512)
        wanted = level_of_environment();
    return wanted == SCREE_SIMD_AUTO || wanted > best ? best : wanted;
}

const char *scree_simd_name(scree_simd level)
{
    static const char *const names[] = {
        [SCREE_SIMD_AUTO] = "auto", [SCREE_SIMD_SCALAR] = "scalar", [SCREE_SIMD_128] = "simd128",
        [SCREE_SIMD_AVX2] = "avx2", [SCREE_SIMD_AVX512] = "avx512",
    };
    size_t at = (size_t)level;
    return at < SCREE_COUNT_OF(names) ? names[at] : "unknown";
}
