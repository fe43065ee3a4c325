/*  Contacts, events, bonds and what broke, as structured arrays. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/*  _contacts(with_memory, **filter): array, and what laws remember as (n, most) or None */
static PyObject *contacts(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_contact_filter_def filter = scree_default_contact_filter_def();
    const scree_contact *list;
    size_t count, most = 0;
    int with_memory;

    if (!PyArg_ParseTuple(args, "p", &with_memory) ||
        field_fill(filter_fields, &filter, keywords, "contacts") || !world_ready(self))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_contacts(w->world, &filter, &list, &count);
    world_end(w, thread);
    if (status)
        return world_done(w, status);
    PyObject *array = field_array(contact_fields, list, sizeof *list, count);
    if (!array || !with_memory)
        return array;
    for (size_t i = 0; i < count; i++)
        most = list[i].memory_count > most ? list[i].memory_count : most;
    Py_ssize_t shape[2] = {(Py_ssize_t)count, (Py_ssize_t)most};
    Py_buffer memory;
    PyObject *kept = array_new("f8", 2, shape, &memory);
    if (!kept) {
        Py_DECREF(array);
        return NULL;
    }
    double *out = memory.buf;
    for (size_t i = 0; i < count && most; i++)
        for (size_t k = 0; k < most; k++)
            out[i * most + k] = k < list[i].memory_count ? list[i].memory[k] : 0;
    PyBuffer_Release(&memory);
    return Py_BuildValue("NN", array, kept);
}

static PyObject *events(PyObject *self, PyObject *unused)
{
    World *w = (World *)self;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    if (!w->has_events)
        return raise_named("InvalidValue", "this world lists no events: World(events=True)");
    return field_array(event_fields, w->events, sizeof *w->events, w->event_count);
}

static PyObject *add_bonds(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_bond_def def = scree_default_bond_def();
    uint64_t made = 0;

    if (!PyArg_ParseTuple(args, "") || field_fill(bond_def_fields, &def, keywords, "add_bonds") ||
        !world_ready(self))
        return NULL;
    scree_status status = scree_world_add_bonds(((World *)self)->world, &def, &made);
    return status ? world_done((World *)self, status) : PyLong_FromUnsignedLongLong(made);
}

static PyObject *bonds(PyObject *self, PyObject *unused)
{
    const scree_bond *list;
    size_t count;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_status status = scree_world_bonds(((World *)self)->world, &list, &count);
    return status ? world_done((World *)self, status)
                  : field_array(bond_fields, list, sizeof *list, count);
}

static PyObject *bond_counts(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_bond_counts counts = scree_world_bond_counts(((World *)self)->world);
    return field_dict(bond_counts_fields, &counts);
}

static PyObject *breaks(PyObject *self, PyObject *unused)
{
    const scree_break *list;
    size_t count;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_status status = scree_world_breaks(((World *)self)->world, &list, &count);
    return status ? world_done((World *)self, status)
                  : field_array(break_fields, list, sizeof *list, count);
}

static PyObject *forget_breaks(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_forget_breaks(((World *)self)->world);
    Py_RETURN_NONE;
}

PyMethodDef contact_methods[] = {
    {"_contacts", KEYWORDS(contacts), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_events", events, METH_NOARGS, NULL},
    {"add_bonds", KEYWORDS(add_bonds), METH_VARARGS | METH_KEYWORDS,
     "add_bonds(gap=0, groups=all, first=0, second=0): glues spheres whose law is \"bonded\"; "
     "returns how many "
     "bonds were made."},
    {"bonds", bonds, METH_NOARGS, "Bonds that hold, and those that broke nearby."},
    {"_bond_counts", bond_counts, METH_NOARGS, NULL},
    {"breaks", breaks, METH_NOARGS, "Bonds that broke, since forget_breaks() or ever."},
    {"forget_breaks", forget_breaks, METH_NOARGS, "Empties the list of breaks."},
    {NULL, NULL, 0, NULL}};
