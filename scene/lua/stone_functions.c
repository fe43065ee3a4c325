/*  globe, mesh with a contact skin, and mixture: shapes of bodies of triangles, and mixtures of shapes. Each becomes a
    number of variants (stones.c), as a clump does. */
#include "base/error.h"
#include "field_rows.h"
#include "language.h"

#include <string.h>

#define USUAL_VARIANTS 16 /* of a distribution */
/*  Total of all variants of a call: each triangle takes about 300 bytes here and in the world. */
#define MAX_TRIANGLES 5000000u
/*  Cost of a triangle in the script's budget. */
#define CHARGE 200u
#define USUAL_SKIN 0.1

/* ---- shared by mesh and globe ---------------------------------------------------------------------------- */

typedef struct stone_maker
{
    double skin;
    const scree_mesh *mesh;       /* of a file; */
    const scree_globe_def *globe; /* or a globe, with consecutive seeds */
} stone_maker;

static scree_status make_one(scene_reader *reader, const void *how, uint32_t k, double size,
                             scree_scene_stone *stone, scree_error *error)
{
    const stone_maker *m = how;
    const scree_scene *scene = reader->scene;
    scree_mesh **kept = scene_row(reader, SCENE_MESHES);
    scree_globe_def globe;
    scree_mesh *made = NULL;

    *kept = NULL;
    if (m->mesh)
        return scene_make_stone(scene, m->mesh, size, 0, m->skin, kept, stone, error);
    globe = *m->globe;
    globe.seed += k;
    globe.allocator = scene->memory.allocator;
    globe.error = error;
    scree_status status = scree_mesh_globe(&globe, &made);
    if (!status)
        status = scene_make_stone(scene, made, 0, size, m->skin, kept, stone, error);
    scree_mesh_destroy(made);
    return status;
}

int scene_push_stones(scene_reader *reader, const scene_stones *m)
{
    uint32_t count = m->variants;
    scree_error error = {SCREE_OK, ""};
    scene_value value = {.kind = SCENE_A_BALL};

    double *size = scene_keep(reader, count, sizeof *size);
    double(*table)[2] = scene_keep(reader, count, sizeof *table);
    scree_scene_stone *stones = scene_keep(reader, count, sizeof *stones);
    if (scene_middle_sizes(reader->scene, m->sizes, count, size))
        scene_lacks_memory(reader->L);
    for (uint32_t k = 0; k < count; k++) {
        scree_status status = m->make(reader, m->how, k, size[k], &stones[k], &error);
        if (status == SCREE_OUT_OF_MEMORY)
            scene_lacks_memory(reader->L);
        if (status)
            scene_refuse(reader, "%s%s%s", m->file, m->file[0] ? ": " : "", error.text);
    }
    scene_list_stones(stones, table, count, &value.sizes);
    value.geometry.form = SCREE_FORM_SPHERE;
    scene_push(reader, &value);
    return 1;
}

/*  The same for triangles, whose number is limited. */
static int push_stones(scene_reader *reader, const scene_stones *m, uint32_t triangles)
{
    uint32_t count = m->variants;

    if ((uint64_t)count * triangles > MAX_TRIANGLES)
        scene_refuse(reader, "%u variants of %u triangles are %.0f in all; the limit is %u", count,
                     triangles, (double)count * triangles, MAX_TRIANGLES);
    scene_charge(reader->L, (uint64_t)count * triangles * CHARGE);
    reader->scene->plan.has_stones = true;
    return scene_push_stones(reader, m);
}

uint32_t scene_count_variants(const scene_reader *reader, uint32_t given,
                              const scree_scene_sizes *sizes)
{
    if (scene_is_given(reader, "variants"))
        return given;
    return sizes->spread == SCREE_SPREAD_FIXED ? 1 : USUAL_VARIANTS;
}

/* ---- mesh ------------------------------------------------------------------------------------------------ */

void scene_warn_of_crossings(scene_reader *reader, const scree_mesh *mesh, const char *file)
{
    scree_mesh_report report;
    scree_error error;
    scree_status status = scree_mesh_check(mesh, &report, &error);

    if (status == SCREE_OUT_OF_MEMORY)
        scene_lacks_memory(reader->L);
    if (!status && report.crossings)
        scree_log_write(&reader->scene->log, SCREE_LOG_WARNING, SCREE_LOG_SHAPE,
                        "%s:%d: %s: %s: %u pairs of triangles intersect, first %u and %u: volume "
                        "that is enclosed twice counts twice",
                        reader->scene->name, reader->line, reader->function->name, file,
                        report.crossings, report.first[0], report.first[1]);
}

const scree_mesh *scene_last_mesh(const scene_reader *reader)
{
    const scene_list *list = &reader->scene->list[SCENE_MESHES];

    return ((scree_mesh **)list->rows)[list->count - 1];
}

int scene_push_mesh_body(scene_reader *reader, const scree_scene_geometry *surface,
                         const char *file, const scree_scene_sizes *scale, double skin,
                         uint32_t variants)
{
    const stone_maker how = {.skin = skin, .mesh = scene_last_mesh(reader)};
    const scene_stones made = {.sizes = scale,
                               .variants = scene_count_variants(reader, variants, scale),
                               .file = file,
                               .make = make_one,
                               .how = &how};

    if (scale->spread == SCREE_SPREAD_FIXED && made.variants > 1)
        scene_refuse(reader, "variants: there are %u of one scale, all alike", made.variants);
    scene_warn_of_crossings(reader, how.mesh, file);
    return push_stones(reader, &made, surface->facet_count);
}

/* ---- globe ----------------------------------------------------------------------------------------------- */

typedef struct globe_record
{
    scree_scene_sizes radius;
    uint32_t triangles, octaves, variants;
    double noise, waves, elongation, skin;
    uint64_t seed;
} globe_record;

static void begin_globe(scene_reader *reader, void *record)
{
    globe_record *r = record;
    const scree_globe_def def = scree_default_globe_def();

    (void)reader;
    r->triangles = 320;
    r->noise = def.bumps;
    r->waves = def.waves;
    r->octaves = def.octaves;
    r->elongation = def.elongation;
    r->seed = def.seed;
    r->skin = USUAL_SKIN;
}

static int end_globe(scene_reader *reader, void *record)
{
    globe_record *r = record;
    scree_globe_def def = scree_default_globe_def();
    const stone_maker how = {.skin = r->skin, .globe = &def};
    const scene_stones made = {.sizes = &r->radius,
                               .variants = scene_count_variants(reader, r->variants, &r->radius),
                               .file = "",
                               .make = make_one,
                               .how = &how};

    if (reader->scene->plan.world.dimensions == 2)
        scene_refuse(reader,
                     "is for three dimensions; in two there are discs, clumps and polygons");
    if (r->radius.spread == SCREE_SPREAD_FIXED && r->noise == 1 && made.variants > 1)
        scene_refuse(reader, "variants: there are %u of one size and without noise, all alike",
                     made.variants);
    def.facets = r->triangles;
    def.radius = 1;
    def.bumps = r->noise;
    def.waves = r->waves;
    def.octaves = r->octaves;
    def.elongation = r->elongation;
    def.seed = r->seed;
    return push_stones(reader, &made, r->triangles);
}

#define OF(member) .offset = offsetof(globe_record, member)
static const scene_field globe_fields[] = {
    {.name = "radius",
     .type = SCENE_SIZES,
     OF(radius),
     SCENE_ABOVE(0),
     .unit = "m",
     .required = true,
     .help = "radius of the ball with the same volume; a number or a distribution"},
    {.name = "triangles",
     .type = SCENE_WHOLE32,
     OF(triangles),
     SCENE_WITHIN(6, 1000000),
     .standard = "320",
     .help = "20 n^2, as 80, 320, 1280, or 2 s t of s slices and t + 1 stacks, as 12, 36, 140"},
    {.name = "noise",
     .type = SCENE_NUMBER,
     OF(noise),
     SCENE_WITHIN(1, 10),
     .standard = "1",
     .help = "largest over smallest distance of a vertex from the middle, before elongation; above "
             "1 the body is bumpy and not convex"},
    {.name = "waves",
     .type = SCENE_NUMBER,
     OF(waves),
     .lower = 0,
     .upper = 1000,
     .above = true,
     .standard = "1.5",
     .help = "waves of the coarsest layer of noise, along a radius"},
    {.name = "octaves",
     .type = SCENE_WHOLE32,
     OF(octaves),
     SCENE_WITHIN(1, 16),
     .standard = "4",
     .help = "layers of noise, each half as high and half as long as the one before"},
    {.name = "elongation",
     .type = SCENE_NUMBER,
     OF(elongation),
     SCENE_WITHIN(1, 100),
     .standard = "1",
     .help = "length along its z relative to its width"},
    {.name = "contact_skin",
     .old_name = "halo",
     .type = SCENE_NUMBER,
     OF(skin),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "0.1",
     .help = SCENE_SKIN_HELP},
    SCENE_VARIANTS_ROW(variants, SCENE_VARIANTS_HELP "; each has noise of its own"),
    {.name = "seed",
     .type = SCENE_WHOLE,
     OF(seed),
     SCENE_FROM(0),
     .standard = "1",
     .help = "of the first variant's noise; the others' follow it"},
};
#undef OF

/* ---- mixture --------------------------------------------------------------------------------------------- */

#define MAX_PARTS 100

/*  The shapes of all parts, each with its share of all bodies. */
typedef struct mixture
{
    scree_scene_stone *stones;
    double *share;
    uint32_t count;
} mixture;

static void add_stone(mixture *m, const scree_scene_stone *stone, double share)
{
    uint32_t k = m->count++;

    /* the largest first, equal ones in the given order */
    for (; k > 0 && m->stones[k - 1].around < stone->around; k--) {
        m->stones[k] = m->stones[k - 1];
        m->share[k] = m->share[k - 1];
    }
    m->stones[k] = *stone;
    m->share[k] = share;
}

/*  The number of sizes for a distribution of spheres. */
static uint32_t count_of_part(const scree_scene_sizes *sizes)
{
    if (sizes->stones)
        return sizes->table_count;
    return sizes->spread == SCREE_SPREAD_FIXED ? 1 : USUAL_VARIANTS;
}

static void add_part(scene_reader *reader, mixture *m, const scree_scene_sizes *sizes, double share)
{
    uint32_t count = count_of_part(sizes);
    double size[USUAL_VARIANTS], sum = 0;

    for (uint32_t k = 0; sizes->stones && k < count; k++)
        sum += sizes->table[k][1];
    for (uint32_t k = 0; sizes->stones && k < count; k++)
        add_stone(m, &sizes->stones[k], share * (sizes->table[k][1] / sum));
    if (sizes->stones)
        return;
    if (scene_middle_sizes(reader->scene, sizes, count, size))
        scene_lacks_memory(reader->L);
    for (uint32_t k = 0; k < count; k++) {
        const scree_scene_stone ball = {
            .around = size[k],
            .volume = scene_ball_volume(size[k], reader->scene->plan.world.dimensions)};
        add_stone(m, &ball, share / count);
    }
}

/*  Valid while the table that is being read exists, since it owns it. */
static const scree_scene_sizes *read_part(scene_reader *reader, lua_Integer row, double *share)
{
    lua_State *L = reader->L;
    lua_geti(L, reader->index, row);
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        scene_refuse(reader, "row %d is %s, must be {shape, share}", (int)row,
                     scene_describe(L, -1));
    *share = scene_item_number(reader, -1, 2);
    if (!(*share > 0))
        scene_refuse(reader, "row %d has the share %g, must be above 0", (int)row, *share);
    lua_geti(L, -1, 1);
    const scene_value *value = scene_value_at(L, -1);
    if (!value || value->kind != SCENE_A_BALL || value->has_centre)
        scene_refuse(reader, "row %d has %s, must have the shape of bodies, as sphere { ... }",
                     (int)row, scene_describe(L, -1));
    lua_pop(L, 2);
    return &value->sizes;
}

static void read_mixture(scene_reader *reader, void *target)
{
    scree_scene_sizes *sizes = target;
    lua_Integer rows = scene_length(reader, reader->index, 1, MAX_PARTS);
    mixture m = {0};
    double share;
    size_t count = 0;

    for (lua_Integer i = 1; i <= rows; i++)
        count += count_of_part(read_part(reader, i, &share));
    m.stones = scene_keep(reader, count, sizeof *m.stones);
    m.share = scene_keep(reader, count, sizeof *m.share);
    double(*table)[2] = scene_keep(reader, count, sizeof *table);
    for (lua_Integer i = 1; i <= rows; i++) {
        const scree_scene_sizes *part = read_part(reader, i, &share);
        add_part(reader, &m, part, share);
    }
    scene_list_stones(m.stones, table, m.count, sizes);
    for (uint32_t k = 0; k < m.count; k++)
        table[k][1] = m.share[k];
}

static int end_mixture(scene_reader *reader, void *record)
{
    scene_value value = {.kind = SCENE_A_BALL, .sizes = *(scree_scene_sizes *)record};

    value.geometry.form = SCREE_FORM_SPHERE;
    scene_push(reader, &value);
    return 1;
}

static const scene_field mixture_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .read = read_mixture,
     .required = true,
     .accepts = "one to 100 rows, as {{sphere { radius = 0.001 }, 3}, {clump { ... }, 1}}",
     .help = "rows of a shape and its share, as {{sphere { radius = 0.001 }, 3}, {globe { radius = "
             "0.002 }, 1}}; shares need not add up to 1"},
};

const scene_function scene_stone_functions[] = {
    {.name = "globe",
     .chapter = "Shapes of triangles",
     .summary = "The shape of bodies of triangles: sphere meshes, with noise or elongated.",
     .example = "globe { radius = uniform(0.004, 0.008), triangles = 320, noise = 1.4 }\n"
                "globe { radius = 0.005, triangles = 320, noise = 1.3, waves = 2, octaves = 3, "
                "seed = 7, variants = 5 }",
     .fields = globe_fields,
     .field_count = SCREE_COUNT_OF(globe_fields),
     .record_bytes = sizeof(globe_record),
     .begin = begin_globe,
     .end = end_globe},
    {.name = "mixture",
     .chapter = "Shapes of triangles",
     .summary = "Bodies of several shapes, each with its share, by number or by mass as the source "
                "says; a distribution of balls becomes 16 sizes of equal shares.",
     .example = "mixture { {sphere { radius = 0.001 }, 3}, {globe { radius = 0.002 }, 1} }",
     .fields = mixture_fields,
     .field_count = SCREE_COUNT_OF(mixture_fields),
     .record_bytes = sizeof(scree_scene_sizes),
     .end = end_mixture},
};
const size_t scene_stone_function_count = SCREE_COUNT_OF(scene_stone_functions);
