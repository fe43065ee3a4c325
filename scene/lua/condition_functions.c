/*  Conditions that end a stage or the run. A condition is a row of the plan; the rows of its parts follow it. */
#include "language.h"

#include <string.h>

#define MAX_PARTS 32
#define MAX_ROWS 64

typedef struct condition_record
{
    scree_scene_condition condition;
    double above, below, share;
    double time, run_time, real_time;
    uint64_t steps;
} condition_record;

static void begin_condition(scene_reader *reader, void *record)
{
    ((condition_record *)record)->condition =
        (scree_scene_condition){.line = reader->line, .span = 1};
}

/*  Stores the rows and pushes the value. */
static int push_rows(scene_reader *reader, const scree_scene_condition *rows)
{
    scree_scene_condition *kept = scene_keep(reader, rows->span, sizeof *kept);

    memcpy(kept, rows, rows->span * sizeof *kept);
    scene_push(reader, &(scene_value){.kind = SCENE_A_CONDITION, .condition = kept});
    return 1;
}

void scene_read_condition(scene_reader *reader, void *target)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (!value || value->kind != SCENE_A_CONDITION)
        scene_refuse_value(reader, "a condition, as after(2) or quiet { energy = 1e-9 }");
    *(uint32_t *)target = (uint32_t)reader->scene->list[SCENE_CONDITIONS].count + 1;
    for (uint32_t i = 0; i < value->condition->span; i++)
        *(scree_scene_condition *)scene_row(reader, SCENE_CONDITIONS) = value->condition[i];
}

/* ---- all, any -------------------------------------------------------------------------------------------- */

/*  Room for the largest number of rows, which is too much for a record. */
typedef struct group_record
{
    scree_scene_condition *rows;
} group_record;

static void begin_group(scene_reader *reader, void *record)
{
    group_record *r = record;

    r->rows = scene_keep(reader, MAX_ROWS, sizeof *r->rows);
    r->rows[0] = (scree_scene_condition){.line = reader->line,
                                         .kind = strcmp(reader->function->name, "all") == 0
                                                     ? SCREE_CONDITION_ALL
                                                     : SCREE_CONDITION_ANY,
                                         .span = 1};
}

static void read_parts(scene_reader *reader, void *target)
{
    scree_scene_condition *rows = ((group_record *)target)->rows;
    int count = (int)scene_length(reader, reader->index, 1, MAX_PARTS);

    for (int i = 1; i <= count; i++) {
        lua_geti(reader->L, reader->index, i);
        const scene_value *value = scene_value_at(reader->L, -1);
        if (!value || value->kind != SCENE_A_CONDITION)
            scene_refuse(reader, "item %d is %.60s, must be a condition, as after(2)", i,
                         scene_describe(reader->L, -1));
        if (rows->span + value->condition->span > MAX_ROWS)
            scene_refuse(reader, "has more than %d conditions, with those in its items",
                         MAX_ROWS - 1);
        memcpy(rows + rows->span, value->condition, value->condition->span * sizeof *rows);
        rows->span += value->condition->span;
        lua_pop(reader->L, 1);
    }
}

static int end_group(scene_reader *reader, void *record)
{
    scene_push(reader, &(scene_value){.kind = SCENE_A_CONDITION,
                                      .condition = ((group_record *)record)->rows});
    return 1;
}

static const scene_field group_fields[] = {
    {.name = NULL,
     .type = SCENE_OWN,
     .offset = 0,
     .read = read_parts,
     .required = true,
     .accepts = "a list of conditions",
     .help = "the conditions, one after the other"},
};

/* ---- times ----------------------------------------------------------------------------------------------- */

static int end_after(scene_reader *reader, void *record)
{
    condition_record *r = record;
    const struct
    {
        const char *field;
        scree_scene_condition_kind kind;
        double bound;
    } ways[] = {{"time", SCREE_CONDITION_TIME, r->time},
                {"steps", SCREE_CONDITION_STEPS, (double)r->steps},
                {"run_time", SCREE_CONDITION_RUN_TIME, r->run_time},
                {"real_time", SCREE_CONDITION_REAL_TIME, r->real_time}};
    int given = 0;

    for (size_t k = 0; k < SCREE_COUNT_OF(ways); k++)
        if (scene_is_given(reader, ways[k].field)) {
            r->condition.kind = ways[k].kind;
            r->condition.bound = ways[k].bound;
            given++;
        }
    if (given != 1)
        scene_refuse(
            reader,
            given ? "has several of `time`, `steps`, `run_time` and `real_time`; any { } or all { "
                    "} joins conditions"
                  : "`time` is missing, in s; or `steps`, `run_time` or `real_time`: after what");
    return push_rows(reader, &r->condition);
}

#define OF(member) .offset = offsetof(condition_record, member)
static const scene_field after_fields[] = {
    {.name = "time",
     .type = SCENE_NUMBER,
     OF(time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "since the stage began"},
    {.name = "steps",
     .type = SCENE_WHOLE,
     OF(steps),
     SCENE_FROM(1),
     .standard = "none",
     .help = "or so many steps since then"},
    {.name = "run_time",
     .type = SCENE_NUMBER,
     OF(run_time),
     SCENE_ABOVE(0),
     .unit = "s",
     .standard = "none",
     .help = "or so long since the run began"},
    {.name = "real_time",
     .type = SCENE_NUMBER,
     OF(real_time),
     SCENE_ABOVE(0),
     .standard = "none",
     .help = "or seconds on the machine's clock since the stage began; the length of such a run "
             "depends on the machine and its load"},
};

/* ---- comparisons ------------------------------------------------------------------------------------------ */

/*  One of `above` and `below`. */
static void set_bound(scene_reader *reader, condition_record *r)
{
    bool is_above = scene_is_given(reader, "above"), is_below = scene_is_given(reader, "below");

    if (is_above == is_below)
        scene_refuse(reader,
                     is_above ? "has `above` and `below`; for both, use all { } with two conditions"
                              : "`above` or `below` is missing: the value to wait for");
    r->condition.is_below = is_below;
    r->condition.bound = is_below ? r->below : r->above;
}

static int end_quiet(scene_reader *reader, void *record)
{
    condition_record *r = record;

    r->condition.kind = SCREE_CONDITION_QUIET;
    r->condition.is_below = true;
    return push_rows(reader, &r->condition);
}

static int end_count(scene_reader *reader, void *record)
{
    condition_record *r = record;

    r->condition.kind = SCREE_CONDITION_COUNT;
    set_bound(reader, r);
    if (r->condition.is_below && r->condition.bound == 0)
        scene_refuse(
            reader,
            "below: is 0, and there are never fewer bodies than none; 1 waits until none is there");
    return push_rows(reader, &r->condition);
}

static const scree_scene_wall *wall_of(const scene_reader *reader, uint32_t wall)
{
    return &((const scree_scene_wall *)reader->scene->list[SCENE_WALLS].rows)[wall - 1];
}

/*  A magnitude is never below 0, and the forces on all sides of a box cancel. */
static int end_of_wall(scene_reader *reader, void *record)
{
    condition_record *r = record;
    scree_scene_condition *c = &r->condition;
    const scree_scene_wall *wall = wall_of(reader, c->wall);
    bool is_box = wall->surface.form == SCREE_FORM_BOX;
    bool has_axis = c->axis[0] != 0 || c->axis[1] != 0 || c->axis[2] != 0;

    c->kind = strcmp(reader->function->name, "wall_force") == 0 ? SCREE_CONDITION_FORCE
                                                                : SCREE_CONDITION_MOVED;
    set_bound(reader, r);
    if (scene_is_given(reader, "axis") && !has_axis)
        scene_refuse(reader, "axis: has no length");
    if (!has_axis && (c->bound < 0 || (c->is_below && c->bound == 0)))
        scene_refuse(reader, "%s: is %g, and a magnitude is never below 0; `axis` says along what",
                     c->is_below ? "below" : "above", c->bound);
    if (c->sides && !is_box)
        scene_refuse(reader, "sides: are of a box");
    if (c->sides & wall->surface.open)
        scene_refuse(reader, "sides: has one that is open");
    if (is_box && !c->sides)
        scene_refuse(reader, "sides: is missing: which of the box, as sides = \"+z\"");
    if (c->kind == SCREE_CONDITION_MOVED && (c->sides & (c->sides - 1)))
        scene_refuse(reader, "sides: has several; how far it has moved is asked of one");
    return push_rows(reader, c);
}

static int end_broken(scene_reader *reader, void *record)
{
    condition_record *r = record;
    scree_scene_condition *c = &r->condition;
    bool has_share = scene_is_given(reader, "share");

    if (has_share == scene_is_given(reader, "above"))
        scene_refuse(reader, has_share
                                 ? "has `above` and `share`; one of both says how many"
                                 : "`above` is missing, a number of bonds; or `share` of them");
    c->kind = SCREE_CONDITION_BROKEN;
    c->is_share = has_share;
    c->bound = has_share ? r->share : r->above;
    return push_rows(reader, c);
}

static const scene_word side_words[] = {
    {"-x", 1}, {"+x", 2}, {"-y", 4}, {"+y", 8}, {"-z", 16}, {"+z", 32}, {NULL, 0},
};

#define DURING                                                                                     \
    {                                                                                              \
        .name = "during", .type = SCENE_NUMBER, OF(condition.during), SCENE_FROM(0), .unit = "s",  \
        .standard = "0", .help = "for which it must have been so, at each look"                    \
    }

static const scene_field quiet_fields[] = {
    {.name = "energy",
     .type = SCENE_NUMBER,
     OF(condition.bound),
     SCENE_ABOVE(0),
     .unit = "J",
     .required = true,
     .help = "the kinetic energy of a body, with that of its spin, in the mean, is below this"},
    DURING,
};

static const scene_field count_fields[] = {
    {.name = "region",
     .type = SCENE_REGION,
     OF(condition.region),
     .standard = "everywhere",
     .help = "bodies with their centre in it count"},
    {.name = "material",
     .type = SCENE_MATERIAL,
     OF(condition.material),
     .standard = "all",
     .help = "of this material alone"},
    {.name = "above",
     .type = SCENE_NUMBER,
     OF(above),
     SCENE_FROM(0),
     .standard = "none",
     .help = "there are more than this"},
    {.name = "below",
     .type = SCENE_NUMBER,
     OF(below),
     SCENE_FROM(0),
     .standard = "none",
     .help = "or fewer"},
    DURING,
};

#define OF_WALL(si, what_above, what_below, what_axis)                                             \
    {.name = "wall",                                                                               \
     .type = SCENE_WALL,                                                                           \
     OF(condition.wall),                                                                           \
     .required = true,                                                                             \
     .help = "which wall"},                                                                        \
        {.name = "sides",                                                                          \
         .type = SCENE_FLAGS,                                                                      \
         OF(condition.sides),                                                                      \
         .words = side_words,                                                                      \
         .standard = "none",                                                                       \
         .help = "of a box: which, of \"-x\", \"+x\", \"-y\", \"+y\", \"-z\", \"+z\""},            \
        {.name = "axis",                                                                           \
         .type = SCENE_VECTOR,                                                                     \
         OF(condition.axis),                                                                       \
         .standard = "the magnitude counts",                                                       \
         .help = what_axis},                                                                       \
        {.name = "above",                                                                          \
         .type = SCENE_NUMBER,                                                                     \
         OF(above),                                                                                \
         SCENE_ANY,                                                                                \
         .unit = si,                                                                               \
         .standard = "none",                                                                       \
         .help = what_above},                                                                      \
        {.name = "below",                                                                          \
         .type = SCENE_NUMBER,                                                                     \
         OF(below),                                                                                \
         SCENE_ANY,                                                                                \
         .unit = si,                                                                               \
         .standard = "none",                                                                       \
         .help = what_below},                                                                      \
        DURING

static const scene_field force_fields[] = {
    OF_WALL("N", "bodies push with more than this", "or with less",
            "the part of the force of bodies on the wall along it, of any length"),
};

static const scene_field moved_fields[] = {
    OF_WALL("m", "it has moved farther than this since the stage began", "or less far",
            "the part of the way along it, of any length"),
};

static const scene_field broken_fields[] = {
    {.name = "above",
     .type = SCENE_NUMBER,
     OF(above),
     SCENE_FROM(0),
     .standard = "none",
     .help = "more bonds than this have broken since the stage began"},
    {.name = "share",
     .type = SCENE_NUMBER,
     OF(share),
     .lower = 0,
     .upper = 1,
     .below = true,
     .standard = "none",
     .help = "or more than this share of those that held when it began"},
    DURING,
};
#undef OF

#define CONDITION(word, what, how, list, record, start, finish)                                    \
    {                                                                                              \
        .name = word, .chapter = "Conditions", .summary = what, .example = how, .fields = list,    \
        .field_count = SCREE_COUNT_OF(list), .record_bytes = sizeof(record), .begin = start,       \
        .end = finish, .may_be_replaced = true                                                     \
    }

const scene_function scene_condition_functions[] = {
    {.name = "after",
     .chapter = "Conditions",
     .summary =
         "Holds once so much time has passed, or so many steps. after(2) is after { time = 2 }.",
     .example = "run { steps = 100, stop = after { real_time = 600 } }\n\nstage { ends = "
                "after(0.1) }\nstage { ends = any { after { steps = 1000 }, after { run_time = 0.5 "
                "} }, at_most = 1 }",
     .fields = after_fields,
     .field_count = SCREE_COUNT_OF(after_fields),
     .record_bytes = sizeof(condition_record),
     .in_order = true,
     .begin = begin_condition,
     .end = end_after,
     .may_be_replaced = true},
    CONDITION("quiet",
              "Holds once bodies have come to lie. Where there are none it does not hold, nor "
              "while a pour with a `count`, `mass` or `stop` has bodies to make.",
              "fill { count = 10, shape = sphere { radius = 0.001 }, material = glass, region = "
              "box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\nrun { time = 5, stop = quiet "
              "{ energy = 1e-9, during = 0.05 } }",
              quiet_fields, condition_record, begin_condition, end_quiet),
    CONDITION("count", "Holds by how many bodies there are in a region.",
              "run { time = 5, stop = count { region = box { lower = {0, 0, 0}, upper = {1, 1, 1} "
              "}, material = glass, below = 10, during = 0.1 } }\n\npour { rate = 5000, shape = "
              "sphere { radius = 0.001 }, material = glass, region = box { lower = {0, 0, 0}, "
              "upper = {0.1, 0.1, 0.1} } }\nrun { time = 5, stop = count { above = 1000 } }",
              count_fields, condition_record, begin_condition, end_count),
    CONDITION("wall_force",
              "Holds by the force of bodies on a wall in the last step. The part along an axis has "
              "a sign.",
              "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = "
              "steel, motion = move { velocity = {0, 0, -0.1} } }\nrun { time = 5, stop = "
              "wall_force { wall = lid, axis = {0, 0, 1}, above = 100, during = 0.01 } }\n\nb = "
              "wall { shape = box { lower = {0, 0, 0}, upper = {1, 1, 1} }, material = steel "
              "}\nrun { time = 5, stop = wall_force { wall = b, sides = \"+z\", below = 100 } }",
              force_fields, condition_record, begin_condition, end_of_wall),
    CONDITION(
        "wall_moved", "Holds by how far a wall has moved since the stage began.",
        "lid = wall { shape = plane { point = {0, 0, 1}, normal = {0, 0, -1} }, material = steel, "
        "motion = move { velocity = {0, 0, -0.1} } }\nrun { time = 5, stop = wall_moved { wall = "
        "lid, axis = {0, 0, -1}, above = 0.2 } }\n\nb = wall { shape = box { lower = {0, 0, 0}, "
        "upper = {1, 1, 1} }, material = steel, servo = servo { stress = 100, speed = 0.1 } }\nrun "
        "{ time = 5, stop = wall_moved { wall = b, sides = \"+z\", below = 1, during = 0.1 } }",
        moved_fields, condition_record, begin_condition, end_of_wall),
    CONDITION(
        "broken", "Holds by how many bonds have broken since the stage began.",
        "rule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, bond_shear = "
        "1e5 } }\nbond { gap = 1e-5 }\nrun { time = 5, stop = broken { share = 0.1, during = 0.01 "
        "} }\n\nrule { law = \"bonded\", values = { bond_young = 1e7, bond_tension = 1e5, "
        "bond_shear = 1e5 } }\nbond { gap = 1e-5 }\nrun { time = 5, stop = broken { above = 0 } }",
        broken_fields, condition_record, begin_condition, end_broken),
    CONDITION("all", "Holds when each of its conditions does.",
              "fill { count = 10, shape = sphere { radius = 0.001 }, material = glass, region = "
              "box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\nstage { ends = all { "
              "after(0.1), quiet { energy = 1e-9 } }, at_most = 2 }",
              group_fields, group_record, begin_group, end_group),
    CONDITION("any", "Holds when one of its conditions does.",
              "fill { count = 10, shape = sphere { radius = 0.001 }, material = glass, region = "
              "box { lower = {0, 0, 0}, upper = {0.1, 0.1, 0.1} } }\nstage { ends = any { "
              "after(0.1), quiet { energy = 1e-9 } } }",
              group_fields, group_record, begin_group, end_group),
};
const size_t scene_condition_function_count = SCREE_COUNT_OF(scene_condition_functions);
