/*  All messages pass through one function, so that the log has everything that the terminal has, and the progress
    line is ended before other output. */
#include "app/run/notes.h"

#include "common/json.h"
#include "common/options.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define MAX_SHOWN 10
#define MAX_PRINTED 1000

void scree_notes_begin(scree_notes *notes, scree_progress *progress)
{
    memset(notes, 0, sizeof *notes);
    notes->progress = progress;
    notes->log.descriptor = -1;
    notes->began = scree_clock_seconds();
}

static void put_in_log(scree_notes *notes, const char *mark, const char *text)
{
    char line[1200];

    snprintf(line, sizeof line, "%9.2f s  %s%s", scree_clock_seconds() - notes->began, mark, text);
    for (char *c = line; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    /* before there is a folder, lines wait; a full disk is reported once, and lines wait */
    scree_lines_put(&notes->log, line);
    if (notes->log.descriptor >= 0 && !scree_lines_flush(&notes->log, false) &&
        notes->count[SCREE_NOTE_LOG]++ == 0)
        scree_message("warning: %s: cannot write: %s", notes->log.path, strerror(errno));
}

void scree_notes_log(scree_notes *notes, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put_in_log(notes, "", text);
}

void scree_notes_say(scree_notes *notes, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put_in_log(notes, "", text);
    if (notes->progress->mode == SCREE_PROGRESS_QUIET)
        return;
    scree_progress_clear(notes->progress);
    if (notes->progress->mode == SCREE_PROGRESS_JSON) {
        scree_json json = scree_json_begin(notes->progress->out, true);
        scree_json_text(&json, "report", "note");
        scree_json_text(&json, "text", text);
        scree_json_finish(&json);
    } else {
        fprintf(notes->progress->out, "%s\n", text);
    }
    fflush(notes->progress->out);
}

void scree_notes_warn(scree_notes *notes, scree_note_kind kind, const char *format, ...)
{
    char text[1024];
    const char *last = "";
    va_list list;

    if (++notes->count[kind] > MAX_SHOWN)
        return;
    if (notes->count[kind] == MAX_SHOWN)
        last = " (this was the tenth of its kind: further ones are counted)";
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    strncat(text, last, sizeof text - strlen(text) - 1);
    put_in_log(notes, "warning: ", text);
    scree_progress_clear(notes->progress);
    scree_message("warning: %s", text);
}

void scree_notes_error(scree_notes *notes, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    put_in_log(notes, "error: ", text);
    scree_progress_clear(notes->progress);
    scree_message("%s", text);
}

static const char *const kind_names[SCREE_NOTE_KINDS] = {
    [SCREE_NOTE_LIBRARY] = "print",
    [SCREE_LOG_FEWER_THREADS] = "fewer_threads",
    [SCREE_LOG_BODIES_REJECTED] = "bodies_rejected",
    [SCREE_LOG_GRID_REBUILT] = "grid_rebuilt",
    [SCREE_LOG_STEP_TOO_LONG] = "step_too_long",
    [SCREE_LOG_CONTACT_MISSING] = "contact_missing",
    [SCREE_LOG_BODY_QUARANTINED] = "body_quarantined",
    [SCREE_LOG_SERVO] = "servo",
    [SCREE_LOG_SOURCE_WAITS] = "source_waits",
    [SCREE_LOG_SHAPE] = "shape",
    [SCREE_LOG_REMOVED] = "removed",
    [SCREE_LOG_OLD_NAME] = "old_name",
    [SCREE_LOG_QUADRATIC] = "quadratic",
    [SCREE_LOG_COARSE_POSITIONS] = "coarse_places",
    [SCREE_LOG_CROSSING] = "crossing",
    [SCREE_NOTE_LIBRARY_LAST] = "other",
    [SCREE_NOTE_OUTPUT] = "output",
    [SCREE_NOTE_PICTURE] = "picture",
    [SCREE_NOTE_SERIES] = "series",
    [SCREE_NOTE_CHECKPOINT] = "checkpoint",
    [SCREE_NOTE_METRICS] = "metrics",
    [SCREE_NOTE_RECORD] = "record",
    [SCREE_NOTE_LOG] = "log",
    [SCREE_NOTE_OLD_FILE] = "old_file",
    [SCREE_NOTE_RESUME] = "resume",
    [SCREE_NOTE_STAGE] = "stage",
    [SCREE_NOTE_SCENE] = "scene",
};

const char *scree_notes_kind_name(int kind)
{
    return kind >= 0 && kind < SCREE_NOTE_KINDS ? kind_names[kind] : NULL;
}

void scree_notes_end(scree_notes *notes)
{
    char text[160];

    for (int kind = 0; kind < SCREE_NOTE_KINDS; kind++) {
        uint64_t shown = kind == SCREE_NOTE_LIBRARY ? MAX_PRINTED : MAX_SHOWN;
        if (notes->count[kind] > shown && kind_names[kind]) {
            snprintf(text, sizeof text, "%" PRIu64 " more of the kind \"%s\" are not shown",
                     notes->count[kind] - shown, kind_names[kind]);
            put_in_log(notes, "warning: ", text);
            scree_progress_clear(notes->progress);
            scree_message("warning: %s", text);
        }
    }
    scree_lines_close(&notes->log);
}

static void hear(scree_log_level level, scree_log_id id, const char *text, void *user)
{
    scree_notes *notes = user;
    int kind =
        (int)id >= 0 && (int)id < SCREE_NOTE_LIBRARY_LAST ? (int)id : SCREE_NOTE_LIBRARY_LAST;

    /* output of the scene's print; a loop must not fill the disk */
    if ((int)id == 0 && ++notes->count[SCREE_NOTE_LIBRARY] <= MAX_PRINTED)
        scree_notes_say(notes, "%s", text);
    else if ((int)id == 0)
        return;
    else if (level == SCREE_LOG_INFO)
        scree_notes_log(notes, "%s", text);
    else
        scree_notes_warn(notes, (scree_note_kind)kind, "%s", text);
}

scree_log scree_notes_hook(scree_notes *notes)
{
    return (scree_log){.write = hear, .user = notes};
}
