/*  domain, gravity, material, rule: properties of the world, and interactions. */
#include "base/nearest_name.h"
#include "language.h"

#include <string.h>

/* ---- domain ---------------------------------------------------------------------------------------------- */

typedef struct domain_record
{
    double lower[3], upper[3];
    int boundary[3];
    uint64_t dimensions;
} domain_record;

static const scene_word boundary_words[] = {
    {"none", SCREE_BOUNDARY_NONE},         {"stop", SCREE_BOUNDARY_STOP},
    {"reflect", SCREE_BOUNDARY_REFLECT},   {"destroy", SCREE_BOUNDARY_DESTROY},
    {"periodic", SCREE_BOUNDARY_PERIODIC}, {NULL, 0},
};

static int boundary_at(scene_reader *reader, int index)
{
    const char *word =
        lua_type(reader->L, index) == LUA_TSTRING ? lua_tostring(reader->L, index) : "";

    for (const scene_word *w = boundary_words; w->name; w++)
        if (strcmp(w->name, word) == 0)
            return (int)w->value;
    scene_refuse(
        reader,
        "is \"%.40s\", must be \"none\", \"stop\", \"reflect\", \"destroy\" or "
        "\"periodic\", or one of these for each axis, as {\"periodic\", \"none\", \"none\"}",
        word);
}

static void read_boundary(scene_reader *reader, void *target)
{
    int *boundary = target;

    if (lua_type(reader->L, reader->index) != LUA_TTABLE) {
        boundary[0] = boundary[1] = boundary[2] = boundary_at(reader, reader->index);
        return;
    }
    lua_Integer count = scene_length(reader, reader->index, 2, 3);
    for (lua_Integer k = 1; k <= count; k++) {
        lua_geti(reader->L, reader->index, k);
        boundary[k - 1] = boundary_at(reader, lua_gettop(reader->L));
        lua_pop(reader->L, 1);
    }
}

static void begin_domain(scene_reader *reader, void *record)
{
    (void)reader;
    ((domain_record *)record)->dimensions = 3;
}

/*  The number of dimensions changes other functions, so it must be set before they are called. */
static void check_nothing_came_before(scene_reader *reader)
{
    const scene_function *function;

    for (size_t i = 0; (function = reader->host->function_at(i)) != NULL; i++) {
        bool depends =
            strcmp(function->chapter, "Places and surfaces") == 0 ||
            strcmp(function->chapter, "Walls") == 0 || strcmp(function->chapter, "Bodies") == 0 ||
            /* densities have another unit in two dimensions */
            (reader->host->units.are_declared && strcmp(function->name, "material") == 0);
        if (depends && reader->host->lines[i])
            scene_refuse(reader, "dimensions: is 2, and must be said before `%s` in line %d",
                         function->name, reader->host->lines[i]);
    }
}

static int end_domain(scene_reader *reader, void *record)
{
    domain_record *r = record;
    scree_world_def *def = &reader->scene->plan.world;
    bool has_box = scene_is_given(reader, "lower") && scene_is_given(reader, "upper");

    if (r->dimensions == 2)
        check_nothing_came_before(reader);
    def->dimensions = (int)r->dimensions;
    for (int k = 0; k < def->dimensions; k++) {
        if (r->boundary[k] != SCREE_BOUNDARY_NONE && !has_box)
            scene_refuse(reader, "`%s` is missing: a boundary needs both corners of the domain",
                         scene_is_given(reader, "lower") ? "upper" : "lower");
        if (has_box && !(r->lower[k] < r->upper[k]))
            scene_refuse(reader, "lower is %g along %c and upper is %g; lower must be below upper",
                         scene_from_si(reader, r->lower[k], "m"), "xyz"[k],
                         scene_from_si(reader, r->upper[k], "m"));
        def->domain.boundary[k] = (scree_boundary)r->boundary[k];
        def->domain.lower[k] = r->lower[k];
        def->domain.upper[k] = r->upper[k];
    }
    return 0;
}

static const scene_field domain_fields[] = {
    {.name = "lower",
     .type = SCENE_VECTOR,
     .offset = offsetof(domain_record, lower),
     .unit = "m",
     .standard = "none",
     .help = "one corner; needed if there is a boundary"},
    {.name = "upper",
     .type = SCENE_VECTOR,
     .offset = offsetof(domain_record, upper),
     .unit = "m",
     .standard = "none",
     .help = "the opposite corner"},
    {.name = "boundary",
     .type = SCENE_OWN,
     .offset = offsetof(domain_record, boundary),
     .read = read_boundary,
     .standard = "\"none\"",
     .accepts = "a word, or one for each axis, as {\"periodic\", \"none\", \"none\"}",
     .help = "what happens at the boundary: \"none\"; \"stop\" stops bodies whose centre is "
             "outside, after each step, and leaves them there; \"reflect\" reverses their outward "
             "velocity; \"destroy\" removes bodies that are entirely outside; \"periodic\" wraps "
             "them around to the other side"},
    {.name = "dimensions",
     .type = SCENE_WHOLE,
     .offset = offsetof(domain_record, dimensions),
     SCENE_WITHIN(2, 3),
     .standard = "3",
     .help = "2: bodies are discs in the plane z = 0"},
};

/* ---- gravity --------------------------------------------------------------------------------------------- */

typedef struct gravity_record
{
    double gravity[3];
} gravity_record;

static void read_gravity(scene_reader *reader, void *target)
{
    scene_read_vector(reader, reader->index, target);
}

static int end_gravity(scene_reader *reader, void *record)
{
    memcpy(reader->scene->plan.world.gravity, record, 3 * sizeof(double));
    return 0;
}

static const scene_field gravity_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .read = read_gravity,
     .required = true,
     .unit = "m/s^2",
     .accepts = "three numbers",
     .help = "the acceleration, as { 0, 0, -9.81 }"},
};

/* ---- material -------------------------------------------------------------------------------------------- */

typedef struct material_record
{
    scree_material_def def;
    scree_material_heat_def heat;
} material_record;

static void begin_material(scene_reader *reader, void *record)
{
    (void)reader;
    *(material_record *)record =
        (material_record){scree_default_material_def(), scree_default_material_heat_def()};
}

static int end_material(scene_reader *reader, void *record)
{
    material_record *r = record;
    scree_material_def *def = &r->def;

    if (strlen(def->name) > 31)
        scene_refuse(reader, "name: is \"%.40s\", must be at most 31 bytes long", def->name);
    if (reader->scene->list[SCENE_MATERIALS].count >= 1000)
        scene_refuse(reader, "this is the 1001st; the limit is 1000 materials");
    *(scree_material_def *)scene_row(reader, SCENE_MATERIALS) = *def;
    *(int *)scene_row(reader, SCENE_MATERIAL_LINES) = reader->line;
    *(scree_material_heat_def *)scene_row(reader, SCENE_MATERIAL_HEATS) = r->heat;
    scene_value value = {.kind = SCENE_A_MATERIAL,
                         .index = (uint32_t)reader->scene->list[SCENE_MATERIALS].count};
    scene_push(reader, &value);
    return 1;
}

#define OF(member) .offset = offsetof(material_record, member)
static const scene_field material_fields[] = {
    {.name = "name",
     .type = SCENE_TEXT,
     OF(def.name),
     .standard = "the variable's",
     .help = "for messages; up to 31 bytes"},
    {.name = "density",
     .type = SCENE_NUMBER,
     OF(def.density),
     SCENE_ABOVE(0),
     .unit = "kg/m^3",
     .flat_unit = "kg/m^2",
     .standard = "2500",
     .help = "in two dimensions kg/m^2"},
    {.name = "young",
     .type = SCENE_NUMBER,
     OF(def.young),
     SCENE_ABOVE(0),
     .endless = true,
     .unit = "Pa",
     .standard = "1e7",
     .help = "Young's modulus; math.huge is rigid, for one of two that touch"},
    {.name = "poisson",
     .type = SCENE_NUMBER,
     OF(def.poisson),
     .lower = -1,
     .upper = 0.5,
     .above = true,
     .standard = "0.3",
     .help = "Poisson's ratio"},
    {.name = "restitution",
     .type = SCENE_NUMBER,
     OF(def.restitution),
     SCENE_WITHIN(0, 1),
     .standard = "0.5",
     .help = "speed after a head-on impact over that before; of two materials the smaller"},
    {.name = "friction",
     .type = SCENE_NUMBER,
     OF(def.friction),
     SCENE_FROM(0),
     .standard = "0.5",
     .help = "Coulomb's coefficient; of two materials the smaller"},
    {.name = "rolling_friction",
     .type = SCENE_NUMBER,
     OF(def.rolling_friction),
     SCENE_FROM(0),
     .standard = "0",
     .help = "rolling resistance coefficient (lever arm over radius), for the laws with rolling; "
             "of two materials the smaller"},
    {.name = "twisting_friction",
     .type = SCENE_NUMBER,
     OF(def.twisting_friction),
     SCENE_FROM(0),
     .standard = "0",
     .help = "the same about the normal"},
    {.name = "stiffness",
     .type = SCENE_NUMBER,
     OF(def.stiffness),
     SCENE_ABOVE(0),
     .unit = "N/m",
     .standard = "1e5",
     .help = "for the linear laws; two materials are springs in series"},
    {.name = "stiffness_ratio",
     .type = SCENE_NUMBER,
     OF(def.stiffness_ratio),
     SCENE_ABOVE(0),
     .standard = "2/7",
     .help = "for the linear laws: tangential stiffness over normal; of two the mean"},
    {.name = "conductivity",
     .type = SCENE_NUMBER,
     OF(heat.conductivity),
     SCENE_FROM(0),
     .unit = "W/m K",
     .standard = "0",
     .help = "thermal conductivity; 0 insulates; of two materials the harmonic mean"},
    {.name = "heat_capacity",
     .type = SCENE_NUMBER,
     OF(heat.capacity),
     SCENE_FROM(0),
     .unit = "J/kg K",
     .standard = "0",
     .help = "specific heat; required for bodies if there is heat"},
    {.name = "real_young",
     .type = SCENE_NUMBER,
     OF(heat.young),
     SCENE_FROM(0),
     .unit = "Pa",
     .standard = "young",
     .help = "the real modulus if `young` is softer: heat then flows through contacts as narrow as "
             "real ones"},
};
#undef OF

/* ---- rule ------------------------------------------------------------------------------------------------ */

static const scene_word between_words[] = {{"any", SCREE_CONTACT_ANY},
                                           {"bodies", SCREE_CONTACT_BODIES},
                                           {"walls", SCREE_CONTACT_WALLS},
                                           {NULL, 0}};

static void read_materials(scene_reader *reader, void *target)
{
    uint32_t *materials = target;
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (value && value->kind == SCENE_A_MATERIAL) {
        materials[0] = value->index;
        return;
    }
    lua_Integer count = scene_length(reader, reader->index, 1, 2);
    for (lua_Integer k = 1; k <= count; k++) {
        lua_geti(reader->L, reader->index, k);
        value = scene_value_at(reader->L, -1);
        if (!value || value->kind != SCENE_A_MATERIAL)
            scene_refuse(reader, "item %d is %s, must be a value returned by material { ... }",
                         (int)k, scene_describe(reader->L, -1));
        materials[k - 1] = value->index;
        lua_pop(reader->L, 1);
    }
}

/*  Built-in laws, "none", and those of the scene. */
static const char *next_law(const void *list, size_t index)
{
    const scree_scene *scene = list;
    const scree_law *law = scree_law_at(index);
    const size_t first = scree_law_count() + 1;

    if (law || index + 1 == first)
        return law ? law->name : "none";
    return index - first < scene->list[SCENE_LAWS].count
               ? ((scree_law *const *)scene->list[SCENE_LAWS].rows)[index - first]->name
               : NULL;
}

static void read_law(scene_reader *reader, void *target)
{
    scree_scene_rule *rule = target;

    if (lua_type(reader->L, reader->index) != LUA_TSTRING)
        scene_refuse_value(reader, "the name of a law, as \"hertz\"");
    const char *text = lua_tostring(reader->L, reader->index);
    if (strcmp(text, "none") == 0) {
        rule->law = NULL;
        return;
    }
    const scree_law *law = scree_law_by_name(text);
    rule->own_law = scene_find_law(reader->scene, text);
    if (!law && !rule->own_law) {
        const char *nearest = scree_nearest_name(text, next_law, reader->scene);
        if (nearest)
            scene_refuse(reader, "there is no law \"%.40s\"; did you mean \"%s\"?", text, nearest);
        scene_refuse(
            reader,
            "there is no law \"%.40s\"; laws are \"linear\", \"hertz\", "
            "\"linear-rolling\", \"hertz-rolling\", \"jkr\", \"dmt\", \"sjkr\", "
            "\"capillary\", \"plastic\", \"eepa\", \"bonded\", \"penalty\" and \"none\"; a law of "
            "the scene's own must stand before the rule",
            text);
    }
    rule->law = law ? law->name : rule->own_law->name;
}

static bool law_has(const scree_law *law, const char *name)
{
    for (const char *const *n = law->parameter_names; n && *n; n++)
        if (strcmp(*n, name) == 0)
            return true;
    return false;
}

/*  Of values of built-in models; others have no unit. */
static const char *unit_of_value(const char *name)
{
    static const char *const units[][2] = {
        {"stiffness", "N/m"},
        {"young", "Pa"},
        {"shear", "Pa"},
        {"adhesion", "N/m"},
        {"cohesion", "Pa"},
        {"separation", "m"},
        {"surface_tension", "N/m"},
        {"volume", "m^3"},
        {"contact_angle", "rad"},
        {"plastic_stiffness", "N/m"},
        {"cohesion_stiffness", "N/m"},
        {"pull_off_force", "N"},
        {"contact_skin", "m"},
        {"bond_young", "Pa"},
        {"bond_tension", "Pa"},
        {"bond_shear", "Pa"},
    };

    for (size_t k = 0; k < SCREE_COUNT_OF(units); k++)
        if (strcmp(name, units[k][0]) == 0)
            return units[k][1];
    return "";
}

/*  { restitution = 0.9, ... }; the end function checks whether the model has them. */
static void read_values(scene_reader *reader, void *target)
{
    scree_scene_rule *rule = target;
    scene_named_numbers numbers;

    scene_read_named_numbers(reader, &numbers);
    rule->names = numbers.names;
    rule->values = numbers.values;
    rule->value_count = numbers.count;
}

static void begin_rule(scene_reader *reader, void *record)
{
    scree_scene_rule *rule = record;

    rule->line = reader->line;
    rule->law = "hertz";
    rule->groups = UINT64_MAX;
}

/*  The name by which the law knows a value: its own, or for an old name the new one. */
static const char *name_of_value(scene_reader *reader, const scree_law *law, const char *name,
                                 const scene_named_numbers *given)
{
    static const scene_old_word renamed[] = {{"halo", "contact_skin"}};

    if (law && law_has(law, name))
        return name;
    for (size_t k = 0; law && k < SCREE_COUNT_OF(renamed); k++) {
        if (strcmp(name, renamed[k].old_name) != 0 || !law_has(law, renamed[k].name))
            continue;
        for (uint32_t i = 0; i < given->count; i++)
            if (strcmp(given->names[i], renamed[k].name) == 0)
                scene_refuse(reader, "values: `%s` is the old name of `%s`; leave one", name,
                             renamed[k].name);
        scene_warn_of_old_name(reader, &renamed[k], name, renamed[k].name);
        return renamed[k].name;
    }
    const char *nearest =
        law && law->parameter_names ? scree_nearest_of(name, law->parameter_names) : NULL;
    if (nearest)
        scene_refuse(reader, "values: law \"%s\" has no value `%.40s`; did you mean `%s`?",
                     law->name, name, nearest);
    scene_refuse(reader, "values: law \"%s\" has no value `%.40s`", law ? law->name : "none", name);
}

void scene_law_values(scene_reader *reader, const scree_scene_rule *rule,
                      scene_named_numbers *numbers)
{
    const scree_law *law = scene_law_of_rule(rule);
    const char **names = scene_keep(reader, numbers->count, sizeof *names);
    double *values = scene_keep(reader, numbers->count, sizeof *values);

    for (uint32_t i = 0; i < numbers->count; i++) {
        names[i] = name_of_value(reader, law, numbers->names[i], numbers);
        /* parameters of formulas are in SI */
        values[i] = rule->own_law
                        ? numbers->values[i]
                        : scene_to_si(reader, numbers->values[i], unit_of_value(names[i]));
    }
    *numbers = (scene_named_numbers){names, values, numbers->count};
}

/*  Gives back the rule, whose values a stage may change. */
static int end_rule(scene_reader *reader, void *record)
{
    scree_scene_rule *rule = record;

    scene_named_numbers numbers = {rule->names, rule->values, rule->value_count};
    scene_law_values(reader, rule, &numbers);
    rule->names = numbers.names;
    rule->values = numbers.values;
    if (reader->scene->list[SCENE_RULES].count >= 65535)
        scene_refuse(reader, "the limit is 65535 rules");
    *(scree_scene_rule *)scene_row(reader, SCENE_RULES) = *rule;
    scene_push(reader, &(scene_value){.kind = SCENE_A_RULE,
                                      .index = (uint32_t)reader->scene->list[SCENE_RULES].count});
    return 1;
}

#define OF(member) .offset = offsetof(scree_scene_rule, member)
static const scene_field rule_fields[] = {
    {.name = "materials",
     .type = SCENE_OWN,
     OF(material),
     .read = read_materials,
     .accepts = "a material, or two in a list, as {glass, steel}",
     .standard = "any",
     .help = "the materials in contact, in either order"},
    {.name = "between",
     .type = SCENE_WORD,
     OF(type),
     .words = between_words,
     .standard = "\"any\"",
     .help = "contacts of bodies with each other, with walls, or both"},
    {.name = "groups",
     .type = SCENE_GROUPS,
     OF(groups),
     .standard = "any",
     .help = "both must be in one of these"},
    {.name = "law",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_law,
     .standard = "\"hertz\"",
     .accepts = "the name of a law",
     .help = "\"linear\", \"hertz\", \"linear-rolling\", \"hertz-rolling\"; that stick: \"jkr\", "
             "\"dmt\", \"sjkr\", "
             "\"capillary\", \"plastic\", \"eepa\"; \"bonded\", \"penalty\"; \"none\": no force at "
             "all; or "
             "one that the scene has "
             "written by `law`"},
    {.name = "values",
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_values,
     .accepts = "a table of numbers by name",
     .standard = "{}",
     .help =
         "instead of what the materials say: stiffness, stiffness_ratio, young, shear, "
         "restitution, "
         "friction, rolling_friction and so on; N/m, Pa. What sticks needs one more: \"jkr\" and "
         "\"dmt\" the energy of adhesion, `adhesion` in J/m^2, \"dmt\" perhaps the `separation` "
         "from which van der Waals' pull fades, m; \"sjkr\" `cohesion` in J/m^3; \"capillary\" "
         "`surface_tension` in N/m and `volume` in m^3 of "
         "a bridge, and `contact_angle`; \"plastic\" `plastic_stiffness` in N/m above stiffness, "
         "and "
         "`cohesion_stiffness`, `plastic_depth`; \"eepa\" may have `plasticity`, the share of 1 "
         "that "
         "contacts keep of a compression, `adhesion` in J/m^2, `adhesion_exponent`, and "
         "`pull_off_force` in N; \"bonded\" `bond_young` in Pa, and `bond_ratio` "
         "of normal to "
         "shear stiffness, `bond_radius` over the smaller one, strengths `bond_tension`, "
         "`bond_shear` in "
         "Pa, `bond_moment`, `bond_reach`, `bond_lasts` = 1 where distance breaks none; "
         "\"penalty\" `contact_skin` in m, and `strength`"},
};
#undef OF

/* ---- bond ------------------------------------------------------------------------------------------------ */

static void begin_bond(scene_reader *reader, void *record)
{
    scree_scene_bond *bond = record;

    bond->line = reader->line;
    bond->groups = UINT64_MAX;
}

static int end_bond(scene_reader *reader, void *record)
{
    *(scree_scene_bond *)scene_row(reader, SCENE_BONDS) = *(const scree_scene_bond *)record;
    scene_push(reader, &(scene_value){.kind = SCENE_A_BOND,
                                      .index = (uint32_t)reader->scene->list[SCENE_BONDS].count});
    return 1;
}

static const scene_field bond_fields[] = {
    {.name = "gap",
     .type = SCENE_NUMBER,
     .offset = offsetof(scree_scene_bond, gap),
     SCENE_FROM(0),
     .unit = "m",
     .standard = "0",
     .help = "largest distance of the surfaces; at most the law's bond_reach"},
    {.name = "groups",
     .type = SCENE_GROUPS,
     .offset = offsetof(scree_scene_bond, groups),
     .standard = "any",
     .help = "both are in one of these"},
};

const scene_function scene_world_functions[] = {
    {.name = "domain",
     .chapter = "The world",
     .once = true,
     .summary = "The domain of the simulation: a box.",
     .example =
         "domain { lower = {-0.1, -0.1, 0}, upper = {0.1, 0.1, 0.4}, boundary = \"destroy\" }",
     .fields = domain_fields,
     .field_count = SCREE_COUNT_OF(domain_fields),
     .record_bytes = sizeof(domain_record),
     .begin = begin_domain,
     .end = end_domain},
    {.name = "gravity",
     .chapter = "The world",
     .once = true,
     .summary = "The acceleration of gravity; none by default.",
     .example = "gravity { 0, 0, -9.81 }",
     .fields = gravity_fields,
     .field_count = SCREE_COUNT_OF(gravity_fields),
     .record_bytes = sizeof(gravity_record),
     .end = end_gravity},
    {.name = "material",
     .chapter = "The world",
     .summary = "A material of bodies and walls. Returns the material.",
     .example =
         "glass = material { density = 2500, young = 1e7, restitution = 0.5, friction = 0.5 }\n"
         "\n"
         "heat { temperature = 300 }\n"
         "rubber = material { density = 1100, young = 1e6, poisson = 0.49, restitution = 0.7, "
         "rolling_friction = 0.05, twisting_friction = 0.02,\n"
         "                    stiffness_ratio = 0.5, conductivity = 0.2, heat_capacity = 1500, "
         "real_young = 5e6 }",
     .fields = material_fields,
     .field_count = SCREE_COUNT_OF(material_fields),
     .record_bytes = sizeof(material_record),
     .begin = begin_material,
     .end = end_material},
    {.name = "rule",
     .chapter = "The world",
     .summary =
         "Which contact law acts between which materials, with which values. The first rule that "
         "matches is used; if none does, \"hertz\" acts with the values of the materials.",
     .example = "rule { materials = {glass, steel}, law = \"hertz-rolling\", values = { friction = "
                "0.2 } }\n"
                "\n"
                "rule { between = \"walls\", groups = {2}, law = \"linear\" }",
     .fields = rule_fields,
     .field_count = SCREE_COUNT_OF(rule_fields),
     .record_bytes = sizeof(scree_scene_rule),
     .begin = begin_rule,
     .end = end_rule},
    {.name = "bond",
     .chapter = "The world",
     .summary = "Bonds the initial bodies, once all are placed: pairs close to each other whose "
                "law is \"bonded\". Bonds break when their strength is exceeded: metrics.csv "
                "counts breaks, breaks.csv lists them.",
     .example = "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, "
                "bond_shear = 1e5 } }\n"
                "bond { gap = 1e-5 }\n"
                "\n"
                "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, "
                "bond_shear = 1e5 } }\n"
                "bond { groups = {1}, gap = 1e-5 }",
     .fields = bond_fields,
     .field_count = SCREE_COUNT_OF(bond_fields),
     .record_bytes = sizeof(scree_scene_bond),
     .begin = begin_bond,
     .end = end_bond},
};
const size_t scene_world_function_count = SCREE_COUNT_OF(scene_world_functions);
