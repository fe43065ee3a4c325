/*  Runs that leave a folder behind: those of the program, from its own sources, with exceptions where it has messages
    and exit codes. */
#include "module.h"

#include "app/run/run.h"
#include "app/run/signals.h"
#include "common/options.h"

#include <stdlib.h>
#include <string.h>

/*  What was said in a run: the last message that is no warning. */
typedef struct messages
{
    char text[2048];
} messages;

/*  Warnings go to the logger "scree", as those of worlds do. Called without the GIL. */
static void hear(const char *text, void *user)
{
    static const char warning[] = "warning: ";
    messages *heard = user;

    if (strncmp(text, warning, sizeof warning - 1) != 0) {
        PyOS_snprintf(heard->text, sizeof heard->text, "%s", text);
        return;
    }
    PyGILState_STATE state = PyGILState_Ensure();
    log_line(SCREE_LOG_WARNING, text + sizeof warning - 1);
    PyGILState_Release(state);
}

/*  One at a time in a process: signals belong to it as a whole. */
static bool is_running;

void run_note_fork(void)
{
    if (is_running)
        scree_signals_end();
    is_running = false;
}

/*  _run_folder(path, text, name, base, settings, out, force, threads, steps, device, mode): of path and text one is
    None. (exit code, digest, message) */
static PyObject *run_folder(PyObject *module, PyObject *args)
{
    scree_run_options options = {0};
    messages heard = {""};
    PyObject *settings;
    unsigned long long threads, steps;
    int force, mode, code;
    Py_ssize_t bytes;
    uint64_t digest = 0;

    (void)module;
    if (!PyArg_ParseTuple(args, "zz#zzO!spO&O&zi", &options.scene, &options.text, &bytes,
                          &options.name, &options.base, &PyList_Type, &settings, &options.folder,
                          &force, to_u64, &threads, to_u64, &steps, &options.device, &mode))
        return NULL;
    if (options.text && strlen(options.text) != (size_t)bytes)
        return raise_named("BadFile", "the text of the scene has a byte 0");
    if (is_running)
        return raise_named("Busy",
                           "another run of this process is writing its folder: one at a time");
    const char **texts = text_list(settings, &options.setting_count);
    if (!texts)
        return NULL;
    options.settings = texts;
    options.force = force;
    options.threads = threads;
    options.steps = steps;
    options.mode = (scree_progress_mode)mode;
    options.has_host = true;
    is_running = true;
    Py_BEGIN_ALLOW_THREADS;
    scree_receive_messages(hear, &heard);
    code = scree_run_go(&options, &digest);
    scree_receive_messages(NULL, NULL);
    Py_END_ALLOW_THREADS;
    is_running = false;
    free((void *)texts);
    return Py_BuildValue("iKN", code, (unsigned long long)digest, text_of(heard.text));
}

PyMethodDef run_functions[] = {{"_run_folder", run_folder, METH_VARARGS, NULL},
                               {NULL, NULL, 0, NULL}};
