/*  uniform, loguniform, normal, sizes, sieve_curve, rosin_rammler, weibull: distributions of sizes. */
#include "base/portable_math.h"
#include "language.h"

#define OF(member) .offset = offsetof(scree_scene_sizes, member)

static int push_sizes(scene_reader *reader, const scree_scene_sizes *sizes)
{
    scene_value value = {.kind = SCENE_A_DISTRIBUTION, .sizes = *sizes};
    scene_push(reader, &value);
    return 1;
}

static int end_uniform(scene_reader *reader, void *record)
{
    scree_scene_sizes *sizes = record;
    bool by_logarithm = reader->function->name[0] == 'l';

    sizes->spread = by_logarithm ? SCREE_SPREAD_LOGUNIFORM : SCREE_SPREAD_UNIFORM;
    if (!(sizes->lower <= sizes->upper))
        scene_refuse(reader, "lower is %g and upper is %g; lower must not be above upper",
                     sizes->lower, sizes->upper);
    return push_sizes(reader, sizes);
}

static const scene_field uniform_fields[] = {
    {.name = "lower",
     .type = SCENE_NUMBER,
     OF(lower),
     SCENE_ABOVE(0),
     .required = true,
     .help = "the smallest"},
    {.name = "upper",
     .type = SCENE_NUMBER,
     OF(upper),
     SCENE_ABOVE(0),
     .required = true,
     .help = "the largest"},
};

static void begin_normal(scene_reader *reader, void *record)
{
    (void)reader;
    ((scree_scene_sizes *)record)->spread = SCREE_SPREAD_NORMAL;
}

static int end_normal(scene_reader *reader, void *record)
{
    scree_scene_sizes *s = record;

    if (!scene_is_given(reader, "lower"))
        s->lower =
            s->mean - 3 * s->deviation > s->mean / 10 ? s->mean - 3 * s->deviation : s->mean / 10;
    if (!scene_is_given(reader, "upper"))
        s->upper = s->mean + 3 * s->deviation;
    /* values outside are drawn again, which must not take too long */
    if (!(s->lower <= s->mean && s->mean <= s->upper))
        scene_refuse(reader,
                     "lower is %g, mean %g, upper %g; the mean must lie between the other two",
                     s->lower, s->mean, s->upper);
    if (s->deviation > 0 && !(s->upper - s->lower >= s->deviation / 100))
        scene_refuse(reader,
                     "lower is %g and upper is %g: they are too close for a deviation of %g",
                     s->lower, s->upper, s->deviation);
    return push_sizes(reader, s);
}

static const scene_field normal_fields[] = {
    {.name = "mean",
     .type = SCENE_NUMBER,
     OF(mean),
     SCENE_ABOVE(0),
     .required = true,
     .help = "the mean"},
    {.name = "deviation",
     .type = SCENE_NUMBER,
     OF(deviation),
     SCENE_FROM(0),
     .required = true,
     .help = "the standard deviation"},
    {.name = "lower",
     .type = SCENE_NUMBER,
     OF(lower),
     SCENE_ABOVE(0),
     .standard = "mean - 3 deviation, at least mean / 10",
     .help = "smaller values are drawn again"},
    {.name = "upper",
     .type = SCENE_NUMBER,
     OF(upper),
     SCENE_ABOVE(0),
     .standard = "mean + 3 deviation",
     .help = "larger values are drawn again"},
};

#define MAX_SIZES 10000

static void read_shares(scene_reader *reader, void *target)
{
    scree_scene_sizes *sizes = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 1, MAX_SIZES);
    double(*table)[2] = scene_keep(reader, (size_t)count, sizeof *table), sum = 0;

    sizes->lower = INFINITY;
    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
            scene_refuse(reader, "row %d is %s, must be {size, share}", (int)i + 1,
                         scene_describe(L, -1));
        double size = table[i][0] = scene_item_number(reader, -1, 1);
        double share = table[i][1] = scene_item_number(reader, -1, 2);
        if (!(size > 0))
            scene_refuse(reader, "row %d has the size %g, must be above 0", (int)i + 1, size);
        if (!(share >= 0))
            scene_refuse(reader, "row %d has the share %g, must be 0 or more", (int)i + 1, share);
        sizes->lower = size < sizes->lower ? size : sizes->lower;
        sizes->upper = size > sizes->upper ? size : sizes->upper;
        sum += share;
        lua_pop(L, 1);
    }
    if (!(sum > 0 && isfinite(sum)))
        scene_refuse(reader, "shares add up to %g, must be above 0", sum);
    sizes->spread = SCREE_SPREAD_TABLE;
    sizes->table = (const double(*)[2])table;
    sizes->table_count = (uint32_t)count;
}

static int end_sizes(scene_reader *reader, void *record)
{
    return push_sizes(reader, record);
}

static const scene_field sizes_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .read = read_shares,
     .required = true,
     .accepts = "one to 10000 rows, as {{0.001, 3}, {0.002, 1}}",
     .help = "rows of size and share, as {{0.001, 3}, {0.002, 1}}; shares need not add up to 1"},
};

/* ---- curves ---- */

/*  A sieve curve: the share that is smaller, from 0 at the smallest size to 1 at the largest. */
static void read_curve(scene_reader *reader, void *target)
{
    scree_scene_sizes *sizes = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 2, MAX_SIZES);
    double(*table)[2] = scene_keep(reader, (size_t)count, sizeof *table);

    for (lua_Integer i = 0; i < count; i++) {
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
            scene_refuse(reader, "row %d is %s, must be {size, share that is smaller}", (int)i + 1,
                         scene_describe(L, -1));
        double size = table[i][0] = scene_item_number(reader, -1, 1);
        double share = table[i][1] = scene_item_number(reader, -1, 2);
        if (!(size > (i > 0 ? table[i - 1][0] : 0)))
            scene_refuse(reader, "row %d has the size %g, must be above %g", (int)i + 1, size,
                         i > 0 ? table[i - 1][0] : 0.0);
        if (i == 0 && share != 0)
            scene_refuse(reader,
                         "row 1 has the share %g, must be 0: its size is the smallest there is",
                         share);
        if (!(share >= (i > 0 ? table[i - 1][1] : 0) && share < INFINITY))
            scene_refuse(reader,
                         "row %d has the share %g, and the one before %g; they must not "
                         "fall",
                         (int)i + 1, share, table[i - 1][1]);
        lua_pop(L, 1);
    }
    if (!(table[count - 1][1] > 0))
        scene_refuse(reader, "the last share is 0: there would be no bodies");
    const double all = table[count - 1][1];
    for (lua_Integer i = 0; i < count; i++)
        table[i][1] /= all;
    sizes->spread = SCREE_SPREAD_CURVE;
    sizes->is_of_mass = true;
    sizes->lower = table[0][0];
    sizes->upper = table[count - 1][0];
    sizes->table = (const double(*)[2])table;
    sizes->table_count = (uint32_t)count;
}

static const scene_field sieve_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .read = read_curve,
     .required = true,
     .accepts = "two to 10000 rows, as {{0.001, 0}, {0.002, 0.3}, {0.004, 1}}",
     .help = "rows of a size and the share of the mass that is smaller, from 0 to 1, or to 100"},
};

typedef struct weibull_record
{
    scree_scene_sizes sizes;
    double size, spread;
} weibull_record;

/*  Number of log-uniform sections by which a curve is approximated. */
#define STRETCHES 100

/*  1 - exp(-(r / size)^spread), cut off at both ends. */
static int end_weibull(scene_reader *reader, void *record)
{
    weibull_record *w = record;
    bool is_of_mass = reader->function->name[0] == 'r';
    double(*table)[2] = scene_keep(reader, STRETCHES + 1, sizeof *table);

    if (!scene_is_given(reader, "lower"))
        w->sizes.lower = w->size * scree_pow(0.01, 1 / w->spread);
    if (!scene_is_given(reader, "upper"))
        w->sizes.upper = w->size * scree_pow(4.6, 1 / w->spread);
    const double a = w->sizes.lower, b = w->sizes.upper;
    if (!(a > 0 && a < b && b < INFINITY))
        scene_refuse(reader, "lower is %g and upper is %g; lower must be below upper", a, b);
    const double least = scree_exp(-scree_pow(a / w->size, w->spread));
    const double most = scree_exp(-scree_pow(b / w->size, w->spread));
    if (!(least - most > 1e-12))
        scene_refuse(reader, "the interval from lower, %g, to upper, %g, has almost no share", a,
                     b);
    for (int k = 0; k <= STRETCHES; k++) {
        double r = k == 0 ? a : k == STRETCHES ? b : a * scree_pow(b / a, (double)k / STRETCHES);
        table[k][0] = r;
        table[k][1] = (least - scree_exp(-scree_pow(r / w->size, w->spread))) / (least - most);
    }
    table[0][1] = 0;
    table[STRETCHES][1] = 1;
    w->sizes.spread = SCREE_SPREAD_CURVE;
    w->sizes.is_of_mass = is_of_mass;
    w->sizes.table = (const double(*)[2])table;
    w->sizes.table_count = STRETCHES + 1;
    return push_sizes(reader, &w->sizes);
}
#undef OF

#define OF(member) .offset = offsetof(weibull_record, member)
static const scene_field weibull_fields[] = {
    {.name = "size",
     .type = SCENE_NUMBER,
     OF(size),
     SCENE_ABOVE(0),
     .required = true,
     .help = "63 of 100 are smaller"},
    {.name = "spread",
     .type = SCENE_NUMBER,
     OF(spread),
     .lower = 0.1,
     .upper = 100,
     .required = true,
     .help = "the exponent: the larger, the narrower the distribution"},
    {.name = "lower",
     .type = SCENE_NUMBER,
     OF(sizes.lower),
     SCENE_ABOVE(0),
     .standard = "1 of 100 is smaller",
     .help = "smaller sizes are left out"},
    {.name = "upper",
     .type = SCENE_NUMBER,
     OF(sizes.upper),
     SCENE_ABOVE(0),
     .standard = "1 of 100 is larger",
     .help = "larger sizes are left out"},
};
#undef OF

#define SIZES(word, what, how, list, start, finish)                                                \
    {                                                                                              \
        .name = word, .chapter = "Sizes", .summary = what, .example = how, .fields = list,         \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(scree_scene_sizes),            \
        .begin = start, .end = finish, .in_order = true                                            \
    }

const scene_function scene_size_functions[] = {
    SIZES("uniform", "Sizes with a uniform distribution between two bounds.",
          "uniform(0.001, 0.002)", uniform_fields, NULL, end_uniform),
    SIZES("loguniform", "Sizes whose logarithm is uniform.", "loguniform(0.0005, 0.005)",
          uniform_fields, NULL, end_uniform),
    SIZES("normal", "Sizes with a truncated normal distribution.",
          "normal(0.001, 0.0001)\n"
          "normal { mean = 0.001, deviation = 0.0001, lower = 0.0008 }",
          normal_fields, begin_normal, end_normal),
    {.name = "sizes",
     .chapter = "Sizes",
     .summary = "Discrete sizes with their shares, as from sieves.",
     .example = "sizes { {0.001, 3}, {0.002, 1} }",
     .fields = sizes_fields,
     .field_count = SCREE_COUNT_OF(sizes_fields),
     .record_bytes = sizeof(scree_scene_sizes),
     .end = end_sizes},
    {.name = "sieve_curve",
     .chapter = "Sizes",
     .summary = "Sizes from a sieve curve, by mass: uniform in the logarithm between rows, "
                "regardless of `by`.",
     .example = "sieve_curve { {0.001, 0}, {0.002, 0.3}, {0.004, 1} }",
     .fields = sieve_fields,
     .field_count = SCREE_COUNT_OF(sieve_fields),
     .record_bytes = sizeof(scree_scene_sizes),
     .end = end_sizes},
    {.name = "rosin_rammler",
     .chapter = "Sizes",
     .summary = "Sizes with the Rosin-Rammler distribution, as of ground stone: the fraction of "
                "mass smaller than r is 1 - exp(-(r / size)^spread), regardless of `by`.",
     .example = "rosin_rammler(0.002, 1.5)\n"
                "rosin_rammler { size = 0.002, spread = 1.5, lower = 0.0008, upper = 0.005 }",
     .fields = weibull_fields,
     .field_count = SCREE_COUNT_OF(weibull_fields),
     .record_bytes = sizeof(weibull_record),
     .end = end_weibull,
     .in_order = true},
    {.name = "weibull",
     .chapter = "Sizes",
     .summary = "Sizes with the Weibull distribution: the fraction by number smaller than r is 1 - "
                "exp(-(r / size)^spread); with `by = \"mass\"`, the fraction by mass.",
     .example = "weibull(0.002, 3)\n"
                "weibull { size = 0.002, spread = 3, upper = 0.003 }",
     .fields = weibull_fields,
     .field_count = SCREE_COUNT_OF(weibull_fields),
     .record_bytes = sizeof(weibull_record),
     .end = end_weibull,
     .in_order = true},
};
const size_t scene_size_function_count = SCREE_COUNT_OF(scene_size_functions);
