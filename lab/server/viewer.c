/*  Tracks which boards and frames a page has not received yet. A page that does not draw what it receives gets no more.
    */
#include "viewer.h"

#include <stdlib.h>
#include <string.h>

void scree_lab_viewer_begin(scree_lab_viewer *viewer, scree_lab *lab, uint32_t client)
{
    memset(viewer, 0, sizeof *viewer);
    viewer->client = client;
    for (int board = SCREE_LAB_NOTE; board < SCREE_LAB_BOARDS; board++)
        viewer->board[board] = scree_lab_board_version(lab, (scree_lab_board)board);
}

/*  A frame was drawn, or with number 0 a page has connected; with the parts that it wants of the next frames. */
static void note_drawn(scree_lab_viewer *viewer, uint32_t frame, uint32_t wanted)
{
    uint32_t parts = wanted & ((1u << SCREE_LAB_PARTS) - 1), more = parts & ~viewer->parts;

    /* it never received the parts that it did not want */
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        if (more >> part & 1)
            viewer->known[part] = 0;
    viewer->ahead -= frame != 0 && viewer->ahead > 0;
    viewer->wants_more |= more != 0;
    viewer->parts = parts;
    viewer->has_greeted = true;
}

void scree_lab_viewer_say(scree_lab_viewer *viewer, scree_lab *lab,
                          const scree_lab_message *message)
{
    if (message->kind != SCREE_LAB_READY) {
        scree_lab_tell(lab, viewer->client, message);
        return;
    }
    note_drawn(viewer, message->whole[0], message->whole[1]);
    scree_lab_want(lab);
}

static scree_status next_board(scree_lab_viewer *viewer, scree_lab *lab, size_t before,
                               scree_lab_parcel *parcel)
{
    scree_lab_sheet sheet;

    for (int board = 0; board < SCREE_LAB_BOARDS; board++) {
        /* an overlay is as large as a frame, so it also waits until the last frame has been drawn */
        if (scree_lab_board_version(lab, (scree_lab_board)board) == viewer->board[board] ||
            (board == SCREE_LAB_LINES && viewer->ahead >= SCREE_LAB_FRAMES_AHEAD))
            continue;
        if (scree_lab_board_read(lab, (scree_lab_board)board, before, &sheet))
            return SCREE_OUT_OF_MEMORY;
        viewer->board[board] = sheet.version;
        if (sheet.client != SCREE_LAB_EVERYBODY && sheet.client != viewer->client) {
            free(sheet.bytes);
            continue;
        }
        *parcel = (scree_lab_parcel){sheet.bytes, sheet.count, sheet.is_text};
        return SCREE_OK;
    }
    return SCREE_OK;
}

static bool may_have_frame(const scree_lab_viewer *viewer, const scree_lab_film *film)
{
    bool is_new = viewer->sent != film->frame || viewer->wants_more;
    return film->frame != 0 && viewer->has_greeted && is_new &&
           viewer->ahead < SCREE_LAB_FRAMES_AHEAD;
}

static scree_status next_frame(scree_lab_viewer *viewer, const scree_lab_film *film, size_t before,
                               scree_lab_parcel *parcel)
{
    uint32_t known[SCREE_LAB_PARTS];

    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        known[part] = viewer->parts >> part & 1 ? viewer->known[part] : SCREE_LAB_UNWANTED;
    parcel->count = scree_lab_frame_bytes(film, known);
    parcel->bytes = malloc(before + parcel->count);
    if (!parcel->bytes)
        return SCREE_OUT_OF_MEMORY;
    scree_lab_frame_write(film, known, parcel->bytes + before);
    viewer->sent = film->frame;
    viewer->ahead++;
    viewer->wants_more = false;
    for (int part = 0; part < SCREE_LAB_PARTS; part++)
        if (viewer->parts >> part & 1)
            viewer->known[part] = viewer->sent;
    return SCREE_OK;
}

scree_status scree_lab_viewer_next(scree_lab_viewer *viewer, scree_lab *lab,
                                   const scree_lab_film *film, size_t before,
                                   scree_lab_parcel *parcel)
{
    *parcel = (scree_lab_parcel){0};
    scree_status status = next_board(viewer, lab, before, parcel);

    if (!status && !parcel->bytes && may_have_frame(viewer, film))
        status = next_frame(viewer, film, before, parcel);
    return status;
}
