/*  Number types of the sections of a snapshot: for body fields from their list, for others from the table here. */
#include "io/checkpoint_format.h"

/*  The file's name for a type of the field list. */
static const char *type_named(const char *type)
{
    static const struct
    {
        const char *in_source, *in_file;
    } types[] = {{"double", "f64"},        {"uint64_t", "u64"}, {"uint32_t", "u32"},
                 {"scree_body_id", "u32"}, {"uint8_t", "u8"},   {"scree_shape", "mixed"}};
    size_t k = 0;

    while (k + 1 < SCREE_COUNT_OF(types) && strcmp(types[k].in_source, type) != 0)
        k++;
    return types[k].in_file;
}

const char *scree_checkpoint_type_of(const char *section)
{
#define X(type, name, n, when) {"body." #name, #type},
    static const struct
    {
        const char *name, *type;
    } fields[] = {SCREE_BODY_FIELDS(X)};
#undef X
    static const struct
    {
        const char *name, *type;
    } others[] = {
        {"tally", "u64"},
        {"names", "u32"},
        {"table", "f64"},
        {"pair.first", "u32"},
        {"pair.second", "u32"},
        {"pair.law", "u16"},
        {"pair.row", "f64"},
        {"pair.remembered", "f64"},
        {"pair.moment", "f64"},
        {"pair.account", "f64"},
        {"surface.body", "u32"},
        {"surface.wall", "u32"},
        {"surface.law", "u16"},
        {"surface.point", "f64"},
        {"surface.normal", "f64"},
        {"surface.row", "f64"},
        {"surface.moment", "f64"},
        {"surface.account", "f64"},
        {"surface.remembered", "f64"},
        {"solid.mesh", "u64"},
        {"solid.first", "u32"},
        {"solid.second", "u32"},
        {"solid.wall", "u32"},
        {"solid.facet", "u32"},
        {"solid.law", "u16"},
        {"solid.point", "f64"},
        {"solid.normal", "f64"},
        {"solid.row", "f64"},
        {"solid.moment", "f64"},
        {"solid.account", "f64"},
        {"solid.remembered", "f64"},
        {"friction", "f64"},
        {"heat.material", "f64"},
        {"heat.body", "f64"},
        {"bonds", "u64"},
        {"rest.body", "f64"},
        {"path.table", "f64"},
        {"rule.formulas", "u8"},
        {"values", "f64"},
    };

    for (size_t k = 0; k < SCREE_COUNT_OF(fields); k++)
        if (strcmp(fields[k].name, section) == 0)
            return type_named(fields[k].type);
    for (size_t k = 0; k < SCREE_COUNT_OF(others); k++)
        if (strcmp(others[k].name, section) == 0)
            return others[k].type;
    return "mixed";
}
