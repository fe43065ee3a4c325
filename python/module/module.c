/*  The module: its types and its functions that belong to none. */
#include "module.h"

PyObject *object_new(PyTypeObject *type)
{
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);

    return allocate(type, 0);
}

/*  A type that may be derived from frees itself by what the derived one says. */
void object_free(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);

    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

int add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **type)
{
    PyObject *made = PyType_FromSpec(spec);

    if (!made)
        return -1;
    *type = (PyTypeObject *)made;
    return PyModule_AddObjectRef(module, name, made);
}

static PyObject *methods(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);

    (void)module;
    (void)unused;
    for (size_t i = 0; list && i < scree_method_count(); i++) {
        PyObject *item = field_dict(method_fields, scree_method_at(i));
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *parameter_list(const char *const *names)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && names && names[i]; i++) {
        PyObject *name = PyUnicode_FromString(names[i]);
        if (!name || PyList_Append(list, name))
            Py_CLEAR(list);
        Py_XDECREF(name);
    }
    return list;
}

static PyObject *laws(PyObject *module, PyObject *unused)
{
    PyObject *list = PyList_New(0);

    (void)module;
    (void)unused;
    for (size_t i = 0; list && i < scree_law_count(); i++) {
        const scree_law *law = scree_law_at(i);
        PyObject *item =
            Py_BuildValue("{sssssNsIsO}", "name", law->name, "summary", law->summary, "parameters",
                          parameter_list(law->parameter_names), "memory_count", law->memory_count,
                          "has_moment", law->has_moment ? Py_True : Py_False);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *picture_choices(PyObject *module, PyObject *unused)
{
    PyObject *fields = PyDict_New(), *maps = PyList_New(0);
    const scree_picture_field *choice;
    const char *map;

    (void)module;
    (void)unused;
    for (size_t i = 0; fields && (choice = scree_picture_field_at(i)); i++) {
        PyObject *item = Py_BuildValue("ss", choice->unit, choice->help);
        if (!item || PyDict_SetItemString(fields, choice->name, item))
            Py_CLEAR(fields);
        Py_XDECREF(item);
    }
    for (size_t i = 0; maps && (map = scree_picture_map_at(i)); i++) {
        PyObject *item = PyUnicode_FromString(map);
        if (!item || PyList_Append(maps, item))
            Py_CLEAR(maps);
        Py_XDECREF(item);
    }
    return Py_BuildValue("NN", fields, maps);
}

static PyObject *simd(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(scree_simd_name(scree_simd_resolve(SCREE_SIMD_AUTO)));
}

PyMethodDef free_methods[] = {
    {"simd", simd, METH_NOARGS, "The SIMD instruction set that is used where none is chosen."},
    {"methods", methods, METH_NOARGS, "Methods of detection, a dict each."},
    {"laws", laws, METH_NOARGS, "Built-in force laws, a dict each."},
    {"picture_choices", picture_choices, METH_NOARGS, "Fields and colour maps of pictures."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                 "scree._scree",
                                 "The engine, as the package scree uses it.",
                                 -1,
                                 NULL,
                                 NULL,
                                 NULL,
                                 NULL,
                                 NULL};

PyMODINIT_FUNC PyInit__scree(void);
PyMODINIT_FUNC PyInit__scree(void)
{
    if (scree_version() != SCREE_VERSION_NUMBER) {
        PyErr_SetString(PyExc_ImportError, "the engine is of another version than its headers");
        return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
    if (watch_forks() || arrays_ready(module) || views_ready(module) || shapes_ready(module) ||
        detector_ready(module) || world_ready_type(module) || snapshot_ready(module) ||
        scene_ready(module) || PyModule_AddFunctions(module, free_methods) ||
        PyModule_AddFunctions(module, file_functions) ||
        PyModule_AddFunctions(module, run_functions) ||
        PyModule_AddFunctions(module, formula_functions) ||
        PyModule_AddStringConstant(module, "version", SCREE_VERSION_TEXT) ||
        PyModule_AddIntConstant(module, "version_number", SCREE_VERSION_NUMBER)) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
