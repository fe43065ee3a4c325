/*  Globes: subdivided icosahedra, or slices and stacks; optionally with gradient noise, or elongated. They are created
    as soups of facets, whose common vertices the mesh welds. */
#include "base/error.h"
#include "base/hash.h"
#include "base/portable_math.h"
#include "base/sized_definition.h"
#include "shape/mesh.h"

#include <math.h>

#define GLOBE_COOKIE 0x71c09be5u
#define MAX_FACETS 20000000u
#define PI 3.14159265358979323846

void scree_init_globe_def(scree_globe_def *def, size_t size)
{
    static const scree_globe_def own = {.cookie = GLOBE_COOKIE,
                                        .size = sizeof(scree_globe_def),
                                        .facets = 1280,
                                        .radius = 0.5,
                                        .bumps = 1,
                                        .waves = 1.5,
                                        .octaves = 4,
                                        .seed = 1,
                                        .elongation = 1};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- subdivision ---- */

typedef struct globe_plan
{
    uint32_t cuts;          /* cuts per edge of the icosahedron; 0: slices and stacks */
    uint32_t slices, bands; /* one stack less */
} globe_plan;

/*  With 1.8 times as many slices as bands, quads half way to the poles are about as high as wide. */
static bool plan_slices(uint32_t facets, globe_plan *plan)
{
    uint32_t half = facets / 2;
    double best = INFINITY;
    if (facets % 2 != 0)
        return false;
    for (uint32_t bands = 1; (uint64_t)bands * bands <= half; bands++)
        for (int turned = 0; turned < 2 && half % bands == 0; turned++) {
            uint32_t b = turned ? half / bands : bands, slices = half / b;
            double ratio = slices / (1.8 * b);
            ratio = ratio < 1 ? 1 / ratio : ratio;
            if (slices >= 3 && ratio < best) {
                best = ratio;
                plan->slices = slices;
                plan->bands = b;
            }
        }
    return best < INFINITY;
}

static bool make_plan(const scree_globe_def *def, globe_plan *plan)
{
    uint32_t cuts = (uint32_t)sqrt(def->facets / 20.0);
    *plan = (globe_plan){0};
    if (def->kind != SCREE_GLOBE_UV && cuts > 0 && 20 * cuts * cuts == def->facets) {
        plan->cuts = cuts;
        return true;
    }
    return def->kind != SCREE_GLOBE_ICO && plan_slices(def->facets, plan);
}

/* ---- corners of a globe of radius 1 ---- */

static void to_radius(double x, double y, double z, double to[3])
{
    double length = sqrt(x * x + y * y + z * z);
    to[0] = x / length;
    to[1] = y / length;
    to[2] = z / length;
}

/*  Edges of length 2 between the corners of three golden rectangles; each face counter-clockwise seen from outside. */
static const double golden = 1.61803398874989484820;
static const int8_t icosahedron[12][3] = {{-1, 2, 0}, {1, 2, 0}, {-1, -2, 0}, {1, -2, 0},
                                          {0, -1, 2}, {0, 1, 2}, {0, -1, -2}, {0, 1, -2},
                                          {2, 0, -1}, {2, 0, 1}, {-2, 0, -1}, {-2, 0, 1}};
static const uint8_t faces[20][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                     {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                     {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                     {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};

/*  The point i steps from corner 0 of a face to 1 and j to 2. */
static void face_point(const uint8_t face[3], uint32_t cuts, uint32_t i, uint32_t j, double to[3])
{
    const double share[3] = {(double)(cuts - i - j), i, j};
    double sum[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++) {
            int8_t number = icosahedron[face[c]][k];
            double x = number == 2 ? golden : number == -2 ? -golden : number;
            sum[k] += share[c] * x;
        }
    to_radius(sum[0], sum[1], sum[2], to);
}

static void cut_faces(uint32_t cuts, double *to)
{
    for (int f = 0; f < 20; f++)
        for (uint32_t i = 0; i < cuts; i++)
            for (uint32_t j = 0; i + j < cuts; j++) {
                face_point(faces[f], cuts, i, j, to);
                face_point(faces[f], cuts, i + 1, j, to + 3);
                face_point(faces[f], cuts, i, j + 1, to + 6);
                to += 9;
                if (i + j + 1 == cuts)
                    continue;
                face_point(faces[f], cuts, i + 1, j, to);
                face_point(faces[f], cuts, i + 1, j + 1, to + 3);
                face_point(faces[f], cuts, i, j + 1, to + 6);
                to += 9;
            }
}

static void slice_point(const globe_plan *plan, uint32_t slice, uint32_t stack, double to[3])
{
    double along_sine, along_cosine, down_sine, down_cosine;
    scree_sin_cos(2 * PI * (slice % plan->slices) / plan->slices, &along_sine, &along_cosine);
    scree_sin_cos(PI * stack / (plan->bands + 1), &down_sine, &down_cosine);
    to[0] = down_sine * along_cosine;
    to[1] = down_sine * along_sine;
    to[2] = down_cosine;
}

/*  Quads of two facets; those at the poles are one. */
static void cut_slices(const globe_plan *plan, double *to)
{
    for (uint32_t i = 0; i < plan->slices; i++)
        for (uint32_t j = 0; j <= plan->bands; j++) {
            if (j > 0) {
                slice_point(plan, i, j, to);
                slice_point(plan, i, j + 1, to + 3);
                slice_point(plan, i + 1, j, to + 6);
                to += 9;
            }
            if (j < plan->bands) {
                slice_point(plan, i + 1, j, to);
                slice_point(plan, i, j + 1, to + 3);
                slice_point(plan, i + 1, j + 1, to + 6);
                to += 9;
            }
        }
}

/* ---- noise ---- */

/*  Ken Perlin, "Improving noise", SIGGRAPH 2002: gradients to the middles of a cube's edges, chosen by a hash of the
    lattice point, blended by 6 t^5 - 15 t^4 + 10 t^3. */
static double lattice_slope(uint64_t seed, const double corner[3], const double from[3])
{
    static const int8_t gradient[12][3] = {{1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0},
                                           {1, 0, 1}, {-1, 0, 1}, {1, 0, -1}, {-1, 0, -1},
                                           {0, 1, 1}, {0, -1, 1}, {0, 1, -1}, {0, -1, -1}};
    uint64_t hash = scree_hash_word(SCREE_HASH_START, seed);
    for (int k = 0; k < 3; k++)
        hash = scree_hash_word(hash, (uint64_t)(int64_t)corner[k]);
    const int8_t *g = gradient[hash % 12];
    return g[0] * from[0] + g[1] * from[1] + g[2] * from[2];
}

static double gradient_noise(uint64_t seed, const double at[3])
{
    double low[3], from[3], blend[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = floor(at[k]);
        from[k] = at[k] - low[k];
        blend[k] = from[k] * from[k] * from[k] * (from[k] * (from[k] * 6 - 15) + 10);
    }
    for (int c = 0; c < 8; c++) {
        double corner[3], away[3], weight = 1;
        for (int k = 0; k < 3; k++) {
            int up = c >> k & 1;
            corner[k] = low[k] + up;
            away[k] = from[k] - up;
            weight *= up ? blend[k] : 1 - blend[k];
        }
        sum += weight * lattice_slope(seed, corner, away);
    }
    return sum;
}

static double hills_at(const scree_globe_def *def, const double point[3])
{
    double height = 1, waves = def->waves, sum = 0;
    for (uint32_t octave = 0; octave < def->octaves; octave++) {
        /* off the lattice, where the noise is zero and the axes would lie */
        const double at[3] = {point[0] * waves + 0.37, point[1] * waves + 0.59,
                              point[2] * waves + 0.83};
        sum += height * gradient_noise(def->seed + octave, at);
        height /= 2;
        waves *= 2;
    }
    return sum;
}

/*  `hill` has room for one number per corner. */
static void raise_hills(const scree_globe_def *def, double *corners, double *hill)
{
    size_t count = 3 * (size_t)def->facets;
    double least = INFINITY, most = -INFINITY;
    for (size_t c = 0; c < count; c++) {
        hill[c] = hills_at(def, corners + 3 * c);
        least = fmin(least, hill[c]);
        most = fmax(most, hill[c]);
    }
    for (size_t c = 0; c < count; c++) {
        double share = most > least ? (hill[c] - least) / (most - least) : 0;
        for (size_t k = 0; k < 3; k++)
            corners[3 * c + k] *= 1 + (def->bumps - 1) * share;
    }
}

/* ---- creation ---- */

static scree_status check_number(const scree_globe_def *def, const char *name, double value,
                                 double least, double most)
{
    if (value >= least && value <= most)
        return SCREE_OK;
    return scree_fail(def->error, SCREE_BAD_VALUE, "globe def: %s is %g, must be %g to %g", name,
                      value, least, most);
}

static scree_status check_globe(const scree_globe_def *def, globe_plan *plan)
{
    scree_status status;
    if ((uint32_t)def->kind > (uint32_t)SCREE_GLOBE_UV)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "globe def: kind is %d, must be 0 to 2",
                          (int)def->kind);
    if ((status = check_number(def, "facets", def->facets, 4, MAX_FACETS)) ||
        (status = check_number(def, "radius", def->radius, 1e-50, 1e50)) ||
        (status = check_number(def, "bumps", def->bumps, 1, 10)) ||
        (status = check_number(def, "waves", def->waves, 1e-3, 1000)) ||
        (status = check_number(def, "octaves", def->octaves, 1, 16)) ||
        (status = check_number(def, "elongation", def->elongation, 1, 100)))
        return status;
    if (!make_plan(def, plan))
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "globe def: facets is %u, must be %s",
                          def->facets,
                          def->kind == SCREE_GLOBE_ICO ? "20 n^2, as 80, 320, 1280 or 5120"
                                                       : "2 s t with s at least 3, as 12 or 1224");
    return SCREE_OK;
}

static void fill_corners_of_globe(const scree_globe_def *def, const globe_plan *plan,
                                  double *corners, double *hill)
{
    size_t count = 3 * (size_t)def->facets;
    if (plan->cuts > 0)
        cut_faces(plan->cuts, corners);
    else
        cut_slices(plan, corners);
    if (def->bumps > 1)
        raise_hills(def, corners, hill);
    for (size_t c = 0; c < count; c++)
        for (size_t k = 0; k < 3; k++)
            corners[3 * c + k] *= k == 2 ? def->radius * def->elongation : def->radius;
}

scree_status scree_mesh_globe(const scree_globe_def *def, scree_mesh **mesh)
{
    scree_mesh_def as_mesh = scree_default_mesh_def();
    scree_memory memory;
    scree_status status;
    globe_plan plan = {0};
    double *corners = NULL;
    size_t count;
    if (!mesh)
        return SCREE_BAD_ARGUMENT;
    *mesh = NULL;
    if (!def)
        return SCREE_BAD_ARGUMENT;
    scree_globe_def own = scree_default_globe_def();
    if (!scree_definition_read(&own, def))
        return SCREE_BAD_DEF; /* def->error is invalid then */
    def = &own;
    if ((status = scree_memory_init(&memory, &def->allocator)))
        return scree_fail(def->error, status, "globe def: allocator has some functions, not all");
    if ((status = check_globe(def, &plan)))
        return status;
    /* three coordinates per corner, and a height */
    count = 3 * (size_t)def->facets;
    if ((status = scree_memory_take(&memory, count, 4 * sizeof(double), &corners)))
        return scree_fail(def->error, status, "globe def: out of memory");
    fill_corners_of_globe(def, &plan, corners, corners + 3 * count);
    as_mesh.vertices = corners;
    as_mesh.vertex_count = (uint32_t)count;
    as_mesh.facet_count = def->facets;
    as_mesh.allocator = def->allocator;
    as_mesh.error = def->error;
    status = scree_mesh_create(&as_mesh, mesh);
    scree_memory_give(&memory, &corners, count, 4 * sizeof(double));
    return status;
}
