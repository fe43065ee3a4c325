/*  uniform, loguniform, normal, sizes: distributions of sizes. */
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
    /* what is drawn outside is drawn again: it must not take for ever */
    if (!(s->lower <= s->mean && s->mean <= s->upper))
        scene_refuse(reader,
                     "lower is %g, mean %g, upper %g; the mean must lie between the other two",
                     s->lower, s->mean, s->upper);
    if (s->deviation > 0 && !(s->upper - s->lower >= s->deviation / 100))
        scene_refuse(reader, "lower is %g and upper is %g: they are too near for a deviation of %g",
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
     .help = "smaller ones are drawn again"},
    {.name = "upper",
     .type = SCENE_NUMBER,
     OF(upper),
     SCENE_ABOVE(0),
     .standard = "mean + 3 deviation",
     .help = "larger ones are drawn again"},
};

#define MOST_SIZES 10000

static void read_shares(scene_reader *reader, void *target)
{
    scree_scene_sizes *sizes = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 1, MOST_SIZES);
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
#undef OF

#define SIZES(word, what, how, list, start, finish)                                                \
    {                                                                                              \
        .name = word, .chapter = "Sizes", .summary = what, .example = how, .fields = list,         \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(scree_scene_sizes),            \
        .begin = start, .end = finish, .in_order = true                                            \
    }

const scene_function scene_size_functions[] = {
    SIZES("uniform", "Sizes that are even between two bounds.", "uniform(0.001, 0.002)",
          uniform_fields, NULL, end_uniform),
    SIZES("loguniform", "Sizes that are even in their logarithm.", "loguniform(0.0005, 0.005)",
          uniform_fields, NULL, end_uniform),
    SIZES("normal", "Sizes by the normal distribution, cut off.",
          "normal(0.001, 0.0001)\n"
          "normal { mean = 0.001, deviation = 0.0001, lower = 0.0008 }",
          normal_fields, begin_normal, end_normal),
    {.name = "sizes",
     .chapter = "Sizes",
     .summary = "Single sizes with their shares, as from sieves.",
     .example = "sizes { {0.001, 3}, {0.002, 1} }",
     .fields = sizes_fields,
     .field_count = SCREE_COUNT_OF(sizes_fields),
     .record_bytes = sizeof(scree_scene_sizes),
     .end = end_sizes},
};
const size_t scene_size_function_count = SCREE_COUNT_OF(scene_size_functions);
