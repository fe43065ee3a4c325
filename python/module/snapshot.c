/*  The state in memory, and second worlds. */
#include "module.h"

#include <stdlib.h>

typedef struct Snapshot
{
    PyObject_HEAD scree_snapshot *snapshot;
    PyObject *world; /* whose memory it is of */
} Snapshot;

static PyTypeObject *Snapshot_type;

static void snapshot_dealloc(PyObject *self)
{
    scree_snapshot_destroy(((Snapshot *)self)->snapshot);
    Py_XDECREF(((Snapshot *)self)->world);
    object_free(self);
}

static PyObject *snapshot_bytes(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(scree_snapshot_bytes(((Snapshot *)self)->snapshot));
}

/*  snapshot(): the world object lives as long, since the bytes are of its allocator. */
PyObject *world_snapshot(PyObject *self, PyObject *unused)
{
    World *w = (World *)self;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    Snapshot *made = (Snapshot *)object_new(Snapshot_type);
    if (!made)
        return NULL;
    made->world = Py_NewRef(self);
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_snapshot(w->world, &made->snapshot);
    world_end(w, thread);
    if (status) {
        Py_DECREF(made);
        return world_done(w, status);
    }
    return (PyObject *)made;
}

PyObject *world_restore(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    PyObject *snapshot;

    if (!PyArg_ParseTuple(args, "O!", Snapshot_type, &snapshot) || !world_ready(self))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_restore(w->world, ((Snapshot *)snapshot)->snapshot);
    world_end(w, thread);
    return world_done(w, status);
}

/*  _copy(**hooks): a second world of the same class. */
PyObject *world_copy(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;

    def.events = w->has_events;
    if (!PyArg_ParseTuple(args, "") || field_fill(world_fields, &def, keywords, "copy") ||
        !world_ready(self))
        return NULL;
    World *copy = world_object(Py_TYPE(self), &def);
    if (!copy)
        return NULL;
    /* functions of the host are those of this world, which so lives as long */
    if (w->callers && world_keep(copy, self)) {
        Py_DECREF(copy);
        return NULL;
    }
    scree_status status = scree_world_copy(w->world, &def, &world);
    if (status) {
        Py_DECREF(copy);
        return world_done(w, status);
    }
    world_adopt(copy, world, &def);
    copy->dimensions = w->dimensions;
    return (PyObject *)copy;
}

int snapshot_ready(PyObject *module)
{
    static PyGetSetDef getset[] = {{"bytes", snapshot_bytes, NULL, "Memory that it takes.", NULL},
                                   {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_dealloc, snapshot_dealloc},
                                  {Py_tp_getset, getset},
                                  {Py_tp_doc, "The state of a world, to go back to."},
                                  {0, NULL}};
    static PyType_Spec spec = {"scree._scree.Snapshot", sizeof(Snapshot), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return add_type(module, "Snapshot", &spec, &Snapshot_type);
}
