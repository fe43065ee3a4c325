/*  Detection: tables from arrays of any stride, pairs and neighbours as arrays. */
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Detector
{
    PyObject_HEAD scree_detector *detector;
    unsigned forks;
    uint32_t threads;
    int dimensions;
    bool is_boxes, is_busy;
} Detector;

static PyTypeObject *Detector_type;

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static scree_detector *ready(PyObject *self)
{
    Detector *d = (Detector *)self;

    if (!d->detector)
        PyErr_SetString(PyExc_ValueError, "the detector is closed");
    else if (d->is_busy)
        raise_named("Busy", "the detector is at work in another thread");
    else if (d->threads > 1 && d->forks != fork_count())
        raise_named("Busy",
                    "the detector has threads of the process that was forked: make another one");
    else
        return d->detector;
    return NULL;
}

static PyThreadState *begin(Detector *d)
{
    d->is_busy = true;
    return PyEval_SaveThread();
}

static void end(Detector *d, PyThreadState *thread)
{
    PyEval_RestoreThread(thread);
    d->is_busy = false;
}

static PyObject *done(Detector *d, scree_status status)
{
    if (status)
        return raise_status(status, scree_detector_message(d->detector));
    Py_RETURN_NONE;
}

/* ---- tables ------------------------------------------------------------------------------------------- */

typedef struct held_views
{
    Py_buffer views[12];
    int count;
} held_views;

static void let_go(held_views *held)
{
    while (held->count)
        PyBuffer_Release(&held->views[--held->count]);
}

static Py_buffer *hold(held_views *held, PyObject *object)
{
    Py_buffer *view = &held->views[held->count];

    if (PyObject_GetBuffer(object, view, PyBUF_FORMAT | PyBUF_STRIDES))
        return NULL;
    held->count++;
    return view;
}

/*  Columns of an array (n, width), or of (n) where width is 1; absent: 1, bad: -1. */
static int get_columns(PyObject *dict, const char *name, int width, Py_ssize_t *rows,
                       held_views *held, scree_view *columns)
{
    PyObject *object = PyDict_GetItemString(dict, name);
    if (!object || object == Py_None)
        return 1;
    Py_buffer *view = hold(held, object);
    if (!view)
        return -1;
    char letter = array_letter(view);
    bool is_double = letter == 'd';
    if (!is_double && letter != 'f') {
        PyErr_Format(PyExc_TypeError, "%s must be an array of float32 or float64", name);
        return -1;
    }
    if (view->ndim != (width > 1 ? 2 : 1) || (width > 1 && view->shape[1] != width) ||
        (*rows >= 0 && view->shape[0] != *rows)) {
        PyErr_Format(PyExc_ValueError, "%s has another shape than the other arrays ask for", name);
        return -1;
    }
    *rows = view->shape[0];
    for (int i = 0; i < width; i++)
        columns[i] =
            (scree_view){(const char *)view->buf + (width > 1 ? i * view->strides[1] : 0),
                         (size_t)view->strides[0], is_double ? SCREE_FLOAT64 : SCREE_FLOAT32};
    return 0;
}

static int get_integers(PyObject *dict, const char *name, Py_ssize_t bytes, Py_ssize_t rows,
                        held_views *held, scree_integers *column)
{
    PyObject *object = PyDict_GetItemString(dict, name);
    if (!object || object == Py_None)
        return 0;
    Py_buffer *view = hold(held, object);
    if (!view)
        return -1;
    char letter = array_letter(view);
    if ((letter != 'B' && letter != 'I' && letter != 'Q') || view->itemsize != bytes) {
        PyErr_Format(PyExc_TypeError, "%s must be unsigned integers of %zd bytes", name, bytes);
        return -1;
    }
    if (view->ndim != 1 || view->shape[0] != rows) {
        PyErr_Format(PyExc_ValueError, "%s must have a number for each body", name);
        return -1;
    }
    *column = scree_integer_view(view->buf, (size_t)view->strides[0]);
    return 0;
}

static int get_table(Detector *d, PyObject *dict, scree_table *table, held_views *held)
{
    Py_ssize_t rows = -1;
    scree_view first[3] = {{0}}, second[3] = {{0}};
    int bad;

    if (!PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "a table is a dict of arrays");
        return -1;
    }
    if (d->is_boxes) {
        bad = get_columns(dict, "lower", d->dimensions, &rows, held, first);
        bad = bad ? bad : get_columns(dict, "upper", d->dimensions, &rows, held, second);
    } else {
        bad = get_columns(dict, "centre", d->dimensions, &rows, held, first);
        bad = bad ? bad : get_columns(dict, "radius", 1, &rows, held, second);
    }
    if (bad > 0)
        PyErr_SetString(PyExc_TypeError, d->is_boxes ? "lower and upper must be given"
                                                     : "centres and radii must be given");
    if (bad)
        return -1;
    *table = d->is_boxes
                 ? scree_table_boxes((size_t)rows, first, second)
                 : scree_table_spheres((size_t)rows, first[0], first[1], first[2], second[0]);
    return get_integers(dict, "ids", 4, rows, held, &table->ids) ||
           get_integers(dict, "groups", 8, rows, held, &table->groups) ||
           get_integers(dict, "masks", 8, rows, held, &table->masks) ||
           get_integers(dict, "owners", 4, rows, held, &table->owners) ||
           get_integers(dict, "flags", 1, rows, held, &table->flags);
}

static int get_motion(Detector *d, PyObject *dict, Py_ssize_t rows, scree_motion *motion,
                      held_views *held)
{
    *motion = (scree_motion){0};
    if (get_columns(dict, "velocity", d->dimensions, &rows, held, motion->velocity) < 0 ||
        get_columns(dict, "arm", 1, &rows, held, &motion->arm) < 0 ||
        get_columns(dict, "constant", 1, &rows, held, &motion->constant) < 0 ||
        get_integers(dict, "kinds", 1, rows, held, &motion->kinds))
        return -1;
    return (d->dimensions == 3 ? get_columns(dict, "spin", 3, &rows, held, motion->spin)
                               : get_columns(dict, "spin", 1, &rows, held, motion->spin + 2)) < 0;
}

/* ---- life --------------------------------------------------------------------------------------------- */

static PyObject *detector_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    scree_detector_def def = scree_default_detector_def();
    scree_error error = {0};

    if (PyTuple_Size(args)) {
        PyErr_SetString(PyExc_TypeError, "Detector takes keywords alone");
        return NULL;
    }
    if (field_fill(detector_fields, &def, keywords, "Detector"))
        return NULL;
    Detector *self = (Detector *)object_new(type);
    if (!self)
        return NULL;
    def.error = &error;
    scree_status status = scree_detector_create(&def, &self->detector);
    self->forks = fork_count();
    self->threads = def.thread_count;
    self->dimensions = def.dimensions;
    self->is_boxes = def.volume == SCREE_BOXES;
    if (status) {
        Py_DECREF(self);
        return raise_status(status, error.text);
    }
    return (PyObject *)self;
}

static void close_it(Detector *d)
{
    /* threads of before a fork cannot be waited for */
    if (d->threads <= 1 || d->forks == fork_count())
        scree_detector_destroy(d->detector);
    d->detector = NULL;
}

static void detector_dealloc(PyObject *self)
{
    close_it((Detector *)self);
    object_free(self);
}

static PyObject *detector_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (((Detector *)self)->is_busy)
        return raise_named("Busy", "the detector is at work in another thread");
    close_it((Detector *)self);
    Py_RETURN_NONE;
}

/* ---- bodies ------------------------------------------------------------------------------------------- */

/*  _update(table, rows or None) */
static PyObject *detector_update(PyObject *self, PyObject *args)
{
    Detector *d = (Detector *)self;
    PyObject *dict, *rows;
    scree_table table;
    held_views held = {.count = 0};
    Py_buffer dirty;
    scree_status status;

    if (!PyArg_ParseTuple(args, "OO", &dict, &rows) || array_get(rows, 'I', -1, "rows", &dirty))
        return NULL;
    if (get_table(d, dict, &table, &held) || !ready(self)) {
        let_go(&held);
        array_done(&dirty);
        return NULL;
    }
    scree_rows list = {dirty.buf, (size_t)dirty.len / 4};
    PyThreadState *thread = begin(d);
    status = scree_detector_update(d->detector, &table, dirty.obj ? &list : NULL);
    end(d, thread);
    let_go(&held);
    array_done(&dirty);
    return done(d, status);
}

static PyObject *detector_insert(PyObject *self, PyObject *args)
{
    Detector *d = (Detector *)self;
    PyObject *dict, *ids = NULL;
    scree_table table;
    held_views held = {.count = 0};
    Py_buffer memory = {0};

    if (!PyArg_ParseTuple(args, "O", &dict))
        return NULL;
    if (!get_table(d, dict, &table, &held) && ready(self)) {
        Py_ssize_t rows = (Py_ssize_t)table.count;
        ids = array_new("u4", 1, &rows, &memory);
    }
    if (ids) {
        PyThreadState *thread = begin(d);
        scree_status status = scree_detector_insert(d->detector, &table, memory.buf);
        end(d, thread);
        PyBuffer_Release(&memory);
        if (status) {
            Py_CLEAR(ids);
            done(d, status);
        }
    }
    let_go(&held);
    return ids;
}

static PyObject *detector_remove(PyObject *self, PyObject *args)
{
    Detector *d = (Detector *)self;
    PyObject *given;
    Py_buffer ids;

    if (!PyArg_ParseTuple(args, "O", &given) || array_get(given, 'I', -1, "ids", &ids))
        return NULL;
    if (!ready(self)) {
        array_done(&ids);
        return NULL;
    }
    scree_status status = scree_detector_remove(d->detector, ids.buf, (size_t)ids.len / 4);
    array_done(&ids);
    return done(d, status);
}

static PyObject *detector_clear(PyObject *self, PyObject *unused)
{
    (void)unused;
    return ready(self) ? done((Detector *)self, scree_detector_clear(((Detector *)self)->detector))
                       : NULL;
}

static PyObject *detector_clear_all(PyObject *self, PyObject *unused)
{
    (void)unused;
    return ready(self)
               ? done((Detector *)self, scree_detector_clear_all(((Detector *)self)->detector))
               : NULL;
}

/*  _advance(table, motion, dt) and _longest_step(table, motion) */
static PyObject *detector_advance(PyObject *self, PyObject *args)
{
    Detector *d = (Detector *)self;
    PyObject *dict, *moves, *result = NULL;
    double dt = 0;
    scree_table table;
    scree_motion motion;
    scree_advance did = {0};
    held_views held = {.count = 0};

    if (!PyArg_ParseTuple(args, "OO|d", &dict, &moves, &dt))
        return NULL;
    if (!get_table(d, dict, &table, &held) &&
        !get_motion(d, moves, (Py_ssize_t)table.count, &motion, &held) && ready(self)) {
        bool is_asked = PyTuple_Size(args) == 2;
        PyThreadState *thread = begin(d);
        scree_status status = is_asked
                                  ? scree_detector_longest_step(d->detector, &table, &motion, &dt)
                                  : scree_detector_advance(d->detector, &table, &motion, dt, &did);
        end(d, thread);
        if (status)
            done(d, status);
        else
            result = is_asked ? PyFloat_FromDouble(dt) : field_dict(advance_fields, &did);
    }
    let_go(&held);
    return result;
}

/* ---- pairs -------------------------------------------------------------------------------------------- */

typedef struct collected
{
    uint32_t *pairs; /* first, second, first, second, ... */
    size_t count, room;
    PyThreadState *thread;
    double asked;
    bool is_full, is_stopped;
} collected;

static int make_room(collected *to, size_t more)
{
    if (to->count + more <= to->room)
        return 0;
    size_t room = to->room ? 2 * to->room : 16384;
    while (room < to->count + more)
        room *= 2;
    uint32_t *pairs = realloc(to->pairs, room * 2 * sizeof *pairs);
    if (!pairs)
        return -1;
    to->pairs = pairs;
    to->room = room;
    return 0;
}

/*  Ctrl-C ends a long search: asked for some twenty times a second. */
static bool is_stopped(collected *to)
{
    double now = seconds();
    if (now - to->asked < 0.05)
        return false;
    to->asked = now;
    PyEval_RestoreThread(to->thread);
    to->is_stopped = PyErr_CheckSignals() < 0;
    to->thread = PyEval_SaveThread();
    return to->is_stopped;
}

static int collect(const scree_pairs *block, void *user)
{
    collected *to = user;

    if (make_room(to, block->count)) {
        to->is_full = true;
        return 1;
    }
    uint32_t *out = to->pairs + 2 * to->count;
    for (uint64_t k = 0; k < block->count; k++) {
        out[2 * k] = block->first[k];
        out[2 * k + 1] = block->second[k];
    }
    to->count += block->count;
    return is_stopped(to);
}

static PyObject *take_pairs(collected *from)
{
    /* what is left over goes back to the system */
    if (from->count && from->count < from->room) {
        uint32_t *less = realloc(from->pairs, from->count * 2 * sizeof *less);
        from->pairs = less ? less : from->pairs;
    }
    return array_take("I", from->pairs, from->count, 2, 4);
}

static PyObject *found_pairs(Detector *d)
{
    collected to = {.asked = seconds()};

    to.thread = begin(d);
    scree_status status = scree_detector_for_each_block(d->detector, collect, &to);
    end(d, to.thread);
    if (status || to.is_full || to.is_stopped) {
        free(to.pairs);
        if (to.is_stopped)
            return NULL;
        return to.is_full ? PyErr_NoMemory() : done(d, status);
    }
    return take_pairs(&to);
}

static PyObject *sorted_pairs(Detector *d)
{
    scree_pairs_options options = {.canonical = true};
    scree_pairs pairs = {0};
    collected to = {0};

    PyThreadState *thread = begin(d);
    scree_status status = scree_detector_pairs(d->detector, &options, &pairs);
    if (!status && pairs.count) {
        to.pairs = malloc((size_t)pairs.count * 2 * sizeof *to.pairs);
        for (uint64_t k = 0; to.pairs && k < pairs.count; k++) {
            to.pairs[2 * k] = pairs.first[k];
            to.pairs[2 * k + 1] = pairs.second[k];
        }
    }
    end(d, thread);
    if (status)
        return done(d, status);
    if (pairs.count && !to.pairs)
        return PyErr_NoMemory();
    return array_take("I", to.pairs, (size_t)pairs.count, 2, 4);
}

/*  _pairs(canonical) */
static PyObject *detector_pairs(PyObject *self, PyObject *args)
{
    int canonical;

    if (!PyArg_ParseTuple(args, "p", &canonical) || !ready(self))
        return NULL;
    return canonical ? sorted_pairs((Detector *)self) : found_pairs((Detector *)self);
}

/*  _neighbors(half, canonical): start, neighbor */
static PyObject *detector_neighbors(PyObject *self, PyObject *args)
{
    Detector *d = (Detector *)self;
    int half, canonical;
    scree_csr csr = {0};
    static const uint32_t zero;

    if (!PyArg_ParseTuple(args, "pp", &half, &canonical) || !ready(self))
        return NULL;
    scree_csr_options options = {.half = half, .canonical = canonical};
    PyThreadState *thread = begin(d);
    scree_status status = scree_detector_csr(d->detector, &options, &csr);
    end(d, thread);
    if (status)
        return done(d, status);
    PyObject *start =
        array_copy("u4", csr.start ? csr.start : &zero, (size_t)csr.id_bound + 1, 0, 4);
    PyObject *neighbor = start ? array_copy("u4", csr.neighbor, csr.count, 0, 4) : NULL;
    if (!neighbor) {
        Py_XDECREF(start);
        return NULL;
    }
    return Py_BuildValue("NN", start, neighbor);
}

static PyObject *detector_image(PyObject *self, PyObject *args)
{
    unsigned first, second;
    int64_t n[3] = {0};

    if (!PyArg_ParseTuple(args, "II", &first, &second) || !ready(self))
        return NULL;
    scree_status status = scree_detector_image(((Detector *)self)->detector, first, second, n);
    if (status)
        return done((Detector *)self, status);
    return Py_BuildValue("LLL", (long long)n[0], (long long)n[1], (long long)n[2]);
}

static PyObject *detector_set_cell(PyObject *self, PyObject *args)
{
    double period[3], tilt[3];

    if (!PyArg_ParseTuple(args, "(ddd)(ddd)", period, period + 1, period + 2, tilt, tilt + 1,
                          tilt + 2) ||
        !ready(self))
        return NULL;
    return done((Detector *)self,
                scree_detector_set_cell(((Detector *)self)->detector, period, tilt));
}

/* ---- queries ------------------------------------------------------------------------------------------ */

/*  _query(kind, a, b, number, groups): ids, distances */
static PyObject *detector_query(PyObject *self, PyObject *args)
{
    scree_query query;
    scree_error error = {0};
    size_t count = 0;
    scree_hit few[64], *hits = few;

    if (read_query(args, &query) || !ready(self))
        return NULL;
    const scree_detector *detector = ((Detector *)self)->detector;
    scree_status status = scree_detector_hits(detector, &query, few, COUNT_OF(few), &count, &error);
    if (status == SCREE_TOO_SMALL) {
        hits = malloc(count * sizeof *hits);
        if (!hits)
            return PyErr_NoMemory();
        status = scree_detector_hits(detector, &query, hits, count, &count, &error);
    }
    PyObject *ids = NULL, *distances = NULL;
    Py_ssize_t length = (Py_ssize_t)count;
    Py_buffer to = {0}, far = {0};
    if (status)
        raise_status(status, error.text);
    else if ((ids = array_new("u4", 1, &length, &to)) &&
             (distances = array_new("f8", 1, &length, &far)))
        for (size_t i = 0; i < count; i++) {
            ((uint32_t *)to.buf)[i] = hits[i].id;
            ((double *)far.buf)[i] = hits[i].distance;
        }
    array_done(&to);
    array_done(&far);
    if (hits != few)
        free(hits);
    if (!distances) {
        Py_XDECREF(ids);
        return NULL;
    }
    return Py_BuildValue("NN", ids, distances);
}

/* ---- figures ------------------------------------------------------------------------------------------ */

static PyObject *detector_stats(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!ready(self))
        return NULL;
    scree_stats stats = scree_detector_stats(((Detector *)self)->detector);
    return field_dict(stats_fields, &stats);
}

static PyObject *detector_explain(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!ready(self))
        return NULL;
    scree_explanation said = scree_detector_explain(((Detector *)self)->detector);
    PyObject *dict = field_dict(explanation_fields, &said), *list = dict ? PyList_New(0) : NULL;
    for (uint32_t i = 0; list && i < said.alternative_count; i++) {
        PyObject *item = field_dict(alternative_fields, &said.alternatives[i]);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    if (!list || PyDict_SetItemString(dict, "alternatives", list))
        Py_CLEAR(dict);
    Py_XDECREF(list);
    return dict;
}

static PyObject *detector_method(PyObject *self, void *unused)
{
    (void)unused;
    return ready(self)
               ? field_dict(method_fields, scree_detector_method(((Detector *)self)->detector))
               : NULL;
}

static PyObject *detector_closed(PyObject *self, void *unused)
{
    (void)unused;
    return PyBool_FromLong(!((Detector *)self)->detector);
}

static PyObject *detector_leeway(PyObject *self, PyObject *args)
{
    unsigned id;
    PyObject *volume;
    double numbers[6] = {0}, moved, left;
    Detector *d = (Detector *)self;

    if (!PyArg_ParseTuple(args, "IO", &id, &volume) ||
        read_reals(volume, numbers, d->is_boxes ? 6 : 4, "volume") || !ready(self))
        return NULL;
    scree_status status = scree_detector_leeway(d->detector, id, numbers, &moved, &left);
    return status ? done(d, status) : Py_BuildValue("dd", moved, left);
}

static PyObject *detector_classes(PyObject *self, PyObject *unused)
{
    scree_speed_class classes[100];

    (void)unused;
    if (!ready(self))
        return NULL;
    uint32_t count = scree_detector_speed_classes(((Detector *)self)->detector, classes);
    return field_array(speed_class_fields, classes, sizeof *classes, count);
}

typedef struct piece_list
{
    scree_outline_piece *pieces;
    size_t count, room;
    bool is_full;
} piece_list;

static int add_piece(const scree_outline_piece *piece, void *user)
{
    piece_list *list = user;

    if (list->count == list->room) {
        size_t room = list->room ? 2 * list->room : 256;
        scree_outline_piece *more = realloc(list->pieces, room * sizeof *more);
        if (!more) {
            list->is_full = true;
            return 1;
        }
        list->pieces = more;
        list->room = room;
    }
    list->pieces[list->count++] = *piece;
    return 0;
}

static PyObject *detector_outline(PyObject *self, PyObject *unused)
{
    piece_list list = {0};
    PyObject *array = NULL;

    (void)unused;
    if (!ready(self))
        return NULL;
    scree_status status = scree_detector_outline(((Detector *)self)->detector, add_piece, &list);
    if (list.is_full)
        PyErr_NoMemory();
    else if (status)
        done((Detector *)self, status);
    else
        array = field_array(piece_fields, list.pieces, sizeof *list.pieces, list.count);
    free(list.pieces);
    return array;
}

static PyMethodDef detector_methods[] = {
    {"_update", detector_update, METH_VARARGS, NULL},
    {"_insert", detector_insert, METH_VARARGS, NULL},
    {"_remove", detector_remove, METH_VARARGS, NULL},
    {"_advance", detector_advance, METH_VARARGS, NULL},
    {"_pairs", detector_pairs, METH_VARARGS, NULL},
    {"_neighbors", detector_neighbors, METH_VARARGS, NULL},
    {"_query", detector_query, METH_VARARGS, NULL},
    {"_set_cell", detector_set_cell, METH_VARARGS, NULL},
    {"_leeway", detector_leeway, METH_VARARGS, NULL},
    {"image", detector_image, METH_VARARGS,
     "image(first, second): lattice coordinates of the image of second nearest to first."},
    {"clear", detector_clear, METH_NOARGS, "Drops all bodies and keeps the memory."},
    {"clear_all", detector_clear_all, METH_NOARGS,
     "Drops all bodies, and all that the method has built, as in a new detector."},
    {"close", detector_close, METH_NOARGS, "Frees the detector; closing twice is fine."},
    {"stats", detector_stats, METH_NOARGS, "Figures of the last update and search, a dict."},
    {"explain", detector_explain, METH_NOARGS, "Which method is at work, and why; a dict."},
    {"outline", detector_outline, METH_NOARGS, "What the method has built: cells, boxes of trees."},
    {"speed_classes", detector_classes, METH_NOARGS, "Classes of speed of the margin \"bins\"."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef detector_getset[] = {
    {"method", detector_method, NULL, "What the method says of itself, a dict.", NULL},
    {"closed", detector_closed, NULL, "Whether it was closed.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int detector_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_new, detector_new},
                                  {Py_tp_dealloc, detector_dealloc},
                                  {Py_tp_methods, detector_methods},
                                  {Py_tp_getset, detector_getset},
                                  {0, NULL}};
    static PyType_Spec spec = {"scree._scree.Detector", sizeof(Detector), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    return add_type(module, "Detector", &spec, &Detector_type);
}
