/*  Fields of walls: what bodies do to each facet. */
#include "picture/wall_colours.h"

#include "base/vector.h"
#include "scree/wear.h"
#include "world/step/world_data.h"

#include <math.h>
#include <string.h>

typedef enum wall_field
{
    FIELD_NONE,
    FIELD_PRESSURE,
    FIELD_SHEAR,
    FIELD_WEAR,
    WALL_FIELD_COUNT
} wall_field;

typedef struct field_label
{
    const char *name, *unit;
} field_label;

static const field_label wall_fields[WALL_FIELD_COUNT] = {[FIELD_NONE] = {"none", ""},
                                                          [FIELD_PRESSURE] = {"pressure", "Pa"},
                                                          [FIELD_SHEAR] = {"shear", "Pa"},
                                                          [FIELD_WEAR] = {"wear", "m"}};

const char *scree_picture_wall_field_at(size_t index)
{
    return index < WALL_FIELD_COUNT ? wall_fields[index].name : NULL;
}

int scree_wall_field_index(const char *name)
{
    for (int f = 0; name && f < WALL_FIELD_COUNT; f++)
        if (strcmp(name, wall_fields[f].name) == 0)
            return f;
    return name ? -1 : FIELD_NONE;
}

static scree_status read_loads(scree_world *world, const scree_wall_record *wall, wall_field field,
                               double *value, scree_memory *memory)
{
    const size_t count = scree_wall_facets(wall);
    scree_facet_load *loads;
    scree_status status = scree_memory_take(memory, count, sizeof *loads, &loads);

    if (!status)
        status = scree_world_wall_loads(world, wall->id, loads, count);
    for (size_t f = 0; f < count && !status; f++)
        value[f] = field == FIELD_PRESSURE ? loads[f].pressure : scree_length(loads[f].shear);
    scree_memory_give(memory, &loads, loads ? count : 0, sizeof *loads);
    return status;
}

/*  Depths on either side; 0 of walls that do not wear. */
static scree_status read_wear(scree_world *world, const scree_wall_record *wall, double *value,
                              scree_memory *memory)
{
    const size_t count = wall->wear.rows;
    scree_facet_wear *wear;
    scree_status status = scree_memory_take(memory, count, sizeof *wear, &wear);

    if (!status && count)
        status = scree_world_wear(world, wall->id, wear, count);
    for (size_t f = 0; f < count && !status; f++)
        value[f] = fabs(wear[f].depth);
    scree_memory_give(memory, &wear, wear ? count : 0, sizeof *wear);
    return status;
}

static scree_status read_values(scree_wall_colours *colours, scree_world *world, wall_field field,
                                scree_memory *memory)
{
    scree_status status = SCREE_OK;

    for (size_t w = 0; w < world->walls.count && !status; w++) {
        const scree_wall_record *wall = &world->walls.wall[w];
        double *value = colours->value + colours->start[w];
        if (wall->def.kind != SCREE_WALL_MESH)
            continue;
        status = field == FIELD_WEAR ? read_wear(world, wall, value, memory)
                                     : read_loads(world, wall, field, value, memory);
    }
    return status;
}

/*  From 0 to the largest value, unless the definition says another range. */
static void find_range(scree_wall_colours *colours, const scree_picture_def *def)
{
    const bool is_given = def->wall_range[0] < def->wall_range[1];
    double most = 0;

    for (size_t f = 0; f < colours->count; f++)
        most = isfinite(colours->value[f]) ? fmax(most, colours->value[f]) : most;
    colours->is_empty = !(most > 0);
    colours->range[0] = is_given ? def->wall_range[0] : 0;
    colours->range[1] = is_given ? def->wall_range[1] : most > 0 ? most : 1;
}

static scree_status reserve(scree_wall_colours *colours, const scree_walls *walls,
                            scree_memory *memory)
{
    if (scree_memory_take(memory, walls->count, sizeof *colours->start, &colours->start))
        return SCREE_OUT_OF_MEMORY;
    colours->walls = walls->count;
    for (size_t w = 0; w < walls->count; w++) {
        colours->start[w] = colours->count;
        if (walls->wall[w].def.kind == SCREE_WALL_MESH)
            colours->count += scree_wall_facets(&walls->wall[w]);
    }
    if (scree_memory_take(memory, colours->count, sizeof *colours->value, &colours->value)) {
        colours->count = 0;
        return SCREE_OUT_OF_MEMORY;
    }
    if (colours->count)
        memset(colours->value, 0, colours->count * sizeof *colours->value);
    return SCREE_OK;
}

scree_status scree_wall_colours_read(scree_wall_colours *colours, scree_world *world,
                                     const scree_picture_def *def, scree_memory *memory,
                                     scree_error *error)
{
    const int field = scree_wall_field_index(def->wall_field);

    memset(colours, 0, sizeof *colours);
    colours->is_empty = true;
    if (field <= FIELD_NONE)
        return SCREE_OK;
    colours->is_on = true;
    colours->name = wall_fields[field].name;
    colours->unit = wall_fields[field].unit;
    scree_palette_set(&colours->palette, SCREE_MAP_EMBER);
    scree_status status = reserve(colours, &world->walls, memory);
    if (status)
        return status;
    status = read_values(colours, world, (wall_field)field, memory);
    if (status)
        return scree_fail(error, status, "picture: wall_field: %s", scree_world_message(world));
    find_range(colours, def);
    return SCREE_OK;
}

void scree_wall_colours_free(scree_wall_colours *colours, scree_memory *memory)
{
    scree_memory_give(memory, &colours->start, colours->walls, sizeof *colours->start);
    scree_memory_give(memory, &colours->value, colours->count, sizeof *colours->value);
}

const float *scree_wall_colours_at(const scree_wall_colours *colours, size_t wall, uint32_t facet)
{
    const double value = colours->value[colours->start[wall] + facet];

    return scree_palette_at(&colours->palette,
                            (value - colours->range[0]) / (colours->range[1] - colours->range[0]));
}
