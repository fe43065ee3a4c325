/*  ellipsoid and superquadric: bodies given by half axes, in two dimensions ellipses and superellipses. Variants are
    scaled copies (stones.c). */
#include "base/error.h"
#include "field_rows.h"
#include "language.h"

#define USUAL_TRIANGLES 320
/*  Cost of a triangle in the script's budget, for each variant, as for other meshes. */
#define CHARGE 200u
/*  Total of all variants of a call. */
#define MAX_TRIANGLES 5000000u

typedef struct quadric_record
{
    double radii[3], exponents[2];
    scree_scene_sizes scale, radius;
    uint32_t variants, triangles;
} quadric_record;

static void begin_quadric(scene_reader *reader, void *record)
{
    quadric_record *r = record;

    (void)reader;
    r->exponents[0] = r->exponents[1] = 2;
    r->scale = (scree_scene_sizes){.spread = SCREE_SPREAD_FIXED, .lower = 1, .upper = 1};
    r->triangles = USUAL_TRIANGLES;
}

static void read_radii(scene_reader *reader, void *target)
{
    quadric_record *r = target;
    const int count = reader->scene->plan.world.dimensions;

    scene_length(reader, reader->index, count, count);
    for (int k = 0; k < count; k++)
        r->radii[k] = scene_item_in_si(reader, reader->index, k + 1, "m");
}

/*  In two dimensions only the one in the plane. */
static void read_exponents(scene_reader *reader, void *target)
{
    quadric_record *r = target;
    const int first = reader->scene->plan.world.dimensions == 2;

    scene_length(reader, reader->index, 2 - first, 2 - first);
    for (int k = first; k < 2; k++)
        r->exponents[k] = scene_item_number(reader, reader->index, k - first + 1);
}

/* ---- the call -------------------------------------------------------------------------------------------- */

typedef struct quadric_maker
{
    const scree_superquadric_def *pattern;
    bool by_radius;
} quadric_maker;

static scree_status make_quadric(scene_reader *reader, const void *how, uint32_t number,
                                 double size, scree_scene_stone *stone, scree_error *error)
{
    const quadric_maker *m = how;
    scree_mesh **kept = scene_row(reader, SCENE_MESHES);

    (void)number;
    *kept = NULL;
    return scene_make_superquadric(reader->scene, m->pattern, m->by_radius ? 0 : size,
                                   m->by_radius ? size : 0, kept, stone, error);
}

static int end_quadric(scene_reader *reader, void *record)
{
    const quadric_record *r = record;
    const bool by_radius = scene_is_given(reader, "radius");
    scree_superquadric_def def = scree_default_superquadric_def();
    const quadric_maker how = {&def, by_radius};
    scene_stones made = {
        .sizes = by_radius ? &r->radius : &r->scale, .make = make_quadric, .how = &how, .file = ""};

    if (by_radius && scene_is_given(reader, "scale"))
        scene_refuse(reader, "has `scale` and `radius`; give one of them");
    made.variants = scene_count_variants(reader, r->variants, made.sizes);
    if (made.sizes->spread == SCREE_SPREAD_FIXED && made.variants > 1)
        scene_refuse(reader, "variants: there are %u of one size, all alike", made.variants);
    if ((uint64_t)made.variants * r->triangles > MAX_TRIANGLES)
        scene_refuse(reader, "%u variants of %u triangles are %.0f in all; the limit is %u",
                     made.variants, r->triangles, (double)made.variants * r->triangles,
                     MAX_TRIANGLES);
    for (int k = 0; k < 3; k++)
        def.radii[k] = r->radii[k];
    for (int k = 0; k < 2; k++)
        def.exponents[k] = r->exponents[k];
    def.dimensions = reader->scene->plan.world.dimensions;
    def.facets = r->triangles;
    scene_charge(reader->L, (uint64_t)made.variants * r->triangles * CHARGE);
    reader->scene->plan.has_stones = true;
    return scene_push_stones(reader, &made);
}

#define OF(member) .offset = offsetof(quadric_record, member)

#define RADII_ROW                                                                                  \
    {                                                                                              \
        .name = "radii", .type = SCENE_OWN, .read = read_radii, .unit = "m", .required = true,     \
        .accepts = "a list {a, b, c}, in two dimensions {a, b}",                                   \
        .help = "half axes {a, b, c} along x, y and z of the body, in two dimensions {a, b}; the " \
                "largest is at most 100 times the smallest"                                        \
    }

#define SIZE_ROWS                                                                                  \
    SCENE_SIZE_ROWS(scale, radius, "of all half axes",                                             \
                    "the ball, in two dimensions of the disc, with the same volume"),              \
        SCENE_VARIANTS_ROW(variants, SCENE_VARIANTS_HELP),                                         \
    {                                                                                              \
        .name = "triangles", .type = SCENE_WHOLE32, OF(triangles), SCENE_WITHIN(8, 100000),        \
        .standard = "320",                                                                         \
        .help = "roughly, of the surface in pictures and files; in two dimensions segments. "      \
                "Contacts are those of the formula"                                                \
    }

static const scene_field ellipsoid_fields[] = {RADII_ROW, SIZE_ROWS};

static const scene_field superquadric_fields[] = {
    RADII_ROW,
    {.name = "exponents",
     .type = SCENE_OWN,
     .read = read_exponents,
     .required = true,
     .accepts = "a list {m, n}, in two dimensions {n}",
     .help = "{m, n} of (|x/a|^n + |y/b|^n)^(m/n) + |z/c|^m = 1, each 2 to 8; in two dimensions "
             "{n}. {2, 2} is an ellipsoid, {8, 2} nearly a cylinder, {8, 8} nearly a box"},
    SIZE_ROWS,
};
#undef OF

const scene_function scene_superquadric_functions[] = {
    {.name = "ellipsoid",
     .chapter = "Superquadrics",
     .summary = "The shape of ellipsoids, in two dimensions of ellipses, with exact contacts.",
     .example = "ellipsoid { radii = {0.004, 0.003, 0.002} }\n"
                "ellipsoid { radii = {1, 1, 0.4}, radius = uniform(0.002, 0.004) }",
     .fields = ellipsoid_fields,
     .field_count = SCREE_COUNT_OF(ellipsoid_fields),
     .record_bytes = sizeof(quadric_record),
     .begin = begin_quadric,
     .end = end_quadric},
    {.name = "superquadric",
     .chapter = "Superquadrics",
     .summary = "The shape of superquadrics: from ellipsoids to rounded cylinders and boxes.",
     .example = "superquadric { radii = {0.003, 0.003, 0.002}, exponents = {6, 2} }",
     .fields = superquadric_fields,
     .field_count = SCREE_COUNT_OF(superquadric_fields),
     .record_bytes = sizeof(quadric_record),
     .begin = begin_quadric,
     .end = end_quadric},
};
const size_t scene_superquadric_function_count = SCREE_COUNT_OF(scene_superquadric_functions);
