/*  Files: checkpoints, exports, imports. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* ---- checkpoints ------------------------------------------------------------------------------------------ */

static PyObject *write_checkpoint(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    const char *path;
    PyObject *dict, *name, *value;
    scree_checkpoint_part parts[64];
    size_t count = 0;
    Py_ssize_t at = 0;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "sO!", &path, &PyDict_Type, &dict) || !world_ready(self))
        return NULL;
    while (PyDict_Next(dict, &at, &name, &value)) {
        char *data;
        Py_ssize_t bytes;
        if (count == COUNT_OF(parts)) {
            PyErr_SetString(PyExc_ValueError, "more than 64 parts");
            return NULL;
        }
        parts[count].name = PyUnicode_AsUTF8AndSize(name, NULL);
        if (!parts[count].name || PyBytes_AsStringAndSize(value, &data, &bytes))
            return NULL;
        parts[count].data = data;
        parts[count++].bytes = (size_t)bytes;
    }
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_checkpoint_write(w->world, path, parts, count, &error);
    world_end(w, thread);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

int path_or_bytes(PyObject *source, const char **path, char **bytes, Py_ssize_t *count)
{
    *path = NULL;
    if (!PyUnicode_Check(source))
        return PyBytes_AsStringAndSize(source, bytes, count);
    *path = PyUnicode_AsUTF8AndSize(source, NULL);
    return *path ? 0 : -1;
}

scree_checkpoint *open_checkpoint(PyObject *source)
{
    scree_checkpoint *checkpoint = NULL;
    scree_error error = {0};
    scree_status status;
    const char *path;
    char *bytes = NULL;
    Py_ssize_t count = 0;

    if (path_or_bytes(source, &path, &bytes, &count))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = path ? scree_checkpoint_read(path, NULL, &checkpoint, &error)
                  : scree_checkpoint_read_bytes(bytes, (size_t)count, NULL, &checkpoint, &error);
    Py_END_ALLOW_THREADS;
    if (status)
        raise_status(status, error.text);
    return checkpoint;
}

/*  _from_checkpoint(source, **hooks), of the class */
static PyObject *from_checkpoint(PyObject *type, PyObject *args, PyObject *keywords)
{
    scree_world_def hooks = scree_default_world_def();
    PyObject *source;
    scree_world *world = NULL;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "O", &source) ||
        field_fill(world_fields, &hooks, keywords, "from_checkpoint"))
        return NULL;
    scree_checkpoint *checkpoint = open_checkpoint(source);
    World *self = checkpoint ? world_object((PyTypeObject *)type, &hooks) : NULL;
    if (self) {
        scree_status status = scree_checkpoint_world(checkpoint, &hooks, &world, &error);
        if (status) {
            raise_status(status, error.text);
            Py_CLEAR(self);
        } else {
            world_adopt(self, world, &hooks);
            self->dimensions = scree_checkpoint_describe(checkpoint).dimensions;
        }
    }
    scree_checkpoint_destroy(checkpoint);
    return (PyObject *)self;
}

static PyObject *restore_checkpoint(PyObject *self, PyObject *args)
{
    PyObject *source;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "O", &source) || !world_ready(self))
        return NULL;
    scree_checkpoint *checkpoint = open_checkpoint(source);
    if (!checkpoint)
        return NULL;
    scree_status status = scree_checkpoint_restore(checkpoint, ((World *)self)->world, &error);
    scree_checkpoint_destroy(checkpoint);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

static PyObject *list_parts(const scree_checkpoint *checkpoint)
{
    PyObject *parts = PyDict_New();
    scree_checkpoint_part part;

    for (size_t i = 0; parts && scree_checkpoint_part_at(checkpoint, i, &part); i++) {
        PyObject *bytes = PyBytes_FromStringAndSize(part.data, (Py_ssize_t)part.bytes);
        if (!bytes || PyDict_SetItemString(parts, part.name, bytes))
            Py_CLEAR(parts);
        Py_XDECREF(bytes);
    }
    return parts;
}

static PyObject *list_sections(const scree_checkpoint *checkpoint)
{
    PyObject *list = PyList_New(0);
    scree_checkpoint_section section;

    for (size_t i = 0; list && scree_checkpoint_section_at(checkpoint, i, &section); i++) {
        PyObject *item = field_dict(section_fields, &section);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/*  _read_checkpoint(source): figures, parts, sections */
static PyObject *read_checkpoint(PyObject *module, PyObject *args)
{
    PyObject *source;

    (void)module;
    if (!PyArg_ParseTuple(args, "O", &source))
        return NULL;
    scree_checkpoint *checkpoint = open_checkpoint(source);
    if (!checkpoint)
        return NULL;
    scree_checkpoint_info info = scree_checkpoint_describe(checkpoint);
    PyObject *result = Py_BuildValue("NNN", field_dict(checkpoint_fields, &info),
                                     list_parts(checkpoint), list_sections(checkpoint));
    scree_checkpoint_destroy(checkpoint);
    return result;
}

/* ---- exports ---------------------------------------------------------------------------------------------- */

static int export_format(const char *name)
{
    for (int i = 0; i < SCREE_EXPORT_FORMATS; i++)
        if (!strcmp(scree_export_format_name((scree_export_format)i), name))
            return i;
    PyErr_Format(PyExc_ValueError,
                 "there is no format \"%s\"; there are vtp, contacts, walls, lammps, csv, stl, "
                 "solids, solids-stl, pebbles",
                 name);
    return -1;
}

/*  _export(path, format, fields tuple or None) */
static PyObject *export_world(PyObject *self, PyObject *args)
{
    World *w = (World *)self;
    const char *path, *name, *fields[64];
    PyObject *list;
    scree_export_def options = scree_default_export_def();
    scree_error error = {0};
    int format;

    if (!PyArg_ParseTuple(args, "ssO", &path, &name, &list) || (format = export_format(name)) < 0 ||
        !world_ready(self))
        return NULL;
    if (list != Py_None) {
        Py_ssize_t count = PyTuple_Size(list);
        if (count < 0 || count > (Py_ssize_t)COUNT_OF(fields)) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "more than 64 fields");
            return NULL;
        }
        for (Py_ssize_t i = 0; i < count; i++)
            if (!(fields[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(list, i), NULL)))
                return NULL;
        options.fields = fields;
        options.field_count = (size_t)count;
    }
    PyThreadState *thread = world_begin(w);
    scree_status status =
        scree_export(w->world, (scree_export_format)format, path, &options, &error);
    world_end(w, thread);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

/*  _export_formats(): name, suffix and fields of each */
static PyObject *export_formats(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const char *name;

    (void)module;
    (void)unused;
    for (int i = 0; list && i < SCREE_EXPORT_FORMATS; i++) {
        scree_export_format format = (scree_export_format)i;
        PyObject *fields = PyList_New(0);
        for (size_t k = 0; fields && (name = scree_export_field_name(format, k)); k++) {
            PyObject *text = PyUnicode_FromString(name);
            if (!text || PyList_Append(fields, text))
                Py_CLEAR(fields);
            Py_XDECREF(text);
        }
        PyObject *item = Py_BuildValue("ssN", scree_export_format_name(format),
                                       scree_export_suffix(format), fields);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/*  _write_series(path, files, times as doubles) */
static PyObject *write_series(PyObject *module, PyObject *args)
{
    const char *path;
    PyObject *list, *given;
    Py_buffer times;
    size_t count;
    scree_error error = {0};

    (void)module;
    if (!PyArg_ParseTuple(args, "sO!O", &path, &PyList_Type, &list, &given))
        return NULL;
    const char **files = text_list(list, &count);
    if (!files || array_get(given, 'd', (Py_ssize_t)count, "times", &times)) {
        free((void *)files);
        return NULL;
    }
    scree_status status = scree_export_series(path, files, times.buf, count, &error);
    array_done(&times);
    free((void *)files);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

/* ---- imports ---------------------------------------------------------------------------------------------- */

typedef struct imported
{
    double position[3], radius, velocity[3], spin[3], mass;
    uint64_t user;
    uint32_t type;
} imported;

#define IMPORTED(member, kind, unit)                                                               \
    {                                                                                              \
#member, kind, sizeof(((imported *)0)->member) / sizeof(unit), offsetof(imported, member), \
            NULL                                                                                   \
    }

static const field imported_fields[] = {
    IMPORTED(position, FIELD_REAL, double), IMPORTED(radius, FIELD_REAL, double),
    IMPORTED(velocity, FIELD_REAL, double), IMPORTED(spin, FIELD_REAL, double),
    IMPORTED(mass, FIELD_REAL, double),     IMPORTED(user, FIELD_U64, uint64_t),
    IMPORTED(type, FIELD_U32, uint32_t),    {NULL, FIELD_END, 0, 0, NULL}};

static PyObject *list_bodies(const scree_body_list *list)
{
    imported *rows = calloc(list->count ? list->count : 1, sizeof *rows);

    if (!rows)
        return PyErr_NoMemory();
    for (size_t i = 0; i < list->count; i++) {
        const scree_body_def *body = &list->bodies[i];
        memcpy(rows[i].position, body->position, sizeof body->position);
        memcpy(rows[i].velocity, body->velocity, sizeof body->velocity);
        memcpy(rows[i].spin, body->spin, sizeof body->spin);
        rows[i].radius = body->shape.radius;
        rows[i].mass = body->mass;
        rows[i].user = body->user;
        rows[i].type = list->types[i];
    }
    PyObject *array = field_array(imported_fields, rows, sizeof *rows, list->count);
    free(rows);
    return array;
}

/*  _read_bodies(path as str or content as bytes, format, frame, radius, ignore_columns): bodies, box or None, step or None, frames */
static PyObject *read_bodies(PyObject *module, PyObject *args)
{
    PyObject *source;
    const char *path, *name;
    char *bytes = NULL;
    Py_ssize_t size = 0;
    long long frame;
    int ignore;
    scree_import_def def = scree_default_import_def();
    scree_body_list list = {0};
    scree_error error = {0};
    scree_status status;

    (void)module;
    if (!PyArg_ParseTuple(args, "OsLdp", &source, &name, &frame, &def.radius, &ignore) ||
        path_or_bytes(source, &path, &bytes, &size))
        return NULL;
    int format = 0;
    while (format < SCREE_IMPORT_FORMATS &&
           strcmp(name, scree_import_format_name((scree_import_format)format)) != 0)
        format++;
    if (format == SCREE_IMPORT_FORMATS) {
        PyErr_Format(
            PyExc_ValueError,
            "there is no format \"%s\"; there are auto, lammps-data, lammps-dump, yade, csv", name);
        return NULL;
    }
    def.format = (scree_import_format)format;
    def.frame = frame;
    def.ignore_columns = ignore;
    Py_BEGIN_ALLOW_THREADS;
    status = path ? scree_import_bodies(path, &def, &list, &error)
                  : scree_import_bytes(bytes, (size_t)size, NULL, &def, &list, &error);
    Py_END_ALLOW_THREADS;
    if (status)
        return raise_status(status, error.text);
    const double *l = list.lower, *u = list.upper;
    PyObject *box = list.has_box ? Py_BuildValue("(ddd)(ddd)", l[0], l[1], l[2], u[0], u[1], u[2])
                                 : Py_NewRef(Py_None);
    PyObject *step = list.has_step ? PyLong_FromLongLong(list.step) : Py_NewRef(Py_None);
    PyObject *result =
        Py_BuildValue("NNNn", list_bodies(&list), box, step, (Py_ssize_t)list.frame_count);
    scree_body_list_free(&list);
    return result;
}

PyMethodDef file_methods[] = {
    {"_checkpoint", write_checkpoint, METH_VARARGS, NULL},
    {"_from_checkpoint", KEYWORDS(from_checkpoint), METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     NULL},
    {"_restore_checkpoint", restore_checkpoint, METH_VARARGS, NULL},
    {"_export", export_world, METH_VARARGS, NULL},
    {"snapshot", world_snapshot, METH_NOARGS, "The state as it is now, for restore()."},
    {"restore", world_restore, METH_VARARGS, "restore(snapshot): later steps are bit-identical."},
    {"copy", KEYWORDS(world_copy), METH_VARARGS | METH_KEYWORDS,
     "copy(**hooks): a second world with the same state. Threads, method and margin may be "
     "others."},
    {NULL, NULL, 0, NULL}};

PyMethodDef file_functions[] = {{"_read_checkpoint", read_checkpoint, METH_VARARGS, NULL},
                                {"_read_bodies", read_bodies, METH_VARARGS, NULL},
                                {"_export_formats", export_formats, METH_NOARGS, NULL},
                                {"_write_series", write_series, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
