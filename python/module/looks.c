/*  What bodies and walls look like, for viewers: triangles and pebbles, and which body has which. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/*  Points, corners of facets and frame of a mesh: (inward, origin, quaternion, vertices, facets). */
static PyObject *look_of_mesh(const scree_shape *shape)
{
    scree_mesh_info info = scree_mesh_describe(shape->mesh);
    scree_mesh_solid s;

    /* what encloses nothing has no frame of its own */
    if (scree_mesh_solid_of(shape->mesh, 1, &s, NULL))
        Py_RETURN_NONE;
    const double *o = s.centre, *q = s.orientation;
    return Py_BuildValue("O(ddd)(dddd)NN", s.inward ? Py_True : Py_False, o[0], o[1], o[2], q[0],
                         q[1], q[2], q[3], array_copy("f8", info.vertices, info.vertex_count, 3, 8),
                         array_copy("u4", info.facets, info.facet_count, (size_t)info.corners, 4));
}

/*  The same of a clump: (False, origin, quaternion, pebbles, None). */
static PyObject *look_of_clump(const scree_shape *shape)
{
    scree_clump_info info = scree_clump_describe(shape->clump);
    double o[3], q[4];

    if (scree_shape_frame(shape, o, q, NULL))
        Py_RETURN_NONE;
    return Py_BuildValue("O(ddd)(dddd)NO", Py_False, o[0], o[1], o[2], q[0], q[1], q[2], q[3],
                         array_copy("f8", info.pebbles, info.pebble_count, 4, 8), Py_None);
}

/*  The number of a shape from 1, new ones being added to `list`; 0 with an exception. */
static uint32_t number_of(PyObject *known, PyObject *list, const scree_shape *shape)
{
    bool is_clump = shape->kind == SCREE_SHAPE_CLUMP;
    const void *at = is_clump ? (const void *)shape->clump : (const void *)shape->mesh;
    PyObject *key = PyLong_FromVoidPtr((void *)(uintptr_t)at);
    PyObject *found = key ? PyDict_GetItemWithError(known, key) : NULL;
    uint32_t number = found ? (uint32_t)PyLong_AsUnsignedLong(found) : 0;

    if (key && !found && !PyErr_Occurred()) {
        PyObject *look = is_clump ? look_of_clump(shape) : look_of_mesh(shape);
        PyObject *next = look ? PyLong_FromSsize_t(PyList_Size(list) + 1) : NULL;
        if (next && !PyList_Append(list, look) && !PyDict_SetItem(known, key, next))
            number = (uint32_t)PyList_Size(list);
        Py_XDECREF(next);
        Py_XDECREF(look);
    }
    Py_XDECREF(key);
    return number;
}

static int fill_numbers(World *w, PyObject *known, PyObject *list, uint32_t *numbers)
{
    scree_bodies_view view = scree_world_bodies(w->world);
    scree_body body;

    for (size_t i = 0; i < view.count; i++) {
        numbers[i] = 0;
        if (!scree_world_get_body(w->world, scree_body_id_at(view.id, i), &body) &&
            body.shape.kind != SCREE_SHAPE_SPHERE &&
            !(numbers[i] = number_of(known, list, &body.shape)))
            return -1;
    }
    return 0;
}

/*  _looks(): for each row the number of its shape, 0 for a sphere, and shapes from 1, None where balls are all there is */
static PyObject *looks(PyObject *self, PyObject *unused)
{
    World *w = (World *)self;
    Py_buffer memory;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    Py_ssize_t count = (Py_ssize_t)scree_world_body_count(w->world);
    PyObject *known = PyDict_New(), *list = PyList_New(0);
    PyObject *numbers = known && list ? array_new("u4", 1, &count, &memory) : NULL;
    PyObject *result = NULL;
    if (numbers) {
        if (!fill_numbers(w, known, list, memory.buf))
            result = Py_BuildValue("OO", numbers, list);
        PyBuffer_Release(&memory);
    }
    Py_XDECREF(numbers);
    Py_XDECREF(list);
    Py_XDECREF(known);
    return result;
}

/*  _wall_look(id): vertices and facets of a wall; None of a plane */
static PyObject *wall_look(PyObject *self, PyObject *args)
{
    unsigned long long number;
    scree_wall_id id;
    scree_wall wall;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    scree_status status = scree_world_get_wall(((World *)self)->world, id, &wall);
    if (status)
        return world_done((World *)self, status);
    if (wall.kind == SCREE_WALL_PLANE)
        Py_RETURN_NONE;
    scree_mesh_info info = scree_mesh_describe(wall.mesh);
    return Py_BuildValue("NN", array_copy("f8", info.vertices, info.vertex_count, 3, 8),
                         array_copy("u4", info.facets, info.facet_count, (size_t)info.corners, 4));
}

PyMethodDef look_methods[] = {{"_looks", looks, METH_NOARGS, NULL},
                              {"_wall_look", wall_look, METH_VARARGS, NULL},
                              {NULL, NULL, 0, NULL}};
