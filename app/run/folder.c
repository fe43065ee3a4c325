/*  The kind of folder follows from run.json. A run that works in it holds a lock, which the system releases
    however its process ends. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "app/run/folder.h"

#include "common/options.h"
#include "common/out_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_NAME 120

/*  A lock belongs to what was opened, not to the process: two runs in one process keep each other out, and a look at a folder
    does not end the lock of a run there. Systems without such locks have those of processes. */
#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define GET_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define GET_LOCK F_GETLK
#endif

static const char *const sub_folders[] = {"checkpoints", "film", "frames", "pictures"};
#define SUB_FOLDERS (sizeof sub_folders / sizeof *sub_folders)

/* ---- paths -------------------------------------------------------------------------------------- */

char *scree_folder_path(const scree_run_folder *folder, const char *format, ...)
{
    char name[256];
    va_list list;
    va_start(list, format);
    vsnprintf(name, sizeof name, format, list);
    va_end(list);
    return scree_join_path(folder->path, name);
}

static bool fits_a_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr(".,_=+-", c);
}

char *scree_folder_name(const char *base, const char *scene, const char *const *settings,
                        size_t count)
{
    const char *slash = strrchr(scene, '/'), *name = slash ? slash + 1 : scene;
    size_t length = strlen(name), bytes = strlen(base) + length + 2;

    for (size_t k = 0; k < count; k++)
        bytes += strlen(settings[k]) + 1;
    char *path = malloc(bytes);
    if (!path)
        return NULL;
    if (length > 4 && strcmp(name + length - 4, ".lua") == 0)
        length -= 4;
    int used = snprintf(path, bytes, "%s/%.*s", base, (int)length, name);
    size_t at = (size_t)used, first = at - length;
    for (size_t k = 0; k < count; k++)
        at += (size_t)snprintf(path + at, bytes - at, "%s%s", at > first ? "-" : "", settings[k]);
    for (size_t k = first; k < at; k++)
        path[k] = fits_a_name(path[k]) ? path[k] : '_';
    path[at - first > LONGEST_NAME ? first + LONGEST_NAME : at] = 0;
    return path;
}

bool scree_folder_is_temporary(const char *name)
{
    size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".part") == 0;
}

/* ---- what is there ------------------------------------------------------------------------------ */

/*  Whether this is what a run leaves that was killed at its very start: empty folders, and no run.json. */
static bool is_beginning(const char *path, const char *name)
{
    char *inside = scree_join_path(path, name);
    struct stat info;
    bool is_sub = false;

    for (size_t k = 0; k < SUB_FOLDERS; k++)
        is_sub = is_sub || strcmp(name, sub_folders[k]) == 0;
    /* a folder is removed only if it is empty, and then made again */
    bool begins =
        is_sub ? inside && rmdir(inside) == 0
               : scree_folder_is_temporary(name) || (strcmp(name, "log.txt") == 0 && inside &&
                                                     stat(inside, &info) == 0 && info.st_size == 0);
    free(inside);
    return begins;
}

static bool is_empty(const char *path)
{
    DIR *list = opendir(path);
    bool empty = list != NULL;

    for (struct dirent *entry; list && empty && (entry = readdir(list));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                is_beginning(path, entry->d_name);
    if (list)
        closedir(list);
    return empty;
}

/*  Whether another run holds the lock. */
static bool is_busy(const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *log = scree_join_path(path, "log.txt");
    int descriptor = log ? open(log, O_RDWR | O_CLOEXEC) : -1;
    bool busy =
        descriptor >= 0 && fcntl(descriptor, GET_LOCK, &lock) == 0 && lock.l_type != F_UNLCK;

    if (descriptor >= 0)
        close(descriptor);
    free(log);
    return busy;
}

/*  run.json is short and written by this program: its line of the state is found as text. */
static bool is_finished(const char *record)
{
    char text[65536];
    FILE *file = fopen(record, "rb");
    size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;

    if (file)
        fclose(file);
    text[got] = 0;
    return strstr(text, "\n  \"state\": \"finished\"") != NULL;
}

static bool is_there(const char *folder, const char *name)
{
    struct stat info;
    char *path = scree_join_path(folder, name);
    bool there = path && stat(path, &info) == 0;

    free(path);
    return there;
}

scree_folder_state scree_folder_look(const char *path)
{
    struct stat info;
    scree_folder_state state = SCREE_FOLDER_FOREIGN;
    char *record = scree_join_path(path, "run.json");

    if (stat(path, &info) != 0)
        state = errno == ENOENT || errno == ENOTDIR ? SCREE_FOLDER_NEW : SCREE_FOLDER_FOREIGN;
    else if (!S_ISDIR(info.st_mode))
        state = SCREE_FOLDER_FOREIGN;
    else if (is_busy(path))
        state = SCREE_FOLDER_BUSY;
    else if (record && stat(record, &info) == 0 && S_ISREG(info.st_mode))
        state = is_finished(record) ? SCREE_FOLDER_FINISHED : SCREE_FOLDER_STOPPED;
    else if (is_empty(path))
        state = SCREE_FOLDER_NEW;
    /* run.json is written first: without a scene and a state no run has begun */
    if (state == SCREE_FOLDER_STOPPED && !is_there(path, "scene.lua") &&
        (is_beginning(path, "checkpoints") || !is_there(path, "checkpoints")))
        state = SCREE_FOLDER_NEW;
    free(record);
    return state;
}

/* ---- opening ------------------------------------------------------------------------------------ */

static bool is_ours(const char *name)
{
    static const char *const begin[] = {"checkpoint-", "bodies",  "contacts", "walls", "solids",
                                        "pebbles",     "picture", "fields",   "frame-"};
    for (size_t k = 0; k < sizeof begin / sizeof *begin; k++)
        if (strncmp(name, begin[k], strlen(begin[k])) == 0)
            return true;
    return false;
}

/*  Removes temporary files of killed runs, or everything that a run writes. */
static void sweep_out(const char *path, bool all)
{
    DIR *list = opendir(path);

    for (struct dirent *entry; list && (entry = readdir(list));) {
        bool goes = scree_folder_is_temporary(entry->d_name) || (all && is_ours(entry->d_name));
        char *file = goes ? scree_join_path(path, entry->d_name) : NULL;
        if (file)
            unlink(file);
        free(file);
    }
    if (list)
        closedir(list);
}

static void sweep_all(const char *path, bool all)
{
    static const char *const files[] = {"run.json", "metrics.csv", "breaks.csv", "detection.csv",
                                        "scene.lua"};

    sweep_out(path, false);
    for (size_t k = 0; k < SUB_FOLDERS; k++) {
        char *sub = scree_join_path(path, sub_folders[k]);
        if (sub)
            sweep_out(sub, all);
        free(sub);
    }
    for (size_t k = 0; all && k < sizeof files / sizeof *files; k++) {
        char *file = scree_join_path(path, files[k]);
        if (file)
            unlink(file);
        free(file);
    }
}

static int make_folders(const char *path)
{
    int code = scree_make_folder(path);

    for (size_t k = 0; k < SUB_FOLDERS && code == SCREE_EXIT_OK; k++) {
        char *sub = scree_join_path(path, sub_folders[k]);
        code = sub ? scree_make_folder(sub) : scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
        free(sub);
    }
    return code;
}

/*  Keeps other runs out. On file systems without locks there is no lock. */
static int take_lock(scree_run_folder *folder)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *log = scree_join_path(folder->path, "log.txt");
    int code = SCREE_EXIT_OK;

    folder->lock = log ? open(log, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (!log)
        code = scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    else if (folder->lock < 0)
        code = scree_system_error(log, "cannot create");
    else if (fcntl(folder->lock, SET_LOCK, &lock) != 0 && (errno == EACCES || errno == EAGAIN))
        code = scree_usage_error("%.200s: another run works in this folder", folder->path);
    free(log);
    return code;
}

/*  Whether the folder exists but this user may not enter, read or write it; with errno. */
static bool is_closed(const char *path)
{
    struct stat info;

    if (stat(path, &info) != 0)
        return errno == EACCES;
    return S_ISDIR(info.st_mode) && access(path, R_OK | W_OK | X_OK) != 0;
}

int scree_folder_check(const char *path, bool resume, bool force)
{
    scree_folder_state state = scree_folder_look(path);

    if (is_closed(path))
        return scree_system_error(path, "cannot be used as the folder of a run");
    if (state == SCREE_FOLDER_BUSY)
        return scree_usage_error("%.200s: another run works in this folder", path);
    if (resume && (state == SCREE_FOLDER_NEW || state == SCREE_FOLDER_FOREIGN))
        return scree_usage_error("%.200s: there is no run in this folder to continue", path);
    if (resume)
        return SCREE_EXIT_OK;
    if (state == SCREE_FOLDER_FOREIGN)
        return scree_usage_error(
            "%.200s: holds something other than a run; --out DIR chooses another folder", path);
    if (state == SCREE_FOLDER_FINISHED && !force)
        return scree_usage_error(
            "%.200s: holds a finished run; --force overwrites it, --out DIR chooses another folder",
            path);
    if (state == SCREE_FOLDER_STOPPED && !force)
        return scree_usage_error("%.200s: holds an unfinished run: \"scree run --resume %.200s\" "
                                 "continues it, --force starts again",
                                 path, path);
    return SCREE_EXIT_OK;
}

int scree_folder_open(scree_run_folder *folder, const char *path, bool resume, bool force)
{
    *folder = (scree_run_folder){NULL, -1};
    int code = scree_folder_check(path, resume, force);
    if (code == SCREE_EXIT_OK)
        code = make_folders(path);
    if (code != SCREE_EXIT_OK)
        return code;
    folder->path = strdup(path);
    if (!folder->path)
        return scree_status_error(SCREE_OUT_OF_MEMORY, NULL);
    /* "out/drum/" and "out/drum" get the same name */
    for (size_t k = strlen(path); k > 1 && path[k - 1] == '/'; k--)
        folder->path[k - 1] = 0;
    code = take_lock(folder);
    if (code == SCREE_EXIT_OK)
        sweep_all(folder->path, !resume);
    if (code == SCREE_EXIT_OK && !resume && ftruncate(folder->lock, 0) != 0)
        code = scree_system_error(folder->path, "cannot write log.txt");
    if (code != SCREE_EXIT_OK)
        scree_folder_close(folder);
    return code;
}

void scree_folder_close(scree_run_folder *folder)
{
    if (folder->lock >= 0)
        close(folder->lock);
    free(folder->path);
    *folder = (scree_run_folder){NULL, -1};
}
