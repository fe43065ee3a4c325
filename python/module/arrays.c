/*  Arrays in and out, by the buffer protocol. */
#include "module.h"

#include <stdlib.h>
#include <string.h>

/* ---- out ---------------------------------------------------------------------------------------------- */

PyObject *array_new(const char *type, int dimensions, const Py_ssize_t *shape, Py_buffer *memory)
{
    PyObject *numpy = PyImport_ImportModule("numpy"), *sizes = PyTuple_New(dimensions);
    PyObject *array = NULL;

    for (int i = 0; sizes && i < dimensions; i++)
        if (PyTuple_SetItem(sizes, i, PyLong_FromSsize_t(shape[i])))
            Py_CLEAR(sizes);
    if (numpy && sizes)
        array = PyObject_CallMethod(numpy, "empty", "Os", sizes, type);
    if (array && PyObject_GetBuffer(array, memory, PyBUF_WRITABLE))
        Py_CLEAR(array);
    Py_XDECREF(sizes);
    Py_XDECREF(numpy);
    return array;
}

PyObject *array_copy(const char *type, const void *data, size_t rows, size_t width, size_t bytes)
{
    Py_ssize_t shape[2] = {(Py_ssize_t)rows, (Py_ssize_t)width};
    Py_buffer memory;
    PyObject *array = array_new(type, width ? 2 : 1, shape, &memory);

    if (array) {
        size_t all = rows * (width ? width : 1) * bytes;
        if (all)
            memcpy(memory.buf, data, all);
        PyBuffer_Release(&memory);
    }
    return array;
}

/*  Memory of malloc that an array looks into, and frees at its end. */
typedef struct Memory
{
    PyObject_HEAD void *data;
    char format[2];
    Py_ssize_t bytes, shape[2], strides[2];
    int dimensions;
} Memory;

static PyTypeObject *Memory_type;

static void memory_dealloc(PyObject *self)
{
    free(((Memory *)self)->data);
    object_free(self);
}

static int memory_get(PyObject *self, Py_buffer *view, int flags)
{
    Memory *memory = (Memory *)self;
    static char nothing[1];
    Py_ssize_t count = memory->shape[0] * (memory->dimensions > 1 ? memory->shape[1] : 1);

    *view = (Py_buffer){.buf = memory->data ? memory->data : nothing,
                        .obj = Py_NewRef(self),
                        .len = count * memory->bytes,
                        .itemsize = memory->bytes,
                        .ndim = memory->dimensions,
                        .format = flags & PyBUF_FORMAT ? memory->format : NULL,
                        .shape = memory->shape,
                        .strides = memory->strides};
    return 0;
}

PyObject *array_take(const char *format, void *data, size_t rows, size_t width, size_t bytes)
{
    Memory *memory = (Memory *)object_new(Memory_type);
    PyObject *numpy = NULL, *array = NULL;

    if (!memory) {
        free(data);
        return NULL;
    }
    memory->data = data;
    memory->format[0] = format[0];
    memory->bytes = (Py_ssize_t)bytes;
    memory->dimensions = width ? 2 : 1;
    memory->shape[0] = (Py_ssize_t)rows;
    memory->shape[1] = (Py_ssize_t)width;
    memory->strides[0] = (Py_ssize_t)(width ? width * bytes : bytes);
    memory->strides[1] = (Py_ssize_t)bytes;
    numpy = PyImport_ImportModule("numpy");
    if (numpy)
        array = PyObject_CallMethod(numpy, "asarray", "O", memory);
    Py_XDECREF(numpy);
    Py_DECREF(memory);
    return array;
}

int arrays_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, memory_dealloc},
                                  {Py_bf_getbuffer, memory_get},
                                  {Py_tp_doc, "Memory that an array looks into."},
                                  {0, NULL}};
    static PyType_Spec spec = {"scree._scree.Memory", sizeof(Memory), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    return add_type(module, "Memory", &spec, &Memory_type);
}

/* ---- in ----------------------------------------------------------------------------------------------- */

/*  What numpy calls native may be said in several ways. */
char array_letter(const Py_buffer *view)
{
    const char *format = view->format ? view->format : "B";

    if (format[0] == '@' || format[0] == '=' || format[0] == '<')
        format++;
    if (!format[0] || format[1])
        return 0;
    if (strchr("LQ", format[0]))
        return view->itemsize == 8 ? 'Q' : 'I';
    return format[0];
}

int array_get(PyObject *object, char type, Py_ssize_t count, const char *name, Py_buffer *view)
{
    *view = (Py_buffer){0};
    if (!object || object == Py_None)
        return 0;
    if (PyObject_GetBuffer(object, view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s must be a contiguous array", name);
        return -1;
    }
    if (array_letter(view) != type) {
        PyErr_Format(PyExc_TypeError, "%s has numbers of another type", name);
        PyBuffer_Release(view);
        return -1;
    }
    if (count >= 0 && view->len != count * view->itemsize) {
        PyErr_Format(PyExc_ValueError, "%s has %zd numbers, must have %zd", name,
                     view->len / view->itemsize, count);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

void array_done(Py_buffer *view)
{
    if (view->obj)
        PyBuffer_Release(view);
}

int to_u64(PyObject *object, void *number)
{
    PyObject *whole = PyNumber_Index(object);

    if (!whole)
        return 0;
    unsigned long long read = PyLong_AsUnsignedLongLong(whole);
    Py_DECREF(whole);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        PyErr_SetString(PyExc_ValueError, "an id must be from 0 to 2^64 - 1");
        return 0;
    }
    *(unsigned long long *)number = read;
    return 1;
}
