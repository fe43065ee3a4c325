/*  units: the units of a scene's numbers. A field has its unit in SI, as "kg/m^3"; from it follow the powers of
    length, mass, time and angle, and the conversion factor. Powers of ten are kept separate and, if negative, are
    divided by: so 5 mm is exactly the same double as 0.005 m, and a scene in other units gives bit-identical
    results. */
#include "base/nearest_name.h"
#include "language.h"

#include <stdio.h>
#include <string.h>

enum
{
    LENGTH,
    MASS,
    TIME,
    ANGLE,
};

/* ---- parsing of units ------------------------------------------------------------------------------------ */

typedef struct symbol
{
    const char *name;
    int power[SCENE_BASE_UNITS];
} symbol;

/*  All units of fields and of colour scales. */
static const symbol symbols[] = {
    {"1", {0}},
    {"m", {1, 0, 0, 0}},
    {"kg", {0, 1, 0, 0}},
    {"s", {0, 0, 1, 0}},
    {"rad", {0, 0, 0, 1}},
    {"Hz", {0, 0, -1, 0}},
    {"N", {1, 1, -2, 0}},
    {"Pa", {-1, 1, -2, 0}},
    {"J", {2, 1, -2, 0}},
    {"W", {2, 1, -3, 0}},
    {"K", {0}},
};

static const symbol *find_symbol(const char *text, size_t length)
{
    for (size_t i = 0; i < SCREE_COUNT_OF(symbols); i++)
        if (strlen(symbols[i].name) == length && memcmp(symbols[i].name, text, length) == 0)
            return &symbols[i];
    return NULL;
}

/*  Symbols with integer powers, "kg/m^3", "N m": everything after the slash is in the denominator. */
static void find_powers(const char *unit, int power[SCENE_BASE_UNITS])
{
    int sign = 1;

    memset(power, 0, SCENE_BASE_UNITS * sizeof *power);
    while (*unit) {
        size_t length = strcspn(unit, "/ ^");
        const symbol *found = find_symbol(unit, length);
        int times = 1;
        unit += length;
        if (*unit == '^') {
            times = unit[1] - '0';
            unit += 2;
        }
        for (int k = 0; found && k < SCENE_BASE_UNITS; k++)
            power[k] += sign * times * found->power[k];
        sign = *unit == '/' ? -1 : sign;
        unit += *unit != 0;
    }
}

/* ---- numbers --------------------------------------------------------------------------------------------- */

static double by_ten(double x, int power)
{
    static const double tens[] = {1,    1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    int most = (int)SCREE_COUNT_OF(tens) - 1;

    for (; power > most; power -= most)
        x *= tens[most];
    for (; power < -most; power += most)
        x /= tens[most];
    return power < 0 ? x / tens[-power] : x * tens[power];
}

double scene_to_si(const scene_reader *reader, double x, const char *unit)
{
    const scene_units *units = &reader->host->units;
    int power[SCENE_BASE_UNITS], ten = 0;

    if (!units->are_declared || !unit || !unit[0])
        return x;
    find_powers(unit, power);
    for (int k = 0; k < SCENE_BASE_UNITS; k++) {
        ten += power[k] * units->base[k].ten;
        for (int n = power[k]; n > 0; n--)
            x *= units->base[k].factor;
        for (int n = power[k]; n < 0; n++)
            x /= units->base[k].factor;
    }
    return by_ten(x, ten);
}

double scene_from_si(const scene_reader *reader, double x, const char *unit)
{
    return x / scene_to_si(reader, 1, unit);
}

const char *scene_field_unit(const scene_reader *reader)
{
    const scene_field *field = reader->field;

    if (!field)
        return "";
    return field->flat_unit && reader->scene->plan.world.dimensions == 2 ? field->flat_unit
                                                                         : field->unit;
}

void scene_say_unit(const scene_reader *reader, const char *unit, char *text, size_t size)
{
    const scene_units *units = &reader->host->units;
    int power[SCENE_BASE_UNITS];
    size_t used = 0;

    if (!units->are_declared || !unit || !unit[0]) {
        snprintf(text, size, "%s", unit ? unit : "");
        return;
    }
    find_powers(unit, power);
    text[0] = 0;
    for (int k = 0; k < SCENE_BASE_UNITS && used < size; k++)
        if (power[k] == 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? " " : "",
                                     units->base[k].name);
        else if (power[k] != 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s^%d", used ? " " : "",
                                     units->base[k].name, power[k]);
}

/* ---- the function ---------------------------------------------------------------------------------------- */

typedef struct named_unit
{
    const char *name;
    double factor; /* times 10^ten of the SI unit */
    int ten;
} named_unit;

#define PI 3.14159265358979323846

static const named_unit named[SCENE_BASE_UNITS][10] = {
    [LENGTH] = {{"m", 1, 0},
                {"km", 1, 3},
                {"dm", 1, -1},
                {"cm", 1, -2},
                {"mm", 1, -3},
                {"um", 1, -6},
                {"nm", 1, -9},
                {"in", 254, -4},
                {"ft", 3048, -4}},
    [MASS] = {{"kg", 1, 0},
              {"t", 1, 3},
              {"g", 1, -3},
              {"mg", 1, -6},
              {"ug", 1, -9},
              {"ng", 1, -12},
              {"lb", 45359237, -8}},
    [TIME] =
        {{"s", 1, 0}, {"ms", 1, -3}, {"us", 1, -6}, {"ns", 1, -9}, {"min", 60, 0}, {"h", 3600, 0}},
    [ANGLE] = {{"rad", 1, 0}, {"deg", PI / 180, 0}, {"turn", 2 * PI, 0}},
};

static const char *next_unit(const void *list, size_t index)
{
    return ((const named_unit *)list)[index].name;
}

static scene_unit unit_of_name(const named_unit *row)
{
    scene_unit unit = {.factor = row->factor, .ten = row->ten};

    snprintf(unit.name, sizeof unit.name, "%s", row->name);
    return unit;
}

static void begin_units(scene_reader *reader, void *record)
{
    (void)record;
    for (int k = 0; k < SCENE_BASE_UNITS; k++)
        reader->host->units.base[k] = unit_of_name(&named[k][0]);
}

static scene_unit unit_of_number(scene_reader *reader, const char *si)
{
    double x = lua_tonumber(reader->L, reader->index);
    scene_unit unit = {.factor = x};

    if (!(x >= 1e-30 && x <= 1e30))
        scene_refuse(reader, "is %g, must be a number of %s from 1e-30 to 1e30", x, si);
    snprintf(unit.name, sizeof unit.name, "(%g %s)", x, si);
    for (int ten = -22; ten <= 22; ten++)
        if (by_ten(1, ten) == x) {
            unit.factor = 1;
            unit.ten = ten;
        }
    return unit;
}

static void read_unit(scene_reader *reader, int base)
{
    const named_unit *list = named[base];
    scene_unit *unit = &reader->host->units.base[base];
    char known[100];
    size_t used = 0;

    if (lua_type(reader->L, reader->index) == LUA_TNUMBER) {
        *unit = unit_of_number(reader, list[0].name);
        return;
    }
    for (size_t i = 0; list[i].name; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s\"%s\"", i ? ", " : "",
                                 list[i].name);
    if (lua_type(reader->L, reader->index) == LUA_TSTRING) {
        const char *word = lua_tostring(reader->L, reader->index);
        for (size_t i = 0; list[i].name; i++)
            if (strcmp(list[i].name, word) == 0) {
                *unit = unit_of_name(&list[i]);
                return;
            }
        const char *nearest = scree_nearest_name(word, next_unit, list);
        if (nearest)
            scene_refuse(reader, "is \"%.40s\"; did you mean \"%s\"?", word, nearest);
        scene_refuse(reader, "is \"%.40s\", must be one of %s, or a number of %s", word, known,
                     list[0].name);
    }
    char wanted[160];
    snprintf(wanted, sizeof wanted, "one of %s, or a number of %s", known, list[0].name);
    scene_refuse_value(reader, wanted);
}

static void read_length_unit(scene_reader *reader, void *target)
{
    (void)target;
    read_unit(reader, LENGTH);
}

static void read_mass_unit(scene_reader *reader, void *target)
{
    (void)target;
    read_unit(reader, MASS);
}

static void read_time_unit(scene_reader *reader, void *target)
{
    (void)target;
    read_unit(reader, TIME);
}

static void read_angle_unit(scene_reader *reader, void *target)
{
    (void)target;
    read_unit(reader, ANGLE);
}

static int end_units(scene_reader *reader, void *record)
{
    const scene_function *function;

    (void)record;
    /* except functions with numbers that have no units */
    for (size_t i = 0; (function = reader->host->function_at(i)) != NULL; i++)
        if (reader->host->lines[i] && function != reader->function &&
            strcmp(function->chapter, "Parameters") != 0 && strcmp(function->chapter, "Sizes") != 0)
            scene_refuse(reader, "must be said before `%s` in line %d", function->name,
                         reader->host->lines[i]);
    reader->host->units.are_declared = true;
    return 0;
}

static const scene_field units_fields[] = {
    {.name = "length",
     .type = SCENE_OWN,
     .read = read_length_unit,
     .standard = "\"m\"",
     .accepts = "a word, or a number of m",
     .help = "\"m\", \"km\", \"dm\", \"cm\", \"mm\", \"um\", \"nm\", \"in\", \"ft\", or how many "
             "metres it is"},
    {.name = "mass",
     .type = SCENE_OWN,
     .read = read_mass_unit,
     .standard = "\"kg\"",
     .accepts = "a word, or a number of kg",
     .help = "\"kg\", \"t\", \"g\", \"mg\", \"ug\", \"ng\", \"lb\", or how many kilograms it is"},
    {.name = "time",
     .type = SCENE_OWN,
     .read = read_time_unit,
     .standard = "\"s\"",
     .accepts = "a word, or a number of s",
     .help = "\"s\", \"ms\", \"us\", \"ns\", \"min\", \"h\", or how many seconds it is"},
    {.name = "angle",
     .type = SCENE_OWN,
     .read = read_angle_unit,
     .standard = "\"rad\"",
     .accepts = "a word, or a number of rad",
     .help = "\"rad\", \"deg\", \"turn\", or how many radians it is"},
};

const scene_function scene_unit_functions[] = {
    {.name = "units",
     .chapter = "Units",
     .once = true,
     .summary =
         "The units of all numbers of a scene that have a unit in this reference; the default is "
         "SI. Derived units follow: with mm, g and ms a stress is in g/(mm ms^2), which is 1e6 Pa. "
         "Defaults are not affected, numbers in files are in the units of the files (see `scale`), "
         "and a run writes SI. Must come before all functions with units.",
     .example = "units { length = \"mm\", mass = \"g\", time = \"ms\" }",
     .fields = units_fields,
     .field_count = SCREE_COUNT_OF(units_fields),
     .record_bytes = 1,
     .begin = begin_units,
     .end = end_units},
};
const size_t scene_unit_function_count = SCREE_COUNT_OF(scene_unit_functions);
