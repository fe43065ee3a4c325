/*  The table of laws: which row decides, what is refused, and that a refusal leaves no trace. */
#include "base/nearest_name.h"
#include "harness/failing_allocator.h"
#include "law/law_table.h"
#include "test.h"

#include <math.h>

/* ---- a law of our own: its constants are numbers of the two materials and its parameters ---- */

enum
{
    OWN_STIFFNESS,
    OWN_FIRST_DENSITY,
    OWN_SECOND_DENSITY,
};

static const char *const own_parameters[] = {"restitution", "stiffness", "friction", NULL};

static scree_status own_prepare(const scree_law_input *input, double constants[SCREE_MAX_CONSTANTS],
                                void *user)
{
    if (user)
        ++*(int *)user;
    if (input->first->density + input->second->density > 1e6) {
        if (input->error)
            snprintf(input->error->text, sizeof input->error->text, "too heavy for it");
        return SCREE_BAD_VALUE;
    }
    constants[OWN_STIFFNESS] = input->parameters[1];
    constants[OWN_FIRST_DENSITY] = input->first->density;
    constants[OWN_SECOND_DENSITY] = input->second->density;
    return SCREE_OK;
}

static void own_force(const scree_batch *batch, const double *constants, void *user)
{
    (void)user;
    for (uint32_t k = 0; k < batch->count; k++)
        for (int a = 0; a < 3; a++)
            batch->force[a][k] = -constants[OWN_STIFFNESS] * batch->overlap[k];
}

static scree_law own_law(void)
{
    return (scree_law){.name = "own",
                       .parameter_names = own_parameters,
                       .memory_count = 9,
                       .has_moment = true,
                       .reach = 0.25,
                       .prepare = own_prepare,
                       .force = own_force};
}

/* ---- tables ---- */

typedef struct table
{
    scree_memory memory;
    scree_rules rules;
    scree_error error;
} table;

static void set_up(table *t, const scree_allocator *allocator)
{
    memset(t, 0, sizeof *t);
    CHECK_EQUAL(scree_memory_init(&t->memory, allocator), SCREE_OK);
    CHECK_EQUAL(scree_rules_init(&t->rules, &t->memory, SCREE_SIMD_SCALAR, 3), SCREE_OK);
}

static void tear_down(table *t)
{
    scree_rules_free(&t->rules);
    CHECK_EQUAL(t->memory.bytes, 0);
}

static uint32_t add_material(table *t, const char *name, double density)
{
    scree_material_def def = scree_default_material_def();
    scree_material_id id = {0};

    def.name = name;
    def.density = density;
    CHECK_EQUAL(scree_rules_add_material(&t->rules, &def, &id, &t->error), SCREE_OK);
    return id.index1;
}

static scree_rule_def rule_between(scree_contact_type type, uint32_t a, uint32_t b)
{
    scree_rule_def def = scree_default_rule_def();

    def.type = type;
    def.material[0].index1 = a;
    def.material[1].index1 = b;
    return def;
}

/*  A row with our law, known afterwards by the stiffness. */
static scree_status add_own(table *t, scree_rule_def def, double stiffness)
{
    static const char *const name[] = {"stiffness"};
    scree_law law = own_law();

    def.own_law = &law;
    def.names = name;
    def.values = &stiffness;
    def.value_count = 1;
    return scree_rules_add_rule(&t->rules, &def, &t->error);
}

static const scree_rule_slot *slot_of(const table *t, scree_contact_type type, uint32_t a,
                                      uint32_t b)
{
    uint32_t slot = scree_rules_find(&t->rules, type, a, b, 1, 1);

    CHECK(slot < t->rules.slot_count);
    CHECK_EQUAL(slot, scree_rules_find(&t->rules, type, b, a, 1, 1));
    return &t->rules.slots[slot];
}

#define BODIES SCREE_CONTACT_BODIES
#define WALLS SCREE_CONTACT_WALLS

TEST(without_rows_all_is_hertz)
{
    table t;
    uint32_t a, b;

    set_up(&t, NULL);
    a = add_material(&t, "a", 1);
    b = add_material(&t, "b", 2);
    for (int type = BODIES; type <= WALLS; type++) {
        const scree_rule_slot *slot = slot_of(&t, (scree_contact_type)type, a, b);
        CHECK_TEXT(slot->law->name, "hertz");
        CHECK_EQUAL(slot->rule, 0);
        CHECK_EQUAL(slot->material[0], a);
        CHECK_EQUAL(slot->material[1], b);
        CHECK(!slot->refused);
    }
    CHECK(slot_of(&t, BODIES, a, a) != slot_of(&t, BODIES, a, b));
    CHECK_EQUAL(t.rules.planes, scree_law_by_name("hertz")->memory_count);
    CHECK(!t.rules.has_moments && t.rules.reach.fixed == 0 && t.rules.reach.root == 0);
    tear_down(&t);
}

TEST(names_are_copied_and_stay_as_the_table_grows)
{
    table t;
    char name[32];

    set_up(&t, NULL);
    for (uint32_t k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "material %u", k);
        CHECK_EQUAL(add_material(&t, name, 1 + k), k + 1);
    }
    for (uint32_t k = 0; k < 40; k++) {
        snprintf(name, sizeof name, "material %u", k);
        CHECK_TEXT(t.rules.materials[k].def.name, name);
        CHECK(t.rules.materials[k].def.name == t.rules.materials[k].name);
        CHECK(t.rules.materials[k].def.density == 1 + k);
    }
    tear_down(&t);
}

TEST(pfc_45_the_first_row_that_matches_decides)
{
    table t;
    uint32_t a, b, c;

    set_up(&t, NULL);
    a = add_material(&t, "a", 1);
    b = add_material(&t, "b", 2);
    CHECK_EQUAL(add_own(&t, rule_between(SCREE_CONTACT_ANY, b, a), 10), SCREE_OK);
    CHECK_EQUAL(add_own(&t, rule_between(WALLS, 0, a), 20), SCREE_OK);
    c = add_material(&t, "c", 3);
    CHECK_EQUAL(add_own(&t, rule_between(SCREE_CONTACT_ANY, a, 0), 30), SCREE_OK);
    CHECK_EQUAL(add_own(&t, rule_between(SCREE_CONTACT_ANY, a, b), 40), SCREE_OK);

    CHECK(slot_of(&t, BODIES, a, b)->constants[OWN_STIFFNESS] == 10);
    CHECK(slot_of(&t, WALLS, a, b)->constants[OWN_STIFFNESS] == 10);
    CHECK(slot_of(&t, WALLS, a, a)->constants[OWN_STIFFNESS] == 20);
    CHECK(slot_of(&t, WALLS, a, c)->constants[OWN_STIFFNESS] == 20);
    CHECK(slot_of(&t, BODIES, a, a)->constants[OWN_STIFFNESS] == 30);
    CHECK(slot_of(&t, BODIES, a, c)->constants[OWN_STIFFNESS] == 30);
    CHECK_EQUAL(slot_of(&t, BODIES, a, c)->rule, 3);
    CHECK_TEXT(slot_of(&t, BODIES, b, c)->law->name, "hertz");
    CHECK_TEXT(slot_of(&t, WALLS, c, c)->law->name, "hertz");
    tear_down(&t);
}

/*  The same rows, looked for one by one. */
static double slow_find(const scree_rule_def *defs, size_t count, scree_contact_type type,
                        uint32_t a, uint32_t b, uint64_t groups_a, uint64_t groups_b)
{
    for (size_t k = 0; k < count; k++) {
        uint32_t x = defs[k].material[0].index1, y = defs[k].material[1].index1;
        bool matches = ((x == 0 || x == a) && (y == 0 || y == b)) ||
                       ((x == 0 || x == b) && (y == 0 || y == a));
        if (!matches || (defs[k].type != SCREE_CONTACT_ANY && defs[k].type != type))
            continue;
        if (defs[k].groups != UINT64_MAX &&
            (!(defs[k].groups & groups_a) || !(defs[k].groups & groups_b)))
            continue;
        return (double)(k + 1);
    }
    return 0;
}

static void hold_random_tables(bool with_groups)
{
    uint64_t random = 12345;

    for (int round = 0; round < 60; round++) {
        scree_rule_def defs[12];
        size_t count = 0;
        uint32_t materials = 0;
        table t;
        set_up(&t, NULL);
        for (int k = 0; k < 18; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            uint64_t r = random >> 20;
            if (r % 3 == 0 && materials < 6) {
                materials = add_material(&t, "", 1);
            } else if (count < 12) {
                defs[count] = rule_between((scree_contact_type)(r / 3 % 3),
                                           (uint32_t)(r / 9 % (materials + 1)),
                                           (uint32_t)(r / 99 % (materials + 1)));
                if (with_groups && r / 999 % 2)
                    defs[count].groups = 1 + r / 9999 % 7;
                CHECK_EQUAL(add_own(&t, defs[count], (double)(count + 1)), SCREE_OK);
                count++;
            }
        }
        CHECK(with_groups || !t.rules.uses_groups);
        for (uint32_t a = 1; a <= materials; a++)
            for (uint32_t b = 1; b <= materials; b++)
                for (int type = BODIES; type <= WALLS; type++)
                    for (uint64_t g = 0; g < 64; g++) {
                        uint32_t slot = scree_rules_find(&t.rules, (scree_contact_type)type, a, b,
                                                         g & 7, g >> 3);
                        double wanted =
                            slow_find(defs, count, (scree_contact_type)type, a, b, g & 7, g >> 3);
                        CHECK_EQUAL(t.rules.slots[slot].rule, (int)wanted);
                        if (wanted > 0)
                            CHECK(t.rules.slots[slot].constants[OWN_STIFFNESS] == wanted);
                        CHECK_EQUAL(scree_rules_named(&t.rules, (uint32_t)wanted, b, a), slot);
                    }
        tear_down(&t);
    }
}

TEST(random_tables_agree_with_a_slow_search)
{
    hold_random_tables(false);
}

TEST(random_tables_with_groups_agree_as_well)
{
    hold_random_tables(true);
}

TEST(no_law_is_slot_zero)
{
    table t;
    scree_rule_def def;
    uint32_t a, b;

    set_up(&t, NULL);
    a = add_material(&t, "a", 1);
    b = add_material(&t, "b", 2);
    def = rule_between(BODIES, a, b);
    def.law = NULL;
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &def, &t.error), SCREE_OK);
    CHECK_EQUAL(add_own(&t, rule_between(SCREE_CONTACT_ANY, a, b), 5), SCREE_OK);
    CHECK_EQUAL(scree_rules_find(&t.rules, BODIES, b, a, 1, 1), 0);
    CHECK(t.rules.slots[0].law == NULL && t.rules.slots[0].force == NULL);
    CHECK(slot_of(&t, WALLS, a, b)->constants[OWN_STIFFNESS] == 5);
    CHECK_EQUAL(scree_rules_named(&t.rules, 1, a, b), 0);
    CHECK_EQUAL(scree_rules_named(&t.rules, 1, a, a), UINT32_MAX);
    CHECK_EQUAL(scree_rules_named(&t.rules, 1, a, 3), UINT32_MAX);
    tear_down(&t);
}

TEST(slots_in_use_outlive_later_rows)
{
    table t;
    uint32_t a, slot;

    set_up(&t, NULL);
    a = add_material(&t, "a", 1);
    CHECK_EQUAL(add_own(&t, rule_between(BODIES, a, a), 7), SCREE_OK);
    slot = scree_rules_find(&t.rules, BODIES, a, a, 1, 1);
    for (int k = 0; k < 200; k++)
        CHECK_EQUAL(add_own(&t, rule_between(SCREE_CONTACT_ANY, 0, 0), 8), SCREE_OK);
    add_material(&t, "b", 1);
    CHECK_EQUAL(scree_rules_find(&t.rules, BODIES, a, a, 1, 1), slot);
    CHECK(t.rules.slots[slot].constants[OWN_STIFFNESS] == 7);
    CHECK_TEXT(t.rules.slots[slot].law->name, "own");
    tear_down(&t);
}

TEST(what_laws_need_is_known)
{
    table t;

    set_up(&t, NULL);
    CHECK_EQUAL(add_own(&t, rule_between(BODIES, 0, 0), 1), SCREE_OK);
    CHECK_EQUAL(t.rules.planes, 9);
    CHECK(t.rules.has_moments);
    CHECK(t.rules.reach.fixed == 0.25 && t.rules.reach.root == 0);
    tear_down(&t);
}

TEST(parameters_reach_the_law)
{
    static const char *const names[] = {"friction", "restitution"};
    static const double values[] = {0.25, 1};
    table t;
    scree_rule_def def = scree_default_rule_def();
    uint32_t a;
    double sum[2] = {0, 0};

    set_up(&t, NULL);
    a = add_material(&t, "a", 1);
    for (int k = 0; k < 2; k++) {
        def.law = "linear";
        def.names = names;
        def.values = values;
        def.value_count = k == 0 ? 2 : 0;
        def.type = k == 0 ? BODIES : WALLS;
        CHECK_EQUAL(scree_rules_add_rule(&t.rules, &def, &t.error), SCREE_OK);
        for (int c = 0; c < SCREE_MAX_CONSTANTS; c++)
            sum[k] += slot_of(&t, def.type, a, a)->constants[c];
    }
    CHECK(sum[0] != sum[1]);
    tear_down(&t);
}

/*  A parameter by its first name is the same; and files with it are still those of such a table, so the digest stays. */
TEST(first_names_of_parameters_work)
{
    static const char *const names[] = {"contact_skin", "halo"};
    static const double skin = 0.003;

    for (int k = 0; k < 2; k++) {
        table t;
        scree_rule_def def = scree_default_rule_def();

        set_up(&t, NULL);
        def.law = "penalty";
        def.names = &names[k];
        def.values = &skin;
        def.value_count = 1;
        CHECK_EQUAL(scree_rules_add_rule(&t.rules, &def, &t.error), SCREE_OK);
        CHECK_EQUAL(scree_rules_digest(&t.rules), UINT64_C(3682642356686443938));
        tear_down(&t);
    }
}

/* ---- refusals ---- */

static void check_refused(table *t, const scree_rule_def *def, scree_status status,
                          const char *says)
{
    uint64_t digest = scree_rules_digest(&t->rules);
    size_t slots = t->rules.slot_count, rows = t->rules.rule_count, bytes;

    /* room may have grown for what was then refused; the second time nothing is left to grow */
    scree_rules_add_rule(&t->rules, def, &t->error);
    bytes = t->memory.bytes;
    memset(&t->error, 0, sizeof t->error);
    CHECK_EQUAL(scree_rules_add_rule(&t->rules, def, &t->error), status);
    CHECK_EQUAL(t->error.status, status);
    CHECK_SAYS(t->error.text, says);
    CHECK_EQUAL(scree_rules_add_rule(&t->rules, def, NULL), status);
    CHECK_EQUAL(t->rules.slot_count, slots);
    CHECK_EQUAL(t->rules.rule_count, rows);
    CHECK_EQUAL(t->memory.bytes, bytes);
    CHECK_EQUAL(scree_rules_digest(&t->rules), digest);
}

TEST(definitions_that_cannot_be_used_are_refused)
{
    static const char *const wrong[] = {"restituton"}, *const far[] = {"temperature"};
    static const char *const none[] = {NULL}, *const twice[] = {"friction", "friction"};
    static const double values[] = {0.1, 0.2}, nothing[] = {NAN};
    scree_law law = own_law();
    scree_rule_def def, good = scree_default_rule_def();
    table t;

    set_up(&t, NULL);
    add_material(&t, "glass", 1);

    memset(&def, 0, sizeof def);
    check_refused(&t, &def, SCREE_BAD_DEF, "rule 1: not made by scree_default_rule_def");
    def = good;
    def.type = (scree_contact_type)3;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "type is 3");
    def = good;
    def.material[1].index1 = 2;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "there is no material 2, only 1 to 1");
    def = good;
    def.groups = 0;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "groups is 0");
    def = good;
    def.law = "herz";
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "no law \"herz\"; did you mean \"hertz\"?");
    def = good;
    def.law = "gravity";
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "no law \"gravity\"; scree_law_at lists them");

    def = good;
    def.value_count = 1;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "names is NULL, value_count is 1");
    def.names = wrong;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "values is NULL, value_count is 1");
    def.values = values;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT,
                  "no parameter \"restituton\"; did you mean \"restitution\"?");
    def.names = far;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "law \"hertz\" has no parameter \"temperature\"");
    def.names = none;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "names[0] is NULL");
    def.names = twice;
    def.value_count = 2;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "friction is given twice");
    def.value_count = 1;
    def.values = nothing;
    check_refused(&t, &def, SCREE_BAD_VALUE, "friction is not a number");
    def.law = NULL;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "no law that could use them");

    def = good;
    def.own_law = &law;
    law.parameter_names = NULL;
    def.names = twice;
    def.values = values;
    def.value_count = 1;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "law \"own\" has no parameter \"friction\"");
    def = good;
    def.own_law = &law;
    law.memory_count = SCREE_MAX_MEMORY + 1;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "rule 1: own_law: law own: memory_count is 17");
    law = own_law();
    law.reach = INFINITY;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "reach is inf");
    law = own_law();
    law.prepare = NULL;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "prepare is NULL");
    law = own_law();
    law.force = NULL;
    check_refused(&t, &def, SCREE_BAD_ARGUMENT, "force is NULL");
    tear_down(&t);
}

static scree_rule_def with_restitution(double *value)
{
    static const char *const name[] = {"restitution"};
    scree_rule_def def = scree_default_rule_def();

    def.names = name;
    def.values = value;
    def.value_count = 1;
    return def;
}

TEST(a_value_out_of_range_is_found_at_the_door)
{
    double value = 2;
    scree_rule_def def = with_restitution(&value);
    table t;

    set_up(&t, NULL);
    check_refused(&t, &def, SCREE_BAD_VALUE, "restitution is 2"); /* before there is a material */
    add_material(&t, "glass", 1);
    add_material(&t, "steel", 1);
    check_refused(&t, &def, SCREE_BAD_VALUE, "restitution is 2");
    value = 1;
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &def, &t.error), SCREE_OK);
    tear_down(&t);
}

/*  Two materials that a law refuses: at the door if the row is for them, else when they touch. */
TEST(pairs_that_a_law_refuses)
{
    table t;
    uint32_t light, heavy;
    const scree_rule_slot *slot;
    uint32_t at;
    scree_rule_def def;
    scree_law law = own_law();

    set_up(&t, NULL);
    light = add_material(&t, "light", 1);
    heavy = add_material(&t, "heavy", 6e5);
    def = rule_between(SCREE_CONTACT_ANY, heavy, heavy);
    def.own_law = &law;
    check_refused(&t, &def, SCREE_BAD_VALUE,
                  "rule 1, materials 2 \"heavy\" and 2 \"heavy\": too heavy for it");

    memset(&t.error, 0, sizeof t.error);
    CHECK_EQUAL(add_own(&t, rule_between(SCREE_CONTACT_ANY, heavy, 0), 3), SCREE_OK);
    CHECK_TEXT(t.error.text, ""); /* nothing failed */
    slot = slot_of(&t, BODIES, light, heavy);
    CHECK(!slot->refused && slot->constants[OWN_STIFFNESS] == 3);
    CHECK_EQUAL(scree_rules_explain(
                    &t.rules, scree_rules_find(&t.rules, BODIES, light, heavy, 1, 1), &t.error),
                SCREE_OK);
    at = scree_rules_find(&t.rules, BODIES, heavy, heavy, 1, 1);
    CHECK(t.rules.slots[at].refused);
    CHECK_EQUAL(scree_rules_explain(&t.rules, at, &t.error), SCREE_BAD_VALUE);
    CHECK_SAYS(t.error.text, "too heavy for it");

    /* a material that comes later */
    add_material(&t, "heavier", 9e5);
    CHECK(slot_of(&t, BODIES, heavy, 3)->refused);
    CHECK(!slot_of(&t, BODIES, light, 3)->refused);
    CHECK_EQUAL(slot_of(&t, BODIES, light, 3)->rule, 0);
    tear_down(&t);
}

TEST(refused_pairs_exert_no_number)
{
    static double overlap[SCREE_BATCH], out[12][SCREE_BATCH], memory[9][SCREE_BATCH];
    scree_batch batch = {.count = 2, .overlap = overlap, .energy = out[6]};
    const scree_rule_slot *slot;
    table t;
    uint32_t heavy;

    set_up(&t, NULL);
    add_material(&t, "light", 1);
    heavy = add_material(&t, "heavy", 6e5);
    CHECK_EQUAL(add_own(&t, rule_between(BODIES, 0, 0), 3), SCREE_OK);
    slot = slot_of(&t, BODIES, heavy, heavy);
    for (int a = 0; a < 3; a++) {
        batch.force[a] = out[a];
        batch.moment[a] = out[3 + a];
        batch.loss[a] = out[7 + a];
    }
    batch.stiffness = out[10];
    batch.shear_stiffness = out[11];
    for (int m = 0; m < 9; m++) {
        batch.next[m] = memory[m];
        memory[m][0] = memory[m][1] = 1;
    }
    slot->force(&batch, slot->constants, slot->user);
    for (int k = 0; k < 2; k++) {
        CHECK(isnan(out[0][k]) && isnan(out[1][k]) && isnan(out[2][k]) && isnan(out[5][k]));
        CHECK(memory[0][k] == 0 && memory[8][k] == 0);
    }
    tear_down(&t);
}

/*  Two rigid materials: fine as long as they do not meet by "hertz". */
TEST(a_rigid_material_may_be_added)
{
    scree_material_def def = scree_default_material_def();
    scree_rule_def rule = scree_default_rule_def();
    table t;
    uint32_t soft;

    set_up(&t, NULL);
    def.young = INFINITY;
    CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, NULL, &t.error), SCREE_OK);
    soft = add_material(&t, "soft", 1);
    CHECK(slot_of(&t, BODIES, 1, 1)->refused);
    CHECK(!slot_of(&t, BODIES, 1, soft)->refused);
    rule.law = "linear";
    rule.material[0].index1 = rule.material[1].index1 = 1;
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &rule, &t.error), SCREE_OK);
    CHECK(!slot_of(&t, BODIES, 1, 1)->refused);
    tear_down(&t);
}

TEST(materials_that_cannot_be_used_are_refused)
{
    scree_material_def def = scree_default_material_def();
    scree_material_id id = {77};
    table t;

    set_up(&t, NULL);
    add_material(&t, "a", 1);
    def.density = -1;
    CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, &id, &t.error), SCREE_BAD_VALUE);
    CHECK_SAYS(t.error.text, "density is -1");
    CHECK_EQUAL(id.index1, 77);
    CHECK_EQUAL(t.rules.material_count, 1);
    memset(&def, 0, sizeof def);
    CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, &id, &t.error), SCREE_BAD_DEF);
    tear_down(&t);
}

static scree_status out_of_memory(const scree_law_input *input,
                                  double constants[SCREE_MAX_CONSTANTS], void *user)
{
    (void)input;
    (void)constants;
    return *(bool *)user ? SCREE_OUT_OF_MEMORY : SCREE_OK;
}

/*  Only a number that cannot be used may wait until bodies touch. */
TEST(other_failures_of_a_law_are_not_put_off)
{
    bool fails = true;
    scree_law law = own_law();
    scree_rule_def rule = scree_default_rule_def();
    scree_material_def def = scree_default_material_def();
    table t;

    set_up(&t, NULL);
    add_material(&t, "a", 1);
    law.prepare = out_of_memory;
    law.user = &fails;
    rule.own_law = &law;
    check_refused(&t, &rule, SCREE_OUT_OF_MEMORY, "out of memory");
    fails = false;
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &rule, &t.error), SCREE_OK);
    fails = true;
    CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, NULL, &t.error), SCREE_OUT_OF_MEMORY);
    CHECK_SAYS(t.error.text, "rule 1, materials 1 \"a\" and 2 \"\": out of memory");
    CHECK_EQUAL(t.rules.material_count, 1);
    CHECK_EQUAL(t.rules.slot_count, 3); /* none, the default, and the row */
    fails = false;
    CHECK_EQUAL(add_material(&t, "b", 1), 2);
    CHECK_EQUAL(slot_of(&t, BODIES, 1, 2)->rule, 1);
    tear_down(&t);
}

TEST(laws_are_prepared_once_for_each_pair)
{
    int calls = 0;
    scree_law law = own_law();
    scree_rule_def rule = scree_default_rule_def();
    table t;

    set_up(&t, NULL);
    for (int k = 0; k < 3; k++)
        add_material(&t, "", 1);
    law.user = &calls;
    rule.own_law = &law;
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &rule, &t.error), SCREE_OK);
    CHECK_EQUAL(calls, 6);
    add_material(&t, "", 1);
    CHECK_EQUAL(calls, 10);
    rule.material[0].index1 = 2;
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &rule, &t.error), SCREE_OK);
    CHECK_EQUAL(calls, 14);
    tear_down(&t);
}

/* ---- limits and memory ---- */

TEST(there_are_limits)
{
    scree_material_def def = scree_default_material_def();
    scree_rule_def rule = rule_between(BODIES, 1, 1);
    table t;

    set_up(&t, NULL);
    while (t.rules.material_count < SCREE_MAX_MATERIALS)
        add_material(&t, "", 1);
    CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, NULL, &t.error), SCREE_TOO_LARGE);
    CHECK_SAYS(t.error.text, "there are 1000 materials");
    CHECK_EQUAL(slot_of(&t, BODIES, 17, 1000)->material[1], 1000);

    rule.law = NULL;
    while (t.rules.rule_count <= SCREE_MAX_RULES)
        CHECK_EQUAL(scree_rules_add_rule(&t.rules, &rule, &t.error), SCREE_OK);
    CHECK_EQUAL(scree_rules_add_rule(&t.rules, &rule, &t.error), SCREE_TOO_LARGE);
    CHECK_SAYS(t.error.text, "there are 65535 rules");
    tear_down(&t);
}

TEST(too_many_pairs_for_rows_are_refused)
{
    scree_rule_def rule = scree_default_rule_def();
    scree_material_def def = scree_default_material_def();
    table t;
    scree_status status = SCREE_OK;

    /* rows without a law have entries alone, which are small */
    set_up(&t, NULL);
    rule.law = NULL;
    for (int k = 0; k < 300; k++)
        add_material(&t, "", 1);
    while (!status)
        status = scree_rules_add_rule(&t.rules, &rule, &t.error);
    CHECK_EQUAL(status, SCREE_TOO_LARGE);
    CHECK_SAYS(t.error.text, "more than 4194304 pairs of materials");
    CHECK_EQUAL(t.rules.rule_count - 1, SCREE_MAX_RULE_SLOTS / (300 * 301 / 2));
    while (!(status = scree_rules_add_material(&t.rules, &def, NULL, &t.error)))
        continue;
    CHECK_EQUAL(status, SCREE_TOO_LARGE);
    tear_down(&t);
}

TEST(memory_may_run_out_anywhere)
{
    for (size_t k = 1;; k++) {
        failing_allocator memory = {.fail_at = k};
        scree_allocator hooks = failing_allocator_hooks(&memory);
        static const char *const name[] = {"stiffness"};
        static const double value = 4;
        scree_law law = own_law();
        scree_rule_def rule = scree_default_rule_def();
        scree_material_def def = scree_default_material_def();
        size_t failures = 0;
        table t;
        memset(&t, 0, sizeof t);
        rule.own_law = &law;
        rule.names = name;
        rule.values = &value;
        rule.value_count = 1;
        CHECK_EQUAL(scree_memory_init(&t.memory, &hooks), SCREE_OK);
        if (scree_rules_init(&t.rules, &t.memory, SCREE_SIMD_SCALAR, 3)) {
            failures++;
        } else {
            /* each is tried until it succeeds: a failure must leave the table as it was */
            for (int step = 0; step < 6; step++) {
                scree_status status = SCREE_OUT_OF_MEMORY;
                while (status) {
                    uint64_t digest = scree_rules_digest(&t.rules);
                    status = step % 2 ? scree_rules_add_rule(&t.rules, &rule, &t.error)
                                      : scree_rules_add_material(&t.rules, &def, NULL, &t.error);
                    failures += status != SCREE_OK;
                    CHECK(!status || status == SCREE_OUT_OF_MEMORY);
                    CHECK(!status || scree_rules_digest(&t.rules) == digest);
                }
            }
            CHECK_EQUAL(t.rules.slot_count, 1 + 6 + 18);
            CHECK(slot_of(&t, BODIES, 2, 3)->constants[OWN_STIFFNESS] == 4);
        }
        scree_rules_free(&t.rules);
        CHECK_EQUAL(failures, memory.failures);
        CHECK(failing_allocator_is_clean(&memory));
        if (memory.requests < k)
            break;
    }
}

/* ---- digest ---- */

static uint64_t digest_of(const char *name, double friction, double stiffness, uint32_t b,
                          bool rules_first)
{
    scree_material_def def = scree_default_material_def();
    uint64_t digest;
    table t;

    set_up(&t, NULL);
    add_material(&t, "a", 1);
    def.name = name;
    def.friction = friction;
    if (!rules_first)
        CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, NULL, &t.error), SCREE_OK);
    CHECK_EQUAL(add_own(&t, rule_between(BODIES, 0, b), stiffness), SCREE_OK);
    if (rules_first)
        CHECK_EQUAL(scree_rules_add_material(&t.rules, &def, NULL, &t.error), SCREE_OK);
    digest = scree_rules_digest(&t.rules);
    tear_down(&t);
    return digest;
}

TEST(equal_tables_have_equal_digests)
{
    uint64_t digest = digest_of("b", 0.5, 3, 1, false);

    CHECK(digest == digest_of("b", 0.5, 3, 1, false));
    CHECK(digest == digest_of("b", 0.5, 3, 1, true));
    CHECK(digest != digest_of("c", 0.5, 3, 1, false));
    CHECK(digest != digest_of("b", 0.25, 3, 1, false));
    CHECK(digest != digest_of("b", 0.5, 4, 1, false));
    CHECK(digest != digest_of("b", 0.5, 3, 0, false));
}

/* ---- nearest names ---- */

TEST(the_nearest_name_is_found)
{
    static const char *const names[] = {"friction", "restitution", "young", NULL};

    CHECK_TEXT(scree_nearest_of("friction", names), "friction");
    CHECK_TEXT(scree_nearest_of("fricton", names), "friction");
    CHECK_TEXT(scree_nearest_of("yuong", names), "young");
    CHECK_TEXT(scree_nearest_of("Young", names), "young");
    CHECK(scree_nearest_of("mass", names) == NULL);
    CHECK(scree_nearest_of("", names) == NULL);
    CHECK(scree_nearest_of("a name that is longer than any name can be, by far", names) == NULL);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        CASE(without_rows_all_is_hertz),
        CASE(names_are_copied_and_stay_as_the_table_grows),
        CASE(pfc_45_the_first_row_that_matches_decides),
        CASE(random_tables_agree_with_a_slow_search),
        CASE(random_tables_with_groups_agree_as_well),
        CASE(no_law_is_slot_zero),
        CASE(slots_in_use_outlive_later_rows),
        CASE(what_laws_need_is_known),
        CASE(parameters_reach_the_law),
        CASE(first_names_of_parameters_work),
        CASE(definitions_that_cannot_be_used_are_refused),
        CASE(a_value_out_of_range_is_found_at_the_door),
        CASE(pairs_that_a_law_refuses),
        CASE(refused_pairs_exert_no_number),
        CASE(a_rigid_material_may_be_added),
        CASE(materials_that_cannot_be_used_are_refused),
        CASE(other_failures_of_a_law_are_not_put_off),
        CASE(laws_are_prepared_once_for_each_pair),
        CASE(there_are_limits),
        CASE(too_many_pairs_for_rows_are_refused),
        CASE(memory_may_run_out_anywhere),
        CASE(equal_tables_have_equal_digests),
        CASE(the_nearest_name_is_found),
    };
    return test_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
