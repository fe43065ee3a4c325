/*  The world as an object: its life, its steps, and who may use it when. */
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

PyTypeObject *World_type;

/* ---- who may use it ------------------------------------------------------------------------------------ */

scree_world *world_ready(PyObject *self)
{
    World *w = (World *)self;

    if (!w->world)
        PyErr_SetString(PyExc_ValueError, "the world is closed");
    else if (w->is_busy)
        raise_named("Busy",
                    "the world is at work, in another thread or in a step that called this");
    else if (w->threads > 1 && w->forks != fork_count())
        raise_named(
            "Busy",
            "the world has threads of the process that was forked: pickle it, or use one thread");
    else
        return w->world;
    return NULL;
}

scree_world *world_ready_with(PyObject *self, Py_buffer *array)
{
    scree_world *world = world_ready(self);

    if (!world)
        array_done(array);
    return world;
}

PyThreadState *world_begin(World *world)
{
    world->is_busy = true;
    return PyEval_SaveThread();
}

void world_end(World *world, PyThreadState *thread)
{
    PyEval_RestoreThread(thread);
    world->is_busy = false;
}

/* ---- errors -------------------------------------------------------------------------------------------- */

/*  What a function of the host raised goes first. */
static bool raise_host_error(World *world)
{
    PyObject *error = world->error;

    world->error = NULL;
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return error != NULL;
}

PyObject *world_done(World *world, scree_status status)
{
    if (status) {
        if (!raise_host_error(world))
            raise_status(status, scree_world_message(world->world));
        return NULL;
    }
    Py_CLEAR(world->error);
    Py_RETURN_NONE;
}

static PyObject *id_of(scree_body_id id)
{
    uint64_t number;

    memcpy(&number, &id, sizeof number);
    return PyLong_FromUnsignedLongLong(number);
}

static PyObject *unconverged_list(const scree_world *world)
{
    scree_unconverged list[SCREE_MAX_UNCONVERGED];
    size_t count = scree_world_unconverged(world, list, SCREE_MAX_UNCONVERGED);
    PyObject *result = PyList_New(0);

    for (size_t i = 0; result && i < count && i < SCREE_MAX_UNCONVERGED; i++) {
        PyObject *item = Py_BuildValue("Nd", id_of(list[i].id), list[i].residual);
        if (!item || PyList_Append(result, item))
            Py_CLEAR(result);
        Py_XDECREF(item);
    }
    return result;
}

/*  The error of a refused step: bodies that caused it, and what helps. */
PyObject *world_refused(World *world, scree_status status)
{
    if (status == SCREE_OUT_OF_MEMORY || raise_host_error(world))
        return status == SCREE_OUT_OF_MEMORY ? PyErr_NoMemory() : NULL;
    PyObject *module = PyImport_ImportModule("scree._errors");
    PyObject *error = module
                          ? PyObject_CallMethod(module, "step_refused", "ONsNN", (PyObject *)world,
                                                text_of(scree_world_message(world->world)),
                                                scree_status_name(status),
                                                id_of(scree_world_failed_body(world->world)),
                                                unconverged_list(world->world))
                          : NULL;
    Py_XDECREF(module);
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}

/*  A line for the logger "scree"; an exception that is on its way stays. */
void log_line(scree_log_level level, const char *text)
{
    PyObject *type, *value, *trace;

    PyErr_Fetch(&type, &value, &trace);
    PyObject *logging = PyImport_ImportModule("logging");
    PyObject *logger = logging ? PyObject_CallMethod(logging, "getLogger", "s", "scree") : NULL;
    PyObject *none =
        logger ? PyObject_CallMethod(logger, level == SCREE_LOG_WARNING ? "warning" : "info", "sN",
                                     "%s", text_of(text))
               : NULL;
    if (!none)
        PyErr_Clear();
    Py_XDECREF(none);
    Py_XDECREF(logger);
    Py_XDECREF(logging);
    PyErr_Restore(type, value, trace);
}

/*  Called from any thread. */
static void write_log(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    PyGILState_STATE state = PyGILState_Ensure();

    (void)id;
    (void)user;
    log_line(level, text);
    PyGILState_Release(state);
}

/* ---- life ---------------------------------------------------------------------------------------------- */

World *world_object(PyTypeObject *type, scree_world_def *hooks)
{
    World *self = (World *)object_new(type);

    if (!self)
        return NULL;
    if (pthread_mutex_init(&self->lock, NULL) || !(self->keep = PyList_New(0))) {
        Py_DECREF(self);
        return (World *)PyErr_NoMemory();
    }
    self->has_lock = true;
    self->portion = 1;
    self->forks = fork_count();
    hooks->hooks.allocator = world_memory(self);
    hooks->hooks.log = (scree_log){write_log, NULL};
    return self;
}

void world_adopt(World *self, scree_world *world, const scree_world_def *hooks)
{
    self->world = world;
    self->threads = hooks->compute.thread_count;
    self->has_events = hooks->events;
}

int world_keep(World *world, PyObject *object)
{
    return PyList_Append(world->keep, object);
}

static PyObject *world_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    scree_world_def def = scree_default_world_def();
    scree_error error = {0};
    scree_world *world = NULL;

    if (PyTuple_Size(args)) {
        PyErr_SetString(PyExc_TypeError, "World takes keywords alone");
        return NULL;
    }
    if (field_fill(world_fields, &def, keywords, "World"))
        return NULL;
    World *self = world_object(type, &def);
    if (!self)
        return NULL;
    def.hooks.error = &error;
    scree_status status = scree_world_create(&def, &world);
    if (status) {
        Py_DECREF(self);
        return raise_status(status, error.text);
    }
    world_adopt(self, world, &def);
    self->dimensions = def.dimensions;
    return (PyObject *)self;
}

static void close_it(World *w)
{
    /* threads of before a fork cannot be waited for: what they had stays */
    if (w->threads <= 1 || w->forks == fork_count())
        scree_world_destroy(w->world);
    w->world = NULL;
    while (w->callers) {
        caller *next = w->callers->next;
        free(w->callers->parameter_names);
        free(w->callers);
        w->callers = next;
    }
    free(w->events);
    w->events = NULL;
    w->event_count = w->event_room = 0;
}

static int world_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((World *)self)->keep);
    Py_VISIT(((World *)self)->error);
    return 0;
}

static int world_clear(PyObject *self)
{
    World *w = (World *)self;

    if (!w->is_busy) {
        close_it(w);
        Py_CLEAR(w->keep);
        Py_CLEAR(w->error);
    }
    return 0;
}

static void world_dealloc(PyObject *self)
{
    World *w = (World *)self;

    PyObject_GC_UnTrack(self);
    /* no array looks at it: each holds a column, which holds the world */
    close_it(w);
    Py_CLEAR(w->keep);
    Py_CLEAR(w->error);
    if (w->has_lock)
        pthread_mutex_destroy(&w->lock);
    object_free(self);
}

static PyObject *world_close(PyObject *self, PyObject *unused)
{
    World *w = (World *)self;

    (void)unused;
    if (w->is_busy)
        return raise_named("Busy",
                           "the world is at work, in another thread or in a step that called this");
    close_it(w);
    if (w->keep && PyList_SetSlice(w->keep, 0, PyList_Size(w->keep), NULL))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *world_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(!((World *)self)->world);
}

static PyObject *world_dimensions(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromLong(((World *)self)->dimensions);
}

/* ---- steps --------------------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/*  The engine lists events of one call; a step of ours is several. */
scree_status world_gather_events(World *w)
{
    const scree_event *events;
    size_t count;
    scree_status status = scree_world_events(w->world, &events, &count);

    if (status || !count)
        return status;
    if (w->event_count + count > w->event_room) {
        size_t room = 2 * (w->event_count + count);
        listed_event *more = realloc(w->events, room * sizeof *more);
        if (!more)
            return SCREE_OUT_OF_MEMORY;
        w->events = more;
        w->event_room = room;
    }
    for (size_t k = 0; k < count; k++)
        w->events[w->event_count++] =
            (listed_event){events[k], events[k].kind == SCREE_EVENT_CONTACT_BEGIN};
    return SCREE_OK;
}

/*  Portions of steps that take some hundredths of a second, so that Ctrl-C is soon heard. */
static void fit_portion(World *w, double took)
{
    if (took < 0.01)
        w->portion *= 2;
    else if (took > 0.04 && w->portion > 1)
        w->portion /= 2;
}

static PyObject *take_steps(World *w, unsigned long long left)
{
    scree_status status = SCREE_OK;

    while (left && !status) {
        bool is_last = left <= w->portion;
        unsigned long long count = is_last ? left : w->portion;
        double began = left > 1 ? seconds() : 0;
        PyThreadState *thread = world_begin(w);
        status = scree_world_step(w->world, count);
        if (w->has_events && !status)
            status = world_gather_events(w);
        world_end(w, thread);
        left -= count;
        if (!is_last)
            fit_portion(w, seconds() - began);
        else if (began > 0 && seconds() - began > 0.04 && w->portion > 1)
            w->portion /= 2;
        if (left && PyErr_CheckSignals())
            return NULL;
    }
    if (status)
        return world_refused(w, status);
    Py_CLEAR(w->error);
    Py_RETURN_NONE;
}

static PyObject *world_step(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    unsigned long long steps = 1;

    if (count > 1) {
        PyErr_SetString(PyExc_TypeError, "step takes one number");
        return NULL;
    }
    if (count) {
        PyObject *whole = PyNumber_Index(args[0]);
        if (!whole)
            return NULL;
        steps = PyLong_AsUnsignedLongLong(whole);
        Py_DECREF(whole);
        if (PyErr_Occurred()) {
            PyErr_Clear();
            PyErr_SetString(PyExc_ValueError, "steps must be 0 or more, below 2^64");
            return NULL;
        }
    }
    if (!world_ready(self))
        return NULL;
    ((World *)self)->event_count = 0;
    return take_steps((World *)self, steps);
}

/*  _forget_events(): the list starts again, as World.advance takes its steps in several calls */
static PyObject *forget_events(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!world_ready(self))
        return NULL;
    ((World *)self)->event_count = 0;
    Py_RETURN_NONE;
}

/*  _go_on(count): steps whose events are added to the list */
static PyObject *world_go_on(PyObject *self, PyObject *args)
{
    unsigned long long steps;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &steps) || !world_ready(self))
        return NULL;
    return take_steps((World *)self, steps);
}

/*  _advance(seconds): the last steps of World.advance, which are few; their events are added to the list */
static PyObject *world_advance(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    double seconds_left;

    if (!PyArg_ParseTuple(args, "d", &seconds_left) || !world_ready(self))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_advance(w->world, seconds_left);
    if (w->has_events && !status)
        status = world_gather_events(w);
    world_end(w, thread);
    return status ? world_refused(w, status) : world_done(w, status);
}

static PyObject *world_count(PyObject *self, void *unused)
{
    (void)unused;
    return world_ready(self) ? PyLong_FromSize_t(scree_world_body_count(((World *)self)->world))
                             : NULL;
}

static PyMethodDef own_methods[] = {
    {"step", KEYWORDS(world_step), METH_FASTCALL,
     "step(count=1): takes so many steps. A step that is refused raises StepRefused, and the world "
     "is as it was "
     "before it. Ctrl-C ends the call between steps."},
    {"_advance", world_advance, METH_VARARGS, NULL},
    {"_go_on", world_go_on, METH_VARARGS, NULL},
    {"_forget_events", forget_events, METH_NOARGS, NULL},
    {"close", world_close, METH_NOARGS, "Frees the world; closing twice is fine."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef world_getset[] = {
    {"closed", world_closed, NULL, "Whether it was closed.", NULL},
    {"dimensions", world_dimensions, NULL, "2 or 3.", NULL},
    {"count", world_count, NULL, "How many bodies there are.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- all methods in one table --------------------------------------------------------------------------- */

#define MAX_METHODS 180

static int join_methods(PyMethodDef *all)
{
    PyMethodDef *const parts[] = {own_methods,     setting_methods,  body_methods,  wall_methods,
                                  contact_methods, joint_methods,    query_methods, figure_methods,
                                  grid_methods,    ambient_methods,  heat_methods,  file_methods,
                                  picture_methods, callback_methods, view_methods,  formula_methods,
                                  look_methods};
    size_t count = 0;

    for (size_t i = 0; i < COUNT_OF(parts); i++)
        for (PyMethodDef *m = parts[i]; m->ml_name; m++) {
            if (count + 1 >= MAX_METHODS) {
                PyErr_SetString(PyExc_SystemError, "too many methods");
                return -1;
            }
            all[count++] = *m;
        }
    return 0;
}

int world_ready_type(PyObject *module)
{
    static PyMethodDef methods[MAX_METHODS];
    static PyType_Slot slots[] = {{Py_tp_new, world_new},
                                  {Py_tp_dealloc, world_dealloc},
                                  {Py_tp_traverse, world_traverse},
                                  {Py_tp_clear, world_clear},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, world_getset},
                                  {0, NULL}};
    static PyType_Spec spec = {"scree._scree.World", sizeof(World), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                               slots};
    return join_methods(methods) || add_type(module, "World", &spec, &World_type);
}
