/*  Samples a function of time to a table, as finely as its smooth interpolation needs. So a run is the same on every
    machine, and continues without Lua. */
#include "path_sampling.h"

#include "base/error.h"

#include <string.h>

#define FIRST_INTERVALS 64u
#define MAX_INTERVALS 131072u
/*  The table is compared with the function at this many times at least, and at two in each interval. */
#define MIN_PROBES 4096u
/*  Tolerance of the interpolation, relative to the whole displacement; at the finest sampling a larger error is
    accepted. */
#define GOOD_ERROR 1e-6
#define MAX_ERROR 1e-3

typedef struct sampling
{
    scene_reader reader;
    const struct scene_sampled *sampled;
    double end; /* s */
} sampling;

static void read_list(sampling *s, int index, int count, const char *what, double *numbers)
{
    lua_State *L = s->reader.L;

    if (lua_type(L, index) != LUA_TTABLE || (int)lua_rawlen(L, index) != count)
        scene_refuse(&s->reader, "its function gives %s as %s, must be a list of %d numbers",
                     scene_describe(L, index), what, count);
    for (int k = 0; k < count; k++) {
        lua_geti(L, index, k + 1);
        numbers[k] = lua_tonumber(L, -1);
        if (lua_type(L, -1) != LUA_TNUMBER || !(fabs(numbers[k]) <= 1e100))
            scene_refuse(&s->reader, "its function gives %s in %s, must be a finite number",
                         scene_describe(L, -1), what);
        lua_pop(L, 1);
    }
}

/*  Calls the function for the row at a time, s. */
static void call_at(sampling *s, double time, double row[8])
{
    static const double still[4] = {1, 0, 0, 0};
    lua_State *L = s->reader.L;
    int top = lua_gettop(L);

    lua_rawgeti(L, LUA_REGISTRYINDEX, s->sampled->function);
    lua_pushnumber(L, scene_from_si(&s->reader, time, "s"));
    lua_call(L, 1, 2);
    row[0] = time;
    read_list(s, top + 1, 3, "the shift", row + 1);
    for (int k = 1; k < 4; k++)
        row[k] = scene_to_si(&s->reader, row[k], "m");
    memcpy(row + 4, still, sizeof still);
    if (!lua_isnil(L, top + 2))
        read_list(s, top + 2, 4, "the quaternion", row + 4);
    if (!(row[4] * row[4] + row[5] * row[5] + row[6] * row[6] + row[7] * row[7] > 1e-100))
        scene_refuse(&s->reader, "its function gives a quaternion of length 0 at %g",
                     scene_from_si(&s->reader, time, "s"));
    lua_settop(L, top);
}

/*  A row before the first, so that the interpolation starts with the slope of the function. */
static void lead(const double (*rows)[8], int step, double row[8])
{
    const double *a = rows[0], *b = rows[step], *c = rows[2 * step];

    memcpy(row, a, 8 * sizeof *row);
    row[0] = 2 * a[0] - b[0];
    for (int k = 1; k < 4; k++)
        row[k] = 3 * a[k] - 3 * b[k] + c[k];
}

/*  The rows of `count` intervals, with one more before and after. */
static double (*sample(sampling *s, size_t count))[8]
{
    double(*rows)[8] = scene_keep(&s->reader, count + 3, sizeof *rows);

    for (size_t i = 0; i <= count; i++)
        call_at(s, s->end * ((double)i / (double)count), rows[1 + i]);
    lead((const double(*)[8])(rows + 1), 1, rows[0]);
    lead((const double(*)[8])(rows + 1 + count), -1, rows[count + 2]);
    return rows;
}

static double distance(const double *a, const double *b)
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

/*  Difference of two quaternions of either sign. */
static double turned(const double *a, const double *b)
{
    double n = 0, m = 0, dot = 0;

    for (int k = 0; k < 4; k++) {
        n += a[k] * a[k];
        m += b[k] * b[k];
        dot += a[k] * b[k];
    }
    double cosine = fabs(dot) / sqrt(n * m);
    return 2 * sqrt(fmax(0, 2 - 2 * cosine));
}

typedef struct sampling_error
{
    double place, angle; /* m, rad */
    double way;          /* m: largest displacement */
} sampling_error;

/*  Compares the interpolation with the function at a time between the rows 1 and 2 of four. `start` is the
    first row of all. */
static void probe(sampling *s, const double (*rows)[8], const double start[8], double time,
                  sampling_error *found)
{
    const scree_path_part part = {
        .kind = SCREE_PATH_TABLE, .smooth = true, .table = rows, .table_count = 4};
    const scree_wall_path path = {.parts = &part, .part_count = 1};
    double row[8], place[3], turn[4];

    call_at(s, time, row);
    if (scree_wall_path_place(&path, time, place, turn, NULL))
        scene_refuse(&s->reader, "its function moves too far");
    found->place = fmax(found->place, distance(place, row + 1));
    found->angle = fmax(found->angle, turned(turn, row + 4));
    found->way = fmax(found->way, distance(start + 1, row + 1));
}

/*  In the middle of each interval, where the error of a smooth function is largest, and at other places. Those differ
    from interval to interval (multiples of the golden ratio, modulo 1): a function that repeats itself with the
    intervals looks constant, or slow, at their ends and middles. */
static sampling_error find_error(sampling *s, const double (*rows)[8], size_t count)
{
    static const double golden = 0.6180339887498949;
    sampling_error found = {0, 0, 0};
    size_t probes = count < MIN_PROBES / 2 ? MIN_PROBES / count : 2;

    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < probes; k++) {
            double place = golden * (double)(i * probes + k);
            double share = k == 0 ? 0.5 : place - floor(place);
            probe(s, rows + i, rows[1], s->end * (((double)i + share) / (double)count), &found);
        }
    return found;
}

static void sample_one(sampling *s)
{
    size_t count = FIRST_INTERVALS;
    double(*rows)[8] = sample(s, count);
    sampling_error error = find_error(s, (const double(*)[8])rows, count);

    while ((error.place > GOOD_ERROR * error.way || error.angle > GOOD_ERROR) &&
           count < MAX_INTERVALS) {
        count *= 2;
        rows = sample(s, count);
        error = find_error(s, (const double(*)[8])rows, count);
    }
    if (error.place > MAX_ERROR * error.way || error.angle > MAX_ERROR)
        scene_refuse(&s->reader,
                     "its function changes too fast for a table: with %zu rows it is off by %.2g m "
                     "and %.2g rad; does it jump?",
                     count, error.place, error.angle);
    s->sampled->part->table = (const double(*)[8])rows;
    s->sampled->part->table_count = count + 3;
    scree_log_write(&s->reader.scene->log, SCREE_LOG_INFO, (scree_log_id)0,
                    "%s:%d: motion: its function became %zu rows, off by at most %.2g m and %.2g "
                    "rad",
                    s->reader.scene->name, s->sampled->line, count, error.place, error.angle);
}

void scene_sample_motions(lua_State *L)
{
    static const scene_function wall = {.name = "wall"};
    static const scene_field motion = {.name = "motion"};
    scene_host *host = scene_host_of(L);
    const scree_scene_plan *plan = &host->scene->plan;

    for (const struct scene_sampled *sampled = host->sampled; sampled; sampled = sampled->before) {
        sampling s = {.reader = {.L = L,
                                 .host = host,
                                 .scene = host->scene,
                                 .function = &wall,
                                 .field = &motion,
                                 .line = sampled->line},
                      .sampled = sampled,
                      .end = plan->end_time};
        if (!(s.end > 0) && plan->world.step.mode == SCREE_TIME_FIXED)
            s.end = (double)plan->end_steps * scene_longest_dt(plan);
        if (!(s.end > 0))
            scene_refuse(&s.reader,
                         "a function needs to know how long the run is: run { time = 1 }");
        sample_one(&s);
    }
}
