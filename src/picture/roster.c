/*  Sorts bodies by global id and applies the clips. Fields are one table of names, units and functions that read
    them. */
#include "picture/roster.h"

#include "base/error.h"
#include "base/radix_sort.h"
#include "scree/chains.h"
#include "world/step/world_data.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool is_clipped(const scree_picture_def *def, const double position[4])
{
    for (uint32_t c = 0; c < def->clip_count; c++) {
        const double *clip = def->clips[c];
        if (clip[0] * position[0] + clip[1] * position[1] + clip[2] * position[2] > clip[3])
            return true;
    }
    return false;
}

scree_status scree_roster_call(scree_roster *roster, scree_world *world,
                               const scree_picture_def *def, scree_memory *memory,
                               const scree_workers *workers)
{
    const scree_body_arrays *bodies = &world->bodies;
    scree_sorter sorter = {0};
    uint64_t *serial = NULL;
    scree_status status = scree_memory_reserve(memory, &roster->row, &roster->capacity,
                                               bodies->count, sizeof *roster->row);
    if (!status)
        status = scree_memory_take(memory, bodies->count, sizeof *serial, &serial);
    roster->count = 0;
    for (uint32_t i = 0; !status && i < bodies->count; i++)
        if (!is_clipped(def, bodies->position[i])) {
            serial[roster->count] = bodies->serial[i][0];
            roster->row[roster->count++] = i;
        }
    if (!status)
        status = scree_sort_u64(&sorter, memory, workers, serial, roster->row, roster->count);
    scree_sorter_free(&sorter, memory);
    scree_memory_give(memory, &serial, bodies->count, sizeof *serial);
    return status;
}

void scree_roster_free(scree_roster *roster, scree_memory *memory)
{
    scree_memory_give(memory, &roster->row, roster->capacity, sizeof *roster->row);
    scree_memory_give(memory, &roster->value, roster->value_capacity, sizeof *roster->value);
    *roster = (scree_roster){0};
}

/* ---- fields ---- */

static double length(const double v[4])
{
    double magnitude = fmax(fmax(fabs(v[0]), fabs(v[1])), fabs(v[2]));
    if (!(magnitude > 0 && magnitude < INFINITY))
        return magnitude;
    double x = v[0] / magnitude, y = v[1] / magnitude, z = v[2] / magnitude;
    return magnitude * sqrt(x * x + y * y + z * z);
}

typedef enum source
{
    FROM_NOTHING,
    FROM_LENGTH, /* from three columns of doubles */
    FROM_COLUMN,
    FROM_MASS,
    FROM_ENERGY,
    FROM_MATERIAL,
    FROM_SERIAL,
    FROM_USER,
    FROM_CONTACTS,
    FROM_BONDS,
    FROM_SLEEP,
    FROM_HEAT,
    FROM_CHAINS,
} source;

typedef enum kind
{
    PLAIN,
    SIGNED,
    COUNT,
    NAME,
} kind;

typedef struct field
{
    scree_picture_field said;
    source source;
    size_t column; /* for rows of doubles: offset of their pointer in scree_body_arrays */
    int component;
    kind kind;
} field;

#define AT(name) offsetof(scree_body_arrays, name)

static const field fields[] = {
    {{"none", "", "one colour for all"}, FROM_NOTHING, 0, 0, PLAIN},
    {{"speed", "m/s", "length of the velocity"}, FROM_LENGTH, AT(velocity), 0, PLAIN},
    {{"velocity_x", "m/s", "along x"}, FROM_COLUMN, AT(velocity), 0, SIGNED},
    {{"velocity_y", "m/s", "along y"}, FROM_COLUMN, AT(velocity), 1, SIGNED},
    {{"velocity_z", "m/s", "along z"}, FROM_COLUMN, AT(velocity), 2, SIGNED},
    {{"spin", "rad/s", "length of the angular velocity"}, FROM_LENGTH, AT(spin), 0, PLAIN},
    {{"spin_x", "rad/s", "about x"}, FROM_COLUMN, AT(spin), 0, SIGNED},
    {{"spin_y", "rad/s", "about y"}, FROM_COLUMN, AT(spin), 1, SIGNED},
    {{"spin_z", "rad/s", "about z"}, FROM_COLUMN, AT(spin), 2, SIGNED},
    {{"force", "N", "length of the resultant of the last step"}, FROM_LENGTH, AT(force), 0, PLAIN},
    {{"force_x", "N", "along x"}, FROM_COLUMN, AT(force), 0, SIGNED},
    {{"force_y", "N", "along y"}, FROM_COLUMN, AT(force), 1, SIGNED},
    {{"force_z", "N", "along z"}, FROM_COLUMN, AT(force), 2, SIGNED},
    {{"torque", "N m", "length of the resultant torque"}, FROM_LENGTH, AT(torque), 0, PLAIN},
    {{"x", "m", "position of the centre"}, FROM_COLUMN, AT(position), 0, PLAIN},
    {{"y", "m", "position of the centre"}, FROM_COLUMN, AT(position), 1, PLAIN},
    {{"z", "m", "position of the centre"}, FROM_COLUMN, AT(position), 2, PLAIN},
    {{"radius", "m", "of the bounding sphere"}, FROM_COLUMN, AT(position), 3, PLAIN},
    {{"mass", "kg", ""}, FROM_MASS, AT(velocity), 3, PLAIN},
    {{"energy", "J", "kinetic, of the centre"}, FROM_ENERGY, AT(velocity), 0, PLAIN},
    {{"material", "", "number of the material, from 1"}, FROM_MATERIAL, 0, 0, NAME},
    {{"id", "", "global id: the order in which bodies were created"}, FROM_SERIAL, 0, 0, COUNT},
    {{"user", "", "the host's number for the body"}, FROM_USER, 0, 0, COUNT},
    {{"coordination", "", "contacts that exert forces, walls included"},
     FROM_CONTACTS,
     0,
     0,
     COUNT},
    {{"bonds", "", "intact bonds"}, FROM_BONDS, 0, 0, COUNT},
    {{"sleeping", "", "1: asleep, 0: awake"}, FROM_SLEEP, 0, 0, COUNT},
    {{"temperature", "K", "only in worlds with heat"}, FROM_HEAT, 0, 0, PLAIN},
    {{"chain", "", "number of its force chain; 0: none"}, FROM_CHAINS, 0, 0, COUNT},
};

const scree_picture_field *scree_picture_field_at(size_t index)
{
    return index < SCREE_COUNT_OF(fields) ? &fields[index].said : NULL;
}

int scree_field_index(const char *name)
{
    if (strcmp(name, "resting") == 0) /* its name in earlier versions */
        name = "sleeping";
    for (size_t i = 0; i < SCREE_COUNT_OF(fields); i++)
        if (strcmp(fields[i].said.name, name) == 0)
            return (int)i;
    return -1;
}

/*  Its row of doubles. */
static const double *row_of(const field *f, const scree_body_arrays *bodies, uint32_t row)
{
    const double(*column)[4];
    memcpy(&column, (const char *)bodies + f->column, sizeof column);
    return column[row];
}

static double read_value(const field *f, const scree_world *world, uint32_t row)
{
    const scree_body_arrays *bodies = &world->bodies;

    switch (f->source) {
    case FROM_LENGTH:
        return length(row_of(f, bodies, row));
    case FROM_COLUMN:
        return row_of(f, bodies, row)[f->component];
    case FROM_MASS: {
        double inverse = row_of(f, bodies, row)[3];
        return inverse > 0 ? 1 / inverse : 0;
    }
    case FROM_ENERGY: {
        const double *velocity = row_of(f, bodies, row);
        double speed = length(velocity);
        return velocity[3] > 0 ? 0.5 / velocity[3] * speed * speed : 0;
    }
    case FROM_MATERIAL:
        return bodies->material[row][0];
    case FROM_SERIAL:
        return (double)bodies->serial[row][0];
    case FROM_USER:
        return (double)bodies->user[row][0];
    case FROM_SLEEP:
        return scree_body_is_asleep(&world->sleep, &world->bodies, row);
    case FROM_HEAT:
        return bodies->heat[row][SCREE_HEAT_TEMPERATURE];
    default:
        return 0;
    }
}

static void count_both(double *of_row, const scree_body_arrays *bodies, scree_body_id first,
                       scree_body_id second)
{
    of_row[scree_bodies_slot(bodies, first)] += 1;
    if (second.index1 != 0)
        of_row[scree_bodies_slot(bodies, second)] += 1;
}

/*  Number of contacts or bonds of each body. */
static scree_status count_ends(double *of_row, scree_world *world, source from)
{
    const scree_body_arrays *bodies = &world->bodies;
    const scree_contact *contacts;
    const scree_bond *bonds;
    size_t count;
    bool is_bonds = from == FROM_BONDS;
    scree_status status = is_bonds ? scree_world_bonds(world, &bonds, &count)
                                   : scree_world_contacts(world, NULL, &contacts, &count);

    if (status)
        return status;
    for (size_t i = 0; i < bodies->count; i++)
        of_row[i] = 0;
    for (size_t c = 0; c < count; c++)
        if (!is_bonds)
            count_both(of_row, bodies, contacts[c].first, contacts[c].second);
        else if (bonds[c].is_intact)
            count_both(of_row, bodies, bonds[c].first, bonds[c].second);
    return SCREE_OK;
}

static scree_status read_counts(scree_roster *roster, scree_world *world, source from,
                                scree_memory *memory, scree_error *error)
{
    size_t bodies = world->bodies.count;
    double *of_row = NULL;
    scree_status status = scree_memory_take(memory, bodies, sizeof *of_row, &of_row);

    if (status)
        return status;
    status = count_ends(of_row, world, from);
    if (status)
        scree_fail(error, status, "%s", scree_world_message(world));
    for (size_t i = 0; i < roster->count && !status; i++)
        roster->value[i] = of_row[roster->row[i]];
    scree_memory_give(memory, &of_row, bodies, sizeof *of_row);
    return status;
}

/*  With the default definition of scree/chains.h. */
static scree_status read_chains(scree_roster *roster, scree_world *world, scree_memory *memory,
                                scree_error *error)
{
    const scree_chains_def def = scree_default_chains_def();
    const size_t count = world->bodies.count;
    scree_chain_body *bodies = NULL;
    scree_chains chains;
    scree_status status = scree_memory_take(memory, count, sizeof *bodies, &bodies);

    if (status)
        return status;
    status = scree_world_chains(world, &def, bodies, NULL, count, &chains);
    for (size_t i = 0; i < roster->count && !status; i++)
        roster->value[i] = bodies[roster->row[i]].chain;
    scree_memory_give(memory, &bodies, count, sizeof *bodies);
    return status ? scree_fail(error, status, "%s", scree_world_message(world)) : SCREE_OK;
}

static scree_status read_own(scree_roster *roster, scree_world *world, const scree_picture_def *def,
                             scree_error *error)
{
    scree_bodies_view view = scree_world_bodies(world);
    for (size_t i = 0; i < roster->count; i++) {
        roster->value[i] = def->own_field(&view, roster->row[i], def->own_user);
        if (!isfinite(roster->value[i]))
            return scree_fail(
                error, SCREE_BAD_VALUE,
                "picture: field \"%.60s\" of body %llu is %g, must be finite", def->field,
                (unsigned long long)scree_uint64_at(view.serial, roster->row[i]), roster->value[i]);
    }
    return SCREE_OK;
}

/*  The range that rounding alone causes: bodies in free fall have the same speed except for the last digits. */
static bool has_no_width(const scree_roster *roster, double least, double largest)
{
    double magnitude = fmax(fabs(least), fabs(largest));

    return !(least < largest) || (!roster->is_count && largest - least < 1e-12 * magnitude);
}

/*  From the smallest to the largest value; an empty range is widened. */
static void find_range(scree_roster *roster, const scree_picture_def *def)
{
    double least = INFINITY, largest = -INFINITY;
    for (size_t i = 0; i < roster->count; i++) {
        double value = roster->value[i];
        /* a logarithmic range begins at the smallest value above 0; an energy may overflow */
        if ((def->logarithmic && !(value > 0)) || !(fabs(value) <= DBL_MAX))
            continue;
        least = value < least ? value : least;
        largest = value > largest ? value : largest;
    }
    if (!(least <= largest))
        least = largest = def->logarithmic ? 1 : 0;
    if (roster->is_signed && !def->logarithmic) {
        largest = fmax(fabs(least), fabs(largest));
        least = -largest;
    }
    if (has_no_width(roster, least, largest)) {
        double room = fmax(fabs(least) * 0.5, 0x1p-1000);
        room = least == 0 ? 1 : room;
        least -= room;
        largest += room;
    }
    roster->range[0] = least;
    roster->range[1] = largest;
}

scree_status scree_roster_read(scree_roster *roster, scree_world *world,
                               const scree_picture_def *def, scree_memory *memory,
                               scree_error *error)
{
    const field *f = def->own_field ? NULL : &fields[scree_field_index(def->field)];
    scree_status status = scree_memory_reserve(memory, &roster->value, &roster->value_capacity,
                                               roster->count, sizeof *roster->value);
    if (status)
        return status;
    roster->unit = f ? f->said.unit : def->own_unit ? def->own_unit : "";
    roster->is_signed = f && f->kind == SIGNED;
    roster->is_name = f && f->kind == NAME;
    roster->is_count = f && (f->kind == COUNT || f->kind == NAME);
    if (f && f->source == FROM_HEAT && !world->heat.is_on)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "picture: field \"temperature\": the world has no heat");
    if (!f)
        status = read_own(roster, world, def, error);
    else if (f->source == FROM_CONTACTS || f->source == FROM_BONDS)
        status = read_counts(roster, world, f->source, memory, error);
    else if (f->source == FROM_CHAINS)
        status = read_chains(roster, world, memory, error);
    else
        for (size_t i = 0; i < roster->count; i++)
            roster->value[i] = read_value(f, world, roster->row[i]);
    if (status)
        return status;
    find_range(roster, def);
    if (def->ranged) {
        roster->range[0] = def->range[0];
        roster->range[1] = def->range[1];
    }
    return SCREE_OK;
}
