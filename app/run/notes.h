/*  Messages of a run apart from its progress: to the terminal, and to log.txt. Warnings of one kind are shown at
    most ten times, and counted. */
#ifndef SCREE_RUN_NOTES_H
#define SCREE_RUN_NOTES_H

#include "app/run/lines.h"
#include "app/run/progress.h"

typedef enum scree_note_kind
{
    SCREE_NOTE_LIBRARY, /* of the library, by number; 0 is print in scenes */
    SCREE_NOTE_LIBRARY_LAST = 15,
    SCREE_NOTE_OUTPUT, /* a frame could not be written */
    SCREE_NOTE_PICTURE,
    SCREE_NOTE_SERIES,
    SCREE_NOTE_CHECKPOINT,
    SCREE_NOTE_METRICS,
    SCREE_NOTE_RECORD,
    SCREE_NOTE_LOG,
    SCREE_NOTE_OLD_FILE, /* an old file could not be removed */
    SCREE_NOTE_RESUME,   /* a checkpoint is broken */
    SCREE_NOTE_STAGE,    /* a stage had not ended at its time limit */
    SCREE_NOTE_SCENE,    /* a part of the scene is valid, and probably a mistake */
    SCREE_NOTE_KINDS,
} scree_note_kind;

typedef struct scree_notes
{
    scree_progress *progress; /* the progress line, which is ended first */
    scree_lines log;          /* opened once there is a folder */
    double began;             /* wall-clock time */
    uint64_t count[SCREE_NOTE_KINDS];
} scree_notes;

void scree_notes_begin(scree_notes *notes, scree_progress *progress);
/*  Reports how many warnings were not shown. */
void scree_notes_end(scree_notes *notes);

/*  To standard output, unless quiet, and to the log. */
void scree_notes_say(scree_notes *notes, const char *format, ...) SCREE_PRINTF(2, 3);
/*  Only to the log. */
void scree_notes_log(scree_notes *notes, const char *format, ...) SCREE_PRINTF(2, 3);
/*  To standard error, and to the log. */
void scree_notes_warn(scree_notes *notes, scree_note_kind kind, const char *format, ...)
    SCREE_PRINTF(3, 4);
void scree_notes_error(scree_notes *notes, const char *format, ...) SCREE_PRINTF(2, 3);

/*  For definitions; the notes must outlive everything made with it. */
scree_log scree_notes_hook(scree_notes *notes);
/*  "output", "checkpoint", ...: what run.json calls a kind; NULL for kinds that have no name. */
const char *scree_notes_kind_name(int kind);

#endif
