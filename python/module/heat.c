/*  Temperatures, and heat that flows. */
#include "module.h"

#include <string.h>

static PyObject *set_heat(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_heat_def heat = scree_default_heat_def();
    PyObject *none = NULL;

    if (!PyArg_ParseTuple(args, "|O", &none) ||
        field_fill(heat_fields, &heat, keywords, "set_heat") || !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_set_heat(((World *)self)->world, none == Py_None ? NULL : &heat));
}

static PyObject *get_heat(PyObject *self, PyObject *unused)
{
    scree_heat_def heat;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    if (!scree_world_get_heat(((World *)self)->world, &heat))
        Py_RETURN_NONE;
    return field_dict(heat_fields, &heat);
}

static PyObject *set_material_heat(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_material_heat_def heat = scree_default_material_heat_def();
    unsigned material;

    if (!PyArg_ParseTuple(args, "I", &material) ||
        field_fill(material_heat_fields, &heat, keywords, "set_material_heat") ||
        !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_set_material_heat(((World *)self)->world,
                                                    (scree_material_id){material}, &heat));
}

static PyObject *get_body_heat(PyObject *self, PyObject *args)
{
    unsigned long long number;
    scree_body_id id;
    scree_body_heat heat;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    scree_status status = scree_world_get_body_heat(((World *)self)->world, id, &heat);
    return status ? world_done((World *)self, status) : field_dict(body_heat_fields, &heat);
}

static PyObject *set_body_heat(PyObject *self, PyObject *args, PyObject *keywords)
{
    unsigned long long number;
    scree_body_id id;
    scree_body_heat heat;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    /* what is not said stays */
    scree_status status = scree_world_get_body_heat(((World *)self)->world, id, &heat);
    if (status)
        return world_done((World *)self, status);
    if (field_fill(body_heat_fields, &heat, keywords, "set_body_heat") || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_body_heat(((World *)self)->world, id, &heat));
}

static PyObject *get_wall_heat(PyObject *self, PyObject *args)
{
    unsigned long long number;
    scree_wall_id id;
    scree_wall_heat heat;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    scree_status status = scree_world_get_wall_heat(((World *)self)->world, id, &heat);
    return status ? world_done((World *)self, status) : field_dict(wall_heat_fields, &heat);
}

/*  _set_wall_heat(id, temperature or None) */
static PyObject *set_wall_heat(PyObject *self, PyObject *args)
{
    unsigned long long number;
    PyObject *temperature;
    scree_wall_id id;
    scree_wall_heat heat = {0};

    if (!PyArg_ParseTuple(args, "O&O", to_u64, &number, &temperature))
        return NULL;
    memcpy(&id, &number, sizeof id);
    heat.is_given = temperature != Py_None;
    if (heat.is_given && read_reals(temperature, &heat.temperature, 1, "temperature"))
        return NULL;
    if (!world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_wall_heat(((World *)self)->world, id, &heat));
}

PyMethodDef heat_methods[] = {
    {"_set_heat", KEYWORDS(set_heat), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_get_heat", get_heat, METH_NOARGS, NULL},
    {"set_material_heat", KEYWORDS(set_material_heat), METH_VARARGS | METH_KEYWORDS,
     "set_material_heat(material, conductivity=0, capacity=0, young=0)"},
    {"_body_heat", get_body_heat, METH_VARARGS, NULL},
    {"set_body_heat", KEYWORDS(set_body_heat), METH_VARARGS | METH_KEYWORDS,
     "set_body_heat(id, temperature=..., source=..., is_held=...): what is not given stays."},
    {"_wall_heat", get_wall_heat, METH_VARARGS, NULL},
    {"_set_wall_heat", set_wall_heat, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
