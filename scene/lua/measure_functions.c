/*  measure: counts and averages, as columns of metrics.csv. */
#include "language.h"

#include <string.h>

#define MAX_CELLS 1e6
#define OF_BODIES                                                                                  \
    (SCREE_MEASURE_COUNT | SCREE_MEASURE_MASS | SCREE_MEASURE_SOLID_FRACTION |                     \
     SCREE_MEASURE_SPEED | SCREE_MEASURE_VELOCITY | SCREE_MEASURE_TEMPERATURE |                    \
     SCREE_MEASURE_COORDINATION | SCREE_MEASURE_BODY_TEMPERATURE)
#define OF_A_SPHERE                                                                                \
    (SCREE_MEASURE_PRESSURE | SCREE_MEASURE_SHEAR_STRESS | SCREE_MEASURE_STRESS |                  \
     SCREE_MEASURE_FABRIC | SCREE_MEASURE_POROSITY)
#define OF_CELLS (SCREE_MEASURE_SEGREGATION | SCREE_MEASURE_MIXING)
#define OF_CHAINS (SCREE_MEASURE_CHAINS | SCREE_MEASURE_CHAIN_LENGTH | SCREE_MEASURE_CHAIN_SHARE)
#define OF_A_PLANE (SCREE_MEASURE_FLOW | SCREE_MEASURE_MASS_FLOW)
#define OF_A_WALL                                                                                  \
    (SCREE_MEASURE_FORCE | SCREE_MEASURE_TORQUE | SCREE_MEASURE_HEAT_FLOW | SCREE_MEASURE_HEAT |   \
     SCREE_MEASURE_WEAR)
#define OF_ONE_PIECE (SCREE_MEASURE_POSITION | SCREE_MEASURE_VELOCITY | SCREE_MEASURE_SPIN)
#define OF_A_BOX (SCREE_MEASURE_SIZE | SCREE_MEASURE_SIDE_STRESS)

static const scene_word quantity_words[] = {
    {"count", SCREE_MEASURE_COUNT},
    {"mass", SCREE_MEASURE_MASS},
    {"solid_fraction", SCREE_MEASURE_SOLID_FRACTION},
    {"porosity", SCREE_MEASURE_POROSITY},
    {"speed", SCREE_MEASURE_SPEED},
    {"velocity", SCREE_MEASURE_VELOCITY},
    {"temperature", SCREE_MEASURE_TEMPERATURE},
    {"coordination", SCREE_MEASURE_COORDINATION},
    {"pressure", SCREE_MEASURE_PRESSURE},
    {"shear_stress", SCREE_MEASURE_SHEAR_STRESS},
    {"stress", SCREE_MEASURE_STRESS},
    {"fabric", SCREE_MEASURE_FABRIC},
    {"flow", SCREE_MEASURE_FLOW},
    {"mass_flow", SCREE_MEASURE_MASS_FLOW},
    {"force", SCREE_MEASURE_FORCE},
    {"torque", SCREE_MEASURE_TORQUE},
    {"position", SCREE_MEASURE_POSITION},
    {"body_temperature", SCREE_MEASURE_BODY_TEMPERATURE},
    {"heat_flow", SCREE_MEASURE_HEAT_FLOW},
    {"heat", SCREE_MEASURE_HEAT},
    {"segregation", SCREE_MEASURE_SEGREGATION},
    {"mixing", SCREE_MEASURE_MIXING},
    {"chains", SCREE_MEASURE_CHAINS},
    {"chain_length", SCREE_MEASURE_CHAIN_LENGTH},
    {"chain_share", SCREE_MEASURE_CHAIN_SHARE},
    {"size", SCREE_MEASURE_SIZE},
    {"side_stress", SCREE_MEASURE_SIDE_STRESS},
    {"side_force", SCREE_MEASURE_SIDE_FORCE},
    {"spin", SCREE_MEASURE_SPIN},
    {"wear", SCREE_MEASURE_WEAR},
    {NULL, 0},
};

static void begin_measure(scene_reader *reader, void *record)
{
    *(scree_scene_measurement *)record = (scree_scene_measurement){
        .line = reader->line, .name = "", .chain_angle = scree_default_chains_def().angle};
}

void scene_check_name(scene_reader *reader, const char *name)
{
    if (strlen(name) > 40 || strpbrk(name, ",\"\n\r"))
        scene_refuse(
            reader,
            "name: is \"%.50s\", must be at most 40 bytes without commas, quotes and ends of lines",
            name);
}

static uint32_t what_of_wall(const scene_reader *reader, uint32_t wall)
{
    const scree_scene_wall *walls = reader->scene->list[SCENE_WALLS].rows;
    const scree_scene_geometry *surface = &walls[wall - 1].surface;

    if (surface->form != SCREE_FORM_BOX)
        return OF_A_WALL | OF_ONE_PIECE;
    return OF_A_WALL | SCREE_MEASURE_SIDE_FORCE | (surface->open ? 0 : OF_A_BOX);
}

/*  Mixing needs two kinds, and cells. */
static void check_mixing(scene_reader *reader, const scree_scene_measurement *m)
{
    bool by_material = scene_is_given(reader, "material"),
         by_size = scene_is_given(reader, "above");

    if (!(m->quantities & OF_CELLS)) {
        if (by_material || by_size || m->cells[0])
            scene_refuse(reader,
                         "cells, material and above are for \"segregation\" and \"mixing\"");
        return;
    }
    if (!m->cells[0])
        scene_refuse(reader, "`cells` is missing: the numbers of samples");
    if (by_material == by_size)
        scene_refuse(reader, by_size ? "has `material` and `above`; give one of them"
                                     : "`material` or `above`, a radius, is missing");
}

static void read_cells(scene_reader *reader, void *target)
{
    scene_read_cells(reader, target, MAX_CELLS);
}

static int end_measure(scene_reader *reader, void *record)
{
    scree_scene_measurement *m = record;
    bool is_plane = m->region.form == SCREE_FORM_PLANE;

    if (scene_is_given(reader, "region") && m->wall)
        scene_refuse(reader, "has `region` and `wall`; give one of them");
    bool is_sphere = m->region.form == SCREE_FORM_SPHERE;
    bool is_box = m->region.form == SCREE_FORM_BOX;
    uint32_t possible = m->wall                             ? what_of_wall(reader, m->wall)
                        : is_plane                          ? OF_A_PLANE
                        : is_sphere                         ? OF_BODIES | OF_A_SPHERE
                        : is_box                            ? OF_BODIES | OF_CELLS
                        : m->region.form == SCREE_FORM_NONE ? OF_BODIES | OF_CHAINS
                                                            : OF_BODIES;
    if (!scene_is_given(reader, "what"))
        m->quantities = m->wall    ? SCREE_MEASURE_FORCE
                        : is_plane ? OF_A_PLANE
                                   : SCREE_MEASURE_COUNT | SCREE_MEASURE_MASS;
    for (const scene_word *w = quantity_words; w->name; w++)
        if (m->quantities & w->value & ~possible)
            scene_refuse(reader, "what: \"%s\" is not available for %s", w->name,
                         m->wall    ? "a wall like this; \"force\", \"torque\", \"wear\", "
                                      "\"heat_flow\" and \"heat\" "
                                      "are, of a box \"side_force\", without open "
                                      "sides \"size\" and \"side_stress\", of others \"position\", "
                                      "\"velocity\" and \"spin\""
                         : is_plane ? "a plane; \"flow\" and \"mass_flow\" are"
                                    : "a region; of a plane there are \"flow\" and \"mass_flow\", "
                                      "of a wall \"force\" and \"torque\", of a sphere "
                                      "\"pressure\", \"shear_stress\", \"stress\", \"fabric\", "
                                      "\"porosity\", of a box \"segregation\" and "
                                      "\"mixing\"; of no region at all \"chains\", "
                                      "\"chain_length\" and \"chain_share\"");
    if ((m->quantities & SCREE_MEASURE_SOLID_FRACTION) && m->region.form == SCREE_FORM_NONE)
        scene_refuse(reader, "what: \"solid_fraction\" needs a region");
    check_mixing(reader, m);
    if (scene_is_given(reader, "chain_angle") && !(m->quantities & OF_CHAINS))
        scene_refuse(reader, "chain_angle: is for \"chains\" and related values");
    if (m->within.form == SCREE_FORM_PLANE ||
        (m->within.form != SCREE_FORM_NONE && (m->wall || !is_plane)))
        scene_refuse(reader, "within: is the part of a plane that counts, as a box, sphere or "
                             "cylinder around it");
    if (m->is_mean && is_plane)
        scene_refuse(reader, "mean: flow through a plane is counted, and has no average");
    scene_check_name(reader, m->name);
    *(scree_scene_measurement *)scene_row(reader, SCENE_MEASURES) = *m;
    return 0;
}

#define OF(member) .offset = offsetof(scree_scene_measurement, member)
static const scene_field measure_fields[] = {
    {.name = "name",
     .type = SCENE_TEXT,
     OF(name),
     .standard = "the wall's name, else \"measure1\", ...",
     .help = "start of its columns' names, as in \"outlet.mass_flow\""},
    {.name = "region",
     .type = SCENE_REGION,
     OF(region),
     .standard = "everywhere",
     .help = "bodies with their centre in it; of a plane, those that cross it"},
    {.name = "wall",
     .type = SCENE_WALL,
     OF(wall),
     .standard = "none",
     .help = "or the action of bodies on a wall"},
    {.name = "what",
     .type = SCENE_FLAGS,
     OF(quantities),
     .words = quantity_words,
     .standard = "count and mass; of a plane flow and mass_flow; of a wall force",
     .help = "of bodies \"count\", \"mass\", \"solid_fraction\" (in a sphere the exact volume of "
             "bodies inside; in other regions by centres), \"speed\" (mean), \"velocity\" (mean by "
             "mass), \"temperature\" (granular: mean square about the mean, per component), "
             "\"coordination\" (mean number of contacts with bodies and walls), "
             "\"body_temperature\" (with heat: mean by heat capacity); of a box with cells "
             "\"segregation\" (Danckwerts: 1 if each cell has one kind) and \"mixing\" (Lacey: 0 "
             "segregated, 1 random), both by number; of all bodies, without a region, \"chains\" "
             "(force chains by Peters et al.: at least three bodies in contact, with compression "
             "above the mean along the line between them), \"chain_length\" (mean number of bodies "
             "in a chain), \"chain_share\" (share of bodies in chains); of a sphere \"porosity\" "
             "(1 less solid_fraction), \"pressure\", \"shear_stress\", \"stress\" (xx yy zz xy yz "
             "xz, kinetic and of the parts of contacts inside; compression is positive), "
             "\"fabric\" (directions of contacts, trace 1); of a plane \"flow\" (bodies so far, "
             "along the normal less against it), \"mass_flow\"; of a wall \"force\", \"torque\", "
             "with heat \"heat_flow\" (W into bodies) and \"heat\" (J so far), \"wear\" (volume "
             "worn so far) and, except for a "
             "box, its \"position\", \"velocity\" and \"spin\"; of a box \"side_force\" (of each "
             "side that is not open, as w.side_force_-x_z), without open sides \"size\", and "
             "\"side_stress\": the pressure of bodies on the sides perpendicular to x, y and z"},
    {.name = "within",
     .type = SCENE_REGION,
     OF(within),
     .standard = "everywhere",
     .help = "of a plane: only bodies that cross it in this region count: a disc with a cylinder, "
             "a rectangle with a box"},
    {.name = "cells",
     .type = SCENE_OWN,
     OF(cells),
     .read = read_cells,
     .standard = "none",
     .accepts = "two or three whole numbers, as {4, 4, 8}",
     .help = "for \"segregation\" and \"mixing\": numbers of samples into which a box is divided"},
    {.name = "material",
     .type = SCENE_MATERIAL,
     OF(material),
     .standard = "none",
     .help = "for these: bodies of this material are one kind, all others the other"},
    {.name = "above",
     .type = SCENE_NUMBER,
     OF(above),
     SCENE_FROM(0),
     .unit = "m",
     .standard = "none",
     .help = "or bodies with a larger radius; for shapes other than spheres that of the bounding "
             "sphere"},
    {.name = "chain_angle",
     .type = SCENE_NUMBER,
     OF(chain_angle),
     SCENE_WITHIN(0, 1.57079632679489661923),
     .unit = "rad",
     .standard = "pi / 4",
     .help = "for chains: bodies are linked if the line between them is within this angle of the "
             "directions of largest compression of both"},
    {.name = "mean",
     .type = SCENE_SWITCH,
     OF(is_mean),
     .standard = "false",
     .help = "average over time: of samples since the last row, as often as `metrics` says"},
};
#undef OF

const scene_function scene_measure_functions[] = {
    {.name = "measure",
     .chapter = "Measuring",
     .summary = "Columns of metrics.csv.",
     .example = "measure { name = \"outlet\", region = plane { point = {0, 0, -0.01}, normal = {0, "
                "0, -1} } }\n"
                "measure { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, what = "
                "\"mixing\", cells = {4, 4, 8}, above = 0.0015 }\n"
                "measure { what = {\"chains\", \"chain_share\"}, chain_angle = math.rad(30) }",
     .fields = measure_fields,
     .field_count = SCREE_COUNT_OF(measure_fields),
     .record_bytes = sizeof(scree_scene_measurement),
     .begin = begin_measure,
     .end = end_measure},
};
const size_t scene_measure_function_count = SCREE_COUNT_OF(scene_measure_functions);
