/*  What one page has received, and what it gets next: boards first, then a frame, always the newest. The transport, a
    socket or a worker of the page itself, requests one parcel after the other. */
#ifndef SCREE_LAB_VIEWER_H
#define SCREE_LAB_VIEWER_H

#include "lab.h"

#define SCREE_LAB_FRAMES_AHEAD 2u /* frames sent that a page has not drawn yet */

typedef struct scree_lab_viewer
{
    uint32_t client;
    uint32_t sent;    /* the last frame that was sent to it */
    uint32_t ahead;   /* frames sent that it has not drawn */
    uint32_t parts;   /* parts that it wants, as bits */
    bool has_greeted; /* it has sent its first message */
    bool wants_more;  /* parts of the frame that it has */
    uint32_t known[SCREE_LAB_PARTS];
    uint64_t board[SCREE_LAB_BOARDS]; /* versions that it has */
} scree_lab_viewer;

/*  A page has connected. Messages for others that were sent earlier are not for it. */
void scree_lab_viewer_begin(scree_lab_viewer *viewer, scree_lab *lab, uint32_t client);

/*  A message of its page: what it has drawn, and the parts it wants, are recorded here; all else goes to the
    lab. */
void scree_lab_viewer_say(scree_lab_viewer *viewer, scree_lab *lab,
                          const scree_lab_message *message);

typedef struct scree_lab_parcel
{
    uint8_t *bytes; /* owned by the caller; after `before` reserved bytes. NULL: nothing new */
    size_t count;
    bool is_text;
} scree_lab_parcel;

/*  SCREE_OUT_OF_MEMORY. */
scree_status scree_lab_viewer_next(scree_lab_viewer *viewer, scree_lab *lab,
                                   const scree_lab_film *film, size_t before,
                                   scree_lab_parcel *parcel);

#endif
