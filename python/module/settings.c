/*  Settings of a world: gravity, time, damping, detection, materials, rules, the cell, sleep. */
#include "module.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static PyObject *set_gravity(PyObject *self, PyObject *args)
{
    double g[3];

    if (!PyArg_ParseTuple(args, "(ddd)", g, g + 1, g + 2) || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_gravity(((World *)self)->world, g));
}

static PyObject *get_gravity(PyObject *self, PyObject *unused)
{
    double g[3];

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_get_gravity(((World *)self)->world, g);
    return Py_BuildValue("ddd", g[0], g[1], g[2]);
}

static PyObject *set_dt(PyObject *self, PyObject *args)
{
    PyObject *name;
    double dt;
    int mode;

    if (!PyArg_ParseTuple(args, "Od", &name, &dt) ||
        (mode = read_choice(name, time_names, "time")) < 0 || !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_set_dt(((World *)self)->world, (scree_time_mode)mode, dt));
}

static PyObject *get_dt(PyObject *self, PyObject *unused)
{
    scree_time_mode mode;
    double dt;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_get_dt(((World *)self)->world, &mode, &dt);
    return Py_BuildValue("sd", time_names[mode], dt);
}

static PyObject *set_damping(PyObject *self, PyObject *args)
{
    double global, local;

    if (!PyArg_ParseTuple(args, "dd", &global, &local) || !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_set_damping(((World *)self)->world, global, local));
}

static PyObject *get_damping(PyObject *self, PyObject *unused)
{
    double global, local;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_get_damping(((World *)self)->world, &global, &local);
    return Py_BuildValue("dd", global, local);
}

static PyObject *get_domain(PyObject *self, PyObject *unused)
{
    double l[3], u[3];
    scree_boundary b[3];

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_get_domain(((World *)self)->world, l, u, b);
    return Py_BuildValue("(ddd)(ddd)(sss)", l[0], l[1], l[2], u[0], u[1], u[2],
                         boundary_names[b[0]], boundary_names[b[1]], boundary_names[b[2]]);
}

static PyObject *set_method(PyObject *self, PyObject *args)
{
    const char *name;

    if (!PyArg_ParseTuple(args, "s", &name) || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_method(((World *)self)->world, name));
}

static PyObject *get_method(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!world_ready(self))
        return NULL;
    return PyUnicode_FromString(scree_world_get_method(((World *)self)->world));
}

static PyObject *set_device(PyObject *self, PyObject *args)
{
    const char *choice;

    if (!PyArg_ParseTuple(args, "s", &choice) || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_device(((World *)self)->world, choice));
}

static PyObject *device_refusals(PyObject *self, PyObject *unused)
{
    char text[1000] = "";

    (void)unused;
    if (!world_ready(self))
        return NULL;
    (void)scree_world_device_refusals(((World *)self)->world, text, sizeof text);
    return PyUnicode_FromString(text);
}

static PyObject *set_margin(PyObject *self, PyObject *args, PyObject *keywords)
{
    /* as worlds have it where nothing is said */
    scree_margin_def margin = scree_default_world_def().detection.margin;

    if (!PyArg_ParseTuple(args, "") || field_fill(margin_fields, &margin, keywords, "set_margin") ||
        !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_margin(((World *)self)->world, &margin));
}

static PyObject *get_margin(PyObject *self, PyObject *unused)
{
    scree_margin_def margin;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_status status = scree_world_get_margin(((World *)self)->world, &margin);
    return status ? world_done((World *)self, status) : field_dict(margin_fields, &margin);
}

/* ---- materials and rules -------------------------------------------------------------------------------- */

static PyObject *add_material(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_material_def def = scree_default_material_def();
    scree_material_id id = {0};

    if (!PyArg_ParseTuple(args, "") ||
        field_fill(material_fields, &def, keywords, "add_material") || !world_ready(self))
        return NULL;
    scree_status status = scree_world_add_material(((World *)self)->world, &def, &id);
    return status ? world_done((World *)self, status) : PyLong_FromUnsignedLong(id.index1);
}

static PyObject *set_friction(PyObject *self, PyObject *args)
{
    unsigned material;
    double friction;

    if (!PyArg_ParseTuple(args, "dI", &friction, &material) || !world_ready(self))
        return NULL;
    return world_done(
        (World *)self,
        scree_world_set_friction(((World *)self)->world, (scree_material_id){material}, friction));
}

static PyObject *get_friction(PyObject *self, PyObject *args)
{
    unsigned material;

    if (!PyArg_ParseTuple(args, "I", &material) || !world_ready(self))
        return NULL;
    return PyFloat_FromDouble(
        scree_world_get_friction(((World *)self)->world, (scree_material_id){material}));
}

static PyObject *set_material_value(PyObject *self, PyObject *args)
{
    unsigned material;
    const char *name;
    double value;

    if (!PyArg_ParseTuple(args, "sdI", &name, &value, &material) || !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_set_material_value(((World *)self)->world,
                                                     (scree_material_id){material}, name, value));
}

static PyObject *get_material_value(PyObject *self, PyObject *args)
{
    unsigned material;
    const char *name;

    if (!PyArg_ParseTuple(args, "Is", &material, &name) || !world_ready(self))
        return NULL;
    return PyFloat_FromDouble(scree_world_get_material_value(((World *)self)->world,
                                                             (scree_material_id){material}, name));
}

static PyObject *set_rule_value(PyObject *self, PyObject *args)
{
    unsigned rule;
    const char *name;
    double value;

    if (!PyArg_ParseTuple(args, "Isd", &rule, &name, &value) || !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_set_rule_value(((World *)self)->world, rule, name, value));
}

static PyObject *get_rule_value(PyObject *self, PyObject *args)
{
    unsigned rule;
    const char *name;

    if (!PyArg_ParseTuple(args, "Is", &rule, &name) || !world_ready(self))
        return NULL;
    return PyFloat_FromDouble(scree_world_get_rule_value(((World *)self)->world, rule, name));
}

static PyObject *keep_values(PyObject *self, PyObject *args)
{
    if (!PyArg_ParseTuple(args, "") || !world_ready(self))
        return NULL;
    scree_world_keep_values(((World *)self)->world);
    Py_RETURN_NONE;
}

/*  Texts of law and parameters live as long as `values` does. */
int rule_parameters(PyObject *values, scree_rule_def *def, const char **names, double *numbers,
                    size_t room)
{
    PyObject *name, *value;
    Py_ssize_t at = 0;
    uint32_t count = 0;

    while (PyDict_Next(values, &at, &name, &value)) {
        if (count == room) {
            PyErr_SetString(PyExc_ValueError, "a rule has too many parameters");
            return -1;
        }
        names[count] = PyUnicode_AsUTF8AndSize(name, NULL);
        if (!names[count] || read_reals(value, &numbers[count], 1, names[count]))
            return -1;
        count++;
    }
    def->names = names;
    def->values = numbers;
    def->value_count = count;
    return 0;
}

/*  _add_rule(law or None, type, first, second, groups, parameters) */
static PyObject *add_rule(PyObject *self, PyObject *args)
{
    scree_rule_def def = scree_default_rule_def();
    const char *names[64];
    double numbers[64];
    PyObject *type, *values;
    unsigned long long groups;
    int kind;

    if (!PyArg_ParseTuple(args, "zOIIKO!", &def.law, &type, &def.material[0].index1,
                          &def.material[1].index1, &groups, &PyDict_Type, &values) ||
        (kind = read_choice(type, contact_type_names, "type")) < 0 ||
        rule_parameters(values, &def, names, numbers, COUNT_OF(names)) || !world_ready(self))
        return NULL;
    def.type = (scree_contact_type)kind;
    def.groups = groups;
    return world_done((World *)self, scree_world_add_rule(((World *)self)->world, &def));
}

/* ---- the cell and rest ----------------------------------------------------------------------------------- */

static PyObject *get_cell(PyObject *self, PyObject *unused)
{
    scree_cell_def cell;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_world_get_cell(((World *)self)->world, &cell);
    return field_dict(cell_fields, &cell);
}

static PyObject *set_cell(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_cell_def cell;

    if (!PyArg_ParseTuple(args, "") || !world_ready(self))
        return NULL;
    scree_world_get_cell(((World *)self)->world, &cell);
    if (field_fill(cell_fields, &cell, keywords, "set_cell") || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_cell(((World *)self)->world, &cell));
}

static PyObject *set_cell_servo(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_cell_servo_def servo = scree_default_cell_servo_def();
    PyObject *none = NULL;

    if (!PyArg_ParseTuple(args, "|O", &none) ||
        field_fill(cell_servo_fields, &servo, keywords, "set_cell_servo") || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_cell_servo(((World *)self)->world,
                                                                none == Py_None ? NULL : &servo));
}

static PyObject *get_cell_servo(PyObject *self, PyObject *unused)
{
    scree_cell_servo_def servo;
    double s[6], pressure;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    if (!scree_world_get_cell_servo(((World *)self)->world, &servo, s, &pressure))
        Py_RETURN_NONE;
    PyObject *dict = field_dict(cell_servo_fields, &servo);
    if (!dict)
        return NULL;
    return Py_BuildValue("N(dddddd)d", dict, s[0], s[1], s[2], s[3], s[4], s[5], pressure);
}

static PyObject *set_sleep(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_sleep_def rest = scree_default_sleep_def();
    PyObject *none = NULL;

    if (!PyArg_ParseTuple(args, "|O", &none) ||
        field_fill(rest_fields, &rest, keywords, "set_sleep") || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_sleep(((World *)self)->world,
                                                           none == Py_None ? NULL : &rest));
}

static PyObject *get_sleep(PyObject *self, PyObject *unused)
{
    scree_sleep_def sleep;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    if (!scree_world_get_sleep(((World *)self)->world, &sleep))
        Py_RETURN_NONE;
    return field_dict(rest_fields, &sleep);
}

PyMethodDef setting_methods[] = {
    {"_set_gravity", set_gravity, METH_VARARGS, NULL},
    {"_get_gravity", get_gravity, METH_NOARGS, NULL},
    {"_set_dt", set_dt, METH_VARARGS, NULL},
    {"_get_dt", get_dt, METH_NOARGS, NULL},
    {"_set_damping", set_damping, METH_VARARGS, NULL},
    {"_get_damping", get_damping, METH_NOARGS, NULL},
    {"_get_domain", get_domain, METH_NOARGS, NULL},
    {"set_method", set_method, METH_VARARGS,
     "set_method(name): another method of detection; results do not change."},
    {"_get_method", get_method, METH_NOARGS, NULL},
    {"_get_margin", get_margin, METH_NOARGS, NULL},
    {"_get_sleep", get_sleep, METH_NOARGS, NULL},
    {"set_device", set_device, METH_VARARGS,
     "set_device(choice): \"cpu\", \"gpu\", \"gpu:1\" or part of a name takes the steps from now "
     "on; "
     "results do not change."},
    {"device_refusals", device_refusals, METH_NOARGS,
     "What of this world no device can do yet, as text; \"\": nothing."},
    {"set_margin", KEYWORDS(set_margin), METH_VARARGS | METH_KEYWORDS,
     "set_margin(kind=..., ...): another margin of detection; results do not change."},
    {"add_material", KEYWORDS(add_material), METH_VARARGS | METH_KEYWORDS,
     "add_material(density=2500, young=1e7, poisson=0.3, restitution=0.5, friction=0.5, ...): a "
     "material; "
     "returns its number."},
    {"_set_friction", set_friction, METH_VARARGS, NULL},
    {"friction", get_friction, METH_VARARGS,
     "friction(material): as it is now; NaN: no such material."},
    {"_set_material_value", set_material_value, METH_VARARGS, NULL},
    {"material_value", get_material_value, METH_VARARGS,
     "material_value(material, name): a value as it is now; NaN: there is none."},
    {"set_rule_value", set_rule_value, METH_VARARGS,
     "set_rule_value(rule, name, value): a value that a rule gives, from now on; rules count from "
     "1. NaN: as it was given."},
    {"rule_value", get_rule_value, METH_VARARGS,
     "rule_value(rule, name): as it is now; NaN: the rule does not give it."},
    {"keep_values", keep_values, METH_VARARGS,
     "The values of materials and rules of now become those that they were given."},
    {"_add_rule", add_rule, METH_VARARGS, NULL},
    {"cell", get_cell, METH_NOARGS, "The periodic cell as it is now, a dict."},
    {"set_cell", KEYWORDS(set_cell), METH_VARARGS | METH_KEYWORDS,
     "set_cell(gradient=..., homogeneous=..., tilt=..., lower=..., upper=...): what is not given "
     "stays."},
    {"_set_cell_servo", KEYWORDS(set_cell_servo), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_cell_servo", get_cell_servo, METH_NOARGS, NULL},
    {"_set_sleep", KEYWORDS(set_sleep), METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}};
