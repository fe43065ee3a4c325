/*  The host's own functions within a step: laws, forces, and motions of walls. Those of Python are called with arrays and
    the GIL, which is slow; those of C by their address, at full speed. What Python raises ends the step. */
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static caller *caller_new(World *world, PyObject *keep)
{
    caller *c = calloc(1, sizeof *c);

    if (!c) {
        PyErr_NoMemory();
        return NULL;
    }
    if (keep && world_keep(world, keep)) {
        free(c);
        return NULL;
    }
    c->world = world;
    c->next = world->callers;
    world->callers = c;
    return c;
}

/*  An address as a whole number above 0; 0: it is none, and -1 with an exception. */
static int address_of(PyObject *value, void **address)
{
    *address = NULL;
    if (!PyLong_Check(value))
        return 0;
    *address = PyLong_AsVoidPtr(value);
    if (!*address && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "an address must not be 0");
    return *address ? 1 : -1;
}

/*  Keeps the first of what was raised for the call that took the step. */
static void note_error(World *world)
{
    PyObject *type, *value, *trace;

    PyErr_Fetch(&type, &value, &trace);
    if (!world->error) {
        PyErr_NormalizeException(&type, &value, &trace);
        if (trace)
            PyException_SetTraceback(value, trace);
        world->error = Py_XNewRef(value);
    }
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

/*  Around a call of Python: the GIL is ours, and the world is busy also where the engine asks outside a step, so that no
    function can close it or change it under the engine. */
typedef struct host_call
{
    PyGILState_STATE state;
    bool was_busy;
} host_call;

static host_call call_begin(const caller *c)
{
    host_call call = {.state = PyGILState_Ensure()};

    call.was_busy = c->world->is_busy;
    c->world->is_busy = true;
    return call;
}

static void call_end(const caller *c, host_call call)
{
    c->world->is_busy = call.was_busy;
    PyGILState_Release(call.state);
}

static PyObject *helper(const char *name)
{
    PyObject *module = PyImport_ImportModule("scree._callbacks");
    PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;

    Py_XDECREF(module);
    return found;
}

/* ---- laws ------------------------------------------------------------------------------------------------ */

#define LAW_INPUTS 16
#define LAW_OUTPUTS 12

static void put_row(double *rows, int at, uint32_t count, const double *from)
{
    memcpy(rows + (size_t)at * count, from, count * sizeof *from);
}

static void take_row(const double *rows, int at, uint32_t count, double *to)
{
    if (to)
        memcpy(to, rows + (size_t)at * count, count * sizeof *to);
}

static void put_batch(const scree_batch *b, double *rows)
{
    uint32_t n = b->count;

    put_row(rows, 0, n, b->overlap);
    put_row(rows, 4, n, b->approach);
    put_row(rows, 11, n, b->twist);
    put_row(rows, 12, n, b->radius);
    put_row(rows, 13, n, b->mass);
    for (int a = 0; a < 3; a++) {
        put_row(rows, 1 + a, n, b->normal[a]);
        put_row(rows, 5 + a, n, b->slide[a]);
        put_row(rows, 8 + a, n, b->roll[a]);
    }
    put_row(rows, 14, n, b->arm[0]);
    put_row(rows, 15, n, b->arm[1]);
}

static void take_batch(const scree_batch *b, const double *rows)
{
    uint32_t n = b->count;

    for (int a = 0; a < 3; a++) {
        take_row(rows, a, n, b->force[a]);
        take_row(rows, 3 + a, n, b->moment[a]);
    }
    take_row(rows, 6, n, b->energy);
    for (int k = 0; k < SCREE_LOSSES; k++)
        take_row(rows, 7 + k, n, b->loss[k]);
    take_row(rows, 10, n, b->stiffness);
    take_row(rows, 11, n, b->shear_stiffness);
}

/*  Forces that are no numbers: the step is refused. */
static void spoil(const scree_batch *b, uint32_t memory_count)
{
    for (uint32_t k = 0; k < b->count; k++) {
        for (int a = 0; a < 3; a++) {
            b->force[a][k] = NAN;
            if (b->moment[a])
                b->moment[a][k] = 0;
        }
        for (uint32_t m = 0; m < memory_count; m++)
            b->next[m][k] = 0;
        if (b->stiffness)
            b->stiffness[k] = b->shear_stiffness[k] = NAN;
    }
}

/*  The arrays of a batch: inputs, contact history, outputs, and the next contact history. */
typedef struct batch_arrays
{
    PyObject *inputs, *memory, *outputs, *next;
    Py_buffer in, old, out, new;
} batch_arrays;

static int make_arrays(batch_arrays *a, const scree_batch *b, uint32_t memory_count)
{
    Py_ssize_t inputs[2] = {LAW_INPUTS, b->count}, outputs[2] = {LAW_OUTPUTS, b->count};
    Py_ssize_t kept[2] = {memory_count, b->count};

    *a = (batch_arrays){0};
    if (!(a->inputs = array_new("f8", 2, inputs, &a->in)) ||
        !(a->outputs = array_new("f8", 2, outputs, &a->out)) ||
        !(a->memory = array_new("f8", 2, kept, &a->old)) ||
        !(a->next = array_new("f8", 2, kept, &a->new)))
        return -1;
    memset(a->out.buf, 0, (size_t)a->out.len);
    put_batch(b, a->in.buf);
    for (uint32_t m = 0; m < memory_count; m++)
        put_row(a->old.buf, (int)m, b->count, b->memory[m]);
    if (memory_count)
        memcpy(a->new.buf, a->old.buf, (size_t)a->old.len);
    return 0;
}

static void free_arrays(batch_arrays *a)
{
    array_done(&a->in);
    array_done(&a->old);
    array_done(&a->out);
    array_done(&a->new);
    Py_XDECREF(a->inputs);
    Py_XDECREF(a->outputs);
    Py_XDECREF(a->memory);
    Py_XDECREF(a->next);
}

static int call_law(const caller *c, const scree_batch *b, const double *constants)
{
    batch_arrays a;
    PyObject *call = NULL, *values = NULL, *none = NULL;

    if (!make_arrays(&a, b, c->memory_count)) {
        call = helper("call_law");
        values = call ? array_copy("f8", constants, SCREE_MAX_CONSTANTS, 0, 8) : NULL;
        if (values)
            none = PyObject_CallFunction(call, "OddOOOOO", c->function, b->dt, b->ahead, a.inputs,
                                         a.memory, a.outputs, a.next, values);
    }
    if (none) {
        take_batch(b, a.out.buf);
        for (uint32_t m = 0; m < c->memory_count; m++)
            take_row(a.new.buf, (int)m, b->count, b->next[m]);
    }
    free_arrays(&a);
    Py_XDECREF(values);
    Py_XDECREF(call);
    Py_XDECREF(none);
    return none ? 0 : -1;
}

static void law_force(const scree_batch *batch, const double *constants, void *user)
{
    caller *c = user;

    if (c->law) {
        c->law(batch, constants, c->user);
        return;
    }
    host_call call = call_begin(c);
    if (c->world->error || call_law(c, batch, constants)) {
        if (PyErr_Occurred())
            note_error(c->world);
        spoil(batch, c->memory_count);
    }
    call_end(c, call);
}

/*  Without a function of the host, constants are the parameters of the rule, in their order. */
static scree_status plain_constants(const caller *c, const scree_law_input *input,
                                    double *constants)
{
    for (uint32_t k = 0; k < c->parameter_count && k < SCREE_MAX_CONSTANTS; k++) {
        constants[k] = input->parameters[k];
        if (isnan(constants[k]) && input->error)
            PyOS_snprintf(input->error->text, sizeof input->error->text,
                          "%s must be given: the law has no prepare", c->parameter_names[k]);
        if (isnan(constants[k]))
            return SCREE_BAD_VALUE;
    }
    return SCREE_OK;
}

static scree_status called_constants(caller *c, const scree_law_input *input, double *constants)
{
    PyObject *call = helper("call_prepare"), *result = NULL;
    double numbers[16];
    scree_status status = SCREE_BAD_VALUE;

    if (call)
        result = PyObject_CallFunction(
            call, "ONNNi", c->prepare, field_dict(material_fields, input->first),
            field_dict(material_fields, input->second),
            array_copy("f8", input->parameters, c->parameter_count, 0, 8), input->dimensions);
    Py_ssize_t count = result ? PySequence_Size(result) : -1;
    if (count > (Py_ssize_t)COUNT_OF(numbers))
        PyErr_SetString(PyExc_ValueError, "prepare returned more than 16 constants");
    else if (count >= 0 && !read_reals(result, numbers, (size_t)count, "what prepare returned")) {
        memcpy(constants, numbers, (size_t)count * sizeof *numbers);
        status = SCREE_OK;
    }
    if (status) {
        note_error(c->world);
        if (input->error)
            PyOS_snprintf(input->error->text, sizeof input->error->text,
                          "prepare raised an exception");
    }
    Py_XDECREF(result);
    Py_XDECREF(call);
    return status;
}

static scree_status law_constants(const scree_law_input *input,
                                  double constants[SCREE_MAX_CONSTANTS], void *user)
{
    caller *c = user;

    if (c->constants)
        return c->constants(input, constants, c->user);
    if (!c->prepare)
        return plain_constants(c, input, constants);
    host_call call = call_begin(c);
    scree_status status = called_constants(c, input, constants);
    call_end(c, call);
    return status;
}

/*  Names as C wants them; the texts are those of `tuple`, which the world keeps. */
static const char **names_of(PyObject *tuple, uint32_t *count)
{
    Py_ssize_t length = PyTuple_Size(tuple);
    const char **names = length < 0 ? NULL : calloc((size_t)length + 1, sizeof *names);

    if (length >= 0 && !names)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; names && i < length; i++)
        if (!(names[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(tuple, i), NULL))) {
            free(names);
            return NULL;
        }
    *count = names ? (uint32_t)length : 0;
    return names;
}

static int fill_caller(caller *c, PyObject *force, PyObject *prepare, unsigned long long user)
{
    void *address;
    int is_address = address_of(force, &address);

    if (is_address < 0)
        return -1;
    if (is_address)
        memcpy(&c->law, &address, sizeof address);
    else
        c->function = force;
    is_address = prepare == Py_None ? 0 : address_of(prepare, &address);
    if (is_address < 0)
        return -1;
    if (is_address)
        memcpy(&c->constants, &address, sizeof address);
    else if (prepare != Py_None)
        c->prepare = prepare;
    c->user = (void *)(uintptr_t)user;
    return 0;
}

/*  _add_own_rule(type, first, second, groups, parameters, name, names, memory_count, has_moment, reach, lasts, force,
    prepare, user) */
static PyObject *add_own_rule(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    scree_rule_def def = scree_default_rule_def();
    scree_law law = {.summary = "of the host", .prepare = law_constants, .force = law_force};
    PyObject *type, *values, *names, *force, *prepare;
    const char *given[64];
    double numbers[64];
    unsigned long long groups, user;
    int kind, has_moment, lasts;
    caller *c;

    if (!PyArg_ParseTuple(args, "OIIKO!sO!IpdpOOK", &type, &def.material[0].index1,
                          &def.material[1].index1, &groups, &PyDict_Type, &values, &law.name,
                          &PyTuple_Type, &names, &law.memory_count, &has_moment, &law.reach, &lasts,
                          &force, &prepare, &user) ||
        (kind = read_choice(type, contact_type_names, "type")) < 0 ||
        rule_parameters(values, &def, given, numbers, COUNT_OF(given)) || !world_ready(self))
        return NULL;
    if (law.memory_count > SCREE_MAX_MEMORY) {
        PyErr_Format(PyExc_ValueError, "memory_count is %u, at most %d", law.memory_count,
                     SCREE_MAX_MEMORY);
        return NULL;
    }
    /* texts of all arguments live as long as the world */
    if (!(c = caller_new(w, args)) || fill_caller(c, force, prepare, user))
        return NULL;
    const char **list = names_of(names, &c->parameter_count);
    if (!list)
        return NULL;
    c->parameter_names = list;
    c->memory_count = law.memory_count;
    law.parameter_names = list;
    law.has_moment = has_moment;
    law.lasts = lasts;
    law.user = c;
    def.own_law = &law;
    def.type = (scree_contact_type)kind;
    def.groups = groups;
    return world_done(w, scree_world_add_rule(w->world, &def));
}

/* ---- forces ------------------------------------------------------------------------------------------------ */

/*  A copy of a column: `width` numbers of 8 bytes from each row, 0: one, as an array of one dimension. */
static PyObject *copy_rows(const char *type, scree_integers column, size_t count, size_t width)
{
    const Py_ssize_t shape[2] = {(Py_ssize_t)count, (Py_ssize_t)width};
    const size_t bytes = 8 * (width ? width : 1);
    Py_buffer memory;
    PyObject *array = array_new(type, width ? 2 : 1, shape, &memory);

    for (size_t i = 0; array && i < count; i++)
        memcpy((char *)memory.buf + i * bytes, (const char *)column.data + i * column.stride,
               bytes);
    if (array)
        PyBuffer_Release(&memory);
    return array;
}

static PyObject *copy_reals(scree_view column, size_t count, size_t width)
{
    return copy_rows("f8", scree_integer_view(column.data, column.stride), count, width);
}

static int call_force(const caller *c, scree_force_sink *sink, const scree_bodies_view *v,
                      double time)
{
    Py_ssize_t shape[2] = {(Py_ssize_t)v->count, 3};
    Py_buffer pushes = {0}, turns = {0};
    PyObject *f = array_new("f8", 2, shape, &pushes),
             *t = f ? array_new("f8", 2, shape, &turns) : NULL;
    PyObject *call = t ? helper("call_force") : NULL, *none = NULL;

    if (call) {
        memset(pushes.buf, 0, (size_t)pushes.len);
        memset(turns.buf, 0, (size_t)turns.len);
        none = PyObject_CallFunction(
            call, "OdNNNNNNNNOO", c->function, time, copy_reals(v->position, v->count, 3),
            copy_reals(v->radius, v->count, 0), copy_reals(v->velocity, v->count, 3),
            copy_reals(v->inverse_mass, v->count, 0), copy_reals(v->spin, v->count, 3),
            copy_reals(v->orientation, v->count, 4), copy_rows("u8", v->serial, v->count, 0),
            copy_rows("u8", v->user, v->count, 0), f, t);
    }
    /* without bodies there is nothing to add */
    if (none && v->count)
        scree_force_sink_add_columns(sink, scree_doubles(pushes.buf, 3 * sizeof(double)),
                                     scree_doubles(turns.buf, 3 * sizeof(double)));
    array_done(&pushes);
    array_done(&turns);
    Py_XDECREF(f);
    Py_XDECREF(t);
    Py_XDECREF(call);
    Py_XDECREF(none);
    return none ? 0 : -1;
}

static scree_status force_function(scree_force_sink *sink, const scree_bodies_view *bodies,
                                   double time, void *user)
{
    caller *c = user;

    if (c->force)
        return c->force(sink, bodies, time, c->user);
    host_call call = call_begin(c);
    scree_status status = SCREE_OK;
    if (call_force(c, sink, bodies, time)) {
        note_error(c->world);
        status = SCREE_BAD_VALUE;
    }
    call_end(c, call);
    return status;
}

/*  _set_force(callable, address or None, user) */
static PyObject *set_force(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    PyObject *function;
    unsigned long long user;
    void *address;

    if (!PyArg_ParseTuple(args, "OK", &function, &user) || !world_ready(self))
        return NULL;
    if (function == Py_None) {
        scree_world_set_force(w->world, NULL, NULL);
        Py_RETURN_NONE;
    }
    int is_address = address_of(function, &address);
    caller *c = is_address < 0 ? NULL : caller_new(w, function);
    if (!c)
        return NULL;
    if (is_address)
        memcpy(&c->force, &address, sizeof address);
    else
        c->function = function;
    c->user = (void *)(uintptr_t)user;
    scree_world_set_force(w->world, force_function, c);
    Py_RETURN_NONE;
}

/* ---- motions of walls --------------------------------------------------------------------------------------- */

static int call_path(const caller *c, double time, double *all)
{
    PyObject *call = helper("call_path");
    PyObject *result = call ? PyObject_CallFunction(call, "Od", c->function, time) : NULL;
    int bad = !result || read_reals(result, all, 13, "what the wall's function returned");

    Py_XDECREF(result);
    Py_XDECREF(call);
    return bad ? -1 : 0;
}

static void path_function(double time, double shift[3], double velocity[3], double turn[4],
                          double spin[3], void *user)
{
    caller *c = user;
    double all[13] = {NAN, NAN, NAN, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0};

    if (c->path) {
        c->path(time, shift, velocity, turn, spin, c->user);
        return;
    }
    host_call call = call_begin(c);
    if (!c->world->error && call_path(c, time, all)) {
        note_error(c->world);
        all[0] = NAN;
    }
    call_end(c, call);
    memcpy(shift, all, 3 * sizeof *all);
    memcpy(velocity, all + 3, 3 * sizeof *all);
    memcpy(turn, all + 6, 4 * sizeof *all);
    memcpy(spin, all + 10, 3 * sizeof *all);
}

static int fill_function(World *world, scree_wall_path *path, PyObject *function, path_hold *held)
{
    void *address;
    int is_address = address_of(function, &address);

    if (is_address < 0)
        return -1;
    if (!is_address && !PyCallable_Check(function)) {
        PyErr_SetString(PyExc_TypeError, "function must be callable, or the address of one");
        return -1;
    }
    held->once = (caller){.world = world};
    caller *c = held->is_question ? &held->once : caller_new(world, function);
    if (!c)
        return -1;
    if (is_address)
        memcpy(&c->path, &address, sizeof address);
    else
        c->function = function;
    path->function = path_function;
    path->user = c;
    return 0;
}

void path_done(path_hold *held)
{
    while (held->count)
        array_done(&held->tables[--held->count]);
}

/*  Rows of a table, which `held` keeps. */
static const void *hold_table(path_hold *held, PyObject *rows)
{
    Py_buffer *view = &held->tables[held->count];

    if (array_get(rows, 'd', -1, "table", view))
        return NULL;
    held->count++;
    return view->buf;
}

/*  One motion of several: a dict, of which "table" is an array. */
static int fill_part(scree_path_part *part, PyObject *values, path_hold *held)
{
    if (!PyDict_Check(values)) {
        PyErr_SetString(PyExc_TypeError, "a motion must be a dict");
        return -1;
    }
    PyObject *rows = PyDict_GetItemString(values, "table"), *rest = PyDict_Copy(values);
    if (!rest || (rows && PyDict_DelItemString(rest, "table")) ||
        field_fill(part_fields, part, rest, "a motion")) {
        Py_XDECREF(rest);
        return -1;
    }
    Py_DECREF(rest);
    if (!rows)
        return 0;
    part->table = hold_table(held, rows);
    part->table_count = part->table ? (size_t)held->tables[held->count - 1].len / 64 : 0;
    return part->table || !PyErr_Occurred() ? 0 : -1;
}

static int fill_parts(scree_wall_path *path, PyObject *list, path_hold *held)
{
    Py_ssize_t count = PyList_Check(list) ? PyList_Size(list) : -1;

    if (count < 0 || count > MAX_PARTS) {
        PyErr_Format(PyExc_ValueError, "motions must be a list of at most %d", MAX_PARTS);
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        held->parts[i] = (scree_path_part){0};
        if (fill_part(&held->parts[i], PyList_GetItem(list, i), held))
            return -1;
    }
    path->parts = count ? held->parts : NULL;
    path->part_count = (size_t)count;
    return 0;
}

int path_fill(World *world, scree_wall_path *path, PyObject *values, path_hold *held)
{
    static const char *const names[] = {"velocity", "centre",    "axis", "rate",
                                        "swing",    "frequency", "phase"};
    double *const places[] = {path->velocity, path->centre,     path->axis,  &path->rate,
                              path->swing,    &path->frequency, &path->phase};
    static const size_t counts[] = {3, 3, 3, 1, 3, 1, 1};

    held->count = 0;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        PyObject *value = PyDict_GetItemString(values, names[i]);
        if (value && read_reals(value, places[i], counts[i], names[i]))
            return -1;
    }
    PyObject *rows = PyDict_GetItemString(values, "table");
    PyObject *list = PyDict_GetItemString(values, "motions");
    PyObject *function = PyDict_GetItemString(values, "function");
    if (rows && rows != Py_None) {
        path->table = hold_table(held, rows);
        if (!held->count)
            return -1;
        path->table_count = (size_t)held->tables[0].len / 32;
    }
    if (list && list != Py_None && fill_parts(path, list, held))
        return -1;
    return function && function != Py_None ? fill_function(world, path, function, held) : 0;
}

PyMethodDef callback_methods[] = {{"_add_own_rule", add_own_rule, METH_VARARGS, NULL},
                                  {"_set_force", set_force, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
