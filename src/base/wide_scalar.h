/*  The names of wide.h for scalar code: one double. Plain C, and plain OpenCL C. */
/* no include guard: included once for each use of that level */
#define WIDE_FN(name) name##_scalar
#define WIDE_TARGET
#define WIDE_LANES 1u
#define wide double
#define wide_load(p) (*(p))
#define wide_set(x) (x)
#define wide_add(a, b) ((a) + (b))
#define wide_sub(a, b) ((a) - (b))
#define wide_mul(a, b) ((a) * (b))
#define wide_less_equal(a, b) ((uint32_t)((a) <= (b)))
#define wide_store(p, a) ((void)(*(p) = (a)))
#define wide_min(a, b) ((a) < (b) ? (a) : (b))
#define wide_max(a, b) ((a) > (b) ? (a) : (b))
#define wide_div(a, b) ((a) / (b))
#define wide_sqrt(a) sqrt(a)
#define wide_abs(a) fabs(a)
#define wide_where(a, b, x, y) ((a) <= (b) ? (x) : (y))
#define wide_gather(base, indices) ((base)[*(indices)])
