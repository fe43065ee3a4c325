/*  Coarse-grained fields and loads of walls on a grid. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static size_t cells_of(const scree_fields_def *def)
{
    return (size_t)def->cells[0] * def->cells[1] * def->cells[2];
}

/*  _add_fields(sums or None, weight, **grid): array of sums, which is the given one with more added */
static PyObject *add_fields(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_fields_def def = scree_default_fields_def();
    PyObject *given;
    double weight;
    Py_buffer before;

    if (!PyArg_ParseTuple(args, "Od", &given, &weight) ||
        field_fill(grid_fields, &def, keywords, "fields"))
        return NULL;
    size_t count = cells_of(&def);
    if (count > (size_t)1 << 31) {
        PyErr_SetString(PyExc_ValueError, "more than 2^31 cells");
        return NULL;
    }
    Py_ssize_t numbers = (Py_ssize_t)(count * sizeof(scree_field) / 8);
    if (array_get(given, 'd', numbers, "sums", &before) || !world_ready_with(self, &before))
        return NULL;
    scree_field *sums = calloc(count ? count : 1, sizeof *sums);
    if (!sums) {
        array_done(&before);
        return PyErr_NoMemory();
    }
    if (before.buf)
        memcpy(sums, before.buf, count * sizeof *sums);
    array_done(&before);
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_add_fields(w->world, &def, weight, sums, count);
    world_end(w, thread);
    if (status) {
        free(sums);
        return world_done(w, status);
    }
    return array_take("d", sums, count, sizeof *sums / 8, 8);
}

/*  _read_fields(sums, dimensions): a structured array */
static PyObject *read_fields(PyObject *self, PyObject *args)
{
    PyObject *given;
    int dimensions;
    Py_buffer sums;

    (void)self;
    if (!PyArg_ParseTuple(args, "Oi", &given, &dimensions) ||
        array_get(given, 'd', -1, "sums", &sums))
        return NULL;
    size_t count = (size_t)sums.len / sizeof(scree_field);
    scree_field_values *values = malloc((count ? count : 1) * sizeof *values);
    for (size_t i = 0; values && i < count; i++)
        values[i] = scree_field_read((const scree_field *)sums.buf + i, dimensions);
    array_done(&sums);
    PyObject *array =
        values ? field_array(values_fields, values, sizeof *values, count) : PyErr_NoMemory();
    free(values);
    return array;
}

/*  _write_fields(path, sums, **grid) */
static PyObject *write_fields(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_fields_def def = scree_default_fields_def();
    const char *path;
    PyObject *given;
    Py_buffer sums;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "sO", &path, &given) ||
        field_fill(grid_fields, &def, keywords, "fields") ||
        array_get(given, 'd', -1, "sums", &sums) || !world_ready_with(self, &sums))
        return NULL;
    World *w = (World *)self;
    scree_status status =
        scree_export_fields(&def, w->dimensions, scree_world_clock(w->world).time, sums.buf,
                            (size_t)sums.len / sizeof(scree_field), path, &error);
    array_done(&sums);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

/*  _wall_field(id, path or None, **grid): structured array, or None where it is written to a file */
static PyObject *wall_field(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_fields_def def = scree_default_fields_def();
    unsigned long long number;
    const char *path;
    scree_wall_id id;
    scree_error error = {0};
    PyObject *result = NULL;

    if (!PyArg_ParseTuple(args, "O&z", to_u64, &number, &path) ||
        field_fill(grid_fields, &def, keywords, "wall_field") || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    size_t count = cells_of(&def);
    scree_wall_load *loads = calloc(count ? count : 1, sizeof *loads);
    if (!loads)
        return PyErr_NoMemory();
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_add_wall_loads(w->world, id, &def, 1, loads, count);
    world_end(w, thread);
    if (status)
        result = world_done(w, status);
    else if (!path)
        result = field_array(wall_load_fields, loads, sizeof *loads, count);
    else if ((status =
                  scree_export_wall_loads(&def, w->dimensions, scree_world_clock(w->world).time,
                                          loads, count, path, &error)))
        result = raise_status(status, error.text);
    else
        result = Py_NewRef(Py_None);
    free(loads);
    return result;
}

static PyObject *solid_volume(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    double c[3], radius, volume;

    if (!PyArg_ParseTuple(args, "(ddd)d", c, c + 1, c + 2, &radius) || !world_ready(self))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_solid_volume(w->world, c, radius, &volume);
    world_end(w, thread);
    return status ? world_done(w, status) : PyFloat_FromDouble(volume);
}

PyMethodDef grid_methods[] = {
    {"_add_fields", KEYWORDS(add_fields), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_read_fields", read_fields, METH_VARARGS, NULL},
    {"_write_fields", KEYWORDS(write_fields), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_wall_field", KEYWORDS(wall_field), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_solid_volume", solid_volume, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};
