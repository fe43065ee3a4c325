/*  A fluid, and force fields. */
#include "module.h"

/*  A flow on a grid: a dict of count, lower and spacing, and an array of velocities, which `view` holds. */
static int read_flow(PyObject *grid, PyObject *nodes, scree_flow_grid *flow, Py_buffer *view)
{
    const Py_ssize_t most = PY_SSIZE_T_MAX / 16;
    Py_ssize_t count = 3;

    if (!PyDict_Check(grid)) {
        PyErr_SetString(PyExc_TypeError, "flow must be a dict");
        return -1;
    }
    if (field_fill(flow_fields, flow, grid, "flow"))
        return -1;
    for (int k = 0; k < 3; k++)
        count = flow->count[k] && count > most / flow->count[k] ? most : count * flow->count[k];
    if (array_get(nodes, 'd', count, "flow: velocity", view))
        return -1;
    flow->velocity = (const double(*)[3])view->buf;
    return 0;
}

/*  _set_fluid(None if there is to be none, grid, velocities, **options) */
static PyObject *set_fluid(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_fluid_def fluid = scree_default_fluid_def();
    scree_flow_grid flow = {{1, 1, 1}, {0, 0, 0}, {1, 1, 1}, NULL};
    PyObject *wanted, *grid, *nodes, *done = NULL;
    Py_buffer view = {0};

    if (!PyArg_ParseTuple(args, "OOO", &wanted, &grid, &nodes) ||
        field_fill(fluid_fields, &fluid, keywords, "set_fluid") ||
        (grid != Py_None && read_flow(grid, nodes, &flow, &view)))
        return NULL;
    fluid.flow = grid == Py_None ? NULL : &flow;
    if (world_ready(self))
        done = world_done((World *)self, scree_world_set_fluid(((World *)self)->world,
                                                               wanted == Py_None ? NULL : &fluid));
    array_done(&view);
    return done;
}

/*  Adds a flow on a grid to the dict: a dict of count, lower and spacing, and its velocities as bytes. */
static PyObject *with_flow(PyObject *dict, const scree_flow_grid *flow)
{
    PyObject *grid, *bytes = NULL;
    size_t nodes;

    if (!dict || !flow)
        return dict;
    nodes = (size_t)flow->count[0] * flow->count[1] * flow->count[2];
    grid = field_dict(flow_fields, flow);
    if (grid)
        bytes = PyBytes_FromStringAndSize((const char *)flow->velocity,
                                          (Py_ssize_t)(nodes * sizeof *flow->velocity));
    if (!bytes || PyDict_SetItemString(grid, "velocity", bytes) ||
        PyDict_SetItemString(dict, "flow", grid))
        Py_CLEAR(dict);
    Py_XDECREF(bytes);
    Py_XDECREF(grid);
    return dict;
}

static PyObject *get_fluid(PyObject *self, PyObject *unused)
{
    scree_fluid_def fluid;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    if (!scree_world_get_fluid(((World *)self)->world, &fluid))
        Py_RETURN_NONE;
    return with_flow(field_dict(fluid_fields, &fluid), fluid.flow);
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
