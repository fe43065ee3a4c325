/*  Structs of the interface by tables of their fields: from dicts, to dicts, to structured arrays. So each
    parameter of the interface is there, by its own name. */
#include "module.h"

#include <stdio.h>
#include <string.h>

static size_t unit_bytes(field_kind kind)
{
    switch (kind) {
    case FIELD_U8:
    case FIELD_BOOL:
        return 1;
    case FIELD_U16:
        return 2;
    case FIELD_INT:
    case FIELD_U32:
    case FIELD_CHOICE:
        return 4;
    default:
        return 8;
    }
}

/* ---- in ----------------------------------------------------------------------------------------------- */

static int flatten(PyObject *value, double *numbers, size_t count, size_t *at)
{
    if (PyUnicode_Check(value) || PyBytes_Check(value)) {
        PyErr_SetString(PyExc_TypeError, "text");
        return -1;
    }
    if (!PySequence_Check(value) || PyFloat_Check(value)) {
        double number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred())
            return -1;
        if (*at < count)
            numbers[*at] = number;
        (*at)++;
        return 0;
    }
    Py_ssize_t length = PySequence_Size(value);
    if (length < 0) {
        /* an array without dimensions is a number */
        PyErr_Clear();
        double number = PyFloat_AsDouble(value);
        if (number == -1.0 && PyErr_Occurred())
            return -1;
        if (*at < count)
            numbers[*at] = number;
        (*at)++;
        return 0;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        PyObject *item = PySequence_GetItem(value, i);
        int bad = !item || flatten(item, numbers, count, at);
        Py_XDECREF(item);
        if (bad)
            return -1;
    }
    return 0;
}

int read_reals(PyObject *value, double *numbers, size_t count, const char *name)
{
    size_t at = 0;
    double read[16];

    if (flatten(value, read, COUNT_OF(read) < count ? COUNT_OF(read) : count, &at)) {
        if (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s must be %s", name,
                         count == 1 ? "a number" : "numbers");
        }
        return -1;
    }
    if (at != count || count > COUNT_OF(read)) {
        PyErr_Format(PyExc_ValueError, "%s has %zu numbers, must have %zu", name, at, count);
        return -1;
    }
    memcpy(numbers, read, count * sizeof *numbers);
    return 0;
}

int read_choice(PyObject *value, const char *const *choices, const char *name)
{
    char list[400] = "";

    if (!PyUnicode_Check(value)) {
        PyErr_Format(PyExc_TypeError, "%s must be a str", name);
        return -1;
    }
    for (int i = 0; choices[i]; i++)
        if (!PyUnicode_CompareWithASCIIString(value, choices[i]))
            return i;
    for (int i = 0; choices[i]; i++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s\"%s\"", i ? ", " : "", choices[i]);
    }
    PyErr_Format(PyExc_ValueError, "%s is %R, must be one of %s", name, value, list);
    return -1;
}

/*  A whole number within the unit's range. */
static int read_whole(const field *f, PyObject *value, unsigned char *target)
{
    PyObject *whole = PyNumber_Index(value);
    size_t bytes = unit_bytes(f->kind);
    bool has_sign = f->kind == FIELD_INT || f->kind == FIELD_I64;
    uint64_t number = 0;

    if (!whole) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a whole number", f->name);
        return -1;
    }
    if (has_sign) {
        long long read = PyLong_AsLongLong(whole);
        if (!PyErr_Occurred() && bytes == 4 && (read < INT32_MIN || read > INT32_MAX))
            PyErr_SetString(PyExc_OverflowError, "");
        number = (uint64_t)read;
    } else {
        number = PyLong_AsUnsignedLongLong(whole);
        if (!PyErr_Occurred() && bytes < 8 && number >> (8 * bytes))
            PyErr_SetString(PyExc_OverflowError, "");
    }
    if (PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s is %R, out of range", f->name, whole);
        Py_DECREF(whole);
        return -1;
    }
    Py_DECREF(whole);
    memcpy(target, &number, bytes); /* little-endian, as all that the engine runs on */
    return 0;
}

static int read_unit(const field *f, PyObject *value, unsigned char *target)
{
    switch (f->kind) {
    case FIELD_BOOL: {
        int truth = PyObject_IsTrue(value);
        if (truth < 0)
            return -1;
        bool is_true = truth > 0;
        memcpy(target, &is_true, sizeof is_true);
        return 0;
    }
    case FIELD_CHOICE: {
        int choice = read_choice(value, f->more, f->name);
        if (choice < 0)
            return -1;
        memcpy(target, &choice, sizeof choice);
        return 0;
    }
    case FIELD_TEXT: {
        const char *text = NULL;
        if (value != Py_None) {
            Py_ssize_t length;
            text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &length) : NULL;
            if (!text && !PyErr_Occurred())
                PyErr_Format(PyExc_TypeError, "%s must be a str", f->name);
            if (!text)
                return -1;
            if (strlen(text) != (size_t)length) {
                PyErr_Format(PyExc_ValueError, "%s has a zero byte in it", f->name);
                return -1;
            }
        }
        memcpy(target, &text, sizeof(char *));
        return 0;
    }
    default:
        return read_whole(f, value, target);
    }
}

static int read_field(const field *f, PyObject *value, unsigned char *target)
{
    if (f->kind == FIELD_STRUCT) {
        if (!PyDict_Check(value)) {
            PyErr_Format(PyExc_TypeError, "%s must be a dict", f->name);
            return -1;
        }
        return field_fill(f->more, target, value, f->name);
    }
    if (f->kind == FIELD_REAL)
        return read_reals(value, (double *)(void *)target, f->count, f->name);
    if (f->count == 1)
        return read_unit(f, value, target);
    /* one word for all of them, or one for each */
    bool is_one = f->kind == FIELD_CHOICE && PyUnicode_Check(value);
    Py_ssize_t length = is_one ? (Py_ssize_t)f->count : PySequence_Size(value);
    if (length != (Py_ssize_t)f->count) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s must have %zu entries", f->name, f->count);
        return -1;
    }
    for (Py_ssize_t i = 0; i < length; i++) {
        PyObject *item = is_one ? Py_NewRef(value) : PySequence_GetItem(value, i);
        int bad = !item || read_unit(f, item, target + (size_t)i * unit_bytes(f->kind));
        Py_XDECREF(item);
        if (bad)
            return -1;
    }
    return 0;
}

static int refuse_name(const field *fields, PyObject *name, const char *what)
{
    char list[1200] = "";

    for (const field *f = fields; f->kind != FIELD_END; f++) {
        size_t length = strlen(list);
        snprintf(list + length, sizeof list - length, "%s%s", f == fields ? "" : ", ", f->name);
    }
    PyErr_Format(PyExc_TypeError, "%s has no %R; there are %s", what, name, list);
    return -1;
}

int field_fill(const field *fields, void *target, PyObject *values, const char *what)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;

    while (values && PyDict_Next(values, &at, &name, &value)) {
        const field *f = fields;
        if (!PyUnicode_Check(name))
            return refuse_name(fields, name, what);
        while (f->kind != FIELD_END && PyUnicode_CompareWithASCIIString(name, f->name))
            f++;
        if (f->kind == FIELD_END)
            return refuse_name(fields, name, what);
        if (read_field(f, value, (unsigned char *)target + f->offset))
            return -1;
    }
    return 0;
}

/* ---- out ---------------------------------------------------------------------------------------------- */

static PyObject *unit_object(const field *f, const unsigned char *source)
{
    uint64_t whole = 0;

    switch (f->kind) {
    case FIELD_REAL: {
        double number;
        memcpy(&number, source, sizeof number);
        return PyFloat_FromDouble(number);
    }
    case FIELD_BOOL: {
        bool is_true;
        memcpy(&is_true, source, sizeof is_true);
        return PyBool_FromLong(is_true);
    }
    case FIELD_CHOICE: {
        int choice;
        memcpy(&choice, source, sizeof choice);
        return PyUnicode_FromString(((const char *const *)f->more)[choice]);
    }
    case FIELD_TEXT: {
        const char *text;
        memcpy(&text, source, sizeof(char *));
        if (!text)
            return Py_NewRef(Py_None);
        return PyUnicode_FromString(text);
    }
    case FIELD_INT: {
        int number;
        memcpy(&number, source, sizeof number);
        return PyLong_FromLong(number);
    }
    case FIELD_I64: {
        int64_t number;
        memcpy(&number, source, sizeof number);
        return PyLong_FromLongLong(number);
    }
    default:
        memcpy(&whole, source, unit_bytes(f->kind));
        return PyLong_FromUnsignedLongLong(whole);
    }
}

static PyObject *field_object(const field *f, const unsigned char *source)
{
    if (f->kind == FIELD_STRUCT)
        return field_dict(f->more, source);
    if (f->count == 1)
        return unit_object(f, source);
    PyObject *tuple = PyTuple_New((Py_ssize_t)f->count);
    for (size_t i = 0; tuple && i < f->count; i++) {
        PyObject *item = unit_object(f, source + i * unit_bytes(f->kind));
        if (!item || PyTuple_SetItem(tuple, (Py_ssize_t)i, item)) {
            Py_DECREF(tuple);
            return NULL;
        }
    }
    return tuple;
}

PyObject *field_dict(const field *fields, const void *source)
{
    PyObject *dict = PyDict_New();

    for (const field *f = fields; dict && f->kind != FIELD_END; f++) {
        PyObject *item = field_object(f, (const unsigned char *)source + f->offset);
        if (!item || PyDict_SetItemString(dict, f->name, item))
            Py_CLEAR(dict);
        Py_XDECREF(item);
    }
    return dict;
}

/*  One field for numpy.dtype: (name, format) or (name, format, (count,)). */
static PyObject *type_of(const field *f)
{
    static const char *const formats[] = {"",   "f8", "i4", "u1", "u2", "u4", "u8",
                                          "i8", "u8", "?",  "i4", "",   ""};

    if (f->count == 1)
        return Py_BuildValue("ss", f->name, formats[f->kind]);
    return Py_BuildValue("ss(n)", f->name, formats[f->kind], (Py_ssize_t)f->count);
}

static PyObject *array_type(const field *fields)
{
    PyObject *list = PyList_New(0), *numpy = NULL, *type = NULL;

    for (const field *f = fields; list && f->kind != FIELD_END; f++) {
        PyObject *item = type_of(f);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    if (list)
        numpy = PyImport_ImportModule("numpy");
    if (numpy)
        type = PyObject_CallMethod(numpy, "dtype", "O", list);
    Py_XDECREF(numpy);
    Py_XDECREF(list);
    return type;
}

PyObject *field_array(const field *fields, const void *rows, size_t bytes, size_t count)
{
    PyObject *type = array_type(fields), *array = NULL, *numpy = NULL, *plain = NULL;
    Py_buffer memory = {0};

    if (type)
        numpy = PyImport_ImportModule("numpy");
    if (numpy)
        array = PyObject_CallMethod(numpy, "empty", "nO", (Py_ssize_t)count, type);
    if (array)
        plain = PyObject_CallMethod(array, "view", "s", "u1");
    if (plain && !PyObject_GetBuffer(plain, &memory, PyBUF_WRITABLE)) {
        unsigned char *out = memory.buf;
        for (size_t row = 0; row < count; row++)
            for (const field *f = fields; f->kind != FIELD_END; f++) {
                size_t length = f->count * unit_bytes(f->kind);
                memcpy(out, (const unsigned char *)rows + row * bytes + f->offset, length);
                out += length;
            }
        PyBuffer_Release(&memory);
    } else {
        Py_CLEAR(array);
    }
    Py_XDECREF(plain);
    Py_XDECREF(numpy);
    Py_XDECREF(type);
    return array;
}
