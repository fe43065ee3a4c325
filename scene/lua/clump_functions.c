/*  clump: bodies of pebbles, which are listed or fill a mesh. A clump is made once; variants are scaled copies
    (stones.c). */
#include "base/error.h"
#include "field_rows.h"
#include "language.h"

#include <string.h>

#define MAX_PEBBLES 65535
/*  Total of all variants of a call: each pebble takes about 100 bytes here and in the world. */
#define MAX_TOTAL 5000000u
/*  Cost in the script's budget of a pebble, and of a pair of pebbles in the computation of the mass. */
#define CHARGE 100u
#define CHARGE_OF_PAIR 200u

typedef struct clump_record
{
    scree_pebble *pebbles;
    const char *file;
    scree_scene_sizes scale, radius;
    double gap, smallest, volume, centre[3], inertia[6];
    uint32_t pebble_count, most, variants;
    int mass_of_mesh;
    uint64_t seed;
} clump_record;

static void begin_clump(scene_reader *reader, void *record)
{
    clump_record *r = record;
    const scree_clump_fill_def def = scree_default_clump_fill_def();

    (void)reader;
    r->scale = (scree_scene_sizes){.spread = SCREE_SPREAD_FIXED, .lower = 1, .upper = 1};
    r->gap = def.gap;
    r->smallest = def.smallest;
    r->most = def.max_pebbles;
    r->mass_of_mesh = def.mass_of_mesh;
    r->seed = def.seed;
}

/* ---- fields of its own ----------------------------------------------------------------------------------- */

static void read_pebbles(scene_reader *reader, void *target)
{
    clump_record *r = target;
    lua_State *L = reader->L;
    lua_Integer count = scene_length(reader, reader->index, 1, MAX_PEBBLES);
    int dimensions = reader->scene->plan.world.dimensions;

    r->pebbles = scene_keep(reader, (size_t)count, sizeof *r->pebbles);
    r->pebble_count = (uint32_t)count;
    for (lua_Integer i = 0; i < count; i++) {
        scree_pebble *pebble = &r->pebbles[i];
        lua_geti(L, reader->index, i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || (int)lua_rawlen(L, -1) != dimensions + 1)
            scene_refuse(reader, "pebble %d is %s, must be {x, y%s, radius}", (int)i + 1,
                         scene_describe(L, -1), dimensions == 3 ? ", z" : "");
        for (int k = 0; k < dimensions; k++)
            pebble->centre[k] = scene_item_in_si(reader, -1, k + 1, "m");
        pebble->radius = scene_item_in_si(reader, -1, dimensions + 1, "m");
        if (!(pebble->radius > 0))
            scene_refuse(reader, "pebble %d has the radius %g, must be above 0", (int)i + 1,
                         scene_from_si(reader, pebble->radius, "m"));
        lua_pop(L, 1);
    }
}

static void read_inertia(scene_reader *reader, void *target)
{
    clump_record *r = target;
    lua_Integer wanted = reader->scene->plan.world.dimensions == 2 ? 1 : 6;

    scene_length(reader, reader->index, wanted, wanted);
    for (lua_Integer k = 0; k < wanted; k++)
        r->inertia[k] = scene_item_in_si(reader, reader->index, k + 1, wanted == 1 ? "m^4" : "m^5");
}

/* ---- pattern of variants --------------------------------------------------------------------------------- */

static void check_clump(scene_reader *reader)
{
    static const char *const of_files[] = {"gap", "smallest", "max_pebbles", "weighs", "seed"};
    bool has_file = scene_is_given(reader, "file");
    bool has_volume = scene_is_given(reader, "volume");

    if (has_file == scene_is_given(reader, "pebbles"))
        scene_refuse(reader, has_file ? "has `pebbles` and `file`; give one of them"
                                      : "`pebbles` or `file` is missing");
    if (has_file && reader->scene->plan.world.dimensions == 2)
        scene_refuse(reader, "file: a mesh is for three dimensions; list the `pebbles`");
    for (size_t k = 0; k < SCREE_COUNT_OF(of_files) && !has_file; k++)
        if (scene_is_given(reader, of_files[k]))
            scene_refuse(reader, "%s: is for pebbles that fill a `file`", of_files[k]);
    if (has_file && has_volume)
        scene_refuse(reader, "volume: only with `pebbles`; a file has its own, see `weighs`");
    if (has_volume != scene_is_given(reader, "inertia"))
        scene_refuse(reader, "volume and inertia: give both or neither");
    if (!has_volume && scene_is_given(reader, "centre"))
        scene_refuse(reader, "centre: needs volume and inertia");
    if (scene_is_given(reader, "scale") && scene_is_given(reader, "radius"))
        scene_refuse(reader, "has `scale` and `radius`; give one of them");
}

/*  Inertia as xx, yy, zz, xy, xz, yz; in two dimensions zz. */
static void take_mass(const clump_record *r, int dimensions, scree_clump_mass *mass)
{
    static const int place[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

    memset(mass, 0, sizeof *mass);
    mass->volume = r->volume;
    memcpy(mass->centre, r->centre, sizeof mass->centre);
    for (int k = 0; k < 6 && dimensions == 3; k++)
        mass->inertia[place[k][0]][place[k][1]] = mass->inertia[place[k][1]][place[k][0]] =
            r->inertia[k];
    if (dimensions == 2)
        mass->inertia[2][2] = r->inertia[0];
}

static scree_status list_clump(scene_reader *reader, const clump_record *r, scree_clump **clump,
                               scree_error *error)
{
    scree_clump_def def = scree_default_clump_def();
    scree_clump_mass mass;

    def.dimensions = reader->scene->plan.world.dimensions;
    def.pebbles = r->pebbles;
    def.pebble_count = r->pebble_count;
    take_mass(r, def.dimensions, &mass);
    def.mass = scene_is_given(reader, "volume") ? &mass : NULL;
    def.allocator = reader->scene->memory.allocator;
    def.error = error;
    return scree_clump_create(&def, clump);
}

static scree_status fill_clump(scene_reader *reader, const clump_record *r, const scree_mesh *mesh,
                               scree_clump **clump, scree_error *error)
{
    scree_clump_fill_def def = scree_default_clump_fill_def();

    def.mesh = mesh;
    def.gap = r->gap;
    def.smallest = r->smallest;
    def.max_pebbles = r->most;
    def.mass_of_mesh = r->mass_of_mesh;
    def.seed = r->seed;
    def.allocator = reader->scene->memory.allocator;
    def.error = error;
    return scree_clump_fill(&def, clump, NULL);
}

/*  Raises no Lua error while it owns a clump. */
static const scree_clump *make_pattern(scene_reader *reader, const clump_record *r)
{
    const scree_mesh *mesh = NULL;
    scree_scene_geometry surface;
    scree_error error = {SCREE_OK, ""};

    if (r->file) {
        scene_open_mesh(reader, scene_file_path(reader, r->file), 1, &surface);
        mesh = scene_last_mesh(reader);
        scene_warn_of_crossings(reader, mesh, r->file);
    } else if (!scene_is_given(reader, "volume")) {
        scene_charge(reader->L, (uint64_t)r->pebble_count * r->pebble_count * CHARGE_OF_PAIR);
    }
    scree_clump **kept = scene_row(reader, SCENE_CLUMPS);
    *kept = NULL;
    scree_status status =
        mesh ? fill_clump(reader, r, mesh, kept, &error) : list_clump(reader, r, kept, &error);
    if (status == SCREE_OUT_OF_MEMORY)
        scene_lacks_memory(reader->L);
    if (status)
        scene_refuse(reader, "%s%s%s", mesh ? r->file : "", mesh ? ": " : "", error.text);
    return *kept;
}

/* ---- the call -------------------------------------------------------------------------------------------- */

typedef struct clump_maker
{
    const scree_clump *pattern;
    bool by_radius;
} clump_maker;

static scree_status make_clump_stone(scene_reader *reader, const void *how, uint32_t number,
                                     double size, scree_scene_stone *stone, scree_error *error)
{
    const clump_maker *m = how;
    scree_clump **kept = scene_row(reader, SCENE_CLUMPS);

    (void)number;
    *kept = NULL;
    return scene_make_clump(reader->scene, m->pattern, m->by_radius ? 0 : size,
                            m->by_radius ? size : 0, kept, stone, error);
}

static int end_clump(scene_reader *reader, void *record)
{
    clump_record *r = record;
    bool by_radius = scene_is_given(reader, "radius");
    scene_stones made = {.sizes = by_radius ? &r->radius : &r->scale,
                         .make = make_clump_stone,
                         .file = r->file ? r->file : ""};

    check_clump(reader);
    made.variants = scene_count_variants(reader, r->variants, made.sizes);
    if (made.sizes->spread == SCREE_SPREAD_FIXED && made.variants > 1)
        scene_refuse(reader, "variants: there are %u of one size, all alike", made.variants);
    const clump_maker how = {make_pattern(reader, r), by_radius};
    uint32_t pebbles = scree_clump_describe(how.pattern).pebble_count;
    if ((uint64_t)made.variants * pebbles > MAX_TOTAL)
        scene_refuse(reader, "%u variants of %u pebbles are %.0f in all; the limit is %u",
                     made.variants, pebbles, (double)made.variants * pebbles, MAX_TOTAL);
    scene_charge(reader->L, (uint64_t)made.variants * pebbles * CHARGE);
    made.how = &how;
    reader->scene->plan.has_clumps = true;
    return scene_push_stones(reader, &made);
}

#define OF(member) .offset = offsetof(clump_record, member)

static const scene_word weigh_words[] = {{"mesh", true}, {"pebbles", false}, {NULL, 0}};

static const scene_field clump_fields[] = {
    {.name = "pebbles",
     .type = SCENE_OWN,
     .read = read_pebbles,
     .unit = "m",
     .standard = "none",
     .accepts = "a list of rows {x, y, z, radius}, in two dimensions {x, y, radius}",
     .help = "rows {x, y, z, radius}, in two dimensions {x, y, radius}; they may overlap"},
    {.name = "file",
     .type = SCENE_TEXT,
     OF(file),
     .standard = "none",
     .help =
         "STL, OBJ or PLY, relative to the scene: a closed surface that is filled with pebbles"},
    SCENE_SIZE_ROWS(scale, radius, SCENE_SCALE_OF_FILE,
                    "the ball, in two dimensions of the disc, with the same volume"),
    SCENE_VARIANTS_ROW(variants,
                       "number of sizes; of a distribution, the middles of as many equal shares"),
    {.name = "gap",
     .type = SCENE_NUMBER,
     OF(gap),
     .lower = 0,
     .upper = 1,
     .above = true,
     .standard = "0.1",
     .help = "of a file: largest distance of its vertices from the pebbles, over the radius of the "
             "ball with its volume"},
    {.name = "smallest",
     .type = SCENE_NUMBER,
     OF(smallest),
     SCENE_WITHIN(0, 1),
     .standard = "0.05",
     .help = "of a file: radius of the smallest pebble, over the same"},
    {.name = "max_pebbles",
     .old_name = "most",
     .type = SCENE_WHOLE32,
     OF(most),
     SCENE_WITHIN(1, MAX_PEBBLES),
     .standard = "65535",
     .help = "of a file: largest number of pebbles"},
    {.name = "weighs",
     .type = SCENE_WORD,
     OF(mass_of_mesh),
     .words = weigh_words,
     .standard = "\"mesh\"",
     .help = "of a file: mass from the volume of the mesh, \"mesh\", or from that of the pebbles "
             "together, \"pebbles\""},
    {.name = "seed",
     .type = SCENE_WHOLE,
     OF(seed),
     SCENE_FROM(0),
     .standard = "1",
     .help = "of a file: chooses where pebbles start to grow"},
    {.name = "volume",
     .type = SCENE_NUMBER,
     OF(volume),
     SCENE_ABOVE(0),
     .unit = "m^3",
     .flat_unit = "m^2",
     .standard = "of what the pebbles fill together",
     .help = "of listed pebbles: volume of the particle that they represent; its mass is the "
             "volume times the density"},
    {.name = "centre",
     .type = SCENE_VECTOR,
     OF(centre),
     .unit = "m",
     .standard = "{0, 0, 0}",
     .help = "with volume: centre of mass"},
    {.name = "inertia",
     .type = SCENE_OWN,
     .read = read_inertia,
     .unit = "m^5",
     .flat_unit = "m^4",
     .standard = "of what the pebbles fill together",
     .accepts = "a list {xx, yy, zz, xy, xz, yz}, in two dimensions {zz}",
     .help = "with volume: tensor of inertia about that centre for a density of 1: {xx, yy, zz, "
             "xy, xz, yz}, in two dimensions {zz}"},
};
#undef OF

const scene_function scene_clump_functions[] = {
    {.name = "clump",
     .chapter = "Shapes of pebbles",
     .summary = "The shape of rigid bodies of overlapping spheres, in two dimensions of discs.",
     .example = "clump { pebbles = {{0, 0, 0, 0.003}, {0.004, 0, 0, 0.002}}, radius = "
                "uniform(0.002, 0.004) }\n"
                "clump { file = \"blade.stl\", max_pebbles = 20, seed = 3 }",
     .fields = clump_fields,
     .field_count = SCREE_COUNT_OF(clump_fields),
     .record_bytes = sizeof(clump_record),
     .begin = begin_clump,
     .end = end_clump},
};
const size_t scene_clump_function_count = SCREE_COUNT_OF(scene_clump_functions);
