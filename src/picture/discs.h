/*  Draws a two-dimensional world on the canvas, within its clip rectangle. */
#ifndef SCREE_DISCS_H
#define SCREE_DISCS_H

#include "picture/canvas.h"
#include "picture/subject.h"

/*  `list` is scratch, and `window` what the canvas shows. SCREE_OUT_OF_MEMORY. */
scree_status scree_draw_discs(const scree_subject *subject, const scree_palette *palette,
                              const scree_canvas *canvas, const scree_window *window,
                              scree_memory *memory, scree_ball_list *list);

#endif
