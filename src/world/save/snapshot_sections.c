/*  The list of all sections of a snapshot, and what follows from it: the layout of a block, and which sections a block
    has. A new section is a new row here; snapshot_write.c fills its rows, snapshot_check.c checks them, and restore.c
    reads them. */
#include "law/law_values.h"
#include "world/boundaries/cell_servo.h"
#include "world/save/pack_joints.h"
#include "world/save/rule_formulas.h"
#include "world/save/snapshot.h"
#include "world/state/ambient.h"
#include "world/state/body_heat.h"

/*  A number of a head or tail, by its offset. All their members that are counts have eight bytes. */
typedef struct number
{
    enum
    {
        ONE, /* always 1 */
        HEAD,
        TAIL,
    } from;
    size_t at;
} number;

typedef struct section_kind
{
    const char *name;
    const char *type; /* of the numbers in its rows: u8 to f64, or mixed */
    size_t row_bytes; /* 0: contact history, a double for each history array */
    number rows;
    number if_any;   /* no rows if this is 0 */
    number there_if; /* the section is absent if this is 0; the same for those that come together */
} section_kind;

#define IN_HEAD(name)                                                                              \
    {                                                                                              \
        HEAD, offsetof(scree_snapshot_head, name)                                                  \
    }
#define IN_TAIL(name)                                                                              \
    {                                                                                              \
        TAIL, offsetof(scree_snapshot_tail, name)                                                  \
    }
#define A_ROW                                                                                      \
    {                                                                                              \
        ONE, 0                                                                                     \
    }

/*  Names of the types in field lists. */
#define NAME_double "f64"
#define NAME_uint64_t "u64"
#define NAME_uint32_t "u32"
#define NAME_uint8_t "u8"
#define NAME_scree_body_id "u32"
#define NAME_scree_shape "mixed"

#define X_BODY(type, name, n, when)                                                                \
    {"body." #name, NAME_##type, sizeof(scree_packed_##type[n]), IN_HEAD(bodies), A_ROW, A_ROW},
#define PAIR(name, type, bytes, when)                                                              \
    {                                                                                              \
        "pair." name, type, bytes, IN_HEAD(pairs), when, A_ROW                                     \
    }
#define WALL_CONTACT(name, type, bytes)                                                            \
    {                                                                                              \
        "surface." name, type, bytes, IN_HEAD(wall_contacts), A_ROW, A_ROW                         \
    }
#define SHAPE_CONTACT(name, type, bytes)                                                           \
    {                                                                                              \
        "solid." name, type, bytes, IN_TAIL(contacts), A_ROW, IN_TAIL(meshes)                      \
    }
#define X_WALL_COLUMN(name, n) WALL_CONTACT(#name, "f64", sizeof(double[n])),
#define X_SHAPE_COLUMN(name, n) SHAPE_CONTACT(#name, "f64", sizeof(double[n])),

/*  In file order. New sections are added at the end, and are there only in worlds that need them: so files of other
    worlds stay the same. */
static const section_kind kinds[] = {
    {"physics", "mixed", sizeof(scree_physics), A_ROW, A_ROW, A_ROW},
    {"course", "mixed", sizeof(scree_course), A_ROW, A_ROW, A_ROW},
    {"tally", "u64", sizeof(scree_snapshot_tally), A_ROW, A_ROW, A_ROW},
    {"names", "u32", sizeof(scree_packed_name), IN_HEAD(names), A_ROW, A_ROW},
    SCREE_BODY_FIELDS(X_BODY) /* */
    PAIR("first", "u32", sizeof(uint32_t), A_ROW),
    PAIR("second", "u32", sizeof(uint32_t), A_ROW),
    PAIR("law", "u16", sizeof(scree_packed_law), A_ROW),
    PAIR("row", "f64", sizeof(double[8]), A_ROW),
    PAIR("remembered", "f64", 0, A_ROW),
    PAIR("moment", "f64", sizeof(double[4]), IN_HEAD(has_moments)),
    PAIR("account", "f64", sizeof(double[4]), IN_HEAD(has_account)),
    WALL_CONTACT("body", "u32", sizeof(uint32_t)),
    WALL_CONTACT("wall", "u32", sizeof(uint32_t)),
    WALL_CONTACT("law", "u16", sizeof(scree_packed_law)),
    WALL_CONTACT("memory", "mixed", sizeof(scree_packed_mesh_memory)),
    SCREE_WALL_CONTACT_COLUMNS(X_WALL_COLUMN) /* */
    WALL_CONTACT("remembered", "f64", 0),
    {"wall", "mixed", sizeof(scree_packed_wall), IN_HEAD(walls), A_ROW, A_ROW},
    {"wall.path", "mixed", sizeof(scree_packed_path), IN_HEAD(walls), A_ROW, A_ROW},
    {"table", "f64", sizeof(double[4]), IN_HEAD(table_rows), A_ROW, A_ROW},
    {"solid.mesh", "u64", sizeof(uint64_t), IN_TAIL(meshes), A_ROW, IN_TAIL(meshes)},
    SHAPE_CONTACT("first", "u32", sizeof(uint32_t)),
    SHAPE_CONTACT("second", "u32", sizeof(uint32_t)),
    SHAPE_CONTACT("wall", "u32", sizeof(uint32_t)),
    SHAPE_CONTACT("facet", "u32", sizeof(uint32_t)),
    SHAPE_CONTACT("law", "u16", sizeof(scree_packed_law)),
    SHAPE_CONTACT("memory", "mixed", sizeof(scree_packed_mesh_memory)),
    SCREE_SHAPE_CONTACT_COLUMNS(X_SHAPE_COLUMN) /* */
    SHAPE_CONTACT("remembered", "f64", 0),
    {"picard", "mixed", sizeof(scree_physics_picard), A_ROW, A_ROW, IN_TAIL(is_implicit)},
    {"wall.servo", "mixed", sizeof(scree_packed_servo), IN_HEAD(walls), A_ROW, IN_TAIL(has_servos)},
    {"wall.loose", "mixed", sizeof(scree_packed_free_wall), IN_HEAD(walls), A_ROW,
     IN_TAIL(has_free_walls)},
    {"cell", "mixed", sizeof(scree_packed_cell), A_ROW, A_ROW, IN_TAIL(has_cell)},
    {"cell.servo", "mixed", sizeof(scree_packed_cell_servo), A_ROW, A_ROW, IN_TAIL(has_cell_servo)},
    {"friction", "f64", sizeof(double), IN_TAIL(frictions), A_ROW, IN_TAIL(frictions)},
    {"heat", "mixed", sizeof(scree_heat_course), A_ROW, A_ROW, IN_TAIL(has_heat)},
    {"heat.material", "f64", sizeof(scree_heat_material), IN_TAIL(materials), A_ROW,
     IN_TAIL(has_heat)},
    {"heat.body", "f64", sizeof(double[SCREE_HEATS]), IN_HEAD(bodies), A_ROW, IN_TAIL(has_heat)},
    {"heat.wall", "mixed", sizeof(scree_packed_wall_heat), IN_HEAD(walls), A_ROW,
     IN_TAIL(has_heat)},
    {"bonds", "u64", sizeof(scree_bond_course), A_ROW, A_ROW, IN_TAIL(has_bonds)},
    {"rest", "mixed", sizeof(scree_sleep_rule), A_ROW, A_ROW, IN_TAIL(has_sleep)},
    {"rest.body", "f64", sizeof(double[SCREE_SLEEP_VALUES]), IN_HEAD(bodies), A_ROW,
     IN_TAIL(has_sleep)},
    {"path.part", "mixed", sizeof(scree_packed_path_part), IN_TAIL(path_parts), A_ROW,
     IN_TAIL(path_parts)},
    {"path.table", "f64", sizeof(double[8]), IN_TAIL(path_rows), A_ROW, IN_TAIL(path_parts)},
    {SCREE_RULE_FORMULAS, "u8", 1, IN_TAIL(formula_bytes), A_ROW, IN_TAIL(formula_bytes)},
    {"values", "f64", sizeof(double), IN_TAIL(values), A_ROW, IN_TAIL(values)},
    {"ambient", "u8", 1, IN_TAIL(ambient_bytes), A_ROW, IN_TAIL(ambient_bytes)},
    {"ambient.work", "f64", sizeof(scree_ambient_work), A_ROW, A_ROW, IN_TAIL(has_ambient_work)},
    {"ambient.body", "f64", sizeof(double[SCREE_AMBIENTS]), IN_HEAD(bodies), A_ROW,
     IN_TAIL(has_ambient_work)},
    {"wall.belt", "mixed", sizeof(scree_belt), IN_HEAD(walls), A_ROW, IN_TAIL(has_belts)},
    {"wall.wear", "mixed", sizeof(scree_wear_model), IN_HEAD(walls), A_ROW, IN_TAIL(wear_rows)},
    {"wall.facets", "u64", sizeof(scree_wear_row), IN_TAIL(wear_rows), A_ROW, IN_TAIL(wear_rows)},
    {"joints", "mixed", sizeof(scree_joint_course), A_ROW, A_ROW, IN_TAIL(has_joints)},
    {"joint", "mixed", sizeof(scree_packed_joint), IN_TAIL(joints), A_ROW, IN_TAIL(has_joints)},
};
_Static_assert(SCREE_COUNT_OF(kinds) <= SCREE_SNAPSHOT_SECTIONS, "there is room for all");

static uint64_t value_of(number n, const scree_snapshot_head *head, const scree_snapshot_tail *tail)
{
    uint64_t value = 1;

    if (n.from != ONE)
        memcpy(&value, (n.from == HEAD ? (const char *)head : (const char *)tail) + n.at,
               sizeof value);
    return value;
}

static void put_in_tail(number n, uint64_t value, scree_snapshot_tail *tail)
{
    if (n.from == TAIL)
        memcpy((char *)tail + n.at, &value, sizeof value);
}

const char *scree_snapshot_type_of(const char *section)
{
    size_t k = 0;

    while (k + 1 < SCREE_COUNT_OF(kinds) && strcmp(kinds[k].name, section) != 0)
        k++;
    return kinds[k].type;
}

size_t scree_snapshot_lay_out(const scree_snapshot_head *head, const scree_snapshot_tail *tail,
                              scree_snapshot_section sections[SCREE_SNAPSHOT_SECTIONS],
                              uint64_t *bytes)
{
    uint64_t offset;
    size_t count = 0;

    for (size_t k = 0; k < SCREE_COUNT_OF(kinds); k++) {
        const section_kind *kind = &kinds[k];
        scree_snapshot_section *section = &sections[count];
        if (!value_of(kind->there_if, head, tail))
            continue;
        memset(section, 0, sizeof *section);
        memcpy(section->name, kind->name, strlen(kind->name));
        section->row_bytes = kind->row_bytes ? kind->row_bytes : head->planes * sizeof(double);
        section->rows = value_of(kind->if_any, head, tail) ? value_of(kind->rows, head, tail) : 0;
        count++;
    }
    offset = sizeof *head + count * sizeof *sections;
    for (size_t k = 0; k < count; k++) {
        sections[k].offset = offset;
        offset += (sections[k].row_bytes * sections[k].rows + 7) & ~(uint64_t)7;
    }
    *bytes = offset;
    return count;
}

/*  The table of the file is not checked yet. */
static bool is_named(const scree_snapshot_section *section, const char *name)
{
    return memcmp(section->name, name, strlen(name) + 1) == 0;
}

static bool come_together(const section_kind *a, const section_kind *b)
{
    return a->there_if.from == b->there_if.from && a->there_if.at == b->there_if.at;
}

scree_snapshot_tail scree_snapshot_tail_of(const scree_snapshot_head *head)
{
    const scree_snapshot_section *table = (const scree_snapshot_section *)(const void *)(head + 1);
    scree_snapshot_tail tail = {0};
    bool is_there = false;
    size_t place = 0;

    for (size_t k = 0; k < SCREE_COUNT_OF(kinds); k++) {
        const section_kind *kind = &kinds[k];
        /* of sections that come together, the first tells whether they are there */
        if (kind->there_if.from == ONE) {
            is_there = true;
        } else if (!come_together(kind, &kinds[k - 1])) {
            is_there = place < head->section_count && is_named(&table[place], kind->name);
            put_in_tail(kind->there_if, is_there, &tail);
        }
        if (!is_there)
            continue;
        if (place < head->section_count)
            put_in_tail(kind->rows, table[place].rows, &tail);
        place++;
    }
    return tail;
}

const scree_snapshot_head *scree_snapshot_head_of(const scree_snapshot *snapshot)
{
    return (const scree_snapshot_head *)(const void *)snapshot->data;
}

void *scree_snapshot_find(const scree_snapshot *snapshot, const char *name, uint64_t *rows)
{
    const scree_snapshot_head *head = scree_snapshot_head_of(snapshot);
    const scree_snapshot_section *section =
        (const scree_snapshot_section *)(const void *)(head + 1);

    *rows = 0;
    for (uint64_t k = 0; k < head->section_count; k++, section++)
        if (strcmp(section->name, name) == 0) {
            *rows = section->rows;
            return snapshot->data + section->offset;
        }
    return NULL;
}

void *scree_snapshot_rows(const scree_snapshot *snapshot, const char *name)
{
    uint64_t rows;

    return scree_snapshot_find(snapshot, name, &rows);
}
