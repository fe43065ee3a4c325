/*  Boards: state channels from the lab's thread to the server's. Each board holds only its newest content. */
#include "lab_internal.h"

#include "common/json.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void scree_lab_post(scree_lab *lab, scree_lab_board board, uint32_t client, bool is_text,
                    uint8_t *bytes, size_t count)
{
    if (!bytes)
        return;
    pthread_mutex_lock(&lab->lock);
    scree_lab_sheet *sheet = &lab->board[board];
    uint8_t *old = sheet->bytes;
    sheet->version++;
    sheet->client = client;
    sheet->is_text = is_text;
    sheet->bytes = bytes;
    sheet->count = count;
    pthread_mutex_unlock(&lab->lock);
    free(old);
    lab->def.wake(lab->def.user);
}

uint64_t scree_lab_board_version(scree_lab *lab, scree_lab_board board)
{
    pthread_mutex_lock(&lab->lock);
    uint64_t version = lab->board[board].version;
    pthread_mutex_unlock(&lab->lock);
    return version;
}

scree_status scree_lab_board_read(scree_lab *lab, scree_lab_board board, size_t before,
                                  scree_lab_sheet *sheet)
{
    pthread_mutex_lock(&lab->lock);
    *sheet = lab->board[board];
    sheet->bytes = malloc(before + sheet->count + 1);
    if (sheet->bytes && sheet->count)
        memcpy(sheet->bytes + before, lab->board[board].bytes, sheet->count);
    pthread_mutex_unlock(&lab->lock);
    return sheet->bytes ? SCREE_OK : SCREE_OUT_OF_MEMORY;
}

/*  "scene:7: ..." is about line 7; 0: no line. */
static uint64_t line_of(const char *text)
{
    static const char name[] = "scene:";
    if (strncmp(text, name, sizeof name - 1) != 0)
        return 0;
    return strtoul(text + sizeof name - 1, NULL, 10);
}

void scree_lab_say(scree_lab *lab, bool is_error, const char *format, ...)
{
    char sentence[512], *text = NULL;
    size_t count = 0;
    FILE *out = open_memstream(&text, &count);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!out)
        return;
    scree_json json = scree_json_begin(out, true);
    scree_json_text(&json, "kind", "note");
    scree_json_flag(&json, "error", is_error);
    scree_json_text(&json, "text", sentence);
    scree_json_count(&json, "line", line_of(sentence));
    scree_json_finish(&json);
    fclose(out);
    scree_lab_post(lab, SCREE_LAB_NOTE, SCREE_LAB_EVERYBODY, true, (uint8_t *)text, count);
}
