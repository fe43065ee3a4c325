/*  From statuses to exceptions, which are classes of scree._errors; and what a fork does to threads. */
#include "module.h"

#include <string.h>

static unsigned forks; /* in this process; changed by a child alone, before it does anything else */

static void note_fork(void)
{
    forks++;
    run_note_fork();
}

unsigned fork_count(void)
{
    return forks;
}

int watch_forks(void)
{
    return pthread_atfork(NULL, NULL, note_fork);
}

static PyObject *class_of(const char *name)
{
    PyObject *module = PyImport_ImportModule("scree._errors");
    PyObject *found = module ? PyObject_GetAttrString(module, name) : NULL;

    Py_XDECREF(module);
    return found;
}

PyObject *raise_named(const char *name, const char *text)
{
    PyObject *kind = class_of(name);

    if (kind)
        PyErr_SetString(kind, text);
    Py_XDECREF(kind);
    return NULL;
}

static const char *class_name(scree_status status)
{
    switch (status) {
    case SCREE_BAD_FILE:
        return "BadFile";
    case SCREE_IO_ERROR:
        return "FileError";
    case SCREE_UNSTABLE:
        return "StepRefused";
    default:
        return "InvalidValue";
    }
}

PyObject *text_of(const char *text)
{
    return text ? PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace")
                : Py_NewRef(Py_None);
}

PyObject *raise_status(scree_status status, const char *text)
{
    if (status == SCREE_OUT_OF_MEMORY)
        return PyErr_NoMemory();
    if (!text || !text[0])
        text = scree_status_name(status);
    PyObject *kind = class_of(class_name(status));
    PyObject *error = kind ? PyObject_CallFunction(kind, "N", text_of(text)) : NULL;
    PyObject *name = error ? PyUnicode_FromString(scree_status_name(status)) : NULL;
    if (name && !PyObject_SetAttrString(error, "status", name))
        PyErr_SetObject(kind, error);
    Py_XDECREF(name);
    Py_XDECREF(error);
    Py_XDECREF(kind);
    return NULL;
}
