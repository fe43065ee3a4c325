/*  Joints between bodies, walls and the fixed world. */
#include "module.h"

#include <string.h>

static PyObject *joint_number(scree_joint_id id)
{
    uint64_t number;

    memcpy(&number, &id, sizeof number);
    return PyLong_FromUnsignedLongLong(number);
}

static scree_joint_id joint_of(unsigned long long number)
{
    const uint64_t word = number;
    scree_joint_id id;

    memcpy(&id, &word, sizeof id);
    return id;
}

static PyObject *add_joint(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_joint_def def = scree_default_joint_def();
    scree_joint_id id;

    if (!PyArg_ParseTuple(args, "") || field_fill(joint_def_fields, &def, keywords, "add_joint") ||
        !world_ready(self))
        return NULL;
    scree_status status = scree_world_add_joint(((World *)self)->world, &def, &id);
    return status ? world_done((World *)self, status) : joint_number(id);
}

static PyObject *remove_joint(PyObject *self, PyObject *args)
{
    unsigned long long number;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    return world_done((World *)self,
                      scree_world_remove_joint(((World *)self)->world, joint_of(number)));
}

/*  set_joint_motor(id, **motor): without values it is off */
static PyObject *set_joint_motor(PyObject *self, PyObject *args, PyObject *keywords)
{
    scree_joint_motor motor = {.mode = SCREE_MOTOR_OFF};
    unsigned long long number;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) ||
        field_fill(joint_motor_fields, &motor, keywords, "set_joint_motor") || !world_ready(self))
        return NULL;
    return world_done((World *)self, scree_world_set_joint_motor(((World *)self)->world,
                                                                 joint_of(number), &motor));
}

static PyObject *joints(PyObject *self, PyObject *unused)
{
    const scree_joint *list;
    size_t count;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_status status = scree_world_joints(((World *)self)->world, &list, &count);
    return status ? world_done((World *)self, status)
                  : field_array(joint_fields, list, sizeof *list, count);
}

static PyObject *joint(PyObject *self, PyObject *args)
{
    unsigned long long number;
    scree_joint state;

    if (!PyArg_ParseTuple(args, "O&", to_u64, &number) || !world_ready(self))
        return NULL;
    scree_status status = scree_world_get_joint(((World *)self)->world, joint_of(number), &state);
    return status ? world_done((World *)self, status) : field_dict(joint_state_fields, &state);
}

static PyObject *joint_counts(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!world_ready(self))
        return NULL;
    scree_joint_counts counts = scree_world_joint_counts(((World *)self)->world);
    return field_dict(joint_counts_fields, &counts);
}

PyMethodDef joint_methods[] = {
    {"add_joint", KEYWORDS(add_joint), METH_VARARGS | METH_KEYWORDS,
     "add_joint(kind=\"hinge\", first=0, second=0, wall=0, anchor, axis, ...): joins a body to "
     "another, to a wall, or to the fixed world: \"hinge\", \"slider\", \"ball\", \"weld\" or "
     "\"spring\"; see scree/joint.h. Returns the joint's number."},
    {"remove_joint", remove_joint, METH_VARARGS, "remove_joint(id)"},
    {"set_joint_motor", KEYWORDS(set_joint_motor), METH_VARARGS | METH_KEYWORDS,
     "set_joint_motor(id, mode=\"off\", target=0, max_effort=0, stiffness=0, damping=0): drives a "
     "hinge or slider at a \"speed\" or to a \"position\"."},
    {"joints", joints, METH_NOARGS, "Joints as they are now, a structured array."},
    {"_joint", joint, METH_VARARGS, NULL},
    {"_joint_counts", joint_counts, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL}};
