/*  Scenes in Lua, where the module was built with it: read, built into a world, and led through their course. */
#include "module.h"

#include "scene.h"

#include <stdlib.h>
#include <string.h>

typedef struct Scene
{
    PyObject_HEAD scree_scene *scene;
    World *world; /* NULL before it is built */
    bool is_busy;
} Scene;

static PyTypeObject *Scene_type;

static scree_scene *ready(PyObject *self)
{
    Scene *s = (Scene *)self;

    if (!s->scene)
        PyErr_SetString(PyExc_ValueError, "the scene is closed");
    else if (s->is_busy)
        raise_named("Busy", "the scene is at work in another thread");
    else
        return s->scene;
    return NULL;
}

/*  The world that was built, idle. */
static scree_world *started(PyObject *self)
{
    if (!ready(self))
        return NULL;
    if (!((Scene *)self)->world)
        return (scree_world *)raise_named("InvalidValue",
                                          "the scene has no world yet: build() first");
    return world_ready((PyObject *)((Scene *)self)->world);
}

static PyThreadState *begin(Scene *s)
{
    s->is_busy = true;
    return world_begin(s->world);
}

static void end(Scene *s, PyThreadState *thread)
{
    world_end(s->world, thread);
    s->is_busy = false;
}

const char **text_list(PyObject *list, size_t *count)
{
    Py_ssize_t length = PyList_Size(list);
    const char **texts = length < 0 ? NULL : calloc((size_t)length + 1, sizeof *texts);

    if (length >= 0 && !texts)
        PyErr_NoMemory();
    for (Py_ssize_t i = 0; texts && i < length; i++)
        if (!(texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL))) {
            free(texts);
            return NULL;
        }
    *count = texts ? (size_t)length : 0;
    return texts;
}

/*  _open(path, text, name, folder, settings): of path and text one is None */
static PyObject *scene_open(PyObject *type, PyObject *args)
{
    scree_scene_def def = scree_default_scene_def();
    scree_error error = {0};
    PyObject *settings;
    Py_ssize_t bytes;

    if (!PyArg_ParseTuple(args, "zz#zzO!", &def.path, &def.text, &bytes, &def.name, &def.folder,
                          &PyList_Type, &settings))
        return NULL;
    const char **texts = text_list(settings, &def.setting_count);
    Scene *self = texts ? (Scene *)object_new((PyTypeObject *)type) : NULL;
    if (self) {
        def.text_bytes = (size_t)bytes;
        def.settings = texts;
        def.error = &error;
        if (!def.name)
            def.name = scree_default_scene_def().name;
        scree_status status = scree_scene_open(&def, &self->scene);
        if (status) {
            raise_status(status, error.text);
            Py_CLEAR(self);
        }
    }
    free(texts);
    return (PyObject *)self;
}

static void close_it(Scene *s)
{
    scree_scene_close(s->scene);
    s->scene = NULL;
    Py_CLEAR(s->world);
}

static void scene_dealloc(PyObject *self)
{
    PyObject_GC_UnTrack(self);
    close_it((Scene *)self);
    object_free(self);
}

static int scene_traverse(PyObject *self, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(self));
    Py_VISIT(((Scene *)self)->world);
    return 0;
}

static int scene_clear(PyObject *self)
{
    Py_CLEAR(((Scene *)self)->world);
    return 0;
}

/*  The world of the scene, where `status` is good; takes `made` and `error`. */
static PyObject *take_world(Scene *s, World *made, scree_world *world, scree_world_def *hooks,
                            scree_status status, const scree_error *error)
{
    const scree_scene_plan *plan = scree_scene_plan_of(s->scene);

    if (hooks->compute.thread_count <= 1 && plan->threads > 1)
        hooks->compute.thread_count = plan->threads;
    hooks->events = plan->world.events;
    world_adopt(made, world, hooks);
    made->dimensions = plan->world.dimensions;
    if (status) {
        Py_DECREF(made);
        return raise_status(status, error->text);
    }
    s->world = (World *)Py_NewRef((PyObject *)made);
    return (PyObject *)made;
}

/*  A world object for a scene that has none. */
static World *new_world(PyObject *self, PyObject *type, scree_world_def *hooks, PyObject *keywords)
{
    if (field_fill(world_fields, hooks, keywords, "build") || !ready(self))
        return NULL;
    if (((Scene *)self)->world)
        return (World *)raise_named("InvalidValue", "the scene has its world already");
    return world_object((PyTypeObject *)type, hooks);
}

/*  _build(world class, **hooks): the world with its bodies of t = 0 */
static PyObject *scene_build(PyObject *self, PyObject *args, PyObject *keywords)
{
    Scene *s = (Scene *)self;
    scree_world_def hooks = scree_default_world_def();
    scree_error error = {0};
    PyObject *type;
    scree_world *world = NULL;

    if (!PyArg_ParseTuple(args, "O!", &PyType_Type, &type))
        return NULL;
    World *made = new_world(self, type, &hooks, keywords);
    if (!made)
        return NULL;
    scree_status status;
    s->is_busy = true;
    Py_BEGIN_ALLOW_THREADS;
    status = scree_scene_build(s->scene, &hooks, &world, &error);
    if (!status)
        status = scree_scene_start(s->scene, world, &error);
    Py_END_ALLOW_THREADS;
    s->is_busy = false;
    return take_world(s, made, world, &hooks, status, &error);
}

static scree_status go_on(scree_scene *scene, const scree_checkpoint *checkpoint,
                          const scree_world_def *hooks, scree_world **world, scree_error *error)
{
    scree_checkpoint_part course;

    if (!scree_checkpoint_part_of(checkpoint, "course", &course)) {
        PyOS_snprintf(error->text, sizeof error->text, "the checkpoint has no state of a scene");
        return SCREE_BAD_FILE;
    }
    scree_status status =
        scree_scene_build_at(scene, hooks, course.data, course.bytes, world, error);
    if (!status)
        status = scree_checkpoint_restore(checkpoint, *world, error);
    return status ? status : scree_scene_course_load(scene, course.data, course.bytes, error);
}

/*  _go_on(world class, checkpoint, **hooks): the world as a run of this scene has left it */
static PyObject *scene_go_on(PyObject *self, PyObject *args, PyObject *keywords)
{
    Scene *s = (Scene *)self;
    scree_world_def hooks = scree_default_world_def();
    scree_error error = {0};
    PyObject *type, *source;
    scree_world *world = NULL;

    if (!PyArg_ParseTuple(args, "O!O", &PyType_Type, &type, &source))
        return NULL;
    scree_checkpoint *checkpoint = open_checkpoint(source);
    World *made = checkpoint ? new_world(self, type, &hooks, keywords) : NULL;
    scree_status status = SCREE_OK;
    if (made) {
        s->is_busy = true;
        Py_BEGIN_ALLOW_THREADS;
        status = go_on(s->scene, checkpoint, &hooks, &world, &error);
        Py_END_ALLOW_THREADS;
        s->is_busy = false;
    }
    scree_checkpoint_destroy(checkpoint);
    return made ? take_world(s, made, world, &hooks, status, &error) : NULL;
}

/*  The engine lists the events of one call, and a scene makes several of them: where events are listed, it is led step by
    step. */
static scree_status advance(Scene *s, uint64_t count, scree_error *error)
{
    scree_world *world = s->world->world;
    scree_status status = SCREE_OK;

    if (!s->world->has_events)
        return scree_scene_advance(s->scene, world, count, error);
    for (uint64_t taken = 0; taken < count && !status; taken++) {
        uint64_t before = scree_world_clock(world).steps;
        status = scree_scene_advance(s->scene, world, 1, error);
        if (!status && scree_world_clock(world).steps > before)
            status = world_gather_events(s->world);
        uint32_t stage = scree_scene_stage_number(s->scene);
        if (scree_scene_is_over(s->scene) || scree_scene_report_stage(s->scene, stage).has_ended)
            break;
    }
    return status;
}

/*  _step(count): in one piece, up to where a stage ends; how many steps were taken. Python makes pieces of it */
static PyObject *scene_step(PyObject *self, PyObject *args)
{
    Scene *s = (Scene *)self;
    unsigned long long count;
    scree_error error = {0};

    if (!PyArg_ParseTuple(args, "K", &count) || !started(self))
        return NULL;
    PyThreadState *thread = begin(s);
    uint64_t before = scree_world_clock(s->world->world).steps;
    scree_status status = advance(s, count, &error);
    uint64_t taken = scree_world_clock(s->world->world).steps - before;
    end(s, thread);
    if (status == SCREE_UNSTABLE)
        return world_refused(s->world, status);
    return status ? raise_status(status, error.text)
                  : PyLong_FromUnsignedLongLong((unsigned long long)taken);
}

static PyObject *scene_measure(PyObject *self, PyObject *unused)
{
    Scene *s = (Scene *)self;
    scree_error error = {0};

    (void)unused;
    if (!started(self))
        return NULL;
    size_t count = scree_scene_column_count(s->scene);
    double *values = calloc(count ? count : 1, sizeof *values);
    if (!values)
        return PyErr_NoMemory();
    PyThreadState *thread = begin(s);
    scree_status status = scree_scene_measure(s->scene, s->world->world, values, &error);
    end(s, thread);
    PyObject *array =
        status ? raise_status(status, error.text) : array_copy("f8", values, count, 0, 8);
    free(values);
    return array;
}

/*  Names and values of the columns that every scene has. */
static PyObject *scene_standard(PyObject *self, PyObject *unused)
{
    double values[SCREE_SCENE_MAX_STANDARD];
    const scree_world *world = started(self);
    const scree_scene *scene = ((Scene *)self)->scene;
    PyObject *list = world ? PyList_New(0) : NULL;

    (void)unused;
    if (list)
        scree_scene_standard(scene, world, values);
    for (size_t i = 0; list && i < scree_scene_standard_count(scene); i++) {
        PyObject *item = Py_BuildValue("sd", scree_scene_standard_name(scene, i), values[i]);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/*  _sample(): for columns with `mean` */
static PyObject *scene_sample(PyObject *self, PyObject *unused)
{
    Scene *s = (Scene *)self;
    scree_error error = {0};

    (void)unused;
    if (!started(self))
        return NULL;
    PyThreadState *thread = begin(s);
    scree_status status = scree_scene_sample(s->scene, s->world->world, &error);
    end(s, thread);
    if (status)
        return raise_status(status, error.text);
    Py_RETURN_NONE;
}

static PyObject *scene_columns(PyObject *self, PyObject *unused)
{
    scree_scene *scene = ready(self);
    PyObject *list = scene ? PyList_New(0) : NULL;

    (void)unused;
    for (size_t i = 0; list && i < scree_scene_column_count(scene); i++) {
        PyObject *item = Py_BuildValue("ss", scree_scene_column_name(scene, i),
                                       scree_scene_column_unit(scene, i));
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *scene_parameters(const scree_scene_plan *plan)
{
    PyObject *list = PyList_New(0);

    for (size_t i = 0; list && i < plan->parameter_count; i++) {
        const scree_scene_parameter *p = &plan->parameters[i];
        PyObject *item = Py_BuildValue("sssO", p->name, p->unit ? p->unit : "", p->value,
                                       p->is_set ? Py_True : Py_False);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

/*  Whether times of rows and frames are counted from where stages begin. */
static bool has_intervals(const scree_scene_plan *plan)
{
    for (size_t k = 0; k < plan->stage_count; k++)
        if (plan->stages[k].metrics_every > 0 || plan->stages[k].output_every > 0)
            return true;
    return false;
}

static PyObject *scene_plan(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!ready(self))
        return NULL;
    const scree_scene_plan *plan = scree_scene_plan_of(((Scene *)self)->scene);
    return Py_BuildValue(
        "{sssKsdsKsNsdsKsdsKsdsisnsnsOsO}", "title", plan->title ? plan->title : "", "seed",
        (unsigned long long)plan->seed, "end_time", plan->end_time, "end_steps",
        (unsigned long long)plan->end_steps, "parameters", scene_parameters(plan), "metrics_time",
        plan->metrics.time, "metrics_steps", (unsigned long long)plan->metrics.steps, "sample_time",
        plan->sample.time, "sample_steps", (unsigned long long)plan->sample.steps, "start_bodies",
        scree_scene_start_bodies(((Scene *)self)->scene), "dimensions", plan->world.dimensions,
        "materials", (Py_ssize_t)plan->material_count, "stages", (Py_ssize_t)plan->stage_count,
        "ends_by_stages", plan->ends_by_stages ? Py_True : Py_False, "has_intervals",
        has_intervals(plan) ? Py_True : Py_False);
}

/*  The stage the scene is in, with number 0 where it has none. has_ended: the next one begins with the step to come;
    is_over: no step follows. */
static PyObject *scene_stage(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!ready(self))
        return NULL;
    const scree_scene *scene = ((Scene *)self)->scene;
    uint32_t number = scree_scene_stage_number(scene);
    const scree_scene_stage *stage =
        number ? &scree_scene_plan_of(scene)->stages[number - 1] : NULL;
    scree_scene_stage_report report = scree_scene_report_stage(scene, number);
    return Py_BuildValue("{sIsssdsOsOsdsK}", "number", (unsigned)number, "name",
                         stage ? stage->name : "", "metrics_every",
                         stage ? stage->metrics_every : 0.0, "has_ended",
                         report.has_ended ? Py_True : Py_False, "is_over",
                         scree_scene_is_over(scene) ? Py_True : Py_False, "began_time",
                         report.began_time, "began_steps", (unsigned long long)report.began_step);
}

/*  What stages have come to, in their order, and what ended the run, or None. */
static PyObject *scene_reports(PyObject *self, PyObject *unused)
{
    char text[400];
    PyObject *list = ready(self) ? PyList_New(0) : NULL;

    (void)unused;
    if (!list)
        return NULL;
    const scree_scene *scene = ((Scene *)self)->scene;
    const scree_scene_plan *plan = scree_scene_plan_of(scene);
    for (uint32_t k = 1; list && k <= plan->stage_count; k++) {
        scree_scene_stage_report r = scree_scene_report_stage(scene, k);
        PyObject *item = Py_BuildValue(
            "{sssOsOsOsKsKsdsdsdsN}", "name", plan->stages[k - 1].name, "has_begun",
            r.has_begun ? Py_True : Py_False, "has_ended", r.has_ended ? Py_True : Py_False,
            "is_by_limit", r.is_by_limit ? Py_True : Py_False, "began_step",
            (unsigned long long)r.began_step, "ended_step", (unsigned long long)r.ended_step,
            "began_time", r.began_time, "ended_time", r.ended_time, "value", r.value, "condition",
            text_of(r.condition));
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    bool is_stopped = scree_scene_report_stop(scene, text, sizeof text);
    return Py_BuildValue("NN", list, text_of(is_stopped ? text : NULL));
}

static PyObject *scene_count(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (!ready(self))
        return NULL;
    scree_scene_tally t = scree_scene_count(((Scene *)self)->scene);
    return Py_BuildValue("{sKsdsKsdsKsKsd}", "poured", (unsigned long long)t.poured, "poured_mass",
                         t.poured_mass, "sunk", (unsigned long long)t.sunk, "sunk_mass",
                         t.sunk_mass, "waiting", (unsigned long long)t.waiting, "quarantined",
                         (unsigned long long)t.quarantined, "quarantined_mass", t.quarantined_mass);
}

static PyObject *scene_resolved(PyObject *self, void *unused)
{
    (void)unused;
    return ready(self) ? PyUnicode_FromString(scree_scene_resolved(((Scene *)self)->scene)) : NULL;
}

static PyObject *scene_world(PyObject *self, void *unused)
{
    World *world = ((Scene *)self)->world;

    (void)unused;
    return world ? Py_NewRef((PyObject *)world) : Py_NewRef(Py_None);
}

static PyObject *scene_close(PyObject *self, PyObject *unused)
{
    (void)unused;
    if (((Scene *)self)->is_busy)
        return raise_named("Busy", "the scene is at work in another thread");
    close_it((Scene *)self);
    Py_RETURN_NONE;
}

static PyObject *scene_examples(PyObject *type, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    const scree_scene_example *example;

    (void)type;
    (void)unused;
    for (size_t i = 0; list && (example = scree_scene_example_at(i)); i++) {
        PyObject *item = Py_BuildValue("sss", example->name, example->summary, example->text);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyMethodDef scene_methods[] = {
    {"_open", scene_open, METH_VARARGS | METH_CLASS, NULL},
    {"_examples", scene_examples, METH_NOARGS | METH_CLASS, NULL},
    {"_build", KEYWORDS(scene_build), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_go_on", KEYWORDS(scene_go_on), METH_VARARGS | METH_KEYWORDS, NULL},
    {"_step", scene_step, METH_VARARGS, NULL},
    {"_measure", scene_measure, METH_NOARGS, NULL},
    {"_sample", scene_sample, METH_NOARGS, NULL},
    {"_standard", scene_standard, METH_NOARGS, NULL},
    {"_columns", scene_columns, METH_NOARGS, NULL},
    {"_plan", scene_plan, METH_NOARGS, NULL},
    {"_count", scene_count, METH_NOARGS, NULL},
    {"_stage", scene_stage, METH_NOARGS, NULL},
    {"_reports", scene_reports, METH_NOARGS, NULL},
    {"close", scene_close, METH_NOARGS, "Frees the scene; its world lives as long as it is used."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef scene_getset[] = {
    {"resolved", scene_resolved, NULL,
     "The text of a scene that reproduces the run without settings.", NULL},
    {"world", scene_world, NULL, "The world that was built, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

int scene_ready(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_dealloc, scene_dealloc}, {Py_tp_traverse, scene_traverse},
                                  {Py_tp_clear, scene_clear},     {Py_tp_methods, scene_methods},
                                  {Py_tp_getset, scene_getset},   {0, NULL}};
    static PyType_Spec spec = {"scree._scree.Scene", sizeof(Scene), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC |
                                   Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               slots};
    return add_type(module, "Scene", &spec, &Scene_type) ||
           PyModule_AddObjectRef(module, "has_scenes",
                                 scree_scene_available() ? Py_True : Py_False);
}
