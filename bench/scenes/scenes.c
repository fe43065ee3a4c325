/*  The list of scenes. They are drawn from one counter-based stream each, body by body, and use only
    + - * / and sqrt and the portable functions of base, so no machine's libm can change a bit. */
#include "scenes/scenes_internal.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/*  Numbers that a name may have after colons. */
enum numbers
{
    NO_NUMBER,
    RATIO,
    RATIO_FRACTION,
};

typedef struct scene_kind
{
    const char *name;  /* before the colon */
    const char *shown; /* for listings */
    enum numbers numbers;
    int dimensions;
    scree_volume volume;
    scree_scene_recipe *make;
} scene_kind;

/*  The place in this list is the stream of random numbers: a new scene stands at the end. */
static const scene_kind kinds[] = {
    {"uniform", "uniform", NO_NUMBER, 3, SCREE_SPHERES, scree_make_uniform},
    {"ratio10", "ratio10", NO_NUMBER, 3, SCREE_SPHERES, scree_make_ratio10},
    {"ratio100", "ratio100", NO_NUMBER, 3, SCREE_SPHERES, scree_make_ratio100},
    {"giant", "giant", NO_NUMBER, 3, SCREE_SPHERES, scree_make_giant},
    {"clusters", "clusters", NO_NUMBER, 3, SCREE_SPHERES, scree_make_clusters},
    {"discs", "discs", NO_NUMBER, 2, SCREE_SPHERES, scree_make_uniform},
    {"discs32", "discs32", NO_NUMBER, 2, SCREE_SPHERES, scree_make_discs32},
    {"even2", "even2:4", RATIO, 2, SCREE_SPHERES, scree_make_even},
    {"needles", "needles", NO_NUMBER, 3, SCREE_BOXES, scree_make_needles},
    {"identical", "identical", NO_NUMBER, 3, SCREE_SPHERES, scree_make_identical},
    {"thesis1", "thesis1", NO_NUMBER, 2, SCREE_SPHERES, scree_make_thesis1},
    {"thesis2", "thesis2:4", RATIO, 2, SCREE_SPHERES, scree_make_lattice},
    {"mixture", "mixture:4", RATIO_FRACTION, 3, SCREE_SPHERES, scree_make_mixture},
    {"bimodal", "bimodal:4", RATIO_FRACTION, 3, SCREE_SPHERES, scree_make_bimodal},
    {"power", "power:4", RATIO_FRACTION, 3, SCREE_SPHERES, scree_make_power},
    {"burst", "burst", NO_NUMBER, 3, SCREE_SPHERES, scree_make_burst},
    {"fines10", "fines10", NO_NUMBER, 3, SCREE_SPHERES, scree_make_fines10},
    {"fines100", "fines100", NO_NUMBER, 3, SCREE_SPHERES, scree_make_fines100},
    {"wide", "wide:1e6", RATIO, 3, SCREE_SPHERES, scree_make_wide},
    {"layer", "layer", NO_NUMBER, 3, SCREE_SPHERES, scree_make_layer},
    {"coil", "coil", NO_NUMBER, 2, SCREE_BOXES, scree_make_coil},
};

const char *scree_scene_name(size_t index)
{
    return index < SCREE_COUNT_OF(kinds) ? kinds[index].shown : NULL;
}

/*  Reads ":4" or ":4:0.3"; false if it is not that, or out of range. */
static bool read_numbers(const char *text, enum numbers wanted, scree_scene_numbers *numbers)
{
    char *end = NULL;
    numbers->ratio = strtod(text + 1, &end);
    if (end == text + 1 || !(numbers->ratio >= 1 && numbers->ratio <= 1e6))
        return false;
    if (*end == 0)
        return true;
    if (*end != ':' || wanted != RATIO_FRACTION)
        return false;
    text = end;
    numbers->fraction = strtod(text + 1, &end);
    return end != text + 1 && *end == 0 && numbers->fraction >= 0.001 && numbers->fraction <= 10;
}

/*  Splits "thesis2:8"; NULL with a message if there is no such scene. */
static const scene_kind *find_kind(const char *name, scree_scene_numbers *numbers,
                                   scree_error *error)
{
    static const char *const wrong[] = {
        [NO_NUMBER] = "scene: \"%.60s\" takes no ratio",
        [RATIO] = "scene: the ratio in \"%.60s\" must be from 1 to 1e6",
        [RATIO_FRACTION] =
            ("scene: in \"%.60s\" the ratio must be from 1 to 1e6, the volume fraction from 0.001 "
             "to 10"),
    };
    const char *colon = strchr(name, ':');
    size_t length = colon ? (size_t)(colon - name) : strlen(name);
    numbers->ratio = 4;
    numbers->fraction = 0.3;
    for (size_t i = 0; i < SCREE_COUNT_OF(kinds); i++) {
        const scene_kind *kind = &kinds[i];
        if (strlen(kind->name) != length || memcmp(kind->name, name, length) != 0)
            continue;
        if (!colon || (kind->numbers != NO_NUMBER && read_numbers(colon, kind->numbers, numbers)))
            return kind;
        scree_fail(error, SCREE_BAD_ARGUMENT, wrong[kind->numbers], name);
        return NULL;
    }
    scree_fail(error, SCREE_BAD_ARGUMENT, "scene: there is no \"%.60s\"", name);
    return NULL;
}

static scree_status take_column(scree_scene *scene, double **column)
{
    scree_status status = scree_memory_take(&scene->memory, scene->count, sizeof(double), column);
    if (status == SCREE_OK && scene->count)
        memset(*column, 0, scene->count * sizeof(double));
    return status;
}

static scree_status take_columns(scree_scene *scene)
{
    scree_status status = take_column(scene, &scene->radius);
    for (int k = 0; k < 3 && status == SCREE_OK; k++) {
        status = take_column(scene, &scene->centre[k]);
        if (status == SCREE_OK)
            status = take_column(scene, &scene->velocity[k]);
        if (status != SCREE_OK || scene->volume == SCREE_SPHERES)
            continue;
        status = take_column(scene, &scene->half[k]);
        if (status == SCREE_OK)
            status = take_column(scene, &scene->low[k]);
        if (status == SCREE_OK)
            status = take_column(scene, &scene->high[k]);
    }
    if (status == SCREE_OK)
        status = scree_memory_take(&scene->memory, scene->count, 1, &scene->flags);
    if (status == SCREE_OK && scene->count)
        memset(scene->flags, 0, scene->count);
    return status;
}

scree_status scree_scene_create(const char *name, size_t n, uint64_t seed,
                                const scree_allocator *allocator, scree_scene *scene,
                                scree_error *error)
{
    scree_scene_numbers numbers;
    memset(scene, 0, sizeof *scene);
    const scene_kind *kind = find_kind(name, &numbers, error);
    if (!kind)
        return SCREE_BAD_ARGUMENT;
    if (n > SCREE_MAX_BODIES)
        return scree_fail(error, SCREE_TOO_LARGE, "scene: n is %zu, at most %u", n,
                          SCREE_MAX_BODIES);
    scree_status status = scree_memory_init(&scene->memory, allocator);
    if (status != SCREE_OK)
        return scree_fail(error, status, "scene: the allocator lacks a function");
    scene->dimensions = kind->dimensions;
    scene->volume = kind->volume;
    scene->count = n;
    status = take_columns(scene);
    /* a stream a scene: two scenes of one seed have nothing in common */
    scree_random random = scree_random_stream(seed, (uint64_t)(kind - kinds));
    if (status == SCREE_OK)
        status = kind->make(scene, &numbers, &random);
    if (status != SCREE_OK) {
        scree_scene_free(scene);
        return scree_fail(error, status, "scene: no memory for %zu bodies", n);
    }
    for (size_t i = 0; i < n; i++)
        scree_scene_refresh(scene, i);
    return SCREE_OK;
}

void scree_scene_free(scree_scene *scene)
{
    size_t n = scene->count;
    scree_memory_give(&scene->memory, &scene->radius, n, sizeof(double));
    scree_memory_give(&scene->memory, &scene->flags, n, 1);
    for (int k = 0; k < 3; k++) {
        scree_memory_give(&scene->memory, &scene->centre[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->velocity[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->half[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->low[k], n, sizeof(double));
        scree_memory_give(&scene->memory, &scene->high[k], n, sizeof(double));
    }
    scene->count = 0;
}

void scree_scene_refresh(scree_scene *scene, size_t row)
{
    if (scene->volume != SCREE_BOXES)
        return;
    for (int k = 0; k < 3; k++) {
        scene->low[k][row] = scene->centre[k][row] - scene->half[k][row];
        scene->high[k][row] = scene->centre[k][row] + scene->half[k][row];
    }
}

scree_table scree_scene_table(const scree_scene *scene)
{
    size_t stride = sizeof(double);
    scree_view a[3], b[3], none = {0};
    scree_table table;
    if (scene->volume == SCREE_BOXES) {
        for (int k = 0; k < 3; k++) {
            a[k] = scree_doubles(scene->low[k], stride);
            b[k] = scree_doubles(scene->high[k], stride);
        }
        table = scree_table_boxes(scene->count, a, b);
    } else {
        for (int k = 0; k < 3; k++)
            a[k] = scree_doubles(scene->centre[k], stride);
        table = scree_table_spheres(scene->count, a[0], a[1], scene->dimensions == 3 ? a[2] : none,
                                    scree_doubles(scene->radius, stride));
    }
    /* a column that says nothing would be read all the same */
    if (scene->springs)
        table.flags = scree_integer_view(scene->flags, 1);
    return table;
}
