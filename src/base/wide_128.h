/*  The names of wide.h for vectors of 16 bytes: two doubles. */
/* no include guard: included once for each use of that level */
#define WIDE_FN(name) name##_simd128
#define WIDE_TARGET SIMD128_TARGET
#define WIDE_LANES 2u
#define wide scree_2d
#define wide_load(p) scree_2d_load(p)
#define wide_set(x) scree_2d_set(x)
#define wide_add(a, b) ((a) + (b))
#define wide_sub(a, b) ((a) - (b))
#define wide_mul(a, b) ((a) * (b))
#define wide_less_equal(a, b) scree_2i_bits((scree_2i)((a) <= (b)))
#define wide_store(p, a) scree_2d_store(p, a)
#define wide_min(a, b) scree_2d_min(a, b)
#define wide_max(a, b) scree_2d_max(a, b)
#define wide_div(a, b) ((a) / (b))
#define wide_sqrt(a) scree_2d_sqrt(a)
#define wide_abs(a) scree_2d_abs(a)
#define wide_where(a, b, x, y) scree_2d_where((scree_2i)((a) <= (b)), x, y)
#define wide_gather(base, indices) ((scree_2d){(base)[(indices)[0]], (base)[(indices)[1]]})
