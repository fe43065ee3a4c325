/*  Bodies in bulk from arrays, and one by one. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* ---- columns of what is given --------------------------------------------------------------------------- */

typedef enum column
{
    POSITION,
    VELOCITY,
    SPIN,
    ORIENTATION,
    RADIUS,
    MASS,
    INERTIA,
    GROUPS,
    MASK,
    SERIAL,
    USER,
    MATERIAL,
    FLAGS,
    SHAPE,
    LOAD,
    TYPE,
    COLUMNS,
} column;

static const struct
{
    const char *name;
    char type;
    int width;
} columns[COLUMNS] = {
    {"position", 'd', 3}, {"velocity", 'd', 3}, {"spin", 'd', 3},    {"orientation", 'd', 4},
    {"radius", 'd', 1},   {"mass", 'd', 1},     {"inertia", 'd', 3}, {"groups", 'Q', 1},
    {"mask", 'Q', 1},     {"serial", 'Q', 1},   {"user", 'Q', 1},    {"material", 'I', 1},
    {"flags", 'I', 1},    {"shape", 'I', 1},    {"load", 'd', 6},    {"type", 'I', 1},
};

static void release(Py_buffer *views)
{
    for (int i = 0; i < COLUMNS; i++)
        array_done(&views[i]);
}

static int get_columns(PyObject *dict, Py_ssize_t rows, Py_buffer *views)
{
    memset(views, 0, COLUMNS * sizeof *views);
    for (int i = 0; i < COLUMNS; i++)
        if (array_get(PyDict_GetItemString(dict, columns[i].name), columns[i].type,
                      rows * columns[i].width, columns[i].name, &views[i])) {
            release(views);
            return -1;
        }
    return 0;
}

static const double *reals(const Py_buffer *views, column which, size_t row)
{
    return views[which].buf ? (const double *)views[which].buf + row * (size_t)columns[which].width
                            : NULL;
}

static void copy_reals(const Py_buffer *views, column which, size_t row, double *to)
{
    const double *from = reals(views, which, row);

    if (from)
        memcpy(to, from, (size_t)columns[which].width * sizeof *to);
}

static void copy_u64(const Py_buffer *views, column which, size_t row, uint64_t *to)
{
    if (views[which].buf)
        *to = ((const uint64_t *)views[which].buf)[row];
}

static void copy_u32(const Py_buffer *views, column which, size_t row, uint32_t *to)
{
    if (views[which].buf)
        *to = ((const uint32_t *)views[which].buf)[row];
}

static scree_body_type type_at(const Py_buffer *views, size_t row, scree_body_type otherwise)
{
    uint32_t type = otherwise;

    copy_u32(views, TYPE, row, &type);
    return (scree_body_type)type;
}

/* ---- adding --------------------------------------------------------------------------------------------- */

/*  shapes: a list of (kind, Mesh or Clump, skin), kind "mesh", "block", "superquadric" or "clump". */
static int get_shapes(PyObject *list, scree_shape *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        PyObject *item = PyList_GetItem(list, (Py_ssize_t)i), *object;
        const char *kind;
        double skin;
        if (!item || !PyArg_ParseTuple(item, "sOd", &kind, &object, &skin))
            return -1;
        bool is_clump = !strcmp(kind, "clump");
        int fits = PyObject_IsInstance(object, (PyObject *)(is_clump ? Clump_type : Mesh_type));
        if (fits <= 0) {
            PyErr_Format(PyExc_TypeError, "a %s must be made of a %s", kind,
                         is_clump ? "Clump" : "Mesh");
            return -1;
        }
        shapes[i] = is_clump                 ? scree_shape_clump(((Clump *)object)->clump)
                    : !strcmp(kind, "block") ? scree_shape_block(((Mesh *)object)->mesh, skin)
                    : !strcmp(kind, "superquadric")
                        ? scree_shape_superquadric(((Mesh *)object)->mesh)
                        : scree_shape_mesh(((Mesh *)object)->mesh, skin);
    }
    return 0;
}

static void fill_def(scree_body_def *def, const Py_buffer *views, size_t row)
{
    *def = scree_default_body_def();
    copy_reals(views, POSITION, row, def->position);
    copy_reals(views, VELOCITY, row, def->velocity);
    copy_reals(views, SPIN, row, def->spin);
    copy_reals(views, ORIENTATION, row, def->orientation);
    copy_reals(views, MASS, row, &def->mass);
    copy_reals(views, INERTIA, row, def->inertia);
    copy_u64(views, GROUPS, row, &def->groups);
    copy_u64(views, MASK, row, &def->mask);
    copy_u64(views, SERIAL, row, &def->serial);
    copy_u64(views, USER, row, &def->user);
    copy_u32(views, MATERIAL, row, &def->material.index1);
    copy_u32(views, FLAGS, row, &def->flags);
    def->type = type_at(views, row, def->type);
}

static scree_status fill_defs(scree_body_def *defs, size_t count, const Py_buffer *views,
                              const scree_shape *shapes, size_t shape_count, bool is_placed)
{
    for (size_t row = 0; row < count; row++) {
        uint32_t which = 0;
        fill_def(&defs[row], views, row);
        copy_u32(views, SHAPE, row, &which);
        if (shape_count)
            defs[row].shape = shapes[which < shape_count ? which : 0];
        else
            defs[row].shape = scree_shape_sphere(*reals(views, RADIUS, row));
        if (is_placed) {
            double origin[3], turn[4];
            memcpy(origin, defs[row].position, sizeof origin);
            memcpy(turn, defs[row].orientation, sizeof turn);
            scree_status status = scree_body_def_place(&defs[row], origin, turn);
            if (status)
                return status;
        }
    }
    return SCREE_OK;
}

static PyObject *add_defs(World *w, size_t count, const Py_buffer *views, const scree_shape *shapes,
                          size_t shape_count, bool is_placed)
{
    Py_ssize_t rows = (Py_ssize_t)count;
    Py_buffer memory;
    PyObject *ids = array_new("u8", 1, &rows, &memory);
    scree_body_def *defs = malloc((count ? count : 1) * sizeof *defs);

    if (ids && defs) {
        scree_status status = fill_defs(defs, count, views, shapes, shape_count, is_placed);
        if (status) {
            raise_status(status, "an orientation cannot be used");
        } else {
            PyThreadState *thread = world_begin(w);
            status = scree_world_add_bodies(w->world, defs, count, memory.buf);
            world_end(w, thread);
            if (status)
                world_done(w, status);
        }
        PyBuffer_Release(&memory);
        if (status)
            Py_CLEAR(ids);
    } else if (ids) {
        PyBuffer_Release(&memory);
        Py_CLEAR(ids);
        PyErr_NoMemory();
    }
    free(defs);
    return ids;
}

/*  _add_bodies(rows, columns, shapes, is_placed): ids */
static PyObject *add_bodies(PyObject *self, PyObject *args)
{
    Py_ssize_t rows;
    PyObject *dict, *list, *ids = NULL;
    int is_placed;
    Py_buffer views[COLUMNS];
    scree_shape few[16], *shapes = few;

    if (!PyArg_ParseTuple(args, "nO!O!p", &rows, &PyDict_Type, &dict, &PyList_Type, &list,
                          &is_placed) ||
        get_columns(dict, rows, views))
        return NULL;
    size_t count = (size_t)PyList_Size(list);
    if (count > COUNT_OF(few))
        shapes = malloc(count * sizeof *shapes);
    if (!shapes)
        PyErr_NoMemory();
    else if (!views[POSITION].buf || (!count && !views[RADIUS].buf))
        PyErr_SetString(PyExc_TypeError, "positions, and radii or shapes, must be given");
    else if (!get_shapes(list, shapes, count) && world_ready(self))
        ids = add_defs((World *)self, (size_t)rows, views, shapes, count, is_placed);
    if (shapes != few)
        free(shapes);
    release(views);
    return ids;
}

static PyObject *remove_bodies(PyObject *self, PyObject *args)
{
    PyObject *given;
    Py_buffer ids;

    if (!PyArg_ParseTuple(args, "O", &given) || array_get(given, 'Q', -1, "ids", &ids) ||
        !world_ready_with(self, &ids))
        return NULL;
    scree_status status =
        scree_world_remove_bodies(((World *)self)->world, ids.buf, (size_t)ids.len / 8);
    array_done(&ids);
    return world_done((World *)self, status);
}

/* ---- one by one ------------------------------------------------------------------------------------------ */

static int get_id(PyObject *args, scree_body_id *id)
{
    unsigned long long number;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number))
        return -1;
    memcpy(id, &number, sizeof *id);
    return 0;
}

static double skin_of(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_MESH ? shape->contact_skin : 0;
}

static double rounding_of(const scree_shape *shape)
{
    return shape->kind == SCREE_SHAPE_BLOCK ? shape->rounding : 0;
}

static PyObject *get_body(PyObject *self, PyObject *args)
{
    static const char *const kinds[] = {"none", "sphere", "mesh", "clump", "block", "superquadric"};
    scree_body_id id;
    scree_body body;

    if (get_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_body(((World *)self)->world, id, &body);
    if (status)
        return world_done((World *)self, status);
    PyObject *dict = field_dict(body_fields, &body);
    PyObject *shape = dict ? PyUnicode_FromString(kinds[body.shape.kind]) : NULL;
    PyObject *radius = shape ? PyFloat_FromDouble(body.shape.radius) : NULL;
    PyObject *skin = radius ? PyFloat_FromDouble(skin_of(&body.shape)) : NULL;
    PyObject *rounding = skin ? PyFloat_FromDouble(rounding_of(&body.shape)) : NULL;
    if (!rounding || PyDict_SetItemString(dict, "shape", shape) ||
        PyDict_SetItemString(dict, "radius", radius) ||
        PyDict_SetItemString(dict, "contact_skin", skin) ||
        PyDict_SetItemString(dict, "rounding", rounding))
        Py_CLEAR(dict);
    Py_XDECREF(shape);
    Py_XDECREF(radius);
    Py_XDECREF(skin);
    Py_XDECREF(rounding);
    return dict;
}

static PyObject *has_body(PyObject *self, PyObject *args)
{
    scree_body_id id;

    if (get_id(args, &id) || !world_ready(self))
        return NULL;
    return PyBool_FromLong(scree_world_has_body(((World *)self)->world, id));
}

static PyObject *body_type(PyObject *self, PyObject *args)
{
    scree_body_id id;
    scree_body body;

    if (get_id(args, &id) || !world_ready(self))
        return NULL;
    const scree_world *world = ((World *)self)->world;
    /* a handle that names no body has no type; reading it gives the message */
    if (!scree_world_has_body(world, id))
        return world_done((World *)self, scree_world_get_body(world, id, &body));
    return PyUnicode_FromString(body_type_names[scree_body_get_type(world, id)]);
}

static PyObject *is_asleep(PyObject *self, PyObject *args)
{
    scree_body_id id;

    if (get_id(args, &id) || !world_ready(self))
        return NULL;
    return PyBool_FromLong(scree_world_is_asleep(((World *)self)->world, id));
}

static PyObject *body_frame(PyObject *self, PyObject *args)
{
    scree_body_id id;
    double o[3], q[4];

    if (get_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_body_frame(((World *)self)->world, id, o, q);
    if (status)
        return world_done((World *)self, status);
    return Py_BuildValue("(ddd)(dddd)", o[0], o[1], o[2], q[0], q[1], q[2], q[3]);
}

/*  All fields of all bodies, in the order of storage. */
static PyObject *all_bodies(PyObject *self, PyObject *unused)
{
    scree_world *world = world_ready(self);

    (void)unused;
    if (!world)
        return NULL;
    scree_bodies_view view = scree_world_bodies(world);
    scree_body *bodies = malloc((view.count ? view.count : 1) * sizeof *bodies);
    scree_status status = bodies ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; !status && i < view.count; i++)
        status = scree_world_get_body(world, scree_body_id_at(view.id, i), &bodies[i]);
    PyObject *array = status ? world_done((World *)self, status)
                             : field_array(body_fields, bodies, sizeof *bodies, view.count);
    free(bodies);
    return array;
}

/* ---- writing --------------------------------------------------------------------------------------------- */

static scree_status write_body(scree_world *world, scree_body_id id, const Py_buffer *views,
                               size_t row)
{
    scree_body body;
    scree_status status = scree_world_get_body(world, id, &body);

    if (status)
        return status;
    copy_reals(views, POSITION, row, body.position);
    copy_reals(views, VELOCITY, row, body.velocity);
    copy_reals(views, SPIN, row, body.spin);
    copy_reals(views, ORIENTATION, row, body.orientation);
    copy_reals(views, LOAD, row, body.load);
    copy_u64(views, GROUPS, row, &body.groups);
    copy_u64(views, MASK, row, &body.mask);
    copy_u64(views, USER, row, &body.user);
    copy_u32(views, MATERIAL, row, &body.material.index1);
    copy_u32(views, FLAGS, row, &body.flags);
    return scree_world_set_body(world, id, &body);
}

/*  All or none: what was there is brought back where a body is refused. */
static scree_status write_bodies(scree_world *world, const scree_body_id *ids, size_t count,
                                 const Py_buffer *views, char *text, size_t room)
{
    scree_snapshot *before;
    scree_status status = scree_world_snapshot(world, &before);

    for (size_t row = 0; !status && row < count; row++)
        status = write_body(world, ids[row], views, row);
    if (status) {
        /* restoring has a message of its own */
        strncpy(text, scree_world_message(world), room - 1);
        if (before)
            scree_world_restore(world, before);
    }
    scree_snapshot_destroy(before);
    return status;
}

/*  set_body(id, **fields): what is not given stays. */
static PyObject *set_body(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_body_id id;
    scree_body body;

    if (get_id(args, &id) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_body(w->world, id, &body);
    if (status)
        return world_done(w, status);
    if (field_fill(body_fields, &body, keywords, "set_body") || !world_ready(self))
        return NULL;
    return world_done(w, scree_world_set_body(w->world, id, &body));
}

/*  _set_body_types(ids, types): all or none, as the only reason to refuse one is that there is no such body */
static PyObject *set_body_types(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    PyObject *given, *wanted;
    Py_buffer ids, types;
    scree_status status = SCREE_OK;

    if (!PyArg_ParseTuple(args, "OO", &given, &wanted) || array_get(given, 'Q', -1, "ids", &ids) ||
        !world_ready_with(self, &ids))
        return NULL;
    if (array_get(wanted, 'I', ids.len / 8, "type", &types) || !world_ready_with(self, &types)) {
        array_done(&ids);
        return NULL;
    }
    const scree_body_id *id = ids.buf;
    const uint32_t *type = types.buf;
    size_t count = (size_t)ids.len / 8, first = 0;
    /* a body that is not there comes first, so that nothing changes before it is refused */
    while (first < count && scree_world_has_body(w->world, id[first]))
        first++;
    first = first < count ? first : 0;
    for (size_t i = first; !status && i < count; i++)
        status = scree_body_set_type(w->world, id[i], (scree_body_type)type[i]);
    array_done(&types);
    array_done(&ids);
    return world_done(w, status);
}

/*  _apply_impulse(id, impulse, point or None) */
static PyObject *apply_impulse(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    unsigned long long number;
    PyObject *point;
    double impulse[3], place[3];
    scree_body_id id;

    if (!PyArg_ParseTuple(args, "O&(ddd)O", to_u64, &number, impulse, impulse + 1, impulse + 2,
                          &point) ||
        (point != Py_None && read_reals(point, place, 3, "point")) || !world_ready(self))
        return NULL;
    memcpy(&id, &number, sizeof id);
    return world_done(
        w, scree_body_apply_impulse(w->world, id, impulse, point == Py_None ? NULL : place));
}

/*  _set_bodies(ids, columns) */
static PyObject *set_bodies(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    PyObject *given, *dict;
    Py_buffer ids, views[COLUMNS];
    char text[256] = "";

    if (!PyArg_ParseTuple(args, "OO!", &given, &PyDict_Type, &dict) ||
        array_get(given, 'Q', -1, "ids", &ids))
        return NULL;
    if (get_columns(dict, ids.len / 8, views)) {
        array_done(&ids);
        return NULL;
    }
    if (!world_ready(self)) {
        release(views);
        array_done(&ids);
        return NULL;
    }
    PyThreadState *thread = world_begin(w);
    scree_status status =
        write_bodies(w->world, ids.buf, (size_t)ids.len / 8, views, text, sizeof text);
    world_end(w, thread);
    release(views);
    array_done(&ids);
    if (status)
        return raise_status(status, text);
    Py_RETURN_NONE;
}

PyMethodDef body_methods[] = {
    {"_add_bodies", add_bodies, METH_VARARGS, NULL},
    {"_remove_bodies", remove_bodies, METH_VARARGS, NULL},
    {"_body", get_body, METH_VARARGS, NULL},
    {"_bodies", all_bodies, METH_NOARGS, NULL},
    {"_set_bodies", set_bodies, METH_VARARGS, NULL},
    {"set_body", KEYWORDS(set_body), METH_VARARGS | METH_KEYWORDS,
     "set_body(id, position=..., velocity=..., spin=..., orientation=..., load=..., material=..., "
     "groups=..., mask=..., type=..., flags=..., user=...): what is not given stays."},
    {"body_type", body_type, METH_VARARGS,
     "body_type(id): what moves a body: \"dynamic\", \"kinematic\" or \"static\"."},
    {"_set_body_types", set_body_types, METH_VARARGS, NULL},
    {"_apply_impulse", apply_impulse, METH_VARARGS, NULL},
    {"has_body", has_body, METH_VARARGS, "has_body(id)"},
    {"is_asleep", is_asleep, METH_VARARGS, "is_asleep(id)"},
    {"body_frame", body_frame, METH_VARARGS,
     "body_frame(id): origin and orientation of the frame of the body's mesh or clump."},
    {NULL, NULL, 0, NULL}};
