/*  Pictures of worlds: pixels as an array, and PNG files in memory. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static double own_value(const scree_bodies_view *bodies, size_t row, void *user)
{
    (void)bodies;
    return ((const double *)user)[row];
}

static scree_picture *draw(World *w, PyObject *values, PyObject *keywords)
{
    scree_picture_def def = scree_default_picture_def();
    Py_buffer own;
    scree_picture *picture = NULL;
    scree_error error = {0};

    if (field_fill(picture_fields, &def, keywords, "picture") ||
        array_get(values, 'd', (Py_ssize_t)scree_world_body_count(w->world), "values", &own))
        return NULL;
    if (own.buf) {
        def.own_field = own_value;
        def.own_user = own.buf;
    }
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_picture_draw(w->world, &def, &picture, &error);
    world_end(w, thread);
    array_done(&own);
    if (status)
        raise_status(status, error.text);
    return picture;
}

/*  _picture(values or None, **def): pixels (height, width, 3), range, bodies */
static PyObject *picture(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *values;

    if (!PyArg_ParseTuple(args, "O", &values) || !world_ready(self))
        return NULL;
    scree_picture *made = draw((World *)self, values, keywords);
    if (!made)
        return NULL;
    scree_picture_info info = scree_picture_describe(made);
    Py_ssize_t shape[3] = {info.height, info.width, 3};
    Py_buffer memory;
    PyObject *array = array_new("u1", 3, shape, &memory);
    if (array) {
        memcpy(memory.buf, info.pixels, (size_t)memory.len);
        PyBuffer_Release(&memory);
    }
    scree_picture_destroy(made);
    if (!array)
        return NULL;
    return Py_BuildValue("N(dd)K", array, info.range[0], info.range[1],
                         (unsigned long long)info.bodies);
}

/*  _png(values or None, **def): bytes */
static PyObject *png(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *values, *result = NULL;
    uint8_t *bytes = NULL;
    size_t count = 0;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "O", &values) || !world_ready(self))
        return NULL;
    scree_picture *made = draw((World *)self, values, keywords);
    if (!made)
        return NULL;
    scree_picture_info info = scree_picture_describe(made);
    scree_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = scree_png_encode(info.pixels, info.width, info.height, NULL, &bytes, &count, &error);
    Py_END_ALLOW_THREADS;
    if (status)
        raise_status(status, error.text);
    else
        result = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)count);
    free(bytes);
    scree_picture_destroy(made);
    return result;
}

PyMethodDef picture_methods[] = {
    {"_picture", KEYWORDS(picture), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_png", KEYWORDS(png), METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}};
