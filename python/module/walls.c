/*  Walls, how they move, and what bodies do to them. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

static PyObject *wall_number(scree_wall_id id)
{
    uint64_t number;

    memcpy(&number, &id, sizeof number);
    return PyLong_FromUnsignedLongLong(number);
}

static int parse_id(PyObject *args, scree_wall_id *id)
{
    unsigned long long number;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number))
        return -1;
    memcpy(id, &number, sizeof *id);
    return 0;
}

/*  _add_wall(mesh or None, material, point, normal, orientation, groups, mask, user, path) */
static PyObject *add_wall(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    scree_wall_def def = scree_default_wall_def();
    PyObject *mesh, *path;
    unsigned long long groups, mask, user;
    path_hold held = {.count = 0};
    scree_wall_id id;
    double *p = def.point, *n = def.normal, *q = def.orientation;

    if (!PyArg_ParseTuple(args, "OI(ddd)(ddd)(dddd)KKKO!", &mesh, &def.material.index1, p, p + 1,
                          p + 2, n, n + 1, n + 2, q, q + 1, q + 2, q + 3, &groups, &mask, &user,
                          &PyDict_Type, &path) ||
        !world_ready(self))
        return NULL;
    if (mesh != Py_None) {
        if (!PyObject_IsInstance(mesh, (PyObject *)Mesh_type)) {
            PyErr_SetString(PyExc_TypeError, "mesh must be a Mesh");
            return NULL;
        }
        def.kind = SCREE_WALL_MESH;
        def.mesh = ((Mesh *)mesh)->mesh;
    }
    def.groups = groups;
    def.mask = mask;
    def.user = user;
    if (path_fill(w, &def.path, path, &held) || !world_ready(self)) {
        path_done(&held);
        return NULL;
    }
    scree_status status = scree_world_add_wall(w->world, &def, &id);
    path_done(&held);
    if (status || w->error)
        return world_done(w, status ? status : SCREE_BAD_VALUE);
    return wall_number(id);
}

static PyObject *remove_wall(PyObject *self, PyObject *args)
{
    scree_wall_id id;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_remove_wall(((World *)self)->world, id));
}

/*  _set_wall_path(id, path) */
static PyObject *set_path(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    unsigned long long number;
    PyObject *values;
    scree_wall_id id;
    scree_wall_path path = scree_default_wall_def().path;
    path_hold held = {.count = 0};

    if (!PyArg_ParseTuple(args, "O&O!", to_u64, &number, &PyDict_Type, &values) ||
        !world_ready(self))
        return NULL;
    if (path_fill(w, &path, values, &held) || !world_ready(self)) {
        path_done(&held);
        return NULL;
    }
    memcpy(&id, &number, sizeof id);
    scree_status status = scree_world_set_wall_path(w->world, id, &path);
    path_done(&held);
    return world_done(w, status);
}

/*  _path_place(time, path): shift and quaternion */
static PyObject *path_place(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    double time, shift[3], turn[4];
    PyObject *values;
    scree_wall_path path = scree_default_wall_def().path;
    path_hold held = {.count = 0, .is_question = true};
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "dO!", &time, &PyDict_Type, &values) || !world_ready(self))
        return NULL;
    scree_status status = SCREE_OK;
    bool is_read = !path_fill(w, &path, values, &held) && world_ready(self);
    if (is_read)
        status = scree_wall_path_place(&path, time, shift, turn, &error);
    path_done(&held);
    if (!is_read)
        return NULL;
    if (status || w->error)
        return w->error ? world_done(w, SCREE_BAD_VALUE) : raise_status(status, error.text);
    return Py_BuildValue("(ddd)(dddd)", shift[0], shift[1], shift[2], turn[0], turn[1], turn[2],
                         turn[3]);
}

static PyObject *set_servo(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_wall_servo_def servo = scree_default_wall_servo_def();
    unsigned long long number;
    PyObject *none = NULL;
    scree_wall_id id;

    if (!PyArg_ParseTuple(args, "O&|O", to_u64, &number, &none) ||
        field_fill(servo_fields, &servo, keywords, "set_wall_servo") || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    return world_done((World *)self, scree_world_set_wall_servo(((World *)self)->world, id,
                                                                none == Py_None ? NULL : &servo));
}

static PyObject *set_belt(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_wall_belt_def belt = scree_default_wall_belt_def();
    unsigned long long number;
    PyObject *none = NULL;
    scree_wall_id id;

    if (!PyArg_ParseTuple(args, "O&|O", to_u64, &number, &none) ||
        field_fill(belt_fields, &belt, keywords, "set_wall_belt") || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    return world_done((World *)self, scree_world_set_wall_belt(((World *)self)->world, id,
                                                               none == Py_None ? NULL : &belt));
}

static PyObject *set_loose(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_free_wall_def loose = scree_default_free_wall_def();
    unsigned long long number;
    PyObject *none = NULL;
    scree_wall_id id;

    if (!PyArg_ParseTuple(args, "O&|O", to_u64, &number, &none) ||
        field_fill(loose_fields, &loose, keywords, "set_free_wall") || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    return world_done((World *)self, scree_world_set_free_wall(((World *)self)->world, id,
                                                               none == Py_None ? NULL : &loose));
}

static PyObject *get_wall(PyObject *self, PyObject *args)
{
    scree_wall_id id;
    scree_wall wall;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_wall(((World *)self)->world, id, &wall);
    return status ? world_done((World *)self, status) : field_dict(wall_fields, &wall);
}

/*  What is on is a dict; None: it is off. An id that names no wall is refused, as by wall(). */
static PyObject *get_servo(PyObject *self, PyObject *args)
{
    scree_wall_id id;
    scree_wall wall;
    scree_wall_servo_def servo;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_wall(((World *)self)->world, id, &wall);
    if (status || !scree_world_get_wall_servo(((World *)self)->world, id, &servo))
        return world_done((World *)self, status);
    return field_dict(servo_fields, &servo);
}

static PyObject *get_belt(PyObject *self, PyObject *args)
{
    scree_wall_id id;
    scree_wall wall;
    scree_wall_belt_def belt;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_wall(((World *)self)->world, id, &wall);
    if (status || !scree_world_get_wall_belt(((World *)self)->world, id, &belt))
        return world_done((World *)self, status);
    return field_dict(belt_fields, &belt);
}

static PyObject *get_free_wall(PyObject *self, PyObject *args)
{
    scree_wall_id id;
    scree_wall wall;
    scree_free_wall_def def;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_wall(((World *)self)->world, id, &wall);
    if (status || !scree_world_get_free_wall(((World *)self)->world, id, &def))
        return world_done((World *)self, status);
    return field_dict(loose_fields, &def);
}

static PyObject *walls(PyObject *self, PyObject *unused)
{
    scree_world *world = world_ready(self);

    (void)unused;
    if (!world)
        return NULL;
    size_t count = scree_world_walls(world, NULL, 0);
    scree_wall_id *ids = malloc((count ? count : 1) * sizeof *ids);
    if (!ids)
        return PyErr_NoMemory();
    scree_world_walls(world, ids, count);
    PyObject *array = array_copy("u8", ids, count, 0, sizeof *ids);
    free(ids);
    return array;
}

/*  _wall_loads(id, count) */
static PyObject *wall_loads(PyObject *self, PyObject *args)
{
    unsigned long long number;
    scree_wall_id id;
    scree_wall wall;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    World *w = (World *)self;
    scree_status status = scree_world_get_wall(w->world, id, &wall);
    if (status)
        return world_done(w, status);
    size_t count = wall.mesh ? scree_mesh_describe(wall.mesh).facet_count : 1;
    scree_facet_load *loads = calloc(count, sizeof *loads);
    status = loads ? scree_world_wall_loads(w->world, id, loads, count) : SCREE_OUT_OF_MEMORY;
    PyObject *array = status ? world_done(w, status)
                             : field_array(facet_load_fields, loads, sizeof *loads, count);
    free(loads);
    return array;
}

/* ---- wear ---- */

static PyObject *set_wear(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_wear_def wear = scree_default_wear_def();
    unsigned long long number;
    PyObject *none = NULL;
    scree_wall_id id;

    if (!PyArg_ParseTuple(args, "O&|O", to_u64, &number, &none) ||
        field_fill(wear_fields, &wear, keywords, "set_wall_wear") || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    return world_done((World *)self, scree_world_set_wear(((World *)self)->world, id,
                                                          none == Py_None ? NULL : &wear));
}

static PyObject *get_wear(PyObject *self, PyObject *args)
{
    scree_wall_id id;
    scree_wall wall;
    scree_wear_def wear;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_wall(((World *)self)->world, id, &wall);
    if (status || !scree_world_get_wear(((World *)self)->world, id, &wear))
        return world_done((World *)self, status);
    return field_dict(wear_fields, &wear);
}

/*  wear(id) */
static PyObject *facet_wear(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    scree_wall_id id;
    scree_wall wall;

    if (parse_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_wall(w->world, id, &wall);
    if (status)
        return world_done(w, status);
    size_t count = wall.mesh ? scree_mesh_describe(wall.mesh).facet_count : 1;
    scree_facet_wear *wear = calloc(count, sizeof *wear);
    status = wear ? scree_world_wear(w->world, id, wear, count) : SCREE_OUT_OF_MEMORY;
    PyObject *array =
        status ? world_done(w, status) : field_array(facet_wear_fields, wear, sizeof *wear, count);
    free(wear);
    return array;
}

/*  _worn_mesh(type, id, times) */
static PyObject *worn_mesh(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    PyObject *type;
    unsigned long long number;
    double times;
    scree_wall_id id;
    scree_mesh *mesh;

    if (!PyArg_ParseTuple(args, "OO&d", &type, to_u64, &number, &times) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    scree_status status = scree_world_worn_mesh(w->world, id, times, &mesh);
    return status ? world_done(w, status) : mesh_object((PyTypeObject *)type, mesh);
}

PyMethodDef wall_methods[] = {
    {"_path_place", path_place, METH_VARARGS, NULL},
    {"_add_wall", add_wall, METH_VARARGS, NULL},
    {"remove_wall", remove_wall, METH_VARARGS, "remove_wall(id)"},
    {"_set_wall_path", set_path, METH_VARARGS, NULL},
    {"_set_wall_servo", KEYWORDS(set_servo), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_set_wall_belt", KEYWORDS(set_belt), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_set_free_wall", KEYWORDS(set_loose), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_wall_servo", get_servo, METH_VARARGS, NULL},
    {"_wall_belt", get_belt, METH_VARARGS, NULL},
    {"_set_wall_wear", KEYWORDS(set_wear), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_wall_wear", get_wear, METH_VARARGS, NULL},
    {"_wear", facet_wear, METH_VARARGS, NULL},
    {"_worn_mesh", worn_mesh, METH_VARARGS, NULL},
    {"_free_wall", get_free_wall, METH_VARARGS, NULL},
    {"_wall", get_wall, METH_VARARGS, NULL},
    {"walls", walls, METH_NOARGS, "Ids of walls, in the order they were added."},
    {"wall_loads", wall_loads, METH_VARARGS,
     "wall_loads(id): what bodies did to each facet in the last step; a structured array."},
    {NULL, NULL, 0, NULL}};
