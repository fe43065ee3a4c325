/*  Columns of a world's bodies, for arrays that look at them without a copy; read only. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

typedef struct Column
{
    PyObject_HEAD World *world;
    seen_block seen;
    int what;
    const char *data;
    char format[2];
    Py_ssize_t bytes, shape[2], strides[2];
    bool is_noted;
} Column;

static PyTypeObject *Column_type;

/*  What there is to look at: `width` numbers of each row of a column, which lies at `offset` in scree_bodies_view. */
typedef struct column_kind
{
    const char *name;
    char format;
    int width;
    size_t offset;
} column_kind;

#define COLUMN(name, format, width)                                                                \
    {                                                                                              \
#name, format, width, offsetof(scree_bodies_view, name)                                    \
    }

static const column_kind kinds[] = {
    COLUMN(position, 'd', 3),    COLUMN(radius, 'd', 1),
    COLUMN(velocity, 'd', 3),    COLUMN(inverse_mass, 'd', 1),
    COLUMN(spin, 'd', 3),        COLUMN(inverse_inertia, 'd', 1),
    COLUMN(orientation, 'd', 4), COLUMN(force, 'd', 3),
    COLUMN(torque, 'd', 3),      COLUMN(id, 'Q', 1),
    COLUMN(serial, 'Q', 1),      COLUMN(user, 'Q', 1),
    COLUMN(material, 'I', 1),    {"temperature", 'd', 1, SIZE_MAX}, /* a column of its own */
};

static const char *data_of(World *world, int what, size_t *count, size_t *stride)
{
    const column_kind *kind = &kinds[what];
    scree_bodies_view bodies = scree_world_bodies(world->world);
    scree_view reals = scree_world_temperatures(world->world);
    scree_integers integers = {reals.data, reals.stride};

    *count = bodies.count;
    if (kind->offset != SIZE_MAX && kind->format == 'd') {
        memcpy(&reals, (const char *)&bodies + kind->offset, sizeof reals);
        integers = (scree_integers){reals.data, reals.stride};
    } else if (kind->offset != SIZE_MAX) {
        memcpy(&integers, (const char *)&bodies + kind->offset, sizeof integers);
    }
    *stride = integers.stride;
    return integers.data;
}

static void note(Column *column)
{
    World *world = column->world;

    column->seen.at = (char *)(uintptr_t)column->data;
    pthread_mutex_lock(&world->lock);
    column->seen.next = world->blocks;
    world->blocks = &column->seen;
    pthread_mutex_unlock(&world->lock);
    column->is_noted = true;
}

static void forget(Column *column)
{
    World *world = column->world;
    bool is_seen = false;

    pthread_mutex_lock(&world->lock);
    for (seen_block **p = &world->blocks; *p; p = &(*p)->next)
        if (*p == &column->seen) {
            *p = column->seen.next;
            break;
        }
    for (seen_block *b = world->blocks; b; b = b->next)
        is_seen |= column->seen.is_gone && b->is_gone && b->at == column->seen.at;
    pthread_mutex_unlock(&world->lock);
    if (column->seen.is_gone && !is_seen)
        free(column->seen.at);
}

/*  _column(name) */
static PyObject *world_column(PyObject *self, PyObject *args)
{
    const char *name;
    int what = 0;
    size_t count, stride;

    if (!PyArg_ParseTuple(args, "s", &name) || !world_ready(self))
        return NULL;
    while (what < (int)COUNT_OF(kinds) && strcmp(kinds[what].name, name) != 0)
        what++;
    if (what == (int)COUNT_OF(kinds)) {
        PyErr_Format(PyExc_ValueError, "there is no column \"%s\"", name);
        return NULL;
    }
    const char *data = data_of((World *)self, what, &count, &stride);
    if (!data && !strcmp(name, "temperature"))
        return raise_named("InvalidValue", "there is no heat in this world: set_heat() first");
    Column *column = (Column *)object_new(Column_type);
    if (!column)
        return NULL;
    const column_kind *kind = &kinds[what];
    column->world = (World *)Py_NewRef(self);
    column->what = what;
    column->format[0] = kind->format;
    column->bytes = kind->format == 'I' ? 4 : 8;
    column->data = data;
    column->shape[0] = data ? (Py_ssize_t)count : 0;
    column->shape[1] = kind->width;
    column->strides[0] = (Py_ssize_t)stride;
    column->strides[1] = column->bytes;
    if (data)
        note(column);
    return (PyObject *)column;
}

static void column_dealloc(PyObject *self)
{
    Column *column = (Column *)self;

    if (column->is_noted)
        forget(column);
    Py_XDECREF((PyObject *)column->world);
    object_free(self);
}

static int column_get(PyObject *self, Py_buffer *view, int flags)
{
    static char nothing[8];
    Column *column = (Column *)self;
    int dimensions = column->shape[1] > 1 ? 2 : 1;

    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError,
                        "the state is read only: `with world.edit() as e:` writes to it");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
        PyErr_SetString(PyExc_BufferError, "columns have strides: numpy.asarray, not bytes");
        return -1;
    }
    const char *at = column->data ? column->data : nothing;
    *view = (Py_buffer){.buf = (void *)(uintptr_t)at,
                        .obj = Py_NewRef(self),
                        .len = column->shape[0] * column->shape[1] * column->bytes,
                        .itemsize = column->bytes,
                        .readonly = 1,
                        .ndim = dimensions,
                        .format = flags & PyBUF_FORMAT ? column->format : NULL,
                        .shape = column->shape,
                        .strides = column->strides};
    return 0;
}

/*  Raises StaleView where the state lies elsewhere by now, or is of another number of bodies. */
static PyObject *column_check(PyObject *self, PyObject *unused)
{
    Column *column = (Column *)self;
    size_t count, stride;

    (void)unused;
    if (!world_ready((PyObject *)column->world))
        return NULL;
    const char *data = data_of(column->world, column->what, &count, &stride);
    if (data != column->data || (Py_ssize_t)count != column->shape[0])
        return raise_named(
            "StaleView",
            "this view is of an earlier state, which has moved in memory since: take it "
            "from the world again, or copy() what is to last");
    Py_RETURN_NONE;
}

static PyMethodDef column_methods[] = {
    {"check", column_check, METH_NOARGS, "Raises StaleView if the state has moved since."},
    {NULL, NULL, 0, NULL}};

PyMethodDef view_methods[] = {{"_column", world_column, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};

int views_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, column_dealloc},
                                  {Py_bf_getbuffer, column_get},
                                  {Py_tp_methods, column_methods},
                                  {Py_tp_doc, "A column of a world's bodies."},
                                  {0, NULL}};
    static PyType_Spec spec = {"scree._scree.Column", sizeof(Column), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return add_type(module, "Column", &spec, &Column_type);
}
