/*  Laws written as formulas: texts for scree_formula_law_create. */
#include "tables.h"

#include <math.h>

static const field law_fields[] = {TEXT(scree_formula_law_def, name),
                                   TEXT(scree_formula_law_def, where),
                                   TEXT(scree_formula_law_def, normal),
                                   TEXT(scree_formula_law_def, tangential),
                                   TEXT(scree_formula_law_def, spring_stiffness),
                                   TEXT(scree_formula_law_def, spring_damping),
                                   TEXT(scree_formula_law_def, spring_limit),
                                   TEXT(scree_formula_law_def, rolling),
                                   TEXT(scree_formula_law_def, stiffness),
                                   TEXT(scree_formula_law_def, energy),
                                   REAL(scree_formula_law_def, reach),
                                   END};

/*  History variables of a dict of names and formulas. */
static int read_memory(PyObject *values, scree_formula_memory *memory, uint32_t *count)
{
    PyObject *name, *formula;
    Py_ssize_t at = 0;

    while (PyDict_Next(values, &at, &name, &formula)) {
        if (*count == SCREE_MAX_FORMULA_MEMORY) {
            PyErr_Format(PyExc_ValueError, "memory has more than %d variables",
                         SCREE_MAX_FORMULA_MEMORY);
            return -1;
        }
        memory[*count].name = PyUnicode_AsUTF8AndSize(name, NULL);
        memory[*count].next = PyUnicode_AsUTF8AndSize(formula, NULL);
        if (!memory[*count].name || !memory[*count].next)
            return -1;
        ++*count;
    }
    return 0;
}

/*  Parameters of a dict of names and values; None: the rule must give it. */
static int read_parameters(PyObject *values, scree_formula_parameter *list, uint32_t *count)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;

    while (PyDict_Next(values, &at, &name, &value)) {
        if (*count == SCREE_MAX_FORMULA_PARAMETERS) {
            PyErr_Format(PyExc_ValueError, "a law has more than %d parameters",
                         SCREE_MAX_FORMULA_PARAMETERS);
            return -1;
        }
        list[*count] = (scree_formula_parameter){PyUnicode_AsUTF8AndSize(name, NULL), NAN};
        if (!list[*count].name ||
            (value != Py_None && read_reals(value, &list[*count].value, 1, list[*count].name)))
            return -1;
        ++*count;
    }
    return 0;
}

static scree_law *make_law(PyObject *formulas, PyObject *variables, PyObject *parameters)
{
    scree_formula_law_def def = scree_default_formula_law_def();
    scree_formula_memory memory[SCREE_MAX_FORMULA_MEMORY];
    scree_formula_parameter list[SCREE_MAX_FORMULA_PARAMETERS];
    scree_error error = {0};
    scree_law *law = NULL;

    def.memory = memory;
    def.parameters = list;
    def.error = &error;
    if (field_fill(law_fields, &def, formulas, "FormulaLaw") ||
        read_memory(variables, memory, &def.memory_count) ||
        read_parameters(parameters, list, &def.parameter_count))
        return NULL;
    scree_status status = scree_formula_law_create(&def, &law);
    if (status)
        raise_status(status, error.text);
    return law;
}

/*  check_formulas(formulas, memory, parameters): raises what is wrong with them */
static PyObject *check_formulas(PyObject *module, PyObject *args)
{
    PyObject *formulas, *variables, *parameters;

    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyDict_Type, &formulas, &PyDict_Type, &variables,
                          &PyDict_Type, &parameters))
        return NULL;
    scree_law *law = make_law(formulas, variables, parameters);
    if (!law)
        return NULL;
    scree_formula_law_destroy(law);
    Py_RETURN_NONE;
}

/*  _add_formula_rule(type, first, second, groups, values, formulas, memory, parameters) */
static PyObject *add_formula_rule(PyObject *self, PyObject *args)
{
    scree_rule_def def = scree_default_rule_def();
    PyObject *type, *values, *formulas, *variables, *parameters;
    const char *names[64];
    double numbers[64];
    unsigned long long groups;
    int kind;

    if (!PyArg_ParseTuple(args, "OIIKO!O!O!O!", &type, &def.material[0].index1,
                          &def.material[1].index1, &groups, &PyDict_Type, &values, &PyDict_Type,
                          &formulas, &PyDict_Type, &variables, &PyDict_Type, &parameters) ||
        (kind = read_choice(type, contact_type_names, "type")) < 0 ||
        rule_parameters(values, &def, names, numbers, COUNT_OF(names)) || !world_ready(self))
        return NULL;
    scree_law *law = make_law(formulas, variables, parameters);
    if (!law)
        return NULL;
    def.own_law = law;
    def.type = (scree_contact_type)kind;
    def.groups = groups;
    scree_status status = scree_world_add_rule(((World *)self)->world, &def);
    /* the world has its own copy */
    scree_formula_law_destroy(law);
    return world_done((World *)self, status);
}

PyMethodDef formula_methods[] = {{"_add_formula_rule", add_formula_rule, METH_VARARGS, NULL},
                                 {NULL, NULL, 0, NULL}};
PyMethodDef formula_functions[] = {{"check_formulas", check_formulas, METH_VARARGS, NULL},
                                   {NULL, NULL, 0, NULL}};
