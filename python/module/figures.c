/*  Figures of a world as dicts; Python gives them names that are read as attributes. */
#include "module.h"

#include <stdlib.h>

/*  A method that returns a struct of the interface as a dict. */
#define FIGURES(name, type, function, fields)                                                      \
    static PyObject *name(PyObject *self, PyObject *unused)                                        \
    {                                                                                              \
        (void)unused;                                                                              \
        if (!world_ready(self))                                                                    \
            return NULL;                                                                           \
        type figures = function(((World *)self)->world);                                           \
        return field_dict(fields, &figures);                                                       \
    }

FIGURES(get_clock, scree_clock, scree_world_clock, clock_fields)
FIGURES(get_energy, scree_energy, scree_world_energy, energy_fields)
FIGURES(get_totals, scree_totals, scree_world_totals, totals_fields)
FIGURES(get_detection_stats, scree_detection_stats, scree_world_detection_stats,
        detection_stats_fields)
FIGURES(get_local_counts, scree_local_counts, scree_world_local_counts, local_counts_fields)
FIGURES(get_timings, scree_timings, scree_world_timings, timings_fields)
FIGURES(get_local_step_stats, scree_local_step_stats, scree_world_local_step_stats,
        local_step_stats_fields)
FIGURES(get_sleep_counts, scree_sleep_counts, scree_world_sleep_counts, sleep_counts_fields)
FIGURES(get_ambient_work, scree_ambient_work, scree_world_ambient_work, ambient_work_fields)
FIGURES(get_heat, scree_heat_totals, scree_world_heat, heat_totals_fields)

static PyObject *enable_timings(PyObject *self, PyObject *args)
{
    int on;

    if (!PyArg_ParseTuple(args, "p", &on) || !world_ready(self))
        return NULL;
    scree_world_enable_timings(((World *)self)->world, on);
    Py_RETURN_NONE;
}

static PyObject *stable_step(PyObject *self, PyObject *unused)
{
    World *w = (World *)self;
    scree_stable_step step;

    (void)unused;
    if (!world_ready(self))
        return NULL;
    PyThreadState *thread = world_begin(w);
    scree_status status = scree_world_stable_step(w->world, &step);
    world_end(w, thread);
    if (status || w->error)
        return world_done(w, status ? status : SCREE_BAD_VALUE);
    return field_dict(stable_step_fields, &step);
}

static PyObject *digest(PyObject *self, PyObject *unused)
{
    (void)unused;
    return world_ready(self)
               ? PyLong_FromUnsignedLongLong(scree_world_digest(((World *)self)->world))
               : NULL;
}

/*  _time(): as digest, without a dict */
static PyObject *get_time(PyObject *self, PyObject *unused)
{
    (void)unused;
    return world_ready(self) ? PyFloat_FromDouble(scree_world_clock(((World *)self)->world).time)
                             : NULL;
}

/*  _chains(**def): figures, bodies, members */
static PyObject *chains(PyObject *self, PyObject *args, PyObject *keywords)
{
    World *w = (World *)self;
    scree_chains_def def = scree_default_chains_def();
    scree_chains figures;
    PyObject *result = NULL;

    if (!PyArg_ParseTuple(args, "") || field_fill(chains_def_fields, &def, keywords, "chains") ||
        !world_ready(self))
        return NULL;
    size_t count = scree_world_body_count(w->world);
    scree_chain_body *bodies = calloc(count + 1, sizeof *bodies);
    uint32_t *members = calloc(count + 1, sizeof *members);
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (bodies && members) {
        PyThreadState *thread = world_begin(w);
        status = scree_world_chains(w->world, &def, bodies, members, count, &figures);
        world_end(w, thread);
    }
    if (status)
        world_done(w, status);
    else
        result = Py_BuildValue("NNN", field_dict(chains_fields, &figures),
                               field_array(chain_body_fields, bodies, sizeof *bodies, count),
                               array_copy("u4", members, figures.bodies, 0, 4));
    free(bodies);
    free(members);
    return result;
}

PyMethodDef figure_methods[] = {
    {"_clock", get_clock, METH_NOARGS, NULL},
    {"_energy", get_energy, METH_NOARGS, NULL},
    {"_totals", get_totals, METH_NOARGS, NULL},
    {"_detection_stats", get_detection_stats, METH_NOARGS, NULL},
    {"_local_counts", get_local_counts, METH_NOARGS, NULL},
    {"_timings", get_timings, METH_NOARGS, NULL},
    {"_local_step_stats", get_local_step_stats, METH_NOARGS, NULL},
    {"_sleep_counts", get_sleep_counts, METH_NOARGS, NULL},
    {"_ambient_work", get_ambient_work, METH_NOARGS, NULL},
    {"_heat", get_heat, METH_NOARGS, NULL},
    {"_time", get_time, METH_NOARGS, NULL},
    {"_chains", KEYWORDS(chains), METH_VARARGS | METH_KEYWORDS, NULL},
    {"enable_timings", enable_timings, METH_VARARGS,
     "enable_timings(on): whether timings() are measured from now on."},
    {"_stable_step", stable_step, METH_NOARGS, NULL},
    {"digest", digest, METH_NOARGS, "A hash of all that decides the future."},
    {NULL, NULL, 0, NULL}};
