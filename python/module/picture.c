/*  Pictures of worlds: pixels as an array, and PNG files in memory. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static double own_value(const scree_bodies_view *bodies, size_t row, void *user)
{
    (void)bodies;
    return ((const double *)user)[row];
}

/*  A definition from keywords, and values for bodies, to be let go with array_done; -1 with an exception. */
static int fill_def(World *w, scree_picture_def *def, PyObject *values, PyObject *keywords,
                    Py_buffer *own)
{
    *def = scree_default_picture_def();
    if (field_fill(picture_fields, def, keywords, "picture") || !world_ready((PyObject *)w) ||
        array_get(values, 'd', (Py_ssize_t)scree_world_body_count(w->world), "values", own) ||
        !world_ready_with((PyObject *)w, own))
        return -1;
    if (own->buf) {
        def->own_field = own_value;
        def->own_user = own->buf;
    }
    return 0;
}

static scree_picture *draw(World *w, PyObject *values, PyObject *keywords)
{
    scree_picture_def def;
    Py_buffer own;
    scree_picture *picture = NULL;
    scree_error error = {0};

    if (fill_def(w, &def, values, keywords, &own))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_picture_draw(w->world, &def, &picture, &error);
    world_end(w, thread);
    array_done(&own);
    if (status)
        raise_status(status, error.text);
    return picture;
}

/*  _picture_frame(values or None, **def): range of the colours, lower and upper corner of what is fitted */
static PyObject *picture_frame(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_picture_def def;
    PyObject *values;
    Py_buffer own;
    scree_error error = {0};
    double range[2], walls[2], l[3], u[3];

    if (!PyArg_ParseTuple(args, "O", &values) || fill_def(w, &def, values, keywords, &own))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_picture_range(w->world, &def, range, &error);
    if (!status)
        status = scree_picture_box(w->world, &def, l, u, &error);
    if (!status)
        status = scree_picture_wall_range(w->world, &def, walls, &error);
    world_end(w, thread);
    array_done(&own);
    if (status)
        return raise_status(status, error.text);
    return Py_BuildValue("(dd)(ddd)(ddd)(dd)", range[0], range[1], l[0], l[1], l[2], u[0], u[1],
                         u[2], walls[0], walls[1]);
}

/*  _picture(values or None, **def): pixels (height, width, 3), range, bodies */
static PyObject *picture(PyObject *self, PyObject *args, PyObject *keywords)
{
    PyObject *values;

    if (!PyArg_ParseTuple(args, "O", &values))
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

    if (!PyArg_ParseTuple(args, "O", &values))
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
    {"_picture_frame", KEYWORDS(picture_frame), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_png", KEYWORDS(png), METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}};
