/*  A fluid, and force fields. */
#include "module.h"

static PyObject *set_fluid(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_fluid_def fluid = scree_default_fluid_def();
    PyObject *none = NULL;

    if (!PyArg_ParseTuple(args, "|O", &none) ||
        field_fill(fluid_fields, &fluid, keywords, "set_fluid") || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_fluid(((World *)self)->world,
                                                           none == Py_None ? NULL : &fluid));
}

static PyObject *get_fluid(PyObject *self, PyObject *unused)
{
    scree_fluid_def fluid;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    if (!scree_world_get_fluid(((World *)self)->world, &fluid))
        Py_RETURN_NONE;
    return field_dict(fluid_fields, &fluid);
}

static PyObject *add_force_field(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_force_field_def force_field = scree_default_force_field_def();

    if (!PyArg_ParseTuple(args, "") ||
        field_fill(force_field_fields, &force_field, keywords, "add_force_field") ||
        !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_add_force_field(((World *)self)->world, &force_field));
}

static PyObject *clear_force_fields(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_clear_force_fields(((World *)self)->world);
    Py_RETURN_NONE;
}

static PyObject *force_fields(PyObject *self, PyObject *unused)
{
    PyObject *list;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    list = PyList_New(0);
    for (uint32_t k = 0; list && k < scree_world_force_field_count(((World *)self)->world); k++) {
        scree_force_field_def read;
        PyObject *item = NULL;
        if (!scree_world_get_force_field(((World *)self)->world, k, &read))
            item = field_dict(force_field_fields, &read);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

PyMethodDef ambient_methods[] = {
    {"_set_fluid", KEYWORDS(set_fluid), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_get_fluid", get_fluid, METH_NOARGS, NULL},
    {"_add_force_field", KEYWORDS(add_force_field), METH_VARARGS | METH_KEYWORDS, NULL},
    {"clear_force_fields", clear_force_fields, METH_NOARGS, "Removes all force fields."},
    {"force_fields", force_fields, METH_NOARGS, "The force fields, a list of dicts."},
    {NULL, NULL, 0, NULL}};
