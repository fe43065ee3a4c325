#include "runs.h"

#include "common/film_format.h"
#include "common/film_head.h"
#include "common/json.h"
#include "common/regular_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FRAMES_MOST 100000u
#define PATH_MOST 4096

typedef struct film_frame
{
    uint64_t number;
    scree_film_head head;
} film_frame;

typedef struct film_list
{
    film_frame *frame;
    size_t count, damaged;
} film_list;

/* ---- paths ----------------------------------------------------------------------------------------------- */

bool scree_lab_is_run_path(const char *path)
{
    return strcmp(path, "/runs") == 0 || strncmp(path, "/runs/", 6) == 0;
}

/*  Digits at *at, at most ten of them. */
static bool read_number(const char **at, uint64_t *value)
{
    const char *begin = *at;

    for (*value = 0; **at >= '0' && **at <= '9' && *at - begin < 10; ++*at)
        *value = 10 * *value + (uint64_t)(**at - '0');
    return *at > begin;
}

/*  "frame-000017.film" */
static bool is_frame_name(const char *name, uint64_t *number)
{
    const char *at = name + sizeof "frame-" - 1;

    return strncmp(name, "frame-", sizeof "frame-" - 1) == 0 && read_number(&at, number) &&
           strcmp(at, SCREE_FILM_SUFFIX) == 0;
}

/*  Returns false if the path is too long. */
static bool join(char path[PATH_MOST], const char *run, const char *name)
{
    int length = snprintf(path, PATH_MOST, "%s/%s", run, name);
    return length > 0 && length < PATH_MOST;
}

/* ---- the list of frames ---------------------------------------------------------------------------------- */

/*  A frame is complete if its file is as long as its head says at least: a copy may have been cut. */
static bool read_head(const char *path, scree_film_head *head)
{
    unsigned char bytes[SCREE_FILM_HEAD_BYTES];
    size_t size;
    FILE *file = scree_open_regular(path, &size);

    if (!file)
        return false;
    bool good = fread(bytes, 1, sizeof bytes, file) == sizeof bytes &&
                scree_film_read_head(bytes, sizeof bytes, head) &&
                scree_film_min_bytes(head) <= size;
    fclose(file);
    return good;
}

static bool add_frame(film_list *list, const film_frame *frame)
{
    if ((list->count & (list->count - 1)) == 0) {
        film_frame *grown =
            realloc(list->frame, (list->count ? 2 * list->count : 1) * sizeof *grown);
        if (!grown)
            return false;
        list->frame = grown;
    }
    list->frame[list->count++] = *frame;
    return true;
}

static int by_number(const void *a, const void *b)
{
    const film_frame *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

static scree_status list_frames(const char *run, film_list *list)
{
    char folder[PATH_MOST], path[PATH_MOST];
    scree_status status = SCREE_OK;

    if (!join(folder, run, "film"))
        return SCREE_IO_ERROR;
    DIR *there = opendir(folder);
    for (struct dirent *entry;
         there && !status && list->count < FRAMES_MOST && (entry = readdir(there)) != NULL;) {
        film_frame frame = {0};
        if (!is_frame_name(entry->d_name, &frame.number) || !join(path, folder, entry->d_name))
            continue;
        if (!read_head(path, &frame.head))
            list->damaged++;
        else if (!add_frame(list, &frame))
            status = SCREE_OUT_OF_MEMORY;
    }
    if (there)
        closedir(there);
    if (list->count)
        qsort(list->frame, list->count, sizeof *list->frame, by_number);
    return status;
}

/* ---- answers in JSON ------------------------------------------------------------------------------------- */

/*  The last part of a path, without a slash at its end. */
static void name_of(const char *path, char name[256])
{
    size_t end = strlen(path);

    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t begin = end;
    while (begin > 0 && path[begin - 1] != '/')
        begin--;
    snprintf(name, 256, "%.*s", (int)(end - begin > 255 ? 255 : end - begin), path + begin);
}

static FILE *begin_text(scree_lab_answer *answer, scree_json *json)
{
    answer->type = "application/json";
    FILE *out = open_memstream((char **)&answer->bytes, &answer->count);
    if (out)
        *json = scree_json_begin(out, true);
    return out;
}

static scree_status finish_text(FILE *out, scree_json *json)
{
    scree_json_finish(json);
    return fclose(out) == 0 ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static scree_status tell_names(const scree_lab_runs *runs, scree_lab_answer *answer)
{
    char name[256];
    scree_json json;
    FILE *out = begin_text(answer, &json);

    if (!out)
        return SCREE_OUT_OF_MEMORY;
    scree_json_list(&json, "runs");
    for (size_t k = 0; k < runs->count; k++) {
        name_of(runs->paths[k], name);
        scree_json_text(&json, NULL, name);
    }
    scree_json_end(&json);
    return finish_text(out, &json);
}

static void tell_frame(scree_json *json, const film_frame *frame)
{
    const scree_film_head *head = &frame->head;

    scree_json_object(json, NULL);
    scree_json_count(json, "number", frame->number);
    scree_json_count(json, "steps", head->steps);
    scree_json_real(json, "time", head->time);
    scree_json_real(json, "speed", head->speed);
    scree_json_real(json, "radius", head->radius);
    scree_json_list(json, "lower");
    for (int k = 0; k < 3; k++)
        scree_json_real(json, NULL, head->lower[k]);
    scree_json_end(json);
    scree_json_list(json, "upper");
    for (int k = 0; k < 3; k++)
        scree_json_real(json, NULL, head->upper[k]);
    scree_json_end(json);
    scree_json_end(json);
}

static scree_status tell_list(const scree_lab_runs *runs, const char *run, scree_lab_answer *answer)
{
    film_list list = {0};
    scree_json json;
    FILE *out = NULL;
    scree_status status = list_frames(run, &list);

    if (!status && !(out = begin_text(answer, &json)))
        status = SCREE_OUT_OF_MEMORY;
    if (!status) {
        scree_json_flag(&json, "going", runs->is_going(run));
        scree_json_count(&json, "damaged", list.damaged);
        scree_json_list(&json, "frames");
        for (size_t k = 0; k < list.count; k++)
            tell_frame(&json, &list.frame[k]);
        scree_json_end(&json);
        status = finish_text(out, &json);
    }
    free(list.frame);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------------------- */

/*  Reads at most its size of now: a run may be writing. */
static scree_status read_all(const char *path, scree_lab_answer *answer)
{
    size_t size;
    FILE *file = scree_open_regular(path, &size);

    if (!file)
        return SCREE_IO_ERROR;
    scree_status status = size > SCREE_LAB_RUN_FILE_MOST ? SCREE_TOO_LARGE : SCREE_OK;
    if (!status && !(answer->bytes = malloc(size + 1)))
        status = SCREE_OUT_OF_MEMORY;
    if (!status)
        answer->count = fread(answer->bytes, 1, size, file);
    fclose(file);
    return status;
}

static scree_status send_frame(const char *run, uint64_t number, scree_lab_answer *answer)
{
    char name[64], path[PATH_MOST];

    snprintf(name, sizeof name, "film/frame-%06llu" SCREE_FILM_SUFFIX, (unsigned long long)number);
    answer->type = "application/octet-stream";
    return join(path, run, name) ? read_all(path, answer) : SCREE_IO_ERROR;
}

/*  A run without measurements has no table. */
static scree_status send_metrics(const char *run, scree_lab_answer *answer)
{
    char path[PATH_MOST];
    struct stat info;

    answer->type = "text/csv; charset=utf-8";
    if (!join(path, run, "metrics.csv"))
        return SCREE_IO_ERROR;
    if (stat(path, &info) == 0)
        return read_all(path, answer);
    answer->bytes = malloc(1);
    return answer->bytes ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

static scree_status answer_path(const scree_lab_runs *runs, const char *path,
                                scree_lab_answer *answer)
{
    uint64_t run, number;

    if (strcmp(path, "/runs") == 0)
        return tell_names(runs, answer);
    path += sizeof "/runs/" - 1;
    if (!read_number(&path, &run) || run >= runs->count)
        return SCREE_BAD_ARGUMENT;
    const char *folder = runs->paths[run];
    if (strcmp(path, "/list") == 0)
        return tell_list(runs, folder, answer);
    if (strcmp(path, "/metrics") == 0)
        return send_metrics(folder, answer);
    if (strcmp(path, "/parts") == 0)
        return scree_lab_run_parts(folder, runs->max_bytes, answer);
    if (strncmp(path, "/frame/", 7) != 0)
        return SCREE_BAD_ARGUMENT;
    path += 7;
    if (!read_number(&path, &number) || *path)
        return SCREE_BAD_ARGUMENT;
    return send_frame(folder, number, answer);
}

scree_status scree_lab_runs_answer(const scree_lab_runs *runs, const char *path,
                                   scree_lab_answer *answer)
{
    *answer = (scree_lab_answer){0};
    scree_status status = answer_path(runs, path, answer);

    if (status) {
        free(answer->bytes);
        *answer = (scree_lab_answer){0};
    }
    return status;
}
