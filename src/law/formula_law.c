/*  Laws written as formulas. The definition is checked, its formulas become one graph, so that common subexpressions
    are computed once, and the graph becomes programs. `stiffness` and `energy` are not needed in every step and are
    programs of their own. */
#include "law/formula_law.h"

#include "base/decimal.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/sized_definition.h"
#include "formula/parse.h"
#include "law/law_builtin.h"
#include "law/material.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COOKIE 0x51de0f2bu
#define MAX_NAME 31
#define MAX_NAMES                                                                                  \
    (SCREE_LAW_VARIED + SCREE_LAW_FIXED + SCREE_MAX_FORMULA_MEMORY +                               \
     SCREE_MAX_FORMULA_PARAMETERS + 1)

static const char *const varied_names[SCREE_LAW_VARIED] = {
    [SCREE_LAW_D] = "d",       [SCREE_LAW_VN] = "vn",     [SCREE_LAW_VT] = "vt",
    [SCREE_LAW_WR] = "wr",     [SCREE_LAW_R] = "R",       [SCREE_LAW_M] = "m",
    [SCREE_LAW_ARM1] = "arm1", [SCREE_LAW_ARM2] = "arm2",
};

static const char *const fixed_names[SCREE_LAW_FIXED] = {
    [SCREE_LAW_E] = "E",
    [SCREE_LAW_G] = "G",
    [SCREE_LAW_RESTITUTION] = "e",
    [SCREE_LAW_ZETA] = "zeta",
    [SCREE_LAW_MU] = "mu",
    [SCREE_LAW_MU_ROLL] = "mu_roll",
    [SCREE_LAW_MU_TWIST] = "mu_twist",
    [SCREE_LAW_K] = "k",
    [SCREE_LAW_K_RATIO] = "k_ratio",
};

_Static_assert(SCREE_LAW_FIXED + SCREE_MAX_FORMULA_PARAMETERS <= SCREE_MAX_CONSTANTS,
               "constants of a law");
_Static_assert(SCREE_FORMULA_SPRING_MEMORY + SCREE_MAX_FORMULA_MEMORY <= SCREE_MAX_MEMORY,
               "memory of a law");
_Static_assert(SCREE_FORMULA_SPRING_MEMORY == SCREE_LINEAR_MEMORY + 1, "a spring's stiffness");

void scree_init_formula_law_def(scree_formula_law_def *def, size_t size)
{
    static const scree_formula_law_def own = {.cookie = COOKIE,
                                              .size = sizeof(scree_formula_law_def)};

    scree_definition_write(def, size, &own, sizeof own);
}

/* ---- the definition ---- */

static bool is_there(const char *text)
{
    return text && *text;
}

static scree_status check_counts(const scree_formula_law_def *def)
{
    if (def->memory_count > SCREE_MAX_FORMULA_MEMORY || (def->memory_count && !def->memory))
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "law %s: memory has %u numbers, must be a list of at most %d", def->name,
                          def->memory_count, SCREE_MAX_FORMULA_MEMORY);
    if (def->parameter_count > SCREE_MAX_FORMULA_PARAMETERS ||
        (def->parameter_count && !def->parameters))
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "law %s: there are %u parameters, must be a list of at most %d",
                          def->name, def->parameter_count, SCREE_MAX_FORMULA_PARAMETERS);
    if (!(def->reach >= 0 && def->reach < INFINITY))
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "law %s: reach is %g, must be 0 or more and finite", def->name,
                          def->reach);
    return SCREE_OK;
}

/*  Checks which fields exclude or require each other. */
static scree_status check_fields(const scree_formula_law_def *def)
{
    const char *wrong = NULL;

    if (!is_there(def->name) || strlen(def->name) > MAX_NAME)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT,
                          "law: name is \"%.40s\", must have 1 to %d bytes",
                          def->name ? def->name : "", MAX_NAME);
    if (scree_law_by_name(def->name) || strcmp(def->name, "none") == 0)
        wrong = "name is that of a built-in law; choose another";
    else if (!is_there(def->normal))
        wrong = "normal is missing: the normal force, such as \"k * d\"";
    else if (is_there(def->tangential) && is_there(def->spring_stiffness))
        wrong = "has tangential and a spring; give only one of them";
    else if (is_there(def->spring_stiffness) && !is_there(def->spring_limit))
        wrong = "spring has no limit: the force at which it slides, such as \"mu * fn\"";
    else if (!is_there(def->spring_stiffness) &&
             (is_there(def->spring_damping) || is_there(def->spring_limit)))
        wrong = "spring has no stiffness";
    if (wrong)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "law %s: %s", def->name, wrong);
    return check_counts(def);
}

/* ---- names ---- */

typedef struct name_list
{
    scree_formula_name name[MAX_NAMES];
    size_t count;
} name_list;

static void add_name(name_list *names, const char *name, uint32_t input, bool is_varied)
{
    names->name[names->count++] = (scree_formula_name){name, input, is_varied};
}

static scree_status add_own_name(const scree_formula_law_def *def, name_list *names,
                                 const char *kind, const char *name, uint32_t input, bool is_varied)
{
    name = name ? name : "";
    const char *fault = scree_formula_name_fault(name);

    if (!fault && strchr(name, '.'))
        fault = "has a point";
    if (!fault && strcmp(name, "fn") == 0)
        fault = "is that of the normal force";
    for (size_t k = 0; k < names->count && !fault; k++)
        if (strcmp(names->name[k].name, name) == 0)
            fault = "is taken";
    if (fault)
        return scree_fail(def->error, SCREE_BAD_ARGUMENT, "law %s: %s: the name `%.60s` %s",
                          def->name, kind, name, fault);
    add_name(names, name, input, is_varied);
    return SCREE_OK;
}

static scree_status list_names(const scree_formula_law_def *def, name_list *names)
{
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < SCREE_LAW_VARIED; k++)
        add_name(names, varied_names[k], k, true);
    for (uint32_t k = 0; k < SCREE_LAW_FIXED; k++)
        add_name(names, fixed_names[k], k, false);
    add_name(names, "dt", SCREE_LAW_STEP, false);
    for (uint32_t k = 0; k < def->memory_count && !status; k++)
        status =
            add_own_name(def, names, "memory", def->memory[k].name, SCREE_LAW_VARIED + k, true);
    for (uint32_t k = 0; k < def->parameter_count && !status; k++) {
        status = add_own_name(def, names, "parameters", def->parameters[k].name,
                              SCREE_LAW_FIXED + k, false);
        if (!status && isinf(def->parameters[k].value))
            status = scree_fail(def->error, SCREE_BAD_ARGUMENT,
                                "law %s: parameters: %s is infinite, must be a finite number",
                                def->name, def->parameters[k].name);
    }
    return status;
}

/* ---- formulas ---- */

/*  State while formulas are read. */
typedef struct law_reader
{
    const scree_formula_law_def *def;
    scree_graph *graph;
    name_list names;
    scree_formula_scope scope;
} law_reader;

/*  *node is SCREE_NO_NODE if there is no such formula. */
static scree_status read_formula(law_reader *r, const char *field, const char *text, uint32_t *node)
{
    scree_error why = {SCREE_OK, ""};

    if (node)
        *node = SCREE_NO_NODE;
    if (!is_there(text))
        return SCREE_OK;
    scree_status status = scree_formula_parse(r->graph, &r->scope, text, node, &why);
    if (status == SCREE_BAD_VALUE)
        status = SCREE_BAD_ARGUMENT;
    return status
               ? scree_fail(r->def->error, status, "law %s: %s: %s", r->def->name, field, why.text)
               : SCREE_OK;
}

/*  Defines the name by which later formulas use the normal force. */
static scree_status name_normal(law_reader *r, uint32_t node)
{
    scree_graph *graph = r->graph;

    for (uint32_t k = 0; k < graph->local_count; k++)
        if (strcmp(graph->locals[k].name, "fn") == 0)
            return scree_fail(r->def->error, SCREE_BAD_ARGUMENT,
                              "law %s: the name `fn` is that of the normal force", r->def->name);
    if (graph->local_count == SCREE_MAX_LOCALS)
        return scree_fail(r->def->error, SCREE_TOO_LARGE, "law %s: there are more than %u names",
                          r->def->name, SCREE_MAX_LOCALS);
    scree_local *local = &graph->locals[graph->local_count++];
    snprintf(local->name, sizeof local->name, "fn");
    local->node = node;
    return SCREE_OK;
}

/*  Nodes of all formulas. */
typedef struct law_nodes
{
    uint32_t output[SCREE_LAW_OUT_MEMORY + SCREE_MAX_FORMULA_MEMORY];
    uint32_t stiffness, energy;
} law_nodes;

static scree_status read_along_plane(law_reader *r, law_nodes *nodes)
{
    const scree_formula_law_def *def = r->def;
    const bool has_spring = is_there(def->spring_stiffness);
    uint32_t *output = nodes->output;
    scree_status status = read_formula(r, has_spring ? "spring: stiffness" : "tangential",
                                       has_spring ? def->spring_stiffness : def->tangential,
                                       &output[SCREE_LAW_OUT_TANGENTIAL]);

    if (!status)
        status =
            read_formula(r, "spring: damping", def->spring_damping, &output[SCREE_LAW_OUT_DAMPING]);
    if (!status)
        status = read_formula(r, "spring: limit", def->spring_limit, &output[SCREE_LAW_OUT_LIMIT]);
    return status ? status
                  : read_formula(r, "rolling", def->rolling, &output[SCREE_LAW_OUT_ROLLING]);
}

static scree_status read_formulas(law_reader *r, law_nodes *nodes)
{
    const scree_formula_law_def *def = r->def;
    scree_status status = read_formula(r, "where", def->where, NULL);

    if (!status)
        status = read_formula(r, "normal", def->normal, &nodes->output[SCREE_LAW_OUT_NORMAL]);
    if (!status)
        status = name_normal(r, nodes->output[SCREE_LAW_OUT_NORMAL]);
    if (!status)
        status = read_along_plane(r, nodes);
    if (!status)
        status = read_formula(r, "stiffness", def->stiffness, &nodes->stiffness);
    if (!status)
        status = read_formula(r, "energy", def->energy, &nodes->energy);
    for (uint32_t k = 0; k < def->memory_count && !status; k++) {
        char field[32 + SCREE_FORMULA_NAME];
        snprintf(field, sizeof field, "memory: %s", def->memory[k].name);
        if (!is_there(def->memory[k].next))
            return scree_fail(def->error, SCREE_BAD_ARGUMENT, "law %s: %s: the formula is empty",
                              def->name, field);
        status =
            read_formula(r, field, def->memory[k].next, &nodes->output[SCREE_LAW_OUT_MEMORY + k]);
    }
    return status;
}

/* ---- programs ---- */

static scree_status make_program(scree_formula_law *law, const law_reader *r, const uint32_t *nodes,
                                 uint32_t count, scree_program **program)
{
    scree_error why = {SCREE_OK, ""};
    scree_status status = scree_program_make(&law->memory, r->graph, nodes, count, program, &why);

    return status ? scree_fail(r->def->error, status, "law %s: %s", r->def->name, why.text)
                  : SCREE_OK;
}

/*  Missing formulas are 0, which costs nothing because nothing reads them. */
static scree_status make_programs(scree_formula_law *law, law_reader *r, law_nodes *nodes)
{
    uint32_t count = SCREE_LAW_OUT_MEMORY + r->def->memory_count;
    scree_status status = SCREE_OK;

    for (uint32_t k = 0; k < count; k++)
        if (nodes->output[k] == SCREE_NO_NODE)
            nodes->output[k] = scree_graph_number(r->graph, 0);
    for (uint32_t k = 0; k < count; k++)
        if (nodes->output[k] == SCREE_NO_NODE)
            return scree_fail(r->def->error, SCREE_TOO_LARGE, "law %s: the formulas are too long",
                              r->def->name);
    status = make_program(law, r, nodes->output, count, &law->force);
    if (!status)
        status = make_program(law, r, nodes->output, 1, &law->normal);
    if (!status && nodes->stiffness != SCREE_NO_NODE)
        status = make_program(law, r, &nodes->stiffness, 1, &law->stiffness);
    if (!status && nodes->energy != SCREE_NO_NODE)
        status = make_program(law, r, &nodes->energy, 1, &law->energy);
    return status;
}

static bool reads(const scree_formula_law *law, bool is_varied, uint32_t input)
{
    const scree_program *programs[] = {law->force, law->stiffness, law->energy};

    for (int k = 0; k < 3; k++)
        if (programs[k] && scree_program_reads(programs[k], is_varied, input))
            return true;
    return false;
}

/* ---- constants of two materials ---- */

static scree_status prepare(const scree_law_input *input, double constants[SCREE_MAX_CONSTANTS],
                            void *user)
{
    const scree_formula_law *law = user;
    const scree_material_mix mix = scree_material_mixed(input->first, input->second);

    if (law->wants_moduli && !(mix.young < INFINITY))
        return scree_fail(input->error, SCREE_BAD_VALUE,
                          "law %s: young of both materials is infinite, and its formulas use E or "
                          "G; one must be finite",
                          law->law.name);
    constants[SCREE_LAW_E] = mix.young;
    constants[SCREE_LAW_G] = mix.shear;
    constants[SCREE_LAW_RESTITUTION] = mix.restitution;
    constants[SCREE_LAW_ZETA] = scree_damping_ratio(
        mix.restitution < SCREE_MIN_RESTITUTION ? SCREE_MIN_RESTITUTION : mix.restitution);
    constants[SCREE_LAW_MU] = mix.friction;
    constants[SCREE_LAW_MU_ROLL] = mix.rolling_friction;
    constants[SCREE_LAW_MU_TWIST] = mix.twisting_friction;
    constants[SCREE_LAW_K] = mix.stiffness;
    constants[SCREE_LAW_K_RATIO] = mix.stiffness_ratio;
    for (uint32_t k = 0; law->names[k]; k++) {
        double given = input->parameters ? input->parameters[k] : (double)NAN;
        double value = isnan(given) ? law->values[k] : given;
        if (isnan(value))
            return scree_fail(input->error, SCREE_BAD_VALUE,
                              "law %s: %s is not given and has no default value", law->law.name,
                              law->names[k]);
        if (isinf(value))
            return scree_fail(input->error, SCREE_BAD_VALUE,
                              "law %s: %s is infinite, must be a finite number", law->law.name,
                              law->names[k]);
        constants[SCREE_LAW_FIXED + k] = value;
    }
    return SCREE_OK;
}

/* ---- the law ---- */

/*  Copies all texts, each with its terminating 0, separated so that they cannot be confused. Names point into the copy.
    */
typedef struct text_writer
{
    char *at; /* NULL: only count */
    size_t bytes;
} text_writer;

static char *write_text(text_writer *w, const char *text)
{
    size_t bytes = strlen(text ? text : "") + 1;
    char *to = w->at ? w->at + w->bytes : NULL;

    if (to)
        memcpy(to, text ? text : "", bytes);
    w->bytes += bytes;
    return to;
}

static void write_number(text_writer *w, double number)
{
    char text[SCREE_REAL_TEXT];

    scree_real_to_text(number, text);
    write_text(w, text);
}

/*  The order is that of scree_formula_law_read. */
static void write_definition(const scree_formula_law_def *def, scree_formula_law *law,
                             text_writer *w)
{
    law->law.name = write_text(w, def->name);
    write_text(w, def->where);
    write_text(w, def->normal);
    write_text(w, def->tangential);
    write_text(w, def->spring_stiffness);
    write_text(w, def->spring_damping);
    write_text(w, def->spring_limit);
    write_text(w, def->rolling);
    write_text(w, def->stiffness);
    write_text(w, def->energy);
    write_number(w, def->reach);
    write_number(w, def->memory_count);
    for (uint32_t k = 0; k < def->memory_count; k++) {
        write_text(w, def->memory[k].name);
        write_text(w, def->memory[k].next);
    }
    write_number(w, def->parameter_count);
    for (uint32_t k = 0; k < def->parameter_count; k++) {
        law->names[k] = write_text(w, def->parameters[k].name);
        law->values[k] = def->parameters[k].value;
        write_number(w, def->parameters[k].value);
    }
}

static scree_status keep_definition(const scree_formula_law_def *def, scree_formula_law *law)
{
    text_writer count = {NULL, 0}, writer = {NULL, 0};

    write_definition(def, law, &count);
    if (scree_memory_take(&law->memory, count.bytes, 1, &law->text))
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "law %s: out of memory", def->name);
    law->text_bytes = (uint32_t)count.bytes;
    writer.at = law->text;
    write_definition(def, law, &writer);
    law->hash = SCREE_HASH_START;
    for (size_t k = 0; k < count.bytes; k++)
        law->hash = scree_hash_word(law->hash, (unsigned char)law->text[k]);
    return SCREE_OK;
}

static void describe_law(const scree_formula_law_def *def, scree_formula_law *law)
{
    law->has_spring = is_there(def->spring_stiffness);
    law->has_damping = is_there(def->spring_damping);
    law->has_tangential = is_there(def->tangential);
    law->has_rolling = is_there(def->rolling);
    law->wants_slide = law->has_tangential || reads(law, true, SCREE_LAW_VT);
    law->wants_roll = law->has_rolling || reads(law, true, SCREE_LAW_WR);
    law->wants_moduli = reads(law, false, SCREE_LAW_E) || reads(law, false, SCREE_LAW_G);
    law->memory_at = law->has_spring ? SCREE_FORMULA_SPRING_MEMORY : 0;
    law->memory_count = def->memory_count;
    law->law = (scree_law){
        .name = law->law.name,
        .summary = "a law written as formulas",
        .parameter_names = law->names,
        .memory_count = law->memory_at + def->memory_count,
        .has_moment = law->has_rolling,
        .reach = def->reach,
        .prepare = prepare,
        .force = scree_formula_force,
        .user = law,
    };
}

static void free_law(scree_formula_law *law)
{
    scree_memory memory;

    scree_memory_init(&memory, &law->memory.allocator);
    scree_program_free(&law->memory, &law->force);
    scree_program_free(&law->memory, &law->normal);
    scree_program_free(&law->memory, &law->stiffness);
    scree_program_free(&law->memory, &law->energy);
    scree_memory_give(&law->memory, &law->text, law->text_bytes, 1);
    scree_memory_give(&memory, &law, 1, sizeof *law);
}

/*  Reads formulas into a graph. */
static scree_status fill_law(const scree_formula_law_def *def, scree_formula_law *law,
                             scree_graph *graph)
{
    law_reader r = {.def = def, .graph = graph};
    law_nodes nodes;

    scree_graph_clear(graph);
    scree_status status = list_names(def, &r.names);
    r.scope.names = r.names.name;
    r.scope.name_count = r.names.count;
    if (!status)
        status = read_formulas(&r, &nodes);
    if (!status)
        status = make_programs(law, &r, &nodes);
    if (!status)
        status = keep_definition(def, law);
    if (!status)
        describe_law(def, law);
    return status;
}

scree_status scree_formula_law_create(const scree_formula_law_def *def, scree_law **law)
{
    scree_memory memory;
    scree_formula_law *made = NULL;
    scree_graph *graph = NULL;

    if (!law)
        return SCREE_BAD_ARGUMENT;
    *law = NULL;
    if (!def)
        return SCREE_BAD_DEF;
    scree_formula_law_def own = scree_default_formula_law_def();
    if (!scree_definition_read(&own, def))
        return scree_fail(def->error, SCREE_BAD_DEF,
                          "law: not made by scree_default_formula_law_def of this version");
    def = &own;
    scree_status status = check_fields(def);
    if (!status && scree_memory_init(&memory, &def->allocator))
        status = scree_fail(def->error, SCREE_BAD_DEF, "law %s: allocator: some functions are NULL",
                            def->name);
    if (status)
        return status;
    if (scree_memory_take(&memory, 1, sizeof *made, &made))
        return scree_fail(def->error, SCREE_OUT_OF_MEMORY, "law %s: out of memory", def->name);
    memset(made, 0, sizeof *made);
    scree_memory_init(&made->memory, &def->allocator);
    atomic_init(&made->holders, 1);
    if (scree_memory_take(&memory, 1, sizeof *graph, &graph))
        status = scree_fail(def->error, SCREE_OUT_OF_MEMORY, "law %s: out of memory", def->name);
    else
        status = fill_law(def, made, graph);
    scree_memory_give(&memory, &graph, graph ? 1 : 0, sizeof *graph);
    if (status)
        free_law(made);
    else
        *law = &made->law;
    return status;
}

/* ---- from bytes ---- */

typedef struct text_reader
{
    const char *at, *end; /* on NULL: a text was not terminated */
} text_reader;

static const char *read_text(text_reader *r)
{
    const char *text = r->at;
    const char *zero = text ? memchr(text, 0, (size_t)(r->end - text)) : NULL;

    r->at = zero ? zero + 1 : NULL;
    return zero ? text : "";
}

static double read_number(text_reader *r)
{
    const char *text = read_text(r);
    double number = NAN;

    if (!scree_text_to_real(text, strlen(text), &number))
        r->at = NULL;
    return number;
}

static uint32_t read_count(text_reader *r, uint32_t most)
{
    double count = read_number(r);

    if (count >= 0 && count <= most && count == floor(count))
        return (uint32_t)count;
    r->at = NULL;
    return 0;
}

scree_status scree_formula_law_read(const char *text, size_t bytes,
                                    const scree_allocator *allocator, scree_law **law,
                                    scree_error *error)
{
    scree_formula_memory memory[SCREE_MAX_FORMULA_MEMORY];
    scree_formula_parameter parameters[SCREE_MAX_FORMULA_PARAMETERS];
    scree_formula_law_def def = scree_default_formula_law_def();
    text_reader r = {text, text + bytes};

    *law = NULL;
    def.name = read_text(&r);
    def.where = read_text(&r);
    def.normal = read_text(&r);
    def.tangential = read_text(&r);
    def.spring_stiffness = read_text(&r);
    def.spring_damping = read_text(&r);
    def.spring_limit = read_text(&r);
    def.rolling = read_text(&r);
    def.stiffness = read_text(&r);
    def.energy = read_text(&r);
    def.reach = read_number(&r);
    def.memory_count = read_count(&r, SCREE_MAX_FORMULA_MEMORY);
    for (uint32_t k = 0; k < def.memory_count; k++) {
        memory[k].name = read_text(&r);
        memory[k].next = read_text(&r);
    }
    def.parameter_count = read_count(&r, SCREE_MAX_FORMULA_PARAMETERS);
    for (uint32_t k = 0; k < def.parameter_count; k++) {
        parameters[k].name = read_text(&r);
        parameters[k].value = read_number(&r);
    }
    if (!r.at || r.at != r.end)
        return scree_fail(error, SCREE_BAD_FILE, "its formulas are damaged");
    def.memory = memory;
    def.parameters = parameters;
    def.allocator = *allocator;
    def.error = error;
    return scree_formula_law_create(&def, law);
}

void scree_formula_law_destroy(scree_law *law)
{
    scree_formula_law_let_go(law);
}

scree_formula_law *scree_formula_law_of(const scree_law *law)
{
    return law && law->force == scree_formula_force ? law->user : NULL;
}

void scree_formula_law_hold(const scree_law *law)
{
    scree_formula_law *formula = scree_formula_law_of(law);

    if (formula)
        atomic_fetch_add(&formula->holders, 1);
}

void scree_formula_law_let_go(const scree_law *law)
{
    scree_formula_law *formula = scree_formula_law_of(law);

    if (formula && atomic_fetch_sub(&formula->holders, 1) == 1)
        free_law(formula);
}
