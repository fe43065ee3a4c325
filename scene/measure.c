/*  Columns of metrics: measurements, sources and sinks, in the order of the scene. Means are summed in the order of
    global ids, so they do not depend on the order in memory. */
#include "base/error.h"
#include "scene_internal.h"

#include "scree/fields.h"
#include "scree/heat.h"
#include "scree/wall.h"
#include "scree/wear.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
    THE_COUNT,
    THE_MASS,
    THE_RATE,
};

typedef struct quantity
{
    uint32_t bit;
    const char *name, *unit;
    uint32_t axes;
} quantity;

static const quantity quantities[] = {
    {SCREE_MEASURE_COUNT, "count", "", 1},
    {SCREE_MEASURE_MASS, "mass", "kg", 1},
    {SCREE_MEASURE_SOLID_FRACTION, "solid_fraction", "", 1},
    {SCREE_MEASURE_POROSITY, "porosity", "", 1},
    {SCREE_MEASURE_SPEED, "speed", "m/s", 1},
    {SCREE_MEASURE_VELOCITY, "velocity", "m/s", 3},
    {SCREE_MEASURE_TEMPERATURE, "temperature", "m^2/s^2", 1},
    {SCREE_MEASURE_COORDINATION, "coordination", "", 1},
    {SCREE_MEASURE_PRESSURE, "pressure", "Pa", 1},
    {SCREE_MEASURE_SHEAR_STRESS, "shear_stress", "Pa", 1},
    {SCREE_MEASURE_STRESS, "stress", "Pa", 6},
    {SCREE_MEASURE_FABRIC, "fabric", "", 6},
    {SCREE_MEASURE_FLOW, "flow", "", 1},
    {SCREE_MEASURE_MASS_FLOW, "mass_flow", "kg/s", 1},
    {SCREE_MEASURE_FORCE, "force", "N", 3},
    {SCREE_MEASURE_TORQUE, "torque", "N m", 3},
    {SCREE_MEASURE_POSITION, "position", "m", 3},
    {SCREE_MEASURE_BODY_TEMPERATURE, "body_temperature", "K", 1},
    {SCREE_MEASURE_HEAT_FLOW, "heat_flow", "W", 1},
    {SCREE_MEASURE_HEAT, "heat", "J", 1},
    {SCREE_MEASURE_SEGREGATION, "segregation", "", 1},
    {SCREE_MEASURE_MIXING, "mixing", "", 1},
    {SCREE_MEASURE_CHAINS, "chains", "", 1},
    {SCREE_MEASURE_CHAIN_LENGTH, "chain_length", "", 1},
    {SCREE_MEASURE_CHAIN_SHARE, "chain_share", "", 1},
    {SCREE_MEASURE_SIZE, "size", "m", 3},
    {SCREE_MEASURE_SIDE_STRESS, "side_stress", "Pa", 3},
    {SCREE_MEASURE_SIDE_FORCE, "side_force", "N", 18},
    {SCREE_MEASURE_SPIN, "spin", "rad/s", 3},
    {SCREE_MEASURE_WEAR, "wear", "m^3", 1},
};

static const char *const axis_suffix[][18] = {
    [1] = {""},
    [3] = {"_x", "_y", "_z"},
    [6] = {"_xx", "_yy", "_zz", "_xy", "_yz", "_xz"},
    /* of each side */
    [18] = {"_-x_x", "_-x_y", "_-x_z", "_+x_x", "_+x_y", "_+x_z", "_-y_x", "_-y_y", "_-y_z",
            "_+y_x", "_+y_y", "_+y_z", "_-z_x", "_-z_y", "_-z_z", "_+z_x", "_+z_y", "_+z_z"},
};

static scree_status add_column(scree_scene *scene, const char *owner, const char *name,
                               const char *unit, const char *suffix, scene_column column)
{
    scene_column *row = scene_add_row(scene, SCENE_COLUMNS);

    if (!row)
        return SCREE_OUT_OF_MEMORY;
    *row = column;
    row->unit = unit;
    snprintf(row->name, sizeof row->name, "%.40s.%s%s", owner, name, suffix);
    return SCREE_OK;
}

/*  Sides of boxes may be open. */
static bool is_there(const scree_scene *scene, const scree_scene_measurement *m, uint32_t which,
                     uint32_t axis)
{
    if (!(m->quantities & quantities[which].bit))
        return false;
    if (quantities[which].bit != SCREE_MEASURE_SIDE_FORCE)
        return true;
    const scree_scene_geometry *box = &scene->plan.walls[m->wall - 1].surface;
    return axis / 6 < (uint32_t)scene->plan.world.dimensions && !(box->open >> axis / 3 & 1);
}

static scree_status add_measurement(scree_scene *scene, uint32_t index)
{
    const scree_scene_measurement *m = &scene->plan.measures[index];
    scree_status status = SCREE_OK;

    for (uint32_t q = 0; q < SCREE_COUNT_OF(quantities); q++)
        for (uint32_t axis = 0; !status && axis < quantities[q].axes; axis++)
            status = !is_there(scene, m, q, axis)
                         ? SCREE_OK
                         : add_column(scene, m->name, quantities[q].name, quantities[q].unit,
                                      axis_suffix[quantities[q].axes][axis],
                                      (scene_column){.of = SCENE_OF_MEASURE,
                                                     .index = index,
                                                     .quantity = q,
                                                     .axis = axis});
    return status;
}

scree_status scene_make_columns(scree_scene *scene, scree_error *error)
{
    const scree_scene_plan *plan = &scene->plan;
    scree_status status = SCREE_OK;

    for (uint32_t i = 0; i < plan->measure_count && !status; i++)
        status = add_measurement(scene, i);
    for (uint32_t i = 0; i < plan->source_count && !status; i++) {
        if (!plan->sources[i].is_pour)
            continue;
        const char *name = plan->sources[i].name;
        status = add_column(scene, name, "count", "", "",
                            (scene_column){.of = SCENE_OF_SOURCE, .index = i});
        if (!status)
            status =
                add_column(scene, name, "mass", "kg", "",
                           (scene_column){.of = SCENE_OF_SOURCE, .index = i, .quantity = THE_MASS});
    }
    for (uint32_t i = 0; i < plan->sink_count && !status; i++) {
        static const char *const names[] = {"count", "mass", "mass_flow"}, *const units[] = {
                                                                               "", "kg", "kg/s"};
        for (uint32_t q = THE_COUNT; q <= THE_RATE && !status; q++)
            status = add_column(scene, plan->sinks[i].name, names[q], units[q], "",
                                (scene_column){.of = SCENE_OF_SINK, .index = i, .quantity = q});
    }
    return status ? scree_fail(error, status, "%s: out of memory", scene->name) : SCREE_OK;
}

bool scene_is_mean(const scree_scene *scene, const scene_column *column)
{
    return column->of == SCENE_OF_MEASURE && scene->plan.measures[column->index].is_mean;
}

size_t scree_scene_column_count(const scree_scene *scene)
{
    return scene->list[SCENE_COLUMNS].count;
}

const char *scree_scene_column_name(const scree_scene *scene, size_t column)
{
    return scene_column_at(scene, column)->name;
}

const char *scree_scene_column_unit(const scree_scene *scene, size_t column)
{
    return scene_column_at(scene, column)->unit;
}

/* ---- bodies of a region ---------------------------------------------------------------------------------- */

typedef struct ordered_body
{
    uint64_t serial;
    size_t row;
} ordered_body;

static int compare_ordered(const void *a, const void *b)
{
    uint64_t x = ((const ordered_body *)a)->serial, y = ((const ordered_body *)b)->serial;
    return (x > y) - (x < y);
}

typedef struct region_sums
{
    double count, mass, volume, speed, velocity[3], square, contacts;
    double capacity, heat; /* J/K, and the same times the temperature */
} region_sums;

typedef struct known_volume
{
    const void *geometry;
    double volume;
} known_volume;

typedef struct measuring
{
    scree_scene *scene;
    scree_world *world;
    scree_bodies_view view;
    ordered_body *order;
    double *contacts; /* of each row; NULL: not needed */
    double since;     /* s since the last measurement */
    scree_field_values sphere;
    double solid; /* volume of bodies within */
    scene_mixing mixing;
    known_volume known[64]; /* hash table by address */
    scree_chains chains;
    bool only_means;
    int line; /* of the current measurement */
} measuring;

/*  The volume of a mesh or clump is computed once, unless two collide in the hash table. */
static double volume_of_solid(measuring *m, const scree_shape *shape)
{
    const void *geometry =
        shape->kind == SCREE_SHAPE_CLUMP ? (const void *)shape->clump : (const void *)shape->mesh;
    known_volume *known = &m->known[(uintptr_t)geometry / 64 % SCREE_COUNT_OF(m->known)];
    scree_mass mass = {0};

    if (known->geometry != geometry) {
        /* it belongs to a body, so it has a mass */
        scree_shape_mass(shape, 1, m->scene->plan.world.dimensions, &mass, NULL);
        *known = (known_volume){geometry, mass.volume};
    }
    return known->volume;
}

/*  Volume of the body. */
static double volume_of(measuring *m, size_t row)
{
    const scree_scene_plan *plan = &m->scene->plan;
    scree_body body;

    if (!(plan->has_stones || plan->has_clumps) ||
        scree_world_get_body(m->world, scree_body_id_at(m->view.id, row), &body) ||
        body.shape.kind == SCREE_SHAPE_SPHERE)
        return scene_ball_volume(scree_double_at(m->view.radius, row), plan->world.dimensions);
    return volume_of_solid(m, &body.shape);
}

static void add_heat(const measuring *m, size_t row, region_sums *sums)
{
    scree_body_heat heat;

    if (scree_world_get_body_heat(m->world, scree_body_id_at(m->view.id, row), &heat))
        return;
    sums->capacity += heat.capacity;
    sums->heat += heat.capacity * heat.temperature;
}

static region_sums sum_region(measuring *m, const scree_scene_measurement *measure)
{
    const scree_scene_geometry *region = &measure->region;
    int dimensions = m->scene->plan.world.dimensions;
    /* a sphere is cut exactly instead */
    bool is_filled =
        (measure->quantities & SCREE_MEASURE_SOLID_FRACTION) && region->form != SCREE_FORM_SPHERE;
    region_sums sums = {0};

    /* there is an order if regions are measured */
    for (size_t i = 0; m->order && i < m->view.count; i++) {
        size_t row = m->order[i].row;
        const double *v = scree_row_at(m->view.velocity, row);
        if (!scene_holds_point(region, dimensions, scree_row_at(m->view.position, row)))
            continue;
        double mass = 1 / v[3], square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        sums.count += 1;
        sums.mass += mass;
        if (is_filled)
            sums.volume += volume_of(m, row);
        sums.speed += sqrt(square);
        sums.square += mass * square;
        for (int k = 0; k < 3; k++)
            sums.velocity[k] += mass * v[k];
        if (measure->quantities & SCREE_MEASURE_BODY_TEMPERATURE)
            add_heat(m, row, &sums);
        if (m->contacts)
            sums.contacts += m->contacts[row];
    }
    return sums;
}

/*  Volume of bodies and stresses in a sphere, if needed. */
static scree_status read_sphere(measuring *m, const scree_scene_measurement *measure)
{
    const uint32_t filled = SCREE_MEASURE_SOLID_FRACTION | SCREE_MEASURE_POROSITY;
    const uint32_t asked = SCREE_MEASURE_PRESSURE | SCREE_MEASURE_SHEAR_STRESS |
                           SCREE_MEASURE_STRESS | SCREE_MEASURE_FABRIC;
    scree_fields_def def = scree_default_fields_def();
    scree_field field = {0};
    scree_status status = SCREE_OK;

    if ((measure->quantities & filled) && measure->region.form == SCREE_FORM_SPHERE)
        status = scree_world_solid_volume(m->world, measure->region.from, measure->region.radius,
                                          &m->solid);
    if (status || !(measure->quantities & asked))
        return status;
    memcpy(def.lower, measure->region.from, sizeof def.lower);
    memcpy(def.upper, measure->region.from, sizeof def.upper);
    def.kernel = SCREE_KERNEL_BALL;
    def.width = measure->region.radius;
    status = scree_world_add_fields(m->world, &def, 1, &field, 1);
    m->sphere = scree_field_read(&field, m->scene->plan.world.dimensions);
    return status;
}

/*  xx yy zz xy yz xz of the symmetric part of both stresses. */
static double stress_value(const scree_field_values *v, uint32_t k)
{
    static const int row[] = {0, 1, 2, 0, 1, 0}, column[] = {0, 1, 2, 1, 2, 2};
    const int at = 3 * row[k] + column[k], across = 3 * column[k] + row[k];

    return v->kinetic_stress[k] + (v->contact_stress[at] + v->contact_stress[across]) / 2;
}

static double region_value(const measuring *m, const scree_scene_measurement *measure,
                           const region_sums *s, const scene_column *column)
{
    int dimensions = m->scene->plan.world.dimensions;
    double mean_square = 0;

    switch (quantities[column->quantity].bit) {
    case SCREE_MEASURE_COUNT:
        return s->count;
    case SCREE_MEASURE_MASS:
        return s->mass;
    case SCREE_MEASURE_SOLID_FRACTION:
        return (measure->region.form == SCREE_FORM_SPHERE ? m->solid : s->volume) /
               scene_volume(&measure->region, dimensions);
    case SCREE_MEASURE_POROSITY:
        return 1 - m->solid / scene_volume(&measure->region, dimensions);
    case SCREE_MEASURE_SPEED:
        return s->count > 0 ? s->speed / s->count : 0;
    case SCREE_MEASURE_VELOCITY:
        return s->count > 0 ? s->velocity[column->axis] / s->mass : 0;
    case SCREE_MEASURE_COORDINATION:
        return s->count > 0 ? s->contacts / s->count : 0;
    case SCREE_MEASURE_BODY_TEMPERATURE:
        return s->capacity > 0 ? s->heat / s->capacity : 0;
    case SCREE_MEASURE_SEGREGATION:
        return m->mixing.segregation;
    case SCREE_MEASURE_MIXING:
        return m->mixing.mixing;
    case SCREE_MEASURE_CHAINS:
        return (double)m->chains.count;
    case SCREE_MEASURE_CHAIN_LENGTH:
        return m->chains.mean_length;
    case SCREE_MEASURE_CHAIN_SHARE:
        return m->chains.share;
    case SCREE_MEASURE_PRESSURE:
        return m->sphere.pressure;
    case SCREE_MEASURE_SHEAR_STRESS:
        return m->sphere.shear_stress;
    case SCREE_MEASURE_STRESS:
        return stress_value(&m->sphere, column->axis);
    case SCREE_MEASURE_FABRIC:
        return m->sphere.fabric[column->axis];
    default:
        break;
    }
    for (int k = 0; k < 3; k++)
        mean_square += s->count > 0 ? s->velocity[k] / s->mass * (s->velocity[k] / s->mass) : 0;
    double square = s->count > 0 ? s->square / s->mass - mean_square : 0;
    return (square > 0 ? square : 0) / dimensions;
}

/*  Number of contacts of each body, including walls. */
static scree_status count_contacts(measuring *m, scree_memory *memory)
{
    const scree_contact *contacts;
    size_t count;
    void *block = NULL, *row_of = NULL;
    uint32_t most = 0;
    scree_status status = scree_world_contacts(m->world, NULL, &contacts, &count);

    if (!status)
        status = scree_memory_take(memory, m->view.count, sizeof(double), &block);
    m->contacts = block;
    for (size_t i = 0; i < m->view.count; i++)
        most = scree_body_id_at(m->view.id, i).index1 > most
                   ? scree_body_id_at(m->view.id, i).index1
                   : most;
    if (!status)
        status = scree_memory_take(memory, (size_t)most + 1, sizeof(size_t), &row_of);
    if (status)
        return status;
    for (size_t i = 0; i < m->view.count; i++) {
        ((size_t *)row_of)[scree_body_id_at(m->view.id, i).index1] = i;
        m->contacts[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        m->contacts[((size_t *)row_of)[contacts[i].first.index1]] += 1;
        if (contacts[i].second.index1)
            m->contacts[((size_t *)row_of)[contacts[i].second.index1]] += 1;
    }
    scree_memory_give(memory, &row_of, (size_t)most + 1, sizeof(size_t));
    return SCREE_OK;
}

/* ---- walls, planes, sources ------------------------------------------------------------------------------- */

/*  Force or torque on a part of a wall, torque about the origin; or its position or velocity. */
static double part_value(const scree_wall *part, uint32_t bit, uint32_t k)
{
    uint32_t a = (k + 1) % 3, b = (k + 2) % 3;

    switch (bit) {
    case SCREE_MEASURE_FORCE:
        return part->force[k];
    case SCREE_MEASURE_TORQUE:
        return part->torque[k] +
               (part->position[a] * part->force[b] - part->position[b] * part->force[a]);
    case SCREE_MEASURE_VELOCITY:
        return part->velocity[k];
    case SCREE_MEASURE_SPIN:
        return part->spin[k];
    default:
        return part->position[k];
    }
}

/*  For a box without open sides, whose parts are -x, +x, -y and so on. */
static double box_value(const measuring *m, const scree_wall *part, uint32_t bit, uint32_t k)
{
    uint32_t dimensions = (uint32_t)m->scene->plan.world.dimensions;
    double size[3] = {0}, area = 1;

    for (uint32_t a = 0; a < dimensions; a++) {
        size[a] = part[2 * a + 1].position[a] - part[2 * a].position[a];
        area *= a == k ? 1 : size[a];
    }
    if (bit == SCREE_MEASURE_SIZE || k >= dimensions)
        return size[k];
    return (part[2 * k + 1].force[k] - part[2 * k].force[k]) / 2 / area;
}

/*  The parts of a box are the sides that are not open. */
static double side_value(const scree_scene_wall *wall, const scree_wall *part, uint32_t axis)
{
    uint32_t at = 0;

    for (uint32_t side = 0; side < axis / 3; side++)
        at += !(wall->surface.open >> side & 1);
    return part[at].force[axis % 3];
}

static bool is_of_box(uint32_t bit)
{
    return bit == SCREE_MEASURE_SIZE || bit == SCREE_MEASURE_SIDE_STRESS ||
           bit == SCREE_MEASURE_SIDE_FORCE;
}

static bool is_of_heat(uint32_t bit)
{
    return bit == SCREE_MEASURE_HEAT_FLOW || bit == SCREE_MEASURE_HEAT;
}

static double heat_value(const measuring *m, scree_wall_id id, uint32_t bit)
{
    scree_wall_heat heat;

    if (scree_world_get_wall_heat(m->world, id, &heat))
        return 0;
    return bit == SCREE_MEASURE_HEAT ? heat.given : heat.flow;
}

/*  Adds the volume worn off a part of a wall so far; nothing if it does not wear. */
static scree_status add_worn(const measuring *m, const scree_wall *part, scree_memory *memory,
                             double *volume)
{
    const size_t facets = part->mesh ? scree_mesh_describe(part->mesh).facet_count : 1;
    scree_facet_wear *wear;
    scree_status status;

    if (!scree_world_get_wear(m->world, part->id, NULL))
        return SCREE_OK;
    if (scree_memory_take(memory, facets, sizeof *wear, &wear))
        return SCREE_OUT_OF_MEMORY;
    status = scree_world_wear(m->world, part->id, wear, facets);
    for (size_t f = 0; f < facets && !status; f++)
        *volume += wear[f].slid_volume + wear[f].eroded_volume;
    scree_memory_give(memory, &wear, facets, sizeof *wear);
    return status;
}

static scree_status wall_value(const measuring *m, const scree_scene_wall *wall,
                               const scene_column *column, double *value, scree_memory *memory)
{
    size_t count = scree_world_walls(m->world, NULL, 0);
    uint32_t bit = quantities[column->quantity].bit;
    scree_wall part[6] = {{.mesh = NULL}};
    void *block = NULL;
    scree_status status = scree_memory_take(memory, count, sizeof(scree_wall_id), &block);

    *value = 0;
    /* a stage may have removed the wall */
    if (!status && wall->count == 0)
        bit = 0;
    if (!status)
        scree_world_walls(m->world, block, count);
    for (uint32_t i = 0; i < wall->count && wall->first + i < count && !status; i++) {
        status =
            scree_world_get_wall(m->world, ((scree_wall_id *)block)[wall->first + i], &part[i]);
        if (!status && bit == SCREE_MEASURE_WEAR)
            status = add_worn(m, &part[i], memory, value);
        else if (!status && is_of_heat(bit))
            *value += heat_value(m, part[i].id, bit);
        else if (!status && !is_of_box(bit))
            *value += part_value(&part[i], bit, column->axis);
    }
    if (!status && is_of_box(bit))
        *value = bit == SCREE_MEASURE_SIDE_FORCE ? side_value(wall, part, column->axis)
                                                 : box_value(m, part, bit, column->axis);
    scree_memory_give(memory, &block, block ? count : 0, sizeof(scree_wall_id));
    return status;
}

static double plane_value(const measuring *m, const scene_column *column)
{
    const scene_plane_state *plane = &m->scene->course.planes[column->index];

    if (quantities[column->quantity].bit == SCREE_MEASURE_FLOW)
        return (double)plane->passed;
    return m->since > 0 ? (plane->mass - plane->last_mass) / m->since : 0;
}

static double tally_value(const measuring *m, const scene_column *column)
{
    const scene_course *course = &m->scene->course;

    if (column->of == SCENE_OF_SOURCE)
        return column->quantity == THE_COUNT ? (double)course->sources[column->index].made
                                             : course->sources[column->index].mass;
    const scene_sink_state *sink = &course->sinks[column->index];
    if (column->quantity == THE_COUNT)
        return (double)sink->count;
    if (column->quantity == THE_MASS)
        return sink->mass;
    return m->since > 0 ? (sink->mass - sink->last_mass) / m->since : 0;
}

static scree_status measure_all(measuring *m, double *values, scree_memory *memory)
{
    const scene_list *list = &m->scene->list[SCENE_COLUMNS];
    const scene_column *columns = list->rows;
    const scree_scene_measurement *last = NULL;
    const uint32_t of_mixing = SCREE_MEASURE_SEGREGATION | SCREE_MEASURE_MIXING;
    const uint32_t of_chains =
        SCREE_MEASURE_CHAINS | SCREE_MEASURE_CHAIN_LENGTH | SCREE_MEASURE_CHAIN_SHARE;
    region_sums sums = {0};
    scree_status status = SCREE_OK;

    for (size_t i = 0; i < list->count && !status; i++) {
        const scene_column *column = &columns[i];
        if (column->of == SCENE_OF_FORMULA || (m->only_means && !scene_is_mean(m->scene, column)))
            continue;
        if (column->of != SCENE_OF_MEASURE) {
            values[i] = tally_value(m, column);
            continue;
        }
        const scree_scene_measurement *measure = &m->scene->plan.measures[column->index];
        m->line = measure->line;
        if (measure->wall) {
            status =
                wall_value(m, &m->scene->plan.walls[measure->wall - 1], column, &values[i], memory);
        } else if (measure->region.form == SCREE_FORM_PLANE) {
            values[i] = plane_value(m, column);
        } else {
            if (measure != last) {
                sums = sum_region(m, measure);
                status = read_sphere(m, measure);
                if (!status && (measure->quantities & of_mixing))
                    status = scene_look_at_mixing(m->scene, measure, &m->view, memory, &m->mixing);
                if (!status && (measure->quantities & of_chains))
                    status = scene_look_at_chains(measure, m->world, memory, &m->chains);
            }
            last = measure;
            values[i] = region_value(m, measure, &sums, column);
        }
    }
    return status;
}

/*  Whether any of these needs bodies, and not only walls and planes. */
static bool asks_for(const measuring *m, uint32_t what)
{
    for (size_t i = 0; i < m->scene->plan.measure_count; i++) {
        const scree_scene_measurement *measure = &m->scene->plan.measures[i];
        if ((measure->quantities & what) && (measure->is_mean || !m->only_means) &&
            !measure->wall && measure->region.form != SCREE_FORM_PLANE)
            return true;
    }
    return false;
}

/*  Sorts bodies by global id. */
static scree_status order_bodies(measuring *m, scree_memory *memory)
{
    void *order = NULL;

    if (scree_memory_take(memory, m->view.count, sizeof(ordered_body), &order))
        return SCREE_OUT_OF_MEMORY;
    m->order = order;
    for (size_t i = 0; i < m->view.count; i++)
        m->order[i] = (ordered_body){scree_uint64_at(m->view.serial, i), i};
    if (m->view.count > 1)
        qsort(m->order, m->view.count, sizeof *m->order, compare_ordered);
    return SCREE_OK;
}

scree_status scene_measure_now(scree_scene *scene, scree_world *world, bool only_means,
                               double *values, scree_error *error)
{
    measuring m = {.scene = scene,
                   .world = world,
                   .view = scree_world_bodies(world),
                   .only_means = only_means};
    scree_memory memory;
    scree_status status = SCREE_OK;

    if (!scene->course.began)
        return scree_fail(error, SCREE_BAD_ARGUMENT, "%s: the scene has not been started",
                          scene->name);
    scree_memory_init(&memory, &scene->memory.allocator);
    m.since = scree_world_clock(world).time - scene->course.last_time;
    if (asks_for(&m, UINT32_MAX))
        status = order_bodies(&m, &memory);
    if (!status && asks_for(&m, SCREE_MEASURE_COORDINATION))
        status = count_contacts(&m, &memory);
    if (!status)
        status = measure_all(&m, values, &memory);
    scree_memory_give(&memory, &m.contacts, m.contacts ? m.view.count : 0, sizeof *m.contacts);
    scree_memory_give(&memory, &m.order, m.order ? m.view.count : 0, sizeof *m.order);
    if (status == SCREE_OUT_OF_MEMORY)
        return scree_fail(error, status, "%s: out of memory", scene->name);
    return status ? scene_fail_at(scene, error, status, m.line, "measure: %s",
                                  scree_world_message(world))
                  : SCREE_OK;
}
