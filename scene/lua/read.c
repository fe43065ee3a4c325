/*  Reads a table of the script into a record. Every key must be a field of the function, and every value must match
    the field's type and bounds. Errors name the line, the field, the value and what is expected. */
#include "base/error.h"
#include "base/nearest_name.h"
#include "cells.h"
#include "language.h"

#include <stdio.h>
#include <string.h>

void scene_warn_of_old_name(scene_reader *reader, const void *key, const char *old_name,
                            const char *name)
{
    lua_State *L = reader->L;

    if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TNIL) {
        scree_log_write(&reader->scene->log, SCREE_LOG_WARNING, SCREE_LOG_OLD_NAME,
                        "%s:%d: %s: %s is called %s now; version 2.0 will not know the old name",
                        reader->scene->name, reader->line, reader->function->name, old_name, name);
        lua_pushboolean(L, true);
        lua_rawsetp(L, LUA_REGISTRYINDEX, key);
    }
    lua_pop(L, 1);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

void *scene_keep(scene_reader *reader, size_t count, size_t bytes)
{
    void *kept = scene_take(reader->scene, count, bytes);
    if (!kept)
        scene_lacks_memory(reader->L);
    return kept;
}

void *scene_row(scene_reader *reader, scene_list_of list)
{
    void *row = scene_add_row(reader->scene, list);
    if (!row)
        scene_lacks_memory(reader->L);
    return row;
}

const char *scene_keep_text(scene_reader *reader, int index)
{
    size_t length;
    const char *text = lua_tolstring(reader->L, index, &length);
    char *copy = scene_copy_text(reader->scene, text, length);

    if (!copy)
        scene_lacks_memory(reader->L);
    if (strlen(copy) != length)
        scene_refuse(reader, "contains a byte of 0");
    return copy;
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

/*  "a number above 0, in m" */
static void say_bounds(const scene_reader *reader, const char *noun, char *text, size_t size)
{
    const scene_field *field = reader->field;
    const char *si = scene_field_unit(reader);
    double lower = scene_from_si(reader, field->lower, si);
    double upper = scene_from_si(reader, field->upper, si);
    int used = snprintf(text, size, "%s", noun);
    char *end = text + used, unit[120];
    size_t room = size - (size_t)used;

    if (isfinite(lower) && isfinite(upper))
        used = field->below || field->above
                   ? snprintf(end, room, " %s %g and %s %g", field->above ? "above" : "from", lower,
                              field->below ? "below" : "at most", upper)
                   : snprintf(end, room, " from %g to %g", lower, upper);
    else if (isfinite(lower))
        used = field->above ? snprintf(end, room, " above %g", lower)
                            : snprintf(end, room, " of %g or more", lower);
    else
        used = 0;
    scene_say_unit(reader, si, unit, sizeof unit);
    if (unit[0])
        snprintf(end + used, room - (size_t)used, ", in %s", unit);
}

static bool is_in_bounds(const scene_field *field, double x)
{
    if (!(field->above ? x > field->lower : x >= field->lower))
        return false;
    return field->below ? x < field->upper : x <= field->upper;
}

double scene_read_number(scene_reader *reader, int index)
{
    const scene_field *field = reader->field;
    double x = lua_tonumber(reader->L, index);
    const char *unit = field->or_share && x < 0 ? "" : scene_field_unit(reader);
    double value = scene_to_si(reader, x, unit);

    /* strings that look like numbers are strings */
    if (lua_type(reader->L, index) != LUA_TNUMBER ||
        !(isfinite(value) || (field->endless && x > 0)) || !is_in_bounds(field, value)) {
        char wanted[160];
        say_bounds(reader, "a number", wanted, sizeof wanted);
        scene_refuse_at(reader, index, wanted);
    }
    return value;
}

static uint64_t read_whole(scene_reader *reader, int index)
{
    const scene_field *field = reader->field;
    double x = lua_tonumber(reader->L, index);

    if (lua_type(reader->L, index) != LUA_TNUMBER || !(x == floor(x)) || !is_in_bounds(field, x) ||
        !(x >= 0 && x <= 9007199254740992.0)) {
        char wanted[160];
        say_bounds(reader, "a whole number", wanted, sizeof wanted);
        scene_refuse_at(reader, index, wanted);
    }
    return (uint64_t)x;
}

double scene_item_number(scene_reader *reader, int index, lua_Integer key)
{
    index = lua_absindex(reader->L, index);
    lua_geti(reader->L, index, key);
    double x = lua_tonumber(reader->L, -1);
    if (lua_type(reader->L, -1) != LUA_TNUMBER || !isfinite(x)) {
        char value[100];
        scene_say_value(reader, -1, value, sizeof value);
        scene_refuse(reader, "item %d is %s, must be a number", (int)key, value);
    }
    lua_pop(reader->L, 1);
    return x;
}

double scene_item_in_si(scene_reader *reader, int index, lua_Integer key, const char *unit)
{
    double x = scene_item_number(reader, index, key), value = scene_to_si(reader, x, unit);

    if (!isfinite(value))
        scene_refuse(reader, "item %d is %g, too large in these units", (int)key, x);
    return value;
}

lua_Integer scene_length(scene_reader *reader, int index, lua_Integer least, lua_Integer most)
{
    lua_Integer count;

    if (lua_type(reader->L, index) != LUA_TTABLE)
        scene_refuse_at(reader, index, reader->field->accepts ? reader->field->accepts : "a list");
    count = (lua_Integer)lua_rawlen(reader->L, index);
    if (count < least || count > most)
        scene_refuse(reader, "has %lld items, must be %s", (long long)count,
                     reader->field->accepts ? reader->field->accepts : "a list");
    return count;
}

void scene_read_vector(scene_reader *reader, int index, double vector[3])
{
    lua_State *L = reader->L;
    lua_Integer count = lua_type(L, index) == LUA_TTABLE ? (lua_Integer)lua_rawlen(L, index) : -1;

    if (count < 0)
        scene_refuse_at(reader, index, "three numbers, as {0, 0, 1}");
    if (count != 3 && count != 2)
        scene_refuse(reader, "has %lld items, must be three numbers, as {0, 0, 1}",
                     (long long)count);
    index = lua_absindex(L, index);
    vector[2] = 0;
    for (int k = 0; k < (int)count; k++)
        vector[k] = scene_item_in_si(reader, index, k + 1, scene_field_unit(reader));
}

static void read_quaternion(scene_reader *reader, double turn[4])
{
    double square = 0;

    if (lua_type(reader->L, reader->index) != LUA_TTABLE ||
        lua_rawlen(reader->L, reader->index) != 4)
        scene_refuse_value(reader, "four numbers, w x y z, as {1, 0, 0, 0}");
    for (int k = 0; k < 4; k++) {
        turn[k] = scene_item_number(reader, reader->index, k + 1);
        square += turn[k] * turn[k];
    }
    if (!(square > 1e-200 && square < 1e200))
        scene_refuse(reader, "is not a direction: its length is %g", sqrt(square));
}

/* ---- words --------------------------------------------------------------------------------------------- */

static const char *next_word(const void *list, size_t index)
{
    return ((const scene_word *)list)[index].name;
}

/*  The word at `index`, replaced by its present name; NULL if it is not a string. */
static const char *word_at(scene_reader *reader, int index)
{
    const scene_old_word *old = reader->field->old_words;
    const char *word =
        lua_type(reader->L, index) == LUA_TSTRING ? lua_tostring(reader->L, index) : NULL;

    for (; word && old && old->old_name; old++)
        if (strcmp(word, old->old_name) == 0) {
            scene_warn_of_old_name(reader, old, old->old_name, old->name);
            return old->name;
        }
    return word;
}

static const scene_word *read_word(scene_reader *reader, int index)
{
    const scene_word *words = reader->field->words;
    const char *word = word_at(reader, index);
    char value[100], known[200];
    size_t used = 0;

    for (size_t i = 0; word && words[i].name; i++)
        if (strcmp(word, words[i].name) == 0)
            return &words[i];
    scene_say_value(reader, index, value, sizeof value);
    const char *nearest = word ? scree_nearest_name(word, next_word, words) : NULL;
    if (nearest)
        scene_refuse(reader, "is %s; did you mean \"%s\"?", value, nearest);
    known[0] = 0;
    for (size_t i = 0; words[i].name && used < sizeof known - 1; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s\"%s\"", i ? ", " : "",
                                 words[i].name);
    scene_refuse(reader, "is %s, must be one of %s", value, known);
}

static uint32_t read_flags(scene_reader *reader)
{
    uint32_t flags = 0;

    if (lua_type(reader->L, reader->index) != LUA_TTABLE)
        return read_word(reader, reader->index)->value;
    lua_Integer count = scene_length(reader, reader->index, 0, 64);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_geti(reader->L, reader->index, i);
        flags |= read_word(reader, lua_gettop(reader->L))->value;
        lua_pop(reader->L, 1);
    }
    return flags;
}

static uint64_t read_groups(scene_reader *reader)
{
    uint64_t groups = 0;
    lua_Integer count;

    if (lua_type(reader->L, reader->index) != LUA_TTABLE)
        scene_refuse_value(reader, "a list of numbers from 1 to 64, as {1, 3}");
    count = scene_length(reader, reader->index, 0, 64);
    for (lua_Integer i = 1; i <= count; i++) {
        double x = scene_item_number(reader, reader->index, i);
        if (!(x >= 1 && x <= 64 && x == floor(x)))
            scene_refuse(reader, "item %d is %g, must be a whole number from 1 to 64", (int)i, x);
        groups |= (uint64_t)1 << ((int)x - 1);
    }
    return groups;
}

/* ---- things -------------------------------------------------------------------------------------------- */

static const scene_value *read_value(scene_reader *reader, scene_kind kind, const char *wanted)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);

    if (!value || value->kind != kind)
        scene_refuse_value(reader, wanted);
    return value;
}

void scene_keep_surface(scene_reader *reader, scree_scene_geometry *g)
{
    scree_error why = {SCREE_OK, ""};
    scree_mesh **kept = scene_row(reader, SCENE_MESHES);

    *kept = NULL;
    scree_status status = scene_make_surface(reader->scene, g, kept, &why);
    if (status == SCREE_OUT_OF_MEMORY)
        scene_lacks_memory(reader->L);
    if (status)
        scene_refuse(reader, "%s", why.text);
    g->mesh = *kept;
}

/*  A region of triangles must be a closed surface. */
static void close_region(scene_reader *reader, scree_scene_geometry *g)
{
    scene_keep_surface(reader, g);
    scree_mesh_info info = scree_mesh_describe(g->mesh);
    if (info.open_edges || info.nonmanifold_edges || info.flipped_edges)
        scene_refuse(reader,
                     "as a region the surface must be closed, all facets with the same side out: "
                     "%u edges have one facet, %u more than two, at %u both facets disagree",
                     info.open_edges, info.nonmanifold_edges, info.flipped_edges);
}

void scene_read_part(scene_reader *reader, scree_scene_geometry *geometry)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    bool is_ball = value && value->kind == SCENE_A_BALL;

    if (!value || (value->kind != SCENE_A_REGION && !is_ball))
        scene_refuse_value(reader, "a region, as box { lower = ..., upper = ... }");
    if (is_ball && value->sizes.stones)
        scene_refuse(reader, "is a shape of bodies, not a region");
    if (is_ball && !value->has_centre)
        scene_refuse(reader, "a sphere as a region needs a centre");
    *geometry = value->geometry;
    if (geometry->form == SCREE_FORM_FACETS || geometry->form == SCREE_FORM_FILE)
        close_region(reader, geometry);
}

/*  A composed region must be bounded along each axis, and have a volume. */
static void close_composed(scene_reader *reader, scree_scene_geometry *g)
{
    int dimensions = reader->scene->plan.world.dimensions;

    for (int k = 0; k < dimensions; k++)
        if (!(isfinite(g->lower[k]) && isfinite(g->upper[k])))
            scene_refuse(reader, "has no end along %c: intersect it with a box", "xyz"[k]);
    scene_division plan = scene_plan_division(g);
    scene_charge(reader->L, 2 * (plan.points + 2 * (uint64_t)plan.max_cells) * plan.work);
    const char *name = reader->function->name;
    bool is_source = strcmp(name, "fill") == 0 || strcmp(name, "pour") == 0;
    if (scene_make_cells(reader->scene, g, &plan, is_source))
        scene_lacks_memory(reader->L);
    if (!(g->volume > 0))
        scene_refuse(reader, "has no volume: none of %u points of the box around it is inside",
                     plan.points);
}

void scene_read_region(scene_reader *reader, scree_scene_geometry *geometry)
{
    scene_read_part(reader, geometry);
    if (scene_is_composed(geometry))
        close_composed(reader, geometry);
}

/*  Distributions are numbers without unit until they become sizes here. */
static void sizes_to_si(scene_reader *reader, scree_scene_sizes *sizes)
{
    const char *unit = scene_field_unit(reader);
    double *const members[] = {&sizes->lower, &sizes->upper, &sizes->mean, &sizes->deviation};

    if (!reader->host->units.are_declared)
        return;
    for (size_t k = 0; k < SCREE_COUNT_OF(members); k++)
        *members[k] = scene_to_si(reader, *members[k], unit);
    if (!(isfinite(sizes->upper) && sizes->lower > 0))
        scene_refuse(reader, "its sizes are too large or too small in these units");
    if (sizes->table_count == 0)
        return;
    double(*table)[2] = scene_keep(reader, sizes->table_count, sizeof *table);
    for (uint32_t i = 0; i < sizes->table_count; i++) {
        table[i][0] = scene_to_si(reader, sizes->table[i][0], unit);
        table[i][1] = sizes->table[i][1];
    }
    sizes->table = (const double(*)[2])table;
}

static void read_sizes(scene_reader *reader, scree_scene_sizes *sizes)
{
    const scene_value *value = scene_value_at(reader->L, reader->index);
    bool by_mass = sizes->by_mass;

    if (value && value->kind == SCENE_A_DISTRIBUTION) {
        *sizes = value->sizes;
        sizes->by_mass = by_mass;
        sizes_to_si(reader, sizes);
        return;
    }
    if (lua_type(reader->L, reader->index) != LUA_TNUMBER)
        scene_refuse_value(reader, "a number or a distribution, as loguniform(0.001, 0.002)");
    sizes->spread = SCREE_SPREAD_FIXED;
    sizes->lower = sizes->upper = scene_read_number(reader, reader->index);
}

static void read_ball(scene_reader *reader, scree_scene_sizes *sizes)
{
    const scene_value *value =
        read_value(reader, SCENE_A_BALL, "a shape, as sphere { radius = 0.001 }");

    if (value->has_centre)
        scene_refuse(reader,
                     "a sphere with a centre is a region; the shape of a body has only a radius");
    *sizes = value->sizes;
}

static void read_field(scene_reader *reader, void *record)
{
    const scene_field *field = reader->field;
    void *target = (char *)record + field->offset;
    int type = lua_type(reader->L, reader->index);

    switch (field->type) {
    case SCENE_NUMBER:
        *(double *)target = scene_read_number(reader, reader->index);
        break;
    case SCENE_WHOLE:
        *(uint64_t *)target = read_whole(reader, reader->index);
        break;
    case SCENE_WHOLE32:
        *(uint32_t *)target = (uint32_t)read_whole(reader, reader->index);
        break;
    case SCENE_SWITCH:
        if (type != LUA_TBOOLEAN)
            scene_refuse_value(reader, "true or false");
        *(bool *)target = lua_toboolean(reader->L, reader->index);
        break;
    case SCENE_TEXT:
        if (type != LUA_TSTRING)
            scene_refuse_value(reader, "a text");
        *(const char **)target = scene_keep_text(reader, reader->index);
        break;
    case SCENE_WORD:
        *(int *)target = (int)read_word(reader, reader->index)->value;
        break;
    case SCENE_NAME:
        *(const char **)target = read_word(reader, reader->index)->name;
        break;
    case SCENE_FLAGS:
        *(uint32_t *)target = read_flags(reader);
        break;
    case SCENE_GROUPS:
        *(uint64_t *)target = read_groups(reader);
        break;
    case SCENE_VECTOR:
        scene_read_vector(reader, reader->index, target);
        break;
    case SCENE_QUATERNION:
        read_quaternion(reader, target);
        break;
    case SCENE_MATERIAL:
        *(uint32_t *)target =
            read_value(reader, SCENE_A_MATERIAL, "a value returned by material { ... }")->index;
        break;
    case SCENE_WALL:
        *(uint32_t *)target =
            read_value(reader, SCENE_A_WALL, "a value returned by wall { ... }")->index;
        break;
    case SCENE_REGION:
        scene_read_region(reader, target);
        break;
    case SCENE_BALL:
        read_ball(reader, target);
        break;
    case SCENE_SIZES:
        read_sizes(reader, target);
        break;
    case SCENE_OWN:
        field->read(reader, target);
        break;
    }
}

/* ---- a call ---------------------------------------------------------------------------------------------- */

static bool is_told_of(const scene_field *field)
{
    return field->name && !field->is_removed;
}

static const char *next_field(const void *list, size_t index)
{
    const scene_function *function = list;

    if (index >= function->field_count)
        return NULL;
    /* the unnamed field is the same as the named one */
    return is_told_of(&function->fields[index]) ? function->fields[index].name : "";
}

static int find_field(const scene_function *function, const char *name)
{
    for (size_t i = 0; i < function->field_count; i++)
        if (name == function->fields[i].name ||
            (name && function->fields[i].name && strcmp(name, function->fields[i].name) == 0))
            return (int)i;
    return -1;
}

/*  The field with the old name `name`. */
static int find_renamed(const scene_function *function, const char *name)
{
    for (size_t i = 0; i < function->field_count; i++)
        if (function->fields[i].old_name && strcmp(name, function->fields[i].old_name) == 0)
            return (int)i;
    return -1;
}

bool scene_is_given(const scene_reader *reader, const char *field)
{
    int at = find_field(reader->function, field);

    return at >= 0 && (reader->given >> at & 1);
}

_Noreturn static void refuse_key(scene_reader *reader, const char *key)
{
    const scene_function *function = reader->function;
    const char *nearest = scree_nearest_name(key, next_field, function);
    char known[200];
    size_t used = 0;

    reader->field = NULL;
    if (nearest && nearest[0])
        scene_refuse(reader, "there is no field `%.40s`; did you mean `%s`?", key, nearest);
    known[0] = 0;
    for (size_t i = 0; i < function->field_count && used < sizeof known - 1; i++)
        if (is_told_of(&function->fields[i]))
            used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", used ? ", " : "",
                                     function->fields[i].name);
    scene_refuse(reader, "there is no field `%.40s`; it has %s", key, known[0] ? known : "none");
}

/*  Records that a field was given; false if there is none with this name. */
static bool note_key(scene_reader *reader, const char *key)
{
    int field = key[0] ? find_field(reader->function, key) : -1;
    int renamed = field < 0 && key[0] ? find_renamed(reader->function, key) : -1;

    if (field >= 0)
        reader->given |= (uint64_t)1 << field;
    if (renamed >= 0)
        reader->renamed |= (uint64_t)1 << renamed;
    return field >= 0 || renamed >= 0;
}

/*  Warns about each old name, and treats it as the new one. */
static void take_old_names(scene_reader *reader)
{
    const scene_function *function = reader->function;

    for (size_t i = 0; i < function->field_count; i++) {
        const scene_field *field = &function->fields[i];
        if (!(reader->renamed >> i & 1))
            continue;
        if (reader->given >> i & 1)
            scene_refuse(reader, "`%s` is the old name of `%s`; leave one of them out",
                         field->old_name, field->name);
        scene_warn_of_old_name(reader, field, field->old_name, field->name);
        reader->given |= (uint64_t)1 << i;
    }
}

/*  Checks that every key is a field's name, or an item where items are allowed. If several are wrong, the first in
    alphabetical order is reported, so that the message is always the same. */
static void check_keys(scene_reader *reader, int table)
{
    lua_State *L = reader->L;
    const char *worst = NULL;

    for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING) {
            const char *key = lua_tostring(L, -2);
            if (!note_key(reader, key) && (!worst || strcmp(key, worst) < 0))
                worst = key;
        } else if (find_field(reader->function, NULL) < 0 || lua_type(L, -2) != LUA_TNUMBER) {
            scene_refuse(reader,
                         "has an item without a name; fields are written as `name = value`");
        } else {
            reader->given |= (uint64_t)1 << find_field(reader->function, NULL);
        }
    }
    if (worst)
        refuse_key(reader, worst);
    take_old_names(reader);
}

static void read_table(scene_reader *reader, int table, void *record)
{
    lua_State *L = reader->L;
    const scene_function *function = reader->function;

    check_keys(reader, table);
    for (size_t i = 0; i < function->field_count; i++) {
        const scene_field *field = &function->fields[i];
        if (!(reader->given >> i & 1)) {
            if (field->required && field->name)
                scene_refuse(reader, "`%s` is missing: %s", field->name, field->help);
            if (field->required)
                scene_refuse(reader, "it is empty: %s", field->help);
            continue;
        }
        reader->field = field;
        if (field->name)
            lua_getfield(L, table, reader->renamed >> i & 1 ? field->old_name : field->name);
        else
            lua_pushvalue(L, table);
        reader->index = lua_gettop(L);
        read_field(reader, record);
        lua_pop(L, 1);
        reader->field = NULL;
    }
}

/*  f(1, 2) is converted to a table with the first fields. */
static void name_arguments(scene_reader *reader)
{
    lua_State *L = reader->L;
    const scene_function *function = reader->function;
    int count = lua_gettop(L);

    if ((size_t)count > function->field_count)
        scene_refuse(reader, "was given %d arguments, takes at most %zu", count,
                     function->field_count);
    lua_newtable(L);
    lua_insert(L, 1);
    for (int i = count; i > 0; i--)
        lua_setfield(L, 1, function->fields[i - 1].name);
}

int scene_line_of_call(lua_State *L)
{
    lua_Debug caller;
    int line = 0;

    /* a tail call has no line of its own: use that of the enclosing function */
    for (int level = 1; line <= 0 && lua_getstack(L, level, &caller); level++) {
        lua_getinfo(L, "l", &caller);
        line = caller.currentline;
    }
    return line;
}

/*  Upvalues: the function, its index, and whether it is called by its old name. */
static int call_function(lua_State *L)
{
    const scene_function *function = lua_touserdata(L, lua_upvalueindex(1));
    scene_host *host = scene_host_of(L);
    scene_reader reader = {.L = L, .host = host, .scene = host->scene, .function = function};
    union
    {
        max_align_t align;
        unsigned char bytes[SCENE_MAX_RECORD];
    } record;

    reader.line = scene_line_of_call(L);
    luaL_checkstack(L, 20, function->name);
    if (lua_toboolean(L, lua_upvalueindex(3)))
        scene_warn_of_old_name(&reader, function, function->old_name, function->name);
    memset(&record, 0, function->record_bytes);
    if (function->in_order && lua_gettop(L) > 0 && lua_type(L, 1) != LUA_TTABLE)
        name_arguments(&reader);
    if (lua_gettop(L) != 1 || lua_type(L, 1) != LUA_TTABLE)
        scene_refuse(&reader, "takes one table, as %s", function->example);
    int *line = &host->lines[lua_tointeger(L, lua_upvalueindex(2))];
    if (function->once && *line)
        scene_refuse(&reader, "was called in line %d already, and may be called once", *line);
    *line = reader.line;
    if (function->begin)
        function->begin(&reader, &record);
    read_table(&reader, 1, &record);
    lua_settop(L, 1);
    return function->end(&reader, &record);
}

static void add_function(lua_State *L, int table, size_t index, const scene_function *function,
                         bool is_old)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)function);
    lua_pushinteger(L, (lua_Integer)index);
    lua_pushboolean(L, is_old);
    lua_pushcclosure(L, call_function, 3);
    lua_setfield(L, table, is_old ? function->old_name : function->name);
}

void scene_add_functions(lua_State *L, int table)
{
    const scene_function *function;

    scene_open_values(L);
    for (size_t i = 0; (function = scene_host_of(L)->function_at(i)) != NULL; i++) {
        add_function(L, table, i, function, false);
        if (function->old_name)
            add_function(L, table, i, function, true);
    }
}
