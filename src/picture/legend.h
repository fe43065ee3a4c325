/*  The text on a picture: title, time, and colour bar. */
#ifndef SCREE_LEGEND_H
#define SCREE_LEGEND_H

#include "picture/canvas.h"
#include "picture/colour_map.h"
#include "picture/roster.h"
#include "picture/wall_colours.h"

/*  "0.25", "1500", "2e-05": `value` is a multiple of `step`, which is 1, 2 or 5 times a power of ten. The same on every
    machine and in every locale. */
#define SCREE_NUMBER_ROOM 40
void scree_write_number(double value, double step, char text[SCREE_NUMBER_ROOM]);

void scree_legend_draw(const scree_canvas *canvas, const scree_picture_def *def,
                       const scree_roster *roster, const scree_palette *palette,
                       const scree_wall_colours *walls, double time);

#endif
