/*  Columns computed by formulas from other columns of metrics.csv. Each is a program of its own. They are computed in
    order of dependence, whatever their order in the script.

    start(x), stage_start(x) and previous(x) return the value of x in the first row, in the last row of the previous
    stage, and in the previous row. Their operands are further outputs of the program. Recalled values are part of
    the course, so that a continued run recalls the same values. */
#include "base/error.h"
#include "base/hash.h"
#include "formula/parse.h"
#include "formula/program.h"
#include "scene_internal.h"

#include <stdio.h>
#include <string.h>

#define MAX_RECALLS (SCREE_MAX_FORMULAS - 1)

typedef enum recall_kind
{
    RECALL_START,
    RECALL_PREVIOUS,
    RECALL_STAGE,
} recall_kind;

static const char *const recall_names[] = {"start", "previous", "stage_start", NULL};

/*  One column. Its recalled values are those from `first_recall` on. */
typedef struct formula_column
{
    scree_program *program;
    uint32_t first_recall, recall_count;
    uint8_t recalls[MAX_RECALLS]; /* recall_kind */
    bool *needs;                  /* other formulas, by index */
} formula_column;

/*  Inputs of programs: the standard columns, those of the scene with formulas at the end, then recalled values. */
struct scene_formulas
{
    size_t count, standard_count, column_count, input_count, recall_count;
    formula_column *columns;
    uint32_t *order; /* order of computation */
    double *inputs;
    scree_formula_name *names; /* of all columns */
};

typedef struct scene_formulas scene_formulas;

/*  State while one formula is read. */
typedef struct formula_reader
{
    scene_formulas *all;
    formula_column *column;
    uint32_t nodes[SCREE_MAX_FORMULAS]; /* the value, then operands of recalls */
} formula_reader;

size_t scene_recall_count(const scree_scene *scene)
{
    /* recalled values, and a flag whether there was a first row */
    return scene->formulas && scene->formulas->recall_count ? 1 + scene->formulas->recall_count : 0;
}

uint64_t scene_hash_recalls(const scree_scene *scene, uint64_t hash)
{
    for (size_t i = 0; scene_recall_count(scene) && i < scene->plan.formula_count; i++) {
        hash = scree_hash_text(hash, scene->plan.formulas[i].name);
        hash = scree_hash_text(hash, scene->plan.formulas[i].value);
        for (uint32_t k = 0; k < scene->plan.formulas[i].value_count; k++) {
            hash = scree_hash_text(hash, scene->plan.formulas[i].names[k]);
            hash = scree_hash_number(hash, scene->plan.formulas[i].values[k]);
        }
    }
    return hash;
}

/* ---- reading ---------------------------------------------------------------------------------------------- */

static uint32_t recall(void *user, scree_graph *graph, size_t which, uint32_t node,
                       scree_error *error)
{
    formula_reader *reader = user;
    formula_column *column = reader->column;

    if (column->recall_count == MAX_RECALLS) {
        scree_fail(error, SCREE_TOO_LARGE, "start and previous are used more than %u times",
                   MAX_RECALLS);
        return SCREE_NO_NODE;
    }
    uint32_t at = column->recall_count++;
    column->recalls[at] = (uint8_t)which;
    reader->nodes[1 + at] = node;
    size_t input = reader->all->standard_count + reader->all->column_count + column->first_recall;
    uint32_t recalled = scree_graph_input(graph, (uint32_t)input + at, false);
    if (recalled == SCREE_NO_NODE)
        scree_fail(error, SCREE_TOO_LARGE, "the formula is too long");
    return recalled;
}

/*  Finds the other formulas that the text uses. */
static void note_needs(const scene_formulas *all, const scree_graph *graph, formula_column *column)
{
    size_t first = all->standard_count + all->column_count - all->count;

    for (uint32_t n = 0; n < graph->count; n++)
        if (graph->nodes[n].operation == SCREE_OP_FIXED && graph->nodes[n].input >= first &&
            graph->nodes[n].input < first + all->count)
            column->needs[graph->nodes[n].input - first] = true;
}

static scree_status add_parameters(const scree_scene_formula *formula, scree_graph *graph,
                                   const scree_formula_scope *scope, scree_error *error)
{
    for (uint32_t k = 0; k < formula->value_count; k++) {
        scree_local *local = &graph->locals[graph->local_count++];
        for (size_t i = 0; i < scope->name_count; i++)
            if (strcmp(scope->names[i].name, formula->names[k]) == 0)
                return scree_fail(error, SCREE_BAD_VALUE,
                                  "parameters: `%.60s` is the name of a column", formula->names[k]);
        snprintf(local->name, sizeof local->name, "%s", formula->names[k]);
        local->node = scree_graph_number(graph, formula->values[k]);
    }
    return SCREE_OK;
}

static scree_status read_formula(scree_scene *scene, size_t index, scree_graph *graph,
                                 scree_error *why)
{
    scene_formulas *all = scene->formulas;
    const scree_scene_formula *formula = &scene->plan.formulas[index];
    formula_reader reader = {.all = all, .column = &all->columns[index]};
    scree_formula_scope scope = {all->names, all->standard_count + all->column_count, recall_names,
                                 recall, &reader};

    reader.column->first_recall = (uint32_t)all->recall_count;
    scree_graph_clear(graph);
    scree_status status = add_parameters(formula, graph, &scope, why);
    if (status)
        return status;
    scree_error said = {SCREE_OK, ""};
    status = scree_formula_parse(graph, &scope, formula->value, &reader.nodes[0], &said);
    if (!status) {
        note_needs(all, graph, reader.column);
        status =
            scree_program_make(&scene->memory, graph, reader.nodes, 1 + reader.column->recall_count,
                               &reader.column->program, &said);
    }
    all->recall_count += reader.column->recall_count;
    return status ? scree_fail(why, status, "value: %s", said.text) : SCREE_OK;
}

/* ---- the order ------------------------------------------------------------------------------------------- */

typedef struct ordering
{
    const scree_scene *scene;
    uint32_t count, depth;
    uint8_t *state; /* 0: not visited, 1: in progress, 2: done */
    uint32_t *way;  /* the present chain of dependences */
} ordering;

static scree_status fail_circle(const ordering *o, uint32_t from, scree_error *error)
{
    const scree_scene_formula *formulas = o->scene->plan.formulas;
    char text[200] = "";
    size_t used = 0;

    for (uint32_t k = from; k < o->depth && used < sizeof text; k++)
        used += (size_t)snprintf(text + used, sizeof text - used, "`%.40s` needs ",
                                 formulas[o->way[k]].name);
    return scene_fail_at(o->scene, error, SCREE_BAD_FILE, formulas[o->way[from]].line,
                         "column: a circle: %.160s`%.40s`", text, formulas[o->way[from]].name);
}

static scree_status place(ordering *o, uint32_t index, scree_error *error)
{
    scene_formulas *all = o->scene->formulas;
    scree_status status = SCREE_OK;

    if (o->state[index] == 2)
        return SCREE_OK;
    for (uint32_t k = 0; o->state[index] == 1 && k < o->depth; k++)
        if (o->way[k] == index)
            return fail_circle(o, k, error);
    o->state[index] = 1;
    o->way[o->depth++] = index;
    for (uint32_t k = 0; k < all->count && !status; k++)
        if (all->columns[index].needs[k])
            status = place(o, k, error);
    o->depth--;
    o->state[index] = 2;
    all->order[o->count++] = index;
    return status;
}

static scree_status put_in_order(scree_scene *scene, scree_error *error)
{
    scene_formulas *all = scene->formulas;
    ordering o = {.scene = scene,
                  .state = scene_take(scene, all->count, 1),
                  .way = scene_take(scene, all->count, sizeof *o.way)};
    scree_status status = SCREE_OK;

    if (!o.state || !o.way)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", scene->name);
    for (uint32_t k = 0; k < all->count && !status; k++)
        status = place(&o, k, error);
    return status;
}

/* ---- columns --------------------------------------------------------------------------------------------- */

static scree_status add_columns(scree_scene *scene)
{
    for (uint32_t i = 0; i < scene->plan.formula_count; i++) {
        scene_column *row = scene_add_row(scene, SCENE_COLUMNS);
        if (!row)
            return SCREE_OUT_OF_MEMORY;
        *row = (scene_column){
            .of = SCENE_OF_FORMULA, .index = i, .unit = scene->plan.formulas[i].unit};
        snprintf(row->name, sizeof row->name, "%s", scene->plan.formulas[i].name);
    }
    return SCREE_OK;
}

static const char *column_name(const scree_scene *scene, size_t k)
{
    size_t standard = scree_scene_standard_count(scene);

    return k < standard ? scree_scene_standard_name(scene, k)
                        : scree_scene_column_name(scene, k - standard);
}

static scree_status take_room(scree_scene *scene)
{
    scene_formulas *all = scene->formulas = scene_take(scene, 1, sizeof *all);

    if (!all)
        return SCREE_OUT_OF_MEMORY;
    all->count = scene->plan.formula_count;
    all->standard_count = scree_scene_standard_count(scene);
    all->column_count = scree_scene_column_count(scene);
    size_t named = all->standard_count + all->column_count;
    all->input_count = named + all->count * MAX_RECALLS;
    all->columns = scene_take(scene, all->count, sizeof *all->columns);
    all->order = scene_take(scene, all->count, sizeof *all->order);
    all->inputs = scene_take(scene, all->input_count, sizeof *all->inputs);
    all->names = scene_take(scene, named, sizeof *all->names);
    if (!all->columns || !all->order || !all->inputs || !all->names)
        return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < all->count; i++)
        if (!(all->columns[i].needs = scene_take(scene, all->count, sizeof(bool))))
            return SCREE_OUT_OF_MEMORY;
    for (size_t k = 0; k < named; k++)
        all->names[k] = (scree_formula_name){column_name(scene, k), (uint32_t)k, false};
    return SCREE_OK;
}

/*  Names identify columns, so they must be unique. */
static scree_status check_names(const scree_scene *scene, scree_error *error)
{
    const scene_formulas *all = scene->formulas;
    size_t first = all->standard_count + all->column_count - all->count;

    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < first + i; k++)
            if (strcmp(all->names[k].name, scene->plan.formulas[i].name) == 0)
                return scene_fail_at(scene, error, SCREE_BAD_FILE, scene->plan.formulas[i].line,
                                     "column: name: there is a column \"%.60s\" already",
                                     all->names[k].name);
    return SCREE_OK;
}

scree_status scene_make_formulas(scree_scene *scene, scree_error *error)
{
    scree_graph *graph = NULL;

    if (scene->plan.formula_count == 0)
        return SCREE_OK;
    scree_status status = add_columns(scene);
    if (!status)
        status = take_room(scene);
    if (!status && !(graph = scene_take(scene, 1, sizeof *graph)))
        status = SCREE_OUT_OF_MEMORY;
    if (status)
        return scree_fail(error, status, "%s: out of memory", scene->name);
    status = check_names(scene, error);
    for (size_t i = 0; i < scene->plan.formula_count && !status; i++) {
        scree_error why = {SCREE_OK, ""};
        status = read_formula(scene, i, graph, &why);
        if (status)
            return scene_fail_at(scene, error,
                                 status == SCREE_OUT_OF_MEMORY ? status : SCREE_BAD_FILE,
                                 scene->plan.formulas[i].line, "column: %s", why.text);
    }
    return status ? status : put_in_order(scene, error);
}

void scene_free_formulas(scree_scene *scene)
{
    for (size_t i = 0; scene->formulas && scene->formulas->columns && i < scene->formulas->count;
         i++)
        scree_program_free(&scene->memory, &scene->formulas->columns[i].program);
}

/* ---- values ----------------------------------------------------------------------------------------------- */

/*  Computes the value and the operands of recalls from the present inputs. */
static void run(const scene_formulas *all, const formula_column *column,
                double results[SCREE_MAX_FORMULAS])
{
    double room[SCREE_MAX_FORMULAS][SCREE_FORMULA_ROWS], *outputs[SCREE_MAX_FORMULAS];
    const scree_program_data data = {.fixed = all->inputs, .outputs = outputs, .rows = 1};

    for (uint32_t k = 0; k <= column->recall_count; k++)
        outputs[k] = room[k];
    scree_program_run(column->program, SCREE_SIMD_SCALAR, &data);
    for (uint32_t k = 0; k <= column->recall_count; k++)
        results[k] = room[k][0];
}

/*  In the first row a recall returns the present value, from the innermost recall on. */
static double compute(const scree_scene *scene, const formula_column *column, bool is_first)
{
    const scene_formulas *all = scene->formulas;
    double *recalls = scene->course.recalls + 1 + column->first_recall;
    double *inputs = all->inputs + all->standard_count + all->column_count + column->first_recall;
    double results[SCREE_MAX_FORMULAS];

    for (uint32_t k = 0; k < column->recall_count; k++)
        inputs[k] = recalls[k];
    for (uint32_t k = 0; is_first && k < column->recall_count; k++) {
        run(all, column, results);
        inputs[k] = recalls[k] = results[1 + k];
    }
    run(all, column, results);
    for (uint32_t k = 0; k < column->recall_count; k++)
        if (column->recalls[k] == RECALL_PREVIOUS ||
            (column->recalls[k] == RECALL_STAGE && scene_stage_has_ended(scene)))
            recalls[k] = results[1 + k];
    return results[0];
}

void scene_compute_formulas(scree_scene *scene, const scree_world *world, double *values)
{
    const scene_formulas *all = scene->formulas;
    bool is_first = scene->course.recalls[0] == 0;

    if (!all)
        return;
    size_t first = all->column_count - all->count;
    scree_scene_standard(scene, world, all->inputs);
    memcpy(all->inputs + all->standard_count, values, first * sizeof *values);
    for (size_t k = 0; k < all->count; k++) {
        uint32_t index = all->order[k];
        values[first + index] = compute(scene, &all->columns[index], is_first);
        all->inputs[all->standard_count + first + index] = values[first + index];
    }
    scene->course.recalls[0] = 1;
}
